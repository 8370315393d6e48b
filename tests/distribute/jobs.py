"""Starts a program of the folder `programs` on several ranks, for tests."""

import importlib.util
import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PROGRAMS = Path(__file__).parent / "programs"

needs_mpi = pytest.mark.skipif(importlib.util.find_spec("mpi4py") is None,
                               reason='needs pip install "tapeflow[mpi]"')

HANG = 600  # seconds


def launch(folder, ranks, program, *arguments, options=(), fails=False, variables=None):
    """Run a program on ranks; what they printed, and what they complained of.

    A job that does not end by itself hangs, however busy the machine is.
    """
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "PYTHONUNBUFFERED": "",
                   **(variables or {})}
    environment.pop("TF_CONFIG", None)
    done = subprocess.run(
        [sys.executable, "-m", "tapeflow", "launch", "-n", str(ranks), *options,
         str(PROGRAMS / f"{program}.py"), *arguments],
        capture_output=True, text=True, timeout=HANG, env=environment, cwd=folder)
    assert (done.returncode != 0) is fails, done.stdout + done.stderr
    return done.stdout, done.stderr
