"""Ragged features that other features partition: TensorFlow parses both, and ops make the rows.

The op that parses gives the values of each feature in one vector, with splits by example. A
partition cuts the values of each example into rows; here that is done for all examples at once.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from tapeflow.base import dtypes
from tapeflow.io.parsing.examples import Ragged
from tapeflow.tensorflow_graphs.writing.node_writer import Ref
from tapeflow.tensorflow_graphs.writing.operands import cast, element, part


class Feature(NamedTuple):
    """What the op parses for a ragged feature: its values, or those of a partition."""

    key: str
    dtype: Any
    splits: Any  # NumPy's dtype


class Rows(NamedTuple):
    """Values of all examples, and where each example's begin and end, in int64."""

    values: Ref
    splits: Ref


def ragged_features(parts: list[Ragged]) -> list[Feature]:
    """What is parsed for ragged features, each key once."""
    found: dict[str, Feature] = {}
    for one in parts:
        found.setdefault(one.key, Feature(one.key, one.dtype, one.splits))
        for partition in one.partitions:
            key = getattr(partition, "key", None)
            if key is not None:
                found.setdefault(key, Feature(key, dtypes.int64, one.splits))
    return list(found.values())


def ragged_results(w: Any, parts: list[Ragged], features: list[Feature], values: list,
                   splits: list, single: bool) -> list[tuple]:
    """For each ragged feature its values and splits, from the outermost to the innermost."""
    read = {one.key: (values[i], None if single else splits[i])
            for i, one in enumerate(features)}
    return [_feature(w, one, read, single) for one in parts]


def _feature(w: Any, feature: Ragged, read: dict[str, tuple], single: bool) -> tuple:
    values, splits = read[feature.key]
    if not feature.partitions:
        return (values,) if single else (values, splits)
    kind = dtypes.of(np.dtype(feature.splits))
    count = _count(w, values)
    by_example = _by_example(w, values, splits)
    levels: list[Ref] = []
    for partition in reversed(feature.partitions):
        inner, by_example = _cut(w, partition, read, count, by_example)
        levels.insert(0, inner)
        count = w.Sub(_count(w, inner), w.const(1, dtypes.int64))
    if not single:
        levels.insert(0, by_example)
    return values, *[cast(w, one, kind) for one in levels]


def _count(w: Any, vector: Ref) -> Ref:
    return cast(w, w.Size(vector), dtypes.int64)


def _by_example(w: Any, values: Ref, splits: Ref | None) -> Ref:
    """The splits by example; of a single one it begins with 0 and ends with all values."""
    if splits is None:
        return w.Pack([w.const(0, dtypes.int64), _count(w, values)])
    return cast(w, splits, dtypes.int64)


def _summed(w: Any, lengths: Ref) -> Ref:
    """Splits of rows of these lengths."""
    axis = w.const(0, dtypes.int32)
    return w.ConcatV2([w.const([0], dtypes.int64), w.Cumsum(lengths, axis)], axis)


def _cut(w: Any, partition: Any, read: dict[str, tuple], count: Ref, begins: Ref) -> tuple:
    """Splits of the rows into which a partition cuts `count` values that are split by example as
    `begins` says, and the splits of these rows by example."""
    kind = type(partition).__name__
    zero, one = w.const(0, dtypes.int64), w.const(1, dtypes.int64)
    if kind == "UniformRowLength":
        length = w.const(int(partition.length), dtypes.int64)
        return w.Range(zero, w.AddV2(count, one), length), w.FloorDiv(begins, length)
    values, splits = read[partition.key]
    own = Rows(values, _by_example(w, values, splits))
    if kind == "RowLengths":
        return _summed(w, own.values), own.splits
    numbers = w.Range(zero, _count(w, own.values), one)
    example = _examples(w, own, numbers)
    if kind == "ValueRowIds":
        return _of_row_ids(w, own, example)
    axis = w.const(0, dtypes.int32)
    moved = w.AddV2(own.values, w.GatherV2(begins, example, axis))
    if kind == "RowStarts":
        return w.ConcatV2([moved, w.ExpandDims(count, axis)], axis), own.splits
    begin = w.const([0], dtypes.int64)
    if kind == "RowLimits":
        return w.ConcatV2([begin, moved], axis), own.splits
    first = w.Equal(numbers, w.GatherV2(own.splits, example, axis))  # RowSplits
    limits = w.GatherV2(moved, w.Squeeze(w.Where(w.LogicalNot(first)), squeeze_dims=[1]), axis)
    lengths = w.Sub(part(w, own.splits, 1, None), part(w, own.splits, 0, -1))
    rows = w.Maximum(w.Sub(lengths, one), zero)
    return w.ConcatV2([begin, limits], axis), _summed(w, rows)


def _examples(w: Any, own: Rows, numbers: Ref) -> Ref:
    """The example of each value."""
    axis = w.const(0, dtypes.int32)
    after = w.UpperBound(w.ExpandDims(own.splits, axis), w.ExpandDims(numbers, axis),
                         out_type=dtypes.int64)
    return w.Sub(w.Squeeze(after, squeeze_dims=[0]), w.const(1, dtypes.int64))


def _of_row_ids(w: Any, own: Rows, example: Ref) -> tuple:
    axis, one = w.const(0, dtypes.int32), w.const(1, dtypes.int64)
    examples = w.Sub(_count(w, own.splits), one)
    last = w.Maximum(w.UnsortedSegmentMax(own.values, example, examples),
                     w.const(-1, dtypes.int64))
    rows = _summed(w, w.AddV2(last, one))
    ids = w.AddV2(own.values, w.GatherV2(rows, example, axis))
    ones = w.Fill(w.Shape(ids), one)
    return _summed(w, w.UnsortedSegmentSum(ones, ids, element(w, rows, -1))), rows
