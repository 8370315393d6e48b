"""Crops, borders, flips and rotations of images.

May be imported by the modules of `ops.image`.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from tapeflow.base import dtypes
from tapeflow.base.attributes import attributes, dense
from tapeflow.base.exports import export
from tapeflow.core.record.families import operand
from tapeflow.core.record.op import shape_of
from tapeflow.core.record.primitive_ops import cast, transpose
from tapeflow.core.values.tensor import Tensor
from tapeflow.ops._support.arguments import sizes_of, wrong_kind
from tapeflow.ops.array.padding import pad
from tapeflow.ops.array.reverse import reverse
from tapeflow.ops.control import control_flow
from tapeflow.ops.indexing.slicing import slice_
from tapeflow.ops.math import comparison


def at_least_3d(image: Any) -> Any:
    """An image, or more of them along axes before."""
    x = operand(image)
    shape = shape_of(x)
    if len(shape) < 3:
        raise ValueError(f"'image' (shape {x.shape}) must be at least three-dimensional.")
    if 0 in shape[-3:]:
        raise ValueError(f"inner 3 dims of 'image.shape' must be > 0: {x.shape}")
    return x


def three_or_four(image: Any) -> Any:
    """An image, or a batch of images."""
    x = operand(image)
    if x.ndim not in (3, 4):
        raise ValueError(f"'image' (shape {x.shape}) must have either 3 or 4 dimensions.")
    return at_least_3d(x)


def int_or_tensor(value: Any) -> Any:
    """A size or offset: an int, or a Tensor of a trace."""
    if isinstance(value, Tensor):
        if value.dtype.name not in ("int32", "int64"):
            raise wrong_kind("Sub", "T", value.dtype)
        return int(value._value) if type(value) is Tensor else value
    if isinstance(value, np.ndarray) and (value.ndim or value.dtype.kind not in "iu"):
        raise TypeError(f"a size or offset must be an integer, got {value!r}")
    return int(value) if isinstance(value, (int, np.integer, np.ndarray)) else value


def _require(holds: Any, message: str) -> None:
    """Refuse what is known to be wrong; what a trace does not know is found wrong later."""
    if not isinstance(holds, Tensor) and not holds:
        raise ValueError(message)


# -- flips and rotations ---------------------------------------------------------------------------
@export("image.flip_left_right")
def flip_left_right(image: Any) -> Tensor:
    """The first column last."""
    return reverse(three_or_four(image), [-2])


@export("image.flip_up_down")
def flip_up_down(image: Any) -> Tensor:
    """The first row last."""
    return reverse(three_or_four(image), [-3])


def _swapped(x: Any) -> Any:
    rank = x.ndim
    return transpose(x, perm=(*range(rank - 3), rank - 2, rank - 3, rank - 1))


@export("image.transpose", "compat.v1.image.transpose_image")
def transpose_image(image: Any, name: str | None = None) -> Tensor:
    """Rows and columns exchanged."""
    return _swapped(three_or_four(image))


@export("image.rot90")
def rot90(image: Any, k: Any = 1, name: str | None = None) -> Tensor:
    """Rotated k times by 90 degrees, counter-clockwise."""
    x = three_or_four(image)
    quarter_turns = operand(k, dtypes.int32)
    if shape_of(quarter_turns):
        raise ValueError(f"Shape {quarter_turns.shape} must have rank 0")
    ways = (lambda: x, lambda: _swapped(reverse(x, [-2])), lambda: reverse(x, [-3, -2]),
            lambda: reverse(_swapped(x), [-2]))
    if type(quarter_turns) is Tensor:
        return ways[int(quarter_turns._value) % 4]()
    return control_flow.switch_case(quarter_turns % 4, ways)


# -- crops and borders -----------------------------------------------------------------------------
def _whole(x: Any, offsets: tuple, sizes: tuple) -> tuple[list, list]:
    """Begin and size for all axes from those of height and width."""
    before = [0] * (x.ndim - 3)
    return [*before, *offsets, 0], [*(-1 for _ in before), *sizes, -1]


@export("image.crop_to_bounding_box")
def crop_to_bounding_box(image: Any, offset_height: Any, offset_width: Any, target_height: Any,
                         target_width: Any) -> Tensor:
    """The part of an image that begins at an offset and has a given size."""
    x = three_or_four(image)
    top, left, height, width = map(int_or_tensor, (offset_height, offset_width, target_height,
                                                   target_width))
    rows, columns = sizes_of(x)[-3:-1]
    _require(left >= 0, "offset_width must be >= 0.")
    _require(top >= 0, "offset_height must be >= 0.")
    _require(width > 0, "target_width must be > 0.")
    _require(height > 0, "target_height must be > 0.")
    _require(columns >= width + left, "width must be >= target + offset.")
    _require(rows >= height + top, "height must be >= target + offset.")
    return slice_(x, *_whole(x, (top, left), (height, width)))


@export("image.pad_to_bounding_box")
def pad_to_bounding_box(image: Any, offset_height: Any, offset_width: Any, target_height: Any,
                        target_width: Any) -> Tensor:
    """An image at an offset, with zeros around it up to a given size."""
    x = three_or_four(image)
    top, left, height, width = map(int_or_tensor, (offset_height, offset_width, target_height,
                                                   target_width))
    rows, columns = sizes_of(x)[-3:-1]
    right, bottom = width - left - columns, height - top - rows
    _require(top >= 0, "offset_height must be >= 0")
    _require(left >= 0, "offset_width must be >= 0")
    _require(right >= 0, "width must be <= target - offset")
    _require(bottom >= 0, "height must be <= target - offset")
    y = pad(x, [*([0, 0] for _ in range(x.ndim - 3)), [top, bottom], [left, right], [0, 0]])
    return _known(y, height, width)


def _known(y: Any, height: Any, width: Any) -> Any:
    """A result of a trace, with the height and width that were asked for."""
    if type(y) is not Tensor:
        sizes = [n if isinstance(n, int) else None for n in (height, width)]
        y.set_shape([*(None for _ in range(y.ndim - 3)), *sizes, None])
    return y


@export("image.central_crop")
@attributes(image=dense)
def central_crop(image: Any, central_fraction: Any) -> Tensor:
    """The middle of an image: a fraction of its height and of its width."""
    x = operand(image)
    fraction = central_fraction
    if type(fraction) is Tensor:
        fraction = float(fraction._value)
    if not isinstance(fraction, Tensor):
        if fraction <= 0.0 or fraction > 1.0:
            raise ValueError("central_fraction must be within (0, 1]")
        if fraction == 1.0:
            return x
    x = at_least_3d(x)
    if x.ndim not in (3, 4):
        raise ValueError("`image` should either be a Tensor with rank = 3 or rank = 4. Had rank = "
                         f"{x.ndim}.")
    offsets, sizes = [], []
    for n in sizes_of(x)[-3:-1]:
        start = _margin(n, fraction)
        offsets.append(start)
        sizes.append(n - start * 2)
    return slice_(x, *_whole(x, tuple(offsets), tuple(sizes)))


def _margin(n: Any, fraction: Any) -> Any:
    if isinstance(n, int) and not isinstance(fraction, Tensor):
        return int((n - n * float(fraction)) / 2)
    double = np.dtype("float64")
    exact = cast(operand(n), dtype=double)
    part = cast(operand(fraction), dtype=double)
    return cast((exact - exact * part) / 2.0, dtype=np.dtype("int32"))


def _larger(a: Any, b: Any) -> Any:
    return comparison.maximum(a, b) if isinstance(a, Tensor) or isinstance(b, Tensor) else max(a, b)


def _smaller(a: Any, b: Any) -> Any:
    return comparison.minimum(a, b) if isinstance(a, Tensor) or isinstance(b, Tensor) else min(a, b)


@export("image.resize_with_crop_or_pad", "compat.v1.image.resize_image_with_crop_or_pad")
def resize_with_crop_or_pad(image: Any, target_height: Any, target_width: Any) -> Tensor:
    """Cropped about the middle or centred on zeros, along each axis as it needs."""
    x = three_or_four(image)
    height, width = int_or_tensor(target_height), int_or_tensor(target_width)
    _require(width > 0, "target_width must be > 0.")
    _require(height > 0, "target_height must be > 0.")
    rows, columns = sizes_of(x)[-3:-1]
    down, across = height - rows, width - columns
    x = crop_to_bounding_box(x, _larger(-down // 2, 0), _larger(-across // 2, 0),
                             _smaller(height, rows), _smaller(width, columns))
    return pad_to_bounding_box(x, _larger(down // 2, 0), _larger(across // 2, 0), height, width)
