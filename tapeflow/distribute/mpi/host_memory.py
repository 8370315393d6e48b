"""Buffers that all ranks of a host see: a sum without messages.

A rank packs into a buffer of its own. When all have, each rank adds up one part of the buffers of
all ranks, in the order of ranks, and writes the sums back into every one. A buffer may still be in
use, by results of an earlier sum; so there are two for each pack, taken in turn, and ranks tell
each other where theirs is not free. Then messages serve.
"""

from __future__ import annotations

import mmap
import os
import sys
import tempfile
from typing import TYPE_CHECKING, Any

import numpy as np

from tapeflow.distribute.mpi import host_signals

if TYPE_CHECKING:
    from tapeflow.distribute.mpi.engine import Ranks
    from tapeflow.distribute.mpi.exchange import Pack

FOLDER = "/dev/shm"
SLOTS = 2  # buffers for each pack
MOST = 256 << 20  # bytes of a rank's buffers, all packs together
MOST_PACKS = 512
SPARED = 4  # times as much space must be free in the folder


class Slot:
    """One buffer of each rank, and this rank's in the pieces that the pack consists of."""

    def __init__(self, number: int, arrays: list[np.ndarray], rank: int, pack: Pack):
        self.bit = 1 << number
        self.arrays, self.rank, self.own = arrays, rank, arrays[rank]
        self.pieces = [one.view_of(self.own) for one in pack.members]
        self._idle = sys.getrefcount(self.own)

    def is_free(self) -> bool:
        """Whether nothing refers to results that lie in this rank's buffer."""
        return sys.getrefcount(self.own) == self._idle


class HostMemory:
    """The shared buffers of ranks that are all on one host."""

    def __init__(self, ranks: Ranks):
        self._ranks = ranks
        self._slots: dict[Pack, list[Slot] | None] = {}
        self._asked: set[Pack] = set()
        self._turns: dict[Pack, int] = {}
        self._bytes = 0
        words = (self._shared(host_signals.BYTES * ranks.size, first_only=True)
                 if host_signals.ORDERED else None)
        self.signals = None if words is None else host_signals.HostSignals(ranks, words[0])

    def take(self, pack: Pack) -> Slot | None:
        """The slot whose turn it is; None if this rank's buffer there is not free."""
        slots = self._slots.get(pack)
        if not slots:
            return None
        turn = self._turns[pack] = (self._turns.get(pack, 0) + 1) % SLOTS
        return slots[turn] if slots[turn].is_free() else None

    def prepare(self, packs: list[Pack]) -> None:
        """Make the buffers of packs that are used again. All ranks call it together."""
        for pack in packs:
            if pack not in self._asked:
                self._asked.add(pack)
            elif pack not in self._slots:
                self._slots[pack] = self._made(pack)

    def forget_turns(self) -> None:
        """Ranks have disagreed, and may have packed other things."""
        self._turns.clear()

    def meet(self, what: str) -> None:
        """Wait until all ranks of the host are here."""
        ranks = self._ranks
        ranks.wait([ranks.communicator.Ibarrier() if self.signals is None
                    else self.signals.pass_barrier()], what)

    def _made(self, pack: Pack) -> list[Slot] | None:
        size = pack.length * pack.dtype.itemsize
        total = -(-size * SLOTS // mmap.PAGESIZE) * mmap.PAGESIZE
        if self._bytes + total > MOST or len(self._slots) >= MOST_PACKS:  # the same on all ranks
            return None
        self._bytes += total
        maps = self._shared(total)
        return None if maps is None else [
            Slot(i, [np.frombuffer(one, pack.dtype, pack.length, i * size) for one in maps],
                 self._ranks.rank, pack) for i in range(SLOTS)]

    def _shared(self, size: int, first_only: bool = False) -> list[Any] | None:
        """So many bytes of each rank, or of the first one, in everybody's memory."""
        everyone = self._ranks.communicator.allgather
        path, own = None, None
        if not first_only or self._ranks.rank == 0:
            path, own = _own_file(size, size * self._ranks.size * SPARED)
        try:
            paths = everyone(path)[:1 if first_only else None]
            maps = [own if one == path else _opened(one, size) for one in paths]
            return maps if all(everyone(None not in maps)) else None
        finally:
            if path is not None:
                os.unlink(path)


def _own_file(size: int, free: int) -> tuple[str | None, Any]:
    """A file in memory and its contents, if there is room enough."""
    try:
        room = os.statvfs(FOLDER)
        if room.f_bavail * room.f_frsize < free:
            return None, None
        handle, path = tempfile.mkstemp(prefix="tapeflow-", dir=FOLDER)
    except (OSError, AttributeError):
        return None, None
    try:
        os.posix_fallocate(handle, 0, size)
        return path, mmap.mmap(handle, size)
    except OSError:
        os.unlink(path)
        return None, None
    finally:
        os.close(handle)


def _opened(path: str | None, size: int) -> Any:
    """The contents of another rank's file; None if it is not to be had."""
    try:
        handle = os.open(path or "", os.O_RDWR | os.O_NOFOLLOW)
    except OSError:
        return None
    try:
        found = os.fstat(handle)
        if found.st_uid != os.getuid() or found.st_size != size:
            return None
        return mmap.mmap(handle, size)
    except OSError:
        return None
    finally:
        os.close(handle)
