"""Inverse circular and hyperbolic functions."""

from __future__ import annotations

from typing import Any

from tapeflow.jit.codegen.vector_math.exp_log import log, log1p
from tapeflow.jit.codegen.vector_math.maths import Maths, Num, function, in_double

# (atan(t) - t) / t³ of t², for |t| <= tan(pi / 8)
ATAN = {"float32": [-0.060811501, 0.105951376, -0.142437384, 0.199984834, -0.333333164],
        "float64": [0.015195424785496379, -0.033474748504009284, 0.04503563004888015,
                    -0.0521840799126168, 0.05877022399605968, -0.0666622682327939,
                    0.07692282763450861, -0.0909090814475665, 0.11111111088184661,
                    -0.1428571428538813, 0.1999999999999767, -0.33333333333333326]}
# (asin(x) - x) / x³ of x², for |x| <= 1/2
ASIN = {"float32": [0.0422305763, 0.0241409708, 0.0454783477, 0.0749523267, 0.166667536],
        "float64": [0.03270247330413205, -0.021117256511316566, 0.021791056400817427,
                    0.0036720039465670674, 0.010789372721367945, 0.011397283176994963,
                    0.013981019824216175, 0.01735159538623419, 0.022372215912523277,
                    0.03038194267503974, 0.044642857175290984, 0.07499999999970094,
                    0.16666666666666763]}
# pi / 2 rounded, and what was lost
HALF_PI = {"float32": (1.5707963705062866, -4.371139000186241e-08),
           "float64": (1.5707963267948966, 6.123233995736766e-17)}
LOG_2 = 0.6931471805599453


def _angle(m: Maths, y: Num, x: Num) -> Any:
    """atan(y / x) of numbers >= 0 with one division: t = tan(angle - base), |t| <= tan(pi/8)."""
    high, low = HALF_PI[x.dtype]
    steep, middle = y > x * 2.414213562373095, y > x * 0.41421356237309503
    top = m.choose(steep, -x, m.choose(middle, y - x, y))
    bottom = m.choose(steep, y, m.choose(middle, y + x, x))
    t = top / bottom
    z = t * t
    base = m.choose(steep, m.const(high, x), m.choose(middle, m.const(high / 2, x), 0.0))
    rest = m.choose(steep, m.const(low, x), m.choose(middle, m.const(low / 2, x), 0.0))
    return base + (t + m.fma(t * z, m.poly(z, ATAN[x.dtype]), rest))


@function("atan")
def atan(m: Maths, x: Num) -> Any:
    return m.copysign(_angle(m, abs(x), m.const(1.0, x)), x)


# Sizes of pairs that are scaled, and by what.
EXTREME = {"float32": (1e37, 2.0 ** -10, 1e-30, 2.0 ** 60),
           "float64": (1e300, 2.0 ** -10, 1e-290, 2.0 ** 100)}


@function("atan2")
def atan2(m: Maths, y: Num, x: Num) -> Any:
    """The angle of (|x|, |y|), then into the quadrant of the signs."""
    high, low = HALF_PI[x.dtype]
    a, b = abs(y), abs(x)
    infinite = float("inf")
    # Both infinite count as equal, both 0 as an angle of 0; tiny or huge pairs are scaled.
    alike = a.equals(infinite) & b.equals(infinite)
    a, b = m.choose(alike, 1.0, a), m.choose(alike, 1.0, b)
    huge, down, tiny, up = EXTREME[x.dtype]
    size = m.choose(a > b, a, b)
    factor = m.choose(size > huge, m.const(down, x), m.choose(size < tiny, m.const(up, x), 1.0))
    a, b = a * factor, b * factor
    b = m.choose(a.equals(0.0) & b.equals(0.0), 1.0, b)
    angle = _angle(m, a, b)
    left = m.raw(x) < 0
    angle = m.choose(left, (high * 2) - (angle - low * 2), angle)
    unordered = m.compare("uno", x, y)
    return m.choose(unordered, x + y, m.copysign(angle, y))


def _near_one(m: Maths, size: Num) -> tuple[Any, Any]:
    """asin(sqrt((1 - |x|) / 2)) in two parts; of float32 the root is not made more exact."""
    z = (1.0 - size) * 0.5
    s = m.sqrt(z)
    if z.dtype == "float32":
        return s, s * z * m.poly(z, ASIN[z.dtype])
    square, lost = m.product(s, s)
    low = ((z - square) - lost) / (s * 2.0)
    low = m.choose(s > 0.0, low, 0.0)
    return s, m.fma(s * z, m.poly(z, ASIN[z.dtype]), low)


def _near_half(m: Maths, x: Num) -> Any:
    """asin(x) - x for |x| <= 1/2."""
    z = x * x
    return x * z * m.poly(z, ASIN[x.dtype])


@function("asin")
def asin(m: Maths, x: Num) -> Any:
    high, low = HALF_PI[x.dtype]
    size = abs(x)
    s, rest = _near_one(m, size)
    far = high - (s * 2.0 - (low - rest * 2.0))
    near = size + _near_half(m, size)
    y = m.copysign(m.choose(size < 0.5, near, far), x)
    return m.choose(size > 1.0, float("nan"), y)


@function("acos")
def acos(m: Maths, x: Num) -> Any:
    high, low = HALF_PI[x.dtype]
    size = abs(x)
    s, rest = _near_one(m, size)
    right = (s + rest) * 2.0
    left = high * 2 - (s * 2.0 - (low * 2 - rest * 2.0))
    near = high - (x - (low - _near_half(m, x)))
    y = m.choose(size < 0.5, near, m.choose(x < 0.0, left, right))
    return m.choose(size > 1.0, float("nan"), y)


# -- hyperbolic ------------------------------------------------------------------------------------
@function("asinh")
@in_double
def asinh(m: Maths, x: Num) -> Any:
    size = abs(x)
    huge = size > 2.0 ** 28
    t = m.choose(huge, 1.0, size)
    square = t * t
    near = log1p(m, t + square / (m.sqrt(square + 1.0) + 1.0))
    return m.copysign(m.choose(huge, log(m, size) + LOG_2, near), x)


@function("acosh")
@in_double
def acosh(m: Maths, x: Num) -> Any:
    huge = x > 2.0 ** 28
    t = m.choose(huge, 1.0, x) - 1.0
    near = log1p(m, t + m.sqrt(m.fma(t, t, t * 2.0)))
    return m.choose(x < 1.0, float("nan"), m.choose(huge, log(m, x) + LOG_2, near))


@function("atanh")
def atanh(m: Maths, x: Num) -> Any:
    size = abs(x)
    twice = size * 2.0
    small = m.fma(twice, size / (1.0 - size), twice)
    y = log1p(m, m.choose(size < 0.5, small, twice / (1.0 - size))) * 0.5
    y = m.choose(size > 1.0, float("nan"), y)
    return m.copysign(y, x)
