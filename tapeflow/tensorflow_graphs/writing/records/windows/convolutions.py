"""Convolutions and pooling."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from tapeflow.base import dtypes
from tapeflow.tensorflow_graphs.writing.operands import (
    cast,
    element,
    inverse,
    joined,
    known,
    like,
    product,
    rank,
    reshape,
    scalar,
    shaped,
    sizes,
    sum_of,
    transpose,
)
from tapeflow.tensorflow_graphs.writing.waiting_gradients import gradient_of
from tapeflow.tensorflow_graphs.writing.written_records import written


# -- convolutions ----------------------------------------------------------------------------------
class _Convolution:
    """The attributes of a convolution, of one axis as of two, and what the ops can do of them."""

    def __init__(self, w: Any, node: Any):
        self.w, attrs = w, node.attrs
        self.line = len(attrs["strides"]) == 1
        lead = (1,) if self.line else ()
        self.strides = (*lead, *attrs["strides"])
        self.dilations = (*lead, *attrs["dilations"])
        self.groups: int = attrs["groups"]
        padding = attrs["padding"]
        self.pairs = None if isinstance(padding, str) else (
            *(((0, 0),) if self.line else ()), *[tuple(pair) for pair in padding])
        self.padding = padding if isinstance(padding, str) else "EXPLICIT"
        self.volume = len(self.strides) == 3

    def sizes_of(self, node: Any) -> list:
        """The sizes that a gradient is to have along the axes of the window."""
        inner = node.attrs["sizes"]
        found = list(inner) if known(inner) else [
            element(self.w, cast(self.w, self.w.ref(inner), dtypes.int32), i)
            for i in range(len(node.attrs["strides"]))]
        return [1, *found] if self.line else found

    def wide(self, x: Any, axis: int) -> Any:
        """An operand with an axis more, if the convolution is along one."""
        if not self.line:
            return x
        shape = None if x.shape is None else (*x.shape[:axis], 1, *x.shape[axis:])
        return shaped(self.w.ExpandDims(x, self.w.const(axis, dtypes.int32)), shape)

    def narrow(self, x: Any, axis: int) -> Any:
        return self.w.Squeeze(x, squeeze_dims=[axis]) if self.line else x

    def settings(self, dilated: bool = False) -> dict[str, Any]:
        """Attributes of an op; `dilated` ones are left to it."""
        found: dict[str, Any] = {"strides": [1, *self.strides, 1], "padding": self.padding}
        if self.padding == "EXPLICIT":
            found["explicit_paddings"] = [0, 0, *itertools.chain(*(self.pairs or ())), 0, 0]
        if dilated:
            found["dilations"] = [1, *self.dilations, 1]
        return found

    def depthwise(self, channels: Any, dilated: bool = True) -> bool:
        """Whether each channel is for itself, in a way that TensorFlow's own op can do."""
        return (not self.volume and 1 < self.groups == channels and len(set(self.strides)) == 1
                and not (dilated and self.dilated))

    @property
    def dilated(self) -> bool:
        return set(self.dilations) != {1}

    def around(self, filters: Any, axis: int) -> tuple[int, int]:
        """Zeros before and after an operand along an axis, of a convolution without strides."""
        if self.pairs is not None:
            return self.pairs[axis]
        more = (filters.shape[axis] - 1) * self.dilations[axis] if self.padding == "SAME" else 0
        return more // 2, more - more // 2

    def spread(self, filters: Any) -> Any:
        """Filters with zeros between their elements, in place of dilation."""
        w = self.w
        for axis, rate in enumerate(self.dilations):
            if rate == 1:
                continue
            shape = sizes(w, filters)
            pads = np.zeros((len(shape) + 1, 2), np.int32)
            pads[axis + 1, 1] = rate - 1
            padded = w.Pad(w.ExpandDims(filters, w.const(axis + 1, dtypes.int32)), w.const(pads))
            count = product(w, [shape[axis], rate])
            long = reshape(w, padded, [*shape[:axis], count, *shape[axis + 1:]])
            end = [0] * axis + [1 - rate]
            known_count = filters.shape[axis]
            filters = shaped(w.StridedSlice(
                long, joined(w, [0] * (axis + 1)), joined(w, end), joined(w, [1] * (axis + 1)),
                begin_mask=2**(axis + 1) - 1, end_mask=2**axis - 1),
                (*filters.shape[:axis],
                 None if known_count is None else (known_count - 1) * rate + 1,
                 *filters.shape[axis + 1:]))
        return filters

    def padded(self, x: Any) -> Any:
        """An operand with explicit paddings, for ops of three axes, which take none."""
        if self.pairs is None or not self.volume:
            return x
        pads = np.array([(0, 0), *self.pairs, (0, 0)], np.int32)
        shape = tuple([None if n is None else n + int(sum(pair))
                       for n, pair in zip(x.shape, pads, strict=True)])
        return shaped(self.w.Pad(x, self.w.const(pads)), shape)

    def parts(self, x: Any, axis: int) -> list:
        """An operand group by group."""
        if self.groups == 1:
            return [x]
        size = x.shape[axis]
        shape = list(x.shape)
        shape[axis] = None if size is None else size // self.groups
        return [shaped(one, tuple(shape)) for one in self.w.Split(
            self.w.const(axis, dtypes.int32), x, num_split=self.groups)]

    def whole(self, parts: list, axis: int) -> Any:
        return parts[0] if len(parts) == 1 else self.w.ConcatV2(
            parts, self.w.const(axis, dtypes.int32))


def _computed(w: Any, xs: list, run: Callable) -> Any:
    """In float64 for integers, which most kernels lack."""
    kind = xs[0].dtype
    if kind.is_floating:
        return run(*xs)
    return cast(w, run(*[shaped(cast(w, x, dtypes.float64), x.shape) for x in xs]), kind)


@written("convolve")
def convolve(w: Any, node: Any, x: Any, filters: Any) -> Any:
    conv = _Convolution(w, node)
    return _computed(w, [x, filters], lambda x, filters: conv.narrow(
        _forward(w, conv, conv.wide(x, 1), conv.wide(filters, 0)), 1))


def _forward(w: Any, conv: _Convolution, x: Any, filters: Any) -> Any:
    if conv.volume:
        x, filters = conv.padded(x), conv.spread(filters)
        padding = "VALID" if conv.pairs is not None else conv.padding
        pairs = zip(conv.parts(x, rank(x) - 1), conv.parts(filters, rank(filters) - 1),
                    strict=True)
        return conv.whole([w.Conv3D(a, b, strides=[1, *conv.strides, 1], padding=padding)
                           for a, b in pairs], rank(x) - 1)
    if conv.dilated and set(conv.strides) == {1} and None not in filters.shape[:2]:
        return _in_blocks(w, conv, x, filters)
    return _flat(w, conv, x, filters, conv.settings(dilated=True))


def _flat(w: Any, conv: _Convolution, x: Any, filters: Any, settings: dict[str, Any]) -> Any:
    """A convolution of two axes."""
    if conv.depthwise(x.shape[-1], "dilations" in settings):
        channels, height, width = x.shape[-1], *sizes(w, filters)[:2]
        laid = reshape(w, filters, [height, width, channels, -1])
        return w.DepthwiseConv2dNative(x, laid, **settings)
    # TensorFlow's Conv2D takes groups, but has no gradient for them on CPUs.
    pairs = zip(conv.parts(x, 3), conv.parts(filters, 3), strict=True)
    return conv.whole([w.Conv2D(a, b, **settings) for a, b in pairs], 3)


def _in_blocks(w: Any, conv: _Convolution, x: Any, filters: Any) -> Any:
    """A dilated convolution as one without dilation, of every n-th element, as tf.nn.convolution
    writes it: TensorFlow's Conv2D has no gradient for dilations on CPUs.
    """
    pads: list = []
    crops: list = []
    for axis, rate in enumerate(conv.dilations):
        before, after = conv.around(filters, axis)
        rest = _missing(w, sizes(w, x)[1 + axis], before + after, rate)
        pads += [before, sum_of(w, [after, rest])]
        crops += [0, rest]
    blocks = w.const(np.array(conv.dilations, np.int32))
    split = shaped(w.SpaceToBatchND(x, blocks, reshape(w, joined(w, pads), [2, 2])),
                   (None, None, None, x.shape[-1]))
    found = _flat(w, conv, split, filters, {"strides": [1, 1, 1, 1], "padding": "VALID"})
    return w.BatchToSpaceND(found, blocks, reshape(w, joined(w, crops), [2, 2]))


@gradient_of("convolve")
def convolve_gradient(w: Any, index: int, g: Any, xs: list, node: Any) -> Any:
    """Of operands whose sizes a run brings."""
    conv, (x, filters) = _Convolution(w, node), xs
    if not g.dtype.is_floating or g.shape is None or x.shape is None or filters.shape is None:
        return None
    if conv.groups > 1 and (x.shape[-1] is None or None in filters.shape):
        return None
    x, filters, g = conv.wide(x, 1), conv.wide(filters, 0), conv.wide(g, 1)
    if index == 0:
        return conv.narrow(_to_input(w, conv, filters, g, sizes(w, x)[1:-1]), 1)
    return conv.narrow(_to_filters(w, conv, x, g, sizes(w, filters)[:-2]), 0)


def _missing(w: Any, n: Any, more: int, rate: int) -> Any:
    """What a size, an int or a Ref, with `more` to it, lacks to be a multiple of the rate."""
    if isinstance(n, int):
        return -(n + more) % rate
    negative = w.Sub(w.const(-more, dtypes.int32), n)
    return w.FloorMod(negative, w.const(rate, dtypes.int32))


@written("convolve_input_gradient")
def convolve_input_gradient(w: Any, node: Any, filters: Any, g: Any) -> Any:
    conv = _Convolution(w, node)
    middle = conv.sizes_of(node)
    return _computed(w, [filters, g], lambda filters, g: conv.narrow(
        _to_input(w, conv, conv.wide(filters, 0), conv.wide(g, 1), middle), 1))


def _to_input(w: Any, conv: _Convolution, filters: Any, g: Any, middle: list) -> Any:
    batch, depth = sizes(w, g)[0], sizes(w, filters)[-2]
    channels = product(w, [depth, conv.groups])
    if filters.shape[-2] == 1 and conv.depthwise(conv.groups):
        laid = reshape(w, filters, [*sizes(w, filters)[:2], conv.groups, -1])
        return w.DepthwiseConv2dNativeBackpropInput(
            joined(w, [batch, *middle, channels]), laid, g, **conv.settings())
    filters = conv.spread(filters)
    last = rank(g) - 1
    pairs = zip(conv.parts(filters, last), conv.parts(g, last), strict=True)
    if not conv.volume:
        goal = joined(w, [batch, *middle, depth])
        return conv.whole([w.Conv2DBackpropInput(goal, a, b, **conv.settings())
                           for a, b in pairs], last)
    around = conv.pairs or ((0, 0),) * 3
    padding = "VALID" if conv.pairs is not None else conv.padding
    goal = joined(w, [batch, *[product(w, [n]) if not sum(pair) else w.AddV2(
        scalar(w, n), w.const(sum(pair), dtypes.int32)) for n, pair in zip(
            middle, around, strict=True)], depth])
    found = conv.whole([w.Conv3DBackpropInputV2(goal, a, b, strides=[1, *conv.strides, 1],
                                                padding=padding) for a, b in pairs], last)
    if conv.pairs is None:
        return found
    return w.Slice(found, joined(w, [0, *[a for a, _ in around], 0]),
                   joined(w, [batch, *middle, channels]))


@written("convolve_filter_gradient")
def convolve_filter_gradient(w: Any, node: Any, x: Any, g: Any) -> Any:
    conv = _Convolution(w, node)
    middle = conv.sizes_of(node)
    return _computed(w, [x, g], lambda x, g: conv.narrow(
        _to_filters(w, conv, conv.wide(x, 1), conv.wide(g, 1), middle), 0))


def _to_filters(w: Any, conv: _Convolution, x: Any, g: Any, middle: list) -> Any:
    last, depth = rank(x) - 1, x.shape[-1]
    if conv.depthwise(depth):
        many = g.shape[-1] // depth
        found = w.DepthwiseConv2dNativeBackpropFilter(
            x, joined(w, [*middle, depth, many]), g, **conv.settings())
        return reshape(w, found, [*middle, 1, depth * many])
    x = conv.padded(x)
    extents = []
    for n, rate in zip(middle, conv.dilations, strict=True):
        one = w.const(1, dtypes.int32)
        extents.append((n - 1) * rate + 1 if isinstance(n, int) else w.AddV2(w.Mul(
            w.Sub(n, one), w.const(rate, dtypes.int32)), one))
    found = []
    for a, b in zip(conv.parts(x, last), conv.parts(g, last), strict=True):
        goal = joined(w, [*extents, sizes(w, a)[-1], sizes(w, b)[-1]])
        if conv.volume:
            padding = "VALID" if conv.pairs is not None else conv.padding
            found.append(w.Conv3DBackpropFilterV2(a, goal, b, strides=[1, *conv.strides, 1],
                                                  padding=padding))
        else:
            found.append(w.Conv2DBackpropFilter(a, goal, b, **conv.settings()))
    whole = conv.whole(found, last)
    if not conv.dilated:
        return whole
    many = len(conv.dilations)
    return w.StridedSlice(whole, joined(w, [0] * many), joined(w, [0] * many),
                          joined(w, list(conv.dilations)), begin_mask=2**many - 1,
                          end_mask=2**many - 1)


# -- pooling ---------------------------------------------------------------------------------------
_POOLED = ("bfloat16", "float16", "float32", "float64", "int8", "int16", "int32", "int64", "uint8",
           "uint16")  # the types that pooling over two axes has


class _Pool:
    """Windows over a tensor, all axes counted: by TensorFlow's ops, or place by place."""

    def __init__(self, w: Any, node: Any, x: Any):
        self.w, self.x = w, x
        attrs = node.attrs
        self.window, self.strides = tuple(attrs["window"]), tuple(attrs["strides"])
        self.dilations, self.padding = tuple(attrs["dilations"]), attrs["padding"]
        # The axes in the order of TensorFlow's ops: those that are pooled in the middle.
        moved = [i for i, (n, step) in enumerate(zip(self.window, self.strides))
                 if n > 1 or step > 1]
        rest = [i for i in range(len(self.window)) if i not in moved]
        self.middle = 3 if len(moved) == 3 else 2
        kinds = ("bfloat16", "float32") if self.middle == 3 else _POOLED
        self.plain = (len(moved) <= 3 and len(rest) >= 2 and set(self.dilations) == {1}
                      and isinstance(self.padding, str) and x.dtype.name in kinds)
        if self.plain:
            self._arrange(moved, rest)

    def _arrange(self, moved: list[int], rest: list[int]) -> None:
        """Axes that stay but stand between those that are pooled count as pooled by 1."""
        line = len(self.window) == 3
        missing = self.middle - len(moved) - line
        middle = sorted([*moved, *rest[1:-1][:missing]]) if missing > 0 else moved
        outer = [i for i in rest if i not in middle]
        self.plain = len(outer) == 2 and len(middle) + line == self.middle
        if self.plain:
            self.perm = [outer[0], *middle, outer[1]]
            self.line = line

    def laid(self, x: Any) -> Any:
        found = transpose(self.w, x, self.perm)
        return self.w.ExpandDims(found, self.w.const(1, dtypes.int32)) if self.line else found

    def back(self, x: Any) -> Any:
        found = self.w.Squeeze(x, squeeze_dims=[1]) if self.line else x
        return transpose(self.w, found, inverse(self.perm))

    def settings(self) -> dict[str, Any]:
        extra = [1] if self.line else []

        def order(values: tuple) -> list[int]:
            moved = [values[i] for i in self.perm]
            return [moved[0], *extra, *moved[1:]]

        return {"ksize": order(self.window), "strides": order(self.strides),
                "padding": self.padding}

    # -- place by place ----------------------------------------------------------------------------
    def pads(self) -> list:
        """(before, after) of each axis: ints, or Refs where sizes are not known."""
        found: list = []
        for i, n in enumerate(sizes(self.w, self.x)):
            if not isinstance(self.padding, str):
                found.append(tuple(self.padding[i]))
            elif self.padding == "VALID" or (self.window[i] == 1 and self.strides[i] == 1):
                found.append((0, 0))
            else:
                found.append(self._same(i, n))
        return found

    def _same(self, axis: int, n: Any) -> tuple:
        step = self.strides[axis]
        extent = (self.window[axis] - 1) * self.dilations[axis] + 1
        if isinstance(n, int):
            total = max((-(-n // step) - 1) * step + extent - n, 0)
            return total // 2, total - total // 2
        w, one = self.w, self.w.const(1, dtypes.int32)
        last = w.Mul(w.FloorDiv(w.Sub(n, one), w.const(step, dtypes.int32)),
                     w.const(step, dtypes.int32))
        total = w.Maximum(w.Sub(w.AddV2(last, w.const(extent, dtypes.int32)), n),
                          w.const(0, dtypes.int32))
        before = w.FloorDiv(total, w.const(2, dtypes.int32))
        return before, w.Sub(total, before)

    def padded(self, x: Any, value: Any) -> Any:
        pads = self.pads()
        if all(pair == (0, 0) for pair in pads):
            return x
        pairs = reshape(self.w, joined(self.w, [n for pair in pads for n in pair]), [-1, 2])
        return self.w.PadV2(x, pairs, like(self.w, value, x))

    def places(self) -> Iterator[tuple[list, dict[str, int]]]:
        """Inputs and masks of the StridedSlice that takes one element of every window."""
        w, axes = self.w, len(self.window)
        for place in itertools.product(*map(range, self.window)):
            begin = [i * rate for i, rate in zip(place, self.dilations)]
            end = [-(n - 1 - i) * rate for i, n, rate in zip(place, self.window, self.dilations)]
            mask = sum([1 << i for i in range(axes) if not end[i]])
            yield [joined(w, one) for one in (begin, end, list(self.strides))], {"end_mask": mask}

    def hits(self, x: Any, ties: str) -> Iterator[tuple]:
        """Each place of the windows, and which windows have their greatest element there."""
        w = self.w
        found = self.padded(x, _lowest(x.dtype))
        rows = [(at, masks, w.StridedSlice(found, *at, **masks)) for at, masks in self.places()]
        most = rows[0][2]
        for _, _, row in rows[1:]:
            most = w.Maximum(most, row)
        free = None
        for at, masks, row in rows:
            hit = w.Equal(row, most)
            if ties == "first":
                now = hit if free is None else w.LogicalAnd(hit, free)
                free = w.LogicalNot(hit) if free is None else w.LogicalAnd(free, w.LogicalNot(hit))
                hit = now
            yield at, masks, hit

    def collected(self, parts: list, x: Any) -> Any:
        """Elements put back where they were taken from, added up."""
        w, pads = self.w, self.pads()
        shape = w.shape_of(x)
        around = reshape(w, joined(w, [n for pair in pads for n in pair]), [-1, 2])
        before, after = w.Unpack(around, num=2, axis=1)
        whole = w.AddV2(w.AddV2(shape, before), after)
        found = [w.StridedSliceGrad(whole, *at, part, **masks) for at, masks, part in parts]
        total = found[0] if len(found) == 1 else w.AddN(found)
        return w.Slice(total, before, shape)


def _lowest(kind: Any) -> Any:
    return -np.inf if kind.is_floating else np.iinfo(kind.np).min


@written("max_pool")
def max_pool(w: Any, node: Any, x: Any) -> Any:
    pool = _Pool(w, node, x)
    if pool.plain:
        op = w.MaxPool if pool.middle == 2 else w.MaxPool3D
        return pool.back(op(pool.laid(x), **pool.settings()))
    rows = pool.padded(x, _lowest(x.dtype))
    found = None
    for at, masks in pool.places():
        one = w.StridedSlice(rows, *at, **masks)
        found = one if found is None else w.Maximum(found, one)
    return found


@written("avg_pool")
def avg_pool(w: Any, node: Any, x: Any) -> Any:
    pool = _Pool(w, node, x)
    if pool.plain:
        op = w.AvgPool if pool.middle == 2 else w.AvgPool3D
        return pool.back(op(pool.laid(x), **pool.settings()))
    rows, ones = pool.padded(x, 0), pool.padded(w.OnesLike(x), 0)
    places = list(pool.places())
    total, count = (w.AddN([w.StridedSlice(one, *at, **masks) for at, masks in places])
                    for one in (rows, ones))
    return w.RealDiv(total, count)


@written("max_pool_gradient")
def max_pool_gradient(w: Any, node: Any, x: Any, g: Any) -> Any:
    pool = _Pool(w, node, x)
    if pool.plain and pool.middle == 2 and node.attrs["ties"] == "first":
        laid = pool.laid(x)
        most = w.MaxPool(laid, **pool.settings())
        return pool.back(w.MaxPoolGrad(laid, most, pool.laid(g), **pool.settings()))
    parts = [(at, masks, w.SelectV2(hit, g, like(w, 0, g)))
             for at, masks, hit in pool.hits(x, node.attrs["ties"])]
    return pool.collected(parts, x)


@written("max_pool_pick")
def max_pool_pick(w: Any, node: Any, x: Any, u: Any) -> Any:
    return _picked(w, _Pool(w, node, x), x, u, node.attrs["ties"])


def _picked(w: Any, pool: _Pool, x: Any, u: Any, ties: str) -> Any:
    """Of another tensor the elements where the greatest are."""
    rows = pool.padded(u, 0)
    found = [w.SelectV2(hit, w.StridedSlice(rows, *at, **masks), like(w, 0, u))
             for at, masks, hit in pool.hits(x, ties)]
    return found[0] if len(found) == 1 else w.AddN(found)


@written("max_pool_argmax")
def max_pool_argmax(w: Any, node: Any, x: Any) -> Any:
    pool, lead = _Pool(w, node, x), node.attrs["lead"]
    kind = dtypes.of(node.attrs["dtype"])
    if pool.plain and pool.middle == 2 and pool.perm == [0, 1, 2, 3] and not pool.line:
        return w.MaxPoolWithArgmax(x, Targmax=kind, include_batch_in_index=not lead,
                                   **pool.settings())[1]
    shape = sizes(w, x)
    zero, one = w.const(0, kind), w.const(1, kind)
    places = w.Range(zero, scalar(w, product(w, shape[lead:]), kind), one)
    places = w.BroadcastTo(reshape(w, places, shape[lead:]), joined(w, shape))
    return _picked(w, pool, x, places, "first")


@written("avg_pool_gradient")
def avg_pool_gradient(w: Any, node: Any, g: Any) -> Any:
    shape = node.attrs["shape"]
    length = len(node.attrs["window"])
    if known(shape):
        x = shaped(w.Fill(w.const(np.array(shape), dtypes.int32), like(w, 1, g)), tuple(shape))
    else:
        x = shaped(w.Fill(cast(w, w.ref(shape), dtypes.int32), like(w, 1, g)), (None,) * length)
    pool = _Pool(w, node, x)
    if pool.plain and pool.middle == 2 and known(shape):
        moved = [shape[i] for i in pool.perm]
        goal = [moved[0], *([1] if pool.line else []), *moved[1:]]
        return pool.back(w.AvgPoolGrad(w.const(goal, dtypes.int32), pool.laid(g),
                                       **pool.settings()))
    ones = pool.padded(x, 0)
    places = list(pool.places())
    share = w.RealDiv(g, w.AddN([w.StridedSlice(ones, *at, **masks) for at, masks in places]))
    return pool.collected([(at, masks, share) for at, masks in places], x)
