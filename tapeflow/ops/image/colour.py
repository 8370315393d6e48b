"""Colours: spaces, dtypes of images, brightness, contrast, gamma, hue and saturation.

May be imported by the modules of `ops.image`.
"""

from __future__ import annotations

import math
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np

from tapeflow.base import dtypes, errors
from tapeflow.base.attributes import attributes, dense
from tapeflow.base.exports import export
from tapeflow.core.basics import broadcast_to, dims, identity, reshape, stack, stop_gradient
from tapeflow.core.basics import reduce_sum as add_up
from tapeflow.core.batching import loop
from tapeflow.core.convert import convert
from tapeflow.core.families import move, operand
from tapeflow.core.lowering import Expand, Unsupported
from tapeflow.core.op import define, shape_of
from tapeflow.core.samples import Case, uniform
from tapeflow.core.state import state
from tapeflow.core.tensor import Tensor, wrap
from tapeflow.core.variable import Variable
from tapeflow.ops import workers
from tapeflow.ops.arguments import brackets
from tapeflow.ops.casting import cast, saturate_cast
from tapeflow.ops.comparison import maximum, minimum
from tapeflow.ops.contraction import matmul_call, tensordot
from tapeflow.ops.exponential import square
from tapeflow.ops.reduction import reduce_mean
from tapeflow.ops.rounding import floor, floordiv
from tapeflow.ops.selection import select
from tapeflow.ops.shaping import tile
from tapeflow.ops.widening import is_half, widened

_F32 = np.dtype("float32")


# -- dtypes ----------------------------------------------------------------------------------------
@export("image.convert_image_dtype")
def convert_image_dtype(image: Any, dtype: Any, saturate: bool = False,
                        name: str | None = None) -> Tensor:
    """An image in another dtype, scaled: floats are in [0, 1], integers up to their maximum.

    >>> tf.image.convert_image_dtype(tf.constant([0, 255], tf.uint8), tf.float32).numpy()
    array([0., 1.], dtype=float32)
    """
    x, wanted = operand(image), dtypes.as_dtype(dtype)
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


def _as_floats(x: Any) -> Any:
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


# -- hue, saturation, value ------------------------------------------------------------------------
def _refuse_channels(x: Any, op: str) -> None:
    if not x.ndim:
        raise errors.invalid(op, "input must be at least 1D")
    raise errors.FailedPreconditionError(None, None, (
        f"input must have 3 channels but input only has {x.shape[-1]} channels. [Op:{op}]"))


class _Numbers(NamedTuple):
    """What the kernels compute with, for each pixel: of equal shapes NumPy is twice as fast."""

    zero: np.ndarray  # for pixels
    one: np.ndarray
    least: np.ndarray
    sixth: np.ndarray
    zeros: np.ndarray  # for their three colours
    ones: np.ndarray
    sixes: np.ndarray
    thirds: np.ndarray
    signs: np.ndarray
    centres: np.ndarray
    tops: np.ndarray


@lru_cache(16)
def _numbers(dtype: np.dtype, pixels: int) -> _Numbers:
    single = (0, 1, np.finfo(dtype).tiny, 1 / 6)
    triple = ((0,) * 3, (1,) * 3, (6,) * 3, (0, 2 / 6, 4 / 6), *zip(*_RAMPS, strict=True))
    return _Numbers(*[np.full(pixels, number, dtype) for number in single],
                    *[np.repeat(np.array([row], dtype).T, pixels, 1) for row in triple])


_TWICE = np.array([0, 1, 2, 0, 1])  # so that each colour has the next two behind it
_THRICE = np.repeat(np.arange(3), 3)


def _hue(rgb: np.ndarray, numbers: _Numbers) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Hue, greatest colour, and how far the least is below it."""
    planes = rgb.T.copy().take(_TWICE, 0)
    red, green, blue = planes[0], planes[1], planes[2]
    value = np.maximum(red, green)
    np.maximum(value, blue, out=value)
    spread = np.minimum(red, green)
    np.minimum(spread, blue, out=spread)
    np.subtract(value, spread, spread)
    part = np.maximum(spread, numbers.least)  # a grey pixel has the hue 0 / least
    np.divide(numbers.sixth, part, part)
    hues = planes[1:4] - planes[2:]
    np.multiply(hues, part, hues)
    np.add(hues, numbers.thirds, hues)
    hue = hues[2]
    np.copyto(hue, hues[1], where=green == value)
    np.copyto(hue, hues[0], where=red == value)
    np.subtract(hue, np.floor(hue), hue)
    return hue, value, spread


def _saturation(value: np.ndarray, spread: np.ndarray, numbers: _Numbers) -> np.ndarray:
    return np.divide(spread, value, numbers.zero.copy(), where=value > numbers.zero)


def _hsv_block(rgb):
    numbers = _numbers(rgb.dtype, len(rgb))
    hue, value, spread = _hue(rgb, numbers)
    return np.array((hue, _saturation(value, spread, numbers), value))


def _ramps(hue: np.ndarray, numbers: _Numbers) -> np.ndarray:
    """How much of each colour a hue has, colour by colour; given three times the hue."""
    ramps = hue * numbers.sixes
    np.subtract(ramps, numbers.centres, ramps)
    np.abs(ramps, ramps)
    np.multiply(ramps, numbers.signs, ramps)
    np.add(ramps, numbers.tops, ramps)
    np.maximum(ramps, numbers.zeros, out=ramps)
    return np.minimum(ramps, numbers.ones, out=ramps)


def _turned_block(rgb, turn):
    """Another hue between the same least and greatest colour, also below 0."""
    numbers = _numbers(rgb.dtype, len(rgb))
    hue, value, spread = _hue(rgb, numbers)
    hue += turn
    hue -= np.floor(hue)
    ramps = _ramps(np.array((hue, hue, hue)), numbers)
    ramps *= spread
    value -= spread
    ramps += value
    return ramps


def _mixed(hue: np.ndarray, saturation: np.ndarray, value: np.ndarray,
           numbers: _Numbers) -> np.ndarray:
    """The colours, one after the other."""
    ramps = _ramps(hue, numbers)
    np.multiply(ramps, saturation, ramps)
    np.add(ramps, (numbers.ones if saturation.ndim > 1 else numbers.one) - saturation, ramps)
    return np.multiply(ramps, value, ramps)


def _rgb_block(hsv):
    planes = hsv.T.copy().take(_THRICE, 0)
    return _mixed(planes[:3], planes[3:6], planes[6:], _numbers(hsv.dtype, len(hsv)))


_RAMPS = ((1, 3, -1), (-1, 2, 2), (-1, 4, 2))  # how much of a colour: sign · |6 h - centre| + top
PIXELS = 1 << 13  # that are worked on at a time


def _on_pixels(x: np.ndarray, block: Any, op: str) -> np.ndarray:
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
    workers.share(work, parts)
    return out.reshape(x.shape)


def _by_pixels(block: Any, op: str) -> Any:
    """The kernel that does this to pixels; half precision in float32."""
    wide = widened(lambda x: _on_pixels(x, block, op))

    def kernel(x):
        return _on_pixels(x, block, op) if x.dtype is _F32 else wide(x)

    return kernel


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

    return _on_pixels(x, block, "MatMul")


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


def _channels(x: Any) -> tuple:
    return x[..., 0], x[..., 1], x[..., 2]


def _as(condition: Any, like: Any) -> Any:
    return select(condition, like * 0.0 + 1.0, like * 0.0)


def _hsv_vjp(grad, y, x):
    """TensorFlow's derivatives; a grey pixel or one of two equal largest has one of the sides."""
    r, g, b = _channels(x)
    gh, gs, gv = _channels(grad)
    _, saturation, value = _channels(y)
    big = (_as((r >= b) & (r >= g), r), _as((g > r) & (g >= b), r), _as((b > r) & (b > g), r))
    small = (_as((r < b) & (r < g), r), _as((g <= r) & (g < b), r), _as((b <= r) & (b <= g), r))
    colours, parts = (r, g, b), []
    chroma = _inverse(square(saturation) * square(value))
    for i in range(3):
        j, k = (i + 1) % 3, (i + 2) % 3
        mine, second, third = colours[i], colours[j], colours[k]
        lit = _as(mine > 0, r)
        others = small[j] * second + small[k] * third
        largest = big[j] * second + big[k] * third
        ds = lit * (big[i] * others * _inverse(square(mine)) - small[i] * _inverse(largest))
        # The hue's derivative by this colour where it is the largest, the least, or between.
        dh = -lit * big[i] * (second - third) * chroma
        dh = dh + _as(second > 0, r) * big[j] * (
            small[i] * (third - second) * _inverse(square(mine - second))
            - small[k] * _inverse(second - third))
        dh = dh + _as(third > 0, r) * big[k] * (
            small[i] * (third - second) * _inverse(square(third - mine))
            + small[j] * _inverse(third - second))
        parts.append(gv * big[i] + gs * ds + gh * dh / 6.0)
    return stack(*parts, axis=x.ndim - 1)


def _inverse(x: Any) -> Any:
    """1 / x, and 0 where x is 0."""
    zero = x == 0.0
    return select(zero, x * 0.0, 1.0 / select(zero, x * 0.0 + 1.0, x))


def _rgb_vjp(g, y, x):
    hue, saturation, value = _channels(x)
    sixths, dh, ds, dv = hue * 6.0, None, None, None
    for (sign, centre, top), part in zip(_RAMPS, _channels(g), strict=True):
        away = sixths - float(centre)
        raw = abs(away) * float(sign) + float(top)
        sloped = _as((raw > 0.0) & (raw < 1.0), hue)
        ramp = select(raw > 0.0, select(raw < 1.0, raw, raw * 0.0 + 1.0), raw * 0.0)
        slope = sloped * select(away > 0.0, away * 0.0 + 6.0 * sign, away * 0.0 - 6.0 * sign)
        terms = (part * slope * saturation * value, part * (ramp - 1.0) * value,
                 part * (ramp * saturation + 1.0 - saturation))
        if dh is None:
            dh, ds, dv = terms
        else:
            dh, ds, dv = dh + terms[0], ds + terms[1], dv + terms[2]
    return stack(dh, ds, dv, axis=x.ndim - 1)


def _hue_steps(x):
    r, g, b = _channels(x)
    value = maximum(maximum(r, g), b)
    spread = value - minimum(minimum(r, g), b)
    sixth = (1 / 6) / maximum(spread, float(np.finfo(x.dtype.np).tiny))
    hue = select(r == value, (g - b) * sixth, select(
        g == value, (b - r) * sixth + 2 / 6, (r - g) * sixth + 4 / 6))
    return hue - floor(hue), value, spread


def _saturation_steps(value, spread):
    return select(value > 0.0, spread / value, value * 0.0)


def _ramp_steps(hue):
    return [minimum(maximum(abs(hue * 6.0 - float(centre)) * float(sign) + float(top), 0.0), 1.0)
            for sign, centre, top in _RAMPS]


def _widely(write):
    """A form that computes half precision in float32, as the kernel does."""
    def steps(x, *others):
        if len(shape_of(x)) < 1 or shape_of(x)[-1] != 3:
            raise Unsupported("not three channels")
        if not is_half(x.dtype.np):
            return write(x, *others)
        return cast(write(cast(x, dtypes.float32), *others), x.dtype)

    return Expand(steps)


def _hsv_steps(x):
    hue, value, spread = _hue_steps(x)
    return stack(hue, _saturation_steps(value, spread), value, axis=x.ndim - 1)


def _rgb_steps(x):
    hue, saturation, value = _channels(x)
    return stack(*[(ramp * saturation + (1.0 - saturation)) * value for ramp in _ramp_steps(hue)],
                 axis=x.ndim - 1)


def _last_axis(call, size, xs, batched, attrs):
    return call(*xs, **attrs)


_STEEP = "hue changes without bound where colours are nearly grey"
_COLOURS = [Case(uniform(0.1, 0.9, (4, 3)), tol=1e-4, why=_STEEP),
            Case(uniform(0.1, 0.9, (2, 2, 5, 3)), tol=1e-4, why=_STEEP)]
to_hsv = define("rgb_to_hsv", kernel=_by_pixels(_hsv_block, "RGBToHSV"), shape=lambda x: x,
                vjp=(_hsv_vjp,), batch=_last_axis, saves="in out", dtypes="fV",
                tf_name="RGBToHSV", check=_COLOURS, lower=_widely(_hsv_steps))
to_rgb = define("hsv_to_rgb", kernel=_by_pixels(_rgb_block, "HSVToRGB"), shape=lambda x: x,
                vjp=(_rgb_vjp,), batch=_last_axis, saves="in", dtypes="fV", tf_name="HSVToRGB",
                check=_COLOURS, lower=_widely(_rgb_steps))


def _floats(images: Any) -> Any:
    """What is no tensor becomes float32."""
    if type(images) is Tensor:
        return images
    tensor = isinstance(images, (Tensor, Variable))
    return operand(images, None if tensor else dtypes.float32)


@export("image.rgb_to_hsv", "raw_ops.RGBToHSV")
def rgb_to_hsv(images: Any, name: str | None = None) -> Tensor:
    """Hue, saturation and value, all in [0, 1], from red, green and blue in [0, 1]."""
    return to_hsv(_floats(images))


@export("image.hsv_to_rgb", "raw_ops.HSVToRGB")
def hsv_to_rgb(images: Any, name: str | None = None) -> Tensor:
    """The inverse of `rgb_to_hsv`; gradients stop here, as they do in TensorFlow."""
    y = to_rgb(_floats(images))
    return y if type(y) is Tensor and state.recorder is None else stop_gradient(y)


# -- adjustments -----------------------------------------------------------------------------------
def _colour_image(x: Any, op: str) -> None:
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
    floats = _as_floats(x)
    return convert_image_dtype(floats + cast(delta, floats.dtype), x.dtype, saturate=True)


@export("image.adjust_contrast")
def adjust_contrast(images: Any, contrast_factor: Any) -> Tensor:
    """Distances from the mean of each channel of each image, times a factor."""
    x = operand(images)
    if x.ndim < 3:
        raise errors.invalid("AdjustContrastv2", "input must be at least 3-D, got shape"
                                                 f"{brackets(shape_of(x))}")
    floats = _as_floats(x)
    factor = operand(contrast_factor, dtypes.float32)
    if shape_of(factor):
        raise errors.invalid("AdjustContrastv2", "contrast_factor must be scalar: "
                                                 f"{brackets(shape_of(factor))}")
    half = floats.dtype == dtypes.float16
    spread = contrast(cast(floats, dtypes.float32) if half else floats, factor)
    return convert_image_dtype(cast(spread, floats.dtype) if half else spread, x.dtype,
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
        workers.share(work, range(len(images)))
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
    floats = _as_floats(x)
    if not isinstance(gamma, Tensor) and not gamma >= 0:
        raise ValueError("Gamma should be a non-negative real number.")
    if type(gamma) is Tensor and (gamma._value < 0).any():
        raise errors.invalid("Assert", "Gamma should be a non-negative real number.")
    return convert_image_dtype(gain * floats ** gamma, x.dtype, saturate=True)


def _adjusted_kernel(x, turn, factor):
    """To hue, saturation and value, changed, and back, while a block is in the cache."""
    def block(rgb):
        if factor == 1:
            return _turned_block(rgb, turn)
        numbers = _numbers(rgb.dtype, len(rgb))
        hue, value, spread = _hue(rgb, numbers)
        if turn:
            hue += turn
        hue -= np.floor(hue)
        saturation = _saturation(value, spread, numbers)
        saturation *= factor
        np.maximum(saturation, numbers.zero, out=saturation)
        np.minimum(saturation, numbers.one, out=saturation)
        return _mixed(np.array((hue, hue, hue)), saturation, value, numbers)

    return _by_pixels(block, "AdjustHue")(x)


def _adjusted_steps(x, turn, factor):
    hue, value, spread = _hue_steps(x)
    turn, factor = [cast(one, x.dtype) for one in (turn, factor)]
    hue = hue + turn
    ramps = _ramp_steps(hue - floor(hue))
    saturation = minimum(maximum(_saturation_steps(value, spread) * factor, 0.0), 1.0)
    only_turned, rest = factor == 1.0, 1.0 - saturation
    return stack(*[select(only_turned, ramp * spread + (value - spread),
                          (ramp * saturation + rest) * value) for ramp in ramps], axis=x.ndim - 1)


def _adjusted_vjp(g, y, x, turn, factor):
    hsv = to_hsv(x)
    hue, saturation, value = _channels(hsv)
    moved, scaled = hue + turn, saturation * factor
    inside = _as((scaled > 0.0) & (scaled < 1.0), scaled)
    kept = minimum(maximum(scaled, 0.0), 1.0)
    last = x.ndim - 1
    middle = stack(moved - floor(moved), kept, value, axis=last)
    to_hue, to_saturation, to_value = _channels(_rgb_vjp(g, None, middle))
    to_saturation = to_saturation * inside
    whole = stack(to_hue, to_saturation * factor, to_value, axis=last)
    return (_hsv_vjp(whole, hsv, x), add_up(to_hue, axis=None),
            add_up(to_saturation * saturation, axis=None))


def _adjusted_batch(call, size, xs, batched, attrs):
    return loop(call, size, xs, batched, attrs) if batched[1] or batched[2] else call(*xs)


adjusted = define(
    "adjust_hsv", kernel=_adjusted_kernel, args=("images", "turn", "factor"), dtypes="fV",
    shape=lambda x, turn, factor: x, vjp=_adjusted_vjp, batch=_adjusted_batch, saves="in",
    tf_name="AdjustHue", check=[Case(uniform(0.1, 0.9, (3, 4, 3)), uniform(0.1, 0.3, ()),
                                     uniform(0.6, 0.9, ()), tol=1e-4, why=_STEEP)],
    lower=_widely(_adjusted_steps))


def _through_hsv(image: Any, op: str, turn: Any, factor: Any) -> Tensor:
    x = operand(image)
    _colour_image(x, op)
    floats = _as_floats(x)
    half = floats.dtype == dtypes.float16
    y = adjusted(cast(floats, dtypes.float32) if half else floats, turn, factor)
    return convert_image_dtype(cast(y, floats.dtype) if half else y, x.dtype)


@export("image.adjust_hue")
def adjust_hue(image: Any, delta: Any, name: str | None = None) -> Tensor:
    """The hue turned by delta, a part of the whole circle."""
    known = delta._value if type(delta) is Tensor else delta
    if not isinstance(known, Tensor) and (known < -1 or known > 1):
        raise ValueError("delta must be in the interval [-1, 1]")
    return _through_hsv(image, "AdjustHue", operand(delta, dtypes.float32), convert(1.0))


@export("image.adjust_saturation")
def adjust_saturation(image: Any, saturation_factor: Any, name: str | None = None) -> Tensor:
    """The saturation times a factor, at most 1."""
    factor = operand(saturation_factor, dtypes.float32)
    return _through_hsv(image, "AdjustSaturation", convert(0.0), factor)
