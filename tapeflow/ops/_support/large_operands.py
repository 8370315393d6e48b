"""Large operands take another way than small ones: native code, or blocks on several threads.

NumPy and SciPy run a function on one core, and a kernel of several steps sends whole arrays through
memory at each. An op that meets the same large sizes again and again is compiled for them, if there
is a compiler; what is not (yet) compiled and costs more than memory does goes through its kernel in
blocks that fit the second cache. `spread()` gives ops such a kernel for large operands;
`ops/__init__.py` calls it when all records are there.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from tapeflow.core.record.lowering_forms import Expand, Pointwise, Reduce, Scan
from tapeflow.core.record.op import BARE, LARGE, OPS, Op, listeners
from tapeflow.core.state import state
from tapeflow.ops._support import kernel_threads

BLOCK = 1 << 15
# Elementwise functions that cost more than memory does.
DEAR = frozenset("""acos acosh asin asinh atan atan2 atanh cos cosh elu erf erfc exp expm1 floordiv
    floormod gelu gelu_tanh log log1p log_sigmoid pow relu6 selu sigmoid sigmoid_cross_entropy silu
    sin sinh softplus tan tanh truncatediv truncatemod xlog1py xlogy
    bessel_i0 bessel_i0e bessel_i1 bessel_i1e bessel_j0 bessel_j1 bessel_k0 bessel_k0e bessel_k1
    bessel_k1e bessel_y0 bessel_y1 dawsn digamma erfinv expint fresnel_cos fresnel_sin igamma
    igammac lgamma ndtri polygamma spence zeta""".split())
# So dear that native code pays for a few elements already.
DEAREST = frozenset("betainc expint igamma igammac polygamma rgb_to_hsv zeta".split())
FEW = 32
# NumPy is as quick as memory, and these are called most.
CHEAP = frozenset("""abs add bitwise_and bitwise_or bitwise_xor cast conj divide equal fill_like
    greater greater_equal less less_equal logical_and logical_not logical_or logical_xor multiply
    negative not_equal square subtract reduce_sum reduce_max reduce_min reduce_mean""".split())
FORMS = (Pointwise, Reduce, Scan, Expand)

# Computes an op natively if that pays, given op, kernel, operands and attributes; set by the layers
# above.
native: Callable | None = None


class Large:
    """An op's kernel on large operands; on small ones it is the ordinary kernel."""

    __slots__ = ("_dear", "_drawn", "_kernel", "_kinds", "_op", "_served")

    def __init__(self, op: Op):
        self._op, self._kernel = op, op.kernel
        self._dear = op.name in DEAR
        self._drawn = op.kind == "random"
        self._served = isinstance(op.lower, FORMS)
        # Whole numbers may be indices that must be looked at, or negative powers.
        whole = op.kind in ("elementwise", "random") and op.name != "pow"
        self._kinds = "fVbciu" if whole else "fVbc"

    def __call__(self, *xs: Any, **attrs: Any) -> Any:
        least = self._op.least
        for x in xs:
            if type(x) is np.ndarray and x.size >= least:
                break
        else:
            if not self._drawn or not _is_large(attrs.get("shape"), least):
                return self._kernel(*xs, **attrs)
        if native is None or not self._served or state.trace is not None or not all(
                type(x) in BARE and x.dtype.kind in self._kinds for x in xs):
            return self._in_blocks(*xs, **attrs)
        return native(self._op, self._in_blocks, xs, attrs)

    def _in_blocks(self, *xs: Any, **attrs: Any) -> Any:
        """By the kernel, a block at a time if that pays: contiguous arrays of one shape."""
        first, kernel = xs[0], self._kernel
        if not self._dear or attrs or not _are_alike(xs) or first.size < 2 * BLOCK:
            with np.errstate(all="ignore"):
                return kernel(*xs, **attrs)
        flat = [x.reshape(-1) for x in xs]
        out = np.empty(first.size, kernel(*[x[:1] for x in flat]).dtype)

        def work(part: slice) -> None:
            out[part] = kernel(*[x[part] for x in flat])

        def fill(part: slice) -> None:
            kernel(*[x[part] for x in flat], out=out[part])

        step = fill if isinstance(kernel, np.ufunc) else work
        parts = [slice(at, min(at + BLOCK, out.size)) for at in range(0, out.size, BLOCK)]
        kernel_threads.share(step, parts)
        return out.reshape(first.shape)


def _are_alike(xs: tuple) -> bool:
    """Whether operands are contiguous arrays of one shape and dtype."""
    first = xs[0]
    return all(type(x) is np.ndarray and x.shape == first.shape and x.dtype == first.dtype
               and x.flags.c_contiguous for x in xs)


def _is_large(shape: Any, least: int) -> bool:
    return type(shape) is tuple and math.prod(shape) >= least


def widen(op: Op) -> None:
    """Give an op its kernel for large operands, if it is to have one."""
    known = isinstance(op.lower, FORMS) and op.name not in CHEAP and not op.multi and (
        not op.stateful and op.kind != "move"
        and not (op.kind == "opaque" and type(op.lower) is Pointwise))
    if known or op.name in DEAR:
        op.large = Large(op)
        op.least = FEW if op.name in DEAREST else LARGE


def spread() -> None:
    """Give ops their kernel for large operands, those too that are defined later."""
    for op in OPS.values():
        widen(op)
    listeners.append(widen)
