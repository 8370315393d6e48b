"""Array functions that NumPy runs element by element, written with ones that it vectorises.

`np.where` branches on every element: with an irregular mask it takes ten to thirty times as long as
masks applied to the bits. `np.log1p` calls the C library for every element, `np.log` does not.
Small arrays, scalars and other dtypes are left to NumPy. For kernels only.
"""

from __future__ import annotations

from typing import Any

import numpy as np

_INTEGERS: dict[int, np.dtype] = {size: np.dtype(f"int{8 * size}") for size in (1, 2, 4, 8)}
_FLOATS = (np.dtype("float32"), np.dtype("float64"))
_SMALL = 2048  # elements below which one call of NumPy's is quicker than several


def _bits(mask: np.ndarray, dtype: np.dtype) -> np.ndarray | None:
    """All bits set where the mask holds, none elsewhere; None where `np.where` serves as well."""
    if type(mask) is not np.ndarray or mask.size < _SMALL or dtype.kind not in "fiuV":
        return None
    bits: np.ndarray = mask.astype(_INTEGERS[dtype.itemsize])
    return np.negative(bits, out=bits)


def keep(x: Any, mask: Any) -> Any:
    """x where the mask holds, else 0: exactly 0 also where x is infinite or NaN."""
    bits = _bits(mask, x.dtype)
    if bits is None:
        return np.where(mask, x, np.zeros((), x.dtype))[()]
    whole = np.asarray(x).view(bits.dtype)
    return np.bitwise_and(whole, bits).view(x.dtype)


def pick(mask: Any, x: Any, y: Any) -> Any:
    """x where the mask holds, else y; both have one dtype."""
    bits = _bits(mask, x.dtype)
    if bits is None:
        result = np.where(mask, x, y)
        return result if result.dtype.kind == "O" else result[()]
    a, b = np.asarray(x).view(bits.dtype), np.asarray(y).view(bits.dtype)
    return (b ^ ((a ^ b) & bits)).view(x.dtype)


def log1p(x: Any) -> Any:
    """log(1 + x) = log(u) + (1 + x - u) / u, where u is 1 + x as rounded; within 5 ulp."""
    if type(x) is not np.ndarray or x.size < _SMALL or x.dtype not in _FLOATS:
        return np.log1p(x)
    u = x + 1
    lost = u - 1
    np.subtract(x, lost, out=lost)
    lost /= u
    defined = np.isfinite(lost)  # not at -1 and infinity, where log(u) is right by itself
    if not defined.all():
        lost[~defined] = 0
    np.log(u, out=u)
    u += lost
    return u
