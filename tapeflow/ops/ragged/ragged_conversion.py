"""Ragged tensors from dense and sparse ones and back; their sizes; axes made one."""

from __future__ import annotations

from typing import Any

import numpy as np

from tapeflow.base import dtypes, errors
from tapeflow.base.attributes import dense
from tapeflow.core.record.families import operand
from tapeflow.core.record.op import shape_of
from tapeflow.core.record.primitive_ops import concat, reshape, stack
from tapeflow.core.state import state
from tapeflow.core.values.convert import convert
from tapeflow.core.values.tensor import Tensor, wrap
from tapeflow.core.values.variable import Variable
from tapeflow.ops._support.arguments import agree, dtype_among, joined, sizes_of
from tapeflow.ops.array.one_hot import sequence_mask
from tapeflow.ops.array.ranges import range_
from tapeflow.ops.indexing.gathering import boolean_mask, gather, take
from tapeflow.ops.ragged.partition import RowPartition, as_kind, integer_tensor, known, partition
from tapeflow.ops.ragged.ragged_tensor import RaggedTensor, make
from tapeflow.ops.ragged.row_partition_ops import (
    dense_indices,
    dense_rows,
    padded_lengths,
    sparse_indices,
)
from tapeflow.ops.reduce.reduction import reduce_max


# -- from other tensors ----------------------------------------------------------------------------
def from_tensor(tensor: Any, lengths: Any, padding: Any, ragged_rank: int,
                row_splits_dtype: Any) -> RaggedTensor:
    dense("tensor", tensor)
    if lengths is not None and padding is not None:
        raise ValueError("Specify argument `lengths` or `padding`, but not both.")
    if not isinstance(ragged_rank, int):
        raise TypeError(f"Argument `ragged_rank` must be an int. Received {ragged_rank}.")
    if ragged_rank <= 0:
        raise ValueError(f"Argument `ragged_rank` must be greater than 0. Received {ragged_rank}.")
    kind = dtype_among(row_splits_dtype, "Shape", "out_type")
    x = operand(tensor)
    rank = len(shape_of(x))
    if rank <= ragged_rank:
        raise ValueError(f"Shape {x.shape} must have rank at least {ragged_rank + 1}")
    if lengths is not None and isinstance(lengths, (list, tuple)) and len(lengths) and not (
            isinstance(lengths[0], (int, np.integer))):
        return _by_nested_lengths(x, lengths, kind)
    if ragged_rank > 1:
        return _deeper(x, lengths, padding, ragged_rank, kind)
    if padding is not None:
        pad = operand(padding, x.dtype)
        if not agree(shape_of(pad), shape_of(x)[2:]):
            raise ValueError(f"Shapes {pad.shape} and {x.shape[2:]} are incompatible")
        lengths = padded_lengths(x, pad)
    sizes = sizes_of(x)
    if lengths is None:
        flat = reshape(x, shape=joined([-1 if None in shape_of(x)[:2] else sizes[0] * sizes[1],
                                        *sizes[2:]]))
        rows, length = [convert(n, kind) if isinstance(n, int) else as_kind(n, kind)
                        for n in sizes[:2]]
        return make(flat, partition(_regular(rows, length, sizes[0]), length))
    lengths = integer_tensor(lengths, "lengths", kind)
    if len(shape_of(lengths)) != 1:
        raise ValueError(f"Shape {lengths.shape} must have rank 1")
    if shape_of(lengths)[0] != shape_of(x)[0] and None not in (shape_of(lengths)[0], sizes[0]):
        raise errors.invalid("BooleanMask", f"lengths has shape {lengths.shape} and the tensor "
                                            f"{x.shape}")
    lengths = _bounded(lengths, sizes[1])
    values = boolean_mask(x, sequence_mask(lengths, sizes[1]))
    return make(values, RowPartition.from_row_lengths(lengths, validate=False))


def _regular(rows: Tensor, length: Tensor, static: Any) -> Tensor:
    splits = range_(rows + 1) * length
    if isinstance(static, int) and splits._interpreter is not None:
        splits.set_shape((static + 1,))
    return splits


def _bounded(lengths: Tensor, most: Any) -> Tensor:
    """Lengths within [0, most]."""
    from tapeflow.ops.math.comparison import maximum, minimum
    limit = convert(most, lengths.dtype) if isinstance(most, int) else as_kind(most, lengths.dtype)
    return maximum(minimum(lengths, limit), wrap(lengths.dtype.np.type(0)))


def _by_nested_lengths(x: Tensor, lengths: Any, kind: Any) -> RaggedTensor:
    """Lengths for each of several ragged dimensions; all but the last tell which rows count."""
    levels = [integer_tensor(one, "lengths", kind) for one in lengths]
    result, sizes = x, sizes_of(x)
    if len(levels) >= len(sizes):
        raise ValueError(f"Shape {x.shape} must have rank at least {len(levels) + 1}")
    for depth, one in enumerate(levels):
        array = known(one)
        if array is not None and array.size and array.min() < 0:
            raise errors.invalid("RaggedTensorToTensor", f"Invalid row split size: lengths {array}")
        if array is not None and array.size and isinstance(sizes[depth + 1], int) and (
                array.max() > sizes[depth + 1]):
            raise ValueError(f"lengths {array} do not fit into shape {x.shape}")
        mask = sequence_mask(one, sizes[depth + 1])
        result = boolean_mask(result, mask)
    return RaggedTensor.from_nested_row_lengths(result, levels, validate=False)


def _deeper(x: Tensor, lengths: Any, padding: Any, ragged_rank: int, kind: Any) -> RaggedTensor:
    """The outer dimensions are regular; only the last ragged one loses anything."""
    sizes = sizes_of(x)
    outer = sizes[:ragged_rank]
    flat = reshape(x, shape=joined([_product(outer), *sizes[ragged_rank:]]))
    inner = from_tensor(flat, lengths, padding, 1, kind)
    for level in reversed(range(1, ragged_rank)):
        rows = _product(sizes[:level])
        rows, length = [convert(n, kind) if isinstance(n, int) else as_kind(n, kind)
                        for n in (rows, sizes[level])]
        inner = make(inner, partition(_regular(rows, length, None), length))
    return inner


def _product(sizes: list) -> Any:
    total: Any = 1
    for n in sizes:
        total = total * n
    return total


def from_sparse(st_input: Any, row_splits_dtype: Any) -> RaggedTensor:
    from tapeflow.ops.sparse.sparse_tensor import SparseTensor
    kind = dtypes.as_dtype(row_splits_dtype)
    if kind not in (dtypes.int32, dtypes.int64):
        raise ValueError(f"Argument `row_splits_dtype` must be int32 or int64. Received {kind}.")
    if not isinstance(st_input, SparseTensor):
        raise TypeError("Argument `st_input` must be of type SparseTensor, but is of type "
                        f"{type(st_input).__name__}.")
    if st_input.shape.rank != 2:
        raise ValueError(f"rank(st_input) must be 2, got shape {st_input.shape}")
    coords = known(st_input.indices)
    if coords is not None and coords.size:
        row, column = coords[:, 0], coords[:, 1]
        follows = (row[1:] == row[:-1]) & (column[1:] == column[:-1] + 1)
        opens = (row[1:] > row[:-1]) & (column[1:] == 0)
        if column[0] != 0 or not bool((follows | opens).all()):
            raise errors.invalid("Assert", "SparseTensor is not right-ragged: the values of each "
                                           "row must stand at its beginning, in order")
    rows = as_kind(st_input.indices[:, 0], kind)
    return RaggedTensor.from_value_rowids(
        st_input.values, rows, as_kind(st_input.dense_shape[0], kind), validate=False)


# -- to other tensors ------------------------------------------------------------------------------
def to_tensor(rt: RaggedTensor, default_value: Any, shape: Any) -> Tensor:
    flat = rt.flat_values
    levels = rt.nested_row_splits
    depth = len(levels) + 1
    wanted = _wanted_shape(shape, rt)
    if default_value is None:
        default = wrap(_zero(rt.dtype.np))
    else:
        default = operand(default_value, None if isinstance(default_value, Tensor) else rt.dtype)
        if default.dtype != rt.dtype:
            raise errors.invalid("RaggedTensorToTensor", f"default_value has dtype "
                                 f"{default.dtype.name}, the values {rt.dtype.name}")
        if shape_of(default) and len(shape_of(default)) >= len(shape_of(flat)):
            raise errors.invalid("RaggedTensorToTensor", (
                f"default_value.shape={default.shape} and rt_input.flat_values.shape={flat.shape} "
                "are incompatible: default_value must have the smaller rank"))
    sizes = [n if n is not None else rt.shape.as_list()[i] for i, n in enumerate(wanted[:depth])]
    if depth == 2 and state.recorder is None and type(flat) is type(default) is type(
            levels[0]) is Tensor and shape_of(default) in ((), shape_of(flat)[1:]):
        filled = dense_rows(flat._value, levels[0]._value, default._value, tuple(sizes))
        return _fit(wrap(filled), wanted, depth, default)  # nobody asks how it was made
    indices = dense_indices(*levels, shape=tuple(sizes))
    inner = sizes_of(flat)[1:]
    from tapeflow.ops.array.shaping import broadcast_to
    row = broadcast_to(default, joined([1, *inner]))
    result = take(concat(flat, row, axis=0), indices, axis=0, batch_dims=0)
    return _fit(result, wanted, depth, default)


def _zero(dtype: np.dtype) -> Any:
    if dtype.kind != "O":
        return dtype.type(0)
    empty = np.empty((), object)
    empty[()] = b""
    return empty


def _wanted_shape(shape: Any, rt: RaggedTensor) -> list:
    rank = rt.shape.rank or len(rt.nested_row_splits) + 1
    if shape is None:
        return [None] * rank
    if isinstance(shape, Tensor):
        value = known(shape)
        if value is None:
            raise ValueError("RaggedTensor.to_tensor: `shape` must be known while tracing.")
        sizes = [None if n < 0 else int(n) for n in np.atleast_1d(value)]
    elif hasattr(shape, "as_list"):
        sizes = shape.as_list() if shape.rank is not None else [None] * rank
    elif isinstance(shape, Variable) and not shape.dtype.is_integer:
        raise TypeError(f"Failed to convert {shape!r} to a shape.")
    else:
        sizes = [None if n is None or int(n) == -1 else int(n) for n in shape]
        if any(n is not None and n < 0 for n in sizes):
            raise ValueError(f"Dimension {min(n for n in sizes if n is not None)} must be >= 0")
    if len(sizes) != rank:
        raise ValueError(f"Shape must be rank {rank} but is rank {len(sizes)}")
    return sizes


def _fit(x: Tensor, wanted: list, depth: int, default: Tensor) -> Tensor:
    """Uniform inner dimensions cut or filled to the sizes that were asked for."""
    for axis in range(depth, len(wanted)):
        size, now = wanted[axis], shape_of(x)[axis]
        if size is None or now == size:
            continue
        if now is not None and now > size:
            x = x[(slice(None),) * axis + (slice(0, size),)]
        else:
            from tapeflow.ops.array.shaping import broadcast_to
            sizes = sizes_of(x)
            more = broadcast_to(default, joined([*sizes[:axis], size - sizes[axis],
                                                 *sizes[axis + 1:]]))
            x = concat(x, more, axis=axis)
    return x


def to_sparse(rt: RaggedTensor) -> Any:
    from tapeflow.ops.sparse.sparse_tensor import SparseTensor
    flat = rt.flat_values
    if len(shape_of(flat)) > 1:
        inner = from_tensor(flat, None, None, len(shape_of(flat)) - 1, rt.row_splits.dtype)
        rt = rt.with_flat_values(inner)
    indices, shape = sparse_indices(*rt.nested_row_splits)
    return SparseTensor(indices, rt.flat_values, shape)


# -- sizes -----------------------------------------------------------------------------------------
def row_lengths(rt: RaggedTensor, axis: int) -> Any:
    axis = positive_axis(axis, rt.shape.rank)
    if axis == 0:
        return rt.nrows()
    if axis == 1:
        return rt._partition.row_lengths()
    if isinstance(rt.values, RaggedTensor):
        return rt.with_values(row_lengths(rt.values, axis - 1))
    sizes = sizes_of(rt.values)
    kind = rt._partition.dtype
    from tapeflow.ops.array.shaping import broadcast_to
    size = convert(sizes[axis - 1], kind) if isinstance(sizes[axis - 1], int) else as_kind(
        sizes[axis - 1], kind)
    return rt.with_values(broadcast_to(size, joined(sizes[:axis - 1])))


def positive_axis(axis: Any, rank: int | None, name: str = "axis") -> int:
    """An axis counted from the front."""
    if not isinstance(axis, int):
        raise TypeError(f"{name} must be an int; got {type(axis).__name__}")
    if rank is None:
        if axis < 0:
            raise ValueError(f"{name}={axis} may only be negative if the rank is statically known.")
        return int(axis)
    if not -rank <= axis < rank:
        raise ValueError(f"{name}={axis} out of bounds: expected {-rank}<={name}<{rank}")
    return int(axis) % rank


def bounding_shape(rt: RaggedTensor, axis: Any, kind: Any) -> Tensor:
    rows = as_kind(rt.nrows(), kind)
    if isinstance(axis, int) and axis == 0:
        return rows
    sizes = [rows]
    for one in rt._nested_row_partitions:
        lengths = one.row_lengths()
        most = reduce_max(concat(lengths, wrap(np.zeros(1, lengths.dtype.np)), axis=0), axis=None)
        sizes.append(as_kind(most, kind))
    for n in sizes_of(rt.flat_values)[1:]:
        sizes.append(convert(n, kind) if isinstance(n, int) else as_kind(n, kind))
    if axis is None:
        return stack(*sizes, axis=0)
    if isinstance(axis, (int, np.integer)):
        if not 0 <= axis < len(sizes):
            raise errors.invalid("GatherV2", f"indices = {axis} is not in [0, {len(sizes)})")
        return sizes[axis]
    return gather(stack(*sizes, axis=0), axis)


# -- axes made one ---------------------------------------------------------------------------------
def merge_dims(rt: Any, outer_axis: int, inner_axis: int) -> Any:
    rank = rt.shape.rank
    outer = positive_axis(outer_axis, rank, "outer_axis")
    inner = positive_axis(inner_axis, rank, "inner_axis")
    if outer > inner:
        raise ValueError(f"Expected outer_axis ({outer_axis}) to be less than or equal to "
                         f"inner_axis ({inner_axis})")
    return _merge(rt, outer, inner)


def _merge(rt: Any, outer: int, inner: int) -> Any:
    if outer == inner:
        return rt
    if not isinstance(rt, RaggedTensor):
        sizes = sizes_of(rt)
        return reshape(rt, shape=joined([*sizes[:outer], -1, *sizes[inner + 1:]]))
    if outer > 1:
        return rt.with_values(_merge(rt.values, outer - 1, inner - 1))
    if outer == 0:
        return _merge(rt.values, 0, inner - 1)
    values = rt.values
    if isinstance(values, RaggedTensor):
        joined_rows = make(values.values, partition(gather(values.row_splits, rt.row_splits)))
        return _merge(joined_rows, 1, inner - 1)
    sizes = sizes_of(values)
    length = _product(sizes[1:inner])
    length = convert(length, rt.row_splits.dtype) if isinstance(length, int) else as_kind(
        length, rt.row_splits.dtype)
    flat = reshape(values, shape=joined([-1 if None in shape_of(values)[:inner] else _product(
        sizes[:inner]), *sizes[inner:]]))
    return make(flat, partition(rt.row_splits * length))


def at_least_ragged(x: Any, ragged_rank: int, kind: Any) -> Any:
    """The same tensor with that many ragged dimensions, or more."""
    if isinstance(x, RaggedTensor):
        if x.ragged_rank >= ragged_rank:
            return x
        return x.with_values(at_least_ragged(x.values, ragged_rank - 1, kind))
    return x if ragged_rank <= 0 else from_tensor(x, None, None, ragged_rank, kind)

