"""IndexedSlices: rows of a large tensor, as the gradient of gather and embedding look-ups.

During a walk on bare values the three parts are bare too; `wrap_gradient` makes them public.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from tapeflow.base import dtypes, nest
from tapeflow.base.exports import export
from tapeflow.base.shapes import TensorShape
from tapeflow.base.specs import CompositeSpec, TensorSpec
from tapeflow.core.record.primitive_ops import cast, concat
from tapeflow.core.record.row_ops import scatter_rows
from tapeflow.core.values.convert import convert, register_tensor_conversion_function
from tapeflow.core.values.tensor import CompositeTensor, Tensor, wrap


@export("IndexedSlices")
class IndexedSlices(CompositeTensor):
    """`values[i]` belongs to row `indices[i]` of a tensor of `dense_shape`; rows may repeat."""

    __slots__ = ("_dense_shape", "_indices", "_values", "__dict__", "__weakref__")
    _counts_as_tensor = True

    def __init__(self, values: Any, indices: Any, dense_shape: Any = None):
        self._values = values
        self._indices = indices
        self._dense_shape = dense_shape

    @property
    def values(self) -> Any:
        return self._values

    @property
    def indices(self) -> Any:
        return self._indices

    @property
    def dense_shape(self) -> Any:
        return self._dense_shape

    @property
    def shape(self) -> TensorShape:
        if self._dense_shape is None:
            return TensorShape(None)
        return TensorShape([int(n) for n in rows_shape(self)])

    @property
    def dtype(self) -> Any:
        return self._values.dtype

    @property
    def device(self) -> str:
        return self._values.device

    @property
    def name(self) -> str:
        return self._values.name

    def get_shape(self) -> TensorShape:
        return self.shape

    @property
    def _type_spec(self) -> IndexedSlicesSpec:
        shape = self._dense_shape
        return IndexedSlicesSpec(self.shape, self.dtype, self._indices.dtype,
                                 None if shape is None else shape.dtype, self._indices.shape)

    def consumers(self) -> list:
        return []

    def __neg__(self) -> IndexedSlices:
        return IndexedSlices(-self._values, self._indices, self._dense_shape)

    def __str__(self) -> str:
        shape = "" if self._dense_shape is None else f", dense_shape={self._dense_shape!s}"
        return f"IndexedSlices(indices={self._indices!s}, values={self._values!s}{shape})"

    __repr__ = __str__


@export("IndexedSlicesSpec")
class IndexedSlicesSpec(CompositeSpec):
    """The type of IndexedSlices: dense shape and dtype, dtypes of the indices and of the shape."""

    __slots__ = ("_dense_shape_dtype", "_dtype", "_indices_dtype", "_indices_shape", "_shape")
    value_type = IndexedSlices

    def __init__(self, shape: Any = None, dtype: Any = dtypes.float32,
                 indices_dtype: Any = dtypes.int64, dense_shape_dtype: Any = None,
                 indices_shape: Any = None):
        self._shape, self._dtype = TensorShape(shape), dtypes.as_dtype(dtype)
        self._indices_dtype = dtypes.as_dtype(indices_dtype)
        self._dense_shape_dtype = None if dense_shape_dtype is None else dtypes.as_dtype(
            dense_shape_dtype)
        self._indices_shape = TensorShape(
            [None] if indices_shape is None else indices_shape).with_rank(1)

    def _serialize(self) -> tuple:
        return (self._shape, self._dtype, self._indices_dtype, self._dense_shape_dtype,
                self._indices_shape)

    @property
    def _component_specs(self) -> list:
        rows = self._indices_shape.as_list()
        inner = None if self._shape.rank is None else [*rows, *self._shape.as_list()[1:]]
        specs = [TensorSpec(inner, self._dtype), TensorSpec(rows, self._indices_dtype)]
        if self._dense_shape_dtype is not None:
            specs.append(TensorSpec([self._shape.rank], self._dense_shape_dtype))
        return specs

    def _to_components(self, value: IndexedSlices) -> list:
        return _parts(value)

    def _from_components(self, components: Any) -> IndexedSlices:
        return IndexedSlices(*components)


IndexedSlicesSpec.__module__ = "tensorflow.python.framework.indexed_slices"


def _parts(slices: IndexedSlices) -> list:
    shape = [] if slices._dense_shape is None else [slices._dense_shape]
    return [slices._values, slices._indices, *shape]


def _rebuilt(slices: IndexedSlices, parts: list) -> IndexedSlices:
    return IndexedSlices(*parts)


nest.register_composite(IndexedSlices, _parts, _rebuilt)


def rows_shape(slices: IndexedSlices) -> tuple:
    """The dense shape as a tuple of ints."""
    shape = slices._dense_shape
    if shape is None:
        raise ValueError("IndexedSlices without dense_shape cannot be made dense: "
                         "give dense_shape=.")
    if isinstance(shape, Tensor):
        shape = shape._value
    return tuple(int(n) for n in shape)


def densify(slices: IndexedSlices) -> Any:
    """The whole tensor: rows that repeat are summed, rows that are missing are zero."""
    shape = slices._dense_shape
    if not isinstance(shape, Tensor) or shape._interpreter is None:
        shape = rows_shape(slices)
    indices = slices._indices
    if isinstance(indices, (list, tuple)):  # as users write them
        indices = convert(indices)
    return scatter_rows(slices._values, indices, shape=shape)


def _to_tensor(value: IndexedSlices, dtype: Any = None, name: Any = None,
               as_ref: bool = False) -> Any:
    return densify(value)


register_tensor_conversion_function(IndexedSlices, _to_tensor)


def add_gradients(a: Any, b: Any) -> Any:
    """Sum of two gradients; two sparse ones are joined, not merged."""
    if type(a) is not IndexedSlices and type(b) is not IndexedSlices:
        return a + b
    if type(a) is IndexedSlices:
        if type(b) is IndexedSlices:
            values = concat(a._values, b._values, axis=0)
            return IndexedSlices(values, _join(a._indices, b._indices), a._dense_shape)
        a = densify(a)
    else:
        b = densify(b)
    return a + b


def _join(a: Any, b: Any) -> Any:
    """Indices of both; they keep their dtype, the wider of two."""
    if isinstance(a, Tensor) or isinstance(b, Tensor):
        if a.dtype != b.dtype:
            a, b = cast(a, dtype=np.dtype("int64")), cast(b, dtype=np.dtype("int64"))
        return concat(a, b, axis=0)
    return np.concatenate([a, b])


def wrap_gradient(g: Any) -> Any:
    """A bare gradient as users see it."""
    if isinstance(g, Tensor):
        return g
    if type(g) is IndexedSlices:
        if isinstance(g._values, Tensor) and not isinstance(g._dense_shape, tuple):
            return g
        shape = g._dense_shape
        if not isinstance(shape, Tensor) and shape is not None:
            shape = wrap(np.asarray(shape, np.int32))
        return IndexedSlices(wrap_gradient(g._values), wrap_gradient(g._indices), shape)
    return wrap(g)
