"""Gradients that graphs hold as ops: of a training step that was saved, say.

Each is found by a tape over the op that it is the gradient of.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tapeflow.tensorflow_graphs.ops.convolutions import Conv2D, DepthwiseConv2dNative, MaxPool
from tapeflow.tensorflow_graphs.public import tf
from tapeflow.tensorflow_graphs.registry import raw


def pulled_back(function: Callable, x: Any, grad: Any) -> Any:
    """The gradient of a function at x."""
    with tf.GradientTape() as tape:
        tape.watch(x)
        result = function(x)
    return tape.gradient(result, x, grad)


# -- pooling ---------------------------------------------------------------------------------------
@raw
def MaxPoolGrad(orig_input: Any, orig_output: Any, grad: Any, ksize: list, strides: list,
                padding: str, explicit_paddings: list, data_format: str) -> Any:
    return pulled_back(lambda x: MaxPool(x, ksize, strides, padding, explicit_paddings,
                                          data_format), orig_input, grad)


@raw
def AvgPoolGrad(orig_input_shape: Any, grad: Any, ksize: list, strides: list, padding: str,
                data_format: str) -> Any:
    return pulled_back(lambda x: tf.nn.avg_pool2d(x, ksize, strides, padding, data_format),
                        tf.zeros(orig_input_shape, grad.dtype), grad)


@raw
def MaxPoolGradV2(orig_input: Any, orig_output: Any, grad: Any, ksize: Any, strides: Any,
                  padding: str, data_format: str) -> Any:
    sizes, steps = [tf.get_static_value(one).tolist() for one in (ksize, strides)]
    return MaxPoolGrad(orig_input, orig_output, grad, sizes, steps, padding, [], data_format)


@raw
def MaxPoolGradGrad(orig_input: Any, orig_output: Any, grad: Any, ksize: list, strides: list,
                    padding: str, data_format: str) -> Any:
    """The gradient of MaxPoolGrad by the gradient that it takes: what stands at the maxima."""
    return pulled_back(lambda g: MaxPoolGrad(orig_input, orig_output, g, ksize, strides, padding,
                                             [], data_format), tf.zeros_like(orig_output), grad)


@raw
def MaxPoolGradWithArgmax(input: Any, grad: Any, argmax: Any, ksize: list, strides: list,
                          padding: str, include_batch_in_index: bool) -> Any:
    count = tf.size(input) if include_batch_in_index else tf.size(input[0])
    size, places = tf.cast(count, tf.int64), tf.cast(argmax, tf.int64)
    if not include_batch_in_index:
        rows = tf.range(tf.cast(tf.shape(input)[0], tf.int64))
        places += tf.reshape(rows, [-1, 1, 1, 1]) * size
    flat = tf.math.unsorted_segment_sum(tf.reshape(grad, [-1]), tf.reshape(places, [-1]),
                                        tf.size(input))
    return tf.reshape(flat, tf.shape(input))


@raw
def MaxPool3DGrad(orig_input: Any, orig_output: Any, grad: Any, ksize: list, strides: list,
                  padding: str, data_format: str) -> Any:
    return pulled_back(lambda x: tf.nn.max_pool3d(x, ksize, strides, padding, data_format),
                       orig_input, grad)


@raw
def AvgPool3DGrad(orig_input_shape: Any, grad: Any, ksize: list, strides: list, padding: str,
                  data_format: str) -> Any:
    return pulled_back(lambda x: tf.nn.avg_pool3d(x, ksize, strides, padding, data_format),
                       tf.zeros(orig_input_shape, grad.dtype), grad)


@raw
def FractionalMaxPoolGrad(
        orig_input: Any, orig_output: Any, out_backprop: Any, row_pooling_sequence: Any,
        col_pooling_sequence: Any, overlapping: bool) -> Any:
    from tapeflow.ops.nn.fractional_pools import max_in
    return pulled_back(lambda x: max_in(x, row_pooling_sequence, col_pooling_sequence,
                                        overlapping), orig_input, out_backprop)


@raw
def FractionalAvgPoolGrad(
        orig_input_tensor_shape: Any, out_backprop: Any, row_pooling_sequence: Any,
        col_pooling_sequence: Any, overlapping: bool) -> Any:
    from tapeflow.ops.nn.fractional_pools import mean_in
    return pulled_back(lambda x: mean_in(x, row_pooling_sequence, col_pooling_sequence,
                                         overlapping),
                       tf.zeros(orig_input_tensor_shape, out_backprop.dtype), out_backprop)


@raw
def Dilation2DBackpropInput(input: Any, filter: Any, out_backprop: Any, strides: list,
                            rates: list, padding: str) -> Any:
    return pulled_back(lambda x: tf.nn.dilation2d(x, filter, strides, padding, "NHWC", rates),
                       input, out_backprop)


@raw
def Dilation2DBackpropFilter(input: Any, filter: Any, out_backprop: Any, strides: list,
                             rates: list, padding: str) -> Any:
    return pulled_back(lambda x: tf.nn.dilation2d(input, x, strides, padding, "NHWC", rates),
                       filter, out_backprop)


# -- gradients by filters --------------------------------------------------------------------------
def _by_filters(convolution: Any, filter_sizes: Any, grad: Any) -> Any:
    return pulled_back(convolution, tf.zeros(filter_sizes, grad.dtype), grad)


@raw
def Conv2DBackpropFilter(input: Any, filter_sizes: Any, out_backprop: Any, strides: list,
                         padding: str, explicit_paddings: list, data_format: str,
                         dilations: list) -> Any:
    return _by_filters(lambda x: Conv2D(input, x, strides, padding, explicit_paddings, data_format,
                                        dilations), filter_sizes, out_backprop)


@raw
def Conv3DBackpropFilterV2(input: Any, filter_sizes: Any, out_backprop: Any, strides: list,
                           padding: str, data_format: str, dilations: list) -> Any:
    return _by_filters(lambda x: tf.nn.conv3d(input, x, strides, padding, data_format, dilations),
                       filter_sizes, out_backprop)


@raw
def DepthwiseConv2dNativeBackpropFilter(
        input: Any, filter_sizes: Any, out_backprop: Any, strides: list, padding: str,
        explicit_paddings: list, data_format: str, dilations: list) -> Any:
    return _by_filters(lambda x: DepthwiseConv2dNative(
        input, x, strides, padding, explicit_paddings, data_format, dilations), filter_sizes,
        out_backprop)


# -- others ----------------------------------------------------------------------------------------
@raw
def BiasAddGrad(out_backprop: Any, data_format: str) -> Any:
    axes = [i for i in range(out_backprop.shape.rank)
            if i != (1 if data_format.startswith("NC") else out_backprop.shape.rank - 1)]
    return tf.reduce_sum(out_backprop, axes)


@raw
def SeluGrad(gradients: Any, outputs: Any) -> Any:
    scale, alpha = 1.0507009873554804934193349852946, 1.7580993408473768599402175208123
    return tf.where(outputs < 0, gradients * (outputs + alpha), gradients * scale)


@raw
def LRNGrad(input_grads: Any, input_image: Any, output_image: Any, depth_radius: int, bias: float,
            alpha: float, beta: float) -> Any:
    return pulled_back(lambda x: tf.nn.local_response_normalization(
        x, depth_radius, bias, alpha, beta), input_image, input_grads)


@raw
def CholeskyGrad(l: Any, grad: Any) -> Any:
    return pulled_back(tf.linalg.cholesky, tf.linalg.matmul(l, l, adjoint_b=True), grad)


@raw
def CropAndResizeGradBoxes(grads: Any, image: Any, boxes: Any, box_ind: Any, method: str) -> Any:
    size = grads.shape[1:3].as_list()
    return pulled_back(lambda x: tf.image.crop_and_resize(image, x, box_ind, size, method), boxes,
                       grads)


@raw
def ScaleAndTranslateGrad(grads: Any, original_image: Any, scale: Any, translation: Any,
                          kernel_type: str, antialias: bool) -> Any:
    from tapeflow.tensorflow_graphs.ops.images import ScaleAndTranslate
    return pulled_back(lambda x: ScaleAndTranslate(
        x, tf.shape(grads)[1:3], scale, translation, kernel_type, antialias), original_image,
        grads)


def _segments_back(reduce: Callable, grad: Any, indices: Any, segment_ids: Any,
                   output_dim0: Any) -> Any:
    rows = tf.concat([[tf.cast(output_dim0, tf.int32)], tf.shape(grad)[1:]], 0)
    return pulled_back(lambda x: reduce(x, indices, segment_ids, num_segments=tf.shape(grad)[0]),
                       tf.zeros(rows, grad.dtype), grad)


@raw
def SparseSegmentSumGrad(grad: Any, indices: Any, segment_ids: Any, output_dim0: Any) -> Any:
    return _segments_back(tf.sparse.segment_sum, grad, indices, segment_ids, output_dim0)


@raw
def SparseSegmentMeanGrad(grad: Any, indices: Any, segment_ids: Any, output_dim0: Any) -> Any:
    return _segments_back(tf.sparse.segment_mean, grad, indices, segment_ids, output_dim0)


@raw
def SparseSegmentSqrtNGrad(grad: Any, indices: Any, segment_ids: Any, output_dim0: Any) -> Any:
    return _segments_back(tf.sparse.segment_sqrt_n, grad, indices, segment_ids, output_dim0)
