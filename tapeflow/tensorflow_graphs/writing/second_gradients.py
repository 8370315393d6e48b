"""Gradients of gradients that wait for sizes: of any order, as ops that TensorFlow differentiates.

A waiting gradient is written as a few of TensorFlow's ops, which find sizes themselves. Its own
gradient is that of these ops: they are read again as ours, under a tape.
"""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

from tapeflow.core.autodiff.sources import zeros_for
from tapeflow.core.autodiff.tape import GradientTape
from tapeflow.graph import ir
from tapeflow.graph.tracing.deferred_gradients import source_of
from tapeflow.tensorflow_graphs.reading import Library


def second_gradient(library: Any, compose: Any, node: ir.Node, op: Any, layout: tuple) -> Any:
    """A function of the node's operands that our ops compute, or None.

    `op` is a waiting gradient, and `node` the waiting gradient of that. `compose(name, values,
    build)` writes a function of tensors like some Values: `build(body, arguments)` its nodes.
    """
    n_g, n_y, _, n_x, index = layout
    if source_of(op) is None or n_g != 1 or any(
            isinstance(attr, ir.Value) for attr in node.attrs.values()):
        return None
    operands = node.inputs[1 + n_y:]
    first = ir.Node(op, tuple(operands), node.attrs)
    name = compose("first_gradient", operands,
                   lambda body, arguments: [body.derivative(first, arguments)])
    functions = list(library.functions.values())
    if any(one.op == "SymbolicGradient" for function in functions for one in function.node_def):
        return None
    program = Library(SimpleNamespace(function=functions, registered_gradients=[]))

    def gradient(g: Any, *rest: Any, **attrs: Any) -> Any:
        xs = list(rest[n_y:])
        with GradientTape() as tape:
            tape.watch(xs[index])
            y, = program.run(name, xs)
        found = tape.gradient(y, xs[index], output_gradients=g)
        return zeros_for(xs[index]) if found is None else found

    return gradient
