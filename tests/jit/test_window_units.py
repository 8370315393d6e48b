"""Convolutions and pooling inside compiled functions: the records' own samples, and views."""

import pathlib
import sys

import numpy as np
import pytest

pytest.importorskip("llvmlite")
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "ops" / "records"))

from record_draws import draws

import tapeflow as tf
from tapeflow.core.record import lowering_forms as forms
from tapeflow.core.record.op import OPS
from tapeflow.jit.kernels.conv import conv_kernel

NAMES = sorted(name for name, op in OPS.items() if isinstance(op.lower, forms.Window))


@pytest.fixture
def written(monkeypatch):
    """How many windows were written as native code."""
    found = []
    real = conv_kernel.write_window

    def write(*operands, **options):
        found.append(operands[1])
        return real(*operands, **options)

    monkeypatch.setattr(conv_kernel, "write_window", write)
    return found


@pytest.mark.parametrize("name", NAMES)
def test_record(name, written):
    """Each sample, with steps on its result that need the place of an element."""
    op = OPS[name]
    samples = list(draws(op, dtype="float32"))

    def all_of(*operands):
        results, rest = [], list(operands)
        for draw in samples:
            xs, rest = rest[:len(draw.xs)], rest[len(draw.xs):]
            y = op.call(*xs, **draw.attrs)
            results.append(tf.nn.relu(y) * tf.cast(tf.range(y.shape[-1]), "float32") - y)
        return results

    operands = [tf.constant(x) for draw in samples for x in draw.xs]
    found = tf.function(all_of, jit_compile=True, autograph=False)(*operands)
    assert len(written) >= len(samples) - 1
    for draw, y in zip(samples, found, strict=True):
        plain = op.kernel(*draw.xs, **draw.attrs)
        wanted = np.maximum(plain, 0) * np.arange(plain.shape[-1], dtype="f4") - plain
        np.testing.assert_allclose(y.numpy(), wanted, rtol=1e-4, atol=1e-4, err_msg=str(draw.attrs))


def test_views_and_constants(written):
    """Channels first, slices, a filter of ones: operands that do not lie as the kernel needs."""
    rng = np.random.default_rng(0)
    x = tf.constant(rng.normal(size=(2, 3, 9, 11)).astype("f4"))
    w = tf.constant(rng.normal(size=(3, 3, 3, 5)).astype("f4"))

    def step(x, w):
        with tf.GradientTape() as tape:
            tape.watch([x, w])
            y = tf.nn.conv2d(x, w, 2, "SAME", data_format="NCHW")
            z = tf.nn.max_pool2d(tf.nn.relu(y), 2, 1, "SAME", data_format="NCHW")
            v = tf.nn.conv2d(tf.transpose(z, (0, 2, 3, 1))[:, 1:], tf.ones((2, 2, 5, 4)), 1, "SAME")
            loss = tf.reduce_sum(v * v)
        return [y, v, *tape.gradient(loss, [x, w])]

    found = tf.function(step, jit_compile=True, autograph=False)(x, w)
    assert len(written) == 7
    for a, b in zip(found, step(x, w), strict=True):
        scale = np.abs(b.numpy()).max()
        np.testing.assert_allclose(a.numpy() / scale, b.numpy() / scale, atol=2e-6)
