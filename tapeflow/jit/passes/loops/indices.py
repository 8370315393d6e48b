"""What iterations pick by an index that is known: x[t], x[:, t], x[:, -1 - t].

If an integer comes of the number of the iteration and of constants alone, its values in all
iterations are known before the loop runs. What is picked by it is then a row of a sequence, and
gradients that each iteration adds into an array of zeros are collected and placed after the loop.
"""

from __future__ import annotations

from math import prod
from typing import Any, NamedTuple

import numpy as np

from tapeflow.base.exception_origin import unsignalled
from tapeflow.core.fp_errors import ignore_fp_errors, restore_fp_errors
from tapeflow.core.record import lowering_forms as forms
from tapeflow.core.record.primitive_ops import transpose
from tapeflow.core.record.row_ops import gather_rows, scatter_rows
from tapeflow.core.values.tensor import wrap
from tapeflow.graph import ir
from tapeflow.jit.choices import Choice
from tapeflow.jit.passes.loops.rewriting import Loop
from tapeflow.ops.indexing.basic_indexing import ALL, picked_axis, strided, unstrided

MOST = 1 << 14  # iterations, and integers of all of them

PICKED = Choice("hoisting.picked", (False, True))


class Place(NamedTuple):
    """Which elements of an axis iterations pick: `elements` has one for each."""

    axis: int
    size: int
    elements: np.ndarray

    @property
    def is_all(self) -> bool:
        """Whether they pick all elements in order."""
        return np.array_equal(self.elements, np.arange(self.size))


def known_integers(loop: Loop, value: ir.Value) -> np.ndarray | None:
    """The values of an integer in all iterations, in the order of rows; None if not known."""
    if value not in loop.integers:
        loop.integers[value] = _integers(loop, value)
    return loop.integers[value]


def _integers(loop: Loop, value: ir.Value) -> np.ndarray | None:
    if value.dtype.kind not in "iu" or not loop.fits(value) or (
            prod(value.shape or ()) * loop.trips > MOST):
        return None
    if value.const is not None:
        return np.broadcast_to(value.const, (loop.trips, *value.const.shape))
    if loop.counts(value):
        return None if loop.node.attrs["reverse"] else np.arange(loop.trips, dtype=value.dtype)
    for inner, outer in loop.sequences:
        if inner is value:
            return outer.const
    node = value.node
    if node is None or node.op.stateful or len(node.outputs) > 1 or not isinstance(
            node.op.lower, (forms.Pointwise, forms.View, forms.Reshape, forms.Gather,
                            forms.Assemble)) or any(
            isinstance(attr, ir.Value) for attr in node.attrs.values()):
        return None
    parts = [known_integers(loop, x) for x in node.inputs]
    if any(part is None for part in parts):
        return None
    token = ignore_fp_errors()
    try:
        if isinstance(node.op.lower, forms.Pointwise) and not any(x.shape for x in node.inputs):
            rows = node.op.kernel(*parts, **node.attrs)  # of all iterations at once
        else:
            rows = [node.op.kernel(*row, **node.attrs) for row in zip(*parts, strict=True)]
    except unsignalled(Exception):  # the loop will say what is wrong, if it comes to that
        return None
    finally:
        restore_fp_errors(token)
    return np.asarray(rows, value.dtype).reshape(loop.trips, *(value.shape or ()))


def _place(loop: Loop, node: ir.Node, shape: tuple) -> Place | None:
    """Which elements of a value of this shape a node picks or places in each iteration."""
    axis = picked_axis(node.attrs["spec"], node.attrs.get("bounds"))
    if axis is None:
        return None
    found, size = known_integers(loop, node.attrs["bounds"]), shape[axis]
    if found is None or size is None:
        return None
    elements = np.where(found[:, 0] < 0, found[:, 0] + size, found[:, 0])
    return Place(axis, size, elements) if ((elements >= 0) & (elements < size)).all() else None


def pick_rows(loop: Loop) -> None:
    """What is picked of a fixed operand becomes the row of a sequence."""
    for node in list(loop.body.nodes):
        if node.op is not strided.op:
            continue
        whole = loop.outer(node.inputs[0])
        place = None if whole is None else _place(loop, node, whole.shape or ())
        may = whole is not None and place is not None and loop.fits(
            ir.Value(_without(whole, place.axis), whole.dtype))
        if PICKED(may, (False, may)):
            assert whole is not None and place is not None
            _pick(loop, node, whole, place)


def _without(value: Any, axis: int) -> tuple:
    return (*value.shape[:axis], *value.shape[axis + 1:])


def _pick(loop: Loop, node: ir.Node, whole: Any, place: Place) -> None:
    axis, rank = place.axis, len(whole.shape)
    rows = loop.tensor(whole)
    if axis:
        rows = transpose(rows, perm=(axis, *range(axis), *range(axis + 1, rank)))
    if not place.is_all:
        rows = gather_rows(rows, wrap(place.elements.astype(np.int32)))
    row = ir.Value(_without(whole, axis), whole.dtype)
    loop.sequences.append((row, loop.trace.value_of(rows)))
    rest = (*[ALL] * axis, *node.attrs["spec"][axis + 1:])
    if all(item == ALL for item in rest):
        loop.put(node, row)
    else:
        node.inputs, node.attrs = (row,), {"spec": rest, "bounds": ()}


def placed(loop: Loop, node: ir.Node) -> tuple[ir.Value, Place] | None:
    """What a node puts into an array of zeros, and where."""
    if node.op is not unstrided.op or not isinstance(node.attrs["shape"], tuple):
        return None
    shape, value = node.attrs["shape"], node.inputs[0]
    place = _place(loop, node, shape)
    if place is None:
        return None
    axis, spec = place.axis, node.attrs["spec"]
    others = (*shape[:axis], *shape[axis + 1:])
    rest = (*[ALL] * axis, *spec[axis + 1:])
    if not loop.fits(ir.Value(others, value.dtype)):
        return None
    if any(item != ALL for item in rest):
        within = ir.Node(unstrided.op, (value,), {"spec": rest, "shape": others, "bounds": ()},
                         node.where)
        within.outputs = (ir.Value(others, value.dtype, within),)
        loop.body.nodes.insert(loop.body.nodes.index(node), within)
        value = within.outputs[0]
        loop.uses[value] = 1
    return value, place


def put_in_place(rows: Any, place: Place) -> Any:
    """The sum of what iterations put into an array of zeros; `rows` has one for each."""
    axis, shape = place.axis, rows.shape.as_list()
    if not place.is_all:
        rows = scatter_rows(rows, wrap(place.elements.astype(np.int32)),
                            shape=(place.size, *shape[1:]))
    if not axis:
        return rows
    return transpose(rows, perm=(*range(1, axis + 1), 0, *range(axis + 1, len(shape))))
