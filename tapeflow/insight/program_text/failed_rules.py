"""A gradient that fails: the rule of which op, and the line that called it in the forward pass.

The error of a rule names the op that the rule is made of, `matrix_inverse` for a determinant, and
its traceback the line that asks for the gradient. A note adds what the walk was at.
"""

from __future__ import annotations

from types import TracebackType
from typing import Any

from tapeflow.base.exception_origin import from_handler
from tapeflow.core.autodiff.record import BINARY
from tapeflow.core.autodiff.walk import walk_back
from tapeflow.graph.tracing.error_position import forward_text, remedy_text
from tapeflow.insight.program_text.lines_by_text import line_of
from tapeflow.insight.program_text.user_frames import on_the_stack

_SIGN = "In the gradient of "


def rule_failed(error: BaseException) -> None:
    """Add a note to an error that `tape.gradient` raises, if a rule has raised it."""
    notes = getattr(error, "__notes__", [])
    if any(_SIGN in note for note in notes) or from_handler(error):
        return
    step: TracebackType | None = error.__traceback__
    entry = record = None
    while step is not None:
        if step.tb_frame.f_code is walk_back.__code__:
            found = step.tb_frame.f_locals
            entry, record = found.get("entry"), found["record"]
        step = step.tb_next
    if entry is None or any(note.startswith("Detected at node") for note in notes):
        return
    op = entry[1]
    error.add_note(forward_text(op, _line(entry, record)) + remedy_text(str(error)))


def _line(entry: tuple, record: Any) -> tuple[str, int] | None:
    made = entry[4] if entry[0] == BINARY else entry[3]
    positions = record._positions or {}
    for uid in (made,) if isinstance(made, int) else made:
        if uid in positions:
            return positions[uid]
    return line_of(entry[1].name, on_the_stack())
