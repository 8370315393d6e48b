"""Colour spaces that are linear maps of each other, dtypes of images, brightness, contrast, gamma.

May be imported by the modules of `ops.image`.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from tapeflow.base import dtypes, errors
from tapeflow.base.attributes import attributes, dense
from tapeflow.base.exports import export
from tapeflow.core.autodiff.batching import loop
from tapeflow.core.record.elementwise_ops import identity
from tapeflow.core.record.families import operand
from tapeflow.core.record.linear import move
from tapeflow.core.record.lowering_forms import Expand, Unsupported
from tapeflow.core.record.op import define, shape_of
from tapeflow.core.record.primitive_ops import broadcast_to, dims, reshape
from tapeflow.core.record.primitive_ops import reduce_sum as add_up
from tapeflow.core.record.samples import Case, uniform
from tapeflow.core.values.convert import convert
from tapeflow.core.values.tensor import Tensor, wrap
from tapeflow.ops._support import kernel_threads
from tapeflow.ops._support.arguments import brackets
from tapeflow.ops._support.half_precision import is_half
from tapeflow.ops.array.tiling import tile
from tapeflow.ops.linalg.matmul import matmul_call
from tapeflow.ops.linalg.tensordot import tensordot
from tapeflow.ops.math.casting import cast, saturate_cast
from tapeflow.ops.math.rounding import floordiv
from tapeflow.ops.reduce.reduction import reduce_mean

_F32 = np.dtype("float32")


# -- dtypes ----------------------------------------------------------------------------------------
@export("image.convert_image_dtype")
def convert_image_dtype(image: Any, dtype: Any, saturate: bool = False,
                        name: str | None = None) -> Tensor:
    """An image in another dtype, scaled: floats are in [0, 1], integers up to their maximum.

    >>> tf.image.convert_image_dtype(tf.constant([0, 255], tf.uint8), tf.float32).numpy()
    array([0., 1.], dtype=float32)
    """
    x, wanted = operand(dense("image", image)), dtypes.as_dtype(dtype)
    if not wanted.is_floating and not wanted.is_integer:
        raise AttributeError("dtype must be either floating point or integer")
    if not x.dtype.is_floating and not x.dtype.is_integer:
        raise AttributeError("image dtype must be either floating point or integer")
    if wanted == x.dtype:
        return identity(x)
    into = saturate_cast if saturate else cast
    if x.dtype.is_floating and wanted.is_floating:
        return cast(x, wanted)
    if x.dtype.is_floating:
        return into(x * (wanted.max + 0.5), wanted)
    if wanted.is_floating:
        return cast(x, wanted) * (1.0 / x.dtype.max)
    if x.dtype.max > wanted.max:
        return into(floordiv(x, convert((x.dtype.max + 1) // (wanted.max + 1), x.dtype)), wanted)
    return into(x, wanted) * ((wanted.max + 1) // (x.dtype.max + 1))


def as_floats(x: Any) -> Any:
    """An image to compute with: float16 and float32 as they are."""
    if x.dtype in (dtypes.float16, dtypes.float32):
        return x
    return convert_image_dtype(x, dtypes.float32)


# -- linear spaces ---------------------------------------------------------------------------------
_GREY = (0.2989, 0.587, 0.114)
_SPACES = {
    "rgb_to_yiq": ((0.299, 0.59590059, 0.2115), (0.587, -0.27455667, -0.52273617),
                   (0.114, -0.32134392, 0.31119955)),
    "yiq_to_rgb": ((1, 1, 1), (0.95598634, -0.27201283, -1.10674021),
                   (0.6208248, -0.64720424, 1.70423049)),
    "rgb_to_yuv": ((0.299, -0.14714119, 0.61497538), (0.587, -0.28886916, -0.51496512),
                   (0.114, 0.43601035, -0.10001026)),
    "yuv_to_rgb": ((1, 1, 1), (0, -0.394642334, 2.03206185), (1.13988303, -0.58062185, 0)),
}


def _linear(images: Any, name: str) -> Tensor:
    x = operand(images)
    matrix = convert(_SPACES[name], x.dtype)
    if x.dtype.kind in "fV" and shape_of(x)[-1:] == (3,):
        return mix_channels(x, matrix=_SPACES[name])
    return tensordot(x, matrix, [[x.ndim - 1], [0]])


@export("image.rgb_to_yiq")
def rgb_to_yiq(images: Any) -> Tensor:
    """From red, green, blue to the colour space of NTSC."""
    return _linear(images, "rgb_to_yiq")


@export("image.yiq_to_rgb")
def yiq_to_rgb(images: Any) -> Tensor:
    """The inverse of `rgb_to_yiq`."""
    return _linear(images, "yiq_to_rgb")


@export("image.rgb_to_yuv")
def rgb_to_yuv(images: Any) -> Tensor:
    """From red, green, blue to the colour space of PAL."""
    return _linear(images, "rgb_to_yuv")


@export("image.yuv_to_rgb")
def yuv_to_rgb(images: Any) -> Tensor:
    """The inverse of `rgb_to_yuv`."""
    return _linear(images, "yuv_to_rgb")


@export("image.rgb_to_grayscale")
@attributes(images=dense)
def rgb_to_grayscale(images: Any, name: str | None = None) -> Tensor:
    """Luminance, as one channel."""
    x = operand(images)
    floats = convert_image_dtype(x, dtypes.float32)
    grey = tensordot(floats, convert(_GREY, dtypes.float32), [[x.ndim - 1], [0]])
    grey = grey[..., None]
    return convert_image_dtype(grey, x.dtype)


@export("image.grayscale_to_rgb")
@attributes(images=dense)
def grayscale_to_rgb(images: Any, name: str | None = None) -> Tensor:
    """The one channel of an image three times."""
    x = operand(images)
    shape = shape_of(x)
    if len(shape) < 2:
        raise ValueError(f"A grayscale image (shape {x.shape}) must be at least two-dimensional.")
    if shape[-1] not in (1, None):
        raise ValueError("Last dimension of a grayscale image should be size 1.")
    return tile(x, [*(1,) * (len(shape) - 1), 3])


# -- pixels, a block at a time ---------------------------------------------------------------------
def _refuse_channels(x: Any, op: str) -> None:
    if not x.ndim:
        raise errors.invalid(op, "input must be at least 1D")
    raise errors.FailedPreconditionError(None, None, (
        f"input must have 3 channels but input only has {x.shape[-1]} channels. [Op:{op}]"))


PIXELS = 1 << 13  # that are worked on at a time


def on_pixels(x: np.ndarray, block: Any, op: str) -> np.ndarray:
    """`block(pixels)`, which gives colour by colour, on parts that stay in the cache; many parts
    on several threads.
    """
    if not x.ndim or x.shape[-1] != 3:
        _refuse_channels(x, op)
    flat = x.reshape(-1, 3)
    if len(flat) <= PIXELS:
        return block(flat).T.copy().reshape(x.shape)
    out = np.empty(flat.shape, x.dtype)

    def work(part: slice) -> None:
        out[part] = block(flat[part]).T

    parts = [slice(start, start + PIXELS) for start in range(0, len(flat), PIXELS)]
    kernel_threads.share(work, parts)
    return out.reshape(x.shape)


def _mixed_kernel(x, matrix):
    weights = np.array(matrix).astype(x.dtype)  # half precision rounds them too

    def block(pixels):
        wide = np.float32 if is_half(pixels.dtype) else pixels.dtype
        planes = [np.ascontiguousarray(pixels[:, i], wide) for i in range(3)]
        mixed = np.empty((3, len(pixels)), pixels.dtype)
        for j, column in enumerate(weights.astype(wide).T):
            total = planes[0] * column[0]
            for i in (1, 2):
                total += planes[i] * column[i]
            mixed[j] = total
        return mixed

    return on_pixels(x, block, "MatMul")


def _mixed_steps(x, matrix):
    if x.dtype.size == 2:
        raise Unsupported("half precision")
    weights = wrap(np.array(matrix).astype(x.dtype.np))
    return reshape(matmul_call(reshape(x, shape=(-1, 3)), weights), shape=dims(x))


mix_channels = move(
    "mix_channels", _mixed_kernel, args=("images",), shape=lambda x, matrix: x,
    vjp=lambda g, y, x, matrix: mix_channels(g, matrix=tuple(zip(*matrix, strict=True))),
    batch=lambda call, size, xs, batched, attrs: call(*xs, **attrs), dtypes="fV",
    kind="contract", tf_name="MatMul", lower=Expand(_mixed_steps),
    check=[Case((4, 3), matrix=_SPACES["rgb_to_yiq"]),
           Case((2, 2, 3, 3), matrix=_SPACES["yuv_to_rgb"])])


# -- adjustments -----------------------------------------------------------------------------------
def check_colour_image(x: Any, op: str) -> None:
    shape = shape_of(x)
    if len(shape) < 3:
        raise errors.invalid(op, f"input must be at least 3-D, got shape{brackets(shape)}")
    if shape[-1] not in (3, None):
        raise errors.invalid(op, f"input must have 3 channels but instead has {shape[-1]} "
                                 "channels.")


@export("image.adjust_brightness")
def adjust_brightness(image: Any, delta: Any) -> Tensor:
    """delta more, in the scale of floats."""
    x = operand(image)
    floats = as_floats(x)
    return convert_image_dtype(floats + cast(delta, floats.dtype), x.dtype, saturate=True)


@export("image.adjust_contrast")
@attributes(images=dense)
def adjust_contrast(images: Any, contrast_factor: Any) -> Tensor:
    """Distances from the mean of each channel of each image, times a factor."""
    x = operand(images)
    if x.ndim < 3:
        raise errors.invalid("AdjustContrastv2", "input must be at least 3-D, got shape"
                                                 f"{brackets(shape_of(x))}")
    floats = as_floats(x)
    factor = operand(contrast_factor, dtypes.float32)
    if shape_of(factor):
        raise errors.invalid("AdjustContrastv2", "contrast_factor must be scalar: "
                                                 f"{brackets(shape_of(factor))}")
    half = floats.dtype == dtypes.float16
    adjusted = contrast(cast(floats, dtypes.float32) if half else floats, factor)
    return convert_image_dtype(cast(adjusted, floats.dtype) if half else adjusted, x.dtype,
                               saturate=True)


def _contrast_kernel(x, factor):
    *_, height, width, depth = x.shape
    images = x.reshape(math.prod(x.shape[:-3]), height, width * depth)
    out = np.empty(images.shape, x.dtype)

    def work(i: int) -> None:
        # A row of sums, then of means: NumPy is slow where the last axis is as short as a pixel.
        sums = np.ones(height, x.dtype).dot(images[i]).reshape(width, depth)
        means = np.tile(sums.sum(0) / x.dtype.type(height * width), width)
        step = max(1, PIXELS // max(width, 1))
        for start in range(0, height, step):
            part = np.subtract(images[i, start:start + step], means, out[i, start:start + step])
            part *= factor
            part += means

    if x.size <= 3 * PIXELS:
        for i in range(len(images)):
            work(i)
    else:
        kernel_threads.share(work, range(len(images)))
    return out.reshape(x.shape)


def _centre(x: Any) -> Any:
    """The mean of each channel of each image."""
    return reduce_mean(x, (x.ndim - 3, x.ndim - 2), True)


def _contrast_jvp(ts, y, x, factor):
    first = None if ts[0] is None else contrast(ts[0], factor)
    second = None if ts[1] is None else (x - _centre(x)) * ts[1]
    return second if first is None else first if second is None else first + second


def _contrast_steps(x, factor):
    """In rows of all pixels, as the kernel does: loops over channels alone would be short."""
    *lead, height, width, depth = shape_of(x)
    images = math.prod(lead)
    rows = reshape(x, shape=(images, height, width * depth))
    sums = add_up(reshape(add_up(rows, axis=(1,)), shape=(images, width, depth)), axis=(1,))
    means = reshape(sums / float(max(height * width, 1)), shape=(images, 1, depth))
    means = reshape(broadcast_to(means, shape=(images, width, depth)),
                    shape=(images, 1, width * depth))
    return reshape((rows - means) * factor + means, shape=shape_of(x))


# As a matrix it is symmetric: its own transpose.
contrast = define(
    "adjust_contrast", kernel=_contrast_kernel, args=("images", "factor"), dtypes="f",
    shape=lambda x, factor: x, saves="in", tf_name="AdjustContrastv2", jvp=_contrast_jvp,
    vjp=(lambda g, y, x, factor: contrast(g, factor),
         lambda g, y, x, factor: add_up(g * (x - _centre(x)), axis=None)),
    batch=lambda call, size, xs, batched, attrs: loop(
        call, size, xs, batched, attrs) if batched[1] else call(*xs),
    check=[Case((2, 3, 4, 3), uniform(0.5, 2.0, ())), Case((3, 2, 1), uniform(0.5, 2.0, ()))],
    lower=Expand(_contrast_steps))


@export("image.adjust_gamma")
def adjust_gamma(image: Any, gamma: Any = 1, gain: Any = 1) -> Tensor:
    """gain · image ** gamma."""
    x = operand(image)
    floats = as_floats(x)
    if not isinstance(gamma, Tensor) and not gamma >= 0:
        raise ValueError("Gamma should be a non-negative real number.")
    if type(gamma) is Tensor and (gamma._value < 0).any():
        raise errors.invalid("Assert", "Gamma should be a non-negative real number.")
    return convert_image_dtype(gain * floats ** gamma, x.dtype, saturate=True)
