"""Windows: tf.signal.hann_window and kin.

Computed in the dtype of the window, as TensorFlow does, so that float32 ones round alike.
May be imported by the modules of `ops.signal`.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from tapeflow.base import dtypes
from tapeflow.base.exports import export
from tapeflow.core.record.families import operand
from tapeflow.core.record.op import shape_of
from tapeflow.core.values.convert import convert
from tapeflow.core.values.tensor import Tensor
from tapeflow.ops.array.creation import ones
from tapeflow.ops.array.joining import concat
from tapeflow.ops.array.ranges import range_
from tapeflow.ops.array.reverse import reverse
from tapeflow.ops.control import control_flow
from tapeflow.ops.math import comparison, special
from tapeflow.ops.math.arithmetic import multiply
from tapeflow.ops.math.casting import cast
from tapeflow.ops.math.exponential import exp, sqrt, square
from tapeflow.ops.math.trigonometric import cos, sin
from tapeflow.ops.nn.activations import relu
from tapeflow.ops.reduce.cumulative import cumsum


def _length(window_length: Any, dtype: Any) -> tuple[Any, dtypes.DType]:
    """The length, an int or a Tensor of a trace, and the dtype of a window."""
    if not dtype.is_floating:
        raise ValueError(f"dtype must be a floating point type. Found {dtype}")
    length = operand(window_length, dtypes.int32)
    if shape_of(length) != ():
        raise ValueError(f"Shape {length.shape} must have rank 0")
    return (int(length._value) if type(length) is Tensor else length), dtype


def _count(length: Any, dtype: dtypes.DType) -> Tensor:
    return cast(range_(length), dtype)


# -- raised cosines --------------------------------------------------------------------------------
def _raised_cosine(window_length: Any, periodic: Any, dtype: Any, a: float, b: float) -> Tensor:
    length, dtype = _length(window_length, dtype)
    switch = operand(periodic, dtypes.bool)
    if switch.dtype != dtypes.bool:
        raise ValueError(f"`periodic` must be a bool, got {switch.dtype.name}")
    if switch.ndim:
        raise ValueError(f"Shape {switch.shape} must have rank 0")
    if isinstance(length, int) and length == 1:
        return ones([1], dtype)
    wraps = cast(switch, dtypes.int32)
    n = cast(length + wraps * (1 - length % 2) - 1, dtype)
    angle = multiply(convert(2 * np.pi, dtype), _count(length, dtype)) / n
    window = a - b * cos(angle)
    if isinstance(length, int):
        return window
    return control_flow.cond(comparison.equal(length, 1), lambda: ones([length], dtype),
                          lambda: window)


@export("signal.hann_window")
def hann_window(window_length: Any, periodic: Any = True, dtype: Any = dtypes.float32,
                name: str | None = None) -> Tensor:
    """Half a cosine, raised to begin at 0; periodic for transforms, symmetric for filters."""
    return _raised_cosine(window_length, periodic, dtype, 0.5, 0.5)


@export("signal.hamming_window")
def hamming_window(window_length: Any, periodic: Any = True, dtype: Any = dtypes.float32,
                   name: str | None = None) -> Tensor:
    """A cosine raised to begin at 0.08."""
    return _raised_cosine(window_length, periodic, dtype, 0.54, 0.46)


# -- others ----------------------------------------------------------------------------------------
@export("signal.kaiser_window")
def kaiser_window(window_length: Any, beta: Any = 12.0, dtype: Any = dtypes.float32,
                  name: str | None = None) -> Tensor:
    """I0(beta · sqrt(1 - t²)) / I0(beta), for t from -1 to 1."""
    length, dtype = _length(window_length, dtype)
    if isinstance(length, int) and length == 1:
        return ones([1], dtype)
    half = (cast(length, dtypes.float32) - 1.0) / 2.0
    offset = cast(range_(-half, half + 0.1, dtype=dtypes.float32), dtype)
    beta = operand(cast(beta, dtype))
    bessel_i0e = special.bessel_i0e
    arch = beta * sqrt(relu(1.0 - square(offset / cast(half, dtype))))
    return exp(arch - beta) * (bessel_i0e(arch) / bessel_i0e(beta))


@export("signal.kaiser_bessel_derived_window")
def kaiser_bessel_derived_window(window_length: Any, beta: Any = 12.0, dtype: Any = dtypes.float32,
                                 name: str | None = None) -> Tensor:
    """Roots of the running sums of a Kaiser window, up and down again."""
    length, dtype = _length(window_length, dtype)
    sums = cumsum(kaiser_window(length // 2 + 1, beta, dtype))
    rising = sqrt(sums[:-1] / sums[-1])
    return concat([rising, reverse(rising, [0])], 0)


@export("signal.vorbis_window")
def vorbis_window(window_length: Any, dtype: Any = dtypes.float32,
                  name: str | None = None) -> Tensor:
    """sin(π/2 · sin²(π (t + ½) / length))."""
    length, dtype = _length(window_length, dtype)
    half_turn = convert(np.pi, dtype) / cast(length, dtype)
    return sin(np.pi / 2.0 * square(sin(half_turn * (_count(length, dtype) + 0.5))))
