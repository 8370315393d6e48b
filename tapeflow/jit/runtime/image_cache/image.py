"""What is kept of a compiled function: its machine code, and what running it needs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from tapeflow.graph import ir
from tapeflow.jit.codegen.emit import CompiledFunction
from tapeflow.jit.lowering.binding import FIRST_INPUT
from tapeflow.jit.lowering.plan import HostCall
from tapeflow.jit.lowering.views import View
from tapeflow.jit.runtime import thread_pool


@dataclass(frozen=True)
class Operand:
    """An operand or a result of a HostCall: a view, and where its buffer is."""

    view: View
    slot: int
    offset: int


@dataclass(frozen=True)
class BoundCall:
    """A NumPy kernel that is called between two segments of native code.

    operands  of each input, of each attribute that is a value, and of each output
    """

    node: ir.Node
    operands: dict[ir.Value, Operand]


@dataclass(frozen=True)
class Image:
    """A compiled function.

    objects       machine code
    segments      functions `main0`, `main1` … in it
    steps         what runs, in order: the index of a segment, or a call of a NumPy kernel
    arena         bytes of working memory
    slots         the length of the pointer table
    first_output  the slot of the first result
    constants     arrays in the last slots
    written       for each variable of the graph, whether it is changed
    nanoseconds   about how long a run takes on one core
    threads       that the code was made for
    reasons       by op: why its NumPy kernel is called
    """

    objects: list[bytes]
    segments: int
    steps: list[int | BoundCall]
    arena: int
    slots: int
    first_output: int
    constants: list[np.ndarray]
    written: list[bool]
    nanoseconds: float
    threads: int
    reasons: dict[str, str]

    @classmethod
    def of(cls, function: CompiledFunction, objects: list[bytes]) -> Image:
        written = [uid in function.bindings.written for uid in function.graph.variables]
        steps = [_bound(function, step) if isinstance(step, HostCall) else step
                 for step in function.steps]
        return cls(objects, function.segments, steps, function.arena, function.slots,
                   function.first_output, function.constants, written, function.nanoseconds,
                   thread_pool.count(), function.reasons)

    @property
    def one_segment(self) -> bool:
        """Whether all of it is one function of native code."""
        return self.segments == 1 and len(self.steps) == 1

    def variable_slots(self, graph: ir.Graph) -> dict[int, int]:
        """The slot of each variable, by its uid."""
        first = FIRST_INPUT + len(graph.inputs)
        return {uid: first + i for i, uid in enumerate(graph.variables)}


def _bound(function: CompiledFunction, call: HostCall) -> BoundCall:
    slot: Any = function.layout.addresses.slot
    operands = {}
    for value in (*call.node.operands(), *call.node.outputs):
        view = function.plan.view_of(value)
        operands[value] = Operand(view, *slot.get(view.buffer, (-1, 0)))
    return BoundCall(call.node, operands)
