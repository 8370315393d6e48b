"""Lookup tables: a handle stands for the entries that a node of ours holds."""

from __future__ import annotations

from typing import Any

import numpy as np

from tapeflow.base import dtypes
from tapeflow.graph import ir
from tapeflow.tensorflow_graphs.writing.graph_writer import GraphWriter
from tapeflow.tensorflow_graphs.writing.node_writer import Ref
from tapeflow.tensorflow_graphs.writing.written_records import written


@written("table_find")
def table_find(w: GraphWriter, node: ir.Node, keys: Ref, default: Ref) -> Ref:
    return w.LookupTableFindV2(w.table(node.attrs["store"]), keys, default)


def _read_in_order(w: GraphWriter, op: str, inputs: list) -> Ref:
    """A read of what may change: after the changes before it, and before those behind it."""
    before = [] if w.last_effect is None else [w.last_effect]
    found = w.emit(op, inputs, after=before)
    w.pending_reads.append(w.nodes[-1].name)
    return found


@written("mutable_table_find")
def mutable_table_find(w: GraphWriter, node: ir.Node, keys: Ref, default: Ref) -> Ref:
    return _read_in_order(w, "LookupTableFindV2", [w.table(node.attrs["store"]), keys, default])


@written("table_size")
def table_size(w: GraphWriter, node: ir.Node) -> Ref:
    return _read_in_order(w, "LookupTableSizeV2", [w.table(node.attrs["store"])])


@written("table_change")
def table_change(w: GraphWriter, node: ir.Node, *operands: Ref) -> Any:
    op = {"insert": "LookupTableInsertV2", "remove": "LookupTableRemoveV2"}[node.attrs["method"]]
    w.emit(op, [w.table(node.attrs["store"]), *operands])
    return ()


@written("vocabulary_find")
def vocabulary_find(w: GraphWriter, node: ir.Node, keys: Ref) -> Ref:
    """Ids of a vocabulary; unknown keys get one of the buckets behind them by their hash."""
    store = node.attrs["store"]
    texts = keys if keys.dtype is dtypes.string else w.AsString(keys)
    bucket = w.AddV2(w.StringToHashBucketFast(texts, num_buckets=node.attrs["buckets"]),
                     np.int64(node.attrs["count"]))
    found = w.LookupTableFindV2(w.table(store), keys, np.int64(-1))
    return w.SelectV2(w.Less(found, np.int64(0)), bucket, found)
