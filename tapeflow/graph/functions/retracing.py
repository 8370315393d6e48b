"""Notices functions that are traced again and again, and says which argument changed.

Counted by code, so that a tf.function made anew in every iteration of a loop is noticed too.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tapeflow.base.exception_origin import unsignalled
from tapeflow.base.process.weak_tables import WeakTable

MANY = 5  # traces among the last calls
HISTORY = 10  # calls that count
WARNINGS = 2  # for one function

_counts: WeakTable[Any, Count] = WeakTable()


class Count:
    """Calls of one function, and at which of them it was traced."""

    __slots__ = ("__weakref__", "calls", "traced", "warned")

    def __init__(self) -> None:
        self.calls = 0
        self.traced: list[int] = []
        self.warned = 0

    def add(self, function: Callable, change: Callable[[], str]) -> None:
        """A trace begins, at the call that was counted last."""
        self.traced.append(self.calls)
        while len(self.traced) > 1 and self.calls - self.traced[1] + 1 > HISTORY:
            del self.traced[0]
        if len(self.traced) < MANY or self.warned >= WARNINGS:
            return
        self.warned += 1
        import logging
        logging.getLogger("tensorflow").warning(
            "%d out of the last %d calls to %s triggered tf.function retracing. Tracing is "
            "expensive. This time %s. Many traces come from (1) making the tf.function anew in a "
            "loop: define it outside; (2) tensors of different shapes: use reduce_retracing=True "
            "or an input_signature with None for sizes; (3) Python values that change: pass "
            "tensors.", len(self.traced), self.calls - self.traced[0] + 1, function, change())


def count_of(function: Any) -> Count:
    """The count that functions of the same code share."""
    function = getattr(function, "__func__", function)
    while hasattr(function, "__wrapped__"):
        function = function.__wrapped__
    key = getattr(function, "__code__", function)
    try:
        return _counts.setdefault(key, Count())
    except unsignalled(TypeError):  # cannot be referred to weakly
        return Count()
