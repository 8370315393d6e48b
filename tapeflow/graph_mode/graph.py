"""tf.Graph: a trace that stays open. Ops put nodes into it, and sessions run parts of them.

It differs from the trace of a tf.function in this: nothing runs unless it is fetched, so reads of
variables and the order in which effects happen are nodes and control inputs of the graph, not the
order of the program.
"""

from __future__ import annotations

import contextlib
import re
import sys
from collections.abc import Callable, Iterable, Iterator
from typing import Any, NamedTuple

import numpy as np

from tapeflow.base import errors, nest
from tapeflow.base.exports import export
from tapeflow.base.late import LateModule, LatePublic
from tapeflow.core import scopes
from tapeflow.core.deferrable import deferrable
from tapeflow.core.record.elementwise_ops import identity
from tapeflow.core.record.op import NONDIFF, Op, Spec, define
from tapeflow.core.state import state
from tapeflow.core.values.tensor import Tensor, next_uid
from tapeflow.core.wrapped_names import OF_VALUES, wrap_names
from tapeflow.graph import ir
from tapeflow.graph.functions.inspection import Operation
from tapeflow.graph.graph_collections import Collections
from tapeflow.graph.graph_placement import Placement
from tapeflow.graph.tracing.symbolic import Symbolic, shape_tuple
from tapeflow.graph.tracing.trace import Trace
from tapeflow.graph.variable_ops import write
from tapeflow.graph_mode.known_operations import KnownOperations
from tapeflow.graph_mode.node_names import NodeNames

_variables = LateModule("tapeflow.graph_mode.graph_variable")
_sessions = LateModule("tapeflow.graph_mode.session")
_messages = LateModule("tapeflow.graph_mode.graph_def")
_py_function = LatePublic("py_function")


def _by_session(*args: Any, **attrs: Any) -> Any:
    raise AssertionError("a session replaces this node")


def _session_op(name: str, tf_name: str) -> Op:
    return define(name, kernel=_by_session, shape=lambda variable=None: (), multi=True,
                  vjp=NONDIFF("a session replaces it"), stateful=True, tf_name=tf_name,
                  args=(), internal=True).op


# What a variable holds when a run comes to the node; whether it holds anything; nothing at all.
read_op = _session_op("session_read_variable", "ReadVariableOp")
initialized_op = _session_op("session_is_initialized", "VarIsInitializedOp")
no_op = _session_op("session_no_op", "NoOp")


class _Tied(NamedTuple):
    """An eager result that waits for nodes; `opaque`: an identity that was made to wait, and all
    that is computed from it."""

    tensor: Tensor
    nodes: tuple[ir.Node, ...]
    opaque: bool


# Libraries ask graphs for TensorFlow 1's contexts, of loops and of XLA: there are none. They ask
# for the device of new ops by an op of their own: none is chosen.
class _CompiledContext:
    """What stands for XLA's context in functions with `jit_compile=True`."""

    def IsXLAContext(self) -> bool:
        return True


for _name, _answer in (("_get_control_flow_context", lambda self: None),
                       ("_control_flow_context",
                        property(lambda self: _CompiledContext() if self.compiled else None)),
                       ("outer_graph", property(lambda self: _around(self))),
                       ("capture_call_time_value", lambda self, *args, **named: (
                           _value_of_call(self, *args, **named))),
                       ("_apply_device_functions",
                        lambda self, op: op._set_device_from_string(""))):
    setattr(Trace, _name, _answer)


def _value_of_call(trace: Trace, closure: Callable, spec: Any, key: Any = None,
                   default_value: Any = None, placeholder: Any = None) -> Any:
    """What `closure` gives at each call of the function that is traced; once for each key."""
    known = vars(trace).setdefault("_values_of_calls", {})
    if key is None or key not in known:
        specs = nest.flatten(spec)
        made = _py_function(lambda: nest.flatten(closure()), [], [one.dtype for one in specs])
        for one, wanted in zip(made, specs, strict=True):
            one.set_shape(wanted.shape)
        found = nest.pack_sequence_as(spec, made)
        if key is None:
            return found
        known[key] = found
    return known[key]


def _around(trace: Trace) -> Any:
    """The graph in which that of a function is traced."""
    if isinstance(trace, Graph):
        raise AttributeError("'Graph' object has no attribute 'outer_graph'")
    found = trace.outer or trace.around
    return global_graph() if found is None else found


def _builds_graph() -> bool:
    return state.trace is not None and state.trace.home_graph() is not None


errors.builds_graph = _builds_graph


_SCOPE = r"[A-Za-z0-9_.\\/>-]*"  # what a scope's name is made of


@export("Graph")
class Graph(Collections, Placement, Trace):
    """Nodes that a program puts into it, between `with graph.as_default():` and its end."""

    building_function = False
    keeps_rules = True

    def __init__(self) -> None:
        super().__init__("graph")
        self.names = NodeNames()
        self.known = KnownOperations(self)
        self._graph_key = f"graph-key-{next_uid()}/"  # by which libraries tell graphs apart
        self.controls: dict[ir.Node, tuple[ir.Node, ...]] = {}
        self.made: dict[int, Any] = {}  # the variables that were read or made here, by uid
        self.named: dict[str, Any] = {}  # what `get_variable` has made
        self.counts: dict[str, int] = {}  # how often a variable scope of a whole name was opened
        self.finalized = False
        self.seed: int | None = None
        self._waiting: tuple[ir.Node, ...] = ()  # control inputs of new nodes
        self._reads: dict[int, Symbolic] = {}
        self._ordered: dict[int, Symbolic] | None = None  # inside one call: what variables hold
        self._tied: dict[int, _Tied] = {}  # eager results that wait for effects
        self._unclaimed: list[ir.Node] = []  # effects that no tensor stands for
        self.initializers: set[ir.Node] = set()  # of variables: no effects of what is made then
        self._tensors: dict[ir.Value, Symbolic] = {}
        self.imported: dict[str, Any] = {}  # operations of GraphDefs, by name
        self.own_traces: int | None = None  # the variable that functions are traced for
        self.libraries: list[Any] = []  # messages of the functions that they call
        self._of_imports: set[ir.Node | ir.Value] = set()  # nodes and placeholders of theirs

    # -- being the default -----------------------------------------------------------------------
    @contextlib.contextmanager
    def as_default(self) -> Iterator[Graph]:
        """Let ops put their nodes into this graph."""
        if state.trace is self:  # tapes and scopes stay open
            yield self
            return
        before = (state.trace, state.stack, state.recorder, state.variable_maker)
        with scopes.names_of(self):
            try:
                state.trace, state.stack, state.recorder = self, (self,), self
                state.variable_maker = None
                yield self
            finally:
                state.trace, state.stack, state.recorder, state.variable_maker = before
                self.names.forget_call()

    def home_graph(self) -> Graph:
        """This is a tf.Graph."""
        return self

    @contextlib.contextmanager
    def beside(self, variable: Any) -> Iterator[None]:
        """`with …:` functions that are called with this variable are traced for it alone."""
        before, self.own_traces = self.own_traces, variable._uid
        try:
            yield
        finally:
            self.own_traces = before

    def new_variable(self) -> Any:
        """A variable of this graph, still to be initialised."""
        return object.__new__(_variables.GraphVariable)

    @property
    def _variable_creator_stack(self) -> tuple:
        """The creators of `tf.variable_creator_scope`: libraries ask whether there are any."""
        return state.variable_creators

    @_variable_creator_stack.setter
    def _variable_creator_stack(self, creators: Any) -> None:
        state.variable_creators = tuple(creators)

    def finalize(self) -> None:
        """Refuse further nodes."""
        self.finalized = True

    # -- nodes -----------------------------------------------------------------------------------
    def run(self, op: Op, xs: tuple, attrs: dict) -> Any:
        """Add a node, also where no graph is the default one."""
        if state.trace is None:
            with self.as_default():
                return super().run(op, xs, attrs)
        return super().run(op, xs, attrs)

    def add_node(self, op: Op, inputs: tuple[ir.Value, ...], attrs: dict, held: dict) -> ir.Node:
        """A call of `op`, with its name and what it waits for."""
        node = super().add_node(op, inputs, attrs, held)
        self._settle(node, self.names.of_call(node))
        return node

    def _settle(self, node: ir.Node, name: str) -> None:
        if self.finalized:
            self.graph.nodes.remove(node)
            raise RuntimeError("Graph is finalized and cannot be modified.")
        self.known.name_operands(node, name, len(self.graph.nodes) - 1)
        self.names.give(node, name)
        if self._waiting:
            self.controls[node] = self._waiting
        if node.op.stateful and not node.outputs and node.op is not no_op:
            self._unclaimed.append(node)

    def _place(self, op: Op, inputs: tuple, attrs: dict, specs: list[Spec], name: str) -> ir.Node:
        """A node without a shape rule."""
        node = ir.Node(op, inputs, attrs)
        node.outputs = tuple([ir.Value(spec.shape, np.dtype(spec.dtype), node, i)
                              for i, spec in enumerate(specs)])
        self.graph.nodes.append(node)
        self._settle(node, self.unique_name(name))
        return node

    def symbolic(self, value: ir.Value, uid: int = 0) -> Symbolic:
        """The tensor of a Value, always the same one."""
        if value not in self._tensors:
            self._tensors[value] = super().symbolic(value, uid)
        return self._tensors[value]

    def value_of(self, x: Any) -> ir.Value:
        """The Value that stands for a tensor here; also of a constant that waits for effects."""
        tied = self._tied.get(id(x))
        if tied is not None and id(x) not in self.eager.constants:
            self.eager.constants[id(x)] = (x, self._waited_for(super().value_of(x), tied.nodes))
        return super().value_of(x)

    def note2(self, op: Op, a: Tensor, b: Tensor, y: Tensor) -> None:
        """A binary op ran on eager tensors."""
        super().note2(op, a, b, y)
        self._tie(op, (a, b), y)
        self.known.computed(op, (a, b), (y,), {})

    def note(self, op: Op, xs: tuple, ys: Any, attrs: dict) -> None:
        """An op ran on eager tensors."""
        super().note(op, xs, ys, attrs)
        many = tuple(ys) if op.multi else (ys,)
        for y in many:
            self._tie(op, xs, y)
        self.known.computed(op, xs, many, attrs)

    def note_constant(self, tensor: Tensor, name: str) -> None:
        """A constant of the program is an operation here."""
        self.known.given(tensor, name)

    def is_followed(self, x: Tensor) -> bool:
        """Whether an eager tensor waits for effects, or becomes nodes because a tape follows it."""
        return id(x) in self._tied or id(x) in self.eager.derived

    def note1(self, op: Op, x: Tensor, y: Tensor) -> None:
        """A unary op ran on an eager tensor."""
        self.note(op, (x,), y, {})

    def is_opaque(self, x: Tensor) -> bool:
        """Whether the value of an eager result is not to be taken before effects happened."""
        tied = self._tied.get(id(x))
        return tied is not None and tied.opaque

    def _tie(self, op: Op, xs: tuple, y: Any) -> None:
        """Let an eager result wait for what its operands wait for, and for control inputs."""
        if not (self._waiting or self._tied) or type(y) is not Tensor:
            return
        before = [self._tied[id(x)] for x in xs if id(x) in self._tied]
        nodes = dict.fromkeys([*self._waiting, *[node for one in before for node in one.nodes]])
        if nodes:
            opaque = op is identity.op or any(one.opaque for one in before)
            self._tied[id(y)] = _Tied(y, tuple(nodes), opaque)

    # -- names -----------------------------------------------------------------------------------
    def name_of(self, value: ir.Value) -> str:
        return "Const" if value.node is None else self.names.name(value.node)

    def unique_name(self, name: str, mark_as_used: bool = True) -> str:
        """The name in the open scopes, numbered where it is taken."""
        return self.names.unique(scopes.scoped_name(name), mark_as_used)

    def new_scope(self, name: str) -> str:
        """The prefix that a new name scope gives."""
        if not re.fullmatch(f"[A-Za-z0-9.]{_SCOPE}", name):
            inner = name.removeprefix(scopes.current_prefix())
            kind, start = ("root ", "[A-Za-z0-9.]") if inner == name else ("", "")
            raise ValueError(f"'{inner}' is not a valid {kind}scope name. A {kind}scope name has "
                             f"to match the following pattern: ^{start}{_SCOPE}$")
        return self.names.unique(name) + "/"

    def name_scope(self, name: str) -> Any:
        """The context in which names begin with this one."""
        return scopes.name_scope(name or "")

    # -- variables -------------------------------------------------------------------------------
    def read(self, variable: Any) -> Tensor:
        """What a variable holds when a session comes to this point."""
        uid = variable._uid
        if self._ordered is not None:
            if uid not in self._ordered:
                self._ordered[uid] = self.new_read(variable)
            return self._ordered[uid]
        if self._waiting:
            return self.new_read(variable)
        if uid not in self._reads:
            self._reads[uid] = self.new_read(variable)
        return self._reads[uid]

    def new_read(self, variable: Any) -> Symbolic:
        """A read at this point of the program."""
        if self._ordered is not None and variable._uid in self._ordered:
            return self._ordered[variable._uid]
        self.made[variable._uid] = owner = getattr(variable, "_owner", variable)
        spec = Spec(shape_tuple(variable.shape), variable.dtype.np)
        node = self._place(read_op, (), {"variable": variable._uid}, [spec],
                           f"{owner._name.rpartition('/')[2]}/Read/ReadVariableOp")
        return self.symbolic(node.outputs[0], variable._uid)

    def remember(self, variable: Any, made: Symbolic) -> Symbolic:
        """Let a read serve wherever nothing is waited for."""
        self._reads[variable._uid] = made
        return made

    def assign(self, variable: Any, tensor: Any) -> None:
        """Write a variable whenever the node runs."""
        self.new_write(variable, tensor)

    def new_write(self, variable: Any, tensor: Any, name: str = "Assign") -> Symbolic:
        """The node that writes a variable; its result is what the variable holds then."""
        self.made[variable._uid] = getattr(variable, "_owner", variable)
        value = self.value_of(tensor)
        node = self._place(write, (value,), {"variable": variable._uid},
                           [Spec(value.shape, value.dtype)], name)
        result = self.symbolic(node.outputs[0], variable._uid)
        if self._ordered is not None:
            self._ordered[variable._uid] = result
        return result

    def lift(self, variable: Any, initial: Callable[[], Tensor]) -> Any:
        """The initial value of a new variable: a tensor of the graph."""
        with self.control_dependencies(None):
            return _variables.InitialValue(initial())

    # -- effects ---------------------------------------------------------------------------------
    @contextlib.contextmanager
    def control_dependencies(self, control_inputs: Iterable | None) -> Iterator[None]:
        """Nodes made inside wait for these; None: for nothing."""
        before = self._waiting
        self._waiting = () if control_inputs is None else tuple(dict.fromkeys(
            [*before, *[node for one in control_inputs for node in self.nodes_of(one)]]))
        try:
            yield
        finally:
            self._waiting = before

    def add_imported(self, operations: list, library: Any, nodes: list) -> None:
        """Let operations of a GraphDef be found, in place of the nodes and inputs they became."""
        self.imported.update({one.name: one for one in operations})
        self.libraries.append(library)
        self._of_imports.update(nodes)

    def nodes_of(self, one: Any) -> list[ir.Node]:
        """The nodes that something to wait for stands for."""
        if one is None:  # of a function that returns no operation: its effects
            found, self._unclaimed = self._unclaimed, []
            return found
        if isinstance(one, Operation):
            return one.run_nodes()
        if isinstance(one, Tensor):
            node = self.value_of(one).node
            return [] if node is None else [node]
        if hasattr(one, "_graph_read"):
            return []
        return [node for part in nest.flatten(one, expand_composites=True)
                for node in (self.nodes_of(part) if part is not one else [])]

    def group(self, inputs: Iterable, name: str | None = None) -> Operation:
        """An operation that runs all of these."""
        with self.control_dependencies([*inputs]):
            node = self._place(no_op, (), {}, [], name or "group_deps")
        return self.operation(node)

    def effect_of(self, make: Callable[[], Any]) -> Operation:
        """The operation of a call that has an effect and no result."""
        start, before = len(self.graph.nodes), len(self._unclaimed)
        make()
        return self._operation_since(start, before)

    def _operation_since(self, start: int, before: int) -> Operation:
        """One operation for all effects from node number `start` on."""
        del self._unclaimed[before:]
        made = [self.operation(node) for node in self._effects(start)]
        return made[0] if len(made) == 1 else self.group(made)

    def _effects(self, start: int) -> list[ir.Node]:
        """The nodes from number `start` on that change or check something."""
        return [node for node in self.graph.nodes[start:] if node.op.stateful and node.op.kind
                != "random" and node.op is not read_op and node not in self.initializers]

    def _waited_for(self, value: ir.Value, nodes: tuple) -> ir.Value:
        with self.control_dependencies([self.operation(node) for node in nodes]):
            node = self._place(identity.op, (value,), {}, [Spec(value.shape, value.dtype)],
                               "Identity")
        return node.outputs[0]

    def in_order(self, make: Callable[[], Any]) -> Any:
        """Nodes that count as one: its effects happen in program order, and with its results."""
        if self._ordered is not None:
            return make()
        start, self._ordered = len(self.graph.nodes), {}
        try:
            result = make()
        finally:
            self._ordered = None
        effects = tuple(self._effects(start))
        if not effects:
            return result
        return nest.map_structure(lambda x: self._result_after(x, effects), result,
                                  expand_composites=True)

    def _result_after(self, x: Any, effects: tuple) -> Any:
        """A result that waits for effects; tapes follow it."""
        if not isinstance(x, Tensor):
            return x
        waiting = self.symbolic(self._waited_for(self.value_of(x), effects))
        for listener in state.stack[1:]:
            listener.note(identity.op, (x,), waiting, {})
        return waiting

    def cond(self, index: Tensor, branches: tuple) -> Any:
        start, before = len(self.graph.nodes), len(self._unclaimed)
        result = self.in_order(lambda: super(Graph, self).cond(index, branches))
        if result is None and self._effects(start):  # branches that are run for their effects
            return self._operation_since(start, before)
        return result

    def while_loop(self, condition: Callable, body: Callable, loop_vars: Any,
                   limit: int | None = None, shape_invariants: Any = None) -> Any:
        return self.in_order(lambda: super(Graph, self).while_loop(
            condition, body, loop_vars, limit, shape_invariants))

    # -- placeholders ----------------------------------------------------------------------------
    def placeholder(self, shape: tuple | None, dtype: Any, name: str = "") -> Symbolic:
        """A tensor that a session must be fed."""
        if shape is None or None in shape:  # calls of public functions may wait for them
            wrap_names(deferrable, but=OF_VALUES)
        made = super().placeholder(shape, dtype)
        made._ir.name = self.unique_name(name or "Placeholder")
        self.known.fed(made._ir)
        return made

    def with_default(self, x: Tensor, shape: tuple | None, name: str) -> Symbolic:
        """A tensor that a session may be fed."""
        value = self.value_of(x)
        node = self._place(identity.op, (value,), {}, [Spec(shape, value.dtype)], name)
        return self.symbolic(node.outputs[0])

    # -- looking into it -------------------------------------------------------------------------
    @staticmethod
    def is_asked() -> bool:
        """Whether the program itself compares tensors: `==` asks then if they are one object."""
        frame = sys._getframe(3)  # behind the two functions of the operator
        return not frame.f_globals.get("__name__", "").startswith("tapeflow.")

    def tensor_of(self, value: ir.Value) -> Tensor:
        known = self.known.tensor_of(value)
        return self.symbolic(value) if known is None else known

    def operation(self, node: ir.Node) -> Operation:
        """A node as users see it."""
        return Operation(self, node, node.outputs[0] if node.outputs else None)

    @property
    def version(self) -> int:
        return len(self.graph.nodes) + len(self.known)

    def get_operations(self) -> list[Operation]:
        """Placeholders, constants and nodes in program order, then those of GraphDefs."""
        theirs = self._of_imports
        placed = [(position - 0.5, one) for position, one in self.known.at(theirs)]
        placed += [(i, self.operation(node)) for i, node in enumerate(self.graph.nodes)
                   if node not in theirs]
        placed.sort(key=lambda one: one[0])  # it keeps the order of equals
        return [one for _, one in placed] + list(self.imported.values())

    def get_operation_by_name(self, name: str) -> Operation:
        if not isinstance(name, str):
            raise TypeError(f"Operation names are strings (or similar), not {type(name).__name__}.")
        if name in self.imported:
            return self.imported[name]
        for one in self.get_operations():
            if one.name == name:
                return one
        raise KeyError(f"The name {name!r} refers to an Operation not in the graph.")

    def get_tensor_by_name(self, name: str) -> Symbolic:
        """The tensor of a name such as "x:0"."""
        if not isinstance(name, str):
            raise TypeError(f"Tensor names are strings (or similar), not {type(name).__name__}.")
        word, colon, index = name.partition(":")
        if not colon or not index.isdigit():
            raise ValueError(f"The name {name!r} looks like an (invalid) Operation name, not a "
                             "Tensor. Tensor names must be of the form \"<op_name>:<output_index>"
                             "\".")
        try:
            outputs = self.get_operation_by_name(word).outputs
        except KeyError:
            raise KeyError(f"The name {name!r} refers to a Tensor which does not exist. The "
                           f"operation, {word!r}, does not exist in the graph.") from None
        if int(index) >= len(outputs):
            raise KeyError(f"The name {name!r} refers to a Tensor which does not exist. The "
                           f"operation, {word!r}, exists but only has {len(outputs)} outputs.")
        return outputs[int(index)]

    def as_graph_element(self, obj: Any, allow_tensor: bool = True,
                         allow_operation: bool = True) -> Any:
        """The tensor or operation that `obj` is or names."""
        if isinstance(obj, str):
            return self.get_tensor_by_name(obj) if ":" in obj and allow_tensor else (
                self.get_operation_by_name(obj))
        found = getattr(obj, "_graph_read", obj)
        if isinstance(found, Tensor) and allow_tensor or (
                isinstance(found, Operation) and allow_operation):
            return found
        raise TypeError(f"Can not convert a {type(obj).__name__} into a Tensor or Operation.")

    def is_writable(self) -> bool:
        """Whether all nodes came from GraphDefs, and are written as they were."""
        return bool(self.imported) and len(self.imported) == len(self.get_operations())

    def as_graph_def(self, from_version: int | None = None, add_shapes: bool = False,
                     use_pybind11_proto: bool = False) -> Any:
        """The graph as a GraphDef."""
        return _messages.graph_def(self, add_shapes)

    # -- running ---------------------------------------------------------------------------------
    def evaluate(self, fetches: Any, feed_dict: Any, session: Any) -> Any:
        """What a session gives; the default session if none is named."""
        found = session or _sessions.get_default_session()
        if found is None:
            raise ValueError("Cannot evaluate tensor using `eval()`: No default session is "
                             "registered. Use `with sess.as_default()` or pass an explicit session "
                             "to `eval(session=sess)`")
        if found.graph is not self:
            which, end = ("given", "") if session is not None else (
                "default", " Pass an explicit session to `eval(session=sess)`.")
            raise ValueError(f"Cannot use the {which} session to evaluate tensor: the tensor's "
                             f"graph is different from the session's graph.{end}")
        return found.run(fetches, feed_dict)

    def session(self) -> Any:
        """The session that checkpoints use: the default one, or that of a library."""
        return _sessions.current_session()

    def __str__(self) -> str:
        return ir.text(self.graph)

    def __repr__(self) -> str:
        return f"<tf.Graph object at {hex(id(self))}>"


Graph.__module__ = "tensorflow.python.framework.ops"
_global: list[Graph] = []  # of programs that make no graph


@export("compat.v1.get_default_graph")
def get_default_graph() -> Any:
    """The graph into which ops go, or would go without eager execution."""
    return state.trace if state.trace is not None else global_graph()


def global_graph() -> Graph:
    """The graph of programs that make none."""
    if not _global:
        _global.append(Graph())
    return _global[0]


def forget_global_graph() -> None:
    """Let the next program that makes no graph begin with an empty one."""
    _global.clear()


def current_graph() -> Graph | None:
    """The tf.Graph that is the default one, if there is one."""
    return state.trace if isinstance(state.trace, Graph) else None
