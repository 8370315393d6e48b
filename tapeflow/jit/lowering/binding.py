"""The boundary of a function: which slot of the pointer table is what the caller sees.

Slot 0 is the arena, 1 the thread pool, 2 the status word; then come inputs, variables, outputs and
constants. A result is made in its slot where nobody else needs its buffer, else it is copied there
at the start or at the end. What a variable holds in the end is made in its place if nobody reads
the old value any more, and only after all indices have been checked: an error changes nothing.

`bind` is the last stage that adds kernels to a plan.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from tapeflow.graph import ir
from tapeflow.jit.choices import Choice
from tapeflow.jit.codegen.addressing import accepted, across, set_error_status
from tapeflow.jit.codegen.builder import Builder, Val
from tapeflow.jit.lowering.fusion import Fusion
from tapeflow.jit.lowering.lower import Lowered
from tapeflow.jit.lowering.plan import (
    START,
    CustomKernel,
    FusedLoop,
    Instruction,
    Kernel,
    Plan,
    parts,
)
from tapeflow.jit.lowering.views import whole

FIRST_INPUT = 3  # slots before those of inputs

OUTPUT = Choice("layout.output", ("made there", "copied first", "copied last"))
FINAL = Choice("layout.final", ("nothing", "in place", "copied", "held and copied"))
GUARD = Choice("layout.guard", ("nothing", "status", "checked before"))

Slot = tuple[int, int]  # of the pointer table, and bytes behind the address in it


@dataclass
class Bindings:
    """What the caller sees, in slots of the pointer table.

    slots         of buffers that are not in the arena
    variables     the slot of each variable, by its uid
    written       the uids of variables that the function changes
    constants     arrays that the code reads
    risky         whether an index may turn out to be out of range
    stops         kernels before which a run ends in which an index was out of range: the first that
                  changes a variable, and what follows if that one looks at indices itself
    """

    slots: dict[ir.Value, Slot] = field(default_factory=dict)
    variables: dict[int, int] = field(default_factory=dict)
    first_output: int = 0
    first_constant: int = 0
    constants: list[np.ndarray] = field(default_factory=list)
    written: frozenset[int] = frozenset()
    risky: bool = False
    stops: frozenset[Kernel] = frozenset()


def bind(lowered: Lowered) -> Bindings:
    """Give inputs, variables, outputs and constants their slots, with copies and checks."""
    return _Binder(lowered).bind()


class _Binder:
    def __init__(self, lowered: Lowered):
        self.lowered, self.graph, self.plan = lowered, lowered.graph, lowered.plan
        self.fusion = Fusion(self.plan)
        self.found = Bindings(written=frozenset(lowered.finals))
        self.slots = self.found.slots

    def bind(self) -> Bindings:
        self._bind_inputs()
        self._bind_results()
        self._guard()
        self._bind_constants()
        return self.found

    def _bind_inputs(self) -> None:
        count = FIRST_INPUT
        for value in self.graph.inputs:
            self.slots[value] = (count, 0)
            count += 1
        for uid, use in self.graph.variables.items():
            self.found.variables[uid] = count
            self.slots[use.initial] = (count, 0)
            count += 1
        self.found.first_output = count
        self.found.first_constant = count + len(self.graph.outputs)

    def _bind_results(self) -> None:
        for position, value in enumerate(self.graph.outputs):
            self._bind_output(value, (self.found.first_output + position, 0))
        risk = self._last_risk()
        for uid, value in self.lowered.finals.items():
            initial = self.graph.variables[uid].initial
            self._bind_final(value, initial, (self.found.variables[uid], 0), risk)
        for initial, value in self.lowered.state:
            self._bind_final(value, initial, self.slots[initial], risk)

    def _bind_constants(self) -> None:
        for buffer in _constants(self.plan):
            self.slots[buffer] = (self.found.first_constant + len(self.found.constants), 0)
            self.found.constants.append(np.require(buffer.const, requirements=["C", "A"]))

    # -- results -----------------------------------------------------------------------------------
    def _bind_output(self, value: ir.Value, slot: Slot) -> None:
        plan = self.plan
        view = plan.view_of(value)
        buffer = view.buffer
        free = view.whole and buffer in plan.stored and buffer not in self.slots
        first = buffer not in plan.stored
        copied = "copied first" if first else "copied last"
        if OUTPUT("made there" if free else copied, (
                copied, "made there" if free else copied)) == "made there":
            self.slots[buffer] = slot
            return
        self._copy(value, slot, first)

    def _copy(self, value: ir.Value, slot: Slot, first: bool) -> None:
        """Copy a value to a slot: at the start, if it is there already, or at the end."""
        plan = self.plan
        goal = plan.fresh(value.shape or (), value.dtype)
        copy = Instruction(plan.fresh(value.shape or (), value.dtype), (value,), lambda b, x: x,
                           target=whole(goal))
        self.fusion.add_loop(copy, before=plan.kernels[0] if first and plan.kernels else None)
        self.slots[goal] = slot

    def _bind_final(self, value: ir.Value, initial: ir.Value, slot: Slot,
                    risk: Kernel | None) -> None:
        """What a variable holds in the end is made in its place, or copied there."""
        plan = self.plan
        view = plan.view_of(value)
        buffer = view.buffer
        if buffer is initial and view.whole:
            FINAL("nothing")
            return
        free = view.whole and buffer in plan.stored and buffer not in self.slots
        copied = "copied" if buffer in plan.stored else "held and copied"
        safe = free and (risk is None or plan.home[buffer][0].position > risk.position or (
            plan.home[buffer] == [risk] and buffer in _updates(risk)))
        better = "in place" if safe and self._in_place(buffer, initial) else copied
        if FINAL(better, (copied, better)) == "in place":
            self.slots[buffer] = slot
            return
        if buffer not in plan.stored:  # another variable, perhaps, which may change before
            value = self._hold(value)
        self._copy(value, slot, first=False)

    def _hold(self, value: ir.Value) -> ir.Value:
        """A copy of a value as it is at the start."""
        plan = self.plan
        held = plan.fresh(value.shape or (), value.dtype)
        self.fusion.add_loop(Instruction(held, (value,), lambda b, x: x),
                      before=plan.kernels[0] if plan.kernels else None)
        self.fusion.store(held)
        return held

    # -- variables changed in place ----------------------------------------------------------------
    def _in_place(self, buffer: ir.Value, initial: ir.Value) -> bool:
        """Whether nobody needs what a variable held once its new value is being made."""
        plan = self.plan
        makers = plan.home[buffer]
        if len(makers) != 1 or (buffer.shape, buffer.dtype) != (initial.shape, initial.dtype):
            return False
        maker = makers[0]
        for kernel in plan.kernels[maker.position:]:
            for part in parts(kernel):
                if initial in part.reads and not (
                        part is maker and self._same_elements(part, buffer, initial)):
                    return False
        return True

    def _same_elements(self, kernel: Kernel, buffer: ir.Value, initial: ir.Value) -> bool:
        """Whether a kernel reads each element of a variable where it makes the new one."""
        if isinstance(kernel, CustomKernel):
            update = _updates(kernel).get(buffer)
            if update is not None:
                return sum(self.plan.view_of(x).buffer is initial for x in kernel.impl.inputs
                           ) == 1 and self.plan.view_of(update).buffer is initial
            roles = getattr(kernel.impl, "roles", None)
            start = roles and roles.get("start")
            if not isinstance(start, tuple):
                return False
            view = self.plan.view_of(kernel.node.inputs[start[1]])
            return view.buffer is initial and view.whole and sum(
                self.plan.view_of(x).buffer is initial for x in kernel.node.inputs) == 1
        if not isinstance(kernel, FusedLoop) or kernel.inner is not None or (
                buffer in kernel.reduced):
            return False
        if len(kernel.dims_of(buffer)) < len(kernel.dims):  # made again by each task or row
            return False
        wanted = list(kernel.axes[buffer])
        for instr in kernel.instructions:
            for position, x in enumerate(instr.inputs):
                if self.plan.view_of(x).buffer is initial and (
                        self._read_dims(kernel, instr, position) != wanted):
                    return False
        return True

    def _read_dims(self, fused: FusedLoop, instr: Instruction, position: int) -> list | None:
        """The dims along which an operand is read whole, element by element; None if it is not."""
        view = self.plan.view_of(instr.inputs[position])
        if not view.whole or not instr.elementwise:
            return None
        axes = fused.axes[instr.out]
        return [axes[a] if n > 1 else None for a, n in instr.aligned(position, view.shape)]

    # -- indices out of range ----------------------------------------------------------------------
    def _guard(self) -> None:
        """See that indices are checked before a variable is changed: an error changes nothing."""
        plan, found = self.plan, self.found
        inner = {initial for initial, _ in self.lowered.state}
        slots = {*found.variables.values(), *[self.slots[initial][0] for initial in inner]}
        initial = inner | {use.initial for use in self.graph.variables.values()}
        changed = {buffer for buffer, (slot, _) in self.slots.items() if slot in slots} - initial
        found.risky = any(_indices(kernel) or _risky(kernel) for kernel in plan.kernels)
        writer = next((kernel for kernel in plan.kernels for part in parts(kernel)
                       if not changed.isdisjoint(part.makes)), None)
        if writer is None or not found.risky:
            GUARD("nothing")
            return
        GUARD("status")
        for kernel in plan.kernels[writer.position:]:
            for index, size, outside in _indices(kernel):
                GUARD("checked before")
                self._check(index, size, outside, writer)
        behind = plan.kernels[writer.position + 1:][:1] if _risky(writer) else []
        found.stops = frozenset([writer, *behind])

    def _last_risk(self) -> Kernel | None:
        """The kernel after which all indices are known that may be out of range."""
        plan = self.plan
        found = [plan.position_of(index)
                 for kernel in plan.kernels for index, *_ in _indices(kernel)]
        found += [kernel.position for kernel in plan.kernels if _risky(kernel)]
        last = max(found, default=START)
        return None if last == START else plan.kernels[last]

    def _check(self, index: ir.Value, size: int, outside: str, before: Kernel) -> None:
        def element(b: Builder, x: Val) -> Val:
            good = accepted(b, b.cast(x, "int64"), size, outside)
            set_error_status(b.code, across(b, "all", good).text)
            return good

        checked = self.plan.fresh(index.shape or (), np.dtype(bool))
        self.fusion.add_loop(Instruction(checked, (index,), element, weight=99), before)


def _risky(kernel: Kernel) -> bool:
    """Whether a kernel sets the status word by itself, in ways that nobody checks before."""
    if isinstance(kernel, FusedLoop):
        return any(instr.risky for instr in kernel.instructions)
    return getattr(getattr(kernel, "impl", None), "risky", False)


def _updates(kernel: Kernel) -> dict[ir.Value, ir.Value]:
    """Results that a kernel makes by changing operands in place, after it has set the status word,
    if it does."""
    return getattr(getattr(kernel, "impl", None), "updates", {})


def _indices(kernel: Kernel) -> list[tuple[ir.Value, int, str]]:
    """Indices that a kernel refuses if out of range, their range, what `accepted` takes."""
    if isinstance(kernel, FusedLoop):
        return [(instr.inputs[1], (instr.inputs[0].shape or ())[instr.gather.axis], "error")
                for instr in kernel.instructions
                if instr.gather is not None and instr.gather.outside == "error"]
    roles = getattr(getattr(kernel, "impl", None), "roles", None)
    outside = (roles or {"outside": "skip"}).get("outside", "error")
    if roles is None or outside == "skip":
        return []
    assert isinstance(kernel, CustomKernel)
    return [(kernel.node.inputs[roles["indices"]], kernel.impl.rows, outside)]


def _constants(plan: Plan) -> list[ir.Value]:
    """Constants that are read from memory, once each."""
    read = [buffer for kernel in plan.kernels for part in parts(kernel) for buffer in part.reads]
    viewed = [view.buffer for view in plan.views.values()]
    return list(dict.fromkeys(one for one in (*read, *viewed) if one.const is not None))
