# Written by tools/stubs.py (make stubs).
"""tf.keras.quantizers"""

from typing import Any

import tapeflow as tf
from tapeflow.keras import Quantizer as Quantizer

def compute_float8_amax_history(x: Any, amax_history: Any) -> Any: ...
def serialize(initializer: Any) -> Any: ...

def abs_max_quantize(
    inputs: Any, axis: Any, value_range: Any = ..., dtype: Any = 'int8', epsilon: Any = 1e-07,
    to_numpy: Any = False,
) -> Any:
    """Quantizes the input tensor using the absolute maximum quantization scheme."""

def abs_max_quantize_grouped_with_zero_point(
    inputs: Any, block_size: Any, value_range: Any = ..., dtype: Any = 'int8',
    epsilon: Any = 1e-07, to_numpy: Any = False,
) -> Any:
    """Quantizes a 2D tensor using grouped asymmetric quantization with"""

class AbsMaxQuantizer(tf.keras.Quantizer):
    def __init__(
        self, axis: Any = None, value_range: Any = ..., epsilon: Any = 1e-07,
        output_dtype: Any = 'int8',
    ) -> None: ...
    def __call__(self, x: Any, axis: Any = None, to_numpy: Any = False) -> Any:
        """Quantizes the input tensor."""
    def get_config(self) -> Any: ...
    value_range: Any
    epsilon: Any
    axis: Any

class AWQConfig(tf.keras.quantizers.QuantizationConfig):
    """Configuration class for AWQ (Activation-aware Weight Quantization)."""
    def __init__(
        self, dataset: Any, tokenizer: Any, *, weight_bits: Any = 4, num_samples: Any = 128,
        sequence_length: Any = 512, group_size: Any = 128, num_grid_points: Any = 20,
        quantization_layer_structure: Any = None,
    ) -> None: ...
    @property
    def mode(self) -> Any: ...
    def dtype_policy_string(self) -> Any:
        """Returns the dtype policy string for this configuration."""
    def get_config(self) -> Any: ...
    @classmethod
    def from_config(cls, config: Any) -> Any: ...
    dataset: Any
    tokenizer: Any
    weight_bits: Any
    num_samples: Any
    sequence_length: Any
    group_size: Any
    num_grid_points: Any
    quantization_layer_structure: Any

def deserialize(config: Any, custom_objects: Any = None) -> Any:
    """Return a Keras quantizer object via its config."""

def fake_quant_with_min_max_vars(
    inputs: Any, min_vals: Any, max_vals: Any, num_bits: Any = 8, narrow_range: Any = False,
    axis: Any = None,
) -> Any:
    """Perform per-tensor or per-channel fake quantization."""

class Float8QuantizationConfig(tf.keras.quantizers.QuantizationConfig):
    """FP8 quantization config."""
    def __init__(self) -> None: ...
    @property
    def mode(self) -> Any: ...
    def get_config(self) -> Any: ...
    @classmethod
    def from_config(cls, config: Any) -> Any: ...

def get(identifier: Any, **kwargs: Any) -> Any:
    """Retrieve a Keras quantizer object via an identifier."""

class GPTQConfig(tf.keras.quantizers.QuantizationConfig):
    """Configuration class for the GPTQ (Gradient-based Post-Training"""
    def __init__(
        self, dataset: Any, tokenizer: Any, *, weight_bits: Any = 4, num_samples: Any = 128,
        per_channel: Any = True, sequence_length: Any = 512, hessian_damping: Any = 0.01,
        group_size: Any = 128, symmetric: Any = False, activation_order: Any = False,
        quantization_layer_structure: Any = None,
    ) -> None: ...
    def get_config(self) -> Any: ...
    @classmethod
    def from_config(cls, config: Any) -> Any: ...
    @property
    def mode(self) -> Any: ...
    def dtype_policy_string(self) -> Any:
        """Returns the dtype policy string for this configuration."""
    dataset: Any
    tokenizer: Any
    num_samples: Any
    per_channel: Any
    sequence_length: Any
    hessian_damping: Any
    weight_bits: Any
    group_size: Any
    symmetric: Any
    activation_order: Any
    quantization_layer_structure: Any

class Int4QuantizationConfig(tf.keras.quantizers.QuantizationConfig):
    """Int4 quantization config."""
    def __init__(
        self, weight_quantizer: Any = None, activation_quantizer: Any = 'default',
        block_size: Any = 128,
    ) -> None: ...
    @property
    def mode(self) -> Any: ...
    def get_config(self) -> Any: ...
    @classmethod
    def from_config(cls, config: Any) -> Any: ...
    block_size: Any

class Int8QuantizationConfig(tf.keras.quantizers.QuantizationConfig):
    """Int8 quantization config."""
    def __init__(
        self, weight_quantizer: Any = None, activation_quantizer: Any = 'default',
    ) -> None: ...
    @property
    def mode(self) -> Any: ...

def pack_int4(arr: Any, axis: Any = 0, dtype: Any = 'int8') -> Any:
    """Pack an int4 tensor into an int8 tensor with packed nibbles."""

class QuantizationConfig:
    """Base class for quantization configs."""
    def __init__(
        self, weight_quantizer: Any = None, activation_quantizer: Any = None,
    ) -> None: ...
    @property
    def mode(self) -> Any: ...
    def get_config(self) -> Any: ...
    @classmethod
    def from_config(cls, config: Any) -> Any: ...
    @staticmethod
    def weight_quantizer_or_default(config: Any, default: Any) -> Any: ...
    @staticmethod
    def activation_quantizer_or_default(config: Any, default: Any) -> Any: ...
    weight_quantizer: Any
    activation_quantizer: Any

def quantize_and_dequantize(
    inputs: Any, scale: Any, quantized_dtype: Any, compute_dtype: Any,
) -> Any: ...

def unpack_int4(packed: Any, orig_len: Any, axis: Any = 0, dtype: Any = 'int8') -> Any:
    """Unpack a packed int4 back to an int8 tensor in the range [-8, 7]."""

def compute_float8_scale(amax: Any, scale: Any, dtype_max: Any, margin: Any = 0) -> Any: ...
