"""Rows of ragged tensors, coordinates of sparse ones."""

from __future__ import annotations

from typing import Any

from tapeflow.base import dtypes
from tapeflow.tensorflow_graphs.writing.operands import (
    cast,
    element,
    given,
    known,
    like,
    part,
    rank,
    scalar,
    size,
    size_known,
)
from tapeflow.tensorflow_graphs.writing.records.text.strings import splits_of_rows
from tapeflow.tensorflow_graphs.writing.written_records import same, written

same("""
checked_rowids Identity
checked_splits Identity
sparse_checked Identity
""")  # the ops that take them refuse what is wrong


def _first(w: Any) -> Any:
    return w.const(0, dtypes.int32)


def _joined(w: Any, *parts: Any) -> Any:
    return w.ConcatV2(parts, _first(w))


def _lengths(w: Any, splits: Any) -> Any:
    return w.Sub(part(w, splits, 1, None), part(w, splits, 0, -1))


def _splits(w: Any, lengths: Any) -> Any:
    return _joined(w, w.const([0], lengths.dtype), w.Cumsum(lengths, _first(w)))


def _range(w: Any, count: Any) -> Any:
    return w.Range(like(w, 0, count), count, like(w, 1, count))


def _ids(w: Any, splits: Any, count: Any) -> Any:
    """The row of each value."""
    found = w.UpperBound(w.ExpandDims(splits, _first(w)),
                         w.ExpandDims(_range(w, count), _first(w)), out_type=splits.dtype)
    return w.Sub(w.Squeeze(found, squeeze_dims=[0]), like(w, 1, splits))


def _taken(w: Any, x: Any, indices: Any) -> Any:
    return w.GatherV2(x, indices, _first(w))


def _plain(w: Any, x: Any) -> Any:
    """Integers in a type that kernels have."""
    return x if x.dtype.name in ("int32", "int64") else w.Cast(x, DstT=dtypes.int64)


# -- rows ------------------------------------------------------------------------------------------
@written("row_lengths")
def row_lengths(w: Any, node: Any, splits: Any) -> Any:
    return _lengths(w, splits)


@written("row_splits")
def row_splits(w: Any, node: Any, lengths: Any) -> Any:
    return _splits(w, lengths)


@written("row_ids")
def row_ids(w: Any, node: Any, splits: Any) -> Any:
    wide = _plain(w, splits)
    return cast(w, _ids(w, wide, element(w, wide, -1)), splits.dtype)


@written("row_splits_of_ids")
def row_splits_of_ids(w: Any, node: Any, ids: Any, rows: Any) -> Any:
    wide = _plain(w, ids)
    return cast(w, splits_of_rows(w, wide, cast(w, rows, wide.dtype)), ids.dtype)


@written("ragged_range")
def ragged_range(w: Any, node: Any, starts: Any, limits: Any, deltas: Any) -> Any:
    return w.RaggedRange(starts, limits, deltas)


@written("ragged_dense_places")
def ragged_dense_places(w: Any, node: Any, *splits: Any) -> Any:
    """For each cell of the dense form the index of its value, or how many there are."""
    wide = [cast(w, one, dtypes.int64) for one in splits]
    count = element(w, wide[-1], -1)
    shape = node.attrs["shape"]
    goal = [-1 if n is None else n for n in shape] if known(shape) else shape
    return w.RaggedTensorToTensor(
        given(w, goal, dtypes.int64), _range(w, count), count, wide,
        row_partition_types=["ROW_SPLITS"] * len(wide))


@written("ragged_sparse_places")
def ragged_sparse_places(w: Any, node: Any, *splits: Any) -> Any:
    wide = [cast(w, one, dtypes.int64) for one in splits]
    indices, _, shape = w.RaggedTensorToSparse(wide, _range(w, element(w, wide[-1], -1)))
    return indices, shape


@written("ragged_padded_lengths")
def ragged_padded_lengths(w: Any, node: Any, x: Any, padding: Any) -> Any:
    """How long each row is without the values at its end that equal the padding."""
    different = w.NotEqual(x, padding)
    if rank(x) > 2:
        different = w.Any(different, w.const(list(range(2, rank(x))), dtypes.int32))
    columns = size(w, x, 1, dtypes.int64)
    one = w.const(1, dtypes.int64)
    ends = w.Range(one, w.AddV2(columns, one), one)
    found = w.SelectV2(different, ends, w.const(0, dtypes.int64))
    return w.Maximum(w.Max(found, w.const([1], dtypes.int32)), w.const(0, dtypes.int64))


@written("ragged_chosen_rows")
def ragged_chosen_rows(w: Any, node: Any, *operands: Any) -> Any:
    *splits, rows = operands
    kind = splits[0].dtype
    splits, rows = [cast(w, one, kind) for one in splits], cast(w, rows, kind)
    found, indices = w.RaggedGather(splits, _range(w, element(w, splits[-1], -1)), rows,
                                    OUTPUT_RAGGED_RANK=len(splits))
    return (*found, indices)


@written("ragged_interleaved_rows")
def ragged_interleaved_rows(w: Any, node: Any, *splits: Any) -> Any:
    """Rows of several ragged tensors joined end to end: splits, and indices among all values."""
    flat = w.const([-1], dtypes.int32)
    lengths = w.Pack([_lengths(w, one) for one in splits], axis=1)
    starts, before = [], None
    for one in splits:
        begin = part(w, one, 0, -1)
        starts.append(begin if before is None else w.AddV2(begin, before))
        last = element(w, one, -1)
        before = last if before is None else w.AddV2(before, last)
    first = w.Reshape(w.Pack(starts, axis=1), flat)
    last = w.AddV2(first, w.Reshape(lengths, flat))
    _, indices = w.RaggedRange(first, last, like(w, 1, first))
    return (_splits(w, w.Sum(lengths, w.const([1], dtypes.int32))),
            cast(w, indices, dtypes.int64))


@written("ragged_reversed_rows")
def ragged_reversed_rows(w: Any, node: Any, splits: Any) -> Any:
    count, one = element(w, splits, -1), like(w, 1, splits)
    rows = _ids(w, splits, count)
    ends = w.AddV2(_taken(w, splits, rows), _taken(w, splits, w.AddV2(rows, one)))
    return w.Sub(w.Sub(ends, one), _range(w, count))


@written("ragged_reduce_join")
def ragged_reduce_join(w: Any, node: Any, data: Any, splits: Any) -> Any:
    rows = w.Sub(w.Size(splits), w.const(1, dtypes.int32))
    ids = _ids(w, splits, element(w, splits, -1))
    return w.UnsortedSegmentJoin(data, ids, rows, separator=node.attrs["separator"])


@written("ragged_aligned")
def ragged_aligned(w: Any, node: Any, *operands: Any) -> Any:
    """Splits of the result, one a level, then the indices of each operand's values."""
    remaining = iter([cast(w, one, dtypes.int64) for one in operands])
    levels = [[(word, None if word == "one" else next(remaining)) for word in words]
              for words in node.attrs["layout"]]
    one = w.const(1, dtypes.int64)
    positions = [w.const([0], dtypes.int64) for _ in levels]
    found = []
    for depth in range(len(levels[0])):
        rows = [_level(w, *words[depth], position)
                for words, position in zip(levels, positions, strict=True)]
        ragged = [row for row, words in zip(rows, levels) if words[depth][0] == "ragged"]
        length = (ragged or rows)[0][0]
        for row in rows if not ragged else ():
            length = w.SelectV2(w.NotEqual(length, one), length, row[0])
        splits = _splits(w, length)
        owner = _ids(w, splits, element(w, splits, -1))
        column = w.Sub(_range(w, element(w, splits, -1)), _taken(w, splits, owner))
        positions = [w.AddV2(_taken(w, start, owner), w.Mul(column, moves))
                     for _, start, moves in rows]
        if depth:
            found.append(splits)
    return (*found, *positions)


def _level(w: Any, word: str, what: Any, position: Any) -> tuple:
    """Lengths and starts of rows, and 1 if their values move with the column, else 0."""
    one = w.const(1, dtypes.int64)
    if word in ("one", "dense"):
        count = one if word == "one" else what
        moves = w.Cast(w.NotEqual(count, one), DstT=dtypes.int64)
        return w.Mul(w.OnesLike(position), count), w.Mul(position, count), moves
    starts = _taken(w, what, position)
    lengths = w.Sub(_taken(w, what, w.AddV2(position, one)), starts)
    return lengths, starts, w.const(int(word == "ragged"), dtypes.int64)


# -- coordinates -----------------------------------------------------------------------------------
def _columns(w: Any, indices: Any, count: int) -> list:
    return list(w.Unpack(indices, num=count, axis=1)) if count else []


def _ranks(w: Any, columns: list, shape: list) -> Any:
    """The index of each coordinate in the flattened dense tensor."""
    flat = columns[0]
    for column, n in zip(columns[1:], shape[1:], strict=True):
        flat = w.AddV2(w.Mul(flat, scalar(w, n, dtypes.int64)), column)
    return flat


def _shape(w: Any, attr: Any, count: int) -> list:
    return list(attr) if known(attr) else [element(w, w.ref(attr), i) for i in range(count)]


def _unranked(w: Any, flat: Any, shape: list) -> Any:
    columns = []
    for n in reversed(shape):
        count = w.Maximum(scalar(w, n, dtypes.int64), w.const(1, dtypes.int64))
        columns.append(w.FloorMod(flat, count))
        flat = w.FloorDiv(flat, count)
    return w.Pack(columns[::-1], axis=1)


def _rows_where(w: Any, mask: Any) -> Any:
    return w.Squeeze(w.Where(mask), squeeze_dims=[1])


@written("sparse_order")
def sparse_order(w: Any, node: Any, indices: Any) -> Any:
    wide = cast(w, indices, dtypes.int64)
    one = w.const(1, dtypes.int64)
    shape = w.AddV2(w.Maximum(w.Max(wide, w.const([0], dtypes.int32)),
                              w.const(0, dtypes.int64)), one)
    return w.SparseReorder(wide, _range(w, size(w, indices, 0, dtypes.int64)), shape)[1]


@written("sparse_dense_matmul")
def sparse_dense_matmul(w: Any, node: Any, indices: Any, values: Any, b: Any) -> Any:
    turned = bool(node.attrs["transposed"])
    if turned and values.dtype.kind == "c":
        values = w.Conj(values)
    kind = values.dtype
    if kind.kind in "iu" and kind is not dtypes.int32:  # the kernel has no other integers
        values, b = (w.Cast(x, DstT=dtypes.float64) for x in (values, b))
    found = w.SparseTensorDenseMatMul(
        indices, values, given(w, node.attrs["shape"], dtypes.int64), b, adjoint_a=turned)
    return cast(w, found, kind)


@written("sparse_reshaped")
def sparse_reshaped(w: Any, node: Any, indices: Any) -> Any:
    return w.SparseReshape(indices, given(w, node.attrs["old"], dtypes.int64),
                           given(w, node.attrs["new"], dtypes.int64))[0]


@written("sparse_filled_rows")
def sparse_filled_rows(w: Any, node: Any, indices: Any) -> Any:
    count = size(w, indices, 0, dtypes.int64)
    rest = size_known(indices, 1) - 1
    rows = w.Reshape(given(w, node.attrs["rows"], dtypes.int64), w.const([1], dtypes.int32))
    shape = rows if not rest else _joined(w, rows, w.const([1] * rest, dtypes.int64))
    found, sources, empty, _ = w.SparseFillEmptyRows(indices, _range(w, count), shape, count)
    return found, sources, empty


@written("sparse_sliced")
def sparse_sliced(w: Any, node: Any, indices: Any) -> Any:
    low = given(w, node.attrs["start"], dtypes.int64)
    high = w.AddV2(low, given(w, node.attrs["size"], dtypes.int64))
    inside = w.LogicalAnd(w.GreaterEqual(indices, low), w.Less(indices, high))
    kept = _rows_where(w, w.All(inside, w.const([1], dtypes.int32)))
    return kept, w.Sub(_taken(w, indices, kept), low)


@written("sparse_spread")
def sparse_spread(w: Any, node: Any, indices: Any) -> Any:
    """Indices into a flat dense tensor that broadcasts to the sparse one."""
    columns = _columns(w, indices, size_known(indices, 1))
    shape = node.attrs["shape"]
    count = len(shape) if known(shape) else w.ref(shape).shape[0]
    one, zero = w.const(1, dtypes.int64), w.const(0, dtypes.int64)
    flat = w.ZerosLike(columns[0])
    for column, n in zip(columns[len(columns) - count:], _shape(w, shape, count), strict=True):
        n = scalar(w, n, dtypes.int64)
        at = w.SelectV2(w.Equal(n, one), zero, column)
        flat = w.AddV2(w.Mul(flat, n), at)
    return flat


def _sorted(w: Any, keys: Any) -> tuple:
    """The order of integers, stable, and where in it a new one begins."""
    ordered, order = w.TopKV2(w.Invert(keys), w.Size(keys))
    ordered, order = w.Invert(ordered), cast(w, order, dtypes.int64)
    changed = w.NotEqual(part(w, ordered, 1, None), part(w, ordered, 0, -1))
    first = w.OnesLike(part(w, w.Equal(ordered, ordered), 0, 1))
    return ordered, order, _joined(w, first, changed)


@written("sparse_groups")
def sparse_groups(w: Any, node: Any, indices: Any) -> Any:
    """An id for each coordinate, the same where the chosen columns agree, and those columns."""
    chosen = list(node.attrs["columns"])
    if not chosen:
        raise NotImplementedError("a sum over all axes of a sparse tensor cannot be written")
    picked = w.GatherV2(indices, w.const(chosen, dtypes.int32), w.const(1, dtypes.int32))
    one, over = w.const(1, dtypes.int64), w.const([0], dtypes.int32)
    most = w.AddV2(w.Maximum(w.Max(picked, over), w.const(0, dtypes.int64)), one)
    keys = _ranks(w, _columns(w, picked, len(chosen)), [
        element(w, most, i) for i in range(len(chosen))])
    _, order, new = _sorted(w, keys)
    numbers = w.Sub(w.Cumsum(w.Cast(new, DstT=dtypes.int64), _first(w)), one)
    ids = w.ScatterNd(w.ExpandDims(order, w.const(1, dtypes.int32)), numbers,
                      w.Shape(numbers, out_type=dtypes.int64))
    return ids, _taken(w, picked, _taken(w, order, _rows_where(w, new)))


@written("sparse_union")
def sparse_union(w: Any, node: Any, a: Any, b: Any) -> Any:
    """Coordinates of either, and where each finds its value: in a, in b, or at their end."""
    count = size_known(a, 1)
    shape = _shape(w, node.attrs["shape"], count)
    flat = _joined(w, *[_ranks(w, _columns(w, x, count), shape) for x in (a, b)])
    ordered, order, new = _sorted(w, flat)
    one = w.const(1, dtypes.int64)
    ids = w.Sub(w.Cumsum(w.Cast(new, DstT=dtypes.int64), _first(w)), one)
    total = w.Sum(w.Cast(new, DstT=dtypes.int64), w.const([0], dtypes.int32))
    first, second = (size(w, x, 0, dtypes.int64) for x in (a, b))
    ours = w.Less(order, first)
    found = []
    for mine, end, sources in ((ours, first, order), (w.LogicalNot(ours), second,
                                                     w.Sub(order, first))):
        where = w.SelectV2(mine, ids, w.const(-1, dtypes.int64))
        least = w.UnsortedSegmentMin(sources, where, total)
        found.append(w.Minimum(least, end))  # of none the greatest number
    return _unranked(w, _taken(w, ordered, _rows_where(w, new)), shape), *found


@written("sparse_cross")
def sparse_cross(w: Any, node: Any, *operands: Any) -> Any:
    """Crosses of columns: pairs of coordinates and values, one for each column."""
    options = node.attrs["options"]
    hashed = options[0] == "hash"
    if not hashed and options[1] != b"_X_":
        raise NotImplementedError("TensorFlow joins the parts of a cross by '_X_'")
    indices = operands[::2]
    rows = w.Reshape(given(w, node.attrs["count"], dtypes.int64), w.const([1], dtypes.int32))
    one, last = w.const([1], dtypes.int64), w.const([0], dtypes.int32)
    shapes = [_joined(w, rows, w.AddV2(w.Maximum(part(w, w.Max(x, last), 1, 2), w.const(
        [0], dtypes.int64)), one)) for x in indices]
    values = [x if x.dtype is dtypes.string else cast(w, x, dtypes.int64)
              for x in operands[1::2]]
    numbers = hashed and any(x.dtype is dtypes.int64 for x in values)
    if not hashed:
        values = [x if x.dtype is dtypes.string else w.AsString(x) for x in values]
    return w.SparseCross(
        indices, values, shapes, [], hashed_output=hashed,
        num_buckets=options[1] if hashed else 0, hash_key=options[2] if hashed else 956888297470,
        out_type=dtypes.int64 if hashed else dtypes.string,
        internal_type=dtypes.int64 if numbers else dtypes.string)


# -- rows of sparse tensors as sets and sequences --------------------------------------------------
def _row_shape(w: Any, lead: Any) -> Any:
    """The shape of a sparse tensor of whose rows only the number is known."""
    return _joined(w, given(w, lead, dtypes.int64), w.const([_LONGEST_ROW], dtypes.int64))


_LONGEST_ROW = 1 << 31  # nothing is made of this size


@written("set_size")
def set_size(w: Any, node: Any, coords: Any, values: Any) -> Any:
    if values.dtype in (dtypes.uint32, dtypes.uint64):
        raise NotImplementedError(f"TensorFlow has no sets of {values.dtype.name}")
    return w.SetSize(coords, values, _row_shape(w, node.attrs["lead"]))


@written("set_operation")
def set_operation(w: Any, node: Any, a_coords: Any, a: Any, b_coords: Any, b: Any) -> Any:
    if a.dtype in (dtypes.uint32, dtypes.uint64):
        raise NotImplementedError(f"TensorFlow has no sets of {a.dtype.name}")
    shape = _row_shape(w, node.attrs["lead"])
    return w.SparseToSparseSetOperation(a_coords, a, shape, b_coords, b, shape,
                                        set_operation=node.attrs["kind"])


@written("sparse_bincount")
def sparse_bincount(w: Any, node: Any, coords: Any, values: Any, weights: Any) -> Any:
    lead, binary = node.attrs["lead"], node.attrs["binary"]
    limits = {"minlength": node.attrs["least"], "maxlength": node.attrs["most"],
              "binary_output": binary}
    kind = weights.dtype.name if weights.dtype.name in _COUNTED else "int64"
    held = w.const([], kind) if binary else cast(w, weights, kind)
    values = _plain(w, values)
    if known(lead) and not len(lead):
        found = w.DenseCountSparseOutput(values, held, **limits)
    else:
        found = w.SparseCountSparseOutput(coords, values, _row_shape(w, lead), held, **limits)
    return found[0], cast(w, found[1], weights.dtype), found[2]


_COUNTED = ("int32", "int64", "float32", "float64")


@written("edit_distance")
def edit_distance(w: Any, node: Any, a_coords: Any, a: Any, b_coords: Any, b: Any) -> Any:
    shape = _row_shape(w, node.attrs["lead"])
    return w.EditDistance(a_coords, a, shape, b_coords, b, shape,
                          normalize=node.attrs["normalize"])
