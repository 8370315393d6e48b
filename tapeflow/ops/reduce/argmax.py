"""Indices of extremes: argmax, argmin."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from tapeflow.base import dtypes as tf_dtypes
from tapeflow.base import errors
from tapeflow.base.exports import export
from tapeflow.core.deferrable import deferred
from tapeflow.core.record.families import operand
from tapeflow.core.record.lowering_forms import Expand
from tapeflow.core.record.op import (
    NONDIFF,
    Spec,
    define,
    shape_of,
)
from tapeflow.core.record.primitive_ops import cast
from tapeflow.core.record.samples import Case
from tapeflow.core.values.tensor import Tensor, wrap
from tapeflow.ops._support.arguments import brackets, wrong_kind
from tapeflow.ops.math.select import select
from tapeflow.ops.reduce.reduction import reduce_max, reduce_min

_F32 = np.dtype("float32")


def _arg_kernel(method: str, clip: Any, worst: float, tf_name: str) -> Callable:
    """First position of the extreme; NaN and what is beyond the finite range never win."""

    def kernel(x, axis, dtype):
        if not x.shape[axis]:
            raise errors.invalid(tf_name, f"Reduction axis {axis} is empty in shape "
                                          f"{brackets(x.shape)}")
        if not x.size:
            return np.zeros(x.shape[:axis] + x.shape[axis + 1:], dtype)
        limit = None
        if x.dtype.kind in "fV":
            x = x if x.dtype.kind == "f" else x.astype(_F32)
            limit = x.dtype.type(worst * np.finfo(x.dtype).max)
        if x.size >= _BY_COLUMNS_FROM and axis < x.ndim - 1 and x.dtype.kind != "b":
            indices = _by_columns(x, axis, clip, limit, worst, dtype)
            if indices is not None:
                return indices
        if limit is not None:
            x = clip(x, limit)
        return getattr(x, method)(axis).astype(dtype)

    return kernel


_BY_COLUMNS_FROM = 1 << 14


def _by_columns(x, axis: int, pick: Any, limit: Any, worst: float, dtype: Any) -> Any:
    """Positions of extremes along an axis before the last: NumPy would transpose the array.

    None where that is better after all: many are extreme, or nothing is within the limit.
    """
    n, inner = x.shape[axis], math.prod(x.shape[axis + 1:])
    rows = x.reshape(-1, n, inner)
    best = pick.reduce(rows, 1)
    if limit is not None:
        good = best > limit if worst < 0 else best < limit
        if np.count_nonzero(good) < best.size:
            return None
    hits = (rows == best[:, None]).reshape(-1)
    if np.count_nonzero(hits) > 4 * best.size:
        return None
    group, position = np.divmod(hits.nonzero()[0][::-1], n * inner)
    row, column = np.divmod(position, inner)
    out = np.empty(best.size, dtype)
    out[group * inner + column] = row  # backwards: of equal ones the first stays
    return out.reshape(x.shape[:axis] + x.shape[axis + 1:])


def _arg_shape(x: Spec, axis: int, dtype: Any) -> Spec:
    return Spec(None if x.shape is None else x.shape[:axis] + x.shape[axis + 1:], dtype)


def _arg_steps(pick: Callable, worst: float) -> Callable:
    """The first position where the extreme is: the least of those where an element equals it."""

    def steps(x, axis, dtype):
        kind = x.dtype.np
        if kind.kind == "V" or (kind.kind == "f" and kind.itemsize == 2):
            x, kind = cast(x, dtype=_F32), _F32
        elif kind.kind == "b":
            x, kind = cast(x, dtype=np.dtype("int8")), np.dtype("int8")
        size = shape_of(x)[axis]
        if kind.kind == "f":  # NaN compares with nothing
            limit = kind.type(worst * np.finfo(kind).max)
            beyond = x >= wrap(limit) if worst < 0 else x <= wrap(limit)
            x = select(beyond, x, wrap(limit))
        indices = wrap(np.arange(size).reshape(-1, *(1,) * (len(shape_of(x)) - axis - 1)))
        hit = x == pick(x, (axis,), True)
        return cast(reduce_min(select(hit, indices, wrap(np.int64(size))), (axis,)), dtype=dtype)

    return steps


def _define_arg(name: str, kernel: Callable, tf_name: str, steps: Callable) -> Callable:
    return define(name, kernel=kernel, shape=_arg_shape, dtypes="fViub", kind="reduce",
                  vjp=NONDIFF("an index, which does not change with small changes of its input",
                              "tf.nn.softmax is a differentiable stand-in."),
                  batch=lambda call, size, xs, batched, attrs: call(
                      xs[0], axis=attrs["axis"] + 1, dtype=attrs["dtype"]),
                  check=[Case((2, 3), axis=1, dtype=np.dtype("int64")),
                         Case([2.0, np.nan, 2.0], axis=0, dtype=np.dtype("int32"))],
                  tf_name=tf_name, lower=Expand(steps))


_argmax = _define_arg("argmax", _arg_kernel("argmax", np.fmax, -1.0, "ArgMax"), "ArgMax",
                      _arg_steps(reduce_max, -1.0))
_argmin = _define_arg("argmin", _arg_kernel("argmin", np.fmin, 1.0, "ArgMin"), "ArgMin",
                      _arg_steps(reduce_min, 1.0))


def _arg(call: Callable, x: Any, axis: Any, output_type: Any, allowed: tuple[str, ...]) -> Tensor:
    tf_name = call.op.tf_name  # type: ignore[attr-defined]
    x = operand(x)
    dtype = tf_dtypes.as_dtype(output_type)
    if dtype.name not in allowed:
        raise wrong_kind(tf_name, "output_type", dtype, ", ".join(allowed))
    try:
        rank = len(shape_of(x))
    except errors.UnknownSize as error:
        public = argmax if call is _argmax else argmin
        return deferred(public, (x, axis, output_type), error)
    if not -rank <= axis < rank:
        raise errors.invalid(tf_name, f"Expected dimension in the range [{-rank}, {rank}), but got "
                                      f"{axis}")
    return call(x, axis=axis % rank, dtype=dtype.np)


@export("argmax", "math.argmax")
def argmax(input: Any, axis: Any = None, output_type: Any = tf_dtypes.int64,
           name: str | None = None) -> Tensor:
    """The index of the largest element along `axis` (0 unless given), the first if several."""
    if axis is None:
        axis = 0
    elif hasattr(axis, "dtype"):
        if tf_dtypes.as_dtype(axis.dtype).kind not in "iu":
            raise TypeError(f"tf.argmax: axis tensor dtype {axis.dtype!r} is not supported")
    elif not isinstance(axis, int):
        raise TypeError(f"tf.argmax: axis must be int or Tensor with integer datatype, got "
                        f"{axis!r}")
    return _arg(_argmax, input, _single_axis(axis, "ArgMax"), output_type,
                ("int16", "uint16", "int32", "int64"))


@export("argmin", "math.argmin")
def argmin(input: Any, axis: Any = None, output_type: Any = tf_dtypes.int64,
           name: str | None = None) -> Tensor:
    """The index of the smallest element along `axis` (0 unless given), the first if several."""
    return _arg(_argmin, input, 0 if axis is None else _single_axis(axis, "ArgMin"), output_type,
                ("int32", "int64"))


def _single_axis(axis: Any, tf_name: str) -> int:
    if isinstance(axis, int):
        return int(axis)
    if isinstance(axis, float):
        raise TypeError(f"{tf_name}: axis must be an integer, got {axis}")
    value = operand(axis)._value
    if value.dtype.kind not in "iu":
        raise wrong_kind(tf_name, "Tidx", value.dtype)
    if value.ndim:
        raise errors.invalid(tf_name, "dim must be a scalar, but received tensor of shape: "
                                      f"{brackets(value.shape)}")
    return int(value)
