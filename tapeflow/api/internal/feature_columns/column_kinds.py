"""What feature columns are: the abstract classes, parsing of examples, and configurations."""

from __future__ import annotations

import abc
import inspect
from collections import namedtuple
from collections.abc import Iterable
from typing import Any

import tapeflow as tf
from tapeflow.base import dtypes
from tapeflow.base.exports import export
from tapeflow.base.shapes import TensorShape

REGISTERED: dict[str, type] = {}  # the classes that configurations name


def registered(kind: Any) -> Any:
    """Decorator: configurations may name this class of columns."""
    REGISTERED[kind.__name__] = kind
    return kind


@export("__internal__.feature_column.FeatureColumn")
class FeatureColumn(metaclass=abc.ABCMeta):
    """A way to read a dict of features: columns are named tuples, equal when their fields are."""

    _is_v2_column = True

    @property
    @abc.abstractmethod
    def name(self) -> str:
        """The name, by which a model sorts its columns."""

    def __lt__(self, other: Any) -> bool:
        return str(self) < str(other)

    def __gt__(self, other: Any) -> bool:
        return str(self) > str(other)

    @abc.abstractmethod
    def transform_feature(self, transformation_cache: Any, state_manager: Any) -> Any:
        """The tensor, or sparse tensor, that the column makes of its features."""

    @property
    @abc.abstractmethod
    def parse_example_spec(self) -> dict[str, Any]:
        """What `tf.io.parse_example` needs to read the column's features."""

    def create_state(self, state_manager: Any) -> None:  # noqa: B027
        """Make the variables of the column; most have none."""

    @property
    @abc.abstractmethod
    def parents(self) -> list:
        """The columns and the keys of features that this one reads."""

    def get_config(self) -> dict[str, Any]:
        """The fields, in a form that `from_config` reads."""
        return {field: _stored(field, getattr(self, field)) for field in _fields(self)}

    @classmethod
    def from_config(cls, config: dict[str, Any], custom_objects: dict[str, Any] | None = None,
                    columns_by_name: dict[str, Any] | None = None) -> Any:
        """A column of what `get_config` gave."""
        if set(config) != set(_fields(cls)):
            raise ValueError(f"Invalid config: {config}, expected keys: {_fields(cls)}")
        return cls(**{field: _restored(field, value, custom_objects, columns_by_name)
                      for field, value in config.items()})


class OfOneFeature(FeatureColumn):
    """A column that is made of one feature, by whose key it goes."""

    key: str
    dtype: Any

    @property
    def name(self) -> str:
        """The key of the feature."""
        return self.key

    @property
    def parse_example_spec(self) -> dict[str, Any]:
        """A feature of any length."""
        return {self.key: tf.io.VarLenFeature(self.dtype)}

    @property
    def parents(self) -> list:
        """The key of the feature."""
        return [self.key]


@export("__internal__.feature_column.DenseColumn")
class DenseColumn(FeatureColumn):
    """A column that gives a dense tensor: what a layer of features takes."""

    @property
    @abc.abstractmethod
    def variable_shape(self) -> TensorShape:
        """The shape of an example's row."""

    @abc.abstractmethod
    def get_dense_tensor(self, transformation_cache: Any, state_manager: Any) -> Any:
        """The rows, of shape `[batch] + variable_shape`."""


class CategoricalColumn(FeatureColumn):
    """A column that gives ids: a sparse tensor, and perhaps weights beside it."""

    IdWeightPair = namedtuple("IdWeightPair", ("id_tensor", "weight_tensor"))

    @property
    @abc.abstractmethod
    def num_buckets(self) -> int:
        """How many ids there are."""

    @abc.abstractmethod
    def get_sparse_tensors(self, transformation_cache: Any, state_manager: Any) -> IdWeightPair:
        """The ids and their weights, or None for weights of one."""


@export("__internal__.feature_column.SequenceDenseColumn")
class SequenceDenseColumn(FeatureColumn):
    """A column that gives dense rows for each step of a sequence."""

    TensorSequenceLengthPair = namedtuple("TensorSequenceLengthPair",
                                          ("dense_tensor", "sequence_length"))

    @abc.abstractmethod
    def get_sequence_dense_tensor(self, transformation_cache: Any,
                                  state_manager: Any) -> TensorSequenceLengthPair:
        """The rows, of shape `[batch, steps] + variable_shape`, and how many steps each has."""


@export("feature_column.make_parse_example_spec")
def make_parse_example_spec(feature_columns: Iterable) -> dict[str, Any]:
    """What `tf.io.parse_example` needs to read the features of all columns.

    >>> price = tf.feature_column.numeric_column("price")
    >>> tf.feature_column.make_parse_example_spec([price])
    {'price': FixedLenFeature(shape=(1,), dtype=tf.float32, default_value=None)}
    """
    result: dict[str, Any] = {}
    for column in feature_columns:
        if not isinstance(column, FeatureColumn):
            raise ValueError("All feature_columns must be FeatureColumn instances. "
                             f"Given: {column}")
        for key, value in column.parse_example_spec.items():
            if result.setdefault(key, value) != value:
                raise ValueError("feature_columns contain different parse_spec for key "
                                 f"{key}. Given {value} and {result[key]}")
    return result


# -- arguments -------------------------------------------------------------------------------------
def check_key(key: Any) -> None:
    """See that the key of a feature is a string."""
    if not isinstance(key, str):
        raise ValueError(f"key must be a string. Got: type {type(key)}. Given key: {key}.")


def check_string_or_int(dtype: Any, prefix: str) -> None:
    """See that a dtype is one of ids."""
    if dtype != dtypes.string and not dtype.is_integer:
        raise ValueError(f"{prefix} dtype must be string or integer. dtype: {dtype}.")


# -- configurations --------------------------------------------------------------------------------
@export("__internal__.feature_column.serialize_feature_column")
def serialize_feature_column(fc: Any) -> Any:
    """A dict that describes a column; the key of a feature is its own description."""
    if isinstance(fc, str):
        return fc
    if isinstance(fc, FeatureColumn):
        return {"class_name": type(fc).__name__, "config": fc.get_config()}
    raise ValueError(f"Instance: {fc} is not a FeatureColumn")


@export("__internal__.feature_column.deserialize_feature_column")
def deserialize_feature_column(config: Any, custom_objects: dict[str, Any] | None = None,
                               columns_by_name: dict[str, Any] | None = None) -> Any:
    """The column that `serialize_feature_column` described; equal ones are made once."""
    if isinstance(config, str):
        return config
    columns = {} if columns_by_name is None else columns_by_name
    kind = _class_of(config, custom_objects, REGISTERED, "feature_column_v2")
    if not issubclass(kind, FeatureColumn):
        raise ValueError(f"Expected FeatureColumn class, instead found: {kind}")
    made = kind.from_config(config["config"], custom_objects=custom_objects,
                            columns_by_name=columns)
    return columns.setdefault(f"{kind.__name__}:{made.name}", made)


def _class_of(config: Any, custom_objects: dict[str, Any] | None, known: dict[str, Any],
              what: str) -> Any:
    if not isinstance(config, dict) or not {"class_name", "config"} <= set(config):
        raise ValueError(f"Improper config format: {config}")
    name = config["class_name"]
    kind = (custom_objects or {}).get(name) or known.get(name)
    if kind is None:
        raise ValueError(f"Unknown {what}: {name}")
    return kind


_COLUMNS = ("categorical_column", "source_column")
_OBJECTS = ("normalizer_fn", "initializer")


def _fields(column: Any) -> tuple[str, ...]:
    return column._fields  # a named tuple's


def _stored(field: str, value: Any) -> Any:
    if field in _COLUMNS:
        return serialize_feature_column(value)
    if field == "keys":
        return tuple(serialize_feature_column(key) for key in value)
    if field == "dtype":
        return value.name
    return _stored_object(value) if field in _OBJECTS else value


def _restored(field: str, value: Any, custom_objects: Any, columns_by_name: Any) -> Any:
    if field in _COLUMNS:
        return deserialize_feature_column(value, custom_objects, columns_by_name)
    if field == "keys":
        return tuple(deserialize_feature_column(key, custom_objects, columns_by_name)
                     for key in value)
    if field == "dtype":
        return dtypes.as_dtype(value)
    if field in _OBJECTS:
        return _restored_object(value, custom_objects)
    return tuple(value) if isinstance(value, list) else value  # a list cannot be hashed


def _stored_object(value: Any) -> Any:
    """A function by its name, an initializer by its class and configuration."""
    if value is None:
        return None
    if hasattr(value, "get_config"):
        return {"class_name": type(value).__name__, "config": value.get_config()}
    if hasattr(value, "__name__"):
        return value.__name__
    raise ValueError("Cannot serialize", value)


def _restored_object(stored: Any, custom_objects: dict[str, Any] | None) -> Any:
    if stored is None or inspect.isfunction(stored):
        return stored
    if isinstance(stored, dict):
        known = {kind.__name__: kind for kind in (
            tf.compat.v1.truncated_normal_initializer, tf.compat.v1.random_normal_initializer,
            tf.compat.v1.random_uniform_initializer, tf.compat.v1.zeros_initializer,
            tf.compat.v1.ones_initializer, tf.compat.v1.constant_initializer)}
        return _class_of(stored, custom_objects, known, "object").from_config(stored["config"])
    found = (custom_objects or {}).get(stored)
    if found is None:
        raise ValueError(f"Unknown object: {stored}")
    return found() if inspect.isclass(found) else found
