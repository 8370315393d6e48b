"""Shuffling and random numbers, in TensorFlow's order for every seed.

A shuffle keeps a ring of elements. To give one it draws a 32-bit word w, swaps the element w mod
(how many there are) elements behind the ring's start with the one at the start, gives that and
moves the start on. Words come from Philox streams; with `reshuffle_each_iteration` the seeds of
each iteration are two words of a stream that belongs to the dataset.
"""

from __future__ import annotations

import random as python_random
from collections.abc import Iterator
from typing import Any

import numpy as np

from tapeflow.base import dtypes, errors
from tapeflow.base.attributes import attributes, flag
from tapeflow.base.exports import export
from tapeflow.base.process.locks import new_lock
from tapeflow.base.specs import TensorSpec
from tapeflow.core.state import state
from tapeflow.core.values.convert import convert
from tapeflow.core.values.tensor import Tensor
from tapeflow.core.values.variable import Variable
from tapeflow.data.class_names import named
from tapeflow.data.dataset import INFINITE, UNKNOWN, DatasetV2, method, source
from tapeflow.data.elements.columnar import IndexedReader, elements_of
from tapeflow.data.elements.parameters import integer, known
from tapeflow.data.iterators.iteration import ElementIterator, Run
from tapeflow.ops.random.streams import philox, seeds

CHUNK = 1024  # blocks of four words that are drawn at once
_entropy = python_random.SystemRandom()


def words(first: int, second: int) -> Iterator[int]:
    """The 32-bit words of the stream with two seeds."""
    key, counter = first & philox.KEY_MASK, (second & philox.KEY_MASK) << 64
    blocks = 4
    while True:
        yield from philox.words(key, counter, blocks).ravel().tolist()
        counter += blocks
        blocks = min(4 * blocks, CHUNK)


def seed_pair(seed: Any) -> tuple[int, int]:
    """The two seeds of a dataset: of the global seed and its own; zeros if there is neither."""
    if isinstance(seed, (Tensor, Variable)):
        seed = int(convert(seed, dtypes.int64)._value)
    elif isinstance(seed, float):
        raise TypeError(f"Cannot convert {seed} to EagerTensor of dtype int64")
    if state.trace is None:
        first, second = seeds.get_seed(seed)
        return first or 0, second or 0
    traced = seeds.traced_seeds(state.trace)
    if traced.seed is None and seed is None:
        return 0, 0
    stream = traced.stream(seed)
    return stream._key, stream._start >> 64


class SeedGenerator:
    """Seeds for one iteration after another; of no one's choice if both of its own are 0."""

    def __init__(self, pair: tuple[int, int], renew: bool):
        self._pair = pair if any(pair) else (_entropy.getrandbits(64), _entropy.getrandbits(64))
        self._words = words(*self._pair) if renew else None
        self._lock, self._count = new_lock(), 0

    def draw(self, run: Run) -> tuple[int, int]:
        """The seeds of the next iteration, or those that a checkpoint has for it."""
        with self._lock:
            if run.replay:
                index, first, second, *own = run.replay.pop()
                pair = [first, second]
                self._seek(index + 1, (own[0], own[1]))
            else:
                index = self._count
                pair = list(self._pair) if self._words is None else [
                    next(self._words), next(self._words)]
                self._count += 1
            run.drawn.append((index, *pair, *self._pair))
            return pair[0], pair[1]

    def _seek(self, index: int, own: tuple[int, int]) -> None:
        if self._words is not None and (index, own) != (self._count, self._pair):
            self._pair = own
            self._words = words(*self._pair)
            for _ in range(2 * index):
                next(self._words)
        self._count = index


@named("ops.shuffle_op")
class _ShuffleDataset(DatasetV2):
    """Elements in random order, from a buffer."""

    _fuses_with_repeat = True

    def __init__(self, dataset: DatasetV2, buffer_size: Any, seed: Any, reshuffle: bool):
        size = integer(buffer_size, "buffer_size")
        self._seeds, self._reshuffle = seed_pair(seed), reshuffle
        if known(size) is not None:
            _check_buffer(int(size._value))
        self._set(dataset._structure, (dataset,), (size,))

    def _renew(self) -> None:
        self._generator = SeedGenerator(self._seeds, self._reshuffle)

    def _size(self) -> int:
        size = self._parameter(0)
        _check_buffer(size)
        count = self._input._cardinality()
        if size == UNKNOWN:  # as large as the dataset
            size = count if count > 0 else 1 << 62
        return size

    def _has_reader(self) -> bool:
        return self._input._in_memory()

    def _reader(self, run: Run) -> Any:
        columns = self._input._stacked()
        order = _Order(len(columns[0]), self._size(), words(*self._generator.draw(run)))
        return IndexedReader(columns, order.following)

    def _start(self, run: Run) -> Iterator[Any]:
        if self._has_reader():
            return elements_of(self._reader(run))
        drawn = words(*self._generator.draw(run))
        return _Shuffled(self._input._start(run), self._size(), drawn)

    def _cardinality(self) -> int:
        return self._input._cardinality()


def _check_buffer(size: int) -> None:
    if size < 1 and size != UNKNOWN:
        raise errors.invalid("ShuffleDatasetV3", f"buffer_size must be greater than zero or "
                                                 f"UNKNOWN_CARDINALITY, got {size}")


class _Order:
    """The order in which the rows of a table come out of a buffer of `size`."""

    __slots__ = ("_count", "_next", "_ring", "_start", "_words")

    def __init__(self, count: int, size: int, drawn: Iterator[int]):
        self._ring = list(range(min(size, count)))
        self._count, self._words = count, drawn
        self._next, self._start = len(self._ring), 0

    def following(self, n: int) -> list[int]:
        """The indices of the next n rows; fewer at the end."""
        ring, start, drawn = self._ring, self._start, self._words
        size = len(ring)
        found: list[int] = []
        for fresh in range(self._next, min(self._count, self._next + n)):
            at = start + next(drawn) % size
            if at >= size:
                at -= size
            found.append(ring[at])
            ring[at] = ring[start]
            ring[start] = fresh
            start += 1
            if start == size:
                start = 0
        self._next += len(found)
        if len(found) < n and ring:
            if start:  # no more are filled in: the ring becomes a list
                ring = self._ring = ring[start:] + ring[:start]
                start = 0
            first = 0
            for _ in range(min(n - len(found), len(ring))):
                at = first + next(drawn) % (len(ring) - first)
                found.append(ring[at])
                ring[at] = ring[first]
                first += 1
            del ring[:first]
        self._start = start
        return found


class _Shuffled(ElementIterator):
    """The same with elements of any kind; what has been given leaves a gap until the next call."""

    __slots__ = ("_gap", "_input", "_ring", "_size", "_start", "_words")

    def __init__(self, elements: Iterator, size: int, drawn: Iterator[int]):
        self._input: Iterator | None = elements
        self._size, self._words = size, drawn
        self._ring: list[Any] = []
        self._start, self._gap = 0, False

    def __next__(self) -> Any:
        if self._input is not None:
            self._fill()
        ring, start = self._ring, self._start
        count = len(ring) if self._input is not None else len(ring) - start
        if not count:
            raise StopIteration
        at = (start + next(self._words) % count) % len(ring)
        found, ring[at] = ring[at], ring[start]
        ring[start] = None
        self._start = start + 1
        if self._input is not None:
            self._gap = True
            self._start %= len(ring)
        return found

    def _fill(self) -> None:
        assert self._input is not None
        while self._gap or len(self._ring) < self._size:
            for values in self._input:
                if self._gap:
                    self._ring[self._start - 1] = values
                    self._gap = False
                else:
                    self._ring.append(values)
                break
            else:  # the end: the ring becomes a list, without the gap before its start
                self._ring = self._ring[self._start:] + self._ring[:self._start]
                if self._gap:
                    self._ring.pop()
                self._input, self._start = None, 0
                return


@method
@attributes(reshuffle_each_iteration=flag)
def shuffle(self: DatasetV2, buffer_size: Any, seed: Any = None,
            reshuffle_each_iteration: bool | None = True, name: str | None = None) -> DatasetV2:
    """Elements in random order: each is drawn from a buffer of the next `buffer_size`.

    The order for a seed is TensorFlow's. With `reshuffle_each_iteration` every iteration has
    another one.

    >>> [int(x) for x in tf.data.Dataset.range(6).shuffle(3, seed=9)]
    [1, 2, 0, 3, 5, 4]
    """
    return _ShuffleDataset(self, buffer_size, seed, reshuffle_each_iteration is not False)


# -- random numbers --------------------------------------------------------------------------------
@export("data.experimental.RandomDataset")
@named("ops.random_op")
class _RandomDataset(DatasetV2):
    """Random 32-bit numbers as int64, without end."""

    def __init__(self, seed: Any = None, rerandomize_each_iteration: bool | None = None,
                 name: str | None = None):
        self._seeds = seed_pair(seed)
        self._again = rerandomize_each_iteration is not None and flag(
            "rerandomize_each_iteration", rerandomize_each_iteration)
        self._set(TensorSpec((), dtypes.int64))

    def _renew(self) -> None:
        self._generator = SeedGenerator(self._seeds, self._again)

    def _has_reader(self) -> bool:
        return True

    def _reader(self, run: Run) -> Any:
        return _RandomReader(words(*self._generator.draw(run)))

    def _start(self, run: Run) -> Iterator[Any]:
        return elements_of(self._reader(run))

    def _cardinality(self) -> int:
        return INFINITE


class _RandomReader:
    __slots__ = ("_words",)

    def __init__(self, drawn: Iterator[int]):
        self._words = drawn

    def read(self, n: int) -> list[np.ndarray]:
        return [np.array([next(self._words) for _ in range(n)], np.int64)]


@source
@attributes(rerandomize_each_iteration=flag)
def random(seed: Any = None, rerandomize_each_iteration: bool | None = None,
           name: str | None = None) -> DatasetV2:
    """Random numbers from 0 to 2**32 - 1 as int64, without end."""
    return _RandomDataset(seed, rerandomize_each_iteration)
