"""The graph of a saved model for sessions: `saved_model_cli`, TensorFlow Serving, converters.

Beside the functions a file has a graph of nodes: a handle for each variable and table, a call for
each signature, an op that fills tables, and functions that save and restore the variables.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from tapeflow.base import dtypes, nest
from tapeflow.base.specs import TensorSpec
from tapeflow.graph.functions.concrete_function import ConcreteFunction
from tapeflow.io.protobuf.graph_protos import FunctionDef, NodeDef
from tapeflow.saved_model.structured_values import fill_type_spec
from tapeflow.saved_model.writing.object_writer import ObjectWriter
from tapeflow.saved_model.writing.saved_functions import canonical, results
from tapeflow.tensorflow_graphs.node_attributes import fill_attribute, fill_shape
from tapeflow.tensorflow_graphs.public import public
from tapeflow.tensorflow_graphs.writing.graph_writer import GraphWriter, finish
from tapeflow.tensorflow_graphs.writing.node_writer import NodeWriter, Ref
from tapeflow.train.object_graph import GRAPH_KEY

INIT_OP = "__saved_model_init_op"
MAIN_OP = "saved_model_main_op"
_PREDICT = "tensorflow/serving/predict"


class SessionGraph:
    """Fills the graph, signatures and saver of a MetaGraphDef."""

    def __init__(self, meta: Any, objects: ObjectWriter, keys: dict[int, str], graph: bytes):
        self._meta, self._objects = meta, objects
        self._library = objects.traces.library
        self._w = NodeWriter(inside=False)
        self._handles: dict[int, Ref] = {}
        self._effects: list[str] = []  # nodes that fill tables and asset paths
        for index, saved in enumerate(objects.message.nodes):
            kind = saved.WhichOneof("kind")
            if kind == "variable":
                self._variable(index, saved.variable)
            elif kind == "asset":
                self._asset(index)
        for index, table in objects.tables.items():
            handle = table.make(self._w, f"table_{index}")
            self._handles[index] = handle
            self._w.last_effect = None
            table.fill(self._w, handle)
            self._effects.append(self._w.nodes[-1].name)
        self._w.last_effect = None
        self._keys = keys  # of variables by node
        self._saver(graph)

    # -- nodes -------------------------------------------------------------------------------------
    def _plain(self, op: str, name: str, inputs: list[str], attributes: dict[str, tuple],
               after: list[str] | None = None) -> str:
        return _plain(self._w, op, name, inputs, attributes, after)

    def _variable(self, index: int, saved: Any) -> None:
        name = self._w.unique(saved.name or "variable")
        node = NodeDef(name=name, op="VarHandleOp")
        node.attr["dtype"].type = saved.dtype
        node.attr["shape"].shape.CopyFrom(saved.shape)
        fill_attribute(node.attr["shared_name"], "string", name)
        self._w.add(node)
        self._handles[index] = Ref(name, dtypes.resource, ())

    def _asset(self, index: int) -> None:
        number = self._objects.message.nodes[index].asset.asset_file_def_index
        path = self._placeholder("asset_path_initializer", dtypes.string, ())
        known = self._meta.asset_file_def
        while len(known) <= number:
            known.add()
        known[number].tensor_info.name = f"{path}:0"
        known[number].filename = list(self._objects.assets.values())[number]
        self._handles[index] = Ref(f"{path}:0", dtypes.string, ())

    def _placeholder(self, name: str, dtype: Any, shape: Any) -> str:
        return self._plain("Placeholder", name, [], {"dtype": ("type", dtype),
                                                     "shape": ("shape", shape)})

    def _call(self, function: str, inputs: list[Ref], outputs: list[Any]) -> str:
        signature = self._library.functions[function].signature
        op = "StatefulPartitionedCall" if signature.is_stateful else "PartitionedCall"
        name = self._plain(op, "StatefulPartitionedCall", [one.name for one in inputs], {
            "Tin": ("list(type)", [one.dtype for one in inputs]),
            "Tout": ("list(type)", outputs), "f": ("func", function)})
        self._w.last_effect = None
        return name

    # -- signatures --------------------------------------------------------------------------------
    def add_signature(self, key: str, function: str, concrete: ConcreteFunction) -> None:
        """A call of a function on placeholders, and where its results are."""
        _, keywords, _ = canonical(concrete)
        held = self._meta.signature_def[key]
        held.method_name = _PREDICT
        inputs = []
        for name, spec in sorted(keywords.items()):
            placed = self._placeholder(f"{key}_{name}", spec.dtype, spec.shape)
            inputs.append(Ref(f"{placed}:0", spec.dtype))
            _fill_info(held.inputs[name], f"{placed}:0", spec.dtype, spec.shape)
        bound = self._objects.message.concrete_functions[function].bound_inputs
        inputs += [self._handles[i] for i in bound]
        outputs = concrete.function.graph.outputs
        node = self._call(function, inputs, [dtypes.of(value.dtype) for value in outputs])
        positions = iter(concrete._positions)
        for name, spec in sorted(results(concrete).items()):
            places = [next(positions) for _ in nest.flatten(spec, expand_composites=True)]
            _fill_output(held.outputs[name], spec, [(f"{node}:{i}", outputs[i]) for i in places])

    def finish(self) -> None:
        """Add the op that runs first, and put all into the MetaGraphDef."""
        name = self._plain("NoOp", "NoOp", [], {}, self._effects)
        held = self._meta.signature_def[INIT_OP].outputs[INIT_OP]
        held.name = name
        held.tensor_shape.unknown_rank = True
        self._meta.collection_def[MAIN_OP].node_list.value.append(name)
        graph = self._meta.graph_def
        graph.node.extend(self._w.nodes)
        graph.library.function.extend(list(self._library.functions.values()))
        for one in self._library.gradients:
            graph.library.registered_gradients.add(gradient_func=one.name,
                                                   registered_op_type=one.op_type)
        graph.versions.producer = 2000

    # -- the saver ---------------------------------------------------------------------------------
    def _saver(self, graph: bytes) -> None:
        prefix = self._placeholder("saver_filename", dtypes.string, ())
        variables = [(index, self._handles[index]) for index in self._keys]
        resources = [handle for _, handle in variables]
        file = Ref(f"{prefix}:0", dtypes.string)
        saving = self._call(self._save_function(graph), [file, *resources], [dtypes.string])
        restoring = self._call(self._restore_function(), [file, *resources], [dtypes.string])
        saver = self._meta.saver_def
        saver.filename_tensor_name, saver.save_tensor_name = f"{prefix}:0", f"{saving}:0"
        saver.restore_op_name, saver.version = restoring, 2

    def _arguments(self, body: GraphWriter, function: Any) -> tuple[Ref, list[tuple]]:
        """The file's name, and for each variable its key, dtype and handle."""
        file = body.add_argument(function, "file_prefix", dtypes.string, ())
        found = []
        for index, key in self._keys.items():
            saved = self._objects.message.nodes[index].variable
            handle = body.add_argument(function, saved.name or "variable", dtypes.resource, ())
            found.append((key, dtypes.as_dtype(saved.dtype), handle))
        return file, found

    def _save_function(self, graph: bytes) -> str:
        body, function = GraphWriter(self._library), FunctionDef()
        file, variables = self._arguments(body, function)
        values = [body.emit("ReadVariableOp", [handle], {"dtype": dtype})
                  for _, dtype, handle in variables]
        values.append(body.const(np.array(graph, object)))
        names, slices = _listed(body, [key for key, _, _ in variables] + [GRAPH_KEY])
        node = _plain(body, "SaveV2", "SaveV2",
                      [file.name, names.name, slices.name, *[one.name for one in values]],
                      {"dtypes": ("list(type)", [one.dtype for one in values])})
        body.last_effect, body.stateful = node, True
        finish(function, body, [file], "_traced_save")
        return function.signature.name

    def _restore_function(self) -> str:
        body, function = GraphWriter(self._library), FunctionDef()
        file, variables = self._arguments(body, function)
        if variables:
            names, slices = _listed(body, [key for key, _, _ in variables])
            node = _plain(body, "RestoreV2", "RestoreV2", [file.name, names.name, slices.name], {
                "dtypes": ("list(type)", [dtype for _, dtype, _ in variables])})
            for i, (_, dtype, handle) in enumerate(variables):
                body.emit("AssignVariableOp", [handle, Ref(f"{node}:tensors:{i}", dtype)])
        body.stateful = True
        finish(function, body, [file], "_traced_restore")
        return function.signature.name


def _listed(body: GraphWriter, keys: list[str]) -> tuple[Ref, Ref]:
    names = np.empty(len(keys), object)
    names[:] = [key.encode() for key in keys]
    return body.const(names), body.const(np.full(len(keys), b"", object))


def _plain(w: NodeWriter, op: str, name: str, inputs: list[str], attributes: dict[str, tuple],
           after: list[str] | None = None) -> str:
    """A node of an op that is not in the table: sessions alone run it."""
    node = NodeDef(name=w.unique(name), op=op)
    node.input.extend(inputs)
    for key, (kind, value) in attributes.items():
        fill_attribute(node.attr[key], kind, value)
    w.add(node, after or [])
    return node.name


def _fill_output(message: Any, spec: Any, parts: list[tuple[str, Any]]) -> None:
    """Say where the tensors of a result are."""
    if isinstance(spec, TensorSpec):
        (name, value), = parts
        _fill_info(message, name, dtypes.of(value.dtype), value.shape)
    elif type(spec) is public("SparseTensorSpec"):
        names = message.coo_sparse
        names.indices_tensor_name, names.values_tensor_name, names.dense_shape_tensor_name = [
            name for name, _ in parts]
        message.dtype = spec.dtype.as_datatype_enum
        fill_shape(message.tensor_shape, spec.shape)
    else:
        fill_type_spec(message.composite_tensor.type_spec, spec)
        for name, value in parts:
            _fill_info(message.composite_tensor.components.add(), name, dtypes.of(value.dtype),
                       value.shape)


def _fill_info(message: Any, name: str, dtype: Any, shape: Any) -> None:
    message.name, message.dtype = name, dtypes.as_dtype(dtype).as_datatype_enum
    fill_shape(message.tensor_shape, shape)
