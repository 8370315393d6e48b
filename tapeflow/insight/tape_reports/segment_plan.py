"""Which results of a function to keep for the walk back, and which to compute again, in a budget.

The ops of a run are cut into segments. Of a segment that is recomputed only those results stay that
later segments read; when the walk comes to it, all of them exist once more, for a while. What the
budget limits is what stays and the largest segment that is recomputed, together.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple

TRIES = 40  # sizes of segments that are tried


class Cost(NamedTuple):
    """What one op of a run costs to keep."""

    bytes: int  # of its results
    fixed: bool  # it cannot be run again: it draws random numbers, or a user wrote its gradient
    reads: tuple[int, ...]  # positions of the ops whose results it reads
    constants: int = 0  # bytes of operands that no recorded op makes: they stay in any case


@dataclass
class Plan:
    """Positions at which segments begin, and which of them are recomputed."""

    count: int  # ops of the run that it was made for
    starts: list[int] = field(default_factory=lambda: [0])
    recomputed: list[bool] = field(default_factory=lambda: [False])
    kept: int = 0  # bytes that stay
    again: int = 0  # bytes of the largest segment that is recomputed

    @property
    def peak(self) -> int:
        return self.kept + self.again


def make_plan(costs: list[Cost], budget: int) -> Plan:
    """A plan within `budget` bytes; if there is none, the smallest of all."""
    total = sum(one.bytes + one.constants for one in costs)
    if total <= budget or not costs:
        return Plan(len(costs), kept=total)
    last = list(range(len(costs)))
    for position, one in enumerate(costs):
        for read in one.reads:
            last[read] = max(last[read], position)
    crossing = _crossing(costs, last)
    best: Plan | None = None
    largest = max(one.bytes for one in costs)
    for step in range(TRIES):
        size = max(largest, 1) * (max(total, 1) / max(largest, 1)) ** (step / (TRIES - 1))
        starts = _starts(costs, crossing, size)
        plan = _evaluated(costs, last, starts, [True] * len(starts))
        if best is None or plan.peak < best.peak:
            best = plan
    assert best is not None
    return _filled(costs, last, best, budget) if best.peak <= budget else best


def _crossing(costs: list[Cost], last: list[int]) -> list[int]:
    """For each position the bytes made before it and read at it or later."""
    change = [0] * (len(costs) + 2)
    for position, one in enumerate(costs):
        if not one.fixed and last[position] > position:
            change[position + 1] += one.bytes
            change[last[position] + 1] -= one.bytes
    found, now = [], 0
    for difference in change[:len(costs) + 1]:
        now += difference
        found.append(now)
    return found


def _starts(costs: list[Cost], crossing: list[int], size: float) -> list[int]:
    """Cuts into segments of about `size` bytes or less, where few bytes cross."""
    starts, begin, inside = [0], 0, 0
    halves = 0  # the first position at which half of the size is reached
    for position, one in enumerate(costs):
        own = 0 if one.fixed else one.bytes
        if inside + own > size and position > begin:
            window = range(max(halves, begin + 1), position + 1)
            cut = min(window, key=lambda at: (crossing[at], -at), default=position)
            starts.append(cut)
            begin = cut
            inside = sum(0 if c.fixed else c.bytes for c in costs[cut:position])
            halves = position
        inside += own
        if inside < size / 2:
            halves = position + 1
    return starts


def _evaluated(costs: list[Cost], last: list[int], starts: list[int],
               recomputed: list[bool]) -> Plan:
    """The plan with these segments, and what it costs."""
    segment: list[int] = []
    for position in range(len(costs)):
        here = segment[-1] if segment else 0
        segment.append(here + (here + 1 < len(starts) and starts[here + 1] == position))
    kept, again = 0, [0] * len(starts)
    for position, one in enumerate(costs):
        here = segment[position]
        kept += one.constants
        if one.fixed or not recomputed[here] or segment[last[position]] > here:
            kept += one.bytes
        if recomputed[here] and not one.fixed:
            again[here] += one.bytes
    return Plan(len(costs), starts, recomputed, kept, max(again))


def _filled(costs: list[Cost], last: list[int], plan: Plan, budget: int) -> Plan:
    """The same, with as many segments kept as the budget allows, the last ones first."""
    for index in reversed(range(len(plan.starts))):
        fewer = [one and i != index for i, one in enumerate(plan.recomputed)]
        tried = _evaluated(costs, last, plan.starts, fewer)
        if tried.peak > budget:
            break
        plan = tried
    return plan
