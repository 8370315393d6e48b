"""Draws whose stream runs on from row to row: categorical, parameterized truncated normal.

The kernels cut the rows into parts (sharding.py) and start each part at an offset of its own in the
stream. Pure functions: may be imported by the modules of this package only.
"""

import math
from collections.abc import Sequence

import numpy as np

from tapeflow.base import errors
from tapeflow.ops.random.samplers.distributions import RESERVED_BLOCKS, format_of
from tapeflow.ops.random.streams import bits, philox, sharding

# --- categorical ---------------------------------------------------------------------------------


def categorical(key: int, counter: int, logits: np.ndarray, samples: int, dtype) -> np.ndarray:
    """For each row of logits, `samples` class indices with probabilities softmax(row)."""
    rows, classes = logits.shape
    u = np.empty((rows, samples))
    for start, limit in row_parts(rows, classes, samples):
        n = (limit - start) * samples
        first = philox.skip(counter, start * (samples + 3) // 4)
        words = philox.words(key, first, (n + 1) // 2).ravel()
        u[start:limit] = bits.uniform_double(words)[:n].reshape(limit - start, samples)
    cdf = _cumulative(logits)
    u *= cdf[:, -1:]
    return _count_below(cdf, u).astype(dtype)


def row_parts(rows: int, classes: int, samples: int) -> list[tuple[int, int]]:
    """The parts that the kernel cuts the rows into, by what it takes a row to cost."""
    cost = int(50 * (samples * math.log(classes) / math.log(2) + classes))
    return list(sharding.parts(rows, cost))


def categorical_blocks(rows: int, samples: int) -> int:
    """Blocks that a stateful draw uses up."""
    return rows * ((samples + 3) // 4 * 4) * 2 * RESERVED_BLOCKS


def _cumulative(logits: np.ndarray) -> np.ndarray:
    """Running sums of exp(logit - largest) over a row; infinities and NaN count nothing."""
    wide = logits.astype(np.float64)
    finite = np.isfinite(wide)
    top = np.max(wide, axis=1, keepdims=True, where=finite, initial=np.finfo(np.float64).min)
    with np.errstate(over="ignore", invalid="ignore"):
        weights = np.where(finite, np.exp(wide - top), 0.0)
    return np.cumsum(weights, axis=1)


def _count_below(cdf: np.ndarray, u: np.ndarray) -> np.ndarray:
    """How many sums of its row each u reaches."""
    out = np.empty(u.shape, np.int64)
    if len(u) <= u.shape[1]:
        for row, (sums, values) in enumerate(zip(cdf, u)):
            out[row] = np.searchsorted(sums, values, side="right")
    else:
        for column in range(u.shape[1]):
            out[:, column] = np.count_nonzero(cdf <= u[:, column, None], axis=1)
    return out


# --- parameterized truncated normal --------------------------------------------------------------

_MAX_TRIES = 1000
_NORMAL_FROM = 1.3  # standard deviations inside a bound from which plain normals are tried
_COSTS = {bits.HALF: 214, bits.FLOAT: 187, bits.DOUBLE: 258}  # the kernel's estimate, in cycles


def parameterized_truncated_normal(
    key: int,
    counter: int,
    shape: Sequence[int],
    means: np.ndarray,
    stddevs: np.ndarray,
    minvals: np.ndarray,
    maxvals: np.ndarray,
) -> np.ndarray:
    """Normals within bounds; the parameters broadcast, and `shape` ends with their shape."""
    dtype = means.dtype
    parameters = [p.reshape(-1) for p in np.broadcast_arrays(means, stddevs, minvals, maxvals)]
    sets, per_block = parameters[0].size, format_of(dtype).per_block
    size = math.prod(shape)
    samples = size // sets if sets else 0
    out = np.empty(size, dtype)
    for start, limit in sharding.parts(size, _COSTS[dtype]):
        first = (start * 2 * _MAX_TRIES + per_block - 1) // per_block
        source = _Source(key, philox.skip(counter, first), dtype)
        i = start
        while i < limit:
            row = i // samples
            end = min((row + 1) * samples, limit)
            with np.errstate(all="ignore"):
                out[i:end] = _bounded(source, end - i, *(p[row] for p in parameters))
            i = end
    return out.reshape(sets, samples).T.reshape(shape)


class _Source:
    """A stream read in whole blocks of numbers of one dtype."""

    def __init__(self, key: int, counter: int, dtype: np.dtype) -> None:
        self.form = format_of(dtype)
        self.dtype = dtype
        self._key, self._counter = key, counter

    def peek(self, convert, blocks: int) -> np.ndarray:
        words = philox.words(self._key, self._counter, blocks)
        return convert(words.ravel()).astype(self.dtype, copy=False)

    def advance(self, blocks: int) -> None:
        self._counter = philox.skip(self._counter, blocks)


def _bounded(source: _Source, n: int, mean, stddev, low, high) -> np.ndarray:
    if not (stddev > 0 and low < high and (np.isfinite(low) or np.isfinite(high))):
        raise errors.invalid(
            "StatelessParameterizedTruncatedNormal",
            "Invalid parameters: needs stddev > 0, minval < maxval and a finite bound, got "
            f"stddev {stddev}, minval {low}, maxval {high}",
        )
    if (np.isinf(low) and low < 0) or high < mean:
        low, high, stddev = high, low, -stddev  # mirrored: one-sided bounds are lower bounds
    one = source.dtype.type
    low, high = (low - mean) / stddev, (high - mean) / stddev
    root = np.sqrt(low * low + one(4))
    cutoff = one(2) * np.exp(one(0.5) + (low * (low - root)) / one(4)) / (low + root)
    inside = one(_NORMAL_FROM)
    if (low < -inside and high >= 0) or (high > inside and low <= 0):
        tries = _normal_tries
    elif high - low < cutoff:
        tries = _uniform_tries
    else:
        tries = _exponential_tries
    return _accepted(source, n, tries, low, high) * stddev + mean


def _accepted(source: _Source, n: int, tries, low, high) -> np.ndarray:
    """The first n accepted tries; the stream goes on behind the block of the last one."""
    found: list[np.ndarray] = []
    missing, refused = n, 0
    while missing:
        rounds = max(2, 2 * missing // source.form.per_block)
        values, accept, blocks_a_round = tries(source, rounds, low, high)
        per_round = len(values) // rounds
        accepted = np.flatnonzero(accept)[:missing]
        gaps = np.diff(accepted, prepend=-1 - refused, append=len(values)) - 1
        if (gaps[: len(accepted) + (len(accepted) < missing)] >= _MAX_TRIES).any():
            raise errors.InternalError(
                None,
                None,
                "StatelessParameterizedTruncatedNormal: the rejection sampler failed to accept a "
                f"sample between the normalized bounds {low} and {high}",
            )
        found.append(values[accepted])
        missing -= len(accepted)
        refused = int(gaps[-1])
        used = rounds if missing else int(accepted[-1]) // per_round + 1
        source.advance(blocks_a_round * used)
    return np.concatenate(found)


def _normal_tries(source: _Source, rounds: int, low, high):
    x = source.peek(source.form.normal, rounds)
    return x, (x >= low) & (x <= high), 1


def _uniform_tries(source: _Source, rounds: int, low, high):
    """A round takes two blocks: values between the bounds, then the chances to accept them."""
    one = source.dtype.type
    pairs = source.peek(source.form.uniform, 2 * rounds).reshape(rounds, 2, -1)
    z = (pairs[:, 0] * (high - low) + low).reshape(-1)
    plus = one(0) if low < 0 else low * low
    return z, pairs[:, 1].reshape(-1) <= np.exp((plus - z * z) / one(2)), 2


def _exponential_tries(source: _Source, rounds: int, low, high):
    """A round takes a block: pairs of a value, exponential beyond the lower bound, and a chance."""
    one = source.dtype.type
    alpha = (low + np.sqrt(low * low + one(4))) / one(2)
    pairs = source.peek(source.form.uniform, rounds).reshape(-1, 2)
    z = -bits.log_of_uniform(pairs[:, 0]) / alpha + low
    x = alpha - z if low < alpha else np.full_like(z, low - alpha)
    g = np.exp(-x * x / one(2))
    return z, (pairs[:, 1] <= g) & (z < high), 1
