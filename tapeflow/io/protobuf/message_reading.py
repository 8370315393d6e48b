"""Bytes to messages: for each class a table from the tags of its fields to what reads them.

A file's messages are many and small, so each kind of field has a function of its own, which takes
the bytes of the whole file and an offset: nothing is copied but strings. Messages that are read are
set, and need not tell those around them of changes.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Any

from tapeflow.io.protobuf import wire
from tapeflow.io.protobuf.containers import container
from tapeflow.io.protobuf.field_codec import decode, fits, fitted, scalar, wire_type
from tapeflow.io.protobuf.fields import FIXED, MESSAGES, Field
from tapeflow.io.protobuf.wire import (
    FIXED32,
    FIXED64,
    LENGTH,
    VARINT,
    DecodeError,
    read_tag,
    read_varint,
)

DEEPEST = 100  # messages in messages, as protobuf has it
Reader = Callable[[Any, bytes, int, int], int]  # message, data, offset, depth: where the field ends
_KEY, _ITEM = 1 << 3 | LENGTH, 2 << 3 | LENGTH  # tags in an entry of a map to messages


def merge(message: Any, data: bytes, offset: int, end: int, depth: int) -> None:
    """Take over what `data[offset:end]` says. IndexError, too, for data that is cut short."""
    if depth > DEEPEST:
        raise DecodeError("messages in messages, too deep")
    readers = type(message)._readers or _prepare(type(message))
    while offset < end:
        key = data[offset]
        if key < 128:  # nearly always
            at = offset + 1
        else:
            key, at = read_tag(data, offset)
        reader = readers.get(key)
        if reader is None:
            at = _value(data, key, at)[1]
            message._unknown += data[offset:at]
            offset = at
        else:
            offset = reader(message, data, at, depth)
    if offset != end:
        raise DecodeError("truncated message")


def _value(data: bytes, key: int, at: int) -> tuple[Any, int]:
    """The value whose tag ends at `at`, and where it ends."""
    kind = key & 7
    if not key >> 3:
        raise DecodeError("field number 0")
    if kind == VARINT:
        return read_varint(data, at)
    if kind == LENGTH:
        at, end = _span(data, at)
    elif kind in (FIXED32, FIXED64):
        end = at + (4 if kind == FIXED32 else 8)
        if end > len(data):
            raise DecodeError("truncated message")
    else:
        raise DecodeError(f"wire type {kind} is not supported")
    return data[at:end], end


def _span(data: bytes, at: int) -> tuple[int, int]:
    """Where the bytes, whose length stands at `at`, begin and end."""
    length = data[at]
    if length < 128:
        at += 1
    else:
        length, at = read_varint(data, at)
    end = at + length
    if end > len(data):
        raise DecodeError("truncated message")
    return at, end


def _prepare(cls: Any) -> dict[int, Reader]:
    """Make the table of a class, and keep it there."""
    table: dict[int, Reader] = {}
    for field in cls._fields.values():
        kind = LENGTH if field.label == "map" else wire_type(field.type)
        table[field.number << 3 | kind] = _reader(cls, field, kind)
        if field.label == "repeated" and kind != LENGTH:
            table[field.number << 3 | LENGTH] = _general(field, LENGTH)
    cls._readers = table
    return table


def _reader(cls: Any, field: Field, kind: int) -> Reader:
    if field.label == "map":
        return _entries(field) if field.type == "message" and field.key_type == "string" else (
            _general(field, kind))
    if field.type == "message":
        return _messages(field) if field.label else _message(field)
    if kind == LENGTH:
        return _texts(field) if field.label else _text(field)
    if kind == VARINT and not field.label and field.type not in FIXED:
        return _number(field)
    return _general(field, kind)


def _general(field: Field, kind: int) -> Reader:
    """A field of any kind."""
    def read(message: Any, data: bytes, at: int, depth: int) -> int:
        value, end = _value(data, field.number << 3 | kind, at)
        if field.label == "map":
            _entry(message, field, value, depth + 1)
        else:
            decode(message, field, kind, value, _container)
        return end

    return read


def _nothing() -> None:
    pass


def _container(message: Any, field: Field) -> Any:
    """The list or map of a field, set."""
    held = message._values.get(field.name)
    if held is None:
        held = message._spare.pop(field.name, None) if message._spare else None
        if held is None:
            held = container(field, _nothing)
        message._values[field.name] = held
    return held


def _blank(field: Field) -> Any:
    """An empty message of a field's kind."""
    kind = MESSAGES[field.type_name]
    return kind.__new__(kind)


def _message(field: Field) -> Reader:
    name = field.name

    def read(message: Any, data: bytes, at: int, depth: int) -> int:
        at, end = _span(data, at)
        child = message._values.get(name)
        if child is None:
            child = message._spare.pop(name, None) if message._spare else None
            if child is None:
                child = _blank(field)
            if field.oneof:
                message._leave_oneof(field)
            message._values[name] = child
        merge(child, data, at, end, depth + 1)
        return end

    return read


def _messages(field: Field) -> Reader:
    def read(message: Any, data: bytes, at: int, depth: int) -> int:
        at, end = _span(data, at)
        child = _blank(field)
        list.append(_container(message, field), child)
        merge(child, data, at, end, depth + 1)
        return end

    return read


def _text(field: Field) -> Reader:
    is_text = field.type == "string"

    def read(message: Any, data: bytes, at: int, depth: int) -> int:
        at, end = _span(data, at)
        message._put(field, data[at:end].decode() if is_text else data[at:end])
        return end

    return read


def _texts(field: Field) -> Reader:
    is_text = field.type == "string"

    def read(message: Any, data: bytes, at: int, depth: int) -> int:
        at, end = _span(data, at)
        list.append(_container(message, field), data[at:end].decode() if is_text else data[at:end])
        return end

    return read


def _number(field: Field) -> Reader:
    kind = field.type

    def read(message: Any, data: bytes, at: int, depth: int) -> int:
        value, end = read_varint(data, at)
        message._put(field, fitted(kind, value))
        return end

    return read


def _entries(field: Field) -> Reader:
    """Of a map from strings to messages: an entry is a key and a message, in nearly every file."""
    slow = _general(field, LENGTH)

    def read(message: Any, data: bytes, at: int, depth: int) -> int:
        start, end = _span(data, at)
        if start == end or data[start] != _KEY:
            return slow(message, data, at, depth)
        start, stop = _span(data, start + 1)
        if stop >= end or data[stop] != _ITEM:
            return slow(message, data, at, depth)
        begin, after = _span(data, stop + 1)
        if after != end:
            return slow(message, data, at, depth)
        key, held = data[start:stop].decode(), _container(message, field)
        child = _blank(field)
        dict.pop(held, key, None)  # of two entries the later one counts, and its place
        dict.__setitem__(held, key, child)
        merge(child, data, begin, after, depth + 2)
        return end

    return read


@lru_cache(None)
def _entry_fields(field: Field) -> tuple[Field, Field]:
    """The key and the value of a map's entry, as fields."""
    return field._replace(type=field.key_type, label=""), field._replace(label="")


def _entry(message: Any, field: Field, data: bytes, depth: int) -> None:
    """An entry of any map: key and value in any order, or missing, or more than these."""
    key_field, item = _entry_fields(field)
    key: Any = key_field.default
    found: Any = None
    known, unknown = {1: b"", 2: b""}, b""
    for number, kind, part, start, end in wire.fields_of(data):
        if number == 1 and fits(key_field, kind):
            key = scalar(key_field, kind, part)
            known[1] = data[start:end] if key != key_field.default else b""
        elif number == 2 and fits(item, kind):
            found = bytes(part) if field.type == "message" else scalar(field, kind, part)
            known[2] = data[start:end]
        else:
            unknown += data[start:end]
    if unknown:  # an entry has no field for it: all of it is unknown to the message
        message._unknown += wire.chunk(field.number, known[1] + known[2] + unknown)
        return
    held = _container(message, field)
    if field.type == "message":
        dict.pop(held, key, None)
        child = _blank(field)
        dict.__setitem__(held, key, child)
        merge(child, found or b"", 0, len(found or b""), depth + 1)
    else:
        held[key] = field.default if found is None else found
