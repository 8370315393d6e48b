"""Sums, extremes and orders along axes and over segments."""

from __future__ import annotations

from typing import Any

from tapeflow.tensorflow_graphs.public import tf
from tapeflow.tensorflow_graphs.registry import raw, same

same("""
All reduce_all keep_dims
Any reduce_any keep_dims
ArgMax argmax output_type
ArgMin argmin output_type
Cumprod math.cumprod exclusive reverse
Cumsum math.cumsum exclusive reverse
CumulativeLogsumexp math.cumulative_logsumexp exclusive reverse
EuclideanNorm math.reduce_euclidean_norm keep_dims
HistogramFixedWidth histogram_fixed_width dtype
InvertPermutation math.invert_permutation
Max reduce_max keep_dims
Mean reduce_mean keep_dims
Min reduce_min keep_dims
Prod reduce_prod keep_dims
SegmentMax math.segment_max
SegmentMaxV2 math.unsorted_segment_max
SegmentMean math.segment_mean
SegmentMin math.segment_min
SegmentMinV2 math.unsorted_segment_min
SegmentProd math.segment_prod
SegmentProdV2 math.unsorted_segment_prod
SegmentSum math.segment_sum
SegmentSumV2 math.unsorted_segment_sum
SparseSegmentMean sparse.segment_mean
SparseSegmentSqrtN sparse.segment_sqrt_n
SparseSegmentSum sparse.segment_sum
Sum reduce_sum keep_dims
UnsortedSegmentMax math.unsorted_segment_max
UnsortedSegmentMin math.unsorted_segment_min
UnsortedSegmentProd math.unsorted_segment_prod
UnsortedSegmentSum math.unsorted_segment_sum
""")


@raw
def TopK(input: Any, k: int, sorted: bool) -> Any:
    return tuple(tf.math.top_k(input, k, sorted))


@raw
def TopKV2(input: Any, k: Any, sorted: bool, index_type: Any) -> Any:
    return tuple(tf.math.top_k(input, k, sorted, index_type))


@raw
def ApproxTopK(input: Any, k: int, reduction_dimension: int, is_max_k: bool) -> Any:
    find = tf.math.approx_max_k if is_max_k else tf.math.approx_min_k
    return tuple(find(input, k, reduction_dimension))


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
    size = tf.cast(size, tf.int32)
    return tf.math.bincount(
        input, given, minlength=size, maxlength=size, dtype=weights.dtype,
        axis=-1 if input.shape.rank == 2 else None, binary_output=binary_output)


@raw
def LowerBound(sorted_inputs: Any, values: Any, out_type: Any) -> Any:
    return tf.searchsorted(sorted_inputs, values, "left", out_type)


@raw
def UpperBound(sorted_inputs: Any, values: Any, out_type: Any) -> Any:
    return tf.searchsorted(sorted_inputs, values, "right", out_type)
