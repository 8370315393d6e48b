"""Sums over the rows of a kernel's result, made where the result is: in the kernel's epilogue.

The mean of a batch, the gradients of biases, scales and offsets are sums over all axes of an array
but the last. Where a product or a convolution makes that array, a loop would read it again, from
memory if it is large. The epilogue has each element at hand, and adds it to the sum of a block of
rows; a small loop adds up the blocks. Blocks follow from the kernel's sizes (`kernels/row_blocks`),
and no task cuts one: sums are the same however many threads there are.

This comes last, when it is known which loops there are and what they read.
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
    START,
    CustomKernel,
    FusedLoop,
    Instruction,
    Plan,
    axes_in_order,
    parts,
)
from tapeflow.jit.runtime.target import Target

SUMS = Choice("fusion.sums", ("loop", "epilogue"))


def sum_in_epilogues(fusion: Fusion, kept: set[ir.Value], target: Target) -> None:
    """Move loops that only sum up the rows of kernels' results into these kernels' epilogues.

    kept: buffers that need memory, whoever reads them
    """
    for loop in list(fusion.plan.kernels):
        if isinstance(loop, FusedLoop):
            kernel = _maker(fusion.plan, loop)
            if kernel is not None:
                sums = _LoopOfSums(fusion.plan, loop, kernel, target)
                better = "epilogue" if sums.possible and sums.pays else "loop"
                if sums.possible and SUMS(better, ("loop", "epilogue")) == "epilogue":
                    sums.move(fusion, kept)


def _maker(plan: Plan, loop: FusedLoop) -> CustomKernel | None:
    """The kernel that makes the last of what a loop reads, if it has an epilogue."""
    latest = max(map(plan.position_of, loop.reads), default=START)
    kernel = None if latest == START else plan.kernels[latest]
    return kernel if isinstance(kernel, CustomKernel) and kernel.epilogue else None


class _LoopOfSums:
    """A loop of sums over the rows of what a kernel makes.

    rows: of a block of which the epilogue makes sums
    """

    def __init__(self, plan: Plan, loop: FusedLoop, kernel: CustomKernel, target: Target):
        assert kernel.epilogue is not None
        self.plan, self.loop, self.kernel, self.epilogue = plan, loop, kernel, kernel.epilogue
        self.rows = 0
        if self._is_alike() and all(map(self._does, loop.instructions)):
            self.rows = kernel.impl.rows_of_sums(kernel, target)
        self.possible = self.rows > 0

    def _is_alike(self) -> bool:
        """Whether the loop runs over the result's elements, and what it reads is there before."""
        loop, epilogue = self.loop, self.epilogue
        return loop.dims == epilogue.dims and len(loop.dims) > 1 and (
            loop.inner is None and not loop.forced) and (
            (self.kernel.result.shape or (0,))[-1] >= FEW_COLUMNS) and (
            len(loop.instructions) + len(epilogue.instructions) <= MANY) and all(
            one in epilogue.axes or self.plan.position_of(one) < self.kernel.position
            for one in loop.reads)

    def _does(self, instr: Instruction) -> bool:
        """Whether the epilogue can do an instruction: it sums up rows, or is for such a sum."""
        axes = self.loop.domain_axes(instr)
        if instr.out in self.epilogue.axes and self.epilogue.axes[instr.out] != axes:
            return False
        own = self._sums_rows(instr) if instr.combine is not None else (
            instr.elementwise and instr.target is None and instr.out not in self.loop.makes
            # Of fewer axes it would be computed for every element.
            and (instr.weight <= LIGHT or instr.out.shape == self.kernel.result.shape))
        return own and all(self._agrees(instr, position, axes)
                           for position in range(len(instr.inputs)))

    def _sums_rows(self, instr: Instruction) -> bool:
        loop, out = self.loop, instr.out
        return instr.combine == "sum" and out.dtype.kind in "fV" and (
            loop.reduced[out] == frozenset(range(len(loop.dims) - 1))) and (
            loop.domains[out] == self.epilogue.axes[self.kernel.result]) and (
            self.plan.home.get(out) == [loop])

    def _agrees(self, instr: Instruction, position: int, axes: tuple) -> bool:
        """Whether an operand that the epilogue computes lies along the same dims there."""
        view = self.plan.view_of(instr.inputs[position])
        if view.buffer not in self.epilogue.axes:
            return True
        dims = dims_in(self.epilogue, view)
        return dims is not None and all(dim is None or dim == axes[a]
                                        for a, dim in instr.aligned(position, dims))

    @property
    def pays(self) -> bool:
        """Whether what the loop reads beside the result is read as quickly by the epilogue: panels
        do not go along memory."""
        more = {buffer: dims for buffer, dims in self.loop.outside.items()
                if buffer not in self.epilogue.axes}
        return not reads_across(self.kernel, {**self.epilogue.outside, **more})

    # -- moving ------------------------------------------------------------------------------------
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
            of_blocks, of_all = self._parts(instr)
            self._sum_blocks(fusion, of_blocks)
            if of_all is None:
                continue
            if last is None:
                fusion.add_loop(of_all, loop)
                last = plan.computed[instr.out][0]
            else:
                fusion.compute_in(last, of_all, axes_in_order(of_all.domain))
            fusion.store(instr.out)
        plan.remove(loop)
        self._spare_stores(kept)

    def _parts(self, instr: Instruction) -> tuple[Instruction, Instruction | None]:
        """A sum as sums of blocks of rows, and what is made of them; None if they are the sum."""
        out, dtype = instr.out, np.dtype(accumulator_dtype(instr))
        shape: Any = out.shape
        blocks = -(-prod(self.loop.dims[:-1]) // self.rows)
        if blocks == 1 and dtype == out.dtype:
            return instr, None
        if blocks > 1:
            shape = (blocks, *[1] * (len(shape) - 2), shape[-1])
        sums = self.plan.fresh(shape, dtype)
        of_blocks = Instruction(sums, instr.inputs, combine="sum", axes=instr.axes)
        if blocks == 1:  # rounded
            return of_blocks, Instruction(out, (sums,), lambda b, x: x)
        return of_blocks, Instruction(out, (sums,), combine="sum",
                                      axes=tuple(range(len(shape) - 1)))

    def _sum_blocks(self, fusion: Fusion, instr: Instruction) -> None:
        """The sums of blocks are the epilogue's, in memory."""
        loop, sums = self.loop, instr.out
        fusion.compute_in(self.epilogue, instr, self.epilogue.axes[self.kernel.result])
        shape: Any = sums.shape
        self.epilogue.axes[sums] = (*[None] * (len(shape) - 1), len(loop.dims) - 1)
        fusion.store(sums)

    def _spare_stores(self, kept: set[ir.Value]) -> None:
        """What only the loop has read is not stored."""
        plan, epilogue = self.plan, self.epilogue
        read = {one for kernel in plan.kernels for part in parts(kernel) for one in part.reads}
        for buffer in self.loop.reads:
            if buffer in epilogue.makes and buffer not in read and buffer not in kept:
                plan.stored.pop(buffer)
                plan.home.pop(buffer)
                epilogue.makes.pop(buffer)
