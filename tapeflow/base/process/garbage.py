"""Python's search for reference cycles, rarer while many objects are made that all live.

A graph has ten objects a node: looking at them again and again takes a fifth of a trace.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

SELDOM = 300_000  # new objects between two searches
OLDER = 10  # times as many searches among the new ones before older ones are looked at


def collect_seldom(function: Callable, *args: Any) -> Any:
    """Call a function; meanwhile, cycles are searched for after `SELDOM` new objects, and far more
    seldom among all that the program has.
    """
    import gc
    before = gc.get_threshold()
    if not 0 < before[0] < SELDOM:  # 0: the search is off
        return function(*args)
    try:
        gc.set_threshold(*seldom(before))
        return function(*args)
    finally:
        if gc.get_threshold()[0] == SELDOM:  # else the function has set its own
            gc.set_threshold(*before)


def collect_none(function: Callable, *args: Any) -> Any:
    """The same for a function that makes what lives on, such as modules: it counts as old in the
    end, and is not looked at once more."""
    import gc

    def call() -> Any:
        found = function(*args)
        if not gc.get_freeze_count():  # what a program has frozen stays so
            gc.freeze()
            gc.unfreeze()
        return found

    return collect_seldom(call)


def seldom(usual: tuple[int, int, int]) -> tuple[int, int, int]:
    """The thresholds that `collect_seldom` sets where these are the usual ones."""
    return SELDOM, OLDER * usual[1], OLDER * usual[2]
