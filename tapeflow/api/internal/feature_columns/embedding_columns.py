"""Dense columns of categorical ones: indicators, embeddings, shared embeddings."""

from __future__ import annotations

import math
import weakref
from collections import namedtuple
from typing import Any

import tapeflow as tf
from tapeflow.api.internal.feature_columns.categorical_columns import (
    SequenceCategoricalColumn,
    WeightedCategoricalColumn,
)
from tapeflow.api.internal.feature_columns.column_kinds import (
    CategoricalColumn,
    DenseColumn,
    SequenceDenseColumn,
    registered,
)
from tapeflow.api.internal.feature_columns.column_state import sequence_lengths
from tapeflow.base.exports import export
from tapeflow.base.shapes import TensorShape
from tapeflow.core.scopes import open_graph
from tapeflow.core.values.tracking import AutoTrackable


class _OfIds(DenseColumn, SequenceDenseColumn):
    """Dense rows made of ids."""

    categorical_column: Any
    _made_by = "embedding_column"

    @property
    def parse_example_spec(self) -> dict[str, Any]:
        """That of the ids."""
        return self.categorical_column.parse_example_spec

    def transform_feature(self, transformation_cache: Any, state_manager: Any) -> Any:
        """The ids."""
        return transformation_cache.get(self.categorical_column, state_manager)

    def _rows(self, transformation_cache: Any, state_manager: Any) -> Any:
        raise NotImplementedError

    def get_dense_tensor(self, transformation_cache: Any, state_manager: Any) -> Any:
        """A row for each example."""
        if isinstance(self.categorical_column, SequenceCategoricalColumn):
            raise ValueError(
                f"In {self._made_by}: {self.name}. categorical_column must not be of type "
                "SequenceCategoricalColumn. Suggested fix A: If you wish to use DenseFeatures, use "
                "a non-sequence categorical_column_with_*. Suggested fix B: If you wish to create "
                "sequence input, use SequenceFeatures instead of DenseFeatures. Given (type "
                f"{type(self.categorical_column)}): {self.categorical_column}")
        return self._rows(transformation_cache, state_manager)

    def get_sequence_dense_tensor(self, transformation_cache: Any, state_manager: Any) -> Any:
        """A row for each step of a sequence."""
        if not isinstance(self.categorical_column, SequenceCategoricalColumn):
            raise ValueError(
                f"In {self._made_by}: {self.name}. categorical_column must be of type "
                "SequenceCategoricalColumn to use SequenceFeatures. Suggested fix: Use one of "
                "sequence_categorical_column_with_*. Given (type "
                f"{type(self.categorical_column)}): {self.categorical_column}")
        rows = self._rows(transformation_cache, state_manager)
        ids = self.categorical_column.get_sparse_tensors(transformation_cache, state_manager)
        return self.TensorSequenceLengthPair(rows, sequence_lengths(ids.id_tensor))

    @property
    def parents(self) -> list:
        """The column of ids."""
        return [self.categorical_column]


@registered
class IndicatorColumn(_OfIds, namedtuple("IndicatorColumn", ("categorical_column",))):
    """See `tf.feature_column.indicator_column`."""

    _made_by = "indicator_column"

    @property
    def name(self) -> str:
        """The name of the ids, and what is made of them."""
        return f"{self.categorical_column.name}_indicator"

    def transform_feature(self, transformation_cache: Any, state_manager: Any) -> Any:
        """How often each id occurs, or the sum of its weights."""
        ids, weights = self.categorical_column.get_sparse_tensors(
            transformation_cache, state_manager)
        size = self.categorical_column.num_buckets
        if weights is not None:
            return _summed(ids, weights, size)
        ones = tf.one_hot(tf.sparse.to_dense(ids, default_value=-1), size)
        return tf.reduce_sum(ones, axis=-2)

    @property
    def variable_shape(self) -> TensorShape:
        """One place for each id."""
        return TensorShape([1, self.categorical_column.num_buckets])

    def _rows(self, transformation_cache: Any, state_manager: Any) -> Any:
        return transformation_cache.get(self, state_manager)


def _summed(ids: Any, weights: Any, size: int) -> Any:
    """The weights of each id of a row, added up; ids outside mean nothing."""
    inside = tf.where((ids.values >= 0) & (ids.values < size))[:, 0]
    values = tf.cast(tf.gather(ids.values, inside), tf.int64)
    indices = tf.concat([tf.gather(ids.indices, inside)[:, :-1], values[:, None]], 1)
    shape = tf.concat([ids.dense_shape[:-1], [size]], 0)
    return tf.scatter_nd(indices, tf.gather(weights.values, inside), shape)


def _looked_up(column: Any, weights: Any, cache: Any, state_manager: Any) -> Any:
    """The rows of `weights` that a column's ids name, combined."""
    ids, factors = column.categorical_column.get_sparse_tensors(cache, state_manager)
    rank = ids.shape.rank
    bare = not column.use_safe_embedding_lookup and rank is not None and rank <= 2
    look_up = tf.nn.embedding_lookup_sparse if bare else tf.nn.safe_embedding_lookup_sparse
    return look_up(weights, ids, factors, combiner=column.combiner, max_norm=column.max_norm)


@registered
class EmbeddingColumn(_OfIds, namedtuple("EmbeddingColumn", (
        "categorical_column", "dimension", "combiner", "initializer", "ckpt_to_load_from",
        "tensor_name_in_ckpt", "max_norm", "trainable", "use_safe_embedding_lookup"),
        defaults=(True,))):
    """See `tf.feature_column.embedding_column`."""

    @property
    def name(self) -> str:
        """The name of the ids, and what is made of them."""
        return f"{self.categorical_column.name}_embedding"

    @property
    def variable_shape(self) -> TensorShape:
        """The size of an embedding."""
        return TensorShape([self.dimension])

    def create_state(self, state_manager: Any) -> None:
        """Make the table of embeddings, with the values of a checkpoint if one is named."""
        made = state_manager.create_variable(
            self, name="embedding_weights", dtype=tf.float32, trainable=self.trainable,
            shape=(self.categorical_column.num_buckets, self.dimension), use_resource=True,
            initializer=self.initializer)
        _load(made, self.ckpt_to_load_from, self.tensor_name_in_ckpt)

    def _rows(self, transformation_cache: Any, state_manager: Any) -> Any:
        weights = state_manager.get_variable(self, name="embedding_weights")
        return _looked_up(self, weights, transformation_cache, state_manager)


def _load(variable: Any, checkpoint: str | None, name: str | None) -> None:
    if checkpoint is not None:
        variable.assign(tf.train.load_variable(checkpoint, name))


class SharedEmbeddingColumnCreator(AutoTrackable):
    """The table that columns share; it is made when a column is first read."""

    def __init__(self, dimension: int, initializer: Any, ckpt_to_load_from: str | None,
                 tensor_name_in_ckpt: str | None, num_buckets: int, trainable: bool,
                 name: str = "shared_embedding_column_creator",
                 use_safe_embedding_lookup: bool = True):
        self.dimension, self._initializer = dimension, initializer
        self._checkpoint = ckpt_to_load_from, tensor_name_in_ckpt
        self._num_buckets, self._trainable, self._name = num_buckets, trainable, name
        self._use_safe_embedding_lookup = use_safe_embedding_lookup
        self._weights: Any = None
        self._in_graphs: Any = weakref.WeakKeyDictionary()  # each tf.Graph has a table of its own

    def __call__(self, categorical_column: Any, combiner: str,
                 max_norm: float | None) -> SharedEmbeddingColumn:
        return SharedEmbeddingColumn(categorical_column, self, combiner, max_norm,
                                     self._use_safe_embedding_lookup)

    @property
    def embedding_weights(self) -> Any:
        """The table."""
        graph = open_graph()
        found = self._weights if graph is None else self._in_graphs.get(graph)
        if found is None:
            found = tf.compat.v1.get_variable(
                name=self._name, shape=(self._num_buckets, self.dimension), dtype=tf.float32,
                initializer=self._initializer, trainable=self._trainable)
            _load(found, *self._checkpoint)
            if graph is None:
                self._weights = found
            else:
                self._in_graphs[graph] = found
        return found


@registered
class SharedEmbeddingColumn(_OfIds, namedtuple("SharedEmbeddingColumn", (
        "categorical_column", "shared_embedding_column_creator", "combiner", "max_norm",
        "use_safe_embedding_lookup"), defaults=(True,))):
    """See `tf.feature_column.shared_embeddings`."""

    @property
    def name(self) -> str:
        """The name of the ids, and what is made of them."""
        return f"{self.categorical_column.name}_shared_embedding"

    @property
    def variable_shape(self) -> TensorShape:
        """The size of an embedding."""
        return TensorShape([self.shared_embedding_column_creator.dimension])

    def _rows(self, transformation_cache: Any, state_manager: Any) -> Any:
        weights = self.shared_embedding_column_creator.embedding_weights
        return _looked_up(self, weights, transformation_cache, state_manager)


# -- public functions ------------------------------------------------------------------------------
@export("feature_column.indicator_column")
def indicator_column(categorical_column: Any) -> IndicatorColumn:
    """A dense column that says how often each id occurs.

    >>> day = tf.feature_column.categorical_column_with_identity("day", num_buckets=7)
    >>> tf.feature_column.indicator_column(day).variable_shape
    TensorShape([1, 7])
    """
    if not isinstance(categorical_column, CategoricalColumn):
        raise ValueError("Unsupported input type. Input must be a CategoricalColumn. "
                         f"Given: {categorical_column}")
    return IndicatorColumn(categorical_column)


def _checked_initializer(dimension: Any, initializer: Any, ckpt_to_load_from: Any,
                         tensor_name_in_ckpt: Any, where: str = "") -> Any:
    if dimension is None or dimension < 1:
        raise ValueError(f"Invalid dimension {dimension}.")
    if (ckpt_to_load_from is None) != (tensor_name_in_ckpt is None):
        raise ValueError("Must specify both `ckpt_to_load_from` and `tensor_name_in_ckpt` or none "
                         "of them.")
    if initializer is None:
        return tf.compat.v1.truncated_normal_initializer(0.0, 1 / math.sqrt(dimension))
    if not callable(initializer):
        raise ValueError(f"initializer must be callable if specified.{where}")
    return initializer


@export("feature_column.embedding_column")
def embedding_column(categorical_column: Any, dimension: int, combiner: str = "mean",
                     initializer: Any = None, ckpt_to_load_from: str | None = None,
                     tensor_name_in_ckpt: str | None = None, max_norm: float | None = None,
                     trainable: bool = True,
                     use_safe_embedding_lookup: bool = True) -> EmbeddingColumn:
    """A dense column that learns a vector for each id.

    >>> day = tf.feature_column.categorical_column_with_identity("day", num_buckets=7)
    >>> tf.feature_column.embedding_column(day, dimension=3).name
    'day_embedding'
    """
    initializer = _checked_initializer(
        dimension, initializer, ckpt_to_load_from, tensor_name_in_ckpt,
        f" Embedding of column_name: {getattr(categorical_column, 'name', categorical_column)}")
    return EmbeddingColumn(categorical_column, dimension, combiner, initializer,
                           ckpt_to_load_from, tensor_name_in_ckpt, max_norm, trainable,
                           use_safe_embedding_lookup)


def _innermost(column: Any) -> Any:
    while isinstance(column, (WeightedCategoricalColumn, SequenceCategoricalColumn)):
        column = column.categorical_column
    return column


def _check_alike(columns: list) -> None:
    first, size = columns[0], columns[0].num_buckets
    if not isinstance(first, CategoricalColumn):
        raise ValueError("All categorical_columns must be subclasses of CategoricalColumn. "
                         f"Given: {first}, of type: {type(first)}")
    first = _innermost(first)
    for column in map(_innermost, columns[1:]):
        if not isinstance(column, type(first)):
            raise ValueError(
                "To use shared_embedding_column, all categorical_columns must have the same type, "
                "or be weighted_categorical_column or sequence column of the same type. Given "
                f"column: {first} of type: {type(first)} does not match given column: {column} of "
                f"type: {type(column)}")
        if size != column.num_buckets:
            raise ValueError(
                "To use shared_embedding_column, all categorical_columns must have the same number "
                f"of buckets. Given column: {first} with buckets: {size} does  not match column: "
                f"{column} with buckets: {column.num_buckets}")


@export("feature_column.shared_embeddings")
def shared_embeddings(categorical_columns: Any, dimension: int, combiner: str = "mean",
                      initializer: Any = None, shared_embedding_collection_name: str | None = None,
                      ckpt_to_load_from: str | None = None, tensor_name_in_ckpt: str | None = None,
                      max_norm: float | None = None, trainable: bool = True,
                      use_safe_embedding_lookup: bool = True) -> list[SharedEmbeddingColumn]:
    """Dense columns that learn one vector for each id together, in a `tf.Graph`.

    >>> with tf.Graph().as_default():
    ...     days = [tf.feature_column.categorical_column_with_identity(name, num_buckets=7)
    ...             for name in ("start", "end")]
    ...     [column.name for column in tf.feature_column.shared_embeddings(days, dimension=3)]
    ['start_shared_embedding', 'end_shared_embedding']
    """
    if tf.executing_eagerly():
        raise RuntimeError("shared_embedding_columns are not supported when eager execution is "
                           "enabled.")
    initializer = _checked_initializer(dimension, initializer, ckpt_to_load_from,
                                       tensor_name_in_ckpt)
    columns = sorted(categorical_columns, key=lambda column: column.name)
    _check_alike(columns)
    name = shared_embedding_collection_name or (
        "_".join(column.name for column in columns) + "_shared_embedding")
    make = SharedEmbeddingColumnCreator(
        dimension, initializer, ckpt_to_load_from, tensor_name_in_ckpt, columns[0].num_buckets,
        trainable, name, use_safe_embedding_lookup)
    return [make(column, combiner, max_norm) for column in categorical_columns]
