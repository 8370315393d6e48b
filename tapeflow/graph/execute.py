"""The NumPy executor: turns a graph into one straight-line Python function over bare arrays.

Every node becomes a prepared call `v7 = k3(v1, v2)`, so that nothing is looked up or decided
between the kernels; large results go into planned buffers, `k3(v1, v2, out=arena[0])`. It is the
reference for every other executor.
"""

from __future__ import annotations

from typing import Any

from tapeflow.core.quiet import hush, unhush
from tapeflow.graph import ir, memory
from tapeflow.graph.tracing import write


def attribute(value: Any) -> Any:
    """A size that is known at run time, as kernels take it: an int or a tuple of ints."""
    return tuple(value.tolist()) if getattr(value, "ndim", 0) else int(value)


class Program:
    """A compiled graph. `run(arrays, variables)` gives the outputs as a tuple of bare values."""

    __slots__ = ("_arenas", "_function", "source")

    def __init__(self, graph: ir.Graph):
        plan = memory.Plan(graph)
        writer = Writer(graph, plan)
        self.source = writer.source()
        exec(compile(self.source, f"<graph {graph.name}>", "exec"), writer.names)
        self._function = writer.names["run"]
        self._arenas = memory.Arenas(plan) if plan.views else None

    def run(self, arrays: Any, variables: Any) -> tuple:
        token = hush()
        try:
            if self._arenas is None:
                return self._function(arrays, variables, ())
            arena = self._arenas.take()
            results = self._function(arrays, variables, arena)
            self._arenas.give(arena)
            return results
        finally:
            unhush(token)


class Writer:
    """Writes the source of one graph; `names` are the kernels and constants it uses."""

    def __init__(self, graph: ir.Graph, plan: memory.Plan):
        self.graph, self.plan = graph, plan
        self.names: dict[str, Any] = {"attribute": attribute}
        self._label: dict[int, str] = {}

    def name(self, value: ir.Value) -> str:
        key = id(value)
        if key not in self._label:
            if value.const is None:
                raise AssertionError(f"{value!r} is used before it is made")
            self._label[key] = f"c{len(self.names)}"
            self.names[self._label[key]] = value.const
        return self._label[key]

    def define(self, value: ir.Value) -> str:
        self._label[id(value)] = f"v{len(self._label)}"
        return self._label[id(value)]

    def source(self) -> str:
        graph, lines = self.graph, []
        if graph.inputs:
            lines.append(f"{', '.join([self.define(x) for x in graph.inputs])}, = arrays")
        slots = {}
        for slot, (uid, use) in enumerate(graph.variables.items()):
            slots[uid] = slot
            lines.append(f"{self.define(use.initial)} = variables[{slot}]._snapshot._value")
        dying = self._last_uses()
        for position, node in enumerate(graph.nodes):
            if node.op is write:
                slot, value = slots[node.attrs["variable"]], self.name(node.inputs[0])
                lines.append(f"variables[{slot}]._swap({value})")
                lines.append(f"{self.define(node.outputs[0])} = {value}")
            else:
                lines.append(self._call(node, position))
            dead = [self._label[id(value)] for value in dying.get(position, ())
                    if id(value) in self._label]
            if dead:
                lines.append(f"del {', '.join(dead)}")
        results = "".join(f"{self.name(value)}, " for value in graph.outputs)
        lines.append(f"return ({results})")
        return "def run(arrays, variables, arena):\n    " + "\n    ".join(lines) + "\n"

    def _call(self, node: ir.Node, position: int) -> str:
        kernel = f"k{position}"
        self.names[kernel] = node.op.kernel
        words = [self.name(value) for value in node.inputs]
        for key, attr in node.attrs.items():
            if isinstance(attr, ir.Value):
                words.append(f"{key}=attribute({self.name(attr)})")
            else:
                self.names[f"{kernel}_{key}"] = attr
                words.append(f"{key}={kernel}_{key}")
        if not node.op.multi and id(node.outputs[0]) in self.plan.slot:
            self.names[kernel] = memory.into(node)
            words.append(f"out=arena[{self.plan.slot[id(node.outputs[0])]}]")
        call = f"{kernel}({', '.join(words)})"
        if not node.outputs:
            return call
        left = ", ".join(self.define(value) for value in node.outputs)
        return f"{left}{',' if node.op.multi else ''} = {call}"

    def _last_uses(self) -> dict[int, list[ir.Value]]:
        """Large values by the position of the node after which nobody needs them."""
        kept = {id(value) for value in self.graph.outputs}
        last: dict[int, tuple[int, ir.Value]] = {}
        for position, node in enumerate(self.graph.nodes):
            for value in node.operands():
                last[id(value)] = (position, value)
        dying: dict[int, list[ir.Value]] = {}
        for position, value in last.values():
            size = memory.nbytes(value)
            if id(value) not in kept and value.const is None and (
                    size is None or size >= memory.LARGE):
                dying.setdefault(position, []).append(value)
        return dying
