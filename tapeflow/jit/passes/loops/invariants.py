"""What is the same in every iteration of a loop: made once, before it.

The gradient of a loop reads what its forward iterations collected. A weight that each iteration
casts or copies is collected too, again and again, and the backward loop reads it row by row. So
what iterations make of fixed operands alone is made before the loop, what is the same in each of
them is not collected, and rows that are all one value are an operand of the backward loop.
"""

from __future__ import annotations

from math import prod

from tapeflow.core.record import lowering_forms as forms
from tapeflow.core.record.primitive_ops import broadcast_to
from tapeflow.graph import ir
from tapeflow.jit.choices import Choice
from tapeflow.jit.passes.loops.rewriting import Loop

LEAST = 64  # elements of a value that is worth a place in memory

ONCE = Choice("hoisting.once", (False, True))  # whether what is the same each time is made before


def read_once(loop: Loop) -> None:
    """Rows that are all one value are that value."""
    for k, (inner, outer) in enumerate(loop.sequences):
        node = outer.node
        if node is None or node.op is not broadcast_to.op or node.inputs[0].shape != inner.shape:
            continue
        loop.sequences[k] = (ir.Value(inner.shape, inner.dtype), outer)  # may still tell the trips
        loop.fix(inner, node.inputs[0])


def compute_before(loop: Loop) -> None:
    """What iterations make of fixed operands is made before the loop."""
    for node in list(loop.body.nodes):
        outer = [x for x in map(loop.outer, node.inputs) if x is not None]
        may = _is_plain(node) and len(outer) == len(node.inputs) and any(
            x.const is None for x in outer)
        if not ONCE(may, (False, may)):
            continue
        old, before = node.outputs[0], ir.Node(node.op, tuple(outer), node.attrs, node.where)
        before.outputs = (ir.Value(old.shape, old.dtype, before),)
        loop.trace.graph.nodes.append(before)
        loop.body.nodes.remove(node)
        loop.fix(old, before.outputs[0])


def _is_plain(node: ir.Node) -> bool:
    """Whether a node has no effect, cannot fail, and makes no more than it reads."""
    if not isinstance(node.op.lower, (forms.Pointwise, forms.View, forms.Reshape)) or (
            len(node.outputs) != 1 or node.op.stateful or node.op.kind == "random"):
        return False
    if isinstance(node.op.lower, forms.Pointwise) and node.op.lower.divisor is not None:
        return False
    if any(isinstance(attr, ir.Value) for attr in node.attrs.values()):
        return False
    shapes = [x.shape for x in (*node.outputs, *node.inputs)]
    if any(shape is None or None in shape for shape in shapes):
        return False
    sizes = [prod(shape) for shape in shapes if shape is not None]
    return LEAST <= sizes[0] <= max(sizes[1:], default=0)


def repeated(loop: Loop, value: ir.Value, stack: ir.Value) -> ir.Value | None:
    """The stack of what is the same in every iteration, as a view of it."""
    outer = loop.outer(value)
    if outer is None or value.shape is None or None in value.shape or (
            stack.shape != (loop.trips, *value.shape)):
        return None
    return loop.trace.value_of(broadcast_to(loop.tensor(outer), shape=stack.shape))
