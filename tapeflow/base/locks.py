"""Locks that a forked process finds free.

A fork copies the thread that forks and the locks of all others, which nobody will ever release. The
locks of this library guard a few statements each: what they guard is whole, or nearly so, at any
moment, and a new process may go on from there. All its locks are made here; what waits for the end
of an action instead (of LLVM's, say) does so by itself.
"""

from __future__ import annotations

import os
import threading
import weakref
from typing import Any

_known: weakref.WeakSet[Any] = weakref.WeakSet()


def freed_by_fork(lock: Any) -> Any:
    """Let a lock be free in forked processes, unless the thread that forks holds it itself."""
    _known.add(lock)
    return lock


def new_lock() -> Any:
    """Like `threading.Lock()`."""
    return freed_by_fork(threading.Lock())


def new_rlock() -> Any:
    """Like `threading.RLock()`: its holder may take it again."""
    return freed_by_fork(threading.RLock())


def _after_fork() -> None:
    for lock in list(_known):
        if not getattr(lock, "_is_owned", bool)():
            lock._at_fork_reinit()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_after_fork)
