"""Mutations of files: bits, lengths, pieces, sizes; some with checksums made right again."""

from __future__ import annotations

import random
import struct
import zlib
from typing import Any

from tests.file_fuzz.model_files import changed_member

NUMBERS = (0, 1, 2, 3, 127, 128, 255, 256, 32767, 65535, 1 << 20, 0x7FFFFFFF, 0x80000000,
           0xFFFFFFFF, 1 << 40, (1 << 63) - 1, 1 << 63, (1 << 64) - 1)


def _flip(r: random.Random, data: bytearray, name: str) -> None:
    for _ in range(r.choice((1, 1, 1, 2, 4, 16))):
        at = r.randrange(len(data))
        data[at] ^= 1 << r.randrange(8)


def _byte(r: random.Random, data: bytearray, name: str) -> None:
    for _ in range(r.choice((1, 1, 2, 5))):
        data[r.randrange(len(data))] = r.choice((0, 1, 127, 128, 255, r.randrange(256)))


def _cut(r: random.Random, data: bytearray, name: str) -> None:
    del data[r.randrange(len(data)):]


def _remove(r: random.Random, data: bytearray, name: str) -> None:
    at = r.randrange(len(data))
    del data[at:at + r.choice((1, 2, 4, 8, 30))]


def _insert(r: random.Random, data: bytearray, name: str) -> None:
    at = r.randrange(len(data) + 1)
    data[at:at] = bytes(r.randrange(256) for _ in range(r.choice((1, 2, 4, 9))))


def _splice(r: random.Random, data: bytearray, name: str) -> None:
    a, b = sorted((r.randrange(len(data) + 1), r.randrange(len(data) + 1)))
    at = r.randrange(len(data) + 1)
    data[at:at + r.choice((0, b - a))] = data[a:b]


def _number(r: random.Random, data: bytearray, name: str) -> None:
    """A number of 1, 2, 4 or 8 bytes, in either order, becomes an extreme one."""
    size = r.choice((1, 2, 4, 4, 8, 8))
    value = r.choice(NUMBERS) & ((1 << 8 * size) - 1)
    at = r.randrange(len(data))
    data[at:at + size] = value.to_bytes(size, r.choice(("little", "big")))


def _varint(r: random.Random, data: bytearray, name: str) -> None:
    """A byte becomes a number as protocol buffers write it."""
    value, parts = r.choice(NUMBERS), bytearray()
    while value > 127:
        parts.append(value & 127 | 128)
        value >>= 7
    parts.append(value)
    at = r.randrange(len(data))
    data[at:at + 1] = parts


MUTATIONS = (_flip, _flip, _byte, _cut, _remove, _insert, _splice, _number, _number, _varint)


# -- checksums -------------------------------------------------------------------------------------
def _png_sums(data: bytearray) -> None:
    at = 8
    while at + 12 <= len(data):
        size = int.from_bytes(data[at:at + 4], "big")
        end = at + 8 + size
        if end + 4 > len(data):
            break
        data[end:end + 4] = zlib.crc32(bytes(data[at + 4:end])).to_bytes(4, "big")
        at = end + 4


def _crc(data: bytes) -> bytes:
    from tapeflow.io.checksum.crc32c import masked_crc32c
    return struct.pack("<I", masked_crc32c(data))


def _record_sums(data: bytearray) -> None:
    at = 0
    while at + 12 <= len(data):
        size = int.from_bytes(data[at:at + 8], "little")
        data[at + 8:at + 12] = _crc(bytes(data[at:at + 8]))
        end = at + 12 + size
        if end + 4 > len(data):
            break
        data[end:end + 4] = _crc(bytes(data[at + 12:end]))
        at = end + 4


def _bundle_sums(data: bytearray) -> None:
    """The blocks of the index, as its footer says where they are."""
    from tapeflow.io.protobuf.wire import DecodeError, read_varint
    size = int.from_bytes(data[:4], "little")
    start, footer = 4, bytes(data[4 + size - 48:4 + size])
    try:
        numbers, place = [], 0
        for _ in range(4):
            number, place = read_varint(footer, place)
            numbers.append(number)
    except DecodeError:
        return
    blocks = [(0, numbers[0] - 5), (numbers[0], numbers[1]), (numbers[2], numbers[3])]
    for offset, length in blocks:
        a, b = start + offset, start + offset + length + 1
        if 0 <= a < b and b + 4 <= 4 + size:
            data[b:b + 4] = _crc(bytes(data[a:b]))


SUMS = {"png": _png_sums, "image": _png_sums, "tfrecord": _record_sums, "events": _record_sums,
        "checkpoint": _bundle_sums}


def _inflated(name: str, data: bytes, r: random.Random) -> bytes:
    """What is compressed is changed inside."""
    wbits = 31 if name.endswith("gzip") else 15
    body = bytearray(zlib.decompressobj(wbits).decompress(data))
    r.choice(MUTATIONS)(r, body, name)
    if name.startswith("tfrecord") and r.random() < 0.7:
        _record_sums(body)
    made = zlib.compressobj(6, zlib.DEFLATED, wbits)
    return made.compress(bytes(body)) + made.flush()


# -- saved models ----------------------------------------------------------------------------------
def _places(message: Any) -> list[tuple[Any, str, int | None]]:
    """Every number, text and flag in a message and those below: where it is held."""
    found: list[tuple[Any, str, int | None]] = []
    for field, value in message._present():
        if field.label == "map":
            for one in value.values() if field.type == "message" else ():
                found += _places(one)
        elif field.type == "message":
            for one in value if field.label else (value,):
                found += _places(one)
        elif field.label:
            found += [(message, field.name, i) for i in range(len(value))]
        else:
            found.append((message, field.name, None))
    return found


def _model(r: random.Random, data: bytes) -> bytes:
    """Fields of saved_model.pb change, so that the message is one: numbers, names, dtypes."""
    from tapeflow.saved_model.object_protos import SavedModel
    parts, at = [], 0
    while at < len(data):
        size = int.from_bytes(data[at:at + 4], "little")
        parts.append(data[at + 4:at + 4 + size])
        at += 4 + size
    where = parts.index(b"saved_model.pb") + 1
    model = SavedModel.FromString(parts[where])
    places = _places(model)
    texts = [one for message, name, i in places
             if isinstance(one := _held(message, name, i), str)]
    for _ in range(r.choice((1, 1, 2, 4))):
        message, name, i = r.choice(places)
        new = _other(r, _held(message, name, i), texts)
        try:
            if i is None:
                setattr(message, name, new)
            else:
                getattr(message, name)[i] = new
        except (ValueError, IndexError):
            continue
    parts[where] = model.SerializeToString()
    return b"".join(len(one).to_bytes(4, "little") + one for one in parts)


def _held(message: Any, name: str, i: int | None) -> Any:
    found = getattr(message, name)
    return found if i is None else found[i] if i < len(found) else 0


def _other(r: random.Random, value: Any, texts: list[str]) -> Any:
    if isinstance(value, bool):
        return not value
    if isinstance(value, int):
        return r.choice((value + 1, value - 1, 0, -1, r.randrange(9), r.choice(NUMBERS)))
    if isinstance(value, float):
        return r.choice((0.0, -value, 1e300, float("nan"), float("inf")))
    if isinstance(value, str):
        return r.choice((r.choice(texts), "", value + "x", "int32", "py_function", "../" + value))
    changed = bytearray(value or b"0")
    _byte(r, changed, "")
    return bytes(changed)


def mutated(r: random.Random, name: str, sample: bytes) -> bytes:
    """Another file, made of a valid one."""
    if name in ("tfrecord_gzip", "tfrecord_zlib") and r.random() < 0.5:
        return _inflated(name, sample, r)
    if name.startswith("keras") and r.random() < 0.7:
        return changed_member(r, sample, r.choice(MUTATIONS))
    if name == "saved_model" and r.random() < 0.7:
        return _model(r, sample)
    data = bytearray(sample)
    if name == "checkpoint" and r.random() < 0.3:  # the data alone
        size = 4 + int.from_bytes(data[:4], "little")
        tail = data[size:]
        r.choice(MUTATIONS)(r, tail, name)
        return bytes(data[:size] + tail)
    for _ in range(r.choice((1, 1, 1, 2, 3))):
        if data:
            r.choice(MUTATIONS)(r, data, name)
    if name in SUMS and r.random() < 0.6:
        SUMS[name](data)
    return bytes(data)


def files(seed: int, count: int, samples: dict[str, list[bytes]],
          names: tuple[str, ...] = ()) -> list[tuple[str, bytes]]:
    """`count` mutated files, formats in turn."""
    chosen = sorted(names or samples)
    made = []
    for i in range(count):
        r = random.Random(f"{seed}:{i}")
        name = chosen[i % len(chosen)]
        made.append((name, mutated(r, name, r.choice(samples[name]))))
    return made
