"""tf.map_fn over the rows of ragged and sparse tensors, or to results that are ragged."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tapeflow.base import dtypes, errors, nest
from tapeflow.base.specs import CompositeSpec, TensorSpec, TypeSpec, batched, unbatched
from tapeflow.core.record.families import operand
from tapeflow.core.record.op import shape_of
from tapeflow.core.values.composite import Composite
from tapeflow.ops.array import ranges, shape_ops
from tapeflow.ops.array.partition_unique import dynamic_partition_op
from tapeflow.ops.control import map_fn
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
    if signature is None or any(isinstance(one, CompositeSpec) for one in nest.flatten(signature)):
        raise ValueError("tf.map_fn to ragged or sparse tensors: the number of rows must be known "
                         "while tracing.")
    first = flat[0]
    if _is_users(first):
        first = nest.flatten(first, expand_composites=True)[0]
    if not isinstance(first, Composite):
        rows = shape_ops.shape(first)[0]
    elif is_ragged(first):
        rows = first.nrows()  # type: ignore[attr-defined]
    else:
        rows = first.dense_shape[0]  # type: ignore[attr-defined]
    return map_fn.map_fn(
        lambda i: fn(nest.pack_sequence_as(elems, [_row(one, i) for one in flat])),
        ranges.range_(casting.cast(rows, dtypes.int64)), fn_output_signature=signature)


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


@dispatcher.on(dynamic_partition_op)
def _dynamic_partition(op: Any, data: Any, partitions: Any, num: int) -> tuple:
    found = stack_dynamic_partitions(data, partitions, num)
    return tuple([found[i] for i in range(num)])
