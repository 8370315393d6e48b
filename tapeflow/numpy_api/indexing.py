"""NumPy's indexing of Tensors: index arrays and masks among slices and integers."""

from __future__ import annotations

import numbers
from typing import Any

import numpy as np

import tapeflow as tf
from tapeflow.core.values.tensor import Tensor
from tapeflow.numpy_api.promotion import asarray, broadcast, promoted
from tapeflow.numpy_api.shaping import moveaxis

_basic = Tensor.__getitem__
ALLOWED = ("only integers, slices (`:`), ellipsis (`...`), numpy.newaxis (`None`) and integer or "
           "boolean arrays are valid indices")


def getitem(self: Any, key: Any) -> Any:
    """self[key] as NumPy has it."""
    if isinstance(key, bool) or _is_mask(key):
        return tf.boolean_mask(self, key)
    keys = key if isinstance(key, tuple) else _listed(key)
    indices = {}
    for position, one in enumerate(keys):
        if not _plain(one):
            index = _index(one)
            if index.shape.rank != 0:
                indices[position] = index
    if not indices:
        return _basic(self, keys)
    slices = tuple(slice(None) if position in indices else one for position, one in enumerate(keys))
    return _gathered(_basic(self, slices), _axes(keys, indices), list(indices.values()))


def _is_mask(key: Any) -> bool:
    return isinstance(key, (Tensor, np.ndarray)) and key.dtype == np.bool_


def _plain(one: Any) -> bool:
    return one is None or one is Ellipsis or isinstance(one, (slice, numbers.Integral))


def _listed(key: Any) -> tuple:
    """What is no tuple: a list of slices and the like stands for one, another is an index array."""
    if isinstance(key, list) and any(
            one is None or one is Ellipsis or isinstance(one, (list, tuple, slice))
            or (isinstance(one, (Tensor, np.ndarray)) and one.ndim != 0) for one in key):
        return tuple(key)
    return (key,)


def _index(one: Any) -> Any:
    index = asarray(one)
    if index.dtype == tf.bool:
        if index.shape.rank != 1:
            raise NotImplementedError(f"Need rank 1 for bool index {one}")
        return tf.reshape(tf.where(index), [-1])
    if not index.dtype.is_integer:
        raise IndexError(f"{ALLOWED}, got {one!r}")
    return index if index.dtype in (tf.int32, tf.int64) else tf.cast(index, tf.int64)


def _axes(keys: tuple, indices: dict) -> list[int]:
    """The axes, after the slices were taken, that the index arrays select from."""
    kept = [position for position, one in enumerate(keys)
            if not _is_integer(one, position, indices)]
    dots = next((position for position, one in enumerate(keys) if one is Ellipsis), len(keys))
    return [kept.index(position) if position < dots else kept.index(position) - len(kept)
            for position in indices]


def _is_integer(one: Any, position: int, indices: dict) -> bool:
    return not (one is None or one is Ellipsis or isinstance(one, slice) or position in indices)


def _gathered(x: Any, axes: list[int], indices: list) -> Any:
    rank = x.shape.rank
    axes = [axis + rank if axis < 0 else axis for axis in axes]
    together = all(second == first + 1 for first, second in zip(axes, axes[1:]))
    indices = broadcast(*promoted(*indices))
    x = moveaxis(x, axes, range(len(axes)))
    sizes = tf.shape(x, out_type=indices[0].dtype)
    indices = [tf.where(one < 0, one + sizes[i], one) for i, one in enumerate(indices)]
    result = tf.gather_nd(x, tf.stack(indices, axis=-1))
    if not together:
        return result
    made = indices[0].shape.rank
    return moveaxis(result, range(made), range(axes[0], axes[0] + made))
