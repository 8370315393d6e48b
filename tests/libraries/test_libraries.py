"""Libraries of TensorFlow's world on tapeflow: programs with them, and the tests of Sonnet's wheel.

Make installs the libraries beside the project; where that cannot be done, nothing is tested.
"""

import fcntl
import json
import os
import pathlib
import subprocess
import xml.etree.ElementTree as xml

import pytest

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
PYTHON = ROOT / ".venv-libraries" / "bin" / "python"
SECONDS = 900
# What fails with TensorFlow 2.21 too: the wheel does not have the golden checkpoints, and Keras is
# not Keras 2, whose layers and optimizers are compared with Sonnet's.
WITHOUT = ("conformance/checkpoint_test.py", "conformance/keras_test.py",
           "conformance/doctest_test.py")
WITHOUT_CLASSES = "not Reference"


@pytest.fixture(scope="module")
def libraries():
    """A Python that has the libraries, but not TensorFlow."""
    with open(ROOT / "Makefile") as lock:  # several processes of pytest may come at once
        fcntl.flock(lock, fcntl.LOCK_EX)
        try:
            made = subprocess.run(["make", "-s", ".venv-libraries/.ready"], cwd=ROOT, text=True,
                                  capture_output=True, timeout=SECONDS)
        except subprocess.TimeoutExpired:
            pytest.skip("the libraries could not be installed in time")
    if made.returncode:
        pytest.skip(f"the libraries could not be installed: {made.stderr[-300:]}")
    return PYTHON


def run(python, folder, *arguments):
    return subprocess.run([python, "-m", "tapeflow", "run", *arguments], cwd=folder, text=True,
                          capture_output=True, timeout=SECONDS,
                          env={**os.environ, "TMPDIR": str(folder)})


def test_programs_give_the_numbers_of_tensorflow(libraries, tmp_path):
    done = run(libraries, tmp_path, HERE / "programs.py")
    assert done.returncode == 0, done.stdout + done.stderr
    recorded = json.loads((HERE / "outcomes.json").read_text())
    assert recorded and done.stdout.count("right  ") == len(recorded)


def test_sonnet_passes_its_own_tests(libraries, tmp_path):
    (tmp_path / "pytest.ini").write_text("[pytest]\n")
    source = next(libraries.parents[1].glob("lib/python*/site-packages/sonnet/src"))
    files = [one for one in sorted(source.rglob("*_test.py"))
             if one.relative_to(source).as_posix() not in WITHOUT]
    results = tmp_path / "results.xml"
    done = run(libraries, tmp_path, "-m", "pytest", "-q", "-c", "pytest.ini", "--rootdir", source,
               "-p", "no:cacheprovider", "-k", WITHOUT_CLASSES, f"--junitxml={results}", *files)
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-1000:]
    counts = next(xml.parse(results).getroot().iter("testsuite")).attrib
    assert int(counts["tests"]) - int(counts["skipped"]) > 1800
