"""Convolutions and pooling."""

from __future__ import annotations

from typing import Any

from tapeflow.tensorflow_graphs.ops.random.randoms import given_seed
from tapeflow.tensorflow_graphs.public import tf
from tapeflow.tensorflow_graphs.registry import raw, same

same("""
AvgPool nn.avg_pool2d ksize strides padding data_format
AvgPool3D nn.avg_pool3d ksize strides padding data_format
Conv3D nn.conv3d strides padding data_format dilations
MaxPool3D nn.max_pool3d ksize strides padding data_format
""")


def _spatial(values: list, data_format: str) -> list:
    """Strides or window sizes of the spatial axes alone."""
    return list(values[2:] if data_format.startswith("NC") else values[1:-1])


def _padding(padding: str, explicit: list) -> Any:
    """SAME, VALID, or pairs for each axis."""
    if padding != "EXPLICIT":
        return padding
    return [list(pair) for pair in zip(explicit[::2], explicit[1::2], strict=True)]


@raw
def Conv2D(input: Any, filter: Any, strides: list, padding: str, explicit_paddings: list,
           data_format: str, dilations: list) -> Any:
    return tf.nn.conv2d(input, filter, strides, _padding(padding, explicit_paddings), data_format,
                        _spatial(dilations, data_format))


@raw
def Conv(input: Any, filter: Any, strides: list, padding: str, data_format: str,
         dilations: list) -> Any:
    axes = "NHWC" if input.shape.rank == 4 else "NDHWC"
    if data_format == "CHANNELS_FIRST":
        axes = axes[0] + "C" + axes[1:-1]
    return tf.nn.convolution(input, filter, _spatial(strides, axes), padding, axes,
                             _spatial(dilations, axes) if dilations else None)


@raw
def DepthwiseConv2dNative(input: Any, filter: Any, strides: list, padding: str,
                          explicit_paddings: list, data_format: str, dilations: list) -> Any:
    return tf.nn.depthwise_conv2d(input, filter, strides, _padding(padding, explicit_paddings),
                                  data_format, _spatial(dilations, data_format))


@raw
def Conv2DBackpropInput(input_sizes: Any, filter: Any, out_backprop: Any, strides: list,
                        padding: str, explicit_paddings: list, data_format: str,
                        dilations: list) -> Any:
    return tf.nn.conv2d_transpose(
        out_backprop, filter, input_sizes, strides, _padding(padding, explicit_paddings),
        data_format, _spatial(dilations, data_format))


@raw
def Conv3DBackpropInputV2(input_sizes: Any, filter: Any, out_backprop: Any, strides: list,
                          padding: str, data_format: str, dilations: list) -> Any:
    return tf.nn.conv3d_transpose(out_backprop, filter, input_sizes, strides, padding, data_format,
                                  _spatial(dilations, data_format))


@raw
def DepthwiseConv2dNativeBackpropInput(
        input_sizes: Any, filter: Any, out_backprop: Any, strides: list, padding: str,
        explicit_paddings: list, data_format: str, dilations: list) -> Any:
    return tf.nn.depthwise_conv2d_backprop_input(
        input_sizes, filter, out_backprop, strides, _padding(padding, explicit_paddings),
        data_format, _spatial(dilations, data_format))


@raw
def MaxPool(input: Any, ksize: list, strides: list, padding: str, explicit_paddings: list,
            data_format: str) -> Any:
    return tf.nn.max_pool2d(input, ksize, strides, _padding(padding, explicit_paddings),
                            data_format)


@raw
def MaxPoolV2(input: Any, ksize: Any, strides: Any, padding: str, data_format: str) -> Any:
    return tf.nn.max_pool2d(input, tf.get_static_value(ksize).tolist(),
                            tf.get_static_value(strides).tolist(), padding, data_format)


@raw
def MaxPoolWithArgmax(input: Any, ksize: list, strides: list, padding: str, Targmax: Any,
                      include_batch_in_index: bool) -> Any:
    return tuple(tf.nn.max_pool_with_argmax(
        input, ksize, strides, padding, output_dtype=Targmax,
        include_batch_in_index=include_batch_in_index))


@raw
def Dilation2D(input: Any, filter: Any, strides: list, rates: list, padding: str) -> Any:
    return tf.nn.dilation2d(input, filter, strides, padding, "NHWC", rates)


@raw
def ExtractVolumePatches(input: Any, ksizes: list, strides: list, padding: str) -> Any:
    """The elements of each window, in depth: a convolution with filters of one 1 each."""
    sizes, depth = ksizes[1:4], input.shape[-1]
    count = sizes[0] * sizes[1] * sizes[2] * depth
    filters = tf.reshape(tf.eye(count, dtype=input.dtype), [*sizes, depth, count])
    return tf.nn.conv3d(input, filters, strides, padding)


# -- regions of random sizes -----------------------------------------------------------------------
@raw
def FractionalMaxPool(value: Any, pooling_ratio: list, pseudo_random: bool, overlapping: bool,
                      seed: int, seed2: int) -> Any:
    return tuple(tf.nn.fractional_max_pool(value, pooling_ratio, pseudo_random, overlapping,
                                           given_seed(seed, seed2) or 0))


@raw
def FractionalAvgPool(value: Any, pooling_ratio: list, pseudo_random: bool, overlapping: bool,
                      seed: int, seed2: int) -> Any:
    return tuple(tf.nn.fractional_avg_pool(value, pooling_ratio, pseudo_random, overlapping,
                                           given_seed(seed, seed2) or 0))
