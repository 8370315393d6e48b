# Written by tools/stubs.py (make stubs).
"""tf.autograph"""

from typing import Any

from tapeflow._typing import IntLike
from tapeflow.autograph import experimental as experimental

def set_verbosity(level: IntLike, alsologtostdout: bool = False) -> None:
    """Accepted: how much AutoGraph tells of what it converts; it tells nothing."""

def to_code(*args: Any, **kwargs: Any) -> Any:
    """The source of a function as AutoGraph converts it."""

def to_graph(*args: Any, **kwargs: Any) -> Any:
    """A function as AutoGraph converts it: its control flow over tensors is that of graphs."""

def trace(*args: Any) -> None:
    """Print the arguments while a function is traced."""
