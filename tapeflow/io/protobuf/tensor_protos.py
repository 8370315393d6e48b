"""Tensors as TensorProto messages and back: tf.make_tensor_proto, tf.make_ndarray."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from tapeflow.base import dtypes
from tapeflow.base.dtypes import DType
from tapeflow.base.exports import export
from tapeflow.base.shapes import TensorShape
from tapeflow.core.values.convert import convert
from tapeflow.io.protobuf import protos, wire

# The field in which a dtype's values stand when they are not packed as bytes.
_FIELDS = {"float32": "float_val", "float64": "double_val", "int32": "int_val",
           "uint8": "int_val", "int16": "int_val", "int8": "int_val", "uint16": "int_val",
           "uint32": "uint32_val", "uint64": "uint64_val", "int64": "int64_val",
           "bool": "bool_val", "complex64": "scomplex_val", "complex128": "dcomplex_val",
           "float16": "half_val", "bfloat16": "half_val", "string": "string_val",
           "int4": "int_val", "uint4": "int_val"}


def shape_message(shape: Any) -> Any:
    """A TensorShapeProto of sizes; None stands for an unknown one."""
    message = protos.TensorShapeProto()
    message.SetInParent()
    for n in shape:
        message.dim.add(size=-1 if n is None else int(n))
    return message


def packed_bytes(array: np.ndarray, dtype: DType) -> bytes:
    """The bytes of `packed(array, dtype)`, made quickly."""
    sizes = b"".join([wire.chunk(2, wire.tag(1, wire.VARINT) + wire.varint(n)) if n else
                      wire.chunk(2, b"") for n in array.shape])
    head = wire.tag(1, wire.VARINT) + wire.varint(dtype.as_datatype_enum) + wire.chunk(2, sizes)
    if dtype is dtypes.string:
        return head + b"".join([wire.chunk(8, one) for one in array.ravel().tolist()])
    return head + (wire.chunk(4, _little(array).tobytes()) if array.size else b"")


def packed(array: np.ndarray, dtype: DType) -> Any:
    """A TensorProto with the values as bytes, strings one by one: what ops serialise."""
    message = protos.TensorProto(dtype=dtype.as_datatype_enum)
    message.tensor_shape.CopyFrom(shape_message(array.shape))
    message.tensor_shape.SetInParent()
    if dtype is dtypes.string:
        message.string_val.fill(array.ravel().tolist())
    elif array.size:
        message.tensor_content = _little(array).tobytes()
    return message


def _little(array: np.ndarray) -> np.ndarray:
    if array.dtype.kind in "fiuc" and not np.little_endian:
        return array.astype(array.dtype.newbyteorder("<"))
    return np.ascontiguousarray(array)


def _flat_scalars(array: np.ndarray, dtype: DType) -> list:
    flat = array.reshape(-1)
    if dtype.is_complex:
        return flat.view(dtype.real_dtype.np).tolist()
    if dtype.name in ("float16", "bfloat16"):
        return flat.view(np.uint16).tolist()
    return flat.tolist()


@export("make_tensor_proto")
def make_tensor_proto(values: Any, dtype: Any = None, shape: Any = None,
                      verify_shape: bool = False, allow_broadcast: bool = False) -> Any:
    """A TensorProto of an array, a list or a scalar; one value fills a larger `shape`."""
    if isinstance(values, protos.TensorProto):
        return values
    if allow_broadcast and verify_shape:
        raise ValueError("allow_broadcast and verify_shape are not both allowed.")
    if isinstance(dtype, np.ndarray) and not dtype:
        raise TypeError(f"make_tensor_proto: {dtype!r} is no dtype")
    wanted = None if dtype is None else dtypes.as_dtype(dtype)
    if wanted is not None and isinstance(values, np.ndarray) and not values.size:
        values = values.astype(wanted.np)  # no element that could be of a wrong type
    tensor = convert(values, wanted)
    array = np.asarray(tensor._value)
    if isinstance(shape, int):
        raise TypeError(f"make_tensor_proto: `shape` must be a list of sizes, got {shape}")
    sizes: Any = array.shape if shape is None else tuple(TensorShape(shape).as_list())
    total = int(np.prod(sizes, dtype=np.int64))
    if shape is not None and verify_shape and sizes != array.shape:
        raise TypeError(f"Expected a tensor of shape {sizes}, got {array.shape}.")
    if array.size > total:
        raise ValueError(f"Too many elements provided. Takes at most {total}, but got {array.size}")
    if total > 1 and array.size == total and tensor.dtype.is_numeric \
            and not tensor.dtype.is_complex:
        return packed(array.reshape(sizes), tensor.dtype)
    message = protos.TensorProto(dtype=tensor.dtype.as_datatype_enum)
    message.tensor_shape.CopyFrom(shape_message(sizes))
    message.tensor_shape.SetInParent()
    getattr(message, _FIELDS[tensor.dtype.name]).fill(_flat_scalars(array, tensor.dtype))
    return message


def _listed(message: Any, dtype: DType) -> np.ndarray:
    values = list(getattr(message, _FIELDS[dtype.name]))
    if dtype is dtypes.string:
        array = np.empty(len(values), object)
        array[:] = values
        return array
    if dtype.is_complex:
        return np.array(values, dtype.real_dtype.np).view(dtype.np)
    if dtype.name in ("float16", "bfloat16"):
        return np.array(values, np.uint16).view(dtype.np)
    if dtype.name in ("int8", "uint8", "int16", "uint16"):
        return np.array(values, np.int64).astype(dtype.np)  # as C casts them
    return np.array(values, dtype.np)


_LARGEST = 1 << 31  # bytes that a message may ask for without having them


@export("make_ndarray")
def make_ndarray(tensor: Any) -> np.ndarray:
    """The NumPy array that a TensorProto stands for."""
    shape = tuple([one.size for one in tensor.tensor_shape.dim])
    count = math.prod(shape)
    dtype = dtypes.as_dtype(tensor.dtype)
    if any(n < 0 for n in shape) or len(shape) > 32:
        raise ValueError(f"Shape {shape} is not a valid shape")
    if dtype.name not in _FIELDS:
        raise TypeError(f"Unsupported tensor type: {tensor.dtype}. See "
                        "tf.dtypes for the types that have NumPy arrays.")
    if tensor.tensor_content:
        kind = dtype.np.newbyteorder("<") if dtype.np.kind in "fiuc" else dtype.np
        if dtype is dtypes.bool and max(tensor.tensor_content) > 1:
            raise ValueError("a bool that is neither 0 nor 1")
        return np.frombuffer(bytearray(tensor.tensor_content), kind).astype(
            dtype.np, copy=False).view(dtype.np).reshape(shape)  # the very object `dtype.np`
    values = _listed(tensor, dtype)
    if values.size >= count:  # more of them are passed over
        return values[:count].reshape(shape)
    if count * dtype.np.itemsize > _LARGEST:
        raise ValueError(f"one value for the shape {shape}")
    if not values.size:
        return np.full(shape, b"", object) if dtype is dtypes.string else np.zeros(shape, dtype.np)
    filled = np.empty(count, values.dtype)  # the last value stands for all that follow
    filled[:values.size] = values
    filled[values.size:] = values[-1]
    return filled.reshape(shape)
