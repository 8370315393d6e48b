"""Softmax and its logarithm, moments, normalisation by a norm or by moments, biases.

May be imported by other modules of `ops`.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from tapeflow.base import dtypes, errors
from tapeflow.base.attributes import attributes, dense
from tapeflow.base.dtypes import float16
from tapeflow.base.exports import export, known_as
from tapeflow.core.deferrable import deferrable, deferred
from tapeflow.core.record.elementwise_ops import stop_gradient
from tapeflow.core.record.families import axes_of, matching, operand, same_as
from tapeflow.core.record.lowering_forms import Expand
from tapeflow.core.record.op import FLOAT, define, shape_of
from tapeflow.core.record.primitive_ops import cast, constant_like, reshape
from tapeflow.core.record.samples import Case
from tapeflow.core.values.tensor import Tensor
from tapeflow.ops._support.arguments import brackets, wrong_kind
from tapeflow.ops._support.half_precision import float32_kernel
from tapeflow.ops.array import shaping
from tapeflow.ops.array.shape_ops import size as _size
from tapeflow.ops.math.arithmetic import add, divide_no_nan, squared_difference
from tapeflow.ops.math.comparison import maximum
from tapeflow.ops.math.complex import complex as complex_of
from tapeflow.ops.math.complex import imag, real
from tapeflow.ops.math.exponential import exp, log, reciprocal, rsqrt, square
from tapeflow.ops.reduce.reduction import count_nonzero, reduce_max, reduce_mean, reduce_sum

_F16, _F32 = np.dtype("float16"), np.dtype("float32")
NARROW = 32  # up to so many classes NumPy reduces faster with the classes first


def in_float32(x: Any, steps: Any) -> Any:
    """Half precision computed in float32 throughout, as the kernels do."""
    dtype = x.dtype.np
    return steps(x) if dtype.itemsize > 2 else cast(steps(cast(x, dtype=_F32)), dtype=dtype)


# -- softmax ---------------------------------------------------------------------------------------
def shifted(x: np.ndarray, axis: int) -> np.ndarray:
    """x minus its largest element along `axis`: a new array, whose exponentials do not overflow."""
    if not axis:
        return x - np.maximum.reduce(x, 0)
    return x - np.maximum.reduce(x, axis=axis, keepdims=True)


def classes_first(x: np.ndarray, axis: int) -> bool:
    return x.ndim == 2 and axis == 1 and x.shape[1] <= NARROW < x.shape[0]


def _softmax_kernel(x, axis):
    if not x.size:
        return x
    flip = classes_first(x, axis)
    e = shifted(x.T.copy() if flip else x, 0 if flip else axis)
    np.exp(e, e)
    e /= np.add.reduce(e, axis=0 if flip else axis, keepdims=True)
    return e.T if flip else e


def _log_softmax_kernel(x, axis):
    if not x.size:
        return x
    flip = classes_first(x, axis)
    z = shifted(x.T.copy() if flip else x, 0 if flip else axis)
    z -= np.log(np.add.reduce(np.exp(z), axis=0 if flip else axis, keepdims=True))
    return z.T if flip else z


def _shifted_steps(x, axis):
    return x - reduce_max(x, (axis,), True)


def _softmax_steps(x, axis):
    return in_float32(x, lambda x: _share_of_sum(exp(_shifted_steps(x, axis)), axis))


def _share_of_sum(e, axis):
    return e / reduce_sum(e, (axis,), True)


def _log_softmax_steps(x, axis):
    def run(x):
        z = _shifted_steps(x, axis)
        return z - log(reduce_sum(exp(z), (axis,), True))

    return in_float32(x, run)


def _batch(call, size, xs, batched, attrs):
    return call(xs[0], axis=attrs["axis"] + 1)


def _softmax_vjp(g, y, x, axis):
    return (g - reduce_sum(g * y, (axis,), True)) * y


def _log_softmax_vjp(g, y, x, axis):
    return g - reduce_sum(g, (axis,), True) * exp(y)


def _log_softmax_jvp(ts, y, x, axis):
    return ts[0] - reduce_sum(ts[0] * exp(y), (axis,), True)


_CASES = [Case((3,), axis=0), Case((2, 3), axis=1), Case((2, 3), axis=0), Case((2, 3, 2), axis=1),
          Case((NARROW + 2, 3), axis=1)]
softmax = define("softmax", kernel=float32_kernel(_softmax_kernel), shape=same_as(0), saves="out",
                 vjp=(_softmax_vjp,), jvp=lambda ts, y, x, axis: _softmax_vjp(ts[0], y, x, axis),
                 batch=_batch, dtypes=FLOAT, check=_CASES, lower=Expand(_softmax_steps))
log_softmax = define("log_softmax", kernel=float32_kernel(_log_softmax_kernel), shape=same_as(0),
                     vjp=(_log_softmax_vjp,), jvp=_log_softmax_jvp, saves="out", batch=_batch,
                     dtypes=FLOAT, check=_CASES, lower=Expand(_log_softmax_steps, cancels=True))


def _class_axis(x: Any, axis: Any, tf_name: str) -> int:
    rank = len(shape_of(x))
    if axis is None:
        axis = -1
    elif type(axis) is not int:
        axis = operand(axis)
        if axis.dtype.kind not in "iu":
            raise TypeError(f"{tf_name}: axis must be an integer, got {axis.dtype!r}")
        axis = int(axis)
    if not rank:
        raise errors.invalid(tf_name, f"logits must have >= 1 dimension, got {brackets(())}")
    if not -rank <= axis < rank:
        raise errors.invalid(tf_name, f"`dim` must be in the range [{-rank}, {rank}) where {rank} "
                                      f"is the number of dimensions in the input. Received: "
                                      f"dim={axis}")
    return axis % rank


@export("nn.softmax", "math.softmax")
def _public_softmax(logits: Any, axis: Any = None, name: str | None = None) -> Tensor:
    """exp(logits), divided by its sum along `axis` (the last unless given)."""
    x = logits if type(logits) is Tensor else operand(logits)
    try:
        return softmax(x, axis=_class_axis(x, axis, "Softmax"))
    except errors.UnknownSize as error:
        return deferred(_public_softmax, (x, axis), error)


@export("nn.log_softmax", "math.log_softmax")
def _public_log_softmax(logits: Any, axis: Any = None, name: str | None = None) -> Tensor:
    """The logarithm of softmax, exact also where softmax is 0."""
    x = logits if type(logits) is Tensor else operand(logits)
    try:
        return log_softmax(x, axis=_class_axis(x, axis, "LogSoftmax"))
    except errors.UnknownSize as error:
        return deferred(_public_log_softmax, (x, axis), error)


known_as(_public_softmax, "nn.softmax")
known_as(_public_log_softmax, "nn.log_softmax")


# -- moments ---------------------------------------------------------------------------------------
def _squeezed(x: Any, axis: tuple | None, keepdims: Any) -> Any:
    """Drop the reduced axes, which have size 1, unless they are to be kept."""
    if keepdims:
        return x
    shape = shape_of(x)
    if None in shape:
        return shaping.squeeze(x, axis)
    return reshape(x, shape=() if axis is None else tuple(
        [n for i, n in enumerate(shape) if i not in axis]))


@export("nn.moments")
def moments(x: Any, axes: Any, shift: Any = None, keepdims: bool = False,
            name: str | None = None) -> tuple[Tensor, Tensor]:
    """Mean and variance of x over `axes`. float16 is computed in float32."""
    half = x.dtype == float16
    x = operand(x)
    y = cast(x, dtype=_F32) if half else x
    if y.dtype.is_integer and y.dtype.size < 4:
        raise wrong_kind("SquaredDifference", "T", y.dtype)
    axis = axes_of(y, axes, "Mean")
    mean = reduce_mean(y, axis, True)
    # d variance / d mean is 0: TensorFlow stops it there, in higher orders too.
    variance = reduce_mean(squared_difference(y, stop_gradient(mean)), axis, True)
    results = (_squeezed(mean, axis, keepdims), _squeezed(variance, axis, keepdims))
    return tuple([cast(one, dtype=_F16) for one in results]) if half else results


@export("nn.weighted_moments")
@deferrable
@attributes(x=dense, frequency_weights=dense)
def weighted_moments(x: Any, axes: Any, frequency_weights: Any, keepdims: bool = False,
                     name: str | None = None) -> tuple[Tensor, Tensor]:
    """Mean and variance of x over `axes`, each element counted as often as its weight says."""
    x, weights = operand(x), operand(frequency_weights)
    half = x.dtype == float16
    if half:
        x = cast(x, dtype=_F32)
    if weights.dtype != x.dtype:
        if x.dtype.kind == "O":
            raise errors.UnimplementedError(
                None, None, f"Cast {weights.dtype.name} to string is not supported [Op:Cast]")
        weights = cast(weights, dtype=x.dtype.np)
    weighted = weights * x
    axis = axes_of(weighted, axes, "Sum")
    total = reduce_sum(weights + constant_like(x, 0), axis, True)
    mean = divide_no_nan(reduce_sum(weighted, axis, True), total)
    deviations = reduce_sum(weights * squared_difference(x, mean), axis, True)
    variance = divide_no_nan(deviations, total)
    results = (_squeezed(mean, axis, keepdims), _squeezed(variance, axis, keepdims))
    return tuple([cast(one, dtype=_F16) for one in results]) if half else results


@export("nn.sufficient_statistics")
@deferrable
@attributes(x=dense)
def sufficient_statistics(x: Any, axes: Any, shift: Any = None, keepdims: bool = False,
                          name: str | None = None) -> tuple:
    """Count, sum, sum of squares (of x - shift) over `axes`, and the shift, for moments."""
    x = operand(x)
    axis = axes_of(x, sorted(set(axes)), "Sum")
    shape = shape_of(x)
    count = operand(int(np.prod([shape[a] for a in axis or ()], dtype=np.int64)), x.dtype)
    if shift is None:
        sums, squares = x, square(x)
    else:
        shift = operand(shift)
        sums, squares = x - shift, squared_difference(x, shift)
    keepdims = bool(keepdims)
    return (count, reduce_sum(sums, axis, keepdims), reduce_sum(squares, axis, keepdims), shift)


@export("nn.normalize_moments")
def normalize_moments(counts: Any, mean_ss: Any, variance_ss: Any, shift: Any,
                      name: str | None = None) -> tuple[Tensor, Tensor]:
    """Mean and variance from what `sufficient_statistics` gives."""
    divisor = reciprocal(operand(counts))
    mean = mean_ss * divisor
    variance = variance_ss * divisor - square(mean)
    return (mean if shift is None else mean + shift), variance


@export("nn.zero_fraction", "math.zero_fraction")
@deferrable
def zero_fraction(value: Any, name: str | None = None) -> Tensor:
    """The share of elements that are 0, as float32."""
    x = operand(value)
    if x.ndim is not None and None not in shape_of(x):
        size = int(np.prod(shape_of(x), dtype=np.int64))
        return cast(size - count_nonzero(x), dtype=_F32) / operand(float(size))
    count = _size(x, dtypes.int64)
    return cast(count - count_nonzero(x), dtype=_F32) / cast(count, dtype=_F32)


# -- normalisation ---------------------------------------------------------------------------------
@export("nn.l2_normalize", "math.l2_normalize", "linalg.l2_normalize")
def l2_normalize(x: Any, axis: Any = None, epsilon: float = 1e-12, name: str | None = None,
                 dim: Any = None) -> Tensor:
    """x divided by its Euclidean norm over `axis`, or by sqrt(epsilon) if that is larger."""
    if dim is not None:
        if axis is not None:
            raise ValueError("tf.math.l2_normalize: cannot specify both 'dim' and 'axis'.")
        axis = dim
    x = operand(x)
    axis = axes_of(x, axis, "Sum")
    if x.dtype.is_complex:
        re, im = real(x), imag(x)
        total = reduce_sum(square(re) + square(im), axis, True)
        inverse = rsqrt(maximum(*matching(total, epsilon)))
        return complex_of(re * inverse, im * inverse)
    total = reduce_sum(square(x), axis, True)
    return x * rsqrt(maximum(*matching(total, epsilon)))


@export("nn.batch_normalization")
def batch_normalization(x: Any, mean: Any, variance: Any, offset: Any, scale: Any,
                        variance_epsilon: Any, name: str | None = None) -> Tensor:
    """(x - mean) / sqrt(variance + variance_epsilon) · scale + offset; the last two may be None."""
    x = operand(x)
    inverse = rsqrt(operand(variance) + variance_epsilon)
    if scale is not None:
        inverse = inverse * scale
    shifted = mean * inverse  # a list or NumPy array takes the dtype of `inverse`
    rest = -shifted if offset is None else offset - shifted
    return x * _as(inverse, x) + _as(rest, x)


def _as(value: Any, like: Any) -> Any:
    return value if value.dtype == like.dtype else cast(value, dtype=like.dtype.np)


@export("nn.bias_add")
def bias_add(value: Any, bias: Any, data_format: str | None = None,
             name: str | None = None) -> Tensor:
    """value plus a vector, along the last axis or, for data formats NC…, along axis 1."""
    name = name or "BiasAdd"  # in a tf.Graph the addition has it
    first = False
    if data_format is not None:
        first = data_format.startswith("NC")
        if not first and not (data_format.startswith("N") and data_format.endswith("C")):
            raise ValueError("tf.nn.bias_add: `data_format` must be of the form `N...C` or "
                             f"`NC...`. Received: data_format={data_format}")
    x, b = matching(value, bias)
    shape, biases = shape_of(x), shape_of(b)
    if len(shape) < 2:
        raise errors.invalid("BiasAdd", f"Input tensor must be at least 2D: {brackets(shape)}")
    if len(biases) != 1:
        raise errors.invalid("BiasAdd", f"Biases must be 1D: {brackets(biases)}")
    size = shape[1] if first else shape[-1]
    if None not in (size, biases[0]) and size != biases[0]:
        which = "channel" if first else "last"
        raise errors.invalid("BiasAdd", f"Must provide as many biases as the {which} dimension of "
                                        f"the input tensor: {brackets(biases)} vs. "
                                        f"{brackets(shape)}")
    if first:
        b = reshape(b, shape=(size, *(1,) * (len(shape) - 2)))
    return add(x, b)
