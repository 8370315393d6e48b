"""Strings and lookup tables, as far as ONNX has operators for them."""

from __future__ import annotations

import importlib
from typing import Any

import numpy as np

from tapeflow.onnx.onnx_graph import ExportError
from tapeflow.onnx.onnx_records import written
from tapeflow.onnx.onnx_writer import BOOL, INT64, STRING, GraphWriter, Term
from tapeflow.onnx.records.shape_nodes import counting

_MANY = {"O": "strings", "i": "int64s", "u": "int64s", "f": "floats"}
_ONE = {"O": "string", "i": "int64", "u": "int64", "f": "float"}


@written("table_find")
def _table_find(w: GraphWriter, node: Any, keys: Term, default: Term) -> Term:
    """A "LabelEncoder" of the entries"""
    store = node.attrs["store"]
    if store.shape or default.const is None or not store.entries:
        raise ExportError("a table of arrays, without entries, or whose default a run brings")
    kind = store.dtype.kind
    if kind not in _MANY or (kind == "f" and store.dtype.itemsize > 4):
        raise ExportError(f"a table of {store.dtype.name}")
    wide = keys if keys.dtype == STRING else w.cast(keys, INT64)
    attrs = {f"keys_{_MANY[wide.dtype.kind]}": list(store.entries),
             f"values_{_MANY[kind]}": [np.asarray(one).item() for one in store.entries.values()],
             f"default_{_ONE[kind]}": default.const.item()}
    dtype = {"O": STRING, "f": np.dtype(np.float32)}.get(kind, INT64)
    return w.cast(w.op("ai.onnx.ml.LabelEncoder", wide, dtype=dtype, shape=keys.shape, **attrs),
                  store.dtype)


def _needs(w: GraphWriter, opset: int) -> None:
    if w.opset < opset:
        raise ExportError(f"strings need opset {opset}")


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
    _needs(w, 20)
    separator, made = node.attrs["separator"], xs[0]
    for x in xs[1:]:
        if separator:
            made = w.op("StringConcat", made, w.scalar(separator, STRING))
        made = w.op("StringConcat", made, x)
    return made


def _parts(w: GraphWriter, x: Term, separator: bytes) -> list[Term]:
    """A vector of strings split: a row of parts for each, and how many there are."""
    _needs(w, 20)
    return w.ops("StringSplit", 2, x, dtypes=[STRING, INT64], shapes=[(None, None), (None,)],
                 delimiter=separator.decode("utf-8", "surrogateescape"))


@written("string_split")
def _split(w: GraphWriter, node: Any, x: Term) -> list[Term]:
    """By "StringSplit"; "Compress" drops what fills short rows"""
    if node.attrs["most"] != -1:
        raise ExportError("strings split so often and no more")
    parts, counts = _parts(w, x, node.attrs["separator"])
    if node.attrs["separator"]:  # an empty string is one part, of which the runtime makes none
        rows = w.concat([w.op("Shape", counts, dtype=INT64, shape=(1,)), w.ints(1)])
        parts = w.concat([parts, w.op("Expand", w.scalar(b"", STRING), rows)], 1)
        counts = w.op("Max", counts, w.scalar(1, INT64))
    width = w.op("Shape", parts, dtype=INT64, shape=(1,), start=1, end=2)
    there = counting(w, w.squeeze(width, 0)) < w.unsqueeze(counts, 1)
    values = w.op("Compress", w.reshape(parts, (-1,)), w.reshape(there, (-1,)), axis=0)
    ends = w.op("CumSum", counts, w.constant(np.int64(0)))
    return [values, w.concat([w.ints(0), ends])]


@written("regex_replace")
def _regex_replace(w: GraphWriter, node: Any, x: Term) -> Term:
    """Split at each text that the pattern stands for, and joined again by a "Loop" """
    rewrite = node.attrs["rewrite"]
    if not node.attrs["everywhere"] or b"\\" in rewrite:
        raise ExportError("only every match can be replaced, and by plain text")
    found = w.reshape(x, (-1,))
    texts = _texts(node.attrs["pattern"].decode("utf-8", "surrogateescape"))
    if len(texts) > 1 and any(one in texts for one in rewrite.decode("utf-8", "replace")):
        raise ExportError("what is put in would be replaced again")
    for text in texts:
        parts, counts = _parts(w, found, text.encode())
        found = _joined(w, parts, counts, rewrite)
    return w.reshape(found, w.shape_of(x))


def _texts(pattern: str) -> list[str]:
    """The texts that a pattern matches: one, or the characters of a class."""
    parser = importlib.import_module("re._parser")
    found = [(str(kind), given) for kind, given in parser.parse(pattern)]
    if found and all(kind == "LITERAL" for kind, _ in found):
        return ["".join(chr(given) for _, given in found)]
    members: Any = found[0][1] if len(found) == 1 and found[0][0] == "IN" else [("", 0)]
    texts: list[str] = []
    for kind, given in members:
        if str(kind) == "LITERAL":
            texts.append(chr(given))
        elif str(kind) == "RANGE" and given[1] - given[0] < 128:
            texts += [chr(one) for one in range(given[0], given[1] + 1)]
        else:
            raise ExportError("ONNX replaces no regular expressions; plain texts and classes of "
                              "few characters can be written")
    return texts


def _joined(w: GraphWriter, parts: Term, counts: Term, between: bytes) -> Term:
    """The parts of each row end to end, with a text between them."""
    width = w.op("Shape", parts, dtype=INT64, shape=(1,), start=1, end=2)
    empty = w.op("Expand", w.scalar(b"", STRING), w.op("Shape", counts, dtype=INT64))
    body = w.subgraph("join")
    at = body.input("iteration", INT64, ())
    body.input("go_on", BOOL, ())
    made = body.input("carry", STRING, (None,))
    if between:
        inside = (counts > at) & (at > 0)
        made = body.op("StringConcat", made, body.where(
            inside, body.scalar(between, STRING), body.scalar(b"", STRING)))
    made = body.op("StringConcat", made, body.op("Gather", parts, at, axis=1))
    body.output(body.constant(np.array(True)), shape=())
    body.output(made, shape=(None,))
    return w.op("Loop", w.squeeze(width, 0), None, empty, dtype=STRING, shape=(None,),
                body=body.graph)
