"""tf.gradients and tf.hessians: derivatives inside a tf.function, without a tape.

The graph under construction is the record: its nodes are told to a `Record` as if a tape had
listened all along, and that is walked back.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from tapeflow.base import nest
from tapeflow.base.exports import export
from tapeflow.core.autodiff.batching import BatchLevel, eye_seeds
from tapeflow.core.autodiff.record import Record
from tapeflow.core.autodiff.tape import UnconnectedGradients
from tapeflow.core.autodiff.walk import walk_back
from tapeflow.core.record.op import shape_of
from tapeflow.core.record.primitive_ops import constant_like, reshape
from tapeflow.core.scopes import control_dependencies
from tapeflow.core.state import state
from tapeflow.core.values.convert import convert
from tapeflow.core.values.indexed_slices import IndexedSlices, add_gradients, densify
from tapeflow.core.values.tensor import Tensor, uid_of, wrap
from tapeflow.core.values.variable import Variable
from tapeflow.graph import ir
from tapeflow.graph.tracing.symbolic import Symbolic
from tapeflow.graph.tracing.trace import Trace, current_trace
from tapeflow.graph.tracing.unfolding import unfold


def gradients(ys: Any, xs: Any, grad_ys: Any = None, name: str = "gradients",
              gate_gradients: bool = False, aggregation_method: Any = None,
              stop_gradients: Any = None,
              unconnected_gradients: Any = UnconnectedGradients.NONE) -> list:
    """Derivatives of the sum of `ys` with respect to each of `xs`, inside a tf.function."""
    trace = _trace("tf.gradients")
    targets, sources = _tensors(trace, ys), _tensors(trace, xs)
    seeds = [constant_like(y, 1) for y in targets] if grad_ys is None else [
        constant_like(y, 1) if g is None else convert(g)
        for y, g in zip(targets, nest.flatten(grad_ys), strict=True)]
    stops = [] if stop_gradients is None else _tensors(trace, stop_gradients)
    with control_dependencies(None):
        unfold(trace, targets, sources)
    found = _pull_back(trace, targets, sources, seeds, stops)
    if UnconnectedGradients(unconnected_gradients) is UnconnectedGradients.ZERO:
        return [constant_like(x, 0) if g is None else g
                for x, g in zip(sources, found, strict=True)]
    return found


@export("hessians")
def hessians(ys: Any, xs: Any, gate_gradients: bool = False, aggregation_method: Any = None,
             name: str = "hessians") -> list:
    """Second derivatives of the sum of `ys` for each of `xs`: shape x.shape + x.shape."""
    trace = _trace("tf.hessians")
    results = []
    for x in _tensors(trace, xs):
        (slope,) = _pull_back(trace, _tensors(trace, ys), [x],
                              [constant_like(y, 1) for y in _tensors(trace, ys)], [])
        shape = shape_of(x)
        if slope is None or None in shape:
            raise ValueError("tf.hessians: the targets must depend on each of `xs`, and these must "
                             "have known shapes.")
        slope = densify(slope) if isinstance(slope, IndexedSlices) else slope
        seeds = eye_seeds(shape, x.dtype.np)
        level = BatchLevel(len(seeds))
        with level:
            (rows,) = _pull_back(trace, [slope], [x], [level.batched(wrap(seeds))], [])
        if rows is None:
            results.append(wrap(np.zeros((*shape, *shape), x.dtype.np)))
        else:
            results.append(reshape(level.inner(rows), shape=(*shape, *shape)))
    return results


def _trace(where: str) -> Trace:
    if state.trace is None:
        raise RuntimeError(f"{where} is not supported when eager execution is enabled. Use "
                           "tf.GradientTape instead.")
    return current_trace()


def _tensors(trace: Trace, structure: Any) -> list:
    return [trace.read(x) if isinstance(x, Variable) else convert(x)
            for x in nest.flatten(structure)]


def _pull_back(trace: Trace, targets: list, sources: list, seeds: list, stops: list) -> list:
    record = Record(False)
    known: dict[ir.Value, Symbolic] = {}

    def symbolic(value: ir.Value) -> Symbolic:
        if value not in known:
            known[value] = trace.symbolic(value)
        return known[value]

    def stand_in(x: Tensor) -> Symbolic:
        return symbolic(trace.value_of(x))

    for x in sources:
        record._tracked[uid_of(stand_in(x))] = None
    stopped = {trace.value_of(x) for x in stops}
    for node in list(trace.graph.nodes):
        inputs = tuple([symbolic(value) for value in node.inputs])
        if not any(x._uid in record._tracked for x in inputs) or any(
                value in stopped for value in node.outputs):
            continue
        results = tuple([symbolic(value) for value in node.outputs])
        attrs = {key: symbolic(attr) if isinstance(attr, ir.Value) else attr
                 for key, attr in node.attrs.items()}
        record.note(node.op, inputs, results if node.op.multi else results[0], attrs)
    grads: dict[int, Any] = {}
    for y, seed in zip(targets, seeds, strict=True):
        uid = uid_of(stand_in(y))
        grads[uid] = seed if uid not in grads else add_gradients(grads[uid], seed)
    keep = {stand_in(x)._uid for x in sources}
    walk_back(record, grads, keep, False, True)
    return [grads.get(stand_in(x)._uid) for x in sources]
