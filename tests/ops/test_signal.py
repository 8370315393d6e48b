"""tf.signal beyond the records' own tests: definitions written out, large arrays, traces."""

import numpy as np
import pytest

import tapeflow as tf
from tapeflow.ops.signal import fourier

RNG = np.random.default_rng(4)


def noise(*shape):
    return RNG.standard_normal(shape)


@pytest.mark.parametrize("large", [1, 1 << 30])
@pytest.mark.parametrize("n", [1, 2, 5, 8])
def test_transforms_are_the_sums_of_the_definition(n, large, monkeypatch):
    monkeypatch.setattr(fourier, "SCIPY_FROM", large)
    z = noise(3, n) + 1j * noise(3, n)
    k = np.arange(n)
    turns = np.exp(-2j * np.pi * np.outer(k, k) / n)
    np.testing.assert_allclose(tf.signal.fft(tf.constant(z)), z @ turns, atol=1e-12)
    np.testing.assert_allclose(tf.signal.ifft(tf.constant(z)), z @ turns.conj() / n, atol=1e-12)
    bins = (z.real @ turns)[:, :n // 2 + 1]
    np.testing.assert_allclose(tf.signal.rfft(tf.constant(z.real)), bins, atol=1e-12)
    np.testing.assert_allclose(tf.signal.irfft(tf.constant(bins), [n]), z.real, atol=1e-12)


@pytest.mark.parametrize("kind", [1, 2, 3, 4])
@pytest.mark.parametrize("norm", [None, "ortho"])
def test_cosine_transforms_are_undone(kind, norm):
    if kind == 1 and norm:
        pytest.skip("type 1 has no norm")
    x = noise(2, 6)
    y = tf.signal.idct(tf.signal.dct(tf.constant(x), type=kind, norm=norm), type=kind, norm=norm)
    scale = 1 if norm else 2 * (5 if kind == 1 else 6)
    np.testing.assert_allclose(y / scale, x, atol=1e-12)


@pytest.mark.parametrize("length, step", [(4, 1), (4, 2), (4, 3), (4, 4), (3, 5), (7, 2)])
def test_frames_and_their_sum(length, step):
    x = noise(2, 23)
    frames = tf.signal.frame(tf.constant(x), length, step).numpy()
    count = (23 - length) // step + 1
    want = np.stack([x[:, i * step:i * step + length] for i in range(count)], 1)
    np.testing.assert_array_equal(frames, want)
    total = np.zeros((2, step * (count - 1) + length))
    for i in range(count):
        total[:, i * step:i * step + length] += want[:, i]
    np.testing.assert_allclose(tf.signal.overlap_and_add(tf.constant(want), step), total)


@pytest.mark.parametrize("axes", [None, [1], [0, 2], [2, 0]])
@pytest.mark.parametrize("norm", [None, "ortho", "forward"])
def test_transforms_over_any_axes(axes, norm):
    z = noise(2, 3, 4) + 1j * noise(2, 3, 4)
    y = tf.signal.fftnd(tf.constant(z), axes=axes, norm=norm)
    np.testing.assert_allclose(y, np.fft.fftn(z, axes=axes, norm=norm), atol=1e-12)
    np.testing.assert_allclose(tf.signal.ifftnd(y, axes=axes, norm=norm), z, atol=1e-12)


@pytest.mark.parametrize("function", [
    lambda x: tf.abs(tf.signal.rfft(x)), lambda x: tf.abs(tf.signal.stft(x, 6, 3)),
    lambda x: tf.signal.dct(x, norm="ortho"), lambda x: tf.signal.frame(x, 4, 2, pad_end=True),
    lambda x: tf.signal.inverse_stft(tf.signal.stft(x, 8, 2), 8, 2),
    lambda x: tf.signal.mdct(x, 8), lambda x: tf.signal.fftshift(x),
    lambda x: tf.signal.irfft(tf.signal.rfft(x, [14]), [12]),
    lambda x: tf.signal.mfccs_from_log_mel_spectrograms(x)])
def test_sizes_that_a_trace_does_not_know(function):
    def both(x):
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = function(x)
        return y, tape.gradient(y, x)

    traced = tf.function(both, input_signature=[tf.TensorSpec([None, None], tf.float64)])
    for n in (16, 21):
        x = tf.constant(noise(2, n))
        for got, want in zip(traced(x), both(x)):
            np.testing.assert_allclose(got, want, atol=1e-8)


def test_window_of_a_length_that_a_trace_does_not_know():
    traced = tf.function(tf.signal.hann_window, input_signature=[tf.TensorSpec([], tf.int32)])
    for n in (1, 2, 7):
        np.testing.assert_allclose(traced(tf.constant(n)), tf.signal.hann_window(n), atol=1e-7)


def test_forward_mode_agrees_with_reverse_through_a_spectrum():
    x, t = tf.constant(noise(10)), tf.constant(noise(10))

    def power(x):
        return tf.reduce_sum(tf.abs(tf.signal.stft(x, 4, 2)) ** 2)

    with tf.autodiff.ForwardAccumulator(x, t) as forward:
        y = power(x)
    with tf.GradientTape() as tape:
        tape.watch(x)
        z = power(x)
    np.testing.assert_allclose(forward.jvp(y), tf.reduce_sum(tape.gradient(z, x) * t))
