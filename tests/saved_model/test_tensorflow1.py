"""Frozen graphs, saved models and checkpoints of TensorFlow 1: the numbers that TensorFlow got.

`tensorflow1_models.tar.xz` was written by `record_tensorflow1.py`.
"""

import shutil
import tarfile
from pathlib import Path

import numpy as np
import pytest

import tapeflow as tf
from tapeflow.saved_model.object_protos import SavedModel

ARCHIVE = Path(__file__).with_name("tensorflow1_models.tar.xz")
FROZEN = ("frozen_convolutions", "frozen_loops")
MODELS = ("signatures_reference_variables", "signatures_resource_variables",
          "signatures_vocabulary")
v1 = tf.compat.v1


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    path = tmp_path_factory.mktemp("tensorflow1_models")
    with tarfile.open(ARCHIVE) as archive:
        archive.extractall(path, filter="data")
    return path / "tensorflow1_models"


def kept(path, name):
    with np.load(path / f"{name}.npz") as held:
        found = {key.replace("|", "/"): held[key] for key in held.files}
    return {key: one.astype(np.int32) if one.dtype == np.int64 and not one.ndim else
            one.astype(str).tolist() if one.dtype.kind == "U" else one
            for key, one in found.items()}


def graph_of(path):
    message = v1.GraphDef()
    message.ParseFromString((path / "graph.pb").read_bytes())
    return message


def same(found, path):
    wanted = kept(path, "fetched")
    assert sorted(found) == sorted(wanted)
    for key, one in wanted.items():
        np.testing.assert_allclose(np.asarray(found[key]), one, 1e-6, 1e-6, err_msg=key)


# -- frozen graphs ---------------------------------------------------------------------------------
@pytest.mark.parametrize("name", FROZEN)
def test_a_frozen_graph_in_a_session(folder, name):
    message = graph_of(folder / name)
    wanted = list(kept(folder / name, "fetched"))
    with tf.Graph().as_default() as graph, v1.Session() as session:
        assert tf.import_graph_def(message, name="") is None
        same(session.run({one: one for one in wanted}, kept(folder / name, "fed")), folder / name)
        assert [one.name for one in graph.get_operations()] == [one.name for one in message.node]
        assert [one.SerializeToString() for one in graph.as_graph_def().node] == [
            one.SerializeToString() for one in message.node]


@pytest.mark.parametrize("name", FROZEN)
def test_a_frozen_graph_as_a_function(folder, name):
    message, fed = graph_of(folder / name), kept(folder / name, "fed")
    wrapped = v1.wrap_function(lambda: v1.import_graph_def(message, name=""), [])
    element = wrapped.graph.as_graph_element
    wanted = list(kept(folder / name, "fetched"))
    pruned = wrapped.prune([element(one) for one in fed], {one: element(one) for one in wanted})
    tensors = [tf.constant(one) for one in fed.values()]
    same(pruned(*tensors), folder / name)

    @tf.function
    def imported(*args):
        found = tf.graph_util.import_graph_def(message, dict(zip(fed, args)), wanted)
        return dict(zip(wanted, found))

    same(imported(*tensors), folder / name)


def test_a_frozen_graph_is_differentiable(folder):
    message, fed = graph_of(folder / "frozen_loops"), kept(folder / "frozen_loops", "fed")
    x = tf.constant(fed["x:0"])
    with tf.GradientTape() as tape:
        tape.watch(x)
        total, = tf.function(lambda x: tf.graph_util.import_graph_def(
            message, {"x:0": x, "n:0": fed["n:0"]}, ["total:0"]))(x)
    np.testing.assert_allclose(tape.gradient(total, x), total / x)  # it is linear


def test_names_in_the_graph(folder):
    message = graph_of(folder / "frozen_convolutions")
    with tf.Graph().as_default() as graph, v1.Session() as session:
        x = tf.ones([2, 8, 8, 3])
        found, conv = tf.import_graph_def(message, {"x:0": x}, ["probabilities:0", "conv"])
        assert (found.name, conv.name, conv.type) == (
            "import/probabilities:0", "import/conv", "Conv2D")
        assert conv.get_attr("padding") == "SAME" and conv.inputs[1].shape == [3, 3, 3, 4]
        assert session.run(found).shape == (2, 5)
        again, = tf.import_graph_def(message, {"x": x}, ["probabilities:0"])
        assert again.name == "import_1/probabilities:0"
        np.testing.assert_array_equal(session.run(again), session.run(found))
        with pytest.raises(tf.errors.UnimplementedError, match="inside a branch"):
            graph.get_tensor_by_name("import/cond/Tanh:0")
        with pytest.raises(ValueError, match="not found in graph_def"):
            tf.import_graph_def(message, {"nowhere:0": x})
        with pytest.raises(TypeError, match="GraphDef proto"):
            tf.import_graph_def(b"")


# -- saved models ----------------------------------------------------------------------------------
@pytest.mark.parametrize("name", MODELS)
def test_signatures(folder, name):
    loaded = tf.saved_model.load(str(folder / name))
    fed = {key: tf.constant(one) for key, one in kept(folder / name, "fed").items()}
    same(loaded.signatures["serving_default"](**fed), folder / name)


@pytest.mark.parametrize("name", MODELS)
def test_a_saved_model_in_a_session(folder, name):
    with tf.Graph().as_default(), v1.Session() as session:
        meta = v1.saved_model.load(session, ["serve"], str(folder / name))
        signature = meta.signature_def["serving_default"]
        fed = {signature.inputs[key].name: one for key, one in kept(folder / name, "fed").items()}
        same(session.run({key: one.name for key, one in signature.outputs.items()}, fed),
             folder / name)


def test_variables_and_parts_of_a_saved_model(folder):
    loaded = tf.saved_model.load(str(folder / MODELS[0]))
    assert [one.name for one in loaded.variables] == ["dense/w:0", "dense/b:0", "dense/count:0"]
    w, b = loaded.trainable_variables
    x = tf.ones([2, 4])
    with tf.GradientTape() as tape:
        y = loaded.prune("x:0", "y:0")(x)
    np.testing.assert_allclose(y, tf.nn.relu(x @ w + b), 1e-6)
    assert tape.gradient(y, w).shape == [4, 3]
    for _ in range(2):
        loaded.signatures["counting"](x)
    assert int(loaded.variables[2]) == 9
    assert loaded.graph.get_tensor_by_name("y:0").shape.as_list() == [None, 3]


def test_a_checkpoint_with_its_meta_graph(folder, tmp_path):
    path = folder / "checkpoint"
    wanted, fed = kept(path, "fetched"), kept(path, "fed")
    with tf.Graph().as_default(), v1.Session() as session:
        saver = v1.train.import_meta_graph(str(path / "model.meta"))
        with pytest.raises(tf.errors.FailedPreconditionError):
            session.run("loss:0", fed)
        saver.restore(session, str(path / "model"))
        np.testing.assert_allclose(session.run("loss:0", fed), wanted["loss:0"])
        session.run("train", fed)
        np.testing.assert_allclose(session.run(v1.get_collection("losses"), fed), [wanted["after"]])
        trained = saver.save(session, str(tmp_path / "model"), 1, write_meta_graph=False)
        session.run(v1.global_variables_initializer())
        np.testing.assert_allclose(session.run("loss:0", fed), wanted["loss:0"])
        saver.restore(session, trained)
        np.testing.assert_allclose(session.run("loss:0", fed), wanted["after"])


def test_a_saver(tmp_path):
    with tf.Graph().as_default(), v1.Session() as session:
        v = tf.Variable([1.0, 2.0], name="v")
        n = tf.Variable(3, name="n", trainable=False)
        saver = v1.train.Saver(max_to_keep=2)
        with pytest.raises(tf.errors.FailedPreconditionError, match="uninitialized value v"):
            saver.save(session, str(tmp_path / "model"))
        session.run(v1.global_variables_initializer())
        for step in range(3):
            saver.save(session, str(tmp_path / "model"), step)
        assert [Path(one).name for one in saver.last_checkpoints] == ["model-1", "model-2"]
        assert tf.train.latest_checkpoint(str(tmp_path)) == str(tmp_path / "model-2")
        assert not list(tmp_path.glob("model-0*"))
        session.run([v.assign([5.0, 6.0]), n.assign(7)])
        v1.train.Saver({"v": v}).restore(session, str(tmp_path / "model-2"))
        assert session.run([v, n])[1] == 7 and session.run(v).tolist() == [1.0, 2.0]
        with pytest.raises(tf.errors.NotFoundError, match="Key w not found"):
            v1.train.Saver({"w": v}).restore(session, str(tmp_path / "model-2"))
        with pytest.raises(tf.errors.InvalidArgumentError, match="shapes of both tensors"):
            v1.train.Saver({"n": v}).restore(session, str(tmp_path / "model-2"))


def test_wrapped_functions_hold_variables():
    def build(x):
        v = v1.get_variable("v", initializer=2.0)
        return {"scaled": x * v, "step": v1.assign_add(v, 1.0)}

    wrapped = v1.wrap_function(build, [tf.TensorSpec([None], tf.float32)])
    assert wrapped(tf.constant([1.0, 2.0]))["scaled"].numpy().tolist() == [2.0, 4.0]
    assert wrapped.variables[0].numpy() == 3.0
    scaled = wrapped.prune(wrapped.inputs, wrapped.structured_outputs["scaled"])
    with tf.GradientTape() as tape:
        y = scaled(tf.constant([1.0, 2.0]))
    assert tape.gradient(y, wrapped.variables[0]).numpy() == 3.0


# -- files that are not to be believed -------------------------------------------------------------
def changed(message, **ops):
    """A graph in which nodes of some ops have others."""
    for node in message.node:
        node.op = ops.get(node.op, node.op)
    return message


@pytest.mark.parametrize("ops, words", [
    ({"LoopCond": "Identity"}, "has 0 conditions"),
    ({"Enter": "Identity"}, "waits for itself|merges"),
    ({"NextIteration": "Identity"}, "waits for itself"),
    ({"Switch": "Identity"}, "branches of no condition|does not read"),
])
def test_a_damaged_loop_is_refused(folder, ops, words):
    message = changed(graph_of(folder / "frozen_loops"), **ops)
    with tf.Graph().as_default() as graph:
        with pytest.raises(tf.errors.InvalidArgumentError, match=words):
            tf.import_graph_def(message, name="")
        assert graph.get_operations() == []
        tf.import_graph_def(graph_of(folder / "frozen_loops"), name="")


def test_nodes_that_cannot_run_are_refused_when_fetched(folder):
    message = changed(graph_of(folder / "frozen_convolutions"), Relu6="LaunchMissiles")
    with tf.Graph().as_default() as graph, v1.Session() as session:
        tf.import_graph_def(message, name="")
        assert session.run("BiasAdd:0", {"x:0": np.zeros([1, 8, 8, 3])}).shape == (1, 8, 8, 4)
        with pytest.raises(tf.errors.UnimplementedError, match="LaunchMissiles"):
            session.run("probabilities:0")
        assert graph.get_operation_by_name("Relu6").type == "LaunchMissiles"


@pytest.mark.parametrize("damage", ["missing", "cycle", "twice", "bytes"])
def test_a_damaged_graph_is_refused(folder, damage):
    message = graph_of(folder / "frozen_convolutions")
    if damage == "missing":
        message.node[4].input[0] = "nowhere"
    elif damage == "cycle":
        message.node[4].input[0] = "probabilities"
    elif damage == "twice":
        message.node[4].name = "x"
    else:
        for node in message.node:
            if node.op == "Const":
                node.attr["value"].tensor.tensor_content = b"\0"
    with tf.Graph().as_default(), pytest.raises((tf.errors.InvalidArgumentError, ValueError)):
        tf.import_graph_def(message, name="")


@pytest.mark.parametrize("damage", ["asset", "variable", "signature", "restore", "op"])
def test_a_damaged_model_is_refused(folder, tmp_path, damage):
    path = tmp_path / "model"
    shutil.copytree(folder / "signatures_vocabulary", path)
    message = SavedModel.FromString((path / "saved_model.pb").read_bytes())
    meta = message.meta_graphs[0]
    if damage == "asset":
        asset = meta.asset_file_def.add(filename="../../secret")
        asset.tensor_info.name = "asset_path:0"
    elif damage == "signature":
        meta.signature_def["serving_default"].outputs["numbers"].name = "nowhere:0"
    elif damage == "restore":
        meta.saver_def.restore_op_name = "nowhere"
    for node in meta.graph_def.node:
        if damage == "variable" and node.op == "VarHandleOp":
            node.attr["shape"].shape.dim[0].size = 1 << 40
        if damage == "op" and node.op == "LookupTableFindV2":
            node.op = "PyFunc"
    (path / "saved_model.pb").write_bytes(message.SerializeToString())
    with pytest.raises((tf.errors.InvalidArgumentError, tf.errors.UnimplementedError)):
        tf.saved_model.load(str(path))


def test_inspect_lists_what_a_graph_holds(folder, capsys):
    from tapeflow.cli import main
    assert main(["inspect", str(folder / MODELS[0])]) == 0
    text = capsys.readouterr().out
    assert "serving_default(x: float32[None, 4]) -> y: float32[None, 3]" in text
    assert "variables: 3 with 16 elements, 15 trainable" in text and "VariableV2" in text


def test_a_builder_writes_the_graph_of_a_session(tmp_path):
    v1, folder = tf.compat.v1, str(tmp_path / "built")
    with tf.Graph().as_default(), v1.Session() as session:
        x = v1.placeholder(tf.float32, [None, 2], "x")
        keys = v1.placeholder(tf.string, [None], "keys")
        w = v1.get_variable("w", initializer=np.array([[1.0], [2.0]], np.float32))
        table = tf.lookup.StaticHashTable(
            tf.lookup.KeyValueTensorInitializer(["a", "b"], [1, 3]), 0)
        _, y = tf.while_loop(lambda i, _: i < 3, lambda i, a: (i + 1, a * 2.0), [0, x @ w])
        session.run([v1.global_variables_initializer(), v1.tables_initializer()])
        signatures = {"serving_default": v1.saved_model.predict_signature_def({"x": x}, {"y": y}),
                      "find": v1.saved_model.predict_signature_def(
                          {"keys": keys}, {"found": table.lookup(keys)})}
        builder = v1.saved_model.Builder(folder)
        with pytest.raises(AssertionError, match="has not been saved"):
            builder.add_meta_graph(["other"])
        builder.add_meta_graph_and_variables(session, ["serve"], signatures)
        assert builder.save().endswith("saved_model.pb")
    with pytest.raises(AssertionError, match="already exists"):
        v1.saved_model.Builder(folder)
    loaded = tf.saved_model.load(folder).signatures
    np.testing.assert_array_equal(
        loaded["serving_default"](tf.constant([[1.0, 1.0]]))["y"], [[24.0]])
    np.testing.assert_array_equal(
        loaded["find"](tf.constant(["b", "q"]))["found"], [3, 0])
    with tf.Graph().as_default(), v1.Session() as session:
        meta = v1.saved_model.load(session, ["serve"], folder)
        named = meta.signature_def["serving_default"]
        found = session.run(named.outputs["y"].name, {named.inputs["x"].name: [[1.0, 0.0]]})
        np.testing.assert_array_equal(found, [[8.0]])


def test_simple_save(tmp_path):
    v1, folder = tf.compat.v1, str(tmp_path / "simple")
    with tf.Graph().as_default(), v1.Session() as session:
        x = v1.placeholder(tf.float32, [2], "x")
        v1.saved_model.simple_save(session, folder, {"x": x}, {"y": x + 1.0})
    found = tf.saved_model.load(folder).signatures["serving_default"](tf.zeros([2]))
    np.testing.assert_array_equal(found["y"], [1.0, 1.0])


def test_a_builder_copies_assets(tmp_path):
    v1 = tf.compat.v1
    files = [tmp_path / part / "words.txt" for part in "ab"]
    for i, path in enumerate(files):
        path.parent.mkdir()
        path.write_text(f"text {i}")
    with tf.Graph().as_default(), v1.Session() as session:
        builder = v1.saved_model.Builder(str(tmp_path / "built"))
        with pytest.raises(ValueError, match="is not constant"):
            builder.add_meta_graph_and_variables(
                session, ["serve"], assets_list=[v1.placeholder(tf.string, [])])
    with tf.Graph().as_default(), v1.Session() as session:
        paths = [tf.constant(str(path)) for path in files]
        for one in paths:
            v1.add_to_collection(v1.GraphKeys.ASSET_FILEPATHS, one)
        x = v1.placeholder(tf.string, [], "x")
        y = tf.strings.join([x, *[tf.io.read_file(one) for one in paths]])
        builder = v1.saved_model.Builder(str(tmp_path / "built"))
        builder.add_meta_graph_and_variables(
            session, ["serve"],
            {"serving_default": v1.saved_model.predict_signature_def({"x": x}, {"y": y})},
            assets_list=v1.get_collection(v1.GraphKeys.ASSET_FILEPATHS))
        builder.save()
    for path in files:
        path.unlink()
    assert sorted(one.name for one in (tmp_path / "built" / "assets").iterdir()) == [
        "words.txt", "words_1.txt"]
    loaded = tf.saved_model.load(str(tmp_path / "built")).signatures["serving_default"]
    assert loaded(tf.constant("> "))["y"].numpy() == b"> text 0text 1"
