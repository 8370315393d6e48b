"""A traced function as a GraphDef of its own: placeholders, nodes with the names that users see,
and an Identity for each result."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import Any

from tapeflow.base import dtypes
from tapeflow.graph import ir
from tapeflow.graph.variable_ops import write
from tapeflow.io.protobuf.graph_protos import GraphDef, NodeDef
from tapeflow.tensorflow_graphs.definition import definition
from tapeflow.tensorflow_graphs.node_attributes import fill_attribute
from tapeflow.tensorflow_graphs.writing.graph_writer import (
    FunctionLibrary,
    GraphWriter,
    Unwritable,
    needed_nodes,
    stores_of,
)
from tapeflow.tensorflow_graphs.writing.node_writer import Ref

_PRODUCER = 2000
_OPERANDS = ("x", "y", "z")


class _ImportedLibrary(FunctionLibrary):
    """Functions that meet those of other graphs where they are imported: names tell them apart."""

    def distinction(self, function: Any) -> str:
        return hashlib.blake2b(function.SerializeToString(), digest_size=6).hexdigest()


class WholeGraph(GraphWriter):
    """The nodes of one graph; `names`: those that users see of our nodes."""

    def __init__(self, names: dict[ir.Node, str], add_shapes: bool):
        super().__init__(_ImportedLibrary())
        self.inside, self.scope = False, ""
        self._names, self._add_shapes = names, add_shapes
        for name in names.values():
            self.reserve(name)

    def placeholder(self, name: str, dtype: Any, shape: Any) -> Ref:
        node = NodeDef(name=name, op="Placeholder")
        fill_attribute(node.attr["dtype"], "type", dtype)
        fill_attribute(node.attr["shape"], "shape", shape)
        fill_attribute(node.attr["_user_specified_name"], "string", name)
        self.add(node)
        return Ref(f"{name}:0", dtype, shape)

    def know(self, value: ir.Value, ref: Ref) -> None:
        """Say what a Value of our graph is."""
        self._refs[value] = ref

    def node(self, node: ir.Node) -> None:
        """Write one node of our graph; the last of its nodes here gets its name."""
        name = self._names.get(node)
        if name is not None:
            self._constants_of(node, name)
        first = len(self.nodes)
        super().node(node)
        made = self.nodes[first:]
        if not made or made[-1].op == "Const" or name is None:
            return
        last, old = made[-1], made[-1].name
        held = [value for value in node.outputs if value in self._refs
                and self._refs[value].name.partition(":")[0] == old]
        if held:
            last.name = name
            for value in held:
                ref = self._refs[value]
                self._refs[value] = Ref(name + ref.name[len(old):], ref.dtype, ref.shape)
            if self.last_effect == old:
                self.last_effect = name
            self.pending_reads = [name if one == old else one for one in self.pending_reads]
            if self._add_shapes and _gives(last.op) == len(held):
                fill_attribute(last.attr["_output_shapes"], "list(shape)",
                               [value.shape for value in held])

    def _constants_of(self, node: ir.Node, name: str) -> None:
        """Write the constants among a node's operands, which have names of theirs: `add/y`."""
        for i, value in enumerate(node.inputs):
            if value.const is not None and value not in self._refs:
                word = value.name.partition(":")[0] or (
                    f"{name}/{_OPERANDS[i] if i < len(_OPERANDS) else i}")
                self._refs[value] = self.const(value.const, name=word)

    def result(self, name: str, ref: Ref) -> None:
        node = NodeDef(name=name, op="Identity")
        node.input.append(ref.name)
        fill_attribute(node.attr["T"], "type", ref.dtype)
        self.add(node, [] if self.last_effect is None else [self.last_effect])

    def message(self) -> Any:
        """The GraphDef."""
        found = GraphDef()
        found.versions.producer = _PRODUCER
        for node in self.nodes:
            plain = [one.removesuffix(":0") for one in node.input]
            del node.input[:]
            node.input.extend(plain)
        found.node.extend(self.nodes)
        found.library.function.extend(list(self.library.functions.values()))
        for one in self.library.gradients:
            found.library.registered_gradients.add(gradient_func=one.name,
                                                   registered_op_type=one.op_type)
        return found


def _gives(op: str) -> int | None:
    """How many tensors a node of an op gives; None: that depends on its attributes."""
    defined = definition(op)
    if defined is None or any(one.number or one.is_list for one in defined.outputs):
        return None
    return len(defined.outputs)


def whole_graph(graph: ir.Graph, inputs: Sequence[str], names: dict[ir.Node, str],
                add_shapes: bool = False, frozen: bool = False) -> tuple[Any, list[str]]:
    """The GraphDef of a traced function, and the names of its results.

    inputs  the names of its placeholders
    frozen  variables are constants, with the values that they hold now
    """
    if frozen and any(node.op is write for node in graph.nodes):
        raise Unwritable("a function that assigns to variables cannot have constants for them")
    body = WholeGraph(names, add_shapes)
    for name in inputs:
        body.reserve(name)
    results = [body.unique("Identity") for _ in graph.outputs]
    for name, value in zip(inputs, graph.inputs, strict=True):
        body.know(value, body.placeholder(name, dtypes.of(value.dtype), value.shape))
    for uid, use in graph.variables.items():
        name = (getattr(use.variable, "name", None) or "resource").partition(":")[0]
        if frozen:
            body.know(use.initial, _frozen(body, use, name))
        else:
            body.hold(uid, body.placeholder(body.unique(name), dtypes.resource, ()))
            body.read(uid, use)
    for store in stores_of(graph):
        if frozen:
            raise Unwritable("a table cannot become a constant")
        body.hold(id(store), body.placeholder(body.unique("table"), dtypes.resource, ()))
    for node in needed_nodes(graph):
        body.node(node)
    for name, value in zip(results, graph.outputs, strict=True):
        body.result(name, body.ref(value))
    return body.message(), results


def _frozen(body: WholeGraph, use: ir.VariableUse, name: str) -> Ref:
    if use.variable is None:
        raise Unwritable("a variable that is an argument cannot become a constant")
    return body.const(use.variable.numpy(), name=name)
