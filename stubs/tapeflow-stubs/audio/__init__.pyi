# Written by tools/stubs.py (make stubs).
"""tf.audio"""

from typing import Any

import tapeflow as tf
from tapeflow._typing import DecodeWav, IntLike, TensorLike

def decode_wav(
    contents: Any, desired_channels: IntLike = -1, desired_samples: IntLike = -1,
    name: str | None = None,
) -> DecodeWav:
    """Samples in [-1, 1) and the sample rate of a 16-bit WAV file's bytes."""

def encode_wav(
    audio: TensorLike, sample_rate: Any, name: str | None = None,
) -> tf.Tensor:
    """The bytes of a 16-bit WAV file with this sound: [samples, channels] in [-1, 1]."""
