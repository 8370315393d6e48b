"""is_tensor, get_static_value, type_spec_from_value, conversion functions."""

import numpy as np
import pytest

import tapeflow as tf


def test_inside_a_map_tensors_are_symbolic_and_have_no_static_value():
    seen = []

    def f(x):
        seen.append((tf.is_tensor(x), tf.is_symbolic_tensor(x), tf.get_static_value(x)))
        return x

    tf.vectorized_map(f, tf.constant([1.0]))
    assert seen == [(True, True, None)]


def test_conversion_functions_are_tried_by_priority():
    class Base:
        pass

    class Special(Base):
        pass

    def always(value):
        return lambda v, dtype=None, name=None, as_ref=False: tf.constant(value)

    tf.register_tensor_conversion_function(Base, always(1))
    tf.register_tensor_conversion_function(Special, always(2), priority=50)
    assert tf.convert_to_tensor(Special()).numpy() == 2
    assert tf.convert_to_tensor(Base()).numpy() == 1

    def not_mine(v, dtype=None, name=None, as_ref=False):
        return NotImplemented

    tf.register_tensor_conversion_function(Special, not_mine, priority=0)
    assert tf.convert_to_tensor(Special()).numpy() == 2


def test_conversion_must_give_the_asked_dtype():
    class Odd:
        pass

    tf.register_tensor_conversion_function(
        Odd, lambda v, dtype=None, name=None, as_ref=False: tf.constant(1))
    with pytest.raises(ValueError, match="float32"):
        tf.convert_to_tensor(Odd(), tf.float32)


def test_static_value_is_a_copy():
    x = tf.constant([1.0, 2.0])
    value = tf.get_static_value(x)
    value[0] = 9.0
    np.testing.assert_array_equal(x.numpy(), [1.0, 2.0])


def test_newaxis():
    assert tf.constant([1.0, 2.0])[:, tf.newaxis].shape == (2, 1)


def test_what_counts_as_a_tensor_has_no_static_value():
    class Like:
        is_tensor_like = True

    assert tf.get_static_value(Like()) is None and tf.get_static_value("text") == "text"


def test_composites_that_become_tensors_are_taken_where_others_are_refused():
    class Doubled(tf.experimental.ExtensionType):
        inside: tf.Tensor

    class Plain(tf.experimental.ExtensionType):
        inside: tf.Tensor

    tf.register_tensor_conversion_function(
        Doubled, lambda value, dtype=None, name=None, as_ref=False: value.inside * 2)
    x = tf.constant([1.0, 2.0])
    tf.debugging.assert_positive(Doubled(x))
    assert tf.math.top_k(Doubled(x), 1).values.numpy() == [4.0]
    with pytest.raises(ValueError, match="unsupported type"):
        tf.debugging.assert_positive(Plain(x))
