"""Sparse tensors as their three parts, ragged ones as values and row splits."""

from __future__ import annotations

from typing import Any

from tapeflow.tensorflow_graphs.ops.rows.pieces import Pieces
from tapeflow.tensorflow_graphs.public import tf
from tapeflow.tensorflow_graphs.registry import raw, same

same("""
SparseSegmentMeanWithNumSegments sparse.segment_mean
SparseSegmentSqrtNWithNumSegments sparse.segment_sqrt_n
SparseSegmentSumWithNumSegments sparse.segment_sum
""")


def _parts(found: Any) -> tuple:
    return found.indices, found.values, found.dense_shape


@raw
def SparseToDense(sparse_indices: Any, output_shape: Any, sparse_values: Any, default_value: Any,
                  validate_indices: bool) -> Any:
    if sparse_indices.shape.rank in (0, 1):
        sparse_indices = tf.reshape(sparse_indices, [-1, 1])
    if sparse_values.shape.rank == 0:  # one value for all positions
        sparse_values = tf.repeat(sparse_values, tf.shape(sparse_indices)[0])
    return tf.sparse.to_dense(
        tf.SparseTensor(tf.cast(sparse_indices, tf.int64), sparse_values,
                        tf.cast(output_shape, tf.int64)),
        default_value, validate_indices)


@raw
def SparseTensorDenseMatMul(a_indices: Any, a_values: Any, a_shape: Any, b: Any, adjoint_a: bool,
                            adjoint_b: bool) -> Any:
    return tf.sparse.sparse_dense_matmul(
        tf.SparseTensor(tf.cast(a_indices, tf.int64), a_values, a_shape), b, adjoint_a, adjoint_b)


@raw
def SparseReorder(input_indices: Any, input_values: Any, input_shape: Any) -> Any:
    return _parts(tf.sparse.reorder(tf.SparseTensor(input_indices, input_values, input_shape)))[:2]


@raw
def SparseReshape(input_indices: Any, input_shape: Any, new_shape: Any) -> Any:
    ones = tf.ones(tf.shape(input_indices)[:1], tf.int32)
    found = tf.sparse.reshape(tf.SparseTensor(input_indices, ones, input_shape), new_shape)
    return found.indices, found.dense_shape


@raw
def SparseSlice(indices: Any, values: Any, shape: Any, start: Any, size: Any) -> Any:
    return _parts(tf.sparse.slice(tf.SparseTensor(indices, values, shape), start, size))


@raw
def SparseConcat(indices: Any, values: Any, shapes: Any, concat_dim: int) -> Any:
    given = [tf.SparseTensor(*one) for one in zip(indices, values, shapes, strict=True)]
    return _parts(tf.sparse.concat(concat_dim, given))


@raw
def SparseFillEmptyRows(indices: Any, values: Any, dense_shape: Any, default_value: Any) -> Any:
    filled, empty = tf.sparse.fill_empty_rows(tf.SparseTensor(indices, values, dense_shape),
                                              default_value)
    count = tf.shape(indices)[0]
    places = tf.SparseTensor(indices, tf.range(tf.cast(count, tf.int64)), dense_shape)
    back, _ = tf.sparse.fill_empty_rows(places, tf.constant(-1, tf.int64))
    kept = tf.reshape(tf.where(back.values >= 0), [-1])
    order = tf.argsort(tf.gather(back.values, kept))  # where each value of the input went
    return filled.indices, filled.values, empty, tf.gather(kept, order)


@raw
def SparseFillEmptyRowsGrad(reverse_index_map: Any, grad_values: Any) -> Any:
    values = tf.gather(grad_values, reverse_index_map)
    return values, tf.reduce_sum(grad_values) - tf.reduce_sum(values)


@raw
def SparseReduceSum(input_indices: Any, input_values: Any, input_shape: Any, reduction_axes: Any,
                    keep_dims: bool) -> Any:
    return tf.sparse.reduce_sum(tf.SparseTensor(input_indices, input_values, input_shape),
                                reduction_axes, keep_dims)


@raw
def SparseReduceSumSparse(input_indices: Any, input_values: Any, input_shape: Any,
                          reduction_axes: Any, keep_dims: bool) -> Any:
    return _parts(tf.sparse.reduce_sum(tf.SparseTensor(input_indices, input_values, input_shape),
                                       reduction_axes, keep_dims, True))


@raw
def SparseReduceMax(input_indices: Any, input_values: Any, input_shape: Any, reduction_axes: Any,
                    keep_dims: bool) -> Any:
    return tf.sparse.reduce_max(tf.SparseTensor(input_indices, input_values, input_shape),
                                reduction_axes, keep_dims)


@raw
def SparseReduceMaxSparse(input_indices: Any, input_values: Any, input_shape: Any,
                          reduction_axes: Any, keep_dims: bool) -> Any:
    return _parts(tf.sparse.reduce_max(tf.SparseTensor(input_indices, input_values, input_shape),
                                       reduction_axes, keep_dims, True))


@raw
def SparseAdd(a_indices: Any, a_values: Any, a_shape: Any, b_indices: Any, b_values: Any,
              b_shape: Any, thresh: Any) -> Any:
    return _parts(tf.sparse.add(tf.SparseTensor(a_indices, a_values, a_shape),
                                tf.SparseTensor(b_indices, b_values, b_shape), thresh))


@raw
def SparseTensorDenseAdd(a_indices: Any, a_values: Any, a_shape: Any, b: Any) -> Any:
    return tf.sparse.add(tf.SparseTensor(tf.cast(a_indices, tf.int64), a_values,
                                         tf.cast(a_shape, tf.int64)), b)


@raw
def SparseSparseMaximum(a_indices: Any, a_values: Any, a_shape: Any, b_indices: Any, b_values: Any,
                        b_shape: Any) -> Any:
    return _parts(tf.sparse.maximum(tf.SparseTensor(a_indices, a_values, a_shape),
                                    tf.SparseTensor(b_indices, b_values, b_shape)))[:2]


@raw
def SparseSparseMinimum(a_indices: Any, a_values: Any, a_shape: Any, b_indices: Any, b_values: Any,
                        b_shape: Any) -> Any:
    return _parts(tf.sparse.minimum(tf.SparseTensor(a_indices, a_values, a_shape),
                                    tf.SparseTensor(b_indices, b_values, b_shape)))[:2]


@raw
def SparseSplit(split_dim: Any, indices: Any, values: Any, shape: Any, num_split: int) -> Any:
    pieces = tf.sparse.split(tf.SparseTensor(indices, values, shape), num_split,
                             int(tf.get_static_value(split_dim)))
    return tuple(map(list, zip(*[_parts(one) for one in pieces], strict=True)))


@raw
def SparseSoftmax(sp_indices: Any, sp_values: Any, sp_shape: Any) -> Any:
    return tf.sparse.softmax(tf.SparseTensor(sp_indices, sp_values, sp_shape)).values


@raw
def SparseDenseCwiseMul(sp_indices: Any, sp_values: Any, sp_shape: Any, dense: Any) -> Any:
    wide = tf.broadcast_to(dense, sp_shape)
    return sp_values * tf.gather_nd(wide, sp_indices)


@raw
def SparseDenseCwiseAdd(sp_indices: Any, sp_values: Any, sp_shape: Any, dense: Any) -> Any:
    return sp_values + tf.gather_nd(tf.broadcast_to(dense, sp_shape), sp_indices)


@raw
def SparseDenseCwiseDiv(sp_indices: Any, sp_values: Any, sp_shape: Any, dense: Any) -> Any:
    return sp_values / tf.gather_nd(tf.broadcast_to(dense, sp_shape), sp_indices)


@raw
def SparseBincount(indices: Any, values: Any, dense_shape: Any, size: Any, weights: Any,
                   binary_output: bool) -> Any:
    given = tf.sparse.to_dense(tf.SparseTensor(indices, values, dense_shape), -1)
    kept = tf.one_hot(given, tf.cast(size, tf.int32), dtype=weights.dtype)
    counts = tf.reduce_sum(kept, -2)
    return tf.cast(counts > 0, weights.dtype) if binary_output else counts


# -- ragged ----------------------------------------------------------------------------------------
def _nested(splits: Any, values: Any) -> Any:
    return tf.RaggedTensor.from_nested_row_splits(values, splits, validate=False)


@raw
def RaggedGather(params_nested_splits: Any, params_dense_values: Any, indices: Any) -> Any:
    found = tf.gather(_nested(params_nested_splits, params_dense_values), indices)
    return list(found.nested_row_splits), found.flat_values


@raw
def RaggedRange(starts: Any, limits: Any, deltas: Any, Tsplits: Any) -> Any:
    found = tf.ragged.range(starts, limits, deltas, row_splits_dtype=Tsplits)
    return found.row_splits, found.values


@raw
def RaggedTensorToSparse(rt_nested_splits: Any, rt_dense_values: Any) -> Any:
    found = _nested(rt_nested_splits, rt_dense_values).to_sparse()
    return found.indices, found.values, found.dense_shape


@raw
def RaggedTensorToTensor(shape: Any, values: Any, default_value: Any, row_partition_tensors: Any,
                         row_partition_types: list) -> Any:
    """Rows of several lengths as one table, filled up."""
    splits, rows = [], None
    for kind, one in zip(row_partition_types, row_partition_tensors, strict=True):
        if kind == "FIRST_DIM_SIZE":
            rows = one
        elif kind == "ROW_SPLITS":
            splits.append(one)
        elif kind == "VALUE_ROWIDS":
            splits.append(tf.RaggedTensor.from_value_rowids(
                tf.range(tf.size(one)), one, rows, validate=False).row_splits)
            rows = None
        else:
            raise NotImplementedError(f"RaggedTensorToTensor with a partition {kind}")
    static = tf.get_static_value(shape)
    sizes = None if static is None else [None if n < 0 else int(n) for n in static.ravel()]
    sizes = sizes if static is not None and static.ndim else None
    return _nested(splits, values).to_tensor(default_value, shape=sizes)


@raw
def RaggedBincount(splits: Any, values: Any, size: Any, weights: Any, binary_output: bool) -> Any:
    rows = tf.RaggedTensor.from_row_splits(values, splits, validate=False)
    counts = tf.reduce_sum(tf.one_hot(rows.to_tensor(-1), tf.cast(size, tf.int32),
                                      dtype=weights.dtype), 1)
    return tf.cast(counts > 0, weights.dtype) if binary_output else counts


# -- rows as elements of lists, which TensorFlow calls variants ------------------------------------
@raw
def RaggedTensorToVariant(rt_nested_splits: list, rt_dense_values: Any,
                          batched_input: bool) -> Any:
    """The rows, or one element: a tensor, or rows of such."""
    if batched_input and not rt_nested_splits:
        raise ValueError("rows of a tensor that is not ragged")
    return Pieces.of_splits(rt_dense_values, rt_nested_splits)


@raw
def RaggedTensorFromVariant(encoded_ragged: Any, output_ragged_rank: int, Tsplits: Any) -> Any:
    rows = isinstance(encoded_ragged, Pieces)
    splits = encoded_ragged.nested_splits(Tsplits) if rows else []
    if len(splits) != output_ragged_rank:
        raise ValueError(f"rows of {len(splits)} levels, where the file says "
                         f"{output_ragged_rank}")
    return splits, encoded_ragged.flat_values if rows else encoded_ragged


# -- as bytes --------------------------------------------------------------------------------------
@raw
def SerializeSparse(sparse_indices: Any, sparse_values: Any, sparse_shape: Any,
                    out_type: Any) -> Any:
    return tf.io.serialize_sparse(tf.SparseTensor(sparse_indices, sparse_values, sparse_shape),
                                  out_type)


@raw
def SerializeManySparse(sparse_indices: Any, sparse_values: Any, sparse_shape: Any,
                        out_type: Any) -> Any:
    return tf.io.serialize_many_sparse(tf.SparseTensor(sparse_indices, sparse_values, sparse_shape),
                                       out_type)


@raw
def DeserializeManySparse(serialized_sparse: Any, dtype: Any) -> Any:
    return _parts(tf.io.deserialize_many_sparse(serialized_sparse, dtype))


@raw
def DeserializeSparse(serialized_sparse: Any, dtype: Any) -> Any:
    """Those of any number of axes: of none, a tensor without an axis for its index."""
    lead = tf.shape(serialized_sparse, tf.int64)[:-1]
    flat = tf.io.deserialize_many_sparse(tf.reshape(serialized_sparse, [-1, 3]), dtype)
    shape = tf.concat([lead, flat.dense_shape[1:]], 0)
    return _parts(tf.sparse.reshape(flat, shape))
