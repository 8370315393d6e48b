"""Functions of one number that ONNX lacks, in float64 by the series that native code uses."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from tapeflow.jit.codegen.vector_math import erf_gamma
from tapeflow.onnx.onnx_records import written
from tapeflow.onnx.onnx_writer import GraphWriter, Term

DOUBLE = np.dtype(np.float64)


class _Formulas:
    """What the formulas of native code are written with, on Terms."""

    def __init__(self, w: GraphWriter):
        self.w = w

    def erfinv_factor(self, wide: Term, far: bool) -> Term:
        """erfinv(x) / x from -log(1 - x²)."""
        formula: Any = erf_gamma.erfinv_factor
        return formula(self, wide, single=False, far=far)

    def sqrt(self, x: Term) -> Term:
        return self.w.op("Sqrt", x)

    def choose(self, condition: Term, x: Any, y: Any) -> Term:
        return self.w.where(condition, x, y)

    def fma(self, a: Term, b: Any, c: Any) -> Term:
        return a * b + c

    def poly(self, x: Term, coefficients: list[float]) -> Term:
        total = x * coefficients[0] + coefficients[1]
        for one in coefficients[2:]:
            total = total * x + one
        return total


def _in_double(name: str, formula: Callable) -> None:
    def write(w: GraphWriter, node: Any, x: Term) -> Term:
        return w.cast(formula(w, w.cast(x, DOUBLE)), x.dtype)

    write.kinds = ["Log"]  # type: ignore[attr-defined]
    written(name)(write)


def _log(w: GraphWriter, x: Term) -> Term:
    return w.op("Log", x)


def _erfinv(w: GraphWriter, x: Term) -> Term:
    factor = _Formulas(w).erfinv_factor(-_log(w, (1.0 - x) * (1.0 + x)), far=False)
    end = w.where(x.equals(1.0), math.inf, w.scalar(-math.inf, DOUBLE))
    return w.where(w.op("Abs", x).equals(1.0), end, x * factor)


def _ndtri(w: GraphWriter, p: Term) -> Term:
    wide = -(_log(w, p) + _log(w, (1.0 - p) * 4.0))
    wide = w.op("Max", wide, w.scalar(0, DOUBLE))
    factor = _Formulas(w).erfinv_factor(wide, far=True)
    found = (p * 2.0 - 1.0) * factor * math.sqrt(2)
    return w.where(p.equals(0.0), -math.inf, w.where(p.equals(1.0), math.inf, found))


def _gamma_parts(w: GraphWriter, x: Term) -> tuple[Term, Term, Term]:
    """Whether x is below 8, x or 1, and x + 8 or x, from which on the series serve."""
    small = x < 8.0
    return small, w.where(small, x, 1.0), w.where(small, x + 8.0, x)


def _lgamma(w: GraphWriter, x: Term) -> Term:
    """Below 0: log(pi / |x sin(pi x)|) - lgamma(-x)."""
    size = w.op("Abs", x)
    small, safe, y = _gamma_parts(w, size)
    inverse = 1.0 / y
    found = _log(w, y) * (y - 0.5) - y + erf_gamma.HALF_LOG_2_PI[0] + inverse * _Formulas(w).poly(
        inverse * inverse, erf_gamma.STIRLING)
    product = safe
    for i in range(1, 8):
        product = product * (safe + float(i))
    found = w.where(small, found - _log(w, product), found)
    sine = w.op("Abs", w.op("Sin", (x - w.op("Round", x)) * math.pi))
    below = _log(w, math.pi / (size * sine)) - found
    return w.where(x < 0.0, below, found)


def _digamma(w: GraphWriter, x: Term) -> Term:
    """Below 0: digamma(1 - x) - pi / tan(pi x)."""
    negative = x < 0.0
    small, safe, y = _gamma_parts(w, w.where(negative, 1.0 - x, x))
    inverse = 1.0 / y
    square = inverse * inverse
    found = _log(w, y) - inverse * 0.5 - square * _Formulas(w).poly(square, erf_gamma.DIGAMMA)
    total = 1.0 / safe
    for i in range(1, 8):
        total = total + 1.0 / (safe + float(i))
    found = w.where(small, found - total, found)
    turn = (x - w.op("Round", x)) * math.pi
    tangent = w.op("Sin", turn) / w.op("Cos", turn)
    return w.where(negative, found - math.pi / tangent, found)


for _name, _formula in {"erfinv": _erfinv, "ndtri": _ndtri, "lgamma": _lgamma,
                        "digamma": _digamma}.items():
    _in_double(_name, _formula)
