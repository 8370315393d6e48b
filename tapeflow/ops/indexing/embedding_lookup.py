"""Rows of embedding tables, which may be sharded: tf.nn.embedding_lookup."""

from __future__ import annotations

from typing import Any

from tapeflow.base import dtypes, errors
from tapeflow.base.exports import export
from tapeflow.core.record.families import operand
from tapeflow.core.record.op import shape_of
from tapeflow.core.record.primitive_ops import concat, reshape
from tapeflow.core.values.tensor import Tensor
from tapeflow.ops._support.arguments import integers
from tapeflow.ops.array import ranges, shape_ops
from tapeflow.ops.indexing import gathering
from tapeflow.ops.indexing.gathering import INDEX, gather
from tapeflow.ops.math import casting, clipping, comparison


@export("nn.embedding_lookup")
def embedding_lookup(params: Any, ids: Any, max_norm: Any = None,
                     name: str | None = None) -> Tensor:
    """Rows of an embedding matrix (or of a list of them, split by rows) at integer `ids`."""
    if params is None:
        raise ValueError("params must be specified")
    if isinstance(params, (list, tuple)) and not len(params):
        raise ValueError("Length of params is currently 0. Need at least one param.")
    if getattr(params, "is_sharded_variable", False):
        params = params.variables
    shards = params if isinstance(params, list) else [params]  # a tuple is one tensor
    wanted = operand(ids)
    rows = gather(shards[0], wanted) if len(shards) == 1 else _from_shards(shards, wanted)
    if max_norm is None:
        return rows
    axes = list(range(len(shape_of(wanted)), len(shape_of(rows))))
    return clipping.clip_by_norm(rows, max_norm, axes=axes)


def _from_shards(shards: list, ids: Tensor) -> Tensor:
    """Shard s holds consecutive rows; the first ones have one row more if they do not divide."""
    from tapeflow.ops.array.partition_unique import dynamic_partition, dynamic_stitch
    integers(ids, "GatherV2", "Tindices", INDEX, ragged=True)
    if any(not shape_of(operand(shard)) for shard in shards):
        raise errors.invalid("GatherV2", "params must be at least 1 dimensional")
    flat = reshape(ids, shape=(-1,))
    rows, which = rows_of_shards(flat, sum([shape_of(operand(one))[0] for one in shards]),
                                 len(shards))
    order = dynamic_partition(ranges.range_(shape_ops.size(flat)), which, len(shards))
    found = dynamic_stitch(order, [gather(shard, part)
                                   for shard, part in zip(shards, rows, strict=True)])
    sizes = shape_of(ids)
    if any(size is None for size in sizes):
        rest = shape_ops.shape(found)[1:]
        return reshape(found, shape=concat(shape_ops.shape(ids), rest, axis=0))
    return reshape(found, shape=(*sizes, *shape_of(found)[1:]))


def rows_of_shards(rows: Tensor, total: int, count: int) -> tuple[list, Tensor]:
    """Rows of a table in `count` shards: by shard, counted from where it begins, and the shard of
    each row."""
    from tapeflow.ops.array.partition_unique import dynamic_partition
    each, extra = divmod(total, count)
    which = comparison.maximum(rows // (each + 1), (rows - extra) // max(each, 1))
    inner = gathering.where(which < extra, rows % (each + 1), (rows - extra) % max(each, 1))
    shards = casting.cast(which, dtypes.int32)
    return dynamic_partition(inner, shards, count), shards
