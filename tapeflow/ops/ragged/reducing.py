"""Reductions of ragged tensors, one axis at a time: over rows, within rows, inside values.

A segment of values is what ends up in one result; segments are reduced by the ops of
`ops.segment`. Handlers of records, and what is made of reductions: softmax, cumsum, matmul.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from tapeflow.core.record.elementwise_ops import stop_gradient
from tapeflow.core.record.families import operand
from tapeflow.core.record.op import shape_of
from tapeflow.core.record.primitive_ops import cast, concat, fill_like, reduce_sum, reshape
from tapeflow.core.values.tensor import Tensor, wrap
from tapeflow.ops._support.arguments import joined
from tapeflow.ops.array import shaping
from tapeflow.ops.array.one_hot import one_hot_op, sequence_mask
from tapeflow.ops.array.shape_ops import rank_op, size_op
from tapeflow.ops.indexing.gathering import boolean_mask, take, true_indices
from tapeflow.ops.linalg.matmul import matmul_call
from tapeflow.ops.math import exponential
from tapeflow.ops.math.arithmetic import add_n_op
from tapeflow.ops.math.casting import bitcast_op
from tapeflow.ops.math.exponential import exp, log
from tapeflow.ops.nn.softmax_norm import log_softmax, softmax
from tapeflow.ops.ragged.elementwise import elementwise
from tapeflow.ops.ragged.moving import expand_dims, gather_any
from tapeflow.ops.ragged.partition import as_kind, known, partition
from tapeflow.ops.ragged.ragged_conversion import from_tensor, to_tensor
from tapeflow.ops.ragged.ragged_tensor import dispatcher, is_ragged, make, nested
from tapeflow.ops.ragged.row_partition_ops import ranges, splits_of
from tapeflow.ops.reduce.cumulative import cumsum_op
from tapeflow.ops.reduce.histogram import bin_extent_op, bincount_op
from tapeflow.ops.reduce.moments import reduce_logsumexp, reduce_variance_op
from tapeflow.ops.reduce.reduction import (
    reduce_all,
    reduce_any,
    reduce_max,
    reduce_mean,
    reduce_min,
    reduce_prod,
)
from tapeflow.ops.reduce.segment import (
    segment_max,
    segment_mean,
    segment_min,
    segment_prod,
    segment_sum,
)

# The op that reduces segments as another reduces axes, with the attributes that it takes.
_BY_SEGMENTS: dict[Any, tuple] = {call.op: (by_segments, attrs) for call, by_segments, attrs in (
    (reduce_sum, segment_sum, {}), (reduce_prod, segment_prod, {}),
    (reduce_max, segment_max, {"missing": None}), (reduce_min, segment_min, {"missing": None}))}
_OVER_AXES = {by_segments.op: op for op, (by_segments, _) in _BY_SEGMENTS.items()}


def reduce_all_axes(op: Any, rt: Any, axis: tuple | None, keepdims: bool) -> Any:
    """One of sum, prod, max, min over some axes."""
    if axis is None:
        result = op.call(rt.flat_values, axis=None, keepdims=False)
        return reshape(result, shape=(1,) * rt.shape.rank) if keepdims else result
    for one in sorted(axis, reverse=True):
        if not is_ragged(rt):
            rt = op.call(rt, axis=(one,), keepdims=keepdims)
            continue
        rt = _over(op, rt, one)
        if keepdims:
            rt = expand_dims(rt, one)
    return rt


def _over(op: Any, rt: Any, axis: int) -> Any:
    if not is_ragged(rt):
        return op.call(rt, axis=(axis,), keepdims=False)
    if axis == 0:
        columns = rt._partition.offsets_in_rows()
        return _segments(op, rt.values, columns, _longest(rt.row_lengths()))
    if axis == 1:
        return _segments(op, rt.values, rt.value_rowids(), rt.nrows())
    return rt.with_values(_over(op, rt.values, axis - 1))


def _longest(lengths: Any) -> Any:
    return reduce_max(concat(lengths, wrap(np.zeros(1, lengths.dtype.np)), axis=0), axis=None)


def _segments(op: Any, values: Any, ids: Any, count: Any) -> Any:
    """Values with one id reduced into one; of ragged values, column by column."""
    if not is_ragged(values):
        rows = known(count)
        by_segments, attrs = _BY_SEGMENTS[op]
        return by_segments(values, ids, rows=count if rows is None else int(rows), **attrs)
    lengths = segment_lengths(values.row_lengths(), ids, count)
    starts = take(splits_of(lengths), ids, axis=0, batch_dims=0)
    one = wrap(starts.dtype.np.type(1))
    _, columns = ranges(starts, starts + values.row_lengths(), one)
    splits = splits_of(lengths)
    return make(_segments(op, values.values, columns, splits[-1]), partition(splits))


def segment_lengths(lengths: Any, ids: Any, count: Any) -> Any:
    """The greatest length among the rows of each segment; 0 of a segment without rows."""
    rows = known(count)
    return segment_max(lengths, ids, rows=count if rows is None else int(rows), missing=0)


@dispatcher.on(reduce_sum, reduce_prod, reduce_max, reduce_min)
def _reduce(op: Any, rt: Any, axis: tuple | None = None, keepdims: bool = False) -> Any:
    return reduce_all_axes(op, rt, axis, keepdims)


@dispatcher.on(reduce_any, reduce_all)
def _reduce_truth(op: Any, rt: Any, axis: tuple | None = None, keepdims: bool = False) -> Any:
    if axis is None:
        result = op.call(rt.flat_values, axis=None, keepdims=False)
        return reshape(result, shape=(1,) * rt.shape.rank) if keepdims else result
    over = reduce_max if op is reduce_any.op else reduce_min
    ints = elementwise(lambda x: cast(x, dtype=np.dtype("int32")), [rt])
    found = reduce_all_axes(over.op, ints, axis, keepdims)
    return found > 0


@dispatcher.on(reduce_mean)
def _reduce_mean(op: Any, rt: Any, axis: tuple | None = None, keepdims: bool = False) -> Any:
    if axis is None:
        result = op.call(rt.flat_values, axis=None, keepdims=False)
        return reshape(result, shape=(1,) * rt.shape.rank) if keepdims else result
    total = reduce_all_axes(reduce_sum.op, rt, axis, keepdims)
    ones = rt.with_flat_values(fill_like(rt.flat_values, value=1))
    count = reduce_all_axes(reduce_sum.op, ones, axis, keepdims)
    if is_ragged(total):
        return total.with_flat_values(_share(total.flat_values, count.flat_values))
    return _share(total, count)


def _share(total: Any, count: Any) -> Any:
    return total / count


@dispatcher.on(reduce_variance_op)
def _reduce_variance(op: Any, rt: Any, axis: tuple | None = None, keepdims: bool = False) -> Any:
    if axis is None:
        result = op.call(rt.flat_values, axis=None, keepdims=False)
        return reshape(result, shape=(1,) * rt.shape.rank) if keepdims else result
    mean = reduce_mean.op
    squares = _reduce_mean(mean, rt * rt, axis, keepdims)
    average = _reduce_mean(mean, rt, axis, keepdims)
    return squares - average * average


@dispatcher.on(reduce_logsumexp)
def _reduce_logsumexp(op: Any, rt: Any, axis: tuple | None = None, keepdims: bool = False) -> Any:
    if axis is None:
        result = op.call(rt.flat_values, axis=None, keepdims=False)
        return reshape(result, shape=(1,) * rt.shape.rank) if keepdims else result
    top = rt.with_flat_values(stop_gradient(rt.flat_values))
    top = reduce_all_axes(reduce_max.op, top, axis, True)
    shifted = elementwise(lambda x: exp(x), [rt - top])
    found = exponential.log(reduce_all_axes(reduce_sum.op, shifted, axis, True)) + top
    for one in () if keepdims else sorted(axis, reverse=True):
        found = shaping.squeeze(found, [one])
    return found


@dispatcher.on(size_op, bin_extent_op)
def _of_all(op: Any, rt: Any, **attrs: Any) -> Any:
    """What rows play no part in."""
    return op.call(rt.flat_values, **attrs)


@dispatcher.on(rank_op)
def _rank(op: Any, rt: Any) -> Any:
    return wrap(np.int32(rt.shape.rank))


# -- made of reductions ----------------------------------------------------------------------------
@dispatcher.on(softmax, log_softmax)
def _softmax(op: Any, rt: Any, axis: int) -> Any:
    if not is_ragged(rt) or axis > rt.ragged_rank:
        inner = rt.flat_values
        return rt.with_flat_values(op.call(inner, axis=axis - rt.ragged_rank))
    if axis != rt.ragged_rank:
        raise ValueError(f"tf.nn.softmax of a RaggedTensor: axis {axis} is not the last ragged one")
    innermost = make(rt.flat_values, rt._nested_row_partitions[-1])
    ids = innermost.value_rowids()
    top = stop_gradient(_over(reduce_max.op, innermost, 1))
    shifted = exp(innermost.values - take(top, ids, axis=0, batch_dims=0))
    total = take(_over(reduce_sum.op, make(shifted, innermost._partition), 1), ids, axis=0,
                 batch_dims=0)
    result = shifted / total
    if op is log_softmax.op:
        result = log(result)
    return nested(result, rt._nested_row_partitions)


@dispatcher.on(cumsum_op)
def _cumsum(op: Any, rt: Any, axis: int, **attrs: Any) -> Any:
    if axis > rt.ragged_rank:
        return rt.with_flat_values(op.call(rt.flat_values, axis=axis - rt.ragged_rank, **attrs))
    if axis != rt.ragged_rank:
        raise ValueError(f"tf.cumsum of a RaggedTensor: axis {axis} is not the last ragged one")
    innermost = make(rt.flat_values, rt._nested_row_partitions[-1])
    dense = op.call(to_tensor(innermost, None, None), axis=1, **attrs)
    lengths = innermost.row_lengths()
    width = shape_of(dense)[1]
    mask = sequence_mask(lengths, _longest(lengths) if width is None else width)
    return nested(boolean_mask(dense, mask), rt._nested_row_partitions)


@dispatcher.on(matmul_call)
def _matmul(op: Any, a: Any, b: Any, **attrs: Any) -> Any:
    """Products of matrices whose numbers of rows differ: only the left one's rows may."""
    left = a.ragged_rank if is_ragged(a) else 0
    plain = not any(attrs.get(key) for key in ("transpose_a", "adjoint_a"))
    if left == 1 and a.shape.rank == 3 and plain:
        rows = to_tensor(a, None, None)
        other = to_tensor(b, None, None) if is_ragged(b) else b
        found = op.call(rows, other, **attrs)
        return from_tensor(found, a.row_lengths(), None, 1, a.row_splits.dtype)
    if left == 1 and a.shape.rank == 2 or is_ragged(b) and b.shape.rank == 2:
        raise ValueError("The inner dimensions of a matmul must be uniform, got shapes "
                         f"{a.shape} and {b.shape}")
    dense = [to_tensor(x, None, None) if is_ragged(x) else x for x in (a, b)]
    return op.call(*dense, **attrs)


@dispatcher.on(add_n_op)
def _add_n(op: Any, *values: Any) -> Any:
    return elementwise(lambda *xs: op.call(*xs), list(values))


@dispatcher.on(segment_sum, segment_prod, segment_max, segment_min, segment_mean)
def _segment(op: Any, data: Any, ids: Any, rows: Any = None, **attrs: Any) -> Any:
    if rows is None:
        raise dispatcher.refusal([data, ids])
    if is_ragged(ids):
        if not is_ragged(data):
            raise ValueError("data must be ragged where segment_ids are")
        return _segment(op, data.values, ids.values, rows, **attrs)
    if not is_ragged(data):
        return op.call(data, ids, rows=rows, **attrs)
    count = rows if isinstance(rows, Tensor) else wrap(np.int64(rows))
    if op is segment_mean.op:
        total = _segments(reduce_sum.op, data, ids, count)
        ones = data.with_flat_values(fill_like(data.flat_values, value=1))
        return total / _segments(reduce_sum.op, ones, ids, count)
    return _segments(_OVER_AXES[op], data, ids, count)


@dispatcher.on(true_indices)
def _true_indices(op: Any, condition: Any) -> Any:
    """Coordinates of what is true."""
    sparse = condition.to_sparse()
    return gather_any(sparse.indices, reshape(op.call(sparse.values), shape=(-1,)))


@dispatcher.on(bincount_op)
def _bincount(op: Any, rt: Any, *others: Any, **attrs: Any) -> Any:
    """Rows of counts: of each value the index of its row is part of what is counted."""
    size = attrs["size"]
    if isinstance(size, Tensor) and known(size) is not None:
        size = int(known(size))
    flat, weights = [x.flat_values if is_ragged(x) else x for x in (rt, *others)]
    kept = flat < as_kind(operand(size), flat.dtype)
    width = as_kind(operand(size), flat.dtype)
    shifted = as_kind(rt.value_rowids(), flat.dtype) * width + flat
    rows = as_kind(rt.nrows(), flat.dtype)
    total = rows * width
    count = known(total)
    found = op.call(boolean_mask(shifted, kept), boolean_mask(weights, kept),
                    **{**attrs, "size": total if count is None else int(count)})
    return reshape(found, shape=(-1, size) if isinstance(size, int) else joined([rows, width]))


@dispatcher.on(one_hot_op)
def _one_hot(op: Any, rt: Any, axis: int, **attrs: Any) -> Any:
    if axis <= rt.ragged_rank:
        raise ValueError(f"axis ({axis}) must be greater than indices.ragged_rank "
                         f"({rt.ragged_rank}).")
    return rt.with_flat_values(op.call(rt.flat_values, axis=axis - rt.ragged_rank, **attrs))


@dispatcher.on(bitcast_op)
def _bitcast(op: Any, rt: Any, dtype: Any) -> Any:
    return rt.with_flat_values(op.call(rt.flat_values, dtype=dtype))

