"""Ops that are written with other ops, written so: what the compiler then sees are simple ones."""

from __future__ import annotations

import copy
import functools
from typing import Any

import numpy as np

from tapeflow.base.errors import OperatorNotAllowedInGraphError
from tapeflow.core.record.lowering_forms import Expand, Pointwise, Unsupported
from tapeflow.core.record.op import Op
from tapeflow.core.values.tensor import wrap
from tapeflow.graph import ir
from tapeflow.graph.passes import PASSES
from tapeflow.graph.tracing.trace import Trace

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
        for one in PASSES:
            one(graph)
    _shrink_constants(graph)
    return graph


def _shrink_constants(graph: ir.Graph) -> None:
    """A constant that is one number all over becomes that number, where it is broadcast anyway."""
    numbers: dict[ir.Value, ir.Value | None] = {}
    for node in graph.nodes:
        if not isinstance(node.op.lower, Pointwise) or len(node.inputs) < 2:
            continue
        for i, value in enumerate(node.inputs):
            if value.const is None or value.const.size < 2 or value.const.size > LARGEST:
                continue
            if value not in numbers:
                first = value.const.flat[0]
                numbers[value] = ir.constant(first) if _all_are(value.const, first) else None
            number = numbers[value]
            others: list[Any] = [x.shape for k, x in enumerate(node.inputs) if k != i]
            if number is not None and np.broadcast_shapes(*others) == node.outputs[0].shape:
                node.inputs = (*node.inputs[:i], number, *node.inputs[i + 1:])


def _all_are(array: np.ndarray, number: Any) -> bool:
    """Whether all elements are one number; 0 and -0 are two."""
    if array.dtype.kind not in "fiub" or not np.all(array == number):
        return False
    return bool(number != 0 or array.dtype.kind != "f" or np.all(
        np.signbit(array) == np.signbit(number)))


def _expands(node: ir.Node) -> bool:
    return isinstance(node.op.lower, Expand)


def _once(graph: ir.Graph) -> ir.Graph:
    trace = Trace(graph.name)
    new = trace.graph
    new.inputs, new.variables, new.captured = graph.inputs, graph.variables, graph.captured
    instead: dict[ir.Value, ir.Value] = {}

    def now(value: ir.Value) -> ir.Value:
        return instead.get(value, value)

    refused: list[ir.Node] = []
    with trace:
        for node in graph.nodes:
            ir.replace_operands(node, now)
            begin = len(new.nodes)
            if _expands(node):
                try:
                    _write(trace, node, instead)
                    continue
                except VALUELESS:
                    del new.nodes[begin:]
                    refused.append(node)
            new.nodes.append(node)
    for node in refused:
        node.op = _plain(node.op)
    new.outputs = [now(value) for value in graph.outputs]
    new._expanded = graph  # type: ignore[attr-defined]  # keeps ids alive
    return new


def _write(trace: Trace, node: ir.Node, instead: dict[ir.Value, ir.Value]) -> None:
    operands = [wrap(value.const) if value.const is not None else trace.symbolic(value)
                for value in node.inputs]
    attrs = {key: trace.symbolic(attr) if isinstance(attr, ir.Value) else attr
             for key, attr in node.attrs.items()}
    found = node.op.lower.write(*operands, **attrs)
    if found is None:
        raise Unsupported
    results = found if node.op.multi else (found,)
    for old, y in zip(node.outputs, results, strict=True):
        value = trace.value_of(y)
        if (value.shape, value.dtype) != (old.shape, old.dtype):
            raise Unsupported(f"{node.op.name} gives {value!r} for {old!r}")
        instead[old] = value


@functools.cache
def _plain(op: Op) -> Op:
    """The same op, not to be expanded."""
    twin = copy.copy(op)
    twin.lower = op.lower.otherwise
    return twin
