"""Large arrays through elementwise kernels in blocks, on several threads.

NumPy and SciPy run a function on one core, and a kernel of several steps sends whole arrays through
memory at each. Blocks that fit the second cache mend both. An op that meets large arrays often is
compiled for blocks of a fixed size, if there is a compiler. `spread()` gives ops such a kernel for
large arrays; `ops/__init__.py` calls it when all records are there.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

import numpy as np

from tapeflow.core.op import OPS, Op
from tapeflow.core.state import state
from tapeflow.ops import workers

BLOCK = 1 << 15
# Functions that cost more than memory does.
DEAR = """acos acosh asin asinh atan atanh cos cosh elu erf erfc exp expm1 gelu gelu_tanh log log1p
    log_sigmoid relu6 selu sigmoid silu sin sinh softplus tan tanh""".split()
SPECIAL = """bessel_i0 bessel_i0e bessel_i1 bessel_i1e bessel_j0 bessel_j1 bessel_k0 bessel_k0e
    bessel_k1 bessel_k1e bessel_y0 bessel_y1 dawsn digamma erfinv expint fresnel_cos fresnel_sin
    lgamma ndtri spence""".split()
PAIRS = """atan2 floormod pow sigmoid_cross_entropy xlogy xlog1py igamma igammac polygamma
    zeta""".split()


# Compiles an op for blocks of a size, given op, dtype and size; set by the layers above.
native: Callable | None = None
OFTEN = 2  # large arrays that an op meets before it is compiled
NATIVE_BLOCKS = (1 << 18, 1 << 15)


def _parts(start: int, end: int, size: int) -> list[slice]:
    return [slice(at, min(at + size, end)) for at in range(start, end, size)]


class Blockwise:
    """An op's kernel on one contiguous array, or on two of one shape, block by block."""

    __slots__ = ("_compiled", "_lock", "_met", "_op")

    def __init__(self, op: Op):
        self._op = op
        self._met = 0
        self._compiled: dict[Any, Callable | None] = {}
        self._lock = threading.Lock()

    def __call__(self, *xs: Any) -> Any:
        first, kernel = xs[0], self._op.kernel
        alike = all(x.shape == first.shape and x.dtype == first.dtype for x in xs[1:])
        if not alike or not all(x.flags.c_contiguous for x in xs):
            return kernel(*xs)
        self._met += 1
        flat = [x.reshape(-1) for x in xs]
        if native is not None and self._met > OFTEN and state.trace is None and (
                first.dtype.kind == "f" and first.itemsize > 2):
            result = self._natively(flat)
            if result is not None:
                return result.reshape(first.shape)
        if first.size < 2 * BLOCK:
            return kernel(*xs)
        return self._by_numpy(flat).reshape(first.shape)

    def _by_numpy(self, flat: list) -> Any:
        kernel = self._op.kernel
        out = np.empty(flat[0].shape, kernel(*[x[:1] for x in flat]).dtype)

        def work(part: slice) -> None:
            out[part] = kernel(*[x[part] for x in flat])

        def fill(part: slice) -> None:
            kernel(*[x[part] for x in flat], out=out[part])

        step = fill if isinstance(kernel, np.ufunc) else work
        parts = _parts(0, out.size, BLOCK)
        if workers.count() > 1:
            workers.share(step, parts)
        else:
            for part in parts:
                step(part)
        return out

    def _natively(self, flat: list) -> Any:
        """The result by native blocks, the rest by NumPy; None if there is no native code."""
        if self._block(flat[0].dtype, NATIVE_BLOCKS[-1]) is None:
            return None
        out = np.empty(flat[0].shape, flat[0].dtype)
        done, size = 0, out.size
        for count in NATIVE_BLOCKS:
            block = self._block(out.dtype, count) if size - done >= count else None
            if block is None:
                continue
            end = done + (size - done) // count * count
            for part in _parts(done, end, count):
                out[part] = block(*[x[part] for x in flat])
            done = end
        if done < size:
            out[done:] = self._op.kernel(*[x[done:] for x in flat])
        return out

    def _block(self, dtype: np.dtype, size: int) -> Callable | None:
        key = (dtype, size)
        if key not in self._compiled:
            with self._lock:
                if key not in self._compiled:
                    self._compiled[key] = None  # while it is compiled the kernel serves
                    self._compiled[key] = native(self._op, dtype, size)  # type: ignore[misc]
        return self._compiled[key]


def spread() -> None:
    """Give the dear ops their kernel for large arrays."""
    for name in (*DEAR, *SPECIAL, *PAIRS):
        OPS[name].large = Blockwise(OPS[name])
