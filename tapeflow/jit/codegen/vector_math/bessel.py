"""Bessel functions of order 0 and 1.

I and K are a series in x or x² near 0 and one in 1/x far from it, with the exponential and the root
taken out; J and Y far from 0 are waves whose size and shift are series in 1/x² (Hankel). The second
kind has a logarithm at 0, and is infinite there and below, as TensorFlow has it.
"""

from __future__ import annotations

import math
from typing import Any

from tapeflow.jit.codegen.vector_math import circular
from tapeflow.jit.codegen.vector_math.chebyshev import in_lengths
from tapeflow.jit.codegen.vector_math.exp_log import exp, log
from tapeflow.jit.codegen.vector_math.maths import Maths, Num, function
from tapeflow.jit.codegen.vector_math.tables import BESSEL

# The first zeros of J0 and J1, each in two parts.
ZEROS = {0: [(2.404825557695773, -1.176691651530894e-16),
             (5.520078110286311, 8.088597146146722e-17)],
         1: [(3.8317059702075125, -1.5269184090088067e-16),
             (7.015586669815619, -9.414165653410389e-17)]}
INFINITE = float("inf")


# -- modified, first kind --------------------------------------------------------------------------
def _first(m: Maths, order: int, size: Num, single: bool) -> Any:
    """exp(-|x|) I(|x|)."""
    near = BESSEL[f"i{order} near"].at(m, size, single)
    inverse = 1.0 / size
    far = BESSEL[f"i{order} far"].at(m, inverse, single) * m.sqrt(inverse)
    return m.choose(size <= 8.0, near if order == 0 else near * size, far)


@function("bessel_i0e")
@in_lengths
def i0e(m: Maths, x: Num, single: bool) -> Any:
    return _first(m, 0, abs(x), single)


@function("bessel_i0")
@in_lengths
def i0(m: Maths, x: Num, single: bool) -> Any:
    return _first(m, 0, abs(x), single) * exp(m, abs(x))


@function("bessel_i1e")
@in_lengths
def i1e(m: Maths, x: Num, single: bool) -> Any:
    return m.copysign(_first(m, 1, abs(x), single), x)


@function("bessel_i1")
@in_lengths
def i1(m: Maths, x: Num, single: bool) -> Any:
    return m.copysign(_first(m, 1, abs(x), single) * exp(m, abs(x)), x)


# -- modified, second kind -------------------------------------------------------------------------
def _second(m: Maths, order: int, x: Num, single: bool, scaled: bool) -> Any:
    """K(x), or exp(x) K(x)."""
    square = x * x
    near = BESSEL[f"k{order} near"].at(m, square, single)
    first = BESSEL[f"i{order} small"].at(m, square, single)
    slope = log(m, x * 0.5)
    near = near - slope * first if order == 0 else m.fma(slope * x, first, near / x)
    inverse = 1.0 / x
    far = BESSEL[f"k{order} far"].at(m, inverse, single) * m.sqrt(inverse)
    close = x <= 2.0
    if scaled:
        near = near * exp(m, x)
    else:
        far = far * exp(m, -x)
    return m.choose(x <= 0.0, INFINITE, m.choose(close, near, far))


def _second_kind(order: int, scaled: bool) -> Any:
    @in_lengths
    def write(m: Maths, x: Num, single: bool) -> Any:
        return _second(m, order, x, single, scaled)

    return function(f"bessel_k{order}{'e' if scaled else ''}")(write)


k0, k0e, k1, k1e = (_second_kind(order, scaled) for order in (0, 1) for scaled in (False, True))


# -- waves -----------------------------------------------------------------------------------------
def _near(m: Maths, order: int, x: Num, single: bool) -> Any:
    """J below 8, with its zeros where they are."""
    y = BESSEL[f"j{order} near"].at(m, x * x, single)
    for zero, low in ZEROS[order]:
        y = y * (((x - zero) - low) * (x + zero))
    return y * x if order else y


def _far(m: Maths, order: int, x: Num, single: bool, kind: str) -> Any:
    """J or Y from 8 on: sqrt(2 / (pi x)) times P cos - Q sin, or P sin + Q cos, of an angle."""
    inverse = 1.0 / x
    square = inverse * inverse
    p = BESSEL[f"p{order}"].at(m, square, single)
    q = BESSEL[f"q{order}"].at(m, square, single) * inverse
    s, c = circular.sincos(m, x)
    # The angle is x - pi/4, or x - 3 pi/4; the root of 2 of its sine and cosine cancels.
    sine, cosine = (s - c, s + c) if order == 0 else (-(s + c), s - c)
    wave = p * cosine - q * sine if kind == "j" else p * sine + q * cosine
    return wave * m.sqrt(inverse * (1 / math.pi))


@function("bessel_j0")
@in_lengths
def j0(m: Maths, x: Num, single: bool) -> Any:
    size = abs(x)
    return m.choose(size <= 8.0, _near(m, 0, size, single), _far(m, 0, size, single, "j"))


@function("bessel_j1")
@in_lengths
def j1(m: Maths, x: Num, single: bool) -> Any:
    size = abs(x)
    y = m.choose(size <= 8.0, _near(m, 1, size, single), _far(m, 1, size, single, "j"))
    return m.choose(m.raw(x) < 0, -y, y)


@function("bessel_y0")
@in_lengths
def y0(m: Maths, x: Num, single: bool) -> Any:
    rest = BESSEL["y0 near"].at(m, x * x, single)
    near = m.fma(log(m, x) * (2 / math.pi), _near(m, 0, x, single), rest)
    y = m.choose(x <= 8.0, near, _far(m, 0, x, single, "y"))
    return m.choose(x <= 0.0, -INFINITE, y)


@function("bessel_y1")
@in_lengths
def y1(m: Maths, x: Num, single: bool) -> Any:
    rest = BESSEL["y1 near"].at(m, x * x, single) * x
    near = m.fma(log(m, x) * (2 / math.pi), _near(m, 1, x, single), rest) - (2 / math.pi) / x
    y = m.choose(x <= 8.0, near, _far(m, 1, x, single, "y"))
    return m.choose(x <= 0.0, -INFINITE, y)
