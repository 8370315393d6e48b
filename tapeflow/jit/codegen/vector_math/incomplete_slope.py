"""The derivative of the incomplete gamma function P(a, x) in a.

The series and the continued fraction of `incomplete` with the derivatives of their terms beside
them; the density's is log(x) - digamma(a) times itself.
"""

from __future__ import annotations

from typing import Any

from tapeflow.jit.codegen.vector_math.chebyshev import in_lengths
from tapeflow.jit.codegen.vector_math.erf_gamma import digamma
from tapeflow.jit.codegen.vector_math.exp_log import log
from tapeflow.jit.codegen.vector_math.incomplete import HUGE, _gamma_density, _precision, _sane
from tapeflow.jit.codegen.vector_math.maths import Maths, Num, function

ITERATIONS_MAX = 5000  # of four terms: about 6 sqrt(a) terms are needed where x is near a


def _series(m: Maths, a: Num, x: Num, least: float) -> tuple[Any, Any]:
    """1 + x / (a + 1) + x² / ((a + 1) (a + 2)) + … and its derivative."""

    def step(r: Num, term: Num, slope: Num, total: Num, steep: Num) -> list:
        for _ in range(4):
            r = r + 1.0
            inverse = 1.0 / r
            term = term * x * inverse
            slope = m.fma(slope, x, -term) * inverse
            total, steep = total + term, steep + slope
        return [r, term, slope, total, steep]

    def going(r: Num, term: Num, slope: Num, total: Num, steep: Num) -> Any:
        end = total * least
        return (term > end) | (abs(slope) > end)

    zero, one = m.const(0.0, x), m.const(1.0, x)
    found = m.iterate(going, step, a, one, zero, one, zero, most=ITERATIONS_MAX)
    return found[3], found[4]


def _fraction(m: Maths, a: Num, x: Num, least: float) -> tuple[Any, Any]:
    """Legendre's continued fraction and its derivative: numerators p, denominators q."""

    def step(n: Num, *state: Num) -> list:
        p, q, dp, dq, last_p, last_q, last_dp, last_dq, value, slope, change = state
        for _ in range(4):
            n = n + 1.0
            weight, rest = n * (n - a), (x - a) + (n + n + 1.0)
            dp, last_dp = (m.fma(dp, rest, -p)) - m.fma(last_dp, weight, -(n * last_p)), dp
            dq, last_dq = (m.fma(dq, rest, -q)) - m.fma(last_dq, weight, -(n * last_q)), dq
            p, last_p = m.fma(p, rest, -(last_p * weight)), p
            q, last_q = m.fma(q, rest, -(last_q * weight)), q
        scale = m.choose(abs(q) > HUGE, 1 / HUGE, m.const(1.0, x))
        sums = [one * scale for one in (p, q, dp, dq, last_p, last_q, last_dp, last_dq)]
        inverse = 1.0 / sums[1]
        now = sums[0] * inverse
        steep = (sums[2] - now * sums[3]) * inverse
        moved = m.choose(abs(now - value) > abs(steep - slope), abs(now - value),
                         abs(steep - slope))
        return [n, *sums, now, steep, moved]

    def going(n: Num, *state: Num) -> Any:
        return state[10] > (abs(state[8]) + abs(state[9])) * (64.0 * least)

    zero, one = m.const(0.0, x), m.const(1.0, x)
    first = (x - a) + 1.0
    found = m.iterate(going, step, zero, one, first, zero, -one, zero, one, zero, zero, zero, zero,
                      one, most=ITERATIONS_MAX)
    return found[9], found[10]


@function("igamma_slope", wide=True)
@in_lengths
def igamma_slope(m: Maths, a: Num, x: Num, single: bool) -> Any:
    sane, safe_a, safe_x = _sane(m, a, x)
    least = _precision(single)
    density = _gamma_density(m, safe_a, safe_x, False)  # what is multiplied nearly cancels
    fraction = (safe_x > 1.0) & (safe_x > safe_a)
    works = density > 0.0
    low, high = works & ~fraction, works & fraction
    total, steep = _series(m, m.choose(low, safe_a, 1.0), m.choose(low, safe_x, 0.0), least)
    value, slope = _fraction(m, m.choose(high, safe_a, 1.0), m.choose(high, safe_x, 2.0), least)
    along = log(m, safe_x) - digamma(m, safe_a + 1.0)
    below = m.fma(total, along, steep)
    above = -m.fma(safe_a, m.fma(value, along, slope), value)  # digamma(a) is less by 1 / a
    y = density * m.choose(fraction, above, below)
    y = m.choose(sane & works, y, 0.0)
    outside = ~((a > 0.0) & (x >= 0.0)) & x.differs(0.0)
    return m.choose(outside, float("nan"), y)
