"""Python functions traced inside another trace: branches, loop bodies, gradients.

What a control op (branch, loop, map, custom gradient) has in common is here; each op has a file.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, cast

from tapeflow.base import nest
from tapeflow.base.shapes import TensorShape
from tapeflow.core.record.op import Op, Spec, define, shape_of, specialise
from tapeflow.core.state import state
from tapeflow.core.values.convert import convert
from tapeflow.core.values.tensor import Tensor
from tapeflow.core.values.variable import Variable
from tapeflow.graph import ir
from tapeflow.graph.executor.graph_function import GraphFunction
from tapeflow.graph.tracing.symbolic import Symbolic
from tapeflow.graph.tracing.trace import Trace, current_trace


class Subgraph:
    """A Python function traced inside another trace: what it returned and what it touched."""

    def __init__(self, outer: Trace, function: Callable, specs: list[Spec], name: str,
                 kind: type[Trace] = Trace):
        self.trace = kind(name, outer)
        with self.trace:
            self.inputs = [self.trace.placeholder(spec.shape, spec.dtype) for spec in specs]
            self.returned = function(*self.inputs)

    def tensors(self, structure: Any) -> list:
        """The leaves of a structure as tensors of this trace; None stays None."""
        with self.trace:
            return [None if leaf is None else
                    self.trace.read(leaf) if isinstance(leaf, Variable) else convert(leaf)
                    for leaf in nest.flatten(structure, expand_composites=True)]

    def final_values(self, variables: list) -> list[Tensor]:
        """What variables hold at the end."""
        with self.trace:
            return [self.trace.read(variable) for variable in variables]

    @property
    def captured(self) -> list[Symbolic]:
        return [x for x, _ in self.trace.captures]

    def set_outputs(self, results: list[Tensor]) -> None:
        """Fix the results: from here on nothing more is captured."""
        with self.trace:
            self.trace.graph.outputs = [self.trace.value_of(x) for x in results]

    def to_function(self, captured: list[Symbolic]) -> GraphFunction:
        """The graph over its inputs and then `captured`."""
        own = {id(x): value for x, value in self.trace.captures}
        graph = self.trace.graph
        graph.inputs = graph.inputs + [
            own.get(id(x)) or ir.Value(x._ir.shape, x._ir.dtype) for x in captured]
        graph.prune()
        return GraphFunction(graph, inner=True)


def captured_by(subgraphs: list[Subgraph]) -> list[Symbolic]:
    found: dict[int, Symbolic] = {}
    for subgraph in subgraphs:
        for x in subgraph.captured:
            found.setdefault(id(x), x)
    return list(found.values())


def refine(graph: ir.Graph) -> None:
    """Derive the shapes in a traced graph anew, after its inputs have got more precise ones."""
    symbols = Trace(graph.name)
    for node in graph.nodes:
        attrs = {key: symbols.symbolic(attr) if isinstance(attr, ir.Value) else attr
                 for key, attr in node.attrs.items()}
        for branch in attrs.get("branches", ()):
            _refine_inputs(branch.graph, node.inputs[1:])
        for key in ("body", "condition"):
            if isinstance(attrs.get(key), GraphFunction) and "n_carry" in attrs:
                _refine_carries(attrs[key].graph, node.inputs[:attrs["n_carry"]])
        found = node.op.shape(*[value.spec for value in node.inputs], **attrs)
        for value, spec in zip(node.outputs, found if node.op.multi else (found,), strict=True):
            _narrow(value, spec.shape)


def _refine_inputs(graph: ir.Graph, values: tuple[ir.Value, ...]) -> None:
    before = [value.shape for value in graph.inputs]
    for own, value in zip(graph.inputs, values, strict=True):
        _narrow(own, value.shape)
    if before != [value.shape for value in graph.inputs]:
        refine(graph)


def _refine_carries(graph: ir.Graph, values: tuple[ir.Value, ...]) -> None:
    """Arrays that a loop carries, of which nothing was known: their rows have a shape now."""
    blank = [(own, value) for own, value in zip(graph.inputs, values, strict=False)
             if own.shape is None and value.shape]
    for own, value in blank:
        own.shape = (None, *[n or None for n in (value.shape or ())[1:]])  # 0: not known then
    if blank:
        refine(graph)


def _narrow(value: ir.Value, shape: tuple | None) -> None:
    """Let a value have what is known of its shape by now."""
    known, more = TensorShape(value.shape), TensorShape(shape)
    if known.is_compatible_with(more):
        merged = known.merge_with(more)
        value.shape = None if merged.rank is None else tuple(merged.as_list())


def has_effects(functions: tuple) -> bool:
    return any(node.op.stateful for one in functions for node in one.graph.nodes)


def static_shape(x: Tensor) -> tuple | None:
    """What is known of a shape: a tuple with None for unknown sizes, or None."""
    return None if x.ndim is None else shape_of(x)


def extend(node: ir.Node, attrs: dict, values: list[ir.Value], operands: tuple) -> list[Symbolic]:
    """Let a control node return further values; its bodies in `attrs` return them already.

    Tapes that listen now (of a higher order) hear of the further results like of any others.
    """
    trace, stack = _home(node)
    already = len(node.outputs)
    node.attrs = {**node.attrs, **attrs}
    node.outputs = (*node.outputs, *[ir.Value(value.shape, value.dtype, node, already + k)
                                     for k, value in enumerate(values)])
    ys = tuple([trace.symbolic(value) for value in node.outputs])
    for listener in stack[1:]:
        listener.note(node.op, operands, ys, node.attrs)
    return list(ys[already:])


def _home(node: ir.Node) -> tuple[Trace, tuple]:
    """The trace that a node is in, which may be around this one, and who listens there."""
    trace, stack = current_trace(), state.stack
    while not any(one is node for one in trace.graph.nodes):
        stack = trace._before[1]
        trace = cast(Trace, trace.outer)
    return trace, stack


def control_op(name: str, kernel: Callable, shape: Callable, vjp: Any, stateful: bool,
               batch: Callable) -> Op:
    """The record of a control op, which belongs to graphs alone."""
    return define(f"{name}_effect" if stateful else name, tf_name=name.capitalize(), kernel=kernel,
                  shape=shape, vjp=vjp, multi=True, stateful=stateful, args=("*operands",),
                  saves="in out", kind="control", batch=batch,
                  internal=True).op


def in_trace_or(op: Op, eager: Callable, sized: Callable | None = None) -> None:
    """Outside a trace the op runs as Python; inside it is a node.

    sized: gives operands and attributes in which bodies know the sizes that the operands have.
    """
    general = op.call

    def call(*operands: Any, **attrs: Any) -> Any:
        if state.trace is None:
            return eager(*operands, **attrs)
        if sized is not None:
            operands, attrs = sized(*operands, **attrs)
        return general(*operands, **attrs)

    specialise(op, call)
