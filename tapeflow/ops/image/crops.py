"""Parts of images in boxes, resized to one size: tf.image.crop_and_resize.

Two records: the crops, linear in the images, and their transpose. With `slope` they give the
derivatives by the position of a row ("r"), of a column ("c") or of both ("rc"), of which gradients
by boxes are made, to any order. May be imported by `ops.image`.
"""

from __future__ import annotations

from math import prod
from typing import Any

import numpy as np

from tapeflow.base import dtypes, errors
from tapeflow.base.attributes import real
from tapeflow.base.exports import export
from tapeflow.core.autodiff.batching import loop
from tapeflow.core.record.families import operand
from tapeflow.core.record.op import Spec, define, shape_of
from tapeflow.core.record.primitive_ops import (
    cast,
    dims,
    reduce_sum,
    reshape,
    stack,
    static,
    transpose,
)
from tapeflow.core.record.row_ops import at_rows
from tapeflow.core.record.samples import Case, uniform
from tapeflow.core.values.tensor import Tensor, wrap
from tapeflow.ops._support.arguments import (
    brackets,
    int_vector,
    integers,
    joined,
    sizes_of,
    wrong_kind,
)
from tapeflow.ops.image import interpolation as lines

_OP = "CropAndResize"
_F32 = np.dtype("float32")
PART = 1 << 16  # elements that are worked on at a time
WIDE = 1 << 10  # pixels of a crop that is made by itself


# -- kernels ---------------------------------------------------------------------------------------
def _grid(low: np.ndarray, high: np.ndarray, n: int, count: int) -> np.ndarray:
    """Where rows (or columns) of each box's crop lie in the image: [boxes, count]."""
    last = low.dtype.type(n - 1)
    if count == 1:
        return ((low + high) * low.dtype.type(0.5) * last)[:, None]
    step = (high - low) * last / low.dtype.type(count - 1)
    return (low * last)[:, None] + step[:, None] * np.arange(count, dtype=low.dtype)


class _SamplePoints:
    """The four pixels around each point of some boxes, and how far it lies between them."""

    def __init__(self, boxes: np.ndarray, indices: np.ndarray, image: tuple, size: tuple):
        height, width = image
        rows = _grid(boxes[:, 0], boxes[:, 2], height, size[0])
        columns = _grid(boxes[:, 1], boxes[:, 3], width, size[1])
        self.outside = (((rows < 0) | (rows > height - 1))[:, :, None]
                        | ((columns < 0) | (columns > width - 1))[:, None, :])
        self.rows, self.columns = np.clip(rows, 0, height - 1), np.clip(columns, 0, width - 1)
        top, left = np.floor(self.rows), np.floor(self.columns)
        self.down = (self.rows - top)[:, :, None, None]
        self.across = (self.columns - left)[:, None, :, None]
        self.first = indices.astype(np.int64)[:, None, None] * (height * width)
        self.width = width
        self.top, self.left = top, left
        self.bottom, self.right = np.ceil(self.rows), np.ceil(self.columns)

    def flat(self, rows: np.ndarray, columns: np.ndarray) -> np.ndarray:
        return (self.first + rows.astype(np.int64)[:, :, None] * self.width
                + columns.astype(np.int64)[:, None, :])

    def nearest(self) -> np.ndarray:
        half = self.rows.dtype.type(0.5)
        return self.flat(np.floor(self.rows + half), np.floor(self.columns + half))


def _mixed(at: _SamplePoints, pixels: Any, slope: str) -> np.ndarray:
    """Between four pixels, or how that changes with the row or the column."""
    def along(row: np.ndarray) -> np.ndarray:
        left, right = pixels(at.flat(row, at.left)), pixels(at.flat(row, at.right))
        right -= left
        if "c" not in slope:
            right *= at.across
            right += left
        return right

    upper, lower = along(at.top), along(at.bottom)
    lower -= upper
    if "r" in slope:
        return lower
    lower *= at.down
    lower += upper
    return lower


def _groups(count: int, each: int) -> list[slice]:
    step = max(1, PART // max(each, 1))
    return [slice(i, min(i + step, count)) for i in range(0, count, step)]


def _check(image: np.ndarray, indices: np.ndarray, count: int) -> None:
    if image.dtype.kind != "f":
        raise wrong_kind(_OP, "T", image.dtype, "half, float, double")
    if indices.size and (indices.min() < 0 or indices.max() >= count):
        raise errors.OutOfRangeError(None, None, (
            f"box_index has values outside [0, {count}) [Op:{_OP}]"))


def _crop_kernel(image, boxes, indices, size, nearest, value, slope):
    count, height, width, depth = image.shape
    size = tuple([int(n) for n in size])
    _check(image, indices, count)
    if min(size) <= 0 or len(boxes) != len(indices):
        raise errors.invalid(_OP, f"crop dimensions must be positive, and {len(boxes)} boxes need "
                                  f"as many indices; got {brackets(size)} and {len(indices)}")
    flat = np.ascontiguousarray(image).reshape(-1, depth)
    out = np.empty((len(boxes), *size, depth), image.dtype)
    boxes = boxes.astype(image.dtype, copy=False)
    if prod(size) >= WIDE and depth <= lines.NARROW and not nearest and not slope:
        points = _SamplePoints(boxes, indices, (height, width), size)
        _large_crops(image, points, indices, value, out)
        return out
    for part in _groups(len(boxes), prod(size) * depth):
        at = _SamplePoints(boxes[part], indices[part], (height, width), size)
        if nearest:
            out[part] = flat.take(at.nearest(), 0, mode="clip")
        else:
            out[part] = _mixed(at, lambda indices: flat.take(indices, 0, mode="clip"), slope)
        if at.outside.any():
            out[part][at.outside] = value
    return out


def _large_crops(image: np.ndarray, at: _SamplePoints, indices: np.ndarray, value: Any,
                 out: np.ndarray) -> None:
    """Crops of many pixels of few channels: of whole rows first, then of their columns."""
    depth = image.shape[3]
    channels = np.arange(depth)
    flat = image.reshape(*image.shape[:2], -1)

    def work(i: int) -> None:
        ends = [ends[i].astype(np.intp) for ends in (at.top, at.bottom, at.left, at.right)]
        top, bottom, left, right = ends
        first, last = int(min(left.min(), right.min())), int(max(left.max(), right.max())) + 1
        rows = flat[indices[i], :, first * depth:last * depth]
        mixed = lines.towards(rows[top], rows[bottom], at.down[i, :, :, 0])
        near, far = [mixed.take(((one - first)[:, None] * depth + channels).ravel(), 1, mode="clip")
                     for one in (left, right)]
        lines.towards(near, far, np.repeat(at.across[i, 0, :, 0], depth),
                      out[i].reshape(len(top), -1))
        if at.outside[i].any():
            out[i][at.outside[i]] = value

    if out.size < lines.SHARED or len(out) < 2:
        for i in range(len(out)):
            work(i)
    else:
        lines.kernel_threads.share(work, range(len(out)))


def _back_kernel(g, boxes, indices, shape, nearest, slope):
    shape = tuple([int(n) for n in shape])
    _check(g, indices, shape[0])
    out = np.zeros((prod(shape[:3]), shape[3]), g.dtype)
    boxes = boxes.astype(g.dtype, copy=False)
    for part in _groups(len(boxes), prod(g.shape[1:])):
        at = _SamplePoints(boxes[part], indices[part], shape[1:3], g.shape[1:3])
        given = np.where(at.outside[..., None], g.dtype.type(0), g[part])
        if nearest:
            at_rows(np.add, out, at.nearest().ravel(), given.reshape(-1, shape[3]))
            continue
        weights = _Weights(at, slope)
        for row, down in ((at.top, weights.top), (at.bottom, weights.bottom)):
            for column, across in ((at.left, weights.left), (at.right, weights.right)):
                at_rows(np.add, out, at.flat(row, column).ravel(),
                        (given * (down * across)).reshape(-1, shape[3]))
    return out.reshape(shape)


class _Weights:
    """How much of each neighbour there is in `_mixed`."""

    def __init__(self, at: _SamplePoints, slope: str):
        one = at.down.dtype.type(1)
        self.top, self.bottom = (-one, one) if "r" in slope else (one - at.down, at.down)
        self.left, self.right = (-one, one) if "c" in slope else (one - at.across, at.across)


# -- rules -----------------------------------------------------------------------------------------
def _like(x: Any, array: np.ndarray) -> Any:
    """A constant beside a bare value or a Tensor."""
    return wrap(array) if isinstance(x, Tensor) else array


def _ends(count: int, n: int, dtype: Any) -> np.ndarray:
    """How points move with the two ends of a box: [count, 2]."""
    t = np.full(1, 0.5) if count == 1 else np.arange(count) / (count - 1)
    return (np.stack([1 - t, t], 1) * (n - 1)).astype(dtype)


def _to_boxes(g: Any, image: Any, boxes: Any, indices: Any, slope: str) -> Any:
    """The gradient by boxes of <g, crops>; TensorFlow's is bilinear also for "nearest"."""
    _, rows, columns, _ = shape_of(g)
    dtype = np.dtype(getattr(boxes.dtype, "np", boxes.dtype))
    if slope == "rc":
        return boxes * 0.0
    parts: list = []
    for letter, axis, count, n in (("r", 2, rows, shape_of(image)[1]),
                                   ("c", 1, columns, shape_of(image)[2])):
        if letter in slope:
            parts.append(None)
            continue
        both = "".join(sorted(slope + letter, reverse=True))
        moved = crops(image, boxes, indices, size=(rows, columns), nearest=False, value=0.0,
                      slope=both)
        total = reduce_sum(g * moved, axis=(axis, 3), keepdims=True)
        total = reshape(total, shape=(-1, count, 1))
        ends = _like(g, _ends(count, n, np.dtype(getattr(g.dtype, "np", g.dtype))))
        parts.append(reduce_sum(total * ends, axis=(1,), keepdims=False))
    zero = (parts[0] if parts[1] is None else parts[1]) * 0.0
    down, across = [zero if part is None else part for part in parts]
    whole = stack(down, across, axis=2)  # [boxes, end, direction]
    return cast(reshape(whole, shape=dims(boxes)), dtype=dtype)


def _folded(call, size, xs, batched, attrs):
    """Batched images (or gradients) go side by side as channels; anything else one by one."""
    if list(batched) != [True, False, False]:
        return loop(call, size, xs, batched, attrs)
    first = xs[0]
    s, n, h, w, c = sizes_of(first)
    merged = reshape(transpose(first, perm=(1, 2, 3, 0, 4)), shape=joined([n, h, w, s * c]))
    if "shape" in attrs:
        attrs = {**attrs, "shape": (*attrs["shape"][:3], s * c)}
    y = call(merged, *xs[1:], **attrs)
    n, h, w, _ = sizes_of(y)
    return transpose(reshape(y, shape=joined([n, h, w, s, c])), perm=(3, 0, 1, 2, 4))


def _crops_shape(image: Spec, boxes: Spec, indices: Spec, size: Any, **attrs: Any) -> Spec:
    count = None if boxes.shape is None else boxes.shape[0]
    known = static(size) or (None, None)
    return Spec((count, *known, None if image.shape is None else image.shape[3]), image.dtype)


def _crops_vjp(g, y, image, boxes, indices, size, nearest, value, slope):
    return crops_back(g, boxes, indices, shape=dims(image), nearest=nearest, slope=slope)


_PLACES = uniform(0.13, 0.87, (3, 4))
_WHICH = np.array([0, 1, 1], np.int32)
crops = define(
    "crop_and_resize", kernel=_crop_kernel, args=("image", "boxes", "box_indices"),
    shape=_crops_shape, batch=_folded, saves="in", dtypes="fi", tf_name=_OP,
    vjp=(_crops_vjp, lambda g, y, image, boxes, indices, size, nearest, value, slope: _to_boxes(
        g, image, boxes, indices, slope), None),
    check=[Case((2, 4, 5, 2), _PLACES, _WHICH, size=(3, 2), nearest=False, value=0.5, slope=slope)
           for slope in ("", "r", "c", "rc")] + [
        Case((2, 4, 5, 2), np.array([[0.1, 0.2, 0.8, 0.9]], np.float32), _WHICH[:1], size=(1, 2),
             nearest=True, value=0.0, slope="", grad=False)])
crops_back = define(
    "crop_and_resize_back", kernel=_back_kernel, args=("g", "boxes", "box_indices"), saves="in",
    shape=lambda g, boxes, indices, shape, **attrs: Spec(static(shape), g.dtype), batch=_folded,
    vjp=(lambda u, y, g, boxes, indices, shape, nearest, slope: crops(
            u, boxes, indices, size=shape_of(g)[1:3], nearest=nearest, value=0.0, slope=slope),
         lambda u, y, g, boxes, indices, shape, nearest, slope: _to_boxes(
             g, u, boxes, indices, slope), None),
    dtypes="fi", tf_name="CropAndResizeGradImage",
    check=[Case((3, 3, 2, 2), _PLACES, _WHICH, shape=(2, 4, 5, 2), nearest=False, slope=slope)
           for slope in ("", "r", "c", "rc")])


# -- public ----------------------------------------------------------------------------------------
_IMAGES = "uint8, uint16, int8, int16, int32, int64, float16, float32, float64"


def _check_arguments(x: Any, boxes: Any, indices: Any, size: Any, method: str) -> None:
    if x.dtype.name not in _IMAGES.split(", "):
        raise wrong_kind(_OP, "T", x.dtype, _IMAGES)
    if x.ndim != 4:
        raise errors.invalid(_OP, f"input image must be 4-D{brackets(shape_of(x))}")
    if boxes.ndim != 2 or shape_of(boxes)[1] not in (4, None):
        raise errors.invalid(_OP, f"boxes must be 2-D{brackets(shape_of(boxes))}")
    counts = shape_of(indices)[:1] + shape_of(boxes)[:1]
    if indices.ndim != 1 or None not in counts and counts[0] != counts[1]:
        raise errors.invalid(_OP, "box_indices has incompatible shape "
                                  f"{brackets(shape_of(indices))} for boxes of "
                                  f"{brackets(shape_of(boxes))}")
    if not isinstance(size, Tensor):
        if len(size) != 2:
            raise errors.invalid(_OP, f"crop_size must have two elements{brackets(size)}")
        if min(size) < 1:
            raise errors.invalid(_OP, "crop dimensions must be positive")
    if method not in ("bilinear", "nearest"):
        raise errors.invalid(_OP, f"method must be 'bilinear' or 'nearest'{method}")


@export("image.crop_and_resize")
def crop_and_resize(image: Any, boxes: Any, box_indices: Any, crop_size: Any,
                    method: str = "bilinear", extrapolation_value: float = 0.0,
                    name: str | None = None) -> Tensor:
    """The parts of images in boxes, each resized to `crop_size`; float32.

    Differentiable by the images and by the boxes.
    """
    x, boxes = operand(image), operand(boxes, dtypes.float32)
    indices = integers(operand(box_indices, dtypes.int32), _OP, "box_ind", "int32")
    size = int_vector(crop_size, _OP, "crop_size")
    _check_arguments(x, boxes, indices, size, method)
    x = x if x.dtype == dtypes.float32 else cast(x, dtype=_F32)
    return crops(x, boxes, indices, size=size, nearest=method == "nearest",
                 value=real("extrapolation_value", extrapolation_value), slope="")


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
