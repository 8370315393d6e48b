"""Which frames are of this library, of Keras or of Python's own machinery, not of the user's
program."""

from __future__ import annotations

from types import FrameType

_LIBRARIES = ("tapeflow", "keras", "mpi4py", "threading", "contextlib", "runpy", "tensorflow")


def is_library(frame: FrameType) -> bool:
    """Whether a frame is none of the user's program."""
    return frame.f_globals.get("__name__", "").partition(".")[0] in _LIBRARIES
