"""Sorted rows: native code against NumPy, ties, NaN, both zeros and infinities among them."""

import numpy as np
import pytest

pytest.importorskip("llvmlite")

import tapeflow as tf
from tapeflow.jit.choices import forcing
from tests.jit.agreement import agree, both

DTYPES = ["float32", "float64", "float16", "bfloat16", "int8", "int32", "int64", "uint8", "uint32",
          "uint64"]
SIZES = [*range(1, 21), 31, 32, 33, 63, 64, 65]


@pytest.fixture(autouse=True)
def no_cache(monkeypatch):
    monkeypatch.setenv("TAPEFLOW_CACHE", "")


def rows(shape, dtype, seed=0):
    """Numbers with many equal ones, and all that is special."""
    rng = np.random.default_rng(seed)
    if "float" in dtype:
        special = [np.nan, 0.0, -0.0, np.inf, -np.inf]
        x = np.where(rng.random(shape) < 0.4, rng.choice(special, shape),
                     np.round(rng.normal(size=shape) * 3))
        return x.astype(tf.as_dtype(dtype).as_numpy_dtype)
    info = np.iinfo(dtype)
    x = rng.integers(info.min, info.max, shape, dtype, endpoint=True)
    return np.where(rng.random(shape) < 0.5, x % 3, x).astype(dtype)


def every_way(*xs):
    found = []
    for x in xs:
        n = x.shape[-1]
        for k in sorted({1, (n + 1) // 2, n}):
            found += tf.math.top_k(x, k)
        for direction in ("ASCENDING", "DESCENDING"):
            found += [tf.sort(x, direction=direction), tf.argsort(x, direction=direction)]
    return found


def same(f, *xs):
    got, want, _ = both(f, *xs)
    for a, b in zip(got, want, strict=True):
        assert a.dtype == b.dtype
        if a.dtype.kind == "V":  # NumPy knows no NaN of bfloat16
            a, b = a.astype("f"), b.astype("f")
        np.testing.assert_array_equal(a, b)


@pytest.mark.parametrize("dtype", DTYPES)
def test_sizes(dtype):
    some = SIZES if dtype == "float32" else [1, 7, 33, 65]
    for i in range(0, len(some), 9):
        same(every_way, *[rows((3, n), dtype, n) for n in some[i:i + 9]])


@pytest.mark.parametrize("method", ["kept", "merged"])
@pytest.mark.parametrize("tasks", [False, True])
def test_long_rows(method, tasks):
    with forcing({"sorting.method": method, "sorting.tasks": tasks}):
        same(lambda x: [*tf.math.top_k(x, 5), *tf.math.top_k(x[:, ::-1], 16, index_type=tf.int64),
                        tf.sort(x)], rows((5, 1000), "float32"))


def test_other_axes_and_views():
    same(lambda x: (tf.argsort(x, 0), tf.sort(x, 1), tf.argsort(tf.transpose(x, [2, 0, 1])),
                    tf.sort(x[:, 1::2, ::-1], direction="DESCENDING"), tf.sort(x[0, 0])),
         rows((4, 9, 6), "float32"))


def test_gradients():
    def f(x):
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = tf.reduce_sum(tf.math.top_k(x, 3)[0] ** 2) + tf.reduce_sum(tf.sort(x)[:, ::2] * x[
                :, ::2])
        return tape.gradient(y, x)

    agree(f, np.random.default_rng(0).normal(size=(4, 12)).astype("f"))


def test_what_is_left_to_numpy():
    native = agree(lambda x: tf.sort(x), np.zeros((1, 1 << 17), "f"), whole=False)
    assert native.reasons
