"""Running sums and products: several rows side by side are to the bit what each is by itself."""

import itertools

import ml_dtypes  # noqa: F401  (NumPy knows the name bfloat16 from now on)
import numpy as np
import pytest

pytest.importorskip("llvmlite")

import tapeflow as tf
from tapeflow.jit import pipeline
from tapeflow.jit.choices import CHOICES, forcing, watching
from tapeflow.jit.runtime import target
from tests.jit.agreement import both, graph_of

CASES = [*[("float32", shape) for shape in ((8, 8), (9, 17), (17, 9), (2, 18, 16), (20, 3))],
         *[(dtype, (2, 19, 21)) for dtype in ("float32", "float64", "float16", "bfloat16", "int8")]]
KINDS = list(itertools.product((False, True), (False, True)))  # exclusive, reverse


@pytest.fixture(autouse=True)
def without_cache(monkeypatch):
    monkeypatch.setenv("TAPEFLOW_CACHE", "")


def scans(x):
    found = []
    for exclusive, reverse in KINDS:
        found.append(tf.cumsum(x, -1, exclusive=exclusive, reverse=reverse))
        found.append(tf.math.cumprod(x, -1, exclusive=exclusive, reverse=reverse))
    rows = x[..., 1:, 1:]  # a view: rows lie farther apart than they are long
    return [*found, tf.cumsum(rows, -1), tf.cumsum(x[..., ::-1], -1), tf.cumsum(x, 0),
            tf.cumsum(rows, -2, reverse=True)]


def numbers(shape, dtype):
    x = np.random.default_rng(sum(shape)).normal(size=shape) * 0.5 + 1
    return (x * 4).astype(dtype) if "int" in dtype else x.astype(dtype)


@pytest.mark.parametrize(("dtype", "shape"), CASES, ids=str)
def test_every_way_gives_the_same_bits(dtype, shape):
    x = numbers(shape, dtype)
    graph = graph_of(scans, x)
    with forcing({"scan.rows": "one"}):
        want = pipeline.compile(graph).run([x], [])
    for rows in CHOICES["scan.rows"].alternatives(target.host())[1:]:
        with forcing({"scan.rows": rows, "scan.tasks": rows == "a register"}):
            got = pipeline.compile(graph).run([x], [])
        for one, other in zip(got, want, strict=True):
            assert one.tobytes() == other.tobytes()


def test_several_rows_are_scanned_at_once_as_numpy_does():
    x = numbers((37, 50), "float32")
    with watching() as met:
        got, want, native = both(scans, x)
    assert ("scan.rows", "a register") in met
    assert not native.reasons
    for one, other in zip(got, want, strict=True):
        np.testing.assert_allclose(one, other, rtol=2e-6)


def test_infinities_stay_in_their_rows():
    x = np.ones((16, 24), "f")
    x[3, 5], x[9, 0] = np.inf, np.nan
    (got,), (want,), _ = both(lambda x: tf.cumsum(x, 1), x)
    np.testing.assert_array_equal(got, want)
