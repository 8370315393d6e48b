"""tf.pad in all its modes, and `crop`, its transpose.

May be imported by `api` and by other modules of `ops`.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from tapeflow.base import errors
from tapeflow.base.exports import export
from tapeflow.core.deferrable import deferrable
from tapeflow.core.record.elementwise_ops import stop_gradient
from tapeflow.core.record.families import operand
from tapeflow.core.record.linear import move
from tapeflow.core.record.lowering_forms import (
    Assemble,
    Expand,
    Unsupported,
    View,
    contiguous_strides,
)
from tapeflow.core.record.op import Spec, define, shape_of
from tapeflow.core.record.primitive_ops import cast, concat, cut, fill_like, partial, reshape, uncut
from tapeflow.core.record.samples import Case
from tapeflow.core.values.convert import convert
from tapeflow.core.values.tensor import Tensor
from tapeflow.ops._support.arguments import brackets, defaulted, differing, integers
from tapeflow.ops.array.reverse import reverse_op
from tapeflow.ops.math.select import select


def _inside(paddings: tuple, shape: tuple) -> tuple:
    return tuple([slice(before, before + n)
                  for (before, _), n in zip(paddings, shape, strict=True)])


def _pairs(amounts: Any, op: str = "Pad") -> Any:
    """(before, after) for each axis; what a trace left open arrives as one flat vector."""
    if not amounts or type(amounts[0]) is not int:
        return amounts
    pairs = tuple(zip(amounts[::2], amounts[1::2], strict=True))
    if min(amounts) < 0:
        raise errors.invalid(op, f"Paddings must be non-negative: {pairs}")
    return pairs


def _pad_kernel(x, paddings, value):
    paddings = _pairs(paddings)
    shape = tuple([a + n + b for (a, b), n in zip(paddings, x.shape, strict=True)])
    out = np.zeros(shape, x.dtype) if type(value) is int else np.full(shape, value, x.dtype)
    out[_inside(paddings, x.shape)] = x
    return out


def _pad_shape(x: Spec, paddings: Any, **attrs: Any) -> Spec:
    if x.shape is None:
        return x
    if isinstance(paddings, Tensor):
        known = partial(paddings)
        if known is None or len(known) != 2 * len(x.shape):
            return Spec((None,) * len(x.shape), x.dtype)
        paddings = tuple(zip(known[::2], known[1::2], strict=True))
    return Spec(tuple([None if None in (a, n, b) else a + n + b
                       for (a, b), n in zip(_pairs(paddings), x.shape, strict=True)]), x.dtype)


def _wider(name: str):
    """The batch rule of an op with amounts per axis: none along the batch axis."""
    def batch(call, size, xs, batched, attrs):
        return call(xs[0], **{**attrs, name: ((0, 0), *attrs[name])})

    return batch


def _pad_parts(shapes, paddings, value):
    pairs = _pairs(paddings)
    return value, [(0, [before for before, _ in pairs], [1] * len(pairs))]


_pad = define("pad", kernel=_pad_kernel, shape=_pad_shape, batch=_wider("paddings"), kind="move",
              vjp=(lambda g, y, x, paddings, value: crop(g, crops=paddings),), tf_name="PadV2",
              jvp=lambda ts, y, x, paddings, value: _pad(ts[0], paddings=paddings, value=0),
              check=[Case((2, 3), paddings=((1, 1), (2, 0)), value=0),
                     Case((3,), paddings=((0, 2),), value=5.0), Case((), paddings=(), value=0)],
              lower=Assemble(_pad_parts))


def _crop_kernel(x, crops):
    return x[tuple([slice(a, n - b) for (a, b), n in zip(_pairs(crops), x.shape, strict=True)])]


def _crop_shape(x: Spec, crops: Any) -> Spec:
    if isinstance(crops, Tensor):
        return Spec(None if x.shape is None else (None,) * len(x.shape), x.dtype)
    return Spec(None if x.shape is None else tuple(
        [None if n is None else n - a - b for (a, b), n in zip(
            _pairs(crops), x.shape, strict=True)]), x.dtype)


def _crop_view(own, crops):
    steps, pairs = contiguous_strides(own), _pairs(crops)
    offset = sum([before * step for (before, _), step in zip(pairs, steps, strict=True)])
    return offset, [n - a - b for (a, b), n in zip(pairs, own, strict=True)], steps


crop = move("crop", _crop_kernel, shape=_crop_shape, batch=_wider("crops"), tf_name="Slice",
            vjp=lambda g, y, x, crops: _pad(g, paddings=crops, value=0),
            check=[Case((4, 5), crops=((1, 1), (2, 0))), Case((3,), crops=((0, 3),))],
            lower=View(_crop_view))


def pad_zeros(x: Any, paddings: tuple) -> Tensor:
    """Zeros around a tensor; `paddings` has a pair for each axis."""
    return _pad(x, paddings=paddings, value=0)


def _mirror_kernel(x, paddings, offset):
    """`offset` is 1 where the edge is not repeated (REFLECT), 0 where it is (SYMMETRIC)."""
    pairs, few = _pairs(paddings, "MirrorPad"), x.size < _SMALL_RESULT
    for axis, (before, after) in enumerate(pairs):
        n = x.shape[axis]
        if (before or after) and max(before, after) > n - offset:
            raise errors.invalid("MirrorPad", (
                f"paddings must be no greater than the dimension size{' - 1' * offset}: "
                f"{before}, {after} greater than {n - offset} (axis {axis})"))
        if few and (before or after):
            x = x.take([*range(before - 1 + offset, offset - 1, -1), *range(n),
                        *range(n - 1 - offset, n - 1 - offset - after, -1)], axis)
    return x if few else _mirrored(x, pairs, offset)


_SMALL_RESULT = 1 << 12


def _mirrored(x, pairs, offset):
    """The middle in one piece, then the borders: many elements are copied once."""
    middle = _inside(pairs, x.shape)
    out = np.empty([before + n + after for (before, after), n in zip(pairs, x.shape)], x.dtype)
    out[middle] = x
    for axis, (before, after) in enumerate(pairs):
        lead, first, end = (slice(None),) * axis, middle[axis].start, middle[axis].stop
        known = out[(*lead, slice(None), *middle[axis + 1:])]
        low, high = first + offset, end - offset
        for goal, source in ((slice(first), slice(low, low + before)),
                             (slice(end, end + after), slice(high - after, high))):
            known[(*lead, goal)] = known[(*lead, source)][(*lead, slice(None, None, -1))]
    return out


def _unmirror_kernel(g, paddings, offset):
    """Fold the borders back onto the elements that they mirror."""
    for axis, (before, after) in enumerate(_pairs(paddings)):
        if not before and not after:
            continue
        lead, n = (slice(None),) * axis, g.shape[axis] - before - after
        out = g[(*lead, slice(before, before + n))].copy()
        left = g[(*lead, slice(0, before))]
        right = g[(*lead, slice(before + n, None))]
        flip = (*lead, slice(None, None, -1))
        out[(*lead, slice(offset, offset + before))] += left[flip]
        out[(*lead, slice(n - offset - after, n - offset))] += right[flip]
        g = out
    return g


def _mirror_steps(x, paddings, offset):
    """Each border is a piece next to it, reversed."""
    for axis, (before, after) in enumerate(_pairs(paddings)):
        n, parts = shape_of(x)[axis], [x]
        if before:
            left = cut(x, axis=axis, start=offset, size=before)
            parts.insert(0, reverse_op(left, axis=(axis,)))
        if after:
            right = cut(x, axis=axis, start=n - offset - after, size=after)
            parts.append(reverse_op(right, axis=(axis,)))
        x = concat(*parts, axis=axis) if len(parts) > 1 else x
    return x


def _unmirror_steps(g, paddings, offset):
    if g.dtype.kind == "b":
        raise Unsupported("sums of booleans")
    for axis, (before, after) in enumerate(_pairs(paddings)):
        n = shape_of(g)[axis] - before - after
        total = cut(g, axis=axis, start=before, size=n)
        for size, start, goal in ((before, 0, offset), (after, before + n, n - offset - after)):
            if size:
                part = reverse_op(cut(g, axis=axis, start=start, size=size), axis=(axis,))
                total = total + uncut(part, axis=axis, start=goal, total=n)
        g = total
    return g


_mirror = move("mirror_pad", _mirror_kernel, batch=_wider("paddings"),
               shape=_pad_shape,
               vjp=lambda g, y, x, paddings, offset: _unmirror(g, paddings=paddings, offset=offset),
               check=[Case((3, 4), paddings=((1, 2), (3, 0)), offset=1),
                      Case((3, 2), paddings=((3, 1), (2, 2)), offset=0)],
               lower=Expand(_mirror_steps))
_unmirror = move("mirror_pad_grad", _unmirror_kernel, batch=_wider("paddings"),
                 shape=lambda g, paddings, offset: _crop_shape(g, paddings),
                 vjp=lambda g, y, x, paddings, offset: _mirror(g, paddings=paddings, offset=offset),
                 check=[Case((6, 7), paddings=((1, 2), (3, 0)), offset=1),
                        Case((7, 6), paddings=((3, 1), (2, 2)), offset=0)],
                 lower=Expand(_unmirror_steps))


@export("pad")
@deferrable
def pad(tensor: Any, paddings: Any, mode: str = "CONSTANT", constant_values: Any = 0,
        name: str | None = None) -> Tensor:
    """`paddings[i] = [before, after]` elements more along axis i.

    They are `constant_values`, or mirror the tensor: without its edge (REFLECT) or with it
    (SYMMETRIC).
    """
    x = operand(tensor)
    kind = mode.upper()
    if kind not in ("CONSTANT", "REFLECT", "SYMMETRIC"):
        raise ValueError(f"Value of argument `mode` expected to be one of 'CONSTANT', 'REFLECT', "
                         f"or 'SYMMETRIC'. Received `mode` = {mode}")
    op = "Pad" if kind == "CONSTANT" else "MirrorPad"
    amounts = _paddings(x, paddings, op)
    if kind != "CONSTANT":
        return _mirror(x, paddings=amounts, offset=int(kind == "REFLECT"))
    border = _border(x, constant_values)
    if isinstance(border, Tensor):  # known only when the graph runs
        inside = cast(_pad(fill_like(x, value=1), paddings=amounts, value=0), dtype=np.dtype(bool))
        return select(inside, _pad(x, paddings=amounts, value=0), stop_gradient(border))
    return _pad(x, paddings=amounts, value=border)


def _border(x: Any, value: Any) -> Any:
    """The constant around a padded tensor: 0 for zeros of any kind, else a value of its dtype."""
    if type(value) is int and not value:
        return 0 if x.dtype.kind != "O" else b""
    tensor = convert(value, None if isinstance(value, Tensor) else x.dtype)
    if tensor.dtype != x.dtype:
        raise differing(_pad.op, 2, x.dtype.np, tensor.dtype.np)
    if shape_of(tensor):
        raise errors.invalid("PadV2", f"constant_values must be a scalar. Found: "
                                      f"{brackets(shape_of(tensor))}")
    return tensor._value[()] if type(tensor) is Tensor else tensor


def _plain(paddings: Any) -> tuple | None:
    """Pairs of Python ints as they are; None if there is anything else among them."""
    for pair in paddings:
        if (type(pair) is not list and type(pair) is not tuple) or len(pair) != 2:
            return None
        for n in pair:
            if type(n) is not int or n < 0:
                return None
    return tuple([(before, after) for before, after in paddings])


def _paddings(x: Any, paddings: Any, op: str) -> Any:
    if type(paddings) is list or type(paddings) is tuple:
        pairs = _plain(paddings)
        if pairs and len(pairs) == len(shape_of(x)):
            return pairs
    given = integers(convert(defaulted(paddings, "Tpaddings")), op, "Tpaddings")
    shape, rank = shape_of(given), len(shape_of(x))
    if len(shape) != 2 or shape[1] not in (2, None):
        raise errors.invalid(op, f"paddings must be a matrix with 2 columns: {brackets(shape)}")
    if shape[0] not in (rank, None):
        raise errors.invalid(op, f"The first dimension of paddings must be the rank of inputs"
                                 f"{brackets(shape)} {brackets(shape_of(x))}")
    if type(given) is not Tensor:
        return reshape(given, shape=(2 * rank,))
    rows = given._value
    if rows.size and rows.min() < 0:
        raise errors.invalid(op, f"Paddings must be non-negative: {rows.tolist()}")
    return tuple([(before, after) for before, after in rows.tolist()])
