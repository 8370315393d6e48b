"""What is written of a tensor in each mode: nothing, counts of its elements, its shape, or all."""

from __future__ import annotations

from typing import Any

import numpy as np

from tapeflow.base import dtypes
from tapeflow.base.dtypes import DType
from tapeflow.io.protobuf.tensor_protos import packed
from tapeflow.summary.debug_dump import debug_messages as messages

_HEALTH = (messages.CURT_HEALTH, messages.CONCISE_HEALTH, messages.FULL_HEALTH)
_SIZES = 6  # of a shape that are written: the last ones


def dtype_of(value: Any) -> DType:
    """The dtype of a value; of objects that are no strings, an iterator's say, `tf.resource`."""
    if value.dtype.kind == "O" and value.size:
        return dtypes.string if isinstance(np.asarray(value).flat[0], bytes) else dtypes.resource
    return dtypes.of(value.dtype)


def is_told(mode: int, dtype: DType) -> bool:
    """Whether tensors of a dtype are summarised: health is of floating point numbers alone."""
    if mode in _HEALTH:
        return dtype.is_floating
    if mode == messages.SHAPE:
        return dtype.is_floating or dtype.is_integer or dtype.is_bool
    return dtype.is_numpy_compatible


def summary(mode: int, value: Any, number: int = -1) -> Any:
    """The TensorProto that tells of a value; `number` is that of its tensor."""
    if mode == messages.NO_TENSOR:
        return packed(np.zeros([0], np.float32), dtypes.float32)
    if mode == messages.FULL_TENSOR:
        array = np.asarray(value)
        return packed(array, dtypes.of(array.dtype))
    return packed(np.array([number, *_numbers(mode, np.asarray(value))], np.float64),
                  dtypes.float64)


def _numbers(mode: int, array: np.ndarray) -> list[int]:
    kind = dtypes.of(array.dtype).as_datatype_enum
    if mode == messages.SHAPE:
        sizes = list(array.shape[-_SIZES:])
        return [kind, array.ndim, array.size, *sizes, *[0] * (_SIZES - len(sizes))]
    if array.dtype.kind == "V":
        array = array.astype(np.float32)  # bfloat16 and the like
    low, high = int((array == -np.inf).sum()), int((array == np.inf).sum())
    nan = int((array != array).sum())
    if mode == messages.CURT_HEALTH:
        return [int(low + high + nan > 0)]
    if mode == messages.CONCISE_HEALTH:
        return [array.size, low, high, nan]
    negative, zero = int((array < 0).sum()) - low, int((array == 0).sum())
    positive = array.size - low - high - nan - negative - zero
    return [-1, kind, array.ndim, array.size, low, high, nan, negative, zero, positive]
