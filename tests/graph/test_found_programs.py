"""Short programs in which a function once did something else than TensorFlow."""

import numpy as np
import pytest

import tapeflow as tf


@pytest.mark.parametrize("jit", [None, True])
def test_methods_of_tensor_arrays_by_their_class(jit):
    @tf.function(jit_compile=jit)
    def rows(x):
        array = tf.TensorArray(tf.float32, 5)
        array = tf.TensorArray.write(array, 0, x[0])
        for t in tf.range(1, 5):
            array = tf.TensorArray.write(array, t, x[t] * 2.0)
        return tf.TensorArray.stack(array), tf.TensorArray.read(array, 1)

    stacked, second = rows(tf.ones([5, 2]))
    np.testing.assert_array_equal(stacked, [[1.0, 1.0]] + [[2.0, 2.0]] * 4)
    np.testing.assert_array_equal(second, [2.0, 2.0])


def test_methods_of_tensor_arrays_by_their_class_eagerly():
    array = tf.TensorArray(tf.float32, 2).unstack([1.0, 2.0])
    np.testing.assert_array_equal(tf.TensorArray.stack(array), [1.0, 2.0])
    assert tf.TensorArray.size(array).numpy() == 2


class Slots:
    """An optimizer as Keras writes them: slots by the identity of a variable."""

    def __init__(self):
        self.slots = {}

    def apply(self, gradient, variable):
        if not self.slots:
            self.slots[id(variable)] = (variable, tf.Variable(tf.zeros(variable.shape)))
        slot = self.slots[id(variable)][1]
        slot.assign_add(gradient)
        variable.assign_sub(0.1 * slot)


def test_a_variable_passed_as_an_argument_keeps_its_identity_in_every_trace():
    optimizer, image = Slots(), tf.Variable(tf.ones([3]))

    @tf.function
    def step(image, scale):
        with tf.GradientTape() as tape:
            loss = tf.reduce_sum(image * image)
        optimizer.apply(tape.gradient(loss, image) * scale, image)

    step(image, 1.0)
    step(image, 2.0)  # another trace
    np.testing.assert_allclose(image, [0.8 - 0.1 * (2.0 + 2 * 1.6)] * 3, rtol=1e-6)


@pytest.mark.parametrize(("function", "shape"), [
    (lambda x: tf.nn.depth_to_space(x, 2), [None, None, None, 1]),
    (lambda x: tf.nn.space_to_depth(x, 2), [None, None, None, 16])])
def test_blocks_of_unknown_sizes_without_autograph(function, shape):
    made = tf.function(function, autograph=False)
    concrete = made.get_concrete_function(tf.TensorSpec([None, None, None, 4]))
    assert concrete.outputs[0].shape.as_list() == shape
    x = tf.random.stateless_normal([1, 4, 6, 4], [1, 2])
    np.testing.assert_array_equal(concrete(x), function(x))
