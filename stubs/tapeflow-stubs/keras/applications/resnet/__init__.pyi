# Written by tools/stubs.py (make stubs).
"""tf.keras.applications.resnet"""

from typing import Any

from tapeflow.keras.applications import (
    ResNet101 as ResNet101,
    ResNet152 as ResNet152,
    ResNet50 as ResNet50,
)

def decode_predictions(preds: Any, top: Any = 5) -> Any:
    """Decodes the prediction of an ImageNet model."""

def preprocess_input(x: Any, data_format: Any = None) -> Any:
    """Preprocesses a tensor or Numpy array encoding a batch of images."""
