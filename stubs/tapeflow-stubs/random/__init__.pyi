# Written by tools/stubs.py (make stubs).
"""tf.random"""

import enum
from typing import Any

import tapeflow as tf
from tapeflow._typing import DTypeLike, IntLike, ShapeLike, TensorLike
from tapeflow.nn import (
    all_candidate_sampler as all_candidate_sampler,
    fixed_unigram_candidate_sampler as fixed_unigram_candidate_sampler,
    learned_unigram_candidate_sampler as learned_unigram_candidate_sampler,
)
from tapeflow.random import experimental as experimental

class Algorithm(enum.Enum):
    """Algorithms for random numbers. CPUs have Philox alone, which AUTO_SELECT chooses."""
    PHILOX = 1
    THREEFRY = 2
    AUTO_SELECT = 3

def categorical(
    logits: TensorLike, num_samples: Any, dtype: DTypeLike | None = None, seed: Any = None,
    name: str | None = None,
) -> tf.Tensor:
    """Class indices with probabilities softmax(logits), `num_samples` for each row of …"""

def create_rng_state(seed: Any, alg: Any) -> tf.Tensor:
    """The state that a generator has at the start of a seed."""

def fold_in(seed: Any, data: TensorLike, alg: Any = 'auto_select') -> tf.Tensor:
    """A new seed made of a seed and an integer, such as a step or a replica's index."""

def gamma(
    shape: ShapeLike, alpha: Any, beta: Any = None, dtype: DTypeLike = tf.float32,
    seed: Any = None, name: str | None = None,
) -> tf.Tensor:
    """`shape` gamma numbers for each alpha and beta (inverse scale), with gradients to both."""

class Generator:
    """Random numbers from a state of its own, kept in a variable."""
    def __init__(
        self, copy_from: tf.random.Generator | None = None, state: Any = None, alg: Any = None,
    ) -> None: ...
    @classmethod
    def from_state(cls, state: Any, alg: Any) -> tf.random.Generator:
        """A generator that goes on from a state."""
    @classmethod
    def from_seed(cls, seed: Any, alg: Any = None) -> tf.random.Generator:
        """A generator from an integer or a vector of integers."""
    @classmethod
    def from_non_deterministic_state(cls, alg: Any = None) -> tf.random.Generator:
        """A generator whose numbers no one can foresee."""
    @classmethod
    def from_key_counter(cls, key: Any, counter: Any, alg: Any) -> tf.random.Generator:
        """A generator from the two parts of a state."""
    @property
    def state(self) -> tf.Variable:
        """The variable that holds the state: counter words, then the key."""
    @property
    def algorithm(self) -> int:
        """The code of the algorithm."""
    @property
    def key(self) -> tf.Tensor:
        """The key: generators with different keys are independent."""
    def reset(self, state: Any) -> None:
        """Go on from another state."""
    def reset_from_seed(self, seed: Any) -> None:
        """Start from a seed."""
    def reset_from_key_counter(self, key: Any, counter: Any) -> None:
        """Go on from another key and counter."""
    def skip(self, delta: Any) -> tf.Tensor:
        """Pass over `delta` numbers; gives the state before."""
    def normal(
        self, shape: ShapeLike, mean: Any = 0.0, stddev: Any = 1.0, dtype: DTypeLike = tf.float32,
        name: str | None = None,
    ) -> tf.Tensor:
        """Normal numbers."""
    def truncated_normal(
        self, shape: ShapeLike, mean: Any = 0.0, stddev: Any = 1.0, dtype: DTypeLike = tf.float32,
        name: str | None = None,
    ) -> tf.Tensor:
        """Normal numbers within two standard deviations of the mean."""
    def uniform(
        self, shape: ShapeLike, minval: Any = 0, maxval: Any = None, dtype: DTypeLike = tf.float32,
        name: str | None = None,
    ) -> tf.Tensor:
        """Numbers on [minval, maxval); integers of the whole range if both are None."""
    def uniform_full_int(
        self, shape: ShapeLike, dtype: DTypeLike = tf.uint64, name: str | None = None,
    ) -> tf.Tensor:
        """All integers of a type."""
    def binomial(
        self, shape: ShapeLike, counts: Any, probs: Any, dtype: DTypeLike = tf.int32,
        name: str | None = None,
    ) -> tf.Tensor:
        """How many of `counts` tries succeed, each with probability `probs`."""
    def make_seeds(self, count: IntLike = 1) -> tf.Tensor:
        """Seeds for stateless ops: shape [2, count]."""
    def split(self, count: IntLike = 1) -> list[tf.random.Generator]:
        """Independent generators."""

def get_global_generator() -> tf.random.Generator:
    """The generator of the process, made from randomness at the first call."""

def log_uniform_candidate_sampler(
    true_classes: Any, num_true: IntLike, num_sampled: IntLike, unique: bool,
    range_max: IntLike, seed: Any = None, name: str | None = None,
) -> Any:
    """Classes drawn from a log-uniform (Zipfian) distribution over [0, range_max)."""

def normal(
    shape: ShapeLike, mean: Any = 0.0, stddev: Any = 1.0, dtype: DTypeLike = tf.float32,
    seed: Any = None, name: str | None = None,
) -> tf.Tensor:
    """Normal numbers, differentiable by mean and stddev."""

def poisson(
    shape: ShapeLike, lam: Any, dtype: DTypeLike = tf.float32, seed: Any = None,
    name: str | None = None,
) -> tf.Tensor:
    """`shape` Poisson numbers for each rate in lam."""

def set_global_generator(generator: tf.random.Generator) -> None:
    """Replace the generator of the process."""

def set_seed(seed: Any) -> None:
    """Set the global seed: the same draws in the same order give the same numbers again."""

def shuffle(value: TensorLike, seed: Any = None, name: str | None = None) -> tf.Tensor:
    """The rows of `value` in random order."""

def split(seed: Any, num: Any = 2, alg: Any = 'auto_select') -> tf.Tensor:
    """`num` new seeds made of one."""

def stateless_binomial(
    shape: ShapeLike, seed: Any, counts: Any, probs: Any, output_dtype: DTypeLike = tf.int32,
    name: str | None = None,
) -> tf.Tensor:
    """How many of `counts` tries succeed; `shape` ends with the shape of counts and probs."""

def stateless_categorical(
    logits: TensorLike, num_samples: Any, seed: Any, dtype: DTypeLike = tf.int64,
    name: str | None = None,
) -> tf.Tensor:
    """Class indices with probabilities softmax(logits), `num_samples` for each row of …"""

def stateless_gamma(
    shape: ShapeLike, seed: Any, alpha: Any, beta: Any = None, dtype: DTypeLike = tf.float32,
    name: str | None = None,
) -> tf.Tensor:
    """Gamma numbers with gradients to alpha and beta; `shape` ends with the shape of the …"""

def stateless_normal(
    shape: ShapeLike, seed: Any, mean: Any = 0.0, stddev: Any = 1.0,
    dtype: DTypeLike = tf.float32, name: str | None = None, alg: Any = 'auto_select',
) -> tf.Tensor:
    """Normal numbers: the same for the same seed, a pair of integers."""

def stateless_parameterized_truncated_normal(
    shape: ShapeLike, seed: Any, means: Any = 0.0, stddevs: Any = 1.0, minvals: Any = -2.0,
    maxvals: Any = 2.0, name: str | None = None,
) -> tf.Tensor:
    """Normal numbers between bounds, with gradients to all four parameters."""

def stateless_poisson(
    shape: ShapeLike, seed: Any, lam: Any, dtype: DTypeLike = tf.int32, name: str | None = None,
) -> tf.Tensor:
    """Poisson numbers of rate lam, whose shape `shape` ends with."""

def stateless_truncated_normal(
    shape: ShapeLike, seed: Any, mean: Any = 0.0, stddev: Any = 1.0,
    dtype: DTypeLike = tf.float32, name: str | None = None, alg: Any = 'auto_select',
) -> tf.Tensor:
    """Normal numbers within two standard deviations of the mean, by a pair of integers as …"""

def stateless_uniform(
    shape: ShapeLike, seed: Any, minval: Any = 0, maxval: Any = None,
    dtype: DTypeLike = tf.float32, name: str | None = None, alg: Any = 'auto_select',
) -> tf.Tensor:
    """Numbers on [minval, maxval) by a pair of integers as seed; ints of the whole range …"""

def truncated_normal(
    shape: ShapeLike, mean: Any = 0.0, stddev: Any = 1.0, dtype: DTypeLike = tf.float32,
    seed: Any = None, name: str | None = None,
) -> tf.Tensor:
    """Normal numbers within two standard deviations of the mean; others are drawn again."""

def uniform(
    shape: ShapeLike, minval: Any = 0, maxval: Any = None, dtype: DTypeLike = tf.float32,
    seed: Any = None, name: str | None = None,
) -> tf.Tensor:
    """Numbers on [minval, maxval): floats, or integers if dtype is int32 or int64."""

def uniform_candidate_sampler(
    true_classes: Any, num_true: IntLike, num_sampled: IntLike, unique: bool,
    range_max: IntLike, seed: Any = None, name: str | None = None,
) -> Any:
    """Classes drawn uniformly from [0, range_max), and how often they were to be expected."""
