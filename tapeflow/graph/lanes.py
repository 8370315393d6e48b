"""The order in which the NumPy executor runs a graph, with scalars side by side.

A function of one NumPy scalar costs its call, not its arithmetic: a hundred cosines of a hundred
scalars take as long one after the other as one cosine of thousands. `schedule` gathers calls of one
elementwise function on scalars that are known at the same time into one call on an array.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from tapeflow.graph import ir

LANES = 12  # calls from which gathering pays


def schedule(graph: ir.Graph) -> list[list[ir.Node]]:
    """The nodes in an order that respects what they read: groups, most of them of one node.

    The first node of a group keeps its place; those that join it come earlier than in the graph.
    """
    lanes = {id(node): key for node in graph.nodes if (key := _lane(node)) is not None}
    if len(lanes) < LANES:
        return [[node] for node in graph.nodes]
    readers: dict[int, list[ir.Node]] = {}
    ready: dict[Any, list[ir.Node]] = {}
    for node in graph.nodes:
        if id(node) in lanes:
            readers.setdefault(id(node.inputs[0]), []).append(node)

    def define(value: ir.Value) -> None:
        for node in readers.get(id(value), ()):
            ready.setdefault(lanes[id(node)], []).append(node)

    for value in [*graph.inputs, *[use.initial for use in graph.variables.values()]]:
        define(value)
    groups, done = [], set()
    for node in graph.nodes:
        if id(node) in done:
            continue
        group = [node]
        if id(node) in lanes:
            waiting = ready[lanes[id(node)]]
            waiting.remove(node)
            if len(waiting) + 1 >= LANES:
                group += waiting
                waiting.clear()
        groups.append(group)
        for one in group:
            done.add(id(one))
            for value in one.outputs:
                define(value)
    return groups


def _lane(node: ir.Node) -> Any:
    """What a call has in common with those that it may join; None if it must stay alone."""
    kernel = node.op.kernel
    if not isinstance(kernel, np.ufunc) or kernel.nin != 1 or node.attrs or node.op.stateful:
        return None
    x = node.inputs[0]
    if x.shape != () or x.dtype.kind != "f" or x.const is not None:
        return None
    return (id(node.op), x.dtype)
