"""PNG files read and written with zlib alone, so that they need no further package.

May be imported by `ops.image.codecs`.
"""

from __future__ import annotations

import zlib

import numpy as np

SIGNATURE = b"\x89PNG\r\n\x1a\n"
_CHANNELS = {0: 1, 2: 3, 3: 1, 4: 2, 6: 4}
_KINDS = {1: 0, 2: 4, 3: 2, 4: 6}
# Adam7: where each pass begins, and its steps.
_PASSES = ((0, 0, 8, 8), (0, 4, 8, 8), (4, 0, 8, 4), (0, 2, 4, 4), (2, 0, 4, 2), (0, 1, 2, 2),
           (1, 0, 2, 1))


class BadPng(ValueError):
    """The bytes are no PNG file, or a damaged one."""


def _chunks(data: bytes):
    at = len(SIGNATURE)
    while at + 8 <= len(data):
        size = int.from_bytes(data[at:at + 4], "big")
        yield data[at + 4:at + 8], data[at + 8:at + 8 + size]
        at += size + 12


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
    """Rows of bytes, each after the number of its filter, as they were before filtering."""
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
    """Rows of bytes as numbers: [rows, width, channels]."""
    if bits == 16:
        return rows.view(">u2").astype(np.uint16).reshape(len(rows), width, channels)
    if bits == 8:
        return rows.reshape(len(rows), width, channels)
    count = 8 // bits
    shifts = np.arange(count - 1, -1, -1, dtype=np.uint8) * bits
    parts = (rows[:, :, None] >> shifts) & np.uint8((1 << bits) - 1)
    return parts.reshape(len(rows), -1)[:, :width * channels].reshape(len(rows), width, channels)


def _taken(data: np.ndarray, at: int, height: int, width: int, channels: int,
           bits: int) -> tuple[np.ndarray, int]:
    size = (width * channels * bits + 7) // 8
    end = at + height * (size + 1)
    if end > len(data):
        raise BadPng("not enough image data")
    rows = _unfiltered(data[at:end].reshape(height, size + 1), max(1, channels * bits // 8))
    return _samples(rows, width, channels, bits), end


def read(data: bytes) -> tuple[np.ndarray, int, np.ndarray | None, np.ndarray | None, int]:
    """Pixels [height, width, channels], bits, palette, transparency and colour type."""
    if data[:8] != SIGNATURE:
        raise BadPng("no PNG signature")
    head, parts, palette, clear = None, [], None, None
    for kind, body in _chunks(data):
        if kind == b"IHDR" and len(body) == 13:
            head = body
        elif kind == b"PLTE":
            palette = np.frombuffer(body, np.uint8).reshape(-1, 3)
        elif kind == b"tRNS":
            clear = np.frombuffer(body, np.uint8)
        elif kind == b"IDAT":
            parts.append(body)
    if head is None:
        raise BadPng("no header")
    width, height = int.from_bytes(head[:4], "big"), int.from_bytes(head[4:8], "big")
    bits, colour, laced = head[8], head[9], head[12]
    if colour not in _CHANNELS or not width or not height:
        raise BadPng(f"colour type {colour}, {width} x {height} pixels")
    channels = _CHANNELS[colour]
    try:
        flat = np.frombuffer(zlib.decompress(b"".join(parts)), np.uint8)
    except zlib.error as error:
        raise BadPng(str(error)) from None
    if not laced:
        pixels, _ = _taken(flat, 0, height, width, channels, bits)
        return pixels, bits, palette, clear, colour
    pixels, at = np.zeros((height, width, channels), np.uint16 if bits == 16 else np.uint8), 0
    for top, left, down, right in _PASSES:
        rows, columns = -(-(height - top) // down), -(-(width - left) // right)
        if rows > 0 and columns > 0:
            pixels[top::down, left::right], at = _taken(flat, at, rows, columns, channels, bits)
    return pixels, bits, palette, clear, colour


def expanded(data: bytes) -> tuple[np.ndarray, bool]:
    """Pixels with 1 to 4 whole channels of 8 or 16 bits, and whether the last one is opacity."""
    pixels, bits, palette, clear, colour = read(data)
    if colour == 3:
        if palette is None:
            raise BadPng("no palette")
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
