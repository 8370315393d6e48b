# Written by tools/stubs.py (make stubs).
"""tf.keras.losses"""

from typing import Any

import tapeflow as tf
from tapeflow.keras import Loss as Loss

def binary_crossentropy(
    y_true: Any, y_pred: Any, from_logits: Any = False, label_smoothing: Any = 0.0,
    axis: Any = -1,
) -> Any:
    """Computes the binary crossentropy loss."""

def binary_focal_crossentropy(
    y_true: Any, y_pred: Any, apply_class_balancing: Any = False, alpha: Any = 0.25,
    gamma: Any = 2.0, from_logits: Any = False, label_smoothing: Any = 0.0, axis: Any = -1,
) -> Any:
    """Computes the binary focal crossentropy loss."""

class BinaryCrossentropy(tf.keras.Loss):
    """Computes the cross-entropy loss between true labels and predicted labels."""
    def __init__(
        self, from_logits: Any = False, label_smoothing: Any = 0.0, axis: Any = -1,
        reduction: Any = 'sum_over_batch_size', name: Any = 'binary_crossentropy',
        dtype: Any = None,
    ) -> None: ...
    def get_config(self) -> Any: ...
    def call(self, y_true: Any, y_pred: Any) -> Any: ...
    @classmethod
    def from_config(cls, config: Any) -> Any: ...
    from_logits: Any
    label_smoothing: Any
    axis: Any
    fn: Any

class BinaryFocalCrossentropy(tf.keras.Loss):
    """Computes focal cross-entropy loss between true labels and predictions."""
    def __init__(
        self, apply_class_balancing: Any = False, alpha: Any = 0.25, gamma: Any = 2.0,
        from_logits: Any = False, label_smoothing: Any = 0.0, axis: Any = -1,
        reduction: Any = 'sum_over_batch_size', name: Any = ..., dtype: Any = None,
    ) -> None: ...
    def get_config(self) -> Any: ...
    def call(self, y_true: Any, y_pred: Any) -> Any: ...
    @classmethod
    def from_config(cls, config: Any) -> Any: ...
    from_logits: Any
    label_smoothing: Any
    axis: Any
    apply_class_balancing: Any
    alpha: Any
    gamma: Any
    fn: Any

def categorical_crossentropy(
    y_true: Any, y_pred: Any, from_logits: Any = False, label_smoothing: Any = 0.0,
    axis: Any = -1,
) -> Any:
    """Computes the categorical crossentropy loss."""

def categorical_focal_crossentropy(
    y_true: Any, y_pred: Any, alpha: Any = 0.25, gamma: Any = 2.0, from_logits: Any = False,
    label_smoothing: Any = 0.0, axis: Any = -1,
) -> Any:
    """Computes the categorical focal crossentropy loss."""

def categorical_generalized_cross_entropy(y_true: Any, y_pred: Any, q: Any) -> Any:
    """Computes the Generalized Cross Entropy loss."""

def categorical_hinge(y_true: Any, y_pred: Any) -> Any:
    """Computes the categorical hinge loss between `y_true` & `y_pred`."""

class CategoricalCrossentropy(tf.keras.Loss):
    """Computes the crossentropy loss between the labels and predictions."""
    def __init__(
        self, from_logits: Any = False, label_smoothing: Any = 0.0, axis: Any = -1,
        reduction: Any = 'sum_over_batch_size', name: Any = ..., dtype: Any = None,
    ) -> None: ...
    def get_config(self) -> Any: ...
    def call(self, y_true: Any, y_pred: Any) -> Any: ...
    @classmethod
    def from_config(cls, config: Any) -> Any: ...
    from_logits: Any
    label_smoothing: Any
    axis: Any
    fn: Any

class CategoricalFocalCrossentropy(tf.keras.Loss):
    """Computes the alpha balanced focal crossentropy loss."""
    def __init__(
        self, alpha: Any = 0.25, gamma: Any = 2.0, from_logits: Any = False,
        label_smoothing: Any = 0.0, axis: Any = -1, reduction: Any = 'sum_over_batch_size',
        name: Any = ..., dtype: Any = None,
    ) -> None:
        """Initializes `CategoricalFocalCrossentropy` instance."""
    def get_config(self) -> Any: ...
    def call(self, y_true: Any, y_pred: Any) -> Any: ...
    @classmethod
    def from_config(cls, config: Any) -> Any: ...
    from_logits: Any
    label_smoothing: Any
    axis: Any
    alpha: Any
    gamma: Any
    fn: Any

class CategoricalGeneralizedCrossEntropy(tf.keras.Loss):
    """Computes the Generalized Cross Entropy loss between `y_true` & `y_pred`."""
    def __init__(
        self, q: Any = 0.5, reduction: Any = 'sum_over_batch_size', name: Any = ...,
        dtype: Any = None,
    ) -> None: ...
    def get_config(self) -> Any: ...
    def call(self, y_true: Any, y_pred: Any) -> Any: ...
    @classmethod
    def from_config(cls, config: Any) -> Any: ...
    q: Any
    fn: Any

class CategoricalHinge(tf.keras.Loss):
    """Computes the categorical hinge loss between `y_true` & `y_pred`."""
    def __init__(
        self, reduction: Any = 'sum_over_batch_size', name: Any = 'categorical_hinge',
        dtype: Any = None,
    ) -> None: ...
    def get_config(self) -> Any: ...
    def call(self, y_true: Any, y_pred: Any) -> Any: ...
    @classmethod
    def from_config(cls, config: Any) -> Any: ...
    fn: Any

class Circle(tf.keras.Loss):
    """Computes Circle Loss between integer labels and L2-normalized embeddings."""
    def __init__(
        self, gamma: Any = 80.0, margin: Any = 0.4, remove_diagonal: Any = True,
        reduction: Any = 'sum_over_batch_size', name: Any = 'circle', dtype: Any = None,
    ) -> None: ...
    def get_config(self) -> Any: ...
    def call(self, y_true: Any, y_pred: Any) -> Any: ...
    @classmethod
    def from_config(cls, config: Any) -> Any: ...
    gamma: Any
    margin: Any
    remove_diagonal: Any
    fn: Any

def circle(
    y_true: Any, y_pred: Any, ref_labels: Any = None, ref_embeddings: Any = None,
    remove_diagonal: Any = True, gamma: Any = 80, margin: Any = 0.4,
) -> Any:
    """Computes the Circle loss."""

def cosine_similarity(y_true: Any, y_pred: Any, axis: Any = -1) -> Any:
    """Computes the cosine similarity between labels and predictions."""

class CosineSimilarity(tf.keras.Loss):
    """Computes the cosine similarity between `y_true` & `y_pred`."""
    def __init__(
        self, axis: Any = -1, reduction: Any = 'sum_over_batch_size',
        name: Any = 'cosine_similarity', dtype: Any = None,
    ) -> None: ...
    def get_config(self) -> Any: ...
    def call(self, y_true: Any, y_pred: Any) -> Any: ...
    @classmethod
    def from_config(cls, config: Any) -> Any: ...
    fn: Any

class CTC(tf.keras.Loss):
    """CTC (Connectionist Temporal Classification) loss."""
    def __init__(
        self, reduction: Any = 'sum_over_batch_size', name: Any = 'ctc', dtype: Any = None,
    ) -> None: ...
    def get_config(self) -> Any: ...
    def call(self, y_true: Any, y_pred: Any) -> Any: ...
    @classmethod
    def from_config(cls, config: Any) -> Any: ...
    fn: Any

def ctc(y_true: Any, y_pred: Any) -> Any:
    """CTC (Connectionist Temporal Classification) loss."""

def deserialize(name: Any, custom_objects: Any = None) -> Any:
    """Deserializes a serialized loss class/function instance."""

class Dice(tf.keras.Loss):
    """Computes the Dice loss value between `y_true` and `y_pred`."""
    def __init__(
        self, reduction: Any = 'sum_over_batch_size', name: Any = 'dice', axis: Any = None,
        dtype: Any = None,
    ) -> None: ...
    def get_config(self) -> Any: ...
    def call(self, y_true: Any, y_pred: Any) -> Any: ...
    @classmethod
    def from_config(cls, config: Any) -> Any: ...
    axis: Any
    fn: Any

def dice(y_true: Any, y_pred: Any, axis: Any = None) -> Any:
    """Computes the Dice loss value between `y_true` and `y_pred`."""

def get(identifier: Any) -> Any:
    """Retrieves a Keras loss as a `function`/`Loss` class instance."""

class Hinge(tf.keras.Loss):
    """Computes the hinge loss between `y_true` & `y_pred`."""
    def __init__(
        self, reduction: Any = 'sum_over_batch_size', name: Any = 'hinge', dtype: Any = None,
    ) -> None: ...
    def get_config(self) -> Any: ...
    def call(self, y_true: Any, y_pred: Any) -> Any: ...
    @classmethod
    def from_config(cls, config: Any) -> Any: ...
    fn: Any

def hinge(y_true: Any, y_pred: Any) -> Any:
    """Computes the hinge loss between `y_true` & `y_pred`."""

class Huber(tf.keras.Loss):
    """Computes the Huber loss between `y_true` & `y_pred`."""
    def __init__(
        self, delta: Any = 1.0, reduction: Any = 'sum_over_batch_size', name: Any = 'huber_loss',
        dtype: Any = None,
    ) -> None: ...
    def get_config(self) -> Any: ...
    def call(self, y_true: Any, y_pred: Any) -> Any: ...
    @classmethod
    def from_config(cls, config: Any) -> Any: ...
    fn: Any

def huber(y_true: Any, y_pred: Any, delta: Any = 1.0) -> Any:
    """Computes Huber loss value."""

def KLD(y_true: Any, y_pred: Any) -> Any:
    """Computes Kullback-Leibler divergence loss between `y_true` & `y_pred`."""

class KLDivergence(tf.keras.Loss):
    """Computes Kullback-Leibler divergence loss between `y_true` & `y_pred`."""
    def __init__(
        self, reduction: Any = 'sum_over_batch_size', name: Any = 'kl_divergence',
        dtype: Any = None,
    ) -> None: ...
    def get_config(self) -> Any: ...
    def call(self, y_true: Any, y_pred: Any) -> Any: ...
    @classmethod
    def from_config(cls, config: Any) -> Any: ...
    fn: Any

class LogCosh(tf.keras.Loss):
    """Computes the logarithm of the hyperbolic cosine of the prediction error."""
    def __init__(
        self, reduction: Any = 'sum_over_batch_size', name: Any = 'log_cosh', dtype: Any = None,
    ) -> None: ...
    def get_config(self) -> Any: ...
    def call(self, y_true: Any, y_pred: Any) -> Any: ...
    @classmethod
    def from_config(cls, config: Any) -> Any: ...
    fn: Any

def logcosh(y_true: Any, y_pred: Any) -> Any:
    """Logarithm of the hyperbolic cosine of the prediction error."""

def MAE(y_true: Any, y_pred: Any) -> Any:
    """Computes the mean absolute error between labels and predictions."""

def MAPE(y_true: Any, y_pred: Any) -> Any:
    """Computes the mean absolute percentage error between `y_true` & `y_pred`."""

class MeanAbsoluteError(tf.keras.Loss):
    """Computes the mean of absolute difference between labels and predictions."""
    def __init__(
        self, reduction: Any = 'sum_over_batch_size', name: Any = 'mean_absolute_error',
        dtype: Any = None,
    ) -> None: ...
    def get_config(self) -> Any: ...
    def call(self, y_true: Any, y_pred: Any) -> Any: ...
    @classmethod
    def from_config(cls, config: Any) -> Any: ...
    fn: Any

class MeanAbsolutePercentageError(tf.keras.Loss):
    """Computes the mean absolute percentage error between `y_true` & `y_pred`."""
    def __init__(
        self, reduction: Any = 'sum_over_batch_size', name: Any = ..., dtype: Any = None,
    ) -> None: ...
    def get_config(self) -> Any: ...
    def call(self, y_true: Any, y_pred: Any) -> Any: ...
    @classmethod
    def from_config(cls, config: Any) -> Any: ...
    fn: Any

class MeanSquaredError(tf.keras.Loss):
    """Computes the mean of squares of errors between labels and predictions."""
    def __init__(
        self, reduction: Any = 'sum_over_batch_size', name: Any = 'mean_squared_error',
        dtype: Any = None,
    ) -> None: ...
    def get_config(self) -> Any: ...
    def call(self, y_true: Any, y_pred: Any) -> Any: ...
    @classmethod
    def from_config(cls, config: Any) -> Any: ...
    fn: Any

class MeanSquaredLogarithmicError(tf.keras.Loss):
    """Computes the mean squared logarithmic error between `y_true` & `y_pred`."""
    def __init__(
        self, reduction: Any = 'sum_over_batch_size', name: Any = ..., dtype: Any = None,
    ) -> None: ...
    def get_config(self) -> Any: ...
    def call(self, y_true: Any, y_pred: Any) -> Any: ...
    @classmethod
    def from_config(cls, config: Any) -> Any: ...
    fn: Any

def MSE(y_true: Any, y_pred: Any) -> Any:
    """Computes the mean squared error between labels and predictions."""

def MSLE(y_true: Any, y_pred: Any) -> Any:
    """Computes the mean squared logarithmic error between `y_true` & `y_pred`."""

class Poisson(tf.keras.Loss):
    """Computes the Poisson loss between `y_true` & `y_pred`."""
    def __init__(
        self, reduction: Any = 'sum_over_batch_size', name: Any = 'poisson', dtype: Any = None,
    ) -> None: ...
    def get_config(self) -> Any: ...
    def call(self, y_true: Any, y_pred: Any) -> Any: ...
    @classmethod
    def from_config(cls, config: Any) -> Any: ...
    fn: Any

def poisson(y_true: Any, y_pred: Any) -> Any:
    """Computes the Poisson loss between y_true and y_pred."""

class Reduction:
    AUTO: str
    NONE: str
    SUM: str
    SUM_OVER_BATCH_SIZE: str
    @classmethod
    def all(cls) -> Any: ...
    @classmethod
    def validate(cls, key: Any) -> Any: ...

def serialize(loss: Any) -> Any:
    """Serializes loss function or `Loss` instance."""

def sparse_categorical_crossentropy(
    y_true: Any, y_pred: Any, from_logits: Any = False, ignore_class: Any = None,
    axis: Any = -1,
) -> Any:
    """Computes the sparse categorical crossentropy loss."""

class SparseCategoricalCrossentropy(tf.keras.Loss):
    """Computes the crossentropy loss between the labels and predictions."""
    def __init__(
        self, from_logits: Any = False, ignore_class: Any = None,
        reduction: Any = 'sum_over_batch_size', axis: Any = -1, name: Any = ..., dtype: Any = None,
    ) -> None: ...
    def get_config(self) -> Any: ...
    def call(self, y_true: Any, y_pred: Any) -> Any: ...
    @classmethod
    def from_config(cls, config: Any) -> Any: ...
    from_logits: Any
    ignore_class: Any
    fn: Any

def squared_hinge(y_true: Any, y_pred: Any) -> Any:
    """Computes the squared hinge loss between `y_true` & `y_pred`."""

class SquaredHinge(tf.keras.Loss):
    """Computes the squared hinge loss between `y_true` & `y_pred`."""
    def __init__(
        self, reduction: Any = 'sum_over_batch_size', name: Any = 'squared_hinge',
        dtype: Any = None,
    ) -> None: ...
    def get_config(self) -> Any: ...
    def call(self, y_true: Any, y_pred: Any) -> Any: ...
    @classmethod
    def from_config(cls, config: Any) -> Any: ...
    fn: Any

class Tversky(tf.keras.Loss):
    """Computes the Tversky loss value between `y_true` and `y_pred`."""
    def __init__(
        self, alpha: Any = 0.5, beta: Any = 0.5, reduction: Any = 'sum_over_batch_size',
        name: Any = 'tversky', axis: Any = None, dtype: Any = None,
    ) -> None: ...
    def get_config(self) -> Any: ...
    def call(self, y_true: Any, y_pred: Any) -> Any: ...
    @classmethod
    def from_config(cls, config: Any) -> Any: ...
    alpha: Any
    beta: Any
    axis: Any
    fn: Any

def tversky(
    y_true: Any, y_pred: Any, alpha: Any = 0.5, beta: Any = 0.5, axis: Any = None,
) -> Any:
    """Computes the Tversky loss value between `y_true` and `y_pred`."""

kld = KLD
kullback_leibler_divergence = KLD
mae = MAE
mape = MAPE
mse = MSE
msle = MSLE
