"""Which input pixels make an output pixel along one axis, and with what weights.

`Taps` for every method of tf.image.resize, computed in float32 step by step as TensorFlow does, so
that coordinates fall on the same side of a pixel; and how taps are applied to an axis of an array:
in order (exact where few), or as products with small dense blocks of the banded matrix.
May be imported by the modules of `ops.image`.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np

from tapeflow.base.late import library
from tapeflow.ops._support import kernel_threads

_f = np.float32
_TABLE = 1024  # TensorFlow looks cubic weights up in so many steps
_TINY = _f(1000) * np.finfo(np.float32).tiny
PIXEL_BLOCK = 16  # output pixels of one dense block
SHARED = 1 << 16  # elements from which threads share the work
NARROW = 8  # up to so many channels, a block of columns holds all of them


class Taps(NamedTuple):
    """Output i is the sum over k of weights[i, k] times input indices[i, k]; `size` inputs."""

    indices: np.ndarray
    weights: np.ndarray
    size: int
    area: Any = _f(1)  # what the result is divided by


# -- coordinates -----------------------------------------------------------------------------------
def step(n: int, out: int, centres: str) -> Any:
    """Input pixels per output pixel; `centres` is "half", "legacy" or "corners"."""
    if centres == "corners" and out > 1:
        return _f(n - 1) / _f(out - 1)
    return _f(n) / _f(out)


def coordinates(n: int, out: int, centres: str) -> np.ndarray:
    """Where output pixels lie among input pixels, as float32."""
    i = np.arange(out, dtype=np.float32)
    if centres == "half":
        return (i + _f(0.5)) * step(n, out, centres) - _f(0.5)
    return i * step(n, out, centres)


def nearest(n: int, out: int, centres: str) -> np.ndarray:
    """The input pixel for each output pixel, of the nearest-neighbour method."""
    i = np.arange(out, dtype=np.float32)
    if centres == "half":
        at = np.floor((i + _f(0.5)) * step(n, out, centres))
    else:
        at = i * step(n, out, centres)
        # roundf: halves go away from zero
        at = np.floor(at + _f(0.5)) if centres == "corners" else np.floor(at)
    return np.clip(at.astype(np.int64), 0, n - 1)


# -- methods of a few taps -------------------------------------------------------------------------
def lerp(n: int, out: int, centres: str) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Lower and upper pixel, and how far between them."""
    at = coordinates(n, out, centres)
    floor = np.floor(at)
    lower = np.maximum(floor.astype(np.int64), 0)
    upper = np.minimum(np.ceil(at).astype(np.int64), n - 1)
    return lower, upper, at - floor


def _linear(n: int, out: int, centres: str) -> Taps:
    lower, upper, far = lerp(n, out, centres)
    return Taps(np.stack([lower, upper], 1), np.stack([_f(1) - far, far], 1), n)


@lru_cache(2)
def _cubic_table(a: float) -> tuple[np.ndarray, np.ndarray]:
    """Weights of a pixel at distance i / 1024, and at 1 + i / 1024."""
    x = np.arange(_TABLE + 1) / _TABLE
    near = ((a + 2) * x - (a + 3)) * x * x + 1
    x = x + 1
    far = ((a * x - 5 * a) * x + 8 * a) * x - 4 * a
    return near.astype(np.float32), far.astype(np.float32)


def _cubic(n: int, out: int, centres: str) -> Taps:
    at = coordinates(n, out, centres)
    floor = np.floor(at)
    offset = np.rint((at - floor) * _f(_TABLE)).astype(np.int64)
    indices = floor.astype(np.int64)[:, None] + np.arange(-1, 3)
    half = centres == "half"
    near, far = _cubic_table(-0.5 if half else -0.75)
    weights = np.stack([far[offset], near[offset], near[_TABLE - offset], far[_TABLE - offset]], 1)
    inside = np.clip(indices, 0, n - 1)
    if half:  # beyond the edge nothing counts; without half-pixel centres the edge is repeated
        weights = np.where(inside == indices, weights, _f(0))
        total = weights[:, 0] + weights[:, 1] + weights[:, 2] + weights[:, 3]
        weights = weights * _inverse(total)[:, None]
    return Taps(inside, weights, n)


def _inverse(total: np.ndarray) -> np.ndarray:
    large = np.abs(total) >= _TINY
    return np.where(large, _f(1) / np.where(large, total, _f(1)), _f(1))


def _single(n: int, out: int, centres: str) -> Taps:
    return Taps(nearest(n, out, centres)[:, None], np.ones((out, 1), np.float32), n)


def towards(first: np.ndarray, second: np.ndarray, far: np.ndarray,
            out: np.ndarray | None = None) -> np.ndarray:
    """first + (second - first) · far, as TensorFlow computes it; `second` is used up."""
    second -= first
    second *= far
    return np.add(second, first, out=second if out is None else out)


# -- methods of a span -----------------------------------------------------------------------------
def _span(first: np.ndarray, last: np.ndarray) -> np.ndarray:
    """Indices from `first` up to `last`, without it, in rows of equal length."""
    return first[:, None] + np.arange(max(int((last - first).max(initial=0)), 1))


def _area(n: int, out: int, centres: str) -> Taps:
    """How much of each input pixel an output pixel covers; not yet divided by the area."""
    per = step(n, out, centres)
    i = np.arange(out, dtype=np.float32)
    begin, end = i * per, (i + _f(1)) * per
    first, last = np.floor(begin).astype(np.int64), np.ceil(end).astype(np.int64)
    indices = _span(first, last)
    after = (indices + 1).astype(np.float32)
    begin, end = begin[:, None], end[:, None]
    before = indices < begin
    weights = np.where(before, np.where(after > end, per, after - begin),
                       np.where(after > end, end - indices.astype(np.float32), _f(1)))
    weights = np.where(indices < last[:, None], weights, _f(0)).astype(np.float32)
    return Taps(np.clip(indices, 0, n - 1), weights, n, per)


def _lanczos(radius: float) -> Callable:
    def kernel(x):
        with np.errstate(all="ignore"):
            y = _f(radius) * np.sin(_f(np.pi) * x) * np.sin(_f(np.pi) * x / _f(radius)) / (
                _f(np.pi) * _f(np.pi) * x * x)
        return np.where(x > _f(radius), _f(0), np.where(x <= _f(1e-3), _f(1), y))

    return kernel


def _gaussian(x):
    deviation = _f(0.5)
    return np.where(x >= _f(1.5), _f(0), np.exp(-x * x / (_f(2) * deviation * deviation)))


def _triangle(x):
    return np.where(x < _f(1), _f(1) - x, _f(0))


def _keys(x):
    outer = ((_f(-0.5) * x + _f(2.5)) * x - _f(4)) * x + _f(2)
    inner = ((_f(1.5) * x - _f(2.5)) * x) * x + _f(1)
    return np.where(x >= _f(2), _f(0), np.where(x >= _f(1), outer, inner))


def _mitchell(x):
    outer = ((_f(-7 / 18) * x + _f(2)) * x - _f(10 / 3)) * x + _f(16 / 9)
    inner = ((_f(7 / 6) * x - _f(2)) * x) * x + _f(8 / 9)
    return np.where(x >= _f(2), _f(0), np.where(x >= _f(1), outer, inner))


def _box(x):
    return np.where(x < _f(0.5), _f(1), np.where(x == _f(0.5), _f(0.5), _f(0)))


_KERNELS: dict[str, tuple[float, Callable]] = {
    "lanczos1": (1.0, _lanczos(1.0)), "lanczos3": (3.0, _lanczos(3.0)),
    "lanczos5": (5.0, _lanczos(5.0)), "gaussian": (1.5, _gaussian), "box": (1.0, _box),
    "triangle": (1.0, _triangle), "keyscubic": (2.0, _keys), "mitchellcubic": (2.0, _mitchell)}
FILTERS = frozenset(_KERNELS)


def sampled(n: int, out: int, kernel: str, antialias: bool, scale: Any,
            translation: Any = 0.0) -> Taps:
    """A filter around each output pixel's position; wider where the image shrinks, if asked."""
    radius, function = _KERNELS[kernel]
    back = _f(1) / _f(scale)
    shift = -back * _f(translation)
    wide = max(back, _f(1)) if antialias else _f(1)
    centre = (np.arange(out, dtype=np.float32) + _f(0.5)) * back + shift
    outside = (centre < 0) | (centre > n)
    reach = _f(radius) * wide
    first = np.ceil(centre - reach - _f(0.5)).astype(np.int64)
    last = np.floor(centre + reach - _f(0.5)).astype(np.int64)
    first, last = np.clip(first, 0, n - 1), np.clip(last, 0, n - 1) + 1
    first, last = np.where(outside, 0, first), np.where(outside, 0, last)
    indices = _span(first, last)
    far = np.abs((indices.astype(np.float32) + _f(0.5) - centre[:, None]) * (_f(1) / wide))
    weights = np.where(indices < last[:, None], function(far), _f(0)).astype(np.float32)
    weights = weights * _inverse(np.cumsum(weights, 1, dtype=np.float32)[:, -1])[:, None]
    return Taps(np.clip(indices, 0, n - 1), weights, n)


_METHODS: dict[str, Callable] = {"bilinear": _linear, "bicubic": _cubic, "area": _area,
                                 "nearest": _single}


@lru_cache(256)
def taps(n: int, out: int, method: str, centres: str, antialias: bool) -> Taps:
    """The taps of one axis for a method of `resize`, or for a filter of scale_and_translate."""
    if method in _METHODS:
        return _METHODS[method](n, out, centres)
    return sampled(n, out, method, antialias, step(out, n, "legacy"))


# -- applying taps ---------------------------------------------------------------------------------
class Bands(NamedTuple):
    """A banded matrix as dense blocks: (rows, columns, block) with rows = block @ columns."""

    blocks: tuple
    out: int


def _dense(t: Taps, rows: slice, columns: slice) -> np.ndarray:
    indices, weights = t.indices[rows], t.weights[rows]
    block = np.zeros((len(indices), columns.stop - columns.start))
    inside = (indices >= columns.start) & (indices < columns.stop)
    at = np.broadcast_to(np.arange(len(indices))[:, None], indices.shape)[inside]
    np.add.at(block, (at, indices[inside] - columns.start), weights[inside])
    return block


def bands(t: Taps, width: int = PIXEL_BLOCK) -> Bands:
    """The matrix of the taps in blocks of `width` output pixels."""
    found = []
    for start in range(0, len(t.indices), width):
        rows = slice(start, min(start + width, len(t.indices)))
        used = t.indices[rows]
        columns = slice(int(used.min()), int(used.max()) + 1)
        found.append((rows, columns, _dense(t, rows, columns)))
    return Bands(tuple(found), len(t.indices))


def bands_back(t: Taps, width: int = PIXEL_BLOCK) -> Bands:
    """The transposed matrix in blocks of `width` input pixels."""
    low, high = t.indices.min(1, initial=t.size), t.indices.max(1, initial=0)
    found = []
    for start in range(0, t.size, width):
        columns = slice(start, min(start + width, t.size))
        touching = np.flatnonzero((high >= columns.start) & (low < columns.stop))
        if len(touching):
            rows = slice(int(touching[0]), int(touching[-1]) + 1)
            found.append((columns, rows, _dense(t, rows, columns).T))
    return Bands(tuple(found), t.size)


def parted(size: int, n: int, function: Callable) -> None:
    """Call `function(part)` for parts of n things, on threads if `size` elements are many."""
    few = size < SHARED or n < 2
    kernel_threads.share(function, [slice(0, n)] if few else kernel_threads.slices(n))


def along_rows(x: np.ndarray, m: Bands) -> np.ndarray:
    """(B, n, width) to (B, out, width) by the matrix."""
    out = np.zeros((x.shape[0], m.out, x.shape[2]), x.dtype)
    blocks = [(rows, columns, block.astype(x.dtype)) for rows, columns, block in m.blocks]

    def work(part: slice) -> None:
        for rows, columns, block in blocks:
            np.matmul(block, x[part, columns], out=out[part, rows])

    def work_across(part: slice) -> None:
        for rows, columns, block in blocks:
            np.matmul(block, x[:, columns, part], out=out[:, rows, part])

    if len(x) > 1:
        parted(x.size, len(x), work)
    else:
        parted(x.size, x.shape[2], work_across)
    return out


def along_columns(x: np.ndarray, m: Bands) -> np.ndarray:
    """(B, n, C) to (B, out, C) by the matrix; for many B and, if C is small, at once for all C."""
    b, n, c = x.shape
    if c > NARROW:
        return along_rows(x, m)
    flat, out = x.reshape(b, n * c), np.zeros((b, m.out * c), x.dtype)
    blocks = [(slice(rows.start * c, rows.stop * c), slice(columns.start * c, columns.stop * c),
               np.kron(block, np.eye(c)).T.astype(x.dtype)) for rows, columns, block in m.blocks]

    def work(part: slice) -> None:
        for rows, columns, block in blocks:
            np.matmul(flat[part, columns], block, out=out[part, rows])

    parted(x.size, b, work)
    return out.reshape(b, m.out, c)


# -- both directions at once, for images of many channels ------------------------------------------
@lru_cache(16)
def sparse(image: tuple, size: tuple, method: str, centres: str, back: bool, dtype: Any) -> Any:
    """The matrix from all pixels of an image to all of another size, or its transpose."""
    csr_array = library("scipy.sparse", "SciPy").csr_array
    down, across = [taps(n, m, method, centres, False) for n, m in zip(image, size, strict=True)]
    indices = down.indices[:, None, :, None] * image[1] + across.indices[None, :, None, :]
    weights = down.weights[:, None, :, None] * across.weights[None, :, None, :]
    each = indices.shape[2] * indices.shape[3]
    starts = np.arange(0, indices.size + 1, each, dtype=np.int32)
    matrix = csr_array((weights.ravel().astype(dtype), indices.ravel().astype(np.int32), starts),
                       shape=(size[0] * size[1], image[0] * image[1]))
    return matrix.T.tocsr() if back else matrix


def _adder() -> Callable | None:
    """SciPy's own loop, which adds a product to an array; a product by `@` would be copied."""
    try:
        from scipy.sparse._sparsetools import csr_matvecs
        return csr_matvecs
    except ImportError:  # it is no part of SciPy's promises
        return None


def by_pixels(x: np.ndarray, matrix: Any) -> np.ndarray:
    """(B, pixels, C) to (B, other pixels, C)."""
    rows, columns = matrix.shape
    out = np.zeros((x.shape[0], rows, x.shape[2]), x.dtype)
    add = _adder()

    def work(part: slice) -> None:
        for i in range(part.start, part.stop):
            if add is None:
                out[i] = matrix @ x[i]
            else:
                add(rows, columns, x.shape[2], matrix.indptr, matrix.indices, matrix.data,
                    x[i].ravel(), out[i].ravel())

    parted(out.size, len(x), work)
    return out
