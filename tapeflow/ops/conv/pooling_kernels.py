"""Pooling on bare arrays: one axis after another, one tap of the window after another.

Windows, strides, dilations and paddings have an entry for every axis, so that any axes may be
pooled. A maximum of equal elements goes to the first of them in row-major order, therefore the last
axis is reduced first. May be imported by `ops.conv.pooling`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import lru_cache
from math import prod
from typing import Any

import numpy as np

from tapeflow.ops._support import kernel_threads
from tapeflow.ops._support.fast_where import keep
from tapeflow.ops._support.half_precision import is_half, lowest_half
from tapeflow.ops.conv import window_tables
from tapeflow.ops.conv.geometry import layout, tap_range

_F32 = np.dtype("float32")
_CHUNK = 1 << 18  # elements of a part of the batch that is pooled along all axes at once


class Axis:
    """One pooled axis: (positions, elements) for each tap of the window that meets any element."""

    __slots__ = ("covered", "full", "index", "out", "taps")

    def __init__(self, axis: int, n: int, out: int, size: int, stride: int, dilation: int,
                 before: int):
        ranges = [tap_range(i * dilation - before, stride, out, n) for i in range(size)]
        lead = (slice(None),) * axis
        self.index, self.out = axis, out
        self.taps = [((*lead, here), (*lead, there)) for here, there in filter(None, ranges)]
        self.full = [there for here, there in self.taps if self.whole(here)]
        # Every element is in exactly one window: gradients are set, not added.
        met = sum(here[-1].stop - here[-1].start for here, _ in self.taps)
        self.covered = stride >= (size - 1) * dilation + 1 and met == n

    def whole(self, here: tuple) -> bool:
        """Whether a tap meets an element at every position."""
        return here[-1].start == 0 and here[-1].stop == self.out

    def shape(self, x: tuple) -> tuple:
        return (*x[:self.index], self.out, *x[self.index + 1:])


@lru_cache(maxsize=256)
def _axes(op: str, sizes: tuple, window: tuple, strides: tuple, padding: Any,
          dilations: tuple) -> tuple[tuple, list[Axis]]:
    """The shape of the result, and the axes on which something happens."""
    out, pads = layout(op, sizes, window, strides, dilations, padding)
    axes = [Axis(i, sizes[i], out[i], window[i], strides[i], dilations[i], pads[i][0])
            for i in range(len(sizes)) if window[i] > 1 or strides[i] > 1 or any(pads[i])]
    return out, axes


def _by_parts(function: Callable, shape: tuple, axes: list[Axis]) -> None:
    """Call a function for parts of the batch that stay in the cache; whole if it is pooled itself.

    Many parts are shared among threads.
    """
    size = prod(shape[1:])
    if not shape or (axes and axes[0].index == 0) or size * shape[0] <= _CHUNK:
        function(slice(None))
        return
    step = max(1, _CHUNK // max(size, 1))
    parts = [slice(start, start + step) for start in range(0, shape[0], step)]
    if len(parts) > 3:
        kernel_threads.share(function, parts)
    else:
        for part in parts:
            function(part)


def _reduced(x: Any, axis: Axis, ufunc: Callable, start: Any) -> Any:
    """Join the taps of one axis; positions without elements get `start`."""
    whole = axis.full
    if len(whole) == len(axis.taps) == 2:
        return ufunc(x[whole[0]], x[whole[1]])
    if len(whole) > 1:
        y = ufunc(x[whole[0]], x[whole[1]])
    elif whole:
        y = x[whole[0]].copy()
    else:
        y = np.full(axis.shape(x.shape), start, x.dtype)
    for here, there in axis.taps:
        if there not in whole[:2]:
            ufunc(y[here], x[there], out=y[here])
    return y


def _blank(axis: Axis, shape: tuple, last: np.ndarray | None, dtype: np.dtype) -> np.ndarray:
    """Where the gradient along an axis is written: the result itself for the last axis; zeros
    where it is added to.
    """
    y = np.empty(shape, dtype) if last is None else last
    if not axis.covered:
        y[...] = 0
    return y


# -- maxima ----------------------------------------------------------------------------------------
_LOWEST = {np.dtype(name): np.finfo(name).min for name in ("float16", "float32", "float64")}


def _least(dtype: np.dtype) -> Any:
    return -np.inf if dtype.kind == "f" else np.iinfo(dtype).min


def max_pool(x, window, strides, padding, dilations, ties):
    """NaN is passed over; where there is nothing else, and for -inf, the lowest finite number."""
    if is_half(x.dtype):
        wide = max_pool(x.astype(_F32), window, strides, padding, dilations, ties)
        return np.fmax(wide, lowest_half(x.dtype)).astype(x.dtype)
    out, axes = _axes("MaxPool", x.shape, window, strides, padding, dilations)
    floating = x.dtype.kind == "f"
    ufunc, least = (np.fmax if floating else np.maximum), _least(x.dtype)
    y = np.empty(out, x.dtype)

    def one(part):
        value = x[part]
        for axis in axes:
            value = _reduced(value, axis, ufunc, least)
        if floating:
            np.fmax(value, _LOWEST[x.dtype], out=y[part])
        else:
            y[part] = value

    _by_parts(one, x.shape, axes)
    return y


def _levels(x: np.ndarray, axes: list[Axis]) -> list[np.ndarray]:
    """x and what is left of it after each axis, from the last axis to the first."""
    ufunc = np.fmax if x.dtype.kind == "f" else np.maximum
    levels = [x]
    for axis in reversed(axes):
        levels.append(_reduced(levels[-1], axis, ufunc, _least(x.dtype)))
    return levels


def _hits(x: np.ndarray, y: np.ndarray, axis: Axis, ties: str) -> Iterator[tuple]:
    """For each tap: its positions, its elements, and where they are the chosen maximum."""
    free = None
    for i, (here, there) in enumerate(axis.taps):
        hit = x[there] == y[here]
        if ties == "first" and len(axis.taps) > 1:
            if free is None:
                free = np.ones(y.shape, bool)
            if i:
                hit &= free[here]
            free[here] ^= hit
        yield here, there, hit


def max_pool_gradient(x, g, window, strides, padding, dilations, ties):
    """g at the elements that are the maxima of their windows, 0 elsewhere."""
    _, axes = _axes("MaxPoolGrad", x.shape, window, strides, padding, dilations)
    result = np.empty(x.shape, x.dtype)

    def one(part):
        levels, value = _levels(x[part], axes), g[part]
        for axis, below, above in zip(axes, levels[-2::-1], levels[:0:-1], strict=True):
            below_g = _blank(axis, below.shape, result[part] if axis is axes[-1] else None, x.dtype)
            for here, there, hit in _hits(below, above, axis, ties):
                if axis.covered:
                    below_g[there] = keep(value[here], hit)
                else:
                    below_g[there] += keep(value[here], hit)
            value = below_g
        if not axes:
            result[part] = value

    _by_parts(one, x.shape, axes)
    return result


def max_pool_pick(x, u, window, strides, padding, dilations, ties):
    """u where x has the maximum of each window; the transpose of the gradient."""
    out, axes = _axes("MaxPoolGradGrad", x.shape, window, strides, padding, dilations)
    result = np.empty(out, u.dtype)

    def one(part):
        levels, value = _levels(x[part], axes), u[part]
        for axis, below, above in zip(reversed(axes), levels[:-1], levels[1:], strict=True):
            picked = np.zeros(above.shape, u.dtype)
            for here, there, hit in _hits(below, above, axis, ties):
                picked[here] += keep(value[there], hit)
            value = picked
        result[part] = value

    _by_parts(one, x.shape, axes)
    return result


def max_pool_argmax(x, window, strides, padding, dilations, lead, dtype):
    """Flat indices of the maxima, counted without the first `lead` axes."""
    if x.dtype.kind == "V":
        x = x.astype(_F32)
    if 0 < x.size <= window_tables.MOST_GATHERED:
        small = _small(x.shape, window, strides, padding, dilations, lead)
        if small is not None:
            return _small_argmax(x, dtype, *small)
    size = int(np.prod(x.shape[lead:], dtype=np.int64))
    indices = np.arange(size, dtype=dtype).reshape(x.shape[lead:])
    return max_pool_pick(x, np.broadcast_to(indices, x.shape), window, strides, padding, dilations,
                         "first")


@lru_cache(64)
def _small(sizes: tuple, window: tuple, strides: tuple, padding: Any, dilations: tuple,
           lead: int) -> tuple | None:
    """Of few windows without a border over the middle axes: a table of their pixels, tap by tap,
    the flat indices of their elements (without the first `lead` axes), where those of
    the first tap are among these, and the shape of the result.
    """
    out, pads = layout("MaxPool", sizes, window, strides, dilations, padding)
    ends = [one[i] for one in (window, strides) for i in (0, -1)]
    if len(sizes) < 3 or lead > 1 or ends != [1] * 4 or not prod(out):
        return None
    table = window_tables.under_windows(sizes[0], *[one[1:-1] for one in (
        sizes, out, window, strides, dilations, pads)])
    image = prod(sizes[1:-1])
    if table.max() >= sizes[0] * image or table.size * sizes[-1] > window_tables.MOST_GATHERED:
        return None
    table = np.ascontiguousarray(table.T)
    index_of = ((table % image if lead else table) * sizes[-1])[..., None] + np.arange(sizes[-1])
    return table, index_of, np.arange(index_of[0].size).reshape(index_of[0].shape), out


def _small_argmax(x, dtype, table, index_of, starts, out):
    under = x.reshape(-1, x.shape[-1]).take(table, 0)
    ufunc = np.fmax if x.dtype.kind == "f" else np.maximum
    largest = ufunc.reduce(under, 0)
    first = (under == largest).argmax(0)
    first *= starts.size
    first += starts
    indices = index_of.take(first).astype(dtype, copy=False)
    if x.dtype.kind == "f" and np.count_nonzero(largest != largest):
        indices[largest != largest] = 0
    return indices.reshape(out)


# -- averages --------------------------------------------------------------------------------------
def _counts(axes: list[Axis], rank: int, dtype: np.dtype) -> Any:
    """How many elements each window has, broadcastable; a scalar if all have the same."""
    total: Any = dtype.type(1)
    if all(len(axis.full) == len(axis.taps) for axis in axes):
        return dtype.type(prod([len(axis.taps) for axis in axes]))
    for axis in axes:
        if all(axis.whole(here) for here, _ in axis.taps):
            total = total * dtype.type(len(axis.taps))
            continue
        count = np.zeros(axis.out, dtype)
        for here, _ in axis.taps:
            count[here[-1]] += 1
        total = total * count.reshape(-1, *(1,) * (rank - axis.index - 1))
    return total


def avg_pool(x, window, strides, padding, dilations):
    """Sums divided by the number of real elements."""
    out, axes = _axes("AvgPool", x.shape, window, strides, padding, dilations)
    counts = _counts(axes, x.ndim, x.dtype)
    y = np.empty(out, x.dtype)

    def one(part):
        value = x[part]
        for axis in axes:
            value = _reduced(value, axis, np.add, 0)
        np.divide(value, counts if np.ndim(counts) < y.ndim else counts[part], out=y[part])

    _by_parts(one, x.shape, axes)
    return y


def avg_pool_gradient(g, shape, window, strides, padding, dilations):
    """Each position's g, divided by its number of elements, to all of them."""
    _, axes = _axes("AvgPoolGrad", shape, window, strides, padding, dilations)
    counts = _counts(axes, g.ndim, g.dtype)
    result = np.empty(shape, g.dtype)

    def one(part):
        value = g[part] / (counts if np.ndim(counts) < g.ndim else counts[part])
        for axis in reversed(axes):
            sizes = (*value.shape[:axis.index], shape[axis.index], *value.shape[axis.index + 1:])
            below_g = _blank(axis, sizes, result[part] if axis is axes[0] else None, g.dtype)
            for here, there in axis.taps:
                if axis.covered:
                    below_g[there] = value[here]
                else:
                    below_g[there] += value[here]
            value = below_g
        if not axes:
            result[part] = value

    _by_parts(one, shape, axes)
    return result
