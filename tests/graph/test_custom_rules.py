"""Custom gradients in functions: the rule runs when the tape walks back, as it does eagerly."""

import numpy as np
import pytest

import tapeflow as tf


@tf.custom_gradient
def exponential(x):
    return tf.exp(x), lambda g: g * exponential(x)


@tf.custom_gradient
def sine(x):
    return tf.sin(x), lambda g: g * cosine(x)


@tf.custom_gradient
def cosine(x):
    return tf.cos(x), lambda g: -g * sine(x)


@tf.custom_gradient
def hundred(x):
    return x * x, lambda g: g * 100.0 * x


def derivative(function, order):
    if not order:
        return function

    def derived(x):
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = derivative(function, order - 1)(x)
        return tape.gradient(y, x)

    return derived


@pytest.mark.parametrize("order", range(6))
@pytest.mark.parametrize("function", [exponential, sine])
def test_a_rule_that_calls_its_own_function(function, order):
    x = tf.constant(1.0)
    want = derivative(function, order)(x).numpy()
    inside = tf.function(derivative(function, order))(x)
    around = derivative(tf.function(function), min(order, 5))(x)
    np.testing.assert_allclose(inside, want, rtol=1e-6)
    np.testing.assert_allclose(around, derivative(function, min(order, 5))(x), rtol=1e-6)


def test_beyond_the_deepest_order_outside_the_function_is_an_error_that_says_so():
    with pytest.raises(NotImplementedError, match="up to order 5"):
        derivative(tf.function(exponential), 6)(tf.constant(1.0))


@pytest.mark.parametrize("jit", [None, True])
def test_in_loops_and_branches(jit):
    @tf.function(jit_compile=jit)
    def loop(x):
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = x
            for _ in tf.range(2):
                y = exponential(y)
            y = tf.cond(y > 0, lambda: sine(y), lambda: y)
        return tape.gradient(y, x)

    x = 0.5
    want = np.cos(np.exp(np.exp(x))) * np.exp(np.exp(x)) * np.exp(x)
    np.testing.assert_allclose(loop(tf.constant(x)), want, rtol=1e-5)


def recomputed(wrap):
    v = tf.Variable(2.0)
    inner = tf.recompute_grad(lambda x: tf.sin(x) * v)
    block = tf.recompute_grad(lambda x: inner(x) * v)

    @wrap
    def step(x):
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = block(x)
        v.assign_add(1.0)
        return y, *tape.gradient(y, [x, v]), v.read_value()

    return [y.numpy() for y in step(tf.constant(3.0))]


def test_recomputing_reads_what_variables_hold_when_it_runs():
    eager = recomputed(lambda function: function)
    np.testing.assert_allclose(recomputed(tf.function), eager, rtol=1e-6)
    np.testing.assert_allclose(recomputed(tf.function(jit_compile=True)), eager, rtol=1e-6)
    assert eager[1] == pytest.approx(9 * np.cos(3.0), rel=1e-5)  # v is 3 by then, as in TensorFlow


def test_vectorised_maps_differentiate_what_was_computed():
    def step(xs):
        with tf.GradientTape() as tape:
            tape.watch(xs)
            y = tf.vectorized_map(hundred, xs)
        return tape.gradient(y, xs)

    xs = tf.constant([1.0, 2.0])
    np.testing.assert_array_equal(step(xs), [2.0, 4.0])  # TensorFlow's
    np.testing.assert_array_equal(tf.function(step)(xs), [2.0, 4.0])


def test_a_tape_inside_a_vectorised_map_uses_the_rule():
    inside = derivative(hundred, 1)
    xs = tf.constant([1.0, 2.0])
    for function in (tf.vectorized_map, tf.function(tf.vectorized_map)):
        np.testing.assert_array_equal(function(inside, xs), [100.0, 200.0])


def _made_anew(name):
    """A function that makes its custom gradient at every call, and calls others in its rule."""
    def call(x):
        @tf.custom_gradient
        def f(x):
            return tf.exp(x), lambda g: g * sum(_made_anew(one)(x) for one in "abc") / 3.0
        return f(x)
    return call


def test_custom_gradients_made_anew_at_every_call_end():
    x = tf.constant(0.5)
    f = tf.function(_made_anew("a"), autograph=False)
    with tf.GradientTape() as outer:
        outer.watch(x)
        with tf.GradientTape() as inner:
            inner.watch(x)
            y = f(x)
        slope = inner.gradient(y, x)
    np.testing.assert_allclose([y, slope, outer.gradient(slope, x)], np.exp(0.5), rtol=1e-6)
    with tf.Graph().as_default(), tf.compat.v1.Session() as session:
        z = tf.constant(0.5)
        got = session.run(tf.gradients(_made_anew("a")(z), z))
    np.testing.assert_allclose(got, [np.exp(0.5)], rtol=1e-6)
