"""A compiled graph in this process: its machine code, and running it."""

from __future__ import annotations

import ctypes
import sys
import threading
from typing import Any

import numpy as np

from tapeflow.base import errors
from tapeflow.base.origins import from_library, unsignalled
from tapeflow.core.quiet import hush, unhush
from tapeflow.core.turns import PIPELINES_READ, alone, started, taking_turns
from tapeflow.core.variable import twin_of
from tapeflow.graph import ir
from tapeflow.graph.callable import MISS
from tapeflow.graph.execute import Program, attribute, explain
from tapeflow.jit import entry, kept, machine, threads
from tapeflow.jit.choices import Choice
from tapeflow.jit.code import Module
from tapeflow.jit.compiled import FIRST, Compiled, count_of
from tapeflow.jit.gate import planning, settle
from tapeflow.jit.lowering import Refused
from tapeflow.jit.regions import Call
from tapeflow.jit.target import host

# What is kept of a program beside its code.
KEPT = ("arena", "slots", "segments", "steps", "nanoseconds", "constants", "threads", "_output")
ENTRY = Choice("program.entry", ("in one", "in stretches"))
RESULTS = Choice("program.results", ("new", "kept"))  # memory of results
CALLER = Choice("program.caller", ("none", "one result", "packed"))
OUTPUT = Choice("program.output", ("array", "number", "truth"))  # that a quick call makes
ATTEMPTS = 8  # at finding variables that nobody else holds or changes
LONG = 100_000  # nanoseconds from which other Python threads may run meanwhile


COMPILING = ("tapeflow-",)  # how names of threads begin that read no variables
OURS = (*COMPILING, "tf_data")  # the same, unless a function of a dataset reads one
LARGE, LARGEST = 1 << 18, 1 << 26  # bytes of a result whose memory is kept for the next one


def _taken(arrays: list) -> tuple[Any, int]:
    """The array in a list, and how many hold it. No two threads take the same."""
    array = arrays.pop()
    return array, sys.getrefcount(array)


_ALONE = _taken([np.empty(1)])[1]  # of an array that nobody else holds


def _unused(arrays: list) -> Any:
    """The array in a list of at most one, if nobody else holds it."""
    try:
        array, holders = _taken(arrays)
    except unsignalled(IndexError):
        return None
    return array if holders == _ALONE else None


class Native(Compiled):
    """A compiled graph. `run(arrays, variables)` gives the outputs as a tuple of bare values."""

    def __init__(self, graph: ir.Graph, reuse: bool = True):
        """reuse: keep memory of large results for the next call."""
        self._reuse = reuse
        self._source = graph  # as it was traced: what it raises tells of the user's ops
        try:
            with planning():
                self._make(graph)
        except BaseException:
            settle()
            raise

    def _make(self, graph: ir.Graph) -> None:
        if not entry.layout().good:
            raise Refused("objects of this Python are laid out in another way")
        key = kept.key_of(graph, threads.count())
        about = kept.load(key)
        if about is None:
            super().__init__(graph, Module(host()))
            data = self._objects()
            if self.segments == 1 and len(self.steps) == 1:
                kept.save(key, {**{name: getattr(self, name) for name in KEPT}, "objects": data,
                                "written": [uid in self.written for uid in graph.variables]})
        else:
            self._restore(graph, about)
            data = about["objects"]
        self._loaded = self._load(data)
        self._functions = [machine.void_function(self._loaded.address(f"main{i}"),
                                                 self.nanoseconds > LONG, ctypes.c_void_p)
                           for i in range(self.segments)]
        self._prepare()

    def _objects(self) -> list[bytes]:
        """The module as object files that refer to each other."""
        return machine.objects_of(self.module.texts(threads.count()))

    def _load(self, data: list[bytes]) -> machine.Loaded:
        return machine.load_objects(data, _symbols())

    def _restore(self, graph: ir.Graph, about: dict[str, Any]) -> None:
        """What running needs of a program that was compiled before."""
        self.graph = graph
        for name in KEPT:
            setattr(self, name, about[name])
        first = FIRST + len(graph.inputs)
        self._variables = {uid: first + i for i, uid in enumerate(graph.variables)}
        self.written = {uid for uid, mark in zip(graph.variables, about["written"], strict=True)
                        if mark}
        self.reasons = {}

    def __getattr__(self, name: str) -> Any:
        """The plan of a program that was loaded, for those who ask for it."""
        if name not in ("module", "plan", "loops", "tasks", "target", "where"):
            raise AttributeError(name)
        whole = Compiled(self.graph, Module(host()))
        for one in ("module", "plan", "loops", "tasks", "target", "where"):
            setattr(self, one, getattr(whole, one))
        return getattr(self, name)

    @property
    def calls(self) -> int:
        """How many kernels are called between native stretches."""
        return sum(isinstance(step, Call) for step in self.steps)

    @property
    def text(self) -> str:
        """The code as LLVM's text."""
        return self.module.text()

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
        simple = self.segments == 1 and len(self.steps) == 1 and self.nanoseconds <= LONG
        self._simple = ENTRY("in one" if simple else "in stretches", (
            "in stretches", "in one" if simple else "in stretches")) == "in one"
        self._apart = bool(self.written) and not self._simple
        self._idle: list[Frame] = []
        self._enter = entry.enter()
        sizes = [int(np.prod(shape)) * dtype.itemsize for _, shape, dtype in self._made]
        self._spare_sizes = [
            RESULTS("kept" if self._reuse and LARGE <= size <= LARGEST else "new",
                    ("new", "kept" if self._reuse else "new")) == "kept" for size in sizes]
        self._spare: list[list[np.ndarray]] = [[] for _ in sizes]

    def _new_results(self) -> list:
        """Arrays for results. A large one that nobody holds any more serves again: its memory is
        mapped already."""
        results = []
        for i, (_, shape, dtype) in enumerate(self._made):
            if not self._spare_sizes[i]:
                results.append(np.empty(shape, dtype))
                continue
            spare = self._spare[i]
            array = _unused(spare)
            if array is None:
                array = np.empty(shape, dtype)
            results.append(array)
            spare.append(array)
        return results

    def run(self, arrays: list, variables: list) -> tuple:
        try:
            if self._apart and _accompanied():
                return self._beside(arrays, variables)
            return self._run(arrays, variables)
        except MemoryError as error:
            if not from_library(error):
                raise
            raise errors.exhausted(self.graph.name, str(error)) from None

    def _beside(self, arrays: list, variables: list) -> tuple:
        """Change copies of variables while other threads may read those, then let them change."""
        changed = [variable for variable, uid in zip(variables, self.graph.variables, strict=True)
                   if uid in self.written]
        return taking_turns(changed, lambda: self._on_copies(arrays, variables))

    def _on_copies(self, arrays: list, variables: list) -> tuple:
        held = [variable._snapshot for variable in variables]  # so that nobody changes them
        copies = [twin_of(variable, variable._snapshot._value.copy()) if uid in self.written
                  else variable
                  for variable, uid in zip(variables, self.graph.variables, strict=True)]
        results = self._run(arrays, copies)
        for variable, copy in zip(variables, copies, strict=True):
            if copy is not variable:
                variable._swap(copy._snapshot._value)
        del held
        return results

    def _run(self, arrays: list, variables: list) -> tuple:
        try:
            frame = self._idle.pop()
        except unsignalled(IndexError):
            frame = Frame(self)
        objects = [*arrays, *self._new_results()]
        for _ in range(ATTEMPTS):
            status = self._enter(objects, variables, frame.address)
            if status == 1:
                if not self._fit(objects, arrays, variables):
                    self._idle.append(frame)
                    return Program(self._source).run(arrays, variables)
                continue
            if self._simple:
                break
            held = [variable._snapshot for variable in variables]  # while others may change them
            if frame.finds(held):
                status = self._stretches(frame, objects, variables)
                break
        else:  # other threads read or change the variables all the time
            self._idle.append(frame)
            return Program(self._source).run(arrays, variables)
        if status == 2:
            self._idle.append(frame)
            self._fail(arrays, variables)
        results = self._results(frame, objects, len(arrays))
        if len(self._idle) < 2:
            self._idle.append(frame)
        return results

    def caller(self, variables: list, packed: Any, left: Any) -> Any:
        """A quick call on a tuple of Tensors; it gives `MISS` if they do not fit.

        packed: makes what the user gets of a list of Tensors; None: the only Tensor.
        left: counts down; at 0 every call is a miss.
        """
        if not self._simple or any(self._spare_sizes):
            CALLER("none")
            return None
        for value in self.graph.outputs:
            OUTPUT("array" if value.shape else "truth" if value.dtype.kind == "b" else "number")
        outputs = [(value.shape, value.dtype, self._output + i)
                   for i, value in enumerate(self.graph.outputs)]
        single = packed is None and len(outputs) == 1
        CALLER("one result" if single else "packed")
        found = entry.quick(Frame(self), variables, outputs, single, MISS, left)
        if single:
            return found
        packed = packed or (lambda results: results[0])

        def call(args: tuple) -> Any:
            results = found(args)
            return results if results is MISS else packed(results)

        return call

    def _fail(self, arrays: list, variables: list) -> None:
        """An index was out of range: the NumPy executor says which, if it may run once more."""
        Program(self._source).run(arrays, variables)  # nothing has been changed yet
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

    def _fit(self, objects: list, arrays: list, variables: list) -> bool:
        """Make objects fit: copies of arrays that do not lie well, variables that are shared.

        False if an argument is none of these (what nested loops save for their gradients).
        """
        for i, (shape, dtype) in enumerate(self._kinds):
            if (arrays[i].shape, arrays[i].dtype) != (shape, dtype):
                return False
            objects[i] = entry.fitting(arrays[i], shape, dtype)
        for variable, uid in zip(variables, self.graph.variables, strict=True):
            if uid in self.written or not _lies_well(variable._snapshot._value):
                entry.own(variable)
        return True

    def _stretches(self, frame: Frame, objects: list, variables: list) -> int:
        frame.status[0] = 0
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
        if program._simple:
            words[0] = program._loaded.address("main0")

    def finds(self, snapshots: list) -> bool:
        """Whether what variables hold is still where it was when addresses were taken."""
        first = entry.FRAME + FIRST + len(self.program.graph.inputs)
        return all(self._words[first + i] == entry.address_of(snapshot._value)
                   for i, snapshot in enumerate(snapshots))

    def call(self, unit: Call, objects: list, variables: list) -> None:
        """Call a kernel on arrays that are views of the program's memory."""
        node = unit.node
        operands = [self._array(x, objects, variables) for x in node.inputs]
        attrs = {key: attribute(self._array(attr, objects, variables))
                 if isinstance(attr, ir.Value) else attr for key, attr in node.attrs.items()}
        try:
            found = node.op.kernel(*operands, **attrs)
        except unsignalled(Exception) as error:
            found = explain(node.op, error, tuple(operands), attrs, node.where)
        for value, result in zip(node.outputs, found if node.op.multi else (found,), strict=True):
            place = self._array(value, objects, variables)
            if place.shape != result.shape:  # assigning would repeat rows
                raise errors.invalid(node.op.tf_name, f"a result of shape {result.shape} where "
                                                      f"{place.shape} is expected")
            place[...] = result

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
            size = count_of(root) * root.dtype.itemsize
            return self.arena[offset:offset + size].view(root.dtype).reshape(root.shape)
        at = slot - FIRST
        if at < len(program.graph.inputs):
            return np.asarray(objects[at])
        if slot < program._output:
            return _in_place(variables[at - len(program.graph.inputs)]._snapshot._value)
        number = slot - program._output
        if number in self.numbers:
            return self.numbers[number]
        place = next(k for k, (i, _, _) in enumerate(program._made) if i == number)
        return objects[len(program.graph.inputs) + place]


def _accompanied() -> bool:
    """Whether there are threads beside this one that may look at variables."""
    if alone():
        return False
    mine, known = threading.current_thread(), threading.enumerate()
    ours = COMPILING if PIPELINES_READ else OURS
    # Threads that were not started by `threading` are not known to it.
    return len(known) <= started() or any(
        one is not mine and not one.name.startswith(ours) for one in known)


def _in_place(value: Any) -> np.ndarray:
    """The memory of what a variable holds as an array: of a scalar, too, what is written stays."""
    if isinstance(value, np.ndarray):
        return value
    memory = (ctypes.c_char * value.dtype.itemsize).from_address(entry.address_of(value))
    return np.frombuffer(memory, value.dtype).reshape(())


def _lies_well(value: Any) -> bool:
    return not isinstance(value, np.ndarray) or (value.flags.c_contiguous and value.flags.aligned)


def _symbols() -> dict[str, int]:
    from tapeflow.jit import vector_math
    return {**threads.symbols(), **getattr(vector_math, "symbols", dict)()}
