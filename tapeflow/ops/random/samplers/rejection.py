"""Draws that take as many words as it needs: gamma, Poisson, binomial, with TensorFlow's bits.

Every number has a segment of the stream of its own (256 blocks, 42 for some binomials), in which it
tries until a try is accepted. All numbers take a step together here; those done leave. Computed in
float64 whatever the dtype, as the kernels do. Pure functions: may be imported by the modules of
this package only.
"""

import math
from collections.abc import Callable, Sequence

import numpy as np

from tapeflow.ops.random.samplers.distributions import RESERVED_BLOCKS
from tapeflow.ops.random.streams import bits, philox

_BINOMIAL_BLOCKS = 42  # reserved by the kernel where the mean is below 10


class _Lanes:
    """The streams of many numbers side by side; each hands out doubles as the kernels do.

    A block yields two uniforms or two normals, and the kernels use the second one first. Uniforms
    and normals have a buffer each, filled from the next block when empty.
    """

    def __init__(self, key: int, counter: int, starts: np.ndarray) -> None:
        self._key, self._counter = key, counter
        self._block = starts.astype(np.int64)
        self._kept: dict[Callable, tuple[np.ndarray, np.ndarray]] = {}

    def uniform(self, lanes: np.ndarray) -> np.ndarray:
        return self._take(bits.uniform_double, lanes)

    def normal(self, lanes: np.ndarray) -> np.ndarray:
        return self._take(bits.normal_double, lanes)

    def _take(self, convert: Callable, lanes: np.ndarray) -> np.ndarray:
        if convert not in self._kept:
            n = len(self._block)
            self._kept[convert] = np.empty((n, 2)), np.zeros(n, np.intp)
        values, left = self._kept[convert]
        empty = lanes[left[lanes] == 0]
        if len(empty):
            words = philox.words_at(self._key, self._counter, self._block[empty])
            values[empty] = convert(words.ravel()).reshape(-1, 2)
            left[empty] = 2
            self._block[empty] += 1
        left[lanes] -= 1
        return values[lanes, left[lanes]]


def _by_parameter(
    shape: Sequence[int], parameters: Sequence[np.ndarray], sample: Callable
) -> np.ndarray:
    """Draws of shape `shape`, whose last dimensions are those of the parameters.

    Numbers of one parameter set follow each other in the stream: draw s of set p is p * n + s.
    """
    count = parameters[0].size
    n = math.prod(shape) // count if count else 0
    if not n:
        return np.empty(shape)
    repeated = [np.repeat(p.reshape(-1).astype(np.float64), n) for p in parameters]
    with np.errstate(all="ignore"):
        values = sample(np.arange(count * n), *repeated)
    return values.reshape(count, n).T.reshape(shape)


def _cast(values: np.ndarray, dtype: np.dtype) -> np.ndarray:
    with np.errstate(all="ignore"):
        if np.dtype(dtype).itemsize == 2:  # as C++ does, by way of float32: rounds twice
            values = values.astype(np.float32)
        return values.astype(dtype)


# --- gamma ---------------------------------------------------------------------------------------


def gamma(key: int, counter: int, shape: Sequence[int], alpha: np.ndarray) -> np.ndarray:
    """Gamma(alpha, 1) in alpha's dtype; `shape` ends with alpha's shape."""

    def sample(index: np.ndarray, a: np.ndarray) -> np.ndarray:
        lanes = _Lanes(key, counter, index * RESERVED_BLOCKS)
        out = np.empty(len(index))
        unit = a == 1.0
        exponential = index[unit]
        out[exponential] = -np.log1p(-lanes.uniform(exponential))
        _marsaglia(lanes, index[~unit], a, out)
        return out

    return _cast(_by_parameter(shape, [alpha], sample), alpha.dtype)


def _marsaglia(lanes: _Lanes, active: np.ndarray, alpha: np.ndarray, out: np.ndarray) -> None:
    """Marsaglia and Tsang: d v with v = (1 + c x)^3; alpha below 1 by way of alpha + 1."""
    d = alpha + np.where(alpha < 1, 2.0 / 3, -1.0 / 3)
    c = 1.0 / 3 / np.sqrt(d)
    while len(active):
        x = lanes.normal(active)
        v = 1 + c[active] * x
        fit = ~(v <= 0)
        tried, x, v = active[fit], x[fit], v[fit]
        v = v * v * v
        u = lanes.uniform(tried)
        x2 = x * x
        accept = (u < 1 - 0.0331 * x2 * x2) | (
            np.log(u) < 0.5 * x * x + d[tried] * (1 - v + np.log(v))
        )
        done, v = tried[accept], v[accept]
        out[done] = d[done] * v
        small = done[alpha[done] < 1]
        out[small] *= np.power(lanes.uniform(small), 1 / alpha[small])
        keep = np.ones(len(active), bool)
        keep[np.flatnonzero(fit)[accept]] = False
        active = active[keep]


# --- Poisson -------------------------------------------------------------------------------------


def poisson(
    key: int, counter: int, shape: Sequence[int], rate: np.ndarray, dtype: np.dtype
) -> np.ndarray:
    """Poisson(rate) in dtype; `shape` ends with rate's shape."""
    dtype = np.dtype(dtype)
    highest = float(np.iinfo(dtype).max) if dtype.kind == "i" else float(np.finfo(dtype).max)

    def sample(index: np.ndarray, r: np.ndarray) -> np.ndarray:
        lanes = _Lanes(key, counter, index * RESERVED_BLOCKS)
        out = np.empty(len(index))
        few = r < 10
        _knuth(lanes, index[few], r, highest, out)
        _transformed(lanes, index[~few], r, highest, out)
        return out

    return _cast(_by_parameter(shape, [rate], sample), dtype)


def _knuth(
    lanes: _Lanes, active: np.ndarray, rate: np.ndarray, highest: float, out: np.ndarray
) -> None:
    """Counts the uniforms whose product stays above exp(-rate)."""
    limit = np.exp(-rate)
    product = np.ones(len(rate))
    x = 0.0
    while len(active):
        product[active] *= lanes.uniform(active)
        done = (product[active] <= limit[active]) & (x <= highest)
        out[active[done]] = x
        active = active[~done]
        x += 1.0


def _transformed(
    lanes: _Lanes, active: np.ndarray, rate: np.ndarray, highest: float, out: np.ndarray
) -> None:
    """Hormann's transformed rejection for rates of 10 and more."""
    log_rate = np.log(rate)
    b = 0.931 + 2.53 * np.sqrt(rate)
    a = -0.059 + 0.02483 * b
    inverse_alpha = 1.1239 + 1.1328 / (b - 3.4)
    while len(active):
        u = lanes.uniform(active) - 0.5
        v = lanes.uniform(active)
        r, aa, bb = rate[active], a[active], b[active]
        near = 0.5 - np.abs(u)
        k = np.floor((2.0 * aa / near + bb) * u + r + 0.43)
        accept = (near >= 0.07) & (v <= 0.9277 - 3.6224 / (bb - 2.0))
        refuse = (k < 0) | ((near < 0.013) & (v > near))
        s = np.log(v * inverse_alpha[active] / (aa / (near * near) + bb))
        t = -r + k * log_rate[active] - _log_factorial(k)
        accept = (k <= highest) & (accept | (~refuse & (s <= t)))
        out[active[accept]] = k[accept]
        active = active[~accept]


def _log_factorial(k: np.ndarray) -> np.ndarray:
    """log k! for integral k >= 0: a table below 20, Stirling's series above."""
    table = np.array([math.lgamma(i + 1) for i in range(20)])
    z = np.maximum(k, 20.0) + 1.0
    z2 = z * z
    series = (1 / 12 - (1 / 360 - (1 / 1260 - 1 / 1680 / z2) / z2) / z2) / z
    large = (z - 0.5) * np.log(z) - z + 0.5 * math.log(2 * math.pi) + series
    return np.where(k < 20, table[np.clip(k, 0, 19).astype(np.intp)], large)


# --- binomial ------------------------------------------------------------------------------------


def binomial(
    key: int,
    counter: int,
    shape: Sequence[int],
    counts: np.ndarray,
    probs: np.ndarray,
    dtype: np.dtype,
) -> np.ndarray:
    """Binomial(counts, probs) in dtype; the two broadcast, and `shape` ends with their shape."""
    counts, probs = np.broadcast_arrays(counts, probs)
    ten = counts.dtype.type(10)
    with np.errstate(all="ignore"):  # decided in the parameters' dtype, as float16 must be
        fewer = np.where(probs <= 0.5, probs, 1 - probs)
        many = counts * fewer >= ten
    parameters = [counts, probs, fewer, many]

    def sample(index, count, prob, p, by_rejection) -> np.ndarray:
        out = np.full(len(index), np.nan)
        out[(count <= 0) | (prob <= 0)] = 0.0
        full = (count > 0) & (prob >= 1)
        out[full] = count[full]
        inner = (count > 0) & (prob > 0) & (prob < 1)
        some = index[inner & (by_rejection == 1)]
        _btrs(_Lanes(key, counter, index * RESERVED_BLOCKS), some, count, p, out)
        some = index[inner & (by_rejection == 0)]
        _inversion(_Lanes(key, counter, index * _BINOMIAL_BLOCKS), some, count, p, out)
        mirrored = inner & (prob > 0.5)
        out[mirrored] = count[mirrored] - out[mirrored]
        return out

    return _cast(_by_parameter(shape, parameters, sample), dtype)


def _inversion(lanes: _Lanes, active, count, prob, out: np.ndarray) -> None:
    """Sums geometric numbers until they exceed count."""
    log_q = np.log1p(-prob)
    total = np.zeros(len(count))
    out[active] = 0.0
    while len(active):
        total[active] += np.ceil(np.log(lanes.uniform(active)) / log_q[active])
        active = active[~(total[active] > count[active])]
        out[active] += 1.0


def _btrs(lanes: _Lanes, active, count, prob, out: np.ndarray) -> None:
    """Hormann's transformed rejection for means of 10 and more."""
    stddev = np.sqrt(count * prob * (1 - prob))
    b = 1.15 + 2.53 * stddev
    a = -0.0873 + 0.0248 * b + 0.01 * prob
    c = count * prob + 0.5
    v_r = 0.92 - 4.2 / b
    r = prob / (1 - prob)
    alpha = (2.83 + 5.1 / b) * stddev
    m = np.floor((count + 1) * prob)
    while len(active):
        n, aa, bb, mm, rr = count[active], a[active], b[active], m[active], r[active]
        u = lanes.uniform(active)
        v = lanes.uniform(active)
        u = u - 0.5
        us = 0.5 - np.abs(u)
        k = np.floor((2 * aa / us + bb) * u + c[active])
        accept = (us >= 0.07) & (v <= v_r[active])
        possible = ~((k < 0) | (k > n))
        v = np.log(v * alpha[active] / (aa / (us * us) + bb))
        bound = (
            (mm + 0.5) * np.log((mm + 1) / (rr * (n - mm + 1)))
            + (n + 1) * np.log((n - mm + 1) / (n - k + 1))
            + (k + 0.5) * np.log(rr * (n - k + 1) / (k + 1))
            + _stirling_tail(mm)
            + _stirling_tail(n - mm)
            - _stirling_tail(k)
            - _stirling_tail(n - k)
        )
        accept |= possible & (v <= bound)
        out[active[accept]] = k[accept]
        active = active[~accept]


_TAILS = (
    *(0.0810614667953272, 0.0413406959554092, 0.0276779256849983, 0.02079067210376509),
    *(0.0166446911898211, 0.0138761288230707, 0.0118967099458917, 0.0104112652619720),
    *(0.00925546218271273, 0.00833056343336287),
)


def _stirling_tail(k: np.ndarray) -> np.ndarray:
    """What Stirling's formula misses of log k!."""
    k1 = k + 1
    square = k1 * k1
    large = (1.0 / 12 - (1.0 / 360 - 1.0 / 1260 / square) / square) / k1
    return np.where(k <= 9, np.array(_TAILS)[np.clip(k, 0, 9).astype(np.intp)], large)


def binomial_draws(shape: Sequence[int], batch: Sequence[int]) -> int:
    """How many draws Generator.binomial counts for one, when it advances its state."""
    sets = math.prod(batch)
    samples = math.prod(shape) // sets if sets else 0
    return sets * 2 * 100 * (samples + 3) // 4
