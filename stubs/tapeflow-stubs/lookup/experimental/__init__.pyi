# Written by tools/stubs.py (make stubs).
"""tf.lookup.experimental"""

from typing import Any

import tapeflow as tf
from tapeflow._typing import IntLike, TensorLike

class DenseHashTable:
    """A mutable table with two keys that mean "empty" and "deleted", which nobody may use."""
    def __init__(
        self, key_dtype: Any, value_dtype: Any, default_value: Any, empty_key: Any,
        deleted_key: Any, initial_num_buckets: IntLike | None = None,
        name: str = 'MutableDenseHashTable', checkpoint: bool = True,
        experimental_is_anonymous: bool = False,
    ) -> None: ...
    def erase(self, keys: Any, name: str | None = None) -> None:
        """Forget `keys`; those that the table does not have are passed over."""
    def insert_or_assign(
        self, keys: Any, values: TensorLike, name: str | None = None,
    ) -> None:
        """As `insert`."""
    def lookup(
        self, keys: Any, dynamic_default_values: Any = None, name: str | None = None,
    ) -> Any: ...
    def insert(self, keys: Any, values: TensorLike, name: str | None = None) -> None:
        """Give `keys` these values, new or not."""
    def remove(self, keys: Any, name: str | None = None) -> None:
        """Forget `keys`; those that the table does not have are passed over."""
    def export(self, name: str | None = None) -> tuple:
        """All keys and values."""
    name: Any
    @property
    def key_dtype(self) -> Any: ...
    @property
    def value_dtype(self) -> Any: ...
    def size(self, name: str | None = None) -> tf.Tensor:
        """How many entries there are."""
    def __getitem__(self, keys: Any) -> Any: ...

class MutableHashTable:
    """A table whose entries come and go; values may be vectors."""
    def __init__(
        self, key_dtype: Any, value_dtype: Any, default_value: Any, name: str = 'MutableHashTable',
        checkpoint: bool = True, experimental_is_anonymous: bool = False,
    ) -> None: ...
    def lookup(
        self, keys: Any, dynamic_default_values: Any = None, name: str | None = None,
    ) -> Any: ...
    def insert(self, keys: Any, values: TensorLike, name: str | None = None) -> None:
        """Give `keys` these values, new or not."""
    def remove(self, keys: Any, name: str | None = None) -> None:
        """Forget `keys`; those that the table does not have are passed over."""
    def export(self, name: str | None = None) -> tuple:
        """All keys and values."""
    name: Any
    @property
    def key_dtype(self) -> Any: ...
    @property
    def value_dtype(self) -> Any: ...
    def size(self, name: str | None = None) -> tf.Tensor:
        """How many entries there are."""
    def __getitem__(self, keys: Any) -> Any: ...
