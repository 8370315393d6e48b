"""A compiled graph in this process: its machine code, and running it."""

from __future__ import annotations

import ctypes
import threading
from collections.abc import Callable
from typing import Any

import numpy as np

from tapeflow.base import errors
from tapeflow.base.exception_origin import from_library, unsignalled
from tapeflow.core.fp_errors import ignore_fp_errors, restore_fp_errors
from tapeflow.core.values.variable import twin_of
from tapeflow.core.values.variable_locks import PIPELINES_READ, alone, started, with_update_locks
from tapeflow.graph import ir
from tapeflow.graph.executor.interface import MISS
from tapeflow.graph.executor.numpy_executor import Program
from tapeflow.jit.choices import Choice
from tapeflow.jit.codegen.emit import CompiledFunction
from tapeflow.jit.lowering.binding import FIRST_INPUT
from tapeflow.jit.runtime import llvm_backend, thread_pool
from tapeflow.jit.runtime.frame import Frame
from tapeflow.jit.runtime.image_cache.image import BoundCall, Image
from tapeflow.jit.runtime.native_call import call_stub
from tapeflow.jit.runtime.result_memory import ResultMemory
from tapeflow.jit.verification.reference_run import random_streams

ENTRY = Choice("executable.entry", ("in one", "in segments"))
CALLER = Choice("executable.caller", ("none", "one result", "packed"))
OUTPUT = Choice("executable.output", ("array", "scalar", "bool"))  # that a direct call makes
ATTEMPTS = 8  # at finding variables that nobody else holds or changes
LONG = 100_000  # nanoseconds from which other Python threads may run meanwhile

COMPILING = ("tapeflow-",)  # how names of threads begin that read no variables
OURS = (*COMPILING, "tf_data")  # the same, unless a function of a dataset reads one


class Executable:
    """A compiled graph. `run(arrays, variables)` gives the outputs as a tuple of bare values.

    graph   what was compiled; `source`: as it was traced, so that errors tell of the user's ops
    image   its machine code, and what running it needs
    """

    def __init__(self, graph: ir.Graph, source: ir.Graph, image: Image,
                 code: llvm_backend.LoadedCode, planned: Callable[[], CompiledFunction],
                 reuse: bool):
        """code: the image's, loaded; planned: gives the values of the compiler's stages; reuse: see
        `ResultMemory`."""
        self.graph, self.image, self._source, self._planned = graph, image, source, planned
        self.written = {uid for uid, mark in zip(graph.variables, image.written, strict=True)
                        if mark}
        self._code = code
        self._functions = [llvm_backend.void_function(
            code.address(f"main{i}"), image.nanoseconds > LONG, ctypes.c_void_p)
            for i in range(image.segments)]
        self._results = ResultMemory(graph, reuse)
        self._scalars = [i for i, value in enumerate(graph.outputs) if not value.shape]
        self._table = self._binding_table()
        simple = image.one_segment and image.nanoseconds <= LONG
        self._simple = ENTRY("in one" if simple else "in segments", (
            "in segments", "in one" if simple else "in segments")) == "in one"
        self._apart = bool(self.written) and not self._simple
        self._streams = (random_streams(graph) or []) if self.calls else []
        self._idle: list[Frame] = []
        self._enter = call_stub.run_on_objects()

    def _binding_table(self) -> call_stub.BindingTable:
        """What arguments, results and variables must be like, and their slots."""
        graph, image = self.graph, self.image
        objects = [(value.shape, value.dtype, FIRST_INPUT + i)
                   for i, value in enumerate(graph.inputs)]
        objects += [(shape, dtype, image.first_output + i)
                    for i, shape, dtype in self._results.arrays]
        slots = image.variable_slots(graph)
        variables = [(use.initial.shape, use.initial.dtype, slots[uid], uid in self.written)
                     for uid, use in graph.variables.items()]
        return call_stub.BindingTable(objects, variables, len(graph.inputs))  # type: ignore[arg-type]

    def _new_frame(self) -> Frame:
        entry = "main0" if self._simple else None
        return Frame(self.graph, self.image, self._table, self._code, entry)

    # -- what it is --------------------------------------------------------------------------------
    @property
    def calls(self) -> int:
        """How many NumPy kernels are called between segments of native code."""
        return sum(isinstance(step, BoundCall) for step in self.image.steps)

    @property
    def reasons(self) -> dict[str, str]:
        """By op: why its NumPy kernel is called."""
        return self.image.reasons

    @property
    def nanoseconds(self) -> float:
        """About how long a run takes on one core."""
        return self.image.nanoseconds

    @property
    def function(self) -> CompiledFunction:
        """What the stages of the compiler made."""
        return self._planned()

    @property
    def text(self) -> str:
        """The code as LLVM's text."""
        return self.function.module.text()

    # -- running -----------------------------------------------------------------------------------
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
        return with_update_locks(changed, lambda: self._on_copies(arrays, variables))

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
            frame = self._new_frame()
        objects = [*arrays, *self._results.new()]
        for _ in range(ATTEMPTS):
            status = self._enter(objects, variables, frame.address)
            if status == 1:
                if not self._make_bindable(objects, arrays, variables):
                    self._idle.append(frame)
                    return Program(self._source).run(arrays, variables)
                continue
            if self._simple:
                break
            held = [variable._snapshot for variable in variables]  # while others may change them
            if frame.finds(held):
                status = self._run_steps(frame, objects, variables)
                break
        else:  # other threads read or change the variables all the time
            self._idle.append(frame)
            return Program(self._source).run(arrays, variables)
        if status == 2:
            self._idle.append(frame)
            return Program(self._source).run(arrays, variables)  # nothing has been changed yet
        results = self._gathered(frame, objects, len(arrays))
        if len(self._idle) < 2:
            self._idle.append(frame)
        return results

    def caller(self, variables: list, packed: Any, left: Any) -> Any:
        """A direct call on a tuple of Tensors; it gives `MISS` if they do not fit.

        packed: makes what the user gets of a list of Tensors; None: the only Tensor.
        left: counts down; at 0 every call is a miss.
        """
        if not self._simple or self._results.keeps:
            CALLER("none")
            return None
        for value in self.graph.outputs:
            OUTPUT("array" if value.shape else "bool" if value.dtype.kind == "b" else "scalar")
        outputs = [(value.shape, value.dtype, self.image.first_output + i)
                   for i, value in enumerate(self.graph.outputs)]
        single = packed is None and len(outputs) == 1
        CALLER("one result" if single else "packed")
        found = call_stub.tensor_function(self._new_frame(), variables, outputs, single, MISS, left)
        if single:
            return found
        packed = packed or (lambda results: results[0])

        def call(args: tuple) -> Any:
            results = found(args)
            return results if results is MISS else packed(results)

        return call

    def _gathered(self, frame: Frame, objects: list, begin: int) -> tuple:
        if not self._scalars:
            return tuple(objects[begin:])
        results: list[Any] = [None] * len(self.graph.outputs)
        for (i, _, _), array in zip(self._results.arrays, objects[begin:], strict=True):
            results[i] = array
        for i in self._scalars:
            results[i] = frame.scalars[i][()]
        return tuple(results)

    def _make_bindable(self, objects: list, arrays: list, variables: list) -> bool:
        """Copy arrays that are not contiguous, and variables that are shared.

        False if an argument is none of these (what nested loops save for their gradients).
        """
        for i, value in enumerate(self.graph.inputs):
            if (arrays[i].shape, arrays[i].dtype) != (value.shape, value.dtype):
                return False
            objects[i] = call_stub.bindable(arrays[i], value.shape or (), value.dtype)
        for variable, uid in zip(variables, self.graph.variables, strict=True):
            if uid in self.written or not _contiguous(variable._snapshot._value):
                call_stub.unshare(variable)
        return True

    def _run_steps(self, frame: Frame, objects: list, variables: list) -> int:
        """2 if a check failed or a pivot is in doubt: NumPy decides, and draws the same numbers."""
        frame.status[0] = 0
        states = [stream.state() for stream in self._streams]
        token = ignore_fp_errors()
        try:
            for step in self.image.steps:
                if isinstance(step, BoundCall):
                    frame.call(step, objects, variables)
                else:
                    self._functions[step](frame.table)
                    if frame.status[0]:
                        for stream, state in zip(self._streams, states, strict=True):
                            stream.restore(state)
                        return 2
        finally:
            restore_fp_errors(token)
        return 0


def _accompanied() -> bool:
    """Whether there are threads beside this one that may look at variables."""
    if alone():
        return False
    current, known = threading.current_thread(), threading.enumerate()
    ours = COMPILING if PIPELINES_READ else OURS
    # Threads that were not started by `threading` are not known to it.
    return len(known) <= started() or any(
        one is not current and not one.name.startswith(ours) for one in known)


def _contiguous(value: Any) -> bool:
    return not isinstance(value, np.ndarray) or (value.flags.c_contiguous and value.flags.aligned)


def load_code(image: Image) -> llvm_backend.LoadedCode:
    """The machine code of an image in this process."""
    return llvm_backend.load_objects(image.objects, thread_pool.symbols())
