"""The family of ops that are linear in one operand, `move`: their tangent is the op itself.

Also what reductions over `axis` share: `reduced`, their shape rule, and `batch_reduction`. May be
imported by `primitive_ops` and all above.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from tapeflow.base.exception_origin import unsignalled
from tapeflow.core.record.op import (
    ANY,
    BARE,
    MODERATE,
    Op,
    OpCall,
    Spec,
    apply,
    define,
    shape_of,
    specialise,
    wrong_dtype,
)
from tapeflow.core.state import state
from tapeflow.core.values.tensor import Tensor

_new = object.__new__


def move(name: str, kernel: Callable, *, shape: Callable, vjp: Any, batch: Callable,
         args: tuple[str, ...] = ("x",), dtypes: str = ANY, check: Any = None,
         slices: bool = False, tf_name: str | None = None, kind: str = "move",
         lower: Any = None, cost: int = MODERATE) -> OpCall:
    """Define an op that is linear in its first operand: its jvp is the op on the tangent.

    `vjp(g, y, x, **attrs)` for the first operand; others (indices, …) have no gradient.
    """
    rules = (vjp, *(None,) * (len(args) - 1))

    def jvp(ts, y, x, *others, **attrs):
        return None if ts[0] is None else call(ts[0], *others, **attrs)

    call = define(name, kernel=kernel, shape=shape, vjp=rules, jvp=jvp, batch=batch, args=args,
                  saves=" ".join(f"in{i}" for i in range(1, len(args))), dtypes=dtypes,
                  check=check, slices=slices, kind=kind, tf_name=tf_name, lower=lower, cost=cost)
    if len(args) == 1:
        call = specialise(call.op, _move_call(call.op))
    return call


def _move_call(op: Op) -> Callable:
    """The quick call of an op of one operand and attributes."""
    kernel, allowed, recover = op.kernel, op.allowed, op.recover

    def call(x, **attrs):
        if type(x) is Tensor and (state.trace is None or not any(
                isinstance(attr, Tensor) for attr in attrs.values())):
            value = x._value
            if value.dtype.kind not in allowed:
                raise wrong_dtype(op, value)
            try:
                result = (op.large or kernel)(value, **attrs)
            except unsignalled(Exception) as error:
                result = recover(error, (value,), attrs)
            y = _new(Tensor)
            y._value = result
            y._uid = 0
            if state.recorder is not None:
                state.recorder.note(op, (x,), y, attrs)
            return y
        if type(x) in BARE and state.trace is None:
            return (op.large or kernel)(x, **attrs)
        return apply(op, (x,), attrs)

    return call


def reduced(dtype: Any = None) -> Callable:
    """Axes given by `axis` (a tuple, None for all) are gone, or 1 with `keepdims`."""

    def rule(spec: Spec, axis: tuple | None = None, keepdims: bool = False, **attrs: Any) -> Spec:
        kind = spec.dtype if dtype is None else np.dtype(dtype)
        if spec.shape is None:
            return Spec(() if axis is None and not keepdims else None, kind)
        axes = range(len(spec.shape)) if axis is None else axis
        if keepdims:
            return Spec(tuple([1 if i in axes else n for i, n in enumerate(spec.shape)]), kind)
        return Spec(tuple([n for i, n in enumerate(spec.shape) if i not in axes]), kind)

    return rule


def batch_reduction(call: Callable, size: int, xs: tuple, batched: tuple, attrs: dict) -> Any:
    rank = len(shape_of(xs[0])) - 1
    axis = attrs.get("axis")
    shifted = tuple(range(1, rank + 1)) if axis is None else tuple(a + 1 for a in axis)
    return call(*xs, **{**attrs, "axis": shifted})
