"""One buffer summed up over ranks, in place: by MPI, by parts sent, or in memory of the host.

Among a few ranks a large buffer is summed up in two rounds. Each rank gets its part of it from all
others and adds them up in the order of ranks; then it sends that part to all others. That moves
no more bytes than any other way, in two rounds. Where ranks see each other's buffers nothing is
sent, and the bits are the same. More ranks, or small buffers, are MPI's business.
"""

from __future__ import annotations

import sys
from typing import Any

import numpy as np

from tapeflow.distribute.mpi.engine import Group

FEW = 8  # ranks up to which each two of them exchange parts
SMALL = 1 << 14  # bytes up to which MPI's own way is used
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


def operation(group: Group, reduction: str) -> Any:
    """MPI's name of a reduction."""
    MPI = group.MPI
    return {"sum": MPI.SUM, "mean": MPI.SUM, "min": MPI.MIN, "max": MPI.MAX,
            "prod": MPI.PROD}[reduction]


class PackSum:
    """A buffer that is being summed up by MPI: begin, `combine`, `finish`."""

    def __init__(self, group: Group, buffer: np.ndarray, reduction: str, tag: int):
        self._group, self.buffer, self._tag = group, buffer, tag
        self._requests: list[Any] = []
        self._begin(reduction)

    def _begin(self, reduction: str) -> None:
        self._requests.append(self._group.communicator.Iallreduce(
            self._group.MPI.IN_PLACE, self.buffer, operation(self._group, reduction)))

    def combine(self, what: str) -> None:
        """Add up what has come, and send it on."""

    def finish(self, what: str) -> None:
        """Wait until the buffer holds the sums."""
        self._group.wait(self._requests, what)


class _ByParts(PackSum):
    """Each rank adds up one part for all."""

    def _begin(self, reduction: str) -> None:
        group, buffer = self._group, self.buffer
        self._add = _UFUNCS[reduction]
        share = -(-buffer.size // group.size)
        self._parts = [buffer[i * share:(i + 1) * share] for i in range(group.size)]
        own = self._parts[group.rank]
        self._others = [i for i in range(group.size) if i != group.rank]
        self._came = {i: buffers.take(own.size, own.dtype) for i in self._others}
        self._requests += [group.communicator.Irecv(self._came[i], i, self._tag)
                           for i in self._others]
        self._requests += [group.communicator.Isend(self._parts[i], i, self._tag)
                           for i in self._others]

    def combine(self, what: str) -> None:
        group, own = self._group, self._parts[self._group.rank]
        group.wait(self._requests, what)
        _add_up(self._add, [self._came.get(i, own) for i in range(group.size)], own)
        self._requests = [group.communicator.Irecv(self._parts[i], i, self._tag)
                          for i in self._others]
        self._requests += [group.communicator.Isend(own, i, self._tag) for i in self._others]


class _InHostMemory(PackSum):
    """Each rank adds up one part for all, where they lie."""

    def __init__(self, group: Group, shared: list[np.ndarray], reduction: str):
        self._shared = shared
        super().__init__(group, shared[group.rank], reduction, 0)

    def _begin(self, reduction: str) -> None:
        self._add = _UFUNCS[reduction]

    def combine(self, what: str) -> None:
        group = self._group
        share = -(-self.buffer.size // group.size)
        begin, end = group.rank * share, (group.rank + 1) * share
        parts = [one[begin:end] for one in self._shared]
        own = parts[group.rank]
        _add_up(self._add, parts, own)
        for i, part in enumerate(parts):
            if i != group.rank:
                np.copyto(part, own)
        self._requests.append(group.communicator.Ibarrier())


def _add_up(add: np.ufunc, parts: list[np.ndarray], out: np.ndarray) -> None:
    """The sum of arrays in their order; `out` may be one of them."""
    if len(parts) == 2:
        add(parts[0], parts[1], out=out)
        return
    total = add(parts[0], parts[1])
    for one in parts[2:]:
        add(total, one, out=total)
    out[...] = total


def begin_sum(group: Group, buffer: np.ndarray, reduction: str, tag: int,
              shared: list[np.ndarray] | None = None) -> PackSum:
    """Begin to sum up a buffer in place; `shared`: those of all ranks, if they are to be seen."""
    if shared is not None:
        return _InHostMemory(group, shared, reduction)
    parts = group.size <= FEW and buffer.nbytes > SMALL
    return (_ByParts if parts else PackSum)(group, buffer, reduction, tag)
