"""One block of memory for all values of a run: values that are not needed together share it."""

from __future__ import annotations

from typing import Any

ALIGN = 64


class Arena:
    """Ask for room with the time from first to last use; `settle` gives everyone an offset."""

    def __init__(self) -> None:
        self._wanted: list[tuple[int, float, float, Any]] = []
        self.offset: dict[Any, int] = {}
        self.size = 0

    def ask(self, key: Any, size: int, first: float, last: float) -> None:
        self._wanted.append((-(-max(size, 1) // ALIGN) * ALIGN, first, last, key))

    def settle(self) -> None:
        """Largest first, each at the lowest place where nothing else lives at the same time."""
        placed: list[tuple[int, int, float, float]] = []
        for size, first, last, key in sorted(self._wanted, key=lambda one: -one[0]):
            offset = 0
            for begin, end, start, stop in sorted(placed):
                if start <= last and first <= stop and begin < offset + size and offset < end:
                    offset = end
            placed.append((offset, offset + size, first, last))
            self.offset[key] = offset
            self.size = max(self.size, offset + size)
