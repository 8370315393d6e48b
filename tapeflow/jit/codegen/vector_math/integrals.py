"""Integrals of elementary functions: exponential, Dawson's, Fresnel's, Spence's."""

from __future__ import annotations

import math
from typing import Any

from tapeflow.jit.codegen.vector_math import circular
from tapeflow.jit.codegen.vector_math.chebyshev import in_lengths
from tapeflow.jit.codegen.vector_math.exp_log import exp, log
from tapeflow.jit.codegen.vector_math.maths import Maths, Num, function
from tapeflow.jit.codegen.vector_math.tables import INTEGRALS

EULER = 0.5772156649015329
INFINITE, NAN = float("inf"), float("nan")


def _pieces(m: Maths, stem: str, x: Num, u: Num, starts: tuple, single: bool) -> Any:
    """The tables of a name from each of the starts on, chosen by x, as a function of u."""
    y = INTEGRALS[f"{stem} {starts[0]}"].at(m, u, single)
    for start in starts[1:]:
        y = m.choose(x > float(start), INTEGRALS[f"{stem} {start}"].at(m, u, single), y)
    return y


@function("expint")
@in_lengths
def expint(m: Maths, x: Num, single: bool) -> Any:
    """Ei(x) for x >= 0; NaN below, and at infinity, where TensorFlow's series ends."""
    near = m.fma(INTEGRALS["expint 0"].at(m, x, single), x, log(m, x) + EULER)
    inverse = 1.0 / x
    far = _pieces(m, "expint", x, inverse, (4, 8, 20), single) * (exp(m, x) * inverse)
    y = m.choose(x <= 4.0, near, far)
    return m.choose((x < 0.0) | x.equals(INFINITE), NAN, y)


@function("dawsn")
@in_lengths
def dawsn(m: Maths, x: Num, single: bool) -> Any:
    square = x * x
    near = INTEGRALS["dawson 0"].at(m, square, single) * x
    far = _pieces(m, "dawson", square, 1.0 / square, (5, 11, 24), single) / x
    return m.choose(square <= 5.0, near, far)


# -- Fresnel's -------------------------------------------------------------------------------------
def _circular(m: Maths, x: Num) -> tuple[Any, Any]:
    """sin and cos of pi x² / 2, whose whole turns are taken off without loss."""
    square, low = m.product(x, x)
    high, low = (part - m.rint(part * 0.25) * 4.0 for part in (square, low))
    sum_ = high + low
    around = m.rint(sum_ * 0.25) * 4.0
    quarters = m.rint(sum_ - around)
    angle = ((high - around - quarters) + low) * (math.pi / 2)
    s, c = circular._both(m, angle, m.const(0.0, angle))
    odd = abs(quarters).equals(1.0)
    sine, cosine = m.choose(odd, c, s), m.choose(odd, s, c)
    # Quarters from -2 to 2: -1 turns the sine, 1 the cosine, two of them both.
    two = abs(quarters).equals(2.0)
    sine = m.choose(two | quarters.equals(-1.0), -sine, sine)
    return sine, m.choose(two | quarters.equals(1.0), -cosine, cosine)


def _fresnel(m: Maths, x: Num, single: bool, kind: str) -> Any:
    size = abs(x)
    square = size * size
    fourth = square * square
    near = INTEGRALS[f"fresnel {kind}"].at(m, fourth, single) * size
    if kind == "s":
        near = near * square
    inverse = 1.0 / size
    u = (inverse * inverse) * (inverse * inverse)
    f, g = (m.choose(fourth > 45.0, INTEGRALS[f"fresnel {part} far"].at(m, u, single),
                     INTEGRALS[f"fresnel {part}"].at(m, u, single)) for part in "fg")
    f = f * (inverse * (1 / math.pi))
    g = g * (inverse * inverse * inverse * (1 / math.pi ** 2))
    sine, cosine = _circular(m, size)
    far = m.fma(f, sine, 0.5) - g * cosine if kind == "c" else 0.5 - m.fma(f, cosine, g * sine)
    far = m.choose(size > 1e15, 0.5, far)
    return m.copysign(m.choose(fourth <= 6.5, near, far), x)


@function("fresnel_cos")
@in_lengths
def fresnel_cos(m: Maths, x: Num, single: bool) -> Any:
    return _fresnel(m, x, single, "c")


@function("fresnel_sin")
@in_lengths
def fresnel_sin(m: Maths, x: Num, single: bool) -> Any:
    return _fresnel(m, x, single, "s")


# -- Spence's --------------------------------------------------------------------------------------
@function("spence")
@in_lengths
def spence(m: Maths, x: Num, single: bool) -> Any:
    """Li2(1 - x): the series for x from 1/2 to 3/2, and what 1/x or 1 - x have to do with it."""
    large = x > 1.5
    t = m.choose(x > 2.0, 1.0 / x, x)
    swapped = t < 0.5
    w = m.choose(large & (x <= 2.0), 1.0 / x - 1.0, m.choose(swapped, -t, t - 1.0))
    w = -w
    y = INTEGRALS["dilogarithm"].at(m, w, single) * w
    logarithm = log(m, x)
    # Li2(1 - t) = pi²/6 - log(t) log(1 - t) - Li2(t)
    of_t = m.choose(x > 2.0, -logarithm, logarithm)
    other = log(m, 1.0 - t)
    product = m.choose(t.equals(0.0), 0.0, of_t * other)
    y = m.choose(swapped, (math.pi ** 2 / 6 - product) - y, y)
    y = m.choose(large, m.fma(logarithm * logarithm, -0.5, -y), y)
    return m.choose((x < 0.0) | x.equals(INFINITE), NAN, y)
