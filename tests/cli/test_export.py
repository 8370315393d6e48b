"""`tapeflow export MODEL --to onnx|savedmodel`."""

import numpy as np
import pytest

import tapeflow as tf
from tests.onnx_export.comparing import as_arrays, difference, run

MODULE = """
import tensorflow as tf
w = tf.Variable([[1.0], [2.0]])
f = tf.function(lambda x: x @ w, input_signature=[tf.TensorSpec([None, 2], name="x")])
class Holder(tf.Module):
    f = f
holder = Holder()
"""


def test_an_object_of_a_module(commands, tmp_path):
    (tmp_path / "own.py").write_text(MODULE)
    done = commands.tapeflow("export", f"{tmp_path}/own.py:f", "--opset=19")
    assert (done.returncode, done.stderr) == (0, ""), done.stderr
    x = np.ones((3, 2), "float32")
    assert difference([x[:, :1] * 3], run(f"{tmp_path}/own_f.onnx", [x])) == ""


@pytest.mark.filterwarnings("ignore:__array__ implementation:DeprecationWarning")  # in Keras
def test_keras_files_and_saved_models(tmp_path, capsys):
    from tapeflow.cli import main
    model = tf.keras.Sequential([tf.keras.Input((2,)), tf.keras.layers.Dense(3)])
    model.save(tmp_path / "m.keras")
    assert main(["export", f"{tmp_path}/m.keras", "--to", "savedmodel", "--output",
                 f"{tmp_path}/saved"]) == 0
    x = np.ones((3, 2), "float32")
    for source, name in (("m.keras", "a.onnx"), ("saved", "b.onnx")):
        assert main(["export", f"{tmp_path}/{source}", "--to", "onnx", "--output",
                     f"{tmp_path}/{name}"]) == 0, capsys.readouterr().err
        assert difference(as_arrays(model(x)), run(f"{tmp_path}/{name}", [x])) == ""


@pytest.mark.parametrize("words, status, message", [
    ((), 2, "export needs one MODEL"), (("a", "b"), 2, "export needs one MODEL"),
    (("a", "--fast"), 2, "export does not know '--fast'"),
    (("a", "--to", "tflite"), 2, "--to is onnx or savedmodel, not 'tflite'"),
    (("a", "--to"), 2, "--to needs a value"), (("a", "--opset", "x"), 2, "--opset is a number"),
    (("a", "--to=savedmodel", "--opset=20"), 2, "--opset goes with --to onnx"),
    (("absent",), 1, "there is no 'absent'"), (("absent.py:f",), 1, "there is no 'absent.py'")])
def test_what_is_refused(capsys, words, status, message):
    from tapeflow.cli import main
    assert main(["export", *words]) == status
    assert message in capsys.readouterr().err
