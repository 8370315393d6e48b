"""BLAS on one thread, for as long as a kernel works.

With several threads BLAS adds in another order, so the last bits of products and factorisations
depend on the number of cores, and its threads wait for each other: on a busy machine a small solve
takes a hundred times as long as on one thread. Kernels that reach BLAS or LAPACK run inside
`one_thread`; what is worth several cores is shared out by `kernel_threads`, in parts that only
shapes decide. NumPy and SciPy each bring a BLAS of their own, with threads of its own: both are
kept to one. The setting is the process's, so it is put back when the last kernel is done. May be
imported by `ops`.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from tapeflow.base.exception_origin import unsignalled
from tapeflow.base.late import library

# Functions that tell and set the number of threads: of NumPy's and SciPy's wheels, other builds of
# OpenBLAS, MKL, BLIS.
_CONTROLS = (
    ("scipy_openblas_get_num_threads64_", "scipy_openblas_set_num_threads64_"),
    ("scipy_openblas_get_num_threads", "scipy_openblas_set_num_threads"),
    ("openblas_get_num_threads64_", "openblas_set_num_threads64_"),
    ("openblas_get_num_threads", "openblas_set_num_threads"),
    ("MKL_Get_Max_Threads", "MKL_Set_Num_Threads"),
    ("bli_thread_get_num_threads", "bli_thread_set_num_threads"),
)


def _libraries(owner: str) -> Iterator[str]:
    """Files through which the BLAS under NumPy or SciPy may be reached.

    An extension module that is linked with it leads to it, wherever it lies; where the system does
    not look a symbol up in what a file is linked with (Windows), the wheel's own folder does.
    """
    if owner == "numpy":
        from numpy._core import _multiarray_umath as module  # type: ignore[attr-defined]
    else:
        from scipy.linalg import _fblas as module
    yield module.__file__
    import glob
    site = os.path.dirname(os.path.dirname(np.__file__))
    yield from glob.glob(os.path.join(glob.escape(site), f"{owner}.libs", "*openblas*"))


def _controls(owner: str) -> tuple[Callable, Callable] | None:
    """The functions that tell and set the number of threads of this BLAS; None if it has none."""
    import ctypes
    for path in _libraries(owner):
        try:
            library = ctypes.PyDLL(path)  # keeps the interpreter's lock: these return at once
        except unsignalled(OSError):
            continue
        for get, change in _CONTROLS:
            if hasattr(library, get) and hasattr(library, change):
                return getattr(library, get), getattr(library, change)
    return None


class _OneThread:
    """A context in which BLAS keeps to one thread; any number of kernels may be inside."""

    def __init__(self) -> None:
        self._lock, self._users = threading.Lock(), 0
        self._known: dict[str, bool] = {}
        self._controls: list[tuple[Callable, Callable]] = []
        self._before: list[tuple[Callable, int]] = []

    def reaches(self, owner: str) -> bool:
        """Whether the number of threads of this BLAS ('numpy' or 'scipy') can be set."""
        if owner not in self._known:
            with self._lock:
                if owner not in self._known:
                    found = _controls(owner)
                    if found is not None:
                        self._controls.append(found)
                        if self._users:
                            self._limit(*found)
                    self._known[owner] = found is not None
        return self._known[owner]

    def _limit(self, get: Callable, change: Callable) -> None:
        threads = get()
        if threads != 1:
            self._before.append((change, threads))
            change(1)

    def _restore(self) -> None:
        while self._before:
            change, threads = self._before.pop()
            change(threads)

    def __enter__(self) -> None:
        if "numpy" not in self._known:
            self.reaches("numpy")
        with self._lock:
            if not self._users:
                for get, change in self._controls:
                    self._limit(get, change)
            self._users += 1

    def __exit__(self, *exc: Any) -> None:
        with self._lock:
            self._users -= 1
            if not self._users:
                self._restore()

    def after_fork(self) -> None:
        """In the child nobody is inside, whatever its parent's other threads were doing."""
        self._lock, self._users = threading.Lock(), 0
        self._restore()


one_thread = _OneThread()

if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=one_thread.after_fork)


def scipy_linalg() -> Any:
    """The module scipy.linalg, whose BLAS is from now on kept to one thread too."""
    found = library("scipy.linalg", "SciPy")
    one_thread.reaches("scipy")
    return found
