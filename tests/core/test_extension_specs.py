"""Descriptions of types of a user's own, with what a nested class adds to them."""

import tapeflow as tf


class Masked(tf.experimental.ExtensionType):
    values: tf.Tensor
    mask: tf.Tensor

    class Spec(tf.TypeSpec):
        @property
        def shape(self):
            return self.values.shape

        def widened(self, size):
            return Masked.Spec(tf.TensorSpec([size], self.values.dtype), self.mask)


def test_a_nested_class_adds_to_the_description():
    spec = tf.type_spec_from_value(Masked([1.0, 2.0], [True, False]))
    assert isinstance(spec, Masked.Spec) and spec.shape == [2]
    assert spec.widened(5).values == tf.TensorSpec([5], tf.float32)
    assert tf.function(lambda x: x, input_signature=[spec])(Masked([3.0, 4.0], [True, True])
                                                            ).values.numpy().tolist() == [3.0, 4.0]
