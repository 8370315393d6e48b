"""Where in the user's program an op was called. Off by default: it costs 10–50 % an op.

    with tf.insight.positions():
        with tf.GradientTape() as tape:
            …
"""

from __future__ import annotations

import os
import sys
from types import FrameType
from typing import Any

from tapeflow.base.frames.library_frames import is_library
from tapeflow.core.autodiff.record import Record
from tapeflow.core.state import state

_PACKAGE = os.path.dirname(os.path.dirname(os.path.abspath(__file__))) + os.sep


def frame_position() -> tuple[str, int, tuple | None, tuple[str, int] | None] | None:
    """File and line of the innermost frame that is not tapeflow's own.

    A node that is run on its own was called while tracing: the line is the one that it keeps, the
    third is the forward op and its line, if the node belongs to a gradient, and the fourth the line
    of the program, if that one is a library's.
    """
    frame: FrameType | None = sys._getframe(1)
    while frame is not None and frame.f_code.co_filename.startswith(_PACKAGE):
        if frame.f_code.co_name == "replay_node":
            where = frame.f_locals["node"].where
            if where is not None:
                return (where[0].co_filename, where[1], getattr(where, "forward", None),
                        getattr(where, "caller", None))
        frame = frame.f_back
    return None if frame is None else (frame.f_code.co_filename, frame.f_lineno, None, None)


def here() -> tuple[str, int] | None:
    """File and line of the op that is being called; of a rule's op, of the forward op."""
    forward = state.backward_of
    if forward is not None and forward[1] is not None:
        return forward[1]
    found = frame_position()
    if found is None:
        return None
    if found[2] is not None and found[2][1] is not None:
        return found[2][1]
    # Lines of Keras say little: the one that called it does.
    return found[3] or (_user_position() if "site-packages" in found[0] else None) or found[:2]


def _user_position() -> tuple[str, int] | None:
    """File and line of the innermost frame that is the user's own, not a library's."""
    frame: FrameType | None = sys._getframe(1)
    while frame is not None and is_library(frame):
        frame = frame.f_back
    return None if frame is None else (frame.f_code.co_filename, frame.f_lineno)


class PositionedRecord(Record):
    """A record that also keeps the user's file and line of each op."""

    __slots__ = ()

    def __init__(self, watch_accessed_variables: bool):
        super().__init__(watch_accessed_variables)
        self._positions: dict[int, tuple[str, int]] = {}

    def _note_position(self, op: Any, ys: Any) -> None:
        for y in ys if op.multi else (ys,):
            if y._uid in self._tracked or y._uid in self._severed:
                position = here()
                if position is not None:
                    self._positions.setdefault(y._uid, position)

    def escaped(self, tensor: Any) -> None:
        self._escaped.setdefault(tensor._uid, _user_position())

    def assigned(self, variable: Any, tensor: Any) -> None:
        super().assigned(variable, tensor)
        position = _user_position()
        if position is not None and variable._uid in self._severed:
            self._positions.setdefault(variable._uid, position)

    def note1(self, op: Any, x: Any, y: Any) -> None:
        super().note1(op, x, y)
        self._note_position(op, y)

    def note2(self, op: Any, a: Any, b: Any, y: Any) -> None:
        super().note2(op, a, b, y)
        self._note_position(op, y)

    def note(self, op: Any, xs: tuple, ys: Any, attrs: dict) -> None:
        super().note(op, xs, ys, attrs)
        self._note_position(op, ys)


class positions:
    """Context in which new tapes of this thread keep the line of each op.

    >>> w = tf.Variable(1.5, name="w")
    >>> with tf.insight.positions(), tf.GradientTape() as tape:
    ...     y = tf.round(w)
    >>> "round" in str(tape.explain(y, w))
    True
    """

    def __enter__(self) -> positions:
        self._before, state.record_type = state.record_type, PositionedRecord
        return self

    def __exit__(self, *exc: Any) -> None:
        state.record_type = self._before
