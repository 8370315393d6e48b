"""Messages as text: what protobuf prints, and reading it back; the `checkpoint` file is such."""

from __future__ import annotations

import re
import struct
from collections.abc import Iterator
from typing import Any

from tapeflow.io.protobuf.fields import ENUMS, MESSAGES, sort_key

_ESCAPES = {10: "\\n", 13: "\\r", 9: "\\t", 34: '\\"', 39: "\\'", 92: "\\\\"}


def quoted(data: Any) -> str:
    """A string or bytes in double quotes; bytes outside ASCII as octal numbers."""
    raw = data.encode() if isinstance(data, str) else data
    text = isinstance(data, str)
    parts = []
    for byte in raw:
        if byte in _ESCAPES:
            parts.append(_ESCAPES[byte].encode())
        elif 32 <= byte < 127 or (text and byte >= 128):
            parts.append(bytes((byte,)))
        else:
            parts.append(b"\\%03o" % byte)
    return '"' + b"".join(parts).decode() + '"'


def _float_text(value: float, kind: str) -> str:
    """By "%.6g" ("%.15g" for doubles), or with all digits if that is not the same number."""
    if value != value or value in (float("inf"), float("-inf")):
        return str(value)
    if kind == "double":
        text = f"{value:.15g}"
        return text if float(text) == value else f"{value:.17g}"
    text = f"{value:.6g}"
    same = struct.unpack("<f", struct.pack("<f", float(text)))[0] == value
    return text if same else f"{value:.9g}"


def scalar_text(field: Any, value: Any, kind: str | None = None) -> str:
    """One value as text."""
    kind = kind or field.type
    if kind in ("string", "bytes"):
        return quoted(value)
    if kind in ("float", "double"):
        return _float_text(value, kind)
    if kind == "bool":
        return "true" if value else "false"
    if kind == "enum":
        return next((name for name, number in ENUMS[field.type_name].items() if number == value),
                    str(value))
    return str(value)


def message_text(message: Any, indent: str = "") -> str:
    """A message as protobuf prints it: one field to a line, each nested message indented."""
    lines: list[str] = []

    def block(name: str, inner: str) -> None:
        lines.append(f"{indent}{name} {{\n{inner}{indent}}}\n")

    deeper = indent + "  "
    for field, value in message._present():
        if field.label == "map":
            for key in sorted(value, key=sort_key):
                entry = f"{deeper}key: {scalar_text(field, key, field.key_type)}\n"
                if field.type == "message":
                    inner = message_text(value[key], deeper + "  ")
                    entry += f"{deeper}value {{\n{inner}{deeper}}}\n"
                else:
                    entry += f"{deeper}value: {scalar_text(field, value[key])}\n"
                block(field.name, entry)
            continue
        for one in value if field.label else [value]:
            if field.type == "message":
                block(field.name, message_text(one, deeper))
            else:
                lines.append(f"{indent}{field.name}: {scalar_text(field, one)}\n")
    return "".join(lines)


# -- reading ---------------------------------------------------------------------------------------
class ParseError(ValueError):
    """The text is no message of the expected type."""


_TOKENS = re.compile(r'\s+|#[^\n]*|(?P<name>[A-Za-z_][\w.]*)|(?P<string>"(?:\\.|[^"\\])*"|'
                     r"'(?:\\.|[^'\\])*')|(?P<number>[-+]?[\d.][\w.+-]*|-inf|-nan)"
                     r"|(?P<mark>[:{}<>\[\],;])")


def _tokens(text: str) -> Iterator[str]:
    offset = 0
    while offset < len(text):
        found = _TOKENS.match(text, offset)
        if found is None:
            raise ParseError(f"cannot read {text[offset:offset + 20]!r}")
        if found.lastgroup:
            yield found.group()
        offset = found.end()


def unquoted(text: str) -> bytes:
    """The bytes that a quoted string stands for."""
    def meant(found: re.Match) -> str:
        word = found.group(1)
        if word[0] in "01234567":
            return chr(int(word, 8))
        if word[0] == "x":
            return chr(int(word[1:], 16))
        return {"n": "\n", "r": "\r", "t": "\t"}.get(word, word)

    inner = text[1:-1].encode().decode("latin-1")
    return re.sub(r"\\([0-7]{1,3}|x[0-9a-fA-F]{1,2}|.)", meant, inner).encode("latin-1")


def parse(text: str, message: Any) -> Any:
    """Set the fields of `message` that the text names; returns it."""
    tokens = list(_tokens(text))[::-1]
    _read_fields(tokens, message, "")
    return message


def _read_fields(tokens: list[str], message: Any, end: str) -> None:
    while tokens:
        name = tokens.pop()
        if name in (",", ";"):
            continue
        if name == end:
            return
        field = message._fields.get(name)
        if field is None:
            raise ParseError(f'Message type "{message.DESCRIPTOR.full_name}" has no field named '
                             f'"{name}".')
        _read_value(tokens, message, field)
    if end:
        raise ParseError(f"a message ends without {end!r}")


def _read_value(tokens: list[str], message: Any, field: Any) -> None:
    if not tokens:
        raise ParseError(f"no value for the field {field.name}")
    word = tokens.pop()
    if word == ":":
        word = tokens.pop() if tokens else ""
    if word == "[" and field.label:
        while (word := tokens.pop() if tokens else "") != "]":
            if not word:
                raise ParseError(f"the list of the field {field.name} has no end")
            if word != ",":
                _put(tokens, message, field, word)
    else:
        _put(tokens, message, field, word)


def _put(tokens: list[str], message: Any, field: Any, word: str) -> None:
    """Set a field to the value that begins with a word, or append it."""
    if field.type == "message" or field.label == "map":
        if word not in ("{", "<"):
            raise ParseError(f"the field {field.name} is a message, got {word!r}")
        target = getattr(message, field.name)
        if field.label:
            target = MESSAGES[field.entry]() if field.entry else target.add()
        _read_fields(tokens, target, "}" if word == "{" else ">")
        if field.entry:
            getattr(message, field.name).put(target.key, target.value)
        target._touch()
    elif field.label:
        getattr(message, field.name).append(_read_scalar(field, word))
    else:
        setattr(message, field.name, _read_scalar(field, word))


def _read_scalar(field: Any, word: str) -> Any:
    if field.type in ("string", "bytes"):
        if word[:1] not in "\"'":
            raise ParseError(f"the field {field.name} takes a quoted string, got {word!r}")
        data = unquoted(word)
        return data.decode() if field.type == "string" else data
    if field.type == "bool":
        return word in ("true", "1", "t", "True")
    try:
        if field.type in ("float", "double"):
            return float(word)
        return word if field.type == "enum" and not word.lstrip("-").isdigit() else int(word, 0)
    except ValueError:
        raise ParseError(f"the field {field.name} takes a number, got {word!r}") from None
