"""Sliced assignment: `v[1:3].assign(x)` of variables, by the op `placed`."""

from __future__ import annotations

from typing import Any

import numpy as np

from tapeflow.base import errors
from tapeflow.base.exception_origin import unsignalled
from tapeflow.core.record.op import (
    Spec,
    define,
    shape_of,
)
from tapeflow.core.record.primitive_ops import broadcast_to as _broadcast_to
from tapeflow.core.record.primitive_ops import (
    dims,
    fill_like,
    sum_to,
)
from tapeflow.core.record.primitive_ops import reshape as _reshape
from tapeflow.core.record.samples import Case
from tapeflow.core.state import state
from tapeflow.core.values.convert import convert
from tapeflow.core.values.tensor import Tensor
from tapeflow.core.values.variable import Variable, read
from tapeflow.ops._support.arguments import brackets
from tapeflow.ops.indexing.basic_indexing import (
    ALL,
    getitem,
    is_mask,
    native_index,
    opened,
    spec_of,
    strided,
    strided_shape,
    with_bounds,
    wrong_index,
)


def _variable_getitem(self: Variable, key: Any) -> Tensor:
    recorder = state.recorder
    x = self._snapshot if recorder is None else recorder.read(self)
    y = getitem(x, key)
    if not is_mask(key):
        y._origin = (self, key)
    return y


def _assign(self: Tensor) -> Any:
    """`v[1:].assign(value)`: only what came from a variable by an index can be assigned to."""
    try:
        variable, key = self._origin
    except unsignalled(AttributeError):
        raise AttributeError(f"{type(self).__name__!r} object has no attribute 'assign'") from None

    def assign(value: Any, name: str | None = None) -> Any:
        """Replace this part of the variable; the value must broadcast to it."""
        spec = spec_of(key, len(shape_of(variable._snapshot)))
        value, now = convert(value, variable.dtype), read(variable)
        if type(now) is Tensor and type(value) is Tensor:
            return variable._assign_changed(
                lambda whole: _update_kernel(whole, value._value, spec), value)
        spec, bounds = opened(spec)
        return variable.assign(slice_update(now, value, spec=spec, bounds=bounds))

    return assign


setattr(Variable, "__getitem__", _variable_getitem)  # noqa: B010
Tensor.assign = property(_assign)  # type: ignore[attr-defined]


def _update_kernel(x, part, spec, bounds=()):
    """A copy of x with `part` at `spec`."""
    spec = with_bounds(spec, bounds) if bounds else spec
    out = np.array(x)
    try:
        target = out[native_index(spec)]
    except unsignalled(IndexError, ValueError):
        raise wrong_index(x.shape, spec, "ResourceStridedSliceAssign") from None
    shape, given = np.shape(target), part.shape
    while len(given) > len(shape) and given[0] == 1:
        given = given[1:]
    trailing = shape[len(shape) - len(given):] if len(given) <= len(shape) else None
    if trailing is None or any(n not in (1, m) for n, m in zip(given, trailing, strict=True)):
        raise errors.invalid("ResourceStridedSliceAssign", (
            f"Cannot broadcast input shape {brackets(part.shape)} into final shape "
            f"{brackets(shape)}"))
    out[native_index(spec)] = part.reshape(given)
    return out


def _update_x(g, y, x, part, **at):
    return slice_update(g, fill_like(strided(g, **at), value=0), **at)


def _update_part(g, y, x, part, **at):
    inner = strided(g, **at)
    extra = len(shape_of(part)) - len(shape_of(inner))
    if extra > 0:
        inner = _reshape(inner, shape=(*(1,) * extra, *shape_of(inner)))
    return sum_to(inner, shape=dims(part))


def _update_jvp(ts, y, x, part, **at):
    tx, tp = (fill_like(p, value=0) if t is None else t
              for t, p in zip(ts, (x, part), strict=True))
    return slice_update(tx, tp, **at)


def _update_batch(call, size, xs, batched, attrs):
    x, part = xs
    if not batched[0]:
        x = _broadcast_to(x, shape=(size, *shape_of(x)))
    spec = (ALL, *attrs["spec"])
    if batched[1]:
        wanted = strided_shape(Spec(shape_of(x), None), spec).shape or ()
        own = shape_of(part)[1:]
        while len(own) > len(wanted) - 1:
            own = own[1:]
        part = _reshape(part, shape=(size, *(1,) * (len(wanted) - 1 - len(own)), *own))
    return call(x, part, **{**attrs, "spec": spec})


slice_update = define("placed", kernel=_update_kernel, shape=lambda x, part, spec, bounds=(): x,
                      vjp=(_update_x, _update_part), jvp=_update_jvp, batch=_update_batch,
                      kind="move", args=("x", "part"), tf_name="TensorStridedSliceUpdate",
                      check=[Case((4, 3), (3,), spec=(1,)), Case((4,), (), spec=((1, None, 2),)),
                             Case((3, 2), (1, 3, 1), spec=(ALL,))])
