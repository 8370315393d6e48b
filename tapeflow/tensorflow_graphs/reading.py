"""Runs the nodes of a FunctionDef with our ops: eagerly, or while a trace records.

Nothing of a file is code: a node names an op of the table, and what the table lacks is refused
before anything runs.
"""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping
from types import MappingProxyType
from typing import Any

from tapeflow.base import errors, nest
from tapeflow.base.exception_origin import from_library
from tapeflow.core.deferrable import UNKNOWN_VALUE_ERRORS
from tapeflow.core.state import state
from tapeflow.core.values.tensor import Tensor
from tapeflow.io.protobuf import wire
from tapeflow.io.protobuf.graph_protos import FunctionDef
from tapeflow.tensorflow_graphs.control_flow_v1 import structured
from tapeflow.tensorflow_graphs.definition import Definition, definition
from tapeflow.tensorflow_graphs.list_lengths import with_unknown_lengths
from tapeflow.tensorflow_graphs.node_attributes import python_value
from tapeflow.tensorflow_graphs.node_results import Results, find
from tapeflow.tensorflow_graphs.registry import implementation, implements
from tapeflow.tensorflow_graphs.saved_gradients import Capture, SavedGradient


class UnknownOps(NotImplementedError):
    """A graph holds ops that we lack."""


class Functions(dict):
    """FunctionDefs by name; those that are given as bytes are read when they are asked for."""

    def __init__(self, functions: Iterable[Any]):
        super().__init__()
        for one in functions:
            dict.__setitem__(self, _name_of(one) if isinstance(one, bytes) else one.signature.name,
                             one)

    def __getitem__(self, name: str) -> Any:
        found = super().__getitem__(name)
        if isinstance(found, bytes):
            found = FunctionDef.FromString(found)
            dict.__setitem__(self, name, found)
        return found


def _name_of(function: bytes) -> str:
    """The name in the signature of a FunctionDef's bytes."""
    for number, kind, signature, _, _ in wire.fields_of(function):
        if number == 1 and kind == wire.LENGTH:
            for inner, how, name, _, _ in wire.fields_of(signature):
                if inner == 1 and how == wire.LENGTH:
                    return bytes(name).decode()
    raise wire.DecodeError("a function without a name")


class Library:
    """The functions of a graph by name, as callables on flat lists."""

    def __init__(self, library: Any):
        self.functions = Functions(library.function)
        self.gradients = {one.registered_op_type: one.gradient_func
                          for one in library.registered_gradients}
        self._bodies: dict[str, Body] = {}
        self._bound: dict[str, SavedGradient] = {}
        self._captured: dict[str, list[str]] = {}  # of a function: what gradients read of it
        self._frames = threading.local()

    def __call__(self, name: str) -> Callable:
        """A function as a callable: flat arguments to a list of results."""
        return lambda *args: self.run(name, list(args))

    def bind_gradient(self, name: str, captured: list, packed: Callable[[list], list]) -> None:
        """Say what a custom gradient captured, and how its results are told apart."""
        self._bound[name] = SavedGradient(name, self(name), captured, packed)
        for one in captured:
            if isinstance(one, Capture):
                self._captured.setdefault(one.function, []).append(one.tensor)

    def gradient_of(self, node: Any) -> SavedGradient | None:
        """The custom gradient of a node, if the file has one."""
        if node.op != "IdentityN" or "_gradient_op_type" not in node.attr:
            return None
        name = self.gradients.get(node.attr["_gradient_op_type"].s.decode(errors="replace"))
        if name is not None and name not in self._bound:
            self._bound[name] = SavedGradient(name, self(name), [], None)
        return None if name is None else self._bound[name]

    def captured_of(self, name: str) -> list[str]:
        """The tensors of a function that custom gradients read, its own or of its bodies."""
        return self._captured.get(name, [])

    @property
    def frames(self) -> tuple[tuple[str, dict[str, Any]], ...]:
        """The functions that run in this thread now, outermost first, with their tensors."""
        return getattr(self._frames, "now", ())

    def body(self, name: str) -> Body:
        if name not in self._bodies:
            if name not in self.functions:
                raise errors.InvalidArgumentError(
                    None, None, f"the function {name!r} is called, and not in the graph")
            self._bodies[name] = function_body(self.functions[name], self)
        return self._bodies[name]

    def run(self, name: str, args: list) -> list:
        """The results of a function, in the order of its signature."""
        body = self.body(name)
        if len(args) != len(body.inputs):
            raise errors.InvalidArgumentError(
                None, None, f"the function {name!r} takes {len(body.inputs)} arguments, and got "
                            f"{len(args)}")
        values = dict(zip(body.inputs, args))
        before = self.frames
        self._frames.now = (*before, (name, values))
        try:
            return body.run(values)
        finally:
            self._frames.now = before

    def check(self, names: Iterable[str], nodes: Iterable[Any] = ()) -> None:
        """See that some nodes, some functions, and all that they call, can run.

        UnknownOps for ops that we lack, InvalidArgumentError for what no graph can be.
        """
        missing: dict[str, str] = {}
        names = list(names)
        for node in nodes:
            names += _called(node)
            if not known(node.op, self):
                missing.setdefault(node.op, node.name)
        callers: dict[str, set[str]] = {}  # of a function that is being looked at: those it calls
        done: set[str] = set()
        stack = [(name, False) for name in names if name in self.functions]
        while stack:
            name, left = stack.pop()
            if left:
                done.add(name)
                del callers[name]
            elif name in callers:
                raise errors.InvalidArgumentError(None, None, f"the function {name!r} calls itself")
            elif name not in done:
                callers[name] = set()
                stack.append((name, True))
                for node in self.body(name).nodes:  # what no result needs does not run
                    if not known(node.op, self):
                        missing.setdefault(node.op, f"{name}/{node.name}")
                    callers[name].update(one for one in _called(node) if one in self.functions)
                stack += [(one, False) for one in sorted(callers[name]) if one not in done]
        if missing:
            needed = ", ".join(f"{op} (at {node})" for op, node in sorted(missing.items()))
            raise UnknownOps(f"the graph holds ops that tapeflow lacks: {needed}")

    def reachable(self, names: Iterable[str]) -> list[str]:
        """Some functions, and all that they call."""
        found: dict[str, None] = {}
        pending = [name for name in names if name in self.functions]
        while pending:
            name = pending.pop()
            if name not in found:
                found[name] = None
                pending += [one for node in self.functions[name].node_def
                            for one in _called(node) if one in self.functions]
        return list(found)


def _called(node: Any) -> list[str]:
    """The functions that a node names."""
    found = [node.op]
    for value in node.attr.values():
        kind = value.WhichOneof("value")
        if kind == "func":
            found.append(value.func.name)
        elif kind == "list":
            found += [one.name for one in value.list.func]
    return found


def known(op: str, library: Library) -> bool:
    """Whether a node can run: its op is in the table, or a function of the graph."""
    return op in library.functions or (
        definition(op) is not None and implements(op))


def _captures_here(nodes: list[Any], name: str, library: Library) -> dict[str, list[str]]:
    """What the custom gradients of nodes read of the function in which they stand."""
    found = {}
    for node in nodes:
        gradient = library.gradient_of(node)
        if gradient is not None:
            found[node.name] = [one.tensor for one in gradient.captured
                                if isinstance(one, Capture) and one.function == name]
    return found


class Body:
    """Nodes in an order in which they can run, and where inputs and outputs are."""

    def __init__(self, nodes: list[Any], inputs: list[str], outputs: list[str],
                 effects: list[str], library: Library, name: str = ""):
        self.inputs, self._outputs, self._library = inputs, outputs, library
        # What gradients read must be there when the node runs that has the gradient.
        self.nodes = ordered(
            with_unknown_lengths(nodes), [*library.captured_of(name), *outputs, *effects],
            set(inputs), _captures_here(nodes, name, library))

    def run(self, values: dict[str, Any]) -> list:
        """The outputs, given the values of inputs (and of nodes that are known already)."""
        for node in self.nodes:
            if node.name not in values:
                self._run_node(node, values)
        return [find(one, values) for one in self._outputs]

    def _run_node(self, node: Any, values: dict[str, Any]) -> None:
        given = [find(one, values) for one in node.input if one[:1] != "^"]
        with named_node(node):
            custom = self._library.gradient_of(node)
            values[node.name] = run_node(node, given, self._library) if custom is None else Results(
                ["output"], [custom.identity(given, self._library.frames)])


def ordered(nodes: list[Any], wanted: list[str], inputs: set[str],
            more: Mapping[str, list[str]] = MappingProxyType({})) -> list[Any]:
    """The nodes that are needed, each after those that it reads or must wait for.

    more  what nodes read beside their inputs
    """
    by_name = {node.name: node for node in nodes}
    if len(by_name) != len(nodes):
        raise errors.InvalidArgumentError(None, None, "two nodes of a graph have one name")
    order: dict[str, Any] = {}
    under_way: set[str] = set()
    stack = [(one.lstrip("^").partition(":")[0], False) for one in reversed(wanted)]
    while stack:
        name, done = stack.pop()
        if done:
            under_way.discard(name)
            order[name] = by_name[name]
            continue
        if name in order or name in inputs:
            continue
        if name not in by_name:
            raise errors.InvalidArgumentError(
                None, None, f"a node {name!r} is read, and not in the graph")
        if name in under_way:
            raise errors.InvalidArgumentError(
                None, None, f"the node {name!r} waits for itself")
        under_way.add(name)
        stack.append((name, True))
        before = [one.lstrip("^").partition(":")[0]
                  for one in [*by_name[name].input, *more.get(name, ())]]
        for one in reversed(before):
            if one in under_way:
                raise errors.InvalidArgumentError(
                    None, None, f"the node {one!r} waits for itself")
            if one not in order and one not in inputs:
                stack.append((one, False))
    positions = {node.name: i for i, node in enumerate(nodes)}
    return _stable(list(order.values()), positions, more)


def _stable(nodes: list[Any], positions: dict[str, int],
            more: Mapping[str, list[str]]) -> list[Any]:
    """As the file lists them, as far as that is an order in which they can run."""
    seen: set[str] = set()
    listed = sorted(nodes, key=lambda node: positions[node.name])
    names = {node.name for node in nodes}
    for node in listed:
        for one in [*node.input, *more.get(node.name, ())]:
            name = one.lstrip("^").partition(":")[0]
            if name in names and name not in seen:
                return nodes
        seen.add(node.name)
    return listed


def function_body(function: Any, library: Library) -> Body:
    """The nodes of a FunctionDef."""
    signature = function.signature
    inputs = [one.name for one in signature.input_arg]
    for one in signature.output_arg:
        if one.name not in function.ret:
            raise errors.InvalidArgumentError(
                None, None, f"the function {signature.name!r} does not say what its result "
                            f"{one.name!r} is")
    outputs = [function.ret[one.name] for one in signature.output_arg]
    effects = [function.control_ret[one] for one in signature.control_output
               if one in function.control_ret]
    return Body(list(function.node_def), inputs, outputs, effects, library, signature.name)


def graph_body(nodes: list[Any], inputs: list[str], outputs: list[str], effects: list[str],
               library: Library) -> Body:
    """Some nodes of a GraphDef, which need not be a function."""
    return Body(structured(nodes, library), inputs, outputs, effects, library)


@contextlib.contextmanager
def named_node(node: Any) -> Iterator[None]:
    """Errors say at which node they happened; what our functions refuse is an error of the op."""
    try:
        yield
    except Exception as error:
        if getattr(error, "_at_node", False):
            raise
        place = f"at the node {node.name!r} ({node.op}) of a graph of TensorFlow's"
        found = error
        if isinstance(error, REFUSALS) and from_library(error):
            found = errors.InvalidArgumentError(None, None, str(error) or type(error).__name__)
        found.add_note(place)
        found._at_node = True  # type: ignore[attr-defined]
        if found is error:
            raise
        raise found from error


REFUSALS = (ArithmeticError, AssertionError, AttributeError, LookupError, TypeError, ValueError)


def run_node(node: Any, given: list, library: Library) -> Any:
    """One node: `Results`."""
    if node.op in library.functions:
        names = [one.name for one in library.functions[node.op].signature.output_arg]
        return Results(names, [[one] for one in library.run(node.op, given)])
    defined, call = definition(node.op), implementation(node.op)
    if defined is None or call is None:
        raise UnknownOps(f"TensorFlow's op {node.op} (node {node.name!r}) is not one that tapeflow "
                         "has")
    attributes = {one.name: python_value(node.attr[one.name], one.type, library)
                  if one.name in node.attr else one.default for one in defined.attributes}
    return results_of(defined, _called_or_deferred(
        call, _grouped(defined, given, attributes), attributes))


def _called_or_deferred(call: Callable, given: list, attributes: dict[str, Any]) -> Any:
    """What an op gives; one that looks at sizes or values waits for them if a trace lacks them."""
    try:
        return call(given, attributes)
    except UNKNOWN_VALUE_ERRORS as error:
        if state.trace is None or any(callable(one) for one in nest.flatten(attributes)) or not all(
                isinstance(one, Tensor) for one in nest.flatten(given)):
            raise

        def later(*inputs: Any) -> Any:
            return call(list(inputs), attributes)

        return state.trace.defer_call(later, tuple(given), {}, error)


def _grouped(defined: Definition, given: list, attributes: dict[str, Any]) -> list:
    """Flat inputs as the op takes them: those that are several as lists."""
    grouped, at = [], 0
    for one in defined.inputs:
        if one.number or one.is_list:
            count = attributes[one.number] if one.number else len(attributes[one.type])
            grouped.append(given[at:at + count])
            at += count
        else:
            if at >= len(given):
                raise errors.InvalidArgumentError(
                    None, None, f"{defined.name} takes more inputs than it is given")
            grouped.append(given[at])
            at += 1
    if at != len(given):
        raise errors.InvalidArgumentError(
            None, None, f"{defined.name} takes {at} inputs, and is given {len(given)}")
    return grouped


def results_of(defined: Definition, found: Any) -> Results:
    """What an implementation returned, by the op's outputs."""
    names = [one.name for one in defined.outputs]
    if len(names) == 1:
        several = defined.outputs[0].number or defined.outputs[0].is_list
        return Results(names, [list(found[0]) if several else [found]])
    return Results(names, [list(value) if one.number or one.is_list else [value]
                           for one, value in zip(defined.outputs, found)])
