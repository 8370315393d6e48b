"""Basic indexing `x[...]` and iteration.

A basic index is one op, `strided`, whose attribute `spec` is a tuple of
    int                    one position (negative: from the end); the axis goes
    (start, stop, step)    a range, with Python's meaning
    None                   a new axis
A bound that a trace has not fixed is OPEN there; the attribute `bounds` brings it. The gradient is
`unstrided`, which puts g into zeros; each is the other's transpose. May be imported by `api` and by
other modules of `ops`.
"""

from __future__ import annotations

from numbers import Integral
from typing import Any

import numpy as np

from tapeflow.base import dtypes, errors
from tapeflow.base.exception_origin import unsignalled
from tapeflow.base.exports import publish
from tapeflow.base.late import LateModule
from tapeflow.core.autodiff.batching import Batched
from tapeflow.core.record.families import batch_elementwise
from tapeflow.core.record.linear import move
from tapeflow.core.record.lowering_forms import (
    Assemble,
    Expand,
    Pointwise,
    View,
    contiguous_strides,
)
from tapeflow.core.record.op import (
    INTEGER,
    NONDIFF,
    NUMERIC,
    Spec,
    define,
    shape_of,
)
from tapeflow.core.record.primitive_ops import dims, reshape, static, transpose
from tapeflow.core.record.row_ops import gather_rows, scatter_rows
from tapeflow.core.record.samples import Case, ints
from tapeflow.core.state import state
from tapeflow.core.values.tensor import Tensor, not_in_graphs, wrap
from tapeflow.core.values.variable import Variable, read
from tapeflow.ops._support.arguments import boxed, brackets, wrong_kind
from tapeflow.ops.array.joining import unstack_op

_gathering = LateModule("tapeflow.ops.indexing.gathering")

ndarray = np.ndarray
_new = object.__new__
ALL = (None, None, None)
OPEN = "?"
publish(None, "newaxis")


# -- the op and its transpose ----------------------------------------------------------------------
def native_index(spec: tuple, bounds: tuple = ()) -> tuple:
    """A spec as NumPy's index."""
    if bounds:
        spec = with_bounds(spec, bounds)
    return tuple([slice(*item) if type(item) is tuple else item for item in spec])


def with_bounds(spec: tuple, bounds: tuple) -> tuple:
    """A spec with the bounds that were open."""
    given = iter(bounds)
    return tuple([tuple([next(given) if n == OPEN else n for n in item])
                  if type(item) is tuple else next(given) if item == OPEN else item
                  for item in spec])


def _strided_kernel(x, spec, bounds=()):
    if bounds:
        spec = with_bounds(spec, bounds)
    try:
        y = x[tuple([slice(*item) if type(item) is tuple else item for item in spec])]
    except unsignalled(IndexError, ValueError):
        y = _strided_scalar(x, spec)
    return y if type(y) is ndarray else boxed(y, x.dtype)


def _strided_scalar(x: Any, spec: tuple) -> Any:
    """NumPy scalars take fewer indices than 0-d arrays do; else the index is wrong."""
    try:
        return np.asarray(x)[native_index(spec)]
    except unsignalled(IndexError, ValueError):
        raise wrong_index(x.shape, spec) from None


def wrong_index(shape: tuple, spec: tuple, op: str = "StridedSlice") -> Exception:
    """Say which part of an index does not fit a shape."""
    axis = 0
    for position, item in enumerate(spec):
        if item is None:
            continue
        if not shape:
            return errors.invalid(op, "Attempting to slice scalar input.")
        if axis >= len(shape):
            return errors.invalid(op, f"Index out of range using input dim {axis}; input has only "
                                      f"{len(shape)} dims")
        if type(item) is tuple:
            if item[2] == 0:
                return errors.invalid(op, f"strides[{position}] must be non-zero")
        elif not -shape[axis] <= item < shape[axis]:
            shown = item if item >= 0 else item + shape[axis]
            return errors.invalid(op, f"slice index {shown} of dimension {axis} out of bounds.")
        axis += 1
    return errors.invalid(op, f"index {spec} does not fit shape {brackets(shape)}")


def strided_shape(x: Spec, spec: tuple, bounds: Any = ()) -> Spec:
    if x.shape is None:
        return x
    result: list = []
    axis = 0
    for item in spec:
        if item is None:
            result.append(1)
            continue
        if axis >= len(x.shape) or not x.shape:
            raise wrong_index(x.shape, spec)
        size = x.shape[axis]
        if type(item) is not tuple and type(item) is int and item != OPEN and (
                size is not None and not -size <= item < size):
            raise wrong_index(x.shape, spec)
        if type(item) is tuple:
            result.append(size if item == ALL else None if size is None or OPEN in item else len(
                range(*slice(*item).indices(size))))
        axis += 1
    return Spec((*result, *x.shape[axis:]), x.dtype)


def _strided_batch(call, size, xs, batched, attrs):
    return call(xs[0], **{**attrs, "spec": (ALL, *attrs["spec"])})


def _unstrided_kernel(x, spec, shape, bounds=()):
    out = np.zeros(shape, x.dtype)
    out[native_index(spec, bounds)] = x
    return out


def _unstrided_batch(call, size, xs, batched, attrs):
    return call(xs[0], **{**attrs, "spec": (ALL, *attrs["spec"]),
                          "shape": (size, *attrs["shape"])})


def _strided_view(own, spec, bounds=()):
    if bounds:
        return None
    steps, offset, axis = contiguous_strides(own), 0, 0
    sizes, strides = [], []
    for item in (*spec, *[ALL] * (len(own) - sum([one is not None for one in spec]))):
        if item is None:
            sizes.append(1)
            strides.append(0)
            continue
        if type(item) is tuple:
            chosen = range(*slice(*item).indices(own[axis]))
            offset += chosen.start * steps[axis] if len(chosen) else 0
            sizes.append(len(chosen))
            strides.append(chosen.step * steps[axis])
        else:
            offset += item % own[axis] * steps[axis]
        axis += 1
    return offset, sizes, strides


def _unstrided_parts(shapes, spec, shape, bounds=()):
    if bounds:
        return None
    begin, step, axes = [], [], []
    for item in (*spec, *[ALL] * (len(shape) - sum([one is not None for one in spec]))):
        if item is None:
            axes.append(None)
        elif type(item) is tuple:
            chosen = range(*slice(*item).indices(shape[len(begin)]))
            axes.append(len(begin))
            begin.append(chosen.start)
            step.append(chosen.step)
        else:
            begin.append(item % shape[len(begin)])
            step.append(1)
    return 0, [(0, begin, step, axes)]


def picked_axis(spec: tuple, bounds: Any) -> int | None:
    """The axis of which an index picks one element that a tensor names, before what is known."""
    axis = next((i for i, item in enumerate(spec) if item != ALL), len(spec))
    if isinstance(bounds, tuple) or spec[axis:axis + 1] != (OPEN,) or any(
            item == OPEN or (type(item) is tuple and OPEN in item) for item in spec[axis + 1:]):
        return None
    return axis


def _row_index(bounds: Tensor, size: int) -> Tensor:
    index = strided(bounds, spec=(0,))
    return _gathering.where(index < 0, index + size, index)


def _strided_steps(x, spec, bounds=()):
    axis = picked_axis(spec, bounds)
    if axis is None:
        return None
    shape = shape_of(x)
    if axis:
        x = transpose(x, perm=(axis, *range(axis), *range(axis + 1, len(shape))))
    row = gather_rows(x, _row_index(bounds, shape[axis]))
    rest = (*[ALL] * axis, *spec[axis + 1:])
    return row if all(item == ALL for item in rest) else strided(row, spec=rest)


def _unstrided_steps(x, spec, shape, bounds=()):
    axis = picked_axis(spec, bounds)
    if axis is None or isinstance(shape, Tensor):
        return None
    rest, others = (*[ALL] * axis, *spec[axis + 1:]), (*shape[:axis], *shape[axis + 1:])
    if any(item != ALL for item in rest):
        x = unstrided(x, spec=rest, shape=others)
    y = scatter_rows(x, _row_index(bounds, shape[axis]), shape=(shape[axis], *others))
    if not axis:
        return y
    return transpose(y, perm=(*range(1, axis + 1), 0, *range(axis + 1, len(shape))))


strided = move("strided", _strided_kernel, shape=strided_shape, batch=_strided_batch,
               vjp=lambda g, y, x, **at: unstrided(g, shape=dims(x), **at),
               tf_name="StridedSlice",
               check=[Case((4, 3), spec=(1,)), Case((4, 3), spec=((None, None, -2), None, -1)),
                      Case((5,), spec=((1, 4, 2),)), Case((2, 3, 2), spec=(ALL, 0, ALL, None)),
                      Case((), spec=(None,)), Case((3,), spec=((2, 1, 1),))],
               lower=Expand(_strided_steps, View(_strided_view)))
unstrided = move("unstrided", _unstrided_kernel, batch=_unstrided_batch,
                 shape=lambda x, spec, shape, bounds=(): Spec(static(shape), x.dtype),
                 vjp=lambda g, y, x, shape, **at: strided(g, **at),
                 tf_name="StridedSliceGrad", dtypes=NUMERIC + "b",
                 check=[Case((3,), spec=(1,), shape=(4, 3)),
                        Case((2, 1), spec=((None, None, -2), None, -1), shape=(4, 3))],
                 lower=Expand(_unstrided_steps, Assemble(_unstrided_parts)))
_STRIDED = strided.op


# -- from Python's index to a spec -----------------------------------------------------------------
def valid_index(item: Any) -> Any:
    """One integer of an index: a Python int, or a Tensor whose value is not known here."""
    if isinstance(item, bool):
        raise wrong_kind("StridedSlice", "Index", np.dtype("bool"), "int16, int32, int64")
    if isinstance(item, Integral) and not isinstance(item, np.bool_):
        return int(item)
    if isinstance(item, Variable):
        item = read(item)
    if isinstance(item, Tensor):
        if item.ndim is None:  # an index is a scalar
            item = reshape(item, shape=())
        if item.dtype in (dtypes.int32, dtypes.int64, dtypes.int16) and not len(shape_of(item)):
            return int(item._value) if type(item) is Tensor else item
    elif isinstance(item, ndarray) and item.dtype.kind in "iu" and not item.ndim:
        return int(item)
    elif hasattr(item, "__index__") and not isinstance(item, (ndarray, np.bool_)):
        return item.__index__()
    raise TypeError("Only integers, slices (`:`), ellipsis (`...`), tf.newaxis (`None`) and scalar "
                    f"tf.int32/tf.int64 tensors are valid indices, got {item!r}")


def _bound(item: Any) -> Any:
    if item is None or type(item) is int:
        return item
    return valid_index(item)


def spec_of(key: Any, rank: int) -> tuple:
    """Python's index as a spec; an Ellipsis becomes the full ranges that it stands for."""
    items = key if isinstance(key, (tuple, list)) else (key,)
    spec: list = []
    ellipsis = None
    for item in items:
        if type(item) is slice:
            spec.append((_bound(item.start), _bound(item.stop), _bound(item.step)))
        elif item is None or type(item) is int:
            spec.append(item)
        elif item is Ellipsis:
            if ellipsis is not None:
                raise errors.invalid("StridedSlice", "Multiple ellipses in slice spec not allowed")
            ellipsis = len(spec)
        else:
            spec.append(valid_index(item))
    if ellipsis is not None:
        taken = sum([item is not None for item in spec])
        spec[ellipsis:ellipsis] = [ALL] * max(0, rank - taken)
    return tuple(spec)


def _is_plain(key: Any) -> bool:
    """Whether NumPy takes the index as it is: Python ints, slices of them, None and `...`."""
    for item in key if type(key) is tuple else (key,):
        kind = type(item)
        if kind is slice:
            for n in (item.start, item.stop, item.step):
                if n is not None and type(n) is not int:
                    return False
        elif kind is not int and item is not None and item is not Ellipsis:
            return False
    return True


def is_mask(key: Any) -> bool:
    return (isinstance(key, bool) or (isinstance(key, Tensor) and key.dtype is dtypes.bool)
            or (isinstance(key, ndarray) and key.dtype == bool))


def getitem(x: Tensor, key: Any) -> Tensor:
    """x[key]: integers, slices, `...`, tf.newaxis, scalar integer tensors, or one boolean mask."""
    if type(key) is int and type(x) is Tensor:
        value = x._value
        try:
            part = value[key]
        except unsignalled(IndexError):
            raise wrong_index(value.shape, (key,)) from None
        y = _new(Tensor)
        y._value = part if value.dtype.kind != "O" else boxed(part, value.dtype)
        y._uid = 0
        if state.recorder is not None:
            state.recorder.note(_STRIDED, (x,), y, {"spec": (key,)})
        return y
    if type(x) is Tensor and state.recorder is None and _is_plain(key):
        value = x._value
        try:
            return wrap(value[key] if value.dtype.kind != "O" else boxed(value[key], value.dtype))
        except unsignalled(IndexError, ValueError):
            pass  # a NumPy scalar, or a wrong index: below
    if type(key) is int and x.ndim is not None:
        return strided(x, spec=(key,))
    if is_mask(key):
        return _gathering.boolean_mask(x, key)
    spec = spec_of(key, len(shape_of(x)))
    for item in spec:
        if type(item) is not int and _is_open(item):
            return _open_index(x, spec)
    return strided(x, spec=spec)


def _is_open(item: Any) -> bool:
    return isinstance(item, Tensor) or (type(item) is tuple and any(
        isinstance(n, Tensor) for n in item))


def _open_index(x: Tensor, spec: tuple) -> Tensor:
    """An index with tensors in it whose values are not known here."""
    for item in spec:
        for n in item if type(item) is tuple else (item,):
            if isinstance(n, Batched):
                return _varying(x, spec)
    spec, bounds = opened(spec)
    return strided(x, spec=spec, bounds=bounds)


def opened(spec: tuple) -> tuple:
    """A spec with OPEN for each tensor in it, and those tensors as one vector."""
    from tapeflow.core.record.primitive_ops import cast, stack
    found: list = []

    def mark(n: Any) -> Any:
        if not isinstance(n, Tensor):
            return n
        found.append(n if n.dtype is dtypes.int64 else cast(n, dtype=np.dtype("int64")))
        return OPEN

    marked = tuple([tuple([mark(n) for n in item]) if type(item) is tuple else mark(item)
                    for item in spec])
    return marked, stack(*found, axis=0) if found else ()


_from_start = define("from_start",
                     kernel=lambda i, size: np.where(i < 0, i + i.dtype.type(size), i),
                     shape=lambda i, size: i, batch=batch_elementwise, args=("index",),
                     dtypes=INTEGER, vjp=NONDIFF("an index is an integer: it has no gradient"),
                     check=[Case(ints(3, (2, 2), low=-3), size=3)],
                     lower=Pointwise(lambda b, i, size: b.select(
                         b.lt(i, b.const(0, i)), b.add(i, b.const(size, i)), i)))


def _varying(x: Tensor, spec: tuple) -> Tensor:
    """An index with integers that differ within a batch: ranges first, then look-ups."""
    for item in spec:
        if type(item) is tuple:
            for n in item:
                if isinstance(n, Tensor):
                    n.__index__()  # a range that differs within a batch has no one size: refused
    y = strided(x, spec=tuple([ALL if isinstance(item, Tensor) else item for item in spec]))
    axis = 0
    for item in spec:
        if isinstance(item, Tensor):
            index = _from_start(item, size=shape_of(y)[axis])
            y = _gathering.take(y, index, axis=axis, batch_dims=0)
        elif type(item) is not int:
            axis += 1
    return y


# -- iteration -------------------------------------------------------------------------------------
def _iterate(x: Tensor) -> Any:
    """Row by row; where a tape listens, by one unstack whose gradient is one stack."""
    rows = None
    for i in range(shape_of(x)[0]):
        if rows is None and (state.recorder is not None or type(x) is not Tensor):
            rows = unstack_op(x, axis=0)
        yield wrap(boxed(x._value[i], x._value.dtype)) if rows is None else rows[i]


def _iter(self: Tensor) -> Any:
    if self._traced and state.trace is not None:
        raise not_in_graphs("Iterating over a symbolic `tf.Tensor`")
    shape = shape_of(self)
    if not shape:
        raise TypeError("Cannot iterate over a scalar tensor.")
    if shape[0] is None:
        raise TypeError("Cannot iterate over a tensor with unknown first dimension.")
    return _iterate(self)


setattr(Tensor, "__getitem__", getitem)  # noqa: B010
setattr(Tensor, "__iter__", _iter)  # noqa: B010


# -- sliced assignment -----------------------------------------------------------------------------
# -- slices by arguments ---------------------------------------------------------------------------
