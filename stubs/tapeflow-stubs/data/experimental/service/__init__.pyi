# Written by tools/stubs.py (make stubs).
"""tf.data.experimental.service"""

import enum
from collections.abc import Callable
from typing import Any

import tapeflow as tf
from tapeflow._typing import IntLike

class CrossTrainerCache:
    """Lets trainers of different ids each see all elements of one job."""
    def __init__(self, trainer_id: str) -> None: ...
    trainer_id: Any

class DispatcherConfig:
    """Settings of a DispatchServer. `port` and `worker_addresses` have an effect here."""
    port: int
    protocol: str
    work_dir: Any
    fault_tolerant_mode: bool
    worker_addresses: Any
    job_gc_check_interval_ms: Any
    job_gc_timeout_ms: Any
    worker_timeout_ms: Any
    worker_max_concurrent_snapshots: int
    def __init__(
        self, port: IntLike = 0, protocol: str | None = 'grpc', work_dir: str | None = None,
        fault_tolerant_mode: bool = False, worker_addresses: list[str] | None = None,
        job_gc_check_interval_ms: IntLike | None = None, job_gc_timeout_ms: IntLike | None = None,
        worker_timeout_ms: IntLike | None = None, worker_max_concurrent_snapshots: IntLike = 0,
    ) -> None: ...
    def __eq__(self, other: object) -> tf.DispatcherConfig: ...  # type: ignore[override]
    def __hash__(self) -> int: ...

class DispatchServer:
    """Knows the workers and datasets of a service; consumers find it by its `target`."""
    def __init__(
        self, config: tf.data.experimental.service.DispatcherConfig | None = None,
        start: bool = True,
    ) -> None: ...
    def start(self) -> None:
        """Be found from now on."""
    def join(self) -> None:
        """Wait until the server stops; here it must have stopped: nobody would stop it."""
    def stop(self) -> None:
        """Be found no more."""
    @property
    def target(self) -> str:
        """The address that consumers give."""

def distribute(
    processing_mode: Any, service: str, job_name: str | None = None,
    consumer_index: IntLike | None = None, num_consumers: IntLike | None = None,
    max_outstanding_requests: IntLike | None = None, data_transfer_protocol: str | None = None,
    compression: str | None = 'AUTO',
    cross_trainer_cache: tf.data.experimental.service.CrossTrainerCache | None = None,
    target_workers: str = 'AUTO',
) -> Callable[[tf.data.Dataset], tf.data.Dataset]:
    """A transformation for `Dataset.apply`: the workers of a service make the elements."""

def from_dataset_id(
    processing_mode: Any, service: str, dataset_id: Any, element_spec: Any = None,
    job_name: str | None = None, consumer_index: IntLike | None = None,
    num_consumers: IntLike | None = None, max_outstanding_requests: IntLike | None = None,
    data_transfer_protocol: str | None = None,
    cross_trainer_cache: tf.data.experimental.service.CrossTrainerCache | None = None,
    target_workers: str = 'AUTO',
) -> tf.data.Dataset:
    """The elements of a dataset that `register_dataset` made known to a service."""

def register_dataset(
    service: str, dataset: Any, compression: str | None = 'AUTO', dataset_id: str | None = None,
) -> tf.Tensor:
    """Make a dataset known to a service; the result is its id, for `from_dataset_id`."""

class ShardingPolicy(enum.IntEnum):
    """How the workers of a service divide a dataset among them."""
    OFF = 0
    DYNAMIC = 1
    FILE = 2
    DATA = 3
    FILE_OR_DATA = 4
    HINT = 5

class WorkerConfig:
    """Settings of a WorkerServer: its dispatcher's address, and its own."""
    worker_address: Any
    port: int
    protocol: str
    heartbeat_interval_ms: Any
    dispatcher_timeout_ms: Any
    data_transfer_protocol: Any
    data_transfer_address: Any
    def __init__(
        self, dispatcher_address: str, worker_address: str | None = None, port: IntLike = 0,
        protocol: str | None = 'grpc', heartbeat_interval_ms: IntLike | None = None,
        dispatcher_timeout_ms: IntLike | None = None, data_transfer_protocol: str | None = None,
        data_transfer_address: str | None = None,
    ) -> None: ...
    def __eq__(self, other: object) -> tf.WorkerConfig: ...  # type: ignore[override]
    def __hash__(self) -> int: ...
    dispatcher_address: Any

class WorkerServer:
    """Makes elements for the consumers of a dispatcher."""
    def __init__(
        self, config: tf.data.experimental.service.WorkerConfig, start: bool = True,
    ) -> None: ...
    def start(self) -> None:
        """Offer to work for the dispatcher from now on."""
    def join(self) -> None:
        """Wait until the server stops; here it must have stopped: nobody would stop it."""
    def stop(self) -> None:
        """Work no more; iterations that have begun go on."""
