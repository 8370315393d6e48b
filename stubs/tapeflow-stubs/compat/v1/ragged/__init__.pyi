# Written by tools/stubs.py (make stubs).
"""tf.compat.v1.ragged"""

from typing import Any

from tapeflow._typing import DTypeLike, IntLike, ShapeLike, TensorLike

def constant_value(
    pylist: Any, dtype: DTypeLike | None = None, ragged_rank: IntLike | None = None,
    inner_shape: ShapeLike = None, row_splits_dtype: str = 'int64',
) -> Any:
    """Nested lists as a RaggedTensorValue, or as an array if they are not ragged."""

def placeholder(
    dtype: DTypeLike, ragged_rank: IntLike, value_shape: Any = None, name: str | None = None,
) -> Any:
    """A ragged tensor that a session must be fed, as a RaggedTensorValue."""

class RaggedTensorValue:
    """Values and row splits, as arrays."""
    def __init__(self, values: TensorLike, row_splits: Any) -> None: ...
    @property
    def row_splits(self) -> Any: ...
    @property
    def values(self) -> Any: ...
    @property
    def dtype(self) -> Any: ...
    @property
    def flat_values(self) -> Any: ...
    @property
    def nested_row_splits(self) -> tuple: ...
    @property
    def ragged_rank(self) -> int: ...
    @property
    def shape(self) -> tuple: ...
    def to_list(self) -> list:
        """Rows as lists."""
