"""tf.raw_ops against what TensorFlow gave for the same calls (recorded_calls.py)."""

import numpy as np
import pytest

import tapeflow as tf
from tests.tensorflow_graphs.recorded_calls import CALLS, RESULTS, arguments, flat, key


@pytest.fixture(scope="module")
def recorded():
    with np.load(RESULTS) as file:
        return dict(file)


@pytest.mark.parametrize("op, label, given", CALLS, ids=[key(op, label) for op, label, _ in CALLS])
def test_as_tensorflow(op, label, given, recorded):
    found = flat(getattr(tf.raw_ops, op)(**arguments(tf, given)))
    wanted = [recorded[f"{key(op, label)}/{i}"] for i in range(len(found))]
    assert f"{key(op, label)}/{len(found)}" not in recorded
    for mine, theirs in zip(found, wanted, strict=True):
        if mine.dtype == object:
            assert mine.tolist() == theirs.tolist()
            continue
        assert (mine.dtype, mine.shape) == (theirs.dtype, theirs.shape)
        np.testing.assert_allclose(mine, theirs, rtol=2e-5, atol=1e-5)
