"""tapeflow.gradients as a function and a namespace; value_and_grad, vjp, jvp, hvp, Gauss-Newton."""

import doctest
import importlib

import numpy as np
import pytest

import tapeflow as tf

G = tf.gradients
X = tf.constant([0.3, -1.2, 2.0], tf.float64)
V = tf.constant([1.0, 0.5, -2.0], tf.float64)


def quartic(x):
    return tf.reduce_sum(x ** 4) + x[0] * x[1] * x[2]


def hessian(x):
    x = x.numpy()
    h = np.diag(12 * x ** 2)
    for i, j, k in ((0, 1, 2), (0, 2, 1), (1, 2, 0)):
        h[i, j] = h[j, i] = x[k]
    return h


# -- the namespace ---------------------------------------------------------------------------------
def test_it_is_still_tensorflows_function():
    @tf.function
    def slope(x):
        return tf.gradients(x * x, x)[0]

    assert slope(tf.constant(3.0)).numpy() == 6.0
    with pytest.raises(RuntimeError, match="eager execution"):
        tf.gradients(X, X)


def test_it_is_a_module_and_stays_one():
    from tapeflow.gradients import hvp
    assert importlib.import_module("tapeflow.gradients") is tf.gradients
    tf.hessians  # loads the module that has TensorFlow's function
    assert tf.gradients.hvp is hvp and callable(tf.compat.v1.gradients)
    assert "gradients" in dir(tf) and "hvp" in dir(tf.gradients)
    with pytest.raises(AttributeError, match="tf.gradients.hpv"):
        tf.gradients.hpv


@pytest.mark.parametrize("name", [*tf.gradients.__all__, "numpy_on_tape"])
def test_examples_in_the_docstrings(name):
    member = getattr(tf if name == "numpy_on_tape" else tf.gradients, name)
    for part in ("Args:", "Returns:", "Example:")[name == "numpy_on_tape":]:
        assert part in member.__doc__
    test = doctest.DocTestParser().get_doctest(member.__doc__, {"tf": tf, "np": np}, name, None, 0)
    assert test.examples
    assert doctest.DocTestRunner().run(test).failed == 0


# -- value_and_grad --------------------------------------------------------------------------------
@pytest.mark.parametrize("wrap", [lambda f: f, tf.function])
def test_value_and_gradients_of_arguments(wrap):
    value, slope = wrap(G.value_and_grad(quartic))(X)
    assert value.numpy() == quartic(X).numpy()
    np.testing.assert_allclose(slope, 4 * X.numpy() ** 3 + np.prod(X) / X.numpy())


@pytest.mark.parametrize("wrap", [lambda f: f, tf.function])
def test_several_arguments_aux_and_structures(wrap):
    def f(w, scale, *, power):
        return scale * tf.reduce_sum(w["a"] ** power) + w["b"], {"seen": w["a"]}

    call = wrap(lambda w, s: G.value_and_grad(f, argnums=(1, 0), has_aux=True)(w, s, power=2))
    (value, aux), (of_scale, of_w) = call({"a": tf.constant([1.0, 2.0]), "b": 1.0}, 3.0)
    assert value.numpy() == 16.0 and of_scale.numpy() == 5.0 and of_w["b"].numpy() == 1.0
    np.testing.assert_array_equal(of_w["a"], [6.0, 12.0])
    np.testing.assert_array_equal(aux["seen"], [1.0, 2.0])


@pytest.mark.parametrize("wrap", [lambda f: f, tf.function])
def test_variables(wrap):
    w, unused = tf.Variable([1.0, 2.0]), tf.Variable(5.0)

    def f(x):
        return tf.reduce_sum(w * w * x)

    value, slopes = wrap(G.value_and_grad(f, variables=[w, unused]))(tf.constant(3.0))
    assert value.numpy() == 15.0 and slopes[1] is None
    np.testing.assert_array_equal(slopes[0], [6.0, 12.0])
    _, (of_x, of_w) = wrap(G.value_and_grad(f, argnums=0, variables=w))(tf.constant(3.0))
    assert of_x.numpy() == 5.0 and of_w.numpy()[1] == 12.0
    _, zeros = G.value_and_grad(f, variables=[unused], unconnected_gradients="zero")(3.0)
    assert zeros[0].numpy() == 0.0


def test_outer_tapes_see_the_gradient():
    x = tf.constant(2.0)
    with tf.GradientTape() as tape:
        tape.watch(x)
        _, slope = G.value_and_grad(lambda x: x ** 3)(x)
    assert tape.gradient(slope, x).numpy() == 12.0


def test_what_cannot_be_differentiated_is_said():
    with pytest.raises(ValueError, match="must return a scalar.*vjp"):
        G.value_and_grad(lambda x: x)(X)
    with pytest.raises(ValueError, match="argnums has 2"):
        G.value_and_grad(quartic, argnums=2)(X)
    with pytest.raises(TypeError, match=r"\(value, aux\)"):
        G.value_and_grad(quartic, has_aux=True)(X)
    with pytest.raises(TypeError, match="has_aux"):
        G.value_and_grad(lambda x: (quartic(x), x))(X)
    with pytest.raises(TypeError, match="int64"):
        G.value_and_grad(lambda x: tf.size(x, tf.int64))(X)
    with pytest.raises(TypeError, match="argument 0 is int32"):
        G.value_and_grad(quartic)(3)
    with pytest.raises(TypeError, match="must be a function"):
        G.value_and_grad(3.0)
    with pytest.raises(TypeError, match="int32"):
        G.hvp(quartic, tf.constant([1, 2, 3]), V)
    with pytest.raises(ValueError, match="tangent of shape"):
        G.hvp(quartic, X, V[:2])
    with pytest.raises((TypeError, ValueError), match="hvp: tangents must have the structure"):
        G.hvp(quartic, X, (V, V))
    with pytest.raises(ValueError, match="nothing to differentiate"):
        G.hvp(quartic, [], [])


# -- products --------------------------------------------------------------------------------------
@pytest.mark.parametrize("wrap", [lambda f: f, tf.function])
def test_vjp_and_jvp(wrap):
    def f(x, y):
        return {"a": x * y, "b": tf.reduce_sum(x)}

    def both(x, y, t):
        value, pull = G.vjp(f, x, y)
        return (value, pull({"a": t, "b": 2.0}), pull({"a": 0 * t, "b": 1.0}),
                G.jvp(f, (x, y), (t, t)))

    value, (gx, gy), (again, zero), (same, slope) = wrap(both)(X, V, V)
    np.testing.assert_allclose(gx, V.numpy() ** 2 + 2)
    np.testing.assert_allclose(gy, X.numpy() * V.numpy())
    np.testing.assert_allclose(again, 1.0)
    np.testing.assert_allclose(zero, 0.0)
    np.testing.assert_allclose(same["a"], value["a"])
    np.testing.assert_allclose(slope["a"], (X.numpy() + V.numpy()) * V.numpy())
    np.testing.assert_allclose(slope["b"], V.numpy().sum())


@pytest.mark.parametrize("wrap", [lambda f: f, tf.function])
def test_hessian_products(wrap):
    wanted = hessian(X) @ V.numpy()
    np.testing.assert_allclose(wrap(lambda x, v: G.hvp(quartic, x, v))(X, V), wanted)
    w = tf.Variable(X)
    (found,) = wrap(lambda v: G.hvp(lambda: quartic(w), [w], [v]))(V)
    np.testing.assert_allclose(found, wanted)
    x, y = G.hvp(lambda x, y: tf.reduce_sum(x * y), (X, V), (V, X))
    np.testing.assert_allclose(x, X)
    np.testing.assert_allclose(y, V)
    rows = tf.vectorized_map(lambda v: G.hvp(quartic, X, v), tf.eye(3, dtype=tf.float64))
    np.testing.assert_allclose(rows, hessian(X))


@pytest.mark.parametrize("wrap", [lambda f: f, tf.function])
def test_gauss_newton_products(wrap):
    a = np.random.RandomState(0).rand(5, 3)
    w = tf.Variable(X)

    def model():
        return tf.tanh(tf.linalg.matvec(a, w))

    def loss(z):
        return tf.reduce_sum(tf.exp(z))

    z = np.tanh(a @ X.numpy())
    j = (1 - z ** 2)[:, None] * a
    (found,) = wrap(lambda v: G.gauss_newton_vp(model, loss, [w], [v]))(V)
    np.testing.assert_allclose(found, j.T @ (np.exp(z) * (j @ V.numpy())))
