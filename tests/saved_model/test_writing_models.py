"""What `save` writes: TensorFlow's file, by its parts; loaded again it gives the same numbers."""

import numpy as np
import pytest

import tapeflow as tf
from tapeflow.saved_model.object_protos import SavedModel
from tapeflow.tensorflow_graphs.reading import Library

ROWS = tf.TensorSpec([None, 2], tf.float32, "rows")


class Model(tf.Module):
    def __init__(self):
        super().__init__()
        self.w = tf.Variable([[1.0], [2.0]], name="w")
        self.count = tf.Variable(0, trainable=False)
        self.table = tf.lookup.StaticHashTable(
            tf.lookup.KeyValueTensorInitializer(["a", "b"], [1, 2]), -1)

    @tf.function(input_signature=[ROWS])
    def __call__(self, rows):
        self.count.assign_add(1)
        total = tf.zeros([2])
        for row in rows:
            total = total + row if tf.reduce_sum(row) > 0.0 else total
        return {"product": rows @ self.w, "count": self.count, "total": total}

    @tf.function
    def mixed(self, x, *more, scale, bias=1.0):
        return x * scale + bias, [one - x for one in more]

    @tf.function(input_signature=[tf.TensorSpec([None], tf.string)])
    def find(self, keys):
        return self.table.lookup(keys)

    @tf.function(input_signature=[tf.TensorSpec([], tf.float32)])
    def own_gradient(self, x):
        @tf.custom_gradient
        def cubed(x):
            return x ** 3, lambda g: g * 10.0
        return cubed(x)

    @tf.function(input_signature=[tf.TensorSpec([None])])
    def own_gradient_in_loop(self, x):
        @tf.custom_gradient
        def scaled(x):
            index, above = tf.argmax(x), x > 1.0

            def rule(g):
                return tf.where(above, g * outside, 10.0 * g) + tf.cast(index, tf.float32)
            return x * 2.0, rule

        outside = tf.exp(x) * self.w[0]
        for i in tf.range(3):
            x = scaled(x) if i > 0 else x + self.w[0]
        return x

    @tf.function(input_signature=[ROWS])
    def collected(self, rows):
        found = tf.TensorArray(tf.float32, size=0, dynamic_size=True)
        for i in tf.range(tf.shape(rows)[0]):
            found = found.write(i, rows[i] * self.w[:, 0])
        return found.stack()

    @tf.function(input_signature=[])
    def drawn(self):
        return tf.random.uniform([2], seed=3), tf.random.stateless_normal([2], [1, 2])


@pytest.fixture(scope="module")
def saved(tmp_path_factory):
    model = Model()
    model.mixed(tf.constant(2.0), tf.constant(5.0), scale=tf.constant(3.0), bias=tf.constant(4.0))
    folder = str(tmp_path_factory.mktemp("model"))
    tf.saved_model.save(model, folder, signatures=model.__call__)
    with open(f"{folder}/saved_model.pb", "rb") as file:
        return model, tf.saved_model.load(folder), SavedModel.FromString(file.read())


def test_the_file_has_what_sessions_need(saved):
    meta = saved[2].meta_graphs[0]
    nodes = {node.name: node for node in meta.graph_def.node}
    taken = meta.signature_def["serving_default"].inputs["rows"]
    assert [one.size for one in taken.tensor_shape.dim] == [-1, 2]
    assert nodes[taken.name.removesuffix(":0")].op == "Placeholder"
    given = meta.signature_def["serving_default"].outputs
    assert sorted(given) == ["count", "product", "total"]
    call = nodes[given["product"].name.partition(":")[0]]
    assert call.op == "StatefulPartitionedCall" and all(
        one.partition(":")[0] in nodes for one in call.input)
    start = nodes[meta.signature_def["__saved_model_init_op"].outputs[
        "__saved_model_init_op"].name]
    assert [nodes[one.lstrip("^")].op for one in start.input] == ["LookupTableImportV2"]
    assert nodes[meta.saver_def.restore_op_name].op == "StatefulPartitionedCall"
    assert [one.op for one in nodes.values()].count("VarHandleOp") == 2


def test_the_graph_is_one_that_we_read(saved):
    meta = saved[2].meta_graphs[0]
    library = Library(meta.graph_def.library)
    library.check(meta.object_graph_def.concrete_functions)
    for one in meta.graph_def.library.function:
        names = [node.name for node in one.node_def]
        assert len(names) == len(set(names))


def test_functions_effects_and_arguments(saved):
    model, loaded, _ = saved
    rows = tf.constant([[1.0, 2.0], [-3.0, 1.0], [4.0, 4.0]])
    before = int(loaded.count)
    ours, theirs = model(rows), loaded(rows)
    assert int(loaded.count) == before + 1 == theirs["count"].numpy()
    for key in ("product", "total"):
        np.testing.assert_array_equal(ours[key], theirs[key])
    one, (other,) = loaded.mixed(tf.constant(2.0), tf.constant(5.0), bias=tf.constant(4.0),
                                 scale=tf.constant(3.0))
    assert (one.numpy(), other.numpy()) == (10.0, 3.0)
    assert loaded.find(tf.constant(["b", "x"])).numpy().tolist() == [2, -1]
    np.testing.assert_array_equal(loaded.drawn()[1], model.drawn()[1])


def test_gradients(saved):
    model, loaded, _ = saved
    with tf.GradientTape() as tape:
        loss = tf.reduce_sum(loaded(tf.constant([[1.0, 2.0]]))["product"])
    np.testing.assert_array_equal(tape.gradient(loss, loaded.w), [[1.0], [2.0]])
    with tf.GradientTape() as tape:  # a buffer that grows, in a loop
        loss = tf.reduce_sum(loaded.collected(tf.constant([[1.0, 2.0], [3.0, 5.0]])))
    np.testing.assert_array_equal(tape.gradient(loss, loaded.w), [[4.0], [7.0]])
    x = tf.constant(2.0)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = loaded.own_gradient(x)
    assert (y.numpy(), tape.gradient(y, x).numpy()) == (8.0, 10.0)


def test_a_custom_gradient_in_a_loop(saved):
    model, loaded, message = saved
    found = []
    for one in (model, loaded):
        x = tf.constant([0.5, -3.0, 2.0])
        with tf.GradientTape() as tape, tf.GradientTape() as other:
            tape.watch(x)
            other.watch(x)
            y = one.own_gradient_in_loop(x)
        found.append([y, *tape.gradient(y, (x, one.w)), other.gradient(y, x)])
    for ours, theirs in zip(*found):
        np.testing.assert_allclose(ours, theirs, rtol=1e-6)
    assert found[1][1].numpy().tolist() != [4.0, 4.0, 4.0]  # as if there were no such gradient
    assert not any(one.WhichOneof("kind") == "captured_tensor"
                   for one in message.meta_graphs[0].object_graph_def.nodes)
    with pytest.raises(LookupError, match="has no derivative"), tf.GradientTape() as outer:
        outer.watch(x)
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = loaded.own_gradient_in_loop(x)
        outer.gradient(tape.gradient(y, x), x)


def test_the_same_object_gives_the_same_bytes(tmp_path):
    model = Model()
    texts = []
    for name in ("a", "b"):
        tf.saved_model.save(model, str(tmp_path / name))
        texts.append([(tmp_path / name / one).read_bytes()
                      for one in ("saved_model.pb", "fingerprint.pb")])
    assert texts[0] == texts[1]
