"""What the compiler made of a function, in words."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from tapeflow.jit.codegen.emit import CompiledFunction
from tapeflow.jit.lowering.layout import count_of
from tapeflow.jit.lowering.plan import CustomKernel, FusedLoop, HostCall, Instruction
from tapeflow.jit.tiering.graph_tiering import Adaptive, takes_over_at

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
            yield f"{indent}{position}: {kernel.impl.text}{_epilogue(then)}"
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
    return f", {_count(instructions)} on each element" if instructions else ""


def _count(instructions: list[Instruction]) -> str:
    return f"{len(instructions)} instruction{'s' * (len(instructions) != 1)}"


def explain(function: Any, *args: Any, ir: bool = False, **kwargs: Any) -> Report:
    """What became of a tf.function; with arguments, of its graph for those alone.

    A graph that was not compiled yet is compiled now.
    """
    if args or kwargs:
        concrete = [function.get_concrete_function(*args, **kwargs)]
    else:
        concrete = getattr(function, "_list_all_concrete_functions", lambda: [function])()
    programs: list[tuple[str, Adaptive]] = []
    for one in concrete:
        programs += _programs(one.function, one.name)
    for _, program in programs:
        if program.native is None and program.reason is None:
            program.compile()
    options = getattr(function, "_options", None)
    name = options.name if options else concrete[0].name if concrete else "function"
    return Report(name, programs, ir)


def _programs(function: Any, label: str) -> Iterator[tuple[str, Adaptive]]:
    """The programs of a graph, of its sizes and of its derivatives."""
    if function._static and function._program is None and not function._derivatives:
        function.program([], [])
    if isinstance(function._program, Adaptive):
        yield label, function._program
    for key, program in function._special.items():
        yield f"{label} for sizes {', '.join(str(list(shape)) for shape in key)}", program
    for sized in function._by_size.values():
        yield from _programs(sized, label)
    for derivative in function._derivatives.values():
        yield from _programs(derivative.forward, f"{label}, recorded")
        yield from _programs(derivative.backward, f"gradient of {label}")
