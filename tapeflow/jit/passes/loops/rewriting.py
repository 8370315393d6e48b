"""A loop that is being rewritten: what is known of its values, and changes to its operands."""

from __future__ import annotations

from math import prod
from typing import Any

import numpy as np

from tapeflow.core.record.elementwise_ops import add
from tapeflow.core.record.primitive_ops import reshape
from tapeflow.core.record.row_ops import gather_rows
from tapeflow.core.values.tensor import wrap
from tapeflow.graph import ir
from tapeflow.graph.control_flow.loop_spec import LoopSpec
from tapeflow.graph.executor.graph_function import GraphFunction
from tapeflow.graph.passes import copy
from tapeflow.graph.tracing.trace import Trace
from tapeflow.ops.linalg.matmul import matmul_call

LARGEST = 1 << 25  # bytes of what is collected for one sum, or made beforehand


class Loop:
    """A loop being rewritten: pairs of what the body calls an operand, and the operand.

    trips      the trip count
    carry, sequences, fixed   pairs: carried, one row each iteration, the same in every iteration
    results    of the body: what is carried on
    collected  of the body: what the loop collects
    tested     what the condition calls the carried values
    uses       how often the body looks at each value
    integers   values in all iterations, if known, of those that were asked for
    """

    def __init__(self, trace: Trace, node: ir.Node, trips: int):
        self.trace, self.node, self.trips = trace, node, trips
        spec = LoopSpec(**node.attrs)
        self.body = copy(spec.body.graph)
        self.carry, self.sequences, self.fixed = spec.split(
            list(zip(self.body.inputs, node.inputs, strict=True)))
        self.results = list(self.body.outputs[:spec.n_carry])  # of what is carried
        self.collected = list(self.body.outputs[spec.n_carry:])
        self.condition = None if spec.condition is None else copy(spec.condition.graph)
        self.tested = [] if self.condition is None else self.condition.inputs[:spec.n_carry]
        self.integers: dict[ir.Value, np.ndarray | None] = {}
        self.count_uses(set())

    def count_uses(self, gone: set[int]) -> None:
        """How often the body looks at each value, when it does not make some of what it carried."""
        self.body.outputs = [x for i, x in enumerate(self.results) if i not in gone]
        self.body.outputs += self.collected
        self.body.prune()
        self.uses: dict[ir.Value, int] = {}
        for value in [x for one in self.body.nodes for x in one.operands()] + self.body.outputs:
            self.uses[value] = self.uses.get(value, 0) + 1

    # -- what is known of values -------------------------------------------------------------------
    def outer(self, value: ir.Value) -> ir.Value | None:
        """What a value is outside, if it is the same in every iteration."""
        if value.const is not None:
            return value
        return next((outer for inner, outer in self.fixed if inner is value), None)

    def counts(self, value: ir.Value) -> bool:
        """Whether a value is the index of the iteration."""
        for (inner, outer), after in zip(self.carry, self.results, strict=True):
            if inner is value and ir.literal_of(outer) == 0 and after.node is not None and (
                    after.node.op is add.op and not value.shape):
                x, y = after.node.inputs
                return (x is inner and ir.literal_of(y) == 1) or (
                    y is inner and ir.literal_of(x) == 1)
        return False

    def rows_outside(self, value: ir.Value) -> ir.Value | None:
        """The value outside of which this one is the row of the iteration."""
        for inner, outer in self.sequences:
            if inner is value:
                return outer
        node = value.node
        if node is None or node.op is not gather_rows.op or self.node.attrs["reverse"]:
            return None
        whole = self.outer(node.inputs[0])
        if whole is None or not whole.shape or whole.shape[0] != self.trips:
            return None
        return whole if self.counts(node.inputs[1]) else None

    def is_row_index(self, value: ir.Value) -> bool:
        """Whether a value is the index of this iteration's row, in what is read row by row."""
        for inner, outer in self.sequences:
            if inner is value:
                return outer.const is not None and outer.dtype.kind in "iu" and (
                    np.array_equal(outer.const, np.arange(self.trips)))
        return self.counts(value) and not self.node.attrs["reverse"]

    def is_untested(self, i: int) -> bool:
        """Whether the condition does not look at something that is carried."""
        return self.condition is None or not any(
            self.tested[i] is x for x in [*self.condition.outputs, *[
                x for node in self.condition.nodes for x in node.operands()]])

    def fits(self, value: ir.Value) -> bool:
        """Whether the values of all iterations are not too large together, and of known size."""
        if value.shape is None or None in value.shape:
            return False
        return value.dtype.itemsize * self.trips * prod(value.shape) <= LARGEST

    def multiplied(self, value: ir.Value) -> tuple[ir.Value, ir.Value, bool] | None:
        """If a value is a product with a fixed matrix that has one use: its operands outside, and
        whether the matrix is transposed."""
        if value.node is None or self.uses[value] > 1:
            return None
        for transposed in (False, True):
            pair = matrix_product(value.node, False, transposed)
            matrix = None if pair is None else self.outer(pair[1])
            if pair is not None and matrix is not None and self.fits(pair[0]) and (
                    self.fits(value)):
                return pair[0], matrix, transposed
        return None

    # -- changes -----------------------------------------------------------------------------------
    def fix(self, inner: ir.Value, outer: ir.Value) -> None:
        """A value of the body is from now on an operand that is the same in every iteration."""
        self.fixed.append((inner, outer))
        if self.condition is not None:
            self.condition.inputs.append(ir.Value(outer.shape, outer.dtype))

    def drop_condition(self) -> bool:
        """Whether the sizes of its operands tell the trip count, also to the NumPy executor: then
        the loop needs no condition."""
        if self.condition is None:
            return True
        if not self.sequences or any(
                (outer.shape or (None,))[0] != self.trips for _, outer in self.sequences):
            return False
        self.condition = None
        return True

    def replace(self, node: ir.Node, rows: ir.Value) -> None:
        """Let the rows of something outside stand for a node."""
        old = node.outputs[0]
        value = ir.Value(old.shape, old.dtype)
        self.sequences.append((value, rows))
        self.put(node, value)

    def put(self, node: ir.Node, value: ir.Value) -> None:
        """Let a value of the body stand for a node."""
        old = node.outputs[0]
        self.body.nodes = [one for one in self.body.nodes if one is not node]
        for one in self.body.nodes:
            ir.replace_operands(one, lambda x: value if x is old else x)
        self.results = [value if x is old else x for x in self.results]
        self.collected = [value if x is old else x for x in self.collected]
        self.uses[value] = self.uses.get(old, 0)

    def finish(self, gone: set[int]) -> tuple[ir.Value, ...]:
        """Write the loop without some of what it carried; gives its results."""
        body, attrs = self.body, dict(self.node.attrs)
        carry = [pair for i, pair in enumerate(self.carry) if i not in gone]
        self.count_uses(gone)
        self.sequences = [pair for pair in self.sequences
                          if pair[0] in self.uses] or self.sequences[:1]
        if self.condition is None:
            self.fixed = [pair for pair in self.fixed if pair[0] in self.uses]
        operands = [*carry, *self.sequences, *self.fixed]
        body.inputs = [inner for inner, _ in operands]
        attrs.update(body=GraphFunction(body, inner=True), n_carry=len(carry),
                     n_seq=len(self.sequences))
        attrs["condition"] = None
        if self.condition is not None:
            self.condition.inputs = [x for i, x in enumerate(self.condition.inputs)
                                     if i not in gone]
            attrs["condition"] = GraphFunction(self.condition, inner=True)
        node = ir.Node(self.node.op, tuple([outer for _, outer in operands]), attrs,
                       self.node.where)
        shapes = [inner.shape for inner, _ in carry] + [
            (self.trips, *(x.shape or ())) for x in self.collected]
        node.outputs = tuple([ir.Value(shape, x.dtype, node, k) for k, (shape, x) in enumerate(
            zip(shapes, body.outputs, strict=True))])
        self.trace.graph.nodes.append(node)
        return node.outputs

    # -- values of all iterations ------------------------------------------------------------------
    def stack(self, value: ir.Value) -> Any:
        """The values of all iterations: there already, the index of what is collected, or something
        that is multiplied after the loop; see `_rows_of`."""
        multiplied = self.multiplied(value)
        if multiplied is not None:
            return (self.stack(multiplied[0]), *multiplied[1:])
        rows = self.rows_outside(value)
        if rows is not None:
            return rows
        for position, one in enumerate(self.collected):
            if one is value:
                return position
        self.collected.append(value)
        return len(self.collected) - 1

    def rows_of(self, stack: Any, collected: tuple[ir.Value, ...]) -> ir.Value:
        """The rows that `_stack` has promised, when the loop is there."""
        if not isinstance(stack, tuple):
            return collected[stack] if isinstance(stack, int) else stack
        rows, matrix, transposed = self.rows_of(stack[0], collected), stack[1], stack[2]
        whole = matmul_call(self.flat(rows), self.tensor(matrix), transpose_a=False,
                      transpose_b=transposed)
        shape = (*(rows.shape or ())[:2], whole.shape[1])
        return self.trace.value_of(reshape(whole, shape=shape))

    def tensor(self, value: ir.Value) -> Any:
        return self.trace.symbolic(value) if value.const is None else wrap(value.const)

    def flat(self, value: ir.Value) -> Any:
        """All rows of a value of rank 3."""
        trips, rows, columns = value.shape or ()
        return reshape(self.tensor(value), shape=(trips * rows, columns))


def matrix_product(node: ir.Node, first: bool, second: bool = False) -> tuple[ir.Value, ...] | None:
    """The operands of a product of two matrices, each transposed or not, in float."""
    if node.op is not matmul_call.op or any(len(x.shape or ()) != 2 for x in node.inputs):
        return None
    if [bool(node.attrs.get(key)) for key in ("transpose_a", "transpose_b")] != [first, second]:
        return None
    return node.inputs if node.outputs[0].dtype.kind in "fV" else None
