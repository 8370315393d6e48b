"""Random changes of images: random_flip_left_right, stateless_random_contrast, random_crop and kin.

They draw with tf.random's functions, in TensorFlow's order, so that seeds give its numbers.
May be imported by the modules of `ops.image`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from tapeflow.base import dtypes, errors
from tapeflow.base.exports import export
from tapeflow.core.record.families import operand
from tapeflow.core.record.op import shape_of
from tapeflow.core.values.tensor import Tensor
from tapeflow.ops._support.arguments import sizes_of
from tapeflow.ops.array import shape_ops, shaping
from tapeflow.ops.array.reverse import reverse
from tapeflow.ops.control import control_flow
from tapeflow.ops.image.colour import adjust_brightness, adjust_contrast
from tapeflow.ops.image.cropping import at_least_3d
from tapeflow.ops.image.files.image_codecs import adjust_jpeg_quality
from tapeflow.ops.image.hsv import adjust_hue, adjust_saturation
from tapeflow.ops.indexing.slicing import slice_
from tapeflow.ops.math import rounding
from tapeflow.ops.math.casting import cast
from tapeflow.ops.random import stateful as stateful_ops
from tapeflow.ops.random import stateless as stateless_ops


def _drawer(seed: Any, stateless: bool) -> Callable:
    """uniform(shape, low, high, dtype) from a seed, stateless or not."""
    function = stateless_ops.stateless_uniform if stateless else stateful_ops.uniform

    def draw(shape, low, high, dtype=dtypes.float32):
        return function(shape=shape, minval=low, maxval=high, seed=seed, dtype=dtype)

    return draw


# -- flips -----------------------------------------------------------------------------------------
def _flip(image: Any, axis: int, draw: Callable) -> Tensor:
    x = at_least_3d(image)
    if x.ndim == 3:
        flipped = draw([], 0, 1.0) < 0.5
        if type(flipped) is Tensor:
            return reverse(x, [axis]) if flipped._value else x
        return control_flow.cond(flipped, lambda: reverse(x, [axis]), lambda: x)
    if x.ndim != 4:
        raise ValueError(f"'image' (shape {x.shape}) must have either 3 or 4 dimensions.")
    count = sizes_of(x)[0]
    marks = rounding.round(shaping.reshape(draw([count], 0, 1.0), [-1, 1, 1, 1]))
    marks = cast(marks, x.dtype)
    return marks * reverse(x, [axis]) + (1 - marks) * x


@export("image.random_flip_left_right")
def random_flip_left_right(image: Any, seed: Any = None) -> Tensor:
    """Flipped or not, with equal chances, each image of a batch by itself."""
    return _flip(image, -2, _drawer(seed, False))


@export("image.random_flip_up_down")
def random_flip_up_down(image: Any, seed: Any = None) -> Tensor:
    """Flipped or not, with equal chances, each image of a batch by itself."""
    return _flip(image, -3, _drawer(seed, False))


@export("image.stateless_random_flip_left_right")
def stateless_random_flip_left_right(image: Any, seed: Any) -> Tensor:
    """As `random_flip_left_right`, by a seed of two integers alone."""
    return _flip(image, -2, _drawer(seed, True))


@export("image.stateless_random_flip_up_down")
def stateless_random_flip_up_down(image: Any, seed: Any) -> Tensor:
    """As `random_flip_up_down`, by a seed of two integers alone."""
    return _flip(image, -3, _drawer(seed, True))


# -- brightness and colours ------------------------------------------------------------------------
def _symmetric(max_delta: Any, at_most: float | None) -> None:
    if at_most is not None and max_delta > at_most:
        raise ValueError(f"max_delta must be <= {at_most}.")
    if max_delta < 0:
        raise ValueError("max_delta must be non-negative.")


def _between(lower: Any, upper: Any) -> None:
    if upper <= lower:
        raise ValueError("upper must be > lower.")
    if lower < 0:
        raise ValueError("lower must be non-negative.")


@export("image.random_brightness")
def random_brightness(image: Any, max_delta: Any, seed: Any = None) -> Tensor:
    """Brighter or darker by at most `max_delta`."""
    _symmetric(max_delta, None)
    return adjust_brightness(image, _drawer(seed, False)([], -max_delta, max_delta))


@export("image.stateless_random_brightness")
def stateless_random_brightness(image: Any, max_delta: Any, seed: Any) -> Tensor:
    """As `random_brightness`, by a seed of two integers alone."""
    _symmetric(max_delta, None)
    return adjust_brightness(image, _drawer(seed, True)([], -max_delta, max_delta))


@export("image.random_contrast")
def random_contrast(image: Any, lower: Any, upper: Any, seed: Any = None) -> Tensor:
    """Contrast times a factor between `lower` and `upper`."""
    _between(lower, upper)
    return adjust_contrast(image, _drawer(seed, False)([], lower, upper))


@export("image.stateless_random_contrast")
def stateless_random_contrast(image: Any, lower: Any, upper: Any, seed: Any) -> Tensor:
    """As `random_contrast`, by a seed of two integers alone."""
    _between(lower, upper)
    return adjust_contrast(image, _drawer(seed, True)([], lower, upper))


@export("image.random_hue")
def random_hue(image: Any, max_delta: Any, seed: Any = None) -> Tensor:
    """The hue moved by at most `max_delta`."""
    _symmetric(max_delta, 0.5)
    return adjust_hue(image, _drawer(seed, False)([], -max_delta, max_delta))


@export("image.stateless_random_hue")
def stateless_random_hue(image: Any, max_delta: Any, seed: Any) -> Tensor:
    """As `random_hue`, by a seed of two integers alone."""
    _symmetric(max_delta, 0.5)
    return adjust_hue(image, _drawer(seed, True)([], -max_delta, max_delta))


@export("image.random_saturation")
def random_saturation(image: Any, lower: Any, upper: Any, seed: Any = None) -> Tensor:
    """Saturation times a factor between `lower` and `upper`."""
    _between(lower, upper)
    return adjust_saturation(image, _drawer(seed, False)([], lower, upper))


@export("image.stateless_random_saturation")
def stateless_random_saturation(image: Any, lower: Any, upper: Any, seed: Any = None) -> Tensor:
    """As `random_saturation`, by a seed of two integers alone."""
    _between(lower, upper)
    return adjust_saturation(image, _drawer(seed, True)([], lower, upper))


def _qualities(low: Any, high: Any) -> None:
    if low < 0 or high < 0 or low > 100 or high > 100:
        raise ValueError("jpeg encoding range must be between 0 and 100.")
    if low >= high:
        raise ValueError("`min_jpeg_quality` must be less than `max_jpeg_quality`.")


@export("image.random_jpeg_quality")
def random_jpeg_quality(image: Any, min_jpeg_quality: Any, max_jpeg_quality: Any,
                        seed: Any = None) -> Tensor:
    """As it looks after compression, with a quality between the two."""
    _qualities(min_jpeg_quality, max_jpeg_quality)
    draw = _drawer(seed, False)
    return adjust_jpeg_quality(image, draw([], min_jpeg_quality, max_jpeg_quality, dtypes.int32))


@export("image.stateless_random_jpeg_quality")
def stateless_random_jpeg_quality(image: Any, min_jpeg_quality: Any, max_jpeg_quality: Any,
                                  seed: Any) -> Tensor:
    """As `random_jpeg_quality`, by a seed of two integers alone."""
    _qualities(min_jpeg_quality, max_jpeg_quality)
    draw = _drawer(seed, True)
    return adjust_jpeg_quality(image, draw([], min_jpeg_quality, max_jpeg_quality, dtypes.int32))


# -- crops -----------------------------------------------------------------------------------------
def _crop(value: Any, size: Any, draw: Callable) -> Tensor:
    x = operand(value)
    wanted = operand(size, dtypes.int32)
    shape = shape_ops.shape(x)
    if type(wanted) is Tensor and type(shape) is Tensor:
        asked, there = wanted._value, shape._value
        if asked.shape != there.shape or (asked > there).any():
            raise errors.InvalidArgumentError(None, None, (
                f"Need value.shape >= size, got  {there.tolist()} {asked.tolist()} [Op:Assert]"))
    limit = shape - wanted + 1
    rank = shape_of(shape)[0]
    offset = draw([rank], 0, np.iinfo(np.int32).max, dtypes.int32) % limit
    y = slice_(x, offset, wanted)
    if type(y) is not Tensor and type(wanted) is Tensor:
        y.set_shape(wanted._value.tolist())
    return y


@export("image.random_crop")
def random_crop(value: Any, size: Any, seed: Any = None, name: str | None = None) -> Tensor:
    """A part of the given size, from anywhere in a tensor."""
    return _crop(value, size, _drawer(seed, False))


@export("image.stateless_random_crop")
def stateless_random_crop(value: Any, size: Any, seed: Any, name: str | None = None) -> Tensor:
    """As `random_crop`, by a seed of two integers alone."""
    return _crop(value, size, _drawer(seed, True))
