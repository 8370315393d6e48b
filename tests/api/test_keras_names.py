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
"""


@pytest.mark.skipif(importlib.util.find_spec("keras") is None, reason="needs Keras")
def test_short_names_of_keras(tmp_path):
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "KERAS_HOME": str(tmp_path)}
    environment.pop("KERAS_BACKEND", None)
    done = subprocess.run([sys.executable, "-c", CODE], env=environment, capture_output=True,
                          text=True, timeout=600)
    assert done.returncode == 0, done.stderr
