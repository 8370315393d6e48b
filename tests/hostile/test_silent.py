"""Arguments that were once taken without a word, or raised errors of another kind."""

import numpy as np
import pytest

import tapeflow as tf


def _traced(call):
    """The call inside a function that AutoGraph leaves as it is."""
    return lambda: tf.function(call, autograph=False)()


def _one():
    return tf.constant(1)


def _circular():
    made = [1]
    made.append(made)
    return made


def _deep():
    made = [1]
    for _ in range(2000):
        made = [made]
    return made


class Endless:
    """So long that nobody can copy it."""

    def __len__(self):
        return 2**40

    def __getitem__(self, i):
        return 0


REFUSED = {
    "two ellipses": (lambda: tf.strided_slice(tf.ones([3, 4]), [0, 1], [2, 3], ellipsis_mask=9),
                     tf.errors.InvalidArgumentError),
    "a blank that is no class": (lambda: tf.nn.ctc_greedy_decoder(
        tf.ones([2, 3, 4]), [0, 0, 1], blank_index=8), tf.errors.InvalidArgumentError),
    "a scalar as a sparse shape": (lambda: tf.sparse.reshape(tf.sparse.from_dense([[0, 1]]), -1),
                                   tf.errors.InvalidArgumentError),
    "a smaller sparse shape, traced": (lambda: tf.function(lambda shape: tf.sparse.reset_shape(
        tf.sparse.from_dense([[0.0, 1.0], [2.0, 0.0]]), shape))(np.array([100, -1])),
        tf.errors.InvalidArgumentError),
    "slices as a tensor": (lambda: tf.TensorSpec.from_tensor(tf.IndexedSlices(
        tf.ones([2]), tf.constant([0, 1]), tf.constant([3]))), ValueError),
    "weights of datasets in a matrix": (lambda: tf.data.Dataset.sample_from_datasets(
        [tf.data.Dataset.range(3)], tf.ones([1, 1])), ValueError),
    "a seed that is a list, traced": (_traced(lambda: tf.nn.compute_accidental_hits(
        tf.constant([[0], [1]], tf.int64), [1, 0], 1, seed=[])), TypeError),
    "more segments than int64 counts, traced": (_traced(lambda: tf.math.unsorted_segment_mean(
        [1, 0], [1, 0], 2**64)), (TypeError, ValueError)),
    "an index 2,000 lists deep": (lambda: tf.TensorArray(tf.float32, 3).unstack(
        [1.0, 2.0, 3.0]).read(_deep()), TypeError),
    "a format 2,000 lists deep": (lambda: tf.nn.avg_pool3d(
        tf.ones([1, 4, 4, 4, 2]), 2, 1, "SAME", data_format=_deep()), ValueError),
    "a range as a dtype": (lambda: tf.experimental.numpy.arange(2, dtype=range(2**40)),
                           (TypeError, MemoryError)),
    "a long range as a radius, traced": (_traced(lambda: tf.nn.local_response_normalization(
        tf.ones([2, 4, 4, 3]), range(2**40))), (TypeError, MemoryError)),
    "a long range to add": (lambda: tf.add_n(range(2**40)), tf.errors.ResourceExhaustedError),
    "a long range to cross": (lambda: tf.ragged.cross(range(2**40)), TypeError),
    "a long range as a structure": (lambda: tf.nest.flatten(range(2**40)), MemoryError),
    "an encoding that is no text": (lambda: tf.strings.unicode_decode_with_offsets(
        "a", b"\xff\xfe"), tf.errors.InvalidArgumentError),
    "endless seeds": (lambda: tf.random.Generator.from_seed(1).make_seeds(Endless()),
                      (ValueError, tf.errors.ResourceExhaustedError)),
    "a file whose name a trace does not know": (lambda: tf.function(
        lambda name: tf.data.experimental.TFRecordWriter(name), autograph=False)(
            tf.constant("a")), ValueError),
    "a sparse image of strings": (lambda: tf.image.convert_image_dtype(
        tf.sparse.from_dense(["a"]), tf.float32), (TypeError, ValueError)),
    "nothing to stack": (lambda: tf.stack(tf.constant([], tf.string), axis=[2]),
                         (ValueError, TypeError, tf.errors.InvalidArgumentError)),
    "a ragged tensor to scan": (lambda: tf.scan(print, [tf.ragged.constant([[1]]), 2]),
                                ValueError),
    "infinitely many classes": (lambda: tf.math.confusion_matrix([1], [1], float("inf")),
                                (TypeError, ValueError)),
    "an infinite mask": (lambda: tf.strided_slice(
        tf.ones([3]), [0], [1], shrink_axis_mask=float("inf")), (TypeError, ValueError)),
    "a negative size of rows": (lambda: tf.ragged.constant([[1.0]]).to_tensor(shape=(2, -9)),
                                ValueError),
    "a list that holds itself, compared": (lambda: tf.experimental.numpy.isneginf(_circular()),
                                           (TypeError, ValueError)),
    "a long range of samples": (lambda: tf.random.stateless_categorical(
        [[1.0, 2.0]], range(2**40), [1, 2]), tf.errors.InvalidArgumentError),
    "a date for an axis": (lambda: tf.one_hot([0, 1], 1, axis=np.array("2020-01-01", "M8[D]")),
                           TypeError),
    "keys of a dict for a function": (lambda: tf.function(lambda x: 1)({1: 2}.keys()), TypeError),
    "a message of a dict, traced": (_traced(lambda: tf.debugging.assert_equal(
        tf.ones([2]), tf.ones([2]), {"a": 1})), (TypeError, ValueError)),
    "an axis that wraps around": (lambda: tf.math.cumulative_logsumexp(
        tf.ones([2]), np.int64(2**32)), tf.errors.InvalidArgumentError),
    "dilations of a text": (lambda: tf.nn.conv1d_transpose(
        tf.ones([1, 4, 3]), tf.ones([2, 2, 3]), [1, 4, 2], 1, dilations="3"), TypeError),
    "dilations of a map": (lambda: tf.nn.separable_conv2d(
        tf.ones([1, 4, 4, 2]), tf.ones([2, 2, 2, 1]), tf.ones([1, 1, 2, 3]), [1] * 4, "SAME",
        dilations=map(int, "12")), (TypeError, ValueError)),
    "an object covered by NaN": (lambda: tf.image.sample_distorted_bounding_box(
        [8, 8, 3], [[[0.0, 0.0, 1.0, 1.0]]], min_object_covered=np.nan),
        tf.errors.InvalidArgumentError),
    "a matrix of masked rows": (lambda: tf.sparse.mask(tf.IndexedSlices(
        tf.ones([2]), tf.constant([0, 1])), [[1]]), tf.errors.InvalidArgumentError),
    "ones of no dtype": (lambda: tf.experimental.numpy.ones([2], None), TypeError),
    "a module to fold with": (lambda: tf.foldl(np, tf.ones([2, 3])), TypeError),
    "a linear operator as a tensor": (lambda: tf.sqrt(tf.linalg.LinearOperatorIdentity(2)),
                                      ValueError),
    "parts counted by a text": (lambda: tf.dynamic_partition([2], [1], np.array([b"a"])),
                                TypeError),
    "an endless rank": (lambda: tf.debugging.assert_rank([[0, 1]], Endless()), ValueError),
    "a summary of a set, traced": (_traced(lambda: tf.debugging.assert_near(
        1.0, 1.0, summarize=set())), TypeError),
    "a sparse tensor times a number": (lambda: tf.scalar_mul(2.0, tf.sparse.from_dense([[1.0]])),
                                       ValueError),
    "bytes counted": (lambda: tf.sparse.bincount(tf.ones([2], tf.int8)),
                      tf.errors.InvalidArgumentError),
    "unique labels that are None": (lambda: tf.nn.ctc_loss(
        [[1, 2]], tf.ones([4, 1, 3]), [2], [4], unique=[b"a", None]), ValueError),
    "slices of an unknown whole": (lambda: tf.Variable([[1.0, 2.0]]).assign_add(
        tf.IndexedSlices(tf.ones([1, 2]), tf.constant([0]))), ValueError),
    "a size for a ragged scalar": (lambda: tf.ragged.constant(2, inner_shape=[-2]), ValueError),
    "another dtype than WebP has": (lambda: tf.io.decode_webp(b"", dtype=tf.float32),
                                    tf.errors.InvalidArgumentError),
    "a bucket beyond int64": (lambda: tf.data.Dataset.range(4).bucket_by_sequence_length(
        lambda x: x, [2**64], [2, 2]), ValueError),
    "files of no name": (lambda: tf.data.Dataset.list_files(""),
                         tf.errors.InvalidArgumentError),
    "half precision for a threshold": (lambda: tf.image.non_max_suppression_overlaps(
        tf.ones([2, 2]), [0.5, 0.7], 2, score_threshold=tf.ones([], tf.float16)), ValueError),
    "a complex number after another": (lambda: tf.constant([1, 3j]), ValueError),
    "bytes without a meaning": (lambda: tf.reduce_any(np.void(b"ab")), ValueError),
    "a vector to fill with, traced": (_traced(lambda: tf.fill([2, 3], [2])), ValueError),
    "a module as an operation": (_traced(lambda: tf.group(tf.Module())), TypeError),
    "a dict among tensors": (_traced(lambda: tf.tuple([{"a": 1}])), TypeError),
    "data in a dict": (lambda: tf.dynamic_stitch([0, 1], {"a": 1, "b": 2}), TypeError),
    "the shape of a sparse tensor": (lambda: tf.shape_n([tf.sparse.from_dense([[1.0]]), 2]),
                                     ValueError),
    "a sparse picture": (lambda: tf.image.rgb_to_grayscale(tf.sparse.from_dense(["", "a"])),
                         ValueError),
    "a sparse tensor in a text": (lambda: tf.strings.format("{}", tf.sparse.from_dense([1.0])),
                                  ValueError),
    "half of a character as a separator": (lambda: tf.strings.split("a", "\ud800"), ValueError),
    "rows of several lengths in one": (lambda: tf.stack(tf.ragged.constant([[1.0], [2.0, 3.0]])),
                                       tf.errors.InvalidArgumentError),
    "the spec of a variable": (lambda: tf.TensorSpec.from_tensor(tf.Variable(1.0)), ValueError),
    "rows counted by a variable": (lambda: tf.linalg.LinearOperatorIdentity(tf.Variable(3)),
                                   TypeError),
    "a batch of truth": (lambda: tf.linalg.LinearOperatorIdentity(2, batch_shape=[True]),
                         TypeError),
    "one step for two axes": (lambda: tf.nn.pool(tf.ones([1, 4, 4, 2]), [2, 2], "MAX", [1]),
                              ValueError),
    "a part and a half": (lambda: tf.ragged.stack_dynamic_partitions([1.0, 2.0], [0, 1], 1.5),
                          tf.errors.InvalidArgumentError),
    "nested lengths below 0": (lambda: tf.RaggedTensor.from_tensor(
        [[1.0, 2.0], [3.0, 4.0]], lengths=[[-1, 4]]), tf.errors.InvalidArgumentError),
    "nested lengths beyond the rows": (lambda: tf.RaggedTensor.from_tensor(
        [[1.0, 2.0], [3.0, 4.0]], lengths=[[2, 4]]), ValueError),
    "rows of a sparse tensor": (lambda: tf.RaggedTensor.from_row_lengths(
        tf.sparse.from_dense([[0.0, 1.0], [2.0, 0.0]]), [1, 1]), ValueError),
    "rows of other numbers, traced": (_traced(
        lambda: tf.ragged.constant([[1.0], [2.0, 3.0]]) == tf.ones([3, 4], tf.uint16)), TypeError),
    "a sum of texts": (lambda: tf.sparse.reduce_sum(tf.sparse.from_dense(["", "a"])),
                       tf.errors.InvalidArgumentError),
    "slices of a sparse vector": (lambda: tf.data.Dataset.from_tensor_slices(
        tf.sparse.from_dense([1.0, 2.0])), tf.errors.InvalidArgumentError),
    "elements of nothing": (lambda: tf.data.experimental.from_list([{}]),
                            tf.errors.InvalidArgumentError),
    "a compression that is a number": (lambda: tf.function(
        lambda s: tf.data.experimental.TFRecordWriter(s, 3), autograph=False)("a"), TypeError),
    "centres that the area has not": (lambda: tf.raw_ops.ResizeArea(
        images=tf.ones([1, 4, 4, 3]), size=[2, 2], half_pixel_centers=True), TypeError),
    "an array of NumPy's kind that is none": (
        lambda: tf.experimental.numpy.add(memoryview(b"abc"), 3), TypeError),
    "a dtype as a count": (lambda: tf.experimental.numpy.tile([True], tf.string), ValueError),
    "a diagonal of bytes": (lambda: tf.experimental.numpy.triu(
        tf.ones([2, 3]), tf.constant(1, tf.int8)), tf.errors.InvalidArgumentError),
    "a date as a size": (lambda: tf.fill(np.array("2020-01-01", "M8[D]"), 1), ValueError),
    "a number as a message's shape": (lambda: tf.make_tensor_proto([1, 0], shape=3), TypeError),
    "a feature of doubles": (lambda: tf.io.RaggedFeature(tf.float64), ValueError),
    "moments of bytes": (lambda: tf.nn.moments(tf.ones([1, 4], tf.int8), [0]),
                         tf.errors.InvalidArgumentError),
    "a key that is a tensor": (lambda: tf.ragged.cross_hashed(
        [tf.ragged.constant([["a"]])], hash_key=_one()), ValueError),
    "truth as an axis": (lambda: tf.sparse.expand_dims(
        tf.sparse.from_dense([1, 2]), np.bool_(True)), TypeError),
    "more texts than memory": (lambda: tf.strings.unsorted_segment_join(["a"], [0], 2**31),
                               tf.errors.ResourceExhaustedError),
    "a state of nothing": (lambda: tf.data.Dataset.range(4).reduce(2, lambda s, x: None),
                           TypeError),
    "an array as a list, traced": (_traced(lambda: tf.tuple(np.ones((2, 3)))), ValueError),
    "the rank of more than can be": (lambda: tf.experimental.numpy.ndim(range(2**40)),
                                     ValueError),
    "a diagonal of one number, traced": (lambda: tf.function(
        lambda x: tf.linalg.diag(x), autograph=False)(1.0), ValueError),
    "samples of one number, traced": (lambda: tf.function(
        lambda x: tf.random.categorical(x, 3), autograph=False)(tf.constant(1.0)), ValueError),
    "axes in bytes": (lambda: tf.tensordot(tf.ones([2, 2]), tf.ones([2, 2]), [b"a", "b"]),
                      TypeError),
    "contrast of ragged texts": (lambda: tf.image.adjust_contrast(
        tf.ragged.constant([[["a"]], []]), 2.0), ValueError),
    "a size that is not a number": (lambda: tf.SparseTensor(
        [[0, 0]], [1], np.array([np.nan, np.inf])), ValueError),
    "a complex number of bins": (lambda: tf.math.bincount([1], maxlength=tf.constant(1 + 2j)),
                                 ValueError),
    "ragged names of files": (lambda: tf.data.TFRecordDataset(tf.ragged.constant([["a"], []])),
                              ValueError),
    "more steps than axes": (lambda: tf.nn.avg_pool(
        tf.ones([2, 4, 4, 3]), 3, range(2**40), "SAME"), ValueError),
    "a shape as a compression": (lambda: list(tf.data.Dataset.range(4).snapshot(
        "absent", compression=tf.TensorShape(None))), (TypeError, ValueError)),
    "a grid of ragged rows": (lambda: tf.meshgrid(tf.ragged.constant([[1.0], []])), ValueError),
    "a part of a smaller picture": (lambda: tf.io.decode_and_crop_jpeg(
        tf.io.encode_jpeg(tf.zeros([8, 8, 3], tf.uint8)), [0, 0, 4, 4], ratio=-2),
        tf.errors.InvalidArgumentError),
    "mixed numbers as truth": (lambda: tf.experimental.numpy.logical_not([1, 2.5, 3j]),
                               ValueError),
    "a list that holds itself": (lambda: tf.nest.flatten(_circular()), RecursionError),
    "samples counted by a text": (lambda: tf.audio.decode_wav(
        tf.audio.encode_wav(tf.zeros([4, 2]), 8000), desired_samples="2"), TypeError),
    "a range beyond all memory": (lambda: tf.constant(range(2**40)), ValueError),
    "axes beyond all memory": (lambda: tf.reduce_sum(tf.ones([2]), axis=range(2**70)), ValueError),
    "numbers that are resources": (lambda: tf.zeros([2], tf.resource), TypeError),
    "a variable of variants": (lambda: tf.Variable(1, dtype=tf.variant), TypeError),
    "tensors of numbers as strings": (
        lambda: tf.convert_to_tensor([tf.constant(1.0), tf.constant(2)], tf.string),
        tf.errors.UnimplementedError),
    "strings as numbers": (
        lambda: tf.convert_to_tensor([tf.constant("1"), tf.constant("2")], tf.float32),
        tf.errors.UnimplementedError),
    "a replacement that is no character": (lambda: tf.strings.unicode_encode(
        [1, 0], "UTF-8", replacement_char=-2), tf.errors.InvalidArgumentError),
    "true classes beyond the range": (lambda: tf.random.log_uniform_candidate_sampler(
        [[0], [1]], 1, 3, False, 1), tf.errors.InvalidArgumentError),
    "negative true classes": (lambda: tf.random.fixed_unigram_candidate_sampler(
        [[0], [-1]], 1, 3, False, 2, unigrams=[1.0, 1.0]), tf.errors.InvalidArgumentError),
    "less than no limit of a count": (lambda: tf.sparse.bincount([[0, 1]], maxlength=-2),
                                      tf.errors.InvalidArgumentError),
    "steps in a vector along one axis": (lambda: tf.roll([1, 2], [1], 0),
                                         tf.errors.InvalidArgumentError),
    "axes in a vector for one step": (lambda: tf.roll([1, 2], tf.constant(1), np.array([0])),
                                      tf.errors.InvalidArgumentError),
    "ranges of bytes": (lambda: tf.ragged.range(3, dtype=tf.int8), tf.errors.InvalidArgumentError),
    "a shape as a range of ratios": (lambda: tf.image.sample_distorted_bounding_box(
        [8, 8, 3], [[[0.0, 0.0, 1.0, 1.0]]], aspect_ratio_range=tf.TensorShape([2, 3])), TypeError),
    "an empty banded matrix": (lambda: tf.linalg.banded_triangular_solve(
        tf.zeros([2, 0]), tf.zeros([0, 2])), tf.errors.InvalidArgumentError),
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
    "a size of complex numbers": (
        lambda: tf.function(tf.eye)(tf.ones([0], tf.complex64)), TypeError),
    "classes that are counted by a text": (lambda: tf.nn.learned_unigram_candidate_sampler(
        tf.constant([[0]], tf.int64), 1, 1, False, ""), TypeError),
    "rows of another rank": (lambda: list(tf.data.Dataset.range(4).sparse_batch(2, [None, 1])),
                             tf.errors.InvalidArgumentError),
    "no number of iterations": (_traced(lambda: tf.map_fn(
        tf.abs, tf.ones([2]), parallel_iterations=float("nan"))), TypeError),
    "no number of iterations of a loop": (_traced(lambda: tf.while_loop(
        lambda i: i < 2, lambda i: [i + 1], [tf.constant(0)], parallel_iterations=float("nan"))),
        TypeError),
    "ones that are strings": (lambda: tf.ones_like([1], dtype="string"), TypeError),
    "several dtypes": (lambda: tf.shape(True, out_type=np.array([-2, 1])), ValueError),
    "records of a vector of sizes": (lambda: tf.data.FixedLengthRecordDataset([], []), ValueError),
    "a vector of hues": (lambda: tf.image.adjust_hue(tf.ones([2, 2, 3]), np.array([0.1])),
                         tf.errors.InvalidArgumentError),
    "a vector of saturations": (lambda: tf.image.adjust_saturation(tf.ones([2, 2, 3]), [5.0]),
                                tf.errors.InvalidArgumentError),
    "sizes of int64": (lambda: tf.image.combined_non_max_suppression(
        tf.ones([1, 2, 1, 4]), tf.ones([1, 2, 1]), 2, np.int64(3)), tf.errors.InvalidArgumentError),
    "a tensor of int64 for a size": (lambda: tf.image.non_max_suppression(
        tf.ones([2, 4]), tf.ones([2]), tf.constant(3, tf.int64)), tf.errors.InvalidArgumentError),
    "an unknown transform of a JPEG": (lambda: tf.image.decode_and_crop_jpeg(tf.io.encode_jpeg(
        tf.zeros([8, 8, 3], tf.uint8)), [0, 0, 4, 4], dct_method="abc"),
        tf.errors.InvalidArgumentError),
    "a border of a float": (lambda: tf.image.resize_with_pad(tf.ones([4, 4, 3]), 4, 8.0),
                            TypeError),
    "an update of another size": (lambda: tf.linalg.LinearOperatorLowRankUpdate(
        tf.linalg.LinearOperatorDiag([1.0, 2.0]), tf.ones([2, 1]), v=tf.ones([3, 1])).shape,
        ValueError),
    "a column that is a number": (lambda: tf.linalg.LinearOperatorToeplitz(0.0, [1.0]), ValueError),
    "a row longer than the column": (lambda: tf.linalg.LinearOperatorToeplitz([1.0], [1.0, 2.0]),
                                     ValueError),
    "a sparse tensor's conjugate": (lambda: tf.math.conj(tf.sparse.from_dense([[0.0, 1.0]])),
                                    (ValueError, TypeError)),
    "more than int64 holds": (lambda: tf.math.in_top_k([1], [[1.0, 2.0]], 10**30), ValueError),
    "an attribute beyond int64": (lambda: tf.ragged.cross_hashed(
        [tf.ragged.constant([["a"]])], hash_key=2**63), ValueError),
    "a ragged axis of NumPy's": (lambda: tf.ragged.stack([tf.ones([2])], np.int64(0)), TypeError),
    "a range of complex numbers": (lambda: tf.signal.ifft(range(3)),
                                   tf.errors.InvalidArgumentError),
    "a dtype for a sparse axis": (lambda: tf.sparse.concat(
        tf.float32, [tf.sparse.from_dense([[0.0, 1.0]])] * 2), TypeError),
    "an axis of NumPy's": (lambda: tf.experimental.numpy.argmax([[1.0]], axis=np.array(1)),
                           TypeError),
    "a number that a trace mirrors": (_traced(lambda: tf.experimental.numpy.fliplr(1.0)),
                                      ValueError),
    "a truth beyond float32": (lambda: tf.experimental.numpy.logical_and([1.0], 1e39), ValueError),
    "a new axis of int64": (lambda: tf.linspace(0.0, 1.0, 3, axis=tf.constant(0, tf.int64)),
                            tf.errors.InvalidArgumentError),
    "no dtype of a mean": (lambda: tf.experimental.numpy.nanmean([1.0], dtype=tf.zeros([0])),
                           TypeError),
    "a number repeated by a list": (lambda: tf.experimental.numpy.repeat(1, (100,)), TypeError),
    "indices of a higher rank": (lambda: tf.experimental.numpy.take_along_axis(
        np.arange(3), [[0, 1], [1, 0]], 0), tf.errors.InvalidArgumentError),
    "a bool among indices": (lambda: tf.constant([3, 1, 2])[[True]],
                             tf.errors.InvalidArgumentError),
    "a state of slices": (lambda: tf.data.Dataset.range(4).scan(
        tf.IndexedSlices(tf.ones([1, 2]), [0]), lambda s, x: (s, x)), NotImplementedError),
    "rows counted in int32": (lambda: tf.RaggedTensor.from_value_rowids(
        [1, 2, 3], [0, 1, 1], tf.constant(2)), ValueError),
    "a sum of sparse and ragged": (lambda: tf.ragged.constant([[1.0], [2.0, 3.0]]).__rmul__(
        tf.sparse.from_dense([[0.0, 1.0], [2.0, 0.0]])), ValueError),
    "an axis of no ragged tensor": (lambda: tf.ragged.constant([[1.0]]).bounding_shape(-9),
                                    tf.errors.InvalidArgumentError),
    "a tensor for nested lists": (lambda: tf.ragged.constant(tf.ones([2, 2])), ValueError),
    "complex numbers of integers beyond int64": (lambda: tf.signal.fft([2**64]), ValueError),
    "a shift beyond int64": (lambda: tf.experimental.numpy.roll([1, 2], 2**64), ValueError),
    "half a length": (lambda: tf.signal.idct(tf.ones([2, 3]), n=2.0), TypeError),
    "diagonals of one matrix for two": (lambda: tf.linalg.tridiagonal_matmul(
        tf.ones([3, 3]), tf.zeros([2, 3, 4])), tf.errors.InvalidArgumentError),
    "a group of numbers in a trace": (_traced(lambda: tf.group(1)), TypeError),
    "a tensor for a mask": (lambda: tf.strided_slice(
        [1, 2], [0], [1], shrink_axis_mask=tf.ones([0, 2], tf.int16)), TypeError),
    "pairs of axes in boxes": (lambda: tf.tensordot(
        tf.ones([2, 2]), tf.ones([2, 3]), np.zeros((2, 0, 3), "f")),
        tf.errors.InvalidArgumentError),
    "a share of float64": (lambda: tf.image.sample_distorted_bounding_box(
        [8, 8, 3], [[[0.0, 0.0, 1.0, 1.0]]], min_object_covered=tf.constant(0.5, tf.float64)),
        ValueError),
    "a vector of thresholds": (lambda: tf.sparse.add(
        *[tf.sparse.from_dense([[0.0, 1.0]])] * 2, threshold=[1.0]),
        tf.errors.InvalidArgumentError),
    "sizes of int8 in a list": (lambda: tf.random.normal([tf.constant(3, tf.int8)]),
                                tf.errors.InvalidArgumentError),
    "an axis of no elements": (lambda: tf.nn.isotonic_regression([0, 1], axis=tf.zeros([0])),
                               (ValueError, TypeError)),
    "several kinds of a device": (lambda: tf.DeviceSpec(device_type=np.arange(6)), TypeError),
    "an unknown shape for a format": (lambda: tf.nn.conv1d(
        tf.ones([1, 4, 2]), tf.ones([2, 2, 3]), 1, "SAME", data_format=tf.TensorShape(None)),
        ValueError),
    "a bool for a size": (lambda: tf.image.combined_non_max_suppression(
        tf.ones([1, 2, 1, 4]), tf.ones([1, 2, 1]), 2, True), tf.errors.InvalidArgumentError),
    "scores that are integers": (lambda: tf.image.non_max_suppression_padded(
        [[0.0, 0.0, 1.0, 1.0]], np.array([3]), 2, pad_to_max_output_size=True), TypeError),
    "an array of nothing for a dtype": (lambda: tf.linalg.LinearOperatorPermutation(
        [1, 0], dtype=np.zeros(0)), ValueError),
    "a tensor for a dtype": (lambda: tf.linalg.LinearOperatorPermutation(
        [1, 0], dtype=tf.constant([1, 2], tf.uint64)), ValueError),
    "a sum that is not what its parts are": (lambda: tf.linalg.LinearOperatorBlockDiag(
        [tf.linalg.LinearOperatorIdentity(2)], is_positive_definite=False), ValueError),
    "a vector of one size": (lambda: tf.linalg.diag([1.0, 2.0], num_cols=[-1]),
                             tf.errors.InvalidArgumentError),
    "axes in boxes": (_traced(lambda: tf.reduce_sum(tf.ones([2, 2]), axis=[[], []])), ValueError),
    "tensors for boundaries": (lambda: tf.raw_ops.Bucketize(
        input=[1], boundaries=[tf.constant(1.0)]), TypeError),
    "half an axis": (lambda: tf.sparse.expand_dims(
        tf.sparse.from_dense([[0, 1]]), np.float32(1.5)), TypeError),
    "None for a flag": (lambda: tf.strings.ngrams(["a"], 2, preserve_short_sequences=None),
                        TypeError),
    "splits beyond int32": (lambda: tf.strings.split("a b", maxsplit=2**32),
                            tf.errors.InvalidArgumentError),
    "records for an axis": (lambda: tf.reverse_sequence(
        tf.ones([2, 3]), [1, 2], np.zeros((3, 2), [("a", "i4")])), TypeError),
    "ragged sizes of batches": (lambda: tf.data.Dataset.range(4).rebatch(
        tf.ragged.constant([[1.0], []])), (TypeError, ValueError)),
    "no index at all": (lambda: tf.unravel_index(range(0), [2, 3]),
                        tf.errors.InvalidArgumentError),
    "arrays that promote beyond the tensor": (lambda: tf.experimental.numpy.logaddexp(
        tf.ones([2]), np.array([1, -1])), tf.errors.InvalidArgumentError),
    "one name for a list of examples": (lambda: tf.io.parse_example(
        [b""], {"a": tf.io.FixedLenFeature([], tf.float32, 0.0)}, example_names="SAME"),
        tf.errors.InvalidArgumentError),
    "strings of no elements, which are floats": (lambda: tf.strings.bytes_split([]),
                                                 tf.errors.InvalidArgumentError),
}


@pytest.mark.parametrize("name", REFUSED)
def test_refused(name):
    call, kind = REFUSED[name]
    with pytest.raises(kind):
        call()


@pytest.mark.parametrize("text", ["\ud800", ["a", "\ud800"], np.array(["a", "\ud800"])])
def test_half_a_character_is_no_accident_of_encoding(text):
    with pytest.raises(ValueError) as caught:
        tf.strings.length(text)
    assert caught.type is ValueError


def test_what_is_not_there_has_no_dtype_to_compare():
    assert tf.debugging.assert_same_float_dtype((None, tf.constant(1.0), None)) is tf.float32


def test_a_tuple_of_embeddings_is_one_tensor_and_a_list_are_shards():
    first, second = tf.ones([2, 2]), tf.zeros([2, 2])
    assert tf.nn.embedding_lookup((first, second), [1]).numpy().tolist() == [[[0, 0], [0, 0]]]
    assert tf.nn.embedding_lookup([first, second], [3, 1]).numpy().tolist() == [[0, 0], [1, 1]]


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


def test_a_list_of_tensors_is_cast_if_the_first_has_another_dtype_than_is_asked_for():
    wide, narrow = tf.constant(1, tf.int64), tf.constant(2)
    assert tf.convert_to_tensor([wide, narrow], tf.int32).numpy().tolist() == [1, 2]
    with pytest.raises(tf.errors.InvalidArgumentError):
        tf.convert_to_tensor([narrow, wide], tf.int32)


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


def test_rows_of_one_length_are_stacked_along_any_axis():
    rows = tf.ragged.constant([[1.0], [2.0]])
    assert tf.stack(rows, axis=1).numpy().tolist() == [[1, 2]]
    assert tf.stack(rows).numpy().tolist() == [[1], [2]]


def test_singular_values_of_a_matrix_without_rows():
    s, u, v = tf.linalg.svd(np.ones((0, 2**40), "f"))
    assert [x.shape.as_list() for x in (s, u, v)] == [[0], [0, 0], [2**40, 0]]


def test_a_linear_operator_is_an_argument_of_functions_as_it_is():
    matrix = tf.constant([[2.0, 1.0], [1.0, 3.0]])
    solve = tf.function(lambda operator: operator.solve(tf.ones([2, 1])))
    with tf.GradientTape() as tape:
        tape.watch(matrix)
        found = solve(tf.linalg.LinearOperatorFullMatrix(matrix))
    np.testing.assert_allclose(found, [[0.4], [0.2]], rtol=1e-6)
    np.testing.assert_allclose(tape.gradient(found, matrix), [[-0.16, -0.08], [-0.08, -0.04]],
                               rtol=1e-5)


def test_a_separator_need_not_be_a_text():
    assert tf.strings.reduce_join([["a", "b"]], separator=b"\xff").numpy() == b"a\xffb"
    assert tf.strings.join(["a", "b"], b"\xff").numpy() == b"a\xffb"
    assert tf.strings.ngrams(["a", "b"], 2, separator=b"\xff").numpy().tolist() == [b"a\xffb"]


def test_a_shape_of_unknown_rank_broadcasts_with_anything():
    assert tf.broadcast_static_shape(tf.TensorShape(None), 2.5).rank is None


def test_the_spec_of_a_ragged_scalar_is_taken_apart():
    assert len(tf.nest.flatten(tf.RaggedTensorSpec([], tf.float32), expand_composites=True)) == 1


def test_windows_whose_beta_is_a_variable():
    window = tf.signal.kaiser_bessel_derived_window(4, beta=tf.Variable(2.0))
    np.testing.assert_array_equal(window, tf.signal.kaiser_bessel_derived_window(4, beta=2.0))


def test_weights_that_are_nan_end():
    drawn = tf.nn.fixed_unigram_candidate_sampler(
        tf.constant([[0]], tf.int64), 1, 2, True, 3, unigrams=[1.0, 2.0, 3.0],
        distortion=float("nan"))
    assert drawn[0].shape == (2,)
