"""The ops that the machinery itself stands on: tapes undo broadcasting, batch rules move axes,
lists of tensors are stacked. All are linear in one operand, or join several; others are in `ops`.

Imports no family of elementwise ops: those, `convert` and `Variable` stand on these.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from tapeflow.base import errors
from tapeflow.base.exception_origin import unsignalled
from tapeflow.core.fp_errors import ignore_fp_errors, restore_fp_errors
from tapeflow.core.record.linear import batch_reduction, move, reduced
from tapeflow.core.record.lowering_forms import (
    Assemble,
    Expand,
    Pointwise,
    Reduce,
    Reshape,
    View,
    contiguous_strides,
)
from tapeflow.core.record.op import (
    CHEAP,
    NONDIFF,
    NUMERIC,
    SHAPE_ONLY,
    Spec,
    define,
    mismatch,
    shape_of,
)
from tapeflow.core.record.samples import Case, ints
from tapeflow.core.record.traits import set_traits
from tapeflow.core.values.tensor import Tensor, wrap

ndarray = np.ndarray
_F32 = np.dtype("float32")
_add_reduce = np.add.reduce


def dims(x: Any) -> Any:
    """Shape of an operand as an attribute for another op: a tuple, or symbolic where unknown."""
    if x.ndim is None:
        return x._dynamic_shape()
    shape = shape_of(x)
    return shape if None not in shape else x._dynamic_shape()


def static(shape: Any) -> tuple | None:
    """What is known of a shape attribute: of a symbolic one, its rank and perhaps some sizes."""
    if not isinstance(shape, Tensor):
        return tuple(shape)
    known = partial(shape)
    if type(known) is tuple:
        return tuple([n if n is not None and n >= 0 else None for n in known])
    rank = shape_of(shape)[0]
    return None if rank is None else (None,) * rank


def partial(x: Tensor) -> Any:
    """What a trace knows of an integer tensor: ints and None in tuples, or None."""
    known = getattr(x, "_partial", None)
    return None if known is None else known()


def size_along(x: Any, axis: int) -> Any:
    """The size of one axis as an attribute: an int, or a symbolic scalar where unknown."""
    size = None if x.ndim is None else shape_of(x)[axis]
    return x._dynamic_shape()[axis] if size is None else size


def _batch_one(call, size, xs, batched, attrs):
    """The batch rule of an elementwise op of one operand."""
    return call(*xs, **attrs)


def constant_like(x: Any, value: float) -> Tensor:
    """A constant of the shape and dtype of a Tensor; not recorded."""
    if type(x) is Tensor:
        return wrap(np.full(x._value.shape, value, x._value.dtype))
    return fill_like(x, value=value)


# -- constants and casts ---------------------------------------------------------------------------
fill_like = define("fill_like", kernel=lambda x, value: np.full(x.shape, value, x.dtype),
                   shape=lambda x, value: x, batch=_batch_one, kind="move",
                   vjp=NONDIFF("a constant that takes only shape and dtype from its input",
                               SHAPE_ONLY),
                   check=[Case((2, 3), value=1.0)],
                   lower=Pointwise(lambda b, x, value: b.const(value, x), complex=True),
                   cost=CHEAP)
set_traits(fill_like, shape_only=True, acts_on_flat_values=True)


def _cast_kernel(x, dtype):
    if x.dtype.kind == "c" and dtype.kind != "c":
        x = x.real
    if dtype.kind == "b":
        return x != 0
    token = ignore_fp_errors()
    try:
        if dtype.kind == "f" and type(x) is not np.ndarray and x.dtype.kind in "fiub":
            return dtype.type(x)  # three times as fast for scalars
        return x.astype(dtype)
    finally:
        restore_fp_errors(token)


def _cast_vjp(g, y, x, dtype):
    source = np.dtype(getattr(x.dtype, "np", x.dtype))
    if source.kind in "fcV" and dtype.kind in "fcV":
        return cast(g, dtype=source)
    return None


def _cast_jvp(ts, y, x, dtype):
    return cast(ts[0], dtype=dtype) if dtype.kind in "fcV" else None


def _cast_element(b, x, dtype):
    """Half precision is what float32 is rounded to when it is stored."""
    return b.cast(x, dtype.name if dtype.name not in ("float16", "bfloat16") else "float32")


cast = define("cast", kernel=_cast_kernel, shape=lambda x, dtype: Spec(x.shape, dtype),
              vjp=(_cast_vjp,), jvp=_cast_jvp, batch=_batch_one, dtypes="fViucb",
              kind="elementwise", slices=False,
              check=[Case((2, 3), dtype=np.dtype("float64")),
                     Case(ints(5, (3,)), dtype=np.dtype("float32"), grad=False)],
              lower=Pointwise(_cast_element, complex=True), cost=CHEAP)


# -- shape moves -----------------------------------------------------------------------------------
def _reshape_kernel(x, shape):
    try:
        return x.reshape(shape)
    except unsignalled(ValueError):
        if not x.size and -1 in shape and 0 in shape:
            return x.reshape(without_zeros(x.shape, shape))
        if errors.builds_graph is not None and errors.builds_graph():
            _reshape_shape(Spec(x.shape, x.dtype), shape)  # tells it as of a graph's node
        raise errors.invalid("Reshape", _reshape_error(x, shape)) from None


def without_zeros(own: tuple, shape: tuple) -> tuple:
    """A shape of no elements in which -1 stands for what is left when zeros are not counted."""
    rest = math.prod([n for n in own if n]) // math.prod([n for n in shape if n > 0])
    return tuple([rest if n == -1 else n for n in shape])


def _reshape_error(x: Any, shape: tuple) -> str:
    size = int(np.prod([n for n in shape if n != -1], dtype=np.int64))
    if -1 in shape:
        return (f"Input to reshape is a tensor with {x.size} values, but the requested shape "
                f"requires a multiple of {size}")
    return (f"Input to reshape is a tensor with {x.size} values, but the requested shape has "
            f"{size}")


def _static_error(count: int, rest: int, own: tuple, shape: Any) -> str:
    sizes = [",".join(["?" if n == -1 else str(n) for n in one]) for one in (own, shape)]
    place = f"for 'Reshape' with input shapes: [{sizes[0]}], [{len(shape)}]"
    if -1 in shape:
        return f"Dimension size must be evenly divisible by {rest} but is {count} {place}."
    return (f"Cannot reshape a tensor with {count} elements to shape [{sizes[1]}] ({rest} "
            f"elements) {place}.")


def _reshape_shape(x: Spec, shape: Any) -> Spec:
    if isinstance(shape, Tensor):
        return Spec(static(shape), x.dtype)
    rest = int(np.prod([n for n in shape if n != -1], dtype=np.int64))
    own = x.shape or ()
    known = x.shape is not None and None not in own
    count = int(np.prod(own, dtype=np.int64)) if known else 0
    if known and (count != rest if -1 not in shape else rest and count % rest):
        raise ValueError(_static_error(count, rest, own, shape))
    if -1 not in shape:
        return Spec(tuple(shape), x.dtype)
    if known and not rest:
        return Spec(without_zeros(own, tuple(shape)), x.dtype)
    size = count // rest if known else None
    return Spec(tuple([size if n == -1 else n for n in shape]), x.dtype)


def _reshape_batch(call, size, xs, batched, attrs):
    return call(xs[0], shape=(size, *attrs["shape"]))


reshape = move("reshape", _reshape_kernel, shape=_reshape_shape,
               vjp=lambda g, y, x, shape: reshape(g, shape=dims(x)), batch=_reshape_batch,
               check=[Case((2, 3), shape=(3, 2)), Case((4,), shape=(2, 2, 1)),
                      Case((2, 3), shape=(6,)), Case((), shape=(1, 1))], lower=Reshape())


set_traits(reshape, absorbs=True)


def _compose(inner: dict, outer: dict | None) -> Any:
    """Two transposes in one; with None: whether this one moves nothing."""
    if outer is None:
        return inner["perm"] == tuple(range(len(inner["perm"])))
    return {"perm": tuple([inner["perm"][p] for p in outer["perm"]])}


def _inverse(perm: tuple) -> tuple:
    inverse = [0] * len(perm)
    for i, p in enumerate(perm):
        inverse[p] = i
    return tuple(inverse)


def _transpose_batch(call, size, xs, batched, attrs):
    return call(xs[0], perm=(0, *(p + 1 for p in attrs["perm"])))


def _transpose_view(own, perm):
    steps = contiguous_strides(own)
    return 0, [own[p] for p in perm], [steps[p] for p in perm]


transpose = move("transpose", lambda x, perm: x.transpose(perm), batch=_transpose_batch,
                 shape=lambda x, perm: Spec(None if x.shape is None else tuple(
                     [x.shape[p] for p in perm]), x.dtype),
                 vjp=lambda g, y, x, perm: transpose(g, perm=_inverse(perm)),
                 check=[Case((2, 3), perm=(1, 0)), Case((2, 3, 4), perm=(2, 0, 1)),
                        Case((), perm=())], lower=View(_transpose_view))


def _swaps(attrs: dict) -> bool:
    perm = attrs["perm"]
    return len(perm) > 1 and perm == (*range(len(perm) - 2), len(perm) - 1, len(perm) - 2)


set_traits(transpose, compose=_compose, swaps_last_axes=_swaps)


def _broadcast_to_kernel(x, shape):
    """A view with strides of 0; five times as fast as np.broadcast_to if x is contiguous."""
    own = x.shape
    if own == shape:
        return x
    extra = len(shape) - len(own) if type(shape) is tuple else -1
    if extra >= 0 and x.dtype.kind != "O":
        strides = [0] * extra
        for m, n, step in zip(own, shape[extra:], x.strides, strict=True):
            strides.append(step if m == n else 0 if m == 1 else -1)
        if -1 not in strides:
            try:
                return ndarray(shape, x.dtype, x, 0, strides)
            except unsignalled(BufferError, TypeError, ValueError):
                pass
    try:
        return np.broadcast_to(x, shape)
    except unsignalled(ValueError):
        raise errors.invalid("BroadcastTo", f"Incompatible shapes: {list(x.shape)} vs. "
                                            f"{list(shape)}") from None


def _broadcast_to_batch(call, size, xs, batched, attrs):
    shape = shape_of(xs[0])
    wanted = attrs["shape"]
    x = reshape(xs[0], shape=(size, *(1,) * (len(wanted) + 1 - len(shape)), *shape[1:]))
    return call(x, shape=(size, *wanted))


def _broadcast_to_shape(x: Spec, shape: Any) -> Spec:
    known = static(shape)
    if known is not None and x.shape is not None:
        extra = len(known) - len(x.shape)
        if extra < 0 or any(m not in (1, n) for m, n in zip(x.shape, known[extra:], strict=True)
                            if m is not None and n is not None):
            raise ValueError(f"Incompatible shapes: {list(x.shape)} vs. {list(known)} for "
                             "BroadcastTo.")
    return Spec(known, x.dtype)


def _broadcast_view(own, shape):
    steps = [0 if n == 1 else step for n, step in zip(own, contiguous_strides(own), strict=True)]
    return 0, list(shape), [0] * (len(shape) - len(own)) + steps


broadcast_to = move("broadcast_to", _broadcast_to_kernel, batch=_broadcast_to_batch,
                    shape=_broadcast_to_shape,
                    vjp=lambda g, y, x, shape: sum_to(g, shape=dims(x)),
                    check=[Case((3,), shape=(2, 3)), Case((), shape=(2,)),
                           Case((2, 1, 3), shape=(2, 4, 3)), Case((2,), shape=(2,))],
                    lower=View(_broadcast_view))


set_traits(broadcast_to, absorbs=True, is_broadcast=True)


def _sum_to_batch(call, size, xs, batched, attrs):
    shape, own = attrs["shape"], shape_of(xs[0])[1:]
    extra = len(own) - len(shape)
    axes = tuple(i + 1 for i in range(extra))
    x = reduce_sum(xs[0], axis=axes, keepdims=False) if axes else xs[0]
    return call(x, shape=(size, *shape))


def _sum_to_axes(x, shape):
    own = shape_of(x)
    extra = len(own) - len(shape)
    axes = (*range(extra), *(i + extra for i, n in enumerate(shape) if n == 1 != own[i + extra]))
    return reshape(reduce_sum(x, axis=axes, keepdims=False) if axes else x, shape=shape)


def undo_broadcast(x: Any, shape: tuple) -> Any:
    """Sum the axes that broadcasting from `shape` added or expanded; a kernel."""
    dtype = x.dtype
    if not shape and dtype is _F32:
        return _add_reduce(x, None)
    extra = x.ndim - len(shape)
    axes = tuple(range(extra))
    if 1 in shape:
        axes += tuple([i + extra for i, n in enumerate(shape) if n == 1 != x.shape[i + extra]])
    if not axes:
        return x.reshape(shape)
    if dtype.itemsize == 2 and dtype.kind in "fV":  # half precision accumulates in float32
        return _add_reduce(x.astype(_F32), axes).astype(dtype).reshape(shape)
    total = _add_reduce(x, axes, dtype)
    return total if total.shape == shape else total.reshape(shape)


sum_to = move("sum_to", undo_broadcast, batch=_sum_to_batch, kind="reduce", dtypes=NUMERIC,
              shape=lambda x, shape: Spec(static(shape), x.dtype),
              vjp=lambda g, y, x, shape: broadcast_to(g, shape=dims(x)),
              check=[Case((2, 3), shape=(3,)), Case((2, 3), shape=(2, 1)), Case((2, 3), shape=()),
                     Case((4, 2, 3), shape=(1, 3))], lower=Expand(_sum_to_axes))
set_traits(sum_to, absorbs=True)


# -- sums ------------------------------------------------------------------------------------------
def sum_kernel(x, axis=None, keepdims=False):
    """Sums in the operand's dtype; half precision accumulates in float32."""
    dtype = x.dtype
    if dtype is _F32:
        if axis is None and not keepdims:
            return _add_reduce(x, axis=None)
    elif dtype.itemsize == 2 and dtype.kind in "fV":
        return _add_reduce(x.astype(_F32), axis=axis, keepdims=keepdims).astype(dtype)
    return _add_reduce(x, axis=axis, dtype=dtype, keepdims=keepdims)


def expand_reduced(g: Any, x: Any, axis: tuple | None, keepdims: bool) -> Any:
    """A reduction's gradient, laid out so that it broadcasts against the operand."""
    if keepdims or axis is None:
        return g
    shape = shape_of(x)
    if None in shape:
        for i in axis:
            g = expand(g, axis=i)
        return g
    return reshape(g, shape=tuple([1 if i in axis else n for i, n in enumerate(shape)]))


def _sum_vjp(g, y, x, axis=None, keepdims=False):
    return broadcast_to(expand_reduced(g, x, axis, keepdims), shape=dims(x))


reduce_sum = move("reduce_sum", sum_kernel, shape=reduced(), vjp=_sum_vjp,
                  batch=batch_reduction, kind="reduce", dtypes=NUMERIC, tf_name="Sum",
                  check=[Case((2, 3), axis=None), Case((2, 3), axis=(1,)),
                         Case((2, 3, 2), axis=(0, 2), keepdims=True), Case((), axis=None),
                         Case((0, 3), axis=(0,))], lower=Reduce("sum"), cost=CHEAP)
set_traits(reduce_sum, hazard="sum")


def _expand_batch(call, size, xs, batched, attrs):
    return call(xs[0], axis=attrs["axis"] + 1)


def _expand_shape(x, axis):
    return Spec(None if x.shape is None else (*x.shape[:axis], 1, *x.shape[axis:]), x.dtype)


def _expand_kernel(x, axis):
    return x.reshape((*x.shape[:axis], 1, *x.shape[axis:]))


expand = move("expand_dims", _expand_kernel, shape=_expand_shape,
              vjp=lambda g, y, x, axis: reshape(g, shape=dims(x)), batch=_expand_batch,
              check=[Case((2, 3), axis=1), Case((), axis=0), Case((2,), axis=1)], lower=Reshape())


# -- joining ---------------------------------------------------------------------------------------
def all_batched(xs: tuple, batched: tuple, size: int) -> list:
    """All operands with a batch axis in front."""
    return [x if mark else broadcast_to(x, shape=(size, *shape_of(x)))
            for x, mark in zip(xs, batched, strict=True)]


def _concat_kernel(*xs, axis):
    dtype = xs[0].dtype
    for x in xs:
        if x.dtype is not dtype and x.dtype != dtype:
            raise mismatch(concat.op, xs[0], x)
    try:
        return np.concatenate(xs, axis)
    except unsignalled(ValueError):
        raise errors.invalid("ConcatV2", _unfit([x.shape for x in xs], axis) or (
            "ConcatOp : Can't concatenate scalars (use tf.stack instead)")) from None


def _unfit(shapes: list, axis: int) -> str:
    """Why tensors of these shapes cannot be joined; empty if they can, as far as is known."""
    first = shapes[0]
    for i, shape in enumerate(shapes[1:], 1):
        both = (f"shape[0] = [{','.join(map(str, first))}] vs. shape[{i}] = "
                f"[{','.join(map(str, shape))}]")
        if len(shape) != len(first):
            return f"ConcatOp : Ranks of all input tensors should match: {both}"
        for d, (m, n) in enumerate(zip(first, shape, strict=True)):
            if d != axis and m != n and None not in (m, n):
                return f"ConcatOp : Dimension {d} in both shapes must be equal: {both}"
    return ""


def _concat_shape(*specs, axis):
    if any(spec.shape is None for spec in specs):
        return Spec(None, specs[0].dtype)
    unfit = _unfit([spec.shape for spec in specs], axis)
    if unfit:
        raise ValueError(unfit)
    sizes = [spec.shape[axis] for spec in specs]
    shape = list(specs[0].shape)
    for spec in specs:
        shape = [m if n is None else n for m, n in zip(spec.shape, shape, strict=True)]
    shape[axis] = None if None in sizes else sum(sizes)
    return Spec(tuple(shape), specs[0].dtype)


def _concat_vjp(g, y, *xs, axis):
    start, parts = 0, []
    for x in xs:
        size = size_along(x, axis)
        parts.append(cut(g, axis=axis, start=start, size=size))
        start = start + size
    return tuple(parts)


def _tangents(ts: tuple, xs: tuple) -> list:
    return [constant_like(x, 0) if t is None else t for t, x in zip(ts, xs, strict=True)]


def _concat_batch(call, size, xs, batched, attrs):
    return call(*all_batched(xs, batched, size), axis=attrs["axis"] + 1)


def _along(rank: int, axis: int, start: int) -> list[int]:
    """Where a part begins that lies `start` up the axis."""
    return [start if i == axis else 0 for i in range(rank)]


def _concat_parts(shapes, axis):
    start, parts = 0, []
    for i, shape in enumerate(shapes):
        parts.append((i, _along(len(shape), axis, start), [1] * len(shape)))
        start += shape[axis]
    return None, parts


concat = define("concat", kernel=_concat_kernel, shape=_concat_shape, vjp=_concat_vjp,
                jvp=lambda ts, y, *xs, axis: concat(*_tangents(ts, xs), axis=axis),
                batch=_concat_batch, args=("*values",), kind="move", tf_name="ConcatV2",
                check=[Case((2, 3), (1, 3), axis=0), Case((2, 3), (2, 2), (2, 1), axis=1)],
                lower=Assemble(_concat_parts))


concat.op.matching = True


def _cut_kernel(x, axis, start, size):
    return x[(slice(None),) * axis + (slice(start, start + size),)]


def _cut_shape(x, axis, start, size):
    size = None if isinstance(size, Tensor) else size
    return Spec(None if x.shape is None else (*x.shape[:axis], size, *x.shape[axis + 1:]), x.dtype)


def _cut_vjp(g, y, x, axis, start, size):
    return uncut(g, axis=axis, start=start, total=size_along(x, axis))


def _cut_batch(call, size, xs, batched, attrs):
    return call(xs[0], **{**attrs, "axis": attrs["axis"] + 1})


def _uncut_kernel(x, axis, start, total):
    out = np.zeros((*x.shape[:axis], total, *x.shape[axis + 1:]), x.dtype)
    out[(slice(None),) * axis + (slice(start, start + x.shape[axis]),)] = x
    return out


def _cut_view(own, axis, start, size):
    steps = contiguous_strides(own)
    return start * steps[axis], [*own[:axis], size, *own[axis + 1:]], steps


def _uncut_parts(shapes, axis, start, total):
    rank = len(shapes[0])
    return 0, [(0, _along(rank, axis, start), [1] * rank)]


cut = move("cut", _cut_kernel, shape=_cut_shape, vjp=_cut_vjp, batch=_cut_batch, tf_name="Slice",
           check=[Case((4, 3), axis=0, start=1, size=2), Case((2, 5), axis=1, start=0, size=5)],
           lower=View(_cut_view))
uncut = move("uncut", _uncut_kernel, tf_name="Pad",
             shape=lambda x, axis, start, total: _cut_shape(x, axis, start, total),
             vjp=lambda g, y, x, axis, start, total: cut(
                 g, axis=axis, start=start, size=size_along(x, axis)),
             batch=_cut_batch, check=[Case((2, 3), axis=0, start=1, total=4)],
             lower=Assemble(_uncut_parts))


def _stack_kernel(*xs, axis):
    dtype, shape = xs[0].dtype, xs[0].shape
    out = np.empty((*shape[:axis], len(xs), *shape[axis:]), dtype)
    rows = out if not axis else np.moveaxis(out, axis, 0)
    for i, x in enumerate(xs):
        if x.dtype is not dtype and x.dtype != dtype:
            raise mismatch(stack.op, xs[0], x)
        if x.shape != shape:
            raise errors.invalid("Pack", (
                f"Shapes of all inputs must match: values[0].shape = "
                f"[{','.join(map(str, shape))}] != values[{i}].shape = "
                f"[{','.join(map(str, x.shape))}]"))
        rows[i] = x if shape or dtype.kind != "O" else x[()]
    return out


def _stack_shape(*specs, axis):
    shape = specs[0].shape
    for i, spec in enumerate(specs):
        if shape is None or spec.shape is None:
            continue
        if len(spec.shape) != len(shape) or any(
                m != n for m, n in zip(shape, spec.shape) if m is not None and n is not None):
            raise ValueError(f"Shapes of all inputs must match for Pack: {list(shape)} and, as "
                             f"input {i}, {list(spec.shape)}.")
    return Spec(None if shape is None else (*shape[:axis], len(specs), *shape[axis:]),
                specs[0].dtype)


def _stack_vjp(g, y, *xs, axis):
    return tuple([reshape(cut(g, axis=axis, start=i, size=1), shape=dims(x))
                  for i, x in enumerate(xs)])


def _stack_batch(call, size, xs, batched, attrs):
    return call(*all_batched(xs, batched, size), axis=attrs["axis"] + 1)


def _stack_parts(shapes, axis):
    rank = len(shapes[0]) + 1
    axes = [i for i in range(rank) if i != axis]
    return None, [(i, _along(rank, axis, i), [1] * rank, axes) for i in range(len(shapes))]


stack = define("stack", kernel=_stack_kernel, shape=_stack_shape, vjp=_stack_vjp,
               jvp=lambda ts, y, *xs, axis: stack(*_tangents(ts, xs), axis=axis),
               batch=_stack_batch, args=("*values",), kind="move", tf_name="Pack",
               check=[Case((2, 3), (2, 3), axis=0), Case((2,), (2,), (2,), axis=1)],
               lower=Assemble(_stack_parts))


stack.op.matching = True
