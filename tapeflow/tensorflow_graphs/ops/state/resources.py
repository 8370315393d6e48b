"""Tables and counters: a resource handle is an object of ours."""

from __future__ import annotations

from typing import Any

from tapeflow.tensorflow_graphs.public import tf
from tapeflow.tensorflow_graphs.registry import raw


class Table:
    """What a table's handle stands for: keys and values of given types."""

    def __init__(self, key_dtype: Any, value_dtype: Any, value_shape: Any = (),
                 forbidden: tuple = ()):
        self.key_dtype, self.value_dtype = key_dtype, value_dtype
        self._value_shape = tuple(value_shape)
        none = "" if value_dtype == tf.string else 0
        default = tf.fill(list(value_shape), tf.constant(none, value_dtype))
        kinds = tf.lookup.experimental
        kind = kinds.DenseHashTable if forbidden else kinds.MutableHashTable
        self.entries = kind(key_dtype, value_dtype, default, *forbidden)
        self._forbidden = [one.numpy() for one in forbidden]

    def fill(self, keys: Any, values: Any) -> None:
        """Take the rows of a checkpoint, among which a dense table has its free places."""
        flat = keys.reshape(-1)
        used = [one not in self._forbidden for one in flat.tolist()]
        rows = values.reshape(flat.size, *self._value_shape)  # a dense one's have a further axis
        self.entries.insert(tf.constant(flat[used], self.key_dtype),
                            tf.constant(rows[used], self.value_dtype))


@raw
def HashTable(key_dtype: Any, value_dtype: Any) -> Any:
    return Table(key_dtype, value_dtype)


@raw
def HashTableV2(key_dtype: Any, value_dtype: Any) -> Any:
    return Table(key_dtype, value_dtype)


@raw
def MutableHashTableV2(key_dtype: Any, value_dtype: Any) -> Any:
    return Table(key_dtype, value_dtype)


@raw
def MutableHashTableOfTensorsV2(key_dtype: Any, value_dtype: Any, value_shape: Any) -> Any:
    return Table(key_dtype, value_dtype, value_shape.as_list())


@raw
def AnonymousHashTable(key_dtype: Any, value_dtype: Any) -> Any:
    return Table(key_dtype, value_dtype)


@raw
def AnonymousMutableHashTable(key_dtype: Any, value_dtype: Any) -> Any:
    return Table(key_dtype, value_dtype)


@raw
def AnonymousMutableHashTableOfTensors(key_dtype: Any, value_dtype: Any, value_shape: Any) -> Any:
    return Table(key_dtype, value_dtype, value_shape.as_list())


@raw
def MutableDenseHashTableV2(empty_key: Any, deleted_key: Any, key_dtype: Any, value_dtype: Any,
                            value_shape: Any) -> Any:
    return Table(key_dtype, value_dtype, value_shape.as_list(), (empty_key, deleted_key))


@raw
def AnonymousMutableDenseHashTable(empty_key: Any, deleted_key: Any, key_dtype: Any,
                                   value_dtype: Any, value_shape: Any) -> Any:
    return Table(key_dtype, value_dtype, value_shape.as_list(), (empty_key, deleted_key))


@raw
def LookupTableFindV2(table_handle: Any, keys: Any, default_value: Any) -> Any:
    return table_handle.entries.lookup(keys, dynamic_default_values=default_value)


@raw
def LookupTableSizeV2(table_handle: Any) -> Any:
    return table_handle.entries.size()


@raw
def LookupTableExportV2(table_handle: Any) -> Any:
    return tuple(table_handle.entries.export())


@raw
def LookupTableImportV2(table_handle: Any, keys: Any, values: Any) -> Any:
    table_handle.entries.insert(keys, values)
    return ()


@raw
def LookupTableInsertV2(table_handle: Any, keys: Any, values: Any) -> Any:
    table_handle.entries.insert(keys, values)
    return ()


@raw
def LookupTableRemoveV2(table_handle: Any, keys: Any) -> Any:
    table_handle.entries.remove(keys)
    return ()


@raw
def InitializeTableV2(table_handle: Any, keys: Any, values: Any) -> Any:
    table_handle.entries.insert(keys, values)
    return ()


@raw
def InitializeTableFromTextFileV2(table_handle: Any, filename: Any, key_index: int,
                                  value_index: int, vocab_size: int, delimiter: str,
                                  offset: int) -> Any:
    filled = tf.lookup.StaticHashTable(tf.lookup.TextFileInitializer(
        filename, table_handle.key_dtype, key_index, table_handle.value_dtype, value_index,
        None if vocab_size < 0 else vocab_size, delimiter, value_index_offset=offset),
        "" if table_handle.value_dtype == tf.string else 0)
    table_handle.entries.insert(*filled.export())
    return ()
