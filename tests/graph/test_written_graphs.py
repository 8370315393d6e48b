"""tf.Graphs with variables as GraphDefs and meta graphs, which are imported and run again."""

import numpy as np
import pytest

import tapeflow as tf

v1 = tf.compat.v1
FED = {"x:0": [[1.0, 1.0, 1.0], [2.0, 0.0, 1.0]], "t:0": [[0.0, 1.0], [1.0, 0.0]]}
FETCHED = ("y:0", "z:0", "c:0", "m:0", "after:0", "loss:0")


def build():
    x = v1.placeholder(tf.float32, [None, 3], "x")
    t = v1.placeholder(tf.float32, [None, 2], "t")
    n = v1.placeholder_with_default(3, [], "n")
    with v1.variable_scope("net"):
        w = v1.get_variable("w", initializer=[[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]])
        b = v1.get_variable("b", [2], initializer=v1.zeros_initializer(), trainable=False)
    y = tf.nn.sigmoid(tf.matmul(x, w) * 0.1 + b, name="y")
    z = tf.identity(tf.while_loop(lambda i, a: i < n, lambda i, a: (i + 1, tf.tanh(a) * b + a),
                                  [0, y])[1], "z")
    tf.identity(tf.cond(tf.reduce_sum(x) > 0.0, lambda: y * 2.0, lambda: z), "c")
    tf.multiply(tf.split(y, 2, 1)[1], 2.0, name="m")
    with tf.control_dependencies([v1.assign(b, b + 1.0)]):
        tf.identity(b.read_value(), "after")
    loss = tf.reduce_mean((y - t) ** 2, name="loss")
    train = v1.train.GradientDescentOptimizer(0.5).minimize(
        loss, global_step=v1.train.get_or_create_global_step(), name="train")
    v1.add_to_collection("train_ops", train)


@pytest.fixture(scope="module")
def saved(tmp_path_factory):
    path = str(tmp_path_factory.mktemp("meta") / "model")
    with tf.Graph().as_default(), v1.Session() as session:
        build()
        session.run(v1.global_variables_initializer())
        v1.train.Saver().save(session, path)
        found = [session.run(one, FED) for one in FETCHED]
        session.run(v1.get_collection("train_ops"), FED)
        return path, found, session.run(v1.global_variables())


def test_a_saver_writes_a_meta_graph_that_is_imported(saved):
    path, found, trained = saved
    with tf.Graph().as_default(), v1.Session() as session:
        saver = v1.train.import_meta_graph(f"{path}.meta")
        assert [one.name for one in v1.trainable_variables()] == ["net/w:0"]
        saver.restore(session, path)
        for name, wanted in zip(FETCHED, found, strict=True):
            np.testing.assert_allclose(session.run(name, FED), wanted, 1e-6)
        session.run(v1.get_collection("train_ops")[0], FED)
        for mine, wanted in zip(session.run(v1.global_variables()), trained, strict=True):
            np.testing.assert_allclose(mine, wanted, 1e-6)


def test_the_saver_of_a_meta_graph_is_named_by_it(saved):
    meta = tf.compat.v1.MetaGraphDef()
    with open(f"{saved[0]}.meta", "rb") as file:
        meta.ParseFromString(file.read())
    nodes = {node.name: node for node in meta.graph_def.node}
    assert nodes["net/w"].op == "VarHandleOp" and nodes["net/w/Assign"].input[0] == "net/w"
    saver = meta.saver_def
    assert nodes[saver.restore_op_name].op == "NoOp"
    assert nodes[saver.filename_tensor_name.removesuffix(":0")].op == "PlaceholderWithDefault"
    assert "^save/SaveV2" in nodes[saver.save_tensor_name.removesuffix(":0")].input


def test_an_exported_graph_begins_with_its_initial_values():
    with tf.Graph().as_default():
        build()
        meta = v1.train.export_meta_graph()
    with tf.Graph().as_default(), v1.Session() as session:
        v1.train.import_meta_graph(meta)
        session.run(v1.global_variables_initializer())
        assert session.run("after:0").tolist() == [1.0, 1.0]
        assert session.run("net/w:0").shape == (3, 2)


def test_what_is_built_on_an_imported_graph_is_written_with_it(saved):
    with tf.Graph().as_default() as graph:
        v1.train.import_meta_graph(f"{saved[0]}.meta")
        tf.add(graph.get_tensor_by_name("y:0"), 1.0, name="more")
        meta = v1.train.export_meta_graph()
    with tf.Graph().as_default(), v1.Session() as session:
        saver = v1.train.import_meta_graph(meta)
        saver.restore(session, saved[0])
        np.testing.assert_allclose(session.run("more:0", FED), saved[1][0] + 1.0)
