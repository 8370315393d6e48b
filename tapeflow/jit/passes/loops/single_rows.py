"""Arrays of one row, which a loop writes again and again: the row is carried in their place.

A recurrent layer that returns its last output alone writes each output to the only row of an array,
and the gradient reads that row and clears it. As arrays they keep the rows of the batch from being
shared by threads (`parallelism.py`), and each write copies.
"""

from __future__ import annotations

from tapeflow.core.record.primitive_ops import fill_like, reshape
from tapeflow.core.record.row_ops import gather_rows
from tapeflow.graph import ir
from tapeflow.jit.choices import Choice
from tapeflow.jit.passes.loops.rewriting import Loop
from tapeflow.ops.control.tensor_array_ops import array_clear, array_write

SINGLE = Choice("hoisting.single_row", (False, True))


def carry_rows(loop: Loop) -> list[int]:
    """Carry the row instead of the array; gives which of the carried values these are."""
    found = []
    for i in range(len(loop.carry)):
        may = _is_single(loop, i)
        if SINGLE(may, (False, may)):
            _carry_row(loop, i)
            found.append(i)
    if found:
        loop.count_uses(set())
    return found


def _is_single(loop: Loop, i: int) -> bool:
    """Whether a carried value has one row, which iterations read, write or clear as a whole."""
    inner, result = loop.carry[i][0], loop.results[i]
    if len(inner.shape or ()) < 2 or (inner.shape or (0,))[0] != 1 or (
            not loop.is_untested(i) or any(inner is x for x in loop.collected)):
        return False
    writer = result.node
    if result is not inner and (
            writer is None or writer.op not in (array_write.op, array_clear.op)
            or not _is_of_row(writer, inner) or loop.uses[result] > 1):
        return False
    others = [node for node in loop.body.nodes if node is not writer and any(
        inner is x for x in node.operands())]
    used = [k for k, one in enumerate(loop.results) if one is inner and k != i]
    return not used and all(node.op is gather_rows.op and _is_of_row(node, inner)
                            for node in others)


def _is_of_row(node: ir.Node, array: ir.Value) -> bool:
    """Whether a node is about the first row of this array, and looks at it for nothing else."""
    return node.inputs[0] is array and ir.literal_of(node.inputs[-1]) == 0 and not any(
        x is array for x in node.inputs[1:]) and not node.inputs[-1].shape


def _carry_row(loop: Loop, i: int) -> None:
    inner, outer = loop.carry[i]
    row = ir.Value((inner.shape or ())[1:], inner.dtype)
    writer = loop.results[i].node if loop.results[i] is not inner else None
    if writer is None:
        loop.results[i] = row
    elif writer.op is array_write.op:
        loop.results[i] = writer.inputs[1]
    else:
        cleared = ir.Node(fill_like.op, (row,), {"value": 0}, writer.where)
        cleared.outputs = (ir.Value(row.shape, row.dtype, cleared),)
        loop.body.nodes.append(cleared)
        loop.results[i] = cleared.outputs[0]
    for node in [one for one in loop.body.nodes
                 if one.op is gather_rows.op and one.inputs[0] is inner]:
        loop.put(node, row)
    loop.body.nodes = [node for node in loop.body.nodes if node is not writer]
    loop.carry[i] = row, loop.trace.value_of(reshape(loop.tensor(outer), shape=row.shape))
    if loop.condition is not None:
        loop.tested[i].shape = row.shape
