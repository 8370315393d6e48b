"""Large operands take another way than small ones: native code, or blocks on several threads.

NumPy and SciPy run a function on one core, and a kernel of several steps sends whole arrays through
memory at each. An op that meets the same large sizes again and again is compiled for them, if there
is a compiler; what is not (yet) compiled and costs more than memory does goes through its kernel in
blocks that fit the second cache. `install()` gives ops such a kernel for large operands;
`ops/__init__.py` calls it when all records are there.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from tapeflow.core.record.lowering_forms import Expand, Pointwise, Reduce, Scan
from tapeflow.core.record.op import (
    BARE,
    CHEAP,
    EXPENSIVE,
    LARGE,
    VERY_EXPENSIVE,
    Op,
    observe_ops,
)
from tapeflow.core.state import state
from tapeflow.ops._support import kernel_threads

CACHE_BLOCK = 1 << 15  # elements that fit the second cache
NATIVE_FROM = 32  # elements from which on an op that is very expensive is compiled
FORMS = (Pointwise, Reduce, Scan, Expand)

# Computes an op natively if that pays, given op, kernel, operands and attributes; set by the layers
# above.
native: Callable | None = None
# The same for convolutions and pools, which take it when they are loaded.
native_window: Callable | None = None


class Large:
    """An op's kernel on large operands; on small ones it is the ordinary kernel."""

    __slots__ = ("_drawn", "_expensive", "_kernel", "_op", "_served")

    def __init__(self, op: Op):
        self._op, self._kernel = op, op.kernel
        self._expensive = op.cost >= EXPENSIVE and op.kind == "elementwise"
        self._drawn = op.kind == "random"
        self._served = isinstance(op.lower, FORMS)

    def __call__(self, *xs: Any, **attrs: Any) -> Any:
        least = self._op.least
        for x in xs:
            if type(x) is np.ndarray and x.size >= least:
                break
        else:
            if not self._drawn or not _is_large(attrs.get("shape"), least):
                return self._kernel(*xs, **attrs)
        if native is None or not self._served or state.trace is not None or not all(
                type(x) in BARE and x.dtype.kind in self._native_kinds() for x in xs):
            return self._in_blocks(*xs, **attrs)
        return native(self._op, self._in_blocks, xs, attrs)

    def _native_kinds(self) -> str:
        """Of most ops integers may be indices, which the kernel checks and native code does not."""
        op = self._op
        whole = op.kind in ("elementwise", "random") and not op.traits.checks_integers
        return "fVbciu" if whole else "fVbc"

    def _in_blocks(self, *xs: Any, **attrs: Any) -> Any:
        """By the kernel, a block at a time if that pays: contiguous arrays of one shape."""
        first, kernel = xs[0], self._kernel
        if not self._expensive or attrs or not _are_alike(xs) or first.size < 2 * CACHE_BLOCK:
            with np.errstate(all="ignore"):
                return kernel(*xs, **attrs)
        flat = [x.reshape(-1) for x in xs]
        out = np.empty(first.size, kernel(*[x[:1] for x in flat]).dtype)

        def work(part: slice) -> None:
            out[part] = kernel(*[x[part] for x in flat])

        def fill(part: slice) -> None:
            kernel(*[x[part] for x in flat], out=out[part])

        step = fill if isinstance(kernel, np.ufunc) else work
        parts = [slice(at, min(at + CACHE_BLOCK, out.size))
                 for at in range(0, out.size, CACHE_BLOCK)]
        kernel_threads.share(step, parts)
        return out.reshape(first.shape)


def _are_alike(xs: tuple) -> bool:
    """Whether operands are contiguous arrays of one shape and dtype."""
    first = xs[0]
    return all(type(x) is np.ndarray and x.shape == first.shape and x.dtype == first.dtype
               and x.flags.c_contiguous for x in xs)


def _is_large(shape: Any, least: int) -> bool:
    return type(shape) is tuple and math.prod(shape) >= least


def add_large_kernel(op: Op) -> None:
    """Give an op its kernel for large operands, if it is to have one."""
    served = isinstance(op.lower, FORMS) and op.cost > CHEAP and not op.multi and (
        not op.stateful and op.kind != "move"
        and not (op.kind == "opaque" and type(op.lower) is Pointwise))
    if served or op.cost >= EXPENSIVE:
        op.large = Large(op)
        op.least = NATIVE_FROM if op.cost >= VERY_EXPENSIVE else LARGE


def install() -> None:
    """Give ops their kernel for large operands, those too that are defined later."""
    observe_ops(add_large_kernel)
