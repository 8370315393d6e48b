# Written by tools/stubs.py (make stubs).
"""tf.train.experimental"""

from typing import Any

class PythonState:
    """A mixin that puts Python state into checkpoints, as a string."""
    def serialize(self) -> Any:
        """The state as a string."""
    def deserialize(self, string_value: bytes) -> None:
        """Take the state out of a string."""
