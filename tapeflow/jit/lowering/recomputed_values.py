"""Values that their readers compute again from what lies in memory, instead of reading them.

The gradient of a normalisation goes twice over the same arrays: `x - mean` and `gradient * scale`
are made beside the sums of the first loop, and the second loop reads them. They were written to
memory for nothing: the second loop reads `x` and `gradient` as quickly, and a subtraction costs
less than a store. Each op is rounded by itself, so a value is the same wherever it is computed.

A convolution copies images to give them a border, and reads the copy again and again. What was made
for it alone (normalised, rectified images) is computed there: that is its prologue.
"""

from __future__ import annotations

from math import prod

from tapeflow.graph import ir
from tapeflow.jit.choices import Choice
from tapeflow.jit.lowering.fusion import MANY, Fusion, pulled_axes
from tapeflow.jit.lowering.plan import (
    CustomKernel,
    FusedLoop,
    Instruction,
    Kernel,
    axes_in_order,
    parts,
)

LARGE = 1 << 16  # bytes of a value from which a store is worth sparing
CHEAP = 10  # the weight of what costs less than going through memory
STORE = 2  # reads that a store costs: its line is fetched before, and written back

RECOMPUTE = Choice("fusion.recompute", (False, True))


def recompute(fusion: Fusion, kept: set[ir.Value], changing: set[ir.Value]) -> None:
    """Let readers compute the values that are cheaper to compute than to read and store.

    kept      buffers that need memory, whoever reads them
    changing  given buffers that may be changed in place: nobody should read them later than needed
    """
    plan, readers = fusion.plan, dict[ir.Value, list[Kernel]]()
    for kernel in plan.kernels:
        for part in parts(kernel):
            for buffer in part.reads:
                readers.setdefault(buffer, []).append(part)
    # The last first: what they read may then be recomputed by the same readers.
    for maker in [one for one in reversed(plan.kernels) if isinstance(one, FusedLoop)]:
        for instr in maker.instructions[::-1]:
            value = instr.out
            if value in maker.makes and value not in kept and plan.home[value] == [maker] and (
                    changing.isdisjoint(fusion.leaves(instr))):
                spared = _Spared(fusion, maker, instr, readers.get(value, []))
                if spared.possible and RECOMPUTE(spared.pays, (False, True)):
                    users = spared.recompute()
                    for one in spared.operands:
                        known = readers.setdefault(one, [])
                        known += [user for user in users if user not in known]


class _Spared:
    """A value that its readers might compute.

    steps     the instructions from what lies in memory to the value
    operands  what these read from memory
    uses      what reads the value, and the dims of its axes there: loops, epilogues, and kernels
              that may compute an operand in a prologue
    """

    def __init__(self, fusion: Fusion, maker: FusedLoop, instr: Instruction,
                 readers: list[Kernel]):
        self.fusion, self.plan, self.maker, self.instr = fusion, fusion.plan, maker, instr
        self.steps: list[Instruction] = []
        self.operands: list[ir.Value] = []
        self.uses: dict[Kernel, tuple] = {}
        self.possible = bool(readers) and self._finds_steps() and all(
            map(self._finds_dims, readers))

    def _finds_steps(self) -> bool:
        """Whether it is made of what lies in memory by a few cheap instructions of its loop."""
        plan, fusion = self.plan, self.fusion
        made = {one.out: one for one in self.maker.instructions}
        open_, weight = [self.instr], 0
        while open_:
            instr = open_.pop()
            if instr in self.steps:
                continue
            weight += fusion.weight(instr)
            if weight > CHEAP or not _is_plain(instr):
                return False
            self.steps.insert(0, instr)
            for one in fusion.leaves(instr):
                if ir.literal_of(one) is not None:
                    continue
                if one in plan.stored or plan.is_given(one):
                    self.operands.append(one)
                elif one in made:
                    open_.append(made[one])
                else:
                    return False
        self.steps.sort(key=self.maker.instructions.index)
        self.operands = list(dict.fromkeys(self.operands))
        return True

    def _finds_dims(self, reader: Kernel) -> bool:
        """Whether a reader can compute it, along the same dims for all that it does with it."""
        plan, value = self.plan, self.instr.out
        if isinstance(reader, CustomKernel):
            self.uses[reader] = axes_in_order(value.shape or ())
            return self._is_copied(reader)
        if not isinstance(reader, FusedLoop) or (
                len(reader.instructions) + len(self.steps) > MANY):
            return False
        if any(not reader.axes.keys().isdisjoint([step.out, *self.fusion.below(step)])
               for step in self.steps):
            return False  # it would have to stand behind what is computed there
        found = set()
        for instr in reader.instructions:
            for position, x in enumerate(instr.inputs):
                view = plan.view_of(x)
                if view.buffer is value:
                    if view.axes is None or instr.picks_from(position):
                        return False
                    found.add(pulled_axes(instr, position, view, reader.domain_axes(instr)))
        self.uses[reader] = next(iter(found), ())
        return len(found) == 1 and self._axes(self.uses[reader]) is not None

    def _axes(self, axes: tuple) -> dict[ir.Value, tuple] | None:
        """The dims of what each step makes, from those of the value; None if they disagree."""
        found = {self.instr.out: axes}
        made = {step.out for step in self.steps}
        for step in self.steps[::-1]:
            for position, x in enumerate(step.inputs):
                view = self.plan.view_of(x)
                if view.buffer in made:
                    if view.axes is None:
                        return None
                    own = pulled_axes(step, position, view, found[step.out])
                    if found.setdefault(view.buffer, own) != own:
                        return None
        return found

    def _is_copied(self, reader: CustomKernel) -> bool:
        """Whether a kernel copies it, and reads it nowhere else."""
        position = getattr(reader.impl, "computable", None)
        if position is None or reader.prologue is not None:
            return False
        return [self.plan.view_of(x).buffer is self.instr.out
                for x in reader.node.inputs].count(True) == 1 and (
            self.plan.view_of(reader.node.inputs[position]).buffer is self.instr.out)

    @property
    def pays(self) -> bool:
        """Whether less goes through memory: a store is spared, perhaps a whole loop.

        A reader that would read more than before pays only if the loop goes: several arrays would
        have to be held where one was.
        """
        size = _bytes(self.instr.out)
        count = prod(self.instr.out.shape or ())
        if size < LARGE or any(prod(reader.dims) != count for reader in self.uses
                               if isinstance(reader, FusedLoop)):
            return False
        more = [sum(_bytes(one) for one in self.operands if one not in reader.reads) - size
                for reader in self.uses]
        if max(more) <= size // 8:
            return True
        loop = sum(map(_bytes, self.operands)) if len(self.maker.makes) == 1 else 0
        return bool(loop) and sum(more) < loop + STORE * size

    def recompute(self) -> list[FusedLoop]:
        """Gives what computes it now."""
        plan, maker, value = self.plan, self.maker, self.instr.out
        users = []
        for reader, axes in self.uses.items():
            reader.reads.pop(value)
            user = reader if isinstance(reader, FusedLoop) else self._prologue(reader)
            before = user.instructions
            user.instructions = []
            user.outside.pop(value, None)
            dims = self._axes(axes)
            assert dims is not None
            for step in self.steps:
                self.fusion.compute_in(user, step, dims[step.out])
            user.instructions += before
            users.append(user)
        plan.stored.pop(value)
        plan.home.pop(value)
        maker.makes.pop(value)
        self._leave_out()
        return users

    def _prologue(self, kernel: Kernel) -> FusedLoop:
        assert isinstance(kernel, CustomKernel)
        loop = FusedLoop(tuple([n for n in self.instr.out.shape or () if n > 1]))
        loop.position = kernel.position
        kernel.prologue = loop
        return loop

    def _leave_out(self) -> None:
        """The maker computes only what it still needs."""
        plan, maker = self.plan, self.maker
        needed: set[ir.Value] = set()
        for instr in maker.instructions[::-1]:
            if instr.target is None and instr.out not in maker.makes and instr.out not in needed:
                maker.instructions.remove(instr)
                maker.axes.pop(instr.out)
                plan.computed[instr.out].remove(maker)
            else:
                needed.update(plan.view_of(x).buffer for x in instr.inputs)
        for buffer in [one for one in maker.reads if one not in needed]:
            maker.reads.pop(buffer)
            maker.outside.pop(buffer, None)
        if not maker.instructions:
            plan.remove(maker)


def _is_plain(instr: Instruction) -> bool:
    """Whether an instruction is elementwise and may stand anywhere.

    Integers may be indices, which are looked at before the first variable changes.
    """
    return instr.elementwise and instr.target is None and not instr.indexed and (
        not instr.risky and instr.out.dtype.kind not in "iub")


def _bytes(value: ir.Value) -> int:
    return prod(value.shape or ()) * value.dtype.itemsize
