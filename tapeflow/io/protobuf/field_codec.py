"""One field of a message as bytes, and back."""

from __future__ import annotations

import struct
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from tapeflow.io.protobuf import wire
from tapeflow.io.protobuf.fields import FIXED, Field, sort_key
from tapeflow.io.protobuf.wire import LENGTH, VARINT

if TYPE_CHECKING:
    from tapeflow.io.protobuf.messages import Message


_ZIGZAG = ("sint32", "sint64")  # small negative numbers are few bytes


def _scalar_bytes(field: Field, value: Any) -> bytes:
    """A scalar without its tag."""
    if field.type in FIXED:
        return struct.pack(FIXED[field.type][1], value)
    if field.type in ("string", "bytes"):
        data = value.encode() if isinstance(value, str) else value
        return wire.varint(len(data)) + data
    return wire.varint(_zigzag(value) if field.type in _ZIGZAG else int(value))


def _zigzag(value: int) -> int:
    return value << 1 ^ value >> 63


def wire_type(kind: str) -> int:
    if kind in ("string", "bytes", "message"):
        return LENGTH
    return FIXED[kind][0] if kind in FIXED else VARINT


def encode(field: Field, value: Any, deterministic: bool) -> bytes:
    number = field.number
    if field.label == "map":
        key = field._replace(name="key", number=1, type=field.key_type, label="", oneof="k")
        item = field._replace(name="value", number=2, label="", oneof="v")
        keys = sorted(value, key=sort_key, reverse=True) if deterministic else value
        return b"".join([wire.chunk(number, encode(key, one, False)
                                    + encode(item, value[one], deterministic)) for one in keys])
    if field.type == "message":
        listed = value if field.label else [value]
        return b"".join([wire.chunk(number, one.SerializeToString(deterministic))
                         for one in listed])
    if not field.label:
        return wire.tag(number, wire_type(field.type)) + _scalar_bytes(field, value)
    if field.type in ("string", "bytes"):
        head = wire.tag(number, LENGTH)
        return b"".join([head + _scalar_bytes(field, one) for one in value])
    if field.type in FIXED:
        return wire.chunk(number, wire.pack_floats(value, FIXED[field.type][1][1]))
    if field.type in _ZIGZAG:
        value = [_zigzag(one) for one in value]
    return wire.chunk(number, wire.pack_varints(value))


def scalar(field: Field, kind: int, value: Any) -> Any:
    """A number or a text of what stands in the bytes."""
    if field.type in FIXED:
        return struct.unpack(FIXED[field.type][1], value)[0]
    if kind == LENGTH:
        return bytes(value).decode() if field.type == "string" else bytes(value)
    return fitted(field.type, value)


def fitted(kind: str, value: int) -> Any:
    if kind == "bool":
        return bool(value)
    if kind in ("int32", "enum"):
        value &= 0xFFFFFFFF
        return value - (1 << 32) if value >> 31 else value
    if kind == "uint32":
        return value & 0xFFFFFFFF
    if kind in _ZIGZAG:
        return value >> 1 ^ -(value & 1)
    return wire.signed(value) if kind == "int64" else value


def fits(field: Field, kind: int) -> bool:
    """Whether a field may be written with a wire type; if not it is an unknown field."""
    return kind == (LENGTH if field.label == "map" else wire_type(field.type)) or (
        kind == LENGTH and field.label == "repeated")


def decode(message: Message, field: Field, kind: int, value: Any, held: Callable) -> None:
    """Put a number or a text into a message; `held(message, field)` is the list of a field."""
    if not field.label:
        return message._put(field, scalar(field, kind, value))
    if kind != LENGTH or wire_type(field.type) == LENGTH:
        return list.append(held(message, field), scalar(field, kind, value))
    found = (wire.unpack_floats(value, FIXED[field.type][1]) if field.type in FIXED
             else wire.unpack_varints(value)).tolist()
    if field.type not in FIXED and field.type != "int64":
        found = [fitted(field.type, one & ((1 << 64) - 1)) for one in found]
    return list.extend(held(message, field), found)
