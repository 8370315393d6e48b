"""Convolution and its two gradients on bare arrays, as few large matrix products.

The elements under every window position are gathered as rows of a matrix (im2col), a block that
stays in the cache at a time, and multiplied by the filters. Arrays are channels last, in any number
of spatial axes: x (N, *sizes, groups·I), filters (*window, I, groups·O), y (N, *out, groups·O).
May be imported by `ops.conv.records`.
"""

from __future__ import annotations

from functools import lru_cache
from itertools import product
from math import isfinite, prod
from typing import Any

import numpy as np

from tapeflow.base import errors
from tapeflow.ops._support import kernel_threads
from tapeflow.ops._support.blas_threads import one_thread
from tapeflow.ops._support.blocked_matmul import FEW
from tapeflow.ops.conv import depthwise_kernels, window_tables
from tapeflow.ops.conv.geometry import blocks, extent, layout, taps, under_tap

_F32 = np.dtype("float32")
GATHER_BLOCK = 1 << 17  # elements of a gathered block: half a megabyte, measured to be the best
ROWS = 256  # positions in a block at least: a product of fewer rows wastes its time on the filters
THREADED_FROM = 1 << 23  # multiplications from which several threads are worth their start
THIN = 4  # channels up to which whole planes are gathered instead of pixels


class Shape:
    """Sizes of one convolution, checked against each other."""

    __slots__ = ("batch", "dilations", "groups", "inner", "op", "out", "outer", "pads", "sizes",
                 "strides", "window")

    def __init__(self, op: str, x: tuple, filters: tuple, strides: tuple, padding: Any,
                 dilations: tuple, groups: int):
        """`x` and `filters` are the shapes of the convolution's operands."""
        self.op, self.strides, self.dilations, self.groups = op, strides, dilations, groups
        self.batch, self.sizes, self.window = x[0], x[1:-1], filters[:-2]
        self.inner, self.outer = filters[-2], filters[-1] // groups
        if filters[-1] % groups:
            raise errors.invalid(op, f"output depth must be evenly divisible by number of groups: "
                                     f"{filters[-1]} vs {groups}")
        if x[-1] != self.inner * groups:
            raise errors.invalid(op, f"input depth must be evenly divisible by filter depth: "
                                     f"{x[-1]} vs {self.inner}")
        if not prod(self.window):
            raise errors.invalid(op, "filter must not have zero elements (i.e. all dimensions must "
                                     "be non-zero)")
        self.out, self.pads = layout(op, self.sizes, self.window, strides, dilations, padding)

    @property
    def columns(self) -> int:
        """Elements under one window position."""
        return prod(self.window) * self.inner

    @property
    def lead(self) -> tuple:
        return (self.groups, self.batch, *self.out)

    @property
    def plain(self) -> bool:
        """Whether windows are single pixels of an image without a border."""
        return prod(self.window) == 1 and not any(map(any, self.pads))

    def result(self) -> tuple:
        return (self.batch, *self.out, self.groups * self.outer)

    def expect(self, g: tuple) -> None:
        """Refuse an output (of a convolution that is run backwards) of another shape."""
        if len(g) != len(self.sizes) + 2:
            raise errors.invalid(self.op, f"out_backprop must be {len(self.sizes) + 2}-dimensional")
        if g[0] != self.batch:
            raise errors.invalid(self.op, f"input and out_backprop must have the same batch size. "
                                          f"Input batch: {self.batch}, outbackprop batch: {g[0]}")
        if g[-1] != self.groups * self.outer:
            raise errors.invalid(self.op, "filter and out_backprop must have the same out_depth: "
                                          f"{self.groups * self.outer} vs {g[-1]}")
        for i, (n, wanted) in enumerate(zip(g[1:-1], self.out, strict=True)):
            if n != wanted:
                raise errors.invalid(self.op, (
                    f"Size of out_backprop doesn't match computed: actual = {n}, computed = "
                    f"{wanted} spatial_dim: {i + 1} input: {self.sizes[i]} filter: "
                    f"{self.window[i]} output: {n} stride: {self.strides[i]} dilation: "
                    f"{self.dilations[i]}"))


def shared(kernel: Any, batched: tuple, work: Any) -> Any:
    """A kernel that gives parts of a large batch to several threads.

    `batched`: which operands have the batch; if both have it, results are added, else each part
    is written where it belongs. `work(a, b, attrs)`: the number of multiplications, and the size of
    the filters: what each part does to them is done seldom if they are large.
    """
    def run(a, b, **attrs):
        n = (b if batched[1] else a).shape[0]
        amount, weights = work(a, b, attrs)
        if amount < FEW:
            return kernel(a, b, **attrs)
        if n < 2 or amount < THREADED_FROM or a.dtype.kind not in "fV":
            with one_thread:
                return kernel(a, b, **attrs)
        whole = None if batched[0] and batched[1] else np.empty(
            kernel(a, b, **attrs, measure=True), a.dtype)
        parts = kernel_threads.slices(n, 16 if weights < GATHER_BLOCK else 4)
        results = [None] * len(parts)  # by part: they are added in order

        def one(i):
            part = parts[i]
            operands = (a[part] if batched[0] else a, b[part] if batched[1] else b)
            if whole is not None:
                kernel(*operands, **attrs, out=whole[part])
            else:
                results[i] = kernel(*operands, **attrs)

        kernel_threads.share(one, range(len(parts)))
        return sum(results[1:], start=results[0]) if whole is None else whole

    return run


# -- layouts ---------------------------------------------------------------------------------------
def _bordered(x: Any, pads: tuple, groups: int) -> np.ndarray:
    """(groups, N, *padded sizes, channels of a group), contiguous; negative padding crops."""
    split = np.moveaxis(x.reshape(*x.shape[:-1], groups, -1), -2, 0) if groups > 1 else x[None]
    if not any(map(any, pads)):
        return np.ascontiguousarray(split)
    here, there, sizes = [], [], []
    for n, (before, after) in zip(x.shape[1:-1], pads, strict=True):
        sizes.append(n + before + after)
        here.append(slice(max(before, 0), max(sizes[-1] - max(after, 0), 0)))
        there.append(slice(max(-before, 0), n - max(-after, 0)))
    out = np.zeros((groups, x.shape[0], *sizes, split.shape[-1]), x.dtype)
    out[(slice(None), slice(None), *here)] = split[(slice(None), slice(None), *there)]
    return out


def _views(x: np.ndarray, window: tuple, strides: tuple, dilations: tuple, out: tuple) -> Any:
    """A view (groups, N, *out, *window, channels) of every window in a bordered array."""
    inner = x.strides[2:-1]
    return np.ndarray((*x.shape[:2], *out, *window, x.shape[-1]), x.dtype, x, 0, (
        *x.strides[:2], *[n * s for n, s in zip(inner, strides, strict=True)],
        *[n * d for n, d in zip(inner, dilations, strict=True)], x.strides[-1]))


def _by_group(filters: np.ndarray, groups: int) -> np.ndarray:
    """Filters as matrices (groups, window·I, O)."""
    split = filters.reshape(-1, groups, filters.shape[-1] // groups)
    return split.transpose(1, 0, 2)


class _Gather:
    """Copies windows into one buffer, block by block, as a stack of matrices (positions, window).

    For few channels whole planes are copied, and the matrices are transposed views.
    """

    def __init__(self, views: Any, rank: int):
        self.views, self.rank = views, rank
        self.width = prod(views.shape[2 + rank:])
        self.thin = views.shape[-1] <= THIN
        self.buffer = np.empty(0, views.dtype)

    def blocks(self):
        limit = max(GATHER_BLOCK, min(GATHER_BLOCK, ROWS) * self.width)
        return blocks(self.views.shape[:2 + self.rank], self.width, limit)

    def __call__(self, block: tuple) -> Any:
        part = self.views[block]
        if self.buffer.size < part.size:
            self.buffer = np.empty(part.size, part.dtype)
        stack = part.shape[0] if len(block) == 1 else 1
        lead = part.ndim - (self.views.ndim - 2 - self.rank)
        flat = self.buffer[:part.size]
        if not self.thin:
            flat.reshape(part.shape)[...] = part
            return flat.reshape(stack, -1, self.width)
        keep = 1 if len(block) == 1 else 0
        order = (*range(keep), *range(lead, part.ndim), *range(keep, lead))
        moved = part.transpose(order)
        flat.reshape(moved.shape)[...] = moved
        return flat.reshape(stack, self.width, -1).transpose(0, 2, 1)


def _groups_of(block: tuple) -> slice:
    return block[0] if len(block) == 1 else slice(block[0], block[0] + 1)


def _multiply(a: np.ndarray, b: np.ndarray, out: np.ndarray) -> None:
    """Stacks of matrix products; a single one by the cheaper call."""
    if len(a) == 1:
        np.dot(a[0], b[0], out=out[0])
    else:
        np.matmul(a, b, out=out)


@lru_cache(256)
def _small(op: str, x: tuple, filters: tuple, strides: tuple, padding: Any, dilations: tuple,
           g: tuple | None) -> tuple | None:
    """Of a small convolution (with `g` its gradient in the input): table and shape of the result.
    """
    shape = Shape(op, x, filters, strides, padding, dilations, 1)
    if g is not None:
        shape.expect(g)
    rows, wide = (x, shape.outer) if g is not None else (shape.result(), shape.inner)
    count = prod(rows[:-1]) * prod(shape.window) * wide
    if shape.plain or count > window_tables.MOST_GATHERED or not prod(rows):
        return None
    find = window_tables.under_windows if g is None else window_tables.over_pixels
    return find(shape.batch, shape.sizes, shape.out, shape.window, strides, dilations,
                shape.pads), rows


# -- the convolution -------------------------------------------------------------------------------
def convolve(x, filters, strides, padding, dilations, groups, out=None, measure=False):
    """y[n, o, c] = Σ x[n, o·stride + i·dilation − before, k] · filters[i, k, c]

    `out`: where to write; `measure`: return the shape of the result only.
    """
    if groups == 1 and out is None and 0 < x.size <= window_tables.MOST_GATHERED and not measure:
        small = _small(f"Conv{x.ndim - 2}D", x.shape, filters.shape, strides, padding, dilations,
                       None)
        if small is not None:
            table, result = small
            rows = window_tables.gathered(x, table)
            return rows.dot(filters.reshape(-1, result[-1])).reshape(result)
    shape = Shape(f"Conv{x.ndim - 2}D", x.shape, filters.shape, strides, padding, dilations, groups)
    if measure:
        return shape.result()
    if out is None:
        out = np.empty(shape.result(), x.dtype)
    if not out.size or not x.size:
        out[...] = 0
    elif shape.inner == 1 and groups > 1:
        depthwise_kernels.convolve(shape, x, filters, out)
    elif shape.plain and groups == 1:
        np.dot(_pixels(x, strides), filters.reshape(shape.columns, -1),
               out=out.reshape(-1, shape.outer))
    else:
        _write(out, lambda y: _correlate(
            _bordered(x, shape.pads, groups), _by_group(filters, groups), shape.window, strides,
            dilations, y), groups)
    return out


def _write(out: np.ndarray, fill: Any, groups: int) -> None:
    """Fill an array (groups, N, …, C) and put it where (N, …, groups·C) is wanted."""
    if groups == 1:
        fill(out[None])
        return
    y = np.empty((groups, *out.shape[:-1], out.shape[-1] // groups), out.dtype)
    fill(y)
    out.reshape(*out.shape[:-1], groups, -1)[...] = np.moveaxis(y, 0, -2)


def _correlate(x: np.ndarray, filters: np.ndarray, window: tuple, strides: tuple,
               dilations: tuple, y: np.ndarray) -> None:
    """Windows of a bordered (groups, N, …, I) times matrices (groups, window·I, O), into y."""
    gather = _Gather(_views(x, window, strides, dilations, y.shape[2:-1]), len(window))
    for block in gather.blocks():
        rows = gather(block)
        _multiply(rows, filters[_groups_of(block)],
                  y[block].reshape(len(rows), -1, filters.shape[-1]))


def _pixels(x: np.ndarray, strides: tuple) -> np.ndarray:
    """Every stride-th pixel as a row of a matrix."""
    if max(strides) > 1:
        x = x[(slice(None), *[slice(None, None, s) for s in strides])]
    return x.reshape(-1, x.shape[-1])


# -- the gradient of the filters -------------------------------------------------------------------
def filter_gradient(x, g, sizes, strides, padding, dilations, groups):
    """Σ over positions of x under the window times g."""
    if g.ndim != x.ndim:
        raise errors.invalid(f"Conv{x.ndim - 2}DBackpropFilter", "out_backprop must be "
                             f"{x.ndim}-dimensional")
    filters = (*sizes, x.shape[-1] // groups, g.shape[-1])
    shape = Shape(f"Conv{x.ndim - 2}DBackpropFilter", x.shape, filters, strides, padding, dilations,
                  groups)
    shape.expect(g.shape)
    if not x.size or not g.size:
        return np.zeros(filters, x.dtype)
    if shape.inner == 1 and groups > 1:
        return depthwise_kernels.filter_gradient(shape, x, g)
    if shape.plain and groups == 1:
        return _pixels(x, strides).T.dot(g.reshape(-1, shape.outer)).reshape(filters)
    gather = _Gather(_views(_bordered(x, shape.pads, groups), shape.window, strides, dilations,
                            shape.out), len(sizes))
    split = _bordered(g, (), groups)
    total = np.zeros((groups, shape.columns, shape.outer), x.dtype)
    for block in gather.blocks():
        rows = gather(block)
        part = split[block].reshape(len(rows), -1, shape.outer)
        if len(rows) == 1:
            total[_groups_of(block)] += rows[0].T.dot(part[0])
        else:
            total[_groups_of(block)] += rows.transpose(0, 2, 1) @ part
    return total.transpose(1, 0, 2).reshape(filters)


# -- the gradient of the input ---------------------------------------------------------------------
def input_gradient(filters, g, sizes, strides, padding, dilations, groups, out=None,
                   measure=False):
    """Every element's sum of g·filters over the windows that it is under, and over no others: a
    filter that is NaN makes only those elements NaN that one of its windows is over.

    `out`: where to write; `measure`: return the shape of the result only.
    """
    x = (g.shape[0], *sizes, filters.shape[-2] * groups)
    op = f"Conv{g.ndim - 2}DBackpropInput"
    if min(sizes, default=0) < 0:
        raise errors.invalid(op, f"Dimension {min(sizes)} must be >= 0")
    if len(sizes) != g.ndim - 2 or filters.ndim != g.ndim:
        raise errors.invalid(op, f"input_sizes must be {g.ndim}-dimensional, got: {len(sizes) + 2}")
    if groups == 1 and out is None and 0 < g.size <= window_tables.MOST_GATHERED and not measure:
        small = _small(op, x, filters.shape, strides, padding, dilations, g.shape)
        if small is not None and _finite(filters):
            transposed = filters.swapaxes(-1, -2).reshape(-1, x[-1])
            return window_tables.gathered(g, small[0]).dot(transposed).reshape(x)
    shape = Shape(op, x, filters.shape, strides, padding, dilations, groups)
    shape.expect(g.shape)
    if measure:
        return x
    if out is None:
        out = np.empty(x, g.dtype)
    apart = all(s >= extent(k, d) for s, k, d in zip(strides, shape.window, dilations, strict=True))
    if not g.size or not out.size:
        out[...] = 0
    elif shape.inner == 1 and groups > 1:
        out[...] = depthwise_kernels.input_gradient(shape, filters, g)
    elif shape.plain and groups == 1 and max(strides) == 1:
        np.dot(g.reshape(-1, shape.outer), filters.reshape(-1, shape.outer).T,
               out=out.reshape(-1, shape.inner))
    elif shape.inner > THIN and not apart and _finite(filters):
        _write(out, lambda y: _phased(shape, filters, g, y), groups)
    else:
        _write(out, lambda y: _scattered(shape, filters, g, apart, y), groups)
    return out


def _finite(filters: np.ndarray) -> bool:
    """Whether no filter is NaN or infinite: only then zeros may stand for what is outside of g.

    The sum may overflow where they are all finite; the slower way is right there too.
    """
    return isfinite(np.add.reduce(filters, None))


def _phases(shape: Shape, axis: int) -> list[tuple]:
    """The elements of an axis by what they meet: each stride-th one meets the same taps.

    For each phase: its elements (a slice), their number, its taps (a slice, from the last to the
    first), and the dilation and padding with which g is convolved there.
    """
    n, out, k = shape.sizes[axis], shape.out[axis], shape.window[axis]
    s, d, before = shape.strides[axis], shape.dilations[axis], shape.pads[axis][0]
    result = []
    for phase in range(s):
        # Element p = first + j·s lies under tap i of the window at (p + before − i·d) / s.
        first = (phase - before) % s
        count = len(range(first, n, s))
        met = [i for i in range(k) if i * d % s == phase]
        if not count or not met:
            continue
        step = met[1] - met[0] if len(met) > 1 else 1
        start = (first + before - phase) // s
        near, far = [(i * d - phase) // s for i in (met[0], met[-1])]
        pads = (far - start, start - near + count - out)
        taps_of = slice(met[-1], met[0] - 1 if met[0] else None, -step)
        result.append((slice(first, n, s), count, taps_of, max(step * d // s, 1), pads))
    return result


def _phased(shape: Shape, filters: np.ndarray, g: np.ndarray, y: np.ndarray) -> None:
    """For each phase of the strides: g convolved with the filters' taps reversed."""
    rank = len(shape.window)
    split = filters.reshape(*shape.window, shape.inner, shape.groups, shape.outer)
    split = np.moveaxis(split, -2, 0).swapaxes(-1, -2)
    if max(shape.strides) > 1:
        y[...] = 0
    for phase in product(*[_phases(shape, axis) for axis in range(rank)]):
        elements, counts, chosen, dilations, pads = zip(*phase, strict=True)
        taps = split[(slice(None), *chosen)]
        matrices = taps.reshape(shape.groups, -1, shape.inner)
        whole = max(shape.strides) == 1
        part = y if whole else np.empty((*y.shape[:2], *counts, shape.inner), y.dtype)
        _correlate(_bordered(g, pads, shape.groups), matrices, taps.shape[1:1 + rank],
                   (1,) * rank, dilations, part)
        if not whole:
            y[(slice(None), slice(None), *elements)] = part


def _scattered(shape: Shape, filters: np.ndarray, g: np.ndarray, apart: bool,
               y: np.ndarray) -> None:
    """Products for all window positions, added to where each tap of the window lies (col2im).

    `apart`: no two windows meet, so that all taps are set at once.
    """
    matrices = _by_group(filters, shape.groups).transpose(0, 2, 1)
    split = _bordered(g, (), shape.groups)
    full = [n + before + after for n, (before, after) in zip(shape.sizes, shape.pads, strict=True)]
    thin = shape.inner <= THIN and not apart
    if thin:  # one plane for each channel, so that whole rows are added
        total = np.moveaxis(np.zeros((shape.groups, shape.inner, shape.batch, *full), g.dtype), 1,
                            -1)
    else:
        total = np.zeros((shape.groups, shape.batch, *full, shape.inner), g.dtype)
    if apart:
        views = _views(total, shape.window, shape.strides, shape.dilations, shape.out)
    for block in blocks(shape.lead, shape.columns, 8 * GATHER_BLOCK):  # a call a tap: few
        part, some = split[block], _groups_of(block)
        stack = len(part) if len(block) == 1 else 1
        rows = part.reshape(stack, -1, shape.outer)
        if thin:
            products = matrices[some].transpose(0, 2, 1) @ rows.transpose(0, 2, 1)
            products = products.reshape(stack, *shape.window, shape.inner, -1)
        else:
            products = (rows @ matrices[some]).reshape(stack, -1, *shape.window, shape.inner)
        if apart:
            views[block] = products.reshape(views[block].shape)
            continue
        for tap in taps(shape.window):
            target = total[under_tap(shape, block, tap, 2)]
            if thin:
                target = np.moveaxis(target, -1, int(len(block) == 1))
                values = products[(slice(None), *tap)]
            else:
                values = products[(slice(None), slice(None), *tap)]
            target += values.reshape(target.shape)
    here = [slice(before, before + n) for n, (before, _) in zip(shape.sizes, shape.pads,
                                                                strict=True)]
    y[...] = total[(slice(None), slice(None), *here)]
