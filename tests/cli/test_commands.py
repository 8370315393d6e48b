"""The command line itself: help, version, doctor, wrong use."""

import shutil
import sys
from pathlib import Path

import pytest


@pytest.mark.parametrize("words", [(), ("--help",), ("-h",), ("run", "--help")])
def test_help(commands, words):
    done = commands.tapeflow(*words)
    assert done.returncode == 0
    assert done.stdout.startswith("usage: tapeflow run ")
    assert done.stderr == ""


def test_version(commands):
    import tapeflow

    done = commands.tapeflow("--version")
    assert done.returncode == 0
    assert done.stdout == f"tapeflow {tapeflow.tapeflow_version} (TensorFlow API 2.21.0)\n"


def test_unknown_command(commands):
    done = commands.tapeflow("fly")
    assert done.returncode == 2
    assert done.stdout == ""
    assert "unknown command 'fly'" in done.stderr


def test_doctor(commands):
    done = commands.tapeflow("doctor")
    assert done.returncode == 0, done.stdout + done.stderr
    report = dict(line.split(maxsplit=1) for line in done.stdout.splitlines() if "  " in line)
    for name in ("tapeflow", "Python", "numpy", "scipy", "ml_dtypes", "BLAS", "CPU", "threads"):
        assert report[name].strip(), name
    assert "ms over NumPy's" in done.stdout
    assert done.stdout.endswith("tapeflow works.\n")


    for name in ("mode", "cache"):
        assert report[name].strip(), name


def test_doctor_as_json(commands):
    import json

    done = commands.tapeflow("doctor", "--json")
    report = json.loads(done.stdout)
    assert done.returncode == 0 and report["works"] is True
    assert set(report["checks"].values()) == {"ok"} and "MB)" in report["cache"]


@pytest.mark.parametrize("words", [
    ("doctor", "--yaml"), ("doctor", "now"), ("--version", "--all"), ("help", "me"),
    ("run", "--fast", "x.py"), ("launch", "--fast", "x.py"), ("inspect", "--all", "x")])
def test_what_a_command_does_not_know_is_an_error(commands, words):
    done = commands.tapeflow(*words)
    assert done.returncode in (1, 2) and done.stdout == "" and done.stderr.startswith("tapeflow: ")


@pytest.mark.parametrize("word", ["--help", "doctor"])
def test_a_closed_pipe_is_no_error(word):
    import os
    import subprocess

    reading, writing = os.pipe()
    os.close(reading)
    done = subprocess.run([sys.executable, "-m", "tapeflow", word], stdout=writing,
                          stderr=subprocess.PIPE, text=True)
    os.close(writing)
    assert (done.returncode, done.stderr) == (0, "")


def test_a_closed_output_is_no_error():
    import subprocess

    done = subprocess.run(["sh", "-c", f"{sys.executable} -m tapeflow --version >&-"],
                          stderr=subprocess.PIPE, text=True)
    assert (done.returncode, done.stderr) == (0, "")


def test_doctor_reports_what_is_wrong(commands):
    done = commands.python(
        "-c",
        "import tapeflow, tapeflow.doctor\n"
        "tapeflow.GradientTape.gradient = lambda *_: tapeflow.constant(1.0)\n"
        "raise SystemExit(tapeflow.doctor.main())",
    )
    assert done.returncode == 1
    assert "d(x³)/dx at 3 is 27" in done.stdout
    assert done.stdout.endswith("1 of the checks failed.\n")


def test_console_script(commands):
    script = shutil.which("tapeflow", path=str(Path(sys.executable).parent))
    if script is None:
        pytest.skip("tapeflow is not installed in this environment")
    path = commands.write("def f():\n    1 / 0\n\nf()\n")
    plain = commands.python(path)
    ours = commands.python(script, "run", path)
    assert (ours.stdout, ours.stderr, ours.returncode) == (plain.stdout, plain.stderr, 1)
