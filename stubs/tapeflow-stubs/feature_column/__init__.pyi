# Written by tools/stubs.py (make stubs).
"""tf.feature_column"""

from collections.abc import Iterable
from typing import Any

import tapeflow as tf
from tapeflow._typing import (
    BucketizedColumn,
    CrossedColumn,
    DTypeLike,
    EmbeddingColumn,
    FloatLike,
    HashedCategoricalColumn,
    IdentityCategoricalColumn,
    IndicatorColumn,
    IntLike,
    NumericColumn,
    SequenceCategoricalColumn,
    SequenceNumericColumn,
    ShapeLike,
    SharedEmbeddingColumn,
    VocabularyFileCategoricalColumn,
    VocabularyListCategoricalColumn,
    WeightedCategoricalColumn,
)

def bucketized_column(source_column: Any, boundaries: Any) -> BucketizedColumn:
    """A column of numbers in buckets, one more than there are boundaries."""

def categorical_column_with_hash_bucket(
    key: str, hash_bucket_size: IntLike, dtype: DTypeLike = tf.string,
) -> HashedCategoricalColumn:
    """A column whose ids are hashes."""

def categorical_column_with_identity(
    key: str, num_buckets: IntLike, default_value: IntLike | None = None,
) -> IdentityCategoricalColumn:
    """A column whose ids are its integers."""

def categorical_column_with_vocabulary_file(
    key: str, vocabulary_file: str, vocabulary_size: IntLike | None = None,
    dtype: DTypeLike = tf.string, default_value: IntLike | None = None,
    num_oov_buckets: IntLike = 0, file_format: str | None = None,
) -> VocabularyFileCategoricalColumn:
    """A column whose ids are the numbers of lines in a file."""

def categorical_column_with_vocabulary_list(
    key: str, vocabulary_list: Any, dtype: DTypeLike | None = None, default_value: IntLike = -1,
    num_oov_buckets: IntLike = 0,
) -> VocabularyListCategoricalColumn:
    """A column whose ids are places in a list."""

def crossed_column(
    keys: Any, hash_bucket_size: IntLike, hash_key: IntLike | None = None,
) -> CrossedColumn:
    """A column whose ids are hashes of combinations of other columns' ids."""

def embedding_column(
    categorical_column: Any, dimension: IntLike, combiner: str = 'mean',
    initializer: Any = None, ckpt_to_load_from: str | None = None,
    tensor_name_in_ckpt: str | None = None, max_norm: FloatLike | None = None,
    trainable: bool = True, use_safe_embedding_lookup: bool = True,
) -> EmbeddingColumn:
    """A dense column that learns a vector for each id."""

def indicator_column(categorical_column: Any) -> IndicatorColumn:
    """A dense column that says how often each id occurs."""

def make_parse_example_spec(feature_columns: Iterable) -> dict[str, Any]:
    """What `tf.io.parse_example` needs to read the features of all columns."""

def numeric_column(
    key: str, shape: ShapeLike = ..., default_value: Any = None, dtype: DTypeLike = tf.float32,
    normalizer_fn: Any = None,
) -> NumericColumn:
    """A column of numbers."""

def sequence_categorical_column_with_hash_bucket(
    key: str, hash_bucket_size: IntLike, dtype: DTypeLike = tf.string,
) -> SequenceCategoricalColumn:
    """A column of sequences whose ids are hashes."""

def sequence_categorical_column_with_identity(
    key: str, num_buckets: IntLike, default_value: IntLike | None = None,
) -> SequenceCategoricalColumn:
    """A column of sequences whose ids are their integers."""

def sequence_categorical_column_with_vocabulary_file(
    key: str, vocabulary_file: str, vocabulary_size: IntLike | None = None,
    num_oov_buckets: IntLike = 0, default_value: IntLike | None = None,
    dtype: DTypeLike = tf.string,
) -> SequenceCategoricalColumn:
    """A column of sequences whose ids are the numbers of lines in a file."""

def sequence_categorical_column_with_vocabulary_list(
    key: str, vocabulary_list: Any, dtype: DTypeLike | None = None, default_value: IntLike = -1,
    num_oov_buckets: IntLike = 0,
) -> SequenceCategoricalColumn:
    """A column of sequences whose ids are places in a list."""

def sequence_numeric_column(
    key: str, shape: ShapeLike = ..., default_value: Any = 0.0, dtype: DTypeLike = tf.float32,
    normalizer_fn: Any = None,
) -> SequenceNumericColumn:
    """A column of sequences of numbers, padded with `default_value`."""

def shared_embeddings(
    categorical_columns: Any, dimension: IntLike, combiner: str = 'mean',
    initializer: Any = None, shared_embedding_collection_name: str | None = None,
    ckpt_to_load_from: str | None = None, tensor_name_in_ckpt: str | None = None,
    max_norm: FloatLike | None = None, trainable: bool = True,
    use_safe_embedding_lookup: bool = True,
) -> list[SharedEmbeddingColumn]:
    """Dense columns that learn one vector for each id together, in a `tf.Graph`."""

def weighted_categorical_column(
    categorical_column: Any, weight_feature_key: str, dtype: DTypeLike = tf.float32,
) -> WeightedCategoricalColumn:
    """A column of ids with weights that are another feature."""
