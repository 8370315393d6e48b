"""Which elements, and how often: take, skip, shard, repeat."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from tapeflow.base import errors
from tapeflow.data.class_names import named
from tapeflow.data.dataset import INFINITE, UNKNOWN, DatasetV2, method
from tapeflow.data.elements.columnar import (
    ChainReader,
    LimitReader,
    SkipReader,
    elements_of_columns,
)
from tapeflow.data.elements.parameters import integer, known
from tapeflow.data.iterators.iteration import ElementIterator, Run


@named("ops.take_op")
class _TakeDataset(DatasetV2):
    """The first elements; all of them if the count is negative."""

    def __init__(self, dataset: DatasetV2, count: Any):
        self._set(dataset._structure, (dataset,), (integer(count, "count"),))

    def _in_memory(self) -> bool:
        return self._input._in_memory()

    def _stacked(self) -> list[np.ndarray]:
        columns, count = self._input._stacked(), self._parameter(0)
        return columns if count < 0 else [one[:count] for one in columns]

    def _has_reader(self) -> bool:
        return self._input._has_reader()

    def _reader(self, run: Run) -> Any:
        reader, count = self._input._reader(run), self._parameter(0)
        return reader if count < 0 else LimitReader(reader, count)

    def _start(self, run: Run) -> Iterator[Any]:
        count = self._parameter(0)
        if count == 0:
            return iter(())
        elements = self._input._start(run)
        return elements if count < 0 else _Limited(elements, count)

    def _cardinality(self) -> int:
        return limited(self._input._cardinality(), self._parameter(0))


def limited(size: int, count: int) -> int:
    """How many are left of `size` elements when the first `count` are taken."""
    if size == INFINITE:
        return count if count >= 0 else INFINITE
    return size if size == UNKNOWN or count < 0 else min(size, count)


class _Limited(ElementIterator):
    __slots__ = ("_input", "_left")

    def __init__(self, elements: Iterator, count: int):
        self._input, self._left = elements, count

    def __next__(self) -> Any:
        if self._left <= 0:
            self._input = iter(())  # what runs below may stop
            raise StopIteration
        self._left -= 1
        return next(self._input)


@method
def take(self: DatasetV2, count: Any, name: str | None = None) -> DatasetV2:
    """At most the first `count` elements; -1 for all."""
    return _TakeDataset(self, count)


@named("ops.skip_op")
class _SkipDataset(DatasetV2):
    """All but the first elements; none if the count is -1."""

    def __init__(self, dataset: DatasetV2, count: Any):
        self._set(dataset._structure, (dataset,), (integer(count, "count"),))

    def _in_memory(self) -> bool:
        return self._input._in_memory()

    def _stacked(self) -> list[np.ndarray]:
        count = self._parameter(0)
        return [one[count:] if count >= 0 else one[:0] for one in self._input._stacked()]

    def _has_reader(self) -> bool:
        return self._in_memory() or self._input._has_reader()

    def _reader(self, run: Run) -> Any:
        if self._in_memory():
            return super()._reader(run)
        reader, count = self._input._reader(run), self._parameter(0)
        return SkipReader(reader, count) if count >= 0 else LimitReader(reader, 0)

    def _start(self, run: Run) -> Iterator[Any]:
        count = self._parameter(0)
        if self._in_memory():
            return elements_of_columns(self._stacked())
        if count < 0:
            return iter(())
        return _Skipped(self._input._start(run), count)

    def _cardinality(self) -> int:
        size, count = self._input._cardinality(), self._parameter(0)
        if count < 0:
            return 0
        return size if size < 0 else max(0, size - count)


class _Skipped(ElementIterator):
    __slots__ = ("_input", "_left")

    def __init__(self, elements: Iterator, count: int):
        self._input, self._left = elements, count

    def __next__(self) -> Any:
        while self._left > 0:
            self._left -= 1
            next(self._input)
        return next(self._input)


@method
def skip(self: DatasetV2, count: Any, name: str | None = None) -> DatasetV2:
    """All but the first `count` elements."""
    return _SkipDataset(self, count)


SHARD_HINT = -1  # stands for the number and the index that a strategy knows


@named("ops.shard_op")
class _ShardDataset(DatasetV2):
    """Every n-th element."""

    def __init__(self, dataset: DatasetV2, num_shards: Any, index: Any):
        count, at = integer(num_shards, "num_shards"), integer(index, "index")
        if known(count) is not None and known(at) is not None and known(count) != SHARD_HINT:
            _check_shard(known(count), known(at))
        self._set(dataset._structure, (dataset,), (count, at))

    def _in_memory(self) -> bool:
        return self._parameter(0) != SHARD_HINT and self._input._in_memory()

    def _stacked(self) -> list[np.ndarray]:
        count, at = self._parameter(0), self._parameter(1)
        _check_shard(count, at)
        return [one[at::count] for one in self._input._stacked()]

    def _start(self, run: Run) -> Iterator[Any]:
        count, at = self._parameter(0), self._parameter(1)
        if count == SHARD_HINT and run.hint is not None:
            count, at = run.hint
        _check_shard(count, at)
        return _Sharded(self._input._start(run), count, at)

    def _cardinality(self) -> int:
        size = self._input._cardinality()
        count, at = self._parameter(0), self._parameter(1)
        return size if size < 0 else len(range(at, size, count))


def _check_shard(count: int | None, at: int | None) -> None:
    if count is None or at is None:
        return
    if count == SHARD_HINT:
        raise errors.FailedPreconditionError(None, None, (
            "`tf.data.Dataset.shard(SHARD_HINT, ...)` can only be used in `tf.distribute.Strategy."
            "experimental_distribute_dataset()` with `tf.data.experimental.AutoShardPolicy.HINT` "
            "policy, or tf.data service with `tf.data.experimental.service.ShardingPolicy.HINT` "
            "processing mode. [Op:MakeIterator]"))
    if count < 1:
        raise errors.invalid("ShardDataset", f"Number of shards must be greater than zero "
                                             f"(currently num_shards = {count}).")
    if not 0 <= at < count:
        raise errors.invalid("ShardDataset", f"Index must be between 0 and {count - 1} "
                                             f"(currently index = {at}).")


class _Sharded(ElementIterator):
    __slots__ = ("_count", "_first", "_input")

    def __init__(self, elements: Iterator, count: int, first: int):
        self._input, self._count, self._first = elements, count, first

    def __next__(self) -> Any:
        for _ in range(self._first):
            next(self._input)
        self._first = self._count - 1
        return next(self._input)


@method
def shard(self: DatasetV2, num_shards: Any, index: Any, name: str | None = None) -> DatasetV2:
    """Every `num_shards`-th element, beginning with that at `index`."""
    return _ShardDataset(self, num_shards, index)


@named("ops.repeat_op")
class _RepeatDataset(DatasetV2):
    """The elements again and again."""

    def __init__(self, dataset: DatasetV2, count: Any):
        self._set(dataset._structure, (dataset,),
                  (integer(-1 if count is None else count, "count"),))

    def _passes(self, begin: Callable) -> Iterator[Any]:
        """The input begun again and again.

        TensorFlow begins once more before it sees that it is done, except where it makes one
        dataset of shuffle and repeat, or leaves out a repeat(1): that counts where beginning
        draws seeds.
        """
        count = self._parameter(0)
        for _ in itertools.count() if count < 0 else range(count):
            yield begin()
        if not self._input._fuses_with_repeat and count != 1:
            begin()

    def _has_reader(self) -> bool:
        return self._input._has_reader() and self._input._cardinality() > 0

    def _reader(self, run: Run) -> Any:
        passes = self._passes(lambda: self._input._reader(run))
        return ChainReader(lambda: next(passes, None))

    def _start(self, run: Run) -> Iterator[Any]:
        return _Repeated(self._passes(lambda: self._input._start(run)),
                         self._input._cardinality() == UNKNOWN)

    def _cardinality(self) -> int:
        size, count = self._input._cardinality(), self._parameter(0)
        if count < 0:
            return 0 if size == 0 else INFINITE
        if count == 0:
            return 0
        return size if size < 0 else size * count


class _Repeated(ElementIterator):
    __slots__ = ("_input", "_passes", "_uncertain")

    def __init__(self, passes: Iterator, uncertain: bool):
        self._passes, self._uncertain = passes, uncertain
        self._input: Iterator | None = None

    def __next__(self) -> Any:
        while True:
            fresh = self._input is None
            if self._input is None:
                self._input = next(self._passes)
            for values in self._input:
                return values
            self._input = None
            if fresh and not self._uncertain:
                self._passes = iter(())  # an empty dataset stays empty
                raise StopIteration


@method
def repeat(self: DatasetV2, count: Any = None, name: str | None = None) -> DatasetV2:
    """The elements `count` times; without end if it is None or -1."""
    return _RepeatDataset(self, count)
