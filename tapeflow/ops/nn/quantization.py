"""tf.quantization: numbers rounded to a grid of few bits, with gradients that go straight through.

The derivative of rounding is 0 wherever it exists, so what is used in training is another: 1 inside
the range and 0 outside for the input, and for the ends of the range what lies beyond them. Loaded
when one of its public names is used.
"""

from __future__ import annotations

from collections import namedtuple
from typing import Any

import numpy as np

from tapeflow.base import dtypes, errors
from tapeflow.base.attributes import attributes, flag, real, small
from tapeflow.base.exports import export
from tapeflow.core.record.families import batch_elementwise, operand, sum_like
from tapeflow.core.record.op import NONDIFF, define, shape_of
from tapeflow.core.record.primitive_ops import broadcast_to, reshape
from tapeflow.core.record.samples import Case
from tapeflow.core.values.tensor import Tensor
from tapeflow.ops._support.arguments import agree, brackets, differing
from tapeflow.ops.math.comparison import equal
from tapeflow.ops.math.select import keep_where

_F32 = np.dtype("float32")


# -- the grid that contains 0 ----------------------------------------------------------------------
def _nudged(low: Any, high: Any, num_bits: int, narrow_range: bool) -> tuple:
    """The ends of the range moved so that 0 is a point of the grid, and the step."""
    first, last = np.float32(narrow_range), np.float32(2**num_bits - 1)
    step = (high - low) / (last - first)
    zero = first - low / step
    zero = np.clip(np.floor(zero + np.float32(0.5)), first, last)
    return (first - zero) * step, (last - zero) * step, step


def _fake_kernel(x, low, high, num_bits, narrow_range):
    with np.errstate(all="ignore"):
        lowest, highest, step = _nudged(low, high, num_bits, narrow_range)
        inside = np.minimum(np.maximum(x, lowest), highest) - lowest
        points = np.floor(inside * (1 / step) + np.float32(0.5)) * step + lowest
    return np.where((low == 0) & (high == 0), 0, points).astype(x.dtype)[()]


def _region_kernel(x, low, high, num_bits, narrow_range):
    with np.errstate(all="ignore"):
        lowest, highest, _ = _nudged(low, high, num_bits, narrow_range)
        region = np.where(x < lowest, -1, np.where(x > highest, 1, np.where(x == x, 0, 2)))
    return np.where((low == 0) & (high == 0), 0, region).astype(x.dtype)[()]


# Where a value lies: -1 below the range, 0 inside, 1 above; 2 for NaN.
_region = define("fake_quant_region", kernel=_region_kernel, args=("inputs", "min", "max"),
                 shape=lambda x, low, high, **attrs: x, batch=batch_elementwise, dtypes="f",
                 vjp=NONDIFF("on which side of a range a number lies is piecewise constant"),
                 check=[Case((2, 3), -0.5, 0.7, num_bits=4, narrow_range=False)])


def _part(g: Any, where: int, x: Any, low: Any, high: Any, attrs: dict) -> Any:
    region = _region(x, low, high, **attrs)
    return keep_where(g, equal(region, region * 0.0 + float(where)))


def _fake_jvp(ts, y, x, low, high, **attrs):
    total = None
    for t, where in zip(ts, (0, -1, 1), strict=True):
        if t is not None:
            part = _part(y * 0.0 + t, where, x, low, high, attrs)
            total = part if total is None else total + part
    return total


fake_quant = define(
    "fake_quant", kernel=_fake_kernel, args=("inputs", "min", "max"), dtypes="f", saves="in",
    shape=lambda x, low, high, **attrs: x, batch=batch_elementwise,
    vjp=(lambda g, y, x, low, high, **attrs: _part(g, 0, x, low, high, attrs),
         lambda g, y, x, low, high, **attrs: sum_like(_part(g, -1, x, low, high, attrs), low),
         lambda g, y, x, low, high, **attrs: sum_like(_part(g, 1, x, low, high, attrs), high)),
    jvp=_fake_jvp, tf_name="FakeQuantWithMinMaxVars",
    check=[Case((2, 3), -0.5, 0.7, num_bits=4, narrow_range=False, grad=False),
           Case((2, 3), [-0.5, -1.0, 0.0], [0.7, 0.5, 1.0], num_bits=8, narrow_range=True,
                grad=False)])


def _floats(values: tuple, op: str) -> list[Tensor]:
    found = [operand(one, None if isinstance(one, Tensor) else dtypes.float32) for one in values]
    for position, one in enumerate(found):
        if one.dtype != dtypes.float32:
            record = fake_quant.op
            raise differing(record, position, _F32, one.dtype.np)
    return found


def _bits(num_bits: int, op: str) -> int:
    if not 2 <= num_bits <= 16:
        raise errors.invalid(op, f"num_bits must be between 2 and 16, inclusive, got {num_bits}")
    return num_bits


@export("quantization.fake_quant_with_min_max_args")
@attributes(min=real, max=real, num_bits=small, narrow_range=flag)
def fake_quant_with_min_max_args(inputs: Any, min: float = -6, max: float = 6, num_bits: int = 8,
                                 narrow_range: bool = False, name: str | None = None) -> Tensor:
    """The inputs rounded to a grid over [min, max]; gradients pass where they are inside."""
    op = "FakeQuantWithMinMaxArgs"
    if not min < max:
        raise errors.invalid(op, f"min has to be smaller than max, was: {min} >= {max}")
    x, low, high = _floats((inputs, float(min), float(max)), op)
    return fake_quant(x, low, high, num_bits=_bits(num_bits, op), narrow_range=narrow_range)


@export("quantization.fake_quant_with_min_max_vars")
@attributes(num_bits=small, narrow_range=flag)
def fake_quant_with_min_max_vars(inputs: Any, min: Any, max: Any, num_bits: int = 8,
                                 narrow_range: bool = False, name: str | None = None) -> Tensor:
    """The same with a range that is trained too: scalars."""
    op = "FakeQuantWithMinMaxVars"
    x, low, high = _floats((inputs, min, max), op)
    for word, end in (("min", low), ("max", high)):
        if shape_of(end):
            raise errors.invalid(op, f"`{word}` must be rank 0 but is of shape "
                                     f"{brackets(shape_of(end))}")
    return fake_quant(x, low, high, num_bits=_bits(num_bits, op), narrow_range=narrow_range)


@export("quantization.fake_quant_with_min_max_vars_per_channel")
@attributes(num_bits=small, narrow_range=flag)
def fake_quant_with_min_max_vars_per_channel(inputs: Any, min: Any, max: Any, num_bits: int = 8,
                                             narrow_range: bool = False,
                                             name: str | None = None) -> Tensor:
    """The same with a range for each channel, the last axis."""
    op = "FakeQuantWithMinMaxVarsPerChannel"
    x, low, high = _floats((inputs, min, max), op)
    for word, end in (("min", low), ("max", high)):
        if shape_of(end) != shape_of(x)[-1:]:
            raise errors.invalid(op, f"{word} has incorrect size: {brackets(shape_of(end))} for "
                                     f"inputs of shape {brackets(shape_of(x))}")
    return fake_quant(x, low, high, num_bits=_bits(num_bits, op), narrow_range=narrow_range)


_Gradient = namedtuple("FakeQuantWithMinMaxVarsGradient",  # type: ignore[name-match]
                       ("backprops_wrt_input", "backprop_wrt_min", "backprop_wrt_max"))
_ChannelGradient = namedtuple("FakeQuantWithMinMaxVarsPerChannelGradient",  # type: ignore
                              _Gradient._fields)


def _gradients(kind: Any, gradients: Any, inputs: Any, low: Any, high: Any, num_bits: int,
               narrow_range: bool) -> Any:
    g, x, low, high = _floats((gradients, inputs, low, high), kind.__name__)
    ends = shape_of(x)[-1:] if kind is _ChannelGradient else ()
    for word, one, wanted in (("gradients", g, shape_of(x)), ("min", low, ends),
                              ("max", high, ends)):
        if not agree(shape_of(one), wanted):
            raise errors.invalid(kind.__name__, f"`{word}` must have shape {brackets(wanted)}, got "
                                                f"{brackets(shape_of(one))}")
    attrs = {"num_bits": _bits(num_bits, kind.__name__), "narrow_range": narrow_range}
    parts = [_part(g, where, x, low, high, attrs) for where in (0, -1, 1)]
    return kind(parts[0], sum_like(parts[1], low), sum_like(parts[2], high))


@export("quantization.fake_quant_with_min_max_args_gradient")
@attributes(min=real, max=real, num_bits=small, narrow_range=flag)
def fake_quant_with_min_max_args_gradient(gradients: Any, inputs: Any, min: float = -6,
                                          max: float = 6, num_bits: int = 8,
                                          narrow_range: bool = False,
                                          name: str | None = None) -> Tensor:
    """What `fake_quant_with_min_max_args` makes of a gradient."""
    if not min < max:
        raise errors.invalid("FakeQuantWithMinMaxArgsGradient", "min has to be smaller than max, "
                                                                f"was: {min} >= {max}")
    return _gradients(_Gradient, gradients, inputs, float(min), float(max), num_bits,
                      narrow_range)[0]


@export("quantization.fake_quant_with_min_max_vars_gradient")
@attributes(num_bits=small, narrow_range=flag)
def fake_quant_with_min_max_vars_gradient(gradients: Any, inputs: Any, min: Any, max: Any,
                                          num_bits: int = 8, narrow_range: bool = False,
                                          name: str | None = None) -> Any:
    """What `fake_quant_with_min_max_vars` makes of a gradient: for inputs, min and max."""
    return _gradients(_Gradient, gradients, inputs, min, max, num_bits, narrow_range)


@export("quantization.fake_quant_with_min_max_vars_per_channel_gradient")
@attributes(num_bits=small, narrow_range=flag)
def fake_quant_with_min_max_vars_per_channel_gradient(
        gradients: Any, inputs: Any, min: Any, max: Any, num_bits: int = 8,
        narrow_range: bool = False, name: str | None = None) -> Any:
    """What `fake_quant_with_min_max_vars_per_channel` makes of a gradient."""
    return _gradients(_ChannelGradient, gradients, inputs, min, max, num_bits, narrow_range)


# -- quantize and dequantize -----------------------------------------------------------------------
def _scaled(low: Any, high: Any, signed: bool, num_bits: int, narrow: bool) -> tuple:
    """The ends as the grid has them, the scale and its inverse."""
    first = -(2**(num_bits - 1)) + narrow if signed else 0
    last = 2**(num_bits - 1) - 1 if signed else 2**num_bits - 1
    first, last = low.dtype.type(first), low.dtype.type(last)
    most = np.finfo(low.dtype).max
    with np.errstate(all="ignore"):
        by_low = np.where(first * low > 0, first / low, most)
        by_high = np.where(last * high > 0, last / high, most)
        use_low = by_low < by_high
        scale = np.where(use_low, by_low, by_high)
        inverse = np.where(use_low, low / first if first else 0, high / last)
    return (np.where(use_low, low, first * inverse), np.where(use_low, last * inverse, high),
            scale, inverse)


def _round_trip_kernel(x, low, high, signed, num_bits, given, rounding, narrow, axes=None):
    if not given:  # the range is that of the numbers; gradients go by the one that was passed
        whole = axes is None
        low, high = np.min(x, axes, keepdims=not whole), np.max(x, axes, keepdims=not whole)
    lowest, highest, scale, inverse = _scaled(low, high, signed, num_bits, narrow)
    value = np.minimum(np.maximum(x, lowest), highest) if given else x
    value = value * scale
    value = np.rint(value) if rounding == "HALF_TO_EVEN" else np.floor(value + 0.5)
    return (value * inverse).astype(x.dtype)[()]


def _side_kernel(x, low, high):
    return np.where(x < low, -1, np.where(x > high, 1, np.where(x == x, 0, 2))).astype(x.dtype)[()]


_side = define("range_side", kernel=_side_kernel, args=("input", "low", "high"), dtypes="f",
               shape=lambda x, low, high: x, batch=batch_elementwise,
               vjp=NONDIFF("on which side of a range a number lies is piecewise constant"),
               check=[Case((2, 3), -0.5, 0.7)])


def _beside(g: Any, where: int, x: Any, low: Any, high: Any) -> Any:
    side = _side(x, low, high)
    return keep_where(g, equal(side, side * 0.0 + float(where)))


def _round_trip_jvp(ts, y, x, low, high, **attrs):
    total = None
    for t, where in zip(ts, (0, -1, 1), strict=True):
        if t is not None:
            part = _beside(y * 0.0 + t, where, x, low, high)
            total = part if total is None else total + part
    return total


def _round_trip_batch(call, size, xs, batched, attrs):
    """Each element of a batch has a range of its own, if none is given."""
    if attrs["given"]:
        return batch_elementwise(call, size, xs, batched, attrs)
    if not batched[0]:
        whole = broadcast_to(xs[0], shape=(size, *shape_of(xs[0])))
        xs, batched = (whole, *xs[1:]), (True, *batched[1:])
    rank = len(shape_of(xs[0])) - 1
    axes = attrs.get("axes")
    kept = range(rank) if axes is None else axes
    return batch_elementwise(call, size, xs, batched,
                             {**attrs, "axes": tuple(a + 1 for a in kept)})


_round_trip = define(
    "quantize_and_dequantize", kernel=_round_trip_kernel, args=("input", "input_min", "input_max"),
    shape=lambda x, low, high, **attrs: x, batch=_round_trip_batch, dtypes="f", saves="in",
    vjp=(lambda g, y, x, low, high, **attrs: _beside(g, 0, x, low, high),
         lambda g, y, x, low, high, **attrs: sum_like(_beside(g, -1, x, low, high), low),
         lambda g, y, x, low, high, **attrs: sum_like(_beside(g, 1, x, low, high), high)),
    jvp=_round_trip_jvp, tf_name="QuantizeAndDequantizeV4",
    check=[Case((2, 3), -0.5, 0.7, signed=True, num_bits=8, given=True, rounding="HALF_TO_EVEN",
                narrow=False, grad=False),
           Case((2, 3), -0.5, 0.7, signed=False, num_bits=4, given=False, rounding="HALF_UP",
                narrow=False, grad=False)])


@export("quantization.quantize_and_dequantize_v2", "quantization.quantize_and_dequantize")
def quantize_and_dequantize_v2(input: Any, input_min: Any, input_max: Any,
                               signed_input: bool = True, num_bits: int = 8,
                               range_given: bool = False, round_mode: str = "HALF_TO_EVEN",
                               name: str | None = None, narrow_range: bool = False,
                               axis: int | None = None) -> Tensor:
    """The input rounded to a grid over its own range or the one given, symmetric about 0."""
    op = "QuantizeAndDequantizeV4"
    if round_mode not in ("HALF_TO_EVEN", "HALF_UP"):
        raise errors.invalid(op, f"Round mode string must be 'HALF_TO_EVEN' or 'HALF_UP', is "
                                 f"{round_mode!r}")
    x = operand(input)
    rank = len(shape_of(x))
    along = None if axis is None or axis == -1 else axis % rank
    low, high = (operand(end, x.dtype) for end in (input_min, input_max))
    if along is not None:
        column = (-1, *(1,) * (rank - along - 1))
        low, high = reshape(low, shape=column), reshape(high, shape=column)
    return _round_trip(x, low, high, signed=bool(signed_input), num_bits=num_bits,
                       given=bool(range_given), rounding=round_mode, narrow=bool(narrow_range),
                       axes=None if along is None else tuple(
                           i for i in range(rank) if i != along))
