"""Batches of elements whose sizes differ, as ragged or sparse tensors."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from tapeflow.base import dtypes, nest
from tapeflow.base.shapes import TensorShape
from tapeflow.base.specs import TensorSpec
from tapeflow.core import state as states
from tapeflow.core.values.tensor import wrap
from tapeflow.data.class_names import named
from tapeflow.data.dataset import DatasetV2
from tapeflow.data.elements.parameters import integer
from tapeflow.data.elements.ragged_sparse import _stack_sparse
from tapeflow.data.elements.structure import Structure, sizes
from tapeflow.data.iterators.iteration import ElementIterator, Run, failed
from tapeflow.data.transforms.batch_unbatch import _Stacked
from tapeflow.ops.ragged.ragged_tensor import RaggedTensor, RaggedTensorSpec
from tapeflow.ops.sparse.sparse_tensor import SparseTensorSpec


@named("ops.ragged_batch_op")
class _DenseToRaggedDataset(DatasetV2):
    """Tensors of unknown sizes as ragged ones, which can be batched."""

    def __init__(self, dataset: DatasetV2, splits: Any):
        self._splits = dtypes.as_dtype(splits)
        self._set(nest.map_structure(self._ragged_spec, dataset.element_spec), (dataset,))

    def _ragged_spec(self, spec: Any) -> Any:
        known = sizes(spec.shape) if isinstance(spec, TensorSpec) else None
        if known is None or None not in known:
            return spec
        level = max(axis for axis, n in enumerate(known) if n is None)
        return RaggedTensorSpec(spec.shape, spec.dtype, level, self._splits)

    def _start(self, run: Run) -> Iterator[Any]:
        return _Raggeds(self._input._start(run), self._structure)

    def _cardinality(self) -> int:
        return self._input._cardinality()


class _Raggeds(ElementIterator):
    __slots__ = ("_input", "_structure")

    def __init__(self, elements: Iterator, structure: Structure):
        self._input, self._structure = elements, structure

    def __next__(self) -> list:
        found: list[Any] = []
        values = iter(next(self._input))
        for spec, parts in zip(self._structure.leaves, self._structure.components, strict=True):
            if isinstance(spec, RaggedTensorSpec) and spec.ragged_rank:
                with states.only(()):
                    made = RaggedTensor.from_tensor(wrap(next(values)),
                                                    ragged_rank=spec.ragged_rank)
                    found += [x._value for x in spec._to_components(made)]
            else:
                found += [next(values) for _ in parts]
        return found


@named("ops.sparse_batch_op")
class _DenseToSparseBatchDataset(DatasetV2):
    """Batches of elements of different sizes, as sparse tensors."""

    def __init__(self, dataset: DatasetV2, batch_size: Any, row_shape: Any):
        spec = dataset.element_spec
        if not isinstance(spec, TensorSpec):
            raise TypeError(f"`dense_to_sparse_batch` requires an input dataset whose elements "
                            f"are single tensors, got {spec!r}.")
        self._row = TensorShape(row_shape)
        shape = (None, *(sizes(self._row) or ()))
        self._set(SparseTensorSpec(shape, spec.dtype), (dataset,),
                  (integer(batch_size, "batch_size"),))

    def _start(self, run: Run) -> Iterator[Any]:
        return _Stacked(self._input._start(run), self._parameter(0), False, self._sparse)

    def _sparse(self, elements: list) -> list:
        wanted = self._row.as_list()
        for (value,) in elements:
            if value.ndim != len(wanted):
                raise self._incompatible(value)
        most = [max(one[0].shape[axis] for one in elements) if n is None else n
                for axis, n in enumerate(wanted)]
        column = []
        for (value,) in elements:
            if any(m > n for m, n in zip(value.shape, most, strict=True)):
                raise self._incompatible(value)
            coords = np.indices(value.shape).reshape(value.ndim, -1).T.astype(np.int64)
            column.append([coords, value.reshape(-1), np.array(most, np.int64)])
        return _stack_sparse(column)

    def _incompatible(self, value: np.ndarray) -> Exception:
        return failed(f"Input element had shape {list(value.shape)} that is incompatible with the "
                      f"row shape {self._row}.")
