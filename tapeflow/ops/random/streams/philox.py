"""Philox4x32-10, the counter-based generator behind every TensorFlow random op on CPUs.

A stream is a 64-bit key and a 128-bit counter, both plain Python ints; block number i of a stream
is the cipher of counter + i and yields four 32-bit words. Pure functions on ints and arrays: may be
imported by the modules of this package only, and imports nothing but NumPy.
"""

import numpy as np

KEY_MASK = (1 << 64) - 1
COUNTER_MASK = (1 << 128) - 1
_LOW = 0xFFFFFFFF
_BACKWARDS = _LOW << 32

_MUL0, _MUL1 = 0xD2511F53, 0xCD9E8D57  # the paper's multipliers
_WEYL0, _WEYL1 = 0x9E3779B9, 0xBB67AE85  # and key increments
_ROUNDS = 10

# Up to this many blocks a few Python big ints, one 64-bit lane a block, beat NumPy's call overhead.
_BIGINT_BLOCKS = 192
# Up to this many unrelated blocks are done one by one.
_SCALAR_BLOCKS = 16
# Blocks worked on at a time by NumPy: six uint64 buffers of this length stay in the second cache.
CHUNK = 8192

_U32 = np.array(32, np.uint64)
_ULOW = np.array(_LOW, np.uint64)
_UMUL0 = np.array(_MUL0, np.uint64)
_UMUL1 = np.array(_MUL1, np.uint64)


def skip(counter: int, blocks: int) -> int:
    """The counter after `blocks` blocks of four words; blocks < 2**64.

    TensorFlow's addition by 32-bit words loses the carry into the upper half where the upper word
    of `blocks` is all ones, that is, when a generator is skipped backwards.
    """
    after = counter + blocks
    if blocks >= _BACKWARDS and (counter & _LOW) + (blocks & _LOW) > _LOW:
        after -= 1 << 64
    return after & COUNTER_MASK


def words(key: int, counter: int, blocks: int, stride: int = 1) -> np.ndarray:
    """The blocks counter + stride * i of a stream, i < blocks: uint32, shape (blocks, 4)."""
    if blocks <= _BIGINT_BLOCKS and (counter & _LOW) + blocks * stride <= _LOW:
        return _bigint_words(key, counter, blocks, stride)
    out = np.empty((blocks, 4), np.uint32)
    keys = _round_keys(key)
    for start in range(0, blocks, CHUNK):
        offsets = np.arange(min(CHUNK, blocks - start), dtype=np.uint64)
        if stride != 1:
            offsets *= np.uint64(stride)
        low, high = _split(counter + start * stride)
        _cipher(keys, offsets, low, high, out[start : start + CHUNK])
    return out


def words_at(key: int, counter: int, offsets: np.ndarray) -> np.ndarray:
    """The blocks counter + offsets[i] of a stream: uint32, shape (len(offsets), 4)."""
    if len(offsets) <= _SCALAR_BLOCKS:
        blocks = [block(key, counter + offset) for offset in offsets.tolist()]
        return np.array(blocks, np.uint32).reshape(-1, 4)
    out = np.empty((len(offsets), 4), np.uint32)
    keys = _round_keys(key)
    low, high = _split(counter)
    for start in range(0, len(offsets), CHUNK):
        part = offsets[start : start + CHUNK].astype(np.uint64)
        _cipher(keys, part, low, high, out[start : start + CHUNK])
    return out


def block(key: int, counter: int) -> tuple[int, int, int, int]:
    """One block as four Python ints."""
    c0, c1 = counter & _LOW, (counter >> 32) & _LOW
    c2, c3 = (counter >> 64) & _LOW, (counter >> 96) & _LOW
    k0, k1 = key & _LOW, (key >> 32) & _LOW
    for _ in range(_ROUNDS):
        p0, p1 = c0 * _MUL0, c2 * _MUL1
        c0, c1 = (p1 >> 32) ^ c1 ^ k0, p1 & _LOW
        c2, c3 = (p0 >> 32) ^ c3 ^ k1, p0 & _LOW
        k0, k1 = (k0 + _WEYL0) & _LOW, (k1 + _WEYL1) & _LOW
    return c0, c1, c2, c3


def _split(counter: int) -> tuple[int, int]:
    return counter & KEY_MASK, (counter >> 64) & KEY_MASK


def _round_keys(key: int) -> list[tuple[np.ndarray, np.ndarray]]:
    k0, k1 = key & _LOW, (key >> 32) & _LOW
    flat = np.array(
        [((k0 + r * _WEYL0) & _LOW, (k1 + r * _WEYL1) & _LOW) for r in range(_ROUNDS)], np.uint64
    )
    return [(row[0, ...], row[1, ...]) for row in flat]  # 0-d arrays: cheaper operands than scalars


def _cipher(keys, offsets: np.ndarray, low: int, high: int, out: np.ndarray) -> None:
    """Writes the blocks (high, low) + offsets into out; `offsets` (uint64) is used as scratch."""
    c1 = np.add(offsets, np.uint64(low), out=offsets)  # wraps modulo 2**64
    wrapped = c1 < np.uint64(low)
    c0 = np.bitwise_and(c1, _ULOW)
    np.right_shift(c1, _U32, out=c1)
    if wrapped.any():
        tops = np.where(wrapped, np.uint64((high + 1) & KEY_MASK), np.uint64(high))
        c2, c3 = tops & _ULOW, tops >> _U32
    else:
        c2 = np.full_like(c0, high & _LOW)
        c3 = np.full_like(c0, high >> 32)
    p0, p1 = np.empty_like(c0), np.empty_like(c0)
    multiply, shift = np.multiply, np.right_shift
    xor, mask = np.bitwise_xor, np.bitwise_and
    for k0, k1 in keys:
        multiply(c0, _UMUL0, out=p0)
        multiply(c2, _UMUL1, out=p1)
        shift(p1, _U32, out=c0)
        xor(c0, c1, out=c0)
        xor(c0, k0, out=c0)
        mask(p1, _ULOW, out=c1)
        shift(p0, _U32, out=c2)
        xor(c2, c3, out=c2)
        xor(c2, k1, out=c2)
        mask(p0, _ULOW, out=c3)
    pairs = out.view(np.uint64)  # little-endian: word 2i + 1 is the upper half of pair i
    np.bitwise_or(c0, np.left_shift(c1, _U32, out=c1), out=pairs[:, 0])
    np.bitwise_or(c2, np.left_shift(c3, _U32, out=c3), out=pairs[:, 1])


_lane_constants: dict[int, tuple[int, int, int]] = {}


def _lanes(n: int) -> tuple[int, int, int]:
    """Big ints of n 64-bit lanes: all ones, lane numbers, low-half masks."""
    made = _lane_constants.get(n)
    if made is None:
        ones = sum(1 << (64 * i) for i in range(n))
        index = sum(i << (64 * i) for i in range(n))
        made = _lane_constants[n] = (ones, index, ones * _LOW)
    return made


def _bigint_words(key: int, counter: int, n: int, stride: int) -> np.ndarray:
    """`words` by big-int arithmetic; the lowest counter word must not wrap on the way."""
    ones, index, mask = _lanes(n)
    c0, c1 = (counter & _LOW) * ones + index * stride, ((counter >> 32) & _LOW) * ones
    c2, c3 = ((counter >> 64) & _LOW) * ones, ((counter >> 96) & _LOW) * ones
    k0, k1 = key & _LOW, (key >> 32) & _LOW
    for _ in range(_ROUNDS):
        p0, p1 = c0 * _MUL0, c2 * _MUL1  # a 32 x 32-bit product fills its lane, never leaves it
        c0, c1 = ((p1 >> 32) & mask) ^ c1 ^ (k0 * ones), p1 & mask
        c2, c3 = ((p0 >> 32) & mask) ^ c3 ^ (k1 * ones), p0 & mask
        k0, k1 = (k0 + _WEYL0) & _LOW, (k1 + _WEYL1) & _LOW
    out = np.empty((n, 2), np.uint64)
    out[:, 0] = np.frombuffer((c0 | c1 << 32).to_bytes(8 * n, "little"), np.uint64)
    out[:, 1] = np.frombuffer((c2 | c3 << 32).to_bytes(8 * n, "little"), np.uint64)
    return out.view(np.uint32)
