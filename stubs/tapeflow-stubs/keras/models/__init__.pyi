# Written by tools/stubs.py (make stubs).
"""tf.keras.models"""

from typing import Any

from tapeflow.keras import Model as Model, Sequential as Sequential

def clone_model(
    model: Any, input_tensors: Any = None, clone_function: Any = None,
    call_function: Any = None, recursive: Any = False, **kwargs: Any,
) -> Any:
    """Clone a Functional or Sequential `Model` instance."""

def load_model(
    filepath: Any, custom_objects: Any = None, compile: Any = True, safe_mode: Any = True,
) -> Any:
    """Loads a model saved via `model.save()` or from an Orbax checkpoint."""

def model_from_json(json_string: Any, custom_objects: Any = None) -> Any:
    """Parses a JSON model configuration string and returns a model instance."""

def save_model(
    model: Any, filepath: Any, overwrite: Any = True, zipped: Any = None, **kwargs: Any,
) -> Any:
    """Saves a model as a `.keras` file."""
