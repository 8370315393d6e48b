"""MetaGraphDefs: a graph with its collections, in a file; saved models in a session."""

from __future__ import annotations

import os
from typing import Any

from tapeflow.base.exports import export
from tapeflow.base.process import atomic_files
from tapeflow.core.state import state
from tapeflow.core.values.tensor import Tensor
from tapeflow.core.values.variable import VariableBase
from tapeflow.graph.tracing.operation import Operation
from tapeflow.graph.tracing.symbolic import Symbolic
from tapeflow.graph_mode.graph import Graph, get_default_graph
from tapeflow.graph_mode.graph_variable import GraphVariable
from tapeflow.graph_mode.importing import import_graph_def
from tapeflow.graph_mode.saver import Saver
from tapeflow.graph_mode.session import outside
from tapeflow.graph_mode.written_graph import WrittenGraph
from tapeflow.io.paths import text_of, translated
from tapeflow.io.protobuf.fields import MESSAGES
from tapeflow.saved_model.loading import chosen, distrusted, read_model
from tapeflow.saved_model.object_protos import SavedModel
from tapeflow.saved_model.signature_models import (
    TABLES,
    VARIABLES,
    GraphModel,
    variable_definitions,
)
from tapeflow.tensorflow_graphs.control_flow_v1 import base

MetaGraphDef = MESSAGES["MetaGraphDef"]
_PLAIN = ("node_list", "int64_list", "float_list", "bytes_list")


# -- reading ---------------------------------------------------------------------------------------
def _import(graph: Graph, meta: Any, scope: str | None) -> dict[str, Any]:
    """Put a MetaGraphDef into a graph; what its variables and tables became, by node."""
    before = set(graph.imported)
    with graph.as_default():
        import_graph_def(meta.graph_def, name=scope or "")
    prefix = f"{scope}/" if scope else ""
    made = {name: one for name, one in graph.imported.items() if name not in before}
    definitions = variable_definitions(meta)
    found: dict[str, Any] = {}
    for name, operation in made.items():
        if operation.type in (*VARIABLES, *TABLES) and operation.results:
            found[name.removeprefix(prefix)] = operation.results[0]
    for name, definition in definitions.items():
        variable = found.get(name)
        if isinstance(variable, GraphVariable):
            variable._trainable = definition.trainable
            if prefix + definition.initializer_name in made:
                variable._initializer = made[prefix + definition.initializer_name]
    _collect(graph, meta, found, prefix)
    return found


def _collect(graph: Graph, meta: Any, variables: dict[str, Any], prefix: str) -> None:
    """Fill the graph's collections; what they hold by other classes' messages is left out."""
    for key, held in meta.collection_def.items():
        kind = held.WhichOneof("kind")
        if kind not in _PLAIN:
            continue
        values = getattr(held, kind).value
        if kind == "bytes_list" and "variables" in key or key == "global_step":
            names = [base(MESSAGES["VariableDef"].FromString(one).variable_name) for one in values]
            found = [variables[name] for name in names if name in variables]
        elif kind == "node_list":
            names = [prefix + one for one in values]
            found = [graph.as_graph_element(one) for one in names
                     if base(one) in graph.imported and not graph.imported[base(one)].refused]
        else:
            found = list(values) if kind != "bytes_list" else []
        for one in found:
            graph.add_to_collection(key, one)


@export("compat.v1.train.import_meta_graph")
def import_meta_graph(meta_graph_or_file: Any, clear_devices: bool = False,
                      import_scope: str | None = None, **kwargs: Any) -> Saver | None:
    """Put a graph with its collections into the default graph; a Saver of its variables."""
    if state.trace is None and not isinstance(get_default_graph(), Graph):
        raise RuntimeError("Exporting/importing meta graphs is not supported when eager execution "
                           "is enabled.")
    meta = meta_graph_or_file
    if not isinstance(meta, MetaGraphDef):
        path = text_of(meta)
        with translated(path), open(path, "rb") as file:
            data = file.read()
        with distrusted(path):
            meta = MetaGraphDef.FromString(data)
    graph = get_default_graph()
    with distrusted("the meta graph"):
        found = _import(graph, meta, import_scope)
    variables = {name: one for name, one in found.items() if isinstance(one, VariableBase)}
    return Saver(variables, saver_def=meta.saver_def) if variables else None


# -- writing ---------------------------------------------------------------------------------------
@export("compat.v1.train.export_meta_graph")
def export_meta_graph(filename: Any = None, meta_info_def: Any = None, graph_def: Any = None,
                      saver_def: Any = None, collection_list: Any = None, graph: Any = None,
                      **options: Any) -> Any:
    """The graph and its collections as a MetaGraphDef, also to a file."""
    home = graph or get_default_graph()
    made = MetaGraphDef()
    made.graph_def.CopyFrom(graph_def or home.as_graph_def(add_shapes=True))
    if saver_def is not None:
        made.saver_def.CopyFrom(saver_def)
    return finished(made, home, filename, collection_list)


def with_saver(filename: Any, variables: dict[str, Any], saver_def: Any) -> Any:
    """The default graph with nodes that save and restore variables, as a MetaGraphDef in a file."""
    home = get_default_graph()
    body, made = WrittenGraph(home, True), MetaGraphDef()
    made.saver_def.CopyFrom(saver_def)
    if not saver_def.restore_op_name:  # an imported graph has such nodes
        body.add_saver(variables, made.saver_def)
    made.graph_def.CopyFrom(body.message())
    return finished(made, home, filename, None)


def finished(made: Any, home: Any, filename: Any, collection_list: Any) -> Any:
    """A MetaGraphDef with the collections of a graph, also to a file."""
    for key in home.get_all_collection_keys() if collection_list is None else collection_list:
        if isinstance(key, str):
            held = [one for one in home.get_collection(key) if not _plain_constant(one)]
            _write_collection(made.collection_def[key], held)
    if filename is not None:
        path = text_of(filename)
        with translated(path), atomic_files.replacing(path) as file:
            file.write(made.SerializeToString())
    return made


def _plain_constant(one: Any) -> bool:
    """Whether this is a tensor that is no node of a graph, and has no name there."""
    return isinstance(one, Tensor) and not isinstance(one, Symbolic)


def _write_collection(message: Any, values: list) -> None:
    if all(isinstance(one, GraphVariable) for one in values):
        for one in values:
            name = one.name.partition(":")[0]
            made = MESSAGES["VariableDef"](
                variable_name=f"{name}:0", initializer_name=one.initializer.name,
                snapshot_name=f"{one.op.name}:0", is_resource=True, trainable=one.trainable)
            message.bytes_list.value.append(made.SerializeToString())
    elif all(isinstance(one, (Tensor, Operation)) for one in values):
        message.node_list.value.extend([one.name for one in values])


# -- saved models ----------------------------------------------------------------------------------
@export("compat.v1.saved_model.load", "compat.v1.saved_model.loader.load")
def load(sess: Any, tags: Any, export_dir: Any, import_scope: str | None = None,
         **saver_kwargs: Any) -> Any:
    """Put a saved model into a session's graph, with its values; its MetaGraphDef."""
    folder = text_of(export_dir)
    meta = chosen(folder, read_model(folder, SavedModel), tags)
    with distrusted(folder):
        made = _import(sess.graph, meta, import_scope)
        resources = {name: sess.storage(one) if isinstance(one, GraphVariable) else one
                     for name, one in made.items()}
        with outside():
            model = GraphModel(folder, meta, resources)
            model.restore()
            model.initialize()
    sess.initialized.update([one._uid for one in made.values() if isinstance(one, GraphVariable)])
    return meta


@export("compat.v1.saved_model.maybe_saved_model_directory",
        "compat.v1.saved_model.loader.maybe_saved_model_directory")
def maybe_saved_model_directory(export_dir: Any) -> bool:
    """Whether a folder holds a saved model."""
    return os.path.exists(os.path.join(text_of(export_dir), "saved_model.pb"))
