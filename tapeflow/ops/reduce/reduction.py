"""Reductions over axes: sums, means, extremes, products, any, all, counts.

`reduction` makes the record, a quick call and the public function with TensorFlow's signature.
May be imported by other modules of `ops`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from tapeflow.base import dtypes as tf_dtypes
from tapeflow.base.exception_origin import unsignalled
from tapeflow.base.exports import export, publish
from tapeflow.core.deferrable import UNKNOWN_VALUE_ERRORS, deferred
from tapeflow.core.record import primitive_ops
from tapeflow.core.record.families import _present, axes_of, operand
from tapeflow.core.record.linear import batch_reduction, reduced
from tapeflow.core.record.lowering_forms import Expand, Reduce
from tapeflow.core.record.op import (
    BARE,
    CHEAP,
    FLOAT,
    MODERATE,
    NONDIFF,
    NUMERIC,
    REAL,
    Op,
    OpCall,
    Spec,
    apply,
    define,
    shape_of,
    specialise,
    wrong_dtype,
)
from tapeflow.core.record.primitive_ops import (
    all_batched,
    broadcast_to,
    cast,
    dims,
    expand_reduced,
    sum_kernel,
)
from tapeflow.core.record.samples import Case, ints, uniform
from tapeflow.core.record.traits import set_traits
from tapeflow.core.state import state
from tapeflow.core.values.tensor import Tensor, wrap
from tapeflow.core.values.variable import Variable
from tapeflow.ops.math.arithmetic import conj_of
from tapeflow.ops.reduce.cumulative import cumprod

ndarray = np.ndarray
_new = object.__new__
_F32 = np.dtype("float32")
_BOOL = tf_dtypes.bool


# -- the family ------------------------------------------------------------------------------------
def reduction_cases(shape: Callable) -> list[Case]:
    """Cases that every reduction should stand: all axes, one, several, none, and a scalar."""
    return [Case(shape((2, 3)), axis=None), Case(shape((2, 3)), axis=(1,)),
            Case(shape((2, 3)), axis=(0,), keepdims=True),
            Case(shape((2, 3, 2)), axis=(0, 2)), Case(shape((3,)), axis=()),
            Case(shape(()), axis=None)]


def reduction(name: str, kernel: Callable, *, vjp: Any, jvp: Callable | None = None,
              saves: str = "", names: tuple[str, ...] = (), dtypes: str = NUMERIC,
              shape: Callable | None = None, check: Any = None, doc: str = "",
              tf_name: str | None = None, lower: Any = None, cost: int = MODERATE) -> OpCall:
    """Define an op that reduces its operand over `axis`, and publish it.

    Its kernel and rules must have defaults for `axis` and `keepdims`: a full reduction is recorded
    without attributes.
    """
    op = define(name, kernel=kernel, shape=shape or reduced(), jvp=jvp, saves=saves, kind="reduce",
                vjp=vjp if isinstance(vjp, str) else (vjp,), batch=batch_reduction, dtypes=dtypes,
                check=check, tf_name=tf_name, lower=lower, cost=cost).op
    return publish_reduction(op, names, doc)


def publish_reduction(op: Op, names: tuple[str, ...], doc: str) -> OpCall:
    call = specialise(op, _reduction_call(op))
    if names:
        public = _reduction_public(op)
        public.__doc__ = doc
        _present(public, names[0], ("input_tensor", "axis", "keepdims", "name"))
        publish(public, *names)
    return call


def _reduction_call(op: Op) -> Callable:
    kernel, allowed, recover = op.kernel, op.allowed, op.recover
    usual = _F32 if "f" in allowed else None

    def call(x, axis=None, keepdims=False):
        if type(x) is not Tensor:
            if type(x) in BARE:
                if op.large is not None and type(x) is ndarray and x.size >= op.least:
                    return op.large(x, axis=axis, keepdims=keepdims)
                return kernel(x, axis, keepdims)
            return apply(op, (x,), {"axis": axis, "keepdims": keepdims})
        value = x._value
        dtype = value.dtype
        if dtype is not usual and dtype.kind not in allowed:
            raise wrong_dtype(op, value)
        try:
            if op.large is not None and type(value) is ndarray and value.size >= op.least:
                result = op.large(value, axis=axis, keepdims=keepdims)
            else:
                result = kernel(value, axis, keepdims)
        except unsignalled(Exception) as error:
            result = recover(error, (value,), {"axis": axis, "keepdims": keepdims})
        y = _new(Tensor)
        y._value = result
        y._uid = 0
        recorder = state.recorder
        if recorder is not None:
            if axis is None and not keepdims:
                recorder.note1(op, x, y)
            else:
                recorder.note(op, (x,), y, {"axis": axis, "keepdims": keepdims})
        return y

    return call


def _reduction_public(op: Op) -> Callable:
    call, tf_name = op.call, op.tf_name
    dtype = _BOOL if op.allowed == {"b"} else None

    def known(x, axis, keepdims):
        return call(x, axes_of(x, axis, tf_name), bool(keepdims))

    known.__name__ = op.name

    def public(input_tensor, axis=None, keepdims=False, name=None):
        x = input_tensor
        if type(x) is not Tensor:
            x = operand(x, None if isinstance(x, (Tensor, Variable)) else dtype)
        if axis is not None:
            try:
                axis = axes_of(x, axis, tf_name)
            except UNKNOWN_VALUE_ERRORS as error:
                return deferred(known, (x, axis, keepdims), error)
        return call(x, axis, keepdims if type(keepdims) is bool else bool(keepdims))

    return public


def count_of(x: Any, axis: tuple | None) -> Any:
    """How many elements of x go into one result: a number, or a Tensor where sizes are unknown."""
    shape = shape_of(x)
    count = 1
    for i in range(len(shape)) if axis is None else axis:
        size = shape[i]
        if size is None:
            return element_count(x, axis=axis)
        count *= size
    return max(count, 1)  # 0: there is nothing to divide


def _element_count_kernel(x, axis=None):
    axes = range(x.ndim) if axis is None else axis
    return x.dtype.type(max(int(np.prod([x.shape[i] for i in axes], dtype=np.int64)), 1))


def _element_count_batch(call, size, xs, batched, attrs):
    axis = attrs["axis"]
    rank = len(shape_of(xs[0])) - 1
    shifted = tuple(range(1, rank + 1)) if axis is None else tuple([a + 1 for a in axis])
    return broadcast_to(call(xs[0], axis=shifted), shape=(size,))


def _element_count_steps(x, axis=None):
    return wrap(x.dtype.np.type(count_of(x, axis)))


element_count = define("element_count", kernel=_element_count_kernel,
                       shape=lambda x, axis=None: Spec((), x.dtype), dtypes=NUMERIC,
                       vjp=NONDIFF("a count of elements, which depends on the shape alone"),
                       batch=_element_count_batch, tf_name="Size",
                       check=[Case((2, 3), axis=(1,)), Case((2, 3), axis=None)],
                       lower=Expand(_element_count_steps))


def numpy_dtype(x: Any) -> np.dtype:
    return np.dtype(getattr(x.dtype, "np", x.dtype))


# -- sum and mean ----------------------------------------------------------------------------------
reduce_sum = publish_reduction(
    primitive_ops.reduce_sum.op, ("reduce_sum", "math.reduce_sum"),
    "The sum of the elements over `axis` (a number, several, or None for all).")


def mean_kernel(x, axis=None, keepdims=False):
    """Sum, then divide, as TensorFlow does: a float16 sum over 65504 is inf; bfloat16 rounds once.
    """
    dtype = x.dtype
    if dtype.kind == "V":
        return mean_kernel(x.astype(_F32), axis, keepdims).astype(dtype)
    if dtype is _F32 or dtype.kind in "fVc":
        total = sum_kernel(x, axis, keepdims)
        count = x.size if axis is None else x.size // max(total.size, 1)
        return total / total.dtype.type(count)
    return _integer_mean(x, axis, keepdims)


def _integer_mean(x, axis, keepdims):
    """Truncates toward zero; narrow integers add up in 64 bits."""
    wide = np.uint64 if x.dtype.kind == "u" else np.int64
    total = np.add.reduce(x, axis=axis, dtype=wide, keepdims=keepdims)
    count = wide(x.size // max(total.size, 1) or 1)
    quotient = total // count
    if wide is np.int64:
        quotient = quotient + ((total < 0) & (quotient * count != total))
    return quotient.astype(x.dtype)


def _mean_vjp(g, y, x, axis=None, keepdims=False):
    return broadcast_to(expand_reduced(g / count_of(x, axis), x, axis, keepdims), shape=dims(x))


reduce_mean = reduction(
    "reduce_mean", mean_kernel, vjp=_mean_vjp, tf_name="Mean",
    jvp=lambda ts, y, x, axis=None, keepdims=False: reduce_mean(ts[0], axis, keepdims),
    names=("reduce_mean", "math.reduce_mean"), check=reduction_cases(lambda shape: shape),
    doc="The mean of the elements over `axis`; of integers it truncates toward zero.",
    lower=Reduce("sum", mean=True), cost=CHEAP)
set_traits(reduce_mean, hazard="mean")


# -- extremes --------------------------------------------------------------------------------------
def _share_kernel(x, y, axis=None):
    chosen = x == y
    wide = x.dtype if x.dtype.itemsize > 2 else _F32
    counts = np.add.reduce(chosen, axis=axis, dtype=wide, keepdims=True)
    return (chosen / counts).astype(x.dtype, copy=False)


def _share_batch(call, size, xs, batched, attrs):
    rank = len(shape_of(xs[0])) - batched[0]
    axis = attrs["axis"]
    shifted = tuple(range(1, rank + 1)) if axis is None else tuple([a + 1 for a in axis])
    x, y = all_batched(xs, batched, size)
    if len(shape_of(y)) < rank + 1:
        y = primitive_ops.reshape(y, shape=(size, *(1,) * rank))
    return call(x, y, axis=shifted)


def _share_steps(x, y, axis=None):
    chosen = cast(x == y, dtype=numpy_dtype(x))
    return chosen / reduce_sum(chosen, axis, True)


# Elements equal to the extreme share its gradient equally; where it is NaN none is, hence 0/0.
tie_share = define("tie_share", kernel=_share_kernel, shape=lambda x, y, axis=None: x,
                   vjp=NONDIFF("which elements are the extreme ones: piecewise constant"),
                   batch=_share_batch, args=("x", "y"), dtypes=FLOAT,
                   check=[Case([[1.0, 3.0], [3.0, 2.0]], [[3.0], [3.0]], axis=(1,)),
                          Case([2.0, 2.0], 2.0, axis=None)], lower=Expand(_share_steps))


def _extreme_vjp(g, y, x, axis=None, keepdims=False):
    share = tie_share(x, expand_reduced(y, x, axis, keepdims), axis=axis)
    return expand_reduced(g, x, axis, keepdims) * share


def _extreme_jvp(ts, y, x, axis=None, keepdims=False):
    share = tie_share(x, expand_reduced(y, x, axis, keepdims), axis=axis)
    return reduce_sum(ts[0] * share, axis, keepdims)


def extreme_kernel(ufunc, worst: Callable) -> Callable:
    """Kernel of reduce_max and reduce_min; `worst` is the result where there are no elements."""
    run = ufunc.reduce

    def kernel(x, axis=None, keepdims=False):
        if not x.size:
            return run(x, axis=axis, keepdims=keepdims, initial=worst(x.dtype))
        return run(x, axis=axis, keepdims=keepdims)

    return kernel


def lowest(dtype: np.dtype) -> Any:
    return dtype.type(-np.inf) if dtype.kind in "fV" else np.iinfo(dtype).min


def highest(dtype: np.dtype) -> Any:
    return dtype.type(np.inf) if dtype.kind in "fV" else np.iinfo(dtype).max


reduce_max = reduction(
    "reduce_max", extreme_kernel(np.maximum, lowest), vjp=_extreme_vjp, jvp=_extreme_jvp,
    saves="in out", names=("reduce_max", "math.reduce_max"), dtypes=REAL, tf_name="Max",
    check=reduction_cases(lambda shape: shape),
    doc="The largest element over `axis`; equal ones share the gradient, NaN wins.",
    lower=Reduce("max"), cost=CHEAP)

reduce_min = reduction(
    "reduce_min", extreme_kernel(np.minimum, highest), vjp=_extreme_vjp, jvp=_extreme_jvp,
    saves="in out", names=("reduce_min", "math.reduce_min"), dtypes=REAL, tf_name="Min",
    check=reduction_cases(lambda shape: shape),
    doc="The smallest element over `axis`; equal ones share the gradient, NaN wins.",
    lower=Reduce("min"), cost=CHEAP)
for _call in (reduce_max, reduce_min):
    set_traits(_call, hazard="extreme")


# -- products --------------------------------------------------------------------------------------
def _prod_kernel(x, axis=None, keepdims=False):
    return np.multiply.reduce(x, axis=axis, dtype=x.dtype, keepdims=keepdims)


def _other_factors(x, axis):
    """For each element the product of all others, exact also where some are 0.

    Axis by axis: those along the axis (before times after), times those of the other slices.
    """
    axes = tuple(range(len(shape_of(x)))) if axis is None else axis
    others, left = None, x
    for a in axes:
        here = (cumprod(left, axis=a, exclusive=True)
                * cumprod(left, axis=a, exclusive=True, reverse=True))
        others = here if others is None else others * here
        left = reduce_prod(left, (a,), True)
    return others


def _prod_vjp(g, y, x, axis=None, keepdims=False):
    others = _other_factors(x, axis)
    g = expand_reduced(g, x, axis, keepdims)
    return g if others is None else g * conj_of(others)


def _prod_jvp(ts, y, x, axis=None, keepdims=False):
    others = _other_factors(x, axis)
    return reduce_sum(ts[0] if others is None else ts[0] * others, axis, keepdims)


reduce_prod = reduction(
    "reduce_prod", _prod_kernel, vjp=_prod_vjp, jvp=_prod_jvp, saves="in", tf_name="Prod",
    names=("reduce_prod", "math.reduce_prod"),
    check=[*reduction_cases(lambda shape: uniform(0.5, 2.0, shape)),
           Case([2.0, 0.0, 3.0], axis=None, grad=False)],
    doc="The product of the elements over `axis`; its gradient is exact with zeros among them.",
    lower=Reduce("prod"))


# -- log-sum-exp, norm, variance -------------------------------------------------------------------
# -- logic and counts ------------------------------------------------------------------------------
_LOGICAL = NONDIFF("a boolean result")
reduce_any = reduction(
    "reduce_any", lambda x, axis=None, keepdims=False: np.logical_or.reduce(
        x, axis=axis, keepdims=keepdims),
    vjp=_LOGICAL, dtypes="b", tf_name="Any", names=("reduce_any", "math.reduce_any"),
    check=[Case([[True, False], [False, False]], axis=(1,))],
    doc="Whether any element over `axis` is true.", lower=Reduce("any"))
reduce_all = reduction(
    "reduce_all", lambda x, axis=None, keepdims=False: np.logical_and.reduce(
        x, axis=axis, keepdims=keepdims),
    vjp=_LOGICAL, dtypes="b", tf_name="All", names=("reduce_all", "math.reduce_all"),
    check=[Case([[True, False], [True, True]], axis=(1,))],
    doc="Whether all elements over `axis` are true.", lower=Reduce("all"))


def _count_nonzero_kernel(x, axis=None, keepdims=False, dtype=None):
    marks = x != b"" if x.dtype.kind == "O" else x != 0
    return np.add.reduce(marks, axis=axis, dtype=np.int64, keepdims=keepdims).astype(dtype)


def _count_nonzero_steps(x, axis=None, keepdims=False, dtype=None):
    marks = cast(x if x.dtype.kind == "b" else x != 0, dtype=np.dtype("int64"))
    return cast(reduce_sum(marks, axis, keepdims), dtype=dtype)


_count_nonzero = define(
    "count_nonzero", kernel=_count_nonzero_kernel, batch=batch_reduction, kind="reduce",
    shape=lambda x, axis=None, keepdims=False, dtype=None: reduced(dtype)(
        x, axis=axis, keepdims=keepdims),
    vjp=NONDIFF("a count, which does not change with small changes of its input"), tf_name="Sum",
    check=[Case(ints(3, (2, 3)), axis=(1,), dtype=np.dtype("int64")),
           Case((2, 3), axis=None, keepdims=True, dtype=np.dtype("float32"))],
    lower=Expand(_count_nonzero_steps))


@export("math.count_nonzero")
def count_nonzero(input: Any, axis: Any = None, keepdims: bool | None = None,
                  dtype: Any = tf_dtypes.int64, name: str | None = None) -> Tensor:
    """How many elements over `axis` are not zero (not empty, for strings)."""
    x = operand(input)
    return _count_nonzero(x, axis=axes_of(x, axis, "Sum"), keepdims=bool(keepdims),
                          dtype=tf_dtypes.as_dtype(dtype).np)


# -- argmax ----------------------------------------------------------------------------------------
