"""Columns of numbers: as they are, in buckets, and of sequences."""

from __future__ import annotations

from collections import namedtuple
from typing import Any

import tapeflow as tf
from tapeflow.api.internal.feature_columns.column_kinds import (
    CategoricalColumn,
    DenseColumn,
    OfOneFeature,
    SequenceDenseColumn,
    check_key,
    registered,
)
from tapeflow.api.internal.feature_columns.column_state import sequence_lengths
from tapeflow.base import nest
from tapeflow.base.exports import export
from tapeflow.base.shapes import TensorShape


@registered
class NumericColumn(OfOneFeature, DenseColumn, namedtuple(
        "NumericColumn", ("key", "shape", "default_value", "dtype", "normalizer_fn"))):
    """See `tf.feature_column.numeric_column`."""

    @property
    def parse_example_spec(self) -> dict[str, Any]:
        """A feature of a fixed shape."""
        return {self.key: tf.io.FixedLenFeature(self.shape, self.dtype, self.default_value)}

    def transform_feature(self, transformation_cache: Any, state_manager: Any) -> Any:
        """The feature, normalised, as float32."""
        value = transformation_cache.get(self.key, state_manager)
        if isinstance(value, tf.SparseTensor):
            raise ValueError("The corresponding Tensor of numerical column must be a Tensor. "
                             f"SparseTensor is not supported. key: {self.key}")
        if self.normalizer_fn is not None:
            value = self.normalizer_fn(value)
        return tf.cast(value, tf.float32)

    @property
    def variable_shape(self) -> TensorShape:
        """The shape of an example's numbers."""
        return TensorShape(self.shape)

    def get_dense_tensor(self, transformation_cache: Any, state_manager: Any) -> Any:
        """The numbers."""
        return transformation_cache.get(self, state_manager)


@registered
class BucketizedColumn(DenseColumn, CategoricalColumn, namedtuple(
        "BucketizedColumn", ("source_column", "boundaries"))):
    """See `tf.feature_column.bucketized_column`."""

    @property
    def name(self) -> str:
        """The name of the numbers, and what is done to them."""
        return f"{self.source_column.name}_bucketized"

    @property
    def parse_example_spec(self) -> dict[str, Any]:
        """That of the numbers."""
        return self.source_column.parse_example_spec

    def transform_feature(self, transformation_cache: Any, state_manager: Any) -> Any:
        """The number of each value's bucket."""
        value = transformation_cache.get(self.source_column, state_manager)
        return tf.raw_ops.Bucketize(input=value, boundaries=list(self.boundaries))

    @property
    def variable_shape(self) -> TensorShape:
        """One place for each bucket of each number."""
        return TensorShape((*self.source_column.shape, len(self.boundaries) + 1))

    def get_dense_tensor(self, transformation_cache: Any, state_manager: Any) -> Any:
        """One-hot buckets."""
        buckets = transformation_cache.get(self, state_manager)
        return tf.one_hot(tf.cast(buckets, tf.int64), len(self.boundaries) + 1)

    @property
    def num_buckets(self) -> int:
        """Those of all numbers of an example."""
        return (len(self.boundaries) + 1) * self.source_column.shape[0]

    def get_sparse_tensors(self, transformation_cache: Any, state_manager: Any) -> Any:
        """Ids of buckets: those of the second number follow those of the first."""
        buckets = transformation_cache.get(self, state_manager)
        batch, size = tf.shape(buckets)[0], self.source_column.shape[0]
        rows, columns = tf.meshgrid(tf.range(batch), tf.range(size), indexing="ij")
        ids = tf.reshape(buckets + (len(self.boundaries) + 1) * columns, [-1])
        indices = tf.cast(tf.stack([tf.reshape(rows, [-1]), tf.reshape(columns, [-1])], 1),
                          tf.int64)
        return self.IdWeightPair(
            tf.SparseTensor(indices, ids, tf.cast(tf.stack([batch, size]), tf.int64)), None)

    @property
    def parents(self) -> list:
        """The column of the numbers."""
        return [self.source_column]


@registered
class SequenceNumericColumn(OfOneFeature, SequenceDenseColumn, namedtuple(
        "SequenceNumericColumn", ("key", "shape", "default_value", "dtype", "normalizer_fn"))):
    """See `tf.feature_column.sequence_numeric_column`."""

    def transform_feature(self, transformation_cache: Any, state_manager: Any) -> Any:
        """The sparse feature, normalised."""
        value = transformation_cache.get(self.key, state_manager)
        return value if self.normalizer_fn is None else self.normalizer_fn(value)

    @property
    def variable_shape(self) -> TensorShape:
        """The shape of a step's numbers."""
        return TensorShape(self.shape)

    def get_sequence_dense_tensor(self, transformation_cache: Any, state_manager: Any) -> Any:
        """The steps, padded to the longest sequence."""
        sparse = transformation_cache.get(self, state_manager)
        dense = tf.sparse.to_dense(sparse, default_value=self.default_value)
        dense = tf.reshape(dense, tf.concat([tf.shape(dense)[:1], [-1], self.shape], 0))
        # of three axes the last is a step's numbers; of two, steps lie side by side
        numbers = self.variable_shape.num_elements() if sparse.shape.rank == 2 else 1
        return self.TensorSequenceLengthPair(dense, sequence_lengths(sparse, numbers or 1))


# -- public functions ------------------------------------------------------------------------------
def _checked_shape(shape: Any, key: Any) -> tuple[int, ...]:
    shape = tuple(shape) if nest.is_nested(shape) or isinstance(shape, TensorShape) else (shape,)
    for size in shape:
        if not isinstance(size, int):
            raise TypeError(f"shape dimensions must be integer. shape: {shape}, key: {key}")
        if size < 1:
            raise ValueError(f"shape dimensions must be greater than 0. shape: {shape}, "
                             f"key: {key}")
    return shape


def _check_numbers(dtype: Any, normalizer_fn: Any, key: Any) -> None:
    if not (dtype.is_integer or dtype.is_floating):
        raise ValueError(f"dtype must be convertible to float. dtype: {dtype}, key: {key}")
    if normalizer_fn is not None and not callable(normalizer_fn):
        raise TypeError(f"normalizer_fn must be a callable. Given: {normalizer_fn}")


def _filled(shape: tuple[int, ...], value: Any) -> Any:
    return tuple(_filled(shape[1:], value) for _ in range(shape[0])) if shape else value


def _as_tuples(value: Any) -> Any:
    return tuple(map(_as_tuples, value)) if nest.is_nested(value) else value


def _fits(value: Any, shape: tuple[int, ...]) -> bool:
    if nest.is_nested(value) != bool(shape):
        return False
    return not shape or len(value) == shape[0] and all(_fits(one, shape[1:]) for one in value)


def _default_of(shape: tuple[int, ...], value: Any, dtype: Any, key: Any) -> Any:
    """A default value in the shape of the feature, as tuples."""
    if value is None:
        return None
    if isinstance(value, int) or isinstance(value, float) and dtype.is_floating:
        return _filled(shape, value)
    value = value.tolist() if callable(getattr(value, "tolist", None)) else value
    if nest.is_nested(value):
        if not _fits(value, shape):
            raise ValueError("The shape of default_value must be equal to given shape. "
                             f"default_value: {value}, shape: {shape}, key: {key}")
        numbers = nest.flatten(value)
        if all(isinstance(one, int) for one in numbers):
            return _as_tuples(value)
        if dtype.is_floating and any(isinstance(one, float) for one in numbers):
            return _as_tuples(value)
    raise TypeError("default_value must be compatible with dtype. "
                    f"default_value: {value}, dtype: {dtype}, key: {key}")


@export("feature_column.numeric_column")
def numeric_column(key: str, shape: Any = (1,), default_value: Any = None,
                   dtype: Any = tf.float32, normalizer_fn: Any = None) -> NumericColumn:
    """A column of numbers.

    >>> column = tf.feature_column.numeric_column("price", shape=2)
    >>> tf.feature_column.make_parse_example_spec([column])
    {'price': FixedLenFeature(shape=(2,), dtype=tf.float32, default_value=None)}
    """
    shape = _checked_shape(shape, key)
    _check_numbers(dtype, None, key)
    default_value = _default_of(shape, default_value, dtype, key)
    _check_numbers(dtype, normalizer_fn, key)
    check_key(key)
    return NumericColumn(key, shape, default_value, dtype, normalizer_fn)


@export("feature_column.bucketized_column")
def bucketized_column(source_column: Any, boundaries: Any) -> BucketizedColumn:
    """A column of numbers in buckets, one more than there are boundaries.

    >>> price = tf.feature_column.numeric_column("price")
    >>> tf.feature_column.bucketized_column(price, [10, 20]).num_buckets
    3
    """
    if not isinstance(source_column, NumericColumn):
        raise ValueError("source_column must be a column generated with numeric_column(). "
                         f"Given: {source_column}")
    if len(source_column.shape) > 1:
        raise ValueError(f"source_column must be one-dimensional column. Given: {source_column}")
    if not boundaries:
        raise ValueError("boundaries must not be empty.")
    if not isinstance(boundaries, (list, tuple)) or any(
            low >= high for low, high in zip(boundaries, boundaries[1:])):
        raise ValueError("boundaries must be a sorted list.")
    return BucketizedColumn(source_column, tuple(boundaries))


@export("feature_column.sequence_numeric_column")
def sequence_numeric_column(key: str, shape: Any = (1,), default_value: Any = 0.0,
                            dtype: Any = tf.float32,
                            normalizer_fn: Any = None) -> SequenceNumericColumn:
    """A column of sequences of numbers, padded with `default_value`.

    >>> tf.feature_column.sequence_numeric_column("temperature").variable_shape
    TensorShape([1])
    """
    shape = _checked_shape(shape, key)
    _check_numbers(dtype, normalizer_fn, key)
    return SequenceNumericColumn(key, shape, default_value, dtype, normalizer_fn)
