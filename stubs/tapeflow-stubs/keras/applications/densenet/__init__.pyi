# Written by tools/stubs.py (make stubs).
"""tf.keras.applications.densenet"""

from typing import Any

from tapeflow.keras.applications import (
    DenseNet121 as DenseNet121,
    DenseNet169 as DenseNet169,
    DenseNet201 as DenseNet201,
)

def decode_predictions(preds: Any, top: Any = 5) -> Any:
    """Decodes the prediction of an ImageNet model."""

def preprocess_input(x: Any, data_format: Any = None) -> Any:
    """Preprocesses a tensor or Numpy array encoding a batch of images."""
