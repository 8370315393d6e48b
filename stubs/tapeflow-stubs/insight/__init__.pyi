# Written by tools/stubs.py (make stubs).
"""tf.insight"""

from typing import Any

import tapeflow as tf

def explain(tape: tf.GradientTape, target: Any, sources: Any) -> tf.insight.Explanation:
    """Say in words, for each source, why there is no gradient and what to do."""

class Explanation:
    """One finding for each source; `str()` is the text, `reasons` the findings."""
    def __init__(self, findings: list[tuple[str, str, str]]) -> None: ...
    @property
    def reasons(self) -> list[str]:
        """A word for each source: connected, constant, integer, stopped, severed …"""
    findings: Any

class positions:
    """Context in which new tapes of this thread keep the line of each op."""
    def __enter__(self) -> tf.insight.positions: ...
    def __exit__(self, *exc: Any) -> None: ...
