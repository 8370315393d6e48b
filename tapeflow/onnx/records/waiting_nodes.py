"""Calls of public functions that wait for ranks, sizes or axes: their arguments, as they come."""

from __future__ import annotations

from math import prod
from typing import Any

import numpy as np

from tapeflow.base import dtypes
from tapeflow.onnx.onnx_graph import ExportError
from tapeflow.onnx.onnx_records import written_waiting
from tapeflow.onnx.onnx_writer import INT64, GraphWriter, Term
from tapeflow.onnx.records.index_nodes import zeros


def _axes(w: GraphWriter, axis: Any) -> Term:
    """Axes as a vector of int64."""
    return w.reshape(w.cast(axis, INT64), (-1,)) if isinstance(axis, Term) else w.ints(
        *np.ravel(axis).tolist())


@written_waiting("expand_dims")
def _expand_waiting(w: GraphWriter, input: Term, axis: Any) -> Term:
    return w.op("Unsqueeze", input, _axes(w, axis))


@written_waiting("squeeze")
def _squeeze_waiting(w: GraphWriter, input: Term, axis: Any = None) -> Term:
    return w.op("Squeeze", input, *([] if axis is None else [_axes(w, axis)]))


for _record, _kind in (("reduce_sum", "ReduceSum"), ("reduce_mean", "ReduceMean"),
                       ("reduce_max", "ReduceMax"), ("reduce_min", "ReduceMin"),
                       ("reduce_prod", "ReduceProd")):
    written_waiting(_record)(lambda w, x, axis, keepdims, kind=_kind: w.op(
        kind, x, _axes(w, axis), keepdims=int(keepdims)))


# -- blocks ----------------------------------------------------------------------------------------
def _numbers(value: Any) -> np.ndarray:
    if isinstance(value, Term):
        if value.const is None:
            raise ExportError("blocks or paddings that are known at run time only")
        return value.const
    return np.asarray(value)


def _sizes(w: GraphWriter, x: Term) -> list[Term]:
    return [w.size_of(x, i) for i in range(x.rank)]


@written_waiting("space_to_batch", "space_to_batch_nd")
def _space_to_batch(w: GraphWriter, input: Term, block_shape: Any, paddings: Any) -> Term:
    """Each axis in blocks, whose insides go before the batch."""
    blocks, amounts = _numbers(block_shape).ravel().tolist(), _numbers(paddings)
    m, rank = len(blocks), input.rank
    pads = np.zeros((2, rank), np.int64)
    pads[:, 1:m + 1] = amounts.T
    x = w.op("Pad", input, w.ints(*pads.ravel().tolist())) if amounts.any() else input
    x.shape = (None,) * rank if amounts.any() else input.shape
    first, *sizes = _sizes(w, x)
    small = [size / block for size, block in zip(sizes[:m], blocks)]
    pairs = [one for size, block in zip(small, blocks) for one in (size, w.ints(block))]
    parts = w.reshape(x, w.concat([first, *pairs, *sizes[m:]]))
    order = (*range(2, 2 * m + 1, 2), 0, *range(1, 2 * m + 1, 2), *range(2 * m + 1, rank + m))
    return w.reshape(w.transpose(parts, order), w.concat(
        [first * prod(blocks), *small, *sizes[m:]]))


@written_waiting("batch_to_space")
def _batch_to_space(w: GraphWriter, input: Term, block_shape: Any, crops: Any) -> Term:
    """The batch in blocks, which go behind their axes; then edges are cut off."""
    blocks, amounts = _numbers(block_shape).ravel().tolist(), _numbers(crops).tolist()
    blocks = blocks * 2 if isinstance(block_shape, int) else blocks
    m, rank = len(blocks), input.rank
    first, *sizes = _sizes(w, input)
    few = first / prod(blocks)
    parts = w.reshape(input, w.concat([w.ints(*blocks), few, *sizes]))
    order = (m, *[axis for i in range(m) for axis in (m + 1 + i, i)], *range(2 * m + 1, m + rank))
    large = [size * block for size, block in zip(sizes[:m], blocks)]
    made = w.reshape(w.transpose(parts, order), w.concat([few, *large, *sizes[m:]]))
    return w.slice(made, [a for a, _ in amounts], [-b if b else 1 << 62 for _, b in amounts],
                   range(1, m + 1))


@written_waiting("space_to_depth")
def _space_to_depth(w: GraphWriter, input: Term, block_size: int,
                    data_format: str = "NHWC") -> Term:
    n, height, width, depth = _sizes(w, input)
    block = w.ints(block_size)
    parts = w.reshape(input, w.concat([n, height / block, block, width / block, block, depth]))
    return w.reshape(w.transpose(parts, (0, 1, 3, 2, 4, 5)), w.concat(
        [n, height / block, width / block, depth * block * block]))


@written_waiting("depth_to_space")
def _depth_to_space(w: GraphWriter, input: Term, block_size: int,
                    data_format: str = "NHWC") -> Term:
    n, height, width, depth = _sizes(w, input)
    block = w.ints(block_size)
    small = depth / (block * block)
    parts = w.reshape(input, w.concat([n, height, width, block, block, small]))
    return w.reshape(w.transpose(parts, (0, 1, 3, 2, 4, 5)), w.concat(
        [n, height * block, width * block, small]))


@written_waiting("confusion_matrix")
def _confusion_matrix(w: GraphWriter, labels: Any, predictions: Any, num_classes: Any = None,
                      weights: Any = None, dtype: Any = np.int32) -> Term:
    """Weights added to the cells of pairs, by ScatterND."""
    labels, predictions = [w.reshape(w.cast(one, INT64) if isinstance(one, Term) else w.constant(
        np.asarray(one, np.int64)), (-1,)) for one in (labels, predictions)]
    if num_classes is None:
        every = w.concat([labels, predictions])
        count = w.op("ReduceMax", every, w.ints(0), keepdims=1) + 1
    else:
        count = w.ints(int(_numbers(num_classes)))
    kind = dtypes.as_dtype(dtype).np
    if weights is None:
        held = w.op("Expand", w.scalar(1, kind), w.op("Shape", labels, dtype=INT64))
    else:
        held = w.reshape(w.cast(weights, kind) if isinstance(weights, Term) else w.constant(
            np.asarray(weights, kind)), (-1,))
    at = w.concat([w.unsqueeze(labels, 1), w.unsqueeze(predictions, 1)], 1)
    return w.op("ScatterND", zeros(w, w.concat([count, count]), kind), at, held, reduction="add")
