"""Clusters as programs describe them, and options of strategies, as one process answers them."""

from __future__ import annotations

import collections
import enum
import json
import math
import os
from typing import Any, NamedTuple

from tapeflow.base.dtypes import as_dtype
from tapeflow.base.exports import export
from tapeflow.base.shapes import TensorShape
from tapeflow.train.cluster import ClusterSpec


# -- clusters --------------------------------------------------------------------------------------
@export("distribute.cluster_resolver.ClusterResolver")
class ClusterResolver:
    """Says which jobs a cluster has and which task this process is; a base class."""

    task_type: Any = None
    task_id: Any = None

    def cluster_spec(self) -> ClusterSpec:
        """The cluster."""
        raise NotImplementedError()

    def master(self, task_type: Any = None, task_id: Any = None, rpc_layer: Any = None) -> str:
        """The address of the master, or of a task."""
        raise NotImplementedError()

    def num_accelerators(self, task_type: Any = None, task_id: Any = None,
                         config_proto: Any = None) -> dict:
        """The accelerators of this process: none."""
        return collections.defaultdict(int)

    @property
    def environment(self) -> str:
        return ""


@export("distribute.cluster_resolver.SimpleClusterResolver")
class SimpleClusterResolver(ClusterResolver):
    """A cluster that the program names."""

    def __init__(self, cluster_spec: Any, master: str = "", task_type: Any = None,
                 task_id: Any = None, environment: str = "", num_accelerators: Any = None,
                 rpc_layer: Any = None):
        if not isinstance(cluster_spec, ClusterSpec):
            raise TypeError("cluster_spec must be a `tf.train.ClusterSpec`.")
        if not isinstance(master, str):
            raise TypeError("master must be a string.")
        self._spec, self._master, self._environment = cluster_spec, master, environment
        self.task_type, self.task_id = task_type, task_id
        self._accelerators, self.rpc_layer = num_accelerators, rpc_layer

    def cluster_spec(self) -> ClusterSpec:
        return self._spec

    def master(self, task_type: Any = None, task_id: Any = None, rpc_layer: Any = None) -> str:
        if task_type is None or task_id is None:
            return self._master
        address = self._spec.task_address(task_type, task_id)
        layer = rpc_layer or self.rpc_layer
        return f"{layer}://{address}" if layer else address

    def num_accelerators(self, task_type: Any = None, task_id: Any = None,
                         config_proto: Any = None) -> dict:
        return self._accelerators if self._accelerators is not None else super().num_accelerators()

    @property
    def environment(self) -> str:
        return self._environment


@export("distribute.cluster_resolver.TFConfigClusterResolver")
class TFConfigClusterResolver(ClusterResolver):
    """The cluster that the environment variable TF_CONFIG names."""

    def __init__(self, task_type: Any = None, task_id: Any = None, rpc_layer: Any = None,
                 environment: Any = None):
        self._given = {"type": task_type, "index": task_id}
        self._rpc_layer, self._environment = rpc_layer, environment

    @staticmethod
    def _config() -> dict:
        return json.loads(os.environ.get("TF_CONFIG", "{}"))

    def _task(self, name: str) -> Any:
        given = self._given[name]
        return self._config().get("task", {}).get(name) if given is None else given

    @property
    def task_type(self) -> Any:
        found = self._task("type")
        return None if found is None else str(found)

    @task_type.setter
    def task_type(self, value: Any) -> None:
        self._given["type"] = value

    @property
    def task_id(self) -> Any:
        found = self._task("index")
        return None if found is None else int(found)

    @task_id.setter
    def task_id(self, value: Any) -> None:
        self._given["index"] = value

    @property
    def environment(self) -> Any:
        return self._environment

    @property
    def rpc_layer(self) -> Any:
        return self._config().get("rpc_layer", None) if self._rpc_layer is None else self._rpc_layer

    def cluster_spec(self) -> ClusterSpec:
        return ClusterSpec(self._config().get("cluster", {}))

    def master(self, task_type: Any = None, task_id: Any = None, rpc_layer: Any = None) -> str:
        cluster = self.cluster_spec()
        if len(cluster.jobs) == 0 or (len(cluster.jobs) == 1
                                      and cluster.num_tasks(cluster.jobs[0]) == 1):
            return ""
        kind = self.task_type if task_type is None else task_type
        index = self.task_id if task_id is None else task_id
        address = cluster.task_address(kind, index)
        layer = rpc_layer or self.rpc_layer
        return f"{layer}://{address}" if layer else address


class RankClusterResolver(ClusterResolver):
    """The ranks of a job as a cluster: a worker each, or as another resolver names them."""

    def __init__(self, described: ClusterResolver, rank: int, size: int):
        spec = described.cluster_spec()
        chief = "chief" in spec.jobs
        named = sum(spec.num_tasks(job) for job in spec.jobs if job in ("worker", "chief"))
        self._spec = spec if named == size else ClusterSpec(
            {"worker": [f"rank-{i}:0" for i in range(size)]})
        self.task_type = "chief" if chief and rank == 0 else "worker"
        self.task_id = rank - 1 if chief and rank else rank
        self.rpc_layer = None

    def cluster_spec(self) -> ClusterSpec:
        return self._spec

    def master(self, task_type: Any = None, task_id: Any = None, rpc_layer: Any = None) -> str:
        return ""


@export("distribute.cluster_resolver.UnionResolver")
class UnionClusterResolver(ClusterResolver):
    """The jobs of several resolvers together; tasks are those of the first."""

    def __init__(self, *args: Any, **kwargs: Any):
        for one in args:
            if not isinstance(one, ClusterResolver):
                raise TypeError("All arguments must be a sub-class of `ClusterResolver.`")
        if not args:
            raise ValueError("At least one ClusterResolver is required.")
        self._resolvers = args
        self.task_type = kwargs.get("task_type", args[0].task_type)
        self.task_id = kwargs.get("task_id", args[0].task_id)
        self.rpc_layer = kwargs.get("rpc_layer")

    def cluster_spec(self) -> ClusterSpec:
        merged: dict[str, list] = {}
        for one in self._resolvers:
            spec = one.cluster_spec()
            for job in spec.jobs:
                merged.setdefault(job, []).extend(spec.job_tasks(job))
        return ClusterSpec(merged)

    def master(self, task_type: Any = None, task_id: Any = None, rpc_layer: Any = None) -> str:
        if task_type is not None and task_id is not None:
            return self.cluster_spec().task_address(task_type, task_id)
        return self._resolvers[0].master(rpc_layer=rpc_layer)


def describe_ranks(rank: int, size: int) -> None:
    """Set TF_CONFIG as TensorFlow's launchers do, for programs that read it themselves."""
    described = json.loads(os.environ.get("TF_CONFIG") or "{}")
    cluster = described.get("cluster") or {"worker": [f"rank-{i}:0" for i in range(size)]}
    chief = bool(cluster.get("chief"))
    described["cluster"] = cluster
    described["task"] = {"type": "chief" if chief and rank == 0 else "worker",
                         "index": rank - 1 if chief and rank else rank}
    os.environ["TF_CONFIG"] = json.dumps(described)


# -- options ---------------------------------------------------------------------------------------
@export("distribute.InputReplicationMode")
class InputReplicationMode(enum.Enum):
    """How often the function that makes a dataset is called."""

    PER_WORKER = "PER_WORKER"
    PER_REPLICA = "PER_REPLICA"


@export("distribute.RunOptions")
class RunOptions(NamedTuple):
    """Options of `Strategy.run`; they matter on TPUs."""

    experimental_enable_dynamic_batch_size: Any = True
    experimental_bucketizing_dynamic_shape: Any = False
    experimental_xla_options: Any = None


@export("distribute.InputOptions")
class InputOptions(NamedTuple):
    """Options of distributed datasets; they matter where data moves to other devices."""

    experimental_fetch_to_device: Any = True
    experimental_replication_mode: Any = InputReplicationMode.PER_WORKER
    experimental_place_dataset_on_device: Any = False
    experimental_per_replica_buffer_size: Any = 1


@export("distribute.experimental.CommunicationImplementation",
        "distribute.experimental.CollectiveCommunication")
class CommunicationImplementation(enum.Enum):
    """How workers talk to each other."""

    AUTO = "AUTO"
    RING = "RING"
    NCCL = "NCCL"


@export("distribute.experimental.CommunicationOptions")
class CommunicationOptions:
    """Options of the talk between replicas; here they share memory."""

    def __init__(self, bytes_per_pack: int = 0, timeout_seconds: Any = None,
                 implementation: Any = CommunicationImplementation.AUTO):
        if bytes_per_pack < 0:
            raise ValueError("Argument `bytes_per_pack` must be >=0, Received "
                             f"{bytes_per_pack}.")
        if isinstance(implementation, str):
            implementation = CommunicationImplementation(implementation.upper())
        if not isinstance(implementation, CommunicationImplementation):
            raise ValueError("Argument `implementation` must be instance of "
                             "`tf.distribute.experimental.CommunicationImplementation`.")
        self.bytes_per_pack, self.timeout_seconds = bytes_per_pack, timeout_seconds
        self.implementation = implementation

    def __str__(self) -> str:
        return (f"Options(bytes_per_pack={self.bytes_per_pack},timeout_seconds="
                f"{self.timeout_seconds}, implementation={self.implementation})")


@export("distribute.CrossDeviceOps")
class CrossDeviceOps:
    """How values of devices are combined; on one CPU they are added up."""


@export("distribute.ReductionToOneDevice")
class ReductionToOneDevice(CrossDeviceOps):
    """Combine on one device."""

    def __init__(self, reduce_to_device: Any = None, accumulation_fn: Any = None):
        self.reduce_to_device, self.accumulation_fn = reduce_to_device, accumulation_fn


@export("distribute.NcclAllReduce")
class NcclAllReduce(CrossDeviceOps):
    """Combine by NCCL where there are GPUs; here by adding up."""

    def __init__(self, num_packs: int = 1):
        if num_packs < 0:
            raise ValueError(f"NCCL all-reduce requires num_packs >= 0, but {num_packs} is "
                             "specified")
        self.num_packs = num_packs


@export("distribute.HierarchicalCopyAllReduce")
class HierarchicalCopyAllReduce(CrossDeviceOps):
    """Combine by copies between GPUs; here by adding up."""

    def __init__(self, num_packs: int = 1):
        if num_packs < 0:
            raise ValueError(f"HierarchicalCopy requires num_packs >= 0, but {num_packs} is "
                             "specified")
        self.num_packs = num_packs


for _class in (CrossDeviceOps, ReductionToOneDevice, NcclAllReduce, HierarchicalCopyAllReduce):
    _class.__module__ = "tensorflow.python.distribute.cross_device_ops"
TFConfigClusterResolver.__module__ = (
    "tensorflow.python.distribute.cluster_resolver.tfconfig_cluster_resolver")


# -- partitioners ----------------------------------------------------------------------------------
@export("distribute.experimental.partitioners.Partitioner")
class Partitioner:
    """Into how many shards a variable is parted, for each axis."""

    def __call__(self, shape: Any, dtype: Any, axis: int = 0) -> list[int]:
        raise NotImplementedError


def _parts(shape: TensorShape, count: int, axis: int) -> list[int]:
    sizes: list[Any] = shape.as_list()
    found = [1] * len(sizes)
    found[axis] = max(1, min(count, sizes[axis]))
    return found


def _bytes(shape: TensorShape, dtype: Any) -> int:
    kind = as_dtype(dtype)
    sizes: list[Any] = shape.as_list()
    return (16 if kind.name == "string" else kind.size) * math.prod(sizes)


@export("distribute.experimental.partitioners.FixedShardsPartitioner")
class FixedShardsPartitioner(Partitioner):
    """A fixed number of shards."""

    def __init__(self, num_shards: int):
        self._count = num_shards

    def __call__(self, shape: Any, dtype: Any, axis: int = 0) -> list[int]:
        return _parts(TensorShape(shape), self._count, axis)


@export("distribute.experimental.partitioners.MinSizePartitioner")
class MinSizePartitioner(Partitioner):
    """As many shards as leave each of at least a size."""

    def __init__(self, min_shard_bytes: int = 256 << 10, max_shards: int = 1,
                 bytes_per_string: int = 16):
        if min_shard_bytes < 1:
            raise ValueError("Argument `min_shard_bytes` must be positive. Received: "
                             f"{min_shard_bytes}")
        if max_shards < 1:
            raise ValueError(f"Argument `max_shards` must be positive. Received: {max_shards}")
        self._least, self._most = min_shard_bytes, max_shards

    def __call__(self, shape: Any, dtype: Any, axis: int = 0) -> list[int]:
        shape = TensorShape(shape)
        return _parts(shape, min(self._most, max(1, _bytes(shape, dtype) // self._least)), axis)


@export("distribute.experimental.partitioners.MaxSizePartitioner")
class MaxSizePartitioner(Partitioner):
    """So many shards that each is of at most a size."""

    def __init__(self, max_shard_bytes: int, max_shards: int | None = None,
                 bytes_per_string: int = 16):
        if max_shard_bytes < 1:
            raise ValueError("Argument `max_shard_bytes` must be positive. Received: "
                             f"{max_shard_bytes}")
        self._size, self._most = max_shard_bytes, max_shards

    def __call__(self, shape: Any, dtype: Any, axis: int = 0) -> list[int]:
        shape = TensorShape(shape)
        length = shape.as_list()[axis]
        slice_bytes = _bytes(shape, dtype) // max(length, 1)
        rows = max(1, self._size // max(slice_bytes, 1))
        count = math.ceil(length / rows)
        return _parts(shape, count if self._most is None else min(count, self._most), axis)
