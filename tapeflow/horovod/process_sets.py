"""init, ranks and sizes, and sets of ranks that act together."""

from __future__ import annotations

import itertools
from typing import Any

from tapeflow.base.frames.user_lines import user_line
from tapeflow.distribute.mpi import exchange
from tapeflow.distribute.mpi.engine import Engine, engine


class _Job:
    """What `init` has found: None before it."""

    started = False
    engine: Engine | None = None


_ids = itertools.count(1)


class ProcessSet:
    """Some ranks; made known to all of them by `init(process_sets=…)` or `add_process_set`."""

    def __init__(self, ranks_or_comm: Any):
        self.ranks = None if ranks_or_comm is None else sorted(set(map(int, ranks_or_comm)))
        self.process_set_id: int | None = None
        self._group: Any = None

    def _register(self) -> None:
        job = _job()
        if job is not None:
            self._group = job.world if self.ranks is None else job.group(self.ranks)
        self.process_set_id = 0 if self is global_process_set else next(_ids)

    def _members(self) -> list[int]:
        if self.process_set_id is None:
            raise ValueError("This process set is not registered: pass it to hvd.init("
                             "process_sets=[…]) or hvd.add_process_set.")
        return list(range(size())) if self.ranks is None else self.ranks

    def size(self) -> int:
        """How many ranks it has."""
        return len(self._members())

    def rank(self) -> int:
        """The number of this process in it."""
        members = self._members()
        if rank() not in members:
            raise ValueError(f"rank {rank()} is not in the process set {members}")
        return members.index(rank())

    def included(self) -> bool:
        """Whether this process is in it."""
        return rank() in self._members()

    def group(self) -> Any:
        """The engine's group, None for a process that is alone; raises if not in it."""
        if not self.included():
            raise ValueError(f"rank {rank()} called a collective of the process set "
                             f"{self._members()}, which it does not belong to")
        return self._group

    def __repr__(self) -> str:
        return f"ProcessSet(process_set_id={self.process_set_id}, ranks={self.ranks})"


global_process_set = ProcessSet(None)


def init(comm: Any = None, process_sets: Any = None) -> None:
    """Join the job. `process_sets`: ProcessSets that all ranks name in the same order."""
    if comm is not None:
        raise NotImplementedError("hvd.init: only the ranks that the launcher has started are "
                                  "supported, not another communicator")
    if not _Job.started:
        _Job.engine, _Job.started = engine(), True
        global_process_set._register()
    for one in () if process_sets in (None, "dynamic") else process_sets:
        add_process_set(one)


def shutdown() -> None:
    """Leave: `init` may be called again. The job itself ends with the process."""
    _Job.started = False


def is_initialized() -> bool:
    """Whether `init` has been called."""
    return _Job.started


def _job() -> Engine | None:
    if not _Job.started:
        raise ValueError("Horovod has not been initialized; use hvd.init().")
    return _Job.engine


def add_process_set(process_set: Any) -> ProcessSet:
    """Make a set of ranks known; all ranks must do that in the same order."""
    made = process_set if isinstance(process_set, ProcessSet) else ProcessSet(process_set)
    outside = [one for one in made.ranks or () if not 0 <= one < size()]
    if outside:
        raise ValueError(f"hvd.add_process_set: there is no rank {outside[0]} among {size()}")
    if made.ranks == []:
        raise ValueError("hvd.add_process_set: a process set needs at least one rank")
    made._register()
    return made


def remove_process_set(process_set: ProcessSet) -> bool:
    """Forget a set of ranks."""
    if process_set is global_process_set or process_set.process_set_id is None:
        return False
    process_set.process_set_id = None
    return True


# -- numbers ---------------------------------------------------------------------------------------
def rank() -> int:
    """The number of this process."""
    job = _job()
    return 0 if job is None else job.rank


def size() -> int:
    """How many processes there are."""
    job = _job()
    return 1 if job is None else job.size


def local_rank() -> int:
    """The number of this process on its host."""
    job = _job()
    return 0 if job is None else job.local_rank


def local_size() -> int:
    """How many processes there are on this host."""
    job = _job()
    return 1 if job is None else job.local_size


def cross_rank() -> int:
    """The number of this host among those that have a process of this local rank."""
    job = _job()
    return 0 if job is None else job.cross_rank


def cross_size() -> int:
    """How many hosts have a process of this local rank."""
    job = _job()
    return 1 if job is None else job.cross_size


def is_homogeneous() -> bool:
    """Whether all hosts have as many processes."""
    job = _job()
    return True if job is None else job.is_homogeneous


# -- waiting ---------------------------------------------------------------------------------------
def barrier(process_set: ProcessSet = global_process_set) -> None:
    """Return when all ranks of the set are here."""
    group = process_set.group()
    if group is not None:
        exchange.barrier(group, user_line())


def join(device: int = -1) -> int:
    """Take part in others' reductions with zeros until all ranks are here; the last to come."""
    job = _job()
    return 0 if job is None else exchange.join(job.world, user_line())


# -- what Horovod was built with -------------------------------------------------------------------
def mpi_built() -> bool:
    """Whether there is MPI: yes."""
    return True


mpi_enabled = mpi_threads_supported = mpi_built


def gloo_built() -> bool:
    """Whether there is Gloo: no."""
    return False


gloo_enabled = cuda_built = rocm_built = ddl_built = ccl_built = gloo_built


def nccl_built() -> int:
    """The version of NCCL: none."""
    return 0


def start_timeline(file_path: str, mark_cycles: bool = False) -> None:
    """Nothing is recorded."""


def stop_timeline() -> None:
    """Nothing is recorded."""
