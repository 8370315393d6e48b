"""Branches inside a graph: one node that holds a graph for each branch.

The gradient is a choice among the backward graphs, each of which runs its forward part again.
"""

from __future__ import annotations

from typing import Any

from tapeflow.base import nest
from tapeflow.core.basics import constant_like
from tapeflow.core.op import Spec
from tapeflow.core.state import state
from tapeflow.core.tape import _differentiable
from tapeflow.core.tensor import Tensor
from tapeflow.graph.bodies import Body, control_op, has_effects, in_trace_or, union
from tapeflow.graph.callable import Derivative
from tapeflow.graph.tracing import Trace
from tapeflow.ops import control


def choose(trace: Trace, index: Tensor, branches: tuple) -> Any:
    """One of several branches, by an int32 scalar; out of range takes the last."""
    bodies = trace_branches(trace, branches)
    first = bodies[-1]
    leaves = [body.tensors(body.returned) for body in bodies]
    for body, found in zip(bodies, leaves, strict=True):
        _same_results(first.returned, leaves[-1], body.returned, found)
    results = iter(join(trace, index, bodies, [
        [x for x in found if x is not None] for found in leaves]))
    packed = [None if x is None else next(results) for x in leaves[-1]]
    return nest.pack_sequence_as(first.returned, packed, expand_composites=True)


def trace_branches(trace: Trace, branches: tuple) -> list[Body]:
    """Trace the branches; of two, the second first, which is what holds if the test does."""
    order = range(len(branches)) if len(branches) != 2 else (1, 0)
    made = {i: Body(trace, branches[i], [], getattr(branches[i], "__name__", "branch"))
            for i in order}
    return [made[i] for i in range(len(branches))]


def join(trace: Trace, index: Tensor, bodies: list[Body], results: list[list]) -> list:
    """One node of traced branches that return `results`; variables they wrote are written."""
    variables = {uid: variable for body in bodies
                 for uid, variable in body.trace.written_variables.items()}
    written = [variables[uid] for uid in sorted(variables)]
    for body, found in zip(bodies, results, strict=True):
        body.settle([*found, *body.ends(written)])
    captured = union(bodies)
    functions = tuple([body.finish(captured) for body in bodies])
    op = BRANCH_EFFECT if has_effects(functions) else BRANCH
    ys = list(op.call(index, *captured, branches=functions))
    count = len(ys) - len(written)
    for variable, y in zip(written, ys[count:], strict=True):
        trace.assign(variable, y)
    return ys[:count]


def _same_results(one: Any, xs: list, other: Any, ys: list) -> None:
    try:
        nest.assert_same_structure(one, other, expand_composites=True)
    except (TypeError, ValueError) as error:
        raise TypeError(f"true_fn and false_fn arguments to tf.cond must have the same number, "
                        f"type, and overall structure of return values. {error}") from None
    for x, y in zip(xs, ys, strict=True):
        if (x is None) != (y is None) or (x is not None and y is not None and x.dtype != y.dtype):
            raise TypeError(f"tf.cond: the branches must return the same dtypes, got "
                            f"{getattr(x, 'dtype', None)!r} and {getattr(y, 'dtype', None)!r}.")


def _branch_kernel(index: Any, *captured: Any, branches: tuple) -> tuple:
    number = int(index)
    branch = branches[number if 0 <= number < len(branches) else -1]
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
    """A choice among the backward graphs; each runs its forward part again."""
    needs = tuple([_differentiable(x) for x in captured])
    functions = []
    count = len(captured)
    for branch in branches:
        derivative = Derivative(branch, needs)

        def backward(*parts: Any, derivative: Derivative = derivative) -> list:
            xs, seeds = parts[:count], parts[count:]
            results = derivative.forward.replay(list(xs), [])
            saved = results[len(seeds):]
            given = derivative.dense(derivative.backward.replay(
                [*saved, *[xs[i] for i in derivative.passed],
                 *[seeds[i] for i in derivative.live]], []))
            return [constant_like(x, 0) if g is None else g
                    for x, g, need in zip(xs, given, needs, strict=True) if need]

        functions.append(lambda backward=backward: backward(*captured, *gs))
    found = iter(choose(state.trace, index, tuple(functions)))
    return (None, *[next(found) if need else None for need in needs])


def _eager_branch(index: Tensor, *captured: Tensor, branches: tuple) -> tuple:
    """Replayed outside a trace: plain Python over the branch's ops, so that listeners follow."""
    return tuple(control.choose(index, tuple([
        lambda branch=branch: branch.replay(list(captured), []) for branch in branches])))


BRANCH = control_op("cond", _branch_kernel, _branch_shape, _branch_vjp, False)
BRANCH_EFFECT = control_op("cond", _branch_kernel, _branch_shape, _branch_vjp, True)
for _op in (BRANCH, BRANCH_EFFECT):
    in_trace_or(_op, _eager_branch)
