"""tf.nn.local_response_normalization, and batch normalisation in its oldest form.

Made of other ops: the sum over neighbouring channels is a product with a band of ones. Loaded when
one of its public names is used.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import numpy as np

from tapeflow.base import errors
from tapeflow.base.attributes import attributes, real, small
from tapeflow.base.exports import export
from tapeflow.core.deferrable import deferrable
from tapeflow.core.record.families import operand
from tapeflow.core.record.op import shape_of
from tapeflow.core.record.primitive_ops import cast
from tapeflow.core.values.tensor import Tensor, wrap
from tapeflow.ops._support.arguments import brackets, wrong_kind
from tapeflow.ops.linalg.tensordot import tensordot
from tapeflow.ops.math.exponential import pow, rsqrt, sqrt, square
from tapeflow.ops.nn.softmax_norm import batch_normalization


@lru_cache(16)
def _band(channels: int, radius: int, alpha: float) -> np.ndarray:
    """What each channel's square counts in the sum of each."""
    index = np.arange(channels)
    near = np.abs(index[:, None] - index) <= radius
    return (near * np.float32(alpha)).astype(np.float32)


@export("nn.local_response_normalization", "nn.lrn")
@deferrable
@attributes(depth_radius=small, bias=real, alpha=real, beta=real)
def local_response_normalization(input: Any, depth_radius: int = 5, bias: float = 1,
                                 alpha: float = 1, beta: float = 0.5,
                                 name: str | None = None) -> Tensor:
    """x / (bias + alpha * the sum of squares over neighbouring channels) ** beta."""
    x = operand(input)
    shape = shape_of(x)
    if x.dtype.name not in ("float16", "bfloat16", "float32"):
        raise wrong_kind("LRN", "T", x.dtype, "half, bfloat16, float")
    if depth_radius < 0:
        raise errors.invalid("LRN", f"depth_radius = {depth_radius} must not be negative")
    if len(shape) != 4:
        raise errors.invalid("LRN", f"in must be 4-dimensional, got shape {brackets(shape)}")
    if shape[3] is None:
        raise errors.UnknownSize("tf.nn.local_response_normalization: the number of channels must "
                                 f"be known, got shape {x.shape}.")
    wide = cast(x, dtype=np.dtype("float32"))
    band = wrap(_band(shape[3], depth_radius, alpha))
    norm = tensordot(square(wide), band, [[3], [0]]) + bias
    if beta == 0.5:
        scaled = wide / sqrt(norm)
    elif beta == 1:
        scaled = wide / norm
    elif beta == 0.75:
        scaled = wide * (rsqrt(norm) * sqrt(rsqrt(norm)))
    else:
        scaled = wide * pow(norm, wrap(np.float32(-beta)))
    return cast(scaled, dtype=x.dtype.np)


@export("nn.batch_norm_with_global_normalization")
def batch_norm_with_global_normalization(input: Any, mean: Any, variance: Any, beta: Any,
                                         gamma: Any, variance_epsilon: Any,
                                         scale_after_normalization: bool,
                                         name: str | None = None) -> Tensor:
    """Batch normalisation; gamma is used only with `scale_after_normalization`."""
    return batch_normalization(input, mean, variance, beta,
                               gamma if scale_after_normalization else None, variance_epsilon)
