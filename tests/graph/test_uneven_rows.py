"""Rows of different lengths inside a tf.function: TensorArray.split, tf.map_fn to ragged."""

import numpy as np
import pytest

import tapeflow as tf

VECTOR = tf.TensorSpec([None])


def test_an_array_is_split_into_pieces_of_any_lengths():
    @tf.function(input_signature=[VECTOR, tf.TensorSpec([None], tf.int64)])
    def weighted(x, lengths):
        pieces = tf.TensorArray(tf.float32, 0, dynamic_size=True, infer_shape=False)
        pieces = pieces.split(x, lengths)
        pieces = pieces.write(1, x[:1] * 10.0)
        total = 0.0
        for i in tf.range(pieces.size()):
            total += tf.reduce_sum(pieces.read(i)) * tf.cast(i + 1, tf.float32)
        return pieces.concat(), total, pieces.size()

    x = tf.constant([1.0, 2.0, 3.0, 4.0])
    joined, total, size = weighted(x, tf.constant([1, 0, 3], tf.int64))
    np.testing.assert_array_equal(joined, [1.0, 10.0, 2.0, 3.0, 4.0])
    assert (float(total), int(size)) == (1.0 + 20.0 + 27.0, 3)
    with pytest.raises(tf.errors.InvalidArgumentError):
        weighted(x, tf.constant([1, 1], tf.int64))


def test_pieces_of_one_length_are_stacked_and_others_are_not():
    @tf.function(input_signature=[VECTOR, tf.TensorSpec([None], tf.int32)])
    def stacked(x, lengths):
        pieces = tf.TensorArray(tf.float32, 2, infer_shape=False).split(x, lengths)
        return pieces.stack(), pieces.gather([1])

    x = tf.constant([1.0, 2.0, 3.0, 4.0])
    whole, one = stacked(x, tf.constant([2, 2]))
    np.testing.assert_array_equal(whole, [[1.0, 2.0], [3.0, 4.0]])
    np.testing.assert_array_equal(one, [[3.0, 4.0]])
    with pytest.raises(tf.errors.InvalidArgumentError):
        stacked(x, tf.constant([1, 3]))


def test_rows_become_ragged_where_their_number_is_unknown():
    @tf.function(input_signature=[VECTOR])
    def repeated(x):
        with tf.GradientTape() as tape:
            tape.watch(x)
            rows = tf.map_fn(lambda one: tf.repeat(one * one, tf.cast(one, tf.int32)), x,
                             fn_output_signature=tf.RaggedTensorSpec([None], tf.float32))
            total = tf.reduce_sum(rows.values)
        return rows, tape.gradient(total, x)

    rows, slope = repeated(tf.constant([1.0, 2.0, 0.0, 3.0]))
    assert rows.to_list() == [[1.0], [4.0, 4.0], [], [9.0, 9.0, 9.0]]
    np.testing.assert_array_equal(slope, [2.0, 8.0, 0.0, 18.0])


def test_ragged_rows_of_several_levels_beside_plain_ones():
    @tf.function(input_signature=[tf.RaggedTensorSpec([None, None, None], tf.float32)])
    def parts(x):
        same = tf.map_fn(lambda row: row, x)
        lengths, sums = tf.map_fn(
            lambda row: (row.row_lengths(), tf.reduce_sum(row)), x,
            fn_output_signature=(tf.RaggedTensorSpec([None], tf.int64), tf.float32))
        return same, lengths, sums

    given = [[[1.0, 2.0], [3.0]], [], [[4.0], [], [5.0, 6.0, 7.0]]]
    same, lengths, sums = parts(tf.ragged.constant(given))
    assert same.to_list() == given and lengths.to_list() == [[2, 1], [], [1, 0, 3]]
    np.testing.assert_array_equal(sums, [6.0, 0.0, 22.0])


def test_sparse_rows_where_their_number_is_unknown():
    @tf.function(input_signature=[tf.SparseTensorSpec([None, 4], tf.float32)])
    def doubled(x):
        return tf.map_fn(lambda row: tf.SparseTensor(row.indices, row.values * 2.0,
                                                     row.dense_shape), x,
                         fn_output_signature=tf.SparseTensorSpec([4], tf.float32))

    dense = np.array([[0, 1, 0, 2], [0, 0, 0, 0], [3, 0, 0, 0]], np.float32)
    found = doubled(tf.sparse.from_dense(dense))
    np.testing.assert_array_equal(tf.sparse.to_dense(found), dense * 2)
