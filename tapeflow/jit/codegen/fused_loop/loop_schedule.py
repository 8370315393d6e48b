"""The schedule of a fused loop: which dims run together, what is a row, the phases of a row."""

from __future__ import annotations

import math
from typing import Any

from tapeflow.graph import ir
from tapeflow.jit.choices import Choice
from tapeflow.jit.codegen.addressing import Access, operand_access, result_access
from tapeflow.jit.codegen.builder import itemsize, name_of
from tapeflow.jit.lowering.plan import FusedLoop, Instruction, Plan
from tapeflow.jit.runtime.arena import aligned_size

INNERMOST = Choice("schedule.innermost", ("last", "lengthwise"))
MERGE = Choice("schedule.merge", (False, True))
LANES = Choice("schedule.lanes", lambda target: [
    1 << i for i in range((2 * target.lanes(4)).bit_length())])
KEEP = Choice("schedule.keep", (False, True))  # vectors that wait for a later phase
LEVEL = Choice("loop.level", ("outside", "between", "within"))  # where an instruction is
PHASES = Choice("schedule.phases", (1, 2, 3))  # 3: or more


def loops_of(fused: FusedLoop, accesses: list[Access], fixed: bool) -> list[list[int]]:
    """The dims in loop order, those together that one loop can run over."""
    inner = fused.inner or frozenset()
    order = [d for d in range(len(fused.dims)) if d not in inner] + sorted(inner)
    if not inner and len(order) > 1:
        order = _lengthwise(order, accesses, fused.dims)
    if fixed:
        return [[d] for d in order]
    groups: list[list[int]] = []
    for d in order:
        may = bool(groups) and (groups[-1][-1] in inner) == (d in inner) and _mergeable(
            fused, accesses, groups[-1][-1], d)
        if MERGE(may, (False, may)):
            groups[-1].append(d)
        else:
            groups.append([d])
    return groups


def _lengthwise(order: list[int], accesses: list[Access], sizes: tuple) -> list[int]:
    """The dim along which most elements lie side by side becomes the innermost."""
    side = {d: sum(math.prod([sizes[e] for e in a.strides]) for a in accesses
                   if a.strides.get(d) == 1) for d in order}
    best = max(order, key=lambda d: (side[d], d))
    better = "lengthwise" if side[best] > side[order[-1]] else "last"
    if INNERMOST(better, ("last", better)) == "last":
        return order
    return [d for d in order if d != best] + [best]


def _mergeable(fused: FusedLoop, accesses: list[Access], d: int, e: int) -> bool:
    for a in accesses:
        if a.strides.get(d, 0) != a.strides.get(e, 0) * fused.dims[e]:
            return False
    for axes in fused.axes.values():
        if (d in axes) != (e in axes):
            return False
    return all((d in done) == (e in done) for done in fused.reduced.values())


class LoopSchedule:
    """The schedule of a fused loop: sizes, which loops are the row's, what waits between phases.

    groups    the dims that each loop runs over, the outermost loop first
    position  dim -> its loop
    outer     how many loops are around a row
    phase     value -> the phase of a row in which it is computed; `after` of reductions: known in
    level     value -> how many loops it is in
    kept      value -> its offset in the scratch row, where it waits for a later phase
    """

    def __init__(self, fused: FusedLoop, plan: Plan):
        self.fused, self.plan = fused, plan
        accesses, fixed = _accesses(fused, plan)
        self.groups = loops_of(fused, accesses, fixed)
        self.position = {d: i for i, group in enumerate(self.groups) for d in group}
        self.sizes = []
        for group in self.groups:
            size = 1
            for d in group:
                size *= fused.dims[d]
            self.sizes.append(size)
        inner = fused.inner or frozenset()
        rows = sum(group[-1] not in inner for group in self.groups)
        self.outer = rows if inner else max(len(self.groups) - 1, 0)
        self.split = bool(self.groups) and not (inner and self.outer == 0)
        self.parallel = False  # whether tasks share the outermost loop
        self.kept: dict[ir.Value, int] = {}
        self.scratch = 0
        self.phase: dict[ir.Value, int] = {}
        self.after: dict[ir.Value, int] = {}
        self._phases()
        PHASES(min(1 + max(self.after.values(), default=0), 3))
        self.level = self._levels()
        if inner:
            self._keep()
            KEEP(bool(self.kept))

    @property
    def depth(self) -> int:
        """How many loops there are."""
        return len(self.groups)

    @property
    def row_depth(self) -> int:
        """How many loops a row has."""
        return len(self.groups) - self.outer

    def bounds(self, loop: int) -> tuple[Any, Any]:
        """The first index of a loop and its end; a task has its part of the outermost loop."""
        return ("%lo", "%hi") if loop == 0 and self.parallel else (0, self.sizes[loop])

    def innermost_stride(self, strides: dict[int, int]) -> int:
        """The stride along the innermost loop."""
        return strides.get(self.groups[-1][-1], 0)

    def reduces_rows(self, instr: Instruction) -> bool:
        """Whether a reduction is complete at the end of each row."""
        return self.row(self.fused.reduced[instr.out])

    def runs_along(self, instr: Instruction) -> bool:
        """Whether a reduction runs along the innermost loop."""
        return any(self.position[d] == self.depth - 1 for d in self.fused.reduced[instr.out])

    def members(self, phase: int) -> list[Instruction]:
        """The instructions of the inner loops of a phase."""
        return [s for s in self.fused.instructions if self.phase[s.out] == phase and (
            self.level[s.out] > self.outer or self.level[s.out] == self.depth)]

    def level_of(self, dims: Any) -> int:
        """The number of loops around what depends on these dims."""
        return 1 + max([self.position[d] for d in dims if d is not None], default=-1)

    def _levels(self) -> dict[ir.Value, int]:
        """The number of loops that each instruction is in."""
        level: dict[ir.Value, int] = {}
        for instr in self.fused.instructions:
            least = self.outer if self.phase[instr.out] > 0 else 0
            found = level[instr.out] = max(self.level_of(self.fused.domain_axes(instr)), least)
            LEVEL("within" if found == len(self.groups) else "between" if found else "outside")
        return level

    def row(self, done: frozenset[int]) -> bool:
        """Whether a reduction over these dims is complete at the end of each row."""
        inner = {d for group in self.groups[self.outer:] for d in group}
        return bool(inner) and done == inner and not (self.parallel and self.outer == 0)

    def _buffers(self, instr: Instruction) -> list:
        """The operands of an instruction that the fused loop computes itself."""
        buffers = [self.plan.view_of(x).buffer for x in instr.inputs]
        return [r for i, r in enumerate(buffers) if self.fused.within(instr, i, r)]

    def _phases(self) -> None:
        """In which phase of a row each instruction is done: after the reductions that it needs, but
        vectors that only later phases need not before those."""
        phase, after = self.phase, self.after
        users: dict[ir.Value, list[Instruction]] = {}
        for instr in self.fused.instructions:
            buffers = self._buffers(instr)
            for r in buffers:
                users.setdefault(r, []).append(instr)
            first = max([after.get(r, phase.get(r, 0)) for r in buffers], default=0)
            phase[instr.out] = first
            if instr.combine is not None:
                after[instr.out] = first + 1
        inner = self.fused.inner or frozenset()
        for instr in reversed(self.fused.instructions):
            needed = [phase[one.out] for one in users.get(instr.out, ())]
            if needed and instr.combine is None and inner & self.fused.dims_of(instr.out):
                phase[instr.out] = max(phase[instr.out], min(needed))

    def _keep(self) -> None:
        """Vectors that a later phase needs get an offset in the scratch row."""
        inner = {d for group in self.groups[self.outer:] for d in group}
        size = 1
        for loop in range(self.outer, len(self.groups)):
            size *= self.sizes[loop]
        for instr in self.fused.instructions:
            for r in self._buffers(instr):
                early = r not in self.after and self.phase[r] < self.phase[instr.out]
                if early and r not in self.kept and inner & self.fused.dims_of(r):
                    self.kept[r] = self.scratch
                    self.scratch += aligned_size(size * itemsize(name_of(r.dtype)))

    def lanes(self, target: Any) -> int:
        """Lanes of the innermost loop: a register of the usual dtype; two if there is little to
        do, or if functions are called, whose code is then busy on both at once."""
        sizes = [itemsize(name_of(x.dtype)) for s in self.fused.instructions
                 for x in (s.out, *s.inputs) if x.shape]
        one = target.lanes(4 if 4 in sizes else max([*sizes, 4]))
        busy = sum(s.weight for s in self.fused.instructions)
        calls = any(s.weight > 12 for s in self.fused.instructions)
        best = 2 * one if busy <= 16 or calls else one
        size = self.sizes[-1] if self.sizes else 1
        while best > 1 and best > size:
            best //= 2
        taken: int = LANES(best, [1 << i for i in range(size.bit_length())])
        return taken


def _accesses(fused: FusedLoop, plan: Plan) -> tuple[list[Access], bool]:
    """All reads and writes of memory, and whether an instruction needs to know its index."""
    found = []
    fixed = False
    for instr in fused.instructions:
        fixed = fixed or instr.indexed or instr.gather is not None
        for position, x in enumerate(instr.inputs):
            buffer = plan.view_of(x).buffer
            if ir.literal_of(buffer) is None and not fused.within(instr, position, buffer) and not (
                    instr.picks_from(position)):
                found.append(operand_access(plan, fused, instr, position))
        if instr.target is not None or instr.out in fused.makes or instr.combine is not None:
            found.append(result_access(fused, instr))
    return found, fixed
