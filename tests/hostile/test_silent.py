"""Arguments that were once taken without a word, or raised errors of another kind."""

import numpy as np
import pytest

import tapeflow as tf


def _traced(call):
    """The call inside a function that AutoGraph leaves as it is."""
    return lambda: tf.function(call, autograph=False)()


def _one():
    return tf.constant(1)


REFUSED = {
    "a permutation beyond int32": (lambda: tf.math.invert_permutation([2**40]),
                                   tf.errors.InvalidArgumentError),
    "a triangle beyond int32": (lambda: tf.experimental.numpy.tri(2**63 - 1),
                                tf.errors.InvalidArgumentError),
    "slices of nothing": (lambda: tf.data.Dataset.from_tensor_slices(None), ValueError),
    "indices into more than can be": (lambda: tf.unravel_index(3, [2**63 - 1]),
                                      tf.errors.InvalidArgumentError),
    "more memory than there is": (lambda: tf.ones([10**7, 10**7]),
                                  tf.errors.ResourceExhaustedError),
    "a trace's constant as a bool": (_traced(lambda: tf.reduce_sum([1.0], keepdims=_one())),
                                     tf.errors.OperatorNotAllowedInGraphError),
    "what a trace compares it with": (_traced(lambda: tf.map_fn(
        tf.abs, tf.ones([2]), parallel_iterations=_one())),
        tf.errors.OperatorNotAllowedInGraphError),
    "a trace's constant as a number": (_traced(lambda: tf.math.approx_max_k([1.0], _one())),
                                       TypeError),
    "a trace's constant as a list": (_traced(lambda: tf.experimental.numpy.vstack(
        tf.constant([1, 2]))), tf.errors.OperatorNotAllowedInGraphError),
    "a size of int8 that a trace does not know": (
        lambda: tf.function(lambda s: tf.broadcast_to(0, s))(tf.constant([2], tf.int8)),
        (TypeError, tf.errors.InvalidArgumentError)),
    "a shape of rank 0 that a trace does not know": (
        lambda: tf.function(lambda s: tf.random.truncated_normal(s))(tf.Variable(3)),
        (ValueError, tf.errors.InvalidArgumentError)),
    "a spec for a tensor": (lambda: tf.function(tf.sin)(tf.TensorSpec([2])), ValueError),
    "strings of no elements, which are floats": (lambda: tf.strings.bytes_split([]),
                                                 tf.errors.InvalidArgumentError),
}


@pytest.mark.parametrize("name", REFUSED)
def test_refused(name):
    call, kind = REFUSED[name]
    with pytest.raises(kind):
        call()


def test_constants_of_a_trace_are_taken_where_tensors_are():
    def calls():
        two = tf.constant(2)
        return [tf.eye(two), tf.range(2, delta=two), tf.math.top_k([1.0, 2.0], two)[0],
                tf.sparse.to_dense(tf.sparse.eye(two)), tf.histogram_fixed_width(
                    [1.0], [0.0, 5.0], two), tf.image.adjust_hue(
                    tf.ones([1, 1, 3]), tf.constant(0.5))]
    assert [x.shape.as_list() for x in tf.function(calls)()] == [
        [2, 2], [1], [2], [2, 2], [2], [1, 1, 3]]


def test_flags_that_tensorflow_never_asks_may_be_constants_of_a_trace():
    def calls():
        no, matrix = tf.constant(False), tf.constant([[2.0, 0.0], [0.0, 4.0]])
        full = tf.linalg.LinearOperatorFullMatrix
        blocks = tf.linalg.LinearOperatorBlockLowerTriangular
        return [tf.case([(tf.constant(True), lambda: [matrix])], lambda: [matrix], strict=no)[0],
                tf.linalg.lstsq(matrix, 2.0 * matrix @ matrix, fast=no) / 2.0,
                full(matrix, is_square=no).solve(matrix @ matrix),
                blocks([[full(matrix)]], is_non_singular=no).to_dense()]
    for x in tf.function(calls)():
        np.testing.assert_allclose(x, [[2, 0], [0, 4]], rtol=1e-5)


def test_lstsq_adds_a_regularizer_that_a_trace_does_not_know():
    matrix = tf.constant([[1.0, 2.0]])
    eager = tf.linalg.lstsq(matrix, matrix, l2_regularizer=0.5)
    solve = tf.function(lambda r: tf.linalg.lstsq(matrix, matrix, l2_regularizer=r))
    np.testing.assert_allclose(solve(tf.constant(0.5)), eager, rtol=1e-5)
    inside = tf.function(lambda: tf.linalg.lstsq(matrix, matrix, l2_regularizer=tf.constant(0.5)))
    np.testing.assert_allclose(inside(), eager, rtol=1e-5)


def test_a_constant_from_outside_has_its_value_in_a_trace():
    outside = tf.constant(1)
    assert tf.function(lambda: tf.reduce_sum([[1.0]], keepdims=outside))().shape == [1, 1]


def test_a_window_beyond_the_end_is_not_counted_out():
    windows = tf.data.Dataset.range(6).window(size=2**40)
    assert [[int(x) for x in one] for one in windows] == [[0, 1, 2, 3, 4, 5]]
    apart = tf.data.Dataset.range(6).window(size=2, shift=2**40)
    assert [[int(x) for x in one] for one in apart] == [[0, 1]]


def test_taken():
    assert tf.math.scalar_mul(2.0, np.ones(2, "f")).numpy().tolist() == [2, 2]
    assert tf.math.invert_permutation([]).dtype == tf.int32
