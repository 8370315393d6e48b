"""Lookup tables in TensorFlow's saved models: functions that make them, and fill them."""

from __future__ import annotations

from typing import Any

import numpy as np

from tapeflow.base import dtypes
from tapeflow.base.specs import TensorSpec
from tapeflow.graph import ir
from tapeflow.io.protobuf.graph_protos import FunctionDef
from tapeflow.ops.strings.lookup import MutableTable, Store
from tapeflow.saved_model.structured_values import fill_structure
from tapeflow.tensorflow_graphs.writing.graph_writer import FunctionLibrary, GraphWriter, finish
from tapeflow.tensorflow_graphs.writing.node_writer import NodeWriter, Ref


class SavedTable:
    """A table of given key and value types with its entries; `fixed`: no function changes it."""

    def __init__(self, store: Store, key_dtype: Any, fixed: bool):
        self._store, self._key, self._fixed = store, key_dtype, fixed
        self._value = dtypes.of(np.dtype(store.dtype))

    def make(self, w: NodeWriter, name: str = "") -> Ref:
        """The node of the table; `name` is shared by the nodes of one table."""
        attributes: dict[str, Any] = {"key_dtype": self._key, "value_dtype": self._value,
                                      "shared_name": name}
        if self._store.shape:
            return w.emit("MutableHashTableOfTensorsV2", [],
                          attributes | {"value_shape": self._store.shape})
        return w.emit("HashTableV2" if self._fixed else "MutableHashTableV2", [], attributes)

    def fill(self, w: NodeWriter, handle: Ref) -> None:
        """The node that puts the entries into the table."""
        keys = list(self._store.entries)
        rows = np.empty((len(keys), *self._store.shape), self._store.dtype)
        for i, value in enumerate(self._store.entries.values()):
            rows[i] = value
        if self._key is dtypes.string:
            labels = np.empty(len(keys), object)
            labels[:] = keys
        else:
            labels = np.array(keys, self._key.np)
        w.emit("LookupTableImportV2", [handle, w.const(labels), w.const(rows)])

    def functions(self, library: FunctionLibrary) -> dict[str, str]:
        """The functions that make and fill it, by what the loader calls them."""
        creator, function = GraphWriter(library), FunctionDef()
        shared = f"table_{len(library.functions)}"
        handle = self.make(creator, shared)
        creator.stateful = True
        finish(function, creator, [handle], "_creator")
        filler, filling = GraphWriter(library), FunctionDef()
        self.fill(filler, filler.new_handle(filling, self._store))
        finish(filling, filler, [filler.const(np.int32(1))], "_initializer")
        return {"_create_resource": function.signature.name,
                "_initialize": filling.signature.name}

    def describe(self, message: Any) -> None:
        """Say what one of the functions takes and gives."""
        fill_structure(message.canonicalized_input_signature, ((), {}))
        given = TensorSpec([], dtypes.int32) if message.bound_inputs else TensorSpec(
            [], dtypes.resource)
        fill_structure(message.output_signature, given)


def table_of(store: Store, table: Any, graph: ir.Graph | None) -> SavedTable:
    """A store as a table: the object that holds it, or the graph that uses it, tells its kind."""
    if table is not None:
        return SavedTable(store, table._key_dtype, not isinstance(table, MutableTable))
    used = [node for node in (graph.nodes if graph is not None else ())
            if node.attrs.get("store") is store]
    kinds = [dtypes.string for key in store.entries if isinstance(key, bytes)]
    kinds += [dtypes.of(node.inputs[0].dtype) for node in used if node.inputs]
    return SavedTable(store, kinds[0] if kinds else dtypes.int64,
                      not any(node.op.stateful for node in used))
