"""tf.map_fn over the rows of ragged and sparse tensors, or to results that are ragged."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tapeflow.base import dtypes, errors, nest
from tapeflow.base.late import LatePublic
from tapeflow.base.shapes import TensorShape
from tapeflow.base.specs import CompositeSpec, TensorSpec, TypeSpec, batched, unbatched
from tapeflow.core.record.families import operand
from tapeflow.core.record.op import shape_of
from tapeflow.core.values.composite import Composite
from tapeflow.core.values.tensor import Tensor
from tapeflow.ops.array import creation, joining, ranges, shape_ops, shaping
from tapeflow.ops.array.partition_unique import dynamic_partition_op
from tapeflow.ops.control import map_fn
from tapeflow.ops.control.control_flow import repeat
from tapeflow.ops.control.tensor_array import TensorArray
from tapeflow.ops.math import casting
from tapeflow.ops.ragged.functions import stack_dynamic_partitions
from tapeflow.ops.ragged.moving import join
from tapeflow.ops.ragged.partition import partition
from tapeflow.ops.ragged.ragged_tensor import (
    RaggedTensor,
    RaggedTensorSpec,
    dispatcher,
    is_ragged,
    make,
)

_pad, _maximum = LatePublic("pad"), LatePublic("maximum")


def _is_users(x: Any) -> bool:
    """Whether a composite is of a class of the user's: all of its tensors have the rows."""
    spec = x if isinstance(x, CompositeSpec) else x._type_spec if isinstance(x, Composite) else None
    return spec is not None and hasattr(spec, "_unbatch")


def _rows(x: Any) -> int | None:
    if _is_users(x):
        return shape_of(nest.flatten(x, expand_composites=True)[0])[0]
    if isinstance(x, Composite):
        return x.shape[0]  # type: ignore[attr-defined]
    return shape_of(x)[0]


def _row(x: Any, i: Any) -> Any:
    if _is_users(x):
        return unbatched(x._type_spec)._from_tensor_list(
            [part[i] for part in nest.flatten(x, expand_composites=True)])
    if isinstance(x, Composite) and not is_ragged(x):
        from tapeflow.ops.sparse.functions import retain, sparse_reshape, sparse_slice
        if not isinstance(i, int):
            from tapeflow.ops.sparse.sparse_tensor import sparse
            kept = retain(x, x.indices[:, 0] == i)  # type: ignore[attr-defined]
            return sparse(kept.indices[:, 1:], kept.values, kept.dense_shape[1:],
                          x.shape[1:])  # type: ignore[attr-defined]
        sizes = x._sizes  # type: ignore[attr-defined]
        part = sparse_slice(x, [i, *[0] * (len(sizes) - 1)], [1, *sizes[1:]])
        return sparse_reshape(part, sizes[1:])
    return x[i]


def _expected(x: Any) -> Any:
    """What a function gives if it gives the like of what it gets."""
    if not isinstance(x, Composite):
        return x.dtype
    if _is_users(x):
        return unbatched(x._type_spec)
    shape = x.shape[1:]  # type: ignore[attr-defined]
    if is_ragged(x):
        return RaggedTensorSpec(shape, x.dtype, x.ragged_rank - 1,  # type: ignore[attr-defined]
                                x.row_splits.dtype)  # type: ignore[attr-defined]
    spec: Any = type(x._type_spec)
    return spec(shape, x.dtype)


def map_rows(fn: Callable, elems: Any, signature: Any) -> Any:
    """`fn` of each row, the results joined as `signature` says."""
    flat = [one if isinstance(one, Composite) else operand(one) for one in nest.flatten(elems)]
    sizes = {_rows(one) for one in flat}
    if None in sizes:
        return _map_unknown(fn, elems, flat, signature)
    if len(sizes) > 1:
        raise ValueError(f"tf.map_fn: all of `elems` must have the same first dimension, got "
                         f"{sorted(n for n in sizes if n is not None)}.")
    if signature is None:
        signature = nest.pack_sequence_as(elems, [_expected(one) for one in flat])
    specs = nest.flatten(signature)
    columns: list[list] = [[] for _ in specs]
    for i in range(sizes.pop() or 0):
        result = fn(nest.pack_sequence_as(elems, [_row(one, i) for one in flat]))
        nest.assert_same_structure(signature, result)
        for column, value in zip(columns, nest.flatten(result), strict=True):
            column.append(value if isinstance(value, Composite) else operand(value))
    return nest.pack_sequence_as(signature, [
        _joined(column, spec) for column, spec in zip(columns, specs, strict=True)])


def vectorized_rows(fn: Callable, elems: Any, fallback_to_while_loop: bool) -> Any:
    """`fn` of all rows at once, of composites every tensor of which has the rows."""
    flat = nest.flatten(elems)
    for one in flat:
        if isinstance(one, Composite) and not _is_users(one):
            raise one._refusal()
    rows = nest.pack_sequence_as(elems, [
        unbatched(one._type_spec) if isinstance(one, Composite) else one for one in flat])

    def call(parts: list) -> Any:
        return fn(nest.pack_sequence_as(rows, parts, expand_composites=True))

    tensors = nest.flatten(elems, expand_composites=True)
    return map_fn.vectorized_map(call, tensors, fallback_to_while_loop)


def specs_of_rows(result: Any) -> Any:
    """What a function gave for a row: specs in place of composites, which are of users' classes."""
    for one in nest.flatten(result):
        if isinstance(one, Composite) and not _is_users(one):
            raise one._refusal()
    return nest.map_structure(
        lambda one: one._type_spec if isinstance(one, Composite) else one, result)


def packed_rows(row: Any, results: list) -> Any:
    """Tensors of all rows in the structure of one row."""
    count = None if results[0].ndim is None else _rows(results[0])
    whole = nest.map_structure(
        lambda one: batched(one, count) if isinstance(one, CompositeSpec) else one, row)
    return nest.pack_sequence_as(whole, results, expand_composites=True)


def _map_unknown(fn: Callable, elems: Any, flat: list, signature: Any) -> Any:
    """The same in a loop, where the number of rows is not known while tracing."""
    if signature is None:
        signature = nest.pack_sequence_as(elems, [_expected(one) for one in flat])
    first = flat[0]
    if _is_users(first):
        first = nest.flatten(first, expand_composites=True)[0]
    if not isinstance(first, Composite):
        rows = shape_ops.shape(first)[0]
    elif is_ragged(first):
        rows = first.nrows()  # type: ignore[attr-defined]
    else:
        rows = first.dense_shape[0]  # type: ignore[attr-defined]
    rows = casting.cast(rows, dtypes.int64)

    def row(i: Any) -> Any:
        return fn(nest.pack_sequence_as(elems, [_row(one, i) for one in flat]))

    if not any(isinstance(one, CompositeSpec) for one in nest.flatten(signature)):
        return map_fn.map_fn(row, ranges.range_(rows), fn_output_signature=signature)
    return _collected(row, rows, signature)


def _joined(values: list, spec: Any) -> Any:
    if isinstance(spec, RaggedTensorSpec):
        return _ragged(values, spec)
    if _is_users(spec):
        from tapeflow.ops.array.joining import stack
        parts = [nest.flatten(one, expand_composites=True) for one in values]
        return batched(spec, len(values))._from_tensor_list(
            [stack(list(column)) for column in zip(*parts, strict=True)])
    if isinstance(spec, CompositeSpec):
        from tapeflow.ops.sparse.functions import expand_dims, sparse_concat
        return sparse_concat(0, [expand_dims(one, 0) for one in values],
                             expand_nonconcat_dims=True)
    wanted = spec if isinstance(spec, TypeSpec) else TensorSpec(None, dtypes.as_dtype(spec))
    from tapeflow.ops.array.creation import zeros
    from tapeflow.ops.array.joining import stack
    for one in values:
        if one.dtype != wanted.dtype:  # type: ignore[attr-defined]
            raise errors.invalid("TensorListSetItem", (
                f"tf.map_fn: a result has dtype {one.dtype.name}, expected "
                f"{wanted.dtype.name}"))  # type: ignore[attr-defined]
    return stack(values) if values else zeros([0], wanted.dtype)  # type: ignore[attr-defined]


def _ragged(values: list, spec: RaggedTensorSpec) -> RaggedTensor:
    for i, one in enumerate(values):
        if one.shape.rank == 0:
            raise errors.invalid("RaggedTensorFromVariant", (
                f"Ragged values must have rank >= 1; element {i} is a scalar. Give tf.map_fn an "
                "fn_output_signature"))
    if values:
        return join(values, 0, True).with_row_splits_dtype(spec.row_splits_dtype)
    from tapeflow.ops.array.creation import zeros
    return make(zeros([0], spec.dtype), partition(zeros([1], spec.row_splits_dtype)))


# -- rows of unknown number ------------------------------------------------------------------------
# A loop carries what each result is made of: of ragged ones the values end to end and the lengths
# of rows on every level, of sparse ones indices, values and sizes, of tensors an array.
def _collected(row: Callable, rows: Any, signature: Any) -> Any:
    """`row(i)` for each of so many rows, the results joined as the signature says."""
    kinds = [_kind(spec)(spec, rows) for spec in nest.flatten(signature)]
    begin = [one.begin() for one in kinds]
    invariants = [one.shapes() for one in kinds]

    def body(i: Any, carried: list) -> tuple:
        result = row(i)
        nest.assert_same_structure(signature, result)
        return i + 1, [kind.add(parts, i, value) for kind, parts, value in zip(
            kinds, carried, nest.flatten(result), strict=True)]

    zero = casting.cast(0, dtypes.int64)
    _, carried = repeat(lambda i, _: i < rows, body, (zero, begin), None,
                        (TensorShape([]), invariants))
    return nest.pack_sequence_as(signature, [
        kind.finished(parts) for kind, parts in zip(kinds, carried, strict=True)])


def _kind(spec: Any) -> Any:
    if isinstance(spec, RaggedTensorSpec):
        return _Ragged
    if isinstance(spec, CompositeSpec):
        from tapeflow.ops.sparse.sparse_tensor import SparseTensorSpec
        if isinstance(spec, SparseTensorSpec):
            return _Sparse
        raise NotImplementedError(f"tf.map_fn to {type(spec).__name__}: the number of rows must "
                                  "be known while tracing.")
    return _Plain


class _Plain:
    """Tensors of one shape."""

    def __init__(self, spec: Any, rows: Any):
        self._spec = spec if isinstance(spec, TensorSpec) else TensorSpec(
            None, dtypes.as_dtype(spec))
        self._rows = casting.cast(rows, dtypes.int32)

    def begin(self) -> Any:
        return [TensorArray(self._spec.dtype, self._rows, element_shape=self._spec.shape)]

    def shapes(self) -> list:
        return [TensorShape(None)]

    def add(self, parts: list, i: Any, value: Any) -> list:
        return [parts[0].write(casting.cast(i, dtypes.int32), value)]

    def finished(self, parts: list) -> Any:
        return parts[0].stack()


class _Ragged:
    """Values, and for each level the lengths of its rows."""

    def __init__(self, spec: Any, rows: Any):
        self._spec, self._inner = spec, spec.shape[spec.ragged_rank + 1:]
        if self._inner.rank is None or not self._inner.is_fully_defined():
            raise NotImplementedError(
                "tf.map_fn to ragged tensors, whose number of rows is not known while tracing: "
                f"the sizes inside of rows must be, got {spec.shape}.")

    def begin(self) -> list:
        spec = self._spec
        return [creation.zeros([0, *self._inner.as_list()], spec.dtype),
                *[creation.zeros([0], spec.row_splits_dtype) for _ in range(spec.ragged_rank + 1)]]

    def shapes(self) -> list:
        return [TensorShape([None]).concatenate(self._inner),
                *[TensorShape([None])] * (self._spec.ragged_rank + 1)]

    def add(self, parts: list, i: Any, value: Any) -> list:
        kind, depth = self._spec.row_splits_dtype, self._spec.ragged_rank
        if not is_ragged(value):
            value = operand(value)
            if depth:
                value = RaggedTensor.from_tensor(value, ragged_rank=depth)
        if depth:
            values = value.flat_values
            lengths = [shaping.reshape(value.nrows(), [1]), *value.nested_row_lengths()]
        else:
            values, lengths = value, [shaping.reshape(shape_ops.shape(value)[0], [1])]
        return [joining.concat([parts[0], values], 0),
                *[joining.concat([old, casting.cast(new, kind)], 0)
                  for old, new in zip(parts[1:], lengths, strict=True)]]

    def finished(self, parts: list) -> Any:
        made = parts[0]
        for lengths in reversed(parts[1:]):
            made = RaggedTensor.from_row_lengths(made, lengths, validate=False)
        return made


class _Sparse:
    """Indices with the row before them, values, and the greatest sizes."""

    def __init__(self, spec: Any, rows: Any):
        self._dtype, self._rows = spec.dtype, rows
        if spec.shape.rank is None:
            raise NotImplementedError("tf.map_fn to sparse tensors of unknown rank: the number of "
                                      "rows must be known while tracing.")
        self._rank = spec.shape.rank

    def begin(self) -> list:
        return [creation.zeros([0, self._rank + 1], dtypes.int64), creation.zeros([0], self._dtype),
                creation.zeros([self._rank], dtypes.int64)]

    def shapes(self) -> list:
        return [TensorShape([None, self._rank + 1]), TensorShape([None]),
                TensorShape([self._rank])]

    def add(self, parts: list, i: Tensor, value: Any) -> list:
        indices = _pad(value.indices, [[0, 0], [1, 0]], constant_values=i)
        indices.set_shape([None, self._rank + 1])
        return [joining.concat([parts[0], indices], 0),
                joining.concat([parts[1], value.values], 0),
                _maximum(parts[2], value.dense_shape)]

    def finished(self, parts: list) -> Any:
        from tapeflow.ops.sparse.sparse_tensor import sparse
        sizes = joining.concat([shaping.reshape(self._rows, [1]), parts[2]], 0)
        return sparse(parts[0], parts[1], sizes, TensorShape([None] * (self._rank + 1)))


@dispatcher.on(dynamic_partition_op)
def _dynamic_partition(op: Any, data: Any, partitions: Any, num: int) -> tuple:
    found = stack_dynamic_partitions(data, partitions, num)
    return tuple([found[i] for i in range(num)])
