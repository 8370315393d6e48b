# Written by tools/stubs.py (make stubs).
"""tf.experimental.dlpack"""

from typing import Any

import tapeflow as tf

def from_dlpack(dlcapsule: Any) -> tf.Tensor:
    """A tensor over the memory of a DLPack capsule (or of anything with `__dlpack__`)."""

def to_dlpack(tf_tensor: Any) -> Any:
    """A DLPack capsule that shares the tensor's memory."""
