"""Models that TensorFlow 2.21 saved: the same numbers, trainable; damaged files are refused.

`tensorflow_models.tar.xz` holds some of the models of `zoo/models.py`, each with arguments, results
and gradients as `python -m tests.saved_model.zoo save` left them.
"""

import subprocess
import sys
import tarfile
from pathlib import Path

import numpy as np
import pytest

import tapeflow as tf
from tapeflow.saved_model.object_protos import SavedModel
from tests.saved_model.zoo.__main__ import alike, arrays, step

ARCHIVE = Path(__file__).with_name("tensorflow_models.tar.xz")
with tarfile.open(ARCHIVE) as _archive:
    NAMES = sorted({one.name.split("/")[1] for one in _archive if one.name.count("/") == 1})


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    path = tmp_path_factory.mktemp("tensorflow_models")
    with tarfile.open(ARCHIVE) as archive:
        archive.extractall(path, filter="data")
    return path


def arguments(path):
    with np.load(path / "arguments.npz", allow_pickle=True) as kept:
        return tuple([kept[key].astype(str) if kept[key].dtype == object else kept[key]
                      for key in kept.files])


@pytest.mark.parametrize("name", NAMES)
def test_the_same_numbers(folder, name, monkeypatch):
    import sys
    monkeypatch.setitem(sys.modules, "tensorflow", tf)
    loaded = tf.saved_model.load(str(folder / name))
    args = arguments(folder / name)
    call = getattr(loaded, "serve", None) or loaded.__call__
    found = arrays(call(*[tf.constant(one) for one in args]))
    assert not alike(found, folder / name, "results.npz")
    assert not alike(step(loaded, args), folder / name, "gradients.npz")


def test_a_loaded_model_trains_inside_a_function(folder):
    loaded = tf.saved_model.load(str(folder / "mlp"))
    x = tf.constant(arguments(folder / "mlp")[0])
    variables = loaded.trainable_variables
    assert [one.name for one in variables] and all(one.trainable for one in variables)

    @tf.function
    def train():
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.square(loaded.serve(x) - 0.5))
        for variable, gradient in zip(variables, tape.gradient(loss, variables)):
            variable.assign_sub(0.5 * gradient)
        return loss

    losses = [float(train()) for _ in range(30)]
    assert losses[-1] < 0.8 * losses[0]


def test_signatures_take_tensors_by_name(folder):
    loaded = tf.saved_model.load(str(folder / "mlp"))
    signature = loaded.signatures["serving_default"]
    (name, spec), = signature.structured_input_signature[1].items()
    assert spec.shape.as_list() == [None, 8]
    found = signature(**{name: tf.ones([2, 8])})
    assert [one.shape.as_list() for one in found.values()] == [[2, 3]]
    with pytest.raises(TypeError, match="missing a required argument"):
        signature()


def test_functions_keep_structures_and_unknown_sizes(folder):
    loaded = tf.saved_model.load(str(folder / "module_structure"))
    found = loaded(tf.ones([5, 4]))
    assert sorted(found) == ["a", "b"] and isinstance(found["b"], tuple)
    with pytest.raises(TypeError, match="Can not cast TensorSpec"):
        loaded(tf.ones([5, 4], tf.float64))


# -- files that are not to be believed -------------------------------------------------------------
def damaged(folder, tmp_path, change, name="many_functions"):
    """A copy of a model whose message was changed."""
    import shutil
    path = tmp_path / "model"
    shutil.copytree(folder / name, path)
    message = SavedModel.FromString((path / "saved_model.pb").read_bytes())
    change(message.meta_graphs[0])
    (path / "saved_model.pb").write_bytes(message.SerializeToString())
    return str(path)


def calls_itself(meta):
    for function in meta.graph_def.library.function:
        for node in function.node_def:
            if "f" in node.attr:
                node.attr["f"].func.name = function.signature.name


def unknown_op(meta):
    meta.graph_def.library.function[0].node_def[0].op = "LaunchMissiles"


def missing_node(meta):
    for function in meta.graph_def.library.function:
        function.node_def[-1].input[0] = "nowhere:output:0"


def waits_for_itself(meta):
    for function in meta.graph_def.library.function:
        function.node_def[-1].input.append("^" + function.node_def[-1].name)


def huge_variable(meta):
    for one in meta.object_graph_def.nodes:
        if one.WhichOneof("kind") == "variable":
            one.variable.shape.dim.add(size=1 << 40)


def child_out_of_range(meta):
    meta.object_graph_def.nodes[0].children[0].node_id = 999


def dunder_attribute(meta):
    meta.object_graph_def.nodes[0].children[0].local_name = "__class__"


@pytest.mark.parametrize("change", [calls_itself, unknown_op, missing_node, waits_for_itself,
                                    huge_variable, child_out_of_range, dunder_attribute])
def test_a_damaged_model_is_refused(folder, tmp_path, change):
    path = damaged(folder, tmp_path, change)
    with pytest.raises((tf.errors.InvalidArgumentError, tf.errors.UnimplementedError)) as caught:
        tf.saved_model.load(path)(tf.ones([3, 4]))
    if change is unknown_op:
        assert "LaunchMissiles" in str(caught.value)
    if change is missing_node:
        assert "nowhere" in str(caught.value)


def test_results_are_what_the_file_says(folder, tmp_path):
    def other_results(meta):
        for function in meta.graph_def.library.function:
            if function.signature.output_arg[0].type == tf.float32.as_datatype_enum:
                function.ret[function.signature.output_arg[0].name] = "rows:output:0"
                function.node_def.add(name="rows", op="Const").attr["value"].tensor.CopyFrom(
                    tf.make_tensor_proto([1, 2, 3]))
                function.node_def[-1].attr["dtype"].type = tf.int32.as_datatype_enum
    path = damaged(folder, tmp_path, other_results, "many_functions")
    with pytest.raises(tf.errors.InvalidArgumentError, match="where the file says TensorSpec"):
        loaded = tf.saved_model.load(path)
        (getattr(loaded, "serve", None) or loaded)(tf.ones([3, 4]))


def test_a_table_that_no_function_makes_is_refused(folder, tmp_path):
    def without_maker(meta):
        for one in meta.object_graph_def.nodes:
            for child in one.children:
                child.local_name = child.local_name.replace("_create_resource", "create")
    with pytest.raises(tf.errors.InvalidArgumentError, match="no function makes"):
        tf.saved_model.load(damaged(folder, tmp_path, without_maker, "lookup_tables"))(
            tf.constant(["b", "z"]))


def test_a_function_that_calls_python_is_refused(folder, tmp_path):
    def python(meta):
        meta.graph_def.library.function[0].node_def[0].op = "PyFunc"
    with pytest.raises(tf.errors.UnimplementedError, match="PyFunc"):
        tf.saved_model.load(damaged(folder, tmp_path, python))


# -- the command -----------------------------------------------------------------------------------
def test_inspect_lists_signatures_variables_and_ops(folder, capsys):
    from tapeflow.cli import main
    assert main(["inspect", str(folder / "mlp")]) == 0
    text = capsys.readouterr().out
    assert "serving_default(" in text and "float32[None, 8]" in text and "MatMul" in text
    assert "variables: 17 with 520 elements" in text and "tapeflow lacks: none" in text
    assert main(["inspect", str(folder / "nowhere")]) == 1
    assert main(["inspect"]) == 2


def test_loading_imports_neither_the_writer_nor_ops_that_the_model_lacks(folder):
    program = ("import sys, tapeflow as tf; tf.saved_model.load(sys.argv[1]); "
               "print(*[one for one in sys.modules if one.startswith(('tapeflow.ops.image', "
               "'tapeflow.ops.strings', 'tapeflow.ops.ragged', 'tapeflow.saved_model.writing', "
               "'tapeflow.saved_model.own_format', 'tapeflow.graph_mode'))])")
    run = subprocess.run([sys.executable, "-c", program, str(folder / "many_functions")], text=True,
                         capture_output=True, check=True)
    assert run.stdout.strip() == ""


def test_a_loaded_lstm_is_a_native_loop(folder):
    path = folder / "layer_lstm"
    loaded = tf.saved_model.load(str(path))
    function = tf.function(lambda x: loaded.serve(x), jit_compile=True)
    x, = [tf.constant(one) for one in arguments(path)]
    with np.load(path / "results.npz") as kept:
        np.testing.assert_allclose(function(x), kept["arr_0"], 1e-5, 1e-6)
    explained = str(tf.compiler.explain(function, x))
    assert "runs natively" in explained and "loop of" in explained and "product" in explained
