"""tf.debugging's switch for shortened tracebacks. Loaded when one of its names is used."""

from __future__ import annotations

from tapeflow.base.exports import export
from tapeflow.core.traceback_filter import Switch


@export("debugging.enable_traceback_filtering")
def enable_traceback_filtering() -> None:
    """Leave tapeflow's own frames out of tracebacks, as is done at first."""
    Switch.on = True


@export("debugging.disable_traceback_filtering")
def disable_traceback_filtering() -> None:
    """Show all frames in tracebacks from now on."""
    Switch.on = False


@export("debugging.is_traceback_filtering_enabled")
def is_traceback_filtering_enabled() -> bool:
    """Whether tracebacks are shortened; True at first."""
    return Switch.on
