"""Pictures and sounds of the kinds that tapeflow's own encoders do not write.

PNG with few bits a pixel, palettes, transparency and interlacing; BMP from the top down; GIF with
palettes of its frames, transparency and interlacing; WAV with chunks that are not sound.
"""

from __future__ import annotations

import struct
import zlib
from collections.abc import Iterator

CHANNELS = {0: 1, 2: 3, 3: 1, 4: 2, 6: 4}  # of a PNG's colour types
PASSES = ((0, 0, 8, 8), (4, 0, 8, 8), (0, 4, 4, 8), (2, 0, 4, 4), (0, 2, 2, 4), (1, 0, 2, 2),
          (0, 1, 1, 2))  # of Adam7: first column and row, then the steps


def _chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def png(width: int, height: int, depth: int, colour: int, interlaced: bool = False,
        clear: bytes = b"") -> bytes:
    """A PNG whose rows have all filters in turn; `clear` is its tRNS chunk."""
    raw, count = b"", 0
    for x, y, right, down in PASSES if interlaced else ((0, 0, 1, 1),):
        columns, rows = -(-(width - x) // right), -(-(height - y) // down)
        size = (columns * depth * CHANNELS[colour] + 7) // 8 if columns > 0 else 0
        for _ in range(rows if size else 0):
            raw += bytes([count % 5]) + bytes((count * 31 + i * 7) % 256 for i in range(size))
            count += 1
    head = struct.pack(">IIBBBBB", width, height, depth, colour, 0, 0, interlaced)
    colours = bytes(i * 11 % 256 for i in range(3 << depth)) if colour == 3 else b""
    return b"".join([b"\x89PNG\r\n\x1a\n", _chunk(b"IHDR", head),
                     _chunk(b"PLTE", colours) if colours else b"",
                     _chunk(b"tRNS", clear) if clear else b"", _chunk(b"tEXt", b"Title\0fuzz"),
                     _chunk(b"IDAT", (body := zlib.compress(raw))[:9]), _chunk(b"IDAT", body[9:]),
                     _chunk(b"IEND", b"")])


def bmp_from_the_top(bits: int) -> bytes:
    """A BMP whose first row comes first, as its negative height says."""
    width, height = 3, 4
    row = (width * bits // 8 + 3) // 4 * 4
    return (b"BM" + struct.pack("<IHHI", 54 + row * height, 0, 0, 54)
            + struct.pack("<IiiHHIIiiII", 40, width, -height, 1, bits, 0, 0, 0, 0, 0, 0)
            + bytes(i * 53 % 256 for i in range(row * height)))


def _codes(pixels: list[int], bits: int) -> Iterator[tuple[int, int]]:
    """Codes of LZW and their widths; the table is cleared before its codes grow."""
    clear = 1 << bits
    for i, one in enumerate(pixels):
        if i % (clear - 2) == 0:
            yield clear, bits + 1
        yield one, bits + 1
    yield clear + 1, bits + 1


def _lzw(pixels: list[int], bits: int) -> bytes:
    number = place = 0
    for code, width in _codes(pixels, bits):
        number |= code << place
        place += width
    body = number.to_bytes((place + 7) // 8, "little")
    blocks = [body[i:i + 255] for i in range(0, len(body), 255)]
    return bytes([bits]) + b"".join(bytes([len(one)]) + one for one in blocks) + b"\0"


def gif(frames: list[tuple[int, int, int, int, int, int]], bits: int = 3) -> bytes:
    """Frames of 9 by 7: left, top, width, height, how it is disposed of, flags of the image."""
    colours = bytes(i * 29 % 256 for i in range(3 << bits))
    parts = [b"GIF89a", struct.pack("<HHBBB", 9, 7, 0x80 | (bits - 1), 1, 0), colours,
             b"!\xfe\x04fuzz\0"]
    for left, top, width, height, disposal, flags in frames:
        control = struct.pack("<BHB", disposal << 2 | (disposal & 1), 5, 2)
        parts.append(b"!\xf9\x04" + control + b"\0")
        parts.append(b"," + struct.pack("<HHHHB", left, top, width, height, flags))
        parts.append(colours[::-1] if flags & 0x80 else b"")
        parts.append(_lzw([i * 5 % (1 << bits) for i in range(width * height)], bits))
    return b"".join(parts) + b";"


def wav(channels: int, before: bytes = b"", fmt_more: bytes = b"") -> bytes:
    """A WAV with chunks before its sound, and more in its format than is needed."""
    count = 4 * channels
    sound = struct.pack(f"<{count}h", *(i * 4001 % 65536 - 32768 for i in range(count)))
    fmt = struct.pack("<HHIIHH", 1, channels, 8000, 16000 * channels, 2 * channels, 16) + fmt_more
    body = (b"WAVEfmt " + struct.pack("<I", len(fmt)) + fmt + before
            + b"data" + struct.pack("<I", len(sound)) + sound)
    return b"RIFF" + struct.pack("<I", len(body)) + body


PICTURES = {
    "png": [png(9, 7, 1, 0), png(5, 3, 2, 3), png(9, 9, 4, 3, True, b"\x00\x80\xff"),
            png(3, 3, 8, 4, True), png(5, 2, 16, 2, clear=bytes(6)), png(9, 5, 16, 6, True),
            png(2, 9, 4, 0, True, b"\0\1")],
    "bmp": [bmp_from_the_top(24), bmp_from_the_top(32), bmp_from_the_top(8)],
    "gif": [gif([(0, 0, 9, 7, 0, 0)]), gif([(0, 0, 9, 7, 1, 0x40), (2, 1, 4, 5, 2, 0x82)]),
            gif([(0, 0, 9, 7, 0, 0xC2), (1, 1, 3, 3, 3, 0), (4, 2, 5, 5, 2, 0x40)])],
    "wav": [wav(1, b"LIST\x06\0\0\0abcdef"), wav(2, b"fact\x04\0\0\0\4\0\0\0", b"\0\0"),
            wav(3, b"junk\0\0\0\0")],
}
