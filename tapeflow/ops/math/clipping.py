"""Clipping by value and by norm; IndexedSlices stay slices."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from tapeflow.base import errors
from tapeflow.base.attributes import attributes, dense
from tapeflow.base.exports import export
from tapeflow.core.record.elementwise_ops import identity
from tapeflow.core.record.families import axes_of, matching, operand
from tapeflow.core.record.op import shape_of
from tapeflow.core.record.primitive_ops import cast, constant_like, reduce_sum, stack
from tapeflow.core.values.indexed_slices import IndexedSlices
from tapeflow.core.values.tensor import Tensor
from tapeflow.ops.math.arithmetic import multiply, realdiv
from tapeflow.ops.math.comparison import maximum, minimum
from tapeflow.ops.math.exponential import rsqrt, sqrt, square
from tapeflow.ops.math.select import select


def _values(t: Any) -> Tensor:
    return operand(t.values if isinstance(t, IndexedSlices) else t)


def _like(t: Any, values: Tensor) -> Any:
    """`values` instead of t's: a tensor, or slices with t's indices."""
    return IndexedSlices(values, t.indices, t.dense_shape) if isinstance(t, IndexedSlices) \
        else values


def _same_shape(result: Tensor, values: Tensor, function: str, argument: str) -> Tensor:
    try:
        differ = shape_of(result) != shape_of(values)
    except errors.UnknownSize:  # it fits whatever it may be
        return result
    if differ and not values.shape.is_compatible_with(result.shape):
        raise ValueError(f"{function}: `{argument}` broadcasts the result to shape {result.shape}, "
                         f"but `t` has shape {values.shape}.")
    return result


@export("clip_by_value")
def clip_by_value(t: Any, clip_value_min: Any, clip_value_max: Any, name: str | None = None) -> Any:
    """t with values below `clip_value_min` and above `clip_value_max` moved to these.

    The gradient is 1 at the bounds themselves, 0 beyond.
    """
    values = _values(t)
    result = values
    for pick, bound, argument in ((minimum, clip_value_max, "clip_value_max"),
                                  (maximum, clip_value_min, "clip_value_min")):
        result = _same_shape(pick(*matching(result, bound)), values, "tf.clip_by_value", argument)
    return _like(t, result)


@export("clip_by_norm")
@attributes(t=dense)
def clip_by_norm(t: Any, clip_norm: Any, axes: Any = None, name: str | None = None) -> Any:
    """t scaled down so that its L2 norm (along `axes`, or of all of it) is at most `clip_norm`."""
    values = _values(t)
    if np.isscalar(clip_norm):
        limit = operand(max(clip_norm, 0), values.dtype)  # type: ignore[type-var]
    else:
        limit = operand(clip_norm)
        limit = maximum(limit, operand(0, limit.dtype))
        limit = limit if limit.dtype == values.dtype else cast(limit, dtype=values.dtype.np)
    total = reduce_sum(values * values, axis=axes_of(values, axes, "Sum"), keepdims=True)
    positive = total > 0  # one select before the root and one after keep its gradient finite at 0
    norm = select(positive, sqrt(select(positive, total, constant_like(total, 1))), total)
    scaled = _same_shape(values * limit, values, "tf.clip_by_norm", "clip_norm")
    return _like(t, identity(scaled / maximum(norm, limit)))


@export("linalg.global_norm")
def global_norm(t_list: Any, name: str | None = None) -> Tensor:
    """The L2 norm of all tensors in a list taken together; None entries are left out."""
    return _global_norm(_listed(t_list, "tf.linalg.global_norm"))


def _listed(t_list: Any, function: str) -> list:
    if not isinstance(t_list, Sequence) or isinstance(t_list, str):
        raise TypeError(f"{function}: `t_list` should be a sequence of tensors. Received "
                        f"{type(t_list)}.")
    return list(t_list)


def _global_norm(t_list: list) -> Tensor:
    halves = [_half_square_sum(_values(t)) for t in t_list if t is not None]
    if not halves:
        return operand(0.0)
    total = halves[0] if len(halves) == 1 else reduce_sum(
        stack(*halves, axis=0), axis=None, keepdims=False)
    return sqrt(total * 2.0)


def _half_square_sum(values: Tensor) -> Tensor:
    if not values.dtype.is_floating:
        raise errors.invalid("L2Loss", f"tf.linalg.global_norm: `t_list` must hold floating point "
                                       f"tensors, got {values.dtype.name}")
    return reduce_sum(square(values), axis=None, keepdims=False) * 0.5


@export("clip_by_global_norm")
def clip_by_global_norm(t_list: Any, clip_norm: Any, use_norm: Any = None,
                        name: str | None = None) -> tuple[list, Tensor]:
    """All tensors scaled by one factor so that their global norm is at most `clip_norm`.

    Returns the list and the global norm. If that is infinite, all results are NaN.
    """
    t_list = _listed(t_list, "tf.clip_by_global_norm")
    norm = _global_norm(t_list) if use_norm is None else operand(use_norm)
    one = operand(1.0, norm.dtype)
    scale = clip_norm * minimum(realdiv(one, norm), one / clip_norm)
    scale = scale + (norm - norm)  # NaN where the norm is infinite

    def clipped(t: Any) -> Any:
        if t is None:
            return None
        values = _values(t)
        factor = scale if scale.dtype == values.dtype else cast(scale, dtype=values.dtype.np)
        return _like(t, identity(multiply(values, factor)))

    return [clipped(t) for t in t_list], norm


@export("compat.v1.clip_by_average_norm")
def clip_by_average_norm(t: Any, clip_norm: Any, name: str | None = None) -> Tensor:
    """t scaled down so that its L2 norm per element is at most `clip_norm`."""
    values = operand(t)
    size = float(np.prod(shape_of(values), dtype=np.int64))
    inverse = rsqrt(reduce_sum(values * values, axis=None, keepdims=False))
    limit = operand(clip_norm, values.dtype) if np.isscalar(clip_norm) else operand(clip_norm)
    return identity(values * limit * minimum(inverse * size, 1.0 / limit))
