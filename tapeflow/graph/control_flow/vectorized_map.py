"""Vectorised maps inside a graph.

The function is traced for one element; as soon as the number of elements is known, the body runs
on all elements at once, by the ops' batch rules.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tapeflow.base import nest
from tapeflow.core.autodiff.batching import BatchLevel
from tapeflow.core.record.op import Spec, define, shape_of, specialise
from tapeflow.core.values.tensor import wrap
from tapeflow.graph.executor.graph_function import GraphFunction
from tapeflow.graph.tracing.deferred_gradients import by_tape, unknown
from tapeflow.graph.tracing.subgraph import Subgraph
from tapeflow.graph.tracing.trace import Trace


def vectorized_map(trace: Trace, function: Callable, elems: Any, tensors: list,
                   strict: bool) -> Any:
    """`tf.vectorized_map`; `strict` refuses ops that have no batch rule."""
    specs = [Spec(None if x.ndim is None else shape_of(x)[1:], x.dtype.np) for x in tensors]
    body = Subgraph(trace, lambda *leaves: function(nest.pack_sequence_as(elems, list(leaves))),
                    specs, "vectorized_map")
    leaves = body.tensors(body.returned)
    body.set_outputs([x for x in leaves if x is not None])
    captured = body.captured
    ys = iter(MAP.call(*tensors, *captured, body=body.to_function(captured), n_elems=len(tensors),
                        strict=strict))
    packed = [None if x is None else next(ys) for x in leaves]
    return nest.pack_sequence_as(body.returned, packed, expand_composites=True)


def _all_at_once(operands: tuple, body: GraphFunction, n_elems: int, strict: bool) -> tuple:
    elems, fixed = operands[:n_elems], operands[n_elems:]
    with BatchLevel(shape_of(elems[0])[0], draws=True, strict=strict) as level:
        results = body.replay([*[level.batched(x) for x in elems], *fixed], [])
    return tuple([level.inner(y) for y in results])


def _map_kernel(*operands: Any, body: GraphFunction, n_elems: int, strict: bool) -> tuple:
    results = _all_at_once(tuple([wrap(x) for x in operands]), body, n_elems, strict)
    return tuple([y._value for y in results])


def _map_shape(*operands: Spec, body: GraphFunction, n_elems: int, strict: bool) -> tuple:
    length = None if operands[0].shape is None else operands[0].shape[0]
    return tuple([Spec(None if value.shape is None else (length, *value.shape), value.dtype)
                  for value in body.graph.outputs])


def _map_vjp(gs: tuple, ys: tuple, *operands: Any, body: GraphFunction, n_elems: int,
              strict: bool) -> list:
    return by_tape(lambda *xs: _all_at_once(xs, body, n_elems, strict), gs, operands)


MAP = define("each", kernel=_map_kernel, shape=_map_shape, vjp=_map_vjp, multi=True,
              args=("*operands",), saves="in", internal=True).op


def _run_when_sized() -> None:
    """A map over tensors whose sizes are known by now runs at once; else it is a node."""
    general = MAP.call

    def call(*operands: Any, body: GraphFunction, n_elems: int, strict: bool) -> Any:
        if not any(unknown(x) for x in operands):
            return _all_at_once(operands, body, n_elems, strict)
        return general(*operands, body=body, n_elems=n_elems, strict=strict)

    specialise(MAP, call)


_run_when_sized()
