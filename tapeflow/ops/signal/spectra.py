"""Short-time Fourier transforms: tf.signal.stft, inverse_stft, inverse_stft_window_fn.

May be imported by the modules of `ops.signal`.
"""

from __future__ import annotations

import math
from typing import Any

from tapeflow.base import dtypes
from tapeflow.base.exports import export
from tapeflow.core.record.primitive_ops import reshape
from tapeflow.core.values.tensor import Tensor
from tapeflow.ops._support.arguments import joined
from tapeflow.ops.array.padding import pad
from tapeflow.ops.array.tiling import tile
from tapeflow.ops.math.casting import cast
from tapeflow.ops.math.exponential import log, square
from tapeflow.ops.math.exponential import pow as power
from tapeflow.ops.math.rounding import ceil
from tapeflow.ops.math.select import select
from tapeflow.ops.reduce.reduction import reduce_sum
from tapeflow.ops.signal.fourier import fit, irfft, rfft
from tapeflow.ops.signal.framing import frame, integer, overlap_and_add, ranked, whole
from tapeflow.ops.signal.windows import hann_window


def _power_of_two(n: Any) -> Any:
    """The least power of two that is not less than n."""
    if isinstance(n, int):
        return 2 ** math.ceil(math.log(n) / math.log(2.0)) if n > 0 else 1
    whole = power(2.0, ceil(log(cast(n, dtypes.float32)) / math.log(2.0)))
    return cast(whole, dtypes.int32)


def _arguments(frame_length: Any, frame_step: Any, fft_length: Any) -> tuple:
    length, step = whole(frame_length, "frame_length"), whole(frame_step, "frame_step")
    return length, step, (_power_of_two(length) if fft_length is None
                          else integer(fft_length, "fft_length"))


@export("signal.stft")
def stft(signals: Any, frame_length: Any, frame_step: Any, fft_length: Any = None,
         window_fn: Any = hann_window, pad_end: bool = False, name: str | None = None) -> Tensor:
    """The Fourier transform of every windowed frame: [..., samples] to [..., frames, bins]."""
    x = ranked(signals, 1)
    length, step, bins = _arguments(frame_length, frame_step, fft_length)
    frames = frame(x, length, step, pad_end=pad_end)
    if window_fn is not None:
        frames = frames * window_fn(length, dtype=frames.dtype)
    return rfft(frames, [bins])


@export("signal.inverse_stft_window_fn")
def inverse_stft_window_fn(frame_step: Any, forward_window_fn: Any = hann_window,
                           name: str | None = None) -> Any:
    """A window function for `inverse_stft` that undoes the window of `stft` exactly."""

    def window_fn(frame_length: Any, dtype: Any) -> Tensor:
        step, length = integer(frame_step, "frame_step"), integer(frame_length, "frame_length")
        window = forward_window_fn(frame_length, dtype=dtype)
        overlaps = -(-length // step)
        energy = pad(square(window), [[0, overlaps * step - length]])
        energy = reduce_sum(reshape(energy, shape=joined([overlaps, step])), 0, True)
        energy = reshape(tile(energy, [overlaps, 1]), shape=(-1,))[:length]
        return select(energy == 0.0, window * 0.0, window / energy)

    return window_fn


@export("signal.inverse_stft")
def inverse_stft(stfts: Any, frame_length: Any, frame_step: Any, fft_length: Any = None,
                 window_fn: Any = hann_window, name: str | None = None) -> Tensor:
    """The signal whose frames have these transforms: windowed, and added where they overlap."""
    z = ranked(stfts, 2)
    length, step, bins = _arguments(frame_length, frame_step, fft_length)
    frames = irfft(z, [bins])
    sizes = joined([length])
    frames = fit(frames, axes=(-1,), sizes=sizes)
    if window_fn is not None:
        frames = frames * window_fn(length, dtype=frames.dtype)
    return overlap_and_add(frames, step)
