# Written by tools/stubs.py (make stubs).
"""tf.sets"""

import tapeflow as tf
from tapeflow._typing import TensorLike

def difference(
    a: TensorLike, b: TensorLike, aminusb: bool = True, validate_indices: bool = True,
) -> tf.SparseTensor:
    """What is in a row of `a` but not of `b`, or the other way round, sorted."""

def intersection(
    a: TensorLike, b: TensorLike, validate_indices: bool = True,
) -> tf.SparseTensor:
    """What each row of the last axis of `a` and `b` has in common, sorted."""

def size(a: TensorLike, validate_indices: bool = True) -> tf.Tensor:
    """How many different values each row of a sparse tensor has."""

def union(
    a: TensorLike, b: TensorLike, validate_indices: bool = True,
) -> tf.SparseTensor:
    """What is in a row of `a` or `b`, sorted."""
