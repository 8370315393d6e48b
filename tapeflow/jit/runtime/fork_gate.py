"""No process is forked while a thread compiles.

A forked process has one thread, and the locks that the others held stay locked for ever: LLVM's,
llvmlite's, those of modules that are being imported. So a thread holds a lock of its own while it
plans a program (`planning`), and all together one while they are in LLVM or in the cache
(`compiling`); a fork takes them all, for as long as it lasts.
"""

from __future__ import annotations

import os
import sys
import threading
from collections.abc import Callable
from typing import Any

from tapeflow.base.process.weak_tables import WeakSet

compiling = threading.RLock()
_registering = threading.Lock()
_planning_locks: WeakSet[Any] = WeakSet()
_held_by_fork: list[Any] = []


class _ThreadState(threading.local):
    planning_lock: Any = None


_state = _ThreadState()


def planning() -> Any:
    """The lock to hold while this thread plans a program; threads do not wait for each other."""
    if _state.planning_lock is None:
        with _registering:
            _state.planning_lock = threading.RLock()
            _planning_locks.add(_state.planning_lock)
    return _state.planning_lock


def once(make: Callable[[], Any]) -> Callable[[], Any]:
    """A function that is called once, as by `functools.cache`, whatever threads there are."""
    found: list[Any] = []

    def get() -> Any:
        if not found:
            with compiling:
                if not found:
                    found.append(make())
        return found[0]

    return get


def _llvm_lock() -> Any:
    """The lock that llvmlite holds during each call, None before it is loaded."""
    library = sys.modules.get("llvmlite.binding.ffi")
    return getattr(getattr(getattr(library, "lib", None), "_lock", None), "_lock", None)


def release_llvm_lock() -> None:
    """After an exception in a compile: llvmlite's lock is not this thread's any more.

    One that the handler of a signal raised may have come between taking it and the call.
    """
    lock = _llvm_lock()
    while lock is not None and lock._is_owned():
        lock.release()


def _before_fork() -> None:
    # One after another: who waits for the first lock looks for the others only when it has it, so
    # that none is missed which a thread made, or an import brought, in the meantime.
    _hold(_registering)
    for lock in list(_planning_locks):
        _hold(lock)
    _hold(compiling)
    lock = _llvm_lock()
    if lock is not None:
        _hold(lock)


def _hold(lock: Any) -> None:
    lock.acquire()
    _held_by_fork.append(lock)


def _after_fork() -> None:
    while _held_by_fork:
        _held_by_fork.pop().release()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(before=_before_fork, after_in_parent=_after_fork,
                        after_in_child=_after_fork)
