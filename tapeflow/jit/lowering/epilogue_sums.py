"""Sums over the rows of a kernel's result, made where the result is: in the kernel's epilogue.

The mean of a batch, the gradients of biases, scales and offsets are sums over all axes of an array
but the last. Where a product or a convolution makes that array, a loop would read it again, from
memory if it is large. The epilogue has each element at hand, and adds it to the sums of a block of
rows; a small loop adds up the blocks. Blocks follow from the kernel's sizes alone and no task cuts
one, so sums are the same however many threads there are.
"""

from __future__ import annotations

from math import prod
from typing import Any

import numpy as np

from tapeflow.graph import ir
from tapeflow.jit.choices import Choice
from tapeflow.jit.codegen.addressing import accumulator_dtype
from tapeflow.jit.lowering.fusion import MANY, Fusion
from tapeflow.jit.lowering.fusion_rules import FEW_COLUMNS, LIGHT, dims_in
from tapeflow.jit.lowering.parted_epilogues import reads_across
from tapeflow.jit.lowering.plan import (
    CustomKernel,
    FusedLoop,
    Instruction,
    Plan,
    axes_in_order,
    parts,
)

SUMS = Choice("fusion.sums", ("loop", "epilogue"))


def sum_in_epilogues(fusion: Fusion, kept: set[ir.Value], target: object) -> None:
    """Move loops that sum up the rows of kernels' results into these kernels' epilogues.

    kept  buffers that need memory, whoever reads them
    """
    for loop in list(fusion.plan.kernels):
        if isinstance(loop, FusedLoop):
            found = _Sums.of(fusion.plan, loop)
            if found is not None and found.possible(target) and SUMS(
                    "epilogue" if found.pays else "loop", ("loop", "epilogue")) == "epilogue":
                found.move(fusion, kept)


class _Sums:
    """A loop of sums over the rows of what a kernel makes."""

    def __init__(self, plan: Plan, loop: FusedLoop, kernel: CustomKernel):
        assert kernel.epilogue is not None
        self.plan, self.loop, self.kernel, self.epilogue = plan, loop, kernel, kernel.epilogue
        self.rows = 0  # of a block

    @classmethod
    def of(cls, plan: Plan, loop: FusedLoop) -> _Sums | None:
        """The loop, with the kernel that makes the last of what it reads."""
        latest = max(map(plan.position_of, loop.reads), default=-1)
        kernel = plan.kernels[latest] if latest >= 0 else None
        if not isinstance(kernel, CustomKernel) or kernel.epilogue is None:
            return None
        return cls(plan, loop, kernel)

    def possible(self, target: object) -> bool:
        """Whether the epilogue can do what the loop does."""
        loop, epilogue = self.loop, self.epilogue
        if loop.dims != epilogue.dims or len(loop.dims) < 2 or loop.inner or loop.forced or (
                (self.kernel.result.shape or (0,))[-1] < FEW_COLUMNS):
            return False
        if len(loop.instructions) + len(epilogue.instructions) > MANY:
            return False
        if any(self.plan.position_of(one) >= self.kernel.position
               for one in loop.reads if one not in epilogue.axes):
            return False
        if not all(map(self._is_done_there, loop.instructions)):
            return False
        self.rows = self.kernel.impl.rows_of_sums(self.kernel, target)
        return self.rows > 0

    def _is_done_there(self, instr: Instruction) -> bool:
        """Whether an instruction is a sum over rows, or leads to one element by element."""
        loop, last = self.loop, len(self.loop.dims) - 1
        if instr.combine is None:
            if not instr.elementwise or instr.target is not None or instr.out in loop.makes:
                return False
            if instr.out.shape != self.kernel.result.shape and instr.weight > LIGHT:
                return False  # it would be computed for every element
        elif instr.combine != "sum" or instr.out.dtype.kind not in "fV" or (
                loop.reduced[instr.out] != frozenset(range(last))) or (
                loop.domains[instr.out] != self.epilogue.axes[self.kernel.result]):
            return False
        elif instr.out not in loop.makes or self.plan.home[instr.out] != [loop]:
            return False
        axes = loop.domain_axes(instr)
        if instr.out in self.epilogue.axes and self.epilogue.axes[instr.out] != axes:
            return False
        for position, x in enumerate(instr.inputs):
            view = self.plan.view_of(x)
            if view.buffer in self.epilogue.axes:
                dims = dims_in(self.epilogue, view)
                if dims is None or any(dim is not None and dim != axes[a]
                                       for a, dim in instr.aligned(position, dims)):
                    return False
        return True

    @property
    def pays(self) -> bool:
        """Whether what the loop reads beside the result is read as quickly by the epilogue."""
        return not reads_across(self.kernel, self.epilogue.outside | {
            buffer: dims for buffer, dims in self.loop.outside.items()
            if buffer not in self.epilogue.axes})

    def move(self, fusion: Fusion, kept: set[ir.Value]) -> None:
        """Compute all in the epilogue; the sums of its blocks are added up where the loop was."""
        plan, loop, epilogue = self.plan, self.loop, self.epilogue
        self.kernel.impl.row_block = self.rows
        last: FusedLoop | None = None
        for instr in loop.instructions:
            plan.computed[instr.out].remove(loop)
            if instr.combine is None:
                if instr.out not in epilogue.axes:
                    fusion.compute_in(epilogue, instr, loop.axes[instr.out])
                continue
            plan.stored.pop(instr.out)
            plan.home.pop(instr.out)
            partial, joined = self._parts(instr)
            fusion.compute_in(epilogue, partial, loop.domains[instr.out])
            shape = partial.out.shape or ()
            epilogue.axes[partial.out] = (*[None] * (len(shape) - 1), len(loop.dims) - 1)
            fusion.store(partial.out)
            if joined is None:
                continue
            if last is None:
                fusion.add_loop(joined, loop)
                last = plan.computed[instr.out][0]
            else:
                fusion.compute_in(last, joined, axes_in_order(joined.domain))
            fusion.store(joined.out)
        plan.remove(loop)
        self._spare_stores(kept)

    def _parts(self, instr: Instruction) -> tuple[Instruction, Instruction | None]:
        """A sum as sums of blocks of rows, and what they become: their sum, or themselves."""
        out, dtype = instr.out, np.dtype(accumulator_dtype(instr))
        shape: Any = out.shape
        blocks = -(-prod(self.epilogue.dims[:-1]) // self.rows)
        if blocks == 1 and dtype == out.dtype:
            return instr, None
        if blocks > 1:
            shape = (blocks, *[1] * (len(shape) - 2), shape[-1])
        sums = self.plan.fresh(shape, dtype)
        partial = Instruction(sums, instr.inputs, combine="sum", axes=instr.axes)
        if blocks == 1:
            return partial, Instruction(out, (sums,), lambda b, x: x)
        return partial, Instruction(out, (sums,), combine="sum", axes=tuple(range(len(shape) - 1)))

    def _spare_stores(self, kept: set[ir.Value]) -> None:
        """What only the loop has read need not be stored."""
        plan, epilogue = self.plan, self.epilogue
        read = {one for kernel in plan.kernels for part in parts(kernel) for one in part.reads}
        for buffer in self.loop.reads:
            if buffer in epilogue.makes and buffer not in read and buffer not in kept:
                plan.stored.pop(buffer)
                plan.home.pop(buffer)
                epilogue.makes.pop(buffer)
