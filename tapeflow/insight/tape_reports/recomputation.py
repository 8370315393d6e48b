"""A function's ops in segments, whose results are computed again when the walk back comes to them.

They are recorded apart from the tape, in the segments of a plan (`segment_plan.py`). What of a
segment is not kept is computed again by its ops, not by the function: Python runs once, and random
numbers are kept, so the numbers are those of the function itself.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from tapeflow.core.autodiff.record import Record
from tapeflow.core.autodiff.sources import is_differentiable
from tapeflow.core.autodiff.walk import walk_back
from tapeflow.core.record.lowering_forms import Reshape, View
from tapeflow.core.record.op import NAMED, Op
from tapeflow.core.values.tensor import Tensor, uid_of, wrap
from tapeflow.graph.executor.buffer_plan import nbytes
from tapeflow.graph.tracing.symbolic import Symbolic
from tapeflow.insight.tape_reports.segment_plan import Cost, Plan
from tapeflow.insight.tape_reports.tape_steps import buffer_of


class Segment:
    """Ops in their order: (op, operands, uids of results, attributes), and the results that stay.

    An operand is the Tensor itself, or the uid of one that the segment makes.
    """

    __slots__ = ("held", "ops")

    def __init__(self) -> None:
        self.ops: list[tuple[Op, list, tuple[int, ...], dict]] = []
        self.held: dict[int, Tensor] = {}


class Recording(Record):
    """Hears what a function does, and fills segments; without a plan one, and notes costs."""

    __slots__ = ("_count", "_known", "_made", "_saved", "costs", "plan", "segments")

    def __init__(self, plan: Plan | None, sources: list):
        super().__init__(True)
        self.plan = plan
        self.costs: list[Cost] = []
        self.segments = [Segment()]
        self._made: dict[int, int] = {}  # uid -> position of the op
        self._known: set[int] = set()  # uids of variables, and of constants that were counted
        self._saved: dict[int, int] = {}  # bytes that a tape alone would keep, by uid
        self._count = 0  # how many ops there were
        for one in sources:
            self._known.add(uid_of(one))
            if is_differentiable(one):
                self._tracked[one._uid] = None

    def read(self, variable: Any) -> Tensor:
        self._known.add(variable._uid)
        return super().read(variable)

    def note1(self, op: Op, x: Tensor, y: Tensor) -> None:
        self.note(op, (x,), y, {})

    def note2(self, op: Op, a: Tensor, b: Tensor, y: Tensor) -> None:
        self.note(op, (a, b), y, {})

    def note(self, op: Op, xs: tuple, ys: Any, attrs: dict) -> None:
        results = ys if op.multi else (ys,)
        if op.reason is not None or not any(x._uid in self._tracked for x in xs) or not (
                op.multi or is_differentiable(ys)):
            return
        outs = tuple([uid_of(y) for y in results])
        position = self._count
        self._count += 1
        self._tracked.update(dict.fromkeys(outs))
        fixed = op.stateful or op.kind == "random" or NAMED.get(op.name) is not op
        if self.plan is None:
            self._save(op, xs, results)
            reads = tuple({self._made[x._uid] for x in xs if x._uid in self._made})
            self.costs.append(Cost(_new_bytes(xs, results), fixed, reads, self._constants(xs)))
        self._keep(position, op, xs, outs, results, attrs, fixed)
        self._made.update(dict.fromkeys(outs, position))

    def _save(self, op: Op, xs: tuple, results: tuple) -> None:
        """Count what the entry of a tape would keep."""
        saves = [op.saves] * len(xs) if isinstance(op.saves, bool) else op.saves
        held = [x for x, saved in zip(xs, saves, strict=False) if saved]
        for one in [*held, *(results if op.saves_out else ())]:
            memory = memory_of(one)
            if memory is not None and uid_of(one) not in self._known:
                self._saved[one._uid] = memory.nbytes

    @property
    def saved(self) -> int:
        """Bytes that a tape would keep of the function, without any of this."""
        return sum(self._saved.values())

    def _constants(self, xs: tuple) -> int:
        """Bytes of operands that are met for the first time, and that nothing recorded makes."""
        found = 0
        for x in xs:
            if uid_of(x) not in self._tracked and x._uid not in self._known:
                self._known.add(x._uid)
                memory = memory_of(x)
                found += 0 if memory is None else memory.nbytes
        return found

    def kept_tensors(self) -> list[Tensor]:
        """What the segments keep alive."""
        return [one for segment in self.segments
                for one in [*segment.held.values(), *[
                    x for _, operands, _, _ in segment.ops for x in operands
                    if isinstance(x, Tensor) and x._uid not in self._known]]]

    def _keep(self, position: int, op: Op, xs: tuple, outs: tuple, results: tuple, attrs: dict,
              fixed: bool) -> None:
        starts = () if self.plan is None else self.plan.starts
        if len(self.segments) < len(starts) and starts[len(self.segments)] == position:
            self.segments.append(Segment())
            self._made.clear()
        here = self.segments[-1]
        operands = [x._uid if x._uid in self._made else x for x in xs]
        here.ops.append((op, operands, outs, attrs))
        if fixed or self.plan is not None and not self.plan.recomputed[len(self.segments) - 1]:
            here.held.update(zip(outs, results, strict=True))

    def again(self, plan: Plan, sources: list) -> Recording:
        """The ops of a run that only measured once more, in the segments of its plan.

        Ops, not Python: variables are read and written once, at the time of the forward pass.
        """
        ran = Recording(plan, sources)
        ran._tracked, ran._known = dict(self._tracked), set(self._known)
        (segment,) = self.segments
        last = {one: position for position, (_, operands, _, _) in enumerate(segment.ops)
                for one in operands if isinstance(one, int)}
        values = dict(segment.held)
        for position, (op, operands, outs, attrs) in enumerate(segment.ops):
            xs = tuple([values[one] if isinstance(one, int) else one for one in operands])
            ys = _results(op, xs, outs, attrs, values)
            ran.note(op, xs, ys if op.multi else ys[0], attrs)
            for one in [*operands, *outs]:
                if isinstance(one, int) and last.get(one, -1) <= position:
                    values.pop(one, None)
        return ran

    def gradients(self, grads: dict[int, Any]) -> None:
        """Walk back over all segments, the last one first, from the gradients in `grads`."""
        keep = {uid for uid, made in self._tracked.items() if made is None}
        for segment in reversed(self.segments):
            record = Record(False)
            record._tracked = dict(self._tracked)
            values = dict(segment.held)
            given = self._given(segment, grads)
            for op, operands, outs, attrs in segment.ops:
                xs = tuple([values[one] if isinstance(one, int) else given(one)
                            for one in operands])
                ys = _results(op, xs, outs, attrs, values)
                record.note(op, xs, ys if op.multi else ys[0], attrs)
            segment.held = self._still_held(segment)
            values.clear()
            walk_back(record, grads, keep, False, True)

    def _given(self, segment: Segment, grads: dict[int, Any]) -> Callable[[Tensor], Tensor]:
        """What an operand from before the segment is, when the walk comes to the segment."""
        return lambda x: x

    def _still_held(self, segment: Segment) -> dict[int, Tensor]:
        """What of a segment's results stays when the walk has left it."""
        return {}


def _results(op: Op, xs: tuple, outs: tuple[int, ...], attrs: dict,
             values: dict[int, Tensor]) -> tuple:
    """The results of an op: those that were kept, or computed again under their uids."""
    if outs and outs[0] not in values:
        ys = op.call(*xs, **attrs)
        for uid, y in zip(outs, ys if op.multi else (ys,), strict=True):
            values[uid] = renamed(y, uid)
    return tuple([values[uid] for uid in outs])


def renamed(y: Tensor, uid: int) -> Tensor:
    """The tensor under another uid; one that has a uid stays as it is, beside it."""
    if y._uid:
        y = y._interpreter.symbolic(y._ir) if isinstance(y, Symbolic) else wrap(y._value)
    y._uid = uid
    return y


class Memory(NamedTuple):
    """What holds the elements of a tensor: views of one array have one owner."""

    owner: int
    nbytes: int


def memory_of(x: Tensor) -> Memory | None:
    """The memory of a tensor; None for what costs nothing to speak of."""
    if isinstance(x, Symbolic):
        value = x._ir
        while value.node is not None and isinstance(value.node.op.lower, (Reshape, View)):
            value = value.node.inputs[0]
        size = nbytes(value)
        return None if not value.shape or not size else Memory(id(value), size)
    buffer = buffer_of(x._value)
    return None if buffer is None else Memory(id(buffer), buffer.nbytes)


def _new_bytes(xs: tuple, results: tuple) -> int:
    """Bytes of results that are no views of operands."""
    there = {memory.owner for memory in map(memory_of, xs) if memory is not None}
    found = {memory.owner: memory.nbytes for memory in map(memory_of, results)
             if memory is not None and memory.owner not in there}
    return sum(found.values())
