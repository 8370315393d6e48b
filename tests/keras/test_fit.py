"""Keras's `fit`, `evaluate`, `predict` and `train_on_batch` run natively, and compute what they
compute with run_eagerly=True."""

import importlib.util
import json
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

HERE = Path(__file__).resolve().parent
pytestmark = pytest.mark.skipif(importlib.util.find_spec("keras") is None,
                                reason='needs Keras: pip install "tapeflow[keras]"')


def result_of(name, **variables):
    environment = {**os.environ, "PYTHONPATH": str(HERE.parents[1]), "TAPEFLOW_JIT": "now",
                   **variables}
    done = subprocess.run([sys.executable, str(HERE / "fit_programs.py"), name], env=environment,
                          capture_output=True, text=True, timeout=600)
    assert not done.returncode, done.stderr
    return json.loads(done.stdout.splitlines()[-1])


def flat(found):
    if isinstance(found, list):
        return [number for one in found for number in flat(one)]
    return [found]


@pytest.mark.parametrize("name", [
    "plain", "adam", "dropout", "class_weights", "sample_weights", "loss_scaling",
    "several_steps", "validation", "callbacks", "convolutions", "recurrent", "attention",
    "embedding", "on_batches"])
def test_loops_of_keras_are_native_and_right(name):
    found = result_of(name)
    np.testing.assert_allclose(flat(found["native"]), flat(found["eager"]), rtol=1e-4, atol=1e-5)
    assert found["regions"], found["report"]
    late = [one for one in found["regions"] if not one[1]]
    assert not late, found["report"]


def test_keras_may_compile_unless_determinism_is_asked_for():
    code = """
import tapeflow as tf
from keras.src.trainers.trainer import model_supports_jit
model = tf.keras.Sequential([tf.keras.Input((2,)), tf.keras.layers.Dense(1)])
print(model_supports_jit(model))
tf.config.experimental.enable_op_determinism()
print(model_supports_jit(model))
from tensorflow.python.framework.config import disable_op_determinism
disable_op_determinism()
print(model_supports_jit(model), tf.random.uniform(()) < 1)
"""
    code = code.replace("import tapeflow as tf\n", "import tapeflow as tf\ntf.keras\n")
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True,
                          env={**os.environ, "PYTHONPATH": str(HERE.parents[1])})
    assert done.stdout.split()[:3] == ["True", "False", "True"], done.stderr
    assert not done.returncode, done.stderr
