"""tf.compat.v1.losses, as far as libraries name them.

Loaded when one of the names is asked for.
"""

from __future__ import annotations

from typing import Any

import tapeflow as tf
from tapeflow.base.exports import export
from tapeflow.core.values.tensor import Tensor


@export("compat.v1.losses.Reduction")
class Reduction:
    """How losses of examples become one."""

    NONE = "none"
    SUM = "weighted_sum"
    SUM_OVER_BATCH_SIZE = "weighted_sum_over_batch_size"
    MEAN = "weighted_mean"
    SUM_BY_NONZERO_WEIGHTS = "weighted_sum_by_nonzero_weights"
    SUM_OVER_NONZERO_WEIGHTS = SUM_BY_NONZERO_WEIGHTS


@export("compat.v1.losses.compute_weighted_loss")
def compute_weighted_loss(losses: Any, weights: Any = 1.0, scope: str | None = None,
                          loss_collection: Any = None,
                          reduction: str = Reduction.SUM_BY_NONZERO_WEIGHTS) -> Tensor:
    """Losses of examples times their weights, as one."""
    losses = tf.convert_to_tensor(losses)
    weights = tf.cast(weights, losses.dtype)
    weighted = losses * weights
    if reduction == Reduction.NONE:
        return weighted
    total = tf.reduce_sum(weighted)
    if reduction == Reduction.SUM:
        return total
    every = tf.broadcast_to(weights, tf.shape(losses))
    if reduction == Reduction.SUM_OVER_BATCH_SIZE:
        count = tf.cast(tf.size(losses), losses.dtype)
    elif reduction == Reduction.MEAN:
        count = tf.reduce_sum(every)
    else:
        count = tf.reduce_sum(tf.cast(every != 0, losses.dtype))
    return tf.math.divide_no_nan(total, count)


@export("compat.v1.losses.sparse_softmax_cross_entropy")
def sparse_softmax_cross_entropy(labels: Any, logits: Any, weights: Any = 1.0,
                                 scope: str | None = None, loss_collection: Any = None,
                                 reduction: str = Reduction.SUM_BY_NONZERO_WEIGHTS) -> Tensor:
    """The cross entropy of classes and logits."""
    found = tf.nn.sparse_softmax_cross_entropy_with_logits(labels=labels, logits=logits)
    return compute_weighted_loss(found, weights, reduction=reduction)
