"""The integer ops beneath sparse tensors: orders, groups, unions and slices of coordinates.

They have no gradient; values are moved by gathers at the indices that they compute. Shapes are
attributes, tuples or symbolic. May be imported by other modules of `ops`.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from tapeflow.base import errors
from tapeflow.core.autodiff.batching import loop
from tapeflow.core.record.op import NONDIFF, Spec, define
from tapeflow.core.record.primitive_ops import static
from tapeflow.core.record.samples import Case
from tapeflow.ops._support.arguments import brackets

_INDEX = NONDIFF("coordinates are integers: they have no gradient")
_INT64 = np.dtype("int64")
_VECTOR = Spec((None,), _INT64)
PLACES = np.array([[0, 2], [1, 0], [0, 0]], np.int64)
SORTED = np.array([[0, 0], [0, 2], [1, 0]], np.int64)


def ranks(indices: np.ndarray, shape: tuple) -> np.ndarray:
    """The index of each coordinate in the flattened dense tensor."""
    flat = np.zeros(len(indices), _INT64)
    for column, size in zip(indices.T, shape, strict=True):
        flat = flat * int(size) + column
    return flat


def unranked(flat: np.ndarray, shape: tuple) -> np.ndarray:
    """Coordinates from indices in the flattened dense tensor."""
    columns = []
    for size in reversed(shape):
        flat, column = np.divmod(flat, max(int(size), 1))
        columns.append(column)
    return np.stack(columns[::-1], 1).astype(_INT64) if columns else np.zeros(
        (len(flat), 0), _INT64)


def keys_of(indices: np.ndarray) -> np.ndarray:
    """One integer for each coordinate, in the same order; coordinates may be any integers."""
    if not len(indices) or not indices.shape[1]:
        return np.zeros(len(indices), _INT64)
    columns = indices.T
    if len(columns) == 1:
        return columns[0]
    low = [int(column.min()) for column in columns]
    sizes = [int(column.max()) - least + 1 for column, least in zip(columns, low, strict=True)]
    total = 1
    for size in sizes:
        total *= size
    if total >= 1 << 62:  # too many for an integer: the rank of each row among them
        return np.unique(indices, axis=0, return_inverse=True)[1].reshape(-1)
    keys = columns[0] - low[0]
    for column, least, size in zip(columns[1:], low[1:], sizes[1:], strict=True):
        keys = keys * size + (column - least)
    return keys


def rising(keys: np.ndarray) -> bool:
    """Whether values never decrease."""
    return bool((keys[1:] >= keys[:-1]).all())


def in_order(indices: np.ndarray) -> np.ndarray:
    """Row-major order, stable."""
    keys = keys_of(indices)
    return np.arange(len(keys)) if rising(keys) else keys.argsort(kind="stable").astype(
        _INT64, copy=False)


def within(indices: np.ndarray, low: Any, high: Any) -> np.ndarray:
    """Which coordinates lie in a box, its upper corner excluded."""
    kept = np.ones(len(indices), bool)
    for column, first, last in zip(indices.T, low, high, strict=True):
        kept &= (column >= first) & (column < last)
    return kept


def _rows(spec: Spec) -> Any:
    return None if spec.shape is None else spec.shape[0]


order_of = define("sparse_order", kernel=in_order, dtypes="i", args=("indices",), vjp=_INDEX,
                  batch=loop, shape=lambda indices: Spec((_rows(indices),), _INT64),
                  check=[Case(PLACES)])


def _checked_kernel(indices, shape, repeats=False, op="SparseToDense"):
    """The indices, if they are inside, in order and (unless `repeats`) not repeated."""
    limits = np.array(shape, _INT64)
    if len(limits) != indices.shape[1]:
        raise errors.invalid(op, f"indices have {indices.shape[1]} columns, the shape has "
                                 f"{len(limits)} sizes")
    bad = np.flatnonzero(~within(indices, np.zeros_like(limits), limits))
    if bad.size:
        i = int(bad[0])
        raise errors.invalid(op, f"indices[{i}] = {brackets(indices[i])} is out of bounds: need 0 "
                                 f"<= index < {brackets(limits)}")
    flat = ranks(indices, shape)
    step = flat[1:] - flat[:-1]
    if (step < 0).any():
        i = int(np.flatnonzero(step < 0)[0]) + 1
        raise errors.invalid(op, f"indices[{i}] = {brackets(indices[i])} is out of order. Many "
                                 "sparse ops require sorted indices. Use `tf.sparse.reorder` to "
                                 "create a correctly ordered copy.")
    if not repeats and (step == 0).any():
        i = int(np.flatnonzero(step == 0)[0]) + 1
        raise errors.invalid(op, f"indices[{i}] = {brackets(indices[i])} is repeated")
    return indices


checked = define("sparse_checked", kernel=_checked_kernel, dtypes="i", args=("indices",),
                 vjp=_INDEX, batch=loop, shape=lambda indices, shape, repeats=False, op="": indices,
                 check=[Case(SORTED, shape=(2, 3))])


def _groups_kernel(indices, columns):
    """An id for each coordinate, the same where the chosen columns agree, and those columns."""
    chosen = indices[:, list(columns)]
    if not chosen.shape[1]:
        return np.zeros(len(indices), _INT64), np.zeros((min(len(indices), 1), 0), _INT64)
    keys = keys_of(chosen)
    if rising(keys):
        new = np.ones(len(keys), bool)
        new[1:] = keys[1:] != keys[:-1]
        return new.cumsum() - 1, chosen[new]
    _, first, ids = np.unique(keys, return_index=True, return_inverse=True)
    return ids.reshape(-1).astype(_INT64), chosen[first]


groups = define("sparse_groups", kernel=_groups_kernel, dtypes="i", args=("indices",), vjp=_INDEX,
                batch=loop, multi=True,
                shape=lambda indices, columns: (Spec((_rows(indices),), _INT64),
                                                Spec((None, len(columns)), _INT64)),
                check=[Case(SORTED, columns=(0,))])


def _union_kernel(a, b, shape):
    """Coordinates of either, and where each finds its value: in a, in b, or at their end."""
    if a.shape == b.shape and np.array_equal(a, b) and rising(ranks(a, shape)):
        indices = np.arange(len(a))
        return a, indices, indices
    flat = np.concatenate([ranks(a, shape), ranks(b, shape)])
    order = flat.argsort(kind="stable")  # two runs that are in order are merged
    flat = flat[order]
    new = np.ones(len(flat), bool)
    new[1:] = flat[1:] != flat[:-1]
    ids, count = new.cumsum() - 1, int(new.sum())
    first, second = np.full(count, len(a), _INT64), np.full(count, len(b), _INT64)
    ours = order < len(a)
    first[ids[ours]] = order[ours]
    second[ids[~ours]] = order[~ours] - len(a)
    return unranked(flat[new], shape), first, second


union = define("sparse_union", kernel=_union_kernel, dtypes="i", args=("a", "b"), vjp=_INDEX,
               batch=loop, multi=True,
               shape=lambda a, b, shape: (Spec((None, None if a.shape is None else a.shape[1]),
                                               _INT64), _VECTOR, _VECTOR),
               check=[Case(SORTED, np.array([[0, 1], [1, 0]], np.int64), shape=(2, 3))])


def _sliced_kernel(indices, start, size):
    """The indices of the coordinates within a box, and those counted from its corner."""
    low, high = np.array(start, _INT64), np.array(start, _INT64) + np.array(size, _INT64)
    kept = np.flatnonzero(within(indices, low, high))
    return kept.astype(_INT64), indices[kept] - low


sliced = define("sparse_sliced", kernel=_sliced_kernel, dtypes="i", args=("indices",), vjp=_INDEX,
                batch=loop, multi=True,
                shape=lambda indices, start, size: (_VECTOR, Spec(
                    (None, None if indices.shape is None else indices.shape[1]), _INT64)),
                check=[Case(SORTED, start=(0, 1), size=(2, 2))])


def _reshaped_kernel(indices, old, new):
    return unranked(ranks(indices, old), new)


reshaped = define("sparse_reshaped", kernel=_reshaped_kernel, dtypes="i", args=("indices",),
                  vjp=_INDEX, batch=loop,
                  shape=lambda indices, old, new: Spec(
                      (_rows(indices), None if static(new) is None else len(static(new) or ())),
                      _INT64),
                  check=[Case(SORTED, old=(2, 3), new=(6,))])


def _flat_index_kernel(indices, shape):
    """Indices into a flat dense tensor of `shape` that broadcasts to the sparse one."""
    flat = np.zeros(len(indices), _INT64)
    for column, size in zip(indices.T[indices.shape[1] - len(shape):], shape, strict=True):
        if len(column) and (column.min() < 0 or size != 1 and column.max() >= size):
            raise errors.invalid("SparseDenseCwiseMul", "an index of the sparse tensor is out of "
                                                        f"bounds of {list(shape)}")
        flat = flat * size + (0 if size == 1 else column)
    return flat


flat_index = define("sparse_spread", kernel=_flat_index_kernel, dtypes="i", args=("indices",),
                    vjp=_INDEX, batch=loop,
                    shape=lambda indices, shape: Spec((_rows(indices),), _INT64),
                    check=[Case(SORTED, shape=(1, 3)), Case(SORTED, shape=(3,))])


def _filled_kernel(indices, rows):
    """Coordinates with one for every empty row, the indices of values, which rows were empty."""
    first = indices[:, 0]
    empty = np.ones(rows, bool)
    empty[first] = False
    missing = np.flatnonzero(empty)
    added = np.zeros((missing.size, indices.shape[1]), _INT64)
    added[:, 0] = missing
    every = np.concatenate([indices, added])
    sources = np.concatenate([np.arange(len(indices)), np.full(missing.size, len(indices))])
    order = np.argsort(every[:, 0], kind="stable")
    return every[order], sources[order].astype(_INT64), empty


filled = define("sparse_filled_rows", kernel=_filled_kernel, dtypes="i", args=("indices",),
                vjp=_INDEX, batch=loop, multi=True,
                shape=lambda indices, rows: (
                    Spec((None, None if indices.shape is None else indices.shape[1]), _INT64),
                    _VECTOR, Spec((rows if isinstance(rows, int) else None,), np.dtype(bool))),
                check=[Case(SORTED, rows=3)])
