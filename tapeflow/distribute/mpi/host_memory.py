"""Buffers that all ranks of a host see: a sum without messages.

A rank packs into a buffer of its own. When all have, each rank adds up one part of the buffers of
all ranks, in the order of ranks, and writes the sums back into every one. A buffer may still be in
use, by results of an earlier sum; so it takes two for each pack, and ranks tell each other which
they have packed into. Where one has none to spare, messages serve.
"""

from __future__ import annotations

import mmap
import os
import sys
import tempfile
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from tapeflow.distribute.mpi.engine import Group
    from tapeflow.distribute.mpi.exchange import Pack

FOLDER = "/dev/shm"
SLOTS = 2  # buffers for each pack
MOST = 256 << 20  # bytes of a rank's buffers, all packs together
SPARED = 4  # times as much space must be free in the folder

_Buffers = list[list[np.ndarray]]  # by rank, then by slot


class HostMemory:
    """The shared buffers of a group whose ranks are all on one host."""

    def __init__(self, group: Group):
        self._group = group
        self._buffers: dict[Pack, _Buffers | None] = {}
        self._bytes = 0

    def take(self, pack: Pack) -> tuple[int, np.ndarray] | None:
        """A number from 1 on, and this rank's buffer of that number; None if there is none."""
        own = (self._buffers.get(pack) or [[]] * self._group.size)[self._group.rank]
        for i in range(len(own)):
            if sys.getrefcount(own[i]) == 2:  # of the list, and of this call
                return i + 1, own[i]
        return None

    def of_all(self, pack: Pack, numbers: list[int]) -> list[np.ndarray] | None:
        """The buffers that ranks have packed into; None if one of them has none."""
        found = self._buffers.get(pack)
        if found is None or 0 in numbers:
            return None
        return [slots[number - 1] for slots, number in zip(found, numbers)]

    def prepare(self, packs: list[Pack]) -> None:
        """Make the buffers of packs that have none yet. All ranks call it together."""
        for pack in packs:
            if pack not in self._buffers:
                self._buffers[pack] = self._made(pack)

    def _made(self, pack: Pack) -> _Buffers | None:
        size = pack.length * pack.dtype.itemsize
        total = -(-size * SLOTS // mmap.PAGESIZE) * mmap.PAGESIZE
        if self._bytes + total > MOST:  # the same on all ranks
            return None
        self._bytes += total
        everyone = self._group.communicator.allgather
        path, own = _own_file(total, total * self._group.size * SPARED)
        try:
            paths = everyone(path)
            maps = [own if one == path else _opened(one, total) for one in paths]
            if not all(everyone(None not in maps)):
                return None
        finally:
            if path is not None:
                os.unlink(path)
        return [[np.frombuffer(one, pack.dtype, pack.length, i * size) for i in range(SLOTS)]
                for one in maps if one is not None]


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
