"""DynamicRaggedShape: the shape of a ragged tensor, with the lengths of its rows.

What tf.shape gives for a RaggedTensor. Public as tf.experimental.DynamicRaggedShape.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from tapeflow.base import dtypes
from tapeflow.base.exports import export
from tapeflow.base.shapes import TensorShape
from tapeflow.core.record.op import shape_of
from tapeflow.core.record.primitive_ops import reshape
from tapeflow.core.values.convert import convert, shape_tuple
from tapeflow.core.values.tensor import Tensor, wrap
from tapeflow.ops._support.arguments import sizes_of
from tapeflow.ops.array.shape_ops import shape_op
from tapeflow.ops.ragged.partition import RowPartition, as_kind, known
from tapeflow.ops.ragged.ragged_tensor import dispatcher, is_ragged, nested, ragged_or_dense


@export("experimental.DynamicRaggedShape")
class DynamicRaggedShape:
    """Row partitions, outermost first, and the shape of the flat values."""

    __slots__ = ("_inner_shape", "_row_partitions", "__dict__", "__weakref__")

    def __init__(self, row_partitions: Any, inner_shape: Any, dtype: Any = None,
                 validate: bool = False, static_inner_shape: Any = None):
        row_partitions = list(row_partitions)
        for one in row_partitions:
            if not isinstance(one, RowPartition):
                raise TypeError(f"row_partitions contains {one!r} which is not a RowPartition")
        kind = dtypes.as_dtype(dtype) if dtype is not None else (
            row_partitions[0].dtype if row_partitions else dtypes.int64)
        if kind not in (dtypes.int32, dtypes.int64):
            raise ValueError(f"dtype must be tf.int32 or tf.int64, got {kind!r}")
        self._row_partitions = tuple([one.with_dtype(kind) for one in row_partitions])
        inner = inner_shape if isinstance(inner_shape, Tensor) else convert(
            list(inner_shape) if not hasattr(inner_shape, "as_list") else inner_shape.as_list(),
            kind)
        if inner.dtype not in (dtypes.int32, dtypes.int64):
            raise ValueError(f"Illegal dtype: {inner.dtype!r}")
        if inner.ndim not in (1, None):
            raise ValueError(f"Shape {inner.shape} must have rank 1")
        self._inner_shape = as_kind(inner, kind)
        if static_inner_shape is not None and inner._interpreter is None:
            TensorShape(inner._value.tolist()).assert_is_compatible_with(static_inner_shape)

    # -- factories -------------------------------------------------------------------------------
    @classmethod
    def from_tensor(cls, t: Any, dtype: Any = None) -> DynamicRaggedShape:
        x = ragged_or_dense(t)
        if is_ragged(x):
            kind = dtypes.as_dtype(dtype) if dtype is not None else x.row_splits.dtype
            return cls(x._nested_row_partitions, _sizes(x.flat_values, kind), kind)
        return cls([], _sizes(x, dtypes.as_dtype(dtype or dtypes.int64)), dtype or dtypes.int64)

    @classmethod
    def from_lengths(cls, lengths: Any, num_row_partitions: int | None = None,
                     dtype: Any = dtypes.int64) -> DynamicRaggedShape:
        """Sizes, a tuple of row lengths for a ragged one: [2, (2, 1), 3]."""
        kind = dtypes.as_dtype(dtype)
        if not isinstance(lengths, (list, tuple)):
            raise ValueError("lengths should be a list")
        last = max([i for i, n in enumerate(lengths) if not isinstance(n, (int, np.integer))],
                   default=0)
        count = last if num_row_partitions is None else num_row_partitions
        if count < last:
            raise ValueError(f"num_row_partitions={count} is too small for the ragged dimension "
                             f"{last}")
        parts: list[RowPartition] = []
        rows = int(lengths[0]) if lengths else 0
        if lengths and not isinstance(lengths[0], (int, np.integer)):
            raise ValueError("Outermost dimension should be uniform, got a tuple of lengths")
        for size in lengths[1:count + 1]:
            if isinstance(size, (int, np.integer)):
                parts.append(RowPartition.from_uniform_row_length(
                    int(size), int(size) * rows, rows, dtype=kind))
                rows *= int(size)
            else:
                row = [int(n) for n in size]
                if len(row) != rows:
                    raise ValueError(f"Nested row lengths {tuple(row)} do not fit {rows} rows")
                parts.append(RowPartition.from_row_lengths(convert(row, kind)))
                rows = sum(row)
        inner = [rows, *lengths[count + 1:]] if lengths else []
        return cls(parts, inner, kind)

    @classmethod
    def from_row_partitions(cls, row_partitions: Any, dtype: Any = None) -> DynamicRaggedShape:
        if not row_partitions:
            raise ValueError("row_partitions cannot be empty")
        rows = row_partitions[-1].nvals()
        from tapeflow.core.record.primitive_ops import expand
        return cls(row_partitions, expand(rows, axis=0), dtype)

    # -- parts -------------------------------------------------------------------------------------
    @property
    def dtype(self) -> Any:
        return self._inner_shape.dtype

    @property
    def row_partitions(self) -> tuple:
        return self._row_partitions

    @property
    def num_row_partitions(self) -> int:
        return len(self._row_partitions)

    @property
    def inner_shape(self) -> Tensor:
        return self._inner_shape

    @property
    def inner_rank(self) -> int | None:
        return shape_of(self._inner_shape)[0]

    @property
    def rank(self) -> int | None:
        inner = self.inner_rank
        return None if inner is None else inner + len(self._row_partitions)

    @property
    def _static_shape(self) -> TensorShape:
        inner = known(self._inner_shape)
        if self.rank is None:
            return TensorShape(None)
        sizes: list[Any] = [None] * (self.inner_rank or 0) if inner is None else inner.tolist()
        if not self._row_partitions:
            return TensorShape(sizes)
        first = self._row_partitions[0].static_nrows
        return TensorShape([first, *[one.static_uniform_row_length
                                     for one in self._row_partitions], *sizes[1:]])

    def static_lengths(self, ragged_lengths: bool = True) -> list:
        """Sizes; of ragged dimensions the lengths of rows."""
        if self.rank is None:
            return [Ellipsis]
        found: list[Any] = []
        if not self._row_partitions:
            return self._static_shape.as_list()
        found.append(self._row_partitions[0].static_nrows)
        for one in self._row_partitions:
            if one.static_uniform_row_length is not None:
                found.append(one.static_uniform_row_length)
                continue
            lengths = known(one.row_lengths()) if ragged_lengths else None
            found.append(None if lengths is None else tuple(lengths.tolist()))
        inner = known(self._inner_shape)
        return [*found, *([None] * ((self.inner_rank or 1) - 1) if inner is None
                          else inner.tolist()[1:])]

    def is_uniform(self, axis: int) -> bool:
        """Whether all slices along an axis have one size."""
        if not isinstance(axis, int):
            raise TypeError("axis must be an integer")
        rank = self.rank
        if axis < 0 or (rank is not None and axis >= rank):
            raise IndexError(f"Expected axis to be between 0 and {rank}, got {axis}")
        if axis == 0 or axis > len(self._row_partitions):
            return True
        return self._row_partitions[axis - 1].is_uniform()

    def with_dtype(self, dtype: Any) -> DynamicRaggedShape:
        return DynamicRaggedShape(self._row_partitions, self._inner_shape, dtype)

    def __getitem__(self, index: Any) -> Any:
        """The size of a uniform dimension; a slice from the front gives a shape."""
        if isinstance(index, slice):
            return self._sliced(index)
        rank = self.rank
        axis = int(index)
        if rank is not None:
            if not -rank <= axis < rank:
                raise IndexError(f"Index must be less than rank: got {axis} for rank {rank}")
            axis %= rank
        count = len(self._row_partitions)
        if axis == 0:
            return self._row_partitions[0].nrows() if count else self._inner_shape[0]
        if axis > count:
            return self._inner_shape[axis - count]
        length = self._row_partitions[axis - 1].uniform_row_length()
        if length is None:
            raise ValueError(f"Index {axis} is not uniform")
        return length

    def _sliced(self, key: slice) -> DynamicRaggedShape:
        rank = self.rank
        if rank is None:
            raise ValueError("Slices of a shape of unknown rank are not defined")
        start, stop, step = key.indices(rank)
        if step != 1 or start:
            sizes = self.static_lengths()[key]
            if any(isinstance(n, tuple) or n is None for n in sizes):
                raise ValueError("Cannot slice a ragged dimension away from the rows it has")
            return DynamicRaggedShape.from_lengths(sizes, dtype=self.dtype)
        count = len(self._row_partitions)
        if stop <= count:
            if stop <= 1:
                return DynamicRaggedShape([], [self[0]][:stop] if stop else [], self.dtype)
            return DynamicRaggedShape.from_row_partitions(self._row_partitions[:stop - 1])
        return DynamicRaggedShape(self._row_partitions, self._inner_shape[:stop - count],
                                  self.dtype)

    def reshaped(self, x: Any) -> Any:
        """The values of a tensor under these rows: tf.reshape."""
        flat = x.flat_values if is_ragged(x) else x
        return nested(reshape(flat, shape=shape_tuple(self._inner_shape)), self._row_partitions)

    def filled(self, x: Any) -> Any:
        """A tensor repeated to this shape: tf.broadcast_to."""
        from tapeflow.ops.array.shaping import broadcast_to
        from tapeflow.ops.ragged.elementwise import align
        inner = shape_tuple(self._inner_shape)
        if not self._row_partitions:
            return broadcast_to(x, inner)
        pattern = nested(broadcast_to(wrap(np.int32(0)), inner), self._row_partitions)
        flat, _ = align([x, pattern])
        return nested(broadcast_to(flat[0], inner), self._row_partitions)

    def __eq__(self, other: object) -> Any:
        if not isinstance(other, DynamicRaggedShape):
            return NotImplemented
        return self.static_lengths() == other.static_lengths()

    def __hash__(self) -> int:
        return id(self)

    def __repr__(self) -> str:
        lengths = self.static_lengths()
        if any(n is None for n in lengths):
            return (f"<DynamicRaggedShape lengths={lengths} "
                    f"num_row_partitions={self.num_row_partitions}>")
        shown = ", ".join(str(n) for n in lengths)
        return (f"<DynamicRaggedShape lengths=[{shown}] "
                f"num_row_partitions={self.num_row_partitions}>")


DynamicRaggedShape.__module__ = "tensorflow.python.ops.ragged.dynamic_ragged_shape"


def _sizes(x: Any, kind: Any) -> Tensor:
    sizes = sizes_of(x)
    if all(isinstance(n, int) for n in sizes):
        return wrap(np.array(sizes, kind.np))
    return convert([as_kind(n, kind) if isinstance(n, Tensor) else convert(n, kind)
                    for n in sizes], kind)


@dispatcher.on(shape_op)
def _shape(op: Any, rt: Any, dtype: Any) -> DynamicRaggedShape:
    return DynamicRaggedShape.from_tensor(rt, dtypes.of(dtype))
