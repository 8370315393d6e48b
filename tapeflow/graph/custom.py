"""Custom gradients inside a graph: a node whose derivative is the user's function, traced at once.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tapeflow.core.op import Spec, define
from tapeflow.core.slices import IndexedSlices, densify
from tapeflow.core.tensor import Tensor
from tapeflow.graph.bodies import Body, static_shape
from tapeflow.graph.callable import GraphFunction
from tapeflow.graph.tracing import Trace


def custom(trace: Trace, name: str, inputs: list, outputs: list, rule: Callable) -> list:
    """Outputs as they are, with the user's rule as their gradient.

    The rule is traced at once; what it uses from outside it becomes operands of the node.
    """
    specs = [Spec(static_shape(y), y.dtype.np) for y in outputs]
    given: list[Any] = []

    def backward(*gs: Any) -> list:
        found = rule(*gs)
        given.extend(g is not None for g in found)
        return [densify(g) if isinstance(g, IndexedSlices) else g for g in found
                if g is not None]

    body = Body(trace, backward, specs, f"gradient of {name}")
    body.settle(body.tensors(body.returned))
    captured = body.captured
    function = body.finish(captured)
    return list(CUSTOM.call(*outputs, *inputs, *captured, n_out=len(outputs), n_in=len(inputs),
                            backward=function, given=tuple(given)))


def _custom_kernel(*operands: Any, n_out: int, n_in: int, backward: GraphFunction,
                   given: tuple) -> tuple:
    return operands[:n_out]


def _custom_shape(*operands: Spec, n_out: int, n_in: int, backward: GraphFunction,
                  given: tuple) -> tuple:
    return operands[:n_out]


def _custom_vjp(gs: tuple, ys: tuple, *operands: Any, n_out: int, n_in: int,
                backward: GraphFunction, given: tuple) -> tuple:
    bare = not any(isinstance(g, Tensor) for g in gs)
    parts = [*gs, *operands[n_out + n_in:]]
    if bare:
        found = iter(backward.run(parts, []))
    else:
        found = iter(backward.call(parts, []))
    grads = [next(found) if one else None for one in given]
    return (*(None,) * n_out, *grads, *(None,) * (len(operands) - n_out - n_in))


def _custom_jvp(ts: tuple, ys: tuple, *operands: Any, n_out: int, **attrs: Any) -> tuple:
    """Forward mode goes through what the function computed, as in TensorFlow."""
    return ts[:n_out]


CUSTOM = define("custom_gradient", kernel=_custom_kernel, shape=_custom_shape, vjp=_custom_vjp,
                jvp=_custom_jvp, multi=True, args=("*operands",), saves="in", kind="control",
                internal=True).op  # type: ignore[attr-defined]
