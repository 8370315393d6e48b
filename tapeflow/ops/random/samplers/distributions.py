"""Draws that take a fixed number of words a number (or a group of numbers), with TensorFlow's bits.

Every function takes the stream (key, counter) first and returns a NumPy array; advancing the
counter is the caller's business (seeds.py). Distributions that reject are in rejection.py. Pure
functions: may be imported by the modules of this package only.
"""

import math
from collections.abc import Callable, Sequence

import numpy as np

from tapeflow.ops._support import kernel_threads
from tapeflow.ops.random.streams import bits, philox

# Up to so many numbers are drawn by Python's ints and floats, without NumPy.
_FEW_NUMBERS = 8
# A stateful kernel sets aside this many blocks for each number it draws, whatever it really uses.
RESERVED_BLOCKS = 256


class _Format:
    """How the numbers of one dtype are made from words."""

    def __init__(self, per_block: int, uniform: Callable, normal: Callable, work: np.dtype) -> None:
        self.per_block = per_block
        self.uniform = uniform
        self.normal = normal
        self.work = work  # dtype of what `normal` returns, rounded afterwards


_FORMATS = {
    bits.HALF: _Format(4, bits.uniform_half, bits.normal_float, bits.FLOAT),
    bits.FLOAT: _Format(4, bits.uniform_float, bits.normal_float, bits.FLOAT),
    bits.DOUBLE: _Format(2, bits.uniform_double, bits.normal_double, bits.DOUBLE),
}
_BFLOAT16 = _Format(4, bits.uniform_bfloat16, bits.normal_float, bits.FLOAT)


def format_of(dtype: np.dtype) -> _Format:
    """The format of a floating dtype; bfloat16, which NumPy must be taught, is met by its name."""
    form = _FORMATS.get(dtype)
    if form is None:
        if dtype.name != "bfloat16":
            raise TypeError(f"no random numbers of dtype {dtype}")
        form = _FORMATS[dtype] = _BFLOAT16
    return form


def _fill(
    key: int, counter: int, shape: Sequence[int], per_block: int, dtype, convert: Callable
) -> np.ndarray:
    """Draws consecutive blocks and converts them, a cache-sized part at a time."""
    size = math.prod(shape)
    blocks = -(-size // per_block)
    if blocks <= philox.CHUNK:
        flat = convert(philox.words(key, counter, blocks).ravel())
        if flat.dtype != dtype:
            flat = flat.astype(dtype)
        return flat[:size].reshape(shape)
    out = np.empty(blocks * per_block, dtype)

    def draw(start: int) -> None:
        n = min(philox.CHUNK, blocks - start)
        part = convert(philox.words(key, philox.skip(counter, start), n).ravel())
        out[start * per_block : (start + n) * per_block] = part

    _in_parts(draw, blocks)
    return out[:size].reshape(shape)


def _in_parts(draw: Callable, count: int) -> None:
    """Call a function for the start of each part, on several threads if there are many."""
    starts = range(0, count, philox.CHUNK)
    if len(starts) > 3:
        kernel_threads.share(draw, starts)
    else:
        for start in starts:
            draw(start)


def _few_words(key: int, counter: int, size: int) -> list[int]:
    words: list[int] = []
    for position in range(counter, counter + -(-size // 4)):
        words += philox.block(key, position)
    return words


def uniform(key: int, counter: int, shape: Sequence[int], dtype: np.dtype) -> np.ndarray:
    """Floats on [0, 1)."""
    form = format_of(np.dtype(dtype))
    if dtype == bits.FLOAT and math.prod(shape) <= _FEW_NUMBERS:
        words = _few_words(key, counter, math.prod(shape))[: math.prod(shape)]
        return np.array([(w & 0x7FFFFF) * 2.0**-23 for w in words], bits.FLOAT).reshape(shape)
    return _fill(key, counter, shape, form.per_block, dtype, form.uniform)


def normal(key: int, counter: int, shape: Sequence[int], dtype: np.dtype) -> np.ndarray:
    """Standard normals."""
    form = format_of(np.dtype(dtype))
    size = math.prod(shape)
    if size <= _FEW_NUMBERS and form.work is bits.FLOAT:
        numbers = bits.scalar_normals(_few_words(key, counter, size))[:size]
        return np.array(numbers, bits.FLOAT).astype(dtype, copy=False).reshape(shape)
    return _fill(key, counter, shape, form.per_block, dtype, form.normal)


def uniform_int(
    key: int, counter: int, shape: Sequence[int], dtype: np.dtype, low: int, high: int
) -> np.ndarray:
    """int32 or int64 on [low, high): low + word % (high - low), with the bias that has."""
    dtype = np.dtype(dtype)
    unsigned = np.dtype(f"u{dtype.itemsize}")
    span, base = unsigned.type(high - low), unsigned.type(low % (1 << (8 * dtype.itemsize)))

    def convert(words: np.ndarray) -> np.ndarray:
        values = words if dtype.itemsize == 4 else bits.integers64(words)
        values = values % span
        values += base  # wraps, as the sum of a negative low and a span above the maximum must
        return values.view(dtype)

    return _fill(key, counter, shape, 16 // dtype.itemsize, dtype, convert)


def uniform_full_int(key: int, counter: int, shape: Sequence[int], dtype: np.dtype) -> np.ndarray:
    """All values of a 32- or 64-bit integer type, signed or not."""
    dtype = np.dtype(dtype)
    return _fill(
        key, counter, shape, 16 // dtype.itemsize, dtype, lambda words: words.view(dtype)
    )


# --- truncated normal ----------------------------------------------------------------------------

_TRUNCATE_AT = 2.0
_FEW_GROUPS = 4


def truncated_normal(
    key: int,
    counter: int,
    shape: Sequence[int],
    dtype: np.dtype,
    tries: np.ndarray | None = None,
) -> np.ndarray:
    """Normals within two standard deviations.

    A group of numbers (four floats or two doubles) has a segment of the stream of its own and takes
    the first normals in it that are near enough, so that groups may be drawn in any order. `tries`:
    the normals that each begins with, if they have been drawn.
    """
    form = format_of(np.dtype(dtype))
    size, group = math.prod(shape), form.per_block
    groups = -(-size // group)
    stride = group * RESERVED_BLOCKS // 4
    if 0 < groups <= _FEW_GROUPS:
        out = np.array(_few_truncated_groups(key, counter, stride, form, groups), form.work)
    else:
        out = np.empty((groups, group), form.work)

        def draw(part: slice) -> None:
            begin = philox.skip(counter, part.start * stride)
            first = None if tries is None else tries[part]
            _truncated_groups(key, begin, stride, form, out[part], first)

        if tries is None:
            _in_parts(lambda start: draw(slice(start, start + philox.CHUNK)), groups)
        else:
            kernel_threads.share(draw, kernel_threads.slices(groups))
    flat = out.reshape(-1)[:size]
    return flat.astype(dtype, copy=False).reshape(shape)


def _few_truncated_groups(
    key: int, counter: int, stride: int, form: _Format, groups: int
) -> list[list[float]]:
    """The same by Python's lists."""
    out = []
    for start in range(counter, counter + groups * stride, stride):
        near: list[float] = []
        step = 0
        while len(near) < form.per_block:
            words = np.array(philox.block(key, start + step), np.uint32)
            near += [x for x in form.normal(words).tolist() if -_TRUNCATE_AT < x < _TRUNCATE_AT]
            step += 1
        out.append(near[: form.per_block])
    return out


def _truncated_groups(
    key: int,
    counter: int,
    stride: int,
    form: _Format,
    out: np.ndarray,
    values: np.ndarray | None = None,
) -> None:
    if values is None:
        values = form.normal(philox.words(key, counter, len(out), stride).ravel())
    values = values.reshape(out.shape)
    near = np.abs(values) < _TRUNCATE_AT
    out[...] = values
    group = out.shape[1]
    # The marks of a group as one integer: a row is complete if all are 1.
    together = near.view(f"u{group}").ravel()
    rows = (together != together.dtype.type(int("01" * group, 16))).nonzero()[0]
    values, near = values[rows], near[rows]
    count, flat = np.zeros(len(rows), np.intp), out.reshape(-1)
    step = 1
    while len(rows):
        for j in range(group):
            taken = (near[:, j] & (count < group)).nonzero()[0]
            flat[rows[taken] * group + count[taken]] = values[taken, j]
            count += near[:, j]
        short = (count < group).nonzero()[0]
        if not len(short):
            return
        rows, count = rows[short], count[short]
        words = philox.words_at(key, counter, rows * stride + step)
        values = form.normal(words.ravel()).reshape(-1, group)
        near = np.abs(values) < _TRUNCATE_AT
        step += 1


# --- shuffling -----------------------------------------------------------------------------------


# Up to this many rows are swapped one by one.
_FEW_ROWS = 1000


def permutation(key: int, counter: int, n: int) -> np.ndarray:
    """Where the rows of a shuffled tensor come from: i is swapped with one of i..n-1."""
    if n < 2:
        return np.arange(n)
    words = philox.words(key, counter, (n + 2) // 4).ravel()[: n - 1]
    left = np.arange(n, 1, -1, dtype=np.uint32)
    partners = (words % left).astype(np.int64) + np.arange(n - 1)
    if n > _FEW_ROWS:
        return _all_swaps(np.append(partners, n - 1))
    order = list(range(n))
    for i, j in enumerate(partners.tolist()):
        order[i], order[j] = order[j], order[i]
    return np.array(order, np.intp)


def _all_swaps(partners: np.ndarray) -> np.ndarray:
    """The swaps (i, partners[i] >= i), in order of i, without a loop over them.

    Just before its own swap, row i holds what row k held before swap k, k being the last one to
    swap with i: `held` follows these links to their ends. Swap i then takes to row i what its
    partner holds: what the previous swap with the same partner left there.
    """
    n = len(partners)
    steps = np.arange(n)
    held = np.arange(n)
    moved = partners != steps
    held[partners[moved]] = steps[moved]  # of several links the last one stays
    while True:
        further = held[held]
        if (further == held).all():
            break
        held = further
    pairs = np.sort((partners << 32) | steps)  # swaps by partner, then in order
    partner, step = pairs >> 32, pairs & 0xFFFFFFFF
    before = np.full(n, -1)
    same = partner[1:] == partner[:-1]
    before[step[1:][same]] = step[:-1][same]
    return np.where(before >= 0, held[before], partners)


def shuffle_blocks(n: int) -> int:
    """Blocks that a stateful shuffle of n rows uses up."""
    return (n + 2) // 4 if n > 1 else 0
