"""Several datasets as one: concatenate, zip, enumerate."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from tapeflow.base import dtypes, nest
from tapeflow.base.specs import TensorSpec
from tapeflow.data.class_names import named
from tapeflow.data.dataset import INFINITE, UNKNOWN, DatasetV2, check_dataset, method, source
from tapeflow.data.elements.columnar import ChainReader, CountReader, ZipReader
from tapeflow.data.elements.parameters import integer
from tapeflow.data.elements.structure import common_spec
from tapeflow.data.iterators.iteration import ElementIterator, Run

enumerate_ = enumerate  # a method below has that name

@named("ops.concatenate_op")
class _ConcatenateDataset(DatasetV2):
    """The elements of one dataset and then those of another."""

    def __init__(self, first: DatasetV2, second: DatasetV2):
        check_dataset(second, "Dataset.concatenate", "dataset")
        spec = common_spec(first.element_spec, second.element_spec)
        if spec is None:
            raise TypeError(f"Incompatible dataset elements:\n  {first.element_spec} vs.   "
                            f"{second.element_spec}")
        self._set(spec, (first, second))

    def _has_reader(self) -> bool:
        return all(one._has_reader() and one.element_spec == self.element_spec
                   for one in self._inputs)

    def _reader(self, run: Run) -> Any:
        waiting = iter([lambda one=one, i=i: one._reader(run.branch(self, i))
                        for i, one in enumerate_(self._inputs)])
        return ChainReader(lambda: next(waiting, lambda: None)())

    def _start(self, run: Run) -> Iterator[Any]:
        return _Chained([lambda one=one, i=i: one._start(run.branch(self, i))
                         for i, one in enumerate_(self._inputs)])

    def _cardinality(self) -> int:
        sizes = [one._cardinality() for one in self._inputs]
        return INFINITE if INFINITE in sizes else UNKNOWN if UNKNOWN in sizes else sum(sizes)


class _Chained(ElementIterator):
    __slots__ = ("_input", "_waiting")

    def __init__(self, starts: list):
        self._waiting = starts[1:]
        self._input = starts[0]()

    def __next__(self) -> Any:
        while True:
            for values in self._input:
                return values
            if not self._waiting:
                raise StopIteration
            self._input = self._waiting.pop(0)()


@method
def concatenate(self: DatasetV2, dataset: DatasetV2, name: str | None = None) -> DatasetV2:
    """The elements of this dataset, then those of another."""
    return _ConcatenateDataset(self, dataset)


@named("ops.zip_op")
class _ZipDataset(DatasetV2):
    """Elements of several datasets side by side."""

    def __init__(self, datasets: Any):
        flat = nest.flatten(datasets)
        if not flat or (isinstance(datasets, tuple) and any(
                isinstance(one, list) for one in datasets)):
            raise TypeError(f"Invalid input to `zip`: Python `list` is not supported, use `tuple`. "
                            f"Got {datasets!r}.")
        for one in flat:
            if not isinstance(one, DatasetV2):
                raise TypeError(f"Invalid `datasets`. `datasets` is expected to be a (nested) "
                                f"structure of `tf.data.Dataset` objects but encountered object "
                                f"of type {type(one)}.")
        self._set(nest.pack_sequence_as(datasets, [one.element_spec for one in flat]),
                  tuple(flat))

    def _in_memory(self) -> bool:
        return bool(self._inputs) and all(one._in_memory() for one in self._inputs)

    def _stacked(self) -> list[np.ndarray]:
        columns = [column for one in self._inputs for column in one._stacked()]
        least = min(len(column) for column in columns)
        return [column[:least] for column in columns]

    def _has_reader(self) -> bool:
        return bool(self._inputs) and all(one._has_reader() for one in self._inputs)

    def _reader(self, run: Run) -> Any:
        return ZipReader([one._reader(run.branch(self, i)) for i, one in enumerate_(self._inputs)])

    def _start(self, run: Run) -> Iterator[Any]:
        return _Zipped([one._start(run.branch(self, i)) for i, one in enumerate_(self._inputs)])

    def _cardinality(self) -> int:
        sizes = [one._cardinality() for one in self._inputs]
        finite = [size for size in sizes if size != INFINITE]
        return INFINITE if not finite else UNKNOWN if UNKNOWN in finite else min(finite)


class _Zipped(ElementIterator):
    __slots__ = ("_inputs",)

    def __init__(self, inputs: list):
        self._inputs = inputs

    def __next__(self) -> Any:
        found: list[Any] = []
        for one in self._inputs:
            found += next(one)
        if not self._inputs:
            raise StopIteration
        return found


@source
def zip(*args: Any, datasets: Any = None, name: str | None = None) -> DatasetV2:
    """Elements of several datasets side by side; the shortest ends it.

    >>> a, b = tf.data.Dataset.range(1, 4), tf.data.Dataset.range(4, 7)
    >>> [(int(x), int(y)) for x, y in tf.data.Dataset.zip(a, b)]
    [(1, 4), (2, 5), (3, 6)]
    """
    if not args and datasets is None:
        raise TypeError("Must pass at least one dataset to `zip`.")
    if args and datasets is not None:
        raise TypeError("Both `*args` and `datasets` cannot be set.")
    if len(args) == 1:
        datasets = args[0]
    elif len(args) > 1:
        datasets = args
    return _ZipDataset(datasets)


class _CountingDataset(DatasetV2):
    """0, 1, 2 … without end, from `start`."""

    def __init__(self, start: Any):
        self._set(TensorSpec((), dtypes.int64), (), (integer(start, "start"),))

    def _has_reader(self) -> bool:
        return True

    def _reader(self, run: Run) -> Any:
        return CountReader(self._parameter(0))

    def _start(self, run: Run) -> Iterator[Any]:
        return ([np.int64(i)] for i in range(self._parameter(0), np.iinfo(np.int64).max))

    def _cardinality(self) -> int:
        return INFINITE


@method
def enumerate(self: DatasetV2, start: Any = 0, name: str | None = None) -> DatasetV2:
    """Pairs of an element's index, from `start`, and the element."""
    return _ZipDataset((_CountingDataset(start), self))
