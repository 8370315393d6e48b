"""A graph written anew, node by node: what passes share that replace nodes by others."""

from __future__ import annotations

from collections.abc import Callable

from tapeflow.graph import ir
from tapeflow.graph.tracing.trace import Trace

Rewrite = Callable[[Trace, ir.Node], dict[ir.Value, ir.Value] | None]


def rebuild(graph: ir.Graph, rewrite: Rewrite) -> ir.Graph:
    """The graph with what `rewrite` writes in place of nodes; uses the nodes that it is given.

    rewrite(trace, node) writes ops into the trace and gives what the node's results are now; None
    keeps the node.
    """
    trace = Trace(graph.name)
    new = trace.graph
    new.inputs, new.variables, new.captured = graph.inputs, graph.variables, graph.captured
    instead: dict[ir.Value, ir.Value] = {}

    def now(value: ir.Value) -> ir.Value:
        return instead.get(value, value)

    with trace:
        for node in graph.nodes:
            ir.replace_operands(node, now)
            found = rewrite(trace, node)
            if found is None:
                new.nodes.append(node)
            else:
                instead.update(found)
    new.outputs = [now(value) for value in graph.outputs]
    new._rebuilt_from = graph  # type: ignore[attr-defined]  # keeps ids alive
    return new
