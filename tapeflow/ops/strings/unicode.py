"""tf.strings.unicode_*: characters and their code points, encodings, scripts.

Results are ragged where strings have different numbers of characters.
"""

from __future__ import annotations

import codecs
from collections.abc import Callable
from typing import Any

import numpy as np

from tapeflow.base import dtypes, errors
from tapeflow.base.attributes import attributes, flag, small, text
from tapeflow.base.exception_origin import unsignalled
from tapeflow.base.exports import export
from tapeflow.core.autodiff.batching import loop
from tapeflow.core.record.families import batch_elementwise, operand
from tapeflow.core.record.op import Spec, define, shape_of
from tapeflow.core.record.samples import Case
from tapeflow.core.values.tensor import Tensor
from tapeflow.ops.ragged.partition import partition
from tapeflow.ops.ragged.ragged_conversion import from_tensor
from tapeflow.ops.ragged.ragged_tensor import RaggedTensor, make
from tapeflow.ops.ragged.row_partition_ops import splits_kernel
from tapeflow.ops.strings import scripts
from tapeflow.ops.strings.text import (
    NO_GRADIENT,
    STRING,
    WORDS,
    inferred_strings,
    on_each,
    string_operand,
    strings,
)

_INT32, _INT64 = np.dtype("int32"), np.dtype("int64")
_ERRORS = ("replace", "ignore", "strict")
_OUTPUTS = {"UTF-8": "utf-8", "UTF-16-BE": "utf-16-be", "UTF-32-BE": "utf-32-be"}
_BAD = "Invalid formatting on input string"


def _codec(encoding: str, op: str) -> str:
    try:
        return codecs.lookup(encoding).name
    except unsignalled(LookupError, UnicodeError):
        raise errors.invalid(op, f"Could not create converter for input encoding: {encoding}"
                             ) from None


def _width(c: str, codec: str) -> int:
    """How many bytes a character takes."""
    if codec == "utf-8":
        code = ord(c)
        return 1 if code < 0x80 else 2 if code < 0x800 else 3 if code < 0x10000 else 4
    return len(c.encode(codec))


def _pieces(data: bytes, codec: str, op: str, policy: str) -> list[tuple[str | None, int, int]]:
    """(character or None for what is none, start, end) in order."""
    found: list[tuple[str | None, int, int]] = []
    at = 0
    while at <= len(data):
        try:
            text, bad = data[at:].decode(codec), None
        except UnicodeDecodeError as error:
            text, bad = data[at:at + error.start].decode(codec), error
        for c in text:
            width = _width(c, codec)
            found.append((c, at, at + width))
            at += width
        if bad is None:
            break
        if policy == "strict":
            raise errors.invalid(op, _BAD)
        end = at + bad.end - bad.start
        found.append((None, at, end))
        at = end
    return found


def _check_policy(policy: str) -> None:
    if policy not in _ERRORS:
        raise errors.InvalidArgumentError(None, None, (
            f"Value for attr 'errors' of \"{policy}\" is not in the list of allowed values: "
            "\"strict\", \"replace\", \"ignore\""))


def _check_replacement(code: int, op: str) -> None:
    if not 0 <= code <= 0x10FFFF or 0xD800 <= code < 0xE000:
        raise errors.invalid(op, "replacement_char out of unicode codepoint range")


class Reading:
    """How strings are read: an attribute of ops."""

    __slots__ = ("codec", "controls", "policy", "replacement")

    def __init__(self, encoding: str, policy: str, replacement: int, controls: bool, op: str):
        _check_policy(policy)
        _check_replacement(replacement, op)
        self.codec, self.policy = _codec(encoding, op), policy
        self.replacement, self.controls = replacement, controls

    def characters(self, data: bytes, op: str) -> list[tuple[int, int, int]]:
        """(code point, start, end) of each character."""
        if self.codec == "utf-8" and data.isascii() and not self.controls:
            return [(code, i, i + 1) for i, code in enumerate(data)]
        found = []
        for c, start, end in _pieces(data, self.codec, op, self.policy):
            code = -1 if c is None else ord(c)
            if code < 0 or self.controls and code < 0x20:
                if self.policy == "ignore":
                    continue
                code = self.replacement
            found.append((code, start, end))
        return found


# -- decoding --------------------------------------------------------------------------------------
def _decode_kernel(x, reading):
    """(code points of characters, where they begin, splits) of a vector of strings."""
    rows = [reading.characters(one, "UnicodeDecode") for one in x.tolist()]
    flat = [one for row in rows for one in row]
    return (np.array([code for code, _, _ in flat], _INT32),
            np.array([start for _, start, _ in flat], _INT64),
            splits_kernel(np.array([len(row) for row in rows], _INT64)))


def _rows(x: Spec, more: int) -> Any:
    n = None if x.shape is None else x.shape[0]
    return None if n is None else n + more


_EXAMPLE = Reading("UTF-8", "replace", 65533, False, "UnicodeDecode")
_decode = define("unicode_decode", kernel=_decode_kernel, dtypes="O", vjp=NO_GRADIENT, batch=loop,
                 multi=True, tf_name="UnicodeDecodeWithOffsets",
                 shape=lambda x, reading: (Spec((None,), _INT32), Spec((None,), _INT64),
                                           Spec((_rows(x, 1),), _INT64)),
                 check=[Case(WORDS, reading=_EXAMPLE)])


def _split_kernel(x, reading):
    """(characters as strings of UTF-8, where they begin, splits) of a vector of strings."""
    rows = [reading.characters(one, "UnicodeDecode") for one in x.tolist()]
    flat = [one for row in rows for one in row]
    return (strings([chr(code).encode() for code, _, _ in flat], (len(flat),)),
            np.array([start for _, start, _ in flat], _INT64),
            splits_kernel(np.array([len(row) for row in rows], _INT64)))


_split = define("unicode_split", kernel=_split_kernel, dtypes="O", vjp=NO_GRADIENT, batch=loop,
                multi=True,
                shape=lambda x, reading: (Spec((None,), STRING), Spec((None,), _INT64),
                                          Spec((_rows(x, 1),), _INT64)),
                check=[Case(WORDS, reading=_EXAMPLE)])


def by_rows(call: Callable, x: Any, count: int) -> tuple:
    """An op on a vector of strings that gives `count` flat results and splits, for any rank.

    A scalar gives vectors, a vector ragged matrices, and so on.
    """
    if isinstance(x, RaggedTensor):
        inner = by_rows(call, x.flat_values, count)
        return tuple([x.with_flat_values(one) for one in inner])
    rank = len(shape_of(x))
    if rank == 0:
        from tapeflow.core.record.primitive_ops import reshape
        return tuple(call(reshape(x, shape=(1,)))[:count])
    if rank > 1:
        return by_rows(call, from_tensor(x, None, None, rank - 1, dtypes.int64), count)
    *flat, splits = call(x)
    return tuple([make(one, partition(splits)) for one in flat[:count]])


def _operand(input: Any) -> Any:
    return input if isinstance(input, RaggedTensor) else inferred_strings(input)


def _decoded(call: Callable, input: Any, encoding: str, policy: str, replacement: int,
             controls: bool, count: int) -> tuple:
    reading = Reading(encoding, policy, replacement, controls, "UnicodeDecode")
    return by_rows(lambda x: call(x, reading=reading), _operand(input), count)


@export("strings.unicode_decode")
@attributes(input_encoding=text, errors=text, replacement_char=small,
            replace_control_characters=flag)
def unicode_decode(input: Any, input_encoding: str, errors: str = "replace",
                   replacement_char: int = 0xFFFD, replace_control_characters: bool = False,
                   name: str | None = None) -> Any:
    """The code points of the characters of each string."""
    return _decoded(_decode, input, input_encoding, errors, replacement_char,
                    replace_control_characters, 1)[0]


@export("strings.unicode_decode_with_offsets")
@attributes(input_encoding=text, errors=text, replacement_char=small,
            replace_control_characters=flag)
def unicode_decode_with_offsets(input: Any, input_encoding: str, errors: str = "replace",
                                replacement_char: int = 0xFFFD,
                                replace_control_characters: bool = False,
                                name: str | None = None) -> tuple:
    """The code points of the characters of each string, and the bytes at which they begin."""
    return _decoded(_decode, input, input_encoding, errors, replacement_char,
                    replace_control_characters, 2)


@export("strings.unicode_split")
@attributes(input_encoding=text, errors=text, replacement_char=small)
def unicode_split(input: Any, input_encoding: str, errors: str = "replace",
                  replacement_char: int = 0xFFFD, name: str | None = None) -> Any:
    """The characters of each string, as strings of UTF-8."""
    return _decoded(_split, input, input_encoding, errors, replacement_char, False, 1)[0]


@export("strings.unicode_split_with_offsets")
@attributes(input_encoding=text, errors=text, replacement_char=small)
def unicode_split_with_offsets(input: Any, input_encoding: str, errors: str = "replace",
                               replacement_char: int = 0xFFFD, name: str | None = None) -> tuple:
    """The characters of each string, and the bytes at which they begin."""
    return _decoded(_split, input, input_encoding, errors, replacement_char, False, 2)


# -- encoding --------------------------------------------------------------------------------------
def _text(codes: list[int], policy: str, replacement: int) -> str:
    out = []
    for code in codes:
        if not 0 <= code <= 0x10FFFF or 0xD800 <= code < 0xE000:
            if policy == "strict":
                raise errors.invalid("UnicodeEncode", "Code point is out of range for Unicode, or "
                                                      "is a surrogate.")
            if policy == "ignore":
                continue
            code = replacement
        out.append(chr(code))
    return "".join(out)


def _encode_kernel(codes, splits, codec, policy, replacement):
    code_points, bounds = codes.tolist(), splits.tolist()
    return strings([_text(code_points[a:b], policy, replacement).encode(codec)
                    for a, b in zip(bounds, bounds[1:])], (len(bounds) - 1,))


_encode = define("unicode_encode", kernel=_encode_kernel, dtypes="iu", args=("codes", "splits"),
                 vjp=NO_GRADIENT, batch=loop,
                 shape=lambda codes, splits, **attrs: Spec((_rows(splits, -1),), STRING),
                 check=[Case(np.array([104, 233], np.int32), np.array([0, 1, 2], np.int64),
                             codec="utf-8", policy="replace", replacement=65533)])


@export("strings.unicode_encode")
@attributes(output_encoding=text, errors=text, replacement_char=small)
def unicode_encode(input: Any, output_encoding: str, errors: str = "replace",
                   replacement_char: int = 0xFFFD, name: str | None = None) -> Any:
    """Strings of characters given by their code points along the last axis."""
    codec = _output(output_encoding, "UnicodeEncode")
    _check_policy(errors)
    _check_replacement(replacement_char, "UnicodeEncode")
    x = input if isinstance(input, RaggedTensor) else operand(input)
    if x.dtype is not dtypes.int32:
        raise TypeError(f"UnicodeEncode: expected a int32 tensor, got {x.dtype.name}")
    attrs = {"codec": codec, "policy": errors, "replacement": replacement_char}
    if isinstance(x, RaggedTensor):
        if isinstance(x.values, RaggedTensor):
            return x.with_values(unicode_encode(x.values, output_encoding, errors,
                                                replacement_char))
        if len(shape_of(x.values)) > 1:
            return x.with_values(unicode_encode(x.values, output_encoding, errors,
                                                replacement_char))
        return _encode(x.values, x.row_splits, **attrs)
    rank = len(shape_of(x))
    if not rank:
        raise ValueError("input_tensor's rank must be at least 1.")
    from tapeflow.core.record.primitive_ops import reshape
    from tapeflow.ops._support.arguments import joined, sizes_of
    sizes = sizes_of(x)
    flat = reshape(x, shape=joined([-1, sizes[-1]]))
    rows = from_tensor(flat, None, None, 1, dtypes.int64)
    found = _encode(rows.values, rows.row_splits, **attrs)
    return reshape(found, shape=joined(sizes[:-1]))


def _output(encoding: str, op: str) -> str:
    if encoding not in _OUTPUTS:
        raise errors.InvalidArgumentError(None, None, (
            f"Value for attr 'output_encoding' of \"{encoding}\" is not in the list of allowed "
            "values: \"UTF-8\", \"UTF-16-BE\", \"UTF-32-BE\""))
    return _OUTPUTS[encoding]


def _transcoded(one: bytes, reading: Reading, codec: str) -> bytes:
    return "".join([chr(code) for code, _, _ in reading.characters(
        one, "UnicodeTranscode")]).encode(codec)


_transcode = on_each("unicode_transcode", _transcoded,
                     check=[Case(WORDS, reading=_EXAMPLE, codec="utf-16-be")])


@export("strings.unicode_transcode")
@attributes(input_encoding=text, output_encoding=text, errors=text, replacement_char=small,
            replace_control_characters=flag)
def unicode_transcode(input: Any, input_encoding: str, output_encoding: str,
                      errors: str = "replace", replacement_char: int = 0xFFFD,
                      replace_control_characters: bool = False,
                      name: str | None = None) -> Tensor:
    """Strings in another encoding."""
    reading = Reading(input_encoding, errors, replacement_char, replace_control_characters,
                      "UnicodeTranscode")
    return _transcode(string_operand(input), reading=reading,
                      codec=_output(output_encoding, "UnicodeTranscode"))


# -- scripts ---------------------------------------------------------------------------------------
def _script_kernel(x):
    table = scripts.table()
    codes = np.asarray(x)
    known = (codes >= 0) & (codes < len(table))
    return np.where(known, table[np.where(known, codes, 0)], -1).astype(_INT32)[()]


_script = define("unicode_script", kernel=_script_kernel, dtypes="i", vjp=NO_GRADIENT,
                 shape=lambda x: Spec(x.shape, _INT32), batch=batch_elementwise,
                 kind="elementwise", check=[Case(np.array([97, 1086, -1], np.int32))])


@export("strings.unicode_script")
def unicode_script(input: Any, name: str | None = None) -> Tensor:
    """The script of each character, as ICU numbers them: 25 is Latin, 8 Cyrillic."""
    x = operand(input, None if hasattr(input, "dtype") else dtypes.int32)
    if x.dtype != dtypes.int32:
        raise errors.invalid("UnicodeScript", "cannot compute UnicodeScript as input #0(zero-based)"
                             f" was expected to be a int32 tensor but is a {x.dtype.name} tensor")
    return _script(x)
