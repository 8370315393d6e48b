"""One-hot vectors and masks of sequences: one_hot, sequence_mask."""

from __future__ import annotations

from math import ceil
from typing import Any

import numpy as np

from tapeflow.base import dtypes, errors
from tapeflow.base.attributes import small
from tapeflow.base.dtypes import DType, as_dtype
from tapeflow.base.exports import export
from tapeflow.core.deferrable import deferred
from tapeflow.core.record.elementwise_ops import stop_gradient
from tapeflow.core.record.families import operand
from tapeflow.core.record.lowering_forms import Expand
from tapeflow.core.record.op import (
    INTEGER,
    NONDIFF,
    REAL,
    Spec,
    define,
    shape_of,
    value_of,
)
from tapeflow.core.record.primitive_ops import cast, expand
from tapeflow.core.record.samples import Case, ints
from tapeflow.core.values.convert import convert
from tapeflow.core.values.tensor import Tensor, wrap
from tapeflow.ops._support.arguments import (
    brackets,
    int_scalar,
    integers,
    wrong_kind,
)
from tapeflow.ops.math.select import select

_INT32 = np.dtype("int32")


def _one_hot_kernel(indices, depth, axis, on, off):
    shape = indices.shape
    if depth < 0:
        raise errors.invalid("OneHot", f"depth must be non-negative, got: {depth}")
    if axis == len(shape) and indices.size * depth > 4096:
        return _one_hot_rows(indices, depth, on, off)
    classes = np.arange(depth).reshape((depth, *(1,) * (len(shape) - axis)))
    hot = indices.reshape((*shape[:axis], 1, *shape[axis:])) == classes
    return hot.astype(on.dtype) if on == 1 and off == 0 else np.where(hot, on, off)


def _one_hot_rows(indices, depth, on, off):
    """Written only where it is hot: memory that is zero already need not be touched."""
    flat = indices.reshape(-1)
    shape = (flat.size, depth)
    out = np.zeros(shape, on.dtype) if off == 0 else np.full(shape, off)
    rows = np.flatnonzero((flat >= 0) & (flat < depth))
    out[rows, flat[rows]] = on
    return out.reshape(*indices.shape, depth)


def _one_hot_steps(indices, depth, axis, on, off):
    rank = len(shape_of(indices))
    classes = np.arange(depth).astype(indices.dtype.np, copy=False)
    hot = expand(indices, axis=axis) == wrap(classes.reshape((depth, *(1,) * (rank - axis))))
    return cast(hot, dtype=on.dtype) if on == 1 and off == 0 else select(hot, wrap(on), wrap(off))


def _one_hot_shape(indices: Spec, depth: Any, axis: int, on: Any, off: Any) -> Spec:
    shape = indices.shape
    size = depth if type(depth) is int else None
    return Spec(None if shape is None else (*shape[:axis], size, *shape[axis:]), on.dtype)


def _one_hot_batch(call, size, xs, batched, attrs):
    return call(xs[0], **{**attrs, "axis": attrs["axis"] + 1})


_ONE, _ZERO = np.float32(1), np.float32(0)
one_hot_op = define("one_hot", kernel=_one_hot_kernel, shape=_one_hot_shape, args=("indices",),
                    vjp=NONDIFF("integer indices, of which tf.one_hot is made, have no gradient"),
                    batch=_one_hot_batch, dtypes=INTEGER,
                    check=[Case(ints(4, (3,), low=-1), depth=3, axis=1, on=_ONE, off=_ZERO),
                           Case(ints(3, (2, 2)), depth=3, axis=1, on=np.int32(5), off=np.int32(2))],
                    lower=Expand(_one_hot_steps))


@export("one_hot")
def one_hot(indices: Any, depth: Any, on_value: Any = None, off_value: Any = None,
            axis: int | None = None, dtype: Any = None, name: str | None = None) -> Tensor:
    """`on_value` where the new axis equals the index, `off_value` elsewhere.

    An index outside [0, depth) gives a row of `off_value`.
    """
    if isinstance(indices, (np.generic, np.ndarray)) and indices.dtype.kind in "fiub" \
            and indices.dtype.name not in ("uint8", "int8", "int32", "int64"):
        indices = indices.astype(np.int64)  # labels as a file gave them
    x = operand(indices)
    if x.dtype.kind == "f" and x is not indices and 0 in shape_of(x):  # an empty list
        x = cast(x, dtype=_INT32)
    integers(x, "OneHot", "TI", "uint8, int8, int32, int64", ragged=True)
    if dtype is not None:
        bool(dtype)
    on, off = _on_and_off(on_value, off_value, None if dtype is None else as_dtype(dtype))
    if np.ndim(depth) and not isinstance(depth, Tensor):
        raise errors.invalid("OneHot", f"depth must be a scalar, but got: {np.shape(depth)}")
    count = int_scalar(depth, "OneHot", "depth")
    if type(count) is int and count < 0:
        raise errors.invalid("OneHot", f"depth must be non-negative, got: {count}")
    try:
        rank = len(shape_of(x))
    except errors.UnknownSize as error:
        return deferred(one_hot, (x, depth, on_value, off_value, axis, dtype), error)
    position = -1 if axis is None else small("axis", axis)
    if not -1 <= position <= rank:
        raise errors.invalid("OneHot", f"Expected axis to be -1 or between [0, {rank + 1}).  But "
                                       f"received: {position}")
    new_axis = rank if position == -1 else position
    if isinstance(on, Tensor):  # known only when the graph runs
        hot = one_hot_op(x, depth=count, axis=new_axis, on=np.True_, off=np.False_)
        return select(hot, stop_gradient(on), stop_gradient(off))
    return one_hot_op(x, depth=count, axis=new_axis, on=on, off=off)


def _on_and_off(on: Any, off: Any, dtype: DType | None) -> tuple:
    """Both values as NumPy scalars of one dtype; as tensors where one is not known yet."""
    if on is None and off is None and dtype is None:
        return _ONE, _ZERO
    first = None if on is None else convert(on, _unless_tensor(on, dtype))
    second = None if off is None else convert(off, _unless_tensor(off, dtype))
    if first is not None and second is not None and first.dtype != second.dtype:
        raise TypeError(f"dtype {first.dtype} of on_value does not match dtype {second.dtype} of "
                        "off_value")
    for value, label in ((first, "on_value"), (second, "off_value")):
        if value is None:
            continue
        if dtype is not None and value.dtype != dtype:
            raise TypeError(f"dtype {value.dtype} of {label} does not match dtype parameter "
                            f"{dtype}")
        if shape_of(value):
            raise errors.invalid("OneHot", f"{label} must be a scalar, but got: "
                                           f"{brackets(shape_of(value))}")
        dtype = value.dtype
    kind = dtype or dtypes.float32
    one = convert(1, kind) if first is None else first
    zero = convert(0, kind) if second is None else second
    if type(one) is not Tensor or type(zero) is not Tensor:
        return one, zero
    return value_of(one), value_of(zero)


def _unless_tensor(value: Any, dtype: DType | None) -> DType | None:
    return None if isinstance(value, Tensor) else dtype


def _sequence_mask_kernel(lengths, maxlen):
    if maxlen < 0:
        raise errors.invalid("SequenceMask", f"maxlen must be non-negative, got: {maxlen}")
    dtype = lengths.dtype if lengths.dtype.kind == "i" and lengths.itemsize > 2 else None
    return np.arange(maxlen, dtype=dtype) < np.expand_dims(lengths, -1)


def _sequence_mask_steps(lengths, maxlen):
    wide = np.dtype("int64" if lengths.dtype.is_integer else "float64")
    return wrap(np.arange(maxlen).astype(wide)) < expand(
        cast(lengths, dtype=wide), axis=len(shape_of(lengths)))


_sequence_mask = define(
    "sequence_mask", kernel=_sequence_mask_kernel, args=("lengths",), dtypes=REAL,
    shape=lambda lengths, maxlen: Spec(
        None if lengths.shape is None else (
            *lengths.shape, maxlen if type(maxlen) is int else None), np.dtype(bool)),
    vjp=NONDIFF("a mask is boolean: tf.sequence_mask has no gradient"),
    batch=lambda call, size, xs, batched, attrs: call(xs[0], **attrs),
    check=[Case(ints(5, (3,)), maxlen=4, grad=False), Case(ints(3, (2, 2)), maxlen=2, grad=False)],
    lower=Expand(_sequence_mask_steps))


def _longest(lengths: Tensor) -> Any:
    if type(lengths) is not Tensor:
        from tapeflow.ops.reduce.reduction import reduce_max
        return reduce_max(lengths, axis=None, keepdims=False)
    values = lengths._value
    return max(0, ceil(values.max())) if values.size else 0


def _limit(maxlen: Any) -> Any:
    limit = operand(maxlen)
    if limit.dtype.kind not in "fViu":
        raise wrong_kind("Range", "Tidx", limit.dtype, "bfloat16, half, float, double, int8, "
                                                       "int16, int32, int64, uint16, uint32, "
                                                       "uint64")
    if shape_of(limit):
        raise ValueError(f"Argument `maxlen` must be scalar for sequence_mask, received "
                         f"`maxlen` = {maxlen} with shape '{limit.shape}' instead")
    if type(limit) is not Tensor:
        return limit
    if not np.isfinite(limit._value):
        raise errors.invalid("Range", f"Requires ((limit - start) / delta) <= {2**63 - 1}")
    count = ceil(limit._value)
    if count < 0:
        raise errors.invalid("Range", f"Requires start <= limit when delta > 0: 0/{count}")
    return count


@export("sequence_mask")
def sequence_mask(lengths: Any, maxlen: Any = None, dtype: Any = dtypes.bool,
                  name: str | None = None) -> Tensor:
    """True for the first `lengths[i]` elements of row i, each row `maxlen` long."""
    x = operand(lengths)
    mask = _sequence_mask(x, maxlen=_longest(x) if maxlen is None else _limit(maxlen))
    kind = as_dtype(dtype)
    return mask if kind is dtypes.bool else cast(mask, dtype=kind.np)

