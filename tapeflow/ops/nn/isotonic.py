"""tf.nn.isotonic_regression: the nearest monotone sequence, by merging neighbours that violate.

Loaded when its public name is used.
"""

from __future__ import annotations

import operator
from collections import namedtuple
from typing import Any

import numpy as np

from tapeflow.base.exports import export
from tapeflow.core.record.families import operand
from tapeflow.core.record.op import Spec, define, shape_of
from tapeflow.core.record.primitive_ops import broadcast_to
from tapeflow.core.record.samples import Case, ints
from tapeflow.ops.array.shaping import transpose

IsotonicRegression = namedtuple("IsotonicRegression", ("output", "segments"))
_I32 = np.dtype("int32")


def _result_dtype(dtype: np.dtype) -> np.dtype:
    if dtype.kind in "iu":
        return np.dtype("float32" if dtype.itemsize < 4 else "float64")
    return dtype


def _merged(row: list[float]) -> list[list]:
    """Blocks [sum, count] of a row whose means fall."""
    blocks: list[list] = []
    for value in row:
        blocks.append([value, 1])
        while len(blocks) > 1 and (blocks[-2][0] * blocks[-1][1] < blocks[-1][0] * blocks[-2][1]):
            total, count = blocks.pop()
            blocks[-1][0] += total
            blocks[-1][1] += count
    return blocks


def _kernel(x):
    rows = np.asarray(x).reshape(-1, x.shape[-1])
    segments = np.empty(rows.shape, _I32)
    output = np.empty(rows.shape, np.float64)
    for i, row in enumerate(rows.astype(np.float64)):
        blocks = _merged(row.tolist())
        counts = [count for _, count in blocks]
        segments[i] = np.repeat(np.arange(len(blocks)), counts)
        output[i] = np.repeat([total / count for total, count in blocks], counts)
    return output.astype(_result_dtype(x.dtype)).reshape(x.shape), segments.reshape(x.shape)


def _aligned(call, size, xs, batched, attrs):
    shapes = [shape_of(x) for x in xs]
    whole = next(shape for shape, mark in zip(shapes, batched, strict=True) if mark)
    return call(*[x if mark else broadcast_to(x, shape=(size, *shape)) if whole != shape else x
                  for x, shape, mark in zip(xs, shapes, batched, strict=True)])


def _average_kernel(x, segments):
    shape = x.shape
    flat = np.asarray(x, np.float64).reshape(-1, shape[-1])
    ids = segments.reshape(flat.shape) + np.arange(len(flat))[:, None] * shape[-1]
    sums = np.bincount(ids.ravel(), flat.ravel(), flat.size)
    counts = np.bincount(ids.ravel(), minlength=flat.size)
    return (sums / np.maximum(counts, 1))[ids].astype(x.dtype).reshape(shape)


# Along the last axis each element becomes the mean of its segment: linear, and its own adjoint.
segment_average = define(
    "segment_average", kernel=_average_kernel, shape=lambda x, segments: x, batch=_aligned,
    vjp=(lambda g, y, x, segments: segment_average(g, segments), None), args=("x", "segments"),
    jvp=lambda ts, y, x, segments: None if ts[0] is None else segment_average(ts[0], segments),
    saves="in1", dtypes="fVi", check=[Case((2, 4), np.array([[0, 0, 1, 2], [0, 1, 1, 1]], _I32))])


_isotonic = define(
    "isotonic_regression", kernel=_kernel, multi=True, saves="out", dtypes="fViu", args=("inputs",),
    shape=lambda x: (Spec(x.shape, _result_dtype(x.dtype)), Spec(x.shape, _I32)),
    vjp=(lambda g, y, x: segment_average(g[0], y[1]) if x.dtype.kind in "fV" else None,),
    jvp=lambda ts, y, x: (segment_average(ts[0], y[1]), None),
    batch=lambda call, size, xs, batched, attrs: call(*xs),
    check=[Case((3, 6)), Case((5,)), Case(ints(9, (2, 4)), grad=False)])


@export("nn.isotonic_regression")
def isotonic_regression(inputs: Any, decreasing: bool = True, axis: int = -1) -> Any:
    """The nearest sequence, by least squares, that does not rise (or fall) along an axis.

    Gives it with the index of the segment of equal values that each element belongs to.
    """
    x = operand(inputs)
    rank = len(shape_of(x))
    axis = operator.index(axis)
    axis = axis + rank if axis < 0 else axis
    perm = None
    if axis != rank - 1:
        perm = [i for i in range(rank) if i not in (axis, rank - 1)]
        perm.insert(axis, rank - 1)
        perm.append(axis)
        x = transpose(x, perm)
    if decreasing and perm is None:
        return IsotonicRegression(*_isotonic(x))
    output, segments = _isotonic(x) if decreasing else _isotonic(-x)
    output = output if decreasing else -output
    if perm is not None:
        output, segments = transpose(output, perm), transpose(segments, perm)
    return output, segments
