"""RaggedTensor: rows of different lengths, as values and where the rows begin.

The class, its factories and its description; what ops do with it is in the other modules of this
package. `_values` is a Tensor, or a RaggedTensor for the next ragged dimension.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from tapeflow.base import dtypes, errors
from tapeflow.base.attributes import attributes, dense, strict
from tapeflow.base.dtypes import DType
from tapeflow.base.exports import export
from tapeflow.base.late import LateModule
from tapeflow.base.shapes import TensorShape
from tapeflow.base.specs import CompositeSpec, TensorSpec, TypeSpec
from tapeflow.core.record.families import operand
from tapeflow.core.record.op import shape_of
from tapeflow.core.record.primitive_ops import dims
from tapeflow.core.scopes import open_graph
from tapeflow.core.state import state
from tapeflow.core.values.composite import Composite, Dispatcher
from tapeflow.core.values.tensor import Reference, Tensor, wrap
from tapeflow.ops._support.arguments import dtype_among
from tapeflow.ops.ragged.partition import (
    RowPartition,
    as_kind,
    checked,
    integer_tensor,
    known,
    partition,
)

# They import this file; the methods of RaggedTensor call them.
_conversion = LateModule("tapeflow.ops.ragged.ragged_conversion")
_indexing = LateModule("tapeflow.ops.ragged.indexing")
_ragged_text = LateModule("tapeflow.ops.ragged.text")

dispatcher = Dispatcher()


class _Ragged:
    """TensorFlow's marker class in `tensorflow.python.types.internal`."""

    __slots__ = ()


def is_ragged(x: Any) -> bool:
    return isinstance(x, RaggedTensor)


def ragged_or_dense(value: Any, dtype: Any = None) -> Any:
    """A RaggedTensor as it is, anything else as a Tensor."""
    if isinstance(value, RaggedTensor):
        return value
    if isinstance(value, Composite) and not hasattr(type(value), "__tf_tensor__"):
        raise value._refusal()
    return operand(value, None if dtype is None else dtypes.as_dtype(dtype))


@export("RaggedTensor")
class RaggedTensor(Composite, _Ragged):
    """A tensor with one or more dimensions whose slices have different lengths.

    >>> tf.RaggedTensor.from_row_splits([1, 2, 3], [0, 2, 2, 3])
    <tf.RaggedTensor [[1, 2], [], [3]]>
    """

    decides_equality = True  # `tensor == ragged` too is asked of the ragged tensor
    __slots__ = ("_partition", "_values", "__dict__", "__weakref__")
    __array_priority__ = 100
    _counts_as_tensor = True
    _dispatcher = dispatcher
    _values: Any
    _partition: RowPartition

    def __init__(self, values: Any = None, internal: Any = False, row_partition: Any = None):
        raise ValueError("RaggedTensor constructor is private; please use one of the factory "
                         "methods instead (e.g., RaggedTensor.from_row_lengths())")

    # -- factories -------------------------------------------------------------------------------
    @classmethod
    def _from_row_partition(cls, values: Any, row_partition: RowPartition,
                            validate: bool = True) -> RaggedTensor:
        if not isinstance(row_partition, RowPartition):
            raise TypeError(f"Argument `row_partition` must be a RowPartition. Received "
                            f"{row_partition}.")
        inner = ragged_or_dense(values)
        if not isinstance(inner, RaggedTensor) and inner.ndim == 0:
            raise ValueError("Shape () must have rank at least 1")
        if isinstance(inner, RaggedTensor) and inner._partition.dtype != row_partition.dtype:
            raise ValueError(
                "Argument `row_partition` of RaggedTensor with name: None must have the same dtype "
                f"as Argument `values`. ({row_partition.dtype} vs. {inner._partition.dtype}).")
        return make(inner, _covering(inner, row_partition) if validate else row_partition)

    @classmethod
    @attributes(validate=strict)
    def from_value_rowids(cls, values: Any, value_rowids: Any, nrows: Any = None, name: Any = None,
                          validate: bool = True) -> RaggedTensor:
        """Row `value_rowids[i]` holds `values[i]`; ids never decrease."""
        values = ragged_or_dense(values)
        made = RowPartition.from_value_rowids(
            _matching(value_rowids, values, "value_rowids"), nrows, validate)
        count = _static_rows(values)
        ids = integer_tensor(value_rowids, "value_rowids")
        if count is not None and shape_of(ids)[0] not in (None, count):
            raise ValueError(f"Shapes ({count},) and {ids.shape} are incompatible")
        return cls._from_row_partition(values, made, False)

    @classmethod
    @attributes(validate=strict)
    def from_row_splits(cls, values: Any, row_splits: Any, name: Any = None,
                        validate: bool = True) -> RaggedTensor:
        """Row i is `values[row_splits[i]:row_splits[i + 1]]`."""
        values = ragged_or_dense(values)
        made = RowPartition.from_row_splits(_matching(row_splits, values, "row_splits"), validate)
        return cls._from_row_partition(values, made, validate)

    @classmethod
    @attributes(validate=strict)
    def from_row_lengths(cls, values: Any, row_lengths: Any, name: Any = None,
                         validate: bool = True) -> RaggedTensor:
        """The first `row_lengths[0]` values are row 0, and so on."""
        values = ragged_or_dense(values)
        made = RowPartition.from_row_lengths(
            _matching(row_lengths, values, "row_lengths"), validate)
        return cls._from_row_partition(values, made, validate)

    @classmethod
    @attributes(validate=strict)
    def from_row_starts(cls, values: Any, row_starts: Any, name: Any = None,
                        validate: bool = True) -> RaggedTensor:
        """Row i begins at `row_starts[i]` and ends where the next begins."""
        values = ragged_or_dense(values)
        starts = integer_tensor(_matching(row_starts, values, "row_starts"), "row_starts")
        made = RowPartition.from_row_starts(starts, rows_of(values, starts.dtype), validate)
        return cls._from_row_partition(values, made, validate)

    @classmethod
    @attributes(validate=strict)
    def from_row_limits(cls, values: Any, row_limits: Any, name: Any = None,
                        validate: bool = True) -> RaggedTensor:
        """Row i ends before `row_limits[i]`, where the next begins."""
        values = ragged_or_dense(values)
        made = RowPartition.from_row_limits(_matching(row_limits, values, "row_limits"), validate)
        return cls._from_row_partition(values, made, validate)

    @classmethod
    @attributes(validate=strict)
    def from_uniform_row_length(cls, values: Any, uniform_row_length: Any, nrows: Any = None,
                                validate: bool = True, name: Any = None) -> RaggedTensor:
        """Rows of one length; `nrows` is needed only for length 0."""
        values = ragged_or_dense(values)
        length = integer_tensor(_matching(uniform_row_length, values, "uniform_row_length"),
                                "uniform_row_length")
        made = RowPartition.from_uniform_row_length(
            length, rows_of(values, length.dtype), dense("nrows", nrows), validate)
        return cls._from_row_partition(values, made, False)

    @classmethod
    @attributes(validate=strict)
    def from_nested_value_rowids(cls, flat_values: Any, nested_value_rowids: Any,
                                 nested_nrows: Any = None, name: Any = None,
                                 validate: bool = True) -> RaggedTensor:
        if isinstance(nested_value_rowids, Tensor):
            raise TypeError("Argument `nested_value_rowids` must be a list of Tensors. Received "
                            f"{nested_value_rowids}.")
        rows = [None] * len(nested_value_rowids) if nested_nrows is None else nested_nrows
        if len(rows) != len(nested_value_rowids):
            raise ValueError(f"Argument `nested_nrows` must have the same length as argument "
                             f"`nested_value_rowids`. len(nested_nrows)={len(rows)}")
        result = flat_values
        for ids, n in zip(reversed(nested_value_rowids), reversed(rows), strict=True):
            result = cls.from_value_rowids(result, ids, n, validate=validate)
        return result

    @classmethod
    @attributes(validate=strict)
    def from_nested_row_splits(cls, flat_values: Any, nested_row_splits: Any, name: Any = None,
                               validate: bool = True) -> RaggedTensor:
        if isinstance(nested_row_splits, Tensor):
            raise TypeError("Argument `nested_row_splits` must be a list of Tensors. Received "
                            f"{nested_row_splits}.")
        result = flat_values
        for splits in reversed(nested_row_splits):
            result = cls.from_row_splits(result, splits, validate=validate)
        return result

    @classmethod
    @attributes(validate=strict)
    def from_nested_row_lengths(cls, flat_values: Any, nested_row_lengths: Any, name: Any = None,
                                validate: bool = True) -> RaggedTensor:
        if isinstance(nested_row_lengths, Tensor):
            raise TypeError("Argument `nested_row_lengths` must be a list of Tensors. Received "
                            f"{nested_row_lengths}.")
        result = flat_values
        for lengths in reversed(nested_row_lengths):
            result = cls.from_row_lengths(result, lengths, validate=validate)
        return result

    @classmethod
    def from_tensor(cls, tensor: Any, lengths: Any = None, padding: Any = None,
                    ragged_rank: int = 1, name: Any = None,
                    row_splits_dtype: Any = dtypes.int64) -> RaggedTensor:
        """A dense tensor as a ragged one, without what `lengths` or `padding` leave out."""
        return _conversion.from_tensor(tensor, lengths, padding, ragged_rank, row_splits_dtype)

    @classmethod
    def from_sparse(cls, st_input: Any, name: Any = None,
                    row_splits_dtype: Any = dtypes.int64) -> RaggedTensor:
        """A matrix whose rows have no gaps, as a ragged tensor."""
        return _conversion.from_sparse(st_input, row_splits_dtype)

    # -- parts -------------------------------------------------------------------------------------
    @property
    def dtype(self) -> DType:
        return self._values.dtype

    @property
    def shape(self) -> TensorShape:
        rows, length = self._partition.static_nrows, self._partition.static_uniform_row_length
        inner = self._values.shape
        if inner.rank is None:
            return TensorShape(None)
        return TensorShape([rows, length, *inner.as_list()[1:]])

    def get_shape(self) -> TensorShape:
        return self.shape

    @property
    def ragged_rank(self) -> int:
        inner = self._values
        return 1 + (inner.ragged_rank if isinstance(inner, RaggedTensor) else 0)

    @property
    def values(self) -> Any:
        return self._values

    @property
    def flat_values(self) -> Any:
        inner = self._values
        while isinstance(inner, RaggedTensor):
            inner = inner._values
        return inner

    @property
    def row_splits(self) -> Tensor:
        return self._partition.row_splits()

    @property
    def uniform_row_length(self) -> Tensor | None:
        return self._partition.uniform_row_length()

    @property
    def _nested_row_partitions(self) -> tuple:
        found, one = [self._partition], self._values
        while isinstance(one, RaggedTensor):
            found.append(one._partition)
            one = one._values
        return tuple(found)

    @property
    def nested_row_splits(self) -> tuple:
        return tuple([one.row_splits() for one in self._nested_row_partitions])

    def value_rowids(self, name: Any = None) -> Tensor:
        return self._partition.value_rowids()

    def nested_value_rowids(self, name: Any = None) -> tuple:
        return tuple([one.value_rowids() for one in self._nested_row_partitions])

    def nrows(self, out_type: Any = None, name: Any = None) -> Tensor:
        return as_kind(self._partition.nrows(), self._kind(out_type))

    def row_starts(self, name: Any = None) -> Tensor:
        return self._partition.row_starts()

    def row_limits(self, name: Any = None) -> Tensor:
        return self._partition.row_limits()

    def row_lengths(self, axis: int = 1, name: Any = None) -> Any:
        return _conversion.row_lengths(self, axis)

    def nested_row_lengths(self, name: Any = None) -> tuple:
        return tuple([one.row_lengths() for one in self._nested_row_partitions])

    def bounding_shape(self, axis: Any = None, name: Any = None, out_type: Any = None) -> Tensor:
        kind = self._partition.dtype if out_type is None else dtype_among(
            out_type, "Shape", "out_type")
        return _conversion.bounding_shape(self, axis, kind)

    def _kind(self, out_type: Any) -> DType:
        return self._partition.dtype if out_type is None else dtypes.as_dtype(out_type)

    # -- the same rows with other values -----------------------------------------------------------
    def with_values(self, new_values: Any) -> RaggedTensor:
        new = ragged_or_dense(new_values)
        if new.shape.rank == 0:
            raise ValueError("Shape () must have rank at least 1")
        before, now = _static_rows(self._values), _static_rows(new)
        if before is not None and now is not None and before != now:
            raise ValueError(f"Shapes {(before,)} and {(now,)} are incompatible")
        if isinstance(new, RaggedTensor) and new._partition.dtype != self._partition.dtype:
            raise ValueError("self and new_values have mismatched row_splits dtypes; use "
                             "RaggedTensor.with_row_splits_dtype() to convert them to compatible "
                             "dtypes.")
        return make(new, self._partition)

    def with_flat_values(self, new_values: Any) -> RaggedTensor:
        inner = self._values
        if isinstance(inner, RaggedTensor):
            return make(inner.with_flat_values(new_values), self._partition)
        return self.with_values(new_values)

    def with_row_splits_dtype(self, dtype: Any) -> RaggedTensor:
        kind = dtypes.as_dtype(dtype)
        if kind not in (dtypes.int32, dtypes.int64):
            raise ValueError("Argument `row_splits` dtype must be int32 or int64. Received "
                             f"{kind}.")
        inner = self._values
        return make(inner.with_row_splits_dtype(kind) if isinstance(inner, RaggedTensor) else inner,
                    self._partition.with_row_splits_dtype(kind))

    def merge_dims(self, outer_axis: int, inner_axis: int) -> Any:
        """Axes `outer_axis` to `inner_axis` made one."""
        return _conversion.merge_dims(self, outer_axis, inner_axis)

    # -- as something else -------------------------------------------------------------------------
    def to_tensor(self, default_value: Any = None, name: Any = None, shape: Any = None) -> Tensor:
        """The dense form: short rows are filled with `default_value` (zero)."""
        return _conversion.to_tensor(self, default_value, shape)

    def to_sparse(self, name: Any = None) -> Any:
        return _conversion.to_sparse(self)

    def numpy(self) -> np.ndarray:
        """An array of arrays; rows of one length make an array of higher rank."""
        splits = known(self.row_splits)
        if splits is None:
            raise ValueError("RaggedTensor.numpy() is only supported in eager mode.")
        rows = np.split(self._values.numpy(), splits[1:-1])
        if splits.size == 1:
            return np.array([], self._values.numpy().dtype)
        if all(len(row) == len(rows[0]) for row in rows):
            return np.array(rows)
        result = np.empty(len(rows), object)
        result[:] = rows
        return result

    def to_list(self) -> list:
        splits = known(self.row_splits)
        if splits is None or (state.trace is not None and getattr(
                self.flat_values, "_traced", False)):
            raise ValueError("to_list can only be used in eager mode.")
        inner = self._values
        values = inner.to_list() if isinstance(inner, RaggedTensor) else inner.numpy().tolist()
        return [values[a:b] for a, b in zip(splits[:-1].tolist(), splits[1:].tolist())]

    def __repr__(self) -> str:
        if known(self.row_splits) is None or known(self.flat_values) is None:
            return f"tf.RaggedTensor(values={self._values!s}, row_splits={self.row_splits!s})"
        with np.printoptions(formatter={"all": _text}):
            return f"<tf.RaggedTensor {_text(self.numpy())}>"

    # -- Python ------------------------------------------------------------------------------------
    def __hash__(self) -> int:
        if open_graph() is not None:  # of a tf.Graph: a key of what sessions are fed
            return id(self)
        raise TypeError("RaggedTensor is unhashable.")

    def ref(self) -> Reference:
        return Reference(self)

    def __bool__(self) -> bool:
        raise TypeError("RaggedTensor may not be used as a boolean.")

    def __getitem__(self, key: Any) -> Any:
        return _indexing.getitem(self, list(key) if isinstance(key, (list, tuple)) else [key])

    def __iter__(self) -> Any:
        if known(self.row_splits) is None:
            raise errors.OperatorNotAllowedInGraphError(
                "Iterating over a symbolic RaggedTensor is not allowed: use tf.map_fn, or a `for` "
                "statement over tf.range and indexing.")
        return (self[i] for i in range(self.row_splits._value.size - 1))

    def consumers(self) -> list:
        return []

    def __reduce__(self) -> tuple:
        return nested, (self.flat_values, self.nested_row_splits)

    # -- a composite -------------------------------------------------------------------------------
    @property
    def _type_spec(self) -> RaggedTensorSpec:
        return RaggedTensorSpec.from_value(self)

    def _refusal(self) -> Exception:
        return ValueError("TypeError: object of type 'RaggedTensor' has no len()")

    def _print_parts(self, summarize: int) -> list:
        return [[_ragged_text.text_of(self, summarize)]]

    def _gradient_parts(self) -> list:
        return [self.flat_values]

    def _gradient_like(self, parts: list) -> Any:
        return None if parts[0] is None else self.with_flat_values(parts[0])


RaggedTensor.__module__ = "tensorflow.python.ops.ragged.ragged_tensor"


def make(values: Any, row_partition: RowPartition) -> RaggedTensor:
    """A RaggedTensor of parts that are known to fit."""
    made = object.__new__(RaggedTensor)
    made._values, made._partition = values, row_partition
    return made


def nested(flat_values: Any, partitions: Any) -> Any:
    """Flat values under several partitions, the outermost first."""
    result = flat_values
    for one in reversed(partitions):
        result = make(result, one if isinstance(one, RowPartition) else partition(one))
    return result


def rows_of(values: Any, dtype: Any) -> Tensor:
    """How many rows a Tensor or RaggedTensor has."""
    if isinstance(values, RaggedTensor):
        return values.nrows(dtype)
    if not values.ndim:
        raise errors.invalid("StridedSlice", "slice index 0 of dimension 0 out of bounds: values "
                                             "must have rank at least 1")
    rows = shape_of(values)[0]
    if rows is not None:
        return wrap(dtypes.as_dtype(dtype).np.type(rows))
    return as_kind(dims(values)[0], dtype)


def _static_rows(values: Any) -> int | None:
    return values.shape[0] if values.shape.rank else None


def _matching(ids: Any, values: Any, name: str) -> Any:
    """Row ids in the dtype of the values' own, if those are ragged and nothing else is said."""
    if isinstance(values, RaggedTensor) and not hasattr(ids, "dtype"):
        return integer_tensor(ids, name, values._partition.dtype)
    return ids


def _covering(values: Any, row_partition: RowPartition) -> RowPartition:
    """The partition, checked to take all values: now, or in a run if it is not known yet."""
    splits, count = known(row_partition.row_splits()), _static_rows(values)
    if splits is None:
        total = rows_of(values, row_partition.dtype) if count is None else count
        return partition(checked(row_partition._splits, values=total, factory="from_row_splits"),
                         row_partition._length)
    if count is not None and int(splits[-1]) != count:
        raise _unfit("from_row_splits", count, int(splits[-1]))
    return row_partition


def _unfit(factory: str, count: int, wanted: Any) -> Exception:
    return errors.invalid("AssertEqual", (
        f"Arguments to {factory} do not form a valid RaggedTensor: there are {count} values and "
        f"the rows take {wanted}"))


def _text(x: Any) -> str:
    """Elements separated by commas, of nested arrays too."""
    if isinstance(x, np.ndarray):
        return np.array2string(x, separator=", ") if x.size else repr(x.tolist())
    return str(x)


@export("RaggedTensorSpec")
class RaggedTensorSpec(CompositeSpec):
    """The type of a RaggedTensor: shape, dtype, ragged rank and dtype of row splits."""

    __slots__ = ("_dtype", "_flat_values_spec", "_ragged_rank", "_row_splits_dtype", "_shape")
    value_type = RaggedTensor

    def __init__(self, shape: Any = None, dtype: Any = dtypes.float32,
                 ragged_rank: int | None = None, row_splits_dtype: Any = dtypes.int64,
                 flat_values_spec: Any = None):
        self._shape = TensorShape(shape)
        self._dtype = dtypes.as_dtype(dtype)
        if flat_values_spec is not None and self._dtype != flat_values_spec.dtype:
            raise ValueError("dtype must be the same as flat_values_spec.dtype")
        self._row_splits_dtype = dtypes.as_dtype(row_splits_dtype)
        self._flat_values_spec = flat_values_spec
        rank = self._shape.rank
        if ragged_rank is None:
            if rank is None:
                raise ValueError("Must specify ragged_rank or a shape with a known rank.")
            ragged_rank = rank - 1
        if not isinstance(ragged_rank, int):
            raise TypeError(f"Argument `ragged_rank` must be an int. Received {ragged_rank}.")
        if rank is not None and ragged_rank >= max(rank, 1):
            raise ValueError(f"Argument `ragged_rank` ({ragged_rank}) must be less than rank "
                             f"({rank}).")
        self._ragged_rank = ragged_rank

    @property
    def shape(self) -> TensorShape:
        return self._shape

    @property
    def dtype(self) -> DType:
        return self._dtype

    @property
    def ragged_rank(self) -> int:
        return self._ragged_rank

    @property
    def row_splits_dtype(self) -> DType:
        return self._row_splits_dtype

    @property
    def flat_values_spec(self) -> Any:
        return self._flat_values_spec

    @classmethod
    def from_value(cls, value: Any) -> RaggedTensorSpec:
        if not isinstance(value, RaggedTensor):
            return cls(value.shape, value.dtype, 0)
        return cls(value.shape, value.dtype, value.ragged_rank, value._partition.dtype)

    def _serialize(self) -> tuple:
        base = (self._shape, self._dtype, self._ragged_rank, self._row_splits_dtype)
        return base if self._flat_values_spec is None else (*base, self._flat_values_spec)

    def is_compatible_with(self, spec_or_value: Any) -> bool:
        if not self._ragged_rank and isinstance(spec_or_value, (Tensor, TensorSpec)):
            return TensorSpec(self._shape, self._dtype).is_compatible_with(spec_or_value)
        return TypeSpec.is_compatible_with(self, spec_or_value)

    @property
    def _component_specs(self) -> list:
        if self._ragged_rank <= 0:
            return [TensorSpec(self._shape, self._dtype)]
        sizes = self._shape.as_list() if self._shape.rank is not None else None
        inner = None if sizes is None else [None, *sizes[self._ragged_rank + 1:]]
        specs = [TensorSpec(inner, self._dtype)]
        rows = None if sizes is None else sizes[0]
        for level in range(self._ragged_rank):
            specs.append(TensorSpec([None if rows is None else rows + 1], self._row_splits_dtype))
            size = None if sizes is None else sizes[level + 1]
            rows = None if rows is None or size is None else rows * size
        return specs

    def _to_components(self, value: Any) -> list:
        if not isinstance(value, RaggedTensor):
            return [value]
        return [value.flat_values, *value.nested_row_splits]

    def _from_components(self, components: Any) -> Any:
        flat, *splits = components
        sizes = self._shape.as_list() if self._shape.rank is not None else None
        found = []
        for level, one in enumerate(splits):
            length = None if sizes is None else sizes[level + 1]
            found.append(partition(one, None if length is None else wrap(
                self._row_splits_dtype.np.type(length))))
        return nested(flat, found)


RaggedTensorSpec.__module__ = "tensorflow.python.ops.ragged.ragged_tensor"
