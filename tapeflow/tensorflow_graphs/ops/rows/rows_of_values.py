"""Rows of values, sparse, ragged or dense: sets, counts, crosses, distances."""

from __future__ import annotations

from typing import Any

from tapeflow.tensorflow_graphs.public import tf
from tapeflow.tensorflow_graphs.registry import raw


def _parts(found: Any) -> tuple:
    return found.indices, found.values, found.dense_shape


# -- sets ------------------------------------------------------------------------------------------
def _combined(a: Any, b: Any, set_operation: str, validate_indices: bool) -> tuple:
    if set_operation == "a-b" or set_operation == "b-a":
        return _parts(tf.sets.difference(a, b, set_operation == "a-b", validate_indices))
    combine = {"intersection": tf.sets.intersection, "union": tf.sets.union}.get(set_operation)
    if combine is None:
        raise ValueError(f"Invalid set_operation {set_operation!r}.")
    return _parts(combine(a, b, validate_indices))


@raw
def DenseToDenseSetOperation(set1: Any, set2: Any, set_operation: str,
                             validate_indices: bool) -> Any:
    return _combined(set1, set2, set_operation, validate_indices)


@raw
def DenseToSparseSetOperation(set1: Any, set2_indices: Any, set2_values: Any, set2_shape: Any,
                              set_operation: str, validate_indices: bool) -> Any:
    return _combined(set1, tf.SparseTensor(set2_indices, set2_values, set2_shape), set_operation,
                     validate_indices)


@raw
def SparseToSparseSetOperation(
        set1_indices: Any, set1_values: Any, set1_shape: Any, set2_indices: Any, set2_values: Any,
        set2_shape: Any, set_operation: str, validate_indices: bool) -> Any:
    return _combined(tf.SparseTensor(set1_indices, set1_values, set1_shape),
                     tf.SparseTensor(set2_indices, set2_values, set2_shape), set_operation,
                     validate_indices)


@raw
def SetSize(set_indices: Any, set_values: Any, set_shape: Any, validate_indices: bool) -> Any:
    return tf.sets.size(tf.SparseTensor(set_indices, set_values, set_shape), validate_indices)


@raw
def EditDistance(hypothesis_indices: Any, hypothesis_values: Any, hypothesis_shape: Any,
                 truth_indices: Any, truth_values: Any, truth_shape: Any, normalize: bool) -> Any:
    return tf.edit_distance(
        tf.SparseTensor(hypothesis_indices, hypothesis_values, hypothesis_shape),
        tf.SparseTensor(truth_indices, truth_values, truth_shape), normalize)


# -- counts ----------------------------------------------------------------------------------------
def _given(weights: Any, like: Any) -> Any:
    """The weights, as the values are; nothing if there are none."""
    if weights.shape.num_elements() == 0:
        return None
    return like(weights)


def _counted(values: Any, weights: Any, dtype: Any, axis: int, limits: tuple) -> tuple:
    least, most, binary = limits
    indices, counts, shape = _parts(tf.sparse.bincount(
        values, weights, axis, None if least < 0 else least, None if most < 0 else most, binary))
    return indices, tf.cast(counts, dtype), shape


@raw
def DenseCountSparseOutput(values: Any, weights: Any, minlength: int, maxlength: int,
                           binary_output: bool, output_type: Any) -> Any:
    return _counted(values, _given(weights, lambda w: w), output_type,
                    0 if values.shape.rank == 1 else -1, (minlength, maxlength, binary_output))


@raw
def SparseCountSparseOutput(indices: Any, values: Any, dense_shape: Any, weights: Any,
                            minlength: int, maxlength: int, binary_output: bool,
                            output_type: Any) -> Any:
    rank = indices.shape[-1] if indices.shape.rank == 2 else None
    return _counted(tf.SparseTensor(indices, values, dense_shape),
                    _given(weights, lambda w: tf.SparseTensor(indices, w, dense_shape)),
                    output_type, 0 if rank == 1 else -1, (minlength, maxlength, binary_output))


@raw
def RaggedCountSparseOutput(splits: Any, values: Any, weights: Any, minlength: int,
                            maxlength: int, binary_output: bool, output_type: Any) -> Any:
    rows = tf.RaggedTensor.from_row_splits(values, splits, validate=False)
    return _counted(rows, _given(weights, rows.with_values), output_type, -1,
                    (minlength, maxlength, binary_output))


# -- crosses ---------------------------------------------------------------------------------------
def _listed(indices: Any, values: Any, shapes: Any, dense: Any) -> list:
    return [*[tf.SparseTensor(*one) for one in zip(indices, values, shapes, strict=True)], *dense]


@raw
def SparseCross(indices: Any, values: Any, shapes: Any, dense_inputs: Any, hashed_output: bool,
                num_buckets: int, hash_key: int) -> Any:
    given = _listed(indices, values, shapes, dense_inputs)
    if hashed_output:
        return _parts(tf.sparse.cross_hashed(given, num_buckets, hash_key))
    return _parts(tf.sparse.cross(given))


@raw
def SparseCrossV2(indices: Any, values: Any, shapes: Any, dense_inputs: Any, sep: Any) -> Any:
    return _parts(tf.sparse.cross(_listed(indices, values, shapes, dense_inputs),
                                  separator=tf.get_static_value(sep)))


@raw
def RaggedCross(ragged_values: Any, ragged_row_splits: Any, sparse_indices: Any,
                sparse_values: Any, sparse_shape: Any, dense_inputs: Any, input_order: str,
                hashed_output: bool, num_buckets: int, hash_key: int, out_values_type: Any,
                out_row_splits_type: Any) -> Any:
    """`input_order` says which of the inputs come from which list: R, S or D for each."""
    lists = {"R": iter([tf.RaggedTensor.from_row_splits(values, splits, validate=False)
                        for values, splits in zip(ragged_values, ragged_row_splits, strict=True)]),
             "S": iter(_listed(sparse_indices, sparse_values, sparse_shape, [])),
             "D": iter(dense_inputs)}
    given = [next(lists[kind]) for kind in input_order]
    found = (tf.ragged.cross_hashed(given, num_buckets, hash_key) if hashed_output
             else tf.ragged.cross(given))
    return found.values, tf.cast(found.row_splits, out_row_splits_type)
