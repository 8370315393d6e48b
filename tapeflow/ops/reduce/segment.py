"""Reductions over segments of rows, given by an id for each row.

One record serves the sorted form (`rows=None`: as many rows as the last id says) and the unsorted
(`rows` given: ids in any order, negative ones dropped). May be imported by other `ops`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from tapeflow.base import errors
from tapeflow.base.exports import export, publish
from tapeflow.core.record.families import _present, operand
from tapeflow.core.record.linear import move
from tapeflow.core.record.lowering_forms import Expand, Gather, Scatter, Unsupported
from tapeflow.core.record.op import INTEGER, NONDIFF, NUMERIC, REAL, Spec, define, shape_of
from tapeflow.core.record.primitive_ops import (
    all_batched,
    broadcast_to,
    cast,
    dims,
    reshape,
    transpose,
)
from tapeflow.core.record.samples import Case, ints, uniform
from tapeflow.core.values.tensor import Tensor, wrap
from tapeflow.ops._support import kernel_threads
from tapeflow.ops._support.arguments import agree, brackets, defaulted, integers, wrong_kind
from tapeflow.ops._support.blas_threads import one_thread
from tapeflow.ops._support.half_precision import is_half
from tapeflow.ops.math.arithmetic import conj_of
from tapeflow.ops.math.comparison import maximum
from tapeflow.ops.math.exponential import sqrt
from tapeflow.ops.math.select import select
from tapeflow.ops.reduce.segment_prod import others_vjp

_F32 = np.dtype("float32")


# -- ids -------------------------------------------------------------------------------------------
def _check_sorted(shape: tuple, ids, tf_name: str) -> int:
    """The number of rows that sorted ids of data of `shape` ask for."""
    if not shape:
        raise errors.invalid(tf_name, "input must be at least rank 1")
    if ids.ndim != 1:
        raise errors.invalid(tf_name, "segment_ids should be a vector.")
    if ids.shape[0] != shape[0]:
        raise errors.invalid(tf_name, "segment_ids should be the same size as dimension 0 of "
                                      f"input: {ids.shape[0]} against {shape[0]}.")
    if not ids.size:
        return 0
    if not _ascending(ids):
        raise errors.invalid(tf_name, "segment ids are not increasing")
    rows = int(ids[-1]) + 1
    if ids[0] < 0:
        raise errors.invalid(tf_name, f"Segment id {ids[0]} out of range [0, {rows}), possibly "
                                      "because 'segment_ids' input is not sorted.")
    return rows


def _ascending(ids) -> bool:
    return not np.count_nonzero(ids[1:] < ids[:-1])


def _check_unsorted(data, ids, rows: int, tf_name: str, largest: Any = None) -> None:
    if rows < 0:
        raise errors.invalid(tf_name, f"Input num_segments == {rows} must not be negative.")
    if data.shape[:ids.ndim] != ids.shape:
        raise errors.invalid(tf_name, f"data.shape = {brackets(data.shape)} does not start with "
                                      f"segment_ids.shape = {brackets(ids.shape)}")
    if ids.size and (ids.max() if largest is None else largest) >= rows:
        where = np.argwhere(ids >= rows)[0]
        raise errors.invalid(tf_name, f"segment_ids[{','.join(str(i) for i in where)}] = "
                                      f"{ids[tuple(where)]} is out of range [0, {rows})")


def _ordered(data, ids, rows: int, tf_name: str) -> tuple:
    """Flat rows of data in the order of their ids, and those ids, without the negative ones."""
    if not ids.size or data.shape[:ids.ndim] != ids.shape:
        _check_unsorted(data, ids, rows, tf_name)
    flat = ids.reshape(-1)
    order = None if _ascending(flat) else flat.argsort(kind="stable")
    if order is not None:
        flat = flat.take(order)
    _check_unsorted(data, ids, rows, tf_name, flat[-1] if ids.size else None)
    if ids.ndim != 1:
        data = data.reshape(ids.size, *data.shape[ids.ndim:])
    if order is not None:
        data = data.take(order, 0)
    if ids.size and flat[0] < 0:
        below = flat.searchsorted(0)
        data, flat = data[below:], flat[below:]
    return data, flat


def _by_runs(ufunc, start: Any, data, ids, rows: int):
    """Runs of equal ids reduced; `start` is the result of a segment without rows."""
    if not ids.size:
        return np.full((rows, *data.shape[1:]), start, data.dtype)
    first = np.empty(len(ids), bool)
    first[0] = True
    np.not_equal(ids[1:], ids[:-1], out=first[1:])
    starts = first.nonzero()[0]
    if 16 * len(starts) < len(ids) and data.ndim > 1:  # a few long segments: reduceat is slow
        reduced = _long_runs(ufunc, data, starts)
    else:
        reduced = ufunc.reduceat(data, starts, 0, data.dtype)
    if len(starts) == rows:
        return reduced
    out = np.full((rows, *data.shape[1:]), start, data.dtype)
    out[ids[starts]] = reduced
    return out


def _long_runs(ufunc, data, starts):
    out = np.empty((len(starts), *data.shape[1:]), data.dtype)
    ends = [*starts[1:], len(data)]
    product = ufunc is np.add and data.ndim == 2 and data.dtype.char in "fd"

    def work(i: int) -> None:
        part = data[starts[i]:ends[i]]
        if product:  # BLAS adds rows faster than NumPy
            np.matmul(np.ones(len(part), data.dtype), part, out=out[i])
        else:
            ufunc.reduce(part, axis=0, dtype=data.dtype, out=out[i])

    if data.size >= _THREADED_FROM:
        kernel_threads.share(work, range(len(starts)))
    else:
        with one_thread:
            for i in range(len(starts)):
                work(i)
    return out


_THREADED_FROM = 1 << 22  # elements that are worth the threads


# -- kernels ---------------------------------------------------------------------------------------
def _name(kind: str, rows: Any) -> str:
    return f"{'Segment' if rows is None else 'UnsortedSegment'}{kind}"


def _filled(ufunc, kind: str, start: Any, data, ids, rows):
    """Segments of `data` reduced by a ufunc; `start` is the result of a segment without rows.

    Half precision is summed and multiplied in float32.
    """
    if is_half(data.dtype) and ufunc in (np.add, np.multiply):
        return _filled(ufunc, kind, start, data.astype(_F32), ids, rows).astype(data.dtype)
    if rows is None:
        return _by_runs(ufunc, start, data, ids, _check_sorted(data.shape, ids, _name(kind, rows)))
    if ufunc is np.add and data.shape == ids.shape and ids.size > 64 and data.dtype.kind == "f":
        _check_unsorted(data, ids, rows, _name(kind, rows))  # there is no need of order
        if ids.min() < 0:
            kept = ids >= 0
            data, ids = data[kept], ids[kept]
        return np.bincount(ids.ravel(), data.ravel(), rows).astype(data.dtype)
    data, ids = _ordered(data, ids, rows, _name(kind, rows))
    return _by_runs(ufunc, start, data, ids, rows)


def _sum_kernel(data, ids, rows=None):
    return _filled(np.add, "Sum", 0, data, ids, rows)


def _prod_kernel(data, ids, rows=None):
    return _filled(np.multiply, "Prod", 1, data, ids, rows)


def _mean_kernel(data, ids, rows=None):
    total = _filled(np.add, "Mean", 0, data, ids, rows)
    counts = np.bincount(ids[ids >= 0].ravel(), minlength=len(total)) if ids.size else np.zeros(
        len(total), np.int64)
    counts = np.maximum(counts, 1).reshape(len(total), *(1,) * (total.ndim - 1))
    if data.dtype.kind in "iu":
        return np.trunc(total / counts).astype(data.dtype)
    return (total / counts.astype(data.dtype)).astype(data.dtype, copy=False)


def _extreme_kernel(ufunc, kind: str, sign: int) -> Callable:
    """`missing` is the result of a segment without rows; None: the last number of the dtype."""

    def kernel(data, ids, rows=None, missing=0):
        start = _last(data.dtype, sign) if missing is None else missing
        return _filled(ufunc, kind, start, data, ids, rows)

    return kernel


def _last(dtype: np.dtype, sign: int) -> Any:
    """The lowest (sign -1) or highest finite number of a dtype."""
    if dtype.kind in "iu":
        return np.iinfo(dtype).max if sign > 0 else np.iinfo(dtype).min
    import ml_dtypes
    return dtype.type(sign * float(ml_dtypes.finfo(dtype).max))


def _pick_kernel(x, ids):
    """Row ids[i] of x for each i; zeros for negative ids."""
    if ids.size and ids.max() >= len(x):
        raise errors.invalid("GatherV2", f"an id is not in [0, {len(x)}): {ids.max()}")
    if not ids.size or ids.min() >= 0:
        return x[ids]
    out = np.zeros((*ids.shape, *x.shape[1:]), x.dtype)
    kept = ids >= 0
    out[kept] = x[ids[kept]]
    return out


def _sizes_kernel(data, ids):
    counts = np.bincount(np.maximum(ids, 0).ravel()) if ids.size else np.zeros(1, np.int64)
    if ids.size and ids.min() < 0:
        counts[0] -= np.count_nonzero(ids < 0)
    sizes = np.maximum(counts[np.maximum(ids, 0)], 1).astype(data.dtype)
    return np.broadcast_to(sizes.reshape(*ids.shape, *(1,) * (data.ndim - ids.ndim)), data.shape)


def _share_kernel(data, y, ids):
    """Elements equal to the extreme of their segment share equally."""
    if not data.size:
        return np.zeros(data.shape, data.dtype)
    chosen = (data == _pick_kernel(y, ids)) & _trailing(ids >= 0, data)
    counts = _pick_kernel(_sum_kernel(chosen.astype(np.int64), ids, len(y)), ids)
    return (chosen / np.maximum(counts, 1)).astype(data.dtype)


def _alone_kernel(data, ids):
    """1 where no other element of the segment is 0, else 0."""
    zero = data == 0
    counts = _sum_kernel(zero.astype(np.int64), ids, int(ids.max()) + 1 if ids.size else 0)
    return (_pick_kernel(counts, ids) == zero).astype(data.dtype)


def _trailing(mask, data):
    return mask.reshape(*mask.shape, *(1,) * (data.ndim - mask.ndim))


# -- shapes and batches ----------------------------------------------------------------------------
def _shape(data: Spec, ids: Spec, rows: Any = None, missing: Any = None) -> Spec:
    if data.shape is None or ids.shape is None:
        return Spec(None, data.dtype)
    if not agree(data.shape[:len(ids.shape)], ids.shape):
        raise errors.invalid("SegmentSum", f"data.shape = {data.shape} does not start with "
                                           f"segment_ids.shape = {ids.shape}")
    count = None if rows is None or isinstance(rows, Tensor) else rows
    return Spec((count, *data.shape[len(ids.shape):]), data.dtype)


def _batched(roles: str, result: str) -> Callable:
    """The batch rule of an op whose operands are, by letter, e: one element for each id, r: one row
    for each segment, i: the ids (last). Where all share the ids the batch axis moves behind them;
    else the ids of batch element b are moved by b · rows.
    """

    def rule(call, size, xs, batched, attrs):
        if not batched[-1]:
            depth = len(shape_of(xs[-1]))
            ahead = {"e": depth, "r": 1}
            moved = [_axis_to(x, 0, ahead[role]) for x, role in zip(
                all_batched(xs[:-1], batched[:-1], size), roles, strict=False)]
            return _axis_to(call(*moved, xs[-1], **attrs), ahead[result], 0)
        xs = all_batched(xs, batched, size)
        rows = _rows_in_batch(roles, xs, attrs)
        flat = [_merge(x) if role == "r" else x for x, role in zip(xs, roles, strict=True)]
        flat[-1] = shift_ids(xs[-1], rows=rows, axis=0)
        y = call(*flat, **({**attrs, "rows": size * rows} if "rows" in attrs else attrs))
        return reshape(y, shape=(size, rows, *shape_of(y)[1:])) if result == "r" else y

    return rule


def _axis_to(x, source: int, target: int):
    if source == target:
        return x
    perm = list(range(len(shape_of(x))))
    perm.insert(target, perm.pop(source))
    return transpose(x, perm=tuple(perm))


def _merge(x):
    size, rows, *rest = shape_of(x)
    return reshape(x, shape=(size * rows, *rest))


def _rows_in_batch(roles: str, xs: list, attrs: dict) -> int:
    """The number of segments of each batch element; from the ids themselves if need be."""
    if "r" in roles:
        return shape_of(xs[roles.index("r")])[1]
    if attrs.get("rows") is not None:
        return attrs["rows"]
    ids = xs[-1]._value
    if "rows" not in attrs:
        return int(ids.max()) + 1 if ids.size else 0
    found = {_check_sorted(shape_of(xs[0])[1:], one, "SegmentSum") for one in ids}
    if len(found) > 1:
        raise errors.invalid("SegmentSum", f"the segment_ids of one batch ask for different "
                                           f"numbers of rows: {sorted(found)}")
    return found.pop() if found else 0


def _shift_kernel(ids, rows, axis):
    steps = np.arange(ids.shape[axis]).reshape(-1, *(1,) * (ids.ndim - axis - 1))
    return np.where(ids < 0, ids, ids + steps * rows)


def _shift_steps(ids, rows, axis):
    shape = shape_of(ids)
    ids = cast(ids, dtype=np.dtype("int64"))
    steps = np.arange(shape[axis]).reshape(-1, *(1,) * (len(shape) - axis - 1)) * rows
    return select(ids < 0, ids, ids + wrap(steps))


shift_ids = define("shift_ids", kernel=_shift_kernel, dtypes=INTEGER,
                   shape=lambda ids, rows, axis: Spec(ids.shape, np.dtype("int64")),
                   vjp=NONDIFF("segment ids are integers"),
                   batch=lambda call, size, xs, batched, attrs: call(
                       xs[0], rows=attrs["rows"], axis=attrs["axis"] + 1),
                   check=[Case([[0, -1], [1, 1]], rows=2, axis=0),
                          Case([[0, -1], [1, 1]], rows=3, axis=1)], lower=Expand(_shift_steps))


# -- records ---------------------------------------------------------------------------------------
def _rows_of(x: Any) -> Any:
    rows = shape_of(x)[0]
    return rows if rows is not None else dims(x)[0]


pick_rows = move("pick_rows", _pick_kernel, args=("x", "ids"), tf_name="GatherV2",
                 shape=lambda x, ids: Spec(None if x.shape is None or ids.shape is None else (
                     *ids.shape, *x.shape[1:]), x.dtype),
                 vjp=lambda g, y, x, ids: segment_sum(g, ids, rows=_rows_of(x)),
                 batch=_batched("ri", "e"), dtypes=NUMERIC,
                 check=[Case((3, 2), [0, -1, 2, 2]), Case((4,), ints(4, (2, 2)))],
                 lower=Gather(lambda shapes: (0, 0), outside="zero"))

_SORTED = [0, 0, 2, 3]
_ANY_ORDER = [2, 0, -1, 2]


def _cases(values: Callable, **attrs: Any) -> list[Case]:
    return [Case(values((1, 2)), ints(4, (1,)), rows=None, **attrs),
            Case(values((4, 2)), _SORTED, rows=4, **attrs),
            Case(values((4,)), _ANY_ORDER, rows=4, **attrs),
            Case(values((2, 2, 3)), ints(3, (2, 2)), rows=3, **attrs)]


def _roles(combine: str, start: int) -> Callable:
    """Sorted ids say by themselves how many rows there are: not before the run."""

    def roles(shapes, rows=None):
        return None if rows is None else {
            "updates": 0, "indices": 1, "start": start, "combine": combine, "rows": rows,
            "outside": "negative"}

    return roles


segment_sum = move("segment_sum", _sum_kernel, args=("data", "segment_ids"), shape=_shape,
                   vjp=lambda g, y, x, ids, rows=None: pick_rows(g, ids),
                   batch=_batched("ei", "r"), kind="reduce", dtypes=NUMERIC,
                   check=_cases(lambda shape: shape), lower=Scatter(_roles("sum", 0)))

_STEP = NONDIFF("how elements are spread over segments: piecewise constant")
segment_sizes = define("segment_sizes", kernel=_sizes_kernel, args=("data", "segment_ids"),
                       shape=lambda data, ids: data, batch=_batched("ei", "e"), dtypes=NUMERIC,
                       vjp=_STEP, check=[Case((4, 2), _ANY_ORDER)])
_segment_share = define("segment_share", kernel=_share_kernel, dtypes=REAL,
                        args=("data", "extreme", "segment_ids"), shape=lambda data, y, ids: data,
                        batch=_batched("eri", "e"), vjp=_STEP,
                        check=[Case([1.0, 3.0, 3.0, 2.0], [3.0, 2.0], [0, 0, 0, 1])])


def _mean_vjp(g, y, x, ids, rows=None):
    picked = pick_rows(g, ids)
    return picked / segment_sizes(picked, ids)


def _mean_steps(data, ids, rows=None):
    if rows is None or not data.dtype.is_floating:
        raise Unsupported("sorted ids, or means of integers")
    ones = broadcast_to(wrap(data.dtype.np.type(1)), shape=shape_of(ids))
    counts = maximum(segment_sum(ones, ids, rows=rows), wrap(data.dtype.np.type(1)))
    total = segment_sum(data, ids, rows=rows)
    return total / reshape(counts, shape=(rows, *(1,) * (len(shape_of(total)) - 1)))


segment_mean = move("segment_mean", _mean_kernel, args=("data", "segment_ids"), shape=_shape,
                    vjp=_mean_vjp, batch=_batched("ei", "r"), kind="reduce", dtypes=NUMERIC,
                    check=_cases(lambda shape: shape), lower=Expand(_mean_steps))


def _others_kernel(x, ids):
    """For each element the product of the others in its segment, exact also where one is 0."""
    whole = x + (x == 0).astype(x.dtype)
    rows = int(ids.max()) + 1 if ids.size else 0
    shares = _pick_kernel(_prod_kernel(whole, ids, rows), ids) / whole
    return (shares * _alone_kernel(x, ids)).astype(x.dtype)


# The kernel takes the positions of zeros for constants; the derivative, by scans, does not.
_others = define("segment_others", kernel=_others_kernel, args=("data", "segment_ids"), saves="in",
                 shape=lambda data, ids: data, batch=_batched("ei", "e"), dtypes=NUMERIC,
                 vjp=(lambda g, y, x, ids: others_vjp(g, x, ids), None),
                 jvp=lambda ts, y, x, ids: conj_of(others_vjp(conj_of(ts[0]), x, ids)),
                 check=[Case(uniform(0.5, 2.0, (4, 2)), _ANY_ORDER),
                        Case(uniform(0.5, 2.0, (2, 3)), [[0, 1, 0], [1, 1, 0]]),
                        Case([2.0, 0.0, 3.0, 0.0, 0.0, 4.0], [1, 0, 1, 1, 0, 0])])


def _prod_vjp(g, y, x, ids, rows=None):
    return pick_rows(g, ids) * conj_of(_others(x, ids))


segment_prod = define("segment_prod", kernel=_prod_kernel, args=("data", "segment_ids"),
                      shape=_shape, vjp=(_prod_vjp, None), saves="in", batch=_batched("ei", "r"),
                      jvp=lambda ts, y, x, ids, rows=None: segment_sum(
                          ts[0] * _others(x, ids), ids, rows=rows),
                      kind="reduce", dtypes=NUMERIC,
                      check=_cases(lambda shape: uniform(0.5, 2.0, shape)),
                      lower=Scatter(_roles("prod", 1)))


def _extreme_vjp(g, y, x, ids, rows=None, missing=0):
    return pick_rows(g, ids) * _segment_share(x, y, ids)


def _extreme_jvp(ts, y, x, ids, rows=None, missing=0):
    return segment_sum(ts[0] * _segment_share(x, y, ids), ids, rows=rows)


def _extreme(name: str, kernel: Callable) -> Callable:
    return define(name, kernel=kernel, args=("data", "segment_ids"), shape=_shape, saves="in out",
                  vjp=(_extreme_vjp, None), jvp=_extreme_jvp, batch=_batched("ei", "r"),
                  kind="reduce", dtypes=REAL,
                  check=[*_cases(lambda shape: shape, missing=0),
                         Case((4,), _ANY_ORDER, rows=4, missing=None)])


segment_max = _extreme("segment_max", _extreme_kernel(np.maximum, "Max", -1))
segment_min = _extreme("segment_min", _extreme_kernel(np.minimum, "Min", 1))


# -- public ----------------------------------------------------------------------------------------
def _rows_arg(num_segments: Any, tf_name: str) -> Any:
    if type(num_segments) is int and num_segments < 1 << 63:
        return num_segments
    rows = operand(defaulted(num_segments, "Tnumsegments"))
    if rows.dtype.name not in ("int32", "int64"):
        raise wrong_kind(tf_name, "Tnumsegments", rows.dtype)
    if shape_of(rows):
        raise errors.invalid(tf_name, "num_segments should be a scalar, not shape "
                                      f"{brackets(shape_of(rows))}")
    return int(rows._value) if type(rows) is Tensor else rows


SORTED: dict[str, Callable] = {}  # the public functions of sorted ids, by what they compute
UNSORTED: dict[str, Callable] = {}  # and those of ids in any order


def _publish_sorted(kind: str, call: Callable, doc: str, **attrs: Any) -> None:
    tf_name = f"Segment{kind.capitalize()}"

    def public(data, segment_ids, name=None):
        x = operand(data)
        return call(x, integers(segment_ids, tf_name, "Tindices", ragged=True), rows=None, **attrs)

    public.__doc__ = doc
    _present(public, f"math.segment_{kind}", ("data", "segment_ids", "name"))
    publish(public, f"math.segment_{kind}")
    SORTED[kind] = public


def _publish_unsorted(kind: str, call: Callable, doc: str, **attrs: Any) -> None:
    tf_name = f"UnsortedSegment{kind.capitalize()}"

    def public(data, segment_ids, num_segments, name=None):
        x = operand(data)
        ids = integers(segment_ids, tf_name, "Tindices", ragged=True)
        return call(x, ids, rows=_rows_arg(num_segments, tf_name), **attrs)

    public.__doc__ = doc
    _present(public, f"math.unsorted_segment_{kind}",
             ("data", "segment_ids", "num_segments", "name"))
    publish(public, f"math.unsorted_segment_{kind}")
    UNSORTED[kind] = public


_publish_sorted("sum", segment_sum, "Sums of the rows of each segment; ids must be sorted.")
_publish_sorted("mean", segment_mean, "Means of the rows of each segment; ids must be sorted.")
_publish_sorted("prod", segment_prod, "Products of the rows of each segment; ids must be sorted.")
_publish_sorted("max", segment_max, "The largest of each segment, 0 if missing; ids sorted.",
                missing=0)
_publish_sorted("min", segment_min, "The smallest of each segment, 0 if missing; ids sorted.",
                missing=0)
_publish_unsorted("sum", segment_sum, "Sums of the rows of each segment; negative ids are dropped.")
_publish_unsorted("prod", segment_prod, "Products of the rows of each segment, 1 if missing.")
_publish_unsorted("max", segment_max, "The largest of each segment, the lowest number if missing.",
                  missing=None)
_publish_unsorted("min", segment_min, "The smallest of each segment, the highest if missing.",
                  missing=None)


def real_rows(data: Any) -> Any:
    """Rows of numbers that are not complex."""
    x = operand(data)
    if x.dtype.is_complex:
        raise wrong_kind("Maximum", "T", x.dtype, "bfloat16, half, float, double, int32, int64")
    return x


@export("math.unsorted_segment_mean")
def unsorted_segment_mean(data: Any, segment_ids: Any, num_segments: Any,
                          name: str | None = None) -> Tensor:
    """Means of the rows of each segment, 0 if missing; of integers in floating point."""
    x = real_rows(data)
    if x.dtype.is_integer:
        x = cast(x, dtype=_F32 if x.dtype.size < 4 else np.dtype("float64"))
    return segment_mean(x, integers(segment_ids, "UnsortedSegmentSum", "Tindices", ragged=True),
                        rows=_rows_arg(num_segments, "UnsortedSegmentSum"))


@export("math.unsorted_segment_sqrt_n")
def unsorted_segment_sqrt_n(data: Any, segment_ids: Any, num_segments: Any,
                            name: str | None = None) -> Tensor:
    """Sums of the rows of each segment, over the square root of their number; 0 if missing."""
    x, ids = real_rows(data), integers(segment_ids, "UnsortedSegmentSum", "Tindices", ragged=True)
    rows = _rows_arg(num_segments, "UnsortedSegmentSum")
    if type(x) is Tensor and type(ids) is Tensor:
        _check_unsorted(x._value, ids._value, rows, "UnsortedSegmentSum")
    return segment_sum(x / sqrt(segment_sizes(x, ids)), ids, rows=rows)


UNSORTED.update(mean=unsorted_segment_mean, sqrt_n=unsorted_segment_sqrt_n)
