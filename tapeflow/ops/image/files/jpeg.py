"""JPEG files read by machine code: sequential ones of brightness, with or without colours.

What else there is (progressive, arithmetic coding, RGB and CMYK, other samplings, damage) gives
None: `image_codecs.py` has it read by Pillow. May be imported by the files beside it.
"""

from __future__ import annotations

import functools
from typing import Any, NamedTuple

import numpy as np

from tapeflow.base.exception_origin import unsignalled
from tapeflow.base.machine_code.scalar_functions import ScalarFunctions, address

LOOPS = ScalarFunctions("tapeflow.ops.image.files.jpeg_loops", 0.0)
_LOOK, _LIMITS, _PLACES, _SYMBOLS, _TABLE, _PADDING = 10, 1024, 1056, 1088, 1344, 512
_MOST_PIXELS = 1 << 28
_ORDER = np.array([
    0, 1, 8, 16, 9, 2, 3, 10, 17, 24, 32, 25, 18, 11, 4, 5, 12, 19, 26, 33, 40, 48, 41, 34, 27, 20,
    13, 6, 7, 14, 21, 28, 35, 42, 49, 56, 57, 50, 43, 36, 29, 22, 15, 23, 30, 37, 44, 51, 58, 59,
    52, 45, 38, 31, 39, 46, 53, 60, 61, 54, 47, 55, 62, 63], np.uint8)
# The factors of the fast transform, in 1 / 16384.
_COSINES = np.array([16384, 22725, 21407, 19266, 16384, 12873, 8867, 4520])
_SCALES = (_COSINES[:, None] * _COSINES + 8192) >> 14


class Header(NamedTuple):
    """What stands before the pixels."""

    height: int
    width: int
    sampling: tuple[tuple[int, int], ...]  # of each component: across, down
    tables: tuple[bytes, ...]  # the codes of each component: direct, alternating
    quants: tuple[bytes, ...]
    restart: int
    start: int  # of the bits


class _Other(Exception):
    """A file that this module does not read."""


def _size(data: bytes, at: int) -> int:
    return int.from_bytes(data[at:at + 2], "big")


def header(data: bytes) -> Header | None:
    """The header of a sequential file; None of others."""
    try:
        return _header(data)
    except unsignalled(_Other, IndexError, KeyError):
        return None


def _header(data: bytes) -> Header:
    at, restart = 2, 0
    quants: dict[int, bytes] = {}
    codes: dict[int, bytes] = {}
    frame = adobe = b""
    plain = False
    while True:
        if data[at] != 0xFF:
            raise _Other
        marker, size = data[at + 1], _size(data, at + 2)
        body = data[at + 4:at + 2 + size]
        at += 2 + size
        if size < 2 or at > len(data):
            raise _Other
        if marker == 0xDB:
            _note_quants(body, quants)
        elif marker == 0xC4:
            _note_codes(body, codes)
        elif marker in (0xC0, 0xC1) and not frame:
            frame = body
        elif marker == 0xDD:
            restart = _size(body, 0)
        elif marker == 0xE0:
            plain = plain or body[:5] == b"JFIF\0"
        elif marker == 0xEE and body[:5] == b"Adobe":
            adobe = body
        elif marker == 0xDA:
            break
        elif not (0xE0 <= marker <= 0xEF or marker == 0xFE):
            raise _Other
    return _framed(frame, body, adobe, plain, quants, codes, restart, at)


def _note_quants(body: bytes, quants: dict[int, bytes]) -> None:
    for at in range(0, len(body), 65):
        if body[at] > 3 or at + 65 > len(body):
            raise _Other
        quants[body[at]] = body[at + 1:at + 65]


def _note_codes(body: bytes, codes: dict[int, bytes]) -> None:
    at = 0
    while at < len(body):
        end = at + 17 + sum(body[at + 1:at + 17])
        if end > len(body) or len(body) < at + 17:
            raise _Other
        codes[body[at]] = body[at + 1:end]
        at = end


def _framed(frame: bytes, scan: bytes, adobe: bytes, plain: bool, quants: dict, codes: dict,
            restart: int, start: int) -> Header:
    height, width, count = _size(frame, 1), _size(frame, 3), frame[5]
    if frame[0] != 8 or count not in (1, 3) or len(frame) != 6 + 3 * count or not height * width:
        raise _Other
    parts = [frame[6 + 3 * i:9 + 3 * i] for i in range(count)]
    if scan[0] != count or scan[1:1 + 2 * count:2] != bytes([one[0] for one in parts]):
        raise _Other
    if scan[1 + 2 * count:] != b"\x00\x3f\x00" or height * width > _MOST_PIXELS:
        raise _Other
    if count == 3 and not plain and (adobe[11:12] == b"\0" if adobe else frame[6::3] == b"RGB"):
        raise _Other
    sampling = tuple([(one[1] >> 4, one[1] & 15) for one in parts]) if count == 3 else ((1, 1),)
    if sampling[0] not in ((1, 1), (2, 1), (1, 2), (2, 2)) or any(
            one != (1, 1) for one in sampling[1:]):
        raise _Other
    chosen = [codes[which] for one in scan[2:2 + 2 * count:2]
              for which in (one >> 4, 16 | one & 15)]
    return Header(height, width, sampling, tuple(chosen), tuple([quants[one[2]] for one in parts]),
                  restart, start)


@functools.lru_cache(64)
def _code_table(codes: bytes) -> np.ndarray:
    """As `jpeg_loops.py` describes it; the first 16 bytes count the codes of each length."""
    table = np.zeros(_TABLE, np.int32)
    symbols = codes[16:]
    table[_SYMBOLS:_SYMBOLS + len(symbols)] = list(symbols[:256])
    code = place = 0
    for length, count in enumerate(codes[:16], 1):
        table[_PLACES + length] = place - code
        for symbol in symbols[place:place + count]:
            if length <= _LOOK:
                size = symbol & 15
                first = code << (_LOOK - length)
                table[first:first + (1 << (_LOOK - length))] = (
                    length + size | size << 8 | symbol >> 4 << 12)
            code += 1
        place += count
        if code > 1 << length:
            raise _Other
        table[_LIMITS + length] = code << (16 - length) if count else 0
        code <<= 1
    return table


@functools.lru_cache(64)
def _tables(codes: tuple[bytes, ...]) -> np.ndarray:
    return np.concatenate([_code_table(one) for one in codes])


@functools.lru_cache(64)
def _quants(tables: tuple[bytes, ...], fast: bool) -> np.ndarray:
    out = np.empty((len(tables), 64), np.int16)
    for row, table in zip(out, tables, strict=True):
        plain = np.empty(64, np.int64)
        plain[_ORDER] = list(table)
        row[:] = (plain * _SCALES.ravel() + 2048) >> 12 if fast else plain
    return out


def pixels(data: bytes, channels: int, fast: bool) -> np.ndarray | None:
    """The pixels by machine code, or None."""
    loops: Any = LOOPS.ready(1.0)
    found = header(data) if loops is not None else None
    if found is None:
        return None
    try:
        tables = _tables(found.tables)
    except _Other:
        return None
    stuffed = np.frombuffer(data, np.uint8)
    bits = np.empty(len(data) - found.start + _PADDING, np.uint8)
    across, down = found.sampling[0]
    columns, rows = -(-found.width // (8 * across)), -(-found.height // (8 * down))
    parts = -(-columns * rows // found.restart) if found.restart else 1
    if parts > len(data):
        return None
    starts = np.empty(parts + 3, np.int64)
    if loops.unstuff(address(stuffed), found.start, len(data), address(bits), address(starts),
                     parts + 1) < 0:
        return None
    wanted = channels or (3 if len(found.sampling) == 3 else 1)
    stride = columns * 8 * across + 16
    colour_stride = columns * 8 + 32
    plan = np.array([found.width, found.height, len(found.sampling), across, down, found.restart,
                     columns, rows, fast, wanted, -(-found.width // across),
                     -(-found.height // down), stride, colour_stride], np.int64)
    luma = np.empty(16 * down * stride + 32 * colour_stride, np.uint8)
    blue = address(luma) + 16 * down * stride
    mixed = np.empty(2 * colour_stride, np.int16)
    work = np.zeros(64, np.int64)
    out = np.empty((found.height, found.width, wanted), np.uint8)
    good = loops.decode(
        address(plan), address(bits), address(starts), address(tables),
        address(_quants(found.quants, fast)), address(_ORDER), address(work), address(luma), blue,
        blue + 16 * colour_stride, address(mixed), address(out))
    return out if good else None
