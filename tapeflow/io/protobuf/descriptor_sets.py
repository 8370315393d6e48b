"""Fields of messages that programs describe: FileDescriptorSets, as protoc writes them."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import Any, NamedTuple

from tapeflow.io.protobuf.declarations import schema
from tapeflow.io.protobuf.descriptors import TYPES
from tapeflow.io.protobuf.fields import MESSAGES
from tapeflow.io.protobuf.wire import DecodeError

# Of descriptor.proto what the wire format depends on.
schema("google.protobuf", """
message FieldOptions { oneof has_packed { bool packed = 2; } }
message FieldDescriptorProto {
  string name = 1; int32 number = 3; int32 label = 4; int32 type = 5; string type_name = 6;
  oneof has_default { string default_value = 7; } FieldOptions options = 8;
}
message EnumValueDescriptorProto { string name = 1; int32 number = 2; }
message EnumDescriptorProto { string name = 1; repeated EnumValueDescriptorProto value = 2; }
message DescriptorProto {
  string name = 1; repeated FieldDescriptorProto field = 2;
  repeated DescriptorProto nested_type = 3; repeated EnumDescriptorProto enum_type = 4;
}
message FileDescriptorProto {
  string name = 1; string package = 2; repeated DescriptorProto message_type = 4;
  repeated EnumDescriptorProto enum_type = 5; string syntax = 12;
}
message FileDescriptorSet { repeated FileDescriptorProto file = 1; }
""", "google.protobuf.descriptor_pb2")

_NAMES = {number: name for name, number in TYPES.items()}
_REPEATED = 3


class ProtoField(NamedTuple):
    """What the wire format of one field depends on."""

    name: str
    number: int
    type: str
    repeated: bool
    packed: bool
    default: Any


@lru_cache(32)
def message_fields(message_type: str, source: bytes) -> dict[str, ProtoField] | None:
    """The fields of a message of a serialized FileDescriptorSet, by name; None if there is none.

    ValueError if the bytes are no such set. Without bytes: of the messages that are declared here.
    """
    if not source:
        return _declared(message_type)
    try:
        files = MESSAGES["FileDescriptorSet"].FromString(source).file
    except DecodeError as problem:
        raise ValueError(str(problem)) from None
    enums = {name: [(one.name, one.number) for one in enum.value]
             for file in files for name, enum in _enums(file, _prefix(file))}
    for file in files:
        for name, message in _messages(file.message_type, _prefix(file)):
            if name == f".{message_type}":
                return {one.name: _field(one, enums, file.syntax == "proto3")
                        for one in message.field}
    return None


def _declared(message_type: str) -> dict[str, ProtoField] | None:
    for cls in MESSAGES.values():
        if cls.DESCRIPTOR.full_name == message_type:
            return {one.name: ProtoField(
                one.name, one.number, "message" if one.label == "map" else one.type,
                bool(one.label), one.label == "repeated" and one.type not in (
                    "string", "bytes", "message"), b"" if one.type == "message" else one.default)
                for one in cls._fields.values()}
    return None


def _prefix(file: Any) -> str:
    return f".{file.package}" if file.package else ""


def _messages(messages: Any, outer: str) -> Iterator[tuple[str, Any]]:
    for message in messages:
        name = f"{outer}.{message.name}"
        yield name, message
        yield from _messages(message.nested_type, name)


def _enums(file: Any, outer: str) -> Iterator[tuple[str, Any]]:
    for enum in file.enum_type:
        yield f"{outer}.{enum.name}", enum
    for name, message in _messages(file.message_type, outer):
        for enum in message.enum_type:
            yield f"{name}.{enum.name}", enum


def _field(one: Any, enums: dict[str, list[tuple[str, int]]], proto3: bool) -> ProtoField:
    kind = _NAMES.get(one.type, "message")
    plain = kind not in ("string", "bytes", "message", "group")
    packed = one.options.packed if one.options.HasField("packed") else proto3
    return ProtoField(one.name, one.number, kind, one.label == _REPEATED,
                      one.label == _REPEATED and plain and packed, _default(one, kind, enums))


def _default(one: Any, kind: str, enums: dict[str, list[tuple[str, int]]]) -> Any:
    """What a field is that is absent: proto2 may say it, as text."""
    text = one.default_value if one.HasField("default_value") and one.label != _REPEATED else None
    if kind == "enum":
        values = enums.get(one.type_name, [])
        return dict(values).get(text or "", values[0][1] if values else 0)
    if kind in ("string", "bytes", "message", "group"):
        return (text or "").encode().decode("unicode_escape").encode("latin-1") \
            if kind == "bytes" else (text or "").encode()
    if kind == "bool":
        return text == "true"
    if kind in ("float", "double"):
        return float(text or 0)
    return int(text or 0)
