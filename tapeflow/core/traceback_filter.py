"""Tracebacks without this library's own frames, as tf.debugging promises.

What leaves a tf.function that a program calls is shortened there; `tapeflow run` and the notebook
extension shorten whatever they print. Between the user's lines nothing of tapeflow is left.
Imports nothing of tapeflow.
"""

from __future__ import annotations

import os
from types import TracebackType

_PACKAGE = os.path.dirname(os.path.dirname(os.path.abspath(__file__))) + os.sep
_HELPERS = ("contextlib.py", "functools.py")  # of Python, between frames of tapeflow


class Switch:
    """What tf.debugging.enable_traceback_filtering and its opposite set."""

    on = True


def shorten(error: BaseException) -> None:
    """Take tapeflow's frames out of an error's traceback, and out of those of its causes."""
    seen: set[int] = set()
    one: BaseException | None = error if Switch.on else None
    while one is not None and id(one) not in seen:
        seen.add(id(one))
        one.__traceback__ = filtered(one.__traceback__)
        one = one.__cause__ if one.__cause__ is not None or one.__suppress_context__ else (
            one.__context__)


def filtered(traceback: TracebackType | None) -> TracebackType | None:
    """The frames of the user's program and of other libraries."""
    entries = []
    while traceback is not None:
        entries.append(traceback)
        traceback = traceback.tb_next
    kept: TracebackType | None = None
    inner = False  # whether the frame below is of tapeflow
    for entry in reversed(entries):
        path = entry.tb_frame.f_code.co_filename
        ours = path.startswith((_PACKAGE, "<graph "))
        inner = ours or (inner and os.path.basename(path) in _HELPERS)
        if not inner:
            kept = TracebackType(kept, entry.tb_frame, entry.tb_lasti, entry.tb_lineno)
    return kept
