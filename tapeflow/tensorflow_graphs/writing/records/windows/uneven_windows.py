"""Pooling in regions of uneven sizes: where each greatest element is, and weights of averages."""

from __future__ import annotations

from typing import Any

import numpy as np

from tapeflow.base import dtypes
from tapeflow.tensorflow_graphs.writing.operands import cast, part, product, reshape, scalar, sizes
from tapeflow.tensorflow_graphs.writing.written_records import written

_I64 = dtypes.int64


def _ratio(size: int, count: int) -> float:
    """A ratio that leaves `count` regions of `size` elements, far from where it is rounded."""
    return 1.0 if count == size else size / (count + 0.5)


@written("fractional_borders")
def fractional_borders(w: Any, node: Any) -> Any:
    """Regions are drawn by TensorFlow's op, here for an image of zeros."""
    attrs = node.attrs
    height, width = attrs["height"], attrs["width"]
    ratios = [1.0, _ratio(height, attrs["rows"]), _ratio(width, attrs["columns"]), 1.0]
    blank = w.const(np.zeros([1, height, width, 1], np.float32))
    return w.FractionalMaxPool(blank, pooling_ratio=ratios, pseudo_random=attrs["pseudo"])[1:]


def _ends(w: Any, borders: Any, size: Any, overlapping: bool) -> tuple[Any, Any]:
    """Where regions begin, and behind which element they end."""
    begins, ends = part(w, borders, 0, -1), part(w, borders, 1, None)
    if overlapping:
        ends = w.Minimum(w.AddV2(ends, w.const(1, _I64)), scalar(w, size, _I64))
    return begins, ends


def _window(w: Any, borders: Any, size: Any, overlapping: bool) -> tuple[Any, Any]:
    """The elements of each region, as many for all: the last one again where a region is smaller.
    """
    begins, ends = _ends(w, borders, size, overlapping)
    longest = w.Max(w.Sub(ends, begins), w.const([0], dtypes.int32))
    steps = w.Range(w.const(0, _I64), longest, w.const(1, _I64))
    column = w.const([-1, 1], dtypes.int32)
    last = w.Sub(w.Reshape(ends, column), w.const(1, _I64))
    return w.Minimum(w.AddV2(w.Reshape(begins, column), steps), last), longest


@written("fractional_argmax")
def fractional_argmax(w: Any, node: Any, x: Any, rows: Any, columns: Any) -> Any:
    """Elements of a region side by side, and the first greatest among them."""
    batch, height, width, depth = sizes(w, x)
    overlapping = node.attrs["overlapping"]
    down, _ = _window(w, rows, height, overlapping)
    across, wide = _window(w, columns, width, overlapping)
    axis = [w.const(i, dtypes.int32) for i in range(4)]
    picked = w.GatherV2(x, down, axis[1])  # batch, regions down, elements down, width, depth
    picked = w.GatherV2(picked, across, axis[3])  # …, regions across, elements across, depth
    picked = w.Transpose(picked, w.const([0, 1, 3, 2, 4, 5], dtypes.int32))
    n_rows, n_columns = [w.Sub(w.Size(one), w.const(1, dtypes.int32)) for one in (rows, columns)]
    picked = reshape(w, picked, [batch, n_rows, n_columns, -1, depth])
    place = w.ArgMax(picked, axis[3], output_type=_I64)
    row = w.FloorDiv(place, wide)
    column = w.Sub(place, w.Mul(row, wide))
    tall = w.GatherV2(w.Shape(down), w.const(1, dtypes.int32), axis[0])
    at_row = _looked_up(w, down, row, [1, n_rows, 1, 1], tall)
    wide32 = cast(w, wide, dtypes.int32)
    at_column = _looked_up(w, across, column, [1, 1, n_columns, 1], wide32)
    flat = w.AddV2(w.Mul(at_row, scalar(w, width, _I64)), at_column)
    images = _counted(w, batch, [batch, 1, 1, 1])
    flat = w.AddV2(flat, w.Mul(images, scalar(w, product(w, [height, width]), _I64)))
    return w.AddV2(w.Mul(flat, scalar(w, depth, _I64)), _counted(w, depth, [1, 1, 1, depth]))


def _counted(w: Any, n: Any, shape: list) -> Any:
    """0, 1, … n - 1 in this shape."""
    return reshape(w, w.Range(w.const(0, _I64), scalar(w, n, _I64), w.const(1, _I64)), shape)


def _looked_up(w: Any, window: Any, place: Any, shape: list, length: Any) -> Any:
    """Of each region's elements the one at a place; `shape`: how regions lie among places."""
    count = next(n for n in shape if not isinstance(n, int))
    before = w.Mul(_counted(w, count, shape), cast(w, length, _I64))
    return w.GatherV2(reshape(w, window, [-1]), w.AddV2(place, before),
                      w.const(0, dtypes.int32))


@written("fractional_weights")
def fractional_weights(w: Any, node: Any, borders: Any) -> Any:
    size = node.attrs["size"]
    begins, ends = [w.Reshape(one, w.const([-1, 1], dtypes.int32)) for one in _ends(
        w, borders, size, node.attrs["overlapping"])]
    at = w.const(np.arange(size), _I64) if isinstance(size, int) else _counted(w, size, [-1])
    inside = w.LogicalAnd(w.GreaterEqual(at, begins), w.Less(at, ends))
    count = cast(w, w.Sub(ends, begins), dtypes.float64)
    return w.RealDiv(cast(w, inside, dtypes.float64), count)
