"""Gradients of slices that are all of something: the slices side by side.

A cell that takes its gates from one product, `y[:, :n]`, `y[:, n:2 * n]` …, has as the gradient of
`y` a sum of arrays of zeros, in each of which one slice is set. Where the slices cover an axis,
they are joined instead. One other term may be added: each element is then rounded as before.
"""

from __future__ import annotations

from typing import Any

from tapeflow.core.record.elementwise_ops import add
from tapeflow.core.record.primitive_ops import concat
from tapeflow.core.values.tensor import wrap
from tapeflow.graph import ir
from tapeflow.graph.tracing.trace import Trace
from tapeflow.jit.choices import Choice
from tapeflow.jit.passes.rebuild import rebuild
from tapeflow.ops.indexing.basic_indexing import ALL, unstrided

MOST = 64  # terms of a sum that are looked at

JOINED = Choice("fusion.joined_slices", (False, True))


def join_slices(graph: ir.Graph) -> ir.Graph:
    """The same graph with sums of slices joined."""
    if sum(node.op is unstrided.op for node in graph.nodes) < 2:
        return graph
    new = rebuild(graph, _rewrite)
    new.prune()
    return new


def _rewrite(trace: Trace, node: ir.Node) -> dict[ir.Value, ir.Value] | None:
    if node.op is not add.op:
        return None
    shape, terms = node.outputs[0].shape, _terms(node)
    slices = [(found, term) for term in terms if (found := _slice(term)) is not None]
    may = shape is not None and len(slices) > 1 and len(terms) <= len(slices) + 1 and (
        _cover(slices, shape) and all(term.shape in (shape, ()) for term in terms))
    if not JOINED(may, (False, may)):
        return None

    def tensor(value: ir.Value) -> Any:
        return trace.symbolic(value) if value.const is None else wrap(value.const)

    slices.sort(key=lambda one: one[0])
    parts = [tensor(term.node.inputs[0]) for _, term in slices if term.node is not None]
    total = concat(*parts, axis=slices[0][0][0])
    joined = [term for _, term in slices]
    for term in terms:
        if not any(term is one for one in joined):
            total = add(total, tensor(term))
    return {node.outputs[0]: trace.value_of(total)}


def _terms(node: ir.Node) -> list[ir.Value]:
    """What a sum of sums adds up."""
    found: list[ir.Value] = []
    todo = list(node.inputs)
    while todo:
        value = todo.pop()
        inner = value.node
        if inner is not None and inner.op is add.op and len(found) + len(todo) < MOST and (
                inner.outputs[0].shape == node.outputs[0].shape):
            todo += inner.inputs
        else:
            found.append(value)
    return found


def _slice(value: ir.Value) -> tuple[int, int, int] | None:
    """(axis, begin, end) of the only slice of a value that is not 0."""
    node = value.node
    if node is None or node.op is not unstrided.op or node.attrs.get("bounds"):
        return None
    shape, spec = node.attrs["shape"], node.attrs["spec"]
    parted = [i for i, item in enumerate(spec) if item != ALL]
    if len(parted) != 1 or type(spec[parted[0]]) is not tuple or not isinstance(shape, tuple):
        return None
    axis = parted[0]
    begin, end, step = slice(*spec[axis]).indices(shape[axis])
    return (axis, begin, end) if step == 1 and begin < end else None


def _cover(slices: list, shape: tuple) -> bool:
    """Whether slices of one axis are all of it, each element once."""
    axes, ranges = {axis for (axis, _, _), _ in slices}, sorted(found[1:] for found, _ in slices)
    ends = [0, *[end for _, end in ranges]]
    return len(axes) == 1 and [begin for begin, _ in ranges] == ends[:-1] and (
        ends[-1] == shape[min(axes)])
