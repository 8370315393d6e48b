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
        kept = [tf.where(length > tf.cast(t, tf.int64), one, tf.zeros_like(one)) for one in found]
        return (kept[1], kept[6]), kept

    return tuple(_over_time(x, step, (cs_prev, h_prev), 7)[1])


def _over_time(x: Any, step: Callable, states: tuple, count: int) -> tuple[Any, list]:
    """The states after the last row of x, and the `count` results of each row, stacked.

    `step(t, *states)` gives the next states, and the results of row t.
    """
    rows: list[list[Any]] = [[] for _ in range(count)]
    if x.shape[0]:
        for t in range(x.shape[0]):
            states, found = step(t, *states)
            for row, one in zip(rows, found, strict=True):
                row.append(one)
        return states, [tf.stack(row) for row in rows]
    length = tf.shape(x)[0]
    arrays = [tf.TensorArray(states[0].dtype, length, element_shape=states[0].shape) for _ in rows]

    def body(t: Any, arrays: Any, states: Any) -> Any:
        states, found = step(t, *states)
        return t + 1, [array.write(t, one)
                       for array, one in zip(arrays, found, strict=True)], states

    _, arrays, states = tf.while_loop(lambda t, *_: t < length, body, [0, arrays, states])
    return states, [array.stack() for array in arrays]


@raw
def CudnnRNN(input: Any, input_h: Any, input_c: Any, params: Any, rnn_mode: str, input_mode: str,
             direction: str, dropout: float, seed: int, seed2: int, is_training: bool) -> Any:
    return _cudnn_layer(input, input_h, input_c, params, None,
                        (rnn_mode, input_mode, direction, dropout, 0))


@raw
def CudnnRNNV3(input: Any, input_h: Any, input_c: Any, params: Any, sequence_lengths: Any,
               rnn_mode: str, input_mode: str, direction: str, dropout: float, seed: int,
               seed2: int, num_proj: int, is_training: bool, time_major: bool) -> Any:
    asked = rnn_mode, input_mode, direction, dropout, num_proj
    x, h, c = [one if time_major else _swapped(one) for one in (input, input_h, input_c)]
    *made, reserved = _cudnn_layer(x, h, c, params, sequence_lengths, asked)
    return *[one if time_major else _swapped(one) for one in made], reserved, tf.zeros([0], tf.int8)


def _swapped(x: Any) -> Any:
    """Time and batch, or layer and batch, exchanged; the cell's state of a GRU is no array."""
    return tf.transpose(x, [1, 0, 2]) if x.shape.rank == 3 else x


def _cudnn_layer(x: Any, h: Any, c: Any, params: Any, lengths: Any, asked: tuple) -> Any:
    """One layer of LSTM or GRU over time, as libraries trace it for GPUs beside what CPUs run."""
    if asked[0] not in ("lstm", "gru") or h.shape[0] != 1 or asked[1:] != (
            "linear_input", "unidirectional", 0.0, 0):
        raise NotImplementedError(
            "tf.raw_ops.CudnnRNN runs one layer of LSTM or GRU in one direction, without dropout "
            f"and projection; asked for {asked} in {h.shape[0]} layers.")
    is_lstm, width, units = asked[0] == "lstm", x.shape[2], h.shape[2]
    size = (4 if is_lstm else 3) * units
    inner, recurrent, bias, recurrent_bias = tf.split(
        params, [size * width, size * units, size, size])
    rows = tf.linalg.matmul(x, tf.reshape(inner, [size, width]), transpose_b=True) + bias
    recurrent = tf.reshape(recurrent, [size, units])
    cell = _lstm_cell if is_lstm else _gru_cell

    def step(t: Any, *states: Any) -> Any:
        product = tf.linalg.matmul(states[0], recurrent, transpose_b=True) + recurrent_bias
        new = cell(rows[t], product, *states)
        if lengths is None:
            return new, new[:1]
        going = (tf.cast(t, lengths.dtype) < lengths)[:, None]
        new = tuple([tf.where(going, one, old) for one, old in zip(new, states, strict=True)])
        return new, [tf.where(going, new[0], tf.zeros_like(new[0]))]

    states, (output,) = _over_time(rows, step, (h[0], c[0]) if is_lstm else (h[0],), 1)
    last = states[1][None] if is_lstm else tf.zeros_like(c)
    return output, states[0][None], last, tf.zeros([0], x.dtype)


def _lstm_cell(row: Any, product: Any, h: Any, c: Any) -> tuple:
    i, f, new, o = tf.split(row + product, 4, 1)
    c = tf.math.sigmoid(f) * c + tf.math.sigmoid(i) * tf.math.tanh(new)
    return tf.math.sigmoid(o) * tf.math.tanh(c), c


def _gru_cell(row: Any, product: Any, h: Any) -> tuple:
    r, z, new = tf.split(row, 3, 1)
    r_h, z_h, new_h = tf.split(product, 3, 1)
    z = tf.math.sigmoid(z + z_h)
    new = tf.math.tanh(new + tf.math.sigmoid(r + r_h) * new_h)
    return (z * h + (1 - z) * new,)


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


@raw
def CTCBeamSearchDecoder(inputs: Any, sequence_length: Any, beam_width: int, top_paths: int,
                         merge_repeated: bool) -> Any:
    paths, scores = tf.nn.ctc_beam_search_decoder(inputs, sequence_length, beam_width, top_paths)
    if merge_repeated:
        paths = [_merged(one) for one in paths]
    return ([one.indices for one in paths], [one.values for one in paths],
            [one.dense_shape for one in paths], scores)


def _merged(labels: Any) -> Any:
    """Rows of labels with each run of equal ones as one."""
    rows, values = labels.indices[:, 0], labels.values
    same = tf.math.logical_and(rows[1:] == rows[:-1], values[1:] == values[:-1])
    kept = tf.concat([tf.ones(tf.shape(values)[:1], tf.bool)[:1], tf.math.logical_not(same)], 0)
    return tf.RaggedTensor.from_value_rowids(
        tf.boolean_mask(values, kept), tf.boolean_mask(rows, kept), labels.dense_shape[0],
        validate=False).to_sparse()


@raw
def CTCLoss(inputs: Any, labels_indices: Any, labels_values: Any, sequence_length: Any,
            preprocess_collapse_repeated: bool, ctc_merge_repeated: bool) -> Any:
    """The losses, and their gradients by the logits; the last class is blank."""
    if preprocess_collapse_repeated or not ctc_merge_repeated:
        raise NotImplementedError("CTCLoss that collapses repeated labels before, or that does not "
                                  "merge repeated ones")
    rows = tf.RaggedTensor.from_value_rowids(
        labels_values, labels_indices[:, 0], tf.cast(tf.shape(inputs)[1], tf.int64),
        validate=False)
    lengths = tf.cast(rows.row_lengths(), tf.int32)
    with tf.GradientTape() as tape:
        tape.watch(inputs)
        loss = tf.nn.ctc_loss(rows.to_tensor(), inputs, lengths, sequence_length,
                              blank_index=-1)
    return loss, tf.stop_gradient(tape.gradient(loss, inputs))


@raw
def IsotonicRegression(input: Any, output_dtype: Any) -> Any:
    output, segments = tf.nn.isotonic_regression(input)
    return tf.cast(output, output_dtype), segments
