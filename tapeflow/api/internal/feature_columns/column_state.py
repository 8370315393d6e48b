"""Features and what columns made of them, each computed once; variables and tables of columns."""

from __future__ import annotations

import contextlib
from collections import defaultdict
from collections.abc import Iterator
from typing import Any

import tapeflow as tf
from tapeflow.api.internal.feature_columns.column_kinds import FeatureColumn
from tapeflow.base.exports import export
from tapeflow.core.values.tensor import Tensor
from tapeflow.core.values.tracking import Trackable


@export("__internal__.feature_column.FeatureTransformationCache")
class FeatureTransformationCache:
    """The features of a batch by their keys, and what columns make of them, each made once."""

    def __init__(self, features: dict[str, Any]):
        self._features = features.copy()
        self._feature_tensors: dict[Any, Any] = {}

    def get(self, key: Any, state_manager: Any, training: Any = None) -> Any:
        """A feature, at least a matrix, by its key; or what a column makes of its features."""
        if key in self._feature_tensors:
            return self._feature_tensors[key]
        if key in self._features:
            made = _at_least_matrix(key, dense_or_sparse(self._features[key]))
        elif isinstance(key, str):
            raise ValueError(f"Feature {key} is not in features dictionary.")
        elif not isinstance(key, FeatureColumn):
            raise TypeError(f'"key" must be either a "str" or "FeatureColumn". Provided: {key}')
        else:
            made = _transformed(key, self, state_manager, training)
        self._feature_tensors[key] = made
        return made


def _transformed(column: Any, cache: FeatureTransformationCache, state_manager: Any,
                 training: Any) -> Any:
    try:  # columns of users may ask whether the model is being trained
        made = column.transform_feature(cache, state_manager, training=training)
    except TypeError:
        made = column.transform_feature(cache, state_manager)
    if made is None:
        raise ValueError(f"Column {column.name} is not supported.")
    return made


def dense_or_sparse(value: Any) -> Any:
    """A sparse tensor as it is; anything else as a tensor."""
    sparse = (tf.SparseTensor, tf.compat.v1.SparseTensorValue)
    return tf.SparseTensor.from_value(value) if isinstance(value, sparse) else (
        tf.convert_to_tensor(value))


def _as_column(value: Any) -> Any:
    if isinstance(value, tf.SparseTensor):
        return tf.sparse.reshape(value, [tf.shape(value)[0], 1])
    return tf.expand_dims(value, -1)


def _at_least_matrix(key: str, feature: Any) -> Any:
    rank = feature.shape.rank
    if rank == 0:
        raise ValueError(f"Feature (key: {key}) cannot have rank 0. Given: {feature}")
    if rank is not None:
        return _as_column(feature) if rank == 1 else feature
    tf.debugging.assert_positive(
        tf.rank(feature), message=f"Feature (key: {key}) cannot have rank 0. Given: {feature}")
    return tf.cond(tf.equal(1, tf.rank(feature)), lambda: _as_column(feature), lambda: feature)


def as_sparse(value: Any, ignored: Any = None) -> Any:
    """A dense tensor as a sparse one without the entries that mean nothing: '' or -1."""
    value = dense_or_sparse(value)
    if isinstance(value, tf.SparseTensor):
        return value
    if ignored is None:
        ignored = "" if value.dtype == tf.string else -1 if value.dtype.is_integer else 0
    indices = tf.where(tf.not_equal(value, tf.cast(ignored, value.dtype)))
    return tf.SparseTensor(indices, tf.gather_nd(value, indices),
                           tf.shape(value, out_type=tf.int64))


def sequence_lengths(ids: Any, num_elements: int = 1) -> Tensor:
    """How many steps each row of a sparse tensor has, of `num_elements` values each."""
    lengths = tf.math.segment_max(ids.indices[:, 1] + 1, ids.indices[:, 0])
    lengths = tf.cast(tf.math.ceil(lengths / num_elements), tf.int64)
    missing = tf.shape(ids)[:1] - tf.shape(lengths)[:1]  # last rows without a value
    return tf.concat([lengths, tf.zeros(missing, lengths.dtype)], 0)


@contextlib.contextmanager
def _untracked_weights(layer: Any) -> Iterator[None]:
    """`add_weight` tracks nothing here: two columns may call their variables the same."""
    before = getattr(layer, "_manual_tracking", True)
    layer._manual_tracking = False
    try:
        yield
    finally:
        layer._manual_tracking = before


@export("__internal__.feature_column.StateManager")
class StateManager:
    """Keeps the variables and tables of columns, for a layer that saves them as its own."""

    def __init__(self, layer: Any, trainable: bool):
        self._layer, self._trainable = layer, trainable
        if layer is not None and not hasattr(layer, "_resources"):
            layer._resources = tf.__internal__.tracking.wrap({})
        self._cols_to_vars_map: dict[Any, dict[str, Any]] = defaultdict(dict)
        self._cols_to_resources_map: dict[Any, dict[str, Any]] = defaultdict(dict)

    def create_variable(self, feature_column: Any, name: str, shape: Any, dtype: Any = None,
                        trainable: bool = True, use_resource: bool = True,
                        initializer: Any = None) -> Any:
        """Make a variable of a column, a weight of the layer."""
        if name in self._cols_to_vars_map[feature_column]:
            raise ValueError("Variable already exists.")
        with _untracked_weights(self._layer):
            made = self._layer.add_weight(
                name=name, shape=shape, dtype=dtype, initializer=initializer,
                trainable=self._trainable and trainable, use_resource=use_resource,
                getter=tf.compat.v1.get_variable)
        if isinstance(made, Trackable):
            self._layer._track_trackable(made, f"{feature_column.name}/{name}")
        self._cols_to_vars_map[feature_column][name] = made
        return made

    def get_variable(self, feature_column: Any, name: str) -> Any:
        """The variable of a column that has a name."""
        if name not in self._cols_to_vars_map[feature_column]:
            raise ValueError("Variable does not exist.")
        return self._cols_to_vars_map[feature_column][name]

    def add_resource(self, feature_column: Any, resource_name: str, resource: Any) -> None:
        """Keep a table of a column."""
        self._cols_to_resources_map[feature_column][resource_name] = resource
        if self._layer is not None and isinstance(resource, Trackable):
            kept = self._layer._resources
            if feature_column.name not in kept:
                kept[feature_column.name] = tf.__internal__.tracking.wrap({})
            kept[feature_column.name].setdefault(resource_name, resource)

    def has_resource(self, feature_column: Any, resource_name: str) -> bool:
        """Whether a column has a table of a name."""
        return resource_name in self._cols_to_resources_map[feature_column]

    def get_resource(self, feature_column: Any, resource_name: str) -> Any:
        """The table of a column that has a name."""
        if not self.has_resource(feature_column, resource_name):
            raise ValueError("Resource does not exist.")
        return self._cols_to_resources_map[feature_column][resource_name]
