"""Kernels that compute half precision in float32, and kernels that SciPy has.

NumPy promotes bfloat16 with a Python float to float32, and SciPy knows neither half type. Kernels
made here give back the dtype that they got. May be imported by the records of `ops`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from tapeflow.base.late import library

_FLOAT32 = np.dtype("float32")


def is_half(dtype: np.dtype) -> bool:
    """float16 or bfloat16."""
    return dtype.itemsize == 2 and dtype.kind in "fV"


def lowest_half(dtype: np.dtype) -> np.floating:
    """The lowest finite number of float16 or bfloat16, as float32."""
    if dtype.kind == "f":
        return np.float32(np.finfo(dtype).min)
    import ml_dtypes
    return np.float32(ml_dtypes.finfo(dtype).min)


def float32_kernel(kernel: Callable) -> Callable:
    """The kernel with float16 and bfloat16 operands computed in float32."""

    def run(*xs, **attrs):
        dtype = xs[0].dtype
        if dtype is _FLOAT32 or not is_half(dtype):
            return kernel(*xs, **attrs)
        return kernel(*[x.astype(_FLOAT32) for x in xs], **attrs).astype(dtype)

    return run


def from_scipy(name: str) -> Callable:
    """The kernel `scipy.special.<name>`; SciPy is imported when it is first called."""
    function: Any = None

    def run(*xs):
        nonlocal function
        if function is None:
            function = getattr(library("scipy.special", "SciPy"), name)
        return function(*xs)

    return float32_kernel(run)
