# Written by tools/stubs.py (make stubs).
"""tf.keras.metrics"""

from typing import Any

import tapeflow as tf
from tapeflow.keras import Metric as Metric
from tapeflow.keras.losses import (
    binary_crossentropy as binary_crossentropy,
    binary_focal_crossentropy as binary_focal_crossentropy,
    categorical_crossentropy as categorical_crossentropy,
    categorical_focal_crossentropy as categorical_focal_crossentropy,
    categorical_hinge as categorical_hinge,
    hinge as hinge,
    huber as huber,
    KLD as _KLD,
    KLD as KLD,
    logcosh as logcosh,
    MAE as _MAE,
    MAE as MAE,
    MAPE as _MAPE,
    MAPE as MAPE,
    MSE as _MSE,
    MSE as MSE,
    MSLE as _MSLE,
    MSLE as MSLE,
    poisson as poisson,
    sparse_categorical_crossentropy as sparse_categorical_crossentropy,
    squared_hinge as squared_hinge,
)

def categorical_accuracy(y_true: Any, y_pred: Any) -> Any: ...
def sparse_categorical_accuracy(y_true: Any, y_pred: Any) -> Any: ...

class Accuracy(tf.keras.metrics.MeanMetricWrapper):
    """Calculates how often predictions equal labels."""
    def __init__(self, name: Any = 'accuracy', dtype: Any = None) -> None: ...
    def get_config(self) -> Any: ...

class AUC(tf.keras.Metric):
    """Approximates the AUC (Area under the curve) of the ROC or PR curves."""
    def __init__(
        self, num_thresholds: Any = 200, curve: Any = 'ROC',
        summation_method: Any = 'interpolation', name: Any = None, dtype: Any = None,
        thresholds: Any = None, multi_label: Any = False, num_labels: Any = None,
        label_weights: Any = None, from_logits: Any = False,
    ) -> None: ...
    @property
    def thresholds(self) -> Any:
        """The thresholds used for evaluating AUC."""
    def update_state(self, y_true: Any, y_pred: Any, sample_weight: Any = None) -> Any:
        """Accumulates confusion matrix statistics."""
    def interpolate_pr_auc(self) -> Any:
        """Interpolation formula inspired by section 4 of Davis & Goadrich 2006."""
    def result(self) -> Any: ...
    def reset_state(self) -> Any: ...
    def get_config(self) -> Any: ...
    multi_label: Any
    num_labels: Any
    num_thresholds: Any
    curve: Any
    summation_method: Any
    label_weights: Any
    true_positives: Any
    false_positives: Any
    true_negatives: Any
    false_negatives: Any

class BinaryAccuracy(tf.keras.metrics.MeanMetricWrapper):
    """Calculates how often predictions match binary labels."""
    def __init__(
        self, name: Any = 'binary_accuracy', dtype: Any = None, threshold: Any = 0.5,
    ) -> None: ...
    def get_config(self) -> Any: ...
    threshold: Any

class BinaryCrossentropy(tf.keras.metrics.MeanMetricWrapper):
    """Computes the crossentropy metric between the labels and predictions."""
    def __init__(
        self, name: Any = 'binary_crossentropy', dtype: Any = None, from_logits: Any = False,
        label_smoothing: Any = 0,
    ) -> None: ...
    def get_config(self) -> Any: ...
    from_logits: Any
    label_smoothing: Any

class BinaryIoU(tf.keras.metrics.IoU):
    """Computes the Intersection-Over-Union metric for class 0 and/or 1."""
    def __init__(
        self, target_class_ids: Any = ..., threshold: Any = 0.5, name: Any = None,
        dtype: Any = None,
    ) -> None: ...
    def update_state(self, y_true: Any, y_pred: Any, sample_weight: Any = None) -> Any:
        """Accumulates the confusion matrix statistics."""
    def get_config(self) -> Any: ...
    threshold: Any

class CategoricalAccuracy(tf.keras.metrics.MeanMetricWrapper):
    """Calculates how often predictions match one-hot labels."""
    def __init__(self, name: Any = 'categorical_accuracy', dtype: Any = None) -> None: ...
    def get_config(self) -> Any: ...

class CategoricalCrossentropy(tf.keras.metrics.MeanMetricWrapper):
    """Computes the crossentropy metric between the labels and predictions."""
    def __init__(
        self, name: Any = ..., dtype: Any = None, from_logits: Any = False,
        label_smoothing: Any = 0, axis: Any = -1,
    ) -> None: ...
    def get_config(self) -> Any: ...
    from_logits: Any
    label_smoothing: Any
    axis: Any

class CategoricalHinge(tf.keras.metrics.MeanMetricWrapper):
    """Computes the categorical hinge metric between `y_true` and `y_pred`."""
    def __init__(self, name: Any = 'categorical_hinge', dtype: Any = None) -> None: ...
    def get_config(self) -> Any: ...

def concordance_correlation(y_true: Any, y_pred: Any, axis: Any = -1) -> Any:
    """Computes the Concordance coefficient between labels and predictions."""

class ConcordanceCorrelation(tf.keras.metrics.MeanMetricWrapper):
    """Calculates the Concordance Correlation Coefficient (CCC)."""
    def __init__(self, name: Any = ..., dtype: Any = None, axis: Any = -1) -> None: ...
    def get_config(self) -> Any: ...
    axis: Any

class CosineSimilarity(tf.keras.metrics.MeanMetricWrapper):
    """Computes the cosine similarity between the labels and predictions."""
    def __init__(
        self, name: Any = 'cosine_similarity', dtype: Any = None, axis: Any = -1,
    ) -> None: ...
    def get_config(self) -> Any: ...

def deserialize(config: Any, custom_objects: Any = None) -> Any:
    """Deserializes a serialized metric class/function instance."""

class F1Score(tf.keras.metrics.FBetaScore):
    """Computes F-1 Score."""
    def __init__(
        self, average: Any = None, threshold: Any = None, name: Any = 'f1_score', dtype: Any = None,
    ) -> None: ...
    def get_config(self) -> Any: ...

class FalseNegatives(tf.keras.Metric):
    """Calculates the number of false negatives."""
    def __init__(self, thresholds: Any = None, name: Any = None, dtype: Any = None) -> None: ...
    def update_state(self, y_true: Any, y_pred: Any, sample_weight: Any = None) -> Any:
        """Accumulates the metric statistics."""
    def result(self) -> Any: ...
    def get_config(self) -> Any: ...
    init_thresholds: Any
    thresholds: Any
    accumulator: Any

class FalsePositives(tf.keras.Metric):
    """Calculates the number of false positives."""
    def __init__(self, thresholds: Any = None, name: Any = None, dtype: Any = None) -> None: ...
    def update_state(self, y_true: Any, y_pred: Any, sample_weight: Any = None) -> Any:
        """Accumulates the metric statistics."""
    def result(self) -> Any: ...
    def get_config(self) -> Any: ...
    init_thresholds: Any
    thresholds: Any
    accumulator: Any

class FBetaScore(tf.keras.Metric):
    """Computes F-Beta score."""
    def __init__(
        self, average: Any = None, beta: Any = 1.0, threshold: Any = None,
        name: Any = 'fbeta_score', dtype: Any = None,
    ) -> None: ...
    def update_state(self, y_true: Any, y_pred: Any, sample_weight: Any = None) -> Any: ...
    def result(self) -> Any: ...
    def get_config(self) -> Any:
        """Returns the serializable config of the metric."""
    def reset_state(self) -> Any: ...
    average: Any
    beta: Any
    threshold: Any
    axis: Any
    true_positives: Any
    false_positives: Any
    false_negatives: Any
    intermediate_weights: Any

def get(identifier: Any) -> Any:
    """Retrieves a Keras metric as a `function`/`Metric` class instance."""

class Hinge(tf.keras.metrics.MeanMetricWrapper):
    """Computes the hinge metric between `y_true` and `y_pred`."""
    def __init__(self, name: Any = 'hinge', dtype: Any = None) -> None: ...
    def get_config(self) -> Any: ...

class IoU(tf.keras.Metric):
    """Computes the Intersection-Over-Union metric for specific target classes."""
    def __init__(
        self, num_classes: Any, target_class_ids: Any, name: Any = None, dtype: Any = None,
        ignore_class: Any = None, sparse_y_true: Any = True, sparse_y_pred: Any = True,
        axis: Any = -1,
    ) -> None: ...
    def result(self) -> Any:
        """Compute the intersection-over-union via the confusion matrix."""
    def get_config(self) -> Any: ...
    def update_state(self, y_true: Any, y_pred: Any, sample_weight: Any = None) -> Any:
        """Accumulates the confusion matrix statistics."""
    def reset_state(self) -> Any: ...
    target_class_ids: Any
    num_classes: Any
    ignore_class: Any
    sparse_y_true: Any
    sparse_y_pred: Any
    axis: Any
    total_cm: Any

class KLDivergence(tf.keras.metrics.MeanMetricWrapper):
    """Computes Kullback-Leibler divergence metric between `y_true` and"""
    def __init__(self, name: Any = 'kl_divergence', dtype: Any = None) -> None: ...
    def get_config(self) -> Any: ...

class LogCoshError(tf.keras.metrics.MeanMetricWrapper):
    """Computes the logarithm of the hyperbolic cosine of the prediction error."""
    def __init__(self, name: Any = 'logcosh', dtype: Any = None) -> None: ...
    def get_config(self) -> Any: ...

class Mean(tf.keras.Metric):
    """Compute the (weighted) mean of the given values."""
    def __init__(self, name: Any = 'mean', dtype: Any = None) -> None: ...
    def update_state(self, values: Any, sample_weight: Any = None) -> Any: ...
    def reset_state(self) -> Any: ...
    def result(self) -> Any: ...
    total: Any
    count: Any

class MeanAbsoluteError(tf.keras.metrics.MeanMetricWrapper):
    """Computes the mean absolute error between the labels and predictions."""
    def __init__(self, name: Any = 'mean_absolute_error', dtype: Any = None) -> None: ...
    def get_config(self) -> Any: ...

class MeanAbsolutePercentageError(tf.keras.metrics.MeanMetricWrapper):
    """Computes mean absolute percentage error between `y_true` and `y_pred`."""
    def __init__(self, name: Any = ..., dtype: Any = None) -> None: ...
    def get_config(self) -> Any: ...

class MeanIoU(tf.keras.metrics.IoU):
    """Computes the mean Intersection-Over-Union metric."""
    def __init__(
        self, num_classes: Any, name: Any = None, dtype: Any = None, ignore_class: Any = None,
        sparse_y_true: Any = True, sparse_y_pred: Any = True, axis: Any = -1,
    ) -> None: ...
    def get_config(self) -> Any: ...

class MeanMetricWrapper(tf.keras.metrics.Mean):
    """Wrap a stateless metric function with the `Mean` metric."""
    def __init__(self, fn: Any, name: Any = None, dtype: Any = None, **kwargs: Any) -> None: ...
    def update_state(self, y_true: Any, y_pred: Any, sample_weight: Any = None) -> Any: ...
    def get_config(self) -> Any: ...
    @classmethod
    def from_config(cls, config: Any) -> Any: ...

class MeanSquaredError(tf.keras.metrics.MeanMetricWrapper):
    """Computes the mean squared error between `y_true` and `y_pred`."""
    def __init__(self, name: Any = 'mean_squared_error', dtype: Any = None) -> None: ...
    def get_config(self) -> Any: ...

class MeanSquaredLogarithmicError(tf.keras.metrics.MeanMetricWrapper):
    """Computes mean squared logarithmic error between `y_true` and `y_pred`."""
    def __init__(self, name: Any = ..., dtype: Any = None) -> None: ...
    def get_config(self) -> Any: ...

class OneHotIoU(tf.keras.metrics.IoU):
    """Computes the Intersection-Over-Union metric for one-hot encoded labels."""
    def __init__(
        self, num_classes: Any, target_class_ids: Any, name: Any = None, dtype: Any = None,
        ignore_class: Any = None, sparse_y_pred: Any = False, axis: Any = -1,
    ) -> None: ...
    def get_config(self) -> Any: ...

class OneHotMeanIoU(tf.keras.metrics.MeanIoU):
    """Computes mean Intersection-Over-Union metric for one-hot encoded labels."""
    def __init__(
        self, num_classes: Any, name: Any = None, dtype: Any = None, ignore_class: Any = None,
        sparse_y_pred: Any = False, axis: Any = -1,
    ) -> None: ...
    def get_config(self) -> Any: ...

def pearson_correlation(y_true: Any, y_pred: Any, axis: Any = -1) -> Any:
    """Computes the Pearson coefficient between labels and predictions."""

class PearsonCorrelation(tf.keras.metrics.MeanMetricWrapper):
    """Calculates the Pearson Correlation Coefficient (PCC)."""
    def __init__(
        self, name: Any = 'pearson_correlation', dtype: Any = None, axis: Any = -1,
    ) -> None: ...
    def get_config(self) -> Any: ...
    axis: Any

class Poisson(tf.keras.metrics.MeanMetricWrapper):
    """Computes the Poisson metric between `y_true` and `y_pred`."""
    def __init__(self, name: Any = 'poisson', dtype: Any = None) -> None: ...
    def get_config(self) -> Any: ...

class Precision(tf.keras.Metric):
    """Computes the precision of the predictions with respect to the labels."""
    def __init__(
        self, thresholds: Any = None, top_k: Any = None, class_id: Any = None, name: Any = None,
        dtype: Any = None,
    ) -> None: ...
    def update_state(self, y_true: Any, y_pred: Any, sample_weight: Any = None) -> Any:
        """Accumulates true positive and false positive statistics."""
    def result(self) -> Any: ...
    def reset_state(self) -> Any: ...
    def get_config(self) -> Any: ...
    init_thresholds: Any
    top_k: Any
    class_id: Any
    thresholds: Any
    true_positives: Any
    false_positives: Any

class PrecisionAtRecall(tf.keras.Metric):
    """Computes best precision where recall is >= specified value."""
    def __init__(
        self, recall: Any, num_thresholds: Any = 200, class_id: Any = None, name: Any = None,
        dtype: Any = None,
    ) -> None: ...
    def result(self) -> Any: ...
    def get_config(self) -> Any: ...
    def update_state(self, y_true: Any, y_pred: Any, sample_weight: Any = None) -> Any:
        """Accumulates confusion matrix statistics."""
    def reset_state(self) -> Any: ...
    recall: Any
    num_thresholds: Any
    value: Any
    class_id: Any
    true_positives: Any
    false_positives: Any
    true_negatives: Any
    false_negatives: Any
    thresholds: Any

class R2Score(tf.keras.Metric):
    """Computes R2 score."""
    def __init__(
        self, class_aggregation: Any = 'uniform_average', num_regressors: Any = 0,
        name: Any = 'r2_score', dtype: Any = None,
    ) -> None: ...
    def update_state(self, y_true: Any, y_pred: Any, sample_weight: Any = None) -> Any:
        """Accumulates root mean squared error statistics."""
    def result(self) -> Any: ...
    def reset_state(self) -> Any: ...
    def get_config(self) -> Any: ...
    class_aggregation: Any
    num_regressors: Any
    num_samples: Any
    squared_sum: Any
    sum: Any
    total_mse: Any
    count: Any

class Recall(tf.keras.Metric):
    """Computes the recall of the predictions with respect to the labels."""
    def __init__(
        self, thresholds: Any = None, top_k: Any = None, class_id: Any = None, name: Any = None,
        dtype: Any = None,
    ) -> None: ...
    def update_state(self, y_true: Any, y_pred: Any, sample_weight: Any = None) -> Any:
        """Accumulates true positive and false negative statistics."""
    def result(self) -> Any: ...
    def reset_state(self) -> Any: ...
    def get_config(self) -> Any: ...
    init_thresholds: Any
    top_k: Any
    class_id: Any
    thresholds: Any
    true_positives: Any
    false_negatives: Any

class RecallAtPrecision(tf.keras.Metric):
    """Computes best recall where precision is >= specified value."""
    def __init__(
        self, precision: Any, num_thresholds: Any = 200, class_id: Any = None, name: Any = None,
        dtype: Any = None,
    ) -> None: ...
    def result(self) -> Any: ...
    def get_config(self) -> Any: ...
    def update_state(self, y_true: Any, y_pred: Any, sample_weight: Any = None) -> Any:
        """Accumulates confusion matrix statistics."""
    def reset_state(self) -> Any: ...
    precision: Any
    num_thresholds: Any
    value: Any
    class_id: Any
    true_positives: Any
    false_positives: Any
    true_negatives: Any
    false_negatives: Any
    thresholds: Any

class RootMeanSquaredError(tf.keras.metrics.Mean):
    """Computes root mean squared error metric between `y_true` and `y_pred`."""
    def __init__(self, name: Any = ..., dtype: Any = None) -> None: ...
    def update_state(self, y_true: Any, y_pred: Any, sample_weight: Any = None) -> Any:
        """Accumulates root mean squared error statistics."""
    def result(self) -> Any: ...

class SensitivityAtSpecificity(tf.keras.Metric):
    """Computes best sensitivity where specificity is >= specified value."""
    def __init__(
        self, specificity: Any, num_thresholds: Any = 200, class_id: Any = None, name: Any = None,
        dtype: Any = None,
    ) -> None: ...
    def result(self) -> Any: ...
    def get_config(self) -> Any: ...
    def update_state(self, y_true: Any, y_pred: Any, sample_weight: Any = None) -> Any:
        """Accumulates confusion matrix statistics."""
    def reset_state(self) -> Any: ...
    specificity: Any
    num_thresholds: Any
    value: Any
    class_id: Any
    true_positives: Any
    false_positives: Any
    true_negatives: Any
    false_negatives: Any
    thresholds: Any

def serialize(metric: Any) -> Any:
    """Serializes metric function or `Metric` instance."""

def sparse_top_k_categorical_accuracy(
    y_true: Any, y_pred: Any, k: Any = 5, from_sorted_ids: Any = False,
) -> Any:
    """Computes how often integer targets are in the top `K` predictions."""

class SparseCategoricalAccuracy(tf.keras.metrics.MeanMetricWrapper):
    """Calculates how often predictions match integer labels."""
    def __init__(self, name: Any = ..., dtype: Any = None) -> None: ...
    def get_config(self) -> Any: ...

class SparseCategoricalCrossentropy(tf.keras.metrics.MeanMetricWrapper):
    """Computes the crossentropy metric between the labels and predictions."""
    def __init__(
        self, name: Any = ..., dtype: Any = None, from_logits: Any = False,
        ignore_class: Any = None, axis: Any = -1,
    ) -> None: ...
    def get_config(self) -> Any: ...
    from_logits: Any
    ignore_class: Any
    axis: Any

class SparseTopKCategoricalAccuracy(tf.keras.metrics.MeanMetricWrapper):
    """Computes how often integer targets are in the top `K` predictions."""
    def __init__(
        self, k: Any = 5, name: Any = ..., dtype: Any = None, from_sorted_ids: Any = False,
    ) -> None: ...
    def get_config(self) -> Any: ...
    k: Any
    from_sorted_ids: Any

class SpecificityAtSensitivity(tf.keras.Metric):
    """Computes best specificity where sensitivity is >= specified value."""
    def __init__(
        self, sensitivity: Any, num_thresholds: Any = 200, class_id: Any = None, name: Any = None,
        dtype: Any = None,
    ) -> None: ...
    def result(self) -> Any: ...
    def get_config(self) -> Any: ...
    def update_state(self, y_true: Any, y_pred: Any, sample_weight: Any = None) -> Any:
        """Accumulates confusion matrix statistics."""
    def reset_state(self) -> Any: ...
    sensitivity: Any
    num_thresholds: Any
    value: Any
    class_id: Any
    true_positives: Any
    false_positives: Any
    true_negatives: Any
    false_negatives: Any
    thresholds: Any

class SquaredHinge(tf.keras.metrics.MeanMetricWrapper):
    """Computes the hinge metric between `y_true` and `y_pred`."""
    def __init__(self, name: Any = 'squared_hinge', dtype: Any = None) -> None: ...
    def get_config(self) -> Any: ...

class Sum(tf.keras.Metric):
    """Compute the (weighted) sum of the given values."""
    def __init__(self, name: Any = 'sum', dtype: Any = None) -> None: ...
    def update_state(self, values: Any, sample_weight: Any = None) -> Any: ...
    def reset_state(self) -> Any: ...
    def result(self) -> Any: ...
    total: Any

class TopKCategoricalAccuracy(tf.keras.metrics.MeanMetricWrapper):
    """Computes how often targets are in the top `K` predictions."""
    def __init__(self, k: Any = 5, name: Any = ..., dtype: Any = None) -> None: ...
    def get_config(self) -> Any: ...
    k: Any

class TrueNegatives(tf.keras.Metric):
    """Calculates the number of true negatives."""
    def __init__(self, thresholds: Any = None, name: Any = None, dtype: Any = None) -> None: ...
    def update_state(self, y_true: Any, y_pred: Any, sample_weight: Any = None) -> Any:
        """Accumulates the metric statistics."""
    def result(self) -> Any: ...
    def get_config(self) -> Any: ...
    init_thresholds: Any
    thresholds: Any
    accumulator: Any

class TruePositives(tf.keras.Metric):
    """Calculates the number of true positives."""
    def __init__(self, thresholds: Any = None, name: Any = None, dtype: Any = None) -> None: ...
    def update_state(self, y_true: Any, y_pred: Any, sample_weight: Any = None) -> Any:
        """Accumulates the metric statistics."""
    def result(self) -> Any: ...
    def get_config(self) -> Any: ...
    init_thresholds: Any
    thresholds: Any
    accumulator: Any

def binary_accuracy(y_true: Any, y_pred: Any, threshold: Any = 0.5) -> Any: ...
kld = _KLD
kullback_leibler_divergence = _KLD
mae = _MAE
mape = _MAPE
mse = _MSE
msle = _MSLE
def top_k_categorical_accuracy(y_true: Any, y_pred: Any, k: Any = 5) -> Any: ...
