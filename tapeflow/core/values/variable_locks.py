"""Variables that several threads change: every update of a value is whole, and none is lost.

An update reads the snapshot, computes, and stores a new snapshot if the old one is still there
(`Variable._replace`). CPython switches threads where a function is called or a loop turns; between
that look and that store there is neither, so they need no lock. Where another thread was quicker,
the variable gets a lock, its *turn*, and from then on whoever changes it takes the turn first.

Who computes a new value during a turn holds on to the old one: native code changes a value in place
only if nobody else holds it. No code of the user's runs during a turn, and several turns are taken
in the order of the variables' uids: nobody waits in a circle.
"""

from __future__ import annotations

import contextlib
import os
import sys
import threading
from _thread import _count as all_threads  # type: ignore[attr-defined]
from collections.abc import Callable, Iterable
from typing import Any

from tapeflow.base.locks import new_lock, new_rlock

# Without a global lock a look and a store are two things: every variable has its turn at once.
SWITCHES_AT_CALLS = sys.implementation.name == "cpython" and getattr(
    sys, "_is_gil_enabled", lambda: True)()
_making = new_lock()
_bystanders: set[int] = set()
_gone = [0]  # threads that Python counts, of the process from which this one was forked
_AT_ONCE = 8  # turns that one frame takes
PIPELINES_READ: list[bool] = []  # not empty: functions of datasets, run in threads, read variables


class standing_by:
    """`with standing_by():` says that this thread has nothing to do with variables."""

    __slots__ = ()

    def __enter__(self) -> None:
        _bystanders.add(threading.get_ident())

    def __exit__(self, *failure: Any) -> None:
        _bystanders.discard(threading.get_ident())


def alone() -> bool:
    """Whether no thread beside this one may change variables."""
    return all_threads() <= len(_bystanders) + _gone[0]


def started() -> int:
    """How many threads Python has started that have not ended."""
    return all_threads() - _gone[0]


def new_turn() -> Any:
    """A turn for a new variable, None while it needs none."""
    return None if SWITCHES_AT_CALLS else new_rlock()


def turn_of(variable: Any) -> Any:
    """The turn of a variable: a lock that its holder may take again."""
    owner = getattr(variable, "_owner", variable)
    turn = owner._turn
    if turn is None:
        with _making:
            turn = owner._turn
            if turn is None:
                turn = owner._turn = new_rlock()
    return turn


def taking_turns(variables: Iterable[Any], function: Callable[[], Any]) -> Any:
    """Call a function while it is nobody else's turn to change these variables."""
    if alone():
        return function()
    owners = {one._uid: one for one in variables}
    turns = [turn_of(owners[uid]) for uid in sorted(owners)]
    turns += [contextlib.nullcontext()] * (-len(turns) % _AT_ONCE)
    return _nested(turns, function)


def _nested(turns: list[Any], function: Callable[[], Any]) -> Any:
    # Statements, not a loop with a list of what was taken: an exception of a signal's handler finds
    # no place between taking a lock and being sure to release it.
    if not turns:
        return function()
    a, b, c, d, e, f, g, h, *others = turns
    with a, b, c, d, e, f, g, h:
        return _nested(others, function)


def _after_fork() -> None:
    _bystanders.clear()
    _gone[0] = all_threads()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_after_fork)
