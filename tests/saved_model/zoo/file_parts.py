"""Models by what stands in their files beside nodes in order: entries of tables in the checkpoint,
nodes of other graphs that nothing needs, lists, tensors as bytes."""

from __future__ import annotations

import os
import tempfile
from typing import Any

import numpy as np
import tensorflow as tf

from tests.saved_model.zoo.models import MODELS, Module, model, values

__all__ = ["MODELS"]


@model
def changed_tables() -> tuple[Any, tuple]:
    """Tables that the program filled: a checkpoint has their entries."""
    tables = tf.lookup.experimental
    made = Module(lambda s, x: (s.plain.lookup(x), s.plain.size(), s.dense.lookup(
        tf.strings.length(x)), s.dense.size()), tf.TensorSpec([None], "string"))
    made.plain = tables.MutableHashTable(tf.string, tf.int64, -1)
    made.plain.insert(tf.constant(["a", "bc"]), tf.constant([1, 2], tf.int64))
    made.dense = tables.DenseHashTable(tf.int32, tf.float32, [0.0, 0.0], -1, -2,
                                       initial_num_buckets=8)
    made.dense.insert(tf.constant([2, 5]), [[1.0, 2.0], [3.0, 4.0]])
    return made, (tf.constant(["bc", "z", "a"]),)


@model
def imported_graph() -> tuple[Any, tuple]:
    """A frozen graph inside a function: its placeholder stands there, and nothing reads it."""
    weights = values(3, 4)
    traced = tf.function(lambda x: tf.nn.softmax(x @ tf.constant(weights)))
    graph = traced.get_concrete_function(tf.TensorSpec([None, 3], name="x")).graph.as_graph_def()
    last = [node.name for node in graph.node if node.op == "Identity"][-1]
    made = Module(lambda s, x: tf.graph_util.import_graph_def(
        graph, {"x": x * s.w}, [f"{last}:0"], name="frozen")[0], tf.TensorSpec([None, 3]))
    made.w = tf.Variable(values(3))
    return made, (values(2, 3),)


@model
def joined_rows() -> tuple[Any, tuple]:
    """Elements of one length that the list does not know."""
    def call(s: Any, x: Any) -> Any:
        rows = tf.reshape(x * s.w, [4, -1])
        return tf.TensorArray(tf.float32, 4).scatter([2, 0, 3, 1], rows).concat()

    made = Module(call, tf.TensorSpec([None, 4]))
    made.w = tf.Variable(values(4))
    return made, (values(3, 4),)


@model
def sparse_bytes() -> tuple[Any, tuple]:
    def call(s: Any, x: Any) -> Any:
        sparse = tf.sparse.from_dense(x)
        one = tf.raw_ops.DeserializeSparse(
            serialized_sparse=tf.io.serialize_sparse(sparse), dtype=tf.float32)
        return tf.sparse.to_dense(tf.io.deserialize_many_sparse(
            tf.io.serialize_many_sparse(sparse), tf.float32, rank=2)), one.sparse_values

    return Module(call, tf.TensorSpec([None, None])), (
        np.array([[1, 0, 2], [0, 0, 3]], np.float32),)


@model
def rows_of_rows() -> tuple[Any, tuple]:
    """Elements of lists that are ragged themselves."""
    def call(s: Any, x: Any) -> Any:
        rows = tf.RaggedTensor.from_nested_row_lengths(x, [[2, 0, 1], [1, 2, 3]])
        halves = tf.map_fn(lambda one: one * s.w, rows,
                           fn_output_signature=tf.RaggedTensorSpec([None, None], tf.float32))
        sums = tf.map_fn(lambda one: tf.reduce_sum(one, 1) * s.w, rows,
                         fn_output_signature=tf.RaggedTensorSpec([None], tf.float32))
        return halves.flat_values, halves.row_lengths(), sums

    made = Module(call, tf.TensorSpec([6]))
    made.w = tf.Variable(0.5)
    return made, (values(6),)


@model
def dilated_convolutions() -> tuple[Any, tuple]:
    """Blocks of elements in the batch, of an unknown number of examples and of unknown sizes."""
    def call(s: Any, x: Any) -> Any:
        volume = tf.nn.convolution(x[:, :, :, tf.newaxis], s.w[:, :, tf.newaxis], padding="SAME",
                                   dilations=[2, 3, 1])
        plane = [tf.nn.convolution(x, s.w, padding=padding, dilations=[3, 2])
                 for padding in ("SAME", "VALID")]
        return [*plane, volume, tf.concat([plane[0], x], -1)]

    made = Module(call, tf.TensorSpec([None, None, None, 2]))
    made.w = tf.Variable(values(2, 2, 2, 3))
    return made, (values(2, 7, 8, 2),)


@model
def dense_table_of_numbers() -> tuple[Any, tuple]:
    """A dense table has a further axis in its checkpoint."""
    made = Module(lambda s, x: (s.dense.lookup(x), s.dense.size()), tf.TensorSpec([None], "int64"))
    made.dense = tf.lookup.experimental.DenseHashTable(tf.int64, tf.float32, -1.0, -1, -2)
    made.dense.insert(tf.constant([2, 5], tf.int64), tf.constant([1.5, 2.5]))
    return made, (np.array([5, 7]),)


@model
def asset_table() -> tuple[Any, tuple]:
    """A table that is filled from a file, which is an asset."""
    path = os.path.join(tempfile.mkdtemp(), "words.txt")
    with open(path, "w") as file:
        file.write("one\ntwo\n")
    made = Module(lambda s, x: s.table.lookup(x), tf.TensorSpec([None], "string"))
    made.asset = tf.saved_model.Asset(path)
    made.table = tf.lookup.StaticVocabularyTable(tf.lookup.TextFileInitializer(
        made.asset, tf.string, tf.lookup.TextFileIndex.WHOLE_LINE, tf.int64,
        tf.lookup.TextFileIndex.LINE_NUMBER), 2)
    return made, (tf.constant(["two", "none", "one"]),)
