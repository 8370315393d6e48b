"""Which results a fused loop writes past the caches.

A store into a line that is in no cache reads the line from memory first. A value that is larger
than what caches keep until somebody looks at it is written by streaming stores, which do not: a
result of the program, or what is so large that its beginning is gone when it ends.
"""

from __future__ import annotations

from math import prod

from tapeflow.graph import ir
from tapeflow.jit.choices import Choice
from tapeflow.jit.codegen.addressing import STREAM_ALIGNMENT, result_access
from tapeflow.jit.codegen.fused_loop.loop_schedule import LoopSchedule
from tapeflow.jit.lowering.binding import Bindings
from tapeflow.jit.lowering.plan import FusedLoop, Instruction, Plan, parts
from tapeflow.jit.runtime.target import Target

STREAMED_FROM = 8 << 20  # bytes of a result
STREAMED_ANYWAY = 32 << 20  # of what the program itself reads again
LIGHT = 32  # weight of a loop whose time is that of memory

STORES = Choice("loop.stores", ("cached", "streamed"))


def streamed_results(schedule: LoopSchedule, plan: Plan, bindings: Bindings,
                     target: Target) -> frozenset[ir.Value]:
    """The values of a fused loop that go past the caches."""
    if target.arch == "aarch64":
        return frozenset()
    return frozenset([instr.out for instr in schedule.fused.instructions
                      if _streamed(instr, schedule, plan, bindings)])


def _streamed(instr: Instruction, schedule: LoopSchedule, plan: Plan, bindings: Bindings) -> bool:
    fused = schedule.fused
    if instr.combine is not None or (instr.target is None and instr.out not in fused.makes):
        return False
    inside = schedule.level[instr.out] == schedule.depth > 0
    once = len(fused.dims_of(instr.out)) == len(fused.dims)
    size = prod(fused.dims) * instr.out.dtype.itemsize
    gone = size >= STREAMED_ANYWAY or _only_a_result(instr, plan, bindings)
    if not (inside and once and gone and _aligned(instr, schedule, fused)):
        return False
    pays = size >= STREAMED_FROM and (
        sum(one.weight for one in fused.instructions) <= LIGHT)
    return STORES("streamed" if pays else "cached", ("cached", "streamed")) == "streamed"


def _only_a_result(instr: Instruction, plan: Plan, bindings: Bindings) -> bool:
    """Whether a value is made in the memory of a result, and nobody reads it there."""
    buffer = instr.out if instr.target is None else instr.target.buffer
    slot = bindings.slots.get(buffer, (0, 0))[0]
    return bindings.first_output <= slot < bindings.first_constant and not any(
        buffer in part.reads for kernel in plan.kernels for part in parts(kernel))


def _aligned(instr: Instruction, schedule: LoopSchedule, fused: FusedLoop) -> bool:
    """Whether all vectors begin at multiples of the alignment, if the first one does."""
    access = result_access(fused, instr)
    innermost = schedule.groups[-1][-1]
    if access.strides.get(innermost) != 1 or instr.out.dtype.kind == "b":
        return False
    size = instr.out.dtype.itemsize
    apart = [access.offset, *[s for d, s in access.strides.items()
                              if schedule.position[d] != schedule.depth - 1]]
    return all(one * size % STREAM_ALIGNMENT == 0 for one in apart)
