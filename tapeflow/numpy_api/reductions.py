"""Reductions and running totals."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

import tapeflow as tf
from tapeflow.core.values.tensor import Tensor
from tapeflow.numpy_api.pairs import true_divide
from tapeflow.numpy_api.promotion import array, asarray, public, result_type, to_float


def _reduced(function: Callable, a: Any, axis: Any, dtype: Any, keepdims: Any, ints: str,
             bools: Callable | None = None, keep_bools: bool = False) -> Any:
    """Reduce by `function`. Integers become long ones or floats (`ints`), or stay as they are."""
    if isinstance(dtype, (Tensor, np.ndarray)) and not dtype:
        raise TypeError(f"tf.experimental.numpy: {dtype!r} is no dtype")
    dtype = result_type(dtype) if dtype else None
    a = asarray(a, dtype=dtype)
    if isinstance(axis, Tensor) and axis.dtype not in (tf.int32, tf.int64):
        axis = tf.cast(axis, tf.int64)
    keepdims = bool(keepdims)
    if bools is not None and (dtype == tf.bool or (keep_bools and a.dtype == tf.bool)):
        return bools(a, axis=axis, keepdims=keepdims)
    if dtype is None and (a.dtype.is_integer or a.dtype == tf.bool):
        if ints == "float":
            a = to_float(a)
        elif ints == "long":
            a = tf.cast(a, tf.uint64 if a.dtype.is_unsigned else tf.int64)
    return function(a, axis=axis, keepdims=keepdims)


def _no_out(name: str, out: Any) -> None:
    if out is not None:
        raise ValueError(f"tf.experimental.numpy.{name}: setting out is not supported.")


@public("sum")
def sum_(a: Any, axis: Any = None, dtype: Any = None, keepdims: Any = None) -> Any:
    """The sum over axes; short integers are summed as long ones."""
    return _reduced(tf.reduce_sum, a, axis, dtype, keepdims, "long", tf.reduce_any)


@public("prod")
def prod(a: Any, axis: Any = None, dtype: Any = None, keepdims: Any = None) -> Any:
    """The product over axes."""
    return _reduced(tf.reduce_prod, a, axis, dtype, keepdims, "long", tf.reduce_all)


@public("mean")
def mean(a: Any, axis: Any = None, dtype: Any = None, out: Any = None, keepdims: Any = None) -> Any:
    """The mean over axes, of integers as floats."""
    _no_out("mean", out)
    return _reduced(tf.reduce_mean, a, axis, dtype, keepdims, "float")


@public("amax")
def amax(a: Any, axis: Any = None, out: Any = None, keepdims: Any = None) -> Any:
    """The largest element over axes."""
    _no_out("amax", out)
    return _reduced(tf.reduce_max, a, axis, None, keepdims, "", tf.reduce_any, True)


@public("amin")
def amin(a: Any, axis: Any = None, out: Any = None, keepdims: Any = None) -> Any:
    """The smallest element over axes."""
    _no_out("amin", out)
    return _reduced(tf.reduce_min, a, axis, None, keepdims, "", tf.reduce_all, True)


@public("max")
def max_(a: Any, axis: Any = None, keepdims: Any = None) -> Any:
    """The largest element over axes."""
    return amax(a, axis=axis, keepdims=keepdims)


@public("min")
def min_(a: Any, axis: Any = None, keepdims: Any = None) -> Any:
    """The smallest element over axes."""
    return amin(a, axis=axis, keepdims=keepdims)


@public("ptp")
def ptp(a: Any, axis: Any = None, keepdims: Any = None) -> Any:
    """Largest minus smallest element."""
    return amax(a, axis=axis, keepdims=keepdims) - amin(a, axis=axis, keepdims=keepdims)


def _variance(ddof: int) -> Callable:
    def function(x: Any, axis: Any, keepdims: bool) -> Any:
        deviation = x - tf.reduce_mean(x, axis=axis, keepdims=True)
        squares = tf.math.real(deviation * tf.math.conj(deviation))
        total = tf.reduce_sum(squares, axis=axis, keepdims=keepdims)
        count = tf.size(x) if axis is None else tf.reduce_prod(tf.gather(tf.shape(x), axis))
        return total / tf.cast(count - ddof, total.dtype)

    return function


@public("var")
def var(a: Any, axis: Any = None, dtype: Any = None, out: Any = None, ddof: int = 0,
        keepdims: Any = None) -> Any:
    """The variance over axes; `ddof` is taken off the count."""
    _no_out("var", out)
    working = result_type(a, dtype) if dtype else None
    if isinstance(axis, int) and axis < 0:
        axis += asarray(a).shape.rank
    if ddof is not None and not isinstance(ddof, (int, float, np.generic, np.ndarray, Tensor)):
        raise TypeError(f"tf.experimental.numpy.var: ddof must be a number, got {ddof!r}")
    function = _variance(ddof) if ddof else tf.math.reduce_variance
    result = _reduced(function, a, axis, working, keepdims, "float")
    return tf.cast(result, dtype) if dtype else result


@public("std")
def std(a: Any, axis: Any = None, keepdims: Any = None) -> Any:
    """The standard deviation over axes."""
    return _reduced(tf.math.reduce_std, a, axis, None, keepdims, "float")


@public("all")
def all_(a: Any, axis: Any = None, keepdims: Any = None) -> Any:
    """Whether all elements are true."""
    return tf.reduce_all(asarray(a, dtype=bool), axis=axis, keepdims=bool(keepdims))


@public("any")
def any_(a: Any, axis: Any = None, keepdims: Any = None) -> Any:
    """Whether an element is true."""
    return tf.reduce_any(asarray(a, dtype=bool), axis=axis, keepdims=bool(keepdims))


@public("count_nonzero")
def count_nonzero(a: Any, axis: Any = None) -> Any:
    """How many elements are not zero."""
    return tf.math.count_nonzero(array(a), axis)


# -- NaN left out ----------------------------------------------------------------------------------
def _without_nan(a: Any, instead: float) -> Any:
    a = array(a)
    if not (a.dtype.is_floating or a.dtype.is_complex):
        return a
    return tf.where(tf.math.is_nan(a), tf.constant(instead, a.dtype), a)


@public("nansum")
def nansum(a: Any, axis: Any = None, dtype: Any = None, keepdims: Any = False) -> Any:
    """The sum over axes, NaN counted as 0."""
    return sum_(_without_nan(a, 0), axis=axis, dtype=dtype, keepdims=keepdims)


@public("nanprod")
def nanprod(a: Any, axis: Any = None, dtype: Any = None, keepdims: Any = False) -> Any:
    """The product over axes, NaN counted as 1."""
    return prod(_without_nan(a, 1), axis=axis, dtype=dtype, keepdims=keepdims)


@public("nanmean")
def nanmean(a: Any, axis: Any = None, dtype: Any = None, keepdims: Any = None) -> Any:
    """The mean over axes of what is not NaN."""
    a = array(a)
    if not (a.dtype.is_floating or a.dtype.is_complex):
        return mean(a, axis=axis, dtype=dtype, keepdims=keepdims)
    dtype = a.dtype if dtype is None else dtype
    count = sum_(~tf.math.is_nan(a), axis=axis, dtype=dtype, keepdims=keepdims)
    return true_divide(nansum(a, axis=axis, dtype=dtype, keepdims=keepdims), count)


# -- running totals --------------------------------------------------------------------------------
def _cumulated(function: Callable, a: Any, axis: int | None, dtype: Any) -> Any:
    a = asarray(a, dtype=dtype)
    if dtype is None and a.dtype.is_integer:
        a = tf.cast(a, np.promote_types(a.dtype.np, np.int64))
    if axis is None:
        return function(tf.reshape(a, [-1]), 0)
    return function(a, axis + tf.rank(a) if axis < 0 and a.shape.rank is None else axis)


@public("cumsum")
def cumsum(a: Any, axis: int | None = None, dtype: Any = None) -> Any:
    """Running sums along an axis, or of all elements."""
    return _cumulated(tf.cumsum, a, axis, dtype)


@public("cumprod")
def cumprod(a: Any, axis: int | None = None, dtype: Any = None) -> Any:
    """Running products along an axis, or of all elements."""
    return _cumulated(tf.math.cumprod, a, axis, dtype)


@public("average")
def average(a: Any, axis: int | None = None, weights: Any = None, returned: bool = False) -> Any:
    """The mean, with weights if given; `returned` adds the sum of the weights."""
    if axis is not None and not isinstance(axis, int):
        raise ValueError(f"tf.experimental.numpy.average: axis must be an integer, got {axis!r}.")
    a = array(a)
    if weights is None:
        a = a if a.dtype.is_floating or a.dtype.is_complex else tf.cast(
            a, result_type(a.dtype, float))
        result = tf.reduce_mean(a, axis=axis)
        total = tf.cast(tf.size(a) if axis is None else tf.shape(a)[axis], a.dtype)
    else:
        inexact = a.dtype.is_floating or a.dtype.is_complex
        dtype = result_type(a.dtype, weights, *(() if inexact else (result_type(float),)))
        result, total = _weighted(array(a, dtype), array(weights, dtype), axis)
    return (result, tf.broadcast_to(total, tf.shape(result))) if returned else result


def _weighted(a: Any, weights: Any, axis: int | None) -> tuple:
    if axis is None or a.shape.rank == weights.shape.rank:
        tf.debugging.assert_equal(tf.shape(a), tf.shape(weights),
                                  message="tf.experimental.numpy.average: a and weights differ")
        total = tf.reduce_sum(weights, axis=axis)
        return tf.reduce_sum(a * weights, axis=axis) / total, total
    tf.debugging.assert_equal(tf.rank(weights), 1,
                              message="tf.experimental.numpy.average: weights must have rank 1")
    total = tf.reduce_sum(weights)
    return tf.tensordot(a, weights, [[axis], [0]]) / total, total
