"""Graphs as GraphDef messages, with TensorFlow's names of ops, names of nodes, dtypes and shapes.

Constants, which are values here, are nodes there: `add/y` beside `add`.
"""

from __future__ import annotations

import os
from typing import Any

import numpy as np

from tapeflow.base import dtypes
from tapeflow.base.exports import export
from tapeflow.base.process.atomic_files import replacing
from tapeflow.graph import ir
from tapeflow.graph.tracing.operation import Operation
from tapeflow.graph_mode.importing import ImportedOperation
from tapeflow.graph_mode.written_graph import WrittenGraph
from tapeflow.io.paths import text_of, translated
from tapeflow.io.protobuf.graph_protos import GraphDef
from tapeflow.io.protobuf.tensor_protos import packed
from tapeflow.tensorflow_graphs.writing.graph_writer import Unwritable
from tapeflow.tensorflow_graphs.writing.whole_graph import whole_graph

_PRODUCER = 2474
# TensorFlow's names of operands, by op, where they are not those of the record.
_OPERANDS = ("x", "y", "z")


class _Writer:
    """Fills one message."""

    def __init__(self, add_shapes: bool):
        self.message = GraphDef()
        self.message.versions.producer = _PRODUCER
        self._add_shapes = add_shapes
        self._constants: dict[ir.Value, str] = {}

    def add(self, operation: Operation) -> None:
        """Add an operation, after the constants that it takes."""
        if isinstance(operation, ImportedOperation):
            self.message.node.add().CopyFrom(operation.node_def)
            return
        node, name = operation._node, operation.name
        if node is None and operation._value is not None and operation.is_known():
            self.constant(operation._value, name, 0)
            return
        inputs = [] if node is None else [
            self._input(value, name, i, operation) for i, value in enumerate(node.operands())]
        made = self.message.node.add(name=name, op=operation.type, input=inputs)
        made.input.extend([f"^{one.name}" for one in operation.control_inputs])
        values = [value for value in ([operation._value] if node is None else node.outputs)
                  if value is not None]
        if values:
            kind = _datatype(values[0].dtype)
            if node is None:
                made.attr["dtype"].type = kind
                _fill_shape(made.attr["shape"].shape, values[0].shape)
            else:
                made.attr["T"].type = kind
            if self._add_shapes:
                for value in values:
                    shape = made.attr["_output_shapes"].list.shape.add()
                    _fill_shape(shape, value.shape)

    def _input(self, value: ir.Value, name: str, position: int, operation: Operation) -> str:
        if value.const is not None and value.node is None:
            return self.constant(value, name, position)
        if value.node is None:
            return value.name.partition(":")[0] or "Placeholder"
        found = operation.graph.symbolic(value).name
        return found.removesuffix(":0")

    def constant(self, value: ir.Value, name: str, position: int) -> str:
        """The name of the node of a constant; it is added when it is first used."""
        if value not in self._constants:
            word = value.name.partition(":")[0] or (
                f"{name}/{_OPERANDS[position] if position < 3 else position}")
            self._constants[value] = word
            array = np.asarray(value.const)
            made = self.message.node.add(name=word, op="Const")
            made.attr["dtype"].type = _datatype(array.dtype)
            made.attr["value"].tensor.CopyFrom(packed(array, dtypes.of(array.dtype)))
        return self._constants[value]

    def add_result(self, name: str, source: str, dtype: Any) -> None:
        """Add the Identity that a function's result is."""
        made = self.message.node.add(name=name, op="Identity", input=[source])
        made.attr["T"].type = _datatype(dtype)


def _datatype(dtype: Any) -> int:
    return dtypes.of(np.dtype(dtype)).as_datatype_enum


def _fill_shape(message: Any, shape: tuple | None) -> None:
    message.SetInParent()
    if shape is None:
        message.unknown_rank = True
        return
    for size in shape:
        message.dim.add(size=-1 if size is None else size)


def graph_def(graph: Any, add_shapes: bool = False) -> GraphDef:
    """The GraphDef of a tf.Graph.

    TensorFlow imports it; where it has no op for a node, the GraphDef says what is there all the
    same.
    """
    try:
        return WrittenGraph(graph, add_shapes).message()
    except (NotImplementedError, Unwritable):
        pass
    writer = _Writer(add_shapes)
    for operation in graph.get_operations():
        writer.add(operation)
    for library in graph.libraries:
        writer.message.library.MergeFrom(library)
    return writer.message


def written(graph: Any, add_shapes: bool = False, frozen: bool = False) -> tuple[Any, list, list]:
    """The GraphDef of a traced function, and the names of its placeholders and results."""
    names = {one._node: one.name for one in graph.get_operations() if one._node is not None}
    inputs = [one.name.partition(":")[0] for one in graph.inputs]
    message, results = whole_graph(graph._trace.graph, inputs, names, add_shapes, frozen)
    return message, inputs, results


@export("__internal__.function_graph_def")
def function_graph_def(graph: Any, outputs: list[ir.Value], add_shapes: bool = False) -> GraphDef:
    """The GraphDef of a traced function: its results are Identity nodes.

    TensorFlow imports it; where it has no op for a node, the GraphDef says what is there all the
    same.
    """
    try:
        return written(graph, add_shapes)[0]
    except (NotImplementedError, Unwritable):
        return _described(graph, outputs, add_shapes)


@export("io.write_graph", "compat.v1.io.write_graph", "compat.v1.train.write_graph")
def write_graph(graph_or_graph_def: Any, logdir: Any, name: str, as_text: bool = True) -> str:
    """Write a GraphDef to a file of a folder, as text or as bytes; returns the path."""
    message = graph_or_graph_def
    if not isinstance(message, GraphDef):
        message = message.as_graph_def()
    folder = text_of(logdir)
    path = os.path.join(folder, name)
    with translated(path):
        os.makedirs(folder, exist_ok=True)
        with replacing(path) as file:
            file.write(str(message).encode() if as_text else message.SerializeToString())
    return path


def _described(graph: Any, outputs: list[ir.Value], add_shapes: bool) -> GraphDef:
    writer = _Writer(add_shapes)
    for operation in graph.get_operations():
        writer.add(operation)
    trace = graph._trace
    for i, value in enumerate(outputs):
        if value.const is not None:
            source = writer.constant(value, f"Const_{i}" if i else "Const", 3)
        else:
            source = trace.symbolic(value).name.removesuffix(":0")
        writer.add_result(f"Identity_{i}" if i else "Identity", source, value.dtype)
    return writer.message
