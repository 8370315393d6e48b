"""tapeflow.numerical_gradient: gradients of opaque NumPy functions."""

import numpy as np
import pytest

import tapeflow as tf


@tf.numerical_gradient
def wave(x):
    return np.sin(x) * x


def exact(x):
    return tf.sin(x) * x


@pytest.mark.parametrize("dtype, tol", [("float16", 2e-3), ("bfloat16", 1e-2), ("float32", 1e-6),
                                        ("float64", 1e-9)])
def test_gradient_has_the_dtype_and_shape_of_the_input(dtype, tol):
    x = tf.Variable(tf.cast([[0.5, -1.0], [2.0, 3.0]], dtype))
    with tf.GradientTape(persistent=True) as tape:
        y, z = wave(x), exact(x)
    g, want = tape.gradient(y, x), tape.gradient(z, x)
    assert g.dtype == x.dtype and g.shape == x.shape
    np.testing.assert_allclose(tf.cast(g, tf.float64).numpy(), tf.cast(want, tf.float64).numpy(),
                               rtol=tol, atol=tol)


def test_several_inputs_and_outputs():
    @tf.numerical_gradient
    def f(a, b, n):
        return {"p": a * b.sum(), "q": (a[0] ** int(n), np.argmax(b))}

    a, b = tf.Variable([1.0, 2.0]), tf.Variable([[3.0], [4.0]])
    with tf.GradientTape(persistent=True) as tape:
        out = f(a, b, 3)
        y = tf.reduce_sum(out["p"]) + 2.0 * out["q"][0]
    assert out["q"][1].dtype.is_integer
    np.testing.assert_allclose(tape.gradient(y, a).numpy(), [13.0, 7.0], rtol=1e-6)
    np.testing.assert_allclose(tape.gradient(y, b).numpy(), [[3.0], [3.0]], rtol=1e-6)
    assert tape.gradient(out["q"][1], a) is None


def test_integer_inputs_have_no_gradient():
    @tf.numerical_gradient
    def f(x, n):
        return x * n

    x, n = tf.constant(2.0), tf.constant(3)
    with tf.GradientTape() as tape:
        tape.watch([x, n])
        y = f(x, n)
    gx, gn = tape.gradient(y, [x, n])
    np.testing.assert_allclose(gx.numpy(), 3.0, rtol=1e-6)
    assert gn is None


def test_second_and_third_order():
    x = tf.Variable(0.7, dtype=tf.float64)
    with tf.GradientTape() as t3:
        with tf.GradientTape() as t2:
            with tf.GradientTape() as t1:
                y = wave(x)
            g1 = t1.gradient(y, x)
        g2 = t2.gradient(g1, x)
    g3 = t3.gradient(g2, x)
    s, c = np.sin(0.7), np.cos(0.7)
    np.testing.assert_allclose(g1.numpy(), s + 0.7 * c, rtol=1e-9)
    np.testing.assert_allclose(g2.numpy(), 2 * c - 0.7 * s, rtol=1e-5)
    np.testing.assert_allclose(g3.numpy(), -3 * s - 0.7 * c, rtol=1e-3)


def test_forward_mode_jacobian_and_hessian():
    x = tf.Variable([0.5, 1.5], dtype=tf.float64)

    @tf.numerical_gradient
    def f(x):
        return np.array([x[0] * x[1], x[0] ** 2, np.exp(x[1])])

    with tf.autodiff.ForwardAccumulator(x, tf.constant([1.0, 2.0], tf.float64)) as accumulator:
        y = f(x)
    e = np.exp(1.5)
    np.testing.assert_allclose(accumulator.jvp(y).numpy(), [2.5, 1.0, 2 * e], rtol=1e-8)
    with tf.GradientTape() as tape:
        y = f(x)
    np.testing.assert_allclose(tape.jacobian(y, x).numpy(), [[1.5, 0.5], [1.0, 0.0], [0.0, e]],
                               rtol=1e-8, atol=1e-9)
    with tf.GradientTape() as outer:
        with tf.GradientTape() as inner:
            y = tf.reduce_sum(f(x))
        g = inner.gradient(y, x)
    np.testing.assert_allclose(outer.jacobian(g, x).numpy(), [[2.0, 1.0], [1.0, e]], rtol=1e-5)


def test_reverse_over_forward():
    x = tf.Variable(2.0, dtype=tf.float64)
    with tf.GradientTape() as tape:
        tape.watch(x)
        with tf.autodiff.ForwardAccumulator(x, tf.constant(1.0, tf.float64)) as accumulator:
            y = wave(x)
        t = accumulator.jvp(y)
    want = 2 * np.cos(2) - 2 * np.sin(2)
    np.testing.assert_allclose(tape.gradient(t, x).numpy(), want, rtol=1e-5)


def test_between_other_ops_and_in_a_map():
    x = tf.constant([0.5, 1.0])

    def f(v):
        with tf.GradientTape() as tape:
            tape.watch(v)
            y = tf.exp(wave(v * 2.0))
        return tape.gradient(y, v)

    def g(v):
        with tf.GradientTape() as tape:
            tape.watch(v)
            y = tf.exp(exact(v * 2.0))
        return tape.gradient(y, v)

    np.testing.assert_allclose(tf.vectorized_map(f, x).numpy(), tf.map_fn(g, x).numpy(), rtol=1e-5)


def test_the_function_may_change_and_keep_its_arguments():
    kept = []

    @tf.numerical_gradient
    def f(x):
        kept.append(x)
        x *= 2.0
        return x

    x = tf.Variable([1.0, 2.0])
    with tf.GradientTape() as tape:
        y = f(x)
    kept[0][:] = 99.0
    np.testing.assert_array_equal(y.numpy(), [2.0, 4.0])
    np.testing.assert_array_equal(x.numpy(), [1.0, 2.0])
    np.testing.assert_allclose(tape.gradient(y, x).numpy(), [2.0, 2.0], rtol=1e-6)


def test_python_numbers_keywords_and_other_arguments():
    @tf.numerical_gradient(step=1e-3)
    def f(x, how, scale=1.0):
        import math
        return math.sin(x) * scale if how == "sin" else 0.0

    x = tf.Variable(0.5)
    with tf.GradientTape() as tape:
        y = f(x, "sin", scale=3.0)
    assert y.dtype == tf.float32
    np.testing.assert_allclose(tape.gradient(y, x).numpy(), 3 * np.cos(0.5), rtol=1e-5)


def test_a_method():
    class Model:
        power = 3

        @tf.numerical_gradient
        def f(self, x):
            return x ** self.power

    x = tf.Variable(2.0)
    with tf.GradientTape() as tape:
        y = Model().f(x)
    np.testing.assert_allclose(tape.gradient(y, x).numpy(), 12.0, rtol=1e-6)


def test_a_function_that_takes_only_float32():
    @tf.numerical_gradient
    def f(x):
        assert x.dtype == np.float32
        return x * x

    x = tf.Variable([1.0, 3.0])
    with tf.GradientTape() as tape:
        y = f(x)
    np.testing.assert_allclose(tape.gradient(y, x).numpy(), [2.0, 6.0], rtol=1e-3)


def test_big_inputs_have_big_steps():
    x = tf.Variable([1e6, -1e6], dtype=tf.float64)
    with tf.GradientTape() as tape:
        y = tf.numerical_gradient(lambda x: x ** 2)(x)
    np.testing.assert_allclose(tape.gradient(y, x).numpy(), 2 * x.numpy(), rtol=1e-8)


@pytest.mark.parametrize("function, words", [
    (lambda x: None, "result 0"), (lambda x: "text", "result 0"), (lambda x: x * 1j, "result 0"),
    (lambda x: (x, object()), "result 1"),
])
def test_wrong_results_are_named(function, words):
    function.__name__ = "my_function"
    with pytest.raises(TypeError, match="my_function") as caught:
        tf.numerical_gradient(function)(tf.constant(1.0))
    assert words in str(caught.value)


def test_nan_and_changing_shapes_are_named():
    @tf.numerical_gradient
    def root(x):
        with np.errstate(invalid="ignore"):
            return np.sqrt(x)

    x = tf.Variable([4.0, 0.0])
    with tf.GradientTape() as tape:
        y = root(x)
    with pytest.raises(ValueError, match="root has no finite difference where element 1"):
        tape.gradient(y, x)

    @tf.numerical_gradient
    def ragged(x):
        return np.zeros(2 if x > 1.0 else 3)

    x = tf.Variable(1.0)
    with tf.GradientTape() as tape:
        y = ragged(x)
    with pytest.raises(ValueError, match="ragged returns shapes"):
        tape.gradient(y, x)


def test_the_function_s_own_exception_comes_through():
    @tf.numerical_gradient
    def f(x):
        raise KeyError("mine")

    with pytest.raises(KeyError, match="mine"):
        f(tf.constant(1.0))


def test_bad_arguments_of_the_decorator():
    with pytest.raises(TypeError):
        tf.numerical_gradient(3)
    with pytest.raises(ValueError):
        tf.numerical_gradient(step=0.0)(np.sin)
    with pytest.raises(TypeError, match="complex64"):
        wave(tf.constant(1.0, tf.complex64))


def test_no_gradient_costs_no_extra_calls():
    calls = []

    @tf.numerical_gradient
    def f(x):
        calls.append(1)
        return x * 2.0

    x = tf.Variable([1.0, 2.0, 3.0])
    with tf.GradientTape() as tape:
        y = f(x)
    assert len(calls) == 1
    tape.gradient(y, x)
    assert len(calls) == 1 + 1 + 2 * 3
