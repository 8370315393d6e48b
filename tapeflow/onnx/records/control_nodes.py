"""Nodes that hold graphs: branches as If, loops as Loop, maps as Scan.

A body reads what is outside by its name, so that only what changes is carried.
"""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np

from tapeflow.core.record.elementwise_ops import add
from tapeflow.graph import ir
from tapeflow.graph.control_flow.loop_spec import LoopSpec
from tapeflow.onnx.onnx_graph import ExportError
from tapeflow.onnx.onnx_records import written
from tapeflow.onnx.onnx_writer import BOOL, INT64, GraphWriter, Term
from tapeflow.ops.control.tensor_array_ops import array_write


@written("cond")
def _cond(w: GraphWriter, node: Any, index: Term, *captured: Term) -> list[Term]:
    branches = node.attrs["branches"]
    return _choice(w, index, list(branches), list(captured), node, 0)


def _choice(w: GraphWriter, index: Term, branches: list, captured: list[Term], node: Any,
            position: int) -> list[Term]:
    """If the index is `position` its branch, else the choice among the others."""
    if position == len(branches) - 1:
        return w.inline(branches[position].graph, captured)
    first, rest = w.subgraph("then"), w.subgraph("else")
    taken = first.inline(branches[position].graph, captured)
    others = _choice(rest, index, branches, captured, node, position + 1)
    for one, results in ((first, taken), (rest, others)):
        for value, term in zip(node.outputs, results, strict=True):
            one.output(term, shape=value.shape)
    if not node.outputs:
        return []
    return w.ops("If", len(node.outputs), index.equals(position),
                 dtypes=[value.dtype for value in node.outputs], then_branch=first.graph,
                 else_branch=rest.graph)


@written("while")
def _while(w: GraphWriter, node: Any, *operands: Term) -> list[Term]:
    spec = LoopSpec(**node.attrs)
    carry, sequences, invariants = spec.split(operands)
    limit = None if spec.limit is None else w.reshape(w.vector(spec.limit), ())
    if spec.condition is None:
        limit, before = w.squeeze(w.size_of(sequences[0], 0), 0), None
    else:
        before = w.inline(spec.condition.graph, [*carry, *invariants])[0]
        before = w.reshape(before, ())
    rows = _rows_in_order(spec, carry)
    body = w.subgraph("loop")
    at = body.input("iteration", INT64, ())
    body.input("go_on", BOOL, ())
    given = spec.body.graph.inputs
    state = [carry[i] if i in rows else body.input("carry", value.dtype, value.shape)
             for i, value in enumerate(given[:spec.n_carry])]
    if spec.reverse and limit is not None:
        at = limit - 1 - at
    elements = [body.op("Gather", one, at, axis=0) for one in sequences]
    results = body.inline(_with_rows(spec.body.graph, rows), [*state, *elements, *invariants])
    after = results[:spec.n_carry]
    if spec.condition is None:
        test = body.constant(np.array(True))
    else:
        test = body.reshape(body.inline(spec.condition.graph, [*after, *invariants])[0], ())
    body.output(test, shape=())
    kept = [i for i in range(spec.n_carry) if i not in rows]
    collected = [*rows, *range(spec.n_carry, len(results))]  # by the results that they are
    for i in kept:
        body.output(results[i], shape=given[i].shape)
    for i in collected:
        value = rows[i] if i in rows else spec.body.graph.outputs[i]
        body.output(results[i], shape=value.shape)
    order = [*kept, *collected]
    made = w.ops("Loop", len(order), limit, before, *[carry[i] for i in kept],
                 dtypes=[node.outputs[i].dtype for i in order], body=body.graph)
    found = [one for _, one in sorted(zip(order, made, strict=True), key=lambda pair: pair[0])]
    for i in rows:
        found[i] = _filled(w, found[i], carry[i])
    if spec.reverse:
        found[spec.n_carry:] = [w.reverse(one, [0]) for one in found[spec.n_carry:]]
    return found


def _rows_in_order(spec: LoopSpec, carry: list[Term]) -> dict[int, ir.Value]:
    """Carried arrays into which iteration i writes row i and nothing else: what it writes.

    Loop collects these by itself; an array that is carried is copied in every iteration.
    """
    graph = spec.body.graph
    counters = {graph.inputs[i] for i, term in enumerate(carry) if term.const is not None
                and term.shape == () and term.const == 0 and _next(graph, i)}
    uses = Counter(value for one in graph.nodes for value in one.operands())
    uses.update(graph.outputs)
    asked = set() if spec.condition is None else {
        value for one in spec.condition.graph.nodes for value in one.operands()}
    found = {}
    for i in range(spec.n_carry):
        held, after = graph.inputs[i], graph.outputs[i]
        made = after.node
        if (made is not None and made.op is array_write.op and made.inputs[0] is held
                and made.inputs[2] in counters and uses[held] == uses[after] == 1
                and held.dtype.kind != "c" and carry[i].shape is not None
                and (spec.condition is None or spec.condition.graph.inputs[i] not in asked)):
            found[i] = made.inputs[1]
    return found


def _next(graph: ir.Graph, i: int) -> bool:
    """Whether a carried number grows by 1 in every iteration."""
    held, made = graph.inputs[i], graph.outputs[i].node
    if made is None or made.op is not add.op or held not in made.inputs:
        return False
    other = made.inputs[made.inputs[0] is held]
    return other.const is not None and other.shape == () and bool(other.const == 1)


def _with_rows(graph: ir.Graph, rows: dict[int, ir.Value]) -> ir.Graph:
    """A body that gives rows in place of the arrays into which they are written."""
    if not rows:
        return graph
    made = ir.Graph(graph.name)
    made.inputs, made.nodes, made.variables = graph.inputs, graph.nodes, graph.variables
    made.outputs = [rows.get(i, value) for i, value in enumerate(graph.outputs)]
    return made


def _filled(w: GraphWriter, rows: Term, before: Term) -> Term:
    """An array with its first rows replaced; elements of the others may lack sizes."""
    count = w.op("Shape", rows, dtype=INT64, shape=(1,), start=0, end=1)
    rest = w.slice(before, count, [1 << 62], [0])
    missing = w.op("Shape", rows, dtype=INT64, start=1) - w.op(
        "Shape", rest, dtype=INT64, start=1)
    nothing = [0] * (before.rank + 1)
    rest = w.op("Pad", rest, w.concat([w.ints(*nothing), missing]))
    return w.concat([rows, rest])


@written("each")
def _each(w: GraphWriter, node: Any, *operands: Term) -> list[Term]:
    """A vectorised map: a Scan without a state."""
    count = node.attrs["n_elems"]
    graph = node.attrs["body"].graph
    body = w.subgraph("each")
    elements = [body.input("element", value.dtype, value.shape) for value in graph.inputs[:count]]
    results = body.inline(graph, [*elements, *operands[count:]])
    for value, term in zip(graph.outputs, results, strict=True):
        body.output(term, shape=value.shape)
    return w.ops("Scan", len(results), *operands[:count], body=body.graph, num_scan_inputs=count,
                 dtypes=[value.dtype for value in graph.outputs])


@written("custom_gradient")
def _custom_gradient(w: GraphWriter, node: Any, *operands: Term) -> list[Term]:
    return list(operands[:node.attrs["n_out"]])


@written("write_variable", "variable_write")
def _write_variable(w: GraphWriter, node: Any, *operands: Term) -> Term:
    raise ExportError("a variable is assigned to, and an ONNX graph has no state; export a "
                      "function that returns the new value instead")


@written("check_numerics")
def _check_numerics(w: GraphWriter, node: Any, x: Term) -> Term:
    """Nothing, as of other checks"""
    return x
