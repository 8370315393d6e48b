"""Calls whose sizes, places, axes and indices are tensors: good, out of range, negative, too long.

A row is a name, a call over `tf`, operands that stay, and the values that the last arguments take
in turn. Imported by record.py and the tests; it imports neither TensorFlow nor tapeflow.
"""

import numpy as np

F = np.float32


def grid(*shape):
    return (np.arange(np.prod(shape), dtype=F) + 1).reshape(shape)


def i32(value):
    return np.asarray(value, np.int32)


def i64(value):
    return np.asarray(value, np.int64)


X5, X53, X234 = grid(5), grid(5, 3), grid(2, 3, 4)
IMAGE = grid(1, 4, 4, 2)
AXES = [(i32(n),) for n in (0, 1, -1, -2, 2, -3, 7)]


def values(*rows):
    """Each row the value of one int32 argument."""
    return [(i32(row),) for row in rows]


def pairs(*rows):
    """Each row the values of several int32 arguments."""
    return [tuple([i32(one) for one in row]) for row in rows]


class Held:
    """An operand that is a variable: made once for a function, set back before each call."""

    def __init__(self, array):
        self.array = array


def _then_read(change):
    """A change of a variable, and what it holds after it."""
    def call(tf, v, *args):
        change(tf, v, *args)
        return v.read_value()
    return call


def _array(tf, x, body):
    ta = tf.TensorArray(tf.float32, 3, clear_after_read=False, element_shape=[3])
    for k in range(3):
        ta = ta.write(k, x[k])
    return body(ta)


# Slices and places
CASES = [
    ("slice_begin", lambda tf, x, b: tf.slice(x, b, [2, 2]), [X53],
     values([0, 0], [3, 1], [4, 0], [0, 2], [-3, 0], [5, 0], [0], [0, 0, 0], [-1, -1], [7, 7])),
    ("slice_begin_int64", lambda tf, x, b: tf.slice(x, b, tf.constant([2, 2], tf.int64)), [X53],
     [(i64(b),) for b in ([0, 0], [3, 1], [4, 0], [-3, 0], [2**40, 0], [-2**40, 0])]),
    ("slice_begin_rest", lambda tf, x, b: tf.slice(x, b, [-1, 2]), [X53],
     values([0, 0], [5, 0], [6, 0], [-1, 0], [3, 1], [0, 2])),
    ("slice_size", lambda tf, x, s: tf.slice(x, [1, 0], s), [X53],
     values([2, 2], [-1, -1], [4, 3], [5, 3], [-2, 1], [0, 0], [2], [1, 1, 1])),
    ("slice_both", lambda tf, x, b, s: tf.slice(x, b, s), [X53],
     pairs(([0, 0], [2, 2]), ([4, 0], [2, 2]), ([5, 3], [0, 0]), ([-1, 0], [1, 1]),
           ([2, 1], [-1, -1]), ([6, 0], [-1, 1]), ([0, 0], [1]), ([0, 0], [-2, 1]))),
    ("slice_vector", lambda tf, x, b: tf.slice(x, b, [2]), [X5],
     values([0], [3], [4], [5], [-1], [-5], [0, 0])),
    ("slice_zero_size", lambda tf, x, b: tf.slice(x, b, [0]), [X5],
     values([0], [5], [6], [-1])),
    ("slice_cube", lambda tf, x, b: tf.slice(x, b, [1, 2, 2]), [X234],
     values([0, 0, 0], [1, 1, 2], [2, 0, 0], [0, 2, 0], [0, 0, 3], [0, 0, -1])),
    ("slice_of_result", lambda tf, x, b: tf.reduce_sum(tf.slice(tf.sin(x) * 2.0, b, [2, 2]) + 1.0),
     [X53], values([0, 0], [3, 1], [4, 0], [-1, 0])),
    ("index", lambda tf, x, n: x[n], [X53], values(0, 4, -1, -5, 5, -6, 100)),
    ("index_second", lambda tf, x, n: x[:, n], [X53], values(0, 2, -1, -3, 3, -4)),
    ("index_both", lambda tf, x, n, m: x[n, m], [X53],
     pairs((0, 0), (4, 2), (-1, -1), (5, 0), (0, 3), (-6, 0), (0, -4))),
    ("index_range", lambda tf, x, n, m: x[n:m], [X53],
     pairs((0, 2), (3, 9), (-2, 5), (4, 1), (-9, 9), (7, 9))),
    ("index_step", lambda tf, x, n: x[::n], [X53], values(1, 2, -1, -2, 9, 0)),
    ("index_mixed", lambda tf, x, n: x[n, 1:], [X53], values(0, -1, 5, -6)),
    ("index_last", lambda tf, x, n: x[..., n], [X234], values(0, 3, -4, 4, -5)),
    ("index_newaxis", lambda tf, x, n: x[tf.newaxis, n], [X53], values(0, -1, 5, -6)),
    ("strided_slice", lambda tf, x, b, e, s: tf.strided_slice(x, b, e, s), [X53],
     pairs(([0, 0], [2, 2], [1, 1]), ([4, 2], [0, 0], [-1, -1]), ([0, 0], [9, 9], [2, 2]),
           ([0, 0], [2, 2], [0, 1]), ([7, 0], [9, 1], [1, 1]), ([0], [2], [1]),
           ([0], [2, 2], [1, 1]), ([0, 0, 0], [1, 1, 1], [1, 1, 1]))),
    ("strided_slice_shrink", lambda tf, x, b: tf.strided_slice(
        x, b, b + 1, [1, 1], shrink_axis_mask=1), [X53],
     values([0, 0], [4, 2], [5, 0], [-1, 0], [-6, 0])),
    ("gather", lambda tf, x, n: tf.gather(x, n), [X53],
     values([0, 2], [4], [5], [-1], [[0, 1], [2, 9]], 3, 5, -1)),
    ("gather_axis1", lambda tf, x, n: tf.gather(x, n, axis=1), [X53],
     values([0, 2], [3], [-1], 1, 3)),
    ("gather_axis", lambda tf, x, axis: tf.gather(x, [0, 1], axis=axis), [X53], AXES),
    ("gather_batch", lambda tf, x, n: tf.gather(x, n, batch_dims=1), [X53],
     values([0, 1, 2, 0, 1], [0, 1, 2, 3, 0], [0, 0, -1, 0, 0], [0, 1])),
    ("gather_nd", lambda tf, x, n: tf.gather_nd(x, n), [X53],
     values([[0, 0], [4, 2]], [[5, 0]], [[0, 3]], [[-1, 0]], [[1], [4]], [[5]], [0, 0],
            [[0, 0, 0]])),
    ("gather_nd_batch", lambda tf, x, n: tf.gather_nd(x, n, batch_dims=1), [X234],
     values([[0], [2]], [[3], [0]], [[-1], [0]], [[0, 3], [2, 0]], [[0, 4], [2, 0]])),
    ("embedding_lookup", lambda tf, x, n: tf.nn.embedding_lookup(x, n), [X53],
     values([0, 4], [5], [-1], [[1, 2]])),
    ("boolean_mask", lambda tf, x, m: tf.boolean_mask(x, m), [X53],
     [(np.array(m, bool),) for m in ([1, 0, 1, 0, 1], [0] * 5, [1, 0, 1], [1] * 7)]),
    ("boolean_mask_axis", lambda tf, x, m: tf.boolean_mask(x, m, axis=1), [X53],
     [(np.array(m, bool),) for m in ([1, 0, 1], [0, 0, 0], [1, 0], [1, 1, 1, 1])]),
    ("take_along", lambda tf, x, n: tf.experimental.numpy.take_along_axis(x, n, 1), [X53],
     values([[0], [1], [2], [0], [1]], [[0], [1], [-1], [0], [1]])),
    ("unravel_index", lambda tf, x, n: tf.unravel_index(n, [2, 3]), [X5],
     values([0, 5], [6], 3)),
    ("invert_permutation", lambda tf, x, p: tf.math.invert_permutation(p), [X5],
     values([1, 0, 2], [0, 0], [0, 5], [-1, 0])),

    # Shapes
    ("reshape", lambda tf, x, s: tf.reshape(x, s), [X53],
     values([3, 5], [15], [-1, 5], [2, 7], [-1, 4], [-1, -1], [-2, 5], [1, -1, 1], [0, -1], [])),
    ("reshape_of_two", lambda tf, x, n: tf.reshape(x, [n, 5]), [X53],
     values(3, -1, 4, 0, -2)),
    ("broadcast_to", lambda tf, x, s: tf.broadcast_to(x, s), [grid(1, 3)],
     values([2, 3], [1, 3], [4, 2, 3], [2, 4], [3], [0, 3], [-1, 3], [2, -1])),
    ("tile", lambda tf, x, m: tf.tile(x, m), [grid(2, 3)],
     values([1, 2], [0, 1], [2, 2], [-1, 1], [2], [1, 1, 1])),
    ("tile_pack", lambda tf, x, m: tf.tile(x, [m, 1]), [grid(2, 3)], values(1, 3, 0, -1)),
    ("fill", lambda tf, x, s: tf.fill(s, x[0]), [X5],
     values([2, 2], [0], [], [-1], [2, -3])),
    ("zeros", lambda tf, x, s: tf.zeros(s), [X5], values([2, 2], [0], [], [-1], 3)),
    ("ones", lambda tf, x, n: tf.ones([n, 2]), [X5], values(2, 0, -1)),
    ("eye", lambda tf, x, n: tf.eye(n), [X5], values(2, 0, -1)),
    ("eye_columns", lambda tf, x, n, m: tf.eye(n, m), [X5], pairs((2, 3), (3, 1), (2, -1))),
    ("expand_dims", lambda tf, x, a: tf.expand_dims(x, a), [X53],
     values(0, 1, 2, -1, -3, 3, -4)),
    ("transpose", lambda tf, x, p: tf.transpose(x, p), [X234],
     values([0, 1, 2], [2, 0, 1], [-1, 0, 1], [0, 0, 1], [0, 1], [0, 1, 3], [0, 1, -4])),
    ("reverse", lambda tf, x, a: tf.reverse(x, a), [X53],
     values([0], [1], [-1], [0, 1], [0, 0], [2], [-3], [])),
    ("roll", lambda tf, x, s: tf.roll(x, s, 0), [X53], values(1, -1, 7, -13, 0)),
    ("roll_axis", lambda tf, x, a: tf.roll(x, 1, a), [X53], AXES),
    ("roll_many", lambda tf, x, s, a: tf.roll(x, s, a), [X53],
     pairs(([1, 1], [0, 1]), ([1, 2], [0, 0]), ([1], [0]), ([1, 1], [0]), ([1, 1], [0, 2]))),
    ("pad", lambda tf, x, p: tf.pad(x, p), [grid(2, 3)],
     values([[1, 0], [0, 2]], [[0, 0], [0, 0]], [[-1, 0], [0, 0]], [[1, 1]],
            [[1, 1], [1, 1], [0, 0]], [1, 1], [[1], [1]])),
    ("pad_reflect", lambda tf, x, p: tf.pad(x, p, "REFLECT"), [grid(2, 3)],
     values([[1, 0], [0, 2]], [[2, 0], [0, 0]], [[0, 0], [0, 3]], [[0, 0], [-1, 0]])),
    ("pad_symmetric", lambda tf, x, p: tf.pad(x, p, "SYMMETRIC"), [grid(2, 3)],
     values([[1, 0], [0, 2]], [[2, 0], [0, 3]], [[3, 0], [0, 0]], [[0, 0], [-1, 0]])),
    ("pad_one", lambda tf, x, n: tf.pad(x, [[0, 0], [0, n]]), [grid(2, 3)], values(0, 2, -1)),
    ("concat_axis", lambda tf, x, a: tf.concat([x, x], a), [X53], AXES),
    ("split_axis", lambda tf, x, a: tf.split(x, 2, a), [grid(2, 2)], AXES),
    ("split_sizes", lambda tf, x, s: tf.split(x, s, num=2), [X53],
     values([2, 3], [5, 0], [-1, 2], [2, -1], [2, 2], [-1, 6], [-2, 7], [-1, -1], [6, -1])),
    ("split_sizes_axis", lambda tf, x, s: tf.split(x, s, 1, num=2), [X53],
     values([1, 2], [0, 3], [-1, 1], [2, 2], [4, -1])),
    ("squeeze_after_slice", lambda tf, x, n: tf.squeeze(x[n:n + 1], 0), [X53],
     values(0, 4, 5, -2)),
    ("shape_ops_meshed", lambda tf, x, n: tf.meshgrid(tf.range(n), [1, 2]), [X5], values(2, 0)),
    ("space_to_batch", lambda tf, x, b, p: tf.space_to_batch(x, b, p), [IMAGE],
     pairs(([2, 2], [[0, 0], [0, 0]]), ([2, 2], [[1, 1], [0, 0]]), ([3, 2], [[0, 0], [0, 0]]),
           ([0, 2], [[0, 0], [0, 0]]), ([2, 2], [[-1, 1], [0, 0]]), ([2], [[0, 0]]),
           ([3, 2], [[1, 1], [0, 0]]))),
    ("batch_to_space", lambda tf, x, c: tf.batch_to_space(x, [2, 2], c), [grid(4, 2, 2, 1)],
     values([[0, 0], [0, 0]], [[1, 0], [0, 1]], [[2, 2], [0, 0]], [[3, 2], [0, 0]],
            [[-1, 0], [0, 0]])),
    ("repeat", lambda tf, x, n: tf.repeat(x, n, axis=0), [grid(3, 2)],
     values(2, 0, [1, 0, 2], [3], [1, 2], -1, [1, -1, 1])),
    ("repeat_flat", lambda tf, x, n: tf.repeat(x, n), [grid(3)],
     values(2, [1, 0, 2], [1, 2], -1)),

    # Ranges and sizes of results
    ("range_limit", lambda tf, x, n: tf.range(n), [X5], values(4, 0, -3)),
    ("range_all", lambda tf, x, a, b, c: tf.range(a, b, c), [X5],
     pairs((0, 6, 2), (5, 0, -2), (0, 5, -1), (5, 0, 1), (0, 3, 0))),
    ("linspace", lambda tf, x, n: tf.linspace(0.0, 1.0, n), [X5], values(3, 1, 0, -2)),
    ("one_hot_depth", lambda tf, x, d: tf.one_hot([0, 2, -1, 7], d), [X5], values(3, 1, 0, -1)),
    ("one_hot_indices", lambda tf, x, n: tf.one_hot(n, 3), [X5],
     values([0, 2], [3], [-1], 1, [[5, 0]])),
    ("sequence_mask", lambda tf, x, n: tf.sequence_mask(n, 4), [X5],
     values([1, 4], [9, 0], [-2], 2)),
    ("sequence_mask_maxlen", lambda tf, x, n: tf.sequence_mask([1, 3], n), [X5],
     values(4, 2, 0, -1)),
    ("top_k", lambda tf, x, k: tf.math.top_k(x, k), [X53], values(1, 3, 0, 4, -1)),
    ("in_top_k", lambda tf, x, t: tf.math.in_top_k(t, x, 2), [X53],
     values([0, 1, 2, 1, 0], [0, 1, 2, 3, -1])),
    ("cumsum_axis", lambda tf, x, a: tf.cumsum(x, a), [X53], AXES),
    ("cumprod_axis", lambda tf, x, a: tf.math.cumprod(x, a), [X53], AXES),
    ("argmax_axis", lambda tf, x, a: tf.argmax(x, a), [X53], AXES),
    ("argmin_axis", lambda tf, x, a: tf.argmin(x, a), [X53], AXES),
    ("reduce_sum_axis", lambda tf, x, a: tf.reduce_sum(x, a), [X53],
     [*AXES, *values([0, 1], [], [0, 0], [0, -2])]),
    ("reduce_max_axis", lambda tf, x, a: tf.reduce_max(x, a, keepdims=True), [X53], AXES),
    ("reduce_mean_axis", lambda tf, x, a: tf.reduce_mean(x, a), [X53], AXES),
    ("bincount", lambda tf, x, n: tf.math.bincount(n), [X5],
     values([0, 2, 2], [], [-1, 1])),
    ("bincount_minlength", lambda tf, x, n: tf.math.bincount([0, 2, 2], minlength=n), [X5],
     values(5, 0, 1)),
    ("matrix_diag_k", lambda tf, x, k: tf.linalg.diag(x, k=k, num_rows=6), [X5],
     values(0, 1, -1, 7, -7)),
    ("diag_part_k", lambda tf, x, k: tf.linalg.diag_part(x, k=k), [X53],
     values(0, 1, -1, 2, -4, 3, -5, [0, 1], [1, 0])),
    ("set_diag_k", lambda tf, x, k: tf.linalg.set_diag(x, [9.0, 9.0], k=k), [grid(3, 3)],
     values(1, -1, 0, 3)),
    ("band_part", lambda tf, x, a, b: tf.linalg.band_part(x, a, b), [grid(3, 3)],
     pairs((0, 0), (1, -1), (-1, 0), (2, 2), (5, 0), (0, 5))),
    ("random_shape", lambda tf, x, s: tf.shape(tf.random.normal(s)), [X5],
     values([2, 3], [0], [], [-1], [2, -1])),
    ("random_uniform_shape", lambda tf, x, s: tf.random.stateless_uniform(s, [1, 2]), [X5],
     values([2], [0], [], [-1])),
    ("random_int_limits", lambda tf, x, a, b: tf.shape(tf.random.uniform(
        [2], a, b, tf.int32)), [X5], pairs((0, 5), (5, 5), (7, 2))),
    ("crop_and_resize", lambda tf, x, n: tf.image.crop_and_resize(
        x, [[0.0, 0.0, 1.0, 1.0]], n, [2, 2]), [IMAGE],
     values([0], [1], [-1], [0, 0])),
    ("crop_size", lambda tf, x, s: tf.image.crop_and_resize(
        x, [[0.0, 0.0, 1.0, 1.0]], [0], s), [IMAGE], values([2, 2], [0, 2], [-1, 2], [2])),
    ("resize", lambda tf, x, s: tf.image.resize(x, s), [IMAGE],
     values([2, 2], [0, 2], [-1, 2], [2])),
    ("crop_to_box", lambda tf, x, n, m: tf.image.crop_to_bounding_box(x, n, m, 2, 2), [IMAGE],
     pairs((0, 0), (2, 2), (3, 0), (-1, 0))),
    ("pad_to_box", lambda tf, x, n: tf.image.pad_to_bounding_box(x, n, 0, 6, 6), [IMAGE],
     values(0, 2, 3, -1)),

    # Scatters, segments, partitions
    ("scatter_nd", lambda tf, x, n: tf.scatter_nd(n, x[:2], [4, 3]), [X53],
     values([[0], [3]], [[0], [0]], [[4], [0]], [[-1], [0]], [[0], [1], [2]], [[0, 1], [1, 1]])),
    ("scatter_nd_shape", lambda tf, x, s: tf.scatter_nd([[0], [2]], x[:2], s), [X5],
     values([3], [2], [0], [-1], [3, 3])),
    ("scatter_update", lambda tf, x, n: tf.tensor_scatter_nd_update(x, n, x[:2]), [X53],
     values([[0], [3]], [[5], [0]], [[-1], [0]], [[0]])),
    ("scatter_add", lambda tf, x, n: tf.tensor_scatter_nd_add(x, n, [1.0, 2.0]), [X53],
     values([[0, 0], [0, 0]], [[4, 2], [5, 0]], [[0, -1], [0, 0]], [[0, 3], [0, 0]])),
    ("scatter_max", lambda tf, x, n: tf.tensor_scatter_nd_max(x, n, [9.0]), [X5],
     values([[0]], [[5]], [[-1]])),
    ("segment_sum", lambda tf, x, n: tf.math.segment_sum(x, n), [X53],
     values([0, 0, 1, 1, 2], [0, 0, 2, 2, 3], [1, 0, 0, 0, 0], [-1, 0, 0, 0, 0], [0, 1],
            [0, 0, 0, 0, 0])),
    ("segment_mean", lambda tf, x, n: tf.math.segment_mean(x, n), [X53],
     values([0, 0, 1, 1, 2], [1, 0, 0, 0, 0], [-1, 0, 0, 0, 0])),
    ("segment_max", lambda tf, x, n: tf.math.segment_max(x, n), [X53],
     values([0, 0, 1, 1, 2], [0, 0, 2, 2, 2], [1, 0, 0, 0, 0])),
    ("unsorted_segment_sum", lambda tf, x, n: tf.math.unsorted_segment_sum(x, n, 3), [X53],
     values([0, 2, 1, 0, 2], [0, -1, 0, -1, 0], [0, 3, 0, 0, 0], [0, 1], [9, 9, 9, 9, 9])),
    ("unsorted_segment_count", lambda tf, x, k: tf.math.unsorted_segment_sum(
        x, [0, 1, 0, 1, -1], k), [X53], values(2, 5, 1, 0, -1)),
    ("unsorted_segment_max", lambda tf, x, n: tf.math.unsorted_segment_max(x, n, 3), [X53],
     values([0, 2, 1, 0, 2], [0, -1, 0, -1, 0], [0, 3, 0, 0, 0])),
    ("unsorted_segment_mean", lambda tf, x, n: tf.math.unsorted_segment_mean(x, n, 3), [X53],
     values([0, 2, 1, 0, 2], [0, -1, 0, -1, 0], [0, 3, 0, 0, 0])),
    ("sparse_segment_sum", lambda tf, x, n, s: tf.sparse.segment_sum(x, n, s), [X53],
     pairs(([0, 4], [0, 1]), ([0, 5], [0, 1]), ([0, -1], [0, 1]), ([0, 1], [1, 0]),
           ([0, 1], [-1, 0]))),
    ("dynamic_stitch", lambda tf, x, n: tf.dynamic_stitch([n, [1]], [x[:2], x[2:3]]), [X53],
     values([0, 2], [2, 0], [0, 5], [0, -1], [0, 1], [0])),
    ("dynamic_partition", lambda tf, x, p: tf.dynamic_partition(x, p, 2), [X53],
     values([0, 1, 0, 1, 0], [0, 0, 0, 0, 0], [0, 2, 0, 0, 0], [-1, 0, 0, 0, 0], [0, 1])),
    ("reverse_sequence", lambda tf, x, n: tf.reverse_sequence(x, n, seq_axis=1), [X53],
     values([1, 2, 3, 0, 1], [1, 2, 3, 4, 0], [-1, 0, 0, 0, 0], [1, 2])),
    ("sparse_to_dense", lambda tf, x, n: tf.sparse.to_dense(tf.SparseTensor(
        tf.cast(n, tf.int64), x[:2], [5])), [X5],
     values([[0], [3]], [[0], [5]], [[-1], [0]], [[3], [0]])),
    ("softmax_labels", lambda tf, x, n: tf.nn.sparse_softmax_cross_entropy_with_logits(n, x), [X53],
     values([0, 1, 2, 0, 1], [0, 1])),
    ("map_gather", lambda tf, x, n: tf.map_fn(lambda k: x[k], n, fn_output_signature=tf.float32),
     [X53], values([0, 4], [-1], [5], [-6])),
    ("while_index", lambda tf, x, n: tf.while_loop(
        lambda k, s: k < n, lambda k, s: (k + 1, s + x[k]), [0, tf.zeros([3])])[1],
     [X53], values(0, 5, 6, -1)),
    ("cond_index", lambda tf, x, n: tf.cond(n < 100, lambda: x[n], lambda: x[0]), [X53],
     values(0, -1, 5, 100)),
    ("case_index", lambda tf, x, n: tf.switch_case(n, [lambda: x[0], lambda: x[1]]), [X53],
     values(0, 1, 2, -1)),

    # TensorArrays
    ("array_read", lambda tf, x, n: _array(tf, x, lambda ta: ta.read(n)), [X53],
     values(0, 2, 3, -1)),
    ("array_write", lambda tf, x, n: _array(tf, x, lambda ta: ta.write(n, x[4]).stack()), [X53],
     values(0, 2, 3, -1)),
    ("array_gather", lambda tf, x, n: _array(tf, x, lambda ta: ta.gather(n)), [X53],
     values([0, 2], [2, 2], [3], [-1])),
    ("array_scatter", lambda tf, x, n: tf.TensorArray(tf.float32, 4, element_shape=[3]).scatter(
        n, x[:2]).stack(), [X53], values([0, 3], [1, 2], [0, 4], [0])),
    ("array_size", lambda tf, x, n: tf.TensorArray(tf.float32, n, element_shape=[]).stack(), [X5],
     values(0, 2)),
    ("array_split", lambda tf, x, n: tf.TensorArray(tf.float32, 2, infer_shape=False).split(
        x, n).concat(), [X53], values([2, 3], [0, 5], [2, 2], [-1, 6])),
    ("array_dynamic", lambda tf, x, n: tf.TensorArray(
        tf.float32, 0, dynamic_size=True, element_shape=[3]).write(n, x[0]).stack(), [X53],
     values(0, 2)),

    # Variables
    ("assign_row", _then_read(lambda tf, v, n: v[n].assign([7.0, 8.0, 9.0])), [Held(X53)],
     values(0, 4, -1, 5, -6)),
    ("assign_rows", _then_read(lambda tf, v, n, m: v[n:m].assign(tf.zeros([2, 3]))), [Held(X53)],
     pairs((0, 2), (3, 5), (-2, 5), (4, 6), (0, 3))),
    ("assign_element", _then_read(lambda tf, v, n, m: v[n, m].assign(0.5)), [Held(X53)],
     pairs((0, 0), (4, 2), (-1, -1), (5, 0), (0, 3))),
    ("variable_scatter_add", _then_read(lambda tf, v, n: v.scatter_nd_add(n, [1.0, 2.0])),
     [Held(X5)], values([[0], [4]], [[0], [0]], [[5], [0]], [[-1], [0]])),
    ("variable_scatter_update", _then_read(lambda tf, v, n: v.scatter_update(
        tf.IndexedSlices(tf.ones([2, 3]), n))), [Held(X53)],
     values([0, 4], [0, 0], [5, 0], [-1, 0])),
    ("variable_sparse_read", lambda tf, v, n: v.sparse_read(n), [Held(X53)],
     values([0, 4], [5], [-1])),
    ("variable_gather", lambda tf, v, n: tf.gather(v, n), [Held(X53)],
     values([0, 4], [5], [-1])),
    ("variable_index", lambda tf, v, n: v[n], [Held(X53)], values(0, -1, 5, -6)),

    # Convolutions, signals
    ("conv_transpose_shape", lambda tf, x, s: tf.nn.conv2d_transpose(
        x, tf.ones([2, 2, 1, 2]), s, 2), [IMAGE],
     values([1, 8, 8, 1], [1, 7, 8, 1], [1, 9, 9, 1], [2, 8, 8, 1], [1, 8, 8, 3], [1, 8, 8])),
    ("conv_padding_by_pad", lambda tf, x, p: tf.nn.conv2d(
        tf.pad(x, p), tf.ones([2, 2, 2, 1]), 1, "VALID"), [IMAGE],
     values([[0, 0], [1, 1], [1, 1], [0, 0]], [[0, 0], [-1, 1], [1, 1], [0, 0]])),
    ("fft_length", lambda tf, x, n: tf.abs(tf.signal.rfft(x, n)), [X5],
     values([5], [4], [8], [-1], [4, 4])),
    ("frame", lambda tf, x, n: tf.signal.frame(x, 2, n), [X5], values(1, 2, 7)),
    ("hann_window", lambda tf, x, n: tf.signal.hann_window(n), [X5], values(4, 1)),

    # Ragged
    ("ragged_row_lengths", lambda tf, x, n: tf.RaggedTensor.from_row_lengths(x, n).to_tensor(),
     [X5], values([2, 3], [5, 0], [2, 2], [-1, 6])),
    ("ragged_row_splits", lambda tf, x, n: tf.RaggedTensor.from_row_splits(x, n).to_tensor(),
     [X5], values([0, 2, 5], [0, 5], [0, 2], [1, 5], [0, 6], [0, 3, 2, 5])),
    ("ragged_rowids", lambda tf, x, n: tf.RaggedTensor.from_value_rowids(x, n, 3).to_tensor(),
     [X5], values([0, 0, 1, 2, 2], [0, 0, 1, 3, 3], [0, 1, 0, 1, 2], [-1, 0, 0, 1, 2])),
]
