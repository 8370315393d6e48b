"""Rounding, sign and absolute value, and integer division, with the operators // % and abs().

Between its jumps a rounded value does not change, so rounding has no gradient; sign has gradient 0.
"""

from __future__ import annotations

import operator
from typing import Any

import numpy as np

from tapeflow.base import dtypes, errors
from tapeflow.base.exports import export
from tapeflow.core.record.families import binary, matching, operand, unary
from tapeflow.core.record.lowering_forms import Pointwise, Unsupported
from tapeflow.core.record.op import CHEAP, EXPENSIVE, FLOAT, NONDIFF, REAL, STRAIGHT_THROUGH
from tapeflow.core.record.operators import operators
from tapeflow.core.record.primitive_ops import cast, fill_like
from tapeflow.core.record.samples import Samples
from tapeflow.core.record.traits import set_traits
from tapeflow.core.values.composite import plain
from tapeflow.core.values.convert import convert
from tapeflow.core.values.tensor import Tensor
from tapeflow.core.values.variable import Variable
from tapeflow.ops._support.arguments import wrong_kind
from tapeflow.ops.math.arithmetic import divide_no_nan
from tapeflow.ops.math.complex import complex_abs

_FLAT = NONDIFF("rounding jumps from one whole number to the next and is flat in between",
                STRAIGHT_THROUGH)
_FLAT_QUOTIENT = NONDIFF("a quotient rounded to a whole number is flat between its jumps",
                         STRAIGHT_THROUGH)
_HALVES = Samples(-3, 3, special=[0.0, -0.0, 0.5, 1.5, 2.5, -0.5, -1.5, np.inf, -np.inf, np.nan])
_FLOATS = ("float32", "float64")
_DIVISION = Samples(-5, 5, second=(0.6, 3), special=[2.0, -2.0])

floor = unary("floor", np.floor, vjp=_FLAT, dtypes=FLOAT, saves="", check=_HALVES,
              names=("floor", "math.floor"), doc="The largest whole number not above x.",
              lower="floor")
ceil = unary("ceil", np.ceil, vjp=_FLAT, dtypes=FLOAT, saves="", check=_HALVES,
             names=("math.ceil",), doc="The smallest whole number not below x.", lower="ceil")
rint = unary("rint", np.rint, vjp=_FLAT, dtypes=FLOAT, saves="", check=_HALVES,
             names=("math.rint",), doc="The nearest whole number, halves to the even one.",
             lower="rint")
_round = unary("round", np.rint, vjp=_FLAT, dtypes=FLOAT, saves="", check=_HALVES, lower="rint")


@export("round", "math.round")
def round(x: Any, name: str | None = None) -> Tensor:
    """The nearest whole number, halves to the even one; integers are returned as they are."""
    x = operand(x)
    return plain(x) if x.dtype.is_integer else _round(x)


# -- sign and absolute value -----------------------------------------------------------------------
# The gradient of sign is 0 and does not depend on the upstream one, so forward mode has no tangent.
def _sign_element(b, x):
    """NaN stays."""
    one, zero = b.const(1, x), b.const(0, x)
    below = b.select(b.lt(x, zero), b.const(-1, x), b.select(b.eq(x, zero), zero, x))
    return b.select(b.gt(x, zero), one, below)


sign_real = unary("sign", np.sign, vjp=lambda g, y, x: fill_like(g, value=0), saves="",
                  jvp=lambda ts, y, x: None, dtypes="fVi",
                  check=Samples(0.2, 3, special=[0.0, -0.0, -2.0, np.inf, -np.inf, np.nan]),
                  lower=_sign_element)
abs_real = unary("abs", operator.abs, deriv=lambda y, x: sign_real(x), dtypes="fVi",
                 check=Samples(special=[0.0, -0.0, np.inf, -np.inf, np.nan]), lower="abs",
                 cost=CHEAP)


@export("sign", "math.sign")
def sign(x: Any, name: str | None = None) -> Tensor:
    """-1, 0 or 1, the sign of x; of a complex number z, z / |z|."""
    x = operand(x)
    if x.dtype.is_complex:
        return divide_no_nan(x, cast(complex_abs(x), dtype=x.dtype.np))
    return sign_real(x)


@export("abs", "math.abs")
def abs(x: Any, name: str | None = None) -> Tensor:
    """The absolute value of x; of a complex tensor, a real one."""
    x = operand(x)
    return complex_abs(x) if x.dtype.is_complex else abs_real(x)


def __abs__(self):
    return abs(self)


for _class in (Tensor, Variable):
    setattr(_class, __abs__.__name__, __abs__)


# -- division with rounding ------------------------------------------------------------------------
def _integers_checked(kernel: Any, tf_name: str) -> Any:
    """The kernel with an error where integers are divided by zero."""

    def run(x, y):
        if y.dtype.kind in "iu" and not (y.all() if type(y) is np.ndarray else y):
            raise errors.invalid(tf_name, "Integer division by zero")
        return kernel(x, y)

    return run


def _exactly(rounding, x, y):
    """The quotient of integers of at most 32 bits, rounded: float64 is exact enough, and NumPy's
    division of integers by many divisors several times as slow. None for others."""
    if x.dtype.itemsize > 4 or not y.ndim:
        return None
    quotient = np.true_divide(x, y, dtype=np.float64)
    with np.errstate(invalid="ignore"):  # the least number divided by -1 is itself, as in C
        return rounding(quotient, out=quotient).astype(np.int64).astype(x.dtype)


def _floordiv(x, y):
    if x.dtype.kind not in "iu":
        return np.floor(x / y)
    q = _exactly(np.floor, x, y)
    return x // y if q is None else q


def _truncatediv(x, y):
    if x.dtype.kind not in "iu":
        return np.trunc(x / y)
    q = _exactly(np.trunc, x, y)
    if q is not None:
        return q
    q = x // y
    return (q + ((x % y != 0) & ((x < 0) != (y < 0)))).astype(x.dtype)


def _floormod(x, y):
    """The remainder with y's sign; a remainder of zero keeps the sign of x."""
    r = np.fmod(x, y)  # of integers many times as quick as `x % y`
    if x.dtype.kind == "u":
        return r
    if x.dtype.kind == "i":
        return r + y * ((r != 0) & ((y < 0) != (r < 0)))
    return np.where((r != 0) & ((y < 0) != (r < 0)), r + y, r)[()]


def _quotient_element(b, x, y):
    """Quotient towards zero and remainder of integers; some number where the divisor is 0."""
    divisor = b.known(y)
    if divisor == 0:
        raise Unsupported("a division by 0")
    if divisor == -1:  # the machine's division would overflow
        return b.neg(x), b.const(0, x)
    if divisor is not None:
        return b.div(x, y), b.rem(x, y)
    one = b.const(1, y)
    safe = b.select(b.eq(y, b.const(0, y)), one, y)
    if x.dtype[0] != "u":
        safe = b.select(b.eq(y, b.const(-1, y)), one, safe)
    if np.dtype(x.dtype).itemsize <= 4:  # double precision is exact enough, and has vectors
        q = b.cast(b.trunc(b.div(b.cast(x, "float64"), b.cast(safe, "float64"))), x.dtype)
    else:
        q = b.div(x, safe)
    if x.dtype[0] != "u":
        q = b.select(b.eq(y, b.const(-1, y)), b.neg(x), q)
    return q, b.sub(x, b.mul(q, y))


def _falls_short(b, r, y):
    """Whether a remainder is not 0 and has not the divisor's sign."""
    zero = b.const(0, r)
    return b.both(b.ne(r, zero), b.differ(b.lt(r, zero), b.lt(y, zero)))


# In half precision the quotient is rounded before it is cut, which may be to the next number.
def _floordiv_element(b, x, y):
    if x.dtype in _FLOATS:
        return b.floor(b.div(x, y))
    q, r = _quotient_element(b, x, y)
    return b.select(_falls_short(b, r, y), b.sub(q, b.const(1, q)), q)


def _floormod_element(b, x, y):
    r = _truncatemod_element(b, x, y)
    return b.select(_falls_short(b, r, y), b.add(r, y), r)


def _truncatediv_element(b, x, y):
    return b.trunc(b.div(x, y)) if x.dtype in _FLOATS else _quotient_element(b, x, y)[0]


def _truncatemod_element(b, x, y):
    return b.function("fmod", x, y) if x.dtype in _FLOATS else _quotient_element(b, x, y)[1]


floordiv = binary("floordiv", _integers_checked(_floordiv, "FloorDiv"), vjp=_FLAT_QUOTIENT,
                  dtypes=REAL, names=("math.floordiv",), tf_name="FloorDiv", check=_DIVISION,
                  doc="x / y rounded down, elementwise. Integers divided by zero are an error.",
                  lower=Pointwise(_floordiv_element, half=False, divisor=1), cost=EXPENSIVE)
floormod = binary("floormod", _integers_checked(_floormod, "FloorMod"), saves="in", dtypes=REAL,
                  vjp=(lambda g, _, x, y: g, lambda g, _, x, y: -g * floordiv(x, y)),
                  names=("math.floormod", "math.mod"), tf_name="FloorMod", check=_DIVISION,
                  doc="The remainder of x / y, with the sign of y.",
                  lower=Pointwise(_floormod_element, divisor=1),
                  cost=EXPENSIVE)
truncatediv = binary("truncatediv", _integers_checked(_truncatediv, "TruncateDiv"),
                     vjp=_FLAT_QUOTIENT, dtypes=REAL, names=("truncatediv",),
                     tf_name="TruncateDiv", check=_DIVISION,
                     doc="x / y rounded towards zero, elementwise.",
                     lower=Pointwise(_truncatediv_element, half=False, divisor=1), cost=EXPENSIVE)
truncatemod = binary("truncatemod", _integers_checked(np.fmod, "TruncateMod"), saves="in",
                     vjp=(lambda g, _, x, y: g, lambda g, _, x, y: -g * truncatediv(x, y)),
                     dtypes=REAL, names=("truncatemod",), tf_name="TruncateMod", check=_DIVISION,
                     doc="The remainder of x / y, with the sign of x.",
                     lower=Pointwise(_truncatemod_element, divisor=1),
                     cost=EXPENSIVE)
for _call in (floormod, truncatemod):
    set_traits(_call, hazard="remainder")
operators(floordiv, "floordiv")
operators(floormod, "mod")


def _nextafter_element(b, x, y):
    """Bits counted up away from 0, down towards it; NaN is x + y."""
    whole = "int32" if x.dtype == "float32" else "int64"
    zero, bits = b.const(0, x), b.bitcast(x, whole)
    outwards = b.compare("eq", b.gt(y, x), b.gt(x, zero))
    step = b.select(outwards, b.const(1, whole), b.const(-1, whole))
    least = b.copysign(b.bitcast(b.const(1, whole), x.dtype), y)
    moved = b.select(b.eq(x, zero), least, b.bitcast(b.add(bits, step), x.dtype))
    stays = b.select(b.eq(x, y), y, b.add(x, y))
    return b.select(b.compare("one", x, y), moved, stays)


# The neighbour moves along with x1; x2 only says in which direction it lies.
nextafter = binary("nextafter", np.nextafter, saves="", dtypes=FLOAT, args=("x1", "x2"),
                   vjp=(lambda g, _, x1, x2: g, lambda g, _, x1, x2: fill_like(g, value=0)),
                   tf_name="NextAfter", check=Samples(special=[0.0, np.inf, np.nan]),
                   lower=Pointwise(_nextafter_element, half=False))


@export("math.nextafter")
def next_after(x1: Any, x2: Any, name: str | None = None) -> Tensor:
    """The next number that can be represented after x1 in the direction of x2."""
    known = [x for x in (x1, x2) if isinstance(x, (Tensor, Variable, np.ndarray, np.generic))]
    dtype = None if known else dtypes.float32  # Python integers are floats here
    for x in known:
        if x.dtype.name in ("float16", "bfloat16"):
            raise wrong_kind("NextAfter", "T", x.dtype, "double, float")
    for x in (x1, x2):
        if isinstance(x, int) and abs(x) > 1 << 63:
            convert(x)  # which says that it is beyond int64
    return nextafter(*matching(*[x if dtype is None else convert(x, dtype) for x in (x1, x2)]))
