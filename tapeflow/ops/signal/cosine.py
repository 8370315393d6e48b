"""Cosine transforms: tf.signal.dct, idct, mdct, inverse_mdct.

May be imported by the modules of `ops.signal`.
"""

from __future__ import annotations

import math
import operator
from typing import Any

import numpy as np

from tapeflow.base import dtypes, errors
from tapeflow.base.exports import export
from tapeflow.base.late import library
from tapeflow.core.record.families import operand
from tapeflow.core.record.linear import move
from tapeflow.core.record.op import shape_of
from tapeflow.core.record.samples import Case
from tapeflow.core.values.convert import convert
from tapeflow.core.values.tensor import Tensor
from tapeflow.ops._support import kernel_threads
from tapeflow.ops._support.arguments import sizes_of
from tapeflow.ops._support.half_precision import float32_kernel
from tapeflow.ops.array.joining import concat, split
from tapeflow.ops.array.reverse import reverse
from tapeflow.ops.math.casting import cast
from tapeflow.ops.signal.fourier import SCIPY_FROM, fit, same_batch
from tapeflow.ops.signal.framing import frame, integer, overlap_and_add, ranked
from tapeflow.ops.signal.windows import vorbis_window

_INVERSE = {1: 1, 2: 3, 3: 2, 4: 4}


def _check(x: Any, kind: int, n: Any, axis: int, norm: str | None) -> None:
    if axis != -1:
        raise NotImplementedError(f"axis must be -1. Got: {axis}")
    if n is not None:
        if n < 1:
            raise ValueError("n should be a positive integer or None")
        operator.index(n)
    if kind not in _INVERSE:
        raise ValueError("Types I, II, III and IV (I)DCT are supported.")
    if kind == 1:
        if norm == "ortho":
            raise ValueError("Normalization is not supported for the Type-I DCT.")
        if shape_of(x)[-1] is not None and shape_of(x)[-1] < 2:
            raise ValueError("Type-I DCT requires the dimension to be greater than one.")
    if norm not in (None, "ortho"):
        raise ValueError(f"Unknown normalization. Expected None or 'ortho', got: {norm}")


def _cosines(x: np.ndarray, kind: int, ortho: bool) -> np.ndarray:
    threads = kernel_threads.count() if x.size >= SCIPY_FROM else None
    scipy_fft = library("scipy.fft", "SciPy")
    return scipy_fft.dct(x, kind, norm="ortho" if ortho else None, workers=threads)


def _ends(x: np.ndarray, kind: int, factor: float) -> np.ndarray:
    """The first element, of type 1 also the last one, times a factor."""
    x = x.copy()
    x[..., 0] *= factor
    if kind == 1:
        x[..., -1] *= factor
    return x


def _dct_kernel(x, kind, ortho, flipped):
    """The transform's matrix, or its transpose if `flipped`, times x.

    C4 is symmetric; C2 and C3 are each other's transpose but for the weight of bin 0; C1 is
    symmetric but for the weights of both ends. `ortho` has no such weights.
    """
    if not x.size:
        return x
    if kind == 1 and x.shape[-1] < 2:
        raise errors.invalid("DCT", "Type-I DCT requires the dimension to be greater than one.")
    if not flipped or kind == 4:
        return _cosines(x, kind, ortho)
    if ortho or kind == 3:
        y = _cosines(x, _INVERSE[kind], ortho)
        return y if ortho else _ends(y, kind, 0.5)
    y = _cosines(_ends(x, kind, 2.0), _INVERSE[kind], ortho)
    return y if kind == 2 else _ends(y, kind, 0.5)


def _dct_vjp(g, y, x, kind, ortho, flipped):
    return cosines(g, kind=kind, ortho=ortho, flipped=not flipped)


cosines = move("dct", float32_kernel(_dct_kernel), shape=lambda x, **attrs: x, vjp=_dct_vjp,
               batch=same_batch, dtypes="f", kind="contract", tf_name="DCT",
               check=[Case((2, 4), kind=1, ortho=False, flipped=False),
                      Case((5,), kind=1, ortho=False, flipped=True),
                      *(Case((2, 5), kind=kind, ortho=ortho, flipped=ortho) for kind in (2, 3, 4)
                        for ortho in (False, True)),
                      Case((4,), kind=2, ortho=False, flipped=True),
                      Case((4,), kind=3, ortho=False, flipped=True)])


def _transform(x: Any, kind: int, n: Any, norm: str | None) -> Tensor:
    if n is not None:
        x = fit(x, axes=(-1,), sizes=(int(n),))
    return cosines(x, kind=kind, ortho=norm == "ortho", flipped=False)


def _cosine_operand(x: Any) -> Any:
    x = operand(x)
    if x.dtype not in (dtypes.float32, dtypes.float64):
        raise TypeError(f"tf.signal.dct: input must be float32 or float64, got {x.dtype.name}")
    return x


@export("signal.dct")
def dct(input: Any, type: int = 2, n: Any = None, axis: int = -1, norm: str | None = None,
        name: str | None = None) -> Tensor:
    """The discrete cosine transform, of type 1 to 4, over the last axis."""
    x = _cosine_operand(input)
    _check(x, type, n, axis, norm)
    return _transform(x, type, n, norm)


@export("signal.idct")
def idct(input: Any, type: int = 2, n: Any = None, axis: int = -1, norm: str | None = None,
         name: str | None = None) -> Tensor:
    """The inverse cosine transform, up to a factor of 2n unless norm is 'ortho'."""
    x = _cosine_operand(input)
    _check(x, type, n, axis, norm)
    return _transform(x, _INVERSE[type], n, norm)


# -- overlapping frames ----------------------------------------------------------------------------
def windowed(frames: Any, window_fn: Any, length: Any, dtype: Any) -> Tensor:
    """Frames times a window; without one, the weight that makes overlaps add up."""
    if window_fn is None:
        return frames * convert(1.0 / math.sqrt(2.0), frames.dtype)
    return frames * window_fn(length, dtype=dtype)


@export("signal.mdct")
def mdct(signals: Any, frame_length: Any, window_fn: Any = vorbis_window, pad_end: bool = False,
         norm: str | None = None, name: str | None = None) -> Tensor:
    """The modified discrete cosine transform of half-overlapping frames."""
    x = ranked(signals, 1)
    length = integer(frame_length, "frame_length")
    if isinstance(length, int) and length % 4:
        raise ValueError("The frame length must be a multiple of 4.")
    frames = windowed(frame(x, length, length // 2, pad_end=pad_end), window_fn, length, x.dtype)
    a, b, c, d = split(frames, 4, axis=-1)
    folded = concat([-reverse(c, [-1]) - d, a - reverse(b, [-1])], -1)
    return dct(folded, type=4, norm=norm)


@export("signal.inverse_mdct")
def inverse_mdct(mdcts: Any, window_fn: Any = vorbis_window, norm: str | None = None,
                 name: str | None = None) -> Tensor:
    """The signal of which these are modified cosine transforms."""
    x = ranked(mdcts, 2)
    half = sizes_of(x)[-1]
    if norm not in (None, "ortho"):
        raise ValueError(f"tf.signal.inverse_mdct: norm must be None or 'ortho', got {norm!r}")
    frames = dct(x, type=4, norm=norm)
    if norm is None:
        frames = 0.5 / cast(half, x.dtype) * frames
    first, second = split(frames, 2, axis=-1)
    whole = concat([second, -reverse(second, [-1]), -reverse(first, [-1]), -first], -1)
    return overlap_and_add(windowed(whole, window_fn, 2 * half, x.dtype), half)
