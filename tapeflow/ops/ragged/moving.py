"""Moving the rows of ragged tensors: gather, concat, stack, tile, expand_dims, squeeze, reverse …

Handlers of records for operands of which one at least is ragged, and the public functions of
tf.ragged that are of this kind.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from tapeflow.base import dtypes, errors
from tapeflow.core.record.op import shape_of
from tapeflow.core.record.primitive_ops import concat, expand, reshape, stack
from tapeflow.core.record.row_ops import gather_rows
from tapeflow.core.values.convert import convert
from tapeflow.core.values.tensor import wrap
from tapeflow.ops._support.arguments import sizes_of
from tapeflow.ops.array.joining import split_op
from tapeflow.ops.array.ranges import range_
from tapeflow.ops.array.reverse import reverse_op
from tapeflow.ops.array.shaping import squeeze_op
from tapeflow.ops.array.tiling import tile_op
from tapeflow.ops.indexing.gathering import gather, gather_nd, gather_nd_op, gather_op, take
from tapeflow.ops.ragged.partition import RowPartition, as_kind, known, partition
from tapeflow.ops.ragged.ragged_conversion import at_least_ragged, from_tensor, positive_axis
from tapeflow.ops.ragged.ragged_tensor import (
    RaggedTensor,
    dispatcher,
    is_ragged,
    make,
    nested,
    ragged_or_dense,
    rows_of,
)
from tapeflow.ops.ragged.row_partition_ops import chosen_rows, interleaved, reversed_rows


# -- gather ----------------------------------------------------------------------------------------
def gather_any(params: Any, indices: Any, uniform: bool = True) -> Any:
    """Rows of a dense or ragged tensor, at a vector of indices; equal lengths are remembered."""
    if not is_ragged(params):
        return take(params, indices, axis=0, batch_dims=0)
    levels = params.nested_row_splits
    *found, flat = chosen_rows(*levels, as_kind(indices, levels[0].dtype))
    lengths = [one.uniform_row_length() if uniform else None
               for one in params._nested_row_partitions]
    return nested(take(params.flat_values, flat, axis=0, batch_dims=0),
                  [partition(splits, length) for splits, length in zip(found, lengths,
                                                                       strict=True)])


def ragged_gather(params: Any, indices: Any, axis: int = 0, batch_dims: int = 0) -> Any:
    """tf.gather where params, indices or both are ragged."""
    if not is_ragged(params) and not is_ragged(indices):
        return gather(params, indices, axis=axis, batch_dims=batch_dims)
    if batch_dims:
        return _in_batches(params, indices, axis, batch_dims)
    if axis > 1 or (axis == 1 and not is_ragged(params)):
        if not is_ragged(params):
            params = from_tensor(params, None, None, 1, indices.row_splits.dtype)
        if axis > 1:
            return params.with_values(ragged_gather(params.values, indices, axis - 1, 0))
    if axis == 1:
        starts = as_kind(params.row_starts(), indices.dtype)
        for _ in range(indices.shape.rank):
            starts = expand(starts, axis=len(shape_of(starts)))
        return ragged_gather(params.values, starts + indices, 0, 0)
    if is_ragged(indices):
        return indices.with_values(ragged_gather(params, indices.values, 0, 0))
    rank = len(shape_of(indices))
    if rank == 0:
        return params[indices]
    # As in TensorFlow, whose tf.gather forgets that rows had one length.
    found = gather_any(params, reshape(indices, shape=(-1,)) if rank > 1 else indices, False)
    sizes = sizes_of(indices)
    for size in reversed(sizes[1:]):
        length = convert(size, dtypes.int64) if isinstance(size, int) else size
        found = RaggedTensor.from_uniform_row_length(
            found, as_kind(length, params.row_splits.dtype), validate=False)
    return found


def _in_batches(params: Any, indices: Any, axis: int, batch_dims: int) -> Any:
    if not params.shape[:batch_dims].is_compatible_with(indices.shape[:batch_dims]):
        raise ValueError(f"batch shape from indices {indices.shape[:batch_dims]} does not match "
                         f"params shape {params.shape}")
    kind = (params if is_ragged(params) else indices).row_splits.dtype
    if batch_dims > 1:
        params, indices = at_least_ragged(params, 1, kind), at_least_ragged(indices, 1, kind)
        return params.with_values(ragged_gather(params.values, indices.values, axis - 1,
                                                batch_dims - 1))
    if axis > 1:
        params = at_least_ragged(params, 1, kind)
        rows = params.with_values(params.value_rowids())
        return _in_batches(params, ragged_gather(indices, rows), axis, 2)
    params = at_least_ragged(params, 1, kind)
    starts = as_kind(params.row_starts(), indices.dtype)
    for _ in range(indices.shape.rank - 1):
        starts = expand(starts, axis=len(shape_of(starts)))
    return ragged_gather(params.values, indices + starts, axis - 1, 0)


@dispatcher.on(gather_op, take, gather_rows)
def _gather(op: Any, params: Any, indices: Any, axis: int = 0, batch_dims: int = 0) -> Any:
    return ragged_gather(params, indices, axis, batch_dims)


@dispatcher.on(gather_nd_op)
def _gather_nd(op: Any, params: Any, indices: Any, ignore: bool = False) -> Any:
    if ignore:
        raise ValueError("non-default bad_indices_policy not supported for ragged gather")
    if is_ragged(indices):
        if indices.shape.rank == indices.ragged_rank + 1:
            raise ValueError("The innermost dimension of indices may not be ragged")
        return indices.with_values(gather_nd(params, indices.values))
    shape = shape_of(indices)
    if shape[-1] is None:
        raise ValueError("indices.shape[-1] must be statically known for ragged gather_nd.")
    if len(shape) == 1:
        return _gather_nd(op, params, expand(indices, axis=0))[0]
    if len(shape) > 2:
        flat = _gather_nd(op, params, reshape(indices, shape=(-1, shape[-1])))
        for size in reversed(shape[1:-1]):
            flat = RaggedTensor.from_uniform_row_length(flat, size, validate=False)
        return flat
    found = params
    row = indices[:, 0]
    for depth in range(1, shape[1]):
        if not is_ragged(found):
            return gather_nd(found, concat(expand(row, axis=1), indices[:, depth:], axis=1))
        starts = gather(as_kind(found.row_starts(), indices.dtype), row)
        row = starts + indices[:, depth]
        found = found.values
    return gather_any(found, row)


# -- concat and stack ------------------------------------------------------------------------------
def join(values: list, axis: int, stacking: bool) -> Any:
    """Ragged and dense tensors end to end along `axis`, or along a new axis."""
    if not values:
        raise ValueError("rt_inputs may not be empty.")
    parts = [ragged_or_dense(one) for one in values]
    parts = same_kinds(parts)
    if len(parts) == 1 and not stacking:
        return parts[0]
    rank = parts[0].shape.rank
    for one in parts:
        if one.shape.rank != rank:
            raise ValueError(f"Shape {one.shape} must have rank {rank}")
    axis = positive_axis(axis, rank + stacking)
    if stacking and rank == 0:
        return wrap_stack(parts)
    if stacking and rank == 1 and axis == 0:
        return RaggedTensor.from_row_lengths(
            concat(*parts, axis=0), wrap_stack([rows_of(one, dtypes.int32) for one in parts]))
    if not any(is_ragged(one) for one in parts) and axis in (rank, rank - 1):
        from tapeflow.ops.array.joining import concat as dense_concat
        return wrap_stack(parts, axis) if stacking else dense_concat(parts, axis)
    kind = next((one.row_splits.dtype for one in parts if is_ragged(one)), dtypes.int64)
    most = max(1, *[one.ragged_rank for one in parts if is_ragged(one)], 1)
    parts = [at_least_ragged(one, most, kind) for one in parts]
    if axis == 0:
        return _along_rows(parts, stacking)
    if axis == 1:
        return _along_columns(parts, stacking)
    return parts[0].with_values(_joined_values(parts, axis, stacking))


def _joined_values(parts: list, axis: int, stacking: bool) -> Any:
    splits = [known(one.row_splits) for one in parts]
    if any(one is not None and splits[0] is not None and not np.array_equal(one, splits[0])
           for one in splits):
        raise errors.invalid("Assert", "Inputs must have identical ragged splits")
    values = [one.values for one in parts]
    if any(is_ragged(one) for one in values):
        return join(values, axis - 1, stacking)
    from tapeflow.ops.array.joining import concat as dense_concat
    return wrap_stack(values, axis - 1) if stacking else dense_concat(values, axis - 1)


def wrap_stack(parts: list, axis: int = 0) -> Any:
    from tapeflow.ops.array.joining import stack
    return stack(parts, axis)


def same_kinds(parts: list) -> list:
    """Ragged tensors whose row splits have one dtype."""
    kinds = {one.row_splits.dtype for one in parts if is_ragged(one)}
    if len(kinds) < 2:
        return parts
    raise ValueError("Input RaggedTensors have mismatched row_splits dtypes; use "
                     "RaggedTensor.with_row_splits_dtype() to convert them to compatible dtypes.")


def _along_rows(parts: list, stacking: bool) -> RaggedTensor:
    values = concat(*[one.flat_values for one in parts], axis=0)
    levels = []
    for depth in range(parts[0].ragged_rank):
        levels.append(partition(_joined_splits([one.nested_row_splits[depth] for one in parts])))
    result = nested(values, levels)
    if not stacking:
        return result
    lengths = wrap_stack([one.nrows() for one in parts])
    return make(result, RowPartition.from_row_lengths(lengths, validate=False))


def _joined_splits(splits: list) -> Any:
    total, pieces = splits[0][-1], [splits[0]]
    for one in splits[1:]:
        pieces.append(one[1:] + total)
        total = total + one[-1]
    return concat(*pieces, axis=0)


def _along_columns(parts: list, stacking: bool) -> RaggedTensor:
    rows = {one._partition.static_nrows for one in parts} - {None}
    if len(rows) > 1:
        raise errors.invalid("Assert", f"Input tensors have incompatible shapes: {sorted(rows)} "
                                       "rows")
    values = join([one.values for one in parts], 0, False) if any(
        is_ragged(one.values) for one in parts) else concat(
            *[one.values for one in parts], axis=0)
    splits, indices = interleaved(*[one.row_splits for one in parts])
    inner = gather_any(values, indices)
    if not stacking:
        return make(inner, partition(splits))
    kind = parts[0].row_splits.dtype
    lengths = reshape(wrap_stack([one.row_lengths() for one in parts], 1), shape=(-1,))
    rows_inside = make(inner, RowPartition.from_row_lengths(lengths, validate=False))
    count = convert(len(parts), kind)
    return make(rows_inside, RowPartition.from_uniform_row_length(
        count, rows_of(rows_inside, kind), parts[0].nrows(), validate=False))


@dispatcher.on(concat)
def _concat(op: Any, *values: Any, axis: int) -> Any:
    return join(list(values), axis, False)


@dispatcher.on(stack)
def _stack(op: Any, *values: Any, axis: int) -> Any:
    return join(list(values), axis, True)


# -- shape changes ---------------------------------------------------------------------------------
@dispatcher.on(tile_op)
def _tile(op: Any, rt: Any, multiples: Any) -> Any:
    counts = multiples if isinstance(multiples, tuple) else known(multiples)
    if counts is None:
        raise ValueError("tf.tile of a RaggedTensor: `multiples` must be known while tracing.")
    for axis in reversed(range(len(counts))):
        count = int(counts[axis])
        if count == 1:
            continue
        if count == 0:
            rt = _nothing(rt, axis)
        elif axis == 0 or is_ragged(rt):
            rt = join([rt] * count, axis, False)
    return rt


def _nothing(rt: Any, axis: int) -> Any:
    """All slices along an axis left out."""
    return rt[(slice(None),) * axis + (slice(0, 0),)]


@dispatcher.on(expand)
def _expand_dims(op: Any, rt: Any, axis: int) -> Any:
    return expand_dims(rt, axis)


def expand_dims(rt: Any, axis: int) -> Any:
    if not is_ragged(rt):
        return expand(rt, axis=axis)
    kind = rt.row_splits.dtype
    if axis == 0:
        return make(rt, RowPartition.from_uniform_row_length(rt.nrows(), rt.nrows(), 1,
                                                             validate=False))
    if axis == 1:
        return make(rt, RowPartition.from_uniform_row_length(
            wrap(kind.np.type(1)), rt.nrows(), rt.nrows(), validate=False))
    return rt.with_values(expand_dims(rt.values, axis - 1))


@dispatcher.on(squeeze_op)
def _squeeze(op: Any, rt: Any, axis: Any) -> Any:
    if axis is None:
        raise ValueError("Ragged.squeeze must have an axis argument.")
    for one in sorted(axis, reverse=True):
        rt = _squeezed(rt, one)
    return rt


def _squeezed(rt: Any, axis: int) -> Any:
    from tapeflow.ops.array.shaping import squeeze
    if not is_ragged(rt):
        return squeeze(rt, [axis])
    if axis == 0:
        rows = rt._partition.static_nrows
        if rows is not None and rows != 1:
            raise errors.invalid("Assert", f"the given axis (axis = 0) is not squeezable: it has "
                                           f"{rows} rows")
        return rt.values
    if axis == 1:
        lengths = known(rt.row_lengths())
        if lengths is not None and not bool((lengths == 1).all()):
            raise errors.invalid("Assert", "the given axis (axis = 1) is not squeezable: its rows "
                                           f"have lengths {lengths.tolist()}")
        return rt.values
    return rt.with_values(_squeezed(rt.values, axis - 1))


@dispatcher.on(reverse_op)
def _reverse(op: Any, rt: Any, axis: tuple) -> Any:
    for one in axis:
        rt = _reversed(rt, one)
    return rt


def _reversed(rt: Any, axis: int) -> Any:
    from tapeflow.ops.array.reverse import reverse
    if not is_ragged(rt):
        return reverse(rt, [axis])
    if axis == 0:
        rows = rt.nrows()
        return gather_any(rt, rows - 1 - range_(rows))
    if axis == 1:
        return rt.with_values(gather_any(rt.values, reversed_rows(rt.row_splits)))
    return rt.with_values(_reversed(rt.values, axis - 1))


@dispatcher.on(reshape)
def _reshape(op: Any, rt: Any, shape: Any) -> Any:
    """The flat values in another shape; the rows are lost."""
    return op.call(rt.flat_values, shape=shape)


@dispatcher.on(split_op)
def _split(op: Any, rt: Any, sizes: Any, axis: int) -> Any:
    counts = sizes if isinstance(sizes, tuple) else known(sizes)
    if counts is None:
        raise ValueError("tf.split of a RaggedTensor: the sizes must be known while tracing.")
    if axis and not (axis < rt.ragged_rank + 1 and rt.shape[axis] is not None):
        raise ValueError(f"ragged dimension {axis} not supported yet" if axis <= rt.ragged_rank
                         else f"axis {axis} of a RaggedTensor cannot be split")
    parts, start = [], 0
    for size in counts:
        parts.append(rt[(slice(None),) * axis + (slice(start, start + int(size)),)])
        start += int(size)
    return tuple(parts)
