"""Comparisons with their operators, and maximum and minimum."""

from __future__ import annotations

import operator
from typing import Any

import numpy as np

from tapeflow.base.exports import export
from tapeflow.core.deferrable import deferrable
from tapeflow.core.record.families import binary, matching, operand, unary
from tapeflow.core.record.op import ANY, CHEAP, FLOAT, NONDIFF, REAL, Op, Spec, shape_of
from tapeflow.core.record.operators import on_variable, operators
from tapeflow.core.record.primitive_ops import cut, reshape
from tapeflow.core.record.samples import Samples
from tapeflow.core.record.traits import set_traits
from tapeflow.core.state import state
from tapeflow.core.values.tensor import Tensor, wrap
from tapeflow.core.values.variable import Variable
from tapeflow.ops.math.select import keep_where

_TRUTH = NONDIFF("a comparison gives True or False, which do not change smoothly with anything")
_SAMPLES = Samples(-2, 2, special=[0.0, -0.0, 1.0, np.inf, -np.inf, np.nan])

equal = binary("equal", operator.eq, vjp=_TRUTH, dtypes=ANY, result=bool, check=_SAMPLES,
               names=("equal", "math.equal"), doc="x == y, elementwise.", lower="eq", cost=CHEAP)
not_equal = binary("not_equal", operator.ne, vjp=_TRUTH, dtypes=ANY, result=bool, check=_SAMPLES,
                   names=("not_equal", "math.not_equal"), doc="x != y, elementwise.", lower="ne",
                   cost=CHEAP)
less = binary("less", operator.lt, vjp=_TRUTH, dtypes=REAL, result=bool, check=_SAMPLES,
              names=("less", "math.less"), doc="x < y, elementwise.", lower="lt", cost=CHEAP)
less_equal = binary("less_equal", operator.le, vjp=_TRUTH, dtypes=REAL, result=bool,
                    check=_SAMPLES, names=("less_equal", "math.less_equal"),
                    doc="x <= y, elementwise.", lower="le", cost=CHEAP)
greater = binary("greater", operator.gt, vjp=_TRUTH, dtypes=REAL, result=bool, check=_SAMPLES,
                 names=("greater", "math.greater"), doc="x > y, elementwise.", lower="gt",
                 cost=CHEAP)
greater_equal = binary("greater_equal", operator.ge, vjp=_TRUTH, dtypes=REAL, result=bool,
                       check=_SAMPLES, names=("greater_equal", "math.greater_equal"),
                       doc="x >= y, elementwise.", lower="ge", cost=CHEAP)

for _call, _symbol in ((less, "lt"), (less_equal, "le"), (greater, "gt"), (greater_equal, "ge")):
    operators(_call, _symbol, reflected=False)


# -- == and != -------------------------------------------------------------------------------------
def _equality(call: Any, unequal: bool) -> Any:
    """`==` never fails for shapes that do not broadcast: such tensors are just not equal."""
    op: Op = call.op

    def method(self, other):
        if state.trace is not None and (graph := state.trace.home_graph()) and graph.is_asked():
            return (self is other) is not unequal  # as tf.Graphs compare tensors
        if type(self) is not Tensor or type(other) is not Tensor:
            if hasattr(other, "decides_equality"):
                return NotImplemented
            self, other = matching(self, other)
            if self.ndim is None or other.ndim is None:
                return call(self, other)
        if not _broadcastable(shape_of(self), shape_of(other)) and self.dtype == other.dtype:
            return wrap(np.bool_(unequal))
        return call(self, other)

    method.__name__ = "__ne__" if unequal else "__eq__"
    method.__doc__ = f"`{'!=' if unequal else '=='}`, elementwise; see {op.name}."
    return method


def _broadcastable(a: tuple, b: tuple) -> bool:
    if a == b or not a or not b:
        return True
    return all(m == n or m == 1 or n == 1 or m is None or n is None
               for m, n in zip(a[::-1], b[::-1], strict=False))


def _unless_none(method: Any, unequal: bool) -> Any:
    """A Tensor, unlike a variable, can be compared with None; that gives a Python bool."""

    def guarded(self, other):
        return unequal if other is None else method(self, other)

    guarded.__name__, guarded.__doc__ = method.__name__, method.__doc__
    return guarded


for _call, _unequal in ((equal, False), (not_equal, True)):
    _method = _equality(_call, _unequal)
    setattr(Tensor, _method.__name__, _unless_none(_method, _unequal))
    setattr(Variable, _method.__name__, on_variable(_method))


# -- the larger and the smaller --------------------------------------------------------------------
def _maximum_kernel(x, y):
    if type(x) is np.ndarray or type(y) is np.ndarray:
        return np.maximum(x, y)
    return y if y > x or y != y else x


def _minimum_kernel(x, y):
    if type(x) is np.ndarray or type(y) is np.ndarray:
        return np.minimum(x, y)
    return y if y < x or y != y else x


# Ties give the whole gradient to the first operand; NaN operands give it to the second.
maximum = binary("maximum", _maximum_kernel, saves="in", dtypes=REAL,
                 vjp=(lambda g, y, a, b: keep_where(g, a >= b),
                      lambda g, y, a, b: keep_where(g, ~(a >= b))),
                 names=("maximum", "math.maximum"), doc="The larger of x and y, elementwise.",
                 check=Samples(special=[0.0, -0.0, np.inf, np.nan]), lower="maximum")
minimum = binary("minimum", _minimum_kernel, saves="in", dtypes=REAL,
                 vjp=(lambda g, y, a, b: keep_where(g, a <= b),
                      lambda g, y, a, b: keep_where(g, ~(a <= b))),
                 names=("minimum", "math.minimum"), doc="The smaller of x and y, elementwise.",
                 check=Samples(special=[0.0, -0.0, np.inf, np.nan]), lower="minimum")
set_traits(maximum, selects_elements=True)
set_traits(minimum, selects_elements=True)


# -- what a number is ------------------------------------------------------------------------------
def _kind_test(name: str, kernel: Any, lower: Any, doc: str) -> Any:
    return unary(name, kernel, vjp=_TRUTH, dtypes=FLOAT, saves="", names=(f"math.{name}",),
                 shape=lambda x: Spec(x.shape, np.dtype(bool)), check=_SAMPLES, doc=doc,
                 lower=lower)


is_nan = _kind_test("is_nan", np.isnan, "isnan", "True where x is NaN.")
is_inf = _kind_test("is_inf", np.isinf, lambda b, x: b.eq(b.abs(x), b.const(np.inf, x)),
                    "True where x is infinite.")
is_finite = _kind_test("is_finite", np.isfinite,
                       lambda b, x: b.lt(b.abs(x), b.const(np.inf, x)),
                       "True where x is neither infinite nor NaN.")


# -- in order --------------------------------------------------------------------------------------
def _in_order(x: Any, compare: Any, function: str) -> Tensor:
    """Whether each element compares so with the next, in row-major order."""
    x = operand(x)
    if not x.dtype.is_numeric:
        raise TypeError(f"{function}: expected `x` to be numeric, got {x.dtype!r}")
    from tapeflow.ops.reduce.reduction import reduce_all
    size = int(np.prod(shape_of(x), dtype=np.int64))
    if size < 2:
        return operand(True)
    flat = reshape(x, shape=(size,))
    return reduce_all(compare(cut(flat, axis=0, start=0, size=size - 1),
                              cut(flat, axis=0, start=1, size=size - 1)))


@export("math.is_non_decreasing")
@deferrable
def is_non_decreasing(x: Any, name: str | None = None) -> Tensor:
    """Whether the elements never fall, in row-major order; True for fewer than two."""
    return _in_order(x, less_equal, "tf.math.is_non_decreasing")


@export("math.is_strictly_increasing")
@deferrable
def is_strictly_increasing(x: Any, name: str | None = None) -> Tensor:
    """Whether the elements always rise, in row-major order; True for fewer than two."""
    return _in_order(x, less, "tf.math.is_strictly_increasing")
