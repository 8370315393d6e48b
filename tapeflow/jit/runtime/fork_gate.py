"""No process is forked while a thread makes machine code.

A forked process has one thread, and the locks that the others held stay locked for ever: LLVM's,
llvmlite's, those of modules that are being imported. So a thread holds a lock of its own while it
plans a program (`planning`), and all together one while they are in LLVM or in the cache
(`making`); a fork takes them all, for as long as it lasts.
"""

from __future__ import annotations

import os
import sys
import threading
from collections.abc import Callable
from typing import Any

from tapeflow.base.weak_tables import WeakSet

making = threading.RLock()
_registering = threading.Lock()
_plans: WeakSet[Any] = WeakSet()
_taken: list[Any] = []  # by a fork


class _Mine(threading.local):
    plan: Any = None


_mine = _Mine()


def planning() -> Any:
    """The lock to hold while this thread plans a program; threads do not wait for each other."""
    if _mine.plan is None:
        with _registering:
            _mine.plan = threading.RLock()
            _plans.add(_mine.plan)
    return _mine.plan


def once(make: Callable[[], Any]) -> Callable[[], Any]:
    """Like `functools.cache`, but no other thread makes a second one at the same time."""
    found: list[Any] = []

    def get() -> Any:
        if not found:
            with making:
                if not found:
                    found.append(make())
        return found[0]

    return get


def _llvm_lock() -> Any:
    """The lock that llvmlite holds during each call, None before it is loaded."""
    library = sys.modules.get("llvmlite.binding.ffi")
    return getattr(getattr(getattr(library, "lib", None), "_lock", None), "_lock", None)


def settle() -> None:
    """After an exception in a compile: llvmlite's lock is not this thread's any more.

    One that the handler of a signal raised may have come between taking it and the call.
    """
    lock = _llvm_lock()
    while lock is not None and lock._is_owned():
        lock.release()


def _before_fork() -> None:
    for lock in (_registering, *_plans, making, _llvm_lock()):
        if lock is not None:
            lock.acquire()
            _taken.append(lock)


def _after_fork() -> None:
    while _taken:
        _taken.pop().release()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(before=_before_fork, after_in_parent=_after_fork,
                        after_in_child=_after_fork)
