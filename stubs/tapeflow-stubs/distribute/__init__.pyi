# Written by tools/stubs.py (make stubs).
"""tf.distribute"""

import enum
from collections.abc import Callable
from typing import Any, NamedTuple

import tapeflow as tf
from tapeflow._typing import IntLike, TensorLike
from tapeflow.distribute import (
    cluster_resolver as cluster_resolver,
    coordinator as coordinator,
    experimental as experimental,
)

class CrossDeviceOps:
    """How values of devices are combined; on one CPU they are added up."""

class DistributedDataset:
    """A dataset whose elements are parted among the replicas of a strategy."""
    def __init__(self, dataset: Any, strategy: Any, options: Any = None) -> None: ...
    @property
    def element_spec(self) -> Any: ...
    def __iter__(self) -> tf.distribute.DistributedIterator: ...
    def __len__(self) -> int: ...
    @property
    def cardinality(self) -> Any: ...

class DistributedIterator(tf.data.Iterator):
    """An iterator over a distributed dataset."""
    def __init__(
        self, dataset: Any = None, components: Any = None, element_spec: Any = None,
    ) -> None: ...
    @property
    def element_spec(self) -> Any: ...
    def __iter__(self) -> tf.data.Iterator: ...
    def __next__(self) -> Any: ...
    def next(self) -> Any: ...
    def get_next(self) -> Any:
        """The next element; OutOfRangeError at the end."""
    def get_next_as_optional(self) -> Any:
        """The next element as a tf.experimental.Optional, empty at the end."""

class DistributedValues:
    """One value for each replica."""
    def __init__(self, values: TensorLike) -> None: ...
    @property
    def values(self) -> tuple: ...

def experimental_set_strategy(strategy: Any) -> None:
    """Run all that follows in the scope of a strategy; None ends that."""

def get_replica_context() -> Any:
    """The context of the replica that runs, None in cross-replica context."""

def get_strategy() -> tf.distribute.Strategy:
    """The strategy in whose scope this runs; outside of any, the default one."""

def has_strategy() -> bool:
    """Whether this runs in the scope of a strategy other than the default one."""

class HierarchicalCopyAllReduce(tf.distribute.CrossDeviceOps):
    """Combine by copies between GPUs; here by adding up."""
    def __init__(self, num_packs: IntLike = 1) -> None: ...
    num_packs: Any

def in_cross_replica_context() -> bool:
    """Whether this runs for all replicas at once."""

class InputContext:
    """What a function that makes a dataset knows of the replicas it is for."""
    def __init__(
        self, num_input_pipelines: IntLike = 1, input_pipeline_id: IntLike = 0,
        num_replicas_in_sync: IntLike = 1,
    ) -> None: ...
    @property
    def num_replicas_in_sync(self) -> int: ...
    @property
    def input_pipeline_id(self) -> int: ...
    @property
    def num_input_pipelines(self) -> int: ...
    def get_per_replica_batch_size(self, global_batch_size: IntLike) -> int:
        """The part of a batch that each replica gets."""

class InputOptions(NamedTuple):
    """Options of distributed datasets; they matter where data moves to other devices."""
    experimental_fetch_to_device: bool = True
    experimental_replication_mode: Any = ...
    experimental_place_dataset_on_device: bool = False
    experimental_per_replica_buffer_size: Any = 1

class InputReplicationMode(enum.Enum):
    """How often the function that makes a dataset is called."""
    PER_WORKER = 'PER_WORKER'
    PER_REPLICA = 'PER_REPLICA'

class MirroredStrategy(tf.distribute.Strategy):
    """A replica on each device, with variables that are kept equal."""
    def __init__(self, devices: Any = None, cross_device_ops: Any = None) -> None: ...

class MultiWorkerMirroredStrategy(tf.distribute.MirroredStrategy):
    """MirroredStrategy over the ranks of a job that a launcher has started."""
    def __init__(
        self, cluster_resolver: Any = None, communication_options: Any = None,
    ) -> None: ...
    @property
    def num_replicas_in_sync(self) -> int: ...
    def experimental_distribute_dataset(self, dataset: Any, options: Any = None) -> Any:
        """This rank's part of a dataset, by the auto-shard policy of its options."""

class NcclAllReduce(tf.distribute.CrossDeviceOps):
    """Combine by NCCL where there are GPUs; here by adding up."""
    def __init__(self, num_packs: IntLike = 1) -> None: ...
    num_packs: Any

class OneDeviceStrategy(tf.distribute.Strategy):
    """Everything on one device; variables are plain ones."""
    def __init__(self, device: Any) -> None: ...

class ParameterServerStrategy(tf.distribute.Strategy):
    """Variables on servers and steps on workers, all tasks of a cluster within this process."""
    def __init__(self, cluster_resolver: Any, variable_partitioner: Any = None) -> None: ...
    def experimental_distribute_dataset(self, dataset: Any, options: Any = None) -> Any:
        """A dataset for `ClusterCoordinator.create_per_worker_dataset`."""
    def distribute_datasets_from_function(
        self, dataset_fn: Callable, options: Any = None,
    ) -> Any:
        """What `dataset_fn(InputContext)` returns, for `create_per_worker_dataset`."""
    def experimental_distribute_datasets_from_function(
        self, dataset_fn: Callable, options: Any = None,
    ) -> Any:
        """What `dataset_fn(InputContext)` returns, for `create_per_worker_dataset`."""

class ReduceOp(enum.Enum):
    """How values of replicas are combined."""
    @staticmethod
    def from_variable_aggregation(aggregation: Any) -> tf.distribute.ReduceOp:
        """The way in which a variable of this aggregation is combined."""
    SUM = 'SUM'
    MEAN = 'MEAN'

class ReductionToOneDevice(tf.distribute.CrossDeviceOps):
    """Combine on one device."""
    def __init__(self, reduce_to_device: Any = None, accumulation_fn: Any = None) -> None: ...
    reduce_to_device: Any
    accumulation_fn: Any

class ReplicaContext:
    """What code of one replica knows of the others."""
    def __init__(self, strategy: Any, index: IntLike) -> None: ...
    @property
    def strategy(self) -> Any: ...
    @property
    def num_replicas_in_sync(self) -> int: ...
    @property
    def replica_id_in_sync_group(self) -> Any: ...
    @property
    def devices(self) -> tuple: ...
    def __enter__(self) -> None: ...
    def __exit__(self, *failure: Any) -> None: ...
    def merge_call(
        self, merge_fn: Callable, args: tuple = ..., kwargs: dict | None = None,
    ) -> Any:
        """Call `merge_fn(strategy, …)` once for all replicas, with the arguments of each."""
    def all_reduce(self, reduce_op: Any, value: TensorLike, options: Any = None) -> Any:
        """The sum or mean of a structure over all replicas, on each of them."""
    def all_gather(self, value: TensorLike, axis: IntLike, options: Any = None) -> Any:
        """The values of all replicas joined along an axis, on each of them."""

class RunOptions(NamedTuple):
    """Options of `Strategy.run`; they matter on TPUs."""
    experimental_enable_dynamic_batch_size: bool = True
    experimental_bucketizing_dynamic_shape: bool = False
    experimental_xla_options: Any = None

class Server:
    """A task of a cluster, in this process."""
    def __init__(
        self, server_or_cluster_def: Any, job_name: str | None = None,
        task_index: IntLike | None = None, protocol: str | None = None, config: Any = None,
        start: bool = True,
    ) -> None: ...
    @property
    def server_def(self) -> Any: ...
    @property
    def target(self) -> str: ...
    def start(self) -> None:
        """Serve: from now on strategies of this process find the task."""
    def join(self) -> None:
        """Refused: other processes would be served meanwhile."""

def shard_optimizer(optimizer: Any) -> Any:
    """An optimizer like this one (of Keras) whose slots are shared out among the ranks of …"""

class Strategy:
    """What to run where: makes variables, runs functions on replicas, combines their …"""
    def __init__(self, extended: tf.distribute.StrategyExtended | None = None) -> None: ...
    def unwrap(self, value: TensorLike) -> tuple:
        """The values of the replicas, as `experimental_local_results` gives them."""
    @property
    def extended(self) -> tf.distribute.StrategyExtended: ...
    @property
    def num_replicas_in_sync(self) -> int: ...
    @property
    def cluster_resolver(self) -> Any: ...
    def scope(self) -> Any:
        """`with strategy.scope():` variables made inside are the strategy's."""
    def run(
        self, fn: Callable, args: tuple = ..., kwargs: dict | None = None, options: Any = None,
    ) -> Any:
        """Call `fn` on each replica with its part of the arguments."""
    def experimental_run(self, fn: Callable, input_iterator: Any = None) -> Any:
        """`run` with the next element of an iterator, as TensorFlow 1's strategies did."""
    def reduce(
        self, reduce_op: Any, value: TensorLike, axis: TensorLike | None = None,
    ) -> Any:
        """The sum or mean over replicas, and over an axis of each value if one is given."""
    def gather(self, value: TensorLike, axis: IntLike) -> Any:
        """The values of all replicas joined along an axis."""
    def experimental_local_results(self, value: TensorLike) -> tuple:
        """The values of all replicas of this process, as a tuple."""
    def experimental_distribute_dataset(self, dataset: Any, options: Any = None) -> Any:
        """A dataset whose batches are parted among the replicas."""
    def distribute_datasets_from_function(
        self, dataset_fn: Callable, options: Any = None,
    ) -> Any:
        """What `dataset_fn(InputContext)` returns, one element for each replica in turn."""
    def experimental_distribute_datasets_from_function(
        self, dataset_fn: Callable, options: Any = None,
    ) -> Any:
        """What `dataset_fn(InputContext)` returns, one element for each replica in turn."""
    def experimental_distribute_values_from_function(self, value_fn: Callable) -> Any:
        """The values of `value_fn(ValueContext)` for each replica."""
    def experimental_make_numpy_dataset(self, numpy_input: Any) -> Any:
        """A tf.data.Dataset of NumPy arrays."""

class StrategyExtended:
    """What libraries use of a strategy."""
    def __init__(self, strategy: Any = None) -> None: ...
    @property
    def worker_devices(self) -> tuple: ...
    @property
    def parameter_devices(self) -> tuple: ...
    experimental_require_static_shapes: bool
    should_checkpoint: bool
    should_save_summary: bool
    def non_slot_devices(self, var_list: Any) -> tuple:
        """The devices of variables that belong to no other."""
    def colocate_vars_with(self, colocate_with_variable: Any) -> Any:
        """`with …:` what is made inside stands where this variable stands."""
    def variable_created_in_scope(self, v: TensorLike) -> bool:
        """Whether a variable was made in this strategy's scope."""
    def value_container(self, value: TensorLike) -> Any:
        """The distributed value that a component belongs to."""
    def read_var(self, v: TensorLike) -> tf.Tensor:
        """The value of a variable."""
    def update(
        self, var: Any, fn: Callable, args: tuple = ..., kwargs: dict | None = None,
        group: bool = True,
    ) -> Any:
        """Call `fn(component, …)` for each component of a variable."""
    def update_non_slot(
        self, colocate_with: Any, fn: Callable, args: tuple = ..., kwargs: dict | None = None,
        group: bool = True,
    ) -> Any:
        """Call `fn` once."""
    def reduce_to(
        self, reduce_op: Any, value: TensorLike, destinations: Any, options: Any = None,
    ) -> Any:
        """The sum or mean over replicas, where `destinations` are."""
    def batch_reduce_to(
        self, reduce_op: Any, value_destination_pairs: Any, options: Any = None,
    ) -> list:
        """`reduce_to` of several."""
    def broadcast_to(self, tensor: TensorLike, destinations: Any) -> Any:
        """The same value on all replicas."""
    def call_for_each_replica(
        self, fn: Callable, args: tuple = ..., kwargs: dict | None = None,
    ) -> Any:
        """`Strategy.run`."""

class TPUStrategy(tf.distribute.Strategy):
    """TPUStrategy: cannot be made here."""
    def __init__(self, *args: Any, **kwargs: Any) -> None: ...
