"""Memory and tasks: the schedule of each fused loop, and an offset in the arena for every value."""

from __future__ import annotations

from dataclasses import dataclass, field
from math import prod
from typing import Any

from tapeflow.graph import ir
from tapeflow.jit.choices import Choice
from tapeflow.jit.codegen.addressing import AddressMap, accumulator_dtype
from tapeflow.jit.codegen.builder import HALF, itemsize, name_of
from tapeflow.jit.codegen.fused_loop.loop_schedule import LoopSchedule
from tapeflow.jit.lowering.binding import Bindings, Slot
from tapeflow.jit.lowering.plan import CustomKernel, FusedLoop, Instruction, Plan, parts
from tapeflow.jit.lowering.streamed_stores import streamed_results
from tapeflow.jit.runtime.arena import Arena, aligned_size
from tapeflow.jit.runtime.target import Target

TASK = 12_000  # nanoseconds that a task should take at least
CACHE = 512 << 10  # bytes that a loop finds in its core's cache
BYTES_PER_NANOSECOND = 30  # that a core moves to and from memory behind that
MOST_TASKS = 32

TASKS = Choice("layout.tasks", (False, True))
PARTIAL = Choice("layout.partial", (False, True))  # reductions that are joined afterwards


@dataclass
class LoopLayout:
    """How a fused loop runs.

    tasks    parts of the outermost loop, of `chunk` iterations each
    scratch  of vectors that wait for a later phase
    partial  of reductions that are gathered apart from their buffer and joined afterwards
    streamed results that are written past the caches
    """

    schedule: LoopSchedule
    tasks: int
    chunk: int
    scratch: Slot | None = None
    partial: dict[ir.Value, Slot] = field(default_factory=dict)
    streamed: frozenset[ir.Value] = frozenset()


@dataclass
class Layout:
    """Where everything is, and how it is divided.

    addresses    of every buffer
    loops        of every fused loop
    work         of custom kernels: their working memory
    arena        bytes
    nanoseconds  about how long a run takes on one core
    """

    addresses: AddressMap
    loops: dict[FusedLoop, LoopLayout] = field(default_factory=dict)
    work: dict[CustomKernel, Slot] = field(default_factory=dict)
    arena: int = 0
    nanoseconds: float = 0.0


def lay_out(plan: Plan, bindings: Bindings, target: Target, threads: int,
            outermost: bool = True) -> Layout:
    """Schedule the fused loops of a plan and find room for its values.

    outermost: this is no body of a loop or a branch, whose results others read.
    """
    layout, arena = Layout(AddressMap(dict(bindings.slots))), Arena()
    first, last = _lifetimes(plan)
    inner = [buffer for buffer in plan.stored if buffer not in bindings.slots]
    for buffer in inner:
        size = count_of(buffer) * buffer.dtype.itemsize
        arena.request(("value", buffer), size, first[buffer], last.get(buffer, first[buffer]))
    for kernel in plan.kernels:
        if isinstance(kernel, FusedLoop):
            _lay_out_loop(kernel, plan, layout, arena, target)
            if outermost:
                loop = layout.loops[kernel]
                loop.streamed = streamed_results(loop.schedule, plan, bindings, target)
        elif isinstance(kernel, CustomKernel):
            size = kernel.impl.work(kernel, target, threads)
            layout.nanoseconds += kernel.impl.nanoseconds
            if size:
                arena.request(("work", kernel), size, kernel.position, kernel.position)
    arena.assign_offsets()
    _assign_offsets(layout, arena, plan, inner)
    return layout


def _lay_out_loop(fused: FusedLoop, plan: Plan, layout: Layout, arena: Arena,
                  target: Target) -> None:
    schedule = LoopSchedule(fused, plan)
    cost = _nanoseconds(fused, schedule, target)
    layout.nanoseconds += cost
    tasks, chunk = _divide(schedule, cost)
    schedule.parallel = tasks > 1
    layout.loops[fused] = LoopLayout(schedule, tasks, chunk)
    if schedule.scratch:
        arena.request(("scratch", fused), schedule.scratch * tasks, fused.position, fused.position)
    for instr in fused.instructions:
        if _partial(fused, instr, schedule, tasks):
            size = aligned_size(count_of(instr.out) * itemsize(accumulator_dtype(instr)))
            arena.request(("partial", instr.out), size * tasks, fused.position, fused.position)


def _divide(schedule: LoopSchedule, cost: float) -> tuple[int, int]:
    """(tasks, iterations of the outermost loop in each) of a loop of so many nanoseconds.

    Not by the number of threads: sums are the same however many there are.
    """
    outer = schedule.sizes[0] if schedule.sizes else 1
    may = schedule.split and outer > 1
    if not TASKS(may and cost > 2 * TASK, (False, may)):
        return 1, outer
    multiple = 64 if len(schedule.sizes) == 1 else 1
    least = -(-outer // int(min(max(cost // TASK, 2), MOST_TASKS)))
    chunk = -(-least // multiple) * multiple
    return -(-outer // chunk), chunk


def _partial(fused: FusedLoop, instr: Instruction, schedule: LoopSchedule, tasks: int) -> bool:
    """Whether a reduction is gathered apart from its buffer, and joined afterwards."""
    if instr.combine is None or not schedule.sizes or schedule.row(fused.reduced[instr.out]):
        return False
    return bool(PARTIAL(tasks > 1 or name_of(instr.out.dtype) in HALF
                        or instr.out not in fused.makes))


def _assign_offsets(layout: Layout, arena: Arena, plan: Plan, inner: list[ir.Value]) -> None:
    """Take over the offsets that the arena found."""
    slot, offset = layout.addresses.slot, arena.offset
    layout.arena = arena.size
    for buffer in inner:
        slot[buffer] = (0, offset["value", buffer])
    for kernel in plan.kernels:
        if isinstance(kernel, CustomKernel):
            layout.work[kernel] = (0, offset.get(("work", kernel), 0))
        elif isinstance(kernel, FusedLoop):
            loop = layout.loops[kernel]
            if loop.schedule.scratch:
                loop.scratch = (0, offset["scratch", kernel])
            for instr in kernel.instructions:
                if ("partial", instr.out) in offset:
                    loop.partial[instr.out] = (0, offset["partial", instr.out])


def _lifetimes(plan: Plan) -> tuple[dict[ir.Value, int], dict[ir.Value, int]]:
    """The positions of the first and the last kernel that make or read each buffer."""
    first: dict[ir.Value, int] = {}
    last: dict[ir.Value, int] = {}
    for kernel in plan.kernels:
        for part in parts(kernel):
            for buffer in part.makes:
                first.setdefault(buffer, kernel.position)
            for buffer in (*part.makes, *part.reads):
                last[buffer] = kernel.position
    return first, last


def _nanoseconds(fused: FusedLoop, schedule: LoopSchedule, target: Target) -> float:
    """About how long a loop takes on one core: to compute, or to move what it reads and makes."""
    weight = sum(instr.weight for instr in fused.instructions) + 2
    lanes = target.lanes(4) if schedule.sizes and schedule.sizes[-1] >= 4 else 1
    computing = float(prod(schedule.sizes)) * weight / lanes * 0.2
    return 5 + max(computing, _moved(fused) / BYTES_PER_NANOSECOND)


def _moved(fused: FusedLoop) -> int:
    """How many bytes a loop moves to and from memory; 0 if a core's cache may hold them."""
    runs = prod(fused.dims)
    total = sum(min(count_of(buffer), runs) * buffer.dtype.itemsize
                for buffer in {**fused.reads, **fused.makes})
    return total if total > CACHE else 0


def count_of(value: ir.Value) -> int:
    """How many elements a value has."""
    shape: Any = value.shape
    return prod(shape)
