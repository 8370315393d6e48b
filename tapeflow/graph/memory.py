"""The memory plan: which results of a graph are written into buffers that are used again.

A result goes into a buffer if its size is known and large, its op can write into a given array, and
nobody keeps it: it is no output, is not written to a variable, and every op that reads it makes
something new of it (no view). Buffers are shared by results that are never needed at the same
time. An `Arena` holds the buffers of one run; runs at the same time have one each.
"""

from __future__ import annotations

import operator
import threading
from collections.abc import Callable
from typing import Any

import numpy as np

from tapeflow.graph import ir
from tapeflow.graph.tracing import write

LARGE = 1 << 14  # bytes from which a buffer pays
_UFUNCS: dict[Any, Callable] = {
    operator.add: np.add, operator.sub: np.subtract, operator.mul: np.multiply,
    operator.truediv: np.true_divide, operator.neg: np.negative, operator.abs: np.absolute}


def into(node: ir.Node) -> Callable | None:
    """The kernel that writes into `out=`, if the op has one."""
    op = node.op
    if op.facts.into is not None:
        return op.facts.into
    kernel = _UFUNCS.get(op.kernel, op.kernel) if callable(op.kernel) else None
    return kernel if isinstance(kernel, np.ufunc) and not node.attrs else None


def nbytes(value: ir.Value) -> int | None:
    """Size of a value, if it is known."""
    if value.shape is None or None in value.shape or value.dtype.kind == "O":
        return None
    return int(np.prod(value.shape, dtype=np.int64)) * value.dtype.itemsize


class Plan:
    """For each result that has a buffer: which; and the sizes of the buffers."""

    def __init__(self, graph: ir.Graph):
        self.slot: dict[int, int] = {}
        self.views: list[tuple[int, tuple, Any]] = []  # (buffer, shape, dtype) of each slot
        self.sizes: list[int] = []
        last, kept = _lifetimes(graph)
        free: list[int] = []
        ending: dict[int, list[int]] = {}
        for position, node in enumerate(graph.nodes):
            for value in node.outputs:
                size = nbytes(value)
                if size is None or size < LARGE or id(value) in kept or into(node) is None:
                    continue
                buffer = self._take(free, size)
                self.slot[id(value)] = len(self.views)
                self.views.append((buffer, value.shape or (), value.dtype))
                ending.setdefault(last.get(id(value), position), []).append(buffer)
            # Operands that end here are free for the next node, not for this one's result.
            free.extend(ending.pop(position, ()))

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


def _lifetimes(graph: ir.Graph) -> tuple[dict[int, int], set[int]]:
    """Position of each value's last reader, and the values that must outlive the run."""
    last: dict[int, int] = {}
    kept = {id(value) for value in graph.outputs}
    for position, node in enumerate(graph.nodes):
        for value in node.operands():
            last[id(value)] = position
            if not _makes_new(node, value):
                kept.add(id(value))
    return last, kept


def _makes_new(node: ir.Node, value: ir.Value) -> bool:
    """Whether no result of a node can share memory with this operand."""
    if node.op is write or node.op.facts.same:
        return False
    if node.op.kind == "reduce":
        return all(one.shape != value.shape and nbytes(one) != nbytes(value)
                   for one in node.outputs)
    return node.op.kind == "contract" or into(node) is not None


class Arenas:
    """Buffers for runs of one program; a run takes an arena and gives it back."""

    def __init__(self, plan: Plan):
        self._plan = plan
        self._idle: list[list] = []
        self._lock = threading.Lock()

    def take(self) -> list:
        with self._lock:
            if self._idle:
                return self._idle.pop()
        buffers = [np.empty(size, np.uint8) for size in self._plan.sizes]
        return [np.ndarray(shape, dtype, buffers[buffer])
                for buffer, shape, dtype in self._plan.views]

    def give(self, arena: list) -> None:
        with self._lock:
            if len(self._idle) < 2:
                self._idle.append(arena)
