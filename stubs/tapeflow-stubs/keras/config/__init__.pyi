# Written by tools/stubs.py (make stubs).
"""tf.keras.config"""

from typing import Any

from tapeflow.keras.backend import (
    backend as backend,
    epsilon as epsilon,
    floatx as floatx,
    image_data_format as image_data_format,
    set_epsilon as set_epsilon,
    set_floatx as set_floatx,
    set_image_data_format as set_image_data_format,
)

def disable_flash_attention() -> Any:
    """Disable flash attention."""

def disable_interactive_logging() -> Any:
    """Turn off interactive logging."""

def disable_traceback_filtering() -> Any:
    """Turn off traceback filtering."""

def dtype_policy() -> Any:
    """Returns the current default dtype policy object."""

def enable_flash_attention() -> Any:
    """Enable flash attention."""

def enable_interactive_logging() -> Any:
    """Turn on interactive logging."""

def enable_traceback_filtering() -> Any:
    """Turn on traceback filtering."""

def enable_unsafe_deserialization() -> Any:
    """Disables safe mode globally, allowing deserialization of lambdas."""

def is_flash_attention_enabled() -> Any:
    """Checks whether flash attention is globally enabled in Keras."""

def is_interactive_logging_enabled() -> Any:
    """Check if interactive logging is enabled."""

def is_nnx_enabled() -> Any:
    """Checks whether NNX specific features are enabled for the JAX backend."""

def is_traceback_filtering_enabled() -> Any:
    """Check if traceback filtering is enabled."""

def max_epochs() -> Any:
    """Get the maximum number of epochs for any call to fit."""

def max_steps_per_epoch() -> Any:
    """Get the maximum number of steps for any call to fit/evaluate/predict."""

def set_backend(backend: Any) -> Any:
    """Reload the backend (and the Keras package)."""

def set_dtype_policy(policy: Any) -> Any:
    """Sets the default dtype policy globally."""

def set_max_epochs(max_epochs: Any) -> Any:
    """Limit the maximum number of epochs for any call to fit."""

def set_max_steps_per_epoch(max_steps_per_epoch: Any) -> Any:
    """Limit the maximum number of steps for any call to fit/evaluate/predict."""
