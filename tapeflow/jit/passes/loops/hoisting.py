"""Products taken out of loops: many small ones become one large one, which uses all threads.

A loop of known iterations that multiplies the row of this iteration of something known before (the
inputs of a recurrent cell) by a fixed matrix gets the rows of the whole product instead. A loop
that sums products of two values of each iteration (the gradient of a weight), or their columns,
collects the values, and one product follows it. So does one for a product with a fixed matrix that
the loop only collects (the gradient of the inputs). Products of bfloat16 that are summed in float32
are made in float32; those of float16 one by one, since each may overflow. What a loop would collect
of rows that are there is not collected. An array of which each iteration writes its row, or reads
it, or adds to it, is not carried: its rows are collected, or read where they are. The index of the
iteration is not counted where nobody asks for it. A fixed matrix that each iteration would
transpose is transposed before. Sums are rounded in another order; nothing else changes.
"""

from __future__ import annotations

from math import prod
from typing import Any, NamedTuple

import numpy as np

from tapeflow.core.record import lowering_forms as forms
from tapeflow.core.record.elementwise_ops import add
from tapeflow.core.record.primitive_ops import cast, fill_like, reshape, sum_to, transpose
from tapeflow.core.record.row_ops import gather_rows, scatter_rows
from tapeflow.graph import ir
from tapeflow.graph.tracing.trace import Trace
from tapeflow.jit.choices import Choice
from tapeflow.jit.codegen.builder import HALF, name_of
from tapeflow.jit.passes.loops.indices import (
    Place,
    known_integers,
    pick_rows,
    placed,
    put_in_place,
)
from tapeflow.jit.passes.loops.invariants import compute_before, read_once, repeated
from tapeflow.jit.passes.loops.rewriting import Loop, matrix_product
from tapeflow.jit.passes.loops.single_rows import carry_rows
from tapeflow.jit.passes.loops.trip_count import trip_count
from tapeflow.jit.passes.rebuild import rebuild
from tapeflow.ops.control.tensor_array_ops import array_clear, array_write
from tapeflow.ops.linalg.matmul import matmul_call
from tapeflow.ops.reduce.reduction import reduce_sum

LEAST_TRIPS = 4
TERMS_MOST = 4 << 20  # bytes of products in float16 that are made one by one and summed
LEAST_ROWS, LEAST_COLUMNS = 4, 16  # of a product for which its second operand is transposed before

HOIST = Choice("hoisting.loop", (False, True))
BEFORE = Choice("hoisting.before", (False, True))  # products of rows that are there
AFTER = Choice("hoisting.after", ("rows", "count", "zeros", "placed", "picked", "columns",
                                  "product", "each column", "each product"))
TRANSPOSE = Choice("hoisting.transpose", (False, True))  # whether a matrix is, before the loop


def hoist(graph: ir.Graph) -> ir.Graph:
    """The same graph with products outside of its loops; changes the graph that it is given."""
    if not any(isinstance(node.op.lower, forms.Loop) for node in graph.nodes):
        return graph
    new = rebuild(graph, _rewrite)
    new.prune()  # a sum that nobody asks for
    return new


def _rewrite(trace: Trace, node: ir.Node) -> dict[ir.Value, ir.Value] | None:
    if not isinstance(node.op.lower, forms.Loop):
        return None
    trips = trip_count(node)
    may = trips is not None and trips >= LEAST_TRIPS and not node.attrs["body"].graph.variables
    if not HOIST(may, (False, may)):
        return None
    assert trips is not None
    return rewrite_loop(Loop(trace, node, trips))


class After(NamedTuple):
    """How a carried value is made after the loop instead: of the values of all iterations."""

    kind: str
    values: tuple[ir.Value, ...]
    place: Place | None = None


def rewrite_loop(loop: Loop) -> dict[ir.Value, ir.Value]:
    """Write the loop and what it needs before and after; gives what its results are now."""
    read_once(loop)
    compute_before(loop)
    pick_rows(loop)
    single = carry_rows(loop)
    after = read_cleared_rows(loop)
    read_rows_in_place(loop)
    multiply_before(loop)
    cleared = set(after)
    made = {i: how for i in range(len(loop.carry)) if i not in cleared and (
        how := summed_after(loop, i) or filled_after(loop, i))}
    after = {**made, **after}
    found, kept, later = collect_less(loop)
    products = [(loop.stack(value), old) for value, old in later]
    stacks = {i: [loop.stack(x) for x in how.values] for i, how in after.items()}
    loop.count_uses(set(after))
    transpose_before(loop)
    for i in drop_counters(loop, set(after)):
        after[i], stacks[i] = After("count", ()), []
    outputs = loop.finish(set(after))
    finals = loop.node.outputs[:len(loop.carry)]
    stay = [old for i, old in enumerate(finals) if i not in after]
    found.update(zip([*stay, *kept], outputs, strict=False))
    collected = outputs[len(stay):]
    for stack, old in products:
        found[old] = loop.rows_of(stack, collected)
    for i, how in after.items():
        parts = [loop.rows_of(x, collected) for x in stacks[i]]
        found[finals[i]] = _total(loop, how, loop.carry[i][1], parts)
    for i in single:
        row = loop.tensor(found[finals[i]])
        found[finals[i]] = loop.trace.value_of(reshape(row, shape=finals[i].shape))
    return found


Collected = list[tuple[ir.Value, ir.Value]]  # of the body, and the loop's result


def collect_less(loop: Loop) -> tuple[dict[ir.Value, ir.Value], list[ir.Value], Collected]:
    """What would be collected of rows that are there is not, nor what is the same each time, nor
    are products with a fixed matrix, of which the loop collects the first operands.

    Gives what results are, those that are collected still, and those that are multiplied after.
    """
    found: dict[ir.Value, ir.Value] = {}
    kept: Collected = []
    later: Collected = []
    for value, old in zip(loop.collected, loop.node.outputs[len(loop.carry):], strict=True):
        rows = loop.rows_outside(value)
        integers = known_integers(loop, value) if rows is None else None
        if integers is not None:
            rows = ir.constant(integers)
        if rows is None:
            rows = repeated(loop, value, old)
        if rows is not None and rows.shape == old.shape:
            found[old] = rows
        else:
            (later if loop.multiplied(value) else kept).append((value, old))
    loop.collected = [value for value, _ in kept]
    return found, [old for _, old in kept], later


def drop_counters(loop: Loop, gone: set[int]) -> list[int]:
    """Counters of iterations that nobody asks for are not carried, if the loop needs no condition.
    """
    if not loop.drop_condition():
        return []
    return [i for i, (inner, _) in enumerate(loop.carry) if i not in gone and loop.counts(inner)
            and loop.uses[inner] == 1 and loop.uses[loop.results[i]] == 1]


def read_cleared_rows(loop: Loop) -> dict[int, After]:
    """Arrays of which each iteration reads one row and clears it, as the gradient of writing an
    array does: rows of sequences."""
    found: dict[int, After] = {}
    for i, (inner, outer) in enumerate(loop.carry):
        node = loop.results[i].node
        if node is None or node.op is not array_clear.op or node.inputs[0] is not inner or (
                loop.uses[loop.results[i]] > 1 or not loop.is_untested(i)):
            continue
        if (inner.shape or (None,))[0] != loop.trips or loop.results[i].shape != inner.shape:
            continue
        index = node.inputs[1]
        readers = [one for one in loop.body.nodes if one is not node and any(
            x is inner for x in one.operands())]
        if not loop.is_row_index(index) or any(x is inner for x in loop.collected) or any(
                one.op is not gather_rows.op or one.inputs[0] is not inner
                or one.inputs[1] is not index for one in readers):
            continue
        for one in readers:
            loop.replace(one, outer)
        found[i] = After("zeros", ())
    return found


def read_rows_in_place(loop: Loop) -> None:
    """A row that is picked by the index of the iteration becomes the row of a sequence."""
    for node in list(loop.body.nodes):
        rows = loop.rows_outside(node.outputs[0])
        if rows is not None:
            loop.replace(node, rows)


def multiply_before(loop: Loop) -> None:
    """A product of the iteration's row with a fixed matrix becomes a row of one large product."""
    for node in list(loop.body.nodes):
        if matrix_product(node, False) is None or not loop.fits(node.outputs[0]):
            continue
        rows, matrix = loop.rows_outside(node.inputs[0]), loop.outer(node.inputs[1])
        may = rows is not None and matrix is not None
        if BEFORE(may, (False, may)):
            assert rows is not None and matrix is not None
            whole = matmul_call(loop.flat(rows), loop.tensor(matrix))
            shape = (loop.trips, *(node.outputs[0].shape or ()))
            loop.replace(node, loop.trace.value_of(reshape(whole, shape=shape)))


def transpose_before(loop: Loop) -> None:
    """A product with a fixed matrix that it transposes reads one that is transposed before."""
    transposed: dict[ir.Value, ir.Value] = {}
    for node in loop.body.nodes:
        if matrix_product(node, False, True) is None:
            continue
        inner, (rows, columns) = node.inputs[1], node.outputs[0].shape or ()
        outer = loop.outer(inner)
        may = outer is not None and outer.const is None
        if not TRANSPOSE(may and rows >= LEAST_ROWS and columns >= LEAST_COLUMNS, (False, may)):
            continue
        assert outer is not None
        if inner not in transposed:
            whole = loop.trace.value_of(transpose(loop.tensor(outer), perm=(1, 0)))
            value = transposed[inner] = ir.Value(whole.shape, whole.dtype)
            loop.fix(value, whole)
        node.inputs = (node.inputs[0], transposed[inner])
        node.attrs = {**node.attrs, "transpose_b": False}


def summed_after(loop: Loop, i: int) -> After | None:
    """If this is a sum over the iterations that nothing else looks at: of what."""
    inner, after = loop.carry[i][0], loop.results[i]
    sum_node = after.node
    if sum_node is None or sum_node.op is not add.op or loop.uses[after] > 1 or (
            loop.uses.get(inner) != 1 or after.dtype.kind not in "fV"):
        return None
    if not loop.is_untested(i):
        return None
    term = next((x for x, y in (sum_node.inputs, sum_node.inputs[::-1]) if y is inner), None)
    each = ""  # what is summed in float32 was rounded in each iteration
    if term is not None and _is_widened(term) and loop.uses[term] == 1:
        term = term.node.inputs[0]  # type: ignore[union-attr]
        each = "each " if term.dtype == np.float16 else ""
    if term is None or term.node is None or loop.uses[term] > 1 or (
            term.shape != after.shape):
        return None
    pair = matrix_product(term.node, True)
    size = loop.trips * prod(term.shape or ()) * term.dtype.itemsize
    if pair is not None and all(map(loop.fits, pair)) and not (each and size > TERMS_MOST):
        return After(f"{each}product", pair)
    if term.node.op is scatter_rows.op and loop.is_row_index(term.node.inputs[1]):
        x = term.node.inputs[0]
        return After("placed", (x,)) if term.shape == (loop.trips, *(x.shape or ())) else None
    place = placed(loop, term.node)
    if place is not None:
        return After("picked", place[:1], place[1])
    if term.node.op is sum_to.op and len(term.shape or ()) == 1:
        x = term.node.inputs[0]
        if len(x.shape or ()) == 2 and (x.shape or ())[1:] == term.shape and loop.fits(x):
            return After("each column" if each else "columns", (x,))
    return None


def _is_widened(value: ir.Value) -> bool:
    """Whether this is a value of half precision as float32. Made in float32 throughout, a sum of
    bfloat16 rounds less but overflows no later; one of float16 would."""
    node = value.node
    return node is not None and node.op is cast.op and value.dtype == np.float32 and (
        name_of(node.inputs[0].dtype) in HALF)


def filled_after(loop: Loop, i: int) -> After | None:
    """If this is an array of which each iteration writes its row, and nobody reads: the row."""
    inner, after = loop.carry[i][0], loop.results[i]
    node = after.node
    if node is None or node.op is not array_write.op or node.inputs[0] is not inner or (
            loop.uses[after] > 1 or loop.uses[inner] > 1 or not loop.is_untested(i)):
        return None
    value, index = node.inputs[1:]
    shape = (loop.trips, *(value.shape or ()))
    if inner.shape != shape or after.shape != shape or not loop.is_row_index(index):
        return None
    return After("rows", (value,))


def _total(loop: Loop, how: After, begin: ir.Value, parts: list[ir.Value]) -> ir.Value:
    kind = AFTER(how.kind)
    if kind == "rows":
        return parts[0]
    if kind == "count":
        return ir.constant(np.asarray(loop.trips, begin.dtype))
    if kind == "zeros":
        return loop.trace.value_of(fill_like(loop.tensor(begin), value=0))

    def wide(x: Any) -> Any:
        return x if x.dtype.np == begin.dtype else cast(x, dtype=begin.dtype)

    if kind == "placed":
        total = wide(loop.tensor(parts[0]))
    elif how.place is not None:
        total = put_in_place(wide(loop.tensor(parts[0])), how.place)
    elif kind == "each column":
        sums = reduce_sum(loop.tensor(parts[0]), axis=(1,), keepdims=False)
        total = reduce_sum(wide(sums), axis=(0,), keepdims=False)
    elif kind == "each product":
        products = matmul_call(*[loop.tensor(x) for x in parts], transpose_a=True,
                               transpose_b=False)
        total = reduce_sum(wide(products), axis=(0,), keepdims=False)
    elif kind == "columns":
        total = reduce_sum(wide(loop.flat(parts[0])), axis=(0,), keepdims=False)
    else:
        total = matmul_call(*[wide(loop.flat(x)) for x in parts], transpose_a=True,
                            transpose_b=False)
    if begin.const is None or begin.const.any():
        total = add(loop.tensor(begin), total)
    return loop.trace.value_of(total)
