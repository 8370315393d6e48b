"""nextafter and angle in native code: every pair of special values, signs of zeros included."""

import numpy as np
import pytest

pytest.importorskip("llvmlite")

import tapeflow as tf

POINTS = [0.0, -0.0, 1.0, -1.0, np.inf, -np.inf, np.nan, 1e-45, -1e-45, 5e-324, 2.0, 0.5,
          *np.finfo(np.float32).max * np.array([1, -1.0]), np.finfo(np.float32).tiny]


def _pairs(dtype):
    with np.errstate(all="ignore"):
        points = np.array(POINTS).astype(dtype)
    return [grid.ravel() for grid in np.meshgrid(points, points)]


def _same(y, wanted):
    np.testing.assert_array_equal(y, wanted)
    assert (np.signbit(y) == np.signbit(wanted))[~np.isnan(wanted)].all()


@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_nextafter(dtype):
    xs = _pairs(dtype)
    run = tf.function(tf.math.nextafter, jit_compile=True)
    with np.errstate(all="ignore"):
        _same(run(*map(tf.constant, xs)).numpy(), np.nextafter(*xs))


def test_nextafter_of_half_precision_is_refused_as_in_tensorflow():
    x = tf.constant([1.0, -2.0], tf.float16)
    for call in (tf.math.nextafter, tf.function(tf.math.nextafter, jit_compile=True)):
        with pytest.raises((tf.errors.InvalidArgumentError, TypeError)):
            call(x, x * 2)


@pytest.mark.parametrize("dtype", ["complex64", "complex128"])
def test_angle(dtype):
    z = np.empty(len(POINTS) ** 2, dtype)
    z.imag, z.real = _pairs(z.real.dtype)
    y = tf.function(tf.math.angle, jit_compile=True)(tf.constant(z)).numpy()
    wanted = np.angle(z)
    np.testing.assert_allclose(y, wanted, rtol=4 * np.finfo(wanted.dtype).eps)
    assert (np.signbit(y) == np.signbit(wanted))[~np.isnan(wanted)].all()
