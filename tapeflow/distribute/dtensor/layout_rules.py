"""How layouts go through ops: simple rules, by what a record says its op is.

Values do not depend on them: they are those of the global tensors. What a rule cannot tell is
UNSHARDED. A mesh dimension divides one axis of a result at most.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from tapeflow.core.record.op import Op
from tapeflow.distribute.dtensor.device_mesh import UNSHARDED, Layout, Mesh


def result_specs(op: Op, xs: list, layouts: list[Layout | None], attrs: dict,
                 shapes: list[tuple]) -> list[list[str]]:
    """The sharding of each result; `xs` are the operands' global values."""
    mesh = next(one.mesh for one in layouts if one is not None)
    if op.kind == "elementwise":
        found = [_broadcast(xs, layouts, shape) for shape in shapes]
    elif op.kind == "contract" and op.traits.transpose_flags and len(xs) == 2:
        found = [_product(op, xs, layouts, attrs, shape) for shape in shapes]
    elif op.kind == "reduce" and len(xs) == 1 and "axis" in attrs:
        found = [_reduced(xs[0], layouts[0], attrs["axis"], shape) for shape in shapes]
    elif op.kind == "move" and not op.multi and not op.traits.shape_only:
        found = [_moved(op, xs, layouts, attrs, mesh, shapes[0])]
    else:
        found = [_alike(xs, layouts, shape) for shape in shapes]
    return [_allowed(specs, shape, mesh) for specs, shape in zip(found, shapes, strict=True)]


def _allowed(specs: list[str], shape: tuple, mesh: Mesh) -> list[str]:
    """Specs without repetitions, and without those that do not divide an axis evenly."""
    kept: list[str] = []
    for spec, size in zip(specs, shape, strict=True):
        good = spec != UNSHARDED and spec not in kept and size % mesh.dim_size(spec) == 0
        kept.append(spec if good else UNSHARDED)
    return kept


def _broadcast(xs: list, layouts: list[Layout | None], shape: tuple) -> list[str]:
    """Axes of the result are divided as those of the first operand that divides them."""
    specs = [UNSHARDED] * len(shape)
    for x, layout in zip(xs, layouts, strict=True):
        if layout is None or x.ndim > len(shape):
            continue
        for axis, spec in enumerate(layout.sharding_specs):
            at = len(shape) - x.ndim + axis
            if x.shape[axis] == shape[at] and specs[at] == UNSHARDED and spec not in specs:
                specs[at] = spec
    return specs


def _product(op: Op, xs: list, layouts: list[Layout | None], attrs: dict,
             shape: tuple) -> list[str]:
    """Rows as in `a`, columns as in `b`; what is summed over is gone; the rest broadcasts."""
    if any(x.ndim < 2 for x in xs):
        return [UNSHARDED] * len(shape)
    specs = _broadcast([x[..., :1, :1] for x in xs], layouts, (*shape[:-2], 1, 1))
    specs[-2:] = [UNSHARDED, UNSHARDED]
    flags = [bool(attrs.get(name)) for name in op.traits.transpose_flags]
    for at, layout, turned in zip((-2, -1), layouts, flags, strict=True):
        if layout is not None:
            specs[at] = layout.sharding_specs[-3 - at if turned else at]
    summed = [layout.sharding_specs[-2 if (i == 0) == turned else -1]
              for i, (layout, turned) in enumerate(zip(layouts, flags, strict=True))
              if layout is not None]
    # One mesh dimension for rows and columns, or for the sum as well: neither axis keeps it.
    return [UNSHARDED if specs.count(one) > 1 or one in summed else one for one in specs]


def _reduced(x: Any, layout: Layout | None, axis: Any, shape: tuple) -> list[str]:
    specs = [UNSHARDED] * x.ndim if layout is None else layout.sharding_specs
    axes = range(x.ndim) if axis is None else np.atleast_1d(axis)
    gone = {int(one) % x.ndim for one in axes} if x.ndim else set()
    if len(shape) == x.ndim:
        return [UNSHARDED if i in gone else one for i, one in enumerate(specs)]
    return [one for i, one in enumerate(specs) if i not in gone]


def _moved(op: Op, xs: list, layouts: list[Layout | None], attrs: dict, mesh: Mesh,
           shape: tuple) -> list[str]:
    """Where the parts of the operands go: the op moves the numbers of the parts instead."""
    specs = [UNSHARDED] * len(shape)
    for dim in mesh.dim_names:
        if not any(layout is not None and dim in layout.sharding_specs for layout in layouts):
            continue
        try:
            numbers = np.asarray(op.kernel(*[_parts(x, layout, dim, mesh.dim_size(dim))
                                             for x, layout in zip(xs, layouts, strict=True)],
                                           **attrs))
        except (TypeError, ValueError, IndexError):
            return _alike(xs, layouts, shape)
        axis = _divided_axis(numbers, mesh.dim_size(dim))
        if axis is not None:
            specs[axis] = dim
    return specs


def _parts(x: Any, layout: Layout | None, dim: str, count: int) -> Any:
    """The number of the part in which each element of an operand is."""
    if layout is None or dim not in layout.sharding_specs:
        return x if np.asarray(x).dtype.kind in "iub" else np.zeros(np.shape(x), np.int32)
    axis = layout.sharding_specs.index(dim)
    size = x.shape[axis]
    along = np.arange(size, dtype=np.int32) // max(size // count, 1)
    return np.broadcast_to(along.reshape([-1] + [1] * (x.ndim - axis - 1)), x.shape).copy()


def _divided_axis(numbers: np.ndarray, count: int) -> int | None:
    """The axis along which the parts lie whole and in order, if there is one."""
    for axis, size in enumerate(numbers.shape):
        if size == 0 or size % count:
            continue
        along = np.arange(size) // (size // count)
        if np.array_equal(numbers, np.broadcast_to(
                along.reshape([-1] + [1] * (numbers.ndim - axis - 1)), numbers.shape)):
            return axis
    return None


def _alike(xs: list, layouts: list[Layout | None], shape: tuple) -> list[str]:
    """Leading axes that have the sizes of an operand's are divided as those."""
    specs = [UNSHARDED] * len(shape)
    for x, layout in zip(xs, layouts, strict=True):
        if layout is None:
            continue
        for axis, spec in enumerate(layout.sharding_specs):
            if axis >= len(shape) or np.shape(x)[axis] != shape[axis]:
                break
            if specs[axis] == UNSHARDED and spec not in specs:
                specs[axis] = spec
    return specs
