"""Ops on each string by itself: case, stripping, length, substrings, numbers; joining strings.

Strings are bytes in object arrays. May be imported by other modules of `ops`.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import numpy as np

from tapeflow.base import dtypes, errors
from tapeflow.base.attributes import attributes, dense, flag, listed, text, text_bytes
from tapeflow.base.exception_origin import unsignalled
from tapeflow.base.exports import export
from tapeflow.core.autodiff.batching import loop
from tapeflow.core.record.families import axes_of, batch_elementwise, operand
from tapeflow.core.record.op import NONDIFF, Spec, define, shape_of
from tapeflow.core.record.samples import Case
from tapeflow.core.values.tensor import Tensor, wrap
from tapeflow.core.values.variable import Variable
from tapeflow.ops._support.arguments import affordable, brackets, integers

STRING = np.dtype(object)
NO_GRADIENT = NONDIFF("strings have no derivative")
WORDS = np.array([b"Hello World", b" x ", b""], object)


def strings(flat: list, shape: tuple) -> np.ndarray:
    """An object array of bytes."""
    result = np.empty(len(flat), object)
    result[:] = flat
    return result.reshape(shape)


def string_operand(x: Any) -> Any:
    """An argument that must be of strings."""
    if isinstance(x, (Tensor, Variable)) or hasattr(x, "dtype"):
        tensor = operand(x)
        if tensor.dtype is not dtypes.string:
            raise errors.invalid("String", (
                f"cannot compute a string op as input #0(zero-based) was expected to be a string "
                f"tensor but is a {tensor.dtype.name} tensor"))
        return tensor
    return operand(x, dtypes.string)


def inferred_strings(x: Any) -> Any:
    """Strings whose dtype TensorFlow infers from the values: an empty list is one of floats."""
    return string_operand(x if hasattr(x, "dtype") else operand(x))


def on_each(name: str, function: Callable, dtype: Any = STRING, tf_name: str | None = None,
            check: Any = None) -> Callable:
    """An op that makes something of each string: `function(string, **attrs)`."""
    def many(flat: list, **attrs: Any) -> list:
        return [function(one, **attrs) for one in flat]

    return on_all(name, many, dtype, tf_name, check)


def on_all(name: str, function: Callable, dtype: Any = STRING, tf_name: str | None = None,
           check: Any = None) -> Callable:
    """An op that makes something of each string: `function(list of strings, **attrs)`."""
    kind = np.dtype(dtype)

    def kernel(x, **attrs):
        found = function(np.asarray(x).ravel().tolist(), **attrs)
        return strings(found, x.shape) if kind == STRING else np.array(found, kind).reshape(
            x.shape)[()]

    return define(name, kernel=kernel, shape=lambda x, **attrs: Spec(x.shape, kind), dtypes="O",
                  vjp=NO_GRADIENT, batch=batch_elementwise, kind="elementwise", tf_name=tf_name,
                  check=check or [Case(WORDS)])


def _encoding(encoding: str, op: str) -> bool:
    """Whether strings are text in UTF-8, not bytes."""
    if encoding.lower() not in ("", "utf-8"):
        raise errors.invalid(op, f"only utf-8 or '' (no encoding) is supported, received "
                                 f"{encoding}")
    return bool(encoding)


def _cased(of_bytes: Callable, of_text: Callable) -> Callable:
    def change(flat: list, text: bool) -> list:
        if not text:
            return list(map(of_bytes, flat))
        return [of_text(one.decode("utf-8", "replace")).encode() for one in flat]

    return change


_lower = on_all("string_lower", _cased(bytes.lower, str.lower),
                check=[Case(WORDS, text=False), Case(WORDS, text=True)])
_upper = on_all("string_upper", _cased(bytes.upper, str.upper),
                check=[Case(WORDS, text=False), Case(WORDS, text=True)])
_strip = on_all("string_strip", lambda flat: [one.strip(b" \t\n\r\x0b\x0c") for one in flat])


@export("strings.lower")
@attributes(encoding=text)
def lower(input: Any, encoding: str = "", name: str | None = None) -> Tensor:
    """Upper-case letters made lower case: of ASCII, or of all Unicode with encoding='utf-8'."""
    return _lower(string_operand(input), text=_encoding(encoding, "StringLower"))


@export("strings.upper")
@attributes(encoding=text)
def upper(input: Any, encoding: str = "", name: str | None = None) -> Tensor:
    """Lower-case letters made upper case: of ASCII, or of all Unicode with encoding='utf-8'."""
    return _upper(string_operand(input), text=_encoding(encoding, "StringUpper"))


@export("strings.strip")
def strip(input: Any, name: str | None = None) -> Tensor:
    """Without white space at both ends."""
    return _strip(string_operand(input))


# -- length and parts ------------------------------------------------------------------------------
def _unit(unit: str) -> bool:
    """Whether characters are counted, not bytes."""
    if unit not in ("BYTE", "UTF8_CHAR"):
        raise errors.InvalidArgumentError(None, None, (
            f"Value for attr 'unit' of \"{unit}\" is not in the list of allowed values: \"BYTE\", "
            "\"UTF8_CHAR\""))
    return unit == "UTF8_CHAR"


def _characters(one: bytes) -> int:
    """Characters are counted by the bytes that do not continue one."""
    return len(one) if one.isascii() else sum((byte & 0xC0) != 0x80 for byte in one)


_length = on_all("string_length",
                 lambda flat, characters: list(map(_characters if characters else len, flat)),
                 np.int32, check=[Case(WORDS, characters=False), Case(WORDS, characters=True)])


@export("strings.length")
def length(input: Any, unit: str = "BYTE", name: str | None = None) -> Tensor:
    """How many bytes or characters (unit='UTF8_CHAR') each string has."""
    return _length(string_operand(input), characters=_unit(unit))


def _starts(one: bytes) -> list[int]:
    """Where characters begin, and the end."""
    return [i for i, byte in enumerate(one) if (byte & 0xC0) != 0x80] + [len(one)]


def _part(one: bytes, pos: int, size: int, characters: bool, index: int) -> bytes:
    count = len(_starts(one)) - 1 if characters else len(one)
    if not -count <= pos <= count:
        raise errors.invalid("Substr", f"pos {pos} out of range for string b'"
                             f"{one.decode('utf-8', 'replace')}' at index {index}")
    start = pos + count if pos < 0 else pos
    end = count if size < 0 else min(start + size, count)
    if characters:
        bounds = _starts(one)
        return one[bounds[start]:bounds[end]]
    return one[start:end]


def _substr_kernel(x, pos, size, characters):
    if not characters and not np.ndim(pos) and not np.ndim(size) and pos >= 0 <= size:
        flat, start, end = np.asarray(x).ravel().tolist(), int(pos), int(pos) + int(size)
        if start <= min(map(len, flat), default=start):  # what most programs do
            return strings([one[start:end] for one in flat], x.shape)
    try:
        whole, starts, sizes = np.broadcast_arrays(x, pos, size)
    except unsignalled(ValueError):
        raise errors.invalid("Substr", f"strings {brackets(x.shape)} and positions "
                                       f"{brackets(pos.shape)} do not broadcast") from None
    found = [_part(one, at, n, characters, i) for i, (one, at, n) in enumerate(zip(
        whole.ravel().tolist(), starts.ravel().tolist(), sizes.ravel().tolist(), strict=True))]
    return strings(found, whole.shape)


def _substr_shape(x: Spec, pos: Spec, size: Spec, characters: bool) -> Spec:
    from tapeflow.base.shapes import broadcast_shapes
    return Spec(broadcast_shapes(x.shape, pos.shape), STRING)


_substr = define("substr", kernel=_substr_kernel, shape=_substr_shape, dtypes="Oiu",
                 args=("input", "pos", "len"), vjp=NO_GRADIENT, batch=batch_elementwise,
                 kind="elementwise",
                 check=[Case(WORDS[:2], np.array([0, -1], np.int32), np.array([2, 5], np.int32),
                             characters=False),
                        Case(WORDS[:2], np.int32(1), np.int32(1), characters=True)])


@export("strings.substr")
@attributes(pos=dense, len=dense)
def substr(input: Any, pos: Any, len: Any, unit: str = "BYTE", name: str | None = None) -> Tensor:
    """`len` bytes or characters of each string from `pos`, which may count from its end."""
    x, start, size = string_operand(input), operand(pos), operand(len)
    if start.dtype != size.dtype or start.dtype not in (dtypes.int32, dtypes.int64):
        raise errors.invalid("Substr", f"pos and len must be int32 or int64 alike, got "
                                       f"{start.dtype.name} and {size.dtype.name}")
    if shape_of(start) != shape_of(size) and None not in (*shape_of(start), *shape_of(size)):
        raise errors.invalid("Substr", f"pos and len should have the same shape, got: "
                                       f"{brackets(shape_of(start))} vs. "
                                       f"{brackets(shape_of(size))}")
    return _substr(x, start, size, characters=_unit(unit))


# -- numbers ---------------------------------------------------------------------------------------
_FLOAT = re.compile(rb"\s*[+-]?(\d+\.?\d*([eE][+-]?\d+)?|\.\d+([eE][+-]?\d+)?|inf|infinity|nan)\s*",
                    re.IGNORECASE)
_HEX = re.compile(rb"\s*[+-]?0x[0-9a-f.]+(p[+-]?\d+)?\s*", re.IGNORECASE)
_INTEGER = re.compile(rb"\s*[+-]?\d+\s*")


def _parsed(one: bytes, dtype: Any) -> Any:
    if dtype.kind == "f":
        try:
            if b"_" not in one:
                return float(one)
        except unsignalled(ValueError):
            pass
        if _FLOAT.fullmatch(one):
            return float(one)
        if _HEX.fullmatch(one):
            return float.fromhex(one.decode().strip())
    elif _INTEGER.fullmatch(one):
        value, limits = int(one), np.iinfo(dtype)
        if limits.min <= value <= limits.max:
            return value
    raise errors.invalid("StringToNumber", "StringToNumberOp could not correctly convert string: "
                                           f"{one.decode('utf-8', 'replace')}")


def _to_number_kernel(x, dtype):
    flat = np.asarray(x).ravel().tolist()
    if len(flat) > 32 and not any(b"_" in one or b"\0" in one for one in flat):
        try:  # NumPy reads plain numbers quickly, and raises for any other
            wide = np.array(flat, "S").astype(np.float64 if dtype.kind == "f" else np.int64)
            with np.errstate(over="ignore"):
                found = wide.astype(dtype)
            if dtype.kind == "f" or (found == wide).all() and dtype != np.uint64:
                return found.reshape(x.shape)
        except unsignalled(ValueError, OverflowError):
            pass
    with np.errstate(all="ignore"):
        return np.array([_parsed(one, dtype) for one in np.asarray(x).ravel().tolist()],
                        dtype).reshape(x.shape)[()]


_to_number = define("string_to_number", kernel=_to_number_kernel, dtypes="O", vjp=NO_GRADIENT,
                    shape=lambda x, dtype: Spec(x.shape, dtype), batch=batch_elementwise,
                    kind="elementwise",
                    check=[Case(np.array([b"1", b"-2"], object), dtype=np.dtype("float32")),
                           Case(np.array([b"1", b"-2"], object), dtype=np.dtype("int32"))])


@export("strings.to_number")
def to_number(input: Any, out_type: Any = dtypes.float32, name: str | None = None) -> Tensor:
    """The number that each string spells."""
    kind = dtypes.as_dtype(out_type)
    if kind.name not in ("float32", "float64", "int32", "int64", "uint32", "uint64"):
        raise errors.InvalidArgumentError(None, None, (
            f"Value for attr 'out_type' of {kind.name} is not in the list of allowed values: "
            "float, double, int32, int64, uint32, uint64"))
    return _to_number(string_operand(input), dtype=kind.np)


# -- joining ---------------------------------------------------------------------------------------
def _join_kernel(*xs, separator):
    shape = next((x.shape for x in xs if x.ndim), ())
    for x in xs:
        if x.ndim and x.shape != shape:
            raise errors.invalid("StringJoin", f"Input shapes do not match: {brackets(shape)} vs. "
                                               f"{brackets(x.shape)}")
    if len(xs) == 2 and xs[0].shape == xs[1].shape:
        pairs = zip(xs[0].ravel().tolist(), xs[1].ravel().tolist(), strict=True)
        return strings([a + separator + b for a, b in pairs], shape)
    columns = [np.broadcast_to(x, shape).ravel().tolist() for x in xs]
    return strings([separator.join(row) for row in zip(*columns, strict=True)], shape)


def _join_shape(*specs: Spec, separator: bytes) -> Spec:
    if any(spec.shape is None for spec in specs):
        return Spec(None, STRING)
    shape = next((spec.shape for spec in specs if spec.shape), ())
    return Spec(shape, STRING)


_join = define("string_join", kernel=_join_kernel, shape=_join_shape, dtypes="O", args=("*inputs",),
               vjp=NO_GRADIENT, batch=loop, kind="elementwise",
               check=[Case(WORDS, WORDS, separator=b"-"),
                      Case(WORDS, np.array(b"x", object), separator=b"")])


@export("strings.join")
@attributes(separator=text)
def join(inputs: Any, separator: str = "", name: str | None = None) -> Tensor:
    """Tensors of strings joined element by element; scalars go with every element.

    >>> tf.strings.join([["a", "b"], "x"], separator="-")
    <tf.Tensor: shape=(2,), dtype=string, numpy=array([b'a-x', b'b-x'], dtype=object)>
    """
    parts = [string_operand(x) for x in listed("inputs", inputs)]
    if not parts:
        return wrap(strings([b""], ()))
    return _join(*parts, separator=text_bytes(separator))


def _reduce_join_kernel(x, axis, keepdims, separator):
    """The axes in the order in which they are joined: the first one first."""
    rank = x.ndim
    rest = [i for i in range(rank) if i not in axis]
    rows = np.transpose(x, [*rest, *reversed(axis)]).reshape(*[x.shape[i] for i in rest], -1)
    shape = tuple([1 if i in axis else n for i, n in enumerate(x.shape)
                   if keepdims or i not in axis])
    width = int(np.prod([x.shape[i] for i in axis], dtype=np.int64))
    count = int(np.prod([x.shape[i] for i in rest], dtype=np.int64))
    flat = rows.reshape(count, width)
    return strings([separator.join(row) for row in flat.tolist()], shape)


def _reduce_join_shape(x: Spec, axis: tuple, keepdims: bool, separator: bytes) -> Spec:
    if x.shape is None:
        return Spec(None, STRING)
    return Spec(tuple([1 if i in axis else n for i, n in enumerate(x.shape)
                       if keepdims or i not in axis]), STRING)


reduce_join_op = define("reduce_join", kernel=_reduce_join_kernel, shape=_reduce_join_shape,
                        dtypes="O", vjp=NO_GRADIENT, batch=loop, kind="reduce",
                        check=[Case(WORDS, axis=(0,), keepdims=False, separator=b" "),
                               Case(WORDS.reshape(1, 3), axis=(1,), keepdims=True,
                                    separator=b"")])


@export("strings.reduce_join")
@attributes(keepdims=flag, separator=text)
def reduce_join(inputs: Any, axis: Any = None, keepdims: bool = False, separator: str = "",
                name: str | None = None) -> Tensor:
    """Strings joined along axes, all by default, in the order of `axis`.

    >>> tf.strings.reduce_join([["a", "b"], ["c", "d"]], axis=0, separator=" ").numpy()
    array([b'a c', b'b d'], dtype=object)
    """
    x = inferred_strings(inputs)
    rank = len(shape_of(x))
    if axis is None:
        axes: tuple = tuple(reversed(range(rank)))
    else:
        given = np.atleast_1d(operand(axis, dtypes.int32)._value).tolist()
        for one in given:
            if not -rank <= one < rank:
                raise errors.OutOfRangeError(None, None, (
                    f"Invalid reduction dimension {int(one)} for input with {rank} dimension(s) "
                    "[Op:ReduceJoin]"))
        axes = tuple(int(one) % rank for one in given)
        axes_of(x, axes, "ReduceJoin")
    return reduce_join_op(x, axis=axes, keepdims=bool(keepdims), separator=text_bytes(separator))


def _segment_join_kernel(x, ids, rows, separator):
    if ids.size and (ids.min() < 0 or ids.max() >= rows):
        raise errors.invalid("UnsortedSegmentJoin", "segment_ids are not allowed to exceed "
                                                    "num_segments or to have negative values.")
    rest = x.shape[ids.ndim:]
    width = int(np.prod(rest, dtype=np.int64))
    flat, found = x.reshape(ids.size, width), [[[] for _ in range(width)] for _ in range(rows)]
    for row, segment in zip(flat.tolist(), ids.ravel().tolist(), strict=True):
        for column, one in enumerate(row):
            found[segment][column].append(one)
    return strings([separator.join(cell) for row in found for cell in row], (rows, *rest))


_segment_join = define(
    "unsorted_segment_join", kernel=_segment_join_kernel, dtypes="Oiu", args=("inputs", "ids"),
    shape=lambda x, ids, rows, separator: Spec(
        None if x.shape is None or ids.shape is None else (
            rows if isinstance(rows, int) else None, *x.shape[len(ids.shape):]), STRING),
    vjp=NO_GRADIENT, batch=loop,
    check=[Case(WORDS, np.array([0, 1, 0], np.int32), rows=2, separator=b",")])


@export("strings.unsorted_segment_join")
@attributes(separator=text)
def unsorted_segment_join(inputs: Any, segment_ids: Any, num_segments: Any, separator: str = "",
                          name: str | None = None) -> Tensor:
    """The strings with one segment id joined, for each id below `num_segments`."""
    x, ids = string_operand(inputs), integers(segment_ids, "UnsortedSegmentJoin", "Tindices")
    count = integers(num_segments, "UnsortedSegmentJoin", "Tnumsegments")
    rows = count if count._interpreter is not None else int(count._value)
    if isinstance(rows, int):
        affordable((rows,), "UnsortedSegmentJoin", 1 << 30)
    shape, own = shape_of(x), shape_of(ids)
    if own != shape[:len(own)] and None not in (*own, *shape):
        raise errors.invalid("UnsortedSegmentJoin", (
            f"segment_ids' shape {brackets(own)} does not match the leading sizes of inputs' "
            f"shape {brackets(shape)}"))
    return _segment_join(x, ids, rows=rows, separator=text_bytes(separator))
