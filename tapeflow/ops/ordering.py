"""Sorting, the largest k, counts of values, histograms, confusion matrices."""

from __future__ import annotations

from math import prod
from typing import Any, NamedTuple

import numpy as np

from tapeflow.base import dtypes as tf_dtypes
from tapeflow.base import errors
from tapeflow.base.attributes import attributes, dense, flag
from tapeflow.base.exports import PUBLIC, export, export_guarded
from tapeflow.base.origins import unsignalled
from tapeflow.core.basics import _spread as spread
from tapeflow.core.basics import (
    broadcast_to,
    cast,
    constant_like,
    cut,
    reshape,
    scatter_rows,
)
from tapeflow.core.batching import loop
from tapeflow.core.families import batch_elementwise, move, operand, same_as
from tapeflow.core.lowering import Expand, Unsupported
from tapeflow.core.op import NONDIFF, NUMERIC, REAL, Spec, define, mismatch, shape_of
from tapeflow.core.samples import Case, ints
from tapeflow.core.tensor import CompositeTensor, Tensor, wrap
from tapeflow.ops import workers
from tapeflow.ops.arguments import agree, brackets, int_scalar, integers, wrong_kind
from tapeflow.ops.comparison import maximum, minimum
from tapeflow.ops.selection import select

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
    return call(*spread(xs, batched, size), **{**attrs, "axis": attrs["axis"] + 1})


def _put_shape(x: Spec, indices: Spec, axis: int, size: int) -> Spec:
    return Spec(None if x.shape is None else (*x.shape[:axis], size, *x.shape[axis + 1:]), x.dtype)


_ORDER = [[2, 0], [1, 2]]
_take = move("take_along", _take_kernel, args=("x", "indices"), batch=_along_batch,
             shape=lambda x, indices, axis: Spec(indices.shape, x.dtype), dtypes=NUMERIC,
             vjp=lambda g, y, x, indices, axis: _put(g, indices, axis=axis,
                                                     size=shape_of(x)[axis]),
             check=[Case((2, 3), _ORDER, axis=1), Case((3,), [2, 0], axis=0)])
_put = move("put_along", _put_kernel, args=("x", "indices"), batch=_along_batch, shape=_put_shape,
            vjp=lambda g, y, x, indices, axis, size: _take(g, indices, axis=axis), dtypes=NUMERIC,
            check=[Case((2, 2), _ORDER, axis=1, size=3), Case((2,), [2, 0], axis=0, size=4)])


# -- sorting ---------------------------------------------------------------------------------------
def _sortable(x):
    return x.astype(_F32) if x.dtype.kind == "V" else x


def _order(x, axis: int, descending: bool):
    """Indices that sort, equal elements in their order, NaN last."""
    x = _sortable(x)
    if x.size >= _BLOCK and x.ndim > 1:
        rows, out = np.moveaxis(x, axis, -1), np.empty(x.shape, np.intp)
        orders = np.moveaxis(out, axis, -1)

        def work(part: slice) -> None:
            orders[part] = _order_of(rows[part], -1, descending)

        workers.share(work, workers.slices(len(rows)))
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


_INDEX = NONDIFF("indices, which do not change with small changes of their input")
_argsort = define("argsort", kernel=_argsort_kernel, dtypes=REAL, vjp=_INDEX, batch=_axis_batch,
                  shape=lambda x, axis, descending: Spec(x.shape, _I32), tf_name="TopKV2",
                  check=[Case((2, 3), axis=1, descending=False),
                         Case([3, 1, 2, 1], axis=0, descending=True)])


def _sort_vjp(g, y, x, axis, descending):
    return _put(g, _argsort(x, axis=axis, descending=descending), axis=axis,
                size=shape_of(x)[axis])


_sort = define("sort", kernel=_sort_kernel, shape=same_as(0), vjp=(_sort_vjp,), saves="in",
               jvp=lambda ts, y, x, axis, descending: _take(
                   ts[0], _argsort(x, axis=axis, descending=descending), axis=axis),
               batch=_axis_batch, dtypes=REAL, tf_name="TopKV2",
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
def sort(values: Any, axis: Any = -1, direction: str = "ASCENDING",
         name: str | None = None) -> Tensor:
    """The elements in order along `axis`; gradients go back to where they came from."""
    x, attrs = _sort_arguments(values, axis, direction)
    return _sort(x, **attrs)


@export("argsort")
def argsort(values: Any, axis: Any = -1, direction: str = "ASCENDING", stable: bool = False,
            name: str | None = None) -> Tensor:
    """The indices that sort along `axis`; equal elements keep their order."""
    x, attrs = _sort_arguments(values, axis, direction)
    return _argsort(x, **attrs)


# -- the largest k ---------------------------------------------------------------------------------
class TopKV2(NamedTuple):
    values: Any
    indices: Any


def _top_k_kernel(x, k, dtype):
    if not x.ndim:
        raise errors.invalid("TopKV2", f"input must be >= 1-D, got shape {brackets(x.shape)}")
    size = x.shape[-1]
    if k < 0:
        raise errors.invalid("TopKV2", f"Need k >= 0, got {k}")
    if k > size:
        raise errors.invalid("TopKV2", f"input must have at least k columns. Had {size}, needed "
                                       f"{k}")
    if k == 1 and x.size and (x.dtype.kind in "iu" or not np.isnan(x).any()):
        indices = x.argmax(-1)[..., None]
    elif x.dtype in _PACKABLE and size >= 64 and 4 * k <= size and not np.isnan(x).any():
        indices = _largest_of_rows(x, k)
    else:
        indices = _order(x, -1, True)[..., :k]
    return np.take_along_axis(x, indices, -1), indices.astype(dtype)


_PACKABLE = (np.dtype("float32"), np.dtype("int32"))


def _largest_of_rows(x, k):
    if x.size < _BLOCK or x.ndim < 2:
        return _largest(x, k)
    rows = x.reshape(-1, x.shape[-1])
    out = np.empty((len(rows), k), np.intp)

    def work(part: slice) -> None:
        out[part] = _largest(rows[part], k)

    workers.share(work, workers.slices(len(rows), 32))
    return out.reshape(*x.shape[:-1], k)


def _largest(x, k):
    """Indices of the k largest along the last axis: value and place packed into one integer each,
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
    shape = None if x.shape is None else (*x.shape[:-1], count)
    return Spec(shape, x.dtype), Spec(shape, dtype)


def _top_k_vjp(g, y, x, k, dtype):
    shape = shape_of(x)
    return (_put(g[0], y[1], axis=len(shape) - 1, size=shape[-1]),)


def _top_k_jvp(ts, y, x, k, dtype):
    return _take(ts[0], y[1], axis=len(shape_of(x)) - 1), None


_top_k = define("top_k", kernel=_top_k_kernel, shape=_top_k_shape, vjp=_top_k_vjp, jvp=_top_k_jvp,
                saves="out", multi=True, dtypes=REAL, tf_name="TopKV2",
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
                       *spread(xs, batched, size), **attrs),
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


# -- counts ----------------------------------------------------------------------------------------
def _bincount_kernel(values, weights, size, binary):
    """Counts (or sums of weights) along the last axis; what is beyond `size` is left out."""
    if values.size and values.min() < 0:
        raise errors.invalid("DenseBincount", "Input arr must be non-negative!")
    count = int(np.prod(values.shape[:-1], dtype=np.int64))
    rows = values.reshape(count, values.shape[-1]).astype(np.int64, copy=False)
    added = weights.reshape(rows.shape)
    kept = rows < size
    places = rows if count == 1 else rows + np.arange(count)[:, None] * size
    if not kept.all():
        places, added = places[kept], added[kept]
    shape = (*values.shape[:-1], size)
    if binary:
        out = np.zeros(count * size, weights.dtype)
        out[places.ravel()] = 1
    elif weights.size and not any(weights.strides):  # all have one weight
        out = (np.bincount(places.ravel(), minlength=count * size)
               * weights.ravel()[0]).astype(weights.dtype)
    elif weights.dtype.itemsize < 8 and weights.dtype.kind != "c":  # exact in float64
        sums = np.bincount(places.ravel(), added.ravel().astype(np.float64), count * size)
        out = sums.astype(weights.dtype)
    else:
        out = np.zeros(count * size, weights.dtype)
        np.add.at(out, places.ravel(), added.ravel())
    return out.reshape(shape)


def _bincount_batch(call, size, xs, batched, attrs):
    return call(*spread(xs, batched, size), **attrs)


def _bincount_vjp(g, y, values, weights, size, binary):
    if binary:
        return None, None
    return None, _weight_of(g, values)


def _weight_of_kernel(g, values):
    size = g.shape[-1]
    kept = values < size
    picked = np.take_along_axis(g, np.where(kept, values, 0).astype(np.int64), -1) if size else \
        np.zeros(values.shape, g.dtype)
    return np.where(kept, picked, g.dtype.type(0))


_weight_of = move("bin_weight", _weight_of_kernel, args=("g", "values"), dtypes=NUMERIC,
                  shape=lambda g, values: Spec(values.shape, g.dtype), batch=_bincount_batch,
                  vjp=lambda u, y, g, values: _bincount(values, u, size=shape_of(g)[-1],
                                                        binary=False),
                  check=[Case((4,), [1, 1, 3, 5]), Case((2, 4), ints(5, (2, 3)))])
_bincount = define("bincount", kernel=_bincount_kernel, args=("values", "weights"), saves="in0",
                   shape=lambda values, weights, size, binary: Spec(
                       None if values.shape is None else (
                           *values.shape[:-1], None if isinstance(size, Tensor) else size),
                       weights.dtype),
                   vjp=_bincount_vjp, batch=_bincount_batch, dtypes=NUMERIC,
                   jvp=lambda ts, y, values, weights, size, binary: None if (
                       binary or ts[1] is None) else _bincount(values, ts[1], size=size,
                                                               binary=False),
                   tf_name="DenseBincount",
                   check=[Case([1, 1, 3, 5], (4,), size=4, binary=False),
                          Case(ints(5, (2, 3)), (2, 3), size=5, binary=False),
                          Case([1, 1, 3], [1, 1, 1], size=4, binary=True)])


@export_guarded("math.bincount")
@attributes(binary_output=flag)
def bincount(arr: Any, weights: Any = None, minlength: Any = None, maxlength: Any = None,
             dtype: Any = tf_dtypes.int32, name: str | None = None, axis: int | None = None,
             binary_output: bool = False) -> Tensor:
    """How often each integer occurs in `arr`, or the sum of the weights of its occurrences.

    Beyond TensorFlow: the weights have a gradient.
    """
    bool(dtype)
    if isinstance(arr, CompositeTensor) and hasattr(arr, "dense_shape"):
        return _bincount_sparse(arr, weights, minlength, maxlength, dtype, axis, binary_output)
    x = operand(arr)
    if weights is not None and binary_output:
        raise ValueError("tf.math.bincount: `binary_output` and `weights` are mutually exclusive.")
    if not x.dtype.is_integer:
        x = cast(x, dtype=_I32)
    if axis not in (None, 0, -1):
        raise ValueError(f"tf.math.bincount: unsupported axis={axis}, only 0 and -1 are supported.")
    x = integers(x, "DenseBincount", "Tidx", ragged=True)
    if axis != -1 or not shape_of(x):
        x = reshape(x, shape=(-1,))
    elif len(shape_of(x)) > 2:
        raise errors.invalid("DenseBincount", "Shape must be at most rank 2 but is rank "
                                              f"{len(shape_of(x))}")
    counted = _bin_weights(x, weights, dtype)
    size = _bin_count(x, minlength, maxlength)
    return _bincount(x, counted, size=size, binary=bool(binary_output))


def _bincount_sparse(sp: Any, weights: Any, low: Any, high: Any, dtype: Any, axis: Any,
                     binary: bool) -> Tensor:
    """The elements that are there counted: all of them, or those of each row (axis=-1)."""
    if axis == -1:
        found = PUBLIC["sparse.to_dense"](PUBLIC["sparse.bincount"](
            sp, weights, axis, low, high, binary))
        return found if weights is not None else cast(found, dtype=tf_dtypes.as_dtype(dtype).np)
    held = weights.values if isinstance(weights, CompositeTensor) else weights
    return bincount(sp.values, held, low, high, dtype, None, axis, binary)


def _ones(x: Any, dtype: np.dtype) -> Any:
    """A weight of 1 for each element; where it can be, one number seen as many."""
    if x._interpreter is None:
        return wrap(np.broadcast_to(dtype.type(1), shape_of(x)))
    return constant_like(cast(x, dtype=dtype), 1)


def _bin_weights(x: Any, weights: Any, dtype: Any) -> Any:
    if weights is None:
        wanted = tf_dtypes.as_dtype(dtype)
        if wanted.name not in ("int32", "int64", "float32", "float64"):
            raise wrong_kind("DenseBincount", "T", wanted, "int32, int64, float, double")
        return _ones(x, wanted.np)
    weights = operand(weights)
    if len(shape_of(x)) == 1 and len(shape_of(weights)) != 1:
        weights = reshape(weights, shape=(-1,))
    if not agree(shape_of(weights), shape_of(x)):
        raise errors.invalid("DenseBincount", "`weights` must be the same shape as `arr`. Received "
                                              f"{brackets(shape_of(weights))} for "
                                              f"{brackets(shape_of(x))}")
    return weights


def _extent_kernel(values, low, high):
    size = max(int(values.max()) + 1 if values.size else 0, int(low))
    return np.int32(max(size if high is None else min(size, int(high)), 0))


_extent = define("bin_extent", kernel=_extent_kernel, batch=loop, dtypes="iu",
                 shape=lambda values, low, high: Spec((), _I32), vjp=NONDIFF("a number of bins"),
                 check=[Case([1, 1, 3, 5], low=0, high=None), Case([1, 7], low=3, high=4)])


def _bin_count(x: Any, minlength: Any, maxlength: Any) -> Any:
    """The number of bins: an int, or a scalar that is not known while tracing."""
    ends = [None if one is None else operand(one, tf_dtypes.int32 if not isinstance(
        one, Tensor) else None) for one in (minlength, maxlength)]
    low, high = [one._value if one is not None and one._interpreter is None else one
                 for one in ends]
    if x._interpreter is None and not isinstance(low, Tensor) and not isinstance(high, Tensor):
        if high is not None and (high < 0).any():
            raise errors.invalid("DenseBincount", f"size ({high}) must be non-negative")
        return int(_extent_kernel(x._value, 0 if low is None else low, high))
    if low is not None and not isinstance(low, Tensor) and not isinstance(high, Tensor) \
            and high is not None and low == high:
        return int(high)
    return _extent(x, low=0 if low is None else low, high=high)


def _bin_kernel(values, low, high, nbins):
    """The bin of each value, of many in blocks that fit the cache."""
    if values.size <= _BLOCK or low.ndim or high.ndim:
        return _bins_of(values, low, high, nbins)
    flat, out = values.reshape(-1), np.empty(values.size, _I32)
    for start in range(0, values.size, _BLOCK):
        part = slice(start, start + _BLOCK)
        out[part] = _bins_of(flat[part], low, high, nbins)
    return out.reshape(values.shape)


_BLOCK = 1 << 15


def _bins_of(values, low, high, nbins):
    place = np.floor(nbins * ((values - low) / (high - low)))
    return np.minimum(np.maximum(place, 0), nbins - 1).astype(_I32)


_bins = define("histogram_bins", kernel=_bin_kernel, args=("values", "low", "high"), dtypes="fi",
               shape=lambda values, low, high, nbins: Spec(values.shape, _I32),
               vjp=NONDIFF("indices of bins: integers"), batch=batch_elementwise,
               tf_name="HistogramFixedWidth", check=[Case((2, 3), 0.0, 1.0, nbins=2)])


def _histogram_kernel(values, low, high, nbins, dtype):
    """Bins by a step in float64; of many values in blocks that fit the cache, on several threads.
    """
    if not low < high:
        raise errors.invalid("HistogramFixedWidth", "value_range should satisfy value_range[0] "
                                                    f"< value_range[1], but got {low}, {high}")
    flat, first = values.reshape(-1), np.float64(low)
    step = (np.float64(high) - first) / nbins
    counts = []

    def count(part: slice) -> None:
        # The end of the range has a bin of its own here, which is the last one's.
        place = np.clip(flat[part], low, high).astype(np.float64)
        place -= first
        place /= step
        counts.append(np.bincount(place.astype(_I32), minlength=nbins + 1))

    parts = [slice(at, at + _BLOCK) for at in range(0, flat.size, _BLOCK)]
    try:
        if len(parts) > 4:
            workers.share(count, parts)
        else:
            for part in parts:
                count(part)
    except unsignalled(ValueError):  # NaN, as an integer, is negative
        raise errors.invalid("HistogramFixedWidth",
                             "Histogram values must not contain NaN") from None
    total = sum(counts, start=np.zeros(nbins + 1, np.intp))
    total[nbins - 1] += total[nbins]
    return total[:nbins].astype(dtype)


def _histogram_steps(values, low, high, nbins, dtype):
    """The same; a bin that is none, for NaN and limits that are none, makes the kernel complain."""
    shape = shape_of(values)
    if None in shape or not values.dtype.is_floating:
        raise Unsupported("sizes that are not known, or whole numbers")
    clipped = minimum(maximum(reshape(values, shape=(prod(shape),)), low), high)
    place, first, last = [cast(x, dtype=np.dtype("float64")) for x in (clipped, low, high)]
    place = (place - first) / ((last - first) / float(nbins))
    good = (place >= 0.0) & (low < high)
    place = minimum(select(good, place, wrap(np.float64(0))), float(nbins - 1))
    bins = cast(place, dtype=_I32)
    ones = broadcast_to(wrap(dtype.type(1)), shape=(prod(shape),))
    return scatter_rows(ones, select(good, bins, wrap(np.int32(-1))), shape=(nbins,))


_histogram = define("histogram", kernel=_histogram_kernel, dtypes="fi",
                    args=("values", "low", "high"), shape=lambda *xs, nbins, dtype: Spec(
                        (nbins,), dtype),
                    vjp=NONDIFF("how many values there are: integers"), batch=loop,
                    tf_name="HistogramFixedWidth",
                    check=[Case((6,), -1.0, 1.0, nbins=4, dtype=_I32),
                           Case((2, 3), 0.0, 1.0, nbins=2, dtype=_I64)],
                    lower=Expand(_histogram_steps))


def _end(limits: Any, which: int) -> Any:
    return reshape(cut(limits, axis=0, start=which, size=1), shape=())


def _bins_argument(nbins: Any) -> int:
    nbins = int(operand(nbins, tf_dtypes.int32)._value)
    if nbins <= 0:
        raise errors.invalid("HistogramFixedWidth", "nbins should be a positive number, but got "
                                                    f"'{nbins}'")
    return nbins


@export("histogram_fixed_width")
def histogram_fixed_width(values: Any, value_range: Any, nbins: Any = 100,
                          dtype: Any = tf_dtypes.int32, name: str | None = None) -> Tensor:
    """How many values fall into each of `nbins` bins of equal width over `value_range`."""
    x = operand(values)
    limits = operand(value_range, x.dtype)
    wanted = tf_dtypes.as_dtype(dtype)
    if wanted.name not in ("int32", "int64"):
        raise wrong_kind("HistogramFixedWidth", "dtype", wanted)
    if shape_of(limits) != (2,):
        raise errors.invalid("HistogramFixedWidth", "value_range should be a vector of 2 elements.")
    nbins = _bins_argument(nbins)
    return _histogram(x, _end(limits, 0), _end(limits, 1), nbins=nbins, dtype=wanted.np)


@export("histogram_fixed_width_bins")
def histogram_fixed_width_bins(values: Any, value_range: Any, nbins: Any = 100,
                               dtype: Any = tf_dtypes.int32, name: str | None = None) -> Tensor:
    """The bin of equal width over `value_range` that each value falls into, as int32."""
    x = operand(values)
    if x.dtype.is_integer:
        raise errors.invalid("Mul", "tf.histogram_fixed_width_bins: values must be floating point, "
                                    f"got {x.dtype.name}")
    limits = operand(value_range)
    if limits.dtype != x.dtype:
        raise mismatch(_bins.op, x, limits)  # type: ignore[attr-defined]
    return _bins(x, _end(limits, 0), _end(limits, 1), nbins=_bins_argument(nbins))


# -- confusion matrix ------------------------------------------------------------------------------
def _squeezed(labels: Any, predictions: Any) -> tuple[Any, Any]:
    """Drop a last axis of size 1 of whichever has one dimension more."""
    a, b = shape_of(labels), shape_of(predictions)
    if len(b) == len(a) + 1 and b[-1] == 1:
        predictions = reshape(predictions, shape=b[:-1])
    elif len(a) == len(b) + 1 and a[-1] == 1:
        labels = reshape(labels, shape=a[:-1])
    return labels, predictions


def _check_classes(name: str, values: np.ndarray, classes: int | None) -> None:
    if values.size and values.min() < 0:
        raise errors.invalid("Assert", f"`{name}` contains negative values: {values.min()}")
    if classes is not None and values.size and values.max() >= classes:
        raise errors.invalid("Assert", f"`{name}` out of bound: {values.max()} with num_classes "
                                       f"{classes}")


@export("math.confusion_matrix")
@attributes(labels=dense, predictions=dense, weights=dense)
def confusion_matrix(labels: Any, predictions: Any, num_classes: Any = None, weights: Any = None,
                     dtype: Any = tf_dtypes.int32, name: str | None = None) -> Tensor:
    """How often (or with what weight) each label (row) was predicted as each class (column)."""
    labels, predictions = _squeezed(operand(labels), operand(predictions))
    if len(shape_of(labels)) != len(shape_of(predictions)):
        raise errors.invalid("Pack", "Shapes of all inputs must match: labels "
                                     f"{brackets(shape_of(labels))}, predictions "
                                     f"{brackets(shape_of(predictions))}")
    labels, predictions = cast(labels, dtype=_I64), cast(predictions, dtype=_I64)
    if shape_of(labels) != shape_of(predictions):
        raise errors.invalid("Pack", "Shapes of all inputs must match: labels "
                                     f"{brackets(shape_of(labels))}, predictions "
                                     f"{brackets(shape_of(predictions))}")
    classes = None if num_classes is None else int(num_classes)
    _check_classes("labels", labels._value, classes)
    _check_classes("predictions", predictions._value, classes)
    if classes is None:
        if not labels._value.size:
            raise errors.invalid("ScatterNd", "labels and predictions are empty: num_classes must "
                                              "be given")
        classes = int(max(labels._value.max(), predictions._value.max())) + 1
    wanted = tf_dtypes.as_dtype(dtype).np
    if weights is None:
        values = constant_like(cast(labels, dtype=wanted), 1)
    else:
        values = operand(weights)
        predictions.shape.assert_is_compatible_with(values.shape)
        values = cast(values, dtype=wanted)
    cells = scatter_rows(reshape(values, shape=(-1,)),
                         reshape(labels * classes + predictions, shape=(-1,)),
                         shape=(classes * classes,))
    return reshape(cells, shape=(classes, classes))
