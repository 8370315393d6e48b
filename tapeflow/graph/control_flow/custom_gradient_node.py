"""Custom gradients inside a graph: a node whose derivative is the user's function.

A tape of the same trace calls that function when it walks back, as an eager one does: it reads what
variables hold then. For derivatives of the whole graph the function is traced at once, as a graph
of its own, which reads them anew too (`graph/tracing/rereading.py`).

In a tf.Graph, which nobody differentiates as a whole, it is called when tf.gradients asks.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from tapeflow.core import state as states
from tapeflow.core.autodiff.record import Record
from tapeflow.core.record.op import Op, Spec, define
from tapeflow.core.state import state
from tapeflow.core.values.indexed_slices import IndexedSlices, densify
from tapeflow.core.values.tensor import Tensor
from tapeflow.graph.control_flow.control_flow_batching import batch_axis
from tapeflow.graph.executor.graph_function import GraphFunction
from tapeflow.graph.tracing.rereading import RuleTrace, held_now
from tapeflow.graph.tracing.subgraph import Subgraph, static_shape
from tapeflow.graph.tracing.trace import Trace

# A rule that calls functions with rules of their own, or its own function, is traced with them:
# each level is for one order of derivatives more. Many rules in one are traced for two orders only.
DEEPEST, SURE, MANY = 5, 2, 64


def custom_gradient(trace: Trace, op: Op, inputs: list, outputs: list, rule: Callable) -> list:
    """Outputs as they are, with the user's rule as their gradient."""
    with states.only(tuple([one for one in state.stack if not isinstance(one, Record)])):
        outputs = _node(trace, op, inputs, outputs, rule)
    for listener in state.stack:
        if isinstance(listener, Record):
            listener.note(op, tuple(inputs), tuple(outputs), {"rule": rule})
    return outputs


class MeetsOthers(RuntimeError):
    """A replica waits for the others in a graph of its own, where they cannot meet."""

    def __init__(self) -> None:
        super().__init__(
            "merge_call called while defining a new graph or a tf.function. This can often happen "
            "if the function `fn` passed to `strategy.run()` contains a nested `@tf.function`, and "
            "the nested `@tf.function` contains a synchronization point, such as aggregating "
            "gradients, or if the function `fn` uses a control flow statement which contains a "
            "synchronization point in the body.")


class KeptRule(NamedTuple):
    """The user's function, of a node of a tf.Graph."""

    rule: Callable


def _node(trace: Trace, op: Op, inputs: list, outputs: list, rule: Callable) -> list:
    """The node for derivatives of the graph: what the rule uses from outside are its operands."""
    if trace.keeps_rules:
        return list(CUSTOM.call(*outputs, *inputs, n_out=len(outputs), n_in=len(inputs),
                                backward=KeptRule(rule), given=()))
    specs = [Spec(static_shape(y), y.dtype.np) for y in outputs]
    given: list[Any] = []

    def backward(*gs: Any) -> list:
        found = rule(*gs)
        given.extend(g is not None for g in found)
        return [densify(g) if isinstance(g, IndexedSlices) else g for g in found
                if g is not None]

    root = trace.root
    untraced = {"n_out": len(outputs), "n_in": len(inputs), "backward": None, "given": ()}
    if root.rule_depth >= DEEPEST or root.rule_depth >= SURE and root.rules_traced >= MANY:
        return list(CUSTOM.call(*outputs, *inputs, **untraced))
    root.rules_traced = root.rules_traced + 1 if root.rule_depth else 1
    root.rule_depth += 1
    try:
        body = Subgraph(trace, backward, specs, f"gradient of {op.name}", RuleTrace)
    except MeetsOthers:  # a tape of this trace calls it, where it can meet them
        return list(CUSTOM.call(*outputs, *inputs, **untraced))
    finally:
        root.rule_depth -= 1
    body.set_outputs(body.tensors(body.returned))
    captured = body.captured
    function = body.to_function(captured)
    return list(CUSTOM.call(*outputs, *inputs, *captured, n_out=len(outputs), n_in=len(inputs),
                            backward=function, given=tuple(given)))


def _custom_kernel(*operands: Any, n_out: int, n_in: int, backward: GraphFunction | KeptRule | None,
                   given: tuple) -> tuple:
    return operands[:n_out]


def _custom_shape(*operands: Spec, n_out: int, n_in: int, backward: GraphFunction | KeptRule | None,
                  given: tuple) -> tuple:
    return operands[:n_out]


def _custom_vjp(gs: tuple, ys: tuple, *operands: Any, n_out: int, n_in: int,
                backward: GraphFunction | KeptRule | None, given: tuple) -> tuple:
    if backward is None:
        raise NotImplementedError(
            f"a custom gradient that calls itself has derivatives up to order {DEEPEST}, or {SURE} "
            "if it calls many, outside the tf.function that calls it, and none if it meets other "
            "replicas; take the tape inside.")
    if isinstance(backward, KeptRule):
        return (*(None,) * n_out, *backward.rule(*gs))
    bare = not any(isinstance(g, Tensor) for g in gs)
    parts = [*gs, *[held_now(x) for x in operands[n_out + n_in:]]]
    if bare:
        found = iter(backward.run(parts, []))
    else:
        found = iter(backward.call(parts, []))
    grads = [next(found) if one else None for one in given]
    return (*(None,) * n_out, *grads, *(None,) * (len(operands) - n_out - n_in))


def _custom_jvp(ts: tuple, ys: tuple, *operands: Any, n_out: int, **attrs: Any) -> tuple:
    """Forward mode goes through what the function computed, as in TensorFlow."""
    return ts[:n_out]


def _custom_batch(call: Callable, size: int, xs: list, batched: list, attrs: dict) -> tuple:
    """In a vectorised map gradients go through what the function computed, as eagerly."""
    return tuple([batch_axis(x, mark, size) for x, mark in zip(
        xs[:attrs["n_out"]], batched, strict=False)])


CUSTOM = define("custom_gradient", kernel=_custom_kernel, shape=_custom_shape, vjp=_custom_vjp,
                jvp=_custom_jvp, multi=True, args=("*operands",), saves="in", kind="control",
                batch=_custom_batch, internal=True).op
