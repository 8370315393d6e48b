# Written by tools/stubs.py (make stubs).
"""tf.data"""

from collections.abc import Callable, Iterable
from typing import Any

import tapeflow as tf
from tapeflow._typing import DTypeLike
from tapeflow.data import experimental as experimental

AUTOTUNE: int
INFINITE_CARDINALITY: int
UNKNOWN_CARDINALITY: int

class Dataset:
    """A sequence of elements, each a structure of tensors, made anew by every iteration."""
    def __init__(self, variant_tensor: Any = None) -> None: ...
    @property
    def element_spec(self) -> Any:
        """The structure of an element, with a TypeSpec for each tensor."""
    def __bool__(self) -> bool: ...
    def __len__(self) -> int: ...
    def __iter__(self) -> Any: ...
    def cardinality(self) -> tf.Tensor:
        """The number of elements; tf.data.INFINITE_CARDINALITY or UNKNOWN_CARDINALITY."""
    def apply(self, transformation_func: Callable) -> Any:
        """`transformation_func(self)`, which must be a dataset."""
    def options(self) -> Any:
        """The options of this dataset and of those it reads."""
    def with_options(self, options: Any, name: str | None = None) -> tf.data.Dataset:
        """This dataset with further options."""
    def scan(
        self, initial_state: Any, scan_func: Callable, name: str | None = None,
    ) -> tf.data.Dataset:
        """Outputs of `scan_func(state, element)`, which returns the next state and an output."""
    def unique(self, name: str | None = None) -> tf.data.Dataset:
        """Each element the first time that it comes."""
    def make_one_shot_iterator(self) -> Any:
        """An iterator that needs no start; in a tf.Graph, one that sessions run."""
    def make_initializable_iterator(self, shared_name: str | None = None) -> Any:
        """An iterator of a tf.Graph that begins where its `initializer` is run."""
    @property
    def output_shapes(self) -> Any: ...
    @property
    def output_types(self) -> Any: ...
    @property
    def output_classes(self) -> Any: ...
    def as_numpy_iterator(self) -> tf.data.NumpyIterator:
        """An iterator that converts all tensors to NumPy."""
    def flat_map(self, map_func: Callable, name: str | None = None) -> tf.data.Dataset:
        """The elements of the datasets that `map_func` returns, one dataset after another."""
    def interleave(
        self, map_func: Callable, cycle_length: Any = None, block_length: Any = None,
        num_parallel_calls: Any = None, deterministic: bool | None = None, name: str | None = None,
    ) -> tf.data.Dataset:
        """Elements of the datasets that `map_func` returns: `block_length` of each in turn."""
    @staticmethod
    def list_files(
        file_pattern: Any, shuffle: bool | None = None, seed: Any = None, name: str | None = None,
    ) -> tf.data.Dataset:
        """The names of files that match a pattern (or several), shuffled unless `shuffle` is …"""
    @staticmethod
    def from_tensors(tensors: Any, name: str | None = None) -> tf.data.Dataset:
        """A dataset of one element."""
    @staticmethod
    def from_tensor_slices(tensors: Any, name: str | None = None) -> tf.data.Dataset:
        """A dataset of the rows of `tensors`, a structure of tensors of one length."""
    @staticmethod
    def range(*args: Any, **kwargs: Any) -> tf.data.Dataset:
        """Numbers from start (0) to stop by step (1), as Python's range; int64."""
    @staticmethod
    def from_generator(
        generator: Callable, output_types: Any = None, output_shapes: Any = None, args: Any = None,
        output_signature: Any = None, name: str | None = None,
    ) -> tf.data.Dataset:
        """The elements that `generator(*args)` yields, each time it is called anew."""
    @staticmethod
    def counter(
        start: Any = 0, step: Any = 1, dtype: DTypeLike = tf.int64, name: str | None = None,
    ) -> tf.data.Dataset:
        """start, start + step, … without end."""
    def cache(self, filename: Any = '', name: str | None = None) -> tf.data.Dataset:
        """Keeps the elements, in memory or in a file, from the first complete iteration on."""
    def save(
        self, path: Any, compression: Any = None, shard_func: Callable | None = None,
        checkpoint_args: Any = None,
    ) -> None:
        """Writes all elements into a folder, for `Dataset.load`. The format is tapeflow's own."""
    @staticmethod
    def load(
        path: Any, element_spec: Any = None, compression: Any = None,
        reader_func: Callable | None = None, wait: bool = False,
    ) -> tf.data.Dataset:
        """The dataset that `Dataset.save` wrote into a folder."""
    def snapshot(
        self, path: Any, compression: Any = 'AUTO', reader_func: Callable | None = None,
        shard_func: Callable | None = None, name: str | None = None,
    ) -> tf.data.Dataset:
        """Writes the elements into a folder once, and reads them from there."""
    def take(self, count: Any, name: str | None = None) -> tf.data.Dataset:
        """At most the first `count` elements; -1 for all."""
    def skip(self, count: Any, name: str | None = None) -> tf.data.Dataset:
        """All but the first `count` elements."""
    def shard(
        self, num_shards: Any, index: Any, name: str | None = None,
    ) -> tf.data.Dataset:
        """Every `num_shards`-th element, beginning with that at `index`."""
    def repeat(self, count: Any = None, name: str | None = None) -> tf.data.Dataset:
        """The elements `count` times; without end if it is None or -1."""
    def batch(
        self, batch_size: Any, drop_remainder: bool = False, num_parallel_calls: Any = None,
        deterministic: bool | None = None, name: str | None = None,
    ) -> tf.data.Dataset:
        """Every `batch_size` elements as one, stacked along a new first axis."""
    def unbatch(self, name: str | None = None) -> tf.data.Dataset:
        """The rows of each element, one by one."""
    def rebatch(
        self, batch_size: Any, drop_remainder: bool = False, name: str | None = None,
    ) -> tf.data.Dataset:
        """Batches of `batch_size` rows (a vector: sizes in turn) out of batches of other sizes."""
    def concatenate(
        self, dataset: tf.data.Dataset, name: str | None = None,
    ) -> tf.data.Dataset:
        """The elements of this dataset, then those of another."""
    @staticmethod
    def zip(*args: Any, datasets: Any = None, name: str | None = None) -> tf.data.Dataset:
        """Elements of several datasets side by side; the shortest ends it."""
    def enumerate(self, start: Any = 0, name: str | None = None) -> tf.data.Dataset:
        """Pairs of an element's index, from `start`, and the element."""
    def reduce(
        self, initial_state: Any, reduce_func: Callable, name: str | None = None,
    ) -> Any:
        """The last state: `reduce_func(state, element)` gives the next one."""
    def get_single_element(self, name: str | None = None) -> Any:
        """The only element; InvalidArgumentError if there is not exactly one."""
    def group_by_window(
        self, key_func: Callable, reduce_func: Callable, window_size: Any = None,
        window_size_func: Callable | None = None, name: str | None = None,
    ) -> tf.data.Dataset:
        """Groups elements by `key_func`; `reduce_func(key, group)` makes a dataset of each …"""
    def bucket_by_sequence_length(
        self, element_length_func: Callable, bucket_boundaries: Any, bucket_batch_sizes: Any,
        padded_shapes: Any = None, padding_values: Any = None, pad_to_bucket_boundary: bool = False,
        no_padding: bool = False, drop_remainder: bool = False, name: str | None = None,
    ) -> tf.data.Dataset:
        """Padded batches of elements of similar length."""
    def map(
        self, map_func: Callable, num_parallel_calls: Any = None, deterministic: bool | None = None,
        synchronous: bool | None = None, use_unbounded_threadpool: bool = False,
        name: str | None = None,
    ) -> tf.data.Dataset:
        """`map_func` of each element; with `num_parallel_calls` several elements at a time."""
    def filter(self, predicate: Callable, name: str | None = None) -> tf.data.Dataset:
        """The elements for which `predicate` is true."""
    def take_while(self, predicate: Callable, name: str | None = None) -> tf.data.Dataset:
        """Elements until `predicate` is false for one, which is left out."""
    def ignore_errors(
        self, log_warning: bool = False, name: str | None = None,
    ) -> tf.data.Dataset:
        """Leaves out the elements that fail."""
    def padded_batch(
        self, batch_size: Any, padded_shapes: Any = None, padding_values: Any = None,
        drop_remainder: bool = False, name: str | None = None,
    ) -> tf.data.Dataset:
        """Batches of elements whose sizes differ, filled up with `padding_values` (0, "")."""
    def ragged_batch(
        self, batch_size: Any, drop_remainder: bool = False, row_splits_dtype: DTypeLike = tf.int64,
        name: str | None = None,
    ) -> tf.data.Dataset:
        """Batches of elements whose sizes differ, as ragged tensors."""
    def sparse_batch(
        self, batch_size: Any, row_shape: Any, name: str | None = None,
    ) -> tf.data.Dataset:
        """Batches of elements whose sizes differ, as sparse tensors of the given row shape."""
    def prefetch(self, buffer_size: Any, name: str | None = None) -> tf.data.Dataset:
        """Makes up to `buffer_size` elements in the background, before they are asked for."""
    @staticmethod
    def choose_from_datasets(
        datasets: Any, choice_dataset: tf.data.Dataset, stop_on_empty_dataset: bool = True,
    ) -> tf.data.Dataset:
        """Elements of the datasets that the indices in `choice_dataset` name, one each time."""
    @staticmethod
    def sample_from_datasets(
        datasets: Any, weights: Any = None, seed: Any = None, stop_on_empty_dataset: bool = False,
        rerandomize_each_iteration: bool | None = None,
    ) -> tf.data.Dataset:
        """Elements of randomly chosen datasets; `weights` are the probabilities of each."""
    def rejection_resample(
        self, class_func: Callable, target_dist: Any, initial_dist: Any = None, seed: Any = None,
        name: str | None = None,
    ) -> tf.data.Dataset:
        """Pairs (class, element) in which classes have the distribution `target_dist`."""
    def shuffle(
        self, buffer_size: Any, seed: Any = None, reshuffle_each_iteration: bool | None = True,
        name: str | None = None,
    ) -> tf.data.Dataset:
        """Elements in random order: each is drawn from a buffer of the next `buffer_size`."""
    @staticmethod
    def random(
        seed: Any = None, rerandomize_each_iteration: bool | None = None, name: str | None = None,
    ) -> tf.data.Dataset:
        """Random numbers from 0 to 2**32 - 1 as int64, without end."""
    def window(
        self, size: Any, shift: Any = None, stride: Any = 1, drop_remainder: bool = False,
        name: str | None = None,
    ) -> tf.data.Dataset:
        """Datasets of `size` elements each, `stride` apart, beginning every `shift` elements."""

class DatasetSpec:
    """The description of a dataset by its element spec."""
    value_type: Any
    def __init__(self, element_spec: Any, dataset_shape: Any = ...) -> None: ...
    @property
    def element_spec(self) -> Any: ...
    @classmethod
    def from_value(cls, value: Any) -> Any:
        """The description of an object."""
    def __hash__(self) -> int: ...
    def __eq__(self, other: object) -> bool: ...
    def is_compatible_with(self, spec_or_value: Any) -> bool:
        """Whether the value, or values of that description, may be used where this one is."""
    def is_subtype_of(self, other: Any) -> bool:
        """Whether every value of this description also has the description `other`."""
    def most_specific_common_supertype(self, others: Iterable[Any]) -> Any:
        """The narrowest description that covers this one and the others, or None."""
    def most_specific_compatible_type(self, other: Any) -> Any: ...
    def __ne__(self, other: object) -> bool: ...

class FixedLengthRecordDataset(tf.data.Dataset):
    """Records of `record_bytes` each, between a header and a footer."""
    def __init__(
        self, filenames: Any, record_bytes: Any, header_bytes: Any = None, footer_bytes: Any = None,
        buffer_size: Any = None, compression_type: Any = None, num_parallel_reads: Any = None,
        name: str | None = None,
    ) -> None: ...

class Iterator:
    """What `iter(dataset)` returns."""
    @property
    def element_spec(self) -> Any: ...
    def get_next(self) -> Any: ...
    def get_next_as_optional(self) -> Any: ...

class IteratorSpec:
    """The description of an iterator by its element spec."""
    value_type: Any
    def __init__(self, element_spec: Any) -> None: ...
    @classmethod
    def from_value(cls, value: Any) -> Any:
        """The description of an object."""
    def __hash__(self) -> int: ...
    def __eq__(self, other: object) -> bool: ...
    def is_compatible_with(self, spec_or_value: Any) -> bool:
        """Whether the value, or values of that description, may be used where this one is."""
    def is_subtype_of(self, other: Any) -> bool:
        """Whether every value of this description also has the description `other`."""
    def most_specific_common_supertype(self, others: Iterable[Any]) -> Any:
        """The narrowest description that covers this one and the others, or None."""
    def most_specific_compatible_type(self, other: Any) -> Any: ...
    def __ne__(self, other: object) -> bool: ...

class NumpyIterator:
    """An iterator whose elements are NumPy values."""
    def __init__(self, dataset: tf.data.Dataset) -> None: ...
    def __iter__(self) -> tf.data.NumpyIterator: ...
    def __next__(self) -> Any: ...
    def next(self) -> Any: ...

class Options:
    """Settings for `Dataset.with_options`."""
    autotune: Any
    dataset_name: Any
    deterministic: Any
    experimental_distribute: Any
    experimental_external_state_policy: Any
    experimental_optimization: Any
    experimental_service: Any
    experimental_slack: Any
    experimental_symbolic_checkpoint: Any
    experimental_warm_start: Any
    framework_type: Any
    threading: Any
    @property
    def experimental_deterministic(self) -> Any: ...
    @property
    def experimental_threading(self) -> Any: ...
    def __init__(self) -> None: ...
    def __getattr__(self, name: str) -> Any: ...
    def __eq__(self, other: object) -> bool: ...
    def __ne__(self, other: object) -> bool: ...
    def merge(self, options: Any) -> Any:
        """These options, and where `options` has a value, that one."""

class TextLineDataset(tf.data.Dataset):
    """The lines of text files, without their ends."""
    def __init__(
        self, filenames: Any, compression_type: Any = None, buffer_size: Any = None,
        num_parallel_reads: Any = None, name: str | None = None,
    ) -> None: ...

class TFRecordDataset(tf.data.Dataset):
    """The records of TFRecord files, as bytes."""
    def __init__(
        self, filenames: Any, compression_type: Any = None, buffer_size: Any = None,
        num_parallel_reads: Any = None, name: str | None = None,
    ) -> None: ...

class ThreadingOptions:
    """Numbers of threads."""
    max_intra_op_parallelism: Any
    private_threadpool_size: Any
    def __init__(self) -> None: ...
    def __getattr__(self, name: str) -> Any: ...
    def __eq__(self, other: object) -> bool: ...
    def __ne__(self, other: object) -> bool: ...
    def merge(self, options: Any) -> Any:
        """These options, and where `options` has a value, that one."""
