"""Loops of Python that tracing has unrolled become loops again: one body, compiled once.

Nodes are labelled by op, shapes and dtypes; a repetition of labels (`repetition`) that is a loop
(`unrolled_loop`) is replaced by a loop node, which the compiler treats as that of a tf.while_loop.
What later iterations or other nodes need of each is collected; the loop of a gradient, which goes
through the iterations from the last one on, reads it as rows from the end. Every op stays and runs
in its order, so results are the same to the bit, but for products and sums that `hoisting.py`
takes out of loops.

An inner loop is rolled up when the body of the outer one is compiled.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from tapeflow.core.record import lowering_forms as forms
from tapeflow.graph import ir
from tapeflow.graph.control_flow.loop_spec import LoopSpec
from tapeflow.graph.control_flow.while_loop import LOOP
from tapeflow.graph.executor.graph_function import GraphFunction
from tapeflow.graph.passes import copy
from tapeflow.graph.variable_ops import write
from tapeflow.jit.choices import Choice
from tapeflow.jit.passes.loops.repetition import Repetition, repetitions
from tapeflow.jit.passes.loops.rows import Part, Rows, written
from tapeflow.jit.passes.loops.unrolled_loop import (
    Carried,
    Fixed,
    Inner,
    NotRolled,
    Row,
    Slot,
    UnrolledLoop,
    Uses,
    bytes_of,
)
from tapeflow.ops.indexing.basic_indexing import strided

LEAST_TRIPS = 4
WORTH = 500  # nodes that are saved; a product counts for several
PRODUCT = 10
PERIODS = (1, 2, 3, 4, 6, 8)  # of the labels, in an iteration
LARGEST_STACKED = 1 << 20  # bytes of values that have to be copied side by side for a loop

ROLL = Choice("rolling.loop", (False, True))


def roll(graph: ir.Graph) -> ir.Graph:
    """A copy in which unrolled loops are rolled up."""
    if len(graph.nodes) < 2 * LEAST_TRIPS:
        return copy(graph)
    graph = _write_last(graph)
    loops = _loops(graph, lambda loop: ROLL(_saved(loop) >= WORTH, (False, True)))
    if loops:
        graph = _Rolling(graph, sorted(loops, key=lambda loop: loop.begin)).run()
    return copy(graph)


def nodes_saved(graph: ir.Graph) -> int:
    """About how many nodes fewer a graph has when its loops are rolled up."""
    if len(graph.nodes) < WORTH // PRODUCT:
        return 0
    return sum(len(loop.body) * (loop.trips - 1)
               for loop in _loops(graph, lambda loop: _saved(loop) >= WORTH))


def _loops(graph: ir.Graph, wanted: Callable[[UnrolledLoop], bool]) -> list[UnrolledLoop]:
    """The loops of a graph that are wanted, the longest first; none overlaps another."""
    found = repetitions(_labels(graph), LEAST_TRIPS)
    loops: list[UnrolledLoop] = []
    uses = Uses(graph) if found else None
    for one in found:
        assert uses is not None
        loop = _loop_in(_free_part(one, loops), uses)
        if loop is not None and wanted(loop):
            loops.append(loop)
    return loops


def _write_last(graph: ir.Graph) -> ir.Graph:
    """The graph with the last one of the writes of a variable, behind all other nodes: native code
    stores variables when it ends, and a write would part an iteration from the next one."""
    writes = [node for node in graph.nodes if node.op is write]
    if len({node.attrs["variable"] for node in writes}) == len(writes):
        return graph
    graph = copy(graph)
    last = {node.attrs["variable"]: node for node in graph.nodes if node.op is write}
    instead: dict[ir.Value, ir.Value] = {}

    def now(value: ir.Value) -> ir.Value:
        return instead.get(value, value)

    nodes = []
    for node in graph.nodes:
        ir.replace_operands(node, now)
        if node.op is write:
            instead[node.outputs[0]] = node.inputs[0]
        else:
            nodes.append(node)
    graph.nodes = [*nodes, *last.values()]
    graph.outputs = [now(value) for value in graph.outputs]
    return graph


def _loop_in(one: Repetition | None, uses: Uses) -> UnrolledLoop | None:
    """The loop that a repetition is. Nodes of several periods may be an iteration: those of one
    look alike, but read other values."""
    if one is None:
        return None
    for times in PERIODS:
        try:
            return UnrolledLoop(uses, one._replace(period=times * one.period), LEAST_TRIPS)
        except NotRolled:
            continue
    return None


def _labels(graph: ir.Graph) -> np.ndarray:
    """A number for each node: the same for nodes that may be one node of a loop."""
    numbers: dict[Any, int] = {}
    labels = []
    for i, node in enumerate(graph.nodes):
        key: Any = i
        if _may_be_rolled(node):
            key = [node.op]
            for x in node.inputs:
                key += x.shape, x.dtype
            for x in node.outputs:
                key += None, x.shape, x.dtype
            key = tuple(key)
        labels.append(numbers.setdefault(key, len(numbers)))
    return np.array(labels, np.int64)


def _may_be_rolled(node: ir.Node) -> bool:
    op, attrs = node.op, node.attrs
    return op.lower is not None and op.kind != "control" and (
        not op.stateful or op.kind == "random") and (
        not attrs or not any(isinstance(attr, ir.Value) for attr in attrs.values()))


def _free_part(one: Repetition, loops: list[UnrolledLoop]) -> Repetition | None:
    """The part of a repetition that no loop has taken, if it is long enough."""
    begin, end = one.begin, one.end
    for loop in loops:
        if loop.begin < end and begin < loop.end:
            if end - loop.end > loop.begin - begin:
                begin = loop.end
            else:
                end = loop.begin
    if end - begin < LEAST_TRIPS * one.period:
        return None
    return Repetition(begin, end, one.period)


def _saved(loop: UnrolledLoop) -> int:
    weights = [PRODUCT if isinstance(loop.node(0, j).op.lower, (forms.Product, forms.Window)) else 1
               for j in loop.body]
    return sum(weights) * (loop.trips - 1)


class _Rolled:
    """A loop that has been written: where its results are.

    finals     results of the last iteration, as they are left in slots
    collected  results of all iterations
    """

    def __init__(self, loop: UnrolledLoop, reverse: bool):
        self.loop, self.reverse = loop, reverse
        self.finals: dict[Inner, ir.Value] = {}
        self.collected: dict[Inner, ir.Value] = {}

    def row(self, k: int) -> int:
        return self.loop.trips - 1 - k if self.reverse else k


class _Rolling:
    """A graph being written anew, with loops in place of unrolled ones. What stays as it is are the
    nodes of the graph itself."""

    def __init__(self, graph: ir.Graph, loops: list[UnrolledLoop]):
        self.graph, self.loops = graph, loops
        self.nodes: list[ir.Node] = []
        self._write = written(self.nodes)
        self._rows = Rows(self._write, self._now, self._collected)
        self._home: dict[ir.Value, tuple[_Rolled, Inner, int]] = {}
        self._instead: dict[ir.Value, ir.Value] = {}

    def run(self) -> ir.Graph:
        old, at = self.graph.nodes, 0
        for loop in self.loops:
            self._keep(old[at:loop.begin])
            at = loop.begin
            if self._replace(loop):
                at = loop.end
        self._keep(old[at:])
        made = ir.Graph(self.graph.name, self.graph.asked)
        made.inputs, made.variables = self.graph.inputs, self.graph.variables
        made.captured, made.nodes = self.graph.captured, self.nodes
        made.outputs = [self._now(value) for value in self.graph.outputs]
        made.prune()
        return made

    # -- what is kept ------------------------------------------------------------------------------
    def _keep(self, nodes: list[ir.Node]) -> None:
        for node in nodes:
            whole = self._rows.joined(node, LEAST_TRIPS)
            if whole is not None:
                self._instead[node.outputs[0]] = whole
                continue
            self.nodes.append(self._with_operands_now(node))

    def _with_operands_now(self, node: ir.Node) -> ir.Node:
        inputs = tuple(map(self._now, node.inputs))
        attrs = {key: self._now(attr) if isinstance(attr, ir.Value) else attr
                 for key, attr in node.attrs.items()}
        if inputs == node.inputs and all(attrs[key] is attr for key, attr in node.attrs.items()):
            return node
        made = ir.Node(node.op, inputs, attrs, node.where)
        made.outputs = tuple([ir.Value(value.shape, value.dtype, made, value.index, name=value.name)
                              for value in node.outputs])
        self._instead.update(zip(node.outputs, made.outputs, strict=True))
        return made

    def _now(self, value: ir.Value) -> ir.Value:
        """What a value is by now: itself, or a result of a loop."""
        known = self._instead.get(value)
        if known is not None or value not in self._home:
            return known or value
        rolled, inner, k = self._home[value]
        if k == rolled.loop.trips - 1 and inner in rolled.finals:
            found = rolled.finals[inner]
        else:
            found = self._write(strided.op, rolled.collected[inner], spec=(rolled.row(k),))
        self._instead[value] = found
        return found

    def _collected(self, value: ir.Value) -> tuple[Any, Callable[[], ir.Value], int] | None:
        if value not in self._home:
            return None
        rolled, inner, k = self._home[value]
        if inner not in rolled.collected:
            return None
        array = rolled.collected[inner]
        return (rolled, inner), lambda: array, rolled.row(k)

    # -- loops -------------------------------------------------------------------------------------
    def _replace(self, loop: UnrolledLoop) -> bool:
        """Write a loop node for an unrolled loop, unless too much would have to be copied."""
        rows = [self._rows.parts(values) for values in loop.rows]
        stacked = [x for parts in rows for part in parts if part.kind == "stacked"
                   for x in part.values]
        if bytes_of(stacked) > LARGEST_STACKED:
            return False
        trips = range(loop.trips)
        self._keep([loop.node(k, j) for k in trips for j in sorted(loop.before)])
        backwards = sum(part.step * len(part.values) for parts in rows for part in parts) < 0
        rolled = _Rolled(loop, backwards)
        wanted = loop.wanted()
        self._write_loop(rolled, rows, wanted)
        for one in wanted:
            for k in trips:
                self._home[loop.node(k, one.node).outputs[one.result]] = rolled, one, k
        self._keep([loop.node(k, j) for k in trips for j in sorted(loop.after)])
        return True

    def _write_loop(self, rolled: _Rolled, rows: list[list[Part]],
                    wanted: dict[Inner, set[int]]) -> None:
        """Write the loop node, and find where its results are."""
        loop = rolled.loop
        slots, finals, collected = _results(loop, wanted)
        body = _Body(loop, slots)
        begins = [self._now(slot.begin) if slot.begin is not None else _zeros(after)
                  for slot, after in zip(slots, body.after, strict=True)]
        sequences = [self._rows.array(parts, rolled.reverse) for parts in rows]
        if not sequences:
            sequences = [ir.constant(np.arange(loop.trips, dtype=np.int32))]
            body.rows = [ir.Value((), np.dtype(np.int32))]
        graph = body.graph([body.results[one] for one in collected])
        spec = LoopSpec(GraphFunction(graph, inner=True), None, len(slots), len(sequences),
                        reverse=rolled.reverse)
        fixed = [self._now(value) for value in body.fixed]
        node = ir.Node(LOOP, (*begins, *sequences, *fixed), spec.attrs(), loop.node(0, 0).where)
        shapes = [x.shape for x in body.after] + [
            (loop.trips, *(body.results[one].shape or ())) for one in collected]
        node.outputs = tuple([ir.Value(shape, x.dtype, node, i) for i, (shape, x) in enumerate(
            zip(shapes, graph.outputs, strict=True))])
        self.nodes.append(node)
        rolled.finals = {one: node.outputs[i] for one, i in finals.items()}
        rolled.collected = dict(zip(collected, node.outputs[len(slots):], strict=True))


def _results(loop: UnrolledLoop, wanted: dict[Inner, set[int]]) -> tuple[
        list[Slot], dict[Inner, int], list[Inner]]:
    """All slots, in which of them results are left, and which results are collected."""
    slots = list(loop.slots)
    left = {slot.after: i for i, slot in enumerate(slots) if isinstance(slot.after, Inner)}
    collected = []
    for one, trips in wanted.items():
        if trips != {loop.trips - 1}:
            collected.append(one)
        elif one not in left:
            left[one] = len(slots)
            slots.append(Slot(None, one))
    return slots, left, collected


def _zeros(like: ir.Value) -> ir.Value:
    return ir.constant(np.zeros(like.shape or (), like.dtype))


class _Body:
    """The graph of one iteration.

    slots, rows, fixed   what it calls what is carried, its rows, and (by what it is outside) what
                         all iterations share
    results              of its nodes
    after                what it leaves in the slots
    """

    def __init__(self, loop: UnrolledLoop, slots: list[Slot]):
        self.loop = loop
        self.fixed: dict[ir.Value, ir.Value] = {}
        self.results: dict[Inner, ir.Value] = {}
        self.rows = [ir.Value(values[0].shape, values[0].dtype) for values in loop.rows]
        self._nodes: list[ir.Node] = []
        made = {one: loop.node(0, one.node).outputs[one.result] for one in [
            _made_by(slots, slot) for slot in slots]}
        self.slots = [ir.Value(made[one].shape, made[one].dtype) for one in [
            _made_by(slots, slot) for slot in slots]]
        for j in loop.body:
            self._copy(j)
        self.after = [self._find(slot.after) for slot in slots]

    def _copy(self, j: int) -> None:
        old = self.loop.node(0, j)
        node = ir.Node(old.op, tuple([self._find(one) for one in self.loop.operands[j]]),
                       dict(old.attrs), old.where)
        node.outputs = tuple([ir.Value(x.shape, x.dtype, node, x.index) for x in old.outputs])
        self.results.update({Inner(j, x.index): x for x in node.outputs})
        self._nodes.append(node)

    def _find(self, one: Any) -> ir.Value:
        """What the body calls an operand."""
        if isinstance(one, Inner):
            return self.results[one]
        if isinstance(one, Carried):
            return self.slots[one.slot]
        if isinstance(one, Row):
            return self.rows[one.number]
        assert isinstance(one, Fixed)
        value = one.value
        if value.const is not None:
            return value
        return self.fixed.setdefault(value, ir.Value(value.shape, value.dtype))

    def graph(self, collected: list[ir.Value]) -> ir.Graph:
        graph = ir.Graph("rolled_loop")
        graph.inputs = [*self.slots, *self.rows, *self.fixed.values()]
        graph.nodes = self._nodes
        graph.outputs = [*self.after, *collected]
        return graph


def _made_by(slots: list[Slot], slot: Slot) -> Inner:
    """The result that a slot holds, as the iteration before left it or one before that."""
    while isinstance(slot.after, Carried):
        slot = slots[slot.after.slot]
    return slot.after
