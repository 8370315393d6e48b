"""Branches inside a graph: one node that holds a graph for each branch.

The gradient is a choice among the backward graphs.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from tapeflow.base import nest
from tapeflow.base.exception_origin import unsignalled
from tapeflow.core.autodiff.sources import is_differentiable
from tapeflow.core.record.lowering_forms import Branch
from tapeflow.core.record.op import Spec, apply
from tapeflow.core.record.primitive_ops import cast, constant_like
from tapeflow.core.values.indexed_slices import IndexedSlices
from tapeflow.core.values.tensor import Tensor
from tapeflow.graph import ir
from tapeflow.graph.control_flow.control_flow_batching import vectorised
from tapeflow.graph.control_flow.known_sizes import sized_branches
from tapeflow.graph.executor.graph_function import Derivative, GraphFunction
from tapeflow.graph.tracing.operation import Operation
from tapeflow.graph.tracing.rereading import held_now
from tapeflow.graph.tracing.subgraph import (
    Subgraph,
    captured_by,
    control_op,
    extend,
    has_effects,
    in_trace_or,
    static_shape,
)
from tapeflow.graph.tracing.symbolic import Symbolic
from tapeflow.graph.tracing.trace import Trace, current_trace
from tapeflow.ops.array import shaping
from tapeflow.ops.control import control_flow
from tapeflow.ops.indexing import gathering
from tapeflow.ops.math import comparison

_INT64 = np.dtype("int64")


def cond(trace: Trace, index: Tensor, branches: tuple) -> Any:
    """One of several branches, by an int32 scalar; out of range takes the last."""
    subgraphs = trace_branches(trace, branches)
    for subgraph in subgraphs:  # operations are run for their effects, which the node has
        subgraph.returned = nest.map_structure(
            lambda x: None if isinstance(x, Operation) else x, subgraph.returned)
    _match_indices(subgraphs)
    first = subgraphs[-1]
    leaves = [subgraph.tensors(subgraph.returned) for subgraph in subgraphs]
    for subgraph, found in zip(subgraphs, leaves, strict=True):
        _same_results(first.returned, leaves[-1], subgraph.returned, found)
    results = iter(join(trace, index, subgraphs, [
        [x for x in found if x is not None] for found in leaves]))
    packed = [None if x is None else next(results) for x in leaves[-1]]
    return nest.pack_sequence_as(first.returned, packed, expand_composites=True)


def trace_branches(trace: Trace, branches: tuple) -> list[Subgraph]:
    """Trace the branches; of two, the second first, which is what holds if the test does."""
    order = range(len(branches)) if len(branches) != 2 else (1, 0)
    made = {i: Subgraph(trace, branches[i], [], getattr(branches[i], "__name__", "branch"))
            for i in order}
    return [made[i] for i in range(len(branches))]


def join(trace: Trace, index: Tensor, subgraphs: list[Subgraph], results: list[list]) -> list:
    """One node of traced branches that return `results`; variables they wrote are written."""
    variables = {uid: variable for subgraph in subgraphs
                 for uid, variable in subgraph.trace.variables.written.items()}
    written = [variables[uid] for uid in sorted(variables)]
    for subgraph, found in zip(subgraphs, results, strict=True):
        subgraph.set_outputs([*found, *subgraph.final_values(written)])
    captured = captured_by(subgraphs)
    functions = tuple([subgraph.to_function(captured) for subgraph in subgraphs])
    op = BRANCH_EFFECT if has_effects(functions) else BRANCH
    ys = list(apply(op, (index, *captured), {"branches": functions}))
    count = len(ys) - len(written)
    for variable, y in zip(written, ys[count:], strict=True):
        trace.assign(variable, y)
    return ys[:count]


def _match_indices(subgraphs: list[Subgraph]) -> None:
    """Where branches return IndexedSlices with indices of both dtypes, all get int64."""
    flat = [nest.flatten(subgraph.returned) for subgraph in subgraphs]
    if len({len(leaves) for leaves in flat}) > 1:
        return  # not the same structure, which is told later
    differing = {i for i, column in enumerate(zip(*flat, strict=True))
                 if all(isinstance(x, IndexedSlices) for x in column)
                 and len({x.indices.dtype for x in column}) > 1}
    if differing:
        for subgraph, leaves in zip(subgraphs, flat, strict=True):
            with subgraph.trace:
                leaves = [IndexedSlices(x.values, cast(x.indices, dtype=_INT64), x.dense_shape)
                          if i in differing else x for i, x in enumerate(leaves)]
            subgraph.returned = nest.pack_sequence_as(subgraph.returned, leaves)


def _same_results(one: Any, xs: list, other: Any, ys: list) -> None:
    try:
        nest.assert_same_structure(one, other, expand_composites=True)
    except unsignalled(TypeError, ValueError) as error:
        raise TypeError(f"true_fn and false_fn arguments to tf.cond must have the same number, "
                        f"type, and overall structure of return values. {error}") from None
    for x, y in zip(xs, ys, strict=True):
        if (x is None) != (y is None):
            raise ValueError("Lengths of branch outputs of cond must match: one branch returns "
                             f"{x if y is None else y}, the other None.")
        if x is not None and y is not None and x.dtype != y.dtype:
            raise TypeError(f"tf.cond: the branches must return the same dtypes, got "
                            f"{getattr(x, 'dtype', None)!r} and {getattr(y, 'dtype', None)!r}.")


def _branch_kernel(index: Any, *captured: Any, branches: tuple) -> tuple:
    position = int(index)
    branch = branches[position if 0 <= position < len(branches) else -1]
    return branch.run(list(captured), [])


def _branch_shape(index: Spec, *captured: Spec, branches: tuple) -> tuple:
    results = []
    for values in zip(*[one.graph.outputs for one in branches], strict=True):
        shape = values[0].shape
        for value in values[1:]:
            shape = _common(shape, value.shape)
        results.append(Spec(shape, values[0].dtype))
    return tuple(results)


def _common(a: tuple | None, b: tuple | None) -> tuple | None:
    if a is None or b is None or len(a) != len(b):
        return None
    return tuple([m if m == n else None for m, n in zip(a, b, strict=True)])


def _branch_vjp(gs: tuple, ys: tuple, index: Tensor, *captured: Tensor, branches: tuple) -> tuple:
    """A choice among the backward graphs.

    Each runs its forward part again, unless that has effects: then the forward node returns what
    the backward ones need, zeros for those not taken.
    """
    before, captured = captured, tuple([held_now(x) for x in captured])
    needs = tuple([is_differentiable(x) for x in captured])
    node = ys[0]._ir.node if isinstance(ys[0], Symbolic) else None
    keep = node is not None and has_effects(node.attrs["branches"])
    if keep and node is not None:
        branches = node.attrs["branches"]
    derivatives = [Derivative(branch, needs, len(gs)) for branch in branches]
    saved: list[Tensor] = []
    starts = [0] * len(branches)
    if keep and node is not None:
        saved, starts = _keep(node, derivatives, (index, *before))
    operands = [*captured, *gs, *saved]
    specs = [Spec(static_shape(x), x.dtype.np) for x in operands]
    count = len(branches[0].graph.outputs)

    def backward(derivative: Derivative, start: int) -> Callable:
        def run(*parts: Any) -> list:
            xs, seeds = list(parts[:len(captured)]), parts[len(captured):len(captured) + len(gs)]
            kept = len(derivative.forward.graph.outputs) - count
            if keep:
                first = len(captured) + len(gs) + start
                held = list(parts[first:first + kept])
            else:
                held = derivative.forward.replay(xs, [])[count:]
            given = derivative.dense(derivative.backward.replay(
                [*held, *[xs[i] for i in derivative.passed],
                 *[seeds[i] for i in derivative.live]], []))
            return [constant_like(x, 0) if g is None else g
                    for x, g, need in zip(xs, given, needs, strict=True) if need]

        return run

    subgraphs = [Subgraph(current_trace(), backward(one, start), specs, "branch")
              for one, start in zip(derivatives, starts, strict=True)]
    for subgraph in subgraphs:
        subgraph.set_outputs(subgraph.tensors(subgraph.returned))
    constants = captured_by(subgraphs)  # of a rule's own, where tf.gradients may ask for them
    functions = tuple([subgraph.to_function(constants) for subgraph in subgraphs])
    op = BRANCH_EFFECT if has_effects(functions) else BRANCH
    found = iter(op.call(index, *operands, *constants, branches=functions))
    return (None, *[next(found) if need else None for need in needs])


def _keep(node: ir.Node, derivatives: list[Derivative],
          operands: tuple) -> tuple[list[Any], list[int]]:
    """Make the forward node return what each backward branch needs."""
    count = len(node.attrs["branches"][0].graph.outputs)
    wanted = [list(one.forward.graph.outputs[count:]) for one in derivatives]
    everything = [value for values in wanted for value in values]
    functions = []
    for taken, derivative in enumerate(derivatives):
        forward = derivative.forward.graph
        graph = ir.Graph(forward.name)
        graph.inputs, graph.nodes, graph.variables = (
            forward.inputs, forward.nodes, forward.variables)
        graph.outputs = list(forward.outputs[:count])
        for other, values in enumerate(wanted):
            graph.outputs += values if other == taken else [ir.constant(
                np.zeros([n or 0 for n in value.shape or ()], value.dtype)) for value in values]
        functions.append(GraphFunction(graph, inner=True))
    starts = [sum(map(len, wanted[:i])) for i in range(len(wanted))]
    return list(extend(node, {"branches": tuple(functions)}, everything, operands)), starts


def _branch_batch(call: Callable, size: int, xs: tuple, batched: tuple, attrs: dict) -> tuple:
    index, operands = xs[0], xs[1:]
    branches = attrs["branches"]
    everywhere = (True,) * len(branches[0].graph.outputs)
    functions = tuple([vectorised(one, size, batched[1:], everywhere)[0] for one in branches])
    if not batched[0]:
        return tuple(call(index, *operands, branches=functions))
    # Elements go different ways: all branches run, and each element takes its own.
    last = len(branches) - 1
    results = [one.replay(list(operands), []) for one in functions]
    chosen = results[last]
    for i in range(last):
        taken = comparison.equal(index, np.int32(i))
        chosen = [gathering.where(shaping.reshape(taken, (size, *(1,) * (y.ndim - 1))), y, z)
                  for y, z in zip(results[i], chosen, strict=True)]
    return tuple(chosen)


def _eager_branch(index: Tensor, *captured: Tensor, branches: tuple) -> tuple:
    """Replayed outside a trace: plain Python over the branch's ops, so that listeners follow."""
    return tuple(control_flow.choose(index, tuple([
        lambda branch=branch: branch.replay(list(captured), []) for branch in branches])))


BRANCH = control_op("cond", _branch_kernel, _branch_shape, _branch_vjp, False, _branch_batch)
BRANCH_EFFECT = control_op("cond", _branch_kernel, _branch_shape, _branch_vjp, True,
                           _branch_batch)
for _op in (BRANCH, BRANCH_EFFECT):
    in_trace_or(_op, _eager_branch, sized_branches)
BRANCH.lower = BRANCH_EFFECT.lower = Branch()
