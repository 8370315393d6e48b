"""Tables of the pixels under windows: for small images one gathering by a table, which is made once
for given sizes, takes a fraction of the time of finding the windows anew.

Pixels are counted through the batch; the index after the last stands for none. May be imported by
the kernels of `ops.conv`.
"""

from __future__ import annotations

from math import prod

import numpy as np

MOST_GATHERED = 1 << 14  # elements that are gathered by a table at most


def _table(batch: int, sizes: tuple, indices: list) -> np.ndarray:
    """(batch · positions, window) from (positions, window) of each axis, negative for none."""
    rank = len(sizes)
    total, real = np.zeros((1,) * (2 * rank), np.intp), np.ones((1,) * (2 * rank), bool)
    for axis, found in enumerate(indices):
        shape = [1] * (2 * rank)
        shape[axis], shape[axis + rank] = found.shape
        found = found.reshape(shape)
        total, real = total * sizes[axis] + found, real & (found >= 0)
    positions = prod([found.shape[0] for found in indices])
    one = np.where(real, total, -1).reshape(positions, -1)
    images = np.arange(batch)[:, None, None] * prod(sizes)
    return np.where(one < 0, batch * prod(sizes), one + images).reshape(batch * positions, -1)


def under_windows(batch: int, sizes: tuple, out: tuple, window: tuple, strides: tuple,
                  dilations: tuple, pads: tuple) -> np.ndarray:
    """For each window position the pixels under it."""
    indices = []
    for n, o, k, s, d, (before, _) in zip(sizes, out, window, strides, dilations, pads,
                                          strict=True):
        found = np.arange(o)[:, None] * s + np.arange(k) * d - before
        indices.append(np.where(found < n, found, -1))
    return _table(batch, sizes, indices)


def over_pixels(batch: int, sizes: tuple, out: tuple, window: tuple, strides: tuple,
                dilations: tuple, pads: tuple) -> np.ndarray:
    """For each pixel the window positions that have it under each of their taps."""
    indices = []
    for n, o, k, s, d, (before, _) in zip(sizes, out, window, strides, dilations, pads,
                                          strict=True):
        found = np.arange(n)[:, None] + before - np.arange(k) * d
        met = (found % s == 0) & (found // s < o)
        indices.append(np.where(met, found // s, -1))
    return _table(batch, out, indices)


def gathered(x: np.ndarray, table: np.ndarray) -> np.ndarray:
    """Rows of pixels, zeros where there are none."""
    channels = x.shape[-1]
    pixels = np.concatenate((x.reshape(-1), np.zeros(channels, x.dtype))).reshape(-1, channels)
    return pixels.take(table, 0).reshape(len(table), -1)
