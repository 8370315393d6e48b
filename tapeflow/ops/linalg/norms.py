"""Norms of vectors and matrices, and the cross product.

As in TensorFlow the gradient of the Euclidean norm at zero is NaN, that of the 1- and the
∞-norm is 0.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from tapeflow.base import errors
from tapeflow.base.attributes import attributes, dense
from tapeflow.base.exports import export_guarded as export
from tapeflow.core.deferrable import deferrable
from tapeflow.core.record.families import axes_of, conj, operand
from tapeflow.core.record.op import REAL, Spec, define, shape_of
from tapeflow.core.record.primitive_ops import broadcast_to, reduce_sum, reshape, transpose
from tapeflow.core.record.samples import Case
from tapeflow.core.values.tensor import Tensor
from tapeflow.ops._support.arguments import brackets
from tapeflow.ops.linalg.spectral import singular_values
from tapeflow.ops.math.exponential import pow as power
from tapeflow.ops.math.exponential import sqrt
from tapeflow.ops.math.rounding import abs as absolute
from tapeflow.ops.reduce.reduction import reduce_max

_MATRIX_NORMS = ("euclidean", "fro", 1, 2, np.inf)


@export("norm", "linalg.norm")
@deferrable
@attributes(tensor=dense)
def norm(tensor: Any, ord: Any = "euclidean", axis: Any = None, keepdims: bool | None = None,
         name: str | None = None) -> Tensor:
    """The norm of vectors (`axis` an integer, or None for all elements) or matrices (two axes).

    >>> tf.norm([3., 4.])
    <tf.Tensor: shape=(), dtype=float32, numpy=5.0>
    """
    matrices = isinstance(axis, (tuple, list)) and len(axis) == 2
    _check_order(ord, axis, matrices)
    x = operand(tensor)
    if matrices:
        axes = tuple([axes_of(x, int(a), "Sum")[0] for a in axis])  # type: ignore[index]
        result = _matrix_norm(x, ord, axes)
    else:
        axes = axes_of(x, axis, "Max" if ord == np.inf else "Sum")  # type: ignore[assignment]
        result = _vector_norm(x, ord, axes)
    return result if keepdims else _squeezed(result, shape_of(x), axes)


def _check_order(ord: Any, axis: Any, matrices: bool) -> None:
    wrong = "'axis' must be None, an integer, or a tuple of 2 unique integers, got "
    if matrices:
        axis = tuple(axis)
        if axis[0] == axis[1] or not all(isinstance(a, (int, np.integer)) for a in axis):
            raise ValueError(f"{wrong}{axis}")
        if not any(ord is one or ord == one for one in _MATRIX_NORMS):
            raise ValueError(f"'ord' must be a supported matrix norm in "
                             f"{list(_MATRIX_NORMS)}, got {ord}")
        return
    if not (axis is None or isinstance(axis, int)):
        raise ValueError(f"{wrong}{axis}")
    positive = isinstance(ord, (int, float, np.number)) and ord > 0
    if ord != "euclidean" and not positive:
        raise ValueError(f"'ord' must be a supported vector norm, got {ord}")


def _vector_norm(x: Any, ord: Any, axes: tuple | None) -> Any:
    """The norm with the axes kept as 1."""
    if ord in ("euclidean", 2):
        return _euclidean(x, axes)
    size = absolute(x)
    if ord == 1:
        return reduce_sum(size, axis=axes, keepdims=True)
    if ord == np.inf:
        return reduce_max(size, axis=axes, keepdims=True)
    p = operand(ord, hint=size.dtype)
    return power(reduce_sum(power(size, p), axis=axes, keepdims=True),
                 operand(1.0 / ord, hint=size.dtype))


def _euclidean(x: Any, axes: tuple | None) -> Any:
    if x.dtype.kind in "bO":
        raise TypeError(f"Expected numeric or variant tensor, got dtype {x.dtype!r} (tf.norm)")
    squares = x * (conj(x) if x.dtype.kind == "c" else x)
    return sqrt(reduce_sum(squares, axis=axes, keepdims=True))


def _matrix_norm(x: Any, ord: Any, axes: tuple) -> Any:
    if ord in ("euclidean", "fro"):
        return _euclidean(x, tuple(sorted(axes)))
    if ord == 2:
        return _spectral(x, axes)
    summed, largest = axes if ord == 1 else axes[::-1]
    sums = reduce_sum(absolute(x), axis=(summed,), keepdims=True)
    return reduce_max(sums, axis=(largest,), keepdims=True)


def _spectral(x: Any, axes: tuple) -> Any:
    """The largest singular value."""
    shape = shape_of(x)
    others = [i for i in range(len(shape)) if i not in axes]
    perm = (*others, *axes)
    last = singular_values(transpose(x, perm=perm) if perm != tuple(range(len(shape))) else x)
    largest = reduce_max(last, axis=(len(others),), keepdims=False)
    return reshape(largest, shape=tuple([1 if i in axes else n for i, n in enumerate(shape)]))


def _squeezed(x: Any, shape: tuple, axes: tuple | None) -> Any:
    """Without the axes that the norm was taken over."""
    if axes is None:
        return reshape(x, shape=())
    left = tuple([n for i, n in enumerate(shape) if i not in axes])
    if None in left:
        return reduce_sum(x, axis=tuple(sorted(axes)), keepdims=False)
    return reshape(x, shape=left)


@export("linalg.normalize")
@attributes(tensor=dense)
def normalize(tensor: Any, ord: Any = "euclidean", axis: Any = None,
              name: str | None = None) -> tuple[Tensor, Tensor]:
    """The tensor divided by its norm, and the norm with its axes kept."""
    x = operand(tensor)
    size = norm(x, ord=ord, axis=axis, keepdims=True)
    if size.dtype != x.dtype:
        from tapeflow.core.record.primitive_ops import cast
        size = cast(size, dtype=x.dtype.np)
    return x / size, size


# -- cross ----------------------------------------------------------------------------------------
def _cross_kernel(a, b):
    if not a.ndim:
        raise errors.invalid("Cross", f"Input must be at least 1D{brackets(a.shape)}")
    if a.shape != b.shape:
        raise errors.invalid("Cross", f"Both inputs must be of same shape: {brackets(a.shape)} vs. "
                                      f"{brackets(b.shape)}")
    if a.shape[-1] != 3:
        raise errors.FailedPreconditionError(
            None, None, "Cross-products are only defined for 3-element vectors. [Op:Cross]")
    a0, a1, a2 = a[..., 0], a[..., 1], a[..., 2]
    b0, b1, b2 = b[..., 0], b[..., 1], b[..., 2]
    return np.stack([a1 * b2 - a2 * b1, a2 * b0 - a0 * b2, a0 * b1 - a1 * b0], -1)


def _cross_batch(call, size, xs, batched, attrs):
    return call(*[x if mark else broadcast_to(x, shape=(size, *shape_of(x)))
                  for x, mark in zip(xs, batched, strict=True)])


def _cross_shape(a: Spec, b: Spec) -> Spec:
    return b if a.shape is None else a if b.shape is None else Spec(
        tuple([n if m is None else m for m, n in zip(a.shape, b.shape, strict=True)]), a.dtype)


def _cross_jvp(ts, y, a, b):
    first = None if ts[0] is None else cross_call(ts[0], b)
    second = None if ts[1] is None else cross_call(a, ts[1])
    return second if first is None else first if second is None else first + second


cross_call = define(
    "cross", kernel=_cross_kernel, shape=_cross_shape, jvp=_cross_jvp, batch=_cross_batch,
    vjp=(lambda g, y, a, b: cross_call(b, g), lambda g, y, a, b: cross_call(g, a)),
    args=("a", "b"), saves="in", dtypes=REAL, tf_name="Cross",
    check=[Case((3,), (3,)), Case((2, 3), (2, 3)), Case((0, 3), (0, 3))])


@export("linalg.cross")
def cross(a: Any, b: Any, name: str | None = None) -> Tensor:
    """The cross product of 3-vectors along the last axis."""
    a = operand(a)
    b = operand(b, hint=a.dtype)
    if a.dtype != b.dtype:
        from tapeflow.ops._support.arguments import differing
        raise differing(cross_call.op, 1, a.dtype.np, b.dtype.np)
    return cross_call(a, b)
