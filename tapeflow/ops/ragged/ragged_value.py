"""tf.compat.v1.ragged.RaggedTensorValue: a ragged tensor of NumPy arrays, as sessions had them."""

from __future__ import annotations

from typing import Any

import numpy as np

from tapeflow.base.exports import export


@export("compat.v1.ragged.RaggedTensorValue")
class RaggedTensorValue:
    """Values and row splits, as arrays."""

    def __init__(self, values: Any, row_splits: Any):
        splits: Any = row_splits
        if not (isinstance(splits, (np.ndarray, np.generic)) and splits.dtype in (
                np.int64, np.int32) and splits.ndim == 1):
            raise TypeError("row_splits must be a 1D int32 or int64 numpy array")
        if not isinstance(values, (np.ndarray, np.generic, RaggedTensorValue)):
            raise TypeError("values must be a numpy array or a RaggedTensorValue")
        self._values: Any = values
        self._row_splits: Any = splits

    row_splits = property(lambda self: self._row_splits)
    values = property(lambda self: self._values)
    dtype = property(lambda self: self._values.dtype)

    @property
    def flat_values(self) -> Any:
        inner = self._values
        return inner.flat_values if isinstance(inner, RaggedTensorValue) else inner

    @property
    def nested_row_splits(self) -> tuple:
        inner = self._values
        below = inner.nested_row_splits if isinstance(inner, RaggedTensorValue) else ()
        return (self._row_splits, *below)

    @property
    def ragged_rank(self) -> int:
        return len(self.nested_row_splits)

    @property
    def shape(self) -> tuple:
        return (len(self._row_splits) - 1, None, *self._values.shape[1:])

    def to_list(self) -> list:
        """Rows as lists."""
        inner = self._values
        held = inner.to_list() if isinstance(inner, RaggedTensorValue) else inner.tolist()
        splits = self._row_splits.tolist()
        return [held[a:b] for a, b in zip(splits[:-1], splits[1:])]

    def __str__(self) -> str:
        return f"<tf.RaggedTensorValue {self.to_list()}>"

    def __repr__(self) -> str:
        return (f"tf.RaggedTensorValue(values={self._values!r}, "
                f"row_splits={self._row_splits!r})")


def ragged_value(flat_values: np.ndarray, nested_row_splits: list[np.ndarray]) -> RaggedTensorValue:
    """The value of flat values and of the splits of each level, the outermost first."""
    made: Any = flat_values
    for splits in reversed(nested_row_splits):
        made = RaggedTensorValue(made, splits)
    return made


RaggedTensorValue.__module__ = "tensorflow.python.ops.ragged.ragged_tensor_value"
