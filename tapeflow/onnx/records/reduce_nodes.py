"""Reductions, running sums, orders."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from tapeflow.onnx.onnx_records import written
from tapeflow.onnx.onnx_writer import BOOL, INT32, INT64, GraphWriter, Term
from tapeflow.onnx.records.shape_nodes import counting


def reduced(w: GraphWriter, kind: str, x: Term, axis: Any, keepdims: bool) -> Term:
    if axis == ():
        return x
    axes = None if axis is None else w.vector(axis)
    return w.op(kind, x, *([axes] if axes is not None else []), keepdims=int(keepdims))


def along(node: Any) -> tuple[Any, bool]:
    """The axes of a reduction (None: all), and whether they stay."""
    return node.attrs.get("axis"), node.attrs.get("keepdims", False)


def _plain(name: str, kind: str) -> None:
    def write(w: GraphWriter, node: Any, x: Term) -> Term:
        return reduced(w, kind, x, *along(node))

    write.kinds = [kind]  # type: ignore[attr-defined]
    written(name)(write)


for _name, _kind in {"reduce_sum": "ReduceSum", "reduce_prod": "ReduceProd",
                     "reduce_max": "ReduceMax", "reduce_min": "ReduceMin",
                     "reduce_logsumexp": "ReduceLogSumExp",
                     "reduce_euclidean_norm": "ReduceL2"}.items():
    _plain(_name, _kind)


@written("reduce_mean")
def _reduce_mean(w: GraphWriter, node: Any, x: Term) -> Term:
    axis, keepdims = along(node)
    if x.dtype.kind not in "iu":
        return reduced(w, "ReduceMean", x, axis, keepdims)
    total = reduced(w, "ReduceSum", x, axis, keepdims)
    ones = w.op("Expand", w.scalar(1, x.dtype), w.shape_of(x))
    return total / reduced(w, "ReduceSum", ones, axis, keepdims)


@written("reduce_variance")
def _reduce_variance(w: GraphWriter, node: Any, x: Term) -> Term:
    axis, keepdims = along(node)
    d = x - reduced(w, "ReduceMean", x, axis, True)
    return reduced(w, "ReduceMean", d * d, axis, keepdims)


@written("reduce_any")
def _reduce_any(w: GraphWriter, node: Any, x: Term) -> Term:
    return _of_booleans(w, node, "ReduceMax", x)


@written("reduce_all")
def _reduce_all(w: GraphWriter, node: Any, x: Term) -> Term:
    return _of_booleans(w, node, "ReduceMin", x)


def _of_booleans(w: GraphWriter, node: Any, kind: str, x: Term) -> Term:
    found = reduced(w, kind, w.cast(x, INT32), *along(node))
    return w.cast(found, BOOL)


@written("count_nonzero")
def _count_nonzero(w: GraphWriter, node: Any, x: Term) -> Term:
    marks = x if x.dtype == BOOL else ~x.equals(0)
    total = reduced(w, "ReduceSum", w.cast(marks, INT64), *along(node))
    return w.cast(total, node.outputs[0].dtype)


@written("element_count")
def _element_count(w: GraphWriter, node: Any, x: Term) -> Term:
    sizes, axis = w.shape_of(x), node.attrs.get("axis")
    if axis is not None:
        sizes = w.op("Gather", sizes, w.vector(axis))
    return w.cast(w.op("ReduceProd", sizes, keepdims=0), node.outputs[0].dtype)


@written("l2_loss")
def _l2_loss(w: GraphWriter, node: Any, x: Term) -> Term:
    return w.op("ReduceSum", x * x, keepdims=0) * 0.5


@written("argmax")
def _argmax(w: GraphWriter, node: Any, x: Term) -> Term:
    return _index(w, node, "ArgMax", x)


@written("argmin")
def _argmin(w: GraphWriter, node: Any, x: Term) -> Term:
    return _index(w, node, "ArgMin", x)


def _index(w: GraphWriter, node: Any, kind: str, x: Term) -> Term:
    found = w.op(kind, x, dtype=INT64, axis=node.attrs["axis"], keepdims=0)
    return w.cast(found, node.outputs[0].dtype)


# -- running results -------------------------------------------------------------------------------
@written("cumsum")
def _cumsum(w: GraphWriter, node: Any, x: Term) -> Term:
    axis, exclusive, reverse = _scan_attrs(node)
    return w.op("CumSum", x, w.constant(np.int64(axis)), exclusive=int(exclusive),
                reverse=int(reverse))


def _scan_attrs(node: Any) -> tuple[int, bool, bool]:
    attrs = node.attrs
    return attrs.get("axis", 0), attrs.get("exclusive", False), attrs.get("reverse", False)


def running(w: GraphWriter, node: Any, x: Term, begin: float, combine: Callable) -> Term:
    """A Scan along an axis: `combine(writer, so far, element)`."""
    axis, exclusive, reverse = _scan_attrs(node)
    rest = tuple([n for i, n in enumerate(x.shape or ()) if i != axis])
    row = w.op("Gather", w.shape_of(x), w.constant(
        np.array([i for i in range(x.rank) if i != axis], np.int64)))
    start = w.op("Expand", w.scalar(begin, x.dtype), row)
    body = w.subgraph("running")
    state = body.input("state", x.dtype, rest)
    element = body.input("element", x.dtype, rest)
    after = combine(body, state, element)
    body.output(after, shape=rest)
    body.output(state if exclusive else after, shape=rest)
    _, collected = w.ops(
        "Scan", 2, start, x, dtypes=[x.dtype] * 2, body=body.graph, num_scan_inputs=1,
        scan_input_axes=(axis,), scan_output_axes=(axis,),
        scan_input_directions=(int(reverse),), scan_output_directions=(int(reverse),))
    return collected


@written("cumprod")
def _cumprod(w: GraphWriter, node: Any, x: Term) -> Term:
    """A "Scan" """
    return running(w, node, x, 1, lambda b, state, element: state * element)


@written("cumulative_logsumexp")
def _cumulative_logsumexp(w: GraphWriter, node: Any, x: Term) -> Term:
    """A "Scan" of log(exp(a) + exp(b)) = max + log(1 + exp(min - max))"""
    def combine(b: GraphWriter, state: Term, element: Term) -> Term:
        high, low = b.op("Max", state, element), b.op("Min", state, element)
        return high + b.op("Log", b.op("Exp", low - high) + 1.0)

    return running(w, node, x, float(np.finfo(x.dtype).min), combine)


# -- orders ----------------------------------------------------------------------------------------
def _ordered(w: GraphWriter, x: Term, axis: int, descending: bool) -> list[Term]:
    return w.ops("TopK", 2, x, w.size_of(x, axis), dtypes=[x.dtype, INT64], axis=axis,
                 largest=int(descending), sorted=1)


@written("sort")
def _sort(w: GraphWriter, node: Any, x: Term) -> Term:
    """The values of "TopK" of all"""
    return _ordered(w, x, node.attrs["axis"], node.attrs["descending"])[0]


@written("argsort")
def _argsort(w: GraphWriter, node: Any, x: Term) -> Term:
    """The indices of "TopK" of all"""
    found = _ordered(w, x, node.attrs["axis"], node.attrs["descending"])[1]
    return w.cast(found, node.outputs[0].dtype)


@written("top_k")
def _top_k(w: GraphWriter, node: Any, x: Term) -> list[Term]:
    values, at = w.ops("TopK", 2, x, w.vector(node.attrs["k"]), dtypes=[x.dtype, INT64], axis=-1,
                       largest=1, sorted=1)
    return [values, w.cast(at, node.outputs[1].dtype)]


@written("in_top_k")
def _in_top_k(w: GraphWriter, node: Any, predictions: Term, targets: Term) -> Term:
    at = w.cast(targets, INT64)
    inside = (at >= 0) & (at < w.size_of(predictions, predictions.rank - 1))
    at = w.unsqueeze(w.where(inside, at, 0), -1)
    own = w.op("GatherElements", predictions, at, axis=-1)
    better = w.cast(predictions > own, INT64)
    k = w.squeeze(w.vector(node.attrs["k"]), 0)
    few = w.op("ReduceSum", better, w.ints(-1), keepdims=0) < k
    finite = ~w.op("IsNaN", own) & ~w.op("IsInf", own)
    return inside & few & w.squeeze(finite, -1)


@written("searchsorted")
def _searchsorted(w: GraphWriter, node: Any, sequence: Term, values: Term) -> Term:
    """How many elements of the sequence are below each value."""
    a, b = w.unsqueeze(sequence, 1), w.unsqueeze(values, 2)
    below = a < b if node.attrs["side"] == "left" else a <= b
    count = w.op("ReduceSum", w.cast(below, INT64), w.ints(-1), keepdims=0)
    return w.cast(count, node.outputs[0].dtype)


@written("bucketize")
def _bucketize(w: GraphWriter, node: Any, x: Term, *given: Term) -> Term:
    edges = w.constant(np.array(node.attrs["boundaries"], np.float32))
    past = w.unsqueeze(w.cast(x, np.float32), -1) >= edges
    count = w.op("ReduceSum", w.cast(past, INT64), w.ints(-1), keepdims=0)
    return w.cast(count, node.outputs[0].dtype)


@written("unique")
def _unique(w: GraphWriter, node: Any, x: Term) -> list[Term]:
    """In the order of first occurrence."""
    own = x.dtype
    if own.kind in "iu":
        x = w.cast(x, INT64)
    values, _, inverse, counts = w.ops("Unique", 4, x, dtypes=[x.dtype, INT64, INT64, INT64],
                                       axis=0, sorted=0)
    return [w.cast(one, value.dtype) for one, value in zip(
        (values, inverse, counts), node.outputs, strict=False)]


def positions(w: GraphWriter, x: Term, axis: int) -> Term:
    """0, 1, 2 … along an axis."""
    return counting(w, w.squeeze(w.size_of(x, axis), 0))
