"""Products taken out of loops: many small ones become one large one, which uses all threads.

A loop of known iterations that multiplies the row of this iteration of something known before (the
inputs of a recurrent cell) by a fixed matrix gets the rows of the whole product instead. A loop
that sums products of two values of each iteration (the gradient of a weight), or their columns,
collects the values, and one product follows it. So does one for a product with a fixed matrix that
the loop only collects (the gradient of the inputs). What a loop would collect of rows that are
there is not collected. An array of which each iteration writes its row, or reads it, or adds to it,
is not carried: its rows are collected, or read where they are. The number of the iteration is not
counted where nobody asks for it. A fixed matrix that each iteration would transpose is transposed
before. Sums are rounded in another order; nothing else changes.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from tapeflow.core.record import lowering_forms as forms
from tapeflow.core.record.elementwise_ops import add
from tapeflow.core.record.primitive_ops import fill_like, reshape, sum_to, transpose
from tapeflow.core.record.row_ops import gather_rows, scatter_rows
from tapeflow.core.values.tensor import wrap
from tapeflow.graph import ir
from tapeflow.graph.executor.graph_function import GraphFunction
from tapeflow.graph.passes import copy
from tapeflow.graph.tracing.trace import Trace
from tapeflow.jit.choices import Choice
from tapeflow.jit.passes.trip_count import trip_count
from tapeflow.ops.control.tensor_array_ops import array_clear, array_write
from tapeflow.ops.linalg.matmul import matmul_call
from tapeflow.ops.reduce.reduction import reduce_sum

LEAST_TURNS = 4
LEAST_ROWS, LEAST_COLUMNS = 4, 16  # of a product for which its second operand is turned before
LARGEST = 1 << 25  # bytes of what is collected for one sum, or made beforehand

HOIST = Choice("hoisting.loop", (False, True))
BEFORE = Choice("hoisting.before", (False, True))  # products of rows that are there
AFTER = Choice("hoisting.after", ("rows", "count", "zeros", "placed", "columns", "product"))
TURN = Choice("hoisting.transpose", (False, True))  # whether a matrix is transposed before the loop


def hoist(graph: ir.Graph) -> ir.Graph:
    """The same graph with products outside of its loops; changes the graph that it is given."""
    if not any(isinstance(node.op.lower, forms.Loop) for node in graph.nodes):
        return graph
    trace = Trace(graph.name)
    new = trace.graph
    new.inputs, new.variables, new.captured = graph.inputs, graph.variables, graph.captured
    instead: dict[ir.Value, ir.Value] = {}

    def now(value: ir.Value) -> ir.Value:
        return instead.get(value, value)

    with trace:
        for node in graph.nodes:
            ir.replace_operands(node, now)
            if isinstance(node.op.lower, forms.Loop):
                turns = trip_count(node)
                may = turns is not None and turns >= LEAST_TURNS and not (
                    node.attrs["body"].graph.variables)
                if HOIST(may, (False, may)):
                    assert turns is not None
                    instead.update(_Loop(trace, node, turns).written())
                    continue
            new.nodes.append(node)
    new.outputs = [now(value) for value in graph.outputs]
    new.prune()  # a sum that nobody asks for
    new._hoisted = graph  # type: ignore[attr-defined]  # keeps ids alive
    return new


class _Loop:
    """A loop being changed: pairs of what the body calls an operand, and the operand."""

    def __init__(self, trace: Trace, node: ir.Node, turns: int):
        self.trace, self.node, self.turns = trace, node, turns
        attrs = node.attrs
        n_carry, n_seq = attrs["n_carry"], attrs["n_seq"]
        self.body = copy(attrs["body"].graph)
        pairs = list(zip(self.body.inputs, node.inputs, strict=True))
        self.carry, self.sequences = pairs[:n_carry], pairs[n_carry:n_carry + n_seq]
        self.fixed = pairs[n_carry + n_seq:]
        self.results = list(self.body.outputs[:n_carry])  # of what is carried
        self.collected = list(self.body.outputs[n_carry:])
        self.condition = None if attrs["condition"] is None else copy(attrs["condition"].graph)
        self.tested = [] if self.condition is None else self.condition.inputs[:n_carry]
        self._count_uses(set())

    def _count_uses(self, gone: set[int]) -> None:
        """How often the body looks at each value, when it does not make some of what it carried."""
        self.body.outputs = [x for i, x in enumerate(self.results) if i not in gone]
        self.body.outputs += self.collected
        self.body.prune()
        self.uses: dict[ir.Value, int] = {}
        for value in [x for one in self.body.nodes for x in one.operands()] + self.body.outputs:
            self.uses[value] = self.uses.get(value, 0) + 1

    def written(self) -> dict[ir.Value, ir.Value]:
        """Write the loop and what it needs before and after; gives what its results are now."""
        cleared = self._cleared()
        self._read_in_place()
        self._products_before()
        sums = {i: terms for i in range(len(self.carry)) if i not in cleared and (
            terms := self._summed(i) or self._filled(i))}
        sums.update(cleared)
        finals = dict(enumerate(self.node.outputs[:len(self.carry)]))
        found: dict[ir.Value, ir.Value] = {}
        kept: list[tuple[ir.Value, ir.Value]] = []
        later: list[tuple[ir.Value, ir.Value]] = []
        for value, old in zip(self.collected, self.node.outputs[len(self.carry):], strict=True):
            rows = self._rows(value)
            if rows is None and self._counts(value) and not self.node.attrs["reverse"]:
                rows = ir.constant(np.arange(self.turns, dtype=value.dtype))
            if rows is not None and rows.shape == old.shape:
                found[old] = rows
            else:
                (later if self._multiplied(value) else kept).append((value, old))
        self.collected = [value for value, _ in kept]
        products = [(self._stack(value), old) for value, old in later]
        stacks = {i: [self._stack(x) for x in values] for i, (_, values) in sums.items()}
        self._count_uses(set(sums))
        self._turn_before()
        if self._for_certain():
            for i, (inner, _) in enumerate(self.carry):
                if i not in sums and self._counts(inner) and self.uses[inner] == 1 and (
                        self.uses[self.results[i]] == 1):
                    sums[i], stacks[i] = ("count", ()), []
        outputs = self._finish(set(sums))
        stay = [i for i in finals if i not in sums]
        for old, new in zip([finals[i] for i in stay] + [old for _, old in kept], outputs,
                            strict=False):
            found[old] = new
        for stack, old in products:
            found[old] = self._rows_of(stack, outputs[len(stay):])
        for i, (kind, _) in sums.items():
            parts = [self._rows_of(x, outputs[len(stay):]) for x in stacks[i]]
            found[finals[i]] = self._total(kind, self.carry[i][1], parts)
        return found

    # -- what is known of values -------------------------------------------------------------------
    def _outer(self, value: ir.Value) -> ir.Value | None:
        """What a value is outside, if it is the same in every iteration."""
        if value.const is not None:
            return value
        return next((outer for inner, outer in self.fixed if inner is value), None)

    def _counts(self, value: ir.Value) -> bool:
        """Whether a value is the number of the iteration."""
        for (inner, outer), after in zip(self.carry, self.results, strict=True):
            if inner is value and ir.literal_of(outer) == 0 and after.node is not None and (
                    after.node.op is add.op and not value.shape):
                x, y = after.node.inputs
                return (x is inner and ir.literal_of(y) == 1) or (
                    y is inner and ir.literal_of(x) == 1)
        return False

    def _rows(self, value: ir.Value) -> ir.Value | None:
        """The value outside of which this one is the row of the iteration."""
        for inner, outer in self.sequences:
            if inner is value:
                return outer
        node = value.node
        if node is None or node.op is not gather_rows.op or self.node.attrs["reverse"]:
            return None
        whole = self._outer(node.inputs[0])
        if whole is None or not whole.shape or whole.shape[0] != self.turns:
            return None
        return whole if self._counts(node.inputs[1]) else None

    def _place(self, value: ir.Value) -> bool:
        """Whether a value is the place of the row of this iteration, in what is read row by row."""
        for inner, outer in self.sequences:
            if inner is value:
                return outer.const is not None and outer.dtype.kind in "iu" and (
                    np.array_equal(outer.const, np.arange(self.turns)))
        return self._counts(value) and not self.node.attrs["reverse"]

    def _unseen(self, i: int) -> bool:
        """Whether the condition does not look at something that is carried."""
        return self.condition is None or not any(
            self.tested[i] is x for x in [*self.condition.outputs, *[
                x for node in self.condition.nodes for x in node.operands()]])

    def _for_certain(self) -> bool:
        """Whether the sizes of its operands tell the trip count, also to the NumPy executor: then
        the loop needs no condition."""
        if self.condition is None:
            return True
        if not self.sequences or any(
                (outer.shape or (None,))[0] != self.turns for _, outer in self.sequences):
            return False
        self.condition = None
        return True

    # -- before the loop ---------------------------------------------------------------------------
    def _cleared(self) -> dict[int, tuple[str, tuple[ir.Value, ...]]]:
        """Arrays of which each iteration reads one row and clears it, as the gradient of writing an
        array does: rows of sequences."""
        found: dict[int, tuple[str, tuple[ir.Value, ...]]] = {}
        for i, (inner, outer) in enumerate(self.carry):
            node = self.results[i].node
            if node is None or node.op is not array_clear.op or node.inputs[0] is not inner or (
                    self.uses[self.results[i]] > 1 or not self._unseen(i)):
                continue
            if (inner.shape or (None,))[0] != self.turns or self.results[i].shape != inner.shape:
                continue
            place = node.inputs[1]
            readers = [one for one in self.body.nodes if one is not node and any(
                x is inner for x in one.operands())]
            if not self._place(place) or any(x is inner for x in self.collected) or any(
                    one.op is not gather_rows.op or one.inputs[0] is not inner
                    or one.inputs[1] is not place for one in readers):
                continue
            for one in readers:
                self._replace(one, outer)
            found[i] = "zeros", ()
        return found

    def _read_in_place(self) -> None:
        """A row that is picked by the number of the iteration becomes the row of a sequence."""
        for node in list(self.body.nodes):
            rows = self._rows(node.outputs[0])
            if rows is not None:
                self._replace(node, rows)

    def _products_before(self) -> None:
        for node in list(self.body.nodes):
            if _product(node, False) is None or not self._fits(node.outputs[0]):
                continue
            rows, matrix = self._rows(node.inputs[0]), self._outer(node.inputs[1])
            may = rows is not None and matrix is not None
            if BEFORE(may, (False, may)):
                assert rows is not None and matrix is not None
                whole = matmul_call(self._flat(rows), self._tensor(matrix))
                shape = (self.turns, *(node.outputs[0].shape or ()))
                self._replace(node, self.trace.value_of(reshape(whole, shape=shape)))

    def _turn_before(self) -> None:
        """A product with a fixed matrix that is turned round reads the turned one."""
        turned: dict[ir.Value, ir.Value] = {}
        for node in self.body.nodes:
            if _product(node, False, True) is None:
                continue
            inner, (rows, columns) = node.inputs[1], node.outputs[0].shape or ()
            outer = self._outer(inner)
            may = outer is not None and outer.const is None
            if not TURN(may and rows >= LEAST_ROWS and columns >= LEAST_COLUMNS, (False, may)):
                continue
            assert outer is not None
            if inner not in turned:
                whole = self.trace.value_of(transpose(self._tensor(outer), perm=(1, 0)))
                value = turned[inner] = ir.Value(whole.shape, whole.dtype)
                self.fixed.append((value, whole))
                if self.condition is not None:
                    self.condition.inputs.append(ir.Value(whole.shape, whole.dtype))
            node.inputs = (node.inputs[0], turned[inner])
            node.attrs = {**node.attrs, "transpose_b": False}

    def _replace(self, node: ir.Node, rows: ir.Value) -> None:
        """Let the rows of something outside take the place of a node."""
        old = node.outputs[0]
        value = ir.Value(old.shape, old.dtype)
        self.sequences.append((value, rows))
        self.body.nodes = [one for one in self.body.nodes if one is not node]
        for one in self.body.nodes:
            ir.replace_operands(one, lambda x: value if x is old else x)
        self.results = [value if x is old else x for x in self.results]
        self.collected = [value if x is old else x for x in self.collected]
        self.uses[value] = self.uses.get(old, 0)

    # -- after the loop ----------------------------------------------------------------------------
    def _summed(self, i: int) -> tuple[str, tuple[ir.Value, ...]] | None:
        """If this is a sum over the iterations that nothing else looks at: of what."""
        inner, after = self.carry[i][0], self.results[i]
        sum_node = after.node
        if sum_node is None or sum_node.op is not add.op or self.uses[after] > 1 or (
                self.uses.get(inner) != 1 or after.dtype.kind != "f"):
            return None
        if not self._unseen(i):
            return None
        term = next((x for x, y in (sum_node.inputs, sum_node.inputs[::-1]) if y is inner), None)
        if term is None or term.node is None or self.uses[term] > 1 or (
                term.shape != after.shape):
            return None
        pair = _product(term.node, True)
        if pair is not None and all(map(self._fits, pair)):
            return "product", pair
        if term.node.op is scatter_rows.op and self._place(term.node.inputs[1]):
            x = term.node.inputs[0]
            return ("placed", (x,)) if term.shape == (self.turns, *(x.shape or ())) else None
        if term.node.op is sum_to.op and len(term.shape or ()) == 1:
            x = term.node.inputs[0]
            if len(x.shape or ()) == 2 and (x.shape or ())[1:] == term.shape and self._fits(x):
                return "columns", (x,)
        return None

    def _filled(self, i: int) -> tuple[str, tuple[ir.Value, ...]] | None:
        """If this is an array of which each iteration writes its row, and nobody reads: the row."""
        inner, after = self.carry[i][0], self.results[i]
        node = after.node
        if node is None or node.op is not array_write.op or node.inputs[0] is not inner or (
                self.uses[after] > 1 or self.uses[inner] > 1 or not self._unseen(i)):
            return None
        value, place = node.inputs[1:]
        shape = (self.turns, *(value.shape or ()))
        if inner.shape != shape or after.shape != shape or not self._place(place):
            return None
        return "rows", (value,)

    def _multiplied(self, value: ir.Value) -> tuple[ir.Value, ir.Value, bool] | None:
        """If a value is a product with a fixed matrix that has one use: its operands outside, and
        whether the matrix is turned."""
        if value.node is None or self.uses[value] > 1:
            return None
        for turned in (False, True):
            pair = _product(value.node, False, turned)
            matrix = None if pair is None else self._outer(pair[1])
            if pair is not None and matrix is not None and self._fits(pair[0]) and (
                    self._fits(value)):
                return pair[0], matrix, turned
        return None

    def _stack(self, value: ir.Value) -> Any:
        """The values of all iterations: there already, the index of what is collected, or something
        that is multiplied after the loop; see `_rows_of`."""
        multiplied = self._multiplied(value)
        if multiplied is not None:
            return (self._stack(multiplied[0]), *multiplied[1:])
        rows = self._rows(value)
        if rows is not None:
            return rows
        for number, one in enumerate(self.collected):
            if one is value:
                return number
        self.collected.append(value)
        return len(self.collected) - 1

    def _rows_of(self, stack: Any, collected: tuple[ir.Value, ...]) -> ir.Value:
        """The rows that `_stack` has promised, when the loop is there."""
        if not isinstance(stack, tuple):
            return collected[stack] if isinstance(stack, int) else stack
        rows, matrix, turned = self._rows_of(stack[0], collected), stack[1], stack[2]
        whole = matmul_call(self._flat(rows), self._tensor(matrix), transpose_a=False,
                      transpose_b=turned)
        shape = (*(rows.shape or ())[:2], whole.shape[1])
        return self.trace.value_of(reshape(whole, shape=shape))

    def _finish(self, gone: set[int]) -> tuple[ir.Value, ...]:
        """Write the loop without some of what it carried; gives its results."""
        body, attrs = self.body, dict(self.node.attrs)
        carry = [pair for i, pair in enumerate(self.carry) if i not in gone]
        self._count_uses(gone)
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
        kept = [x for i, x in enumerate(self.node.outputs[:len(self.carry)]) if i not in gone]
        shapes = [x.shape for x in kept] + [(self.turns, *(x.shape or ())) for x in self.collected]
        node.outputs = tuple([ir.Value(shape, x.dtype, node, k) for k, (shape, x) in enumerate(
            zip(shapes, body.outputs, strict=True))])
        self.trace.graph.nodes.append(node)
        return node.outputs

    def _total(self, kind: str, begin: ir.Value, parts: list[ir.Value]) -> ir.Value:
        AFTER(kind)
        if kind == "rows":
            return parts[0]
        if kind == "count":
            return ir.constant(np.asarray(self.turns, begin.dtype))
        if kind == "zeros":
            return self.trace.value_of(fill_like(self._tensor(begin), value=0))
        if kind == "placed":
            total = self._tensor(parts[0])
        elif kind == "columns":
            total = reduce_sum(self._flat(parts[0]), axis=(0,), keepdims=False)
        else:
            total = matmul_call(*map(self._flat, parts), transpose_a=True, transpose_b=False)
        if begin.const is None or begin.const.any():
            total = add(self._tensor(begin), total)
        return self.trace.value_of(total)

    # -- values as tensors -------------------------------------------------------------------------
    def _fits(self, value: ir.Value) -> bool:
        count = value.dtype.itemsize * self.turns
        for n in value.shape or ():
            count *= n
        return count <= LARGEST

    def _tensor(self, value: ir.Value) -> Any:
        return self.trace.symbolic(value) if value.const is None else wrap(value.const)

    def _flat(self, value: ir.Value) -> Any:
        """All rows of a value of rank 3."""
        turns, rows, columns = value.shape or ()
        return reshape(self._tensor(value), shape=(turns * rows, columns))


def _product(node: ir.Node, first: bool, second: bool = False) -> tuple[ir.Value, ...] | None:
    """The operands of a product of two matrices, each turned or not, in float."""
    if node.op is not matmul_call.op or any(len(x.shape or ()) != 2 for x in node.inputs):
        return None
    if [bool(node.attrs.get(key)) for key in ("transpose_a", "transpose_b")] != [first, second]:
        return None
    return node.inputs if node.outputs[0].dtype.kind == "f" else None
