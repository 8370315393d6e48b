"""ClusterCoordinator: schedules functions on workers, each a thread of this process."""

from __future__ import annotations

import threading
import weakref
from collections.abc import Callable
from typing import Any

from tapeflow.base import nest
from tapeflow.base.exports import export
from tapeflow.distribute.parameter_servers.closure_queue import Closure, ClosureQueue
from tapeflow.distribute.parameter_servers.remote_values import (
    PerWorkerDataset,
    PerWorkerValues,
    RemoteValue,
    described,
    of_worker,
)
from tapeflow.distribute.parameter_servers.server_strategy import ParameterServerStrategy
from tapeflow.graph.functions.concrete_function import ConcreteFunction
from tapeflow.graph.functions.function import Function

_NAME = "tf.distribute.experimental.coordinator"


class Worker:
    """A worker task; its thread takes calls from the queue until that is stopped."""

    def __init__(self, number: int, queue: ClosureQueue):
        self.worker_index = number
        self.device_name = f"/job:worker/replica:0/task:{number}"
        thread = threading.Thread(target=self._serve, args=(queue,), daemon=True,
                                  name=f"WorkerClosureProcessingLoop-{number}")
        thread.start()

    def _serve(self, queue: ClosureQueue) -> None:
        while True:
            closure = queue.get(self.worker_index)
            if closure is None:
                return
            closure.run(self)
            queue.finished(closure.output._error)
            del closure  # whoever waits for the next call keeps none alive


class Cluster:
    """The workers and the queue that they serve."""

    def __init__(self, workers: int):
        self.closure_queue = ClosureQueue(workers)
        self.workers = [Worker(i, self.closure_queue) for i in range(workers)]


@export("distribute.coordinator.ClusterCoordinator",
        "distribute.experimental.coordinator.ClusterCoordinator")
class ClusterCoordinator:
    """Schedules functions on the workers of a ParameterServerStrategy; a strategy has one.

    >>> tasks = {"worker": ["localhost:4444", "localhost:4445"], "ps": ["localhost:4446"]}
    >>> cluster = tf.train.ClusterSpec(tasks)
    >>> servers = [tf.distribute.Server(cluster, job, i) for job in tasks
    ...            for i in range(len(tasks[job]))]
    >>> strategy = tf.distribute.ParameterServerStrategy(
    ...     tf.distribute.cluster_resolver.SimpleClusterResolver(cluster))
    >>> coordinator = tf.distribute.coordinator.ClusterCoordinator(strategy)
    >>> with strategy.scope():
    ...     total = tf.Variable(0)
    >>> @tf.function
    ... def step(x):
    ...     total.assign_add(x)
    ...     return x + 1
    >>> results = [coordinator.schedule(step, args=(tf.constant(i),)) for i in range(4)]
    >>> coordinator.join()
    >>> total.numpy(), coordinator.fetch(results)
    (np.int32(6), [np.int32(1), np.int32(2), np.int32(3), np.int32(4)])
    """

    def __new__(cls, strategy: Any) -> Any:
        """The coordinator of the strategy, if it has one."""
        made = getattr(strategy, "_cluster_coordinator", None)
        return super().__new__(cls) if made is None else made

    def __init__(self, strategy: Any):
        if hasattr(self, "_strategy"):
            return
        if not isinstance(strategy, ParameterServerStrategy):
            raise ValueError("Only `tf.distribute.experimental.ParameterServerStrategy` is "
                             f"supported to work with `{_NAME}.ClusterCoordinator` currently.")
        self._strategy, self._cluster = strategy, Cluster(strategy._workers)
        strategy._cluster_coordinator = self
        weakref.finalize(self, self._cluster.closure_queue.stop)

    @property
    def strategy(self) -> Any:
        return self._strategy

    def schedule(self, fn: Any, args: tuple = (), kwargs: dict | None = None) -> RemoteValue:
        """Have some worker call a tf.function; returns at once what it will return.

        The error of a function scheduled before is raised, and all that waited is given up.
        """
        if not isinstance(fn, (Function, ConcreteFunction)):
            raise TypeError(f"`{_NAME}.ClusterCoordinator.schedule` only accepts a `tf.function` "
                            "or a concrete function.")
        kwargs = kwargs or {}
        if any(isinstance(one, RemoteValue) for one in nest.flatten((args, kwargs))):
            raise ValueError(f"`{_NAME}.RemoteValue` used as an input to scheduled function is not "
                             "yet supported.")
        strategy = self._strategy
        if isinstance(fn, Function):  # traced here, where it makes its variables
            with strategy.scope():
                own, named = described((tuple(args), kwargs))
                fn.get_concrete_function(*own, **named)

        def call(worker: Worker) -> Any:
            own, named = of_worker((tuple(args), kwargs), worker.worker_index)
            with strategy.scope():
                return fn(*own, **named)

        closure = Closure(call)
        self._cluster.closure_queue.put(closure)
        return closure.output

    def join(self) -> None:
        """Wait until all scheduled functions are over; raises the first error of them."""
        self._cluster.closure_queue.wait()

    def done(self) -> bool:
        """Whether all scheduled functions are over; raises the first error of them."""
        return self._cluster.closure_queue.done()

    def fetch(self, val: Any) -> Any:
        """A structure with results as NumPy arrays instead of RemoteValues, waiting for them."""
        def found(one: Any) -> Any:
            if isinstance(one, PerWorkerValues):
                return [part.fetch() for part in one._values]
            return one.fetch() if isinstance(one, RemoteValue) else one

        return nest.map_structure(found, val)

    def create_per_worker_dataset(self, dataset_fn: Any) -> PerWorkerDataset:
        """A dataset on each worker: a dataset, or what a function returns that makes one."""
        return PerWorkerDataset(dataset_fn if callable(dataset_fn) else lambda: dataset_fn, self)

    def _on_each_worker(self, make: Callable[[Worker], Any]) -> list[RemoteValue]:
        """What each worker makes, before it takes other calls."""
        def call(worker: Worker) -> Any:
            with self._strategy.scope():
                return make(worker)

        closures = [Closure(call) for _ in self._cluster.workers]
        for number, closure in enumerate(closures):
            self._cluster.closure_queue.put(closure, number)
        return [one.output for one in closures]


ClusterCoordinator.__module__ = "tensorflow.python.distribute.coordinator.cluster_coordinator"
