"""Words that the ranks of a host read from each other's memory, without messages.

A rank writes what it has to say, and then the number of the meeting, which others wait for. What
was said at a meeting stays until all have come to the next but one, so nobody reads too late. That
stores are seen in the order in which they were made is certain on x86 alone; elsewhere MPI serves.
"""

from __future__ import annotations

import platform
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from tapeflow.distribute.mpi.engine import Ranks

ORDERED = platform.machine().lower() in ("x86_64", "amd64")
ROW = 24  # words of a rank: two meetings and a counter, each in a cache line of its own
FIRST, SECOND, NUMBER, PASSED = 0, 1, 2, 16  # where they lie: words said, the meeting, barriers
BYTES = ROW * 8
PROGRESS = 255  # tests between which MPI gets a chance to go on with what it has under way


class HostSignals:
    """Meetings and barriers of ranks that see the same memory."""

    def __init__(self, ranks: Ranks, memory: Any):
        self._words = memoryview(memory).cast("q")
        self._probe = ranks.communicator.Iprobe
        self._own = ranks.rank * ROW
        self._rows = [i * ROW for i in range(ranks.size)]
        self._others = [row for row in self._rows if row != self._own]
        self._meetings = self._barriers = 0

    def say(self, first: int, second: int) -> _Signal:
        """Say two words at the next meeting; what to wait for."""
        self._meetings += 1
        at = self._own + (self._meetings & 1) * 8
        words = self._words
        words[at + FIRST], words[at + SECOND] = first, second
        words[at + NUMBER] = self._meetings
        offset = (self._meetings & 1) * 8 + NUMBER
        return _Signal(words, [row + offset for row in self._others], self._meetings, self._probe)

    def heard(self) -> tuple[list[int], list[int]]:
        """What each rank has said at this meeting: all first words, all second ones."""
        words, offset = self._words, (self._meetings & 1) * 8
        return ([words[row + offset + FIRST] for row in self._rows],
                [words[row + offset + SECOND] for row in self._rows])

    def pass_barrier(self) -> _Signal:
        """Say that this rank is here; what to wait for."""
        self._barriers += 1
        self._words[self._own + PASSED] = self._barriers
        return _Signal(self._words, [row + PASSED for row in self._others], self._barriers,
                       self._probe)


class _Signal:
    """Complete when words have become a number; waited for as MPI's requests are."""

    def __init__(self, words: memoryview, left: list[int], number: int, probe: Any):
        self._words, self._left, self._number, self._probe = words, left, number, probe
        self._tests = 0

    def Test(self) -> bool:
        words, left, number = self._words, self._left, self._number
        while left:
            if words[left[-1]] < number:
                self._tests += 1
                if not self._tests & PROGRESS:
                    self._probe()
                return False
            left.pop()
        return True
