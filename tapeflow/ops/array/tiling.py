"""Repeating along axes: tile, repeat."""

from __future__ import annotations

from typing import Any

import numpy as np

from tapeflow.base import errors
from tapeflow.base.exports import export
from tapeflow.core.deferrable import deferrable
from tapeflow.core.record.families import operand
from tapeflow.core.record.linear import move
from tapeflow.core.record.lowering_forms import Expand
from tapeflow.core.record.op import Spec, shape_of
from tapeflow.core.record.primitive_ops import broadcast_to as _broadcast_to
from tapeflow.core.record.primitive_ops import reduce_sum, static
from tapeflow.core.record.primitive_ops import reshape as _reshape
from tapeflow.core.record.primitive_ops import transpose as _transpose
from tapeflow.core.record.row_ops import scatter_rows
from tapeflow.core.record.samples import Case
from tapeflow.core.values.tensor import Tensor, wrap
from tapeflow.ops._support.arguments import (
    affordable,
    int_vector,
    joined,
    sizes_of,
)
from tapeflow.ops.indexing.gathering import take


def _tile_kernel(x, multiples):
    """Each axis as (times, size), then joined: no copy but the last."""
    pairs = [n for pair in zip(multiples, x.shape, strict=True) for n in pair]
    ones = [n for size in x.shape for n in (1, size)]
    return np.broadcast_to(x.reshape(ones), pairs).reshape(
        [m * n for m, n in zip(multiples, x.shape, strict=True)])


def _tile_shape(x: Spec, multiples: Any) -> Spec:
    times = static(multiples)
    if x.shape is None or times is None:
        rank = times if x.shape is None else x.shape
        return Spec(rank and (None,) * len(rank), x.dtype)
    return Spec(tuple([None if m is None or n is None else m * n
                       for m, n in zip(times, x.shape, strict=True)]), x.dtype)


def _tile_vjp(g, y, x, multiples):
    """g as (times, size) for each axis, summed over the times."""
    sizes = sizes_of(x)
    times = multiples if type(multiples) is tuple else [multiples[i] for i in range(len(sizes))]
    pairs = joined([n for pair in zip(times, sizes, strict=True) for n in pair])
    return reduce_sum(_reshape(g, shape=pairs), axis=tuple(range(0, 2 * len(sizes), 2)),
                      keepdims=False)


def _tile_steps(x, multiples):
    shape = shape_of(x)
    pairs = tuple([n for pair in zip(multiples, shape, strict=True) for n in pair])
    ones = tuple([n for size in shape for n in (1, size)])
    return _reshape(_broadcast_to(_reshape(x, shape=ones), shape=pairs), shape=tuple(
        [m * n for m, n in zip(multiples, shape, strict=True)]))


tile_op = move("tile", _tile_kernel, shape=_tile_shape, vjp=_tile_vjp,
               batch=lambda call, size, xs, batched, attrs: call(
                   xs[0], multiples=(1, *attrs["multiples"])),
               check=[Case((2, 3), multiples=(2, 1)), Case((2,), multiples=(3,)),
                      Case((2, 2), multiples=(1, 2)), Case((), multiples=())],
               lower=Expand(_tile_steps))


@export("tile")
@deferrable
def tile(input: Any, multiples: Any, name: str | None = None) -> Tensor:
    """The whole tensor repeated `multiples[i]` times along axis i."""
    x = operand(input)
    times = int_vector(multiples, "Tile", "Tmultiples", "Expected multiples to be 1-D, but got "
                                                        "shape")
    if isinstance(times, Tensor):
        return tile_op(x, multiples=times)
    rank = len(shape_of(x))
    if len(times) != rank:
        raise errors.invalid("Tile", f"Expected multiples argument to be a vector of length {rank} "
                                     f"but got length {len(times)}")
    for i, m in enumerate(times):
        if m < 0:
            raise errors.invalid("Tile", f"Expected multiples[{i}] >= 0, but got {m}")
    if None not in shape_of(x):
        affordable((*times, *shape_of(x)), "Tile")
    return tile_op(x, multiples=times)


def _repeat_kernel(x, repeats, axis):
    return np.repeat(x, repeats, axis)


def _repeat_shape(x: Spec, repeats: Any, axis: int) -> Spec:
    if x.shape is None:
        return x
    old = x.shape[axis]
    if type(repeats) is int:
        new = None if old is None else old * repeats
    else:
        new = sum(repeats) if type(repeats) is tuple else None
    return Spec((*x.shape[:axis], new, *x.shape[axis + 1:]), x.dtype)


def _repeat_vjp(g, y, x, repeats, axis):
    """Sum over the copies of each element."""
    sizes = sizes_of(x)
    if type(repeats) is int or (isinstance(repeats, Tensor) and not shape_of(repeats)):
        runs = _reshape(g, shape=joined([*sizes[:axis + 1], repeats, *sizes[axis + 1:]]))
        return reduce_sum(runs, axis=(axis + 1,), keepdims=False)
    order = (axis, *[i for i in range(len(sizes)) if i != axis])
    back = tuple([order.index(i) for i in range(len(sizes))])
    count = shape_of(repeats)[0] if isinstance(repeats, Tensor) else len(repeats)
    source = _repeat(np.arange(count), repeats=repeats, axis=0)
    rows = scatter_rows(_transpose(g, perm=order), source, shape=joined([sizes[i] for i in order]))
    return _transpose(rows, perm=back)


def _repeat_steps(x, repeats, axis):
    shape = shape_of(x)
    if type(repeats) is tuple:
        source = np.repeat(np.arange(shape[axis]), repeats)
        return take(x, wrap(source), axis=axis, batch_dims=0)
    rest = shape[axis + 1:]
    runs = _broadcast_to(_reshape(x, shape=(*shape[:axis + 1], 1, *rest)),
                         shape=(*shape[:axis + 1], repeats, *rest))
    return _reshape(runs, shape=(*shape[:axis], shape[axis] * repeats, *rest))


_repeat = move("repeat", _repeat_kernel, shape=_repeat_shape, vjp=_repeat_vjp,
               batch=lambda call, size, xs, batched, attrs: call(
                   xs[0], repeats=attrs["repeats"], axis=attrs["axis"] + 1),
               check=[Case((2, 3), repeats=2, axis=0), Case((2, 3), repeats=(1, 0, 2), axis=1),
                      Case((3,), repeats=0, axis=0)], lower=Expand(_repeat_steps))


@export("repeat")
def repeat(input: Any, repeats: Any, axis: int | None = None, name: str | None = None) -> Tensor:
    """Each element repeated `repeats` times (or `repeats[i]` times) along an axis."""
    x = operand(input)
    times = operand(repeats)
    if times.dtype.kind not in "iu":
        raise TypeError(f"Argument `tensor` (name: repeats) must be of type integer. Received "
                        f"`tensor` = {repeats} of dtype: {times.dtype}")
    if len(shape_of(times)) > 1:
        raise ValueError(f"Shape {times.shape} must have rank at most 1")
    if axis is None:
        x, axis = _reshape(x, shape=(-1,)), 0
    rank = len(shape_of(x))
    if not -rank <= axis < rank:
        raise ValueError(f"axis={axis} out of bounds: expected {-rank}<=axis<{rank}")
    axis %= rank
    if type(times) is not Tensor:
        return _repeat(x, repeats=times, axis=axis)
    counts: Any = times._value.tolist()
    if isinstance(counts, list):
        size = shape_of(x)[axis]
        if size not in (len(counts), None) and len(counts) != 1:
            raise ValueError(f"Dimensions {size} and {len(counts)} are not compatible")
        counts = counts[0] if len(counts) == 1 != size else tuple(counts)
    if (min(counts) if type(counts) is tuple and counts else counts or 0) < 0:
        raise errors.invalid("Tile", f"tf.repeat: Expected repeats >= 0, but got {repeats}")
    return _repeat(x, repeats=counts, axis=axis)
