"""Hurwitz' zeta function and the polygamma functions, which are its multiples."""

from __future__ import annotations

import math
from typing import Any

from tapeflow.jit.codegen.vector_math.chebyshev import in_lengths
from tapeflow.jit.codegen.vector_math.erf_gamma import digamma
from tapeflow.jit.codegen.vector_math.exp_log import _pow_double, exp, log
from tapeflow.jit.codegen.vector_math.maths import Maths, Num, function
from tapeflow.jit.codegen.vector_math.tables import GAMMA

INFINITE, NAN = float("inf"), float("nan")
TERMS = 9  # that are summed before Euler and Maclaurin's formula takes over
# B_2k / (2 k)! for k = 1, 2 …
BERNOULLI = [8.333333333333333e-02, -1.388888888888889e-03, 3.306878306878307e-05,
             -8.267195767195767e-07, 2.08767569878681e-08, -5.284190138687493e-10,
             1.3382536530684679e-11, -3.3896802963225827e-13, 8.586062056277845e-15,
             -2.174868698558062e-16, 5.509002828360230e-18, -1.3954464685812523e-19]


def _power(m: Maths, base: Num, x: Num, single: bool) -> Any:
    """base^-x for a positive base."""
    return exp(m, -(x * log(m, base))) if single else _pow_double(m, base, -x)


def _positive(m: Maths, x: Num, q: Num, single: bool) -> Any:
    """zeta for x > 1 and q > 0: q^-x + (q + 1)^-x + … and what is left as an integral."""

    def step(base: Num, total: Num) -> list:
        return [base + 1.0, total + _power(m, base, x, single)]

    w, total = m.iterate(lambda base, total: base < q + (TERMS - 0.5), step, q, m.const(0.0, x))
    inverse = 1.0 / w
    square, rest = inverse * inverse, m.const(0.0, x)
    for k in range(6 if single else len(BERNOULLI), 0, -1):
        # x (x + 1) … (x + 2 k - 2) / w^(2 k - 1), from the inside out
        rest = m.fma(rest, (x + (2 * k - 1)) * (x + 2.0 * k) * square, BERNOULLI[k - 1])
    rest = rest * (x * inverse)
    last = _power(m, w, x, single)
    remainder = w / (x - 1.0) + 0.5 + rest
    return total + m.choose(last.equals(0.0), 0.0, last * remainder)


def _zeta(m: Maths, x: Num, q: Num, single: bool) -> Any:
    whole_x, pole = m.floor(x).equals(x), (q <= 0.0) & m.floor(q).equals(q)
    half = x * 0.5
    even = m.floor(half).equals(half)
    sane = (x > 1.0) & (x < INFINITE) & (abs(q) < INFINITE) & ~pole & (whole_x | (q > 0.0))
    safe_x, safe_q = m.choose(sane, x, 2.0), m.choose(sane, q, 1.0)
    below = safe_q < 0.0
    inner = safe_q - m.floor(safe_q)  # 1 - the distance to the whole number above
    y = _positive(m, safe_x, m.choose(below, inner, safe_q), single)

    def reflected() -> list:
        """The terms below 0 are those of two other zetas, with a sign."""
        first = _positive(m, safe_x, 1.0 - inner, single)
        rest = _positive(m, safe_x, m.choose(below, 1.0 - safe_q, 1.0), single)
        return [m.choose(even, (y + first) - rest, (y - first) + rest)]

    y, = m.rarely(below, reflected, y)
    y = m.choose(sane, y, NAN)
    y = m.choose((x > 1.0) & q.equals(INFINITE), 0.0, y)
    y = m.choose((x > 1.0) & pole & even, INFINITE, y)
    y = m.choose(x.equals(1.0), INFINITE, y)
    ends = m.choose(q < 1.0, INFINITE, m.choose(q > 1.0, 0.0, q))
    return m.choose(x.equals(INFINITE), ends, y)


@function("zeta", wide=True)
@in_lengths
def zeta(m: Maths, x: Num, q: Num, single: bool) -> Any:
    return _zeta(m, x, q, single)


@function("polygamma", wide=True)
@in_lengths
def polygamma(m: Maths, n: Num, x: Num, single: bool) -> Any:
    """(-1)^(n + 1) n! zeta(n + 1, x); digamma for n = 0."""
    whole = (n >= 0.0) & m.floor(n).equals(n)
    order = m.choose(whole, n, 1.0)
    inverse = 1.0 / order
    correction = GAMMA["stirling 3"].at(m, inverse * inverse, single) * inverse
    factorial = exp(m, m.fma(order, log(m, order) - 1.0, correction)) * m.sqrt(
        order * (2 * math.pi))
    factorial = m.choose(order < 4.0, 1.0 / GAMMA["reciprocal"].at(m, order, single), factorial)
    half = order * 0.5
    even = m.floor(half).equals(half) & (order < INFINITE)
    size = factorial * _zeta(m, order + 1.0, x, single)
    y = m.choose(even, -size, size)
    y, = m.rarely(order.equals(0.0), lambda: [digamma(m, x)], y)
    return m.choose(whole, y, NAN)
