"""What a mask leaves out never reaches a gradient: safe_where, safe_masks."""

import numpy as np
import pytest

import tapeflow as tf

G = tf.gradients
X = tf.constant([-1.0, 0.0, 4.0], tf.float64)


def gradient(f, x=X):
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = f(x)
    return tape.gradient(y, x).numpy()


# A function of x that is poisoned where x <= 0, and its derivative elsewhere.
BRANCHES = {
    "log": (lambda x: x * tf.math.log(x), lambda x: np.log(x) + 1),
    "quotient": (lambda x: 1.0 / x * 3.0, lambda x: -3.0 / x ** 2),
    "power": (lambda x: x ** 0.5 + 1.0, lambda x: 0.5 / np.sqrt(x)),
    "chain": (lambda x: tf.exp(tf.sqrt(x) * 2.0), lambda x: np.exp(2 * np.sqrt(x)) / np.sqrt(x)),
    "broadcast": (lambda x: tf.ones([2, 1], tf.float64) / x, lambda x: -2 / x ** 2),
}


@pytest.mark.parametrize("wrap", [lambda f: f, tf.function])
@pytest.mark.parametrize("name", BRANCHES)
def test_the_branch_not_taken_does_not_matter(name, wrap):
    f, slope = BRANCHES[name]

    def by_function(x):
        return G.safe_where(x > 0, f, 0.0, x)

    def by_mode(x):
        return tf.where(x > 0, f(x), tf.zeros([], x.dtype))

    wanted = [0.0, 0.0, slope(4.0)]
    np.testing.assert_allclose(gradient(by_function), wanted)
    assert np.isnan(gradient(by_mode)).any()  # as in TensorFlow
    inside = wrap(lambda x: slope_of(by_function, x))
    np.testing.assert_allclose(inside(X), wanted)
    with G.safe_masks():
        np.testing.assert_allclose(gradient(by_mode), wanted)
        np.testing.assert_allclose(wrap(lambda x: slope_of(by_mode, x))(X), wanted)
    assert np.isnan(gradient(by_mode)).any()


def test_safe_masks_after_a_gradient_that_was_not_a_number():
    for _ in range(2):
        x = tf.Variable([-1.0, 4.0], name="fresh")
        with tf.GradientTape() as tape:
            y = tf.sqrt(x) * x
        assert np.isnan(tape.gradient(y, x).numpy()).any()
        with G.safe_masks(), tf.GradientTape() as tape:
            y = tf.where(x > 0, tf.sqrt(x), 0.0)
        np.testing.assert_allclose(tape.gradient(y, x), [0.0, 0.25])


def slope_of(f, x):
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = f(x)
    return tape.gradient(y, x)


def test_second_derivatives_where_a_gradient_is_zero():
    """A zero gradient that is no mask keeps its own derivative."""
    with G.safe_masks():
        x = tf.constant(0.0, tf.float64)
        found = gradient(lambda x: slope_of(lambda x: tf.sin(x) ** 2, x), x)
        assert found == 2.0
        twice = gradient(lambda x: slope_of(lambda x: tf.where(x > 0, x ** 1.5, 0.0 * x), x))
        np.testing.assert_allclose(twice, [0, 0, 0.375])


def test_poison_that_is_no_masks_stays():
    with G.safe_masks():
        assert np.isinf(gradient(lambda x: tf.sqrt(x))[1])
    assert np.isinf(gradient(lambda x: G.safe_where(x >= 0, tf.sqrt, 0.0, x))[1])


def test_values_of_branches_and_dtypes():
    found = G.safe_where([True, False], 1.0, lambda x: x * 2.0, tf.constant([3.0, 4.0]))
    np.testing.assert_array_equal(found, [1.0, 8.0])
    assert G.safe_where(X > 0, tf.sqrt, 0.0, X).dtype == tf.float64
    w = tf.Variable([0.0, 9.0])
    with tf.GradientTape(persistent=True) as outer, tf.GradientTape() as tape:
        y = G.safe_where(w > 0, lambda: tf.sqrt(w), lambda: -w)
    np.testing.assert_allclose(tape.gradient(y, w), [-1.0, 1 / 6], rtol=1e-6)
    np.testing.assert_allclose(outer.gradient(y, w), [-1.0, 1 / 6], rtol=1e-6)


def test_the_switch_restores():
    f = lambda x: tf.where(x > 0, tf.math.log(x), tf.zeros([], x.dtype))
    with G.safe_masks():
        with G.safe_masks(False):
            assert np.isnan(gradient(f)).any()
        assert not np.isnan(gradient(f)).any()
    switch = G.safe_masks()
    assert not np.isnan(gradient(f)).any()
    with switch:
        pass
    assert np.isnan(gradient(f)).any()
