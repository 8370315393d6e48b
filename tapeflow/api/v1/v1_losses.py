"""tf.compat.v1.losses: losses of examples as one, which the graph collects.

Loaded when one of the names is asked for.
"""

from __future__ import annotations

from typing import Any

import tapeflow as tf
from tapeflow.base.exports import export
from tapeflow.core.values.tensor import Tensor

LOSSES = "losses"  # GraphKeys.LOSSES


@export("compat.v1.losses.Reduction")
class Reduction:
    """How losses of examples become one."""

    NONE = "none"
    SUM = "weighted_sum"
    SUM_OVER_BATCH_SIZE = "weighted_sum_over_batch_size"
    MEAN = "weighted_mean"
    SUM_BY_NONZERO_WEIGHTS = "weighted_sum_by_nonzero_weights"
    SUM_OVER_NONZERO_WEIGHTS = SUM_BY_NONZERO_WEIGHTS

    @classmethod
    def all(cls) -> tuple[str, ...]:
        """Every way."""
        return (cls.NONE, cls.SUM, cls.MEAN, cls.SUM_OVER_BATCH_SIZE, cls.SUM_OVER_NONZERO_WEIGHTS,
                cls.SUM_BY_NONZERO_WEIGHTS)

    @classmethod
    def validate(cls, key: str) -> None:
        """ValueError for what is none of them."""
        if key not in cls.all():
            raise ValueError(f"Invalid Reduction Key {key}.")


# -- what is collected -----------------------------------------------------------------------------
@export("compat.v1.losses.add_loss")
def add_loss(loss: Any, loss_collection: Any = LOSSES) -> None:
    """Put a loss into a collection of the graph; nothing outside of graphs."""
    if loss_collection and not tf.executing_eagerly():
        tf.compat.v1.add_to_collection(loss_collection, loss)


@export("compat.v1.losses.get_losses")
def get_losses(scope: str | None = None, loss_collection: Any = LOSSES) -> list:
    """The losses of a collection, of those whose names begin with `scope`."""
    return list(tf.compat.v1.get_collection(loss_collection, scope))


@export("compat.v1.losses.get_regularization_losses")
def get_regularization_losses(scope: str | None = None) -> list:
    """What regularisers of variables have put into the graph."""
    return list(tf.compat.v1.get_collection(
        tf.compat.v1.GraphKeys.REGULARIZATION_LOSSES, scope))


@export("compat.v1.losses.get_regularization_loss")
def get_regularization_loss(scope: str | None = None,
                            name: str | None = "total_regularization_loss") -> Tensor:
    """The sum of what regularisers have put into the graph."""
    found = get_regularization_losses(scope)
    return tf.add_n(found, name=name) if found else tf.constant(0.0)


@export("compat.v1.losses.get_total_loss")
def get_total_loss(add_regularization_losses: bool = True, name: str | None = "total_loss",
                   scope: str | None = None) -> Tensor:
    """The sum of all losses in the graph."""
    found = get_losses(scope)
    if add_regularization_losses:
        found += get_regularization_losses(scope)
    return tf.add_n(found, name=name)


# -- one of many -----------------------------------------------------------------------------------
def _counted(losses: Tensor, weights: Tensor, each: bool = False) -> Tensor:
    """How many of the losses have a weight; `each`: of each example, in the losses' rank."""
    there = tf.cast(tf.broadcast_to(weights, tf.shape(losses)) != 0, losses.dtype)
    if each:
        return tf.reduce_sum(there, list(range(1, losses.shape.rank or 1)), keepdims=True)
    return tf.reduce_sum(there)


def _check_weights(weights: Tensor, losses: Tensor) -> None:
    mine, theirs = weights.shape, losses.shape
    if not mine.rank or theirs.rank is None:
        return
    if mine.rank != theirs.rank or any(
            a not in (1, None) and b is not None and a != b for a, b in zip(
                mine.as_list(), theirs.as_list(), strict=True)):
        raise ValueError(
            f"weights can not be broadcast to values. values.rank={theirs.rank}. weights.rank="
            f"{mine.rank}. values.shape={theirs}. weights.shape={mine}.")


@export("compat.v1.losses.compute_weighted_loss")
def compute_weighted_loss(losses: Any, weights: Any = 1.0, scope: str | None = None,
                          loss_collection: Any = LOSSES,
                          reduction: str = Reduction.SUM_BY_NONZERO_WEIGHTS) -> Tensor:
    """Losses of examples times their weights, as one."""
    Reduction.validate(reduction)
    with tf.name_scope(scope or "weighted_loss"):
        losses = tf.convert_to_tensor(losses)
        kind = losses.dtype
        values, weights = tf.cast(losses, tf.float32), tf.cast(weights, tf.float32)
        _check_weights(weights, values)
        loss = values * weights
        if reduction != Reduction.NONE:
            loss = tf.reduce_sum(loss)
        if reduction == Reduction.MEAN:
            every = tf.broadcast_to(weights, tf.shape(values))
            loss = tf.math.divide_no_nan(loss, tf.reduce_sum(every), name="value")
        elif reduction == Reduction.SUM_BY_NONZERO_WEIGHTS:
            loss = tf.math.divide_no_nan(loss, _counted(values, weights), name="value")
        elif reduction == Reduction.SUM_OVER_BATCH_SIZE:
            loss = tf.math.divide_no_nan(loss, tf.cast(tf.size(values), tf.float32), name="value")
        loss = tf.cast(loss, kind)
        add_loss(loss, loss_collection)
        return loss


def _pair(labels: Any, predictions: Any) -> tuple[Tensor, Tensor]:
    if labels is None or predictions is None:
        raise ValueError("Argument `labels` and `predictions` (or `logits`) must not be None.")
    predictions, labels = tf.cast(predictions, tf.float32), tf.cast(labels, tf.float32)
    predictions.shape.assert_is_compatible_with(labels.shape)
    return labels, predictions


@export("compat.v1.losses.absolute_difference")
def absolute_difference(labels: Any, predictions: Any, weights: Any = 1.0,
                        scope: str | None = None, loss_collection: Any = LOSSES,
                        reduction: str = Reduction.SUM_BY_NONZERO_WEIGHTS) -> Tensor:
    """How far predictions are from their labels."""
    with tf.name_scope(scope or "absolute_difference") as inner:
        labels, predictions = _pair(labels, predictions)
        return compute_weighted_loss(tf.abs(predictions - labels), weights, inner,
                                     loss_collection, reduction)


@export("compat.v1.losses.cosine_distance")
def cosine_distance(labels: Any, predictions: Any, axis: int | None = None, weights: Any = 1.0,
                    scope: str | None = None, loss_collection: Any = LOSSES,
                    reduction: str = Reduction.SUM_BY_NONZERO_WEIGHTS,
                    dim: int | None = None) -> Tensor:
    """1 less the product of labels and predictions, both of length 1 along an axis."""
    axis = dim if axis is None else axis
    if axis is None:
        raise ValueError("You must specify argument `axis`.")
    with tf.name_scope(scope or "cosine_distance_loss") as inner:
        labels, predictions = _pair(labels, predictions)
        losses = 1 - tf.reduce_sum(predictions * labels, axis, keepdims=True)
        return compute_weighted_loss(losses, weights, inner, loss_collection, reduction)


@export("compat.v1.losses.hinge_loss")
def hinge_loss(labels: Any, logits: Any, weights: Any = 1.0, scope: str | None = None,
               loss_collection: Any = LOSSES,
               reduction: str = Reduction.SUM_BY_NONZERO_WEIGHTS) -> Tensor:
    """How much logits lack of 1 on the side of their labels, which are 0 or 1."""
    with tf.name_scope(scope or "hinge_loss") as inner:
        labels, logits = _pair(labels, logits)
        return compute_weighted_loss(tf.nn.relu(1.0 - (2 * labels - 1) * logits), weights, inner,
                                     loss_collection, reduction)


@export("compat.v1.losses.huber_loss")
def huber_loss(labels: Any, predictions: Any, weights: Any = 1.0, delta: float = 1.0,
               scope: str | None = None, loss_collection: Any = LOSSES,
               reduction: str = Reduction.SUM_BY_NONZERO_WEIGHTS) -> Tensor:
    """Half the square of differences up to `delta`, and straight on beyond."""
    with tf.name_scope(scope or "huber_loss") as inner:
        labels, predictions = _pair(labels, predictions)
        error = tf.abs(predictions - labels)
        inside = tf.minimum(error, delta)
        return compute_weighted_loss(0.5 * inside * inside + delta * (error - inside), weights,
                                     inner, loss_collection, reduction)


@export("compat.v1.losses.log_loss")
def log_loss(labels: Any, predictions: Any, weights: Any = 1.0, epsilon: float = 1e-7,
             scope: str | None = None, loss_collection: Any = LOSSES,
             reduction: str = Reduction.SUM_BY_NONZERO_WEIGHTS) -> Tensor:
    """The cross entropy of labels and chances."""
    with tf.name_scope(scope or "log_loss") as inner:
        labels, predictions = _pair(labels, predictions)
        losses = (-labels * tf.math.log(predictions + epsilon)
                  - (1 - labels) * tf.math.log(1 - predictions + epsilon))
        return compute_weighted_loss(losses, weights, inner, loss_collection, reduction)


@export("compat.v1.losses.mean_pairwise_squared_error")
def mean_pairwise_squared_error(labels: Any, predictions: Any, weights: Any = 1.0,
                                scope: str | None = None,
                                loss_collection: Any = LOSSES) -> Tensor:
    """How the differences between elements of one example differ from those of its labels."""
    with tf.name_scope(scope or "mean_pairwise_squared_error"):
        labels, predictions = _pair(labels, predictions)
        weights = tf.cast(weights, tf.float32)
        _check_weights(weights, labels)
        error = predictions - labels
        axes = list(range(1, error.shape.rank))
        count = _counted(error, weights, each=True)
        if tf.executing_eagerly() and weights.shape.rank == 0 and weights != 0:
            count = tf.cast(tf.size(error), tf.float32)  # TensorFlow's: of all examples
        squares = tf.reduce_sum(tf.square(error), axes, keepdims=True)
        of_sums = tf.square(tf.reduce_sum(error, axes, keepdims=True))
        losses = 2.0 * (tf.math.divide_no_nan(squares, tf.maximum(count - 1, 0))
                        - tf.math.divide_no_nan(of_sums, tf.maximum(count * (count - 1), 0)))
        loss = tf.where(tf.reduce_sum(count) > 0, tf.reduce_sum(losses * weights), 0.0,
                        name="value")
        add_loss(loss, loss_collection)
        return loss


@export("compat.v1.losses.mean_squared_error")
def mean_squared_error(labels: Any, predictions: Any, weights: Any = 1.0,
                       scope: str | None = None, loss_collection: Any = LOSSES,
                       reduction: str = Reduction.SUM_BY_NONZERO_WEIGHTS) -> Tensor:
    """The squares of the differences between predictions and labels."""
    with tf.name_scope(scope or "mean_squared_error") as inner:
        labels, predictions = _pair(labels, predictions)
        return compute_weighted_loss(tf.math.squared_difference(predictions, labels), weights,
                                     inner, loss_collection, reduction)


# -- of logits -------------------------------------------------------------------------------------
@export("compat.v1.losses.sigmoid_cross_entropy")
def sigmoid_cross_entropy(multi_class_labels: Any, logits: Any, weights: Any = 1.0,
                          label_smoothing: float = 0, scope: str | None = None,
                          loss_collection: Any = LOSSES,
                          reduction: str = Reduction.SUM_BY_NONZERO_WEIGHTS) -> Tensor:
    """The cross entropy of labels and logits, each class for itself."""
    with tf.name_scope(scope or "sigmoid_cross_entropy_loss") as inner:
        logits = tf.convert_to_tensor(logits)
        labels = tf.cast(multi_class_labels, logits.dtype)
        logits.shape.assert_is_compatible_with(labels.shape)
        if label_smoothing > 0:
            labels = labels * (1 - label_smoothing) + 0.5 * label_smoothing
        losses = tf.nn.sigmoid_cross_entropy_with_logits(labels=labels, logits=logits)
        return compute_weighted_loss(losses, weights, inner, loss_collection, reduction)


@export("compat.v1.losses.softmax_cross_entropy")
def softmax_cross_entropy(onehot_labels: Any, logits: Any, weights: Any = 1.0,
                          label_smoothing: float = 0, scope: str | None = None,
                          loss_collection: Any = LOSSES,
                          reduction: str = Reduction.SUM_BY_NONZERO_WEIGHTS) -> Tensor:
    """The cross entropy of distributions and logits; labels get no gradient."""
    with tf.name_scope(scope or "softmax_cross_entropy_loss") as inner:
        logits = tf.convert_to_tensor(logits)
        labels = tf.cast(onehot_labels, logits.dtype)
        logits.shape.assert_is_compatible_with(labels.shape)
        if label_smoothing > 0:
            classes = tf.cast(tf.shape(labels)[-1], logits.dtype)
            labels = labels * (1 - label_smoothing) + label_smoothing / classes
        losses = tf.nn.softmax_cross_entropy_with_logits(tf.stop_gradient(labels), logits)
        return compute_weighted_loss(losses, weights, inner, loss_collection, reduction)


@export("compat.v1.losses.sparse_softmax_cross_entropy")
def sparse_softmax_cross_entropy(labels: Any, logits: Any, weights: Any = 1.0,
                                 scope: str | None = None, loss_collection: Any = LOSSES,
                                 reduction: str = Reduction.SUM_BY_NONZERO_WEIGHTS) -> Tensor:
    """The cross entropy of classes and logits; a last axis of one element is left out."""
    with tf.name_scope(scope or "sparse_softmax_cross_entropy_loss") as inner:
        logits, labels = tf.convert_to_tensor(logits), tf.convert_to_tensor(labels)
        weights = tf.convert_to_tensor(weights)
        rank = logits.shape.rank
        if rank is not None and labels.shape.rank == rank:
            labels = tf.squeeze(labels, [-1])
        if rank is not None and weights.shape.rank == rank:
            weights = tf.squeeze(weights, [-1])
        losses = tf.nn.sparse_softmax_cross_entropy_with_logits(labels=labels, logits=logits)
        return compute_weighted_loss(losses, weights, inner, loss_collection, reduction)
