"""Graphs as a debugger's files tell of them: the ops of each, and in which other graph it stands.

A function called inside another keeps its own graph there, though its nodes stand among the other's
in ours: `places` knows for each node which op of which graph it repeats. Loops are told in
TensorFlow's form, with a counter and a limit that their graphs take first.
"""

from __future__ import annotations

import uuid
from typing import Any

import numpy as np

from tapeflow.core import scopes
from tapeflow.graph import ir
from tapeflow.graph.tracing.graph_builder import plain_name
from tapeflow.summary.debug_dump import debug_messages as messages
from tapeflow.summary.debug_dump.code_places import CodePlaces

LOOPS = ("while_cond", "while_body")
_TYPES = {"Cond": "If"}
_COUNTER, _LIMIT = "loop_counter", "maximum_iterations"


class Turns:
    """How often a loop has run, which its condition and body share; `limit`: at most, or -1."""

    def __init__(self, limit: int):
        self.limit, self.count = limit, 0

    def next(self, goes_on: bool = True) -> None:
        self.count = self.count + 1 if goes_on and self.count + 1 != self.limit else 0


class ToldGraph:
    """One graph: its ops' names, and the tensors that begin it whenever it is run.

    names    what each Value is called, "op:slot"
    starts   constants, with the numbers of their tensors
    given    the same of inputs and of what variables hold
    turns    of a loop's condition and body: how often it has run, and its ops for that
    """

    def __init__(self, trace: Any, outer: ToldGraph | None):
        self.name = None if trace is None else trace.graph.name
        self.key, self.outer = str(uuid.uuid4()), outer
        self.inner = trace is not None and trace.outer is not None
        self.names: dict[ir.Value, str] = {}
        self.starts: list[tuple[str, int, Any]] = []
        self.given: dict[ir.Value, tuple[str, int]] = {}
        self.turns: Turns | None = None
        self.counted: list[tuple[str, int]] = []  # counter, limit, and of a body what is added: 1
        self.next: tuple[str, int] | None = None  # the counter of the next turn
        self._used: dict[str, int] = {}

    def unique(self, word: str) -> str:
        """A name that no other op of the graph has."""
        count = self._used.get(word, 0)
        self._used[word] = count + 1
        return f"{word}_{count}" if count else word


class ToldGraphs:
    """All graphs of a dump; writes each new op as it is made."""

    def __init__(self, writer: Any, code: CodePlaces):
        self._writer, self._code = writer, code
        self._graphs: dict[Any, ToldGraph] = {}  # by their ir.Graph; None: around all functions
        self._numbers = 0
        self.places: dict[ir.Node, tuple[ToldGraph, str, tuple[int, ...]]] = {}

    def of(self, graph: ir.Graph) -> ToldGraph | None:
        """What was told of a graph, if it was traced while this dump was on."""
        return self._graphs.get(graph)

    def _told(self, trace: Any) -> ToldGraph:
        key = None if trace is None else trace.graph
        found = self._graphs.get(key)
        if found is None:
            around = None if trace is None else self._told(trace.outer or trace.around)
            found = self._graphs[key] = ToldGraph(trace, around)
            self._writer().WriteDebuggedGraph(messages.DebuggedGraph(
                graph_id=found.key, graph_name=found.name or "",
                outer_context_id="" if around is None else around.key))
            if found.name in LOOPS:
                for word in (_COUNTER, _LIMIT):
                    name, numbers = self._op(found, "Placeholder", word, [], 1)
                    found.counted.append((name, numbers[0]))
        if trace is not None:
            for value in trace.graph.inputs:
                self._input(found, value)
            for use in trace.graph.variables.values():
                self._input(found, use.initial, "ReadVariableOp")
        return found

    # -- ops -------------------------------------------------------------------------------------
    def _op(self, told: ToldGraph, kind: str, word: str, inputs: list[str], count: int
            ) -> tuple[str, tuple[int, ...]]:
        """Write that an op was made; its name, and the numbers of its results."""
        name = told.unique(word)
        numbers = tuple(range(self._numbers + 1, self._numbers + 1 + count))
        self._numbers += count
        self._writer().WriteGraphOpCreation(messages.GraphOpCreation(
            op_type=kind, op_name=name, graph_name=told.name or "", graph_id=told.key,
            input_names=inputs, num_outputs=count, output_tensor_ids=numbers,
            code_location=self._code.location()))
        return name, numbers

    def _input(self, told: ToldGraph, value: ir.Value, kind: str = "Placeholder") -> None:
        if value not in told.names:
            word = kind if kind != "Placeholder" else value.name.partition(":")[0] or kind
            name, numbers = self._op(told, kind, word, [], 1)
            told.names[value] = f"{name}:0"
            told.given[value] = (name, numbers[0])

    def _constant(self, told: ToldGraph, word: str, value: Any) -> str:
        name, numbers = self._op(told, "Const", word, [], 1)
        told.starts.append((name, numbers[0], value))
        return f"{name}:0"

    def _name(self, told: ToldGraph, value: ir.Value) -> str:
        if value not in told.names:
            if value.const is not None:
                told.names[value] = self._constant(
                    told, value.name.partition(":")[0] or "Const", value.const)
            elif value.node is None:
                self._input(told, value)  # of a graph around, or what a variable holds
            else:  # of a function that was traced before: it has no op here
                told.names[value] = f"{self._op(told, 'Unknown', 'Unknown', [], 1)[0]}:0"
        return told.names[value]

    def constant(self, trace: Any, tensor: Any) -> None:
        """The program made a constant while it was traced."""
        self._name(self._told(trace), trace.eager.constant(tensor))

    def node(self, trace: Any, node: ir.Node) -> None:
        """A trace has a new node of its own."""
        told = self._told(trace)
        inputs = [self._name(told, value) for value in node.inputs]
        word = scopes.scoped_name(plain_name(node.op))
        if "n_carry" in node.attrs:
            inputs = [*self._loop(told, node), *inputs]
        kind = _TYPES.get(node.op.tf_name, node.op.tf_name)
        name, numbers = self._op(told, kind, word, inputs, len(node.outputs))
        for slot, value in enumerate(node.outputs):
            told.names[value] = f"{name}:{slot}"
        self.places[node] = (told, name, numbers)
        for key in ("branches", "condition", "body"):
            held = node.attrs.get(key)
            for one in held if isinstance(held, tuple) else (held,):
                inside = self._graphs.get(getattr(one, "graph", None) or self)
                if inside is not None and key != "condition":  # which takes what it reads alone
                    for value in one.graph.inputs:
                        self._input(inside, value)

    def _loop(self, told: ToldGraph, node: ir.Node) -> list[str]:
        """What TensorFlow's loops have beside ours: a counter and a limit, constants before it."""
        limit = node.attrs.get("limit")
        turns = Turns(limit if isinstance(limit, int) else -1)
        for key in ("condition", "body"):
            inside = self._graphs.get(getattr(node.attrs[key], "graph", None) or self)
            if inside is None or len(inside.counted) != 2:
                continue
            inside.turns = turns
            if key == "body":
                one, (number,) = self._op(inside, "Const", f"{_COUNTER}/y", [], 1)
                inside.counted.append((one, number))
                name, (number,) = self._op(inside, "AddV2", f"{_COUNTER}/add",
                                           [f"{inside.counted[0][0]}:0", f"{one}:0"], 1)
                inside.next = (name, number)
        return [self._constant(told, f"While/{_COUNTER}", np.int32(0)),
                self._constant(told, f"While/{_LIMIT}", np.int32(turns.limit))]

    def repeated(self, node: ir.Node, original: ir.Node) -> None:
        """A node calls again what another one does."""
        place = self.places.get(original)
        if place is not None:
            self.places[node] = place

    def called(self, trace: Any, inputs: list[ir.Value], results: list[ir.Value]) -> None:
        """A function was called in a trace, where its nodes stand now."""
        told = self._told(trace)
        names = [self._name(told, value) for value in inputs]
        name, _ = self._op(told, "StatefulPartitionedCall", "StatefulPartitionedCall", names,
                           len(results))
        for slot, value in enumerate(results):
            if value.const is None:
                told.names.setdefault(value, f"{name}:{slot}")

    def ended(self, trace: Any) -> None:
        """A function was traced: its results have ops of their own."""
        told = self._told(trace)
        for value in trace.graph.outputs:
            self._op(told, "Identity", "Identity", [self._name(told, value)], 1)

