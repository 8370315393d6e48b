# Written by tools/stubs.py (make stubs).
"""tf.profiler.experimental"""

from typing import Any, NamedTuple

import tapeflow as tf

class Profile:
    """`with Profile(logdir):` profiles the block."""
    def __init__(
        self, logdir: str, options: tf.profiler.experimental.ProfilerOptions | None = None,
    ) -> None: ...
    def __enter__(self) -> None: ...
    def __exit__(self, *exc: Any) -> None: ...

class ProfilerOptions(NamedTuple):
    """Accepted: levels of tracers of the host, of Python and of devices."""
    host_tracer_level: int = 2
    python_tracer_level: int = 0
    device_tracer_level: int = 1
    delay_ms: int | None = None

def start(
    logdir: str, options: tf.profiler.experimental.ProfilerOptions | None = None,
) -> None:
    """Begin to profile; `stop` writes the result below `logdir`."""

def stop(save: bool = True) -> None:
    """End profiling and write `host.pstats`, unless `save` is False."""

class Trace:
    """`with Trace(name, step_num=…):` marks a step; Python's profiler has no marks."""
    def __init__(self, name: str, **kwargs: Any) -> None: ...
    def __enter__(self) -> tf.profiler.experimental.Trace: ...
    def __exit__(self, *exc: Any) -> None: ...
    def set_metadata(self, **kwargs: Any) -> None: ...
    name: Any
    metadata: Any
