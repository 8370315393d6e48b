"""Snappy, the compression of blocks in older checkpoints: reading.

The length of the text, then elements that each begin with a byte whose two low bits are its kind:
bytes as they are, or a copy of bytes that stand some way back, which may reach into what it makes.
"""

from __future__ import annotations

from tapeflow.io.protobuf.wire import read_varint

_MOST = 32  # bytes of text for each compressed one: no element gives more


def decompressed(data: bytes) -> bytes:
    """The text of a block; ValueError where the block is damaged."""
    length, at = read_varint(data, 0)
    if length > _MOST * len(data):
        raise ValueError("more text than the block can hold")
    text = bytearray()
    while at < len(data):
        kind, size = data[at] & 3, data[at] >> 2
        at += 1
        if kind == 0:
            if size >= 60:
                wide = size - 59
                size = int.from_bytes(data[at:at + wide], "little")
                at += wide
            size += 1
            if at + size > len(data):
                raise ValueError("bytes are missing")
            text += data[at:at + size]
            at += size
            continue
        wide = (0, 1, 2, 4)[kind]
        if at + wide > len(data):
            raise ValueError("the place of a copy is missing")
        back = int.from_bytes(data[at:at + wide], "little")
        at += wide
        if kind == 1:
            back, size = back | size >> 3 << 8, 3 + (size & 7)
        _copy(text, back, size + 1)
        if len(text) > length:
            break
    if len(text) != length:
        raise ValueError(f"{length} bytes were promised")
    return bytes(text)


def _copy(text: bytearray, back: int, size: int) -> None:
    if not 0 < back <= len(text):
        raise ValueError("a copy from before the beginning")
    start = len(text) - back
    part = bytes(text[start:start + size])
    text += (part * -(-size // back))[:size]  # what it makes is copied in its turn
