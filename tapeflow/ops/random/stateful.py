"""tf.random.normal and kin: numbers from streams that the global and the op's seed choose.

In a trace each random node gets a stream of its own, so do the ops in a vectorized map, which is
one trace to TensorFlow. See seeds.py for the rules.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from tapeflow.base import dtypes as tf_dtypes
from tapeflow.base import errors
from tapeflow.base.attributes import attributes, dense
from tapeflow.base.dtypes import DType
from tapeflow.base.exports import export
from tapeflow.core import state as states
from tapeflow.core.autodiff.batching import BatchLevel
from tapeflow.core.autodiff.custom_gradient import RANDOM_STATE
from tapeflow.core.record.families import operand
from tapeflow.core.record.op import LARGE
from tapeflow.core.record.primitive_ops import dims
from tapeflow.core.state import state
from tapeflow.core.values.tensor import Tensor, wrap
from tapeflow.ops.math.arithmetic import realdiv
from tapeflow.ops.math.comparison import maximum
from tapeflow.ops.random import random_ops
from tapeflow.ops.random.arguments import (
    between,
    float_dtype,
    index_dtype,
    integer_bound,
    scaled,
    shape_vector,
)
from tapeflow.ops.random.samplers.distributions import RESERVED_BLOCKS
from tapeflow.ops.random.stateless import (
    category_dtype,
    count_dtype,
    gamma_parameters,
    least_sample,
    poisson_rate,
    sample_count,
)
from tapeflow.ops.random.streams import seeds

_UNIFORM_DTYPES = (tf_dtypes.float16, tf_dtypes.bfloat16, tf_dtypes.float32, tf_dtypes.float64,
                   tf_dtypes.int32, tf_dtypes.int64)

# A recomputed function draws what it drew the first time.
RANDOM_STATE.append((seeds.take_state, seeds.put_state))


@export("random.set_seed")
def set_seed(seed: Any) -> None:
    """Set the global seed: the same draws in the same order give the same numbers again.

    >>> tf.random.set_seed(1)
    >>> tf.random.normal([2]).numpy()
    array([-1.1012203,  1.5457517], dtype=float32)
    """
    if state.trace is not None:
        seeds.traced_seeds(state.trace).seed = seed
    else:
        seeds.set_seed(seed)


# -- streams and states ----------------------------------------------------------------------------


def _levels() -> list[BatchLevel]:
    """The vectorized maps that we are in, outermost first."""
    return [one.part or one for one in state.stack if isinstance(one, BatchLevel) and one.draws]


def _stream(op: str, types: tuple, seed: Any) -> seeds.Stream:
    if state.trace is not None:
        return seeds.Stream(*seeds.get_seed(seed))
    if state.stack:
        levels = _levels()
        if levels:
            return seeds.traced_seeds(getattr(levels[-1], "root", levels[-1])).stream(seed)
    return seeds.eager_stream((op, types), seed)


def _sizes(shape: Any, op: str, seed: Any) -> Any:
    """The shape of a draw; an op that refuses it has taken its seed by then."""
    try:
        return shape_vector(shape, op)
    except errors.InvalidArgumentError:
        if state.trace is None:
            seeds.get_seed(seed)
        raise


def _draw(numbers: Any, stream: seeds.Stream, shape: Any, op: str, *bounds: Tensor,
          **attrs: Any) -> Tensor:
    """Numbers from the next segment of a stream; a batch is drawn at once, in order."""
    if state.trace is None and not state.stack and numbers in random_ops.DRAWS and (
            math.prod(shape) < LARGE):
        random_ops.check_sizes(shape, op)
        key, counter = stream.reserve(math.prod(shape) * RESERVED_BLOCKS)
        value = random_ops.DRAWS[numbers](key, counter, shape, attrs["dtype"])
        return wrap(value if shape else value[()])
    levels = _levels() if state.stack else []
    if not levels or isinstance(shape, Tensor):
        if not isinstance(shape, Tensor):
            random_ops.check_sizes(shape, op)
        return numbers(random_ops.next_state(stream=stream, shape=shape), *bounds, shape=shape,
                       **attrs)
    whole = (*(level.size for level in levels), *shape)
    random_ops.check_sizes(shape, op)
    with states.only(levels[0].below):
        result = numbers(random_ops.next_state(stream=stream, shape=whole), *bounds, shape=whole,
                         **attrs)
    for level in levels:
        result = level.batched(result)
    return result


def _next_state(stream: seeds.Stream, **use: Any) -> Tensor:
    """The state for a draw that takes operands; each element of a batch gets one of its own."""
    levels = _levels() if state.stack else []
    if not levels:
        return random_ops.next_state(stream=stream, **use)
    sizes = tuple(level.size for level in levels)
    with states.only(levels[0].below):
        count = math.prod(sizes)
        found = [random_ops.next_state(stream=stream, **use)._value for _ in range(count)]
        result = wrap(np.stack(found).reshape(*sizes, 3))
    for level in levels:
        result = level.batched(result)
    return result


# -- numbers of a given shape ----------------------------------------------------------------------


@export("random.normal")
def normal(shape: Any, mean: Any = 0.0, stddev: Any = 1.0, dtype: Any = tf_dtypes.float32,
           seed: Any = None, name: str | None = None) -> Tensor:
    """Normal numbers, differentiable by mean and stddev.

    >>> tf.random.set_seed(5)
    >>> tf.random.normal([2, 2], seed=1).numpy()
    array([[-1.3768897 , -0.01258316],
           [-0.169515  ,  1.0824056 ]], dtype=float32)
    """
    return _located(random_ops.normal_numbers, "RandomStandardNormal", shape, mean, stddev, dtype,
                    seed)


@export("random.truncated_normal")
def truncated_normal(shape: Any, mean: Any = 0.0, stddev: Any = 1.0,
                     dtype: Any = tf_dtypes.float32, seed: Any = None,
                     name: str | None = None) -> Tensor:
    """Normal numbers within two standard deviations of the mean; others are drawn again.

    >>> bool(tf.reduce_all(abs(tf.random.truncated_normal([100])) < 2))
    True
    """
    return _located(random_ops.truncated_numbers, "TruncatedNormal", shape, mean, stddev, dtype,
                    seed)


def _located(numbers: Any, op: str, shape: Any, mean: Any, stddev: Any, dtype: Any,
             seed: Any) -> Tensor:
    sizes, wanted = _sizes(shape, op, seed), tf_dtypes.as_dtype(dtype)
    if not wanted.is_floating:
        operand(mean, wanted), operand(stddev, wanted)
        float_dtype(wanted, op)

    def draw() -> Tensor:
        stream = _stream(op, (wanted.name, index_dtype(shape)), seed)
        return _draw(numbers, stream, sizes, op, dtype=wanted.np)

    return scaled(draw, stddev, mean, wanted)


@export("random.uniform")
def uniform(shape: Any, minval: Any = 0, maxval: Any = None, dtype: Any = tf_dtypes.float32,
            seed: Any = None, name: str | None = None) -> Tensor:
    """Numbers on [minval, maxval): floats, or integers if dtype is int32 or int64.

    >>> tf.random.set_seed(5)
    >>> tf.random.uniform([], maxval=3, dtype=tf.int32, seed=10).numpy()
    np.int32(2)
    """
    wanted = tf_dtypes.as_dtype(dtype)
    if wanted not in _UNIFORM_DTYPES:
        raise ValueError(f"Argument `dtype` got invalid value {wanted!r}. Accepted dtypes are "
                         f"{_UNIFORM_DTYPES}.")
    if maxval is None:
        if wanted.is_integer:
            raise ValueError(f"Must specify maxval for integer dtype {wanted!r}")
        maxval = 1
    op = "RandomUniformInt" if wanted.is_integer else "RandomUniform"
    sizes, types = _sizes(shape, op, seed), (wanted.name, index_dtype(shape))
    if wanted.is_integer:
        return _integers(op, types, sizes, minval, maxval, wanted, seed)

    def draw() -> Tensor:
        stream = _stream(op, types, seed)
        return _draw(random_ops.uniform_numbers, stream, sizes, op, dtype=wanted.np)

    return between(draw, minval, maxval, wanted)


def _integers(op: str, types: tuple, sizes: Any, minval: Any, maxval: Any, dtype: DType,
              seed: Any) -> Tensor:
    low, high = integer_bound(minval, dtype), integer_bound(maxval, dtype)
    stream = _stream(op, types, seed)
    if state.stack and _levels() and not (type(low) is Tensor and type(high) is Tensor):
        source = _next_state(stream, shape=sizes)  # bounds that differ between elements
        return random_ops.uniform_integers(source, low, high, shape=sizes, tf_name=op)
    return _draw(random_ops.uniform_integers, stream, sizes, op, low, high, tf_name=op)


# -- numbers that take operands --------------------------------------------------------------------


@export("random.shuffle")
def shuffle(value: Any, seed: Any = None, name: str | None = None) -> Tensor:
    """The rows of `value` in random order.

    >>> sorted(tf.random.shuffle([3, 1, 2]).numpy().tolist())
    [1, 2, 3]
    """
    rows = operand(value)
    stream = _stream("RandomShuffle", (rows.dtype.name,), seed)
    source = _next_state(stream, shape=dims(rows), use="shuffle")
    return random_ops.shuffled(source, rows, tf_name="RandomShuffle")


@export("random.gamma")
@attributes(alpha=dense, beta=dense)
def gamma(shape: Any, alpha: Any, beta: Any = None, dtype: Any = tf_dtypes.float32,
          seed: Any = None, name: str | None = None) -> Tensor:
    """`shape` gamma numbers for each alpha and beta (inverse scale), with gradients to both.

    >>> tf.random.gamma([10], alpha=[0.5, 1.5]).shape
    TensorShape([10, 2])
    """
    op = "RandomGamma"
    sizes = _sizes(shape, op, seed)
    alpha, beta = gamma_parameters(alpha, beta, tf_dtypes.as_dtype(dtype))
    stream = _stream(op, (alpha.dtype.name, "int32"), seed)
    least = least_sample(alpha.dtype)
    each = dims(alpha)
    source = _next_state(stream, shape=sizes, more=each)
    numbers = random_ops.gamma_numbers(source, alpha, shape=_appended(sizes, each), tf_name=op)
    return maximum(least, realdiv(numbers, beta))


def _appended(sizes: Any, more: Any) -> Any:
    if not isinstance(sizes, Tensor) and not isinstance(more, Tensor):
        return (*sizes, *more)
    from tapeflow.core.record.primitive_ops import concat
    first, second = operand(sizes, tf_dtypes.int32), operand(more, tf_dtypes.int32)
    return concat(first, second, axis=0)


@export("random.poisson")
def poisson(shape: Any, lam: Any, dtype: Any = tf_dtypes.float32, seed: Any = None,
            name: str | None = None) -> Tensor:
    """`shape` Poisson numbers for each rate in lam.

    >>> tf.random.poisson([10], lam=[0.5, 1.5]).shape
    TensorShape([10, 2])
    """
    op = "RandomPoissonV2"
    sizes = _sizes(shape, op, seed)
    wanted, rate = count_dtype(dtype, op), poisson_rate(lam, op)
    stream = _stream(op, (wanted.name, rate.dtype.name, "int32"), seed)
    each = dims(rate)
    source = _next_state(stream, shape=sizes, more=each)
    return random_ops.poisson_numbers(source, rate, shape=_appended(sizes, each), dtype=wanted.np,
                                   tf_name=op)


@export("random.categorical")
def categorical(logits: Any, num_samples: Any, dtype: Any = None, seed: Any = None,
                name: str | None = None) -> Tensor:
    """Class indices with probabilities softmax(logits), `num_samples` for each row of logits.

    >>> tf.random.categorical([[0.0, 0.0]], 5).shape
    TensorShape([1, 5])
    """
    op = "Multinomial"
    rows, wanted = operand(logits), category_dtype(dtype)
    stream = _stream(op, (rows.dtype.name, wanted.name), seed)
    samples = sample_count(num_samples, rows, op)
    source = _next_state(stream, shape=dims(rows), more=(samples,), use="categorical")
    return random_ops.categories(source, rows, samples=samples, dtype=wanted.np, tf_name=op)
