"""New tensors from shapes and numbers (zeros, range, one_hot …), and the shapes of tensors.

May be imported by `api` and by other modules of `ops`.
"""

from __future__ import annotations

from math import ceil, isfinite
from typing import Any

import numpy as np

from tapeflow.base import dtypes, errors
from tapeflow.base.attributes import listed
from tapeflow.base.dtypes import DType, as_dtype
from tapeflow.base.exports import export
from tapeflow.base.origins import unsignalled
from tapeflow.core.basics import (
    broadcast_to,
    cast,
    dims,
    expand,
    fill_like,
    reduce_sum,
    reshape,
    stop_gradient,
    sum_to,
)
from tapeflow.core.convert import convert
from tapeflow.core.families import batch_elementwise, broadcast, operand
from tapeflow.core.lowering import Expand
from tapeflow.core.op import (
    ANY,
    INEXACT,
    INTEGER,
    NONDIFF,
    REAL,
    Spec,
    define,
    know,
    shape_of,
    value_of,
)
from tapeflow.core.samples import Case, ints
from tapeflow.core.slices import IndexedSlices
from tapeflow.core.state import state
from tapeflow.core.tensor import Tensor, of_trace, wrap
from tapeflow.ops.arguments import (
    affordable,
    alike,
    at_least,
    brackets,
    int_scalar,
    int_vector,
    integers,
    joined,
    known_shape,
    sizes_of,
    wrong_kind,
)
from tapeflow.ops.selection import select

_INT32 = np.dtype("int32")


# -- one value everywhere --------------------------------------------------------------------------
def _extent(shape: Any, op: str = "Fill") -> Any:
    """The shape argument of a creation function: a tuple, or a Tensor that is not known yet."""
    kind = type(shape)
    if kind is tuple or kind is list:
        for n in shape:
            if type(n) is not int:
                break
        else:
            return tuple(shape)
    if isinstance(shape, (float, str)) or (isinstance(shape, (list, tuple)) and any(
            isinstance(n, float) for n in shape)):
        raise TypeError(f"Cannot convert {shape!r} to EagerTensor of dtype int32")
    if state.trace is not None and isinstance(shape, (list, tuple)) and None in [
            n for n in shape if not isinstance(n, Tensor)]:
        raise TypeError(f"Cannot use {shape!r} as a shape: a size that is unknown while tracing "
                        "is None in `x.shape`; take it from tf.shape(x).")
    return int_vector(shape, op, "index_type", "dims must represent a vector, got shape",
                      scalar=True)


def _filled(shape: Any, value: Any, dtype: DType) -> Tensor:
    wanted = _extent(shape)
    if type(wanted) is not tuple:
        scalar = wrap(np.asarray(value, dtype.np)[()])
        return known_shape(broadcast_to(scalar, shape=at_least(
            wanted, least=0, op="Fill")), shape)
    if not wanted and dtype.kind != "O":
        return wrap(dtype.as_numpy_dtype(value))
    try:
        if not value:
            return wrap(np.zeros(wanted, dtype.np))
        return wrap(np.full(wanted, value, dtype.np))
    except unsignalled(ValueError):
        raise _negative(wanted) from None
    except unsignalled(MemoryError) as error:
        raise errors.exhausted("Fill", str(error)) from None


def _negative(shape: tuple) -> errors.OpError:
    bad = next((n for n in shape if n < 0), None)
    if bad is None:
        return errors.invalid("Fill", f"Shape {brackets(shape)} is too large")
    return errors.invalid("Fill", f"Dimension {bad} must be >= 0")


@export("zeros")
def zeros(shape: Any, dtype: Any = dtypes.float32, name: str | None = None,
          layout: Any = None) -> Tensor:
    """A tensor of zeros (False for bool, empty strings for string).

    >>> tf.zeros([2, 3])
    <tf.Tensor: shape=(2, 3), dtype=float32, numpy=
    array([[0., 0., 0.],
           [0., 0., 0.]], dtype=float32)>
    """
    kind = dtype if type(dtype) is DType else as_dtype(dtype)
    if kind.kind == "O":
        return _strings(shape)
    if (type(shape) is list or type(shape) is tuple) and shape:
        try:
            return of_trace(wrap(np.zeros(shape, kind.np)))
        except unsignalled(TypeError, ValueError, MemoryError):
            pass  # a shape of a trace, or a wrong one
    return of_trace(_filled(shape, 0, kind))


def _strings(shape: Any) -> Tensor:
    result = np.empty(_extent(shape), object)
    result[...] = b""
    return wrap(result)


@export("ones")
def ones(shape: Any, dtype: Any = dtypes.float32, name: str | None = None,
         layout: Any = None) -> Tensor:
    """A tensor of ones (True for bool)."""
    kind = as_dtype(dtype)
    if kind.kind == "O":
        raise TypeError("Cannot convert 1 to EagerTensor of dtype string")
    return of_trace(_filled(shape, 1, kind))


@export("fill")
def fill(dims: Any, value: Any, name: str | None = None,
         layout: Any = None) -> Tensor:
    """A tensor of shape `dims` filled with the scalar `value`, which may have a gradient."""
    value = operand(value)
    shape = shape_of(value)
    if shape:
        if shape != (1,):
            raise errors.invalid("Fill", f"value must represent a scalar, got shape "
                                         f"{brackets(shape)}")
        value = reshape(value, shape=())
    wanted = int_vector(dims, "Fill", "index_type", "dims must represent a vector, got shape",
                        scalar=True)
    if type(wanted) is tuple:
        if wanted and min(wanted) < 0:
            raise _negative(wanted)
        affordable(wanted, "Fill")
        return broadcast_to(value, shape=wanted)
    return known_shape(broadcast_to(value, shape=at_least(wanted, least=0, op="Fill")), dims)


def _like(x: Any, dtype: Any, value: Any) -> Tensor:
    x = x if type(x) is Tensor else operand(x)
    if dtype is not None:
        bool(dtype)  # arrays of several elements are neither true nor false
    if dtype is None or as_dtype(dtype) is x.dtype:
        if not value and type(x) is Tensor and state.recorder is None:
            array = x._value
            if array.dtype.kind != "O":
                return wrap(np.zeros(array.shape, array.dtype))
        return fill_like(x, value=b"" if value == 0 and x.dtype.kind == "O" else value)
    kind = as_dtype(dtype)
    if kind.kind == "O":
        return _strings(shape_of(x))
    if x.dtype.kind == "O":
        return _filled(shape_of(x), value, kind)
    return cast(fill_like(x, value=value), dtype=kind.np)


@export("zeros_like")
def zeros_like(input: Any, dtype: Any = None, name: str | None = None,
               layout: Any = None) -> Tensor:
    """Zeros in the shape of `input`, of its dtype unless another is given."""
    return _like(input, dtype, 0)


@export("ones_like")
def ones_like(input: Any, dtype: Any = None, name: str | None = None,
              layout: Any = None) -> Tensor:
    """Ones in the shape of `input`, of its dtype unless another is given."""
    x = operand(input)
    if dtype is None and x.dtype.kind == "O":
        raise wrong_kind("OnesLike", "T", x.dtype, "bfloat16, half, float, double, int8, uint8, "
                         "int16, uint16, int32, uint32, int64, uint64, complex64, complex128, bool")
    return _like(x, dtype, 1)


@export("eye", "linalg.eye")
def eye(num_rows: Any, num_columns: Any = None, batch_shape: Any = None,
        dtype: Any = dtypes.float32, name: str | None = None) -> Tensor:
    """Identity matrices: one, or `batch_shape` of them."""
    kind = as_dtype(dtype)
    columns = num_rows if num_columns is None else num_columns
    if any(isinstance(n, Tensor) and type(n) is not Tensor for n in (num_rows, columns)):
        square = one_hot(range_(num_rows), columns, dtype=kind)
        return square if batch_shape is None else broadcast_to(square, shape=joined(
            [*int_vector(batch_shape, "Fill", "index_type"), *sizes_of(square)]))
    try:
        if isinstance(num_rows, bool) or isinstance(columns, bool):
            raise TypeError("a bool is no number of rows")
        rows, wide = [(n._value if isinstance(n, Tensor) else n).__index__()
                      for n in (num_rows, columns)]
    except unsignalled(AttributeError, TypeError):
        raise TypeError(f"Arguments `num_rows` and `num_columns` must be positive integer values. "
                        f"Received: num_rows={num_rows}, num_columns={columns}") from None
    if kind.kind == "O":
        raise TypeError("Cannot convert 1 to EagerTensor of dtype string")
    if min(rows, wide) < 0:
        raise _negative((rows, wide))
    try:
        result = np.eye(rows, wide, dtype=kind.np)
    except unsignalled(MemoryError) as error:
        raise errors.exhausted("MatrixDiagV3", str(error)) from None
    if batch_shape is None:
        return wrap(result)
    if isinstance(batch_shape, int):
        raise TypeError("'int' object is not iterable")
    batch = int_vector(batch_shape, "Fill", "index_type")
    return wrap(np.broadcast_to(result, (*batch, rows, wide)))


# -- progressions ----------------------------------------------------------------------------------
_RANKED = (dtypes.int32, dtypes.int64, dtypes.float16, dtypes.bfloat16, dtypes.float32,
           dtypes.float64)
_WITHOUT_KERNEL = frozenset(("int8", "int16", "uint16", "uint32", "uint64"))


def _range_kernel(start, limit, delta):
    if not delta:
        raise errors.invalid("Range", f"Requires delta != 0: {delta}")
    if delta > 0 and not start <= limit:
        raise errors.invalid("Range", f"Requires start <= limit when delta > 0: {start}/{limit}")
    if delta < 0 and not start >= limit:
        raise errors.invalid("Range", f"Requires start >= limit when delta < 0: {start}/{limit}")
    dtype = start.dtype
    if dtype.kind in "iu":
        return np.arange(start, limit, delta, dtype)
    with np.errstate(all="ignore"):
        steps = float(abs((limit - start) / delta))
    if not isfinite(steps):
        raise errors.invalid("Range", f"Requires ((limit - start) / delta) <= {2**63 - 1}")
    # start + i * delta in the dtype itself: accumulating would drift.
    return start + np.arange(ceil(steps)).astype(dtype) * delta


def _no_batch_of_ranges(call, size, xs, batched, attrs):
    raise ValueError("tf.range: its length would differ between the elements of a batch. Inside "
                     "tf.vectorized_map the limits of a range must be the same for all elements.")


_range = define("range", kernel=_range_kernel, args=("start", "limit", "delta"), dtypes=REAL,
                shape=lambda start, limit, delta: Spec((None,), start.dtype),
                vjp=NONDIFF("tf.range has no gradient with respect to its limits"),
                batch=_no_batch_of_ranges, tf_name="Range",
                check=[Case(np.int32(0), np.int32(5), np.int32(2), grad=False),
                       Case(np.int64(3), np.int64(-4), np.int64(-1), grad=False)])


@export("range")
def range_(start: Any, limit: Any = None, delta: Any = 1, dtype: Any = None,
           name: str = "range") -> Tensor:
    """Numbers from `start` (0 if only a limit is given) up to `limit`, without it.

    >>> tf.range(2, 10, 3)
    <tf.Tensor: shape=(3,), dtype=int32, numpy=array([2, 5, 8], dtype=int32)>
    """
    if limit is None:
        start, limit = 0, start
    if type(limit) is type(start) is type(delta) is int and delta == 1 and dtype is None and (
            -2**31 <= start <= limit < 2**31):
        return wrap(np.arange(start, limit, dtype=_INT32))
    wanted = None if dtype is None else as_dtype(dtype)
    terms = [operand(x) if isinstance(x, Tensor) or hasattr(type(x), "__tf_tensor__")
             else convert(x, wanted) for x in (start, limit, delta)]
    if wanted is None:
        for x in terms:
            assert x.dtype in _RANKED, f"tf.range cannot count in {x.dtype.name}"
        wanted = max((x.dtype for x in terms), key=_RANKED.index)
    elif wanted not in _RANKED:
        if wanted.name in _WITHOUT_KERNEL:
            raise errors.NotFoundError(None, None, f"Could not find device for node: Range of "
                                                   f"dtype {wanted.name} [Op:Range]")
        raise wrong_kind("Range", "Tidx", wanted, "bfloat16, half, float, double, int8, int16, "
                         "int32, int64, uint16, uint32, uint64")
    terms = [x if x.dtype is wanted else cast(x, dtype=wanted.np) for x in terms]
    for x, label in zip(terms, ("start", "limit", "delta"), strict=True):
        if shape_of(x) not in ((), (1,)):
            raise errors.invalid("Range", f"{label} must be a scalar, not shape "
                                          f"{brackets(shape_of(x))}")
    return _range(*[x if not shape_of(x) else reshape(x, shape=()) for x in terms])


def _linspace_kernel(start, stop, num, axis):
    """`num` points along a new axis; both ends are exact."""
    dtype = start.dtype
    step = (stop - start) / dtype.type(max(num - 1, 1))
    shape = step.shape
    if start.shape != shape:
        start = np.broadcast_to(start, shape)
    lead = (slice(None),) * axis
    grid = np.arange(num).astype(dtype).reshape((num, *(1,) * (len(shape) - axis)))
    out = start[(*lead, None)] + step[(*lead, None)] * grid if shape else start + step * grid
    if num:
        out[(*lead, 0)] = start
    if num > 1:
        out[(*lead, -1)] = stop
    return out


def _linspace_steps(start, stop, num, axis):
    """Both ends are exact: they are chosen, not computed."""
    step = (stop - start) / max(num - 1, 1)
    ends = [expand(broadcast_to(x, shape=shape_of(step)), axis=axis) for x in (start, stop, step)]
    dtype = start.dtype.np
    grid = wrap(np.arange(num).astype(dtype).reshape((num, *(1,) * (step.ndim - axis))))
    inner = ends[0] + ends[2] * grid
    return select(grid == 0, broadcast_to(ends[0], shape=shape_of(inner)), select(
        grid == num - 1, broadcast_to(ends[1], shape=shape_of(inner)), inner))


def _linspace_weights(g: Any, num: Any, axis: int, towards_stop: bool) -> Any:
    """How much of `stop` (or `start`) is in each point."""
    shape = (-1, *(1,) * (len(shape_of(g)) - axis - 1))
    dtype = np.dtype(getattr(g.dtype, "np", g.dtype))
    if isinstance(num, Tensor):
        part = _linspace(wrap(dtype.type(0)), wrap(dtype.type(1)), num=num, axis=0)
        return reshape(part if towards_stop else 1 - part, shape=shape)
    part = np.arange(num) / max(num - 1, 1)
    return (part if towards_stop else 1 - part).astype(dtype).reshape(shape)


def _linspace_vjp(towards_stop: bool):
    def rule(g, y, start, stop, num, axis):
        weighted = g * _linspace_weights(g, num, axis, towards_stop)
        total = reduce_sum(weighted, axis=(axis,), keepdims=False)
        return sum_to(total, shape=dims(stop if towards_stop else start))

    return rule


def _linspace_jvp(ts, y, start, stop, num, axis):
    ends = [fill_like(x, value=0) if t is None else t
            for t, x in zip(ts, (start, stop), strict=True)]
    return _linspace(*ends, num=num, axis=axis)


def _linspace_shape(start: Spec, stop: Spec, num: Any, axis: int) -> Spec:
    shape = broadcast()(start, stop).shape
    count = num if type(num) is int else None
    return Spec(None if shape is None else (*shape[:axis], count, *shape[axis:]), start.dtype)


def _linspace_batch(call, size, xs, batched, attrs):
    return batch_elementwise(call, size, xs, batched, {**attrs, "axis": attrs["axis"] + 1})


_linspace = define("linspace", kernel=_linspace_kernel, shape=_linspace_shape, dtypes=INEXACT,
                   vjp=(_linspace_vjp(False), _linspace_vjp(True)), jvp=_linspace_jvp,
                   batch=_linspace_batch, args=("start", "stop"), tf_name="LinSpace",
                   check=[Case((), (), num=5, axis=0), Case((2,), (2,), num=3, axis=1),
                          Case((2, 1), (3,), num=4, axis=0), Case((2,), (), num=1, axis=0)],
                   lower=Expand(_linspace_steps))


@export("linspace")
def linspace(start: Any, stop: Any, num: Any, name: str | None = None, axis: int = 0) -> Tensor:
    """`num` evenly spaced points from `start` to `stop`, both included, along a new axis."""
    first = operand(start)
    last = operand(stop, first.dtype)
    if first.dtype.kind in "iu":
        wide = np.dtype("float64" if first.dtype.size > 2 else "float32")
        first, last = (cast(x, dtype=wide) for x in (first, last))
    count = _number_of_points(num)
    rank = 1 + max(len(shape_of(first)), len(shape_of(last)))
    position = int_scalar(axis, "LinSpace", "axis", True)
    if not -rank <= position < rank:
        raise errors.invalid("ExpandDims", f"Tried to expand dim index {position} for tensor with "
                                           f"{rank - 1} dimensions.")
    return _linspace(first, last, num=count, axis=position % rank)


def _number_of_points(num: Any) -> Any:
    given = operand(num)
    if type(given) is not Tensor:
        return given
    count = given._value
    if count.dtype.kind not in "iu":
        raise TypeError(f"Argument `tensor` (name: num) must be of type integer. Received "
                        f"`tensor` = {num} of dtype: {dtypes.of(count.dtype)}")
    if count.size != 1:
        raise errors.invalid("Pack", f"tf.linspace: num must be a scalar, got shape "
                                     f"{brackets(count.shape)}")
    count = int(count.reshape(()))
    if count < 0:
        raise errors.invalid("Range", f"tf.linspace: num must not be negative, got {count}")
    return count


# -- masks and grids -------------------------------------------------------------------------------
def _one_hot_kernel(indices, depth, axis, on, off):
    shape = indices.shape
    if depth < 0:
        raise errors.invalid("OneHot", f"depth must be non-negative, got: {depth}")
    if axis == len(shape) and indices.size * depth > 4096:
        return _one_hot_rows(indices, depth, on, off)
    places = np.arange(depth).reshape((depth, *(1,) * (len(shape) - axis)))
    hot = indices.reshape((*shape[:axis], 1, *shape[axis:])) == places
    return hot.astype(on.dtype) if on == 1 and off == 0 else np.where(hot, on, off)


def _one_hot_rows(indices, depth, on, off):
    """Written only where it is hot: memory that is zero already need not be touched."""
    flat = indices.reshape(-1)
    shape = (flat.size, depth)
    out = np.zeros(shape, on.dtype) if off == 0 else np.full(shape, off)
    rows = np.flatnonzero((flat >= 0) & (flat < depth))
    out[rows, flat[rows]] = on
    return out.reshape(*indices.shape, depth)


def _one_hot_steps(indices, depth, axis, on, off):
    rank = len(shape_of(indices))
    places = np.arange(depth).astype(indices.dtype.np, copy=False)
    hot = expand(indices, axis=axis) == wrap(places.reshape((depth, *(1,) * (rank - axis))))
    return cast(hot, dtype=on.dtype) if on == 1 and off == 0 else select(hot, wrap(on), wrap(off))


def _one_hot_shape(indices: Spec, depth: Any, axis: int, on: Any, off: Any) -> Spec:
    shape = indices.shape
    size = depth if type(depth) is int else None
    return Spec(None if shape is None else (*shape[:axis], size, *shape[axis:]), on.dtype)


def _one_hot_batch(call, size, xs, batched, attrs):
    return call(xs[0], **{**attrs, "axis": attrs["axis"] + 1})


_ONE, _ZERO = np.float32(1), np.float32(0)
_one_hot = define("one_hot", kernel=_one_hot_kernel, shape=_one_hot_shape, args=("indices",),
                  vjp=NONDIFF("integer indices, of which tf.one_hot is made, have no gradient"),
                  batch=_one_hot_batch, dtypes=INTEGER,
                  check=[Case(ints(4, (3,), low=-1), depth=3, axis=1, on=_ONE, off=_ZERO),
                         Case(ints(3, (2, 2)), depth=3, axis=1, on=np.int32(5), off=np.int32(2))],
                  lower=Expand(_one_hot_steps))


@export("one_hot")
def one_hot(indices: Any, depth: Any, on_value: Any = None, off_value: Any = None,
            axis: int | None = None, dtype: Any = None, name: str | None = None) -> Tensor:
    """`on_value` where the new axis equals the index, `off_value` elsewhere.

    An index outside [0, depth) gives a row of `off_value`.
    """
    if isinstance(indices, (np.generic, np.ndarray)) and indices.dtype.kind in "fiub" \
            and indices.dtype.name not in ("uint8", "int8", "int32", "int64"):
        indices = indices.astype(np.int64)  # labels as a file gave them
    x = operand(indices)
    if x.dtype.kind == "f" and x is not indices and 0 in shape_of(x):  # an empty list
        x = cast(x, dtype=_INT32)
    integers(x, "OneHot", "TI", "uint8, int8, int32, int64", ragged=True)
    if dtype is not None:
        bool(dtype)
    on, off = _on_and_off(on_value, off_value, None if dtype is None else as_dtype(dtype))
    if np.ndim(depth) and not isinstance(depth, Tensor):
        raise errors.invalid("OneHot", f"depth must be a scalar, but got: {np.shape(depth)}")
    count = int_scalar(depth, "OneHot", "depth")
    if type(count) is int and count < 0:
        raise errors.invalid("OneHot", f"depth must be non-negative, got: {count}")
    rank = len(shape_of(x))
    position = -1 if axis is None else axis
    if not -1 <= position <= rank:
        raise errors.invalid("OneHot", f"Expected axis to be -1 or between [0, {rank + 1}).  But "
                                       f"received: {position}")
    place = rank if position == -1 else position
    if isinstance(on, Tensor):  # known only when the graph runs
        hot = _one_hot(x, depth=count, axis=place, on=np.True_, off=np.False_)
        return select(hot, stop_gradient(on), stop_gradient(off))
    return _one_hot(x, depth=count, axis=place, on=on, off=off)


def _on_and_off(on: Any, off: Any, dtype: DType | None) -> tuple:
    """Both values as NumPy scalars of one dtype; as tensors where one is not known yet."""
    if on is None and off is None and dtype is None:
        return _ONE, _ZERO
    first = None if on is None else convert(on, _unless_tensor(on, dtype))
    second = None if off is None else convert(off, _unless_tensor(off, dtype))
    if first is not None and second is not None and first.dtype != second.dtype:
        raise TypeError(f"dtype {first.dtype} of on_value does not match dtype {second.dtype} of "
                        "off_value")
    for value, label in ((first, "on_value"), (second, "off_value")):
        if value is None:
            continue
        if dtype is not None and value.dtype != dtype:
            raise TypeError(f"dtype {value.dtype} of {label} does not match dtype parameter "
                            f"{dtype}")
        if shape_of(value):
            raise errors.invalid("OneHot", f"{label} must be a scalar, but got: "
                                           f"{brackets(shape_of(value))}")
        dtype = value.dtype
    kind = dtype or dtypes.float32
    one = convert(1, kind) if first is None else first
    zero = convert(0, kind) if second is None else second
    if type(one) is not Tensor or type(zero) is not Tensor:
        return one, zero
    return value_of(one), value_of(zero)


def _unless_tensor(value: Any, dtype: DType | None) -> DType | None:
    return None if isinstance(value, Tensor) else dtype


@export("meshgrid")
def meshgrid(*args: Any, **kwargs: Any) -> list:
    """Coordinate grids from vectors; `indexing` is "xy" (the first two axes swapped) or "ij"."""
    indexing = kwargs.pop("indexing", "xy")
    kwargs.pop("name", None)
    if kwargs:
        raise TypeError(f"'{next(iter(kwargs))}' is an invalid keyword argument for this function")
    if indexing not in ("xy", "ij"):
        raise ValueError(f"Argument `indexing` parameter must be either 'xy' or 'ij', got "
                         f"'{indexing}'")
    axes = [operand(x) for x in args]
    if any(x.dtype.kind == "O" for x in axes):
        raise TypeError("Cannot convert 1 to EagerTensor of dtype string")
    if any(x.dtype != axes[0].dtype for x in axes):
        other = next(x for x in axes if x.dtype != axes[0].dtype)
        raise errors.invalid("Mul", f"tf.meshgrid: arguments must have one dtype, got "
                                    f"{axes[0].dtype.name} and {other.dtype.name}")
    sizes = [int(np.prod(shape_of(x), dtype=np.int64)) if None not in shape_of(x) else size(x)
             for x in axes]
    order = list(range(len(axes)))
    if indexing == "xy" and len(order) > 1:
        order[0], order[1] = 1, 0
    whole = joined([sizes[i] for i in order])
    return [broadcast_to(reshape(x, shape=tuple([-1 if j == i else 1 for j in order])),
                         shape=whole) for i, x in enumerate(axes)]


def _sequence_mask_kernel(lengths, maxlen):
    if maxlen < 0:
        raise errors.invalid("SequenceMask", f"maxlen must be non-negative, got: {maxlen}")
    dtype = lengths.dtype if lengths.dtype.kind == "i" and lengths.itemsize > 2 else None
    return np.arange(maxlen, dtype=dtype) < np.expand_dims(lengths, -1)


def _sequence_mask_steps(lengths, maxlen):
    wide = np.dtype("int64" if lengths.dtype.is_integer else "float64")
    return wrap(np.arange(maxlen).astype(wide)) < expand(
        cast(lengths, dtype=wide), axis=len(shape_of(lengths)))


_sequence_mask = define(
    "sequence_mask", kernel=_sequence_mask_kernel, args=("lengths",), dtypes=REAL,
    shape=lambda lengths, maxlen: Spec(
        None if lengths.shape is None else (
            *lengths.shape, maxlen if type(maxlen) is int else None), np.dtype(bool)),
    vjp=NONDIFF("a mask is boolean: tf.sequence_mask has no gradient"),
    batch=lambda call, size, xs, batched, attrs: call(xs[0], **attrs),
    check=[Case(ints(5, (3,)), maxlen=4, grad=False), Case(ints(3, (2, 2)), maxlen=2, grad=False)],
    lower=Expand(_sequence_mask_steps))


def _longest(lengths: Tensor) -> Any:
    if type(lengths) is not Tensor:
        from tapeflow.ops.reduction import reduce_max
        return reduce_max(lengths, axis=None, keepdims=False)
    values = lengths._value
    return max(0, ceil(values.max())) if values.size else 0


def _limit(maxlen: Any) -> Any:
    limit = operand(maxlen)
    if limit.dtype.kind not in "fViu":
        raise wrong_kind("Range", "Tidx", limit.dtype, "bfloat16, half, float, double, int8, "
                                                       "int16, int32, int64, uint16, uint32, "
                                                       "uint64")
    if shape_of(limit):
        raise ValueError(f"Argument `maxlen` must be scalar for sequence_mask, received "
                         f"`maxlen` = {maxlen} with shape '{limit.shape}' instead")
    if type(limit) is not Tensor:
        return limit
    if not np.isfinite(limit._value):
        raise errors.invalid("Range", f"Requires ((limit - start) / delta) <= {2**63 - 1}")
    count = ceil(limit._value)
    if count < 0:
        raise errors.invalid("Range", f"Requires start <= limit when delta > 0: 0/{count}")
    return count


@export("sequence_mask")
def sequence_mask(lengths: Any, maxlen: Any = None, dtype: Any = dtypes.bool,
                  name: str | None = None) -> Tensor:
    """True for the first `lengths[i]` places of row i, each row `maxlen` long."""
    x = operand(lengths)
    mask = _sequence_mask(x, maxlen=_longest(x) if maxlen is None else _limit(maxlen))
    kind = as_dtype(dtype)
    return mask if kind is dtypes.bool else cast(mask, dtype=kind.np)


range_.__name__ = range_.__qualname__ = "range"


# -- the shape of a tensor -------------------------------------------------------------------------
_NO_SHAPE_GRADIENT = "a shape is made of integers: it does not change with the values"


def _shape_batch(call, size, xs, batched, attrs):
    known = shape_of(xs[0])[1:]
    own = call(xs[0], **attrs)[1:] if None in known else wrap(np.array(known, attrs["dtype"]))
    return broadcast_to(own, shape=(size, len(known)))


def _size_batch(call, size, xs, batched, attrs):
    known = shape_of(xs[0])[1:]
    if None in known:
        own = call(xs[0], **attrs) // max(size, 1)
    else:
        own = wrap(np.prod(known, dtype=attrs["dtype"]))
    return broadcast_to(own, shape=(size,))


def _rank_batch(call, size, xs, batched, attrs):
    return broadcast_to(wrap(np.int32(len(shape_of(xs[0])) - 1)), shape=(size,))


_shape = define("shape", kernel=lambda x, dtype: np.array(x.shape, dtype),
                shape=lambda x, dtype: Spec((None if x.shape is None else len(x.shape),), dtype),
                vjp=NONDIFF(_NO_SHAPE_GRADIENT), batch=_shape_batch, dtypes=ANY,
                check=[Case((2, 3), dtype=_INT32), Case((), dtype=np.dtype("int64"))])
_size = define("size", kernel=lambda x, dtype: dtype.type(x.size),
               shape=lambda x, dtype: Spec((), dtype), vjp=NONDIFF(_NO_SHAPE_GRADIENT),
               batch=_size_batch, check=[Case((2, 3), dtype=_INT32), Case((), dtype=_INT32)])
_rank = define("rank", kernel=lambda x: np.int32(x.ndim), shape=lambda x: Spec((), _INT32),
               vjp=NONDIFF(_NO_SHAPE_GRADIENT), batch=_rank_batch,
               check=[Case((2, 3)), Case(())])
for _call in (_shape, _size, _rank):
    know(_call, outline=True)


def _out_type(out_type: Any, op: str) -> np.dtype:
    if out_type is None:
        return _INT32
    kind = as_dtype(out_type)
    if kind is not dtypes.int32 and kind is not dtypes.int64:
        raise wrong_kind(op, "out_type", kind)
    return kind.np


@export("shape")
def shape(input: Any, out_type: Any = None, name: str | None = None) -> Tensor:
    """The shape of a tensor, as a vector of integers (int32 unless `out_type` says otherwise)."""
    if type(input) is IndexedSlices:
        return cast(convert(input.dense_shape), dtype=_out_type(out_type, "Shape"))
    x = input if type(input) is Tensor else operand(input)
    dtype = _out_type(out_type, "Shape")
    if x.ndim is not None and (type(x) is not Tensor or state.recorder is None):
        known = shape_of(x)
        if None not in known:  # known while tracing or batching: a constant
            return wrap(np.array(known, dtype))
    return _shape(x, dtype=dtype)


@export("shape_n")
def shape_n(input: Any, out_type: Any = dtypes.int32, name: str | None = None) -> list:
    """The shapes of several tensors."""
    if not len(input):
        raise errors.invalid("ShapeN", "Value for attr 'N' of 0 must be at least minimum 1")
    parts = alike(listed("input", input))
    for i, x in enumerate(parts):
        if x.dtype != parts[0].dtype:
            raise errors.invalid("ShapeN", f"cannot compute ShapeN as input #{i}(zero-based) was "
                                 f"expected to be a {parts[0].dtype.name} tensor but is a "
                                 f"{x.dtype.name} tensor")
    return [shape(x, out_type) for x in parts]


@export("size")
def size(input: Any, out_type: Any = None, name: str | None = None) -> Tensor:
    """The number of elements of a tensor."""
    x = operand(input)
    dtype = _out_type(out_type, "Size")
    if type(x) is not Tensor and x.ndim is not None and None not in shape_of(x):
        return wrap(np.prod(shape_of(x), dtype=dtype))
    return _size(x, dtype=dtype)


@export("rank")
def rank(input: Any, name: str | None = None) -> Tensor:
    """The number of axes of a tensor."""
    x = operand(input)
    return _rank(x) if type(x) is Tensor or x.ndim is None else wrap(np.int32(x.ndim))
