"""Rearranging tensors: reshape, transpose, join, split, repeat.

All of them are linear moves. Those in `core.basics` get their public functions here. May be
imported by `api` and by other modules of `ops`.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from tapeflow.base import dtypes, errors
from tapeflow.base.attributes import whole
from tapeflow.base.exports import export
from tapeflow.base.origins import unsignalled
from tapeflow.base.shapes import TensorShape, broadcast_shapes
from tapeflow.core.basics import broadcast_to as _broadcast_to
from tapeflow.core.basics import cast, conj, cut, dims, expand, reduce_sum, scatter_rows
from tapeflow.core.basics import concat as _concat
from tapeflow.core.basics import identity as _identity
from tapeflow.core.basics import reshape as _reshape
from tapeflow.core.basics import stack as _stack
from tapeflow.core.basics import transpose as _transpose
from tapeflow.core.composite import plain
from tapeflow.core.convert import convert
from tapeflow.core.families import batch_elementwise, move, operand
from tapeflow.core.lowering import Expand, Reshape
from tapeflow.core.op import NONDIFF, OPS, Spec, define, shape_of
from tapeflow.core.samples import Case
from tapeflow.core.tensor import Tensor, wrap
from tapeflow.core.variable import Variable
from tapeflow.ops.arguments import (
    affordable,
    alike,
    at_least,
    boxed,
    brackets,
    int_scalar,
    int_vector,
    integers,
    joined,
    known_shape,
    sizes_of,
)

ndarray = np.ndarray


# -- shape only ------------------------------------------------------------------------------------
@export("reshape")
def reshape(tensor: Any, shape: Any, name: str | None = None) -> Tensor:
    """The same elements in another shape; one size may be -1 and follows from the others.

    >>> tf.reshape([1, 2, 3, 4], [2, -1])
    <tf.Tensor: shape=(2, 2), dtype=int32, numpy=
    array([[1, 2],
           [3, 4]], dtype=int32)>
    """
    x = tensor if type(tensor) is Tensor else operand(tensor)
    try:
        wanted = int_vector(shape, "Reshape", "Tshape", "sizes input must be 1-D, not",
                            scalar=True)
    except unsignalled(ValueError):
        if hasattr(shape, "row_partitions"):  # the shape of a ragged tensor
            return shape.reshaped(plain(x))
        raise
    if type(wanted) is tuple:
        for n in wanted:
            if n < 0:
                _check_sizes(wanted)
                break
        return _reshape(x, shape=wanted)
    return known_shape(_reshape(x, shape=at_least(wanted, least=-1, op="Reshape")), shape)


def _check_sizes(shape: tuple) -> None:
    """Check the negative sizes of a shape."""
    for i, n in enumerate(shape):
        if n < -1:
            raise errors.invalid("Reshape", f"Size {i} must be non-negative, not {n}")
    if shape.count(-1) > 1:
        first, second = [i for i, n in enumerate(shape) if n == -1][:2]
        raise errors.invalid("Reshape", f"Only one input size may be -1, not both {first} and "
                                        f"{second}")


@export("transpose")
def transpose(a: Any, perm: Any = None, conjugate: bool = False,
              name: str = "transpose") -> Tensor:
    """Axes in the order `perm`, reversed if none is given."""
    x = a if type(a) is Tensor else operand(a)
    rank = len(shape_of(x))
    if perm is None:
        order: Any = tuple(range(rank - 1, -1, -1))
    else:
        if type(perm) is range:
            perm = list(perm)
        order = _permutation(int_vector(perm, "Transpose", "Tperm",
                                        "perm must be rank 1, got shape"), rank)
    y = _transpose(x, perm=order)
    return conj(y) if conjugate and y.dtype.kind == "c" else y


def _permutation(perm: tuple, rank: int) -> tuple:
    if len(perm) != rank:
        raise errors.invalid("Transpose", f"transpose expects a vector of size {rank}. But "
                                          f"input(1) is a vector of size {len(perm)}")
    seen = set()
    for p in perm:
        if not -rank <= p < rank:
            raise errors.invalid("Transpose", f"{p} is out of range [0 .. {rank})")
        seen.add(p % rank)
    if len(seen) != rank:
        missing = next(i for i in range(rank) if i not in seen)
        raise errors.invalid("Transpose", f"{missing} is missing from "
                                          f"{{{','.join(map(str, perm))}}}.")
    return tuple([p % rank for p in perm])


@export("expand_dims")
def expand_dims(input: Any, axis: Any, name: str | None = None) -> Tensor:
    """A new axis of size 1 at position `axis`, counted from the end if negative."""
    x = input if type(input) is Tensor else operand(input)
    place = int_scalar(axis, "ExpandDims", "Tdim")
    rank = len(shape_of(x))
    if not -rank - 1 <= place <= rank:
        raise errors.invalid("ExpandDims", f"Tried to expand dim index {place} for tensor with "
                                           f"{rank} dimensions.")
    return expand(x, axis=place if place >= 0 else place + rank + 1)


def _squeeze_kernel(x, axis):
    if axis is None:  # not known while tracing
        return x.reshape(tuple([n for n in x.shape if n != 1]))
    return x.reshape(tuple([n for i, n in enumerate(x.shape) if i not in axis]))


def _squeezed(shape: tuple | None, axis: tuple | None) -> tuple | None:
    if shape is None or (axis is None and None in shape):
        return None
    return tuple([n for i, n in enumerate(shape) if (n != 1 if axis is None else i not in axis)])


_squeeze = move("squeeze", _squeeze_kernel, tf_name="Squeeze",
                shape=lambda x, axis: Spec(_squeezed(x.shape, axis), x.dtype),
                vjp=lambda g, y, x, axis: _reshape(g, shape=dims(x)),
                batch=lambda call, size, xs, batched, attrs: call(
                    xs[0], axis=tuple([a + 1 for a in attrs["axis"]])),
                check=[Case((1, 3, 1), axis=(0, 2)), Case((2, 1), axis=(1,)),
                       Case((2, 3), axis=())], lower=Reshape())


@export("squeeze")
def squeeze(input: Any, axis: Any = None, name: str | None = None) -> Tensor:
    """Without the axes of size 1, or without those listed, which must have size 1."""
    x = input if type(input) is Tensor else operand(input)
    shape = shape_of(x)
    if isinstance(axis, (Tensor, np.ndarray)) and axis.ndim and (
            isinstance(axis, Tensor) or axis.size):
        raise TypeError(f"Expected list for 'axis' argument to 'squeeze' Op, not {axis!r}.")
    listed: Any = [axis] if isinstance(axis, (int, float, np.integer)) else axis
    if listed is None or not len(np.atleast_1d(listed)):
        return _squeeze(x, axis=None if None in shape else tuple(
            [i for i, n in enumerate(shape) if n == 1]))
    gone = set()
    for a in np.atleast_1d(np.asarray(listed)).tolist():
        a = int(a)
        if not -len(shape) <= a < len(shape):
            raise errors.invalid("Squeeze", f"Tried to squeeze dim index {a} for tensor with "
                                            f"{len(shape)} dimensions.")
        if shape[a] not in (1, None):
            raise errors.invalid("Squeeze", f"Can not squeeze dim[{a % len(shape)}], expected a "
                                            f"dimension of 1, got {shape[a]}")
        gone.add(a % len(shape))
    return _squeeze(x, axis=tuple(sorted(gone)))


@export("broadcast_to")
def broadcast_to(input: Any, shape: Any, name: str | None = None) -> Tensor:
    """Repeated along new axes and axes of size 1 until it has `shape`."""
    x = input if type(input) is Tensor else operand(input)
    try:
        wanted = int_vector(shape, "BroadcastTo", "Tidx",
                            "shape must be a vector of {int32,int64}, got shape")
    except unsignalled(ValueError):
        if hasattr(shape, "row_partitions"):  # the shape of a ragged tensor
            return shape.filled(plain(x))
        raise
    if type(wanted) is tuple:
        if wanted and min(wanted) < 0:
            raise errors.invalid("BroadcastTo", f"Dimension {min(wanted)} must be >= 0")
        if len(wanted) < len(shape_of(x)):
            raise errors.invalid("BroadcastTo", (
                f"Rank of input ({len(shape_of(x))}) must be no greater than rank of output shape "
                f"({len(wanted)})."))
        affordable(wanted, "BroadcastTo")
        return _broadcast_to(x, shape=wanted)
    return known_shape(_broadcast_to(x, shape=wanted), shape)


@export("identity")
def identity(input: Any, name: str | None = None) -> Tensor:
    """A new tensor with the same value: a source of its own for gradients."""
    if isinstance(input, Variable):
        return input.value()
    return _identity(operand(input))


def _ensure_kernel(x: Any, shape: tuple | None) -> Any:
    if not TensorShape(shape).is_compatible_with(x.shape):
        given, wanted = (brackets(one or ()).replace("None", "?") for one in (x.shape, shape))
        raise errors.invalid("EnsureShape", f"Shape of tensor input {given} is not compatible "
                                            f"with expected shape {wanted}.")
    return x


def _ensure_shape(x: Spec, shape: tuple | None) -> Spec:
    if x.shape is None or shape is None:
        return Spec(shape if x.shape is None else x.shape, x.dtype)
    _ensure_kernel(x, shape)
    return Spec(tuple([m if n is None else n for m, n in zip(x.shape, shape, strict=True)]),
                x.dtype)


_ensure = move("ensure_shape", _ensure_kernel, shape=_ensure_shape, tf_name="EnsureShape",
               vjp=lambda g, y, x, shape: g,
               batch=lambda call, size, xs, batched, attrs: call(
                   xs[0], shape=None if attrs["shape"] is None else (size, *attrs["shape"])),
               check=[Case((2, 3), shape=(2, None)), Case((3,), shape=None), Case((), shape=())],
               lower=Reshape())


@export("ensure_shape")
def ensure_shape(x: Any, shape: Any, name: str | None = None) -> Tensor:
    """`x` itself, after a check that its shape is compatible with `shape`."""
    wanted = TensorShape(shape)
    return _ensure(operand(x), shape=None if wanted.rank is None else tuple(wanted.as_list()))


@export("broadcast_static_shape")
def broadcast_static_shape(shape_x: Any, shape_y: Any) -> TensorShape:
    """The shape that two static shapes broadcast to."""
    if not isinstance(shape_x, TensorShape) or not isinstance(shape_y, TensorShape):
        raise AttributeError("tf.broadcast_static_shape takes two tf.TensorShape, got "
                             f"{type(shape_x).__name__} and {type(shape_y).__name__}")
    return TensorShape(broadcast_shapes(shape_x._dims, shape_y._dims))


def _broadcast_args_kernel(a, b):
    """Shapes stand along the last axis; a batch of them may stand before it."""
    rank = max(a.shape[-1], b.shape[-1])
    a, b = (np.concatenate([np.ones((*x.shape[:-1], rank - x.shape[-1]), x.dtype), x], axis=-1)
            for x in (a, b))
    if not ((a == b) | (a == 1) | (b == 1)).all():
        raise errors.invalid("BroadcastArgs", f"Incompatible shapes: {brackets(a.ravel())} vs. "
                                              f"{brackets(b.ravel())}")
    return np.where(a == 1, b, a)


def _broadcast_args_shape(a: Spec, b: Spec) -> Spec:
    if a.shape is None or b.shape is None:
        return Spec(None, a.dtype)
    ranks = (a.shape[-1], b.shape[-1])
    front = broadcast_shapes(a.shape[:-1], b.shape[:-1]) or ()
    return Spec((*front, None if None in ranks else max(ranks)), a.dtype)


_broadcast_args = define("broadcast_args", kernel=_broadcast_args_kernel, args=("s0", "s1"),
                         shape=_broadcast_args_shape, dtypes="iu",
                         vjp=NONDIFF("a shape is integers: it has no gradient"),
                         batch=batch_elementwise,
                         check=[Case(np.array([2, 1, 3], np.int32), np.array([4, 1], np.int32))])


@export("broadcast_dynamic_shape")
def broadcast_dynamic_shape(shape_x: Any, shape_y: Any) -> Tensor:
    """The shape that two shapes, given as integer vectors, broadcast to."""
    a = integers(_shape_vector(shape_x), "BroadcastArgs", "T")
    b = integers(_shape_vector(shape_y, a), "BroadcastArgs", "T")
    for i, one in enumerate((a, b)):
        if len(shape_of(one)) != 1:
            raise errors.invalid("BroadcastArgs", f"In[{i}] must be a vector."
                                                  f"{brackets(shape_of(one))}")
    return _broadcast_args(a, b)


def _shape_vector(shape: Any, like: Any = None) -> Tensor:
    if isinstance(shape, TensorShape):
        shape = np.array(int_vector(shape, "BroadcastArgs", "T"), np.int32)
    if like is None:
        return convert(shape, hint=dtypes.int32)
    return convert(shape, None if isinstance(shape, Tensor) else like.dtype)


# -- joining and splitting -------------------------------------------------------------------------
@export("stack")
def stack(values: Any, axis: int = 0, name: str = "stack") -> Tensor:
    """Tensors of one shape along a new axis."""
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
            values, ndarray) else [values[0]])
    rank = 1 + len(shape_of(parts[0]))
    if not -rank <= axis < rank:
        raise ValueError(f"Argument `axis` = {axis} not in range [{-rank}, {rank})")
    return _stack(*parts, axis=(int(axis) if isinstance(axis, float) else axis) % rank)


@export("concat")
def concat(values: Any, axis: Any, name: str = "concat") -> Tensor:
    """Tensors joined along an existing axis."""
    parts = alike(values if isinstance(values, (list, tuple)) else [values])
    place = int_scalar(axis, "ConcatV2", "Tidx")
    if len(parts) == 1:
        if shape_of(convert(axis, dtypes.int32)):
            raise ValueError(f"Shape {convert(axis).shape} must have rank 0")
        return identity(parts[0])
    if not parts:
        raise errors.invalid("ConcatV2", "tf.concat needs at least one tensor: values is empty")
    rank = len(shape_of(parts[0]))
    if not -rank <= place < rank:
        if not rank:
            raise errors.invalid("ConcatV2", "ConcatOp : Can't concatenate scalars (use tf.stack "
                                             "instead)")
        raise errors.invalid("ConcatV2", f"ConcatOp : Expected concatenating dimensions in the "
                                         f"range [{-rank}, {rank}), but got {place}")
    return _concat(*parts, axis=place % rank)


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


_unstack = define("unstack", kernel=_unstack_kernel, shape=_unstack_shape, multi=True, saves="out",
                  vjp=(lambda g, y, x, axis: _stack(*g, axis=axis),),
                  jvp=lambda ts, y, x, axis: _unstack(ts[0], axis=axis), kind="move",
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
        x = _ensure(x, shape=(*shape[:axis % rank], num, *shape[axis % rank + 1:]))
    return list(_unstack(x, axis=axis % rank))


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


_split = define("split", kernel=_split_kernel, shape=_split_shape, multi=True, saves="out",
                vjp=(lambda g, y, x, sizes, axis: _concat(*g, axis=axis),), kind="move",
                jvp=lambda ts, y, x, sizes, axis: _split(ts[0], sizes=sizes, axis=axis),
                batch=lambda call, size, xs, batched, attrs: call(
                    xs[0], sizes=attrs["sizes"], axis=attrs["axis"] + 1),
                tf_name="SplitV",
                check=[Case((6, 2), sizes=(2, 2, 2), axis=0), Case((2, 5), sizes=(1, 4), axis=1),
                       Case((3,), sizes=(0, 3), axis=0)], lower=Expand(_split_steps))


@export("split")
def split(value: Any, num_or_size_splits: Any, axis: Any = 0, num: int | None = None,
          name: str = "split") -> list:
    """Parts of equal size (given how many) or of the sizes listed, one of which may be -1."""
    x = operand(value)
    place = int_scalar(axis, "Split", "axis")
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
    if not -rank <= place < rank:
        raise errors.invalid("Split", f"-input rank(-{rank}) <= split_dim < input rank ({rank}), "
                                      f"but got {place}")
    size = shape[place]
    if even:
        sizes = _even(sizes_of(x)[place], int(num_or_size_splits), place)
    elif isinstance(sizes, Tensor):
        from tapeflow.ops.gathering import where
        whole = cast(operand(sizes_of(x)[place]), dtype=sizes.dtype.np)
        rest = whole - reduce_sum(where(sizes == -1, 0, sizes))
        sizes = where(sizes == -1, rest, sizes)
    elif size is not None:
        sizes = _sizes(size, sizes)
    elif -1 in sizes:
        rest = sizes_of(x)[place] - sum([n for n in sizes if n != -1])
        sizes = joined([rest if n == -1 else n for n in sizes])
    return list(_split(x, sizes=sizes, axis=place % rank))


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


# -- repeating -------------------------------------------------------------------------------------
def _tile_kernel(x, multiples):
    """Each axis as (times, size), then joined: no copy but the last."""
    pairs = [n for pair in zip(multiples, x.shape, strict=True) for n in pair]
    ones = [n for size in x.shape for n in (1, size)]
    return np.broadcast_to(x.reshape(ones), pairs).reshape(
        [m * n for m, n in zip(multiples, x.shape, strict=True)])


def _tile_shape(x: Spec, multiples: Any) -> Spec:
    if isinstance(multiples, Tensor):
        return Spec(None if x.shape is None else (None,) * len(x.shape), x.dtype)
    return Spec(None if x.shape is None else tuple(
        [None if n is None else m * n for m, n in zip(multiples, x.shape, strict=True)]), x.dtype)


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


_tile = move("tile", _tile_kernel, shape=_tile_shape, vjp=_tile_vjp,
             batch=lambda call, size, xs, batched, attrs: call(
                 xs[0], multiples=(1, *attrs["multiples"])),
             check=[Case((2, 3), multiples=(2, 1)), Case((2,), multiples=(3,)),
                    Case((2, 2), multiples=(1, 2)), Case((), multiples=())],
             lower=Expand(_tile_steps))


@export("tile")
def tile(input: Any, multiples: Any, name: str | None = None) -> Tensor:
    """The whole tensor repeated `multiples[i]` times along axis i."""
    x = operand(input)
    times = int_vector(multiples, "Tile", "Tmultiples", "Expected multiples to be 1-D, but got "
                                                        "shape")
    rank = len(shape_of(x))
    if isinstance(times, Tensor):
        return known_shape(_tile(x, multiples=times), [
            m * n if type(m) is int and n is not None else None
            for m, n in zip(multiples, shape_of(x))] if isinstance(multiples, (list, tuple)) else 0)
    if len(times) != rank:
        raise errors.invalid("Tile", f"Expected multiples argument to be a vector of length {rank} "
                                     f"but got length {len(times)}")
    for i, m in enumerate(times):
        if m < 0:
            raise errors.invalid("Tile", f"Expected multiples[{i}] >= 0, but got {m}")
    if None not in shape_of(x):
        affordable((*times, *shape_of(x)), "Tile")
    return _tile(x, multiples=times)


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
        return OPS["take"].call(x, wrap(source), axis=axis, batch_dims=0)
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
