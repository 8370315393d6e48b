"""Strings to buckets: tf.strings.to_hash_bucket and its kin, and the fingerprints behind them.

TensorFlow's numbers: FarmHash's Fingerprint64, SipHash-2-4 and MurmurHash64A, on 64-bit integers.
May be imported by other modules of `ops`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from tapeflow.base import errors
from tapeflow.base.attributes import listed
from tapeflow.base.exports import export
from tapeflow.core.autodiff.batching import loop
from tapeflow.core.record.families import operand
from tapeflow.core.record.op import Spec, define
from tapeflow.core.record.samples import Case
from tapeflow.core.values.tensor import Tensor
from tapeflow.ops.strings.text import NO_GRADIENT, WORDS, on_all, string_operand

_MASK = (1 << 64) - 1
_K0, _K1, _K2 = 0xC3A5C85C97CB3127, 0xB492B66FBE98F273, 0x9AE16A3B2F90404F
FARM_OF_NOTHING = _K2  # the fingerprint of an empty string


# -- FarmHash --------------------------------------------------------------------------------------
# Rounds take integers and bytes, or what stands for many of them: words with the same operators,
# and rows with `word`, `half` and an index (`onnx/records/text/hash_nodes.py`).
def _word(data: Any, at: Any) -> Any:
    return int.from_bytes(data[at:at + 8], "little") if type(data) is bytes else data.word(at)


def _half(data: Any, at: Any) -> Any:
    return int.from_bytes(data[at:at + 4], "little") if type(data) is bytes else data.half(at)


def _rotate(x: Any, shift: int) -> Any:
    return ((x >> shift) | (x << (64 - shift))) & _MASK if shift else x


def _mix(x: Any) -> Any:
    return x ^ (x >> 47)


def _pair(u: Any, v: Any, multiplier: Any) -> Any:
    """Two words as one, by Murmur's rounds."""
    a = ((u ^ v) * multiplier) & _MASK
    a ^= a >> 47
    b = ((v ^ a) * multiplier) & _MASK
    b ^= b >> 47
    return (b * multiplier) & _MASK


def _farm_16(s: bytes) -> int:
    n = len(s)
    if n >= 8:
        return farm_8_to_16(s, n)
    if n >= 4:
        return farm_4_to_7(s, n)
    return farm_1_to_3(s, n) if n else FARM_OF_NOTHING


def farm_8_to_16(s: Any, n: Any) -> Any:
    factor = (_K2 + n * 2) & _MASK
    a, b = (_word(s, 0) + _K2) & _MASK, _word(s, n - 8)
    c = (_rotate(b, 37) * factor + a) & _MASK
    d = ((_rotate(a, 25) + b) * factor) & _MASK
    return _pair(c, d, factor)


def farm_4_to_7(s: Any, n: Any) -> Any:
    factor = (_K2 + n * 2) & _MASK
    return _pair((n + (_half(s, 0) << 3)) & _MASK, _half(s, n - 4), factor)


def farm_1_to_3(s: Any, n: Any) -> Any:
    y = s[0] + (s[n >> 1] << 8)
    z = n + (s[n - 1] << 2)
    return (_mix(((y * _K2) & _MASK) ^ ((z * _K0) & _MASK)) * _K2) & _MASK


def farm_17_to_32(s: Any, n: Any) -> Any:
    factor = (_K2 + n * 2) & _MASK
    a, b = (_word(s, 0) * _K1) & _MASK, _word(s, 8)
    c, d = (_word(s, n - 8) * factor) & _MASK, (_word(s, n - 16) * _K2) & _MASK
    return _pair((_rotate((a + b) & _MASK, 43) + _rotate(c, 30) + d) & _MASK,
                 (a + _rotate((b + _K2) & _MASK, 18) + c) & _MASK, factor)


def farm_33_to_64(s: Any, n: Any) -> Any:
    factor = (_K2 + n * 2) & _MASK
    a, b = (_word(s, 0) * _K2) & _MASK, _word(s, 8)
    c, d = (_word(s, n - 8) * factor) & _MASK, (_word(s, n - 16) * _K2) & _MASK
    y = (_rotate((a + b) & _MASK, 43) + _rotate(c, 30) + d) & _MASK
    z = _pair(y, (a + _rotate((b + _K2) & _MASK, 18) + c) & _MASK, factor)
    e, f = (_word(s, 16) * factor) & _MASK, _word(s, 24)
    g, h = ((y + _word(s, n - 32)) * factor) & _MASK, ((z + _word(s, n - 24)) * factor) & _MASK
    return _pair((_rotate((e + f) & _MASK, 43) + _rotate(g, 30) + h) & _MASK,
                 (e + _rotate((f + a) & _MASK, 18) + g) & _MASK, factor)


def _weak(s: Any, at: Any, a: Any, b: Any) -> tuple[Any, Any]:
    """32 bytes and two seeds as two words."""
    w, x, y, z = [_word(s, at + 8 * i) for i in range(4)]
    a = (a + w) & _MASK
    b = _rotate((b + a + z) & _MASK, 21)
    c = a
    a = (a + x + y) & _MASK
    b = (b + _rotate(a, 44)) & _MASK
    return (a + z) & _MASK, (b + c) & _MASK


def fingerprint(s: bytes) -> int:
    """FarmHash's Fingerprint64."""
    n = len(s)
    if n <= 16:
        return _farm_16(s)
    if n <= 32:
        return farm_17_to_32(s, n)
    if n <= 64:
        return farm_33_to_64(s, n)
    held = farm_start(s)
    for at in range(0, ((n - 1) // 64) * 64, 64):
        held = farm_block(s, at, *held)
    return farm_last(s, n, *held)


def farm_start(s: Any) -> tuple:
    """The seven words (x, y, z, v, v, w, w) before the first block of 64 bytes."""
    y = (81 * _K1 + 113) & _MASK
    z = (_mix((y * _K2 + 113) & _MASK) * _K2) & _MASK
    return (_word(s, 0) + ((81 * _K2) & _MASK)) & _MASK, y, z, 0, 0, 0, 0


def farm_block(s: Any, at: Any, x: Any, y: Any, z: Any, v: Any, v1: Any, w: Any, w1: Any) -> tuple:
    """The words behind the block at `at`."""
    return _farm_round(s, at, _K1, x, y, z, v, v1, w, w1, 1)


def _farm_round(s: Any, at: Any, factor: Any, x: Any, y: Any, z: Any, v: Any, v1: Any, w: Any,
                w1: Any, nine: int) -> tuple:
    x = (_rotate((x + y + v + _word(s, at + 8)) & _MASK, 37) * factor) & _MASK
    y = (_rotate((y + v1 + _word(s, at + 48)) & _MASK, 42) * factor) & _MASK
    x = x ^ ((w1 * nine) & _MASK)
    y = (y + v * nine + _word(s, at + 40)) & _MASK
    z = (_rotate((z + w) & _MASK, 33) * factor) & _MASK
    v, v1 = _weak(s, at, (v1 * factor) & _MASK, (x + w) & _MASK)
    w, w1 = _weak(s, at + 32, (z + w1) & _MASK, (y + _word(s, at + 16)) & _MASK)
    return z, y, x, v, v1, w, w1


def farm_last(s: Any, n: Any, x: Any, y: Any, z: Any, v: Any, v1: Any, w: Any, w1: Any) -> Any:
    """The fingerprint, by the words behind all blocks and the last 64 bytes."""
    factor = (_K1 + ((z & 0xFF) << 1)) & _MASK
    w = (w + ((n - 1) & 63)) & _MASK
    v = (v + w) & _MASK
    w = (w + v) & _MASK
    x, y, z, v, v1, w, w1 = _farm_round(s, n - 64, factor, x, y, z, v, v1, w, w1, 9)
    return _pair((_pair(v, w, factor) + _mix(y) * _K0 + z) & _MASK,
                 (_pair(v1, w1, factor) + x) & _MASK, factor)


def fingerprints(words: list[bytes]) -> np.ndarray:
    """Fingerprint64 of many strings: those of one length, from 4 to 16 bytes, at once."""
    found = np.zeros(len(words), np.uint64)
    lengths: dict[int, list[int]] = {}
    for i, one in enumerate(words):
        n = len(one)
        lengths.setdefault(n if 4 <= n <= 16 else -1, []).append(i)
    for i in lengths.pop(-1, []):
        found[i] = fingerprint(words[i])
    for n, indices in lengths.items():
        if len(indices) < 16:
            found[indices] = [fingerprint(words[i]) for i in indices]
            continue
        data = np.frombuffer(b"".join([words[i] for i in indices]), np.uint8).reshape(-1, n)
        with np.errstate(over="ignore"):
            found[indices] = _farm_16_rows(data)
    return found


def _words_of(data: np.ndarray, at: int, size: int) -> np.ndarray:
    """`size` bytes of each row as an integer."""
    part = np.ascontiguousarray(data[:, at:at + size])
    return part.view(np.uint64 if size == 8 else np.uint32).ravel().astype(np.uint64)


def _rotated(x: np.ndarray, shift: int) -> np.ndarray:
    return (x >> np.uint64(shift)) | (x << np.uint64(64 - shift))


def _farm_16_rows(data: np.ndarray) -> np.ndarray:
    """As `_farm_16`, of rows of 4 to 16 bytes; uint64 wraps by itself."""
    n = data.shape[1]
    factor = np.uint64((_K2 + n * 2) & _MASK)
    if n >= 8:
        a, b = _words_of(data, 0, 8) + np.uint64(_K2), _words_of(data, n - 8, 8)
        u = _rotated(b, 37) * factor + a
        v = (_rotated(a, 25) + b) * factor
    else:
        u = np.uint64(n) + (_words_of(data, 0, 4) << np.uint64(3))
        v = _words_of(data, n - 4, 4)
    half = np.uint64(47)
    a = (u ^ v) * factor
    a ^= a >> half
    b = (v ^ a) * factor
    b ^= b >> half
    return b * factor


def fingerprint_cat(a: Any, b: Any) -> Any:
    """The fingerprint of two fingerprints in order, as feature crosses use it."""
    factor = 0xC6A4A7935BD1E995
    result = a ^ factor
    result = result ^ ((_mix((b * factor) & _MASK) * factor) & _MASK)
    result = (result * factor) & _MASK
    result = (_mix(result) * factor) & _MASK
    return _mix(result)


# -- SipHash and Murmur ----------------------------------------------------------------------------
def _sip_round(v: list) -> None:
    v[0] = (v[0] + v[1]) & _MASK
    v[1] = _rotate(v[1], 51) ^ v[0]
    v[0] = _rotate(v[0], 32)
    v[2] = (v[2] + v[3]) & _MASK
    v[3] = _rotate(v[3], 48) ^ v[2]
    v[0] = (v[0] + v[3]) & _MASK
    v[3] = _rotate(v[3], 43) ^ v[0]
    v[2] = (v[2] + v[1]) & _MASK
    v[1] = _rotate(v[1], 47) ^ v[2]
    v[2] = _rotate(v[2], 32)


def sip_start(key: tuple[int, int]) -> list:
    a, b = key
    return [a ^ 0x736F6D6570736575, b ^ 0x646F72616E646F6D, a ^ 0x6C7967656E657261,
            b ^ 0x7465646279746573]


def sip_word(v: list, word: Any) -> list:
    """The state behind one word."""
    v = [v[0], v[1], v[2], v[3] ^ word]
    _sip_round(v)
    _sip_round(v)
    return [v[0] ^ word, *v[1:]]


def sip_last(v: list) -> Any:
    v = [v[0], v[1], v[2] ^ 0xFF, v[3]]
    for _ in range(4):
        _sip_round(v)
    return v[0] ^ v[1] ^ v[2] ^ v[3]


def siphash(s: bytes, key: tuple[int, int]) -> int:
    """SipHash-2-4."""
    v, whole = sip_start(key), len(s) // 8 * 8
    for at in range(0, whole, 8):
        v = sip_word(v, _word(s, at))
    return sip_last(sip_word(v, int.from_bytes(s[whole:], "little") | ((len(s) & 0xFF) << 56)))


def murmur(s: bytes, seed: int = 0xDECAFCAFFE) -> int:
    """MurmurHash64A."""
    factor = 0xC6A4A7935BD1E995
    h = (seed ^ (len(s) * factor)) & _MASK
    whole = len(s) // 8 * 8
    for at in range(0, whole, 8):
        k = (_word(s, at) * factor) & _MASK
        k = ((k ^ (k >> 47)) * factor) & _MASK
        h = ((h ^ k) * factor) & _MASK
    if len(s) > whole:
        h = ((h ^ int.from_bytes(s[whole:], "little")) * factor) & _MASK
    h = ((h ^ (h >> 47)) * factor) & _MASK
    return h ^ (h >> 47)


# -- public ----------------------------------------------------------------------------------------
def _each_once(hash_of: Callable) -> Callable:
    """Words come again and again: each is hashed once."""
    def buckets_of(flat: list, buckets: int, **attrs: Any) -> list:
        known = {one: hash_of(one, **attrs) % buckets for one in dict.fromkeys(flat)}
        return [known[one] for one in flat]

    return buckets_of


def _fast_buckets(flat: list, buckets: int) -> list:
    distinct = list(dict.fromkeys(flat))
    known = dict(zip(distinct, (fingerprints(distinct) % np.uint64(buckets)).tolist(),
                     strict=True))
    return [known[one] for one in flat]


_fast = on_all("string_to_hash_bucket_fast", _fast_buckets, np.int64,
               check=[Case(WORDS, buckets=10)])
_legacy = on_all("string_to_hash_bucket", _each_once(murmur), np.int64,
                 check=[Case(WORDS, buckets=10)])
_strong = on_all("string_to_hash_bucket_strong", _each_once(siphash), np.int64,
                 check=[Case(WORDS, buckets=10, key=(1, 2))])


def _bucketed(call: Callable, input: Any, num_buckets: Any, **attrs: Any) -> Tensor:
    buckets = int(num_buckets)
    if not 1 <= buckets < 1 << 63:
        raise errors.InvalidArgumentError(None, None, f"Value for attr 'num_buckets' of {buckets} "
                                                      "must be at least minimum 1")
    return call(string_operand(input), buckets=buckets, **attrs)


@export("strings.to_hash_bucket_fast")
def to_hash_bucket_fast(input: Any, num_buckets: Any, name: str | None = None) -> Tensor:
    """An integer below `num_buckets` for each string, by its FarmHash fingerprint."""
    return _bucketed(_fast, input, num_buckets)


@export("strings.to_hash_bucket")
def to_hash_bucket(input: Any, num_buckets: Any, name: str | None = None) -> Tensor:
    """An integer below `num_buckets` for each string; TensorFlow's older hash."""
    return _bucketed(_legacy, input, num_buckets)


@export("strings.to_hash_bucket_strong")
def to_hash_bucket_strong(input: Any, num_buckets: Any, key: Any,
                          name: str | None = None) -> Tensor:
    """An integer below `num_buckets` for each string, by SipHash with a key of two integers."""
    words = [int(one) for one in listed("key", key)]
    if len(words) != 2:
        raise errors.invalid("StringToHashBucketStrong", "Key must have 2 elements")
    return _bucketed(_strong, input, num_buckets, key=(words[0] & _MASK, words[1] & _MASK))


# -- rows of any dtype -----------------------------------------------------------------------------
def _fingerprint_kernel(x):
    """The fingerprint of the bytes of each row; strings count by their own fingerprints."""
    if x.dtype.kind == "O":
        rows = [row.ravel().tolist() if isinstance(row, np.ndarray) else [row] for row in x]
        parts = [[fingerprint(one).to_bytes(8, "little") for one in row] for row in rows]
        data = [row[0] if x.ndim == 1 else fingerprint(b"".join(row)).to_bytes(8, "little")
                for row in parts]
    else:
        data = [fingerprint(row.tobytes()).to_bytes(8, "little") for row in x]
    return np.frombuffer(b"".join(data), np.uint8).reshape(len(x), 8)


_fingerprint = define("fingerprint", kernel=_fingerprint_kernel, vjp=NO_GRADIENT, batch=loop,
                      shape=lambda x: Spec((None if x.shape is None else x.shape[0], 8),
                                           np.dtype("uint8")),
                      check=[Case(WORDS), Case(np.array([[1, 2], [3, 4]], np.int32))])


@export("fingerprint")
def fingerprint_rows(data: Any, method: str = "farmhash64", name: str | None = None) -> Tensor:
    """The FarmHash fingerprint of each row of `data`, as 8 bytes."""
    x = operand(data)
    if x.ndim == 0:
        raise errors.invalid("Fingerprint", "`data` should have at least one dimension: []")
    if method != "farmhash64":
        raise errors.invalid("Fingerprint", f"Unsupported fingerprint method: {method}")
    return _fingerprint(x)


fingerprint_rows.__name__ = fingerprint_rows.__qualname__ = "fingerprint"
