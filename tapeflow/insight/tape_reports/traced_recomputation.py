"""`tapeflow.checkpoint` inside a tf.function: recomputation that a graph does not undo.

A trace has no values, so one trace of the function serves: its ops are noted, then cut into
segments. When the gradient is traced, the ops of a segment are called again on what stays, behind
a barrier (`behind`): nothing is shared with the forward pass, and no loop of that computes it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tapeflow.core.record.barrier import behind
from tapeflow.core.record.op import Op
from tapeflow.core.values.tensor import Tensor
from tapeflow.insight.tape_reports.recomputation import Recording, Segment, renamed
from tapeflow.insight.tape_reports.segment_plan import Plan


class TracedRecording(Recording):
    """Notes costs, and the ops themselves: symbolic tensors take no memory."""

    __slots__ = ("noted", "sizes_known")

    def __init__(self, plan: Plan | None, sources: list):
        super().__init__(plan, sources)
        self.noted: list[tuple] = []
        self.sizes_known = True

    def note(self, op: Op, xs: tuple, ys: Any, attrs: dict) -> None:
        self.noted.append((op, xs, ys, attrs))
        for one in (*xs, *(ys if op.multi else (ys,))):
            self.sizes_known &= one.shape.is_fully_defined()
        super().note(op, xs, ys, attrs)

    def cut(self, plan: Plan, sources: list) -> TracedRecording:
        """The same ops in the segments of a plan."""
        found = TracedRecording(plan, sources)
        found._tracked.update(self._tracked)
        for one in self.noted:
            found.note(*one)
        return found

    def _given(self, segment: Segment, grads: dict[int, Any]) -> Callable[[Tensor], Tensor]:
        after = _gradient_of(segment, grads)
        held: dict[int, Tensor] = {}

        def given(x: Tensor) -> Tensor:
            uid = x._uid
            if after is None or uid not in self._tracked:
                return x
            if uid not in held:
                held[uid] = renamed(behind(x, after), uid)
            return held[uid]

        return given

    def _still_held(self, segment: Segment) -> dict[int, Tensor]:
        return segment.held  # the rule may be traced again


def _gradient_of(segment: Segment, grads: dict[int, Any]) -> Any:
    """A gradient that comes into a segment; None if nothing of it is computed again."""
    if all(uid in segment.held for _, _, outs, _ in segment.ops for uid in outs):
        return None
    return next((grads[uid] for _, _, outs, _ in reversed(segment.ops) for uid in outs
                 if grads.get(uid) is not None), None)
