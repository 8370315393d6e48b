"""How an error of a node says where it comes from. Loaded by the first such error."""

from __future__ import annotations

import linecache
from typing import Any

from tapeflow.graph.tracing.user_position import FROM_CODE

# What to do, by words of the message.
REMEDIES = {
    "not invertible": "the matrix has no inverse, which the op or its gradient needs: its diagonal "
                      "has a 0, or a column depends on others. Add a little to its diagonal: "
                      "a + 1e-6 * tf.eye(n).",
}


def position_text(op: Any, where: tuple) -> str:
    """The lines that an error of a node ends with."""
    code, line = where
    text = linecache.getline(code.co_filename, line).strip()
    name = FROM_CODE.get(code, code.co_name)
    found = (f"Detected at node {op.tf_name!r}, defined at:\n"
             f'  File "{code.co_filename}", line {line}, in {name}\n    {text}')
    forward = getattr(where, "forward", None)
    return found if forward is None else f"{found}\n{forward_text(*forward)}"


def forward_text(op: Any, where: tuple[str, int] | None) -> str:
    """Whose gradient has failed, and the line that called it."""
    if where is None:
        return (f"In the gradient of {op.name!r}; run inside `with tf.insight.debug():`, the error "
                "names the line that called it.")
    text = linecache.getline(*where[:2]).strip()
    return (f"In the gradient of {op.name!r}, called at:\n"
            f'  File "{where[0]}", line {where[1]}\n    {text}')


def remedy_text(message: str) -> str:
    """A line with the remedy; empty if there is none to tell."""
    return next((f"\nRemedy: {text}" for words, text in REMEDIES.items() if words in message), "")
