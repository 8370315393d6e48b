"""Tables for tf.lookup that datasets fill. Loaded when one of their names is asked for."""

from __future__ import annotations

from typing import Any

from tapeflow.base import dtypes
from tapeflow.base.exports import export
from tapeflow.base.late import LatePublic
from tapeflow.base.specs import TensorSpec
from tapeflow.core.values.convert import convert
from tapeflow.data.dataset import DatasetV2
from tapeflow.ops.array import creation
from tapeflow.ops.strings.lookup import KeyValueTensorInitializer

_assert_cardinality = LatePublic("data.experimental.assert_cardinality")
_vocabulary_table = LatePublic("lookup.StaticVocabularyTable")
_hash_table = LatePublic("lookup.StaticHashTable")


@export("data.experimental.DatasetInitializer")
class DatasetInitializer(KeyValueTensorInitializer):
    """Fills a table with the pairs (key, value) of a dataset."""

    def __init__(self, dataset: DatasetV2):
        spec = dataset.element_spec
        if not (isinstance(spec, tuple) and len(spec) == 2 and all(
                isinstance(one, TensorSpec) and one.shape.rank in (0, 1) for one in spec)):
            raise ValueError("Datasets used to initialize lookup tables must produce elements in "
                             "the form (key, value), where the keys and values are scalar tensors. "
                             f"However, the given dataset produces {spec}.")
        self._dataset = dataset
        pairs = list(dataset)
        columns: list[Any] = [convert([pair[i] for pair in pairs]) if pairs
                              else creation.zeros([0], spec[i].dtype) for i in range(2)]
        super().__init__(columns[0], columns[1])


@export("data.experimental.table_from_dataset")
def table_from_dataset(dataset: Any = None, num_oov_buckets: int = 0, vocab_size: Any = None,
                       default_value: Any = None, hasher_spec: Any = None,
                       key_dtype: Any = dtypes.string, name: str | None = None) -> Any:
    """A table of the pairs (key, value) of a dataset, which is read at once.

    Keys that are not there get `default_value`, or with `num_oov_buckets` an id by their hash;
    `hasher_spec` is of no effect.
    """
    if num_oov_buckets < 0:
        raise ValueError(f"`num_oov_buckets` must be greater than or equal to 0, got "
                         f"{num_oov_buckets}.")
    if default_value is None and not num_oov_buckets:
        raise ValueError("`default_value` must be specified when creating a table with no "
                         "out-of-vocabulary buckets.")
    if vocab_size is not None:
        if vocab_size < 1:
            raise ValueError(f"`vocab_size` must be greater than 0, got {vocab_size}.")
        dataset = dataset.take(vocab_size).apply(
            _assert_cardinality(vocab_size))
    kind = dtypes.as_dtype(key_dtype)
    if not (kind.is_integer or kind == dtypes.string):
        raise TypeError(f"`key_dtype` must be either an integer or string type, but got {kind}")
    filling = DatasetInitializer(dataset)
    if num_oov_buckets:
        return _vocabulary_table(filling, num_oov_buckets, kind)
    return _hash_table(filling, default_value)


@export("data.experimental.index_table_from_dataset")
def index_table_from_dataset(dataset: Any = None, num_oov_buckets: int = 0, vocab_size: Any = None,
                             default_value: Any = -1, hasher_spec: Any = None,
                             key_dtype: Any = dtypes.string, name: str | None = None) -> Any:
    """A table from the elements of a dataset to their indices."""
    pairs = dataset.enumerate().map(lambda index, key: (key, index))
    return table_from_dataset(pairs, num_oov_buckets, vocab_size, default_value, hasher_spec,
                              key_dtype)
