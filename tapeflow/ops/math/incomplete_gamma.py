"""Derivatives of the incomplete gamma function P(a, x) in `a`, which SciPy does not have.

Below the bulk of the distribution (x <= 1 or x <= a) the power series of P is summed, above it the
continued fraction of Q = 1 - P; both with truncated Taylor series instead of scalars, so that the
derivatives of any order come along. `jet[k]` is the coefficient of (a' - a)^k. Computed in float64.
Only `ops.special` imports this.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from tapeflow.base.late import library

_TERMS = 20_000  # about 6 sqrt(a) are needed where x is near a
_RESCALE = 2.0 ** 52


def derivative_in_a(a: Any, x: Any, order: int) -> Any:
    """The derivative of P(a, x) of this order: 0 at x = 0, NaN for a <= 0 and x < 0."""
    shape = np.broadcast_shapes(a.shape, x.shape)
    with np.errstate(all="ignore"):
        wide_a, wide_x = (np.broadcast_to(v, shape).astype(np.float64).reshape(-1) for v in (a, x))
        out = np.where((wide_a > 0) & (wide_x >= 0), 0.0, np.nan)  # 0 where a or x is infinite
        out[wide_x == 0] = 0.0
        inside = (wide_a > 0) & (wide_x > 0) & np.isfinite(wide_a) & np.isfinite(wide_x)
        low = inside & ((wide_x <= 1) | (wide_x <= wide_a))
        high = inside & ~low
        out[low] = _series(wide_a[low], wide_x[low], order)[order]
        out[high] = -_fraction(wide_a[high], wide_x[high], order)[order]
        return (out * math.factorial(order)).reshape(shape).astype(x.dtype)[()]


# -- arithmetic of truncated Taylor series ---------------------------------------------------------
def _product(p: np.ndarray, q: np.ndarray) -> np.ndarray:
    return np.stack([sum(p[i] * q[k - i] for i in range(k + 1)) for k in range(len(p))])


def _quotient(p: np.ndarray, q: np.ndarray) -> np.ndarray:
    out: list[Any] = []
    for k in range(len(p)):
        out.append((p[k] - sum(q[i] * out[k - i] for i in range(1, k + 1))) / q[0])
    return np.stack(out)


def _exponential(p: np.ndarray) -> np.ndarray:
    out = [np.exp(p[0])]
    for k in range(1, len(p)):
        out.append(sum(i * p[i] * out[k - i] for i in range(1, k + 1)) / k)
    return np.stack(out)


def _shifted(p: np.ndarray) -> np.ndarray:
    """p times (a' - a)."""
    return np.concatenate([np.zeros_like(p[:1]), p[:-1]])


def _constant(value: Any, like: np.ndarray, order: int) -> np.ndarray:
    jet = np.zeros((order + 1, len(like)))
    jet[0] = value
    return jet


def _prefactor(a: np.ndarray, x: np.ndarray, order: int, shift: int) -> np.ndarray:
    """x^a e^-x / gamma(a + shift)."""
    special = library("scipy.special", "SciPy")
    gammaln, polygamma = special.gammaln, special.polygamma
    jet = [a * np.log(x) - x - gammaln(a + shift)]
    for k in range(1, order + 1):
        jet.append((np.log(x) if k == 1 else 0) - polygamma(k - 1, a + shift) / math.factorial(k))
    return _exponential(np.stack(jet))


# -- the two ways to P -----------------------------------------------------------------------------
def _series(a: np.ndarray, x: np.ndarray, order: int) -> np.ndarray:
    """P = x^a e^-x / gamma(a+1) (c_0 + c_1 + …) with c_0 = 1 and c_n = c_(n-1) x / (a+n)."""
    c = _constant(1.0, a, order)
    total = c.copy()
    for n in range(1, _TERMS):
        c = c * x
        c[0] /= a + n
        for k in range(1, order + 1):
            c[k] = (c[k] - c[k - 1]) / (a + n)
        total += c
        if np.all(np.abs(c) <= 1e-17 * np.abs(total[0])):
            break
    return _product(_prefactor(a, x, order, 1), total)


def _fraction(a: np.ndarray, x: np.ndarray, order: int) -> np.ndarray:
    """Q = x^a e^-x / gamma(a) p/q, with convergents p/q of Legendre's continued fraction."""
    y = 1 - a
    z = x + y + 1  # both fall by 1 where a grows by 1
    p0, q0 = _constant(1.0, a, order), _constant(x, a, order)
    p1 = _constant(x + 1, a, order)
    q1 = q0 * z - _shifted(q0)
    f = _quotient(p1, q1)
    for n in range(1, _TERMS):
        y, z = y + 1, z + 2
        p2 = p1 * z - _shifted(p1) - n * (p0 * y - _shifted(p0))
        q2 = q1 * z - _shifted(q1) - n * (q0 * y - _shifted(q0))
        before, f = f, _quotient(p2, q2)
        scale = np.where(np.abs(p2[0]) > _RESCALE, 1 / _RESCALE, 1.0)
        p0, q0, p1, q1 = p1 * scale, q1 * scale, p2 * scale, q2 * scale
        if np.all(np.abs(f - before) <= 1e-15 * np.abs(f).sum(axis=0)):
            break
    return _product(_prefactor(a, x, order, 0), f)
