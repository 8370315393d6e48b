"""One block of memory for all values of a run: values that are not needed together share it."""

from __future__ import annotations

import bisect
import heapq
from typing import Any

from tapeflow.jit.choices import Choice

ALIGN = 64  # bytes: a line of the cache, and the widest vector
SMALL = 4096  # bytes up to which memory is handed on among values of the same size

REUSE = Choice("arena.reuse", (False, True))  # whether a small value gets another's memory
# Where a large one lies: it is the only one, above those that live with it, where others lived.
LARGE = Choice("arena.large", ("first", "above", "reused"))


def aligned_size(size: int) -> int:
    """A size in bytes, rounded up so that what follows is aligned."""
    return -(-size // ALIGN) * ALIGN


class Arena:
    """Request memory from the first to the last kernel that uses it, by their positions;
    `assign_offsets` says where it is."""

    def __init__(self) -> None:
        self._small: list[tuple[int, int, int, Any]] = []
        self._large: list[tuple[int, int, int, Any]] = []
        self.offset: dict[Any, int] = {}
        self.size = 0

    def request(self, key: Any, size: int, first: int, last: int) -> None:
        size = aligned_size(max(size, 1))
        if size <= SMALL:
            self._small.append((first, last, size, key))
        else:
            self._large.append((size, first, last, key))

    def assign_offsets(self) -> None:
        self._assign_small()
        self._assign_large(self.size)

    def _assign_small(self) -> None:
        """In the order of time; a value that ends hands its memory on."""
        free: dict[int, list[int]] = {}
        ending: list[tuple[int, int, int]] = []
        for first, last, size, key in sorted(self._small, key=lambda one: one[0]):
            while ending and ending[0][0] < first:
                _, offset, width = heapq.heappop(ending)
                free.setdefault(width, []).append(offset)
            unused = free.get(size)
            if REUSE(bool(unused), (False, bool(unused))):
                assert unused is not None
                offset = unused.pop()
            else:
                offset = self.size
                self.size += size
            self.offset[key] = offset
            heapq.heappush(ending, (last, offset, size))

    def _assign_large(self, begin: int) -> None:
        """Largest first, each at the lowest offset where nothing else lives at the same time."""
        placed: list[tuple[int, int, int, int]] = []  # in order
        for size, first, last, key in sorted(self._large, key=lambda one: -one[0]):
            offset = begin
            for low, high, start, stop in placed:
                if low >= offset + size:
                    break  # it fits below this and all that follow
                if start <= last and first <= stop and offset < high:
                    offset = high
            LARGE("above" if offset > begin else "reused" if placed else "first")
            bisect.insort(placed, (offset, offset + size, first, last))
            self.offset[key] = offset
            self.size = max(self.size, offset + size)
