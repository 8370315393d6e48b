"""Epilogues that become loops of their own: those that read large arrays.

An epilogue spares a pass over a product's result. But a product is made in panels of a few columns,
so what else its epilogue reads and writes is touched in that order too, a line of one row, then a
line of the next: neither pages nor lines are at hand, and nothing is fetched ahead. An optimizer's
update, which reads and writes several arrays as large as the result, is quicker along memory.
"""

from __future__ import annotations

from math import prod
from typing import Any

from tapeflow.graph import ir
from tapeflow.jit.choices import Choice
from tapeflow.jit.lowering.plan import CustomKernel, FusedLoop, Plan

PARTED_FROM = 1 << 20  # bytes that an epilogue reads of several arrays
PARTED_FROM_ONE = 4 << 20  # of one
WIDE = 64  # columns of a result: fewer are one or two panels, along memory nearly

EPILOGUE = Choice("fusion.epilogue", ("kept", "parted"))


def part_epilogues(plan: Plan) -> None:
    """Make loops of the epilogues that are better loops."""
    for kernel in list(plan.kernels):
        if isinstance(kernel, CustomKernel) and kernel.epilogue and kernel.epilogue.instructions:
            better = "parted" if reads_across(kernel, kernel.epilogue.outside) else "kept"
            if EPILOGUE(better, ("kept", "parted")) == "parted":
                _part(plan, kernel, kernel.epilogue)


def reads_across(kernel: CustomKernel, outside: dict[ir.Value, tuple]) -> bool:
    """Whether much is read in the order of panels: arrays that are as large as the result.

    outside: what an epilogue reads, and the dims of their axes.
    """
    shape: Any = kernel.result.shape
    if not kernel.impl.in_panels or shape[-1:] < (WIDE,):
        return False
    arrays = read_whole(kernel, outside)
    size = prod(shape) * sum(buffer.dtype.itemsize for buffer in arrays)
    return size >= (PARTED_FROM if len(arrays) > 1 else PARTED_FROM_ONE)


def read_whole(kernel: CustomKernel, outside: dict[ir.Value, tuple]) -> list[ir.Value]:
    """The arrays among what an epilogue reads that are as large as the result."""
    every = sum(n > 1 for n in kernel.result.shape or ())
    return [buffer for buffer, dims in outside.items()
            if len({d for d in dims if d is not None}) == every]


def _part(plan: Plan, kernel: CustomKernel, loop: FusedLoop) -> None:
    """The kernel stores its result, and its epilogue is a loop that reads it."""
    result = kernel.result
    kernel.epilogue = loop.head = None
    plan.computed.pop(result)
    plan.define(kernel, result)
    loop.makes.pop(result, None)
    loop.reads[result] = None
    loop.outside[result] = loop.axes.pop(result)
    plan.insert_after(loop, kernel)
