"""tf.io.decode_json_example: Examples written in JSON, as protobuf's reader takes them.

It is more generous than JSON and than Python's `json`: strings in single quotes, names without
quotes, a comma at the end, numbers as strings, one value for a list, null for what is not there;
and stricter: no number may lose digits.
"""

from __future__ import annotations

import base64
import binascii
import re
import struct
from collections.abc import Callable
from typing import Any

from tapeflow.base import errors
from tapeflow.base.exports import export
from tapeflow.core.autodiff.batching import loop
from tapeflow.core.record.op import NONDIFF, define
from tapeflow.core.values.tensor import Tensor
from tapeflow.io.file_ops import each, text_operand
from tapeflow.io.protobuf import wire

_DEEPEST = 100  # values in values
_EXACT = 1 << 53  # up to here every integer is a float64
_BLANK = re.compile(r"[ \t\n\r]*")
_NUMBER = re.compile(r"-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?(?![\w.+-])", re.ASCII)
_WORD = re.compile(r"[A-Za-z_$][\w$]*", re.ASCII)
_STRINGS = {'"': re.compile(r'"((?:[^"\\]|\\.)*)"', re.DOTALL),
            "'": re.compile(r"'((?:[^'\\]|\\.)*)'", re.DOTALL)}
_ESCAPE = re.compile(r"\\(u[0-9a-fA-F]{4}|.)", re.DOTALL)
_ESCAPED = {**{one: one for one in "\"'\\/"}, "b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t"}
_INTEGER = re.compile(r"[+-]?\d+", re.ASCII)
_DECIMAL = re.compile(r"[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?", re.ASCII)
_FLOAT = re.compile(r"\s*[+-]?(?:(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?|inf(?:inity)?|nan)\s*",
                    re.ASCII | re.IGNORECASE)
_HEX = re.compile(r"[+-]?0[xX]")
_URL_SAFE = str.maketrans("-_", "+/")


class _Number(str):
    """A number that stands without quotes, as it is written."""


class _Object(list[tuple[str, Any]]):
    """The names and values of an object; a name may come twice."""


# -- the text --------------------------------------------------------------------------------------
class _Reader:
    def __init__(self, text: str):
        self._text, self._at = text, 0

    def whole(self) -> Any:
        value = self._value(0)
        if self._next():
            raise ValueError("text behind the value")
        return value

    def _next(self) -> str:
        """The next character that is not blank; "" at the end."""
        self._at = _BLANK.match(self._text, self._at).end()  # type: ignore[union-attr]
        return self._text[self._at:self._at + 1]

    def _take(self, pattern: re.Pattern) -> re.Match:
        found = pattern.match(self._text, self._at)
        if found is None:
            raise ValueError(f"cannot read what stands at character {self._at}")
        self._at = found.end()
        return found

    def _value(self, depth: int) -> Any:
        if depth > _DEEPEST:
            raise ValueError("values in values, too deep")
        first = self._next()
        if first == "{":
            return _Object(self._items("}", lambda: self._pair(depth)))
        if first == "[":
            return self._items("]", lambda: self._value(depth + 1))
        if first in _STRINGS:
            return self._string(first)
        if first == "-" or first.isdigit():
            return _Number(self._take(_NUMBER).group())
        return {"true": True, "false": False, "null": None}[self._take(_WORD).group()]

    def _items(self, end: str, item: Callable[[], Any]) -> list:
        """What stands between brackets, with commas between and perhaps one behind."""
        self._at += 1
        found = []
        while self._next() != end:
            found.append(item())
            if self._next() != ",":
                break
            self._at += 1
        if self._next() != end:
            raise ValueError(f"{end} is missing")
        self._at += 1
        return found

    def _pair(self, depth: int) -> tuple[str, Any]:
        first = self._next()
        name = self._string(first) if first in _STRINGS else self._take(_WORD).group()
        if self._next() != ":":
            raise ValueError(": is missing")
        self._at += 1
        return name, self._value(depth + 1)

    def _string(self, quote: str) -> str:
        text = _ESCAPE.sub(lambda found: self._unescaped(found.group(1)),
                           self._take(_STRINGS[quote]).group(1))
        return text.encode("utf-16", "surrogatepass").decode("utf-16")  # pairs are characters

    @staticmethod
    def _unescaped(text: str) -> str:
        return chr(int(text[1:], 16)) if len(text) == 5 else _ESCAPED[text]


# -- values ----------------------------------------------------------------------------------------
def _int64(value: Any) -> bytes:
    if value is None:
        return wire.tag(1, wire.VARINT) + b"\0"
    if not isinstance(value, str):
        raise ValueError(f"{value!r} is no integer")
    if _INTEGER.fullmatch(value):
        found = int(value)
    else:
        real = float.fromhex(value) if _HEX.match(value) else (
            float(value) if _DECIMAL.fullmatch(value) else 0.5)
        if not real.is_integer() or abs(real) > _EXACT:
            raise ValueError(f"{value!r} is no integer")
        found = int(real)
    if not -1 << 63 <= found < 1 << 63:
        raise ValueError(f"Value out of range: {value}")
    return wire.tag(1, wire.VARINT) + wire.varint(found)


def _float(value: Any) -> bytes:
    if value is None:
        value = _Number("0")
    if not isinstance(value, str):
        raise ValueError(f"{value!r} is no number")
    if not _FLOAT.fullmatch(value) and not _HEX.match(value):
        raise ValueError(f"{value!r} is no number")
    found = float.fromhex(value) if _HEX.match(value) else float(value)
    if isinstance(value, _Number) and found in (float("inf"), float("-inf")):
        raise ValueError(f"Value out of range: {value}")
    return wire.tag(1, wire.FIXED32) + struct.pack("<f", found)


def _bytes(value: Any) -> bytes:
    if value is None:
        value = ""
    if not isinstance(value, str) or isinstance(value, _Number):
        raise ValueError(f"{value!r} is no string")
    text = value.translate(_URL_SAFE)
    if "=" not in text:
        text += "=" * (-len(text) % 4)
    return wire.chunk(1, base64.b64decode(text, validate=True))


# Names of the lists of a Feature, their number and what writes a value, which is not packed.
_LISTS: dict[str, tuple[int, Callable[[Any], bytes]]] = {
    "bytesList": (1, _bytes), "floatList": (2, _float), "int64List": (3, _int64)}
_LISTS.update({f"{name[:-4]}_list": made for name, made in list(_LISTS.items())})


def _fields(held: Any, *names: str) -> _Object:
    """The fields of a message that are set, which may have these names."""
    if not isinstance(held, _Object):
        raise ValueError(f"{held!r} is no message")
    for name, _ in held:
        if name not in names:
            raise ValueError(f"no such field: {name!r}")
    return _Object([pair for pair in held if pair[1] is not None])


def _each(value: Any) -> list:
    """The values of a list, also of lists in it, or the only one."""
    if isinstance(value, _Object):
        raise ValueError("a message in place of values")
    return [one for part in value for one in _each(part)] if isinstance(value, list) else [value]


def _feature(held: Any) -> bytes:
    fields = _fields(held, *_LISTS)
    if len(fields) > 1:
        raise ValueError(f"several kinds of values: {sorted(name for name, _ in fields)}")
    parts = []
    for name, values in fields:
        number, write = _LISTS[name]
        parts.append(wire.chunk(number, b"".join([
            write(one) for _, value in _fields(values, "value") for one in _each(value)])))
    return b"".join(parts)


def _entries(held: Any) -> bytes:
    if not isinstance(held, _Object):
        raise ValueError(f"{held!r} is no map")
    if len({name for name, _ in held}) < len(held):
        raise ValueError("a key comes twice")
    return b"".join([wire.chunk(1, wire.chunk(1, name.encode()) + (
        b"" if feature is None else wire.chunk(2, _feature(feature)))) for name, feature in held])


def _example_of(text: bytes) -> bytes:
    """The bytes of the Example that a JSON text describes."""
    try:
        held = _Reader(text.decode()).whole()
        return b"".join([wire.chunk(1, b"".join([
            _entries(entries) for _, entries in _fields(features, "feature")]))
            for _, features in _fields(held, "features")])
    except (binascii.Error, KeyError, OverflowError, RecursionError, ValueError) as problem:
        raise errors.invalid("DecodeJSONExample", f"Error while parsing JSON: {problem}") from None


_decode_json = define("decode_json_example", kernel=each(_example_of), args=("json_examples",),
                      dtypes="O", shape=lambda x: x, batch=loop, internal=True,
                      vjp=NONDIFF("bytes have no derivative"))


@export("io.decode_json_example")
def decode_json_example(json_examples: Any, name: str | None = None) -> Tensor:
    """Examples written in JSON as serialized Example messages."""
    return _decode_json(text_operand(json_examples))
