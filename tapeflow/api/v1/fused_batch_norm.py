"""tf.compat.v1.nn.fused_batch_norm, by the raw op."""

from __future__ import annotations

from typing import Any

import tapeflow as tf
from tapeflow.base.exports import export


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
