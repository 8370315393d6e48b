"""rt[...]: rows by index or slice, slices of every row, new axes.

One element of each row cannot be picked: some rows may lack it.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from tapeflow.base import errors
from tapeflow.core.record.families import operand
from tapeflow.core.record.primitive_ops import concat
from tapeflow.core.state import state
from tapeflow.core.values.tensor import Tensor, wrap
from tapeflow.core.values.variable import Variable
from tapeflow.ops.math.comparison import maximum, minimum
from tapeflow.ops.ragged.moving import gather_any
from tapeflow.ops.ragged.partition import RowPartition, as_kind, known, partition
from tapeflow.ops.ragged.ragged_tensor import RaggedTensor, make, rows_of
from tapeflow.ops.ragged.row_partition_ops import ranges

_ALL = slice(None)


def getitem(rt: RaggedTensor, keys: list) -> Any:
    if not keys:
        return rt
    first, rest = keys[0], keys[1:]
    if first is Ellipsis:
        return getitem(rt, _filled(keys, rt.shape.rank))
    if first is None:
        inner = getitem(rt, rest)
        rows = rows_of(inner, rt.row_splits.dtype)
        return make(inner, RowPartition.from_uniform_row_length(rows, rows, 1, validate=False))
    if isinstance(first, slice):
        return _inner(_rows(rt, first), rest)
    index = _index(first)
    splits = rt.row_splits
    count = rt._partition.static_nrows
    if isinstance(index, int) and count is not None and not -count <= index < count:
        if index >= count:
            kind = IndexError if state.trace is None else ValueError  # as in TensorFlow
            raise kind(f"Row key {index} out of bounds")
        raise errors.invalid("StridedSlice", f"slice index {index} of dimension 0 out of bounds.")
    starts, limits = splits[:-1], splits[1:]
    row = _between(rt.values, starts[index], limits[index])
    if not rest:
        return row
    return getitem(row, rest) if isinstance(row, RaggedTensor) else row[tuple(rest)]


def _between(values: Any, start: Any, limit: Any) -> Any:
    """The rows of values from start to limit, which may be scalars of a trace."""
    a, b = known(start), known(limit)
    if a is not None and b is not None:
        start, limit = int(a), int(b)
    return values[start:limit]


def _index(key: Any) -> Any:
    if isinstance(key, (bool, str, bytes, float, list)):
        raise TypeError(f"Ragged __getitem__: an index must be an integer, got {key!r}")
    if isinstance(key, (int, np.integer)):
        return int(key)
    if isinstance(key, RaggedTensor):
        raise key._refusal()
    tensor = operand(key)
    value = known(tensor)
    if value is None:
        return tensor
    if value.ndim or value.dtype.kind not in "iu":
        raise TypeError(f"Ragged __getitem__: an index must be an integer scalar, got {key!r}")
    return int(value)


def _filled(keys: list, rank: int | None) -> list:
    if rank is None:
        raise ValueError("Ellipsis not supported for unknown shape RaggedTensors")
    taken = sum(1 for key in keys if key is not None) - 1
    if taken > rank:
        raise IndexError("Too many indices for RaggedTensor")
    return [_ALL] * (rank - taken) + keys[1:]


# -- slices of rows --------------------------------------------------------------------------------
def _rows(rt: RaggedTensor, key: slice) -> RaggedTensor:
    if key == _ALL:
        return rt
    splits = rt.row_splits
    starts, limits = splits[:-1][key], splits[1:][key]
    if key.step in (None, 1):
        zero = wrap(np.zeros(1, splits.dtype.np))
        count = known(starts)
        if count is not None and not count.size:
            new = zero
        elif count is not None or starts.shape[0]:
            new = concat(starts[:1], limits, axis=0)
        else:
            from tapeflow.ops.array.shape_ops import size
            new = concat(zero[size(starts):], starts[:1], limits, axis=0)
        values = _between(rt.values, new[0], new[-1])
        cut = partition(new - new[0])
    else:
        values, cut = _gathered(rt.values, starts, limits, 1, splits.dtype)
    length = rt.uniform_row_length
    return make(values, cut if length is None else partition(cut.row_splits(), length))


def _gathered(values: Any, starts: Any, limits: Any, step: Any, kind: Any) -> tuple:
    """Ranges of values as rows: (values, partition)."""
    splits, indices = ranges(starts, limits, as_kind(operand(step), starts.dtype))
    return gather_any(values, indices), partition(as_kind(splits, kind))


# -- slices of every row ---------------------------------------------------------------------------
def _inner(rt: Any, keys: list) -> Any:
    if not keys:
        return rt
    if not isinstance(rt, RaggedTensor):
        return rt[(_ALL, *keys)]
    first, rest = keys[0], keys[1:]
    if first is Ellipsis:
        rank = rt.shape.rank
        return _inner(rt, _filled(keys, None if rank is None else rank - 1))
    if first is None:
        inner = _inner(rt, rest)
        one = wrap(rt.row_splits.dtype.np.type(1))
        rows = rows_of(inner, rt.row_splits.dtype)
        return make(inner, RowPartition.from_uniform_row_length(one, rows, rows, validate=False))
    if isinstance(first, slice):
        if first == _ALL:
            return rt.with_values(_inner(rt.values, rest))
        sliced = _columns(rt, first)
        return sliced.with_values(_inner(sliced.values, rest))
    length = rt.uniform_row_length
    if length is None:
        raise ValueError("Cannot index into an inner ragged dimension.")
    return _inner(_column(rt, _index(first), length), rest)


def _column(rt: RaggedTensor, index: Any, length: Tensor) -> Any:
    """One element of every row, where rows have one length."""
    size = known(length)
    if isinstance(index, int) and size is not None and not -size <= index < size:
        raise errors.invalid("Assert", "Index out of bounds when indexing into a ragged tensor: "
                                       f"{index} of {size}")
    position = as_kind(operand(index), length.dtype)
    if isinstance(index, int) and index < 0:
        position = position + length
    return gather_any(rt.values, rt.row_splits[:-1] + position)


def _columns(rt: RaggedTensor, key: slice) -> RaggedTensor:
    for bound in (key.start, key.stop):
        if bound is not None and not isinstance(bound, (int, np.integer, Tensor, Variable)):
            raise TypeError("slice offsets must be integers or None")
    splits = rt.row_splits
    starts, limits = splits[:-1], splits[1:]
    step = 1 if key.step is None else key.step
    if not isinstance(step, (int, np.integer)):
        value = known(operand(step))
        if value is None:
            raise ValueError("Ragged __getitem__: the step of a slice must be known while tracing.")
        step = int(value)
    if not step:
        raise ValueError("slice step cannot be zero")
    ahead = step > 0
    low, high = (starts, limits) if ahead else (starts - 1, limits - 1)
    begin = (low if ahead else high) if key.start is None else _bound(key.start, rt, low, high)
    end = (high if ahead else low) if key.stop is None else _bound(key.stop, rt, low, high)
    values, cut = _gathered(rt.values, begin, end, step, splits.dtype)
    size = known(rt.uniform_row_length)
    if size is not None and all(bound is None or isinstance(bound, int) for bound in (
            key.start, key.stop)):
        length = len(range(*key.indices(int(size))))
        cut = partition(cut.row_splits(), wrap(splits.dtype.np.type(length)))
    return make(values, cut)


def _bound(bound: Any, rt: RaggedTensor, low: Tensor, high: Tensor) -> Tensor:
    """A bound in every row: counted from its start or, if negative, its end; kept inside."""
    splits = rt.row_splits
    offset = as_kind(operand(bound), splits.dtype)
    value = known(offset)
    if value is not None:
        position = splits[:-1] + offset if value >= 0 else splits[1:] + offset
    else:
        from tapeflow.ops.indexing.gathering import where
        position = where(offset >= 0, splits[:-1] + offset, splits[1:] + offset)
    return maximum(minimum(position, high), low)
