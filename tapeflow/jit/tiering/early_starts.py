"""Calls that take time elsewhere are begun as soon as their inputs are there.

An exchange of gradients stands behind the whole backward pass in the program, but the gradients of
the last layers are there early. Such a call (`Traits.early_start`) is divided into portions: a
portion is started right after the last of its inputs, and finished where the call stood.

    forward, backward of the last layers      a region
    start the exchange of their gradients     a call, which returns at once
    backward of the first layers              a region, during the exchange
    start theirs; finish both                 calls
    update                                    a region
"""

from __future__ import annotations

from math import prod

import numpy as np

from tapeflow.core.record.traits import EarlyStart
from tapeflow.graph import ir


def with_early_starts(graph: ir.Graph) -> ir.Graph:
    """The graph with such calls in portions; itself if there are none."""
    found = [node for node in graph.nodes if node.op.traits.early_start is not None
             and node.op.traits.early_start.applies()]
    if not found:
        return graph
    position = {value: i for i, node in enumerate(graph.nodes) for value in node.outputs}
    after: dict[int, list[ir.Node]] = {}  # starts, by the position that they follow
    instead: dict[ir.Node, list[ir.Node]] = {}
    for node in found:
        early = node.op.traits.early_start
        assert early is not None
        portions = _portions(node, position, early.portion)
        if len(portions) > 1:
            instead[node] = []
            for at, inputs in portions:
                start, finish = _in_two(node, early, inputs)
                after.setdefault(at, []).append(start)
                instead[node].append(finish)
    if not instead:
        return graph
    made = ir.Graph(graph.name, graph.asked)
    made.inputs, made.outputs, made.variables = graph.inputs, graph.outputs, graph.variables
    made.captured = graph.captured
    made.nodes = after.pop(-1, [])
    for i, node in enumerate(graph.nodes):
        made.nodes += [*instead.get(node, [node]), *after.get(i, [])]
    return made


def _portions(node: ir.Node, position: dict[ir.Value, int], most: int
              ) -> list[tuple[int, list[int]]]:
    """Inputs by the order in which they are made: (position of the last one, which)."""
    order = sorted(range(len(node.inputs)), key=lambda i: (position.get(node.inputs[i], -1), i))
    found: list[tuple[int, list[int]]] = []
    taken, size = [], 0
    for i in order:
        value = node.inputs[i]
        taken.append(i)
        size += prod(n or 0 for n in value.shape or ()) * value.dtype.itemsize
        if size >= most or i == order[-1]:
            found.append((position.get(value, -1), taken))
            taken, size = [], 0
    return found


def _in_two(node: ir.Node, early: EarlyStart, inputs: list[int]) -> tuple[ir.Node, ir.Node]:
    start = ir.Node(early.start.op, tuple([node.inputs[i] for i in inputs]),  # type: ignore[attr-defined]
                    node.attrs, node.where)
    start.outputs = (ir.Value((), np.dtype(np.int64), start),)
    finish = ir.Node(early.finish.op, start.outputs, {}, node.where)  # type: ignore[attr-defined]
    finish.outputs = tuple([node.outputs[i] for i in inputs])
    return start, finish
