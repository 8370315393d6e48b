"""Nodes that hold graphs: branches as If, loops as Loop, maps as Scan.

A body reads what is outside by its name, so that only what changes is carried.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from tapeflow.graph.control_flow.loop_spec import LoopSpec
from tapeflow.onnx.onnx_graph import ExportError
from tapeflow.onnx.onnx_records import written
from tapeflow.onnx.onnx_writer import BOOL, INT64, GraphWriter, Term


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
    body = w.subgraph("loop")
    at = body.input("iteration", INT64, ())
    body.input("go_on", BOOL, ())
    given = spec.body.graph.inputs
    state = [body.input("carry", value.dtype, value.shape) for value in given[:spec.n_carry]]
    if spec.reverse and limit is not None:
        at = limit - 1 - at
    elements = [body.op("Gather", one, at, axis=0) for one in sequences]
    results = body.inline(spec.body.graph, [*state, *elements, *invariants])
    after, collected = results[:spec.n_carry], results[spec.n_carry:]
    if spec.condition is None:
        test = body.constant(np.array(True))
    else:
        test = body.reshape(body.inline(spec.condition.graph, [*after, *invariants])[0], ())
    body.output(test, shape=())
    for value, term in zip(given, after):
        body.output(term, shape=value.shape)
    for value, term in zip(spec.body.graph.outputs[spec.n_carry:], collected, strict=True):
        body.output(term, shape=value.shape)
    found = w.ops("Loop", len(node.outputs), limit, before, *carry,
                  dtypes=[value.dtype for value in node.outputs], body=body.graph)
    if spec.reverse:
        found[spec.n_carry:] = [w.reverse(one, [0]) for one in found[spec.n_carry:]]
    return found


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


@written("assert_true")
def _assert_true(w: GraphWriter, node: Any, *operands: Term) -> list[Term]:
    """Checks are left out: an ONNX graph cannot fail."""
    return []
