# Written by tools/stubs.py (make stubs).
"""tf.data.experimental"""

import enum
from collections.abc import Callable
from typing import Any

import tapeflow as tf
from tapeflow._typing import DTypeLike, IntLike, TensorLike
from tapeflow.data import ThreadingOptions as ThreadingOptions
from tapeflow.data.experimental import service as service
from tapeflow.experimental import Optional as Optional

AUTOTUNE: int
INFINITE_CARDINALITY: int
SHARD_HINT: int
UNKNOWN_CARDINALITY: int

def assert_cardinality(expected_cardinality: Any) -> Callable:
    """For Dataset.apply: says how many elements there are; iterating checks it."""

def at(dataset: tf.data.Dataset, index: Any) -> Any:
    """The element at `index`."""

class AutoShardPolicy(enum.IntEnum):
    """How a dataset is divided among workers."""
    OFF = -1
    AUTO = 0
    FILE = 1
    DATA = 2
    HINT = 3

class AutotuneAlgorithm(enum.Enum):
    """How buffer sizes and parallelism would be found."""
    DEFAULT = 0
    HILL_CLIMB = 1
    GRADIENT_DESCENT = 2
    MAX_PARALLELISM = 3
    STAGE_BASED = 4

class AutotuneOptions:
    """Settings of the tuning of a dataset while it runs."""
    enabled: Any
    cpu_budget: Any
    ram_budget: Any
    autotune_algorithm: Any
    initial_parallelism: Any
    min_parallelism: Any
    def __init__(self) -> None: ...
    def __getattr__(self, name: str) -> Any: ...
    def __eq__(self, other: object) -> bool: ...
    def __ne__(self, other: object) -> bool: ...
    def merge(self, options: Any) -> Any:
        """These options, and where `options` has a value, that one."""

def bucket_by_sequence_length(*args: Any, **kwargs: Any) -> Callable:
    """For Dataset.apply: Dataset.bucket_by_sequence_length."""

def cardinality(dataset: tf.data.Dataset) -> tf.Tensor:
    """Dataset.cardinality."""

def choose_from_datasets(
    datasets: Any, choice_dataset: tf.data.Dataset, stop_on_empty_dataset: bool = False,
) -> tf.data.Dataset:
    """Dataset.choose_from_datasets; it goes on when one of the datasets ends."""

def copy_to_device(target_device: str, source_device: str = '/cpu:0') -> Callable:
    """For Dataset.apply: the dataset itself, as there is one device."""

def Counter(
    start: Any = 0, step: Any = 1, dtype: DTypeLike = tf.int64,
) -> tf.data.Dataset:
    """A dataset that counts from `start` without end."""

class CsvDataset(tf.data.Dataset):
    """The rows of CSV files, as tuples of scalars."""
    def __init__(
        self, filenames: Any, record_defaults: Any, compression_type: Any = None,
        buffer_size: Any = None, header: bool = False, field_delim: str = ',',
        use_quote_delim: bool = True, na_value: str = '', select_cols: Any = None,
        exclude_cols: Any = None,
    ) -> None: ...

def dense_to_ragged_batch(
    batch_size: Any, drop_remainder: bool = False, row_splits_dtype: DTypeLike = tf.int64,
) -> Callable:
    """For Dataset.apply: Dataset.ragged_batch."""

def dense_to_sparse_batch(batch_size: Any, row_shape: Any) -> Callable:
    """For Dataset.apply: Dataset.sparse_batch."""

def distributed_save(
    dataset: tf.data.Dataset, path: str, data_service_address: str,
    compression: str | None = 'AUTO',
) -> None:
    """Write the elements of a dataset by the workers of a service, for `Dataset.load`."""

class DistributeOptions:
    """Settings of datasets that several workers share."""
    auto_shard_policy: Any
    num_devices: Any
    def __init__(self) -> None: ...
    def __getattr__(self, name: str) -> Any: ...
    def __eq__(self, other: object) -> bool: ...
    def __ne__(self, other: object) -> bool: ...
    def merge(self, options: Any) -> Any:
        """These options, and where `options` has a value, that one."""

def enable_debug_mode() -> None:
    """From now on functions given to datasets run as plain Python, one element at a time."""

def enumerate_dataset(start: Any = 0) -> Callable:
    """For Dataset.apply: Dataset.enumerate."""

class ExternalStatePolicy(enum.Enum):
    """What to do about state outside of a dataset when it is saved."""
    WARN = 0
    IGNORE = 1
    FAIL = 2

def from_list(elements: Any, name: str | None = None) -> tf.data.Dataset:
    """A dataset of the elements of a Python list, all of one structure."""

def from_variant(variant: TensorLike, structure: Any) -> tf.data.Dataset:
    """The dataset that a tensor stands for."""

def get_next_as_optional(iterator: Any) -> Any:
    """Iterator.get_next_as_optional."""

def get_single_element(dataset: tf.data.Dataset) -> Any:
    """Dataset.get_single_element."""

def get_structure(dataset_or_iterator: Any) -> Any:
    """The element spec of a dataset or an iterator."""

def group_by_reducer(
    key_func: Callable, reducer: tf.data.experimental.Reducer,
) -> Callable:
    """For Dataset.apply: one element for each key, made by a Reducer."""

def group_by_window(
    key_func: Callable, reduce_func: Callable, window_size: Any = None,
    window_size_func: Callable | None = None,
) -> Callable:
    """For Dataset.apply: Dataset.group_by_window."""

def ignore_errors(log_warning: bool = False) -> Callable:
    """For Dataset.apply: Dataset.ignore_errors."""

def load(
    path: Any, element_spec: Any = None, compression: Any = None,
    reader_func: Callable | None = None,
) -> tf.data.Dataset:
    """Dataset.load."""

def make_batched_features_dataset(
    file_pattern: Any, batch_size: Any, features: Any, reader: Any = None,
    label_key: Any = None, reader_args: Any = None, num_epochs: Any = None,
    shuffle: bool = True, shuffle_buffer_size: IntLike = 10000, shuffle_seed: Any = None,
    prefetch_buffer_size: Any = None, reader_num_threads: Any = None,
    parser_num_threads: Any = None, sloppy_ordering: bool = False,
    drop_final_batch: bool = False,
) -> tf.data.Dataset:
    """Batches of parsed Examples out of TFRecord files."""

def make_csv_dataset(
    file_pattern: Any, batch_size: Any, column_names: Any = None, column_defaults: Any = None,
    label_name: Any = None, select_columns: Any = None, field_delim: str = ',',
    use_quote_delim: bool = True, na_value: str = '', header: bool = True,
    num_epochs: Any = None, shuffle: bool = True, shuffle_buffer_size: IntLike = 10000,
    shuffle_seed: Any = None, prefetch_buffer_size: Any = None, num_parallel_reads: Any = None,
    sloppy: bool = False, num_rows_for_inference: IntLike | None = 100,
    compression_type: Any = None, ignore_errors: bool = False, encoding: str = 'utf-8',
) -> tf.data.Dataset:
    """Batches of the rows of CSV files, as dicts by column name; with `label_name`, and a …"""

def map_and_batch(
    map_func: Callable, batch_size: Any, num_parallel_batches: Any = None,
    drop_remainder: bool = False, num_parallel_calls: Any = None,
) -> Callable:
    """For Dataset.apply: map and batch."""

class OptimizationOptions:
    """Rewrites of datasets."""
    apply_default_optimizations: Any
    filter_fusion: Any
    filter_parallelization: Any
    inject_prefetch: Any
    map_and_batch_fusion: Any
    map_and_filter_fusion: Any
    map_fusion: Any
    map_parallelization: Any
    noop_elimination: Any
    parallel_batch: Any
    seq_interleave_prefetch: Any
    shuffle_and_repeat_fusion: Any
    def __init__(self) -> None: ...
    def __getattr__(self, name: str) -> Any: ...
    def __eq__(self, other: object) -> bool: ...
    def __ne__(self, other: object) -> bool: ...
    def merge(self, options: Any) -> Any:
        """These options, and where `options` has a value, that one."""

def pad_to_cardinality(cardinality: IntLike, mask_key: str = 'valid') -> Callable:
    """For Dataset.apply: fills a dataset of dicts up with zeros; `mask_key` tells real …"""

def parallel_interleave(
    map_func: Callable, cycle_length: Any, block_length: Any = 1, sloppy: bool = False,
    buffer_output_elements: Any = None, prefetch_input_elements: Any = None,
) -> Callable:
    """For Dataset.apply: interleave with reading ahead."""

def parse_example_dataset(
    features: Any, num_parallel_calls: Any = 1, deterministic: bool | None = None,
) -> Callable:
    """For Dataset.apply: parses batches of serialized Examples into dicts of tensors."""

def prefetch_to_device(device: str, buffer_size: Any = None) -> Callable:
    """For Dataset.apply: prefetch, as there is one device."""

class RandomDataset(tf.data.Dataset):
    """Random 32-bit numbers as int64, without end."""
    def __init__(
        self, seed: Any = None, rerandomize_each_iteration: bool | None = None,
        name: str | None = None,
    ) -> None: ...

class Reducer:
    """How the elements of a group become one: `init_func(key)`, `reduce_func(state, …"""
    def __init__(
        self, init_func: Callable, reduce_func: Callable, finalize_func: Callable,
    ) -> None: ...
    @property
    def init_func(self) -> Any: ...
    @property
    def reduce_func(self) -> Any: ...
    @property
    def finalize_func(self) -> Any: ...

def rejection_resample(
    class_func: Callable, target_dist: Any, initial_dist: Any = None, seed: Any = None,
) -> Callable:
    """For Dataset.apply: Dataset.rejection_resample."""

def sample_from_datasets(
    datasets: Any, weights: Any = None, seed: Any = None, stop_on_empty_dataset: bool = False,
) -> tf.data.Dataset:
    """Dataset.sample_from_datasets."""

def save(
    dataset: tf.data.Dataset, path: Any, compression: Any = None,
    shard_func: Callable | None = None, checkpoint_args: Any = None,
) -> None:
    """Dataset.save."""

def scan(initial_state: Any, scan_func: Callable) -> Callable:
    """For Dataset.apply: Dataset.scan."""

class ServiceOptions:
    """Settings of a data service."""
    pinned: Any
    def __init__(self) -> None: ...
    def __getattr__(self, name: str) -> Any: ...
    def __eq__(self, other: object) -> bool: ...
    def __ne__(self, other: object) -> bool: ...
    def merge(self, options: Any) -> Any:
        """These options, and where `options` has a value, that one."""

def shuffle_and_repeat(
    buffer_size: Any, count: Any = None, seed: Any = None,
) -> Callable:
    """For Dataset.apply: shuffle and repeat."""

def snapshot(
    path: Any, compression: Any = 'AUTO', reader_func: Callable | None = None,
    shard_func: Callable | None = None,
) -> Callable:
    """For Dataset.apply: Dataset.snapshot."""

class SqlDataset(tf.data.Dataset):
    """The rows of a query to a SQLite database."""
    def __init__(
        self, driver_name: str, data_source_name: Any, query: Any, output_types: Any,
    ) -> None: ...

def take_while(predicate: Callable) -> Callable:
    """For Dataset.apply: Dataset.take_while."""

class TFRecordWriter:
    """Writes a dataset of byte strings into a TFRecord file."""
    def __init__(self, filename: Any, compression_type: Any = None) -> None: ...
    def write(self, dataset: tf.data.Dataset) -> None:
        """Write all elements."""

def to_variant(dataset: tf.data.Dataset) -> tf.Tensor:
    """A tensor that stands for a dataset."""

def unbatch() -> Callable:
    """For Dataset.apply: Dataset.unbatch."""

def unique() -> Callable:
    """For Dataset.apply: Dataset.unique."""
