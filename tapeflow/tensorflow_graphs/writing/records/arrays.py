"""Shapes, and tensors rearranged, joined, split, padded, repeated."""

from __future__ import annotations

from typing import Any

import numpy as np

from tapeflow.base import dtypes
from tapeflow.tensorflow_graphs.writing.operands import (
    cast,
    element,
    given,
    joined,
    known,
    like,
    rank,
    reshape,
    scalar,
    size,
    sizes,
)
from tapeflow.tensorflow_graphs.writing.written_records import same, written

same("""
broadcast_args BroadcastArgs
invert_permutation InvertPermutation
rank Rank
""")


# -- shapes ----------------------------------------------------------------------------------------
@written("shape")
def shape(w: Any, node: Any, x: Any) -> Any:
    return w.Shape(x, out_type=dtypes.of(node.attrs["dtype"]))


@written("size")
def size_(w: Any, node: Any, x: Any) -> Any:
    return w.Size(x, out_type=dtypes.of(node.attrs["dtype"]))


@written("at_least")
def at_least(w: Any, node: Any, x: Any) -> Any:
    return w.Identity(x)  # the op that takes the sizes refuses them


@written("transposed_sizes")
def transposed_sizes(w: Any, node: Any, x: Any) -> Any:
    first, last = (2, None) if node.attrs["channel"] == 1 else (1, -1)
    return w.StridedSlice(x, w.const([first], dtypes.int32), w.const([last or 0], dtypes.int32),
                          w.const([1], dtypes.int32), end_mask=int(last is None))


@written("reshape")
def reshape_(w: Any, node: Any, x: Any) -> Any:
    return w.Reshape(x, _sizes(w, node.attrs["shape"]))


def _sizes(w: Any, attr: Any) -> Any:
    """Sizes as an input; a vector of a run keeps its type."""
    return given(w, attr) if known(attr) else w.ref(attr)


@written("broadcast_to")
def broadcast_to(w: Any, node: Any, x: Any) -> Any:
    return w.BroadcastTo(x, _sizes(w, node.attrs["shape"]))


@written("sum_to")
def sum_to(w: Any, node: Any, x: Any) -> Any:
    """Sum over the axes that broadcasting from a shape added or expanded."""
    target = node.attrs["shape"]
    if not known(target) or x.shape is None:
        wanted = given(w, target)
        over, _ = w.BroadcastGradientArgs(wanted, w.shape_of(x))
        return w.Reshape(w.Sum(x, over), wanted)
    extra = len(x.shape) - len(target)
    over = [*range(extra), *[i + extra for i, n in enumerate(target)
                             if n == 1 != x.shape[i + extra]]]
    found = w.Sum(x, w.const(over, dtypes.int32)) if over else x
    return w.Reshape(found, given(w, target))


@written("ensure_shape")
def ensure_shape(w: Any, node: Any, x: Any) -> Any:
    shape = node.attrs["shape"]
    return w.Identity(x) if shape is None else w.EnsureShape(x, shape=shape)


@written("expand_dims")
def expand_dims(w: Any, node: Any, x: Any) -> Any:
    return w.ExpandDims(x, given(w, node.attrs["axis"]))


@written("squeeze")
def squeeze(w: Any, node: Any, x: Any) -> Any:
    axis = node.attrs["axis"]
    if axis == ():  # the op would take it for all
        return w.Identity(x)
    return w.Squeeze(x, squeeze_dims=list(axis or ()))


@written("transpose")
def transpose(w: Any, node: Any, x: Any) -> Any:
    return w.Transpose(x, given(w, node.attrs["perm"]))


# -- joining and splitting -------------------------------------------------------------------------
@written("concat")
def concat(w: Any, node: Any, *xs: Any) -> Any:
    if len(xs) == 1:
        return w.Identity(xs[0])
    return w.ConcatV2(xs, given(w, node.attrs["axis"]))


@written("stack")
def stack(w: Any, node: Any, *xs: Any) -> Any:
    return w.Pack(xs, axis=node.attrs["axis"])


@written("unstack")
def unstack(w: Any, node: Any, x: Any) -> Any:
    if not node.outputs:
        return ()
    return w.Unpack(x, num=len(node.outputs), axis=node.attrs["axis"])


@written("split")
def split(w: Any, node: Any, x: Any) -> Any:
    parts, axis = node.attrs["sizes"], given(w, node.attrs["axis"])
    if known(parts) and len(set(parts)) == 1 and parts[0]:
        return w.Split(axis, x, num_split=len(parts))
    return w.SplitV(x, _sizes(w, parts), axis, num_split=len(node.outputs))


@written("cut")
def cut(w: Any, node: Any, x: Any) -> Any:
    axis, start, count = (node.attrs[key] for key in ("axis", "start", "size"))
    first = scalar(w, start if known(start) else w.ref(start))
    if known(start) and known(count):
        last: Any = start + count
    else:
        last = w.AddV2(first, scalar(w, count if known(count) else w.ref(count)))
    begin = joined(w, [*[0] * axis, start if known(start) else first])
    mask = 2**axis - 1
    return w.StridedSlice(x, begin, joined(w, [*[0] * axis, last]), joined(w, [1] * (axis + 1)),
                          begin_mask=mask, end_mask=mask)


def put_inside(w: Any, x: Any, before: Any, total: Any) -> Any:
    """A tensor inside zeros: vectors of what comes before it and of the sizes of the whole."""
    after = w.Sub(w.Sub(total, before), w.shape_of(x))
    return w.Pad(x, w.Pack([before, after], axis=1))


@written("uncut")
def uncut(w: Any, node: Any, x: Any) -> Any:
    axis, start, total = (node.attrs[key] for key in ("axis", "start", "total"))
    before: list = [0] * rank(x)
    before[axis] = start if known(start) else scalar(w, w.ref(start))
    whole = sizes(w, x)
    whole[axis] = total if known(total) else scalar(w, w.ref(total))
    return put_inside(w, x, joined(w, before), joined(w, whole))


# -- padding ---------------------------------------------------------------------------------------
def _pairs(w: Any, attr: Any, axes: int) -> Any:
    """(before, after) for each axis; of a run they come as one flat vector."""
    if known(attr):
        return w.const(np.array(attr, np.int32).reshape(axes, 2))
    return w.Reshape(w.ref(attr), w.const([-1, 2], dtypes.int32))


@written("pad")
def pad(w: Any, node: Any, x: Any) -> Any:
    value = node.attrs["value"]
    pairs = _pairs(w, node.attrs["paddings"], rank(x))
    if known(value) and type(value) is int and not value and x.dtype is not dtypes.string:
        return w.Pad(x, pairs)
    number = value if known(value) else w.ref(value)
    if x.dtype is dtypes.string and value == 0:
        number = w.const(b"", dtypes.string)
    return w.PadV2(x, pairs, number if not known(value) or x.dtype is dtypes.string
                   else like(w, number, x))


@written("crop")
def crop(w: Any, node: Any, x: Any) -> Any:
    crops = node.attrs["crops"]
    pairs = _pairs(w, crops, rank(x))
    before, after = w.Unpack(pairs, num=2, axis=1)
    total = w.shape_of(x, pairs.dtype)
    return w.Slice(x, before, w.Sub(w.Sub(total, before), after))


@written("mirror_pad")
def mirror_pad(w: Any, node: Any, x: Any) -> Any:
    return w.MirrorPad(x, _pairs(w, node.attrs["paddings"], rank(x)), mode=_mode(node))


@written("mirror_pad_grad")
def mirror_pad_grad(w: Any, node: Any, x: Any) -> Any:
    return w.MirrorPadGrad(x, _pairs(w, node.attrs["paddings"], rank(x)), mode=_mode(node))


def _mode(node: Any) -> str:
    return "REFLECT" if node.attrs["offset"] else "SYMMETRIC"


@written("fit_sizes")
def fit_sizes(w: Any, node: Any, x: Any) -> Any:
    """Cut or padded with zeros at the end of some axes."""
    shape = sizes(w, x)
    wanted = node.attrs["sizes"]
    whole = list(shape)
    for i, axis in enumerate(node.attrs["axes"]):
        whole[axis] = wanted[i] if known(wanted) else scalar(w, element(w, w.ref(wanted), i))
    now, goal = joined(w, shape), joined(w, whole)
    kept = w.Slice(x, joined(w, [0] * len(shape)), w.Minimum(now, goal))
    after = w.Maximum(w.Sub(goal, now), w.const(0, dtypes.int32))
    return w.Pad(kept, w.Pack([w.ZerosLike(after), after], axis=1))


# -- repeating, turning ----------------------------------------------------------------------------
@written("tile")
def tile(w: Any, node: Any, x: Any) -> Any:
    return _tiled(w, x, _sizes(w, node.attrs["multiples"]))


def _tiled(w: Any, x: Any, times: Any) -> Any:
    """The kernel has no uint16."""
    wide = w.Cast(x, DstT=dtypes.int32) if x.dtype is dtypes.uint16 else x
    return cast(w, w.Tile(wide, times), x.dtype)


@written("repeat")
def repeat(w: Any, node: Any, x: Any) -> Any:
    times, axis = node.attrs["repeats"], node.attrs["axis"]
    if isinstance(times, tuple):
        return w.GatherV2(x, w.const(np.repeat(np.arange(len(times)), times), dtypes.int32),
                          given(w, axis))
    if known(times) or not w.ref(times).shape:
        count = given(w, times)
        wide = _tiled(w, w.ExpandDims(x, given(w, axis + 1)), joined(
            w, [count if i == axis + 1 else 1 for i in range(rank(x) + 1)]))
        goal = sizes(w, x)
        goal[axis] = w.Mul(scalar(w, goal[axis]), count)
        return reshape(w, wide, goal)
    # Row i ends where the sum of the repeats up to it does.
    ends = w.Cumsum(given(w, times), w.const(0, dtypes.int32))
    places = w.Range(w.const(0, dtypes.int32), element(w, ends, -1), w.const(1, dtypes.int32))
    first = w.const(0, dtypes.int32)
    rows = w.UpperBound(w.ExpandDims(ends, first), w.ExpandDims(places, first))
    return w.GatherV2(x, w.Squeeze(rows, squeeze_dims=[0]), given(w, axis))


@written("roll")
def roll(w: Any, node: Any, x: Any) -> Any:
    return w.Roll(x, _sizes(w, node.attrs["shift"]), given(w, node.attrs["axis"]))


@written("reverse")
def reverse(w: Any, node: Any, x: Any) -> Any:
    return w.ReverseV2(x, given(w, node.attrs["axis"]))


@written("reverse_sequence")
def reverse_sequence(w: Any, node: Any, x: Any, lengths: Any) -> Any:
    return w.ReverseSequence(x, lengths, seq_dim=node.attrs["seq_axis"],
                             batch_dim=node.attrs["batch_axis"])


# -- ranges, grids, masks --------------------------------------------------------------------------
@written("range")
def range_(w: Any, node: Any, start: Any, limit: Any, delta: Any) -> Any:
    kind = start.dtype
    if kind.name in ("int32", "int64", "float32", "float64", "float16", "bfloat16"):
        return w.Range(start, limit, delta)
    wide = [cast(w, x, dtypes.int64) for x in (start, limit, delta)]
    return cast(w, w.Range(*wide), kind)


@written("linspace")
def linspace(w: Any, node: Any, start: Any, stop: Any) -> Any:
    """`num` points along a new axis; both ends are exact."""
    axis, count = node.attrs["axis"], given(w, node.attrs["num"])
    one, zero = w.const(1, dtypes.int32), w.const(0, dtypes.int32)
    steps = w.Cast(w.Maximum(w.Sub(count, one), one), DstT=start.dtype)
    first = w.AddV2(start, w.ZerosLike(stop))
    last = w.AddV2(stop, w.ZerosLike(start))
    dims = max(rank(start), rank(stop))
    places = reshape(w, w.Range(zero, count, one), [-1, *[1] * (dims - axis)])
    at = given(w, axis)
    first, last = w.ExpandDims(first, at), w.ExpandDims(last, at)
    step = w.RealDiv(w.Sub(last, first), steps)
    grid = w.AddV2(first, w.Mul(step, w.Cast(places, DstT=start.dtype)))
    at_end = w.LogicalAnd(w.Equal(places, w.Sub(count, one)), w.Greater(places, zero))
    return w.SelectV2(at_end, last, grid)


@written("one_hot")
def one_hot(w: Any, node: Any, indices: Any) -> Any:
    on, off = (w.const(node.attrs[key]) if known(node.attrs[key]) else w.ref(node.attrs[key])
               for key in ("on", "off"))
    if indices.dtype.name not in ("uint8", "int8", "int32", "int64"):
        indices = w.Cast(indices, DstT=dtypes.int64)
    axis = node.attrs["axis"]
    return w.OneHot(indices, given(w, node.attrs["depth"]), on, off,
                    axis=-1 if axis == rank(indices) else axis)


@written("sequence_mask")
def sequence_mask(w: Any, node: Any, lengths: Any) -> Any:
    if lengths.dtype.name not in ("int32", "int64", "float32", "float64"):
        lengths = w.Cast(lengths, DstT=dtypes.int64)
    columns = w.Range(like(w, 0, lengths), given(w, node.attrs["maxlen"], lengths.dtype),
                      like(w, 1, lengths))
    return w.Less(columns, w.ExpandDims(lengths, w.const(-1, dtypes.int32)))


# -- sets, partitions, orders ----------------------------------------------------------------------
@written("dynamic_partition")
def dynamic_partition(w: Any, node: Any, data: Any, partitions: Any) -> Any:
    return w.DynamicPartition(data, partitions, num_partitions=node.attrs["num"])


@written("dynamic_stitch")
def dynamic_stitch(w: Any, node: Any, data: Any, indices: Any) -> Any:
    return w.DynamicStitch([cast(w, indices, dtypes.int32)], [data])


@written("unique")
def unique(w: Any, node: Any, x: Any) -> Any:
    return w.UniqueWithCounts(x, out_idx=dtypes.of(node.attrs["dtype"]))


@written("unique_along")
def unique_along(w: Any, node: Any, x: Any) -> Any:
    kind = dtypes.of(node.attrs["dtype"]) if "dtype" in node.attrs else dtypes.int32
    return w.UniqueWithCountsV2(x, w.const([node.attrs["axis"]], dtypes.int64), out_idx=kind)


@written("searchsorted")
def searchsorted(w: Any, node: Any, sequence: Any, values: Any) -> Any:
    bound = w.LowerBound if node.attrs["side"] == "left" else w.UpperBound
    return bound(sequence, values, out_type=dtypes.of(node.attrs["dtype"]))


@written("unravel_index")
def unravel_index(w: Any, node: Any, indices: Any) -> Any:
    kind = indices.dtype
    wide = indices if kind.name in ("int32", "int64") else w.Cast(indices, DstT=dtypes.int64)
    return cast(w, w.UnravelIndex(wide, given(w, node.attrs["shape"], wide.dtype)), kind)


@written("from_start")
def from_start(w: Any, node: Any, index: Any) -> Any:
    count = given(w, node.attrs["size"], index.dtype)
    return w.SelectV2(w.Less(index, like(w, 0, index)), w.AddV2(index, count), index)


@written("with_rows")
def with_rows(w: Any, node: Any, indices: Any) -> Any:
    """Before the coordinates of each index, its own position along the first axes."""
    lead, kind = rank(indices) - 1, indices.dtype
    wide = kind if kind.name in ("int32", "int64") else dtypes.int64
    indices = cast(w, indices, wide)
    column = w.ZerosLike(w.StridedSlice(
        indices, joined(w, [0] * (lead + 1)), joined(w, [*[0] * lead, 1]),
        joined(w, [1] * (lead + 1)), begin_mask=2**lead - 1, end_mask=2**lead - 1))
    grids = []
    for i in range(node.attrs["depth"]):
        places = w.Range(w.const(0, wide), size(w, indices, i, wide), w.const(1, wide))
        grids.append(w.AddV2(column, reshape(w, places, [-1, *[1] * (lead - i)])))
    return cast(w, w.ConcatV2([*grids, indices], w.const(lead, dtypes.int32)), kind)
