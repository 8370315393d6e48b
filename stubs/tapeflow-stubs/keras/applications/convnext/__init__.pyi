# Written by tools/stubs.py (make stubs).
"""tf.keras.applications.convnext"""

from typing import Any

from tapeflow.keras.applications import (
    ConvNeXtBase as ConvNeXtBase,
    ConvNeXtLarge as ConvNeXtLarge,
    ConvNeXtSmall as ConvNeXtSmall,
    ConvNeXtTiny as ConvNeXtTiny,
    ConvNeXtXLarge as ConvNeXtXLarge,
)

def decode_predictions(preds: Any, top: Any = 5) -> Any:
    """Decodes the prediction of an ImageNet model."""

def preprocess_input(x: Any, data_format: Any = None) -> Any:
    """A placeholder method for backward compatibility."""
