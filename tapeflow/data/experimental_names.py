"""tf.data.experimental: older names of transformations, and small tools."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from tapeflow.base import dtypes, nest
from tapeflow.base.exception_origin import unsignalled
from tapeflow.base.exports import export, later, publish
from tapeflow.core.values.tensor import Tensor
from tapeflow.data.dataset import (
    INFINITE,
    UNKNOWN,
    DatasetV2,
    _VariantDataset,
    check_dataset,
    method,
)
from tapeflow.data.elements.parameters import integer
from tapeflow.data.functions.user_function import DEBUG
from tapeflow.data.options import AUTOTUNE
from tapeflow.data.transforms.scan_unique import _AssertCardinalityDataset
from tapeflow.ops.array import creation

publish(AUTOTUNE, "data.AUTOTUNE", "data.experimental.AUTOTUNE")
publish(INFINITE, "data.INFINITE_CARDINALITY", "data.experimental.INFINITE_CARDINALITY")
publish(UNKNOWN, "data.UNKNOWN_CARDINALITY", "data.experimental.UNKNOWN_CARDINALITY")
publish(-1, "data.experimental.SHARD_HINT")
later("tapeflow.data.lookup_tables", *[f"data.experimental.{name}" for name in (
    "DatasetInitializer", "table_from_dataset", "index_table_from_dataset")])


@export("data.experimental.enable_debug_mode")
def enable_debug_mode() -> None:
    """From now on functions given to datasets run as plain Python, one element at a time."""
    DEBUG["on"] = True


@export("data.experimental.cardinality")
def cardinality(dataset: DatasetV2) -> Tensor:
    """Dataset.cardinality."""
    return dataset.cardinality()


@export("data.experimental.assert_cardinality")
def assert_cardinality(expected_cardinality: Any) -> Callable:
    """For Dataset.apply: says how many elements there are; iterating checks it."""
    return lambda dataset: _AssertCardinalityDataset(dataset, expected_cardinality)


@export("data.experimental.get_structure")
def get_structure(dataset_or_iterator: Any) -> Any:
    """The element spec of a dataset or an iterator."""
    try:
        return dataset_or_iterator.element_spec
    except unsignalled(AttributeError):
        raise TypeError(f"Invalid `dataset_or_iterator`. `dataset_or_iterator` must be a dataset "
                        f"or an iterator, got {type(dataset_or_iterator)}.") from None


@export("data.experimental.get_next_as_optional")
def get_next_as_optional(iterator: Any) -> Any:
    """Iterator.get_next_as_optional."""
    return iterator.get_next_as_optional()


@export("data.experimental.to_variant")
def to_variant(dataset: DatasetV2) -> Tensor:
    """A tensor that stands for a dataset."""
    return dataset._variant_tensor


@export("data.experimental.from_variant")
def from_variant(variant: Tensor, structure: Any) -> DatasetV2:
    """The dataset that a tensor stands for."""
    return _VariantDataset(variant, structure)


@export("data.experimental.at")
def at(dataset: DatasetV2, index: Any) -> Any:
    """The element at `index`."""
    check_dataset(dataset, "tf.data.experimental.at", "dataset")
    position = int(integer(index, "index")._value)
    from tapeflow.base import errors
    if position >= 0:
        for element in dataset.skip(position).take(1):
            return element
    raise errors.OutOfRangeError(None, None, f"Index out of range [0, {dataset._cardinality()}):"
                                             f"{position} [Op:GetElementAtIndex]")


# -- older names: each gives a function for Dataset.apply ------------------------------------------
@export("data.experimental.bucket_by_sequence_length")
def bucket_by_sequence_length(*args: Any, **kwargs: Any) -> Callable:
    """For Dataset.apply: Dataset.bucket_by_sequence_length."""
    return lambda dataset: dataset.bucket_by_sequence_length(*args, **kwargs)


@export("data.experimental.copy_to_device")
def copy_to_device(target_device: str, source_device: str = "/cpu:0") -> Callable:
    """For Dataset.apply: the dataset itself, as there is one device."""
    return lambda dataset: dataset


@export("data.experimental.prefetch_to_device")
def prefetch_to_device(device: str, buffer_size: Any = None) -> Callable:
    """For Dataset.apply: prefetch, as there is one device."""
    return lambda dataset: dataset.prefetch(AUTOTUNE if buffer_size is None else buffer_size)


@export("data.experimental.dense_to_ragged_batch")
def dense_to_ragged_batch(batch_size: Any, drop_remainder: bool = False,
                          row_splits_dtype: Any = dtypes.int64) -> Callable:
    """For Dataset.apply: Dataset.ragged_batch."""
    return lambda dataset: dataset.ragged_batch(batch_size, drop_remainder, row_splits_dtype)


@export("data.experimental.dense_to_sparse_batch")
def dense_to_sparse_batch(batch_size: Any, row_shape: Any) -> Callable:
    """For Dataset.apply: Dataset.sparse_batch."""
    return lambda dataset: dataset.sparse_batch(batch_size, row_shape)


@export("data.experimental.enumerate_dataset")
def enumerate_dataset(start: Any = 0) -> Callable:
    """For Dataset.apply: Dataset.enumerate."""
    return lambda dataset: dataset.enumerate(start)


@export("data.experimental.group_by_window")
def group_by_window(key_func: Callable, reduce_func: Callable, window_size: Any = None,
                    window_size_func: Callable | None = None) -> Callable:
    """For Dataset.apply: Dataset.group_by_window."""
    return lambda dataset: dataset.group_by_window(key_func, reduce_func, window_size,
                                                   window_size_func)


@export("data.experimental.ignore_errors")
def ignore_errors(log_warning: bool = False) -> Callable:
    """For Dataset.apply: Dataset.ignore_errors."""
    return lambda dataset: dataset.ignore_errors(log_warning)


@export("data.experimental.map_and_batch")
def map_and_batch(map_func: Callable, batch_size: Any, num_parallel_batches: Any = None,
                  drop_remainder: bool = False, num_parallel_calls: Any = None) -> Callable:
    """For Dataset.apply: map and batch."""
    if num_parallel_calls is not None and num_parallel_batches is not None:
        raise ValueError("`map_and_batch` allows only one of `num_parallel_batches` and "
                         "`num_parallel_calls` to be set, but both were set.")
    if num_parallel_batches is not None:
        integer(num_parallel_batches, "num_parallel_batches")
        integer(batch_size, "batch_size")
    calls = num_parallel_calls if num_parallel_calls is not None else num_parallel_batches
    return lambda dataset: dataset.map(map_func, num_parallel_calls=calls).batch(
        batch_size, drop_remainder)


@export("data.experimental.parallel_interleave")
def parallel_interleave(map_func: Callable, cycle_length: Any, block_length: Any = 1,
                        sloppy: Any = False, buffer_output_elements: Any = None,
                        prefetch_input_elements: Any = None) -> Callable:
    """For Dataset.apply: interleave with reading ahead."""
    return lambda dataset: dataset.interleave(map_func, cycle_length, block_length,
                                              num_parallel_calls=cycle_length)


@export("data.experimental.rejection_resample")
def rejection_resample(class_func: Callable, target_dist: Any, initial_dist: Any = None,
                       seed: Any = None) -> Callable:
    """For Dataset.apply: Dataset.rejection_resample."""
    return lambda dataset: dataset.rejection_resample(class_func, target_dist, initial_dist, seed)


@export("data.experimental.scan")
def scan(initial_state: Any, scan_func: Callable) -> Callable:
    """For Dataset.apply: Dataset.scan."""
    return lambda dataset: dataset.scan(initial_state, scan_func)


@export("data.experimental.shuffle_and_repeat")
def shuffle_and_repeat(buffer_size: Any, count: Any = None, seed: Any = None) -> Callable:
    """For Dataset.apply: shuffle and repeat."""
    return lambda dataset: dataset.shuffle(buffer_size, seed).repeat(count)


@export("data.experimental.pad_to_cardinality")
def pad_to_cardinality(cardinality: int, mask_key: str = "valid") -> Callable:
    """For Dataset.apply: fills a dataset of dicts up with zeros; `mask_key` tells real elements."""
    def padded(dataset: DatasetV2) -> DatasetV2:
        size = dataset._cardinality()
        if size < 0:
            raise ValueError(f"The dataset passed into `pad_to_cardinality` must have a known "
                             f"cardinalty, but has cardinality {size}")
        if size > cardinality:
            raise ValueError(f"The dataset passed into `pad_to_cardinality` must have a cardinalty "
                             f"less than the target cardinality ({cardinality}), but has "
                             f"cardinality {size}")
        if not isinstance(dataset.element_spec, Mapping):
            raise ValueError("`pad_to_cardinality` requires its input dataset to be a dictionary.")
        zeros = nest.map_structure(lambda spec: creation.zeros(spec.shape, spec.dtype),
                                   dataset.element_spec)
        filler = DatasetV2.from_tensors({**zeros, mask_key: False}).repeat(cardinality - size)
        return dataset.map(lambda x: {**x, mask_key: True}).concatenate(filler)

    return padded


@export("data.experimental.snapshot")
def snapshot(path: Any, compression: Any = "AUTO", reader_func: Callable | None = None,
             shard_func: Callable | None = None) -> Callable:
    """For Dataset.apply: Dataset.snapshot."""
    return lambda dataset: dataset.snapshot(path, compression, reader_func, shard_func)


@export("data.experimental.take_while")
def take_while(predicate: Callable) -> Callable:
    """For Dataset.apply: Dataset.take_while."""
    return lambda dataset: dataset.take_while(predicate)


@export("data.experimental.unbatch")
def unbatch() -> Callable:
    """For Dataset.apply: Dataset.unbatch."""
    return lambda dataset: dataset.unbatch()


@export("data.experimental.unique")
def unique() -> Callable:
    """For Dataset.apply: Dataset.unique."""
    return lambda dataset: dataset.unique()


# -- the first interface ---------------------------------------------------------------------------
@export("compat.v1.data.get_output_shapes")
def get_output_shapes(dataset_or_iterator: Any) -> Any:
    """The shapes in an element spec."""
    return nest.map_structure(lambda spec: spec.shape, dataset_or_iterator.element_spec)


@export("compat.v1.data.get_output_types")
def get_output_types(dataset_or_iterator: Any) -> Any:
    """The dtypes in an element spec."""
    return nest.map_structure(lambda spec: spec.dtype, dataset_or_iterator.element_spec)


@export("compat.v1.data.get_output_classes")
def get_output_classes(dataset_or_iterator: Any) -> Any:
    """The classes of the values that an element spec describes."""
    from tapeflow.core.values.tensor import TensorBase
    return nest.map_structure(
        lambda spec: TensorBase if type(spec).__name__ == "TensorSpec" else spec.value_type,
        dataset_or_iterator.element_spec)


@method
def _as_serialized_graph(self: DatasetV2, allow_stateful: Any = None, strip_device_assignment: Any =
                         None, external_state_policy: Any = None) -> Tensor:
    """A GraphDef of the pipeline, for libraries: its datasets, and which reads which."""
    from tapeflow.data.dataset_graph import serialised
    return serialised(self)
