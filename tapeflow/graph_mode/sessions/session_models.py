"""tf.compat.v1.saved_model.Builder: the graph of a session, with its values, as a saved model."""

from __future__ import annotations

import os
import shutil
from typing import Any

import numpy as np

from tapeflow.base import dtypes
from tapeflow.base.exports import export, publish
from tapeflow.base.process import atomic_files
from tapeflow.core.values.tensor import Tensor
from tapeflow.graph.tracing.symbolic import Symbolic
from tapeflow.graph_mode.graph_variable import GraphVariable
from tapeflow.graph_mode.meta_graphs import finished
from tapeflow.graph_mode.written_graph import WrittenGraph
from tapeflow.io.paths import text_of
from tapeflow.io.protobuf.fields import MESSAGES
from tapeflow.saved_model.files import free_name
from tapeflow.saved_model.object_protos import SavedModel
from tapeflow.tensorflow_graphs.node_attributes import fill_attribute, fill_shape
from tapeflow.train.bundle import write_bundle

_HOME = "compat.v1.saved_model."
_MAIN_OP, _INIT_OP = "saved_model_main_op", "__saved_model_init_op"
_PREDICT = "tensorflow/serving/predict"


@export(f"{_HOME}build_tensor_info", f"{_HOME}utils.build_tensor_info")
def build_tensor_info(tensor: Any) -> Any:
    """What a signature says of a tensor: its name, dtype and shape."""
    if not isinstance(tensor, Tensor):
        raise RuntimeError("build_tensor_info takes a tensor of a graph, not "
                           f"{type(tensor).__name__}")
    found = MESSAGES["TensorInfo"](name=tensor.name, dtype=tensor.dtype.as_datatype_enum)
    fill_shape(found.tensor_shape, tensor.shape)
    return found


@export(f"{_HOME}build_signature_def", f"{_HOME}signature_def_utils.build_signature_def")
def build_signature_def(inputs: Any = None, outputs: Any = None, method_name: str | None = None,
                        defaults: Any = None) -> Any:
    """A signature of TensorInfos by name."""
    if defaults:
        raise NotImplementedError("defaults of inputs are not written")
    found = MESSAGES["SignatureDef"](method_name=method_name or "")
    for held, given in ((found.inputs, inputs), (found.outputs, outputs)):
        for name, info in (given or {}).items():
            held[name].CopyFrom(info)
    return found


@export(f"{_HOME}predict_signature_def", f"{_HOME}signature_def_utils.predict_signature_def")
def predict_signature_def(inputs: Any, outputs: Any) -> Any:
    """A signature of tensors by name, for serving."""
    for what, given in (("inputs", inputs), ("outputs", outputs)):
        if not given:
            raise ValueError(f"Prediction {what} cannot be None or empty.")
    infos = [{name: build_tensor_info(one) for name, one in given.items()}
             for given in (inputs, outputs)]
    return build_signature_def(*infos, _PREDICT)


class SavedModelBuilder:
    """Writes the graphs of sessions, with the values of their variables, into one folder.

    >>> with tf.Graph().as_default(), tf.compat.v1.Session() as session:
    ...     x = tf.compat.v1.placeholder(tf.float32, [2], name="x")
    ...     v = tf.Variable([1.0, 2.0], name="v")
    ...     session.run(v.initializer)
    ...     signature = tf.compat.v1.saved_model.predict_signature_def({"x": x}, {"y": x * v})
    ...     builder = tf.compat.v1.saved_model.Builder(folder + "/model")
    ...     builder.add_meta_graph_and_variables(session, ["serve"], {"serving_default": signature})
    ...     path = builder.save()
    >>> tf.saved_model.load(folder + "/model").signatures["serving_default"](tf.ones([2]))["y"]
    <tf.Tensor: shape=(2,), dtype=float32, numpy=array([1., 2.], dtype=float32)>
    """

    def __init__(self, export_dir: Any):
        self._folder = text_of(export_dir)
        if os.path.isdir(self._folder) and os.listdir(self._folder):
            raise AssertionError("Export directory already exists, and isn't empty. Please choose "
                                 "a different export directory, or delete all the contents of the "
                                 f"specified directory: {self._folder}")
        self._model = SavedModel(saved_model_schema_version=1)
        self._has_variables = False
        self._assets: dict[bytes, str] = {}  # by path: the name in the folder

    def add_meta_graph_and_variables(self, sess: Any, tags: Any, signature_def_map: Any = None,
                                     assets_list: Any = None, clear_devices: bool = False,
                                     legacy_init_op: Any = None, main_op: Any = None,
                                     strip_default_attrs: bool = False, saver: Any = None,
                                     train_op: Any = None) -> None:
        """Add the session's graph under tags, and write what its variables hold."""
        if self._has_variables:
            raise AssertionError("Graph state including variables and assets has already been "
                                 "saved. Please invoke `add_meta_graph()` instead.")
        with sess.graph.as_default():
            variables = _variables(sess.graph)
            self._add(sess.graph, tags, signature_def_map, main_op or legacy_init_op, variables,
                      assets_list)
        prefix = os.path.join(self._folder, "variables", "variables")
        os.makedirs(os.path.dirname(prefix), exist_ok=True)
        if variables:
            write_bundle(prefix, {name: sess.value(one) for name, one in variables.items()})
        self._has_variables = True

    def add_meta_graph(self, tags: Any, signature_def_map: Any = None, assets_list: Any = None,
                       clear_devices: bool = False, legacy_init_op: Any = None,
                       main_op: Any = None, strip_default_attrs: bool = False, saver: Any = None,
                       train_op: Any = None) -> None:
        """Add the default graph under other tags, with the variables that were written."""
        from tapeflow.graph_mode.graph import get_default_graph
        if not self._has_variables:
            raise AssertionError("Graph state including variables and assets has not been saved "
                                 "yet. Please invoke `add_meta_graph_and_variables()` first.")
        graph = get_default_graph()
        self._add(graph, tags, signature_def_map, main_op or legacy_init_op, _variables(graph),
                  assets_list)

    def _add(self, graph: Any, tags: Any, signatures: Any, main_op: Any,
             variables: dict[str, Any], assets: Any) -> None:
        body, saver = WrittenGraph(graph, True, tables=True), MESSAGES["SaverDef"](version=2)
        if variables:
            body.add_saver(variables, saver)
        first = body.fill_tables([] if main_op is None or isinstance(main_op, list) else [main_op])
        made = self._model.meta_graphs.add()
        made.graph_def.CopyFrom(body.message())
        made.saver_def.CopyFrom(saver)
        finished(made, graph, None, None)
        made.meta_info_def.tags.extend([tags] if isinstance(tags, str) else list(tags))
        self._add_assets(made, list(assets or ()))
        for key, one in (signatures or {}).items():
            held = made.signature_def[key]
            held.CopyFrom(one)
            for info in [*held.inputs.values(), *held.outputs.values()]:
                # A loop or branch gives its results at other places than ours does.
                value = getattr(graph.as_graph_element(info.name), "_ir", None)
                info.name = info.name if value is None else body.place(value)
        if first is not None:
            made.collection_def[_MAIN_OP].node_list.value.append(first)
            held = made.signature_def[_INIT_OP].outputs[_INIT_OP]
            held.name = first
            held.tensor_shape.unknown_rank = True

    def _add_assets(self, made: Any, assets: list) -> None:
        """Copy the files whose paths these constants are, and say which nodes get their paths."""
        for tensor in assets:
            if not isinstance(tensor, Tensor) or isinstance(tensor, Symbolic) or (
                    tensor.dtype is not dtypes.string or tensor.ndim):
                raise ValueError(f"Asset filepath tensor {tensor} is not constant.")
            source = tensor._value.item()
            name = self._assets.get(source)
            if name is None:
                folder = os.path.join(self._folder, "assets")
                os.makedirs(folder, exist_ok=True)
                name = self._assets[source] = free_name(
                    os.path.basename(source.decode()), set(self._assets.values()))
                shutil.copyfile(source, os.path.join(folder, name))
            for node in _constants(made.graph_def, source):
                held = made.asset_file_def.add(filename=name)
                held.tensor_info.name = f"{node}:0"
                held.tensor_info.dtype = dtypes.string.as_datatype_enum
                held.tensor_info.tensor_shape.SetInParent()

    def save(self, as_text: bool = False, experimental_image_format: bool = False,
             experimental_image_writer_options: Any = None) -> str:
        """Write saved_model.pb; its path."""
        if as_text:
            raise NotImplementedError("tf.compat.v1.saved_model.Builder.save: as text")
        os.makedirs(self._folder, exist_ok=True)
        path = os.path.join(self._folder, "saved_model.pb")
        with atomic_files.replacing(path) as file:
            file.write(self._model.SerializeToString())
        return path


def _constants(graph: Any, text: bytes) -> list[str]:
    """The nodes of a graph that are this string; one is added if there is none."""
    found = [node.name for node in graph.node
             if node.op == "Const" and node.attr["value"].tensor.string_val[:] == [text]
             and not node.attr["value"].tensor.tensor_shape.dim]
    if not found:
        node = graph.node.add(name="asset_path", op="Const")
        fill_attribute(node.attr["dtype"], "type", dtypes.string)
        fill_attribute(node.attr["value"], "tensor", np.array(text, object))
        found = [node.name]
    return found


def _variables(graph: Any) -> dict[str, Any]:
    return {one.name.partition(":")[0]: one for one in graph.made.values()
            if isinstance(one, GraphVariable)}


@export(f"{_HOME}simple_save")
def simple_save(session: Any, export_dir: Any, inputs: Any, outputs: Any,
                legacy_init_op: Any = None) -> None:
    """Write the session's graph as a saved model for serving, with one signature."""
    builder = SavedModelBuilder(export_dir)
    builder.add_meta_graph_and_variables(
        session, ["serve"], {"serving_default": predict_signature_def(inputs, outputs)},
        legacy_init_op=legacy_init_op)
    builder.save()


# As TensorFlow's it raises AssertionErrors.
publish(SavedModelBuilder, f"{_HOME}Builder", f"{_HOME}builder.SavedModelBuilder")
