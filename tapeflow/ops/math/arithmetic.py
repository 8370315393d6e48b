"""Arithmetic: add, subtract, multiply, divide and kin, with the operators + - * / and unary - +.

May be imported by the other records of `ops`.
"""

from __future__ import annotations

import functools
import operator
from collections.abc import Iterable
from typing import Any

import numpy as np

from tapeflow.base import dtypes as tf_dtypes
from tapeflow.base import errors
from tapeflow.base.attributes import attributes, dense
from tapeflow.base.exception_origin import unsignalled
from tapeflow.base.exports import export
from tapeflow.base.shapes import TensorShape
from tapeflow.core.record.elementwise_ops import add as _add
from tapeflow.core.record.families import binary, conj, matching, operand, unary
from tapeflow.core.record.lowering_forms import Pointwise
from tapeflow.core.record.op import CHEAP, INEXACT, NUMERIC, define, shape_of
from tapeflow.core.record.operators import on_variable, operators, refuse, unary_operator
from tapeflow.core.record.primitive_ops import broadcast_to, cast, constant_like
from tapeflow.core.record.samples import Case, Samples
from tapeflow.core.record.traits import set_traits
from tapeflow.core.values.composite import plain
from tapeflow.core.values.convert import convert
from tapeflow.core.values.indexed_slices import IndexedSlices
from tapeflow.core.values.tensor import Tensor
from tapeflow.core.values.variable import Variable, read

_float32 = np.float32
_F32 = np.dtype("float32")


def conj_of(x: Any) -> Any:
    """The conjugate of a complex operand; real ones are left alone, unrecorded."""
    if type(x) is _float32 or x.dtype.kind != "c":
        return x
    return conj(x)


@export("add", "math.add")
def add(x: Any, y: Any, name: str | None = None) -> Tensor:
    """x + y, elementwise; strings are joined. The first operand decides the dtype."""
    x = operand(x)
    return _add(x, operand(y, hint=x.dtype))


negative = unary("negative", operator.neg, vjp=lambda g, y, x: -g, saves="", dtypes="fVic",
                 names=("negative", "math.negative"), tf_name="Neg",
                 check=Samples(special=[0.0, -0.0, np.inf, np.nan]), doc="-x, elementwise.",
                 lower="neg", cost=CHEAP)
unary_operator(negative, "__neg__")

subtract = binary("subtract", operator.sub, saves="", tf_name="Sub",
                  vjp=(lambda g, y, a, b: g, lambda g, y, a, b: -g),
                  names=("subtract", "math.subtract"), check=Samples(), doc="x - y, elementwise.",
                  lower="sub", cost=CHEAP)
set_traits(subtract, unit=(None, 0), hazard="sum")
operators(subtract, "sub")

multiply = binary("multiply", operator.mul, saves="in", tf_name="Mul",
                  vjp=(lambda g, y, a, b: g * conj_of(b), lambda g, y, a, b: g * conj_of(a)),
                  names=("multiply", "math.multiply"), check=Samples(), doc="x * y, elementwise.",
                  lower="mul", cost=CHEAP)
set_traits(multiply, unit=(1, 1), hazard="product")


def _product_of_bools(a, b):
    """`*` (not tf.multiply) takes a bool on either side and gives a bool."""
    if "b" not in (a.dtype.kind, b.dtype.kind) or "O" in (a.dtype.kind, b.dtype.kind):
        return refuse(multiply.op, a, b)
    whole = [cast(x, dtype=np.dtype("int32")) for x in (a, b)]
    return cast(multiply(*whole), dtype=np.dtype("bool"))


operators(multiply, "mul", otherwise=_product_of_bools)


# -- division --------------------------------------------------------------------------------------
def _quotient_dy(g, y, a, b):
    b = conj_of(b)
    return g * (-conj_of(a) / b / b)


realdiv = binary("divide", operator.truediv, saves="in", tf_name="RealDiv", dtypes=INEXACT,
                 vjp=(lambda g, y, a, b: g / conj_of(b), _quotient_dy), names=("realdiv",),
                 check=Samples(-3, 3, second=(0.5, 3)),
                 doc="x / y of floating or complex tensors, elementwise.", lower="div", cost=CHEAP)
set_traits(realdiv, unit=(None, 1), hazard="quotient")
operators(realdiv, "truediv")

# What true division makes of integers: int32 / int32 is float64, int8 / int8 float32.
_TRUE_DIVISION = {name: np.dtype("float32") for name in ("uint8", "int8", "uint16", "int16")} | {
    name: np.dtype("float64") for name in ("int32", "uint32", "int64", "uint64")}


def quotient_operands(x: Tensor, y: Tensor, where: str) -> tuple[Tensor, Tensor]:
    """Both operands in the dtype that true division computes in."""
    if x.dtype != y.dtype:
        raise TypeError(f"{where}: `x` and `y` must have the same dtype, got {x.dtype!r} != "
                        f"{y.dtype!r}.")
    if x.dtype.is_floating or x.dtype.is_complex:
        return x, y
    wide = _TRUE_DIVISION.get(x.dtype.name)
    if wide is None:
        raise TypeError(f"Invalid dtype {x.dtype!r} in {where}: `x` and `y` must be numbers.")
    return cast(x, dtype=wide), cast(y, dtype=wide)


@export("truediv", "math.truediv")
def truediv(x: Any, y: Any, name: str | None = None) -> Tensor:
    """x / y as Python 3 divides: integers give a floating result."""
    x = operand(x)
    return realdiv(*quotient_operands(x, operand(y, hint=x.dtype), "tf.truediv"))


@export("divide", "math.divide")
def divide(x: Any, y: Any, name: str | None = None) -> Tensor:
    """x / y as Python 3 divides: integers give a floating result."""
    if isinstance(x, (Tensor, Variable)):
        x = operand(x)
    else:
        x = operand(x, y.dtype if isinstance(y, (Tensor, Variable)) else None)
    return x / y


_quick_quotient = Tensor.__truediv__
_quick_reflected = Tensor.__rtruediv__


def __truediv__(self, other):
    """`/`: at once where dtypes are equal and floating, else by Python's rule for integers."""
    if isinstance(other, Variable):
        other = read(other)
    if type(self) is Tensor:
        dtype = self._value.dtype
        if (dtype is _F32 or dtype.kind in "fcV") and (
                type(other) is not Tensor or other._value.dtype is dtype):
            return _quick_quotient(self, other)
    elif not isinstance(other, Tensor) and self.dtype.kind in "fc":
        return _quick_quotient(self, other)
    try:
        other = operand(other, hint=self.dtype)
    except unsignalled(TypeError, ValueError):
        if hasattr(type(other), "__rtruediv__") and not isinstance(
                other, (int, float, complex, np.generic, np.ndarray)):
            return NotImplemented
        raise
    return realdiv(*quotient_operands(self, other, "/"))


def __rtruediv__(self, other):
    if type(self) is Tensor and self._value.dtype.kind in "fcV":
        return _quick_reflected(self, other)
    return realdiv(*quotient_operands(operand(other, self.dtype), self, "/"))


for _method in (__truediv__, __rtruediv__):
    setattr(Tensor, _method.__name__, _method)
    setattr(Variable, _method.__name__, on_variable(_method))


# -- with zero instead of NaN ----------------------------------------------------------------------
def _zero_where(mask: Any, result: Any) -> Any:
    """`result` with 0 where `mask` holds; `result` is a fresh value of the kernel's."""
    if type(result) is np.ndarray:
        result[np.broadcast_to(mask, result.shape)] = 0
        return result
    return result.dtype.type(0) if mask else result


def _zero_element(b: Any, tested: Any, result: Any) -> Any:
    zero = b.const(0, tested)
    return b.select(b.eq(tested, zero), zero, result)


divide_no_nan = binary(
    "divide_no_nan", lambda x, y: _zero_where(y == 0, x / y), saves="in", tf_name="DivNoNan",
    dtypes=INEXACT, check=Samples(-3, 3, second=(0.5, 3), special=[0.0, -0.0, np.inf]),
    vjp=(lambda g, y, a, b: divide_no_nan(g, conj_of(b)),
         lambda g, y, a, b: g * divide_no_nan(divide_no_nan(-conj_of(a), conj_of(b)), conj_of(b))),
    lower=Pointwise(lambda b, x, y: _zero_element(b, y, b.div(x, y)), complex=True))
multiply_no_nan = binary(
    "multiply_no_nan", lambda x, y: _zero_where(y == 0, x * y), saves="in", tf_name="MulNoNan",
    dtypes=INEXACT, check=Samples(special=[0.0, np.inf, np.nan]),
    vjp=(lambda g, y, a, b: multiply_no_nan(g, conj_of(b)),
         lambda g, y, a, b: multiply_no_nan(conj_of(a), g)),
    lower=Pointwise(lambda b, x, y: _zero_element(b, y, b.mul(x, y)), complex=True))
xdivy = binary(
    "xdivy", lambda x, y: _zero_where(x == 0, x / y), saves="in", dtypes=INEXACT,
    check=Samples(-3, 3, second=(0.5, 3), special=[0.0, np.inf]), names=("math.xdivy",),
    doc="x / y, and 0 where x is 0, whatever y is.",
    vjp=(lambda g, y, a, b: g * xdivy(nonzero(a), conj_of(b)),
         lambda g, y, a, b: g * xdivy(-conj_of(a), conj_of(b) * conj_of(b))),
    lower=lambda b, x, y: _zero_element(b, x, b.div(x, y)))


def nonzero(x: Any) -> Any:
    """1 where x is not 0, else 0, in x's own dtype."""
    return cast(x != 0, dtype=np.dtype(getattr(x.dtype, "np", x.dtype)))


@export("math.divide_no_nan")
def _divide_no_nan(x: Any, y: Any, name: str | None = None) -> Tensor:
    """x / y, and 0 where y is 0."""
    return divide_no_nan(*quotient_operands(*matching(x, y), "tf.math.divide_no_nan"))


@export("math.multiply_no_nan")
def _multiply_no_nan(x: Any, y: Any, name: str | None = None) -> Tensor:
    """x * y, and 0 where y is 0, even if x is infinite or NaN."""
    x = operand(x)
    if isinstance(y, (Tensor, Variable)) and y.dtype != x.dtype:
        raise ValueError(f"tf.math.multiply_no_nan: Tensor conversion requested dtype "
                         f"{x.dtype.name} for `y` with dtype {y.dtype.name}")
    return multiply_no_nan(x, operand(y, None if isinstance(y, (Tensor, Variable)) else x.dtype))


@export("math.reciprocal_no_nan")
def reciprocal_no_nan(x: Any, name: str | None = None) -> Tensor:
    """1 / x, and 0 where x is 0."""
    x = operand(x)
    if not x.dtype.is_numeric:
        raise TypeError(f"tf.math.reciprocal_no_nan: `x` must be numbers, got {x.dtype!r}")
    return divide_no_nan(operand(1, x.dtype), x)


# -- squares of differences ------------------------------------------------------------------------
def _squared_difference_kernel(x, y):
    d = x - y
    return d * d if d.dtype.kind != "c" else d * d.conj()


def _twice_real(g: Any) -> Any:
    return g * 2.0 if g.dtype.kind != "c" else g + conj(g)


def _squared_difference_jvp(ts, y, a, b):
    d = a - b
    t = ts[0] if ts[1] is None else -ts[1] if ts[0] is None else ts[0] - ts[1]
    return t * d * 2.0 if t.dtype.kind != "c" else t * conj(d) + conj(t) * d


squared_difference = binary(
    "squared_difference", _squared_difference_kernel, saves="in", dtypes="fVic",
    vjp=(lambda g, y, a, b: _twice_real(g) * (a - b),
         lambda g, y, a, b: _twice_real(g) * (b - a)),
    jvp=_squared_difference_jvp, check=Samples(), lower=lambda b, x, y: b.square(b.sub(x, y)))


@export("math.squared_difference")
def _squared_difference(x: Any, y: Any, name: str | None = None) -> Tensor:
    """The squared difference (x - y)², elementwise; |x - y|² of complex tensors."""
    x, y = matching(x, y)
    if x.dtype.is_integer and x.dtype.size < 4:
        raise errors.invalid("SquaredDifference", f"tf.math.squared_difference: integers must be "
                                                  f"int32 or int64, got {x.dtype.name}")
    return squared_difference(x, y)


# -- sums of many ----------------------------------------------------------------------------------
def _add_n_kernel(*xs):
    for i, x in enumerate(xs[1:], 1):
        if x.shape != xs[0].shape or x.dtype != xs[0].dtype:
            raise errors.invalid("AddN", (
                f"Inputs must have the same dtype and shape: inputs[0] is {xs[0].dtype} "
                f"{list(xs[0].shape)}, inputs[{i}] is {x.dtype} {list(x.shape)}"))
    total = xs[0] + xs[1]
    for x in xs[2:]:
        total = total + x
    return total


def _add_n_jvp(ts, y, *xs):
    given = [t for t in ts if t is not None]
    return given[0] if len(given) == 1 else add_n_op(*given)


def _add_n_batch(call, size, xs, batched, attrs):
    return call(*[x if mark else broadcast_to(x, shape=(size, *shape_of(x)))
                  for x, mark in zip(xs, batched, strict=True)])


add_n_op = define("add_n", kernel=_add_n_kernel, shape=lambda *specs: specs[0], jvp=_add_n_jvp,
                  vjp=lambda g, y, *xs: (g,) * len(xs), batch=_add_n_batch, args=("*inputs",),
                  dtypes=NUMERIC, kind="elementwise", tf_name="AddN",
                  check=[Case((2, 3), (2, 3)), Case((3,), (3,), (3,)), Case((), ())],
                  lower=Pointwise(lambda b, *xs: functools.reduce(b.add, xs), complex=True))


@export("add_n", "math.add_n")
def add_n(inputs: Any, name: str | None = None) -> Tensor:
    """The sum of all tensors in a list; they have one shape and dtype."""
    if not isinstance(inputs, Iterable):
        raise TypeError(f"{type(inputs).__name__!r} object is not iterable (tf.add_n's `inputs`)")
    if isinstance(inputs, range) and inputs[1 << 31:]:
        raise errors.exhausted("AddN", f"{inputs}")
    values = [operand(x) for x in inputs]
    if not values:
        raise ValueError("tf.add_n: `inputs` must be an iterable of at least one "
                         "Tensor/IndexedSlices with the same dtype and shape.")
    return plain(values[0]) if len(values) == 1 else add_n_op(*values)


@export("math.accumulate_n")
def accumulate_n(inputs: Any, shape: Any = None, tensor_dtype: Any = None,
                 name: str | None = None) -> Tensor:
    """The sum of all tensors in a list; `shape` and `tensor_dtype` only check it."""
    message = ("tf.math.accumulate_n: `inputs` must be a list of at least one Tensor with the "
               "same dtype and shape")
    if not isinstance(inputs, (list, tuple)) or not inputs:
        raise ValueError(message)
    values = [operand(x) for x in inputs]
    if any(x.dtype != values[0].dtype for x in values):
        raise ValueError(message)
    merged = TensorShape(shape)
    for x in values:
        merged = merged.merge_with(x.shape)
    if tensor_dtype is not None and tf_dtypes.as_dtype(tensor_dtype) != values[0].dtype:
        raise TypeError(f"tf.math.accumulate_n: `tensor_dtype` is {tensor_dtype}, but `inputs` "
                        f"are of type {values[0].dtype}. These must be equal.")
    return values[0] if len(values) == 1 else add_n_op(*values)


@export("scalar_mul", "math.scalar_mul")
def scalar_mul(scalar: Any, x: Any, name: str | None = None) -> Any:
    """`scalar` times a tensor or IndexedSlices, which stay slices."""
    if hasattr(x, "dense_shape") and not isinstance(x, IndexedSlices):  # sparse
        raise x._refusal()
    kind = tf_dtypes.as_dtype(x.dtype) if hasattr(x, "dtype") else convert(x).dtype
    factor = operand(scalar, kind)
    if shape_of(factor):
        raise ValueError(f"tf.scalar_mul: `scalar` must be a 0-D value. Received shape "
                         f"{factor.shape}.")
    if isinstance(x, IndexedSlices):
        return IndexedSlices(multiply(factor, operand(x.values)), x.indices, x.dense_shape)
    return multiply(factor, operand(x))


@export("math.polyval")
@attributes(x=dense)
def polyval(coeffs: Any, x: Any, name: str | None = None) -> Tensor:
    """The polynomial with these coefficients, highest power first, at x (Horner's rule)."""
    if not isinstance(coeffs, list):
        raise ValueError(f"tf.math.polyval: `coeffs` must be a list, got {type(coeffs)}.")
    x = operand(x)
    if not coeffs:
        return constant_like(x, 0)
    terms = [operand(c) for c in coeffs]
    p = terms[0]
    for c in terms[1:]:
        p = c + p * x
    return p

