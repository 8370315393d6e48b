"""tf.ragged: constant, range, stack, boolean_mask, map_flat_values, segment ids; the operators."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from tapeflow.base import dtypes, errors
from tapeflow.base.exception_origin import unsignalled
from tapeflow.base.exports import export
from tapeflow.base.late import LatePublic
from tapeflow.core.record.families import operand
from tapeflow.core.record.op import shape_of
from tapeflow.core.state import state
from tapeflow.core.values.convert import constant as dense_constant
from tapeflow.core.values.convert import convert
from tapeflow.core.values.tensor import Tensor, lent, wrap
from tapeflow.core.values.variable import Variable
from tapeflow.ops._support.arguments import agree, dtype_among
from tapeflow.ops.indexing.gathering import boolean_mask as dense_mask
from tapeflow.ops.math import casting
from tapeflow.ops.ragged.elementwise import _same_rows
from tapeflow.ops.ragged.moving import gather_any, join
from tapeflow.ops.ragged.partition import RowPartition, as_kind, integer_tensor, known, partition
from tapeflow.ops.ragged.ragged_conversion import from_tensor
from tapeflow.ops.ragged.ragged_tensor import (
    RaggedTensor,
    is_ragged,
    make,
    nested,
    ragged_or_dense,
)
from tapeflow.ops.ragged.row_partition_ops import ranges
from tapeflow.ops.reduce import segment


# -- constant --------------------------------------------------------------------------------------
@export("ragged.constant")
def constant(pylist: Any, dtype: Any = None, ragged_rank: int | None = None,
             inner_shape: Any = None, name: str | None = None,
             row_splits_dtype: Any = dtypes.int64) -> Any:
    """A ragged tensor of nested lists.

    >>> tf.ragged.constant([[1, 2], [], [3]])
    <tf.RaggedTensor [[1, 2], [], [3]]>
    """
    kind = None if dtype is None else dtypes.as_dtype(dtype)
    if ragged_rank is not None and ragged_rank < 0:
        raise ValueError(f"Invalid argument `ragged_rank`: {ragged_rank} must be nonnegative")
    if isinstance(pylist, Tensor) and (pylist.ndim or 0) > 1:
        raise ValueError("tf.ragged.constant takes nested lists, not a Tensor of several axes.")
    bool(inner_shape)  # an array of several elements is neither true nor false
    if ragged_rank is not None and inner_shape is not None:
        inner_shape = tuple(inner_shape)
    scalar, deepest = _depths(pylist)
    if scalar is None and not isinstance(pylist, (list, tuple, np.ndarray)):
        scalar, deepest = 0, 0
    if scalar is not None and deepest > scalar:
        raise ValueError(f"Invalid pylist={pylist}: empty list nesting is greater than scalar "
                         "value nesting")
    if inner_shape is None:
        rank = max(1, deepest - 1) if ragged_rank is None else ragged_rank
        if scalar == 0:
            if ragged_rank not in (None, 0):
                raise ValueError(f"Invalid pylist={pylist!r}: incompatible with "
                                 f"ragged_rank={ragged_rank}")
            rank = 0
    else:
        inner_shape = tuple(inner_shape) if isinstance(inner_shape, (list, tuple)) else tuple(
            inner_shape.as_list() if hasattr(inner_shape, "as_list") else inner_shape)
        if scalar == 0 and inner_shape:
            raise ValueError(f"Invalid pylist={pylist!r}: incompatible with "
                             f"dim(inner_shape)={len(inner_shape)}")
        rank = max(0 if ragged_rank is None and deepest <= len(inner_shape) else 1, (
            deepest - len(inner_shape) - 1)) if ragged_rank is None else ragged_rank
    if deepest == 1 and ragged_rank is None:
        rank = 0
    if rank and deepest and rank >= deepest + (scalar is None) * 99 and scalar is not None:
        raise ValueError(f"Invalid pylist={pylist}: ragged_rank={ragged_rank} is too high for its "
                         f"nesting depth {deepest}")
    if not rank:
        return _dense(pylist, kind, inner_shape)
    rows, splits = list(pylist), []
    for _ in range(rank):
        lengths = [len(row) for row in rows]
        splits.append(partition(wrap(np.concatenate([[0], np.cumsum(lengths)]).astype(
            dtypes.as_dtype(row_splits_dtype).np))))
        rows = [one for row in rows for one in row]
    if inner_shape is None:
        inner_shape = _inner_shape(rows)
    return nested(_dense(rows, kind, (len(rows), *inner_shape)), splits)


def _depths(value: Any) -> tuple[int | None, int]:
    """How deep scalars are nested (None without any), and how deep lists are."""
    if isinstance(value, np.ndarray):
        value = value.tolist() if value.ndim else value.item()
    if not isinstance(value, (list, tuple)):
        return 0, 0
    found = [_depths(one) for one in value]
    scalars = {depth for depth, _ in found if depth is not None}
    if len(scalars) > 1:
        raise ValueError("all scalar values must have the same nesting depth")
    deepest = max([depth for _, depth in found], default=0)
    if scalars and deepest > max(scalars):
        raise ValueError(f"Invalid pylist={value}: empty list nesting is greater than scalar "
                         "value nesting")
    return (scalars.pop() + 1 if scalars else None), deepest + 1


def _inner_shape(rows: list) -> tuple:
    """The shape of the rows' elements, which must be the same for all."""
    if not rows or not isinstance(rows[0], (list, tuple, np.ndarray)):
        return ()
    lengths = {len(one) for one in rows}
    if len(lengths) > 1:
        raise ValueError(f"inner values have inconsistent shape: lengths {sorted(lengths)}")
    return (lengths.pop(), *_inner_shape([item for one in rows for item in one]))


def _dense(values: Any, dtype: Any, shape: tuple | None) -> Tensor:
    if isinstance(values, list) and not values and dtype is None:
        dtype = dtypes.float32
    flat = [one.tolist() if isinstance(one, np.ndarray) else one for one in values] if isinstance(
        values, list) else values
    array = dense_constant(flat, dtype)
    if dtype is None and isinstance(values, list) and values and isinstance(
            values[0], (np.ndarray, np.generic)):
        array = dense_constant(np.array(values))
    if shape is None or tuple(shape) == shape_of(array):
        return array
    from tapeflow.core.record.primitive_ops import reshape
    return reshape(array, shape=tuple(shape))


# -- range -----------------------------------------------------------------------------------------
_RANGED = (dtypes.int32, dtypes.int64, dtypes.float32, dtypes.float64)


@export("ragged.range")
def range_(starts: Any, limits: Any = None, deltas: Any = 1, dtype: Any = None,
           name: str | None = None, row_splits_dtype: Any = dtypes.int64) -> RaggedTensor:
    """Rows of numbers: from starts[i] (0) to limits[i] by deltas[i].

    >>> tf.ragged.range([3, 1])
    <tf.RaggedTensor [[0, 1, 2], [0]]>
    """
    if limits is None:
        starts, limits = 0, starts
    kind = None if dtype is None else dtypes.as_dtype(dtype)
    hint = kind or next((x.dtype for x in (starts, limits, deltas)
                         if isinstance(x, (Tensor, Variable))), None)
    parts = [operand(x, hint if not isinstance(x, (Tensor, Variable)) else None)
             for x in (starts, limits, deltas)]
    if kind is None:
        kind = max([x.dtype for x in parts], key=_RANGED.index)
    if kind not in _RANGED:
        raise errors.invalid("RaggedRange", (
            f"Value for attr 'T' of {kind.name} is not in the list of allowed values: bfloat16, "
            "float, double, int32, int64"))
    parts = [as_kind(x, kind) for x in parts]
    for x in parts:
        if len(shape_of(x)) > 1:
            raise errors.invalid("RaggedRange", "starts, limits and deltas must be scalars or "
                                                f"vectors, got shape {x.shape}")
    sizes = {shape_of(x)[0] for x in parts if shape_of(x)} - {None}
    if len(sizes) > 1:
        raise errors.invalid("RaggedRange", "starts, limits, and deltas must have the same shape")
    splits, values = ranges(*parts)
    made = partition(as_kind(splits, dtype_among(row_splits_dtype, "RaggedRange", "Tsplits")))
    if sizes and splits._interpreter is not None:
        made.row_splits().set_shape((sizes.pop() + 1,))
    return make(values, made)


# -- joining ---------------------------------------------------------------------------------------
@export("ragged.stack")
def stack(values: Any, axis: int = 0, name: str | None = None) -> Any:
    """Tensors of one rank, along a new axis; their sizes may differ."""
    if not isinstance(values, (list, tuple)):
        values = [values]
    return join(list(values), axis, True)


@export("ragged.stack_dynamic_partitions")
def stack_dynamic_partitions(data: Any, partitions: Any, num_partitions: Any,
                             name: str | None = None) -> RaggedTensor:
    """Row p holds the slices of `data` whose index in `partitions` is p."""
    from tapeflow.ops.reduce.sorting import argsort
    x, ids = ragged_or_dense(data), ragged_or_dense(partitions)
    if is_ragged(ids):
        if not is_ragged(x):
            raise ValueError("partitions must be ragged only if data is")
        return stack_dynamic_partitions(x.values, ids.values, num_partitions)
    if ids.dtype not in (dtypes.int32, dtypes.int64):
        raise ValueError("value_rowids must have dtype int32 or int64")
    rank = len(shape_of(ids))
    if not is_ragged(x) and not agree(shape_of(x)[:rank], shape_of(ids)):
        raise ValueError(f"Shapes {ids.shape} and {x.shape[:rank]} are incompatible")
    if rank > 1:
        from tapeflow.core.record.primitive_ops import reshape
        from tapeflow.ops._support.arguments import joined, sizes_of
        x = x.merge_dims(0, rank - 1) if is_ragged(x) else reshape(
            x, shape=joined([-1, *sizes_of(x)[rank:]]))
        ids = reshape(ids, shape=(-1,))
    if not rank:
        from tapeflow.core.record.primitive_ops import expand
        x = x[None] if is_ragged(x) else expand(x, axis=0)
        ids = expand(ids, axis=0)
    kind = dtypes.int32 if ids.dtype == dtypes.int32 else dtypes.int64
    partitions = as_kind(operand(num_partitions), kind)
    value, count = known(ids), known(partitions)
    if value is not None and count is not None and value.size and (
            value.min() < 0 or value.max() >= count):
        raise errors.invalid("Assert", f"partitions must be in [0, {count})")
    order = argsort(ids, stable=True)
    from tapeflow.ops.indexing.gathering import gather
    made = RowPartition.from_value_rowids(gather(as_kind(ids, kind), order), partitions,
                                          validate=False)
    return make(gather_any(x, order), made)


# -- masks -----------------------------------------------------------------------------------------
@export("ragged.boolean_mask")
def boolean_mask(data: Any, mask: Any, name: str | None = None) -> Any:
    """What of `data` lies where `mask` is true, in the rows it lies in.

    >>> tf.ragged.boolean_mask([[1, 2], [3, 4]], [[True, False], [True, True]])
    <tf.RaggedTensor [[1], [3, 4]]>
    """
    x, chosen = ragged_or_dense(data), ragged_or_dense(mask, dtypes.bool if not isinstance(
        mask, (Tensor, RaggedTensor)) else None)
    if chosen.dtype is not dtypes.bool:
        raise TypeError(f"Expected bool mask, got {chosen.dtype.name}")
    if chosen.shape.rank is None:
        raise ValueError("mask.shape.ndims must be known statically.")
    if chosen.shape.rank == 0:
        raise ValueError("mask cannot be scalar.")
    return _masked(x, chosen)


def _masked(x: Any, mask: Any) -> Any:
    if is_ragged(mask):
        if not is_ragged(x):
            x = from_tensor(x, None, None, 1, mask.row_splits.dtype)
    elif is_ragged(x) and mask.shape.rank > 1:
        mask = from_tensor(mask, None, None, 1, x.row_splits.dtype)
    elif mask.shape.rank > 1:
        x = from_tensor(x, None, None, mask.shape.rank - 1, dtypes.int64)
        mask = from_tensor(mask, None, None, mask.shape.rank - 1, dtypes.int64)
    if is_ragged(mask):
        ours, theirs = known(x.row_splits), known(mask.row_splits)
        if ours is not None and theirs is not None and not np.array_equal(ours, theirs):
            raise errors.invalid("Assert", "data and mask must have the same ragged splits")
        inner = _masked(x.values, mask.values)
        if mask.shape.rank > 2:
            return make(inner, x._partition)
        return make(inner, RowPartition.from_row_lengths(_true_counts(mask), validate=False))
    if is_ragged(x):
        from tapeflow.core.record.primitive_ops import reshape
        from tapeflow.ops.indexing.gathering import true_indices
        return gather_any(x, reshape(true_indices(mask), shape=(-1,)))
    return dense_mask(x, mask)


def _true_counts(mask: RaggedTensor) -> Tensor:
    ones = casting.cast(mask.values, mask.row_splits.dtype)
    rows = mask._partition.static_nrows
    return segment.segment_sum(ones, mask.value_rowids(),
                                   rows=mask.nrows() if rows is None else rows)


# -- functions of flat values ----------------------------------------------------------------------
@export("ragged.map_flat_values")
def map_flat_values(op: Callable, *args: Any, **kwargs: Any) -> Any:
    """`op` of the flat values of the ragged arguments, which must have the same rows.

    >>> tf.ragged.map_flat_values(tf.square, tf.ragged.constant([[1], [2, 3]]))
    <tf.RaggedTensor [[1], [4, 9]]>
    """
    found: list[RaggedTensor] = []

    def flat(x: Any) -> Any:
        if is_ragged(x):
            found.append(x)
            return x.flat_values
        if isinstance(x, (list, tuple)):
            return type(x)([flat(one) for one in x])
        return x

    args = tuple(flat(x) for x in args)
    kwargs = {key: flat(x) for key, x in kwargs.items()}
    if not found:
        return op(*args, **kwargs)
    first = found[0]
    for other in found[1:]:
        if len(other.nested_row_splits) != len(first.nested_row_splits):
            raise ValueError("All ragged inputs must have the same ragged_rank.")
        if known(first.row_splits) is not None and not _same_rows(first, other):
            raise errors.invalid("Assert", "All ragged inputs must have the same row splits")
    result = op(*args, **kwargs)
    before, now = first.flat_values.shape[0], result.shape[0] if result.shape.rank else 0
    if before is not None and now is not None and before != now:
        raise ValueError(f"tf.ragged.map_flat_values requires that the output of `op` have the "
                         f"same outer-dimension size as flat_values of any ragged inputs. (output "
                         f"shape: {result.shape}; expected outer dimension size: {before})")
    return first.with_flat_values(result)


@export("ragged.row_splits_to_segment_ids")
def row_splits_to_segment_ids(splits: Any, name: str | None = None,
                              out_type: Any = None) -> Tensor:
    """The index of its row for each value: [0, 2, 2, 3] gives [0, 0, 2]."""
    rows = integer_tensor(splits, "splits")
    if len(shape_of(rows)) != 1:
        raise ValueError(f"Shape {rows.shape} must have rank 1")
    if shape_of(rows)[0] == 0:
        raise ValueError("Invalid row_splits: []")
    kind = rows.dtype if out_type is None else dtype_among(out_type, "Shape", "out_type")
    return as_kind(partition(rows).value_rowids(), kind)


@export("ragged.segment_ids_to_row_splits")
def segment_ids_to_row_splits(segment_ids: Any, num_segments: Any = None, out_type: Any = None,
                              name: str | None = None) -> Tensor:
    """The splits of rows given by the index of its row for each value."""
    ids = integer_tensor(segment_ids, "segment_ids")
    made = RowPartition.from_value_rowids(ids, num_segments, validate=False)
    kind = ids.dtype if out_type is None else dtype_among(out_type, "DenseBincount", "T")
    return as_kind(made.row_splits(), kind)


# -- operators -------------------------------------------------------------------------------------
def _attach(symbol: str, public: LatePublic, reflected: bool = True) -> None:
    def forward(self: Any, other: Any) -> Any:
        return public(self, other)

    def backward(self: Any, other: Any) -> Any:
        return public(
            other if isinstance(other, (Tensor, Variable)) else convert(other, self.dtype), self)

    setattr(RaggedTensor, f"__{symbol}__", forward)
    if reflected:
        setattr(RaggedTensor, f"__r{symbol}__", backward)


for _symbol, _public in (("add", "math.add"), ("sub", "math.subtract"), ("mul", "math.multiply"),
                         ("truediv", "math.truediv"), ("floordiv", "math.floordiv"),
                         ("mod", "math.floormod"), ("pow", "math.pow"),
                         ("and", "math.logical_and"), ("or", "math.logical_or"),
                         ("xor", "math.logical_xor")):
    _attach(_symbol, LatePublic(_public))
for _symbol, _public in (("lt", "math.less"), ("le", "math.less_equal"), ("gt", "math.greater"),
                         ("ge", "math.greater_equal")):
    _attach(_symbol, LatePublic(_public), False)


def _equality(public: str, otherwise: bool) -> Callable:
    """`==` or `!=`: values whose rows do not fit are unequal, where the function is an error."""
    function = LatePublic(public)

    def compare(self: Any, other: Any) -> Any:
        if other is None:
            return otherwise
        try:
            return function(self, other)
        except unsignalled(errors.InvalidArgumentError, ValueError):
            if not isinstance(other, (RaggedTensor, Tensor, Variable, np.ndarray, list, tuple)):
                raise
            if state.trace is not None and isinstance(other, (RaggedTensor, Tensor)) and (
                    other.dtype != self.dtype):
                raise TypeError(f"Input 'y' has type {other.dtype.name} that does not match type "
                                f"{self.dtype.name} of argument 'x'.") from None
            return otherwise

    return compare


def _unary(public: str) -> Callable:
    function = LatePublic(public)
    return lambda self: function(self)


for _name, _method in (("eq", _equality("math.equal", False)),
                       ("ne", _equality("math.not_equal", True)),
                       ("neg", _unary("math.negative")), ("abs", _unary("math.abs")),
                       ("invert", _unary("math.logical_not"))):
    setattr(RaggedTensor, f"__{_name}__", _method)

# Keras 2 copies these to its symbolic ragged tensors.
for _name in ("add", "radd", "mul", "rmul"):
    _method = getattr(RaggedTensor, f"__{_name}__")
    setattr(RaggedTensor, f"__{_name}__", lent(f"__{_name}__", _method, RaggedTensor))
setattr(RaggedTensor, "__getitem__", lent(  # noqa: B010
    "__ragged_getitem__", RaggedTensor.__getitem__, RaggedTensor))
