"""Exponentials, logarithms, powers and hyperbolic functions."""

from __future__ import annotations

from typing import Any

from tapeflow.jit.codegen.vector_math.maths import FORMATS, Maths, Num, function

LOG2_E = 1.4426950408889634
# log(2) in two parts; the first has so few digits that its product with an exponent is exact.
LOG_2 = {"float32": (0.693145751953125, 1.4286068203094173e-06),
         "float64": (0.6931471805598903, 5.497923018708371e-14)}
# (exp(r) - 1 - r) / r² for |r| <= log(2) / 2
EXP = {"float32": [0.00138144754, 0.00836878084, 0.0416683927, 0.166665196, 0.49999994],
       "float64": [2.4999744730398952e-08, 2.763038625865635e-07, 2.7557588324811364e-06,
                   2.480149274435875e-05, 0.00019841269503263504, 0.0013888888943935965,
                   0.008333333333496557, 0.04166666666652917, 0.16666666666666408,
                   0.5000000000000011]}
# Beyond these exp is infinite or zero.
EXP_RANGE = {"float32": (-104.0, 89.0), "float64": (-746.0, 710.0)}


class Scale:
    """2^n in two factors, so that n may leave the range of exponents of normal numbers."""

    def __init__(self, m: Maths, x: Num):
        self.m, self.dtype = m, x.dtype
        self.n, self.whole = m.nearest(x, LOG2_E)
        _, self.half = m.nearest(x, LOG2_E / 2)

    def times(self, y: Num) -> Any:
        m = self.m
        first = m.power_of_two(self.half, self.dtype)
        return y * first * m.power_of_two(self.whole - self.half, self.dtype)


def reduced(m: Maths, x: Num, n: Num) -> Any:
    """x - n log(2)."""
    high, low = LOG_2[x.dtype]
    return m.fma(n, -low, m.fma(n, -high, x))


def exp_core(m: Maths, x: Num, low: Num | None = None) -> tuple[Any, Scale]:
    """exp(x + low) as a number near 1 and a power of two, for x within EXP_RANGE."""
    scale = Scale(m, x)
    r = reduced(m, x, scale.n)
    if low is not None:
        r = r + low
    return m.fma(r * r, m.poly(r, EXP[x.dtype]), r) + 1.0, scale


def clamped(m: Maths, x: Num) -> Any:
    """x within EXP_RANGE; NaN stays."""
    low, high = EXP_RANGE[x.dtype]
    x = m.choose(x > high, high, x)
    return m.choose(x < low, low, x)


def bounded_exp(m: Maths, x: Num) -> Any:
    """exp of numbers whose result is normal."""
    n, whole = m.nearest(x, LOG2_E)
    r = reduced(m, x, n)
    y = m.fma(r * r, m.poly(r, EXP[x.dtype]), r) + 1.0
    return y * m.power_of_two(whole, x.dtype)


@function("exp")
def exp(m: Maths, x: Num) -> Any:
    y, scale = exp_core(m, clamped(m, x))
    return scale.times(y)


@function("expm1")
def expm1(m: Maths, x: Num) -> Any:
    low = -18.0 if FORMATS[x.dtype].single else -38.0  # the result is -1 from there
    high = EXP_RANGE[x.dtype][1]
    t = m.choose(x > high, high, m.choose(x < low, low, x))
    n, whole = m.nearest(t, LOG2_E)
    high, low = LOG_2[x.dtype]
    exact = m.fma(n, -high, t)
    r = m.fma(n, -low, exact)
    lost = m.fma(n, -low, exact - r)
    p = r + m.fma(r * r, m.poly(r, EXP[x.dtype]), lost)
    half = m.power_of_two(whole - 1, x.dtype)  # 2^n itself may be out of range
    y = m.fma(half, p, half - 0.5) * 2.0
    return m.choose(n.equals(0.0), m.choose(x.equals(0.0), x, p), y)


# -- logarithms ------------------------------------------------------------------------------------
# float32: (log(1 + f) - f + f²/2) / f³; float64: (log((1 + s) / (1 - s)) - 2 s) / s³ of s²
LOG_F = [0.0674693137, -0.116758347, 0.118881367, -0.124055594, 0.142195523, -0.166679978,
         0.200021192, -0.250000089, 0.333333135]
LOG_S = [0.14796111471255047, 0.15314035188468428, 0.18183564894251447, 0.22222198562895376,
         0.28571428742481436, 0.3999999999941429, 0.6666666666666734]
SQRT_HALF = {"float32": 0x3F3504F3, "float64": 0x3FE6A09E667F3BCD}


def parts(m: Maths, x: Num) -> tuple[Any, Any]:
    """Exponent (an int) and mantissa in [sqrt(1/2), sqrt(2)) of a positive normal number."""
    f = FORMATS[x.dtype]
    least = SQRT_HALF[x.dtype]
    shifted = m.raw(x) + ((f.bias << f.digits) - least)
    mantissa = m.bitcast((shifted & ((1 << f.digits) - 1)) + least, x.dtype)
    return (shifted >> f.digits) - f.bias, mantissa


def as_float(m: Maths, n: Num) -> Any:
    """A small int as a float of its size, also where the machine cannot convert int64."""
    if n.dtype == "int32":
        return m.cast(n, "float32")
    return m.bitcast(n + 0x4338000000000000, "float64") - FORMATS["float64"].magic


def normal(m: Maths, x: Num) -> tuple[Any, Any]:
    """x scaled up if it is subnormal, and the exponent that this takes away."""
    f = FORMATS[x.dtype]
    small = x < f.tiny
    return m.choose(small, x * 2.0 ** f.digits, x), m.choose(small, m.const(-f.digits, x), 0.0)


def log_of_sum(m: Maths, f: Num, e: Num) -> Any:
    """log(1 + f) + e log(2) for a small f, e a whole number as a float."""
    high, low = LOG_2[f.dtype]
    square = f * f
    if FORMATS[f.dtype].single:
        y = m.poly(f, LOG_F) * f * square
        y = m.fma(square, -0.5, m.fma(e, low, y))
        return m.fma(e, high, f + y)
    s = f / (f + 2.0)
    z = s * s
    half = square * 0.5
    y = m.fma(e, low, s * m.fma(z, m.poly(z, LOG_S), half))
    return m.fma(e, high, f - (half - y))


def at_ends(m: Maths, x: Num, y: Num) -> Any:
    """The logarithm's values at infinity, 0 and below 0, NaN."""
    y = m.choose(x.equals(float("inf")), x, y)
    y = m.choose(x.equals(0.0), float("-inf"), y)
    return m.choose(m.compare("ult", x, m.const(0.0, x)), float("nan"), y)


@function("log")
def log(m: Maths, x: Num) -> Any:
    scaled, e = normal(m, x)
    n, mantissa = parts(m, scaled)
    return at_ends(m, x, log_of_sum(m, mantissa - 1.0, as_float(m, n) + e))


@function("log1p")
def log1p(m: Maths, x: Num) -> Any:
    form = FORMATS[x.dtype]
    u, lost = m.two_sum(m.const(1.0, x), x)
    n, mantissa = parts(m, u)
    lost = m.choose(u > 2.0 ** (form.digits + 2), 0.0, lost * m.power_of_two(-n, x.dtype))
    y = log_of_sum(m, (mantissa - 1.0) + lost, as_float(m, n))
    return m.choose(x.equals(0.0), x, at_ends(m, u, y))


# -- powers ----------------------------------------------------------------------------------------
# log2((1 + s) / (1 - s)) / s of s², and (2^r - 1) / r for |r| <= 1/2, for float32 in float64
POW_LOG2 = [0.2829103610917509, 0.31990495651372103, 0.4122092711828351, 0.5770779421699729,
            0.9617966941140483, 2.8853900817778495]
POW_EXP2 = [1.5315069933240336e-05, 0.00015467237267002997, 0.0013333430285751525,
            0.009618036542983968, 0.05550410963132622, 0.2402265107812656, 0.6931471805415177]
# (log((1 + s) / (1 - s)) / s - 2 - 2/3 s²) / s⁴ of s²
POW_LOG = [0.13196363333080377, 0.13256813867344053, 0.1538675750564509, 0.18181784363129108,
           0.22222222519971419, 0.28571428570099283, 0.40000000000002256]


def _pow_single(m: Maths, x: Num, y: Num) -> Any:
    """|x|^y of float32 values in float64, without special values."""
    wide = m.cast(x, "float64")
    n, mantissa = parts(m, wide)
    f = mantissa - 1.0
    s = f / (f + 2.0)
    log2 = m.fma(s, m.poly(s * s, POW_LOG2), as_float(m, n))
    log2 = m.choose(wide.equals(0.0), float("-inf"), log2)
    log2 = m.choose(m.compare("ueq", wide, m.const(float("inf"), wide)), wide, log2)
    t = m.cast(y, "float64") * log2
    t = m.choose(t > 200.0, 200.0, t)
    t = m.choose(t < -200.0, -200.0, t)
    n, whole = m.nearest(t)
    r = t - n
    power = m.fma(r, m.poly(r, POW_EXP2), 1.0) * m.power_of_two(whole, "float64")
    return m.cast(m.choose(m.isnan(t), t, power), "float32")


def log_twice(m: Maths, x: Num) -> tuple[Any, Any]:
    """log of a positive float64 in two numbers, to about 2^-66."""
    scaled, e = normal(m, x)
    n, mantissa = parts(m, scaled)
    e = as_float(m, n) + e
    f = mantissa - 1.0
    d, d_low = m.quick_sum(m.const(2.0, f), f)
    inverse = 1.0 / d
    s = f * inverse
    p, p_low = m.product(s, d)
    s_low = (((f - p) - p_low) - s * d_low) * inverse
    z, z_low = m.product(s, s)
    z_low = z_low + s * s_low * 2.0
    # log = 2 s + s z (2/3 + z Q(z))
    t, t_low = m.quick_sum(m.const(2 / 3, z), z * m.poly(z, POW_LOG))
    t_low = t_low + 3.700743415417188e-17
    u, u_low = m.product(s, z)
    u_low = u_low + (s * z_low + s_low * z)
    v, v_low = m.product(u, t)
    v_low = v_low + (u * t_low + u_low * t)
    y, y_low = m.quick_sum(s * 2.0, v)
    y_low = y_low + (s_low * 2.0 + v_low)
    high, low = LOG_2["float64"]
    total, rest = m.quick_sum(e * high, y)
    rest = rest + (y_low + e * low)
    total = m.choose(x.equals(0.0), float("-inf"), total)
    total = m.choose(x.equals(float("inf")), x, total)
    return m.choose(m.isnan(x), x, total), rest


def _pow_double(m: Maths, x: Num, y: Num) -> Any:
    """|x|^y of float64 values, without special values."""
    high, low = log_twice(m, x)
    t, t_low = m.product(y, high)
    t_low = t_low + y * low
    beyond = abs(t) > 760.0
    t_low = m.choose(beyond, 0.0, t_low)
    t = m.choose(t > 760.0, 760.0, t)
    t = m.choose(t < -760.0, -760.0, t)
    power, scale = exp_core(m, t, t_low)
    return scale.times(power)


@function("pow")
def power(m: Maths, x: Num, y: Num) -> Any:
    size = abs(x)
    result = (_pow_single if FORMATS[x.dtype].single else _pow_double)(m, size, y)
    whole = m.trunc(y).equals(y)
    half = y * 0.5
    odd = whole & m.trunc(half).differs(half)
    negative = m.raw(x) < 0
    result = m.choose(negative & odd, -result, result)
    below = (x < 0.0) & (x > float("-inf"))
    result = m.choose(below & ~whole & ~m.isnan(y), float("nan"), result)
    one = y.equals(0.0) | x.equals(1.0) | (size.equals(1.0) & abs(y).equals(float("inf")))
    return m.choose(one, 1.0, result)


# -- sigmoid and its kin ----------------------------------------------------------------------
@function("sigmoid")
def sigmoid(m: Maths, x: Num) -> Any:
    e = exp(m, -abs(x))
    return m.choose(x < 0.0, e, 1.0) / (e + 1.0)


@function("softplus")
def softplus(m: Maths, x: Num) -> Any:
    """log(1 + exp(x)) = max(x, 0) + log1p(exp(-|x|))."""
    e = exp(m, -abs(x))
    return m.choose(x > 0.0, x, 0.0) + log1p(m, e)


# (tanh(x) - x) / x³ of x², for |x| <= 5/8
TANH = {"float32": [-0.00571704144, 0.0206505843, -0.0537434965, 0.133314908, -0.333332837],
        "float64": [6.055629655113734e-06, -3.0217955094259146e-05, 9.158978808428119e-05,
                    -0.00023703011199247183, 0.0005894586185693294, -0.0014557276158205065,
                    0.0035921142711418186, -0.00886323434148826, 0.02186948847065315,
                    -0.05396825396613439, 0.1333333333332989, -0.33333333333333315]}


@function("tanh")
def tanh(m: Maths, x: Num) -> Any:
    size = abs(x)
    z = size * size
    near = m.fma(size * z, m.poly(z, TANH[x.dtype]), size)
    end = 9.5 if FORMATS[x.dtype].single else 20.0
    twice = m.choose(size > end, end, size) * 2.0
    far = 1.0 - 2.0 / (bounded_exp(m, twice) + 1.0)
    return m.copysign(m.choose(size < 0.625, near, far), x)


# (sinh(x) - x) / x³ of x², for |x| <= 1
SINH = {"float32": [2.81743905e-06, 0.000198360663, 0.00833335053, 0.166666672],
        "float64": [2.848398296654722e-15, 7.646476361217816e-13, 1.6059050705861562e-10,
                    2.5052108345641594e-08, 2.755731922412024e-06, 0.0001984126984126959,
                    0.008333333333333333, 0.16666666666666666]}


def _half_exp(m: Maths, size: Num) -> Any:
    """exp(x) / 2 of numbers >= 0, infinite only where that is."""
    end = 90.0 if FORMATS[size.dtype].single else 712.0
    y, scale = exp_core(m, m.choose(size > end, end, size))
    return scale.times(y * 0.5)


@function("sinh")
def sinh(m: Maths, x: Num) -> Any:
    size = abs(x)
    z = size * size
    near = m.fma(size * z, m.poly(z, SINH[x.dtype]), size)
    half = _half_exp(m, size)
    return m.copysign(m.choose(size < 1.0, near, half - 0.25 / half), x)


@function("cosh")
def cosh(m: Maths, x: Num) -> Any:
    half = _half_exp(m, abs(x))
    return half + 0.25 / half
