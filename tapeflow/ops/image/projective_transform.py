"""Images seen through a projective transformation: `tf.raw_ops.ImageProjectiveTransformV2` and V3.

Each output pixel (x, y) is read at ((a0 x + a1 y + a2) / k, (b0 x + b1 y + b2) / k) with
k = c0 x + c1 y + 1. That is linear in the image, and its adjoint writes each gradient to the
pixels that were read. TensorFlow's gradient reads through the inverse transformation instead, which
is the adjoint only for shifts by whole pixels. Loaded when one of its names is asked for.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from tapeflow.base import dtypes, errors
from tapeflow.base.exports import export
from tapeflow.core.record.families import operand
from tapeflow.core.record.op import Spec, define, shape_of
from tapeflow.core.record.primitive_ops import all_batched, broadcast_to, dims, reshape, static
from tapeflow.core.record.samples import Case
from tapeflow.core.values.tensor import Tensor
from tapeflow.ops._support.arguments import int_vector, wrong_kind

_FILL = ("REFLECT", "WRAP", "CONSTANT", "NEAREST")
_WAYS = ("NEAREST", "BILINEAR")


# -- where each pixel is read ----------------------------------------------------------------------
def _inside(at: np.ndarray, size: int, mode: str) -> np.ndarray:
    """Coordinates brought into [0, size - 1] in the way of a fill mode."""
    if mode == "CONSTANT":
        return at
    if size <= 1:
        return np.zeros_like(at)
    if mode == "REFLECT":
        period = 2 * size
        low = at + period * np.trunc(-at / period)
        low = np.where(low < -size, low + period, -low - 1)
        high = at - period * np.trunc(at / period)
        high = np.where(high >= size, period - high - 1, high)
        at = np.where(at < 0, low, np.where(at > size - 1, high, at))
    elif mode == "WRAP":
        low = at + size * (np.trunc(-at / (size - 1)) + 1)
        high = at - size * np.trunc(at / (size - 1))
        at = np.where(at < 0, low, np.where(at > size - 1, high, at))
    return np.clip(at, 0, size - 1)


def _coordinates(transforms: Any, height: int, width: int) -> tuple:
    """Where the output pixels are read: (y, x, whether k is zero), each (transforms, pixels)."""
    y, x = np.mgrid[:height, :width].reshape(2, 1, -1).astype(np.float32)
    t = transforms.astype(np.float32, copy=False).T[:, :, None]
    k = t[6] * x + t[7] * y + np.float32(1)
    nowhere = k == 0
    k = np.where(nowhere, np.float32(1), k)
    return ((t[3] * x + t[4] * y + t[5]) / k, (t[0] * x + t[1] * y + t[2]) / k, nowhere)


def _reads(shape: tuple, transforms: Any, size: tuple, interpolation: str, fill_mode: str) -> list:
    """Pairs of (index of the pixel in the flat image, -1 outside; weight), for each image."""
    height, width = shape[1:3]
    y, x, nowhere = _coordinates(transforms, *size)
    y, x = _inside(y, height, fill_mode), _inside(x, width, fill_mode)
    if interpolation == "NEAREST":
        corners = [(_round(y), _round(x), np.ones_like(y))]
    else:
        y0, x0 = np.floor(y), np.floor(x)
        up, left = y0 + 1 - y, x0 + 1 - x
        corners = [(y0, x0, up * left), (y0, x0 + 1, up * (x - x0)),
                   (y0 + 1, x0, (y - y0) * left), (y0 + 1, x0 + 1, (y - y0) * (x - x0))]
    found = []
    for row, column, weight in corners:
        good = (row >= 0) & (row < height) & (column >= 0) & (column < width) & ~nowhere
        index = np.where(good, row * width + column, -1).astype(np.int64)
        found.append((np.broadcast_to(index, (shape[0], index.shape[1])),
                      np.broadcast_to(weight, (shape[0], weight.shape[1]))))
    return found


def _round(x: np.ndarray) -> np.ndarray:
    """Halves away from zero, as C rounds."""
    return np.trunc(x + np.copysign(np.float32(0.5), x))


# -- the op and its adjoint ------------------------------------------------------------------------
def _kernel(images, transforms, fill, size, interpolation, fill_mode):
    _check(images.shape, transforms.shape)
    batch, height, width, channels = images.shape
    flat = images.reshape(batch, height * width, channels).astype(np.float32, copy=False)
    total = np.zeros((batch, size[0] * size[1], channels), np.float32)
    rows = np.arange(batch)[:, None]
    for index, weight in _reads(images.shape, transforms, size, interpolation, fill_mode):
        read = np.where((index >= 0)[..., None], flat[rows, index], np.float32(fill))
        total += weight[..., None] * read
    if images.dtype.kind in "iu":
        total = np.trunc(total)
    return total.astype(images.dtype).reshape(batch, *size, channels)


def _check(images: tuple, transforms: tuple) -> None:
    op = "ImageProjectiveTransformV3"
    if len(images) != 4:
        raise errors.invalid(op, f"Shape must be rank 4 but is rank {len(images)}: input images of "
                                 f"shape {list(images)}")
    if len(transforms) != 2 or transforms[1] != 8 or transforms[0] not in (1, images[0]):
        raise errors.invalid(op, "Input transform should be num_images x 8 or 1 x 8, got "
                                 f"{list(transforms)} for {images[0]} images")


def _adjoint_kernel(g, transforms, shape, interpolation, fill_mode):
    batch, height, width, channels = shape
    flat = g.reshape(batch, -1, channels).astype(np.float32, copy=False)
    result = np.zeros((batch, height * width + 1, channels), np.float32)  # the last is outside
    rows = np.arange(batch)[:, None]
    for index, weight in _reads(shape, transforms, g.shape[1:3], interpolation, fill_mode):
        np.add.at(result, (rows, index), weight[..., None] * flat)
    return result[:, :-1].astype(g.dtype).reshape(shape)


def _adjoint(g, y, images, transforms, fill, size, interpolation, fill_mode):
    return unproject(g, transforms, shape=dims(images), interpolation=interpolation,
                     fill_mode=fill_mode)


def _tangent(ts, y, images, transforms, fill, size, interpolation, fill_mode):
    return None if ts[0] is None else project(
        ts[0], transforms, fill=0.0, size=size, interpolation=interpolation, fill_mode=fill_mode)


def _batch(call, size, xs, batched, attrs):
    """The batch axis merged into that of the images; each batch keeps its transforms."""
    images, transforms = all_batched(xs, batched, size)
    count, *rest = shape_of(images)[1:]
    if batched[1] or shape_of(transforms)[1] != 1:
        transforms = reshape(broadcast_to(transforms, shape=(size, count, 8)), shape=(-1, 8))
    else:
        transforms = xs[1]
    if "shape" in attrs:
        attrs = {**attrs, "shape": (size * count, *attrs["shape"][1:])}
    result = call(reshape(images, shape=(size * count, *rest)), transforms, **attrs)
    return reshape(result, shape=(size, count, *shape_of(result)[1:]))


_TILT = [[1.1, 0.2, -0.6, 0.1, 0.9, 0.3, 0.01, -0.02]]
project = define(
    "projective_transform", kernel=_kernel, args=("images", "transforms"), vjp=(_adjoint, None),
    jvp=_tangent, saves="in1", batch=_batch, dtypes="fViu", tf_name="ImageProjectiveTransformV3",
    shape=lambda images, transforms, size, **attrs: Spec(
        None if images.shape is None else (images.shape[0], *(static(size) or (None, None)),
                                           images.shape[3]), images.dtype),
    check=[Case((2, 4, 5, 1), np.array(_TILT, np.float32), fill=0.0, size=(3, 4),
                interpolation=way, fill_mode=mode, tol=1e-2,
                why="sums are float32, as in TensorFlow")
           for way, mode in (("BILINEAR", "CONSTANT"), ("NEAREST", "REFLECT"),
                             ("BILINEAR", "WRAP"))])
unproject = define(
    "projective_transform_adjoint", kernel=_adjoint_kernel, args=("g", "transforms"),
    shape=lambda g, transforms, shape, **attrs: Spec(static(shape), g.dtype), saves="in1",
    vjp=(lambda u, y, g, transforms, shape, interpolation, fill_mode: project(
        u, transforms, fill=0.0, size=tuple(shape_of(g)[1:3]), interpolation=interpolation,
        fill_mode=fill_mode), None),
    jvp=lambda ts, y, g, transforms, **attrs: None if ts[0] is None else unproject(
        ts[0], transforms, **attrs),
    batch=_batch, dtypes="fV",
    check=[Case((1, 3, 4, 2), np.array(_TILT, np.float32), shape=(1, 4, 5, 2), tol=1e-2,
                why="sums are float32", interpolation="BILINEAR", fill_mode="NEAREST")])


_IMAGES = "uint8, int32, int64, float16, bfloat16, float32, float64"


@export("raw_ops.ImageProjectiveTransformV3")
def image_projective_transform_v3(*, images: Any, transforms: Any, output_shape: Any,
                                  fill_value: Any, interpolation: str, fill_mode: str = "CONSTANT",
                                  name: str | None = None) -> Tensor:
    """`images` (batch, height, width, channels) through `transforms` (batch or 1, 8)."""
    for word, given, allowed in (("interpolation", interpolation, _WAYS),
                                 ("fill_mode", fill_mode, _FILL)):
        if given not in allowed:
            raise ValueError(f"ImageProjectiveTransformV3: `{word}` must be one of {allowed}, got "
                             f"{given!r}.")
    size = int_vector(output_shape, "ImageProjectiveTransformV3", "output_shape")
    fill = operand(fill_value, dtypes.float32)
    x = operand(images)
    if x.dtype.name not in _IMAGES.split(", "):
        raise wrong_kind("ImageProjectiveTransformV3", "dtype", x.dtype, _IMAGES)
    value = float(fill._value) if fill._interpreter is None else fill
    return project(x, operand(transforms, dtypes.float32), fill=value, size=size,
                   interpolation=interpolation, fill_mode=fill_mode)


@export("raw_ops.ImageProjectiveTransformV2")
def image_projective_transform_v2(*, images: Any, transforms: Any, output_shape: Any,
                                  interpolation: str, fill_mode: str = "CONSTANT",
                                  name: str | None = None) -> Tensor:
    """As V3, with zeros outside."""
    return image_projective_transform_v3(
        images=images, transforms=transforms, output_shape=output_shape, fill_value=0.0,
        interpolation=interpolation, fill_mode=fill_mode)
