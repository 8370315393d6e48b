"""Graphs with calls that no compiler takes: iterators, Python, strings, printing.

Such a graph is divided where these calls stand: what lies between two of them is a region, a graph
of its own with its own executor, native in the end. A region is executed for the sizes that it
meets, so batches of an iterator whose sizes nobody knows while tracing are compiled as well.

    get_next          a call
    forward … Adam    a region, for batches of 64, and one for the last batch
    from_value        a call

Order is kept: steps run as the nodes stand in the graph. A region reads and writes variables
itself; only what a variable held before an earlier region wrote it is passed as an input. A loop or
branch with such calls in it is a call, and its bodies are divided in turn.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable
from typing import Any

from tapeflow.graph import ir
from tapeflow.graph.executor.graph_function import GraphFunction
from tapeflow.graph.executor.interface import DirectCall, Executor, NativeListener
from tapeflow.graph.executor.numpy_executor import Program
from tapeflow.graph.variable_ops import write
from tapeflow.jit.tiering import cost

Run = tuple[bool, list[ir.Node]]  # nodes side by side, and whether they are a region
WORTH = 30e-6  # seconds on NumPy from which nodes between two calls are a region


def is_call(node: ir.Node) -> bool:
    """Whether a node, or one in its bodies, is for no compiler."""
    op = node.op
    for value in (*(node.operands() if node.attrs else node.inputs), *node.outputs):
        if value.dtype.kind in "OUS":
            return True
    if op.kind == "control" and (inside := cost.bodies(node)):
        return any(is_call(one) for body in inside for one in body.graph.nodes)
    return op.stateful and op.kind != "random" and not node.attrs.get("variable")


def divided(graph: ir.Graph) -> list[Run] | None:
    """The nodes in runs, each with whether it is a region; None if there is nothing to divide."""
    calls = {node for node in graph.nodes if is_call(node)}
    if not calls:
        return None
    within = any(cost.bodies(node) for node in calls)
    runs: list[Run] = [(not call, list(nodes)) for call, nodes in itertools.groupby(
        graph.nodes, calls.__contains__)]
    merged: list[Run] = []
    for region, nodes in runs:
        heavy = region and sum(map(cost.of_node, nodes)) > WORTH
        if merged and not heavy and not merged[-1][0]:
            merged[-1][1].extend(nodes)
        else:
            merged.append((heavy, nodes))
    return merged if within or any(heavy for heavy, _ in merged) else None


class Divided:
    """A program of steps: calls on NumPy, and regions with an executor for each set of sizes."""

    def __init__(self, graph: ir.Graph, runs: list[Run], fixed: bool):
        self.graph = graph
        self.steps = _steps(graph, runs, fixed)
        passed = {value for step in self.steps for value in step.inputs} | set(graph.outputs)
        self._held = [(i, use.initial) for i, use in enumerate(graph.variables.values())
                      if use.initial in passed]

    def run(self, arrays: Any, variables: Any) -> tuple:
        known = dict(zip(self.graph.inputs, arrays, strict=True))
        for i, value in self._held:
            known[value] = variables[i]._snapshot._value
        for step in self.steps:
            step.run(known, variables)
        return tuple([known[value] if value.const is None else value.const
                      for value in self.graph.outputs])

    def direct_call(self, variables: list, pack: Callable | None) -> DirectCall | None:
        """There is no single piece of machine code."""
        return None

    def subscribe(self, listener: NativeListener) -> None:
        """Nor does any take over."""

    # -- for reports -------------------------------------------------------------------------------
    @property
    def regions(self) -> list[GraphFunction]:
        """The regions, in order."""
        return [step.function for step in self.steps if step.function is not None]

    @property
    def calls(self) -> list[str]:
        """The ops that are for no compiler."""
        return [node.op.name for node in self.graph.nodes if is_call(node)]

    @property
    def bodies(self) -> list[GraphFunction]:
        """Of loops and branches that have calls in them: they are executed by themselves."""
        return [body for node in self.graph.nodes if is_call(node) for body in cost.bodies(node)]


class Step:
    """Some nodes of a graph as a graph of their own.

    inputs    what it needs of the steps before and of the program's arguments
    outputs   what later steps or the caller need of it
    dropped   inputs that nobody needs later
    function  of a region; None: calls
    """

    def __init__(self, part: ir.Graph, inputs: list[ir.Value], outputs: list[ir.Value],
                 positions: list[int]):
        """positions: of the part's variables among the whole graph's."""
        self._part, self.inputs, self.outputs, self._positions = part, inputs, outputs, positions
        self.dropped: list[ir.Value] = []
        self.function: GraphFunction | None = None
        self._program: Executor | None = None

    def finish(self, region: bool, fixed: bool) -> None:
        """The graph is complete: let it be executed."""
        if region:
            self.function = GraphFunction(self._part)
            self.function.fixed = fixed
        else:
            self._program = Program(self._part)

    def run(self, known: dict[ir.Value, Any], variables: list) -> None:
        arrays = [known[value] for value in self.inputs]
        for value in self.dropped:
            del known[value]
        own = [variables[i] for i in self._positions]
        program = self._program
        if program is None:
            assert self.function is not None
            program = self.function.program(arrays, own)
        known.update(zip(self.outputs, program.run(arrays, own), strict=True))


def _steps(graph: ir.Graph, runs: list[Run], fixed: bool) -> list[Step]:
    """The steps; each knows the values that pass between it and the others."""
    current = {uid: use.initial for uid, use in graph.variables.items()}  # what they hold
    steps, parts, trusted = [], [], True
    for region, nodes in runs:
        # What Python may assign meanwhile is read at the beginning and passed on.
        trusted = trusted and not any(node.op.traits.calls_python for node in nodes)
        part = _Part(graph, nodes, current if trusted or not region else {})
        parts.append(part)
        for node in nodes:
            if node.op is write:
                current[node.attrs["variable"]] = node.outputs[0]
    needed = set(graph.outputs)
    for (region, nodes), part in zip(reversed(runs), reversed(parts), strict=True):
        outputs = [value for node in nodes for value in node.outputs if value in needed]
        part.graph.outputs = [part.twin[value] for value in outputs]
        step = Step(part.graph, part.inputs, outputs, part.positions)
        step.dropped = [value for value in part.inputs if value not in needed]
        step.finish(region, fixed)
        needed.update(part.inputs)
        steps.append(step)
    return steps[::-1]


class _Part:
    """A copy of some nodes; `twin` has each value's copy."""

    def __init__(self, whole: ir.Graph, nodes: list[ir.Node], current: dict[int, ir.Value]):
        """current: what variables hold when it begins."""
        self.graph = ir.Graph(whole.name, whole.asked)
        self.twin: dict[ir.Value, ir.Value] = {}
        read = dict.fromkeys(value for node in nodes for value in node.operands()
                             if value.const is None)
        used = {node.attrs["variable"] for node in nodes if "variable" in node.attrs}
        order = {uid: i for i, uid in enumerate(whole.variables)}
        for uid, use in whole.variables.items():
            now = current.get(uid, use.initial)
            if uid in used or uid in current and now in read:
                first = ir.Value(use.initial.shape, use.initial.dtype, name=use.initial.name)
                self.graph.variables[uid] = ir.VariableUse(use.variable, first, use.argument)
                if uid in current:
                    self.twin[now] = first
        self.positions = [order[uid] for uid in self.graph.variables]
        made = {value for node in nodes for value in node.outputs}
        self.inputs = [value for value in read if value not in made and value not in self.twin]
        self.graph.inputs = [self._again(value) for value in self.inputs]
        for node in nodes:
            self._copy(node)

    def _again(self, value: ir.Value, node: ir.Node | None = None) -> ir.Value:
        made = ir.Value(value.shape, value.dtype, node, value.index, name=value.name)
        self.twin[value] = made
        return made

    def _find(self, value: ir.Value) -> ir.Value:
        return value if value.const is not None else self.twin[value]

    def _copy(self, node: ir.Node) -> None:
        attrs = {key: self._find(attr) if isinstance(attr, ir.Value) else attr
                 for key, attr in node.attrs.items()}
        made = ir.Node(node.op, tuple([self._find(x) for x in node.inputs]), attrs, node.where)
        made.outputs = tuple([self._again(value, made) for value in node.outputs])
        self.graph.nodes.append(made)
