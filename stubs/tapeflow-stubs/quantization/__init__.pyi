# Written by tools/stubs.py (make stubs).
"""tf.quantization"""

from typing import Any

import tapeflow as tf
from tapeflow._typing import FloatLike, IntLike, TensorLike

def fake_quant_with_min_max_args(
    inputs: TensorLike, min: FloatLike = -6, max: FloatLike = 6, num_bits: IntLike = 8,
    narrow_range: bool = False, name: str | None = None,
) -> tf.Tensor:
    """The inputs rounded to a grid over [min, max]; gradients pass where they are inside."""

def fake_quant_with_min_max_args_gradient(
    gradients: Any, inputs: TensorLike, min: FloatLike = -6, max: FloatLike = 6,
    num_bits: IntLike = 8, narrow_range: bool = False, name: str | None = None,
) -> tf.Tensor:
    """What `fake_quant_with_min_max_args` makes of a gradient."""

def fake_quant_with_min_max_vars(
    inputs: TensorLike, min: Any, max: Any, num_bits: IntLike = 8, narrow_range: bool = False,
    name: str | None = None,
) -> tf.Tensor:
    """The same with a range that is trained too: scalars."""

def fake_quant_with_min_max_vars_gradient(
    gradients: Any, inputs: TensorLike, min: Any, max: Any, num_bits: IntLike = 8,
    narrow_range: bool = False, name: str | None = None,
) -> Any:
    """What `fake_quant_with_min_max_vars` makes of a gradient: for inputs, min and max."""

def fake_quant_with_min_max_vars_per_channel(
    inputs: TensorLike, min: Any, max: Any, num_bits: IntLike = 8, narrow_range: bool = False,
    name: str | None = None,
) -> tf.Tensor:
    """The same with a range for each channel, the last axis."""

def fake_quant_with_min_max_vars_per_channel_gradient(
    gradients: Any, inputs: TensorLike, min: Any, max: Any, num_bits: IntLike = 8,
    narrow_range: bool = False, name: str | None = None,
) -> Any:
    """What `fake_quant_with_min_max_vars_per_channel` makes of a gradient."""

def quantize_and_dequantize(
    input: TensorLike, input_min: Any, input_max: Any, signed_input: bool = True,
    num_bits: IntLike = 8, range_given: bool = False, round_mode: str = 'HALF_TO_EVEN',
    name: str | None = None, narrow_range: bool = False, axis: IntLike | None = None,
) -> tf.Tensor:
    """The input rounded to a grid over its own range or the one given, symmetric about 0."""

quantize_and_dequantize_v2 = quantize_and_dequantize
