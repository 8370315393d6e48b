"""Integers divided by divisors that only a run knows: every edge of every dtype, and zero."""

import numpy as np
import pytest

pytest.importorskip("llvmlite")

import tapeflow as tf
from tests.jit.agreement import both

DTYPES = ["int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64"]
OPS = [tf.math.floordiv, tf.math.floormod, tf.truncatediv, tf.truncatemod]


@pytest.fixture(autouse=True)
def no_cache(monkeypatch):
    monkeypatch.setenv("TAPEFLOW_CACHE", "")


@pytest.mark.parametrize("dtype", DTYPES)
def test_quotients_and_remainders(dtype):
    info, rng = np.iinfo(dtype), np.random.default_rng(1)
    edges = np.array([info.min, info.min + 1, info.max, info.max - 1, 1, 2, 3, 7, 10,
                      *([-1, -2, -3, -7, -10] if info.min else [])], dtype)
    dividends = np.concatenate([edges, edges // edges.dtype.type(2), np.zeros(1, dtype)])
    x, y = [one.reshape(-1) for one in np.meshgrid(dividends, edges[edges != 0])]
    x = np.append(x, rng.integers(info.min, info.max, 300, dtype))
    y = np.append(y, rng.choice(edges[edges != 0], 300))
    got, want, _ = both(lambda x, y: [op(x, y) for op in OPS] + [op(x, y[5]) for op in OPS], x, y)
    for a, b in zip(got, want, strict=True):
        np.testing.assert_array_equal(a, b)


@pytest.mark.parametrize("op", OPS)
def test_a_zero_raises_as_in_eager_before_a_variable_changes(op):
    v = tf.Variable([1, 2, 3])

    @tf.function(jit_compile=True)
    def step(x, y):
        found = op(x, y)
        v.assign(found)
        return found * 2

    x, good, bad = tf.constant([7, -8, 9]), tf.constant([2, 3, -4]), tf.constant([2, 3, 0])
    np.testing.assert_array_equal(step(x, good), op(x, good) * 2)
    before = v.numpy()
    with pytest.raises(tf.errors.InvalidArgumentError) as expected:
        op(x, bad)
    with pytest.raises(tf.errors.InvalidArgumentError) as found:
        step(x, bad)
    assert found.value.message == expected.value.message
    np.testing.assert_array_equal(v, before)


def test_a_division_in_a_branch_that_is_not_taken():
    @tf.function(jit_compile=True)
    def f(x, y):
        return tf.cond(tf.reduce_all(y != 0), lambda: x // y, lambda: x)

    np.testing.assert_array_equal(f(tf.constant([7, 8]), tf.constant([2, 3])), [3, 2])
    np.testing.assert_array_equal(f(tf.constant([7, 8]), tf.constant([2, 0])), [7, 8])


def test_constants_are_looked_at_once():
    divisors = tf.constant([1, 2, 3])
    _, _, native = both(lambda x: x // divisors, np.array([4, 5, 6], "int32"))
    assert len(native.function.plan.kernels) == 1
    with pytest.raises(tf.errors.InvalidArgumentError, match="division by zero"):
        both(lambda x: x // tf.constant([1, 0, 3]), np.array([4, 5, 6], "int32"))
