"""What compares the rows of sparse tensors: tf.sets, tf.edit_distance, counts and crosses."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import numpy as np

from tapeflow.base import dtypes, errors
from tapeflow.base.attributes import attributes, flag, text_bytes, whole
from tapeflow.base.exports import export
from tapeflow.core.autodiff.batching import loop
from tapeflow.core.record.families import operand
from tapeflow.core.record.op import NONDIFF, Spec, define, shape_of
from tapeflow.core.record.primitive_ops import cast, dims, reshape, static
from tapeflow.core.record.samples import Case
from tapeflow.core.values.tensor import Tensor
from tapeflow.ops._support.arguments import brackets, wrong_kind
from tapeflow.ops.array.creation import fill
from tapeflow.ops.indexing.gathering import true_indices
from tapeflow.ops.math.comparison import maximum
from tapeflow.ops.sparse.coordinate_ops import SORTED
from tapeflow.ops.sparse.sparse_tensor import SparseTensor, as_sparse, sparse

_INT64 = np.dtype("int64")
_NO_GRADIENT = NONDIFF("sets, counts and distances of what is discrete have no gradient")
_SETS = ("int8", "int16", "int32", "int64", "uint8", "uint16", "string")


def everything(x: Any) -> SparseTensor:
    """A dense tensor as a sparse one, zeros and all; a sparse one as it is."""
    if isinstance(x, SparseTensor):
        return x
    tensor = operand(x)
    shape = dims(tensor)
    coords = true_indices(fill(shape, True))
    if isinstance(shape, Tensor):
        shape = cast(shape, dtype=_INT64)
    return sparse(coords, reshape(tensor, shape=(-1,)), shape, tensor.shape)


def _by_row(indices: np.ndarray, values: np.ndarray) -> dict[tuple, list]:
    """The values of each row, in order, by its coordinates."""
    rows: dict[tuple, list] = {}
    for coord, value in zip(indices[:, :-1].tolist(), values.tolist(), strict=True):
        rows.setdefault(tuple(coord), []).append(value)
    return rows


def listed(rows: dict[tuple, Iterable], lead: Any, dtype: Any) -> tuple:
    """Lists by row as coordinates, values and a dense shape."""
    coords, values, most = [], [], 0
    for row in sorted(rows):
        for column, value in enumerate(rows[row]):
            coords.append((*row, column))
            values.append(value)
            most = max(most, column + 1)
    flat = np.empty(len(values), dtype)
    flat[:] = values
    return (np.array(coords, _INT64).reshape(len(coords), len(lead) + 1), flat,
            np.array([*lead, most], _INT64))


def _listed_shape(rank: Any, dtype: Any) -> tuple:
    return Spec((None, rank), _INT64), Spec((None,), dtype), Spec((rank,), _INT64)


# -- sets ------------------------------------------------------------------------------------------
_OPERATIONS: dict[str, Callable] = {
    "intersection": set.__and__, "union": set.__or__, "a-b": set.__sub__,
    "b-a": lambda a, b: b - a}


def _set_kernel(a_coords, a, b_coords, b, lead, kind):
    ours, theirs = _by_row(a_coords, a), _by_row(b_coords, b)
    combine = _OPERATIONS[kind]
    rows = {row: sorted(combine(set(ours.get(row, ())), set(theirs.get(row, ()))))
            for row in ours.keys() | theirs.keys()}
    return listed(rows, lead, a.dtype)


_set = define("set_operation", kernel=_set_kernel, dtypes="iuO", vjp=_NO_GRADIENT, batch=loop,
              args=("a_coords", "a", "b_coords", "b"), multi=True, tf_name="SetOperation",
              shape=lambda a_coords, a, b_coords, b, lead, kind: _listed_shape(
                  None if a_coords.shape is None else a_coords.shape[1], a.dtype),
              check=[Case(SORTED, np.array([1, 2, 3], np.int32), SORTED,
                          np.array([2, 5, 3], np.int32), lead=(2,), kind="union")])


def _combined(a: Any, b: Any, kind: str) -> SparseTensor:
    for name, x in (("a", a), ("b", b)):
        given = (x if isinstance(x, SparseTensor) else operand(x)).dtype
        if given.name not in _SETS:
            raise TypeError(f"'{name}' has invalid dtype `{given!s}` not in supported dtypes: "
                            f"{', '.join(_SETS)}.")
    first, second = everything(a), everything(b)
    if first.dtype != second.dtype:
        raise TypeError(f"Dtypes don't match, got {first.dtype.name} vs {second.dtype.name}.")
    ours, theirs = first._sizes, second._sizes
    for sizes in (ours, theirs):
        if isinstance(sizes, tuple) and len(sizes) < 2:
            raise errors.invalid("DenseToDenseSetOperation",
                                 f"Shape {brackets(sizes)} has rank {len(sizes)} < 2")
    if isinstance(ours, tuple) and isinstance(theirs, tuple) and ours[:-1] != theirs[:-1]:
        raise errors.invalid("DenseToDenseSetOperation", (
            f"Mismatched shapes {brackets(ours[:-1])} vs {brackets(theirs[:-1])}"))
    return sparse(*_set(first.indices, first.values, second.indices, second.values,
                        lead=(theirs if isinstance(ours, Tensor) else ours)[:-1], kind=kind))


@export("sets.intersection")
@attributes(validate_indices=flag)
def intersection(a: Any, b: Any, validate_indices: bool = True) -> SparseTensor:
    """What each row of the last axis of `a` and `b` has in common, sorted."""
    return _combined(a, b, "intersection")


@export("sets.union")
@attributes(validate_indices=flag)
def union(a: Any, b: Any, validate_indices: bool = True) -> SparseTensor:
    """What is in a row of `a` or `b`, sorted."""
    return _combined(a, b, "union")


@export("sets.difference")
@attributes(validate_indices=flag)
def difference(a: Any, b: Any, aminusb: bool = True, validate_indices: bool = True) -> SparseTensor:
    """What is in a row of `a` but not of `b`, or the other way round, sorted."""
    return _combined(a, b, "a-b" if aminusb else "b-a")


def _set_size_kernel(coords, values, lead):
    sizes = np.zeros(lead, np.int32)
    for row, found in _by_row(coords, values).items():
        sizes[row] = len(set(found))
    return sizes[()]


_set_size = define("set_size", kernel=_set_size_kernel, dtypes="iuO", args=("coords", "values"),
                   shape=lambda coords, values, lead: Spec(static(lead), np.dtype("int32")),
                   vjp=_NO_GRADIENT, batch=loop,
                   check=[Case(SORTED, np.array([1, 1, 3], np.int32), lead=(2,))])


@export("sets.size")
@attributes(validate_indices=flag)
def size(a: Any, validate_indices: bool = True) -> Tensor:
    """How many different values each row of a sparse tensor has."""
    if not isinstance(a, SparseTensor):
        raise TypeError(f"Expected `SparseTensor`, got {a}.")
    return _set_size(a.indices, a.values, lead=a._sizes[:-1])


# -- distances -------------------------------------------------------------------------------------
def levenshtein(a: list, b: list) -> int:
    """How many insertions, deletions and replacements make `a` of `b`."""
    before = list(range(len(b) + 1))
    for i, x in enumerate(a, 1):
        now = [i]
        for j, y in enumerate(b, 1):
            now.append(min(before[j] + 1, now[-1] + 1, before[j - 1] + (x != y)))
        before = now
    return before[-1]


def _distance_kernel(a_coords, a, b_coords, b, lead, normalize):
    ours, truth = _by_row(a_coords, a), _by_row(b_coords, b)
    found = np.zeros(lead, np.float32)
    for row in ours.keys() | truth.keys():
        have, want = ours.get(row, []), truth.get(row, [])
        distance = float(levenshtein(have, want))
        if normalize:
            distance = distance / len(want) if want else np.inf if have else 0.0
        found[row] = distance
    return found[()]


_distance = define("edit_distance", kernel=_distance_kernel, dtypes="iuOfb", vjp=_NO_GRADIENT,
                   args=("a_coords", "a", "b_coords", "b"), batch=loop,
                   shape=lambda a_coords, a, b_coords, b, lead, normalize: Spec(
                       static(lead), np.dtype("float32")),
                   check=[Case(SORTED, np.array([1, 2, 3], np.int32), SORTED,
                               np.array([2, 5, 3], np.int32), lead=(2,), normalize=True)])


@export("edit_distance")
@attributes(normalize=flag)
def edit_distance(hypothesis: Any, truth: Any, normalize: bool = True,
                  name: str = "edit_distance") -> Tensor:
    """The Levenshtein distance of each row of the last axis, over the length of the truth."""
    hypothesis, truth = as_sparse(hypothesis, "hypothesis"), as_sparse(truth, "truth")
    if hypothesis.dtype != truth.dtype:
        raise errors.invalid("EditDistance", f"dtypes differ: {hypothesis.dtype.name} and "
                                             f"{truth.dtype.name}")
    ours, theirs = hypothesis._sizes, truth._sizes
    if hypothesis.shape.rank != truth.shape.rank:
        raise errors.invalid("EditDistance", "truth_shape and hypothesis_shape must have the same "
                             f"rank, got {truth.shape.rank} and {hypothesis.shape.rank}")
    if isinstance(ours, tuple) and isinstance(theirs, tuple):
        lead: Any = tuple([max(m, n) for m, n in zip(ours[:-1], theirs[:-1])])
    else:
        lead = maximum(hypothesis.dense_shape[:-1], truth.dense_shape[:-1])
    return _distance(hypothesis.indices, hypothesis.values, truth.indices, truth.values, lead=lead,
                     normalize=bool(normalize))


# -- counts ----------------------------------------------------------------------------------------
def _count_kernel(coords, values, weights, lead, least, most, binary):
    if values.size and values.min() < 0:
        raise errors.invalid("DenseCountSparseOutput", "Input values must all be non-negative")
    rows: dict[tuple, dict] = {}
    top = 0
    for coord, value, weight in zip(coords.tolist(), values.tolist(), weights.tolist(),
                                    strict=True):
        top = max(top, value + 1)
        if 0 <= most <= value:
            continue
        row = rows.setdefault(tuple(coord[:len(lead)]), {})
        row[value] = 1 if binary else row.get(value, 0) + weight
    size = max(top, least) if most < 0 else min(max(top, least), most)
    found = [(*row, value, rows[row][value]) for row in sorted(rows) for value in sorted(rows[row])]
    columns = len(lead) + 1
    return (np.array([one[:columns] for one in found], _INT64).reshape(len(found), columns),
            np.array([one[-1] for one in found], weights.dtype),
            np.array([*lead, size], _INT64))


_count = define("sparse_bincount", kernel=_count_kernel, dtypes="iuf",
                args=("coords", "values", "weights"), vjp=_NO_GRADIENT, batch=loop, multi=True,
                shape=lambda coords, values, weights, lead, **attrs: _listed_shape(
                    len(static(lead) or ()) + 1, weights.dtype),
                check=[Case(SORTED, np.array([1, 1, 3], np.int32), np.array([1, 1, 1], np.int32),
                            lead=(2,), least=0, most=-1, binary=False)])


@export("sparse.bincount")
@attributes(minlength=whole, maxlength=whole, binary_output=flag)
def bincount(values: Any, weights: Any = None, axis: int | None = 0, minlength: int | None = None,
             maxlength: int | None = None, binary_output: bool = False,
             name: str | None = None) -> SparseTensor:
    """How often each value occurs, in all (axis=0) or in each row (axis=-1)."""
    if axis not in (0, -1, None):
        raise ValueError(f"Unsupported value for argument axis={axis}. Only 0 and -1 are currently "
                         "supported.")
    for label, bound in (("minlength", minlength), ("maxlength", maxlength)):
        if bound is not None and bound < -1:
            raise errors.invalid("DenseCountSparseOutput", (
                f"Value for attr '{label}' of {bound} must be at least minimum -1"))
    given = _counted(values)
    if not given.dtype.is_integer:
        raise TypeError(f"tf.sparse.bincount: values must be integers, got {given.dtype.name}")
    if given.dtype not in (dtypes.int32, dtypes.int64):
        raise wrong_kind("DenseCountSparseOutput", "T", given.dtype, "int32, int64")
    if weights is None:
        held = fill(shape_of(given.values) if None not in shape_of(given.values)
                    else given.values._dynamic_shape(), np.ones((), given.dtype.np))
    else:
        held = _counted(weights).values
    lead = given._sizes[:-1] if axis == -1 and (given.shape.rank or 1) > 1 else ()
    return sparse(*_count(given.indices, given.values, held, lead=lead,
                          least=-1 if minlength is None else int(minlength),
                          most=-1 if maxlength is None else int(maxlength),
                          binary=bool(binary_output)))


def _counted(x: Any) -> SparseTensor:
    if hasattr(x, "to_sparse"):
        return x.to_sparse()
    return everything(x)


# -- crosses ---------------------------------------------------------------------------------------
def _crossed(columns: list[list], separator: bytes) -> list[bytes]:
    """Every combination of one value from each column, the last varying fastest."""
    found = [text_bytes(value) for value in columns[0]]
    for column in columns[1:]:
        found = [one + separator + text_bytes(value) for one in found for value in column]
    return found


def _hashed(columns: list[list], buckets: int, key: int) -> list[int]:
    from tapeflow.ops.strings.hashing import fingerprint, fingerprint_cat
    found = [key]
    for column in columns:
        marks = [fingerprint(value) if isinstance(value, bytes) else value & (2**64 - 1)
                 for value in column]
        found = [fingerprint_cat(one, mark) for one in found for mark in marks]
    return [one % (buckets or 2**63 - 1) for one in found]


def cross_rows(rows: list[dict[tuple, list]], count: int, options: tuple) -> dict[tuple, list]:
    """The crosses of each row; a row that some column lacks has none."""
    found = {}
    for i in range(count):
        columns = [one.get((i,), []) for one in rows]
        found[(i,)] = _crossed(columns, options[1]) if options[0] == "text" else _hashed(
            columns, options[1], options[2])
    return found


def _cross_kernel(*operands, count, options):
    rows = [_by_row(coords, values) for coords, values in zip(operands[::2], operands[1::2],
                                                              strict=True)]
    dtype = np.dtype(object) if options[0] == "text" else _INT64
    return listed(cross_rows(rows, count, options), (count,), dtype)


_cross = define("sparse_cross", kernel=_cross_kernel, dtypes="iuO", args=("*operands",),
                vjp=_NO_GRADIENT, batch=loop, multi=True,
                shape=lambda *specs, count, options: _listed_shape(
                    2, np.dtype(object) if options[0] == "text" else _INT64),
                check=[Case(SORTED, np.array([b"a", b"b", b"c"], object), SORTED,
                            np.array([1, 2, 3], np.int64), count=2, options=("text", b"_X_")),
                       Case(SORTED, np.array([1, 2, 3], np.int64), count=2,
                            options=("hash", 10, 7))])


def crossed(inputs: Any, options: tuple) -> SparseTensor:
    """Crosses of matrices, sparse or dense."""
    if not isinstance(inputs, (list, tuple)):
        raise TypeError(f"Inputs must be a list, got {type(inputs).__name__}")
    given = []
    for one in inputs:
        if not isinstance(one, (SparseTensor, Tensor)):
            one = operand(one)
        if one.dtype is not dtypes.string and not one.dtype.is_integer:
            raise TypeError(f"All inputs must be string or integer, got {one.dtype.name}")
        given.append(everything(one))
    if not given:
        none = np.dtype(object) if options[0] == "text" else _INT64
        return sparse(np.zeros((0, 2), _INT64), np.zeros(0, none), np.zeros(2, _INT64))
    shapes = [one.shape for one in given]
    if any(one.rank != 2 for one in shapes) or len({one[0] for one in shapes} - {None}) > 1:
        raise errors.invalid("SparseCross", "inputs must be matrices with one number of rows, got "
                                            f"shapes {[str(one) for one in shapes]}")
    parts = [part for one in given for part in (one.indices, one.values)]
    return sparse(*_cross(*parts, count=given[0]._sizes[0], options=options))


DEFAULT_KEY = 0xDECAFCAFFE


@export("sparse.cross")
def cross(inputs: Any, name: str | None = None, separator: str | None = None) -> SparseTensor:
    """Every combination of one string of each input, joined, for each row."""
    between = operand("_X_" if separator is None else separator, dtypes.string)
    if shape_of(between):
        raise errors.invalid("SparseCrossV2", "Input separator should be a scalar. Received: "
                                              f"{brackets(shape_of(between))}")
    return crossed(_sparse_first(inputs), ("text", bytes(between.numpy())))


def _sparse_first(inputs: Any) -> Any:
    """Sparse inputs, then dense ones, as TensorFlow crosses them."""
    if not isinstance(inputs, (list, tuple)):
        return inputs
    return sorted(inputs, key=lambda one: not isinstance(one, SparseTensor))


def at_least_zero(num_buckets: Any) -> int:
    count = int(num_buckets)
    if count < 0:
        raise errors.invalid("SparseCross", f"Value for attr 'num_buckets' of {count} must be at "
                                            "least minimum 0")
    return count


@export("sparse.cross_hashed")
def cross_hashed(inputs: Any, num_buckets: int = 0, hash_key: int | None = None,
                 name: str | None = None) -> SparseTensor:
    """The hashes of every combination of one value of each input, for each row."""
    key = DEFAULT_KEY if hash_key is None else int(hash_key)
    return crossed(_sparse_first(inputs), ("hash", at_least_zero(num_buckets), key))


