# Written by tools/stubs.py (make stubs).
"""tf.experimental"""

from collections.abc import Callable, Iterable
from contextlib import AbstractContextManager
from typing import Any

import tapeflow as tf
from tapeflow._typing import DTypeLike, IntLike, ShapeLike, TensorLike
from tapeflow.experimental import dlpack as dlpack, dtensor as dtensor, numpy as numpy

def async_clear_error() -> None:
    """Accepted: no error is pending."""

def async_scope() -> AbstractContextManager[None]:
    """Accepted: ops run at once, so their errors come at once."""

class BatchableExtensionType(tf.experimental.ExtensionType):
    """An ExtensionType whose objects can be stacked and unstacked."""
    class Spec(tf.experimental.ExtensionTypeSpec):
        value_type: Any

def dispatch_for_api(api: Any, *signatures: dict) -> Callable:
    """Decorator: call the decorated function in place of `api` for arguments of some types."""

def dispatch_for_binary_elementwise_apis(x_type: Any, y_type: Any) -> Callable:
    """Decorator: `handler(api, x, y)` for elementwise functions of two arguments of these …"""

def dispatch_for_unary_elementwise_apis(x_type: Any) -> Callable:
    """Decorator: `handler(api, x)` for elementwise functions of one argument of `x_type`."""

class DynamicRaggedShape:
    """Row partitions, outermost first, and the shape of the flat values."""
    def __init__(
        self, row_partitions: Any, inner_shape: ShapeLike, dtype: DTypeLike | None = None,
        validate: bool = False, static_inner_shape: Any = None,
    ) -> None: ...
    @classmethod
    def from_tensor(
        cls, t: TensorLike, dtype: DTypeLike | None = None,
    ) -> tf.experimental.DynamicRaggedShape: ...
    @classmethod
    def from_lengths(
        cls, lengths: Any, num_row_partitions: IntLike | None = None, dtype: DTypeLike = tf.int64,
    ) -> tf.experimental.DynamicRaggedShape:
        """Sizes, a tuple of row lengths for a ragged one: [2, (2, 1), 3]."""
    @classmethod
    def from_row_partitions(
        cls, row_partitions: Any, dtype: DTypeLike | None = None,
    ) -> tf.experimental.DynamicRaggedShape: ...
    @property
    def dtype(self) -> Any: ...
    @property
    def row_partitions(self) -> tuple: ...
    @property
    def num_row_partitions(self) -> int: ...
    @property
    def inner_shape(self) -> tf.Tensor: ...
    @property
    def inner_rank(self) -> int | None: ...
    @property
    def rank(self) -> int | None: ...
    def static_lengths(self, ragged_lengths: bool = True) -> list:
        """Sizes; of ragged dimensions the lengths of rows."""
    def is_uniform(self, axis: IntLike) -> bool:
        """Whether all slices along an axis have one size."""
    def with_dtype(self, dtype: DTypeLike) -> tf.experimental.DynamicRaggedShape: ...
    def __getitem__(self, index: Any) -> Any:
        """The size of a uniform dimension; a slice from the front gives a shape."""
    def reshaped(self, x: TensorLike) -> Any:
        """The values of a tensor under these rows: tf.reshape."""
    def filled(self, x: TensorLike) -> Any:
        """A tensor repeated to this shape: tf.broadcast_to."""
    def __eq__(self, other: object) -> Any: ...  # type: ignore[override]
    def __hash__(self) -> int: ...

class ExtensionType:
    """Base class of types made of tensors, with the fields that its annotations name."""
    def __init__(self, *args: Any, **kwargs: Any) -> None: ...
    def __eq__(self, other: object) -> Any: ...  # type: ignore[override]
    def __ne__(self, other: object) -> Any: ...  # type: ignore[override]
    Spec: Any

class ExtensionTypeSpec:
    """The description of an ExtensionType: TensorSpecs and values instead of its fields."""
    def __init__(self, *args: Any, **kwargs: Any) -> None: ...
    @classmethod
    def from_value(cls, value: TensorLike) -> tf.experimental.ExtensionTypeSpec: ...
    def __getattr__(self, name: str) -> Any: ...
    value_type: Any
    def is_compatible_with(self, spec_or_value: Any) -> bool:
        """Whether the value, or values of that description, may be used where this one is."""
    def is_subtype_of(self, other: Any) -> bool:
        """Whether every value of this description also has the description `other`."""
    def most_specific_common_supertype(self, others: Iterable[Any]) -> Any:
        """The narrowest description that covers this one and the others, or None."""
    def most_specific_compatible_type(self, other: Any) -> Any: ...
    def __eq__(self, other: object) -> bool: ...
    def __ne__(self, other: object) -> bool: ...
    def __hash__(self) -> int: ...

def function_executor_type(executor_type: str | None) -> AbstractContextManager[None]:
    """Accepted: functions have one executor."""

class Optional:
    """A value that may be there or not."""
    def has_value(self, name: str | None = None) -> tf.Tensor:
        """Whether there is a value."""
    def get_value(self, name: str | None = None) -> Any:
        """The value; InvalidArgumentError if there is none."""
    @property
    def element_spec(self) -> Any: ...
    @staticmethod
    def empty(element_spec: Any) -> Any:
        """An optional without a value."""
    @staticmethod
    def from_value(value: Any) -> Any:
        """An optional with a value."""

class RowPartition:
    """Values cut into rows: row i holds the values from row_splits[i] to row_splits[i + 1]."""
    def __init__(
        self, row_splits: Any, uniform_row_length: Any = None, internal: Any = None,
    ) -> None: ...
    @classmethod
    def from_row_splits(
        cls, row_splits: Any, validate: bool = True, dtype: DTypeLike | None = None,
        dtype_hint: DTypeLike | None = None,
    ) -> tf.experimental.RowPartition: ...
    @classmethod
    def from_row_lengths(
        cls, row_lengths: Any, validate: bool = True, dtype: DTypeLike | None = None,
        dtype_hint: DTypeLike | None = None,
    ) -> tf.experimental.RowPartition: ...
    @classmethod
    def from_value_rowids(
        cls, value_rowids: Any, nrows: Any = None, validate: bool = True,
        dtype: DTypeLike | None = None, dtype_hint: DTypeLike | None = None,
    ) -> tf.experimental.RowPartition: ...
    @classmethod
    def from_row_starts(
        cls, row_starts: Any, nvals: Any, validate: bool = True, dtype: DTypeLike | None = None,
        dtype_hint: DTypeLike | None = None,
    ) -> tf.experimental.RowPartition: ...
    @classmethod
    def from_row_limits(
        cls, row_limits: Any, validate: bool = True, dtype: DTypeLike | None = None,
        dtype_hint: DTypeLike | None = None,
    ) -> tf.experimental.RowPartition: ...
    @classmethod
    def from_uniform_row_length(
        cls, uniform_row_length: Any, nvals: Any = None, nrows: Any = None, validate: bool = True,
        dtype: DTypeLike | None = None, dtype_hint: DTypeLike | None = None,
    ) -> tf.experimental.RowPartition: ...
    @property
    def dtype(self) -> Any: ...
    def row_splits(self) -> tf.Tensor: ...
    def value_rowids(self) -> tf.Tensor: ...
    def nvals(self) -> tf.Tensor: ...
    def nrows(self) -> tf.Tensor: ...
    def uniform_row_length(self) -> tf.Tensor | None: ...
    def row_starts(self) -> tf.Tensor: ...
    def row_limits(self) -> tf.Tensor: ...
    def row_lengths(self) -> tf.Tensor: ...
    def offsets_in_rows(self) -> tf.Tensor:
        """For each value its offset in its row."""
    def is_uniform(self) -> bool: ...
    @property
    def static_nrows(self) -> int | None: ...
    @property
    def static_nvals(self) -> int | None: ...
    @property
    def static_uniform_row_length(self) -> int | None: ...
    def with_row_splits_dtype(self, dtype: DTypeLike) -> tf.experimental.RowPartition: ...
    def with_dtype(self, dtype: DTypeLike) -> tf.experimental.RowPartition: ...

class StructuredTensor(tf.experimental.ExtensionType):
    """Records with the same fields, in a tensor of any rank, whose rows may be ragged."""
    @classmethod
    def from_fields(
        cls, fields: Any, shape: ShapeLike = ..., nrows: Any = None, row_partitions: Any = None,
        validate: bool = False,
    ) -> tf.experimental.StructuredTensor:
        """Of a tensor for each field, which all begin with the shape of the records."""
    @classmethod
    def from_fields_and_rank(
        cls, fields: Any, rank: IntLike, validate: bool = False, dtype: DTypeLike | None = None,
    ) -> tf.experimental.StructuredTensor:
        """Of a tensor for each field, of which the first `rank` axes are those of the records."""
    @classmethod
    def from_shape(cls, ragged_shape: Any) -> tf.experimental.StructuredTensor:
        """Records without fields, of a DynamicRaggedShape."""
    @classmethod
    def from_pyval(cls, pyval: Any, typespec: Any = None) -> Any:
        """Of dicts, lists of dicts, and values: the reverse of `to_pyval`."""
    @property
    def rank(self) -> int:
        """The number of axes of the records."""
    @property
    def shape(self) -> tf.TensorShape:
        """The shape of the records, as far as it is known."""
    @property
    def row_partitions(self) -> tuple:
        """How a flat list of records is cut into rows, a RowPartition for each axis after one."""
    def nrows(self) -> tf.Tensor | None:
        """The size of the first axis; None for a single record."""
    def field_names(self) -> tuple:
        """The names of the fields."""
    def field_value(self, field_name: Any) -> Any:
        """The values of a field, or of one that a tuple of names leads to."""
    def __getitem__(self, key: Any) -> Any:
        """Records by index or slice; of a single one a field by its name; `x[:, 'name', 0]`."""
    def to_pyval(self) -> Any:
        """A dict, or a list of dicts, with plain values."""
    def with_updates(
        self, updates: TensorLike, validate: bool = False,
    ) -> tf.experimental.StructuredTensor:
        """Fields set, made of what they were by a function, or taken away by None."""
    def promote(self, source_path: Any, new_name: str) -> tf.experimental.StructuredTensor:
        """A field's values put into the record above the one that has them."""
    def partition_outer_dimension(
        self, row_partition: Any,
    ) -> tf.experimental.StructuredTensor:
        """The first axis cut into rows, which makes two axes of it."""
    def merge_dims(
        self, outer_axis: IntLike, inner_axis: IntLike,
    ) -> tf.experimental.StructuredTensor:
        """The axes from one to another made a single one."""
    class Spec(tf.experimental.ExtensionTypeSpec):
        value_type: Any

def unregister_dispatch_for(dispatch_target: Callable) -> None:
    """Forget a function that one of the decorators registered."""
