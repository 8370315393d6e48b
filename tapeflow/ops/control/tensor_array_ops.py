"""The ops behind TensorArray in a graph: a buffer with one row an element.

`array_write` gives the buffer with one row replaced; with `grow` it becomes as long as the index
needs. `array_clear` is the gradient's part for the buffer: the row is zero, the new rows are cut
off.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from tapeflow.base import errors
from tapeflow.core.autodiff.batching import loop
from tapeflow.core.record.lowering_forms import Expand, Scatter
from tapeflow.core.record.op import ANY, NUMERIC, Spec, define, shape_of
from tapeflow.core.record.primitive_ops import (
    broadcast_to,
    constant_like,
    dims,
    size_along,
    transpose,
)
from tapeflow.core.record.row_ops import gather_rows, scatter_rows
from tapeflow.core.record.samples import Case, ints
from tapeflow.core.record.traits import set_traits


def _write_kernel(buffer: Any, value: Any, index: Any, grow: bool) -> Any:
    at, size = int(index), buffer.shape[0]
    if at < 0 or (at >= size and not grow):
        raise errors.invalid("TensorListSetItem", f"TensorArray.write: index {at} is outside an "
                                                  f"array of size {size}")
    result = np.zeros((max(size, at + 1), *value.shape), buffer.dtype)
    if result.dtype.kind == "O":
        result[...] = b""
    if buffer.size:
        result[:size] = buffer
    result[at, ...] = value  # the string itself, where the value is a scalar
    return result


def _write_shape(buffer: Spec, value: Spec, index: Spec, grow: bool) -> Spec:
    if buffer.shape is None:
        return buffer if value.shape is None else Spec((None, *value.shape), buffer.dtype)
    rows = None if grow else buffer.shape[0]
    # A buffer that was made before anybody knew how large elements are has sizes 0; if their rank
    # was unknown, one.
    if value.shape is None:
        return Spec(None if 0 in buffer.shape[1:] else (rows, *buffer.shape[1:]), buffer.dtype)
    if 0 in buffer.shape[1:] and len(value.shape) != len(buffer.shape) - 1:
        return Spec((rows, *value.shape), buffer.dtype)
    return Spec((rows, *[n or m for m, n in zip(value.shape, buffer.shape[1:], strict=True)]),
                buffer.dtype)


def _rows_first(call, size, xs, batched, attrs):
    """One index for all elements of a batch: the batch goes behind the rows, and back."""
    if batched[-1]:
        return loop(call, size, xs, batched, attrs)
    *values, index = [x if mark or i == len(xs) - 1 else broadcast_to(x, shape=(size, *shape_of(x)))
                      for i, (x, mark) in enumerate(zip(xs, batched, strict=True))]
    rest = range(2, len(shape_of(values[0])))
    result = call(transpose(values[0], perm=(1, 0, *rest)), *values[1:], index, **attrs)
    return transpose(result, perm=(1, 0, *range(2, len(shape_of(result)))))


def _clear_kernel(g: Any, index: Any, size: int) -> Any:
    result = np.array(g[:size])
    if int(index) < size:
        result[int(index)] = 0
    return result


def _resized(g: Spec, size: Any) -> Spec:
    known = size if isinstance(size, int) else None
    return Spec(None if g.shape is None else (known, *g.shape[1:]), g.dtype)


array_clear = define(
    "array_clear", kernel=_clear_kernel, args=("g", "index"), dtypes=NUMERIC, saves="in1",
    shape=lambda g, index, size: _resized(g, size),
    vjp=(lambda u, y, g, index, size: array_unclear(u, index, size=size_along(g, 0)), None),
    jvp=lambda ts, y, g, index, size: None if ts[0] is None else array_clear(
        ts[0], index, size=size),
    batch=_rows_first, kind="move", lower=Expand(lambda g, index, size: array_write(
        g, constant_like(gather_rows(g, index), 0), index, grow=False)
        if shape_of(g)[0] == size else None),
    check=[Case((3, 2), ints(3, ()), size=3), Case((4, 2), ints(3, ()), size=3)])


def _unclear_kernel(g: Any, index: Any, size: int) -> Any:
    result = np.zeros((size, *g.shape[1:]), g.dtype)
    result[:g.shape[0]] = g
    result[int(index)] = 0
    return result


array_unclear = define(
    "array_unclear", kernel=_unclear_kernel, args=("g", "index"), dtypes=NUMERIC, saves="in1",
    shape=lambda g, index, size: _resized(g, size),
    vjp=(lambda u, y, g, index, size: array_clear(u, index, size=size_along(g, 0)), None),
    jvp=lambda ts, y, g, index, size: None if ts[0] is None else array_unclear(
        ts[0], index, size=size),
    batch=_rows_first, kind="move", check=[Case((3, 2), ints(3, ()), size=4)])


def _write_jvp(ts: tuple, y: Any, buffer: Any, value: Any, index: Any, grow: bool) -> Any:
    parts = []
    if ts[0] is not None:
        parts.append(array_unclear(ts[0], index, size=size_along(y, 0)))
    if ts[1] is not None:
        parts.append(scatter_rows(ts[1], index, shape=dims(y)))
    return parts[0] if len(parts) == 1 else parts[0] + parts[1]


array_write = define(
    "array_write", kernel=_write_kernel, shape=_write_shape, args=("buffer", "value", "index"),
    vjp=(lambda g, y, buffer, value, index, grow: array_clear(
        g, index, size=size_along(buffer, 0)),
         lambda g, y, buffer, value, index, grow: gather_rows(g, index), None),
    jvp=_write_jvp, saves="in2", batch=_rows_first, dtypes=ANY, kind="move",
    tf_name="TensorListSetItem",
    check=[Case((3, 2), (2,), ints(3, ()), grow=False),
           Case((2, 2), (2,), np.int32(3), grow=True)],
    lower=Scatter(lambda shapes, grow: None if grow else {
        "start": ("operand", 0), "updates": 1, "indices": 2, "combine": "put",
        "rows": shapes[0][0], "outside": "error"}))
for _call in (array_write, array_clear, array_unclear):
    set_traits(_call, rules_take_unknown_sizes=True)
