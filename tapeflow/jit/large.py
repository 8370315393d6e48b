"""Native code for elementwise ops on large eager arrays, a block at a time.

An op is compiled for a block of a fixed size and dtype, once, whatever the shapes of arrays are.
`ops/spreading.py` asks for it when an op has met large arrays often; it stays with NumPy if native
code is not quicker. Nothing else imports this.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import numpy as np

from tapeflow.base import dtypes
from tapeflow.base.specs import TensorSpec
from tapeflow.core import state as states
from tapeflow.core.op import Op
from tapeflow.core.tensor import wrap
from tapeflow.graph.function import function


def native_block(op: Op, dtype: np.dtype, size: int) -> Callable | None:
    """A function on `size` numbers that is quicker than the op's kernel; None if there is none."""
    samples = [np.linspace(0.1, 0.9, size, dtype=dtype)] * len(op.args)
    specs = [TensorSpec((size,), dtypes.of(dtype))] * len(op.args)

    def run(*xs: Any) -> Any:
        with states.only(()):
            return compiled(*[wrap(x) for x in xs])._value

    try:
        # A concrete function stays compiled also where functions are told to run eagerly.
        with states.only(()):
            compiled = function(lambda *xs: op.call(*xs), autograph=False,
                                jit_compile=True).get_concrete_function(*specs)
        run(*samples)
    except Exception:
        return None  # it has no native form, or there is no compiler here
    return run if _least(run, samples) < _least(op.kernel, samples) else None


def _least(kernel: Callable, samples: list) -> float:
    found = []
    with np.errstate(all="ignore"):
        for _ in range(5):
            start = time.perf_counter()
            kernel(*samples)
            found.append(time.perf_counter() - start)
    return min(found)
