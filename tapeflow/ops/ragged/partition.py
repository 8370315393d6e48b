"""RowPartition: how a sequence of values is cut into rows. Public as tf.experimental.RowPartition.

Splits are what it holds; lengths, ids and the rest are computed when they are asked for. May be
imported by other modules of `ops`.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from tapeflow.base import dtypes, errors
from tapeflow.base.exports import export
from tapeflow.core.autodiff.batching import loop
from tapeflow.core.record.families import operand
from tapeflow.core.record.op import INTEGER, NONDIFF, define, shape_of
from tapeflow.core.record.primitive_ops import cast, concat, reshape
from tapeflow.core.record.samples import Case
from tapeflow.core.values.tensor import Tensor, wrap
from tapeflow.ops.array.ranges import range_
from tapeflow.ops.array.shaping import ensure_shape
from tapeflow.ops.ragged.row_partition_ops import ids_of, lengths_of, splits_of, splits_of_ids

_KINDS = (dtypes.int32, dtypes.int64)


def known(x: Any) -> Any:
    """The value of an integer tensor if it is known now, else None."""
    return None if x is None or x._interpreter is not None else x._value


def integer_tensor(value: Any, name: str, dtype: Any = None) -> Tensor:
    """An argument of row indices: int32 and int64 tensors as they are, all else as int64."""
    wanted = None if dtype is None else dtypes.as_dtype(dtype)
    if isinstance(value, Tensor) or hasattr(value, "dtype"):
        tensor = operand(value)
    else:
        tensor = operand(value, wanted or dtypes.int64)
    if wanted and isinstance(value, Tensor) and tensor.dtype is not wanted and name == "nrows":
        raise ValueError(f"{name}: Tensor conversion requested dtype {wanted.name} for Tensor with "
                         f"dtype {tensor.dtype.name}")
    if tensor.dtype not in _KINDS:
        if tensor.dtype.kind not in "iu" or isinstance(value, Tensor):
            raise ValueError(f"Argument `{name}` must have dtype int32 or int64, got "
                             f"{tensor.dtype.name}")
        return as_kind(tensor, wanted or dtypes.int64)
    return tensor if wanted is None else as_kind(tensor, wanted)


def as_kind(x: Tensor, dtype: Any) -> Tensor:
    """An integer tensor in another dtype."""
    return x if x.dtype == dtype else cast(x, dtype=dtypes.as_dtype(dtype).np)


def check(good: bool, factory: str, why: str) -> None:
    if not good:
        raise errors.invalid("Assert", f"Arguments to {factory} do not form a valid RaggedTensor: "
                                       f"{why}")


def _checked_kernel(splits: Any, values: int | None, factory: str) -> Any:
    check(splits.size > 0, factory, "row_splits is empty")
    check(splits[0] == 0, factory, f"row_splits[0] is {splits[0]}, not 0")
    check(bool((splits[1:] >= splits[:-1]).all()), factory, "row_splits decreases")
    check(values in (None, splits[-1]), factory,
          f"there are {values} values and the rows take {splits[-1]}")
    return splits


# Splits that are known at run time only, checked there; `values`: how many they must take.
checked = define("checked_splits", kernel=_checked_kernel, args=("splits",), dtypes=INTEGER,
                 shape=lambda splits, values, factory: splits,
                 vjp=NONDIFF("row splits are integers: they have no gradient"), batch=loop,
                 check=[Case(np.array([0, 2, 3]), values=3, factory="from_row_splits")])


def _checked_ids_kernel(ids: Any, rows: int) -> Any:
    if ids.size:
        check(ids[0] >= 0, "from_value_rowids", "an id is negative")
        check(bool((ids[1:] >= ids[:-1]).all()), "from_value_rowids", "ids decrease")
        check(ids[-1] < rows, "from_value_rowids", f"{rows} rows have none of number {ids[-1]}")
    return ids


checked_ids = define("checked_rowids", kernel=_checked_ids_kernel, args=("ids",), dtypes=INTEGER,
                     shape=lambda ids, rows: ids,
                     vjp=NONDIFF("row ids are integers: they have no gradient"), batch=loop,
                     check=[Case(np.array([0, 0, 2]), rows=3)])


@export("experimental.RowPartition")
class RowPartition:
    """Values cut into rows: row i holds the values from row_splits[i] to row_splits[i + 1]."""

    __slots__ = ("_length", "_splits", "__dict__", "__weakref__")

    def __init__(self, row_splits: Any, uniform_row_length: Any = None, internal: Any = None):
        if internal is not _INTERNAL:
            raise ValueError("RowPartition constructor is private; please use one of the factory "
                             "methods instead (e.g., RowPartition.from_row_lengths())")
        self._splits, self._length = row_splits, uniform_row_length

    # -- factories -------------------------------------------------------------------------------
    @classmethod
    def from_row_splits(cls, row_splits: Any, validate: bool = True, dtype: Any = None,
                        dtype_hint: Any = None) -> RowPartition:
        if isinstance(row_splits, (list, tuple)) and not row_splits:
            raise ValueError("row_splits tensor may not be empty.")
        splits = integer_tensor(row_splits, "row_splits", dtype)
        if splits.ndim is None:
            splits = ensure_shape(splits, [None])
        if len(shape_of(splits)) != 1:
            raise ValueError(f"Shape {splits.shape} must have rank 1")
        value = known(splits) if validate else None
        if value is not None:
            _checked_kernel(value, None, "from_row_splits")
        elif validate:
            splits = checked(splits, values=None, factory="from_row_splits")
        return partition(splits)

    @classmethod
    def from_row_lengths(cls, row_lengths: Any, validate: bool = True, dtype: Any = None,
                         dtype_hint: Any = None) -> RowPartition:
        lengths = integer_tensor(row_lengths, "row_lengths", dtype)
        if len(shape_of(lengths)) != 1:
            raise ValueError(f"Shape {lengths.shape} must have rank 1")
        value = known(lengths) if validate else None
        if value is not None:
            check(not value.size or value.min() >= 0, "from_row_lengths", "a length is negative")
        splits = splits_of(lengths)
        if value is None and validate:
            splits = checked(splits, values=None, factory="from_row_lengths")
        return partition(splits)

    @classmethod
    def from_value_rowids(cls, value_rowids: Any, nrows: Any = None, validate: bool = True,
                          dtype: Any = None, dtype_hint: Any = None) -> RowPartition:
        ids = integer_tensor(value_rowids, "value_rowids", dtype)
        if nrows is None:
            from tapeflow.ops.reduce.reduction import reduce_max
            most = reduce_max(concat(reshape(ids, shape=(-1,)), wrap(np.array(
                [-1], ids.dtype.np)), axis=0), axis=None)
            rows = most + 1
        else:
            if isinstance(nrows, (int, np.integer)) and nrows < 0:
                raise ValueError(f"Expected nrows >= 0; got {nrows}")
            rows = integer_tensor(nrows, "nrows", ids.dtype)
            if shape_of(rows):
                raise ValueError(f"Shape {rows.shape} must have rank 0")
        if len(shape_of(ids)) != 1:
            raise ValueError(f"Shape {ids.shape} must have rank 1")
        value, count = (known(ids), known(rows)) if validate else (None, None)
        if value is not None and value.size:
            check(value[0] >= 0, "from_value_rowids", "an id is negative")
            check(bool((value[1:] >= value[:-1]).all()), "from_value_rowids", "ids decrease")
            if count is not None and value[-1] >= count:
                raise ValueError(f"Expected nrows >= value_rowids[-1] + 1; got nrows={count}, "
                                 f"value_rowids[-1]={value[-1]}")
        if validate and (value is None or count is None):
            ids = checked_ids(ids, rows=rows if count is None else int(count))
        made = partition(splits_of_ids(ids, rows))
        if known(rows) is not None:
            made._splits = _with_size(made._splits, int(known(rows)) + 1)
        return made

    @classmethod
    def from_row_starts(cls, row_starts: Any, nvals: Any, validate: bool = True, dtype: Any = None,
                        dtype_hint: Any = None) -> RowPartition:
        starts = integer_tensor(row_starts, "row_starts", dtype)
        count = reshape(integer_tensor(nvals, "nvals", starts.dtype), shape=(1,))
        return cls.from_row_splits(concat(starts, count, axis=0), validate)

    @classmethod
    def from_row_limits(cls, row_limits: Any, validate: bool = True, dtype: Any = None,
                        dtype_hint: Any = None) -> RowPartition:
        limits = integer_tensor(row_limits, "row_limits", dtype)
        zero = wrap(np.zeros(1, limits.dtype.np))
        return cls.from_row_splits(concat(zero, limits, axis=0), validate)

    @classmethod
    def from_uniform_row_length(cls, uniform_row_length: Any, nvals: Any = None, nrows: Any = None,
                                validate: bool = True, dtype: Any = None,
                                dtype_hint: Any = None) -> RowPartition:
        if nvals is None and nrows is None:
            raise ValueError("At least one of `nvals` and `nrows` must be specified")
        length = integer_tensor(uniform_row_length, "uniform_row_length", dtype)
        kind = length.dtype
        count = None if nvals is None else integer_tensor(nvals, "nvals", kind)
        size, total = known(length), known(count)
        if size is not None and size < 0:
            raise ValueError(f"uniform_row_length must be >= 0; got {int(size)}")
        if nrows is not None:
            rows = integer_tensor(nrows, "nrows", kind)
        elif size is not None and not size:
            rows = wrap(kind.np.type(0))
            check(not total, "from_uniform_row_length", "nrows must be given for rows of length 0")
        else:
            assert count is not None
            rows = count // length
        if validate and size is not None and total is not None and known(rows) is not None:
            if int(known(rows)) * int(size) != int(total):
                raise ValueError(f"uniform_row_length={size} times nrows={known(rows)} must equal "
                                 f"nvals={total}")
        splits = range_(rows + 1) * length
        if known(rows) is not None:
            splits = _with_size(splits, int(known(rows)) + 1)
        return partition(splits, length)

    # -- what it tells -----------------------------------------------------------------------------
    @property
    def dtype(self) -> Any:
        return self._splits.dtype

    def row_splits(self) -> Tensor:
        return self._splits

    def value_rowids(self) -> Tensor:
        return ids_of(self._splits)

    def nvals(self) -> Tensor:
        return self._splits[-1]

    def nrows(self) -> Tensor:
        rows = self.static_nrows
        if rows is not None:
            return wrap(self.dtype.np.type(rows))
        from tapeflow.ops.array.shape_ops import size
        return size(self._splits, out_type=self.dtype) - 1

    def uniform_row_length(self) -> Tensor | None:
        return self._length

    def row_starts(self) -> Tensor:
        return self._splits[:-1]

    def row_limits(self) -> Tensor:
        return self._splits[1:]

    def row_lengths(self) -> Tensor:
        return lengths_of(self._splits)

    def offsets_in_rows(self) -> Tensor:
        """For each value its offset in its row."""
        from tapeflow.ops.indexing.gathering import gather
        return range_(self.nvals()) - gather(self._splits, self.value_rowids())

    def is_uniform(self) -> bool:
        return self._length is not None

    @property
    def static_nrows(self) -> int | None:
        size = shape_of(self._splits)[0]
        return None if size is None else size - 1

    @property
    def static_nvals(self) -> int | None:
        splits = known(self._splits)
        return None if splits is None else int(splits[-1])

    @property
    def static_uniform_row_length(self) -> int | None:
        length = known(self._length)
        return None if length is None else int(length)

    def with_row_splits_dtype(self, dtype: Any) -> RowPartition:
        if dtypes.as_dtype(dtype) not in _KINDS:
            raise ValueError(f"Argument `dtype` must be int32 or int64, got {dtype!r}")
        if self.dtype == dtype:
            return self
        length = None if self._length is None else as_kind(self._length, dtype)
        return partition(as_kind(self._splits, dtype), length)

    with_dtype = with_row_splits_dtype

    def __reduce__(self) -> tuple:
        return partition, (self._splits, self._length)

    def __repr__(self) -> str:
        splits = known(self._splits)
        shown = self._splits if splits is None else splits
        if self._length is not None:
            length = known(self._length)
            return (f"tf.RowPartition(nrows={self.nrows().numpy() if splits is not None else '?'}, "
                    f"uniform_row_length={self._length if length is None else length})")
        return f"tf.RowPartition(row_splits={shown})"


def _with_size(splits: Tensor, size: int) -> Tensor:
    if splits._interpreter is not None:
        splits.set_shape((size,))
    return splits


_INTERNAL = object()


def partition(splits: Any, length: Any = None) -> RowPartition:
    """A RowPartition of splits that are known to be right."""
    return RowPartition(splits, length, _INTERNAL)


RowPartition.__module__ = "tensorflow.python.ops.ragged.row_partition"
