"""TensorLists, loops' arrays of tensors, whose handles are TensorArrays; those of TensorFlow 1."""

from __future__ import annotations

import copy
from typing import Any

from tapeflow.base.shapes import TensorShape
from tapeflow.tensorflow_graphs.ops.rows.pieces import Pieces
from tapeflow.tensorflow_graphs.public import tf
from tapeflow.tensorflow_graphs.registry import raw


def _element(shape: Any) -> TensorShape:
    """The shape of elements as a list op is told it: -1 for a size that is unknown."""
    static = tf.get_static_value(shape)
    if static is None or static.ndim == 0:
        return TensorShape(None)
    return TensorShape([None if n < 0 else int(n) for n in static])


def _array(dtype: Any, size: Any, shape: Any, dynamic: bool = True) -> Any:
    return tf.TensorArray(dtype, size, dynamic_size=dynamic, clear_after_read=False,
                          element_shape=shape, infer_shape=False)


def growing(array: Any) -> Any:
    """The same array, which writes may make longer; of those that may not, sizes stay known."""
    if array.dynamic_size:
        return array
    longer = copy.copy(array)
    longer._dynamic = True
    return longer


@raw
def EmptyTensorList(element_shape: Any, max_num_elements: Any, element_dtype: Any) -> Any:
    if element_dtype == tf.variant:
        return Pieces.blank(0)
    return _array(element_dtype, 0, _element(element_shape))


@raw
def TensorListReserve(element_shape: Any, num_elements: Any, element_dtype: Any) -> Any:
    if element_dtype == tf.variant:
        return Pieces.blank(num_elements)
    return _array(element_dtype, num_elements, _element(element_shape), False)


@raw
def TensorListFromTensor(tensor: Any, element_shape: Any) -> Any:
    if isinstance(tensor, Pieces):
        return tensor
    return _array(tensor.dtype, tf.shape(tensor)[0], tensor.shape[1:], False).unstack(tensor)


@raw
def TensorListSetItem(input_handle: Any, index: Any, item: Any,
                      resize_if_index_out_of_bounds: bool) -> Any:
    if resize_if_index_out_of_bounds and not isinstance(input_handle, Pieces):
        input_handle = growing(input_handle)
    return input_handle.write(index, item)


@raw
def TensorListGetItem(input_handle: Any, index: Any, element_shape: Any) -> Any:
    found = input_handle.read(index)
    if isinstance(input_handle, Pieces):
        return found
    return tf.ensure_shape(found, _element(element_shape))


@raw
def TensorListStack(input_handle: Any, element_shape: Any) -> Any:
    if isinstance(input_handle, Pieces):
        return input_handle  # as one tensor of variants
    found = input_handle.stack()
    return tf.ensure_shape(found, TensorShape([None]).concatenate(_element(element_shape)))


@raw
def TensorListLength(input_handle: Any) -> Any:
    return input_handle.size()


@raw
def TensorListElementShape(input_handle: Any, shape_type: Any) -> Any:
    shape = input_handle.element_shape
    return tf.constant(-1 if shape.rank is None else [
        -1 if n is None else n for n in shape.as_list()], shape_type)


@raw
def TensorListPushBack(input_handle: Any, tensor: Any) -> Any:
    if isinstance(input_handle, Pieces):
        return input_handle.write(input_handle.size(), tensor)
    return growing(input_handle).write(input_handle.size(), tensor)


@raw
def TensorListPopBack(input_handle: Any, element_shape: Any) -> Any:
    last = input_handle.size() - 1
    shorter = _array(input_handle.dtype, last, input_handle.element_shape)
    found = tf.ensure_shape(input_handle.read(last), _element(element_shape))
    return shorter.unstack(input_handle.stack()[:-1]), found


@raw
def TensorListGather(input_handle: Any, indices: Any, element_shape: Any) -> Any:
    return input_handle.gather(indices)


@raw
def TensorListScatterIntoExistingList(input_handle: Any, tensor: Any, indices: Any) -> Any:
    return input_handle.scatter(indices, tensor)


@raw
def TensorListScatterV2(tensor: Any, indices: Any, element_shape: Any, num_elements: Any) -> Any:
    count = tf.get_static_value(num_elements)
    size = tf.reduce_max(indices) + 1 if count is not None and count < 0 else num_elements
    return _array(tensor.dtype, size, tensor.shape[1:]).scatter(indices, tensor)


@raw
def TensorListConcatV2(input_handle: Any, element_shape: Any, leading_dims: Any) -> Any:
    if isinstance(input_handle, Pieces):
        return input_handle.values, input_handle.lengths
    length = tf.shape(input_handle.stack(), tf.int64)[1]  # one for all: others are Pieces
    return input_handle.concat(), tf.fill([input_handle.size()], length)


@raw
def TensorListSplit(tensor: Any, element_shape: Any, lengths: Any) -> Any:
    known = tf.get_static_value(lengths)
    if known is None or len(set(known.tolist())) != 1:
        return Pieces.of(tensor, lengths)
    return _array(tensor.dtype, tf.size(lengths), TensorShape(None)).split(tensor, lengths)


@raw
def TensorListResize(input_handle: Any, size: Any) -> Any:
    """The first elements; zeros behind them."""
    rows = input_handle.stack()
    shape = tf.shape(rows)
    more = tf.zeros(tf.concat([[tf.maximum(size - shape[0], 0)], shape[1:]], 0), rows.dtype)
    return _array(input_handle.dtype, size, input_handle.element_shape).unstack(
        tf.concat([rows[:size], more], 0))


@raw
def TensorListScatter(tensor: Any, indices: Any, element_shape: Any) -> Any:
    return TensorListScatterV2(tensor, indices, element_shape, tf.constant(-1))


@raw
def TensorListConcatLists(input_a: Any, input_b: Any) -> Any:
    rows = tf.concat([input_a.stack(), input_b.stack()], 0)
    return _array(rows.dtype, tf.shape(rows)[0], rows.shape[1:]).unstack(rows)


# -- TensorArrays of TensorFlow 1: the flow, which orders reads and writes, is the array itself ----
@raw
def TensorArrayV3(size: Any, dtype: Any, element_shape: Any, dynamic_size: bool,
                  tensor_array_name: str) -> Any:
    known = element_shape if element_shape.is_fully_defined() else None
    made = tf.TensorArray(dtype, size, dynamic_size=dynamic_size, clear_after_read=False,
                          element_shape=known, infer_shape=False)
    return tensor_array_name, made  # nothing reads a handle but for these ops, which have the flow


@raw
def TensorArrayReadV3(handle: Any, index: Any, flow_in: Any) -> Any:
    return flow_in.read(index)


@raw
def TensorArrayWriteV3(handle: Any, index: Any, value: Any, flow_in: Any) -> Any:
    return flow_in.write(index, value)


@raw
def TensorArrayGatherV3(handle: Any, indices: Any, flow_in: Any, element_shape: Any) -> Any:
    return tf.ensure_shape(flow_in.gather(indices),
                           TensorShape([None]).concatenate(element_shape))


@raw
def TensorArrayScatterV3(handle: Any, indices: Any, value: Any, flow_in: Any) -> Any:
    return flow_in.scatter(indices, value)


@raw
def TensorArraySizeV3(handle: Any, flow_in: Any) -> Any:
    return flow_in.size()


@raw
def TensorArraySplitV3(handle: Any, value: Any, lengths: Any, flow_in: Any) -> Any:
    return flow_in.split(value, lengths)


@raw
def TensorArrayCloseV3(handle: Any) -> Any:
    return ()
