"""The engine: this process as a rank of an MPI job, and groups of ranks that act together.

`engine()` is None in a process that no launcher has started with others. Otherwise the first call
loads mpi4py and joins the job. A collective is a `Call` on a `Group`: before any data moves, the
group agrees that all of its ranks mean the same call, so that a mistake is an error on all of them
and not a deadlock.
"""

from __future__ import annotations

import os
import sys
import threading
import zlib
from functools import reduce
from operator import or_
from typing import Any, NamedTuple

import numpy as np

from tapeflow.base import errors
from tapeflow.base.settings import settings
from tapeflow.distribute.mpi import job, pickled_objects, watch
from tapeflow.distribute.mpi.host_memory import HostMemory
from tapeflow.distribute.mpi.waiting import wait

JOIN = "join"  # the call of a rank that has no more work of its own
EXTRA = 'pip install "tapeflow[mpi]"'


class Call(NamedTuple):
    """A collective as ranks compare it: what it is, its operands, and the user's line."""

    kind: str
    operands: tuple  # what must be equal on all ranks: dtypes, shapes, attributes
    where: str
    details: tuple = ()  # for ranks that have joined, which take part with nothing of their own

    def text(self) -> str:
        said = ", ".join(str(one) for one in self.operands)
        return f"{self.kind}({said}) at {self.where}"


class _Turn:
    """`with group.lock:` after the exchanges in the background, one call at a time."""

    def __init__(self, engine: Engine):
        self._engine, self.own = engine, threading.RLock()

    def __enter__(self) -> None:
        if self._engine.background is not None:
            self._engine.background.drain()
        self.own.acquire()

    def __exit__(self, *failure: Any) -> None:
        self.own.release()


class Ranks:
    """Some ranks: their communicator, and waiting for them."""

    def __init__(self, engine: Engine, communicator: Any):
        self._engine, self.MPI = engine, engine.MPI
        self.communicator = communicator  # for data
        self.rank, self.size = communicator.Get_rank(), communicator.Get_size()
        world, own = engine.MPI.COMM_WORLD.Get_group(), communicator.Get_group()
        self.ranks = tuple(own.Translate_ranks(list(range(self.size)), world))

    def wait(self, requests: list[Any], what: str) -> None:
        """Wait for requests that belong to a call all ranks have agreed on."""
        for request in requests:
            wait(request, self._engine.watch, self.ranks, what)


class Group(Ranks):
    """Ranks that act together: communicators of their own, and the order of their calls."""

    def __init__(self, engine: Engine, communicator: Any):
        super().__init__(engine, communicator)
        self._control = communicator.Dup()  # for agreement
        self.lock = _Turn(engine)  # held for the length of a call
        host = Ranks(engine, communicator.Split_type(engine.MPI.COMM_TYPE_SHARED))
        # Where hosts have as many ranks each, the ranks of one number on all hosts.
        self.across = Ranks(engine, communicator.Split(host.rank, self.rank))
        placed = communicator.allgather((host.ranks, self.across.size))
        alike = len({(len(ranks), count) for ranks, count in placed}) == 1
        # The positions of each host's ranks, where hosts have as many.
        self.hosts = tuple(sorted({tuple([self.ranks.index(i) for i in ranks])
                                   for ranks, _ in placed})) if alike else ()
        self.host_memory = HostMemory(host) if alike and host.size > 1 else None
        self._signals = (self.host_memory.signals if self.host_memory is not None
                         and host.size == self.size else None)
        self.noted = 0
        self._count = 0
        self._said, self._heard = np.zeros(3, np.int64), np.zeros(3, np.int64)
        self._fingerprints: dict[tuple, int] = {}

    # -- agreement ---------------------------------------------------------------------------------
    def agree(self, call: Call, note: int = 0) -> Call:
        """The call that all ranks are at; raise on all of them if there is no such call.

        It is the rank's own, except on ranks that have joined: they follow the others. `noted`
        then has the bits that some rank has noted.
        """
        self._count += 1
        observer = self._engine.watch
        observer.count += 1
        observer.doing = f"{call.kind} at {call.where}"
        number = self._fingerprint(call)
        return call if self._all_say(number, note) else self._settled(call)

    def _all_say(self, number: int, note: int) -> bool:
        """Whether all ranks have this number."""
        what = self._engine.watch.doing
        if self._signals is not None:
            self.wait([self._signals.say(number, note)], what)
            numbers, notes = self._signals.heard()
            self.noted = reduce(or_, notes)
            return numbers.count(number) == self.size
        self._said[:] = number, ~number, note
        self.wait([self._control.Iallreduce(self._said, self._heard, self.MPI.BOR)], what)
        bits, missing, self.noted = self._heard.tolist()
        return not bits & missing  # a bit that only some have stands in both

    def _fingerprint(self, call: Call) -> int:
        key = (call.kind, call.operands)
        found = self._fingerprints.get(key)
        if found is None:
            text = repr(key).encode()
            found = self._fingerprints[key] = zlib.crc32(text) << 31 | zlib.adler32(text) >> 1
        return found ^ self._count & 0xFFFF

    def _settled(self, call: Call) -> Call:
        """Ranks differ: some have joined, or something is wrong."""
        everyone = pickled_objects.gather(
            self._control, pickled_objects.pickled(call),
            lambda request: self.wait([request], f"{call.kind} at {call.where}"))
        working = [one for one in everyone if one.kind != JOIN]
        if len(working) < self.size and all(
                one[:2] == working[0][:2] and one.details for one in working):
            return call if call.kind != JOIN else working[0]
        same = [i for i, one in enumerate(everyone) if one[:2] == call[:2]]
        other = next(i for i in range(self.size) if i not in same)
        mine, theirs = _ranks(self.ranks, same), self.ranks[other]
        if self.host_memory is not None:
            self.host_memory.forget_turns()
        raise errors.InvalidArgumentError(
            None, None, f"ranks disagree at their collective number {self._count}: {mine} "
            f"called {call.text()}, rank {theirs} called {everyone[other].text()}. All ranks "
            "must make the same calls, in the same order, with the same dtypes and shapes.")


def _ranks(ranks: tuple[int, ...], positions: list[int]) -> str:
    named = [str(ranks[i]) for i in positions]
    if len(named) == 1:
        return f"rank {named[0]}"
    shown = named if len(named) < 9 else [*named[:8], "…"]
    return "ranks " + ", ".join(shown)


class Engine:
    """This process in its job: ranks, hosts, groups."""

    def __init__(self, MPI: Any, found: job.Job):
        self.MPI = MPI
        world = MPI.COMM_WORLD
        self.rank, self.size = world.Get_rank(), world.Get_size()
        host = world.Split_type(MPI.COMM_TYPE_SHARED)
        self.local_rank, self.local_size = host.Get_rank(), host.Get_size()
        across = world.Split(self.local_rank, self.rank)
        self.cross_rank, self.cross_size = across.Get_rank(), across.Get_size()
        self.is_homogeneous = len(set(world.allgather(self.local_size))) == 1
        self.watch = self._watched(world)
        self.background: Any = None  # what exchanges while the program computes
        # The same everywhere: what is exchanged together must be the same on all ranks.
        self.has_spare_cores = all(world.allgather(
            job.core_share(found) > max(1, settings.threads_asked_for() // 2)))
        self.world = Group(self, world.Dup())
        self._groups: dict[tuple[int, ...], Group] = {self.world.ranks: self.world}

    def _watched(self, world: Any) -> watch.Watch:
        address = job.variable(job.HUB) or world.bcast(
            watch.own_hub() if self.rank == 0 else None)
        return watch.watch(self.rank, address)

    def group(self, ranks: Any) -> Group | None:
        """The group of some ranks, made by all of the world's together; None if not in it."""
        wanted = tuple(sorted(set(ranks)))
        if wanted not in self._groups:
            call = Call("process set", wanted, "its making")
            self.world.agree(call)
            members = self.MPI.COMM_WORLD.Get_group().Incl(list(wanted))
            made = self.world.communicator.Create(members)
            if made == self.MPI.COMM_NULL:
                return None
            self._groups[wanted] = Group(self, made)
        return self._groups[wanted]


_joined: list[Engine] = []
_lock = threading.Lock()


def engine() -> Engine | None:
    """The engine of this process; None if it is alone."""
    if _joined and job.launched() is not None:
        return _joined[0]
    with _lock:
        found = job.launched()
        if found is None:
            return None
        if not _joined:
            _joined.append(_join(found))
        return _joined[0]


def _join(found: job.Job) -> Engine:
    try:
        from mpi4py import MPI
    except ImportError as error:
        raise ImportError(
            f"a launcher has started {found.size} ranks, and mpi4py, by which they reach each "
            f"other, cannot be imported ({error}): {EXTRA}", name="mpi4py") from error
    size = MPI.COMM_WORLD.Get_size()
    if size != found.size:
        library = MPI.Get_library_version().partition("\n")[0].strip("\0 ")
        raise RuntimeError(
            f"the launcher has started {found.size} ranks, but mpi4py sees {size}: it uses another "
            f"MPI ({library}) than the launcher's. Start the ranks with `tapeflow launch`, or "
            "install an mpi4py that was built for this launcher."
            + (" Under Slurm: `srun --mpi=pmi2` for MPICH, `srun --mpi=pmix` for Open MPI."
               if job.by_srun() else ""))
    if not settings.threads_asked_for():
        settings.num_threads = job.core_share(found)
    made = Engine(MPI, found)
    job.joined()
    _warn_of_crowd(made)
    return made


def _warn_of_crowd(made: Engine) -> None:
    available = os.cpu_count() or 1
    if made.local_size > available and made.local_rank == 0:
        sys.stderr.write(f"tapeflow: {made.local_size} ranks share {available} cores of this host: "
                         "it works, but slower than with one rank for each core.\n")
