"""Values that only selections use whose condition is one truth value, known later than they are.

The update of an optimizer that is skipped when a gradient is not finite stands in a branch, and
waits for all gradients. As a selection (`passes/branch_selection`) it could be computed before the
condition is known: it would be written to memory, and read again to be selected. What waits is
computed where it is selected.
"""

from __future__ import annotations

from tapeflow.core.record import lowering_forms as forms
from tapeflow.graph import ir
from tapeflow.ops.math.select import select


def late_values(graph: ir.Graph) -> set[ir.Value]:
    """Results of elementwise nodes that selections use, and nothing needs before."""
    needed = set(graph.outputs)
    selected: set[ir.Value] = set()  # by selections, or by what is late itself
    late: set[ir.Value] = set()
    for node in reversed(graph.nodes):
        out = node.outputs[0]
        waits = isinstance(node.op.lower, forms.Pointwise) and bool(out.shape) and (
            out in selected and out not in needed)
        if waits:
            late.add(out)
        if not waits and not _by_one_condition(node):
            needed.update(node.operands())
        elif node.op is select.op:
            needed.add(node.inputs[0])
            selected.update(node.inputs[1:])
        else:
            selected.update(node.inputs)
    return late


def _by_one_condition(node: ir.Node) -> bool:
    """Whether a node selects whole arrays by a scalar that the graph computes."""
    return node.op is select.op and not node.inputs[0].shape and (
        node.inputs[0].node is not None and bool(node.outputs[0].shape))
