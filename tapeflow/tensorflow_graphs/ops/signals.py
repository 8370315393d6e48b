"""Fourier transforms, sound."""

from __future__ import annotations

from typing import Any

from tapeflow.tensorflow_graphs.public import tf
from tapeflow.tensorflow_graphs.registry import raw, same

same("""
EncodeWav audio.encode_wav
FFT signal.fft
FFT2D signal.fft2d
FFT3D signal.fft3d
FFTND signal.fftnd
IFFT signal.ifft
IFFT2D signal.ifft2d
IFFT3D signal.ifft3d
IFFTND signal.ifftnd
IRFFT signal.irfft
IRFFT2D signal.irfft2d
IRFFT3D signal.irfft3d
IRFFTND signal.irfftnd
RFFT signal.rfft
RFFT2D signal.rfft2d
RFFT3D signal.rfft3d
RFFTND signal.rfftnd
""")


@raw
def DecodeWav(contents: Any, desired_channels: int, desired_samples: int) -> Any:
    return tuple(tf.audio.decode_wav(contents, desired_channels, desired_samples))


@raw
def AudioSpectrogram(input: Any, window_size: int, stride: int, magnitude_squared: bool) -> Any:
    """Of each channel, over windows of Hann that lie in the sound as a whole."""
    length = 1 << max(window_size - 1, 0).bit_length()
    parts = tf.signal.stft(tf.transpose(input), window_size, stride, length)
    size = tf.math.abs(parts)
    return size * size if magnitude_squared else size
