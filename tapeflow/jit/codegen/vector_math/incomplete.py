"""The regularised incomplete gamma and beta functions.

Both are a density times a sum. The densities are written so that they stay exact where a, b and x
are large: with Stirling's formula for the gamma functions, what is left is exp(-a excess(x / a))
and a factor near 1. The sums are loops that end when no lane has anything to add.
"""

from __future__ import annotations

import math
from typing import Any

from tapeflow.jit.codegen.vector_math.chebyshev import in_lengths
from tapeflow.jit.codegen.vector_math.erf_gamma import erfc
from tapeflow.jit.codegen.vector_math.exp_log import exp, expm1, log
from tapeflow.jit.codegen.vector_math.maths import Maths, Num, function
from tapeflow.jit.codegen.vector_math.tables import GAMMA, UNIFORM

INFINITE, NAN = float("inf"), float("nan")
TWO_PI = 2 * math.pi
SMALL = 4.0  # below, 1 / gamma(1 + a) is a polynomial; above, Stirling's formula
LARGE = 100.0  # from here on Temme's expansion serves where x is near a
HUGE = 2.0 ** 200  # numerators and denominators of fractions are made smaller from there


def _precision(single: bool) -> float:
    """What the last iteration of a loop adds, of the sum; those that are left out add less.

    Fractions end at a multiple of that: their quotients are rounded, and would never stand still.
    """
    return 2.0 ** -30 if single else 2.0 ** -54


# -- densities -------------------------------------------------------------------------------------
def _excess(m: Maths, over: Num, ratio: Num, single: bool) -> Any:
    """ratio - 1 - log(ratio), which is over²/2 - … for over = ratio - 1."""
    near = GAMMA["excess"].at(m, over, single) * (over * over)
    return m.choose(abs(over) < 0.4, near, (ratio - 1.0) - log(m, ratio))


def _stirling(m: Maths, a: Num, single: bool) -> tuple[Any, Any]:
    """f and e with gamma(a) = sqrt(2 pi / a) (a / e)^a / (f exp(e))."""
    inverse = 1.0 / a
    correction = GAMMA["stirling 3"].at(m, inverse * inverse, single) * inverse
    small = a < SMALL
    exponent = m.choose(small, m.fma(a, log(m, a), -a), -correction)
    factor = GAMMA["reciprocal"].at(m, a, single) * m.sqrt(a * TWO_PI)
    return m.choose(small, factor, 1.0), exponent


def _bounded(m: Maths, ratio: Num) -> Any:
    return m.choose(ratio > 1e300, 1e300, ratio)


def _gamma_density(m: Maths, a: Num, x: Num, single: bool) -> Any:
    """x^a exp(-x) / gamma(a + 1)."""
    inverse = 1.0 / a
    ratio = _bounded(m, x * inverse)
    over = (x - a) * inverse
    small = a < SMALL
    logarithm = log(m, m.choose(small, x, ratio))
    near = GAMMA["excess"].at(m, over, single) * (over * over)
    excess = m.choose(abs(over) < 0.4, near, (ratio - 1.0) - logarithm)
    correction = GAMMA["stirling 3"].at(m, inverse * inverse, single) * inverse
    exponent = m.choose(small, m.fma(a, logarithm, -x), -m.fma(a, excess, correction))
    factor = m.choose(small, GAMMA["reciprocal"].at(m, a, single),
                      m.sqrt(inverse * (1 / TWO_PI)))
    return exp(m, exponent) * factor


def _beta_density(m: Maths, a: Num, b: Num, x: Num, y: Num, single: bool) -> Any:
    """x^a y^b / B(a, b) for y = 1 - x."""
    total = a + b
    difference = x * b - y * a
    first = _excess(m, difference / a, _bounded(m, x * (total / a)), single)
    second = _excess(m, -(difference / b), _bounded(m, y * (total / b)), single)
    (f, e), (g, d), (h, c) = (_stirling(m, one, single) for one in (a, b, total))
    exponent = ((e + d) - c) - m.fma(a, first, b * second)
    return exp(m, exponent) * (f * g / h) * m.sqrt(a * (b / total) * (1 / TWO_PI))


# -- gamma: sums -----------------------------------------------------------------------------------
def _power_series(m: Maths, a: Num, x: Num, least: Num) -> Any:
    """1 + x / (a + 1) + x² / ((a + 1) (a + 2)) + …, to a relative error `least`."""
    square = x * x
    fourth = square * square

    def step(r: Num, term: Num, total: Num) -> list:
        """Four terms with one division."""
        first, second, third, last = (r + float(k) for k in range(1, 5))
        two = third * last
        inverse = term / (first * second * two)
        terms = m.fma(x, m.fma(x, x + last, two), second * two)
        return [last, fourth * inverse, m.fma(x * terms, inverse, total)]

    one = m.const(1.0, x)
    return m.iterate(lambda r, term, total: term > total * least, step, a, one, one, most=1000)[2]


def _fraction(m: Maths, a: Num, x: Num, single: bool) -> Any:
    """Legendre's continued fraction: gamma(a, x) = x^a exp(-x) / (x + 1 - a - (1 - a) / (…))."""
    least = _precision(single)

    def step(n: Num, p: Num, q: Num, before_p: Num, before_q: Num, value: Num, change: Num) -> list:
        for _ in range(4):
            n = n + 1.0
            weight, rest = n * (n - a), (x - a) + (n + n + 1.0)
            p, before_p = m.fma(p, rest, -(before_p * weight)), p
            q, before_q = m.fma(q, rest, -(before_q * weight)), q
        scale = m.choose(abs(q) > HUGE, 1 / HUGE, m.const(1.0, x))
        p, q, before_p, before_q = p * scale, q * scale, before_p * scale, before_q * scale
        after = p / q
        return [n, p, q, before_p, before_q, after, abs(after - value)]

    zero, one = m.const(0.0, x), m.const(1.0, x)
    first = (x - a) + 1.0
    found = m.iterate(lambda *s: s[6] > abs(s[5]) * (4.0 * least), step, zero, one, first, zero,
                      one, 1.0 / first, one, most=1000)
    return found[5]


def _uniform(m: Maths, a: Num, x: Num, single: bool) -> tuple[Any, Any]:
    """P and Q for large a and x near it: Temme's expansion around the error function."""
    over = (x - a) / a
    half = GAMMA["excess"].at(m, over, single) * (over * over)
    eta = m.copysign(m.sqrt(half * 2.0), over)
    inverse, rest = 1.0 / a, m.const(0.0, a)
    for k, row in reversed(list(enumerate(UNIFORM))):
        left = [c for n, c in enumerate(row)
                if not single or abs(c) * 0.48 ** n * LARGE ** -k > 2.0 ** -36]
        if left:
            rest = m.fma(rest, inverse, m.poly(eta, row[:len(left)][::-1]))
    rest = rest * exp(m, -(a * half)) * m.sqrt(inverse * (1 / TWO_PI))
    z = eta * m.sqrt(a * 0.5)
    return m.fma(erfc(m, -z), 0.5, -rest), m.fma(erfc(m, z), 0.5, rest)


def _next_to_one(m: Maths, a: Num, x: Num, single: bool) -> Any:
    """Q for small a and x, where P is nearly 1:
    1 - x^a / gamma(1 + a) (1 + a (-x / (a + 1) + x² / (2! (a + 2)) - …))."""
    total, term = m.const(0.0, x), m.const(1.0, x)
    for n in range(1, 13 if single else 20):
        term = term * x * (-1.0 / n)
        total = total + term / (a + float(n))
    exponent = a * (log(m, x) - GAMMA["near one"].at(m, a, single))
    return -m.fma(exp(m, exponent) * a, total, expm1(m, exponent))


def _both(m: Maths, a: Num, x: Num, single: bool, upper: bool) -> Any:
    """P, or Q if `upper`, for finite a > 0 and x > 0; a = x = 1 in lanes that have no such."""
    density = _gamma_density(m, a, x, single)
    near = (a > LARGE) & (abs(x - a) < a * 0.4)
    # The small one of P and Q is to be exact, the other is 1 - it: the series gives P.
    fraction = (x > 1.0) & (x > a) if upper else (x > 3.0) & (x > a)
    idle = near | density.equals(0.0)
    adds = ~(fraction | idle)
    least = m.choose(x < 1.2, _precision(False), m.const(_precision(single), x))
    p = density * _power_series(m, m.choose(adds, a, 1.0), m.choose(adds, x, 0.0), least)
    works = fraction & ~idle
    q = density * a * _fraction(m, m.choose(works, a, 1.0), m.choose(works, x, 2.0), single)
    # Where the density is 0, so is that of P and Q which is small.
    y = m.choose(fraction, q, 1.0 - p) if upper else m.choose(fraction, 1.0 - q, p)
    y, = m.rarely(near, lambda: [_uniform(m, a, x, single)[upper]], y)
    if upper:
        # Where P is nearly 1, 1 - P has too few digits left.
        bound = m.const(0.02, x) if single else m.choose(x < 0.5, -0.4 / log(m, x), x * 1.1)
        close = (x <= 1.1) & (a <= bound)
        y, = m.rarely(close, lambda: [_next_to_one(m, a, x, single)], y)
    return y


def _sane(m: Maths, a: Num, x: Num) -> tuple[Any, Any, Any]:
    sane = (a > 0.0) & (x > 0.0) & (a < INFINITE) & (x < INFINITE)
    return sane, m.choose(sane, a, 1.0), m.choose(sane, x, 1.0)


@function("igamma", wide=True)
@in_lengths
def igamma(m: Maths, a: Num, x: Num, single: bool) -> Any:
    sane, safe_a, safe_x = _sane(m, a, x)
    y = m.choose(sane, _both(m, safe_a, safe_x, single, upper=False), NAN)
    inside = (a > 0.0) & (x >= 0.0)
    y = m.choose(inside & x.equals(INFINITE), 1.0, y)
    return m.choose(x.equals(0.0) | inside & a.equals(INFINITE), 0.0, y)


@function("igammac", wide=True)
@in_lengths
def igammac(m: Maths, a: Num, x: Num, single: bool) -> Any:
    sane, safe_a, safe_x = _sane(m, a, x)
    y = m.choose(sane, _both(m, safe_a, safe_x, single, upper=True), NAN)
    inside = (a > 0.0) & (x >= 0.0)
    y = m.choose(inside & (x.equals(0.0) | a.equals(INFINITE)), 1.0, y)
    return m.choose(inside & x.equals(INFINITE), 0.0, y)


# -- beta ------------------------------------------------------------------------------------------
def _beta_fraction(m: Maths, a: Num, b: Num, x: Num, y: Num, single: bool) -> Any:
    """DiDonato and Morris' continued fraction for x <= a / (a + b)."""
    least = _precision(single)
    start = m.fma(a, y, -(b * x)) + 1.0
    square, slope = x * x, y + 1.0

    def step(n: Num, p: Num, q: Num, before_p: Num, before_q: Num, before: Num, value: Num,
             change: Num) -> list:
        for _ in range(2):
            n = n + 1.0
            after = 1.0 / (m.fma(n, 2.0, a) + 1.0)  # 1 / (a + 2 n + 1); before: 1 / (a + 2 n - 1)
            part = n * (b - n) * before
            weight = part * ((a + n - 1.0) * before) * ((a + b) + (n - 1.0)) * square
            rest = n + part * x + (a + n) * after * m.fma(n, slope, start)
            p, before_p = m.fma(p, rest, before_p * weight), p
            q, before_q = m.fma(q, rest, before_q * weight), q
            before = after
        scale = m.choose(abs(q) > HUGE, 1 / HUGE, m.const(1.0, x))
        p, q, before_p, before_q = p * scale, q * scale, before_p * scale, before_q * scale
        now = p / q
        return [n, p, q, before_p, before_q, before, now, abs(now - value)]

    zero, one = m.const(0.0, x), m.const(1.0, x)
    inverse = 1.0 / (a + 1.0)
    first = a * inverse * start
    found = m.iterate(lambda *s: s[7] > abs(s[6]) * (4.0 * least), step, zero, one, first, zero,
                      one, inverse, 1.0 / first, one, most=1000)
    return found[6]


@function("betainc", wide=True)
@in_lengths
def betainc(m: Maths, a: Num, b: Num, x: Num, single: bool) -> Any:
    """I_x(a, b), above the mean as 1 - I_(1-x)(b, a)."""
    inside = (a > 0.0) & (b > 0.0) & (a < INFINITE) & (b < INFINITE) & (x >= 0.0) & (x <= 1.0)
    works = inside & (x > 0.0) & (x < 1.0)
    a, b = (m.choose(works, one, 1.0) for one in (a, b))
    t = m.choose(works, x, 0.5)
    y = 1.0 - t
    density = _beta_density(m, a, b, t, y, single)
    above = t * b > y * a
    idle = density.equals(0.0)
    p, q = (m.choose(idle, 1.0, m.choose(above, *pair)) for pair in ((b, a), (a, b)))
    u, v = (m.choose(idle, 0.5, m.choose(above, *pair)) for pair in ((y, t), (t, y)))
    result = density * _beta_fraction(m, p, q, u, v, single)
    result = m.choose(above, 1.0 - result, result)
    return m.choose(works, result, m.choose(inside, x + 0.0, NAN))
