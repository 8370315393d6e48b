"""A note for programs that die because a gradient was None."""

from __future__ import annotations

from tapeflow.core.state import state
from tapeflow.insight.explain import explain_record

_SIGNS = ("NoneType", "No gradients provided")


def for_exception(error: BaseException) -> str | None:
    """What to add to a traceback, if the thread's last gradient that was None is behind it."""
    if state.last_none is None or not isinstance(error, (AttributeError, TypeError, ValueError)):
        return None
    if not any(sign in str(error) for sign in _SIGNS):
        return None
    record, targets, sources = state.last_none
    found = explain_record(record, targets, sources)
    lines = [f"  - {label}: {text}" for label, reason, text in found.findings
             if reason != "connected"]
    if not lines:
        return None
    return "\n".join(["tapeflow: the last tape.gradient(...) gave None, because of this:", *lines])
