# Written by tools/stubs.py (make stubs).
"""tf.signal"""

from typing import Any

import tapeflow as tf
from tapeflow._typing import DTypeLike, IntLike, TensorLike

def dct(
    input: TensorLike, type: IntLike = 2, n: Any = None, axis: IntLike = -1,
    norm: str | None = None, name: str | None = None,
) -> tf.Tensor:
    """The discrete cosine transform, of type 1 to 4, over the last axis."""

def fft(input: TensorLike, name: str | None = None) -> tf.Tensor:
    """The discrete Fourier transform of a complex tensor over the last axis."""

def fft2d(input: TensorLike, name: str | None = None) -> tf.Tensor:
    """The discrete Fourier transform of a complex tensor over the last 2 axes."""

def fft3d(input: TensorLike, name: str | None = None) -> tf.Tensor:
    """The discrete Fourier transform of a complex tensor over the last 3 axes."""

def fftnd(
    input_tensor: TensorLike, fft_length: Any = None, axes: TensorLike | None = None,
    norm: str | None = None, name: str | None = None,
) -> tf.Tensor:
    """The discrete Fourier transform of a complex tensor over any axes (all unless given)."""

def fftshift(
    x: TensorLike, axes: TensorLike | None = None, name: str | None = None,
) -> tf.Tensor:
    """The halves of each axis exchanged, so that the zero frequency is in the middle."""

def frame(
    signal: Any, frame_length: Any, frame_step: Any, pad_end: bool = False, pad_value: Any = 0,
    axis: TensorLike = -1, name: str | None = None,
) -> tf.Tensor:
    """Frames of a signal that begin every `frame_step` samples, along a new axis."""

def hamming_window(
    window_length: Any, periodic: bool = True, dtype: DTypeLike = tf.float32,
    name: str | None = None,
) -> tf.Tensor:
    """A cosine raised to begin at 0.08."""

def hann_window(
    window_length: Any, periodic: bool = True, dtype: DTypeLike = tf.float32,
    name: str | None = None,
) -> tf.Tensor:
    """Half a cosine, raised to begin at 0; periodic for transforms, symmetric for filters."""

def idct(
    input: TensorLike, type: IntLike = 2, n: Any = None, axis: IntLike = -1,
    norm: str | None = None, name: str | None = None,
) -> tf.Tensor:
    """The inverse cosine transform, up to a factor of 2n unless norm is 'ortho'."""

def ifft(input: TensorLike, name: str | None = None) -> tf.Tensor:
    """The inverse discrete Fourier transform of a complex tensor over the last axis."""

def ifft2d(input: TensorLike, name: str | None = None) -> tf.Tensor:
    """The inverse discrete Fourier transform of a complex tensor over the last 2 axes."""

def ifft3d(input: TensorLike, name: str | None = None) -> tf.Tensor:
    """The inverse discrete Fourier transform of a complex tensor over the last 3 axes."""

def ifftnd(
    input_tensor: TensorLike, fft_length: Any = None, axes: TensorLike | None = None,
    norm: str | None = None, name: str | None = None,
) -> tf.Tensor:
    """The inverse of `fftnd`."""

def ifftshift(
    x: TensorLike, axes: TensorLike | None = None, name: str | None = None,
) -> tf.Tensor:
    """The inverse of `fftshift`."""

def inverse_mdct(
    mdcts: Any, window_fn: Any = ..., norm: str | None = None, name: str | None = None,
) -> tf.Tensor:
    """The signal of which these are modified cosine transforms."""

def inverse_stft(
    stfts: Any, frame_length: Any, frame_step: Any, fft_length: Any = None,
    window_fn: Any = ..., name: str | None = None,
) -> tf.Tensor:
    """The signal whose frames have these transforms: windowed, and added where they overlap."""

def inverse_stft_window_fn(
    frame_step: Any, forward_window_fn: Any = ..., name: str | None = None,
) -> Any:
    """A window function for `inverse_stft` that undoes the window of `stft` exactly."""

def irfft(
    input_tensor: TensorLike, fft_length: Any = None, name: str | None = None,
) -> tf.Tensor:
    """The inverse discrete Fourier transform of a real tensor, given without the bins …"""

def irfft2d(
    input_tensor: TensorLike, fft_length: Any = None, name: str | None = None,
) -> tf.Tensor:
    """The inverse discrete Fourier transform of a real tensor, given without the bins …"""

def irfft3d(
    input_tensor: TensorLike, fft_length: Any = None, name: str | None = None,
) -> tf.Tensor:
    """The inverse discrete Fourier transform of a real tensor, given without the bins …"""

def irfftnd(
    input_tensor: TensorLike, fft_length: Any = None, axes: TensorLike | None = None,
    norm: str | None = None, name: str | None = None,
) -> tf.Tensor:
    """The inverse of `rfftnd`."""

def kaiser_bessel_derived_window(
    window_length: Any, beta: Any = 12.0, dtype: DTypeLike = tf.float32,
    name: str | None = None,
) -> tf.Tensor:
    """Roots of the running sums of a Kaiser window, up and down again."""

def kaiser_window(
    window_length: Any, beta: Any = 12.0, dtype: DTypeLike = tf.float32,
    name: str | None = None,
) -> tf.Tensor:
    """I0(beta · sqrt(1 - t²)) / I0(beta), for t from -1 to 1."""

def linear_to_mel_weight_matrix(
    num_mel_bins: Any = 20, num_spectrogram_bins: Any = 129, sample_rate: Any = 8000,
    lower_edge_hertz: Any = 125.0, upper_edge_hertz: Any = 3800.0,
    dtype: DTypeLike = tf.float32, name: str | None = None,
) -> tf.Tensor:
    """Triangular filters, evenly spaced in mel: [spectrogram bins, mel bins]."""

def mdct(
    signals: Any, frame_length: Any, window_fn: Any = ..., pad_end: bool = False,
    norm: str | None = None, name: str | None = None,
) -> tf.Tensor:
    """The modified discrete cosine transform of half-overlapping frames."""

def mfccs_from_log_mel_spectrograms(
    log_mel_spectrograms: Any, name: str | None = None,
) -> tf.Tensor:
    """Cepstral coefficients: the cosine transform of log mel spectrograms, as HTK scales it."""

def overlap_and_add(signal: Any, frame_step: Any, name: str | None = None) -> tf.Tensor:
    """The signal whose frames (the last two axes) begin every `frame_step` samples, added …"""

def rfft(
    input_tensor: TensorLike, fft_length: Any = None, name: str | None = None,
) -> tf.Tensor:
    """The discrete Fourier transform of a real tensor, without the bins that mirror …"""

def rfft2d(
    input_tensor: TensorLike, fft_length: Any = None, name: str | None = None,
) -> tf.Tensor:
    """The discrete Fourier transform of a real tensor, without the bins that mirror …"""

def rfft3d(
    input_tensor: TensorLike, fft_length: Any = None, name: str | None = None,
) -> tf.Tensor:
    """The discrete Fourier transform of a real tensor, without the bins that mirror …"""

def rfftnd(
    input_tensor: TensorLike, fft_length: Any = None, axes: TensorLike | None = None,
    norm: str | None = None, name: str | None = None,
) -> tf.Tensor:
    """The transform of a real tensor over any axes; the last of them has n // 2 + 1 bins."""

def stft(
    signals: Any, frame_length: Any, frame_step: Any, fft_length: Any = None,
    window_fn: Any = ..., pad_end: bool = False, name: str | None = None,
) -> tf.Tensor:
    """The Fourier transform of every windowed frame: [..., samples] to [..., frames, bins]."""

def vorbis_window(
    window_length: Any, dtype: DTypeLike = tf.float32, name: str | None = None,
) -> tf.Tensor:
    """sin(π/2 · sin²(π (t + ½) / length))."""
