"""tf.experimental.StructuredTensor: a tensor of records, kept as one tensor for each field."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Optional, Union

import numpy as np

from tapeflow.base import dtypes
from tapeflow.base.exception_origin import unsignalled
from tapeflow.base.exports import export
from tapeflow.base.shapes import TensorShape
from tapeflow.core.values.composite import Composite
from tapeflow.core.values.convert import convert_to_tensor
from tapeflow.core.values.extension_type import ExtensionType
from tapeflow.core.values.tensor import Tensor
from tapeflow.ops._support.arguments import sizes_of
from tapeflow.ops.ragged.partition import RowPartition, as_kind, known
from tapeflow.ops.ragged.ragged_conversion import merge_dims, positive_axis
from tapeflow.ops.ragged.ragged_tensor import RaggedTensor, is_ragged, ragged_or_dense
from tapeflow.ops.ragged.records.record_lists import from_python, node_major, without_fields

_NAME = re.compile("^[a-zA-Z][a-zA-Z0-9_]*$")


@export("experimental.StructuredTensor")
class StructuredTensor(ExtensionType):
    """Records with the same fields, in a tensor of any rank, whose rows may be ragged.

    >>> people = tf.experimental.StructuredTensor.from_pyval([
    ...     {'age': 12, 'names': ['Jo']}, {'age': 82, 'names': ['Bob', 'Bobby']}])
    >>> people.shape
    TensorShape([2])
    >>> people[1]['names']
    <tf.Tensor: shape=(2,), dtype=string, numpy=array([b'Bob', b'Bobby'], dtype=object)>
    """

    __name__ = "tf.StructuredTensor"
    _fields: Mapping[str, Union[Tensor, Composite]]  # noqa: UP007 - read at run time
    _static: TensorShape
    _rows: Optional[Tensor]  # noqa: UP045 - read at run time
    _splits: tuple[Tensor, ...]

    # -- making ----------------------------------------------------------------------------------
    @classmethod
    def from_fields(cls, fields: Any, shape: Any = (), nrows: Any = None,
                    row_partitions: Any = None, validate: bool = False) -> StructuredTensor:
        """Of a tensor for each field, which all begin with the shape of the records."""
        static = TensorShape(shape)
        if static.rank is None:
            raise ValueError("StructuredTensor's shape must have known rank.")
        if not isinstance(fields, dict):
            raise TypeError(f"fields must be a dictionary, got {type(fields).__name__}")
        if static.rank < 2 and row_partitions:
            raise ValueError("row_partitions must be None or [] if shape.rank<2")
        if not static.rank and nrows is not None:
            raise ValueError("nrows must be None if shape.rank==0")
        if row_partitions is not None and len(row_partitions) != max(0, static.rank - 1):
            raise ValueError("len(row_partitions) must be shape.rank-1")
        return _assembled({_checked_name(name): _field_value(value)
                           for name, value in fields.items()}, static, nrows, row_partitions)

    @classmethod
    def from_fields_and_rank(cls, fields: Any, rank: int, validate: bool = False,
                             dtype: Any = None) -> StructuredTensor:
        """Of a tensor for each field, of which the first `rank` axes are those of the records."""
        if not fields:
            raise ValueError("Must provide at least one field")
        if not isinstance(rank, int):
            raise ValueError("rank must be an integer")
        if rank < 0:
            raise ValueError("rank must be nonnegative")
        return cls.from_fields(dict(fields), [None] * rank)

    @classmethod
    def from_shape(cls, ragged_shape: Any) -> StructuredTensor:
        """Records without fields, of a DynamicRaggedShape."""
        rank = ragged_shape.rank
        partitions = list(ragged_shape.row_partitions)
        if rank > 1 and len(partitions) < rank - 1:
            raise ValueError("the shape needs a row partition for each axis but the first")
        return cls.from_fields({}, ragged_shape._static_shape,
                               ragged_shape[0] if rank else None, partitions if rank > 1 else None)

    @classmethod
    def from_pyval(cls, pyval: Any, typespec: Any = None) -> Any:
        """Of dicts, lists of dicts, and values: the reverse of `to_pyval`."""
        if typespec is not None:
            raise NotImplementedError("from_pyval takes no typespec here: dtypes are those of "
                                      "tf.constant and tf.ragged.constant")
        return from_python(cls, pyval, ())

    # -- what it is ------------------------------------------------------------------------------
    @property
    def rank(self) -> int:
        """The number of axes of the records."""
        rank = self._static.rank
        assert rank is not None
        return rank

    @property
    def shape(self) -> TensorShape:
        """The shape of the records, as far as it is known."""
        return self._static

    @property
    def row_partitions(self) -> tuple:
        """How a flat list of records is cut into rows, a RowPartition for each axis after one."""
        found, rows = [], self._rows
        for size, splits in zip(self._static.as_list()[1:], self._splits, strict=True):
            found.append(RowPartition.from_row_splits(splits, validate=False) if size is None else
                         RowPartition.from_uniform_row_length(size, nrows=rows,
                                                              dtype=dtypes.int64))
            rows = splits[-1]
        return tuple(found)

    def nrows(self) -> Tensor | None:
        """The size of the first axis; None for a single record."""
        return self._rows

    def field_names(self) -> tuple:
        """The names of the fields."""
        return tuple(self._fields)

    def field_value(self, field_name: Any) -> Any:
        """The values of a field, or of one that a tuple of names leads to."""
        if not isinstance(field_name, (list, tuple)):
            return self._fields[field_name]
        value: Any = self
        for name in field_name:
            if not isinstance(value, StructuredTensor):
                raise KeyError(f"Field path {field_name} not found in {self}")
            value = value.field_value(name)
        return value

    def __getitem__(self, key: Any) -> Any:
        """Records by index or slice; of a single one a field by its name; `x[:, 'name', 0]`."""
        key = tuple(key) if isinstance(key, (list, tuple)) else (key,)
        if not key:
            return self
        rank = self.rank
        if len(key) > rank and not (not rank and key[0] == slice(None)):
            if not isinstance(key[rank], (str, bytes)):
                raise ValueError("Key for indexing a StructuredTensor must be a string" + (
                    "" if rank else " or a full slice (':')"))
            return _picked(self._fields[key[rank]], key[:rank] + key[rank + 1:])
        if not rank:
            return StructuredTensor.from_fields(
                {name: _picked(value, key[1:]) for name, value in self._fields.items()})
        sizes = self._static.as_list()
        fields = {name: _picked(value, key) for name, value in self._fields.items()}
        left: list[int | None] = []
        for size, one in zip(sizes, key, strict=False):
            if isinstance(one, slice):
                left.append(size if one == slice(None) else None)
            elif one is None:
                raise ValueError("Slicing not supported for tf.newaxis")
            elif not isinstance(one, (int, Tensor)):
                raise ValueError(f"Slicing not supported for {one!r}")
        return StructuredTensor.from_fields(fields, [*left, *sizes[len(key):]])

    def __repr__(self) -> str:
        lines = [f'"{name}": ' + str(value).replace("\n", "\n            ")
                 for name, value in sorted(self._fields.items())]
        text = ",\n        ".join(lines)
        return f"<StructuredTensor(\n    fields={{\n        {text}}},\n    shape={self.shape})>"

    def to_pyval(self) -> Any:
        """A dict, or a list of dicts, with plain values."""
        found = {}
        for name, value in self._fields.items():
            if isinstance(value, Tensor):
                if value._interpreter is not None:
                    raise ValueError("StructuredTensor.to_pyval() is only supported in eager mode.")
                plain = value.numpy()
                found[name] = plain.tolist() if isinstance(plain, np.ndarray) else plain
            else:
                read: Any = value
                found[name] = read.to_pyval() if isinstance(read, StructuredTensor) \
                    else read.to_list()
        if not self.rank:
            return found
        if found:
            return node_major(list(found), list(found.values()), self.rank)
        return without_fields([one.numpy().tolist() for one in self._splits],
                              int(self._rows))  # type: ignore[arg-type]

    # -- changed ---------------------------------------------------------------------------------
    def with_updates(self, updates: Any, validate: bool = False) -> StructuredTensor:
        """Fields set, made of what they were by a function, or taken away by None."""
        paths = sorted([((name,) if isinstance(name, str) else tuple(name), value)
                        for name, value in updates.items()], key=lambda item: item[0])
        for (before, _), (path, _) in zip(paths, paths[1:], strict=False):
            if path[:len(before)] == before:
                raise ValueError("`StructuredTensor.with_updates` does not allow both parent and "
                                 f"child nodes to be updated: parent={before}, child={path}. If "
                                 "needed you can update child nodes in the parent update value.")
        return self._updated((), paths)

    def _updated(self, above: tuple, paths: list) -> StructuredTensor:
        fields = dict(self._fields)
        refused = "`StructuredTensor.with_updates` cannot"
        for path, value in paths:
            full = str((*above, path if len(path) > 1 else path[0] if path else path))
            if not path or not path[0]:
                raise ValueError("`StructuredTensor.with_updates` does not allow empty names "
                                 f"{full}.")
            name = path[0]
            if len(path) > 1:
                inner = fields.get(name)
                if not isinstance(inner, StructuredTensor):
                    raise ValueError(f"{refused} create new sub-field {above + path} if parent "
                                     f"field {(*above, name)} is not a `StructuredTensor`.")
                fields[name] = inner._updated((*above, name), [(path[1:], value)])
            elif value is None:
                if name not in fields:
                    raise ValueError(f"{refused} delete field {full} because it is not present.")
                del fields[name]
            elif callable(value):
                if name not in fields:
                    raise ValueError(f"{refused} update the field {full} because a transforming "
                                     "function was given, but that field does not already exist.")
                fields[name] = value(fields[name])
            else:
                fields[name] = value
        try:
            return StructuredTensor.from_fields(fields, self.shape, self._rows,
                                                self.row_partitions or None)
        except unsignalled(ValueError) as problem:
            where = f" for field {above}" if above else ""
            raise ValueError(f"`StructuredTensor.with_updates` failed{where}") from problem

    def promote(self, source_path: Any, new_name: str) -> StructuredTensor:
        """A field's values put into the record above the one that has them."""
        if not isinstance(new_name, str):
            raise ValueError("new_name is not a string")
        if not isinstance(source_path, (list, tuple)):
            raise ValueError("source_path must be a list or tuple")
        if len(source_path) < 2:
            raise ValueError("source_path must have length at least two")
        above = tuple(source_path[:-2])
        value = self.field_value(source_path)
        outer, parent = self.field_value(above).rank, self.field_value(source_path[:-1]).rank
        if value.shape.rank is None:
            raise ValueError("Cannot determine if dimensions should be merged.")
        inner = min(parent, value.shape.rank - 1)
        return self.with_updates({(*above, new_name):
                                  _merged(value, outer, inner) if inner > outer else value})

    def partition_outer_dimension(self, row_partition: Any) -> StructuredTensor:
        """The first axis cut into rows, which makes two axes of it."""
        if not isinstance(row_partition, RowPartition):
            raise TypeError("row_partition must be a RowPartition.")
        if not self.rank:
            raise ValueError(f"Shape {self.shape} must have rank at least 1")
        shape = [row_partition.static_nrows, row_partition.static_uniform_row_length,
                 *self.shape.as_list()[1:]]
        return StructuredTensor.from_fields(
            {name: _in_rows(value, row_partition) for name, value in self._fields.items()}, shape,
            row_partition.nrows(), [row_partition, *self.row_partitions])

    def merge_dims(self, outer_axis: int, inner_axis: int) -> StructuredTensor:
        """The axes from one to another made a single one."""
        outer = positive_axis(outer_axis, self.rank, "outer_axis")
        inner = positive_axis(inner_axis, self.rank, "inner_axis")
        if outer > inner:
            raise ValueError(f"Expected outer_axis ({outer}) to be less than or equal to inner_axis"
                             f" ({inner})")
        fields = {name: _merged(value, outer, inner) for name, value in self._fields.items()}
        if not fields:
            raise ValueError("merge_dims needs at least one field")
        return StructuredTensor.from_fields_and_rank(fields, self.rank - inner + outer)


# -- fields ----------------------------------------------------------------------------------------
def _checked_name(name: Any) -> str:
    if not isinstance(name, str):
        raise TypeError(f"Unexpected type for key in `fields`: {name}")
    if not _NAME.match(name):
        raise ValueError(f"Field name {name!r} is not currently allowed.")
    return name


def _field_value(value: Any) -> Any:
    if isinstance(value, (Tensor, StructuredTensor, ExtensionType)):
        return value
    if is_ragged(value):
        return ragged_or_dense(value)
    try:
        return convert_to_tensor(value)
    except unsignalled(ValueError, TypeError) as problem:
        raise TypeError(f"Unexpected type for value in `fields`: {value!r}") from problem


def _picked(value: Any, key: tuple) -> Any:
    return value[key] if key else value


def _merged(value: Any, outer: int, inner: int) -> Any:
    if isinstance(value, StructuredTensor):
        return value.merge_dims(outer, inner)
    return merge_dims(value, outer, inner)


def _in_rows(value: Any, rows: RowPartition) -> Any:
    """A field's values cut into rows; a dense tensor stays one if the rows are of one length."""
    if isinstance(value, StructuredTensor):
        return value.partition_outer_dimension(rows)
    length = rows.static_uniform_row_length
    if isinstance(value, Tensor) and length is not None:
        from tapeflow.ops.array.shaping import reshape
        return reshape(value, [-1, length, *sizes_of(value)[1:]])
    return RaggedTensor._from_row_partition(value, rows)


# -- shape -----------------------------------------------------------------------------------------
def _assembled(fields: dict, static: TensorShape, nrows: Any,
               partitions: Any) -> StructuredTensor:
    """Records of fields whose outer axes are found to agree."""
    rank = static.rank
    assert rank is not None
    splits = None if partitions is None else [one.row_splits() for one in partitions]
    for name, value in fields.items():
        own = value.shape
        if own.rank is not None and own.rank < rank:
            raise ValueError(f"Error in shape of {name}: it has rank {own.rank}, the records "
                             f"{rank}")
        try:
            static = static.merge_with(own[:rank])
        except unsignalled(ValueError) as problem:
            raise ValueError(f"Error in shape of {name}") from problem
        if rank > 1:
            splits = _agreeing(splits, _row_splits(value, rank), name)
        if rank and nrows is None:
            nrows = value._rows if isinstance(value, StructuredTensor) else \
                value.nrows() if is_ragged(value) else sizes_of(value)[0]
    if rank and nrows is None:
        nrows = static.as_list()[0]
    if rank and nrows is None or rank > 1 and splits is None:
        raise ValueError("Must specify `nrows`, a fully specified `shape`, or have `fields` if "
                         "`rank=1`" if rank == 1 else "Must specify row_partitions, a fully "
                         "specified shape, or have fields if rank > 1")
    rows = None if nrows is None else as_kind(
        nrows if isinstance(nrows, Tensor) else convert_to_tensor(nrows, dtypes.int64),
        dtypes.int64)
    count = known(rows) if rows is not None else None
    if rank and count is not None:
        static = static.merge_with([int(count), *[None] * (rank - 1)])
    return StructuredTensor(fields, static, rows, tuple(splits or ()))


def _row_splits(value: Any, rank: int) -> list[Tensor]:
    """Where the rows of each axis but the first begin in a field's values."""
    if isinstance(value, StructuredTensor):
        return list(value._splits[:rank - 1])
    found: list[Tensor] = []
    if is_ragged(value):
        found = [one.row_splits() for one in value._nested_row_partitions[:rank - 1]]
        value = value.flat_values
    sizes = sizes_of(value)
    rows = sizes[0]
    for size in sizes[1:rank - len(found)]:
        part = RowPartition.from_uniform_row_length(size, nrows=rows, dtype=dtypes.int64)
        found.append(part.row_splits())
        rows = rows * size
    return [as_kind(one, dtypes.int64) for one in found]


def _agreeing(splits: list | None, own: list, name: str) -> list:
    if splits is None:
        return own
    for one, other in zip(splits, own, strict=True):
        values = known(one), known(other)
        if values[0] is not None and values[1] is not None and not np.array_equal(*values):
            raise ValueError(f"Error in shape of {name}: its rows are others than those of the "
                             "fields before it")
    return splits
