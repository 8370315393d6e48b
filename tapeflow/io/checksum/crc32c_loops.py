"""CRC-32C and the records of a block, as scalar functions (`base/machine_code`).

Compiled for `crc32c.py` and `io/tfrecord.py`. Eight bytes at a time: by the processor's own
instruction, or each byte looked up in a table for its distance from the end of the eight.
"""

from __future__ import annotations

from tapeflow.base.machine_code.scalar_types import (
    I64,
    U8,
    U32,
    I64s,
    crc_byte,
    crc_word,
    half_word,
    word,
)

HAS_CRC = 0  # machine code is told whether the processor has the instruction
MASK = 0xFFFFFFFF


def update(table: U32, data: U8, size: I64, state: I64) -> I64:
    """The state after `size` bytes; `table` has 256 remainders for each of 8 distances."""
    i = 0
    if HAS_CRC:
        while i + 8 <= size:
            state = crc_word(state, word(data, i))
            i += 8
        while i < size:
            state = crc_byte(state, data[i])
            i += 1
        return state
    while i + 8 <= size:
        low = half_word(data, i) ^ state
        high = half_word(data, i + 4)
        state = (table[1792 + (low & 255)] ^ table[1536 + (low >> 8 & 255)]
                 ^ table[1280 + (low >> 16 & 255)] ^ table[1024 + (low >> 24)]
                 ^ table[768 + (high & 255)] ^ table[512 + (high >> 8 & 255)]
                 ^ table[256 + (high >> 16 & 255)] ^ table[high >> 24])
        i += 8
    while i < size:
        state = table[(state ^ data[i]) & 255] ^ (state >> 8)
        i += 1
    return state


def masked_at(table: U32, data: U8, at: I64, size: I64) -> I64:
    """The masked CRC-32C of `size` bytes from `at` on."""
    crc = update(table, U8(start_of(data) + at), size, MASK) ^ MASK
    return ((crc >> 15 | crc << 17) + 0xA282EAD8) & MASK


def start_of(data: U8) -> I64:
    """The address that a pointer holds."""
    return int(data)


def whole_records(table: U32, data: U8, size: I64, found: I64s, most: I64) -> I64:
    """How many records stand whole and undamaged at the start of a block, `most` at most.

    `found` gets where the bytes of each begin and end.
    """
    at = 0
    count = 0
    while count < most and at + 16 <= size:
        length = word(data, at)
        if length < 0 or length > size - at - 16:
            break
        if masked_at(table, data, at, 8) != half_word(data, at + 8):
            break
        if masked_at(table, data, at + 12, length) != half_word(data, at + 12 + length):
            break
        found[2 * count] = at + 12
        found[2 * count + 1] = at + 12 + length
        at += length + 16
        count += 1
    return count
