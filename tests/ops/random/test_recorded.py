"""Every case of random_cases.py shows what TensorFlow showed: see record.py."""

import json
import pathlib
import sys

import numpy as np
import pytest

import tapeflow as tf

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))

from random_cases import CASES
from random_runner import run

RECORDED = json.loads((HERE / "recorded.json").read_text())
# How far numbers may be off whose last place is the platform's mathematical library's.
LOOSE = {"float64": 1e-13, "float32": 1e-5, "float16": 1e-3}


@pytest.mark.parametrize("name", CASES)
def test_case_shows_what_tensorflow_showed(name):
    mine, theirs = run(name, CASES[name], tf), RECORDED[name]
    assert len(mine) == len(theirs)
    for i, (a, b) in enumerate(zip(mine, theirs)):
        where = f"result {i}: {a}, TensorFlow {b}"
        assert a[:2] == b[:2], where
        if not name.startswith("libm_"):
            assert a[2] == b[2], where
        else:
            np.testing.assert_allclose(a[3], b[3], LOOSE[a[0]], err_msg=where)


def test_all_recordings_are_used():
    assert set(RECORDED) == set(CASES)
