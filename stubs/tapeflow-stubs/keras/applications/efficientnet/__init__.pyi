# Written by tools/stubs.py (make stubs).
"""tf.keras.applications.efficientnet"""

from typing import Any

from tapeflow.keras.applications import (
    EfficientNetB0 as EfficientNetB0,
    EfficientNetB1 as EfficientNetB1,
    EfficientNetB2 as EfficientNetB2,
    EfficientNetB3 as EfficientNetB3,
    EfficientNetB4 as EfficientNetB4,
    EfficientNetB5 as EfficientNetB5,
    EfficientNetB6 as EfficientNetB6,
    EfficientNetB7 as EfficientNetB7,
)

def decode_predictions(preds: Any, top: Any = 5) -> Any:
    """Decodes the prediction of an ImageNet model."""

def preprocess_input(x: Any, data_format: Any = None) -> Any:
    """A placeholder method for backward compatibility."""
