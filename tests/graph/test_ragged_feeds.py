"""Ragged tensors that sessions are fed and give back, as with TensorFlow 2.21."""

import numpy as np
import pytest

import tapeflow as tf

v1 = tf.compat.v1


def test_nested_lists_as_arrays():
    made = v1.ragged.constant_value([[1, 2], [3]])
    assert (made.dtype, made.shape, str(made)) == (
        np.int64, (2, None), "<tf.RaggedTensorValue [[1, 2], [3]]>")
    single = v1.ragged.constant_value([[1.0], []], dtype=np.float32, row_splits_dtype="int32")
    assert (single.dtype, single.row_splits.dtype) == (np.float32, np.int32)
    assert v1.ragged.constant_value([[[1], [2, 3]], []]).ragged_rank == 2
    assert v1.ragged.constant_value([["a"], ["b", "c"]]).to_list() == [["a"], ["b", "c"]]
    assert isinstance(v1.ragged.constant_value([1, 2]), np.ndarray)


def test_a_session_is_fed_and_gives_ragged_values():
    with tf.Graph().as_default():
        x = v1.ragged.placeholder(tf.int32, 2, [2], name="q")
        assert x.flat_values.name == "q/flat_values:0"
        assert [one.name for one in x.nested_row_splits] == ["q/row_splits_0:0", "q/row_splits_1:0"]
        given = v1.ragged.constant_value([[[[1, 2]], []], [[[3, 4], [5, 6]]]], np.int32, 2, (2,))
        with v1.Session() as session:
            more, total = session.run([x + 1, tf.reduce_sum(x)], {x: given})
        assert total == 21 and isinstance(more, v1.ragged.RaggedTensorValue)
        assert more.to_list() == [[[[2, 3]], []], [[[4, 5], [6, 7]]]]


def test_without_a_graph():
    assert v1.ragged.placeholder is not None
    with pytest.raises(RuntimeError, match="not compatible with eager execution"):
        v1.ragged.placeholder(tf.int32, 1)
    with pytest.raises(TypeError, match="unhashable"):
        hash(tf.ragged.constant([[1]]))
    with tf.Graph().as_default():
        assert v1.ragged.placeholder(tf.int32, 0, [3]).shape.as_list() == [3]
