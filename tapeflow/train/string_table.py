"""Sorted string tables, the format of a checkpoint's index: keys and values, in order of keys.

    data blocks · an empty block · index block · footer of 48 bytes

A block is a row of entries, each sharing the start of its key with the one before; every 16th key
(every one in the index block) is written in full, and the offsets of those end the block. After a
block follow a byte for its compression and the masked crc32c of both. Imports `tapeflow.io` only.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator

from tapeflow.io import snappy
from tapeflow.io.checksum.crc32c import masked_crc32c
from tapeflow.io.protobuf.wire import DecodeError, read_varint, varint

_MAGIC = 0xDB4775248B80FB57
_BLOCK_SIZE = 262144
_FOOTER = 48
_SNAPPY = 1  # the compression that older versions of TensorFlow wrote


class TableError(ValueError):
    """The file is no table, or is damaged."""


# -- writing ---------------------------------------------------------------------------------------
class _Block:
    def __init__(self, interval: int):
        self._interval = interval
        self._parts: list[bytes] = []
        self._restarts = [0]
        self._count = self.size = 0
        self._last = b""

    def add(self, key: bytes, value: bytes) -> None:
        shared = 0
        if self._count < self._interval:
            limit = min(len(key), len(self._last))
            while shared < limit and key[shared] == self._last[shared]:
                shared += 1
        else:
            self._restarts.append(self.size)
            self._count = 0
        part = b"".join([varint(shared), varint(len(key) - shared), varint(len(value)),
                         key[shared:], value])
        self._parts.append(part)
        self.size += len(part)
        self._last = key
        self._count += 1

    def finish(self) -> bytes:
        offsets = [*self._restarts, len(self._restarts)]
        return b"".join([*self._parts, struct.pack(f"<{len(offsets)}I", *offsets)])


def _separator(key: bytes, after: bytes | None) -> bytes:
    """A short key that is not before `key` and before `after` (None: nothing follows)."""
    start = 0
    if after is not None:
        limit = min(len(key), len(after))
        while start < limit and key[start] == after[start]:
            start += 1
        if start < limit and key[start] < 255 and key[start] + 1 < after[start]:
            return key[:start] + bytes((key[start] + 1,))
        return key
    for i, byte in enumerate(key):
        if byte != 255:
            return key[:i] + bytes((byte + 1,))
    return key


def table_bytes(entries: dict[bytes, bytes], block_size: int = _BLOCK_SIZE) -> bytes:
    """A table of `entries`."""
    out = bytearray()

    def put(block: bytes) -> bytes:
        handle = varint(len(out)) + varint(len(block))
        body = block + b"\0"
        out.extend(body)
        out.extend(struct.pack("<I", masked_crc32c(body)))
        return handle

    keys = sorted(entries)
    index, block = _Block(1), _Block(16)
    for i, key in enumerate(keys):
        block.add(key, entries[key])
        last = i == len(keys) - 1
        if last or block.size + 4 * len(block._restarts) + 4 >= block_size:
            index.add(_separator(key, None if last else keys[i + 1]), put(block.finish()))
            block = _Block(16)
    handles = put(_Block(16).finish()) + put(index.finish())
    return bytes(out) + handles.ljust(_FOOTER - 8, b"\0") + struct.pack("<Q", _MAGIC)


# -- reading ---------------------------------------------------------------------------------------
def _block_at(data: bytes, offset: int, size: int) -> bytes:
    body = data[offset:offset + size + 1]
    crc = data[offset + size + 1:offset + size + 5]
    if len(body) < size + 1 or len(crc) < 4:
        raise TableError("truncated block read")
    if struct.unpack("<I", crc)[0] != masked_crc32c(body):
        raise TableError("block checksum mismatch")
    if body[-1] == _SNAPPY:
        try:
            return snappy.decompressed(body[:-1])
        except (ValueError, DecodeError) as error:
            raise TableError(f"corrupted compressed block contents: {error}") from None
    if body[-1]:
        raise TableError(f"blocks of compression type {body[-1]} cannot be read")
    return body[:-1]


def _entries(block: bytes) -> Iterator[tuple[bytes, bytes]]:
    if len(block) < 4:
        raise TableError("bad block contents")
    end = len(block) - 4 - 4 * struct.unpack("<I", block[-4:])[0]
    if end < 0:
        raise TableError("bad block contents")
    at, key = 0, b""
    while at < end:
        shared, at = read_varint(block, at)
        rest, at = read_varint(block, at)
        size, at = read_varint(block, at)
        if shared > len(key) or at + rest + size > end:
            raise TableError("bad entry in block")
        key = key[:shared] + block[at:at + rest]
        at += rest
        yield key, block[at:at + size]
        at += size


def table_entries(data: bytes) -> dict[bytes, bytes]:
    """The keys and values of a table, in order."""
    if len(data) < _FOOTER or struct.unpack("<Q", data[-8:])[0] != _MAGIC:
        raise TableError("not an sstable (bad magic number)")
    footer = data[-_FOOTER:]
    found: dict[bytes, bytes] = {}
    try:
        at = 0
        for _ in range(2):  # of the empty block, which is passed over
            _, at = read_varint(footer, at)
        offset, at = read_varint(footer, at)
        size, at = read_varint(footer, at)
        for _, handle in _entries(_block_at(data, offset, size)):
            start, at = read_varint(handle, 0)
            length, _ = read_varint(handle, at)
            found.update(_entries(_block_at(data, start, length)))
    except (DecodeError, IndexError) as error:
        raise TableError(f"bad block contents: {error}") from None
    return found
