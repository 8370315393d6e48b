"""debug(): Jacobians and tangents that are not finite are named as gradients are."""

import pytest

import tapeflow as tf


def jacobian(x):
    with tf.GradientTape() as tape:
        y = tf.sqrt(x) * 2.0  # here
    return tape.jacobian(y, x)


def batch_jacobian(x):
    z = tf.reshape(x, [2, 1])
    with tf.GradientTape() as tape:
        tape.watch(z)
        y = tf.sqrt(z)  # here
    return tape.batch_jacobian(y, z)


def tangent(x):
    with tf.autodiff.ForwardAccumulator(x, tf.constant([1.0, 3.0])) as accumulator:
        y = tf.sqrt(x)  # here
        z = tf.reduce_sum(y)
    return accumulator.jvp(z)


def tangent_of_a_function(x):
    root = tf.function(lambda x: tf.sqrt(x))  # here
    with tf.autodiff.ForwardAccumulator(x, tf.constant([1.0, 3.0])) as accumulator:
        y = root(x)
    return accumulator.jvp(y)


def jacobian_in_a_function(x):
    return tf.function(jacobian)(x).numpy()


@pytest.mark.parametrize("way", [jacobian, batch_jacobian, tangent, tangent_of_a_function,
                                 jacobian_in_a_function])
def test_a_slope_that_is_infinite(way):
    with pytest.raises(tf.insight.NotFiniteError) as caught, tf.insight.debug():
        way(tf.Variable([0.0, 4.0]))
    text = caught.value.message
    assert "# here" in text and "the gradient of sqrt" in text, text
    assert ("forward mode" in text) == way.__name__.startswith("tangent")
    assert "1e-12" in text


def test_what_is_finite_passes():
    x = tf.Variable([1.0, 4.0])
    with tf.insight.debug():
        assert jacobian(x).shape == (2, 2) and float(tangent(x)) == 1.25
