"""Parts of a large kernel on several threads, each with BLAS on one thread.

What the parts are is for shapes to decide, never for the number of threads: so results have the
same bits on any number of cores. Threads start at first use, and anew after a fork. Where the BLAS
under NumPy cannot be told to use one thread, the caller runs all parts by itself. For kernels only.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from typing import Any

import numpy as np

from tapeflow.base.exception_origin import unsignalled
from tapeflow.base.process.cores import usable_cores
from tapeflow.base.process.locks import new_lock
from tapeflow.core.values.variable_locks import never_writing
from tapeflow.ops._support.blas_threads import one_thread

_state: dict[str, Any] = {}
_starting = new_lock()


def _forget() -> None:
    """In a new process there are no threads yet."""
    _state.clear()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forget)


def count() -> int:
    """How many threads may work at once; 1 if BLAS cannot be kept to one."""
    if "count" not in _state:
        _state["count"] = usable_cores() if one_thread.reaches("numpy") else 1
    return _state["count"]


def _pool() -> Any:
    if "pool" not in _state:
        from concurrent.futures import ThreadPoolExecutor
        with _starting:
            if "pool" not in _state:
                _state["pool"] = ThreadPoolExecutor(count() - 1, "tapeflow-kernel",
                                                     never_writing().__enter__)
    return _state["pool"]


def _asked(work: Callable, helpers: int) -> list:
    """Other threads that will call the function, as soon as they are free."""
    if helpers < 1:
        return []
    try:
        return [_pool().submit(work) for _ in range(helpers)]
    except unsignalled(RuntimeError):  # the interpreter is shutting down
        return []


def share(function: Callable, parts: Iterable) -> None:
    """Call the function for every part, each on whichever thread is free."""
    todo = list(parts)
    helpers = min(count(), len(todo)) - 1
    todo.reverse()

    def work() -> None:
        with np.errstate(all="ignore"):
            while todo:
                try:
                    part = todo.pop()
                except unsignalled(IndexError):  # another thread was quicker
                    return
                function(part)

    with one_thread:
        others = _asked(work, helpers)
        try:
            work()
        finally:
            for other in others:  # who has not begun by now is not waited for
                if not other.cancel():
                    other.result()


def slices(n: int, most: int = 16) -> list[slice]:
    """A batch of n in parts: enough for many threads, and for a slow one to hold up nobody."""
    parts = min(n, most)
    ends = [n * i // parts for i in range(parts + 1)]
    return [slice(a, b) for a, b in zip(ends[:-1], ends[1:], strict=True)]
