"""A graph that can be called: executed on arrays, recorded on tapes, replayed anywhere.

Replaying runs the nodes through their ops' calls, one by one, on whatever operands are given. It
serves four ends: inlining into an outer trace, specialising to known shapes, running under forward
accumulators and batch levels, and building the derivative.

The derivative of a graph is a pair of graphs: the forward one, which also returns what the backward
one needs, and the backward one. Both are GraphFunctions again, so any order works.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from tapeflow.base import errors
from tapeflow.base.origins import from_library
from tapeflow.core import state as states
from tapeflow.core.convert import shape_tuple
from tapeflow.core.custom_gradient import user_op
from tapeflow.core.slices import IndexedSlices, densify
from tapeflow.core.state import state
from tapeflow.core.tape import Record, _differentiable
from tapeflow.core.tensor import Tensor, uid_of, wrap
from tapeflow.core.turns import alone, taking_turns
from tapeflow.graph import ir
from tapeflow.graph.execute import Program
from tapeflow.graph.passes import copy, optimise
from tapeflow.graph.rereading import marked, read_again, read_later, variables_of
from tapeflow.graph.sharing import calls_users, written
from tapeflow.graph.tracing import Symbolic, Trace, write

MISS = object()  # what a quick call gives if the arguments are not for it
MOST_SIZES = 32  # executors that a graph with unknown sizes keeps
OFTEN = 3  # a body meets new sizes in every turn, perhaps: those that come so often are worth one


def _on_numpy(graph: ir.Graph, insist: bool, fixed: bool) -> Any:
    return Program(graph)


# Makes the executor of an optimised graph; the compiler puts its own here.
EXECUTOR: list[Callable[[ir.Graph, bool, bool], Any]] = [_on_numpy]


class GraphFunction:
    """A graph with its executor and derivatives; `inner`: of a branch or loop body.

    fixed  one executor serves all calls: threads call it, in no order
    """

    def __init__(self, graph: ir.Graph, inner: bool = False, insist: bool = False):
        self.graph = graph
        self._insist = insist  # on native code
        self.fixed = False
        self._inner = inner
        self._met: dict[tuple, int] = {}
        self._by_size: dict[tuple, GraphFunction] = {}
        self._streams: dict[int, Any] = {}  # of random ops, when a tape records the function
        self._program: Any = None
        self._special: dict[tuple, Any] = {}
        self._derivatives: dict[tuple, Derivative] = {}
        self._open: dict[tuple, GraphFunction] = {}
        self._op = user_op(graph.name)
        self._static = all(value.shape is not None and None not in value.shape
                           for value in graph.values())

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
                for variable in variables:
                    state.recorder.read(variable)
                return self.replay(inputs, variables)
            snapshots = [state.recorder.read(variable) for variable in variables]
            operands = [*inputs, *snapshots]
            tracked = stack[-1]._tracked
            needs = tuple([x._uid in tracked and _differentiable(x) for x in operands])
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
            self._open[key] = GraphFunction(graph, insist=self._insist)
        return self._open[key]

    def _sized(self, inputs: list, variables: list) -> GraphFunction:
        """The same function for the sizes of these inputs: its derivative saves less."""
        arrays = [x._value for x in inputs]
        values = [variable._snapshot._value for variable in variables]
        key = tuple([x.shape for x in arrays] + [x.shape for x in values])
        found = self._by_size.get(key)
        if found is None:
            if len(self._by_size) >= MOST_SIZES:
                return self
            found = self._by_size[key] = GraphFunction(
                self._specialised(arrays, values), insist=self._insist)
            found._streams = self._streams
            found._static = True  # what is unknown now depends on data
        return found

    def run(self, arrays: list, variables: list) -> tuple:
        """Execute on bare arrays."""
        return self.program(arrays, variables).run(arrays, variables)

    def program(self, arrays: list, variables: list) -> Any:
        """The executor; a graph with unknown sizes has one for each set of sizes."""
        if self._static:
            if self._program is None:
                self._program = self._make_program(self.graph)
            return self._program
        values = [variable._snapshot._value for variable in variables]
        key = tuple([x.shape for x in arrays] + [x.shape for x in values])
        program = self._special.get(key)
        return self._program_for(key, arrays, values) if program is None else program

    def _make_program(self, graph: ir.Graph) -> Any:
        """The executor of a graph: something with `run(arrays, variables)`."""
        return EXECUTOR[0](optimise(graph), self._insist, self.fixed)

    def _program_for(self, key: tuple, arrays: list, values: list) -> Any:
        """An executor for these sizes, or the one for any: rules then look at sizes as they run."""
        if self._inner:
            self._met[key] = self._met.get(key, 0) + 1
        if len(self._special) >= MOST_SIZES or (self._inner and self._met[key] < OFTEN):
            if len(self._met) > 8 * MOST_SIZES:
                self._met.clear()
            if self._program is None:
                self._program = self._make_program(self.graph)
            return self._program
        graph = self._specialised(arrays, values)
        program = self._special[key] = self._make_program(graph)
        return program

    def _specialised(self, arrays: list, values: list) -> ir.Graph:
        """The same graph with the sizes of these inputs."""
        trace = Trace(self.graph.name)
        with trace:
            inputs = [trace.placeholder(x.shape, value.dtype, value.name)
                      for x, value in zip(arrays, self.graph.inputs, strict=True)]
            for (uid, use), now in zip(self.graph.variables.items(), values, strict=True):
                first = ir.Value(now.shape, use.initial.dtype, name=use.initial.name)
                trace.graph.variables[uid] = ir.VariableUse(use.variable, first, use.argument)
                trace._current[uid] = trace.symbolic(first, uid)
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
        if state.trace is None and not alone():
            changed = written(self.graph, variables)
            if changed and not calls_users(self.graph):
                return taking_turns(changed, lambda: self._replayed(inputs, variables))
        return self._replayed(inputs, variables)

    def _replayed(self, inputs: list, variables: list) -> list:
        streams: dict | None = None if state.trace is None else {}
        env: dict[int, Any] = {}
        for value, x in zip(self.graph.inputs, inputs, strict=True):
            env[id(value)] = x
        own = dict(zip(self.graph.variables, variables, strict=True))
        for uid, use in self.graph.variables.items():
            env[id(use.initial)] = _read(own[uid])
        for x, value in self.graph.captured:  # a tape may know the tensor itself
            env[id(value)] = x
        for node in self.graph.nodes:
            if node.op is write:
                variable = own[node.attrs["variable"]]
                variable.assign(_fetch(env, node.inputs[0]))
                env[id(node.outputs[0])] = _read(variable)
            elif node.op is read_again and state.trace is not None:
                env[id(node.outputs[0])] = read_later(state.trace, own[node.attrs["variable"]])
            else:
                _replay_node(node, env, streams)
        return [_fetch(env, value) for value in self.graph.outputs]

    def _replay_nodes(self, trace: Trace, inputs: list, streams: dict | None) -> list:
        """Replay into a trace that has the variables' uses already.

        Random ops draw from `streams`; None: the new graph takes this one's place, so it draws on
        from the same ones.
        """
        env: dict[int, Any] = dict(zip(map(id, self.graph.inputs), inputs, strict=True))
        for uid, use in self.graph.variables.items():
            env[id(use.initial)] = trace._current[uid]
        for node in self.graph.nodes:
            if node.op is write:
                uid = node.attrs["variable"]
                trace.write(uid, trace.value_of(_fetch(env, node.inputs[0])))
                env[id(node.outputs[0])] = trace._current[uid]
            else:
                _replay_node(node, env, streams)
        return [_fetch(env, value) for value in self.graph.outputs]

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
        self._insist = function._insist
        trace = Trace(graph.name)
        with trace:
            inputs = [trace.placeholder(value.shape, value.dtype, value.name)
                      for value in graph.inputs]
            for uid, use in graph.variables.items():
                value = ir.Value(use.initial.shape, use.initial.dtype, name=use.initial.name)
                trace.graph.variables[uid] = ir.VariableUse(use.variable, value, use.argument)
                trace._current[uid] = trace.symbolic(value, uid)
            starts = [trace._current[uid] for uid in graph.variables]
            operands = [*inputs, *starts]
            record = Record(False)
            for x, need in zip(operands, needs, strict=True):
                if need:
                    record._tracked[uid_of(x)] = None
            states.push(record)
            outputs = function._replay_nodes(trace, inputs, function._streams)
            states.remove(record)
            border = len(trace.graph.nodes)
            for uid in graph.variables:  # the walk back reads them when it runs
                trace._current[uid] = marked(trace, uid, trace._current[uid]._ir)
            self.live = [i for i, y in enumerate(outputs[:count])
                         if isinstance(y, Symbolic) and _differentiable(y)
                         and y._uid in record._tracked]
            seeds = [trace.placeholder(outputs[i]._ir.shape, outputs[i]._ir.dtype, "g")
                     for i in self.live]
            found = _walk_back(record, [outputs[i] for i in self.live], seeds, operands, needs)
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
        made = {id(value) for node in backward.nodes for value in node.outputs}
        self.rereads = variables_of(backward, graph.variables)
        made.update(id(seed._ir) for seed in seeds)
        position = {id(x._ir): i for i, x in enumerate(operands)}
        self.passed: list[int] = []
        saved: list[ir.Value] = []
        seen = set()
        for value in _reads(backward):
            key = id(value)
            if key in made or value.const is not None or key in seen:
                continue
            seen.add(key)
            if key in position:
                self.passed.append(position[key])
            else:
                saved.append(value)
        forward.outputs = [trace.value_of(y) for y in outputs] + saved
        backward.inputs = (saved + [operands[i]._ir for i in self.passed]
                           + [seed._ir for seed in seeds])
        forward.prune()
        self.forward = GraphFunction(forward, insist=self._insist)
        self.backward = GraphFunction(backward, insist=self._insist)

    @staticmethod
    def _move_sizes(forward: ir.Graph, backward: ir.Graph, seeds: list) -> None:
        """Shapes of forward values are taken in the forward graph: they are less to save."""
        made = {id(seed._ir) for seed in seeds}
        kept = []
        for node in backward.nodes:
            small = node.op.facts.outline and all(
                value.dtype.kind in "iu" for value in node.outputs)
            if small and not any(id(value) in made for value in node.operands()):
                forward.nodes.append(node)
            else:
                kept.append(node)
                made.update(id(value) for value in node.outputs)
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


def _reads(graph: ir.Graph) -> Any:
    for node in graph.nodes:
        yield from node.operands()
    yield from graph.outputs


def _walk_back(record: Record, targets: list, seeds: list, sources: list, needs: tuple) -> list:
    """Gradients of the sources that are needed, dense; None where there is none."""
    from tapeflow.core.slices import add_gradients
    grads: dict[int, Any] = {}
    for y, seed in zip(targets, seeds, strict=True):
        grads[y._uid] = seed if y._uid not in grads else add_gradients(grads[y._uid], seed)
    keep = {x._uid for x in sources if x._uid}
    record.walk(grads, keep, False, True)
    found = [grads.get(x._uid) if need else None for x, need in zip(sources, needs, strict=True)]
    return [densify(g) if isinstance(g, IndexedSlices) and _computed(g) else g for g in found]


def _computed(g: IndexedSlices) -> bool:
    """Whether the dense shape of slices is known only at run time."""
    return not isinstance(g._dense_shape, tuple) or any(
        not isinstance(n, int) for n in g._dense_shape)


def _fetch(env: dict[int, Any], value: ir.Value) -> Any:
    x = env.get(id(value))
    if x is None:
        if value.const is None:
            raise AssertionError(f"{value!r} is not defined in this replay")
        x = env[id(value)] = wrap(value.const)
    return x


def _replay_node(node: ir.Node, env: dict[int, Any], streams: dict | None) -> None:
    xs = [_fetch(env, value) for value in node.inputs]
    attrs = {key: _attribute(_fetch(env, attr)) if isinstance(attr, ir.Value) else attr
             for key, attr in node.attrs.items()}
    if node.op.kind == "random" and "stream" in attrs and streams is not None:
        # One for each place where a graph is used.
        stream = attrs["stream"]
        attrs["stream"] = streams.setdefault(id(stream), (stream.fresh(), stream))[0]
    trace = state.trace
    if trace is None:
        ys = node.op.call(*xs, **attrs)
    else:
        before, trace.where = trace.where, node.where
        try:
            ys = node.op.call(*xs, **attrs)
        finally:
            trace.where = before
    for value, y in zip(node.outputs, ys if node.op.multi else (ys,), strict=True):
        env[id(value)] = y


def _attribute(x: Any) -> Any:
    """A size among the attributes: plain numbers as soon as it is known."""
    if isinstance(x, Symbolic):
        return x
    value = np.asarray(x._value)
    return shape_tuple(x) if value.ndim else int(value)


def _read(variable: Any) -> Tensor:
    recorder = state.recorder
    return variable._snapshot if recorder is None else recorder.read(variable)

