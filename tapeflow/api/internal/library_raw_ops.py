"""Names of `tf.raw_ops` that libraries call, made of public functions and ops.

Loaded when one of the names is asked for. No kernels here.
"""

from __future__ import annotations

from collections import namedtuple
from typing import Any

import tapeflow as tf
from tapeflow.base import errors
from tapeflow.base.exports import export, publish
from tapeflow.core.record.families import operand
from tapeflow.core.values.tensor import Tensor
from tapeflow.ops.math.special import igamma_derivative
from tapeflow.ops.random.random_ops import gamma_sample_grad


# -- derivatives -----------------------------------------------------------------------------------
@export("raw_ops.IgammaGradA")
def igamma_grad_a(*, a: Any, x: Any, name: str | None = None) -> Tensor:
    """The derivative of igamma(a, x) by a."""
    first = operand(a)
    return igamma_derivative(first, operand(x, first.dtype), order=1)


@export("raw_ops.RandomGammaGrad")
def random_gamma_grad(*, alpha: Any, sample: Any, name: str | None = None) -> Tensor:
    """The derivative of a gamma sample by its concentration."""
    first = operand(alpha)
    return gamma_sample_grad(first, operand(sample, first.dtype))


@export("raw_ops.PreventGradient")
def prevent_gradient(input: Any, message: str = "", name: str | None = None) -> Tensor:
    """The input; a gradient through it is a LookupError."""
    def refuse(*gradients: Any) -> Any:
        raise LookupError(f"Gradient explicitly disabled. Reason: {message}")

    return tf.custom_gradient(lambda x: (tf.identity(x), refuse))(operand(input))


BroadcastGradientArgs = namedtuple("BroadcastGradientArgs", ["r0", "r1"])


@export("raw_ops.BroadcastGradientArgs")
def broadcast_gradient_args(*, s0: Any, s1: Any, name: str | None = None) -> Any:
    """Along which axes the gradients to two operands of given shapes are summed."""
    first, second = operand(s0), operand(s1)
    values = [tf.get_static_value(one) for one in (first, second)]
    if any(one is None for one in values):
        raise NotImplementedError("tf.raw_ops.BroadcastGradientArgs: the shapes must be known "
                                  "while a function is traced.")
    shapes = [one.tolist() for one in values]
    rank = max(map(len, shapes))
    whole = [[1] * (rank - len(one)) + one for one in shapes]
    axes: list[list[int]] = [[], []]
    for axis, sizes in enumerate(zip(*whole, strict=True)):
        if len({*sizes} - {1}) > 1:
            raise errors.invalid("BroadcastGradientArgs", (
                f"Incompatible shapes: {shapes[0]} vs. {shapes[1]}"))
        for i, size in enumerate(sizes):
            if size == 1:
                axes[i].append(axis)
    return BroadcastGradientArgs(*[tf.constant(one, first.dtype, [len(one)]) for one in axes])


# -- matrices, complex numbers, segments -----------------------------------------------------------
def _diagonal_parts(name: str) -> None:
    def diag_part(*, input: Any, k: Any, padding_value: Any, align: str = "RIGHT_LEFT",
                  name: str | None = None) -> Tensor:
        """Diagonals of matrices."""
        return tf.linalg.diag_part(input, k=k, padding_value=padding_value, align=align)

    publish(diag_part, f"raw_ops.{name}")


_diagonal_parts("MatrixDiagPartV3")


@export("raw_ops.MatrixDiagPartV2")
def matrix_diag_part_v2(*, input: Any, k: Any, padding_value: Any,
                        name: str | None = None) -> Tensor:
    """Diagonals of matrices, each from the left."""
    return tf.linalg.diag_part(input, k=k, padding_value=padding_value, align="LEFT_LEFT")


@export("raw_ops.ComplexAbs")
def complex_abs(*, x: Any, Tout: Any = tf.float32, name: str | None = None) -> Tensor:
    """The absolute values of complex numbers."""
    return tf.cast(tf.abs(operand(x)), Tout)


def _segments(kind: str) -> None:
    def segment(*, data: Any, segment_ids: Any, num_segments: Any,
                name: str | None = None) -> Tensor:
        return reduce(data, segment_ids, num_segments)

    reduce = getattr(tf.math, f"unsorted_segment_{kind.lower()}")
    segment.__doc__ = f"The {kind.lower()} of each of a given number of segments."
    publish(segment, f"raw_ops.Segment{kind}V2")


for _kind in ("Max", "Min", "Prod", "Sum"):
    _segments(_kind)


# -- batch normalisation ---------------------------------------------------------------------------
_PARTS = ["y", "batch_mean", "batch_variance", "reserve_space_1", "reserve_space_2"]


def _normalised(x: Any, scale: Any, offset: Any, mean: Any, variance: Any, epsilon: float,
                factor: float, data_format: str, is_training: bool) -> tuple:
    x = operand(x)
    channels = 1 if data_format in ("NCHW", "NCDHW") else (x.shape.rank or 4) - 1
    axes = [axis for axis in range(x.shape.rank or 4) if axis != channels]
    inner = tf.cast(x, scale.dtype)
    if is_training:
        batch_mean, biased = tf.nn.moments(inner, axes)
        count = tf.cast(tf.size(inner) // tf.size(batch_mean), scale.dtype)
        unbiased = biased * (count / tf.maximum(count - 1, 1))
        shown = batch_mean, unbiased
        if factor != 1.0:
            shown = ((1 - factor) * mean + factor * batch_mean,
                     (1 - factor) * variance + factor * unbiased)
        mean, used = batch_mean, biased
    else:
        shown, used = (mean, variance), variance
    sizes = [1 if axis != channels else -1 for axis in range(x.shape.rank or 4)]
    wide = [tf.reshape(one, sizes) for one in (mean, used, offset, scale)]
    y = tf.nn.batch_normalization(inner, *wide, variance_epsilon=epsilon)
    return tf.cast(y, x.dtype), *shown, mean, used


def _fused(name: str, more: list[str]) -> None:
    def fused(*, x: Any, scale: Any, offset: Any, mean: Any, variance: Any,
              epsilon: float = 0.0001, exponential_avg_factor: float = 1.0,
              data_format: str = "NHWC", is_training: bool = True,
              name: str | None = None) -> Any:
        """Batch normalisation, with the moments of the batch or given ones."""
        first = operand(scale)
        offset, mean, variance = [operand(one, first.dtype) for one in (offset, mean, variance)]
        parts = _normalised(x, first, offset, mean, variance, epsilon, exponential_avg_factor,
                            data_format, is_training)
        return result(*parts, *[tf.zeros([0], first.dtype) for _ in more])

    result: Any = namedtuple(name, [*_PARTS, *more])  # type: ignore[misc]
    fused.__name__ = fused.__qualname__ = name
    publish(fused, f"raw_ops.{name}")


_fused("FusedBatchNorm", [])
_fused("FusedBatchNormV2", [])
_fused("FusedBatchNormV3", ["reserve_space_3"])


@export("compat.v1.nn.fused_batch_norm")
def fused_batch_norm(x: Any, scale: Any, offset: Any, mean: Any = None, variance: Any = None,
                     epsilon: float = 0.001, data_format: str = "NHWC", is_training: bool = True,
                     name: str | None = None, exponential_avg_factor: float = 1.0) -> tuple:
    """Batch normalisation: the result, and running moments."""
    none = tf.constant([], tf.float32)
    parts = tf.raw_ops.FusedBatchNormV3(
        x=x, scale=scale, offset=offset, mean=none if mean is None else mean,
        variance=none if variance is None else variance, epsilon=max(epsilon, 1.001e-5),
        exponential_avg_factor=exponential_avg_factor, data_format=data_format,
        is_training=is_training)
    return parts[:3]


# -- variables by what stands for them -------------------------------------------------------------
@export("raw_ops.ResourceApplyGradientDescent")
def apply_gradient_descent(*, var: Any, alpha: Any, delta: Any, use_locking: bool = False,
                           name: str | None = None) -> None:
    """`var -= alpha * delta`."""
    var.assign_sub(tf.cast(alpha, delta.dtype) * delta)


@export("raw_ops.ResourceScatterAdd")
def scatter_add(*, resource: Any, indices: Any, updates: Any, name: str | None = None) -> None:
    """Add rows to a variable."""
    resource.scatter_add(tf.IndexedSlices(updates, indices))


@export("raw_ops.ResourceScatterUpdate")
def scatter_update(*, resource: Any, indices: Any, updates: Any, name: str | None = None) -> None:
    """Replace rows of a variable."""
    resource.scatter_update(tf.IndexedSlices(updates, indices))
