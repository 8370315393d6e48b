"""tf.compat.v1.logging: messages to the logger `tensorflow`.

Loaded when one of its names is asked for.
"""

from __future__ import annotations

import logging
from typing import Any

from tapeflow.api.version import get_logger
from tapeflow.base.exports import export, publish

for _level in ("DEBUG", "INFO", "WARN", "ERROR", "FATAL"):
    publish(getattr(logging, _level), f"compat.v1.logging.{_level}")

_counts: dict[Any, int] = {}  # of log_first_n and log_every_n, by message


@export("compat.v1.logging.log")
def log(level: int, msg: str, *args: Any, **kwargs: Any) -> None:
    """Log a message at a level."""
    get_logger().log(level, msg, *args, **kwargs)


@export("compat.v1.logging.debug")
def debug(msg: str, *args: Any, **kwargs: Any) -> None:
    """Log at level DEBUG."""
    get_logger().debug(msg, *args, **kwargs)


@export("compat.v1.logging.info")
def info(msg: str, *args: Any, **kwargs: Any) -> None:
    """Log at level INFO."""
    get_logger().info(msg, *args, **kwargs)


@export("compat.v1.logging.warning", "compat.v1.logging.warn")
def warning(msg: str, *args: Any, **kwargs: Any) -> None:
    """Log at level WARN."""
    get_logger().warning(msg, *args, **kwargs)


@export("compat.v1.logging.error")
def error(msg: str, *args: Any, **kwargs: Any) -> None:
    """Log at level ERROR."""
    get_logger().error(msg, *args, **kwargs)


@export("compat.v1.logging.fatal")
def fatal(msg: str, *args: Any, **kwargs: Any) -> None:
    """Log at level FATAL."""
    get_logger().fatal(msg, *args, **kwargs)


@export("compat.v1.logging.vlog")
def vlog(level: int, msg: str, *args: Any, **kwargs: Any) -> None:
    """Log at a level given as a number."""
    get_logger().log(level, msg, *args, **kwargs)


@export("compat.v1.logging.log_if")
def log_if(level: int, msg: str, condition: bool, *args: Any) -> None:
    """Log if a condition holds."""
    if condition:
        vlog(level, msg, *args)


def _count(msg: str) -> int:
    _counts[msg] = _counts.get(msg, -1) + 1
    return _counts[msg]


@export("compat.v1.logging.log_every_n")
def log_every_n(level: int, msg: str, n: int, *args: Any) -> None:
    """Log the first of every `n` equal messages."""
    log_if(level, msg, not _count(msg) % n, *args)


@export("compat.v1.logging.log_first_n")
def log_first_n(level: int, msg: str, n: int, *args: Any) -> None:
    """Log the first `n` equal messages."""
    log_if(level, msg, _count(msg) < n, *args)


@export("compat.v1.logging.TaskLevelStatusMessage")
def TaskLevelStatusMessage(msg: str) -> None:
    """Log at level ERROR."""
    error(msg)


@export("compat.v1.logging.flush")
def flush() -> None:
    """Accepted: nothing is held back."""


@export("compat.v1.logging.get_verbosity")
def get_verbosity() -> int:
    """The level from which on messages are logged."""
    return get_logger().getEffectiveLevel()


@export("compat.v1.logging.set_verbosity")
def set_verbosity(v: int) -> None:
    """Set the level from which on messages are logged."""
    get_logger().setLevel(v)
