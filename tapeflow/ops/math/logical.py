"""Logic of booleans and of bits, with the operators & | ^ ~ of both."""

from __future__ import annotations

import operator
from typing import Any

import numpy as np

from tapeflow.base import dtypes, errors
from tapeflow.base.exports import export
from tapeflow.core.record.families import binary, matching, operand, unary
from tapeflow.core.record.op import CHEAP, INTEGER, NONDIFF
from tapeflow.core.record.operators import on_variable
from tapeflow.core.record.samples import Case
from tapeflow.core.values.tensor import Tensor
from tapeflow.core.values.variable import Variable, read

_BOOLEAN = NONDIFF("logic gives True or False, which do not change smoothly with anything")
_BITS = NONDIFF("operations on bits give integers, and integers have no gradient")
_BOOLS = [Case([True, True, False, False], [True, False, True, False])]
_INTS = [Case(np.array([6, 5, -3, 0], "int32"), np.array([3, 3, 1, 7], "int32")),
         Case(np.array([250, 7], "uint8"), np.array([15, 2], "uint8"))]

logical_and = binary("logical_and", operator.and_, vjp=_BOOLEAN, dtypes="b", check=_BOOLS,
                     lower="both", cost=CHEAP)
logical_or = binary("logical_or", operator.or_, vjp=_BOOLEAN, dtypes="b", check=_BOOLS,
                    lower="either", cost=CHEAP)
logical_xor = binary("logical_xor", operator.xor, vjp=_BOOLEAN, dtypes="b", check=_BOOLS,
                     lower="differ", cost=CHEAP)
logical_not = unary("logical_not", np.logical_not, vjp=_BOOLEAN, dtypes="b", saves="",
                    check=[Case([True, False])], lower="invert", cost=CHEAP)

bitwise_and = binary("bitwise_and", operator.and_, vjp=_BITS, dtypes=INTEGER, check=_INTS,
                     names=("bitwise.bitwise_and",), doc="Bits set in both x and y.", lower="both",
                     cost=CHEAP)
bitwise_or = binary("bitwise_or", operator.or_, vjp=_BITS, dtypes=INTEGER, check=_INTS,
                    names=("bitwise.bitwise_or",), doc="Bits set in x or in y.", lower="either",
                    cost=CHEAP)
bitwise_xor = binary("bitwise_xor", operator.xor, vjp=_BITS, dtypes=INTEGER, check=_INTS,
                     names=("bitwise.bitwise_xor",), doc="Bits set in one of x and y, not in both.",
                     lower="differ", cost=CHEAP)
invert = unary("invert", np.invert, vjp=_BITS, dtypes=INTEGER, saves="", names=("bitwise.invert",),
               check=[Case(np.array([0, 5, -7], "int32"))], doc="Every bit flipped.",
               lower="invert")


def _shift(ufunc: np.ufunc) -> Any:
    """Shifts by less than 0 or by the width or more are clamped, as TensorFlow does."""

    def kernel(x, y):
        return ufunc(x, np.clip(y, 0, x.dtype.itemsize * 8 - 1).astype(x.dtype))

    return kernel


def _shift_element(signed: str, unsigned: str) -> Any:
    def element(b, x, y):
        last = b.const(8 * np.dtype(x.dtype).itemsize - 1, y)
        y = b.minimum(b.maximum(y, b.const(0, y)), last)
        return b.bits(unsigned if x.dtype[0] == "u" else signed, x, y)

    return element


_SHIFTS = [Case(np.array([1, 5, -8], "int32"), np.array([3, 40, 1], "int32")),
           Case(np.array([200, 7], "uint8"), np.array([1, 9], "uint8"))]
left_shift = binary("left_shift", _shift(np.left_shift), vjp=_BITS, dtypes=INTEGER, check=_SHIFTS,
                    names=("bitwise.left_shift",), doc="The bits of x moved up by y places.",
                    lower=_shift_element("shl", "shl"))
right_shift = binary("right_shift", _shift(np.right_shift), vjp=_BITS, dtypes=INTEGER,
                     check=_SHIFTS, names=("bitwise.right_shift",),
                     doc="The bits of x moved down by y places; the sign stays.",
                     lower=_shift_element("ashr", "lshr"))


# -- public logic: operands become bool or are refused ---------------------------------------------
def _booleans(op_name: str, *xs: Any) -> list[Tensor]:
    given = [operand(x, None if isinstance(x, (Tensor, Variable)) else dtypes.bool) for x in xs]
    for i, x in enumerate(given):
        if x.dtype != dtypes.bool:
            raise errors.invalid(op_name, f"cannot compute {op_name} as input #{i}(zero-based) was "
                                          f"expected to be a bool tensor but is a {x.dtype.name} "
                                          f"tensor")
    return given


@export("logical_and", "math.logical_and")
def logical_and_public(x: Any, y: Any, name: str | None = None) -> Tensor:
    """True where both x and y are."""
    return logical_and(*_booleans("LogicalAnd", x, y))


@export("logical_or", "math.logical_or")
def logical_or_public(x: Any, y: Any, name: str | None = None) -> Tensor:
    """True where x or y is."""
    return logical_or(*_booleans("LogicalOr", x, y))


@export("math.logical_xor")
def logical_xor_public(x: Any, y: Any, name: str | None = "LogicalXor") -> Tensor:
    """True where exactly one of x and y is."""
    return logical_xor(*_booleans("LogicalXor", x, y))


@export("logical_not", "math.logical_not")
def logical_not_public(x: Any, name: str | None = None) -> Tensor:
    """True where x is False."""
    return logical_not(*_booleans("LogicalNot", x))


# -- operators -------------------------------------------------------------------------------------
def _attach(symbol: str, of_bools: Any, of_bits: Any) -> None:
    def forward(self, other):
        x, y = matching(self, other)
        return (of_bools if x.dtype.kind == "b" else of_bits)(x, y)

    def backward(self, other):
        y, x = matching(self, other)
        return (of_bools if x.dtype.kind == "b" else of_bits)(x, y)

    for method, name in ((forward, f"__{symbol}__"), (backward, f"__r{symbol}__")):
        method.__name__ = name
        setattr(Tensor, name, method)
        setattr(Variable, name, on_variable(method))


_attach("and", logical_and, bitwise_and)
_attach("or", logical_or, bitwise_or)
_attach("xor", logical_xor, bitwise_xor)


def __invert__(self):
    x = read(self) if isinstance(self, Variable) else self
    return logical_not(x) if x.dtype.kind == "b" else invert(x)


for _class in (Tensor, Variable):
    setattr(_class, __invert__.__name__, __invert__)
