"""A note for programs that die, or that Keras warns, because a gradient was None."""

from __future__ import annotations

import functools
import logging
import sys
from typing import Any

from tapeflow.core.state import state
from tapeflow.insight.explain import explain_record
from tapeflow.insight.program_text.user_frames import Frames, of_error

_SIGNS = ("NoneType", "No gradients provided", "not enough values to unpack (expected 2, got 0)")
_told: set[str] = set()  # a step that makes its variables is traced twice


def reasons(frames: Frames | None = None) -> str | None:
    """Why the thread's last gradient had a None, if it had one.

    frames: of the program, if they are not on the stack any more
    """
    if state.last_none is None:
        return None
    record, targets, sources = state.last_none
    found = explain_record(record, targets, sources, frames)
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
    return reasons(of_error(error)) if any(sign in str(error) for sign in _SIGNS) else None


def tell_keras() -> None:
    """From now on the reasons are logged beside Keras's warning that gradients do not exist.

    Its optimizers give it, in `fit` and in a program's own loops.
    """
    module = sys.modules.get("keras.src.optimizers.base_optimizer")
    optimizer = getattr(module, "BaseOptimizer", None)
    filtered = getattr(optimizer, "_filter_empty_gradients", None)
    if optimizer is None or filtered is None or hasattr(filtered, "__wrapped__"):
        return

    @functools.wraps(filtered)
    def telling(self: Any, grads: Any, variables: Any) -> Any:
        if any(g is None for g in grads):
            _tell_once(variables)
        return filtered(self, grads, variables)

    optimizer._filter_empty_gradients = telling


def _tell_once(variables: Any) -> None:
    """Log the reasons; variables are called as Keras's warning calls them."""
    paths = {getattr(getattr(one, "value", None), "_uid", 0): getattr(one, "path", "")
             for one in variables}
    for one in state.last_none[2] if state.last_none else ():
        one.name = paths.get(one.uid) or one.name
    text = reasons()
    if text and text not in _told:
        _told.add(text)
        logging.getLogger("tensorflow").warning(text)
