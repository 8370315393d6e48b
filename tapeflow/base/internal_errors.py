"""Internal errors: what a function raises by accident, when an argument is not what it thinks.

An index past the end or an attribute that is not there is no answer to a wrong argument. A guarded
function answers with an error of arguments instead, whose cause is the accident. What it raises on
purpose passes, and so does what code of the user's raises that it calls, and the end of the stack
that a recursion of the user's has used up. `export` guards the
functions of modules that are loaded later; those that hot loops call have no guard.
Any layer may import it.
"""

from __future__ import annotations

import dis
import sys
from collections.abc import Callable
from types import FrameType, FunctionType, TracebackType
from typing import Any

import numpy as np

from tapeflow.base import errors
from tapeflow.base.attributes import looking_like

_RAISE = dis.opmap["RAISE_VARARGS"]
_OURS = ("tapeflow", "numpy")
_AS_TYPE_ERROR = (AttributeError, AssertionError, NameError, np._core._exceptions.UFuncTypeError)  # type: ignore[attr-defined]
INTERNAL = (*_AS_TYPE_ERROR, LookupError, ArithmeticError, MemoryError, RecursionError)


def guarded(function: Any) -> Any:
    """`function`, with its accidents told as errors of arguments."""

    def guard(*args: Any, **named: Any) -> Any:
        try:
            return function(*args, **named)
        except INTERNAL as error:
            if not accidental(error):
                raise
            raise presented(error, function.__name__) from error

    return looking_like(function, guard)


def accidental(error: BaseException) -> bool:
    """Whether only code of this library and NumPy's ran, and no `raise` of this library's."""
    caught: TracebackType = error.__traceback__  # type: ignore[assignment]
    if isinstance(error, RecursionError) and _half_used(caught.tb_frame):
        return False
    trace = caught.tb_next
    last = None
    while trace is not None:
        if trace.tb_frame.f_globals.get("__name__", "").partition(".")[0] not in _OURS:
            return False
        last, trace = trace, trace.tb_next
    if last is None or last.tb_frame.f_globals["__name__"].startswith("numpy"):
        return True
    return isinstance(error, (AssertionError, RecursionError)) or (
        last.tb_frame.f_code.co_code[last.tb_lasti] != _RAISE)


def _half_used(frame: FrameType | None) -> bool:
    """Whether the stack up to a frame is more than half of what Python allows."""
    left = sys.getrecursionlimit() // 2
    while frame is not None and left:
        frame, left = frame.f_back, left - 1
    return not left


def presented(error: BaseException, name: str) -> Exception:
    """The error of arguments that stands for an accident in the function of this name."""
    words = f"{name}: {type(error).__name__}: {error}"
    if isinstance(error, MemoryError):
        return errors.exhausted(name, str(error))
    if isinstance(error, _AS_TYPE_ERROR):
        return TypeError(words)
    return ValueError(words)


def guarding(value: Any) -> Callable | Any:
    """What is published for a value: functions are guarded, and how objects are made."""
    if isinstance(value, type):
        if isinstance(vars(value).get("__init__"), FunctionType):
            value.__init__ = guarded(value.__init__)  # type: ignore[misc]
        return value
    return guarded(value) if isinstance(value, FunctionType) else value
