"""Repetitions in a sequence of numbers: stretches that a period shifts onto themselves.

Candidates for periods are distances between equal stretches of 1, 4, 16 … elements; for each, one
comparison of the sequence with itself, shifted, finds all its repetitions. So time is n log n.
"""

from __future__ import annotations

from bisect import bisect
from typing import NamedTuple

import numpy as np

LONGEST = 1024  # elements of a stretch that is looked for again
CANDIDATES = 16  # periods that are tried, of each length of stretches
MOST = 256  # repetitions


class Repetition(NamedTuple):
    """Elements [begin, end) repeat with a period."""

    begin: int
    end: int
    period: int

    @property
    def length(self) -> int:
        return self.end - self.begin


def repetitions(labels: np.ndarray, least: int) -> list[Repetition]:
    """Repetitions of at least so many periods, the longest first; none repeats inside a period all
    along. They may overlap."""
    found: dict[int, list[Repetition]] = {}
    for period in sorted(_candidates(labels)):
        shorter = [others for n, others in found.items() if period % n == 0]
        found[period] = [one for one in _with_period(labels, period, least)
                         if not any(_mostly_in(one, others) for others in shorter)]
    every = [one for some in found.values() for one in some]
    return sorted(every, key=lambda one: (-one.length, one.begin, one.period))[:MOST]


def _mostly_in(one: Repetition, others: list[Repetition]) -> bool:
    """Whether more than half of a repetition is in one of others, which are in their order."""
    middle = one.begin + one.length // 2
    at = bisect(others, middle, key=lambda other: other.begin) - 1
    return at >= 0 and 2 * (min(one.end, others[at].end) - max(
        one.begin, others[at].begin)) > one.length


def _candidates(labels: np.ndarray) -> set[int]:
    """Distances that occur most often between a stretch and its next occurrence."""
    found: set[int] = set()
    ranks, width = labels, 1
    while width <= LONGEST and len(ranks) > 1:
        order = np.argsort(ranks, kind="stable")
        same = ranks[order[1:]] == ranks[order[:-1]]
        distances, counts = np.unique((order[1:] - order[:-1])[same], return_counts=True)
        if not len(distances):
            break
        best = np.lexsort((distances, -counts * distances))[:CANDIDATES]
        found.update(distances[best].tolist())
        for _ in range(2):  # stretches of four times as many elements, by twos
            if len(ranks) > width:
                pairs = ranks[:-width].astype(np.int64) * (int(ranks.max()) + 1) + ranks[width:]
                ranks, width = np.unique(pairs, return_inverse=True)[1].reshape(-1), 2 * width
            else:
                return found
    return found


def _with_period(labels: np.ndarray, period: int, least: int) -> list[Repetition]:
    same = labels[period:] == labels[:-period]
    edges = np.flatnonzero(np.diff(np.concatenate(([False], same, [False]))))
    return [Repetition(begin, end + period, period)
            for begin, end in zip(edges[::2].tolist(), edges[1::2].tolist(), strict=True)
            if end - begin >= (least - 1) * period]
