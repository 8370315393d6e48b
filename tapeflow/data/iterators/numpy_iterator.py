"""Dataset.as_numpy_iterator: elements as NumPy values."""

from __future__ import annotations

from typing import Any

import numpy as np

from tapeflow.base import nest
from tapeflow.base.exports import export
from tapeflow.base.specs import TensorSpec
from tapeflow.core.state import state
from tapeflow.data.class_names import named
from tapeflow.data.dataset import DatasetV2, method
from tapeflow.data.elements.structure import NoneTensorSpec


@export("data.NumpyIterator")
@named("ops.dataset_ops")
class NumpyIterator:
    """An iterator whose elements are NumPy values."""

    __slots__ = ("_iterator",)

    def __init__(self, dataset: DatasetV2):
        if state.trace is not None:
            raise RuntimeError("`tf.data.Dataset.as_numpy_iterator()` is only supported in eager "
                               "mode.")
        if not isinstance(dataset, DatasetV2):
            raise TypeError(f"{type(dataset).__name__!r} object is not a dataset")
        for spec in dataset._structure.leaves:
            if not isinstance(spec, (TensorSpec, NoneTensorSpec)) and not hasattr(
                    spec.value_type, "numpy") and type(spec).__name__ != "SparseTensorSpec":
                raise TypeError(f"`tf.data.Dataset.as_numpy_iterator()` is not supported for "
                                f"datasets that produce values of type {spec.value_type}.")
        self._iterator = iter(dataset)

    def __repr__(self) -> str:
        return f"NumpyIterator(iterator={self._iterator!r})"

    def __iter__(self) -> NumpyIterator:
        return self

    def __next__(self) -> Any:
        return nest.map_structure(_numpy, next(self._iterator))

    def next(self) -> Any:
        return self.__next__()


def _numpy(x: Any) -> Any:
    if x is None or not hasattr(x, "numpy"):
        return x
    value = x.numpy()
    if isinstance(value, np.ndarray):
        value.setflags(write=False)
    return value


@method
def as_numpy_iterator(self: DatasetV2) -> NumpyIterator:
    """An iterator that converts all tensors to NumPy."""
    return NumpyIterator(self)
