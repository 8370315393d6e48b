"""Saved models that somebody else wrote: no code of theirs runs, no path leaves the folder."""

import os
import shutil
import sys
from pathlib import Path

import numpy as np
import pytest

import tapeflow as tf
from tapeflow.base.exports import load_all
from tapeflow.core.record.op import NAMED, OPS, Op
from tapeflow.graph.executor.numpy_executor import Program
from tapeflow.graph.tracing import deferred_gradients
from tapeflow.graph.tracing.graph_builder import on_strings
from tapeflow.io.protobuf import wire
from tapeflow.saved_model.files import Damaged
from tapeflow.saved_model.object_protos import SavedModel
from tapeflow.saved_model.own_graphs import attr_in
from tapeflow.saved_model.schema import Attr

OWN_FORMAT = Path(__file__).parent / "own_format"  # written by version 0.1, nothing writes it now
ERRORS = tf.errors.InvalidArgumentError
pytestmark = pytest.mark.filterwarnings("ignore:.*own format:FutureWarning")
# Ops of tapes: they move elements between levels of batching and stand in no graph.
NOT_IN_GRAPHS = {"narrow", "widen", "merge", "assign"}


@pytest.fixture
def saved(tmp_path):
    """A saved model in tapeflow's own format that `change(message)` rewrites."""
    folder = tmp_path / "model"
    shutil.copytree(OWN_FORMAT, folder)

    def rewrite(change):
        path = folder / "saved_model.pb"
        model = SavedModel.FromString(path.read_bytes())
        change(model.tapeflow_objects)
        path.write_bytes(model.SerializeToString())
        return str(folder)

    return rewrite


@pytest.mark.filterwarnings("default::FutureWarning")
def test_the_own_format_is_read_with_a_warning(saved):
    with pytest.warns(FutureWarning, match="save the loaded object again"):
        loaded = tf.saved_model.load(saved(lambda message: None))
    assert loaded.text(tf.constant("ab")).numpy() == 6
    np.testing.assert_array_equal(loaded.loop(tf.constant([[1.0, 2.0]])), [[17.0]])
    assert loaded.parts[1]["k"].numpy() == 2.0


def graph_of(message, name):
    return next(one for one in message.functions if one.name == name).concrete[0].graph


# -- the register ----------------------------------------------------------------------------------
@pytest.fixture(scope="module")
def register():
    load_all()
    import tapeflow.summary.recording
    assert tapeflow.summary.recording
    return NAMED


def test_every_op_of_a_module_is_in_the_register(register):
    for name, module in list(sys.modules.items()):
        if not name.startswith("tapeflow."):
            continue
        for value in list(vars(module).values()):
            op = value if isinstance(value, Op) else getattr(value, "op", None) \
                if callable(value) and hasattr(value, "__dict__") else None
            if isinstance(op, Op) and op.name not in NOT_IN_GRAPHS:
                assert register[op.name] is op, f"{name}: {op}"
    assert set(OPS) <= set(register)


def test_every_op_comes_back_by_its_name(register):
    for name, op in register.items():
        message = Attr(op={"name": name})
        if op.unsavable:
            with pytest.raises(Damaged, match="which no file may"):
                attr_in(message, None)
        else:
            assert attr_in(message, None) is op


def numbers(*values):
    """A tuple as the format has it."""
    return {"tuple": {"items": [numbers(*one) if type(one) is tuple else
                                {"flag" if type(one) is bool else "whole": one}
                                for one in values]}}


def test_derived_ops_come_back(register):
    strings = {name: op for name, op in OPS.items() if op.strings is not None}
    assert strings
    for name, op in strings.items():
        made = attr_in(Attr(op={"kind": "strings", "base": {"name": name}}), None)
        assert made is on_strings(op)
    for name in ("add", "matmul", "concat"):
        base, layout, outer = {"name": name}, (1, 1, False, 2, 1), (1, 0, False, 4, 3)
        first = {"kind": "gradient", "base": base, "layout": numbers(*layout)}
        second = {"kind": "gradient", "base": first, "layout": numbers(*outer)}
        tangent = {"kind": "tangent", "base": base, "layout": numbers((True, False), 1)}
        made_for = deferred_gradients.made_for
        once = made_for("gradient", OPS[name], layout)
        for message, op in ((first, once), (second, made_for("gradient", once, outer)),
                            (tangent, made_for("tangent", OPS[name], ((True, False), 1)))):
            assert attr_in(Attr(op=message), None) is op


@pytest.mark.parametrize("layout", [
    None, (), (1, 1, False, 2, 2), (0, 1, False, 2, 1), (1, -1, False, 2, 1), (1, 1, 1, 2, 1),
    (1, 1, False, 1 << 40, 1), [1, 1, False, 2, 1]])
def test_layouts_are_checked(layout):
    with pytest.raises(ValueError, match="is no layout"):
        deferred_gradients.made_for("gradient", OPS["add"], layout)


# -- what files may not say ------------------------------------------------------------------------
@pytest.mark.parametrize("name", ["py_function", "numpy_function", "write_file", "make_dataset"])
def test_ops_that_leave_the_library_are_refused(saved, name):
    def change(message):
        graph_of(message, "text").nodes[0].op.name = name

    with pytest.raises(ERRORS, match="which no file may"):
        tf.saved_model.load(saved(change))


@pytest.mark.parametrize("name", ["system", "os.system", "tapeflow.saved_model.loading:os.system",
                                  "", "a" * 1000])
def test_names_are_looked_up_in_the_register_only(saved, name):
    def change(message):
        graph_of(message, "text").nodes[0].op.name = name

    with pytest.raises(ERRORS, match="does not have"):
        tf.saved_model.load(saved(change))


def test_functions_of_python_are_not_saved(tmp_path):
    module = tf.Module()
    for call in (lambda x: tf.py_function(lambda y: y, [x], tf.float32),
                 lambda x: tf.numpy_function(lambda y: y, [x], tf.float32),
                 lambda x: tf.io.write_file("name", tf.as_string(x))):
        module.f = tf.function(call)
        module.f.get_concrete_function(tf.TensorSpec([], tf.float32))
        with pytest.raises(ValueError, match="calls a Python function|writes files"):
            tf.saved_model.save(module, str(tmp_path / "model"))


EVIL = "x=__import__('os').mkdir('executed') or 1, y"


def test_names_of_attributes_are_no_code(saved, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)

    def change(message):
        for graph in (graph_of(message, "text"), graph_of(message, "loop")):
            for node in graph.nodes:
                node.attrs[EVIL].whole = 1

    folder = saved(change)
    with pytest.raises(ERRORS, match="is no name of an attribute"):
        tf.saved_model.load(folder)
    graph = tf.function(lambda x: tf.reshape(x, [2])).get_concrete_function(
        tf.ones([1, 2])).function.graph
    graph.nodes[0].attrs[EVIL] = 1
    with pytest.raises(AssertionError, match="is no name of an attribute"):
        Program(graph)
    assert not os.path.exists("executed")


@pytest.mark.parametrize("name", ["../../words.txt", "/etc/passwd", "..", "", "a/b", "x\0y"])
def test_assets_stay_in_their_folder(saved, name):
    def change(message):
        for one in message.objects:
            if one.kind == "asset":
                one.asset = name

    with pytest.raises(ERRORS, match="outside of the folder"):
        tf.saved_model.load(saved(change))


def test_assets_that_are_links_stay_in_their_folder(saved, tmp_path):
    folder = saved(lambda message: None)
    asset = os.path.join(folder, "assets", "words.txt")
    os.remove(asset)
    os.symlink(tmp_path / "words.txt", asset)
    with pytest.raises(ERRORS, match="outside of the folder"):
        tf.saved_model.load(folder)


def variable_of(message):
    return next(one for one in message.objects if one.kind == "variable")


def body_of(message):
    graph = graph_of(message, "loop")
    return next(node for node in graph.nodes if node.op.name == "while").attrs["body"].graph


CHANGES = {
    "huge variable": lambda m: variable_of(m).variable.sizes.__setitem__(0, 1 << 40),
    "huge constant": lambda m: [value.constant.tensor_shape.dim.add(size=1 << 40)
                                for value in graph_of(m, "loop").values
                                if value.HasField("constant")],
    "negative number": lambda m: graph_of(m, "text").nodes[0].inputs.__setitem__(0, -1),
    "number too large": lambda m: graph_of(m, "text").outputs.__setitem__(0, 999),
    "no such object": lambda m: m.objects[0].children.__setitem__("w", 1 << 30),
    "no such function": lambda m: m.objects[0].functions.__setitem__("text", -5),
    "special name": lambda m: (m.objects[0].children.__setitem__("__class__", 1),
                               m.objects[0].order.append("__class__")),
    "other dtype": lambda m: setattr(graph_of(m, "text").values[0], "dtype", "int32"),
    "unknown dtype": lambda m: setattr(graph_of(m, "text").values[0], "dtype", "int3"),
    "body of other sizes": lambda m: body_of(m).values[body_of(m).inputs[1]].sizes.__setitem__(
        1, 5000),
    "body of more inputs": lambda m: body_of(m).inputs.append(0),
    "another op": lambda m: setattr(graph_of(m, "loop").nodes[-1].op, "name", "svd"),
    "an attribute too many": lambda m: graph_of(m, "loop").nodes[-1].attrs["more"].SetInParent(),
    "another kind of op": lambda m: setattr(graph_of(m, "loop").nodes[-1].op, "kind", "evil"),
    "list without end": lambda m: [one.children.__setitem__(str(1 << 40), 0) for one in m.objects
                                   if one.kind == "list"],
}


@pytest.mark.parametrize("name", CHANGES)
def test_what_a_file_says_is_checked(saved, name):
    folder = saved(CHANGES[name])
    with pytest.raises(ERRORS, match="the saved model is damaged"):
        tf.saved_model.load(folder)


def test_deep_messages_are_refused():
    data = Attr(whole=1).SerializeToString()
    for _ in range(5000):
        data = wire.chunk(7, wire.chunk(1, data))  # a tuple of one
    with pytest.raises(wire.DecodeError, match="Error parsing message"):
        Attr.FromString(data)
