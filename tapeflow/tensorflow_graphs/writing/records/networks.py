"""Softmax, losses, quantisation, checks."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tapeflow.base import dtypes
from tapeflow.tensorflow_graphs.writing.operands import (
    FULL,
    cast,
    element,
    halves,
    inverse,
    like,
    rank,
    reshape,
    size,
    size_known,
    sizes,
    transpose,
    within,
)
from tapeflow.tensorflow_graphs.writing.records.element_writers import along_last
from tapeflow.tensorflow_graphs.writing.written_records import same, written

same("""
l2_loss L2Loss
""")


# -- softmax ---------------------------------------------------------------------------------------
for _record, _op in (("softmax", "Softmax"), ("log_softmax", "LogSoftmax")):
    written(_record)(lambda w, node, x, op=_op: _over_classes(w, op, node, x))


def _over_classes(w: Any, op: str, node: Any, x: Any) -> Any:
    perm = along_last(x, node.attrs["axis"])
    return transpose(w, w.emit(op, [transpose(w, x, perm)]), inverse(perm))


# -- losses ----------------------------------------------------------------------------------------
def _in_rows(w: Any, run: Callable, logits: Any, labels: Any, sparse: bool) -> Any:
    """A loss of rows, whatever axes there are before the classes."""
    if rank(logits) == 2:
        return run(logits, labels)[0]
    shape = sizes(w, logits)
    flat = reshape(w, labels, [-1] if sparse else [-1, shape[-1]])
    return reshape(w, run(reshape(w, logits, [-1, shape[-1]]), flat)[0], shape[:-1])


@written("softmax_cross_entropy")
def softmax_cross_entropy(w: Any, node: Any, logits: Any, labels: Any, slope: Any) -> Any:
    return _in_rows(w, w.SoftmaxCrossEntropyWithLogits, logits, labels, False)


@written("softmax_slope")
def softmax_slope(w: Any, node: Any, logits: Any, labels: Any) -> Any:
    return w.Sub(w.Softmax(logits), labels)


def _labels(w: Any, labels: Any) -> Any:
    return labels if labels.dtype.name in ("int32", "int64") else w.Cast(labels, DstT=dtypes.int64)


@written("sparse_softmax_cross_entropy")
def sparse_softmax_cross_entropy(w: Any, node: Any, logits: Any, labels: Any, slope: Any) -> Any:
    return _in_rows(w, w.SparseSoftmaxCrossEntropyWithLogits, logits, _labels(w, labels), True)


def _one_hot(w: Any, labels: Any, x: Any) -> Any:
    return w.OneHot(_labels(w, labels), size(w, x, -1), like(w, 1, x), like(w, 0, x))


@written("sparse_softmax_slope")
def sparse_softmax_slope(w: Any, node: Any, logits: Any, labels: Any) -> Any:
    return w.Sub(w.Softmax(logits), _one_hot(w, labels, logits))


@written("add_one_hot")
def add_one_hot(w: Any, node: Any, x: Any, labels: Any) -> Any:
    return w.AddV2(x, _one_hot(w, labels, x))


@written("sigmoid_cross_entropy")
def sigmoid_cross_entropy(w: Any, node: Any, logits: Any, labels: Any) -> Any:
    def run(x: Any, z: Any) -> Any:
        positive = w.Sub(w.Relu(x), w.Mul(x, z))
        return w.AddV2(positive, w.Log1p(w.Exp(w.Neg(w.Abs(x)))))

    return halves(w, [logits, labels], run)


# -- quantisation ----------------------------------------------------------------------------------
def _side(w: Any, x: Any, low: Any, high: Any) -> Any:
    """-1 below a range, 1 above it, 0 inside, 2 for NaN."""
    def number(n: int) -> Any:
        return like(w, n, x)

    inside = w.SelectV2(w.Equal(x, x), number(0), number(2))
    return w.SelectV2(w.Less(x, low), number(-1), w.SelectV2(w.Greater(x, high), number(1), inside))


@written("range_side")
def range_side(w: Any, node: Any, x: Any, low: Any, high: Any) -> Any:
    return _side(w, x, low, high)


def _nudged(w: Any, node: Any, low: Any, high: Any) -> tuple:
    """The ends of the range moved so that 0 is a point of the grid, and the step."""
    first = like(w, int(node.attrs["narrow_range"]), low)
    last = like(w, 2**node.attrs["num_bits"] - 1, low)
    step = w.RealDiv(w.Sub(high, low), w.Sub(last, first))
    zero = w.Floor(w.AddV2(w.Sub(first, w.RealDiv(low, step)), like(w, 0.5, low)))
    zero = w.Minimum(w.Maximum(zero, first), last)
    return w.Mul(w.Sub(first, zero), step), w.Mul(w.Sub(last, zero), step), step


def _where_range(w: Any, low: Any, high: Any, found: Any) -> Any:
    """0 where the range is empty."""
    none = w.LogicalAnd(w.Equal(low, like(w, 0, low)), w.Equal(high, like(w, 0, high)))
    return w.SelectV2(none, w.ZerosLike(found), found)


@written("fake_quant_region")
def fake_quant_region(w: Any, node: Any, x: Any, low: Any, high: Any) -> Any:
    lowest, highest, _ = _nudged(w, node, low, high)
    return _where_range(w, low, high, _side(w, x, lowest, highest))


@written("fake_quant")
def fake_quant(w: Any, node: Any, x: Any, low: Any, high: Any) -> Any:
    if x.dtype is dtypes.float32 and rank(low) == rank(high) <= 1:
        op = w.FakeQuantWithMinMaxVarsPerChannel if rank(low) else w.FakeQuantWithMinMaxVars
        return op(x, low, high, num_bits=node.attrs["num_bits"],
                  narrow_range=bool(node.attrs["narrow_range"]))
    lowest, highest, step = _nudged(w, node, low, high)
    inside = w.Sub(w.Minimum(w.Maximum(x, lowest), highest), lowest)
    points = w.Floor(w.AddV2(w.Mul(inside, w.Reciprocal(step)), like(w, 0.5, x)))
    return _where_range(w, low, high, w.AddV2(w.Mul(points, step), lowest))


@written("quantize_and_dequantize")
def quantize_and_dequantize(w: Any, node: Any, x: Any, low: Any, high: Any) -> Any:
    attrs = node.attrs
    over = attrs.get("axes")
    axis = -1 if over is None else next(i for i in range(rank(x)) if i not in over)
    if over is not None:
        low, high = (w.Reshape(one, w.const([-1], dtypes.int32)) for one in (low, high))
    return within(
        w, "QuantizeAndDequantizeV4", [x, low, high], FULL, signed_input=bool(attrs["signed"]),
        num_bits=attrs["num_bits"], range_given=bool(attrs["given"]),
        round_mode=attrs["rounding"], narrow_range=bool(attrs["narrow"]), axis=axis)


# -- sampled classes -------------------------------------------------------------------------------
@written("compute_accidental_hits")
def compute_accidental_hits(w: Any, node: Any, labels: Any, sampled: Any) -> Any:
    return w.ComputeAccidentalHits(
        cast(w, labels, dtypes.int64), cast(w, sampled, dtypes.int64),
        num_true=size_known(labels, 1))


@written("ctc_greedy_decoder")
def ctc_greedy_decoder(w: Any, node: Any, logits: Any, lengths: Any) -> Any:
    return w.CTCGreedyDecoder(logits, lengths, merge_repeated=node.attrs["merge"],
                              blank_index=node.attrs["blank"])


# -- sequences -------------------------------------------------------------------------------------
@written("ctc_beam_search_decoder")
def ctc_beam_search_decoder(w: Any, node: Any, logits: Any, lengths: Any) -> Any:
    paths = node.attrs["paths"]
    indices, values, shapes, scores = w.CTCBeamSearchDecoder(
        logits, lengths, beam_width=node.attrs["width"], top_paths=paths, merge_repeated=False)
    return (*[one for path in zip(indices, values, shapes, strict=True) for one in path], scores)


@written("ctc_loss")
def ctc_loss(w: Any, node: Any, logits: Any, labels: Any, label_length: Any,
             logit_length: Any) -> Any:
    """To TensorFlow's op the last class is blank, and labels are sparse."""
    blank, count, last = node.attrs["blank"], size_known(logits, 2), w.const(2, dtypes.int32)
    order = [*[i for i in range(count) if i != blank], blank]
    wide, labels = logits.dtype, cast(w, labels, dtypes.int32)
    logits = cast(w, logits, wide if wide.name in FULL else dtypes.float32)
    moved = w.Sub(labels, w.Cast(w.Greater(labels, w.const(blank, dtypes.int32)),
                                 DstT=dtypes.int32))
    places = w.Range(w.const(0, dtypes.int32), size(w, labels, 1), w.const(1, dtypes.int32))
    counts = w.ExpandDims(cast(w, label_length, dtypes.int32), w.const(1, dtypes.int32))
    indices = w.Where(w.Less(places, counts))
    loss, slope = w.CTCLoss(w.GatherV2(logits, w.const(order, dtypes.int32), last), indices,
                            w.GatherNd(moved, indices), cast(w, logit_length, dtypes.int32))
    slope = w.GatherV2(slope, w.const(inverse(order), dtypes.int32), last)
    return cast(w, loss, wide), cast(w, slope, wide)


@written("isotonic_regression")
def isotonic_regression(w: Any, node: Any, x: Any) -> Any:
    kind = dtypes.of(node.outputs[0].dtype)
    flat = w.Reshape(x, w.const([-1, size_known(x, -1)], dtypes.int32))
    wide = cast(w, flat, kind if kind.name in FULL else dtypes.float32)
    found = w.IsotonicRegression(wide, output_dtype=wide.dtype)
    shape = w.shape_of(x)
    return cast(w, w.Reshape(found[0], shape), kind), w.Reshape(found[1], shape)


@written("segment_average")
def segment_average(w: Any, node: Any, x: Any, segments: Any) -> Any:
    """Along the last axis each element becomes the mean of its segment."""
    count = size_known(x, -1)
    kind = x.dtype
    wide = cast(w, x, kind if kind.name in FULL else dtypes.float32)
    flat = w.Reshape(wide, w.const([-1, count], dtypes.int32))
    rows = w.Range(w.const(0, dtypes.int32), element(w, w.Shape(flat), 0), w.const(1, dtypes.int32))
    first = w.ExpandDims(w.Mul(rows, w.const(count, dtypes.int32)), w.const(1, dtypes.int32))
    ids = w.AddV2(w.Reshape(segments, w.const([-1, count], dtypes.int32)), first)
    total = w.Size(flat)
    sums = w.UnsortedSegmentSum(flat, ids, total)
    counts = w.UnsortedSegmentSum(w.OnesLike(flat), ids, total)
    means = w.GatherV2(w.DivNoNan(sums, counts), ids, w.const(0, dtypes.int32))
    return cast(w, w.Reshape(means, w.shape_of(x)), kind)
