"""Columns of ids: by hash, vocabulary or identity, weighted, crossed, and of sequences."""

from __future__ import annotations

from collections import namedtuple
from typing import Any

import numpy as np

import tapeflow as tf
from tapeflow.api.internal.feature_columns.column_kinds import (
    CategoricalColumn,
    FeatureColumn,
    OfOneFeature,
    check_key,
    check_string_or_int,
    registered,
)
from tapeflow.api.internal.feature_columns.column_state import as_sparse, dense_or_sparse
from tapeflow.base import dtypes
from tapeflow.base.exports import export


class _IdsOfOneFeature(OfOneFeature, CategoricalColumn):
    """Ids that are made of one feature."""

    def transform_feature(self, transformation_cache: Any, state_manager: Any) -> Any:
        """The ids of the values."""
        values = as_sparse(transformation_cache.get(self.key, state_manager))
        return self._ids(values, state_manager)

    def _ids(self, values: Any, state_manager: Any) -> Any:
        raise NotImplementedError

    def _check_dtype(self, values: Any) -> None:
        check_string_or_int(values.dtype, f"column_name: {self.key} input_tensor")
        if self.dtype.is_integer != values.dtype.is_integer:
            raise ValueError("Column dtype and SparseTensors dtype must be compatible. "
                             f"key: {self.key}, column dtype: {self.dtype}, tensor dtype: "
                             f"{values.dtype}")

    def get_sparse_tensors(self, transformation_cache: Any, state_manager: Any) -> Any:
        """The ids, without weights."""
        return self.IdWeightPair(transformation_cache.get(self, state_manager), None)


@registered
class HashedCategoricalColumn(_IdsOfOneFeature, namedtuple(
        "HashedCategoricalColumn", ("key", "hash_bucket_size", "dtype"))):
    """See `tf.feature_column.categorical_column_with_hash_bucket`."""

    def _ids(self, values: Any, state_manager: Any) -> Any:
        self._check_dtype(values)
        texts = values.values if self.dtype == dtypes.string else tf.strings.as_string(
            values.values)
        return values.with_values(tf.strings.to_hash_bucket_fast(texts, self.hash_bucket_size))

    @property
    def num_buckets(self) -> int:
        """As many as the hash has."""
        return self.hash_bucket_size


class _OfVocabulary(_IdsOfOneFeature):
    """Ids that a table knows."""

    default_value: int
    num_oov_buckets: int

    def _initializer(self, key_dtype: Any) -> Any:
        raise NotImplementedError

    def _ids(self, values: Any, state_manager: Any) -> Any:
        self._check_dtype(values)
        key_dtype = self.dtype
        if values.dtype.is_integer:
            key_dtype, values = tf.int64, tf.cast(values, tf.int64)
        return self._table(key_dtype, state_manager).lookup(values)

    def _table(self, key_dtype: Any, state_manager: Any) -> Any:
        """The table, made once for a state manager."""
        name = f"{self.key}_lookup"
        if state_manager is not None and state_manager.has_resource(self, name):
            return state_manager.get_resource(self, name)
        with tf.init_scope():
            initializer = self._initializer(key_dtype)
            table = tf.lookup.StaticVocabularyTable(
                initializer, self.num_oov_buckets) if self.num_oov_buckets else (
                    tf.lookup.StaticHashTable(initializer, self.default_value))
        if state_manager is not None:
            state_manager.add_resource(self, name, table)
        return table


@registered
class VocabularyFileCategoricalColumn(_OfVocabulary, namedtuple(
        "VocabularyFileCategoricalColumn", (
            "key", "vocabulary_file", "vocabulary_size", "num_oov_buckets", "dtype",
            "default_value", "file_format"), defaults=(None,))):
    """See `tf.feature_column.categorical_column_with_vocabulary_file`."""

    def _initializer(self, key_dtype: Any) -> Any:
        if self.file_format != "tfrecord_gzip":
            return tf.lookup.TextFileInitializer(
                self.vocabulary_file, key_dtype, tf.lookup.TextFileIndex.WHOLE_LINE, tf.int64,
                tf.lookup.TextFileIndex.LINE_NUMBER, vocab_size=self.vocabulary_size)
        words = [word.numpy() for word in tf.data.TFRecordDataset(
            self.vocabulary_file, "GZIP").take(self.vocabulary_size)]
        return _numbered(words if key_dtype == dtypes.string else list(map(int, words)), key_dtype)

    @property
    def num_buckets(self) -> int:
        """The words, and the buckets for others."""
        return self.vocabulary_size + self.num_oov_buckets


@registered
class VocabularyListCategoricalColumn(_OfVocabulary, namedtuple(
        "VocabularyListCategoricalColumn", (
            "key", "vocabulary_list", "dtype", "default_value", "num_oov_buckets"))):
    """See `tf.feature_column.categorical_column_with_vocabulary_list`."""

    def _initializer(self, key_dtype: Any) -> Any:
        return _numbered(list(self.vocabulary_list), key_dtype)

    @property
    def num_buckets(self) -> int:
        """The words, and the buckets for others."""
        return len(self.vocabulary_list) + self.num_oov_buckets


def _numbered(words: list, key_dtype: Any) -> Any:
    return tf.lookup.KeyValueTensorInitializer(
        tf.constant(words, key_dtype), tf.range(len(words), dtype=tf.int64))


@registered
class IdentityCategoricalColumn(_IdsOfOneFeature, namedtuple(
        "IdentityCategoricalColumn", ("key", "number_buckets", "default_value"))):
    """See `tf.feature_column.categorical_column_with_identity`."""

    dtype = dtypes.int64

    def _ids(self, values: Any, state_manager: Any) -> Any:
        if not values.dtype.is_integer:
            raise ValueError(f"Invalid input, not integer. key: {self.key} dtype: {values.dtype}")
        ids = tf.cast(values.values, tf.int64)
        if self.default_value is not None:
            outside = (ids < 0) | (ids >= self.num_buckets)
            ids = tf.where(outside, tf.cast(self.default_value, tf.int64), ids)
        return values.with_values(ids)

    @property
    def num_buckets(self) -> int:
        """As many as were said."""
        return self.number_buckets


class _OfAnother(CategoricalColumn):
    """Ids of another column."""

    categorical_column: Any

    @property
    def parse_example_spec(self) -> dict[str, Any]:
        """That of the other column."""
        return self.categorical_column.parse_example_spec

    @property
    def num_buckets(self) -> int:
        """Those of the other column."""
        return self.categorical_column.num_buckets


@registered
class WeightedCategoricalColumn(_OfAnother, namedtuple(
        "WeightedCategoricalColumn", ("categorical_column", "weight_feature_key", "dtype"))):
    """See `tf.feature_column.weighted_categorical_column`."""

    @property
    def name(self) -> str:
        """The name of the ids, and of their weights."""
        return f"{self.categorical_column.name}_weighted_by_{self.weight_feature_key}"

    @property
    def parse_example_spec(self) -> dict[str, Any]:
        """Two features of any length."""
        spec, key = dict(self.categorical_column.parse_example_spec), self.weight_feature_key
        if key in spec:
            raise ValueError(f"Parse config {spec[key]} already exists for {key}.")
        return {**spec, key: tf.io.VarLenFeature(self.dtype)}

    def transform_feature(self, transformation_cache: Any, state_manager: Any) -> tuple[Any, Any]:
        """The ids, and a sparse tensor of their weights."""
        weights = dense_or_sparse(transformation_cache.get(self.weight_feature_key, state_manager))
        if self.dtype != weights.dtype:
            raise ValueError(f"Bad dtype, expected {self.dtype}, but got {weights.dtype}.")
        weights = as_sparse(weights, 0)
        if not weights.dtype.is_floating:
            weights = tf.cast(weights, tf.float32)
        return as_sparse(transformation_cache.get(self.categorical_column, state_manager)), weights

    def get_sparse_tensors(self, transformation_cache: Any, state_manager: Any) -> Any:
        """The ids and their weights."""
        return self.IdWeightPair(*transformation_cache.get(self, state_manager))

    @property
    def parents(self) -> list:
        """The column of ids, and the key of the weights."""
        return [self.categorical_column, self.weight_feature_key]


@registered
class SequenceCategoricalColumn(_OfAnother, namedtuple(
        "SequenceCategoricalColumn", ("categorical_column",))):
    """Ids of each step of a sequence; see `tf.feature_column.sequence_categorical_column_…`."""

    @property
    def name(self) -> str:
        """The name of the ids."""
        return self.categorical_column.name

    def transform_feature(self, transformation_cache: Any, state_manager: Any) -> Any:
        """What the column of ids makes."""
        return self.categorical_column.transform_feature(transformation_cache, state_manager)

    def get_sparse_tensors(self, transformation_cache: Any, state_manager: Any) -> Any:
        """The ids with a third axis, so that those of different steps are not combined."""
        ids, weights = self.categorical_column.get_sparse_tensors(
            transformation_cache, state_manager)
        shape = tf.shape(ids)
        shape = [shape[0], shape[1], tf.reduce_prod(shape[2:])]
        weights = None if weights is None else tf.sparse.reshape(weights, shape)
        return self.IdWeightPair(tf.sparse.reshape(ids, shape), weights)

    @property
    def parents(self) -> list:
        """The column of ids."""
        return [self.categorical_column]


@registered
class CrossedColumn(CategoricalColumn, namedtuple(
        "CrossedColumn", ("keys", "hash_bucket_size", "hash_key"))):
    """See `tf.feature_column.crossed_column`."""

    @property
    def name(self) -> str:
        """The names of all that is crossed."""
        return "_X_".join(sorted(key if isinstance(key, str) else key.name
                                 for key in _leaves(self)))

    @property
    def parse_example_spec(self) -> dict[str, Any]:
        """Those of all that is crossed; a bare key is one of text."""
        spec: dict[str, Any] = {}
        for key in self.keys:
            spec.update(key.parse_example_spec if isinstance(key, FeatureColumn) else
                        {key: tf.io.VarLenFeature(tf.string)})
        return spec

    def transform_feature(self, transformation_cache: Any, state_manager: Any) -> Any:
        """The hash of each combination."""
        crossed = []
        for key in _leaves(self):
            if isinstance(key, str):
                crossed.append(transformation_cache.get(key, state_manager))
                continue
            ids, weights = key.get_sparse_tensors(transformation_cache, state_manager)
            if weights is not None:
                raise ValueError("crossed_column does not support weight_tensor, but the given "
                                 f"column populates weight_tensor. Given column: {key.name}")
            crossed.append(ids)
        return tf.sparse.cross_hashed(crossed, self.hash_bucket_size, self.hash_key)

    @property
    def num_buckets(self) -> int:
        """As many as the hash has."""
        return self.hash_bucket_size

    def get_sparse_tensors(self, transformation_cache: Any, state_manager: Any) -> Any:
        """The ids, without weights."""
        return self.IdWeightPair(transformation_cache.get(self, state_manager), None)

    @property
    def parents(self) -> list:
        """All that is crossed."""
        return list(self.keys)


def _leaves(cross: CrossedColumn) -> list:
    """Keys and columns that are crossed, those of crosses of crosses too."""
    return [leaf for key in cross.keys
            for leaf in (_leaves(key) if isinstance(key, CrossedColumn) else [key])]


# -- public functions ------------------------------------------------------------------------------
@export("feature_column.categorical_column_with_hash_bucket")
def categorical_column_with_hash_bucket(key: str, hash_bucket_size: int,
                                        dtype: Any = tf.string) -> HashedCategoricalColumn:
    """A column whose ids are hashes.

    >>> words = tf.feature_column.categorical_column_with_hash_bucket("words", 100)
    >>> tf.feature_column.make_parse_example_spec([words])
    {'words': VarLenFeature(dtype=tf.string)}
    """
    if hash_bucket_size is None:
        raise ValueError(f"hash_bucket_size must be set. key: {key}")
    if hash_bucket_size < 1:
        raise ValueError("hash_bucket_size must be at least 1. "
                         f"hash_bucket_size: {hash_bucket_size}, key: {key}")
    check_key(key)
    check_string_or_int(dtype, f"column_name: {key}")
    return HashedCategoricalColumn(key, hash_bucket_size, dtype)


def _check_others(key: str, num_oov_buckets: Any, has_default: bool) -> None:
    if num_oov_buckets and has_default:
        raise ValueError(f"Can't specify both num_oov_buckets and default_value in {key}.")
    if num_oov_buckets and num_oov_buckets < 0:
        raise ValueError(f"Invalid num_oov_buckets {num_oov_buckets} in {key}.")


@export("feature_column.categorical_column_with_vocabulary_file")
def categorical_column_with_vocabulary_file(
        key: str, vocabulary_file: str, vocabulary_size: int | None = None,
        dtype: Any = tf.string, default_value: int | None = None, num_oov_buckets: int = 0,
        file_format: str | None = None) -> VocabularyFileCategoricalColumn:
    """A column whose ids are the numbers of lines in a file.

    >>> with open("words.txt", "w") as file:
    ...     _ = file.write("yes\\nno\\n")
    >>> tf.feature_column.categorical_column_with_vocabulary_file("word", "words.txt").num_buckets
    2
    """
    if not vocabulary_file:
        raise ValueError(f"Missing vocabulary_file in {key}.")
    if file_format is None and vocabulary_file.endswith("tfrecord.gz"):
        file_format = "tfrecord_gzip"
    if vocabulary_size is None:
        vocabulary_size = _size_of(key, vocabulary_file, file_format)
    if vocabulary_size < 1:
        raise ValueError(f"Invalid vocabulary_size in {key}.")
    _check_others(key, num_oov_buckets, default_value is not None)
    check_string_or_int(dtype, f"column_name: {key}")
    check_key(key)
    return VocabularyFileCategoricalColumn(
        key, vocabulary_file, vocabulary_size, num_oov_buckets or 0, dtype,
        -1 if default_value is None else default_value, file_format)


def _size_of(key: str, vocabulary_file: str, file_format: str | None) -> int:
    if not tf.io.gfile.exists(vocabulary_file):
        raise ValueError(f"vocabulary_file in {key} does not exist.")
    if file_format == "tfrecord_gzip":
        return sum(1 for _ in tf.data.TFRecordDataset(vocabulary_file, "GZIP"))
    with tf.io.gfile.GFile(vocabulary_file, "rb") as file:
        return sum(1 for _ in file)


@export("feature_column.categorical_column_with_vocabulary_list")
def categorical_column_with_vocabulary_list(
        key: str, vocabulary_list: Any, dtype: Any = None, default_value: int = -1,
        num_oov_buckets: int = 0) -> VocabularyListCategoricalColumn:
    """A column whose ids are places in a list.

    >>> colour = tf.feature_column.categorical_column_with_vocabulary_list("colour", ["R", "G"])
    >>> colour.num_buckets
    2
    """
    if vocabulary_list is None or len(vocabulary_list) < 1:
        raise ValueError(f"vocabulary_list {vocabulary_list} must be non-empty, "
                         f"column_name: {key}")
    if len(set(vocabulary_list)) != len(vocabulary_list):
        raise ValueError(f"Duplicate keys in vocabulary_list {vocabulary_list}, "
                         f"column_name: {key}")
    _check_others(key, num_oov_buckets, default_value != -1)
    found = dtypes.as_dtype(np.array(vocabulary_list).dtype)
    check_string_or_int(found, f"column_name: {key} vocabulary")
    if dtype is None:
        dtype = found
    elif dtype.is_integer != found.is_integer:
        raise ValueError(f"dtype {dtype} and vocabulary dtype {found} do not match, "
                         f"column_name: {key}")
    check_string_or_int(dtype, f"column_name: {key}")
    check_key(key)
    return VocabularyListCategoricalColumn(key, tuple(vocabulary_list), dtype, default_value,
                                           num_oov_buckets)


@export("feature_column.categorical_column_with_identity")
def categorical_column_with_identity(key: str, num_buckets: int, default_value: int | None = None,
                                     ) -> IdentityCategoricalColumn:
    """A column whose ids are its integers.

    >>> tf.feature_column.categorical_column_with_identity("day", num_buckets=7).num_buckets
    7
    """
    if num_buckets < 1:
        raise ValueError(f"num_buckets {num_buckets} < 1, column_name {key}")
    if default_value is not None and not 0 <= default_value < num_buckets:
        raise ValueError(f"default_value {default_value} not in range [0, {num_buckets}), "
                         f"column_name {key}")
    check_key(key)
    return IdentityCategoricalColumn(key, num_buckets, default_value)


@export("feature_column.weighted_categorical_column")
def weighted_categorical_column(categorical_column: Any, weight_feature_key: str,
                                dtype: Any = tf.float32) -> WeightedCategoricalColumn:
    """A column of ids with weights that are another feature.

    >>> day = tf.feature_column.categorical_column_with_identity("day", num_buckets=7)
    >>> tf.feature_column.weighted_categorical_column(day, "hours").name
    'day_weighted_by_hours'
    """
    if dtype is None or not (dtype.is_integer or dtype.is_floating):
        raise ValueError(f"dtype {dtype} is not convertible to float.")
    return WeightedCategoricalColumn(categorical_column, weight_feature_key, dtype)


@export("feature_column.crossed_column")
def crossed_column(keys: Any, hash_bucket_size: int, hash_key: int | None = None) -> CrossedColumn:
    """A column whose ids are hashes of combinations of other columns' ids.

    >>> tf.feature_column.crossed_column(["colour", "size"], 10).name
    'colour_X_size'
    """
    if not hash_bucket_size or hash_bucket_size < 1:
        raise ValueError(f"hash_bucket_size must be > 1. hash_bucket_size: {hash_bucket_size}")
    if not keys or len(keys) < 2:
        raise ValueError(f"keys must be a list with length > 1. Given: {keys}")
    for key in keys:
        if not isinstance(key, (str, CategoricalColumn)):
            raise ValueError("Unsupported key type. All keys must be either string, or "
                             f"categorical column except HashedCategoricalColumn. Given: {key}")
        if isinstance(key, HashedCategoricalColumn):
            raise ValueError(
                "categorical_column_with_hash_bucket is not supported for crossing. Hashing before "
                "crossing will increase probability of collision. Instead, use the feature name as "
                f"a string. Given: {key}")
    return CrossedColumn(tuple(keys), hash_bucket_size, hash_key)


@export("feature_column.sequence_categorical_column_with_identity")
def sequence_categorical_column_with_identity(
        key: str, num_buckets: int, default_value: int | None = None) -> SequenceCategoricalColumn:
    """A column of sequences whose ids are their integers.

    >>> tf.feature_column.sequence_categorical_column_with_identity("days", 7).num_buckets
    7
    """
    return SequenceCategoricalColumn(
        categorical_column_with_identity(key, num_buckets, default_value))


@export("feature_column.sequence_categorical_column_with_hash_bucket")
def sequence_categorical_column_with_hash_bucket(
        key: str, hash_bucket_size: int, dtype: Any = tf.string) -> SequenceCategoricalColumn:
    """A column of sequences whose ids are hashes.

    >>> tf.feature_column.sequence_categorical_column_with_hash_bucket("words", 100).num_buckets
    100
    """
    return SequenceCategoricalColumn(
        categorical_column_with_hash_bucket(key, hash_bucket_size, dtype))


@export("feature_column.sequence_categorical_column_with_vocabulary_file")
def sequence_categorical_column_with_vocabulary_file(
        key: str, vocabulary_file: str, vocabulary_size: int | None = None,
        num_oov_buckets: int = 0, default_value: int | None = None,
        dtype: Any = tf.string) -> SequenceCategoricalColumn:
    """A column of sequences whose ids are the numbers of lines in a file.

    >>> with open("words.txt", "w") as file:
    ...     _ = file.write("yes\\nno\\n")
    >>> tf.feature_column.sequence_categorical_column_with_vocabulary_file(
    ...     "words", "words.txt").num_buckets
    2
    """
    return SequenceCategoricalColumn(categorical_column_with_vocabulary_file(
        key, vocabulary_file, vocabulary_size, dtype, default_value, num_oov_buckets))


@export("feature_column.sequence_categorical_column_with_vocabulary_list")
def sequence_categorical_column_with_vocabulary_list(
        key: str, vocabulary_list: Any, dtype: Any = None, default_value: int = -1,
        num_oov_buckets: int = 0) -> SequenceCategoricalColumn:
    """A column of sequences whose ids are places in a list.

    >>> tf.feature_column.sequence_categorical_column_with_vocabulary_list(
    ...     "colours", ["R", "G"]).num_buckets
    2
    """
    return SequenceCategoricalColumn(categorical_column_with_vocabulary_list(
        key, vocabulary_list, dtype, default_value, num_oov_buckets))
