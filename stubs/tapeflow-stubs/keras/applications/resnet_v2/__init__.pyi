# Written by tools/stubs.py (make stubs).
"""tf.keras.applications.resnet_v2"""

from typing import Any

from tapeflow.keras.applications import (
    ResNet101V2 as ResNet101V2,
    ResNet152V2 as ResNet152V2,
    ResNet50V2 as ResNet50V2,
)

def decode_predictions(preds: Any, top: Any = 5) -> Any:
    """Decodes the prediction of an ImageNet model."""

def preprocess_input(x: Any, data_format: Any = None) -> Any:
    """Preprocesses a tensor or Numpy array encoding a batch of images."""
