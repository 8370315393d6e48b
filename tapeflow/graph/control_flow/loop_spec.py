"""What a loop node is: its attributes, and which of its operands and results is what.

    operands   carry (n_carry), sequences (n_seq), invariants
    iteration  carry, collected = body(carry, element of each sequence, invariants)
    results    the last carry, and the collected values stacked along a new first axis

It runs while `condition(carry, invariants)` holds, or once for each element of the sequences.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from tapeflow.graph.executor.graph_function import GraphFunction


class LoopOperands(NamedTuple):
    """The operands of a loop by their roles."""

    carry: list
    sequences: list
    invariants: list


@dataclass(frozen=True, eq=False)
class LoopSpec:
    """The attributes of a loop node.

    limit    iterations at most; None: as long as the condition holds
    reverse  sequences are read, and collected values stacked, from the last element on
    """

    body: GraphFunction
    condition: GraphFunction | None
    n_carry: int
    n_seq: int = 0
    limit: int | None = None
    reverse: bool = False

    @property
    def n_iterated(self) -> int:
        """Operands before the invariants."""
        return self.n_carry + self.n_seq

    @property
    def collects(self) -> bool:
        """Whether iterations return something beside the carry."""
        return len(self.body.graph.outputs) > self.n_carry

    def attrs(self) -> dict[str, Any]:
        """The attributes as a node has them."""
        return dict(vars(self))

    def split(self, operands: Sequence) -> LoopOperands:
        """Operands of the node, or of the body, by their roles."""
        return LoopOperands(list(operands[:self.n_carry]),
                            list(operands[self.n_carry:self.n_iterated]),
                            list(operands[self.n_iterated:]))

    def element(self, iteration: int, trip_count: int | None) -> int:
        """The element of the sequences that an iteration reads."""
        backwards = self.reverse and trip_count is not None
        return trip_count - 1 - iteration if backwards and trip_count is not None else iteration
