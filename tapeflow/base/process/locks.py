"""Locks that a forked process finds free.

A fork copies the thread that forks and the locks of all others, which nobody will ever release. The
locks of this library guard a few statements each: what they guard is whole, or nearly so, at any
moment, and a new process may go on from there. All its locks are made here; what waits for the end
of an action instead (of LLVM's, say) does so by itself. A fork waits for the end of imports of
this library's modules, many of which are loaded at first use.
"""

from __future__ import annotations

import _imp
import os
import sys
import threading
from typing import Any

from tapeflow.base.exception_origin import ignoring
from tapeflow.base.process.weak_tables import WeakSet

_known: WeakSet[Any] = WeakSet()


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


_LIBRARIES = {"tapeflow", "llvmlite", "numpy", "scipy", *sys.stdlib_module_names}


def _being_imported() -> list[Any]:
    """The locks of modules that others are importing, of those that run no user's program."""
    import importlib
    references = getattr(importlib._bootstrap, "_module_locks", {})
    found = [reference() for reference in list(references.values())]
    return [lock for lock in found if lock is not None
            and getattr(lock, "owner", None) not in (None, threading.get_ident())
            and lock.name.partition(".")[0] in _LIBRARIES]


def _before_fork() -> None:
    while True:
        _imp.acquire_lock()  # until the fork is over: no further import begins
        locks = _being_imported()
        if not locks:
            return
        _imp.release_lock()
        with ignoring(RuntimeError):  # that import waits for this thread
            locks[0].acquire()
            locks[0].release()


def _after_fork_in_child() -> None:
    _imp.release_lock()
    for lock in list(_known):
        if not getattr(lock, "_is_owned", bool)():
            lock._at_fork_reinit()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(before=_before_fork, after_in_parent=_imp.release_lock,
                        after_in_child=_after_fork_in_child)
