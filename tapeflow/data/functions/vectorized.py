"""A user's function over many elements in one call, by the batch rules of its ops."""

from __future__ import annotations

import math
from typing import Any

from tapeflow.base.exception_origin import from_library
from tapeflow.core import state as states
from tapeflow.graph.executor.graph_function import GraphFunction

_BATCHABLE_KINDS = frozenset({"elementwise", "reduce", "move", "contract"})
TRIAL = 256  # elements that run one by one before a function is worth a graph for many
MOST_PROGRAMS = 4  # batch sizes that a function has programs for
MOST_BYTES = 1 << 25  # of all values of a function, for the elements of one call


class Vectorized:
    """Programs of one function, each for a batch size.

    `inputs`, `captured`, `outputs`: how many values of each kind the graph has; captured values
    are the same for all elements.
    """

    __slots__ = ("_bytes", "_elements", "_function", "_possible", "_widths", "programs")

    def __init__(self, function: GraphFunction, inputs: int, captured: int, outputs: int):
        self._function, self._widths = function, (inputs, captured, outputs)
        self._elements = 0
        self._possible: bool | None = None
        self._bytes = 0  # of all values for one element
        self.programs: dict[int, Any] = {}

    @property
    def possible(self) -> bool:
        """Whether many elements can run in one call: all ops know batches, and sizes are known."""
        if self._possible is None:
            graph = self._function.graph
            reads = any(node.op.traits.batch_is_one_call for node in graph.nodes)
            self._possible = not graph.variables and all(
                node.op.traits.batch_is_one_call
                or (node.op.kind in _BATCHABLE_KINDS and node.op.batch is not None)
                for node in graph.nodes
            ) and self._function._static and (reads or all(
                value.dtype.kind != "O" for value in [*graph.inputs, *graph.outputs]))
            if self._possible:
                self._bytes = sum(value.dtype.itemsize * math.prod(value.shape or ())
                                  for value in graph.values())
        return self._possible

    def program(self, count: int) -> Any:
        """The program for `count` elements, or None where one by one is better."""
        self._elements += count
        if self._elements <= TRIAL or not self.possible or count * self._bytes > MOST_BYTES:
            return None
        if count not in self.programs:
            if len(self.programs) >= MOST_PROGRAMS:
                return None
            self.programs[count] = self._build(count)
        return self.programs[count]

    def _build(self, count: int) -> Any:
        from tapeflow.graph.control_flow.control_flow_batching import vectorised
        inputs, captured, outputs = self._widths
        marks = (True,) * inputs + (False,) * captured
        try:
            with states.only(()):
                graph, _ = vectorised(self._function, count, marks, (True,) * outputs)
                return graph.program([], []) if graph._static else None
        except Exception as error:  # an op that has no rule for this after all: one by one works
            if not from_library(error):
                raise
            self._possible = False
            return None
