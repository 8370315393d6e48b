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
    """Walk back over the nodes of this trace and, of a loop or branch, of those around it."""
    root = trace.root
    if root.repeatable and root.eager.inside and any(type(x) is Tensor for x in sources):
        root.constants_asked = True
    values = [trace.value_of(x) for x in (*sources, *targets)]
    way = _Way(trace, sources)
    record = Record(False)
    starts = [way.symbolic(value, trace) for value in values[:len(sources)]]
    ends = [way.symbolic(value, trace) for value in values[len(sources):]]
    for x in starts:
        record._tracked[uid_of(x)] = None
    way.tell(record, [way.symbolic(trace.value_of(x), trace) for x in stops])
    grads: dict[int, Any] = {}
    for y, seed in zip(ends, seeds, strict=True):
        uid = uid_of(y)
        grads[uid] = seed if uid not in grads else add_gradients(grads[uid], seed)
    walk_back(record, grads, {x._uid for x in starts}, False, True)
    found = [grads.get(x._uid) for x in starts]
    if root.constants_asked:  # this trace does not serve: only let Python go on
        return [constant_like(x, 0) if g is None and type(x) is Tensor else g
                for x, g in zip(sources, found, strict=True)]
    return found


class _Way:
    """The nodes from sources to targets, of a trace and those around it, outermost first.

    A tensor of a trace around has one Symbolic, whichever Value stands for it inside.
    """

    def __init__(self, trace: Trace, sources: list):
        self._traces: list[Trace] = []
        home: Any = trace
        while home is not None:
            self._traces.insert(0, home)
            home = home.outer
        for outer in self._traces[:-1]:
            with control_dependencies(None):
                unfold(outer, [], sources)
        self._outside = {value: x for home in self._traces for x, value in home.captures}
        self._known: dict[ir.Value, Symbolic] = {}
        for x in sources:
            if type(x) is Tensor:  # a constant of each
                for home in self._traces[:-1]:
                    held = home.eager.constants.get(id(x))
                    if held is not None:
                        self._known[held[1]] = self.symbolic(trace.value_of(x), trace)

    def symbolic(self, value: ir.Value, home: Trace) -> Symbolic:
        """The tensor that a Value of a trace stands for."""
        if value not in self._known:
            x = self._outside.get(value)
            self._known[value] = home.symbolic(value) if x is None else self.symbolic(
                x._ir, x._interpreter)
        return self._known[value]

    def tell(self, record: Record, stopped: list[Symbolic]) -> None:
        """Tell a record of the nodes, except those whose results are `stopped`."""
        for home in self._traces:
            for node in list(home.graph.nodes):
                inputs = tuple([self.symbolic(value, home) for value in node.inputs])
                if not any(x._uid in record._tracked for x in inputs):
                    continue
                results = tuple([self.symbolic(value, home) for value in node.outputs])
                if any(y is x for y in results for x in stopped):
                    continue
                attrs = {key: self.symbolic(attr, home) if isinstance(attr, ir.Value) else attr
                         for key, attr in node.attrs.items()}
                record.note(node.op, inputs, results if node.op.multi else results[0], attrs)
