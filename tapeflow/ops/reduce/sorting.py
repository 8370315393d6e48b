"""Sorting and the largest k: sort, argsort, top_k, in_top_k."""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from tapeflow.base import dtypes as tf_dtypes
from tapeflow.base import errors
from tapeflow.base.attributes import attributes, flag
from tapeflow.base.exports import export
from tapeflow.core.deferrable import deferrable
from tapeflow.core.record.families import operand, same_as
from tapeflow.core.record.linear import move
from tapeflow.core.record.lowering_forms import Expand, Gather, Sort, SortSpec
from tapeflow.core.record.op import NONDIFF, NUMERIC, REAL, Spec, define, shape_of
from tapeflow.core.record.primitive_ops import all_batched, cast, reshape
from tapeflow.core.record.row_ops import scatter_rows
from tapeflow.core.record.samples import Case, ints
from tapeflow.core.values.tensor import Tensor
from tapeflow.ops._support import kernel_threads
from tapeflow.ops._support.arguments import brackets, int_scalar, integers, wrong_kind

_SMALL = 1 << 15  # elements that one thread sorts

_F32, _I32, _I64 = np.dtype("float32"), np.dtype("int32"), np.dtype("int64")


# -- elements by index along an axis ---------------------------------------------------------------
def _take_kernel(x, indices, axis):
    if indices.size and indices.max() >= x.shape[axis]:
        raise errors.invalid("GatherNd", f"index {indices.max()} is not in [0, {x.shape[axis]})")
    return np.take_along_axis(x, indices.astype(np.int64, copy=False), axis)


def _put_kernel(x, indices, axis, size):
    """Each element where its index says along `axis`, zeros elsewhere; indices must differ."""
    out = np.zeros((*x.shape[:axis], size, *x.shape[axis + 1:]), x.dtype)
    np.put_along_axis(out, indices.astype(np.int64, copy=False), x, axis)
    return out


def _along_batch(call, size, xs, batched, attrs):
    return call(*all_batched(xs, batched, size), **{**attrs, "axis": attrs["axis"] + 1})


def _put_shape(x: Spec, indices: Spec, axis: int, size: int) -> Spec:
    return Spec(None if x.shape is None else (*x.shape[:axis], size, *x.shape[axis + 1:]), x.dtype)


def _put_steps(x, indices, axis, size):
    """The same with indices into all rows, one behind the other."""
    shape = shape_of(x)
    if axis != len(shape) - 1:
        return None
    rows = math.prod(shape[:-1])
    starts = (np.arange(rows, dtype=np.int64) * size).reshape(*shape[:-1], 1)
    flat = reshape(cast(indices, dtype=_I64) + starts, shape=(math.prod(shape),))
    y = scatter_rows(reshape(x, shape=(math.prod(shape),)), flat, shape=(rows * size,))
    return reshape(y, shape=(*shape[:-1], size))


_ORDER = [[2, 0], [1, 2]]
_take = move("take_along", _take_kernel, args=("x", "indices"), batch=_along_batch,
             shape=lambda x, indices, axis: Spec(indices.shape, x.dtype), dtypes=NUMERIC,
             vjp=lambda g, y, x, indices, axis: _put(g, indices, axis=axis,
                                                     size=shape_of(x)[axis]),
             lower=Gather(lambda shapes, axis: (axis, axis) if axis == len(shapes[0]) - 1
                          else None),
             check=[Case((2, 3), _ORDER, axis=1), Case((3,), [2, 0], axis=0)])
_put = move("put_along", _put_kernel, args=("x", "indices"), batch=_along_batch, shape=_put_shape,
            vjp=lambda g, y, x, indices, axis, size: _take(g, indices, axis=axis), dtypes=NUMERIC,
            lower=Expand(_put_steps),
            check=[Case((2, 2), _ORDER, axis=1, size=3), Case((2,), [2, 0], axis=0, size=4)])


# -- sorting ---------------------------------------------------------------------------------------
def _sortable(x):
    return x.astype(_F32) if x.dtype.kind == "V" else x


def _order(x, axis: int, descending: bool):
    """Indices that sort, equal elements in their order, NaN last."""
    x = _sortable(x)
    if x.size >= _SMALL and x.ndim > 1:
        rows, out = np.moveaxis(x, axis, -1), np.empty(x.shape, np.intp)
        orders = np.moveaxis(out, axis, -1)

        def work(part: slice) -> None:
            orders[part] = _order_of(rows[part], -1, descending)

        kernel_threads.share(work, kernel_threads.slices(len(rows)))
        return out
    return _order_of(x, axis, descending)


def _order_of(x, axis: int, descending: bool):
    if descending:
        x = -x if x.dtype.kind == "f" else ~x
    return np.argsort(x, axis=axis, kind="stable")


def _argsort_kernel(x, axis, descending):
    return _order(x, axis, descending).astype(_I32)


def _sort_kernel(x, axis, descending):
    if descending or x.dtype.kind == "V":
        return np.take_along_axis(x, _order(x, axis, descending), axis)
    return np.sort(x, axis=axis)


def _axis_batch(call, size, xs, batched, attrs):
    return call(xs[0], **{**attrs, "axis": attrs["axis"] + 1})


def _in_order(part: str) -> Any:
    """What the compiler is told of a sort: all elements, as values or as indices."""
    return lambda shape, axis, descending: SortSpec(axis, descending, shape[axis], (part,))


_INDEX = NONDIFF("indices, which do not change with small changes of their input")
_argsort = define("argsort", kernel=_argsort_kernel, dtypes=REAL, vjp=_INDEX, batch=_axis_batch,
                  shape=lambda x, axis, descending: Spec(x.shape, _I32), tf_name="TopKV2",
                  lower=Sort(_in_order("indices")),
                  check=[Case((2, 3), axis=1, descending=False),
                         Case([3, 1, 2, 1], axis=0, descending=True)])


def _sort_vjp(g, y, x, axis, descending):
    return _put(g, _argsort(x, axis=axis, descending=descending), axis=axis,
                size=shape_of(x)[axis])


_sort = define("sort", kernel=_sort_kernel, shape=same_as(0), vjp=(_sort_vjp,), saves="in",
               jvp=lambda ts, y, x, axis, descending: _take(
                   ts[0], _argsort(x, axis=axis, descending=descending), axis=axis),
               batch=_axis_batch, dtypes=REAL, tf_name="TopKV2", lower=Sort(_in_order("values")),
               check=[Case((2, 3), axis=1, descending=False), Case((3, 2), axis=0, descending=True),
                      Case([2.0, np.nan, 1.0], axis=0, descending=False, grad=False)])


def _sort_arguments(values: Any, axis: Any, direction: str) -> tuple[Any, dict]:
    if direction not in ("ASCENDING", "DESCENDING"):
        raise ValueError("tf.sort: `direction` should be one of ASCENDING, DESCENDING. Received: "
                         f"direction={direction}")
    if type(axis) is not int:
        given, axis = axis, operand(axis)
        if shape_of(axis) or axis.dtype.kind not in "iu":
            raise ValueError(f"tf.sort: `axis` must be a constant scalar. Received: axis={given}.")
        axis = int(axis)
    x = operand(values)
    rank = len(shape_of(x))
    if not -rank <= axis < rank:
        raise errors.invalid("StridedSlice", f"tf.sort: axis {axis} is out of bounds for values of "
                                             f"shape {brackets(shape_of(x))}")
    return x, {"axis": axis % rank, "descending": direction == "DESCENDING"}


@export("sort")
@deferrable
def sort(values: Any, axis: Any = -1, direction: str = "ASCENDING",
         name: str | None = None) -> Tensor:
    """The elements in order along `axis`; gradients go back to where they came from."""
    x, attrs = _sort_arguments(values, axis, direction)
    return _sort(x, **attrs)


@export("argsort")
@deferrable
def argsort(values: Any, axis: Any = -1, direction: str = "ASCENDING", stable: bool = False,
            name: str | None = None) -> Tensor:
    """The indices that sort along `axis`; equal elements keep their order."""
    x, attrs = _sort_arguments(values, axis, direction)
    return _argsort(x, **attrs)


# -- the largest k ---------------------------------------------------------------------------------
class TopKV2(NamedTuple):
    values: Any
    indices: Any


def _check_top_k(shape: tuple, k: int) -> None:
    if not shape:
        raise errors.invalid("TopKV2", f"input must be >= 1-D, got shape {brackets(shape)}")
    if k < 0:
        raise errors.invalid("TopKV2", f"Need k >= 0, got {k}")
    if shape[-1] is not None and k > shape[-1]:
        raise errors.invalid("TopKV2", f"input must have at least k columns. Had {shape[-1]}, "
                                       f"needed {k}")


def _top_k_kernel(x, k, dtype):
    _check_top_k(x.shape, k)
    size = x.shape[-1]
    if k == 1 and x.size and (x.dtype.kind in "iu" or not np.isnan(x).any()):
        indices = x.argmax(-1)[..., None]
    elif x.dtype in _PACKABLE and size >= 64 and 4 * k <= size and not np.isnan(x).any():
        indices = _largest_of_rows(x, k)
    else:
        indices = _order(x, -1, True)[..., :k]
    return np.take_along_axis(x, indices, -1), indices.astype(dtype)


_PACKABLE = (np.dtype("float32"), np.dtype("int32"))


def _largest_of_rows(x, k):
    if x.size < _SMALL or x.ndim < 2:
        return _largest(x, k)
    rows = x.reshape(-1, x.shape[-1])
    out = np.empty((len(rows), k), np.intp)

    def work(part: slice) -> None:
        out[part] = _largest(rows[part], k)

    kernel_threads.share(work, kernel_threads.slices(len(rows), 32))
    return out.reshape(*x.shape[:-1], k)


def _largest(x, k):
    """Indices of the k largest along the last axis: value and index packed into one integer each,
    so that equal values keep their order and a partition of plain numbers is enough.
    """
    keys = x
    if x.dtype.kind == "f":
        keys = (x + 0.0).view(_I32)  # -0.0 becomes 0.0
        keys = keys ^ ((keys >> 31) & 0x7FFFFFFF)  # in the order of the floats
    last = x.shape[-1] - 1
    packed = (keys.astype(np.int64) << 32) | np.arange(last, -1, -1)
    top = np.partition(packed, last + 1 - k, axis=-1)[..., last + 1 - k:]
    top.sort(axis=-1)
    return last - (top[..., ::-1] & 0xFFFFFFFF)


def _top_k_shape(x: Spec, k: Any, dtype: Any) -> tuple[Spec, Spec]:
    count = None if isinstance(k, Tensor) else k
    if x.shape is not None and count is not None:
        _check_top_k(x.shape, count)
    shape = None if x.shape is None else (*x.shape[:-1], count)
    return Spec(shape, x.dtype), Spec(shape, dtype)


def _top_k_vjp(g, y, x, k, dtype):
    shape = shape_of(x)
    return (_put(g[0], y[1], axis=len(shape) - 1, size=shape[-1]),)


def _top_k_jvp(ts, y, x, k, dtype):
    return _take(ts[0], y[1], axis=len(shape_of(x)) - 1), None


def _first_in_order(shape, k, dtype):
    if not shape or not 0 < k <= shape[-1]:
        return None
    return SortSpec(len(shape) - 1, True, k, ("values", "indices"))


_top_k = define("top_k", kernel=_top_k_kernel, shape=_top_k_shape, vjp=_top_k_vjp, jvp=_top_k_jvp,
                saves="out", multi=True, dtypes=REAL, tf_name="TopKV2",
                lower=Sort(_first_in_order),
                batch=lambda call, size, xs, batched, attrs: call(xs[0], **attrs),
                check=[Case((2, 4), k=2, dtype=_I32), Case((3,), k=1, dtype=_I64)])


@export("math.top_k", "nn.top_k")
@attributes(sorted=flag)
def top_k(input: Any, k: Any = 1, sorted: bool = True, index_type: Any = tf_dtypes.int32,
          name: str | None = None) -> TopKV2:
    """The k largest elements along the last axis, largest first, and their indices."""
    x, dtype = operand(input), tf_dtypes.as_dtype(index_type)
    if dtype.name not in ("int16", "int32", "int64"):
        raise wrong_kind("TopKV2", "index_type", dtype, "int16, int32, int64")
    if isinstance(k, float):
        raise TypeError(f"TopKV2: k must be an integer, got {k}")
    if type(k) is not int:
        k = integers(k, "TopKV2", "Tk", "int16, int32, int64")
        if shape_of(k):
            raise errors.invalid("TopKV2", f"k must be scalar, got shape {brackets(shape_of(k))}")
        k = int(k._value) if type(k) is Tensor else k
    return TopKV2(*_top_k(x, k=k, dtype=dtype.np))


def _row_counts(mask):
    """How many are true along the last axis: many bits are counted faster than bytes are added."""
    width = mask.shape[-1]
    if width == 32:
        return np.bitwise_count(np.packbits(mask).view(np.uint32)).reshape(mask.shape[:-1])
    if width < 64:
        return np.add.reduce(mask, -1)
    if width % 64 == 0:
        words = np.packbits(mask).view(np.uint64).reshape(*mask.shape[:-1], -1)
        return np.add.reduce(np.bitwise_count(words), -1, np.int64)
    return np.bitwise_count(np.packbits(mask, axis=-1)).sum(axis=-1, dtype=np.int64)


_FIRST = 32  # classes


def _in_top_k_kernel(predictions, targets, k):
    classes = predictions.shape[-1]
    if not predictions.size:
        return np.zeros(targets.shape, bool)
    rows, wanted = predictions.reshape(-1, classes), targets.reshape(-1)
    inside = wanted.view(f"u{wanted.itemsize}") < classes
    if np.count_nonzero(inside) < len(wanted):
        wanted = np.where(inside, wanted, 0)
    own = rows.take(np.arange(0, rows.size, classes) + wanted)[:, None]
    if classes < 8 * _FIRST:
        return (_among(rows, own, k) & inside).reshape(targets.shape)
    # Rows of which enough are better among the first classes need no look at the others.
    chosen = inside & (_row_counts(rows[:, :_FIRST] > own) < k)
    still, width = chosen.nonzero()[0], 8 * _FIRST
    if 2 * len(still) > len(rows):
        return (_among(rows, own, k) & inside).reshape(targets.shape)
    while 2 * width <= classes and len(still):
        few = _row_counts(rows[still, :width] > own[still]) < k
        chosen[still] = few
        still, width = still[few], 4 * width
    chosen[still] &= _among(rows[still], own[still], k)
    return chosen.reshape(targets.shape)


def _among(rows, own, k):
    """Whether fewer than k of each row are greater than its own; never where one is not finite."""
    finite = np.isfinite(rows)
    few = _row_counts(rows > own) < k
    if np.count_nonzero(finite) < rows.size:
        few &= finite.all(-1)
    return few


_in_top_k = define("in_top_k", kernel=_in_top_k_kernel, args=("predictions", "targets"),
                   shape=lambda predictions, targets, k: Spec(targets.shape, np.dtype("bool")),
                   vjp=NONDIFF("a boolean result"), dtypes="fiu", tf_name="InTopKV2",
                   batch=lambda call, size, xs, batched, attrs: call(
                       *all_batched(xs, batched, size), **attrs),
                   check=[Case((3, 4), ints(4, (3,)), k=2)])


@export("math.in_top_k", "nn.in_top_k")
def in_top_k(targets: Any, predictions: Any, k: Any, name: str | None = None) -> Tensor:
    """Whether each target is among the k classes with the highest predictions, ties included."""
    predictions = operand(predictions, tf_dtypes.float32)
    targets = integers(targets, "InTopKV2", "T")
    shape, rows = shape_of(predictions), shape_of(targets)
    if len(shape) != 2:
        raise errors.invalid("InTopKV2", "predictions must be 2-dimensional")
    if len(rows) != 1:
        raise errors.invalid("InTopKV2", "targets must be 1-dimensional")
    if None not in (shape[0], rows[0]) and shape[0] != rows[0]:
        raise errors.invalid("InTopKV2", f"First dimension of predictions {shape[0]} must match "
                                         f"length of targets {rows[0]}")
    return _in_top_k(predictions, targets, k=int_scalar(k, "InTopKV2", "T", True))
