"""Other shapes of the same elements: reshape, transpose, squeeze, broadcast_to, ensure_shape.

All of them are linear. Those in `core.record.primitive_ops` get their public functions here. May
be imported by `api` and by other modules of `ops`.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from tapeflow.base import dtypes, errors, nest
from tapeflow.base.exception_origin import unsignalled
from tapeflow.base.exports import export
from tapeflow.base.shapes import TensorShape, broadcast_shapes
from tapeflow.core.deferrable import deferrable, deferred
from tapeflow.core.record.elementwise_ops import identity as _identity
from tapeflow.core.record.families import batch_elementwise, conj, operand
from tapeflow.core.record.linear import move
from tapeflow.core.record.lowering_forms import Reshape
from tapeflow.core.record.op import NONDIFF, Spec, define, shape_of
from tapeflow.core.record.primitive_ops import broadcast_to as _broadcast_to
from tapeflow.core.record.primitive_ops import dims, expand
from tapeflow.core.record.primitive_ops import reshape as _reshape
from tapeflow.core.record.primitive_ops import transpose as _transpose
from tapeflow.core.record.samples import Case
from tapeflow.core.values.composite import Composite, plain
from tapeflow.core.values.convert import convert
from tapeflow.core.values.tensor import CompositeTensor, Tensor
from tapeflow.core.values.variable import Variable
from tapeflow.ops._support.arguments import (
    affordable,
    at_least,
    brackets,
    int_scalar,
    int_vector,
    integers,
    known_shape,
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
    try:
        rank = len(shape_of(x))
    except errors.UnknownSize as error:
        return deferred(transpose, (x, perm, conjugate), error)
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
    position = int_scalar(axis, "ExpandDims", "Tdim")
    try:
        rank = len(shape_of(x))
    except errors.UnknownSize as error:
        return deferred(expand_dims, (x, axis), error)
    if not -rank - 1 <= position <= rank:
        raise errors.invalid("ExpandDims", f"Tried to expand dim index {position} for tensor with "
                                           f"{rank} dimensions.")
    return expand(x, axis=position if position >= 0 else position + rank + 1)


def _squeeze_kernel(x, axis):
    if axis is None:  # not known while tracing
        return x.reshape(tuple([n for n in x.shape if n != 1]))
    return x.reshape(tuple([n for i, n in enumerate(x.shape) if i not in axis]))


def _squeezed(shape: tuple | None, axis: tuple | None) -> tuple | None:
    if shape is None or (axis is None and None in shape):
        return None
    return tuple([n for i, n in enumerate(shape) if (n != 1 if axis is None else i not in axis)])


squeeze_op = move("squeeze", _squeeze_kernel, tf_name="Squeeze",
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
    try:
        shape = shape_of(x)
    except errors.UnknownSize as error:
        return deferred(squeeze, (x, axis), error)
    if isinstance(axis, (Tensor, np.ndarray)) and axis.ndim and (
            isinstance(axis, Tensor) or axis.size):
        raise TypeError(f"Expected list for 'axis' argument to 'squeeze' Op, not {axis!r}.")
    if isinstance(axis, range):
        axis = axis[:len(shape) + 1]  # one more than there are axes is out of range
    listed: Any = [axis] if isinstance(axis, (int, float, np.integer)) else axis
    if listed is None or not len(np.atleast_1d(listed)):
        return squeeze_op(x, axis=None if None in shape else tuple(
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
    return squeeze_op(x, axis=tuple(sorted(gone)))


@export("broadcast_to")
@deferrable
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
    if isinstance(input, CompositeTensor):
        if isinstance(input, Variable):
            return input.value()
        if isinstance(input, Composite) and input._dispatcher is None:  # ops do not know it
            return nest.map_structure(_identity, input, expand_composites=True)
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


ensure_shape_op = move("ensure_shape", _ensure_kernel, shape=_ensure_shape, tf_name="EnsureShape",
               vjp=lambda g, y, x, shape: g,
               batch=lambda call, size, xs, batched, attrs: call(
                   xs[0], shape=None if attrs["shape"] is None else (size, *attrs["shape"])),
               check=[Case((2, 3), shape=(2, None)), Case((3,), shape=None), Case((), shape=())],
               lower=Reshape())


@export("ensure_shape")
def ensure_shape(x: Any, shape: Any, name: str | None = None) -> Tensor:
    """`x` itself, after a check that its shape is compatible with `shape`."""
    wanted = TensorShape(shape)
    sizes = None if wanted.rank is None else tuple(wanted.as_list())
    return ensure_shape_op(operand(x), shape=sizes)


@export("broadcast_static_shape")
def broadcast_static_shape(shape_x: Any, shape_y: Any) -> TensorShape:
    """The shape that two static shapes broadcast to."""
    if isinstance(shape_x, TensorShape) and shape_x.rank is None:
        return TensorShape(None)
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
# -- repeating -------------------------------------------------------------------------------------
