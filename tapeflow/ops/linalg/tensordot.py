"""tf.tensordot: sums of products over pairs of axes."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from tapeflow.base import errors
from tapeflow.base.exception_origin import unsignalled
from tapeflow.base.exports import export
from tapeflow.core.record.families import operand
from tapeflow.core.record.op import (
    shape_of,
)
from tapeflow.core.record.primitive_ops import reshape, transpose
from tapeflow.core.values.tensor import Tensor
from tapeflow.ops.linalg.einsum import contract_axes
from tapeflow.ops.linalg.matmul import matmul_call


@export("tensordot", "linalg.tensordot")
def tensordot(a: Any, b: Any, axes: Any, name: str | None = None) -> Tensor:
    """Sum of products over pairs of axes: `axes` of `a` with `axes` of `b`, or the last/first n.

    >>> tf.tensordot([[1., 2.]], [3., 4.], 1)
    <tf.Tensor: shape=(1,), dtype=float32, numpy=array([11.], dtype=float32)>
    """
    a, b = operand(a), operand(b)
    first, second = _contraction_axes(a, b, axes)
    shape_a, shape_b = shape_of(a), shape_of(b)
    if None in shape_a + shape_b:
        return contract_axes(a, b, first, second)
    left = [i for i in range(len(shape_a)) if i not in first]
    right = [i for i in range(len(shape_b)) if i not in second]
    if len(left) == len(first) == len(right) == 1 and len(shape_a) == len(shape_b) == 2:
        return matmul_call(a, b, first == [0], second == [1])
    inner_a = math.prod([shape_a[i] for i in first])
    inner_b = math.prod([shape_b[i] for i in second])
    y = matmul_call(_flat(a, left + first, (-1 if inner_a else _size(shape_a, left), inner_a)),
                    _flat(b, second + right, (inner_b, -1 if inner_b else _size(shape_b, right))))
    return reshape(y, shape=tuple([shape_a[i] for i in left] + [shape_b[i] for i in right]))


def _size(shape: tuple, axes: list[int]) -> int:
    return math.prod([shape[i] for i in axes])


def _flat(x: Any, order: list[int], shape: tuple) -> Any:
    """A matrix of the axes in this order."""
    if order != list(range(len(order))):
        x = transpose(x, perm=tuple(order))
    return reshape(x, shape=shape)


def _axes_listed(axes: Any) -> Any:
    if isinstance(axes, Tensor):
        if type(axes) is not Tensor or axes.dtype.name != "int32":
            raise ValueError("axes: Tensor conversion requested dtype int32 for Tensor with dtype "
                             f"{axes.dtype.name}")
        axes = axes.numpy()
    if axes.ndim > 2:
        raise errors.invalid("ListDiff", "y should be a 1D vector.")
    return axes.tolist()


def _contraction_axes(a: Any, b: Any, axes: Any) -> tuple[list[int], list[int]]:
    rank_a, rank_b = len(shape_of(a)), len(shape_of(b))
    if isinstance(axes, (Tensor, np.ndarray)):
        try:
            return _contraction_axes(a, b, _axes_listed(axes))
        except unsignalled(IndexError) as error:  # TensorFlow finds these out by ops
            raise errors.invalid("Tensordot", str(error)) from None
    if isinstance(axes, (int, np.integer)):
        if axes < 0:
            raise ValueError(f"`axes` must be at least 0. Received: {axes}.")
        for x, rank in ((a, rank_a), (b, rank_b)):
            if axes > rank:
                raise ValueError(f"`axes` must not be larger than the number of dimensions of "
                                 f"tensor {x}.  Received {axes}, vs tensor dimensions {rank}.")
        return list(range(rank_a - axes, rank_a)), list(range(axes))
    if not isinstance(axes, (list, tuple)):
        raise TypeError(f"tensordot: `axes` must be an integer or two lists of them, got {axes!r}")
    if len(axes) != 2:
        raise ValueError(f"`axes` must be an integer or have length 2. Received {axes}.")
    for one in axes:
        if isinstance(one, (str, bytes)):
            raise TypeError(f"Cannot convert {one!r} to EagerTensor of dtype int32")
    first, second = ([one] if isinstance(one, (int, np.integer)) else list(one) for one in axes)
    if len(first) != len(second):
        raise ValueError(f"Different number of contraction axes `a` and `b`, {len(first)} != "
                         f"{len(second)}.")
    return _positions(first, rank_a), _positions(second, rank_b)


def _positions(axes: list, rank: int) -> list[int]:
    for axis in axes:
        if not -rank <= axis < rank:
            raise IndexError(f"tensordot: axis {axis} is out of range for a tensor with {rank} "
                             f"dimensions")
    positions = [int(axis) % rank for axis in axes]
    if len(set(positions)) != len(positions):
        raise ValueError(f"tensordot: axes {axes} name an axis twice")
    return positions
