"""Values that their readers compute again from what lies in memory, instead of reading them.

The gradient of a normalisation goes twice over the same arrays: `x - mean` and `gradient * scale`
are made beside the sums of the first loop, and the second loop reads them. They were written to
memory for nothing: the second loop reads `x` and `gradient` as quickly, and a subtraction costs
less than a store. Each op is rounded by itself, so a value is the same wherever it is computed.
"""

from __future__ import annotations

from math import prod

from tapeflow.graph import ir
from tapeflow.jit.choices import Choice
from tapeflow.jit.lowering.fusion import MANY, Fusion, pulled_axes
from tapeflow.jit.lowering.plan import FusedLoop, Instruction, Kernel, parts

LARGE = 1 << 16  # bytes of a value from which a store is worth sparing
CHEAP = 6  # the weight of what costs less than going through memory
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
                    for one in spared.operands:
                        known = readers.setdefault(one, [])
                        known += [reader for reader in spared.uses if reader not in known]
                    spared.recompute()


class _Spared:
    """A value that its readers might compute.

    uses      the loops that read it, and the dims of its axes there
    operands  what computing it reads from memory
    """

    def __init__(self, fusion: Fusion, maker: FusedLoop, instr: Instruction,
                 readers: list[Kernel]):
        self.fusion, self.plan, self.maker, self.instr = fusion, fusion.plan, maker, instr
        self.operands = [one for one in fusion.leaves(instr) if ir.literal_of(one) is None]
        self.uses: dict[FusedLoop, tuple] = {}
        self.possible = bool(readers) and self._is_plain() and all(map(self._finds_dims, readers))

    def _is_plain(self) -> bool:
        """Whether it is elementwise and cheap, and all that it reads lies in memory.

        Integers may be indices, which are looked at before the first variable changes.
        """
        instr, plan = self.instr, self.plan
        return instr.elementwise and instr.target is None and not instr.indexed and (
            not instr.risky and instr.out.dtype.kind not in "iub") and (
            self.fusion.weight(instr) <= CHEAP) and all(
            one in plan.stored or plan.is_given(one) for one in self.operands)

    def _finds_dims(self, reader: Kernel) -> bool:
        """Whether a reader can compute it, along the same dims for all that it does with it."""
        if not isinstance(reader, FusedLoop) or reader.head is not None or (
                len(reader.instructions) >= MANY):
            return False
        plan, value = self.plan, self.instr.out
        if not reader.axes.keys().isdisjoint([value, *self.fusion.below(self.instr)]):
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
        return len(found) == 1

    @property
    def pays(self) -> bool:
        """Whether less goes through memory: a store is spared, perhaps a whole loop.

        A reader that would read more than before pays only if the loop goes: several arrays would
        have to be held where one was.
        """
        size = _bytes(self.instr.out)
        count = prod(self.instr.out.shape or ())
        if size < LARGE or any(prod(reader.dims) != count for reader in self.uses):
            return False
        more = [sum(_bytes(one) for one in self.operands if one not in reader.reads) - size
                for reader in self.uses]
        if max(more) <= size // 8:
            return True
        loop = sum(map(_bytes, self.operands)) if len(self.maker.makes) == 1 else 0
        return bool(loop) and sum(more) < loop + STORE * size

    def recompute(self) -> None:
        plan, maker, instr = self.plan, self.maker, self.instr
        value = instr.out
        for reader, axes in self.uses.items():
            before = reader.instructions
            reader.instructions = []
            reader.reads.pop(value)
            reader.outside.pop(value, None)
            self.fusion.compute_in(reader, instr, axes)
            reader.instructions += before
        plan.stored.pop(value)
        plan.home.pop(value)
        maker.makes.pop(value)
        self._leave_out()

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


def _bytes(value: ir.Value) -> int:
    return prod(value.shape or ()) * value.dtype.itemsize
