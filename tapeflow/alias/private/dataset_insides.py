"""What libraries ask of datasets, iterators and strategies from inside."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from typing import Any

import tapeflow


def compute_batch_size(dataset: Any) -> Any:
    """The number of rows in the batches of a dataset, as an int64 scalar; -1 if it is unknown."""
    sizes = {spec.shape[0] for spec in tapeflow.nest.flatten(dataset.element_spec)}
    if len(sizes) == 1 and None not in sizes:
        return tapeflow.constant(sizes.pop(), tapeflow.int64)
    while dataset is not None:
        kind = type(dataset).__name__
        if kind in ("_BatchDataset", "_ParallelBatchDataset", "_PaddedBatchDataset"):
            return tapeflow.constant(dataset._parameter(0), tapeflow.int64)
        keeps = kind.startswith(("_Map", "_ParallelMap", "_Shuffle", "_Prefetch", "_Repeat",
                                 "_Take", "_Skip", "_Shard", "_Cache", "_Filter", "_Options"))
        dataset = dataset._inputs[0] if keeps and len(dataset._inputs) == 1 else None
    return tapeflow.constant(-1, tapeflow.int64)


class _AnyIterator(type):
    """An iterator over a dataset counts as one of `OwnedIterator`."""

    def __instancecheck__(cls, instance: Any) -> bool:
        return isinstance(instance, type(iter(tapeflow.data.Dataset.range(0))))


class OwnedIterator(metaclass=_AnyIterator):
    """The class of iterators over datasets, for isinstance."""


class _SparseTensorSliceDataset:
    """The class of datasets of slices of sparse tensors, for isinstance: TensorFlow 2 makes none.
    """


@contextlib.contextmanager
def cache_variable_reads() -> Iterator[None]:
    """Accepted: variables are read from memory."""
    yield
