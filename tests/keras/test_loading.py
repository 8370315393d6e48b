"""How `tf.keras` comes in, and what it says when it cannot."""

import importlib.util
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
needs_keras = pytest.mark.skipif(importlib.util.find_spec("keras") is None,
                                 reason='needs Keras: pip install "tapeflow[keras]"')


def run(code, home, *words, **variables):
    """A program's output; Keras's settings are those of an empty home."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "KERAS_HOME": str(home), **variables}
    if "KERAS_BACKEND" not in variables:
        environment.pop("KERAS_BACKEND", None)
    done = subprocess.run([sys.executable, *words, "-c", code], env=environment,
                          capture_output=True, text=True, timeout=600)
    return done.stdout + done.stderr


def test_keras_that_is_not_installed_names_the_extra(tmp_path):
    for statement in ("tf.keras", "from tapeflow import keras", "import tapeflow.keras"):
        said = run(f"import sys; sys.modules['keras'] = None; import tapeflow as tf; {statement}",
                   tmp_path)
        assert "ModuleNotFoundError" in said and 'pip install "tapeflow[keras]"' in said


@needs_keras
def test_another_backend_in_the_environment(tmp_path):
    said = run("import tapeflow as tf; tf.keras", tmp_path, KERAS_BACKEND="jax")
    assert "KERAS_BACKEND is set to 'jax'" in said and "KERAS_BACKEND=tensorflow" in said


@needs_keras
def test_another_backend_in_the_settings(tmp_path):
    (tmp_path / "keras.json").write_text(json.dumps({"backend": "torch"}))
    said = run("import tapeflow as tf; tf.keras", tmp_path)
    assert "keras.json is set to 'torch'" in said
    said = run("import tapeflow as tf; print(tf.keras.config.backend())", tmp_path,
               KERAS_BACKEND="tensorflow")
    assert said == "tensorflow\n"


@needs_keras
def test_the_real_tensorflow_is_there_already(tmp_path):
    code = ("import sys, types; real = types.ModuleType('tensorflow'); real.__version__ = '2.21.0';"
            "sys.modules['tensorflow'] = real; import tapeflow as tf; tf.keras")
    assert "the real TensorFlow (2.21.0, from an unknown place) is already imported" in run(
        code, tmp_path)


@needs_keras
def test_every_way_to_import_it(tmp_path):
    code = """
import os
import tapeflow as tf
before = os.environ.get("KERAS_BACKEND")
from tapeflow.keras.layers import Dense
import tensorflow
from tensorflow import keras as second
from tensorflow.keras import layers
import tensorflow.keras.optimizers as optimizers
import keras
assert tf.keras is second is tensorflow.keras and tensorflow is tf
assert Dense is layers.Dense is keras.layers.Dense
assert optimizers.Adam is keras.optimizers.Adam and optimizers is tf.keras.optimizers
assert tf.keras.__version__ == keras.__version__
assert os.environ.get("KERAS_BACKEND") == before
print("good")
"""
    assert run(code, tmp_path) == "good\n"


@needs_keras
def test_run_with_keras_alone(tmp_path):
    code = ("import keras, tensorflow as tf; x = keras.ops.ones((2, 2));"
            "print(type(x).__name__, keras.config.backend(), tf.tapeflow_version > '')")
    assert run(code, tmp_path, "-m", "tapeflow", "run") == "EagerTensor tensorflow True\n"
