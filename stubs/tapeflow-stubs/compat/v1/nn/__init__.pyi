# Written by tools/stubs.py (make stubs).
"""tf.compat.v1.nn"""

from typing import Any

from tapeflow._typing import FloatLike, TensorLike

def fused_batch_norm(
    x: TensorLike, scale: Any, offset: Any, mean: Any = None, variance: Any = None,
    epsilon: FloatLike = 0.001, data_format: str = 'NHWC', is_training: bool = True,
    name: str | None = None, exponential_avg_factor: FloatLike = 1.0,
) -> tuple:
    """Batch normalisation: the result, and running moments."""
