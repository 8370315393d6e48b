"""Error functions, gamma and its kin."""

from __future__ import annotations

from typing import Any

from tapeflow.jit.vector_math.exponential import bounded_exp, exp_core
from tapeflow.jit.vector_math.maths import FORMATS, Maths, Num, function, in_double

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


# (1 + 2 x) exp(x²) erfc(x) of (x - 3) / (x + 3), for 0.48 <= x <= 28
ERFCX = [-4.087395989609625e-09, -1.08305979749704e-08, 3.3489993746413915e-08,
         9.929723240499332e-08, -1.3333003210587367e-07, -6.153137130303692e-07,
         3.5194804835506153e-07, 3.472106634565213e-06, -7.297094860705491e-07,
         -2.0100591500082388e-05, 4.949068790126396e-06, 0.00012509938705361994,
         -0.00010515974052985162, -0.000779832281734406, 0.0018886903540754755,
         0.002529391817391065, -0.023770514918374785, 0.06830802734388473, -0.11927366341531757,
         0.12964515870276358, -0.047562294353450614, -0.1356211061245812, 1.2530080582697296]


def _near_zero(m: Maths, size: Num) -> Any:
    """erf of small numbers."""
    return m.fma(size, m.poly(size * size, ERF[size.dtype]), size)


def _tail(m: Maths, size: Num) -> Any:
    """erfc of float64 values from 0.48 on."""
    x = m.choose(size > 27.5, 27.5, size)  # 0 from there
    scaled = m.poly((x - 3.0) / (x + 3.0), ERFCX) / m.fma(x, 2.0, 1.0)
    square, low = m.product(x, x)
    y, scale = exp_core(m, -square, -low)
    return scale.times(y * scaled)


@function("erf")
def erf(m: Maths, x: Num) -> Any:
    size = abs(x)
    if FORMATS[x.dtype].single:
        far = 1.0 - bounded_exp(m, m.poly(m.choose(size > 4.0, 4.0, size), LOG_ERFC))
    else:
        far = 1.0 - _tail(m, size)
    end = 0.9 if FORMATS[x.dtype].single else 1.0
    return m.copysign(m.choose(size < end, _near_zero(m, size), far), x)


@function("erfc")
@in_double
def erfc(m: Maths, x: Num) -> Any:
    size = abs(x)
    tail = _tail(m, size)
    far = m.choose(x < 0.0, 2.0 - tail, tail)
    return m.choose(size < 0.5, 1.0 - m.copysign(_near_zero(m, size), x), far)
