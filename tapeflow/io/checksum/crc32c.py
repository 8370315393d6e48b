"""CRC-32C (Castagnoli), the checksum of record files, checkpoints and event files.

Long data is first folded by whole blocks. The polynomial of CRC-32C divides x^5685 + x^1362 + x^426
+ 1, and, squaring being linear over GF(2), the same with every exponent times a power of two. So a
byte may be moved 4323, 5259 and 5685 bytes towards the end (exponents times 8) without changing the
remainder, and a block of 4323 bytes in three exclusive ors. What is left, ten kilobytes at most, is
looked up byte by byte and position by position. A program that has asked for megabytes in short
pieces gets machine code (`crc32c_loops.py`). Where the package google-crc32c is installed, its C
code does all of it.
"""

from __future__ import annotations

import functools
from typing import Any

import numpy as np

from tapeflow.base.machine_code.scalar_functions import ScalarFunctions, address

_POLYNOMIAL = 0x82F63B78  # reflected: the lowest bit of a byte is the highest power
_MOVES = (5685 - 1362, 5685 - 426, 5685)
_ROW = 1024  # bytes that one look-up covers
_SHORT = 48  # below, a loop in Python is quicker
_CHUNK = 1 << 20  # what is folded at a time stays in the cache


def _byte_table() -> list[int]:
    table = []
    for value in range(256):
        for _ in range(8):
            value = (value >> 1) ^ (_POLYNOMIAL if value & 1 else 0)
        table.append(value)
    return table


_TABLE = _byte_table()


@functools.cache
def _row_table() -> np.ndarray:
    """The remainder of each byte value at each of `_ROW` positions, the last byte last, flat."""
    rows = np.array([_TABLE], np.uint32)
    first = rows[0]
    while len(rows) < 4:
        rows = np.concatenate([first[rows[:1] & 0xFF] ^ (rows[:1] >> np.uint32(8)), rows])
    while len(rows) < _ROW:  # a remainder passes over the rows by the first four of them
        passed = rows[0][rows & 0xFF]
        for i in range(1, 4):
            passed ^= rows[i][rows >> np.uint32(8 * i) & 0xFF]
        rows = np.concatenate([passed, rows])
    return rows.reshape(-1)


_PLACES = np.arange(_ROW, dtype=np.intp) * 256


@functools.cache
def _carry() -> list[int]:
    """The part of `_row_table` by which a remainder passes over a whole row."""
    return _row_table()[:4 * 256].tolist()


def _remainder(data: np.ndarray) -> int:
    """The remainder of the bytes as they stand: nothing added before or after."""
    table = _row_table()
    size = data.size % _ROW
    rest = int(np.bitwise_xor.reduce(table.take(data[:size] + _PLACES[_ROW - size:])))
    if size == data.size:
        return rest
    carry = _carry()
    rows = data[size:].reshape(-1, _ROW) + _PLACES
    for one in np.bitwise_xor.reduce(table.take(rows), axis=1).tolist():
        rest = (one ^ carry[rest & 0xFF] ^ carry[256 + (rest >> 8 & 0xFF)]
                ^ carry[512 + (rest >> 16 & 0xFF)] ^ carry[768 + (rest >> 24)])
    return rest


def _fold(data: np.ndarray, scale: int) -> np.ndarray:
    """Shorter bytes of the same remainder; `data` is used up."""
    near, mid, far = (move * scale for move in _MOVES)
    start, end = 0, data.size - far
    while start < end:
        stop = min(start + near, end)
        block = data[start:stop]
        data[start + near:stop + near] ^= block
        data[start + mid:stop + mid] ^= block
        data[start + far:stop + far] ^= block
        start = stop
    return data[start:]


@functools.cache
def _library() -> Any:
    """`extend(crc, bytes)` of google-crc32c, or None if it or its C code is not installed."""
    try:
        from google_crc32c import cext  # its Python code is slower than ours
    except ImportError:
        return None
    return cext.extend


LOOPS = ScalarFunctions("tapeflow.io.checksum.crc32c_loops")
_COST = 0.025  # microseconds for a byte of short data, without machine code


@functools.cache
def table() -> np.ndarray:
    """The remainders of each byte that 0 to 7 bytes follow, for the machine code; flat."""
    return np.ascontiguousarray(_row_table().reshape(_ROW, 256)[:-9:-1]).reshape(-1)


@functools.cache
def table_address() -> int:
    return address(table())


def crc32c(data: Any, crc: int = 0) -> int:
    """The CRC-32C of bytes; `crc` is that of what stands before them.

    >>> hex(crc32c(b"123456789"))
    '0xe3069283'
    """
    library = _library()
    if library is not None:
        return library(crc, bytes(data))
    size = len(data)
    state = crc ^ 0xFFFFFFFF
    if type(data) is bytes:
        loops = LOOPS.ready(_COST * min(size, _CHUNK))
        if loops is not None:
            return loops.update(table_address(), data, size, state) ^ 0xFFFFFFFF
    if size < _SHORT:
        for byte in bytes(data):
            state = _TABLE[(state ^ byte) & 0xFF] ^ (state >> 8)
        return state ^ 0xFFFFFFFF
    whole = np.frombuffer(data, np.uint8)
    for start in range(0, whole.size, _CHUNK):
        piece = whole[start:start + _CHUNK].copy()
        if piece.size < 4:
            return crc32c(piece.tobytes(), state ^ 0xFFFFFFFF)
        piece[:4] ^= np.frombuffer(state.to_bytes(4, "little"), np.uint8)
        if piece.size > 160 * _ROW:
            piece = _fold(piece, 16)
        if piece.size > 10 * _ROW:
            piece = _fold(piece, 1)
        state = _remainder(piece)
    return state ^ 0xFFFFFFFF


def masked(crc: int) -> int:
    """A CRC as it is stored: mixed, so that the CRC of data with CRCs in it stays a good one."""
    return (((crc >> 15) | (crc << 17)) + 0xA282EAD8) & 0xFFFFFFFF


def masked_crc32c(data: Any) -> int:
    """The masked CRC-32C of bytes."""
    return masked(crc32c(data))
