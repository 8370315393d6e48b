"""Parts of a large kernel on several threads, each with BLAS on one thread.

BLAS's own threads wait for each other at every product: on a busy machine that takes several times
as long as no threads at all, and what lies between the products runs on one core. Here threads take
whole parts of a batch. They start at first use, and anew after a fork. Where the BLAS under NumPy
cannot be told to use one thread, the caller runs the whole by itself. For kernels only.
"""

from __future__ import annotations

import os
import sys
import threading
from collections.abc import Callable, Iterable
from typing import Any

import numpy as np


class _Blas:
    """The number of threads of the OpenBLAS of NumPy or SciPy; 1 while anyone works."""

    def __init__(self, owner: str = "numpy") -> None:
        self._lock, self._users, self._before = threading.Lock(), 0, 1
        self._get, self._set = self._functions(owner) or (None, None)

    @staticmethod
    def _functions(owner: str) -> tuple | None:
        import ctypes
        import pathlib
        folder = pathlib.Path(np.__file__).parent.parent / f"{owner}.libs"
        for path in folder.glob("*openblas*"):
            library = ctypes.CDLL(str(path))
            for prefix in ("scipy_openblas", "openblas"):
                for suffix in ("64_", ""):
                    names = [f"{prefix}_{verb}_num_threads{suffix}" for verb in ("get", "set")]
                    if all(hasattr(library, name) for name in names):
                        return tuple([getattr(library, name) for name in names])
        return None

    def available(self) -> bool:
        return self._set is not None

    def __enter__(self) -> None:
        with self._lock:
            if not self._users:
                self._before = self._get()  # type: ignore[misc]
                self._set(1)  # type: ignore[misc]
            self._users += 1

    def __exit__(self, *exc: Any) -> None:
        with self._lock:
            self._users -= 1
            if not self._users:
                self._set(self._before)  # type: ignore[misc]


_state: dict[str, Any] = {}
_starting = threading.Lock()


def _forget() -> None:
    """In a new process there are no threads yet."""
    global _starting
    _state.clear()
    _starting = threading.Lock()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forget)


def count() -> int:
    """How many threads may work at once; 1 if BLAS cannot be kept to one."""
    if "count" not in _state:
        with _starting:
            cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else (
                os.cpu_count() or 1)
            _state["blas"] = _Blas()
            _state["count"] = cores if _state["blas"].available() else 1
    return _state["count"]


class _Both:
    """NumPy's and SciPy's, which has one of its own."""

    def __enter__(self) -> None:
        _state["blas"].__enter__()
        if _state["scipy"].available():
            _state["scipy"].__enter__()

    def __exit__(self, *exc: Any) -> None:
        if _state["scipy"].available():
            _state["scipy"].__exit__()
        _state["blas"].__exit__()


class _Nothing:
    def __enter__(self) -> None:
        pass

    def __exit__(self, *exc: Any) -> None:
        pass


_NOTHING, _BOTH = _Nothing(), _Both()
# Smaller matrices BLAS does by itself on one thread; for larger ones its threads are worth it.
_ALONE = range(33, 641)


# Products of so many multiplications take BLAS's threads less time than waiting for each other may,
# as soon as another program runs: a training step was twenty times as slow then.
PRODUCTS_ALONE = range(1 << 18, 1 << 24)


def one_thread() -> Any:
    """A context in which NumPy's BLAS keeps to one thread."""
    return _state["blas"] if count() > 1 else _NOTHING


def alone(side: int) -> Any:
    """A context in which BLAS keeps to one thread, if matrices of this side are better off so."""
    if side not in _ALONE or count() < 2:
        return _NOTHING
    if "scipy.linalg" not in sys.modules:
        return _state["blas"]
    if "scipy" not in _state:
        _state["scipy"] = _Blas("scipy")
    return _BOTH


def _pool() -> Any:
    if "pool" not in _state:
        from concurrent.futures import ThreadPoolExecutor
        with _starting:
            if "pool" not in _state:
                _state["pool"] = ThreadPoolExecutor(_state["count"] - 1, "tapeflow-kernel")
    return _state["pool"]


def share(function: Callable, parts: Iterable) -> None:
    """Call the function for every part, each on whichever thread is free."""
    queue = iter(list(parts))
    lock = threading.Lock()

    def work() -> None:
        with np.errstate(all="ignore"):
            while True:
                with lock:
                    part = next(queue, None)
                if part is None:
                    return
                function(part)

    helpers = count() - 1
    pool = _pool()
    with _state["blas"]:
        others = [pool.submit(work) for _ in range(helpers)]
        try:
            work()
        finally:
            for other in others:
                other.result()


def slices(n: int, each: int = 4) -> list[slice]:
    """A batch of n in parts: a few for each thread, so that a slow one holds up nobody."""
    parts = min(n, each * count())
    ends = [n * i // parts for i in range(parts + 1)]
    return [slice(a, b) for a, b in zip(ends[:-1], ends[1:], strict=True)]
