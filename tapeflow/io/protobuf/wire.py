"""The wire format of protocol buffers: varints, lengths, packed numbers. Bytes in, values out.

`fields_of(data)` walks over one message without knowing its schema. `messages.py` stands on this,
and so does the quick reading of examples. Imports nothing of tapeflow.
"""

from __future__ import annotations

import struct
from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np

VARINT, FIXED64, LENGTH, GROUP, END_GROUP, FIXED32 = range(6)
_MASK64 = (1 << 64) - 1
_MANY = 24  # from here on NumPy is quicker than a loop
_COPIED = 4096  # shorter values are copied: that is quicker than a view
_WIDTHS = {FIXED32: 4, FIXED64: 8}


class DecodeError(Exception):
    """The bytes are no message of the expected type."""


def varint(value: int) -> bytes:
    """An unsigned or two's complement 64-bit integer, seven bits to a byte, lowest first."""
    value &= _MASK64
    if value < 128:
        return bytes((value,))
    parts = bytearray()
    while value > 127:
        parts.append(value & 0x7F | 0x80)
        value >>= 7
    parts.append(value)
    return bytes(parts)


def read_varint(data: Any, offset: int) -> tuple[int, int]:
    """The integer at `offset` and where it ends."""
    result = shift = 0
    while True:
        try:
            byte = data[offset]
        except IndexError:
            raise DecodeError("truncated varint") from None
        offset += 1
        if byte < 128 and not shift:
            return byte, offset
        result |= (byte & 0x7F) << shift
        if byte < 128:
            return result & _MASK64, offset
        shift += 7
        if shift > 63:
            raise DecodeError("varint too long")


def read_tag(data: Any, offset: int) -> tuple[int, int]:
    """The tag at `offset`, a number of 32 bits in at most five bytes, and where it ends."""
    key, end = read_varint(data, offset)
    if end - offset > 5 or key >> 32:
        raise DecodeError("a tag of more than 32 bits")
    return key, end


def signed(value: int) -> int:
    """A 64-bit pattern as a two's complement integer."""
    return value - (1 << 64) if value >> 63 else value


def tag(number: int, kind: int) -> bytes:
    return varint(number << 3 | kind)


def chunk(number: int, data: bytes) -> bytes:
    """A field that holds bytes, a string or a message."""
    return tag(number, LENGTH) + varint(len(data)) + data


def fields_of(data: Any) -> Iterator[tuple[int, int, Any, int, int]]:
    """(field number, wire type, value, start, end) of each; long bytes come as memoryviews."""
    offset, size = 0, len(data)
    while offset < size:
        start = offset
        key = data[offset]
        if key < 128:  # nearly always
            offset += 1
        else:
            key, offset = read_varint(data, offset)
        number, kind = key >> 3, key & 7
        if not number:
            raise DecodeError("field number 0")
        value: Any
        if kind == LENGTH:
            length, offset = read_varint(data, offset)
            end = offset + length
            if length < _COPIED:
                value = data[offset:end]
            else:
                value = memoryview(data)[offset:end]
            offset = end
        elif kind == VARINT:
            value, offset = read_varint(data, offset)
        elif kind in _WIDTHS:
            value = data[offset:offset + _WIDTHS[kind]]
            offset += _WIDTHS[kind]
        else:
            raise DecodeError(f"wire type {kind} is not supported")
        if offset > size:
            raise DecodeError("truncated message")
        yield number, kind, value, start, offset


# -- packed numbers --------------------------------------------------------------------------------
def pack_varints(values: Iterable[int]) -> bytes:
    """Numbers one after another, as a packed field holds them."""
    listed = values if isinstance(values, list) else list(values)
    if len(listed) < _MANY:
        return b"".join([varint(value) for value in listed])
    patterns = np.array([value & _MASK64 for value in listed], np.uint64)
    sizes = np.ones(patterns.shape, np.int64)
    for i in range(1, 10):
        sizes += patterns >> np.uint64(7 * i) != 0
    owner = np.repeat(np.arange(patterns.size), sizes)
    ends = np.cumsum(sizes)
    order = np.arange(owner.size) - np.repeat(ends - sizes, sizes)
    parts = patterns[owner] >> (order * 7).astype(np.uint64) & np.uint64(0x7F)
    parts = parts.astype(np.uint8) | np.uint8(0x80)
    parts[ends - 1] &= 0x7F
    return parts.tobytes()


def unpack_varints(data: Any) -> np.ndarray:
    """The numbers of a packed field as an int64 array."""
    if len(data) < _MANY:
        found, offset = [], 0
        while offset < len(data):
            value, offset = read_varint(data, offset)
            found.append(signed(value))
        return np.array(found, np.int64)
    raw = np.frombuffer(data, np.uint8)
    last = np.flatnonzero(raw < 128)
    if not last.size or last[-1] != raw.size - 1:
        raise DecodeError("truncated varint")
    if last.size == raw.size:
        return raw.astype(np.int64)
    starts = np.concatenate([[0], last[:-1] + 1])
    sizes = last - starts + 1
    if sizes.max() > 10:
        raise DecodeError("varint too long")
    order = np.arange(raw.size) - np.repeat(starts, sizes)
    parts = (raw & 0x7F).astype(np.uint64) << (order * 7).astype(np.uint64)
    return np.bitwise_or.reduceat(parts, starts).view(np.int64)


def pack_floats(values: Iterable[float], kind: str = "f") -> bytes:
    """Numbers as float32 ("f") or float64 ("d"), one after another."""
    listed = list(values)
    return struct.pack(f"<{len(listed)}{kind}", *listed)


def unpack_floats(data: Any, kind: str = "<f4") -> np.ndarray:
    """The numbers of a packed field; a copy, in the machine's byte order."""
    size = np.dtype(kind).itemsize
    if len(data) % size:
        raise DecodeError("packed field of a wrong length")
    return np.frombuffer(data, kind).astype(np.dtype(kind).newbyteorder("="))
