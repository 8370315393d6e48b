"""tf.profiler.experimental: Python's own profiler, from `start` to `stop`.

TensorFlow's profiler reads its runtime's traces, of which there are none here. What is written is a
file for `python -m pstats`. Loaded when one of its names is used.
"""

from __future__ import annotations

import cProfile
import os
import time
from typing import Any, NamedTuple

from tapeflow.base import errors
from tapeflow.base.exports import export


@export("profiler.experimental.ProfilerOptions")
class ProfilerOptions(NamedTuple):
    """Accepted: levels of tracers of the host, of Python and of devices."""

    host_tracer_level: int = 2
    python_tracer_level: int = 0
    device_tracer_level: int = 1
    delay_ms: int | None = None


class _Running:
    profile: Any = None
    folder = ""


@export("profiler.experimental.start")
def start(logdir: str, options: ProfilerOptions | None = None) -> None:
    """Begin to profile; `stop` writes the result below `logdir`."""
    if _Running.profile is not None:
        raise errors.AlreadyExistsError(None, None, "Another profiler is running.")
    _Running.folder = os.path.join(os.fspath(logdir), "plugins", "profile",
                                   time.strftime("%Y_%m_%d_%H_%M_%S"))
    _Running.profile = cProfile.Profile()
    _Running.profile.enable()


@export("profiler.experimental.stop")
def stop(save: bool = True) -> None:
    """End profiling and write `host.pstats`, unless `save` is False."""
    profile = _Running.profile
    if profile is None:
        raise errors.UnavailableError(None, None, "Cannot export profiling results. No profiler is "
                                                  "running.")
    _Running.profile = None
    profile.disable()
    if save:
        os.makedirs(_Running.folder, exist_ok=True)
        profile.dump_stats(os.path.join(_Running.folder, "host.pstats"))


@export("profiler.experimental.Profile")
class Profile:
    """`with Profile(logdir):` profiles the block."""

    def __init__(self, logdir: str, options: ProfilerOptions | None = None):
        self._logdir, self._options = logdir, options

    def __enter__(self) -> None:
        start(self._logdir, self._options)

    def __exit__(self, *exc: Any) -> None:
        stop()


@export("profiler.experimental.Trace")
class Trace:
    """`with Trace(name, step_num=…):` marks a step; Python's profiler has no marks."""

    def __init__(self, name: str, **kwargs: Any):
        self.name, self.metadata = name, dict(kwargs)

    def __enter__(self) -> Trace:
        return self

    def __exit__(self, *exc: Any) -> None:
        pass

    def set_metadata(self, **kwargs: Any) -> None:
        self.metadata.update(kwargs)
