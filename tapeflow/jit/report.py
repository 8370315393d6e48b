"""What the compiler made of a function, in words."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from typing import Any

from tapeflow.jit.codegen.emit import CompiledFunction
from tapeflow.jit.lowering.layout import count_of
from tapeflow.jit.lowering.plan import CustomKernel, FusedLoop, HostCall, Instruction
from tapeflow.jit.tiering.graph_tiering import Adaptive, takes_over_at
from tapeflow.jit.tiering.regions import Divided

WORDS = {"sum": "sums", "prod": "products", "max": "maxima", "min": "minima", "any": "any",
         "all": "all"}


class Report:
    """The programs of a function: which executor serves each, its kernels, memory, fall-backs.

    `str(report)` is the text; `report.ir` has LLVM's text of each program that was compiled.
    """

    def __init__(self, name: str, programs: list[tuple[str, Adaptive]], ir: bool):
        self.name, self.programs, self._with_ir = name, programs, ir

    @property
    def ir(self) -> list[str]:
        return [one.native.text for _, one in self.programs if one.native is not None]

    @property
    def native(self) -> bool:
        """Whether everything runs as machine code, without calls of kernels."""
        return bool(self.programs) and all(
            one.native is not None and not one.native.reasons for _, one in self.programs)

    def __str__(self) -> str:
        lines = [f"{self.name}: {len(self.programs)} program{'s' * (len(self.programs) != 1)}"]
        for label, program in self.programs:
            lines += [f"  {label}", *[f"    {line}" for line in _program(program)]]
            if self._with_ir and program.native is not None:
                lines += ["", program.native.text]
        return "\n".join(lines)

    __repr__ = __str__


def _program(program: Adaptive) -> Iterator[str]:
    native = program.native
    if native is None:
        yield f"runs on NumPy: {program.reason or 'not compiled yet'}"
        return
    if program.settled:
        state = "runs natively"
    elif program.reason:
        state = f"runs on NumPy: {program.reason}"
    else:
        state = f"compiled; NumPy serves up to call {takes_over_at(program.graph)}"
    yield f"{state}, about {native.nanoseconds / 1e3:.1f} µs on one core by estimate"
    if program.checked is not None and program.checked.same is None:
        yield f"not compared with NumPy: {program.checked.why}"
    image, target = native.image, native.function.module.target
    yield (f"arena {image.arena:,} bytes, {len(image.constants)} constants, "
           f"{image.threads} threads, vectors of {target.vector} bytes ({target.cpu})")
    yield from _kernels(native.function, "")
    for name, why in native.reasons.items():
        yield f"calls the kernel of {name}: {why}"


def _kernels(compiled: CompiledFunction, indent: str) -> Iterator[str]:
    for position, kernel in enumerate(compiled.plan.kernels):
        if isinstance(kernel, FusedLoop):
            yield f"{indent}{position}: {_fused_loop(compiled, kernel)}"
        elif isinstance(kernel, CustomKernel):
            then = kernel.epilogue.instructions if kernel.epilogue is not None else []
            before = ", its images computed where they are copied" if kernel.prologue else ""
            yield f"{indent}{position}: {kernel.impl.text}{before}{_epilogue(then)}"
            body = getattr(kernel.impl, "body", None)
            bodies = [body] if body is not None else getattr(kernel.impl, "bodies", [])
            for one in bodies:
                yield from _kernels(one.compiled, indent + "   ")
        elif isinstance(kernel, HostCall):
            yield f"{indent}{position}: call of {kernel.node.op.name} ({kernel.reason})"


def _fused_loop(compiled: CompiledFunction, fused: FusedLoop) -> str:
    loop = compiled.layout.loops[fused]
    size = " x ".join(map(str, loop.schedule.sizes)) or "1"
    words = [f"fused loop {size}: {_count(fused.instructions)}"]
    words += [f"{WORDS[s.combine]} to {count_of(s.out)}" for s in fused.instructions
              if s.combine is not None]
    if fused.inner is not None:
        words.append("rows go on with their reductions")
    if loop.tasks > 1:
        words.append(f"{loop.tasks} tasks")
    return ", ".join(words)


def _epilogue(instructions: list[Instruction]) -> str:
    if not instructions:
        return ""
    sums = any(instr.combine is not None for instr in instructions)
    return f", {_count(instructions)} on each element" + ", sums over rows" * sums


def _count(instructions: list[Instruction]) -> str:
    return f"{len(instructions)} instruction{'s' * (len(instructions) != 1)}"


def explain(function: Any, *args: Any, ir: bool = False, **kwargs: Any) -> Any:
    """What became of a tf.function; with arguments, of its graph for those alone. Of a Keras model:
    what became of its train, test and predict functions.

    A graph that was not compiled yet is compiled now.
    """
    if hasattr(function, "make_train_function"):
        return ModelReport(function, ir)
    if args or kwargs:
        concrete = [function.get_concrete_function(*args, **kwargs)]
    else:
        concrete = getattr(function, "_list_all_concrete_functions", lambda: [function])()
    programs: list[tuple[str, Adaptive]] = []
    for one in concrete:
        programs += _programs(one.function, one.name)
    _compile(programs)
    options = getattr(function, "_options", None)
    name = options.name if options else concrete[0].name if concrete else "function"
    return Report(name, programs, ir)


def so_far(function: Any) -> Report:
    """What became of a tf.function until now, as `explain` tells it; nothing is compiled for it."""
    programs: list[tuple[str, Adaptive]] = []
    for one in function._list_all_concrete_functions():
        programs += _programs(one.function, one.name, True)
    return Report(function._options.name, programs, False)


def _compile(programs: list[tuple[str, Adaptive]]) -> None:
    for _, program in programs:
        if program.native is None and program.reason is None:
            program.compile()


def _programs(function: Any, label: str, made: bool = False) -> Iterator[tuple[str, Adaptive]]:
    """The programs of a graph, of its sizes and of its derivatives; `made`: if there are any."""
    if function._static and function._program is None and not function._derivatives and not made:
        function.program([], [])
    yield from _executor(function._program, label)
    for key, program in function._special.items():
        sizes = ", ".join(str(list(shape)) for shape in key)
        yield from _executor(program, f"{label} for sizes {sizes}" if key else label)
    for sized in function._by_size.values():
        yield from _programs(sized, label, made)
    for derivative in function._derivatives.values():
        yield from _programs(derivative.forward, f"{label}, recorded", made)
        yield from _programs(derivative.backward, f"gradient of {label}", made)


def _executor(program: Any, label: str) -> Iterator[tuple[str, Adaptive]]:
    if isinstance(program, Adaptive):
        yield label, program
    elif isinstance(program, Divided):
        calls = ", ".join(dict.fromkeys(program.calls))
        for number, region in enumerate(program.regions):
            yield from _programs(region, f"{label}, region {number + 1} around {calls}", True)
        for body in program.bodies:
            yield from _programs(body, f"{label}, body of a loop or branch with calls", True)


# -- Keras -----------------------------------------------------------------------------------------
class ModelReport:
    """What became of the functions of a Keras model: `train`, `test` and `predict`, each a Report,
    or None if there is none yet.

    Keras keeps a function of its own in the model; the tf.functions are what that refers to.
    """

    def __init__(self, model: Any, ir: bool):
        self.name = getattr(model, "name", "model")
        self.train, self.test, self.predict = [
            _of_step(step, getattr(model, f"{step}_function", None), ir)
            for step in ("train", "test", "predict")]

    def __str__(self) -> str:
        found = [(step, getattr(self, step)) for step in ("train", "test", "predict")]
        lines = [str(report) if report else f"{step}: not run yet" for step, report in found]
        return "\n".join([f"{self.name}:", *["  " + line.replace("\n", "\n  ") for line in lines]])

    __repr__ = __str__


def _of_step(step: str, function: Any, ir: bool) -> Report | None:
    if function is None:
        return None
    programs: list[tuple[str, Adaptive]] = []
    for one in _tf_functions(function, set()):
        for concrete in one._list_all_concrete_functions():
            programs += _programs(concrete.function, concrete.name, True)
    _compile(programs)
    return Report(step, programs, ir)


def _tf_functions(function: Any, seen: set[int]) -> Iterator[Any]:
    """The tf.functions that a Python function refers to, and itself if it is one."""
    if id(function) in seen or not callable(function):
        return
    seen.add(id(function))
    if hasattr(function, "_list_all_concrete_functions"):
        yield function
        return
    yield from _tf_functions(getattr(function, "__wrapped__", None), seen)
    for cell in getattr(function, "__closure__", None) or ():
        with suppress(ValueError):  # it has no content yet
            yield from _tf_functions(cell.cell_contents, seen)
