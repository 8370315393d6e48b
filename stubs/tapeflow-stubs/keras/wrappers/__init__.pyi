# Written by tools/stubs.py (make stubs).
"""tf.keras.wrappers"""

from typing import Any

class SKLearnClassifier:
    """scikit-learn compatible classifier wrapper for Keras models."""
    def decision_function(self, X: Any) -> Any:
        """Get raw model outputs."""
    def __init__(
        self, model: Any, warm_start: Any = False, model_kwargs: Any = None, fit_kwargs: Any = None,
    ) -> None: ...
    @property
    def epoch_(self) -> Any:
        """The current training epoch."""
    def set_fit_request(self, **kwargs: Any) -> Any:
        """Set requested parameters by the fit method."""
    def fit(self, X: Any, y: Any, **kwargs: Any) -> Any:
        """Fit the model."""
    def predict(self, X: Any) -> Any:
        """Predict using the model."""
    classes_: Any
    model: Any
    warm_start: Any
    model_kwargs: Any
    fit_kwargs: Any
    history_: Any
    model_: Any

class SKLearnRegressor:
    """scikit-learn compatible regressor wrapper for Keras models."""
    def __init__(
        self, model: Any, warm_start: Any = False, model_kwargs: Any = None, fit_kwargs: Any = None,
    ) -> None: ...
    @property
    def epoch_(self) -> Any:
        """The current training epoch."""
    def set_fit_request(self, **kwargs: Any) -> Any:
        """Set requested parameters by the fit method."""
    def fit(self, X: Any, y: Any, **kwargs: Any) -> Any:
        """Fit the model."""
    def predict(self, X: Any) -> Any:
        """Predict using the model."""
    model: Any
    warm_start: Any
    model_kwargs: Any
    fit_kwargs: Any
    history_: Any
    model_: Any

class SKLearnTransformer:
    """scikit-learn compatible transformer wrapper for Keras models."""
    def transform(self, X: Any) -> Any:
        """Transform the data."""
    def __init__(
        self, model: Any, warm_start: Any = False, model_kwargs: Any = None, fit_kwargs: Any = None,
    ) -> None: ...
    @property
    def epoch_(self) -> Any:
        """The current training epoch."""
    def set_fit_request(self, **kwargs: Any) -> Any:
        """Set requested parameters by the fit method."""
    def fit(self, X: Any, y: Any, **kwargs: Any) -> Any:
        """Fit the model."""
    def predict(self, X: Any) -> Any:
        """Predict using the model."""
    model: Any
    warm_start: Any
    model_kwargs: Any
    fit_kwargs: Any
    history_: Any
    model_: Any
