"""tf.random.*_candidate_sampler: classes drawn for sampled losses, with TensorFlow's numbers.

A sampler says how likely each class is and draws one from a stream of 32-bit words; the record
draws `num_sampled` of them and tells how often each class was to be expected. Loaded when one of
its public names is used.
"""

from __future__ import annotations

import bisect
import csv
import math
from collections import namedtuple
from collections.abc import Hashable
from typing import Any

import numpy as np

from tapeflow.base import dtypes, errors
from tapeflow.base.attributes import attributes, flag, listed, real, small, text, whole
from tapeflow.base.exports import export
from tapeflow.core.autodiff.batching import loop
from tapeflow.core.record.families import operand
from tapeflow.core.record.op import NONDIFF, Spec, define, shape_of
from tapeflow.core.record.samples import Case, ints
from tapeflow.core.state import state
from tapeflow.core.values.tensor import Tensor
from tapeflow.ops._support.arguments import brackets
from tapeflow.ops.random.random_ops import stream_of
from tapeflow.ops.random.stateful import _next_state, _stream
from tapeflow.ops.random.streams import philox, seeds

_MOST_CLASSES = 2**31 - 1
_WORD, _LONG = 0xFFFFFFFF, 0xFFFFFFFFFFFFFFFF


class Words:
    """The words of a stream one after the other, and numbers made of them."""

    def __init__(self, key: int, counter: int):
        self._key, self._counter = key, counter
        self._left: list[int] = []

    def word(self) -> int:
        if not self._left:
            self._left = philox.words(self._key, self._counter, 64).ravel()[::-1].tolist()
            self._counter += 64
        return self._left.pop()

    def long(self) -> int:
        low = self.word()
        return low | self.word() << 32

    def float32(self) -> float:
        """In [0, 1), of 23 bits."""
        return (self.word() & 0x7FFFFF) / 2**23

    def float64(self) -> float:
        """In [0, 1), of 52 bits."""
        high = self.word() & 0xFFFFF
        return (high << 32 | self.word()) / 2**52

    def below(self, n: int, long: bool = False) -> int:
        """An integer in [0, n), all equally likely."""
        draw, most = (self.long, _LONG) if long else (self.word, _WORD)
        if not n & (n - 1):
            return draw() & (n - 1)
        least = most % n + 1
        while True:
            word = draw()
            if word >= least:
                return word % n


# -- samplers --------------------------------------------------------------------------------------
class Uniform:
    """All classes are equally likely."""

    def __init__(self, size: int):
        self.size = size

    def draw(self, words: Words) -> int:
        return words.below(self.size, long=True)

    def likely(self, classes: np.ndarray) -> np.ndarray:
        return np.full(classes.shape, np.float32(1.0) / np.float32(self.size), np.float32)

    def saw(self, classes: np.ndarray) -> None:
        """Told of the true classes after each draw."""


class LogUniform(Uniform):
    """Zipfian: class k is log((k + 2) / (k + 1)) / log(size + 1) likely."""

    def draw(self, words: Words) -> int:
        return (int(math.exp(words.float64() * math.log1p(self.size))) - 1) % self.size

    def likely(self, classes: np.ndarray) -> np.ndarray:
        k = classes.astype(np.float64)
        return (np.log((k + 2) / (k + 1)) / math.log1p(self.size)).astype(np.float32)


class Learned(Uniform):
    """A class is as likely as it was among the true ones so far, each counted once at first."""

    def __init__(self, size: int):
        super().__init__(size)
        self.weights = np.ones(size, np.int64)

    def draw(self, words: Words) -> int:
        sums = np.cumsum(self.weights)
        return bisect.bisect_right(sums, words.below(int(sums[-1])))

    def likely(self, classes: np.ndarray) -> np.ndarray:
        total = np.float32(self.weights.sum())
        inside = (classes >= 0) & (classes < self.size)
        return np.where(inside, self.weights[np.where(inside, classes, 0)].astype(np.float32)
                        / total, np.float32(0))

    def saw(self, classes: np.ndarray) -> None:
        np.add.at(self.weights, classes.ravel(), 1)


class Fixed(Uniform):
    """Given weights, by Walker's alias method."""

    def __init__(self, weights: list[float]):
        super().__init__(len(weights))
        self.weights = np.array(weights, np.float32)
        total = float(np.sum(self.weights, dtype=np.float64))
        share = [float(w) * self.size / total for w in self.weights]
        low = [i for i, p in enumerate(share) if p < 1]
        high = [i for i, p in enumerate(share) if p >= 1]
        self.other = list(range(self.size))  # for weights that are NaN
        while high and low:
            small, large = low.pop(), high.pop()
            self.other[small] = large
            share[large] -= 1.0 - share[small]
            (low if share[large] < 1 else high).append(large)
        for i in (*high, *low):  # rounding left them near 1
            share[i], self.other[i] = 1.0, i
        self.share = np.array(share, np.float32)

    def draw(self, words: Words) -> int:
        level, index = words.float32(), words.below(self.size)
        return index if level < self.share[index] else self.other[index]

    def likely(self, classes: np.ndarray) -> np.ndarray:
        inside = (classes >= 0) & (classes < self.size)
        total = np.float32(np.sum(self.weights, dtype=np.float32))
        return np.where(inside, self.weights[np.where(inside, classes, 0)] / total, np.float32(0))


class All(Uniform):
    """Every class once, in order."""


# -- the record ------------------------------------------------------------------------------------
def _sampled(sampler: Uniform, words: Words, count: int, unique: bool) -> tuple[list[int], int]:
    """Classes, and how many draws they took."""
    if isinstance(sampler, All):
        return list(range(count)), count
    if not unique:
        return [sampler.draw(words) for _ in range(count)], count
    found: dict[int, None] = {}
    for tries in range(1, _MOST_CLASSES):
        found[sampler.draw(words)] = None
        if len(found) == count:
            return list(found), tries
    raise errors.invalid("CandidateSampler", "too many tries to draw distinct classes")


def _expected(sampler: Uniform, classes: np.ndarray, count: int, tries: int) -> np.ndarray:
    if isinstance(sampler, All):
        return np.ones(classes.shape, np.float32)
    likely = sampler.likely(classes)
    if tries == count:
        return likely * np.float32(count)
    return -np.expm1(np.float32(tries) * np.log1p(-likely))


def _check_range(sampler: Uniform, true: np.ndarray) -> None:
    """Samplers that know of no other classes than theirs ask for true ones among them."""
    if isinstance(sampler, (Learned, All)):
        return
    outside = (true < 0) | (true >= sampler.size)
    if outside.any():
        raise errors.invalid("CandidateSampler", (
            f"`true_candidate` out of range [0, {sampler.size}), received "
            f"{int(true[outside].flat[0])}"))


def _kernel(source, true, sampler, num_sampled, unique):
    _check_range(sampler, true)
    words = Words(*stream_of(source, "CandidateSampler"))
    drawn, tries = _sampled(sampler, words, num_sampled, unique)
    classes = np.array(drawn, np.int64)
    result = (classes, _expected(sampler, true, num_sampled, tries),
              _expected(sampler, classes, num_sampled, tries))
    sampler.saw(true)
    return result


def _shape(source: Spec, true: Spec, sampler: Uniform, num_sampled: int, unique: bool) -> tuple:
    count = (num_sampled,)
    single = np.dtype("float32")
    return Spec(count, np.dtype("int64")), Spec(true.shape, single), Spec(count, single)


_TRUE = ints(7, (3, 2), dtype="int64")
sample_candidates = define(
    "candidate_sampler", kernel=_kernel, shape=_shape, multi=True, dtypes="i", kind="random",
    vjp=NONDIFF("classes are drawn, and how often they are expected is counted: integers"),
    batch=loop, args=("source", "true_classes"),
    check=[Case(np.array([1, 2], np.int32), _TRUE, sampler=LogUniform(7), num_sampled=4,
                unique=True),
           Case(np.array([3, 4], np.int32), _TRUE, sampler=Fixed([1.0, 2, 3, 1, 1, 2, 5]),
                num_sampled=3, unique=False)])


# -- public ----------------------------------------------------------------------------------------
def _sample(name: str, sampler: Uniform, true_classes: Any, num_true: int, num_sampled: int,
            unique: bool, seed: Any) -> Any:
    """Draw; `name` is the op's, after which the results are called too."""
    true = operand(true_classes, dtypes.int64)
    shape = shape_of(true)
    if len(shape) != 2 or shape[1] not in (None, num_true):
        raise errors.invalid(name, "true_classes must be a matrix with num_true columns, got shape "
                                   f"{brackets(shape)} for num_true = {num_true}")
    for label, value in (("num_true", num_true), ("num_sampled", num_sampled)):
        if value < 1:
            raise errors.invalid(name, f"Value for attr '{label}' of {value} must be at least "
                                       "minimum 1")
    if unique and num_sampled > sampler.size:
        raise errors.invalid(name, f"Sampler's range is too small: {num_sampled} distinct classes "
                                   f"are asked for, there are {sampler.size}")
    results = sample_candidates(_state(name, (num_true, num_sampled, unique, sampler.size),
                                       num_sampled, seed),
                                true, sampler=sampler, num_sampled=num_sampled, unique=unique)
    return namedtuple(name, ("sampled_candidates", "true_expected_count",
                             "sampled_expected_count"))(*results)


def _state(name: str, kind: tuple, num_sampled: int, seed: Any) -> Tensor:
    """The segment of its stream that a draw takes: 512 blocks for each class."""
    return _next_state(_stream(name, kind, seed), shape=(2 * num_sampled,))


@export("random.uniform_candidate_sampler")
@attributes(num_true=small, num_sampled=small, unique=flag, range_max=whole)
def uniform_candidate_sampler(true_classes: Any, num_true: int, num_sampled: int, unique: bool,
                              range_max: int, seed: Any = None, name: str | None = None) -> Any:
    """Classes drawn uniformly from [0, range_max), and how often they were to be expected."""
    return _sample("UniformCandidateSampler", Uniform(range_max), true_classes, num_true,
                   num_sampled, unique, seed)


@export("random.log_uniform_candidate_sampler")
@attributes(num_true=small, num_sampled=small, unique=flag, range_max=whole)
def log_uniform_candidate_sampler(true_classes: Any, num_true: int, num_sampled: int, unique: bool,
                                  range_max: int, seed: Any = None,
                                  name: str | None = None) -> Any:
    """Classes drawn from a log-uniform (Zipfian) distribution over [0, range_max)."""
    return _sample("LogUniformCandidateSampler", LogUniform(range_max), true_classes, num_true,
                   num_sampled, unique, seed)


_learned: dict[Hashable, Learned] = {}


@export("random.learned_unigram_candidate_sampler", "nn.learned_unigram_candidate_sampler")
@attributes(num_true=small, num_sampled=small, unique=flag, range_max=whole)
def learned_unigram_candidate_sampler(true_classes: Any, num_true: int, num_sampled: int,
                                      unique: bool, range_max: int, seed: Any = None,
                                      name: str | None = None) -> Any:
    """Classes drawn as often as they were among the true classes of the calls before.

    What was learned belongs, as in TensorFlow, to calls with one seed, or to one place in a graph.
    """
    sampler = Learned(range_max)
    if seed is not None and state.trace is None:
        key = (seeds.global_seed(), seed, num_true, num_sampled, unique, range_max)
        sampler = _learned.setdefault(key, sampler)
    return _sample("LearnedUnigramCandidateSampler", sampler, true_classes, num_true, num_sampled,
                   unique, seed)


@export("random.fixed_unigram_candidate_sampler", "nn.fixed_unigram_candidate_sampler")
@attributes(num_true=small, num_sampled=small, unique=flag, range_max=whole, vocab_file=text,
            distortion=real, num_reserved_ids=small, num_shards=small, shard=small)
def fixed_unigram_candidate_sampler(true_classes: Any, num_true: int, num_sampled: int,
                                    unique: bool, range_max: int, vocab_file: str = "",
                                    distortion: float = 1.0, num_reserved_ids: int = 0,
                                    num_shards: int = 1, shard: int = 0, unigrams: Any = (),
                                    seed: Any = None, name: str | None = None) -> Any:
    """Classes drawn by given weights, or those in the last column of a CSV file."""
    tf_name = "FixedUnigramCandidateSampler"
    if bool(vocab_file) == bool(len(unigrams)):
        raise errors.invalid(tf_name, "Must provide either vocab_file or unigrams")
    given = list(listed("unigrams", unigrams))
    if vocab_file:
        with open(vocab_file, encoding="utf-8", newline="") as file:
            given = [float(row[-1]) for row in csv.reader(file) if row]
    weights = [0.0] * num_reserved_ids if shard == 0 else []
    weights += [float(w) ** distortion for i, w in enumerate(given) if i % num_shards == shard]
    if num_shards == 1 and len(weights) != range_max:
        raise errors.invalid(tf_name, f"range_max is {range_max}, but there are {len(weights)} "
                                      "classes with those reserved")
    return _sample(tf_name, Fixed(weights), true_classes, num_true, num_sampled, unique, seed)


@export("random.all_candidate_sampler", "nn.all_candidate_sampler")
@attributes(num_true=small, num_sampled=small, unique=flag)
def all_candidate_sampler(true_classes: Any, num_true: int, num_sampled: int, unique: bool,
                          seed: Any = None, name: str | None = None) -> Any:
    """Every class once: a sampled loss with it is the full one."""
    classes = operand(true_classes, dtypes.int64)
    if classes._interpreter is None and classes._value.size and (
            classes._value.max() >= num_sampled or classes._value.min() < 0):
        raise errors.invalid("AllCandidateSampler", "`true_candidate` out of range "
                                                    f"[0, {num_sampled})")
    return _sample("AllCandidateSampler", All(num_sampled), classes, num_true, num_sampled,
                   unique, seed)
