"""TensorFlow 1's saved models: one graph, and signatures that name tensors of it.

There are no objects and no functions: variables and tables are nodes of the graph, a signature is
the part of it that leads from its inputs to its outputs. Values come from the checkpoint by the
graph's own restoring op; then its initialising op fills the tables.
"""

from __future__ import annotations

import os
from typing import Any

from tapeflow.base import dtypes, errors, nest
from tapeflow.base.late import LatePublic
from tapeflow.base.shapes import TensorShape
from tapeflow.base.specs import TensorSpec
from tapeflow.core.values.convert import convert
from tapeflow.core.values.tracking import AutoTrackable
from tapeflow.graph.functions.function import function
from tapeflow.io.protobuf.fields import MESSAGES
from tapeflow.io.protobuf.graph_protos import GraphDef, NodeDef
from tapeflow.saved_model.files import Damaged, asset_path, stored_bytes
from tapeflow.saved_model.restored_objects import SignatureMap, blank_variable, by_name
from tapeflow.tensorflow_graphs.control_flow_v1 import base, structured
from tapeflow.tensorflow_graphs.node_attributes import shape_of
from tapeflow.tensorflow_graphs.node_results import Results
from tapeflow.tensorflow_graphs.reading import Body, Library, UnknownOps, run_node
from tapeflow.train.bundle import Bundle

VARIABLES = ("Variable", "VariableV2", "VarHandleOp")
TABLES = ("HashTable", "HashTableV2", "MutableHashTableV2", "MutableHashTableOfTensorsV2")
INIT_SIGNATURE = "__saved_model_init_op"
_INIT_COLLECTIONS = ("saved_model_main_op", "legacy_init_op")
_graph, _import_graph_def = LatePublic("Graph"), LatePublic("graph_util.import_graph_def")


class GraphModel:
    """The graph of a MetaGraphDef, with its variables and tables."""

    def __init__(self, folder: str, meta: Any, resources: dict[str, Any] | None = None):
        self._folder, self.meta = folder, meta
        self.library = Library(meta.graph_def.library)
        self.nodes = [NodeDef.FromString(one) if isinstance(one, bytes) else one
                      for one in meta.graph_def.node]
        self._structured = structured(self.nodes, self.library)
        self.definitions = variable_definitions(meta)
        # Variables, tables and paths of assets, by node.
        self.resources = self._make() if resources is None else resources
        self.asset_paths = [self._asset(one) for one in asset_files(meta)]

    def _make(self) -> dict[str, Any]:
        """New variables and tables."""
        stored = stored_bytes(self._folder)
        found: dict[str, Any] = {}
        for node in self.nodes:
            if node.op in VARIABLES:
                found[node.name] = self._variable(node, stored)
            elif node.op in TABLES:
                found[node.name] = run_node(node, [], self.library)
        return found

    def _variable(self, node: Any, stored: int | None) -> Any:
        named = self.definitions.get(node.name)
        dtype = dtypes.as_dtype(node.attr["dtype"].type)
        return blank_variable(node.name, shape_of(node.attr["shape"].shape), dtype,
                              named is not None and named.trainable, stored)

    def _asset(self, one: Any) -> Any:
        path = convert(asset_path(self._folder, one.filename))
        self.resources[base(one.tensor_info.name)] = path
        return path

    # -- parts of the graph ------------------------------------------------------------------------
    def part(self, inputs: list[str], outputs: list[str], effects: list[str]) -> Body:
        """The nodes between names of nodes and tensors; UnknownOps if we lack one of their ops."""
        body = Body(self._structured, [*inputs, *self.resources], outputs, effects, self.library)
        self.library.check([], body.nodes)
        return body

    def run(self, body: Body, given: dict[str, Any]) -> list:
        """The outputs of a part."""
        return body.run({**self.resources, **given})

    # -- values ------------------------------------------------------------------------------------
    def restore(self, prefix: str | None = None) -> None:
        """Fill the variables from a checkpoint: the model's own, or another."""
        name = self.meta.saver_def.restore_op_name
        if not name:
            if self.variables:
                raise Damaged("the variables have no checkpoint")
            return
        prefix = prefix or os.path.join(self._folder, "variables", "variables")
        restored = restored_tensors(self.nodes, Bundle(prefix))
        given = {base(self.meta.saver_def.filename_tensor_name): convert(prefix), **restored}
        self.run(self.part(list(given), [], [name]), given)

    def initialize(self) -> None:
        """Run the op that fills tables."""
        for name in init_ops(self.meta):
            self.run(self.part([], [], [name]), {})

    @property
    def variables(self) -> list[Any]:
        return [self.resources[node.name] for node in self.nodes if node.op in VARIABLES]


def restored_tensors(nodes: list[Any], bundle: Bundle) -> dict[str, Results]:
    """What the nodes that read a checkpoint give, whatever file they name."""
    named = {node.name: node for node in nodes}
    found = {}
    for node in nodes:
        if node.op == "RestoreV2":
            names, slices = [_strings(named.get(base(one))) for one in node.input[1:3]]
            if any(slices):
                raise NotImplementedError(f"the node {node.name!r} reads slices of variables")
            found[node.name] = Results(["tensors"], [[convert(bundle.read(one)) for one in names]])
    return found


def _strings(node: Any) -> list[str]:
    if node is None or node.op != "Const":
        raise Damaged("names of variables that are not constant")
    return [bytes(one).decode() for one in node.attr["value"].tensor.string_val]


def variable_definitions(meta: Any) -> dict[str, Any]:
    """What the collections say of variables, by the names of their nodes."""
    found: dict[str, Any] = {}
    for key in ("variables", "trainable_variables"):
        held = meta.collection_def[key].bytes_list.value if key in meta.collection_def else ()
        for one in held:
            read = MESSAGES["VariableDef"].FromString(one)
            read.trainable = read.trainable or key == "trainable_variables"
            found[base(read.variable_name)] = read
    return found


def asset_files(meta: Any) -> list[Any]:
    """The files beside the graph, and which tensors hold their paths."""
    if len(meta.asset_file_def) or "saved_model_assets" not in meta.collection_def:
        return list(meta.asset_file_def)
    return [MESSAGES["AssetFileDef"].FromString(one.value)
            for one in meta.collection_def["saved_model_assets"].any_list.value]


def init_ops(meta: Any) -> list[str]:
    """The ops that initialise what no checkpoint restores."""
    if INIT_SIGNATURE in meta.signature_def:
        return [base(one.name) for one in meta.signature_def[INIT_SIGNATURE].outputs.values()]
    for key in _INIT_COLLECTIONS:
        if key in meta.collection_def:
            return [base(one) for one in meta.collection_def[key].node_list.value]
    return []


class _Signature:
    """A signature as a trace: flat tensors to a dict of tensors."""

    def __init__(self, name: str, signature: Any, model: GraphModel):
        self.name, self._model = name, model
        self.specs = {key: TensorSpec(shape_of(one.tensor_shape), dtypes.as_dtype(one.dtype), key)
                      for key, one in sorted(signature.inputs.items())}
        self._inputs = [_tensor(key, one) for key, one in sorted(signature.inputs.items())]
        self._outputs = {key: _tensor(key, one) for key, one in sorted(signature.outputs.items())}
        self._body = model.part([base(one) for one in self._inputs],
                                list(self._outputs.values()), [])

    def call(self, tensors: list) -> dict[str, Any]:
        given = {base(one): tensor for one, tensor in zip(self._inputs, tensors, strict=True)}
        return dict(zip(self._outputs, self._model.run(self._body, given)))


def _tensor(key: str, one: Any) -> str:
    """The name of the tensor that a part of a signature is."""
    if one.WhichOneof("encoding") != "name":
        raise NotImplementedError(f"the signature's {key!r} is a composite tensor")
    return one.name


class SignatureModel(AutoTrackable):
    """What loading such a model gives: its variables, its signatures, and parts of its graph."""

    def __init__(self, model: GraphModel):
        self._model = model
        self.variables = model.variables
        self.trainable_variables = [one for one in model.variables if one.trainable]
        self.asset_paths = model.asset_paths
        self.restore, self.initializer = model.restore, model.initialize
        about = model.meta.meta_info_def
        self.tensorflow_version = about.tensorflow_version
        self.tensorflow_git_version = about.tensorflow_git_version
        self.signatures = SignatureMap({
            key: by_name(made, made.specs) for key, one in sorted(model.meta.signature_def.items())
            if not key.startswith("__saved_model")
            for made in [_Signature(key, one, model)]})

    @property
    def graph(self) -> Any:
        """The model's graph, to look into."""
        made, message = _graph(), GraphDef()
        message.node.extend(self._model.nodes)
        library = self._model.meta.graph_def.library
        message.library.ParseFromString(library.SerializeToString())
        with made.as_default():
            _import_graph_def(message, name="")
        return made

    def prune(self, feeds: Any, fetches: Any, name: str | None = None,
              input_signature: Any = None) -> Any:
        """The function from some tensors of the graph to others, each given by its name."""
        fed = [_name_of(one) for one in nest.flatten(feeds)]
        fetched = [_name_of(one) for one in nest.flatten(fetches)]
        outputs = [one for one in fetched if ":" in one]
        body = self._model.part([base(one) for one in fed], outputs,
                                [one for one in fetched if ":" not in one])
        held = {node.name: node for node in self._model.nodes}

        def pruned(*tensors: Any) -> Any:
            given = dict(zip([base(one) for one in fed], tensors, strict=True))
            found = iter(self._model.run(body, given))
            return nest.pack_sequence_as(fetches, [
                next(found) if ":" in one else None for one in fetched])

        pruned.__name__ = name or "pruned"
        specs = [_spec_of(held, one) for one in fed] if input_signature is None else (
            input_signature)
        return function(pruned, autograph=False).get_concrete_function(*specs)


def _name_of(one: Any) -> str:
    return one if isinstance(one, str) else one.name


def _spec_of(nodes: dict[str, Any], reference: str) -> TensorSpec:
    """What is known of a tensor that is fed: all of a placeholder."""
    node = nodes.get(base(reference))
    if node is None:
        raise errors.InvalidArgumentError(None, None, f"there is no node {base(reference)!r}")
    kind = node.attr["dtype"].type or node.attr["T"].type
    shape = shape_of(node.attr["shape"].shape) if "shape" in node.attr else TensorShape(None)
    return TensorSpec(shape, dtypes.as_dtype(kind), base(reference))


def load_signatures(folder: str, meta: Any, with_values: bool) -> SignatureModel:
    """The signatures of a MetaGraphDef without objects, with its variables' values if asked for."""
    try:
        model = GraphModel(folder, meta)
        if with_values:
            model.restore()
            model.initialize()
        return SignatureModel(model)
    except UnknownOps as error:
        raise errors.UnimplementedError(None, None, f"{folder}: {error}") from None
