# Written by tools/stubs.py (make stubs).
"""tf.keras.layers"""

from typing import Any

import tapeflow as tf
from tapeflow.keras import Input as Input, InputSpec as InputSpec, Layer as Layer

class Activation(tf.keras.Layer):
    """Applies an activation function to an output."""
    def __init__(self, activation: Any, **kwargs: Any) -> None: ...
    def call(self, inputs: Any) -> Any: ...
    def compute_output_shape(self, input_shape: Any) -> Any: ...
    def get_config(self) -> Any: ...
    supports_masking: Any
    activation: Any

class ActivityRegularization(tf.keras.Layer):
    """Layer that applies an update to the cost function based input activity."""
    def __init__(self, l1: Any = 0.0, l2: Any = 0.0, **kwargs: Any) -> None: ...
    def call(self, inputs: Any) -> Any: ...
    def compute_output_shape(self, input_shape: Any) -> Any: ...
    def get_config(self) -> Any: ...
    supports_masking: Any
    l1: Any
    l2: Any

class AdaptiveAveragePooling1D(tf.keras.Layer):
    """Adaptive average pooling operation for 1D temporal or spatial data."""
    def __init__(self, output_size: Any, data_format: Any = None, **kwargs: Any) -> None: ...
    def call(self, inputs: Any) -> Any: ...
    def compute_output_shape(self, input_shape: Any) -> Any:
        """Return the output shape tensor after pooling."""
    def get_config(self) -> Any: ...
    output_size: Any
    data_format: Any

class AdaptiveAveragePooling2D(tf.keras.Layer):
    """Adaptive average pooling operation for 2D spatial data."""
    def __init__(self, output_size: Any, data_format: Any = None, **kwargs: Any) -> None: ...
    def call(self, inputs: Any) -> Any: ...
    def compute_output_shape(self, input_shape: Any) -> Any:
        """Return the output shape tensor after pooling."""
    def get_config(self) -> Any: ...
    output_size: Any
    data_format: Any

class AdaptiveAveragePooling3D(tf.keras.Layer):
    """Adaptive average pooling operation for 3D volumetric data."""
    def __init__(self, output_size: Any, data_format: Any = None, **kwargs: Any) -> None: ...
    def call(self, inputs: Any) -> Any: ...
    def compute_output_shape(self, input_shape: Any) -> Any:
        """Return the output shape tensor after pooling."""
    def get_config(self) -> Any: ...
    output_size: Any
    data_format: Any

class AdaptiveMaxPooling1D(tf.keras.Layer):
    """Adaptive max pooling operation for 1D temporal or spatial data."""
    def __init__(self, output_size: Any, data_format: Any = None, **kwargs: Any) -> None: ...
    def call(self, inputs: Any) -> Any: ...
    def compute_output_shape(self, input_shape: Any) -> Any:
        """Return the output shape tensor after pooling."""
    def get_config(self) -> Any: ...
    output_size: Any
    data_format: Any

class AdaptiveMaxPooling2D(tf.keras.Layer):
    """Adaptive max pooling operation for 2D spatial data."""
    def __init__(self, output_size: Any, data_format: Any = None, **kwargs: Any) -> None: ...
    def call(self, inputs: Any) -> Any: ...
    def compute_output_shape(self, input_shape: Any) -> Any:
        """Return the output shape tensor after pooling."""
    def get_config(self) -> Any: ...
    output_size: Any
    data_format: Any

class AdaptiveMaxPooling3D(tf.keras.Layer):
    """Adaptive max pooling operation for 3D volumetric data."""
    def __init__(self, output_size: Any, data_format: Any = None, **kwargs: Any) -> None: ...
    def call(self, inputs: Any) -> Any: ...
    def compute_output_shape(self, input_shape: Any) -> Any:
        """Return the output shape tensor after pooling."""
    def get_config(self) -> Any: ...
    output_size: Any
    data_format: Any

class Add(tf.keras.Layer):
    """Performs elementwise addition operation."""
    def __init__(self, **kwargs: Any) -> None: ...
    def build(self, input_shape: Any) -> Any: ...
    def call(self, inputs: Any) -> Any: ...
    def compute_output_shape(self, input_shape: Any) -> Any: ...
    def compute_output_spec(self, inputs: Any) -> Any: ...
    def compute_mask(self, inputs: Any, mask: Any = None) -> Any: ...
    def get_config(self) -> Any: ...
    supports_masking: Any

def add(inputs: Any, **kwargs: Any) -> Any:
    """Functional interface to the `keras.layers.Add` layer."""

class AdditiveAttention(tf.keras.layers.Attention):
    """Additive attention layer, a.k.a. Bahdanau-style attention."""
    def __init__(self, use_scale: Any = True, dropout: Any = 0.0, **kwargs: Any) -> None: ...
    def build(self, input_shape: Any) -> Any: ...
    def get_config(self) -> Any: ...
    scale: Any

class AlphaDropout(tf.keras.Layer):
    """DEPRECATED."""
    def __init__(
        self, rate: Any, noise_shape: Any = None, seed: Any = None, **kwargs: Any,
    ) -> None: ...
    def call(self, inputs: Any, training: Any = False) -> Any: ...
    def get_config(self) -> Any: ...
    def compute_output_shape(self, input_shape: Any) -> Any: ...
    rate: Any
    seed: Any
    noise_shape: Any
    seed_generator: Any
    supports_masking: Any
    built: Any

class Attention(tf.keras.Layer):
    """Dot-product attention layer, a.k.a. Luong-style attention."""
    def __init__(
        self, use_scale: Any = False, score_mode: Any = 'dot', dropout: Any = 0.0, seed: Any = None,
        **kwargs: Any,
    ) -> None: ...
    def build(self, input_shape: Any) -> Any: ...
    def call(
        self, inputs: Any, mask: Any = None, training: Any = False,
        return_attention_scores: Any = False, use_causal_mask: Any = False,
    ) -> Any: ...
    def compute_mask(self, inputs: Any, mask: Any = None) -> Any: ...
    def compute_output_shape(self, input_shape: Any) -> Any: ...
    def compute_output_spec(
        self, inputs: Any, mask: Any = None, return_attention_scores: Any = False,
        training: Any = None, use_causal_mask: Any = False,
    ) -> Any: ...
    def get_config(self) -> Any: ...
    use_scale: Any
    score_mode: Any
    dropout: Any
    seed: Any
    seed_generator: Any
    scale: Any
    concat_score_weight: Any

class AugMix(tf.keras.Layer):
    """Performs the AugMix data augmentation technique."""
    def __init__(
        self, value_range: Any = ..., num_chains: Any = 3, chain_depth: Any = 3, factor: Any = 0.3,
        alpha: Any = 1.0, all_ops: Any = True, interpolation: Any = 'bilinear', seed: Any = None,
        data_format: Any = None, **kwargs: Any,
    ) -> None: ...
    def build(self, input_shape: Any) -> Any: ...
    def get_random_transformation(
        self, data: Any, training: Any = True, seed: Any = None,
    ) -> Any: ...
    def transform_images(
        self, images: Any, transformation: Any, training: Any = True,
    ) -> Any: ...
    def transform_labels(
        self, labels: Any, transformation: Any, training: Any = True,
    ) -> Any: ...
    def transform_bounding_boxes(
        self, bounding_boxes: Any, transformation: Any, training: Any = True,
    ) -> Any: ...
    def transform_segmentation_masks(
        self, segmentation_masks: Any, transformation: Any, training: Any = True,
    ) -> Any: ...
    def compute_output_shape(self, input_shape: Any) -> Any: ...
    def get_config(self) -> Any: ...
    def transform_single_image(
        self, image: Any, transformation: Any, training: Any = True,
    ) -> Any: ...
    def transform_single_label(
        self, label: Any, transformation: Any, training: Any = True,
    ) -> Any: ...
    def transform_single_bounding_box(
        self, bounding_box: Any, transformation: Any, training: Any = True,
    ) -> Any: ...
    def transform_single_segmentation_mask(
        self, segmentation_mask: Any, transformation: Any, training: Any = True,
    ) -> Any: ...
    def call(self, data: Any, training: Any = True) -> Any: ...
    def __call__(self, inputs: Any, **kwargs: Any) -> Any: ...
    def convert_weight(self, weight: Any) -> Any:
        """Convert the weight if it is from the a different backend."""
    value_range: Any
    num_chains: Any
    chain_depth: Any
    alpha: Any
    all_ops: Any
    interpolation: Any
    seed: Any
    generator: Any
    random_shear: Any
    random_translation: Any
    random_rotation: Any
    solarization: Any
    random_posterization: Any
    auto_contrast: Any
    equalization: Any
    random_brightness: Any
    random_color_degeneration: Any
    random_contrast: Any
    random_sharpness: Any
    bounding_box_format: Any
    data_format: Any
    factor: Any
    backend: Any

class AutoContrast(tf.keras.Layer):
    """Performs the auto-contrast operation on an image."""
    def __init__(self, value_range: Any = ..., **kwargs: Any) -> None: ...
    def transform_images(
        self, images: Any, transformation: Any = None, training: Any = True,
    ) -> Any: ...
    def transform_labels(
        self, labels: Any, transformation: Any, training: Any = True,
    ) -> Any: ...
    def transform_bounding_boxes(
        self, bounding_boxes: Any, transformation: Any, training: Any = True,
    ) -> Any: ...
    def transform_segmentation_masks(
        self, segmentation_masks: Any, transformation: Any, training: Any = True,
    ) -> Any: ...
    def get_config(self) -> Any: ...
    def compute_output_shape(self, input_shape: Any) -> Any: ...
    def get_random_transformation(
        self, data: Any, training: Any = True, seed: Any = None,
    ) -> Any: ...
    def transform_single_image(
        self, image: Any, transformation: Any, training: Any = True,
    ) -> Any: ...
    def transform_single_label(
        self, label: Any, transformation: Any, training: Any = True,
    ) -> Any: ...
    def transform_single_bounding_box(
        self, bounding_box: Any, transformation: Any, training: Any = True,
    ) -> Any: ...
    def transform_single_segmentation_mask(
        self, segmentation_mask: Any, transformation: Any, training: Any = True,
    ) -> Any: ...
    def call(self, data: Any, training: Any = True) -> Any: ...
    def __call__(self, inputs: Any, **kwargs: Any) -> Any: ...
    def convert_weight(self, weight: Any) -> Any:
        """Convert the weight if it is from the a different backend."""
    value_range: Any
    bounding_box_format: Any
    data_format: Any
    factor: Any
    backend: Any

class Average(tf.keras.Layer):
    """Averages a list of inputs element-wise.."""
    def __init__(self, **kwargs: Any) -> None: ...
    def build(self, input_shape: Any) -> Any: ...
    def call(self, inputs: Any) -> Any: ...
    def compute_output_shape(self, input_shape: Any) -> Any: ...
    def compute_output_spec(self, inputs: Any) -> Any: ...
    def compute_mask(self, inputs: Any, mask: Any = None) -> Any: ...
    def get_config(self) -> Any: ...
    supports_masking: Any

def average(inputs: Any, **kwargs: Any) -> Any:
    """Functional interface to the `keras.layers.Average` layer."""

class AveragePooling1D(tf.keras.Layer):
    """Average pooling for temporal data."""
    def __init__(
        self, pool_size: Any, strides: Any = None, padding: Any = 'valid', data_format: Any = None,
        name: Any = None, **kwargs: Any,
    ) -> None: ...
    def call(self, inputs: Any) -> Any: ...
    def compute_output_shape(self, input_shape: Any) -> Any: ...
    def get_config(self) -> Any: ...
    pool_size: Any
    strides: Any
    pool_mode: Any
    padding: Any
    data_format: Any
    input_spec: Any

class AveragePooling2D(tf.keras.Layer):
    """Average pooling operation for 2D spatial data."""
    def __init__(
        self, pool_size: Any, strides: Any = None, padding: Any = 'valid', data_format: Any = None,
        name: Any = None, **kwargs: Any,
    ) -> None: ...
    def call(self, inputs: Any) -> Any: ...
    def compute_output_shape(self, input_shape: Any) -> Any: ...
    def get_config(self) -> Any: ...
    pool_size: Any
    strides: Any
    pool_mode: Any
    padding: Any
    data_format: Any
    input_spec: Any

class AveragePooling3D(tf.keras.Layer):
    """Average pooling operation for 3D data (spatial or spatio-temporal)."""
    def __init__(
        self, pool_size: Any, strides: Any = None, padding: Any = 'valid', data_format: Any = None,
        name: Any = None, **kwargs: Any,
    ) -> None: ...
    def call(self, inputs: Any) -> Any: ...
    def compute_output_shape(self, input_shape: Any) -> Any: ...
    def get_config(self) -> Any: ...
    pool_size: Any
    strides: Any
    pool_mode: Any
    padding: Any
    data_format: Any
    input_spec: Any

class BatchNormalization(tf.keras.Layer):
    """Layer that normalizes its inputs."""
    def __init__(
        self, axis: Any = -1, momentum: Any = 0.99, epsilon: Any = 0.001, center: Any = True,
        scale: Any = True, beta_initializer: Any = 'zeros', gamma_initializer: Any = 'ones',
        moving_mean_initializer: Any = 'zeros', moving_variance_initializer: Any = 'ones',
        beta_regularizer: Any = None, gamma_regularizer: Any = None, beta_constraint: Any = None,
        gamma_constraint: Any = None, renorm: Any = False, renorm_clipping: Any = None,
        renorm_momentum: Any = 0.99, synchronized: Any = False, **kwargs: Any,
    ) -> None: ...
    def build(self, input_shape: Any) -> Any: ...
    def compute_output_shape(self, input_shape: Any) -> Any: ...
    def call(self, inputs: Any, training: Any = None, mask: Any = None) -> Any: ...
    def get_config(self) -> Any: ...
    axis: Any
    synchronized: Any
    momentum: Any
    epsilon: Any
    center: Any
    scale: Any
    beta_initializer: Any
    gamma_initializer: Any
    moving_mean_initializer: Any
    moving_variance_initializer: Any
    beta_regularizer: Any
    gamma_regularizer: Any
    beta_constraint: Any
    gamma_constraint: Any
    supports_masking: Any
    renorm: Any
    renorm_clipping: Any
    renorm_momentum: Any
    gamma: Any
    beta: Any
    moving_mean: Any
    moving_variance: Any
    input_spec: Any
    moving_stddev: Any
    renorm_mean: Any
    renorm_stddev: Any

class Bidirectional(tf.keras.Layer):
    """Bidirectional wrapper for RNNs."""
    def __init__(
        self, layer: Any, merge_mode: Any = 'concat', weights: Any = None,
        backward_layer: Any = None, **kwargs: Any,
    ) -> None: ...
    def compute_output_shape(
        self, sequences_shape: Any, initial_state_shape: Any = None,
    ) -> Any: ...
    def call(
        self, sequences: Any, initial_state: Any = None, mask: Any = None, training: Any = None,
    ) -> Any: ...
    def reset_states(self) -> Any: ...
    def reset_state(self) -> Any: ...
    @property
    def states(self) -> Any: ...
    def build(self, sequences_shape: Any, initial_state_shape: Any = None) -> Any: ...
    def compute_mask(self, _: Any, mask: Any) -> Any: ...
    def get_config(self) -> Any: ...
    @classmethod
    def from_config(cls, config: Any, custom_objects: Any = None) -> Any: ...
    forward_layer: Any
    merge_mode: Any
    stateful: Any
    return_sequences: Any
    return_state: Any
    supports_masking: Any
    input_spec: Any
    backward_layer: Any

class CategoryEncoding(tf.keras.Layer):
    """A preprocessing layer which encodes integer features."""
    def __init__(
        self, num_tokens: Any = None, output_mode: Any = 'multi_hot', sparse: Any = False,
        **kwargs: Any,
    ) -> None: ...
    def compute_output_shape(self, input_shape: Any) -> Any: ...
    def compute_output_spec(self, inputs: Any, count_weights: Any = None) -> Any: ...
    def get_config(self) -> Any: ...
    def call(self, inputs: Any, count_weights: Any = None) -> Any: ...
    def __call__(self, inputs: Any, **kwargs: Any) -> Any: ...
    def convert_weight(self, weight: Any) -> Any:
        """Convert the weight if it is from the a different backend."""
    num_tokens: Any
    output_mode: Any
    sparse: Any
    backend: Any

class CenterCrop(tf.keras.Layer):
    """A preprocessing layer which crops images."""
    def __init__(
        self, height: Any, width: Any, data_format: Any = None, **kwargs: Any,
    ) -> None: ...
    def get_random_transformation(
        self, data: Any, training: Any = True, seed: Any = None,
    ) -> Any: ...
    def transform_labels(
        self, labels: Any, transformation: Any, training: Any = True,
    ) -> Any: ...
    def transform_bounding_boxes(
        self, bounding_boxes: Any, transformation: Any, training: Any = True,
    ) -> Any: ...
    def transform_segmentation_masks(
        self, segmentation_masks: Any, transformation: Any, training: Any = True,
    ) -> Any: ...
    def transform_images(
        self, images: Any, transformation: Any = None, training: Any = True,
    ) -> Any: ...
    def compute_output_shape(self, input_shape: Any) -> Any: ...
    def get_config(self) -> Any: ...
    def transform_single_image(
        self, image: Any, transformation: Any, training: Any = True,
    ) -> Any: ...
    def transform_single_label(
        self, label: Any, transformation: Any, training: Any = True,
    ) -> Any: ...
    def transform_single_bounding_box(
        self, bounding_box: Any, transformation: Any, training: Any = True,
    ) -> Any: ...
    def transform_single_segmentation_mask(
        self, segmentation_mask: Any, transformation: Any, training: Any = True,
    ) -> Any: ...
    def call(self, data: Any, training: Any = True) -> Any: ...
    def __call__(self, inputs: Any, **kwargs: Any) -> Any: ...
    def convert_weight(self, weight: Any) -> Any:
        """Convert the weight if it is from the a different backend."""
    height: Any
    width: Any
    bounding_box_format: Any
    data_format: Any
    factor: Any
    backend: Any

class Concatenate(tf.keras.Layer):
    """Concatenates a list of inputs."""
    def __init__(self, axis: Any = -1, **kwargs: Any) -> None: ...
    def build(self, input_shape: Any) -> Any: ...
    def compute_output_shape(self, input_shape: Any) -> Any: ...
    def compute_mask(self, inputs: Any, mask: Any = None) -> Any: ...
    def get_config(self) -> Any: ...
    def call(self, inputs: Any) -> Any: ...
    def compute_output_spec(self, inputs: Any) -> Any: ...
    axis: Any
    supports_masking: Any

def concatenate(inputs: Any, axis: Any = -1, **kwargs: Any) -> Any:
    """Functional interface to the `Concatenate` layer."""

class ContrastLimitedAdaptiveHistogramEqualization(tf.keras.Layer):
    """Contrast Limited Adaptive Histogram Equalization (CLAHE) layer."""
    def __init__(
        self, value_range: Any = ..., clip_limit: Any = 4.0, tile_grid_size: Any = ...,
        data_format: Any = None, **kwargs: Any,
    ) -> None: ...
    def transform_images(
        self, images: Any, transformation: Any = None, training: Any = True,
    ) -> Any: ...
    def compute_output_shape(self, input_shape: Any) -> Any: ...
    def get_config(self) -> Any: ...
    def get_random_transformation(
        self, data: Any, training: Any = True, seed: Any = None,
    ) -> Any: ...
    def transform_labels(
        self, labels: Any, transformation: Any, training: Any = True,
    ) -> Any: ...
    def transform_bounding_boxes(
        self, bounding_boxes: Any, transformation: Any, training: Any = True,
    ) -> Any: ...
    def transform_segmentation_masks(
        self, segmentation_masks: Any, transformation: Any, training: Any = True,
    ) -> Any: ...
    def transform_single_image(
        self, image: Any, transformation: Any, training: Any = True,
    ) -> Any: ...
    def transform_single_label(
        self, label: Any, transformation: Any, training: Any = True,
    ) -> Any: ...
    def transform_single_bounding_box(
        self, bounding_box: Any, transformation: Any, training: Any = True,
    ) -> Any: ...
    def transform_single_segmentation_mask(
        self, segmentation_mask: Any, transformation: Any, training: Any = True,
    ) -> Any: ...
    def call(self, data: Any, training: Any = True) -> Any: ...
    def __call__(self, inputs: Any, **kwargs: Any) -> Any: ...
    def convert_weight(self, weight: Any) -> Any:
        """Convert the weight if it is from the a different backend."""
    value_range: Any
    clip_limit: Any
    tile_grid_size: Any
    data_format: Any
    bounding_box_format: Any
    factor: Any
    backend: Any

class Conv1D(tf.keras.Layer):
    """1D convolution layer (e.g. temporal convolution)."""
    def __init__(
        self, filters: Any, kernel_size: Any, strides: Any = 1, padding: Any = 'valid',
        data_format: Any = None, dilation_rate: Any = 1, groups: Any = 1, activation: Any = None,
        use_bias: Any = True, kernel_initializer: Any = 'glorot_uniform',
        bias_initializer: Any = 'zeros', kernel_regularizer: Any = None,
        bias_regularizer: Any = None, activity_regularizer: Any = None,
        kernel_constraint: Any = None, bias_constraint: Any = None, **kwargs: Any,
    ) -> None: ...
    def call(self, inputs: Any) -> Any: ...
    def build(self, input_shape: Any) -> Any: ...
    @property
    def kernel(self) -> Any: ...
    def convolution_op(self, inputs: Any, kernel: Any) -> Any: ...
    def compute_output_shape(self, input_shape: Any) -> Any: ...
    def enable_lora(
        self, rank: Any, lora_alpha: Any = None, a_initializer: Any = 'he_uniform',
        b_initializer: Any = 'zeros',
    ) -> Any: ...
    def save_own_variables(self, store: Any) -> Any: ...
    def load_own_variables(self, store: Any) -> Any: ...
    def get_config(self) -> Any: ...
    rank: Any
    filters: Any
    groups: Any
    kernel_size: Any
    strides: Any
    dilation_rate: Any
    padding: Any
    data_format: Any
    activation: Any
    use_bias: Any
    kernel_initializer: Any
    bias_initializer: Any
    kernel_regularizer: Any
    bias_regularizer: Any
    kernel_constraint: Any
    bias_constraint: Any
    lora_rank: Any
    lora_alpha: Any
    lora_enabled: Any
    input_spec: Any
    built: Any
    bias: Any
    lora_kernel_a: Any
    lora_kernel_b: Any

class Conv1DTranspose(tf.keras.Layer):
    """1D transposed convolution layer."""
    def __init__(
        self, filters: Any, kernel_size: Any, strides: Any = 1, padding: Any = 'valid',
        output_padding: Any = None, data_format: Any = None, dilation_rate: Any = 1,
        activation: Any = None, use_bias: Any = True, kernel_initializer: Any = 'glorot_uniform',
        bias_initializer: Any = 'zeros', kernel_regularizer: Any = None,
        bias_regularizer: Any = None, activity_regularizer: Any = None,
        kernel_constraint: Any = None, bias_constraint: Any = None, **kwargs: Any,
    ) -> None: ...
    def build(self, input_shape: Any) -> Any: ...
    def call(self, inputs: Any) -> Any: ...
    def compute_output_shape(self, input_shape: Any) -> Any: ...
    def get_config(self) -> Any: ...
    rank: Any
    filters: Any
    kernel_size: Any
    strides: Any
    dilation_rate: Any
    padding: Any
    data_format: Any
    activation: Any
    use_bias: Any
    kernel_initializer: Any
    bias_initializer: Any
    kernel_regularizer: Any
    bias_regularizer: Any
    kernel_constraint: Any
    bias_constraint: Any
    input_spec: Any
    output_padding: Any
    kernel: Any
    bias: Any

class Conv2D(tf.keras.Layer):
    """2D convolution layer."""
    def __init__(
        self, filters: Any, kernel_size: Any, strides: Any = ..., padding: Any = 'valid',
        data_format: Any = None, dilation_rate: Any = ..., groups: Any = 1, activation: Any = None,
        use_bias: Any = True, kernel_initializer: Any = 'glorot_uniform',
        bias_initializer: Any = 'zeros', kernel_regularizer: Any = None,
        bias_regularizer: Any = None, activity_regularizer: Any = None,
        kernel_constraint: Any = None, bias_constraint: Any = None, **kwargs: Any,
    ) -> None: ...
    def build(self, input_shape: Any) -> Any: ...
    @property
    def kernel(self) -> Any: ...
    def convolution_op(self, inputs: Any, kernel: Any) -> Any: ...
    def call(self, inputs: Any) -> Any: ...
    def compute_output_shape(self, input_shape: Any) -> Any: ...
    def enable_lora(
        self, rank: Any, lora_alpha: Any = None, a_initializer: Any = 'he_uniform',
        b_initializer: Any = 'zeros',
    ) -> Any: ...
    def save_own_variables(self, store: Any) -> Any: ...
    def load_own_variables(self, store: Any) -> Any: ...
    def get_config(self) -> Any: ...
    rank: Any
    filters: Any
    groups: Any
    kernel_size: Any
    strides: Any
    dilation_rate: Any
    padding: Any
    data_format: Any
    activation: Any
    use_bias: Any
    kernel_initializer: Any
    bias_initializer: Any
    kernel_regularizer: Any
    bias_regularizer: Any
    kernel_constraint: Any
    bias_constraint: Any
    lora_rank: Any
    lora_alpha: Any
    lora_enabled: Any
    input_spec: Any
    built: Any
    bias: Any
    lora_kernel_a: Any
    lora_kernel_b: Any

class Conv2DTranspose(tf.keras.Layer):
    """2D transposed convolution layer."""
    def __init__(
        self, filters: Any, kernel_size: Any, strides: Any = ..., padding: Any = 'valid',
        output_padding: Any = None, data_format: Any = None, dilation_rate: Any = ...,
        activation: Any = None, use_bias: Any = True, kernel_initializer: Any = 'glorot_uniform',
        bias_initializer: Any = 'zeros', kernel_regularizer: Any = None,
        bias_regularizer: Any = None, activity_regularizer: Any = None,
        kernel_constraint: Any = None, bias_constraint: Any = None, **kwargs: Any,
    ) -> None: ...
    def build(self, input_shape: Any) -> Any: ...
    def call(self, inputs: Any) -> Any: ...
    def compute_output_shape(self, input_shape: Any) -> Any: ...
    def get_config(self) -> Any: ...
    rank: Any
    filters: Any
    kernel_size: Any
    strides: Any
    dilation_rate: Any
    padding: Any
    data_format: Any
    activation: Any
    use_bias: Any
    kernel_initializer: Any
    bias_initializer: Any
    kernel_regularizer: Any
    bias_regularizer: Any
    kernel_constraint: Any
    bias_constraint: Any
    input_spec: Any
    output_padding: Any
    kernel: Any
    bias: Any

class Conv3D(tf.keras.Layer):
    """3D convolution layer."""
    def __init__(
        self, filters: Any, kernel_size: Any, strides: Any = ..., padding: Any = 'valid',
        data_format: Any = None, dilation_rate: Any = ..., groups: Any = 1, activation: Any = None,
        use_bias: Any = True, kernel_initializer: Any = 'glorot_uniform',
        bias_initializer: Any = 'zeros', kernel_regularizer: Any = None,
        bias_regularizer: Any = None, activity_regularizer: Any = None,
        kernel_constraint: Any = None, bias_constraint: Any = None, **kwargs: Any,
    ) -> None: ...
    def build(self, input_shape: Any) -> Any: ...
    @property
    def kernel(self) -> Any: ...
    def convolution_op(self, inputs: Any, kernel: Any) -> Any: ...
    def call(self, inputs: Any) -> Any: ...
    def compute_output_shape(self, input_shape: Any) -> Any: ...
    def enable_lora(
        self, rank: Any, lora_alpha: Any = None, a_initializer: Any = 'he_uniform',
        b_initializer: Any = 'zeros',
    ) -> Any: ...
    def save_own_variables(self, store: Any) -> Any: ...
    def load_own_variables(self, store: Any) -> Any: ...
    def get_config(self) -> Any: ...
    rank: Any
    filters: Any
    groups: Any
    kernel_size: Any
    strides: Any
    dilation_rate: Any
    padding: Any
    data_format: Any
    activation: Any
    use_bias: Any
    kernel_initializer: Any
    bias_initializer: Any
    kernel_regularizer: Any
    bias_regularizer: Any
    kernel_constraint: Any
    bias_constraint: Any
    lora_rank: Any
    lora_alpha: Any
    lora_enabled: Any
    input_spec: Any
    built: Any
    bias: Any
    lora_kernel_a: Any
    lora_kernel_b: Any

class Conv3DTranspose(tf.keras.Layer):
    """3D transposed convolution layer."""
    def __init__(
        self, filters: Any, kernel_size: Any, strides: Any = ..., padding: Any = 'valid',
        data_format: Any = None, output_padding: Any = None, dilation_rate: Any = ...,
        activation: Any = None, use_bias: Any = True, kernel_initializer: Any = 'glorot_uniform',
        bias_initializer: Any = 'zeros', kernel_regularizer: Any = None,
        bias_regularizer: Any = None, activity_regularizer: Any = None,
        kernel_constraint: Any = None, bias_constraint: Any = None, **kwargs: Any,
    ) -> None: ...
    def build(self, input_shape: Any) -> Any: ...
    def call(self, inputs: Any) -> Any: ...
    def compute_output_shape(self, input_shape: Any) -> Any: ...
    def get_config(self) -> Any: ...
    rank: Any
    filters: Any
    kernel_size: Any
    strides: Any
    dilation_rate: Any
    padding: Any
    data_format: Any
    activation: Any
    use_bias: Any
    kernel_initializer: Any
    bias_initializer: Any
    kernel_regularizer: Any
    bias_regularizer: Any
    kernel_constraint: Any
    bias_constraint: Any
    input_spec: Any
    output_padding: Any
    kernel: Any
    bias: Any

class ConvLSTM1D(tf.keras.layers.RNN):
    """1D Convolutional LSTM."""
    def __init__(
        self, filters: Any, kernel_size: Any, strides: Any = 1, padding: Any = 'valid',
        data_format: Any = None, dilation_rate: Any = 1, activation: Any = 'tanh',
        recurrent_activation: Any = 'sigmoid', use_bias: Any = True,
        kernel_initializer: Any = 'glorot_uniform', recurrent_initializer: Any = 'orthogonal',
        bias_initializer: Any = 'zeros', unit_forget_bias: Any = True,
        kernel_regularizer: Any = None, recurrent_regularizer: Any = None,
        bias_regularizer: Any = None, activity_regularizer: Any = None,
        kernel_constraint: Any = None, recurrent_constraint: Any = None,
        bias_constraint: Any = None, dropout: Any = 0.0, recurrent_dropout: Any = 0.0,
        seed: Any = None, return_sequences: Any = False, return_state: Any = False,
        go_backwards: Any = False, stateful: Any = False, **kwargs: Any,
    ) -> None: ...
    def call(
        self, sequences: Any, initial_state: Any = None, mask: Any = None, training: Any = False,
    ) -> Any: ...
    def compute_output_shape(
        self, sequences_shape: Any, initial_state_shape: Any = None,
    ) -> Any: ...
    def compute_mask(self, _: Any, mask: Any) -> Any: ...
    @property
    def filters(self) -> Any: ...
    @property
    def kernel_size(self) -> Any: ...
    @property
    def strides(self) -> Any: ...
    @property
    def padding(self) -> Any: ...
    @property
    def data_format(self) -> Any: ...
    @property
    def dilation_rate(self) -> Any: ...
    @property
    def activation(self) -> Any: ...
    @property
    def recurrent_activation(self) -> Any: ...
    @property
    def use_bias(self) -> Any: ...
    @property
    def kernel_initializer(self) -> Any: ...
    @property
    def recurrent_initializer(self) -> Any: ...
    @property
    def bias_initializer(self) -> Any: ...
    @property
    def unit_forget_bias(self) -> Any: ...
    @property
    def kernel_regularizer(self) -> Any: ...
    @property
    def recurrent_regularizer(self) -> Any: ...
    @property
    def bias_regularizer(self) -> Any: ...
    @property
    def kernel_constraint(self) -> Any: ...
    @property
    def recurrent_constraint(self) -> Any: ...
    @property
    def bias_constraint(self) -> Any: ...
    @property
    def dropout(self) -> Any: ...
    @property
    def recurrent_dropout(self) -> Any: ...
    def get_config(self) -> Any: ...
    @classmethod
    def from_config(cls, config: Any) -> Any: ...
    input_spec: Any

class ConvLSTM2D(tf.keras.layers.RNN):
    """2D Convolutional LSTM."""
    def __init__(
        self, filters: Any, kernel_size: Any, strides: Any = 1, padding: Any = 'valid',
        data_format: Any = None, dilation_rate: Any = 1, activation: Any = 'tanh',
        recurrent_activation: Any = 'sigmoid', use_bias: Any = True,
        kernel_initializer: Any = 'glorot_uniform', recurrent_initializer: Any = 'orthogonal',
        bias_initializer: Any = 'zeros', unit_forget_bias: Any = True,
        kernel_regularizer: Any = None, recurrent_regularizer: Any = None,
        bias_regularizer: Any = None, activity_regularizer: Any = None,
        kernel_constraint: Any = None, recurrent_constraint: Any = None,
        bias_constraint: Any = None, dropout: Any = 0.0, recurrent_dropout: Any = 0.0,
        seed: Any = None, return_sequences: Any = False, return_state: Any = False,
        go_backwards: Any = False, stateful: Any = False, **kwargs: Any,
    ) -> None: ...
    def call(
        self, sequences: Any, initial_state: Any = None, mask: Any = None, training: Any = False,
    ) -> Any: ...
    def compute_output_shape(
        self, sequences_shape: Any, initial_state_shape: Any = None,
    ) -> Any: ...
    def compute_mask(self, _: Any, mask: Any) -> Any: ...
    @property
    def filters(self) -> Any: ...
    @property
    def kernel_size(self) -> Any: ...
    @property
    def strides(self) -> Any: ...
    @property
    def padding(self) -> Any: ...
    @property
    def data_format(self) -> Any: ...
    @property
    def dilation_rate(self) -> Any: ...
    @property
    def activation(self) -> Any: ...
    @property
    def recurrent_activation(self) -> Any: ...
    @property
    def use_bias(self) -> Any: ...
    @property
    def kernel_initializer(self) -> Any: ...
    @property
    def recurrent_initializer(self) -> Any: ...
    @property
    def bias_initializer(self) -> Any: ...
    @property
    def unit_forget_bias(self) -> Any: ...
    @property
    def kernel_regularizer(self) -> Any: ...
    @property
    def recurrent_regularizer(self) -> Any: ...
    @property
    def bias_regularizer(self) -> Any: ...
    @property
    def kernel_constraint(self) -> Any: ...
    @property
    def recurrent_constraint(self) -> Any: ...
    @property
    def bias_constraint(self) -> Any: ...
    @property
    def dropout(self) -> Any: ...
    @property
    def recurrent_dropout(self) -> Any: ...
    def get_config(self) -> Any: ...
    @classmethod
    def from_config(cls, config: Any) -> Any: ...
    input_spec: Any

class ConvLSTM3D(tf.keras.layers.RNN):
    """3D Convolutional LSTM."""
    def __init__(
        self, filters: Any, kernel_size: Any, strides: Any = 1, padding: Any = 'valid',
        data_format: Any = None, dilation_rate: Any = 1, activation: Any = 'tanh',
        recurrent_activation: Any = 'sigmoid', use_bias: Any = True,
        kernel_initializer: Any = 'glorot_uniform', recurrent_initializer: Any = 'orthogonal',
        bias_initializer: Any = 'zeros', unit_forget_bias: Any = True,
        kernel_regularizer: Any = None, recurrent_regularizer: Any = None,
        bias_regularizer: Any = None, activity_regularizer: Any = None,
        kernel_constraint: Any = None, recurrent_constraint: Any = None,
        bias_constraint: Any = None, dropout: Any = 0.0, recurrent_dropout: Any = 0.0,
        seed: Any = None, return_sequences: Any = False, return_state: Any = False,
        go_backwards: Any = False, stateful: Any = False, **kwargs: Any,
    ) -> None: ...
    def call(
        self, sequences: Any, initial_state: Any = None, mask: Any = None, training: Any = False,
    ) -> Any: ...
    def compute_output_shape(
        self, sequences_shape: Any, initial_state_shape: Any = None,
    ) -> Any: ...
    def compute_mask(self, _: Any, mask: Any) -> Any: ...
    @property
    def filters(self) -> Any: ...
    @property
    def kernel_size(self) -> Any: ...
    @property
    def strides(self) -> Any: ...
    @property
    def padding(self) -> Any: ...
    @property
    def data_format(self) -> Any: ...
    @property
    def dilation_rate(self) -> Any: ...
    @property
    def activation(self) -> Any: ...
    @property
    def recurrent_activation(self) -> Any: ...
    @property
    def use_bias(self) -> Any: ...
    @property
    def kernel_initializer(self) -> Any: ...
    @property
    def recurrent_initializer(self) -> Any: ...
    @property
    def bias_initializer(self) -> Any: ...
    @property
    def unit_forget_bias(self) -> Any: ...
    @property
    def kernel_regularizer(self) -> Any: ...
    @property
    def recurrent_regularizer(self) -> Any: ...
    @property
    def bias_regularizer(self) -> Any: ...
    @property
    def kernel_constraint(self) -> Any: ...
    @property
    def recurrent_constraint(self) -> Any: ...
    @property
    def bias_constraint(self) -> Any: ...
    @property
    def dropout(self) -> Any: ...
    @property
    def recurrent_dropout(self) -> Any: ...
    def get_config(self) -> Any: ...
    @classmethod
    def from_config(cls, config: Any) -> Any: ...
    input_spec: Any

class Cropping1D(tf.keras.Layer):
    """Cropping layer for 1D input (e.g. temporal sequence)."""
    def __init__(self, cropping: Any = ..., **kwargs: Any) -> None: ...
    def compute_output_shape(self, input_shape: Any) -> Any: ...
    def call(self, inputs: Any) -> Any: ...
    def get_config(self) -> Any: ...
    cropping: Any
    input_spec: Any

class Cropping2D(tf.keras.Layer):
    """Cropping layer for 2D input (e.g. picture)."""
    def __init__(self, cropping: Any = ..., data_format: Any = None, **kwargs: Any) -> None: ...
    def compute_output_shape(self, input_shape: Any) -> Any: ...
    def call(self, inputs: Any) -> Any: ...
    def get_config(self) -> Any: ...
    data_format: Any
    input_spec: Any
    cropping: Any

class Cropping3D(tf.keras.Layer):
    """Cropping layer for 3D data (e.g. spatial or spatio-temporal)."""
    def __init__(self, cropping: Any = ..., data_format: Any = None, **kwargs: Any) -> None: ...
    def compute_output_shape(self, input_shape: Any) -> Any: ...
    def call(self, inputs: Any) -> Any: ...
    def get_config(self) -> Any: ...
    data_format: Any
    input_spec: Any
    cropping: Any

class CutMix(tf.keras.Layer):
    """CutMix data augmentation technique."""
    def __init__(
        self, factor: Any = 1.0, seed: Any = None, data_format: Any = None, **kwargs: Any,
    ) -> None: ...
    def get_random_transformation(
        self, data: Any, training: Any = True, seed: Any = None,
    ) -> Any: ...
    def transform_images(
        self, images: Any, transformation: Any = None, training: Any = True,
    ) -> Any: ...
    def transform_labels(
        self, labels: Any, transformation: Any, training: Any = True,
    ) -> Any: ...
    def transform_bounding_boxes(
        self, bounding_boxes: Any, transformation: Any, training: Any = True,
    ) -> Any: ...
    def transform_segmentation_masks(
        self, segmentation_masks: Any, transformation: Any, training: Any = True,
    ) -> Any: ...
    def compute_output_shape(self, input_shape: Any) -> Any: ...
    def get_config(self) -> Any: ...
    def transform_single_image(
        self, image: Any, transformation: Any, training: Any = True,
    ) -> Any: ...
    def transform_single_label(
        self, label: Any, transformation: Any, training: Any = True,
    ) -> Any: ...
    def transform_single_bounding_box(
        self, bounding_box: Any, transformation: Any, training: Any = True,
    ) -> Any: ...
    def transform_single_segmentation_mask(
        self, segmentation_mask: Any, transformation: Any, training: Any = True,
    ) -> Any: ...
    def call(self, data: Any, training: Any = True) -> Any: ...
    def __call__(self, inputs: Any, **kwargs: Any) -> Any: ...
    def convert_weight(self, weight: Any) -> Any:
        """Convert the weight if it is from the a different backend."""
    seed: Any
    generator: Any
    height_axis: Any
    width_axis: Any
    channel_axis: Any
    bounding_box_format: Any
    data_format: Any
    factor: Any
    backend: Any

class Dense(tf.keras.Layer):
    """Just your regular densely-connected NN layer."""
    def __init__(
        self, units: Any, activation: Any = None, use_bias: Any = True,
        kernel_initializer: Any = 'glorot_uniform', bias_initializer: Any = 'zeros',
        kernel_regularizer: Any = None, bias_regularizer: Any = None,
        activity_regularizer: Any = None, kernel_constraint: Any = None,
        bias_constraint: Any = None, lora_rank: Any = None, lora_alpha: Any = None,
        quantization_config: Any = None, **kwargs: Any,
    ) -> None: ...
    def build(self, input_shape: Any) -> Any: ...
    @property
    def kernel(self) -> Any: ...
    def call(self, inputs: Any, training: Any = None) -> Any: ...
    def compute_output_shape(self, input_shape: Any) -> Any: ...
    def enable_lora(
        self, rank: Any, lora_alpha: Any = None, a_initializer: Any = 'he_uniform',
        b_initializer: Any = 'zeros',
    ) -> Any: ...
    def save_own_variables(self, store: Any) -> Any: ...
    def load_own_variables(self, store: Any) -> Any: ...
    def get_config(self) -> Any: ...
    @classmethod
    def from_config(cls, config: Any) -> Any: ...
    @property
    def variable_serialization_spec(self) -> Any:
        """Returns a dict mapping quantization modes to variable names in order."""
    def quantized_build(self, kernel_shape: Any, mode: Any, config: Any = None) -> Any: ...
    def quantize(self, mode: Any = None, type_check: Any = True, config: Any = None) -> Any: ...
    units: Any
    activation: Any
    use_bias: Any
    kernel_initializer: Any
    bias_initializer: Any
    kernel_regularizer: Any
    bias_regularizer: Any
    kernel_constraint: Any
    bias_constraint: Any
    lora_rank: Any
    lora_alpha: Any
    lora_enabled: Any
    quantization_config: Any
    input_spec: Any
    supports_masking: Any
    built: Any
    bias: Any
    lora_kernel_a: Any
    lora_kernel_b: Any
    is_gptq_calibrated: Any
    is_awq_calibrated: Any
    inputs_quantizer: Any
    kernel_scale: Any
    kernel_shape: Any
    quantized_kernel: Any
    kernel_zero: Any
    g_idx: Any
    awq_scales: Any
    inputs_scale: Any
    inputs_amax_history: Any
    kernel_amax_history: Any
    outputs_grad_scale: Any
    outputs_grad_amax_history: Any
    dtype_policy: Any

class DepthwiseConv1D(tf.keras.Layer):
    """1D depthwise convolution layer."""
    def __init__(
        self, kernel_size: Any, strides: Any = 1, padding: Any = 'valid', depth_multiplier: Any = 1,
        data_format: Any = None, dilation_rate: Any = 1, activation: Any = None,
        use_bias: Any = True, depthwise_initializer: Any = 'glorot_uniform',
        bias_initializer: Any = 'zeros', depthwise_regularizer: Any = None,
        bias_regularizer: Any = None, activity_regularizer: Any = None,
        depthwise_constraint: Any = None, bias_constraint: Any = None, **kwargs: Any,
    ) -> None: ...
    def build(self, input_shape: Any) -> Any: ...
    def call(self, inputs: Any) -> Any: ...
    def compute_output_shape(self, input_shape: Any) -> Any: ...
    def get_config(self) -> Any: ...
    rank: Any
    depth_multiplier: Any
    kernel_size: Any
    strides: Any
    dilation_rate: Any
    padding: Any
    data_format: Any
    activation: Any
    use_bias: Any
    depthwise_initializer: Any
    bias_initializer: Any
    depthwise_regularizer: Any
    bias_regularizer: Any
    depthwise_constraint: Any
    bias_constraint: Any
    input_spec: Any
    kernel: Any
    bias: Any

class DepthwiseConv2D(tf.keras.Layer):
    """2D depthwise convolution layer."""
    def __init__(
        self, kernel_size: Any, strides: Any = ..., padding: Any = 'valid',
        depth_multiplier: Any = 1, data_format: Any = None, dilation_rate: Any = ...,
        activation: Any = None, use_bias: Any = True, depthwise_initializer: Any = 'glorot_uniform',
        bias_initializer: Any = 'zeros', depthwise_regularizer: Any = None,
        bias_regularizer: Any = None, activity_regularizer: Any = None,
        depthwise_constraint: Any = None, bias_constraint: Any = None, **kwargs: Any,
    ) -> None: ...
    def build(self, input_shape: Any) -> Any: ...
    def call(self, inputs: Any) -> Any: ...
    def compute_output_shape(self, input_shape: Any) -> Any: ...
    def get_config(self) -> Any: ...
    rank: Any
    depth_multiplier: Any
    kernel_size: Any
    strides: Any
    dilation_rate: Any
    padding: Any
    data_format: Any
    activation: Any
    use_bias: Any
    depthwise_initializer: Any
    bias_initializer: Any
    depthwise_regularizer: Any
    bias_regularizer: Any
    depthwise_constraint: Any
    bias_constraint: Any
    input_spec: Any
    kernel: Any
    bias: Any

def deserialize(config: Any, custom_objects: Any = None) -> Any:
    """Returns a Keras layer object via its configuration."""

class Discretization(tf.keras.Layer):
    """A preprocessing layer which buckets continuous features by ranges."""
    def __init__(
        self, bin_boundaries: Any = None, num_bins: Any = None, epsilon: Any = 0.01,
        output_mode: Any = 'int', sparse: Any = False, dtype: Any = None, name: Any = None,
    ) -> None: ...
    @property
    def input_dtype(self) -> Any: ...
    @property
    def output_dtype(self) -> Any: ...
    def adapt(self, data: Any, steps: Any = None) -> Any:
        """Computes bin boundaries from quantiles in a input dataset."""
    def update_state(self, data: Any) -> Any: ...
    def finalize_state(self) -> Any: ...
    def reset_state(self) -> Any: ...
    def compute_output_shape(self, input_shape: Any) -> Any: ...
    def compute_output_spec(self, inputs: Any) -> Any: ...
    def load_own_variables(self, store: Any) -> Any: ...
    def call(self, inputs: Any) -> Any: ...
    def get_config(self) -> Any: ...
    @classmethod
    def from_config(cls, config: Any, custom_objects: Any = None) -> Any: ...
    def __call__(self, inputs: Any, **kwargs: Any) -> Any: ...
    def convert_weight(self, weight: Any) -> Any:
        """Convert the weight if it is from the a different backend."""
    bin_boundaries: Any
    num_bins: Any
    epsilon: Any
    output_mode: Any
    sparse: Any
    summary: Any
    backend: Any

class Dot(tf.keras.Layer):
    """Computes element-wise dot product of two tensors."""
    def __init__(self, axes: Any, normalize: Any = False, **kwargs: Any) -> None: ...
    def build(self, input_shape: Any) -> Any: ...
    def compute_output_shape(self, input_shape: Any) -> Any: ...
    def compute_mask(self, inputs: Any, mask: Any = None) -> Any: ...
    def get_config(self) -> Any: ...
    def call(self, inputs: Any) -> Any: ...
    def compute_output_spec(self, inputs: Any) -> Any: ...
    axes: Any
    normalize: Any
    supports_masking: Any

def dot(inputs: Any, axes: Any = -1, **kwargs: Any) -> Any:
    """Functional interface to the `Dot` layer."""

class Dropout(tf.keras.Layer):
    """Applies dropout to the input."""
    def __init__(
        self, rate: Any, noise_shape: Any = None, seed: Any = None, **kwargs: Any,
    ) -> None: ...
    def call(self, inputs: Any, training: Any = False) -> Any: ...
    def compute_output_shape(self, input_shape: Any) -> Any: ...
    def get_config(self) -> Any: ...
    rate: Any
    seed: Any
    noise_shape: Any
    supports_masking: Any
    seed_generator: Any

class EinsumDense(tf.keras.Layer):
    """A layer that uses `einsum` as the backing computation."""
    def __init__(
        self, equation: Any, output_shape: Any, activation: Any = None, bias_axes: Any = None,
        kernel_initializer: Any = 'glorot_uniform', bias_initializer: Any = 'zeros',
        kernel_regularizer: Any = None, bias_regularizer: Any = None, kernel_constraint: Any = None,
        bias_constraint: Any = None, lora_rank: Any = None, lora_alpha: Any = None,
        gptq_unpacked_column_size: Any = None, quantization_config: Any = None, **kwargs: Any,
    ) -> None: ...
    def build(self, input_shape: Any) -> Any: ...
    @property
    def kernel(self) -> Any: ...
    def compute_output_shape(self, input_shape: Any) -> Any: ...
    def call(self, inputs: Any, training: Any = None) -> Any: ...
    def enable_lora(
        self, rank: Any, lora_alpha: Any = None, a_initializer: Any = 'he_uniform',
        b_initializer: Any = 'zeros',
    ) -> Any: ...
    def save_own_variables(self, store: Any) -> Any: ...
    def load_own_variables(self, store: Any) -> Any: ...
    def get_config(self) -> Any: ...
    @classmethod
    def from_config(cls, config: Any) -> Any: ...
    @property
    def variable_serialization_spec(self) -> Any:
        """Returns a dict mapping quantization modes to variable names in order."""
    def quantized_build(self, kernel_shape: Any, mode: Any, config: Any = None) -> Any: ...
    def quantize(self, mode: Any = None, type_check: Any = True, config: Any = None) -> Any: ...
    equation: Any
    bias_axes: Any
    activation: Any
    kernel_initializer: Any
    bias_initializer: Any
    kernel_regularizer: Any
    bias_regularizer: Any
    kernel_constraint: Any
    bias_constraint: Any
    lora_rank: Any
    lora_alpha: Any
    lora_enabled: Any
    gptq_unpacked_column_size: Any
    quantization_config: Any
    partial_output_shape: Any
    input_spec: Any
    built: Any
    bias: Any
    lora_kernel_a: Any
    lora_kernel_b: Any
    is_gptq_calibrated: Any
    is_awq_calibrated: Any
    inputs_quantizer: Any
    quantization_axis: Any
    kernel_scale: Any
    original_kernel_shape: Any
    quantized_kernel: Any
    kernel_zero: Any
    g_idx: Any
    awq_unpacked_column_size: Any
    awq_scales: Any
    inputs_scale: Any
    inputs_amax_history: Any
    kernel_amax_history: Any
    outputs_grad_scale: Any
    outputs_grad_amax_history: Any
    dtype_policy: Any

class ELU(tf.keras.Layer):
    """Applies an Exponential Linear Unit function to an output."""
    def __init__(self, alpha: Any = 1.0, **kwargs: Any) -> None: ...
    def call(self, inputs: Any) -> Any: ...
    def compute_output_shape(self, input_shape: Any) -> Any: ...
    alpha: Any
    supports_masking: Any

class Embedding(tf.keras.Layer):
    """Turns nonnegative integers (indexes) into dense vectors of fixed size."""
    def __init__(
        self, input_dim: Any, output_dim: Any, embeddings_initializer: Any = 'uniform',
        embeddings_regularizer: Any = None, embeddings_constraint: Any = None,
        mask_zero: Any = False, weights: Any = None, lora_rank: Any = None, lora_alpha: Any = None,
        quantization_config: Any = None, **kwargs: Any,
    ) -> None: ...
    def build(self, input_shape: Any = None) -> Any: ...
    @property
    def embeddings(self) -> Any: ...
    def call(self, inputs: Any) -> Any: ...
    def compute_mask(self, inputs: Any, mask: Any = None) -> Any: ...
    def compute_output_shape(self, input_shape: Any) -> Any: ...
    def compute_output_spec(self, inputs: Any) -> Any: ...
    def enable_lora(
        self, rank: Any, lora_alpha: Any = None, a_initializer: Any = 'he_uniform',
        b_initializer: Any = 'zeros',
    ) -> Any: ...
    def save_own_variables(self, store: Any) -> Any: ...
    def load_own_variables(self, store: Any) -> Any: ...
    def get_config(self) -> Any: ...
    @classmethod
    def from_config(cls, config: Any) -> Any: ...
    @property
    def variable_serialization_spec(self) -> Any:
        """Returns a dict mapping quantization modes to variable names in order."""
    def quantized_build(self, embeddings_shape: Any, mode: Any, config: Any = None) -> Any: ...
    def quantize(self, mode: Any = None, type_check: Any = True, config: Any = None) -> Any: ...
    input_dim: Any
    output_dim: Any
    embeddings_initializer: Any
    embeddings_regularizer: Any
    embeddings_constraint: Any
    mask_zero: Any
    supports_masking: Any
    autocast: Any
    lora_rank: Any
    lora_alpha: Any
    lora_enabled: Any
    quantization_config: Any
    built: Any
    lora_embeddings_a: Any
    lora_embeddings_b: Any
    embeddings_scale: Any
    embeddings_zero: Any
    g_idx: Any
    dtype_policy: Any

class Equalization(tf.keras.Layer):
    """Preprocessing layer for histogram equalization on image channels."""
    def __init__(
        self, value_range: Any = ..., bins: Any = 256, data_format: Any = None, **kwargs: Any,
    ) -> None: ...
    def transform_images(
        self, images: Any, transformation: Any, training: Any = True,
    ) -> Any: ...
    def compute_output_shape(self, input_shape: Any) -> Any: ...
    def compute_output_spec(self, inputs: Any, **kwargs: Any) -> Any: ...
    def transform_bounding_boxes(
        self, bounding_boxes: Any, transformation: Any, training: Any = True,
    ) -> Any: ...
    def transform_labels(
        self, labels: Any, transformation: Any, training: Any = True,
    ) -> Any: ...
    def transform_segmentation_masks(
        self, segmentation_masks: Any, transformation: Any, training: Any = True,
    ) -> Any: ...
    def get_config(self) -> Any: ...
    def get_random_transformation(
        self, data: Any, training: Any = True, seed: Any = None,
    ) -> Any: ...
    def transform_single_image(
        self, image: Any, transformation: Any, training: Any = True,
    ) -> Any: ...
    def transform_single_label(
        self, label: Any, transformation: Any, training: Any = True,
    ) -> Any: ...
    def transform_single_bounding_box(
        self, bounding_box: Any, transformation: Any, training: Any = True,
    ) -> Any: ...
    def transform_single_segmentation_mask(
        self, segmentation_mask: Any, transformation: Any, training: Any = True,
    ) -> Any: ...
    def call(self, data: Any, training: Any = True) -> Any: ...
    def __call__(self, inputs: Any, **kwargs: Any) -> Any: ...
    def convert_weight(self, weight: Any) -> Any:
        """Convert the weight if it is from the a different backend."""
    bins: Any
    data_format: Any
    value_range: Any
    bounding_box_format: Any
    factor: Any
    backend: Any

class Flatten(tf.keras.Layer):
    """Flattens the input. Does not affect the batch size."""
    def __init__(self, data_format: Any = None, **kwargs: Any) -> None: ...
    def call(self, inputs: Any) -> Any: ...
    def compute_output_shape(self, input_shape: Any) -> Any: ...
    def compute_output_spec(self, inputs: Any) -> Any: ...
    def get_config(self) -> Any: ...
    data_format: Any
    input_spec: Any

class FlaxLayer(tf.keras.layers.JaxLayer):
    """Keras Layer that wraps a [Flax](https://flax.readthedocs.io) module."""
    def __init__(
        self, module: Any, method: Any = None, variables: Any = None, **kwargs: Any,
    ) -> None: ...
    def get_config(self) -> Any: ...
    @classmethod
    def from_config(cls, config: Any) -> Any: ...
    module: Any
    method: Any

class GaussianDropout(tf.keras.Layer):
    """Apply multiplicative 1-centered Gaussian noise."""
    def __init__(self, rate: Any, seed: Any = None, **kwargs: Any) -> None: ...
    def call(self, inputs: Any, training: Any = False) -> Any: ...
    def compute_output_shape(self, input_shape: Any) -> Any: ...
    def get_config(self) -> Any: ...
    rate: Any
    seed: Any
    supports_masking: Any
    seed_generator: Any

class GaussianNoise(tf.keras.Layer):
    """Apply additive zero-centered Gaussian noise."""
    def __init__(self, stddev: Any, seed: Any = None, **kwargs: Any) -> None: ...
    def call(self, inputs: Any, training: Any = False) -> Any: ...
    def compute_output_shape(self, input_shape: Any) -> Any: ...
    def get_config(self) -> Any: ...
    stddev: Any
    seed: Any
    supports_masking: Any
    seed_generator: Any

class GlobalAveragePooling1D(tf.keras.Layer):
    """Global average pooling operation for temporal data."""
    def __init__(
        self, data_format: Any = None, keepdims: Any = False, **kwargs: Any,
    ) -> None: ...
    def call(self, inputs: Any, mask: Any = None) -> Any: ...
    def compute_mask(self, inputs: Any, mask: Any = None) -> Any: ...
    def compute_output_shape(self, input_shape: Any) -> Any: ...
    def get_config(self) -> Any: ...
    supports_masking: Any
    data_format: Any
    keepdims: Any
    input_spec: Any

class GlobalAveragePooling2D(tf.keras.Layer):
    """Global average pooling operation for 2D data."""
    def __init__(
        self, data_format: Any = None, keepdims: Any = False, **kwargs: Any,
    ) -> None: ...
    def call(self, inputs: Any) -> Any: ...
    def compute_output_shape(self, input_shape: Any) -> Any: ...
    def get_config(self) -> Any: ...
    data_format: Any
    keepdims: Any
    input_spec: Any

class GlobalAveragePooling3D(tf.keras.Layer):
    """Global average pooling operation for 3D data."""
    def __init__(
        self, data_format: Any = None, keepdims: Any = False, **kwargs: Any,
    ) -> None: ...
    def call(self, inputs: Any) -> Any: ...
    def compute_output_shape(self, input_shape: Any) -> Any: ...
    def get_config(self) -> Any: ...
    data_format: Any
    keepdims: Any
    input_spec: Any

class GlobalMaxPool1D(tf.keras.Layer):
    """Global max pooling operation for temporal data."""
    def __init__(
        self, data_format: Any = None, keepdims: Any = False, **kwargs: Any,
    ) -> None: ...
    def call(self, inputs: Any) -> Any: ...
    def compute_output_shape(self, input_shape: Any) -> Any: ...
    def get_config(self) -> Any: ...
    data_format: Any
    keepdims: Any
    input_spec: Any

class GlobalMaxPool2D(tf.keras.Layer):
    """Global max pooling operation for 2D data."""
    def __init__(
        self, data_format: Any = None, keepdims: Any = False, **kwargs: Any,
    ) -> None: ...
    def call(self, inputs: Any) -> Any: ...
    def compute_output_shape(self, input_shape: Any) -> Any: ...
    def get_config(self) -> Any: ...
    data_format: Any
    keepdims: Any
    input_spec: Any

class GlobalMaxPool3D(tf.keras.Layer):
    """Global max pooling operation for 3D data."""
    def __init__(
        self, data_format: Any = None, keepdims: Any = False, **kwargs: Any,
    ) -> None: ...
    def call(self, inputs: Any) -> Any: ...
    def compute_output_shape(self, input_shape: Any) -> Any: ...
    def get_config(self) -> Any: ...
    data_format: Any
    keepdims: Any
    input_spec: Any

class GroupNormalization(tf.keras.Layer):
    """Group normalization layer."""
    def __init__(
        self, groups: Any = 32, axis: Any = -1, epsilon: Any = 0.001, center: Any = True,
        scale: Any = True, beta_initializer: Any = 'zeros', gamma_initializer: Any = 'ones',
        beta_regularizer: Any = None, gamma_regularizer: Any = None, beta_constraint: Any = None,
        gamma_constraint: Any = None, **kwargs: Any,
    ) -> None: ...
    def build(self, input_shape: Any) -> Any: ...
    def call(self, inputs: Any) -> Any: ...
    def compute_output_shape(self, input_shape: Any) -> Any: ...
    def get_config(self) -> Any: ...
    supports_masking: Any
    autocast: Any
    groups: Any
    axis: Any
    epsilon: Any
    center: Any
    scale: Any
    beta_initializer: Any
    gamma_initializer: Any
    beta_regularizer: Any
    gamma_regularizer: Any
    beta_constraint: Any
    gamma_constraint: Any
    input_spec: Any
    gamma: Any
    beta: Any

class GroupQueryAttention(tf.keras.Layer):
    """Grouped Query Attention layer."""
    def __init__(
        self, head_dim: Any, num_query_heads: Any, num_key_value_heads: Any, dropout: Any = 0.0,
        use_bias: Any = True, sliding_window: Any = None, flash_attention: Any = None,
        kernel_initializer: Any = 'glorot_uniform', bias_initializer: Any = 'zeros',
        kernel_regularizer: Any = None, bias_regularizer: Any = None,
        activity_regularizer: Any = None, kernel_constraint: Any = None,
        bias_constraint: Any = None, use_gate: Any = False, seed: Any = None, **kwargs: Any,
    ) -> None: ...
    def build(self, query_shape: Any, value_shape: Any, key_shape: Any = None) -> Any: ...
    def call(
        self, query: Any, value: Any, key: Any = None, query_mask: Any = None,
        value_mask: Any = None, key_mask: Any = None, attention_mask: Any = None,
        return_attention_scores: Any = False, training: Any = None, use_causal_mask: Any = False,
    ) -> Any: ...
    def compute_output_shape(
        self, query_shape: Any, value_shape: Any, key_shape: Any = None,
    ) -> Any: ...
    def compute_output_spec(
        self, query: Any, value: Any, key: Any = None, query_mask: Any = None,
        value_mask: Any = None, key_mask: Any = None, attention_mask: Any = None,
        return_attention_scores: Any = False, training: Any = None, use_causal_mask: Any = False,
    ) -> Any: ...
    def get_config(self) -> Any: ...
    supports_masking: Any
    head_dim: Any
    num_query_heads: Any
    num_key_value_heads: Any
    num_repeats: Any
    dropout: Any
    use_bias: Any
    use_gate: Any
    sliding_window: Any
    kernel_initializer: Any
    bias_initializer: Any
    kernel_regularizer: Any
    bias_regularizer: Any
    activity_regularizer: Any
    kernel_constraint: Any
    bias_constraint: Any
    seed: Any
    feature_dim: Any

class GRU(tf.keras.layers.RNN):
    """Gated Recurrent Unit - Cho et al. 2014."""
    def __init__(
        self, units: Any, activation: Any = 'tanh', recurrent_activation: Any = 'sigmoid',
        use_bias: Any = True, kernel_initializer: Any = 'glorot_uniform',
        recurrent_initializer: Any = 'orthogonal', bias_initializer: Any = 'zeros',
        kernel_regularizer: Any = None, recurrent_regularizer: Any = None,
        bias_regularizer: Any = None, activity_regularizer: Any = None,
        kernel_constraint: Any = None, recurrent_constraint: Any = None,
        bias_constraint: Any = None, dropout: Any = 0.0, recurrent_dropout: Any = 0.0,
        seed: Any = None, return_sequences: Any = False, return_state: Any = False,
        go_backwards: Any = False, stateful: Any = False, unroll: Any = False,
        reset_after: Any = True, use_cudnn: Any = 'auto', **kwargs: Any,
    ) -> None: ...
    def inner_loop(
        self, sequences: Any, initial_state: Any, mask: Any, training: Any = False,
    ) -> Any: ...
    def call(
        self, sequences: Any, initial_state: Any = None, mask: Any = None, training: Any = False,
    ) -> Any: ...
    @property
    def units(self) -> Any: ...
    @property
    def activation(self) -> Any: ...
    @property
    def recurrent_activation(self) -> Any: ...
    @property
    def use_bias(self) -> Any: ...
    @property
    def kernel_initializer(self) -> Any: ...
    @property
    def recurrent_initializer(self) -> Any: ...
    @property
    def bias_initializer(self) -> Any: ...
    @property
    def kernel_regularizer(self) -> Any: ...
    @property
    def recurrent_regularizer(self) -> Any: ...
    @property
    def bias_regularizer(self) -> Any: ...
    @property
    def kernel_constraint(self) -> Any: ...
    @property
    def recurrent_constraint(self) -> Any: ...
    @property
    def bias_constraint(self) -> Any: ...
    @property
    def dropout(self) -> Any: ...
    @property
    def recurrent_dropout(self) -> Any: ...
    @property
    def reset_after(self) -> Any: ...
    def get_config(self) -> Any: ...
    @classmethod
    def from_config(cls, config: Any) -> Any: ...
    input_spec: Any
    use_cudnn: Any
    supports_jit: Any

class GRUCell(tf.keras.Layer):
    """Cell class for the GRU layer."""
    def __init__(
        self, units: Any, activation: Any = 'tanh', recurrent_activation: Any = 'sigmoid',
        use_bias: Any = True, kernel_initializer: Any = 'glorot_uniform',
        recurrent_initializer: Any = 'orthogonal', bias_initializer: Any = 'zeros',
        kernel_regularizer: Any = None, recurrent_regularizer: Any = None,
        bias_regularizer: Any = None, kernel_constraint: Any = None,
        recurrent_constraint: Any = None, bias_constraint: Any = None, dropout: Any = 0.0,
        recurrent_dropout: Any = 0.0, reset_after: Any = True, seed: Any = None, **kwargs: Any,
    ) -> None: ...
    def build(self, input_shape: Any) -> Any: ...
    def call(self, inputs: Any, states: Any, training: Any = False) -> Any: ...
    def get_config(self) -> Any: ...
    def get_initial_state(self, batch_size: Any = None) -> Any: ...
    def get_dropout_mask(self, step_input: Any) -> Any: ...
    def get_recurrent_dropout_mask(self, step_input: Any) -> Any: ...
    def reset_dropout_mask(self) -> Any:
        """Reset the cached dropout mask if any."""
    def reset_recurrent_dropout_mask(self) -> Any: ...
    implementation: Any
    units: Any
    activation: Any
    recurrent_activation: Any
    use_bias: Any
    kernel_initializer: Any
    recurrent_initializer: Any
    bias_initializer: Any
    kernel_regularizer: Any
    recurrent_regularizer: Any
    bias_regularizer: Any
    kernel_constraint: Any
    recurrent_constraint: Any
    bias_constraint: Any
    dropout: Any
    recurrent_dropout: Any
    seed: Any
    seed_generator: Any
    reset_after: Any
    state_size: Any
    output_size: Any
    dropout_mask_count: Any
    kernel: Any
    recurrent_kernel: Any
    bias: Any

class HashedCrossing(tf.keras.Layer):
    """A preprocessing layer which crosses features using the "hashing trick"."""
    def __init__(
        self, num_bins: Any, output_mode: Any = 'int', sparse: Any = False, name: Any = None,
        dtype: Any = None, **kwargs: Any,
    ) -> None: ...
    def compute_output_shape(self, input_shape: Any) -> Any: ...
    def call(self, inputs: Any) -> Any: ...
    def get_config(self) -> Any: ...
    num_bins: Any
    output_mode: Any
    sparse: Any
    supports_jit: Any

class Hashing(tf.keras.Layer):
    """A preprocessing layer which hashes and bins categorical features."""
    def __init__(
        self, num_bins: Any, mask_value: Any = None, salt: Any = None, output_mode: Any = 'int',
        sparse: Any = False, **kwargs: Any,
    ) -> None: ...
    def compute_output_shape(self, input_shape: Any) -> Any: ...
    def call(self, inputs: Any) -> Any: ...
    def compute_output_spec(self, inputs: Any) -> Any: ...
    def get_config(self) -> Any: ...
    num_bins: Any
    mask_value: Any
    strong_hash: Any
    output_mode: Any
    sparse: Any
    salt: Any
    supports_jit: Any

class Identity(tf.keras.Layer):
    """Identity layer."""
    def __init__(self, **kwargs: Any) -> None: ...
    def call(self, inputs: Any) -> Any: ...
    def compute_output_shape(self, input_shape: Any) -> Any: ...
    def compute_output_spec(self, inputs: Any) -> Any: ...
    supports_masking: Any

class InputLayer(tf.keras.Layer):
    def __init__(
        self, shape: Any = None, batch_size: Any = None, dtype: Any = None, sparse: Any = None,
        ragged: Any = None, batch_shape: Any = None, input_tensor: Any = None,
        optional: Any = False, name: Any = None, **kwargs: Any,
    ) -> None: ...
    def call(self) -> Any: ...
    @property
    def batch_shape(self) -> Any: ...
    @property
    def dtype(self) -> Any: ...
    def get_config(self) -> Any: ...
    sparse: Any
    ragged: Any
    built: Any
    optional: Any

class IntegerLookup(tf.keras.Layer):
    """A preprocessing layer that maps integers to (possibly encoded) indices."""
    def __init__(
        self, max_tokens: Any = None, num_oov_indices: Any = 1, mask_token: Any = None,
        oov_token: Any = -1, vocabulary: Any = None, vocabulary_dtype: Any = 'int64',
        idf_weights: Any = None, invert: Any = False, output_mode: Any = 'int', sparse: Any = False,
        pad_to_max_tokens: Any = False, oov_method: Any = 'floormod', salt: Any = None,
        name: Any = None, **kwargs: Any,
    ) -> None: ...
    def adapt(self, data: Any, steps: Any = None) -> Any:
        """Computes a vocabulary of integer terms from tokens in a dataset."""
    def get_config(self) -> Any: ...
    def call(self, inputs: Any) -> Any: ...
    def get_vocabulary(self, include_special_tokens: Any = True) -> Any:
        """Returns the current vocabulary of the layer."""
    def vocabulary_size(self) -> Any:
        """Gets the current size of the layer's vocabulary."""
    def set_vocabulary(self, vocabulary: Any, idf_weights: Any = None) -> Any:
        """Sets vocabulary (and optionally document frequency) for this layer."""
    def get_build_config(self) -> Any: ...
    def build_from_config(self, config: Any) -> Any: ...
    @property
    def compute_dtype(self) -> Any: ...
    @property
    def variable_dtype(self) -> Any: ...
    def compute_output_shape(self, input_shape: Any) -> Any: ...
    def compute_output_spec(self, inputs: Any) -> Any: ...
    def update_state(self, data: Any) -> Any: ...
    def finalize_state(self) -> Any: ...
    def reset_state(self) -> Any: ...
    def save_own_variables(self, store: Any) -> Any: ...
    def load_own_variables(self, store: Any) -> Any: ...
    def save_assets(self, dir_path: Any) -> Any: ...
    def load_assets(self, dir_path: Any) -> Any: ...
    supports_jit: Any
    invert: Any
    max_tokens: Any
    num_oov_indices: Any
    mask_token: Any
    oov_token: Any
    output_mode: Any
    sparse: Any
    pad_to_max_tokens: Any
    vocabulary_dtype: Any
    oov_method: Any
    salt: Any
    input_vocabulary: Any
    input_idf_weights: Any
    lookup_table: Any
    token_counts: Any
    idf_weights: Any
    idf_weights_const: Any
    token_document_counts: Any
    num_documents: Any

class JaxLayer(tf.keras.Layer):
    """Keras Layer that wraps a JAX model."""
    def __init__(
        self, call_fn: Any, init_fn: Any = None, params: Any = None, state: Any = None,
        seed: Any = None, native_serialization_platforms: Any = None, **kwargs: Any,
    ) -> None: ...
    def build(self, input_shape: Any) -> Any: ...
    def call(self, inputs: Any, training: Any = False) -> Any: ...
    def get_config(self) -> Any: ...
    @classmethod
    def from_config(cls, config: Any) -> Any: ...
    call_fn: Any
    init_fn: Any
    tracked_params: Any
    tracked_state: Any
    call_fn_arguments: Any
    call_fn_has_params: Any
    call_fn_has_state: Any
    jax2tf_training_false_fn: Any
    jax2tf_training_true_fn: Any
    jax2tf_native_serialization_platforms: Any
    seed_generator: Any
    init_fn_arguments: Any
    params: Any
    state: Any

class Lambda(tf.keras.Layer):
    """Wraps arbitrary expressions as a `Layer` object."""
    def __init__(
        self, function: Any, output_shape: Any = None, mask: Any = None, arguments: Any = None,
        **kwargs: Any,
    ) -> None: ...
    def compute_output_shape(self, input_shape: Any) -> Any: ...
    def call(self, inputs: Any, mask: Any = None, training: Any = None) -> Any: ...
    def compute_mask(self, inputs: Any, mask: Any = None) -> Any: ...
    def get_config(self) -> Any: ...
    @classmethod
    def from_config(
        cls, config: Any, custom_objects: Any = None, safe_mode: Any = None,
    ) -> Any: ...
    arguments: Any
    function: Any
    mask: Any
    supports_masking: Any

class LayerNormalization(tf.keras.Layer):
    """Layer normalization layer (Ba et al., 2016)."""
    def __init__(
        self, axis: Any = -1, epsilon: Any = 0.001, center: Any = True, scale: Any = True,
        beta_initializer: Any = 'zeros', gamma_initializer: Any = 'ones',
        beta_regularizer: Any = None, gamma_regularizer: Any = None, beta_constraint: Any = None,
        gamma_constraint: Any = None, **kwargs: Any,
    ) -> None: ...
    def build(self, input_shape: Any) -> Any: ...
    def call(self, inputs: Any) -> Any: ...
    def compute_output_shape(self, input_shape: Any) -> Any: ...
    def get_config(self) -> Any: ...
    epsilon: Any
    center: Any
    scale: Any
    rms_scaling: Any
    beta_initializer: Any
    gamma_initializer: Any
    beta_regularizer: Any
    gamma_regularizer: Any
    beta_constraint: Any
    gamma_constraint: Any
    supports_masking: Any
    autocast: Any
    axis: Any
    gamma: Any
    beta: Any

class LeakyReLU(tf.keras.Layer):
    """Leaky version of a Rectified Linear Unit activation layer."""
    def __init__(self, negative_slope: Any = 0.3, **kwargs: Any) -> None: ...
    def call(self, inputs: Any) -> Any: ...
    def get_config(self) -> Any: ...
    def compute_output_shape(self, input_shape: Any) -> Any: ...
    negative_slope: Any
    supports_masking: Any

class LSTM(tf.keras.layers.RNN):
    """Long Short-Term Memory layer - Hochreiter 1997."""
    def __init__(
        self, units: Any, activation: Any = 'tanh', recurrent_activation: Any = 'sigmoid',
        use_bias: Any = True, kernel_initializer: Any = 'glorot_uniform',
        recurrent_initializer: Any = 'orthogonal', bias_initializer: Any = 'zeros',
        unit_forget_bias: Any = True, kernel_regularizer: Any = None,
        recurrent_regularizer: Any = None, bias_regularizer: Any = None,
        activity_regularizer: Any = None, kernel_constraint: Any = None,
        recurrent_constraint: Any = None, bias_constraint: Any = None, dropout: Any = 0.0,
        recurrent_dropout: Any = 0.0, seed: Any = None, return_sequences: Any = False,
        return_state: Any = False, go_backwards: Any = False, stateful: Any = False,
        unroll: Any = False, use_cudnn: Any = 'auto', **kwargs: Any,
    ) -> None: ...
    def inner_loop(
        self, sequences: Any, initial_state: Any, mask: Any, training: Any = False,
    ) -> Any: ...
    def call(
        self, sequences: Any, initial_state: Any = None, mask: Any = None, training: Any = False,
    ) -> Any: ...
    @property
    def units(self) -> Any: ...
    @property
    def activation(self) -> Any: ...
    @property
    def recurrent_activation(self) -> Any: ...
    @property
    def use_bias(self) -> Any: ...
    @property
    def unit_forget_bias(self) -> Any: ...
    @property
    def kernel_initializer(self) -> Any: ...
    @property
    def recurrent_initializer(self) -> Any: ...
    @property
    def bias_initializer(self) -> Any: ...
    @property
    def kernel_regularizer(self) -> Any: ...
    @property
    def recurrent_regularizer(self) -> Any: ...
    @property
    def bias_regularizer(self) -> Any: ...
    @property
    def kernel_constraint(self) -> Any: ...
    @property
    def recurrent_constraint(self) -> Any: ...
    @property
    def bias_constraint(self) -> Any: ...
    @property
    def dropout(self) -> Any: ...
    @property
    def recurrent_dropout(self) -> Any: ...
    def get_config(self) -> Any: ...
    @classmethod
    def from_config(cls, config: Any) -> Any: ...
    input_spec: Any
    use_cudnn: Any
    supports_jit: Any

class LSTMCell(tf.keras.Layer):
    """Cell class for the LSTM layer."""
    def __init__(
        self, units: Any, activation: Any = 'tanh', recurrent_activation: Any = 'sigmoid',
        use_bias: Any = True, kernel_initializer: Any = 'glorot_uniform',
        recurrent_initializer: Any = 'orthogonal', bias_initializer: Any = 'zeros',
        unit_forget_bias: Any = True, kernel_regularizer: Any = None,
        recurrent_regularizer: Any = None, bias_regularizer: Any = None,
        kernel_constraint: Any = None, recurrent_constraint: Any = None,
        bias_constraint: Any = None, dropout: Any = 0.0, recurrent_dropout: Any = 0.0,
        seed: Any = None, **kwargs: Any,
    ) -> None: ...
    def build(self, input_shape: Any) -> Any: ...
    def call(self, inputs: Any, states: Any, training: Any = False) -> Any: ...
    def get_config(self) -> Any: ...
    def get_initial_state(self, batch_size: Any = None) -> Any: ...
    def get_dropout_mask(self, step_input: Any) -> Any: ...
    def get_recurrent_dropout_mask(self, step_input: Any) -> Any: ...
    def reset_dropout_mask(self) -> Any:
        """Reset the cached dropout mask if any."""
    def reset_recurrent_dropout_mask(self) -> Any: ...
    implementation: Any
    units: Any
    activation: Any
    recurrent_activation: Any
    use_bias: Any
    kernel_initializer: Any
    recurrent_initializer: Any
    bias_initializer: Any
    kernel_regularizer: Any
    recurrent_regularizer: Any
    bias_regularizer: Any
    kernel_constraint: Any
    recurrent_constraint: Any
    bias_constraint: Any
    dropout: Any
    recurrent_dropout: Any
    seed: Any
    seed_generator: Any
    unit_forget_bias: Any
    state_size: Any
    output_size: Any
    dropout_mask_count: Any
    kernel: Any
    recurrent_kernel: Any
    bias: Any

class Masking(tf.keras.Layer):
    """Masks a sequence by using a mask value to skip timesteps."""
    def __init__(self, mask_value: Any = 0.0, **kwargs: Any) -> None: ...
    def compute_mask(self, inputs: Any, mask: Any = None) -> Any: ...
    def call(self, inputs: Any) -> Any: ...
    def compute_output_shape(self, input_shape: Any) -> Any: ...
    def get_config(self) -> Any: ...
    mask_value: Any
    supports_masking: Any

class Maximum(tf.keras.Layer):
    """Computes element-wise maximum on a list of inputs."""
    def __init__(self, **kwargs: Any) -> None: ...
    def build(self, input_shape: Any) -> Any: ...
    def call(self, inputs: Any) -> Any: ...
    def compute_output_shape(self, input_shape: Any) -> Any: ...
    def compute_output_spec(self, inputs: Any) -> Any: ...
    def compute_mask(self, inputs: Any, mask: Any = None) -> Any: ...
    def get_config(self) -> Any: ...
    supports_masking: Any

def maximum(inputs: Any, **kwargs: Any) -> Any:
    """Functional interface to the `keras.layers.Maximum` layer."""

class MaxNumBoundingBoxes(tf.keras.Layer):
    """Ensure the maximum number of bounding boxes."""
    def __init__(self, max_number: Any, fill_value: Any = -1, **kwargs: Any) -> None: ...
    def transform_images(
        self, images: Any, transformation: Any = None, training: Any = True,
    ) -> Any: ...
    def transform_labels(
        self, labels: Any, transformation: Any = None, training: Any = True,
    ) -> Any: ...
    def transform_bounding_boxes(
        self, bounding_boxes: Any, transformation: Any, training: Any = True,
    ) -> Any: ...
    def transform_segmentation_masks(
        self, segmentation_masks: Any, transformation: Any = None, training: Any = True,
    ) -> Any: ...
    def compute_output_shape(self, input_shape: Any) -> Any: ...
    def get_config(self) -> Any: ...
    def get_random_transformation(
        self, data: Any, training: Any = True, seed: Any = None,
    ) -> Any: ...
    def transform_single_image(
        self, image: Any, transformation: Any, training: Any = True,
    ) -> Any: ...
    def transform_single_label(
        self, label: Any, transformation: Any, training: Any = True,
    ) -> Any: ...
    def transform_single_bounding_box(
        self, bounding_box: Any, transformation: Any, training: Any = True,
    ) -> Any: ...
    def transform_single_segmentation_mask(
        self, segmentation_mask: Any, transformation: Any, training: Any = True,
    ) -> Any: ...
    def call(self, data: Any, training: Any = True) -> Any: ...
    def __call__(self, inputs: Any, **kwargs: Any) -> Any: ...
    def convert_weight(self, weight: Any) -> Any:
        """Convert the weight if it is from the a different backend."""
    max_number: Any
    fill_value: Any
    bounding_box_format: Any
    data_format: Any
    factor: Any
    backend: Any

class MaxPool1D(tf.keras.Layer):
    """Max pooling operation for 1D temporal data."""
    def __init__(
        self, pool_size: Any = 2, strides: Any = None, padding: Any = 'valid',
        data_format: Any = None, name: Any = None, **kwargs: Any,
    ) -> None: ...
    def call(self, inputs: Any) -> Any: ...
    def compute_output_shape(self, input_shape: Any) -> Any: ...
    def get_config(self) -> Any: ...
    pool_size: Any
    strides: Any
    pool_mode: Any
    padding: Any
    data_format: Any
    input_spec: Any

class MaxPool2D(tf.keras.Layer):
    """Max pooling operation for 2D spatial data."""
    def __init__(
        self, pool_size: Any = ..., strides: Any = None, padding: Any = 'valid',
        data_format: Any = None, name: Any = None, **kwargs: Any,
    ) -> None: ...
    def call(self, inputs: Any) -> Any: ...
    def compute_output_shape(self, input_shape: Any) -> Any: ...
    def get_config(self) -> Any: ...
    pool_size: Any
    strides: Any
    pool_mode: Any
    padding: Any
    data_format: Any
    input_spec: Any

class MaxPool3D(tf.keras.Layer):
    """Max pooling operation for 3D data (spatial or spatio-temporal)."""
    def __init__(
        self, pool_size: Any = ..., strides: Any = None, padding: Any = 'valid',
        data_format: Any = None, name: Any = None, **kwargs: Any,
    ) -> None: ...
    def call(self, inputs: Any) -> Any: ...
    def compute_output_shape(self, input_shape: Any) -> Any: ...
    def get_config(self) -> Any: ...
    pool_size: Any
    strides: Any
    pool_mode: Any
    padding: Any
    data_format: Any
    input_spec: Any

class MelSpectrogram(tf.keras.Layer):
    """A preprocessing layer to convert raw audio signals to Mel spectrograms."""
    def __init__(
        self, fft_length: Any = 2048, sequence_stride: Any = 512, sequence_length: Any = None,
        window: Any = 'hann', sampling_rate: Any = 16000, num_mel_bins: Any = 128,
        min_freq: Any = 20.0, max_freq: Any = None, power_to_db: Any = True, top_db: Any = 80.0,
        mag_exp: Any = 2.0, min_power: Any = 1e-10, ref_power: Any = 1.0, **kwargs: Any,
    ) -> None: ...
    def call(self, inputs: Any) -> Any: ...
    def linear_to_mel_weight_matrix(
        self, num_mel_bins: Any = 20, num_spectrogram_bins: Any = 129, sampling_rate: Any = 8000,
        lower_edge_hertz: Any = 125.0, upper_edge_hertz: Any = 3800.0, dtype: Any = 'float32',
    ) -> Any:
        """Returns a matrix to warp linear scale spectrograms to the mel scale."""
    def compute_output_shape(self, input_shape: Any) -> Any: ...
    def get_config(self) -> Any: ...
    def __call__(self, inputs: Any, **kwargs: Any) -> Any: ...
    def convert_weight(self, weight: Any) -> Any:
        """Convert the weight if it is from the a different backend."""
    fft_length: Any
    sequence_stride: Any
    sequence_length: Any
    window: Any
    sampling_rate: Any
    num_mel_bins: Any
    min_freq: Any
    max_freq: Any
    power_to_db: Any
    top_db: Any
    mag_exp: Any
    min_power: Any
    ref_power: Any
    backend: Any

class Minimum(tf.keras.Layer):
    """Computes elementwise minimum on a list of inputs."""
    def __init__(self, **kwargs: Any) -> None: ...
    def build(self, input_shape: Any) -> Any: ...
    def call(self, inputs: Any) -> Any: ...
    def compute_output_shape(self, input_shape: Any) -> Any: ...
    def compute_output_spec(self, inputs: Any) -> Any: ...
    def compute_mask(self, inputs: Any, mask: Any = None) -> Any: ...
    def get_config(self) -> Any: ...
    supports_masking: Any

def minimum(inputs: Any, **kwargs: Any) -> Any:
    """Functional interface to the `keras.layers.Minimum` layer."""

class MixUp(tf.keras.Layer):
    """MixUp implements the MixUp data augmentation technique."""
    def __init__(
        self, alpha: Any = 0.2, data_format: Any = None, seed: Any = None, **kwargs: Any,
    ) -> None: ...
    def get_random_transformation(
        self, data: Any, training: Any = True, seed: Any = None,
    ) -> Any: ...
    def transform_images(
        self, images: Any, transformation: Any = None, training: Any = True,
    ) -> Any: ...
    def transform_labels(
        self, labels: Any, transformation: Any, training: Any = True,
    ) -> Any: ...
    def transform_bounding_boxes(
        self, bounding_boxes: Any, transformation: Any, training: Any = True,
    ) -> Any: ...
    def transform_segmentation_masks(
        self, segmentation_masks: Any, transformation: Any, training: Any = True,
    ) -> Any: ...
    def compute_output_shape(self, input_shape: Any) -> Any: ...
    def get_config(self) -> Any: ...
    def transform_single_image(
        self, image: Any, transformation: Any, training: Any = True,
    ) -> Any: ...
    def transform_single_label(
        self, label: Any, transformation: Any, training: Any = True,
    ) -> Any: ...
    def transform_single_bounding_box(
        self, bounding_box: Any, transformation: Any, training: Any = True,
    ) -> Any: ...
    def transform_single_segmentation_mask(
        self, segmentation_mask: Any, transformation: Any, training: Any = True,
    ) -> Any: ...
    def call(self, data: Any, training: Any = True) -> Any: ...
    def __call__(self, inputs: Any, **kwargs: Any) -> Any: ...
    def convert_weight(self, weight: Any) -> Any:
        """Convert the weight if it is from the a different backend."""
    alpha: Any
    seed: Any
    generator: Any
    bounding_box_format: Any
    data_format: Any
    factor: Any
    backend: Any

class MultiHeadAttention(tf.keras.Layer):
    """MultiHeadAttention layer."""
    def __init__(
        self, num_heads: Any, key_dim: Any, value_dim: Any = None, dropout: Any = 0.0,
        use_bias: Any = True, output_shape: Any = None, attention_axes: Any = None,
        sliding_window: Any = None, flash_attention: Any = None,
        kernel_initializer: Any = 'glorot_uniform', bias_initializer: Any = 'zeros',
        kernel_regularizer: Any = None, bias_regularizer: Any = None,
        activity_regularizer: Any = None, kernel_constraint: Any = None,
        bias_constraint: Any = None, use_gate: Any = False, seed: Any = None, **kwargs: Any,
    ) -> None: ...
    @property
    def num_heads(self) -> Any: ...
    @property
    def key_dim(self) -> Any: ...
    @property
    def value_dim(self) -> Any: ...
    @property
    def dropout(self) -> Any: ...
    @property
    def use_bias(self) -> Any: ...
    @property
    def attention_axes(self) -> Any: ...
    def get_config(self) -> Any: ...
    def build(self, query_shape: Any, value_shape: Any, key_shape: Any = None) -> Any:
        """Builds layers and variables."""
    @property
    def query_dense(self) -> Any: ...
    @property
    def key_dense(self) -> Any: ...
    @property
    def value_dense(self) -> Any: ...
    @property
    def output_dense(self) -> Any: ...
    def call(
        self, query: Any, value: Any, key: Any = None, query_mask: Any = None,
        value_mask: Any = None, key_mask: Any = None, attention_mask: Any = None,
        return_attention_scores: Any = False, training: Any = None, use_causal_mask: Any = False,
    ) -> Any: ...
    def compute_output_shape(
        self, query_shape: Any, value_shape: Any, key_shape: Any = None,
    ) -> Any: ...
    def compute_output_spec(
        self, query: Any, value: Any, key: Any = None, query_mask: Any = None,
        value_mask: Any = None, key_mask: Any = None, attention_mask: Any = None,
        return_attention_scores: Any = False, training: Any = None, use_causal_mask: Any = False,
    ) -> Any: ...
    supports_masking: Any
    seed: Any

class Multiply(tf.keras.Layer):
    """Performs elementwise multiplication."""
    def __init__(self, **kwargs: Any) -> None: ...
    def build(self, input_shape: Any) -> Any: ...
    def call(self, inputs: Any) -> Any: ...
    def compute_output_shape(self, input_shape: Any) -> Any: ...
    def compute_output_spec(self, inputs: Any) -> Any: ...
    def compute_mask(self, inputs: Any, mask: Any = None) -> Any: ...
    def get_config(self) -> Any: ...
    supports_masking: Any

def multiply(inputs: Any, **kwargs: Any) -> Any:
    """Functional interface to the `keras.layers.Multiply` layer."""

class Normalization(tf.keras.Layer):
    """A preprocessing layer that normalizes continuous features."""
    def __init__(
        self, axis: Any = -1, mean: Any = None, variance: Any = None, invert: Any = False,
        **kwargs: Any,
    ) -> None: ...
    def build(self, input_shape: Any) -> Any: ...
    def adapt(self, data: Any) -> Any:
        """Computes the mean and variance of values in a dataset."""
    def finalize_state(self) -> Any: ...
    def call(self, inputs: Any) -> Any: ...
    def compute_output_shape(self, input_shape: Any) -> Any: ...
    def get_config(self) -> Any: ...
    def load_own_variables(self, store: Any) -> Any: ...
    def get_build_config(self) -> Any: ...
    def build_from_config(self, config: Any) -> Any: ...
    def __call__(self, inputs: Any, **kwargs: Any) -> Any: ...
    def convert_weight(self, weight: Any) -> Any:
        """Convert the weight if it is from the a different backend."""
    axis: Any
    input_mean: Any
    input_variance: Any
    invert: Any
    supports_masking: Any
    mean: Any
    adapt_mean: Any
    adapt_variance: Any
    count: Any
    built: Any
    variance: Any
    backend: Any

class Permute(tf.keras.Layer):
    """Permutes the dimensions of the input according to a given pattern."""
    def __init__(self, dims: Any, **kwargs: Any) -> None: ...
    def compute_output_shape(self, input_shape: Any) -> Any: ...
    def compute_output_spec(self, inputs: Any) -> Any: ...
    def call(self, inputs: Any) -> Any: ...
    def get_config(self) -> Any: ...
    dims: Any
    input_spec: Any

class Pipeline(tf.keras.Layer):
    """Applies a series of layers to an input."""
    def __init__(self, layers: Any, name: Any = None) -> None: ...
    @property
    def layers(self) -> Any: ...
    def call(self, inputs: Any, training: Any = True, mask: Any = None) -> Any: ...
    @classmethod
    def from_config(cls, config: Any) -> Any: ...
    def get_config(self) -> Any: ...

class PReLU(tf.keras.Layer):
    """Parametric Rectified Linear Unit activation layer."""
    def __init__(
        self, alpha_initializer: Any = 'Zeros', alpha_regularizer: Any = None,
        alpha_constraint: Any = None, shared_axes: Any = None, **kwargs: Any,
    ) -> None: ...
    def build(self, input_shape: Any) -> Any: ...
    def call(self, inputs: Any) -> Any: ...
    def get_config(self) -> Any: ...
    def compute_output_shape(self, input_shape: Any) -> Any: ...
    supports_masking: Any
    alpha_initializer: Any
    alpha_regularizer: Any
    alpha_constraint: Any
    shared_axes: Any
    alpha: Any
    input_spec: Any

class RandAugment(tf.keras.Layer):
    """RandAugment performs the Rand Augment operation on input images."""
    def __init__(
        self, value_range: Any = ..., num_ops: Any = 2, factor: Any = 0.5,
        interpolation: Any = 'bilinear', seed: Any = None, data_format: Any = None, **kwargs: Any,
    ) -> None: ...
    def build(self, input_shape: Any) -> Any: ...
    def get_random_transformation(
        self, data: Any, training: Any = True, seed: Any = None,
    ) -> Any: ...
    def transform_images(
        self, images: Any, transformation: Any, training: Any = True,
    ) -> Any: ...
    def transform_labels(
        self, labels: Any, transformation: Any, training: Any = True,
    ) -> Any: ...
    def transform_bounding_boxes(
        self, bounding_boxes: Any, transformation: Any, training: Any = True,
    ) -> Any: ...
    def transform_segmentation_masks(
        self, segmentation_masks: Any, transformation: Any, training: Any = True,
    ) -> Any: ...
    def compute_output_shape(self, input_shape: Any) -> Any: ...
    def get_config(self) -> Any: ...
    def transform_single_image(
        self, image: Any, transformation: Any, training: Any = True,
    ) -> Any: ...
    def transform_single_label(
        self, label: Any, transformation: Any, training: Any = True,
    ) -> Any: ...
    def transform_single_bounding_box(
        self, bounding_box: Any, transformation: Any, training: Any = True,
    ) -> Any: ...
    def transform_single_segmentation_mask(
        self, segmentation_mask: Any, transformation: Any, training: Any = True,
    ) -> Any: ...
    def call(self, data: Any, training: Any = True) -> Any: ...
    def __call__(self, inputs: Any, **kwargs: Any) -> Any: ...
    def convert_weight(self, weight: Any) -> Any:
        """Convert the weight if it is from the a different backend."""
    value_range: Any
    num_ops: Any
    interpolation: Any
    seed: Any
    generator: Any
    random_shear: Any
    random_translation: Any
    random_rotation: Any
    random_brightness: Any
    random_color_degeneration: Any
    random_contrast: Any
    random_sharpness: Any
    solarization: Any
    random_posterization: Any
    auto_contrast: Any
    equalization: Any
    bounding_box_format: Any
    data_format: Any
    factor: Any
    backend: Any

class RandomBrightness(tf.keras.Layer):
    """A preprocessing layer which randomly adjusts brightness during training."""
    def __init__(
        self, factor: Any, value_range: Any = ..., seed: Any = None, **kwargs: Any,
    ) -> None: ...
    def get_random_transformation(
        self, data: Any, training: Any = True, seed: Any = None,
    ) -> Any: ...
    def transform_images(
        self, images: Any, transformation: Any, training: Any = True,
    ) -> Any: ...
    def transform_labels(
        self, labels: Any, transformation: Any, training: Any = True,
    ) -> Any: ...
    def transform_bounding_boxes(
        self, bounding_boxes: Any, transformation: Any, training: Any = True,
    ) -> Any: ...
    def transform_segmentation_masks(
        self, segmentation_masks: Any, transformation: Any, training: Any = True,
    ) -> Any: ...
    def compute_output_shape(self, input_shape: Any) -> Any: ...
    def get_config(self) -> Any: ...
    def transform_single_image(
        self, image: Any, transformation: Any, training: Any = True,
    ) -> Any: ...
    def transform_single_label(
        self, label: Any, transformation: Any, training: Any = True,
    ) -> Any: ...
    def transform_single_bounding_box(
        self, bounding_box: Any, transformation: Any, training: Any = True,
    ) -> Any: ...
    def transform_single_segmentation_mask(
        self, segmentation_mask: Any, transformation: Any, training: Any = True,
    ) -> Any: ...
    def call(self, data: Any, training: Any = True) -> Any: ...
    def __call__(self, inputs: Any, **kwargs: Any) -> Any: ...
    def convert_weight(self, weight: Any) -> Any:
        """Convert the weight if it is from the a different backend."""
    seed: Any
    generator: Any
    value_range: Any
    bounding_box_format: Any
    data_format: Any
    factor: Any
    backend: Any

class RandomColorDegeneration(tf.keras.Layer):
    """Randomly performs the color degeneration operation on given images."""
    def __init__(
        self, factor: Any, value_range: Any = ..., data_format: Any = None, seed: Any = None,
        **kwargs: Any,
    ) -> None: ...
    def get_random_transformation(
        self, data: Any, training: Any = True, seed: Any = None,
    ) -> Any: ...
    def transform_images(
        self, images: Any, transformation: Any = None, training: Any = True,
    ) -> Any: ...
    def transform_labels(
        self, labels: Any, transformation: Any, training: Any = True,
    ) -> Any: ...
    def transform_segmentation_masks(
        self, segmentation_masks: Any, transformation: Any, training: Any = True,
    ) -> Any: ...
    def transform_bounding_boxes(
        self, bounding_boxes: Any, transformation: Any, training: Any = True,
    ) -> Any: ...
    def get_config(self) -> Any: ...
    def compute_output_shape(self, input_shape: Any) -> Any: ...
    def transform_single_image(
        self, image: Any, transformation: Any, training: Any = True,
    ) -> Any: ...
    def transform_single_label(
        self, label: Any, transformation: Any, training: Any = True,
    ) -> Any: ...
    def transform_single_bounding_box(
        self, bounding_box: Any, transformation: Any, training: Any = True,
    ) -> Any: ...
    def transform_single_segmentation_mask(
        self, segmentation_mask: Any, transformation: Any, training: Any = True,
    ) -> Any: ...
    def call(self, data: Any, training: Any = True) -> Any: ...
    def __call__(self, inputs: Any, **kwargs: Any) -> Any: ...
    def convert_weight(self, weight: Any) -> Any:
        """Convert the weight if it is from the a different backend."""
    seed: Any
    generator: Any
    value_range: Any
    bounding_box_format: Any
    data_format: Any
    factor: Any
    backend: Any

class RandomColorJitter(tf.keras.Layer):
    """RandomColorJitter class randomly apply brightness, contrast, saturation"""
    def __init__(
        self, value_range: Any = ..., brightness_factor: Any = None, contrast_factor: Any = None,
        saturation_factor: Any = None, hue_factor: Any = None, seed: Any = None,
        data_format: Any = None, **kwargs: Any,
    ) -> None: ...
    def build(self, input_shape: Any) -> Any: ...
    def transform_images(
        self, images: Any, transformation: Any, training: Any = True,
    ) -> Any: ...
    def transform_labels(
        self, labels: Any, transformation: Any, training: Any = True,
    ) -> Any: ...
    def transform_bounding_boxes(
        self, bounding_boxes: Any, transformation: Any, training: Any = True,
    ) -> Any: ...
    def transform_segmentation_masks(
        self, segmentation_masks: Any, transformation: Any, training: Any = True,
    ) -> Any: ...
    def compute_output_shape(self, input_shape: Any) -> Any: ...
    def get_config(self) -> Any: ...
    def get_random_transformation(
        self, data: Any, training: Any = True, seed: Any = None,
    ) -> Any: ...
    def transform_single_image(
        self, image: Any, transformation: Any, training: Any = True,
    ) -> Any: ...
    def transform_single_label(
        self, label: Any, transformation: Any, training: Any = True,
    ) -> Any: ...
    def transform_single_bounding_box(
        self, bounding_box: Any, transformation: Any, training: Any = True,
    ) -> Any: ...
    def transform_single_segmentation_mask(
        self, segmentation_mask: Any, transformation: Any, training: Any = True,
    ) -> Any: ...
    def call(self, data: Any, training: Any = True) -> Any: ...
    def __call__(self, inputs: Any, **kwargs: Any) -> Any: ...
    def convert_weight(self, weight: Any) -> Any:
        """Convert the weight if it is from the a different backend."""
    value_range: Any
    brightness_factor: Any
    contrast_factor: Any
    saturation_factor: Any
    hue_factor: Any
    seed: Any
    generator: Any
    random_brightness: Any
    random_contrast: Any
    random_saturation: Any
    random_hue: Any
    bounding_box_format: Any
    data_format: Any
    factor: Any
    backend: Any

class RandomContrast(tf.keras.Layer):
    """A preprocessing layer which randomly adjusts contrast during training."""
    def __init__(
        self, factor: Any, value_range: Any = ..., seed: Any = None, **kwargs: Any,
    ) -> None: ...
    def get_random_transformation(
        self, data: Any, training: Any = True, seed: Any = None,
    ) -> Any: ...
    def transform_images(
        self, images: Any, transformation: Any, training: Any = True,
    ) -> Any: ...
    def transform_labels(
        self, labels: Any, transformation: Any, training: Any = True,
    ) -> Any: ...
    def transform_bounding_boxes(
        self, bounding_boxes: Any, transformation: Any, training: Any = True,
    ) -> Any: ...
    def transform_segmentation_masks(
        self, segmentation_masks: Any, transformation: Any, training: Any = True,
    ) -> Any: ...
    def compute_output_shape(self, input_shape: Any) -> Any: ...
    def get_config(self) -> Any: ...
    def transform_single_image(
        self, image: Any, transformation: Any, training: Any = True,
    ) -> Any: ...
    def transform_single_label(
        self, label: Any, transformation: Any, training: Any = True,
    ) -> Any: ...
    def transform_single_bounding_box(
        self, bounding_box: Any, transformation: Any, training: Any = True,
    ) -> Any: ...
    def transform_single_segmentation_mask(
        self, segmentation_mask: Any, transformation: Any, training: Any = True,
    ) -> Any: ...
    def call(self, data: Any, training: Any = True) -> Any: ...
    def __call__(self, inputs: Any, **kwargs: Any) -> Any: ...
    def convert_weight(self, weight: Any) -> Any:
        """Convert the weight if it is from the a different backend."""
    value_range: Any
    seed: Any
    generator: Any
    bounding_box_format: Any
    data_format: Any
    factor: Any
    backend: Any

class RandomCrop(tf.keras.Layer):
    """A preprocessing layer which randomly crops images during training."""
    def __init__(
        self, height: Any, width: Any, seed: Any = None, data_format: Any = None, name: Any = None,
        **kwargs: Any,
    ) -> None: ...
    def get_random_transformation(
        self, data: Any, training: Any = True, seed: Any = None,
    ) -> Any: ...
    def transform_images(
        self, images: Any, transformation: Any, training: Any = True,
    ) -> Any: ...
    def transform_labels(
        self, labels: Any, transformation: Any, training: Any = True,
    ) -> Any: ...
    def transform_bounding_boxes(
        self, bounding_boxes: Any, transformation: Any, training: Any = True,
    ) -> Any:
        """bounding_boxes = {"""
    def transform_segmentation_masks(
        self, segmentation_masks: Any, transformation: Any, training: Any = True,
    ) -> Any: ...
    def compute_output_shape(self, input_shape: Any, *args: Any, **kwargs: Any) -> Any: ...
    def get_config(self) -> Any: ...
    def transform_single_image(
        self, image: Any, transformation: Any, training: Any = True,
    ) -> Any: ...
    def transform_single_label(
        self, label: Any, transformation: Any, training: Any = True,
    ) -> Any: ...
    def transform_single_bounding_box(
        self, bounding_box: Any, transformation: Any, training: Any = True,
    ) -> Any: ...
    def transform_single_segmentation_mask(
        self, segmentation_mask: Any, transformation: Any, training: Any = True,
    ) -> Any: ...
    def call(self, data: Any, training: Any = True) -> Any: ...
    def __call__(self, inputs: Any, **kwargs: Any) -> Any: ...
    def convert_weight(self, weight: Any) -> Any:
        """Convert the weight if it is from the a different backend."""
    height: Any
    width: Any
    seed: Any
    generator: Any
    data_format: Any
    supports_masking: Any
    supports_jit: Any
    height_axis: Any
    width_axis: Any
    bounding_box_format: Any
    factor: Any
    backend: Any

class RandomElasticTransform(tf.keras.Layer):
    """A preprocessing layer that applies random elastic transformations."""
    def __init__(
        self, factor: Any = 1.0, scale: Any = 1.0, interpolation: Any = 'bilinear',
        fill_mode: Any = 'reflect', fill_value: Any = 0.0, value_range: Any = ..., seed: Any = None,
        data_format: Any = None, **kwargs: Any,
    ) -> None: ...
    def get_random_transformation(
        self, data: Any, training: Any = True, seed: Any = None,
    ) -> Any: ...
    def get_elastic_transform_params(self, height: Any, width: Any, factor: Any) -> Any: ...
    def transform_labels(
        self, labels: Any, transformation: Any, training: Any = True,
    ) -> Any: ...
    def compute_output_shape(self, input_shape: Any) -> Any: ...
    def get_config(self) -> Any: ...
    def transform_images(
        self, images: Any, transformation: Any, training: Any = True,
    ) -> Any: ...
    def transform_bounding_boxes(
        self, bounding_boxes: Any, transformation: Any, training: Any = True,
    ) -> Any: ...
    def transform_segmentation_masks(
        self, segmentation_masks: Any, transformation: Any, training: Any = True,
    ) -> Any: ...
    def transform_single_image(
        self, image: Any, transformation: Any, training: Any = True,
    ) -> Any: ...
    def transform_single_label(
        self, label: Any, transformation: Any, training: Any = True,
    ) -> Any: ...
    def transform_single_bounding_box(
        self, bounding_box: Any, transformation: Any, training: Any = True,
    ) -> Any: ...
    def transform_single_segmentation_mask(
        self, segmentation_mask: Any, transformation: Any, training: Any = True,
    ) -> Any: ...
    def call(self, data: Any, training: Any = True) -> Any: ...
    def __call__(self, inputs: Any, **kwargs: Any) -> Any: ...
    def convert_weight(self, weight: Any) -> Any:
        """Convert the weight if it is from the a different backend."""
    scale: Any
    interpolation: Any
    fill_mode: Any
    fill_value: Any
    value_range: Any
    seed: Any
    generator: Any
    height_axis: Any
    width_axis: Any
    channel_axis: Any
    bounding_box_format: Any
    data_format: Any
    factor: Any
    backend: Any

class RandomErasing(tf.keras.Layer):
    """Random Erasing data augmentation technique."""
    def __init__(
        self, factor: Any = 1.0, scale: Any = ..., fill_value: Any = None, value_range: Any = ...,
        seed: Any = None, data_format: Any = None, **kwargs: Any,
    ) -> None: ...
    def get_random_transformation(
        self, data: Any, training: Any = True, seed: Any = None,
    ) -> Any: ...
    def transform_images(
        self, images: Any, transformation: Any = None, training: Any = True,
    ) -> Any: ...
    def transform_labels(
        self, labels: Any, transformation: Any, training: Any = True,
    ) -> Any: ...
    def transform_bounding_boxes(
        self, bounding_boxes: Any, transformation: Any, training: Any = True,
    ) -> Any: ...
    def transform_segmentation_masks(
        self, segmentation_masks: Any, transformation: Any, training: Any = True,
    ) -> Any: ...
    def compute_output_shape(self, input_shape: Any) -> Any: ...
    def get_config(self) -> Any: ...
    def transform_single_image(
        self, image: Any, transformation: Any, training: Any = True,
    ) -> Any: ...
    def transform_single_label(
        self, label: Any, transformation: Any, training: Any = True,
    ) -> Any: ...
    def transform_single_bounding_box(
        self, bounding_box: Any, transformation: Any, training: Any = True,
    ) -> Any: ...
    def transform_single_segmentation_mask(
        self, segmentation_mask: Any, transformation: Any, training: Any = True,
    ) -> Any: ...
    def call(self, data: Any, training: Any = True) -> Any: ...
    def __call__(self, inputs: Any, **kwargs: Any) -> Any: ...
    def convert_weight(self, weight: Any) -> Any:
        """Convert the weight if it is from the a different backend."""
    scale: Any
    fill_value: Any
    value_range: Any
    seed: Any
    generator: Any
    height_axis: Any
    width_axis: Any
    channel_axis: Any
    bounding_box_format: Any
    data_format: Any
    factor: Any
    backend: Any

class RandomFlip(tf.keras.Layer):
    """A preprocessing layer which randomly flips images during training."""
    def __init__(
        self, mode: Any = ..., seed: Any = None, data_format: Any = None, **kwargs: Any,
    ) -> None: ...
    def get_random_transformation(
        self, data: Any, training: Any = True, seed: Any = None,
    ) -> Any: ...
    def transform_images(
        self, images: Any, transformation: Any, training: Any = True,
    ) -> Any: ...
    def transform_labels(
        self, labels: Any, transformation: Any, training: Any = True,
    ) -> Any: ...
    def transform_bounding_boxes(
        self, bounding_boxes: Any, transformation: Any, training: Any = True,
    ) -> Any: ...
    def transform_segmentation_masks(
        self, segmentation_masks: Any, transformation: Any, training: Any = True,
    ) -> Any: ...
    def compute_output_shape(self, input_shape: Any) -> Any: ...
    def get_config(self) -> Any: ...
    def transform_single_image(
        self, image: Any, transformation: Any, training: Any = True,
    ) -> Any: ...
    def transform_single_label(
        self, label: Any, transformation: Any, training: Any = True,
    ) -> Any: ...
    def transform_single_bounding_box(
        self, bounding_box: Any, transformation: Any, training: Any = True,
    ) -> Any: ...
    def transform_single_segmentation_mask(
        self, segmentation_mask: Any, transformation: Any, training: Any = True,
    ) -> Any: ...
    def call(self, data: Any, training: Any = True) -> Any: ...
    def __call__(self, inputs: Any, **kwargs: Any) -> Any: ...
    def convert_weight(self, weight: Any) -> Any:
        """Convert the weight if it is from the a different backend."""
    seed: Any
    generator: Any
    mode: Any
    bounding_box_format: Any
    data_format: Any
    factor: Any
    backend: Any

class RandomGaussianBlur(tf.keras.Layer):
    """Applies random Gaussian blur to images for data augmentation."""
    def __init__(
        self, factor: Any = 1.0, kernel_size: Any = 3, sigma: Any = 1.0, value_range: Any = ...,
        data_format: Any = None, seed: Any = None, **kwargs: Any,
    ) -> None: ...
    def get_random_transformation(
        self, data: Any, training: Any = True, seed: Any = None,
    ) -> Any: ...
    def transform_images(
        self, images: Any, transformation: Any = None, training: Any = True,
    ) -> Any: ...
    def transform_labels(
        self, labels: Any, transformation: Any, training: Any = True,
    ) -> Any: ...
    def transform_segmentation_masks(
        self, segmentation_masks: Any, transformation: Any, training: Any = True,
    ) -> Any: ...
    def transform_bounding_boxes(
        self, bounding_boxes: Any, transformation: Any, training: Any = True,
    ) -> Any: ...
    def compute_output_shape(self, input_shape: Any) -> Any: ...
    def get_config(self) -> Any: ...
    def transform_single_image(
        self, image: Any, transformation: Any, training: Any = True,
    ) -> Any: ...
    def transform_single_label(
        self, label: Any, transformation: Any, training: Any = True,
    ) -> Any: ...
    def transform_single_bounding_box(
        self, bounding_box: Any, transformation: Any, training: Any = True,
    ) -> Any: ...
    def transform_single_segmentation_mask(
        self, segmentation_mask: Any, transformation: Any, training: Any = True,
    ) -> Any: ...
    def call(self, data: Any, training: Any = True) -> Any: ...
    def __call__(self, inputs: Any, **kwargs: Any) -> Any: ...
    def convert_weight(self, weight: Any) -> Any:
        """Convert the weight if it is from the a different backend."""
    kernel_size: Any
    sigma: Any
    value_range: Any
    seed: Any
    generator: Any
    bounding_box_format: Any
    data_format: Any
    factor: Any
    backend: Any

class RandomGrayscale(tf.keras.Layer):
    """Preprocessing layer for random conversion of RGB images to grayscale."""
    def __init__(
        self, factor: Any = 0.5, data_format: Any = None, seed: Any = None, **kwargs: Any,
    ) -> None: ...
    def get_random_transformation(
        self, images: Any, training: Any = True, seed: Any = None,
    ) -> Any: ...
    def transform_images(
        self, images: Any, transformation: Any, training: Any = True,
    ) -> Any: ...
    def compute_output_shape(self, input_shape: Any) -> Any: ...
    def compute_output_spec(self, inputs: Any, **kwargs: Any) -> Any: ...
    def transform_bounding_boxes(self, bounding_boxes: Any, **kwargs: Any) -> Any: ...
    def transform_labels(
        self, labels: Any, transformations: Any = None, **kwargs: Any,
    ) -> Any: ...
    def transform_segmentation_masks(
        self, segmentation_masks: Any, transformations: Any = None, **kwargs: Any,
    ) -> Any: ...
    def get_config(self) -> Any: ...
    def transform_single_image(
        self, image: Any, transformation: Any, training: Any = True,
    ) -> Any: ...
    def transform_single_label(
        self, label: Any, transformation: Any, training: Any = True,
    ) -> Any: ...
    def transform_single_bounding_box(
        self, bounding_box: Any, transformation: Any, training: Any = True,
    ) -> Any: ...
    def transform_single_segmentation_mask(
        self, segmentation_mask: Any, transformation: Any, training: Any = True,
    ) -> Any: ...
    def call(self, data: Any, training: Any = True) -> Any: ...
    def __call__(self, inputs: Any, **kwargs: Any) -> Any: ...
    def convert_weight(self, weight: Any) -> Any:
        """Convert the weight if it is from the a different backend."""
    factor: Any
    data_format: Any
    seed: Any
    generator: Any
    bounding_box_format: Any
    backend: Any

class RandomHeight(tf.keras.Layer):
    """DEPRECATED."""
    def __init__(
        self, factor: Any, interpolation: Any = 'bilinear', seed: Any = None, **kwargs: Any,
    ) -> None: ...
    def call(self, inputs: Any, training: Any = True) -> Any: ...
    def compute_output_shape(self, input_shape: Any) -> Any: ...
    def get_config(self) -> Any: ...
    seed_generator: Any
    factor: Any
    interpolation: Any
    seed: Any
    height_lower: Any
    height_upper: Any

class RandomHue(tf.keras.Layer):
    """Randomly adjusts the hue on given images."""
    def __init__(
        self, factor: Any, value_range: Any = ..., data_format: Any = None, seed: Any = None,
        **kwargs: Any,
    ) -> None: ...
    def get_random_transformation(
        self, data: Any, training: Any = True, seed: Any = None,
    ) -> Any: ...
    def transform_images(
        self, images: Any, transformation: Any = None, training: Any = True,
    ) -> Any: ...
    def transform_labels(
        self, labels: Any, transformation: Any, training: Any = True,
    ) -> Any: ...
    def transform_segmentation_masks(
        self, segmentation_masks: Any, transformation: Any, training: Any = True,
    ) -> Any: ...
    def transform_bounding_boxes(
        self, bounding_boxes: Any, transformation: Any, training: Any = True,
    ) -> Any: ...
    def get_config(self) -> Any: ...
    def compute_output_shape(self, input_shape: Any) -> Any: ...
    def transform_single_image(
        self, image: Any, transformation: Any, training: Any = True,
    ) -> Any: ...
    def transform_single_label(
        self, label: Any, transformation: Any, training: Any = True,
    ) -> Any: ...
    def transform_single_bounding_box(
        self, bounding_box: Any, transformation: Any, training: Any = True,
    ) -> Any: ...
    def transform_single_segmentation_mask(
        self, segmentation_mask: Any, transformation: Any, training: Any = True,
    ) -> Any: ...
    def call(self, data: Any, training: Any = True) -> Any: ...
    def __call__(self, inputs: Any, **kwargs: Any) -> Any: ...
    def convert_weight(self, weight: Any) -> Any:
        """Convert the weight if it is from the a different backend."""
    value_range: Any
    seed: Any
    generator: Any
    bounding_box_format: Any
    data_format: Any
    factor: Any
    backend: Any

class RandomInvert(tf.keras.Layer):
    """Preprocessing layer for random inversion of image colors."""
    def __init__(
        self, factor: Any = 1.0, value_range: Any = ..., seed: Any = None, data_format: Any = None,
        **kwargs: Any,
    ) -> None: ...
    def get_random_transformation(
        self, data: Any, training: Any = True, seed: Any = None,
    ) -> Any: ...
    def transform_images(
        self, images: Any, transformation: Any, training: Any = True,
    ) -> Any: ...
    def transform_labels(
        self, labels: Any, transformation: Any, training: Any = True,
    ) -> Any: ...
    def transform_bounding_boxes(
        self, bounding_boxes: Any, transformation: Any, training: Any = True,
    ) -> Any: ...
    def transform_segmentation_masks(
        self, segmentation_masks: Any, transformation: Any, training: Any = True,
    ) -> Any: ...
    def compute_output_shape(self, input_shape: Any) -> Any: ...
    def get_config(self) -> Any: ...
    def transform_single_image(
        self, image: Any, transformation: Any, training: Any = True,
    ) -> Any: ...
    def transform_single_label(
        self, label: Any, transformation: Any, training: Any = True,
    ) -> Any: ...
    def transform_single_bounding_box(
        self, bounding_box: Any, transformation: Any, training: Any = True,
    ) -> Any: ...
    def transform_single_segmentation_mask(
        self, segmentation_mask: Any, transformation: Any, training: Any = True,
    ) -> Any: ...
    def call(self, data: Any, training: Any = True) -> Any: ...
    def __call__(self, inputs: Any, **kwargs: Any) -> Any: ...
    def convert_weight(self, weight: Any) -> Any:
        """Convert the weight if it is from the a different backend."""
    value_range: Any
    seed: Any
    generator: Any
    bounding_box_format: Any
    data_format: Any
    factor: Any
    backend: Any

class RandomPerspective(tf.keras.Layer):
    """A preprocessing layer that applies random perspective transformations."""
    def __init__(
        self, factor: Any = 1.0, scale: Any = 1.0, interpolation: Any = 'bilinear',
        fill_value: Any = 0.0, seed: Any = None, data_format: Any = None, **kwargs: Any,
    ) -> None: ...
    def get_random_transformation(
        self, data: Any, training: Any = True, seed: Any = None,
    ) -> Any: ...
    def transform_bounding_boxes(
        self, bounding_boxes: Any, transformation: Any, training: Any = True,
    ) -> Any: ...
    def transform_labels(
        self, labels: Any, transformation: Any, training: Any = True,
    ) -> Any: ...
    def compute_output_shape(self, input_shape: Any) -> Any: ...
    def get_config(self) -> Any: ...
    def transform_images(
        self, images: Any, transformation: Any, training: Any = True,
    ) -> Any: ...
    def transform_segmentation_masks(
        self, segmentation_masks: Any, transformation: Any, training: Any = True,
    ) -> Any: ...
    def transform_single_image(
        self, image: Any, transformation: Any, training: Any = True,
    ) -> Any: ...
    def transform_single_label(
        self, label: Any, transformation: Any, training: Any = True,
    ) -> Any: ...
    def transform_single_bounding_box(
        self, bounding_box: Any, transformation: Any, training: Any = True,
    ) -> Any: ...
    def transform_single_segmentation_mask(
        self, segmentation_mask: Any, transformation: Any, training: Any = True,
    ) -> Any: ...
    def call(self, data: Any, training: Any = True) -> Any: ...
    def __call__(self, inputs: Any, **kwargs: Any) -> Any: ...
    def convert_weight(self, weight: Any) -> Any:
        """Convert the weight if it is from the a different backend."""
    scale: Any
    fill_value: Any
    interpolation: Any
    seed: Any
    generator: Any
    supports_jit: Any
    height_axis: Any
    width_axis: Any
    channel_axis: Any
    bounding_box_format: Any
    data_format: Any
    factor: Any
    backend: Any

class RandomPosterization(tf.keras.Layer):
    """Reduces the number of bits for each color channel."""
    def __init__(
        self, factor: Any, value_range: Any = ..., data_format: Any = None, seed: Any = None,
        **kwargs: Any,
    ) -> None: ...
    def get_random_transformation(
        self, data: Any, training: Any = True, seed: Any = None,
    ) -> Any: ...
    def transform_images(
        self, images: Any, transformation: Any = None, training: Any = True,
    ) -> Any: ...
    def transform_labels(
        self, labels: Any, transformation: Any, training: Any = True,
    ) -> Any: ...
    def transform_segmentation_masks(
        self, segmentation_masks: Any, transformation: Any, training: Any = True,
    ) -> Any: ...
    def transform_bounding_boxes(
        self, bounding_boxes: Any, transformation: Any, training: Any = True,
    ) -> Any: ...
    def get_config(self) -> Any: ...
    def compute_output_shape(self, input_shape: Any) -> Any: ...
    def transform_single_image(
        self, image: Any, transformation: Any, training: Any = True,
    ) -> Any: ...
    def transform_single_label(
        self, label: Any, transformation: Any, training: Any = True,
    ) -> Any: ...
    def transform_single_bounding_box(
        self, bounding_box: Any, transformation: Any, training: Any = True,
    ) -> Any: ...
    def transform_single_segmentation_mask(
        self, segmentation_mask: Any, transformation: Any, training: Any = True,
    ) -> Any: ...
    def call(self, data: Any, training: Any = True) -> Any: ...
    def __call__(self, inputs: Any, **kwargs: Any) -> Any: ...
    def convert_weight(self, weight: Any) -> Any:
        """Convert the weight if it is from the a different backend."""
    seed: Any
    generator: Any
    value_range: Any
    bounding_box_format: Any
    data_format: Any
    factor: Any
    backend: Any

class RandomRotation(tf.keras.Layer):
    """A preprocessing layer which randomly rotates images during training."""
    def __init__(
        self, factor: Any, fill_mode: Any = 'reflect', interpolation: Any = 'bilinear',
        seed: Any = None, fill_value: Any = 0.0, data_format: Any = None, **kwargs: Any,
    ) -> None: ...
    def transform_labels(
        self, labels: Any, transformation: Any, training: Any = True,
    ) -> Any: ...
    def transform_bounding_boxes(
        self, bounding_boxes: Any, transformation: Any, training: Any = True,
    ) -> Any: ...
    def get_random_transformation(
        self, data: Any, training: Any = True, seed: Any = None,
    ) -> Any: ...
    def compute_output_shape(self, input_shape: Any) -> Any: ...
    def get_config(self) -> Any: ...
    def transform_images(
        self, images: Any, transformation: Any, training: Any = True,
    ) -> Any: ...
    def transform_segmentation_masks(
        self, segmentation_masks: Any, transformation: Any, training: Any = True,
    ) -> Any: ...
    def transform_single_image(
        self, image: Any, transformation: Any, training: Any = True,
    ) -> Any: ...
    def transform_single_label(
        self, label: Any, transformation: Any, training: Any = True,
    ) -> Any: ...
    def transform_single_bounding_box(
        self, bounding_box: Any, transformation: Any, training: Any = True,
    ) -> Any: ...
    def transform_single_segmentation_mask(
        self, segmentation_mask: Any, transformation: Any, training: Any = True,
    ) -> Any: ...
    def call(self, data: Any, training: Any = True) -> Any: ...
    def __call__(self, inputs: Any, **kwargs: Any) -> Any: ...
    def convert_weight(self, weight: Any) -> Any:
        """Convert the weight if it is from the a different backend."""
    seed: Any
    generator: Any
    fill_mode: Any
    interpolation: Any
    fill_value: Any
    supports_jit: Any
    bounding_box_format: Any
    data_format: Any
    factor: Any
    backend: Any

class RandomSaturation(tf.keras.Layer):
    """Randomly adjusts the saturation on given images."""
    def __init__(
        self, factor: Any, value_range: Any = ..., data_format: Any = None, seed: Any = None,
        **kwargs: Any,
    ) -> None: ...
    def get_random_transformation(
        self, data: Any, training: Any = True, seed: Any = None,
    ) -> Any: ...
    def transform_images(
        self, images: Any, transformation: Any = None, training: Any = True,
    ) -> Any: ...
    def transform_labels(
        self, labels: Any, transformation: Any, training: Any = True,
    ) -> Any: ...
    def transform_segmentation_masks(
        self, segmentation_masks: Any, transformation: Any, training: Any = True,
    ) -> Any: ...
    def transform_bounding_boxes(
        self, bounding_boxes: Any, transformation: Any, training: Any = True,
    ) -> Any: ...
    def get_config(self) -> Any: ...
    def compute_output_shape(self, input_shape: Any) -> Any: ...
    def transform_single_image(
        self, image: Any, transformation: Any, training: Any = True,
    ) -> Any: ...
    def transform_single_label(
        self, label: Any, transformation: Any, training: Any = True,
    ) -> Any: ...
    def transform_single_bounding_box(
        self, bounding_box: Any, transformation: Any, training: Any = True,
    ) -> Any: ...
    def transform_single_segmentation_mask(
        self, segmentation_mask: Any, transformation: Any, training: Any = True,
    ) -> Any: ...
    def call(self, data: Any, training: Any = True) -> Any: ...
    def __call__(self, inputs: Any, **kwargs: Any) -> Any: ...
    def convert_weight(self, weight: Any) -> Any:
        """Convert the weight if it is from the a different backend."""
    seed: Any
    generator: Any
    value_range: Any
    bounding_box_format: Any
    data_format: Any
    factor: Any
    backend: Any

class RandomSharpness(tf.keras.Layer):
    """Randomly performs the sharpness operation on given images."""
    def __init__(
        self, factor: Any, value_range: Any = ..., data_format: Any = None, seed: Any = None,
        **kwargs: Any,
    ) -> None: ...
    def get_random_transformation(
        self, data: Any, training: Any = True, seed: Any = None,
    ) -> Any: ...
    def transform_images(
        self, images: Any, transformation: Any = None, training: Any = True,
    ) -> Any: ...
    def transform_labels(
        self, labels: Any, transformation: Any, training: Any = True,
    ) -> Any: ...
    def transform_segmentation_masks(
        self, segmentation_masks: Any, transformation: Any, training: Any = True,
    ) -> Any: ...
    def transform_bounding_boxes(
        self, bounding_boxes: Any, transformation: Any, training: Any = True,
    ) -> Any: ...
    def get_config(self) -> Any: ...
    def compute_output_shape(self, input_shape: Any) -> Any: ...
    def transform_single_image(
        self, image: Any, transformation: Any, training: Any = True,
    ) -> Any: ...
    def transform_single_label(
        self, label: Any, transformation: Any, training: Any = True,
    ) -> Any: ...
    def transform_single_bounding_box(
        self, bounding_box: Any, transformation: Any, training: Any = True,
    ) -> Any: ...
    def transform_single_segmentation_mask(
        self, segmentation_mask: Any, transformation: Any, training: Any = True,
    ) -> Any: ...
    def call(self, data: Any, training: Any = True) -> Any: ...
    def __call__(self, inputs: Any, **kwargs: Any) -> Any: ...
    def convert_weight(self, weight: Any) -> Any:
        """Convert the weight if it is from the a different backend."""
    seed: Any
    generator: Any
    value_range: Any
    bounding_box_format: Any
    data_format: Any
    factor: Any
    backend: Any

class RandomShear(tf.keras.Layer):
    """A preprocessing layer that randomly applies shear transformations to"""
    def __init__(
        self, x_factor: Any = 0.0, y_factor: Any = 0.0, interpolation: Any = 'bilinear',
        fill_mode: Any = 'reflect', fill_value: Any = 0.0, data_format: Any = None,
        seed: Any = None, **kwargs: Any,
    ) -> None: ...
    def get_random_transformation(
        self, data: Any, training: Any = True, seed: Any = None,
    ) -> Any: ...
    def transform_labels(
        self, labels: Any, transformation: Any, training: Any = True,
    ) -> Any: ...
    def get_transformed_x_y(self, x: Any, y: Any, transform: Any) -> Any: ...
    def get_shifted_bbox(
        self, bounding_boxes: Any, w_shift_factor: Any, h_shift_factor: Any,
    ) -> Any: ...
    def transform_bounding_boxes(
        self, bounding_boxes: Any, transformation: Any, training: Any = True,
    ) -> Any: ...
    def get_config(self) -> Any: ...
    def compute_output_shape(self, input_shape: Any) -> Any: ...
    def transform_images(
        self, images: Any, transformation: Any, training: Any = True,
    ) -> Any: ...
    def transform_segmentation_masks(
        self, segmentation_masks: Any, transformation: Any, training: Any = True,
    ) -> Any: ...
    def transform_single_image(
        self, image: Any, transformation: Any, training: Any = True,
    ) -> Any: ...
    def transform_single_label(
        self, label: Any, transformation: Any, training: Any = True,
    ) -> Any: ...
    def transform_single_bounding_box(
        self, bounding_box: Any, transformation: Any, training: Any = True,
    ) -> Any: ...
    def transform_single_segmentation_mask(
        self, segmentation_mask: Any, transformation: Any, training: Any = True,
    ) -> Any: ...
    def call(self, data: Any, training: Any = True) -> Any: ...
    def __call__(self, inputs: Any, **kwargs: Any) -> Any: ...
    def convert_weight(self, weight: Any) -> Any:
        """Convert the weight if it is from the a different backend."""
    x_factor: Any
    y_factor: Any
    fill_mode: Any
    fill_value: Any
    interpolation: Any
    seed: Any
    generator: Any
    supports_jit: Any
    bounding_box_format: Any
    data_format: Any
    factor: Any
    backend: Any

class RandomTranslation(tf.keras.Layer):
    """A preprocessing layer which randomly translates images during training."""
    def __init__(
        self, height_factor: Any, width_factor: Any, fill_mode: Any = 'reflect',
        interpolation: Any = 'bilinear', seed: Any = None, fill_value: Any = 0.0,
        data_format: Any = None, **kwargs: Any,
    ) -> None: ...
    def transform_labels(
        self, labels: Any, transformation: Any, training: Any = True,
    ) -> Any: ...
    def get_transformed_x_y(self, x: Any, y: Any, transform: Any) -> Any: ...
    def get_shifted_bbox(
        self, bounding_boxes: Any, w_shift_factor: Any, h_shift_factor: Any,
    ) -> Any: ...
    def transform_bounding_boxes(
        self, bounding_boxes: Any, transformation: Any, training: Any = True,
    ) -> Any: ...
    def get_random_transformation(
        self, data: Any, training: Any = True, seed: Any = None,
    ) -> Any: ...
    def compute_output_shape(self, input_shape: Any) -> Any: ...
    def get_config(self) -> Any: ...
    def transform_images(
        self, images: Any, transformation: Any, training: Any = True,
    ) -> Any: ...
    def transform_segmentation_masks(
        self, segmentation_masks: Any, transformation: Any, training: Any = True,
    ) -> Any: ...
    def transform_single_image(
        self, image: Any, transformation: Any, training: Any = True,
    ) -> Any: ...
    def transform_single_label(
        self, label: Any, transformation: Any, training: Any = True,
    ) -> Any: ...
    def transform_single_bounding_box(
        self, bounding_box: Any, transformation: Any, training: Any = True,
    ) -> Any: ...
    def transform_single_segmentation_mask(
        self, segmentation_mask: Any, transformation: Any, training: Any = True,
    ) -> Any: ...
    def call(self, data: Any, training: Any = True) -> Any: ...
    def __call__(self, inputs: Any, **kwargs: Any) -> Any: ...
    def convert_weight(self, weight: Any) -> Any:
        """Convert the weight if it is from the a different backend."""
    height_factor: Any
    width_factor: Any
    fill_mode: Any
    fill_value: Any
    interpolation: Any
    seed: Any
    generator: Any
    supports_jit: Any
    height_lower: Any
    height_upper: Any
    width_lower: Any
    width_upper: Any
    bounding_box_format: Any
    data_format: Any
    factor: Any
    backend: Any

class RandomWidth(tf.keras.Layer):
    """DEPRECATED."""
    def __init__(
        self, factor: Any, interpolation: Any = 'bilinear', seed: Any = None, **kwargs: Any,
    ) -> None: ...
    def call(self, inputs: Any, training: Any = True) -> Any: ...
    def compute_output_shape(self, input_shape: Any) -> Any: ...
    def get_config(self) -> Any: ...
    seed_generator: Any
    factor: Any
    interpolation: Any
    seed: Any
    width_lower: Any
    width_upper: Any

class RandomZoom(tf.keras.Layer):
    """A preprocessing layer which randomly zooms images during training."""
    def __init__(
        self, height_factor: Any, width_factor: Any = None, fill_mode: Any = 'reflect',
        interpolation: Any = 'bilinear', seed: Any = None, fill_value: Any = 0.0,
        data_format: Any = None, **kwargs: Any,
    ) -> None: ...
    def transform_labels(
        self, labels: Any, transformation: Any, training: Any = True,
    ) -> Any: ...
    def get_transformed_x_y(self, x: Any, y: Any, transform: Any) -> Any: ...
    def get_clipped_bbox(
        self, bounding_boxes: Any, h_end: Any, h_start: Any, w_end: Any, w_start: Any,
    ) -> Any: ...
    def transform_bounding_boxes(
        self, bounding_boxes: Any, transformation: Any, training: Any = True,
    ) -> Any: ...
    def get_random_transformation(
        self, data: Any, training: Any = True, seed: Any = None,
    ) -> Any: ...
    def compute_output_shape(self, input_shape: Any) -> Any: ...
    def get_config(self) -> Any: ...
    def transform_images(
        self, images: Any, transformation: Any, training: Any = True,
    ) -> Any: ...
    def transform_segmentation_masks(
        self, segmentation_masks: Any, transformation: Any, training: Any = True,
    ) -> Any: ...
    def transform_single_image(
        self, image: Any, transformation: Any, training: Any = True,
    ) -> Any: ...
    def transform_single_label(
        self, label: Any, transformation: Any, training: Any = True,
    ) -> Any: ...
    def transform_single_bounding_box(
        self, bounding_box: Any, transformation: Any, training: Any = True,
    ) -> Any: ...
    def transform_single_segmentation_mask(
        self, segmentation_mask: Any, transformation: Any, training: Any = True,
    ) -> Any: ...
    def call(self, data: Any, training: Any = True) -> Any: ...
    def __call__(self, inputs: Any, **kwargs: Any) -> Any: ...
    def convert_weight(self, weight: Any) -> Any:
        """Convert the weight if it is from the a different backend."""
    height_factor: Any
    width_factor: Any
    fill_mode: Any
    fill_value: Any
    interpolation: Any
    seed: Any
    generator: Any
    data_format: Any
    supports_jit: Any
    height_lower: Any
    height_upper: Any
    width_lower: Any
    width_upper: Any
    bounding_box_format: Any
    factor: Any
    backend: Any

class ReLU(tf.keras.Layer):
    """Rectified Linear Unit activation function layer."""
    def __init__(
        self, max_value: Any = None, negative_slope: Any = 0.0, threshold: Any = 0.0, **kwargs: Any,
    ) -> None: ...
    def call(self, inputs: Any) -> Any: ...
    def get_config(self) -> Any: ...
    def compute_output_shape(self, input_shape: Any) -> Any: ...
    max_value: Any
    negative_slope: Any
    threshold: Any
    supports_masking: Any

class RepeatVector(tf.keras.Layer):
    """Repeats the input n times."""
    def __init__(self, n: Any, **kwargs: Any) -> None: ...
    def compute_output_shape(self, input_shape: Any) -> Any: ...
    def call(self, inputs: Any) -> Any: ...
    def get_config(self) -> Any: ...
    n: Any
    input_spec: Any

class Rescaling(tf.keras.Layer):
    """A preprocessing layer which rescales input values to a new range."""
    def __init__(self, scale: Any, offset: Any = 0.0, **kwargs: Any) -> None: ...
    def call(self, inputs: Any) -> Any: ...
    def compute_output_shape(self, input_shape: Any) -> Any: ...
    def get_config(self) -> Any: ...
    @classmethod
    def from_config(cls, config: Any, custom_objects: Any = None) -> Any: ...
    def __call__(self, inputs: Any, **kwargs: Any) -> Any: ...
    def convert_weight(self, weight: Any) -> Any:
        """Convert the weight if it is from the a different backend."""
    scale: Any
    offset: Any
    supports_masking: Any
    backend: Any

class Reshape(tf.keras.Layer):
    """Layer that reshapes inputs into the given shape."""
    def __init__(self, target_shape: Any, **kwargs: Any) -> None: ...
    def compute_output_shape(self, input_shape: Any) -> Any: ...
    def compute_output_spec(self, inputs: Any) -> Any: ...
    def call(self, inputs: Any) -> Any: ...
    def get_config(self) -> Any: ...
    target_shape: Any
    built: Any

class Resizing(tf.keras.Layer):
    """A preprocessing layer which resizes images."""
    def __init__(
        self, height: Any, width: Any, interpolation: Any = 'bilinear',
        crop_to_aspect_ratio: Any = False, pad_to_aspect_ratio: Any = False,
        fill_mode: Any = 'constant', fill_value: Any = 0.0, antialias: Any = False,
        data_format: Any = None, **kwargs: Any,
    ) -> None: ...
    def transform_images(
        self, images: Any, transformation: Any = None, training: Any = True,
    ) -> Any: ...
    def transform_segmentation_masks(
        self, segmentation_masks: Any, transformation: Any = None, training: Any = True,
    ) -> Any: ...
    def transform_labels(
        self, labels: Any, transformation: Any = None, training: Any = True,
    ) -> Any: ...
    def get_random_transformation(
        self, data: Any, training: Any = True, seed: Any = None,
    ) -> Any: ...
    def transform_bounding_boxes(
        self, bounding_boxes: Any, transformation: Any, training: Any = True,
    ) -> Any: ...
    def compute_output_shape(self, input_shape: Any) -> Any: ...
    def get_config(self) -> Any: ...
    def transform_single_image(
        self, image: Any, transformation: Any, training: Any = True,
    ) -> Any: ...
    def transform_single_label(
        self, label: Any, transformation: Any, training: Any = True,
    ) -> Any: ...
    def transform_single_bounding_box(
        self, bounding_box: Any, transformation: Any, training: Any = True,
    ) -> Any: ...
    def transform_single_segmentation_mask(
        self, segmentation_mask: Any, transformation: Any, training: Any = True,
    ) -> Any: ...
    def call(self, data: Any, training: Any = True) -> Any: ...
    def __call__(self, inputs: Any, **kwargs: Any) -> Any: ...
    def convert_weight(self, weight: Any) -> Any:
        """Convert the weight if it is from the a different backend."""
    height: Any
    width: Any
    interpolation: Any
    data_format: Any
    crop_to_aspect_ratio: Any
    pad_to_aspect_ratio: Any
    fill_mode: Any
    fill_value: Any
    antialias: Any
    height_axis: Any
    width_axis: Any
    bounding_box_format: Any
    factor: Any
    backend: Any

class ReversibleEmbedding(tf.keras.layers.Embedding):
    """An embedding layer which can project backwards to the input dim."""
    def __init__(
        self, input_dim: Any, output_dim: Any, tie_weights: Any = True,
        embeddings_initializer: Any = 'uniform', embeddings_regularizer: Any = None,
        embeddings_constraint: Any = None, mask_zero: Any = False, reverse_dtype: Any = None,
        logit_soft_cap: Any = None, **kwargs: Any,
    ) -> None: ...
    def build(self, input_shape: Any = None) -> Any: ...
    def call(self, inputs: Any, reverse: Any = False) -> Any: ...
    def compute_mask(self, inputs: Any, mask: Any = None) -> Any: ...
    def compute_output_shape(self, input_shape: Any, reverse: Any = False) -> Any: ...
    def compute_output_spec(self, inputs: Any, reverse: Any = False) -> Any: ...
    def get_config(self) -> Any: ...
    @property
    def variable_serialization_spec(self) -> Any: ...
    def quantized_build(self, embeddings_shape: Any, mode: Any, config: Any = None) -> Any: ...
    def quantize(self, mode: Any = None, type_check: Any = True, config: Any = None) -> Any: ...
    tie_weights: Any
    reverse_dtype: Any
    logit_soft_cap: Any
    reverse_embeddings: Any
    inputs_quantizer: Any
    reverse_embeddings_scale: Any
    reverse_embeddings_zero: Any
    quantization_config: Any
    dtype_policy: Any

class RMSNormalization(tf.keras.Layer):
    """Root Mean Square (RMS) Normalization layer."""
    def __init__(self, axis: Any = -1, epsilon: Any = 1e-06, **kwargs: Any) -> None: ...
    def build(self, input_shape: Any) -> Any: ...
    def call(self, x: Any) -> Any:
        """Applies RMS normalization to the input tensor."""
    def compute_output_shape(self, input_shape: Any) -> Any: ...
    def get_config(self) -> Any: ...
    axis: Any
    epsilon: Any
    scale: Any
    built: Any

class RNN(tf.keras.Layer):
    """Base class for recurrent layers."""
    def __init__(
        self, cell: Any, return_sequences: Any = False, return_state: Any = False,
        go_backwards: Any = False, stateful: Any = False, unroll: Any = False,
        zero_output_for_mask: Any = False, **kwargs: Any,
    ) -> None: ...
    def compute_output_shape(
        self, sequences_shape: Any, initial_state_shape: Any = None,
    ) -> Any: ...
    def compute_mask(self, _: Any, mask: Any) -> Any: ...
    def build(self, sequences_shape: Any, initial_state_shape: Any = None) -> Any: ...
    def get_initial_state(self, batch_size: Any) -> Any: ...
    def reset_states(self) -> Any: ...
    def reset_state(self) -> Any: ...
    def inner_loop(
        self, sequences: Any, initial_state: Any, mask: Any, training: Any = False,
    ) -> Any: ...
    def call(
        self, sequences: Any, initial_state: Any = None, mask: Any = None, training: Any = False,
    ) -> Any: ...
    def get_config(self) -> Any: ...
    @classmethod
    def from_config(cls, config: Any, custom_objects: Any = None) -> Any: ...
    zero_output_for_mask: Any
    cell: Any
    return_sequences: Any
    return_state: Any
    go_backwards: Any
    stateful: Any
    unroll: Any
    supports_masking: Any
    input_spec: Any
    states: Any
    state_size: Any
    single_state: Any

class SeparableConv1D(tf.keras.Layer):
    """1D separable convolution layer."""
    def __init__(
        self, filters: Any, kernel_size: Any, strides: Any = 1, padding: Any = 'valid',
        data_format: Any = None, dilation_rate: Any = 1, depth_multiplier: Any = 1,
        activation: Any = None, use_bias: Any = True, depthwise_initializer: Any = 'glorot_uniform',
        pointwise_initializer: Any = 'glorot_uniform', bias_initializer: Any = 'zeros',
        depthwise_regularizer: Any = None, pointwise_regularizer: Any = None,
        bias_regularizer: Any = None, activity_regularizer: Any = None,
        depthwise_constraint: Any = None, pointwise_constraint: Any = None,
        bias_constraint: Any = None, **kwargs: Any,
    ) -> None: ...
    def build(self, input_shape: Any) -> Any: ...
    def call(self, inputs: Any) -> Any: ...
    def compute_output_shape(self, input_shape: Any) -> Any: ...
    def get_config(self) -> Any: ...
    rank: Any
    depth_multiplier: Any
    filters: Any
    kernel_size: Any
    strides: Any
    dilation_rate: Any
    padding: Any
    data_format: Any
    activation: Any
    use_bias: Any
    depthwise_initializer: Any
    pointwise_initializer: Any
    bias_initializer: Any
    depthwise_regularizer: Any
    pointwise_regularizer: Any
    bias_regularizer: Any
    depthwise_constraint: Any
    pointwise_constraint: Any
    bias_constraint: Any
    input_spec: Any
    depthwise_kernel: Any
    pointwise_kernel: Any
    bias: Any

class SeparableConv2D(tf.keras.Layer):
    """2D separable convolution layer."""
    def __init__(
        self, filters: Any, kernel_size: Any, strides: Any = ..., padding: Any = 'valid',
        data_format: Any = None, dilation_rate: Any = ..., depth_multiplier: Any = 1,
        activation: Any = None, use_bias: Any = True, depthwise_initializer: Any = 'glorot_uniform',
        pointwise_initializer: Any = 'glorot_uniform', bias_initializer: Any = 'zeros',
        depthwise_regularizer: Any = None, pointwise_regularizer: Any = None,
        bias_regularizer: Any = None, activity_regularizer: Any = None,
        depthwise_constraint: Any = None, pointwise_constraint: Any = None,
        bias_constraint: Any = None, **kwargs: Any,
    ) -> None: ...
    def build(self, input_shape: Any) -> Any: ...
    def call(self, inputs: Any) -> Any: ...
    def compute_output_shape(self, input_shape: Any) -> Any: ...
    def get_config(self) -> Any: ...
    rank: Any
    depth_multiplier: Any
    filters: Any
    kernel_size: Any
    strides: Any
    dilation_rate: Any
    padding: Any
    data_format: Any
    activation: Any
    use_bias: Any
    depthwise_initializer: Any
    pointwise_initializer: Any
    bias_initializer: Any
    depthwise_regularizer: Any
    pointwise_regularizer: Any
    bias_regularizer: Any
    depthwise_constraint: Any
    pointwise_constraint: Any
    bias_constraint: Any
    input_spec: Any
    depthwise_kernel: Any
    pointwise_kernel: Any
    bias: Any

def serialize(layer: Any) -> Any:
    """Returns the layer configuration as a Python dict."""

class SimpleRNN(tf.keras.layers.RNN):
    """Fully-connected RNN where the output is to be fed back as the new input."""
    def __init__(
        self, units: Any, activation: Any = 'tanh', use_bias: Any = True,
        kernel_initializer: Any = 'glorot_uniform', recurrent_initializer: Any = 'orthogonal',
        bias_initializer: Any = 'zeros', kernel_regularizer: Any = None,
        recurrent_regularizer: Any = None, bias_regularizer: Any = None,
        activity_regularizer: Any = None, kernel_constraint: Any = None,
        recurrent_constraint: Any = None, bias_constraint: Any = None, dropout: Any = 0.0,
        recurrent_dropout: Any = 0.0, return_sequences: Any = False, return_state: Any = False,
        go_backwards: Any = False, stateful: Any = False, unroll: Any = False, seed: Any = None,
        **kwargs: Any,
    ) -> None: ...
    def call(
        self, sequences: Any, initial_state: Any = None, mask: Any = None, training: Any = False,
    ) -> Any: ...
    @property
    def units(self) -> Any: ...
    @property
    def activation(self) -> Any: ...
    @property
    def use_bias(self) -> Any: ...
    @property
    def kernel_initializer(self) -> Any: ...
    @property
    def recurrent_initializer(self) -> Any: ...
    @property
    def bias_initializer(self) -> Any: ...
    @property
    def kernel_regularizer(self) -> Any: ...
    @property
    def recurrent_regularizer(self) -> Any: ...
    @property
    def bias_regularizer(self) -> Any: ...
    @property
    def kernel_constraint(self) -> Any: ...
    @property
    def recurrent_constraint(self) -> Any: ...
    @property
    def bias_constraint(self) -> Any: ...
    @property
    def dropout(self) -> Any: ...
    @property
    def recurrent_dropout(self) -> Any: ...
    def get_config(self) -> Any: ...
    @classmethod
    def from_config(cls, config: Any) -> Any: ...
    input_spec: Any

class SimpleRNNCell(tf.keras.Layer):
    """Cell class for SimpleRNN."""
    def __init__(
        self, units: Any, activation: Any = 'tanh', use_bias: Any = True,
        kernel_initializer: Any = 'glorot_uniform', recurrent_initializer: Any = 'orthogonal',
        bias_initializer: Any = 'zeros', kernel_regularizer: Any = None,
        recurrent_regularizer: Any = None, bias_regularizer: Any = None,
        kernel_constraint: Any = None, recurrent_constraint: Any = None,
        bias_constraint: Any = None, dropout: Any = 0.0, recurrent_dropout: Any = 0.0,
        seed: Any = None, **kwargs: Any,
    ) -> None: ...
    def build(self, input_shape: Any) -> Any: ...
    def call(self, sequence: Any, states: Any, training: Any = False) -> Any: ...
    def get_initial_state(self, batch_size: Any = None) -> Any: ...
    def get_config(self) -> Any: ...
    def get_dropout_mask(self, step_input: Any) -> Any: ...
    def get_recurrent_dropout_mask(self, step_input: Any) -> Any: ...
    def reset_dropout_mask(self) -> Any:
        """Reset the cached dropout mask if any."""
    def reset_recurrent_dropout_mask(self) -> Any: ...
    seed: Any
    seed_generator: Any
    units: Any
    activation: Any
    use_bias: Any
    kernel_initializer: Any
    recurrent_initializer: Any
    bias_initializer: Any
    kernel_regularizer: Any
    recurrent_regularizer: Any
    bias_regularizer: Any
    kernel_constraint: Any
    recurrent_constraint: Any
    bias_constraint: Any
    dropout: Any
    recurrent_dropout: Any
    state_size: Any
    output_size: Any
    kernel: Any
    recurrent_kernel: Any
    bias: Any

class Softmax(tf.keras.Layer):
    """Softmax activation layer."""
    def __init__(self, axis: Any = -1, **kwargs: Any) -> None: ...
    def call(self, inputs: Any, mask: Any = None) -> Any: ...
    def get_config(self) -> Any: ...
    def compute_output_shape(self, input_shape: Any) -> Any: ...
    axis: Any
    supports_masking: Any

class Solarization(tf.keras.Layer):
    """Applies `(max_value - pixel + min_value)` for each pixel in the image."""
    def __init__(
        self, addition_factor: Any = 0.0, threshold_factor: Any = 0.0, value_range: Any = ...,
        seed: Any = None, **kwargs: Any,
    ) -> None: ...
    def get_random_transformation(
        self, data: Any, training: Any = True, seed: Any = None,
    ) -> Any: ...
    def transform_images(
        self, images: Any, transformation: Any, training: Any = True,
    ) -> Any: ...
    def transform_labels(
        self, labels: Any, transformation: Any, training: Any = True,
    ) -> Any: ...
    def transform_bounding_boxes(
        self, bounding_boxes: Any, transformation: Any, training: Any = True,
    ) -> Any: ...
    def transform_segmentation_masks(
        self, segmentation_masks: Any, transformation: Any, training: Any = True,
    ) -> Any: ...
    def get_config(self) -> Any: ...
    def compute_output_shape(self, input_shape: Any) -> Any: ...
    def transform_single_image(
        self, image: Any, transformation: Any, training: Any = True,
    ) -> Any: ...
    def transform_single_label(
        self, label: Any, transformation: Any, training: Any = True,
    ) -> Any: ...
    def transform_single_bounding_box(
        self, bounding_box: Any, transformation: Any, training: Any = True,
    ) -> Any: ...
    def transform_single_segmentation_mask(
        self, segmentation_mask: Any, transformation: Any, training: Any = True,
    ) -> Any: ...
    def call(self, data: Any, training: Any = True) -> Any: ...
    def __call__(self, inputs: Any, **kwargs: Any) -> Any: ...
    def convert_weight(self, weight: Any) -> Any:
        """Convert the weight if it is from the a different backend."""
    seed: Any
    generator: Any
    addition_factor: Any
    threshold_factor: Any
    value_range: Any
    bounding_box_format: Any
    data_format: Any
    factor: Any
    backend: Any

class SpatialDropout1D(tf.keras.layers.Dropout):
    """Spatial 1D version of Dropout."""
    def __init__(
        self, rate: Any, seed: Any = None, name: Any = None, dtype: Any = None,
    ) -> None: ...
    def call(self, inputs: Any, training: Any = False) -> Any: ...
    def get_config(self) -> Any: ...
    input_spec: Any

class SpatialDropout2D(tf.keras.layers.Dropout):
    """Spatial 2D version of Dropout."""
    def __init__(
        self, rate: Any, data_format: Any = None, seed: Any = None, name: Any = None,
        dtype: Any = None,
    ) -> None: ...
    def get_config(self) -> Any: ...
    def call(self, inputs: Any, training: Any = False) -> Any: ...
    data_format: Any
    input_spec: Any

class SpatialDropout3D(tf.keras.layers.Dropout):
    """Spatial 3D version of Dropout."""
    def __init__(
        self, rate: Any, data_format: Any = None, seed: Any = None, name: Any = None,
        dtype: Any = None,
    ) -> None: ...
    def get_config(self) -> Any: ...
    def call(self, inputs: Any, training: Any = False) -> Any: ...
    data_format: Any
    input_spec: Any

class SpectralNormalization(tf.keras.layers.Wrapper):
    """Performs spectral normalization on the weights of a target layer."""
    def __init__(self, layer: Any, power_iterations: Any = 1, **kwargs: Any) -> None: ...
    def build(self, input_shape: Any) -> Any: ...
    def call(self, inputs: Any, training: Any = False) -> Any: ...
    def compute_output_shape(self, input_shape: Any) -> Any: ...
    def normalized_weights(self) -> Any:
        """Generate spectral normalized weights."""
    def get_config(self) -> Any: ...
    power_iterations: Any
    input_spec: Any
    kernel_shape: Any
    vector_u: Any
    kernel: Any

class StackedRNNCells(tf.keras.Layer):
    """Wrapper allowing a stack of RNN cells to behave as a single cell."""
    def __init__(self, cells: Any, **kwargs: Any) -> None: ...
    @property
    def state_size(self) -> Any: ...
    @property
    def output_size(self) -> Any: ...
    def get_initial_state(self, batch_size: Any = None) -> Any: ...
    def call(self, inputs: Any, states: Any, training: Any = False, **kwargs: Any) -> Any: ...
    def build(self, input_shape: Any) -> Any: ...
    def get_config(self) -> Any: ...
    @classmethod
    def from_config(cls, config: Any, custom_objects: Any = None) -> Any: ...
    cells: Any

class STFTSpectrogram(tf.keras.Layer):
    """Layer to compute the Short-Time Fourier Transform (STFT) on a 1D signal."""
    def __init__(
        self, mode: Any = 'log', frame_length: Any = 256, frame_step: Any = None,
        fft_length: Any = None, window: Any = 'hann', periodic: Any = False,
        scaling: Any = 'density', padding: Any = 'valid', expand_dims: Any = False,
        data_format: Any = None, **kwargs: Any,
    ) -> None: ...
    def build(self, input_shape: Any) -> Any: ...
    def call(self, inputs: Any) -> Any: ...
    def compute_output_shape(self, input_shape: Any) -> Any: ...
    def get_config(self) -> Any: ...
    mode: Any
    frame_length: Any
    frame_step: Any
    fft_length: Any
    window: Any
    periodic: Any
    scaling: Any
    padding: Any
    expand_dims: Any
    data_format: Any
    input_spec: Any
    real_kernel: Any
    imag_kernel: Any

class StringLookup(tf.keras.Layer):
    """A preprocessing layer that maps strings to (possibly encoded) indices."""
    def __init__(
        self, max_tokens: Any = None, num_oov_indices: Any = 1, mask_token: Any = None,
        oov_token: Any = '[UNK]', vocabulary: Any = None, idf_weights: Any = None,
        invert: Any = False, output_mode: Any = 'int', pad_to_max_tokens: Any = False,
        sparse: Any = False, encoding: Any = 'utf-8', name: Any = None, salt: Any = None,
        **kwargs: Any,
    ) -> None: ...
    def adapt(self, data: Any, steps: Any = None) -> Any:
        """Computes a vocabulary of terms from tokens in a dataset."""
    def get_config(self) -> Any: ...
    def call(self, inputs: Any) -> Any: ...
    def get_vocabulary(self, include_special_tokens: Any = True) -> Any:
        """Returns the current vocabulary of the layer."""
    def vocabulary_size(self) -> Any:
        """Gets the current size of the layer's vocabulary."""
    def set_vocabulary(self, vocabulary: Any, idf_weights: Any = None) -> Any:
        """Sets vocabulary (and optionally document frequency) for this layer."""
    def get_build_config(self) -> Any: ...
    def build_from_config(self, config: Any) -> Any: ...
    @property
    def compute_dtype(self) -> Any: ...
    @property
    def variable_dtype(self) -> Any: ...
    def compute_output_shape(self, input_shape: Any) -> Any: ...
    def compute_output_spec(self, inputs: Any) -> Any: ...
    def update_state(self, data: Any) -> Any: ...
    def finalize_state(self) -> Any: ...
    def reset_state(self) -> Any: ...
    def save_own_variables(self, store: Any) -> Any: ...
    def load_own_variables(self, store: Any) -> Any: ...
    def save_assets(self, dir_path: Any) -> Any: ...
    def load_assets(self, dir_path: Any) -> Any: ...
    encoding: Any
    supports_jit: Any
    invert: Any
    max_tokens: Any
    num_oov_indices: Any
    mask_token: Any
    oov_token: Any
    output_mode: Any
    sparse: Any
    pad_to_max_tokens: Any
    vocabulary_dtype: Any
    oov_method: Any
    salt: Any
    input_vocabulary: Any
    input_idf_weights: Any
    lookup_table: Any
    token_counts: Any
    idf_weights: Any
    idf_weights_const: Any
    token_document_counts: Any
    num_documents: Any

class Subtract(tf.keras.Layer):
    """Performs elementwise subtraction."""
    def build(self, input_shape: Any) -> Any: ...
    def __init__(self, **kwargs: Any) -> None: ...
    def call(self, inputs: Any) -> Any: ...
    def compute_output_shape(self, input_shape: Any) -> Any: ...
    def compute_output_spec(self, inputs: Any) -> Any: ...
    def compute_mask(self, inputs: Any, mask: Any = None) -> Any: ...
    def get_config(self) -> Any: ...
    supports_masking: Any

def subtract(inputs: Any, **kwargs: Any) -> Any:
    """Functional interface to the `keras.layers.Subtract` layer."""

class TextVectorization(tf.keras.Layer):
    """A preprocessing layer which maps text features to integer sequences."""
    def __init__(
        self, max_tokens: Any = None, standardize: Any = ..., split: Any = 'whitespace',
        ngrams: Any = None, output_mode: Any = 'int', output_sequence_length: Any = None,
        pad_to_max_tokens: Any = False, vocabulary: Any = None, idf_weights: Any = None,
        sparse: Any = False, ragged: Any = False, encoding: Any = 'utf-8', name: Any = None,
        **kwargs: Any,
    ) -> None: ...
    @property
    def compute_dtype(self) -> Any: ...
    @property
    def variable_dtype(self) -> Any: ...
    def build(self, input_shape: Any = None) -> Any: ...
    def compute_output_shape(self, input_shape: Any) -> Any: ...
    def compute_output_spec(self, inputs: Any) -> Any: ...
    def adapt(self, data: Any, batch_size: Any = None, steps: Any = None) -> Any:
        """Computes a vocabulary of string terms from tokens in a dataset."""
    def update_state(self, data: Any) -> Any: ...
    def finalize_state(self) -> Any: ...
    def reset_state(self) -> Any: ...
    def get_vocabulary(self, include_special_tokens: Any = True) -> Any:
        """Returns the current vocabulary of the layer."""
    def vocabulary_size(self) -> Any:
        """Gets the current size of the layer's vocabulary."""
    def get_config(self) -> Any: ...
    @classmethod
    def from_config(cls, config: Any) -> Any: ...
    def set_vocabulary(self, vocabulary: Any, idf_weights: Any = None) -> Any:
        """Sets vocabulary (and optionally document frequency) for this layer."""
    def call(self, inputs: Any) -> Any: ...
    def save_own_variables(self, store: Any) -> Any: ...
    def load_own_variables(self, store: Any) -> Any: ...
    def save_assets(self, dir_path: Any) -> Any: ...
    def load_assets(self, dir_path: Any) -> Any: ...
    supports_jit: Any

class TFSMLayer(tf.keras.Layer):
    """Reload a Keras model/layer that was saved via SavedModel / ExportArchive."""
    def __init__(
        self, filepath: Any, call_endpoint: Any = 'serve', call_training_endpoint: Any = None,
        trainable: Any = True, name: Any = None, dtype: Any = None,
    ) -> None: ...
    def call(self, inputs: Any, training: Any = False, **kwargs: Any) -> Any: ...
    def get_config(self) -> Any: ...
    @classmethod
    def from_config(
        cls, config: Any, custom_objects: Any = None, safe_mode: Any = None,
    ) -> Any:
        """Creates a TFSMLayer from its config."""
    filepath: Any
    call_endpoint: Any
    call_training_endpoint: Any
    call_endpoint_fn: Any
    call_training_endpoint_fn: Any

class ThresholdedReLU(tf.keras.Layer):
    """DEPRECATED."""
    def __init__(self, theta: Any = 1.0, **kwargs: Any) -> None: ...
    def call(self, inputs: Any) -> Any: ...
    def get_config(self) -> Any: ...
    def compute_output_shape(self, input_shape: Any) -> Any: ...
    supports_masking: Any
    theta: Any

class TimeDistributed(tf.keras.layers.Wrapper):
    """This wrapper allows to apply a layer to every temporal slice of an input."""
    def __init__(self, layer: Any, **kwargs: Any) -> None: ...
    def compute_output_shape(self, input_shape: Any) -> Any: ...
    def build(self, input_shape: Any) -> Any: ...
    def call(self, inputs: Any, training: Any = None, mask: Any = None) -> Any: ...
    supports_masking: Any

class TorchModuleWrapper(tf.keras.Layer):
    """Torch module wrapper layer."""
    def __init__(
        self, module: Any, name: Any = None, output_shape: Any = None, **kwargs: Any,
    ) -> None: ...
    def parameters(self, recurse: Any = True) -> Any: ...
    def call(self, *args: Any, training: Any = None, **kwargs: Any) -> Any: ...
    def save_own_variables(self, store: Any) -> Any:
        """Saves model's state from `state_dict`."""
    def load_own_variables(self, store: Any) -> Any:
        """Loads model's state via `state_dict`."""
    def compute_output_shape(self, input_shape: Any) -> Any: ...
    def get_config(self) -> Any: ...
    @classmethod
    def from_config(
        cls, config: Any, custom_objects: Any = None, safe_mode: Any = None,
    ) -> Any: ...
    module: Any
    output_shape: Any
    built: Any

class UnitNormalization(tf.keras.Layer):
    """Unit normalization layer."""
    def __init__(self, axis: Any = -1, **kwargs: Any) -> None: ...
    def call(self, inputs: Any) -> Any: ...
    def compute_output_shape(self, input_shape: Any) -> Any: ...
    def get_config(self) -> Any: ...
    supports_masking: Any
    axis: Any

class UpSampling1D(tf.keras.Layer):
    """Upsampling layer for 1D inputs."""
    def __init__(self, size: Any = 2, **kwargs: Any) -> None: ...
    def compute_output_shape(self, input_shape: Any) -> Any: ...
    def call(self, inputs: Any) -> Any: ...
    def get_config(self) -> Any: ...
    size: Any
    input_spec: Any

class UpSampling2D(tf.keras.Layer):
    """Upsampling layer for 2D inputs."""
    def __init__(
        self, size: Any = ..., data_format: Any = None, interpolation: Any = 'nearest',
        **kwargs: Any,
    ) -> None: ...
    def compute_output_shape(self, input_shape: Any) -> Any: ...
    def call(self, inputs: Any) -> Any: ...
    def get_config(self) -> Any: ...
    data_format: Any
    size: Any
    interpolation: Any
    input_spec: Any

class UpSampling3D(tf.keras.Layer):
    """Upsampling layer for 3D inputs."""
    def __init__(self, size: Any = ..., data_format: Any = None, **kwargs: Any) -> None: ...
    def compute_output_shape(self, input_shape: Any) -> Any: ...
    def call(self, inputs: Any) -> Any: ...
    def get_config(self) -> Any: ...
    data_format: Any
    size: Any
    input_spec: Any

class Wrapper(tf.keras.Layer):
    """Abstract wrapper base class."""
    def __init__(self, layer: Any, **kwargs: Any) -> None: ...
    def build(self, input_shape: Any = None) -> Any: ...
    def get_config(self) -> Any: ...
    @classmethod
    def from_config(cls, config: Any, custom_objects: Any = None) -> Any: ...
    layer: Any

class ZeroPadding1D(tf.keras.Layer):
    """Zero-padding layer for 1D input (e.g. temporal sequence)."""
    def __init__(self, padding: Any = 1, data_format: Any = None, **kwargs: Any) -> None: ...
    def compute_output_shape(self, input_shape: Any) -> Any: ...
    def call(self, inputs: Any) -> Any: ...
    def get_config(self) -> Any: ...
    data_format: Any
    padding: Any
    input_spec: Any

class ZeroPadding2D(tf.keras.Layer):
    """Zero-padding layer for 2D input (e.g. picture)."""
    def __init__(self, padding: Any = ..., data_format: Any = None, **kwargs: Any) -> None: ...
    def compute_output_shape(self, input_shape: Any) -> Any: ...
    def call(self, inputs: Any) -> Any: ...
    def get_config(self) -> Any: ...
    data_format: Any
    input_spec: Any
    padding: Any

class ZeroPadding3D(tf.keras.Layer):
    """Zero-padding layer for 3D data (spatial or spatio-temporal)."""
    def __init__(self, padding: Any = ..., data_format: Any = None, **kwargs: Any) -> None: ...
    def compute_output_shape(self, input_shape: Any) -> Any: ...
    def call(self, inputs: Any) -> Any: ...
    def get_config(self) -> Any: ...
    data_format: Any
    input_spec: Any
    padding: Any

AvgPool1D = AveragePooling1D
AvgPool2D = AveragePooling2D
AvgPool3D = AveragePooling3D
Convolution1D = Conv1D
Convolution1DTranspose = Conv1DTranspose
Convolution2D = Conv2D
Convolution2DTranspose = Conv2DTranspose
Convolution3D = Conv3D
Convolution3DTranspose = Conv3DTranspose
GlobalAvgPool1D = GlobalAveragePooling1D
GlobalAvgPool2D = GlobalAveragePooling2D
GlobalAvgPool3D = GlobalAveragePooling3D
GlobalMaxPooling1D = GlobalMaxPool1D
GlobalMaxPooling2D = GlobalMaxPool2D
GlobalMaxPooling3D = GlobalMaxPool3D
MaxPooling1D = MaxPool1D
MaxPooling2D = MaxPool2D
MaxPooling3D = MaxPool3D
SeparableConvolution1D = SeparableConv1D
SeparableConvolution2D = SeparableConv2D
