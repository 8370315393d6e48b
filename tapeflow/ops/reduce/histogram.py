"""Counts of values: bincount, histograms, confusion matrices."""

from __future__ import annotations

from math import prod
from typing import Any

import numpy as np

from tapeflow.base import dtypes as tf_dtypes
from tapeflow.base import errors
from tapeflow.base.attributes import attributes, dense, flag, whole
from tapeflow.base.exception_origin import unsignalled
from tapeflow.base.exports import export, export_guarded
from tapeflow.base.late import LatePublic
from tapeflow.core.autodiff.batching import loop
from tapeflow.core.record.families import batch_elementwise, operand
from tapeflow.core.record.linear import move
from tapeflow.core.record.lowering_forms import Expand, Unsupported
from tapeflow.core.record.op import NONDIFF, NUMERIC, Spec, define, mismatch, shape_of
from tapeflow.core.record.primitive_ops import (
    all_batched,
    cast,
    constant_like,
    cut,
    fill_like,
    reshape,
)
from tapeflow.core.record.row_ops import scatter_rows
from tapeflow.core.record.samples import Case, ints
from tapeflow.core.values.tensor import CompositeTensor, Tensor, wrap
from tapeflow.ops._support import kernel_threads
from tapeflow.ops._support.arguments import agree, brackets, integers, wrong_kind
from tapeflow.ops.math.comparison import maximum, minimum
from tapeflow.ops.math.select import select

_to_dense = LatePublic("sparse.to_dense")
_sparse_bincount = LatePublic("sparse.bincount")

_I32, _I64 = np.dtype("int32"), np.dtype("int64")


# -- counts ----------------------------------------------------------------------------------------
def _bincount_kernel(values, weights, size, binary):
    """Counts (or sums of weights) along the last axis; what is beyond `size` is left out."""
    if values.size and values.min() < 0:
        raise errors.invalid("DenseBincount", "Input arr must be non-negative!")
    count = int(np.prod(values.shape[:-1], dtype=np.int64))
    rows = values.reshape(count, values.shape[-1]).astype(np.int64, copy=False)
    added = weights.reshape(rows.shape)
    kept = rows < size
    bins = rows if count == 1 else rows + np.arange(count)[:, None] * size
    if not kept.all():
        bins, added = bins[kept], added[kept]
    shape = (*values.shape[:-1], size)
    if binary:
        out = np.zeros(count * size, weights.dtype)
        out[bins.ravel()] = 1
    elif weights.size and not any(weights.strides):  # all have one weight
        out = (np.bincount(bins.ravel(), minlength=count * size)
               * weights.ravel()[0]).astype(weights.dtype)
    elif weights.dtype.itemsize < 8 and weights.dtype.kind != "c":  # exact in float64
        sums = np.bincount(bins.ravel(), added.ravel().astype(np.float64), count * size)
        out = sums.astype(weights.dtype)
    else:
        out = np.zeros(count * size, weights.dtype)
        np.add.at(out, bins.ravel(), added.ravel())
    return out.reshape(shape)


def _bincount_batch(call, size, xs, batched, attrs):
    return call(*all_batched(xs, batched, size), **attrs)


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
                  vjp=lambda u, y, g, values: bincount_op(values, u, size=shape_of(g)[-1],
                                                        binary=False),
                  check=[Case((4,), [1, 1, 3, 5]), Case((2, 4), ints(5, (2, 3)))])
bincount_op = define("bincount", kernel=_bincount_kernel, args=("values", "weights"), saves="in0",
                     shape=lambda values, weights, size, binary: Spec(
                         None if values.shape is None else (
                             *values.shape[:-1], None if isinstance(size, Tensor) else size),
                         weights.dtype),
                     vjp=_bincount_vjp, batch=_bincount_batch, dtypes=NUMERIC,
                     jvp=lambda ts, y, values, weights, size, binary: None if (
                         binary or ts[1] is None) else bincount_op(values, ts[1], size=size,
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
    return bincount_op(x, counted, size=size, binary=bool(binary_output))


def _bincount_sparse(sp: Any, weights: Any, low: Any, high: Any, dtype: Any, axis: Any,
                     binary: bool) -> Tensor:
    """The elements that are there counted: all of them, or those of each row (axis=-1)."""
    if axis == -1:
        found = _to_dense(_sparse_bincount(
            sp, weights, axis, low, high, binary))
        return found if weights is not None else cast(found, dtype=tf_dtypes.as_dtype(dtype).np)
    held = weights.values if isinstance(weights, CompositeTensor) else weights  # type: ignore[attr-defined]
    return bincount(sp.values, held, low, high, dtype, None, axis, binary)


def _ones(x: Any, dtype: np.dtype) -> Any:
    """A weight of 1 for each element; where it can be, one scalar broadcast."""
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


bin_extent_op = define("bin_extent", kernel=_extent_kernel, batch=loop, dtypes="iu",
                       shape=lambda values, low, high: Spec((), _I32),
                       vjp=NONDIFF("a number of bins"),
                       check=[Case([1, 1, 3, 5], low=0, high=None), Case([1, 7], low=3, high=4)])


def _bin_count(x: Any, minlength: Any, maxlength: Any) -> Any:
    """The number of bins: an int, or a scalar that is not known while tracing."""
    ends = [None if one is None else operand(one, tf_dtypes.int32 if not isinstance(
        one, Tensor) else None) for one in (minlength, maxlength)]
    for one in ends:
        if one is not None and one.dtype is not tf_dtypes.int32:
            raise ValueError("Tensor conversion requested dtype int32 for Tensor with dtype "
                             f"{one.dtype.name}: a number of bins")
    low, high = [one._value if one is not None and one._interpreter is None else one
                 for one in ends]
    if x._interpreter is None and not isinstance(low, Tensor) and not isinstance(high, Tensor):
        if high is not None and (high < 0).any():
            raise errors.invalid("DenseBincount", f"size ({high}) must be non-negative")
        return int(_extent_kernel(x._value, 0 if low is None else low, high))
    if low is not None and not isinstance(low, Tensor) and not isinstance(high, Tensor) \
            and high is not None and low == high:
        return int(high)
    return bin_extent_op(x, low=0 if low is None else low, high=high)


def _bin_kernel(values, low, high, nbins):
    """The bin of each value, of many in blocks that fit the cache."""
    if values.size <= _VALUE_BLOCK or low.ndim or high.ndim:
        return _bins_of(values, low, high, nbins)
    flat, out = values.reshape(-1), np.empty(values.size, _I32)
    for start in range(0, values.size, _VALUE_BLOCK):
        part = slice(start, start + _VALUE_BLOCK)
        out[part] = _bins_of(flat[part], low, high, nbins)
    return out.reshape(values.shape)


_VALUE_BLOCK = 1 << 15


def _bins_of(values, low, high, nbins):
    bin_ = np.floor(nbins * ((values - low) / (high - low)))
    return np.minimum(np.maximum(bin_, 0), nbins - 1).astype(_I32)


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
        position = np.clip(flat[part], low, high).astype(np.float64)
        position -= first
        position /= step
        counts.append(np.bincount(position.astype(_I32), minlength=nbins + 1))

    parts = [slice(at, at + _VALUE_BLOCK) for at in range(0, flat.size, _VALUE_BLOCK)]
    try:
        if len(parts) > 4:
            kernel_threads.share(count, parts)
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
    if not values.dtype.is_floating:
        raise Unsupported("whole numbers")
    flat = reshape(values, shape=(-1,) if None in shape else (prod(shape),))
    clipped = minimum(maximum(flat, low), high)
    position, first, last = [cast(x, dtype=np.dtype("float64")) for x in (clipped, low, high)]
    position = (position - first) / ((last - first) / float(nbins))
    good = (position >= 0.0) & (low < high)
    position = minimum(select(good, position, wrap(np.float64(0))), float(nbins - 1))
    bins = cast(position, dtype=_I32)
    ones = cast(fill_like(bins, value=1), dtype=dtype)
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
        raise mismatch(_bins.op, x, limits)
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


_assert_non_negative = LatePublic("debugging.assert_non_negative")
_assert_less = LatePublic("debugging.assert_less")
_reduce_max = LatePublic("reduce_max")
_scatter_nd = LatePublic("scatter_nd")
_to_shape = LatePublic("reshape")


def _check_classes(name: str, tensor: Tensor, classes: Any) -> None:
    if type(tensor) is not Tensor or isinstance(classes, Tensor):  # checked when the graph runs
        _assert_non_negative(tensor, message=f"`{name}` contains negative values.  ")
        if classes is not None:
            limit = classes if isinstance(classes, Tensor) else wrap(np.int64(classes))
            _assert_less(tensor, limit, message=f"`{name}` out of bound")
        return
    values = tensor._value
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
    if not agree(shape_of(labels), shape_of(predictions)):
        raise errors.invalid("Pack", "Shapes of all inputs must match: labels "
                                     f"{brackets(shape_of(labels))}, predictions "
                                     f"{brackets(shape_of(predictions))}")
    classes: Any = num_classes
    if isinstance(classes, Tensor) and type(classes) is not Tensor:
        classes = cast(classes, dtype=_I64)
    elif classes is not None:
        classes = whole("num_classes", classes)
    _check_classes("labels", labels, classes)
    _check_classes("predictions", predictions, classes)
    if classes is None and (type(labels) is not Tensor or type(predictions) is not Tensor):
        classes = maximum(_reduce_max(labels), _reduce_max(predictions)) + 1
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
    if isinstance(classes, Tensor):  # how many is known when the graph runs
        places = reshape(labels * classes + predictions, shape=(-1, 1))
        cells = _scatter_nd(places, reshape(values, shape=(-1,)), [classes * classes])
        return _to_shape(cells, [classes, classes])
    cells = scatter_rows(reshape(values, shape=(-1,)),
                         reshape(labels * classes + predictions, shape=(-1,)),
                         shape=(classes * classes,))
    return reshape(cells, shape=(classes, classes))
