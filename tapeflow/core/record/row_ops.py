"""Rows by index: gather_rows and scatter_rows, on which the sparse gradients of gather stand.

May be imported by `indexed_slices` and all above.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from tapeflow.base import errors
from tapeflow.base.late import LatePublic
from tapeflow.core.record.linear import move
from tapeflow.core.record.lowering_forms import Gather, Scatter
from tapeflow.core.record.op import NUMERIC, Spec, shape_of
from tapeflow.core.record.primitive_ops import all_batched, dims, reshape, static
from tapeflow.core.record.samples import Case, ints
from tapeflow.core.values.tensor import wrap

ndarray = np.ndarray
# Only shapes that are tensors need these.
_cast = LatePublic("cast")
_concat = LatePublic("concat")
_range = LatePublic("range")
_reshape = LatePublic("reshape")
_size = LatePublic("size")


def at_rows(ufunc: Any, out: np.ndarray, rows: Any, values: Any) -> None:
    """ufunc.at(out, rows, values), for whole rows by element: NumPy is quickest in one axis."""
    width = int(np.prod(out.shape[1:], dtype=np.int64))
    if width == 1:
        ufunc.at(out.reshape(-1), rows.reshape(-1), values.reshape(-1))
    elif width > 1 and values.size > 256:
        flat = rows.reshape(-1, 1).astype(np.int64) * width + np.arange(width)
        ufunc.at(out.reshape(-1), flat.reshape(-1), values.reshape(-1))
    else:
        ufunc.at(out, rows, values)


def _scatter_rows_kernel(values, indices, shape):
    dtype = values.dtype
    if dtype.itemsize == 2 and dtype.kind in "fV":  # half precision is rounded once
        return _scatter_rows_kernel(values.astype(np.float32), indices, shape).astype(dtype)
    out = np.zeros(shape, dtype)
    at_rows(np.add, out, indices, values)
    return out


def _scatter_rows_batch(call, size, xs, batched, attrs):
    """One scatter into (batch · rows): the indices of element b are moved by b · rows."""
    values, indices = all_batched(xs, batched, size)
    if not isinstance(attrs["shape"], tuple):
        return _scatter_rows_unsized(call, size, values, indices, attrs["shape"])
    rows, *rest = attrs["shape"]
    moved = indices + wrap(_offsets(size, rows, shape_of(indices), indices))
    count = int(np.prod(shape_of(indices), dtype=np.int64))
    flat = call(reshape(values, shape=(count, *rest)), reshape(moved, shape=(count,)),
                shape=(size * rows, *rest))
    return reshape(flat, shape=(size, rows, *rest))


def _scatter_rows_unsized(call, size, values, indices, shape):
    """The same for a shape that is a tensor."""
    rows, rest = shape[:1], shape[1:]
    each = _reshape(_range(size, dtype=shape.dtype) * rows, (size,) + (1,) * (indices.ndim - 1))
    moved = indices + _cast(each, indices.dtype)
    count = _reshape(_size(moved, out_type=shape.dtype), [1])
    flat = call(_reshape(values, _concat([count, rest], 0)), _reshape(moved, [-1]),
                shape=_concat([rows * size, rest], 0))
    return _reshape(flat, _concat([_cast([size], shape.dtype), shape], 0))


def _offsets(size: int, rows: int, shape: tuple, like: Any) -> np.ndarray:
    dtype = np.dtype(getattr(like.dtype, "np", like.dtype))
    steps = np.arange(size, dtype=dtype) * rows
    return steps.reshape((size,) + (1,) * (len(shape) - 1))


def _gather_rows_batch(call, size, xs, batched, attrs):
    values, indices = xs
    if not batched[0]:
        return call(values, indices)
    rows, *rest = shape_of(values)[1:]
    values, indices = all_batched(xs, batched, size)
    moved = indices + wrap(_offsets(size, rows, shape_of(indices), indices))
    return call(reshape(values, shape=(size * rows, *rest)), moved)


def _gather_rows_kernel(x, indices):
    if (indices.min() if type(indices) is ndarray and indices.size else indices) < 0:
        raise errors.invalid("GatherV2", f"index {indices} is not in [0, {x.shape[0]})")
    if x.dtype.kind == "O":
        return x[indices, ...]  # one string stays an array
    return x.take(indices, 0)  # a third of the time of x[indices], a sixth for short rows


gather_rows = move("gather_rows", _gather_rows_kernel, args=("params", "indices"),
                   shape=lambda x, i: Spec(None if x.shape is None or i.shape is None else (
                       *i.shape, *x.shape[1:]), x.dtype),
                   vjp=lambda g, y, x, indices: scatter_rows(g, indices, shape=dims(x)),
                   batch=_gather_rows_batch, tf_name="GatherV2",
                   check=[Case((4, 2), ints(4, (3,))), Case((4,), ints(4, (2, 2)))],
                   lower=Gather(lambda shapes: (0, 0)))
scatter_rows = move("scatter_rows", _scatter_rows_kernel, args=("values", "indices"),
                    shape=lambda v, i, shape: Spec(static(shape), v.dtype),
                    vjp=lambda g, y, v, indices, shape: gather_rows(g, indices),
                    batch=_scatter_rows_batch, kind="move", dtypes=NUMERIC,
                    tf_name="UnsortedSegmentSum",
                    check=[Case((3, 2), ints(4, (3,)), shape=(4, 2)),
                           Case((2, 2, 3), ints(5, (2, 2)), shape=(5, 3))],
                    lower=Scatter(lambda shapes, shape: {
                        "updates": 0, "indices": 1, "start": 0, "combine": "sum", "rows": shape[0],
                        "outside": "error"}))
