# Written by tools/stubs.py (make stubs).
"""tf.keras.applications.mobilenet_v3"""

from typing import Any

def decode_predictions(preds: Any, top: Any = 5) -> Any:
    """Decodes the prediction of an ImageNet model."""

def preprocess_input(x: Any, data_format: Any = None) -> Any:
    """A placeholder method for backward compatibility."""
