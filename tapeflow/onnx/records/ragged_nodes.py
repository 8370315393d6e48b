"""Rows of different lengths: splits, ids, and where values go."""

from __future__ import annotations

from typing import Any

import numpy as np

from tapeflow.onnx.onnx_graph import ExportError
from tapeflow.onnx.onnx_records import written
from tapeflow.onnx.onnx_writer import INT64, GraphWriter, Term
from tapeflow.onnx.records.shape_nodes import counting


def _lengths(w: GraphWriter, splits: Term) -> Term:
    return w.slice(splits, [1], [1 << 62], [0]) - w.slice(splits, [0], [-1], [0])


def _splits(w: GraphWriter, lengths: Term) -> Term:
    ends = w.op("CumSum", lengths, w.constant(np.int64(0)))
    return w.concat([w.constant(np.zeros(1, lengths.dtype)), ends])


def _ids(w: GraphWriter, splits: Term) -> Term:
    """How many rows end at or before each value, as int64."""
    splits = w.cast(splits, INT64)
    ends = w.slice(splits, [1], [1 << 62], [0])
    count = w.op("Gather", splits, w.constant(np.int64(-1)))
    past = w.unsqueeze(counting(w, count), 1) >= w.unsqueeze(ends, 0)
    return w.op("ReduceSum", w.cast(past, INT64), w.ints(1), keepdims=0)


def _spans(w: GraphWriter, starts: Term, lengths: Term) -> tuple[Term, Term]:
    """(splits, values) of runs of consecutive integers, as int64."""
    starts, splits = w.cast(starts, INT64), _splits(w, w.cast(lengths, INT64))
    ids = _ids(w, splits)
    first = starts - w.slice(splits, [0], [-1], [0])
    return splits, positions(w, ids) + w.op("Gather", first, ids)


def positions(w: GraphWriter, x: Term) -> Term:
    return counting(w, w.op("Size", x, dtype=INT64, shape=()))


@written("row_lengths")
def _row_lengths(w: GraphWriter, node: Any, splits: Term) -> Term:
    return _lengths(w, splits)


@written("row_splits")
def _row_splits(w: GraphWriter, node: Any, lengths: Term) -> Term:
    return _splits(w, lengths)


@written("row_ids")
def _row_ids(w: GraphWriter, node: Any, splits: Term) -> Term:
    return w.cast(_ids(w, splits), splits.dtype)


@written("ragged_range")
def _ragged_range(w: GraphWriter, node: Any, starts: Term, limits: Term,
                  deltas: Term) -> list[Term]:
    if deltas.const is None or deltas.rank or deltas.const != 1 or starts.rank != 1 or (
            starts.dtype.kind not in "iu"):
        raise ExportError("ranges by steps other than 1")
    lengths = w.op("Max", w.cast(limits - starts, INT64), w.scalar(0, INT64))
    splits, values = _spans(w, starts, lengths)
    return [splits, w.cast(values, starts.dtype)]


@written("ragged_chosen_rows")
def _chosen_rows(w: GraphWriter, node: Any, *operands: Term) -> list[Term]:
    *levels, rows = operands
    found, at = [], w.cast(rows, INT64)
    for splits in levels:
        starts = w.op("Gather", w.cast(splits, INT64), at)
        new, at = _spans(w, starts, w.op("Gather", w.cast(splits, INT64), at + 1) - starts)
        found.append(w.cast(new, splits.dtype))
    return [*found, w.cast(at, node.outputs[-1].dtype)]


@written("ragged_interleaved_rows")
def _interleaved_rows(w: GraphWriter, node: Any, *splits: Term) -> list[Term]:
    firsts, lengths, before = [], [], w.ints(0)
    for one in splits:
        wide = w.cast(one, INT64)
        lengths.append(w.unsqueeze(_lengths(w, wide), 1))
        firsts.append(w.unsqueeze(w.slice(wide, [0], [-1], [0]) + before, 1))
        before = before + w.slice(wide, [-1], [1 << 62], [0])
    each, first = w.concat(lengths, 1), w.concat(firsts, 1)
    total = w.op("ReduceSum", each, w.ints(1), keepdims=0)
    _, at = _spans(w, w.reshape(first, (-1,)), w.reshape(each, (-1,)))
    return [w.cast(_splits(w, total), splits[0].dtype), at]


@written("ragged_dense_places")
def _dense_places(w: GraphWriter, node: Any, *splits: Term) -> Term:
    """For each cell the index of its value, or how many values there are."""
    rows, columns = node.attrs["shape"][0], node.attrs["shape"][-1]
    if len(splits) > 1 or rows not in (None, -1):
        raise ExportError("rows of rows, or a number of rows that is asked for")
    wide = w.cast(splits[0], INT64)
    if columns in (None, -1):
        some = w.concat([w.ints(0), _lengths(w, wide)])
        width = w.op("ReduceMax", some, w.ints(0), keepdims=0)
    else:
        width = w.scalar(columns, INT64)
    begin = w.unsqueeze(w.slice(wide, [0], [-1], [0]), 1)
    cells = begin + w.unsqueeze(counting(w, width), 0)
    inside = cells < w.unsqueeze(w.slice(wide, [1], [1 << 62], [0]), 1)
    return w.where(inside, cells, w.op("Gather", wide, w.constant(np.int64(-1))))
