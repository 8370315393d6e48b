"""tf.compat.v1.metrics: each function gives a value and an operation that updates it.

Variables of the graph hold the sums (collections `local_variables` and `metric_variables`); a
session runs the update for each batch and the value at the end. Loaded when a name is asked for.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import tapeflow as tf
from tapeflow.base.exports import export
from tapeflow.core.values.tensor import Tensor

_EPSILON = 1e-7
Pair = tuple[Any, Any]


def _in_a_graph(name: str) -> None:
    if tf.executing_eagerly():
        raise RuntimeError(
            f"tf.metrics.{name} is not supported when eager execution is enabled.")


def _sum_variable(shape: list[int], name: str) -> Any:
    keys = tf.compat.v1.GraphKeys
    return tf.compat.v1.Variable(
        tf.zeros(shape), trainable=False, name=name,
        collections=[keys.LOCAL_VARIABLES, keys.METRIC_VARIABLES])


def _matched(predictions: Any, labels: Any, weights: Any) -> tuple[Any, Any, Any]:
    """The three with the same rank: a last axis of one element is left out, or added."""
    predictions = tf.convert_to_tensor(predictions)
    rank = predictions.shape.rank
    if labels is not None:
        labels = tf.convert_to_tensor(labels)
        if rank is not None and labels.shape.rank is not None:
            if rank - labels.shape.rank == 1:
                predictions = tf.squeeze(predictions, [-1])
            elif labels.shape.rank - rank == 1:
                labels = tf.squeeze(labels, [-1])
        predictions.shape.assert_is_compatible_with(labels.shape)
        rank = predictions.shape.rank
    if weights is not None:
        weights = tf.cast(weights, tf.float32)
        if weights.shape.rank and rank is not None:
            if weights.shape.rank - rank == 1:
                weights = tf.squeeze(weights, [-1])
            elif rank - weights.shape.rank == 1:
                weights = tf.expand_dims(weights, -1)
    return predictions, labels, weights


def _collected(value: Any, update: Any, values_in: Any, updates_in: Any) -> Pair:
    for names, what in ((values_in, value), (updates_in, update)):
        if names:
            tf.compat.v1.add_to_collections(names, what)
    return value, update


@export("compat.v1.metrics.mean")
def mean(values: Any, weights: Any = None, metrics_collections: Any = None,
         updates_collections: Any = None, name: str | None = None) -> Pair:
    """The mean of all values so far, weighted."""
    _in_a_graph("mean")
    with tf.compat.v1.variable_scope(name, "mean", (values, weights)):
        values = tf.cast(values, tf.float32)
        total, count = _sum_variable([], "total"), _sum_variable([], "count")
        if weights is None:
            number = tf.cast(tf.size(values), tf.float32)
        else:
            values, _, weights = _matched(values, None, weights)
            weights = tf.broadcast_to(weights, tf.shape(values))
            values = values * weights
            number = tf.reduce_sum(weights)
        new_total = total.assign_add(tf.reduce_sum(values))
        new_count = count.assign_add(number)
        value = tf.math.divide_no_nan(
            tf.identity(total), tf.maximum(tf.identity(count), 0.0), name="value")
        update = tf.math.divide_no_nan(
            tf.identity(new_total), tf.maximum(tf.identity(new_count), 0.0), name="update_op")
        return _collected(value, update, metrics_collections, updates_collections)


@export("compat.v1.metrics.accuracy")
def accuracy(labels: Any, predictions: Any, weights: Any = None, metrics_collections: Any = None,
             updates_collections: Any = None, name: str | None = None) -> Pair:
    """How many of the predictions equal their labels, as a fraction."""
    _in_a_graph("accuracy")
    predictions, labels, weights = _matched(predictions, labels, weights)
    same = tf.cast(tf.equal(tf.cast(predictions, labels.dtype), labels), tf.float32)
    return mean(same, weights, metrics_collections, updates_collections, name or "accuracy")


# -- counts of four kinds: whether the label is true, whether the prediction is
_KINDS = {"tp": (True, True), "fn": (True, False), "tn": (False, False), "fp": (False, True)}
_NAMES = {"tp": "true_positives", "fn": "false_negatives", "tn": "true_negatives",
          "fp": "false_positives"}


def _of_kind(kind: str, labels: Tensor, predictions: Tensor) -> Tensor:
    positive, predicted = _KINDS[kind]
    return tf.cast(tf.logical_and(labels if positive else tf.logical_not(labels),
                                  predictions if predicted else tf.logical_not(predictions)),
                   tf.float32)


def _count(kind: str, labels: Any, predictions: Any, weights: Any, name: str | None,
           metrics_collections: Any = None, updates_collections: Any = None) -> Pair:
    with tf.compat.v1.variable_scope(name, _NAMES[kind], (predictions, labels, weights)):
        predictions, labels, weights = _matched(
            tf.cast(predictions, tf.bool), tf.cast(labels, tf.bool), weights)
        found = _of_kind(kind, labels, predictions)
        count = _sum_variable([], "count")
        value = tf.identity(count)
        update = count.assign_add(tf.reduce_sum(found if weights is None else found * weights))
        return _collected(value, update, metrics_collections, updates_collections)


def _counts_at(labels: Any, predictions: Any, thresholds: Any, weights: Any,
               kinds: tuple[str, ...]) -> tuple[dict[str, Any], dict[str, Any]]:
    """Counts for each threshold, and what updates them, by kind."""
    predictions = tf.convert_to_tensor(predictions)
    message = "predictions must be in [0, 1]"
    checks = [tf.debugging.assert_greater_equal(
                  predictions, tf.cast(0.0, predictions.dtype), message=message),
              tf.debugging.assert_less_equal(
                  predictions, tf.cast(1.0, predictions.dtype), message=message)]
    with tf.control_dependencies(checks):
        predictions = tf.identity(predictions)
    predictions, labels, weights = _matched(
        tf.cast(predictions, tf.float32), tf.cast(labels, tf.bool), weights)
    limits = tf.reshape(tf.constant(thresholds, tf.float32), [-1, 1])
    above = tf.reshape(predictions, [1, -1]) > limits
    truth = tf.logical_and(tf.reshape(labels, [1, -1]), tf.ones_like(above))
    if weights is not None:
        weights = tf.reshape(tf.broadcast_to(weights, tf.shape(predictions)), [1, -1])
    values, updates = {}, {}
    for kind in kinds:
        variable = _sum_variable([len(thresholds)], _NAMES[kind])
        found = _of_kind(kind, truth, above)
        updates[kind] = variable.assign_add(
            tf.reduce_sum(found if weights is None else found * weights, 1))
        values[kind] = tf.identity(variable)
    return values, updates


def _count_at(kind: str, labels: Any, predictions: Any, thresholds: Any, weights: Any,
              metrics_collections: Any, updates_collections: Any, name: str | None) -> Pair:
    _in_a_graph(f"{_NAMES[kind]}_at_thresholds")
    with tf.compat.v1.variable_scope(name, _NAMES[kind], (predictions, labels, weights)):
        values, updates = _counts_at(labels, predictions, thresholds, weights, (kind,))
        return _collected(values[kind], updates[kind], metrics_collections, updates_collections)


@export("compat.v1.metrics.true_positives")
def true_positives(labels: Any, predictions: Any, weights: Any = None,
                   metrics_collections: Any = None, updates_collections: Any = None,
                   name: str | None = None) -> Pair:
    """The number of true labels that were predicted."""
    _in_a_graph("true_positives")
    return _count("tp", labels, predictions, weights, name, metrics_collections,
                  updates_collections)


@export("compat.v1.metrics.true_positives_at_thresholds")
def true_positives_at_thresholds(
        labels: Any, predictions: Any, thresholds: Any, weights: Any = None,
        metrics_collections: Any = None, updates_collections: Any = None,
        name: str | None = None) -> Pair:
    """The number of true labels that were predicted, for each threshold."""
    return _count_at("tp", labels, predictions, thresholds, weights, metrics_collections,
                     updates_collections, name)


@export("compat.v1.metrics.false_negatives")
def false_negatives(labels: Any, predictions: Any, weights: Any = None,
                    metrics_collections: Any = None, updates_collections: Any = None,
                    name: str | None = None) -> Pair:
    """The number of true labels that were not predicted."""
    _in_a_graph("false_negatives")
    return _count("fn", labels, predictions, weights, name, metrics_collections,
                  updates_collections)


@export("compat.v1.metrics.false_negatives_at_thresholds")
def false_negatives_at_thresholds(
        labels: Any, predictions: Any, thresholds: Any, weights: Any = None,
        metrics_collections: Any = None, updates_collections: Any = None,
        name: str | None = None) -> Pair:
    """The number of true labels that were not predicted, for each threshold."""
    return _count_at("fn", labels, predictions, thresholds, weights, metrics_collections,
                     updates_collections, name)


@export("compat.v1.metrics.true_negatives")
def true_negatives(labels: Any, predictions: Any, weights: Any = None,
                   metrics_collections: Any = None, updates_collections: Any = None,
                   name: str | None = None) -> Pair:
    """The number of false labels that were not predicted."""
    _in_a_graph("true_negatives")
    return _count("tn", labels, predictions, weights, name, metrics_collections,
                  updates_collections)


@export("compat.v1.metrics.true_negatives_at_thresholds")
def true_negatives_at_thresholds(
        labels: Any, predictions: Any, thresholds: Any, weights: Any = None,
        metrics_collections: Any = None, updates_collections: Any = None,
        name: str | None = None) -> Pair:
    """The number of false labels that were not predicted, for each threshold."""
    return _count_at("tn", labels, predictions, thresholds, weights, metrics_collections,
                     updates_collections, name)


@export("compat.v1.metrics.false_positives")
def false_positives(labels: Any, predictions: Any, weights: Any = None,
                    metrics_collections: Any = None, updates_collections: Any = None,
                    name: str | None = None) -> Pair:
    """The number of false labels that were predicted true."""
    _in_a_graph("false_positives")
    return _count("fp", labels, predictions, weights, name, metrics_collections,
                  updates_collections)


@export("compat.v1.metrics.false_positives_at_thresholds")
def false_positives_at_thresholds(
        labels: Any, predictions: Any, thresholds: Any, weights: Any = None,
        metrics_collections: Any = None, updates_collections: Any = None,
        name: str | None = None) -> Pair:
    """The number of false labels that were predicted true, for each threshold."""
    return _count_at("fp", labels, predictions, thresholds, weights, metrics_collections,
                     updates_collections, name)


# -- what is computed of counts
def _fraction(of: str, name: str | None, other: str, labels: Any, predictions: Any, weights: Any,
              metrics_collections: Any, updates_collections: Any) -> Pair:
    """True positives as a fraction of themselves and another kind; 0 where there are none."""
    _in_a_graph(of)

    def fraction(hits: Any, others: Any, name: str) -> Tensor:
        both = tf.identity(hits) + tf.identity(others)
        return tf.where(both > 0, tf.identity(hits) / both, 0.0, name=name)

    with tf.compat.v1.variable_scope(name, of, (predictions, labels, weights)):
        predictions, labels, weights = _matched(
            tf.cast(predictions, tf.bool), tf.cast(labels, tf.bool), weights)
        hits, new_hits = _count("tp", labels, predictions, weights, None)
        others, new_others = _count(other, labels, predictions, weights, None)
        return _collected(fraction(hits, others, "value"),
                          fraction(new_hits, new_others, "update_op"),
                          metrics_collections, updates_collections)


def _of_counts(of: str, name: str | None, kinds: tuple[str, ...], compute: Callable,
               labels: Any, predictions: Any, thresholds: Any, weights: Any,
               metrics_collections: Any, updates_collections: Any) -> Pair:
    """What `compute` makes of counts for each threshold."""
    _in_a_graph(of)
    with tf.compat.v1.variable_scope(name, of, (predictions, labels, weights)):
        values, updates = _counts_at(labels, predictions, thresholds, weights, kinds)
        updates = {kind: tf.identity(update) for kind, update in updates.items()}
        return _collected(compute(**values), compute(**updates), metrics_collections,
                          updates_collections)


@export("compat.v1.metrics.precision")
def precision(labels: Any, predictions: Any, weights: Any = None, metrics_collections: Any = None,
              updates_collections: Any = None, name: str | None = None) -> Pair:
    """How many of what was predicted is true, as a fraction."""
    return _fraction("precision", name, "fp", labels, predictions, weights, metrics_collections,
                     updates_collections)


@export("compat.v1.metrics.precision_at_thresholds")
def precision_at_thresholds(
        labels: Any, predictions: Any, thresholds: Any, weights: Any = None,
        metrics_collections: Any = None, updates_collections: Any = None,
        name: str | None = None) -> Pair:
    """How many of what was predicted is true, as a fraction for each threshold."""
    return _of_counts("precision_at_thresholds", name, ("tp", "fp"),
                      lambda tp, fp: tp / (_EPSILON + tp + fp),
                      labels, predictions, thresholds, weights, metrics_collections,
                      updates_collections)


@export("compat.v1.metrics.recall")
def recall(labels: Any, predictions: Any, weights: Any = None, metrics_collections: Any = None,
           updates_collections: Any = None, name: str | None = None) -> Pair:
    """How much of what is true was predicted, as a fraction."""
    return _fraction("recall", name, "fn", labels, predictions, weights, metrics_collections,
                     updates_collections)


@export("compat.v1.metrics.recall_at_thresholds")
def recall_at_thresholds(
        labels: Any, predictions: Any, thresholds: Any, weights: Any = None,
        metrics_collections: Any = None, updates_collections: Any = None,
        name: str | None = None) -> Pair:
    """How much of what is true was predicted, as a fraction for each threshold."""
    return _of_counts("recall_at_thresholds", name, ("tp", "fn"),
                      lambda tp, fn: tp / (_EPSILON + tp + fn),
                      labels, predictions, thresholds, weights, metrics_collections,
                      updates_collections)


def _thresholds(count: int, last: float) -> list[float]:
    return [-_EPSILON, *[(i + 1) / (count - 1) for i in range(count - 2)], last]


@export("compat.v1.metrics.sensitivity_at_specificity")
def sensitivity_at_specificity(
        labels: Any, predictions: Any, specificity: float, weights: Any = None,
        num_thresholds: int = 200, metrics_collections: Any = None, updates_collections: Any = None,
        name: str | None = None) -> Pair:
    """The sensitivity at the threshold whose specificity is nearest to the wanted one."""
    if specificity < 0 or specificity > 1:
        raise ValueError("`specificity` must be in the range [0, 1]. Currently, `specificity` got "
                         f"{specificity}.")

    def compute(tp: Tensor, tn: Tensor, fp: Tensor, fn: Tensor) -> Tensor:
        index = tf.argmin(tf.abs(tn / (tn + fp + _EPSILON) - specificity), 0)
        hits, missed = tf.gather(tp, index), tf.gather(fn, index)
        return hits / (hits + missed + _EPSILON)

    return _of_counts("sensitivity_at_specificity", name, tuple(_KINDS), compute, labels,
                      predictions, _thresholds(num_thresholds, 1.0 + _EPSILON), weights,
                      metrics_collections, updates_collections)


@export("compat.v1.metrics.specificity_at_sensitivity")
def specificity_at_sensitivity(
        labels: Any, predictions: Any, sensitivity: float, weights: Any = None,
        num_thresholds: int = 200, metrics_collections: Any = None, updates_collections: Any = None,
        name: str | None = None) -> Pair:
    """The specificity at the last threshold whose sensitivity is nearest to the wanted one."""
    if sensitivity < 0 or sensitivity > 1:
        raise ValueError("`sensitivity` must be in the range [0, 1]. Currently, `sensitivity` is "
                         f"{sensitivity}.")

    def compute(tp: Tensor, tn: Tensor, fp: Tensor, fn: Tensor) -> Tensor:
        distance = tf.abs(tp / (tp + fn + _EPSILON) - sensitivity)
        nearest = tf.cumsum(tf.cast(tf.equal(distance, tf.reduce_min(distance)), tf.int64))
        index = tf.argmax(nearest, 0)
        kept, alarms = tf.gather(tn, index), tf.gather(fp, index)
        return kept / (kept + alarms + _EPSILON)

    return _of_counts("specificity_at_sensitivity", name, tuple(_KINDS), compute, labels,
                      predictions, _thresholds(num_thresholds, 1.0 - _EPSILON), weights,
                      metrics_collections, updates_collections)
