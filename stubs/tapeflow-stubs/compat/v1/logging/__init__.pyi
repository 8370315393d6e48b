# Written by tools/stubs.py (make stubs).
"""tf.compat.v1.logging"""

from typing import Any

from tapeflow._typing import IntLike

DEBUG: int
ERROR: int
FATAL: int
INFO: int
WARN: int

def debug(msg: str, *args: Any, **kwargs: Any) -> None:
    """Log at level DEBUG."""

def error(msg: str, *args: Any, **kwargs: Any) -> None:
    """Log at level ERROR."""

def fatal(msg: str, *args: Any, **kwargs: Any) -> None:
    """Log at level FATAL."""

def flush() -> None:
    """Accepted: nothing is held back."""

def get_verbosity() -> int:
    """The level from which on messages are logged."""

def info(msg: str, *args: Any, **kwargs: Any) -> None:
    """Log at level INFO."""

def log(level: IntLike, msg: str, *args: Any, **kwargs: Any) -> None:
    """Log a message at a level."""

def log_every_n(level: IntLike, msg: str, n: IntLike, *args: Any) -> None:
    """Log the first of every `n` equal messages."""

def log_first_n(level: IntLike, msg: str, n: IntLike, *args: Any) -> None:
    """Log the first `n` equal messages."""

def log_if(level: IntLike, msg: str, condition: bool, *args: Any) -> None:
    """Log if a condition holds."""

def set_verbosity(v: IntLike) -> None:
    """Set the level from which on messages are logged."""

def TaskLevelStatusMessage(msg: str) -> None:
    """Log at level ERROR."""

def vlog(level: IntLike, msg: str, *args: Any, **kwargs: Any) -> None:
    """Log at a level given as a number."""

def warn(msg: str, *args: Any, **kwargs: Any) -> None:
    """Log at level WARN."""

warning = warn
