"""The code of a graph: its kernels, memory for its values, functions in a module.

The code is one function `main(ptr slots)` for each segment of the plan between two calls of
kernels. Slot 0 of the pointer table is the arena, 1 the thread pool, 2 the status word; then come
inputs, variables, outputs and constants.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from tapeflow.graph import ir
from tapeflow.graph.passes import copy
from tapeflow.graph.variable_ops import write
from tapeflow.jit.choices import Choice
from tapeflow.jit.codegen.addressing import (
    AddressMap,
    accepted,
    across,
    combine,
    element_of,
    pointer_at,
    set_error_status,
)
from tapeflow.jit.codegen.builder import Builder, Val, itemsize, name_of
from tapeflow.jit.codegen.control_flow_codegen import count_turns
from tapeflow.jit.codegen.llvm_text import Code, Module
from tapeflow.jit.codegen.loop_codegen import LoopEmitter
from tapeflow.jit.codegen.loop_schedule import LoopSchedule
from tapeflow.jit.lowering.fusion import CustomKernel, FusedLoop, HostCall, Instruction, Kernel
from tapeflow.jit.lowering.lower import HALF, Lowering, Refused
from tapeflow.jit.lowering.views import whole
from tapeflow.jit.passes.decompose import expand
from tapeflow.jit.passes.loop_hoisting import hoist
from tapeflow.jit.runtime import thread_pool
from tapeflow.jit.runtime.arena import Arena

FIRST = 3  # slots before those of inputs
TASK = 30_000  # nanoseconds that a task should take at least
MOST_TASKS = 32

OUTPUT = Choice("layout.output", ("made there", "copied first", "copied last"))
FINAL = Choice("layout.final", ("nothing", "in place", "copied", "held and copied"))
TASKS = Choice("layout.tasks", (False, True))
PARTIAL = Choice("layout.partial", (False, True))  # reductions that are joined afterwards
GUARD = Choice("layout.guard", ("nothing", "status", "checked before"))
SEGMENTS = Choice("layout.segments", ("one", "calls between"))


class Compiled:
    """A graph as functions of a module, whose names begin with `prefix`."""

    def __init__(self, graph: ir.Graph, module: Module, prefix: str = "", state: int = 0):
        """`state`: so many inputs are changed in place to what the first outputs are."""
        graph = copy(graph)
        count_turns(graph)
        accept(graph)
        graph = expand(hoist(graph))
        accept(graph)
        self._state = list(zip(graph.inputs, graph.outputs[:state], strict=False))
        graph.outputs = graph.outputs[state:]
        self.graph = graph
        self.module, self.prefix, self.target = module, prefix, module.target
        self.threads = thread_pool.count()
        self._lay_out()
        self._place_arena()
        self._write()

    # -- where inputs, variables, outputs and constants are ----------------------------------------
    def _lay_out(self) -> None:
        """Units, and the places of what the caller sees."""
        lowering = Lowering(self.graph, self.module, self.prefix, [
            value for _, value in self._state])
        self.plan, self.reasons = lowering.plan, lowering.reasons
        self.addresses = AddressMap()
        self._place_ends(lowering)
        self._guard()
        self._place_constants()

    def _place_constants(self) -> None:
        first = self._output + len(self.graph.outputs)
        self.constants: list[np.ndarray] = []
        for buffer in _constants(self.plan):
            self.addresses.slot[buffer] = (first + len(self.constants), 0)
            self.constants.append(np.require(buffer.const, requirements=["C", "A"]))
        self.slots = first + len(self.constants)
        self._lent: dict[Compiled, list[int]] = {}

    def _guard(self) -> None:
        """See that indices are checked before a variable is changed: an error changes nothing."""
        plan = self.plan
        slots = {*self._variables.values(), *[self.addresses.slot[x][0] for x, _ in self._state]}
        changed = [key for key, (slot, _) in self.addresses.slot.items() if slot in slots]
        initial = {use.initial for use in self.graph.variables.values()}
        initial.update(x for x, _ in self._state)
        self.risky = any(_picks(kernel) or getattr(getattr(kernel, "impl", None), "risky", False)
                         for kernel in plan.kernels)
        writers = [kernel for kernel in plan.kernels if any(
            key in part.makes for part in _parts(kernel) for key in changed if key not in initial)]
        self._first_writer = writers[0] if writers else None
        if self._first_writer is None or not self.risky:
            GUARD("nothing")
            return
        GUARD("status")
        limit = self._first_writer.order
        for kernel in list(plan.kernels):
            for index, size, outside in _picks(kernel) if kernel.order >= limit else ():
                GUARD("checked before")
                self._check(index, size, outside)

    def _last_risk(self) -> float:
        """The order after which all indices are known that may be out of range."""
        found = [self.plan.order_of(index) for kernel in self.plan.kernels
                 for index, *_ in _picks(kernel)]
        found += [kernel.order for kernel in self.plan.kernels
                  if getattr(getattr(kernel, "impl", None), "risky", False)]
        return max(found, default=0.0)

    def _check(self, index: ir.Value, size: int, outside: str) -> None:
        plan = self.plan

        def element(b: Builder, x: Val) -> Val:
            good = accepted(b, b.cast(x, "int64"), size, outside)
            set_error_status(b.code, across(b, "all", good).text)
            return good

        instr = Instruction(plan.fresh(index.shape or (), np.dtype(bool)), (index,), element,
                            weight=99)
        fused = plan._new_loop(instr)
        assert self._first_writer is not None
        plan._before(fused, self._first_writer)
        plan._add(fused, instr, plan._default(fused, instr))

    def _place_ends(self, lowering: Lowering) -> None:
        graph, slot = self.graph, self.addresses.slot
        count = FIRST
        for value in graph.inputs:
            slot[value] = (count, 0)
            count += 1
        self._variables = {}
        for uid, use in graph.variables.items():
            self._variables[uid] = count
            slot[use.initial] = (count, 0)
            count += 1
        self._output = count
        for number, value in enumerate(graph.outputs):
            self._place_output(value, (count + number, 0))
        self._safe = self._last_risk()
        for uid, value in lowering.finals.items():
            self._place_final(value, graph.variables[uid].initial, (self._variables[uid], 0))
        for value, initial in [(after, before) for before, after in self._state]:
            self._place_final(value, initial, slot[initial])
        self.written = set(lowering.finals)

    def lend(self, inner: Compiled) -> list[int]:
        """Slots with the constants of a body."""
        if inner not in self._lent:
            self._lent[inner] = list(range(self.slots, self.slots + len(inner.constants)))
            self.constants += inner.constants
            self.slots += len(inner.constants)
        return self._lent[inner]

    def _place_output(self, value: ir.Value, slot: tuple[int, int]) -> None:
        plan = self.plan
        view = plan.view_of(value)
        buffer = view.buffer
        free = view.whole and buffer in plan.stored and buffer not in self.addresses.slot
        first = buffer not in plan.stored
        copied = "copied first" if first else "copied last"
        if OUTPUT("made there" if free else copied, (
                copied, "made there" if free else copied)) == "made there":
            self.addresses.slot[buffer] = slot
            return
        self._copy(value, slot, first)

    def _copy(self, value: ir.Value, slot: tuple[int, int], first: bool) -> None:
        """Copy a value to a place: at the start, if it is there already, or at the end."""
        plan = self.plan
        goal = plan.fresh(value.shape or (), value.dtype)
        instr = Instruction(plan.fresh(value.shape or (), value.dtype), (value,), lambda b, x: x,
                            target=whole(goal))
        fused = plan._new_loop(instr)
        if first and plan.kernels:
            plan._before(fused, plan.kernels[0])
        else:
            plan.append(fused)
        plan._add(fused, instr, plan._default(fused, instr))
        self.addresses.slot[goal] = slot

    def _place_final(self, value: ir.Value, initial: ir.Value, slot: tuple[int, int]) -> None:
        """What a variable holds in the end is made in its place, or copied there."""
        plan = self.plan
        view = plan.view_of(value)
        buffer = view.buffer
        if buffer is initial and view.whole:
            FINAL("nothing")
            return
        free = view.whole and buffer in plan.stored and buffer not in self.addresses.slot
        copied = "copied" if buffer in plan.stored else "held and copied"
        better = "in place" if free and self.plan.home[buffer][0].order > self._safe and (
            self._in_place(buffer, initial)) else copied
        if FINAL(better, (copied, better)) == "in place":
            self.addresses.slot[buffer] = slot
            return
        if buffer not in plan.stored:  # another variable, perhaps, which may change before
            held = plan.fresh(value.shape or (), value.dtype)
            self._stage(value, held)
            value = held
        self._copy(value, slot, first=False)

    def _stage(self, value: ir.Value, held: ir.Value) -> None:
        plan = self.plan
        instr = Instruction(held, (value,), lambda b, x: x)
        fused = plan._new_loop(instr)
        if plan.kernels:
            plan._before(fused, plan.kernels[0])
        else:
            plan.append(fused)
        plan._add(fused, instr, plan._default(fused, instr))
        plan.store(held)

    def _in_place(self, buffer: ir.Value, initial: ir.Value) -> bool:
        """Whether nobody needs what a variable held once its new value is being made."""
        plan = self.plan
        makers = plan.home[buffer]
        if len(makers) != 1 or (buffer.shape, buffer.dtype) != (initial.shape, initial.dtype):
            return False
        maker = makers[0]
        for kernel in plan.kernels:
            for part in _parts(kernel):
                if initial in part.reads and kernel.order >= maker.order and not (
                        part is maker and self._same_places(part, buffer, initial)):
                    return False
        return True

    def _same_places(self, kernel: Kernel, buffer: ir.Value, initial: ir.Value) -> bool:
        """Whether a kernel reads each element of a variable where it makes the new one."""
        if isinstance(kernel, CustomKernel):
            impl = getattr(kernel.impl, "roles", None)
            start = impl and impl.get("start")
            return isinstance(start, tuple) and self.plan.view_of(
                kernel.node.inputs[start[1]]).whole and sum(
                self.plan.view_of(x).buffer is initial for x in kernel.node.inputs) == 1
        if not isinstance(kernel, FusedLoop) or kernel.inner is not None or (
                buffer in kernel.reduced):
            return False
        if len(kernel.dims_of(buffer)) < len(kernel.dims):  # made again by each task or row
            return False
        wanted = list(kernel.axes[buffer])
        for instr in kernel.instructions:
            for position, x in enumerate(instr.inputs):
                view = self.plan.view_of(x)
                if view.buffer is not initial:
                    continue
                if not view.whole or instr.rows is not None or instr.combine is not None:
                    return False
                axes = kernel.axes[instr.out]
                mine = [axes[a] for a, _ in self.plan._aligned(
                    instr, position, (None,) * len(view.shape), len(axes))]
                mine = [d if n > 1 else None for d, n in zip(mine, view.shape, strict=True)]
                if mine != wanted:
                    return False
        return True

    # -- the arena --------------------------------------------------------------------------------
    def _place_arena(self) -> None:
        plan = self.plan
        arena = Arena()
        first, last = _lifetimes(plan)
        for buffer in plan.stored:
            if buffer not in self.addresses.slot:
                size = count_of(buffer) * buffer.dtype.itemsize
                arena.ask(("value", buffer), size, first[buffer], last.get(buffer, first[buffer]))
        self.loops: dict[FusedLoop, LoopSchedule] = {}
        self.tasks: dict[FusedLoop, int] = {}
        self.chunk: dict[FusedLoop, int] = {}
        self.nanoseconds = 0.0
        for kernel in plan.kernels:
            if isinstance(kernel, FusedLoop):
                self._plan_loop(kernel, arena)
            elif isinstance(kernel, CustomKernel):
                size = kernel.impl.work(self, kernel)
                self.nanoseconds += kernel.impl.nanoseconds
                if size:
                    arena.ask(("work", kernel), size, kernel.order, kernel.order)
        arena.settle()
        self.arena = arena.size
        for key in plan.stored:
            if key not in self.addresses.slot:
                self.addresses.slot[key] = (0, arena.offset["value", key])
        self._offset = arena.offset

    def _plan_loop(self, fused: FusedLoop, arena: Arena) -> None:
        loops = self.loops[fused] = LoopSchedule(fused, self.plan)
        cost = _nanoseconds(fused, loops, self.target)
        self.nanoseconds += cost
        outer = loops.sizes[0] if loops.sizes else 1
        self.chunk[fused], self.tasks[fused] = outer, 1
        # Not by the number of threads: sums are the same however many there are.
        may = loops.split and outer > 1
        if TASKS(may and cost > 2 * TASK, (False, may)):
            kernel = 64 if len(loops.sizes) == 1 else 1
            least = -(-outer // int(min(max(cost // TASK, 2), MOST_TASKS)))
            chunk = self.chunk[fused] = -(-least // kernel) * kernel
            self.tasks[fused] = -(-outer // chunk)
            loops.parallel = self.tasks[fused] > 1
        if loops.scratch:
            arena.ask(("scratch", fused), loops.scratch * self.tasks[fused],
                      fused.order, fused.order)
        for instr in fused.instructions:
            if self._partial(fused, instr):
                size = _round(count_of(instr.out) * itemsize(LoopEmitter._wide(instr)))
                arena.ask(("partial", instr.out), size * self.tasks[fused],
                          fused.order, fused.order)

    def _partial(self, fused: FusedLoop, instr: Instruction) -> bool:
        """Whether a reduction is gathered apart from its place, and joined afterwards."""
        loops = self.loops[fused]
        if instr.combine is None or not loops.sizes or loops.row(fused.reduced[instr.out]):
            return False
        return bool(PARTIAL(self.tasks[fused] > 1 or name_of(instr.out.dtype) in HALF
                            or instr.out not in fused.makes))

    # -- code --------------------------------------------------------------------------------------
    def _write(self) -> None:
        self.segments = 0
        self.steps: list[Any] = []  # the number of a segment of code, or a Call
        code: Code | None = None
        for number, kernel in enumerate(self.plan.kernels):
            if isinstance(kernel, HostCall):
                self._end(code)
                code = None
                self.steps.append(kernel)
                continue
            if code is None:
                code = Code(self.module, f"{self.prefix}main{self.segments}", [("ptr", "%slots")],
                            attributes=self.target.attributes)
                self.steps.append(self.segments)
                self.segments += 1
            if kernel is self._first_writer:
                status = code.let(f"load i64, ptr {pointer_at(code, 2, 0)}, align 8")
                code.leave(code.let(f"icmp ne i64 {status}, 0"))
            if isinstance(kernel, FusedLoop):
                self._write_loop(kernel, f"{self.prefix}r{number}", code)
            else:
                assert isinstance(kernel, CustomKernel)
                work = (0, self._offset.get(("work", kernel), 0))
                kernel.impl.write(self, kernel, f"{self.prefix}k{number}", work, code)
        self._end(code)
        SEGMENTS("one" if len(self.steps) == 1 else "calls between")

    def _end(self, code: Code | None) -> None:
        if code is not None:
            self.module.functions[code.name] = code.text()

    def _write_loop(self, fused: FusedLoop, name: str, code: Code) -> None:
        loops, tasks = self.loops[fused], self.tasks[fused]
        partial = {}
        joins = []
        for instr in fused.instructions:
            if instr.combine is None:
                continue
            if self._partial(fused, instr):
                partial[instr.out] = (0, self._offset["partial", instr.out])
                if instr.out in fused.makes:
                    joins.append(instr)
            elif instr.out in self.addresses.slot:
                partial[instr.out] = self.addresses.slot[instr.out]
        scratch = (0, self._offset["scratch", fused]) if loops.scratch else None
        emitter = LoopEmitter(fused, self.plan, self.addresses, self.module, name, partial, scratch,
                              loops)
        function = self.module.add(emitter.write())
        if tasks == 1:
            size = loops.sizes[0] if loops.sizes else 1
            code.do(f"call void {function}(ptr %slots, i64 0, i64 {size}, i64 0)")
        else:
            self._parallel(name, function, loops.sizes[0], self.chunk[fused], tasks, code)
        for instr in joins:
            code.do(f"call void {self._join(instr, partial[instr.out], tasks)}(ptr %slots)")

    def _parallel(self, name: str, function: str, outer: int, chunk: int, tasks: int,
                  code: Code) -> None:
        """Run the parts of the outermost loop as tasks."""
        task = Code(self.module, f"{name}.task", [("ptr", "%slots"), ("i64", "%task")],
                    attributes=self.target.attributes)
        low = task.mul("%task", chunk)
        high = task.add(low, chunk)
        over = task.let(f"icmp slt i64 {high}, {outer}")
        end = task.let(f"select i1 {over}, i64 {high}, i64 {outer}")
        task.do(f"call void {function}(ptr %slots, i64 {low}, i64 {end}, i64 %task)")
        entry = self.module.add(task)
        pool = pointer_at(code, 1, 0)
        self.module.declare("tf_parallel", "void", "ptr", "ptr", "ptr", "i64")
        code.do(f"call void @tf_parallel(ptr {pool}, ptr {entry}, ptr %slots, i64 {tasks})")

    def _join(self, instr: Instruction, partial: tuple[int, int], tasks: int) -> str:
        """Combine what the tasks have gathered."""
        name = f"{self.prefix}join{len(self.module.functions)}"
        code = Code(self.module, name, [("ptr", "%slots")], attributes=self.target.attributes)
        dtype, goal = LoopEmitter._wide(instr), name_of(instr.out.dtype)
        element, count = element_of(dtype), count_of(instr.out)
        size = _round(count * itemsize(dtype))
        source = pointer_at(code, *partial)
        target = self.addresses.pointer(code, instr.out)
        one = Builder(code)
        with code.loop(0, count) as loop:
            total = None
            for task in range(tasks):
                place = code.at(code.at(source, task * size, "i8"), loop.index, element)
                x = one.load(place, dtype)
                total = x if total is None else combine(one, instr.combine or "", total, x)
            assert total is not None
            total = one.narrow(total, goal) if goal in HALF else total
            one.store(total, code.at(target, loop.index, element_of(goal)))
        return self.module.add(code)


def _parts(kernel: Kernel) -> list[Kernel]:
    epilogue = getattr(kernel, "epilogue", None)
    return [kernel] if epilogue is None else [kernel, epilogue]


def _picks(kernel: Kernel) -> list[tuple[ir.Value, int, str]]:
    """Indices that a kernel refuses if out of range, their range, what `accepted` takes."""
    if isinstance(kernel, FusedLoop):
        return [(instr.inputs[1], (instr.inputs[0].shape or ())[instr.rows[0]], "error")
                for instr in kernel.instructions
                if instr.rows is not None and instr.rows[2] == "error"]
    roles = getattr(getattr(kernel, "impl", None), "roles", None)
    outside = (roles or {"outside": "skip"}).get("outside", "error")
    if roles is None or outside == "skip":
        return []
    node, rows = kernel.node, kernel.impl.rows  # type: ignore[attr-defined]
    return [(node.inputs[roles["indices"]], rows, outside)]


def accept(graph: ir.Graph) -> None:
    for value in (*graph.values(), *graph.outputs):
        if value.shape is None or None in value.shape:
            raise Refused("a size is known only at run time")
        if 0 in value.shape:
            raise Refused("a value has no elements")
        if value.dtype.kind in "OUS":
            raise Refused("strings")
    for use in graph.variables.values():
        if getattr(use.variable, "_static_shape", None) is not None:
            raise Refused("a variable may change its shape")
    for node in graph.nodes:
        if node.op is write and node.inputs[0].dtype == bool and not node.inputs[0].shape:
            raise Refused("a variable is a single truth value")  # True and False are shared objects
        if node.op.stateful and node.op.kind != "random" and not node.attrs.get("variable"):
            raise Refused(f"{node.op.name} has an effect")


def _constants(plan: Any) -> list[ir.Value]:
    """Constants that are read from memory, once each."""
    read = [buffer for kernel in plan.kernels for part in _parts(kernel) for buffer in part.reads]
    viewed = [view.buffer for view in plan.views.values()]
    return list(dict.fromkeys(buffer for buffer in (*read, *viewed) if buffer.const is not None))


def _lifetimes(plan: Any) -> tuple[dict[ir.Value, float], dict[ir.Value, float]]:
    first: dict[ir.Value, float] = {}
    last: dict[ir.Value, float] = {}
    for kernel in plan.kernels:
        for part in _parts(kernel):
            for key in part.makes:
                first.setdefault(key, kernel.order)
                last[key] = max(last.get(key, 0.0), kernel.order)
            for key in part.reads:
                last[key] = max(last.get(key, 0.0), kernel.order)
    return first, last


def _nanoseconds(fused: FusedLoop, loops: LoopSchedule, target: Any) -> float:
    """About how long a fused loop takes on one core."""
    total = 1.0
    for size in loops.sizes:
        total *= size
    weight = sum(instr.weight for instr in fused.instructions) + 2
    lanes = target.lanes(4) if loops.sizes and loops.sizes[-1] >= 4 else 1
    return 5 + total * weight / lanes * 0.2


def count_of(value: ir.Value) -> int:
    total = 1
    for n in value.shape or ():
        total *= n
    return total


def _round(size: int) -> int:
    return -(-size // 64) * 64
