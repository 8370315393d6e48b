"""Boxes drawn over images: tf.image.draw_bounding_boxes.

A box is (y1, x1, y2, x2), in units of the image's size. May be imported by `ops.image`.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from tapeflow.base import dtypes, errors
from tapeflow.base.exports import export
from tapeflow.core.autodiff.batching import loop
from tapeflow.core.record.families import operand
from tapeflow.core.record.op import NONDIFF, define, shape_of
from tapeflow.core.record.samples import Case, uniform
from tapeflow.core.values.tensor import Tensor, wrap
from tapeflow.ops._support.arguments import brackets

_F32, _I32 = np.dtype("float32"), np.dtype("int32")


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
    if len(shape_of(table)) != 2:
        raise errors.invalid("DrawBoundingBoxes", f"colors must be a 2-D matrix, got shape "
                                                  f"{brackets(shape_of(table))}")
    return draw(x, boxes, table)


@export("compat.v1.image.draw_bounding_boxes")
def draw_bounding_boxes_v1(images: Any, boxes: Any, name: str | None = None,
                           colors: Any = None) -> Tensor:
    """As `draw_bounding_boxes`, with TensorFlow 1's order of arguments."""
    return draw_bounding_boxes(images, boxes, colors)
