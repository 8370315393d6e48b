"""The records of the random ops. All but one are pure: they take their stream as an operand.

`source` is an int tensor, either a stateless seed of shape [2] or the state of a generator, of
shape [3]: two words of counter and the key. `random_state` is the one op with an effect: it takes
the next segment of a seeded stream (seeds.Stream) and gives it as such a state. May be imported by
the other modules of this package.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from tapeflow.base import errors
from tapeflow.base.exception_origin import unsignalled
from tapeflow.core.autodiff.batching import loop
from tapeflow.core.record.families import batch_elementwise, binary
from tapeflow.core.record.lowering_forms import Draw, Expand, Pointwise, Unsupported
from tapeflow.core.record.op import FLOAT, INTEGER, LARGE, NONDIFF, Spec, define, shape_of
from tapeflow.core.record.primitive_ops import (
    broadcast_to,
    cast,
    concat,
    cut,
    dims,
    expand,
    reshape,
    static,
    sum_to,
)
from tapeflow.core.record.samples import Case, uniform
from tapeflow.core.values.tensor import Tensor, wrap
from tapeflow.ops._support.arguments import brackets, wrong_kind
from tapeflow.ops._support.half_precision import float32_kernel
from tapeflow.ops.math.comparison import is_finite
from tapeflow.ops.math.exponential import exp
from tapeflow.ops.math.logical import bitwise_and
from tapeflow.ops.math.select import keep_where, select
from tapeflow.ops.random.samplers import batches, distributions, gamma_derivative, rejection
from tapeflow.ops.random.streams import bits, index_shuffle, philox, seeds
from tapeflow.ops.reduce.cumulative import cumsum
from tapeflow.ops.reduce.reduction import reduce_max, reduce_sum

RANDOM = NONDIFF("random numbers that depend on nothing but the seed")
DISCRETE = NONDIFF("a random integer does not change smoothly with its parameters",
                   "Multiply what the sample leads to with its log-probability, or weigh the "
                   "choices: tf.nn.softmax, also of logits with Gumbel noise.")

_SEED = np.array([1, 2], np.int32)
_F32 = np.dtype("float32")
_F64 = np.dtype("float64")
_I32 = np.dtype("int32")


def stream_of(source: np.ndarray, op: str) -> tuple[int, int]:
    """(key, counter) that an operand `source` stands for."""
    if source.shape == (3,) and source.dtype == np.int64:
        return seeds.stream_of_state(source)
    if source.dtype not in (np.int32, np.int64):
        raise wrong_kind(op, "Tseed", source.dtype)
    if source.shape != (2,):
        raise errors.invalid(op, f"seed must have shape [2], not {brackets(source.shape)}")
    return seeds.stateless_stream(source.tolist())


def _tidy(x: np.ndarray) -> Any:
    return x if x.ndim else x[()]


def check_sizes(shape: tuple, op: str) -> None:
    for n in shape:
        if n < 0:
            raise errors.invalid(op, f"Dimension {n} must be >= 0")


def _static(shape: Any, more: tuple | None = ()) -> tuple | None:
    """The static shape that an attribute `shape` gives, with sizes behind it."""
    known = static(shape)
    return None if more is None or known is None else (*known, *more)


# -- words, and numbers made of them, for native code ----------------------------------------------
def _words_kernel(source, blocks, stride=1):
    return philox.words(*stream_of(source, "RngReadAndSkip"), blocks, stride)


words_of = define(
    "random_words", kernel=_words_kernel, vjp=RANDOM, batch=loop, args=("source",), dtypes="i",
    kind="random", shape=lambda source, blocks, stride=1: Spec((blocks, 4), np.dtype("uint32")),
    lower=Draw(seeds.SCRAMBLE_KEY),
    check=[Case(_SEED, blocks=3), Case(np.array([-5, 2**40]), blocks=41),
           Case(np.array([-3, 2**62, 7]), blocks=21, stride=256)])


def _unit_kernel(words, bits):
    return (words & np.uint32((1 << bits) - 1)).astype(_F32) * np.float32(2.0 ** -bits)


def _unit_element(b, words, bits):
    whole = b.cast(b.both(words, b.const((1 << bits) - 1, words)), "int32")
    return b.mul(b.cast(whole, "float32"), b.const(2.0 ** -bits, "float32"))


unit_numbers = define(
    "unit_numbers", kernel=_unit_kernel, vjp=RANDOM, batch=batch_elementwise, args=("words",),
    dtypes="u", kind="elementwise", lower=Pointwise(_unit_element),
    shape=lambda words, bits: Spec(words.shape, _F32),
    check=[Case(np.array([0, 1, 2**32 - 1, 77777777], np.uint32), bits=23),
           Case(np.array([[5], [2**31]], np.uint32), bits=10)])
_BITS = {"float32": 23, "float16": 10, "bfloat16": 7}


def _words(source: Any, size: int) -> Any:
    """At least `size` words in a row."""
    return reshape(words_of(source, blocks=-(-size // 4)), shape=(-1,))


def _first(flat: Any, shape: tuple) -> Any:
    return reshape(cut(flat, axis=0, start=0, size=math.prod(shape)), shape=shape)


def _columns(flat: Any) -> tuple[Any, Any]:
    """The first and the second of each pair."""
    pairs = reshape(flat, shape=(-1, 2))
    return cut(pairs, axis=1, start=0, size=1), cut(pairs, axis=1, start=1, size=1)


def _doubles(source: Any, size: int) -> Any:
    """float64 numbers on [0, 1): 20 bits of a word above the 32 of the next."""
    first, second = _columns(_words(source, 2 * size))
    high = cast(bitwise_and(first, wrap(np.uint32(0xFFFFF))), dtype=_F64)
    return reshape((high * 2.0 ** 32 + cast(second, dtype=_F64)) * 2.0 ** -52, shape=(-1,))


def _uniform_steps(source, shape, dtype):
    if not math.prod(shape):
        raise Unsupported("nothing to draw")
    if dtype == _F64:
        return _first(_doubles(source, math.prod(shape)), shape)
    # Words get the shape, not numbers: what uses the numbers then makes them in its own loop.
    words = _first(_words(source, math.prod(shape)), shape)
    numbers = unit_numbers(words, bits=_BITS[dtype.name])
    return numbers if dtype == _F32 else cast(numbers, dtype=dtype)


def _pair_kernel(first, second, part):
    """r sin t (part 0) or r cos t (part 1) for two uniform numbers: Box and Muller's normals."""
    if first.dtype == _F64:
        radius = np.sqrt(-2.0 * np.log(np.maximum(first, 1e-7)))
        return radius * (np.cos if part else np.sin)(2 * math.pi * second)
    return bits.normal_pair(first, second)[part]


def _pair_element(b, first, second, part):
    if first.dtype == "float32":
        return bits.normal_element(b, first, second, part)
    least = b.select(b.lt(first, b.const(1e-7, first)), b.const(1e-7, first), first)
    radius = b.sqrt(b.mul(b.function("log", least), b.const(-2, first)))
    angle = b.mul(second, b.const(2 * math.pi, second))
    return b.mul(radius, b.function("cos" if part else "sin", angle))


normal_pair = define(
    "normal_pair", kernel=float32_kernel(_pair_kernel), vjp=RANDOM, batch=batch_elementwise,
    dtypes="f", args=("first", "second"), kind="elementwise", lower=Pointwise(_pair_element),
    shape=lambda first, second, part: Spec(first.shape, first.dtype),
    check=[Case(uniform(0, 1, (5, 1)), uniform(0, 1, (5, 1)), part=0),
           Case(uniform(0, 1, (3,)), uniform(0, 1, (3,)), part=1)])


def _pairs(numbers: Any) -> Any:
    """Normals of uniform numbers, two of two."""
    pair = _columns(numbers)
    return reshape(concat(*[normal_pair(*pair, part=part) for part in (0, 1)], axis=1),
                   shape=(-1,))


# Four normals of every 256th block or so: the first tries of truncated ones.
spaced_normals = define(
    "spaced_normals", vjp=RANDOM, batch=loop, args=("source",), dtypes="i", kind="random",
    kernel=lambda source, shape, stride: bits.normal_float(
        _words_kernel(source, shape[0], stride).ravel()).reshape(shape),
    shape=lambda source, shape, stride: Spec(shape, _F32),
    lower=Expand(lambda source, shape, stride: reshape(_pairs(unit_numbers(
        words_of(source, blocks=shape[0], stride=stride), bits=23)), shape=shape)),
    check=[Case(_SEED, shape=(7, 4), stride=256)])


def _truncated(key: int, counter: int, shape: tuple, dtype: np.dtype) -> np.ndarray:
    """Many float32 numbers or smaller ones begin with their first tries, which may be native."""
    tries = None
    if math.prod(shape) >= LARGE and np.dtype(dtype) != _F64:
        op, stride = spaced_normals.op, distributions.RESERVED_BLOCKS
        tries = (op.large or op.kernel)(seeds.state_of_stream(key, counter),
                                        shape=(-(-math.prod(shape) // 4), 4), stride=stride)
    return distributions.truncated_normal(key, counter, shape, dtype, tries)


def _normal_steps(source, shape, dtype):
    size = math.prod(shape)
    if not size:
        raise Unsupported("nothing to draw")
    if dtype == _F64:
        numbers = _doubles(source, size + size % 2)
    else:
        numbers = unit_numbers(_words(source, size), bits=23)
    flat = _pairs(numbers)
    return _first(flat if flat.dtype.np == dtype else cast(flat, dtype=dtype), shape)


def _whole_words(source: Any, size: int, itemsize: int) -> Any:
    """uint32 words, or uint64 ones of two each, the first one low."""
    if itemsize == 4:
        return _words(source, size)
    low, high = (cast(x, dtype=np.dtype("uint64")) for x in _columns(_words(source, 2 * size)))
    return reshape(low + high * 2 ** 32, shape=(-1,))


def _full_int_steps(source, shape, dtype):
    size = math.prod(shape)
    if not size:
        raise Unsupported("nothing to draw")
    return _first(cast(_whole_words(source, size, dtype.itemsize), dtype=dtype), shape)


def _integers_steps(source, low, high, shape, tf_name=""):
    """low + word % (high - low), for bounds that are known."""
    size = math.prod(shape)
    if type(low) is not Tensor or type(high) is not Tensor or not size or low >= high:
        raise Unsupported("bounds that are not known before the run, or nothing to draw")
    dtype = low.dtype.np
    unsigned = np.dtype(f"u{dtype.itemsize}")
    first, span = int(low), int(high) - int(low)
    words = _whole_words(source, size, dtype.itemsize) % wrap(unsigned.type(span))
    moved = words + wrap(unsigned.type(first % (1 << (8 * dtype.itemsize))))
    return _first(cast(moved, dtype=dtype), shape)


# -- numbers of a given shape and dtype ------------------------------------------------------------


# What draws the numbers of a record, for small eager calls that nobody listens to.
DRAWS: dict[Callable, Callable] = {}


def _drawn(name: str, draw: Callable, tf_name: str, dtype: np.dtype, allowed: str,
           steps: Callable | None = None) -> Callable:
    def kernel(source, shape, dtype):
        check_sizes(shape, tf_name)
        return _tidy(draw(*stream_of(source, tf_name), shape, dtype))

    call = define(name, kernel=kernel, vjp=RANDOM, batch=loop, args=("source",), dtypes="i",
                  kind="random", tf_name=tf_name,
                  shape=lambda source, shape, dtype: Spec(_static(shape), np.dtype(dtype)),
                  check=[Case(_SEED, shape=(2, 3), dtype=dtype), Case(_SEED, shape=(), dtype=dtype),
                         Case(np.array([5, 0, 7]), shape=(5,), dtype=np.dtype(allowed))],
                  lower=None if steps is None else Expand(steps))
    DRAWS[call] = draw
    return call


uniform_numbers = _drawn("stateless_uniform", distributions.uniform, "StatelessRandomUniformV2",
                         _F32, "float64", _uniform_steps)
normal_numbers = _drawn("stateless_normal", distributions.normal, "StatelessRandomNormalV2",
                        _F32, "float16", _normal_steps)
truncated_numbers = _drawn("stateless_truncated_normal", _truncated,
                           "StatelessTruncatedNormalV2", _F32, "float64")
full_integers = _drawn("stateless_uniform_full_int", distributions.uniform_full_int,
                       "StatelessRandomUniformFullIntV2", _I32, "uint64",
                       _full_int_steps)


def _integers_kernel(source, low, high, shape, tf_name="StatelessRandomUniformIntV2"):
    for label, bound in (("minval", low), ("maxval", high)):
        if bound.shape:
            raise errors.invalid(tf_name, f"{label} must be 0-D, got shape {brackets(bound.shape)}")
    check_sizes(shape, tf_name)
    stream = stream_of(source, tf_name)
    if not math.prod(shape):
        return np.empty(shape, low.dtype)
    if low >= high:
        raise errors.invalid(tf_name, f"Need minval < maxval, got {low} >= {high}")
    return _tidy(distributions.uniform_int(*stream, shape, low.dtype, int(low), int(high)))


uniform_integers = define(
    "stateless_uniform_int", kernel=_integers_kernel, vjp=DISCRETE, batch=loop, kind="random",
    args=("source", "minval", "maxval"), dtypes="i", tf_name="StatelessRandomUniformIntV2",
    shape=lambda source, low, high, shape, tf_name="": Spec(_static(shape), low.dtype),
    check=[Case(_SEED, np.int32(-3), np.int32(9), shape=(2, 3)),
           Case(_SEED, np.int64(0), np.int64(2**40), shape=())], lower=Expand(_integers_steps))


# -- gamma -----------------------------------------------------------------------------------------


def _must_end(shape: tuple, trailing: tuple, tf_name: str) -> None:
    if len(trailing) > len(shape) or shape[len(shape) - len(trailing):] != trailing:
        raise errors.invalid(tf_name, "Shape passed in must end with broadcasted shape. Got "
                                      f"{brackets(shape)}, parameters of {brackets(trailing)}")


def _gamma_kernel(source, alpha, shape, tf_name="StatelessRandomGammaV3"):
    check_sizes(shape, tf_name)
    stream = stream_of(source, tf_name)
    _must_end(shape, alpha.shape, tf_name)
    return _tidy(rejection.gamma(*stream, shape, np.asarray(alpha)))


def _gamma_vjp(g, y, source, alpha, shape, tf_name=""):
    return None, sum_to(g * gamma_sample_grad(alpha, y), shape=dims(alpha))


def _gamma_jvp(ts, y, source, alpha, shape, tf_name=""):
    return ts[1] * gamma_sample_grad(alpha, y)


gamma_numbers = define(
    "stateless_gamma", kernel=_gamma_kernel, vjp=_gamma_vjp, jvp=_gamma_jvp, saves="in1 out",
    batch=loop, args=("source", "alpha"), dtypes=FLOAT + "i", kind="random",
    tf_name="StatelessRandomGammaV3",
    shape=lambda source, alpha, shape, tf_name="": Spec(_static(shape), alpha.dtype),
    # Not checked by differences: a sample moves at a constant value of its distribution function.
    check=[Case(_SEED, [0.5, 1.0, 3.0], shape=(2, 3), grad=False),
           Case(_SEED, 2.5, shape=(4,), grad=False)])

gamma_sample_grad = binary(
    "gamma_sample_grad", gamma_derivative.sample_derivative, dtypes=FLOAT, args=("alpha", "sample"),
    vjp=NONDIFF("the derivative of a gamma sample has no derivative of its own, nor in TensorFlow"),
    tf_name="RandomGammaGrad", check=[Case(uniform(0.2, 5, (2, 3)), uniform(0.2, 5, (2, 3))),
                                      Case(uniform(0.2, 5, ()), uniform(0.2, 5, (4,)))])


# -- Poisson, binomial, categorical ----------------------------------------------------------------


def _poisson_kernel(source, rate, shape, dtype, tf_name="StatelessRandomPoisson"):
    check_sizes(shape, tf_name)
    stream = stream_of(source, tf_name)
    _must_end(shape, rate.shape, tf_name)
    high = float(np.iinfo(dtype).max) if dtype.kind == "i" else float(np.finfo(dtype).max)
    wide = np.asarray(rate).astype(np.float64)
    if not (wide <= high).all():
        raise errors.invalid(tf_name, f"rates must be finite and fit the dtype {dtype}, got {rate}")
    return _tidy(rejection.poisson(*stream, shape, wide, dtype))


poisson_numbers = define(
    "stateless_poisson", kernel=_poisson_kernel, vjp=DISCRETE, batch=loop, kind="random",
    args=("source", "lam"), dtypes="fi", tf_name="StatelessRandomPoisson",
    shape=lambda source, rate, shape, dtype, tf_name="": Spec(_static(shape), np.dtype(dtype)),
    check=[Case(_SEED, [0.5, 15.0], shape=(3, 2), dtype=_I32),
           Case(_SEED, np.int32(4), shape=(), dtype=_F32)])


def _binomial_kernel(source, counts, probs, shape, dtype, tf_name="StatelessRandomBinomial"):
    check_sizes(shape, tf_name)
    stream = stream_of(source, tf_name)
    try:
        trailing = np.broadcast_shapes(counts.shape, probs.shape)
    except unsignalled(ValueError):
        raise errors.invalid(tf_name, "counts and probs must have compatible batch dimensions: "
                             f"{brackets(counts.shape)} vs. {brackets(probs.shape)}") from None
    _must_end(shape, trailing, tf_name)
    counts, probs = np.asarray(counts), np.asarray(probs)
    return _tidy(rejection.binomial(*stream, shape, counts, probs, dtype))


binomial_numbers = define(
    "stateless_binomial", kernel=_binomial_kernel, vjp=DISCRETE, batch=loop, kind="random",
    args=("source", "counts", "probs"), dtypes="fi", tf_name="StatelessRandomBinomial",
    shape=lambda source, counts, probs, shape, dtype, tf_name="": Spec(
        _static(shape), np.dtype(dtype)),
    check=[Case(_SEED, [10.0, 50.0], [0.3, 0.8], shape=(3, 2), dtype=_I32),
           Case(_SEED, 7.0, [0.5], shape=(1,), dtype=_F32)])


def _categorical_kernel(source, logits, samples, dtype, tf_name="StatelessMultinomial"):
    stream = stream_of(source, tf_name)
    if logits.ndim != 2:
        raise errors.invalid(tf_name, "logits should be a matrix, got shape "
                                      f"{brackets(logits.shape)}")
    if samples < 0:
        raise errors.invalid(tf_name, f"num_samples should be non-negative, got {samples}")
    if not logits.shape[1]:
        raise errors.invalid(tf_name, "num_classes should be positive, got 0")
    return batches.categorical(*stream, logits, samples, dtype)


def _categorical_shape(source, logits, samples, dtype, tf_name=""):
    rows = None if logits.shape is None else logits.shape[0]
    return Spec((rows, None if isinstance(samples, Tensor) else samples), np.dtype(dtype))


def _categorical_steps(source, logits, samples, dtype, tf_name=""):
    """How many running sums of a row's weights a uniform share of their total reaches."""
    rows, classes = shape_of(logits)
    if not rows or not samples or len(batches.row_parts(rows, classes, samples)) > 1:
        raise Unsupported("rows that are drawn in several parts")
    wide = cast(logits, dtype=_F64)
    finite = is_finite(wide)
    top = reduce_max(select(finite, wide, wrap(np.finfo(_F64).min)), (1,), True)
    sums = cumsum(keep_where(exp(wide - top), finite), axis=1)
    share = _first(_doubles(source, rows * samples), (rows, samples))
    share = share * cut(sums, axis=1, start=classes - 1, size=1)
    reached = expand(sums, axis=1) <= expand(share, axis=2)
    return cast(reduce_sum(cast(reached, dtype=np.dtype("int64")), (2,)), dtype=dtype)


categories = define(
    "stateless_categorical", kernel=_categorical_kernel, vjp=DISCRETE, batch=loop, kind="random",
    args=("source", "logits"), dtypes=FLOAT + "i", tf_name="StatelessMultinomial",
    shape=_categorical_shape,
    check=[Case(_SEED, (3, 4), samples=5, dtype=np.dtype("int64")),
           Case(_SEED, (1, 2), samples=1, dtype=_I32)], lower=Expand(_categorical_steps))


# -- parameterized truncated normal ----------------------------------------------------------------


def _bounded_kernel(source, means, stddevs, minvals, maxvals, shape):
    name = "StatelessParameterizedTruncatedNormal"
    check_sizes(shape, name)
    stream = stream_of(source, name)
    parameters = [np.asarray(p) for p in (means, stddevs, minvals, maxvals)]
    try:
        trailing = np.broadcast_shapes(*(p.shape for p in parameters))
    except unsignalled(ValueError):
        raise errors.invalid(name, (
            "means, stddevs, minvals, maxvals must have compatible batch dimensions: "
            + " vs. ".join(brackets(p.shape) for p in parameters))) from None
    _must_end(shape, trailing, name)
    return _tidy(batches.parameterized_truncated_normal(*stream, shape, *parameters))


def _bounded_vjp(g, y, source, mean, stddev, low, high, shape):
    """Implicit: the distribution function of a sample stays where it is."""
    z = (y - mean) / stddev
    to_low, to_high = bound_grads(z, (low - mean) / stddev, (high - mean) / stddev)
    parts = (g, g * z, g * to_low, g * to_high)
    return (None, *(sum_to(part, shape=dims(x))
                    for part, x in zip(parts, (mean, stddev, low, high), strict=True)))


def _bounded_jvp(ts, y, source, mean, stddev, low, high, shape):
    z = (y - mean) / stddev
    to_low, to_high = bound_grads(z, (low - mean) / stddev, (high - mean) / stddev)
    parts = (1.0, z, to_low, to_high)
    found = [t * d for t, d in zip(ts[1:], parts, strict=True) if t is not None]
    return broadcast_to(sum(found[1:], found[0]), shape=dims(y))


bounded_numbers = define(
    "stateless_parameterized_truncated_normal", kernel=_bounded_kernel, vjp=_bounded_vjp,
    jvp=_bounded_jvp, saves="in out", batch=loop, dtypes="fi", kind="random",
    args=("source", "means", "stddevs", "minvals", "maxvals"),
    tf_name="StatelessParameterizedTruncatedNormal",
    shape=lambda source, mean, stddev, low, high, shape: Spec(_static(shape), mean.dtype),
    check=[Case(_SEED, 0.0, 1.0, [-1.0, 0.5], 2.0, shape=(3, 2), grad=False),
           Case(_SEED, 1.0, 0.5, 0.0, 3.0, shape=(4,), grad=False)])


def _bound_shape(z, low, high):
    return z, z


def _bound_batch(call, size, xs, batched, attrs):
    return batch_elementwise(call, size, xs, batched, attrs)


bound_grads = define(
    "truncated_normal_bound_grads", kernel=gamma_derivative.bound_derivatives, dtypes="f",
    args=("sample", "minval", "maxval"), multi=True, shape=_bound_shape, batch=_bound_batch,
    vjp=NONDIFF("derivatives of a truncated normal sample have none of their own"),
    kind="elementwise", check=[Case([0.0, 0.5], [-1.0, -2.0], [1.0, 0.7])])


# -- shuffling -------------------------------------------------------------------------------------


def _shuffle_kernel(source, value, tf_name="StatelessShuffle"):
    stream = stream_of(source, tf_name)
    if value.size <= 1 or value.shape[0] <= 1:
        return value
    return value[distributions.permutation(*stream, value.shape[0])]


shuffled = define(
    "stateless_shuffle", kernel=_shuffle_kernel, batch=loop, args=("source", "value"),
    vjp=NONDIFF("there is none through a shuffle: tf.gather with a shuffled range has one"),
    kind="random", tf_name="StatelessShuffle", shape=lambda source, value, tf_name="": value,
    check=[Case(_SEED, (5,)), Case(_SEED, (4, 2)), Case(_SEED, ())])


def _index_kernel(index, seed, max_index):
    name = "RandomIndexShuffle"
    if seed.dtype.kind not in INTEGER or seed.dtype.itemsize < 4:
        raise wrong_kind(name, "Tseed", seed.dtype, "int32, uint32, int64, uint64")
    if seed.ndim not in (1, 2) or seed.shape[-1] != 2:
        raise errors.invalid(name, f"Seed must be a vector of size [2] or a matrix of size [n, 2] "
                                   f"but got {brackets(seed.shape)}.")
    if np.any(index > max_index):
        raise errors.invalid(name, f"max_index must be >= index, but {max_index} < {index}")
    index, max_index = np.asarray(index), np.asarray(max_index)
    return _tidy(index_shuffle.index_shuffle(index, np.asarray(seed), max_index))


def _index_shape(index, seed, max_index):
    shapes = [index.shape, max_index.shape, None if seed.shape is None else seed.shape[:-1]]
    if None in shapes:
        return Spec(None, index.dtype)
    vectors = [shape[0] for shape in shapes if shape]
    if not vectors:
        return Spec((), index.dtype)
    return Spec((next((n for n in vectors if n not in (None, 1)), vectors[0]),), index.dtype)


shuffled_index = define(
    "index_shuffle", kernel=_index_kernel, vjp=DISCRETE, batch=loop, kind="random",
    args=("index", "seed", "max_index"), dtypes=INTEGER, tf_name="RandomIndexShuffle",
    shape=_index_shape,
    check=[Case(np.arange(5, dtype=np.int32), _SEED, np.int32(9)),
           Case(np.int64(3), _SEED, np.int64(70_000))])


# -- where states come from ------------------------------------------------------------------------


def _blocks(use: str, shape: tuple, more: tuple) -> int:
    """Blocks that a stateful kernel sets aside."""
    if use == "shuffle":
        return distributions.shuffle_blocks(shape[0]) if math.prod(shape) > 1 else 0
    if use == "blocks":
        return math.prod(shape)
    if use == "categorical":
        return batches.categorical_blocks(shape[0], more[0]) if len(shape) == 2 else 0
    return max(0, math.prod(shape) * math.prod(more)) * distributions.RESERVED_BLOCKS


def _state_kernel(stream, shape, more=(), use="numbers"):
    return seeds.state_of_stream(*stream.reserve(_blocks(use, shape, more)))


next_state = define(
    "random_state", kernel=_state_kernel, vjp=RANDOM, batch=loop, args=(), stateful=True,
    kind="random", shape=lambda stream, shape, more=(), use="": Spec((3,), np.dtype("int64")),
    check=[Case(stream=seeds.Stream(1, 2), shape=(3,))])


def _skip_kernel(state, shape):
    return seeds.skipped_state(state, math.prod(shape))


skipped = define(
    "rng_skip", kernel=_skip_kernel, vjp=RANDOM, batch=loop, args=("state",), dtypes="i",
    kind="random", tf_name="RngReadAndSkip", shape=lambda state, shape: state,
    check=[Case(np.array([1, 2, 3]), shape=(4, 5))])


def _binomial_skip_kernel(state, shape, batch):
    return seeds.skipped_state(state, rejection.binomial_draws(shape, batch))


skipped_binomial = define(
    "rng_skip_binomial", kernel=_binomial_skip_kernel, vjp=RANDOM, batch=loop, args=("state",),
    dtypes="i", kind="random", shape=lambda state, shape, batch: state,
    check=[Case(np.array([1, 2, 3]), shape=(4, 2), batch=(2,))])
