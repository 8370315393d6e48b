"""The order in which the NumPy executor runs a graph, with scalars side by side.

A function of one NumPy scalar costs its call, not its arithmetic: a hundred cosines of a hundred
scalars take as long one after the other as one cosine of thousands. `schedule` gathers calls of one
elementwise function on scalars that are known at the same time into one call on an array.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from tapeflow.graph import ir

FEWEST = 12  # calls from which batching pays


def schedule(graph: ir.Graph) -> list[list[ir.Node]]:
    """The nodes in an order that respects what they read: groups, most of them of one node."""
    groupable = {node: key for node in graph.nodes if (key := _group_key(node)) is not None}
    if len(groupable) < FEWEST:
        return [[node] for node in graph.nodes]
    return _Scheduler(graph, groupable).groups


class _Scheduler:
    """Holds calls that may join others back until one is needed; then those that can go with it go.

    ready  for each kind of call those whose operand is made and that are not in a group yet
    held   the nodes among them that the walk over the graph has passed
    """

    def __init__(self, graph: ir.Graph, groupable: dict[ir.Node, Any]):
        self.groupable = groupable
        self.groups: list[list[ir.Node]] = []
        self.ready: dict[Any, dict[ir.Node, None]] = {}
        self.held: set[ir.Node] = set()
        self.done: set[ir.Node] = set()
        self.readers: dict[ir.Value, list[ir.Node]] = {}
        for node in graph.nodes:
            if node in groupable:
                self.readers.setdefault(node.inputs[0], []).append(node)
        for value in [*graph.inputs, *[use.initial for use in graph.variables.values()]]:
            self._made(value)
        for node in graph.nodes:
            for value in node.operands():
                self._need(value)
            if node in groupable:
                self.held.add(node)
            else:
                self._run([node])
        for node in graph.nodes:
            if node in self.held and node not in self.done:
                self._call(node)

    def _made(self, value: ir.Value) -> None:
        for node in self.readers.get(value, ()):
            self.ready.setdefault(self.groupable[node], {})[node] = None

    def _need(self, value: ir.Value) -> None:
        if value.node in self.held and value.node not in self.done:
            assert value.node is not None
            self._call(value.node)

    def _call(self, node: ir.Node) -> None:
        ready = self.ready[self.groupable[node]]
        self._run(list(ready) if len(ready) >= FEWEST else [node])

    def _run(self, group: list[ir.Node]) -> None:
        self.groups.append(group)
        for node in group:
            self.done.add(node)
            if node in self.groupable:
                del self.ready[self.groupable[node]][node]
            for value in node.outputs:
                self._made(value)


def _group_key(node: ir.Node) -> Any:
    """What a call has in common with those that it may join; None if it must stay alone."""
    kernel = node.op.kernel
    if not isinstance(kernel, np.ufunc) or kernel.nin != 1 or node.attrs or node.op.stateful:
        return None
    x = node.inputs[0]
    if x.shape != () or x.dtype.kind != "f" or x.const is not None:
        return None
    return (node.op, x.dtype)
