"""Programs that train with Keras print what they print with TensorFlow.

`keras_programs.json` was written by keras_programs.py under TensorFlow 2.21 and Keras 3.15.
"""

import importlib.util
import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

HERE = Path(__file__).resolve().parent
EXPECTED = json.loads((HERE / "keras_programs.json").read_text())
NUMBER = re.compile(r"-?\d+\.\d+(?:e-?\d+)?")
pytestmark = pytest.mark.skipif(importlib.util.find_spec("keras") is None,
                                reason='needs Keras: pip install "tapeflow[keras]"')


@pytest.fixture(scope="module")
def outcomes(tmp_path_factory):
    folder = tmp_path_factory.mktemp("keras")
    environment = {**os.environ, "PYTHONPATH": str(HERE.parents[1]), "KERAS_HOME": str(folder),
                   "KERAS_BACKEND": "tensorflow"}
    command = [sys.executable, "-m", "tapeflow", "run", str(HERE / "keras_programs.py"),
               str(folder / "outcomes.json")]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=600)
    assert done.returncode == 0, done.stderr
    return json.loads((folder / "outcomes.json").read_text())


@pytest.mark.parametrize("name", sorted(EXPECTED))
def test_program(outcomes, name):
    given, wanted = outcomes[name], EXPECTED[name]
    assert NUMBER.sub("#", given) == NUMBER.sub("#", wanted)
    ours = [float(number) for number in NUMBER.findall(given)]
    theirs = [float(number) for number in NUMBER.findall(wanted)]
    assert ours == pytest.approx(theirs, rel=2e-4, abs=2e-4)
