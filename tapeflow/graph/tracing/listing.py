"""The operations of a traced function, as programs list them: inputs, constants and nodes.

Loaded when somebody asks.
"""

from __future__ import annotations

from typing import Any

from tapeflow.graph import ir
from tapeflow.graph.tracing.operation import Operation


def operations_of(trace: Any) -> list[Operation]:
    """Inputs, then nodes in program order, each after the constants that it takes."""
    found = [Operation(trace, None, value) for value in trace.graph.inputs]
    met: set[ir.Value] = set()
    for node in trace.graph.nodes:
        one = Operation(trace, node, node.outputs[0] if node.outputs else ir.Value((), None, node))
        for word, value in zip("xyz", node.inputs, strict=False):
            if value.const is not None and value not in met:
                value.name = value.name or f"{one.name}/{word}"
                met.add(value)
                found.append(Operation(trace, None, value))
        found.append(one)
    return found
