"""tf.random.experimental.index_shuffle: where an index goes in a permutation never written down.

A Simon block cipher with few rounds permutes the numbers of an even number of bits, at least 16;
numbers above the largest index are enciphered again until they are not. Pure functions: may be
imported by the modules of this package only.
"""

import math

import numpy as np

_KEY_CONSTANT = 0xFFFFFFFC
_KEY_SEQUENCE = 0x7369F885192C0EF5
FILLER = 498247692  # goes in front of the two seeds to make a key of three
_MIN_BITS = 16
_FEW_STEPS = 64


def index_shuffle(
    index: np.ndarray, seed: np.ndarray, max_index: np.ndarray, rounds: int = 4
) -> np.ndarray:
    """`index` and `max_index` scalars or vectors, `seed` of shape [2] or [n, 2]; they broadcast."""
    seed = np.asarray(seed)
    shape = np.broadcast_shapes(index.shape, max_index.shape, seed.shape[:-1])
    flat = np.broadcast_to(index, shape).reshape(-1).astype(np.uint64)
    tops = np.broadcast_to(max_index, shape).reshape(-1).astype(np.uint64)
    seeds = np.broadcast_to(seed, (*shape, 2)).reshape(-1, 2).astype(np.uint32)
    out = np.empty_like(flat)
    for group in _alike(seeds, tops):
        keys, width = _round_keys(seeds[group[0]], int(tops[group[0]]), rounds)
        out[group] = _walk(flat[group], int(tops[group[0]]), keys, width)
    return out.reshape(shape).astype(index.dtype)


def _alike(seeds: np.ndarray, tops: np.ndarray) -> list[np.ndarray]:
    """Positions that share seed and largest index, and so one permutation."""
    groups: dict[tuple, list[int]] = {}
    for i, ((a, b), top) in enumerate(zip(seeds.tolist(), tops.tolist())):
        groups.setdefault((a, b, top), []).append(i)
    return [np.array(g) for g in groups.values()]


def _round_keys(seed: np.ndarray, top: int, rounds: int) -> tuple[list[np.uint64], int]:
    size = math.ceil(math.log2(top)) if top else 0
    width = max(size + size % 2, _MIN_BITS) // 2
    mask = (1 << width) - 1
    keys = [FILLER & mask, int(seed[0]) & mask, int(seed[1]) & mask]
    sequence = _KEY_SEQUENCE & mask
    for i in range(3, rounds):
        last = keys[i - 1]
        rotated = _rotate(last, width - 3, width) ^ _rotate(last, width - 4, width)
        keys.append((_KEY_CONSTANT & mask) ^ (sequence & 1) ^ keys[i - 3] ^ rotated)
        sequence >>= 1
    return [np.uint64(k) for k in keys], width


def _rotate(x, r: int, width: int):
    """x rotated left by r bits in a word of `width` bits, for ints and uint64 arrays."""
    if isinstance(x, int):
        return ((x << r) | (x >> (width - r))) & ((1 << width) - 1)
    rotated = (x << np.uint64(r)) | (x >> np.uint64(width - r))
    return rotated & np.uint64((1 << width) - 1)


def _walk(values: np.ndarray, top: int, keys: list[np.uint64], width: int) -> np.ndarray:
    if top == 0:
        return np.zeros_like(values)
    if (1 << (2 * width)) // (top + 1) > _FEW_STEPS:
        return _destinations(top, keys, width)[(values & np.uint64(0xFFFF)).astype(np.intp)]
    out = values.copy()
    going = np.arange(len(values))
    while len(going):
        out[going] = _encipher(out[going], keys, width)
        going = going[out[going] > np.uint64(top)]
    return out


def _destinations(top: int, keys: list[np.uint64], width: int) -> np.ndarray:
    """Where every number of a small cipher ends, by doubling the steps of all that must go on.

    A cycle without any number up to `top` never ends, but starts from none of those either.
    """
    goal = _encipher(np.arange(1 << (2 * width), dtype=np.uint64), keys, width)
    while (goal[: top + 1] > np.uint64(top)).any():
        going = np.flatnonzero(goal > np.uint64(top))
        goal[going] = goal[goal[going].astype(np.intp)]
    return goal


def _encipher(values: np.ndarray, keys: list[np.uint64], width: int) -> np.ndarray:
    mask = np.uint64((1 << width) - 1)
    left, right = (values >> np.uint64(width)) & mask, values & mask
    for i in range(0, len(keys), 2):
        left ^= _mix(right, width) ^ keys[i]
        right ^= _mix(left, width) ^ keys[i + 1]
    return (left << np.uint64(width)) | right


def _mix(x: np.ndarray, width: int) -> np.ndarray:
    return (_rotate(x, 1, width) & _rotate(x, 8, width)) ^ _rotate(x, 2, width)
