"""Activations, losses, normalisation, recurrent cells."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tapeflow.tensorflow_graphs.public import tf
from tapeflow.tensorflow_graphs.registry import raw, same

same("""
BiasAdd nn.bias_add data_format
BiasAddV1 nn.bias_add
Elu nn.elu
L2Loss nn.l2_loss
LeakyRelu nn.leaky_relu alpha
LogSoftmax nn.log_softmax
LRN nn.local_response_normalization depth_radius bias alpha beta
Relu nn.relu
Relu6 nn.relu6
Selu nn.selu
Softmax nn.softmax
Softplus math.softplus
Softsign nn.softsign
""")


@raw
def ReluGrad(gradients: Any, features: Any) -> Any:
    return tf.where(features > 0, gradients, tf.zeros_like(gradients))


@raw
def Relu6Grad(gradients: Any, features: Any) -> Any:
    inside = tf.math.logical_and(features > 0, features < 6)
    return tf.where(inside, gradients, tf.zeros_like(gradients))


@raw
def LeakyReluGrad(gradients: Any, features: Any, alpha: float) -> Any:
    return tf.where(features > 0, gradients, alpha * gradients)


@raw
def EluGrad(gradients: Any, outputs: Any) -> Any:
    return tf.where(outputs < 0, gradients * (outputs + 1), gradients)


@raw
def SoftplusGrad(gradients: Any, features: Any) -> Any:
    return gradients * tf.math.sigmoid(features)


@raw
def SoftsignGrad(gradients: Any, features: Any) -> Any:
    return gradients / tf.math.square(1 + tf.math.abs(features))


@raw
def SoftmaxCrossEntropyWithLogits(features: Any, labels: Any) -> Any:
    loss = tf.nn.softmax_cross_entropy_with_logits(labels, features)
    return loss, tf.stop_gradient(tf.nn.softmax(features) - labels)


@raw
def SparseSoftmaxCrossEntropyWithLogits(features: Any, labels: Any) -> Any:
    loss = tf.nn.sparse_softmax_cross_entropy_with_logits(labels, features)
    chosen = tf.one_hot(labels, tf.shape(features)[-1], dtype=features.dtype)
    return loss, tf.stop_gradient(tf.nn.softmax(features) - chosen)


# -- normalisation over a batch --------------------------------------------------------------------
def _batch_norm(x: Any, scale: Any, offset: Any, mean: Any, variance: Any, epsilon: float,
                factor: float, data_format: str, is_training: bool) -> tuple:
    """The result, the statistics to keep, and those that were used."""
    kind = x.dtype
    axes = [0, 1, 2] if data_format == "NHWC" else [0, 2, 3]
    if data_format not in ("NHWC", "NCHW"):
        axes = [0, 1, 2, 3] if data_format == "NDHWC" else [0, 2, 3, 4]
    shape = [1 if i in axes else -1 for i in range(len(axes) + 1)]
    wide = tf.cast(x, scale.dtype)
    if not is_training:
        used_mean, used = mean, variance
        kept_mean, kept = mean, variance
    else:
        used_mean, used = tf.nn.moments(wide, axes)
        count = tf.cast(tf.size(x) // tf.size(used_mean), used.dtype)
        kept_mean, kept = used_mean, used * count / tf.math.maximum(count - 1, 1)
        if factor != 1.0:
            kept_mean = mean * (1 - factor) + kept_mean * factor
            kept = variance * (1 - factor) + kept * factor
    normal = tf.nn.batch_normalization(
        wide, tf.reshape(used_mean, shape), tf.reshape(used, shape), tf.reshape(offset, shape),
        tf.reshape(scale, shape), epsilon)
    return tf.cast(normal, kind), kept_mean, kept, used_mean, used


@raw
def FusedBatchNorm(x: Any, scale: Any, offset: Any, mean: Any, variance: Any, epsilon: float,
                   exponential_avg_factor: float, data_format: str, is_training: bool) -> Any:
    return _batch_norm(x, scale, offset, mean, variance, epsilon, exponential_avg_factor,
                       data_format, is_training)


@raw
def FusedBatchNormV2(x: Any, scale: Any, offset: Any, mean: Any, variance: Any, epsilon: float,
                     exponential_avg_factor: float, data_format: str, is_training: bool) -> Any:
    return _batch_norm(x, scale, offset, mean, variance, epsilon, exponential_avg_factor,
                       data_format, is_training)


@raw
def FusedBatchNormV3(x: Any, scale: Any, offset: Any, mean: Any, variance: Any, epsilon: float,
                     exponential_avg_factor: float, data_format: str, is_training: bool) -> Any:
    found = _batch_norm(x, scale, offset, mean, variance, epsilon, exponential_avg_factor,
                        data_format, is_training)
    return (*found, tf.zeros([], tf.float32))


@raw
def BatchNormWithGlobalNormalization(
        t: Any, m: Any, v: Any, beta: Any, gamma: Any, variance_epsilon: float,
        scale_after_normalization: bool) -> Any:
    return tf.nn.batch_normalization(t, m, v, beta, gamma if scale_after_normalization else None,
                                     variance_epsilon)


# -- recurrent cells -------------------------------------------------------------------------------
@raw
def LSTMBlockCell(x: Any, cs_prev: Any, h_prev: Any, w: Any, wci: Any, wcf: Any, wco: Any, b: Any,
                  forget_bias: float, cell_clip: float, use_peephole: bool) -> Any:
    gates = tf.linalg.matmul(tf.concat([x, h_prev], 1), w) + b
    i, ci, f, o = tf.split(gates, 4, 1)
    if use_peephole:
        i, f = i + cs_prev * wci, f + cs_prev * wcf
    i, f, ci = tf.math.sigmoid(i), tf.math.sigmoid(f + forget_bias), tf.math.tanh(ci)
    cs = ci * i + cs_prev * f
    if cell_clip > 0:
        cs = tf.clip_by_value(cs, -cell_clip, cell_clip)
    o = tf.math.sigmoid(o + cs * wco if use_peephole else o)
    co = tf.math.tanh(cs)
    return i, cs, f, o, ci, co, co * o


@raw
def GRUBlockCell(x: Any, h_prev: Any, w_ru: Any, w_c: Any, b_ru: Any, b_c: Any) -> Any:
    r, u = tf.split(tf.math.sigmoid(tf.linalg.matmul(tf.concat([x, h_prev], 1), w_ru) + b_ru), 2, 1)
    c = tf.math.tanh(tf.linalg.matmul(tf.concat([x, h_prev * r], 1), w_c) + b_c)
    return r, u, c, u * h_prev + (1 - u) * c


@raw
def BlockLSTMV2(seq_len_max: Any, x: Any, cs_prev: Any, h_prev: Any, w: Any, wci: Any, wcf: Any,
                wco: Any, b: Any, cell_clip: float, use_peephole: bool) -> Any:
    """The cell over time; gates in V2's order i, f, ci, o, and no forget bias."""
    size = w.shape[1] // 4
    i_w, ci_w, f_w, o_w = (slice(0, size), slice(2 * size, 3 * size), slice(size, 2 * size),
                           slice(3 * size, 4 * size))
    order = [i_w, ci_w, f_w, o_w]
    w = tf.concat([w[:, one] for one in order], 1)
    b = tf.concat([b[one] for one in order], 0)
    length = tf.cast(seq_len_max, tf.int64)

    def step(t: Any, cs: Any, h: Any) -> Any:
        found = LSTMBlockCell(x[t], cs, h, w, wci, wcf, wco, b, 0.0, cell_clip, use_peephole)
        return [tf.where(length > tf.cast(t, tf.int64), one, tf.zeros_like(one)) for one in found]

    if x.shape[0] is None:
        return _over_time(tf.shape(x)[0], step, cs_prev, h_prev)
    rows: list[list[Any]] = [[] for _ in range(7)]
    for t in range(x.shape[0]):
        found = step(t, cs_prev, h_prev)
        cs_prev, h_prev = found[1], found[6]
        for row, one in zip(rows, found, strict=True):
            row.append(one)
    return tuple([tf.stack(row) for row in rows])


def _over_time(steps: Any, step: Callable, cs: Any, h: Any) -> Any:
    """What `step` gives at each of as many steps as a run has."""
    rows = [tf.TensorArray(cs.dtype, steps, element_shape=cs.shape) for _ in range(7)]

    def body(t: Any, cs: Any, h: Any, rows: Any) -> Any:
        found = step(t, cs, h)
        return t + 1, found[1], found[6], [
            row.write(t, one) for row, one in zip(rows, found, strict=True)]

    *_, rows = tf.while_loop(lambda t, *_: t < steps, body, [0, cs, h, rows])
    return tuple([row.stack() for row in rows])


@raw
def CudnnRNN(input: Any, input_h: Any, input_c: Any, params: Any, rnn_mode: str, input_mode: str,
             direction: str, dropout: float, seed: int, seed2: int, is_training: bool) -> Any:
    """One layer of LSTM over time, as libraries trace it for GPUs beside what runs on CPUs."""
    asked = rnn_mode, input_mode, direction, dropout, input_h.shape[0]
    if asked != ("lstm", "linear_input", "unidirectional", 0.0, 1):
        raise NotImplementedError("tf.raw_ops.CudnnRNN runs one layer of LSTM in one direction, "
                                  f"without dropout; asked for {asked}.")
    width, units = input.shape[2], input_h.shape[2]
    inner, recurrent, bias, second_bias = tf.split(
        params, [4 * units * width, 4 * units * units, 4 * units, 4 * units])
    w = tf.concat([tf.transpose(tf.reshape(inner, [4 * units, width])),
                   tf.transpose(tf.reshape(recurrent, [4 * units, units]))], 0)
    peephole = tf.zeros([units], input.dtype)
    _, cs, _, _, _, _, h = BlockLSTMV2(
        tf.shape(input)[0], input, input_c[0], input_h[0], w, peephole, peephole, peephole,
        bias + second_bias, 0.0, False)
    return h, h[-1:], cs[-1:], tf.zeros([0], input.dtype)


@raw
def ComputeAccidentalHits(true_classes: Any, sampled_candidates: Any, num_true: int) -> Any:
    return tuple(tf.nn.compute_accidental_hits(true_classes, sampled_candidates, num_true))


@raw
def QuantizeAndDequantizeV4(input: Any, input_min: Any, input_max: Any, signed_input: bool,
                            num_bits: int, range_given: bool, round_mode: str,
                            narrow_range: bool, axis: int) -> Any:
    return tf.quantization.quantize_and_dequantize_v2(
        input, input_min, input_max, signed_input, num_bits, range_given, round_mode, None,
        narrow_range, None if axis == -1 else axis)


@raw
def CTCGreedyDecoder(inputs: Any, sequence_length: Any, merge_repeated: bool,
                     blank_index: int) -> Any:
    (labels,), scores = tf.nn.ctc_greedy_decoder(inputs, sequence_length, merge_repeated,
                                                 blank_index)
    return labels.indices, labels.values, labels.dense_shape, scores
