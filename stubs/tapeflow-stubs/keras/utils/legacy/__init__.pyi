# Written by tools/stubs.py (make stubs).
"""tf.keras.utils.legacy"""

from tapeflow.keras.legacy.saving import (
    deserialize_keras_object as deserialize_keras_object,
    serialize_keras_object as serialize_keras_object,
)
