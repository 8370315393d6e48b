"""PNG files read and written with zlib alone, so that they need no further package.

Machine code undoes the filters of rows where much is read. May be imported by the files beside
it.
"""

from __future__ import annotations

import struct
import zlib
from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np

from tapeflow.base.machine_code.scalar_functions import ScalarFunctions, address

LOOPS = ScalarFunctions("tapeflow.ops.image.files.image_loops")
SIGNATURE = b"\x89PNG\r\n\x1a\n"
_CHUNK, _SUM = struct.Struct(">I4s"), struct.Struct(">I")  # size and kind; checksum
_HEADER = struct.Struct(">IIBBBBB")
_CHANNELS = {0: 1, 2: 3, 3: 1, 4: 2, 6: 4}
_BITS = {0: (1, 2, 4, 8, 16), 2: (8, 16), 3: (1, 2, 4, 8), 4: (8, 16), 6: (8, 16)}
_LARGEST = (1 << 31) - 1  # bytes of a chunk
MOST_PIXELS = 1_000_000  # in a row or column, as in libpng
_KINDS = {1: 0, 2: 4, 3: 2, 4: 6}
# Adam7: where each pass begins, and its steps.
_PASSES = ((0, 0, 8, 8), (0, 4, 8, 8), (4, 0, 8, 4), (0, 2, 4, 4), (2, 0, 4, 2), (0, 1, 2, 2),
           (1, 0, 2, 1))


class BadPng(ValueError):
    """The bytes are no PNG file, or a damaged one."""


def _chunks(data: bytes) -> Iterator[tuple[bytes, bytes]]:
    """The chunks up to the end mark; those that a decoder may pass over are, where damaged."""
    at, last = len(SIGNATURE), len(data)
    while True:
        if at + 8 > last:
            raise BadPng("a chunk without head")
        size, kind = _CHUNK.unpack_from(data, at)
        if size > _LARGEST or not kind.isalpha():
            raise BadPng("a chunk without head")
        end = at + 8 + size
        if end + 4 > last:
            raise BadPng("a chunk is cut short")
        body = data[at + 8:end]
        if zlib.crc32(body, zlib.crc32(kind)) == _SUM.unpack_from(data, end)[0]:
            yield kind, body
        elif not kind[0] & 32:  # one that matters
            raise BadPng(f"the checksum of a chunk {kind!r} is wrong")
        if kind == b"IEND":
            return
        at = end + 4


class Header(NamedTuple):
    """What the first chunk says."""

    width: int
    height: int
    bits: int
    colour: int
    laced: int


def _header(body: bytes) -> Header:
    if len(body) != _HEADER.size:
        raise BadPng("a header of another length")
    width, height, bits, colour, compression, filters, laced = _HEADER.unpack(body)
    if not 0 < width <= MOST_PIXELS or not 0 < height <= MOST_PIXELS:
        raise BadPng(f"{width} x {height} pixels")
    if bits not in _BITS.get(colour, ()) or compression or filters or laced > 1:
        raise BadPng(f"colour type {colour} of {bits} bits")
    return Header(width, height, bits, colour, laced)


def _sizes(head: Header) -> list[tuple[tuple[int, int, int, int], int, int, int]]:
    """For each pass: where its pixels are, its rows, its columns, the bytes of a row."""
    deep = _CHANNELS[head.colour] * head.bits
    if not head.laced:
        return [((0, 0, 1, 1), head.height, head.width, (head.width * deep + 7) // 8)]
    found = []
    for top, left, down, right in _PASSES:
        rows, columns = -(-(head.height - top) // down), -(-(head.width - left) // right)
        if rows > 0 and columns > 0:
            found.append(((top, left, down, right), rows, columns, (columns * deep + 7) // 8))
    return found


def _paeth(row: np.ndarray, above: np.ndarray, step: int) -> None:
    left, up, values = [0] * step, above.tolist(), row.tolist()
    corner = [0] * step
    for i, value in enumerate(values):
        k = i % step
        a, b, c = left[k], up[i], corner[k]
        p = a + b - c
        near, high, far = abs(p - a), abs(p - b), abs(p - c)
        guess = a if near <= high and near <= far else b if high <= far else c
        left[k] = values[i] = (value + guess) & 255
        corner[k] = b
    row[:] = values


def _average(row: np.ndarray, above: np.ndarray, step: int) -> None:
    values, up = row.tolist(), above.tolist()
    for i, value in enumerate(values):
        left = values[i - step] if i >= step else 0
        values[i] = (value + (left + up[i]) // 2) & 255
    row[:] = values


def _unfiltered(raw: np.ndarray, step: int) -> np.ndarray:
    """Rows of bytes, each after the code of its filter, as they were before filtering."""
    loops = LOOPS.ready(0.0)
    if loops is not None:
        count, size = len(raw), raw.shape[1] - 1
        rows = np.empty((count, size), np.uint8)
        if loops.unfilter(address(raw), count, size, step, address(rows)) == count:
            return rows
    return _unfiltered_by_rows(raw, step)


def _unfiltered_by_rows(raw: np.ndarray, step: int) -> np.ndarray:
    kinds, rows = raw[:, 0], raw[:, 1:].copy()
    above = np.zeros(rows.shape[1], np.uint8)
    for kind, row in zip(kinds, rows, strict=True):
        if kind == 1:
            for k in range(step):
                row[k::step] = np.cumsum(row[k::step], dtype=np.uint64).astype(np.uint8)
        elif kind == 2:
            row += above
        elif kind == 3:
            _average(row, above, step)
        elif kind == 4:
            _paeth(row, above, step)
        elif kind:
            raise BadPng(f"unknown filter {kind}")
        above = row
    return rows


def _samples(rows: np.ndarray, width: int, channels: int, bits: int) -> np.ndarray:
    """Rows of bytes as samples: [rows, width, channels]."""
    if bits == 16:
        return rows.view(">u2").astype(np.uint16).reshape(len(rows), width, channels)
    if bits == 8:
        return rows.reshape(len(rows), width, channels)
    count = 8 // bits
    shifts = np.arange(count - 1, -1, -1, dtype=np.uint8) * bits
    parts = (rows[:, :, None] >> shifts) & np.uint8((1 << bits) - 1)
    return parts.reshape(len(rows), -1)[:, :width * channels].reshape(len(rows), width, channels)


class Parts(NamedTuple):
    """A file in parts: header, palette, transparency and the bytes of filtered rows."""

    head: Header
    palette: np.ndarray | None
    clear: np.ndarray | None
    rows: np.ndarray


def split(data: bytes) -> Parts:
    """The parts of a file; BadPng if something that matters is missing or damaged."""
    if data[:8] != SIGNATURE:
        raise BadPng("no PNG signature")
    head: Any = None
    parts: list[bytes] = []
    palette = clear = None
    for kind, body in _chunks(data):
        if (kind == b"IHDR") != (head is None):
            raise BadPng("the header is not where it belongs")
        if kind == b"IHDR":
            head = _header(body)
        elif kind == b"PLTE":
            palette = _palette(body, head, palette)
        elif kind == b"tRNS" and not parts:
            clear = _transparency(body, head, palette, clear)
        elif kind == b"IDAT":
            parts.append(body)
        elif kind != b"IEND" and not kind[0] & 32:
            raise BadPng(f"an unknown chunk {kind!r}")
    if head is None or not parts or head.colour == 3 and palette is None:
        raise BadPng("no pixels")
    return Parts(head, palette, clear, _inflated(b"".join(parts), head))


def _palette(body: bytes, head: Header, before: Any) -> np.ndarray | None:
    """The colours; a palette that is only a suggestion may be anything."""
    if head.colour != 3:
        return None
    if before is not None or not body or len(body) % 3 or len(body) > 768:
        raise BadPng("a palette of another length")
    return np.frombuffer(body, np.uint8).reshape(-1, 3)[:1 << head.bits]


def _transparency(body: bytes, head: Header, palette: Any, before: Any) -> np.ndarray | None:
    wanted = {0: 2, 2: 6}.get(head.colour)
    if head.colour == 3:
        good = palette is not None and 0 < len(body) <= len(palette)
    else:
        good = wanted == len(body)
    return np.frombuffer(body, np.uint8) if good and before is None else before


def _inflated(data: bytes, head: Header) -> np.ndarray:
    """The filtered rows; memory is taken for as many bytes as there are, at most what they need."""
    wanted = sum(rows * (size + 1) for _, rows, _, size in _sizes(head))
    if wanted > 1100 * (len(data) + 1):  # more than zlib ever packs
        raise BadPng("not enough image data")
    inflater = zlib.decompressobj()
    try:
        found = inflater.decompress(data, wanted)
    except zlib.error as error:
        raise BadPng(str(error)) from None
    if len(found) < wanted or not _ends(inflater):
        raise BadPng("not enough image data")
    return np.frombuffer(found, np.uint8)


def _ends(inflater: Any) -> bool:
    """Whether what follows the pixels is whole; what it is does not matter, as with libpng."""
    more = True
    while more and not inflater.eof:
        if not inflater.unconsumed_tail:
            return False
        try:
            more = bool(inflater.decompress(inflater.unconsumed_tail, 1024))
        except zlib.error:
            break
    return True


def filters(parts: Parts) -> set[int]:
    """The codes of the filters that rows have."""
    found, at = set(), 0
    for _, rows, _, size in _sizes(parts.head):
        found.update(np.unique(parts.rows[at:at + rows * (size + 1):size + 1]).tolist())
        at += rows * (size + 1)
    if max(found) > 4:
        raise BadPng(f"unknown filter {max(found)}")
    return found


def _pixels(parts: Parts) -> np.ndarray:
    """Pixels [height, width, channels] as the file has them."""
    head, at = parts.head, 0
    channels, bits = _CHANNELS[head.colour], head.bits
    step = max(1, channels * bits // 8)
    if not head.laced:
        raw = parts.rows.reshape(head.height, -1)
        return _samples(_unfiltered(raw, step), head.width, channels, bits)
    pixels = np.empty((head.height, head.width, channels), np.uint16 if bits == 16 else np.uint8)
    for (top, left, down, right), rows, columns, size in _sizes(head):
        raw = parts.rows[at:at + rows * (size + 1)].reshape(rows, size + 1)
        at += raw.size
        pixels[top::down, left::right] = _samples(
            _unfiltered(raw, step), columns, channels, bits)
    return pixels


def own_channels(parts: Parts) -> int:
    """Channels if none are asked for: a colour that is transparent makes none without a palette."""
    if parts.palette is not None:
        return 3 if parts.clear is None else 4
    return _CHANNELS[parts.head.colour]


def expanded(parts: Parts) -> tuple[np.ndarray, bool]:
    """Pixels with 1 to 4 whole channels of 8 or 16 bits, and whether the last one is opacity."""
    pixels, (head, palette, clear, _) = _pixels(parts), parts
    bits, colour = head.bits, head.colour
    if palette is not None:
        table = np.zeros((256, 4), np.uint8)
        table[:len(palette), :3], table[:, 3] = palette, 255
        if clear is not None:
            table[:len(clear), 3] = clear
        return table[pixels[..., 0]][..., :4 if clear is not None else 3], clear is not None
    if bits < 8:
        pixels = pixels * np.uint8(255 // ((1 << bits) - 1))
    if clear is not None and colour in (0, 2):
        colourless = clear.view(">u2").astype(np.uint16)
        if bits < 8:
            colourless = colourless * (255 // ((1 << bits) - 1))
        through = (pixels == colourless[:pixels.shape[-1]].astype(pixels.dtype)).all(-1)
        top = np.iinfo(pixels.dtype).max
        opacity = np.where(through, 0, top).astype(pixels.dtype)
        return np.concatenate([pixels, opacity[..., None]], -1), True
    return pixels, colour in (4, 6)


def _chunk(kind: bytes, body: bytes) -> bytes:
    check = zlib.crc32(kind + body)
    return len(body).to_bytes(4, "big") + kind + body + check.to_bytes(4, "big")


def write(pixels: np.ndarray, compression: int) -> bytes:
    """A PNG file of [height, width, 1 to 4 channels] of 8 or 16 bits."""
    height, width, channels = pixels.shape
    bits = 8 * pixels.dtype.itemsize
    step = channels * pixels.dtype.itemsize
    rows = np.ascontiguousarray(pixels.astype(pixels.dtype.newbyteorder(">"))).view(
        np.uint8).reshape(height, width * step)
    raw = np.zeros((height, width * step + 1), np.uint8)
    raw[:, 0] = 1  # each byte less the one of the pixel before: photographs compress better
    raw[:, 1:] = rows
    raw[:, 1 + step:] -= rows[:, :-step] if width > 1 else np.uint8(0)
    head = width.to_bytes(4, "big") + height.to_bytes(4, "big") + bytes(
        [bits, _KINDS[channels], 0, 0, 0])
    return b"".join([SIGNATURE, _chunk(b"IHDR", head),
                     _chunk(b"IDAT", zlib.compress(raw.tobytes(), compression)),
                     _chunk(b"IEND", b"")])
