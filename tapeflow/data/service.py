"""tf.data.experimental.service in one process: a dispatcher, its workers, and shared iterations.

Servers are objects of this process, found by their addresses; no port is opened, and a worker's
elements are made when a consumer asks for them. Consumers of one job name share an iteration, in
any number of threads.
"""

from __future__ import annotations

import collections
import dataclasses
import enum
import itertools
import weakref
from collections.abc import Callable, Iterator
from typing import Any

from tapeflow.base import errors
from tapeflow.base.exports import export
from tapeflow.base.process.locks import new_lock
from tapeflow.core.values.convert import convert
from tapeflow.core.values.tensor import Tensor
from tapeflow.data.class_names import named, public_class
from tapeflow.data.dataset import UNKNOWN, DatasetV2, check_dataset
from tapeflow.data.iterators.iteration import ElementIterator, Run
from tapeflow.data.sources.file_sources import _FilesDataset
from tapeflow.data.transforms.cache import is_saved
from tapeflow.data.transforms.interleave import _InterleaveDataset
from tapeflow.data.transforms.take_repeat import shard

_dispatchers: weakref.WeakValueDictionary[str, DispatchServer] = weakref.WeakValueDictionary()
_ports = itertools.count(40000)  # of addresses that this process alone knows


@export("data.experimental.service.ShardingPolicy")
class ShardingPolicy(enum.IntEnum):
    """How the workers of a service divide a dataset among them."""

    OFF = 0
    DYNAMIC = 1
    FILE = 2
    DATA = 3
    FILE_OR_DATA = 4
    HINT = 5

    def _static(self) -> bool:
        return self in (ShardingPolicy.FILE, ShardingPolicy.DATA, ShardingPolicy.FILE_OR_DATA,
                        ShardingPolicy.HINT)


# -- servers ---------------------------------------------------------------------------------------
@export("data.experimental.service.DispatcherConfig")
@dataclasses.dataclass(frozen=True)
class DispatcherConfig:
    """Settings of a DispatchServer. `port` and `worker_addresses` have an effect here."""

    port: int = 0
    protocol: str | None = "grpc"
    work_dir: str | None = None
    fault_tolerant_mode: bool = False
    worker_addresses: list[str] | None = None
    job_gc_check_interval_ms: int | None = None
    job_gc_timeout_ms: int | None = None
    worker_timeout_ms: int | None = None
    worker_max_concurrent_snapshots: int = 0


@export("data.experimental.service.WorkerConfig")
@dataclasses.dataclass(frozen=True)
class WorkerConfig:
    """Settings of a WorkerServer: its dispatcher's address, and its own."""

    dispatcher_address: str
    worker_address: str | None = None
    port: int = 0
    protocol: str | None = "grpc"
    heartbeat_interval_ms: int | None = None
    dispatcher_timeout_ms: int | None = None
    data_transfer_protocol: str | None = None
    data_transfer_address: str | None = None


@export("data.experimental.service.CrossTrainerCache")
class CrossTrainerCache:
    """Lets trainers of different ids each see all elements of one job."""

    def __init__(self, trainer_id: str):
        if not trainer_id:
            raise ValueError("tf.data service cross-trainer cache requires a non-empty trainer ID.")
        self.trainer_id = trainer_id

    def _to_proto(self) -> Any:
        raise NotImplementedError("tapeflow has no protocol buffer of a cross-trainer cache")


@export("data.experimental.service.DispatchServer")
class DispatchServer:
    """Knows the workers and datasets of a service; consumers find it by its `target`."""

    def __init__(self, config: DispatcherConfig | None = None, start: bool = True):
        config = config or DispatcherConfig()
        if config.fault_tolerant_mode and not config.work_dir:
            raise ValueError("Cannot enable fault tolerant mode without configuring a work dir. "
                             "Make sure to set `work_dir` in the `config` object passed to "
                             "`DispatcherServer`.")
        self._config, self._started = config, False
        self._address = f"localhost:{config.port or next(_ports)}"
        self._workers: dict[str, weakref.ref[WorkerServer]] = {}
        self._datasets: dict[str, DatasetV2] = {}
        self._jobs: dict[tuple, _Job] = {}
        self._ids = itertools.count(1000)
        self._lock = new_lock()
        if start:
            self.start()

    def start(self) -> None:
        """Be found from now on."""
        other = _dispatchers.get(self._address)
        if other is not None and other is not self:
            raise errors.UnknownError(None, None, "Could not start gRPC server: another "
                                                  f"dispatcher of this process is {self.target}")
        _dispatchers[self._address], self._started = self, True

    def join(self) -> None:
        """Wait until the server stops; here it must have stopped: nobody would stop it."""
        _joined(self._started, "DispatchServer")

    def stop(self) -> None:
        """Be found no more."""
        if _dispatchers.get(self._address) is self:
            del _dispatchers[self._address]
        self._started = False

    _stop = stop

    @property
    def target(self) -> str:
        """The address that consumers give."""
        return f"{self._config.protocol or 'grpc'}://{self._address}"

    def _num_workers(self) -> int:
        return len(self._running())

    def _running(self) -> list[WorkerServer]:
        found = [one() for one in self._workers.values()]
        return [one for one in found if one is not None and one._started]

    def _register(self, dataset: DatasetV2, name: str | None) -> str:
        with self._lock:
            known = self._datasets.get(name) if name is not None else None
            if known is not None and known.element_spec != dataset.element_spec:
                raise errors.invalid("RegisterDatasetV2", (
                    f"Datasets with the same ID should have the same structure, got existing "
                    f"dataset_id {name} with another structure."))
            name = name if name is not None else str(next(self._ids))
            self._datasets.setdefault(name, dataset)
            return name

    def _shards(self, name: str, policy: ShardingPolicy) -> list[Iterator[list]]:
        """The iterations of the workers over a dataset."""
        dataset = self._datasets[name]
        if policy._static():
            return self._static_shards(dataset, policy)
        workers = self._running()
        if not workers:
            raise errors.FailedPreconditionError(None, None, (
                f"The dispatcher {self.target} has no running worker: start a "
                "tf.data.experimental.service.WorkerServer with its address, and keep it."))
        count = len(workers) if policy is ShardingPolicy.OFF else 1
        return [iter(dataset._start(Run())) for _ in range(count)]

    def _static_shards(self, dataset: DatasetV2, policy: ShardingPolicy) -> list[Iterator[list]]:
        """One part for each worker that the configuration names."""
        addresses = self._config.worker_addresses or []
        for worker in self._running():
            if worker._address not in addresses:
                raise errors.NotFoundError(None, None, (
                    "Failed to shard dataset in tf.data service: Worker "
                    f"{worker._address} is not in the workers list. Got workers list "
                    f"{','.join(addresses)}."))
        if policy is ShardingPolicy.FILE and not _reads_files(dataset):
            raise errors.NotFoundError(None, None, (
                "Failed to shard dataset in tf.data service: FILE sharding needs a dataset that "
                "reads files, found none. Use ShardingPolicy.DATA or FILE_OR_DATA."))
        count, found = len(addresses), []
        for index in range(count):
            run = Run()
            part = dataset
            if policy is ShardingPolicy.HINT:
                run.hint = (count, index)
            else:
                part = shard(dataset, count, index)
            found.append(iter(part._start(run)))
        if not found:
            raise errors.FailedPreconditionError(None, None, (
                "Static sharding needs the addresses of the workers: "
                "DispatcherConfig(worker_addresses=[...])."))
        return found


@export("data.experimental.service.WorkerServer")
class WorkerServer:
    """Makes elements for the consumers of a dispatcher."""

    def __init__(self, config: WorkerConfig, start: bool = True):
        if config.dispatcher_address is None:
            raise ValueError("Must specify a `dispatcher_address` in the `config` passed to "
                             "`WorkerServer`.")
        self._config, self._started = config, False
        self._address = (config.worker_address or "localhost:%port%").replace(
            "%port%", str(config.port or next(_ports)))
        if start:
            self.start()

    def start(self) -> None:
        """Offer to work for the dispatcher from now on."""
        dispatcher = found_dispatcher(self._config.dispatcher_address)
        dispatcher._workers[self._address] = weakref.ref(self)
        self._started = True

    def join(self) -> None:
        """Wait until the server stops; here it must have stopped: nobody would stop it."""
        _joined(self._started, "WorkerServer")

    def stop(self) -> None:
        """Work no more; iterations that have begun go on."""
        self._started = False

    _stop = stop


def _reads_files(dataset: DatasetV2) -> bool:
    """Whether a dataset reads files, as far as its inputs show; functions of users may."""
    return isinstance(dataset, (_FilesDataset, _InterleaveDataset)) or any(
        _reads_files(one) for one in dataset._inputs)


def _joined(started: bool, name: str) -> None:
    if started:
        raise RuntimeError(f"{name}.join() would wait for ever: in tapeflow servers and consumers "
                           "live in one process. Call stop() when they are done.")


def found_dispatcher(address: str) -> DispatchServer:
    """The dispatcher of an address, with its protocol or without."""
    dispatcher = _dispatchers.get(address.rpartition("://")[2])
    if dispatcher is None:
        raise errors.UnavailableError(None, None, (
            f"There is no tf.data service dispatcher at {address}: in tapeflow it must be a "
            "DispatchServer of this process that is still referred to."))
    return dispatcher


# -- iterations ------------------------------------------------------------------------------------
class _Job:
    """One iteration that consumers share: the workers' elements, taking turns."""

    def __init__(self, shards: list[Iterator[list]], consumers: int | None):
        self._shards = collections.deque(shards)
        self._lock = new_lock()
        self._rounds: list[collections.deque] = [
            collections.deque() for _ in range(consumers or 0)]

    def take(self, consumer: int | None) -> list:
        with self._lock:
            if consumer is None:
                return self._next()
            mine = self._rounds[consumer]
            if not mine:
                # A round is complete, or nobody gets a part of it.
                elements = [self._next() for _ in self._rounds]
                for waiting, element in zip(self._rounds, elements, strict=True):
                    waiting.append(element)
            return mine.popleft()

    def _next(self) -> list:
        while self._shards:
            worker = self._shards.popleft()
            try:
                element = next(worker)
            except StopIteration:
                continue
            self._shards.append(worker)
            return element
        raise StopIteration


class _Consumer(ElementIterator):
    __slots__ = ("_index", "_job")

    def __init__(self, job: _Job, index: int | None):
        self._job, self._index = job, index

    def __next__(self) -> Any:
        return self._job.take(self._index)


@named("experimental.ops.data_service_ops")
class _DataServiceDatasetV2(DatasetV2):
    """The elements of a dataset that a service knows."""

    def __init__(self, spec: Any, name: str, policy: ShardingPolicy, request: dict):
        self._set(spec)
        self._name, self._policy, self._request = name, policy, request
        self._begun: dict[str, int] = {"count": 0}  # shared with copies of this dataset

    def _start(self, run: Run) -> Iterator[Any]:
        request = self._request
        dispatcher = found_dispatcher(request["service"])
        epoch, self._begun["count"] = self._begun["count"], self._begun["count"] + 1
        if request["job_name"] is None:
            return _Consumer(_Job(dispatcher._shards(self._name, self._policy), None), None)
        cache = request["cross_trainer_cache"]
        key = (request["job_name"], epoch, cache and cache.trainer_id)
        with dispatcher._lock:
            if key not in dispatcher._jobs:
                dispatcher._jobs[key] = _Job(dispatcher._shards(self._name, self._policy),
                                             request["num_consumers"])
            return _Consumer(dispatcher._jobs[key], request["consumer_index"])

    def _cardinality(self) -> int:
        return UNKNOWN


# -- functions -------------------------------------------------------------------------------------
@export("data.experimental.service.distribute")
def distribute(processing_mode: Any, service: str, job_name: str | None = None,
               consumer_index: int | None = None, num_consumers: int | None = None,
               max_outstanding_requests: int | None = None,
               data_transfer_protocol: str | None = None, compression: str | None = "AUTO",
               cross_trainer_cache: CrossTrainerCache | None = None,
               target_workers: str = "AUTO") -> Callable[[DatasetV2], DatasetV2]:
    """A transformation for `Dataset.apply`: the workers of a service make the elements."""
    policy = _policy_of(processing_mode)
    request = _request(service, job_name, consumer_index, num_consumers, cross_trainer_cache,
                       target_workers)
    _check_compression(compression)

    def transformation(dataset: Any) -> DatasetV2:
        check_dataset(dataset, "tf.data.experimental.service.distribute", "dataset")
        name = found_dispatcher(service)._register(dataset, None)
        return _DataServiceDatasetV2(dataset.element_spec, name, policy, request)

    return transformation


@export("data.experimental.service.register_dataset")
def register_dataset(service: str, dataset: Any, compression: str | None = "AUTO",
                     dataset_id: str | None = None) -> Tensor:
    """Make a dataset known to a service; the result is its id, for `from_dataset_id`."""
    _check_service(service)
    _check_compression(compression)
    check_dataset(dataset, "tf.data.experimental.service.register_dataset", "dataset")
    return convert(found_dispatcher(service)._register(dataset, dataset_id))


@export("data.experimental.service.from_dataset_id")
def from_dataset_id(processing_mode: Any, service: str, dataset_id: Any, element_spec: Any = None,
                    job_name: str | None = None, consumer_index: int | None = None,
                    num_consumers: int | None = None, max_outstanding_requests: int | None = None,
                    data_transfer_protocol: str | None = None,
                    cross_trainer_cache: CrossTrainerCache | None = None,
                    target_workers: str = "AUTO") -> DatasetV2:
    """The elements of a dataset that `register_dataset` made known to a service."""
    policy = _policy_of(processing_mode)
    request = _request(service, job_name, consumer_index, num_consumers, cross_trainer_cache,
                       target_workers)
    name = dataset_id
    if isinstance(name, Tensor):
        name = name.numpy()
    name = name.decode() if isinstance(name, bytes) else str(name)
    dataset = found_dispatcher(service)._datasets.get(name)
    if dataset is None:
        raise errors.NotFoundError(None, None, (
            f"Dataset id {name} not found. It must be registered with `register_dataset` before "
            "calling `from_dataset_id`."))
    return _DataServiceDatasetV2(element_spec or dataset.element_spec, name, policy, request)


def _policy_of(mode: Any) -> ShardingPolicy:
    named_modes = {"parallel_epochs": ShardingPolicy.OFF,
                   "distributed_epoch": ShardingPolicy.DYNAMIC}
    if isinstance(mode, ShardingPolicy):
        return mode
    if not isinstance(mode, str) or mode not in named_modes:
        raise ValueError("tf.data service processing mode should be a "
                         "`tf.data.experimental.service.ShardingPolicy`, `\"parallel_epochs\"`, or "
                         f"`\"distributed_epoch\"`. Got {mode!r}.")
    return named_modes[mode]


def _check_service(service: Any) -> None:
    if not isinstance(service, str):
        raise ValueError("`service` must be a string, but `service` was of type "
                         f"{type(service)}. service={service}")
    if not service:
        raise ValueError("`service` must not be empty")


def _check_compression(compression: Any) -> None:
    allowed = ["AUTO", None, "SNAPPY"]
    if compression not in allowed:
        raise ValueError(f"Invalid `compression` argument: {compression}. Must be one of "
                         f"{allowed}.")


def _request(service: Any, job_name: Any, consumer_index: Any, num_consumers: Any, cache: Any,
             target_workers: str) -> dict:
    """What a consumer asks of a service, checked as TensorFlow does."""
    _check_service(service)
    if job_name is not None:
        if not isinstance(job_name, str):
            raise ValueError("`job_name` must be a string, but `job_name` was of type "
                             f"{type(job_name)}. job_name={job_name}")
        if not job_name:
            raise ValueError("`job_name` must not be empty")
    elif num_consumers is not None:
        raise ValueError("`job_name` must be set when setting `num_consumers`. num_consumers was "
                         f"set to {num_consumers}.")
    if num_consumers is None:
        consumer_index = None
    elif consumer_index is None or not 0 <= consumer_index < num_consumers:
        raise ValueError(f"`consumer_index` must be at least 0 and less than `num_consumers` "
                         f"({num_consumers}), got {consumer_index}.")
    if cache is not None and not isinstance(cache, CrossTrainerCache):
        raise ValueError("`cross_trainer_cache` must be a CrossTrainerCache, got "
                         f"{type(cache).__name__}.")
    if target_workers.upper() not in ("AUTO", "ANY", "LOCAL"):
        raise errors.invalid("DataServiceDatasetV4",
                             f"Unrecognized target workers: {target_workers}")
    return {"service": service, "job_name": job_name, "consumer_index": consumer_index,
            "num_consumers": num_consumers, "cross_trainer_cache": cache}


@export("data.experimental.distributed_save")
def distributed_save(dataset: DatasetV2, path: str, data_service_address: str,
                     compression: str | None = "AUTO") -> None:
    """Write the elements of a dataset by the workers of a service, for `Dataset.load`.

    The elements are written when it returns. The format is tapeflow's own, as that of
    `Dataset.save`.
    """
    if not isinstance(data_service_address, str):
        raise ValueError("`data_service_address` must be a string, but is a "
                         f"{type(data_service_address)} ({data_service_address}")
    if not data_service_address:
        raise ValueError("`data_service_address` must not be empty")
    check_dataset(dataset, "distributed_save", "dataset")
    dispatcher = found_dispatcher(data_service_address)
    if not dispatcher._config.fault_tolerant_mode:
        raise errors.invalid("DistributedSave", "Failed to snapshot: tf.data distributed snapshot "
                             "requires running tf.data service in the fault tolerant mode. To "
                             "enable the fault tolerant mode, set `DispatcherConfig."
                             "fault_tolerant_mode` to true")
    if is_saved(path):
        raise errors.AlreadyExistsError(None, None, (
            f"Failed to snapshot: tf.data snapshot at {path} is already started or completed "
            "[Op:DistributedSave]"))
    dataset.save(path, compression if compression in (None, "GZIP") else None)


_classes: dict[str, tuple[type, ...]] = {
    "experimental.ops.data_service_ops": (
        ShardingPolicy, DispatcherConfig, WorkerConfig, CrossTrainerCache),
    "experimental.service.server_lib": (DispatchServer, WorkerServer),
}
for _module, _members in _classes.items():
    for _class in _members:
        public_class(_class, _module)
