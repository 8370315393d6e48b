"""A graph that can be called: executed on arrays, recorded on tapes, replayed anywhere.

Replaying runs the nodes through their ops' calls, one by one, on whatever operands are given. It
serves four ends: inlining into an outer trace, specialising to known shapes, running under forward
accumulators and batch levels, and building the derivative.

The derivative of a graph is a pair of graphs: the forward one, which also returns what the backward
one needs, and the backward one. Both are GraphFunctions again, so any order works.
"""

from __future__ import annotations

import weakref
from typing import Any

import numpy as np

from tapeflow.base import errors
from tapeflow.base.exception_origin import from_library
from tapeflow.base.late import LateModule
from tapeflow.core import state as states
from tapeflow.core.autodiff.batching import Batched
from tapeflow.core.autodiff.custom_gradient import user_op
from tapeflow.core.autodiff.record import Record
from tapeflow.core.autodiff.sources import is_differentiable
from tapeflow.core.autodiff.walk import walk_back
from tapeflow.core.state import state
from tapeflow.core.values.convert import shape_tuple
from tapeflow.core.values.indexed_slices import IndexedSlices, densify
from tapeflow.core.values.tensor import Tensor, uid_of, wrap
from tapeflow.core.values.variable_locks import alone, with_update_locks
from tapeflow.graph import ir
from tapeflow.graph.executor.interface import Executor, make_executor
from tapeflow.graph.passes import copy, optimise
from tapeflow.graph.tracing.rereading import marked, read_again, read_later, variables_of
from tapeflow.graph.tracing.symbolic import Symbolic
from tapeflow.graph.tracing.trace import Trace, current_trace
from tapeflow.graph.variable_ops import write

# Loaded at first use.
_numpy = LateModule("tapeflow.graph.executor.numpy_executor")
_sharing = LateModule("tapeflow.graph.executor.variable_sharing")

MOST_SIZES = 32  # executors that a graph with unknown sizes keeps
OFTEN = 3  # a body may meet new sizes in every iteration: those that come so often are worth one

# For explanations: by the op that a tape has recorded for a function, what happens inside.
RECORDED: weakref.WeakKeyDictionary[Any, tuple] = weakref.WeakKeyDictionary()


class GraphFunction:
    """A graph with its executor and derivatives; `inner`: of a branch or loop body.

    fixed  one executor serves all calls: threads call it, in no order
    held   a body whose outer graph is about to be compiled: NumPy serves it until then
    """

    def __init__(self, graph: ir.Graph, inner: bool = False, require_native: bool = False):
        self.graph = graph
        self._require_native = require_native
        self.fixed = self.held = False
        self.inner = inner
        self._met: dict[tuple, int] = {}
        self._by_size: dict[tuple, GraphFunction] = {}
        self._streams: dict[int, Any] = {}  # of random ops, when a tape records the function
        self._program: Executor | None = None
        self._special: dict[tuple, Executor] = {}
        self._derivatives: dict[tuple, Derivative] = {}
        self._open: dict[tuple, GraphFunction] = {}
        self._op = user_op(graph.name)
        self._unsized = [i for i, value in enumerate(self._given()) if not _is_sized(value)]
        self._static = all(map(_is_sized, graph.values()))

    def _given(self) -> list[ir.Value]:
        """The inputs, and what the variables hold in the beginning."""
        graph = self.graph
        return [*graph.inputs, *[use.initial for use in graph.variables.values()]]

    def _key(self, arrays: list, variables: list) -> tuple:
        """The sizes that a call brings, where they are not known."""
        count = len(arrays)
        return tuple([arrays[i].shape if i < count else variables[i - count]._snapshot._value.shape
                      for i in self._unsized])

    @property
    def uses(self) -> list[ir.VariableUse]:
        return list(self.graph.variables.values())

    def variables_for(self, arguments: Any = ()) -> list:
        """The variables in order: captured ones, or those passed as arguments."""
        return [use.variable if use.argument is None else arguments[use.argument]
                for use in self.graph.variables.values()]

    # -- calling ---------------------------------------------------------------------------------
    def call(self, inputs: list, variables: list) -> list:
        """Call on tensors in whatever context this is."""
        if state.trace is not None or not all(type(x) is Tensor for x in inputs):
            return self.replay(inputs, variables)
        stack = state.stack
        if stack:
            watched = self._watched(stack)
            if watched:
                return self._opened(watched).call([*inputs, *watched], variables)
            if not all(isinstance(one, Record) for one in stack):
                return self.replay(inputs, variables)
            snapshots = [state.recorder.read(variable) for variable in variables]
            operands = [*inputs, *snapshots]
            tracked = stack[-1]._tracked
            needs = tuple([x._uid in tracked and is_differentiable(x) for x in operands])
            if any(needs):
                sized = self if self._static else self._sized(inputs, variables)
                return sized._recorded(inputs, variables, operands, needs)
            with states.only(stack[:-1]):
                return self.call(inputs, variables)
        return [wrap(value) for value in self.run([x._value for x in inputs], variables)]

    def _watched(self, stack: tuple) -> list:
        """Tensors from outside, constants of this graph, that a listener follows."""
        return [x for x, _ in self.graph.captured
                if x._uid and any(one.follows(x._uid) for one in stack)]

    def _opened(self, watched: list) -> GraphFunction:
        """The same graph with some of its constants as further inputs."""
        key = tuple([x._uid for x in watched])
        if key not in self._open:
            graph = copy(self.graph, {x._uid for x in watched})
            self._open[key] = GraphFunction(graph, require_native=self._require_native)
        return self._open[key]

    def _sized(self, inputs: list, variables: list) -> GraphFunction:
        """The same function for the sizes of these inputs: its derivative saves less."""
        arrays = [x._value for x in inputs]
        key = self._key(arrays, variables)
        found = self._by_size.get(key)
        if found is None:
            if len(self._by_size) >= MOST_SIZES:
                return self
            found = self._by_size[key] = GraphFunction(
                self._specialised(arrays, variables), require_native=self._require_native)
            found._streams = self._streams
            found._static = True  # what is unknown now depends on data
        return found

    def run(self, arrays: list, variables: list) -> tuple:
        """Execute on bare arrays."""
        return self.program(arrays, variables).run(arrays, variables)

    def program(self, arrays: list, variables: list) -> Executor:
        """The executor; a graph with unknown sizes has one for each set of sizes."""
        if self._static:
            if self._program is None:
                self._program = self._make_program(self.graph)
            return self._program
        key = self._key(arrays, variables)
        program = self._special.get(key)
        return self._program_for(key, arrays, variables) if program is None else program

    def hold(self, held: bool) -> None:
        """Begin or end to be held."""
        if held is not self.held:
            self.held, self._program = held, None
            self._special.clear()

    def _make_program(self, graph: ir.Graph) -> Executor:
        if self.held:
            return _numpy.Program(optimise(graph))
        return make_executor(optimise(graph), self._require_native, self.fixed)

    def _program_for(self, key: tuple, arrays: list, variables: list) -> Executor:
        """An executor for these sizes, or the one for any: rules then look at sizes as they run."""
        if self.inner:
            self._met[key] = self._met.get(key, 0) + 1
        if len(self._special) >= MOST_SIZES or (self.inner and self._met[key] < OFTEN):
            if len(self._met) > 8 * MOST_SIZES:
                self._met.clear()
            if self._program is None:
                self._program = self._make_program(self.graph)
            return self._program
        graph = self._specialised(arrays, variables)
        program = self._special[key] = self._make_program(graph)
        return program

    def _specialised(self, arrays: list, variables: list) -> ir.Graph:
        """The same graph with the sizes of these inputs and variables."""
        trace = Trace(self.graph.name)
        trace.graph.asked = self.graph.asked
        with trace:
            inputs = [trace.placeholder(_shape_for(x, value), value.dtype, value.name)
                      for x, value in zip(arrays, self.graph.inputs, strict=True)]
            for (uid, use), one in zip(self.graph.variables.items(), variables, strict=True):
                shape = one._snapshot._value.shape
                first = ir.Value(shape, use.initial.dtype, name=use.initial.name)
                trace.variables.begin(uid, ir.VariableUse(use.variable, first, use.argument))
            try:
                outputs = self._replay_nodes(trace, inputs, None)
            except ValueError as error:  # sizes that do not fit: to the user, a run has failed
                if not from_library(error):
                    raise
                raise errors.invalid(f"__inference_{self.graph.name}", str(error)) from error
            trace.graph.outputs = [trace.value_of(x) for x in outputs]
        return trace.graph

    # -- replaying -------------------------------------------------------------------------------
    def replay(self, inputs: list, variables: list) -> list:
        """Run the nodes one by one, in this context."""
        listener = state.graph_listener
        if listener is None:
            return self._replay(inputs, variables)
        listener.begins(self, inputs, variables)
        results = self._replay(inputs, variables)
        listener.ends(self, inputs, results)
        return results

    def _replay(self, inputs: list, variables: list) -> list:
        if state.trace is not None and (self._require_native or self.graph.asked):
            current_trace().graph.asked = True
        if state.trace is None and not alone():
            changed = _sharing.written(self.graph, variables)
            if changed and not _sharing.calls_users(self.graph):
                return with_update_locks(changed, lambda: self._replayed(inputs, variables))
        if state.trace is None:
            return self._replayed(inputs, variables)
        return current_trace().in_order(lambda: self._replayed(inputs, variables))

    def _replayed(self, inputs: list, variables: list) -> list:
        streams: dict | None = None if state.trace is None else {}
        env: dict[ir.Value, Any] = {}
        for value, x in zip(self.graph.inputs, inputs, strict=True):
            env[value] = x
        own = dict(zip(self.graph.variables, variables, strict=True))
        for uid, use in self.graph.variables.items():
            env[use.initial] = _read(own[uid])
        for x, value in self.graph.captured:  # a tape may know the tensor itself
            env[value] = x
        for node in self.graph.nodes:
            if node.op is write:
                variable = own[node.attrs["variable"]]
                variable.assign(fetch_value(env, node.inputs[0]))
                env[node.outputs[0]] = _read(variable)
            elif node.op is read_again and state.trace is not None:
                env[node.outputs[0]] = read_later(state.trace, own[node.attrs["variable"]])
            else:
                replay_node(node, env, streams)
        return [fetch_value(env, value) for value in self.graph.outputs]

    def _replay_nodes(self, trace: Trace, inputs: list, streams: dict | None) -> list:
        """Replay into a trace that has the variables' uses already.

        Random ops draw from `streams`; None: the new graph takes this one's place, so it draws on
        from the same ones.
        """
        env: dict[ir.Value, Any] = dict(zip(self.graph.inputs, inputs, strict=True))
        for uid, use in self.graph.variables.items():
            env[use.initial] = trace.variables.current[uid]
        for node in self.graph.nodes:
            if node.op is write:
                uid = node.attrs["variable"]
                trace.variables.write(uid, trace.value_of(fetch_value(env, node.inputs[0])))
                env[node.outputs[0]] = trace.variables.current[uid]
            else:
                replay_node(node, env, streams)
        return [fetch_value(env, value) for value in self.graph.outputs]

    # -- derivatives -----------------------------------------------------------------------------
    def _recorded(self, inputs: list, variables: list, operands: list, needs: tuple) -> list:
        derivative = self._derivatives.get(needs)
        if derivative is None:
            derivative = self._derivatives[needs] = Derivative(self, needs)
        record = state.stack[-1]
        with states.only(state.stack[:-1]):
            # Outer tapes record the forward graph, what it saves included: for higher orders.
            results = derivative.forward.call(inputs, variables)
        count = len(self.graph.outputs)
        outputs, saved = results[:count], results[count:]
        held = dict(zip(derivative.passed, [operands[i] for i in derivative.passed], strict=True))

        def rule(*gs: Any) -> list:
            parts = [*saved, *held.values(), *[gs[i] for i in derivative.live]]
            again = [variables[i] for i in derivative.rereads]
            return derivative.unpack(derivative.backward.call(parts, again))

        record.note(self._op, tuple(operands), tuple(outputs), {"rule": rule})
        RECORDED[self._op] = derivative.skeleton
        return outputs


class Derivative:
    """Forward and backward graphs of a GraphFunction, for the operands that `needs` marks.

    passed   positions of operands that the backward graph reads as they are
    live     outputs that have a gradient, of the first `count`
    rereads  positions of variables that the backward graph reads when it runs
    given    for each operand what the backward graph returns: None, "dense", or the dense shape
             of IndexedSlices, of which it returns values and indices
    """

    def __init__(self, function: GraphFunction, needs: tuple, count: int | None = None):
        graph = function.graph
        self._require_native = function._require_native
        trace = Trace(graph.name)
        with trace:
            inputs = [trace.placeholder(value.shape, value.dtype, value.name)
                      for value in graph.inputs]
            for uid, use in graph.variables.items():
                value = ir.Value(use.initial.shape, use.initial.dtype, name=use.initial.name)
                trace.variables.begin(uid, ir.VariableUse(use.variable, value, use.argument))
            starts = [trace.variables.current[uid] for uid in graph.variables]
            operands = [*inputs, *starts]
            record = Record(False)
            record._positions = {}
            for x, need in zip(operands, needs, strict=True):
                if need:
                    record._tracked[uid_of(x)] = None
            states.push(record)
            outputs = function._replay_nodes(trace, inputs, function._streams)
            states.remove(record)
            border = len(trace.graph.nodes)
            for uid in graph.variables:  # the walk back reads them when it runs
                current = trace.variables.current
                current[uid] = marked(trace, uid, current[uid]._ir)
            self.live = [i for i, y in enumerate(outputs[:count])
                         if isinstance(y, Symbolic) and is_differentiable(y)
                         and y._uid in record._tracked]
            seeds = [trace.placeholder(outputs[i]._ir.shape, outputs[i]._ir.dtype, "g")
                     for i in self.live]
            found = _walk_back(record, [outputs[i] for i in self.live], seeds, operands, needs)
        # For explanations: the skeleton, and the uids that stand for results and operands.
        self.skeleton = (record.skeleton(), [uid_of(y) for y in outputs],
                         [uid_of(x) for x in operands])
        self._split(trace, graph, border, operands, outputs, seeds, found)

    def _split(self, trace: Trace, graph: ir.Graph, border: int, operands: list, outputs: list,
               seeds: list, found: list) -> None:
        whole = trace.graph
        forward, backward = ir.Graph(graph.name), ir.Graph(f"gradient of {graph.name}")
        forward.inputs = whole.inputs[:len(graph.inputs)]
        forward.variables, forward.nodes = whole.variables, whole.nodes[:border]
        backward.nodes = whole.nodes[border:]
        self.given: list[Any] = []
        for g in found:
            if isinstance(g, IndexedSlices):
                self.given.append(tuple(g._dense_shape))
                backward.outputs += [trace.value_of(g._values), trace.value_of(g._indices)]
            else:
                self.given.append(None if g is None else "dense")
                backward.outputs += [] if g is None else [trace.value_of(g)]
        backward.prune()
        self._move_sizes(forward, backward, seeds)
        made = {value for node in backward.nodes for value in node.outputs}
        self.rereads = variables_of(backward, graph.variables)
        made.update(seed._ir for seed in seeds)
        position = {x._ir: i for i, x in enumerate(operands)}
        self.passed: list[int] = []
        saved: list[ir.Value] = []
        visited = set()
        for value in _reads(backward):
            key = value
            if key in made or value.const is not None or key in visited:
                continue
            visited.add(key)
            if key in position:
                self.passed.append(position[key])
            else:
                saved.append(value)
        forward.outputs = [trace.value_of(y) for y in outputs] + saved
        backward.inputs = (saved + [operands[i]._ir for i in self.passed]
                           + [seed._ir for seed in seeds])
        forward.prune()
        self.forward = GraphFunction(forward, require_native=self._require_native)
        self.backward = GraphFunction(backward, require_native=self._require_native)

    @staticmethod
    def _move_sizes(forward: ir.Graph, backward: ir.Graph, seeds: list) -> None:
        """Shapes of forward values are taken in the forward graph: they are less to save."""
        made = {seed._ir for seed in seeds}
        kept = []
        for node in backward.nodes:
            small = node.op.traits.shape_only and all(
                value.dtype.kind in "iu" for value in node.outputs)
            if small and not any(value in made for value in node.operands()):
                forward.nodes.append(node)
            else:
                kept.append(node)
                made.update(value for value in node.outputs)
        backward.nodes = kept

    def dense(self, results: list) -> list:
        """Like `unpack`, without slices."""
        return [densify(g) if isinstance(g, IndexedSlices) else g for g in self.unpack(results)]

    def unpack(self, results: list) -> list:
        """What the backward graph returned, one gradient (or None) for each operand."""
        found = iter(results)
        gradients: list[Any] = []
        for given in self.given:
            if given is None:
                gradients.append(None)
            elif given == "dense":
                gradients.append(next(found))
            else:
                gradients.append(IndexedSlices(next(found), next(found), given))
        return gradients


def _is_sized(value: ir.Value) -> bool:
    return value.shape is not None and None not in value.shape


def _reads(graph: ir.Graph) -> Any:
    for node in graph.nodes:
        yield from node.operands()
    yield from graph.outputs


def _walk_back(record: Record, targets: list, seeds: list, sources: list, needs: tuple) -> list:
    """Gradients of the sources that are needed, dense; None where there is none."""
    from tapeflow.core.values.indexed_slices import add_gradients
    grads: dict[int, Any] = {}
    for y, seed in zip(targets, seeds, strict=True):
        grads[y._uid] = seed if y._uid not in grads else add_gradients(grads[y._uid], seed)
    keep = {x._uid for x in sources if x._uid}
    walk_back(record, grads, keep, False, True)
    found = [grads.get(x._uid) if need else None for x, need in zip(sources, needs, strict=True)]
    return [densify(g) if isinstance(g, IndexedSlices) and _computed(g) else g for g in found]


def _computed(g: IndexedSlices) -> bool:
    """Whether the dense shape of slices is known only at run time."""
    return not isinstance(g._dense_shape, tuple) or any(
        not isinstance(n, int) for n in g._dense_shape)


def fetch_value(env: dict[ir.Value, Any], value: ir.Value) -> Any:
    """What a Value is in a replay."""
    x = env.get(value)
    if x is None:
        if value.const is None:
            raise AssertionError(f"{value!r} is not defined in this replay")
        x = env[value] = wrap(value.const)
    return x


def _shape_for(array: Any, value: ir.Value) -> tuple:
    """The shape that an input has in this call.

    What a loop kept of iterations whose sizes differ is a list of arrays: their sizes stay unknown.
    """
    if array.dtype == object and value.dtype != object:
        return (len(array), *(value.shape or ())[1:])
    return array.shape


def replay_node(node: ir.Node, env: dict[ir.Value, Any], streams: dict | None) -> None:
    """Call the op of a node on what its operands are in a replay."""
    xs = [fetch_value(env, value) for value in node.inputs]
    attrs = {key: _attribute(fetch_value(env, attr)) if isinstance(attr, ir.Value) else attr
             for key, attr in node.attrs.items()}
    if node.op.kind == "random" and "stream" in attrs and streams is not None:
        # One for each place where a graph is used.
        stream = attrs["stream"]
        attrs["stream"] = streams.setdefault(id(stream), (stream.fresh(), stream))[0]
    trace: Any = state.trace
    if trace is None:
        ys = node.op.call(*xs, **attrs)
    else:
        before, trace.where = trace.where, node.where
        try:
            ys = node.op.call(*xs, **attrs)
        finally:
            trace.where = before
    for value, y in zip(node.outputs, ys if node.op.multi else (ys,), strict=True):
        env[value] = y


def _attribute(x: Any) -> Any:
    """A size among the attributes: plain integers as soon as it is known."""
    if isinstance(x, Batched):
        rows = x._inner
        if type(rows) is Tensor and len(rows._value) and (rows._value == rows._value[0]).all():
            x = wrap(rows._value[0])  # the same for every element
    if isinstance(x, Symbolic):
        known = x._partial()
        whole = known if type(known) is tuple else (known,)
        return known if all(type(n) is int for n in whole) else x
    value = np.asarray(x._value)
    return shape_tuple(x) if value.ndim else int(value)


def _read(variable: Any) -> Tensor:
    recorder = state.recorder
    return variable._snapshot if recorder is None else recorder.read(variable)

