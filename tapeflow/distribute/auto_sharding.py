"""Which part of a dataset a rank reads: the auto-shard policies of tf.data.

DATA    every rank reads all of it, and takes its part of each global batch
FILE    every rank reads its own files; a global batch becomes one for each replica
OFF     every rank takes all of it, in batches for one replica
HINT    as FILE, but shards where the program wrote `shard(SHARD_HINT, SHARD_HINT)`
AUTO    FILE if the dataset reads at least as many files as there are ranks, else DATA

Except under DATA ranks may run out of elements at different times: until the last one does, the
others get batches without rows.
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from tapeflow.base import errors, nest
from tapeflow.base.frames.user_lines import user_line
from tapeflow.base.specs import TensorSpec
from tapeflow.data.class_names import named
from tapeflow.data.dataset import DatasetV2
from tapeflow.data.elements.structure import Structure
from tapeflow.data.iterators.iteration import ElementIterator, Run
from tapeflow.data.options import AutoShardPolicy
from tapeflow.data.sources.file_sources import _FilesDataset
from tapeflow.data.transforms.batch_unbatch import _BatchDataset
from tapeflow.data.transforms.take_repeat import SHARD_HINT, _ShardDataset
from tapeflow.distribute.mpi import exchange


def sharded(dataset: Any, group: Any, local: int) -> Any:
    """The elements of this rank: for one replica each."""
    policy = dataset.options().experimental_distribute.auto_shard_policy
    count, total = group.size, group.size * local
    if policy in (AutoShardPolicy.FILE, AutoShardPolicy.AUTO):
        found = _by_files(dataset, count, group.rank)
        if found is not None:
            return _Even(_Rebatched(found, total), group)
        if policy is AutoShardPolicy.FILE:
            raise errors.NotFoundError(
                None, None, "auto_shard_policy is FILE, but the dataset reads no files, or fewer "
                f"than the {count} workers. Use AutoShardPolicy.DATA or AUTO.")
    if policy is AutoShardPolicy.OFF:
        return _Even(_Rebatched(dataset, total), group)
    if policy is AutoShardPolicy.HINT:
        return _Even(_Rebatched(_by_hints(dataset, count, group.rank), total), group)
    return _OwnParts(dataset, total, group.rank * local, local)


def even(dataset: Any, group: Any) -> Any:
    """A dataset that ends when those of all ranks have ended."""
    return _Even(dataset, group)


# -- the nodes of a dataset ------------------------------------------------------------------------
def _rebuilt(node: Any, change: Callable[[Any], Any]) -> Any:
    """A dataset with some of its nodes changed; `change` gives the new one, or None."""
    found = change(node)
    if found is not None:
        return found
    inputs = tuple([_rebuilt(one, change) for one in node._inputs])
    if all(new is old for new, old in zip(inputs, node._inputs)):
        return node
    made = copy.copy(node)
    made._inputs = inputs
    made._renew()
    return made


def _reads_files(node: Any) -> bool:
    """Whether it opens files: itself, or in the function that it calls for each name."""
    if isinstance(node, _FilesDataset):
        return True
    function = getattr(node, "_function", None)
    return function is not None and any(
        isinstance(one.attrs.get("template"), _FilesDataset)
        for one in function.graph.graph.nodes)


def _by_files(dataset: Any, count: int, index: int) -> Any:
    """The dataset with its file names divided among ranks; None if there are not enough."""
    names = [one for one in _nodes(dataset) if _reads_files(one)]
    if not names or any(0 <= one._input._cardinality() < count for one in names):
        return None

    def change(node: Any) -> Any:
        if node not in names:
            return None
        made = copy.copy(node)
        made._inputs = (_ShardDataset(node._input, count, index), *node._inputs[1:])
        made._renew()
        return made

    return _rebuilt(dataset, change)


def _by_hints(dataset: Any, count: int, index: int) -> Any:
    def change(node: Any) -> Any:
        if isinstance(node, _ShardDataset) and node._parameter(0) == SHARD_HINT:
            return _ShardDataset(node._input, count, index)
        return None

    return _rebuilt(dataset, change)


def _nodes(dataset: Any) -> list:
    found = [dataset]
    for one in dataset._inputs:
        found += _nodes(one)
    return found


def _batch_size(dataset: Any) -> int | None:
    """The size of the batches, as far as the nodes tell."""
    for node in _nodes(dataset):
        if isinstance(node, _BatchDataset):
            return node._parameter(0)
    return None


# -- datasets --------------------------------------------------------------------------------------
def _any_rows(structure: Structure) -> Any:
    """The element spec with an unknown number of rows."""
    if not structure.plain:
        raise NotImplementedError("a dataset of ragged or sparse tensors is not divided among "
                                  "ranks: use distribute_datasets_from_function")

    def free(spec: Any) -> Any:
        if spec.shape.rank is None:
            return spec
        if spec.shape.rank == 0:
            raise ValueError("a dataset must be batched before it is distributed: its elements "
                             "are divided among replicas")
        return TensorSpec([None, *spec.shape.as_list()[1:]], spec.dtype)

    return nest.map_structure(free, structure.spec)


@named("ops.dataset_ops")
class _OwnParts(DatasetV2):
    """Of each batch the parts of this rank's replicas, one element each."""

    def __init__(self, dataset: Any, total: int, first: int, local: int):
        self._total, self._first, self._local = total, first, local
        self._set(_any_rows(dataset._structure), (dataset,))

    def _start(self, run: Run) -> Iterator[Any]:
        return _Parts(self._input._start(run), self._total, self._first, self._local, None)

    def _cardinality(self) -> int:
        size = self._input._cardinality()
        return size if size < 0 else size * self._local


@named("ops.dataset_ops")
class _Rebatched(DatasetV2):
    """Each batch as smaller ones, for one replica each."""

    def __init__(self, dataset: Any, total: int):
        self._total = total
        size = _batch_size(dataset)
        self._share = None if size is None else -(-size // total)
        self._set(_any_rows(dataset._structure), (dataset,))

    def _start(self, run: Run) -> Iterator[Any]:
        return _Parts(self._input._start(run), self._total, 0, self._total, self._share)


class _Parts(ElementIterator):
    """Parts `first` … of each batch that is divided by `total`, or into parts of `share` rows."""

    __slots__ = ("_first", "_input", "_local", "_ready", "_share", "_total")

    def __init__(self, elements: Iterator, total: int, first: int, local: int, share: int | None):
        self._input, self._total, self._first = elements, total, first
        self._local, self._share = local, share
        self._ready: list[list] = []

    def __next__(self) -> Any:
        while not self._ready:
            element = next(self._input)
            rows = max((len(x) for x in element), default=0)
            share = self._share or -(-rows // self._total)
            places = [i * share for i in range(self._first, self._first + self._local)]
            if self._share:  # no empty ones at the end
                places = [at for at in places if at < rows]
            self._ready = [[x[at:at + share] for x in element] for at in reversed(places)]
        return self._ready.pop()


@named("ops.dataset_ops")
class _Even(DatasetV2):
    """Ends when the datasets of all ranks have ended; until then gives batches without rows."""

    def __init__(self, dataset: Any, group: Any):
        self._group, self._where = group, user_line()
        self._set(_any_rows(dataset._structure), (dataset,))

    def _start(self, run: Run) -> Iterator[Any]:
        return _Evenly(self._input._start(run), self._group, self._empty, self._where)

    def _empty(self) -> list:
        return [np.zeros([n or 0 for n in spec.shape.as_list()], spec.dtype.np)
                for spec in self._structure.tensors]

    def _cardinality(self) -> int:
        return min(self._input._cardinality(), -1)  # infinite, or unknown


class _Evenly(ElementIterator):
    __slots__ = ("_empty", "_ended", "_group", "_input", "_where")

    def __init__(self, elements: Iterator, group: Any, empty: Callable[[], list], where: str):
        self._input, self._group, self._empty, self._where = elements, group, empty, where
        self._ended = False

    def __next__(self) -> Any:
        element = None
        if not self._ended:
            element = next(self._input, None)
            self._ended = element is None
        mine = np.array([not self._ended], np.uint8)
        (some,) = exchange.all_reduce(self._group, [mine], "max", f"{self._where} (next element)")
        if not some[0]:
            raise StopIteration
        return self._empty() if element is None else element
