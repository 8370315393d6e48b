"""GIF files read without a further package, to the byte as giflib reads them, damaged ones too.

Where much is read machine code unpacks frames, and Pillow large ones before, if it is there. May be
imported by `image_codecs.py`.
"""

from __future__ import annotations

import io
from typing import Any, NamedTuple

import numpy as np

from tapeflow.base.exception_origin import unsignalled
from tapeflow.base.machine_code.scalar_functions import address
from tapeflow.ops.image.files.png import LOOPS

_COST = 0.03  # microseconds for a pixel, without machine code
_MANY_PIXELS = 1 << 16  # pixels of a frame
_MOST_CODES, _NONE = 4096, 4098  # codes of the packing, and what is none
_INTERLACED = ((0, 8), (4, 8), (2, 4), (1, 2))
_LARGEST = (1 << 31) - 1  # pixels of all frames


class BadGif(ValueError):
    """The bytes are no GIF file, or a damaged one."""


class Frame(NamedTuple):
    """One image of a file, with colour indices [height, width]."""

    left: int
    top: int
    pixels: np.ndarray
    palette: np.ndarray | None
    clear: int  # the index of the transparent colour, -1 for none


class _Source:
    def __init__(self, data: bytes):
        self.data, self.at = data, 0

    def take(self, count: int) -> bytes:
        found = self.data[self.at:self.at + count]
        if len(found) < count:
            raise BadGif("Failed to read from given file")
        self.at += count
        return found

    def byte(self) -> int:
        return self.take(1)[0]

    def palette(self, flags: int) -> np.ndarray | None:
        if not flags & 0x80:
            return None
        return np.frombuffer(self.take(3 << (flags & 7) + 1), np.uint8).reshape(-1, 3)

    def blocks(self) -> list[bytes]:
        """Blocks of bytes up to the empty one."""
        found = []
        while size := self.byte():
            found.append(self.take(size))
        return found


def frames(data: bytes) -> list[Frame]:
    """The images of a file; of one that is damaged, those before the damage."""
    source = _Source(data)
    if source.take(6)[:4] != b"GIF8":
        raise BadGif("failed to open gif file: Data is not in GIF format")
    head = source.take(7)
    common = source.palette(head[4])
    found: list[Frame] = []
    clear = None
    try:
        while (kind := source.byte()) != 0x3B:
            if kind == 0x21:
                function, first = source.byte(), source.take(source.byte())
                source.blocks()  # also after a first one that is empty, as giflib does
                if function == 0xF9 and first and clear is None:
                    clear = first[3] if len(first) == 4 and first[0] & 1 else -1
            elif kind == 0x2C:
                found.append(_frame(source, common, -1 if clear is None else clear))
                clear = None
            else:
                raise BadGif("Wrong record type detected")
    except BadGif as error:
        if not found:
            raise BadGif(f"failed to slurp gif file: {error}") from None
    if not found:
        raise BadGif("failed to slurp gif file: No image descriptor detected")
    return found


def _frame(source: _Source, common: np.ndarray | None, clear: int) -> Frame:
    left, top, width, height = np.frombuffer(source.take(8), "<u2").tolist()
    flags = source.byte()
    palette = source.palette(flags)
    bits = source.byte()
    if bits > 8 or not width or not height:
        raise BadGif("Image is defective, decoding aborted")
    start = source.at
    indices = _by_loops(source, bits, width * height)
    if indices is None and width * height >= _MANY_PIXELS:
        source.at = start
        indices = _by_pillow(source, bits, width, height)
    if indices is None:
        source.at = start
        indices = _unpacked(source, bits, width * height)
    pixels = indices.reshape(height, width)
    if flags & 0x40:
        order = [row for begin, step in _INTERLACED for row in range(begin, height, step)]
        straight = np.empty_like(pixels)
        straight[order] = pixels
        pixels = straight
    return Frame(left, top, pixels, common if palette is None else palette, clear)


def _by_pillow(source: _Source, bits: int, width: int, height: int) -> np.ndarray | None:
    """A frame's colour indices, read as a file of its own; None if Pillow is missing or refuses."""
    try:
        from PIL import Image
        start = source.at
        source.blocks()
        head = b"GIF89a" + b"".join(n.to_bytes(2, "little") for n in (width, height)) + b"\xf7\0\0"
        greys = bytes(n for n in range(256) for _ in range(3))
        descriptor = bytes(4) + head[6:10] + b"\0" + bytes((bits,))
        file = head + greys + b"," + descriptor + source.data[start:source.at] + b";"
        with Image.open(io.BytesIO(file), formats=("GIF",)) as image:
            pixels = np.asarray(image)
        return pixels.reshape(-1) if pixels.shape == (height, width) else None
    except unsignalled(Exception):
        return None


def _by_loops(source: _Source, bits: int, count: int) -> np.ndarray | None:
    """The numbers of a frame by machine code; None if there is none, or the frame is damaged."""
    loops = LOOPS.ready(_COST * count)
    if loops is None or _beyond(source, count):
        return None
    out, prefix = np.empty(count, np.uint8), np.empty(_MOST_CODES, np.int32)
    suffix, stack = np.empty(_MOST_CODES, np.uint8), np.empty(_MOST_CODES, np.uint8)
    end = loops.unpack(source.data, source.at, len(source.data), bits, count, address(prefix),
                       address(suffix), address(stack), address(out))
    if end < 0:
        return None
    source.at = end
    source.blocks()
    return out


def _beyond(source: _Source, count: int) -> bool:
    """Whether there are more pixels than codes stand for."""
    return count > _MOST_CODES * 8 * (len(source.data) - source.at)


class _Bits:
    """The codes of a packed frame; how many bits they have grows."""

    def __init__(self, source: _Source, bits: int):
        self._source, self._bits = source, bits
        self._block, self._at = b"", 0
        self._held = self._count = 0
        self.clear = 1 << bits
        self.reset()

    def reset(self) -> None:
        self.running = self.clear + 2
        self._wide = self._bits + 1
        self._limit = 1 << self._wide

    def next(self) -> int:
        if self._wide > 12:
            raise BadGif("Image is defective, decoding aborted")
        while self._count < self._wide:
            if self._at == len(self._block):
                self._block, self._at = self._source.take(self._source.byte()), 0
                if not self._block:
                    raise BadGif("Image is defective, decoding aborted")
            self._held |= self._block[self._at] << self._count
            self._at += 1
            self._count += 8
        code = self._held & ((1 << self._wide) - 1)
        self._held >>= self._wide
        self._count -= self._wide
        if self.running < _MOST_CODES + 1:
            self.running += 1
            if self.running > self._limit and self._wide < 12:
                self._limit <<= 1
                self._wide += 1
        return code


def _unpacked(source: _Source, bits: int, count: int) -> np.ndarray:
    """The colour indices of a frame, and the source behind its last block.

    A code stands for what the code `prefix` stands for and the byte `suffix`. Codes that no good
    file has are followed as giflib follows them.
    """
    if _beyond(source, count):
        raise BadGif("Failed to read from given file")
    codes, out = _Bits(source, bits), bytearray()
    clear, last = codes.clear, _NONE
    prefix, suffix = [_NONE] * _MOST_CODES, [0] * _MOST_CODES
    while len(out) < count:
        code = codes.next()
        if code == clear + 1:
            raise BadGif("Image EOF detected before image complete")
        if code == clear:
            codes.reset()
            prefix, last = [_NONE] * _MOST_CODES, _NONE
            continue
        new = codes.running - 2
        if code < clear:
            out.append(code)
        else:
            stack, at = [], code
            if prefix[code] == _NONE:  # good if it is the new one: the last one and its first byte
                at = last
                first = _first(prefix, last if code == new else code, clear)
                stack.append(first)
                if new < _MOST_CODES:
                    suffix[new] = first
            while len(stack) < _MOST_CODES - 1 and clear < at < _MOST_CODES:
                stack.append(suffix[at])
                at = prefix[at]
            if len(stack) >= _MOST_CODES - 1 or at >= _MOST_CODES:
                raise BadGif("Image is defective, decoding aborted")
            out.append(at & 255)
            out += bytes([one & 255 for one in reversed(stack)])
        if last != _NONE and new < _MOST_CODES and prefix[new] == _NONE:
            prefix[new] = last
            suffix[new] = _first(prefix, last if code == new else code, clear)
        last = code
    source.blocks()
    return np.frombuffer(bytes(out[:count]), np.uint8)


def _first(prefix: list[int], code: int, clear: int) -> int:
    """The first byte of what a code stands for."""
    steps = 0
    while code > clear and steps <= _MOST_CODES:
        if code >= _MOST_CODES:
            return _NONE
        code = prefix[code]
        steps += 1
    return code


def canvas(data: bytes, all_frames: bool) -> np.ndarray:
    """Pixels [frames, height, width, 3]: each frame over the one before, where it has a colour."""
    found = frames(data)
    height, width = (max(frame.pixels.shape[i] for frame in found) for i in (0, 1))
    found = found if all_frames else found[:1]
    if len(found) * height * width * 3 > _LARGEST:
        raise BadGif(f"{len(found)} frames of {width} x {height} pixels")
    out = np.zeros((len(found), height, width, 3), np.uint8)
    for k, frame in enumerate(found):
        if k:
            out[k] = out[k - 1]
        if frame.palette is None:
            raise BadGif(f"missing color map for frame {k}")
        part: Any = out[k, frame.top:, frame.left:]
        seen = frame.pixels[:part.shape[0], :part.shape[1]]
        part = part[:seen.shape[0], :seen.shape[1]]
        loops = LOOPS.ready(_COST * seen.size)
        if loops is not None and seen.size and loops.paint(
                address(seen), seen.strides[0], *seen.shape, address(frame.palette),
                len(frame.palette), frame.clear, address(part), part.strides[0]):
            continue
        shown = seen != frame.clear
        worst = int(seen[shown].max(initial=0))
        if worst >= len(frame.palette):
            raise BadGif(f"found color index {worst} outside of color map range "
                         f"{len(frame.palette)}")
        part[shown] = frame.palette[seen[shown]]
    return out
