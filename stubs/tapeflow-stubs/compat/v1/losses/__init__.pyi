# Written by tools/stubs.py (make stubs).
"""tf.compat.v1.losses"""

from typing import Any

import tapeflow as tf
from tapeflow._typing import FloatLike, IntLike, TensorLike

def absolute_difference(
    labels: TensorLike, predictions: TensorLike, weights: TensorLike = 1.0,
    scope: str | None = None, loss_collection: Any = 'losses', reduction: str = ...,
) -> tf.Tensor:
    """How far predictions are from their labels."""

def add_loss(loss: Any, loss_collection: Any = 'losses') -> None:
    """Put a loss into a collection of the graph; nothing outside of graphs."""

def compute_weighted_loss(
    losses: Any, weights: TensorLike = 1.0, scope: str | None = None,
    loss_collection: Any = 'losses', reduction: str = ...,
) -> tf.Tensor:
    """Losses of examples times their weights, as one."""

def cosine_distance(
    labels: TensorLike, predictions: TensorLike, axis: IntLike | None = None,
    weights: TensorLike = 1.0, scope: str | None = None, loss_collection: Any = 'losses',
    reduction: str = ..., dim: IntLike | None = None,
) -> tf.Tensor:
    """1 less the product of labels and predictions, both of length 1 along an axis."""

def get_losses(scope: str | None = None, loss_collection: Any = 'losses') -> list:
    """The losses of a collection, of those whose names begin with `scope`."""

def get_regularization_loss(
    scope: str | None = None, name: str | None = ...,
) -> tf.Tensor:
    """The sum of what regularisers have put into the graph."""

def get_regularization_losses(scope: str | None = None) -> list:
    """What regularisers of variables have put into the graph."""

def get_total_loss(
    add_regularization_losses: bool = True, name: str | None = 'total_loss',
    scope: str | None = None,
) -> tf.Tensor:
    """The sum of all losses in the graph."""

def hinge_loss(
    labels: TensorLike, logits: TensorLike, weights: TensorLike = 1.0, scope: str | None = None,
    loss_collection: Any = 'losses', reduction: str = ...,
) -> tf.Tensor:
    """How much logits lack of 1 on the side of their labels, which are 0 or 1."""

def huber_loss(
    labels: TensorLike, predictions: TensorLike, weights: TensorLike = 1.0,
    delta: FloatLike = 1.0, scope: str | None = None, loss_collection: Any = 'losses',
    reduction: str = ...,
) -> tf.Tensor:
    """Half the square of differences up to `delta`, and straight on beyond."""

def log_loss(
    labels: TensorLike, predictions: TensorLike, weights: TensorLike = 1.0,
    epsilon: FloatLike = 1e-07, scope: str | None = None, loss_collection: Any = 'losses',
    reduction: str = ...,
) -> tf.Tensor:
    """The cross entropy of labels and chances."""

def mean_pairwise_squared_error(
    labels: TensorLike, predictions: TensorLike, weights: TensorLike = 1.0,
    scope: str | None = None, loss_collection: Any = 'losses',
) -> tf.Tensor:
    """How the differences between elements of one example differ from those of its labels."""

def mean_squared_error(
    labels: TensorLike, predictions: TensorLike, weights: TensorLike = 1.0,
    scope: str | None = None, loss_collection: Any = 'losses', reduction: str = ...,
) -> tf.Tensor:
    """The squares of the differences between predictions and labels."""

class Reduction:
    """How losses of examples become one."""
    NONE: str
    SUM: str
    SUM_OVER_BATCH_SIZE: str
    MEAN: str
    SUM_BY_NONZERO_WEIGHTS: str
    SUM_OVER_NONZERO_WEIGHTS: str
    @classmethod
    def all(cls) -> tuple[str, ...]:
        """Every way."""
    @classmethod
    def validate(cls, key: str) -> None:
        """ValueError for what is none of them."""

def sigmoid_cross_entropy(
    multi_class_labels: Any, logits: TensorLike, weights: TensorLike = 1.0,
    label_smoothing: FloatLike = 0, scope: str | None = None, loss_collection: Any = 'losses',
    reduction: str = ...,
) -> tf.Tensor:
    """The cross entropy of labels and logits, each class for itself."""

def softmax_cross_entropy(
    onehot_labels: Any, logits: TensorLike, weights: TensorLike = 1.0,
    label_smoothing: FloatLike = 0, scope: str | None = None, loss_collection: Any = 'losses',
    reduction: str = ...,
) -> tf.Tensor:
    """The cross entropy of distributions and logits; labels get no gradient."""

def sparse_softmax_cross_entropy(
    labels: TensorLike, logits: TensorLike, weights: TensorLike = 1.0, scope: str | None = None,
    loss_collection: Any = 'losses', reduction: str = ...,
) -> tf.Tensor:
    """The cross entropy of classes and logits; a last axis of one element is left out."""
