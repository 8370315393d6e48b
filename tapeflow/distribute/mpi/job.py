"""What the launcher's environment says of this process: its rank, and how many there are.

Nothing here loads MPI. `mpiexec`, `srun` and their like each have variables of their own.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import NamedTuple

# Rank, number of ranks, rank on this host, ranks on this host.
_VARIABLES = (
    ("PMI_RANK", "PMI_SIZE", "MPI_LOCALRANKID", "MPI_LOCALNRANKS"),  # MPICH, Intel MPI
    ("OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_LOCAL_RANK",
     "OMPI_COMM_WORLD_LOCAL_SIZE"),  # Open MPI
    ("MV2_COMM_WORLD_RANK", "MV2_COMM_WORLD_SIZE", "MV2_COMM_WORLD_LOCAL_RANK",
     "MV2_COMM_WORLD_LOCAL_SIZE"),  # MVAPICH
    ("SLURM_PROCID", "SLURM_STEP_NUM_TASKS", "SLURM_LOCALID", "SLURM_STEP_TASKS_PER_NODE"),  # srun
)
# The process that has joined the job: its children inherit the variables, and are no ranks.
JOINED = "TAPEFLOW_RANK_PROCESS"
# What `tapeflow launch` hands to its ranks: where its hub is, how often the job has been started
# again, and whether it writes to a terminal.
HUB = "TAPEFLOW_HUB"
RESTART = "TAPEFLOW_RESTART"
INTERACTIVE = "TAPEFLOW_INTERACTIVE"
MPIEXEC = "TAPEFLOW_MPIEXEC"  # the mpiexec that `tapeflow launch` is to use


class Job(NamedTuple):
    """A process among those that a launcher has started."""

    rank: int
    size: int
    local_rank: int
    local_size: int


def _number(text: str | None) -> int | None:
    """The number that a text begins with: Slurm writes `2(x3)` for 2 on each of 3 hosts."""
    digits = (text or "").strip().partition("(")[0].partition(",")[0]
    return int(digits) if digits.isdecimal() else None


def launched(environment: Mapping[str, str] = os.environ) -> Job | None:
    """This process as one of a job's; None if no launcher has started several."""
    if environment.get(JOINED, str(os.getpid())) != str(os.getpid()):
        return None
    said = [[_number(environment.get(name)) for name in names] for names in _VARIABLES]
    for rank, size, _, _ in said:
        if rank is not None and size is not None and size > 1:
            # What one does not say another may: under `srun --mpi=pmi2` ranks have PMI's variables.
            local_rank, local_size = [next((row[i] for row in said if row[i] is not None), None)
                                      for i in (2, 3)]
            return Job(rank, size, local_rank or 0, local_size or 1)
    return None


def by_srun(environment: Mapping[str, str] = os.environ) -> bool:
    """Whether Slurm has started this process."""
    return "SLURM_PROCID" in environment


def variable(name: str) -> str:
    """A variable of the environment; empty if it is not set."""
    return os.environ.get(name, "")


def joined() -> None:
    """This process has joined its job; its children have not."""
    os.environ[JOINED] = str(os.getpid())


def environment(changes: Mapping[str, str]) -> dict[str, str]:
    """The environment of a process to start."""
    return {**os.environ, **changes}


def bare_environment() -> dict[str, str]:
    """What a process needs that is to be no part of the job."""
    return {name: os.environ[name] for name in ("PATH", "SYSTEMROOT") if name in os.environ}


def cores() -> int:
    """The cores that this process may use."""
    try:
        return len(os.sched_getaffinity(0))
    except AttributeError:  # not on Linux
        return os.cpu_count() or 1


def core_share(job: Job) -> int:
    """The cores of this host for each of its ranks."""
    available = os.cpu_count() or 1
    # A launcher that binds ranks to cores has shared them out already.
    return cores() if cores() < available else max(1, available // job.local_size)
