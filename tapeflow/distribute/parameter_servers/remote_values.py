"""What workers make: results to wait for, and a value, dataset or iterator for each worker."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

from tapeflow.base import nest
from tapeflow.base.exports import export
from tapeflow.core.values.composite import Composite
from tapeflow.core.values.tensor import Tensor
from tapeflow.distribute.distributed_datasets import (
    DistributedDataset,
    DistributedDatasetsFromFunction,
)


class _Thread(threading.local):
    worker: Any = None


_thread = _Thread()


def on_worker(worker: Any, call: Callable) -> Any:
    """What `call(worker)` returns, made as by that worker."""
    before, _thread.worker = _thread.worker, worker
    try:
        return call(worker)
    finally:
        _thread.worker = before


@export("distribute.coordinator.RemoteValue", "distribute.experimental.coordinator.RemoteValue")
class RemoteValue:
    """What a scheduled function will return.

    >>> tasks = {"worker": ["localhost:5551"], "ps": ["localhost:5552"]}
    >>> cluster = tf.train.ClusterSpec(tasks)
    >>> servers = [tf.distribute.Server(cluster, job, 0) for job in tasks]
    >>> coordinator = tf.distribute.coordinator.ClusterCoordinator(
    ...     tf.distribute.ParameterServerStrategy(
    ...         tf.distribute.cluster_resolver.SimpleClusterResolver(cluster)))
    >>> result = coordinator.schedule(tf.function(lambda x: x + 1), args=(tf.constant(1),))
    >>> result.fetch()
    np.int32(2)
    """

    def __init__(self, call: Callable[[Any], Any]):
        self._call, self._ready = call, threading.Event()
        self._result: Any = None
        self._error: BaseException | None = None

    def _rebuild_on(self, worker: Any) -> None:
        """Make the value on a worker; an error is kept for whoever asks for the value."""
        try:
            self._result, self._error = on_worker(worker, self._call), None
        except Exception as error:
            self._set_error(error)
        self._ready.set()

    def _set_error(self, error: BaseException) -> None:
        self._error = error
        self._ready.set()

    def _get_values(self) -> Any:
        return self._result

    def get(self) -> Any:
        """The result as it is, waiting for it; raises the error of the function if it had one."""
        self._ready.wait()
        if self._error is not None:
            raise self._error
        return self._result

    def fetch(self) -> Any:
        """The result with NumPy arrays for tensors."""
        return nest.map_structure(_on_host, self.get())


def _on_host(value: Any) -> Any:
    return value.numpy() if isinstance(value, Tensor) else value


@export("distribute.coordinator.PerWorkerValues",
        "distribute.experimental.coordinator.PerWorkerValues")
class PerWorkerValues:
    """A value for each worker: a function that is scheduled with it gets that of its worker.

    >>> tasks = {"worker": ["localhost:6661"], "ps": ["localhost:6662"]}
    >>> cluster = tf.train.ClusterSpec(tasks)
    >>> servers = [tf.distribute.Server(cluster, job, 0) for job in tasks]
    >>> coordinator = tf.distribute.coordinator.ClusterCoordinator(
    ...     tf.distribute.ParameterServerStrategy(
    ...         tf.distribute.cluster_resolver.SimpleClusterResolver(cluster)))
    >>> data = coordinator.create_per_worker_dataset(lambda: tf.data.Dataset.range(3))
    >>> iterator = iter(data)
    >>> isinstance(iterator, tf.distribute.coordinator.PerWorkerValues)
    True
    >>> coordinator.schedule(tf.function(lambda it: next(it) + 5), args=(iterator,)).fetch()
    np.int64(5)
    """

    def __init__(self, values: Any):
        self._values = tuple(values)


class PerWorkerIterator(PerWorkerValues):
    """An iterator on each worker, for functions that are scheduled."""

    def __next__(self) -> Any:
        raise NotImplementedError("An iterator over a per-worker dataset is used by functions that "
                                  "are scheduled, not by itself.")

    get_next = __next__

    def __iter__(self) -> PerWorkerIterator:
        return self


class PerWorkerDataset:
    """A dataset on each worker: every one reads the whole of it."""

    def __init__(self, make: Callable[[], Any], coordinator: Any):
        self._make, self._coordinator = make, coordinator
        self._element_spec: Any = None

    def __iter__(self) -> PerWorkerIterator:
        return PerWorkerIterator(self._coordinator._on_each_worker(
            lambda worker: iter(self._make())))

    @property
    def element_spec(self) -> Any:
        if self._element_spec is None:
            self._element_spec = self._make().element_spec
        return self._element_spec


class _ForWorkers:
    """A distributed dataset that workers iterate over."""

    def __iter__(self) -> Any:
        if _thread.worker is None:
            raise ValueError("To use this dataset, you need to pass this dataset to "
                             "ClusterCoordinator.create_per_worker_dataset.")
        return super().__iter__()  # type: ignore[misc]


class WorkersDataset(_ForWorkers, DistributedDataset):
    """A dataset that each worker iterates over."""


class WorkersDatasetFromFunction(_ForWorkers, DistributedDatasetsFromFunction):
    """What a function of an InputContext made, for each worker."""


def of_worker(structure: Any, number: int) -> Any:
    """Arguments as the worker of this number gets them."""
    return nest.map_structure(
        lambda one: one._values[number].get() if isinstance(one, PerWorkerValues) else one,
        structure)


def described(structure: Any) -> Any:
    """Arguments with descriptions for what each worker has its own of."""
    def spec(one: Any) -> Any:
        if not isinstance(one, PerWorkerValues):
            return one
        first = one._values[0].get()
        return first._type_spec if isinstance(first, Composite) else first

    return nest.map_structure(spec, structure)


RemoteValue.__module__ = PerWorkerValues.__module__ = (
    "tensorflow.python.distribute.coordinator.values")
