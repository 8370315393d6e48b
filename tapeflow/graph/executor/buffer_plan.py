"""The memory plan: which results of a graph are written into buffers that are used again.

A result goes into a buffer if its size is known and large, its op can write into a given array, and
nobody keeps it: it is no output, is not written to a variable, and every op that reads it makes
something new of it (no view). Buffers are shared by results that are never needed at the same
time; an elementwise op writes over an operand that nobody needs any more.

What is written to a variable goes into the array that the variable held before the last write, if
nobody else holds that: so a step of training allocates nothing.

An arena holds the buffers of one run; runs at the same time have one each.
"""

from __future__ import annotations

import math
import operator
import sys
from collections.abc import Callable
from typing import Any

import numpy as np

from tapeflow.base.exception_origin import unsignalled
from tapeflow.core.values.tensor import wrap
from tapeflow.graph import ir
from tapeflow.graph.variable_ops import write

LARGE = 1 << 14  # bytes from which a buffer pays
LARGEST_SPARE = 1 << 26  # bytes up to which a second array of a variable is kept
_UFUNCS: dict[Any, Callable] = {
    operator.add: np.add, operator.sub: np.subtract, operator.mul: np.multiply,
    operator.truediv: np.true_divide, operator.neg: np.negative, operator.abs: np.absolute}


def into(node: ir.Node) -> Callable | None:
    """The kernel that writes into `out=`, if the op has one."""
    op = node.op
    if op.traits.out_kernel is not None:
        return op.traits.out_kernel
    kernel = _UFUNCS.get(op.kernel, op.kernel) if callable(op.kernel) else None
    return kernel if isinstance(kernel, np.ufunc) and not node.attrs else None


def nbytes(value: ir.Value) -> int | None:
    """Size of a value, if it is known."""
    if value.shape is None or None in value.shape or value.dtype.kind == "O":
        return None
    return math.prod(value.shape) * value.dtype.itemsize


class Plan:
    """For each result that lies in the arena its slot there; and the sizes of the buffers.

    spare  for each write to a variable whose value has a slot of its own: that slot
    """

    def __init__(self, graph: ir.Graph):
        self.slot: dict[ir.Value, int] = {}
        self.views: list[tuple[int, tuple, Any] | None] = []  # (buffer, shape, dtype) of each slot
        self.sizes: list[int] = []
        self.spare: dict[ir.Node, int] = {}
        self._last, self._kept = _lifetimes(graph)
        for node in graph.nodes:
            if node.op is write:
                self._rotate(node, graph.variables[node.attrs["variable"]].initial)
        self._share(graph)

    def _rotate(self, node: ir.Node, initial: ir.Value) -> None:
        """Make what is written, and what it is made from in place, in an array that was retired."""
        value = node.inputs[0]
        size = nbytes(value)
        if size is None or not LARGE <= size <= LARGEST_SPARE or value.shape != initial.shape or (
                value.node is None or value in self.slot or into(value.node) is None):
            return
        slot = self.spare[node] = len(self.views)
        self.views.append(None)
        link: ir.Value | None = value
        while link is not None:
            self.slot[link] = slot
            link = self._over(link)

    def _over(self, value: ir.Value) -> ir.Value | None:
        """The operand that an elementwise op may write its result `value` over."""
        node = value.node
        if node is None or node.op.kind != "elementwise":
            return None
        for x in node.inputs:
            if x.shape == value.shape and x.dtype == value.dtype and self._last[x] is node and (
                    self._fits(x)):
                return x
        return None

    def _fits(self, value: ir.Value) -> bool:
        """Whether a value may be made in the arena."""
        size = nbytes(value)
        return (size is not None and size >= LARGE and value not in self._kept
                and value.node is not None and into(value.node) is not None)

    def _share(self, graph: ir.Graph) -> None:
        """Give the other results buffers, which they share one after the other."""
        free: list[int] = []
        ending: dict[ir.Node, list[int]] = {}
        for node in graph.nodes:
            for value in node.outputs:
                if value in self.slot or not self._fits(value):
                    continue
                below = self._over(value)
                slot = None if below is None else self.slot.get(below)
                view = None if slot is None else self.views[slot]
                if slot is not None and view is not None:
                    buffer = view[0]
                    ending[node].remove(buffer)
                    self.slot[value] = slot
                else:
                    buffer = self._take(free, nbytes(value) or 0)
                    self.slot[value] = len(self.views)
                    self.views.append((buffer, value.shape or (), value.dtype))
                ending.setdefault(self._last.get(value, node), []).append(buffer)
            # Operands that end here are free for the next node, not for this one's result.
            free.extend(ending.pop(node, ()))

    def _take(self, free: list[int], size: int) -> int:
        fitting = [one for one in free if self.sizes[one] >= size]
        if fitting:
            best = min(fitting, key=lambda one: self.sizes[one])
            free.remove(best)
            return best
        if free:
            largest = max(free, key=lambda one: self.sizes[one])
            free.remove(largest)
            self.sizes[largest] = size
            return largest
        self.sizes.append(size)
        return len(self.sizes) - 1


def _lifetimes(graph: ir.Graph) -> tuple[dict[ir.Value, ir.Node], set[ir.Value]]:
    """Each value's last reader, and the values that must outlive the run."""
    last: dict[ir.Value, ir.Node] = {}
    kept = set(graph.outputs)
    for node in graph.nodes:
        for value in node.operands():
            last[value] = node
            if not _makes_new(node, value):
                kept.add(value)
    return last, kept


def _makes_new(node: ir.Node, value: ir.Value) -> bool:
    """Whether no result of a node can share memory with this operand."""
    if node.op is write or node.op.traits.is_identity:
        return False
    if node.op.kind == "reduce":
        return all(one.shape != value.shape and nbytes(one) != nbytes(value)
                   for one in node.outputs)
    return node.op.kind == "contract" or into(node) is not None


def _holders(snapshot: Any, value: Any) -> tuple[int, int]:
    return sys.getrefcount(snapshot), sys.getrefcount(value)


def _alone() -> tuple[int, int]:
    """What `_holders` says of a snapshot that only one local name holds; Pythons differ."""
    def measured(snapshot: Any) -> tuple[int, int]:
        value = snapshot._value
        return _holders(snapshot, value)

    before = wrap(np.empty(1))
    return measured(before)


# Without a global lock another thread may take hold of an array while its holders are counted.
_ALONE = _alone() if getattr(sys, "_is_gil_enabled", lambda: True)() else None


def retired(snapshot: Any, like: Any) -> np.ndarray | None:
    """The array of what a variable held, if nobody but the caller holds it and `like` would fit."""
    value = snapshot._value
    if _holders(snapshot, value) != _ALONE or value.shape != like.shape:
        return None
    fits = type(value) is np.ndarray and value.dtype == like.dtype and value.base is None
    return value if fits and value.flags.carray else None


class Arenas:
    """Buffers for runs of one program; a run takes an arena and gives it back."""

    def __init__(self, plan: Plan):
        self._plan = plan
        self._idle: list[list] = []

    def take(self) -> list:
        try:
            return self._idle.pop()
        except unsignalled(IndexError):
            pass
        buffers = [np.empty(size, np.uint8) for size in self._plan.sizes]
        return [None if view is None else np.ndarray(view[1], view[2], buffers[view[0]])
                for view in self._plan.views]

    def give(self, arena: list) -> None:
        if len(self._idle) < 2:
            self._idle.append(arena)
