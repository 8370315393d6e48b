"""Basic indexing: `x[...]`, slices, strided_slice, iteration; and sliced assignment to variables.

A basic index is one op, `strided`, whose attribute `spec` is a tuple of
    int                    one position (negative: from the end); the axis goes
    (start, stop, step)    a range, with Python's meaning
    None                   a new axis
A number that a trace has not fixed is OPEN there; the attribute `bounds` brings it. The gradient is
`unstrided`, which puts g into zeros; each is the other's transpose. May be imported by `api` and by
other modules of `ops`.
"""

from __future__ import annotations

from numbers import Integral
from typing import Any

import numpy as np

from tapeflow.base import dtypes, errors
from tapeflow.base.exports import PUBLIC, export, publish
from tapeflow.base.origins import unsignalled
from tapeflow.core.basics import broadcast_to as _broadcast_to
from tapeflow.core.basics import concat, dims, fill_like, gather_rows, scatter_rows, static, sum_to
from tapeflow.core.basics import reshape as _reshape
from tapeflow.core.batching import Batched
from tapeflow.core.convert import convert
from tapeflow.core.families import batch_elementwise, move, operand
from tapeflow.core.lowering import Assemble, Expand, Pointwise, View, steps_of
from tapeflow.core.op import (
    INTEGER,
    NONDIFF,
    NUMERIC,
    Spec,
    apply,
    define,
    shape_of,
    specialise,
)
from tapeflow.core.samples import Case, ints
from tapeflow.core.state import state
from tapeflow.core.tensor import Tensor, not_in_graphs, wrap
from tapeflow.core.variable import Variable, read
from tapeflow.ops.arguments import boxed, brackets, int_vector, known_shape, wrong_kind
from tapeflow.ops.shaping import _unstack

ndarray = np.ndarray
_new = object.__new__
ALL = (None, None, None)
OPEN = "?"
publish(None, "newaxis")


# -- the op and its transpose ----------------------------------------------------------------------
def _native(spec: tuple, bounds: tuple = ()) -> tuple:
    """A spec as NumPy's index."""
    if bounds:
        spec = _closed(spec, bounds)
    return tuple([slice(*item) if type(item) is tuple else item for item in spec])


def _closed(spec: tuple, bounds: tuple) -> tuple:
    """A spec with the numbers that were open."""
    numbers = iter(bounds)
    return tuple([tuple([next(numbers) if n == OPEN else n for n in item])
                  if type(item) is tuple else next(numbers) if item == OPEN else item
                  for item in spec])


def _strided_kernel(x, spec, bounds=()):
    if bounds:
        spec = _closed(spec, bounds)
    try:
        y = x[tuple([slice(*item) if type(item) is tuple else item for item in spec])]
    except unsignalled(IndexError, ValueError):
        y = _strided_scalar(x, spec)
    return y if type(y) is ndarray else boxed(y, x.dtype)


def _strided_scalar(x: Any, spec: tuple) -> Any:
    """NumPy scalars take fewer indices than 0-d arrays do; else the index is wrong."""
    try:
        return np.asarray(x)[_native(spec)]
    except unsignalled(IndexError, ValueError):
        raise wrong_index(x.shape, spec) from None


def wrong_index(shape: tuple, spec: tuple, op: str = "StridedSlice") -> errors.OpError:
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


def _strided_shape(x: Spec, spec: tuple, bounds: Any = ()) -> Spec:
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
    out[_native(spec, bounds)] = x
    return out


def _unstrided_batch(call, size, xs, batched, attrs):
    return call(xs[0], **{**attrs, "spec": (ALL, *attrs["spec"]),
                          "shape": (size, *attrs["shape"])})


def _strided_view(own, spec, bounds=()):
    if bounds:
        return None
    steps, offset, axis = steps_of(own), 0, 0
    sizes, strides = [], []
    for item in (*spec, *[ALL] * (len(own) - sum([one is not None for one in spec]))):
        if item is None:
            sizes.append(1)
            strides.append(0)
            continue
        if type(item) is tuple:
            places = range(*slice(*item).indices(own[axis]))
            offset += places.start * steps[axis] if len(places) else 0
            sizes.append(len(places))
            strides.append(places.step * steps[axis])
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
            places = range(*slice(*item).indices(shape[len(begin)]))
            axes.append(len(begin))
            begin.append(places.start)
            step.append(places.step)
        else:
            begin.append(item % shape[len(begin)])
            step.append(1)
    return 0, [(0, begin, step, axes)]


def _row_of(spec: tuple, bounds: Any) -> bool:
    """Whether an index is one row, which a tensor names, and what is known of that row."""
    return isinstance(bounds, Tensor) and spec[0] == OPEN and not any(
        item == OPEN or (type(item) is tuple and OPEN in item) for item in spec[1:])


def _row_index(bounds: Tensor, size: int) -> Tensor:
    index = strided(bounds, spec=(0,))
    return PUBLIC["where"](index < 0, index + size, index)


def _strided_steps(x, spec, bounds=()):
    if not _row_of(spec, bounds):
        return None
    row = gather_rows(x, _row_index(bounds, shape_of(x)[0]))
    return strided(row, spec=spec[1:]) if len(spec) > 1 else row


def _unstrided_steps(x, spec, shape, bounds=()):
    if not _row_of(spec, bounds) or isinstance(shape, Tensor):
        return None
    if len(spec) > 1:
        x = unstrided(x, spec=spec[1:], shape=tuple(shape[1:]))
    return scatter_rows(x, _row_index(bounds, shape[0]), shape=tuple(shape))


strided = move("strided", _strided_kernel, shape=_strided_shape, batch=_strided_batch,
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
_STRIDED = strided.op  # type: ignore[attr-defined]


# -- from Python's index to a spec -----------------------------------------------------------------
def _valid(item: Any) -> Any:
    """One integer of an index: a Python int, or a Tensor whose value is not known here."""
    if isinstance(item, Integral) and not isinstance(item, np.bool_):
        return int(item)
    if isinstance(item, Variable):
        item = read(item)
    if isinstance(item, Tensor):
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
    return _valid(item)


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
            spec.append(_valid(item))
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


def _is_mask(key: Any) -> bool:
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
    if _is_mask(key):
        from tapeflow.ops.gathering import boolean_mask
        return boolean_mask(x, key)
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
    from tapeflow.core.basics import cast, stack
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
    from tapeflow.ops.gathering import take
    for item in spec:
        if type(item) is tuple:
            for n in item:
                if isinstance(n, Tensor):
                    n.__index__()  # a range that differs within a batch has no one size: refused
    y = strided(x, spec=tuple([ALL if isinstance(item, Tensor) else item for item in spec]))
    axis = 0
    for item in spec:
        if isinstance(item, Tensor):
            y = take(y, _from_start(item, size=shape_of(y)[axis]), axis=axis, batch_dims=0)
        elif type(item) is not int:
            axis += 1
    return y


# -- iteration -------------------------------------------------------------------------------------
def _iterate(x: Tensor) -> Any:
    """Row by row; where a tape listens, by one unstack whose gradient is one stack."""
    rows = None
    for i in range(shape_of(x)[0]):
        if rows is None and (state.recorder is not None or type(x) is not Tensor):
            rows = _unstack(x, axis=0)
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
def _variable_getitem(self: Variable, key: Any) -> Tensor:
    recorder = state.recorder
    x = self._snapshot if recorder is None else recorder.read(self)
    y = getitem(x, key)
    if not _is_mask(key):
        y._origin = (self, key)
    return y


def _assign(self: Tensor) -> Any:
    """`v[1:].assign(value)`: only what came from a variable by an index can be assigned to."""
    try:
        variable, key = self._origin  # type: ignore[attr-defined]
    except unsignalled(AttributeError):
        raise AttributeError(f"{type(self).__name__!r} object has no attribute 'assign'") from None

    def assign(value: Any, name: str | None = None) -> Any:
        """Replace this part of the variable; the value must broadcast to it."""
        spec = spec_of(key, len(shape_of(variable._snapshot)))
        value, now = convert(value, variable.dtype), read(variable)
        if type(now) is Tensor and type(value) is Tensor:
            return variable._assign_changed(
                lambda whole: _placed_kernel(whole, value._value, spec))
        spec, bounds = opened(spec)
        return variable.assign(placed(now, value, spec=spec, bounds=bounds))

    return assign


setattr(Variable, "__getitem__", _variable_getitem)  # noqa: B010
Tensor.assign = property(_assign)  # type: ignore[attr-defined]


def _placed_kernel(x, part, spec, bounds=()):
    """A copy of x with `part` at `spec`."""
    spec = _closed(spec, bounds) if bounds else spec
    out = np.array(x)
    try:
        target = out[_native(spec)]
    except unsignalled(IndexError, ValueError):
        raise wrong_index(x.shape, spec, "ResourceStridedSliceAssign") from None
    shape, given = np.shape(target), part.shape
    while len(given) > len(shape) and given[0] == 1:
        given = given[1:]
    tail = shape[len(shape) - len(given):] if len(given) <= len(shape) else None
    if tail is None or any(n not in (1, m) for n, m in zip(given, tail, strict=True)):
        raise errors.invalid("ResourceStridedSliceAssign", (
            f"Cannot broadcast input shape {brackets(part.shape)} into final shape "
            f"{brackets(shape)}"))
    out[_native(spec)] = part.reshape(given)
    return out


def _placed_x(g, y, x, part, **at):
    return placed(g, fill_like(strided(g, **at), value=0), **at)


def _placed_part(g, y, x, part, **at):
    inner = strided(g, **at)
    extra = len(shape_of(part)) - len(shape_of(inner))
    if extra > 0:
        inner = _reshape(inner, shape=(*(1,) * extra, *shape_of(inner)))
    return sum_to(inner, shape=dims(part))


def _placed_jvp(ts, y, x, part, **at):
    tx, tp = (fill_like(p, value=0) if t is None else t
              for t, p in zip(ts, (x, part), strict=True))
    return placed(tx, tp, **at)


def _placed_batch(call, size, xs, batched, attrs):
    x, part = xs
    if not batched[0]:
        x = _broadcast_to(x, shape=(size, *shape_of(x)))
    spec = (ALL, *attrs["spec"])
    if batched[1]:
        wanted = _strided_shape(Spec(shape_of(x), None), spec).shape or ()
        own = shape_of(part)[1:]
        while len(own) > len(wanted) - 1:
            own = own[1:]
        part = _reshape(part, shape=(size, *(1,) * (len(wanted) - 1 - len(own)), *own))
    return call(x, part, **{**attrs, "spec": spec})


placed = define("placed", kernel=_placed_kernel, shape=lambda x, part, spec, bounds=(): x,
                vjp=(_placed_x, _placed_part), jvp=_placed_jvp, batch=_placed_batch, kind="move",
                args=("x", "part"), tf_name="TensorStridedSliceUpdate",
                check=[Case((4, 3), (3,), spec=(1,)), Case((4,), (), spec=((1, None, 2),)),
                       Case((3, 2), (1, 3, 1), spec=(ALL,))])


# -- slices by arguments ---------------------------------------------------------------------------
@export("slice")
def slice_(input_: Any, begin: Any, size: Any, name: str | None = None) -> Tensor:
    """The part that begins at `begin` and has `size`; a size of -1 means all that is left."""
    x = operand(input_)
    shape = shape_of(x)
    if isinstance(begin, (list, tuple)) and not len(begin):
        raise wrong_kind("Slice", "Index", np.float32)
    _same_kind(begin, size, "Slice", 2)
    starts, sizes = (int_vector(v, "Slice", "Index", "Expected begin and size arguments to be 1-D "
                                "tensors, but got shape") for v in (begin, size))
    if None not in shape and type(starts) is tuple and type(sizes) is tuple:
        return strided(x, spec=_section_spec(starts, sizes, shape))
    return known_shape(section(x, begin=starts, size=sizes), size)


def _section_spec(begin: tuple, size: tuple, shape: tuple) -> tuple:
    """From `begin` on, `size` elements of each axis (-1: all that are left), as a spec; checked."""
    _check_lengths(len(begin), len(size), len(shape))
    spec = []
    for axis, (first, count, n) in enumerate(zip(begin, size, shape)):
        if not 0 <= first <= n:
            raise errors.invalid("Slice", f"Expected begin[{axis}] in [0, {n}], but got {first}")
        if count == -1:
            count = n - first
        elif not 0 <= count <= n - first:
            raise errors.invalid("Slice", f"Expected size[{axis}] in [0, {n - first}], but got "
                                          f"{count}")
        spec.append((first, first + count, None))
    return tuple(spec)


def _check_lengths(begin: int | None, size: int | None, rank: int) -> None:
    if begin not in (rank, None) or size not in (rank, None):
        raise errors.invalid("Slice", (
            f"Expected begin and size arguments to be 1-D tensors of size {rank}, but got shapes "
            f"[{begin}] and [{size}] instead."))


def _section_shape(x: Spec, begin: Any, size: Any) -> Spec:
    if x.shape is not None:
        first, second = (len(n) if type(n) is tuple else shape_of(n)[0] for n in (begin, size))
        _check_lengths(first, second, len(x.shape))
    if x.shape is None or type(size) is not tuple:
        return Spec(x.shape and (None,) * len(x.shape), x.dtype)
    starts = begin if type(begin) is tuple else (None,) * len(size)
    return Spec(tuple([n if n != -1 else whole - first if first is not None is not whole else None
                       for n, first, whole in zip(size, starts, x.shape, strict=True)]), x.dtype)


def _section_batch(call, size, xs, batched, attrs):
    begin, sizes = (_from_first(attrs[key], first) for key, first in (("begin", 0), ("size", -1)))
    return call(xs[0], begin=begin, size=sizes)


def _from_first(numbers: Any, first: int) -> Any:
    """Bounds of a batch: those of its elements after one for the leading axis."""
    if type(numbers) is tuple:
        return (first, *numbers)
    return concat(wrap(np.array([first], numbers.dtype.np)), numbers, axis=0)


# A slice of which a trace does not know the bounds or the sizes; known ones are `strided`.
section = move("section", lambda x, begin, size: x[_native(_section_spec(begin, size, x.shape))],
               shape=_section_shape, batch=_section_batch,
               vjp=lambda g, y, x, begin, size: unsection(g, begin=begin, shape=dims(x)),
               tf_name="Slice",
               check=[Case((4, 3), begin=(1, 0), size=(2, -1)), Case((3,), begin=(3,), size=(0,))])
_SECTION = section.op  # type: ignore[attr-defined]


def _section_call(x, begin, size):
    if type(begin) is tuple and type(size) is tuple and x.ndim is not None:
        shape = shape_of(x)
        if None not in shape:
            return strided(x, spec=_section_spec(begin, size, shape))
    return apply(_SECTION, (x,), {"begin": begin, "size": size})


section = specialise(_SECTION, _section_call)


def _unsection_kernel(x, begin, shape):
    out = np.zeros(shape, x.dtype)
    out[tuple([slice(n, n + m) for n, m in zip(begin, x.shape, strict=True)])] = x
    return out


def _unsection_batch(call, size, xs, batched, attrs):
    return call(xs[0], begin=_from_first(attrs["begin"], 0), shape=(size, *attrs["shape"]))


unsection = move("unsection", _unsection_kernel, batch=_unsection_batch,
                 shape=lambda x, begin, shape: Spec(static(shape), x.dtype),
                 vjp=lambda g, y, x, begin, shape: section(g, begin=begin, size=dims(x)),
                 tf_name="SliceGrad", dtypes=NUMERIC + "b",
                 check=[Case((2, 3), begin=(1, 0), shape=(4, 3))])


def _numbers(value: Any, op: str) -> list:
    """A vector of bounds, number by number; those of a trace stay scalar tensors."""
    if isinstance(value, (list, tuple)) and any(isinstance(n, Tensor) for n in value):
        return [_valid(n) for n in value]
    vector = int_vector(value, op, "Index", "Expected bounds to be 1-D tensors, but got shape")
    if type(vector) is tuple:
        return list(vector)
    return [vector[i] for i in range(shape_of(vector)[0])]


def _same_kind(first: Any, second: Any, op: str, position: int) -> None:
    """Two tensors of bounds must have one integer dtype."""
    if isinstance(first, Tensor) and isinstance(second, Tensor) and first.dtype != second.dtype:
        raise errors.invalid(op, f"cannot compute {op} as input #{position}(zero-based) was "
                                 f"expected to be a {first.dtype.name} tensor but is a "
                                 f"{second.dtype.name} tensor")


@export("strided_slice")
def strided_slice(input_: Any, begin: Any, end: Any, strides: Any = None, begin_mask: int = 0,
                  end_mask: int = 0, ellipsis_mask: int = 0, new_axis_mask: int = 0,
                  shrink_axis_mask: int = 0, var: Any = None, name: str | None = None) -> Tensor:
    """x[begin:end:strides], with bits of the masks to leave out a bound, insert `...` or a new
    axis, or take one position.
    """
    x = operand(input_)
    _same_kind(begin, end, "StridedSlice", 2)
    starts, ends = (_numbers(v, "StridedSlice") for v in (begin, end))
    steps = [1] * len(starts) if strides is None else _numbers(strides, "StridedSlice")
    if not len(starts) == len(ends) == len(steps):
        raise errors.invalid("StridedSlice", (
            f"Expected begin, end, and strides to be 1D equal size tensors, but got shapes "
            f"[{len(starts)}], [{len(ends)}], and [{len(steps)}] instead."))
    key: list = []
    for i, (first, last, step) in enumerate(zip(starts, ends, steps, strict=True)):
        bit = 1 << i
        if ellipsis_mask & bit:
            key.append(Ellipsis)
        elif new_axis_mask & bit:
            key.append(None)
        elif shrink_axis_mask & bit:
            if type(step) is int and step <= 0:
                raise errors.invalid("StridedSlice", "only stride 1 allowed on non-range indexing.")
            key.append(first)
        else:
            key.append(slice(None if begin_mask & bit else first,
                             None if end_mask & bit else last, step))
    y = getitem(x, tuple(key))
    if var is not None:
        y._origin = (var, tuple(key))
    return y


slice_.__name__ = slice_.__qualname__ = "slice"
