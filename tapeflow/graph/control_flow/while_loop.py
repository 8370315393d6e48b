"""Loops inside a graph: one node with a body graph (`loop_spec` says what its operands are).

The gradient of a loop is a loop over what the forward iterations collected, backwards: the forward
node is made to collect it when the gradient is asked for. So loops are closed under
differentiation.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from tapeflow.base import nest
from tapeflow.base.shapes import TensorShape
from tapeflow.core.autodiff.sources import is_differentiable
from tapeflow.core.record.lowering_forms import Loop
from tapeflow.core.record.op import Spec, apply, shape_of
from tapeflow.core.record.primitive_ops import constant_like, stack
from tapeflow.core.record.row_ops import gather_rows
from tapeflow.core.values.convert import convert
from tapeflow.core.values.tensor import Tensor, wrap
from tapeflow.core.values.variable import Variable
from tapeflow.graph import ir
from tapeflow.graph.control_flow.control_flow_batching import (
    batch_axis,
    swap_leading,
    vectorised,
)
from tapeflow.graph.control_flow.known_sizes import sized_loop
from tapeflow.graph.control_flow.loop_spec import LoopSpec
from tapeflow.graph.control_flow.traced_tensor_array import arrays_in
from tapeflow.graph.executor.graph_function import Derivative, GraphFunction
from tapeflow.graph.tracing.rereading import held_now
from tapeflow.graph.tracing.subgraph import (
    Subgraph,
    captured_by,
    control_op,
    extend,
    has_effects,
    in_trace_or,
    refine,
    static_shape,
)
from tapeflow.graph.tracing.symbolic import Symbolic
from tapeflow.graph.tracing.trace import Trace, current_trace
from tapeflow.ops.array import shaping
from tapeflow.ops.control import control_flow
from tapeflow.ops.indexing import gathering
from tapeflow.ops.reduce.reduction import reduce_any


def while_loop(trace: Trace, condition: Callable, body: Callable, loop_vars: Any,
           limit: Any = None, shape_invariants: Any = None) -> Any:
    """`tf.while_loop` as one node."""
    return loop(trace, condition, body, loop_vars, limit, shape_invariants, _check_iteration)[0]


def loop(trace: Trace, condition: Callable, body: Callable, loop_vars: Any, limit: Any,
         shape_invariants: Any, check: Callable, late: Callable | None = None) -> tuple[Any, list]:
    """Loop variables after the loop, and further tensors that only the body makes.

    `check(specs, after)` compares the variables before and after an iteration. `late(iteration)`
    gives those further tensors when the body was traced; they are zeros if the loop never runs.
    """
    start = _begin(trace, loop_vars)
    specs = _loop_specs(start, shape_invariants, loop_vars)

    def packed(leaves: Any) -> Any:
        return nest.pack_sequence_as(loop_vars, list(leaves), expand_composites=True)

    test = Subgraph(trace, lambda *leaves: condition(*packed(leaves)), specs, "while_cond")
    iteration = Subgraph(trace, lambda *leaves: body(*packed(leaves)), specs, "while_body")
    _allocate(loop_vars, start, test, iteration)
    after = iteration.tensors(iteration.returned)
    check([Spec(x._ir.shape, x._ir.dtype) for x in iteration.inputs], after)
    extra = [] if late is None else late(iteration)
    begin = [*start, *[_zeros_before(x, test, iteration) for x in extra]]
    # Variables that the body writes travel as carries behind the loop's own.
    written = [iteration.trace.variables.written[uid]
               for uid in sorted(iteration.trace.variables.written)]
    iteration.set_outputs([*after, *extra, *iteration.final_values(written)])
    test.set_outputs([_scalar(test)])
    values: list[Any] = [trace.read(variable) for variable in written]
    carried = {id(x) for x in values}
    captured = [*values, *[x for x in captured_by([iteration, test]) if id(x) not in carried]]
    spec = LoopSpec(iteration.to_function(captured), test.to_function(captured),
                    len(begin) + len(values), limit=limit)
    ys = _call(spec, [*begin, *captured])
    for variable, y in zip(written, ys[len(begin):], strict=True):
        trace.assign(variable, y)
    results = packed(ys[:len(start)])
    for array, known in zip(arrays_in(results), arrays_in(iteration.returned), strict=False):
        array.learn(known.element_shape)
    return results, list(ys[len(start):len(begin)])


def _zeros_before(x: Tensor, test: Subgraph, iteration: Subgraph) -> Tensor:
    """What a tensor that only the body makes is before the first iteration."""
    shape = static_shape(x)
    for body in (test, iteration):
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


def _allocate(loop_vars: Any, start: list, test: Subgraph, iteration: Subgraph) -> None:
    """Buffers for arrays that had none, now that the body has shown the shape of an element."""
    missing = [i for i, x in enumerate(start) if x is None]
    pairs = [(before, after) for before, after in zip(
        arrays_in(loop_vars), arrays_in(iteration.returned), strict=False) if before.unallocated]
    for i, (before, after) in zip(missing, pairs, strict=True):
        before.allocate(after.element_shape)
        start[i] = before._buffer
        shape = _any_length(start[i]) if before.dynamic_size else static_shape(start[i])
        if not after.element_shape.is_fully_defined():
            shape = None
        for body in (test, iteration):
            body.inputs[i]._ir.shape = shape
    if missing:
        for body in (test, iteration):
            refine(body.trace.graph)


def _loop_specs(start: list, shape_invariants: Any, loop_vars: Any) -> list[Spec]:
    arrays = arrays_in(loop_vars)
    buffers = {id(x._buffer) for x in arrays if not x.unallocated}
    growing = {id(x._buffer) for x in arrays
               if (x.dynamic_size or x.uneven) and not x.unallocated}
    blank = iter([x.dtype.np for x in arrays if x.unallocated])
    specs = [Spec(None, next(blank)) if x is None else
             Spec(_any_length(x) if id(x) in growing else static_shape(x), x.dtype.np)
             for x in start]
    if shape_invariants is None:
        return specs
    flat = [TensorShape(getattr(one, "shape", one)) for one in _flat_shapes(shape_invariants)]
    return [spec if x is None or id(x) in buffers else
            Spec(None if shape.rank is None else tuple(shape.as_list()), x.dtype.np)
            for x, spec, shape in zip(start, specs, flat, strict=True)]


def _flat_shapes(shapes: Any) -> list:
    if isinstance(shapes, TensorShape) or hasattr(shapes, "is_compatible_with"):
        return [shapes]
    if isinstance(shapes, dict):
        return [leaf for key in sorted(shapes) for leaf in _flat_shapes(shapes[key])]
    if isinstance(shapes, (list, tuple)):
        return [leaf for one in shapes for leaf in _flat_shapes(one)]
    return [shapes]


def _scalar(test: Subgraph) -> Tensor:
    flat = [x for x in test.tensors(test.returned) if x is not None]
    if len(flat) != 1:
        raise TypeError("tf.while_loop: `cond` must return one boolean scalar.")
    return flat[0]


def _check_iteration(specs: list[Spec], after: list) -> None:
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


def _call(spec: LoopSpec, operands: list) -> list:
    """The results of a new loop node."""
    functions = [one for one in (spec.body, spec.condition) if one is not None]
    op = LOOP_EFFECT if has_effects(tuple(functions)) else LOOP
    return list(apply(op, tuple(operands), spec.attrs()))  # sizes as the program has them


def _loop_kernel(*operands: Any, **attrs: Any) -> tuple:
    spec = LoopSpec(**attrs)
    carry, sequences, invariants = spec.split(operands)
    collected: list[tuple] = []
    trip_count = None if spec.condition is not None else len(sequences[0])
    iteration = 0
    while True:
        if trip_count is not None:
            if iteration == trip_count:
                break
        elif (spec.limit is not None and iteration >= spec.limit) or (
                spec.condition is None or not spec.condition.run(carry + invariants, [])[0]):
            break
        at = spec.element(iteration, trip_count)
        results = spec.body.run([*carry, *[x[at] for x in sequences], *invariants], [])
        carry = list(results[:spec.n_carry])
        collected.append(results[spec.n_carry:])
        iteration += 1
    if spec.reverse:
        collected.reverse()
    return (*carry, *_stacked(collected, spec.body.graph.outputs[spec.n_carry:]))


def _stacked(collected: list[tuple], like: list[ir.Value]) -> list:
    if not collected:
        return [np.zeros((0, *[n or 0 for n in value.shape or ()]), value.dtype) for value in like]
    return [_column(column) for column in zip(*collected, strict=True)]


def _column(values: tuple) -> Any:
    """One value an iteration, stacked; as a list of arrays if shapes differ (an inner loop's)."""
    if all(value.shape == values[0].shape for value in values):
        return np.stack(values)
    column = np.empty(len(values), object)
    for i, value in enumerate(values):
        column[i] = value
    return column


def _loop_shape(*operands: Spec, **attrs: Any) -> tuple:
    spec = LoopSpec(**attrs)
    graph = spec.body.graph
    carry = [Spec(value.shape, value.dtype) for value in graph.inputs[:spec.n_carry]]
    trip_count = None
    if spec.condition is None and spec.n_seq:
        whole = operands[spec.n_carry].shape
        trip_count = None if whole is None else whole[0]
    rest = [Spec(None if value.shape is None else (trip_count, *value.shape), value.dtype)
            for value in graph.outputs[spec.n_carry:]]
    return (*carry, *rest)


# -- the gradient ----------------------------------------------------------------------------------
def _loop_vjp(gs: tuple, ys: tuple, *operands: Tensor, **attrs: Any) -> tuple:
    if not isinstance(ys[0], Symbolic):
        raise NotImplementedError("The gradient of a loop that runs for a batch of elements at "
                                  "once is known only inside a tf.function.")
    node = ys[0]._ir.node
    assert node is not None
    return _BackwardLoop(node, gs, operands).gradients()


class _BackwardLoop:
    """The loop over what the forward iterations collected.

    Its carry are the gradients of the forward carry and the sums of those of the invariants; it
    collects the gradients of the sequences. Each list has positions of the forward operands:

    carried, invariant, sequenced   those that need a gradient
    own                             results that the forward loop collects for its user
    """

    def __init__(self, node: ir.Node, gs: tuple, operands: tuple):
        # The body may return more by now than when the tape heard of it.
        self.spec = spec = LoopSpec(**node.attrs)
        self.gs = gs
        self.outputs = spec.body.graph.outputs
        before, operands = operands, tuple([held_now(x) for x in operands])
        self.operands = operands
        needs = tuple([is_differentiable(x) for x in operands])
        self.derivative = Derivative(spec.body, needs, len(gs))
        self.saved, self.stacks = _collect(node, self.derivative, spec.n_carry, before)
        self.carried = [i for i in range(spec.n_carry) if needs[i]]
        self.invariant = [i for i in range(spec.n_iterated, len(operands)) if needs[i]]
        self.sequenced = [i for i in range(spec.n_carry, spec.n_iterated) if needs[i]]
        self.own = [j for j in range(spec.n_carry, len(gs))
                    if self.outputs[j].dtype.kind in "fcV"]

    def gradients(self) -> tuple:
        """One gradient, or None, for each operand of the forward loop."""
        _, sequences, invariants = self.spec.split(self.operands)
        begin = [self.gs[i] for i in self.carried] + [
            constant_like(self.operands[i], 0) for i in self.invariant]
        slices = [*self.stacks, *sequences, *[self.gs[j] for j in self.own]]
        results = _scan(current_trace(), self._iteration, begin, slices, invariants,
                        not self.spec.reverse)
        found = dict(zip(self.carried + self.invariant + self.sequenced, results, strict=True))
        return tuple([found.get(i) for i in range(len(self.operands))])

    def _iteration(self, *parts: Any) -> list:
        """One iteration backwards."""
        take = iter(parts)
        g_carry = [next(take) for _ in self.carried]
        sums = [next(take) for _ in self.invariant]
        pieces = [next(take) for _ in self.stacks]
        elements = [next(take) for _ in range(self.spec.n_seq)]
        g_own = [next(take) for _ in self.own]
        given = self._pull_back(g_carry, g_own, pieces, elements, list(take))
        zero = [constant_like(g, 0) for g in g_carry]
        new_carry = [zero[k] if given[i] is None else given[i]
                     for k, i in enumerate(self.carried)]
        new_sums = [s if given[i] is None else s + given[i]
                    for s, i in zip(sums, self.invariant, strict=True)]
        collected = [constant_like(elements[i - self.spec.n_carry], 0) if given[i] is None
                     else given[i] for i in self.sequenced]
        return [*new_carry, *new_sums, *collected]

    def _pull_back(self, g_carry: list, g_own: list, pieces: list, elements: list,
                   invariants: list) -> list:
        """The gradients of the body's operands, or None, in one iteration."""
        spec, derivative = self.spec, self.derivative
        seeds = dict(zip([*self.carried, *self.own], [*g_carry, *g_own], strict=True))
        passed = []
        for i in derivative.passed:
            if i < spec.n_carry:
                passed.append(pieces[self.saved[i]])
            elif i < spec.n_iterated:
                passed.append(elements[i - spec.n_carry])
            else:
                passed.append(invariants[i - spec.n_iterated])
        count = len(derivative.forward.graph.outputs) - len(self.outputs)
        return derivative.dense(derivative.backward.replay(
            [*pieces[:count], *passed, *[seeds[i] for i in derivative.live]], []))


def _scan(trace: Trace, iteration: Callable, begin: list, slices: list, invariants: list,
          reverse: bool) -> list:
    """A loop over the elements of `slices`: final carries, then what each iteration returned."""
    specs = ([Spec(static_shape(x), x.dtype.np) for x in begin]
             + [Spec(None if static_shape(x) is None else static_shape(x)[1:], x.dtype.np)  # type: ignore
                for x in slices]
             + [Spec(static_shape(x), x.dtype.np) for x in invariants])
    body = Subgraph(trace, iteration, specs, "loop_body")
    body.set_outputs(body.tensors(body.returned))
    captured = captured_by([body])
    spec = LoopSpec(body.to_function(captured), None, len(begin), len(slices), reverse=reverse)
    return _call(spec, [*begin, *slices, *invariants, *captured])


def _collect(node: ir.Node, derivative: Derivative, n_carry: int,
             operands: tuple) -> tuple[dict[int, int], list[Any]]:
    """Make the forward node collect what the backward iterations need; returns the stacks.

    First what the derivative saves, then the carries that its backward graph reads as they are.
    """
    forward = derivative.forward.graph
    count = len(node.attrs["body"].graph.outputs)
    wanted = list(forward.outputs[count:])
    stack_of = {}
    for i in derivative.passed:
        if i < n_carry:
            stack_of[i] = len(wanted)
            wanted.append(forward.inputs[i])
    if not wanted:
        wanted.append(ir.constant(np.float32(0)))  # one value an iteration, to count them by
    graph = ir.Graph(forward.name)
    graph.inputs, graph.nodes = forward.inputs, forward.nodes
    graph.variables = forward.variables
    graph.outputs = [*forward.outputs[:count], *wanted]
    collected = node.outputs[n_carry:]
    trip_count = collected[0].shape[0] if collected and collected[0].shape else None
    stacked = [ir.Value(None if value.shape is None else (trip_count, *value.shape), value.dtype)
               for value in wanted]
    return stack_of, list(extend(node, {"body": GraphFunction(graph, inner=True)}, stacked,
                                 operands))


# -- a loop for all elements of a batch ------------------------------------------------------------
def _loop_batch(call: Callable, size: int, xs: tuple, batched: tuple, attrs: dict) -> tuple:
    spec = LoopSpec(**attrs)
    n_carry, n_iterated = spec.n_carry, spec.n_iterated
    marks = batched
    while True:
        body, varying = vectorised(spec.body, size, marks)
        grown = (*[a or b for a, b in zip(marks, varying[:n_carry], strict=False)],
                 *marks[n_carry:])
        if grown == marks:
            break
        marks = grown
    condition = None
    if spec.condition is not None:
        condition, differs = vectorised(spec.condition, size, marks)
        if differs[0]:
            return _diverging(call, size, xs, batched, spec)
    body, varying = vectorised(spec.body, size, marks, (*marks[:n_carry], *varying[n_carry:]))
    operands = [batch_axis(x, was, size) if mark else x
                for x, was, mark in zip(xs, batched, marks, strict=True)]
    # Iterations come first in a sequence, elements of the batch behind them.
    operands[n_carry:n_iterated] = [
        swap_leading(x) if mark else x for x, mark in zip(
            operands[n_carry:n_iterated], marks[n_carry:n_iterated], strict=True)]
    ys = call(*operands, **{**attrs, "body": body, "condition": condition})
    results = [batch_axis(y, mark, size) for y, mark in zip(ys[:n_carry], marks, strict=False)]
    results += [swap_leading(y) if mark else batch_axis(y, False, size)
                for y, mark in zip(ys[n_carry:], varying[n_carry:], strict=True)]
    return tuple(results)


def _diverging(call: Callable, size: int, xs: tuple, batched: tuple, spec: LoopSpec) -> tuple:
    """Elements leave the loop at different iterations: it runs while one stays, the others rest."""
    if spec.collects:
        raise NotImplementedError(
            "The gradient of a while loop that elements of a vectorised map leave at different "
            "iterations: use tf.map_fn there.")
    assert spec.condition is not None
    marks = (*(True,) * spec.n_carry, *batched[spec.n_carry:])
    body, _ = vectorised(spec.body, size, marks, (True,) * spec.n_carry)
    condition, _ = vectorised(spec.condition, size, marks, (True,))
    specs = [Spec(value.shape, value.dtype) for value in body.graph.inputs]

    def iteration(*parts: Any) -> list:
        stays = condition.replay(list(parts), [])[0]
        after = body.replay(list(parts), [])
        return [gathering.where(shaping.reshape(stays, (size, *(1,) * (y.ndim - 1))), y, x)
                for x, y in zip(parts, after, strict=False)]

    bodies = [Subgraph(current_trace(), iteration, specs, "while_body"), Subgraph(
        current_trace(),
        lambda *parts: [reduce_any(condition.replay(list(parts), [])[0], axis=None)],
        specs, "while_cond")]
    for one in bodies:
        one.set_outputs(one.tensors(one.returned))
    constants = captured_by(bodies)
    functions = [one.to_function(constants) for one in bodies]
    operands = [batch_axis(x, was, size) if mark else x
                for x, was, mark in zip(xs, batched, marks, strict=True)]
    return tuple(call(*operands, *constants, **{**spec.attrs(), "body": functions[0],
                                    "condition": functions[1]}))


# -- replays outside a trace: plain Python over the body's ops, so that every listener follows
def _eager_loop(*operands: Any, **attrs: Any) -> tuple:
    spec = LoopSpec(**attrs)
    condition = spec.condition
    carry, sequences, invariants = spec.split(operands)
    if condition is not None and not spec.collects:
        return tuple(control_flow.repeat(
            lambda *carry: condition.replay([*carry, *invariants], [])[0],
            lambda *carry: spec.body.replay([*carry, *invariants], []), carry, spec.limit))
    trip_count = None if condition is not None else shape_of(sequences[0])[0]
    collected: list[list] = []
    while trip_count is None or len(collected) < trip_count:
        iteration = len(collected)
        if condition is not None and ((spec.limit is not None and iteration >= spec.limit)
                                      or not bool(condition.replay([*carry, *invariants], [])[0])):
            break
        at = wrap(np.int32(spec.element(iteration, trip_count)))
        results = spec.body.replay(
            [*carry, *[gather_rows(x, at) for x in sequences], *invariants], [])
        carry = results[:spec.n_carry]
        collected.append(results[spec.n_carry:])
    if spec.reverse:
        collected.reverse()
    return (*carry, *_stacked_tensors(collected, spec.body.graph.outputs[spec.n_carry:]))


def _stacked_tensors(collected: list[list], like: list[ir.Value]) -> list:
    if not collected:
        return [wrap(one) for one in _stacked([], like)]
    return [stack(*column, axis=0) for column in zip(*collected, strict=True)]


LOOP = control_op("while", _loop_kernel, _loop_shape, _loop_vjp, False, _loop_batch)
LOOP_EFFECT = control_op("while", _loop_kernel, _loop_shape, _loop_vjp, True, _loop_batch)
for _op in (LOOP, LOOP_EFFECT):
    in_trace_or(_op, _eager_loop, sized_loop)
    _op.lower = Loop()
