"""A note for programs that die because a gradient was None."""

from __future__ import annotations

from tapeflow.core.autodiff.tape import NONES
from tapeflow.insight.explain import explain_record

_SIGNS = ("NoneType", "No gradients provided")


def for_exception(error: BaseException) -> str | None:
    """What to add to a traceback, if the last gradient that was None is behind this error."""
    if not NONES or not isinstance(error, (AttributeError, TypeError, ValueError)):
        return None
    if not any(sign in str(error) for sign in _SIGNS):
        return None
    record, targets, sources = NONES[-1]
    found = explain_record(record, targets, sources)
    lines = [f"  - {label}: {text}" for label, reason, text in found.findings
             if reason != "connected"]
    if not lines:
        return None
    return "\n".join(["tapeflow: the last tape.gradient(...) gave None, because of this:", *lines])
