"""A window at an index that is a tensor, moved back inside where it would reach beyond an end.

`dynamic_update_slice` writes a window, `dynamic_slice` reads it; each is the other's adjoint. They
are XLA's ops, and `alias` serves the first where TensorFlow keeps it.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from tapeflow.base import errors
from tapeflow.core.autodiff.batching import loop
from tapeflow.core.record.families import operand
from tapeflow.core.record.op import ANY, Spec, define, mismatch, shape_of
from tapeflow.core.record.primitive_ops import broadcast_to, concat, dims, fill_like, static
from tapeflow.core.record.samples import Case, ints
from tapeflow.core.record.traits import set_traits
from tapeflow.core.values.tensor import Tensor, wrap

_NAME = "XlaDynamicUpdateSlice"


def _window(shape: tuple, size: tuple, start: Any) -> tuple:
    """The window of `size` at `start`, inside an array of `shape`, as an index."""
    if len(size) != len(shape):
        raise errors.invalid(_NAME, "input and update must have the same rank, input shape is "
                                    f"{list(shape)}; update shape is {list(size)}")
    if np.shape(start) != (len(shape),):
        raise errors.invalid(_NAME, "index must be a vector with length equal to the number of "
                                    f"input dimensions, {len(shape)}; it has shape "
                                    f"{list(np.shape(start))}")
    for full, part in zip(shape, size):
        if part > full:
            raise errors.invalid(_NAME, f"Update dim size {part} greater than dynamic slice "
                                        f"dimension: {full}.")
    first = [min(max(int(at), 0), full - part) for at, full, part in zip(start, shape, size)]
    return tuple([slice(at, at + part) for at, part in zip(first, size)])


def _update_kernel(x: Any, update: Any, start: Any) -> Any:
    at = _window(x.shape, update.shape, start)
    result = np.array(x)
    result[at] = update
    return result if result.ndim else result[()]


def _read_kernel(x: Any, start: Any, size: tuple) -> Any:
    return x[_window(x.shape, tuple(size), start)]


def _batch(call, size, xs, batched, attrs):
    """One start for all elements of a batch: the window reaches over the whole batch axis."""
    if batched[-1]:
        return loop(call, size, xs, batched, attrs)
    *values, start = [x if mark or i == len(xs) - 1 else broadcast_to(x, shape=(size, *shape_of(x)))
                      for i, (x, mark) in enumerate(zip(xs, batched, strict=True))]
    if "size" in attrs:
        attrs = {"size": (size, *attrs["size"])}
    first = wrap(np.zeros(1, start.dtype.np))
    return call(*values, concat(first, start, axis=0), **attrs)


def _update_jvp(ts: tuple, y: Any, x: Any, update: Any, start: Any) -> Any:
    whole = fill_like(x, value=0) if ts[0] is None else ts[0]
    part = fill_like(update, value=0) if ts[1] is None else ts[1]
    return update_window(whole, part, start)


update_window = define(
    "dynamic_update_slice", kernel=_update_kernel, args=("x", "update", "start"), tf_name=_NAME,
    shape=lambda x, update, start: x, jvp=_update_jvp, saves="in2", batch=_batch, dtypes=ANY,
    vjp=(lambda g, y, x, update, start: update_window(g, fill_like(update, value=0), start),
         lambda g, y, x, update, start: read_window(g, start, size=dims(update)), None),
    kind="move", check=[Case((5,), (2,), ints(4, (1,))), Case((3, 4), (2, 2), ints(4, (2,)))])

read_window = define(
    "dynamic_slice", kernel=_read_kernel, args=("x", "start"), tf_name="XlaDynamicSlice",
    shape=lambda x, start, size: Spec(static(size), x.dtype), saves="in1", batch=_batch,
    vjp=(lambda g, y, x, start, size: update_window(fill_like(x, value=0), g, start), None),
    jvp=lambda ts, y, x, start, size: None if ts[0] is None else read_window(
        ts[0], start, size=size),
    dtypes=ANY, kind="move", check=[Case((5,), ints(4, (1,)), size=(2,)),
                                    Case((3, 4), ints(4, (2,)), size=(2, 2))])
set_traits(update_window, rules_take_unknown_sizes=True)


def dynamic_update_slice(input: Any, update: Any, indices: Any) -> Tensor:
    """`input` with a window at `indices` replaced by `update`."""
    x, part = operand(input), operand(update)
    if x.dtype != part.dtype:
        raise mismatch(update_window.op, x, part)
    return update_window(x, part, operand(indices))
