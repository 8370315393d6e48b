# Written by tools/stubs.py (make stubs).
"""tf.keras.applications.efficientnet_v2"""

from typing import Any

from tapeflow.keras.applications import (
    EfficientNetV2B0 as EfficientNetV2B0,
    EfficientNetV2B1 as EfficientNetV2B1,
    EfficientNetV2B2 as EfficientNetV2B2,
    EfficientNetV2B3 as EfficientNetV2B3,
    EfficientNetV2L as EfficientNetV2L,
    EfficientNetV2M as EfficientNetV2M,
    EfficientNetV2S as EfficientNetV2S,
)

def decode_predictions(preds: Any, top: Any = 5) -> Any:
    """Decodes the prediction of an ImageNet model."""

def preprocess_input(x: Any, data_format: Any = None) -> Any:
    """A placeholder method for backward compatibility."""
