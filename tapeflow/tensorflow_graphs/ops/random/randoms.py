"""Random numbers: of a stream, and of a seed alone; classes that are drawn."""

from __future__ import annotations

from typing import Any

from tapeflow.ops.random.streams.seeds import BothSeeds
from tapeflow.tensorflow_graphs.public import public, tf
from tapeflow.tensorflow_graphs.registry import raw, same

same("""
StatelessMultinomial random.stateless_categorical output_dtype
StatelessParameterizedTruncatedNormal random.stateless_parameterized_truncated_normal
StatelessRandomBinomial random.stateless_binomial output_dtype=dtype
StatelessRandomNormal random.stateless_normal dtype=dtype
StatelessRandomPoisson random.stateless_poisson dtype=dtype
StatelessRandomUniform random.stateless_uniform dtype=dtype
StatelessTruncatedNormal random.stateless_truncated_normal dtype=dtype
""")


def given_seed(seed: int, seed2: int) -> BothSeeds | None:
    """The seed that a public function takes: none if the op draws from the run's own stream."""
    return BothSeeds(seed, seed2) if seed or seed2 else None


@raw
def RandomUniform(shape: Any, seed: int, seed2: int, dtype: Any) -> Any:
    return tf.random.uniform(shape, dtype=dtype, seed=given_seed(seed, seed2))


@raw
def RandomUniformInt(shape: Any, minval: Any, maxval: Any, seed: int, seed2: int) -> Any:
    return tf.random.uniform(shape, minval, maxval, minval.dtype, given_seed(seed, seed2))


@raw
def RandomStandardNormal(shape: Any, seed: int, seed2: int, dtype: Any) -> Any:
    return tf.random.normal(shape, dtype=dtype, seed=given_seed(seed, seed2))


@raw
def TruncatedNormal(shape: Any, seed: int, seed2: int, dtype: Any) -> Any:
    return tf.random.truncated_normal(shape, dtype=dtype, seed=given_seed(seed, seed2))


@raw
def RandomShuffle(value: Any, seed: int, seed2: int) -> Any:
    return tf.random.shuffle(value, given_seed(seed, seed2))


@raw
def RandomGamma(shape: Any, alpha: Any, seed: int, seed2: int) -> Any:
    return tf.random.gamma(shape, alpha, dtype=alpha.dtype, seed=given_seed(seed, seed2))


@raw
def RandomPoissonV2(shape: Any, rate: Any, seed: int, seed2: int, dtype: Any) -> Any:
    return tf.random.poisson(shape, rate, dtype, given_seed(seed, seed2))


@raw
def Multinomial(logits: Any, num_samples: Any, seed: int, seed2: int, output_dtype: Any) -> Any:
    return tf.random.categorical(logits, num_samples, output_dtype, given_seed(seed, seed2))


# -- of a seed alone -------------------------------------------------------------------------------
@raw
def StatelessRandomUniformInt(shape: Any, seed: Any, minval: Any, maxval: Any) -> Any:
    return tf.random.stateless_uniform(shape, seed, minval, maxval, minval.dtype)


@raw
def StatelessRandomUniformFullInt(shape: Any, seed: Any, dtype: Any) -> Any:
    return tf.random.stateless_uniform(shape, seed, None, None, dtype)


@raw
def RandomIndexShuffle(index: Any, seed: Any, max_index: Any) -> Any:
    """TensorFlow's function puts a number of its own before the seed, as ours does."""
    return tf.random.experimental.index_shuffle(index, seed[..., 1:], max_index)


@raw
def SobolSample(dim: Any, num_results: Any, skip: Any, dtype: Any) -> Any:
    return tf.math.sobol_sample(dim, num_results, skip, dtype)


# -- classes that are drawn, for sampled losses ----------------------------------------------------
def _candidates(sampler: str, true_classes: Any, num_true: int, num_sampled: int, unique: bool,
                range_max: int, seeds: tuple, **more: Any) -> Any:
    return tuple(public(f"random.{sampler}_candidate_sampler")(
        true_classes, num_true, num_sampled, unique, range_max, seed=given_seed(*seeds), **more))


@raw
def UniformCandidateSampler(true_classes: Any, num_true: int, num_sampled: int, unique: bool,
                            range_max: int, seed: int, seed2: int) -> Any:
    return _candidates("uniform", true_classes, num_true, num_sampled, unique, range_max,
                       (seed, seed2))


@raw
def LogUniformCandidateSampler(true_classes: Any, num_true: int, num_sampled: int, unique: bool,
                               range_max: int, seed: int, seed2: int) -> Any:
    return _candidates("log_uniform", true_classes, num_true, num_sampled, unique, range_max,
                       (seed, seed2))


@raw
def LearnedUnigramCandidateSampler(true_classes: Any, num_true: int, num_sampled: int,
                                   unique: bool, range_max: int, seed: int, seed2: int) -> Any:
    return _candidates("learned_unigram", true_classes, num_true, num_sampled, unique, range_max,
                       (seed, seed2))


@raw
def FixedUnigramCandidateSampler(
        true_classes: Any, num_true: int, num_sampled: int, unique: bool, range_max: int,
        vocab_file: str, distortion: float, num_reserved_ids: int, num_shards: int, shard: int,
        unigrams: list, seed: int, seed2: int) -> Any:
    return _candidates("fixed_unigram", true_classes, num_true, num_sampled, unique, range_max,
                       (seed, seed2), vocab_file=vocab_file, distortion=distortion,
                       num_reserved_ids=num_reserved_ids, num_shards=num_shards, shard=shard,
                       unigrams=unigrams)


@raw
def AllCandidateSampler(true_classes: Any, num_true: int, num_sampled: int, unique: bool,
                        seed: int, seed2: int) -> Any:
    return tuple(tf.random.all_candidate_sampler(true_classes, num_true, num_sampled, unique,
                                                 given_seed(seed, seed2)))
