"""Loops inside a graph: one node with a body graph.

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
from tapeflow.base.exports import PUBLIC
from tapeflow.base.shapes import TensorShape
from tapeflow.core.basics import constant_like, gather_rows, stack
from tapeflow.core.convert import convert
from tapeflow.core.lowering import Loop
from tapeflow.core.op import Spec, shape_of
from tapeflow.core.state import state
from tapeflow.core.tape import _differentiable
from tapeflow.core.tensor import Tensor, wrap
from tapeflow.core.variable import Variable
from tapeflow.graph import ir
from tapeflow.graph.bodies import (
    Body,
    control_op,
    extend,
    has_effects,
    in_trace_or,
    refine,
    static_shape,
    union,
)
from tapeflow.graph.callable import Derivative, GraphFunction
from tapeflow.graph.rereading import held_now
from tapeflow.graph.tensor_array import arrays_in
from tapeflow.graph.tracing import Symbolic, Trace
from tapeflow.graph.vectorised import spread, swapped, vectorised
from tapeflow.ops import control


def repeat(trace: Trace, condition: Callable, body: Callable, loop_vars: Any,
           limit: Any = None, shape_invariants: Any = None) -> Any:
    """`tf.while_loop` as one node."""
    return loop(trace, condition, body, loop_vars, limit, shape_invariants, _check_turn)[0]


def loop(trace: Trace, condition: Callable, body: Callable, loop_vars: Any, limit: Any,
         shape_invariants: Any, check: Callable, late: Callable | None = None) -> tuple[Any, list]:
    """Loop variables after the loop, and further tensors that only the body makes.

    `check(specs, after)` compares the variables before and after a turn. `late(turn)` gives those
    further tensors when the body was traced; they are zeros if the loop never runs.
    """
    start = _begin(trace, loop_vars)
    specs = _loop_specs(start, shape_invariants, loop_vars)

    def packed(leaves: Any) -> Any:
        return nest.pack_sequence_as(loop_vars, list(leaves), expand_composites=True)

    test = Body(trace, lambda *leaves: condition(*packed(leaves)), specs, "while_cond")
    turn = Body(trace, lambda *leaves: body(*packed(leaves)), specs, "while_body")
    _allocate(loop_vars, start, test, turn)
    after = turn.tensors(turn.returned)
    check([Spec(x._ir.shape, x._ir.dtype) for x in turn.inputs], after)
    extra = [] if late is None else late(turn)
    begin = [*start, *[_zeros_before(x, test, turn) for x in extra]]
    # Variables that the body writes travel as carries behind the loop's own.
    written = [turn.trace.written_variables[uid] for uid in sorted(turn.trace.written_variables)]
    turn.settle([*after, *extra, *turn.ends(written)])
    test.settle([_scalar(test)])
    values: list[Any] = [trace.read(variable) for variable in written]
    carried = {id(x) for x in values}
    captured = [*values, *[x for x in union([turn, test]) if id(x) not in carried]]
    turned, tested = turn.finish(captured), test.finish(captured)
    op = LOOP_EFFECT if has_effects((turned, tested)) else LOOP
    ys = op.call(*begin, *captured, body=turned, condition=tested,
                 n_carry=len(begin) + len(values), n_seq=0, limit=limit, reverse=False)
    for variable, y in zip(written, ys[len(begin):], strict=True):
        trace.assign(variable, y)
    results = packed(ys[:len(start)])
    for array, known in zip(arrays_in(results), arrays_in(turn.returned), strict=False):
        array.learn(known.element_shape)
    return results, list(ys[len(start):len(begin)])


def _zeros_before(x: Tensor, test: Body, turn: Body) -> Tensor:
    """What a tensor that only the body makes is before the first turn."""
    shape = static_shape(x)
    for body in (test, turn):
        body.trace.placeholder(shape, x.dtype.np)
    sizes = [n or 0 for n in shape or ()]
    return wrap(np.full(sizes, b"" if x.dtype.kind == "O" else 0, x.dtype.np))


def _begin(trace: Trace, loop_vars: Any) -> list[Any]:
    """The loop variables as tensors; None for an array that has no buffer yet."""
    return [None if x is None else trace.read(x) if isinstance(x, Variable) else convert(x)
            for x in nest.flatten(loop_vars, expand_composites=True)]


def _any_length(x: Tensor) -> tuple | None:
    shape = static_shape(x)
    return None if shape is None else (None, *shape[1:])


def _allocate(loop_vars: Any, start: list, test: Body, turn: Body) -> None:
    """Buffers for arrays that had none, now that the body has shown the shape of an element."""
    places = [i for i, x in enumerate(start) if x is None]
    pairs = [(before, after) for before, after in zip(
        arrays_in(loop_vars), arrays_in(turn.returned), strict=False) if before.unallocated]
    for i, (before, after) in zip(places, pairs, strict=True):
        before.allocate(after.element_shape)
        start[i] = before._buffer
        shape = _any_length(start[i]) if before.dynamic_size else static_shape(start[i])
        if not after.element_shape.is_fully_defined():
            shape = None
        for body in (test, turn):
            body.inputs[i]._ir.shape = shape
    if places:
        for body in (test, turn):
            refine(body.trace.graph)


def _loop_specs(start: list, shape_invariants: Any, loop_vars: Any) -> list[Spec]:
    if shape_invariants is None:
        arrays = arrays_in(loop_vars)
        growing = {id(x._buffer) for x in arrays if x.dynamic_size and not x.unallocated}
        blank = iter([x.dtype.np for x in arrays if x.unallocated])
        return [Spec(None, next(blank)) if x is None else
                Spec(_any_length(x) if id(x) in growing else static_shape(x), x.dtype.np)
                for x in start]
    flat = [TensorShape(getattr(one, "shape", one)) for one in _flat_shapes(shape_invariants)]
    return [Spec(None if shape.rank is None else tuple(shape.as_list()), x.dtype.np)
            for x, shape in zip(start, flat, strict=True)]


def _flat_shapes(shapes: Any) -> list:
    if isinstance(shapes, TensorShape) or hasattr(shapes, "is_compatible_with"):
        return [shapes]
    if isinstance(shapes, dict):
        return [leaf for key in sorted(shapes) for leaf in _flat_shapes(shapes[key])]
    if isinstance(shapes, (list, tuple)):
        return [leaf for one in shapes for leaf in _flat_shapes(one)]
    return [shapes]


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
        shape = static_shape(x)
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
    if not isinstance(ys[0], Symbolic):
        raise NotImplementedError("The gradient of a loop that runs for a batch of elements at "
                                  "once is known only inside a tf.function.")
    node = ys[0]._ir.node
    assert node is not None
    body = node.attrs["body"]  # it may return more by now than when the tape heard of it
    outputs = body.graph.outputs
    fixed_at = n_carry + n_seq
    before, operands = operands, tuple([held_now(x) for x in operands])
    needs = tuple([_differentiable(x) for x in operands])
    derivative = Derivative(body, needs, len(gs))
    saved, stacks = _collect(node, derivative, n_carry, before)
    carried = [i for i in range(n_carry) if needs[i]]
    fixed = [i for i in range(fixed_at, len(operands)) if needs[i]]
    sequenced = [i for i in range(n_carry, fixed_at) if needs[i]]
    own = [j for j in range(n_carry, len(gs)) if outputs[j].dtype.kind in "fcV"]
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

    results = _each(state.trace, turn, begin, slices, others, not reverse)
    found = dict(zip(carried + fixed + sequenced, results, strict=True))
    return tuple([found.get(i) for i in range(len(operands))])


def _each(trace: Trace, turn: Callable, begin: list, slices: list, others: list,
          reverse: bool) -> list:
    """A loop over the elements of `slices`: final carries, then what each turn returned."""
    specs = ([Spec(static_shape(x), x.dtype.np) for x in begin]
             + [Spec(None if static_shape(x) is None else static_shape(x)[1:], x.dtype.np)  # type: ignore
                for x in slices]
             + [Spec(static_shape(x), x.dtype.np) for x in others])
    body = Body(trace, turn, specs, "loop_body")
    body.settle(body.tensors(body.returned))
    captured = union([body])
    function = body.finish(captured)
    op = LOOP_EFFECT if has_effects((function,)) else LOOP
    return list(op.call(*begin, *slices, *others, *captured, body=function, condition=None,
                        n_carry=len(begin), n_seq=len(slices), limit=None, reverse=reverse))


def _collect(node: ir.Node, derivative: Derivative, n_carry: int,
             operands: tuple) -> tuple[dict[int, int], list[Any]]:
    """Make the forward node collect what the backward turns need; returns the stacks.

    First what the derivative saves, then the carries that its backward graph reads as they are.
    """
    forward = derivative.forward.graph
    count = len(node.attrs["body"].graph.outputs)
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
    collected = node.outputs[n_carry:]
    turns = collected[0].shape[0] if collected and collected[0].shape else None
    stacked = [ir.Value(None if value.shape is None else (turns, *value.shape), value.dtype)
               for value in wanted]
    return place, list(extend(node, {"body": GraphFunction(graph, inner=True)}, stacked, operands))


# -- a loop for all elements of a batch ------------------------------------------------------------
def _loop_batch(call: Callable, size: int, xs: tuple, batched: tuple, attrs: dict) -> tuple:
    body, condition = attrs["body"], attrs["condition"]
    n_carry, n_seq = attrs["n_carry"], attrs["n_seq"]
    marks = batched
    while True:
        turned, varying = vectorised(body, size, marks)
        grown = (*[a or b for a, b in zip(marks, varying[:n_carry], strict=False)],
                 *marks[n_carry:])
        if grown == marks:
            break
        marks = grown
    tested = None
    if condition is not None:
        tested, differs = vectorised(condition, size, (*marks[:n_carry], *marks[n_carry:]))
        if differs[0]:
            return _diverging(call, size, xs, batched, attrs)
    turned, varying = vectorised(body, size, marks, (*marks[:n_carry], *varying[n_carry:]))
    operands = [spread(x, was, size) if mark else x
                for x, was, mark in zip(xs, batched, marks, strict=True)]
    # Turns come first in a sequence, elements behind them.
    operands[n_carry:n_carry + n_seq] = [
        swapped(x) if mark else x for x, mark in zip(
            operands[n_carry:n_carry + n_seq], marks[n_carry:n_carry + n_seq], strict=True)]
    ys = call(*operands, **{**attrs, "body": turned, "condition": tested})
    results = [spread(y, mark, size) for y, mark in zip(ys[:n_carry], marks, strict=False)]
    results += [swapped(y) if mark else spread(y, False, size)
                for y, mark in zip(ys[n_carry:], varying[n_carry:], strict=True)]
    return tuple(results)


def _diverging(call: Callable, size: int, xs: tuple, batched: tuple, attrs: dict) -> tuple:
    """Elements leave the loop at different turns: it runs while one stays, the others rest."""
    body, condition, n_carry = attrs["body"], attrs["condition"], attrs["n_carry"]
    if len(body.graph.outputs) > n_carry:
        raise NotImplementedError(
            "The gradient of a while loop that elements of a vectorised map leave at different "
            "turns: use tf.map_fn there.")
    marks = (*(True,) * n_carry, *batched[n_carry:])
    turned, _ = vectorised(body, size, marks, (True,) * n_carry)
    tested, _ = vectorised(condition, size, marks, (True,))
    specs = [Spec(value.shape, value.dtype) for value in turned.graph.inputs]

    def turn(*parts: Any) -> list:
        stays = tested.replay(list(parts), [])[0]
        after = turned.replay(list(parts), [])
        return [PUBLIC["where"](PUBLIC["reshape"](stays, (size, *(1,) * (y.ndim - 1))), y, x)
                for x, y in zip(parts, after, strict=False)]

    bodies = [Body(state.trace, turn, specs, "while_body"), Body(
        state.trace, lambda *parts: [PUBLIC["reduce_any"](tested.replay(list(parts), [])[0])],
        specs, "while_cond")]
    for one in bodies:
        one.settle(one.tensors(one.returned))
    functions = [one.finish([]) for one in bodies]
    operands = [spread(x, was, size) if mark else x
                for x, was, mark in zip(xs, batched, marks, strict=True)]
    return tuple(call(*operands, **{**attrs, "body": functions[0], "condition": functions[1]}))


# -- replays outside a trace: plain Python over the body's ops, so that every listener follows
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


LOOP = control_op("while", _loop_kernel, _loop_shape, _loop_vjp, False, _loop_batch)
LOOP_EFFECT = control_op("while", _loop_kernel, _loop_shape, _loop_vjp, True, _loop_batch)
for _op in (LOOP, LOOP_EFFECT):
    in_trace_or(_op, _eager_loop)
    _op.lower = Loop()
