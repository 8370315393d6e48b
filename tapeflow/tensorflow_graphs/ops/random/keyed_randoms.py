"""Random numbers of a key and a counter, as TensorFlow's functions write a seed; generators.

What draws takes a `source` of ours: a seed of two numbers, or the state of a generator.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from tapeflow.base import errors
from tapeflow.ops.random import random_ops
from tapeflow.ops.random.arguments import shape_vector
from tapeflow.ops.random.stateless import uniform_by
from tapeflow.tensorflow_graphs.public import tf
from tapeflow.tensorflow_graphs.registry import raw

_PHILOX, _AUTO = 1, 3


class Key:
    """What `StatelessRandomGetKeyCounter` gives: it stands for the seed that it was made of."""

    def __init__(self, seed: Any):
        self.seed = seed


def _source(key: Any, counter: Any, alg: Any) -> Any:
    """What our records draw from: a seed, or the state of a generator, the key behind the counter.
    """
    which = tf.get_static_value(alg)
    if which is not None and int(which) not in (_PHILOX, _AUTO):
        raise errors.InvalidArgumentError(None, None, f"Unsupported algorithm id: {int(which)}")
    if isinstance(key, Key):
        return tf.convert_to_tensor(key.seed)
    state = tf.concat([tf.reshape(counter, [2]), tf.reshape(key, [1])], 0)
    return tf.bitcast(state, tf.int64)


@raw
def StatelessRandomGetKeyCounter(seed: Any) -> Any:
    return Key(seed), Key(seed)


@raw
def StatelessRandomGetAlg() -> Any:
    return tf.constant(np.int32(_AUTO))


@raw
def StatelessRandomGetKeyCounterAlg(seed: Any) -> Any:
    return Key(seed), Key(seed), StatelessRandomGetAlg()


def _uniform(shape: Any, source: Any, minval: Any, maxval: Any, dtype: Any, op: str) -> Any:
    return uniform_by(lambda: source, shape_vector(shape, op), minval, maxval, dtype)


@raw
def StatelessRandomUniformV2(shape: Any, key: Any, counter: Any, alg: Any, dtype: Any) -> Any:
    return _uniform(shape, _source(key, counter, alg), 0, None, dtype, "StatelessRandomUniformV2")


@raw
def StatelessRandomNormalV2(shape: Any, key: Any, counter: Any, alg: Any, dtype: Any) -> Any:
    return random_ops.normal_numbers(
        _source(key, counter, alg), shape=shape_vector(shape, "StatelessRandomNormalV2"),
        dtype=dtype.np)


@raw
def StatelessTruncatedNormalV2(shape: Any, key: Any, counter: Any, alg: Any, dtype: Any) -> Any:
    return random_ops.truncated_numbers(
        _source(key, counter, alg), shape=shape_vector(shape, "StatelessTruncatedNormalV2"),
        dtype=dtype.np)


@raw
def StatelessRandomUniformIntV2(shape: Any, key: Any, counter: Any, alg: Any, minval: Any,
                                maxval: Any) -> Any:
    return _uniform(shape, _source(key, counter, alg), minval, maxval, minval.dtype,
                    "StatelessRandomUniformIntV2")


@raw
def StatelessRandomUniformFullIntV2(shape: Any, key: Any, counter: Any, alg: Any,
                                    dtype: Any) -> Any:
    return _uniform(shape, _source(key, counter, alg), None, None, dtype,
                    "StatelessRandomUniformFullIntV2")


@raw
def StatelessRandomGammaV3(shape: Any, key: Any, counter: Any, alg: Any, alpha: Any) -> Any:
    return _gamma(shape, _source(key, counter, alg), alpha)


@raw
def StatelessRandomGammaV2(shape: Any, seed: Any, alpha: Any) -> Any:
    return _gamma(shape, seed, alpha)


def _gamma(shape: Any, source: Any, alpha: Any) -> Any:
    return random_ops.gamma_numbers(source, alpha,
                                    shape=shape_vector(shape, "StatelessRandomGammaV3"))


@raw
def StatelessShuffle(value: Any, key: Any, counter: Any, alg: Any) -> Any:
    return random_ops.shuffled(_source(key, counter, alg), value)


# -- generators, whose state is a variable ---------------------------------------------------------
def _skipped(resource: Any, skip: Any, **sizes: Any) -> Any:
    before = resource.read_value()
    resource.assign(skip(before, **sizes))
    return before


@raw
def RngReadAndSkip(resource: Any, alg: Any, delta: Any) -> Any:
    """The state; the next draw begins `delta` numbers, of 256 blocks each, behind it."""
    _source(Key([0, 0]), None, alg)
    count = tf.reshape(tf.cast(delta, tf.int64), [1])
    known = tf.get_static_value(count)
    return _skipped(resource, random_ops.skipped,
                    shape=count if known is None else tuple(known.tolist()))


@raw
def RngSkip(resource: Any, algorithm: Any, delta: Any) -> Any:
    RngReadAndSkip(resource, algorithm, delta)
    return ()


@raw
def StatefulRandomBinomial(resource: Any, algorithm: Any, shape: Any, counts: Any, probs: Any,
                           dtype: Any) -> Any:
    sizes = shape_vector(shape, "StatefulRandomBinomial")
    batch = np.broadcast_shapes(counts.shape.as_list(), probs.shape.as_list())
    return random_ops.binomial_numbers(
        _skipped(resource, random_ops.skipped_binomial, shape=sizes, batch=batch), counts, probs,
        shape=sizes, dtype=dtype.np, tf_name="StatefulRandomBinomial")
