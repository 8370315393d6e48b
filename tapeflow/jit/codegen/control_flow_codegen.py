"""Loops and branches in native code: their bodies are functions of the same module.

A body is compiled as a graph of its own, with a pointer table of its own in the outer arena. What a
loop carries is state to the body, like a variable: it is changed in place, in the loop's result.
So are variables that branches update, in the variables' own memory: skipping moves nothing.
A loop whose rows do not look at each other (`rows`) has a table and an arena for each part of them.
"""

from __future__ import annotations

from typing import Any

from tapeflow.core.record import lowering_forms as forms
from tapeflow.graph import ir
from tapeflow.graph.control_flow.loop_spec import LoopSpec
from tapeflow.jit.choices import Choice
from tapeflow.jit.codegen.addressing import pointer_at
from tapeflow.jit.codegen.builder import itemsize, name_of
from tapeflow.jit.codegen.llvm_text import Code
from tapeflow.jit.lowering.plan import CustomKernel, State
from tapeflow.jit.lowering.supported import Refused
from tapeflow.jit.passes.loops.parallelism import divided
from tapeflow.jit.passes.loops.trip_count import trip_count
from tapeflow.jit.runtime.arena import aligned_size
from tapeflow.jit.runtime.target import Target

UNKNOWN_TRIPS = 20  # for estimates
LOOP = Choice("control.loop", ("counted", "reverse", "while", "while, bounded"))
UPDATE = Choice("control.update", (False, True))  # whether a branch changes a variable in its place


class _Body:
    """A body's code, and where its table and arena are in the working memory."""

    def __init__(self, compiled: Any, begin: int):
        self.compiled = compiled
        self.table = begin
        self.arena = begin + aligned_size(8 * compiled.slots)
        self.end = self.arena + aligned_size(max(compiled.arena, 1))

    def begin(self, program: Any, code: Code, work: str) -> str:
        """Fill what stays the same in the table; gives the table's address."""
        table = code.at(work, self.table, "i8")
        _put(code, table, 0, code.at(work, self.arena, "i8"))
        _put(code, table, 1, pointer_at(code, 1, 0))
        _put(code, table, 2, pointer_at(code, 2, 0))
        first = self.compiled.first_constant
        for i, slot in enumerate(program.constant_slots(self.compiled)):
            _put(code, table, first + i, pointer_at(code, slot, 0))
        return table

    def run(self, code: Code, table: str) -> None:
        code.do(f"call void @{self.compiled.prefix}main0(ptr {table})")


def _put(code: Code, table: str, slot: int, pointer: str) -> None:
    code.do(f"store ptr {pointer}, ptr {code.at(table, slot, 'ptr')}, align 8")


def _size(value: ir.Value) -> int:
    total = value.dtype.itemsize
    for n in value.shape or ():
        total *= n
    return total


def _compile(lowering: Any, node: ir.Node, graph: ir.Graph, word: str, state: State = ()) -> Any:
    """A body in the module of the graph around it; a text if it cannot be."""
    position = next(i for i, one in enumerate(lowering.graph.nodes) if one is node)
    if graph.variables:
        return "a body uses variables"
    try:
        found = lowering.compile_body(graph, f"{word}{position}.", state)
    except Refused as error:
        return str(error)
    if found.reasons or found.segments != 1:
        name, why = next(iter(found.reasons.items()), ("nothing", "to do"))
        return f"{name} in the body: {why}"
    return found


def _source(program: Any, code: Code, value: ir.Value) -> str:
    """The address of an operand that lies in memory as a whole."""
    view = program.plan.view_of(value)
    return code.at(program.addresses.pointer(code, view.buffer),
                   view.offset * itemsize(name_of(value.dtype)), "i8")


# -- loops -----------------------------------------------------------------------------------------
class LoopImpl:
    """A loop; `LoopSpec` tells the order of operands and results."""

    epilogue = False
    inputs: tuple  # the operands, each in memory as a whole

    def __init__(self, node: ir.Node, body: Any, condition: Any, trips: int | None,
                 parts: int = 1):
        self.node, self.spec, self.trips, self.parts = node, LoopSpec(**node.attrs), trips, parts
        self.body = _Body(body, 0)
        self.condition = None if condition is None else _Body(condition, self.body.end)
        self.flag = (self.condition or self.body).end
        self.nanoseconds = body.nanoseconds * (trips or UNKNOWN_TRIPS) * parts
        self.text = f"loop of {'?' if trips is None else trips} iterations"
        if parts > 1:
            self.text += f", rows in {parts} parts"
        self.risky = body.risky or (condition is not None and condition.risky)

    def work(self, kernel: CustomKernel, target: Target, threads: int) -> int:
        return (self.flag + 64) * self.parts

    def write(self, program: Any, kernel: CustomKernel, name: str, work: tuple[int, int],
              code: Code) -> None:
        module = program.module
        inner = Code(module, name, [("ptr", "%slots"), ("i64", "%task")],
                     attributes=module.target.attributes)
        self._write(program, inner, inner.at(pointer_at(inner, *work), self._share(
            inner, (self.flag + 64) * self.parts), "i8"))
        function = module.add(inner)
        if self.parts == 1:
            code.do(f"call void {function}(ptr %slots, i64 0)")
            return
        module.declare("tf_parallel", "void", "ptr", "ptr", "ptr", "i64")
        code.do(f"call void @tf_parallel(ptr {pointer_at(code, 1, 0)}, ptr {function}, ptr %slots, "
                f"i64 {self.parts})")

    def _share(self, code: Code, size: int) -> str:
        """Where the part of this task begins in something of so many bytes."""
        return "0" if self.parts == 1 else code.mul("%task", size // self.parts)

    def _write(self, program: Any, code: Code, work: str) -> None:
        node, spec = self.node, self.spec
        table = self.body.begin(program, code, work)
        tested = None if self.condition is None else self.condition.begin(program, code, work)
        code.module.declare("llvm.memcpy.p0.p0.i64", "void", "ptr", "ptr", "i64", "i1")
        first = 3  # of the inputs' slots
        for i in range(spec.n_carry):
            size = _size(self.inputs[i])
            begin = self._share(code, size)
            goal = code.at(program.addresses.pointer(code, node.outputs[i]), begin, "i8")
            source = code.at(_source(program, code, self.inputs[i]), begin, "i8")
            code.do(f"call void @llvm.memcpy.p0.p0.i64(ptr {goal}, ptr {source}, "
                    f"i64 {size // self.parts}, i1 false)")
            _put(code, table, first + i, goal)
            if tested is not None:
                _put(code, tested, first + i, goal)
        for i in range(spec.n_iterated, len(self.inputs)):
            source = _source(program, code, self.inputs[i])
            _put(code, table, first + i, source)
            if tested is not None:
                _put(code, tested, first + i - spec.n_seq, source)
        if tested is not None:
            assert self.condition is not None
            flag = code.at(work, self.flag, "i8")
            _put(code, tested, self.condition.compiled.first_output, flag)
            bound = self.trips is not None or spec.limit is not None
            LOOP("while, bounded" if bound else "while")
            self._while(code, table, tested, flag, program)
            return
        LOOP("reverse" if spec.reverse else "counted")
        with code.loop(0, self.trips or 0) as loop:
            at = loop.index
            if spec.reverse:
                at = code.pure(f"sub i64 {(self.trips or 1) - 1}, {at}")
            self._iteration(program, code, table, at)

    def _iteration(self, program: Any, code: Code, table: str, at: str) -> None:
        """Slices of the sequences, addresses of what is collected, and the body."""
        spec = self.spec
        for i in range(spec.n_carry, spec.n_iterated):
            stride = _size(self.inputs[i]) // (self.inputs[i].shape or (1,))[0]
            source = code.at(_source(program, code, self.inputs[i]), self._share(code, stride),
                             "i8")
            _put(code, table, 3 + i, code.at(source, code.mul(at, stride), "i8"))
        made = self.body.compiled.first_output
        for j, value in enumerate(self.node.outputs[spec.n_carry:]):
            stride = _size(value) // (value.shape or (1,))[0]
            goal = code.at(program.addresses.pointer(code, value), self._share(code, stride), "i8")
            _put(code, table, made + j, code.at(goal, code.mul(at, stride), "i8"))
        self.body.run(code, table)

    def _while(self, code: Code, table: str, tested: str, flag: str, program: Any) -> None:
        test, body, done = code.label("test"), code.label("body"), code.label("over")
        before = code.block
        code.do(f"br label %{test}")
        code.start(test)
        top = len(code.lines)
        index, following = code.name_for("n"), code.name_for("n")
        assert self.condition is not None
        self.condition.run(code, tested)
        on = code.let(f"load i8, ptr {flag}, align 1")
        go = code.let(f"icmp ne i8 {on}, 0")
        status = code.let(f"load i64, ptr {pointer_at(code, 2, 0)}, align 8")
        fine = code.let(f"icmp eq i64 {status}, 0")  # a body that has failed changes nothing more
        go = code.let(f"and i1 {go}, {fine}")
        bound = self.spec.limit if self.trips is None else self.trips
        if bound is not None:
            more = code.let(f"icmp slt i64 {index}, {int(bound)}")
            go = code.let(f"and i1 {go}, {more}")
        code.do(f"br i1 {go}, label %{body}, label %{done}")
        code.start(body)
        with code.scope():
            self._iteration(program, code, table, index)
        code.do(f"{following} = add i64 {index}, 1")
        last = code.block
        code.do(f"br label %{test}")
        code.lines.insert(top, f"  {index} = phi i64 [ 0, %{before} ], [ {following}, %{last} ]")
        code.start(done)


def loop(lowering: Any, node: ir.Node, form: forms.Loop) -> LoopImpl | str:
    spec = LoopSpec(**node.attrs)
    if spec.limit is not None and not isinstance(spec.limit, int):
        return "the limit is known only at run time"
    parts, graph = divided(node, trip_count(node)) or (1, spec.body.graph)
    body = _compile(lowering, node, graph, "b", tuple((i, i) for i in range(spec.n_carry)))
    if isinstance(body, str):
        return body
    condition = None
    if spec.condition is not None:
        condition = _compile(lowering, node, spec.condition.graph, "c")
        if isinstance(condition, str):
            return condition
    trips = None
    if spec.n_seq:
        trips = (node.inputs[spec.n_carry].shape or (None,))[0]
    elif len(node.outputs) > spec.n_carry:
        trips = (node.outputs[spec.n_carry].shape or (None,))[0]
    if condition is None and not trips:
        return "no iterations"
    return LoopImpl(node, body, condition, trips, parts)


# -- branches --------------------------------------------------------------------------------------
class BranchImpl:
    """One of several bodies, by an index.

    state    which operands, behind the index, are changed in place, and to which results
    updates  these results -> their operands; a body looks at all its indices before it changes any
    """

    epilogue = False
    inputs: tuple

    def __init__(self, node: ir.Node, bodies: list[Any], state: State):
        self.node, self.bodies, self.state, end = node, [], dict(state), 0
        self.updates = {node.outputs[o]: node.inputs[1 + i] for i, o in state}
        for compiled in bodies:
            self.bodies.append(_Body(compiled, end))
            end = self.bodies[-1].end
        self.end = end
        self.nanoseconds = max(one.nanoseconds for one in bodies)
        self.text = f"one of {len(bodies)} branches"
        self.risky = any(one.risky for one in bodies)

    def work(self, kernel: CustomKernel, target: Target, threads: int) -> int:
        return self.end

    def write(self, program: Any, kernel: CustomKernel, name: str, work: tuple[int, int],
              code: Code) -> None:
        inner = Code(program.module, name, [("ptr", "%slots")],
                     attributes=program.module.target.attributes)
        memory = pointer_at(inner, *work)
        node = self.node
        kind = name_of(self.inputs[0].dtype)
        bits = 8 * itemsize(kind)
        index = inner.let(f"load i{bits}, ptr {_source(program, inner, self.inputs[0])}")
        labels = [inner.label("branch") for _ in self.bodies]
        cases = " ".join(f"i{bits} {i}, label %{label}" for i, label in enumerate(labels[:-1]))
        sources = [_source(program, inner, value) for value in self.inputs[1:]]
        goals = [program.addresses.pointer(inner, value) for value in node.outputs]
        for i, o in self.state.items():
            self._move(program, inner, i, o, sources[i], goals[o])
            sources[i] = goals[o]
        results = [goal for o, goal in enumerate(goals) if o not in self.state.values()]
        done = inner.label("chosen")
        inner.do(f"switch i{bits} {index}, label %{labels[-1]} [ {cases} ]")
        for body, label in zip(self.bodies, labels, strict=True):
            inner.start(label)
            with inner.scope():
                table = body.begin(program, inner, memory)
                for i, source in enumerate(sources):
                    _put(inner, table, 3 + i, source)
                for i, goal in enumerate(results):
                    _put(inner, table, body.compiled.first_output + i, goal)
                body.run(inner, table)
            inner.do(f"br label %{done}")
        inner.start(done)
        code.do(f"call void {program.module.add(inner)}(ptr %slots)")

    def _move(self, program: Any, code: Code, operand: int, result: int, source: str,
              goal: str) -> None:
        """What is changed in place lies where the result is made, or is copied there."""
        slots, value = program.addresses.slot, self.inputs[1 + operand]
        if slots[program.plan.view_of(value).buffer] != slots[self.node.outputs[result]]:
            code.module.declare("llvm.memcpy.p0.p0.i64", "void", "ptr", "ptr", "i64", "i1")
            code.do(f"call void @llvm.memcpy.p0.p0.i64(ptr {goal}, ptr {source}, "
                    f"i64 {_size(value)}, i1 false)")


def branch(lowering: Any, node: ir.Node, form: forms.Branch) -> BranchImpl | str:
    state = _updates(lowering, node)
    bodies = []
    for i, one in enumerate(node.attrs["branches"]):
        compiled = _compile(lowering, node, one.graph, f"x{i}.", state)
        if isinstance(compiled, str):
            return compiled
        bodies.append(compiled)
    return BranchImpl(node, bodies, state)


def _updates(lowering: Any, node: ir.Node) -> State:
    """(operand, result) of each variable that the branches read and give a new value."""
    results = {value: o for o, value in enumerate(node.outputs)}
    views = [lowering.plan.view_of(x) for x in node.inputs]
    buffers = [view.buffer for view in views]
    found: dict[int, int] = {}  # result -> operand
    for i, view in enumerate(views[1:]):
        final = lowering.updates.get(view.buffer)
        o = results.get(final, -1)
        may = o >= 0 and o not in found and view.whole and buffers.count(view.buffer) == 1 and (
            (view.buffer.shape, view.buffer.dtype) == (final.shape, final.dtype))
        if UPDATE(may, (False, may)):
            found[o] = i
    return tuple((i, o) for o, i in found.items())
