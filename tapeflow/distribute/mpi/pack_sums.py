"""One buffer summed up over ranks, in place: by MPI, by parts sent, or in memory of the host.

Among a few ranks a large buffer is summed up in two rounds. Each rank gets its part of it from all
others and adds them up in the order of ranks; then it sends that part to all others. That moves
no more bytes than any other way, in two rounds. Where ranks see each other's buffers nothing is
sent, and the bits are the same; on several hosts each rank then exchanges its part, the sum of its
host, with the ranks of its number on the others. (Sent by parts, numbers are added up host by host,
too.) More ranks, or small buffers, are MPI's business.

Numbers of less than 32 bits are sent as they are, added up as float32, and rounded once: by the
rank that adds them up, so all ranks get the same (on several hosts: once for each host, too).
"""

from __future__ import annotations

import sys
from typing import Any, NamedTuple

import numpy as np

from tapeflow.distribute.mpi.engine import Group, Ranks
from tapeflow.distribute.mpi.host_memory import Slot

FEW = 8  # ranks up to which each two of them exchange parts
SMALL = 1 << 14  # bytes up to which MPI's own way is used
CHUNK = 1 << 14  # numbers that are widened at a time
_UFUNCS: dict[str, np.ufunc] = {"sum": np.add, "mean": np.add, "min": np.minimum,
                                "max": np.maximum, "prod": np.multiply}


class Buffers:
    """Buffers that are used again when nobody holds a view of them."""

    def __init__(self) -> None:
        self._kept: dict[tuple, list[np.ndarray]] = {}

    def take(self, length: int, dtype: np.dtype) -> np.ndarray:
        kept = self._kept.setdefault((length, dtype), [])
        for i in range(len(kept)):
            if sys.getrefcount(kept[i]) == 2:  # of the list, and of this call
                return kept[i]
        made = np.zeros(length, dtype)
        if len(kept) < 4:
            kept.append(made)
        return made


buffers = Buffers()


def is_narrow(dtype: np.dtype) -> bool:
    """Whether numbers of a dtype are added up as float32."""
    return dtype.kind in "fV" and dtype.itemsize < 4


def operation(ranks: Ranks, reduction: str) -> Any:
    """MPI's name of a reduction."""
    MPI = ranks.MPI
    return {"sum": MPI.SUM, "mean": MPI.SUM, "min": MPI.MIN, "max": MPI.MAX,
            "prod": MPI.PROD}[reduction]


class Sum(NamedTuple):
    """How parts are added up; the scales are those of narrow numbers, others have theirs before."""

    reduction: str
    before: float = 1.0
    after: float = 1.0
    hosts: tuple[tuple[int, ...], ...] = ()  # several: the ranks of each, which come first

    def add_up(self, parts: list[np.ndarray], out: np.ndarray) -> None:
        """The sum of arrays in their order; `out` may be one of them."""
        if len(self.hosts) > 1 and len(parts) > len(self.hosts):
            sums = [np.empty_like(out) for _ in self.hosts]
            for host, total in zip(self.hosts, sums):
                Sum(self.reduction, self.before)._add_up([parts[i] for i in host], total)
            Sum(self.reduction, 1.0, self.after)._add_up(sums, out)
        else:
            self._add_up(parts, out)

    def _add_up(self, parts: list[np.ndarray], out: np.ndarray) -> None:
        add = _UFUNCS[self.reduction]
        if is_narrow(out.dtype):
            for at in range(0, out.size, CHUNK):
                out[at:at + CHUNK] = self._widened([one[at:at + CHUNK] for one in parts], add)
        elif len(parts) == 1:
            out[...] = parts[0]
        elif len(parts) == 2:
            add(parts[0], parts[1], out=out)
        else:
            total = add(parts[0], parts[1])
            for one in parts[2:]:
                add(total, one, out=total)
            out[...] = total

    def _widened(self, parts: list[np.ndarray], add: np.ufunc) -> np.ndarray:
        wide = [one.astype(np.float32) for one in parts]
        if self.before != 1.0:
            for one in wide:
                one *= np.float32(self.before)
        for one in wide[1:]:
            add(wide[0], one, out=wide[0])
        if self.after != 1.0:
            wide[0] *= np.float32(self.after)
        return wide[0]


class PackSum:
    """A buffer that is being summed up by MPI: begin, `combine`, `finish`."""

    def __init__(self, ranks: Ranks, buffer: np.ndarray, how: Sum, tag: int):
        self._ranks, self.buffer, self._how, self._tag = ranks, buffer, how, tag
        self._requests: list[Any] = []
        self._begin()

    def _begin(self) -> None:
        self._requests.append(self._ranks.communicator.Iallreduce(
            self._ranks.MPI.IN_PLACE, self.buffer, operation(self._ranks, self._how.reduction)))

    def combine(self, what: str) -> None:
        """Add up what has come, and send it on."""

    def finish(self, what: str) -> None:
        """Wait until the buffer holds the sums."""
        self._ranks.wait(self._requests, what)


class _ByParts(PackSum):
    """Each rank adds up one part for all."""

    def _begin(self) -> None:
        ranks, buffer = self._ranks, self.buffer
        self._others = [i for i in range(ranks.size) if i != ranks.rank]
        self._parts = parts_of(buffer, ranks.size)
        own = self._parts[ranks.rank]
        self._came = {i: buffers.take(own.size, buffer.dtype) for i in self._others}
        self._requests = [self._call("Irecv", self._came[i], i) for i in self._others]
        self._requests += [self._call("Isend", self._parts[i], i) for i in self._others]

    def _call(self, name: str, part: np.ndarray, rank: int) -> Any:
        return getattr(self._ranks.communicator, name)(as_sent(part), rank, self._tag)

    def combine(self, what: str) -> None:
        ranks, own = self._ranks, self._parts[self._ranks.rank]
        ranks.wait(self._requests, what)
        self._how.add_up([self._came.get(i, own) for i in range(ranks.size)], own)
        self._requests = [self._call("Irecv", self._parts[i], i) for i in self._others]
        self._requests += [self._call("Isend", own, i) for i in self._others]


class _ByExchange(PackSum):
    """The same among many ranks, in two collectives: for narrow numbers, which MPI cannot add."""

    def _begin(self) -> None:
        ranks = self._ranks
        parts = parts_of(self.buffer, ranks.size)
        self._own = parts[ranks.rank]
        self._counts = [as_sent(one).size for one in parts]
        self._came = np.empty((ranks.size, self._own.size), self.buffer.dtype)
        self._requests = [ranks.communicator.Ialltoallv(
            [as_sent(self.buffer), self._counts],
            [as_sent(self._came.reshape(-1)), [as_sent(self._own).size] * ranks.size])]

    def combine(self, what: str) -> None:
        ranks = self._ranks
        ranks.wait(self._requests, what)
        self._how.add_up(list(self._came), self._own)
        self._requests = [ranks.communicator.Iallgatherv(
            ranks.MPI.IN_PLACE, [as_sent(self.buffer), self._counts])]


class _InHostMemory(PackSum):
    """Each rank adds up one part for all, where they lie, and exchanges it with other hosts."""

    def __init__(self, group: Group, slot: Slot, how: Sum, tag: int):
        self._across, self._slot = group.across, slot
        super().__init__(group, slot.own, how, tag)

    def _begin(self) -> None:
        self._beyond: PackSum | None = None

    def combine(self, what: str) -> None:
        slot, how = self._slot, self._how
        share = -(-self.buffer.size // len(slot.arrays))
        begin, end = slot.rank * share, (slot.rank + 1) * share
        parts = [one[begin:end] for one in slot.arrays]
        self._own = parts[slot.rank]
        self._same = [*parts[:slot.rank], *parts[slot.rank + 1:]]
        if self._across.size == 1:
            how.add_up(parts, self._own)
            self._spread()
        else:
            Sum(how.reduction, how.before).add_up(parts, self._own)
            self._beyond = _by_messages(self._across, self._own,
                                        Sum(how.reduction, 1.0, how.after), self._tag)

    def finish(self, what: str) -> None:
        if self._beyond is not None:
            self._beyond.combine(what)
            self._beyond.finish(what)
            self._spread()

    def _spread(self) -> None:
        for one in self._same:
            np.copyto(one, self._own)


def parts_of(buffer: np.ndarray, ranks: int) -> list[np.ndarray]:
    """A buffer in as many parts as there are ranks, the last ones shorter."""
    share = -(-buffer.size // ranks)
    return [buffer[i * share:(i + 1) * share] for i in range(ranks)]


def as_sent(x: np.ndarray) -> np.ndarray:
    """A flat array as MPI takes it: what it has no type for goes as bytes."""
    return x.view(np.uint8) if is_narrow(x.dtype) else x


def _by_messages(ranks: Ranks, buffer: np.ndarray, how: Sum, tag: int) -> PackSum:
    narrow, few = is_narrow(buffer.dtype), ranks.size <= FEW
    if few and (narrow or buffer.nbytes > SMALL):
        return _ByParts(ranks, buffer, how, tag)
    return (_ByExchange if narrow else PackSum)(ranks, buffer, how, tag)


def begin_sum(group: Group, buffer: np.ndarray, how: Sum, tag: int,
              slot: Slot | None = None) -> PackSum:
    """Begin to sum up a buffer in place; `slot`: those of the host's ranks, if all see them."""
    if slot is not None:
        return _InHostMemory(group, slot, how, tag)
    return _by_messages(group, buffer, how, tag)
