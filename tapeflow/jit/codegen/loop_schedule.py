"""The loops of a region: which dims run together, what is a row, in which phases rows are done."""

from __future__ import annotations

import math
from typing import Any

from tapeflow.graph import ir
from tapeflow.jit.choices import Choice
from tapeflow.jit.codegen.addressing import Access, Points
from tapeflow.jit.codegen.builder import itemsize, name_of
from tapeflow.jit.lowering.fusion import Plan, Region, Step, literal_of, plain, strides_by_dim

INNERMOST = Choice("loops.innermost", ("last", "lengthwise"))
MERGE = Choice("loops.merge", (False, True))
LANES = Choice("loops.lanes", lambda target: [
    1 << i for i in range((2 * target.lanes(4)).bit_length())])
KEEP = Choice("loops.keep", (False, True))  # vectors that wait for a later phase
PHASES = Choice("loops.phases", (1, 2, 3))  # 3: or more


def loops_of(region: Region, accesses: list[Access], fixed: bool) -> list[list[int]]:
    """The dims in loop order, those together that one loop can run over."""
    inner = region.inner or frozenset()
    order = [d for d in range(len(region.dims)) if d not in inner] + sorted(inner)
    if not inner and len(order) > 1:
        order = _lengthwise(order, accesses, region.dims)
    if fixed:
        return [[d] for d in order]
    groups: list[list[int]] = []
    for d in order:
        may = bool(groups) and (groups[-1][-1] in inner) == (d in inner) and _mergeable(
            region, accesses, groups[-1][-1], d)
        if MERGE(may, (False, may)):
            groups[-1].append(d)
        else:
            groups.append([d])
    return groups


def _lengthwise(order: list[int], accesses: list[Access], sizes: tuple) -> list[int]:
    """The dim along which most elements lie side by side becomes the innermost."""
    side = {d: sum(math.prod([sizes[e] for e in a.steps]) for a in accesses if a.steps.get(d) == 1)
            for d in order}
    best = max(order, key=lambda d: (side[d], d))
    better = "lengthwise" if side[best] > side[order[-1]] else "last"
    if INNERMOST(better, ("last", better)) == "last":
        return order
    return [d for d in order if d != best] + [best]


def _mergeable(region: Region, accesses: list[Access], d: int, e: int) -> bool:
    for a in accesses:
        if a.steps.get(d, 0) != a.steps.get(e, 0) * region.dims[e]:
            return False
    for axes in region.axes.values():
        if (d in axes) != (e in axes):
            return False
    return all((d in done) == (e in done) for done in region.reduced.values())


class Loops:
    """The loops of a region: sizes, which of them are the row's, what waits between phases."""

    def __init__(self, region: Region, plan: Plan):
        self.region, self.plan = region, plan
        accesses, fixed = _accesses(region, plan)
        self.groups = loops_of(region, accesses, fixed)
        self.position = {d: i for i, group in enumerate(self.groups) for d in group}
        self.sizes = []
        for group in self.groups:
            size = 1
            for d in group:
                size *= region.dims[d]
            self.sizes.append(size)
        inner = region.inner or frozenset()
        rows = sum(group[-1] not in inner for group in self.groups)
        self.k = rows if inner else max(len(self.groups) - 1, 0)
        self.split = bool(self.groups) and not (inner and self.k == 0)
        self.parallel = False  # whether tasks share the outermost loop
        self.kept: dict[ir.Value, int] = {}
        self.scratch = 0
        self.phase: dict[ir.Value, int] = {}
        self.after: dict[ir.Value, int] = {}  # of reductions: the phase that may use them
        self._phases()
        PHASES(min(1 + max(self.after.values(), default=0), 3))
        if inner:
            self._keep()
            KEEP(bool(self.kept))

    def row(self, done: frozenset[int]) -> bool:
        """Whether a reduction over these dims is complete at the end of each row."""
        inner = {d for group in self.groups[self.k:] for d in group}
        return bool(inner) and done == inner and not (self.parallel and self.k == 0)

    def _roots(self, step: Step) -> list:
        """The operands of a step that the nest computes itself."""
        roots = [self.plan.look(x).root for x in step.inputs]
        return [r for i, r in enumerate(roots) if self.region.within(step, i, r)]

    def _phases(self) -> None:
        """In which phase of a row each step is done: after the reductions that it needs, but
        vectors that only later phases need not before those."""
        phase, after = self.phase, self.after
        users: dict[ir.Value, list[Step]] = {}
        for step in self.region.steps:
            roots = self._roots(step)
            for r in roots:
                users.setdefault(r, []).append(step)
            first = max([after.get(r, phase.get(r, 0)) for r in roots], default=0)
            phase[step.out] = first
            if step.combine is not None:
                after[step.out] = first + 1
        inner = self.region.inner or frozenset()
        for step in reversed(self.region.steps):
            needed = [phase[one.out] for one in users.get(step.out, ())]
            if needed and step.combine is None and inner & self.region.dims_of(step.out):
                phase[step.out] = max(phase[step.out], min(needed))

    def _keep(self) -> None:
        """Vectors that a later phase needs get a place in the scratch row."""
        inner = {d for group in self.groups[self.k:] for d in group}
        size = 1
        for loop in range(self.k, len(self.groups)):
            size *= self.sizes[loop]
        for step in self.region.steps:
            for r in self._roots(step):
                early = r not in self.after and self.phase[r] < self.phase[step.out]
                if early and r not in self.kept and inner & self.region.dims_of(r):
                    self.kept[r] = self.scratch
                    self.scratch += -(-size * itemsize(name_of(r.dtype)) // 64) * 64

    def lanes(self, target: Any) -> int:
        """Lanes of the innermost loop: a register of the usual dtype; two if there is little to
        do, or if functions are called, whose code is then busy on both at once."""
        sizes = [itemsize(name_of(x.dtype)) for s in self.region.steps for x in (s.out, *s.inputs)
                 if x.shape]
        one = target.lanes(4 if 4 in sizes else max([*sizes, 4]))
        busy = sum(s.weight for s in self.region.steps)
        calls = any(s.weight > 12 for s in self.region.steps)
        best = 2 * one if busy <= 16 or calls else one
        size = self.sizes[-1] if self.sizes else 1
        while best > 1 and best > size:
            best //= 2
        taken: int = LANES(best, [1 << i for i in range(size.bit_length())])
        return taken


def _accesses(region: Region, plan: Plan) -> tuple[list[Access], bool]:
    """All reads and writes of memory, and whether a step needs to know its place."""
    points = Points(region, plan, None, None)  # type: ignore[arg-type]
    found = []
    fixed = False
    for step in region.steps:
        fixed = fixed or step.places or step.rows is not None
        for position, x in enumerate(step.inputs):
            root = plan.look(x).root
            if literal_of(root) is None and not region.within(step, position, root) and not (
                    step.rows is not None and position == 0):
                found.append(points.access(step, x, position))
        axes = region.axes[step.out]
        if step.target is not None:
            found.append(Access(step.target.root, step.target.offset, strides_by_dim(
                step.target.shape, step.target.strides, axes)))
        elif step.out in region.makes or step.combine is not None:
            found.append(Access(step.out, 0, strides_by_dim(
                step.out.shape or (), plain(step.out), axes)))
    return found, fixed
