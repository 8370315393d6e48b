"""Scalar functions: loops over bytes and numbers, written in a subset of Python, as machine code.

A module of scalar functions is ordinary Python whose functions have annotations of the types in
`scalar_types.py`. `ScalarFunctions("its.name", worthwhile)` stands for the module: `ready(cost)`
adds up what the slow way has cost so far and gives the compiled functions as soon as compiling them
pays, or None. What they compute must be what the slow way computes, to the bit; what they cannot
do, or find damaged, they leave to it. `jit/scalar_functions/README.md` describes the subset. Any
layer may use this.
"""

from __future__ import annotations

import ctypes
import functools
import sys
from collections.abc import Callable
from typing import Any

import numpy as np

from tapeflow.base.settings import settings


def _nothing(module: str) -> Any:
    return None


# The functions of a module, or None where there is no machine code; set by `_wiring.py`.
compile_module: Callable[[str], Any] = _nothing

COMPILING = 50_000.0  # what loading a compiler and a function costs, in microseconds


class ScalarFunctions:
    """The functions of a module, compiled when the slow way has cost as much as that."""

    def __init__(self, module: str, worthwhile: float = COMPILING):
        self._module, self._left = module, worthwhile
        self._functions: Any = None
        self._tried = False

    def ready(self, cost: float) -> Any:
        """The compiled functions, or None; `cost`: microseconds that the slow way takes now."""
        if self._functions is not None and settings.jit != "off":
            return self._functions
        if self._tried or settings.jit == "off":
            return None
        self._left -= cost
        if self._left > 0 and settings.jit != "now":
            return None
        self._tried = True
        self._functions = compile_module(self._module)
        return self._functions


# -- Python's byte strings -------------------------------------------------------------------------
BYTES_TYPE, BYTES_SIZE, BYTES_DATA = 8, 16, 32  # offsets in a bytes object, if they lie so


def bytes_lie_so() -> bool:
    """Whether bytes objects are as machine code expects them here."""
    if sys.implementation.name != "cpython" or sys.byteorder != "little":
        return False
    if not getattr(sys, "_is_gil_enabled", lambda: True)():
        return False
    return (object.__basicsize__, bytes.__basicsize__) == (16, BYTES_DATA + 1)


ARRAY_DATA = 16  # offset of the pointer in an array, if it lies so
_word_at = ctypes.c_size_t.from_address


@functools.cache
def _arrays_lie_so() -> bool:
    if sys.implementation.name != "cpython":
        return False
    arrays = [np.zeros(n) for n in (1, 1000)]
    return all(_word_at(id(one) + ARRAY_DATA).value == one.__array_interface__["data"][0]
               for one in arrays)


def address(array: np.ndarray) -> int:
    """Where the elements of an array lie; the array must outlive the call."""
    if _arrays_lie_so():
        return _word_at(id(array) + ARRAY_DATA).value
    return array.__array_interface__["data"][0]
