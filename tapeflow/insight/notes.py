"""A note for programs that die, or that Keras warns, because a gradient was None."""

from __future__ import annotations

import logging
import sys
from types import FrameType

from tapeflow.core.state import state
from tapeflow.insight.explain import explain_record

_SIGNS = ("NoneType", "No gradients provided", "not enough values to unpack (expected 2, got 0)")
_TRAINER = "keras.src.backend.tensorflow.trainer"

_told: set[str] = set()  # a step that makes its variables is traced twice


def reasons() -> str | None:
    """Why the thread's last gradient had a None, if it had one."""
    if state.last_none is None:
        return None
    record, targets, sources = state.last_none
    found = explain_record(record, targets, sources)
    lines = [f"  - {label}: {text}" for label, reason, text in found.findings
             if reason != "connected"]
    if not sources:
        lines = [f"  - {found}"]
    if not lines:
        return None
    return "\n".join(["tapeflow: the last tape.gradient(...) gave None, because of this:", *lines])


def for_exception(error: BaseException) -> str | None:
    """What to add to a traceback, if the thread's last gradient that was None is behind it."""
    if not isinstance(error, (AttributeError, TypeError, ValueError)):
        return None
    return reasons() if any(sign in str(error) for sign in _SIGNS) else None


def tell_keras() -> None:
    """Log the reasons where Keras's `fit` asks for gradients: it only warns that there are none."""
    frame: FrameType | None = sys._getframe(1)
    while frame is not None and frame.f_globals.get("__name__", "").startswith("tapeflow"):
        frame = frame.f_back
    if frame is not None and frame.f_globals.get("__name__") == _TRAINER:
        text = reasons()
        if text and text not in _told:
            _told.add(text)
            logging.getLogger("tensorflow").warning(text)
