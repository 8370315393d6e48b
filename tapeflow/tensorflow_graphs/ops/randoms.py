"""Random numbers: of a stream, and of a seed alone."""

from __future__ import annotations

from typing import Any

import numpy as np

from tapeflow.tensorflow_graphs.public import public, tf
from tapeflow.tensorflow_graphs.registry import raw, same

same("""
StatelessMultinomial random.stateless_categorical output_dtype
StatelessRandomNormal random.stateless_normal dtype=dtype
StatelessRandomUniform random.stateless_uniform dtype=dtype
StatelessTruncatedNormal random.stateless_truncated_normal dtype=dtype
""")


def _seed(seed: int, seed2: int) -> int | None:
    """The seed that a public function takes: none if the op draws from the run's own stream."""
    return None if not seed and not seed2 else seed2 or seed


@raw
def RandomUniform(shape: Any, seed: int, seed2: int, dtype: Any) -> Any:
    return tf.random.uniform(shape, dtype=dtype, seed=_seed(seed, seed2))


@raw
def RandomUniformInt(shape: Any, minval: Any, maxval: Any, seed: int, seed2: int) -> Any:
    return tf.random.uniform(shape, minval, maxval, minval.dtype, _seed(seed, seed2))


@raw
def RandomStandardNormal(shape: Any, seed: int, seed2: int, dtype: Any) -> Any:
    return tf.random.normal(shape, dtype=dtype, seed=_seed(seed, seed2))


@raw
def TruncatedNormal(shape: Any, seed: int, seed2: int, dtype: Any) -> Any:
    return tf.random.truncated_normal(shape, dtype=dtype, seed=_seed(seed, seed2))


@raw
def RandomShuffle(value: Any, seed: int, seed2: int) -> Any:
    return tf.random.shuffle(value, _seed(seed, seed2))


@raw
def RandomGamma(shape: Any, alpha: Any, seed: int, seed2: int) -> Any:
    return tf.random.gamma(shape, alpha, dtype=alpha.dtype, seed=_seed(seed, seed2))


@raw
def RandomPoissonV2(shape: Any, rate: Any, seed: int, seed2: int, dtype: Any) -> Any:
    return tf.random.poisson(shape, rate, dtype, _seed(seed, seed2))


@raw
def Multinomial(logits: Any, num_samples: Any, seed: int, seed2: int, output_dtype: Any) -> Any:
    return tf.random.categorical(logits, num_samples, output_dtype, _seed(seed, seed2))


# -- of a seed alone -------------------------------------------------------------------------------
@raw
def StatelessRandomUniformInt(shape: Any, seed: Any, minval: Any, maxval: Any) -> Any:
    return tf.random.stateless_uniform(shape, seed, minval, maxval, minval.dtype)


# -- a key and a counter, as TensorFlow's functions write a seed -----------------------------------
class Key:
    """What `StatelessRandomGetKeyCounter` gives: it stands for the seed that it was made of."""

    def __init__(self, seed: Any):
        self.seed = seed


@raw
def StatelessRandomGetKeyCounter(seed: Any) -> Any:
    return Key(seed), Key(seed)


@raw
def StatelessRandomGetAlg() -> Any:
    return tf.constant(np.int32(3))


def _drawn(name: str, shape: Any, key: Any, alg: Any, **more: Any) -> Any:
    if not isinstance(key, Key):
        raise NotImplementedError("random numbers of a key that StatelessRandomGetKeyCounter did "
                                  "not make")
    which = tf.get_static_value(alg)
    return public(f"random.{name}")(shape, key.seed, alg=int(3 if which is None else which), **more)


@raw
def StatelessRandomUniformV2(shape: Any, key: Any, counter: Any, alg: Any, dtype: Any) -> Any:
    return _drawn("stateless_uniform", shape, key, alg, dtype=dtype)


@raw
def StatelessRandomNormalV2(shape: Any, key: Any, counter: Any, alg: Any, dtype: Any) -> Any:
    return _drawn("stateless_normal", shape, key, alg, dtype=dtype)


@raw
def StatelessTruncatedNormalV2(shape: Any, key: Any, counter: Any, alg: Any, dtype: Any) -> Any:
    return _drawn("stateless_truncated_normal", shape, key, alg, dtype=dtype)


@raw
def StatelessRandomUniformIntV2(shape: Any, key: Any, counter: Any, alg: Any, minval: Any,
                                maxval: Any) -> Any:
    return _drawn("stateless_uniform", shape, key, alg, minval=minval, maxval=maxval,
                  dtype=minval.dtype)


@raw
def StatelessRandomUniformFullIntV2(shape: Any, key: Any, counter: Any, alg: Any,
                                    dtype: Any) -> Any:
    return _drawn("stateless_uniform", shape, key, alg, minval=None, maxval=None, dtype=dtype)


@raw
def StatelessRandomGammaV3(shape: Any, key: Any, counter: Any, alg: Any, alpha: Any) -> Any:
    return tf.random.stateless_gamma(shape, key.seed, alpha, dtype=alpha.dtype)


@raw
def StatelessShuffle(value: Any, key: Any, counter: Any, alg: Any) -> Any:
    which = tf.get_static_value(alg)
    return tf.random.experimental.stateless_shuffle(
        value, key.seed, alg=int(3 if which is None else which))
