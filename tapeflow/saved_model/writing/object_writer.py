"""The objects of a saved model in TensorFlow's format: nodes, functions, captured values.

Nodes come first in the order of the checkpoint's graph, whose edges they have; functions, tables
and signatures follow.
"""

from __future__ import annotations

import os
from typing import Any

import numpy as np

from tapeflow.core.values.tracking import AutoTrackable
from tapeflow.core.values.variable import Variable, VariableBase
from tapeflow.graph import ir
from tapeflow.graph.functions.concrete_function import ConcreteFunction
from tapeflow.graph.functions.function import Function, Method
from tapeflow.ops.strings.lookup import Store, Table
from tapeflow.saved_model.files import free_name
from tapeflow.saved_model.names import Asset
from tapeflow.saved_model.object_protos import SavedObjectGraph
from tapeflow.saved_model.restored_objects import describe
from tapeflow.saved_model.writing.saved_functions import SavedTraces, fill_function_spec
from tapeflow.saved_model.writing.saved_tables import SavedTable, table_of
from tapeflow.tensorflow_graphs.node_attributes import fill_shape
from tapeflow.tensorflow_graphs.writing.graph_writer import Unwritable
from tapeflow.train.object_graph import ObjectGraph, chooses_functions


def function_behind(value: Any) -> Function | None:
    """The tf.function behind a function or a bound method."""
    if isinstance(value, Method):
        return value._function
    return value if isinstance(value, Function) else None


def functions_of(value: Any) -> dict[str, Any]:
    """The tf.functions and concrete functions that an object has, by name."""
    found: dict[str, Any] = {}
    if isinstance(value, Variable) or not hasattr(value, "__dict__") or isinstance(
            value, (Function, dict, list, tuple)):
        return found
    for name in dir(type(value)):
        held = getattr(type(value), name, None)
        if isinstance(held, Function):
            found[name] = getattr(value, name)
    for name, held in vars(value).items():
        if isinstance(held, (Function, Method, ConcreteFunction)):
            found[name] = held
    return found


setattr(AutoTrackable, "_functions", functions_of)  # noqa: B010  what it has beside children


def variables_behind(node: Any) -> list[Variable]:
    """The variables that a node stands for: its own, its components, or a library's inner one."""
    if isinstance(node, Variable):
        return [node, *getattr(node, "values", ())]
    inner = getattr(node, "handle" if isinstance(node, VariableBase) else "_value", None)
    return variables_behind(inner) if isinstance(inner, Variable) else []


class ObjectWriter:
    """Numbers objects and functions, and fills a SavedObjectGraph."""

    def __init__(self, obj: Any):
        self.graph = ObjectGraph(obj, cache={})
        self.message = SavedObjectGraph()
        self.traces = SavedTraces(self.message, self)
        self.assets: dict[str, str] = {}  # by path: the name in the file
        self.asset_nodes: list[int] = []
        self.tables: dict[int, SavedTable] = {}  # by node
        self._tables_of: dict[int, int] = {}  # of a store: its node
        self._functions: dict[int, int] = {}
        # Functions that a library's objects hold for themselves, as that which adapts a layer to
        # a dataset: they are saved without the traces that cannot be.
        self._library_functions = {
            child for i, one in enumerate(self.graph.nodes) if chooses_functions(one)
            for child in self.graph.edges[i].values()}
        self._variables: dict[int, int] = {}
        self._kept: list[Any] = []
        for i, node in enumerate(self.graph.nodes):
            self.message.nodes.add()
            for variable in variables_behind(node):
                self._variables.setdefault(id(variable), i)
            if isinstance(node, Table):
                self._tables_of.setdefault(id(node._store), i)
            if isinstance(node, Asset):
                self._asset_name(node._path)

    # -- what functions captured -------------------------------------------------------------------
    def variable_index(self, variable: Any) -> int:
        """The node of a variable."""
        found = self._variables.get(id(variable))
        if found is None:
            raise KeyError(
                f"Tried to export a function which references an 'untracked' resource: "
                f"{variable!r}. TensorFlow objects (e.g. tf.Variable) captured by functions must "
                "be 'tracked' by assigning them to an attribute of a tracked object or assigned to "
                "an attribute of the main object directly.")
        return found

    def table_index(self, store: Store, graph: ir.Graph | None = None) -> int:
        """The node of a table, which gets functions that make and fill it."""
        index = self._tables_of.get(id(store))
        if index is None:
            index = self._tables_of[id(store)] = self._new_node()
            self._kept.append(store)
        if index not in self.tables:
            held = self.graph.nodes[index] if index < len(self.graph.nodes) else None
            table = self.tables[index] = table_of(store, held, graph)
            node = self.message.nodes[index]
            node.resource.SetInParent()
            for name, function in table.functions(self.traces.library).items():
                child = self._new_node()
                node.children.add(node_id=child, local_name=name)
                self.message.nodes[child].function.concrete_functions.append(function)
                fill_function_spec(self.message.nodes[child].function.function_spec,
                                   _NOTHING, ())
                concrete = self.message.concrete_functions[function]
                if name == "_initialize":
                    concrete.bound_inputs.append(index)
                table.describe(concrete)
        return index

    def captured_index(self, name: str, function: str) -> int:
        """A node for a tensor of a function, which a custom gradient reads."""
        index = self._new_node()
        held = self.message.nodes[index].captured_tensor
        held.name, held.concrete_function = name, function
        return index

    def asset_values(self, graph: ir.Graph) -> list[tuple[ir.Value, int]]:
        """Constants of a graph that are paths of assets, and the assets' nodes."""
        found: dict[ir.Value, int] = {}
        for node in graph.nodes:
            for value in node.operands():
                self._note_asset(value, found)
        for value in graph.outputs:
            self._note_asset(value, found)
        return list(found.items())

    def _note_asset(self, value: ir.Value, found: dict[ir.Value, int]) -> None:
        if value.const is None or value.shape != () or value.dtype != object:
            return
        path = np.asarray(value.const).item()
        for i, node in enumerate(self.graph.nodes):
            if isinstance(node, Asset) and node._path.encode() == path:
                found[value] = i

    # -- functions ---------------------------------------------------------------------------------
    def _new_node(self) -> int:
        self.message.nodes.add()
        return len(self.message.nodes) - 1

    def function_node(self, value: Any, name: str, index: int | None = None) -> int:
        """The node of a function, which is made of its traces."""
        function = function_behind(value) or value
        if id(function) in self._functions:
            return self._functions[id(function)]
        if index is None:
            index = self._new_node()
        self._functions[id(function)] = index
        self._kept.append(function)
        saved = self.message.nodes[index].function
        saved.SetInParent()
        if isinstance(function, ConcreteFunction):
            parameters, traced, wanted = function.signature.parameters, [function], None
        else:
            parameters, wanted = function._parameters, function._options.input_signature
            if hasattr(function, "trace_saved"):  # was loaded, perhaps never called
                function.trace_saved()
            elif function._wanted is not None and not function._traces.in_order:
                function.get_concrete_function()
            traced = [one for one in function._traces.in_order if not (
                index in self._library_functions and _reads_program(one))]
        try:
            fill_function_spec(saved.function_spec, parameters, wanted)
        except Unwritable as problem:
            raise ValueError(f"tf.saved_model.save: the function {name!r} cannot be saved: "
                             f"{problem}") from None
        saved.concrete_functions.extend([self.traces.name_of(one) for one in traced])
        return index

    # -- objects -----------------------------------------------------------------------------------
    def add_objects(self) -> None:
        """Describe every object, with its functions."""
        for i, node in enumerate(self.graph.nodes):
            saved = self.message.nodes[i]
            for name, child in self.graph.edges[i].items():
                saved.children.add(node_id=child, local_name=name)
            self._describe(i, node)
        for i, node in enumerate(self.graph.nodes):
            taken = self.graph.edges[i]
            for name, function in self._functions_held(node).items():
                if name not in taken:
                    self.message.nodes[i].children.add(
                        node_id=self.function_node(function, name), local_name=name)

    def _functions_held(self, node: Any) -> dict[str, Any]:
        if not chooses_functions(node):
            return functions_of(node)
        found = node._trackable_children("savedmodel", cache=self.graph.cache)
        return {name: one for name, one in found.items()
                if isinstance(one, (Function, Method, ConcreteFunction))}

    def root_function(self, name: str) -> Any:
        """A function that the root made for being saved, or None."""
        root = self.graph.nodes[0]
        return self._functions_held(root).get(name) if chooses_functions(root) else None

    def _describe(self, i: int, node: Any) -> None:
        saved, variables = self.message.nodes[i], variables_behind(node)
        if variables:
            variable = variables[0]
            held = saved.variable
            held.dtype, held.trainable = variable.dtype.as_datatype_enum, variable.trainable
            held.name = variable.name.removesuffix(":0")
            fill_shape(held.shape, variable.shape)
        elif isinstance(node, Asset):
            saved.asset.asset_file_def_index = list(self.assets).index(node._path)
            saved.asset.SetInParent()
        elif isinstance(node, Table):
            self.table_index(node._store)
        elif isinstance(node, Function):
            self.function_node(node, node._options.name or "function", i)
        elif not describe(node, saved.user_object):
            kind = ("trackable_list_wrapper" if isinstance(node, list) else
                    "trackable_dict_wrapper" if isinstance(node, dict) else
                    "trackable_tuple_wrapper" if isinstance(node, tuple) else
                    "_generic_user_object")
            _fill_user_object(saved, kind)

    def add_signatures(self, signatures: dict[str, Any]) -> dict[str, tuple[str, Any]]:
        """The map of signatures, a child of the root: function name and trace by key."""
        index = self._new_node()
        root = self.message.nodes[0]
        for i, one in enumerate(list(root.children)):
            if one.local_name == "signatures":
                del root.children[i]
                break
        root.children.add(node_id=index, local_name="signatures")
        _fill_user_object(self.message.nodes[index], "signature_map")
        found: dict[str, tuple[str, Any]] = {}
        for key, function in signatures.items():
            concrete = list(function._traces.in_order)[0]
            name = self.traces.name_of(concrete)
            child = self._new_node()
            self.message.nodes[index].children.add(node_id=child, local_name=key)
            bare = self.message.nodes[child].bare_concrete_function
            bare.concrete_function_name = name
            names = sorted(concrete.signature.parameters.split(concrete.signature.args)[1])
            bare.argument_keywords.extend(names)
            bare.allowed_positional_arguments = 1 if len(names) == 1 else 0
            fill_function_spec(bare.function_spec, concrete.signature.parameters, None)
            found[key] = (name, concrete)
        return found

    def _asset_name(self, path: str) -> str:
        if path not in self.assets:
            self.assets[path] = free_name(os.path.basename(path), set(self.assets.values()))
        return self.assets[path]


def _reads_program(trace: ConcreteFunction) -> bool:
    """Whether a trace needs what no file can hold, such as a dataset of the program."""
    return any(node.op.unsavable for node in trace.function.graph.nodes)


def _fill_user_object(saved: Any, identifier: str) -> None:
    saved.user_object.identifier = identifier
    saved.user_object.version.producer = saved.user_object.version.min_consumer = 1


class _Nothing:
    """The parameters of a function without any."""

    all: tuple = ()
    signature = ()


_NOTHING = _Nothing()
