"""Large arrays through elementwise kernels in blocks, on several threads.

NumPy and SciPy run a function on one core, and a kernel of several steps sends whole arrays through
memory at each. Blocks that fit the second cache mend both. `spread()` gives ops such a kernel for
large arrays; `ops/__init__.py` calls it when all records are there.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from tapeflow.core.op import OPS
from tapeflow.ops import workers

BLOCK = 1 << 15
# Functions that cost more than memory does.
DEAR = """acos acosh asin asinh atan atanh cos cosh elu erf erfc exp expm1 gelu gelu_tanh log log1p
    log_sigmoid selu sigmoid silu sin sinh softplus tan tanh""".split()
SPECIAL = """bessel_i0 bessel_i0e bessel_i1 bessel_i1e bessel_j0 bessel_j1 bessel_k0 bessel_k0e
    bessel_k1 bessel_k1e bessel_y0 bessel_y1 dawsn digamma erfinv expint fresnel_cos fresnel_sin
    lgamma ndtri spence""".split()
PAIRS = "atan2 pow xlogy xlog1py xdivy igamma igammac polygamma zeta".split()


def _blocks(size: int) -> list[slice]:
    return [slice(start, min(start + BLOCK, size)) for start in range(0, size, BLOCK)]


def blockwise(kernel: Callable) -> Callable:
    """The kernel on one contiguous array, or two of one shape, block by block."""

    def run(*xs: Any) -> Any:
        first = xs[0]
        alike = all(x.shape == first.shape and x.dtype == first.dtype for x in xs[1:])
        if not alike or not all(x.flags.c_contiguous for x in xs):
            return kernel(*xs)
        flat = [x.reshape(-1) for x in xs]
        out = np.empty(flat[0].shape, kernel(*[x[:1] for x in flat]).dtype)

        def work(part: slice) -> None:
            out[part] = kernel(*[x[part] for x in flat])

        def fill(part: slice) -> None:
            kernel(*[x[part] for x in flat], out=out[part])

        step = fill if isinstance(kernel, np.ufunc) else work
        if workers.count() > 1:
            workers.share(step, _blocks(out.size))
        else:
            for part in _blocks(out.size):
                step(part)
        return out.reshape(first.shape)

    return run


def spread() -> None:
    """Give the dear ops their kernel for large arrays."""
    for name in (*DEAR, *SPECIAL, *PAIRS):
        op = OPS[name]
        op.large = blockwise(op.kernel)
