"""Ops that are written with other ops, written so: what the compiler then sees are simple ones."""

from __future__ import annotations

import copy
import functools
from typing import Any

import numpy as np

from tapeflow.base.errors import OperatorNotAllowedInGraphError
from tapeflow.core.record.lowering_forms import Expand, Pointwise, Product, Unsupported
from tapeflow.core.record.op import Op
from tapeflow.core.values.tensor import wrap
from tapeflow.graph import ir
from tapeflow.graph.passes import simplify
from tapeflow.graph.tracing.trace import Trace
from tapeflow.jit.passes.rebuild import rebuild

LARGEST = 1 << 20  # elements of a constant that is looked through
# What steps raise: they have no form for these attributes, or asked one that a run brings.
VALUELESS = (Unsupported, NotImplementedError, OperatorNotAllowedInGraphError)
ROUNDS = 4  # an op may be written with ops that are written with others


def expand(graph: ir.Graph) -> ir.Graph:
    """The same graph without ops of the form Expand; changes the graph that it is given."""
    for _ in range(ROUNDS):
        if not any(_expands(node) for node in graph.nodes):
            break
        graph = _once(graph)
        simplify(graph)
    _scalar_constants(graph)
    return graph


def steps_of(node: ir.Node) -> ir.Graph | None:
    """A graph of what an op of the form Expand is written with, whose inputs are its operands but
    for constants; None if it is not written so for these attributes."""
    if not isinstance(node.op.lower, Expand) or any(
            isinstance(attr, ir.Value) for attr in node.attrs.values()):
        return None
    graph = ir.Graph(node.op.name)
    operands = [value if value.const is not None else ir.Value(value.shape, value.dtype)
                for value in node.inputs]
    alone = ir.Node(node.op, tuple(operands), dict(node.attrs), node.where)
    alone.outputs = tuple([ir.Value(value.shape, value.dtype, alone, value.index)
                           for value in node.outputs])
    graph.inputs = [value for value in operands if value.const is None]
    graph.nodes, graph.outputs = [alone], list(alone.outputs)
    found = expand(graph)
    return None if alone in found.nodes else found


def _scalar_constants(graph: ir.Graph) -> None:
    """A constant that is one scalar all over becomes that scalar, where it is broadcast anyway."""
    scalars: dict[ir.Value, ir.Value | None] = {}
    for node in graph.nodes:
        if not isinstance(node.op.lower, Pointwise) or len(node.inputs) < 2:
            continue
        for i, value in enumerate(node.inputs):
            if value.const is None or value.const.size < 2 or value.const.size > LARGEST:
                continue
            if value not in scalars:
                first = value.const.flat[0]
                scalars[value] = ir.constant(first) if _all_are(value.const, first) else None
            scalar = scalars[value]
            others: list[Any] = [x.shape for k, x in enumerate(node.inputs) if k != i]
            if scalar is not None and np.broadcast_shapes(*others) == node.outputs[0].shape:
                node.inputs = (*node.inputs[:i], scalar, *node.inputs[i + 1:])


def _all_are(array: np.ndarray, scalar: Any) -> bool:
    """Whether all elements are one scalar; 0 and -0 are two."""
    if array.dtype.kind not in "fViub" or not np.all(array == scalar):
        return False
    return bool(scalar != 0 or array.dtype.kind not in "fV" or np.all(
        np.signbit(array) == np.signbit(scalar)))


def _expands(node: ir.Node) -> bool:
    return isinstance(node.op.lower, Expand) or _is_complex_product(node)


def _is_complex_product(node: ir.Node) -> bool:
    return isinstance(node.op.lower, Product) and node.outputs[0].dtype.kind == "c"


def _once(graph: ir.Graph) -> ir.Graph:
    """The graph with each op of the form Expand written with others, once."""
    refused: list[ir.Node] = []

    def rewrite(trace: Trace, node: ir.Node) -> dict[ir.Value, ir.Value] | None:
        if not _expands(node):
            return None
        begin = len(trace.graph.nodes)
        try:
            return _write(trace, node)
        except VALUELESS:
            del trace.graph.nodes[begin:]
            refused.append(node)
            return None

    new = rebuild(graph, rewrite)
    for node in refused:
        node.op = _plain(node.op)
    return new


def _write(trace: Trace, node: ir.Node) -> dict[ir.Value, ir.Value]:
    """Write an op with others; gives what its results are now."""
    operands = [wrap(value.const) if value.const is not None else trace.symbolic(value)
                for value in node.inputs]
    attrs = {key: trace.symbolic(attr) if isinstance(attr, ir.Value) else attr
             for key, attr in node.attrs.items()}
    if _is_complex_product(node):
        found = _product_of_parts(node.op, *operands, **attrs)
    else:
        found = node.op.lower.write(*operands, **attrs)
    if found is None:
        raise Unsupported
    results = found if node.op.multi else (found,)
    instead: dict[ir.Value, ir.Value] = {}
    for old, y in zip(node.outputs, results, strict=True):
        value = trace.value_of(y)
        if (value.shape, value.dtype) != (old.shape, old.dtype):
            raise Unsupported(f"{node.op.name} gives {value!r} for {old!r}")
        instead[old] = value
    return instead


def _product_of_parts(op: Op, x: Any, y: Any, **attrs: Any) -> Any:
    """A product of complex matrices as four of real ones."""
    from tapeflow.ops.math.complex import imag_part, make_complex, real_part
    (a, b), (c, d) = [(real_part(z), imag_part(z)) for z in (x, y)]

    def product(left: Any, right: Any) -> Any:
        return op.call(left, right, **attrs)

    return make_complex(product(a, c) - product(b, d), product(a, d) + product(b, c))


@functools.cache
def _plain(op: Op) -> Op:
    """The same op, not to be expanded."""
    twin = copy.copy(op)
    twin.lower = op.lower.otherwise
    return twin
