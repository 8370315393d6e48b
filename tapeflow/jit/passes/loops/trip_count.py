"""How many iterations a loop takes, where that can be told before it runs."""

from __future__ import annotations

from typing import Any

from tapeflow.core.record import lowering_forms as forms
from tapeflow.core.record.elementwise_ops import add
from tapeflow.graph import ir
from tapeflow.graph.passes import copy
from tapeflow.graph.tracing.subgraph import refine
from tapeflow.ops.math.comparison import greater, less
from tapeflow.ops.math.logical import logical_and


def infer_trip_counts(graph: ir.Graph) -> ir.Graph:
    """Where a loop counts to a known number, it says how much it collects; sizes follow from that,
    in a copy of the graph."""
    if not any(_collects_unknown(node) for node in graph.nodes):
        return graph
    graph, found = copy(graph), False
    for node in filter(_collects_unknown, graph.nodes):
        count = _while_count(node)
        if count is None:
            continue
        for value in node.outputs[node.attrs["n_carry"]:]:
            if value.shape is not None:
                value.shape = (count, *value.shape[1:])
                found = True
    if found:
        refine(graph)
    return graph


def _collects_unknown(node: ir.Node) -> bool:
    """Whether a node is a while loop that collects nobody knows how much."""
    if not isinstance(node.op.lower, forms.Loop) or node.attrs["condition"] is None:
        return False
    return any(None in (value.shape or (None,)) for value in node.outputs[node.attrs["n_carry"]:])


def trip_count(node: ir.Node) -> int | None:
    """The number of iterations of a loop, if it is known."""
    if node.attrs["condition"] is not None:
        return _while_count(node)
    n_carry = node.attrs["n_carry"]
    return (node.inputs[n_carry].shape or (None,))[0] if node.attrs["n_seq"] else None


def _while_count(node: ir.Node) -> int | None:
    """The number of iterations of a loop that goes on while a counter is below a constant."""
    condition, body = node.attrs["condition"].graph, node.attrs["body"].graph
    test = condition.outputs[0].node
    limits = [node.attrs["limit"]] if isinstance(node.attrs["limit"], int) else []
    parts = [test] if test is not None else []
    least: list[int] = []
    while parts:
        one = parts.pop()
        if one.op is logical_and.op:
            if any(x.node is None for x in one.inputs):
                return None
            parts += [x.node for x in one.inputs if x.node is not None]
            continue
        count = _counted(node, one, condition, body)
        if count is None:
            return None
        least.append(count)
    return min([*least, *limits]) if least else None


def _counted(node: ir.Node, test: ir.Node, condition: ir.Graph, body: ir.Graph) -> int | None:
    if test.op not in (less.op, greater.op) or len(test.inputs) != 2:
        return None

    def outer(value: ir.Value) -> Any:
        """The constant that a value of the condition is, if it is one."""
        if value.const is not None:
            return ir.literal_of(value)
        position = next((i for i, x in enumerate(condition.inputs) if x is value), None)
        if position is None or position < node.attrs["n_carry"]:
            return None
        return ir.literal_of(node.inputs[position])

    counter, bound = test.inputs
    position = next((i for i, x in enumerate(condition.inputs) if x is counter), None)
    end = outer(bound)
    if position is None or position >= node.attrs["n_carry"] or end is None:
        return None
    begin = ir.literal_of(node.inputs[position])
    after = body.outputs[position].node
    if begin is None or after is None or after.op is not add.op:
        return None
    step = None
    for x, y in (after.inputs, after.inputs[::-1]):
        if x is body.inputs[position] and y.const is not None:
            step = ir.literal_of(y)
    if not step or not all(isinstance(one, int) for one in (begin, end, step)):
        return None
    if (test.op is less.op) != (step > 0):
        return None
    return max(0, -((begin - end) // step))
