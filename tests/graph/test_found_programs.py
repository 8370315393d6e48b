"""Short programs in which a function once did something else than TensorFlow."""

import inspect

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


def test_sizes_known_in_part_reach_the_result():
    x, filters = tf.TensorSpec([None, 2, 3, 1]), tf.ones([2, 2, 5, 1])
    shapes = []

    @tf.function(input_signature=[x])
    def step(x):
        count = tf.shape(x)[0]
        wide = tf.nn.conv2d_transpose(x, filters, tf.stack([count, 4, 6, 5]), 2)
        rows = tf.SparseTensor([[0, 0]], [1.0], tf.cast(tf.stack([count, 4]), tf.int64))
        alike = tf.SparseTensor([[0, 0, 0, 0]], [1.0], tf.shape(x, tf.int64))
        shapes.extend([wide.shape, rows.shape, alike.shape])
        return wide, tf.sparse.to_dense(rows)

    wide, rows = step(tf.ones([2, 2, 3, 1]))
    assert [shape.as_list() for shape in shapes] == [
        [None, 4, 6, 5], [None, 4], [None, 2, 3, 1]]
    np.testing.assert_array_equal(wide, tf.ones([2, 4, 6, 5]))
    assert rows.shape == [2, 4]


def test_confusion_matrices_of_classes_that_only_the_data_tell():
    labels, found = tf.constant([0, 1, 2]), tf.constant([0, 2, 2])

    @tf.function
    def counted(a, b):
        return tf.math.confusion_matrix(a, b)

    @tf.function
    def weighted(a, b, count):
        return tf.math.confusion_matrix(a, b, count, [0.5, 1.0, 2.0], tf.float32)

    np.testing.assert_array_equal(counted(labels, found), [[1, 0, 0], [0, 0, 1], [0, 0, 1]])
    np.testing.assert_array_equal(weighted(labels, found, tf.constant(4)), [
        [0.5, 0, 0, 0], [0, 0, 1, 0], [0, 0, 2, 0], [0, 0, 0, 0]])
    with pytest.raises(tf.errors.InvalidArgumentError, match="negative"):
        counted(tf.constant([-1, 0, 1]), found)
    with pytest.raises(tf.errors.InvalidArgumentError, match="out of bound"):
        weighted(labels, found, tf.constant(2))


def test_a_custom_gradient_shows_its_arguments():
    @tf.custom_gradient
    def scaled(x, factor=2.0):
        return x * factor, lambda g: (g * factor, None)

    assert str(inspect.signature(scaled)) == "(x, factor=2.0)"
    assert inspect.getfullargspec(scaled).args == ["x", "factor"]


def test_variables_of_a_module_come_in_the_order_of_its_attributes():
    class Layer(tf.Module):  # as Keras 2's: a list of weights, then each by its name
        def __init__(self):
            super().__init__()
            self._weights = []
            self.kernel, self.bias = tf.Variable(1.0, name="kernel"), tf.Variable(2.0, name="bias")
            self._weights += [self.kernel, self.bias]

    layer, holder = Layer(), tf.Module()
    holder.layer = layer
    for one in (layer, holder):
        assert [v.name for v in one.trainable_variables] == ["kernel:0", "bias:0"]
