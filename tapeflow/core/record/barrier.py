"""The barrier between a forward pass and what is computed again for the walk back."""

from __future__ import annotations

from typing import Any

from tapeflow.core.record.elementwise_ops import identity
from tapeflow.core.record.lowering_forms import Pointwise
from tapeflow.core.record.op import define, shape_of
from tapeflow.core.record.primitive_ops import broadcast_to, reshape
from tapeflow.core.values.indexed_slices import IndexedSlices
from tapeflow.core.values.tensor import Tensor


def _barrier_batch(call: Any, size: int, xs: tuple, batched: tuple, attrs: dict) -> Tensor:
    x, after = xs
    y = call(x, after[0] if batched[1] else after)
    return y if batched[0] else broadcast_to(y, shape=(size, *shape_of(y)))


# The first operand, but to a graph another value, which is there no sooner than the scalar `after`:
# no pass shares what is computed of it with what was computed before, and no earlier loop has it.
_barrier = define("barrier", kernel=lambda x, after: x, shape=lambda x, after: x,
                  vjp=(lambda g, y, x, after: g, None), jvp=lambda ts, y, x, after: ts[0],
                  batch=_barrier_batch, args=("x", "after"), kind="move", internal=True,
                  lower=Pointwise(lambda b, x, after: x, complex=True))


def behind(x: Tensor, gradient: Any) -> Tensor:
    """`x` for what is computed again when `gradient` is there; sizes must be known for that."""
    held = gradient._values if isinstance(gradient, IndexedSlices) else gradient
    if any(one.ndim is None or not all(shape_of(one)) for one in (x, held)):
        return identity(x)
    return _barrier(x, reshape(held, shape=(-1,))[0])
