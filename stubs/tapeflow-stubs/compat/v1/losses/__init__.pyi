# Written by tools/stubs.py (make stubs).
"""tf.compat.v1.losses"""

from typing import Any

import tapeflow as tf
from tapeflow._typing import TensorLike

def compute_weighted_loss(
    losses: Any, weights: TensorLike = 1.0, scope: str | None = None,
    loss_collection: Any = None, reduction: str = ...,
) -> tf.Tensor:
    """Losses of examples times their weights, as one."""

class Reduction:
    """How losses of examples become one."""
    NONE: str
    SUM: str
    SUM_OVER_BATCH_SIZE: str
    MEAN: str
    SUM_BY_NONZERO_WEIGHTS: str
    SUM_OVER_NONZERO_WEIGHTS: str

def sparse_softmax_cross_entropy(
    labels: TensorLike, logits: TensorLike, weights: TensorLike = 1.0, scope: str | None = None,
    loss_collection: Any = None, reduction: str = ...,
) -> tf.Tensor:
    """The cross entropy of classes and logits."""
