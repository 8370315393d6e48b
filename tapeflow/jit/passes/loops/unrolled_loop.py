"""A loop of Python that tracing has written out, node by node: its iterations, and how they differ.

Node j of iteration k is node `begin + k * period + j` of the graph. Each operand of the nodes of an
iteration has one role in all iterations: it is made in the same iteration, it comes from one before
(carried), it is the same in all, or each has one of its own from outside of the loop (rows). Where
one has no such role, the loop is not rolled up.

Nodes whose attributes differ from iteration to iteration stay outside: before the loop, if they
need nothing of it (`x[t]`), or behind it (the gradient of `x[t]`).
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable
from typing import Any, NamedTuple

import numpy as np

from tapeflow.graph import ir
from tapeflow.jit.passes.loops.repetition import Repetition

MOST_BACK = 3  # iterations that a carried value may come from
PEELED = 4  # iterations at the beginning that may be left as they are
LARGEST_COMPARED = 1 << 16  # bytes of constants whose elements are compared
_SHIFT = 20  # of a distance, beside the number of a result


class NotRolled(Exception):
    """A repetition is no loop that can be rolled up; the message says why."""


class Uses:
    """Which nodes make what others read. Results are numbered in their order, and so are operands.

    made, result   of each operand: the position of the node that makes it, -1 if none does, and
                   which of its results it is
    reader         of each operand: the position of the node that has it
    operands       of each node: the number of its first operand, and how many all have
    """

    def __init__(self, graph: ir.Graph):
        self.nodes = nodes = graph.nodes
        number = {value: i for i, value in enumerate(
            [value for node in nodes for value in node.outputs])}
        results = np.array([len(node.outputs) for node in nodes], np.int64)
        self.results = _sums(results)
        home = np.repeat(np.arange(len(nodes)), results)
        read = [tuple(node.operands()) if node.attrs else node.inputs for node in nodes]
        counts = np.array([len(one) for one in read], np.int64)
        find = number.get
        self._number = np.array([find(value, -1) for one in read for value in one], np.int64)
        self.operands = _sums(counts)
        self.reader = np.repeat(np.arange(len(nodes)), counts)
        self.made = np.append(home, -1)[self._number]
        self.result = self._number - self.results[self.made]
        self._last = np.full(len(number) + 1, -1)  # the last reader of a result; one more for -1
        np.maximum.at(self._last, self._number, self.reader)
        self._last[[number[value] for value in graph.outputs if value in number]] = len(nodes)

    def read_after(self, end: int) -> np.ndarray:
        """Which results a node at `end` or behind it reads, or the caller."""
        return self._last[:-1] >= end

    def read_by(self, which: np.ndarray) -> np.ndarray:
        """Which results are some of these operands."""
        found = np.zeros(len(self._last), bool)
        found[self._number[which]] = True
        return found[:-1]


def _sums(counts: np.ndarray) -> np.ndarray:
    """How many there are before each, and in all."""
    return np.concatenate(([0], np.cumsum(counts)))


class Inner(NamedTuple):
    """A result of the same iteration."""

    node: int
    result: int


class Carried(NamedTuple):
    """What the iteration before has left in a slot."""

    slot: int


class Fixed(NamedTuple):
    """The same value in every iteration."""

    value: ir.Value


class Row(NamedTuple):
    """The iteration's own value of those in `UnrolledLoop.rows`."""

    number: int


class Slot(NamedTuple):
    """Something carried: with what it begins, and what each iteration leaves there."""

    begin: ir.Value | None  # None: nobody reads it before the first iteration has written it
    after: Inner | Carried


class UnrolledLoop:
    """An unrolled loop, described. Raises `NotRolled`.

    begin, period, trips   where it is; the end of its last iteration is `end`
    body       the numbers of the nodes of an iteration that are rolled up
    operands   of each node of an iteration, if it is in the body
    slots, rows            what is carried, and the values of those operands that are rows
    """

    def __init__(self, uses: Uses, repetition: Repetition, least: int):
        self.uses, self.nodes, self.period = uses, uses.nodes, repetition.period
        if repetition.length < least * self.period:
            raise NotRolled("it has too few iterations")
        self.begin = _cut(uses, repetition)
        self.trips = (repetition.end - self.begin) // self.period
        self._trim(least)
        self.slots: list[Slot] = []
        self.rows: list[list[ir.Value]] = []
        self._slot_numbers: dict[Any, int] = {}
        self._row_numbers: dict[Any, int] = {}
        self._arrange()
        self.operands: dict[int, list[Any]] = {j: [
            self._operand(j, a, code) for a, code in enumerate(self._code[j])] for j in self.body}

    @property
    def end(self) -> int:
        return self.begin + self.trips * self.period

    def node(self, k: int, j: int) -> ir.Node:
        """Node j of iteration k."""
        return self.nodes[self.begin + k * self.period + j]

    # -- iterations that are alike -----------------------------------------------------------------
    def _of_operands(self, every: np.ndarray) -> np.ndarray:
        """What is known of operands, a row for each iteration: they all have the same ones."""
        first = self.uses.operands[self.begin]
        last = self.uses.operands[self.begin + self.trips * self.period]
        return every[first:last].reshape(self.trips, -1)

    def _codes(self) -> np.ndarray:
        """For each iteration where its operands are from: how many nodes before, and which result;
        0 if from far away."""
        made, reader = self._of_operands(self.uses.made), self._of_operands(self.uses.reader)
        near = (made >= self.begin) & (reader - made < (MOST_BACK + 1) * self.period)
        return np.where(near, (reader - made << _SHIFT) + self._of_operands(self.uses.result), 0)

    def _trim(self, least: int) -> None:
        """Keep the most iterations in a row that are alike, and one that begins with other values
        where the others carry some."""
        codes = self._codes()
        edges = np.flatnonzero((codes[1:] != codes[:-1]).any(axis=1)) + 1
        starts = np.concatenate(([0], edges, [self.trips]))
        longest = int(np.argmax(np.diff(starts)))
        first, last = starts[longest:longest + 2].tolist()
        if last - first < 2:
            raise NotRolled("its iterations are connected in different ways")
        for earlier in range(max(0, first - PEELED), first):
            if self._continue(codes, earlier, first):
                break
        else:
            earlier = first
        if last - earlier < least:
            raise NotRolled("too few of its iterations are alike")
        ends = self.uses.operands[self.begin:self.begin + self.period + 1] - self.uses.operands[
            self.begin]
        code = codes[first].tolist()
        self._code = [code[i:j] for i, j in itertools.pairwise(ends.tolist())]
        self.begin += earlier * self.period
        self.trips = last - earlier

    def _continue(self, codes: np.ndarray, first: int, like: int) -> bool:
        """Whether iterations from `first` on are like iteration `like` in a loop that begins with
        them: what is other there comes from before the loop, where later ones carry some."""
        wanted, found = codes[like], codes[first:like]
        reader = self._of_operands(self.uses.reader)[0] - self.begin
        back = (wanted >> _SHIFT) // self.period + ((wanted >> _SHIFT) % self.period > reader)
        begun = np.arange(like - first)[:, None] >= back
        outside = self._of_operands(self.uses.made)[first:like] < self.begin + first * self.period
        return bool(np.where(wanted == 0, outside, (found == wanted) | ~begun & outside).all())

    def _back(self, j: int, code: int) -> int:
        """How many iterations before a value was made."""
        return -((j - (code >> _SHIFT)) // self.period)

    def _source(self, j: int, code: int) -> int:
        """Which node of its iteration made a value."""
        return (j - (code >> _SHIFT)) % self.period

    # -- what stays outside ------------------------------------------------------------------------
    def _arrange(self) -> None:
        """Which nodes of an iteration go before the loop, which into it, and which behind it."""
        period = range(self.period)
        needs = [[self._source(j, code) for code in self._code[j] if code] for j in period]
        fixed = [not self._differs(j) for j in period]
        free: set[int] = set()  # of what the loop computes
        for j in period:
            if all(not code or (self._back(j, code) == 0 and self._source(j, code) in free)
                   for code in self._code[j]):
                free.add(j)
        before = {j for j in period if not fixed[j] and j in free}
        for j in reversed(period):
            if j in before:
                before.update(needs[j])
        after = {j for j in period if not fixed[j] and j not in free}
        if any(self.node(0, j).op.stateful for j in after):
            raise NotRolled("an effect depends on what it computes")
        grown = True
        while grown:
            more = {j for j in period if j not in after and any(i in after for i in needs[j])}
            grown = bool(more)
            after |= more
        self.body = [j for j in period if j not in before and j not in after]
        self.before, self.after = before, after
        if not self.body:
            raise NotRolled("its iterations have nothing in common")

    def _differs(self, j: int) -> bool:
        """Whether a node has other attributes in other iterations, or an effect."""
        first, *others = self.nodes[self.begin + j:self.end:self.period]
        if first.op.stateful:
            return True
        if not first.attrs:
            return any(node.attrs for node in others)
        attrs = attribute_key(first)
        return any(attribute_key(node) != attrs for node in others)

    # -- operands ----------------------------------------------------------------------------------
    def _operand(self, j: int, a: int, code: int) -> Any:
        source, back = self._source(j, code), self._back(j, code)
        if code and source not in self.before:
            inner = Inner(source, code & (1 << _SHIFT) - 1)
            if back == 0:
                return inner
            begins = [self.node(k, j).inputs[a] for k in range(back)]
            return Carried(self._slot(inner, begins))
        values = [self.node(k, j).inputs[a] for k in range(self.trips)]
        if not code:
            at = self.uses.operands[self.begin + j] - self.uses.operands[self.begin] + a
            if (self._of_operands(self.uses.made)[:, at] >= self.begin).any():
                raise NotRolled("an iteration needs a value of one long before")
            if all(_same(x, values[0]) for x in values):
                return Fixed(values[0])
        key = tuple(map(id, values))
        if key not in self._row_numbers:
            self._row_numbers[key] = len(self.rows)
            self.rows.append(values)
        return Row(self._row_numbers[key])

    def _slot(self, inner: Inner, begins: list[ir.Value]) -> int:
        """The slot of a value that was made as many iterations before as there are `begins`."""
        key = (inner, tuple(map(_identity, begins)))
        if key not in self._slot_numbers:
            after = inner if len(begins) == 1 else Carried(self._slot(inner, begins[1:]))
            self._slot_numbers[key] = len(self.slots)
            self.slots.append(Slot(begins[0], after))
        return self._slot_numbers[key]

    # -- results -----------------------------------------------------------------------------------
    def wanted(self) -> dict[Inner, set[int]]:
        """Which results of the body something outside of it reads, and of which iterations."""
        uses = self.uses
        read = uses.read_after(self.end)
        if self.after:
            place = (uses.reader - self.begin) % self.period
            read |= uses.read_by(np.isin(place, list(self.after)))
        found: dict[Inner, set[int]] = {}
        for j in self.body:
            first = uses.results[self.begin + j:self.end:self.period]
            for result in range(len(self.node(0, j).outputs)):
                trips = np.flatnonzero(read[first + result]).tolist()
                if trips:
                    found[Inner(j, result)] = set(trips)
        return found


def attribute_key(node: ir.Node) -> Any:
    """What two nodes have in common that have the same attributes."""
    return tuple([(name, repr(attr) if _plain(attr) else id(attr))
                  for name, attr in node.attrs.items()]) if node.attrs else ()


def _plain(attr: Any) -> bool:
    if isinstance(attr, (tuple, list)):
        return all(map(_plain, attr))
    return isinstance(attr, (int, float, str, bytes, bool, type(None), np.dtype, np.generic))


def _same(one: ir.Value, other: ir.Value) -> bool:
    if one is other:
        return True
    if one.const is None or other.const is None:
        return False
    return one.const is other.const or (
        one.const.nbytes <= LARGEST_COMPARED and one.const.tobytes() == other.const.tobytes())


def _identity(value: ir.Value) -> Any:
    if value.const is None or value.const.nbytes > LARGEST_COMPARED:
        return id(value)
    return value.const.tobytes()


def _cut(uses: Uses, repetition: Repetition) -> int:
    """Where iterations begin: where the least values go over from one to the next. The first such
    place, because a repetition begins with an iteration as a rule."""
    period = repetition.period
    middle = repetition.begin + repetition.length // period // 2 * period
    near = slice(uses.operands[middle - period], uses.operands[
        min(middle + 2 * period, len(uses.nodes))])
    made, reader = uses.made[near], uses.reader[near]
    near_by = (made >= middle - period) & (made < middle + period) & (reader - made <= period)
    last: dict[tuple, int] = {}
    for value, position in zip(zip(made[near_by].tolist(), uses.result[near][near_by].tolist(),
                                   strict=True), reader[near_by].tolist(), strict=True):
        last[value] = position  # readers come in their order
    crossing = np.zeros(period + 1, np.int64)
    for (i, _), position in last.items():
        begin, end = max(i + 1 - middle, 0), min(position - middle, period - 1)
        if begin <= end:
            crossing[begin] += 1
            crossing[end + 1] -= 1
    return repetition.begin + int(np.argmin(np.cumsum(crossing)[:period]))


def bytes_of(values: Iterable[ir.Value]) -> int:
    """How much memory values take."""
    total = 0
    for value in values:
        size = value.dtype.itemsize
        for n in value.shape or ():
            size *= n
        total += size
    return total
