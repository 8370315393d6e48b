"""Protocol buffer messages, as far as TensorFlow's public ones need them: proto3.

`declarations.schema` makes message classes of declarations written as in a .proto file. A class
has the methods that programs know: SerializeToString, FromString, ParseFromString, CopyFrom,
MergeFrom, HasField, ClearField, WhichOneof, ListFields, text as protobuf prints it. Reading a
message field that is not set gives an empty message, which is set by changing something in it.
Imports `wire` and `text_format` only.
"""

from __future__ import annotations

import struct
from collections.abc import Callable, Iterable, Iterator
from typing import Any, NamedTuple

import numpy as np

from tapeflow.io.protobuf import wire
from tapeflow.io.protobuf.wire import FIXED32, FIXED64, LENGTH, VARINT, DecodeError

_INTEGERS = {"int32": (-1 << 31, 1 << 31), "int64": (-1 << 63, 1 << 63), "uint32": (0, 1 << 32),
             "uint64": (0, 1 << 64), "fixed32": (0, 1 << 32), "fixed64": (0, 1 << 64),
             "enum": (-1 << 31, 1 << 31)}
_FIXED = {"fixed32": (FIXED32, "<I"), "fixed64": (FIXED64, "<Q"), "float": (FIXED32, "<f"),
          "double": (FIXED64, "<d")}
_ARRAYS = {"float": np.float32, "double": np.float64, "int32": np.int32, "int64": np.int64,
           "uint32": np.uint32, "uint64": np.uint64, "bool": np.bool_}
_DEFAULTS = {"string": "", "bytes": b"", "bool": False, "float": 0.0, "double": 0.0}
_FLOAT = struct.Struct("<f")
DEEPEST = 100  # messages in messages, as protobuf has it


class Field(NamedTuple):
    """One field of a message class."""

    name: str
    number: int
    type: str  # a scalar type, "enum" or "message"
    label: str  # "", "repeated" or "map"
    oneof: str = ""
    type_name: str = ""  # of a message or an enum
    key_type: str = ""  # of a map

    @property
    def default(self) -> Any:
        return _DEFAULTS.get(self.type, 0)

    def explicit(self) -> bool:
        """Whether a value that is the default is written all the same."""
        return bool(self.oneof) or self.type == "message"


# -- checking what users set -----------------------------------------------------------------------
def _integer(value: Any, field: Field) -> int:
    if isinstance(value, (bool, np.bool_)):
        raise TypeError(f"Field {field.name}: Expected an int, got a boolean.")
    if not hasattr(value, "__index__"):
        raise TypeError(f"{type(value).__name__!r} object cannot be interpreted as an integer")
    number = value.__index__()
    low, high = _INTEGERS[field.type]
    if not low <= number < high:
        raise ValueError(f"Value out of range: {number}")
    return number


def _real(value: Any, field: Field) -> float:
    if isinstance(value, (str, bytes)):
        raise TypeError(f"must be real number, not {type(value).__name__}")
    number = float(value)
    if field.type == "double":
        return number
    try:
        return _FLOAT.unpack(_FLOAT.pack(number))[0]
    except OverflowError:
        return float(np.copysign(np.inf, number))


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


# -- containers ------------------------------------------------------------------------------------
class _Repeated(list):
    """Shared by both kinds of repeated fields: every change makes the message a set one."""

    __slots__ = ("_field", "_touch")

    def __init__(self, field: Field, touch: Callable[[], None]):
        super().__init__()
        self._field, self._touch = field, touch

    def extend(self, values: Iterable[Any]) -> None:
        try:
            listed = list(values)
        except TypeError:
            raise TypeError("Value must be iterable") from None
        for one in listed:
            self.append(one)

    MergeFrom = extend

    def __iadd__(self, values: Iterable[Any]):  # type: ignore[misc]
        self.extend(values)
        return self

    def __reduce__(self):
        return list, (list(self),)

    def __deepcopy__(self, memo: dict) -> list:
        return list(self)

    __hash__ = None


class RepeatedScalarContainer(_Repeated):
    """The values of a repeated number, string or bytes field."""

    __slots__ = ()

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> np.ndarray:
        return np.array(list(self), dtype or _ARRAYS.get(self._field.type))

    def append(self, value: Any) -> None:
        super().append(checked(value, self._field))
        self._touch()

    def insert(self, index: Any, value: Any) -> None:
        super().insert(index, checked(value, self._field))
        self._touch()

    def __setitem__(self, index: Any, value: Any) -> None:
        field = self._field
        super().__setitem__(index, [checked(one, field) for one in value]
                            if isinstance(index, slice) else checked(value, field))
        self._touch()

    def fill(self, values: Any) -> None:
        """Append values quickly; they are checked one by one only where NumPy cannot tell."""
        if isinstance(values, (str, int, float)):
            raise TypeError("must assign iterable")
        kind = self._field.type
        if isinstance(values, np.ndarray) and values.ndim == 1:
            if kind == "int64" and values.dtype.kind in "iu" and values.dtype != np.uint64:
                super().extend(values.tolist())
                return self._touch()
            if kind == "float" and values.dtype.kind in "fiu":
                super().extend(values.astype(np.float32).tolist())
                return self._touch()
        try:
            iterator = iter(values)
        except TypeError:
            raise TypeError("must assign iterable") from None
        field = self._field
        super().extend([checked(one, field) for one in iterator])
        return self._touch()


class RepeatedCompositeContainer(_Repeated):
    """The messages of a repeated message field."""

    __slots__ = ()

    def add(self, **values: Any) -> Any:
        """Append a new message and return it."""
        message = MESSAGES[self._field.type_name](**values)
        message._up = self._touch
        super().append(message)
        self._touch()
        return message

    def append(self, value: Any) -> None:
        wanted = MESSAGES[self._field.type_name]
        if not isinstance(value, wanted):
            raise TypeError(f"Parameter to append must be an instance of {wanted}, got "
                            f"{type(value)}.")
        self.add().CopyFrom(value)

    def __setitem__(self, index: Any, value: Any) -> None:
        raise TypeError("'RepeatedCompositeContainer' object does not support item assignment")


class _Map(dict):
    """Shared by both kinds of map fields."""

    __slots__ = ("_field", "_touch")

    def __init__(self, field: Field, touch: Callable[[], None]):
        super().__init__()
        self._field, self._touch = field, touch

    def _key(self, key: Any) -> Any:
        return checked(key, self._field._replace(type=self._field.key_type))

    def __reduce__(self):
        return dict, (dict(self),)

    __hash__ = None

    def MergeFrom(self, other: Any) -> None:
        for key, value in other.items():
            self.put(key, value)

    def put(self, key: Any, value: Any) -> None:
        raise NotImplementedError


class ScalarMapContainer(_Map):
    """A map to numbers or strings."""

    __slots__ = ()

    def __setitem__(self, key: Any, value: Any) -> None:
        super().__setitem__(self._key(key), checked(value, self._field))
        self._touch()

    def put(self, key: Any, value: Any) -> None:
        self[key] = value

    def __missing__(self, key: Any) -> Any:
        self[key] = self._field.default
        return self[key]

    def update(self, *args: Any, **values: Any) -> None:
        for key, value in dict(*args, **values).items():
            self[key] = value


class MessageMapContainer(_Map):
    """A map to messages; asking for a key makes its message."""

    __slots__ = ()

    def __setitem__(self, key: Any, value: Any) -> None:
        raise ValueError("Message objects may not be assigned")

    def __missing__(self, key: Any) -> Any:
        key = self._key(key)
        message = MESSAGES[self._field.type_name]()
        message._up = self._touch
        super().__setitem__(key, message)
        self._touch()
        return message

    def get_or_create(self, key: Any) -> Any:
        return self[key]

    def put(self, key: Any, value: Any) -> None:
        _fill_message(self[key], value, self._field)


def _fill_message(message: Any, value: Any, field: Field) -> None:
    if isinstance(value, dict):
        message.__init__(**value)
    elif isinstance(value, type(message)):
        message.CopyFrom(value)
    else:
        raise TypeError("Parameter to initialize message field must be dict or instance of same "
                        f"class: expected {type(message)} got {type(value)}.")
    message._touch()


def _container(field: Field, touch: Callable[[], None]) -> Any:
    if field.label == "map":
        return (MessageMapContainer if field.type == "message" else ScalarMapContainer)(
            field, touch)
    return (RepeatedCompositeContainer if field.type == "message" else RepeatedScalarContainer)(
        field, touch)


# -- the message -----------------------------------------------------------------------------------
class FieldDescriptor(NamedTuple):
    """What `ListFields` and `DESCRIPTOR.fields` say of a field."""

    name: str
    number: int


class Descriptor(NamedTuple):
    """What a message class says of itself."""

    name: str
    full_name: str
    fields: tuple[FieldDescriptor, ...]
    fields_by_name: dict[str, FieldDescriptor]


class Message:
    """Base of all message classes, which `schema` makes."""

    __slots__ = ("__weakref__", "_spare", "_unknown", "_up", "_values")
    _fields: dict[str, Field] = {}
    _numbers: dict[int, Field] = {}
    DESCRIPTOR: Descriptor

    def __init__(self, **values: Any):
        if not hasattr(self, "_values"):
            self._values: dict[str, Any] = {}
            self._spare: dict[str, Any] = {}  # made for reading, not set
            self._unknown = b""
            self._up: Callable[[], None] | None = None
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
            _fill_message(getattr(self, name), value, field)
        else:
            setattr(self, name, value)

    # -- reading and setting ---------------------------------------------------------------------
    def __getattr__(self, name: str) -> Any:
        field = type(self)._fields.get(name)
        if field is None:
            raise AttributeError(name)
        if name in self._values:
            return self._values[name]
        if not field.label and field.type != "message":
            return field.default
        if name not in self._spare:
            def touch() -> None:
                self._attach(field)

            if field.label:
                self._spare[name] = _container(field, touch)
            else:
                self._spare[name] = MESSAGES[field.type_name]()
                self._spare[name]._up = touch
        return self._spare[name]

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
        value = checked(value, field)
        self._leave_oneof(field)
        if value == field.default and not field.explicit() and not _negative_zero(value):
            self._values.pop(name, None)
        else:
            self._values[name] = value
        self._touch()
        return None

    def _leave_oneof(self, field: Field) -> None:
        if field.oneof:
            for other in self._fields.values():
                if other.oneof == field.oneof and other is not field:
                    self._values.pop(other.name, None)

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
        if any(field.oneof == field_name for field in self._fields.values()):
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
        members = [one.name for one in self._fields.values() if one.oneof == oneof_group]
        if not members:
            raise ValueError(f'Protocol message {type(self).__name__} has no oneof '
                             f'"{oneof_group}" field.')
        return next((name for name in members if name in self._values), None)

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
        parts = [_encode(field, value, deterministic) for field, value in self._present()]
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
            self._merge(serialized)
        except (DecodeError, UnicodeDecodeError, struct.error):
            raise DecodeError(f"Error parsing message with type '{self.DESCRIPTOR.full_name}': "
                              "Wire format was corrupt") from None
        self._touch()
        return len(serialized)

    def _merge(self, data: Any, depth: int = 0) -> None:
        if depth > DEEPEST:
            raise DecodeError("messages in messages, too deep")
        for number, kind, value, start, end in wire.fields_of(data):
            field = self._numbers.get(number)
            if field is None or not _fits(field, kind):
                self._unknown += bytes(data[start:end])
            else:
                _decode(self, field, kind, value, depth + 1)

    @classmethod
    def FromString(cls, s: Any) -> Any:
        """A message of bytes."""
        message = cls()
        message.ParseFromString(s)
        return message

    def __str__(self) -> str:
        from tapeflow.io.protobuf.text_format import message_text
        return message_text(self)

    __repr__ = __str__


def _negative_zero(value: Any) -> bool:
    return isinstance(value, float) and value == 0 and str(value)[0] == "-"


def _revive(name: str, data: bytes) -> Any:
    return MESSAGES[name.rpartition(".")[2]].FromString(data)


# -- bytes -----------------------------------------------------------------------------------------
def _scalar_bytes(field: Field, value: Any) -> bytes:
    """A scalar without its tag."""
    if field.type in _FIXED:
        return struct.pack(_FIXED[field.type][1], value)
    if field.type in ("string", "bytes"):
        data = value.encode() if isinstance(value, str) else value
        return wire.varint(len(data)) + data
    return wire.varint(int(value))


def _wire_type(kind: str) -> int:
    if kind in ("string", "bytes", "message"):
        return LENGTH
    return _FIXED[kind][0] if kind in _FIXED else VARINT


def _encode(field: Field, value: Any, deterministic: bool) -> bytes:
    number = field.number
    if field.label == "map":
        key = field._replace(name="key", number=1, type=field.key_type, label="", oneof="k")
        item = field._replace(name="value", number=2, label="", oneof="v")
        keys = sorted(value, key=sort_key, reverse=True) if deterministic else value
        return b"".join([wire.chunk(number, _encode(key, one, False)
                                    + _encode(item, value[one], deterministic)) for one in keys])
    if field.type == "message":
        listed = value if field.label else [value]
        return b"".join([wire.chunk(number, one.SerializeToString(deterministic))
                         for one in listed])
    if not field.label:
        return wire.tag(number, _wire_type(field.type)) + _scalar_bytes(field, value)
    if field.type in ("string", "bytes"):
        head = wire.tag(number, LENGTH)
        return b"".join([head + _scalar_bytes(field, one) for one in value])
    if field.type in _FIXED:
        return wire.chunk(number, wire.pack_floats(value, _FIXED[field.type][1][1]))
    return wire.chunk(number, wire.pack_varints(value))


def sort_key(key: Any) -> Any:
    """The order in which protobuf's Python library prints the entries of a map."""
    if not isinstance(key, str):
        return key
    # Descending by bytes; of two keys with one start the shorter comes first.
    return [-byte for byte in key.encode()]


def _scalar(field: Field, kind: int, value: Any) -> Any:
    if field.type in _FIXED:
        return struct.unpack(_FIXED[field.type][1], value)[0]
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
    return wire.signed(value) if kind == "int64" else value


def _fits(field: Field, kind: int) -> bool:
    """Whether a field may be written with a wire type; if not it is an unknown field."""
    return kind == (LENGTH if field.label == "map" else _wire_type(field.type)) or (
        kind == LENGTH and field.label == "repeated")


def _decode(message: Message, field: Field, kind: int, value: Any, depth: int) -> None:
    packed = kind == LENGTH and field.label == "repeated" and _wire_type(field.type) != LENGTH
    if field.label == "map":
        return _decode_entry(message, field, value, depth)
    if field.type == "message":
        target = getattr(message, field.name)
        if field.label:
            target.add()._merge(value, depth)
            return None
        target._merge(value, depth)
        return target._touch()
    if not field.label:
        return setattr(message, field.name, _scalar(field, kind, value))
    target = getattr(message, field.name)
    if packed:
        found = (wire.unpack_floats(value, _FIXED[field.type][1]) if field.type in _FIXED
                 else wire.unpack_varints(value)).tolist()
        if field.type not in _FIXED and field.type != "int64":
            found = [_fitted(field.type, one & ((1 << 64) - 1)) for one in found]
        list.extend(target, found)
    else:
        list.append(target, _scalar(field, kind, value))
    return target._touch()


def _decode_entry(message: Message, field: Field, value: Any, depth: int) -> None:
    key_field, item = field._replace(type=field.key_type, label=""), field._replace(label="")
    key: Any = key_field.default
    held: Any = None
    known, unknown = {1: b"", 2: b""}, b""
    for number, kind, part, start, end in wire.fields_of(value):
        if number == 1 and _fits(key_field, kind):
            key = _scalar(key_field, kind, part)
            known[1] = bytes(value[start:end]) if key != key_field.default else b""
        elif number == 2 and _fits(item, kind):
            held = part if field.type == "message" else _scalar(field, kind, part)
            known[2] = bytes(value[start:end])
        else:
            unknown += bytes(value[start:end])
    if unknown:  # an entry has no place for it: all of it is unknown to the message
        message._unknown += wire.chunk(field.number, known[1] + known[2] + unknown)
        return
    target = getattr(message, field.name)
    if field.type == "message":
        dict.pop(target, key, None)
        target[key]._merge(held if held is not None else b"", depth + 1)
    else:
        target[key] = field.default if held is None else held


# -- the classes that there are --------------------------------------------------------------------
MESSAGES: dict[str, Any] = {}  # by name, nested ones as Outer.Inner
ENUMS: dict[str, dict[str, int]] = {}
