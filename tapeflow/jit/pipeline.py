"""The code of a graph: its units, memory for its values, functions in a module.

The code is one function `main(ptr slots)` for each stretch of the plan between two calls of
kernels. Slot 0 of the pointer table is the arena, 1 the thread pool, 2 the status word; then come
inputs, variables, outputs and constants.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from tapeflow.graph import ir
from tapeflow.graph.passes import copy
from tapeflow.graph.tracing.trace import write
from tapeflow.jit.choices import Choice
from tapeflow.jit.codegen.addressing import (
    Where,
    accepted,
    across,
    combine,
    complain,
    element_of,
    pointer_at,
)
from tapeflow.jit.codegen.builder import Builder, Val, itemsize, name_of
from tapeflow.jit.codegen.control_flow_codegen import count_turns
from tapeflow.jit.codegen.llvm_text import Code, Module
from tapeflow.jit.codegen.loop_codegen import Nest
from tapeflow.jit.codegen.loop_schedule import Loops
from tapeflow.jit.lowering.fusion import Call, Kernel, Region, Step, Unit
from tapeflow.jit.lowering.lower import HALF, Lowering, Refused
from tapeflow.jit.lowering.views import whole
from tapeflow.jit.passes.decompose import expand
from tapeflow.jit.passes.loop_hoisting import hoist
from tapeflow.jit.runtime import thread_pool
from tapeflow.jit.runtime.arena import Arena

FIRST = 3  # slots before those of inputs
TASK = 30_000  # nanoseconds that a task should take at least
MOST_TASKS = 32

OUTPUT = Choice("compiled.output", ("made there", "copied first", "copied last"))
FINAL = Choice("compiled.final", ("nothing", "in place", "copied", "held and copied"))
TASKS = Choice("compiled.tasks", (False, True))
PARTIAL = Choice("compiled.partial", (False, True))  # reductions that are joined afterwards
GUARD = Choice("compiled.guard", ("nothing", "status", "checked before"))
SEGMENTS = Choice("compiled.segments", ("one", "calls between"))


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
        self.where = Where()
        self._place_ends(lowering)
        self._guard()
        self._place_constants()

    def _place_constants(self) -> None:
        first = self._output + len(self.graph.outputs)
        self.constants: list[np.ndarray] = []
        for root in _constants(self.plan):
            self.where.slot[root] = (first + len(self.constants), 0)
            self.constants.append(np.require(root.const, requirements=["C", "A"]))
        self.slots = first + len(self.constants)
        self._lent: dict[Compiled, list[int]] = {}

    def _guard(self) -> None:
        """See that indices are checked before a variable is changed: an error changes nothing."""
        plan = self.plan
        slots = {*self._variables.values(), *[self.where.slot[x][0] for x, _ in self._state]}
        changed = [key for key, (slot, _) in self.where.slot.items() if slot in slots]
        initial = {use.initial for use in self.graph.variables.values()}
        initial.update(x for x, _ in self._state)
        self.risky = any(_picks(unit) or getattr(getattr(unit, "about", None), "risky", False)
                         for unit in plan.units)
        writers = [unit for unit in plan.units if any(
            key in part.makes for part in _parts(unit) for key in changed if key not in initial)]
        self._first_writer = writers[0] if writers else None
        if self._first_writer is None or not self.risky:
            GUARD("nothing")
            return
        GUARD("status")
        limit = self._first_writer.order
        for unit in list(plan.units):
            for index, size, outside in _picks(unit) if unit.order >= limit else ():
                GUARD("checked before")
                self._check(index, size, outside)

    def _last_risk(self) -> float:
        """The order after which all indices are known that may be out of range."""
        found = [self.plan.order_of(index) for unit in self.plan.units
                 for index, *_ in _picks(unit)]
        found += [unit.order for unit in self.plan.units
                  if getattr(getattr(unit, "about", None), "risky", False)]
        return max(found, default=0.0)

    def _check(self, index: ir.Value, size: int, outside: str) -> None:
        plan = self.plan

        def element(b: Builder, x: Val) -> Val:
            good = accepted(b, b.cast(x, "int64"), size, outside)
            complain(b.code, across(b, "all", good).text)
            return good

        step = Step(plan.fresh(index.shape or (), np.dtype(bool)), (index,), element, weight=99)
        region = plan._new_region(step)
        assert self._first_writer is not None
        plan._before(region, self._first_writer)
        plan._add(region, step, plan._default(region, step))

    def _place_ends(self, lowering: Lowering) -> None:
        graph, slot = self.graph, self.where.slot
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
        seen = plan.look(value)
        root = seen.root
        free = seen.whole and root in plan.stored and root not in self.where.slot
        first = root not in plan.stored
        copied = "copied first" if first else "copied last"
        if OUTPUT("made there" if free else copied, (
                copied, "made there" if free else copied)) == "made there":
            self.where.slot[root] = slot
            return
        self._copy(value, slot, first)

    def _copy(self, value: ir.Value, slot: tuple[int, int], first: bool) -> None:
        """Copy a value to a place: at the start, if it is there already, or at the end."""
        plan = self.plan
        goal = plan.fresh(value.shape or (), value.dtype)
        step = Step(plan.fresh(value.shape or (), value.dtype), (value,), lambda b, x: x,
                    target=whole(goal))
        region = plan._new_region(step)
        if first and plan.units:
            plan._before(region, plan.units[0])
        else:
            plan.append(region)
        plan._add(region, step, plan._default(region, step))
        self.where.slot[goal] = slot

    def _place_final(self, value: ir.Value, initial: ir.Value, slot: tuple[int, int]) -> None:
        """What a variable holds in the end is made in its place, or copied there."""
        plan = self.plan
        seen = plan.look(value)
        root = seen.root
        if root is initial and seen.whole:
            FINAL("nothing")
            return
        free = seen.whole and root in plan.stored and root not in self.where.slot
        copied = "copied" if root in plan.stored else "held and copied"
        better = "in place" if free and self.plan.home[root][0].order > self._safe and (
            self._in_place(root, initial)) else copied
        if FINAL(better, (copied, better)) == "in place":
            self.where.slot[root] = slot
            return
        if root not in plan.stored:  # another variable, perhaps, which may change before
            held = plan.fresh(value.shape or (), value.dtype)
            self._stage(value, held)
            value = held
        self._copy(value, slot, first=False)

    def _stage(self, value: ir.Value, held: ir.Value) -> None:
        plan = self.plan
        step = Step(held, (value,), lambda b, x: x)
        region = plan._new_region(step)
        if plan.units:
            plan._before(region, plan.units[0])
        else:
            plan.append(region)
        plan._add(region, step, plan._default(region, step))
        plan.store(held)

    def _in_place(self, root: ir.Value, initial: ir.Value) -> bool:
        """Whether nobody needs what a variable held once its new value is being made."""
        plan = self.plan
        makers = plan.home[root]
        if len(makers) != 1 or (root.shape, root.dtype) != (initial.shape, initial.dtype):
            return False
        maker = makers[0]
        for unit in plan.units:
            for part in _parts(unit):
                if initial in part.reads and unit.order >= maker.order and not (
                        part is maker and self._same_places(part, root, initial)):
                    return False
        return True

    def _same_places(self, unit: Unit, root: ir.Value, initial: ir.Value) -> bool:
        """Whether a unit reads each element of a variable where it makes the new one."""
        if isinstance(unit, Kernel):
            about = getattr(unit.about, "roles", None)
            start = about and about.get("start")
            return isinstance(start, tuple) and self.plan.look(
                unit.node.inputs[start[1]]).whole and sum(
                self.plan.look(x).root is initial for x in unit.node.inputs) == 1
        if not isinstance(unit, Region) or unit.inner is not None or root in unit.reduced:
            return False
        if len(unit.dims_of(root)) < len(unit.dims):  # made again by each task, or for each row
            return False
        wanted = list(unit.axes[root])
        for step in unit.steps:
            for position, x in enumerate(step.inputs):
                seen = self.plan.look(x)
                if seen.root is not initial:
                    continue
                if not seen.whole or step.rows is not None or step.combine is not None:
                    return False
                axes = unit.axes[step.out]
                mine = [axes[a] for a, _ in self.plan._aligned(
                    step, position, (None,) * len(seen.shape), len(axes))]
                mine = [d if n > 1 else None for d, n in zip(mine, seen.shape, strict=True)]
                if mine != wanted:
                    return False
        return True

    # -- the arena --------------------------------------------------------------------------------
    def _place_arena(self) -> None:
        plan = self.plan
        arena = Arena()
        first, last = _lifetimes(plan)
        for root in plan.stored:
            if root not in self.where.slot:
                size = count_of(root) * root.dtype.itemsize
                arena.ask(("value", root), size, first[root], last.get(root, first[root]))
        self.loops: dict[Region, Loops] = {}
        self.tasks: dict[Region, int] = {}
        self.chunk: dict[Region, int] = {}
        self.nanoseconds = 0.0
        for unit in plan.units:
            if isinstance(unit, Region):
                self._plan_region(unit, arena)
            elif isinstance(unit, Kernel):
                size = unit.about.work(self, unit)
                self.nanoseconds += unit.about.nanoseconds
                if size:
                    arena.ask(("work", unit), size, unit.order, unit.order)
        arena.settle()
        self.arena = arena.size
        for key in plan.stored:
            if key not in self.where.slot:
                self.where.slot[key] = (0, arena.offset["value", key])
        self._offset = arena.offset

    def _plan_region(self, region: Region, arena: Arena) -> None:
        loops = self.loops[region] = Loops(region, self.plan)
        cost = _nanoseconds(region, loops, self.target)
        self.nanoseconds += cost
        outer = loops.sizes[0] if loops.sizes else 1
        self.chunk[region], self.tasks[region] = outer, 1
        # Not by the number of threads: sums are the same however many there are.
        may = loops.split and outer > 1
        if TASKS(may and cost > 2 * TASK, (False, may)):
            unit = 64 if len(loops.sizes) == 1 else 1
            least = -(-outer // int(min(max(cost // TASK, 2), MOST_TASKS)))
            chunk = self.chunk[region] = -(-least // unit) * unit
            self.tasks[region] = -(-outer // chunk)
            loops.parallel = self.tasks[region] > 1
        if loops.scratch:
            arena.ask(("scratch", region), loops.scratch * self.tasks[region],
                      region.order, region.order)
        for step in region.steps:
            if self._partial(region, step):
                size = _round(count_of(step.out) * itemsize(Nest._wide(step)))
                arena.ask(("partial", step.out), size * self.tasks[region],
                          region.order, region.order)

    def _partial(self, region: Region, step: Step) -> bool:
        """Whether a reduction is gathered apart from its place, and joined afterwards."""
        loops = self.loops[region]
        if step.combine is None or not loops.sizes or loops.row(region.reduced[step.out]):
            return False
        return bool(PARTIAL(self.tasks[region] > 1 or name_of(step.out.dtype) in HALF
                            or step.out not in region.makes))

    # -- code --------------------------------------------------------------------------------------
    def _write(self) -> None:
        self.segments = 0
        self.steps: list[Any] = []  # the number of a stretch of code, or a Call
        code: Code | None = None
        for number, unit in enumerate(self.plan.units):
            if isinstance(unit, Call):
                self._end(code)
                code = None
                self.steps.append(unit)
                continue
            if code is None:
                code = Code(self.module, f"{self.prefix}main{self.segments}", [("ptr", "%slots")],
                            attributes=self.target.attributes)
                self.steps.append(self.segments)
                self.segments += 1
            if unit is self._first_writer:
                status = code.let(f"load i64, ptr {pointer_at(code, 2, 0)}, align 8")
                code.leave(code.let(f"icmp ne i64 {status}, 0"))
            if isinstance(unit, Region):
                self._write_region(unit, f"{self.prefix}r{number}", code)
            else:
                assert isinstance(unit, Kernel)
                work = (0, self._offset.get(("work", unit), 0))
                unit.about.write(self, unit, f"{self.prefix}k{number}", work, code)
        self._end(code)
        SEGMENTS("one" if len(self.steps) == 1 else "calls between")

    def _end(self, code: Code | None) -> None:
        if code is not None:
            self.module.functions[code.name] = code.text()

    def _write_region(self, region: Region, name: str, code: Code) -> None:
        loops, tasks = self.loops[region], self.tasks[region]
        partial = {}
        joins = []
        for step in region.steps:
            if step.combine is None:
                continue
            if self._partial(region, step):
                partial[step.out] = (0, self._offset["partial", step.out])
                if step.out in region.makes:
                    joins.append(step)
            elif step.out in self.where.slot:
                partial[step.out] = self.where.slot[step.out]
        scratch = (0, self._offset["scratch", region]) if loops.scratch else None
        nest = Nest(region, self.plan, self.where, self.module, name, partial, scratch, loops)
        function = self.module.add(nest.write())
        if tasks == 1:
            size = loops.sizes[0] if loops.sizes else 1
            code.do(f"call void {function}(ptr %slots, i64 0, i64 {size}, i64 0)")
        else:
            self._parallel(name, function, loops.sizes[0], self.chunk[region], tasks, code)
        for step in joins:
            code.do(f"call void {self._join(step, partial[step.out], tasks)}(ptr %slots)")

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

    def _join(self, step: Step, partial: tuple[int, int], tasks: int) -> str:
        """Combine what the tasks have gathered."""
        name = f"{self.prefix}join{len(self.module.functions)}"
        code = Code(self.module, name, [("ptr", "%slots")], attributes=self.target.attributes)
        dtype, goal = Nest._wide(step), name_of(step.out.dtype)
        element, count = element_of(dtype), count_of(step.out)
        size = _round(count * itemsize(dtype))
        source = pointer_at(code, *partial)
        target = self.where.pointer(code, step.out)
        one = Builder(code)
        with code.loop(0, count) as loop:
            total = None
            for task in range(tasks):
                place = code.at(code.at(source, task * size, "i8"), loop.index, element)
                x = one.load(place, dtype)
                total = x if total is None else combine(one, step.combine or "", total, x)
            assert total is not None
            total = one.narrow(total, goal) if goal in HALF else total
            one.store(total, code.at(target, loop.index, element_of(goal)))
        return self.module.add(code)


def _parts(unit: Unit) -> list[Unit]:
    tail = getattr(unit, "tail", None)
    return [unit] if tail is None else [unit, tail]


def _picks(unit: Unit) -> list[tuple[ir.Value, int, str]]:
    """Indices that a unit refuses if they are out of range, their range, what `accepted` takes."""
    if isinstance(unit, Region):
        return [(step.inputs[1], (step.inputs[0].shape or ())[step.rows[0]], "error")
                for step in unit.steps if step.rows is not None and step.rows[2] == "error"]
    roles = getattr(getattr(unit, "about", None), "roles", None)
    outside = (roles or {"outside": "skip"}).get("outside", "error")
    if roles is None or outside == "skip":
        return []
    node, rows = unit.node, unit.about.rows  # type: ignore[attr-defined]
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
    read = [root for unit in plan.units for part in _parts(unit) for root in part.reads]
    viewed = [seen.root for seen in plan.seen.values()]
    return list(dict.fromkeys(root for root in (*read, *viewed) if root.const is not None))


def _lifetimes(plan: Any) -> tuple[dict[ir.Value, float], dict[ir.Value, float]]:
    first: dict[ir.Value, float] = {}
    last: dict[ir.Value, float] = {}
    for unit in plan.units:
        for part in _parts(unit):
            for key in part.makes:
                first.setdefault(key, unit.order)
                last[key] = max(last.get(key, 0.0), unit.order)
            for key in part.reads:
                last[key] = max(last.get(key, 0.0), unit.order)
    return first, last


def _nanoseconds(region: Region, loops: Loops, target: Any) -> float:
    """About how long a region takes on one core."""
    total = 1.0
    for size in loops.sizes:
        total *= size
    weight = sum(step.weight for step in region.steps) + 2
    lanes = target.lanes(4) if loops.sizes and loops.sizes[-1] >= 4 else 1
    return 5 + total * weight / lanes * 0.2


def count_of(value: ir.Value) -> int:
    total = 1
    for n in value.shape or ():
        total *= n
    return total


def _round(size: int) -> int:
    return -(-size // 64) * 64
