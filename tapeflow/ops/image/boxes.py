"""Boxes in images: crop_and_resize, draw_bounding_boxes, sample_distorted_bounding_box.

A box is (y1, x1, y2, x2), in units of the image's size. May be imported by the modules of
`ops.image`.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from tapeflow.base import dtypes, errors
from tapeflow.base.exports import export
from tapeflow.core.basics import cast, gather_rows, reshape
from tapeflow.core.batching import loop
from tapeflow.core.families import operand
from tapeflow.core.op import NONDIFF, define, shape_of
from tapeflow.core.samples import Case, uniform
from tapeflow.core.tensor import Tensor, wrap
from tapeflow.ops.arguments import brackets, int_vector, integers, joined, sizes_of
from tapeflow.ops.comparison import maximum, minimum
from tapeflow.ops.rounding import ceil, floor
from tapeflow.ops.selection import select

_F32, _I32 = np.dtype("float32"), np.dtype("int32")


# -- crops -----------------------------------------------------------------------------------------
def _grid(low: Any, high: Any, n: Any, count: int) -> Any:
    """Where the rows (or columns) of each box's crop lie in the image: [boxes, count]."""
    last = (cast(operand(n), dtype=_F32) if isinstance(n, Tensor) else np.float32(n)) - 1.0
    last = wrap(last) if not isinstance(last, Tensor) else last
    low, high = low[:, None], high[:, None]
    if count == 1:
        return (low + high) * 0.5 * last
    step = (high - low) * last / float(count - 1)
    return low * last + step * wrap(np.arange(count, dtype=_F32))


def _pixels(flat: Any, first: Any, rows: Any, columns: Any, width: Any) -> Any:
    """Pixels at (row, column) of each box's image: [boxes, rows, columns, channels]."""
    whole = cast(rows, dtype=_I32)[:, :, None] * width + cast(columns, dtype=_I32)[:, None, :]
    return gather_rows(flat, whole + first)


def _check_crops(x: Any, boxes: Any, indices: Any, size: Any, method: str) -> None:
    op = "CropAndResize"
    if x.ndim != 4:
        raise errors.invalid(op, f"input image must be 4-D{brackets(shape_of(x))}")
    if boxes.ndim != 2 or shape_of(boxes)[1] not in (4, None):
        raise errors.invalid(op, f"boxes must be 2-D{brackets(shape_of(boxes))}")
    if indices.ndim != 1 or None not in (shape_of(indices)[0], shape_of(boxes)[0]) and (
            shape_of(indices)[0] != shape_of(boxes)[0]):
        raise errors.invalid(op, "box_indices has incompatible shape "
                                 f"{brackets(shape_of(indices))} for boxes of "
                                 f"{brackets(shape_of(boxes))}")
    if not isinstance(size, Tensor):
        if len(size) != 2:
            raise errors.invalid(op, f"crop_size must have two elements{brackets(size)}")
        if min(size) < 1:
            raise errors.invalid(op, "crop dimensions must be positive")
    if method not in ("bilinear", "nearest"):
        raise errors.invalid(op, f"method must be 'bilinear' or 'nearest'{method}")
    count = shape_of(x)[0]
    if type(indices) is Tensor and count is not None:
        given = indices._value
        if given.size and (given.min() < 0 or given.max() >= count):
            raise errors.OutOfRangeError(None, None, (
                "box_index has values outside [0, batch_size) [Op:CropAndResize]"))


@export("image.crop_and_resize")
def crop_and_resize(image: Any, boxes: Any, box_indices: Any, crop_size: Any,
                    method: str = "bilinear", extrapolation_value: float = 0.0,
                    name: str | None = None) -> Tensor:
    """The parts of images in boxes, each resized to `crop_size`; float32.

    Differentiable by the images and, if bilinear, by the boxes.
    """
    x, boxes = operand(image), operand(boxes, dtypes.float32)
    indices = integers(operand(box_indices, dtypes.int32), "CropAndResize", "box_ind", "int32")
    size = int_vector(crop_size, "CropAndResize", "crop_size")
    _check_crops(x, boxes, indices, size, method)
    x = x if x.dtype == dtypes.float32 else cast(x, dtype=_F32)
    batch, height, width, depth = sizes_of(x)
    rows = _grid(boxes[:, 0], boxes[:, 2], height, size[0])
    columns = _grid(boxes[:, 1], boxes[:, 3], width, size[1])
    flat = reshape(x, shape=joined([-1, depth]))
    first = (indices * height * width)[:, None, None]
    outside = (((rows < 0.0) | (rows > _last(height)))[:, :, None]
               | ((columns < 0.0) | (columns > _last(width)))[:, None, :])[..., None]
    rows_in, columns_in = _inside(rows, height), _inside(columns, width)
    if method == "nearest":
        y = _pixels(flat, first, _rounded(rows_in), _rounded(columns_in), width)
    else:
        y = _between(flat, first, rows_in, columns_in, width)
    return select(outside, y * 0.0 + float(extrapolation_value), y)


def _last(n: Any) -> Any:
    return cast(n, dtype=_F32) - 1.0 if isinstance(n, Tensor) else float(n - 1)


def _inside(at: Any, n: Any) -> Any:
    """Places moved inside the image: those outside do not count, but must be there."""
    return minimum(maximum(at, 0.0), _last(n))


def _rounded(at: Any) -> Any:
    return floor(at + 0.5)


def _between(flat: Any, first: Any, rows: Any, columns: Any, width: Any) -> Any:
    top, left = floor(rows), floor(columns)
    bottom, right = ceil(rows), ceil(columns)
    across = (columns - left)[:, None, :, None]
    down = (rows - top)[:, :, None, None]
    upper = _pixels(flat, first, top, left, width)
    upper = upper + (_pixels(flat, first, top, right, width) - upper) * across
    lower = _pixels(flat, first, bottom, left, width)
    lower = lower + (_pixels(flat, first, bottom, right, width) - lower) * across
    return upper + (lower - upper) * down


@export("compat.v1.image.crop_and_resize")
def crop_and_resize_v1(image: Any, boxes: Any, box_ind: Any = None, crop_size: Any = None,
                       method: str = "bilinear", extrapolation_value: float = 0,
                       name: str | None = None, box_indices: Any = None) -> Tensor:
    """As `crop_and_resize`, with TensorFlow 1's names."""
    return crop_and_resize(image, boxes, box_ind if box_indices is None else box_indices, crop_size,
                           method, extrapolation_value)


@export("raw_ops.CropAndResize")
def _raw_crop_and_resize(image: Any, boxes: Any, box_ind: Any, crop_size: Any,
                         method: str = "bilinear", extrapolation_value: float = 0,
                         name: str | None = None) -> Tensor:
    """`crop_and_resize` under the name of its op."""
    return crop_and_resize(image, boxes, box_ind, crop_size, method, extrapolation_value)


# -- drawing ---------------------------------------------------------------------------------------
_PALETTE = ((1, 1, 0, 1), (0, 0, 1, 1), (1, 0, 0, 1), (0, 1, 0, 1), (0.5, 0, 0.5, 1),
            (0.5, 0.5, 0, 1), (0.5, 0, 0, 1), (0, 0, 0.5, 1), (0, 1, 1, 1), (1, 0, 1, 1))


def _edges(box: Any, height: int, width: int) -> list[tuple]:
    """The lines of a box that lie in the image, as indices."""
    top, left, bottom, right = [int(float(v) * float(n - 1)) for v, n in zip(
        box, (height, width, height, width))]
    if top > bottom or left > right or top >= height or bottom < 0 or left >= width or right < 0:
        return []
    rows = slice(max(top, 0), min(bottom, height - 1) + 1)
    columns = slice(max(left, 0), min(right, width - 1) + 1)
    lines: list[tuple] = [(top, columns)] if top >= 0 else []
    lines += [(bottom, columns)] if bottom < height else []
    lines += [(rows, left)] if left >= 0 else []
    return lines + ([(rows, right)] if right < width else [])


def _draw_kernel(images, boxes, colors):
    b, height, width, depth = images.shape
    if depth not in (1, 3, 4):
        raise errors.invalid("DrawBoundingBoxes", "Channel depth should be either 1 (GRY), 3 (RGB),"
                                                  f" or 4 (RGBA), got {depth}")
    if boxes.ndim != 3 or boxes.shape[0] != b or boxes.shape[2] != 4:
        raise errors.invalid("DrawBoundingBoxes", f"boxes must be [{b}, boxes, 4], got "
                                                  f"{brackets(boxes.shape)}")
    table = np.asarray(colors, np.float32) if len(colors) else (
        np.ones((len(_PALETTE), 4), np.float32) if depth == 1 else np.array(_PALETTE, np.float32))
    if table.ndim != 2 or table.shape[1] < depth:
        raise errors.invalid("DrawBoundingBoxes", "color table must be 2-d with as many columns as "
                                                  f"there are channels, got "
                                                  f"{brackets(table.shape)}")
    out = images.copy()
    for canvas, some in zip(out, boxes, strict=True):
        for i, box in enumerate(some):
            for line in _edges(box, height, width):
                canvas[line] = table[i % len(table), :depth]
    return out


draw = define("draw_bounding_boxes", kernel=_draw_kernel, args=("images", "boxes", "colors"),
              shape=lambda images, boxes, colors: images, batch=loop, dtypes="f",
              vjp=NONDIFF("lines drawn over an image have no gradient in TensorFlow"),
              check=[Case((1, 6, 5, 3), uniform(0.1, 0.9, (1, 2, 4)), uniform(0, 1, (2, 3)))])


@export("image.draw_bounding_boxes")
def draw_bounding_boxes(images: Any, boxes: Any, colors: Any, name: str | None = None) -> Tensor:
    """Images with the outlines of boxes, in the given colours by turns (None: ten own ones)."""
    x, boxes = operand(images, hint=dtypes.float32), operand(boxes, dtypes.float32)
    if x.ndim != 4:
        raise errors.invalid("DrawBoundingBoxes", f"The rank of the images should be 4, got "
                                                  f"{brackets(shape_of(x))}")
    table = wrap(np.zeros((0, 4), _F32)) if colors is None else operand(colors, dtypes.float32)
    return draw(x, boxes, table)


@export("compat.v1.image.draw_bounding_boxes")
def draw_bounding_boxes_v1(images: Any, boxes: Any, name: str | None = None,
                           colors: Any = None) -> Tensor:
    """As `draw_bounding_boxes`, with TensorFlow 1's order of arguments."""
    return draw_bounding_boxes(images, boxes, colors)
