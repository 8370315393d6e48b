"""The exact remainder of a division of floats, with the sign of the dividend: C's fmod."""

from __future__ import annotations

from typing import Any

from tapeflow.jit.codegen.vector_math.maths import Maths, Num, function, in_double


@function("fmod")
@in_double
def fmod(m: Maths, x: Num, y: Num) -> Any:
    """|x| less multiples of |y|, until less than |y| is left.

    A rounded quotient q leaves x - q y, which is a float, perhaps below 0: each iteration is exact
    and takes 2^52 off the quotient.
    """
    size, divisor = abs(x), abs(y)
    infinite = float("inf")
    sane = (divisor > 0.0) & (size < infinite) & (divisor < infinite)
    size, divisor = m.choose(sane, size, 0.0), m.choose(sane, divisor, 1.0)
    after, = m.iterate(lambda left: abs(left) >= divisor, lambda left: [_reduced(m, left, divisor)],
                       size)
    after = m.choose(after < 0.0, after + divisor, after)
    return m.choose(sane | (abs(x) < infinite) & y.differs(0.0) & ~m.isnan(y),
                    m.copysign(m.choose(abs(y).equals(infinite), abs(x), after), x), float("nan"))


def _reduced(m: Maths, left: Num, divisor: Num) -> Any:
    """left less a multiple of the divisor."""
    part = divisor
    for _ in range(2):  # where the quotient would be infinite, the divisor is taken larger
        part = m.choose(abs(left) * 2.0 ** -600 > part, part * 2.0 ** 600, part)
    quotient = m.trunc(left / part)
    product, lost = m.product(quotient, part)
    return (left - product) - lost

