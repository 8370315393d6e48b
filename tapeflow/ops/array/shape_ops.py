"""The shape of a tensor as a tensor: shape, shape_n, size, rank."""

from __future__ import annotations

from typing import Any

import numpy as np

from tapeflow.base import dtypes, errors
from tapeflow.base.attributes import dense, listed
from tapeflow.base.dtypes import as_dtype
from tapeflow.base.exports import export
from tapeflow.core.record.families import operand
from tapeflow.core.record.op import (
    ANY,
    NONDIFF,
    SHAPE_ONLY,
    Spec,
    define,
    shape_of,
)
from tapeflow.core.record.primitive_ops import (
    broadcast_to,
    cast,
)
from tapeflow.core.record.samples import Case
from tapeflow.core.record.traits import set_traits
from tapeflow.core.state import state
from tapeflow.core.values.convert import convert
from tapeflow.core.values.indexed_slices import IndexedSlices
from tapeflow.core.values.tensor import Tensor, wrap
from tapeflow.ops._support.arguments import (
    alike,
    wrong_kind,
)

_INT32 = np.dtype("int32")

_NO_SHAPE_GRADIENT = NONDIFF(
    "a shape is made of integers: it does not change with the values", SHAPE_ONLY)


def _shape_batch(call, size, xs, batched, attrs):
    known = shape_of(xs[0])[1:]
    own = call(xs[0], **attrs)[1:] if None in known else wrap(np.array(known, attrs["dtype"]))
    return broadcast_to(own, shape=(size, len(known)))


def _size_batch(call, size, xs, batched, attrs):
    known = shape_of(xs[0])[1:]
    if None in known:
        own = call(xs[0], **attrs) // max(size, 1)
    else:
        own = wrap(np.prod(known, dtype=attrs["dtype"]))
    return broadcast_to(own, shape=(size,))


def _rank_batch(call, size, xs, batched, attrs):
    return broadcast_to(wrap(np.int32(len(shape_of(xs[0])) - 1)), shape=(size,))


shape_op = define("shape", kernel=lambda x, dtype: np.array(x.shape, dtype),
                  shape=lambda x, dtype: Spec((None if x.shape is None else len(x.shape),), dtype),
                  vjp=_NO_SHAPE_GRADIENT, batch=_shape_batch, dtypes=ANY,
                  check=[Case((2, 3), dtype=_INT32), Case((), dtype=np.dtype("int64"))])
size_op = define("size", kernel=lambda x, dtype: dtype.type(x.size),
                 shape=lambda x, dtype: Spec((), dtype), vjp=_NO_SHAPE_GRADIENT,
                 batch=_size_batch, check=[Case((2, 3), dtype=_INT32), Case((), dtype=_INT32)])
rank_op = define("rank", kernel=lambda x: np.int32(x.ndim), shape=lambda x: Spec((), _INT32),
                 vjp=_NO_SHAPE_GRADIENT, batch=_rank_batch,
                 check=[Case((2, 3)), Case(())])
for _call in (shape_op, size_op, rank_op):
    set_traits(_call, shape_only=True)


def _out_type(out_type: Any, op: str) -> np.dtype:
    if out_type is None:
        return _INT32
    bool(out_type)  # arrays of several elements are neither true nor false
    kind = as_dtype(out_type)
    if kind is not dtypes.int32 and kind is not dtypes.int64:
        raise wrong_kind(op, "out_type", kind)
    return kind.np


@export("shape")
def shape(input: Any, out_type: Any = None, name: str | None = None) -> Tensor:
    """The shape of a tensor, as a vector of integers (int32 unless `out_type` says otherwise)."""
    if type(input) is IndexedSlices:
        return cast(convert(input.dense_shape), dtype=_out_type(out_type, "Shape"))
    x = input if type(input) is Tensor else operand(input)
    dtype = _out_type(out_type, "Shape")
    if x.ndim is not None and (type(x) is not Tensor or state.recorder is None):
        known = shape_of(x)
        if None not in known:  # known while tracing or batching: a constant
            return wrap(np.array(known, dtype))
    return shape_op(x, dtype=dtype)


@export("shape_n")
def shape_n(input: Any, out_type: Any = dtypes.int32, name: str | None = None) -> list:
    """The shapes of several tensors."""
    if not len(input):
        raise errors.invalid("ShapeN", "Value for attr 'N' of 0 must be at least minimum 1")
    parts = alike([dense("input", one) for one in listed("input", input)])
    for i, x in enumerate(parts):
        if x.dtype != parts[0].dtype:
            raise errors.invalid("ShapeN", f"cannot compute ShapeN as input #{i}(zero-based) was "
                                 f"expected to be a {parts[0].dtype.name} tensor but is a "
                                 f"{x.dtype.name} tensor")
    return [shape(x, out_type) for x in parts]


@export("size")
def size(input: Any, out_type: Any = None, name: str | None = None) -> Tensor:
    """The number of elements of a tensor."""
    x = operand(input)
    dtype = _out_type(out_type, "Size")
    if type(x) is not Tensor and x.ndim is not None and None not in shape_of(x):
        return wrap(np.prod(shape_of(x), dtype=dtype))
    return size_op(x, dtype=dtype)


@export("rank")
def rank(input: Any, name: str | None = None) -> Tensor:
    """The number of axes of a tensor."""
    x = operand(input)
    return rank_op(x) if type(x) is Tensor or x.ndim is None else wrap(np.int32(x.ndim))
