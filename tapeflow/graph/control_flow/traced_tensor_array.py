"""tf.TensorArray inside a tf.function: a buffer tensor with one row an element.

Unlike the eager one it never changes: `write` and its like return a new array. The buffer is made
when the shape of an element is known: given, written, or found when a loop's body was traced.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from tapeflow.base import dtypes, errors, nest
from tapeflow.base.late import LateModule, LatePublic
from tapeflow.base.shapes import TensorShape
from tapeflow.core.record.families import operand
from tapeflow.core.record.op import shape_of
from tapeflow.core.record.primitive_ops import expand, reshape
from tapeflow.core.record.row_ops import gather_rows
from tapeflow.core.values.convert import convert
from tapeflow.core.values.tensor import Tensor, wrap
from tapeflow.ops.array import creation, joining, shape_ops, shaping
from tapeflow.ops.control import control_flow
from tapeflow.ops.control.tensor_array import TensorArray
from tapeflow.ops.control.tensor_array_ops import array_write
from tapeflow.ops.indexing import scattering

_static_value = LatePublic("get_static_value")
_uneven = LateModule("tapeflow.graph.control_flow.uneven_tensor_array")


class GraphTensorArray(TensorArray):
    """A TensorArray of symbolic tensors."""

    _size: Any
    _buffer: Tensor | None
    uneven = False  # whether elements differ in length

    def __init__(self, *args: Any, **kwargs: Any):
        names = ("dtype", "size", "dynamic_size", "clear_after_read", "tensor_array_name", "handle",
                 "flow", "infer_shape", "element_shape")
        given = {**dict(zip(names, args)), **kwargs}
        size = given.get("size")
        super().__init__(**{**given, "size": 0 if size is not None else None})
        self._size = size if isinstance(size, int) else convert(size)
        if isinstance(self._size, Tensor) and not (self._size.dtype.is_integer
                                                   and self._size.ndim == 0):
            raise TypeError(f"TensorArray: `size` must be an integer scalar, got {size!r}.")
        if type(self._size) is Tensor:
            self._size = int(self._size._value)
        self._buffer = None
        if self._element_shape.is_fully_defined():
            self.allocate(self._element_shape)

    # -- the buffer --------------------------------------------------------------------------------
    def allocate(self, shape: TensorShape) -> None:
        """Make the buffer of zeros, now that elements have a shape; 0 for unknown sizes."""
        known = shape.as_list() if shape.rank is not None else [None]
        sizes = [self._size, *[n or 0 for n in known]]
        self._buffer = creation.zeros(sizes, self._dtype)
        self._element_shape = shape

    def with_buffer(self, buffer: Any) -> GraphTensorArray:
        """The same array with another buffer."""
        new = object.__new__(GraphTensorArray)
        new.__dict__.update(self.__dict__)
        new._buffer = buffer
        if isinstance(buffer, Tensor):
            rows = (None,) if buffer.ndim is None else shape_of(buffer)
            new._size = rows[0] if rows[0] is not None else shape_ops.shape(buffer)[0]
            if buffer.ndim is not None:
                new._element_shape = TensorShape(rows[1:])
        return new

    def learn(self, shape: TensorShape) -> None:
        """Take over what is known elsewhere of the shape of an element."""
        if self._element_shape.is_compatible_with(shape):
            self._element_shape = self._element_shape.merge_with(shape)

    @property
    def unallocated(self) -> bool:
        return self._buffer is None

    def _rows(self) -> Tensor:
        if self._buffer is None:
            # TensorFlow notices at run time.
            control_flow.Assert(False, [
                "TensorArray: nothing was written, and zeros cannot stand for its elements: use "
                "what write returns, array = array.write(i, x), or give element_shape."])
            return creation.zeros([self._size], self._dtype)
        return self._buffer

    # -- TensorArray -------------------------------------------------------------------------------
    def size(self, name: str | None = None) -> Tensor:
        return wrap(np.int32(self._size)) if isinstance(self._size, int) else self._size

    def write(self, index: Any, value: Any, name: str | None = None) -> GraphTensorArray:
        at = _index(index)
        tensor = self._fitting(value)
        new = self
        if self._buffer is None:
            new = self.with_buffer(None)
            new.allocate(tensor.shape)
        size = new._size
        # An index that is known to be inside needs no array that may grow.
        known = type(at) is Tensor and isinstance(size, int)
        inside = known and 0 <= int(at._value) < size
        if known and not inside and not self._dynamic:
            control_flow.Assert(False, [  # TensorFlow notices at run time
                f"TensorArray.write: index {int(at._value)} is outside an array of size {size}."])
            return new
        return new.with_buffer(array_write(new._rows(), tensor, at,
                                           grow=self._dynamic and not inside))

    def read(self, index: Any, name: str | None = None) -> Tensor:
        row = gather_rows(self._rows(), _index(index))
        return self._shaped(row, self._element_shape)

    def stack(self, name: str | None = None) -> Tensor:
        size = self._size if isinstance(self._size, int) else None
        return self._shaped(self._rows(), TensorShape([size]).concatenate(self._element_shape))

    def _shaped(self, tensor: Tensor, shape: TensorShape) -> Tensor:
        """A result with what is known of its shape: a loop's buffer has no rank of its own."""
        if tensor.ndim is None and shape.rank is not None:
            tensor.set_shape(shape)
        return tensor

    def gather(self, indices: Any, name: str | None = None) -> Tensor:
        return gather_rows(self._rows(), operand(indices) if isinstance(
            indices, Tensor) else convert(indices, dtypes.int32))

    def concat(self, name: str | None = None) -> Tensor:
        rows = self._rows()
        shape = shape_of(rows)
        if len(shape) < 2:
            raise errors.invalid("ConcatV2", "TensorArray.concat: elements are scalars; joining "
                                             "needs vectors or more")
        if None not in shape[2:]:
            return reshape(rows, shape=(-1, *shape[2:]))
        return shaping.reshape(rows, joining.concat([[-1], shape_ops.shape(rows)[2:]], 0))

    def unstack(self, value: Any, name: str | None = None) -> GraphTensorArray:
        rows = convert(value, hint=self._dtype)
        if rows.ndim == 0:
            raise errors.invalid("TensorListFromTensor",
                                 "Tensor must be at least a vector, but saw shape: []")
        if rows.ndim is not None:
            self._element_shape.assert_is_compatible_with(shape_of(rows)[1:])
        return self.with_buffer(rows)

    def scatter(self, indices: Any, value: Any, name: str | None = None) -> GraphTensorArray:
        positions, rows = operand(indices), convert(value, hint=self._dtype)
        if not self._dynamic:
            new = self.with_buffer(self._buffer)
            if new._buffer is None and None in shape_of(rows)[1:]:
                sizes = joining.concat([[new._size], shape_ops.shape(rows)[1:]], 0)
                new = new.with_buffer(creation.zeros(sizes, self._dtype))
            elif new._buffer is None:
                new.allocate(TensorShape(shape_of(rows)[1:]))
            return new.with_buffer(scattering.tensor_scatter_nd_update(
                new._rows(), expand(positions, axis=1), rows))
        new = self
        for i in range(len(positions)):
            new = new.write(positions[i], rows[i])
        return new

    def split(self, value: Any, lengths: Any, name: str | None = None) -> GraphTensorArray:
        sizes = _static_value(operand(lengths))
        if sizes is None or len(set(sizes.tolist())) != 1:
            return _uneven.split_unevenly(self, value, lengths)
        tensor = convert(value, hint=self._dtype)
        piece = int(sizes[0])
        return self.with_buffer(reshape(tensor, shape=(len(sizes), piece, *shape_of(tensor)[1:])))

    def close(self, name: str | None = None) -> None:
        self._buffer = None


def _index(index: Any) -> Tensor:
    tensor = operand(index)
    if not tensor.dtype.is_integer or tensor.ndim:
        raise TypeError(f"TensorArray: `index` must be an integer scalar, got {index!r}.")
    return tensor


def arrays_in(structure: Any) -> list[GraphTensorArray]:
    """The arrays of a structure, in order."""
    return [x for x in nest.flatten(structure) if isinstance(x, GraphTensorArray)]


def _parts(array: GraphTensorArray) -> list:
    return [array._buffer]


def _rebuilt(array: GraphTensorArray, parts: list) -> GraphTensorArray:
    """The array with what became of its buffer; a loop's says nothing of the number of rows."""
    new = array.with_buffer(parts[0])
    unsaid = isinstance(parts[0], Tensor) and parts[0].ndim is None
    if unsaid and not new._dynamic and isinstance(array._size, int):
        new._size = array._size
    return new


nest.register_composite(GraphTensorArray, _parts, _rebuilt)
