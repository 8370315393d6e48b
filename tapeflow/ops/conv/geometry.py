"""Where windows lie: output sizes, paddings, slices of one tap of a window, blocks of positions.

For convolutions and pooling alike, in any number of axes. A padding is "SAME", "VALID" or a tuple
of (before, after) pairs. May be imported by the modules of `ops.conv`.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import prod
from typing import Any

import numpy as np

from tapeflow.base import errors


def extent(size: int, dilation: int) -> int:
    """How far a window reaches: its size with the gaps of the dilation."""
    return (size - 1) * dilation + 1


def output_size(n: int, size: int, stride: int, dilation: int, padding: Any) -> int:
    """The number of window positions along one axis; negative if the window is far too large."""
    if padding == "SAME":
        return -(-n // stride)
    room = n - extent(size, dilation) + stride + (0 if padding == "VALID" else sum(padding))
    return room // stride if room >= 0 else -(-room // stride)


def layout(op: str, sizes: tuple, window: tuple, strides: tuple, dilations: tuple,
           padding: Any) -> tuple[tuple, tuple]:
    """Sizes of the output and (before, after) for each axis."""
    out, pads = [], []
    for i, (n, k, s, d) in enumerate(zip(sizes, window, strides, dilations, strict=True)):
        rule = padding if isinstance(padding, str) else padding[i]
        count = output_size(n, k, s, d, rule)
        if count < 0:
            raise errors.invalid(op, (
                f"Computed output size would be negative: {count} [input_size: {n}, "
                f"effective_filter_size: {extent(k, d)}, stride: {s}]"))
        if rule == "SAME":
            total = max((count - 1) * s + extent(k, d) - n, 0)
            rule = (total // 2, total - total // 2)
        out.append(count)
        pads.append((0, 0) if rule == "VALID" else rule)
    return tuple(out), tuple(pads)


def static_sizes(op: str, sizes: tuple, window: tuple, strides: tuple, dilations: tuple,
                 padding: Any) -> tuple:
    """Sizes of the output as far as they are known; a ValueError where none can be."""
    result: list[int | None] = []
    for i, (n, k, s, d) in enumerate(zip(sizes, window, strides, dilations, strict=True)):
        rule = padding if isinstance(padding, str) else padding[i]
        if n is None or (k is None and rule != "SAME"):
            result.append(None)
            continue
        count = output_size(n, k or 1, s, d, rule)
        if count < 0:
            raise ValueError(f"Computed output size would be negative: {count} for {op} with "
                             f"input size {n}, window {k}, stride {s} and dilation {d}.")
        result.append(count)
    return tuple(result)


def taps(window: tuple) -> Iterator[tuple]:
    """Every tap of a window, in row-major order."""
    return np.ndindex(*window)


def under_tap(shape: Any, block: tuple, tap: tuple, lead: int) -> tuple:
    """Where one tap of the windows in a block of positions lies in a bordered array.

    A block indexes (…, *out), the first axes of the result; `lead` axes stand before the spatial
    ones.
    """
    whole = [slice(None)] * lead + [slice(0, n) for n in shape.out]
    index = [*block, *whole[len(block):]]
    for axis, (i, s, d) in enumerate(zip(tap, shape.strides, shape.dilations, strict=True), lead):
        chosen, first = index[axis], i * d
        if isinstance(chosen, slice):
            index[axis] = slice(chosen.start * s + first, (chosen.stop - 1) * s + first + 1, s)
        else:
            index[axis] = chosen * s + first
    return tuple(index)


def tap_range(offset: int, stride: int, out: int, n: int) -> tuple[slice, slice] | None:
    """Positions whose element at `offset` is real, and these elements, along one axis.

    Position o looks at element o·stride + offset, which must be in [0, n).
    """
    first = max(0, -(offset // stride))
    last = min(out, (n - 1 - offset) // stride + 1)
    if last <= first:
        return None
    start = first * stride + offset
    return slice(first, last), slice(start, start + (last - first - 1) * stride + 1, stride)


def blocks(lead: tuple, width: int, limit: int) -> Iterator[tuple]:
    """Indices of contiguous parts of an array of shape `lead`, of about `limit` // `width` items.

    Each is some ints followed by one slice.
    """
    axis, inner = 0, prod(lead[1:]) * width
    while inner > limit and axis < len(lead) - 1:
        axis += 1
        inner = prod(lead[axis + 1:]) * width
    step = max(1, limit // max(inner, 1))
    for index in np.ndindex(*lead[:axis]):
        for start in range(0, lead[axis], step):
            yield (*index, slice(start, min(start + step, lead[axis])))
