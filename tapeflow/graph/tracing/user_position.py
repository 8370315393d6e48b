"""Where in the user's program a node comes from."""

from __future__ import annotations

import sys
import types
from typing import Any

from tapeflow.base.frames.library_frames import is_library
from tapeflow.core.state import state

# Code of functions that AutoGraph converted -> the name of the function.
FROM_CODE: dict[types.CodeType, str] = {}
# Code by its id, which is looked at again and again: hashing code takes long.
_OWN: dict[int, types.CodeType] = {}  # of tapeflow
_INSTALLED: dict[int, types.CodeType] = {}  # where installed libraries are
_PASSED: dict[int, types.CodeType] = {}  # of any library: what is no program of the user's


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


def position_now(known: dict[tuple[int, int], tuple]) -> tuple | None:
    """Code and line of the user's program that is being run.

    known: positions by code and instruction, of one trace: loops come to the same ones again
    """
    frame: Any = sys._getframe(5)  # this, and from an op's call `apply`, `run` and `add_node`
    own = _OWN
    while frame is not None:
        code = id(frame.f_code)
        if code not in own:
            here = known.get((code, frame.f_lasti)) or _position_of(frame, known)
            if here is not None:
                forward = state.backward_of
                return here if forward is None else _of_rule(here, forward)
        frame = frame.f_back
    return None


def _position_of(frame: Any, known: dict) -> tuple | None:
    """Code and line of a frame; None if it is tapeflow's."""
    code = frame.f_code
    here = (code, frame.f_lineno)
    if id(code) not in _INSTALLED:
        if frame.f_globals.get("__name__", "").startswith("tapeflow"):
            _OWN[id(code)] = code
            return None
        if "-packages" not in code.co_filename:
            known[id(code), frame.f_lasti] = here
            return here
        _INSTALLED[id(code)] = code
    return _with_caller(here, frame)


def _of_rule(here: tuple, forward: tuple) -> BackwardPosition:
    found = BackwardPosition(here)
    found.forward = forward
    return found


def _with_caller(here: tuple, frame: Any) -> tuple:
    """A library's position, with the line of the program that has called it."""
    while frame is not None:
        code = frame.f_code
        if id(code) not in _PASSED:
            if not (is_library(frame) or "-packages" in code.co_filename):
                break
            _PASSED[id(code)] = code
        frame = frame.f_back
    if frame is None:
        return here
    found = LibraryPosition(here)
    found.caller = (frame.f_code.co_filename, frame.f_lineno)
    return found
