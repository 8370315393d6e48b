"""Sums, extremes, orders and running sums along axes, over segments and into bins."""

from __future__ import annotations

from typing import Any

import numpy as np

from tapeflow.base import dtypes
from tapeflow.tensorflow_graphs.writing.operands import (
    FULL,
    axes,
    cast,
    given,
    halves,
    inverse,
    joined,
    known,
    like,
    product,
    rank,
    reshape,
    size,
    sizes,
    transpose,
)
from tapeflow.tensorflow_graphs.writing.records.element_writers import along_last
from tapeflow.tensorflow_graphs.writing.written_records import written

_INDEX = ("int32", "int64")

# -- reductions ------------------------------------------------------------------------------------
_REDUCTIONS = {"reduce_sum": "Sum", "reduce_mean": "Mean", "reduce_max": "Max",
               "reduce_min": "Min", "reduce_prod": "Prod", "reduce_any": "Any",
               "reduce_all": "All", "reduce_euclidean_norm": "EuclideanNorm"}
for _record, _op in _REDUCTIONS.items():
    written(_record)(lambda w, node, x, op=_op: w.emit(
        op, [x, axes(w, x, node.attrs.get("axis"))],
        {"keep_dims": bool(node.attrs.get("keepdims", False))}))


@written("reduce_variance")
def reduce_variance(w: Any, node: Any, x: Any) -> Any:
    over = axes(w, x, node.attrs.get("axis"))
    keep = bool(node.attrs.get("keepdims", False))
    rest = w.Sub(x, w.Mean(x, over, keep_dims=True))
    if x.dtype.kind == "c":
        kind = dtypes.float64 if x.dtype is dtypes.complex128 else dtypes.float32
        return w.Mean(w.Real(w.Mul(w.Conj(rest), rest), Tout=kind), over, keep_dims=keep)
    return w.Mean(w.Square(rest), over, keep_dims=keep)


def _shifted(w: Any, x: Any, over: Any) -> tuple[Any, Any]:
    """exp(x - m), and m: the largest where it is finite, else 0."""
    most = w.Max(x, over, keep_dims=True)
    most = w.StopGradient(w.SelectV2(w.IsFinite(most), most, like(w, 0, x)))
    return w.Exp(w.Sub(x, most)), most


@written("reduce_logsumexp")
def reduce_logsumexp(w: Any, node: Any, x: Any) -> Any:
    over = axes(w, x, node.attrs.get("axis"))
    keep = bool(node.attrs.get("keepdims", False))
    shares, most = _shifted(w, x, over)
    total = w.Log(w.Sum(shares, over, keep_dims=keep))
    return w.AddV2(total, most if keep else w.Reshape(most, w.Shape(total)))


@written("exp_share")
def exp_share(w: Any, node: Any, x: Any) -> Any:
    over = axes(w, x, node.attrs.get("axis"))
    shares, _ = _shifted(w, x, over)
    return w.RealDiv(shares, w.Sum(shares, over, keep_dims=True))


@written("tie_share")
def tie_share(w: Any, node: Any, x: Any, y: Any) -> Any:
    def run(x: Any, y: Any) -> Any:
        chosen = w.Cast(w.Equal(x, y), DstT=x.dtype)
        return w.RealDiv(chosen, w.Sum(chosen, axes(w, node_x, node.attrs.get("axis")),
                                       keep_dims=True))

    node_x = x
    return halves(w, [x, y], run)


@written("count_nonzero")
def count_nonzero(w: Any, node: Any, x: Any) -> Any:
    none = w.const(b"", dtypes.string) if x.dtype is dtypes.string else like(w, 0, x)
    marks = w.Cast(w.NotEqual(x, none), DstT=dtypes.int64)
    found = w.Sum(marks, axes(w, x, node.attrs.get("axis")),
                  keep_dims=bool(node.attrs.get("keepdims", False)))
    return cast(w, found, dtypes.of(node.attrs["dtype"]))


@written("element_count")
def element_count(w: Any, node: Any, x: Any) -> Any:
    axis = node.attrs.get("axis")
    shape = w.Shape(x, out_type=dtypes.int64)
    if axis is not None:
        shape = w.GatherV2(shape, axes(w, x, axis), w.const(0, dtypes.int32))
    count = w.Prod(shape, w.const([0], dtypes.int32))
    return cast(w, w.Maximum(count, w.const(1, dtypes.int64)), x.dtype)


for _record, _op in (("argmax", "ArgMax"), ("argmin", "ArgMin")):
    written(_record)(lambda w, node, x, op=_op: _position(w, op, node, x))


def _position(w: Any, op: str, node: Any, x: Any) -> Any:
    kind = dtypes.of(node.attrs["dtype"])
    found = w.emit(op, [x, given(w, node.attrs["axis"])],
                   {"output_type": kind if kind.name in _INDEX else dtypes.int64})
    return cast(w, found, kind)


# -- running sums ----------------------------------------------------------------------------------
_SCANS = {"cumsum": "Cumsum", "cumprod": "Cumprod", "cumulative_logsumexp": "CumulativeLogsumexp"}
for _record, _op in _SCANS.items():
    written(_record)(lambda w, node, x, op=_op: _scan(w, op, node, x))


def _scan(w: Any, op: str, node: Any, x: Any) -> Any:
    return w.emit(op, [x, given(w, node.attrs.get("axis", 0))],
                  {key: bool(node.attrs.get(key, False)) for key in ("exclusive", "reverse")})


@written("scan_exp")
def scan_exp(w: Any, node: Any, g: Any, x: Any, y: Any) -> Any:
    """exp(x) times the running sum of g exp(-y), in logarithms, for each sign of g alone."""
    none = like(w, -np.inf, g)
    parts = []
    for signed in (g, w.Neg(g)):
        logs = w.SelectV2(w.Greater(signed, like(w, 0, g)), w.Sub(w.Log(signed), y), none)
        summed = _scan(w, "CumulativeLogsumexp", node, logs)
        # The op's empty sum is the lowest number: it stands for minus infinity.
        summed = w.SelectV2(w.Less(summed, like(w, _lowest(g.dtype) / 2, g)), none, summed)
        parts.append(w.Exp(w.AddV2(summed, x)))
    return w.Sub(*parts)


def _lowest(kind: Any) -> float:
    import ml_dtypes
    return float(ml_dtypes.finfo(kind.np).min)


# -- orders ----------------------------------------------------------------------------------------
def _flipped(w: Any, x: Any) -> Any:
    return w.Neg(x) if x.dtype.is_floating else w.Invert(x)


def _ordered(w: Any, node: Any, x: Any) -> tuple[Any, Any]:
    """Values and indices by size along an axis; equal ones stay in their order."""
    axis, descending = node.attrs["axis"], node.attrs["descending"]
    perm = along_last(x, axis)
    rows = transpose(w, x, perm)
    values, indices = w.TopKV2(rows if descending else _flipped(w, rows), size(w, x, axis))
    values = values if descending else _flipped(w, values)
    return transpose(w, values, inverse(perm)), transpose(w, indices, inverse(perm))


@written("sort")
def sort(w: Any, node: Any, x: Any) -> Any:
    return _ordered(w, node, x)[0]


@written("argsort")
def argsort(w: Any, node: Any, x: Any) -> Any:
    return _ordered(w, node, x)[1]


@written("ranks")
def ranks(w: Any, node: Any, keys: Any) -> Any:
    """Where a stable sort puts each key: the order of the order."""
    count = size(w, keys, -1)
    _, order = w.TopKV2(w.Invert(keys), count)
    _, back = w.TopKV2(w.Neg(order), count)
    return w.Cast(back, DstT=dtypes.int64)


@written("top_k")
def top_k(w: Any, node: Any, x: Any) -> Any:
    return w.TopKV2(x, given(w, node.attrs["k"]), index_type=dtypes.of(node.attrs["dtype"]))


@written("in_top_k")
def in_top_k(w: Any, node: Any, predictions: Any, targets: Any) -> Any:
    wide = cast(w, predictions, dtypes.float32)
    targets = targets if targets.dtype.name in _INDEX else w.Cast(targets, DstT=dtypes.int64)
    k = given(w, node.attrs["k"], targets.dtype)
    if rank(predictions) == 2:
        return w.InTopKV2(wide, targets, k)
    shape = sizes(w, predictions)
    found = w.InTopKV2(reshape(w, wide, [-1, shape[-1]]), reshape(w, targets, [-1]), k)
    return reshape(w, found, shape[:-1])


# -- segments --------------------------------------------------------------------------------------
def _rows(w: Any, node: Any) -> Any:
    return given(w, node.attrs["rows"])


def _ids(w: Any, ids: Any) -> Any:
    return ids if ids.dtype.name in _INDEX else w.Cast(ids, DstT=dtypes.int64)


def _trailing(w: Any, ids: Any, per_id: Any, x: Any) -> Any:
    """Something for each id, laid out so that it broadcasts against the rows."""
    extra = rank(x) - rank(ids)
    return per_id if not extra else w.Reshape(per_id, joined(
        w, [[w.shape_of(ids)], *[1] * extra]))


for _record, _op in (("segment_sum", "Sum"), ("segment_prod", "Prod")):
    written(_record)(lambda w, node, x, ids, kind=_op: _segments(w, kind, node, x, ids))


def _segments(w: Any, kind: str, node: Any, x: Any, ids: Any) -> Any:
    if node.attrs.get("rows") is None:
        return w.emit(f"Segment{kind}", [x, _ids(w, ids)])
    return w.emit(f"UnsortedSegment{kind}", [x, _ids(w, ids), _rows(w, node)])


def _counts(w: Any, ids: Any, rows: Any, kind: Any) -> Any:
    """How many ids each segment has, at least 1."""
    ones = w.Cast(w.OnesLike(ids), DstT=kind)
    return w.Maximum(w.UnsortedSegmentSum(ones, ids, rows), w.const(1, kind))


@written("segment_mean")
def segment_mean(w: Any, node: Any, x: Any, ids: Any) -> Any:
    if node.attrs.get("rows") is None:
        return w.SegmentMean(x, _ids(w, ids))
    where, rows = _ids(w, ids), _rows(w, node)
    total = w.UnsortedSegmentSum(x, where, rows)
    counts = reshape(w, _counts(w, where, rows, dtypes.int64), [
        -1, *[1] * (rank(x) - rank(ids))])
    counts = w.Cast(counts, DstT=x.dtype)
    return w.RealDiv(total, counts) if x.dtype.kind in "fcV" else w.TruncateDiv(total, counts)


for _record, _op in (("segment_max", "Max"), ("segment_min", "Min")):
    written(_record)(lambda w, node, x, ids, kind=_op: _extremes(w, kind, node, x, ids))


def _extremes(w: Any, kind: str, node: Any, x: Any, ids: Any) -> Any:
    where, missing = _ids(w, ids), node.attrs.get("missing", 0)
    if node.attrs.get("rows") is None:
        return w.emit(f"Segment{kind}", [x, where])
    rows = _rows(w, node)
    found = w.emit(f"UnsortedSegment{kind}", [x, where, rows])
    if missing is None:
        return found
    counts = w.UnsortedSegmentSum(w.OnesLike(where), where, rows)
    there = reshape(w, w.Greater(counts, like(w, 0, counts)), [-1, *[1] * (rank(x) - rank(ids))])
    return w.SelectV2(there, found, like(w, missing, x))


def _count_of(w: Any, ids: Any) -> Any:
    """So many segments that every id has one."""
    most = w.Max(_flat(w, ids), w.const([0], dtypes.int32))
    return w.AddV2(w.Maximum(most, like(w, -1, ids)), like(w, 1, ids))


def _flat(w: Any, x: Any) -> Any:
    return w.Reshape(x, w.const([-1], dtypes.int32))


def _picked(w: Any, rows: Any, ids: Any) -> Any:
    return w.GatherV2(rows, w.Maximum(ids, like(w, 0, ids)), w.const(0, dtypes.int32))


@written("segment_sizes")
def segment_sizes(w: Any, node: Any, x: Any, ids: Any) -> Any:
    where = _ids(w, ids)
    counts = _picked(w, _counts(w, where, _count_of(w, where), dtypes.int64), where)
    counts = cast(w, _trailing(w, ids, counts, x), x.dtype)
    return w.BroadcastTo(counts, w.shape_of(x))


@written("segment_share")
def segment_share(w: Any, node: Any, x: Any, extreme: Any, ids: Any) -> Any:
    """Elements equal to the extreme of their segment share equally."""
    where = _ids(w, ids)
    inside = _trailing(w, ids, w.GreaterEqual(where, like(w, 0, where)), x)
    chosen = w.LogicalAnd(w.Equal(x, _picked(w, extreme, where)), inside)
    marks = w.Cast(chosen, DstT=dtypes.float64)
    counts = w.UnsortedSegmentSum(marks, where, size(w, extreme, 0))
    counts = w.Maximum(_picked(w, counts, where), w.const(1, dtypes.float64))
    return w.Cast(w.RealDiv(marks, counts), DstT=x.dtype)


@written("segment_others")
def segment_others(w: Any, node: Any, x: Any, ids: Any) -> Any:
    """For each element the product of the others in its segment, exact also where one is 0."""
    where = _ids(w, ids)
    rows = _count_of(w, where)
    zero = w.Equal(x, like(w, 0, x))
    whole = w.SelectV2(zero, like(w, 1, x), x)
    shares = _picked(w, w.UnsortedSegmentProd(whole, where, rows), where)
    divide = w.RealDiv if x.dtype.kind in "fcV" else w.TruncateDiv
    inside = _trailing(w, ids, w.GreaterEqual(where, like(w, 0, where)), x)
    shares = w.SelectV2(inside, divide(shares, whole), like(w, 0, x))
    marks = w.Cast(zero, DstT=dtypes.int64)
    others = _picked(w, w.UnsortedSegmentSum(marks, where, rows), where)
    return w.SelectV2(w.Equal(others, marks), shares, like(w, 0, x))


@written("shift_ids")
def shift_ids(w: Any, node: Any, ids: Any) -> Any:
    axis = node.attrs["axis"]
    wide = cast(w, ids, dtypes.int64)
    zero, one = w.const(0, dtypes.int64), w.const(1, dtypes.int64)
    steps = w.Mul(w.Range(zero, size(w, ids, axis, dtypes.int64), one),
                  given(w, node.attrs["rows"], dtypes.int64))
    steps = reshape(w, steps, [-1, *[1] * (rank(ids) - axis - 1)])
    return w.SelectV2(w.Less(wide, zero), wide, w.AddV2(wide, steps))


# -- bins ------------------------------------------------------------------------------------------
@written("bincount")
def bincount(w: Any, node: Any, values: Any, weights: Any) -> Any:
    """Counts, or sums of weights, along the last axis."""
    binary, kind = bool(node.attrs["binary"]), weights.dtype
    shape = sizes(w, values)
    if kind.kind == "c":
        raise NotImplementedError("TensorFlow counts with no complex weights")
    if kind.name not in (*FULL, *_INDEX):
        weights = w.Cast(weights, DstT=dtypes.float32 if kind.is_floating else dtypes.int64)
    wide = values if values.dtype.name in _INDEX else w.Cast(values, DstT=dtypes.int64)
    count = given(w, node.attrs["size"], wide.dtype)
    if binary:
        weights = w.const(np.zeros(0), weights.dtype)
    if len(shape) > 2:
        wide = reshape(w, wide, [product(w, shape[:-1]), shape[-1]])
        weights = weights if binary else reshape(w, weights, [product(w, shape[:-1]), shape[-1]])
    found = cast(w, w.DenseBincount(wide, count, weights, binary_output=binary), kind)
    return reshape(w, found, [*shape[:-1], count]) if len(shape) > 2 else found


@written("bin_weight")
def bin_weight(w: Any, node: Any, g: Any, values: Any) -> Any:
    lead = rank(values) - 1
    ids = values if values.dtype.name in _INDEX else w.Cast(values, DstT=dtypes.int64)
    kept = w.Less(ids, size(w, g, -1, ids.dtype))
    found = w.GatherV2(g, w.SelectV2(kept, ids, like(w, 0, ids)), w.const(lead, dtypes.int32),
                       batch_dims=lead)
    return w.SelectV2(kept, found, like(w, 0, g))


@written("bin_extent")
def bin_extent(w: Any, node: Any, x: Any) -> Any:
    low, high = node.attrs["low"], node.attrs["high"]
    most = w.Max(_flat(w, cast(w, x, dtypes.int64)), w.const([0], dtypes.int32))
    one = w.const(1, dtypes.int64)
    count = w.AddV2(w.Maximum(most, w.const(-1, dtypes.int64)), one)
    count = w.Maximum(count, given(w, low, dtypes.int64))
    if not known(high) or high is not None:
        count = w.Minimum(count, given(w, high, dtypes.int64))
    return w.Cast(w.Maximum(count, w.const(0, dtypes.int64)), DstT=dtypes.int32)


@written("histogram")
def histogram(w: Any, node: Any, values: Any, low: Any, high: Any) -> Any:
    if values.dtype.name not in (*FULL, *_INDEX):
        values = w.Cast(values, DstT=dtypes.float32)
    ends = w.Pack([cast(w, one, values.dtype) for one in (low, high)])
    return w.HistogramFixedWidth(values, ends, given(w, node.attrs["nbins"]),
                                 dtype=dtypes.of(node.attrs["dtype"]))


@written("histogram_bins")
def histogram_bins(w: Any, node: Any, values: Any, low: Any, high: Any) -> Any:
    kind = values.dtype
    if not kind.is_floating:
        values, low, high = (w.Cast(x, DstT=dtypes.float64) for x in (values, low, high))
    count = given(w, node.attrs["nbins"], values.dtype)
    share = w.RealDiv(w.Sub(values, low), w.Sub(high, low))
    found = w.Floor(w.Mul(count, share))
    last = w.Sub(count, w.const(1, values.dtype))
    found = w.Minimum(w.Maximum(found, w.const(0, values.dtype)), last)
    return w.Cast(found, DstT=dtypes.int32)
