"""Batches and their opposite: batch, unbatch, rebatch."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from tapeflow.base import errors
from tapeflow.base.attributes import dense
from tapeflow.core.record.primitive_ops import cast
from tapeflow.core.values.convert import convert
from tapeflow.core.values.tensor import Tensor
from tapeflow.data.class_names import named
from tapeflow.data.dataset import UNKNOWN, DatasetV2, method
from tapeflow.data.elements.batch_specs import with_batch, without_batch
from tapeflow.data.elements.columnar import elements_of_columns, read_exactly
from tapeflow.data.elements.parameters import integer, known, switch
from tapeflow.data.elements.stacking import stack_all
from tapeflow.data.elements.structure import Structure
from tapeflow.data.iterators.iteration import ElementIterator, Run, failed


# -- batch -----------------------------------------------------------------------------------------
@named("ops.batch_op")
class _BatchDataset(DatasetV2):
    """Elements stacked."""

    def __init__(self, dataset: DatasetV2, batch_size: Any, drop_remainder: Any):
        size = integer(batch_size, "batch_size")
        if known(size) is not None:
            check_batch_size(int(size._value))
        self._drop = switch(drop_remainder, "drop_remainder")
        self._set(with_batch(dataset.element_spec, known(size) if self._drop else None, "batch"),
                  (dataset,), (size,))

    def _start(self, run: Run) -> Iterator[Any]:
        size = self._parameter(0)
        check_batch_size(size)
        source = self._input
        if source._has_reader():
            return _Blocks(source._reader(run), size, self._drop)
        if not source._structure.plain:
            from tapeflow.data.elements.ragged_sparse import stacker
            return _Stacked(source._start(run), size, self._drop,
                            stacker(source._structure, self._structure))
        return _Stacked(source._start(run), size, self._drop, stack_all)

    @property
    def _batch_size(self) -> Tensor:
        """How many elements a batch has; Keras 2 asks for it."""
        return self._tensors[0]

    def _cardinality(self) -> int:
        return batches(self._input._cardinality(), self._parameter(0), self._drop)


def batches(size: int, batch_size: int, drop: bool) -> int:
    """How many batches so many elements make."""
    return size if size < 0 else size // batch_size if drop else -(-size // batch_size)


def check_batch_size(size: int) -> None:
    if size < 1:
        raise errors.invalid("BatchDatasetV2", "Batch size must be greater than zero.")


@named("ops.batch_op")
class _ParallelBatchDataset(_BatchDataset):
    """A batch dataset that was asked to work in parallel: stacking is not worth it here."""


class _Blocks(ElementIterator):
    """Batches of a reader."""

    __slots__ = ("_drop", "_reader", "_size")

    def __init__(self, reader: Any, size: int, drop: bool):
        self._reader, self._size, self._drop = reader, size, drop

    def __next__(self) -> list:
        found = read_exactly(self._reader, self._size)
        if found is None or (self._drop and len(found[0]) < self._size):
            raise StopIteration
        return found


class _Stacked(ElementIterator):
    """Batches of elements."""

    __slots__ = ("_drop", "_input", "_size", "_stack")

    def __init__(self, elements: Iterator, size: int, drop: bool, stack: Any):
        self._input, self._size, self._drop, self._stack = elements, size, drop, stack

    def __next__(self) -> list:
        found = []
        for values in self._input:
            found.append(values)
            if len(found) == self._size:
                return self._stack(found)
        if not found or self._drop:
            raise StopIteration
        return self._stack(found)


@method
def batch(self: DatasetV2, batch_size: Any, drop_remainder: Any = False,
          num_parallel_calls: Any = None, deterministic: bool | None = None,
          name: str | None = None) -> DatasetV2:
    """Every `batch_size` elements as one, stacked along a new first axis.

    >>> [x.numpy().tolist() for x in tf.data.Dataset.range(5).batch(2)]
    [[0, 1], [2, 3], [4]]
    """
    if num_parallel_calls is None:
        return _BatchDataset(self, batch_size, drop_remainder)
    calls = integer(num_parallel_calls, "num_parallel_calls")
    if calls.shape.rank:
        raise errors.invalid("ParallelBatchDataset", "num_parallel_calls must be a scalar")
    return _ParallelBatchDataset(self, batch_size, drop_remainder)


# -- the opposite ----------------------------------------------------------------------------------
@named("ops.unbatch_op")
class _UnbatchDataset(DatasetV2):
    """The rows of elements."""

    def __init__(self, dataset: DatasetV2):
        flat = [spec.shape[0] for spec in dataset._structure.tensors
                if spec.shape.rank] if dataset._structure.plain else []
        if len({n for n in flat if n is not None}) > 1:
            raise ValueError(f"`unbatch`: components have different numbers of rows: {flat}.")
        self._set(without_batch(dataset.element_spec, "unbatch"), (dataset,))

    def _start(self, run: Run) -> Iterator[Any]:
        return _Rows(self._input._start(run), self._input._structure, self._structure)

    def _cardinality(self) -> int:
        size = self._input._cardinality()
        if size <= 0:
            return size
        known_sizes = [spec.shape[0] for spec in self._input._structure.tensors
                       if spec.shape.rank and spec.shape[0] is not None]
        return size * known_sizes[0] if known_sizes else UNKNOWN


class _Rows(ElementIterator):
    __slots__ = ("_input", "_now", "_single", "_whole")

    def __init__(self, elements: Iterator, whole: Structure, single: Structure):
        self._input, self._whole, self._single = elements, whole, single
        self._now: Iterator = iter(())

    def __next__(self) -> Any:
        while True:
            for values in self._now:
                return values
            found = next(self._input)
            if not self._whole.plain:
                from tapeflow.data.elements.ragged_sparse import elements_of_batch
                self._now = elements_of_batch(self._whole, self._single, list(found))
                continue
            if len({len(column) for column in found}) > 1:
                raise failed("Input element must have the same batch size in each component.")
            self._now = elements_of_columns(list(found))


@method
def unbatch(self: DatasetV2, name: str | None = None) -> DatasetV2:
    """The rows of each element, one by one."""
    return _UnbatchDataset(self)


@named("ops.rebatch_op")
class _RebatchDataset(DatasetV2):
    """Batches of another size."""

    def __init__(self, dataset: DatasetV2, batch_size: Any, drop_remainder: bool):
        vector = convert(dense("batch_size", batch_size))
        vector = vector if vector.dtype.name == "int64" else cast(vector, dtype=np.dtype("int64"))
        if vector.ndim not in (0, 1):
            raise ValueError(f"Invalid `batch_size`. Expected a scalar or a vector but got a "
                             f"tensor of shape {vector.shape}.")
        for spec in dataset._structure.tensors:
            if spec.shape.rank == 0:
                raise ValueError("Invalid `batch_sizes`. Expected dataset with rank of >= 1 but "
                                 "found a dataset with scalar elements. Fix the issue by adding "
                                 "the `batch` transformation to the dataset.")
        self._drop = switch(drop_remainder, "drop_remainder")
        inner = without_batch(dataset.element_spec, "rebatch")
        sizes_given = set(np.atleast_1d(vector._value).tolist()) if type(vector) is Tensor else ()
        size = next(iter(sizes_given)) if len(sizes_given) == 1 else None
        rows = {spec.shape[0] if spec.shape.rank else None for spec in dataset._structure.tensors}
        whole = size is not None and size > 0 and all(n is not None and n % size == 0
                                                      for n in rows)
        static = size if self._drop or whole else None
        self._set(with_batch(inner, static, "rebatch"), (dataset,), (vector,))

    def _start(self, run: Run) -> Iterator[Any]:
        wanted = np.atleast_1d(self._tensors[0]._value).tolist()
        if min(wanted) < 1:
            raise errors.invalid("RebatchDatasetV2", "Batch sizes must be greater than zero.")
        return _Rebatched(self._input._start(run), wanted, self._drop)


class _Rebatched(ElementIterator):
    __slots__ = ("_at", "_drop", "_reader", "_sizes")

    def __init__(self, elements: Iterator, wanted: list, drop: bool):
        self._reader, self._sizes, self._drop, self._at = _Remains(elements), wanted, drop, 0

    def __next__(self) -> list:
        size = self._sizes[self._at % len(self._sizes)]
        self._at += 1
        found = read_exactly(self._reader, size)
        if found is None or (self._drop and len(found[0]) < size):
            raise StopIteration
        return found


class _Remains:
    """A reader over batches."""

    __slots__ = ("_input", "_left")

    def __init__(self, elements: Iterator):
        self._input = elements
        self._left: list | None = None

    def read(self, n: int) -> list | None:
        while self._left is None or not len(self._left[0]):
            self._left = next(self._input, None)
            if self._left is None:
                return None
        found = [column[:n] for column in self._left]
        self._left = [column[n:] for column in self._left]
        return found


@method
def rebatch(self: DatasetV2, batch_size: Any, drop_remainder: bool = False,
            name: str | None = None) -> DatasetV2:
    """Batches of `batch_size` rows (a vector: sizes in turn) out of batches of other sizes."""
    return _RebatchDataset(self, batch_size, drop_remainder)


