"""Keras with checkpoints and strategies: TensorFlow's files, layers made later, replicas."""

import importlib.util
import os
import subprocess
import sys
from pathlib import Path

import pytest

CHECKS = Path(__file__).parent / "keras_checks.py"
pytestmark = pytest.mark.skipif(importlib.util.find_spec("keras") is None,
                                reason='needs Keras: pip install "tapeflow[keras]"')


# The first makes the first model of the process: names count models.
NAMES = ("files_have_the_objects_of_tensorflows", "reads_what_tensorflow_wrote",
         "layers_made_later_and_layers_in_lists", "two_replicas_train_as_one",
         "exported_models_are_loaded")


def test_in_a_process_of_its_own(tmp_path):
    environment = {**os.environ, "PYTHONPATH": str(CHECKS.parents[2]), "KERAS_HOME": str(tmp_path)}
    environment.pop("KERAS_BACKEND", None)
    done = subprocess.run([sys.executable, str(CHECKS), *NAMES], env=environment,
                          capture_output=True, text=True, timeout=600)
    said = done.stdout + done.stderr
    assert [name for name in NAMES if f"done {name}\n" not in said] == [], said
