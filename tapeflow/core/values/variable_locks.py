"""Variables that several threads change: every update of a value is whole, and none is lost.

An update reads the snapshot, computes, and stores a new snapshot if the old one is still there
(`Variable._replace`). CPython switches threads where a function is called or a loop jumps back;
between that look and that store there is neither, so they need no lock. Where another thread was
quicker, the variable gets an *update lock*, and from then on whoever changes it takes it first.

Who computes a new value under the lock holds on to the old one: native code changes a value in
place only if nobody else holds it. No code of the user's runs under an update lock, and several are
taken in the order of the variables' uids: nobody waits in a circle.
"""

from __future__ import annotations

import contextlib
import os
import sys
import threading
from _thread import _count as all_threads
from collections.abc import Callable, Iterable
from typing import Any

from tapeflow.base.process.locks import new_lock, new_rlock

# Without a global lock a look and a store are two things: every variable is born with its lock.
SWITCHES_AT_CALLS = sys.implementation.name == "cpython" and getattr(
    sys, "_is_gil_enabled", lambda: True)()
_making = new_lock()
_never_writing: set[int] = set()
_gone = [0]  # threads that Python counts, of the process from which this one was forked
_AT_ONCE = 8  # locks that one frame takes
PIPELINES_READ: list[bool] = []  # not empty: functions of datasets, run in threads, read variables


class never_writing:
    """`with never_writing():` says that this thread does nothing to variables meanwhile."""

    __slots__ = ()

    def __enter__(self) -> None:
        _never_writing.add(threading.get_ident())

    def __exit__(self, *failure: Any) -> None:
        _never_writing.discard(threading.get_ident())


def alone() -> bool:
    """Whether no thread beside this one may change variables."""
    return all_threads() <= len(_never_writing) + _gone[0]


def started() -> int:
    """How many threads Python has started that have not ended."""
    return all_threads() - _gone[0]


def new_update_lock() -> Any:
    """The update lock of a new variable, None while it needs none."""
    return None if SWITCHES_AT_CALLS else new_rlock()


def update_lock_of(variable: Any) -> Any:
    """The update lock of a variable, made if there is none; its holder may take it again."""
    owner = getattr(variable, "_owner", variable)
    lock = owner._update_lock
    if lock is None:
        with _making:
            lock = owner._update_lock
            if lock is None:
                lock = owner._update_lock = new_rlock()
    return lock


def with_update_locks(variables: Iterable[Any], function: Callable[[], Any]) -> Any:
    """Call a function while nobody else can change these variables."""
    if alone():
        return function()
    owners = {one._uid: one for one in variables}
    locks = [update_lock_of(owners[uid]) for uid in sorted(owners)]
    locks += [contextlib.nullcontext()] * (-len(locks) % _AT_ONCE)
    return _nested(locks, function)


def _nested(locks: list[Any], function: Callable[[], Any]) -> Any:
    # Statements, not a loop with a list of what was taken: an exception of a signal's handler finds
    # no place between taking a lock and being sure to release it.
    if not locks:
        return function()
    a, b, c, d, e, f, g, h, *others = locks
    with a, b, c, d, e, f, g, h:
        return _nested(others, function)


def _after_fork() -> None:
    _never_writing.clear()
    _gone[0] = all_threads()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_after_fork)
