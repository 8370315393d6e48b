"""Taking sets apart and putting them together: partition, stitch, unique, searchsorted.

Results whose size depends on values. May be imported by `api` and by other modules of `ops`.
"""

from __future__ import annotations

from collections import namedtuple
from math import prod
from typing import Any

import numpy as np

from tapeflow.base import dtypes, errors
from tapeflow.base.attributes import attributes, listed, whole
from tapeflow.base.exports import export
from tapeflow.core.record.families import operand
from tapeflow.core.record.linear import move
from tapeflow.core.record.op import NONDIFF, Spec, define, shape_of, value_of
from tapeflow.core.record.primitive_ops import all_batched, concat, dims, reshape, transpose
from tapeflow.core.record.samples import Case, ints
from tapeflow.core.values.convert import convert
from tapeflow.core.values.tensor import Tensor, wrap
from tapeflow.ops._support.arguments import (
    agree,
    alike,
    brackets,
    differing,
    dtype_among,
    int_vector,
    integers,
    joined,
    sizes_of,
    wrong_kind,
)
from tapeflow.ops.indexing.gathering import take

_INT32 = np.dtype("int32")
_INTEGER = "what depends on order or equality of numbers is an integer: it has no gradient"


# -- partition and stitch --------------------------------------------------------------------------
def _partition_kernel(x, partitions, num):
    rank = np.ndim(partitions)
    flat = np.asarray(partitions).ravel()
    if np.count_nonzero(flat.view(f"u{flat.itemsize}") < num) < flat.size:
        bad = np.flatnonzero((flat < 0) | (flat >= num))
        where = brackets(np.unravel_index(bad[0], np.shape(partitions)))
        raise errors.invalid("DynamicPartition", f"partitions{where} = {flat[bad[0]]} is not in "
                                                 f"[0, {num})")
    rows = np.asarray(x).reshape((flat.size, *x.shape[rank:]))
    # Sorted by their parts, the rows of each lie together.
    rows = rows.take(flat.argsort(kind="stable"), 0)
    parts, end = [], 0
    for count in np.bincount(flat, minlength=num).tolist():
        parts.append(rows[end:end + count])
        end += count
    return tuple(parts)


def _partition_shape(x: Spec, partitions: Spec, num: int) -> tuple:
    if x.shape is None or partitions.shape is None:
        return (Spec(None, x.dtype),) * num
    return (Spec((None, *x.shape[len(partitions.shape):]), x.dtype),) * num


def _partition_vjp(g, y, x, partitions, num):
    """Row i of the operand went to row rank(i) of the joined parts: take it back from there."""
    count = shape_of(partitions)
    rows = take(concat(*g, axis=0) if num > 1 else g[0], reshape(
        _ranks(reshape(partitions, shape=(-1,))), shape=count), axis=0, batch_dims=0)
    return reshape(rows, shape=dims(x))


def _partition_batch(call, size, xs, batched, attrs):
    """The batch axis goes behind the partitioned ones, and back to the front of each part."""
    if batched[1]:
        raise ValueError("tf.dynamic_partition: the parts would have different sizes for the "
                         "elements of a batch, which tf.vectorized_map cannot hold.")
    x, partitions = xs
    rank, depth = len(shape_of(x)), len(shape_of(partitions))
    moved = transpose(x, perm=(*range(1, depth + 1), 0, *range(depth + 1, rank)))
    parts = call(moved, partitions, **attrs)
    return tuple([transpose(part, perm=(1, 0, *range(2, len(shape_of(part))))) for part in parts])


dynamic_partition_op = define(
    "dynamic_partition", kernel=_partition_kernel, shape=_partition_shape,
    vjp=(_partition_vjp, None), batch=_partition_batch, multi=True,
    jvp=lambda ts, y, x, partitions, num: dynamic_partition_op(ts[0], partitions, num=num),
    saves="in1 out", args=("data", "partitions"), kind="move",
    check=[Case((5, 2), np.array([0, 1, 0, 2, 1], np.int32), num=3),
           Case((2, 2), np.array([[0, 1], [1, 0]], np.int32), num=2)])


def _ranks_kernel(keys):
    """Where a stable sort along the last axis puts each key."""
    return np.argsort(np.argsort(keys, kind="stable"), kind="stable")


_ranks = define("ranks", kernel=_ranks_kernel, dtypes="iu", vjp=NONDIFF(_INTEGER), args=("keys",),
                shape=lambda keys: Spec(keys.shape, np.dtype("int64")),
                batch=lambda call, size, xs, batched, attrs: call(*xs),
                check=[Case(ints(3, (5,)))])


@export("dynamic_partition")
@attributes(num_partitions=whole)
def dynamic_partition(data: Any, partitions: Any, num_partitions: int,
                      name: str | None = None) -> list:
    """Slices of `data`, sorted into `num_partitions` tensors by the index given for each."""
    x = operand(data)
    ids = convert(partitions, dtypes.int32)
    if num_partitions < 1:
        raise errors.invalid("DynamicPartition", f"Value for attr 'num_partitions' of "
                                                 f"{num_partitions} must be at least minimum 1")
    shape, wanted = shape_of(x), shape_of(ids)
    if not agree(shape[:len(wanted)], wanted):
        raise errors.invalid("DynamicPartition", (
            f"data.shape must start with partitions.shape, got data.shape = {brackets(shape)}, "
            f"partitions.shape = {brackets(wanted)}"))
    return list(dynamic_partition_op(x, ids, num=num_partitions))


def _stitch_kernel(x, indices):
    """Row `indices[i]` of the result is row i; a later one overwrites an earlier one."""
    if 0 < indices.size <= 32:
        listed = indices.tolist()
        low, high = min(listed), max(listed)
    else:
        low, high = (int(indices.min()), int(indices.max())) if indices.size else (0, -1)
    rows = high + 1
    if low < 0:
        raise errors.invalid("DynamicStitch", f"indices[{int(indices.argmin())}] is out of range")
    out = np.zeros((rows, *x.shape[1:]), x.dtype)
    out[indices] = x
    return out


def _stitch_batch(call, size, xs, batched, attrs):
    """The batch axis goes behind the rows; indices that differ are moved apart by whole blocks."""
    x, indices = xs
    if not batched[1]:
        moved = transpose(x, perm=(1, 0, *range(2, len(shape_of(x)))))
        y = call(moved, indices)
        return transpose(y, perm=(1, 0, *range(2, len(shape_of(y)))))
    x, indices = all_batched(xs, batched, size)
    values = value_of(indices)
    rows = int(values.max()) + 1
    if any(int(own.max()) + 1 != rows for own in values):
        raise ValueError("tf.dynamic_stitch: the results would have different sizes for the "
                         "elements of a batch, which tf.vectorized_map cannot hold.")
    apart = wrap(values + np.arange(size, dtype=values.dtype)[:, None] * rows)
    y = call(reshape(x, shape=(-1, *shape_of(x)[2:])), reshape(apart, shape=(-1,)))
    return reshape(y, shape=(size, rows, *shape_of(x)[2:]))


_stitch = move("dynamic_stitch", _stitch_kernel, args=("data", "indices"),
               shape=lambda x, indices: Spec(
                   None if x.shape is None else (None, *x.shape[1:]), x.dtype),
               vjp=lambda g, y, x, indices: take(g, indices, axis=0, batch_dims=0),
               batch=_stitch_batch,
               check=[Case((4, 2), np.array([2, 0, 3, 1], np.int32)),
                      Case((3,), np.array([0, 4, 2], np.int32))])


@export("dynamic_stitch")
def dynamic_stitch(indices: Any, data: Any, name: str | None = None) -> Tensor:
    """The rows of several tensors in one, each at its index; of two at one index the later wins.

    The gradient reaches overwritten rows too, as in TensorFlow.
    """
    if isinstance(data, (np.ndarray, dict)):
        listed("data", data)
    if len(indices) != len(data):
        raise ValueError(f"List argument 'data' to 'dynamic_stitch' Op with length {len(data)} "
                         f"must match length {len(indices)} of argument 'indices'.")
    if not len(indices):
        raise errors.invalid("DynamicStitch", "tf.dynamic_stitch needs at least one tensor: "
                                              "indices is empty")
    positions = [i if isinstance(i, Tensor) else convert(i, dtypes.int32) for i in indices]
    values = alike(list(data))
    flat_positions, flat_values, rest = [], [], None
    for n, (i, x) in enumerate(zip(positions, values, strict=True)):
        if i.dtype is not dtypes.int32:
            raise differing(_stitch.op, n, _INT32, i.dtype.np)
        own, shape = shape_of(i), shape_of(x)
        if not agree(shape[:len(own)], own):
            raise errors.invalid("DynamicStitch", f"data[{n}].shape = {brackets(shape)} does not "
                                                  f"start with indices[{n}].shape = "
                                                  f"{brackets(own)}")
        inner = shape[len(own):]
        if rest is not None and not agree(inner, rest):
            raise errors.invalid("DynamicStitch", (
                f"Need data[0].shape[{len(shape_of(positions[0]))}:] = "
                f"data[{n}].shape[{len(own)}:], "
                f"got {brackets(rest)} and {brackets(inner)}"))
        rest = inner
        if len(own) != 1:
            i = reshape(i, shape=(-1,))
            x = reshape(x, shape=joined([*_count(own), *sizes_of(x)[len(own):]]))
        flat_positions.append(i)
        flat_values.append(x)
    if len(positions) == 1:
        return _stitch(flat_values[0], flat_positions[0])
    return _stitch(concat(*flat_values, axis=0), concat(*flat_positions, axis=0))


def _count(shape: tuple) -> tuple:
    """The number of elements, as the first size of a reshape."""
    return (-1,) if None in shape else (prod(shape),)


# -- sets ------------------------------------------------------------------------------------------
Unique = namedtuple("Unique", ["y", "idx"])
UniqueWithCounts = namedtuple("UniqueWithCounts", ["y", "idx", "count"])


def _unique_kernel(x, dtype):
    """Values in the order of their first occurrence."""
    if x.size > 64 and x.dtype.kind in "iu":
        low, high = int(x.min()), int(x.max())
        if high - low <= 4 * x.size:
            return _unique_within(x, low, high + 1 - low, dtype)
    if x.size <= 512:
        seen = {}
        inverse = [seen.setdefault(value, len(seen)) for value in x.tolist()]
        return (np.array(list(seen), x.dtype), np.array(inverse, dtype),
                np.bincount(np.array(inverse, np.int64), minlength=len(seen)).astype(dtype))
    values, first, inverse, counts = np.unique(
        x, return_index=True, return_inverse=True, return_counts=True, equal_nan=False)
    order = np.argsort(first, kind="stable")
    inverse = _ranks_kernel(first)[inverse]
    return values[order], inverse.astype(dtype), counts[order].astype(dtype)


def _unique_within(x, low, span, dtype):
    """The same for integers of a small range, without sorting them. Sums may go round: they are
    right modulo the size of the dtype.
    """
    least = x.dtype.type(low)
    offsets = (x - least).view(f"u{x.itemsize}").astype(np.int64)
    counts = np.bincount(offsets, minlength=span)
    first = np.empty(span, np.int64)
    first[offsets[::-1]] = np.arange(x.size - 1, -1, -1)  # the last one written stays
    found = counts.nonzero()[0]
    order = found.take(first.take(found).argsort(kind="stable"))
    index_of = np.empty(span, dtype)
    index_of[order] = np.arange(len(order))
    return order.astype(x.dtype) + least, index_of.take(offsets), counts.take(order).astype(dtype)


def _unique_shape(x: Spec, dtype: Any) -> tuple:
    return Spec((None,), x.dtype), Spec(x.shape, dtype), Spec((None,), dtype)


def _no_gradient(g, y, x, dtype):
    raise LookupError("gradient registry has no entry for: Unique (tf.unique and "
                      "tf.unique_with_counts have no gradient)")


def _unique_batch(call, size, xs, batched, attrs):
    raise ValueError("tf.unique: the results would have different sizes for the elements of a "
                     "batch, which tf.vectorized_map cannot hold.")


_unique = define("unique", kernel=_unique_kernel, shape=_unique_shape, multi=True, saves="out",
                 vjp=(_no_gradient,), batch=_unique_batch, dtypes="fViubO",
                 check=[Case(ints(4, (6,)), dtype=_INT32, grad=False)])


def _unique_of(x: Any, out_idx: Any, op: str) -> tuple:
    values = operand(x)
    kind = dtypes.as_dtype(out_idx)
    if kind is not dtypes.int32 and kind is not dtypes.int64:
        raise wrong_kind(op, "out_idx", kind)
    if values.dtype.kind == "c":
        raise errors.NotFoundError(None, None, f"Could not find device for node: {op} of dtype "
                                               f"{values.dtype.name} [Op:{op}]")
    if len(shape_of(values)) != 1:
        raise errors.invalid(op, "unique expects a 1D vector.")
    return _unique(values, dtype=kind.np)


@export("unique")
def unique(x: Any, out_idx: Any = dtypes.int32, name: str | None = None) -> Unique:
    """The distinct values of a vector, and for each element the index of its value."""
    y, idx, _ = _unique_of(x, out_idx, "Unique")
    return Unique(y, idx)


@export("unique_with_counts")
def unique_with_counts(x: Any, out_idx: Any = dtypes.int32,
                       name: str | None = None) -> UniqueWithCounts:
    """As tf.unique, and how often each value occurs."""
    return UniqueWithCounts(*_unique_of(x, out_idx, "UniqueWithCounts"))


# -- order -----------------------------------------------------------------------------------------
def _searchsorted_kernel(sequence, values, side, dtype):
    """Row by row; both have two axes. NaN compares as false: it comes first on the left."""
    rows = [row.searchsorted(sought, side) for row, sought in zip(sequence, values, strict=True)]
    found = np.array(rows, dtype).reshape(values.shape)
    return np.where(values == values, found, dtype.type(0)) if side == "left" else found


def _searchsorted_batch(call, size, xs, batched, attrs):
    sequence, values = all_batched(xs, batched, size)
    (_, rows, n), m = shape_of(sequence), shape_of(values)[2]
    found = call(reshape(sequence, shape=(size * rows, n)), reshape(values, shape=(size * rows, m)),
                 **attrs)
    return reshape(found, shape=(size, rows, m))


_searchsorted = define("searchsorted", kernel=_searchsorted_kernel, dtypes="fViu",
                       shape=lambda sequence, values, side, dtype: Spec(values.shape, dtype),
                       vjp=NONDIFF(_INTEGER), batch=_searchsorted_batch,
                       args=("sequence", "values"), tf_name="LowerBound",
                       check=[Case([[1.0, 2.0, 4.0]], (1, 3), side="left", dtype=_INT32),
                              Case([[1.0, 2.0], [0.0, 3.0]], (2, 2), side="right", dtype=_INT32)])


@export("searchsorted")
def searchsorted(sorted_sequence: Any, values: Any, side: str = "left",
                 out_type: Any = dtypes.int32, name: str | None = None) -> Tensor:
    """Where `values` would be inserted into the sorted last axis of `sorted_sequence`."""
    sequence, sought = operand(sorted_sequence), operand(values)
    if side not in ("left", "right"):
        raise ValueError(f"Argument `side` must be either 'right' or 'left'. Received: `side` = "
                         f"'{side}'.")
    bound = "LowerBound" if side == "left" else "UpperBound"
    if not shape_of(sequence) or not shape_of(sought):
        raise errors.invalid("StridedSlice", "tf.searchsorted: both arguments need at least one "
                                             "axis. slice index -1 of dimension 0 out of bounds.")
    if sequence.dtype != sought.dtype:
        raise differing(_searchsorted.op, 1, sequence.dtype.np, sought.dtype.np)
    if sequence.dtype.kind in "Obc":
        raise errors.NotFoundError(None, None, f"Could not find device for node: {bound} of dtype "
                                               f"{sequence.dtype.name} [Op:{bound}]")
    kind = dtype_among(out_type, bound, "out_type")
    known = None not in shape_of(sequence)[:-1] + shape_of(sought)[:-1]
    if known and prod(shape_of(sequence)[:-1]) != prod(shape_of(sought)[:-1]):
        raise errors.invalid(bound, "Leading dim_size of both tensors must match.")
    found = _searchsorted(_in_rows(sequence), _in_rows(sought), side=side, dtype=kind.np)
    return reshape(found, shape=joined(sizes_of(sought)))


def _in_rows(x: Tensor) -> Tensor:
    """All axes but the last as one."""
    *rows, last = sizes_of(x)
    return reshape(x, shape=joined([prod(rows), last]))


def _invert_kernel(x):
    """Along the last axis."""
    n = x.shape[-1]
    inverse = np.argsort(x, axis=-1, kind="stable")
    if not np.array_equal(np.take_along_axis(x, inverse, -1), np.broadcast_to(
            np.arange(n, dtype=x.dtype), x.shape)):
        outside = x[(x < 0) | (x >= n)]
        raise errors.invalid("InvertPermutation", f"{outside.flat[0]} is not between 0 and {n}"
                             if outside.size else "a number is duplicated in the input.")
    return inverse.astype(x.dtype)


_invert = define("invert_permutation", kernel=_invert_kernel, shape=lambda x: x, dtypes="iu",
                 vjp=NONDIFF(_INTEGER), batch=lambda call, size, xs, batched, attrs: call(*xs),
                 check=[Case(np.array([2, 0, 1, 3], np.int32))])


@export("math.invert_permutation")
def invert_permutation(x: Any, name: str | None = None) -> Tensor:
    """The permutation that undoes x."""
    wide = operand(x)  # int64 where int32 would lose digits
    order = integers(wide if wide.dtype == dtypes.int64 else operand(x, hint=dtypes.int32),
                     "InvertPermutation", "T")
    if len(shape_of(order)) != 1:
        raise errors.invalid("InvertPermutation", "invert_permutation expects a 1D vector.")
    return _invert(order)


def _unravel_kernel(indices, shape):
    size = int(np.prod(shape, dtype=np.int64))
    if np.size(indices) and (np.min(indices) < 0 or np.max(indices) >= size):
        raise errors.invalid("UnravelIndex", "index is out of bound as with dims")
    return np.array(np.unravel_index(indices, shape), indices.dtype)


_unravel = define("unravel_index", kernel=_unravel_kernel, dtypes="iu", vjp=NONDIFF(_INTEGER),
                  shape=lambda i, shape: Spec(
                      None if i.shape is None else (len(shape), *i.shape), i.dtype),
                  batch=lambda call, size, xs, batched, attrs: transpose(
                      call(xs[0], **attrs), perm=(1, 0, *range(2, 1 + len(shape_of(xs[0]))))),
                  args=("indices",), check=[Case(ints(6, (4,)), shape=(2, 3)),
                                            Case(ints(6, ()), shape=(2, 3))])


@export("unravel_index")
def unravel_index(indices: Any, dims: Any,
                  name: str | None = None) -> Tensor:
    """Positions in a flattened tensor as coordinates in the shape `dims`, one row an axis."""
    flat = integers(indices, "UnravelIndex", "Tidx")
    if len(shape_of(flat)) > 1:
        raise errors.invalid("UnravelIndex", "The indices can only be scalar or vector, got "
                                             f"{brackets(shape_of(flat))}")
    if 0 in shape_of(flat):
        raise errors.invalid("UnravelIndex", "received empty tensor indices")
    shape = int_vector(dims, "UnravelIndex", "Tidx")
    if type(shape) is tuple and prod(shape) > np.iinfo(flat.dtype.np).max:
        raise errors.invalid("UnravelIndex", f"the product of dims {brackets(shape)} is beyond "
                                             f"{flat.dtype.name}")
    return _unravel(flat, shape=shape)

