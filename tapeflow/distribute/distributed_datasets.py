"""Datasets whose batches are parted among replicas, and their iterators."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tapeflow.base import nest
from tapeflow.base.exports import export
from tapeflow.base.specs import CompositeSpec
from tapeflow.data import load_all as load_all  # tf.data as a whole
from tapeflow.data.dataset import DatasetV2
from tapeflow.data.iterators.owned_iterator import IteratorSpec, OwnedIterator
from tapeflow.distribute.replica_values import PerReplica
from tapeflow.ops.array import shape_ops


@export("distribute.InputContext")
class InputContext:
    """What a function that makes a dataset knows of the replicas it is for."""

    def __init__(self, num_input_pipelines: int = 1, input_pipeline_id: int = 0,
                 num_replicas_in_sync: int = 1):
        self._pipelines, self._pipeline = num_input_pipelines, input_pipeline_id
        self._replicas = num_replicas_in_sync

    @property
    def num_replicas_in_sync(self) -> int:
        return self._replicas

    @property
    def input_pipeline_id(self) -> int:
        return self._pipeline

    @property
    def num_input_pipelines(self) -> int:
        return self._pipelines

    def get_per_replica_batch_size(self, global_batch_size: int) -> int:
        """The part of a batch that each replica gets."""
        if global_batch_size % self._replicas:
            raise ValueError(f"The `global_batch_size` {global_batch_size!r} is not divisible by "
                             f"`num_replicas_in_sync` {self._replicas!r} ")
        return global_batch_size // self._replicas

    def __repr__(self) -> str:
        return (f"tf.distribute.InputContext(input pipeline id {self._pipeline}, total: "
                f"{self._pipelines})")


def _parted(dataset: Any, count: int) -> Any:
    """Each batch as a PerReplica of nearly equal parts."""
    unpacked = type(dataset.element_spec) is tuple  # also one of a single member

    def split(*element: Any) -> Any:
        structure = element if unpacked else element[0]

        def part(x: Any) -> PerReplica:
            size = shape_ops.shape(x)[0]
            share = (size + count - 1) // count
            return PerReplica([x[i * share:(i + 1) * share] for i in range(count)])

        return nest.map_structure(part, structure)

    return dataset.map(split)


def _grouped(dataset: Any, count: int) -> Any:
    """Each `count` elements in turn as a PerReplica; a rest that is smaller is left out."""
    windows = dataset.enumerate()
    streams = [windows.filter(lambda n, *_, i=i: n % count == i).map(_element)
               for i in range(count)]

    def join(*elements: Any) -> Any:
        flat = zip(*[nest.flatten(one) for one in elements])
        return nest.pack_sequence_as(elements[0], [PerReplica(parts) for parts in flat])

    return DatasetV2.zip(tuple(streams)).map(join)


def _element(n: Any, *element: Any) -> Any:
    return element[0] if len(element) == 1 else element


@export("distribute.DistributedIterator")
class DistributedIterator(OwnedIterator):
    """An iterator over a distributed dataset."""

    __slots__ = ("_options",)
    _options: Any  # those of the dataset, which libraries read

    @property
    def _type_spec(self) -> Any:
        return DistributedIteratorSpec(self.element_spec)


class DistributedIteratorSpec(IteratorSpec):
    """The description of a DistributedIterator."""

    __slots__ = ()
    value_type = DistributedIterator

    def _from_components(self, components: Any) -> Any:
        made = DistributedIterator(None, components[0], self._element_spec)
        made._options = None
        return made


@export("distribute.DistributedDataset")
class DistributedDataset:
    """A dataset whose elements are parted among the replicas of a strategy."""

    def __init__(self, dataset: Any, strategy: Any, options: Any = None):
        self._strategy, self._options = strategy, options
        self._dataset = self._divided(dataset, strategy)

    def _divided(self, dataset: Any, strategy: Any) -> Any:
        count = strategy._local_count
        if strategy._group is not None:
            from tapeflow.distribute.auto_sharding import sharded
            own = sharded(dataset, strategy._group, count)
            return own if count == 1 else _grouped(own, count)
        return dataset if count == 1 else _parted(dataset, count)

    @property
    def element_spec(self) -> Any:
        return self._dataset.element_spec

    def __iter__(self) -> DistributedIterator:
        made = DistributedIterator(self._dataset)
        made._options = self._options
        return made

    def __tf_iterate__(self, *statement: Any) -> None:
        """`for x in dataset` in a function that AutoGraph converts."""
        iter(self).__tf_iterate__(*statement)

    def __len__(self) -> int:
        return len(self._dataset)

    @property
    def cardinality(self) -> Any:
        return self._dataset.cardinality()

    @property
    def _type_spec(self) -> Any:
        return DistributedDatasetSpec(self)


class DistributedDatasetsFromFunction(DistributedDataset):
    """What a function of an InputContext made, one element for each replica."""

    def __init__(self, dataset_fn: Callable, strategy: Any, options: Any = None):
        group = strategy._group
        context = InputContext(1 if group is None else group.size,
                               0 if group is None else group.rank, strategy.num_replicas_in_sync)
        super().__init__(dataset_fn(context), strategy, options)

    def _divided(self, dataset: Any, strategy: Any) -> Any:
        count = strategy._local_count
        if strategy._group is not None:
            from tapeflow.distribute.auto_sharding import even
            dataset = even(dataset, strategy._group)
        return dataset if count == 1 else _grouped(dataset, count)


class DistributedDatasetSpec(CompositeSpec):
    """The description of a DistributedDataset: that of the dataset behind it."""

    __slots__ = ("_inner", "_kind", "_strategy")
    value_type = DistributedDataset

    def __init__(self, value: Any):
        self._inner, self._kind = value._dataset._type_spec, type(value)
        self._strategy = value._strategy

    def _serialize(self) -> tuple:
        return (self._inner,)

    @property
    def _component_specs(self) -> Any:
        return self._inner._component_specs

    def _to_components(self, value: Any) -> Any:
        return self._inner._to_components(value._dataset)

    def _from_components(self, components: Any) -> Any:
        made = object.__new__(self._kind)
        made._dataset = self._inner._from_components(components)
        made._strategy, made._options = self._strategy, None
        return made

    def __hash__(self) -> int:
        return hash((DistributedDatasetSpec, self._inner))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, DistributedDatasetSpec) and self._inner == other._inner


InputContext.__module__ = "tensorflow.python.distribute.distribute_lib"
for _class in (DistributedIterator, DistributedIteratorSpec, DistributedDataset,
               DistributedDatasetsFromFunction, DistributedDatasetSpec):
    _class.__module__ = "tensorflow.python.distribute.input_lib"
