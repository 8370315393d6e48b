"""One field of a message as bytes, and back."""

from __future__ import annotations

import struct
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from tapeflow.io.protobuf import wire
from tapeflow.io.protobuf.fields import FIXED, Field, sort_key
from tapeflow.io.protobuf.wire import LENGTH, VARINT

if TYPE_CHECKING:
    from tapeflow.io.protobuf.messages import Message


_put = object.__setattr__  # for what is no field of a message


def _scalar_bytes(field: Field, value: Any) -> bytes:
    """A scalar without its tag."""
    if field.type in FIXED:
        return struct.pack(FIXED[field.type][1], value)
    if field.type in ("string", "bytes"):
        data = value.encode() if isinstance(value, str) else value
        return wire.varint(len(data)) + data
    return wire.varint(value << 1 ^ value >> 63 if field.type == "sint64" else int(value))


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
    return wire.chunk(number, wire.pack_varints(value))


def _scalar(field: Field, kind: int, value: Any) -> Any:
    if field.type in FIXED:
        return struct.unpack(FIXED[field.type][1], value)[0]
    if kind == LENGTH:
        return bytes(value).decode() if field.type == "string" else bytes(value)
    return _fitted(field.type, value)


def _fitted(kind: str, value: int) -> Any:
    if kind == "bool":
        return bool(value)
    if kind in ("int32", "enum"):
        value &= 0xFFFFFFFF
        return value - (1 << 32) if value >> 31 else value
    if kind == "uint32":
        return value & 0xFFFFFFFF
    if kind == "sint64":
        return value >> 1 ^ -(value & 1)
    return wire.signed(value) if kind == "int64" else value


def fits(field: Field, kind: int) -> bool:
    """Whether a field may be written with a wire type; if not it is an unknown field."""
    return kind == (LENGTH if field.label == "map" else wire_type(field.type)) or (
        kind == LENGTH and field.label == "repeated")


def decode(message: Message, field: Field, kind: int, value: Any, depth: int) -> None:
    packed = kind == LENGTH and field.label == "repeated" and wire_type(field.type) != LENGTH
    if field.label == "map":
        return _decode_entry(message, field, value, depth)
    if field.type == "message":
        if field.label:
            target = _held(message, field)
            child = target.fresh()
            list.append(target, child)
            return _merge_alone(child, value, depth)
        child = message._values.get(field.name)
        if child is None:
            child = message._child(field)
        return _merge_alone(child, value, depth)
    if not field.label:
        return message._put(field, _scalar(field, kind, value))
    target = _held(message, field)
    if packed:
        found = (wire.unpack_floats(value, FIXED[field.type][1]) if field.type in FIXED
                 else wire.unpack_varints(value)).tolist()
        if field.type not in FIXED and field.type != "int64":
            found = [_fitted(field.type, one & ((1 << 64) - 1)) for one in found]
        list.extend(target, found)
    else:
        list.append(target, _scalar(field, kind, value))
    return None


def _held(message: Message, field: Field) -> Any:
    """The list or map of a field, which is set from now on."""
    found = message._values.get(field.name)
    return message._child(field) if found is None else found


def _merge_alone(message: Message, data: Any, depth: int) -> None:
    """Merge without telling the messages around at every field that something changed."""
    up = message._up
    _put(message, "_up", None)
    try:
        message._merge(data, depth)
    finally:
        _put(message, "_up", up)


@lru_cache(None)
def _entry_fields(field: Field) -> tuple[Field, Field]:
    """The key and the value of a map's entry, as fields."""
    return field._replace(type=field.key_type, label=""), field._replace(label="")


def _decode_entry(message: Message, field: Field, value: Any, depth: int) -> None:
    key_field, item = _entry_fields(field)
    key: Any = key_field.default
    held: Any = None
    known, unknown = {1: b"", 2: b""}, b""
    for number, kind, part, start, end in wire.fields_of(value):
        if number == 1 and fits(key_field, kind):
            key = _scalar(key_field, kind, part)
            known[1] = bytes(value[start:end]) if key != key_field.default else b""
        elif number == 2 and fits(item, kind):
            held = part if field.type == "message" else _scalar(field, kind, part)
            known[2] = bytes(value[start:end])
        else:
            unknown += bytes(value[start:end])
    if unknown:  # an entry has no field for it: all of it is unknown to the message
        message._unknown += wire.chunk(field.number, known[1] + known[2] + unknown)
        return
    target = getattr(message, field.name)
    if field.type == "message":
        dict.pop(target, key, None)
        _merge_alone(target[key], held if held is not None else b"", depth + 1)
    else:
        target[key] = field.default if held is None else held
