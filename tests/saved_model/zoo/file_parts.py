"""Models by what stands in their files beside nodes in order: entries of tables in the checkpoint,
nodes of other graphs that nothing needs, lists, tensors as bytes."""

from __future__ import annotations

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
