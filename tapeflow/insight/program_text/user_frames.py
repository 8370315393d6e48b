"""The frames of the user's program: those that are being run, and those that an error came through.
"""

from __future__ import annotations

import sys
from types import FrameType, TracebackType

from tapeflow.base.frames.library_frames import is_library

Frames = list[tuple[FrameType, int]]


def on_the_stack() -> Frames:
    """The user's frames that are being run, with their lines, the innermost first."""
    found: Frames = []
    frame: FrameType | None = sys._getframe(1)
    while frame is not None:
        if not is_library(frame):
            found.append((frame, frame.f_lineno))
        frame = frame.f_back
    return found


def of_error(error: BaseException) -> Frames:
    """The user's frames that an error came through, with their lines, the innermost first."""
    found: Frames = []
    traceback: TracebackType | None = error.__traceback__
    while traceback is not None:
        if not is_library(traceback.tb_frame):
            found.insert(0, (traceback.tb_frame, traceback.tb_lineno))
        traceback = traceback.tb_next
    return found
