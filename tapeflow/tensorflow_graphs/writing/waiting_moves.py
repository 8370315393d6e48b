"""Waiting gradients of what moves elements, joins and parts tensors, or reduces them.

Each finds sizes in a run (`waiting_gradients.py`); None leaves a case to SymbolicGradient.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from tapeflow.base import dtypes
from tapeflow.tensorflow_graphs.writing.operands import (
    axes,
    cast,
    given,
    inverse,
    known,
    like,
    part,
    rank,
)
from tapeflow.tensorflow_graphs.writing.waiting_gradients import (
    divided,
    gradient_of,
    spread,
)


# -- rows ------------------------------------------------------------------------------------------
@gradient_of("gather_rows")
def gather_rows(w: Any, index: int, g: Any, xs: list, node: Any) -> Any:
    """What came from a row is summed into it."""
    return None if index else _rows_summed(w, g, xs[0], xs[1])


def _rows_summed(w: Any, g: Any, x: Any, indices: Any) -> Any:
    shape = w.shape_of(x)
    rest = w.ConcatV2([w.const([-1], dtypes.int32), part(w, shape, 1, None)],
                      w.const(0, dtypes.int32))
    flat = w.Reshape(cast(w, indices, dtypes.int64), w.const([-1], dtypes.int32))
    return w.UnsortedSegmentSum(w.Reshape(g, rest), flat, w.size_along(x, 0))


@gradient_of("take")
def take(w: Any, index: int, g: Any, xs: list, node: Any) -> Any:
    """Along any axis: its rows come first, and go back."""
    axis, (x, indices) = node.attrs["axis"], xs
    if index or node.attrs.get("batch_dims", 0) or not known(axis) or x.shape is None or (
            indices.shape is None):
        return None
    at, n = axis % rank(x), len(indices.shape)
    if not at:
        return _rows_summed(w, g, x, indices)
    there = [*range(at, at + n), *range(at), *range(at + n, rank(x) - 1 + n)]
    first = w.Transpose(g, w.const(np.array(there), dtypes.int32))
    perm = [at, *range(at), *range(at + 1, rank(x))]
    rows = w.GatherV2(w.shape_of(x), w.const(np.array(perm), dtypes.int32),
                      w.const(0, dtypes.int32))
    rest = w.ConcatV2([w.const([-1], dtypes.int32), part(w, rows, 1, None)],
                      w.const(0, dtypes.int32))
    flat = w.Reshape(cast(w, indices, dtypes.int64), w.const([-1], dtypes.int32))
    found = w.UnsortedSegmentSum(w.Reshape(first, rest), flat, w.size_along(x, at))
    return w.Transpose(found, w.const(np.array(inverse(perm)), dtypes.int32))


@gradient_of("gather_nd")
def gather_nd(w: Any, index: int, g: Any, xs: list, node: Any) -> Any:
    return None if index or node.attrs.get("ignore") else w.ScatterNd(
        xs[1], g, w.shape_of(xs[0], xs[1].dtype))


@gradient_of("segment_sum")
def segment_sum(w: Any, index: int, g: Any, xs: list, node: Any) -> Any:
    """Rows of the sums; those of negative ids went into none."""
    if index or xs[1].shape is None or len(xs[1].shape) != 1 or xs[0].shape is None:
        return None
    ids = xs[1]
    zero = like(w, 0, ids)
    rows = w.GatherV2(g, w.Maximum(ids, zero), w.const(0, dtypes.int32))
    keep = w.Reshape(w.GreaterEqual(ids, zero), w.const(
        [-1, *[1] * (rank(xs[0]) - 1)], dtypes.int32))
    return w.SelectV2(keep, rows, like(w, 0, g))


# -- parts -----------------------------------------------------------------------------------------
@gradient_of("pad")
def pad(w: Any, index: int, g: Any, xs: list, node: Any) -> Any:
    paddings = node.attrs["paddings"]
    if not known(paddings):
        return None
    begin = w.const(np.array([a for a, _ in paddings]), dtypes.int32)
    return w.Slice(g, begin, w.shape_of(xs[0]))


def _around(w: Any, g: Any, x: Any, begin: Any) -> Any:
    """A gradient of a part among zeros."""
    after = w.Sub(w.Sub(w.shape_of(x), begin), w.shape_of(g))
    return w.Pad(g, w.Pack([begin, after], axis=1))


@gradient_of("section")
def section(w: Any, index: int, g: Any, xs: list, node: Any) -> Any:
    return _around(w, g, xs[0], given(w, node.attrs["begin"]))


@gradient_of("cut")
def cut(w: Any, index: int, g: Any, xs: list, node: Any) -> Any:
    axis, start = node.attrs["axis"], node.attrs["start"]
    if xs[0].shape is None or not known(axis) or not known(start):
        return None
    begin = np.eye(rank(xs[0]), dtype=np.int32)[axis] * start
    return _around(w, g, xs[0], w.const(begin, dtypes.int32))


@gradient_of("tile")
def tile(w: Any, index: int, g: Any, xs: list, node: Any) -> Any:
    """The copies one beside the other, summed."""
    shape = w.shape_of(xs[0])
    pairs = w.Reshape(w.Pack([given(w, node.attrs["multiples"]), shape], axis=1), [-1])
    if xs[0].shape is None:
        return None
    return w.Sum(w.Reshape(g, pairs), w.const(np.arange(0, 2 * rank(xs[0]), 2), dtypes.int32))


@gradient_of("stack")
def stack(w: Any, index: int, g: Any, xs: list, node: Any) -> Any:
    axis = node.attrs["axis"]
    if not known(axis) or xs[0].shape is None:
        return None
    return w.GatherV2(g, w.const(index, dtypes.int32),
                      w.const(axis % (rank(xs[0]) + 1), dtypes.int32))


@gradient_of("reverse")
def reverse(w: Any, index: int, g: Any, xs: list, node: Any) -> Any:
    return w.ReverseV2(g, w.const(np.array(node.attrs["axis"]).reshape(-1), dtypes.int32)) if (
        known(node.attrs["axis"])) else None


@gradient_of("cumsum")
def cumsum(w: Any, index: int, g: Any, xs: list, node: Any) -> Any:
    attrs = node.attrs
    return w.Cumsum(g, given(w, attrs["axis"]), exclusive=bool(attrs.get("exclusive", False)),
                    reverse=not attrs.get("reverse", False))


@gradient_of("add_n", "ensure_shape", "read_variable")
def passed_on(w: Any, index: int, g: Any, xs: list, node: Any) -> Any:
    return g


@gradient_of("sum_to")
def sum_to(w: Any, index: int, g: Any, xs: list, node: Any) -> Any:
    return w.BroadcastTo(g, w.shape_of(xs[0]))


# -- reductions ------------------------------------------------------------------------------------
@gradient_of("reduce_max")
def greatest(w: Any, index: int, g: Any, xs: list, node: Any) -> Any:
    return _extreme(w, "Max", g, xs, node)


@gradient_of("reduce_min")
def least(w: Any, index: int, g: Any, xs: list, node: Any) -> Any:
    return _extreme(w, "Min", g, xs, node)


def _extreme(w: Any, op: str, g: Any, xs: list, node: Any) -> Any:
    """Shared among the elements that are as great."""
    x, axis = xs[0], node.attrs["axis"]
    wide = spread(w, g, x, node)
    if wide is None or not g.dtype.is_floating:
        return None
    along = axes(w, x, axis)
    hit = cast(w, w.Equal(x, w.emit(op, [x, along], {"keep_dims": True})), g.dtype)
    return w.Mul(w.RealDiv(hit, w.Sum(hit, along, keep_dims=True)), wide)


@gradient_of("reduce_logsumexp")
def logsumexp(w: Any, index: int, g: Any, xs: list, node: Any) -> Any:
    x, wide = xs[0], spread(w, g, xs[0], node)
    if wide is None:
        return None
    along = axes(w, x, node.attrs["axis"])
    most = w.StopGradient(w.Max(x, along, keep_dims=True))
    share = w.Exp(w.Sub(x, most))
    return w.Mul(wide, w.RealDiv(share, w.Sum(share, along, keep_dims=True)))


@gradient_of("reduce_variance")
def variance(w: Any, index: int, g: Any, xs: list, node: Any) -> Any:
    x, wide = xs[0], spread(w, g, xs[0], node)
    if wide is None or not g.dtype.is_floating:
        return None
    away = w.Sub(x, w.Mean(x, axes(w, x, node.attrs["axis"]), keep_dims=True))
    return w.Mul(like(w, 2, g), w.Mul(away, divided(w, wide, g, x)))


@gradient_of("l2_loss")
def l2_loss(w: Any, index: int, g: Any, xs: list, node: Any) -> Any:
    return w.Mul(g, xs[0])


# -- products --------------------------------------------------------------------------------------
@gradient_of("contract")
def contract(w: Any, index: int, g: Any, xs: list, node: Any) -> Any:
    """A product of the gradient with the other operands, if these have all labels of this one."""
    left, _, result = node.attrs["equation"].replace(" ", "").partition("->")
    labels = left.split(",")
    wanted = labels[index]
    others = [one for i, one in enumerate(labels) if i != index]
    everywhere = set(result).union(*others)
    if not g.dtype.is_floating or "." in left or len(set(wanted)) != len(wanted) or (
            not set(wanted) <= everywhere) or len(labels) > 2:
        return None
    operands = [g, *[x for i, x in enumerate(xs) if i != index]]
    return w.Einsum(operands, equation=f"{','.join([result, *others])}->{wanted}")
