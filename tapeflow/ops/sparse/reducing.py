"""Reductions of sparse tensors, softmax, products with dense matrices, sums of looked-up rows."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from tapeflow.base import dtypes, errors
from tapeflow.base.attributes import attributes, flag
from tapeflow.base.exports import export
from tapeflow.base.late import library
from tapeflow.core.record.elementwise_ops import stop_gradient
from tapeflow.core.record.families import conj, operand
from tapeflow.core.record.op import Spec, define, shape_of
from tapeflow.core.record.primitive_ops import all_batched, cast, reduce_sum, reshape, transpose
from tapeflow.core.record.samples import Case
from tapeflow.core.values.tensor import Tensor, wrap
from tapeflow.ops._support.arguments import integers, wrong_kind
from tapeflow.ops.array.shaping import ensure_shape
from tapeflow.ops.indexing.gathering import gather, gather_op, take
from tapeflow.ops.indexing.scattering import scatter_nd_op
from tapeflow.ops.math.exponential import exp
from tapeflow.ops.reduce import segment
from tapeflow.ops.sparse.coordinate_ops import SORTED, groups
from tapeflow.ops.sparse.functions import sparse_reshape
from tapeflow.ops.sparse.sparse_tensor import SparseTensor, as_sparse, sparse


# -- reduce ----------------------------------------------------------------------------------------
def _axes(sp: SparseTensor, axis: Any, op: str) -> tuple:
    rank = sp.shape.rank or 0
    if axis is None:
        return tuple(range(rank))
    found = []
    for one in np.atleast_1d(operand(axis, dtypes.int32)._value).tolist():
        if not -rank <= one < rank:
            raise errors.invalid(op, f"Invalid reduction dimension {one}, for input with {rank} "
                                     "dimensions.")
        found.append(one % rank)
    return tuple(found)


def _kept(sp: SparseTensor, axes: tuple, keepdims: Any) -> tuple[list, Any]:
    """The columns that stay, and the shape of the result."""
    rank = sp.shape.rank or 0
    columns = [i for i in range(rank) if i not in axes]
    own = sp._sizes
    if isinstance(own, tuple):
        return columns, tuple([1 if i in axes else n for i, n in enumerate(own)
                               if keepdims or i not in axes])
    sizes = [own[i] if i not in axes else wrap(np.int64(1)) for i in range(rank)
             if keepdims or i not in axes]
    from tapeflow.ops.array.joining import stack
    return columns, stack(sizes) if sizes else ()


@export("sparse.reduce_sum")
@attributes(keepdims=flag)
def sparse_reduce_sum(sp_input: Any, axis: Any = None, keepdims: bool | None = None,
                      output_is_sparse: bool = False, name: str | None = None) -> Any:
    """Sums over axes, dense or sparse."""
    return _reduce(as_sparse(sp_input), axis, bool(keepdims), output_is_sparse, "Sum")


@export("sparse.reduce_max")
@attributes(keepdims=flag)
def sparse_reduce_max(sp_input: Any, axis: Any = None, keepdims: bool | None = None,
                      output_is_sparse: bool = False, name: str | None = None) -> Any:
    """The largest stored value over axes; 0 where there is none."""
    return _reduce(as_sparse(sp_input), axis, bool(keepdims), output_is_sparse, "Max")


def _reduce(sp: SparseTensor, axis: Any, keepdims: bool, is_sparse: bool, kind: str) -> Any:
    if kind == "Sum" and sp.dtype.kind in "Ob":
        raise wrong_kind("SparseReduceSum", "T", sp.dtype, "numbers")
    axes = _axes(sp, axis, f"SparseReduce{kind}")
    columns, shape = _kept(sp, axes, keepdims)
    if kind == "Sum" and not is_sparse:
        coords = gather(sp.indices, columns, axis=1) if columns else sp.indices[:, :0]
        whole = tuple([n for i, n in enumerate(sp._sizes) if i not in axes]) if isinstance(
            sp._sizes, tuple) else _kept(sp, axes, False)[1]
        total = scatter_nd_op(sp.values, coords, shape=whole, ignore=False)
        return reshape(total, shape=shape) if keepdims else total
    ids, coords = groups(sp.indices, columns=tuple(columns))
    count = shape_of(coords)[0]
    rows = count if count is not None else coords._dynamic_shape()[0]
    if kind == "Sum":
        values = segment.segment_sum(sp.values, ids, rows=rows)
    else:
        values = segment.segment_max(sp.values, ids, rows=rows, missing=0)
    if is_sparse:
        return _as_sparse(sp, values, coords, axes, keepdims)
    whole = _kept(sp, axes, False)[1]
    result = scatter_nd_op(values, coords, shape=whole, ignore=False)
    return reshape(result, shape=shape) if keepdims else result


def _as_sparse(sp: SparseTensor, values: Any, coords: Any, axes: tuple,
               keepdims: bool) -> SparseTensor:
    from tapeflow.core.record.primitive_ops import concat
    _, shape = _kept(sp, axes, keepdims)
    if keepdims:
        columns, left = [], 0
        zero = coords[:, :0]
        zero = reduce_sum(zero, axis=(1,), keepdims=True)
        for i in range(sp.shape.rank or 0):
            if i in axes:
                columns.append(zero)
            else:
                columns.append(coords[:, left:left + 1])
                left += 1
        coords = concat(*columns, axis=1) if len(columns) > 1 else columns[0]
    if not isinstance(shape, Tensor):
        shape = np.array(shape, np.int64)
    return sparse(coords, values, shape)


# -- softmax ---------------------------------------------------------------------------------------
@export("sparse.softmax")
def softmax(sp_input: Any, name: str | None = None) -> SparseTensor:
    """Softmax over the stored values of each row of the last axis."""
    sp = as_sparse(sp_input)
    if sp.shape.rank is None:
        return sp.with_values(softmax(sparse_reshape(sp, (-1, sp.dense_shape[-1]))).values)
    rank = sp.shape.rank
    if rank < 2:
        raise errors.invalid("SparseSoftmax", f"Input should have rank >= 2. Got: {rank}")
    ids, rows = groups(sp.indices, columns=tuple(range(rank - 1)))
    count = shape_of(rows)[0]
    size = count if count is not None else rows._dynamic_shape()[0]
    top = segment.segment_max(stop_gradient(sp.values), ids, rows=size, missing=0)
    shifted = exp(sp.values - take(top, ids, axis=0, batch_dims=0))
    total = segment.segment_sum(shifted, ids, rows=size)
    return sp.with_values(shifted / take(total, ids, axis=0, batch_dims=0))


# -- products --------------------------------------------------------------------------------------
def _product_kernel(indices, values, b, shape, transposed):
    """(rows, columns) sparse, or its transpose, times dense; in float32 for half precision."""
    rows, columns = indices[:, 0], indices[:, 1]
    sizes = tuple(int(n) for n in shape)
    if len(indices) and (indices.min() < 0 or rows.max() >= sizes[0]
                         or columns.max() >= sizes[1]):
        raise errors.invalid("SparseTensorDenseMatMul", "an index of the sparse matrix is out of "
                                                        f"bounds of its shape {list(sizes)}")
    if transposed:
        rows, columns, sizes = columns, rows, sizes[::-1]
    if b.shape[0] != sizes[1]:
        raise errors.invalid("SparseTensorDenseMatMul", (
            f"Cannot multiply A and B because inner dimension does not match: {sizes[1]} vs. "
            f"{b.shape[0]}.  Did you forget a transpose?"))
    dtype = b.dtype
    wide = np.dtype("float32") if dtype.itemsize == 2 else dtype
    if len(rows) * b.shape[1] <= 512:
        out = np.zeros((sizes[0], b.shape[1]), wide)
        np.add.at(out, rows, values[:, None].astype(wide, copy=False) * b[columns].astype(
            wide, copy=False))
        return out.astype(dtype, copy=False)
    csr_array = library("scipy.sparse", "SciPy").csr_array
    matrix = csr_array((values.astype(wide), (rows, columns)), shape=sizes)
    return np.asarray(matrix @ b.astype(wide, copy=False), wide).astype(dtype, copy=False)


def _product_shape(indices: Spec, values: Spec, b: Spec, shape: Any, transposed: bool) -> Spec:
    rows = None if isinstance(shape, Tensor) else shape[1 if transposed else 0]
    return Spec((rows, None if b.shape is None else b.shape[1]), b.dtype)


def _product_values(g, y, indices, values, b, shape, transposed):
    row, column = indices[:, 0], indices[:, 1]
    if transposed:
        row, column = column, row
    picked = take(g, row, axis=0, batch_dims=0) * conj_if(take(b, column, axis=0, batch_dims=0))
    return reduce_sum(picked, axis=(1,))


def _product_b(g, y, indices, values, b, shape, transposed):
    return product(indices, conj_if(values), g, shape=shape, transposed=not transposed)


def conj_if(x: Any) -> Any:
    dtype = getattr(x.dtype, "np", x.dtype)
    return conj(x) if dtype.kind == "c" else x


def _product_jvp(ts, y, indices, values, b, shape, transposed):
    total = None
    if ts[1] is not None:
        total = product(indices, ts[1], b, shape=shape, transposed=transposed)
    if ts[2] is not None:
        part = product(indices, values, ts[2], shape=shape, transposed=transposed)
        total = part if total is None else total + part
    return total


def _product_batch(call, size, xs, batched, attrs):
    """Columns side by side if only the dense matrix varies, else blocks on a diagonal."""
    indices, values, b = xs
    shape, transposed = attrs["shape"], attrs["transposed"]
    if batched == (False, False, True):
        _, rows, columns = shape_of(b)
        wide = reshape(transpose(b, perm=(1, 0, 2)), shape=(rows, size * columns))
        found = call(indices, values, wide, **attrs)
        return transpose(reshape(found, shape=(shape_of(found)[0], size, columns)), perm=(1, 0, 2))
    indices, values, b = all_batched(xs, batched, size)
    corner = np.array(shape, np.int64) * np.arange(size)[:, None, None]
    count = shape_of(values)[1]
    apart = reshape(indices + _like(corner, indices), shape=(size * count, 2))
    found = call(apart, reshape(values, shape=(size * count,)),
                 reshape(b, shape=(-1, shape_of(b)[2])),
                 shape=(shape[0] * size, shape[1] * size), transposed=transposed)
    return reshape(found, shape=(size, -1, shape_of(b)[2]))


def _like(value: np.ndarray, x: Any) -> Any:
    return wrap(value) if isinstance(x, Tensor) else value


product = define("sparse_dense_matmul", kernel=_product_kernel, shape=_product_shape,
                 vjp=(None, _product_values, _product_b), jvp=_product_jvp, batch=_product_batch,
                 saves="in", args=("indices", "values", "b"), dtypes="fVciu", kind="opaque",
                 tf_name="SparseTensorDenseMatMul",
                 check=[Case(SORTED, (3,), (3, 2), shape=(2, 3), transposed=False),
                        Case(SORTED, (3,), (2, 4), shape=(2, 3), transposed=True)])


@export("sparse.sparse_dense_matmul")
@attributes(adjoint_a=flag, adjoint_b=flag)
def sparse_dense_matmul(sp_a: Any, b: Any, adjoint_a: bool = False, adjoint_b: bool = False,
                        name: str | None = None) -> Tensor:
    """The product of a sparse and a dense matrix, in either order."""
    if isinstance(b, SparseTensor) and isinstance(sp_a, SparseTensor):
        raise ValueError("tf.sparse.sparse_dense_matmul: one of the matrices must be dense.")
    if isinstance(b, SparseTensor):  # (A B)ᵀ = Bᵀ Aᵀ
        dense = operand(sp_a)
        transposed = sparse_dense_matmul(b, dense, not adjoint_b, not adjoint_a)
        return conj_if(transpose(transposed, perm=(1, 0)))
    sp = as_sparse(sp_a, "sp_a")
    dense = operand(b)
    if dense.dtype != sp.dtype:
        raise errors.invalid("SparseTensorDenseMatMul", f"the sparse matrix has dtype "
                             f"{sp.dtype.name}, the dense one {dense.dtype.name}")
    if sp.shape.rank not in (2, None):
        raise ValueError(f"Shape must be rank 2 but is rank {sp.shape.rank} for sp_a")
    if dense.ndim is None:
        dense = ensure_shape(dense, [None, None])
    if len(shape_of(dense)) != 2:
        raise errors.invalid("SparseTensorDenseMatMul", "Tensor 'b' is not a matrix: its "
                             f"shape is {dense.shape}")
    if adjoint_b:
        dense = conj_if(transpose(dense, perm=(1, 0)))
    own = [None, None] if sp.shape.rank is None else sp.shape.as_list()
    inner, outer = own[0 if adjoint_a else 1], shape_of(dense)[0]
    if None not in (inner, outer) and inner != outer:
        raise errors.invalid("SparseTensorDenseMatMul", (
            f"Cannot multiply A and B because inner dimension does not match: {inner} vs. {outer}. "
            " Did you forget a transpose?"))
    values = conj_if(sp.values) if adjoint_a else sp.values
    return product(sp.indices, values, dense, shape=sp._sizes, transposed=bool(adjoint_a))


# -- segments of looked-up rows --------------------------------------------------------------------
def _segments(kind: str) -> Callable:
    @attributes(sparse_gradient=flag)
    def reduce(data: Any, indices: Any, segment_ids: Any, num_segments: Any = None,
               name: str | None = None, sparse_gradient: bool = False) -> Tensor:
        x = operand(data)
        op = f"SparseSegment{word}"
        if word != "Sum" and not x.dtype.is_floating:
            raise wrong_kind(op, "T", x.dtype, "bfloat16, half, float, double")
        if x.dtype.is_complex:
            raise wrong_kind(op, "T", x.dtype, "float, double, int32, uint8, int16, int8, int64, "
                                               "bfloat16, uint16, half, uint32, uint64")
        row_ids = integers(indices, op, "Tidx")
        ids = integers(segment_ids, op, "Tsegmentids")
        for one in (row_ids, ids):
            if one.ndim not in (1, None):
                raise errors.invalid(op, f"Shape must be rank 1 but is rank {one.ndim}")
        look_up = gather_op if sparse_gradient else take
        rows = look_up(x, row_ids, axis=0, batch_dims=0)
        if num_segments is None:
            return segment.SORTED[kind](rows, ids) if kind != "sqrt_n" else _root(
                rows, ids, None)
        count = operand(num_segments, dtypes.int32 if not isinstance(num_segments, Tensor)
                        else None)
        value = ids._value if ids._interpreter is None else None
        if value is not None and value.size and (value[1:] < value[:-1]).any():
            raise errors.invalid(op, "segment ids are not increasing")
        return segment.UNSORTED[kind](rows, ids, count)

    word = "".join(part.capitalize() for part in kind.split("_"))
    reduce.__name__ = reduce.__qualname__ = f"segment_{kind}"
    reduce.__doc__ = (f"Rows `indices` of `data`, reduced by {kind} over each run of equal "
                      "`segment_ids`, which never decrease.")
    return export(f"sparse.segment_{kind}")(reduce)


def _root(rows: Tensor, ids: Tensor, count: Any) -> Tensor:
    """Sums divided by the square root of how many rows each has."""
    from tapeflow.ops.reduce.reduction import reduce_max
    size = reduce_max(ids, axis=None) + 1
    return segment.unsorted_segment_sqrt_n(rows, ids, cast(size, dtype=np.dtype("int32")))


segment_sum = _segments("sum")
segment_mean = _segments("mean")
segment_sqrt_n = _segments("sqrt_n")
