"""What to look for in an Example: FixedLenFeature, VarLenFeature and their kin, and quick reading.

`values_of` reads the values of a feature straight from the bytes, without messages in between.
"""

from __future__ import annotations

from collections import namedtuple
from typing import Any

import numpy as np

from tapeflow.base import dtypes
from tapeflow.base.exports import export
from tapeflow.io.protobuf.wire import (
    FIXED32,
    LENGTH,
    VARINT,
    DecodeError,
    fields_of,
    unpack_floats,
    unpack_varints,
)


# -- what programs declare -------------------------------------------------------------------------
@export("io.FixedLenFeature", "compat.v1.FixedLenFeature", "compat.v1.io.FixedLenFeature")
class FixedLenFeature(namedtuple("FixedLenFeature", ["shape", "dtype", "default_value"])):
    """A feature with as many values as `shape` says."""

    __slots__ = ()

    def __new__(cls, shape: Any, dtype: Any, default_value: Any = None):
        return super().__new__(cls, shape, dtype, default_value)


@export("io.VarLenFeature", "compat.v1.VarLenFeature", "compat.v1.io.VarLenFeature")
class VarLenFeature(namedtuple("VarLenFeature", ["dtype"])):
    """A feature with any number of values, read as a SparseTensor."""

    __slots__ = ()


@export("io.FixedLenSequenceFeature", "compat.v1.FixedLenSequenceFeature",
        "compat.v1.io.FixedLenSequenceFeature")
class FixedLenSequenceFeature(namedtuple(
        "FixedLenSequenceFeature", ["shape", "dtype", "allow_missing", "default_value"])):
    """A feature with any number of items of `shape`, padded to the longest of a batch."""

    __slots__ = ()

    def __new__(cls, shape: Any, dtype: Any, allow_missing: bool = False,
                default_value: Any = None):
        return super().__new__(cls, shape, dtype, allow_missing, default_value)


@export("io.SparseFeature", "compat.v1.SparseFeature", "compat.v1.io.SparseFeature")
class SparseFeature(namedtuple(
        "SparseFeature", ["index_key", "value_key", "dtype", "size", "already_sorted"])):
    """Indices in one feature, or several, and values in another, read as a SparseTensor."""

    __slots__ = ()

    def __new__(cls, index_key: Any, value_key: str, dtype: Any, size: Any,
                already_sorted: bool = False):
        return super().__new__(cls, index_key, value_key, dtype, size, already_sorted)


@export("io.RaggedFeature", "compat.v1.io.RaggedFeature")
class RaggedFeature(namedtuple(
        "RaggedFeature", ["dtype", "value_key", "partitions", "row_splits_dtype", "validate"])):
    """A feature with any number of values, read as a RaggedTensor."""

    __slots__ = ()

    RowSplits = namedtuple("RowSplits", ["key"])
    RowLengths = namedtuple("RowLengths", ["key"])
    RowStarts = namedtuple("RowStarts", ["key"])
    RowLimits = namedtuple("RowLimits", ["key"])
    ValueRowIds = namedtuple("ValueRowIds", ["key"])
    UniformRowLength = namedtuple("UniformRowLength", ["length"])

    def __new__(cls, dtype: Any, value_key: str | None = None, partitions: Any = (),
                row_splits_dtype: Any = dtypes.int32, validate: bool = False):
        dtype = dtypes.as_dtype(dtype)
        if not isinstance(validate, bool):
            raise TypeError(f"Argument `validate` must be a bool; got {validate!r}")
        if value_key is not None and not isinstance(value_key, str):
            raise ValueError(f"Argument `value_key` must be a string; got {value_key!r}")
        if not isinstance(partitions, (list, tuple)):
            raise TypeError(f"Argument `partitions` must be a list or tuple. Received partitions="
                            f"{partitions} of type {type(partitions).__name__}.")
        known = tuple(kind for kind in vars(cls).values() if isinstance(kind, type))
        for one in partitions:
            if not isinstance(one, known):
                raise TypeError("Argument `partitions` must be a list of partition objects "
                                f"{[kind.__name__ for kind in known]}. Received {one!r}.")
        splits = dtypes.as_dtype(row_splits_dtype)
        if splits not in (dtypes.int32, dtypes.int64):
            raise ValueError("Argument `row_splits_dtype` must be tf.int32 or tf.int64. Received "
                             f"{row_splits_dtype}")
        return super().__new__(cls, dtype, value_key, tuple(partitions), splits, bool(validate))


# -- reading ---------------------------------------------------------------------------------------
NAMES = {1: "string", 2: "float", 3: "int64"}  # of the lists of a Feature, as errors spell them
KINDS = {"string": 1, "float32": 2, "int64": 3}


def _strings(data: Any) -> list[bytes]:
    found = []
    for field, kind, value, _, _ in fields_of(data):
        if field != 1 or kind != LENGTH:
            raise DecodeError("a list with something else in it")
        found.append(bytes(value))
    return found


def _numeric(data: Any, kind: int) -> np.ndarray:
    """The values of an Int64List or FloatList, packed or one by one."""
    parts = []
    for field, wire_type, value, _, _ in fields_of(data):
        if field != 1 or wire_type not in (LENGTH, FIXED32 if kind == 2 else VARINT):
            raise DecodeError("a list with something else in it")
        if kind == 2:
            parts.append(unpack_floats(value))
        elif wire_type == LENGTH:
            parts.append(unpack_varints(value))
        else:
            parts.append(np.array([value], np.uint64).view(np.int64))
    if len(parts) == 1:
        return parts[0]
    return np.concatenate(parts) if parts else np.zeros(0, np.float32 if kind == 2 else np.int64)


def values_of(feature: Any) -> tuple[int, Any]:
    """(kind, values) of the bytes of a Feature; kind 0 for one without a list."""
    found: tuple[int, Any] = (0, None)
    for field, wire_type, value, _, _ in fields_of(feature):
        if field in NAMES:
            if wire_type != LENGTH:
                raise DecodeError("a list that is no message")
            found = field, (_strings(value) if field == 1 else _numeric(value, field))
    return found


def named_parts(data: Any, wanted: int) -> dict[str, Any]:
    """The entries of a map of messages: name to the bytes of the message."""
    found: dict[str, Any] = {}
    for field, kind, value, _, _ in fields_of(data):
        if field != wanted or kind != LENGTH:
            continue
        entry = [(part, form, inner) for part, form, inner, _, _ in fields_of(value)]
        if [one[:2] for one in entry] != [(1, LENGTH), (2, LENGTH)]:  # as TensorFlow wants it
            raise DecodeError("an entry that is none")
        found[bytes(entry[0][2]).decode("utf-8", "surrogateescape")] = entry[1][2]
    return found


def message_parts(data: Any, wanted: int) -> bytes:
    """The bytes of a message field; those given twice are merged."""
    return b"".join([bytes(value) for field, kind, value, _, _ in fields_of(data)
                     if field == wanted and kind == LENGTH])


def as_array(values: Any) -> np.ndarray:
    """Values of a feature as an array; strings as objects."""
    if isinstance(values, np.ndarray):
        return values
    array = np.empty(len(values), object)
    array[:] = values
    return array


def empty(dtype: dtypes.DType) -> np.ndarray:
    return np.zeros(0, dtype.np)
