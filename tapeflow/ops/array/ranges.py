"""Progressions and grids: range, linspace, meshgrid."""

from __future__ import annotations

from math import ceil, isfinite
from typing import Any

import numpy as np

from tapeflow.base import dtypes, errors
from tapeflow.base.attributes import dense
from tapeflow.base.dtypes import as_dtype
from tapeflow.base.exports import export, known_as
from tapeflow.core.record.families import batch_elementwise, broadcast, operand
from tapeflow.core.record.lowering_forms import Expand
from tapeflow.core.record.op import (
    INEXACT,
    NONDIFF,
    REAL,
    Spec,
    define,
    shape_of,
)
from tapeflow.core.record.primitive_ops import (
    broadcast_to,
    cast,
    dims,
    expand,
    fill_like,
    reduce_sum,
    reshape,
    sum_to,
)
from tapeflow.core.record.samples import Case
from tapeflow.core.values.convert import convert
from tapeflow.core.values.tensor import Tensor, wrap
from tapeflow.ops._support.arguments import (
    brackets,
    int_scalar,
    joined,
    wrong_kind,
)
from tapeflow.ops.array.shape_ops import size
from tapeflow.ops.math.select import select

_INT32 = np.dtype("int32")

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


range_op = define("range", kernel=_range_kernel, args=("start", "limit", "delta"), dtypes=REAL,
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
            -2**30 <= start <= limit < 2**30):
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
        if x.ndim is not None and shape_of(x) not in ((), (1,)):
            raise errors.invalid("Range", f"{label} must be a scalar, not shape "
                                          f"{brackets(shape_of(x))}")
    return range_op(*[reshape(x, shape=()) if x.ndim != 0 else x for x in terms])


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
    count = _point_count(num)
    rank = 1 + max(len(shape_of(first)), len(shape_of(last)))
    if isinstance(axis, Tensor) and axis.dtype is not dtypes.int32:
        raise errors.invalid("AddV2", "cannot compute AddV2 as input #1(zero-based) was expected "
                                      f"to be a int32 tensor but is a {axis.dtype.name} tensor")
    position = int_scalar(axis, "LinSpace", "axis", True)
    if not -rank <= position < rank:
        raise errors.invalid("ExpandDims", f"Tried to expand dim index {position} for tensor with "
                                           f"{rank - 1} dimensions.")
    return _linspace(first, last, num=count, axis=position % rank)


def _point_count(num: Any) -> Any:
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
    axes = [operand(dense("args", x)) for x in args]
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


known_as(range_, "range")
