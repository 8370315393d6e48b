"""Examples, sequences of them and lines of text, parsed into tensors."""

from __future__ import annotations

from typing import Any

from tapeflow.tensorflow_graphs.public import tf
from tapeflow.tensorflow_graphs.registry import raw


def _names(keys: Any) -> list[str]:
    """Names of features: one tensor of them, or one for each."""
    if isinstance(keys, list):
        return [tf.get_static_value(one).decode() for one in keys]
    return [one.decode() for one in tf.get_static_value(keys).ravel().tolist()]


def _dense(shape: Any, default: Any) -> Any:
    given = default if default.shape.num_elements() != 0 else None
    if shape.rank and shape[0] is None:
        return tf.io.FixedLenSequenceFeature(shape[1:], default.dtype, True, default)
    return tf.io.FixedLenFeature(shape, default.dtype, given)


def _columns(sparse: list) -> tuple[list, list, list]:
    return ([one.indices for one in sparse], [one.values for one in sparse],
            [one.dense_shape for one in sparse])


def _rows(ragged: list) -> tuple[list, list]:
    return ([getattr(one, "values", one) for one in ragged],
            [one.row_splits for one in ragged if hasattr(one, "row_splits")])


def _parsed(serialized: Any, sparse: dict, dense: dict, ragged: dict) -> tuple:
    """Sparse, dense and ragged features of serialized Examples."""
    parse = tf.io.parse_single_example if serialized.shape.rank == 0 else tf.io.parse_example
    found = parse(serialized, {**sparse, **dense, **ragged})
    return (*_columns([found[key] for key in sparse]), [found[key] for key in dense],
            *_rows([found[key] for key in ragged]))


def _sparse_features(keys: Any, types: list) -> dict[str, Any]:
    return {key: tf.io.VarLenFeature(dtype)
            for key, dtype in zip(_names(keys), types, strict=True)}


def _dense_features(keys: Any, shapes: list, defaults: list) -> dict[str, Any]:
    return {key: _dense(shape, default)
            for key, shape, default in zip(_names(keys), shapes, defaults, strict=True)}


def _ragged_features(keys: Any, types: list, split_types: list) -> dict[str, Any]:
    return {key: tf.io.RaggedFeature(dtype, row_splits_dtype=splits)
            for key, dtype, splits in zip(_names(keys), types, split_types, strict=True)}


@raw
def ParseExampleV2(serialized: Any, names: Any, sparse_keys: Any, dense_keys: Any,
                   ragged_keys: Any, dense_defaults: Any, num_sparse: int, sparse_types: list,
                   ragged_value_types: list, ragged_split_types: list, dense_shapes: list) -> Any:
    return _parsed(serialized, _sparse_features(sparse_keys, sparse_types),
                   _dense_features(dense_keys, dense_shapes, dense_defaults),
                   _ragged_features(ragged_keys, ragged_value_types, ragged_split_types))


@raw
def ParseExample(serialized: Any, names: Any, sparse_keys: list, dense_keys: list,
                 dense_defaults: list, sparse_types: list, dense_shapes: list) -> Any:
    return _parsed(serialized, _sparse_features(sparse_keys, sparse_types),
                   _dense_features(dense_keys, dense_shapes, dense_defaults), {})[:4]


@raw
def ParseSingleExample(serialized: Any, dense_defaults: list, sparse_keys: list, dense_keys: list,
                       sparse_types: list, dense_shapes: list) -> Any:
    sparse = {key: tf.io.VarLenFeature(dtype)
              for key, dtype in zip(sparse_keys, sparse_types, strict=True)}
    dense = {key: _dense(shape, default)
             for key, shape, default in zip(dense_keys, dense_shapes, dense_defaults, strict=True)}
    return _parsed(serialized, sparse, dense, {})[:4]


@raw
def ParseSequenceExampleV2(
        serialized: Any, debug_name: Any, context_sparse_keys: Any, context_dense_keys: Any,
        context_ragged_keys: Any, feature_list_sparse_keys: Any, feature_list_dense_keys: Any,
        feature_list_ragged_keys: Any, feature_list_dense_missing_assumed_empty: Any,
        context_dense_defaults: list, context_sparse_types: list,
        context_ragged_value_types: list, context_ragged_split_types: list,
        context_dense_shapes: list, feature_list_dense_types: list,
        feature_list_sparse_types: list, feature_list_ragged_value_types: list,
        feature_list_ragged_split_types: list, feature_list_dense_shapes: list) -> Any:
    own = (_sparse_features(context_sparse_keys, context_sparse_types),
           _dense_features(context_dense_keys, context_dense_shapes, context_dense_defaults),
           _ragged_features(context_ragged_keys, context_ragged_value_types,
                            context_ragged_split_types))
    missing = tf.get_static_value(feature_list_dense_missing_assumed_empty).ravel().tolist()
    lists = (_sparse_features(feature_list_sparse_keys, feature_list_sparse_types),
             {key: tf.io.FixedLenSequenceFeature(shape, dtype, bool(empty))
              for key, shape, dtype, empty in zip(
                  _names(feature_list_dense_keys), feature_list_dense_shapes,
                  feature_list_dense_types, missing or [False] * len(feature_list_dense_types),
                  strict=True)},
             _ragged_features(feature_list_ragged_keys, feature_list_ragged_value_types,
                              feature_list_ragged_split_types))
    features = [{**one[0], **one[1], **one[2]} for one in (own, lists)]
    if serialized.shape.rank == 0:
        context, sequence = tf.io.parse_single_sequence_example(serialized, *features)
        lengths = {key: tf.shape(sequence[key], tf.int64)[0] for key in lists[1]}
    else:
        context, sequence, lengths = tf.io.parse_sequence_example(serialized, *features)
    rows, splits = _rows([context[key] for key in own[2]])
    ragged = [sequence[key] for key in lists[2]]
    return (*_columns([context[key] for key in own[0]]), [context[key] for key in own[1]],
            rows, splits, *_columns([sequence[key] for key in lists[0]]),
            [sequence[key] for key in lists[1]], [lengths[key] for key in lists[1]],
            *_lists_of_rows(ragged))


def _lists_of_rows(ragged: list) -> tuple[list, list, list]:
    """Values, outer and inner splits; of one example there are no outer ones."""
    return ([one.flat_values for one in ragged],
            [one.row_splits if one.ragged_rank > 1 else tf.zeros([0], one.row_splits.dtype)
             for one in ragged],
            [one.nested_row_splits[-1] for one in ragged])


@raw
def DecodeCSV(records: Any, record_defaults: list, field_delim: str, use_quote_delim: bool,
              na_value: str, select_cols: list) -> Any:
    return [tf.io.decode_csv(records, record_defaults, field_delim, use_quote_delim, na_value,
                             select_cols or None)]
