# Written by tools/stubs.py (make stubs).
"""tf.config.optimizer"""

def get_experimental_options() -> dict:
    """The options set so far."""

def get_jit() -> str:
    """autoclustering" or ""."""

def set_experimental_options(options: dict) -> None:
    """Accepted: options of TensorFlow's graph optimizer, which tapeflow does not have."""

def set_jit(enabled: bool | str) -> None:
    """Accepted; a tf.function is compiled by its own `jit_compile`."""
