"""What to look for in an Example: FixedLenFeature, VarLenFeature and their kin, and quick reading.

`values_of` reads the values of a feature straight from the bytes, without messages in between.
"""

from __future__ import annotations

from collections import namedtuple
from typing import Any, NamedTuple

import numpy as np

from tapeflow.base import dtypes
from tapeflow.base.exports import export
from tapeflow.io.protobuf.wire import (
    FIXED32,
    LENGTH,
    VARINT,
    DecodeError,
    fields_of,
    read_varint,
    signed,
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
        if dtype not in (dtypes.int64, dtypes.float32, dtypes.string):
            raise ValueError("Argument `dtype` must be int64, float32, or bytes; got "
                             f"{dtype!r}")
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


class Form(NamedTuple):
    """What one of TensorFlow's readers makes of a list that is not as writers write it."""

    whole: bool = False  # nothing may follow the values, in the list or behind it
    broken_floats: bool = False  # packed floats may end within one, but not behind their list


EXAMPLE, CONTEXT, STEP = Form(broken_floats=True), Form(), Form(whole=True)

_LISTS = {1 << 3 | LENGTH: 1, 2 << 3 | LENGTH: 2, 3 << 3 | LENGTH: 3}
_PACKED = 1 << 3 | LENGTH
_ONE = {2: 1 << 3 | FIXED32, 3: 1 << 3 | VARINT}  # tags of numbers that are not packed


def _strings(data: Any, at: int, end: int) -> tuple[list[bytes], int]:
    found = []
    while at < end:
        if data[at] != _PACKED:
            raise DecodeError("a list with something else in it")
        size, at = read_varint(data, at + 1)
        at += size
        if at > end:
            raise DecodeError("a string that its list cuts off")
        found.append(bytes(data[at - size:at]))
    return found, at


def _packed(data: Any, at: int, end: int, kind: int, form: Form) -> tuple[np.ndarray, int]:
    """The first packed field of a list, which ends with the list at the latest."""
    size, at = read_varint(data, at)
    stop = min(at + size, end)
    if stop > len(data):
        raise DecodeError("truncated list")
    if kind == 3:
        return unpack_varints(data[at:stop]), stop
    if form.broken_floats:
        if at + size > end:
            raise DecodeError("truncated list")
        return unpack_floats(data[at:at + size // 4 * 4]), stop
    return unpack_floats(data[at:stop]), stop


def _numeric(data: Any, at: int, end: int, kind: int, form: Form) -> tuple[np.ndarray, int]:
    """The values of an Int64List or FloatList: all packed, or each for itself."""
    if at < end and data[at] == _PACKED:
        return _packed(data, at + 1, end, kind, form)
    found: list[Any] = []
    while at < end:
        if data[at] != _ONE[kind]:
            raise DecodeError("a list with something else in it")
        at += 1
        if kind == 3:
            value, at = read_varint(data, at)
            found.append(signed(value))
        else:
            found.append(bytes(data[at:at + 4]))
            at += 4
    if at > end:
        raise DecodeError("a number that its list cuts off")
    return np.array(found, np.int64) if kind == 3 else unpack_floats(b"".join(found)), at


def values_of(feature: Any, form: Form = EXAMPLE) -> tuple[int, Any]:
    """(kind, values) of the bytes of a Feature; kind 0 for one without a list.

    As in TensorFlow, which does not merge lists: the first one counts.
    """
    size = len(feature)
    if not size:
        return 0, None
    kind = _LISTS.get(feature[0])
    if kind is None:
        raise DecodeError("no list of values")
    length, at = read_varint(feature, 1)
    end = at + length
    try:
        values, at = _strings(feature, at, end) if kind == 1 else (
            _numeric(feature, at, end, kind, form))
    except IndexError:
        raise DecodeError("truncated list") from None
    if at > size or form.whole and (at != end or end != size):
        raise DecodeError("a list of another length")
    return kind, values


class NamedParts(dict[str, Any]):
    """The bytes of messages by name, and in what form their reader takes lists of values."""

    form = EXAMPLE


class ContextParts(NamedParts):
    """Those of the context of a SequenceExample."""

    form = CONTEXT


def named_parts(data: Any, wanted: int, kind_of_parts: type[NamedParts] = NamedParts) -> NamedParts:
    """The entries of a map of messages."""
    found = kind_of_parts()
    for field, kind, value, _, _ in fields_of(data):
        if field != wanted or kind != LENGTH:  # nor does TensorFlow skip it
            raise DecodeError("a map with something else in it")
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
