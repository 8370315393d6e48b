"""The derivative of the incomplete gamma function P(a, x) in `a`, which SciPy does not have.

Below the bulk of the distribution (x <= 1 or x <= a) the power series of P is differentiated term
by term; above it the continued fraction of Q = 1 - P. Computed in float64. Only `ops.special`
imports this.
"""

from __future__ import annotations

from typing import Any

import numpy as np

_TERMS = 20_000  # about 6 sqrt(a) are needed where x is near a
_TINY = 1e-17
_RESCALE = 2.0 ** 52


def derivative_in_a(a: Any, x: Any) -> Any:
    """dP(a, x)/da: 0 at x = 0, NaN for a <= 0 and x < 0."""
    dtype, shape = x.dtype, np.broadcast_shapes(a.shape, x.shape)
    with np.errstate(all="ignore"):
        wide_a, wide_x = (np.broadcast_to(v, shape).astype(np.float64).reshape(-1) for v in (a, x))
        out = np.where((wide_a > 0) & (wide_x >= 0), 0.0, np.nan)  # 0 where a or x is infinite
        out[np.isinf(wide_x) & np.isinf(wide_a) & (wide_a > 0)] = 0.0
        out[wide_x == 0] = 0.0
        inside = (wide_a > 0) & (wide_x > 0) & np.isfinite(wide_a) & np.isfinite(wide_x)
        low = inside & ((wide_x <= 1) | (wide_x <= wide_a))
        high = inside & ~low
        out[low] = _by_series(wide_a[low], wide_x[low])
        out[high] = _by_fraction(wide_a[high], wide_x[high])
        return out.reshape(shape).astype(dtype)[()]


def _by_series(a: np.ndarray, x: np.ndarray) -> np.ndarray:
    """P = x^a e^-x / gamma(a+1) S with S = sum of c_n, c_n = c_(n-1) x / (a+n)."""
    from scipy.special import gammaln, psi
    c, dc = np.ones_like(a), np.zeros_like(a)
    total, dtotal = c.copy(), dc.copy()
    for n in range(1, _TERMS):
        ratio = x / (a + n)
        dc = (dc - c / (a + n)) * ratio
        c = c * ratio
        total += c
        dtotal += dc
        if np.all((c <= _TINY * total) & (np.abs(dc) <= _TINY * np.abs(dtotal))):
            break
    factor = np.exp(a * np.log(x) - x - gammaln(a + 1))
    return factor * ((np.log(x) - psi(a + 1)) * total + dtotal)


def _by_fraction(a: np.ndarray, x: np.ndarray) -> np.ndarray:
    """Q = x^a e^-x / gamma(a) F with the continued fraction F = p/q, and dF/da along with it."""
    from scipy.special import gammaln, psi
    y = 1 - a
    z = x + y + 1
    # Two last convergents p/q, and their derivatives in a.
    p0, q0, p1, q1 = np.ones_like(x), x.copy(), x + 1, z * x
    dp0, dq0, dp1, dq1 = np.zeros_like(x), np.zeros_like(x), np.zeros_like(x), -x
    f = p1 / q1
    df = (dp1 - f * dq1) / q1
    for n in range(1, _TERMS):
        y = y + 1
        z = z + 2
        yn, dyn = y * n, -float(n)  # dy/da = dz/da = -1
        p2, q2 = p1 * z - p0 * yn, q1 * z - q0 * yn
        dp2 = dp1 * z - p1 - dp0 * yn - p0 * dyn
        dq2 = dq1 * z - q1 - dq0 * yn - q0 * dyn
        before, dbefore = f, df
        f = p2 / q2
        df = (dp2 - f * dq2) / q2
        p0, q0, dp0, dq0, p1, q1, dp1, dq1 = p1, q1, dp1, dq1, p2, q2, dp2, dq2
        big = np.where(np.abs(p1) > _RESCALE, 1 / _RESCALE, 1.0)
        p0, q0, dp0, dq0, p1, q1, dp1, dq1 = (v * big for v in (p0, q0, dp0, dq0, p1, q1, dp1, dq1))
        if np.all((np.abs(f - before) <= 1e-16 * np.abs(f))
                  & (np.abs(df - dbefore) <= 1e-15 * np.abs(df))):
            break
    factor = np.exp(a * np.log(x) - x - gammaln(a))
    return -factor * ((np.log(x) - psi(a)) * f + df)
