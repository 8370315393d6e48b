"""Branches and loops that differ between the elements of a vectorised map, against map_fn."""

import numpy as np
import pytest

import tapeflow as tf

X = tf.constant([-1.5, 0.0, 0.5, 1.0, 2.5, 4.0])
N = tf.constant([3, 0, 1, 2, 5, 0])


def steep(v):
    """log has no value where its branch is not taken."""
    return tf.cond(v > 0.0, lambda: tf.math.log(v) * v, lambda: v * v * v)


def nested(v):
    return tf.cond(v > 0.0, lambda: tf.cond(v > 1.0, lambda: v * 10.0, lambda: v), lambda: -v)


def captured(v):
    """A predicate computed outside the branch that asks for it."""
    large = v > 1.0
    return tf.cond(v > 0.0, lambda: tf.cond(large, lambda: v * v, lambda: v), lambda: 1.0 - v)


def constant_branch(v):
    return tf.cond(v > 0.0, lambda: tf.constant(7.0), lambda: v)


def case(v):
    return tf.case([(v < 0.0, lambda: v), (v < 1.0, lambda: v * 10.0)], default=lambda: v * v)


def switch(v):
    branches = [lambda: v, lambda: tf.sin(v), lambda: v ** 3]
    return tf.switch_case(tf.cast(v, tf.int32), branches)


def power(v):
    """A loop of a different length for each element."""
    return tf.while_loop(lambda i, y: i < tf.cast(v, tf.int32) + 1, lambda i, y: (i + 1, y * v),
                         (0, tf.constant(1.0)))[1]


def branch_in_loop(v):
    def body(i, y):
        return i + 1, tf.cond(y > 2.0, lambda: y - v, lambda: y + v * v)

    return tf.while_loop(lambda i, y: i < 4, body, (0, v))[1]


def loop_in_branch(v):
    return tf.cond(v > 0.0, lambda: power(v), lambda: -v)


def limited(v):
    return tf.while_loop(lambda y: y < v * 4.0, lambda y: (y + v * v,), (v,),
                         maximum_iterations=3)[0]


FUNCTIONS = [steep, nested, captured, constant_branch, case, switch, power, branch_in_loop,
             loop_in_branch, limited]


@pytest.mark.parametrize("function", FUNCTIONS)
def test_value(function):
    got = tf.vectorized_map(function, X).numpy()
    np.testing.assert_allclose(got, tf.map_fn(function, X).numpy(), rtol=1e-6)


@pytest.mark.parametrize("function", FUNCTIONS)
def test_gradient_of_a_tape_outside(function):
    found = []
    for over in (tf.vectorized_map, tf.map_fn):
        with tf.GradientTape() as tape:
            tape.watch(X)
            y = over(function, X)
        found.append(tape.gradient(y, X, unconnected_gradients="zero").numpy())
    np.testing.assert_allclose(found[0], found[1], rtol=1e-6)


def derivative(function, order=1):
    if order == 0:
        return function

    def inner(v):
        with tf.GradientTape() as tape:
            tape.watch(v)
            y = derivative(function, order - 1)(v)
        return tape.gradient(y, v, unconnected_gradients="zero")

    return inner


@pytest.mark.parametrize("order", [1, 2])
@pytest.mark.parametrize("function", FUNCTIONS)
def test_gradient_of_tapes_inside(function, order):
    per_element = derivative(function, order)
    got = tf.vectorized_map(per_element, X).numpy()
    np.testing.assert_allclose(got, tf.map_fn(per_element, X).numpy(), rtol=1e-5)


@pytest.mark.parametrize("function", FUNCTIONS)
def test_forward_mode_inside(function):
    def pushed(v):
        with tf.autodiff.ForwardAccumulator(v, tf.ones_like(v)) as accumulator:
            y = function(v)
        return accumulator.jvp(y, unconnected_gradients="zero")

    got = tf.vectorized_map(pushed, X).numpy()
    np.testing.assert_allclose(got, tf.vectorized_map(derivative(function), X).numpy(), rtol=1e-5)


def test_an_untaken_branch_does_not_poison_the_gradient():
    with tf.GradientTape() as tape:
        tape.watch(X)
        y = tf.vectorized_map(steep, X)
    assert np.isfinite(tape.gradient(y, X).numpy()).all()


def test_structures_of_results():
    got = tf.vectorized_map(lambda v: tf.cond(
        v > 0.0, lambda: {"a": v, "b": (v * 2.0, None)}, lambda: {"a": -v, "b": (v, None)}), X)
    assert got["b"][1] is None
    np.testing.assert_allclose(got["a"].numpy(), np.abs(X.numpy()))


def test_branches_of_different_structure_are_refused():
    with pytest.raises((TypeError, ValueError)):
        tf.vectorized_map(lambda v: tf.cond(v > 0.0, lambda: v, lambda: [v]), X)


def test_branches_of_different_dtypes_are_refused():
    with pytest.raises(TypeError, match="float32, int32"):
        tf.vectorized_map(lambda v: tf.cond(v > 0.0, lambda: v, lambda: 1), X)


def test_loop_variables_of_any_shape():
    def grown(t):
        v, n = t
        return tf.while_loop(lambda i, y: i < n, lambda i, y: (i + 1, y + tf.stack([v, 1.0])),
                             (0, tf.zeros([2])))

    count, got = tf.vectorized_map(grown, (X, N))
    np.testing.assert_array_equal(count.numpy(), N.numpy())
    np.testing.assert_allclose(got.numpy(), np.stack([X.numpy() * N.numpy(), N.numpy()], 1))


def test_predicates_of_two_nested_maps():
    ys = tf.constant([2.5, 1.5])

    def inner(x):
        return lambda y: tf.cond(x * y > 3.0, lambda: x * y, lambda: -x - y)

    got = tf.vectorized_map(lambda x: tf.vectorized_map(inner(x), ys), X)
    want = tf.map_fn(lambda x: tf.map_fn(inner(x), ys), X)
    np.testing.assert_allclose(got.numpy(), want.numpy())


def test_loops_of_two_nested_maps():
    ys = tf.constant([0.5, 2.0])

    def inner(n):
        return lambda y: tf.while_loop(lambda i, p: i < n, lambda i, p: (i + 1, p * y), (0, 1.0))[1]

    got = tf.vectorized_map(lambda n: tf.vectorized_map(inner(n), ys), N)
    np.testing.assert_allclose(got.numpy(), ys.numpy() ** N.numpy()[:, None])


def test_a_map_inside_a_branch():
    ys = tf.constant([1.0, 2.0])
    got = tf.vectorized_map(lambda x: tf.cond(
        x > 0.5, lambda: tf.vectorized_map(lambda y: x * y, ys), lambda: ys), X)
    want = np.where(X.numpy()[:, None] > 0.5, X.numpy()[:, None] * ys.numpy(), ys.numpy())
    np.testing.assert_allclose(got.numpy(), want)


def test_a_condition_on_the_gradient_of_a_jacobian():
    @tf.custom_gradient
    def f(z):
        def grad(g):
            return tf.cond(tf.reduce_sum(g) > 0.5, lambda: g * 10.0, lambda: g * 2.0)

        return z * 1.0, grad

    z = tf.Variable([1.0, 2.0])
    with tf.GradientTape() as tape:
        y = f(z) * tf.constant([1.0, 0.25])
    np.testing.assert_allclose(tape.jacobian(y, z).numpy(), [[10.0, 0.0], [0.0, 0.5]])


def test_random_numbers_in_a_branch_differ():
    got = tf.vectorized_map(lambda v: tf.cond(
        v > 0.0, lambda: tf.random.uniform([]), lambda: v), X).numpy()
    np.testing.assert_array_equal(got[:2], X.numpy()[:2])
    assert len(set(got[2:].tolist())) == 4


def test_seeded_random_numbers_in_a_branch_are_not_those_before_it():
    tf.random.set_seed(1)

    def f(v):
        before = tf.random.uniform([])
        return tf.cond(v > 0.0, lambda: tf.random.uniform([]) - before, lambda: 1.0 + before)

    assert np.all(tf.vectorized_map(f, X).numpy() != 0.0)


def test_a_vector_as_predicate_is_refused():
    with pytest.raises(ValueError, match="scalar"):
        tf.vectorized_map(lambda row: tf.cond(row > 0.0, lambda: 1.0, lambda: 2.0),
                          tf.zeros([2, 3]))


def test_a_tensor_array_in_a_loop_of_different_lengths_is_refused():
    def f(n):
        ta = tf.TensorArray(tf.float32, 5)
        return tf.while_loop(lambda i, ta: i < n, lambda i, ta: (i + 1, ta.write(0, 1.0)),
                             (0, ta))[1].stack()

    with pytest.raises(ValueError, match="TensorArray"):
        tf.vectorized_map(f, N)


def test_state_is_restored_after_an_exception_in_a_branch():
    def fail():
        raise KeyError("inside")

    with pytest.raises(KeyError):
        tf.vectorized_map(lambda v: tf.cond(v > 0.0, fail, lambda: v), X)
    assert tf.vectorized_map(nested, X).shape == (6,)


def test_no_elements():
    assert tf.vectorized_map(steep, tf.zeros([0])).shape == (0,)
