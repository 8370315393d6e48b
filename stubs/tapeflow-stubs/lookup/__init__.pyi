# Written by tools/stubs.py (make stubs).
"""tf.lookup"""

from typing import Any

import tapeflow as tf
from tapeflow._typing import IntLike, Store, TensorLike
from tapeflow.lookup import experimental as experimental

class KeyValueTensorInitializer:
    """Fills a table from a tensor of keys and one of values."""
    def __init__(
        self, keys: Any, values: TensorLike, key_dtype: Any = None, value_dtype: Any = None,
        name: str | None = None,
    ) -> None: ...
    @property
    def key_dtype(self) -> Any: ...
    @property
    def value_dtype(self) -> Any: ...
    def fill(self, store: Store) -> None: ...
    def initialize(self, table: Any) -> None:
        """Put the keys and values into a new table."""

class StaticHashTable:
    """A table that is filled once, when it is made."""
    def __init__(
        self, initializer: Any, default_value: Any, name: str | None = None,
        experimental_is_anonymous: bool = False,
    ) -> None: ...
    @property
    def default_value(self) -> tf.Tensor: ...
    def export(self, name: str | None = None) -> tuple:
        """All keys and values."""
    name: Any
    @property
    def key_dtype(self) -> Any: ...
    @property
    def value_dtype(self) -> Any: ...
    def size(self, name: str | None = None) -> tf.Tensor:
        """How many entries there are."""
    def lookup(self, keys: Any, name: str | None = None) -> Any:
        """The values of `keys`, the default for those that have none."""
    def __getitem__(self, keys: Any) -> Any: ...

class StaticVocabularyTable:
    """A table to int64 ids, with ids for unknown keys by their hash."""
    def __init__(
        self, initializer: Any, num_oov_buckets: IntLike, lookup_key_dtype: Any = None,
        name: str | None = None, experimental_is_anonymous: bool = False,
    ) -> None: ...
    def size(self, name: str | None = None) -> tf.Tensor: ...
    def lookup(self, keys: Any, name: str | None = None) -> Any: ...
    name: Any
    @property
    def key_dtype(self) -> Any: ...
    @property
    def value_dtype(self) -> Any: ...
    def __getitem__(self, keys: Any) -> Any: ...

class TextFileIndex:
    """Which part of a line is a key or value, besides a column."""
    WHOLE_LINE: int
    LINE_NUMBER: int

class TextFileInitializer:
    """Fills a table from the lines of a file: a column, the whole line or its number."""
    def __init__(
        self, filename: Any, key_dtype: Any, key_index: IntLike, value_dtype: Any,
        value_index: IntLike, vocab_size: IntLike | None = None, delimiter: str = '\t',
        name: str | None = None, value_index_offset: IntLike = 0,
    ) -> None: ...
    def fill(self, store: Store) -> None: ...
    def initialize(self, table: Any) -> None:
        """Put the keys and values into a new table."""
    key_dtype: Any
    value_dtype: Any
