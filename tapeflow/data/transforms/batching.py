"""Batches and their opposite: batch, padded_batch, unbatch, rebatch; windows of elements."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from typing import Any

import numpy as np

from tapeflow.base import dtypes, errors, nest
from tapeflow.base.exception_origin import unsignalled
from tapeflow.base.shapes import TensorShape
from tapeflow.base.specs import TensorSpec
from tapeflow.core.record.primitive_ops import cast
from tapeflow.core.values.convert import convert
from tapeflow.core.values.tensor import Tensor, wrap
from tapeflow.data.dataset import (
    UNKNOWN,
    DatasetSpec,
    DatasetV2,
    Run,
    failed,
    method,
    named,
)
from tapeflow.data.elements.columnar import exactly, table_elements
from tapeflow.data.elements.structure import (
    Structure,
    handle,
    integer,
    is_structure,
    known,
    map_leaves,
    sizes,
    switch,
    with_batch,
    without_batch,
)
from tapeflow.data.sources.memory_sources import _ValuesDataset
from tapeflow.data.transforms.per_element import Engine


# -- batch -----------------------------------------------------------------------------------------
@named("ops.batch_op")
class _BatchDataset(DatasetV2):
    """Elements stacked."""

    def __init__(self, dataset: DatasetV2, batch_size: Any, drop_remainder: Any):
        size = integer(batch_size, "batch_size")
        if known(size) is not None:
            check_batch_size(int(size._value))
        self._drop = switch(drop_remainder, "drop_remainder")
        self._set(with_batch(dataset.element_spec, known(size) if self._drop else None, "batch"),
                  (dataset,), (size,))

    def _start(self, run: Run) -> Iterator[Any]:
        size = self._number(0)
        check_batch_size(size)
        source = self._input
        if source._readable():
            return _Blocks(source._reader(run), size, self._drop)
        if not source._structure.plain:
            from tapeflow.data.elements.ragged_sparse import stacker
            return _Stacked(source._start(run), size, self._drop,
                            stacker(source._structure, self._structure))
        return _Stacked(source._start(run), size, self._drop, stack_all)

    def _count(self) -> int:
        return batches(self._input._count(), self._number(0), self._drop)


def batches(size: int, batch_size: int, drop: bool) -> int:
    """How many batches so many elements make."""
    return size if size < 0 else size // batch_size if drop else -(-size // batch_size)


def check_batch_size(size: int) -> None:
    if size < 1:
        raise errors.invalid("BatchDatasetV2", "Batch size must be greater than zero.")


@named("ops.batch_op")
class _ParallelBatchDataset(_BatchDataset):
    """A batch dataset that was asked to work in parallel: stacking is not worth it here."""


class _Blocks(Engine):
    """Batches of a reader."""

    __slots__ = ("_drop", "_reader", "_size")

    def __init__(self, reader: Any, size: int, drop: bool):
        self._reader, self._size, self._drop = reader, size, drop

    def __next__(self) -> list:
        found = exactly(self._reader, self._size)
        if found is None or (self._drop and len(found[0]) < self._size):
            raise StopIteration
        return found


class _Stacked(Engine):
    """Batches of elements."""

    __slots__ = ("_drop", "_input", "_size", "_stack")

    def __init__(self, elements: Iterator, size: int, drop: bool, stack: Any):
        self._input, self._size, self._drop, self._stack = elements, size, drop, stack

    def __next__(self) -> list:
        found = []
        for values in self._input:
            found.append(values)
            if len(found) == self._size:
                return self._stack(found)
        if not found or self._drop:
            raise StopIteration
        return self._stack(found)


def stack_all(elements: list) -> list:
    """The components of several elements, each stacked."""
    return [stack(list(column), i) for i, column in enumerate(zip(*elements, strict=True))]


def stack(values: list, component: int = 0) -> np.ndarray:
    """Values of one shape along a new first axis."""
    first = values[0]
    shape = first.shape
    if not shape:
        if first.dtype.kind == "O":
            made = np.empty(len(values), object)
            for i, value in enumerate(values):
                made[i] = value.item()
            return made
        try:
            made = np.array(values, first.dtype)
            if made.ndim == 1:
                return made
        except unsignalled(ValueError):
            pass  # shapes differ, which is told below
    for i, value in enumerate(values):
        if value.shape != shape:
            raise failed(f"Cannot batch tensors with different shapes in component {component}. "
                         f"First element had shape {list(shape)} and element {i} had shape "
                         f"{list(value.shape)}.".replace(", ", ","))
    made = np.empty((len(values), *shape), first.dtype)
    for i, value in enumerate(values):
        made[i] = value
    return made


@method
def batch(self: DatasetV2, batch_size: Any, drop_remainder: Any = False,
          num_parallel_calls: Any = None, deterministic: bool | None = None,
          name: str | None = None) -> DatasetV2:
    """Every `batch_size` elements as one, stacked along a new first axis.

    >>> [x.numpy().tolist() for x in tf.data.Dataset.range(5).batch(2)]
    [[0, 1], [2, 3], [4]]
    """
    if num_parallel_calls is None:
        return _BatchDataset(self, batch_size, drop_remainder)
    calls = integer(num_parallel_calls, "num_parallel_calls")
    if calls.shape.rank:
        raise errors.invalid("ParallelBatchDataset", "num_parallel_calls must be a scalar")
    return _ParallelBatchDataset(self, batch_size, drop_remainder)


# -- padded batches --------------------------------------------------------------------------------
@named("ops.padded_batch_op")
class _PaddedBatchDataset(DatasetV2):
    """Elements filled up to one shape and stacked."""

    def __init__(self, dataset: DatasetV2, batch_size: Any, padded_shapes: Any,
                 padding_values: Any, drop_remainder: Any):
        for spec in dataset._structure.leaves:
            if isinstance(spec, DatasetSpec):
                raise TypeError("`padded_batch` is not supported for datasets of datasets")
            if not isinstance(spec, TensorSpec):
                raise TypeError(f"`padded_batch` is only supported for datasets that produce "
                                f"tensor elements but type spec of elements in the input dataset "
                                f"is not a subclass of TensorSpec: `{spec}`.")
        size = integer(batch_size, "batch_size")
        if known(size) is not None:
            check_batch_size(int(size._value))
        self._drop = switch(drop_remainder, "drop_remainder")
        specs = dataset._structure.tensors
        outline = map_leaves(lambda _: 0, dataset.element_spec)
        shapes = [_shape_vector(shape, spec) for shape, spec in zip(
            _flat_shapes(padded_shapes, outline, specs), specs, strict=True)]
        fill = [_padding(value, spec) for value, spec in zip(
            _flat_values(padding_values, outline, len(specs)), specs, strict=True)]
        first = known(size) if self._drop else None
        leaves = [TensorSpec(None if shape is None else (first, *shape), spec.dtype)
                  for (_, shape), spec in zip(shapes, specs, strict=True)]
        self._set(nest.pack_sequence_as(dataset.element_spec, leaves), (dataset,),
                  (size, *[vector for vector, _ in shapes], *fill))

    def _start(self, run: Run) -> Iterator[Any]:
        size, width = self._number(0), len(self._structure.tensors)
        check_batch_size(size)
        shapes = [tuple(x._value.tolist()) for x in self._tensors[1:1 + width]]
        fill = [x._value for x in self._tensors[1 + width:]]
        return _Stacked(self._input._start(run), size, self._drop,
                        lambda elements: [
                            _padded(list(column), shape, value, i) for i, (column, shape, value)
                            in enumerate(zip(zip(*elements, strict=True), shapes, fill,
                                             strict=True))])

    def _count(self) -> int:
        return batches(self._input._count(), self._number(0), self._drop)


def _flat_shapes(shapes: Any, outline: Any, specs: list) -> list:
    if shapes is None:
        for i, spec in enumerate(specs):
            if spec.shape.rank is None:
                raise ValueError(f"You must provide `padded_shapes` argument because component "
                                 f"{i} has unknown rank.")
        return [spec.shape for spec in specs]
    return nest.flatten_up_to(outline, shapes, check_types=False)


def _flat_values(values: Any, outline: Any, width: int) -> list:
    if values is None or (is_structure(outline) and not is_structure(values)):
        return [values] * width
    return nest.flatten_up_to(outline, values, check_types=False)


def _shape_vector(shape: Any, spec: TensorSpec) -> tuple[Tensor, tuple | None]:
    """A padded shape as an int64 vector with -1 for "as large as needed", and statically."""
    if not isinstance(shape, Tensor) and any(
            isinstance(n, Tensor) for n in (shape if isinstance(shape, (list, tuple)) else ())):
        parts = [n if isinstance(n, Tensor) else convert(-1 if n is None else n)
                 for n in shape]
        shape = convert([n if n.dtype.name == "int64" else cast(n, dtype=np.dtype("int64"))
                         for n in parts])
    if isinstance(shape, Tensor):
        if shape.ndim != 1:
            raise ValueError(f"Padded shape {shape} must be a `tf.int64` vector tensor, but its "
                             f"shape was {shape.shape}.")
        if shape.dtype.name not in ("int64", "int32"):
            raise TypeError(f"Padded shape {shape} must be a `tf.int64` vector tensor, but its "
                            f"element type was {shape.dtype.name}.")
        if shape.dtype.name == "int32":
            shape = cast(shape, dtype=np.dtype("int64"))
        if type(shape) is not Tensor:
            return shape, None if shape.shape[0] is None else (None,) * int(shape.shape[0])
        static = TensorShape([None if n < 0 else n for n in shape._value.tolist()])
    else:
        static = TensorShape([None if n is not None and not isinstance(n, TensorShape) and
                              n == -1 else n for n in shape]
                             if isinstance(shape, (list, tuple)) else shape)
    _check_padded(static, spec.shape)
    found = sizes(static) or ()
    return wrap(np.array([-1 if n is None else n for n in found], np.int64)), found


def _check_padded(static: TensorShape, shape: TensorShape) -> None:
    if static.rank is None or shape.rank is None:
        return
    if static.rank != shape.rank or any(
            m is not None and n is not None and m < n
            for m, n in zip(static.as_list(), shape.as_list(), strict=True)):
        raise ValueError(f"The padded shape {static} is not compatible with the shape {shape} of "
                         "the corresponding input component.")


def _padding(value: Any, spec: TensorSpec) -> Tensor:
    if value is None:
        return wrap(handle(b"") if spec.dtype.kind == "O" else spec.dtype.np.type(0))
    tensor = convert(value)
    if tensor.shape.rank:
        raise ValueError(f"Invalid `padding_values`. `padding_values` values should be scalars, "
                         f"but got {tensor.shape}.")
    if tensor.dtype != spec.dtype:
        raise TypeError(f"Invalid `padding_values`. `padding_values` values type "
                        f"{tensor.dtype!r} does not match type {spec.dtype!r} of the "
                        "corresponding input component.")
    return tensor


def _padded(values: list, wanted: tuple, fill: Any, component: int) -> np.ndarray:
    rank = values[0].ndim
    for value in values:
        if value.ndim != len(wanted) or value.ndim != rank:
            raise failed(f"All elements in a batch must have the same rank as the padded shape "
                         f"for component{component}: expected rank {len(wanted)} but got element "
                         f"with rank {value.ndim}")
    shape = []
    for axis, n in enumerate(wanted):
        most = max(value.shape[axis] for value in values)
        if n >= 0 and most > n:
            raise errors.DataLossError(
                None, None, "Attempted to pad to a smaller size than the input element. "
                            "[Op:IteratorGetNext]")
        shape.append(most if n < 0 else n)
    first = values[0]
    made = np.empty((len(values), *shape), first.dtype)
    made[...] = fill.item() if made.dtype.kind == "O" else fill
    for i, value in enumerate(values):
        place: Any = (i, *[slice(n) for n in value.shape])
        made[place] = value.item() if not rank and made.dtype.kind == "O" else value
    return made


@method
def padded_batch(self: DatasetV2, batch_size: Any, padded_shapes: Any = None,
                 padding_values: Any = None, drop_remainder: Any = False,
                 name: str | None = None) -> DatasetV2:
    """Batches of elements whose sizes differ, filled up with `padding_values` (0, "").

    >>> ds = tf.data.Dataset.range(1, 4).map(lambda n: tf.fill([n], n))
    >>> [x.numpy().tolist() for x in ds.padded_batch(2)]
    [[[1, 0], [2, 2]], [[3, 3, 3]]]
    """
    return _PaddedBatchDataset(self, batch_size, padded_shapes, padding_values, drop_remainder)


@method
def ragged_batch(self: DatasetV2, batch_size: Any, drop_remainder: Any = False,
                 row_splits_dtype: Any = dtypes.int64, name: str | None = None) -> DatasetV2:
    """Batches of elements whose sizes differ, as ragged tensors."""
    from tapeflow.data.elements.ragged_sparse import _DenseToRaggedDataset
    dataset = _DenseToRaggedDataset(self, row_splits_dtype)
    known_sizes = dataset.element_spec == self.element_spec
    return (self if known_sizes else dataset).batch(batch_size, drop_remainder)


@method
def sparse_batch(self: DatasetV2, batch_size: Any, row_shape: Any,
                 name: str | None = None) -> DatasetV2:
    """Batches of elements whose sizes differ, as sparse tensors of the given row shape."""
    from tapeflow.data.elements.ragged_sparse import _DenseToSparseBatchDataset
    return _DenseToSparseBatchDataset(self, batch_size, row_shape)


# -- the opposite ----------------------------------------------------------------------------------
@named("ops.unbatch_op")
class _UnbatchDataset(DatasetV2):
    """The rows of elements."""

    def __init__(self, dataset: DatasetV2):
        flat = [spec.shape[0] for spec in dataset._structure.tensors
                if spec.shape.rank] if dataset._structure.plain else []
        if len({n for n in flat if n is not None}) > 1:
            raise ValueError(f"`unbatch`: components have different numbers of rows: {flat}.")
        self._set(without_batch(dataset.element_spec, "unbatch"), (dataset,))

    def _start(self, run: Run) -> Iterator[Any]:
        return _Rows(self._input._start(run), self._input._structure, self._structure)

    def _count(self) -> int:
        size = self._input._count()
        if size <= 0:
            return size
        known_sizes = [spec.shape[0] for spec in self._input._structure.tensors
                       if spec.shape.rank and spec.shape[0] is not None]
        return size * known_sizes[0] if known_sizes else UNKNOWN


class _Rows(Engine):
    __slots__ = ("_input", "_now", "_single", "_whole")

    def __init__(self, elements: Iterator, whole: Structure, single: Structure):
        self._input, self._whole, self._single = elements, whole, single
        self._now: Iterator = iter(())

    def __next__(self) -> Any:
        while True:
            for values in self._now:
                return values
            found = next(self._input)
            if not self._whole.plain:
                from tapeflow.data.elements.ragged_sparse import rows_of
                self._now = rows_of(self._whole, self._single, list(found))
                continue
            if len({len(column) for column in found}) > 1:
                raise failed("Input element must have the same batch size in each component.")
            self._now = table_elements(list(found))


@method
def unbatch(self: DatasetV2, name: str | None = None) -> DatasetV2:
    """The rows of each element, one by one."""
    return _UnbatchDataset(self)


@named("ops.rebatch_op")
class _RebatchDataset(DatasetV2):
    """Batches of another size."""

    def __init__(self, dataset: DatasetV2, batch_size: Any, drop_remainder: bool):
        vector = convert(batch_size)
        vector = vector if vector.dtype.name == "int64" else cast(vector, dtype=np.dtype("int64"))
        if vector.ndim not in (0, 1):
            raise ValueError(f"Invalid `batch_size`. Expected a scalar or a vector but got a "
                             f"tensor of shape {vector.shape}.")
        for spec in dataset._structure.tensors:
            if spec.shape.rank == 0:
                raise ValueError("Invalid `batch_sizes`. Expected dataset with rank of >= 1 but "
                                 "found a dataset with scalar elements. Fix the issue by adding "
                                 "the `batch` transformation to the dataset.")
        self._drop = switch(drop_remainder, "drop_remainder")
        inner = without_batch(dataset.element_spec, "rebatch")
        sizes_given = set(np.atleast_1d(vector._value).tolist()) if type(vector) is Tensor else ()
        size = next(iter(sizes_given)) if len(sizes_given) == 1 else None
        rows = {spec.shape[0] if spec.shape.rank else None for spec in dataset._structure.tensors}
        whole = size is not None and size > 0 and all(n is not None and n % size == 0
                                                      for n in rows)
        static = size if self._drop or whole else None
        self._set(with_batch(inner, static, "rebatch"), (dataset,), (vector,))

    def _start(self, run: Run) -> Iterator[Any]:
        wanted = np.atleast_1d(self._tensors[0]._value).tolist()
        if min(wanted) < 1:
            raise errors.invalid("RebatchDatasetV2", "Batch sizes must be greater than zero.")
        return _Rebatched(self._input._start(run), wanted, self._drop)


class _Rebatched(Engine):
    __slots__ = ("_at", "_drop", "_reader", "_sizes")

    def __init__(self, elements: Iterator, wanted: list, drop: bool):
        self._reader, self._sizes, self._drop, self._at = _Remains(elements), wanted, drop, 0

    def __next__(self) -> list:
        size = self._sizes[self._at % len(self._sizes)]
        self._at += 1
        found = exactly(self._reader, size)
        if found is None or (self._drop and len(found[0]) < size):
            raise StopIteration
        return found


class _Remains:
    """A reader over batches."""

    __slots__ = ("_input", "_left")

    def __init__(self, elements: Iterator):
        self._input = elements
        self._left: list | None = None

    def read(self, n: int) -> list | None:
        while self._left is None or not len(self._left[0]):
            self._left = next(self._input, None)
            if self._left is None:
                return None
        found = [column[:n] for column in self._left]
        self._left = [column[n:] for column in self._left]
        return found


@method
def rebatch(self: DatasetV2, batch_size: Any, drop_remainder: bool = False,
            name: str | None = None) -> DatasetV2:
    """Batches of `batch_size` rows (a vector: sizes in turn) out of batches of other sizes."""
    return _RebatchDataset(self, batch_size, drop_remainder)


# -- windows ---------------------------------------------------------------------------------------
@named("ops.window_op")
class _WindowDataset(DatasetV2):
    """Datasets of neighbouring elements."""

    def __init__(self, dataset: DatasetV2, size: Any, shift: Any, stride: Any, drop: Any):
        numbers = (integer(size, "size"), integer(size if shift is None else shift, "shift"),
                   integer(stride, "stride"))
        for number, word in zip(numbers, ("size", "shift", "stride"), strict=True):
            if known(number) is not None and int(number._value) < 1:
                raise errors.invalid("WindowDataset",
                                     f"Window {word} must be greater than zero.")
        self._drop = switch(drop, "drop_remainder")
        self._set(map_leaves(DatasetSpec, dataset.element_spec), (dataset,), numbers)

    def _start(self, run: Run) -> Iterator[Any]:
        size, shift, stride = [self._number(i) for i in range(3)]
        return _Windows(self._input._start(run), self._input._structure, size, shift, stride,
                        self._drop)

    def _count(self) -> int:
        count = self._input._count()
        size, shift, stride = [self._number(i) for i in range(3)]
        if count < 0:
            return count
        if self._drop:
            span = (size - 1) * stride + 1
            return 0 if count < span else (count - span) // shift + 1
        return -(-count // shift)


class _Windows(Engine):
    __slots__ = ("_buffer", "_drop", "_ended", "_input", "_numbers", "_skip", "_specs", "_widths")

    def __init__(self, elements: Iterator, structure: Structure, size: int, shift: int,
                 stride: int, drop: bool):
        self._input, self._drop = elements, drop
        self._numbers = size, shift, stride
        self._specs = [Structure(leaf) for leaf in structure.leaves]
        self._widths = [len(parts) for parts in structure.components]
        self._buffer: deque = deque()
        self._skip, self._ended = 0, False

    def __next__(self) -> list:
        size, shift, stride = self._numbers
        span = (size - 1) * stride + 1
        while not self._ended and (self._skip or len(self._buffer) < span):
            for values in self._input:
                if self._skip:
                    self._skip -= 1
                else:
                    self._buffer.append(values)
                break
            else:
                self._ended = True
        if not self._buffer or (self._drop and len(self._buffer) < span):
            raise StopIteration
        members = [self._buffer[i] for i in range(0, min(span, len(self._buffer)), stride)]
        for _ in range(shift):
            if self._buffer:
                self._buffer.popleft()
            elif not self._ended:
                self._skip += 1
        return self._datasets(members)

    def _datasets(self, members: list) -> list:
        found, start = [], 0
        for structure, width in zip(self._specs, self._widths, strict=True):
            found.append(handle(_ValuesDataset(
                structure, [list(one[start:start + width]) for one in members])))
            start += width
        return found


@method
def window(self: DatasetV2, size: Any, shift: Any = None, stride: Any = 1,
           drop_remainder: Any = False, name: str | None = None) -> DatasetV2:
    """Datasets of `size` elements each, `stride` apart, beginning every `shift` elements.

    >>> [[int(x) for x in w] for w in tf.data.Dataset.range(5).window(3, shift=2)]
    [[0, 1, 2], [2, 3, 4], [4]]
    """
    return _WindowDataset(self, size, shift, stride, drop_remainder)

