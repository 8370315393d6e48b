"""A plan as functions of a module: one `main` for each segment between two calls of NumPy kernels.

Each fused loop and each custom kernel is a function of its own, which `main` calls in order.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from tapeflow.graph import ir
from tapeflow.jit.choices import Choice
from tapeflow.jit.codegen.addressing import (
    STREAM_ALIGNMENT,
    AddressMap,
    accumulator_dtype,
    combine,
    element_of,
    pointer_at,
    result_access,
)
from tapeflow.jit.codegen.builder import HALF, Builder, itemsize, name_of
from tapeflow.jit.codegen.fused_loop.loop_codegen import write_loop
from tapeflow.jit.codegen.llvm_text import Code, Module
from tapeflow.jit.lowering.binding import Bindings, Slot
from tapeflow.jit.lowering.layout import Layout, LoopLayout, count_of
from tapeflow.jit.lowering.plan import CustomKernel, FusedLoop, HostCall, Instruction, Plan
from tapeflow.jit.runtime.arena import aligned_size

SEGMENTS = Choice("layout.segments", ("one", "calls between"))


@dataclass(eq=False)
class CompiledFunction:
    """A graph as functions of a module, whose names begin with `prefix`.

    steps      what runs, in order: the index of a segment of native code, or a HostCall
    constants  arrays that the code reads, those of bodies too; they are the last slots
    reasons    by op: why its NumPy kernel is called
    """

    graph: ir.Graph
    module: Module
    prefix: str
    plan: Plan
    bindings: Bindings
    layout: Layout
    reasons: dict[str, str]
    segments: int = 0
    steps: list[int | HostCall] = field(default_factory=list)
    constants: list[np.ndarray] = field(init=False)

    def __post_init__(self) -> None:
        self.constants = list(self.bindings.constants)

    @property
    def slots(self) -> int:
        """The length of the pointer table."""
        return self.first_constant + len(self.constants)

    @property
    def first_output(self) -> int:
        return self.bindings.first_output

    @property
    def first_constant(self) -> int:
        return self.bindings.first_constant

    @property
    def risky(self) -> bool:
        return self.bindings.risky

    @property
    def nanoseconds(self) -> float:
        return self.layout.nanoseconds

    @property
    def arena(self) -> int:
        return self.layout.arena


class KernelContext:
    """What a custom kernel may use while it writes its code: see `emit`."""

    def __init__(self, function: CompiledFunction, threads: int):
        self.plan, self.module, self.threads = function.plan, function.module, threads
        self.addresses: AddressMap = function.layout.addresses
        self._function = function
        self._lent: dict[CompiledFunction, list[int]] = {}

    def constant_slots(self, body: CompiledFunction) -> list[int]:
        """Slots of this function with the constants of a body that it calls."""
        if body not in self._lent:
            function = self._function
            self._lent[body] = list(range(function.slots, function.slots + len(body.constants)))
            function.constants += body.constants
        return self._lent[body]


def emit(function: CompiledFunction, threads: int) -> None:
    """Write the code of all kernels into the function's module."""
    _Emitter(function, threads).emit()


class _Emitter:
    def __init__(self, function: CompiledFunction, threads: int):
        self.function, self.module, self.prefix = function, function.module, function.prefix
        self.plan, self.layout = function.plan, function.layout
        self.context = KernelContext(function, threads)
        self.attributes = self.module.target.attributes

    def emit(self) -> None:
        function, code = self.function, None
        for position, kernel in enumerate(self.plan.kernels):
            if isinstance(kernel, HostCall):
                self._end(code)
                code = None
                function.steps.append(kernel)
                continue
            if code is None:
                code = self._begin()
            if kernel in function.bindings.stops:
                status = code.let(f"load i64, ptr {pointer_at(code, 2, 0)}, align 8")
                code.leave(code.let(f"icmp ne i64 {status}, 0"))
            if isinstance(kernel, FusedLoop):
                self._loop(kernel, f"{self.prefix}r{position}", code)
            else:
                assert isinstance(kernel, CustomKernel)
                self._custom(kernel, f"{self.prefix}k{position}", code)
        self._end(code)
        SEGMENTS("one" if len(function.steps) == 1 else "calls between")

    def _begin(self) -> Code:
        """A new segment."""
        function = self.function
        code = Code(self.module, f"{self.prefix}main{function.segments}", [("ptr", "%slots")],
                    attributes=self.attributes)
        function.steps.append(function.segments)
        function.segments += 1
        return code

    def _end(self, code: Code | None) -> None:
        if code is not None:
            self.module.functions[code.name] = code.text()

    def _custom(self, kernel: CustomKernel, name: str, code: Code) -> None:
        kernel.impl.write(self.context, kernel, name, self.layout.work[kernel], code)

    # -- fused loops -------------------------------------------------------------------------------
    def _loop(self, fused: FusedLoop, name: str, code: Code) -> None:
        loop, addresses = self.layout.loops[fused], self.layout.addresses
        schedule = loop.schedule
        gathered = dict(loop.partial)  # where reductions are gathered
        for instr in fused.instructions:
            if instr.combine is not None and instr.out not in gathered and (
                    instr.out in addresses.slot):
                gathered[instr.out] = addresses.slot[instr.out]

        def write(ending: str, streamed: frozenset[ir.Value]) -> str:
            return self.module.add(write_loop(schedule, addresses, self.module, name + ending,
                                              gathered, loop.scratch, streamed))

        function = write("", frozenset())
        if loop.streamed:
            function = self._streaming(name, function, write(".streamed", loop.streamed), fused,
                                       loop.streamed)
        if loop.tasks == 1:
            size = schedule.sizes[0] if schedule.sizes else 1
            code.do(f"call void {function}(ptr %slots, i64 0, i64 {size}, i64 0)")
        else:
            self._parallel(name, function, loop, code)
        for instr in fused.instructions:
            if instr.out in loop.partial and instr.out in fused.makes:
                join = self._join(instr, loop.partial[instr.out], loop.tasks)
                code.do(f"call void {join}(ptr %slots)")

    def _streaming(self, name: str, cached: str, streaming: str, fused: FusedLoop,
                   streamed: frozenset[ir.Value]) -> str:
        """One of two functions of a loop: streaming stores need addresses that are aligned."""
        params = [("ptr", "%slots"), ("i64", "%lo"), ("i64", "%hi"), ("i64", "%task")]
        code = Code(self.module, f"{name}.stores", params, attributes=self.attributes)
        addresses = "0"
        for instr in fused.instructions:
            if instr.out in streamed:
                pointer = self.layout.addresses.pointer(code, result_access(fused, instr).buffer)
                address = code.let(f"ptrtoint ptr {pointer} to i64")
                addresses = code.let(f"or i64 {addresses}, {address}")
        odd = code.let(f"and i64 {addresses}, {STREAM_ALIGNMENT - 1}")
        arguments = ", ".join(f"{kind} {label}" for kind, label in params)

        def stream() -> None:
            code.do(f"call void {streaming}({arguments})")
            fence = self.module.declare("llvm.x86.sse.sfence", "void")
            code.do(f"call void {fence}()")  # before others are told that this is done

        code.if_else(code.let(f"icmp eq i64 {odd}, 0"), stream,
                     lambda: code.do(f"call void {cached}({arguments})"))
        return self.module.add(code)

    def _parallel(self, name: str, function: str, loop: LoopLayout, code: Code) -> None:
        """Run the parts of the outermost loop as tasks."""
        task = Code(self.module, f"{name}.task", [("ptr", "%slots"), ("i64", "%task")],
                    attributes=self.module.target.task_attributes)
        outer = loop.schedule.sizes[0]
        low = task.mul("%task", loop.chunk)
        high = task.add(low, loop.chunk)
        over = task.let(f"icmp slt i64 {high}, {outer}")
        end = task.let(f"select i1 {over}, i64 {high}, i64 {outer}")
        task.do(f"call void {function}(ptr %slots, i64 {low}, i64 {end}, i64 %task)")
        entry = self.module.add(task)
        pool = pointer_at(code, 1, 0)
        self.module.declare("tf_parallel", "void", "ptr", "ptr", "ptr", "i64")
        code.do(f"call void @tf_parallel(ptr {pool}, ptr {entry}, ptr %slots, i64 {loop.tasks})")

    def _join(self, instr: Instruction, partial: Slot, tasks: int) -> str:
        """Combine what the tasks have gathered."""
        name = f"{self.prefix}join{len(self.module.functions)}"
        code = Code(self.module, name, [("ptr", "%slots")], attributes=self.attributes)
        dtype, goal = accumulator_dtype(instr), name_of(instr.out.dtype)
        element, count = element_of(dtype), count_of(instr.out)
        size = aligned_size(count * itemsize(dtype))
        source = pointer_at(code, *partial)
        target = self.layout.addresses.pointer(code, instr.out)
        one = Builder(code)
        with code.loop(0, count) as loop:
            total = None
            for task in range(tasks):
                address = code.at(code.at(source, task * size, "i8"), loop.index, element)
                x = one.load(address, dtype)
                total = x if total is None else combine(one, instr.combine or "", total, x)
            assert total is not None
            total = one.narrow(total, goal) if goal in HALF else total
            one.store(total, code.at(target, loop.index, element_of(goal)))
        return self.module.add(code)
