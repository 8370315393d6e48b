"""Rows of different lengths: splits, ids, and where values go."""

from __future__ import annotations

from typing import Any

import numpy as np

from tapeflow.onnx.onnx_records import written
from tapeflow.onnx.onnx_writer import INT64, GraphWriter, Term
from tapeflow.onnx.records.index_nodes import zeros
from tapeflow.onnx.records.numbers.elementwise_nodes import floordiv
from tapeflow.onnx.records.shape_nodes import counting


def _lengths(w: GraphWriter, splits: Term) -> Term:
    return w.slice(splits, [1], [1 << 62], [0]) - w.slice(splits, [0], [-1], [0])


def _splits(w: GraphWriter, lengths: Term) -> Term:
    ends = w.op("CumSum", lengths, w.constant(np.int64(0)))
    return w.concat([w.constant(np.zeros(1, lengths.dtype)), ends])


def row_numbers(w: GraphWriter, splits: Term) -> Term:
    """How many rows end at or before each value, as int64."""
    splits = w.cast(splits, INT64)
    ends = w.slice(splits, [1], [1 << 62], [0])
    count = w.op("Gather", splits, w.constant(np.int64(-1)))
    past = w.unsqueeze(counting(w, count), 1) >= w.unsqueeze(ends, 0)
    return w.op("ReduceSum", w.cast(past, INT64), w.ints(1), keepdims=0)


def spans(w: GraphWriter, starts: Term, lengths: Term) -> tuple[Term, Term]:
    """(splits, values) of runs of consecutive integers, as int64."""
    starts, splits = w.cast(starts, INT64), _splits(w, w.cast(lengths, INT64))
    ids = row_numbers(w, splits)
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
    return w.cast(row_numbers(w, splits), splits.dtype)


@written("row_splits_of_ids")
def _splits_of_ids(w: GraphWriter, node: Any, ids: Term, rows: Term) -> Term:
    """Counts of each row, by "ScatterND" """
    counts = row_counts(w, w.cast(ids, INT64), w.cast(rows, INT64))
    return w.cast(_splits(w, counts), ids.dtype)


def row_counts(w: GraphWriter, ids: Term, rows: Term) -> Term:
    """How many values each of `rows` rows has."""
    ones = w.op("Expand", w.scalar(1, INT64), w.op("Shape", ids, dtype=INT64))
    return w.op("ScatterND", zeros(w, w.reshape(rows, (1,)), INT64), w.unsqueeze(ids, 1), ones,
                reduction="add")


@written("ragged_range")
def _ragged_range(w: GraphWriter, node: Any, starts: Term, limits: Term,
                  deltas: Term) -> list[Term]:
    whole = starts.dtype.kind in "iu"
    count = -floordiv(w, starts - limits, deltas) if whole else w.op(
        "Ceil", (limits - starts) / deltas)
    lengths = w.op("Max", w.cast(w.reshape(count, (-1,)), INT64), w.scalar(0, INT64))
    splits, steps = spans(w, lengths * 0, lengths)
    ids = row_numbers(w, splits)
    sizes = w.op("Shape", count, dtype=INT64)
    first, step = [w.op("Gather", w.reshape(w.op("Expand", one, sizes), (-1,)), ids)
                   for one in (starts, deltas)]
    return [splits, first + w.cast(steps, starts.dtype) * step]


@written("ragged_chosen_rows")
def _chosen_rows(w: GraphWriter, node: Any, *operands: Term) -> list[Term]:
    *levels, rows = operands
    found, at = [], w.cast(rows, INT64)
    for splits in levels:
        starts = w.op("Gather", w.cast(splits, INT64), at)
        new, at = spans(w, starts, w.op("Gather", w.cast(splits, INT64), at + 1) - starts)
        found.append(w.cast(new, splits.dtype))
    return [*found, w.cast(at, node.outputs[-1].dtype)]


@written("ragged_interleaved_rows")
def _interleaved_rows(w: GraphWriter, node: Any, *splits: Term) -> list[Term]:
    found, at = interleaved(w, [w.cast(one, INT64) for one in splits])
    return [w.cast(found, splits[0].dtype), at]


def interleaved(w: GraphWriter, splits: list[Term]) -> tuple[Term, Term]:
    """Row i of each, one behind the other: the splits, and which of all values stand where."""
    firsts, lengths, before = [], [], w.ints(0)
    for one in splits:
        lengths.append(w.unsqueeze(_lengths(w, one), 1))
        firsts.append(w.unsqueeze(w.slice(one, [0], [-1], [0]) + before, 1))
        before = before + w.slice(one, [-1], [1 << 62], [0])
    each, first = w.concat(lengths, 1), w.concat(firsts, 1)
    total = w.op("ReduceSum", each, w.ints(1), keepdims=0)
    _, at = spans(w, w.reshape(first, (-1,)), w.reshape(each, (-1,)))
    return _splits(w, total), at


@written("ragged_dense_places")
def _dense_places(w: GraphWriter, node: Any, *splits: Term) -> Term:
    """For each cell the index of its value, or how many values there are, by "ScatterND" """
    levels = [w.cast(one, INT64) for one in splits]
    wanted = node.attrs["shape"]
    sizes = [have if want in (None, -1) else w.ints(want)
             for have, want in zip(_sizes(w, levels), wanted, strict=True)]
    count = w.op("Gather", levels[-1], w.constant(np.int64(-1)))
    if len(levels) == 1 and wanted[0] in (None, -1):
        begin, end = [w.unsqueeze(one, 1) for one in _bounds(w, levels[0])]
        cells = begin + w.unsqueeze(counting(w, w.squeeze(sizes[1], 0)), 0)
        return w.where(cells < end, cells, count)
    at, shape = _coordinates(w, levels), w.concat(sizes)
    outside = w.cast(at >= shape, INT64)
    inside = w.op("ReduceMax", w.op("Pad", outside, w.ints(0, 1, 0, 0)), w.ints(1),
                  keepdims=0).equals(0)
    return w.op("ScatterND", w.op("Expand", count, shape), w.op("Compress", at, inside, axis=0),
                w.op("Compress", counting(w, count), inside, axis=0))


def _bounds(w: GraphWriter, splits: Term) -> tuple[Term, Term]:
    return w.slice(splits, [0], [-1], [0]), w.slice(splits, [1], [1 << 62], [0])


def _sizes(w: GraphWriter, levels: list[Term]) -> list[Term]:
    """The dense sizes that hold all rows, each a vector of one."""
    found = [w.op("Shape", levels[0], dtype=INT64, shape=(1,)) - 1]
    for one in levels:
        some = w.concat([w.ints(0), _lengths(w, one)])
        found.append(w.op("ReduceMax", some, w.ints(0), keepdims=1))
    return found


def _coordinates(w: GraphWriter, levels: list[Term]) -> Term:
    """Row, column … of each flat value: (values, levels + 1)."""
    axes = [counting(w, w.squeeze(w.op("Shape", levels[0], dtype=INT64, shape=(1,)) - 1, 0))]
    for one in levels:
        row = row_numbers(w, one)
        column = positions(w, row) - w.op("Gather", one, row)
        axes = [*[w.op("Gather", axis, row) for axis in axes], column]
    return w.concat([w.unsqueeze(one, 1) for one in axes], 1)


@written("ragged_sparse_places")
def _sparse_places(w: GraphWriter, node: Any, *splits: Term) -> list[Term]:
    levels = [w.cast(one, INT64) for one in splits]
    return [_coordinates(w, levels), w.concat(_sizes(w, levels))]


@written("ragged_aligned")
def _aligned(w: GraphWriter, node: Any, *operands: Term) -> list[Term]:
    """Level by level: how long each row is, and where each operand's values begin in it"""
    layout, given = node.attrs["layout"], iter(operands)
    one = w.scalar(1, INT64)
    levels = [[(word, one if word == "one" else w.cast(next(given), INT64)) for word in words]
              for words in layout]
    places, found = [w.ints(0) for _ in layout], []
    for depth in range(len(layout[0])):
        lengths, starts = [], []
        for (word, what), place in zip([one[depth] for one in levels], places, strict=True):
            if word in ("one", "dense"):
                size = w.reshape(what, ())
                lengths.append(place * 0 + size)
                starts.append(place * size)
            else:
                begin, end = _bounds(w, what)
                lengths.append(w.op("Gather", end - begin, place))
                starts.append(w.op("Gather", what, place))
        # Rows of one value are repeated: of each row the length that is not 1, if there is one.
        length = lengths[0]
        for other in lengths[1:]:
            length = w.where(length.equals(1), other, length)
        splits = _splits(w, length)
        row = row_numbers(w, splits)
        column = positions(w, row) - w.op("Gather", splits, row)
        places = [w.op("Gather", start, row) + w.where(
            w.op("Gather", own, row).equals(1), 0, column)
            for start, own in zip(starts, lengths, strict=True)]
        if depth:
            found.append(splits)
    return [*found, *places]


@written("checked_rowids", "checked_splits", "sparse_checked")
def _unchecked(w: GraphWriter, node: Any, x: Term) -> Term:
    """Nothing, as of other checks"""
    return x


@written("sparse_dense_matmul")
def _sparse_product(w: GraphWriter, node: Any, at: Term, values: Term, b: Term) -> Term:
    """Rows of the matrix by "Gather", weighted, and added by "ScatterND" """
    row, column = [w.op("Gather", w.cast(at, INT64), w.constant(np.int64(i)), axis=1)
                   for i in ((1, 0) if node.attrs["transposed"] else (0, 1))]
    count = w.slice(w.vector(node.attrs["shape"]), *(
        ([1], [2]) if node.attrs["transposed"] else ([0], [1])), [0])
    sizes = w.concat([count, w.size_of(b, 1)])
    rows = w.op("Gather", b, column, axis=0) * w.unsqueeze(values, 1)
    return w.op("ScatterND", zeros(w, sizes, b.dtype), w.unsqueeze(row, 1), rows, reduction="add")


@written("sparse_filled_rows")
def _filled_rows(w: GraphWriter, node: Any, indices: Term) -> list[Term]:
    """Rows without a value get one at column 0; all in the order of rows, by "TopK" """
    rows = w.squeeze(w.vector(node.attrs["rows"]), 0)
    at = w.cast(indices, INT64)
    first = w.op("Gather", at, w.constant(np.int64(0)), axis=1)
    empty = row_counts(w, first, rows).equals(0)
    missing = w.reshape(w.op("NonZero", empty, dtype=INT64), (-1, 1))
    more = indices.shape[1] - 1 if indices.shape else 1
    added = w.op("Pad", missing, w.ints(0, 0, 0, more))
    count = w.op("Shape", at, dtype=INT64, shape=(1,), start=0, end=1)
    sources = w.concat([positions(w, first), w.op("Expand", count, w.op(
        "Shape", missing, dtype=INT64, shape=(1,), start=0, end=1))])
    every, owner = w.concat([at, added]), w.concat([first, w.squeeze(missing, 1)])
    _, order = w.ops("TopK", 2, owner, w.op("Shape", owner, dtype=INT64, shape=(1,)),
                     dtypes=[INT64, INT64], axis=0, largest=0, sorted=1)
    return [w.op("Gather", every, order, axis=0), w.op("Gather", sources, order), empty]
