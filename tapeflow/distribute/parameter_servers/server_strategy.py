"""ParameterServerStrategy: variables in turn on the servers of a cluster, large ones in shards."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tapeflow.base.exports import export
from tapeflow.base.process.locks import new_lock
from tapeflow.base.shapes import TensorShape
from tapeflow.core.state import state
from tapeflow.core.values.convert import convert
from tapeflow.core.values.variable import Variable, VariableBase, new_variable
from tapeflow.distribute.parameter_servers.servers import require_servers
from tapeflow.distribute.parameter_servers.sharded_variable import ShardedVariable
from tapeflow.distribute.strategies import Strategy, StrategyExtended

_NAME = "tf.distribute.ParameterServerStrategy"
_JOBS = ("chief", "worker", "evaluator", "ps", None)


@export("distribute.ParameterServerStrategy", "distribute.experimental.ParameterServerStrategy")
class ParameterServerStrategy(Strategy):
    """Variables on servers and steps on workers, all tasks of a cluster within this process.

    >>> tasks = {"worker": ["localhost:3333", "localhost:3334"], "ps": ["localhost:3335"]}
    >>> cluster = tf.train.ClusterSpec(tasks)
    >>> servers = [tf.distribute.Server(cluster, job, i) for job in tasks
    ...            for i in range(len(tasks[job]))]
    >>> resolver = tf.distribute.cluster_resolver.SimpleClusterResolver(cluster, rpc_layer="grpc")
    >>> strategy = tf.distribute.ParameterServerStrategy(resolver)
    >>> with strategy.scope():
    ...     v = tf.Variable(1.0)
    >>> v.device
    '/job:ps/replica:0/task:0/device:CPU:0'
    """

    def __init__(self, cluster_resolver: Any, variable_partitioner: Any = None):
        super().__init__(ServerExtended(self))
        cluster = cluster_resolver.cluster_spec()
        if not cluster:
            raise ValueError("Cluster spec must be non-empty in "
                             "`tf.distribute.cluster_resolver.ClusterResolver`.")
        if any(job not in _JOBS for job in cluster.jobs):
            raise ValueError("Disallowed task type found in cluster spec. Allowed types are "
                             f"{_JOBS} and the cluster spec is {cluster}.")
        for job in ("ps", "worker"):
            if job not in cluster.jobs or not cluster.num_tasks(job):
                raise ValueError(f"There must be at least one {job}.")
        require_servers(_NAME, cluster, ("worker", "ps"))
        self._resolver, self._partitioner = cluster_resolver, variable_partitioner
        self._workers, self._servers = cluster.num_tasks("worker"), cluster.num_tasks("ps")
        self._placed, self._lock = 0, new_lock()
        self._should_use_with_coordinator = True
        self._cluster_coordinator: Any = None

    # -- variables -------------------------------------------------------------------------------
    def _variable_maker(self) -> Any:
        return self._make_variable

    def _make_variable(self, kwargs: dict) -> Any:
        start = kwargs.get("initial_value")
        if self._partitioner is None or start is None:
            return self._on_next_server(new_variable())
        if not callable(start):
            start = convert(start, None if kwargs.get("dtype") is None else kwargs["dtype"])
        shape, dtype = kwargs.get("shape"), kwargs.get("dtype")
        if shape is None or dtype is None:
            whole = start() if callable(start) else start
            shape = whole.shape if shape is None else shape
            dtype = whole.dtype if dtype is None else dtype
        shape = TensorShape(shape)
        if not shape.rank:
            return self._on_next_server(new_variable())
        parts = self._partitioner(shape=shape, dtype=dtype)
        if not parts or not parts[0] or any(part != 1 for part in parts[1:]):
            raise ValueError("variable_partitioner must return a list/tuple whose elements are 1 "
                             f"besides the first element (non-zero), got: {parts!r}")
        sizes = shape.as_list()
        count = min(parts[0], sizes[0])
        if parts[0] == 1:
            return self._on_next_server(new_variable())
        return self._sharded(kwargs, start, sizes, count)

    def _sharded(self, kwargs: dict, start: Any, sizes: list, count: int) -> ShardedVariable:
        base, extra = divmod(sizes[0], count)
        shards, first = [], 0
        for i in range(count):
            last = first + base + (i < extra)
            given = {**kwargs, "initial_value": _rows_of(start, first, last, sizes),
                     "shape": [last - first, *sizes[1:]]}
            if kwargs.get("name") is not None:
                given["name"] = f"{kwargs['name']}/part_{i}"
            shards.append(self._one_shard(given))
            first = last
        return ShardedVariable(shards)

    def _one_shard(self, given: dict) -> Variable:
        before, state.variable_maker = state.variable_maker, None
        try:
            return self._on_next_server(VariableBase(**given))
        finally:
            state.variable_maker = before

    def _on_next_server(self, variable: Any) -> Any:
        with self._lock:
            server, self._placed = self._placed % self._servers, self._placed + 1
        vars(variable)["_placed_on"] = f"/job:ps/replica:0/task:{server}/device:CPU:0"
        vars(variable)["_placed_by"] = self
        return variable

    # -- data ------------------------------------------------------------------------------------
    def experimental_distribute_dataset(self, dataset: Any, options: Any = None) -> Any:
        """A dataset for `ClusterCoordinator.create_per_worker_dataset`."""
        from tapeflow.distribute.parameter_servers.remote_values import WorkersDataset
        return WorkersDataset(dataset, self, options)

    def distribute_datasets_from_function(self, dataset_fn: Callable, options: Any = None) -> Any:
        """What `dataset_fn(InputContext)` returns, for `create_per_worker_dataset`."""
        from tapeflow.distribute.parameter_servers.remote_values import WorkersDatasetFromFunction
        return WorkersDatasetFromFunction(dataset_fn, self, options)

    experimental_distribute_datasets_from_function = distribute_datasets_from_function


def _rows_of(start: Any, first: int, last: int, sizes: list) -> Callable:
    """What a shard begins with: asked of an initializer that knows of parts, or cut out."""
    def rows() -> Any:
        if not callable(start):
            return start[first:last]
        shape = (last - first, *sizes[1:])
        try:
            value = start(partition_shape=shape, partition_offset=(first, *[0] * len(sizes[1:])))
        except (TypeError, ValueError):  # it knows nothing of parts
            value = start()
        return value if tuple(value.shape) == shape else value[first:last]

    return rows


class ServerExtended(StrategyExtended):
    """Extended part of ParameterServerStrategy."""

    @property
    def _num_workers(self) -> int:
        return self._strategy._workers

    @property
    def _num_ps(self) -> int:
        return self._strategy._servers

    @property
    def worker_devices(self) -> tuple:
        return ("/device:CPU:0",)

    @property
    def parameter_devices(self) -> tuple:
        return ("/job:chief/replica:0/task:0/device:CPU:0",)

    def variable_created_in_scope(self, v: Any) -> bool:
        return getattr(v, "__dict__", {}).get("_placed_by") is self._strategy


ParameterServerStrategy.__name__ = "ParameterServerStrategyV2"
ParameterServerStrategy.__qualname__ = ParameterServerStrategy.__name__
ParameterServerStrategy.__module__ = "tensorflow.python.distribute.parameter_server_strategy_v2"
ServerExtended.__name__ = ServerExtended.__qualname__ = "ParameterServerStrategyV2Extended"
