"""Message classes of declarations: `schema("tensorflow", "message Name { string key = 1; … }")`."""

from __future__ import annotations

import re

from tapeflow.io.protobuf.descriptors import TYPES, Descriptor
from tapeflow.io.protobuf.fields import ENUMS, MESSAGES, Field
from tapeflow.io.protobuf.messages import Message

_SCALARS = frozenset(TYPES) - {"group", "message", "enum"}
_TOKEN = re.compile(r"//[^\n]*|[\w.]+|[{}=;<>,]|-\d+")


def schema(package: str, text: str, module: str = "") -> None:
    """Make the classes and enums of declarations: `message Name { string key = 1; … }`."""
    tokens = [one for one in _TOKEN.findall(text) if not one.startswith("//")]
    tokens.reverse()
    while tokens:
        _declaration(tokens, package, "", module)


def _declaration(tokens: list[str], package: str, outer: str, module: str) -> None:
    word, name = tokens.pop(), tokens.pop()
    if word == "enum":
        return _enum(tokens, outer + name)
    if word != "message":
        raise ValueError(f"expected message or enum, got {word} {name}")
    fields: list[Field] = []
    tokens.pop()  # {
    oneof = ""
    while (word := tokens.pop()) != "}" or oneof:
        if word == "}":
            oneof = ""
        elif word in ("message", "enum"):
            tokens.append(word)
            _declaration(tokens, package, f"{outer}{name}.", module)
        elif word == "oneof":
            oneof = tokens.pop()
            tokens.pop()
        else:
            fields.append(_field(tokens, word, f"{outer}{name}.", oneof))
    full = outer + name
    for one in fields:
        if one.label == "map":
            _define(package, one.entry, [
                Field("key", 1, one.key_type, ""),
                one._replace(name="value", number=2, label="", key_type="", entry="")],
                module, entry=True)
    cls = _define(package, full, fields, module)
    for inner, kind in MESSAGES.items():
        if inner.startswith(f"{full}.") and "." not in inner[len(full) + 1:]:
            setattr(cls, inner[len(full) + 1:], kind)
    for inner, values in ENUMS.items():
        if inner.startswith(f"{full}."):
            for label, value in values.items():
                setattr(cls, label, value)
    return None


def _define(package: str, full: str, fields: list[Field], module: str,
            entry: bool = False) -> type[Message]:
    """The class of a message, in the register."""
    name = full.rpartition(".")[2]
    cls = type(name, (Message,), {
        "__slots__": (), "__module__": module or __name__, "__qualname__": full,
        "__doc__": f"The message {package}.{full}.",
        "_fields": {one.name: one for one in fields},
        "_oneofs": {one.oneof: {other.name: None for other in fields if other.oneof == one.oneof}
                    for one in fields if one.oneof},
        "_numbers": {one.number: one for one in fields},
        "DESCRIPTOR": Descriptor(package, full, fields, module or __name__, entry)})
    MESSAGES[full] = cls
    return cls


def _enum(tokens: list[str], name: str) -> None:
    tokens.pop()
    values: dict[str, int] = {}
    while (word := tokens.pop()) != "}":
        tokens.pop()
        values[word] = int(tokens.pop())
        tokens.pop()
    ENUMS[name] = values


def _field(tokens: list[str], word: str, outer: str, oneof: str) -> Field:
    label = key_type = entry = ""
    if word == "repeated":
        label, word = "repeated", tokens.pop()
    elif word == "map":
        tokens.pop()
        key_type = tokens.pop()
        tokens.pop()
        word = tokens.pop()
        tokens.pop()
        label = "map"
    name = tokens.pop()
    tokens.pop()
    number = int(tokens.pop())
    tokens.pop()  # ;
    if label == "map":
        entry = f"{outer}{''.join([part.title() for part in name.split('_')])}Entry"
    if word in _SCALARS:
        return Field(name, number, word, label, oneof, "", key_type, entry)
    if word in ENUMS or outer + word in ENUMS:
        found = word if word in ENUMS else outer + word
        return Field(name, number, "enum", label, oneof, found, key_type, entry)
    nested, scope = word, outer  # the innermost message of that name
    while scope and scope + word not in MESSAGES:
        scope = f"{scope[:-1].rpartition('.')[0]}.".lstrip(".")
    if scope:
        nested = scope + word
    return Field(name, number, "message", label, oneof, nested, key_type, entry)
