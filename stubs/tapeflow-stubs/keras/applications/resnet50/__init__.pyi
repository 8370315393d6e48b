# Written by tools/stubs.py (make stubs).
"""tf.keras.applications.resnet50"""

from tapeflow.keras.applications import ResNet50 as ResNet50
from tapeflow.keras.applications.resnet import (
    decode_predictions as decode_predictions,
    preprocess_input as preprocess_input,
)
