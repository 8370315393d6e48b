"""Shapes and moves: the same elements in other places, joined, padded, repeated."""

from __future__ import annotations

from typing import Any

import numpy as np

from tapeflow.graph import ir
from tapeflow.onnx.onnx_graph import ExportError
from tapeflow.onnx.onnx_records import written
from tapeflow.onnx.onnx_writer import INT64, GraphWriter, Term


def narrowed(w: GraphWriter, sizes: Term, dtype: Any) -> Term:
    """Sizes, which are int64, in the dtype that the program asked for."""
    made = w.cast(sizes, dtype)
    if made is not sizes and made.const is None:
        made.wide = sizes
    return made


@written("shape")
def _shape(w: GraphWriter, node: Any, x: Term) -> Term:
    return narrowed(w, w.shape_of(x), node.attrs["dtype"])


@written("size")
def _size(w: GraphWriter, node: Any, x: Term) -> Term:
    return narrowed(w, w.op("Size", x, dtype=INT64, shape=()), node.attrs["dtype"])


@written("rank")
def _rank(w: GraphWriter, node: Any, x: Term) -> Term:
    return w.cast(w.op("Size", w.shape_of(x), dtype=INT64, shape=()), node.outputs[0].dtype)


@written("reshape")
def _reshape(w: GraphWriter, node: Any, x: Term) -> Term:
    return w.reshape(x, w.vector(node.attrs["shape"]))


@written("expand_dims")
def _expand_dims(w: GraphWriter, node: Any, x: Term) -> Term:
    axis = node.attrs["axis"]
    return w.unsqueeze(x, *(axis if isinstance(axis, tuple) else (axis,)))


@written("squeeze")
def _squeeze(w: GraphWriter, node: Any, x: Term) -> Term:
    axis = node.attrs["axis"]
    if axis is None:
        return w.op("Squeeze", x)
    return w.squeeze(x, *axis) if axis else x


@written("transpose")
def _transpose(w: GraphWriter, node: Any, x: Term) -> Term:
    perm = node.attrs["perm"]
    if isinstance(perm, ir.Value):
        raise ExportError("a permutation that is known at run time only")
    return w.transpose(x, perm)


@written("broadcast_to")
def _broadcast_to(w: GraphWriter, node: Any, x: Term) -> Term:
    return w.op("Expand", x, w.vector(node.attrs["shape"]))


@written("fill_like")
def _fill_like(w: GraphWriter, node: Any, x: Term) -> Term:
    return w.op("Expand", w.scalar(node.attrs["value"], x.dtype), w.shape_of(x))


@written("tile")
def _tile(w: GraphWriter, node: Any, x: Term) -> Term:
    return w.op("Tile", x, w.vector(node.attrs["multiples"]))


@written("concat")
def _concat(w: GraphWriter, node: Any, *xs: Term) -> Term:
    return w.concat(xs, node.attrs["axis"])


@written("stack")
def _stack(w: GraphWriter, node: Any, *xs: Term) -> Term:
    axis = node.attrs["axis"]
    stacked = w.concat([w.unsqueeze(x, axis) for x in xs], axis)
    if axis == 0 and stacked.const is None and any(x.wide is not None for x in xs):
        stacked.wide = w.concat([w.unsqueeze(w.cast(x, INT64), 0) for x in xs], 0)
    return stacked


@written("unstack")
def _unstack(w: GraphWriter, node: Any, x: Term) -> list[Term]:
    axis = node.attrs["axis"]
    return [w.op("Gather", x, w.constant(np.int64(i)), axis=axis)
            for i in range(len(node.outputs))]


@written("split")
def _split(w: GraphWriter, node: Any, x: Term) -> list[Term]:
    count = len(node.outputs)
    return w.ops("Split", count, x, w.vector(node.attrs["sizes"]), dtypes=[x.dtype] * count,
                 axis=node.attrs["axis"])


@written("pad")
def _pad(w: GraphWriter, node: Any, x: Term) -> Term:
    if x.shape == ():
        return x
    value = node.attrs.get("value", 0)
    filling = w.term(value) if isinstance(value, ir.Value) else w.scalar(value, x.dtype)
    return w.op("Pad", x, pads(w, node.attrs["paddings"]), filling)


def pads(w: GraphWriter, paddings: Any) -> Term:
    """Pairs as ONNX has them: all beginnings, then all ends."""
    if not isinstance(paddings, ir.Value):
        return w.ints(*[int(a) for a, _ in paddings], *[int(b) for _, b in paddings])
    pairs = w.reshape(w.cast(w.term(paddings), INT64), (-1, 2))
    return w.reshape(w.transpose(pairs, (1, 0)), (-1,))


@written("broadcast_args")
def _broadcast_args(w: GraphWriter, node: Any, a: Term, b: Term) -> Term:
    sizes = [one.shape[0] for one in (a, b)
             if one.shape is not None and len(one.shape) == 1 and one.shape[0] is not None]
    if len(sizes) < 2:
        raise ExportError("shapes of unknown rank")
    a, b = [w.concat([w.constant(np.ones(max(sizes) - size, one.dtype)), one])
            if size < max(sizes) else one for size, one in zip(sizes, (a, b), strict=True)]
    return w.where(a.equals(1), b, a)


@written("fit_sizes")
def _fit_sizes(w: GraphWriter, node: Any, x: Term) -> Term:
    """By "Slice" and "Pad" """
    return fitted(w, x, node.attrs["axes"], w.vector(node.attrs["sizes"]), x.rank)


def fitted(w: GraphWriter, x: Term, axes: tuple, sizes: Term, rank: int) -> Term:
    """Cropped or padded with zeros at the end along axes, which count from the end of `rank`."""
    places = [axis + rank for axis in axes]
    x = w.slice(x, [0] * len(places), sizes, places)
    have = w.concat([w.op("Shape", x, dtype=INT64, shape=(1,), start=axis, end=axis + 1)
                     for axis in places])
    return w.op("Pad", x, w.concat([w.ints(*[0] * len(places)), sizes - have]), None,
                w.ints(*places))


@written("mirror_pad")
def _mirror_pad(w: GraphWriter, node: Any, x: Term) -> Term:
    paddings = node.attrs["paddings"]
    if node.attrs["offset"]:
        return w.op("Pad", x, pads(w, paddings), mode="reflect")
    if isinstance(paddings, ir.Value):
        raise ExportError("symmetric padding by numbers that are known at run time only")
    for axis, (before, after) in enumerate(paddings):
        parts = [x]
        if before:
            parts.insert(0, w.reverse(w.slice(x, [0], [before], [axis]), [axis]))
        if after:
            parts.append(w.reverse(w.slice(x, [-after], [1 << 62], [axis]), [axis]))
        x = w.concat(parts, axis)
    return x


@written("crop")
def _crop(w: GraphWriter, node: Any, x: Term) -> Term:
    crops = node.attrs["crops"]
    if isinstance(crops, ir.Value):
        raise ExportError("crops that are known at run time only")
    return w.slice(x, [a for a, _ in crops], [-b if b else 1 << 62 for _, b in crops],
                   range(len(crops)))


@written("repeat")
def _repeat(w: GraphWriter, node: Any, x: Term) -> Term:
    """Rows picked by their indices, each as often as it is repeated."""
    repeats, axis = node.attrs["repeats"], node.attrs["axis"]
    if isinstance(repeats, (int, np.integer)):
        total = w.size_of(x, axis) * int(repeats)
        at = counting(w, w.squeeze(total, 0)) / max(int(repeats), 1)
    else:
        ends = w.op("CumSum", w.vector(repeats), w.constant(np.int64(0)))
        total = w.op("Gather", ends, w.constant(np.int64(-1)))
        past = w.unsqueeze(counting(w, total), 1) >= w.unsqueeze(ends, 0)
        at = w.op("ReduceSum", w.cast(past, INT64), w.ints(1), keepdims=0)
    return w.op("Gather", x, at, axis=axis, dtype=x.dtype)


def counting(w: GraphWriter, count: Term) -> Term:
    """0, 1, 2 … below a scalar."""
    return w.op("Range", w.scalar(0, count.dtype), count, w.scalar(1, count.dtype),
                dtype=count.dtype)


@written("reverse")
def _reverse(w: GraphWriter, node: Any, x: Term) -> Term:
    axis = node.attrs["axis"]
    return w.reverse(x, axis) if axis else x


@written("reverse_sequence")
def _reverse_sequence(w: GraphWriter, node: Any, x: Term, lengths: Term) -> Term:
    seq, batch = node.attrs["seq_axis"], node.attrs["batch_axis"]
    if {seq, batch} != {0, 1}:
        raise ExportError("ONNX reverses along the first two axes")
    return w.op("ReverseSequence", x, w.cast(lengths, INT64), time_axis=seq, batch_axis=batch)


@written("roll")
def _roll(w: GraphWriter, node: Any, x: Term) -> Term:
    shifts = w.vector(node.attrs["shift"])
    for i, axis in enumerate(node.attrs["axis"]):
        size = w.squeeze(w.size_of(x, axis), 0)
        shift = w.op("Gather", shifts, w.constant(np.int64(i)))
        at = w.op("Mod", counting(w, size) - shift, size)
        x = w.op("Gather", x, at, axis=axis, shape=x.shape)
    return x


@written("range")
def _range(w: GraphWriter, node: Any, start: Term, limit: Term, delta: Term) -> Term:
    return w.op("Range", start, limit, delta)


@written("linspace")
def _linspace(w: GraphWriter, node: Any, start: Term, stop: Term) -> Term:
    if start.rank:
        raise ExportError("linspace between arrays")
    num = w.squeeze(w.vector(node.attrs["num"]), 0)
    steps = w.op("Max", num - 1, w.scalar(1, INT64))
    at = w.cast(counting(w, num), start.dtype)
    return start + at * ((stop - start) / w.cast(steps, start.dtype))


@written("sequence_mask")
def _sequence_mask(w: GraphWriter, node: Any, lengths: Term) -> Term:
    limit = w.squeeze(w.vector(node.attrs["maxlen"]), 0)
    return w.cast(counting(w, limit), lengths.dtype) < w.unsqueeze(lengths, -1)


@written("one_hot")
def _one_hot(w: GraphWriter, node: Any, indices: Term) -> Term:
    """By comparison: an index out of range is no class, where ONNX counts from the end."""
    attrs = node.attrs
    dtype = node.outputs[0].dtype
    depth = w.squeeze(w.vector(attrs["depth"]), 0)
    axis, rank = attrs["axis"], indices.rank
    classes = counting(w, depth)
    if axis < rank:
        classes = w.unsqueeze(classes, *range(1, rank - axis + 1))
    hot = w.unsqueeze(w.cast(indices, INT64), axis).equals(classes)
    on, off = [w.term(attrs[key]) if isinstance(attrs[key], ir.Value) else w.scalar(
        attrs[key], dtype) for key in ("on", "off")]
    return w.where(hot, on, off)


@written("sum_to")
def _sum_to(w: GraphWriter, node: Any, x: Term) -> Term:
    """Summed over the axes along which an operand was broadcast."""
    shape = node.attrs["shape"]
    if isinstance(shape, ir.Value) or None in shape or x.shape is None or None in x.shape:
        return _sum_to_sizes(w, x, w.vector(shape))
    lead = x.rank - len(shape)
    axes = [*range(lead), *[i + lead for i, n in enumerate(shape)
                            if n == 1 and x.shape[i + lead] != 1]]
    total = w.op("ReduceSum", x, w.ints(*axes), keepdims=1) if axes else x
    return w.squeeze(total, *range(lead)) if lead else total


def _sum_to_sizes(w: GraphWriter, x: Term, sizes: Term) -> Term:
    """The same where a run brings the sizes: the axes are those of 1 in place of more."""
    have = w.op("Shape", x, dtype=INT64)
    lead = w.op("Size", have, dtype=INT64, shape=()) - w.op("Size", sizes, dtype=INT64, shape=())
    whole = w.concat([w.op("Expand", w.scalar(1, INT64), w.unsqueeze(lead, 0)), sizes])
    axes = w.reshape(w.op("NonZero", ~whole.equals(have), dtype=INT64), (-1,))
    total = w.op("ReduceSum", x, axes, keepdims=1, noop_with_empty_axes=1)
    return w.reshape(total, sizes)
