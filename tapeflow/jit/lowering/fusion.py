"""Which instructions run in one fused loop: instructions become kernels of a plan.

An instruction goes into the fused loop of its latest operand if it fits there (`fusion_rules`).
Instructions on the graph's inputs alone are inlinable: each user computes them itself. So are late
ones (`late_values`), whatever they read.

Who calls whom:

    add               a new instruction: it is inlinable, or is fused
     └ fuse           into the first candidate that fits, else into a loop of its own
        └ compute_in           the instruction joins a loop, when its operands are there:
           └ _supply_operands   each is the loop's own, or computed here again, or read
              ├ compute_in         of an inlinable operand
              └ read                of any other
    read              a kernel reads a value from memory
     ├ materialise    if it is inlinable
     └ store          memory for it
    materialise       an inlinable instruction is computed once, before its reader
     ├ fuse, add_loop
     └ store
    add_loop          an instruction gets a loop of its own
     └ compute_in
    require_memory    a value has memory in the end
     ├ materialise
     └ store

It ends, since an instruction that `materialise` takes is inlinable no more, and operands of
inlinable instructions were there before them.
"""

from __future__ import annotations

import heapq
import math
from bisect import insort
from collections.abc import Iterator
from typing import Any

from tapeflow.graph import ir
from tapeflow.jit.choices import Choice
from tapeflow.jit.codegen.addressing import CALL_WEIGHT
from tapeflow.jit.lowering.fusion_rules import LIGHT, dims_in, fit
from tapeflow.jit.lowering.plan import (
    START,
    CustomKernel,
    FusedLoop,
    Instruction,
    Kernel,
    Plan,
    axes_in_order,
)
from tapeflow.jit.lowering.views import View

DEEP = 12  # inlinable instructions on top of each other
# A scalar that calls a function, and a loop that has tasks: each of them would compute it again.
HEAVY, LARGE = CALL_WEIGHT, 16384
# Instructions of a fused loop, and of one of scalars alone: beyond, compilers suffer.
MANY, MANY_SCALARS = 160, 640

INLINE = Choice("fusion.inline", (False, True))  # whether users compute an instruction themselves
LOOP = Choice("fusion.loop", ("fused", "epilogue", "new"))  # where an instruction is computed
PULL = Choice("fusion.pull", (False, True))  # whether one is computed (again) by this user
OPERAND = Choice("fusion.operand", ("own", "memory", "memory of its own"))


class Fusion:
    """Adds instructions to the kernels of a plan."""

    def __init__(self, plan: Plan, late: frozenset[ir.Value] | set[ir.Value] = frozenset()):
        self.plan, self.late = plan, late
        # In the plan's order: the loops that read a buffer, and under None those over no dims.
        self._loops: dict[ir.Value | None, list[FusedLoop]] = {}
        for kernel in plan.kernels:
            for key in kernel.reads:
                self._note(key, kernel)
            if isinstance(kernel, FusedLoop) and not kernel.dims:
                self._note(None, kernel)

    # -- memory ------------------------------------------------------------------------------------
    def require_memory(self, value: ir.Value) -> None:
        """Let a value have memory."""
        plan = self.plan
        buffer = plan.view_of(value).buffer
        if buffer in plan.inlinable:
            self.materialise(buffer)
        elif not plan.is_given(buffer):
            self.store(buffer)

    def read(self, kernel: Kernel, value: ir.Value) -> None:
        """A kernel reads a value from memory."""
        plan = self.plan
        buffer = plan.view_of(value).buffer
        if buffer in plan.inlinable and buffer not in plan.home:
            self.materialise(buffer, kernel)
        if not plan.is_given(buffer):
            self.store(buffer)
        if buffer not in kernel.reads:
            kernel.reads[buffer] = None
            self._note(buffer, kernel)

    def store(self, buffer: ir.Value) -> None:
        """A buffer gets memory, in the first fused loop that computes it."""
        plan = self.plan
        if buffer in plan.stored:
            return
        plan.stored[buffer] = None
        if buffer not in plan.home:
            fused = min(plan.computed[buffer], key=lambda one: one.position)
            plan.home[buffer] = [fused]
            fused.makes[buffer] = None

    def materialise(self, buffer: ir.Value, before: Kernel | None = None) -> None:
        """Compute an inlinable instruction in a loop, before a kernel that is there already.

        A scalar (the step size of an optimizer) is computed as early as it can be, so that
        epilogues of earlier kernels may use it, too.
        """
        instr = self.plan.inlinable.pop(buffer)
        if not any(before is None or one.position < before.position
                   for one in self.plan.computed.get(buffer, ())):
            if before is None:
                self.fuse(instr)
            else:
                self.add_loop(instr, before if instr.domain else self._earliest(instr, before))
        self.store(buffer)

    def _earliest(self, instr: Instruction, before: Kernel) -> Kernel:
        """The first kernel, up to `before`, before which an instruction's operands are known."""
        known = max([self.plan.position_of(x) for x in instr.inputs], default=START)
        return self.plan.kernels[min(known + 1, before.position)]

    # -- instructions ------------------------------------------------------------------------------
    def add(self, instr: Instruction) -> None:
        """A new instruction: it is inlinable if it may be, or goes into a fused loop."""
        plan = self.plan
        buffers = [plan.view_of(x).buffer for x in instr.inputs]
        late = instr.out in self.late
        if instr.elementwise and instr.target is None and all(
                late or plan.is_given(one) or one in plan.inlinable for one in buffers):
            instr.depth = 1 + max([plan.inlinable[one].depth for one in buffers
                                   if one in plan.inlinable], default=0)
            if INLINE(instr.depth <= DEEP, (False, instr.depth <= DEEP)):
                plan.inlinable[instr.out] = instr
                return
        self.fuse(instr)

    def fuse(self, instr: Instruction) -> None:
        """Compute an instruction in the best fused loop for it."""
        for fused in self._candidates(instr):
            found = fit(self.plan, fused, instr)
            if found is not None:
                how = "fused" if fused.head is None else "epilogue"
                if LOOP(how, (how, "new")) == "new":
                    break
                fused.inner = fused.inner if found.inner is None else found.inner
                self.compute_in(fused, instr, tuple(found.dims))
                return
        else:
            LOOP("new")
        self.add_loop(instr)

    def add_loop(self, instr: Instruction, before: Kernel | None = None) -> None:
        """Compute an instruction in a fused loop of its own: before a kernel, or at the end."""
        domain = instr.domain
        fused = FusedLoop(tuple([n for n in domain if n > 1]))
        if before is None:
            self.plan.append(fused)
        else:
            self.plan.insert_before(fused, before)
        if not fused.dims:
            self._note(None, fused)
        self.compute_in(fused, instr, axes_in_order(domain))

    def _note(self, key: ir.Value | None, kernel: Kernel) -> None:
        """Let a loop be found by what it reads; an epilogue is found by its kernel."""
        if isinstance(kernel, FusedLoop) and kernel.head is None:
            insort(self._loops.setdefault(key, []), kernel, key=_position)

    def _candidates(self, instr: Instruction) -> Iterator[FusedLoop]:
        """Loops that may compute an instruction, the latest first: that of its latest operand, and
        later ones over the same domain that read what it reads."""
        plan = self.plan
        latest = max([plan.position_of(x) for x in instr.inputs], default=START)
        domain = tuple([n for n in instr.domain if n > 1])
        leaves = {*self.leaves(instr)} if domain else {None}
        there = [self._loops[leaf] for leaf in leaves if leaf in self._loops]
        previous = None
        for fused in heapq.merge(*map(reversed, there), key=_position, reverse=True):
            if fused.position <= latest:
                break
            if fused is not previous and fused.dims == domain and _has_room(fused):
                yield fused
            previous = fused  # it comes once for each buffer that it reads
        if latest == START:
            return
        kernel = plan.kernels[latest]
        at_latest = kernel.epilogue if isinstance(kernel, CustomKernel) else kernel
        if isinstance(at_latest, FusedLoop) and _has_room(at_latest):
            related = any(plan.view_of(x).buffer in at_latest.axes for x in instr.inputs)
            if related or (at_latest.dims == domain and at_latest.head is None
                           and (not domain or any(one in at_latest.reads for one in leaves))):
                yield at_latest

    def leaves(self, instr: Instruction) -> dict[ir.Value, None]:
        """The buffers that an instruction and the inlinable ones below it read."""
        return {one: None for one in self.below(instr) if one not in self.plan.inlinable}

    def below(self, instr: Instruction) -> Iterator[ir.Value]:
        """The buffers of an instruction's operands, and of those of inlinable ones below it."""
        open_ = [instr]
        while open_:
            for x in open_.pop().inputs:
                buffer = self.plan.view_of(x).buffer
                yield buffer
                if buffer in self.plan.inlinable:
                    open_.append(self.plan.inlinable[buffer])

    # -- an instruction in its loop ----------------------------------------------------------------
    def compute_in(self, fused: FusedLoop, instr: Instruction, axes: tuple) -> None:
        """Compute an instruction in a fused loop, with the dims of its domain's axes."""
        plan = self.plan
        assert not plan.frozen
        self._supply_operands(fused, instr, axes)
        if instr.combine is not None:
            fused.domains[instr.out] = axes
            fused.reduced[instr.out] = frozenset(
                axes[a] for a in instr.axes if axes[a] is not None)
            kept = [None if a in instr.axes else d for a, d in enumerate(axes)]
            if len(instr.out.shape or ()) != len(axes):
                kept = [d for a, d in enumerate(axes) if a not in instr.axes]
            axes = tuple(kept)
        fused.axes[instr.out] = axes
        fused.instructions.append(instr)
        plan.computed.setdefault(instr.out, []).append(fused)
        if instr.target is not None:
            buffer = instr.target.buffer
            plan.home.setdefault(buffer, []).append(fused)
            plan.stored[buffer] = None
            fused.makes[buffer] = None

    def _supply_operands(self, fused: FusedLoop, instr: Instruction, axes: tuple) -> None:
        """See that operands are computed here, or in memory before."""
        plan = self.plan
        for position, x in enumerate(instr.inputs):
            view = plan.view_of(x)
            buffer = view.buffer
            if ir.literal_of(buffer) is not None:
                continue
            picked = instr.picks_from(position)
            if buffer in fused.axes:
                if not picked and _agrees(instr, position, dims_in(fused, view), axes):
                    OPERAND("own")
                    continue
                OPERAND("memory of its own")
                fused.forced.add((instr.out, position))
                if buffer in plan.inlinable:
                    self.materialise(buffer, fused)
            elif buffer in plan.inlinable and not picked and self._pulls(fused, view):
                own = pulled_axes(instr, position, view, axes)
                self.compute_in(fused, plan.inlinable[buffer], own)
                continue
            else:
                OPERAND("memory")
            self.read(fused, x)
            if not picked:
                fused.outside.setdefault(buffer, _operand_dims(instr, position, axes))

    def _pulls(self, fused: FusedLoop, view: View) -> bool:
        """Whether an inlinable instruction is computed (once more) in this fused loop."""
        buffer = view.buffer
        if view.axes is None or len(fused.instructions) >= 2 * MANY:
            return False
        if fused.head is not None and buffer.shape != fused.head.result.shape and (
                self._weight(buffer) > LIGHT):
            return False  # it would be computed for every element
        before = any(one.position < fused.position for one in self.plan.computed.get(buffer, ()))
        if buffer.shape:
            better = not before or self._weight(buffer) <= LIGHT
        else:
            better = self._weight(buffer) < HEAVY or math.prod(fused.dims) < LARGE
        return bool(PULL(better, (False, True)))

    def weight(self, instr: Instruction) -> int:
        """The weight of an instruction with the inlinable ones below it."""
        return instr.weight + sum(self._weight(self.plan.view_of(x).buffer) for x in instr.inputs)

    def _weight(self, buffer: ir.Value) -> int:
        instr = self.plan.inlinable.get(buffer)
        return 0 if instr is None else self.weight(instr)


def _agrees(instr: Instruction, position: int, dims: tuple | None, axes: tuple) -> bool:
    """Whether an operand computed here has the dims that an instruction wants it to have."""
    return dims is not None and all(
        dim is None or dim == axes[a] for a, dim in instr.aligned(position, dims))


def _operand_dims(instr: Instruction, position: int, axes: tuple) -> tuple:
    """The dims of an operand's axes, from those of the instruction; None where it has size 1."""
    shape: Any = instr.inputs[position].shape
    return tuple([axes[a] if n > 1 else None for a, n in instr.aligned(position, shape)])


def pulled_axes(instr: Instruction, position: int, view: View, axes: tuple) -> tuple:
    """The dims of an inlinable buffer's axes, from those of the instruction that needs it."""
    own: list[int | None] = [None] * len(view.buffer.shape or ())
    for axis, dim in zip(view.axes or (), _operand_dims(instr, position, axes), strict=True):
        if axis is not None and dim is not None:
            own[axis] = dim
    return tuple(own)


def _position(kernel: Kernel) -> int:
    return kernel.position


def _has_room(fused: FusedLoop) -> bool:
    return len(fused.instructions) < (MANY if fused.dims else MANY_SCALARS)
