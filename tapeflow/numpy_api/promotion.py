"""NumPy's rules for dtypes: which dtype a function of several values computes in, and `array`.

Python scalars are weak, as in NumPy 2: 1.5 beside a float32 Tensor is float32; alone it is float64,
or float32 if `experimental_enable_numpy_behavior(prefer_float32=True)` asked for that. The type
`float` itself is float64 either way, as in TensorFlow.
"""

from __future__ import annotations

import numbers
from collections.abc import Sequence
from typing import Any

import numpy as np

import tapeflow as tf
from tapeflow.base.exports import export, publish
from tapeflow.core.values.indexed_slices import IndexedSlices
from tapeflow.core.values.tensor import Tensor
from tapeflow.core.values.variable import Variable


def public(*names: str):
    """Publish a function in tf.experimental.numpy."""
    return export(*[f"experimental.numpy.{name}" for name in names])


class Preferences:
    """What `experimental_enable_numpy_behavior` was told; for the whole process."""

    float32 = False


# -- dtypes ----------------------------------------------------------------------------------------
for _name in ("complex128", "complex64", "float16", "float32", "float64", "inexact", "int16",
              "int32", "int64", "int8", "int_", "object_", "uint16", "uint32", "uint64", "uint8",
              "bool_", "iinfo", "issubdtype", "newaxis", "pi", "e", "inf"):
    publish(getattr(np, _name), f"experimental.numpy.{_name}")
publish(np.bytes_, "experimental.numpy.string_")
publish(np.str_, "experimental.numpy.unicode_")
publish(np.complex128, "experimental.numpy.complex_")
publish(np.float64, "experimental.numpy.float_")
publish(tf.Tensor, "experimental.numpy.ndarray")


def numpy_type(dtype: Any) -> np.dtype:
    return dtype.np if isinstance(dtype, tf.DType) else np.dtype(dtype)


@public("finfo")
def finfo(dtype: Any) -> Any:
    """NumPy's finfo of a dtype of NumPy, Python or TensorFlow."""
    return np.finfo(numpy_type(dtype))


@public("promote_types")
def promote_types(type1: Any, type2: Any) -> np.dtype:
    """The smallest NumPy dtype that both can be cast to."""
    return np.promote_types(numpy_type(type1), numpy_type(type2))


# -- what decides a dtype --------------------------------------------------------------------------
def _hint(x: Any) -> Any:
    """What np.result_type is to see of a value: a Python scalar itself, of a Tensor its dtype."""
    if isinstance(x, (Tensor, Variable, IndexedSlices)):
        return x.dtype.np
    if isinstance(x, tf.DType):
        return x.np
    if isinstance(x, range):  # NumPy would make a list of it, and then say so
        raise TypeError(f"Cannot interpret {x} as a data type")
    if Preferences.float32:
        if type(x) is float:
            return np.float32(x)
        if type(x) is complex:
            return np.complex64(x)
    return x


@public("result_type")
def result_type(*arrays_and_dtypes: Any) -> Any:
    """The dtype that NumPy's promotion gives for arrays, scalars and dtypes."""
    hints = [_hint(x) for x in tf.nest.flatten(arrays_and_dtypes)]
    return tf.as_dtype(np.result_type(*hints) if hints else np.dtype(float))


def _own_type(value: Any, dtype: Any) -> Any:
    if dtype:
        return result_type(dtype)
    if isinstance(value, (str, bytes)):
        return tf.string
    return result_type(value)


def to_float(x: Any) -> Any:
    """An array that is no float or complex as the default float."""
    return x if x.dtype.is_floating or x.dtype.is_complex else tf.cast(x, result_type(float))


# -- arrays ----------------------------------------------------------------------------------------
@public("array")
def array(val: Any, dtype: Any = None, copy: bool = True, ndmin: int = 0) -> Any:
    """A Tensor of the value, with NumPy's idea of its dtype."""
    if ndmin > 32:
        raise ValueError("tf.experimental.numpy.array: ndmin bigger than allowable number of "
                         f"dimensions: 32, got {ndmin}.")
    if type(val) is range and val[2**31:]:
        raise ValueError(f"tf.experimental.numpy.array: {val} is too long.")
    if isinstance(val, (Tensor, Variable)):
        result = tf.convert_to_tensor(val)
        if dtype:
            result = tf.cast(result, result_type(dtype))
    else:
        wanted = _own_type(val, dtype)
        result = tf.cast(_converted(val, wanted), wanted)
    if copy:
        result = tf.identity(result)
    missing = ndmin - result.shape.rank
    return tf.reshape(result, [1] * missing + list(result.shape)) if missing > 0 else result


def _converted(value: Any, hint: Any) -> Any:
    if isinstance(value, numbers.Integral) and int(value) >= 2 ** 63:
        return tf.convert_to_tensor(int(value), dtype=tf.uint64)
    if isinstance(value, (int, float)) and hint.is_integer:
        return tf.constant(np.asarray(value))  # cast after, as NumPy does: 300 in uint8 is 44
    try:
        return tf.convert_to_tensor(value, dtype_hint=hint)
    except (TypeError, ValueError):
        if hint in (tf.bool, tf.complex64) or any(
                isinstance(one, (Tensor, Variable)) for one in tf.nest.flatten(value)):
            raise
        return tf.constant(np.asarray(value))  # mixed types: [True, 2]


@public("asarray", "asanyarray")
def asarray(a: Any, dtype: Any = None) -> Any:
    """The value as a Tensor; itself if it is one of that dtype."""
    if isinstance(a, Tensor) and (not dtype or result_type(dtype) == a.dtype):
        return a
    return array(a, dtype, copy=False)


@public("ascontiguousarray")
def ascontiguousarray(a: Any, dtype: Any = None) -> Any:
    """The value as a Tensor of one axis at least."""
    return array(a, dtype, ndmin=1)


@public("copy")
def copy(a: Any) -> Any:
    """A new Tensor of the same value."""
    return array(a, copy=True)


def promoted(*values: Any) -> list:
    """Values as Tensors of the dtype that NumPy would compute in."""
    for one in values:
        if isinstance(one, Sequence) and not isinstance(one, (list, tuple, str, bytes)):
            raise TypeError(f"Cannot interpret {one!r} as a data type")
    dtype = result_type(*values)
    return [one if isinstance(one, Tensor) and one.dtype == dtype
            else array(one, dtype=dtype, copy=False) for one in values]


def broadcast(*arrays: Any) -> list:
    """Tensors broadcast to one shape."""
    if len(arrays) < 2:
        return list(arrays)
    shape = tf.shape(arrays[0])
    for one in arrays[1:]:
        shape = tf.broadcast_dynamic_shape(shape, tf.shape(one))
    return [tf.broadcast_to(one, shape) for one in arrays]
