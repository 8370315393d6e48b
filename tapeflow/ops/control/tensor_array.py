"""tf.TensorArray: a list of tensors that grows by writes and is joined by `stack` or `concat`.

Eagerly the tensors just stand in a Python list, so gradients need nothing more than those of the
ops that join and part them. May be imported by the other modules of `ops`.
"""

from __future__ import annotations

import types
from typing import Any

import numpy as np

from tapeflow.base import dtypes, errors
from tapeflow.base.attributes import looking_like, shown
from tapeflow.base.dtypes import DType
from tapeflow.base.exception_origin import unsignalled
from tapeflow.base.exports import export
from tapeflow.base.shapes import TensorShape
from tapeflow.core.record.families import operand
from tapeflow.core.record.op import shape_of
from tapeflow.core.record.primitive_ops import concat, cut, stack
from tapeflow.core.state import state
from tapeflow.core.values.convert import convert
from tapeflow.core.values.tensor import Tensor, wrap
from tapeflow.ops._support.arguments import affordable, integers
from tapeflow.ops.array.joining import unstack


class _Unbound(type):
    """TensorArray.stack(array) is array.stack(), of whichever kind the array is."""

    def __getattribute__(cls, name: str) -> Any:
        found = super().__getattribute__(name)
        if name.startswith("_") or not isinstance(found, types.FunctionType):
            return found

        def unbound(array: Any, *args: Any, **kwargs: Any) -> Any:
            return getattr(array, name)(*args, **kwargs)

        return looking_like(found, unbound)


@export("TensorArray")
class TensorArray(metaclass=_Unbound):
    """Tensors of one dtype by index, written once and read once (unless `clear_after_read=False`).

    >>> squares = tf.TensorArray(tf.float32, size=3)
    >>> for i in range(3):
    ...     squares = squares.write(i, float(i * i))
    >>> squares.stack()
    <tf.Tensor: shape=(3,), dtype=float32, numpy=array([0., 1., 4.], dtype=float32)>

    Eagerly `write` and its like change this array and return it; go on with what they return, as
    inside a tf.function, where they do not.
    """

    def __new__(cls, *args: Any, **kwargs: Any) -> Any:
        if cls is TensorArray and state.trace is not None:
            return object.__new__(state.trace.tensor_array_type())
        return object.__new__(cls)

    def __init__(self, dtype: Any, size: Any = None, dynamic_size: bool | None = None,
                 clear_after_read: bool | None = None, tensor_array_name: str | None = None,
                 handle: Any = None, flow: Any = None, infer_shape: bool = True,
                 element_shape: Any = None, colocate_with_first_write_call: bool = True,
                 name: str | None = None):
        if handle is not None:
            raise ValueError("tf.TensorArray: `handle` belongs to graphs; there is none eagerly.")
        if size is None:
            raise ValueError("tf.TensorArray: `size` must be given.")
        self._dtype = dtypes.as_dtype(dtype)
        self._dynamic = bool(dynamic_size)
        self._clears = clear_after_read is None or clear_after_read
        self._infers = infer_shape
        self._element_shape = TensorShape(element_shape)
        count = max(_integer(size, "size"), 0)
        affordable((count,), "TensorArrayV3", 1 << 30)
        self._items: list[Tensor | None] = [None] * count
        self._read: set[int] = set()

    # -- what it is ------------------------------------------------------------------------------
    @property
    def dtype(self) -> DType:
        return self._dtype

    @property
    def dynamic_size(self) -> bool:
        return self._dynamic

    @property
    def element_shape(self) -> TensorShape:
        return self._element_shape

    @property
    def handle(self) -> None:
        return None

    @property
    def flow(self) -> Tensor:
        return wrap(np.int32(0))

    def size(self, name: str | None = None) -> Tensor:
        """The number of elements, written or not."""
        return wrap(np.int32(len(self._items)))

    def identity(self) -> TensorArray:
        return self

    def grad(self, source: str, flow: Any = None, name: str | None = None) -> Any:
        raise NotImplementedError("TensorArray.grad belongs to graphs: eager gradients need none.")

    # -- one element -----------------------------------------------------------------------------
    def read(self, index: Any, name: str | None = None) -> Tensor:
        """The tensor at `index`; unless `clear_after_read=False` it can be read only once."""
        at = _integer(index, "index")
        if not 0 <= at < len(self._items):
            raise _out_of_range("read", at, len(self._items))
        if self._items[at] is None and at in self._read:
            raise errors.InvalidArgumentError(None, None, (
                f"TensorArray.read: index {at} was read and cleared before. Create the array with "
                "clear_after_read=False to read it again."))
        tensor = self._at(at)
        if self._clears:
            self._items[at] = None
            self._read.add(at)
        return tensor

    def write(self, index: Any, value: Any, name: str | None = None) -> TensorArray:
        """Put `value` at `index`, growing the array if its size is dynamic."""
        at = _integer(index, "index")
        if at < 0 or (at >= len(self._items) and not self._dynamic):
            raise _out_of_range("write", at, len(self._items))
        tensor = self._fitting(value)
        self._items.extend([None] * (at + 1 - len(self._items)))
        self._items[at] = tensor
        return self

    def _fitting(self, value: Any) -> Tensor:
        """`value` as an element, of this dtype and a shape that the others allow."""
        tensor = convert(value, hint=self._dtype)
        if tensor.dtype != self._dtype:
            raise errors.InvalidArgumentError(None, None, (
                f"TensorArray.write: the array has dtype {self._dtype.name}, the value "
                f"{tensor.dtype.name}."))
        if not self._element_shape.is_compatible_with(tensor.shape):
            raise ValueError(f"TensorArray.write: a value of shape {tensor.shape} does not fit the "
                             f"element shape {self._element_shape}.")
        if self._infers:
            self._element_shape = self._element_shape.merge_with(tensor.shape)
        return tensor

    def _at(self, at: int) -> Tensor:
        """The element, which is zeros if nobody wrote it."""
        tensor = self._items[at]
        if tensor is None:
            if not self._element_shape.is_fully_defined():
                raise ValueError(f"TensorArray: element {at} was never written, and zeros cannot "
                                 f"stand for it: the element shape is {self._element_shape}.")
            tensor = self._items[at] = wrap(_zeros(tuple(self._element_shape.as_list()),
                                                   self._dtype))
        return tensor

    # -- all elements ----------------------------------------------------------------------------
    def stack(self, name: str | None = None) -> Tensor:
        """All elements along a new first axis."""
        if not self._items:
            shape = self._element_shape
            known = shape.as_list() if shape.is_fully_defined() else ()
            return wrap(_zeros((0, *known), self._dtype))
        return stack(*[self._at(i) for i in range(len(self._items))], axis=0)

    def gather(self, indices: Any, name: str | None = None) -> Tensor:
        """The elements at `indices` along a new first axis."""
        tensors = [self._at(i) for i in _integers(indices)]
        return stack(*tensors, axis=0) if tensors else wrap(np.zeros(0, np.float32))

    def concat(self, name: str | None = None) -> Tensor:
        """All elements joined along their first axis."""
        tensors = [self._at(i) for i in range(len(self._items))]
        if not tensors:
            raise errors.invalid("ConcatV2", "TensorArray.concat: the array has no elements")
        for i, tensor in enumerate(tensors):
            if not tensor.ndim:
                raise errors.invalid("ConcatV2", f"TensorArray.concat: element {i} is a scalar; "
                                                 "joining needs vectors or more")
        return concat(*tensors, axis=0)

    def unstack(self, value: Any, name: str | None = None) -> TensorArray:
        """Replace all elements by the rows of `value`."""
        tensors = unstack(operand(value))
        if len(tensors) > len(self._items) and not self._dynamic:
            raise ValueError(f"TensorArray.unstack: {len(tensors)} rows do not fit an array of "
                             f"size {len(self._items)}.")
        self._items = list(tensors)
        return self

    def scatter(self, indices: Any, value: Any, name: str | None = None) -> TensorArray:
        """Write the rows of `value` at `indices`."""
        for index, tensor in zip(_integers(indices), unstack(operand(value))):
            self.write(index, tensor)
        return self

    def split(self, value: Any, lengths: Any, name: str | None = None) -> TensorArray:
        """Replace all elements by consecutive pieces of `value`, of the given `lengths`."""
        value = operand(value, hint=self._dtype)
        pieces = self._lengths(shape_of(value), operand(lengths))
        starts = np.cumsum([0, *pieces]).tolist()
        self._items = [cut(value, axis=0, start=start, size=size)
                       for start, size in zip(starts, pieces)]
        return self

    def _lengths(self, shape: tuple, lengths: Tensor) -> list[int]:
        problem = None
        if lengths.ndim != 1:
            problem = f"`lengths` must be a vector, got shape {lengths.shape}"
        elif not shape:
            problem = "`value` must be a vector or more, got a scalar"
        elif int(lengths._value.sum()) != shape[0]:
            problem = (f"`lengths` sum to {int(lengths._value.sum())}, but the first axis of "
                       f"`value` has {shape[0]}")
        elif len(lengths._value) != len(self._items) and not self._dynamic:
            problem = f"{len(lengths._value)} pieces for an array of size {len(self._items)}"
        if problem:
            raise errors.invalid("TensorArraySplitV3", f"TensorArray.split: {problem}")
        return lengths._value.tolist()

    def close(self, name: str | None = None) -> None:
        """Drop all elements."""
        self._items.clear()


def _zeros(shape: tuple, dtype: DType) -> Any:
    return np.full(shape, b"", object) if dtype.kind == "O" else np.zeros(shape, dtype.np)


def _integer(x: Any, what: str) -> int:
    """An index or size; floats and strings are a TypeError."""
    try:
        return x.__index__()
    except unsignalled(AttributeError, TypeError):
        raise TypeError(f"TensorArray: `{what}` must be an integer scalar, got {shown(x)}."
                        ) from None


def _integers(x: Any) -> list[int]:
    return integers(x, "TensorListGather", "indices")._value.tolist() if len(x) else []


def _out_of_range(action: str, index: int, size: int) -> errors.OutOfRangeError:
    return errors.OutOfRangeError(None, None, f"TensorArray.{action}: index {index} is outside an "
                                              f"array of size {size}.")
