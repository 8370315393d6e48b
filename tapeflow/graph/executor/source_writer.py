"""The source of the Python function that runs a graph: one line for each node.

Every node becomes a prepared call `v7 = k3(v1, v2)`, so that nothing is looked up or decided
between the kernels; large results go into planned buffers, `k3(v1, v2, out=arena[0])`.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

import numpy as np

from tapeflow.base.late import LateModule
from tapeflow.graph import ir
from tapeflow.graph.executor import buffer_plan
from tapeflow.graph.variable_ops import write

_scalar_batching = LateModule("tapeflow.graph.executor.scalar_batching")

# Kernels that are operators are written as such, which saves the call.
_SIGNS = {operator.add: "+", operator.sub: "-", operator.mul: "*", operator.truediv: "/"}


class Writer:
    """Writes the source of one graph; `names` are the kernels and constants it uses."""

    def __init__(self, graph: ir.Graph, plan: buffer_plan.Plan):
        self.graph, self.plan = graph, plan
        self.order = _scalar_batching.schedule(graph)
        self.text, self.indent = "", 1
        self.names: dict[str, Any] = {"__name__": "tapeflow.graph", "attribute": ir.attribute,
                                      "array": np.array, "retired": buffer_plan.retired}
        self.calls: dict[int, tuple] = {}  # line -> op, operands, the user's position
        self._label: dict[ir.Value, str] = {}
        self._lines = ["def run(arrays, variables, arena):"]

    def name(self, value: ir.Value) -> str:
        if value not in self._label:
            if value.const is None:
                raise AssertionError(f"{value!r} is used before it is made")
            self._label[value] = f"c{len(self.names)}"
            self.names[self._label[value]] = value.const
        return self._label[value]

    def define(self, value: ir.Value) -> str:
        self._label[value] = f"v{len(self._label)}"
        return self._label[value]

    def line(self, text: str) -> None:
        self._lines.append(f"{'    ' * self.indent}{text}")

    def function(self) -> Callable:
        """The compiled run(arrays, variables, arena)."""
        graph = self.graph
        slots = {uid: slot for slot, uid in enumerate(graph.variables)}
        self.start(slots)
        self.dying = self._last_uses(self.order)
        for index, group in enumerate(self.order):
            self.group(index, group, slots)
            self.forget(index)
        results = "".join(f"{self.name(value)}, " for value in graph.outputs)
        self.line(f"return ({results})")
        self.text = "\n".join(self._lines) + "\n"
        exec(compile(self.text, f"<graph {graph.name}>", "exec"), self.names)
        return self.names["run"]

    def start(self, slots: dict[int, int]) -> None:
        """Arguments, and what the variables hold."""
        graph = self.graph
        if graph.inputs:
            self.line(f"{', '.join([self.define(x) for x in graph.inputs])}, = arrays")
        for uid, use in graph.variables.items():
            self.line(f"{self.define(use.initial)} = variables[{slots[uid]}]._snapshot._value")

    def group(self, index: int, group: list[ir.Node], slots: dict[int, int]) -> None:
        """The nodes that run as one."""
        node = group[0]
        if node.op is write:
            self._write(node, slots[node.attrs["variable"]])
        elif len(group) > 1:
            self._gathered(group, f"k{index}")
        else:
            self._call(node, f"k{index}")

    def forget(self, index: int) -> None:
        """Let go of what nobody needs after a group."""
        dead = [self._label[value] for value in self.dying.get(index, ())
                if value in self._label]
        if dead:
            self.line(f"del {', '.join(dead)}")

    def _write(self, node: ir.Node, slot: int) -> None:
        value = self.name(node.inputs[0])
        spare = self.plan.spare.get(node)
        if spare is None:
            self.line(f"variables[{slot}]._swap({value})")
        else:
            # What the variable held goes into its next value's place, if it is free.
            self.line(f"before = variables[{slot}]._snapshot")
            self.line(f"variables[{slot}]._swap({value})")
            self.line(f"arena[{spare}] = retired(before, {value})")
        self.line(f"{self.define(node.outputs[0])} = {value}")

    def _call(self, node: ir.Node, kernel: str) -> None:
        labels = [self.name(value) for value in node.inputs]
        buffer = None if node.op.multi else self.plan.slot.get(node.outputs[0])
        sign = _SIGNS.get(node.op.kernel) if not node.attrs and buffer is None else None
        call = f" {sign} ".join(labels) if sign else self._prepared(node, kernel, labels, buffer)
        left = "".join(f"{self.define(value)}, " for value in node.outputs)
        if not node.op.multi:
            left = left.removesuffix(", ")
        self.line(f"{left} = {call}" if left else call)
        self.calls[len(self._lines)] = (node.op, labels, node.where)

    def _prepared(self, node: ir.Node, kernel: str, labels: list[str], buffer: int | None) -> str:
        self.names[kernel] = node.op.kernel
        words = list(labels)
        for key, attr in node.attrs.items():
            if not key.isidentifier():  # it becomes part of the source
                raise AssertionError(f"{key!r} is no name of an attribute")
            if isinstance(attr, ir.Value):
                words.append(f"{key}=attribute({self.name(attr)})")
            else:
                self.names[f"{kernel}_{key}"] = attr
                words.append(f"{key}={kernel}_{key}")
        if buffer is not None:
            self.names[kernel] = buffer_plan.into(node)
            words.append(f"out=arena[{buffer}]")
        return f"{kernel}({', '.join(words)})"

    def _gathered(self, group: list[ir.Node], kernel: str) -> None:
        """One call on an array of scalars in place of many on scalars."""
        self.names[kernel] = group[0].op.kernel
        self.names[f"{kernel}_dtype"] = group[0].inputs[0].dtype
        labels = ", ".join([self.name(node.inputs[0]) for node in group])
        left = ", ".join([self.define(node.outputs[0]) for node in group])
        self.line(f"{left} = {kernel}(array(({labels}), {kernel}_dtype))")

    def _last_uses(self, order: list[list[ir.Node]]) -> dict[int, list[ir.Value]]:
        """Large values by the index of the group after which nobody needs them."""
        kept = set(self.graph.outputs)
        last: dict[ir.Value, int] = {}
        for index, group in enumerate(order):
            for node in group:
                for value in node.operands():
                    last[value] = index
        dying: dict[int, list[ir.Value]] = {}
        for value, index in last.items():
            size = buffer_plan.nbytes(value)
            if value not in kept and value.const is None and (
                    size is None or size >= buffer_plan.LARGE):
                dying.setdefault(index, []).append(value)
        return dying
