"""tf.ragged.cross and cross_hashed: every combination of one value of each input, row by row."""

from __future__ import annotations

from typing import Any

from tapeflow.base.attributes import whole
from tapeflow.base.exports import export
from tapeflow.core.record.families import operand
from tapeflow.core.values.tensor import Tensor
from tapeflow.core.values.variable import Variable
from tapeflow.ops.ragged.ragged_tensor import RaggedTensor
from tapeflow.ops.sparse.sets import DEFAULT_KEY, at_least_zero, crossed
from tapeflow.ops.sparse.sparse_tensor import SparseTensor


def _cross(inputs: Any, options: tuple) -> RaggedTensor:
    if not isinstance(inputs, (list, tuple)):
        raise TypeError(f"Inputs must be a list, not {type(inputs).__name__}.")
    if not any(isinstance(one, RaggedTensor) for one in inputs):
        raise ValueError("At least one input must be ragged; use tf.sparse.cross otherwise.")
    given = [one.to_sparse() if isinstance(one, RaggedTensor) else one
             if isinstance(one, (SparseTensor, Tensor)) else operand(one) for one in inputs]
    found = crossed(given, options)
    return RaggedTensor.from_value_rowids(found.values, found.indices[:, 0], found.dense_shape[0],
                                          validate=False)


@export("ragged.cross")
def cross(inputs: Any, name: str | None = None) -> RaggedTensor:
    """Every combination of one string of each input, joined by _X_, for each row."""
    return _cross(inputs, ("text", b"_X_"))


@export("ragged.cross_hashed")
def cross_hashed(inputs: Any, num_buckets: int = 0, hash_key: int | None = None,
                 name: str | None = None) -> RaggedTensor:
    """The hashes of every combination of one value of each input, for each row."""
    if isinstance(hash_key, (Tensor, Variable)):
        raise ValueError("tf.ragged.cross_hashed: `hash_key` must be a Python integer, got "
                         f"{hash_key!r}.")
    key = DEFAULT_KEY if hash_key is None else whole("hash_key", hash_key)
    return _cross(inputs, ("hash", at_least_zero(num_buckets), key))
