"""What images are compared and described by: psnr, ssim, total variation, edges, standardisation.

May be imported by the modules of `ops.image`.
"""

from __future__ import annotations

from math import prod
from typing import Any

import numpy as np

from tapeflow.base import dtypes, errors
from tapeflow.base.attributes import dense
from tapeflow.base.exports import export
from tapeflow.core.record.families import axes_of, operand
from tapeflow.core.record.op import shape_of
from tapeflow.core.record.primitive_ops import reshape, stack
from tapeflow.core.values.convert import convert
from tapeflow.core.values.tensor import Tensor, wrap
from tapeflow.ops._support.arguments import joined, sizes_of
from tapeflow.ops.array.padding import pad
from tapeflow.ops.array.tiling import tile
from tapeflow.ops.conv import functions, pools
from tapeflow.ops.image.colour import convert_image_dtype
from tapeflow.ops.image.cropping import at_least_3d
from tapeflow.ops.math import exponential
from tapeflow.ops.math.arithmetic import squared_difference
from tapeflow.ops.math.casting import cast
from tapeflow.ops.math.comparison import maximum
from tapeflow.ops.math.exponential import log, square
from tapeflow.ops.math.exponential import pow as power
from tapeflow.ops.nn.activations import relu
from tapeflow.ops.reduce import moments
from tapeflow.ops.reduce.reduction import reduce_mean, reduce_prod, reduce_sum


def _mean(x: Any, axis: Any, keepdims: bool = False) -> Tensor:
    return reduce_mean(x, axis=axes_of(x, axis, "Mean"), keepdims=keepdims)


# -- one image -------------------------------------------------------------------------------------
@export("image.per_image_standardization")
def per_image_standardization(image: Any) -> Tensor:
    """Each image less its mean, divided by its deviation (at least 1 / sqrt(pixels))."""
    x = cast(at_least_3d(image), dtypes.float32)
    axes = [-1, -2, -3]
    sizes = sizes_of(x)[-3:]
    least = exponential.rsqrt(cast(prod(sizes) if all(
        isinstance(n, int) for n in sizes) else sizes[0] * sizes[1] * sizes[2], dtypes.float32))
    deviation = maximum(moments.reduce_std(x, axes, True), least)
    return (x - _mean(x, axes, True)) / deviation


def _differences(x: Any, what: str) -> tuple[Any, Any]:
    """Each pixel from the one below it and from the one right of it."""
    return x[..., 1:, :, :] - x[..., :-1, :, :], x[..., :, 1:, :] - x[..., :, :-1, :]


@export("image.total_variation")
def total_variation(images: Any, name: str | None = None) -> Tensor:
    """The sum of absolute differences of neighbouring pixels, for each image."""
    if images.ndim not in (3, 4):
        raise ValueError("'images' must be either 3 or 4-dimensional.")
    x = operand(images)
    down, right = _differences(x, "total_variation")
    axes = None if x.ndim == 3 else (1, 2, 3)
    return reduce_sum(abs(down), axis=axes) + reduce_sum(abs(right), axis=axes)


@export("image.image_gradients")
def image_gradients(image: Any) -> tuple[Tensor, Tensor]:
    """Differences downwards and to the right, in the image's own shape."""
    if image.ndim != 4:
        raise ValueError("image_gradients expects a 4D tensor [batch_size, h, w, d], not "
                         f"{image.shape}.")
    x = operand(image)
    down, right = _differences(x, "image_gradients")
    return (pad(down, [[0, 0], [0, 1], [0, 0], [0, 0]]),
            pad(right, [[0, 0], [0, 0], [0, 1], [0, 0]]))


_SOBEL = np.array([[[-1, -2, -1], [0, 0, 0], [1, 2, 1]], [[-1, 0, 1], [-2, 0, 2], [-1, 0, 1]]])


@export("image.sobel_edges")
def sobel_edges(image: Any) -> Tensor:
    """Sobel's derivatives downwards and to the right, along a new last axis."""
    x = operand(image)
    if len(shape_of(x)) != 4:
        raise ValueError(f"image must have rank 4, got shape {x.shape}")
    sizes = sizes_of(x)
    filters = convert(_SOBEL.transpose(1, 2, 0)[:, :, None], x.dtype)
    filters = tile(filters, [1, 1, sizes[-1], 1])
    padded = pad(x, [[0, 0], [1, 1], [1, 1], [0, 0]], mode="REFLECT")
    edges = functions.depthwise_conv2d(padded, filters, [1, 1, 1, 1], "VALID")
    return reshape(edges, shape=joined([*sizes, 2]))


# -- two images ------------------------------------------------------------------------------------
def _compatible(a: Any, b: Any) -> None:
    first, second = shape_of(a), shape_of(b)
    if a.dtype != b.dtype:
        raise errors.invalid("ShapeN", f"the images are {a.dtype.name} and {b.dtype.name}")
    for one, shape in ((a, first), (b, second)):
        if len(shape) < 3:
            raise ValueError(f"Shape {one.shape} must have rank at least 3")
    for m, n in zip(first[-3:], second[-3:]):
        if None not in (m, n) and m != n:
            raise ValueError(f"Shapes {a.shape[-3:]} and {b.shape[-3:]} are incompatible")
    for m, n in zip(reversed(first[:-3]), reversed(second[:-3])):
        if None not in (m, n) and m != n and 1 not in (m, n):
            raise ValueError(f"Two images are not compatible: {a.shape} and {b.shape}")


def _pair(a: Any, b: Any, max_val: Any) -> tuple[Tensor, Tensor, Tensor]:
    """Two images and the largest value, all in float32."""
    a, b = operand(dense("a", a)), operand(dense("b", b))
    largest = convert_image_dtype(cast(max_val, a.dtype), dtypes.float32)
    return (convert_image_dtype(a, dtypes.float32), convert_image_dtype(b, dtypes.float32),
            largest)


@export("image.psnr")
def psnr(a: Any, b: Any, max_val: Any, name: str | None = None) -> Tensor:
    """The peak signal-to-noise ratio in decibels, for each pair of images."""
    a, b, largest = _pair(a, b, max_val)
    error = _mean(squared_difference(a, b), [-3, -2, -1])
    ratio = 20.0 * log(largest) / log(convert(10.0)) - np.float32(10 / np.log(10)) * log(error)
    _compatible(a, b)
    return ratio


def _gauss(size: int, sigma: float) -> np.ndarray:
    """A Gaussian window of `size` points with sum 1."""
    far = np.arange(size) - (size - 1) / 2.0
    weights = np.exp(-0.5 * (far / sigma) ** 2)
    return (weights / weights.sum()).astype(np.float32)


def _local_mean(window: np.ndarray, channels: Any) -> Any:
    """Means of pixels around each pixel: the window is a product, so one axis after the other."""
    size = len(window)
    down = tile(wrap(window.reshape(size, 1, 1, 1)), [1, 1, channels, 1])
    across = tile(wrap(window.reshape(1, size, 1, 1)), [1, 1, channels, 1])
    convolve = functions.depthwise_conv2d

    def reduce(x: Any) -> Any:
        sizes = sizes_of(x)
        y = reshape(x, shape=joined([-1, *sizes[-3:]]))
        y = convolve(convolve(y, down, [1] * 4, "VALID"), across, [1] * 4, "VALID")
        return reshape(y, shape=joined([*sizes[:-3], *sizes_of(y)[1:]]))

    return reduce


def _per_channel(a: Any, b: Any, max_val: Any, filter_size: int, filter_sigma: float, k1: float,
                 k2: float, as_map: bool = False) -> tuple[Any, Any]:
    """Similarity and its part of contrast and structure, for each channel."""
    for x in (a, b):
        if any(n is not None and n < filter_size for n in shape_of(x)[-3:-1]):
            raise errors.InvalidArgumentError(None, None, (
                f"tf.image.ssim: images of shape {x.shape} are smaller than filter_size "
                f"{filter_size} [Op:Assert]"))
    mean = _local_mean(_gauss(int(filter_size), float(filter_sigma)), sizes_of(a)[-1])
    c1, c2 = (k1 * max_val) ** 2, (k2 * max_val) ** 2
    mean_a, mean_b = mean(a), mean(b)
    product = mean_a * mean_b * 2.0
    squares = square(mean_a) + square(mean_b)
    luminance = (product + c1) / (squares + c1)
    contrast = (mean(a * b) * 2.0 - product + c2) / (mean(square(a) + square(b)) - squares + c2)
    if as_map:
        return luminance * contrast, contrast
    return _mean(luminance * contrast, [-3, -2]), _mean(contrast, [-3, -2])


@export("image.ssim")
def ssim(img1: Any, img2: Any, max_val: Any, filter_size: Any = 11, filter_sigma: Any = 1.5,
         k1: float = 0.01, k2: float = 0.03, return_index_map: bool = False) -> Tensor:
    """The structural similarity of each pair of images, or of each of their pixels."""
    img1, img2 = operand(img1), operand(img2)
    _compatible(img1, img2)
    a, b, largest = _pair(img1, img2, max_val)
    value, _ = _per_channel(a, b, largest, filter_size, filter_sigma, k1, k2, return_index_map)
    return _mean(value, [-1])


_SCALES = (0.0448, 0.2856, 0.3001, 0.2363, 0.1333)


def _halved(x: Any) -> Any:
    """Means of 2 by 2 pixels; an odd edge is repeated."""
    sizes = sizes_of(x)
    y = reshape(x, shape=joined([-1, *sizes[-3:]]))
    odd = [n % 2 for n in sizes[-3:-1]]
    if any(isinstance(n, Tensor) or n for n in odd):
        y = pad(y, [[0, 0], [0, odd[0]], [0, odd[1]], [0, 0]], mode="SYMMETRIC")
    y = pools.avg_pool(y, [1, 2, 2, 1], [1, 2, 2, 1], "VALID")
    return reshape(y, shape=joined([*sizes[:-3], *sizes_of(y)[1:]]))


@export("image.ssim_multiscale")
def ssim_multiscale(img1: Any, img2: Any, max_val: Any, power_factors: Any = _SCALES,
                    filter_size: Any = 11, filter_sigma: Any = 1.5, k1: float = 0.01,
                    k2: float = 0.03) -> Tensor:
    """Structural similarity over several scales, each half of the one before."""
    img1, img2 = operand(img1), operand(img2)
    _compatible(img1, img2)
    a, b, largest = _pair(img1, img2, max_val)
    parts: list = []
    value: Any = None
    for k in range(len(power_factors)):
        if k:
            a, b = _halved(a), _halved(b)
        value, contrast = _per_channel(a, b, largest, filter_size, filter_sigma, k1, k2)
        parts.append(relu(contrast))
    parts[-1] = relu(value)
    last = len(shape_of(parts[0]))
    powers = power(stack(*parts, axis=last), convert(power_factors, dtypes.float32))
    return _mean(reduce_prod(powers, axis=(last,)), [-1])
