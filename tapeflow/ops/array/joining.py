"""Joining and splitting along an axis: stack, concat, unstack, split.

The records of stack and concat are in `core.record.primitive_ops`. May be imported by `api` and
by other modules of `ops`.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from tapeflow.base import dtypes, errors
from tapeflow.base.attributes import whole
from tapeflow.base.exception_origin import unsignalled
from tapeflow.base.exports import export
from tapeflow.base.late import LatePublic
from tapeflow.core.deferrable import deferrable, deferred
from tapeflow.core.record.families import operand
from tapeflow.core.record.lowering_forms import Expand
from tapeflow.core.record.op import Spec, define, shape_of
from tapeflow.core.record.primitive_ops import (
    cast,
    cut,
    reduce_sum,
)
from tapeflow.core.record.primitive_ops import concat as _concat
from tapeflow.core.record.primitive_ops import reshape as _reshape
from tapeflow.core.record.primitive_ops import stack as _stack
from tapeflow.core.record.samples import Case
from tapeflow.core.values.composite import plain
from tapeflow.core.values.convert import convert
from tapeflow.core.values.tensor import Tensor
from tapeflow.ops._support.arguments import (
    alike,
    boxed,
    brackets,
    int_scalar,
    int_vector,
    joined,
    sizes_of,
)
from tapeflow.ops.array.shaping import ensure_shape_op, identity

_where = LatePublic("where")


@export("stack")
def stack(values: Any, axis: int = 0, name: str = "stack") -> Tensor:
    """Tensors of one shape along a new axis."""
    if hasattr(values, "nested_row_splits"):
        values = list(values)  # the rows, which must have one length
    if isinstance(values, Tensor):
        if axis == 0:
            return values
        parts: list = unstack(values)
    elif isinstance(values, (list, tuple)):
        if axis == 0 and (not values or any(type(x) is not Tensor for x in values)):
            try:
                return convert(values)
            except unsignalled(TypeError, ValueError, errors.InvalidArgumentError):
                pass
        parts = alike(values)
    elif axis == 0 and not isinstance(values, dict) and values is not None:
        return plain(convert(values))
    else:
        parts = alike([values[i] for i in range(len(values))] if isinstance(
            values, np.ndarray) else [values[0]])
    if not parts:
        raise errors.invalid("StridedSlice", "slice index 0 of dimension 0 out of bounds.")
    rank = 1 + len(shape_of(parts[0]))
    if not -rank <= axis < rank:
        raise ValueError(f"Argument `axis` = {axis} not in range [{-rank}, {rank})")
    return _stack(*parts, axis=(int(axis) if isinstance(axis, float) else axis) % rank)


@export("concat")
def concat(values: Any, axis: Any, name: str = "concat") -> Tensor:
    """Tensors joined along an existing axis."""
    parts = alike(values if isinstance(values, (list, tuple)) else [values])
    position = int_scalar(axis, "ConcatV2", "Tidx")
    if len(parts) == 1:
        if shape_of(convert(axis, dtypes.int32)):
            raise ValueError(f"Shape {convert(axis).shape} must have rank 0")
        return identity(parts[0])
    if not parts:
        raise errors.invalid("ConcatV2", "tf.concat needs at least one tensor: values is empty")
    try:
        rank = len(shape_of(parts[0]))
    except errors.UnknownSize as error:
        return deferred(concat, (parts, position), error)
    if not -rank <= position < rank:
        if not rank:
            raise errors.invalid("ConcatV2", "ConcatOp : Can't concatenate scalars (use tf.stack "
                                             "instead)")
        raise errors.invalid("ConcatV2", f"ConcatOp : Expected concatenating dimensions in the "
                                         f"range [{-rank}, {rank}), but got {position}")
    return _concat(*parts, axis=position % rank)


def _unstack_kernel(x, axis):
    rows = x if not axis else np.moveaxis(x, axis, 0)
    return tuple([boxed(row, x.dtype) for row in rows])


def _unstack_shape(x: Spec, axis: int) -> tuple:
    if x.shape is None or x.shape[axis] is None:
        raise ValueError(f"tf.unstack: the size of axis {axis} is not known: give num=.")
    return (Spec(x.shape[:axis] + x.shape[axis + 1:], x.dtype),) * x.shape[axis]


def _unstack_steps(x, axis):
    shape = shape_of(x)
    rest = (*shape[:axis], *shape[axis + 1:])
    return tuple([_reshape(cut(x, axis=axis, start=i, size=1), shape=rest)
                  for i in range(shape[axis])])


unstack_op = define("unstack", kernel=_unstack_kernel, shape=_unstack_shape, multi=True,
                    saves="out", vjp=(lambda g, y, x, axis: _stack(*g, axis=axis),),
                    jvp=lambda ts, y, x, axis: unstack_op(ts[0], axis=axis), kind="move",
                    batch=lambda call, size, xs, batched, attrs: call(
                        xs[0], axis=attrs["axis"] + 1),
                    tf_name="Unpack",
                    check=[Case((3, 2), axis=0), Case((2, 3), axis=1), Case((3,), axis=0)],
                    lower=Expand(_unstack_steps))


@export("unstack")
def unstack(value: Any, num: int | None = None, axis: int = 0, name: str = "unstack") -> list:
    """The parts of a tensor along an axis, as a list."""
    x = operand(value)
    shape = shape_of(x)
    rank = len(shape)
    if not -rank <= axis < rank:
        raise ValueError(f"Argument `axis` = {axis} not in range [{-rank}, {rank})")
    if num is not None and type(num) is not int:
        num = whole("num", num)
    if num is not None and shape[axis] is not None and shape[axis] != num:
        raise errors.invalid("Unpack", f"Input shape axis {axis} must equal {num}, got shape "
                                       f"{brackets(shape)}")
    if num is not None and shape[axis] is None:
        x = ensure_shape_op(x, shape=(*shape[:axis % rank], num, *shape[axis % rank + 1:]))
    return list(unstack_op(x, axis=axis % rank))


def _split_kernel(x, sizes, axis):
    parts, start, lead = [], 0, (slice(None),) * axis
    for size in sizes:
        parts.append(x[(*lead, slice(start, start + size))])
        start += size
    if start != x.shape[axis] or min(sizes) < 0:
        raise errors.invalid("SplitV", (
            f"Determined shape must match input shape along split_dim exactly.  Got: {sizes} of "
            f"{x.shape[axis]}"))
    return tuple(parts)


def _split_shape(x: Spec, sizes: Any, axis: int) -> tuple:
    if isinstance(sizes, Tensor):
        sizes = (None,) * shape_of(sizes)[0]
    return tuple([Spec(None if x.shape is None else (*x.shape[:axis], size, *x.shape[axis + 1:]),
                       x.dtype) for size in sizes])


def _split_steps(x, sizes, axis):
    parts, start = [], 0
    for size in sizes:
        parts.append(cut(x, axis=axis, start=start, size=size))
        start += size
    return tuple(parts)


split_op = define("split", kernel=_split_kernel, shape=_split_shape, multi=True, saves="out",
                  vjp=(lambda g, y, x, sizes, axis: _concat(*g, axis=axis),), kind="move",
                  jvp=lambda ts, y, x, sizes, axis: split_op(ts[0], sizes=sizes, axis=axis),
                  batch=lambda call, size, xs, batched, attrs: call(
                      xs[0], sizes=attrs["sizes"], axis=attrs["axis"] + 1),
                  tf_name="SplitV",
                  check=[Case((6, 2), sizes=(2, 2, 2), axis=0), Case((2, 5), sizes=(1, 4), axis=1),
                         Case((3,), sizes=(0, 3), axis=0)], lower=Expand(_split_steps))


@export("split")
@deferrable
def split(value: Any, num_or_size_splits: Any, axis: Any = 0, num: int | None = None,
          name: str = "split") -> list:
    """Parts of equal size (given how many) or of the sizes listed, one of which may be -1."""
    x = operand(value)
    position = int_scalar(axis, "Split", "axis")
    if not isinstance(axis, int) and shape_of(operand(axis)):
        raise errors.invalid("Split", "split_dim must be a scalar but has rank "
                                      f"{len(shape_of(operand(axis)))}")
    shape = shape_of(x)
    rank = len(shape)
    even = isinstance(num_or_size_splits, (int, np.integer)) and not isinstance(
        num_or_size_splits, bool)
    if not even:
        given = operand(num_or_size_splits)
        if not len(shape_of(given)):
            raise ValueError(f"Rank-0 tensors are not supported as the num_or_size_splits argument "
                             f"to split. Argument provided: {num_or_size_splits}")
        sizes = int_vector(given, "SplitV", "Tlen", "size_splits must be a vector, got shape") \
            if 0 not in shape_of(given) else ()
        parts = shape_of(given)[0]
        if parts is None and num is not None:  # `num` says what the trace does not know
            parts, sizes = num, _reshape(sizes, shape=(num,))
        _at_least_one(len(sizes) if parts is None else parts, "SplitV")
        if num is not None and num != parts:
            raise errors.invalid("SplitV", (
                f"size of the split_tensor must be 1-D and have the same elements as outputs got "
                f"1 -D and {parts} elements"))
    else:
        _at_least_one(num_or_size_splits, "Split")
    if not -rank <= position < rank:
        raise errors.invalid("Split", f"-input rank(-{rank}) <= split_dim < input rank ({rank}), "
                                      f"but got {position}")
    size = shape[position]
    if even:
        sizes = _even(sizes_of(x)[position], int(num_or_size_splits), position)
    elif isinstance(sizes, Tensor):
        whole = cast(operand(sizes_of(x)[position]), dtype=sizes.dtype.np)
        rest = whole - reduce_sum(_where(sizes == -1, 0, sizes))
        sizes = _where(sizes == -1, rest, sizes)
    elif size is not None:
        sizes = _sizes(size, sizes)
    elif -1 in sizes:
        rest = sizes_of(x)[position] - sum([n for n in sizes if n != -1])
        sizes = joined([rest if n == -1 else n for n in sizes])
    return list(split_op(x, sizes=sizes, axis=position % rank))


def _at_least_one(count: int, op: str) -> None:
    if count < 1:
        raise errors.invalid(op, f"Value for attr 'num_split' of {count} must be at least "
                                 "minimum 1")


def _even(size: Any, count: int, axis: int) -> Any:
    if type(size) is not int:
        return joined([size // count] * count)
    if size % count:
        raise errors.invalid("Split", (
            f"Number of ways to split should evenly divide the split dimension, but got split_dim "
            f"{axis} (size = {size}) and num_split {count}"))
    return (size // count,) * count


def _sizes(size: int, sizes: tuple) -> tuple:
    if sizes.count(-1) > 1:
        raise errors.invalid("SplitV", "There can only be one -1 in the input.")
    rest = size - sum([n for n in sizes if n != -1])
    bad = rest < 0 if -1 in sizes else rest != 0
    if bad or any(n < -1 for n in sizes):
        raise errors.invalid("SplitV", (
            "Determined shape must either match input shape along split_dim exactly if fully "
            "specified, or be less than the size of the input along split_dim if not fully "
            f"specified.  Got: {size - rest}"))
    return tuple([rest if n == -1 else n for n in sizes])
