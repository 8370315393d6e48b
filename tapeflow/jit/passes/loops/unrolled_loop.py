"""A loop of Python that tracing has written out, node by node: its iterations, and how they differ.

Node j of iteration k is node `begin + k * period + j` of the graph. Each operand of the nodes of an
iteration has one role in all iterations: it is made in the same iteration, it comes from one before
(carried), it is the same in all, or each has one of its own from outside of the loop (rows). Where
one has no such role, the loop is not rolled up.

Nodes whose attributes differ from iteration to iteration stay outside: before the loop, if they
need nothing of it (`x[t]`), or behind it (the gradient of `x[t]`).
"""

from __future__ import annotations

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
    """Which node makes a value, and which read it, by their positions in the graph."""

    def __init__(self, graph: ir.Graph):
        self.nodes = graph.nodes
        self.made_at: dict[ir.Value, int] = {}
        self.readers: dict[ir.Value, list[int]] = {}
        for i, node in enumerate(graph.nodes):
            for value in node.outputs:
                self.made_at[value] = i
            for value in node.operands() if node.attrs else node.inputs:
                known = self.readers.get(value)
                if known is None:
                    self.readers[value] = [i]
                else:
                    known.append(i)
        for value in graph.outputs:
            self.readers.setdefault(value, []).append(len(graph.nodes))


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
        self._codes = [self._code_of(k) for k in range(self.trips)]
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
    def _code_of(self, k: int) -> list[tuple[int, ...]]:
        """For each node of an iteration where its operands are from: how many nodes before, and
        which result; 0 if from far away."""
        first, made_at = self.begin + k * self.period, self.uses.made_at
        far = (MOST_BACK + 1) * self.period
        return [tuple([
            (i - made_at[x] << _SHIFT) + x.index
            if i - made_at.get(x, -far) < far and made_at[x] >= self.begin else 0
            for x in self.nodes[i].inputs]) for i in range(first, first + self.period)]

    def _trim(self, least: int) -> None:
        """Keep the most iterations in a row that are alike, and one that begins with other values
        where the others carry some."""
        first, last, start = 0, 0, 0
        for k in range(1, self.trips + 1):
            if k == self.trips or self._codes[k] != self._codes[start]:
                if k - start > last - first:
                    first, last = start, k
                start = k
        if last - first < 2:
            raise NotRolled("its iterations are connected in different ways")
        self._code = self._codes[first]
        for earlier in range(max(0, first - PEELED), first):
            if all(self._continues(k, earlier) for k in range(earlier, first)):
                first = earlier
                break
        if last - first < least:
            raise NotRolled("too few of its iterations are alike")
        self.begin += first * self.period
        self.trips = last - first

    def _continues(self, k: int, first: int) -> bool:
        """Whether iteration k is like the others in a loop that begins with iteration `first`."""
        begin = self.begin + first * self.period
        for j, (wanted, found) in enumerate(zip(self._code, self._codes[k], strict=True)):
            for a, (one, other) in enumerate(zip(wanted, found, strict=True)):
                if one != other or not one:
                    outside = not one or k - first < self._back(j, one)
                    value = self.nodes[self.begin + k * self.period + j].inputs[a]
                    if not outside or self.uses.made_at.get(value, -1) >= begin:
                        return False
        return True

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
        first = self.node(0, j)
        if first.op.stateful:
            return True
        attrs = attribute_key(first)
        return any(attribute_key(self.node(k, j)) != attrs for k in range(1, self.trips))

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
            if any(self.uses.made_at.get(x, -1) >= self.begin for x in values):
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
        found: dict[Inner, set[int]] = {}
        readers, begin, end, period = self.uses.readers, self.begin, self.end, self.period
        for j in self.body:
            for k, node in enumerate(self.nodes[begin + j:end:period]):
                for value in node.outputs:
                    read = readers.get(value, (0,))  # in order; nobody reads it before it is made
                    if read[-1] >= end or (self.after and any(
                            (i - begin) % period in self.after for i in read)):
                        found.setdefault(Inner(j, value.index), set()).add(k)
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
    crossing = np.zeros(period + 1, np.int64)
    for i in range(middle - period, middle + period):
        for value in uses.nodes[i].outputs:
            last = max([reader for reader in uses.readers.get(value, ()) if reader - i <= period],
                       default=i)
            begin, end = max(i + 1 - middle, 0), min(last - middle, period - 1)
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
