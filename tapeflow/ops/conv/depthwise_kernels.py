"""Convolutions in which every filter sees one channel, and their gradients, on bare arrays.

There is nothing to multiply as matrices: each tap of the window is one multiplication and one
addition of whole images, a block that stays in the cache at a time. May be imported by
`ops.conv.kernels`.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from tapeflow.ops.conv.geometry import blocks, taps, under_tap

CACHE_BLOCK = 1 << 18  # elements of a block: they fit the cache; the cost of a call is small


def _bordered(x: np.ndarray, pads: tuple) -> np.ndarray:
    if not any(map(any, pads)):
        return x
    sizes = [n + before + after for n, (before, after) in zip(x.shape[1:-1], pads, strict=True)]
    out = np.zeros((x.shape[0], *sizes, x.shape[-1]), x.dtype)
    out[_inside(x.shape[1:-1], pads)] = x
    return out


def _inside(sizes: tuple, pads: tuple) -> tuple:
    return (slice(None), *[slice(before, before + n)
                           for n, (before, _) in zip(sizes, pads, strict=True)])



def _parts(shape: Any):
    return blocks((shape.batch, *shape.out), shape.groups, CACHE_BLOCK)


def _weights(shape: Any, filters: np.ndarray) -> np.ndarray:
    """(multiplier, *window, 1, …, width of a row, groups): repeated so that whole rows multiply."""
    w = np.moveaxis(filters.reshape(*shape.window, shape.groups, shape.outer), -1, 0)
    width = shape.out[-1] if shape.strides[-1] == 1 else 1
    return np.ascontiguousarray(np.broadcast_to(
        w[..., None, :], (*w.shape[:-1], width, shape.groups)))


def _rows(block: tuple, rank: int, w: np.ndarray) -> np.ndarray:
    """The weights of a block: a block may be part of one row."""
    if len(block) <= rank or len(w) == 1:
        return w
    return w[:block[-1].stop - block[-1].start]


def convolve(shape: Any, x: np.ndarray, filters: np.ndarray, out: np.ndarray) -> None:
    """y[n, o, c, m] = Σ x[n, under the tap, c] · filters[tap, c, m]"""
    x = _bordered(x, shape.pads)
    w = _weights(shape, filters)
    y = out.reshape(shape.batch, *shape.out, shape.groups, shape.outer)
    for block in _parts(shape):
        goal = y[block]
        product = np.empty(goal.shape[:-1], x.dtype)
        for m in range(shape.outer):
            total = goal[..., 0] if shape.outer == 1 else np.empty_like(product)
            for i, tap in enumerate(taps(shape.window)):
                row = _rows(block, len(shape.out), w[(m, *tap)])
                np.multiply(x[under_tap(shape, block, tap, 1)], row, out=product if i else total)
                if i:
                    total += product
            if shape.outer > 1:
                goal[..., m] = total


def input_gradient(shape: Any, filters: np.ndarray, g: np.ndarray) -> np.ndarray:
    """g·filters, added to where each tap lies."""
    w = _weights(shape, filters)
    g = g.reshape(shape.batch, *shape.out, shape.groups, shape.outer)
    full = [n + before + after for n, (before, after) in zip(shape.sizes, shape.pads, strict=True)]
    total = np.zeros((shape.batch, *full, shape.groups), g.dtype)
    for block in _parts(shape):
        for m in range(shape.outer):
            part = np.ascontiguousarray(g[block][..., m])
            product = np.empty_like(part)
            for tap in taps(shape.window):
                np.multiply(part, _rows(block, len(shape.out), w[(m, *tap)]), out=product)
                total[under_tap(shape, block, tap, 1)] += product
    return total[_inside(shape.sizes, shape.pads)]


def filter_gradient(shape: Any, x: np.ndarray, g: np.ndarray) -> np.ndarray:
    """Σ over positions of x under the tap times g."""
    x = _bordered(x, shape.pads)
    g = g.reshape(shape.batch, *shape.out, shape.groups, shape.outer)
    total = np.zeros((shape.outer, *shape.window, shape.groups), x.dtype)
    for block in _parts(shape):
        for m in range(shape.outer):
            part = np.ascontiguousarray(g[block][..., m])
            product = np.empty_like(part)
            rows = product.reshape(-1, shape.groups)
            ones = np.ones(len(rows), x.dtype)
            for tap in taps(shape.window):
                np.multiply(x[under_tap(shape, block, tap, 1)], part, out=product)
                total[(m, *tap)] += ones.dot(rows)
    return np.moveaxis(total, 0, -1).reshape(*shape.window, 1, shape.groups * shape.outer)
