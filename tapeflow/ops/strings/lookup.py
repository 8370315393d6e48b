"""tf.lookup: tables from keys to values, fixed or mutable, and what fills them.

A table is a Python dict behind two ops, find and change. In a graph a mutable table is looked up
and changed in the order of the program; a fixed one is like a constant.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from tapeflow.base import dtypes, errors
from tapeflow.base.attributes import attributes, dense, text_bytes, truth
from tapeflow.base.exception_origin import unsignalled
from tapeflow.base.exports import export, publish
from tapeflow.core.autodiff.batching import loop
from tapeflow.core.record.families import operand
from tapeflow.core.record.op import NONDIFF, Spec, define, shape_of
from tapeflow.core.record.samples import Case
from tapeflow.core.values.convert import convert
from tapeflow.core.values.tensor import Tensor, wrap
from tapeflow.core.values.tracking import Trackable
from tapeflow.ops._support.arguments import brackets
from tapeflow.ops.strings.hashing import fingerprint
from tapeflow.ops.strings.text import strings

_NO_GRADIENT = NONDIFF("what a table holds has no gradient")
_KEYS = (dtypes.string, dtypes.int64, dtypes.int32)


class Store:
    """The entries of one table: Python keys, NumPy values of one shape and dtype."""

    def __init__(self, dtype: Any, shape: tuple = (), forbidden: tuple = ()):
        self.dtype, self.shape, self.forbidden = dtype, shape, forbidden
        self.entries: dict[Any, Any] = {}

    def find(self, keys: Any, default: Any) -> np.ndarray:
        if np.shape(default) != tuple(self.shape):
            raise errors.invalid("LookupTableFindV2", f"Expected shape {list(self.shape)} for "
                                                      f"default value, got "
                                                      f"{list(np.shape(default))}")
        flat = np.asarray(keys).ravel().tolist()
        self.check(flat, "LookupTableFindV2")
        entries = self.entries
        found = [entries.get(key, default) for key in flat]
        shape = (*np.shape(keys), *self.shape)
        if self.dtype.kind == "O":
            return strings(found, shape)
        return np.array(found, self.dtype).reshape(shape)

    def check(self, keys: list, op: str) -> None:
        for word, key in self.forbidden:
            if key in keys:
                raise errors.invalid(op, f"Using the {word} as a table key is not allowed")

    def insert(self, keys: Any, values: Any) -> None:
        flat = np.asarray(keys).ravel().tolist()
        self.check(flat, "LookupTableInsertV2")
        rows = np.asarray(values).reshape((len(flat), *self.shape))
        for key, row in zip(flat, rows, strict=True):
            self.entries[key] = row

    def remove(self, keys: Any) -> None:
        flat = np.asarray(keys).ravel().tolist()
        self.check(flat, "LookupTableRemoveV2")
        for key in flat:
            self.entries.pop(key, None)


def _example() -> Store:
    store = Store(np.dtype("int64"))
    store.insert(np.array([1, 2], np.int64), np.array([10, 20], np.int64))
    return store


def _find_kernel(keys, default, store):
    value = default[()] if store.dtype.kind == "O" and not store.shape else default
    return store.find(keys, value)


def _find_shape(keys: Spec, default: Spec, store: Store) -> Spec:
    return Spec(None if keys.shape is None else (*keys.shape, *store.shape), store.dtype)


def _define_find(name: str, stateful: bool) -> Any:
    return define(name, kernel=_find_kernel, shape=_find_shape, args=("keys", "default"),
                  dtypes="Oiufb", vjp=_NO_GRADIENT, batch=loop, stateful=stateful,
                  kind="elementwise", tf_name="LookupTableFindV2",
                  check=[Case(np.array([1, 3], np.int64), np.int64(-1), store=_example())])


_find = _define_find("table_find", False)
_find_now = _define_find("mutable_table_find", True)


def _change_kernel(*operands, store, method):
    getattr(store, method)(*operands)
    return ()


_change = define("table_change", kernel=_change_kernel, shape=lambda *specs, store, method: (),
                 args=("*operands",), dtypes="Oiufb", vjp=_NO_GRADIENT, batch=loop, multi=True,
                 stateful=True, tf_name="LookupTableInsertV2",
                 check=[Case(np.array([1], np.int64), np.array([5], np.int64), store=_example(),
                             method="insert")])
_size = define("table_size", kernel=lambda store: np.int64(len(store.entries)), args=(),
               shape=lambda store: Spec((), np.dtype("int64")), vjp=_NO_GRADIENT, batch=loop,
               stateful=True, tf_name="LookupTableSizeV2", check=[Case(store=_example())])


# -- what fills a table ----------------------------------------------------------------------------
class TextFileIndex:
    """Which part of a line is a key or value, besides a column."""

    WHOLE_LINE = -2
    LINE_NUMBER = -1


publish(TextFileIndex, "lookup.TextFileIndex")


class _Initializer(Trackable):
    """What fills a table; a subclass of users may do it in its own `initialize`."""

    def fill(self, store: Store) -> None:
        raise NotImplementedError

    def initialize(self, table: Any) -> None:
        """Put the keys and values into a new table."""
        self.fill(table._store)


@export("lookup.KeyValueTensorInitializer")
class KeyValueTensorInitializer(_Initializer):
    """Fills a table from a tensor of keys and one of values."""

    def __init__(self, keys: Any, values: Any, key_dtype: Any = None, value_dtype: Any = None,
                 name: str | None = None):
        self._keys = _typed(dense("keys", keys), key_dtype)
        self._values = _typed(dense("values", values), value_dtype)

    @property
    def key_dtype(self) -> Any:
        return self._keys.dtype

    @property
    def value_dtype(self) -> Any:
        return self._values.dtype

    def fill(self, store: Store) -> None:
        keys, values = self._keys._value, self._values._value
        if keys.shape != values.shape:
            raise errors.invalid("LookupTableImportV2", f"Expected shape {brackets(keys.shape)} "
                                 f"for value, got {brackets(values.shape)}")
        _import(store, np.asarray(keys).ravel().tolist(), np.asarray(values).ravel())

    def __repr__(self) -> str:
        return f"<KeyValueTensorInitializer of {self.key_dtype.name} to {self.value_dtype.name}>"


def _typed(values: Any, dtype: Any) -> Tensor:
    kind = None if dtype is None else dtypes.as_dtype(dtype)
    if isinstance(values, Tensor):
        return convert(values, kind)
    return operand(values, kind)


def _import(store: Store, keys: list, values: Any) -> None:
    """Fill a fixed table: a key may come again only with the same value."""
    for key, value in zip(keys, values, strict=True):
        held = store.entries.setdefault(key, value)
        if held != value:
            shown = [x.decode() if isinstance(x, bytes) else x for x in (key, held, value)]
            raise errors.FailedPreconditionError(None, None, (
                f"HashTable has different value for same key. Key {shown[0]} has {shown[1]} and "
                f"trying to add value {shown[2]} [Op:LookupTableImportV2]"))


@export("lookup.TextFileInitializer")
class TextFileInitializer(_Initializer):
    """Fills a table from the lines of a file: a column, the whole line or its number."""

    def __init__(self, filename: Any, key_dtype: Any, key_index: int, value_dtype: Any,
                 value_index: int, vocab_size: int | None = None, delimiter: str = "\t",
                 name: str | None = None, value_index_offset: int = 0):
        for word, index, dtype in (("key_index", key_index, key_dtype),
                                   ("value_index", value_index, value_dtype)):
            kind = dtypes.as_dtype(dtype)
            if index == TextFileIndex.LINE_NUMBER and kind not in (dtypes.int64, dtypes.int32):
                raise ValueError(f"Invalid {word.split('_')[0]} dtype for index "
                                 f"TextFileIndex.LINE_NUMBER: it must be int64, got {kind.name}.")
            if index == TextFileIndex.WHOLE_LINE and kind not in (
                    dtypes.string, dtypes.int64, dtypes.int32):
                raise ValueError(f"Invalid dtype {kind.name} for {word}: a whole line is a string.")
            if index < -2:
                raise ValueError(f"Invalid index {index} for {word}.")
        if key_index == value_index:
            raise ValueError("key_index and value_index must be different, got "
                             f"{key_index} twice.")
        if vocab_size is not None and vocab_size <= 0:
            raise ValueError(f"`vocab_size` must be greater than 0, got {vocab_size}.")
        self._filename = filename
        self.key_dtype, self.value_dtype = dtypes.as_dtype(key_dtype), dtypes.as_dtype(value_dtype)
        self._key_index, self._value_index = key_index, value_index
        self._vocab_size, self._delimiter = vocab_size, text_bytes(delimiter)
        self._offset = value_index_offset

    def fill(self, store: Store) -> None:
        path = operand(self._filename)._value[()]
        try:
            with open(path, "rb") as file:
                lines = file.read().split(b"\n")
        except FileNotFoundError:
            raise errors.NotFoundError(None, None, (
                f"{path.decode()}; No such file or directory "
                "[Op:InitializeTableFromTextFileV2]")) from None
        if lines and not lines[-1]:
            lines.pop()
        if self._vocab_size is not None:
            if len(lines) < self._vocab_size:
                raise errors.invalid("InitializeTableFromTextFileV2", (
                    f"Invalid vocab_size in {path.decode()}: expected {self._vocab_size} but got "
                    f"{len(lines)}"))
            lines = lines[:self._vocab_size]
        keys = [self._part(line, i, self._key_index, self.key_dtype)
                for i, line in enumerate(lines)]
        values = [self._part(line, i, self._value_index, self.value_dtype)
                  for i, line in enumerate(lines)]
        _import(store, keys, values)

    def _part(self, line: bytes, number: int, index: int, dtype: Any) -> Any:
        line = line.removesuffix(b"\r")
        if index == TextFileIndex.LINE_NUMBER:
            return number + self._offset
        if index >= 0:
            columns = line.split(self._delimiter)
            if index >= len(columns):
                raise errors.invalid("InitializeTableFromTextFileV2", (
                    f"Invalid number of columns in line {number} ({line.decode()}): expected at "
                    f"least {index + 1}, got {len(columns)}"))
            line = columns[index]
        if dtype is dtypes.string:
            return line
        try:
            return dtype.np.type(line.decode()) if dtype.is_floating else int(line)
        except unsignalled(ValueError):
            raise errors.invalid("InitializeTableFromTextFileV2", (
                f"Field {line.decode()} in line {number} is not a valid {dtype.name}.")) from None


# -- tables ----------------------------------------------------------------------------------------
class Table(Trackable):
    """What all tables can do."""

    _store: Store
    _default: Tensor
    _key_dtype: Any
    _value_dtype: Any
    _find = staticmethod(_find)
    name: Any = None

    @property
    def key_dtype(self) -> Any:
        return self._key_dtype

    @property
    def value_dtype(self) -> Any:
        return self._value_dtype

    def size(self, name: str | None = None) -> Tensor:
        """How many entries there are."""
        return _size(store=self._store)

    def _on_values(self, keys: Any, function: Any) -> Any:
        """A function of plain tensors on a tensor, or on the values of a ragged or sparse one."""
        from tapeflow.core.values.composite import Composite
        if isinstance(keys, Composite):
            values: Any = keys
            if hasattr(values, "with_flat_values"):
                return values.with_flat_values(function(values.flat_values))
            return values.with_values(function(values.values))
        return function(keys)

    def _checked(self, keys: Any) -> Tensor:
        if keys.dtype != self._key_dtype:
            raise TypeError(f"Dtype of argument `keys` must be {self._key_dtype!s}, received: "
                            f"{keys.dtype!s}")
        return operand(keys)

    def lookup(self, keys: Any, name: str | None = None) -> Any:
        """The values of `keys`, the default for those that have none."""
        return self._on_values(keys, lambda x: self._find(
            self._checked(x), self._default, store=self._store))

    def __getitem__(self, keys: Any) -> Any:
        return self.lookup(keys)


@export("lookup.StaticHashTable")
class StaticHashTable(Table):
    """A table that is filled once, when it is made.

    >>> init = tf.lookup.KeyValueTensorInitializer(["a", "b"], [1, 2])
    >>> tf.lookup.StaticHashTable(init, default_value=-1).lookup(tf.constant(["b", "z"]))
    <tf.Tensor: shape=(2,), dtype=int32, numpy=array([ 2, -1], dtype=int32)>
    """

    def __init__(self, initializer: Any, default_value: Any, name: str | None = None,
                 experimental_is_anonymous: bool = False):
        truth("experimental_is_anonymous", experimental_is_anonymous)
        self._initializer = initializer
        self._key_dtype = dtypes.as_dtype(initializer.key_dtype)
        self._value_dtype = dtypes.as_dtype(initializer.value_dtype)
        self._default = _typed(default_value, self._value_dtype)
        if shape_of(self._default):
            raise errors.invalid("HashTableV2", "default_value must be a scalar, got shape "
                                                f"{self._default.shape}")
        self._store = Store(self._value_dtype.np)
        initializer.initialize(self)

    @property
    def default_value(self) -> Tensor:
        return self._default

    def export(self, name: str | None = None) -> tuple:
        """All keys and values."""
        return _exported(self._store, self._key_dtype)


def _exported(store: Store, key_dtype: Any) -> tuple:
    keys, values = list(store.entries), list(store.entries.values())
    found = strings(keys, (len(keys),)) if key_dtype is dtypes.string else np.array(
        keys, key_dtype.np)
    if store.dtype.kind == "O":
        held = strings([one if isinstance(one, bytes) else one[()] for one in values],
                       (len(values),))
    else:
        held = np.array(values, store.dtype).reshape((len(values), *store.shape))
    return wrap(found), wrap(held)


@export("lookup.StaticVocabularyTable")
class StaticVocabularyTable(Table):
    """A table to int64 ids, with ids for unknown keys by their hash."""

    @attributes(experimental_is_anonymous=truth)
    def __init__(self, initializer: Any, num_oov_buckets: int, lookup_key_dtype: Any = None,
                 name: str | None = None, experimental_is_anonymous: bool = False):
        if num_oov_buckets <= 0:
            raise ValueError("`num_oov_buckets` must be > 0; use StaticHashTable.")
        self._buckets = int(num_oov_buckets)
        self._store = Store(np.dtype("int64"))
        wanted = dtypes.string if lookup_key_dtype is None and initializer is None else (
            initializer.key_dtype if lookup_key_dtype is None else dtypes.as_dtype(
                lookup_key_dtype))
        if initializer is not None:
            if initializer.value_dtype != dtypes.int64:
                raise TypeError(f"Invalid `value_dtype`, expected {dtypes.int64!s} but got "
                                f"{initializer.value_dtype!s}.")
            if (wanted is dtypes.string) != (initializer.key_dtype is dtypes.string):
                raise TypeError("Invalid key dtype for table, expected integer or string for both, "
                                f"got {wanted.name} and {initializer.key_dtype.name}.")
            initializer.initialize(self)
        self._key_dtype, self._value_dtype = wanted, dtypes.int64
        self._count = len(self._store.entries)

    def size(self, name: str | None = None) -> Tensor:
        return wrap(np.int64(self._count + self._buckets))

    def lookup(self, keys: Any, name: str | None = None) -> Any:
        return self._on_values(keys, lambda x: _vocabulary(
            self._checked(x), store=self._store, buckets=self._buckets, count=self._count))


def _vocabulary_kernel(keys, store, buckets, count):
    found = []
    for key in np.asarray(keys).ravel().tolist():
        held = store.entries.get(key)
        if held is None:
            held = fingerprint(text_bytes(key)) % buckets + count
        found.append(held)
    return np.array(found, np.int64).reshape(keys.shape)[()]


_vocabulary = define("vocabulary_find", kernel=_vocabulary_kernel, dtypes="Oiu", args=("keys",),
                     shape=lambda keys, **attrs: Spec(keys.shape, np.dtype("int64")),
                     vjp=_NO_GRADIENT, batch=loop, kind="elementwise",
                     check=[Case(np.array([1, 7], np.int64), store=_example(), buckets=3, count=2)])


class MutableTable(Table):
    """Tables that the program changes."""

    _find = staticmethod(_find_now)

    def __init__(self, key_dtype: Any, value_dtype: Any, default_value: Any,
                 forbidden: tuple = ()):
        self._key_dtype = dtypes.as_dtype(key_dtype)
        self._value_dtype = dtypes.as_dtype(value_dtype)
        if self._key_dtype not in _KEYS:
            raise TypeError(f"keys of a table must be strings or integers, got "
                            f"{self._key_dtype.name}")
        self._default = _typed(default_value, self._value_dtype)
        self._store = Store(self._value_dtype.np, shape_of(self._default), forbidden)

    def _checked(self, keys: Any) -> Tensor:
        if isinstance(keys, Tensor) and keys.dtype != self._key_dtype:
            raise TypeError(f"Dtype of argument `keys` must be {self._key_dtype!s}, received: "
                            f"{keys.dtype!s}")
        return _typed(keys, self._key_dtype)

    def lookup(self, keys: Any, dynamic_default_values: Any = None,  # type: ignore[override]
               name: str | None = None) -> Any:
        default = self._default if dynamic_default_values is None else _typed(
            dynamic_default_values, self._value_dtype)
        return self._on_values(keys, lambda x: self._find(
            self._checked(x), default, store=self._store))

    def insert(self, keys: Any, values: Any, name: str | None = None) -> None:
        """Give `keys` these values, new or not."""
        checked = self._checked(keys)
        try:
            rows = _typed(values, self._value_dtype)
        except unsignalled(ValueError) as error:
            raise ValueError(f"values: {error}") from None
        own, wanted = shape_of(rows), (*shape_of(checked), *self._store.shape)
        if len(own) != len(wanted) or any(m != n for m, n in zip(own, wanted)
                                          if m is not None and n is not None):
            raise errors.invalid("LookupTableInsertV2", (
                f"Expected shape {brackets(wanted)} for value, got {brackets(own)}"))
        _change(checked, rows, store=self._store, method="insert")

    def remove(self, keys: Any, name: str | None = None) -> None:
        """Forget `keys`; those that the table does not have are passed over."""
        _change(self._checked(keys), store=self._store, method="remove")

    def export(self, name: str | None = None) -> tuple:
        """All keys and values."""
        return _exported(self._store, self._key_dtype)

    def _serialize_to_tensors(self) -> dict[str, Any]:
        return dict(zip(("table-keys", "table-values"), self.export(), strict=True))

    def _restore_from_tensors(self, restored_tensors: dict[str, Any]) -> None:
        """Hold these entries alone."""
        self.remove(self.export()[0])
        self.insert(restored_tensors["table-keys"], restored_tensors["table-values"])


@export("lookup.experimental.MutableHashTable")
class MutableHashTable(MutableTable):
    """A table whose entries come and go; values may be vectors."""

    def __init__(self, key_dtype: Any, value_dtype: Any, default_value: Any,
                 name: str = "MutableHashTable", checkpoint: bool = True,
                 experimental_is_anonymous: bool = False):
        super().__init__(key_dtype, value_dtype, default_value)


@export("lookup.experimental.DenseHashTable")
class DenseHashTable(MutableTable):
    """A mutable table with two keys that mean "empty" and "deleted", which nobody may use."""

    @attributes(experimental_is_anonymous=truth)
    def __init__(self, key_dtype: Any, value_dtype: Any, default_value: Any, empty_key: Any,
                 deleted_key: Any, initial_num_buckets: int | None = None,
                 name: str = "MutableDenseHashTable", checkpoint: bool = True,
                 experimental_is_anonymous: bool = False):
        kind = dtypes.as_dtype(key_dtype)
        empty, deleted = [np.asarray(_typed(key, kind)._value)[()] for key in (
            empty_key, deleted_key)]
        if empty == deleted:
            raise errors.invalid("MutableDenseHashTableV2", "Empty and deleted keys cannot be "
                                                            "equal")
        plain = [key.item() if hasattr(key, "item") else key for key in (empty, deleted)]
        super().__init__(kind, value_dtype, default_value,
                         (("empty_key", plain[0]), ("deleted_key", plain[1])))

    erase = MutableTable.remove

    def insert_or_assign(self, keys: Any, values: Any, name: str | None = None) -> None:
        """As `insert`."""
        self.insert(keys, values, name)


for _class in (StaticHashTable, StaticVocabularyTable, MutableHashTable, DenseHashTable,
               KeyValueTensorInitializer, TextFileInitializer, TextFileIndex):
    _class.__module__ = "tensorflow.python.ops.lookup_ops"
