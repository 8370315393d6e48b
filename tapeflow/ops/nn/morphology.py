"""tf.nn.dilation2d and erosion2d: greatest sum of a window and a filter, and least difference.

Made of other ops: the windows are cut out as slices, one for each tap of the filter, and the
gradient goes to the first of equal maxima. Where nobody listens NumPy does it in blocks. Loaded
when one of its public names is used.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from tapeflow.base import errors
from tapeflow.base.attributes import listed
from tapeflow.base.exports import export
from tapeflow.core.deferrable import deferrable
from tapeflow.core.record.families import operand
from tapeflow.core.record.op import shape_of
from tapeflow.core.state import state
from tapeflow.core.values.tensor import Tensor, wrap
from tapeflow.ops._support import kernel_threads
from tapeflow.ops._support.arguments import sizes_of
from tapeflow.ops.array.padding import pad
from tapeflow.ops.array.reverse import reverse
from tapeflow.ops.math.arithmetic import negative
from tapeflow.ops.math.comparison import greater
from tapeflow.ops.math.select import select

PART = 1 << 14  # elements that are worked on at a time


def _square(values: Any, name: str, op: str) -> tuple[int, int]:
    values = [int(n) for n in values]
    if len(values) != 4 or values[0] != 1 or values[3] != 1:
        raise ValueError(f"tf.nn.{op}: {name} must be [1, rows, columns, 1], got {values}.")
    return values[1], values[2]


def _border(size: Any, window: int, stride: int) -> tuple[Any, Any]:
    """What padding "SAME" puts before and after an axis."""
    out = -(-size // stride)
    total = (out - 1) * stride + window - size
    total = max(total, 0) if isinstance(total, int) else total
    return total // 2, total - total // 2


def _windows(x: Tensor, filters: Tensor, strides: Any, padding: str, dilations: Any,
             op: str) -> list[tuple[Tensor, Tensor]]:
    """x at every tap of the filter, in the result's shape, and the filter there."""
    steps, rates = [_square(listed(name, given), name, op) for name, given in (
        ("strides", strides), ("dilations", dilations))]
    rows, columns, _ = shape_of(filters)
    spans = [(n - 1) * rate + 1 for n, rate in zip((rows, columns), rates, strict=True)]
    sizes = sizes_of(x)[1:3]
    if padding == "SAME":
        borders = [_border(n, span, step) for n, span, step in zip(sizes, spans, steps,
                                                                   strict=True)]
        lowest = -np.inf if x.dtype.is_floating else np.iinfo(x.dtype.np).min
        x = pad(x, [[0, 0], *map(list, borders), [0, 0]], constant_values=lowest)
        sizes = [n + sum(border) for n, border in zip(sizes, borders, strict=True)]
    elif padding != "VALID":
        raise ValueError(f"tf.nn.{op}: padding must be 'SAME' or 'VALID', got {padding!r}.")
    ends = [n - span + 1 for n, span in zip(sizes, spans, strict=True)]
    found = []
    for i in range(rows):
        for j in range(columns):
            top, left = i * rates[0], j * rates[1]
            part = x[:, top:top + ends[0]:steps[0], left:left + ends[1]:steps[1], :]
            found.append((part, filters[i, j]))
    return found


def _greatest(windows: list[tuple[np.ndarray, np.ndarray]]) -> np.ndarray:
    """The greatest sum at each position: some rows of an image at a time, which stay in the cache,
    on several threads. A sum that is NaN counts only if it is the first.
    """
    images, rows, columns, depth = windows[0][0].shape
    out = np.empty((images, rows, columns * depth), windows[0][0].dtype)
    step = max(1, PART // max(columns * depth, 1))
    pairs = [(part, filter_[None].repeat(columns, 0).reshape(-1)) for part, filter_ in windows]

    def work(task: tuple[int, slice]) -> None:
        best = out[task]
        other = np.empty_like(best)
        for exact in (False, True):
            for k, (part, filter_) in enumerate(pairs):
                np.add(part[task].reshape(best.shape), filter_, out=other if k else best)
                if k and exact:
                    np.copyto(best, other, where=other > best)
                elif k:
                    np.maximum(best, other, out=best)
            if best.dtype.kind in "iu" or not np.isnan(best).any():
                return

    tasks = [(i, slice(j, j + step)) for i in range(images) for j in range(0, rows, step)]
    if out.size > 4 * PART:
        kernel_threads.share(work, tasks)
    else:
        for task in tasks:
            work(task)
    return out.reshape(images, rows, columns, depth)


def _checked(value: Any, filters: Any, data_format: str, op: str) -> tuple[Tensor, Tensor]:
    if data_format != "NHWC":
        raise ValueError(f"tf.nn.{op}: data_format must be 'NHWC', got {data_format!r}.")
    x, filters = operand(value), operand(filters)
    if x.dtype != filters.dtype:
        raise errors.invalid("Dilation2D", f"input is {x.dtype.name} and filters are "
                                           f"{filters.dtype.name}")
    if len(shape_of(x)) != 4 or len(shape_of(filters)) != 3:
        raise ValueError(f"tf.nn.{op}: input must have rank 4 and filters rank 3, got shapes "
                         f"{x.shape} and {filters.shape}.")
    if shape_of(x)[3] != shape_of(filters)[2]:
        raise ValueError(f"tf.nn.{op}: input and filters must have the same depth, got shapes "
                         f"{x.shape} and {filters.shape}.")
    return x, filters


@export("nn.dilation2d")
@deferrable
def dilation2d(input: Any, filters: Any, strides: Any, padding: str, data_format: str,
               dilations: Any, name: str | None = None) -> Tensor:
    """The greatest sum of input and filter over each window, channel by channel."""
    x, filters = _checked(input, filters, data_format, "dilation2d")
    windows = _windows(x, filters, strides, padding, dilations, "dilation2d")
    if type(windows[0][0]) is type(filters) is Tensor and (
            state.trace is None and state.recorder is None):
        with np.errstate(all="ignore"):
            return wrap(_greatest([(part._value, filter_._value) for part, filter_ in windows]))
    best, *others = [part + filter_ for part, filter_ in windows]
    for other in others:
        best = select(greater(other, best), other, best)
    return best


@export("nn.erosion2d")
@deferrable
def erosion2d(value: Any, filters: Any, strides: Any, padding: str, data_format: str,
              dilations: Any, name: str | None = None) -> Tensor:
    """The least difference of value and filter over each window, channel by channel."""
    x, filters = _checked(value, filters, data_format, "erosion2d")
    return negative(dilation2d(negative(x), reverse(filters, [0, 1]), strides, padding,
                               data_format, dilations))
