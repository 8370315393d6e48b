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
IFFT signal.ifft
IFFT2D signal.ifft2d
IFFT3D signal.ifft3d
IRFFT signal.irfft
IRFFT2D signal.irfft2d
IRFFT3D signal.irfft3d
RFFT signal.rfft
RFFT2D signal.rfft2d
RFFT3D signal.rfft3d
""")


@raw
def DecodeWav(contents: Any, desired_channels: int, desired_samples: int) -> Any:
    return tuple(tf.audio.decode_wav(contents, desired_channels, desired_samples))
