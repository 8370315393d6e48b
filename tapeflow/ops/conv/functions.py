"""tf.nn.conv1d, conv2d, conv3d, convolution, depthwise, separable and atrous convolutions.

May be imported by `api` and by other modules of `ops`.
"""

from __future__ import annotations

from typing import Any

from tapeflow.base import errors
from tapeflow.base.attributes import wrong
from tapeflow.base.exports import export_guarded as export
from tapeflow.core.record.op import shape_of
from tapeflow.core.record.primitive_ops import reshape
from tapeflow.core.values.tensor import Tensor
from tapeflow.ops._support.arguments import alike, brackets, int_vector, joined, sizes_of
from tapeflow.ops.conv.conv_ops import convolve, filter_gradient, input_gradient
from tapeflow.ops.conv.conv_options import (
    channel_axis,
    channels_back,
    channels_last,
    check_dtype,
    check_rank,
    listed,
    padding_rule,
    refusal,
    sequence,
    spatial,
    spatial_padding,
)

_STRIDES = "Row and column strides"
_RATES = "Dilated rates"


def group_count(x: Any, depth: Any, inner: Any, op: str) -> Any:
    """How many groups of channels there are; a scalar of a trace if sizes are unknown."""
    if isinstance(depth, int) and isinstance(inner, int):
        if inner < 1:
            raise refusal(x, op, f"filter depth must be stricly positive, got {inner}")
        if depth % inner:
            raise refusal(x, op, f"input depth must be evenly divisible by filter depth: {depth} "
                                 f"vs {inner}")
        if not depth:
            return 1
    return depth // inner


def _convolution(x: Any, filters: Any, n: int, op: str, channel: int, strides: tuple, padding: Any,
                 dilations: tuple) -> Tensor:
    """A convolution of canonical arguments; more than one batch axis is folded."""
    check_dtype(x, op, () if n == 3 else ("int32",))
    check_rank(filters, n + 2, op, "convolution filter")
    extra = len(shape_of(x)) - (n + 2)
    if extra < 0:
        check_rank(x, n + 2, op, "convolution input")
    lead = sizes_of(x)[:extra + 1]
    if extra:
        x = reshape(x, shape=joined([-1, *sizes_of(x)[extra + 1:]]))
    x = channels_last(x, channel)
    groups = group_count(x, sizes_of(x)[-1], sizes_of(filters)[-2], op)
    y = convolve(x, filters, strides=strides, padding=padding, dilations=dilations, groups=groups)
    y = channels_back(y, channel)
    return reshape(y, shape=joined([*lead, *sizes_of(y)[1:]])) if extra else y


@export("nn.conv1d")
def conv1d(input: Any, filters: Any, stride: Any, padding: Any, data_format: str | None = "NWC",
           dilations: Any = None, name: str | None = None) -> Tensor:
    """Convolution along one axis: `input` (…, width, channels), `filters` (width, in, out).

    >>> x = tf.reshape([1., 2., 3.], [1, 3, 1])
    >>> tf.nn.conv1d(x, tf.ones([2, 1, 1]), stride=1, padding="VALID").numpy().ravel()
    array([3., 5.], dtype=float32)

    `data_format="NCW"` runs on every machine here.
    """
    if data_format is not None and not (isinstance(data_format, str) and data_format in (
            "NWC", "NCW", "NHWC", "NCHW")):
        raise ValueError("`data_format` must be 'NWC' or 'NCW'. Received: data_format="
                         f"{data_format}")
    channel = 1 if data_format in ("NCW", "NCHW") else 2
    x, w = alike([input, filters])
    rule = padding_rule(padding, 1, "Conv2D", explicit=False)
    return _convolution(
        x, w, 1, "Conv2D", channel,
        spatial(sequence(stride, 1, channel, "stride"), channel, "strides", "Conv2D", _STRIDES),
        rule,
        spatial(sequence(dilations, 1, channel, "dilations"), channel, "dilations", "Conv2D",
                _RATES))


@export("nn.conv2d")
def conv2d(input: Any, filters: Any, strides: Any, padding: Any, data_format: str | None = "NHWC",
           dilations: Any = None, name: str | None = None) -> Tensor:
    """Convolution of images: `input` (…, height, width, channels), `filters` (h, w, in, out).

    Input channels may be a multiple of the filters': they are then divided into groups.
    `padding` is "SAME", "VALID" or a (before, after) pair for each of four axes.

    >>> tf.nn.conv2d(tf.ones([1, 3, 3, 1]), tf.ones([2, 2, 1, 1]), 1, "VALID").shape
    TensorShape([1, 2, 2, 1])

    TensorFlow's CPU build refuses `data_format="NCHW"`, and gradients of grouped and dilated
    convolutions; they run here.
    """
    op = "Conv2D"
    channel = channel_axis(data_format, 2, op)
    rule = padding_rule(padding, 2, op, explicit=True)
    strides = sequence(strides, 2, channel, "strides")
    dilations = sequence(dilations, 2, channel, "dilations")
    x, w = alike([input, filters])
    return _convolution(x, w, 2, op, channel, spatial(strides, channel, "strides", op, _STRIDES),
                        spatial_padding(rule, channel, op),
                        spatial(dilations, channel, "dilations", op, _RATES))


@export("nn.conv3d")
def conv3d(input: Any, filters: Any, strides: Any, padding: Any, data_format: str | None = "NDHWC",
           dilations: Any = None, name: str | None = None) -> Tensor:
    """Convolution of volumes: `input` (…, depth, height, width, channels); `strides` has 5 entries.

    TensorFlow's CPU build refuses dilations, groups and `data_format="NCDHW"`; they run here.
    """
    op = "Conv3D"
    channel = channel_axis(data_format, 3, op)
    rule = padding_rule(padding, 3, op, explicit=False)
    strides = listed(strides, 3, "strides", "conv3d")
    dilations = (1,) * 5 if dilations is None else listed(dilations, 3, "dilations", "conv3d")
    x, w = alike([input, filters])
    return _convolution(x, w, 3, op, channel, spatial(strides, channel, "strides", op, _STRIDES),
                        rule, spatial(dilations, channel, "dilations", op, _RATES))


@export("nn.convolution")
def convolution(input: Any, filters: Any, strides: Any = None, padding: Any = "VALID",
                data_format: str | None = None, dilations: Any = None,
                name: str | None = None) -> Tensor:
    """Convolution in as many dimensions (1, 2 or 3) as the filters have."""
    x, w = alike([input, filters])
    n = len(shape_of(w)) - 2
    if n not in (1, 2, 3):
        raise ValueError(f"`num_spatial_dims` must be 1, 2, or 3. Received: num_spatial_dims={n}.")
    op = "Conv3D" if n == 3 else "Conv2D"
    channel = channel_axis(data_format, n, op)
    strides = sequence(strides, n, channel, "strides")
    rates = sequence(dilations, n, channel, "dilations")
    if min(rates) < 1:
        raise ValueError("all values of `dilation_rate` must be positive. Received: "
                         f"dilation_rate={dilations}")
    if max(rates) > 1 and max(strides) > 1:
        raise ValueError("`strides > 1` not supported in conjunction with `dilation_rate > 1`. "
                         f"Received: strides={strides} and dilation_rate={rates}")
    rule = padding_rule(padding, n, op, explicit=False)
    return _convolution(x, w, n, op, channel, spatial(strides, channel, "strides", op, _STRIDES),
                        rule, spatial(rates, channel, "dilations", op, _RATES))


@export("nn.atrous_conv2d")
def atrous_conv2d(value: Any, filters: Any, rate: Any, padding: Any,
                  name: str | None = None) -> Tensor:
    """A convolution of images whose filters have `rate` - 1 holes between their elements."""
    return convolution(value, filters, padding=padding, dilations=[int(rate), int(rate)])


# -- one filter for each channel -------------------------------------------------------------------
def _rates(dilations: Any) -> tuple:
    if dilations is None:
        return (1, 1)
    if not hasattr(dilations, "__len__"):
        raise wrong("list", "dilations", dilations)
    rates = tuple([int(rate) for rate in dilations])
    if len(rates) != 2:
        raise ValueError(f"`dilations` must have 2 entries. Received: dilations={dilations}")
    if min(rates) < 1:
        raise ValueError("all values of `dilation_rate` must be positive. Received: "
                         f"dilation_rate={dilations}")
    return rates


def _depthwise(x: Any, w: Any, channel: int, strides: tuple, padding: Any, rates: tuple) -> Tensor:
    op = "DepthwiseConv2dNative"
    check_dtype(x, op)
    check_rank(x, 4, op, "input")
    check_rank(w, 4, op, "filter")
    x = channels_last(x, channel)
    height, width, depth, multiplier = sizes_of(w)
    channels = sizes_of(x)[-1]
    if isinstance(channels, int) and isinstance(depth, int) and channels != depth:
        raise refusal(x, op, f"input and filter must have the same depth: {channels} vs {depth}")
    wide = reshape(w, shape=joined([height, width, 1, depth * multiplier]))
    y = convolve(x, wide, strides=strides, padding=padding, dilations=rates, groups=depth)
    return channels_back(y, channel)


@export("nn.depthwise_conv2d")
def depthwise_conv2d(input: Any, filter: Any, strides: Any, padding: Any,
                     data_format: str | None = None, dilations: Any = None,
                     name: str | None = None) -> Tensor:
    """Every channel convolved with filters of its own: `filter` (h, w, channels, multiplier).

    Channel k of the input gives channels k·multiplier … of the result. Unequal strides and
    `data_format="NCHW"` run too.
    """
    op = "DepthwiseConv2dNative"
    channel = channel_axis(data_format, 2, op)
    strides = _depthwise_strides(strides, channel)
    rates = _rates(dilations)
    if max(rates) > 1 and max(strides) > 1:
        raise ValueError("depthwise_conv2d: `strides > 1` not supported in conjunction with "
                         f"`dilations > 1`. Received: strides={strides} and dilations={rates}")
    rule = padding_rule(padding, 2, op, explicit=True)
    x, w = alike([input, filter])
    return _depthwise(x, w, channel, strides, spatial_padding(rule, channel, op), rates)


def _depthwise_strides(strides: Any, channel: int) -> tuple:
    op = "DepthwiseConv2dNative"
    if not isinstance(strides, (list, tuple)):
        raise TypeError(f"Expected list for 'strides' argument to 'depthwise_conv2d_native' Op, "
                        f"not {strides}.")
    if len(strides) != 4:
        raise errors.invalid(op, "Sliding window strides field must specify 4 dimensions")
    return spatial(tuple([int(s) for s in strides]), channel, "strides", op, _STRIDES)


@export("nn.separable_conv2d")
def separable_conv2d(input: Any, depthwise_filter: Any, pointwise_filter: Any, strides: Any,
                     padding: Any, data_format: str | None = None, dilations: Any = None,
                     name: str | None = None) -> Tensor:
    """A depthwise convolution, and a mixture of its channels by `pointwise_filter` (1, 1, in, out).
    """
    x, w, mix = alike([input, depthwise_filter, pointwise_filter])
    check_rank(mix, 4, "SeparableConv2D", "pointwise_filter")
    for size in shape_of(mix)[:2]:
        if size not in (1, None):
            raise ValueError(f"Dimensions {size} and 1 are not compatible: pointwise_filter has "
                             f"shape {brackets(shape_of(mix))}")
    y = depthwise_conv2d(x, w, strides, padding, data_format, dilations)
    return conv2d(y, mix, 1, "VALID", data_format or "NHWC")


@export("nn.depthwise_conv2d_backprop_input")
def depthwise_conv2d_backprop_input(input_sizes: Any, filter: Any, out_backprop: Any, strides: Any,
                                    padding: Any, data_format: str = "NHWC", dilations: Any = None,
                                    name: str | None = None) -> Tensor:
    """The gradient of a depthwise convolution in its input, of shape `input_sizes`."""
    op = "DepthwiseConv2dNativeBackpropInput"
    w, g = alike([filter, out_backprop])
    sizes = int_vector(input_sizes, op, "input_sizes")
    channel = channel_axis(data_format, 2, op)
    attrs = _backprop(op, channel, strides, padding, dilations)
    height, width, depth, multiplier = sizes_of(w)
    wide = reshape(w, shape=joined([height, width, 1, depth * multiplier]))
    inner = sizes[2:] if channel == 1 else sizes[1:-1]
    y = input_gradient(wide, channels_last(g, channel), sizes=inner, groups=depth, **attrs)
    return channels_back(y, channel)


@export("nn.depthwise_conv2d_backprop_filter")
def depthwise_conv2d_backprop_filter(input: Any, filter_sizes: Any, out_backprop: Any, strides: Any,
                                     padding: Any, data_format: str = "NHWC",
                                     dilations: Any = None, name: str | None = None) -> Tensor:
    """The gradient of a depthwise convolution in its filters, of shape `filter_sizes`."""
    op = "DepthwiseConv2dNativeBackpropFilter"
    x, g = alike([input, out_backprop])
    height, width, depth, multiplier = int_vector(filter_sizes, op, "filter_sizes")
    channel = channel_axis(data_format, 2, op)
    attrs = _backprop(op, channel, strides, padding, dilations)
    wide = filter_gradient(channels_last(x, channel), channels_last(g, channel),
                           sizes=(height, width), groups=depth, **attrs)
    return reshape(wide, shape=(height, width, depth, multiplier))


def _backprop(op: str, channel: int, strides: Any, padding: Any, dilations: Any) -> dict:
    if dilations is not None and not isinstance(dilations, (list, tuple)):
        raise TypeError(f"Expected list for 'dilations' argument, not {dilations!r}.")
    rates = sequence(dilations, 2, channel, "dilations")
    rule = padding_rule(padding, 2, op, explicit=True)
    return {"strides": _depthwise_strides(strides, channel),
            "padding": spatial_padding(rule, channel, op),
            "dilations": spatial(rates, channel, "dilations", op, _RATES)}
