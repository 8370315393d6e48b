"""Elements by index: slices, gather, scatter."""

from __future__ import annotations

from typing import Any

import numpy as np

from tapeflow.base import dtypes
from tapeflow.ops.indexing.basic_indexing import OPEN
from tapeflow.tensorflow_graphs.writing.operands import (
    cast,
    element,
    given,
    inverse,
    joined,
    known,
    like,
    product,
    rank,
    reshape,
    scalar,
    shaped,
    size,
    size_known,
    sizes,
    transpose,
)
from tapeflow.tensorflow_graphs.writing.records.arrays import put_inside
from tapeflow.tensorflow_graphs.writing.written_records import same, written

same("""
where Where
""")


def _flat(w: Any, x: Any) -> Any:
    return w.Reshape(x, w.const([-1], dtypes.int32))


def _indices(w: Any, x: Any) -> Any:
    """Indices in a type that kernels take."""
    return x if x.dtype.name in ("int32", "int64") else w.Cast(x, DstT=dtypes.int64)


# -- slices ----------------------------------------------------------------------------------------
class Bounds:
    """A spec of `strided` as the inputs and masks of StridedSlice."""

    def __init__(self, w: Any, node: Any):
        bounds = node.attrs.get("bounds", ())
        self._w, self._next = w, 0
        self._vector = None if known(bounds) else cast(w, w.ref(bounds), dtypes.int32)
        self._given = list(bounds) if known(bounds) else []
        begin, end, steps = [], [], []
        masks = {"begin_mask": 0, "end_mask": 0, "new_axis_mask": 0, "shrink_axis_mask": 0}
        for i, item in enumerate(node.attrs["spec"]):
            bit = 1 << i
            if item is None:
                masks["new_axis_mask"] |= bit
                first, last, step = 0, 0, 1
            elif isinstance(item, tuple):
                first, last, step = [self._bound(n) for n in item]
                masks["begin_mask"] |= bit if item[0] is None else 0
                masks["end_mask"] |= bit if item[1] is None else 0
            else:
                masks["shrink_axis_mask"] |= bit
                first, step = self._bound(item), 1
                last = first + 1 if isinstance(first, int) else w.AddV2(
                    first, w.const(1, dtypes.int32))
            begin.append(first or 0)
            end.append(last or 0)
            steps.append(step or 1)
        # An empty spec takes all: the op wants vectors of at least one element.
        if not begin:
            begin, end, steps = [0], [0], [1]
            masks = {"ellipsis_mask": 1}
        self.inputs = [joined(w, one) for one in (begin, end, steps)]
        self.masks = masks

    def _bound(self, n: Any) -> Any:
        if n != OPEN or n is None:
            return n
        self._next += 1
        if self._vector is None:
            return self._given[self._next - 1]
        return element(self._w, self._vector, self._next - 1)


@written("strided")
def strided(w: Any, node: Any, x: Any) -> Any:
    at = Bounds(w, node)
    return w.StridedSlice(x, *at.inputs, **at.masks)


@written("unstrided")
def unstrided(w: Any, node: Any, x: Any) -> Any:
    at = Bounds(w, node)
    return w.StridedSliceGrad(given(w, node.attrs["shape"]), *at.inputs, x, **at.masks)


@written("placed")
def placed(w: Any, node: Any, x: Any, value: Any) -> Any:
    at = Bounds(w, node)
    extra = rank(value) - sum([not isinstance(item, int) and item != OPEN
                               for item in node.attrs["spec"]])
    named = sum([item is not None for item in node.attrs["spec"]])
    extra -= rank(x) - named
    if extra > 0:
        value = reshape(w, value, sizes(w, value)[extra:])
    shape = w.Shape(w.StridedSlice(x, *at.inputs, **at.masks))
    return w.TensorStridedSliceUpdate(x, *at.inputs, w.BroadcastTo(value, shape), **at.masks)


@written("section")
def section(w: Any, node: Any, x: Any) -> Any:
    return w.Slice(x, given(w, node.attrs["begin"]), given(w, node.attrs["size"]))


@written("unsection")
def unsection(w: Any, node: Any, x: Any) -> Any:
    return put_inside(w, x, given(w, node.attrs["begin"]), given(w, node.attrs["shape"]))


def _clamped(w: Any, x: Any, start: Any, window: Any) -> Any:
    """Where a window begins that is moved into the tensor."""
    room = w.Sub(w.shape_of(x), window)
    start = cast(w, start, dtypes.int32)
    return w.Minimum(w.Maximum(start, w.const(0, dtypes.int32)), room)


@written("dynamic_slice")
def dynamic_slice(w: Any, node: Any, x: Any, start: Any) -> Any:
    window = given(w, node.attrs["size"])
    return w.Slice(x, _clamped(w, x, start, window), window)


@written("dynamic_update_slice")
def dynamic_update_slice(w: Any, node: Any, x: Any, update: Any, start: Any) -> Any:
    window = w.shape_of(update)
    first = _clamped(w, x, start, window)
    return w.TensorStridedSliceUpdate(x, first, w.AddV2(first, window), w.OnesLike(first), update)


# -- rows by index ---------------------------------------------------------------------------------
@written("gather", "take")
def gather(w: Any, node: Any, params: Any, indices: Any) -> Any:
    return w.GatherV2(params, _indices(w, indices), given(w, node.attrs.get("axis", 0)),
                      batch_dims=node.attrs.get("batch_dims", 0))


@written("gather_rows")
def gather_rows(w: Any, node: Any, params: Any, indices: Any) -> Any:
    return w.GatherV2(params, _indices(w, indices), w.const(0, dtypes.int32))


@written("scatter_rows")
def scatter_rows(w: Any, node: Any, values: Any, indices: Any) -> Any:
    where = w.ExpandDims(_indices(w, indices), w.const(-1, dtypes.int32))
    if not rank(indices):  # one row: the op wants a list of them
        first = w.const(0, dtypes.int32)
        where, values = w.ExpandDims(where, first), w.ExpandDims(values, first)
    return w.ScatterNd(where, values, given(w, node.attrs["shape"], where.dtype))


@written("ungather")
def ungather(w: Any, node: Any, g: Any, indices: Any) -> Any:
    """Zeros to which each slice is added where it was looked up: sums over segments."""
    axis, batch = node.attrs["axis"], node.attrs["batch_dims"]
    shape = node.attrs["shape"]
    goal = list(shape) if known(shape) else [
        element(w, given(w, shape), i) for i in range(rank(g) - rank(indices) + batch + 1)]
    looked = rank(indices) - batch
    lead, before, after = goal[:batch], goal[batch:axis], goal[axis + 1:]
    # The axes of the indices first, then what was before and behind the axis.
    perm = [*range(batch), *range(axis, axis + looked), *range(batch, axis),
            *range(axis + looked, rank(g))]
    ids, count = _indices(w, indices), product(w, lead)
    rows = scalar(w, goal[axis], ids.dtype)
    if batch:
        places = w.Range(w.const(0, ids.dtype), scalar(w, count, ids.dtype),
                         w.const(1, ids.dtype))
        offset = reshape(w, w.Mul(places, rows), [*lead, *[1] * looked])
        ids, rows = w.AddV2(ids, offset), w.Mul(rows, scalar(w, count, ids.dtype))
    summed = w.UnsortedSegmentSum(transpose(w, g, perm), ids, rows)
    laid = reshape(w, summed, [*lead, goal[axis], *before, *after])
    order = [*range(batch), *range(batch + 1, axis + 1), batch, *range(axis + 1, len(goal))]
    return transpose(w, laid, order)


# -- elements by coordinates -----------------------------------------------------------------------
def _policy(node: Any) -> str:
    return "IGNORE" if node.attrs.get("ignore") else ""


@written("gather_nd")
def gather_nd(w: Any, node: Any, params: Any, indices: Any) -> Any:
    return w.GatherNd(params, _indices(w, indices), bad_indices_policy=_policy(node))


@written("scatter_nd")
def scatter_nd(w: Any, node: Any, updates: Any, indices: Any) -> Any:
    if indices.shape and indices.shape[-1] == 0:  # all go to one place, which the op refuses
        return w.Sum(updates, w.const(np.arange(rank(indices) - 1), dtypes.int32))
    indices = _indices(w, indices)
    return w.ScatterNd(indices, updates, given(w, node.attrs["shape"], indices.dtype),
                       bad_indices_policy=_policy(node))


_SCATTERS = {"add": "TensorScatterAdd", "sub": "TensorScatterSub", "min": "TensorScatterMin",
             "max": "TensorScatterMax", "update": "TensorScatterUpdate"}
for _name, _op in _SCATTERS.items():
    written(f"tensor_scatter_nd_{_name}")(lambda w, node, x, indices, updates, op=_op: w.emit(
        op, [x, _indices(w, indices), updates], {"bad_indices_policy": _policy(node)}))


@written("tensor_scatter_nd_mul")
def tensor_scatter_nd_mul(w: Any, node: Any, x: Any, indices: Any, updates: Any) -> Any:
    return w.Mul(x, _factors(w, node, x, indices, updates))


@written("tensor_scatter_nd_div")
def tensor_scatter_nd_div(w: Any, node: Any, x: Any, indices: Any, updates: Any) -> Any:
    factors = _factors(w, node, x, indices, updates)
    return w.RealDiv(x, factors) if x.dtype.kind in "fcV" else w.TruncateDiv(x, factors)


def _factors(w: Any, node: Any, x: Any, indices: Any, updates: Any) -> Any:
    """The product of the updates of each element, 1 where there is none."""
    indices = _indices(w, indices)
    depth = rank(shaped(indices, node.inputs[1].shape))
    columns = size_known(shaped(indices, node.inputs[1].shape), depth - 1)
    shape = sizes(w, x)
    flat = w.const(0, indices.dtype)
    for i, column in enumerate(w.Unpack(indices, num=columns, axis=depth - 1)):
        flat = w.AddV2(w.Mul(flat, scalar(w, shape[i], indices.dtype)), column)
    rows = scalar(w, product(w, shape[:columns]), indices.dtype)
    return reshape(w, w.UnsortedSegmentProd(updates, flat, rows), shape)


# -- elements along an axis ------------------------------------------------------------------------
def along_last(x: Any, axis: int) -> list[int]:
    """The order of axes in which one of them is the last."""
    dims = rank(x)
    return [*[i for i in range(dims) if i != axis % dims], axis % dims]


@written("take_along")
def take_along(w: Any, node: Any, x: Any, indices: Any) -> Any:
    perm = along_last(x, node.attrs["axis"])
    lead = len(perm) - 1
    found = w.GatherV2(transpose(w, x, perm), transpose(w, _indices(w, indices), perm),
                       w.const(lead, dtypes.int32), batch_dims=lead)
    return transpose(w, found, inverse(perm))


@written("put_along")
def put_along(w: Any, node: Any, x: Any, indices: Any) -> Any:
    """Each element where its index says along an axis, zeros elsewhere."""
    perm = along_last(x, node.attrs["axis"])
    shape = sizes(w, x)
    lead = [shape[i] for i in perm[:-1]]
    count = given(w, node.attrs["size"], dtypes.int32)
    rows = scalar(w, product(w, lead))
    ids = cast(w, transpose(w, indices, perm), dtypes.int32)
    offset = w.Mul(w.Range(w.const(0, dtypes.int32), rows, w.const(1, dtypes.int32)), count)
    ids = w.AddV2(ids, reshape(w, offset, [*lead, 1]))
    summed = w.UnsortedSegmentSum(transpose(w, x, perm), ids, w.Mul(rows, count))
    return transpose(w, reshape(w, summed, [*lead, count]), inverse(perm))


@written("permute_rows")
def permute_rows(w: Any, node: Any, x: Any, order: Any) -> Any:
    lead = rank(order) - 1
    order = _indices(w, order)
    if node.attrs.get("inverse"):
        _, back = w.TopKV2(w.Neg(order), size(w, shaped(order, node.inputs[1].shape), -1))
        order = back
    return w.GatherV2(x, order, w.const(lead, dtypes.int32), batch_dims=lead)


@written("pick_rows")
def pick_rows(w: Any, node: Any, x: Any, ids: Any) -> Any:
    """Rows by index; zeros for negative ones."""
    ids = _indices(w, ids)
    zero = like(w, 0, ids)
    rows = w.GatherV2(x, w.Maximum(ids, zero), w.const(0, dtypes.int32))
    there = w.GreaterEqual(ids, zero)
    there = w.Reshape(there, joined(w, [[w.Shape(ids)], *[1] * (rank(x) - 1)]))
    return w.SelectV2(there, rows, like(w, 0, x))


# -- rows of TensorArrays' gradients ---------------------------------------------------------------
def _without_row(w: Any, g: Any, index: Any, x: Any) -> Any:
    """Zeros in place of one row; `x` has the axes of `g`."""
    rows = element(w, w.Shape(g), 0)
    places = w.Range(w.const(0, dtypes.int32), rows, w.const(1, dtypes.int32))
    there = w.Equal(places, cast(w, index, dtypes.int32))
    there = w.Reshape(there, joined(w, [-1, *[1] * (rank(x) - 1)]))
    return w.SelectV2(there, like(w, 0, x), g)


@written("array_clear")
def array_clear(w: Any, node: Any, g: Any, index: Any) -> Any:
    count = given(w, node.attrs["size"])
    kept = w.StridedSlice(g, w.const([0], dtypes.int32), joined(w, [count]),
                          w.const([1], dtypes.int32))
    return _without_row(w, kept, index, g)


@written("array_unclear")
def array_unclear(w: Any, node: Any, g: Any, index: Any) -> Any:
    goal = sizes(w, g)
    goal[0] = given(w, node.attrs["size"])
    whole = put_inside(w, g, joined(w, [0] * rank(g)), joined(w, goal))
    return _without_row(w, whole, index, g)
