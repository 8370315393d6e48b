"""Hue, saturation and value: conversions, and adjustments of hue and saturation.

May be imported by the modules of `ops.image`.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np

from tapeflow.base import dtypes, errors
from tapeflow.base.exports import export
from tapeflow.core.autodiff.batching import loop
from tapeflow.core.record.elementwise_ops import stop_gradient
from tapeflow.core.record.families import operand
from tapeflow.core.record.lowering_forms import Expand, Unsupported
from tapeflow.core.record.op import VERY_EXPENSIVE, define, shape_of
from tapeflow.core.record.primitive_ops import reduce_sum as add_up
from tapeflow.core.record.primitive_ops import stack
from tapeflow.core.record.samples import Case, uniform
from tapeflow.core.state import state
from tapeflow.core.values.convert import convert
from tapeflow.core.values.tensor import Tensor
from tapeflow.core.values.variable import Variable
from tapeflow.ops._support.arguments import brackets
from tapeflow.ops._support.half_precision import float32_kernel, is_half
from tapeflow.ops.image.colour import (
    as_floats,
    check_colour_image,
    convert_image_dtype,
    on_pixels,
)
from tapeflow.ops.math.casting import cast
from tapeflow.ops.math.comparison import maximum, minimum
from tapeflow.ops.math.exponential import square
from tapeflow.ops.math.rounding import floor
from tapeflow.ops.math.select import select

_F32 = np.dtype("float32")


class _Constants(NamedTuple):
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
def _constants(dtype: np.dtype, pixels: int) -> _Constants:
    single = (0, 1, np.finfo(dtype).tiny, 1 / 6)
    triple = ((0,) * 3, (1,) * 3, (6,) * 3, (0, 2 / 6, 4 / 6), *zip(*_RAMPS, strict=True))
    return _Constants(*[np.full(pixels, value, dtype) for value in single],
                      *[np.repeat(np.array([row], dtype).T, pixels, 1) for row in triple])


_TWICE = np.array([0, 1, 2, 0, 1])  # so that each colour has the next two behind it
_THRICE = np.repeat(np.arange(3), 3)


def _hue(rgb: np.ndarray, constants: _Constants) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Hue, greatest colour, and how far the least is below it."""
    planes = rgb.T.copy().take(_TWICE, 0)
    red, green, blue = planes[0], planes[1], planes[2]
    value = np.maximum(red, green)
    np.maximum(value, blue, out=value)
    chroma = np.minimum(red, green)
    np.minimum(chroma, blue, out=chroma)
    np.subtract(value, chroma, chroma)
    part = np.maximum(chroma, constants.least)  # a grey pixel has the hue 0 / least
    np.divide(constants.sixth, part, part)
    hues = planes[1:4] - planes[2:]
    np.multiply(hues, part, hues)
    np.add(hues, constants.thirds, hues)
    hue = hues[2]
    np.copyto(hue, hues[1], where=green == value)
    np.copyto(hue, hues[0], where=red == value)
    np.subtract(hue, np.floor(hue), hue)
    return hue, value, chroma


def _saturation(value: np.ndarray, chroma: np.ndarray, constants: _Constants) -> np.ndarray:
    return np.divide(chroma, value, constants.zero.copy(), where=value > constants.zero)


def _hsv_block(rgb):
    constants = _constants(rgb.dtype, len(rgb))
    hue, value, chroma = _hue(rgb, constants)
    return np.array((hue, _saturation(value, chroma, constants), value))


def _ramps(hue: np.ndarray, constants: _Constants) -> np.ndarray:
    """How much of each colour a hue has, colour by colour; given three times the hue."""
    ramps = hue * constants.sixes
    np.subtract(ramps, constants.centres, ramps)
    np.abs(ramps, ramps)
    np.multiply(ramps, constants.signs, ramps)
    np.add(ramps, constants.tops, ramps)
    np.maximum(ramps, constants.zeros, out=ramps)
    return np.minimum(ramps, constants.ones, out=ramps)


def _shifted_hue_block(rgb, delta):
    """Another hue between the same least and greatest colour, also below 0."""
    constants = _constants(rgb.dtype, len(rgb))
    hue, value, chroma = _hue(rgb, constants)
    hue += delta
    hue -= np.floor(hue)
    ramps = _ramps(np.array((hue, hue, hue)), constants)
    ramps *= chroma
    value -= chroma
    ramps += value
    return ramps


def _mixed(hue: np.ndarray, saturation: np.ndarray, value: np.ndarray,
           constants: _Constants) -> np.ndarray:
    """The colours, one after the other."""
    ramps = _ramps(hue, constants)
    np.multiply(ramps, saturation, ramps)
    np.add(ramps, (constants.ones if saturation.ndim > 1 else constants.one) - saturation, ramps)
    return np.multiply(ramps, value, ramps)


def _rgb_block(hsv):
    planes = hsv.T.copy().take(_THRICE, 0)
    return _mixed(planes[:3], planes[3:6], planes[6:], _constants(hsv.dtype, len(hsv)))


_RAMPS = ((1, 3, -1), (-1, 2, 2), (-1, 4, 2))  # how much of a colour: sign · |6 h - centre| + top
def _by_pixels(block: Any, op: str) -> Any:
    """The kernel that does this to pixels; half precision in float32."""
    wide = float32_kernel(lambda x: on_pixels(x, block, op))

    def kernel(x):
        return on_pixels(x, block, op) if x.dtype is _F32 else wide(x)

    return kernel


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
    chroma = value - minimum(minimum(r, g), b)
    sixth = (1 / 6) / maximum(chroma, float(np.finfo(x.dtype.np).tiny))
    hue = select(r == value, (g - b) * sixth, select(
        g == value, (b - r) * sixth + 2 / 6, (r - g) * sixth + 4 / 6))
    return hue - floor(hue), value, chroma


def _saturation_steps(value, chroma):
    return select(value > 0.0, chroma / value, value * 0.0)


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
    hue, value, chroma = _hue_steps(x)
    return stack(hue, _saturation_steps(value, chroma), value, axis=x.ndim - 1)


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
                tf_name="RGBToHSV", check=_COLOURS, lower=_widely(_hsv_steps), cost=VERY_EXPENSIVE)
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


def _adjusted_kernel(x, delta, factor):
    """To hue, saturation and value, changed, and back, while a block is in the cache."""
    def block(rgb):
        if factor == 1:
            return _shifted_hue_block(rgb, delta)
        constants = _constants(rgb.dtype, len(rgb))
        hue, value, chroma = _hue(rgb, constants)
        if delta:
            hue += delta
        hue -= np.floor(hue)
        saturation = _saturation(value, chroma, constants)
        saturation *= factor
        np.maximum(saturation, constants.zero, out=saturation)
        np.minimum(saturation, constants.one, out=saturation)
        return _mixed(np.array((hue, hue, hue)), saturation, value, constants)

    return _by_pixels(block, "AdjustHue")(x)


def _adjusted_steps(x, delta, factor):
    hue, value, chroma = _hue_steps(x)
    delta, factor = [cast(one, x.dtype) for one in (delta, factor)]
    hue = hue + delta
    ramps = _ramp_steps(hue - floor(hue))
    saturation = minimum(maximum(_saturation_steps(value, chroma) * factor, 0.0), 1.0)
    only_shifted, rest = factor == 1.0, 1.0 - saturation
    return stack(*[select(only_shifted, ramp * chroma + (value - chroma),
                          (ramp * saturation + rest) * value) for ramp in ramps], axis=x.ndim - 1)


def _adjusted_vjp(g, y, x, delta, factor):
    hsv = to_hsv(x)
    hue, saturation, value = _channels(hsv)
    moved, scaled = hue + delta, saturation * factor
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
    "adjust_hsv", kernel=_adjusted_kernel, args=("images", "delta", "factor"), dtypes="fV",
    shape=lambda x, delta, factor: x, vjp=_adjusted_vjp, batch=_adjusted_batch, saves="in",
    tf_name="AdjustHue", check=[Case(uniform(0.1, 0.9, (3, 4, 3)), uniform(0.1, 0.3, ()),
                                     uniform(0.6, 0.9, ()), tol=1e-4, why=_STEEP)],
    lower=_widely(_adjusted_steps))


def _through_hsv(image: Any, op: str, delta: Any, factor: Any) -> Tensor:
    x = operand(image)
    check_colour_image(x, op)
    for given in (delta, factor):
        if shape_of(given):
            raise errors.invalid(op, f"scale must be scalar: {brackets(shape_of(given))}")
    floats = as_floats(x)
    half = floats.dtype == dtypes.float16
    y = adjusted(cast(floats, dtypes.float32) if half else floats, delta, factor)
    return convert_image_dtype(cast(y, floats.dtype) if half else y, x.dtype)


@export("image.adjust_hue")
def adjust_hue(image: Any, delta: Any, name: str | None = None) -> Tensor:
    """The hue moved by delta, a part of the whole circle."""
    known = delta._value if type(delta) is Tensor else delta
    if not isinstance(known, Tensor) and (known < -1 or known > 1):
        raise ValueError("delta must be in the interval [-1, 1]")
    return _through_hsv(image, "AdjustHue", operand(delta, dtypes.float32), convert(1.0))


@export("image.adjust_saturation")
def adjust_saturation(image: Any, saturation_factor: Any, name: str | None = None) -> Tensor:
    """The saturation times a factor, at most 1."""
    factor = operand(saturation_factor, dtypes.float32)
    return _through_hsv(image, "AdjustSaturation", convert(0.0), factor)
