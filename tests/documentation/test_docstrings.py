"""Docstrings of public functions and classes: complete, true, composed when they are read."""

import doctest
import inspect
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import tapeflow as tf
from tapeflow.documentation.entries import entries, parsed

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tools"))

# Functions without an example, and why. The list only shrinks.
WITHOUT_EXAMPLE = {
    "compat.v1.saved_model.load": "needs a model that TensorFlow wrote",
    "config.set_logical_device_configuration": "allowed only before anything has run",
    "data.experimental.enable_debug_mode": "holds for the rest of the process",
    "experimental.numpy.experimental_enable_numpy_behavior": "holds for the rest of the process",
    "test.main": "ends the process",
}
# Classes likewise.
CLASSES_WITHOUT_EXAMPLE = {
    "compat.v1.distribute.experimental.ParameterServerStrategy": "refused: TensorFlow 2's runs",
    "experimental.dtensor.DTensorCheckpoint": "refused: it needs several devices",
    "experimental.dtensor.DTensorDataset": "refused: it needs several devices",
    "types.experimental.TracingContext": "tf.function alone makes one",
}


def test_examples_print_what_docstrings_say():
    done = subprocess.run([sys.executable, str(ROOT / "tools" / "docstrings.py"), "--check"],
                          capture_output=True, text=True, timeout=600)
    assert done.returncode == 0, f"make docstrings\n{done.stdout}{done.stderr}"


def test_every_public_function_is_described():
    import docstrings
    methods = docstrings.methods()
    known = {name: value for name, value in docstrings.functions().items()
             if not name.startswith((*docstrings.SKIPPED, "raw_ops.")) and name not in methods}
    lacking = {name: docstrings.missing(name, function) for name, (_, function) in known.items()}
    without = {name for name, words in lacking.items() if "example" in words}
    assert without == set(WITHOUT_EXAMPLE)
    rest = {name: [word for word in words if word != "example"] for name, words in lacking.items()}
    assert {name: words for name, words in rest.items() if words} == {}


def test_every_public_class_has_an_example():
    import docstrings
    known = docstrings.classes()
    assert len(known) > 260
    without = {name for name, (_, kind) in known.items() if docstrings.missing(name, kind)}
    assert without == set(CLASSES_WITHOUT_EXAMPLE)


def test_help_shows_the_example_of_a_class():
    assert ">>> w = tf.Variable([1.0, 2.0], name=\"w\")" in inspect.getdoc(tf.Variable)
    assert "\n\nExample:\n" in tf.io.FixedLenFeature.__doc__
    assert tf.experimental.numpy.float32.__doc__ == np.float32.__doc__  # not ours

    class Layer(tf.Module):
        pass

    assert Layer.__doc__ is None and tf.Variable.__doc__ is tf.Variable.__doc__


OWN = [f"{space}.{name}" for space, names in {
    "insight": tf.insight.__all__,
    "compiler": ("explain", "get_checks", "get_mode", "set_checks", "set_mode"),
}.items() for name in names]


@pytest.mark.parametrize("name", OWN)
def test_examples_of_insight_and_compiler(name, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    space, _, last = name.partition(".")
    member = getattr(getattr(tf, space), last)
    test = doctest.DocTestParser().get_doctest(member.__doc__, {"tf": tf}, name, None, 0)
    assert test.examples and doctest.DocTestRunner().run(test).failed == 0


def test_raw_ops_are_described():
    """A new raw op has its example from `make docstrings`, or by hand."""
    import docstrings
    lacking = {name: docstrings.missing(name, function)
               for name, (_, function) in docstrings.functions().items()
               if name.startswith("raw_ops.")}
    assert len(lacking) > 500
    assert {name: words for name, words in lacking.items() if words} == {}
    assert ">>> tf.raw_ops.AddV2(x=" in tf.raw_ops.AddV2.__doc__


def test_methods_of_the_main_classes_are_described():
    import docstrings
    lacking = {name: docstrings.missing(name, function)
               for name, (_, function) in docstrings.methods().items()}
    assert {name: words for name, words in lacking.items() if words} == {}
    assert len(lacking) > 60


def test_help_shows_all_of_it():
    done = subprocess.run(
        [sys.executable, "-c", "import tapeflow as tf; help(tf.nn.softmax)"],
        capture_output=True, text=True, timeout=600)
    for words in ("Args:", "logits:", "Returns:", "Gradient: with respect to `logits`",
                  ">>> tf.nn.softmax([1.0, 2.0, 3.0])"):
        assert words in done.stdout


def test_nothing_is_composed_before_it_is_read():
    code = ("import sys, tapeflow as tf; tf.nn.softmax([1.0]); tf.image.resize;"
            "assert not any('documentation' in name for name in sys.modules);"
            "assert 'Args:' in tf.sin.__doc__ and 'tapeflow.documentation' in sys.modules;"
            "assert type(tf.sin.__doc__) is str and tf.math.sin.__doc__ is tf.sin.__doc__")
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True,
                          timeout=600)
    assert done.returncode == 0, done.stderr


def test_a_docstring_is_the_whole_text_to_every_method_of_strings():
    doc = tf.math.lgamma.__doc__
    assert len(doc) == len(str(doc)) > 100 and "Returns:" in doc and doc.startswith("The ")
    assert f"{doc}" == str(doc) == doc and doc.split("\n")[0] == doc.splitlines()[0]
    assert inspect.getdoc(tf.math.lgamma) == inspect.cleandoc(str(doc))


@pytest.mark.parametrize("name", ["argmax", "round"])
def test_the_reason_for_no_gradient_is_the_record_s(name):
    from tapeflow.core.record.op import OPS
    text = " ".join(getattr(tf, name).__doc__.split())
    assert f"Gradient: none ({OPS[name].reason}). {OPS[name].advice}" in text


def test_entries_are_read_as_they_are_written():
    entry = entries("nn")["nn.softmax"]
    assert entry.facts["op"] == "softmax" and entry.facts["gradient"] == "logits"
    again = parsed("\n".join(entry.lines()))["nn.softmax"]
    assert again.lines() == entry.lines()


def returned(function):
    return " ".join(function.__doc__.partition("Returns:")[2].partition("\n\n")[0].split())


def test_what_the_result_is_stands_before_its_shape():
    assert returned(tf.cumsum).startswith("Running sum along `axis`: a Tensor of the shape of `x`")
    assert returned(tf.raw_ops.Unique) == ("A namedtuple of Tensors: `y` of the dtype of `x`, "
                                           "`idx` of the dtype `out_idx` that is given.")
    assert returned(tf.raw_ops.Equal) == "A Tensor, `z` of dtype bool."
