"""Branches and loops inside a graph, with gradients of any order.

`choose` is one node that holds a graph for each branch. `loop` is one node with a body graph:

    operands  carry (n_carry), sequences (n_seq), invariants
    each turn carry, collected = body(carry, slice of each sequence, invariants)
    results   the last carry, and the collected values stacked along a new first axis

It runs while `condition(carry, invariants)` holds, or once for each element of the sequences. The
gradient of a loop is a loop over what the forward turns collected, backwards: the forward node is
made to collect it when the gradient is asked for. So loops are closed under differentiation.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from tapeflow.base import nest
from tapeflow.core.basics import constant_like, gather_rows, stack
from tapeflow.core.batching import BatchLevel
from tapeflow.core.convert import convert
from tapeflow.core.op import Op, Spec, define, shape_of
from tapeflow.core.slices import IndexedSlices, densify
from tapeflow.core.state import state
from tapeflow.core.tape import GradientTape, _differentiable
from tapeflow.core.tensor import Tensor, wrap
from tapeflow.core.variable import Variable
from tapeflow.graph import ir
from tapeflow.graph.callable import Derivative, GraphFunction
from tapeflow.graph.tensor_array import GraphTensorArray, allocated
from tapeflow.graph.tracing import Symbolic, Trace
from tapeflow.ops import control


class Body:
    """A Python function traced inside another trace: what it returned and what it touched."""

    def __init__(self, outer: Trace, function: Callable, specs: list[Spec], name: str):
        self.trace = Trace(name, outer)
        with self.trace:
            self.inputs = [self.trace.placeholder(spec.shape, spec.dtype) for spec in specs]
            self.returned = function(*self.inputs)

    def tensors(self, structure: Any) -> list:
        """The leaves of a structure as tensors of this trace; None stays None."""
        with self.trace:
            return [None if leaf is None else
                    self.trace.read(leaf) if isinstance(leaf, Variable) else convert(leaf)
                    for leaf in nest.flatten(structure, expand_composites=True)]

    def ends(self, variables: list) -> list[Tensor]:
        """What variables hold at the end."""
        with self.trace:
            return [self.trace.read(variable) for variable in variables]

    @property
    def captured(self) -> list[Symbolic]:
        return [x for x, _ in self.trace.captures]

    def settle(self, results: list[Tensor]) -> None:
        """Fix the results: from here on nothing more is captured."""
        with self.trace:
            self.trace.graph.outputs = [self.trace.value_of(x) for x in results]

    def finish(self, captured: list[Symbolic]) -> GraphFunction:
        """The graph over its inputs and then `captured`."""
        own = {id(x): value for x, value in self.trace.captures}
        graph = self.trace.graph
        graph.inputs = graph.inputs + [
            own.get(id(x)) or ir.Value(x._ir.shape, x._ir.dtype) for x in captured]
        graph.prune()
        return GraphFunction(graph)


def _union(bodies: list[Body]) -> list[Symbolic]:
    found: dict[int, Symbolic] = {}
    for body in bodies:
        for x in body.captured:
            found.setdefault(id(x), x)
    return list(found.values())


def _effects(functions: tuple) -> bool:
    return any(node.op.stateful for one in functions for node in one.graph.nodes)


# -- branches --------------------------------------------------------------------------------------
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
    captured = _union(bodies)
    functions = tuple([body.finish(captured) for body in bodies])
    op = BRANCH_EFFECT if _effects(functions) else BRANCH
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


def _private(name: str, kernel: Callable, shape: Callable, vjp: Any, stateful: bool) -> Op:
    return define(name, kernel=kernel, shape=shape, vjp=vjp, multi=True, stateful=stateful,
                  args=("*operands",), saves="in out", kind="control",
                  private=True).op  # type: ignore[attr-defined]


# -- vectorised maps of unknown length ---------------------------------------------------------------
def each(trace: Trace, function: Callable, elems: Any, tensors: list) -> Any:
    """`tf.vectorized_map` over elements whose number is not known while tracing."""
    specs = [Spec(_static(x)[1:], x.dtype.np) for x in tensors]  # type: ignore[index]
    body = Body(trace, lambda *leaves: function(nest.pack_sequence_as(elems, list(leaves))), specs,
                "each")
    leaves = body.tensors(body.returned)
    body.settle([x for x in leaves if x is not None])
    captured = body.captured
    ys = iter(EACH.call(*tensors, *captured, body=body.finish(captured), n_elems=len(tensors)))
    packed = [None if x is None else next(ys) for x in leaves]
    return nest.pack_sequence_as(body.returned, packed, expand_composites=True)


def _all_at_once(operands: tuple, body: GraphFunction, n_elems: int) -> tuple:
    elems, fixed = operands[:n_elems], operands[n_elems:]
    with BatchLevel(shape_of(elems[0])[0], draws=True) as level:
        results = body.replay([*[level.batched(x) for x in elems], *fixed], [])
    return tuple([level.inner(y) for y in results])


def _each_kernel(*operands: Any, body: GraphFunction, n_elems: int) -> tuple:
    results = _all_at_once(tuple([wrap(x) for x in operands]), body, n_elems)
    return tuple([y._value for y in results])


def _each_shape(*operands: Spec, body: GraphFunction, n_elems: int) -> tuple:
    return tuple([Spec(None if value.shape is None else (None, *value.shape), value.dtype)
                  for value in body.graph.outputs])


def _each_vjp(gs: tuple, ys: tuple, *operands: Any, body: GraphFunction, n_elems: int) -> list:
    bare = not any(isinstance(x, Tensor) for x in operands)
    xs = [wrap(x) for x in operands] if bare else list(operands)
    seeds = [wrap(g) for g in gs] if bare else list(gs)
    with GradientTape() as tape:
        tape.watch([x for x in xs if _differentiable(x)])
        results = _all_at_once(tuple(xs), body, n_elems)
    found = [densify(g) if isinstance(g, IndexedSlices) else g
             for g in tape.gradient(list(results), xs, output_gradients=seeds)]
    return [None if g is None else g._value for g in found] if bare else found


EACH = define("each", kernel=_each_kernel, shape=_each_shape, vjp=_each_vjp, multi=True,
              args=("*operands",), saves="in", private=True).op  # type: ignore[attr-defined]


# -- custom gradients --------------------------------------------------------------------------------
def custom(trace: Trace, name: str, inputs: list, outputs: list, rule: Callable) -> list:
    """Outputs as they are, with the user's rule as their gradient.

    The rule is traced at once; what it uses from outside it becomes operands of the node.
    """
    specs = [Spec(_static(y), y.dtype.np) for y in outputs]
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
                private=True).op  # type: ignore[attr-defined]

BRANCH = _private("cond", _branch_kernel, _branch_shape, _branch_vjp, False)
BRANCH_EFFECT = _private("cond", _branch_kernel, _branch_shape, _branch_vjp, True)


# -- loops -----------------------------------------------------------------------------------------
def repeat(trace: Trace, condition: Callable, body: Callable, loop_vars: Any,
           limit: int | None = None, shape_invariants: Any = None) -> Any:
    """`tf.while_loop` as one node."""
    loop_vars = allocated(loop_vars, lambda: _trial(trace, body, loop_vars))
    start = [convert(x) if not isinstance(x, Variable) else trace.read(x)
             for x in nest.flatten(loop_vars, expand_composites=True)]
    specs = _loop_specs(start, shape_invariants, loop_vars)

    def packed(leaves: Any) -> Any:
        return nest.pack_sequence_as(loop_vars, list(leaves), expand_composites=True)

    test = Body(trace, lambda *leaves: condition(*packed(leaves)), specs, "while_cond")
    turn = Body(trace, lambda *leaves: body(*packed(leaves)), specs, "while_body")
    after = turn.tensors(turn.returned)
    _check_turn(specs, after)
    # Variables that the body writes travel as carries behind the loop's own.
    written = [turn.trace.written_variables[uid] for uid in sorted(turn.trace.written_variables)]
    turn.settle([*after, *turn.ends(written)])
    test.settle([_scalar(test)])
    values: list[Any] = [trace.read(variable) for variable in written]
    carried = {id(x) for x in values}
    captured = [*values, *[x for x in _union([turn, test]) if id(x) not in carried]]
    turned, tested = turn.finish(captured), test.finish(captured)
    op = LOOP_EFFECT if _effects((turned, tested)) else LOOP
    ys = op.call(*start, *captured, body=turned, condition=tested,
                 n_carry=len(start) + len(values), n_seq=0, limit=limit, reverse=False)
    for variable, y in zip(written, ys[len(start):], strict=True):
        trace.assign(variable, y)
    return packed(ys[:len(start)])


def _trial(trace: Trace, body: Callable, loop_vars: Any) -> Any:
    """One turn in a trace that is thrown away, to see what shapes arrays get."""
    with Trace("trial", trace):
        return body(*loop_vars)


def _loop_specs(start: list, shape_invariants: Any, loop_vars: Any) -> list[Spec]:
    from tapeflow.base.shapes import TensorShape
    if shape_invariants is None:
        growing = {id(x._buffer) for x in nest.flatten(loop_vars)
                   if isinstance(x, GraphTensorArray) and x.dynamic_size}
        return [Spec((None, *(_static(x) or ())[1:]) if id(x) in growing else _static(x),
                     x.dtype.np) for x in start]
    flat = [TensorShape(getattr(one, "shape", one)) for one in _flat_shapes(shape_invariants)]
    return [Spec(None if shape.rank is None else tuple(shape.as_list()), x.dtype.np)
            for x, shape in zip(start, flat, strict=True)]


def _flat_shapes(shapes: Any) -> list:
    from tapeflow.base.shapes import TensorShape
    if isinstance(shapes, TensorShape) or hasattr(shapes, "is_compatible_with"):
        return [shapes]
    if isinstance(shapes, dict):
        return [leaf for key in sorted(shapes) for leaf in _flat_shapes(shapes[key])]
    if isinstance(shapes, (list, tuple)):
        return [leaf for one in shapes for leaf in _flat_shapes(one)]
    return [shapes]


def _static(x: Tensor) -> tuple | None:
    return x._value.shape if type(x) is Tensor else x._ir.shape  # type: ignore[attr-defined]


def _scalar(test: Body) -> Tensor:
    flat = [x for x in test.tensors(test.returned) if x is not None]
    if len(flat) != 1:
        raise TypeError("tf.while_loop: `cond` must return one boolean scalar.")
    return flat[0]


def _check_turn(specs: list[Spec], after: list) -> None:
    for i, (spec, x) in enumerate(zip(specs, after, strict=True)):
        if x is None or x.dtype.np != spec.dtype:
            raise TypeError(f"Loop var {i} enters the loop with type {spec.dtype}, but has type "
                            f"{getattr(x, 'dtype', None)} after 1 iteration.")
        shape = _static(x)
        if spec.shape is not None and (shape is None or len(shape) != len(spec.shape) or any(
                m is not None and m != n for m, n in zip(spec.shape, shape, strict=True))):
            raise ValueError(
                f"Loop var {i} enters the loop with shape {spec.shape}, but has shape {shape} "
                "after one iteration. To allow the shape to vary across iterations, use the "
                "`shape_invariants` argument of tf.while_loop to specify a less-specific shape.")


def _loop_kernel(*operands: Any, body: GraphFunction, condition: GraphFunction | None,
                 n_carry: int, n_seq: int, limit: int | None, reverse: bool) -> tuple:
    carry, seqs = list(operands[:n_carry]), operands[n_carry:n_carry + n_seq]
    fixed = list(operands[n_carry + n_seq:])
    collected: list[tuple] = []
    turns = None if condition is not None else len(seqs[0])
    turn = 0
    while True:
        if turns is not None:
            if turn == turns:
                break
        elif (limit is not None and turn >= limit) or condition is None or not condition.run(
                carry + fixed, [])[0]:
            break
        at = (turns - 1 - turn) if reverse and turns is not None else turn
        results = body.run([*carry, *[seq[at] for seq in seqs], *fixed], [])
        carry = list(results[:n_carry])
        collected.append(results[n_carry:])
        turn += 1
    if reverse:
        collected.reverse()
    return (*carry, *_stacked(collected, body.graph.outputs[n_carry:]))


def _stacked(collected: list[tuple], like: list[ir.Value]) -> list:
    if not collected:
        return [np.zeros((0, *[n or 0 for n in value.shape or ()]), value.dtype) for value in like]
    return [_column(column) for column in zip(*collected, strict=True)]


def _column(values: tuple) -> Any:
    """One value a turn, stacked; of differing shapes (an inner loop's), as a list of arrays."""
    if all(value.shape == values[0].shape for value in values):
        return np.stack(values)
    column = np.empty(len(values), object)
    for i, value in enumerate(values):
        column[i] = value
    return column


def _loop_shape(*operands: Spec, body: GraphFunction, condition: GraphFunction | None,
                n_carry: int, n_seq: int, limit: int | None, reverse: bool) -> tuple:
    graph = body.graph
    carry = [Spec(value.shape, value.dtype) for value in graph.inputs[:n_carry]]
    turns = None
    if condition is None and n_seq:
        whole = operands[n_carry].shape
        turns = None if whole is None else whole[0]
    rest = [Spec(None if value.shape is None else (turns, *value.shape), value.dtype)
            for value in graph.outputs[n_carry:]]
    return (*carry, *rest)


def _loop_vjp(gs: tuple, ys: tuple, *operands: Tensor, body: GraphFunction,
              condition: GraphFunction | None, n_carry: int, n_seq: int, limit: int | None,
              reverse: bool) -> tuple:
    trace = state.trace
    fixed_at = n_carry + n_seq
    needs = tuple([_differentiable(x) for x in operands])
    derivative = Derivative(body, needs)
    saved, stacks = _collect(trace, ys, body, derivative, n_carry)
    carried = [i for i in range(n_carry) if needs[i]]
    fixed = [i for i in range(fixed_at, len(operands)) if needs[i]]
    sequenced = [i for i in range(n_carry, fixed_at) if needs[i]]
    outputs = body.graph.outputs
    own = [j for j in range(n_carry, len(outputs)) if outputs[j].dtype.kind in "fcV"]
    begin = [gs[i] for i in carried] + [constant_like(operands[i], 0) for i in fixed]
    slices = [*stacks, *[operands[i] for i in range(n_carry, fixed_at)], *[gs[j] for j in own]]
    others = list(operands[fixed_at:])

    def turn(*parts: Any) -> list:
        g_carry, sums = parts[:len(carried)], parts[len(carried):len(begin)]
        rest = parts[len(begin):]
        pieces = rest[:len(stacks)]
        seq_now = rest[len(stacks):len(stacks) + n_seq]
        g_own = rest[len(stacks) + n_seq:len(slices)]
        fixed_now = rest[len(slices):]
        seeds = dict(zip(carried, g_carry, strict=True)) | dict(zip(own, g_own, strict=True))
        passed = []
        for i in derivative.passed:
            if i < n_carry:
                passed.append(pieces[saved[i]])
            elif i < fixed_at:
                passed.append(seq_now[i - n_carry])
            else:
                passed.append(fixed_now[i - fixed_at])
        count = len(derivative.forward.graph.outputs) - len(outputs)
        given = derivative.dense(derivative.backward.replay(
            [*pieces[:count], *passed, *[seeds[i] for i in derivative.live]], []))
        zero = [constant_like(g, 0) for g in g_carry]
        new_carry = [zero[k] if given[i] is None else given[i] for k, i in enumerate(carried)]
        new_sums = [s if given[i] is None else s + given[i]
                    for s, i in zip(sums, fixed, strict=True)]
        each = [constant_like(seq_now[i - n_carry], 0) if given[i] is None else given[i]
                for i in sequenced]
        return [*new_carry, *new_sums, *each]

    results = _each(trace, turn, begin, slices, others, not reverse)
    found = dict(zip(carried + fixed + sequenced, results, strict=True))
    return tuple([found.get(i) for i in range(len(operands))])


def _each(trace: Trace, turn: Callable, begin: list, slices: list, others: list,
          reverse: bool) -> list:
    """A loop over the elements of `slices`: final carries, then what each turn returned."""
    specs = ([Spec(_static(x), x.dtype.np) for x in begin]
             + [Spec(None if _static(x) is None else _static(x)[1:], x.dtype.np)  # type: ignore
                for x in slices]
             + [Spec(_static(x), x.dtype.np) for x in others])
    body = Body(trace, turn, specs, "loop_body")
    body.settle(body.tensors(body.returned))
    captured = _union([body])
    function = body.finish(captured)
    op = LOOP_EFFECT if _effects((function,)) else LOOP
    return list(op.call(*begin, *slices, *others, *captured, body=function, condition=None,
                        n_carry=len(begin), n_seq=len(slices), limit=None, reverse=reverse))


def _collect(trace: Trace, ys: tuple, body: GraphFunction, derivative: Derivative,
             n_carry: int) -> tuple[dict[int, int], list[Tensor]]:
    """Make the forward node collect what the backward turns need; returns the stacks.

    First what the derivative saves, then the carries that its backward graph reads as they are.
    """
    node = ys[0]._ir.node
    forward = derivative.forward.graph
    count = len(body.graph.outputs)
    wanted = list(forward.outputs[count:])
    place = {}
    for i in derivative.passed:
        if i < n_carry:
            place[i] = len(wanted)
            wanted.append(forward.inputs[i])
    if not wanted:
        wanted.append(ir.constant(np.float32(0)))  # one value a turn, to count the turns by
    graph = ir.Graph(forward.name)
    graph.inputs, graph.nodes = forward.inputs, forward.nodes
    graph.variables = forward.variables
    graph.outputs = [*forward.outputs[:count], *wanted]
    already = len(node.outputs)
    turns = node.outputs[n_carry].shape[0] if already > n_carry and node.outputs[
        n_carry].shape else None
    extra = [ir.Value(None if value.shape is None else (turns, *value.shape), value.dtype, node,
                      already + k) for k, value in enumerate(wanted)]
    previous = node.attrs["body"]
    node.attrs = {**node.attrs, "body": _joined(previous, GraphFunction(graph), count)}
    node.outputs = (*node.outputs, *extra)
    return place, [trace.symbolic(value) for value in extra]


def _joined(previous: GraphFunction, new: GraphFunction, count: int) -> GraphFunction:
    """A body that returns what `previous` returns and, behind it, what only `new` returns."""
    if len(previous.graph.outputs) == count:
        return new
    trace = Trace(previous.graph.name)
    with trace:
        inputs: list[Any] = [trace.placeholder(value.shape, value.dtype)
                             for value in previous.graph.inputs]
        first = previous.replay(inputs, [])
        second = new.replay(inputs, [])
        trace.graph.outputs = [trace.value_of(x) for x in [*first, *second[count:]]]
    return GraphFunction(trace.graph)


LOOP = _private("while", _loop_kernel, _loop_shape, _loop_vjp, False)
LOOP_EFFECT = _private("while", _loop_kernel, _loop_shape, _loop_vjp, True)


# -- replays outside a trace: plain Python over the bodies' ops, so that every listener follows -----
def _eager_branch(index: Tensor, *captured: Tensor, branches: tuple) -> tuple:
    return tuple(control.choose(index, tuple([
        lambda branch=branch: branch.replay(list(captured), []) for branch in branches])))


def _eager_loop(*operands: Any, body: GraphFunction, condition: GraphFunction | None,
                n_carry: int, n_seq: int, limit: int | None, reverse: bool) -> tuple:
    fixed = list(operands[n_carry + n_seq:])
    collects = len(body.graph.outputs) > n_carry
    if condition is not None and not collects:
        return tuple(control.repeat(
            lambda *carry: condition.replay([*carry, *fixed], [])[0],
            lambda *carry: body.replay([*carry, *fixed], []), list(operands[:n_carry]), limit))
    carry, seqs = list(operands[:n_carry]), operands[n_carry:n_carry + n_seq]
    turns = None if condition is not None else shape_of(seqs[0])[0]
    collected: list[list] = []
    while turns is None or len(collected) < turns:
        turn = len(collected)
        if condition is not None and ((limit is not None and turn >= limit) or not bool(
                condition.replay([*carry, *fixed], [])[0])):
            break
        at = wrap(np.int32(turns - 1 - turn if reverse and turns is not None else turn))
        results = body.replay([*carry, *[gather_rows(seq, at) for seq in seqs], *fixed], [])
        carry = results[:n_carry]
        collected.append(results[n_carry:])
    if reverse:
        collected.reverse()
    return (*carry, *_stacked_tensors(collected, body.graph.outputs[n_carry:]))


def _stacked_tensors(collected: list[list], like: list[ir.Value]) -> list:
    if not collected:
        return [wrap(one) for one in _stacked([], like)]
    return [stack(*column, axis=0) for column in zip(*collected, strict=True)]


def _in_trace_or(op: Op, eager: Callable) -> None:
    """Outside a trace the op runs as Python; inside it is a node."""
    general = op.call

    def call(*operands: Any, **attrs: Any) -> Any:
        return eager(*operands, **attrs) if state.trace is None else general(*operands, **attrs)

    op.call = call


def _expand_each() -> None:
    """A map whose length is known by now runs at once; else it is a node."""
    general = EACH.call

    def call(*operands: Any, body: GraphFunction, n_elems: int) -> Any:
        if all(shape_of(x)[0] is not None for x in operands[:n_elems]):
            return _all_at_once(operands, body, n_elems)
        return general(*operands, body=body, n_elems=n_elems)

    EACH.call = call


_expand_each()
for _op in (BRANCH, BRANCH_EFFECT):
    _in_trace_or(_op, _eager_branch)
for _op in (LOOP, LOOP_EFFECT):
    _in_trace_or(_op, _eager_loop)
