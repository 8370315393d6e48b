"""Where in the user's program a node comes from."""

from __future__ import annotations

import sys
import types
from typing import Any

from tapeflow.base.frames.library_frames import is_library
from tapeflow.core.state import state

# Code of functions that AutoGraph converted -> the name of the function.
FROM_CODE: dict[types.CodeType, str] = {}
_OWN: dict[int, types.CodeType] = {}  # code of tapeflow by its id: hashing code takes long


class BackwardPosition(tuple):
    """Code and line where a gradient was asked for, of a node that a rule has made.

    forward  (op, file and line or None) of the forward op whose rule that is
    """

    forward: tuple


class LibraryPosition(tuple):
    """Code and line of an installed library, such as Keras.

    caller  file and line of the user's program that has led there
    """

    caller: tuple[str, int]


def position_now(replayed: tuple | None) -> tuple | None:
    """Where a new node comes from; `replayed`: where the node comes from that it repeats."""
    if replayed is not None:
        return replayed
    here, forward = position(), state.backward_of
    if here is None or forward is None:
        return here
    found = BackwardPosition(here)
    found.forward = forward
    return found


def position() -> tuple | None:
    """Code and line of the user's program that is being run."""
    frame: Any = sys._getframe(2)
    while frame is not None:
        code = frame.f_code
        if id(code) not in _OWN:
            if not frame.f_globals.get("__name__", "").startswith("tapeflow"):
                here = (code, frame.f_lineno)
                return _with_caller(here, frame) if "-packages" in code.co_filename else here
            _OWN[id(code)] = code
        frame = frame.f_back
    return None


def _with_caller(here: tuple, frame: Any) -> tuple:
    """A library's position, with the line of the program that has called it."""
    while frame is not None and (is_library(frame) or "-packages" in frame.f_code.co_filename):
        frame = frame.f_back
    if frame is None:
        return here
    found = LibraryPosition(here)
    found.caller = (frame.f_code.co_filename, frame.f_lineno)
    return found
