"""A TensorArray inside a tf.function whose elements differ in length, as `split` makes them.

The elements stand end to end in one tensor, beside how long each is.
"""

from __future__ import annotations

from typing import Any

from tapeflow.base import dtypes, errors, nest
from tapeflow.base.late import LatePublic
from tapeflow.base.shapes import TensorShape
from tapeflow.core.record.families import operand
from tapeflow.core.record.op import shape_of
from tapeflow.core.values.convert import convert
from tapeflow.core.values.tensor import Tensor
from tapeflow.graph.control_flow.traced_tensor_array import GraphTensorArray, _index
from tapeflow.ops.array import joining, shape_ops, shaping
from tapeflow.ops.control import control_flow
from tapeflow.ops.indexing import scattering
from tapeflow.ops.math import casting

_range = LatePublic("ragged.range")
_gather = LatePublic("gather")
_cumsum = LatePublic("cumsum")
_reduce_max, _reduce_all, _reduce_sum = [
    LatePublic(name) for name in ("reduce_max", "reduce_all", "reduce_sum")]


class UnevenTensorArray(GraphTensorArray):
    """Elements end to end (`_buffer`), and how long each is (`_counts`)."""

    _counts: Tensor
    uneven = True

    def _with(self, values: Any, lengths: Any) -> UnevenTensorArray:
        new = object.__new__(UnevenTensorArray)
        new.__dict__.update(self.__dict__)
        new._buffer, new._counts = values, lengths
        known = None if lengths.ndim is None else shape_of(lengths)[0]
        new._size = known if known is not None else shape_ops.size(lengths)
        if values.ndim is not None:
            new._element_shape = TensorShape([None, *shape_of(values)[1:]])
        return new

    def _ends(self, index: Any) -> tuple[Any, Any]:
        after = _gather(_cumsum(self._counts), index)
        return after - _gather(self._counts, index), after

    def write(self, index: Any, value: Any, name: str | None = None) -> UnevenTensorArray:
        at, item = _index(index), self._fitting(value)
        begin, end = self._ends(at)
        values: Any = self._buffer
        length = shaping.reshape(casting.cast(shape_ops.shape(item)[0], dtypes.int64), [1])
        lengths = scattering.tensor_scatter_nd_update(
            self._counts, shaping.reshape(at, [1, 1]), length)
        return self._with(joining.concat([values[:begin], item, values[end:]], 0), lengths)

    def read(self, index: Any, name: str | None = None) -> Tensor:
        begin, end = self._ends(_index(index))
        values: Any = self._buffer
        return values[begin:end]

    def stack(self, name: str | None = None) -> Tensor:
        return self._even(self._buffer, self._counts)

    def gather(self, indices: Any, name: str | None = None) -> Tensor:
        at = operand(indices) if isinstance(indices, Tensor) else convert(indices, dtypes.int32)
        begins, ends = self._ends(at)
        return self._even(_gather(self._buffer, _range(begins, ends).values), ends - begins)

    def _even(self, values: Any, lengths: Any) -> Tensor:
        """Elements one above the other, all of which must be of one length."""
        longest = _reduce_max(lengths)
        control_flow.Assert(_reduce_all(lengths == longest), [
            "TensorArray: elements of different lengths cannot be stacked:", lengths])
        rest = shape_ops.shape(values, dtypes.int64)[1:]
        count = shape_ops.size(lengths, dtypes.int64)
        return shaping.reshape(values, joining.concat([[count, longest], rest], 0))

    def concat(self, name: str | None = None) -> Tensor:
        return self._buffer  # type: ignore[return-value]

    def scatter(self, indices: Any, value: Any, name: str | None = None) -> Any:
        raise NotImplementedError("TensorArray.scatter inside a tf.function, into an array whose "
                                  "elements differ in length.")


def split_unevenly(array: GraphTensorArray, value: Any, lengths: Any) -> UnevenTensorArray:
    """An array of pieces of a tensor, so long each."""
    tensor = convert(value, hint=array._dtype)
    sizes = casting.cast(operand(lengths), dtypes.int64)
    if tensor.ndim == 0:
        raise errors.invalid("TensorListSplit",
                             "Tensor must be at least a vector, but saw shape: []")
    whole = casting.cast(shape_ops.shape(tensor)[0], dtypes.int64)
    control_flow.Assert(_reduce_sum(sizes) == whole, [
        "TensorArray.split: the lengths must add up to the size of the tensor:", sizes])
    return UnevenTensorArray._with(array, tensor, sizes)  # type: ignore[arg-type]


nest.register_composite(UnevenTensorArray, lambda array: [array._buffer, array._counts],
                        lambda array, parts: array._with(*parts))
