"""tf.sparse: to and from dense, reorder, reshape, slice, concat, split, transpose, rows, masks."""

from __future__ import annotations

import operator
from typing import Any

import numpy as np

from tapeflow.base import dtypes, errors
from tapeflow.base.attributes import attributes, flag
from tapeflow.base.exports import export
from tapeflow.base.shapes import TensorShape
from tapeflow.core.deferrable import deferrable
from tapeflow.core.record.elementwise_ops import stop_gradient
from tapeflow.core.record.families import operand
from tapeflow.core.record.op import shape_of
from tapeflow.core.record.primitive_ops import cast, concat, reduce_sum, reshape
from tapeflow.core.values.convert import convert
from tapeflow.core.values.indexed_slices import IndexedSlices
from tapeflow.core.values.tensor import Tensor, wrap
from tapeflow.core.values.variable import Variable
from tapeflow.ops._support.arguments import int_scalar, int_vector
from tapeflow.ops.array.creation import fill
from tapeflow.ops.indexing.gathering import (
    boolean_mask,
    gather,
    gather_nd,
    gather_nd_op,
    take,
    true_indices,
)
from tapeflow.ops.indexing.scattering import tensor_scatter_nd_update
from tapeflow.ops.linalg.diagonal import matrix_transpose
from tapeflow.ops.sparse.coordinate_ops import (
    checked,
    filled,
    keys_of,
    order_of,
    reshaped,
    rising,
    sliced,
)
from tapeflow.ops.sparse.sparse_tensor import SparseTensor, as_sparse, sparse


# -- dense -----------------------------------------------------------------------------------------
@export("sparse.from_dense")
def from_dense(tensor: Any, name: str | None = None) -> SparseTensor:
    """The values of a dense tensor that are not zero.

    >>> tf.sparse.from_dense([[0, 7]]).indices
    <tf.Tensor: shape=(1, 2), dtype=int64, numpy=array([[0, 1]])>
    """
    x = operand(tensor)
    if not 1 <= len(shape_of(x)) <= 8:
        raise errors.invalid("Where", "WhereOp : Unhandled input dimensions: "
                                      f"{len(shape_of(x))}")
    if x.dtype is dtypes.string:
        from tapeflow.ops.math.comparison import not_equal
        empty = np.empty((), object)
        empty[()] = b""
        coords = true_indices(not_equal(x, wrap(empty)))
    else:
        coords = true_indices(x)
    static = x.shape
    shape = np.array(shape_of(x), np.int64) if static.is_fully_defined() else cast(
        x._dynamic_shape(), dtype=np.dtype("int64"))
    return sparse(coords, gather_nd_op(x, coords, ignore=False), shape, static)


@export("sparse.to_dense")
@attributes(validate_indices=flag)
def to_dense(sp_input: Any, default_value: Any = None, validate_indices: bool = True,
             name: str | None = None) -> Tensor:
    """The dense tensor, with `default_value` (zero) where nothing is stored."""
    sp = as_sparse(sp_input)
    if default_value is None:
        default_value = b"" if sp.dtype is dtypes.string else np.zeros((), sp.dtype.np)
    default = operand(default_value, None if isinstance(default_value, Tensor) else sp.dtype)
    if shape_of(default):
        raise errors.invalid("SparseToDense", "default_value should be a scalar.")
    if sp.shape.rank is None:
        flat = to_dense(sparse_reshape(sp, (-1,)), default, validate_indices)
        return reshape(flat, shape=sp._sizes)
    indices = checked(sp.indices, shape=sp._sizes) if validate_indices else sp.indices
    result = tensor_scatter_nd_update(fill(sp._sizes, default), indices, sp.values)
    if result._interpreter is not None:
        result.set_shape(sp.shape)
    return result


@export("sparse.to_indicator")
def to_indicator(sp_input: Any, vocab_size: Any, name: str | None = None) -> Tensor:
    """Booleans (…, vocab_size): true at the indices that are values of the last axis."""
    sp = as_sparse(sp_input)
    ids = cast(sp.values, dtype=np.dtype("int64")) if sp.dtype != dtypes.int64 else sp.values
    if not sp.dtype.is_integer:
        raise TypeError(f"Value passed to parameter 'values' has DataType {sp.dtype.name}: an "
                        "indicator needs integers")
    if not isinstance(vocab_size, (int, Tensor)):
        raise TypeError("vocab_size has to be a Tensor or Python int. Found "
                        f"{type(vocab_size)}")
    size = operand(vocab_size, dtypes.int64 if not isinstance(vocab_size, Tensor) else None)
    size = cast(reshape(size, shape=(1,)), dtype=np.dtype("int64"))
    rank = sp.shape.rank or 1
    coords = concat(sp.indices[:, :rank - 1], reshape(ids, shape=(-1, 1)), axis=1)
    shape = concat(sp.dense_shape[:rank - 1], size, axis=0)
    ones = fill(sp.values._dynamic_shape() if None in shape_of(sp.values) else shape_of(
        sp.values), True)
    merged = sparse(coords, ones, shape)
    return tensor_scatter_nd_update(fill(merged._sizes, False), coords, ones)


@export("sparse.eye")
def eye(num_rows: Any, num_columns: Any = None, dtype: Any = dtypes.float32,
        name: str | None = None) -> SparseTensor:
    """A sparse matrix with ones on its diagonal."""
    if dtypes.as_dtype(dtype) is dtypes.string:
        raise TypeError("Cannot convert 1 to EagerTensor of dtype string")
    sizes = []
    for given, word in ((num_rows, "num_rows"),
                        (num_rows if num_columns is None else num_columns, "num_columns")):
        size = operand(given)
        if isinstance(given, Variable) or not size.dtype.is_integer:
            raise TypeError(f"{word} must be an integer value")
        sizes.append(int(size._value))
        if sizes[-1] < 0:
            raise errors.invalid("Range", f"Requires start <= limit when delta > 0: 0/{sizes[-1]}")
    rows, columns = sizes
    count = np.arange(min(rows, columns), dtype=np.int64)
    return sparse(wrap(np.stack([count, count], 1)),
                  wrap(np.ones(count.size, dtypes.as_dtype(dtype).np)), (rows, columns))


# -- order and shape -------------------------------------------------------------------------------
@export("sparse.reorder")
def reorder(sp_input: Any, name: str | None = None) -> SparseTensor:
    """The same tensor with its values in row-major order."""
    sp = as_sparse(sp_input)
    if sp.indices._interpreter is None and rising(keys_of(sp.indices._value)):
        return sparse(sp.indices, sp.values, sp.dense_shape, sp._static)
    order = order_of(sp.indices)
    return sparse(take(sp.indices, order, axis=0, batch_dims=0),
                  take(sp.values, order, axis=0, batch_dims=0), sp.dense_shape, sp._static)


@export("sparse.reshape")
def sparse_reshape(sp_input: Any, shape: Any, name: str | None = None) -> SparseTensor:
    """The same values under another shape; one size may be -1."""
    sp = as_sparse(sp_input)
    wanted = int_vector(shape, "SparseReshape", "new_shape") if not isinstance(
        shape, Tensor) or shape._interpreter is None else shape
    own = sp._sizes
    if isinstance(wanted, Tensor) or isinstance(own, Tensor):
        new: Any = _dynamic_shape(own, wanted)
        static = _static_shape(sp.shape, shape)
        return sparse(reshaped(sp.indices, old=own, new=new), sp.values,
                      cast(new, dtype=np.dtype("int64")), static)
    new = _completed(own, wanted)
    return sparse(reshaped(sp.indices, old=own, new=new), sp.values, new)


def _static_shape(own: TensorShape, wanted: Any) -> TensorShape | None:
    """What is known of a new shape that a trace does not know whole."""
    if isinstance(wanted, Tensor):
        return None
    sizes: list = [n if isinstance(n, int) and n >= 0 else None for n in wanted]
    known = int(np.prod([n for n in sizes if n is not None], dtype=np.int64))
    total = own.num_elements()
    if sizes.count(None) == 1 and known and total is not None:
        sizes[sizes.index(None)] = total // known
    return TensorShape(sizes)


def _completed(own: tuple, wanted: tuple) -> tuple:
    total = int(np.prod(own, dtype=np.int64))
    known = int(np.prod([n for n in wanted if n != -1], dtype=np.int64))
    if wanted.count(-1) > 1:
        raise errors.invalid("SparseReshape", "only one output dimension may be -1, got "
                                              f"{list(wanted)}")
    if any(n < -1 for n in wanted):
        raise errors.invalid("SparseReshape", f"size cannot be negative, got {list(wanted)}")
    new = tuple([total // known if n == -1 and known else n for n in wanted])
    if int(np.prod(new, dtype=np.int64)) != total:
        raise errors.invalid("SparseReshape", (
            f"Input to reshape is a SparseTensor with {total} dense values, but the requested "
            f"shape has {known}"))
    return new


def _dynamic_shape(own: Any, wanted: Any) -> Tensor:
    """A new shape of which a trace does not know all: the size -1 is what is left."""
    from tapeflow.ops.indexing.gathering import where
    from tapeflow.ops.reduce.reduction import reduce_prod
    old = cast(own, dtype=np.dtype("int64")) if isinstance(own, Tensor) else convert(
        list(own), dtypes.int64)
    new = cast(wanted, dtype=np.dtype("int64")) if isinstance(wanted, Tensor) else convert(
        list(wanted), dtypes.int64)
    known = reduce_prod(where(new == -1, wrap(np.int64(1)), new), axis=None)
    return where(new == -1, reduce_prod(old, axis=None) // known, new)


@export("sparse.transpose")
def transpose(sp_input: Any, perm: Any = None, name: str | None = None) -> SparseTensor:
    """The axes in another order, reversed by default; the result is in order."""
    sp = as_sparse(sp_input)
    if sp.shape.rank is None and perm is None:
        return reorder(sparse(sp.indices[:, ::-1], sp.values, sp.dense_shape[::-1]))
    rank = sp.shape.rank or 0
    order = tuple(reversed(range(rank))) if perm is None else int_vector(
        perm, "SparseTranspose", "perm")
    if any(not 0 <= n < rank for n in order):
        raise errors.invalid("GatherV2", f"indices of perm {list(order)} are not in [0, {rank})")
    if len(order) != rank:
        raise ValueError(f"Dimensions {len(order)} and {rank} are not compatible (perm, rank)")
    indices = gather(sp.indices, list(order), axis=1)
    static = None if sp._static is None else TensorShape([sp.shape[i] for i in order])
    moved = sparse(indices, sp.values, gather(sp.dense_shape, list(order)), static)
    return reorder(moved)


@export("sparse.expand_dims")
def expand_dims(sp_input: Any, axis: Any = None, name: str | None = None) -> SparseTensor:
    """A new axis of size 1, in front of `axis` (the last)."""
    sp = as_sparse(sp_input)
    rank = sp.shape.rank or 0
    if isinstance(axis, (np.floating, np.bool_)):
        raise TypeError("axis must be an integer value in range [-rank(sp_input) - 1, "
                        "rank(sp_input)]")
    position = -1 if axis is None else int(int_scalar(axis, "ExpandDims", "Tdim", True))
    if not -rank - 1 <= position <= rank:
        raise errors.invalid("ExpandDims", f"axis = {position} not in [{-rank - 1}, {rank}]")
    position = position % (rank + 1)
    zeros = sp.indices[:, :1] * 0
    indices = concat(sp.indices[:, :position], zeros, sp.indices[:, position:], axis=1)
    one = wrap(np.ones(1, np.int64))
    shape = concat(sp.dense_shape[:position], one, sp.dense_shape[position:], axis=0)
    sizes = sp.shape.as_list()
    return sparse(indices, sp.values, shape, TensorShape([*sizes[:position], 1, *sizes[position:]]))


@export("sparse.reset_shape")
def reset_shape(sp_input: Any, new_shape: Any = None) -> SparseTensor:
    """The same values in a larger shape, or in the least that holds them."""
    sp = as_sparse(sp_input)
    if new_shape is None:
        from tapeflow.ops.math.comparison import maximum
        from tapeflow.ops.reduce.reduction import reduce_max
        zero = wrap(np.full((1, sp.shape.rank or 0), -1, np.int64))
        return sparse(sp.indices, sp.values, maximum(reduce_max(
            concat(sp.indices, zero, axis=0), axis=(0,)) + 1, wrap(np.int64(0))))
    shape = operand(new_shape, dtypes.int64 if not isinstance(new_shape, Tensor) else None)
    shape = shape if shape.dtype == dtypes.int64 else cast(shape, dtype=np.dtype("int64"))
    if len(shape_of(shape)) != 1:
        raise ValueError(f"Shape {shape.shape} must have rank 1")
    if shape_of(shape)[0] != sp.shape.rank:
        raise ValueError(f"Dimensions {shape_of(shape)[0]} and {sp.shape.rank} are not compatible")
    if shape._interpreter is not None or not sp.shape.is_fully_defined():
        from tapeflow.ops.control.assertions import assert_less_equal
        assert_less_equal(sp.dense_shape, shape)
    elif any(n < m for n, m in zip(shape._value.tolist(), sp.shape.as_list())):
        raise ValueError(f"New shape {shape._value.tolist()} should have dimension sizes >= "
                         f"sp_input.shape {sp.shape}.")
    return sparse(sp.indices, sp.values, shape)


# -- parts -----------------------------------------------------------------------------------------
@export("sparse.slice")
def sparse_slice(sp_input: Any, start: Any, size: Any, name: str | None = None) -> SparseTensor:
    """What lies in the box that begins at `start`; its shape ends where the tensor's does."""
    sp = as_sparse(sp_input)
    begin, sizes = [int_vector(operand(one, dtypes.int64) if isinstance(one, Tensor) else one,
                               "SparseSlice", name) for one, name in (
                                   (start, "start"), (size, "size"))]
    own = sp._sizes
    rank = sp.shape.rank
    if isinstance(begin, tuple) and isinstance(sizes, tuple) and isinstance(own, tuple):
        if len(begin) != rank or len(sizes) != rank:
            raise errors.invalid("SparseSlice", f"Expected start and size to have {rank} elements, "
                                                f"got {len(begin)} and {len(sizes)}")
        shape: Any = tuple([max(min(n, m - b), 0) for n, m, b in zip(sizes, own, begin)])
    else:
        from tapeflow.ops.math.comparison import maximum, minimum
        first, most, whole = [_int64(x) for x in (begin, sizes, own)]
        shape = maximum(minimum(most, whole - first), wrap(np.int64(0)))
    chosen, indices = sliced(sp.indices, start=begin, size=sizes)
    return sparse(indices, take(sp.values, chosen, axis=0, batch_dims=0), shape)


def _int64(x: Any) -> Tensor:
    if isinstance(x, Tensor):
        return x if x.dtype == dtypes.int64 else cast(x, dtype=np.dtype("int64"))
    return convert(list(x), dtypes.int64)


@export("sparse.split")
@deferrable
def split(sp_input: Any = None, num_split: int | None = None, axis: Any = None,
          name: str | None = None) -> list:
    """`num_split` parts along `axis`; the first ones are one longer if they do not divide."""
    if num_split is None or axis is None or sp_input is None:
        missing = "num_split" if num_split is None else "axis" if axis is None else "sp_input"
        raise ValueError(f"{missing} is required")
    sp = as_sparse(sp_input)
    own = sp._sizes
    if isinstance(own, Tensor):
        raise errors.UnknownSize("tf.sparse.split: the dense shape is not known yet.")
    rank = len(own)
    axis = int(operand(axis, dtypes.int64)._value)
    if not -rank <= axis < rank:
        raise errors.invalid("SparseSplit", f"Input axis should be in range [{-rank}, {rank}), got "
                                            f"{axis}")
    position = int(axis) % rank
    if not 1 <= num_split <= own[position]:
        raise errors.invalid("SparseSplit", (
            f"Input num_split should be between 1 and the splitting dimension size "
            f"({own[position]}), got {num_split}"))
    each, extra = divmod(own[position], num_split)
    parts, start = [], 0
    for i in range(num_split):
        size = each + (i < extra)
        begin = [0] * rank
        begin[position] = start
        sizes = [*own[:position], size, *own[position + 1:]]
        parts.append(sparse_slice(sp, begin, sizes))
        start += size
    return parts


@export("sparse.concat")
def sparse_concat(axis: Any, sp_inputs: Any, expand_nonconcat_dims: bool = False,
                  name: str | None = None) -> SparseTensor:
    """Sparse tensors end to end along `axis`; as in TensorFlow, without a gradient."""
    if not isinstance(sp_inputs, (list, tuple)):
        raise TypeError(f"Inputs must be a list of SparseTensors, got {sp_inputs!r}")
    parts = [as_sparse(one) for one in sp_inputs]
    if len(parts) == 1:
        return parts[0]
    rank = parts[0].shape.rank or 0
    axis = operator.index(axis)
    if not -rank <= axis < rank:
        raise errors.invalid("SparseConcat", f"Concat dimension must be in range [{-rank}, "
                                             f"{rank}), got {axis}")
    position = axis % rank
    sizes = [_int64(one._sizes) for one in parts]
    _check_others([one.shape for one in parts], position, expand_nonconcat_dims)
    offset: Any = wrap(np.int64(0))
    rows = []
    for one, size in zip(parts, sizes):
        unit = np.zeros(rank, np.int64)
        unit[position] = 1
        rows.append(one.indices + wrap(unit) * offset)
        offset = offset + size[position]
    from tapeflow.ops.array.joining import stack
    from tapeflow.ops.reduce.reduction import reduce_max
    most = reduce_max(stack(sizes), axis=(0,)) if expand_nonconcat_dims else sizes[0]
    shape = concat(most[:position], reshape(offset, shape=(1,)), most[position + 1:], axis=0)
    values = concat(*[stop_gradient(one.values) for one in parts], axis=0)
    return reorder(sparse(concat(*rows, axis=0), values, shape))


def _check_others(shapes: list, position: int, expands: bool) -> None:
    rank = shapes[0].rank
    for i, shape in enumerate(shapes):
        if shape.rank != rank:
            raise errors.invalid("SparseConcat", f"Ranks of all input tensors must match: expected "
                                                 f"{rank} but got {shape.rank} at position {i}")
        for axis in range(rank):
            a, b = shapes[0][axis], shape[axis]
            if axis != position and not expands and None not in (a, b) and a != b:
                raise errors.invalid("SparseConcat", (
                    f"Input shapes must match: expected {a} for dimension {axis} but got {b} at "
                    f"position {i}"))


@export("sparse.retain")
def retain(sp_input: Any, to_retain: Any) -> SparseTensor:
    """The values at which `to_retain` is true."""
    sp = as_sparse(sp_input)
    chosen = operand(to_retain, dtypes.bool if not isinstance(to_retain, Tensor) else None)
    if len(shape_of(chosen)) != 1 or None not in (shape_of(chosen)[0], shape_of(sp.values)[0]) and (
            shape_of(chosen) != shape_of(sp.values)):
        raise ValueError(f"Shapes {chosen.shape} and {sp.values.shape} are incompatible")
    rows = reshape(true_indices(chosen), shape=(-1,))
    return sparse(gather(sp.indices, rows), gather(sp.values, rows), sp.dense_shape,
                  sp._static)


@export("sparse.mask")
def mask(a: IndexedSlices, mask_indices: Any, name: str | None = None) -> IndexedSlices:
    """IndexedSlices without the rows named in `mask_indices`."""
    from tapeflow.ops.math.logical import logical_not
    from tapeflow.ops.reduce.reduction import reduce_any
    rows, unwanted = operand(a.indices), operand(mask_indices)
    if len(shape_of(rows)) != 1 or len(shape_of(unwanted)) != 1:
        raise errors.invalid("ListDiff", "the indices, masked ones too, should be 1D vectors, not "
                                         f"{rows.shape} and {unwanted.shape}.")
    unwanted = unwanted if unwanted.dtype == rows.dtype else cast(unwanted, dtype=rows.dtype.np)
    hit = reduce_any(reshape(rows, shape=(-1, 1)) == reshape(unwanted, shape=(1, -1)), axis=(1,))
    kept = logical_not(hit)
    return IndexedSlices(boolean_mask(a.values, kept), boolean_mask(rows, kept), a.dense_shape)


@export("sparse.fill_empty_rows")
def fill_empty_rows(sp_input: Any, default_value: Any, name: str | None = None) -> tuple:
    """(the tensor with `default_value` in column 0 of every empty row, which rows were empty)."""
    sp = as_sparse(sp_input)
    default = operand(default_value, None if isinstance(default_value, Tensor) else sp.dtype)
    if default.dtype != sp.dtype:
        raise errors.invalid("SparseFillEmptyRows", f"default_value has dtype "
                             f"{default.dtype.name}, the values {sp.dtype.name}")
    if shape_of(default):
        raise errors.invalid("SparseFillEmptyRows", "default_value must be a scalar, saw: "
                                                    f"{default.shape}")
    own = sp._sizes
    rows = own[0] if isinstance(own, tuple) else own[0]
    indices, sources, empty = filled(sp.indices, rows=rows)
    values = take(concat(sp.values, reshape(default, shape=(1,)), axis=0), sources, axis=0,
                  batch_dims=0)
    return sparse(indices, values, sp.dense_shape, sp._static), empty


@export("sparse.sampled_addmm")
def sampled_addmm(indices: Any, values: Any, dense_shape: Any, mat1: Any, mat2: Any,
                  beta: Any = 1.0, alpha: Any = 1.0, output_type: Any = dtypes.float32) -> tuple:
    """beta * values + alpha * (mat1 @ mat2) at `indices` alone: (indices, values, dense_shape).

    Batches of matrices have batches of indices, each a row and a column of its matrix.
    """
    kind = dtypes.as_dtype(output_type)
    coords, shape = operand(indices), operand(dense_shape, dtypes.int32)
    a, b, held = [operand(x, kind if not isinstance(x, Tensor) else None)
                  for x in (mat1, mat2, values)]
    for x in (a, b, held):
        if x.dtype != kind:
            raise TypeError(f"Expected {kind.name} tensors, got {x.dtype.name}")
    depth, sizes = len(shape_of(a)), (shape_of(a)[-2], shape_of(b)[-1])
    given = int_vector(shape, "SampledADDMM", "dense_shape")
    if isinstance(given, tuple) and None not in sizes and given != sizes:
        raise ValueError(f"Dense shape: {shape} does not match output shape: {list(sizes)}")
    rows = gather_nd(a, coords[..., :1], batch_dims=depth - 2)
    columns = gather_nd(matrix_transpose(b), coords[..., 1:], batch_dims=depth - 2)
    product = reduce_sum(rows * columns, axis=(depth - 1,))
    return coords, operand(beta, kind) * held + operand(alpha, kind) * product, shape


