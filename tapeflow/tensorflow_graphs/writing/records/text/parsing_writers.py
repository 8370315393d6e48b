"""Examples, sequences of them and lines of text, parsed into tensors."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np

from tapeflow.base import dtypes
from tapeflow.io.parsing.examples import Dense, Indexed, Padded, Plan, Ragged, Sparse
from tapeflow.io.parsing.sequence_examples import DenseList, RaggedList, SparseList
from tapeflow.tensorflow_graphs.writing.records.text.ragged_features import (
    ragged_features,
    ragged_results,
)
from tapeflow.tensorflow_graphs.writing.written_records import written


def _keys(w: Any, parts: list) -> Any:
    return w.const(np.array([part.key.encode() for part in parts], object).reshape(-1),
                   dtypes.string)


def _kinds(plan: Plan | None, *classes: Any) -> list[list]:
    """The features of a plan by their kinds; one of another kind is refused."""
    found: list[list] = [[] for _ in classes]
    parts: list[Any] = [] if plan is None else list(plan.parts.values())
    for part in parts:
        kind = next((i for i, one in enumerate(classes) if isinstance(part, one)), None)
        if kind is None:
            raise NotImplementedError(f"the feature {part.key!r}, which is made of several")
        found[kind].append(part)
    return found


def _default(w: Any, part: Any) -> Any:
    if isinstance(part, Padded):
        return w.const(np.asarray(part.fill), part.dtype)
    if part.default is None:
        return w.const(np.array([], part.dtype.np), part.dtype)
    return w.const(np.asarray(part.default).reshape(part.shape), part.dtype)


def _options(sparse: list, dense: list, ragged: list, prefix: str = "") -> dict[str, Any]:
    """The attributes of an op that parses these."""
    return {f"{prefix}sparse_types": [part.dtype for part in sparse],
            f"{prefix}dense_shapes": [_sizes(part) for part in dense],
            f"{prefix}ragged_value_types": [part.dtype for part in ragged],
            f"{prefix}ragged_split_types": [dtypes.of(np.dtype(part.splits)) for part in ragged]}


def _sizes(part: Any) -> tuple:
    return (None, *part.shape) if isinstance(part, Padded) else part.shape


@written("parse_example")
def parse_example(w: Any, node: Any, serialized: Any) -> Any:
    plan = node.attrs["plan"]
    sparse, dense, ragged, indexed = _kinds(plan, Sparse, (Dense, Padded), Ragged, Indexed)
    single, columns, rows = serialized.shape == (), _columns(sparse, indexed), ragged_features(
        ragged)
    found = w.ParseExampleV2(
        serialized, w.const(np.array([], object), dtypes.string), _keys(w, columns),
        _keys(w, dense), _keys(w, rows), [_default(w, part) for part in dense],
        num_sparse=len(columns), **_options(columns, dense, rows))
    read = dict(zip([one.key for one in columns], zip(*found[:3], strict=True), strict=True))
    return tuple(_in_order(plan, {
        Sparse: iter([read[part.key] for part in sparse]), Dense: zip(found[3], strict=True),
        Ragged: iter(ragged_results(w, ragged, rows, found[4], found[5], single)),
        Indexed: iter([_assembled(w, part, read, single) for part in indexed])}))


class _Column(NamedTuple):
    """A feature of any number of values."""

    key: str
    dtype: Any


def _columns(sparse: list, indexed: list) -> list[_Column]:
    """What is read for features of such, and for those that are made of indices and values."""
    wanted = [(part.key, part.dtype) for part in [*sparse, *indexed]]
    wanted += [(key, dtypes.int64) for part in indexed for key in part.keys]
    return [_Column(*one) for one in dict.fromkeys(wanted)]


def _assembled(w: Any, part: Indexed, read: dict[str, tuple], single: bool) -> tuple:
    """Indices, values and shape of one feature, whose indices are the values of others."""
    zero, one = w.const(0, dtypes.int32), w.const(1, dtypes.int32)
    where, values, shape = read[part.key]
    rows = [] if single else [w.StridedSlice(where, [0, 0], [0, 1], [1, 1], begin_mask=3,
                                             end_mask=1)]
    columns = [*rows, *[w.ExpandDims(read[key][1], one) for key in part.keys]]
    indices = w.ConcatV2(columns, one) if len(columns) > 1 else columns[0]
    sizes = w.const(np.array(part.sizes, np.int64))
    whole = sizes if single else w.ConcatV2([w.StridedSlice(shape, [0], [1], [1]), sizes], zero)
    if not part.sorted:
        indices, values = w.SparseReorder(indices, values, whole)
    return indices, values, whole


def _in_order(plan: Plan, results: dict[type, Iterator[tuple]]) -> Iterator[Any]:
    """The results of all features as the record gives them."""
    for part in plan.parts.values():
        kind = Dense if isinstance(part, Padded) else type(part)
        yield from next(results[kind])


@written("parse_sequence_example")
def parse_sequence_example(w: Any, node: Any, serialized: Any) -> Any:
    context, lists = node.attrs["context"], node.attrs["lists"]
    sparse, dense, ragged = _kinds(context, Sparse, Dense, Ragged)
    sparse_lists, dense_lists, ragged_lists = _kinds(lists, SparseList, DenseList, RaggedList)
    single, rows = serialized.shape == (), ragged_features(ragged)
    inner = _options(sparse_lists, dense_lists, ragged_lists, "feature_list_")
    found = w.ParseSequenceExampleV2(
        serialized, w.const(np.array([], object), dtypes.string), _keys(w, sparse),
        _keys(w, dense), _keys(w, rows), _keys(w, sparse_lists), _keys(w, dense_lists),
        _keys(w, ragged_lists),
        w.const(np.array([part.optional for part in dense_lists], bool), dtypes.bool),
        [_default(w, part) for part in dense], Ncontext_sparse=len(sparse),
        Nfeature_list_sparse=len(sparse_lists), Nfeature_list_dense=len(dense_lists),
        feature_list_dense_types=[part.dtype for part in dense_lists],
        **_options(sparse, dense, rows, "context_"), **inner)
    outer = [] if single else [found[12]]
    results: list = []
    if context is not None:
        results += _in_order(context, {
            Sparse: zip(*found[:3], strict=True), Dense: zip(found[3], strict=True),
            Ragged: iter(ragged_results(w, ragged, rows, found[4], found[5], single))})
    if lists is not None:
        results += _in_order(lists, {
            SparseList: zip(*found[6:9], strict=True), DenseList: zip(*found[9:11], strict=True),
            RaggedList: zip(found[11], *outer, found[13], strict=True)})
    return tuple(results)


@written("serialize_sparse")
def serialize_sparse(w: Any, node: Any, indices: Any, values: Any, shape: Any) -> Any:
    return w.SerializeSparse(indices, values, shape)


@written("serialize_many_sparse")
def serialize_many_sparse(w: Any, node: Any, indices: Any, values: Any, shape: Any) -> Any:
    return w.SerializeManySparse(indices, values, shape)


@written("deserialize_many_sparse")
def deserialize_many_sparse(w: Any, node: Any, serialized: Any) -> Any:
    return w.DeserializeManySparse(serialized, dtype=dtypes.of(np.dtype(node.attrs["dtype"])))


@written("decode_csv")
def decode_csv(w: Any, node: Any, records: Any) -> Any:
    attrs = node.attrs
    defaults = [w.const(np.array([] if value is None else [value], dtype.np), dtype)
                for dtype, value in attrs["defaults"]]
    return tuple(w.DecodeCSV(
        records, defaults, field_delim=chr(attrs["delim"]), use_quote_delim=attrs["quotes"],
        na_value=attrs["na"].decode(), select_cols=list(attrs["columns"] or ())))
