"""tf.random.stateless_* and kin: numbers that depend on nothing but the seed they are given."""

from __future__ import annotations

from typing import Any

import numpy as np

from tapeflow.base import dtypes as tf_dtypes
from tapeflow.base import errors
from tapeflow.base.attributes import attributes, dense
from tapeflow.base.dtypes import DType
from tapeflow.base.exception_origin import unsignalled
from tapeflow.base.exports import export
from tapeflow.core.record.elementwise_ops import add
from tapeflow.core.record.families import operand
from tapeflow.core.record.op import shape_of
from tapeflow.core.record.primitive_ops import broadcast_to, stack
from tapeflow.core.values.convert import convert
from tapeflow.core.values.tensor import Tensor
from tapeflow.ops._support.arguments import brackets, int_scalar, wrong_kind
from tapeflow.ops.math.arithmetic import multiply, realdiv
from tapeflow.ops.math.comparison import maximum
from tapeflow.ops.random import random_ops
from tapeflow.ops.random.arguments import (
    between,
    checked_seed,
    float_dtype,
    integer_bound,
    only_philox,
    scaled,
    shape_vector,
)

_UNIFORM_DTYPES = (tf_dtypes.float16, tf_dtypes.bfloat16, tf_dtypes.float32, tf_dtypes.float64,
                   tf_dtypes.int32, tf_dtypes.int64, tf_dtypes.uint32, tf_dtypes.uint64)
_COUNT_DTYPES = ("float16", "float32", "float64", "int32", "int64")
_CATEGORY_DTYPES = (tf_dtypes.int32, tf_dtypes.int64)


@export("random.stateless_normal")
def stateless_normal(shape: Any, seed: Any, mean: Any = 0.0, stddev: Any = 1.0,
                     dtype: Any = tf_dtypes.float32, name: str | None = None,
                     alg: Any = "auto_select") -> Tensor:
    """Normal numbers: the same for the same seed, a pair of integers.

    >>> tf.random.stateless_normal([3], seed=[1, 2]).numpy()
    array([0.5441101 , 0.20738031, 0.07356432], dtype=float32)
    """
    op = "StatelessRandomNormalV2"
    sizes, wanted = shape_vector(shape, op), tf_dtypes.as_dtype(dtype)
    _convertible(mean, stddev, wanted, op)

    def draw() -> Tensor:
        only_philox(alg, op)
        return random_ops.normal_numbers(checked_seed(seed), shape=sizes, dtype=wanted.np)

    return scaled(draw, stddev, mean, wanted)


@export("random.stateless_truncated_normal")
@attributes(mean=dense, stddev=dense)
def stateless_truncated_normal(shape: Any, seed: Any, mean: Any = 0.0, stddev: Any = 1.0,
                               dtype: Any = tf_dtypes.float32, name: str | None = None,
                               alg: Any = "auto_select") -> Tensor:
    """Normal numbers within two standard deviations of the mean, by a pair of integers as seed.

    >>> tf.random.stateless_truncated_normal([2], seed=[1, 2]).shape
    TensorShape([2])
    """
    op = "StatelessTruncatedNormalV2"
    sizes, wanted = shape_vector(shape, op), tf_dtypes.as_dtype(dtype)
    _convertible(mean, stddev, wanted, op)

    def draw() -> Tensor:
        only_philox(alg, op)
        return random_ops.truncated_numbers(checked_seed(seed), shape=sizes, dtype=wanted.np)

    return scaled(draw, stddev, mean, wanted)


def _convertible(mean: Any, stddev: Any, dtype: DType, op: str) -> None:
    """A mean or deviation that the dtype cannot hold is named before the dtype is."""
    if not dtype.is_floating:
        operand(mean, dtype), operand(stddev, dtype)
        float_dtype(dtype, op)


@export("random.stateless_uniform")
def stateless_uniform(shape: Any, seed: Any, minval: Any = 0, maxval: Any = None,
                      dtype: Any = tf_dtypes.float32, name: str | None = None,
                      alg: Any = "auto_select") -> Tensor:
    """Numbers on [minval, maxval) by a pair of integers as seed; ints of the whole range if None.

    >>> tf.random.stateless_uniform([3], seed=[1, 2], maxval=10, dtype=tf.int32).numpy()
    array([0, 9, 4], dtype=int32)
    """
    wanted = tf_dtypes.as_dtype(dtype)
    _check_uniform(wanted, minval, maxval)
    op = _uniform_op(wanted, minval)
    sizes = shape_vector(shape, op)

    def source() -> Tensor:
        only_philox(alg, op)
        return checked_seed(seed)

    return uniform_by(source, sizes, minval, maxval, wanted)


def _check_uniform(dtype: DType, minval: Any, maxval: Any) -> None:
    if dtype not in _UNIFORM_DTYPES:
        raise ValueError(f"Argument `dtype` got invalid value {dtype}. Accepted dtypes are "
                         f"{_UNIFORM_DTYPES}.")
    if dtype.is_integer:
        if (minval is None) != (maxval is None):
            raise ValueError(f"For integer `dtype` argument {dtype}, argument `minval` and "
                             f"`maxval` must be both None or not None. Got `minval`={minval} and "
                             f"`maxval`={maxval}.")
        if minval is not None and dtype.kind == "u":
            raise ValueError(f"Argument `dtype` got invalid value {dtype} when argument `minval` "
                             "is not None. Please don't use unsigned integers in this case.")


def _uniform_op(dtype: DType, minval: Any) -> str:
    if not dtype.is_integer:
        return "StatelessRandomUniformV2"
    return f"StatelessRandomUniform{'Full' if minval is None else ''}IntV2"


def uniform_by(source: Any, sizes: Any, minval: Any, maxval: Any, dtype: DType) -> Tensor:
    """Uniform numbers of any dtype from a stream that `source()` gives when all else is right."""
    if dtype.is_integer and minval is None:
        if dtype.np.itemsize < 4:
            raise wrong_kind("StatelessRandomUniformFullIntV2", "dtype", dtype,
                             "int32, int64, uint32, uint64")
        return random_ops.full_integers(source(), shape=sizes, dtype=dtype.np)
    if dtype.is_integer:
        low, high = integer_bound(minval, dtype), integer_bound(maxval, dtype)
        if dtype.name not in ("int32", "int64"):
            raise errors.NotFoundError(None, None, (
                f"Could not find device for node: StatelessRandomUniformIntV2 with dtype "
                f"{dtype.name}: bounded integers are int32 or int64"))
        return random_ops.uniform_integers(source(), low, high, shape=sizes)

    def draw() -> Tensor:
        return random_ops.uniform_numbers(source(), shape=sizes, dtype=dtype.np)

    return between(draw, minval, 1 if maxval is None else maxval, dtype)


@export("random.stateless_gamma")
def stateless_gamma(shape: Any, seed: Any, alpha: Any, beta: Any = None,
                    dtype: Any = tf_dtypes.float32, name: str | None = None) -> Tensor:
    """Gamma numbers with gradients to alpha and beta; `shape` ends with the shape of the two.

    >>> tf.random.stateless_gamma([5, 2], seed=[1, 2], alpha=[0.5, 1.5]).shape
    TensorShape([5, 2])
    """
    op = "StatelessRandomGammaV3"
    sizes = shape_vector(shape, op)
    alpha, beta = gamma_parameters(alpha, beta, tf_dtypes.as_dtype(dtype))
    source, least = checked_seed(seed), least_sample(alpha.dtype)
    numbers = random_ops.gamma_numbers(source, alpha, shape=sizes)
    return maximum(least, realdiv(numbers, beta))


def gamma_parameters(alpha: Any, beta: Any, dtype: DType) -> tuple[Tensor, Tensor]:
    """alpha broadcast to beta's shape, and beta."""
    alpha = operand(alpha, dtype)
    beta = operand(1 if beta is None else beta, dtype)
    return _broadcast_with(alpha, beta), beta


def least_sample(dtype: DType) -> Tensor:
    """What stands in for samples that round to 0."""
    if dtype.name not in ("float16", "float32", "float64"):
        raise ValueError(f"data type {dtype.as_numpy_dtype} not inexact: gamma numbers are "
                         "float16, float32 or float64")
    return convert(np.finfo(dtype.np).tiny)


def _broadcast_with(alpha: Tensor, beta: Tensor) -> Tensor:
    """alpha in the shape that it and beta broadcast to."""
    if not (alpha.shape.is_fully_defined() and beta.shape.is_fully_defined()):
        return add(alpha, multiply(beta, convert(0, beta.dtype)))
    first, second = shape_of(alpha), shape_of(beta)
    try:
        common = np.broadcast_shapes(first, second)
    except unsignalled(ValueError):
        raise errors.invalid("BroadcastArgs", f"Incompatible shapes: {brackets(first)} vs. "
                                              f"{brackets(second)} of alpha and beta") from None
    return alpha if first == common else broadcast_to(alpha, shape=common)


@export("random.stateless_poisson")
def stateless_poisson(shape: Any, seed: Any, lam: Any, dtype: Any = tf_dtypes.int32,
                      name: str | None = None) -> Tensor:
    """Poisson numbers of rate lam, whose shape `shape` ends with.

    >>> tf.random.stateless_poisson([3, 2], seed=[1, 2], lam=[5.0, 15.0]).shape
    TensorShape([3, 2])
    """
    op = "StatelessRandomPoisson"
    sizes, wanted = shape_vector(shape, op), count_dtype(dtype, op)
    rate = poisson_rate(lam, op)
    return random_ops.poisson_numbers(checked_seed(seed, op), rate, shape=sizes, dtype=wanted.np)


def count_dtype(dtype: Any, op: str) -> DType:
    wanted = tf_dtypes.as_dtype(dtype)
    if wanted.name not in _COUNT_DTYPES:
        raise wrong_kind(op, "dtype", wanted, "half, float, double, int32, int64")
    return wanted


def poisson_rate(lam: Any, op: str) -> Tensor:
    rate = operand(lam)
    if rate.dtype.name not in _COUNT_DTYPES:
        raise wrong_kind(op, "R", rate.dtype, "half, float, double, int32, int64")
    return rate


@export("random.stateless_binomial")
def stateless_binomial(shape: Any, seed: Any, counts: Any, probs: Any,
                       output_dtype: Any = tf_dtypes.int32, name: str | None = None) -> Tensor:
    """How many of `counts` tries succeed; `shape` ends with the shape of counts and probs.

    >>> tf.random.stateless_binomial([2], seed=[1, 2], counts=[10.0, 20.0], probs=0.5).numpy()
    array([6, 7], dtype=int32)
    """
    op = "StatelessRandomBinomial"
    sizes, wanted = shape_vector(shape, op), count_dtype(output_dtype, op)
    chances = operand(probs, hint=tf_dtypes.float32)
    tries = operand(counts, hint=chances.dtype)
    check_binomial(tries, chances, op, errors.NotFoundError)
    return random_ops.binomial_numbers(checked_seed(seed, op), tries, chances, shape=sizes,
                                    dtype=wanted.np)


def check_binomial(counts: Tensor, probs: Tensor, op: str, missing: type) -> None:
    """Both of one dtype, a floating one."""
    if counts.dtype.name not in ("float16", "float32", "float64"):
        raise missing(None, None, f"Could not find device for node: {op} with counts of "
                                  f"{counts.dtype.name}: there are float16, float32, float64")
    if counts.dtype != probs.dtype:
        raise errors.invalid(op, f"cannot compute {op} as probs was expected to be a "
                                 f"{counts.dtype.name} tensor but is a {probs.dtype.name} tensor")


@export("random.stateless_categorical")
def stateless_categorical(logits: Any, num_samples: Any, seed: Any, dtype: Any = tf_dtypes.int64,
                          name: str | None = None) -> Tensor:
    """Class indices with probabilities softmax(logits), `num_samples` for each row of logits.

    >>> tf.random.stateless_categorical([[0.0, 0.0]], 5, seed=[7, 17]).shape
    TensorShape([1, 5])
    """
    op = "StatelessMultinomial"
    rows, wanted = operand(logits), category_dtype(dtype)
    samples = sample_count(num_samples, rows, op)
    return random_ops.categories(checked_seed(seed, op), rows, samples=samples, dtype=wanted.np)


def sample_count(num_samples: Any, logits: Tensor, op: str) -> Any:
    """The number of samples as an int or, in a trace, a Tensor; refuses logits of integers too."""
    if not logits.dtype.is_floating:
        raise errors.NotFoundError(None, None, (
            f"Could not find device for node: {op} with logits of {logits.dtype.name}: there are "
            "float16, bfloat16, float32, float64"))
    if isinstance(num_samples, Tensor) and num_samples.dtype != tf_dtypes.int32:
        raise errors.invalid(op, f"cannot compute {op} as input #1(zero-based) was expected to be "
                                 f"a int32 tensor but is a {num_samples.dtype.name} tensor")
    if isinstance(num_samples, range) or np.ndim(num_samples):
        raise errors.invalid(op, "num_samples should be a scalar, got shape "
                                 f"{brackets(np.shape(num_samples[:9]))}")
    return int_scalar(num_samples, op, "num_samples")


def category_dtype(dtype: Any) -> DType:
    wanted = tf_dtypes.as_dtype(dtype) if dtype else tf_dtypes.int64
    if wanted not in _CATEGORY_DTYPES:
        raise ValueError(f"Argument `dtype` got invalid value {wanted}. Accepted dtypes are "
                         f"{_CATEGORY_DTYPES}.")
    return wanted


@export("random.stateless_parameterized_truncated_normal")
def stateless_parameterized_truncated_normal(
        shape: Any, seed: Any, means: Any = 0.0, stddevs: Any = 1.0, minvals: Any = -2.0,
        maxvals: Any = 2.0, name: str | None = None) -> Tensor:
    """Normal numbers between bounds, with gradients to all four parameters.

    >>> tf.random.stateless_parameterized_truncated_normal(
    ...     [10, 3], seed=[7, 17], minvals=[-1.0, -2.0, 0.0]).shape
    TensorShape([10, 3])
    """
    op = "StatelessParameterizedTruncatedNormal"
    sizes = shape_vector(shape, op)
    parameters = [operand(p) for p in (means, stddevs, minvals, maxvals)]
    for p in parameters:
        if p.dtype.name not in ("float16", "float32", "float64"):
            raise wrong_kind(op, "dtype", p.dtype, "half, float, double")
        if p.dtype != parameters[0].dtype:
            raise errors.invalid(op, f"cannot compute {op} with parameters of dtypes "
                                     f"{parameters[0].dtype.name} and {p.dtype.name}")
    return random_ops.bounded_numbers(checked_seed(seed, op), *parameters, shape=sizes)


@export("random.experimental.stateless_shuffle")
def stateless_shuffle(value: Any, seed: Any, alg: Any = "auto_select",
                      name: str | None = None) -> Tensor:
    """The rows of `value` in an order that the seed gives.

    >>> tf.random.experimental.stateless_shuffle([[1, 2], [3, 4], [5, 6]], seed=[8, 9]).numpy()
    array([[5, 6],
           [1, 2],
           [3, 4]], dtype=int32)
    """
    only_philox(alg, "StatelessShuffle")
    return random_ops.shuffled(checked_seed(seed), operand(value))


@export("random.experimental.index_shuffle")
def index_shuffle(index: Any, seed: Any, max_index: Any) -> Tensor:
    """Where `index` goes in a permutation of 0 ... max_index that the seed gives.

    >>> tf.random.experimental.index_shuffle(tf.range(4), seed=[5, 9], max_index=3).numpy()
    array([2, 0, 1, 3], dtype=int32)
    """
    op, allowed = "RandomIndexShuffle", "int32, uint32, int64, uint64"
    index = operand(index)
    if index.dtype.name not in allowed.split(", "):
        raise wrong_kind(op, "dtype", index.dtype, allowed)
    seed, most = operand(seed), operand(max_index, index.dtype)
    if seed.ndim == 2 and index.ndim == 0 and most.ndim == 0:
        raise errors.invalid(op, "a matrix of seeds needs a vector of indices, got shapes "
                                 f"{seed.shape} and {index.shape}")
    return random_ops.shuffled_index(index, seed, most)


@export("random.split", "random.experimental.stateless_split")
def split(seed: Any, num: Any = 2, alg: Any = "auto_select") -> Tensor:
    """`num` new seeds made of one.

    >>> tf.random.split([1, 2], num=3).numpy()
    array([[1105988140, 1738052849],
           [-335576002,  370444179],
           [  10670227, -246211131]], dtype=int32)
    """
    source = operand(seed)
    return stateless_uniform([num, 2], source, None, None, source.dtype, alg=alg)


@export("random.fold_in", "random.experimental.stateless_fold_in")
def fold_in(seed: Any, data: Any, alg: Any = "auto_select") -> Tensor:
    """A new seed made of a seed and an integer, such as a step or a replica's index.

    >>> tf.random.fold_in([1, 2], 3).numpy()
    array([1105988140,          3], dtype=int32)
    """
    integer = operand(data)
    if not integer.dtype.is_integer:
        raise ValueError(f"tf.random.fold_in needs an integer as data, got {integer!r}")
    return stack(stateless_uniform([], seed, None, None, integer.dtype, alg=alg), integer, axis=0)
