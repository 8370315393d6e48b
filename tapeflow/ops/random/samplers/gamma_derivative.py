"""Implicit derivatives of samples: of a gamma sample by alpha, of a truncated normal by its bounds.

A sample x of a distribution with parameter a moves so that its distribution function stays:
dx/da = -(dF/da) / (dF/dx). May be imported by the records of this package; SciPy comes in at the
first call.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from tapeflow.base.late import library

_ITERATIONS = 500
_EPSILON = np.finfo(np.float64).eps / 2
_BIG = 2.0**52


def sample_derivative(alpha: Any, sample: Any) -> Any:
    """dx/da for x ~ Gamma(a, 1); 0 at x = 0, NaN outside the domain. In the operands' dtype."""
    dtype = sample.dtype
    a, x = np.broadcast_arrays(np.asarray(alpha, np.float64), np.asarray(sample, np.float64))
    out = np.full(a.shape, np.nan)
    with np.errstate(all="ignore"):
        valid = (a > 0) & (x > 0)
        tail = valid & (x > 1) & (x > a) & np.isfinite(x)
        out[(x == 0) | (x == np.inf)] = 0.0
        out[np.isnan(a)] = np.nan
        body = valid & ~tail & np.isfinite(x)
        out[body] = _by_series(a[body], x[body])
        out[tail] = _by_fraction(a[tail], x[tail])
        out[valid & np.isfinite(x) & _vanishes(a, x, dtype)] = 0.0
        result = out.astype(dtype)
    return result if result.ndim else result[()]


def _digamma(a: np.ndarray) -> np.ndarray:
    return library("scipy.special", "SciPy").digamma(a)


def _vanishes(a: np.ndarray, x: np.ndarray, dtype: np.dtype) -> np.ndarray:
    """Where x^a e^-x / Gamma(a) underflows in the dtype TensorFlow computes in, it takes 0."""
    gammaln = library("scipy.special", "SciPy").gammaln
    highest = np.finfo(np.float64 if dtype.itemsize == 8 else np.float32).max
    log = a * np.log(x) - x - gammaln(a)
    return (log < -np.log(float(highest))) | np.isnan(log)


def _by_series(a: np.ndarray, x: np.ndarray) -> np.ndarray:
    """Power series of the incomplete gamma function, differentiated term by term."""
    r, c, total = a.copy(), np.ones_like(a), np.ones_like(a)
    dc, dtotal = np.zeros_like(a), np.zeros_like(a)
    going = np.arange(a.size)
    for _ in range(_ITERATIONS):
        r[going] += 1.0
        xi, ri = x[going], r[going]
        dc[going] = xi / ri * dc[going] - xi / (ri * ri) * c[going]
        dtotal[going] += dc[going]
        c[going] *= xi / ri
        total[going] += c[going]
        going = going[~(np.abs(dc[going]) <= _EPSILON * np.abs(dtotal[going]))]
        if not going.size:
            break
    slope = np.log(x) - _digamma(a + 1.0)
    return -(dtotal + total * slope) * x / a


def _by_fraction(a: np.ndarray, x: np.ndarray) -> np.ndarray:
    """Continued fraction of the complement, numerators and denominators with their derivatives."""
    y, z, c = 1.0 - a, x - a + 2.0, 0.0
    p2, q2, p1, q1 = np.ones_like(a), x.copy(), x + 1.0, z * x
    dp2, dq2, dp1, dq1 = np.zeros_like(a), np.zeros_like(a), np.zeros_like(a), -x
    value = p1 / q1
    slope = (dp1 - value * dq1) / q1
    going = np.ones(a.shape, bool)
    for _ in range(_ITERATIONS):
        c += 1.0
        y, z = y + 1.0, z + 2.0
        yc = y * c
        p, q = p1 * z - p2 * yc, q1 * z - q2 * yc
        dp = dp1 * z - p1 - dp2 * yc + p2 * c
        dq = dq1 * z - q1 - dq2 * yc + q2 * c
        use = going & (q != 0)
        now = np.where(use, p / q, value)
        steep = np.where(use, (dp - now * dq) / q, slope)
        going = going & ~(use & (np.abs(steep - slope) <= _EPSILON))
        value, slope = now, steep
        if not going.any():
            break
        scale = np.where(np.abs(p) > _BIG, 1 / _BIG, 1.0)
        p2, p1, q2, q1 = p1 * scale, p * scale, q1 * scale, q * scale
        dp2, dp1, dq2, dq1 = dp1 * scale, dp * scale, dq1 * scale, dq * scale
    return (slope + value * (np.log(x) - _digamma(a))) * x


def bound_derivatives(sample: Any, low: Any, high: Any) -> tuple[Any, Any]:
    """How a truncated normal sample moves with its lower and upper bound, all standardised."""
    ndtr = library("scipy.special", "SciPy").ndtr
    dtype = sample.dtype
    info = np.finfo(dtype)
    z, a, b = (np.asarray(v, np.float64) for v in (sample, low, high))
    with np.errstate(all="ignore"):
        quantile = (ndtr(z) - ndtr(a)) / (ndtr(b) - ndtr(a))
        quantile = np.clip(quantile, float(info.tiny), 1 - float(info.eps))
        to_low = np.exp(0.5 * (z * z - a * a) + np.log1p(-quantile)).astype(dtype)
        to_high = np.exp(0.5 * (z * z - b * b) + np.log(quantile)).astype(dtype)
    if not to_low.ndim:
        return to_low[()], to_high[()]
    return to_low, to_high
