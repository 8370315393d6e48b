"""The integer ops beneath ragged tensors: rows as splits, lengths, ids and ranges of indices.

They have no gradient; values are moved by gathers at the indices that they compute. `splits` has
one more entry than there are rows: row i is [splits[i], splits[i + 1]). May be imported by other
`ops`.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from tapeflow.base import errors
from tapeflow.core.autodiff.batching import loop
from tapeflow.core.record.op import NONDIFF, Spec, define
from tapeflow.core.record.samples import Case, ints

_INDEX = NONDIFF("where rows begin and end are integers: they have no gradient")
_INT64 = np.dtype("int64")
SPLITS = np.array([0, 2, 2, 5], np.int64)


def _sized(spec: Spec, more: int) -> Spec:
    """A vector `more` longer."""
    n = None if spec.shape is None else spec.shape[0]
    return Spec((None if n is None else n + more,), spec.dtype)


def _vector(dtype: Any) -> Spec:
    return Spec((None,), dtype)


def lengths_kernel(splits):
    if not splits.size:
        raise errors.invalid("RaggedRowLengths", "row_splits is empty: it must have at least one "
                                                 "entry")
    return splits[1:] - splits[:-1]


def splits_kernel(lengths):
    """The splits of rows with these lengths."""
    splits = np.zeros(lengths.size + 1, lengths.dtype)
    np.cumsum(lengths, out=splits[1:])
    return splits


lengths_of = define("row_lengths", kernel=lengths_kernel, dtypes="iu", args=("splits",),
                    shape=lambda splits: _sized(splits, -1), vjp=_INDEX, batch=loop,
                    check=[Case(SPLITS)])
splits_of = define("row_splits", kernel=splits_kernel, dtypes="iu", args=("lengths",),
                   shape=lambda lengths: _sized(lengths, 1), vjp=_INDEX, batch=loop,
                   check=[Case(ints(4, (3,)))])


def ids_kernel(splits):
    """For each value the index of its row."""
    return np.repeat(np.arange(splits.size - 1, dtype=splits.dtype), lengths_kernel(splits))


ids_of = define("row_ids", kernel=ids_kernel, dtypes="iu", args=("splits",), vjp=_INDEX, batch=loop,
                shape=lambda splits: _vector(splits.dtype), check=[Case(SPLITS)],
                tf_name="RaggedRowIds")


def _splits_of_ids_kernel(ids, rows):
    return splits_kernel(np.bincount(ids, minlength=int(rows))[:int(rows)].astype(ids.dtype))


splits_of_ids = define("row_splits_of_ids", kernel=_splits_of_ids_kernel, dtypes="iu", vjp=_INDEX,
                       args=("ids", "rows"), shape=lambda ids, rows: _vector(ids.dtype), batch=loop,
                       check=[Case(np.array([0, 0, 2], np.int64), np.int64(4))])


def spans(starts: np.ndarray, lengths: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """(splits, values) of runs of consecutive integers."""
    splits = splits_kernel(lengths)
    return splits, np.arange(splits[-1], dtype=starts.dtype) + np.repeat(
        starts - splits[:-1].astype(starts.dtype, copy=False), lengths)


def ranges_kernel(starts, limits, deltas):
    """(splits, values) of ranges, one a row; operands broadcast."""
    if starts.dtype.kind in "iu" and np.ndim(deltas) == 0 and deltas == 1 and starts.ndim == 1:
        return spans(starts, np.maximum(limits - starts, 0).astype(_INT64, copy=False))
    starts, limits, deltas = np.broadcast_arrays(starts, limits, deltas)
    if starts.size and not deltas.all():
        raise errors.invalid("RaggedRange", "Requires delta != 0")
    kind = starts.dtype
    count = np.ceil((limits - starts) / deltas) if kind.kind == "f" else -(
        (starts - limits) // deltas)
    lengths = np.maximum(count, 0).astype(_INT64).ravel()
    splits = splits_kernel(lengths)
    step = np.arange(splits[-1]) - np.repeat(splits[:-1], lengths)
    values = np.repeat(starts.ravel(), lengths) + step.astype(kind) * np.repeat(
        deltas.ravel(), lengths)
    return splits, values.astype(kind, copy=False)


ranges = define("ragged_range", kernel=ranges_kernel, dtypes="iuf", vjp=_INDEX, multi=True,
                args=("starts", "limits", "deltas"), batch=loop,
                shape=lambda starts, limits, deltas: (_vector(_INT64), _vector(starts.dtype)),
                check=[Case(np.array([0, 5], np.int32), np.array([3, 1], np.int32),
                            np.array([1, -2], np.int32))])


# -- as dense tensors ------------------------------------------------------------------------------
def _sizes(splits: tuple, wanted: tuple) -> tuple:
    """The dense sizes that hold all rows; `wanted` has those that were asked for."""
    sizes = [splits[0].size - 1 if wanted[0] in (None, -1) else wanted[0]]
    for one, size in zip(splits, wanted[1:], strict=True):
        most = int(lengths_kernel(one).max(initial=0))
        sizes.append(most if size in (None, -1) else size)
    return tuple(sizes)


def dense_indices_kernel(*splits, shape):
    """For each cell of the dense form the index of its value, or how many values there are."""
    shape = _sizes(splits, shape)
    count = int(splits[-1][-1])
    if len(splits) == 1:
        rows = min(shape[0], splits[0].size - 1)
        column = np.arange(shape[1])
        starts, limits = splits[0][:rows, None], splits[0][1:rows + 1, None]
        cells = starts + column
        found = np.where(cells < limits, cells, count).astype(_INT64, copy=False)
        if rows == shape[0]:
            return found
        return np.concatenate([found, np.full((shape[0] - rows, shape[1]), count, _INT64)])
    indices = np.full(shape, count, _INT64)
    at = _coordinates(splits)
    keep = np.all(at < np.array(shape)[:, None], axis=0)
    indices[tuple(at[:, keep])] = np.flatnonzero(keep)
    return indices


def dense_rows(values: np.ndarray, splits: np.ndarray, default: Any, wanted: tuple) -> np.ndarray:
    """One ragged dimension made dense: rows cut or filled to the sizes of `wanted`."""
    rows, width = _sizes((splits,), wanted)
    out = np.empty((rows, width, *values.shape[1:]), values.dtype)
    out[...] = default[()] if values.dtype.kind == "O" and not np.ndim(default) else default
    lengths = lengths_kernel(splits)[:rows]
    there = np.zeros((rows, width), bool)
    there[:lengths.size] = np.arange(width) < lengths[:, None]
    if rows >= splits.size - 1 and width >= lengths.max(initial=0):
        out[there] = values[:splits[-1]]
    else:
        _, indices = spans(splits[:-1][:rows], np.minimum(lengths, width))
        out[there] = values[indices]
    return out


def _coordinates(splits: tuple) -> np.ndarray:
    """Row, column … of each flat value as (ragged rank + 1, count)."""
    axes = [np.arange(splits[0].size - 1, dtype=_INT64)]
    for one in splits:
        lengths = lengths_kernel(one)
        row = np.repeat(np.arange(lengths.size), lengths)
        column = np.arange(row.size) - np.repeat(one[:-1], lengths)
        axes = [*[axis[row] for axis in axes], column.astype(_INT64, copy=False)]
    return np.stack(axes)


def _dense_shape(*splits: Spec, shape: tuple) -> Spec:
    sizes = [None if n in (None, -1) else n for n in shape]
    if sizes[0] is None and splits[0].shape is not None and splits[0].shape[0] is not None:
        sizes[0] = splits[0].shape[0] - 1
    return Spec(tuple(sizes), _INT64)


dense_indices = define("ragged_dense_places", kernel=dense_indices_kernel, dtypes="iu", vjp=_INDEX,
                       args=("*splits",), shape=_dense_shape, batch=loop,
                       check=[Case(SPLITS, shape=(None, None)),
                              Case(SPLITS, np.array([0, 1, 3, 3, 4, 4], np.int64),
                                   shape=(None, 2, None))])


def _sparse_kernel(*splits):
    """Coordinates of all values, and the sizes of the bounding box."""
    sizes = np.array(_sizes(splits, (None,) * (len(splits) + 1)), _INT64)
    return np.ascontiguousarray(_coordinates(splits).T), sizes


sparse_indices = define("ragged_sparse_places", kernel=_sparse_kernel, dtypes="iu", vjp=_INDEX,
                        args=("*splits",), batch=loop, multi=True,
                        shape=lambda *splits: (Spec((None, len(splits) + 1), _INT64),
                                               Spec((len(splits) + 1,), _INT64)),
                        check=[Case(SPLITS)])


def _padded_kernel(x, padding):
    """How long each row is without the values at its end that equal `padding`."""
    same = x == padding
    same = same.reshape(*x.shape[:2], -1).all(-1)
    first = np.argmin(same[:, ::-1], axis=1) if x.shape[1] else np.zeros(x.shape[0], _INT64)
    lengths = np.where(same.all(axis=1), 0, x.shape[1] - first)
    return lengths.astype(_INT64)


padded_lengths = define("ragged_padded_lengths", kernel=_padded_kernel, vjp=_INDEX, batch=loop,
                        args=("x", "padding"), shape=lambda x, padding: Spec(
                            None if x.shape is None else x.shape[:1], _INT64),
                        check=[Case(np.array([[1, 0, 0], [0, 0, 0]], np.int32), np.int32(0))])


# -- rows chosen and joined ------------------------------------------------------------------------
def _chosen_kernel(*operands):
    """Rows given by their indices: the splits of each level, and the indices of flat values."""
    *levels, rows = operands
    found, indices = [], rows
    for splits in levels:
        if indices.size and (indices.min() < 0 or indices.max() >= splits.size - 1):
            bad = int(indices[(indices < 0) | (indices >= splits.size - 1)][0])
            raise errors.invalid("RaggedGather", f"indices[...] = {bad} is not in [0, "
                                                 f"{splits.size - 1})")
        starts = splits[indices]
        new, indices = spans(starts, splits[indices + 1] - starts)
        found.append(new.astype(splits.dtype, copy=False))
    return (*found, indices)


chosen_rows = define("ragged_chosen_rows", kernel=_chosen_kernel, dtypes="iu", vjp=_INDEX,
                     args=("*operands",), batch=loop, multi=True,
                     shape=lambda *specs: tuple([_vector(one.dtype) for one in specs[:-1]]
                                                + [_vector(specs[0].dtype)]),
                     check=[Case(SPLITS, np.array([2, 0, 2], np.int64))])


def _interleaved_kernel(*splits):
    """Rows of several ragged tensors joined end to end: splits, and indices among all values."""
    lengths = np.stack([lengths_kernel(one) for one in splits], 1)
    starts = np.cumsum([0] + [int(one[-1]) for one in splits[:-1]])
    first = np.stack([one[:-1] + start for one, start in zip(splits, starts, strict=True)], 1)
    joined = splits_kernel(lengths.sum(axis=1).astype(splits[0].dtype))
    _, indices = spans(first.ravel(), lengths.ravel())
    return joined, indices.astype(_INT64)


def _same_rows(splits: tuple) -> bool:
    return all(one.size == splits[0].size for one in splits)


def _checked_interleaved(*splits):
    if not _same_rows(splits):
        raise errors.invalid("ConcatV2", "Inputs must have the same number of rows: "
                                         f"{[one.size - 1 for one in splits]}")
    return _interleaved_kernel(*splits)


interleaved = define("ragged_interleaved_rows", kernel=_checked_interleaved, dtypes="iu",
                     vjp=_INDEX, args=("*splits",), batch=loop, multi=True,
                     shape=lambda *splits: (splits[0], _vector(_INT64)),
                     check=[Case(SPLITS, np.array([0, 1, 2, 2], np.int64))])


def _reversed_kernel(splits):
    """The index of each value when every row is reversed."""
    row = ids_kernel(splits)
    return splits[row] + splits[row + 1] - 1 - np.arange(row.size, dtype=splits.dtype)


reversed_rows = define("ragged_reversed_rows", kernel=_reversed_kernel, dtypes="iu", vjp=_INDEX,
                       args=("splits",), batch=loop, shape=lambda splits: _vector(splits.dtype),
                       check=[Case(SPLITS)])
