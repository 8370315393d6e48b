"""Rows of embedding tables, which may be sharded: tf.nn.embedding_lookup."""

from __future__ import annotations

from typing import Any

import numpy as np

from tapeflow.base import errors
from tapeflow.base.exports import export
from tapeflow.core.record.families import operand
from tapeflow.core.record.op import shape_of
from tapeflow.core.record.primitive_ops import (
    reshape,
)
from tapeflow.core.values.tensor import Tensor
from tapeflow.ops._support.arguments import (
    integers,
)
from tapeflow.ops.indexing.gathering import INDEX, gather
from tapeflow.ops.math import clipping


@export("nn.embedding_lookup")
def embedding_lookup(params: Any, ids: Any, max_norm: Any = None,
                     name: str | None = None) -> Tensor:
    """Rows of an embedding matrix (or of a list of them, split by rows) at integer `ids`."""
    if params is None:
        raise ValueError("params must be specified")
    if isinstance(params, (list, tuple)) and not len(params):
        raise ValueError("Length of params is currently 0. Need at least one param.")
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
    flat = integers(ids, "GatherV2", "Tindices", INDEX, ragged=True)._value.ravel()
    if any(not shape_of(operand(shard)) for shard in shards):
        raise errors.invalid("GatherV2", "params must be at least 1 dimensional")
    total = sum([shape_of(operand(shard))[0] for shard in shards])
    each, extra = divmod(total, len(shards))
    which = np.maximum(flat // (each + 1), (flat - extra) // max(each, 1)).astype(np.int32)
    inner = np.where(which < extra, flat % (each + 1), (flat - extra) % max(each, 1))
    rows = dynamic_partition(inner, which, len(shards))
    order = dynamic_partition(np.arange(len(flat), dtype=np.int32), which, len(shards))
    found = dynamic_stitch(order, [gather(shard, part)
                                   for shard, part in zip(shards, rows, strict=True)])
    return reshape(found, shape=(*shape_of(ids), *shape_of(found)[1:]))
