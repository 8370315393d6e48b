# Written by tools/stubs.py (make stubs).
"""tf.nn"""

from typing import Any, overload

import tapeflow as tf
from tapeflow._typing import (
    CompositeT,
    ComputeAccidentalHits,
    DenseLike,
    DTypeLike,
    FloatLike,
    FractionalAvgPool,
    FractionalMaxPool,
    IntLike,
    MaxPoolWithArgmax,
    ShapeLike,
    TensorLike,
)
from tapeflow.linalg import l2_normalize as l2_normalize
from tapeflow.math import (
    approx_max_k as approx_max_k,
    approx_min_k as approx_min_k,
    in_top_k as in_top_k,
    log_softmax as log_softmax,
    sigmoid as sigmoid,
    softmax as softmax,
    softplus as softplus,
    softsign as softsign,
    tanh as tanh,
    top_k as top_k,
    zero_fraction as zero_fraction,
)
from tapeflow.nn import experimental as experimental

def all_candidate_sampler(
    true_classes: Any, num_true: IntLike, num_sampled: IntLike, unique: bool, seed: Any = None,
    name: str | None = None,
) -> Any:
    """Every class once: a sampled loss with it is the full one."""

def atrous_conv2d(
    value: TensorLike, filters: TensorLike, rate: Any, padding: Any, name: str | None = None,
) -> tf.Tensor:
    """A convolution of images whose filters have `rate` - 1 holes between their elements."""

def atrous_conv2d_transpose(
    value: TensorLike, filters: TensorLike, output_shape: ShapeLike, rate: Any, padding: Any,
    name: str | None = None,
) -> tf.Tensor:
    """The transpose of atrous_conv2d: a result of shape `output_shape`."""

def avg_pool(
    input: TensorLike, ksize: Any, strides: Any, padding: Any, data_format: str | None = None,
    name: str | None = None,
) -> tf.Tensor:
    """The average of each window, of real elements only; as many axes as the input has."""

def avg_pool1d(
    input: TensorLike, ksize: Any, strides: Any, padding: Any, data_format: str = 'NWC',
    name: str | None = None,
) -> tf.Tensor:
    """The average of each window along the width of (N, width, channels)."""

def avg_pool2d(
    input: TensorLike, ksize: Any, strides: Any, padding: Any, data_format: str = 'NHWC',
    name: str | None = None,
) -> tf.Tensor:
    """The average of each window of images; what "SAME" pads is not counted."""

def avg_pool3d(
    input: TensorLike, ksize: Any, strides: Any, padding: Any, data_format: str = 'NDHWC',
    name: str | None = None,
) -> tf.Tensor:
    """The average of each window of volumes; what "SAME" pads is not counted."""

def batch_norm_with_global_normalization(
    input: TensorLike, mean: Any, variance: Any, beta: Any, gamma: Any, variance_epsilon: Any,
    scale_after_normalization: bool, name: str | None = None,
) -> tf.Tensor:
    """Batch normalisation; gamma is used only with `scale_after_normalization`."""

def batch_normalization(
    x: TensorLike, mean: Any, variance: Any, offset: Any, scale: Any, variance_epsilon: Any,
    name: str | None = None,
) -> tf.Tensor:
    """(x - mean) / sqrt(variance + variance_epsilon) · scale + offset; the last two may …"""

def bias_add(
    value: TensorLike, bias: Any, data_format: str | None = None, name: str | None = None,
) -> tf.Tensor:
    """value plus a vector, along the last axis or, for data formats NC…, along axis 1."""

def collapse_repeated(
    labels: TensorLike, seq_length: Any, name: str | None = None,
) -> tuple:
    """(labels with each run of equal ones as one, padded with 0; their new lengths)."""

def compute_accidental_hits(
    true_classes: Any, sampled_candidates: Any, num_true: IntLike, seed: Any = None,
    name: str | None = None,
) -> ComputeAccidentalHits:
    """Which drawn classes are true ones: rows, positions among the drawn, and weights -max."""

def compute_average_loss(
    per_example_loss: Any, sample_weight: Any = None, global_batch_size: Any = None,
) -> tf.Tensor:
    """The sum of the losses (weighted if asked for) over `global_batch_size`, or their …"""

def conv1d(
    input: TensorLike, filters: TensorLike, stride: Any, padding: Any,
    data_format: str | None = 'NWC', dilations: Any = None, name: str | None = None,
) -> tf.Tensor:
    """Convolution along one axis: `input` (…, width, channels), `filters` (width, in, out)."""

def conv1d_transpose(
    input: TensorLike, filters: TensorLike, output_shape: ShapeLike, strides: Any,
    padding: Any = 'SAME', data_format: str | None = 'NWC', dilations: Any = None,
    name: str | None = None,
) -> tf.Tensor:
    """The transpose of conv1d: `filters` (width, out, in), a result of shape `output_shape`."""

def conv2d(
    input: TensorLike, filters: TensorLike, strides: Any, padding: Any,
    data_format: str | None = 'NHWC', dilations: Any = None, name: str | None = None,
) -> tf.Tensor:
    """Convolution of images: `input` (…, height, width, channels), `filters` (h, w, in, …"""

def conv2d_transpose(
    input: TensorLike, filters: TensorLike, output_shape: ShapeLike, strides: Any,
    padding: Any = 'SAME', data_format: str | None = 'NHWC', dilations: Any = None,
    name: str | None = None,
) -> tf.Tensor:
    """The transpose of conv2d: `filters` (h, w, out, in), a result of shape `output_shape`."""

def conv3d(
    input: TensorLike, filters: TensorLike, strides: Any, padding: Any,
    data_format: str | None = 'NDHWC', dilations: Any = None, name: str | None = None,
) -> tf.Tensor:
    """Convolution of volumes: `input` (…, depth, height, width, channels); `strides` has …"""

def conv3d_transpose(
    input: TensorLike, filters: TensorLike, output_shape: ShapeLike, strides: Any,
    padding: Any = 'SAME', data_format: str | None = 'NDHWC', dilations: Any = None,
    name: str | None = None,
) -> tf.Tensor:
    """The transpose of conv3d: `filters` (d, h, w, out, in), a result of shape …"""

def conv_transpose(
    input: TensorLike, filters: TensorLike, output_shape: ShapeLike, strides: Any,
    padding: Any = 'SAME', data_format: str | None = None, dilations: Any = None,
    name: str | None = None,
) -> tf.Tensor:
    """The transpose of a convolution in 1, 2 or 3 dimensions, as `output_shape` has them."""

def convolution(
    input: TensorLike, filters: TensorLike, strides: Any = None, padding: Any = 'VALID',
    data_format: str | None = None, dilations: Any = None, name: str | None = None,
) -> tf.Tensor:
    """Convolution in as many dimensions (1, 2 or 3) as the filters have."""

def crelu(features: Any, axis: IntLike = -1, name: str | None = None) -> tf.Tensor:
    """relu of x and of -x, side by side along `axis`."""

def ctc_beam_search_decoder(
    inputs: TensorLike, sequence_length: Any, beam_width: IntLike = 100, top_paths: IntLike = 1,
) -> tuple:
    """([labels of each path], log probabilities): the likeliest sequences; the last class …"""

def ctc_greedy_decoder(
    inputs: TensorLike, sequence_length: Any, merge_repeated: bool = True,
    blank_index: IntLike | None = None,
) -> tuple:
    """([labels], minus the sum of the logits chosen): the best class of each time step."""

def ctc_loss(
    labels: TensorLike, logits: TensorLike, label_length: Any, logit_length: Any,
    logits_time_major: bool = True, unique: Any = None, blank_index: IntLike | None = None,
    name: str | None = None,
) -> tf.Tensor:
    """For each sequence, minus the log likelihood of its labels given the logits of its …"""

def ctc_unique_labels(labels: TensorLike, name: str | None = None) -> list:
    """[distinct labels of each row, padded with 0; for each label its index among them]."""

def depth_to_space(
    input: TensorLike, block_size: IntLike, data_format: str = 'NHWC', name: str | None = None,
) -> tf.Tensor:
    """Channels become blocks of pixels: (N, H, W, b·b·C) to (N, b·H, b·W, C)."""

def depthwise_conv2d(
    input: TensorLike, filter: Any, strides: Any, padding: Any, data_format: str | None = None,
    dilations: Any = None, name: str | None = None,
) -> tf.Tensor:
    """Every channel convolved with filters of its own: `filter` (h, w, channels, …"""

def depthwise_conv2d_backprop_filter(
    input: TensorLike, filter_sizes: Any, out_backprop: Any, strides: Any, padding: Any,
    data_format: str = 'NHWC', dilations: Any = None, name: str | None = None,
) -> tf.Tensor:
    """The gradient of a depthwise convolution in its filters, of shape `filter_sizes`."""

def depthwise_conv2d_backprop_input(
    input_sizes: Any, filter: Any, out_backprop: Any, strides: Any, padding: Any,
    data_format: str = 'NHWC', dilations: Any = None, name: str | None = None,
) -> tf.Tensor:
    """The gradient of a depthwise convolution in its input, of shape `input_sizes`."""

def dilation2d(
    input: TensorLike, filters: TensorLike, strides: Any, padding: str, data_format: str,
    dilations: Any, name: str | None = None,
) -> tf.Tensor:
    """The greatest sum of input and filter over each window, channel by channel."""

def dropout(
    x: TensorLike, rate: Any, noise_shape: ShapeLike = None, seed: Any = None,
    name: str | None = None,
) -> tf.Tensor:
    """Set elements of `x` to 0 with probability `rate`, and scale the others by 1 / (1 - …"""

@overload
def elu(features: DenseLike, name: str | None = None) -> tf.Tensor:
    """x where x >= 0, else exp(x) - 1."""
@overload
def elu(features: CompositeT, name: str | None = None) -> CompositeT: ...

def embedding_lookup(
    params: TensorLike, ids: Any, max_norm: Any = None, name: str | None = None,
) -> tf.Tensor:
    """Rows of an embedding matrix (or of a list of them, split by rows) at integer `ids`."""

def embedding_lookup_sparse(
    params: TensorLike, sp_ids: Any, sp_weights: Any, combiner: str | None = None,
    max_norm: Any = None, name: str | None = None, allow_fast_lookup: bool = False,
) -> tf.Tensor:
    """For each row of `sp_ids` the (weighted) sum, mean or scaled sum of its embeddings."""

def erosion2d(
    value: TensorLike, filters: TensorLike, strides: Any, padding: str, data_format: str,
    dilations: Any, name: str | None = None,
) -> tf.Tensor:
    """The least difference of value and filter over each window, channel by channel."""

def fixed_unigram_candidate_sampler(
    true_classes: Any, num_true: IntLike, num_sampled: IntLike, unique: bool,
    range_max: IntLike, vocab_file: str = '', distortion: FloatLike = 1.0,
    num_reserved_ids: IntLike = 0, num_shards: IntLike = 1, shard: IntLike = 0,
    unigrams: Any = ..., seed: Any = None, name: str | None = None,
) -> Any:
    """Classes drawn by given weights, or those in the last column of a CSV file."""

def fractional_avg_pool(
    value: TensorLike, pooling_ratio: Any, pseudo_random: bool = False,
    overlapping: bool = False, seed: IntLike = 0, name: str | None = None,
) -> FractionalAvgPool:
    """The average of each of about size / ratio regions, whose sizes are random."""

def fractional_max_pool(
    value: TensorLike, pooling_ratio: Any, pseudo_random: bool = False,
    overlapping: bool = False, seed: IntLike = 0, name: str | None = None,
) -> FractionalMaxPool:
    """The maximum of each of about size / ratio regions, whose sizes are random."""

@overload
def gelu(
    features: DenseLike, approximate: bool = False, name: str | None = None,
) -> tf.Tensor:
    """x P(X <= x) for normal X; `approximate` uses tanh for the distribution function."""
@overload
def gelu(
    features: CompositeT, approximate: bool = False, name: str | None = None,
) -> CompositeT: ...

def isotonic_regression(
    inputs: TensorLike, decreasing: bool = True, axis: IntLike = -1,
) -> Any:
    """The nearest sequence, by least squares, that does not rise (or fall) along an axis."""

def l2_loss(t: TensorLike, name: str | None = None) -> tf.Tensor:
    """Half the sum of squares."""

@overload
def leaky_relu(features: DenseLike, alpha: Any = 0.2, name: str | None = None) -> tf.Tensor:
    """x where x > 0, else alpha x. Integers are cast to float32."""
@overload
def leaky_relu(
    features: CompositeT, alpha: Any = 0.2, name: str | None = None,
) -> CompositeT: ...

def learned_unigram_candidate_sampler(
    true_classes: Any, num_true: IntLike, num_sampled: IntLike, unique: bool,
    range_max: IntLike, seed: Any = None, name: str | None = None,
) -> Any:
    """Classes drawn as often as they were among the true classes of the calls before."""

def local_response_normalization(
    input: TensorLike, depth_radius: IntLike = 5, bias: FloatLike = 1, alpha: FloatLike = 1,
    beta: FloatLike = 0.5, name: str | None = None,
) -> tf.Tensor:
    """x / (bias + alpha * the sum of squares over neighbouring channels) ** beta."""

def log_poisson_loss(
    targets: TensorLike, log_input: Any, compute_full_loss: bool = False,
    name: str | None = None,
) -> tf.Tensor:
    """exp(log_input) - log_input · targets, with Stirling's log(targets!) if asked for."""

def max_pool(
    input: TensorLike, ksize: Any, strides: Any, padding: Any, data_format: str | None = None,
    name: str | None = None,
) -> tf.Tensor:
    """The maximum of each window; one to three spatial axes, as the input has."""

def max_pool1d(
    input: TensorLike, ksize: Any, strides: Any, padding: Any, data_format: str = 'NWC',
    name: str | None = None,
) -> tf.Tensor:
    """The maximum of each window along the width of (N, width, channels)."""

def max_pool2d(
    input: TensorLike, ksize: Any, strides: Any, padding: Any, data_format: str = 'NHWC',
    name: str | None = None,
) -> tf.Tensor:
    """The maximum of each window of images; its gradient goes to the first of equal …"""

def max_pool3d(
    input: TensorLike, ksize: Any, strides: Any, padding: Any, data_format: str = 'NDHWC',
    name: str | None = None,
) -> tf.Tensor:
    """The maximum of each window of volumes; its gradient goes to every one of equal …"""

def max_pool_with_argmax(
    input: TensorLike, ksize: Any, strides: Any, padding: Any, data_format: str = 'NHWC',
    output_dtype: DTypeLike = tf.int64, include_batch_in_index: bool = False,
    name: str | None = None,
) -> MaxPoolWithArgmax:
    """Maxima of the windows and their flat indices, counted in each image or in the whole …"""

def moments(
    x: TensorLike, axes: TensorLike, shift: Any = None, keepdims: bool = False,
    name: str | None = None,
) -> tuple[tf.Tensor, tf.Tensor]:
    """Mean and variance of x over `axes`. float16 is computed in float32."""

def nce_loss(
    weights: TensorLike, biases: Any, labels: TensorLike, inputs: TensorLike,
    num_sampled: IntLike, num_classes: IntLike, num_true: IntLike = 1,
    sampled_values: Any = None, remove_accidental_hits: bool = False, name: str = 'nce_loss',
) -> tf.Tensor:
    """Noise-contrastive loss: each true class against the drawn ones, by sigmoids."""

def normalize_moments(
    counts: Any, mean_ss: Any, variance_ss: Any, shift: Any, name: str | None = None,
) -> tuple[tf.Tensor, tf.Tensor]:
    """Mean and variance from what `sufficient_statistics` gives."""

def pool(
    input: TensorLike, window_shape: Any, pooling_type: str, strides: Any = None,
    padding: Any = 'VALID', data_format: str | None = None, dilations: Any = None,
    name: str | None = None,
) -> tf.Tensor:
    """Pooling of kind "MAX" or "AVG" in as many dimensions as `window_shape` has entries."""

@overload
def relu(features: DenseLike, name: str | None = None) -> tf.Tensor:
    """max(x, 0), elementwise."""
@overload
def relu(features: CompositeT, name: str | None = None) -> CompositeT: ...

@overload
def relu6(features: DenseLike, name: str | None = None) -> tf.Tensor:
    """min(max(x, 0), 6), elementwise."""
@overload
def relu6(features: CompositeT, name: str | None = None) -> CompositeT: ...

def safe_embedding_lookup_sparse(
    embedding_weights: Any, sparse_ids: Any, sparse_weights: Any = None, combiner: str = 'mean',
    default_id: IntLike | None = None, max_norm: Any = None, name: str | None = None,
    allow_fast_lookup: bool = False,
) -> tf.Tensor:
    """As embedding_lookup_sparse, without ids below 0 and weights that are not positive."""

def sampled_softmax_loss(
    weights: TensorLike, biases: Any, labels: TensorLike, inputs: TensorLike,
    num_sampled: IntLike, num_classes: IntLike, num_true: IntLike = 1,
    sampled_values: Any = None, remove_accidental_hits: bool = True, seed: Any = None,
    name: str = 'sampled_softmax_loss',
) -> tf.Tensor:
    """Softmax cross-entropy over the true classes and some drawn ones; for training only."""

def scale_regularization_loss(regularization_loss: Any) -> tf.Tensor:
    """The sum of the losses, divided by the number of replicas (one)."""

@overload
def selu(features: DenseLike, name: str | None = None) -> tf.Tensor:
    """scale x where x >= 0, else scale alpha (exp(x) - 1)."""
@overload
def selu(features: CompositeT, name: str | None = None) -> CompositeT: ...

def separable_conv2d(
    input: TensorLike, depthwise_filter: Any, pointwise_filter: Any, strides: Any, padding: Any,
    data_format: str | None = None, dilations: Any = None, name: str | None = None,
) -> tf.Tensor:
    """A depthwise convolution, and a mixture of its channels by `pointwise_filter` (1, 1, …"""

def sigmoid_cross_entropy_with_logits(
    labels: TensorLike | None = None, logits: TensorLike | None = None, name: str | None = None,
) -> tf.Tensor:
    """Cross-entropy of sigmoid(logits) with `labels`, elementwise."""

@overload
def silu(features: DenseLike, beta: Any = 1.0) -> tf.Tensor:
    """x sigmoid(beta x), elementwise; differentiable in beta too."""
@overload
def silu(features: CompositeT, beta: Any = 1.0) -> CompositeT: ...

def softmax_cross_entropy_with_logits(
    labels: TensorLike, logits: TensorLike, axis: IntLike = -1, name: str | None = None,
) -> tf.Tensor:
    """Cross-entropy of softmax(logits) along `axis` with distributions; both are …"""

def space_to_batch(
    input: TensorLike, block_shape: ShapeLike, paddings: TensorLike, name: str | None = None,
) -> tf.Tensor:
    """Spatial positions, after padding, dealt out in blocks to the batch axis."""

def space_to_depth(
    input: TensorLike, block_size: IntLike, data_format: str = 'NHWC', name: str | None = None,
) -> tf.Tensor:
    """Blocks of pixels become channels: (N, H, W, C) to (N, H/b, W/b, b·b·C)."""

def sparse_softmax_cross_entropy_with_logits(
    labels: TensorLike, logits: TensorLike, name: str | None = None,
) -> tf.Tensor:
    """Cross-entropy of softmax(logits) where each row belongs to the class that labels name."""

def sufficient_statistics(
    x: TensorLike, axes: TensorLike, shift: Any = None, keepdims: bool = False,
    name: str | None = None,
) -> tuple:
    """Count, sum, sum of squares (of x - shift) over `axes`, and the shift, for moments."""

def weighted_cross_entropy_with_logits(
    labels: TensorLike, logits: TensorLike, pos_weight: Any, name: str | None = None,
) -> tf.Tensor:
    """Cross-entropy of sigmoid(logits) with positive labels weighted by `pos_weight`."""

def weighted_moments(
    x: TensorLike, axes: TensorLike, frequency_weights: Any, keepdims: bool = False,
    name: str | None = None,
) -> tuple[tf.Tensor, tf.Tensor]:
    """Mean and variance of x over `axes`, each element counted as often as its weight says."""

lrn = local_response_normalization
swish = silu
