"""Arithmetic operators: add, subtract, multiply, divide, negative and kin."""

from __future__ import annotations

import operator
from typing import Any

from tapeflow.base.exports import export
from tapeflow.core.basics import add as _add
from tapeflow.core.families import binary, operand, operators, unary, unary_operator
from tapeflow.core.op import NUMERIC
from tapeflow.core.samples import Samples
from tapeflow.core.tensor import Tensor


@export("add", "math.add")
def add(x: Any, y: Any, name: str | None = None) -> Tensor:
    """x + y, elementwise. The first operand decides the dtype."""
    x = operand(x)
    return _add(x, operand(y, hint=x.dtype))


negative = unary("negative", operator.neg, vjp=lambda g, y, x: -g, saves="", dtypes=NUMERIC,
                 names=("negative", "math.negative"), tf_name="Neg", check=Samples(),
                 doc="-x, elementwise.")
unary_operator(negative, "__neg__")

subtract = binary("subtract", operator.sub, saves="", tf_name="Sub",
                  vjp=(lambda g, y, a, b: g, lambda g, y, a, b: -g),
                  names=("subtract", "math.subtract"), check=Samples(), doc="x - y, elementwise.")
operators(subtract, "sub")


def _times_conj(g, z):
    from tapeflow.core.basics import conj
    return g * (conj(z) if z.dtype.kind == "c" else z)


multiply = binary("multiply", operator.mul, saves="in", tf_name="Mul",
                  vjp=(lambda g, y, a, b: _times_conj(g, b), lambda g, y, a, b: _times_conj(g, a)),
                  names=("multiply", "math.multiply"), check=Samples(), doc="x * y, elementwise.")
operators(multiply, "mul")
