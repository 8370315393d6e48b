"""Sums, extremes and orders along axes and over segments."""

from __future__ import annotations

from typing import Any

from tapeflow.tensorflow_graphs.public import tf
from tapeflow.tensorflow_graphs.registry import raw, same

same("""
InvertPermutation math.invert_permutation
SegmentMax math.segment_max
SegmentMean math.segment_mean
SegmentMin math.segment_min
SegmentProd math.segment_prod
SegmentSum math.segment_sum
UnsortedSegmentMax math.unsorted_segment_max
UnsortedSegmentMin math.unsorted_segment_min
UnsortedSegmentProd math.unsorted_segment_prod
UnsortedSegmentSum math.unsorted_segment_sum
SparseSegmentMean sparse.segment_mean
SparseSegmentSqrtN sparse.segment_sqrt_n
SparseSegmentSum sparse.segment_sum
""")


@raw
def Sum(input: Any, axis: Any, keep_dims: bool) -> Any:
    return tf.reduce_sum(input, axis, keep_dims)


@raw
def Mean(input: Any, axis: Any, keep_dims: bool) -> Any:
    return tf.reduce_mean(input, axis, keep_dims)


@raw
def Max(input: Any, axis: Any, keep_dims: bool) -> Any:
    return tf.reduce_max(input, axis, keep_dims)


@raw
def Min(input: Any, axis: Any, keep_dims: bool) -> Any:
    return tf.reduce_min(input, axis, keep_dims)


@raw
def Prod(input: Any, axis: Any, keep_dims: bool) -> Any:
    return tf.reduce_prod(input, axis, keep_dims)


@raw
def All(input: Any, axis: Any, keep_dims: bool) -> Any:
    return tf.reduce_all(input, axis, keep_dims)


@raw
def Any_(input: Any, axis: Any, keep_dims: bool) -> Any:
    return tf.reduce_any(input, axis, keep_dims)


@raw
def EuclideanNorm(input: Any, axis: Any, keep_dims: bool) -> Any:
    return tf.math.reduce_euclidean_norm(input, axis, keep_dims)


@raw
def ArgMax(input: Any, dimension: Any, output_type: Any) -> Any:
    return tf.argmax(input, dimension, output_type)


@raw
def ArgMin(input: Any, dimension: Any, output_type: Any) -> Any:
    return tf.argmin(input, dimension, output_type)


@raw
def Cumsum(x: Any, axis: Any, exclusive: bool, reverse: bool) -> Any:
    return tf.math.cumsum(x, axis, exclusive, reverse)


@raw
def Cumprod(x: Any, axis: Any, exclusive: bool, reverse: bool) -> Any:
    return tf.math.cumprod(x, axis, exclusive, reverse)


@raw
def CumulativeLogsumexp(x: Any, axis: Any, exclusive: bool, reverse: bool) -> Any:
    return tf.math.cumulative_logsumexp(x, axis, exclusive, reverse)


@raw
def TopK(input: Any, k: int, sorted: bool) -> Any:
    return tuple(tf.math.top_k(input, k, sorted))


@raw
def TopKV2(input: Any, k: Any, sorted: bool, index_type: Any) -> Any:
    return tuple(tf.math.top_k(input, k, sorted, index_type))


@raw
def InTopK(predictions: Any, targets: Any, k: int) -> Any:
    return tf.math.in_top_k(targets, predictions, k)


@raw
def InTopKV2(predictions: Any, targets: Any, k: Any) -> Any:
    return tf.math.in_top_k(targets, predictions, k)


@raw
def NthElement(input: Any, n: Any, reverse: bool) -> Any:
    ordered = tf.sort(input, -1, "DESCENDING" if reverse else "ASCENDING")
    return tf.gather(ordered, n, axis=-1)


@raw
def Bincount(arr: Any, size: Any, weights: Any) -> Any:
    weights = weights if weights.shape.rank and weights.shape[0] != 0 else None
    return tf.math.bincount(arr, weights, minlength=size, maxlength=size)


@raw
def DenseBincount(input: Any, size: Any, weights: Any, binary_output: bool, T: Any) -> Any:
    given = weights if weights.shape.num_elements() != 0 else None
    return tf.math.bincount(
        input, given, minlength=size, maxlength=size, dtype=weights.dtype,
        axis=-1 if input.shape.rank == 2 else None, binary_output=binary_output)


@raw
def LowerBound(sorted_inputs: Any, values: Any, out_type: Any) -> Any:
    return tf.searchsorted(sorted_inputs, values, "left", out_type)


@raw
def UpperBound(sorted_inputs: Any, values: Any, out_type: Any) -> Any:
    return tf.searchsorted(sorted_inputs, values, "right", out_type)


@raw
def HistogramFixedWidth(values: Any, value_range: Any, nbins: Any, dtype: Any) -> Any:
    return tf.histogram_fixed_width(values, value_range, nbins, dtype)


@raw
def SegmentSumV2(data: Any, segment_ids: Any, num_segments: Any) -> Any:
    return tf.math.unsorted_segment_sum(data, segment_ids, num_segments)


@raw
def SegmentProdV2(data: Any, segment_ids: Any, num_segments: Any) -> Any:
    return tf.math.unsorted_segment_prod(data, segment_ids, num_segments)


@raw
def SegmentMaxV2(data: Any, segment_ids: Any, num_segments: Any) -> Any:
    return tf.math.unsorted_segment_max(data, segment_ids, num_segments)


@raw
def SegmentMinV2(data: Any, segment_ids: Any, num_segments: Any) -> Any:
    return tf.math.unsorted_segment_min(data, segment_ids, num_segments)
