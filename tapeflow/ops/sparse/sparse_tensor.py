"""SparseTensor: the coordinates and values of what is not zero, and the dense shape.

The class and its description. May be imported by other modules of `ops`.
"""

from __future__ import annotations

from collections import namedtuple
from typing import Any

import numpy as np

from tapeflow.base import dtypes
from tapeflow.base.attributes import shown
from tapeflow.base.dtypes import DType
from tapeflow.base.exports import export, publish
from tapeflow.base.shapes import TensorShape
from tapeflow.base.specs import CompositeSpec, TensorSpec
from tapeflow.core.record.families import operand
from tapeflow.core.record.op import shape_of
from tapeflow.core.record.primitive_ops import static
from tapeflow.core.values.composite import Composite, Dispatcher
from tapeflow.core.values.convert import shape_tuple
from tapeflow.core.values.tensor import Tensor, wrap
from tapeflow.ops.array import shaping

dispatcher = Dispatcher()
SparseTensorValue = namedtuple("SparseTensorValue", ["indices", "values", "dense_shape"])
publish(SparseTensorValue, "compat.v1.SparseTensorValue")


@export("sparse.SparseTensor", "SparseTensor")
class SparseTensor(Composite):
    """A tensor of which only some values are stored: `values[i]` stands at `indices[i]`.

    >>> tf.sparse.to_dense(tf.SparseTensor([[0, 1]], [5], [2, 2]))
    <tf.Tensor: shape=(2, 2), dtype=int32, numpy=
    array([[0, 5],
           [0, 0]], dtype=int32)>
    """

    __slots__ = ("_dense_shape", "_indices", "_static", "_values", "__dict__", "__weakref__")
    __array_priority__ = 100
    _counts_as_tensor = True
    _dispatcher = dispatcher

    def __init__(self, indices: Any, values: Any, dense_shape: Any):
        self._indices = operand(indices, None if isinstance(indices, Tensor) else dtypes.int64)
        self._values = operand(values)
        if isinstance(dense_shape, TensorShape):
            dense_shape = dense_shape.as_list()
        if isinstance(dense_shape, Tensor):
            self._dense_shape = dense_shape
        else:
            self._dense_shape = operand(dense_shape, dtypes.int64)
        for name, x in (("indices", self._indices), ("dense_shape", self._dense_shape)):
            if x.dtype != dtypes.int64:
                raise ValueError(f"Tensor conversion requested dtype int64 for Tensor with dtype "
                                 f"{x.dtype.name}: SparseTensor's `{name}`")
        if self._values.ndim is None:
            self._values = shaping.ensure_shape(self._values, [None])
        if self._indices.ndim is None:
            self._indices = shaping.ensure_shape(self._indices, [None, None])
        if self._dense_shape.ndim is None:
            self._dense_shape = shaping.ensure_shape(self._dense_shape, [None])
        self._static: TensorShape | None = None
        if isinstance(dense_shape, (list, tuple)) and self._dense_shape._interpreter is not None:
            self._static = TensorShape([n if isinstance(n, int) else None for n in dense_shape])
        self._check()

    def _check(self) -> None:
        for name, x, rank in (("indices", self._indices, 2), ("values", self._values, 1),
                              ("dense_shape", self._dense_shape, 1)):
            if x.ndim is not None and x.ndim != rank:
                raise ValueError(f"Shape {x.shape} must have rank {rank} (SparseTensor's {name})")
        (count, rank), values = shape_of(self._indices), shape_of(self._values)[0]
        own = shape_of(self._dense_shape)[0]
        sizes = self._dense_shape
        if sizes._interpreter is None and sizes._value.min(initial=0) < -1:  # -1 is an unknown one
            raise ValueError(f"Dimension {sizes._value.min()} must be >= 0")
        if count is not None and values is not None and count != values:
            raise ValueError(f"Dimensions {count} and {values} are not compatible")
        if rank is not None and own is not None and rank != own:
            raise ValueError(f"Dimensions {rank} and {own} are not compatible")

    @classmethod
    def from_value(cls, sparse_tensor_value: Any) -> SparseTensor:
        """A SparseTensor of a SparseTensorValue, or itself."""
        if isinstance(sparse_tensor_value, SparseTensor):
            return sparse_tensor_value
        if not isinstance(sparse_tensor_value, SparseTensorValue):
            raise TypeError(f"Argument sparse_tensor_value={sparse_tensor_value} is neither a "
                            "SparseTensor nor SparseTensorValue.")
        return cls(*sparse_tensor_value)

    # -- parts -------------------------------------------------------------------------------------
    @property
    def indices(self) -> Tensor:
        return self._indices

    @property
    def values(self) -> Tensor:
        return self._values

    @property
    def dense_shape(self) -> Tensor:
        return self._dense_shape

    @property
    def dtype(self) -> DType:
        return self._values.dtype

    @property
    def shape(self) -> TensorShape:
        shape = self._dense_shape
        if isinstance(shape, Tensor) and shape._interpreter is None:
            return TensorShape(shape._value.tolist())
        if self._static is not None:
            return self._static
        return TensorShape(static(shape))

    def get_shape(self) -> TensorShape:
        return self.shape

    def set_shape(self, shape: Any) -> None:
        self._static = self.shape.merge_with(shape)

    @property
    def _sizes(self) -> Any:
        """The dense shape as an attribute of ops: a tuple, or a Tensor of a trace."""
        static = self.shape
        return tuple(static.as_list()) if static.is_fully_defined() else shape_tuple(
            self._dense_shape)

    def with_values(self, new_values: Any) -> SparseTensor:
        """The same coordinates with other values."""
        new = operand(new_values)
        if new.ndim != 1:
            raise ValueError(f"Shape {new.shape} must have rank 1")
        self._indices.shape[:1].assert_is_compatible_with(new.shape)
        return sparse(self._indices, new, self._dense_shape, self._static)

    @property
    def op(self) -> Any:
        return self._values.op

    @property
    def graph(self) -> Any:
        return self._indices.graph

    def eval(self, feed_dict: Any = None, session: Any = None) -> Any:
        return self._values.eval(feed_dict, session)

    def consumers(self) -> list:
        return []

    def __str__(self) -> str:
        return (f"SparseTensor(indices={self._indices!s}, values={self._values!s}, "
                f"dense_shape={self._dense_shape!s})")

    __repr__ = __str__

    def __reduce__(self) -> tuple:
        return sparse, (self._indices, self._values, self._dense_shape)

    # -- a composite -------------------------------------------------------------------------------
    def _print_parts(self, summarize: int) -> list:
        return ["'SparseTensor(indices=", self._indices, ", values=", self._values, ", shape=",
                self._dense_shape, ")'"]

    @property
    def _type_spec(self) -> SparseTensorSpec:
        return SparseTensorSpec(self.shape, self.dtype)


SparseTensor.__module__ = "tensorflow.python.framework.sparse_tensor"


def sparse(indices: Any, values: Any, dense_shape: Any, static: Any = None) -> SparseTensor:
    """A SparseTensor of parts that are known to fit."""
    made = object.__new__(SparseTensor)
    if not isinstance(dense_shape, (Tensor, TensorSpec)):
        dense_shape = wrap(np.array(dense_shape, np.int64).reshape(-1))
    made._indices, made._values, made._dense_shape = indices, values, dense_shape
    made._static = static
    return made


def as_sparse(value: Any, name: str = "sp_input") -> SparseTensor:
    """An argument that must be sparse."""
    if isinstance(value, SparseTensorValue):
        return SparseTensor(*value)
    if not isinstance(value, SparseTensor):
        raise TypeError(f"Input must be a SparseTensor. ({name} is {shown(value)})")
    return value


@export("SparseTensorSpec")
class SparseTensorSpec(CompositeSpec):
    """The type of a SparseTensor: its dense shape and dtype."""

    __slots__ = ("_dtype", "_shape")
    value_type = SparseTensor

    def __init__(self, shape: Any = None, dtype: Any = dtypes.float32):
        self._shape, self._dtype = TensorShape(shape), dtypes.as_dtype(dtype)

    @property
    def shape(self) -> TensorShape:
        return self._shape

    @property
    def dtype(self) -> DType:
        return self._dtype

    @classmethod
    def from_value(cls, value: Any) -> SparseTensorSpec:
        if isinstance(value, SparseTensor):
            return cls(value.shape, value.dtype)
        if isinstance(value, SparseTensorValue):
            return cls.from_value(SparseTensor(*value))
        raise TypeError("Expected SparseTensor or SparseTensorValue")

    def _serialize(self) -> tuple:
        return self._shape, self._dtype

    @property
    def _component_specs(self) -> list:
        rank = self._shape.rank
        return [TensorSpec([None, rank], dtypes.int64), TensorSpec([None], self._dtype),
                TensorSpec([rank], dtypes.int64)]

    def _to_components(self, value: Any) -> list:
        if isinstance(value, SparseTensorValue):
            value = SparseTensor(*value)
        return [value._indices, value._values, value._dense_shape]

    def _from_components(self, components: Any) -> Any:
        indices, values, shape = components
        static = self._shape if self._shape.rank is not None else None
        return sparse(indices, values, shape, static)


SparseTensorSpec.__module__ = "tensorflow.python.framework.sparse_tensor"
