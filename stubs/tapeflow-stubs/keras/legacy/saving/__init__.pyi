# Written by tools/stubs.py (make stubs).
"""tf.keras.legacy.saving"""

from typing import Any

def deserialize_keras_object(
    identifier: Any, module_objects: Any = None, custom_objects: Any = None,
    printable_module_name: Any = 'object',
) -> Any:
    """Turns the serialized form of a Keras object back into an actual object."""

def serialize_keras_object(instance: Any) -> Any:
    """Serialize a Keras object into a JSON-compatible representation."""
