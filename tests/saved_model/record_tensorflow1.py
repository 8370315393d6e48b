"""Graphs and saved models as TensorFlow 1 wrote them, with what TensorFlow made of them.

    PYTHON-WITH-TENSORFLOW -m tests.saved_model.record_tensorflow1 FOLDER

`tensorflow1_models.tar.xz` holds the folder: frozen graphs, saved models that are signatures alone,
and a checkpoint with its meta graph; beside each what it was fed and what came of it.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from typing import Any

import numpy as np
import tensorflow as tf

v1 = tf.compat.v1
RANDOM = np.random.RandomState(0)


def weights(*shape: int) -> np.ndarray:
    return (RANDOM.randn(*shape) * 0.3).astype("float32")


def keep(path: str, fed: dict[str, Any], fetched: dict[str, Any]) -> None:
    """What was fed and fetched, by the names of tensors or of a signature's parts."""
    np.savez(os.path.join(path, "fed.npz"), **{key.replace("/", "|"): np.asarray(one)
                                               for key, one in fed.items()})
    np.savez(os.path.join(path, "fetched.npz"), **{key.replace("/", "|"): np.asarray(one)
                                                   for key, one in fetched.items()})


# -- frozen graphs ---------------------------------------------------------------------------------
def convolutions() -> tuple[list, dict]:
    """A small network; `phase` is a conditional of batch normalisation and dropout."""
    x = v1.placeholder(tf.float32, [None, 8, 8, 3], "x")
    phase = v1.placeholder_with_default(False, [], "phase")
    y = tf.nn.conv2d(x, weights(3, 3, 3, 4), 1, "SAME", name="conv")
    y = tf.nn.bias_add(y, weights(4))
    y, _, _ = v1.nn.fused_batch_norm(y, weights(4), weights(4), weights(4), np.ones(4, "f"),
                                     is_training=False)
    y = tf.nn.max_pool2d(tf.nn.relu6(y), 2, 2, "VALID")
    y = v1.cond(phase, lambda: y * 2.0 + 1.0, lambda: tf.tanh(y))
    y = tf.reshape(y, [-1, 64]) @ weights(64, 5)
    tf.nn.softmax(y, name="probabilities")
    fed = {"x:0": RANDOM.rand(3, 8, 8, 3).astype("float32"), "phase:0": False}
    return ["probabilities"], fed


def loops() -> tuple[list, dict]:
    """A loop with a conditional in it, a loop in a loop, and a loop over arrays of tensors."""
    x = v1.placeholder(tf.float32, [None], "x")
    n = v1.placeholder(tf.int32, [], "n")

    def step(i: Any, total: Any) -> tuple:
        small = v1.cond(tf.equal(i % 2, 0), lambda: total + x, lambda: total * 1.5)
        _, inner = v1.while_loop(lambda j, _: j < i, lambda j, t: (j + 1, t + 0.25 * x),
                                 [tf.constant(0), small])
        return i + 1, inner

    _, total = v1.while_loop(lambda i, _: i < n, step, [tf.constant(0), tf.zeros_like(x)])
    tf.identity(total, name="total")
    rows = v1.map_fn(lambda row: row * tf.reduce_sum(x), tf.stack([x, x * 2.0]))
    tf.identity(rows, name="rows")
    chosen = v1.cond(n > 2, lambda: v1.cond(n > 4, lambda: x + 1.0, lambda: x - 1.0),
                     lambda: x * tf.cast(n, tf.float32))
    tf.identity(chosen, name="chosen")
    return ["total", "rows", "chosen"], {"x:0": np.array([1.0, 2.0, 3.0], "float32"), "n:0": 5}


def frozen(path: str, make: Callable[[], tuple[list, dict]]) -> None:
    with tf.Graph().as_default() as graph, v1.Session() as session:
        outputs, fed = make()
        fetched = session.run({f"{one}:0": f"{one}:0" for one in outputs}, fed)
        message = v1.graph_util.extract_sub_graph(graph.as_graph_def(), outputs)
    os.makedirs(path)
    with open(os.path.join(path, "graph.pb"), "wb") as file:
        file.write(message.SerializeToString())
    keep(path, fed, fetched)


# -- saved models that are signatures alone --------------------------------------------------------
def variables(path: str, resource: bool) -> None:
    with tf.Graph().as_default(), v1.Session() as session:
        x = v1.placeholder(tf.float32, [None, 4], "x")
        with v1.variable_scope("dense", use_resource=resource):
            w = v1.get_variable("w", initializer=weights(4, 3))
            b = v1.get_variable("b", initializer=weights(3))
            count = v1.get_variable("count", initializer=np.int64(7), trainable=False)
        y = tf.nn.relu(x @ w + b, name="y")
        with tf.control_dependencies([v1.assign_add(count, 1)]):
            seen = tf.identity(y * 2.0, name="seen")
        session.run(v1.global_variables_initializer())
        session.run(w.assign(w * 0.5))
        builder = v1.saved_model.Builder(path)
        builder.add_meta_graph_and_variables(session, ["serve"], {
            "serving_default": v1.saved_model.predict_signature_def({"x": x}, {"y": y}),
            "counting": v1.saved_model.predict_signature_def({"x": x}, {"seen": seen}),
        })
        builder.save()
        fed = RANDOM.rand(2, 4).astype("float32")
        keep(path, {"x": fed}, {"y": session.run(y, {x: fed})})


def vocabulary(path: str) -> None:
    words = os.path.join(os.path.dirname(path), "words.txt")
    with open(words, "w") as file:
        file.write("zero\none\ntwo\n")
    with tf.Graph().as_default(), v1.Session() as session:
        text = v1.placeholder(tf.string, [None], "text")
        table = tf.lookup.StaticVocabularyTable(tf.lookup.TextFileInitializer(
            words, tf.string, tf.lookup.TextFileIndex.WHOLE_LINE, tf.int64,
            tf.lookup.TextFileIndex.LINE_NUMBER), num_oov_buckets=1)
        numbers = table.lookup(text)
        vectors = tf.gather(v1.get_variable("table", initializer=weights(4, 2)), numbers)
        session.run([v1.global_variables_initializer(), v1.tables_initializer()])
        builder = v1.saved_model.Builder(path)
        builder.add_meta_graph_and_variables(
            session, ["serve"],
            {"serving_default": v1.saved_model.predict_signature_def(
                {"text": text}, {"numbers": numbers, "vectors": vectors})},
            assets_collection=v1.get_collection(v1.GraphKeys.ASSET_FILEPATHS),
            main_op=v1.tables_initializer())
        builder.save()
        fed = ["two", "zero", "eleven"]
        found = session.run({"numbers": numbers, "vectors": vectors}, {text: fed})
        keep(path, {"text": np.array(fed)}, found)
    os.remove(words)


def checkpoint(path: str) -> None:
    with tf.Graph().as_default(), v1.Session() as session:
        x = v1.placeholder(tf.float32, [None, 2], "x")
        w = v1.get_variable("w", initializer=weights(2, 2))
        loss = tf.reduce_mean(tf.square(x @ w - 1.0), name="loss")
        v1.train.GradientDescentOptimizer(0.1).minimize(loss, name="train")
        v1.add_to_collection("losses", loss)
        session.run(v1.global_variables_initializer())
        fed = RANDOM.rand(3, 2).astype("float32")
        os.makedirs(path)
        v1.train.Saver().save(session, os.path.join(path, "model"), write_state=False)
        before = session.run(loss, {x: fed})
        session.run("train", {x: fed})
        keep(path, {"x:0": fed}, {"loss:0": before, "after": session.run(loss, {x: fed})})


def main(folder: str) -> None:
    os.makedirs(folder, exist_ok=True)
    v1.disable_eager_execution()
    v1.disable_control_flow_v2()
    frozen(os.path.join(folder, "frozen_convolutions"), convolutions)
    frozen(os.path.join(folder, "frozen_loops"), loops)
    variables(os.path.join(folder, "signatures_reference_variables"), False)
    variables(os.path.join(folder, "signatures_resource_variables"), True)
    vocabulary(os.path.join(folder, "signatures_vocabulary"))
    checkpoint(os.path.join(folder, "checkpoint"))


if __name__ == "__main__":
    main(sys.argv[1])
