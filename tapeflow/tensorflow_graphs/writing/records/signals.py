"""Fourier and cosine transforms, frames, sound."""

from __future__ import annotations

from typing import Any

from tapeflow.base import dtypes
from tapeflow.tensorflow_graphs.writing.operands import (
    cast,
    given,
    halves,
    inverse,
    joined,
    product,
    rank,
    scalar,
    size,
    sizes,
    transpose,
)
from tapeflow.tensorflow_graphs.writing.written_records import written

_COMPLEX = {"float32": dtypes.complex64, "float64": dtypes.complex128}
_REAL = {"complex64": dtypes.float32, "complex128": dtypes.float64}


# -- Fourier ---------------------------------------------------------------------------------------
def _last(x: Any, axes: tuple) -> list[int]:
    """The order of axes in which those of a transform come last."""
    dims = rank(x)
    chosen = [axis % dims for axis in axes]
    return [*[i for i in range(dims) if i not in chosen], *chosen]


def _op(name: str, axes: tuple) -> str:
    if len(axes) > 3:
        raise NotImplementedError("TensorFlow's Fourier transforms have at most three axes")
    return name if len(axes) == 1 else f"{name}{len(axes)}D"


def _scaled(w: Any, x: Any, node: Any, counts: list, backwards: bool) -> Any:
    """TensorFlow divides by the size on the way back; `norm` may say on the way there."""
    if node.attrs["norm"] == "backward":
        return x
    kind = _REAL.get(x.dtype.name, x.dtype)
    total = product(w, counts)
    number = w.const(total, kind) if isinstance(total, int) else w.Cast(total, DstT=kind)
    number = number if backwards else w.Reciprocal(number)
    if node.attrs["norm"] == "ortho":
        number = w.Sqrt(number)
    return w.Mul(x, cast(w, number, x.dtype))


@written("fft")
def fft(w: Any, node: Any, x: Any) -> Any:
    axes, back = node.attrs["axes"], bool(node.attrs["inverse"])
    perm = _last(x, axes)
    found = w.emit(_op("IFFT" if back else "FFT", axes), [transpose(w, x, perm)])
    shape = sizes(w, x)
    return transpose(w, _scaled(w, found, node, [shape[i] for i in axes], back), inverse(perm))


def _weights(w: Any, bins: Any, count: Any, factor: float, axis: int, kind: Any) -> Any:
    """1 for the bins that stand for one frequency of a real signal, the factor for others."""
    one = w.const(1, dtypes.int32)
    places = w.Range(w.const(0, dtypes.int32), bins, one)
    double = w.LogicalAnd(w.Greater(places, w.const(0, dtypes.int32)),
                          w.Less(w.Mul(places, w.const(2, dtypes.int32)), count))
    found = w.SelectV2(double, w.const(factor, kind), w.const(1, kind))
    return w.Reshape(found, joined(w, [-1, *[1] * (-axis - 1)]))


@written("rfft")
def rfft(w: Any, node: Any, x: Any) -> Any:
    axes = node.attrs["axes"]
    perm, shape = _last(x, axes), sizes(w, x)
    counts = [shape[i] for i in axes]
    wide = x if x.dtype.name in _COMPLEX else w.Cast(x, DstT=dtypes.float32)
    kind = _COMPLEX[wide.dtype.name]
    found = w.emit(_op("RFFT", axes), [transpose(w, wide, perm), joined(w, counts)],
                   {"Tcomplex": kind})
    found = transpose(w, _scaled(w, found, node, counts, False), inverse(perm))
    if not node.attrs["weighted"]:
        return found
    length = scalar(w, counts[-1])
    bins = w.AddV2(w.FloorDiv(length, w.const(2, dtypes.int32)), w.const(1, dtypes.int32))
    return w.Mul(found, cast(w, _weights(w, bins, length, 2.0, axes[-1], wide.dtype), kind))


@written("irfft")
def irfft(w: Any, node: Any, x: Any) -> Any:
    axes, count = node.attrs["axes"], given(w, node.attrs["n"])
    perm, shape = _last(x, axes), sizes(w, x)
    kind = _REAL[x.dtype.name]
    if node.attrs["weighted"]:
        bins = scalar(w, shape[axes[-1]])
        x = w.Mul(x, cast(w, _weights(w, bins, count, 0.5, axes[-1], kind), x.dtype))
    counts = [*[shape[i] for i in axes[:-1]], count]
    found = w.emit(_op("IRFFT", axes), [transpose(w, x, perm), joined(w, counts)],
                   {"Treal": kind})
    return transpose(w, _scaled(w, found, node, counts, True), inverse(perm))


# -- cosines ---------------------------------------------------------------------------------------
@written("dct")
def dct(w: Any, node: Any, x: Any) -> Any:
    """The matrix of the transform, times the last axis."""
    matrix = _cosines(w, node.attrs["kind"], bool(node.attrs["ortho"]), size(w, x, -1))

    def run(x: Any) -> Any:
        row = w.ExpandDims(x, w.const(-2, dtypes.int32))
        found = w.BatchMatMulV2(row, cast(w, matrix, x.dtype), adj_y=not node.attrs["flipped"])
        return w.Squeeze(found, squeeze_dims=[-2])

    return halves(w, [x], run)


def _cosines(w: Any, kind: int, ortho: bool, count: Any) -> Any:
    """Row k has the weights of the samples in bin k."""
    def number(value: float) -> Any:
        return w.const(value, dtypes.float64)

    if kind == 3 and ortho:
        return w.Transpose(_cosines(w, 2, True, count), w.const([1, 0], dtypes.int32))
    n = w.Cast(count, DstT=dtypes.float64)
    places = w.Range(number(0), n, number(1))
    bins = w.ExpandDims(places, w.const(1, dtypes.int32))
    late = w.AddV2(places, number(0.5))
    if kind == 1:
        last = w.Sub(n, number(1))
        waves, span = w.Mul(bins, places), last
        ends = w.LogicalOr(w.Equal(places, number(0)), w.Equal(places, last))
        weights = w.SelectV2(ends, number(1), number(2))
    elif kind == 2:
        waves, span, weights = w.Mul(bins, late), n, number(2)
    elif kind == 3:
        waves, span = w.Mul(w.AddV2(bins, number(0.5)), places), n
        weights = w.SelectV2(w.Equal(places, number(0)), number(1), number(2))
    else:
        waves, span, weights = w.Mul(w.AddV2(bins, number(0.5)), late), n, number(2)
    matrix = w.Mul(weights, w.Cos(w.RealDiv(w.Mul(number(3.141592653589793), waves), span)))
    if not ortho:
        return matrix
    scale = w.Rsqrt(w.Mul(number(2), n))
    if kind == 2:
        first = w.Equal(bins, number(0))
        scale = w.Mul(scale, w.SelectV2(first, number(0.7071067811865476), number(1)))
    return w.Mul(matrix, scale)


# -- frames ----------------------------------------------------------------------------------------
@written("frame")
def frame(w: Any, node: Any, x: Any) -> Any:
    axis = node.attrs["axis"] + rank(x)
    length, step = given(w, node.attrs["length"]), given(w, node.attrs["step"])
    zero, one = w.const(0, dtypes.int32), w.const(1, dtypes.int32)
    room = w.AddV2(w.Sub(size(w, x, axis), length), step)
    count = w.Maximum(w.FloorDiv(room, step), zero)
    starts = w.ExpandDims(w.Mul(w.Range(zero, count, one), step), one)
    return w.GatherV2(x, w.AddV2(starts, w.Range(zero, length, one)),
                      w.const(axis, dtypes.int32))


@written("overlap_and_add")
def overlap_and_add(w: Any, node: Any, x: Any) -> Any:
    axis = node.attrs["axis"] + rank(x) - 1  # of the frames; the samples of a frame follow
    step, total = given(w, node.attrs["step"]), given(w, node.attrs["total"])
    zero, one = w.const(0, dtypes.int32), w.const(1, dtypes.int32)
    perm = [axis, axis + 1, *[i for i in range(rank(x)) if i not in (axis, axis + 1)]]
    starts = w.ExpandDims(w.Mul(w.Range(zero, size(w, x, axis), one), step), one)
    places = w.AddV2(starts, w.Range(zero, size(w, x, axis + 1), one))
    places = w.SelectV2(w.Less(places, total), places, w.const(-1, dtypes.int32))
    found = w.UnsortedSegmentSum(transpose(w, x, perm), places, total)
    order = [*range(1, axis + 1), 0, *range(axis + 1, rank(x) - 1)]
    return transpose(w, found, order)


# -- sound -----------------------------------------------------------------------------------------
@written("decode_wav")
def decode_wav(w: Any, node: Any, contents: Any) -> Any:
    return w.DecodeWav(contents, desired_channels=node.attrs["channels"],
                       desired_samples=node.attrs["samples"])


@written("encode_wav")
def encode_wav(w: Any, node: Any, audio: Any, rate: Any) -> Any:
    return w.EncodeWav(cast(w, audio, dtypes.float32), cast(w, rate, dtypes.int32))
