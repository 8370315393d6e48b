"""Horovod's API over real processes, and alone."""

import subprocess
import sys

import numpy as np
import pytest

from tests.distribute.jobs import ROOT, launch, needs_mpi


@needs_mpi
@pytest.mark.parametrize("ranks", [2, 4])
def test_the_api(tmp_path, ranks):
    said, _ = launch(tmp_path, ranks, "horovod_api")
    assert sorted(said.splitlines()) == [f"rank {i} is right" for i in range(ranks)]


@needs_mpi
def test_keras_gives_the_numbers_of_one_process(tmp_path):
    launch(tmp_path, 2, "horovod_keras", "two.npz")
    launch(tmp_path, 1, "horovod_keras", "one.npz")
    two, one = np.load(tmp_path / "two.npz"), np.load(tmp_path / "one.npz")
    assert len(one.files) == 15
    for name in one.files:
        np.testing.assert_allclose(two[name], one[name], rtol=1e-4, atol=1e-6, err_msg=name)


def test_alone():
    program = """
import horovod.tensorflow as hvd, tensorflow as tf
try: hvd.rank()
except ValueError as error: print(error)
hvd.init()
print(hvd.rank(), hvd.size(), hvd.allreduce(tf.constant(3.0)).numpy(), hvd.join(),
      hvd.allgather_object(1), hvd.mpi_built(), hvd.elastic.__name__)
import horovod
try: import horovod.torch
except ModuleNotFoundError as error: print(error)
"""
    done = subprocess.run([sys.executable, "-m", "tapeflow", "run", "-c", program],
                          capture_output=True, text=True, cwd=ROOT)
    assert done.stdout.splitlines() == [
        "Horovod has not been initialized; use hvd.init().",
        "0 1 3.0 0 [1] True tapeflow.horovod.tensorflow.elastic",
        "No module named 'horovod.torch': of Horovod tapeflow serves horovod.tensorflow and "
        "horovod.keras"], done.stderr
