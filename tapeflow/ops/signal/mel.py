"""Mel scales: tf.signal.linear_to_mel_weight_matrix and mfccs_from_log_mel_spectrograms.

May be imported by the modules of `ops.signal`.
"""

from __future__ import annotations

from typing import Any

from tapeflow.base import dtypes
from tapeflow.base.exports import export
from tapeflow.core.record.families import operand
from tapeflow.core.record.op import shape_of
from tapeflow.core.values.convert import convert
from tapeflow.core.values.tensor import Tensor
from tapeflow.ops._support.arguments import sizes_of
from tapeflow.ops.array.padding import pad
from tapeflow.ops.array.ranges import linspace
from tapeflow.ops.math.casting import cast
from tapeflow.ops.math.comparison import maximum, minimum
from tapeflow.ops.math.exponential import log, rsqrt
from tapeflow.ops.signal.cosine import dct

_BREAK_HERTZ = 700.0
_HIGH_Q = 1127.0


def _mel(hertz: Any) -> Tensor:
    return _HIGH_Q * log(1.0 + hertz / _BREAK_HERTZ)


def _check(bins: int, rate: Any, lower: Any, upper: Any, dtype: dtypes.DType) -> None:
    if bins <= 0:
        raise ValueError(f"num_mel_bins must be positive. Got: {bins}")
    if lower < 0.0:
        raise ValueError(f"lower_edge_hertz must be non-negative. Got: {lower}")
    if lower >= upper:
        raise ValueError(f"lower_edge_hertz {lower:.1f} >= upper_edge_hertz {upper:.1f}")
    if not isinstance(rate, Tensor):
        if rate <= 0.0:
            raise ValueError(f"sample_rate must be positive. Got: {rate}")
        if upper > rate / 2:
            raise ValueError(f"upper_edge_hertz must not be larger than the Nyquist frequency "
                             f"(sample_rate / 2). Got {upper} for sample_rate: {rate}")
    if not dtype.is_floating:
        raise ValueError(f"dtype must be a floating point type. Got: {dtype}")


@export("signal.linear_to_mel_weight_matrix")
def linear_to_mel_weight_matrix(num_mel_bins: Any = 20, num_spectrogram_bins: Any = 129,
                                sample_rate: Any = 8000, lower_edge_hertz: Any = 125.0,
                                upper_edge_hertz: Any = 3800.0, dtype: Any = dtypes.float32,
                                name: str | None = None) -> Tensor:
    """Triangular filters, evenly spaced in mel: [spectrogram bins, mel bins]."""
    if type(sample_rate) is Tensor:
        sample_rate = sample_rate.numpy()
    _check(num_mel_bins, sample_rate, lower_edge_hertz, upper_edge_hertz, dtype)
    lower, upper = convert(lower_edge_hertz, dtype), convert(upper_edge_hertz, dtype)
    zero = convert(0.0, dtype)
    hertz = linspace(zero, cast(sample_rate, dtype) / 2.0, num_spectrogram_bins)[1:]
    mels = _mel(hertz)[:, None]  # the bin of 0 Hz has no mel
    edges = linspace(_mel(lower), _mel(upper), num_mel_bins + 2)
    left, centre, right = edges[None, :-2], edges[None, 1:-1], edges[None, 2:]
    rising, falling = (mels - left) / (centre - left), (right - mels) / (right - centre)
    return pad(maximum(zero, minimum(rising, falling)), [[1, 0], [0, 0]])


@export("signal.mfccs_from_log_mel_spectrograms")
def mfccs_from_log_mel_spectrograms(log_mel_spectrograms: Any, name: str | None = None) -> Tensor:
    """Cepstral coefficients: the cosine transform of log mel spectrograms, as HTK scales it."""
    x = operand(log_mel_spectrograms)
    if shape_of(x) and shape_of(x)[-1] == 0:
        raise ValueError(f"num_mel_bins must be positive. Got: {x}")
    y = dct(x, type=2)
    return y * rsqrt(cast(sizes_of(x)[-1], y.dtype) * 2.0)
