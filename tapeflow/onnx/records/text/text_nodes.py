"""Strings and lookup tables, as far as ONNX has operators for them."""

from __future__ import annotations

from typing import Any

import numpy as np

from tapeflow.onnx.onnx_graph import ExportError
from tapeflow.onnx.onnx_records import written
from tapeflow.onnx.onnx_writer import INT64, STRING, GraphWriter, Term
from tapeflow.onnx.records.shape_nodes import counting
from tapeflow.onnx.records.text.character_nodes import needs

_MANY = {"O": "strings", "i": "int64s", "u": "int64s", "f": "floats"}
_ONE = {"O": "string", "i": "int64", "u": "int64", "f": "float"}


@written("table_find")
def _table_find(w: GraphWriter, node: Any, keys: Term, default: Term) -> Term:
    """A "LabelEncoder" of the entries"""
    store = node.attrs["store"]
    if store.shape or default.const is None:
        raise ExportError("a table of arrays, or whose default a run brings")
    if not store.entries:
        return w.op("Expand", default, w.shape_of(keys))
    return found_in_table(w, store, keys, default.const.item())


def found_in_table(w: GraphWriter, store: Any, keys: Term, default: Any) -> Term:
    """What a table holds for keys."""
    kind = store.dtype.kind
    if kind not in _MANY or (kind == "f" and store.dtype.itemsize > 4):
        raise ExportError(f"a table of {store.dtype.name}")
    wide = keys if keys.dtype == STRING else w.cast(keys, INT64)
    attrs = {f"keys_{_MANY[wide.dtype.kind]}": list(store.entries),
             f"values_{_MANY[kind]}": [np.asarray(one).item() for one in store.entries.values()],
             f"default_{_ONE[kind]}": default}
    dtype = {"O": STRING, "f": np.dtype(np.float32)}.get(kind, INT64)
    return w.cast(w.op("ai.onnx.ml.LabelEncoder", wide, dtype=dtype, shape=keys.shape, **attrs),
                  store.dtype)


@written("table_size")
def _table_size(w: GraphWriter, node: Any) -> Term:
    """A constant"""
    return w.scalar(len(node.attrs["store"].entries), INT64)


def _cased(w: GraphWriter, node: Any, x: Term, action: str) -> Term:
    """ASCII letters alone, as the locale C does; an empty vector would become one string."""
    if node.attrs["text"]:
        raise ExportError("letters of Unicode")
    flat = w.reshape(x, (-1,))
    made = w.op("StringNormalizer", flat, case_change_action=action, is_case_sensitive=1,
                locale="C")
    count = w.reshape(w.op("Size", x, dtype=INT64, shape=()), (1,))
    return w.reshape(w.slice(made, [0], count, [0]), w.shape_of(x))


@written("string_lower")
def _lower(w: GraphWriter, node: Any, x: Term) -> Term:
    """By "StringNormalizer" """
    return _cased(w, node, x, "LOWER")


@written("string_upper")
def _upper(w: GraphWriter, node: Any, x: Term) -> Term:
    """By "StringNormalizer" """
    return _cased(w, node, x, "UPPER")


@written("string_join")
def _join(w: GraphWriter, node: Any, *xs: Term) -> Term:
    needs(w, 20)
    separator, made = node.attrs["separator"], xs[0]
    for x in xs[1:]:
        if separator:
            made = w.op("StringConcat", made, w.scalar(separator, STRING))
        made = w.op("StringConcat", made, x)
    return made


def split_at(w: GraphWriter, x: Term, separator: bytes) -> list[Term]:
    """A vector of strings split: a row of parts for each, and how many there are."""
    needs(w, 20)
    return w.ops("StringSplit", 2, x, dtypes=[STRING, INT64], shapes=[(None, None), (None,)],
                 delimiter=separator.decode("utf-8", "surrogateescape"))


@written("string_split")
def _split(w: GraphWriter, node: Any, x: Term) -> list[Term]:
    """By "StringSplit"; "Compress" drops what fills short rows"""
    if node.attrs["most"] != -1:
        raise ExportError("strings split so often and no more")
    parts, counts = split_at(w, x, node.attrs["separator"])
    if node.attrs["separator"]:  # an empty string is one part, of which the runtime makes none
        rows = w.concat([w.op("Shape", counts, dtype=INT64, shape=(1,)), w.ints(1)])
        parts = w.concat([parts, w.op("Expand", w.scalar(b"", STRING), rows)], 1)
        counts = w.op("Max", counts, w.scalar(1, INT64))
    width = w.op("Shape", parts, dtype=INT64, shape=(1,), start=1, end=2)
    there = counting(w, w.squeeze(width, 0)) < w.unsqueeze(counts, 1)
    values = w.op("Compress", w.reshape(parts, (-1,)), w.reshape(there, (-1,)), axis=0)
    ends = w.op("CumSum", counts, w.constant(np.int64(0)))
    return [values, w.concat([w.ints(0), ends])]
