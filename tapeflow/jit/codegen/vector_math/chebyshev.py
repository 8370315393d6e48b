"""Functions given by Chebyshev series on an interval, written as polynomials.

The first terms of a series are nearly the best polynomial of their degree: one table serves
float64, and cut short float32, whose functions are computed in float64.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from fractions import Fraction
from typing import Any

from tapeflow.jit.codegen.vector_math.maths import FORMATS, Maths, Num

SINGLE = 2.0 ** -31  # what may be left of a series for results that are rounded to float32


class Chebyshev:
    """c0 T0(t) + c1 T1(t) + … with t from -1 to 1 as the variable goes from `low` to `high`.

    size: of the function, where its relative error counts.
    """

    def __init__(self, low: float, high: float, size: float, series: list[float]):
        self.scale, self.shift = 2 / (high - low), -(high + low) / (high - low)
        self.size, self.series = size, series

    def at(self, m: Maths, u: Num, single: bool) -> Any:
        """The value at u, of which other numbers than those of the interval give anything."""
        return m.poly(m.fma(u, self.scale, self.shift), self.powers(single))

    @functools.cache  # noqa: B019 - the tables live as long as the program
    def powers(self, single: bool) -> list[float]:
        """Coefficients of the powers of t, the highest first."""
        count, rest = len(self.series), 0.0
        while single and rest + abs(self.series[count - 1]) < SINGLE * self.size:
            count, rest = count - 1, rest + abs(self.series[count - 1])
        return in_powers(self.series[:count])


def in_powers(series: list[float]) -> list[float]:
    """A Chebyshev series as coefficients of powers, the highest first; without rounding."""
    count = len(series)
    before, this = [1] + [0] * (count - 1), [0, 1] + [0] * (count - 2)
    total = [Fraction(0)] * count
    for c in map(Fraction, series):
        total = [a + c * k if k else a for a, k in zip(total, before, strict=True)]
        after = [2 * k - j for k, j in zip([0, *this[:-1]], before, strict=True)]
        before, this = this, after
    return [float(c) for c in reversed(total)]


def in_lengths(write: Callable) -> Callable:
    """A function computed in float64; it is told whether the result is only needed for float32."""

    def run(m: Maths, *xs: Num) -> Any:
        if not FORMATS[xs[0].dtype].single:
            return write(m, *xs, single=False)
        y = write(m, *(m.cast(x, "float64") for x in xs), single=True)
        return m.cast(y, "float32")

    run.__name__ = write.__name__
    return run
