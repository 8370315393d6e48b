# Written by tools/stubs.py (make stubs).
"""tf.compat.v1.nn"""

from typing import Any

import tapeflow as tf
from tapeflow._typing import FloatLike, IntLike, ShapeLike, TensorLike

def dropout(
    x: TensorLike, keep_prob: Any = None, noise_shape: ShapeLike = None,
    seed: IntLike | None = None, name: str | None = None, rate: Any = None,
) -> tf.Tensor:
    """`tf.nn.dropout`; the second argument is the part that is kept."""

def embedding_lookup_sparse(
    params: TensorLike, sp_ids: Any, sp_weights: Any, partition_strategy: str = 'mod',
    name: str | None = None, combiner: str | None = None, max_norm: FloatLike | None = None,
    allow_fast_lookup: bool = False,
) -> tf.Tensor:
    """`tf.nn.embedding_lookup_sparse`; of a table in several parts only by `"div"`."""

def fused_batch_norm(
    x: TensorLike, scale: Any, offset: Any, mean: Any = None, variance: Any = None,
    epsilon: FloatLike = 0.001, data_format: str = 'NHWC', is_training: bool = True,
    name: str | None = None, exponential_avg_factor: FloatLike = 1.0,
) -> tuple:
    """Batch normalisation: the result, and running moments."""

def softmax_cross_entropy_with_logits(
    _sentinel: Any = None, labels: TensorLike | None = None, logits: TensorLike | None = None,
    dim: IntLike = -1, name: str | None = None, axis: IntLike | None = None,
) -> tf.Tensor:
    """The cross entropy of distributions and logits; labels get no gradient."""

def sparse_softmax_cross_entropy_with_logits(
    _sentinel: Any = None, labels: TensorLike | None = None, logits: TensorLike | None = None,
    name: str | None = None,
) -> tf.Tensor:
    """The cross entropy of classes and logits."""
