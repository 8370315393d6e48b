"""tf.compat.v1.Session: runs the part of a graph that leads to what is fetched.

That part is traced anew, in program order, with what is fed as inputs and with variables of the
session's own; it is then a graph like that of a tf.function, and executed like one.
"""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Callable, Iterable, Iterator
from typing import Any, NamedTuple

import numpy as np

from tapeflow.base import dtypes, errors, nest
from tapeflow.base.exports import export
from tapeflow.base.late import LatePublic
from tapeflow.base.shapes import TensorShape
from tapeflow.core.state import state
from tapeflow.core.values.composite import Composite
from tapeflow.core.values.convert import convert
from tapeflow.core.values.indexed_slices import IndexedSlices
from tapeflow.core.values.tensor import Tensor, wrap
from tapeflow.core.values.variable import Variable, VariableBase
from tapeflow.graph import ir
from tapeflow.graph.control_flow.custom_gradient_node import KeptRule
from tapeflow.graph.executor.graph_function import GraphFunction, fetch_value, replay_node
from tapeflow.graph.functions.inspection import Operation
from tapeflow.graph.tracing.trace import Trace
from tapeflow.graph.variable_ops import write
from tapeflow.graph_mode.graph import (
    Graph,
    get_default_graph,
    initialized_op,
    no_op,
    read_op,
)
from tapeflow.graph_mode.graph_variable import GraphVariable
from tapeflow.ops.ragged.ragged_value import RaggedTensorValue, ragged_value

_sparse_tensor_value = LatePublic("compat.v1.SparseTensorValue")
_list_logical_devices = LatePublic("config.list_logical_devices")


class _Plan(NamedTuple):
    """A part of the graph as a function.

    asks     uids of variables of which it asks whether they are initialised: further inputs
    read     variables that it reads before it writes them
    written  uids of variables that it writes
    """

    function: GraphFunction
    asks: list[int]
    read: list[Any]
    written: set[int]


class _Default(threading.local):
    def __init__(self) -> None:
        self.sessions: list[Any] = []
        self.running: Any = None


_default = _Default()


def running_session() -> Any:
    """The session that executes a part of its graph in this thread; None if there is none."""
    return _default.running


@export("compat.v1.get_default_session")
def get_default_session() -> Any:
    """The innermost session whose `with` is open."""
    return _default.sessions[-1] if _default.sessions else None


_providers: list[Any] = []  # functions of libraries that keep a session of their own


def provide_sessions(provider: Any) -> None:
    """Ask this function for a session where none is open; the first that is told stays."""
    if not _providers:
        _providers.append(provider)


def current_session() -> Any:
    """The default session, or that of a library; ValueError if there is none."""
    found = get_default_session() or (_providers[0]() if _providers else None)
    if found is None:
        raise ValueError("No session is open: use `with tf.compat.v1.Session():`, or pass one.")
    return found


@contextlib.contextmanager
def outside() -> Iterator[None]:
    """Where ops run at once, and no tape listens."""
    before = (state.trace, state.stack, state.recorder, state.variable_maker)
    state.trace, state.stack, state.recorder, state.variable_maker = None, (), None, None
    try:
        yield
    finally:
        state.trace, state.stack, state.recorder, state.variable_maker = before


class BaseSession:
    """Runs parts of a graph; holds the values of its variables."""

    def __init__(self, target: str = "", graph: Any = None, config: Any = None):
        if target:
            raise ValueError("tf.compat.v1.Session: there are no servers to connect to; `target` "
                             f"must be empty, got {target!r}.")
        found = get_default_graph() if graph is None else graph
        if not isinstance(found, Graph):
            raise TypeError(f"Argument `graph` must be a tf.Graph, but got {type(graph).__name__}")
        self._graph, self._config = found, config
        self._plans: dict[tuple, _Plan] = {}
        self._storage: dict[int, Variable] = {}
        self._streams: dict = {}
        self.initialized: set[int] = set()
        self._closed = False

    @property
    def graph(self) -> Graph:
        return self._graph

    @property
    def graph_def(self) -> Any:
        return self._graph.as_graph_def()

    @property
    def sess_str(self) -> str:
        return ""

    def close(self) -> None:
        """Give up the values of variables."""
        self._closed = True
        self._plans.clear()
        self._storage.clear()

    def list_devices(self) -> list:
        """The devices: this machine's processors, as one."""
        return _list_logical_devices("CPU")

    @contextlib.contextmanager
    def as_default(self) -> Iterator[Any]:
        """Let `eval` and `run` of tensors and operations use this session."""
        _default.sessions.append(self)
        try:
            yield self
        finally:
            _default.sessions.remove(self)

    # -- variables -------------------------------------------------------------------------------
    def storage(self, variable: Any) -> Variable:
        """The variable that holds a value in this session; one from outside holds its own."""
        if not isinstance(variable, GraphVariable):
            return variable
        uid = variable._uid
        if uid not in self._storage:
            shape = variable.shape
            sizes = [] if shape.rank is None else [n or 0 for n in shape.as_list()]
            empty = np.full(sizes, b"", object) if variable.dtype is dtypes.string else np.zeros(
                sizes, variable.dtype.np)
            with outside():
                self._storage[uid] = Variable(wrap(empty), variable.trainable, name=variable._name,
                                              shape=None if shape.is_fully_defined() else shape)
        return self._storage[uid]

    def hold(self, variable: GraphVariable, value: Any) -> None:
        """Give a variable a value, by no operation."""
        with outside():
            self.storage(variable).assign(value)
        self.initialized.add(variable._uid)

    def value(self, variable: GraphVariable) -> np.ndarray:
        """What a variable holds."""
        if variable._uid not in self.initialized:
            raise errors.FailedPreconditionError(None, None, (
                f"Attempting to use uninitialized value {variable._name}"))
        with outside():
            return self.storage(variable).numpy()

    # -- running ---------------------------------------------------------------------------------
    def run(self, fetches: Any, feed_dict: Any = None, options: Any = None,
            run_metadata: Any = None) -> Any:
        """The values of tensors; None for an operation, which is run."""
        if self._closed:
            raise RuntimeError("Attempted to use a closed Session.")
        leaves = _flat(fetches, self._graph)
        with self._graph.as_default():
            values, nodes = self._wanted(leaves)
            fed = self._fed(feed_dict or {})
        key = (tuple(values), tuple(nodes), tuple(fed))
        with outside():
            plan = self._plans.get(key)
            if plan is None:
                plan = self._plans[key] = self._plan(values, nodes, list(fed))
            results = self._execute(plan, list(fed.values()))
        return _packed(fetches, leaves, iter(results))

    def _wanted(self, leaves: list) -> tuple[list, list]:
        """The Values and the nodes that fetches stand for."""
        values: list[ir.Value] = []
        nodes: list[ir.Node] = []
        for one in leaves:
            if isinstance(one, Operation) or one is None:
                nodes += self._graph.nodes_of(one)
            else:
                values += [self._graph.value_of(part) for part in _tensors(one)]
        return values, nodes

    def _fed(self, feed_dict: dict) -> dict[ir.Value, Tensor]:
        """The Values that are fed, and with what."""
        found: dict[ir.Value, Tensor] = {}
        for given, value in feed_dict.items():
            key = given._deref() if hasattr(given, "_deref") else given
            key = getattr(key, "deref", lambda key=key: key)() if not isinstance(
                key, (Tensor, Composite)) else key
            key = self._graph.get_tensor_by_name(key) if isinstance(key, str) else key
            parts = _tensors(key)
            arrays = [value] if len(parts) == 1 and not isinstance(key, Composite) else (
                _tensors(value) if isinstance(value, Composite) else
                [value.flat_values, *value.nested_row_splits] if isinstance(
                    value, RaggedTensorValue) else list(value))
            for part, array in zip(parts, arrays, strict=True):
                found[self._graph.value_of(part)] = _as_fed(part, array)
        return found

    def _plan(self, values: list, nodes: list, fed: list) -> _Plan:
        """The part of the graph that leads to these, as a function of what is fed."""
        stale = self._graph.known.stale(set(fed))
        needed = needed_nodes(self._graph, values, nodes, set(fed), stale)
        trace = Trace("session")
        env: dict[ir.Value, Any] = {}
        asks: list[int] = []

        def asked(uid: int) -> Any:
            asks.append(uid)
            return trace.placeholder((), np.dtype(bool), "initialized")

        with trace:
            for value in fed:
                env[value] = trace.placeholder(value.shape, value.dtype, value.name)
            for node in stale:
                if node in needed:
                    replay_node(node, env, self._streams)
            read, written = self.replay(trace, needed, env, asked)
            trace.graph.outputs = [trace.value_of(fetch_value(env, value)) for value in values]
        ir.check(trace.graph)
        return _Plan(GraphFunction(trace.graph), asks, read, written)

    def replay(self, trace: Trace, needed: set[ir.Node], env: dict[ir.Value, Any],
               initialized: Callable[[int], Any]) -> tuple[list[Any], set[int]]:
        """Call the ops of nodes anew; the variables that are read as they were, those written."""
        graph = self._graph
        read: dict[int, Any] = {}
        written: set[int] = set()
        for node in graph.graph.nodes:
            if node not in needed or node.op is no_op:
                continue
            uid: int = node.attrs.get("variable", 0)
            if node.op is read_op:
                if uid not in written:
                    read[uid] = graph.made[uid]
                env[node.outputs[0]] = trace.read(self.storage(graph.made[uid]))
            elif node.op is write:
                variable = self.storage(graph.made[uid])
                trace.assign(variable, fetch_value(env, node.inputs[0]))
                env[node.outputs[0]] = trace.read(variable)
                written.add(uid)
            elif isinstance(node.attrs.get("backward"), KeptRule):
                for value, x in zip(node.outputs, node.inputs, strict=False):
                    env.setdefault(value, fetch_value(env, x))
            elif node.op is initialized_op:
                env[node.outputs[0]] = initialized(uid)
            else:
                known = [value for value in node.outputs if value in env]  # are fed
                kept = {value: env[value] for value in known}
                replay_node(node, env, self._streams)
                env.update(kept)
        return list(read.values()), written

    def _execute(self, plan: _Plan, fed: list) -> list:
        for variable in plan.read:
            if isinstance(variable, GraphVariable) and variable._uid not in self.initialized:
                raise errors.FailedPreconditionError(None, None, (
                    f"Could not find variable {variable._name}. This could mean that the variable "
                    "has been deleted. In TF1, it can also mean the variable is uninitialized. "
                    f"Debug info: container=localhost, status error message=Resource localhost/"
                    f"{variable._name} does not exist."))
        asked = [wrap(np.bool_(uid in self.initialized)) for uid in plan.asks]
        function = plan.function
        before, _default.running = _default.running, self
        try:
            results = function.call([*fed, *asked], function.variables_for())
        finally:
            _default.running = before
        self.initialized |= plan.written
        return results

    def make_callable(self, fetches: Any, feed_list: Any = None,
                      accept_options: bool = False) -> Any:
        """A function of what is fed, in the order of `feed_list`."""
        wanted = list(feed_list or ())

        def call(*values: Any) -> Any:
            fed = [(key.ref() if isinstance(key, Tensor) else key, value)
                   for key, value in zip(wanted, values, strict=True)]
            return self.run(fetches, dict(fed))

        return call

    def _make_callable_from_options(self, options: Any) -> Any:
        """The same by the names in a CallableOptions: tensors fed, fetched and connected, and
        operations to run. What comes from another tensor is computed first."""
        element = self._graph.as_graph_element
        fed = [element(name) for name in options.feed]
        fetched = [element(name) for name in options.fetch]
        run = [element(name) for name in options.target]
        pairs = [(element(one.to_tensor), element(one.from_tensor))
                 for one in options.tensor_connection]

        def call(*values: Any, run_metadata: Any = None) -> list:
            feeds = dict(zip([x.ref() for x in fed], values, strict=True))
            if pairs:
                sources = self.run([source for _, source in pairs], feeds)
                feeds |= zip([x.ref() for x, _ in pairs], sources, strict=True)
            return self.run([*fetched, *run], feeds)[:len(fetched)]

        return call


@export("compat.v1.Session")
class Session(BaseSession):
    """Runs parts of a graph.

    >>> with tf.Graph().as_default(), tf.compat.v1.Session() as session:
    ...     x = tf.compat.v1.placeholder(tf.float32)
    ...     print(session.run(x * 2.0, {x: 3.0}))
    6.0
    """

    def __enter__(self) -> Session:
        self._entered = contextlib.ExitStack()
        if state.trace is not self._graph:
            self._entered.enter_context(self._graph.as_default())
        self._entered.enter_context(self.as_default())
        return self

    def __exit__(self, *exc: Any) -> None:
        self._entered.close()
        self.close()

    @staticmethod
    def reset(target: str, containers: Any = None, config: Any = None) -> None:
        """Forget the variables of servers: there are none."""


@export("compat.v1.InteractiveSession")
class InteractiveSession(BaseSession):
    """A session that is the default one until it is closed."""

    def __init__(self, target: str = "", graph: Any = None, config: Any = None):
        super().__init__(target, graph, config)
        self._entered = contextlib.ExitStack()
        if graph is not None and state.trace is not graph:
            self._entered.enter_context(self._graph.as_default())
        self._entered.enter_context(self.as_default())

    def close(self) -> None:
        """No longer be the default session."""
        super().close()
        self._entered.close()


# -- what is fetched and fed -----------------------------------------------------------------------
def _flat(fetches: Any, graph: Graph) -> list:
    """The tensors, composites and operations among the fetches."""
    return [_element(one, graph) for one in nest.flatten(fetches)] if nest.is_nested(
        fetches) else [_element(fetches, graph)]


def _element(one: Any, graph: Graph) -> Any:
    if isinstance(one, VariableBase):
        held: Any = one
        one = held.handle  # the variable, if a library has something around it
        one = getattr(one, "_graph_read", one)
    if isinstance(one, Variable):
        return one
    if isinstance(one, (Tensor, Composite, IndexedSlices, Operation)):
        home = getattr(one, "_interpreter", None) or getattr(one, "_trace", graph)
        if home is not graph:
            raise ValueError(f"Tensor {one} is not an element of this graph.")
        return one
    if isinstance(one, (str, bytes)):
        name = one if isinstance(one, str) else one.decode()
        try:
            return graph.as_graph_element(name)
        except KeyError as error:
            raise ValueError(f"Fetch argument {one!r} cannot be interpreted as a Tensor. ({error})"
                             ) from None
    if one is None and graph._unclaimed:
        return None
    raise TypeError(f"Argument `fetch` = {one!r} has invalid type {type(one).__name__!r} must be a "
                    "string or Tensor. (Can not convert a "
                    f"{type(one).__name__} into a Tensor or Operation.)")


def _tensors(one: Any) -> list:
    """The tensors that a fetch or a key of what is fed consists of."""
    if isinstance(one, IndexedSlices):
        return [convert(part) for part in (one.values, one.indices, one.dense_shape)
                if part is not None]
    if isinstance(one, Variable):
        return [convert(one)]
    return nest.flatten(one, expand_composites=True)


def _packed(fetches: Any, leaves: list, results: Iterator) -> Any:
    found = [_as_fetched(one, [next(results).numpy() for _ in _tensors(one)])
             if one is not None and not isinstance(one, Operation) else None for one in leaves]
    return nest.pack_sequence_as(fetches, found) if nest.is_nested(fetches) else found[0]


def _as_fetched(one: Any, arrays: list) -> Any:
    if isinstance(one, IndexedSlices):
        with outside():
            return IndexedSlices(*map(convert, arrays))
    if not isinstance(one, Composite):
        return arrays[0]
    kind = type(one).__name__
    if kind == "SparseTensor":
        return _sparse_tensor_value(*arrays)
    if kind == "RaggedTensor":
        return ragged_value(arrays[0], arrays[1:])
    with outside():
        return nest.pack_sequence_as(one, [convert(array) for array in arrays],
                                     expand_composites=True)


def _as_fed(key: Tensor, array: Any) -> Tensor:
    if isinstance(array, Tensor) and array._interpreter is not None:
        raise TypeError("The value of a feed cannot be a tf.Tensor object. Acceptable feed values "
                        "include Python scalars, strings, lists, numpy ndarrays, or TensorHandles. "
                        f"For reference, the tensor object was {array} which was passed to the "
                        f"argument `feed_dict` with key {key}.")
    with outside():
        if key.dtype is not dtypes.string and not isinstance(array, (Tensor, int, float, complex)):
            array = np.asarray(array, key.dtype.np)  # lists are rounded to integers
        value = convert(array, key.dtype)
    if not key.shape.is_compatible_with(TensorShape(value.shape)):
        raise ValueError(f"Cannot feed value of shape {value.shape} for Tensor {key.name}, which "
                         f"has shape {key.shape}")
    return value


def needed_nodes(graph: Graph, values: Iterable[ir.Value], nodes: Iterable[ir.Node],
                 fed: set[ir.Value], stale: Iterable[ir.Node] = ()) -> set[ir.Node]:
    """The nodes that must run; a placeholder that is not fed is an error.

    stale  nodes whose results are known, but are others with what is fed
    """
    found: set[ir.Node] = set()
    open_nodes, anew = list(nodes), set(stale)

    def want(value: ir.Value) -> None:
        if value in fed or value.const is not None and value.node not in anew:
            return
        if value.node is None:
            shape = "<unknown>" if value.shape is None else "[" + ",".join(
                "?" if n is None else str(n) for n in value.shape) + "]"
            raise errors.InvalidArgumentError(None, None, (
                f"You must feed a value for placeholder tensor '{value.name}' with dtype "
                f"{dtypes.of(value.dtype).name} and shape {shape}"))
        open_nodes.append(value.node)

    for value in values:
        want(value)
    while open_nodes:
        node = open_nodes.pop()
        if node in found:
            continue
        found.add(node)
        for value in node.operands():
            want(value)
        open_nodes += graph.controls.get(node, ())
    return found
