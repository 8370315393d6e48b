"""A public name that does not exist says so, and names the nearest one that does."""

import subprocess
import sys

import pytest

import tapeflow as tf


@pytest.mark.parametrize(
    "path, near",
    [
        ("lite", ""), ("tpu", "CPUs"), ("estimator", ""), ("contrib", ""), ("Session", "sessions"),
        ("reduce_summ", "tf.reduce_sum"), ("math.sinn", "tf.math.sin"),
        ("math.relu", "tf.nn.relu"), ("linalg.LinearOperatorDiagg", "tf.linalg.LinearOperatorDiag"),
        ("random.norml", "tf.random.normal"), ("debugging.assert_eqal", "assert_equal"),
        ("experimental.numpy.exxp", "tf.experimental.numpy.exp"),
        ("optimisers", "tf.optimizers"), ("layers", "tf.keras.layers"),
    ],
)  # fmt: skip
def test_what_is_missing_says_so(path, near):
    *spaces, name = path.split(".")
    module = tf
    for space in spaces:
        module = getattr(module, space)
    with pytest.raises(AttributeError) as caught:
        getattr(module, name)
    text = str(caught.value)
    assert text.startswith(f"tapeflow does not have tf.{path}.") and near in text
    assert not hasattr(module, name)


def test_modules_list_names_that_are_not_loaded_yet():
    assert "LinearOperatorDiag" in dir(tf.linalg) and "nce_loss" in dir(tf.nn)
    assert "exp" in dir(tf.experimental.numpy) and "math" in dir(tf)


@pytest.mark.parametrize("path, text", [
    ("foo", ""), ("nn.xyz", ""), ("Sesion", ""), ("Session", " TensorFlow 2 has no sessions: call "
     "functions, or use tf.compat.v1.Session."), ("get_variable", " TensorFlow "
     "1's is tf.compat.v1.get_variable."), ("annotations", "")])
def test_a_suggestion_makes_sense_or_is_left_out(path, text):
    *spaces, name = path.split(".")
    with pytest.raises(AttributeError) as caught:
        getattr(tf.nn if spaces else tf, name)
    assert str(caught.value) == f"tapeflow does not have tf.{path}.{text}"


def test_names_of_tensorflow_1_are_known_in_a_new_process():
    code = "import tapeflow as tf\ntry: tf.get_variable\nexcept AttributeError as e: print(e)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert "tf.compat.v1.get_variable" in done.stdout, done.stderr


def test_dir_lists_what_is_loaded_later():
    assert {"losses", "metrics", "optimizers", "initializers", "keras"} <= set(dir(tf))
    assert "annotations" not in dir(tf)
