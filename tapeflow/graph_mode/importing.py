"""tf.graph_util.import_graph_def: the nodes of a GraphDef become nodes of a tf.Graph.

A node of TensorFlow's may become several here, or none (constants are values). What users find by
its name is an `ImportedOperation`: the message, and what came of it. A node that we cannot run, or
that stands inside a branch or a loop of TensorFlow 1, is there too, and refused when it is fetched.
"""

from __future__ import annotations

from typing import Any

from tapeflow.base import dtypes, errors
from tapeflow.base.exports import export
from tapeflow.core import scopes
from tapeflow.core.state import state
from tapeflow.core.values.convert import convert
from tapeflow.core.values.tensor import Tensor
from tapeflow.graph import ir
from tapeflow.graph.tracing.operation import Operation
from tapeflow.graph.tracing.symbolic import Symbolic, shape_tuple
from tapeflow.graph_mode.graph import Graph, get_default_graph, no_op
from tapeflow.graph_mode.graph_variable import GraphVariable, unset_variable
from tapeflow.io.protobuf.graph_protos import GraphDef, NodeDef
from tapeflow.tensorflow_graphs.control_flow_v1 import base, interior, structured
from tapeflow.tensorflow_graphs.definition import definition
from tapeflow.tensorflow_graphs.node_attributes import python_value, shape_of
from tapeflow.tensorflow_graphs.node_results import Results, find
from tapeflow.tensorflow_graphs.reading import (
    Library,
    UnknownOps,
    graph_body,
    known,
    named_node,
    ordered,
    run_node,
)

_VARIABLES = ("Variable", "VariableV2", "VarHandleOp")
_FILES = ("InitializeTableFromTextFileV2",)  # would be read now, not when they are run
_INSIDE = "it is inside a branch or a loop, and cannot be fetched by itself"
_SCALARS_KNOWN = 24  # the first version in which a placeholder's shape () is that of a scalar


class ImportedOperation(Operation):
    """A node of a GraphDef in a tf.Graph."""

    def __init__(self, graph: Graph, message: Any):
        super().__init__(graph, None, None)
        self._message = message
        self.refused = ""  # why it cannot run
        self.results: list[Any] = []  # tensors, variables, tables
        self._effects: list[ir.Node] = []

    @property
    def node_def(self) -> Any:
        return self._message

    @property
    def name(self) -> str:
        return self.node_def.name

    @property
    def type(self) -> str:
        return self.node_def.op

    @property
    def device(self) -> str:
        return self.node_def.device

    def check(self) -> None:
        """UnimplementedError for one that cannot run."""
        if self.refused:
            raise errors.UnimplementedError(None, None, f"the node {self.name!r}: {self.refused}")

    def run_nodes(self) -> list[ir.Node]:
        self.check()
        return self._effects

    @property
    def outputs(self) -> list:
        self.check()
        return [one._graph_read if isinstance(one, GraphVariable) else one
                for one in self.results]

    @property
    def inputs(self) -> tuple:
        references = [one for one in self.node_def.input if one[:1] != "^"]
        return tuple([self.graph.get_tensor_by_name(one if ":" in one else f"{one}:0")
                      for one in references])

    @property
    def control_inputs(self) -> list[Operation]:
        return [self.graph.get_operation_by_name(one[1:])
                for one in self.node_def.input if one[:1] == "^"]

    def get_attr(self, name: str) -> Any:
        """An attribute of the node."""
        defined = definition(self.type)
        kinds = {one.name: one.type for one in defined.attributes} if defined else {}
        if name not in self.node_def.attr:
            raise ValueError(f"Operation {self.name!r} has no attr named {name!r}.")
        kind = kinds.get(name)
        message = self.node_def.attr[name]
        return message if kind is None or "func" in kind else python_value(message, kind, None)

    def _key(self) -> Any:
        return (id(self.graph), self.name)


class _Import:
    """One call: puts nodes into a graph, under a prefix."""

    def __init__(self, graph: Graph, message: Any, prefix: str, given: dict[str, Any]):
        self._graph, self._prefix, self._given = graph, prefix, given
        self._message, self._producer = message, message.versions.producer
        self._library = Library(message.library)
        self._messages = [self._prefixed(node) for node in message.node]
        names = [node.name for node in self._messages]
        taken = [one for one in names if graph.names.is_taken(one)]
        if taken:
            raise ValueError(f"Node name {taken[0]!r} already exists in the Graph")
        nodes = structured(list(message.node), self._library)
        self._nodes = ordered(nodes, [node.name for node in nodes], set())
        self._inside = interior(list(message.node), nodes)
        self.operations = {node.name: ImportedOperation(graph, held)
                           for node, held in zip(message.node, self._messages, strict=True)}
        for node in message.node:
            if node.name in self._inside:
                self.operations[node.name].refused = _INSIDE
        for name in names:
            graph.names.unique(name)
        self._values: dict[str, Any] = {}

    def _prefixed(self, node: Any) -> Any:
        made = NodeDef.FromString(node.SerializeToString())
        if self._prefix:
            made.name = f"{self._prefix}/{node.name}"
            del made.input[:]
            made.input.extend([f"^{self._prefix}/{one[1:]}" if one[:1] == "^" else
                               f"{self._prefix}/{one}" for one in node.input])
        return made

    def run(self) -> None:
        """Make the nodes, each after those that it reads."""
        graph = self._graph.graph
        inputs, nodes = len(graph.inputs), len(graph.nodes)
        try:
            with self._graph.names.by_op():  # they get their own names afterwards
                self._make_all()
        except BaseException:
            del graph.inputs[inputs:], graph.nodes[nodes:]
            self._graph.names.release([one.name for one in self.operations.values()])
            raise
        self._graph.add_imported(list(self.operations.values()), self._message.library,
                                 [*graph.inputs[inputs:], *graph.nodes[nodes:]])

    def _make_all(self) -> None:
        for node in self._nodes:
            operation = self.operations.get(node.name) or ImportedOperation(self._graph, node)
            reason = self._refusal(node)
            if reason:
                operation.refused = reason
                self._values[node.name] = operation
            else:
                with named_node(node):
                    self._make(node, operation)

    def _refusal(self, node: Any) -> str:
        """Why a node cannot be made here; "" if it can."""
        if node.name in self._inside:
            return _INSIDE
        if node.op in _FILES:
            return f"{node.op} reads files while a saved model is loaded, and not in a session"
        if node.op != "Placeholder" and not known(node.op, self._library):
            return f"TensorFlow's op {node.op} is not one that tapeflow has"
        try:
            self._library.check((), [node] if node.op != "Placeholder" else ())
        except UnknownOps as error:  # in the functions that it calls
            return str(error)
        for one in node.input:
            before = self._values.get(base(one))
            if self._mapped(one) is None and isinstance(before, ImportedOperation):
                return before.refused
        return ""

    def _mapped(self, reference: str) -> Any:
        """What the caller gives in place of a tensor."""
        plain = reference.removesuffix(":0")
        return self._given.get(plain, self._given.get(f"{plain}:0"))

    def _make(self, node: Any, operation: ImportedOperation) -> None:
        graph = self._graph
        inputs, waits = [], []
        for one in node.input:
            mapped = self._mapped(one)
            if one[:1] == "^":
                waits.append(mapped if mapped is not None else self.operations.get(base(one)))
            else:
                inputs.append(find(one, self._values) if mapped is None else mapped)
        start = len(graph.graph.nodes)
        before = scopes.enter("")
        try:
            with graph.control_dependencies([one for one in waits if one is not None]):
                found = self._results(node, inputs, operation)
        finally:
            scopes.enter(before)
        self._values[node.name] = found
        operation.results = self._named(found.flat(), operation.name, start)
        operation._effects = _run_with(graph, start, operation.results)

    def _results(self, node: Any, inputs: list, operation: ImportedOperation) -> Results:
        """What a node makes, in the graph."""
        graph, attributes = self._graph, node.attr
        if node.op == "NoOp":
            graph._place(no_op, (), {}, [], operation.name)
            return Results([], [])
        if node.op in _VARIABLES:
            made = unset_variable(graph, operation.name, shape_of(attributes["shape"].shape),
                                  dtypes.as_dtype(attributes["dtype"].type))
            return Results(["resource"], [[made]])
        if node.op == "Placeholder":
            shape = shape_of(attributes["shape"].shape)
            unknown = "shape" not in attributes or (
                self._producer < _SCALARS_KNOWN and shape.rank == 0)
            return Results(["output"], [[graph.placeholder(
                None if unknown else shape_tuple(shape),
                dtypes.as_dtype(attributes["dtype"].type).np)]])
        if node.op == "PlaceholderWithDefault":
            return Results(["output"], [[graph.with_default(
                convert(inputs[0]), shape_tuple(shape_of(attributes["shape"].shape)),
                "PlaceholderWithDefault")]])
        calls = any(one.WhichOneof("value") == "func" for one in attributes.values())
        if calls or node.op in self._library.functions:
            held: list[Results] = []

            def call() -> list:
                held.append(run_node(node, inputs, self._library))
                return held[0].flat()

            found = graph.in_order(call)
            return held[0].with_flat(found)
        return run_node(node, inputs, self._library)

    def _named(self, results: list, name: str, start: int) -> list:
        """The results as tensors of the graph, under the node's name where they are new."""
        graph, found = self._graph, []
        new = set(graph.graph.nodes[start:])
        for i, one in enumerate(results):
            if isinstance(one, Tensor):
                value = graph.value_of(one)
                if value.node is None or value.node in new:
                    value.name = f"{name}:{i}"
                    if value.node is not None and not i:
                        graph.names.rename(value.node, name)
                one = graph.symbolic(value)
            found.append(one)
        return found


def _run_with(graph: Graph, start: int, results: list) -> list[ir.Node]:
    """The nodes that stand for an operation: its effects, or what its results are."""
    new = graph.graph.nodes[start:]
    effects = [node for node in new if node.op.stateful]
    last = [one._ir.node for one in results if isinstance(one, Symbolic)
            and one._ir.node is not None]
    return list(dict.fromkeys([*effects, *last]))


@export("graph_util.import_graph_def", "import_graph_def", "compat.v1.import_graph_def",
        "compat.v1.graph_util.import_graph_def")
def import_graph_def(graph_def: Any, input_map: Any = None, return_elements: Any = None,
                     name: str | None = None, op_dict: Any = None,
                     producer_op_list: Any = None) -> Any:
    """Put the nodes of a GraphDef into the graph; the tensors and operations that are asked for."""
    if not isinstance(graph_def, GraphDef):
        raise TypeError("Argument `graph_def` must be a GraphDef proto. Received type "
                        f"{type(graph_def).__name__}.")
    given = {_text(key): one if isinstance(one, Operation) else convert(one)
             for key, one in (input_map or {}).items()}
    wanted = None if return_elements is None else [_text(one) for one in return_elements]
    _check_names(graph_def, given, wanted)
    if state.trace is not None and not isinstance(state.trace, Graph):
        return _in_function(graph_def, given, wanted)
    graph = get_default_graph()
    with graph.as_default():
        prefix = "" if name == "" else graph.unique_name((name or "import").rstrip("/"))
        call = _Import(graph, graph_def, prefix, given)
        with graph.known.unlisted():
            call.run()
        if wanted is None:
            return None
        return [call.operations[base(one)].outputs[int(one.partition(":")[2])] if ":" in one else
                call.operations[one] for one in wanted]


def _text(key: Any) -> str:
    if not isinstance(key, (str, bytes)):
        raise TypeError("Argument `input_map` and `return_elements` name tensors by strings, got "
                        f"{type(key).__name__}.")
    return key.decode() if isinstance(key, bytes) else key


def _check_names(message: Any, given: dict[str, Any], wanted: list[str] | None) -> None:
    names = {node.name for node in message.node}
    if len(names) != len(message.node):
        raise errors.InvalidArgumentError(None, None, "two nodes of a graph have one name")
    read = {base(one) for node in message.node for one in node.input}
    absent = [one for one in given if base(one) not in read | names]
    if absent:
        raise ValueError("Attempted to map inputs that were not found in graph_def: "
                         f"{sorted(absent)}")
    for one in wanted or ():
        if base(one) not in names or not one.partition(":")[2].isdigit() and ":" in one:
            raise ValueError(f"Requested return_element {one!r} not found in graph_def.")


def _in_function(message: Any, given: dict[str, Any], wanted: list[str] | None) -> Any:
    """Inside a tf.function the part that leads to what is asked for is run."""
    library = Library(message.library)
    outputs = [one for one in wanted or () if ":" in one]
    body = graph_body(list(message.node), [base(one) for one in given], outputs,
                      [one for one in wanted or () if ":" not in one], library)
    library.check([], body.nodes)
    found = iter(body.run({base(one): tensor for one, tensor in given.items()}))
    return None if wanted is None else [next(found) if ":" in one else None for one in wanted]
