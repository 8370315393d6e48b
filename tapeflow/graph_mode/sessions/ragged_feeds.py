"""Ragged tensors that sessions are fed, and the arrays that they are fed and give back."""

from __future__ import annotations

from typing import Any

import numpy as np

from tapeflow.base.dtypes import as_dtype, int64
from tapeflow.base.exports import export
from tapeflow.base.late import LatePublic
from tapeflow.base.shapes import TensorShape
from tapeflow.core.scopes import name_scope, open_graph
from tapeflow.graph_mode.session import outside
from tapeflow.ops.ragged.ragged_tensor import RaggedTensor
from tapeflow.ops.ragged.ragged_value import ragged_value

_ragged_constant = LatePublic("ragged.constant")
_placeholder = LatePublic("compat.v1.placeholder")


@export("compat.v1.ragged.constant_value")
def constant_value(pylist: Any, dtype: Any = None, ragged_rank: int | None = None,
                   inner_shape: Any = None, row_splits_dtype: str = "int64") -> Any:
    """Nested lists as a RaggedTensorValue, or as an array if they are not ragged."""
    given = None if dtype is None else as_dtype(dtype)
    with outside():
        made = _ragged_constant(pylist, given, ragged_rank, inner_shape,
                                  row_splits_dtype=as_dtype(row_splits_dtype))
        if not isinstance(made, RaggedTensor):
            return np.asarray(made)
        flat = np.asarray(made.flat_values)
        if dtype is None:  # NumPy's own, as it reads lists
            kinds: dict[Any, Any] = {np.dtype("f4"): "f8", np.dtype("i4"): "i8"}
            flat = flat.astype(kinds.get(flat.dtype, flat.dtype))
        if flat.dtype == object:
            flat = np.array([one.decode() if isinstance(one, bytes) else one
                             for one in flat.ravel()]).reshape(flat.shape)
        return ragged_value(flat, [one.numpy() for one in made.nested_row_splits])


@export("compat.v1.ragged.placeholder")
def placeholder(dtype: Any, ragged_rank: int, value_shape: Any = None,
                name: str | None = None) -> Any:
    """A ragged tensor that a session must be fed, as a RaggedTensorValue."""
    if open_graph() is None:
        raise RuntimeError("tf.placeholder() is not compatible with eager execution.")
    if ragged_rank == 0:
        return _placeholder(dtype, value_shape, name)
    with name_scope(name or "RaggedPlaceholder"):
        flat = TensorShape([None]).concatenate(value_shape)
        result: Any = _placeholder(dtype, flat, "flat_values")
        for level in reversed(range(ragged_rank)):
            splits = _placeholder(int64, [None], f"row_splits_{level}")
            result = RaggedTensor.from_row_splits(result, splits, validate=False)
    return result
