"""Custom gradients: results that pass through a node whose gradient is a saved function.

The node is an IdentityN, of results and of what they were made of. TensorFlow binds such a function
to tensors of the function in which the node stands, except in the body of a branch or loop: there
what it captured is out of scope when gradients are taken. So in a body the function captures
nothing; what it reads comes to it as gradients. The IdentityN has these tensors as further
operands. Their loss, L2Loss, has them as its gradient where its own is 1, and that it is 1 says a
second IdentityN, of the results and the losses. This is so for first derivatives alone: one of
second order is refused.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from tapeflow.base import dtypes
from tapeflow.graph import ir
from tapeflow.graph.executor.graph_function import GraphFunction
from tapeflow.graph.tracing.rereading import read_again
from tapeflow.io.protobuf.graph_protos import FunctionDef
from tapeflow.tensorflow_graphs.node_attributes import fill_attribute
from tapeflow.tensorflow_graphs.writing.graph_writer import (
    CustomGradient,
    GraphWriter,
    finish,
    stores_of,
)
from tapeflow.tensorflow_graphs.writing.node_writer import Ref
from tapeflow.tensorflow_graphs.writing.operands import cast
from tapeflow.tensorflow_graphs.writing.written_records import written

_SECOND = "a custom gradient in a loop or branch of a saved model has no derivative"


@written("custom_gradient")
def custom_gradient(w: GraphWriter, node: ir.Node, *operands: Ref) -> Any:
    """Where a gradient cannot be saved, gradients go through what was computed."""
    n_out, backward = node.attrs["n_out"], node.attrs["backward"]
    if not isinstance(backward, GraphFunction) or stores_of(backward.graph):
        return operands[:n_out]
    write = _bound if w.outermost is not None else _carried
    return write(w, node, operands)[:n_out]


@written("prevent_gradient")
def prevent_gradient(w: GraphWriter, node: ir.Node, x: Ref) -> Ref:
    return w.PreventGradient(x, message=node.attrs["message"])


class _Gradient:
    """A gradient that is being written: a function of the gradients of a node's tensors."""

    def __init__(self, w: GraphWriter, tensors: Sequence[Ref]):
        self._w, self._tensors = w, tensors
        self.body, self.function = GraphWriter(w.library), FunctionDef()
        self.upstream = [self.body.add_argument(self.function, f"upstream_{i}", one.dtype,
                                                one.shape) for i, one in enumerate(tensors)]

    def identity(self, results: list[Ref | None], captured: Sequence[str] = ()) -> Any:
        """The node, with this gradient; `results`: of its function, None where it gives none."""
        w, library = self._w, self._w.library
        finish(self.function, self.body, [one for one in results if one is not None],
               "custom_gradient")
        kind = f"CustomGradient-{len(library.gradients)}"
        library.gradients.append(CustomGradient(
            self.function.signature.name, kind, list(captured), self.upstream, results,
            w.outermost))
        found = w.emit("IdentityN", [list(self._tensors)], name="IdentityN")
        fill_attribute(w.nodes[-1].attr["_gradient_op_type"], "string", kind)
        return found

    def results_of(self, node: ir.Node, captured: list[Ref]) -> list[Ref | None]:
        """What a custom gradient gives: nothing for the results, then what its rule gives."""
        n_out, backward = node.attrs["n_out"], node.attrs["backward"]
        given = iter(self.body.inline(backward.graph, [*self.upstream[:n_out], *captured]))
        return [None] * n_out + [next(given) if one else None for one in node.attrs["given"]]


def _bound(w: GraphWriter, node: ir.Node, operands: Sequence[Ref]) -> Any:
    """Bound to tensors and variables of the function in which it stands."""
    held = node.attrs["n_out"] + node.attrs["n_in"]
    gradient = _Gradient(w, operands[:held])
    body, function = gradient.body, gradient.function
    captured, names = [], []
    for ref, value in zip(operands[held:], node.inputs[held:]):
        made = value.node
        if made is not None and made.op is read_again:
            handle = w.variable(made.attrs["variable"])
            names.append(f"{handle.name}:0")
            inside = body.add_argument(function, "resource", dtypes.resource, ())
            found = body.emit("ReadVariableOp", [inside], {"dtype": ref.dtype})
            captured.append(Ref(found.name, ref.dtype, ref.shape))
        else:
            names.append(w.places.get(ref.name, f"{ref.name}:0"))
            captured.append(body.add_argument(function, "captured", ref.dtype, ref.shape))
    return gradient.identity(gradient.results_of(node, captured), names)


def _carried(w: GraphWriter, node: ir.Node, operands: Sequence[Ref]) -> Any:
    """In the body of a branch or loop: what it reads comes to it as gradients."""
    held = node.attrs["n_out"] + node.attrs["n_in"]
    read = [ref for ref in operands[held:] if ref.const is None]
    if any(one.dtype in (dtypes.string, dtypes.variant) or one.dtype.is_complex for one in read):
        return operands
    numbers = [one if one.dtype.is_floating else cast(w, one, dtypes.float64) for one in read]
    numbers = [Ref(one.name, one.dtype, ref.shape) for one, ref in zip(numbers, read)]
    gradient = _Gradient(w, [*operands[:held], *numbers])
    carried = iter(gradient.upstream[held:])
    results = gradient.results_of(node, [
        gradient.body.const(ref.const) if ref.const is not None else
        _read(gradient.body, next(carried), ref) for ref in operands[held:]])
    passed = gradient.identity([*results, *[None] * len(numbers)])
    return _with_losses(w, passed[:held], passed[held:]) if numbers else passed


def _read(body: GraphWriter, carried: Ref, ref: Ref) -> Ref:
    """What a gradient reads, of the number that was carried to it."""
    found = body.PreventGradient(carried, message=_SECOND) if ref.dtype.is_floating else (
        cast(body, carried, ref.dtype))
    return Ref(found.name, found.dtype, ref.shape)


def _with_losses(w: GraphWriter, tensors: Sequence[Ref], numbers: Sequence[Ref]) -> Any:
    """Tensors as they are; the gradients of `numbers` are these themselves."""
    losses = [Ref(one.name, one.dtype, ()) for one in [w.L2Loss(one) for one in numbers]]
    gradient = _Gradient(w, [*tensors, *losses])
    ones = [gradient.body.const(np.ones((), one.dtype.np)) for one in losses]
    return gradient.identity([*gradient.upstream[:len(tensors)], *ones])
