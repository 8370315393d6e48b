"""What message classes say of themselves: `DESCRIPTOR`, with the attributes of protobuf's own.

`google.protobuf.text_format` and `json_format` ask these and nothing else, so they read and write
our messages as they do protobuf's.
"""

from __future__ import annotations

from functools import cached_property
from types import SimpleNamespace
from typing import Any

from tapeflow.io.protobuf.fields import ENUMS, MESSAGES, Field

# Numbers of descriptor.proto, and the types that protobuf's C++ has for them.
TYPES = {"double": 1, "float": 2, "int64": 3, "uint64": 4, "int32": 5, "fixed64": 6, "fixed32": 7,
         "bool": 8, "string": 9, "group": 10, "message": 11, "bytes": 12, "uint32": 13, "enum": 14,
         "sfixed32": 15, "sfixed64": 16, "sint32": 17, "sint64": 18}
_CPP_TYPES = {"int32": 1, "sint32": 1, "sfixed32": 1, "int64": 2, "sint64": 2, "sfixed64": 2,
              "uint32": 3, "fixed32": 3, "uint64": 4, "fixed64": 4, "double": 5, "float": 6,
              "bool": 7, "enum": 8, "string": 9, "bytes": 9, "message": 10}
_OPTIONAL, _REPEATED = 1, 3


class EnumDescriptor:
    """The names and numbers of an enum."""

    is_closed = False
    has_options = False

    def __init__(self, package: str, name: str, values: dict[str, int]):
        self.name, self.full_name = name.rpartition(".")[2], f"{package}.{name}"
        self.values = [SimpleNamespace(name=one, number=number, index=i, type=self,
                                       has_options=False)
                       for i, (one, number) in enumerate(values.items())]
        self.values_by_name = {one.name: one for one in self.values}
        self.values_by_number = {one.number: one for one in reversed(self.values)}


class OneofDescriptor:
    """A oneof: its name, and the fields of which one is set."""

    def __init__(self, message: Descriptor, name: str):
        self.name, self.full_name = name, f"{message.full_name}.{name}"
        self.containing_type = message

    @property
    def fields(self) -> list[FieldDescriptor]:
        return [one for one in self.containing_type.fields if one.containing_oneof is self]


class FieldDescriptor:
    """One field of a message class."""

    is_extension = False
    is_required = False
    has_options = False
    extension_scope = None

    def __init__(self, message: Descriptor, field: Field):
        self._field, self.containing_type = field, message
        self.name, self.number = field.name, field.number
        self.full_name = f"{message.full_name}.{field.name}"
        self.file = message.file

    @property
    def type(self) -> int:
        return TYPES["message" if self._field.label == "map" else self._field.type]

    @property
    def cpp_type(self) -> int:
        return _CPP_TYPES["message" if self._field.label == "map" else self._field.type]

    @property
    def is_repeated(self) -> bool:
        return bool(self._field.label)

    @property
    def label(self) -> int:
        return _REPEATED if self._field.label else _OPTIONAL

    @property
    def has_presence(self) -> bool:
        return not self._field.label and self._field.explicit()

    @property
    def default_value(self) -> Any:
        field = self._field
        return [] if field.label else None if field.type == "message" else field.default

    @property
    def json_name(self) -> str:
        first, *others = self.name.split("_")
        return first + "".join([word[:1].upper() + word[1:] for word in others])

    camelcase_name = json_name

    @property
    def message_type(self) -> Descriptor | None:
        if self._field.label == "map":
            return MESSAGES[self._field.entry].DESCRIPTOR
        return MESSAGES[self._field.type_name].DESCRIPTOR if self._field.type == "message" else None

    @cached_property
    def enum_type(self) -> EnumDescriptor | None:
        name = self._field.type_name
        return EnumDescriptor(self.containing_type.package, name, ENUMS[name]) \
            if self._field.type == "enum" else None

    @property
    def containing_oneof(self) -> OneofDescriptor | None:
        return self.containing_type.oneofs_by_name.get(self._field.oneof)

    def __repr__(self) -> str:
        return f"<FieldDescriptor {self.full_name}>"


class Descriptor:
    """A message class: its names, and its fields."""

    is_extendable = False

    def __init__(self, package: str, full: str, fields: list[Field], module: str, entry: bool):
        self._outer, _, self.name = full.rpartition(".")
        self.full_name, self.package = f"{package}.{full}", package
        self._full, self._entry, self._declared = full, entry, fields
        self.file = SimpleNamespace(
            name=f"{module.removesuffix('_pb2').replace('.', '/')}.proto", package=package)
        self.has_options = entry

    @cached_property
    def fields(self) -> tuple[FieldDescriptor, ...]:
        return tuple([FieldDescriptor(self, one) for one in self._declared])

    @cached_property
    def fields_by_name(self) -> dict[str, FieldDescriptor]:
        return {one.name: one for one in self.fields}

    @cached_property
    def fields_by_number(self) -> dict[int, FieldDescriptor]:
        return {one.number: one for one in self.fields}

    @cached_property
    def oneofs_by_name(self) -> dict[str, OneofDescriptor]:
        names = dict.fromkeys(one.oneof for one in self._declared if one.oneof)
        return {name: OneofDescriptor(self, name) for name in names}

    @property
    def oneofs(self) -> list[OneofDescriptor]:
        return list(self.oneofs_by_name.values())

    @property
    def containing_type(self) -> Descriptor | None:
        return MESSAGES[self._outer].DESCRIPTOR if self._outer else None

    @property
    def _concrete_class(self) -> Any:
        return MESSAGES[self._full]

    def GetOptions(self) -> SimpleNamespace:
        """What the declaration says beside the fields: whether it is that of a map's entries."""
        return SimpleNamespace(map_entry=self._entry, message_set_wire_format=False)

    def __repr__(self) -> str:
        return f"<Descriptor {self.full_name}>"
