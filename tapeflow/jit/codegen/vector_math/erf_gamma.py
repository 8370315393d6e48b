"""Error functions, gamma and its kin."""

from __future__ import annotations

from typing import Any

from tapeflow.jit.codegen.vector_math import circular
from tapeflow.jit.codegen.vector_math.chebyshev import in_lengths
from tapeflow.jit.codegen.vector_math.exp_log import bounded_exp, exp_core, log, log_twice
from tapeflow.jit.codegen.vector_math.maths import FORMATS, Maths, Num, function, in_double
from tapeflow.jit.codegen.vector_math.tables import ERFINV, GAMMA

# erf(x) / x - 1 of x², for |x| <= 0.9 (float32) and 1 (float64)
ERF = {"float32": [8.5388303e-05, -0.000818192551, 0.0052044359, -0.0268607531, 0.112837195,
                   -0.376126349, 0.128379166],
       "float64": [-7.801190384553536e-10, 1.3722976042030932e-08, -1.6209175573543467e-07,
                   1.644751758884308e-06, -1.4924744651760684e-05, 0.00012055295319620248,
                   -0.0008548325989656709, 0.0052239776074223645, -0.026866170643276045,
                   0.11283791670945252, -0.3761263890318355, 0.12837916709551256]}
# log(erfc(x)) for 0.88 <= x <= 4
LOG_ERFC = [0.000199359361, -0.00307676452, 0.0223605391, -0.104208499, -0.636867166, -1.12786233,
            -0.000150597742]


# (1 + 2 x) exp(x²) erfc(x) of (x - 3) / (x + 3), for 0.48 <= x <= 10.1 and 28
ERFCX = {"float32": [-0.000191886924, -0.000697201467, 0.0019581141, 0.00250912947, -0.0237898212,
                     0.0683102012, -0.119271457, 0.129645064, -0.0475623831, -0.135621101,
                     1.25300801],
         "float64": [-4.087395989609625e-09, -1.08305979749704e-08, 3.3489993746413915e-08,
                     9.929723240499332e-08, -1.3333003210587367e-07, -6.153137130303692e-07,
                     3.5194804835506153e-07, 3.472106634565213e-06, -7.297094860705491e-07,
                     -2.0100591500082388e-05, 4.949068790126396e-06, 0.00012509938705361994,
                     -0.00010515974052985162, -0.000779832281734406, 0.0018886903540754755,
                     0.002529391817391065, -0.023770514918374785, 0.06830802734388473,
                     -0.11927366341531757, 0.12964515870276358, -0.047562294353450614,
                     -0.1356211061245812, 1.2530080582697296]}


def _near_zero(m: Maths, size: Num) -> Any:
    """erf of small numbers."""
    return m.fma(size, m.poly(size * size, ERF[size.dtype]), size)


def _erfc_above(m: Maths, size: Num) -> Any:
    """erfc from 0.48 on."""
    end = 10.1 if FORMATS[size.dtype].single else 27.5  # 0 from there
    x = m.choose(size > end, end, size)
    scaled = m.poly((x - 3.0) / (x + 3.0), ERFCX[x.dtype]) / m.fma(x, 2.0, 1.0)
    square, low = m.product(x, x)
    y, scale = exp_core(m, -square, -low)
    return scale.times(y * scaled)


@function("erf")
def erf(m: Maths, x: Num) -> Any:
    size = abs(x)
    if FORMATS[x.dtype].single:
        far = 1.0 - bounded_exp(m, m.poly(m.choose(size > 4.0, 4.0, size), LOG_ERFC))
    else:
        far = 1.0 - _erfc_above(m, size)
    end = 0.9 if FORMATS[x.dtype].single else 1.0
    return m.copysign(m.choose(size < end, _near_zero(m, size), far), x)


@function("erfc")
def erfc(m: Maths, x: Num) -> Any:
    size = abs(x)
    above = _erfc_above(m, size)
    far = m.choose(x < 0.0, 2.0 - above, above)
    return m.choose(size < 0.5, 1.0 - m.copysign(_near_zero(m, size), x), far)


# -- inverses --------------------------------------------------------------------------------------
def erfinv_factor(m: Maths, w: Num, single: bool, far: bool) -> Any:
    """erfinv(x) / x from w = -log(1 - x²); far: w may be beyond what x next to 1 gives."""
    s = m.sqrt(w)
    y = ERFINV["side"].at(m, s, single)
    if far or not single:
        y = m.choose(s < 4.0, y, ERFINV["tail"].at(m, s, single))
    if far:
        y = m.choose(s < 6.0, y, ERFINV["far"].at(m, 1.0 / s, single) * s)
    return m.choose(w < 6.25, ERFINV["centre"].at(m, w, single), y)


@function("erfinv")
@in_lengths
def erfinv(m: Maths, x: Num, single: bool) -> Any:
    size = abs(x)
    w = -log(m, (1.0 - size) * (1.0 + size))
    y = x * erfinv_factor(m, w, single, far=False)
    y = m.choose(size.equals(1.0), m.copysign(m.const(float("inf"), x), x), y)
    return m.choose(size > 1.0, float("nan"), y)


@function("ndtri")
@in_lengths
def ndtri(m: Maths, p: Num, single: bool) -> Any:
    """sqrt(2) erfinv(2 p - 1), where 1 - x² is 4 p (1 - p)."""
    x = m.fma(p, 2.0, -1.0)
    rest = (1.0 - p) * 4.0
    w = -log(m, p * rest) if single else -(log(m, p) + log(m, rest))
    y = x * erfinv_factor(m, m.choose(w < 0.0, 0.0, w), single, far=True) * 1.4142135623730951
    y = m.choose(p.equals(0.0), float("-inf"), m.choose(p.equals(1.0), float("inf"), y))
    return m.choose((p < 0.0) | (p > 1.0), float("nan"), y)


# -- gamma -----------------------------------------------------------------------------------------
# y (lgamma(y) - (y - 1/2) log(y) + y - log(2 pi) / 2) and y² (log(y) - 1 / (2 y) - digamma(y)), of
# 1 / y², for y >= 8
STIRLING = [0.00506926312618254, -0.001890540603644564, 0.0008414728604223995,
            -0.0005952366070383436, 0.0007936507898351593, -0.0027777777777740994,
            0.08333333333333333]
DIGAMMA = [-0.29981645405645346, 0.08004479271372841, -0.021051521845063193, 0.007575464841033638,
           -0.0041666655284952475, 0.003968253966070185, -0.008333333333331734,
           0.08333333333333333]
PI, PI_LOW = 3.141592653589793, 1.2246467991473532e-16
HALF_LOG_2_PI = (0.9189385332046728, -3.878294158067242e-17)
LOG_PI = (1.1447298858494002, 1.0265951162707826e-17)


def _twice_add(m: Maths, a: tuple, b: tuple) -> tuple[Any, Any]:
    """A sum of numbers that have two parts each."""
    s, low = m.two_sum(a[0], b[0])
    return m.quick_sum(s, low + (a[1] + b[1]))



def _lgamma_above(m: Maths, x: Num) -> tuple[Any, Any]:
    """lgamma of x > 0 in two parts: lgamma(x + 8) - log(x (x + 1) … (x + 7)) where x < 8."""
    zero = m.const(0.0, x)
    small = x < 8.0
    y, y_low = m.two_sum(x, m.choose(small, m.const(8.0, x), 0.0))
    safe = m.choose(small, x, 1.0)
    factors: tuple = (safe, zero)
    for i in range(1, 8):
        factor, lost = m.two_sum(safe, m.const(float(i), x))
        p, low = m.product(factors[0], factor)
        factors = m.quick_sum(p, low + (factors[1] * factor + factors[0] * lost))
    log_y, log_y_low = log_twice(m, y)
    log_y_low = log_y_low + y_low / y
    a = m.product(log_y, y - 0.5)
    a = m.quick_sum(a[0], a[1] + (log_y_low * (y - 0.5) + log_y * y_low))
    a = _twice_add(m, a, (-y, -y_low))
    a = _twice_add(m, a, tuple(m.const(part, x) for part in HALF_LOG_2_PI))
    inverse = 1.0 / y
    a = _twice_add(m, a, (inverse * m.poly(inverse * inverse, STIRLING), zero))
    log_p, log_p_low = log_twice(m, factors[0])
    log_p_low = log_p_low + factors[1] / factors[0]
    below = _twice_add(m, a, (-log_p, -log_p_low))
    return m.choose(small, below[0], a[0]), m.choose(small, below[1], a[1])


def _sine_of_pi(m: Maths, x: Num) -> tuple[Any, Any]:
    """|sin(pi x)| and cos(pi x) with the sign of the slope, from the distance to a whole number."""
    f = x - m.rint(x)
    r, low = m.product(f, m.const(PI, f))
    low = m.fma(f, PI_LOW, low)
    # |f| <= 1/2: halve the angle, whose sine and cosine are known up to pi / 4.
    s, c = circular._both(m, r * 0.5, low * 0.5)
    return s * c * 2.0, 1.0 - s * s * 2.0


def _lgamma_short(m: Maths, x: Num) -> Any:
    """lgamma of a float32: near 1 and 2 with its zeros, below of x + 1, beyond by Stirling.

    Below 0: log(pi / |x sin(pi x)|) - lgamma(-x).
    """
    size = abs(x)
    small, large = size < 0.75, size > 3.25
    log_x = log(m, size)
    t = m.choose(small, size + 1.0, size)
    centre = GAMMA["centre"].at(m, t, True) * ((t - 1.0) * (t - 2.0))
    inverse = 1.0 / size
    rest = m.fma(GAMMA["stirling 3"].at(m, inverse * inverse, True), inverse, HALF_LOG_2_PI[0])
    far = m.fma(size - 0.5, log_x, rest) - size
    y = m.choose(large, far, m.choose(small, centre - log_x, centre))
    below = log(m, PI / abs(_sine_of_pi(m, x)[0] * x)) - y
    y = m.choose(x < 0.0, below, y)
    pole = (x <= 0.0) & m.floor(x).equals(x)
    return m.choose(pole | size.equals(float("inf")), float("inf"), y)


def _lgamma_long(m: Maths, x: Num) -> Any:
    """Below 0: log(pi / |x sin(pi x)|) - lgamma(-x)."""
    size = abs(x)
    high, low = _lgamma_above(m, m.choose(size.equals(float("inf")), 1.0, size))
    sine = abs(_sine_of_pi(m, x)[0])
    log_s, log_s_low = log_twice(m, sine)
    log_x, log_x_low = log_twice(m, size)
    total = _twice_add(m, tuple(m.const(part, x) for part in LOG_PI), (-log_s, -log_s_low))
    total = _twice_add(m, total, (-log_x, -log_x_low))
    total = _twice_add(m, total, (-high, -low))
    y = m.choose(x < 0.0, total[0] + total[1], high + low)
    tiny = size < 1e-300  # -log|x|, where x (x + 1) … would be subnormal
    y = m.choose(tiny, -(log_x + log_x_low), y)
    y = m.choose(x > 1e17, size * ((log_x - 1.0) + log_x_low), y)
    y = m.choose(x.equals(1.0) | x.equals(2.0), 0.0, y)
    pole = (x <= 0.0) & m.floor(x).equals(x)
    y = m.choose(pole | size.equals(float("inf")), float("inf"), y)
    return m.choose(m.isnan(x), x, y)


@function("lgamma")
@in_lengths
def lgamma(m: Maths, x: Num, single: bool) -> Any:
    return _lgamma_short(m, x) if single else _lgamma_long(m, x)


@function("digamma")
@in_double
def digamma(m: Maths, x: Num) -> Any:
    """Below 0: digamma(1 - x) - pi / tan(pi x); below 8: digamma(x + 8) - sum of 1 / (x + i)."""
    negative = x < 0.0
    t = m.choose(negative, 1.0 - x, x)
    small = t < 8.0
    safe = m.choose(small, t, 1.0)
    top, bottom = m.const(1.0, x), safe
    for i in range(1, 8):
        factor = safe + float(i)
        top, bottom = m.fma(top, factor, bottom), bottom * factor
    y = m.choose(small, t + 8.0, t)
    inverse = 1.0 / y
    square = inverse * inverse
    value = log(m, y) - m.fma(square, m.poly(square, DIGAMMA), inverse * 0.5)
    value = m.choose(small, value - top / bottom, value)
    sine, cosine = _sine_of_pi(m, x)
    value = m.choose(negative, value - PI * cosine / sine, value)
    pole = (x <= 0.0) & m.floor(x).equals(x)
    return m.choose(pole, float("nan"), m.choose(x.equals(float("inf")), x, value))
