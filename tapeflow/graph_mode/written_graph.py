"""A tf.Graph as a GraphDef that TensorFlow imports: handles of variables, reads and writes of them,
control inputs, and the nodes by which a saver of TensorFlow's finds the variables in a file."""

from __future__ import annotations

import re
from typing import Any

import numpy as np

from tapeflow.base import dtypes
from tapeflow.graph import ir
from tapeflow.graph.variable_ops import write
from tapeflow.graph_mode.graph import Graph, initialized_op, no_op, read_op
from tapeflow.graph_mode.graph_variable import GraphVariable
from tapeflow.graph_mode.importing import ImportedOperation
from tapeflow.io.protobuf.graph_protos import NodeDef
from tapeflow.saved_model.writing.saved_tables import table_of
from tapeflow.tensorflow_graphs.node_attributes import fill_attribute
from tapeflow.tensorflow_graphs.writing.graph_writer import Unwritable, stores_of
from tapeflow.tensorflow_graphs.writing.node_writer import Ref
from tapeflow.tensorflow_graphs.writing.whole_graph import WholeGraph


def _valid(name: str) -> str:
    """A name that TensorFlow takes: those of nodes that users did not make may be texts."""
    return re.sub(r"[^A-Za-z0-9_.\-/]", "_", name)


class WrittenGraph(WholeGraph):
    """The nodes of a tf.Graph; each operation is a node of its name."""

    def __init__(self, graph: Graph, add_shapes: bool, tables: bool = False):
        own = [one for one in graph.get_operations() if not isinstance(one, ImportedOperation)]
        super().__init__({one._node: _valid(one.name) for one in own if one._node is not None},
                         add_shapes)
        for one in own:
            self.reserve(_valid(one.name))
        stores = stores_of(graph.graph)
        if stores and not tables:
            raise Unwritable("the tables of a tf.Graph cannot be written")
        self._graph = graph
        self._tables = [table_of(store, None, graph.graph) for store in stores]
        self._filled = [one.make(self, f"table_{i}") for i, one in enumerate(self._tables)]
        for store, handle in zip(stores, self._filled, strict=True):
            self.hold(id(store), handle)
        self._read = {value for node in graph.graph.nodes for value in node.operands()}
        for one in graph.imported.values():
            self._take_over(one)
        for uid, variable in graph.made.items():
            self._add_handle(uid, variable)
        for one in own:
            self._add_operation(one)

    def _take_over(self, one: ImportedOperation) -> None:
        """A node of a GraphDef stays as it was."""
        self.reserve(one.name)
        self.nodes.append(NodeDef.FromString(one.node_def.SerializeToString()))
        for i, tensor in enumerate([] if one.refused else one.outputs):
            value = getattr(tensor, "_ir", None)
            if value is not None:
                self.know(value, Ref(f"{one.name}:{i}", dtypes.of(value.dtype), value.shape))

    def _add_handle(self, uid: int, variable: Any) -> None:
        if not isinstance(variable, GraphVariable):
            raise Unwritable(f"the variable {variable.name!r} was made outside of the graph")
        name = variable.name.partition(":")[0]
        if name not in self._graph.imported:
            self._exact("VarHandleOp", name, [], {
                "dtype": ("type", variable.dtype), "shape": ("shape", variable.shape),
                "shared_name": ("string", name)})
        self.hold(uid, Ref(f"{name}:0", dtypes.resource, ()))

    def _exact(self, op: str, name: str, inputs: list[str], attributes: dict[str, tuple]) -> None:
        """A node of exactly this name."""
        self.reserve(name)
        node = NodeDef(name=name, op=op)
        node.input.extend(inputs)
        for key, (kind, value) in attributes.items():
            fill_attribute(node.attr[key], kind, value)
        self.nodes.append(node)

    def _add_operation(self, one: Any) -> None:
        node = one._node
        if node is None:
            value = one._value
            self.reserve(one.name)
            if value.const is None:
                self.know(value, self.placeholder(one.name, dtypes.of(value.dtype), value.shape))
            else:
                self._add_constant(value, one.name)
            return
        if one.is_known():
            self._add_known(node, _valid(one.name))
            return
        first, name = len(self.nodes), _valid(one.name)
        self.last_effect, self.pending_reads = None, []  # control inputs say all that is waited for
        if not self._of_session(node, name):
            self.node(node)
            self._name_result(node, name, first)
        for made in self.nodes[first:]:
            if made.op != "Const":
                made.input.extend([f"^{_valid(before.name)}" for before in one.control_inputs])

    def _add_constant(self, value: ir.Value, name: str) -> None:
        kind = dtypes.of(value.dtype)
        self._exact("Const", name, [], {"dtype": ("type", kind), "value": (
            "tensor", np.asarray(value.const))})
        self.know(value, Ref(f"{name}:0", kind, value.shape))

    def _add_known(self, node: ir.Node, name: str) -> None:
        """What is computed from constants; as a constant, where TensorFlow has no op for it."""
        first = len(self.nodes)
        try:
            self.node(node)
            self._name_result(node, name, first)
        except (NotImplementedError, Unwritable):
            del self.nodes[first:]
            for i, value in enumerate(node.outputs):
                self._add_constant(value, name if not i else self.unique(name))

    def _of_session(self, node: ir.Node, name: str) -> bool:
        """Write a node that is one of sessions' own."""
        if node.op is no_op:
            self._exact("NoOp", name, [], {})
        elif node.op is read_op:
            self._add_read(node.outputs[0], node.attrs["variable"], name)
        elif node.op is initialized_op:
            self._exact("VarIsInitializedOp", name, [self.variable(node.attrs["variable"]).name],
                        {})
            self.know(node.outputs[0], Ref(f"{name}:0", dtypes.bool, ()))
        elif node.op is write:
            uid, value = node.attrs["variable"], self.ref(node.inputs[0])
            self._exact("AssignVariableOp", name, [self.variable(uid).name, value.name],
                        {"dtype": ("type", value.dtype)})
            if node.outputs[0] in self._read:
                after = self.unique(f"{name}/ReadVariableOp")
                self._add_read(node.outputs[0], uid, after)
                self.nodes[-1].input.append(f"^{name}")
        else:
            return False
        return True

    def _add_read(self, value: ir.Value, uid: int, name: str) -> None:
        kind = dtypes.of(value.dtype)
        self._exact("ReadVariableOp", name, [self.variable(uid).name], {"dtype": ("type", kind)})
        self.know(value, Ref(f"{name}:0", kind, value.shape))

    def _name_result(self, node: ir.Node, name: str, first: int) -> None:
        """See that there is a node of the operation's name."""
        made = self.nodes[first:]
        if any(one.name == name for one in made):
            return
        if node.outputs:
            ref = self.ref(node.outputs[0])
            self._exact("Identity", name, [ref.name], {"T": ("type", ref.dtype)})
            self.know(node.outputs[0], Ref(f"{name}:0", ref.dtype, ref.shape))
        elif made and made[-1].op != "Const":
            made[-1].name = name
        else:
            self._exact("NoOp", name, [], {})

    def place(self, value: ir.Value) -> str:
        """The tensor that a Value was written as, `node:0`."""
        name = self.ref(value).name
        return name if ":" in name else f"{name}:0"

    # -- tables ------------------------------------------------------------------------------------
    def fill_tables(self, before: list[Any]) -> str | None:
        """A node that fills all tables and runs these operations; its name, None without any."""
        names = [_valid(one.name) for one in before]
        for table, handle in zip(self._tables, self._filled, strict=True):
            self.last_effect = None
            table.fill(self, handle)
            names.append(self.nodes[-1].name)
        if not names:
            return None
        found = self.unique("init_all_tables")
        self._exact("NoOp", found, [f"^{one}" for one in names], {})
        return found

    # -- the saver ---------------------------------------------------------------------------------
    def add_saver(self, variables: dict[str, Any], message: Any) -> None:
        """Nodes that save and restore variables, by the names of their keys; a SaverDef names them.
        """
        file = self.unique("save/Const")
        self._exact("PlaceholderWithDefault", file, [self.const("model", dtypes.string).name],
                    {"dtype": ("type", dtypes.string), "shape": ("shape", ())})
        keys = [self.const(np.array(one, object), dtypes.string).name for one in (
            [key.encode() for key in variables], [b""] * len(variables))]
        handles = [self.variable(one._uid) for one in variables.values()]
        kinds = [one.dtype for one in variables.values()]
        values = [self.emit("ReadVariableOp", [handle], {"dtype": kind}, "save/ReadVariableOp").name
                  for handle, kind in zip(handles, kinds, strict=True)]
        saving, reading, done = [self.unique(f"save/{one}") for one in (
            "SaveV2", "RestoreV2", "control_dependency")]
        listed = {"dtypes": ("list(type)", kinds)}
        self._exact("SaveV2", saving, [f"{file}:0", *keys, *values], listed)
        self._exact("Identity", done, [f"{file}:0", f"^{saving}"], {"T": ("type", dtypes.string)})
        self._exact("RestoreV2", reading, [f"{file}:0", *keys], listed)
        assigned = []
        for i, (handle, kind) in enumerate(zip(handles, kinds, strict=True)):
            assigned.append(self.unique("save/AssignVariableOp"))
            self._exact("AssignVariableOp", assigned[-1], [handle.name, f"{reading}:{i}"],
                        {"dtype": ("type", kind)})
        restored = self.unique("save/restore_all")
        self._exact("NoOp", restored, [f"^{one}" for one in assigned], {})
        message.filename_tensor_name, message.save_tensor_name = f"{file}:0", f"{done}:0"
        message.restore_op_name, message.version = restored, 2

    def message(self) -> Any:
        found = super().message()
        for library in self._graph.libraries:
            found.library.MergeFrom(library)
        return found
