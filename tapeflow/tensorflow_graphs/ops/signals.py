"""Fourier transforms, sound."""

from __future__ import annotations

from typing import Any

from tapeflow.tensorflow_graphs.public import tf
from tapeflow.tensorflow_graphs.registry import raw, same

same("""
FFT signal.fft
FFT2D signal.fft2d
FFT3D signal.fft3d
IFFT signal.ifft
IFFT2D signal.ifft2d
IFFT3D signal.ifft3d
""")


@raw
def RFFT(input: Any, fft_length: Any) -> Any:
    return tf.signal.rfft(input, fft_length)


@raw
def RFFT2D(input: Any, fft_length: Any) -> Any:
    return tf.signal.rfft2d(input, fft_length)


@raw
def RFFT3D(input: Any, fft_length: Any) -> Any:
    return tf.signal.rfft3d(input, fft_length)


@raw
def IRFFT(input: Any, fft_length: Any) -> Any:
    return tf.signal.irfft(input, fft_length)


@raw
def IRFFT2D(input: Any, fft_length: Any) -> Any:
    return tf.signal.irfft2d(input, fft_length)


@raw
def IRFFT3D(input: Any, fft_length: Any) -> Any:
    return tf.signal.irfft3d(input, fft_length)


@raw
def DecodeWav(contents: Any, desired_channels: int, desired_samples: int) -> Any:
    return tuple(tf.audio.decode_wav(contents, desired_channels, desired_samples))


@raw
def EncodeWav(audio: Any, sample_rate: Any) -> Any:
    return tf.audio.encode_wav(audio, sample_rate)
