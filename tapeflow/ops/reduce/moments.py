"""Reductions made of several: log-sum-exp, Euclidean norm, variance, standard deviation."""

from __future__ import annotations

from typing import Any

import numpy as np

from tapeflow.base.exports import export
from tapeflow.core.record import primitive_ops
from tapeflow.core.record.families import axes_of, operand
from tapeflow.core.record.linear import batch_reduction, reduced
from tapeflow.core.record.lowering_forms import Expand
from tapeflow.core.record.op import (
    FLOAT,
    define,
    shape_of,
)
from tapeflow.core.record.primitive_ops import cast, expand_reduced, sum_kernel
from tapeflow.core.record.samples import Case, uniform
from tapeflow.core.values.tensor import Tensor
from tapeflow.ops.math.arithmetic import conj_of
from tapeflow.ops.math.comparison import is_finite
from tapeflow.ops.math.exponential import exp, log, sqrt
from tapeflow.ops.math.select import keep_where
from tapeflow.ops.reduce.reduction import (
    count_of,
    extreme_kernel,
    lowest,
    mean_kernel,
    numpy_dtype,
    reduce_max,
    reduce_mean,
    reduce_sum,
    reduction,
    reduction_cases,
)

_F32 = np.dtype("float32")


def _finite_max(x, axis):
    """The largest element where it is finite, else 0, so that inf - inf does not arise."""
    m = extreme_kernel(np.maximum, lowest)(x, axis, True)
    return np.where(np.isfinite(m), m, m.dtype.type(0))


def _logsumexp_kernel(x, axis=None, keepdims=False):
    m = _finite_max(x, axis)
    y = np.log(sum_kernel(np.exp(x - m), axis, keepdims))
    return y + (m if keepdims else m.reshape(y.shape))


def _exp_share_kernel(x, axis=None):
    e = np.exp(x - _finite_max(x, axis))
    return e / sum_kernel(e, axis, True)


def _finite_max_steps(x, axis):
    m = reduce_max(x, axis, True)
    return keep_where(m, is_finite(m))


def _logsumexp_steps(x, axis=None, keepdims=False):
    m = _finite_max_steps(x, axis)
    y = log(reduce_sum(exp(x - m), axis, keepdims))
    return y + (m if keepdims else primitive_ops.reshape(m, shape=shape_of(y)))


def _exp_share_steps(x, axis=None):
    e = exp(x - _finite_max_steps(x, axis))
    return e / reduce_sum(e, axis, True)


def _exp_share_vjp(g, y, x, axis=None):
    return y * (g - reduce_sum(g * y, axis, True))


exp_share = define("exp_share", kernel=_exp_share_kernel, shape=lambda x, axis=None: x,
                   vjp=(_exp_share_vjp,), saves="out", batch=batch_reduction, dtypes=FLOAT,
                   jvp=lambda ts, y, x, axis=None: _exp_share_vjp(ts[0], y, x, axis),
                   check=[Case((2, 3), axis=(1,)), Case((2, 3), axis=None)],
                   lower=Expand(_exp_share_steps))

reduce_logsumexp = reduction(
    "reduce_logsumexp", _logsumexp_kernel, saves="in", dtypes=FLOAT, tf_name="ReduceLogSumExp",
    vjp=lambda g, y, x, axis=None, keepdims=False: (
        expand_reduced(g, x, axis, keepdims) * exp_share(x, axis=axis)),
    jvp=lambda ts, y, x, axis=None, keepdims=False: reduce_sum(
        ts[0] * exp_share(x, axis=axis), axis, keepdims),
    names=("reduce_logsumexp", "math.reduce_logsumexp"), check=reduction_cases(lambda shape: shape),
    doc="log(sum(exp(x))) over `axis`, without overflow.",
    lower=Expand(_logsumexp_steps, cancels=True))


def _norm_kernel(x, axis=None, keepdims=False):
    dtype = x.dtype
    if dtype.kind == "c":
        return np.sqrt(sum_kernel((x * x.conj()).real, axis, keepdims)).astype(dtype)
    if dtype.kind not in "iu" and dtype.itemsize == 2:
        x = x.astype(_F32)
    squares = sum_kernel(x * x, axis, keepdims)  # integers wrap around, as TensorFlow's do
    return np.sqrt(squares.astype(np.float64) if dtype.kind in "iu" else squares).astype(dtype)


def _norm_steps(x, axis=None, keepdims=False):
    dtype = numpy_dtype(x)
    if dtype.kind in "iu":
        squares = cast(reduce_sum(x * x, axis, keepdims), dtype=np.dtype("float64"))
        return cast(sqrt(squares), dtype=dtype)
    x = x if dtype.itemsize > 2 else cast(x, dtype=_F32)
    return cast(sqrt(reduce_sum(x * x, axis, keepdims)), dtype=dtype)


def _norm_vjp(g, y, x, axis=None, keepdims=False):
    if g.dtype.kind == "c":  # the norm is real, so only that part of g counts
        g = (g + conj_of(g)) * 0.5
    return x * expand_reduced(g / y, x, axis, keepdims)


def _norm_jvp(ts, y, x, axis=None, keepdims=False):
    if ts[0].dtype.kind == "c":
        product = conj_of(x) * ts[0]
        return reduce_sum(product + conj_of(product), axis, keepdims) / (2.0 * y)
    return reduce_sum(ts[0] * x, axis, keepdims) / y


reduce_euclidean_norm = reduction(
    "reduce_euclidean_norm", _norm_kernel, vjp=_norm_vjp, jvp=_norm_jvp, saves="in out",
    tf_name="EuclideanNorm", names=("math.reduce_euclidean_norm",),
    check=[*reduction_cases(lambda shape: uniform(0.5, 2.0, shape)), Case([0.0, 0.0], axis=None,
                                                                 grad=False)],
    doc="The square root of the sum of squares over `axis`; its gradient at 0 is NaN.",
    lower=Expand(_norm_steps))


def _variance_kernel(x, axis=None, keepdims=False):
    d = x - mean_kernel(x, axis, True)
    return mean_kernel((d.conj() * d).real if x.dtype.kind == "c" else d * d, axis, keepdims)


def _variance_steps(x, axis=None, keepdims=False):
    d = x - reduce_mean(x, axis, True)
    return reduce_mean(d * d, axis, keepdims)


def _variance_shape(x, axis=None, keepdims=False):
    real = np.empty(0, x.dtype).real.dtype if x.dtype.kind == "c" else x.dtype
    return reduced(real)(x, axis=axis, keepdims=keepdims)


def _deviation(x, axis):
    """Twice the distance from the mean, over the number of elements.

    Its own mean is 0 but for rounding, and NaN where an element is infinite, as in TensorFlow.
    """
    d = (x - reduce_mean(x, axis, True)) * (2.0 / count_of(x, axis))
    return d - reduce_mean(d, axis, True)


def _variance_vjp(g, y, x, axis=None, keepdims=False):
    g, d = expand_reduced(g, x, axis, keepdims), _deviation(x, axis)
    return (cast(g, dtype=numpy_dtype(x)) if x.dtype.kind == "c" else g) * d


def _variance_jvp(ts, y, x, axis=None, keepdims=False):
    product = ts[0] * conj_of(_deviation(x, axis))
    total = reduce_sum(product, axis, keepdims)
    return cast(total, dtype=numpy_dtype(y)) if x.dtype.kind == "c" else total


reduce_variance_op = reduction(
    "reduce_variance", _variance_kernel, vjp=_variance_vjp, jvp=_variance_jvp, saves="in",
    shape=_variance_shape, dtypes="fVc", tf_name="Mean", check=reduction_cases(lambda shape: shape),
    lower=Expand(_variance_steps))


@export("math.reduce_variance")
def reduce_variance(input_tensor: Any, axis: Any = None, keepdims: bool = False,
                    name: str | None = None) -> Tensor:
    """The mean squared distance from the mean, over `axis`."""
    x = operand(input_tensor)
    if x.dtype.is_integer:
        raise TypeError(f"tf.math.reduce_variance: input_tensor must be real or complex, got "
                        f"integer type {x.dtype!r}.")
    return reduce_variance_op(x, axes_of(x, axis, "Mean"), bool(keepdims))


@export("math.reduce_std")
def reduce_std(input_tensor: Any, axis: Any = None, keepdims: bool = False,
               name: str | None = None) -> Tensor:
    """The square root of the variance over `axis`; its gradient at equal elements is NaN."""
    return sqrt(reduce_variance(input_tensor, axis, keepdims))
