"""Fields of messages: what they may hold, and the register of message classes and enums."""

from __future__ import annotations

import struct
from typing import Any, NamedTuple

import numpy as np

from tapeflow.io.protobuf.wire import FIXED32, FIXED64

_INTEGERS = {"int32": (-1 << 31, 1 << 31), "int64": (-1 << 63, 1 << 63),
             "sint64": (-1 << 63, 1 << 63), "sfixed64": (-1 << 63, 1 << 63),
             "sint32": (-1 << 31, 1 << 31), "sfixed32": (-1 << 31, 1 << 31), "uint32": (0, 1 << 32),
             "uint64": (0, 1 << 64), "fixed32": (0, 1 << 32), "fixed64": (0, 1 << 64),
             "enum": (-1 << 31, 1 << 31)}
FIXED = {"fixed32": (FIXED32, "<I"), "fixed64": (FIXED64, "<Q"), "float": (FIXED32, "<f"),
          "double": (FIXED64, "<d"), "sfixed32": (FIXED32, "<i"), "sfixed64": (FIXED64, "<q")}
ARRAYS = {"float": np.float32, "double": np.float64, "int32": np.int32, "int64": np.int64,
           "uint32": np.uint32, "uint64": np.uint64, "bool": np.bool_}
_DEFAULTS = {"string": "", "bytes": b"", "bool": False, "float": 0.0, "double": 0.0}
_FLOAT = struct.Struct("<f")

MESSAGES: dict[str, Any] = {}  # classes by name, nested ones as Outer.Inner
ENUMS: dict[str, dict[str, int]] = {}


class Field(NamedTuple):
    """One field of a message class."""

    name: str
    number: int
    type: str  # a scalar type, "enum" or "message"
    label: str  # "", "repeated" or "map"
    oneof: str = ""
    type_name: str = ""  # of a message or an enum
    key_type: str = ""  # of a map
    entry: str = ""  # the message that one entry of a map is in bytes and text

    @property
    def default(self) -> Any:
        return _DEFAULTS.get(self.type, 0)

    def explicit(self) -> bool:
        """Whether a value that is the default is written all the same."""
        return bool(self.oneof) or self.type == "message"


def _integer(value: Any, field: Field) -> int:
    if isinstance(value, (bool, np.bool_)):
        raise TypeError(f"Field {field.name}: Expected an int, got a boolean.")
    if not hasattr(value, "__index__"):
        raise TypeError(f"{type(value).__name__!r} object cannot be interpreted as an integer")
    integer = value.__index__()
    low, high = _INTEGERS[field.type]
    if not low <= integer < high:
        raise ValueError(f"Value out of range: {integer}")
    return integer


def _real(value: Any, field: Field) -> float:
    if isinstance(value, (str, bytes)):
        raise TypeError(f"must be real number, not {type(value).__name__}")
    real = float(value)
    if field.type == "double":
        return real
    try:
        return _FLOAT.unpack(_FLOAT.pack(real))[0]
    except OverflowError:
        return float(np.copysign(np.inf, real))


def _bytes(value: Any, field: Field) -> bytes:
    if not isinstance(value, bytes):
        kind = type(value)
        where = "" if kind.__module__ == "builtins" else f"{kind.__module__}."
        raise TypeError(f"expected bytes, {where}{kind.__name__} found")
    return value


def _text(value: Any, field: Field) -> str:
    if isinstance(value, bytes):
        return value.decode()
    if not isinstance(value, str):
        raise TypeError(f"bad argument type for built-in operation: field {field.name} takes a "
                        f"str, got {value!r}")
    return value


def checked(value: Any, field: Field) -> Any:
    """`value` as the scalar field stores it; TypeError, ValueError as protobuf raises them."""
    if field.type == "bytes":
        return _bytes(value, field)
    if field.type == "string":
        return _text(value, field)
    if field.type in ("float", "double"):
        return _real(value, field)
    if field.type == "bool":
        return bool(value)
    if field.type == "enum" and isinstance(value, str):
        return ENUMS[field.type_name][value]
    return _integer(value, field)


def sort_key(key: Any) -> Any:
    """The order in which protobuf's Python library prints the entries of a map."""
    if not isinstance(key, str):
        return key
    # Descending by bytes; of two keys with one start the shorter comes first.
    return [-byte for byte in key.encode()]
