"""Shapes: moving axes, joining and parting arrays, taking elements."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

import tapeflow as tf
from tapeflow.core.values.tensor import Tensor
from tapeflow.numpy_api.promotion import array, asarray, broadcast, promoted, public


# -- shape -----------------------------------------------------------------------------------------
@public("shape")
def shape(a: Any) -> Any:
    """The shape of an array."""
    return asarray(a).shape


@public("ndim")
def ndim(a: Any) -> Any:
    """The number of axes."""
    return asarray(a).shape.rank


@public("isscalar")
def isscalar(num: Any) -> bool:
    """Whether there are no axes."""
    return ndim(num) == 0


@public("size")
def size(x: Any, axis: Any = None) -> Any:
    """The number of elements."""
    if axis is not None:
        raise NotImplementedError("tf.experimental.numpy.size does not take `axis`.")
    if isinstance(x, (int, float, np.int32, np.int64, np.float32, np.float64)):
        return 1
    x = asarray(x)
    if x.shape.is_fully_defined():
        return np.prod(x.shape.as_list(), dtype=int)
    return tf.size(x)


@public("reshape")
def reshape(a: Any, newshape: Any, order: str = "C") -> Any:
    """The elements in another shape; order 'C' or 'F'."""
    if order not in ("C", "F"):
        raise ValueError(f"tf.experimental.numpy.reshape: unsupported order argument {order}")
    a = asarray(a)
    if isinstance(newshape, int):
        newshape = [newshape]
    if order == "C":
        return tf.reshape(a, newshape)
    return tf.transpose(tf.reshape(tf.transpose(a), newshape[::-1]))


@public("ravel")
def ravel(a: Any) -> Any:
    """All elements in one axis."""
    return tf.reshape(asarray(a), [-1])


@public("flatten")
def flatten(a: Any, order: str = "C") -> Any:
    """All elements in one axis, by rows ('C', 'A', 'K') or by columns ('F')."""
    if order not in ("C", "A", "K", "F"):
        raise ValueError("tf.experimental.numpy.flatten: order can only be C, A, K or F, got "
                         f"{order}")
    a = asarray(a)
    return tf.reshape(tf.transpose(a) if order == "F" else a, [-1])


@public("expand_dims")
def expand_dims(a: Any, axis: Any) -> Any:
    """A new axis of size 1."""
    return tf.expand_dims(asarray(a), axis=axis)


@public("squeeze")
def squeeze(a: Any, axis: Any = None) -> Any:
    """Axes of size 1 taken away."""
    return tf.squeeze(asarray(a), axis)


def _at_least(rank: int, arys: tuple, shaped: Callable) -> Any:
    arrays = [asarray(one) for one in arys]
    result = [tf.reshape(one, shaped(one)) if one.shape.rank < rank else one for one in arrays]
    return result[0] if len(result) == 1 else result


def _sizes(a: Any) -> list:
    known = a.shape.as_list()
    return known if None not in known else tf.unstack(tf.shape(a), num=len(known))


@public("atleast_1d")
def atleast_1d(*arys: Any) -> Any:
    """Arrays with one axis at least."""
    return _at_least(1, arys, lambda a: [1])


@public("atleast_2d")
def atleast_2d(*arys: Any) -> Any:
    """Arrays with two axes at least; new ones come first."""
    return _at_least(2, arys, lambda a: [1] * (2 - a.shape.rank) + _sizes(a))


@public("atleast_3d")
def atleast_3d(*arys: Any) -> Any:
    """Arrays with three axes at least: a vector in the middle, a matrix in front."""
    before = {0: [1, 1], 1: [1], 2: []}
    return _at_least(3, arys, lambda a: before[a.shape.rank] + _sizes(a) + [1])


# -- axes ------------------------------------------------------------------------------------------
@public("transpose")
def transpose(a: Any, axes: Any = None) -> Any:
    """Axes in another order; reversed if none is given."""
    return tf.transpose(asarray(a), None if axes is None else asarray(axes))


def _canonical(axis: Any, rank: Any) -> Any:
    return axis + rank if axis < 0 else axis


@public("moveaxis")
def moveaxis(a: Any, source: Any, destination: Any) -> Any:
    """Axes moved to other positions, the others in their order."""
    a = asarray(a)
    source = (source,) if isinstance(source, int) else tuple(source)
    destination = (destination,) if isinstance(destination, int) else tuple(destination)
    if len(source) != len(destination):
        raise ValueError("tf.experimental.numpy.moveaxis: the lengths of source and destination "
                         f"must equal, got {len(source)} and {len(destination)}")
    rank = a.shape.rank
    source = tuple(_canonical(axis, rank) for axis in source)
    destination = tuple(_canonical(axis, rank) for axis in destination)
    perm = [axis for axis in range(rank) if axis not in source]
    for position, axis in sorted(zip(destination, source, strict=True)):
        perm.insert(position, axis)
    return a if perm == list(range(rank)) else tf.transpose(a, perm)


@public("swapaxes")
def swapaxes(a: Any, axis1: Any, axis2: Any) -> Any:
    """Two axes exchanged."""
    a = asarray(a)
    rank = a.shape.rank
    axis1, axis2 = [_canonical(int(tf.convert_to_tensor(axis, tf.int32)._value), rank)
                    for axis in (axis1, axis2)]
    if not (0 <= axis1 < rank and 0 <= axis2 < rank):
        raise tf.errors.InvalidArgumentError(None, None, (
            f"axes {axis1} and {axis2} are out of range for an array of rank {rank}"))
    perm = list(range(rank))
    perm[axis1], perm[axis2] = axis2, axis1
    return tf.transpose(a, perm)


@public("flip")
def flip(m: Any, axis: int | None = None) -> Any:
    """The order of elements reversed, along one axis or all."""
    m = asarray(m)
    if axis is None:
        return tf.reverse(m, list(range(m.shape.rank)))
    if not m.shape.rank and isinstance(axis, int):  # a scalar stays as it is, but in a trace
        if not tf.executing_eagerly():
            raise ValueError(f"'axis'[0] = {axis} is out of valid range [0, -1")
        return m
    return tf.reverse(m, [_canonical(axis, m.shape.rank)])


@public("flipud")
def flipud(m: Any) -> Any:
    """Reversed along the first axis."""
    return flip(m, 0)


@public("fliplr")
def fliplr(m: Any) -> Any:
    """Reversed along the second axis."""
    return flip(m, 1)


@public("roll")
def roll(a: Any, shift: Any, axis: Any = None) -> Any:
    """Elements shifted, what falls off comes back at the other end."""
    a = asarray(a)
    if isinstance(shift, int):
        shift = tf.constant(shift)  # raises beyond int64
    if axis is not None:
        return tf.roll(a, shift, axis)
    return tf.reshape(tf.roll(tf.reshape(a, [-1]), shift, 0), tf.shape(a))


@public("rot90")
def rot90(m: Any, k: int = 1, axes: tuple = (0, 1)) -> Any:
    """Turned by 90 degrees k times in the plane of two axes."""
    m = asarray(m)
    first, second = (_canonical(axis, m.shape.rank) for axis in axes)
    k = k % 4
    if k == 0:
        return m
    if k == 2:
        return flip(flip(m, first), second)
    if k == 1:
        return swapaxes(flip(m, second), first, second)
    return flip(swapaxes(m, first, second), second)


# -- joining, parting, repeating -------------------------------------------------------------------
@public("concatenate")
def concatenate(arys: Any, axis: int = 0) -> Any:
    """Arrays joined along an axis."""
    arys = list(arys) if isinstance(arys, (list, tuple)) else [arys]
    if not arys:
        raise ValueError("tf.experimental.numpy.concatenate: need at least one array.")
    return tf.concat(promoted(*arys), axis)


@public("stack")
def stack(arrays: Any, axis: int = 0) -> Any:
    """Arrays joined along a new axis."""
    if isinstance(arrays, Tensor):
        return arrays if axis == 0 else swapaxes(arrays, 0, axis)
    return tf.stack(promoted(*arrays), axis)


@public("hstack")
def hstack(tup: Any) -> Any:
    """Arrays joined along the second axis, vectors along the first."""
    arrays = promoted(*[atleast_1d(one) for one in tup])
    return tf.concat(arrays, axis=0 if arrays[0].shape.rank == 1 else 1)


@public("vstack")
def vstack(tup: Any) -> Any:
    """Arrays joined along the first axis, vectors as rows."""
    return tf.concat(promoted(*[atleast_2d(one) for one in tup]), axis=0)


@public("dstack")
def dstack(tup: Any) -> Any:
    """Arrays joined along the third axis."""
    return tf.concat(promoted(*[atleast_3d(one) for one in tup]), axis=2)


@public("split")
def split(ary: Any, indices_or_sections: Any, axis: int = 0) -> list:
    """Parts of one size, or parts between indices."""
    ary = asarray(ary)
    if isinstance(indices_or_sections, int):
        return tf.split(ary, indices_or_sections, axis=axis)
    if axis >= ary.shape.rank:
        raise ValueError(f"tf.experimental.numpy.split: axis {axis} is out of bounds for shape "
                         f"{ary.shape}")
    total, before = ary.shape[axis], 0
    sizes: list[int] = []
    for i, boundary in enumerate(indices_or_sections):
        if boundary < before:
            raise ValueError(f"tf.experimental.numpy.split: boundary {i}, {boundary}, is smaller "
                             f"than the one before, {before}")
        sizes.append(min(boundary - before, max(0, total - sum(sizes))))
        before = boundary
    return tf.split(ary, [*sizes, max(0, total - sum(sizes))], axis=axis)


def _splitting(name: str, axis: int) -> Callable:
    def call(ary: Any, indices_or_sections: Any) -> list:
        ary = asarray(ary)
        along = 0 if axis == 1 and ary.shape.rank == 1 else axis
        if isinstance(indices_or_sections, int):
            length = ary.shape[along]
            if length is not None and length % indices_or_sections:
                raise ValueError(f"tf.experimental.numpy.{name}: array split does not result in an "
                                 "equal division")
        return split(ary, indices_or_sections, axis=along)

    call.__name__ = call.__qualname__ = name
    call.__doc__ = f"`split` along axis {axis}."
    return public(name)(call)


vsplit = _splitting("vsplit", 0)
hsplit = _splitting("hsplit", 1)
dsplit = _splitting("dsplit", 2)


@public("repeat")
def repeat(a: Any, repeats: Any, axis: int | None = None) -> Any:
    """Elements repeated, one after the other."""
    a = asarray(a)
    if a.shape.rank == 0 and not (isinstance(repeats, Tensor) and repeats._interpreter is not None):
        tf.TensorShape((repeats,))  # raises unless it is a number
    return tf.repeat(a, asarray(repeats), axis)


@public("tile")
def tile(a: Any, reps: Any) -> Any:
    """The whole array repeated."""
    a = array(a)
    reps = array(reps, tf.int32)
    reps = [int(n) for n in np.ravel(reps)] if reps._interpreter is None else \
        tf.unstack(tf.reshape(reps, [-1]))
    sizes = _sizes(a)
    reps = [1] * (len(sizes) - len(reps)) + reps
    return tf.tile(tf.reshape(a, [1] * (len(reps) - len(sizes)) + sizes), reps)


@public("broadcast_arrays")
def broadcast_arrays(*args: Any, **kwargs: Any) -> list:
    """Arrays broadcast to one shape."""
    if kwargs.pop("subok", False):
        raise ValueError("tf.experimental.numpy.broadcast_arrays: subok=True is not supported.")
    if kwargs:
        raise ValueError(f"tf.experimental.numpy.broadcast_arrays does not take {list(kwargs)}.")
    return broadcast(*[asarray(one) for one in args])


# -- taking ----------------------------------------------------------------------------------------
@public("nonzero")
def nonzero(a: Any) -> list:
    """Indices of the elements that are not zero: one array an axis."""
    a = atleast_1d(a)
    return tf.unstack(tf.where(tf.cast(a, tf.bool)), a.shape.rank, axis=1)


@public("take")
def take(a: Any, indices: Any, axis: int | None = None, out: Any = None, mode: str = "clip") -> Any:
    """Slices by index; mode 'clip' (the default) or 'wrap' for indices outside."""
    if out is not None:
        raise ValueError("tf.experimental.numpy.take: out is not supported.")
    if mode not in ("clip", "wrap"):
        what = "is not supported" if mode == "raise" else "does not exist"
        raise ValueError(f"tf.experimental.numpy.take: mode {mode!r} {what}.")
    a, indices = asarray(a), asarray(indices)
    if axis is None:
        a, axis = tf.reshape(a, [-1]), 0
    count = tf.shape(a, out_type=indices.dtype)[axis]
    if mode == "clip":
        indices = tf.clip_by_value(indices, tf.constant(0, indices.dtype), count - 1)
    else:
        indices = tf.math.floormod(indices, count)
    return tf.gather(a, indices, axis=axis)


@public("take_along_axis")
def take_along_axis(arr: Any, indices: Any, axis: int | None) -> Any:
    """Elements by index along one axis, for each index of the others."""
    arr, indices = asarray(arr), asarray(indices)
    if axis is None:
        return take_along_axis(ravel(arr), indices, 0)
    rank = arr.shape.rank
    axis = _canonical(axis, rank)
    arr, indices = moveaxis(arr, (axis,), (-1,)), moveaxis(indices, (axis,), (-1,))
    if indices.shape.rank is not None and indices.shape.rank > rank:
        raise tf.errors.InvalidArgumentError(None, None, (
            f"tf.experimental.numpy.take_along_axis: indices have rank {indices.shape.rank}, arr "
            f"has {rank} [Op:BroadcastTo]"))
    batch = tf.broadcast_dynamic_shape(tf.shape(arr)[:-1], tf.shape(indices)[:-1])
    length = tf.shape(arr)[-1:]
    arr = tf.broadcast_to(arr, tf.concat([batch, length], 0))
    indices = tf.broadcast_to(indices, tf.concat([batch, tf.shape(indices)[-1:]], 0))
    indices = tf.where(indices < 0, indices + tf.cast(length[0], indices.dtype), indices)
    return moveaxis(tf.gather(arr, indices, batch_dims=rank - 1), (-1,), (axis,))
