"""py_function and numpy_function beyond what TensorFlow's eager mode can do."""

import numpy as np
import pytest

import tapeflow as tf


def test_py_function_reaches_variables_inside():
    v = tf.Variable(2.0)
    with tf.GradientTape() as tape:
        y = tf.py_function(lambda x: x * v, [tf.constant(3.0)], tf.float32)
    assert tape.gradient(y, v).numpy() == 3.0


def test_py_function_has_gradients_of_any_order():
    x = tf.Variable(2.0)
    with tf.GradientTape() as outer:
        with tf.GradientTape() as inner:
            y = tf.py_function(lambda v: v ** 4, [x], tf.float32)
        g = inner.gradient(y, x)
    assert g.numpy() == 32.0 and outer.gradient(g, x).numpy() == 48.0


def test_py_function_in_a_map_has_gradients_of_any_order():
    x = tf.constant([1.0, 2.0, 3.0])

    def cube(v):
        return tf.py_function(lambda u: u * u * u, [v], tf.float32)

    def first(v):
        with tf.GradientTape() as tape:
            tape.watch(v)
            y = cube(v)
        return tape.gradient(y, v)

    def second(v):
        with tf.GradientTape() as tape:
            tape.watch(v)
            y = first(v)
        return tape.gradient(y, v)

    np.testing.assert_allclose(tf.vectorized_map(first, x).numpy(), 3 * x.numpy() ** 2)
    np.testing.assert_allclose(tf.vectorized_map(second, x).numpy(), 6 * x.numpy())
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = tf.vectorized_map(cube, x)
    np.testing.assert_allclose(tape.gradient(y, x).numpy(), 3 * x.numpy() ** 2)


def test_the_cause_of_a_failure_is_kept():
    def fail(x):
        raise KeyError("mine")

    with pytest.raises(tf.errors.UnknownError, match="KeyError: 'mine'") as caught:
        tf.py_function(fail, [1.0], tf.float32)
    assert isinstance(caught.value.__cause__, KeyError)


def test_numpy_function_gets_arrays_of_its_own():
    x = tf.constant([1.0, 2.0])
    kept = []

    def f(a):
        a += 1.0
        kept.append(a)
        return a

    y = tf.numpy_function(f, [x], tf.float32)
    kept[0][:] = 0.0
    np.testing.assert_array_equal(x.numpy(), [1.0, 2.0])
    np.testing.assert_array_equal(y.numpy(), [2.0, 3.0])


def test_numpy_function_says_why_there_is_no_gradient():
    x = tf.Variable(3.0)
    with tf.GradientTape() as tape:
        y = tf.numpy_function(lambda v: v * v, [x], tf.float32)
    assert tape.gradient(y, x) is None
    assert "numpy_function" in str(tape.explain(y, x))
