"""Python's search for reference cycles, rarer while many objects are made that all live.

A graph has ten objects a node: looking at them again and again takes a fifth of a trace.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

SELDOM = 300_000  # new objects between two searches
OLDER = 10  # times as many searches among the new ones before older ones are looked at

_unseen = [0]  # objects that count as old and were never looked at


def collect_seldom(function: Callable, *args: Any) -> Any:
    """Call a function; meanwhile, cycles are searched for after `SELDOM` new objects, and far more
    seldom among all that the program has. What it has made counts as old then.
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
            if gc.get_count()[0] > before[0]:
                _count_as_old(gc)
            gc.set_threshold(*before)


def _count_as_old(gc: Any) -> None:
    """The new objects would all be looked at now, and nearly all of them live: they join the old
    ones unseen. After `SELDOM` of them all objects are looked at."""
    if not gc.isenabled() or gc.get_freeze_count():  # what a program has frozen stays so
        return
    _unseen[0] += gc.get_count()[0]
    gc.freeze()
    gc.unfreeze()
    if _unseen[0] > SELDOM:
        _unseen[0] = 0
        gc.collect()


def seldom(usual: tuple[int, int, int]) -> tuple[int, int, int]:
    """The thresholds that `collect_seldom` sets where these are the usual ones."""
    return SELDOM, OLDER * usual[1], OLDER * usual[2]
