# Written by tools/stubs.py (make stubs).
"""tf.compat.v1.metrics"""

from typing import Any

from tapeflow._typing import FloatLike, IntLike, TensorLike

def accuracy(
    labels: TensorLike, predictions: TensorLike, weights: TensorLike | None = None,
    metrics_collections: Any = None, updates_collections: Any = None, name: str | None = None,
) -> Any:
    """How many of the predictions equal their labels, as a fraction."""

def false_negatives(
    labels: TensorLike, predictions: TensorLike, weights: TensorLike | None = None,
    metrics_collections: Any = None, updates_collections: Any = None, name: str | None = None,
) -> Any:
    """The number of true labels that were not predicted."""

def false_negatives_at_thresholds(
    labels: TensorLike, predictions: TensorLike, thresholds: Any,
    weights: TensorLike | None = None, metrics_collections: Any = None,
    updates_collections: Any = None, name: str | None = None,
) -> Any:
    """The number of true labels that were not predicted, for each threshold."""

def false_positives(
    labels: TensorLike, predictions: TensorLike, weights: TensorLike | None = None,
    metrics_collections: Any = None, updates_collections: Any = None, name: str | None = None,
) -> Any:
    """The number of false labels that were predicted true."""

def false_positives_at_thresholds(
    labels: TensorLike, predictions: TensorLike, thresholds: Any,
    weights: TensorLike | None = None, metrics_collections: Any = None,
    updates_collections: Any = None, name: str | None = None,
) -> Any:
    """The number of false labels that were predicted true, for each threshold."""

def mean(
    values: TensorLike, weights: TensorLike | None = None, metrics_collections: Any = None,
    updates_collections: Any = None, name: str | None = None,
) -> Any:
    """The mean of all values so far, weighted."""

def precision(
    labels: TensorLike, predictions: TensorLike, weights: TensorLike | None = None,
    metrics_collections: Any = None, updates_collections: Any = None, name: str | None = None,
) -> Any:
    """How many of what was predicted is true, as a fraction."""

def precision_at_thresholds(
    labels: TensorLike, predictions: TensorLike, thresholds: Any,
    weights: TensorLike | None = None, metrics_collections: Any = None,
    updates_collections: Any = None, name: str | None = None,
) -> Any:
    """How many of what was predicted is true, as a fraction for each threshold."""

def recall(
    labels: TensorLike, predictions: TensorLike, weights: TensorLike | None = None,
    metrics_collections: Any = None, updates_collections: Any = None, name: str | None = None,
) -> Any:
    """How much of what is true was predicted, as a fraction."""

def recall_at_thresholds(
    labels: TensorLike, predictions: TensorLike, thresholds: Any,
    weights: TensorLike | None = None, metrics_collections: Any = None,
    updates_collections: Any = None, name: str | None = None,
) -> Any:
    """How much of what is true was predicted, as a fraction for each threshold."""

def sensitivity_at_specificity(
    labels: TensorLike, predictions: TensorLike, specificity: FloatLike,
    weights: TensorLike | None = None, num_thresholds: IntLike = 200,
    metrics_collections: Any = None, updates_collections: Any = None, name: str | None = None,
) -> Any:
    """The sensitivity at the threshold whose specificity is nearest to the wanted one."""

def specificity_at_sensitivity(
    labels: TensorLike, predictions: TensorLike, sensitivity: FloatLike,
    weights: TensorLike | None = None, num_thresholds: IntLike = 200,
    metrics_collections: Any = None, updates_collections: Any = None, name: str | None = None,
) -> Any:
    """The specificity at the last threshold whose sensitivity is nearest to the wanted one."""

def true_negatives(
    labels: TensorLike, predictions: TensorLike, weights: TensorLike | None = None,
    metrics_collections: Any = None, updates_collections: Any = None, name: str | None = None,
) -> Any:
    """The number of false labels that were not predicted."""

def true_negatives_at_thresholds(
    labels: TensorLike, predictions: TensorLike, thresholds: Any,
    weights: TensorLike | None = None, metrics_collections: Any = None,
    updates_collections: Any = None, name: str | None = None,
) -> Any:
    """The number of false labels that were not predicted, for each threshold."""

def true_positives(
    labels: TensorLike, predictions: TensorLike, weights: TensorLike | None = None,
    metrics_collections: Any = None, updates_collections: Any = None, name: str | None = None,
) -> Any:
    """The number of true labels that were predicted."""

def true_positives_at_thresholds(
    labels: TensorLike, predictions: TensorLike, thresholds: Any,
    weights: TensorLike | None = None, metrics_collections: Any = None,
    updates_collections: Any = None, name: str | None = None,
) -> Any:
    """The number of true labels that were predicted, for each threshold."""
