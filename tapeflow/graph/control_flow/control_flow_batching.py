"""Batch rules of control ops: their graphs run for all elements of a batch at once.

A jacobian or a vectorised map inside a tf.function meets loops and branches; their bodies are
replayed on a batch level into new graphs. Imported by the control ops.
"""

from __future__ import annotations

from tapeflow.core.autodiff.batching import Batched, BatchLevel
from tapeflow.core.record.op import shape_of
from tapeflow.core.record.primitive_ops import broadcast_to, concat, dims, transpose
from tapeflow.core.values.tensor import Tensor
from tapeflow.graph.executor.graph_function import GraphFunction
from tapeflow.graph.tracing.trace import Trace


def vectorised(function: GraphFunction, size: int, marks: tuple,
               wanted: tuple = ()) -> tuple[GraphFunction, tuple]:
    """`function` over inputs that have a leading batch axis where `marks` says so.

    Which results have one is returned too; those that `wanted` marks get one in any case.
    """
    trace = Trace(function.graph.name)
    with trace:
        inputs = [trace.placeholder(_with(value.shape, size if mark else None), value.dtype)
                  for value, mark in zip(function.graph.inputs, marks, strict=True)]
        with BatchLevel(size) as level:
            results = function.replay([level.batched(x) if mark else x
                                       for x, mark in zip(inputs, marks, strict=True)], [])
        varying = tuple([isinstance(y, Batched) for y in results])
        varying = tuple([a or b for a, b in zip(varying, wanted or varying, strict=True)])
        outputs = [level.inner(y) if vary else y for y, vary in zip(results, varying, strict=True)]
        trace.graph.outputs = [trace.value_of(y) for y in outputs]
    return GraphFunction(trace.graph, inner=True), varying


def _with(shape: tuple | None, size: int | None) -> tuple | None:
    return shape if size is None or shape is None else (size, *shape)


def batch_axis(x: Tensor, mark: bool, size: int) -> Tensor:
    """An operand with a batch axis in front."""
    if mark:
        return x
    shape = dims(x)
    if isinstance(shape, tuple):
        return broadcast_to(x, shape=(size, *shape))
    return broadcast_to(x, shape=concat(_vector(size), shape, axis=0))


def _vector(size: int) -> Tensor:
    from tapeflow.core.values.convert import convert
    return convert([size])


def swap_leading(x: Tensor) -> Tensor:
    """The first two axes exchanged: iterations and batch."""
    return transpose(x, perm=(1, 0, *range(2, len(shape_of(x)))))
