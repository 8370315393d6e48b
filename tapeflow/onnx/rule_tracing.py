"""Gradients that wait for sizes: the record's own rule, traced without them.

A rule that asks for sizes where it may only name them would be wrong for others. What was traced is
therefore run on small arrays of some sizes, and compared with the rule itself. Where an attribute
is a tensor there is nothing to try it with.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from tapeflow.base.exception_origin import from_library
from tapeflow.base.specs import TensorSpec
from tapeflow.graph import ir
from tapeflow.graph.functions.function import function as tf_function
from tapeflow.graph.tracing.deferred_calls import arguments_of
from tapeflow.graph.tracing.deferred_gradients import followed, source_of
from tapeflow.onnx.onnx_graph import ExportError

TRIALS = (2, 3, 1)  # what unknown sizes are, in turn


def rule_graph(node: ir.Node) -> tuple[ir.Graph, list[ir.Value]]:
    """The graph of a waiting gradient's rule, and the Values that are its operands."""
    kind, op, layout = source_of(node.op)  # type: ignore[misc]
    if kind != "gradient" or arguments_of(op) is not None:
        raise ExportError("a tangent, or the gradient of a call that waits for sizes")
    names = [key for key, attr in node.attrs.items() if isinstance(attr, ir.Value)]
    values = [*node.inputs, *[node.attrs[key] for key in names]]
    count = len(node.inputs)

    def rule(*operands: Any) -> Any:
        attrs = {**node.attrs, **dict(zip(names, operands[count:], strict=True))}
        return followed(op, layout, operands[:count], attrs)

    try:
        concrete = tf_function(rule, autograph=False).get_concrete_function(
            *[TensorSpec(value.shape, value.dtype) for value in values])
    except Exception as error:
        if not from_library(error):
            raise
        raise ExportError("its rule asks for sizes that a run brings; give the input_signature "
                          "more of them") from error
    graph = concrete._trace.graph
    if any(source_of(one.op) is not None and source_of(one.op)[1] is op  # type: ignore[index]
           for one in graph.nodes):
        raise ExportError("its rule waits for sizes that a run brings")
    if not names:
        _try(node, op, layout, concrete)
    return graph, values


def _try(node: ir.Node, op: Any, layout: tuple, concrete: Any) -> None:
    """Compare what was traced with the rule, for some sizes; an ExportError if they differ."""
    n_g, n_y, _, _, _ = layout
    draw = np.random.default_rng(0)
    tried = 0
    for size in TRIALS:
        xs = [_drawn(draw, value, size) for value in node.inputs[n_g + n_y:]]
        try:
            with np.errstate(all="ignore"):
                y = op.kernel(*xs, **node.attrs)
            ys = list(y) if op.multi else [y]
            gs = [draw.uniform(-1, 1, one.shape).astype(one.dtype) for one in ys[:n_g]]
            arrays = [*gs, *[np.asarray(one) for one in ys[:n_y]], *xs]
            with np.errstate(all="ignore"):
                wanted = np.asarray(node.op.kernel(*arrays, **node.attrs))
        except Exception as error:  # sizes that this record does not take
            if not from_library(error):
                raise
            continue
        found = concrete(*arrays).numpy()
        tried += 1
        if found.shape != wanted.shape or not np.allclose(
                found.astype("f8"), wanted.astype("f8"), 1e-3, 1e-3, equal_nan=True):
            raise ExportError("its rule depends on sizes that a run brings")
    if not tried:
        raise ExportError("its rule could not be tried without sizes")


def _drawn(draw: Any, value: ir.Value, size: int) -> np.ndarray:
    if value.const is not None:
        return np.asarray(value.const)
    if value.shape is None:
        raise ExportError("the gradient of an operand of unknown rank")
    shape = tuple([size if n is None else n for n in value.shape])
    if value.dtype.kind in "fV":
        return draw.uniform(0.1, 0.9, shape).astype(value.dtype)
    return np.zeros(shape, value.dtype)
