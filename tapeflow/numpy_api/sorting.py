"""Sorting and the indices of extremes."""

from __future__ import annotations

from typing import Any

import numpy as np

import tapeflow as tf
from tapeflow.numpy_api.promotion import array, public
from tapeflow.numpy_api.shaping import atleast_1d


def _no_order(name: str, kind: str, kinds: tuple, order: Any) -> None:
    if kind not in kinds:
        raise ValueError(f"tf.experimental.numpy.{name}: kind must be one of {kinds}, got "
                         f"{kind!r}.")
    if order is not None:
        raise ValueError(f"tf.experimental.numpy.{name} does not take `order`.")


@public("sort")
def sort(a: Any, axis: int | None = -1, kind: str = "quicksort", order: Any = None) -> Any:
    """The elements in rising order along an axis; None: of all."""
    _no_order("sort", kind, ("quicksort",), order)
    a = array(a)
    return tf.sort(tf.reshape(a, [-1]), 0) if axis is None else tf.sort(a, axis)


@public("argsort")
def argsort(a: Any, axis: int | None = -1, kind: str = "quicksort", order: Any = None) -> Any:
    """The indices that sort the array along an axis."""
    _no_order("argsort", kind, ("quicksort", "stable"), order)
    a = array(a)
    if a.dtype.is_complex:
        raise TypeError(f"tf.experimental.numpy.argsort does not take {a.dtype.name}.")
    if a.shape.rank == 0:
        return tf.constant([0], tf.int64)
    if axis is None:
        a, axis = tf.reshape(a, [-1]), 0
    axis = tf.get_static_value(axis) if tf.is_tensor(axis) else axis
    return tf.cast(tf.argsort(a, axis, stable=kind == "stable"), tf.int64)


def _whole_axis(axis: Any) -> Any:
    """As in TensorFlow, a NumPy number is none."""
    if isinstance(axis, (np.generic, np.ndarray)):
        raise TypeError(f"axis tensor dtypes {axis.dtype} is not supported")
    return axis


@public("argmax")
def argmax(a: Any, axis: int | None = None) -> Any:
    """The index of the largest element."""
    a = array(a)
    return tf.argmax(tf.reshape(a, [-1]) if axis is None else atleast_1d(a),
                     axis=_whole_axis(axis))


@public("argmin")
def argmin(a: Any, axis: int | None = None) -> Any:
    """The index of the smallest element."""
    a = array(a)
    return tf.argmin(tf.reshape(a, [-1]) if axis is None else atleast_1d(a),
                     axis=_whole_axis(axis))
