"""tf.nn.embedding_lookup_sparse and safe_embedding_lookup_sparse: rows combined by sparse ids."""

from __future__ import annotations

from typing import Any

import numpy as np

from tapeflow.base import dtypes
from tapeflow.base.attributes import attributes, truth
from tapeflow.base.exports import export
from tapeflow.core.record.families import operand
from tapeflow.core.record.op import shape_of
from tapeflow.core.record.primitive_ops import cast, expand, reshape
from tapeflow.core.values.tensor import Tensor
from tapeflow.ops.array import creation, joining, shape_ops, shaping
from tapeflow.ops.array.partition_unique import unique
from tapeflow.ops.indexing.embedding_lookup import embedding_lookup
from tapeflow.ops.indexing.gathering import take, where
from tapeflow.ops.math import arithmetic
from tapeflow.ops.math.exponential import sqrt
from tapeflow.ops.math.logical import logical_and
from tapeflow.ops.reduce import segment
from tapeflow.ops.reduce.reduction import reduce_prod
from tapeflow.ops.sparse.functions import fill_empty_rows, retain, sparse_reshape
from tapeflow.ops.sparse.reducing import segment_mean, segment_sqrt_n, segment_sum
from tapeflow.ops.sparse.sparse_tensor import SparseTensor, as_sparse

_COMBINERS = ("mean", "sqrtn", "sum")


def _parts(sp: Any, name: str) -> tuple:
    """Values and row indices of sparse or ragged ids."""
    if isinstance(sp, SparseTensor):
        return sp.values, sp.indices[:, 0]
    if hasattr(sp, "value_rowids"):
        return sp.values, sp.value_rowids()
    raise TypeError(f"{name} must be SparseTensor or RaggedTensor, got {type(sp).__name__}.")


@export("nn.embedding_lookup_sparse")
@attributes(allow_fast_lookup=truth)
def embedding_lookup_sparse(params: Any, sp_ids: Any, sp_weights: Any, combiner: str | None = None,
                            max_norm: Any = None, name: str | None = None,
                            allow_fast_lookup: bool = False) -> Tensor:
    """For each row of `sp_ids` the (weighted) sum, mean or scaled sum of its embeddings."""
    kind = "mean" if combiner is None else combiner
    if kind not in _COMBINERS:
        raise ValueError(f"combiner must be one of 'mean', 'sqrtn' or 'sum', got {combiner}")
    ids, segments = _parts(sp_ids, "sp_ids")
    if sp_weights is not None:
        weights, _ = _parts(sp_weights, "sp_weights")
        if not weights.dtype.is_floating:
            raise ValueError(f"Input `sp_weights` must have floating dtype, got "
                             f"{weights.dtype.name}")
        own, theirs = shape_of(ids), shape_of(weights)
        if None not in (own[0], theirs[0]) and own != theirs:
            raise ValueError(f"Shapes {own} and {theirs} are incompatible: sp_ids and sp_weights "
                             "must have as many values")
    segments = cast(segments, dtype=np.dtype("int32")) if segments.dtype != dtypes.int32 \
        else segments
    distinct, index = unique(ids)
    rows = embedding_lookup(params, distinct, max_norm=max_norm)
    if sp_weights is None:
        reduce = {"sum": segment_sum, "mean": segment_mean, "sqrtn": segment_sqrt_n}[kind]
        return reduce(rows, index, segments)
    return _weighted(take(rows, index, axis=0, batch_dims=0), weights, segments, kind)


def _weighted(rows: Tensor, weights: Tensor, segments: Tensor, kind: str) -> Tensor:
    held = weights if weights.dtype == rows.dtype else cast(weights, dtype=rows.dtype.np)
    column = held
    for _ in range(len(shape_of(rows)) - 1):
        column = expand(column, axis=len(shape_of(column)))
    add = segment.SORTED["sum"]
    total = add(rows * column, segments)
    if kind == "sum":
        return total
    if kind == "mean":
        return arithmetic.divide_no_nan(total, add(column, segments))
    return arithmetic.divide_no_nan(total, sqrt(add(column * column, segments)))


@export("nn.safe_embedding_lookup_sparse")
@attributes(allow_fast_lookup=truth)
def safe_embedding_lookup_sparse(embedding_weights: Any, sparse_ids: Any,
                                 sparse_weights: Any = None, combiner: str = "mean",
                                 default_id: int | None = None, max_norm: Any = None,
                                 name: str | None = None,
                                 allow_fast_lookup: bool = False) -> Tensor:
    """As embedding_lookup_sparse, without ids below 0 and weights that are not positive.

    Rows that are empty then get the embedding of `default_id`, or zeros.
    """
    if embedding_weights is None:
        raise ValueError(f"Missing embedding_weights {embedding_weights}.")
    if isinstance(embedding_weights, (list, tuple)) and not embedding_weights:
        raise ValueError(f"Missing embedding_weights {embedding_weights}.")
    ids = sparse_ids.to_sparse() if hasattr(sparse_ids, "to_sparse") else as_sparse(
        sparse_ids, "sparse_ids")
    weights = None if sparse_weights is None else (
        sparse_weights.to_sparse() if hasattr(sparse_weights, "to_sparse") else as_sparse(
            sparse_weights, "sparse_weights"))
    rank, shape = ids.shape.rank, ids._sizes
    if rank is None:
        raise ValueError("tf.nn.safe_embedding_lookup_sparse: sparse_ids of unknown rank.")
    if rank != 2:
        flat = [reduce_prod(shape[:-1], axis=None), shape[-1]] if isinstance(shape, Tensor) else (
            int(np.prod(shape[:-1], dtype=np.int64)), shape[-1])
        ids = sparse_reshape(ids, flat)
        weights = None if weights is None else sparse_reshape(weights, flat)
    kept = ids.values >= 0
    if weights is not None:
        if combiner != "sum":
            kept = logical_and(kept, weights.values > 0)
        weights = retain(weights, kept)
    ids = retain(ids, kept)
    ids, empty = fill_empty_rows(ids, np.zeros((), ids.dtype.np)[()] if default_id is None
                                 else operand(default_id, ids.dtype))
    if weights is not None:
        weights, _ = fill_empty_rows(weights, np.ones((), weights.dtype.np)[()])
    found = embedding_lookup_sparse(embedding_weights, ids, weights, combiner, max_norm)
    if default_id is None:
        lost = empty
        for _ in range(len(shape_of(found)) - 1):
            lost = expand(lost, axis=len(shape_of(lost)))
        found = where(lost, creation.zeros_like(found), found)
    if rank == 2:
        return found
    if not isinstance(shape, Tensor):
        return reshape(found, shape=(*shape[:-1], *shape_of(found)[1:]))
    sizes = joining.concat([shape[:-1], shape_ops.shape(found, dtypes.int64)[1:]], 0)
    result = shaping.reshape(found, sizes)
    result.set_shape([*sparse_ids.shape[:-1], *shape_of(found)[1:]])
    return result


