"""A compiled graph: memory for its values, its code, and running it.

The code is one function `main(ptr slots)` for each stretch of the plan between two calls of
kernels. Slot 0 of the pointer table is the arena, 1 the thread pool, 2 the status word; then come
inputs, variables, outputs and constants.
"""

from __future__ import annotations

import ctypes
from typing import Any

import numpy as np

from tapeflow.base import errors
from tapeflow.core.quiet import hush, unhush
from tapeflow.core.tensor import Tensor, wrap
from tapeflow.graph import ir
from tapeflow.graph.execute import Program, attribute, place_of
from tapeflow.graph.callable import MISS
from tapeflow.graph.passes import copy
from tapeflow.jit import entry, machine, threads
from tapeflow.jit.arena import Arena
from tapeflow.jit.builder import Builder, Val, itemsize
from tapeflow.jit.code import Code, Module
from tapeflow.jit.expanding import expand
from tapeflow.jit.lowering import HALF, Lowering, Refused
from tapeflow.jit.nest import Loops, Nest, Where, across, combine, pointer_at
from tapeflow.jit.regions import Call, Kernel, Region, Step, Unit, literal_of
from tapeflow.jit.seeing import whole
from tapeflow.jit.target import host

FIRST = 3  # slots before those of inputs
TASK = 30_000  # nanoseconds that a task should take at least
LONG = 100_000  # nanoseconds from which other Python threads may run meanwhile


class Native:
    """A compiled graph. `run(arrays, variables)` gives the outputs as a tuple of bare values."""

    def __init__(self, graph: ir.Graph):
        _accept(graph)
        graph = self.graph = expand(copy(graph))
        self.target = host()
        self.threads = threads.count()
        self.module = Module(self.target)
        try:
            self._lay_out(staged=False)
        except _Late:
            self._lay_out(staged=True)
        self._place_arena()
        self.text = self._write()
        self._loaded = machine.load(self.text, _symbols())
        self._functions = [machine.void_function(self._loaded.address(f"main{i}"),
                                                 self.nanoseconds > LONG, ctypes.c_void_p)
                           for i in range(self.segments)]
        self._prepare()

    # -- where inputs, variables, outputs and constants are -----------------------------------------
    def _lay_out(self, staged: bool) -> None:
        """Units, and the places of what the caller sees."""
        lowering = Lowering(self.graph, self.target)
        self.plan, self.reasons, self._staged = lowering.plan, lowering.reasons, staged
        self.where = Where()
        self._place_ends(lowering)
        self._guard()

    def _guard(self) -> None:
        """See that indices are checked before a variable is changed: an error changes nothing."""
        plan = self.plan
        slots = set(self._variables.values())
        changed = [key for key, (slot, _) in self.where.slot.items() if slot in slots]
        initial = {id(use.initial) for use in self.graph.variables.values()}
        writers = [unit for unit in plan.units if any(
            key in part.makes for part in _parts(unit) for key in changed if key not in initial)]
        self._first_writer = writers[0] if writers else None
        if self._first_writer is None:
            return
        limit = self._first_writer.order
        for unit in list(plan.units):
            for index, size in _picks(unit) if unit.order >= limit else ():
                root = plan.look(index).root
                if plan.order_of(index) >= limit or id(root) in plan.floating:
                    if self._staged:
                        raise Refused("an index is checked after a variable has changed")
                    raise _Late
                self._check(index, size)

    def _check(self, index: ir.Value, size: int) -> None:
        plan = self.plan

        def element(b: Builder, x: Val) -> Val:
            good = b.lt(Val(b.cast(x, "int64").text, "uint64"), b.const(size, "uint64"))
            bad = across(b, "any", b.invert(good))
            code = b.code
            status = pointer_at(code, 2, 0)
            word = code.let(f"zext i1 {bad.text} to i64")
            old = code.let(f"load i64, ptr {status}, align 8")
            code.do(f"store i64 {code.let(f'or i64 {old}, {word}')}, ptr {status}, align 8")
            return good

        step = Step(plan.fresh(index.shape or (), np.dtype(bool)), (index,), element, weight=99)
        region = plan._new_region(step)
        assert self._first_writer is not None
        plan._before(region, self._first_writer)
        plan._add(region, step, plan._default(region, step))

    def _place_ends(self, lowering: Lowering) -> None:
        graph, plan, slot = self.graph, self.plan, self.where.slot
        count = FIRST
        for value in graph.inputs:
            slot[id(value)] = (count, 0)
            count += 1
        self._variables = {}
        for uid, use in graph.variables.items():
            self._variables[uid] = count
            slot[id(use.initial)] = (count, 0)
            count += 1
        self.constants: list[np.ndarray] = []
        for root in _constants(plan):
            slot[id(root)] = (count + len(graph.outputs) + len(self.constants), 0)
            self.constants.append(np.require(root.const, requirements=["C", "A"]))
        self._output = count
        for number, value in enumerate(graph.outputs):
            self._place_output(value, (count + number, 0))
        self.slots = count + len(graph.outputs) + len(self.constants)
        for uid, value in lowering.finals.items():
            self._place_final(value, graph.variables[uid].initial, (self._variables[uid], 0))
        self.written = set(lowering.finals)

    def _place_output(self, value: ir.Value, slot: tuple[int, int]) -> None:
        plan = self.plan
        seen = plan.look(value)
        root = seen.root
        if seen.whole and id(root) in plan.stored and id(root) not in self.where.slot:
            self.where.slot[id(root)] = slot
            return
        self._copy(value, slot, first=id(root) not in plan.stored)

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
        self.where.slot[id(goal)] = slot

    def _place_final(self, value: ir.Value, initial: ir.Value, slot: tuple[int, int]) -> None:
        """What a variable holds in the end is made in its place, or copied there."""
        plan = self.plan
        seen = plan.look(value)
        root = seen.root
        if root is initial and seen.whole:
            return
        free = seen.whole and id(root) in plan.stored and id(root) not in self.where.slot
        if free and not self._staged and self._in_place(root, initial):
            self.where.slot[id(root)] = slot
            return
        if id(root) not in plan.stored:  # another variable, perhaps, which may change before
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
        makers = plan.home[id(root)]
        if len(makers) != 1 or (root.shape, root.dtype) != (initial.shape, initial.dtype):
            return False
        maker = makers[0]
        for unit in plan.units:
            for part in _parts(unit):
                if id(initial) in part.reads and unit.order >= maker.order and not (
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
        if not isinstance(unit, Region) or unit.inner is not None or id(root) in unit.reduced:
            return False
        wanted = list(unit.axes[id(root)])
        for step in unit.steps:
            for position, x in enumerate(step.inputs):
                seen = self.plan.look(x)
                if seen.root is not initial:
                    continue
                if not seen.whole or step.rows is not None or step.combine is not None:
                    return False
                axes = unit.axes[id(step.out)]
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
        for key, root in plan.stored.items():
            if key not in self.where.slot:
                size = _count(root) * root.dtype.itemsize
                arena.ask(("value", key), size, first[key], last.get(key, first[key]))
        self.loops: dict[int, Loops] = {}
        self.tasks: dict[int, int] = {}
        self.chunk: dict[int, int] = {}
        self.nanoseconds = 0.0
        for unit in plan.units:
            if isinstance(unit, Region):
                self._plan_region(unit, arena)
            elif isinstance(unit, Kernel):
                size = unit.about.work(self, unit)
                self.nanoseconds += unit.about.nanoseconds
                if size:
                    arena.ask(("work", id(unit)), size, unit.order, unit.order)
        arena.settle()
        self.arena = arena.size
        for key in plan.stored:
            if key not in self.where.slot:
                self.where.slot[key] = (0, arena.offset["value", key])
        self._offset = arena.offset

    def _plan_region(self, region: Region, arena: Arena) -> None:
        loops = self.loops[id(region)] = Loops(region, self.plan)
        cost = _nanoseconds(region, loops, self.target)
        self.nanoseconds += cost
        outer = loops.sizes[0] if loops.sizes else 1
        self.chunk[id(region)], self.tasks[id(region)] = outer, 1
        if loops.split and self.threads > 1 and cost > 2 * TASK:
            unit = 64 if len(loops.sizes) == 1 else 1
            least = -(-outer // int(min(cost // TASK, 4 * self.threads)))
            chunk = self.chunk[id(region)] = -(-least // unit) * unit
            self.tasks[id(region)] = -(-outer // chunk)
            loops.parallel = self.tasks[id(region)] > 1
        if loops.scratch:
            arena.ask(("scratch", id(region)), loops.scratch * self.tasks[id(region)],
                      region.order, region.order)
        for step in region.steps:
            if self._partial(region, step):
                size = _round(_count(step.out) * itemsize(Nest._wide(step)))
                arena.ask(("partial", id(step.out)), size * self.tasks[id(region)],
                          region.order, region.order)

    def _partial(self, region: Region, step: Step) -> bool:
        """Whether a reduction is gathered apart from its place, and joined afterwards."""
        loops = self.loops[id(region)]
        if step.combine is None or not loops.sizes or loops.row(region.reduced[id(step.out)]):
            return False
        return (self.tasks[id(region)] > 1 or str(step.out.dtype) in HALF
                or id(step.out) not in region.makes)

    # -- code --------------------------------------------------------------------------------------
    def _write(self) -> str:
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
                code = Code(self.module, f"main{self.segments}", [("ptr", "%slots")],
                            attributes=self.target.attributes)
                self.steps.append(self.segments)
                self.segments += 1
            if unit is self._first_writer:
                status = code.let(f"load i64, ptr {pointer_at(code, 2, 0)}, align 8")
                code.leave(code.let(f"icmp ne i64 {status}, 0"))
            if isinstance(unit, Region):
                self._write_region(unit, f"r{number}", code)
            else:
                assert isinstance(unit, Kernel)
                work = (0, self._offset.get(("work", id(unit)), 0))
                unit.about.write(self, unit, f"k{number}", work, code)
        self._end(code)
        return self.module.text()

    def _end(self, code: Code | None) -> None:
        if code is not None:
            self.module.functions[code.name] = code.text()

    def _write_region(self, region: Region, name: str, code: Code) -> None:
        loops, tasks = self.loops[id(region)], self.tasks[id(region)]
        partial = {}
        joins = []
        for step in region.steps:
            if step.combine is None:
                continue
            if self._partial(region, step):
                partial[id(step.out)] = (0, self._offset["partial", id(step.out)])
                if id(step.out) in region.makes:
                    joins.append(step)
            elif id(step.out) in self.where.slot:
                partial[id(step.out)] = self.where.slot[id(step.out)]
        scratch = (0, self._offset["scratch", id(region)]) if loops.scratch else None
        nest = Nest(region, self.plan, self.where, self.module, name, partial, scratch, loops)
        function = self.module.add(nest.write())
        if tasks == 1:
            size = loops.sizes[0] if loops.sizes else 1
            code.do(f"call void {function}(ptr %slots, i64 0, i64 {size}, i64 0)")
        else:
            self._parallel(name, function, loops.sizes[0], self.chunk[id(region)], tasks, code)
        for step in joins:
            code.do(f"call void {self._join(step, partial[id(step.out)], tasks)}(ptr %slots)")

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
        self.module.add(task)
        pool = pointer_at(code, 1, 0)
        self.module.declare("tf_parallel", "void", "ptr", "ptr", "ptr", "i64")
        code.do(f"call void @tf_parallel(ptr {pool}, ptr @{task.name}, ptr %slots, i64 {tasks})")

    def _join(self, step: Step, partial: tuple[int, int], tasks: int) -> str:
        """Combine what the tasks have gathered."""
        code = Code(self.module, f"join{len(self.module.functions)}", [("ptr", "%slots")],
                    attributes=self.target.attributes)
        dtype, goal = Nest._wide(step), str(step.out.dtype)
        element, count = Nest._element(dtype), _count(step.out)
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
            one.store(total, code.at(target, loop.index, Nest._element(goal)))
        return self.module.add(code)

    # -- running -----------------------------------------------------------------------------------
    def _prepare(self) -> None:
        graph = self.graph
        objects: list[Any] = [(value.shape, value.dtype, FIRST + i)
                              for i, value in enumerate(graph.inputs)]
        self._kinds: list[Any] = [(value.shape, value.dtype) for value in graph.inputs]
        self._made = [(i, value.shape, value.dtype) for i, value in enumerate(graph.outputs)
                      if value.shape]
        objects += [(shape, dtype, self._output + i) for i, shape, dtype in self._made]
        variables: list[Any] = [(use.initial.shape, use.initial.dtype, self._variables[uid],
                      uid in self.written) for uid, use in graph.variables.items()]
        self._table = entry.Table(objects, variables, len(graph.inputs))
        self._numbers = [i for i, value in enumerate(graph.outputs) if not value.shape]
        self._simple = self.segments == 1 and len(self.steps) == 1 and self.nanoseconds <= LONG
        self._idle: list[Frame] = []
        self._enter = entry.enter()
        if not entry.layout().good:
            raise Refused("objects of this Python are laid out in another way")

    def run(self, arrays: list, variables: list) -> tuple:
        try:
            frame = self._idle.pop()
        except IndexError:
            frame = Frame(self)
        objects = [*arrays, *[np.empty(shape, dtype) for _, shape, dtype in self._made]]
        status = self._enter(objects, variables, frame.address)
        if status == 1:
            self._fit(objects, arrays, variables)
            status = self._enter(objects, variables, frame.address)
            if status == 1:
                raise AssertionError(f"{self.graph.name}: arguments do not fit the native code")
        if not self._simple:
            status = self._stretches(frame, objects, variables)
        if status == 2:
            self._idle.append(frame)
            self._fail(arrays, variables)
        results = self._results(frame, objects, len(arrays))
        if len(self._idle) < 2:
            self._idle.append(frame)
        return results

    def caller(self, variables: list, packed: Any) -> Any:
        """A quick call on a tuple of Tensors; it gives `MISS` if they do not fit.

        packed: makes what the user gets of a list of Tensors; None: the only Tensor.
        """
        if not self._simple:
            return None
        enter, idle, made = entry.quick(), self._idle, [one[1:] for one in self._made]
        empty, new = np.empty, object.__new__
        single = packed is None and not made

        def call(args: tuple) -> Any:
            try:
                frame = idle.pop()
            except IndexError:
                frame = Frame(self)
            state = frame.state
            if made:
                state[0] = [empty(shape, dtype) for shape, dtype in made]
            state[1] = variables
            if enter(args, state):
                return self._missed(args, variables, frame)
            if single:
                result = new(Tensor)
                result._value = frame.number[()]
                result._uid = 0
            else:
                results = [wrap(x) for x in self._results(frame, state[0], 0)]
                result = results[0] if packed is None else packed(results)
            idle.append(frame)
            return result

        return call

    def _missed(self, args: tuple, variables: list, frame: Frame) -> Any:
        self._idle.append(frame)
        if frame.status[0]:
            frame.status[0] = 0
            self._fail([x._value for x in args], variables)
        for variable, uid in zip(variables, self.graph.variables, strict=True):
            if uid in self.written:
                entry.own(variable)
        return MISS

    def _fail(self, arrays: list, variables: list) -> None:
        """An index was out of range: the NumPy executor says which, if it may run once more."""
        Program(self.graph).run(arrays, variables)  # nothing has been changed yet
        raise errors.InvalidArgumentError(
            None, None, f"{self.graph.name}: an index of a gather or scatter is out of range")

    def _results(self, frame: Frame, objects: list, begin: int) -> tuple:
        if not self._numbers:
            return tuple(objects[begin:])
        results: list[Any] = [None] * len(self.graph.outputs)
        for (i, _, _), array in zip(self._made, objects[begin:], strict=True):
            results[i] = array
        for i in self._numbers:
            results[i] = frame.numbers[i][()]
        return tuple(results)

    def _fit(self, objects: list, arrays: list, variables: list) -> None:
        """Make objects fit: copies of arrays that do not lie well, variables that are shared."""
        for i, (shape, dtype) in enumerate(self._kinds):
            objects[i] = entry.fitting(arrays[i], shape, dtype)
        for variable, uid in zip(variables, self.graph.variables, strict=True):
            if uid in self.written or not _lies_well(variable._snapshot._value):
                entry.own(variable)

    def _stretches(self, frame: Frame, objects: list, variables: list) -> int:
        frame.status[0] = 0
        held = [variable._snapshot for variable in variables]  # while others may change them
        token = hush()
        try:
            for step in self.steps:
                if isinstance(step, Call):
                    frame.call(step, objects, variables)
                else:
                    self._functions[step](frame.table)
                    if frame.status[0]:
                        return 2
        finally:
            unhush(token)
        del held
        return 0


class Frame:
    """Memory for one run at a time: arena, status, pointer table."""

    def __init__(self, program: Native):
        self.program = program
        self._memory = np.empty(program.arena + 64, np.uint8)
        shift = -self._memory.ctypes.data % 64
        self.arena = self._memory[shift:shift + program.arena]
        self.status = np.zeros(8, np.int64)
        words = (ctypes.c_size_t * (entry.FRAME + program.slots))()
        self._words = words
        self.address = ctypes.addressof(words)
        self.table = self.address + 8 * entry.FRAME
        words[1] = program._table.address
        slots = entry.FRAME
        words[slots] = self.arena.ctypes.data
        words[slots + 1] = threads.pool()
        words[slots + 2] = self.status.ctypes.data
        outputs = program.graph.outputs
        self.numbers: dict[int, np.ndarray] = {}
        for i in program._numbers:
            self.numbers[i] = np.zeros((), outputs[i].dtype)
            words[slots + program._output + i] = self.numbers[i].ctypes.data
        first = slots + program._output + len(outputs)
        for i, array in enumerate(program.constants):
            words[first + i] = array.ctypes.data
        self.state: list[Any] = [[], [], words]  # for `entry.quick`
        self.number = self.numbers[program._numbers[0]] if program._numbers else None
        if program._simple:
            words[0] = program._loaded.address("main0")

    def call(self, unit: Call, objects: list, variables: list) -> None:
        """Call a kernel on arrays that are views of the program's memory."""
        node = unit.node
        operands = [self._array(x, objects, variables) for x in node.inputs]
        attrs = {key: attribute(self._array(attr, objects, variables))
                 if isinstance(attr, ir.Value) else attr for key, attr in node.attrs.items()}
        try:
            found = node.op.kernel(*operands, **attrs)
        except Exception as error:
            try:
                found = node.op.recover(error, tuple(operands), attrs)
            except Exception as told:
                if node.where is not None:
                    told.add_note(place_of(node.op, *node.where))
                raise
        for value, result in zip(node.outputs, found if node.op.multi else (found,), strict=True):
            self._array(value, objects, variables)[...] = result

    def _array(self, value: ir.Value, objects: list, variables: list) -> np.ndarray:
        seen = self.program.plan.look(value)
        root = seen.root
        if root.const is not None:
            base = np.asarray(root.const)
        else:
            base = self._root(root, objects, variables)
        if seen.whole:
            return base.reshape(seen.shape)
        size = base.dtype.itemsize
        flat = base.reshape(-1)[seen.offset:]
        return np.lib.stride_tricks.as_strided(flat, seen.shape, [s * size for s in seen.strides])

    def _root(self, root: ir.Value, objects: list, variables: list) -> np.ndarray:
        program = self.program
        slot, offset = program.where.slot[id(root)]
        if slot == 0:
            size = _count(root) * root.dtype.itemsize
            return self.arena[offset:offset + size].view(root.dtype).reshape(root.shape)
        at = slot - FIRST
        if at < len(program.graph.inputs):
            return np.asarray(objects[at])
        if slot < program._output:
            return np.asarray(variables[at - len(program.graph.inputs)]._snapshot._value)
        number = slot - program._output
        if number in self.numbers:
            return self.numbers[number]
        place = next(k for k, (i, _, _) in enumerate(program._made) if i == number)
        return objects[len(program.graph.inputs) + place]


class _Late(Exception):
    """An index is known only after a variable has changed."""


def _parts(unit: Unit) -> list[Unit]:
    tail = getattr(unit, "tail", None)
    return [unit] if tail is None else [unit, tail]


def _picks(unit: Unit) -> list[tuple[ir.Value, int]]:
    """Indices that a unit refuses if they are out of range, and their range."""
    if isinstance(unit, Region):
        return [(step.inputs[1], (step.inputs[0].shape or ())[step.rows[0]])
                for step in unit.steps if step.rows is not None and step.rows[2] == "error"]
    roles = getattr(getattr(unit, "about", None), "roles", None)
    if roles is None or roles.get("outside", "error") != "error":
        return []
    return [(unit.node.inputs[roles["indices"]], unit.about.rows)]  # type: ignore[attr-defined]


def _accept(graph: ir.Graph) -> None:
    for value in graph.values():
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
        if node.op.stateful and node.op.kind != "random" and not node.attrs.get("variable"):
            raise Refused(f"{node.op.name} has an effect")


def _constants(plan: Any) -> list[ir.Value]:
    """Constants that are read from memory, once each."""
    found: dict[int, ir.Value] = {}
    for unit in plan.units:
        for part in _parts(unit):
            for root in part.reads.values():
                if root.const is not None:
                    found[id(root)] = root
    for seen in list(plan.seen.values()):
        if seen.root.const is not None and literal_of(seen.root) is None:
            found[id(seen.root)] = seen.root
        elif seen.root.const is not None:
            found.setdefault(id(seen.root), seen.root)
    return list(found.values())


def _lifetimes(plan: Any) -> tuple[dict[int, float], dict[int, float]]:
    first: dict[int, float] = {}
    last: dict[int, float] = {}
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


def _lies_well(value: Any) -> bool:
    return not isinstance(value, np.ndarray) or (value.flags.c_contiguous and value.flags.aligned)


def _count(value: ir.Value) -> int:
    total = 1
    for n in value.shape or ():
        total *= n
    return total


def _round(size: int) -> int:
    return -(-size // 64) * 64


def _symbols() -> dict[str, int]:
    from tapeflow.jit import vector_math
    return {**threads.symbols(), **getattr(vector_math, "symbols", dict)()}
