"""tf.optimizers and its kin are Keras's, as in TensorFlow."""

import importlib.util
import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
CODE = """
import tapeflow as tf
for name in ("initializers", "losses", "metrics", "optimizers"):
    assert getattr(tf, name) is getattr(tf.keras, name)
assert float(tf.losses.MeanSquaredError()([[1.0, 2.0]], [[1.0, 4.0]])) == 2.0
v1 = tf.compat.v1
assert v1.keras is tf.keras and {"keras", "layers"} < set(dir(v1)) and "rnn_cell" in dir(v1.nn)
import tensorflow.compat.v1.keras.layers as layers
assert layers is tf.keras.layers
for missing in (lambda: v1.layers.dense, lambda: v1.nn.rnn_cell.dense):
    try:
        missing()
    except AttributeError as error:
        assert str(error) == "`dense` is not available with Keras 3.", error
    else:
        raise AssertionError
try:
    from tensorflow.compat.v1.layers import dense
except ImportError as error:
    assert "cannot import name 'dense'" in str(error), error
else:
    raise AssertionError
"""


@pytest.mark.skipif(importlib.util.find_spec("keras") is None, reason="needs Keras")
def test_short_names_of_keras(tmp_path):
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "KERAS_HOME": str(tmp_path)}
    environment.pop("KERAS_BACKEND", None)
    done = subprocess.run([sys.executable, "-c", CODE], env=environment, capture_output=True,
                          text=True, timeout=600)
    assert done.returncode == 0, done.stderr


def test_a_program_asks_for_keras_2(tmp_path):
    """By TF_USE_LEGACY_KERAS, as in TensorFlow; the package is a stand-in here."""
    inner = tmp_path / "tf_keras" / "api" / "_v2" / "keras"
    older = inner.parents[1] / "_v1" / "keras"
    for folder in (inner, older / "__internal__/legacy/layers",
                   older / "__internal__/legacy/rnn_cell"):
        folder.mkdir(parents=True)
        while folder != tmp_path:
            (folder / "__init__.py").touch()
            folder = folder.parent
    (older / "backend.py").touch()
    (inner / "__init__.py").write_text("import tensorflow as tf\n")
    (inner / "losses.py").touch()
    code = ("import tapeflow as tf, sys\nimport tapeflow.keras.losses\n"
            "assert tf.keras.__name__ == 'tf_keras.api._v2.keras' and tf.keras.tf is tf\n"
            "assert tf.losses is tf.keras.losses and 'keras' not in sys.modules\n"
            "from tensorflow.compat.v1.keras import backend\n"
            "v1 = tf.compat.v1\n"
            "assert backend is v1.keras.backend\n"
            "assert v1.keras.__name__ == 'tf_keras.api._v1.keras'\n"
            "layers, cells = v1.layers, v1.nn.rnn_cell\n"
            "legacy = v1.keras.__internal__.legacy\n"
            "assert layers is legacy.layers and cells is legacy.rnn_cell\n")
    environment = {**os.environ, "TF_USE_LEGACY_KERAS": "1",
                   "PYTHONPATH": f"{ROOT}{os.pathsep}{tmp_path}"}
    done = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True,
                          text=True, timeout=600)
    assert done.returncode == 0, done.stderr
