"""Batches of elements whose sizes differ: padded_batch; ragged_batch and sparse_batch, whose
datasets are loaded when they are asked for."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from tapeflow.base import dtypes, errors, nest
from tapeflow.base.shapes import TensorShape
from tapeflow.base.specs import TensorSpec
from tapeflow.core.record.primitive_ops import cast
from tapeflow.core.values.convert import convert
from tapeflow.core.values.tensor import Tensor, wrap
from tapeflow.data.class_names import named
from tapeflow.data.dataset import DatasetSpec, DatasetV2, method
from tapeflow.data.elements.handles import handle
from tapeflow.data.elements.parameters import integer, known, switch
from tapeflow.data.elements.structure import is_structure, map_leaves, sizes
from tapeflow.data.iterators.iteration import Run, failed
from tapeflow.data.transforms.batch_unbatch import _Stacked, batches, check_batch_size


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

    @property
    def _batch_size(self) -> Tensor:
        """How many elements a batch has; Keras 2 asks for it."""
        return self._tensors[0]

    def _start(self, run: Run) -> Iterator[Any]:
        size, width = self._parameter(0), len(self._structure.tensors)
        check_batch_size(size)
        shapes = [tuple(x._value.tolist()) for x in self._tensors[1:1 + width]]
        fill = [x._value for x in self._tensors[1 + width:]]
        return _Stacked(self._input._start(run), size, self._drop,
                        lambda elements: [
                            _padded(list(column), shape, value, i) for i, (column, shape, value)
                            in enumerate(zip(zip(*elements, strict=True), shapes, fill,
                                             strict=True))])

    def _cardinality(self) -> int:
        return batches(self._input._cardinality(), self._parameter(0), self._drop)


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
        region: Any = (i, *[slice(n) for n in value.shape])
        made[region] = value.item() if not rank and made.dtype.kind == "O" else value
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
    from tapeflow.data.transforms.ragged_sparse_batch import _DenseToRaggedDataset
    dataset = _DenseToRaggedDataset(self, row_splits_dtype)
    known_sizes = dataset.element_spec == self.element_spec
    return (self if known_sizes else dataset).batch(batch_size, drop_remainder)


@method
def sparse_batch(self: DatasetV2, batch_size: Any, row_shape: Any,
                 name: str | None = None) -> DatasetV2:
    """Batches of elements whose sizes differ, as sparse tensors of the given row shape."""
    from tapeflow.data.transforms.ragged_sparse_batch import _DenseToSparseBatchDataset
    return _DenseToSparseBatchDataset(self, batch_size, row_shape)
