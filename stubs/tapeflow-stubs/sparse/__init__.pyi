# Written by tools/stubs.py (make stubs).
"""tf.sparse"""

from collections.abc import Callable
from typing import Any, overload

import tapeflow as tf
from tapeflow import SparseTensor as SparseTensor
from tapeflow._typing import CompositeT, DenseLike, DTypeLike, IntLike, ShapeLike, TensorLike

@overload
def add(a: DenseLike, b: TensorLike, threshold: Any = 0) -> tf.Tensor:
    """The sum of two sparse tensors, or of a sparse and a dense one, which is dense."""
@overload
def add(a: CompositeT, b: TensorLike, threshold: Any = 0) -> CompositeT: ...

def bincount(
    values: TensorLike, weights: TensorLike | None = None, axis: IntLike | None = 0,
    minlength: IntLike | None = None, maxlength: IntLike | None = None,
    binary_output: bool = False, name: str | None = None,
) -> tf.SparseTensor:
    """How often each value occurs, in all (axis=0) or in each row (axis=-1)."""

def concat(
    axis: TensorLike, sp_inputs: Any, expand_nonconcat_dims: bool = False,
    name: str | None = None,
) -> tf.SparseTensor:
    """Sparse tensors end to end along `axis`; as in TensorFlow, without a gradient."""

def cross(
    inputs: TensorLike, name: str | None = None, separator: str | None = None,
) -> tf.SparseTensor:
    """Every combination of one string of each input, joined, for each row."""

def cross_hashed(
    inputs: TensorLike, num_buckets: IntLike = 0, hash_key: IntLike | None = None,
    name: str | None = None,
) -> tf.SparseTensor:
    """The hashes of every combination of one value of each input, for each row."""

def expand_dims(
    sp_input: TensorLike, axis: TensorLike | None = None, name: str | None = None,
) -> tf.SparseTensor:
    """A new axis of size 1, in front of `axis` (the last)."""

def eye(
    num_rows: Any, num_columns: Any = None, dtype: DTypeLike = tf.float32,
    name: str | None = None,
) -> tf.SparseTensor:
    """A sparse matrix with ones on its diagonal."""

def fill_empty_rows(
    sp_input: TensorLike, default_value: Any, name: str | None = None,
) -> tuple:
    """(the tensor with `default_value` in column 0 of every empty row, which rows were …"""

def from_dense(tensor: TensorLike, name: str | None = None) -> tf.SparseTensor:
    """The values of a dense tensor that are not zero."""

def map_values(op: Callable, *args: Any, **kwargs: Any) -> Any:
    """`op` of the values of the sparse arguments, which must have the same coordinates."""

def mask(
    a: tf.IndexedSlices, mask_indices: Any, name: str | None = None,
) -> tf.IndexedSlices:
    """IndexedSlices without the rows named in `mask_indices`."""

@overload
def maximum(sp_a: DenseLike, sp_b: TensorLike, name: str | None = None) -> tf.Tensor:
    """The maximum of two sparse tensors of one shape; missing values are 0."""
@overload
def maximum(sp_a: CompositeT, sp_b: TensorLike, name: str | None = None) -> CompositeT: ...

@overload
def minimum(sp_a: DenseLike, sp_b: TensorLike, name: str | None = None) -> tf.Tensor:
    """The minimum of two sparse tensors of one shape; missing values are 0."""
@overload
def minimum(sp_a: CompositeT, sp_b: TensorLike, name: str | None = None) -> CompositeT: ...

def reduce_max(
    sp_input: TensorLike, axis: TensorLike | None = None, keepdims: bool | None = None,
    output_is_sparse: bool = False, name: str | None = None,
) -> Any:
    """The largest stored value over axes; 0 where there is none."""

def reduce_sum(
    sp_input: TensorLike, axis: TensorLike | None = None, keepdims: bool | None = None,
    output_is_sparse: bool = False, name: str | None = None,
) -> Any:
    """Sums over axes, dense or sparse."""

def reorder(sp_input: TensorLike, name: str | None = None) -> tf.SparseTensor:
    """The same tensor with its values in row-major order."""

def reset_shape(sp_input: TensorLike, new_shape: Any = None) -> tf.SparseTensor:
    """The same values in a larger shape, or in the least that holds them."""

def reshape(
    sp_input: TensorLike, shape: ShapeLike, name: str | None = None,
) -> tf.SparseTensor:
    """The same values under another shape; one size may be -1."""

def retain(sp_input: TensorLike, to_retain: Any) -> tf.SparseTensor:
    """The values at which `to_retain` is true."""

def sampled_addmm(
    indices: TensorLike, values: TensorLike, dense_shape: ShapeLike, mat1: Any, mat2: Any,
    beta: Any = 1.0, alpha: Any = 1.0, output_type: DTypeLike = tf.float32,
) -> tuple:
    """beta * values + alpha * (mat1 @ mat2) at `indices` alone: (indices, values, …"""

def segment_mean(
    data: TensorLike, indices: TensorLike, segment_ids: TensorLike, num_segments: Any = None,
    name: str | None = None, sparse_gradient: bool = False,
) -> tf.Tensor:
    """Rows `indices` of `data`, reduced by mean over each run of equal `segment_ids`, …"""

def segment_sqrt_n(
    data: TensorLike, indices: TensorLike, segment_ids: TensorLike, num_segments: Any = None,
    name: str | None = None, sparse_gradient: bool = False,
) -> tf.Tensor:
    """Rows `indices` of `data`, reduced by sqrt_n over each run of equal `segment_ids`, …"""

def segment_sum(
    data: TensorLike, indices: TensorLike, segment_ids: TensorLike, num_segments: Any = None,
    name: str | None = None, sparse_gradient: bool = False,
) -> tf.Tensor:
    """Rows `indices` of `data`, reduced by sum over each run of equal `segment_ids`, …"""

def slice(
    sp_input: TensorLike, start: Any, size: Any, name: str | None = None,
) -> tf.SparseTensor:
    """What lies in the box that begins at `start`; its shape ends where the tensor's does."""

def softmax(sp_input: TensorLike, name: str | None = None) -> tf.SparseTensor:
    """Softmax over the stored values of each row of the last axis."""

def sparse_dense_matmul(
    sp_a: TensorLike, b: TensorLike, adjoint_a: bool = False, adjoint_b: bool = False,
    name: str | None = None,
) -> tf.Tensor:
    """The product of a sparse and a dense matrix, in either order."""

def split(
    sp_input: TensorLike | None = None, num_split: IntLike | None = None,
    axis: TensorLike | None = None, name: str | None = None,
) -> list:
    """`num_split` parts along `axis`; the first ones are one longer if they do not divide."""

def to_dense(
    sp_input: TensorLike, default_value: Any = None, validate_indices: bool = True,
    name: str | None = None,
) -> tf.Tensor:
    """The dense tensor, with `default_value` (zero) where nothing is stored."""

def to_indicator(
    sp_input: TensorLike, vocab_size: Any, name: str | None = None,
) -> tf.Tensor:
    """Booleans (…, vocab_size): true at the indices that are values of the last axis."""

def transpose(
    sp_input: TensorLike, perm: TensorLike | None = None, name: str | None = None,
) -> tf.SparseTensor:
    """The axes in another order, reversed by default; the result is in order."""
