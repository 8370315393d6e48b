"""Protocol buffer messages, as far as TensorFlow's public ones need them: proto3.

`declarations.schema` makes message classes of declarations written as in a .proto file. A class
has the methods that programs know: SerializeToString, FromString, ParseFromString, CopyFrom,
MergeFrom, HasField, ClearField, WhichOneof, ListFields, text as protobuf prints it. Reading a
message field that is not set gives an empty message, which is set by changing something in it.
"""

from __future__ import annotations

import struct
from collections.abc import Callable, Iterator
from typing import Any

from tapeflow.io.protobuf.containers import container, fill_message
from tapeflow.io.protobuf.descriptors import Descriptor, FieldDescriptor
from tapeflow.io.protobuf.field_codec import encode
from tapeflow.io.protobuf.fields import MESSAGES, Field, checked
from tapeflow.io.protobuf.message_reading import merge
from tapeflow.io.protobuf.text_format import message_text
from tapeflow.io.protobuf.wire import DecodeError


class Message:
    """Base of all message classes, which `schema` makes."""

    __slots__ = ("__weakref__", "_spare", "_unknown", "_up", "_values")
    _values: dict[str, Any]
    _spare: dict[str, Any]
    _unknown: bytes
    _up: Callable[[], None] | None
    _fields: dict[str, Field] = {}
    _numbers: dict[int, Field] = {}
    _oneofs: dict[str, dict[str, None]] = {}  # the names of each one's fields
    _readers: dict[int, Any] = {}  # by tag; made when a message is first read
    DESCRIPTOR: Descriptor

    def __new__(cls, **values: Any) -> Any:
        message = object.__new__(cls)
        _set_values(message, {})
        _set_spare(message, {})  # made for reading, not set
        _set_unknown(message, b"")
        _set_up(message, None)
        return message

    def __init__(self, **values: Any):
        for name, value in values.items():
            self._initialise(name, value)

    def _initialise(self, name: str, value: Any) -> None:
        field = self._fields.get(name)
        if field is None:
            raise ValueError(f'Protocol message {type(self).__name__} has no "{name}" field.')
        if value is None:
            return
        if field.label == "map":
            getattr(self, name).MergeFrom(value)
        elif field.label == "repeated":
            target = getattr(self, name)
            if field.type != "message":
                target.fill(value)
            else:
                for one in value:
                    if isinstance(one, dict):
                        target.add(**one)
                    else:
                        target.append(one)
        elif field.type == "message":
            fill_message(getattr(self, name), value, field)
        else:
            setattr(self, name, value)

    # -- reading and setting ---------------------------------------------------------------------
    def __getattr__(self, name: str) -> Any:
        values = self._values
        if name in values:
            return values[name]
        field = type(self)._fields.get(name)
        if field is None:
            raise AttributeError(name)
        if not field.label and field.type != "message":
            return field.default
        if name not in self._spare:
            self._spare[name] = self._made(field)
        return self._spare[name]

    def _made(self, field: Field) -> Any:
        """A message or container for a field, which tells this one when it is changed."""
        def touch() -> None:
            self._attach(field)

        if field.label:
            return container(field, touch)
        message = MESSAGES[field.type_name]()
        object.__setattr__(message, "_up", touch)
        return message

    def _child(self, field: Field) -> Any:
        """The message or container of a field, set."""
        found = self._spare.pop(field.name, None)  # an empty list is one all the same
        if found is None:
            found = self._made(field)
        self._leave_oneof(field)
        self._values[field.name] = found
        return found

    def __setattr__(self, name: str, value: Any) -> None:
        field = type(self)._fields.get(name)
        if field is None:
            if name in Message.__slots__:
                return object.__setattr__(self, name, value)
            raise AttributeError(f'Protocol message {type(self).__name__} has no "{name}" field.')
        if field.label or field.type == "message":
            kind = ("repeated" if field.label == "repeated" else
                    "map" if field.label else "message")
            raise AttributeError(f'Assignment not allowed to {kind} field "{name}" in protocol '
                                 "message object.")
        self._put(field, checked(value, field))
        self._touch()
        return None

    def _put(self, field: Field, value: Any) -> None:
        """Set a scalar field to a value that was checked, or read from bytes."""
        self._leave_oneof(field)
        if value == field.default and not field.explicit() and not _negative_zero(value):
            self._values.pop(field.name, None)
        else:
            self._values[field.name] = value

    def _leave_oneof(self, field: Field) -> None:
        if field.oneof and self._values:
            for other in self._oneofs[field.oneof]:
                if other != field.name:
                    self._values.pop(other, None)

    def _attach(self, field: Field) -> None:
        """A message or container that was made for reading has been changed: it is set now."""
        if field.name in self._spare:
            self._leave_oneof(field)
            self._values[field.name] = self._spare.pop(field.name)
        self._touch()

    def _touch(self) -> None:
        if self._up is not None:
            self._up()

    SetInParent = _touch

    # -- presence --------------------------------------------------------------------------------
    def HasField(self, field_name: str) -> bool:
        """Whether a field that can be absent is set."""
        if field_name in self._oneofs:
            return self.WhichOneof(field_name) is not None
        field = self._fields.get(field_name)
        if field is None:
            raise ValueError(f'Protocol message {type(self).__name__} has no "{field_name}" field.')
        if field.label or not field.explicit():
            raise ValueError(f'Field "{self.DESCRIPTOR.full_name}.{field_name}" does not have '
                             "presence.")
        return field_name in self._values

    def WhichOneof(self, oneof_group: str) -> str | None:
        """The name of the field of a oneof that is set, or None."""
        members = self._oneofs.get(oneof_group)
        if members is None:
            raise ValueError(f'Protocol message {type(self).__name__} has no oneof '
                             f'"{oneof_group}" field.')
        for name in self._values:
            if name in members:
                return name
        return None

    def ClearField(self, field_name: str) -> None:
        """Take a field's value away."""
        if field_name not in self._fields:
            raise ValueError(f'Protocol message {type(self).__name__} has no "{field_name}" field.')
        self._values.pop(field_name, None)
        self._spare.pop(field_name, None)
        self._touch()

    def Clear(self) -> None:
        """Take all values away."""
        self._values.clear()
        self._spare.clear()
        self._unknown = b""
        self._touch()

    def ListFields(self) -> list[tuple[FieldDescriptor, Any]]:
        """(descriptor, value) of the fields that are set, by number."""
        return [(self.DESCRIPTOR.fields_by_name[field.name], value)
                for field, value in self._present()]

    def _present(self) -> Iterator[tuple[Field, Any]]:
        for number in sorted(self._numbers):
            field = self._numbers[number]
            if field.name in self._values:
                value = self._values[field.name]
                if not field.label or value:
                    yield field, value

    def IsInitialized(self) -> bool:
        """Whether all required fields are set; proto3 has none."""
        return True

    # -- copying ---------------------------------------------------------------------------------
    def CopyFrom(self, other_msg: Any) -> None:
        """Become equal to another message of this class."""
        if other_msg is self:
            return
        if type(other_msg) is not type(self):
            raise TypeError("Parameter to CopyFrom() must be instance of same class: expected "
                            f"{type(self).__name__} got {type(other_msg).__name__}.")
        self.Clear()
        self.MergeFrom(other_msg)

    def MergeFrom(self, other_msg: Any) -> None:
        """Take over what another message has set; repeated fields are joined."""
        if type(other_msg) is not type(self):
            raise TypeError("Parameter to MergeFrom() must be instance of same class: expected "
                            f"{type(self).__name__} got {type(other_msg).__name__}.")
        self.MergeFromString(other_msg.SerializeToString())
        self._touch()

    def __deepcopy__(self, memo: dict) -> Any:
        return type(self).FromString(self.SerializeToString())

    def __copy__(self) -> Any:
        return self.__deepcopy__({})

    def __reduce__(self):
        return _revive, (self.DESCRIPTOR.full_name, self.SerializeToString())

    def __eq__(self, other: object) -> bool:
        if type(other) is not type(self):
            return NotImplemented
        return (list(self._present()) == list(other._present())
                and self._unknown == other._unknown)

    __hash__ = None  # type: ignore[assignment]

    # -- bytes and text --------------------------------------------------------------------------
    def SerializeToString(self, deterministic: bool = False) -> bytes:
        """The message as bytes."""
        parts = [encode(field, value, deterministic) for field, value in self._present()]
        return b"".join([*parts, self._unknown])

    SerializePartialToString = SerializeToString

    def ByteSize(self) -> int:
        """The length of the message as bytes."""
        return len(self.SerializeToString())

    def ParseFromString(self, serialized: Any) -> int:
        """Become what the bytes say; returns how many there were."""
        self.Clear()
        return self.MergeFromString(serialized)

    def MergeFromString(self, serialized: Any) -> int:
        """Take over what the bytes say."""
        try:
            data = bytes(serialized)
            merge(self, data, 0, len(data), 0)
        except (DecodeError, IndexError, UnicodeDecodeError, struct.error):
            raise DecodeError(f"Error parsing message with type '{self.DESCRIPTOR.full_name}': "
                              "Wire format was corrupt") from None
        self._touch()
        return len(serialized)

    @classmethod
    def FromString(cls, s: Any) -> Any:
        """A message of bytes."""
        message = cls()
        message.ParseFromString(s)
        return message

    def __str__(self) -> str:
        return message_text(self)

    __repr__ = __str__


_set_values, _set_spare, _set_unknown, _set_up = [
    Message.__dict__[name].__set__ for name in ("_values", "_spare", "_unknown", "_up")]


def _negative_zero(value: Any) -> bool:
    return isinstance(value, float) and value == 0 and str(value)[0] == "-"


def _revive(name: str, data: bytes) -> Any:
    return MESSAGES[name.rpartition(".")[2]].FromString(data)
