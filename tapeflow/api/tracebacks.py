"""tf.debugging's switch for shortened tracebacks.

tapeflow's frames are few and stay in tracebacks, so the switch is only remembered. Loaded when
one of its names is used.
"""

from __future__ import annotations

from tapeflow.base.exports import export


class _Switch:
    filtering = True


@export("debugging.enable_traceback_filtering")
def enable_traceback_filtering() -> None:
    """Accepted: tracebacks are the same either way."""
    _Switch.filtering = True


@export("debugging.disable_traceback_filtering")
def disable_traceback_filtering() -> None:
    """Accepted: tracebacks are the same either way."""
    _Switch.filtering = False


@export("debugging.is_traceback_filtering_enabled")
def is_traceback_filtering_enabled() -> bool:
    """What the last switch was; True at first."""
    return _Switch.filtering
