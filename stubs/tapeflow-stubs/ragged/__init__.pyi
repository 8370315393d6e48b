# Written by tools/stubs.py (make stubs).
"""tf.ragged"""

from collections.abc import Callable
from typing import Any

import tapeflow as tf
from tapeflow._typing import DTypeLike, IntLike, ShapeLike, TensorLike

def boolean_mask(data: TensorLike, mask: TensorLike, name: str | None = None) -> Any:
    """What of `data` lies where `mask` is true, in the rows it lies in."""

def constant(
    pylist: Any, dtype: DTypeLike | None = None, ragged_rank: IntLike | None = None,
    inner_shape: ShapeLike = None, name: str | None = None,
    row_splits_dtype: DTypeLike = tf.int64,
) -> tf.RaggedTensor:
    """A ragged tensor of nested lists."""

def cross(inputs: TensorLike, name: str | None = None) -> tf.RaggedTensor:
    """Every combination of one string of each input, joined by _X_, for each row."""

def cross_hashed(
    inputs: TensorLike, num_buckets: IntLike = 0, hash_key: IntLike | None = None,
    name: str | None = None,
) -> tf.RaggedTensor:
    """The hashes of every combination of one value of each input, for each row."""

def map_flat_values(op: Callable, *args: Any, **kwargs: Any) -> Any:
    """`op` of the flat values of the ragged arguments, which must have the same rows."""

def range(
    starts: Any, limits: Any = None, deltas: Any = 1, dtype: DTypeLike | None = None,
    name: str | None = None, row_splits_dtype: DTypeLike = tf.int64,
) -> tf.RaggedTensor:
    """Rows of numbers: from starts[i] (0) to limits[i] by deltas[i]."""

def row_splits_to_segment_ids(
    splits: Any, name: str | None = None, out_type: DTypeLike | None = None,
) -> tf.Tensor:
    """The index of its row for each value: [0, 2, 2, 3] gives [0, 0, 2]."""

def segment_ids_to_row_splits(
    segment_ids: TensorLike, num_segments: Any = None, out_type: DTypeLike | None = None,
    name: str | None = None,
) -> tf.Tensor:
    """The splits of rows given by the index of its row for each value."""

def stack(
    values: TensorLike, axis: IntLike = 0, name: str | None = None,
) -> tf.RaggedTensor:
    """Tensors of one rank, along a new axis; their sizes may differ."""

def stack_dynamic_partitions(
    data: TensorLike, partitions: Any, num_partitions: Any, name: str | None = None,
) -> tf.RaggedTensor:
    """Row p holds the slices of `data` whose index in `partitions` is p."""
