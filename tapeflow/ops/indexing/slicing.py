"""Slices by arguments: tf.slice, tf.strided_slice, and `section`, a slice whose sizes are known."""

from __future__ import annotations

from typing import Any

import numpy as np

from tapeflow.base import errors
from tapeflow.base.attributes import attributes, small
from tapeflow.base.exports import export, known_as
from tapeflow.core.deferrable import deferrable
from tapeflow.core.record.families import operand
from tapeflow.core.record.linear import move
from tapeflow.core.record.op import (
    NUMERIC,
    Spec,
    apply,
    shape_of,
    specialise,
)
from tapeflow.core.record.primitive_ops import (
    concat,
    dims,
    partial,
    static,
)
from tapeflow.core.record.samples import Case
from tapeflow.core.values.tensor import Tensor, wrap
from tapeflow.ops._support.arguments import int_vector, known_shape, wrong_kind
from tapeflow.ops.indexing.basic_indexing import getitem, native_index, strided, valid_index


@export("slice")
@deferrable
def slice_(input_: Any, begin: Any, size: Any, name: str | None = None) -> Tensor:
    """The part that begins at `begin` and has `size`; a size of -1 means all that is left."""
    x = operand(input_)
    shape = shape_of(x)
    if isinstance(begin, (list, tuple)) and not len(begin):
        raise wrong_kind("Slice", "Index", np.float32)
    _same_kind(begin, size, "Slice", 2)
    starts, sizes = (int_vector(v, "Slice", "Index", "Expected begin and size arguments to be 1-D "
                                "tensors, but got shape") for v in (begin, size))
    if None not in shape and type(starts) is tuple and type(sizes) is tuple:
        return strided(x, spec=_section_spec(starts, sizes, shape))
    return known_shape(section(x, begin=starts, size=sizes), size)


def _section_spec(begin: tuple, size: tuple, shape: tuple) -> tuple:
    """From `begin` on, `size` elements of each axis (-1: all that are left), as a spec; checked."""
    _check_lengths(len(begin), len(size), len(shape))
    spec = []
    for axis, (first, count, n) in enumerate(zip(begin, size, shape)):
        if not 0 <= first <= n:
            raise errors.invalid("Slice", f"Expected begin[{axis}] in [0, {n}], but got {first}")
        if count == -1:
            count = n - first
        elif not 0 <= count <= n - first:
            raise errors.invalid("Slice", f"Expected size[{axis}] in [0, {n - first}], but got "
                                          f"{count}")
        spec.append((first, first + count, None))
    return tuple(spec)


def _check_lengths(begin: int | None, size: int | None, rank: int) -> None:
    if begin not in (rank, None) or size not in (rank, None):
        raise errors.invalid("Slice", (
            f"Expected begin and size arguments to be 1-D tensors of size {rank}, but got shapes "
            f"[{begin}] and [{size}] instead."))


def _section_shape(x: Spec, begin: Any, size: Any) -> Spec:
    if x.shape is not None:
        first, second = (len(n) if type(n) is tuple else shape_of(n)[0] for n in (begin, size))
        _check_lengths(first, second, len(x.shape))
    sizes = size if type(size) is tuple else partial(size)
    starts = begin if type(begin) is tuple else static(begin)
    known = next((part for part in (x.shape, sizes, starts) if part is not None), None)
    if known is None or sizes is None:
        return Spec(known and (None,) * len(known), x.dtype)
    rank = len(known)
    return Spec(tuple([n if n != -1 else whole - first if first is not None is not whole else None
                       for n, first, whole in zip(sizes, starts or (None,) * rank,
                                                  x.shape or (None,) * rank, strict=True)]),
                x.dtype)


def _section_batch(call, size, xs, batched, attrs):
    begin, sizes = (_from_first(attrs[key], first) for key, first in (("begin", 0), ("size", -1)))
    return call(xs[0], begin=begin, size=sizes)


def _from_first(bounds: Any, first: int) -> Any:
    """Bounds of a batch: those of its elements after one for the leading axis."""
    if type(bounds) is tuple:
        return (first, *bounds)
    return concat(wrap(np.array([first], bounds.dtype.np)), bounds, axis=0)


def _section_kernel(x, begin, size):
    return x[native_index(_section_spec(begin, size, x.shape))]


# A slice of which a trace does not know the bounds or the sizes; known ones are `strided`.
section = move("section", _section_kernel, shape=_section_shape, batch=_section_batch,
               vjp=lambda g, y, x, begin, size: unsection(g, begin=begin, shape=dims(x)),
               tf_name="Slice",
               check=[Case((4, 3), begin=(1, 0), size=(2, -1)), Case((3,), begin=(3,), size=(0,))])
_SECTION = section.op


def _section_call(x, begin, size):
    if type(begin) is tuple and type(size) is tuple and x.ndim is not None:
        shape = shape_of(x)
        if None not in shape:
            return strided(x, spec=_section_spec(begin, size, shape))
    return apply(_SECTION, (x,), {"begin": begin, "size": size})


section = specialise(_SECTION, _section_call)


def _unsection_kernel(x, begin, shape):
    out = np.zeros(shape, x.dtype)
    out[tuple([slice(n, n + m) for n, m in zip(begin, x.shape, strict=True)])] = x
    return out


def _unsection_batch(call, size, xs, batched, attrs):
    return call(xs[0], begin=_from_first(attrs["begin"], 0), shape=(size, *attrs["shape"]))


unsection = move("unsection", _unsection_kernel, batch=_unsection_batch,
                 shape=lambda x, begin, shape: Spec(static(shape), x.dtype),
                 vjp=lambda g, y, x, begin, shape: section(g, begin=begin, size=dims(x)),
                 tf_name="SliceGrad", dtypes=NUMERIC + "b",
                 check=[Case((2, 3), begin=(1, 0), shape=(4, 3))])


def _bounds(value: Any, op: str) -> list:
    """A vector of bounds, one by one; those of a trace stay scalar tensors."""
    if isinstance(value, (list, tuple)) and any(isinstance(n, Tensor) for n in value):
        return [valid_index(n) for n in value]
    vector = int_vector(value, op, "Index", "Expected bounds to be 1-D tensors, but got shape")
    if type(vector) is tuple:
        return list(vector)
    return [vector[i] for i in range(shape_of(vector)[0])]


def _same_kind(first: Any, second: Any, op: str, position: int) -> None:
    """Two tensors of bounds must have one integer dtype."""
    if isinstance(first, Tensor) and isinstance(second, Tensor) and first.dtype != second.dtype:
        raise errors.invalid(op, f"cannot compute {op} as input #{position}(zero-based) was "
                                 f"expected to be a {first.dtype.name} tensor but is a "
                                 f"{second.dtype.name} tensor")


@export("strided_slice")
@attributes(begin_mask=small, end_mask=small, ellipsis_mask=small, new_axis_mask=small,
            shrink_axis_mask=small)
def strided_slice(input_: Any, begin: Any, end: Any, strides: Any = None, begin_mask: int = 0,
                  end_mask: int = 0, ellipsis_mask: int = 0, new_axis_mask: int = 0,
                  shrink_axis_mask: int = 0, var: Any = None, name: str | None = None) -> Tensor:
    """x[begin:end:strides], with bits of the masks to leave out a bound, insert `...` or a new
    axis, or take one position.
    """
    x = operand(input_)
    _same_kind(begin, end, "StridedSlice", 2)
    starts, ends = (_bounds(v, "StridedSlice") for v in (begin, end))
    steps = [1] * len(starts) if strides is None else _bounds(strides, "StridedSlice")
    if not len(starts) == len(ends) == len(steps):
        raise errors.invalid("StridedSlice", (
            f"Expected begin, end, and strides to be 1D equal size tensors, but got shapes "
            f"[{len(starts)}], [{len(ends)}], and [{len(steps)}] instead."))
    if ellipsis_mask & (ellipsis_mask - 1):
        raise errors.invalid("StridedSlice", "Multiple ellipses in slice spec not allowed")
    key: list = []
    for i, (first, last, step) in enumerate(zip(starts, ends, steps, strict=True)):
        bit = 1 << i
        if ellipsis_mask & bit:
            key.append(Ellipsis)
        elif new_axis_mask & bit:
            key.append(None)
        elif shrink_axis_mask & bit:
            if type(step) is int and step <= 0:
                raise errors.invalid("StridedSlice", "only stride 1 allowed on non-range indexing.")
            key.append(first)
        else:
            key.append(slice(None if begin_mask & bit else first,
                             None if end_mask & bit else last, step))
    y = getitem(x, tuple(key))
    if var is not None:
        y._origin = (var, tuple(key))
    return y


known_as(slice_, "slice")
