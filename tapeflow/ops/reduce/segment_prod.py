"""Products of the other elements of a segment, by scans: no division, so exact where some are 0.

May be imported by other modules of `ops`. A scan doubles its reach with each step, so that a few
gathers and products of whole arrays are enough, and every derivative is that of products.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from tapeflow.core.autodiff.tape import GradientTape
from tapeflow.core.record.elementwise_ops import identity
from tapeflow.core.record.op import shape_of
from tapeflow.core.record.primitive_ops import concat, cut, fill_like, reshape
from tapeflow.core.record.row_ops import gather_rows
from tapeflow.core.values.tensor import Tensor, wrap
from tapeflow.ops.math.comparison import equal
from tapeflow.ops.math.select import select
from tapeflow.ops.reduce.sorting import argsort


def _moved(x: Any, steps: int, filler: int) -> Any:
    """Rows moved down by some steps (up if negative), `filler` where none came."""
    n, k = shape_of(x)[0], abs(steps)
    gone = fill_like(cut(x, axis=0, start=0, size=k), value=filler)
    kept = cut(x, axis=0, start=0 if steps > 0 else k, size=n - k)
    return concat(gone, kept, axis=0) if steps > 0 else concat(kept, gone, axis=0)


def _scan(x: Any, ids: Any, direction: int) -> Any:
    """For each row the product of the rows of its segment before it (after it if -1)."""
    n, trailing = shape_of(x)[0], (1,) * (len(shape_of(x)) - 1)

    def from_afar(y: Any, k: int) -> Any:
        moved = _moved(y, direction * k, 1)
        near = reshape(equal(ids, _moved(ids, direction * k, -1)), shape=(n, *trailing))
        return select(near, moved, fill_like(moved, value=1))

    product, reach = from_afar(x, 1), 1
    while reach < n:
        product = product * from_afar(product, reach)
        reach *= 2
    return product


def others(x: Any, ids: Any) -> Any:
    """The product of the other elements of each one's segment."""
    count = int(np.prod(shape_of(ids)))
    shape = shape_of(x)
    rows = reshape(x, shape=(count, *shape[len(shape_of(ids)):]))
    flat = reshape(ids, shape=(count,))
    order = argsort(flat, stable=True)
    rows, flat = gather_rows(rows, order), gather_rows(flat, order)
    found = _scan(rows, flat, 1) * _scan(rows, flat, -1)
    return reshape(gather_rows(found, argsort(order)), shape=shape)


def others_vjp(g: Any, x: Any, ids: Any) -> Any:
    """The derivative of `others`, by a tape over the scans; bare if the operands are."""
    bare = not isinstance(g, Tensor)
    if bare:
        g, x, ids = wrap(g), wrap(x), wrap(ids)
    if 0 in shape_of(x):
        return fill_like(x, value=0)._value if bare else fill_like(x, value=0)
    x = identity(x)
    with GradientTape() as tape:
        tape.watch(x)
        found = others(x, ids)
    result = tape.gradient(found, x, output_gradients=g)
    return result._value if bare else result
