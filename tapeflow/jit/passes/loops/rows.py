"""Values that are rows of one array: `x[:, 0], x[:, 1], …` are those of x transposed.

A loop that was unrolled has one value each iteration where a loop reads the rows of a sequence. The
sequence need not be made of them if they are parts of something that is there: of an array that was
indexed, cut or unstacked, or of what a rolled loop has collected. Else they are stacked.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from tapeflow.core.record.op import Op
from tapeflow.core.record.primitive_ops import concat, cut, reshape, stack, transpose
from tapeflow.graph import ir
from tapeflow.jit.choices import Choice
from tapeflow.ops.array.joining import unstack_op
from tapeflow.ops.indexing.basic_indexing import ALL, strided

ROWS = Choice("rolling.rows", ("constants", "collected", "indexed", "cut", "unstacked", "stacked"))


class Part(NamedTuple):
    """Some rows: `array()` is what they are rows of, from `first` on by steps of 1 or -1.

    array None: the values are constants, or are stacked.
    """

    kind: str
    array: Callable[[], ir.Value] | None
    first: int
    step: int
    values: list[ir.Value]


class Rows:
    """Finds arrays for rows, and writes the nodes that make them.

    now(value)         what a value of the old graph is by now
    collected(value)   of which array that a rolled loop collects a value is a row, and which
    """

    def __init__(self, write: Callable[..., ir.Value], now: Callable[[ir.Value], ir.Value],
                 collected: Callable[[ir.Value], tuple[Any, Callable[[], ir.Value], int] | None]):
        self._write_node, self._now, self._collected = write, now, collected
        self._arrays: dict[Any, ir.Value] = {}

    # -- finding -----------------------------------------------------------------------------------
    def parts(self, values: list[ir.Value]) -> list[Part]:
        """Values as rows of few arrays."""
        found: list[Part] = []
        last = None
        for value in values:
            key, kind, array, at = self._place(value)
            part = found[-1] if found and key == last else None
            step = 0 if part is None else at - part.first - len(part.values[1:]) * part.step
            if part is not None and kind == "constants":
                part.values.append(value)
            elif part is not None and len(part.values) == 1 and abs(step) == 1:
                found[-1] = part._replace(step=step, values=[*part.values, value])
            elif part is not None and len(part.values) > 1 and step == part.step:
                part.values.append(value)
            else:
                found.append(Part(kind, array, at, 0, [value]))
            last = key
        return found

    def _place(self, value: ir.Value) -> tuple[Any, str, Callable[[], ir.Value] | None, int]:
        """What a value is a row of (a key, and how to make it), and which row."""
        if value.const is not None:
            return "constants", "constants", None, 0
        known = self._collected(value)
        if known is not None:
            return known[0], "collected", known[1], known[2]
        for find in (self._indexed, self._cut, self._unstacked):
            found = find(value)
            if found is not None:
                return found
        return value, "stacked", None, 0

    def _indexed(self, value: ir.Value) -> tuple | None:
        """x[:, t, 1:]: rows of x[:, :, 1:]. The last axis that is indexed counts."""
        node = value.node
        if node is None or node.op is not strided.op or node.attrs.get("bounds"):
            return None
        x, spec = node.inputs[0], tuple(node.attrs["spec"])
        place = next((i for i in reversed(range(len(spec))) if isinstance(spec[i], int)
                      and not isinstance(spec[i], bool)), None)
        if place is None or any(not isinstance(item, (int, tuple, type(None))) for item in spec):
            return None
        size = (x.shape or ())[sum(item is not None for item in spec[:place])]
        whole = (*spec[:place], ALL, *spec[place + 1:])
        axis = sum(not isinstance(item, int) for item in spec[:place])

        def array() -> ir.Value:
            plain = all(item == ALL for item in whole)
            return self._leading(x if plain else self._write(strided.op, x, spec=whole), axis)
        return ("indexed", x, whole), "indexed", self._once(
            ("indexed", x, whole), array), spec[place] % size

    def _cut(self, value: ir.Value) -> tuple | None:
        """Parts of one size that a concatenated or stacked value is cut into."""
        node, shape = value.node, value.shape or ()
        if node is not None and node.op is reshape.op:
            node = node.inputs[0].node
        if node is None or node.op is not cut.op:
            return None
        x, (axis, start, size) = node.inputs[0], [node.attrs[key] for key in (
            "axis", "start", "size")]
        own = x.shape or ()
        rest = (*own[:axis], *own[axis + 1:])
        dropped = size == 1 and shape == rest
        if start % size or own[axis] % size or not (
                dropped or shape == (*own[:axis], size, *own[axis + 1:])):
            return None

        def array() -> ir.Value:
            if dropped:
                return self._leading(x, axis)
            parted = (*own[:axis], own[axis] // size, size, *own[axis + 1:])
            return self._leading(self._write(reshape.op, x, shape=parted), axis)
        key = ("cut", x, axis, size, dropped)
        return key, "cut", self._once(key, array), start // size

    def _unstacked(self, value: ir.Value) -> tuple | None:
        node = value.node
        if node is None or node.op is not unstack_op.op:
            return None
        x, axis = node.inputs[0], node.attrs["axis"]
        axis %= len(x.shape or ())
        key = ("unstacked", x, axis)
        return key, "unstacked", self._once(key, lambda: self._leading(x, axis)), value.index

    # -- writing -----------------------------------------------------------------------------------
    def _once(self, key: Any, make: Callable[[], ir.Value]) -> Callable[[], ir.Value]:
        def array() -> ir.Value:
            if key not in self._arrays:
                self._arrays[key] = make()
            return self._arrays[key]
        return array

    def _write(self, op: Op, *inputs: ir.Value, **attrs: Any) -> ir.Value:
        return self._write_node(op, *map(self._now, inputs), **attrs)

    def _leading(self, x: ir.Value, axis: int) -> ir.Value:
        """A value with one of its axes first."""
        if axis == 0:
            return self._now(x)
        rest = [i for i in range(len(x.shape or ())) if i != axis]
        return self._write(transpose.op, x, perm=(axis, *rest))

    def array(self, parts: list[Part], reverse: bool) -> ir.Value:
        """All rows in one array, or from the last one on."""
        pieces = [self._piece(part, reverse) for part in parts]
        pieces = pieces[::-1] if reverse else pieces
        return pieces[0] if len(pieces) == 1 else self._write(concat.op, *pieces, axis=0)

    def _piece(self, part: Part, reverse: bool) -> ir.Value:
        ROWS(part.kind)
        count, direction = len(part.values), -1 if reverse else 1
        if part.array is None:
            values = part.values[::direction]
            if part.kind == "constants":
                return ir.constant(np.stack([np.asarray(x.const) for x in values]))
            return self._write(stack.op, *values, axis=0)
        array = part.array()
        least = min(part.first, part.first + (count - 1) * part.step)
        if count != (array.shape or ())[0]:
            array = self._write(strided.op, array, spec=((least, least + count, None),))
        if part.step == -direction:
            array = self._write(strided.op, array, spec=((None, None, -1),))
        return array

    def joined(self, node: ir.Node, least: int) -> ir.Value | None:
        """What a node gives that stacks or concatenates rows of arrays, if that is shorter."""
        values, axis = list(node.inputs), node.attrs.get("axis")
        if len(values) < least or node.op not in (stack.op, concat.op) or any(
                x.shape != values[0].shape for x in values) or not isinstance(axis, int):
            return None
        parts = self.parts(values)
        if 2 * len(parts) > len(values) or all(part.kind != "collected" for part in parts):
            return None
        whole = self.array(parts, False)
        shape = values[0].shape or ()
        axis %= len(node.outputs[0].shape or ())
        if axis:
            order = [*range(1, axis + 1), 0, *range(axis + 1, len(shape) + 1)]
            whole = self._write(transpose.op, whole, perm=tuple(order))
        if node.op is concat.op:
            whole = self._write(reshape.op, whole, shape=node.outputs[0].shape)
        return whole


def written(nodes: list[ir.Node]) -> Callable[..., ir.Value]:
    """A function that writes a node with one result behind others, and gives the result."""
    def write(op: Op, *inputs: ir.Value, **attrs: Any) -> ir.Value:
        node = ir.Node(op, inputs, attrs)
        spec: Any = op.shape(*[x.spec for x in inputs], **attrs)
        node.outputs = (ir.Value(spec.shape, spec.dtype, node),)
        nodes.append(node)
        return node.outputs[0]
    return write


