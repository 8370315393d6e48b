"""Branches of light elementwise bodies: both are computed, and a selection takes the place of one.

A branch of its own would write its results to memory and have them copied, into variables for
instance. Selected element by element they fuse with what is around them: the update of an optimizer
that is skipped when a gradient is not finite (loss scaling) costs one instruction more than one
that is not skipped.
"""

from __future__ import annotations

import operator

import numpy as np

from tapeflow.core.record import lowering_forms as forms
from tapeflow.core.record.op import EXPENSIVE
from tapeflow.core.record.primitive_ops import cast
from tapeflow.core.values.tensor import Tensor, wrap
from tapeflow.graph import ir
from tapeflow.graph.passes import simplify
from tapeflow.graph.tracing.trace import Trace
from tapeflow.jit.choices import Choice
from tapeflow.jit.passes.rebuild import Rewrite, rebuild
from tapeflow.jit.tiering.cost import bodies, size
from tapeflow.ops.math.comparison import equal
from tapeflow.ops.math.select import select

WORK_MAX = 32  # instructions for each element of the results, of both bodies
EXPENSIVE_WORK = 16  # instructions that an expensive function counts for
ROUNDS = 4  # a body may have branches itself
# Kernels that no whole numbers make fail; others, like a division, may.
TOTAL = frozenset({operator.add, operator.sub, operator.mul, operator.eq, operator.ne, operator.lt,
                   operator.le, operator.gt, operator.ge, np.maximum, np.minimum})

BRANCH = Choice("control.branch", ("body", "selection"))


def select_branches(graph: ir.Graph) -> ir.Graph:
    """The graph without branches whose bodies are light; uses the nodes that it is given."""
    for _ in range(ROUNDS):
        taken = [node for node in graph.nodes if isinstance(node.op.lower, forms.Branch)
                 and BRANCH(*(("selection", ("body", "selection")) if _suits(node)
                              else ("body",))) == "selection"]
        if not taken:
            break
        graph = rebuild(graph, _selecting(taken))
        simplify(graph)
    return graph


def _selecting(taken: list[ir.Node]) -> Rewrite:
    """Write the selections of some branches."""
    def rewrite(trace: Trace, node: ir.Node) -> dict[ir.Value, ir.Value] | None:
        return _selected(trace, node) if any(node is one for one in taken) else None

    return rewrite


def _suits(node: ir.Node) -> bool:
    """Whether both bodies of a branch may be computed, whichever is asked for."""
    graphs = [body.graph for body in bodies(node)]
    if len(graphs) != 2 or node.op.stateful:
        return False
    if any([value.shape for value in graph.outputs] != [value.shape for value in node.outputs]
           for graph in graphs):
        return False
    most = WORK_MAX * sum(size(value) for value in node.outputs)
    return sum(_work(graph) for graph in graphs) <= most


def _work(graph: ir.Graph) -> float:
    """Instructions of a body; infinite if it is not elementwise, or may fail."""
    if graph.variables:
        return float("inf")
    return sum(_node_work(node) for node in graph.nodes)


def _node_work(node: ir.Node) -> float:
    form = node.op.lower
    if isinstance(form, forms.Branch) and _suits(node):
        return sum(_work(body.graph) for body in bodies(node))
    if isinstance(form, forms.Reshape):
        return 0
    whole = any(value.dtype.kind in "iu" for value in node.inputs)
    if not isinstance(form, forms.Pointwise) or node.op.stateful or (
            whole and node.op.kernel not in TOTAL and node.op is not cast.op):
        return float("inf")
    if any(value.shape is None or None in value.shape for value in (*node.inputs, *node.outputs)):
        return float("inf")
    return size(node.outputs[0]) * (EXPENSIVE_WORK if node.op.cost >= EXPENSIVE else 1)


def _selected(trace: Trace, node: ir.Node) -> dict[ir.Value, ir.Value]:
    def tensor(value: ir.Value) -> Tensor:
        return trace.symbolic(value) if value.const is None else wrap(value.const)

    index, *operands = [tensor(value) for value in node.inputs]
    first, last = [body.replay(operands, []) for body in bodies(node)]
    taken = equal(index, wrap(np.array(0, node.inputs[0].dtype)))
    return {value: trace.value_of(select(taken, x, y))
            for value, x, y in zip(node.outputs, first, last, strict=True)}
