"""How long each kernel of compiled functions takes: a program is run with clocks between kernels.

    python tools/kernel_times.py [--top 25] [--least 20] PROGRAM [ARGUMENT …]

PROGRAM runs as by `tapeflow run`. When it ends, a line for each compiled graph that ran at least
`--least` times, with its milliseconds a run, and its dearest kernels, alike ones together: share,
microseconds a run, how many, microseconds of one, what it is. Code comes from no cache. Times
include waiting for other cores; a clock costs some nanoseconds, so graphs of a few microseconds
look slower than they are.
"""

from __future__ import annotations

import argparse
import ctypes
import os
import sys
import time
from dataclasses import dataclass, field
from typing import Any

import numpy as np


@dataclass
class Clocks:
    """Cycles that the kernels of one function took, over all runs."""

    name: str
    texts: list[str]
    cycles: np.ndarray = field(init=False)  # by kernel, and the number of runs

    def __post_init__(self) -> None:
        self.cycles = np.zeros(len(self.texts) + 1, np.int64)


ALL: list[Clocks] = []


def _text(kernel: Any) -> str:
    """What a kernel is: its ops, and what is done to its result before it is stored."""
    from tapeflow.jit.lowering.plan import FusedLoop, HostCall
    if isinstance(kernel, HostCall):
        return f"call of {kernel.node.op.name}"
    if isinstance(kernel, FusedLoop):
        return f"loop {'x'.join(map(str, kernel.dims))}: {_ops(kernel)}"
    found = kernel.impl.text
    if kernel.epilogue is not None and kernel.epilogue.instructions:
        found += f", then {_ops(kernel.epilogue)}"
    return found


def _ops(loop: Any) -> str:
    return " ".join([one.combine or (one.out.node.op.name if one.out.node else "value")
                     for one in loop.instructions])


def install() -> None:
    """From now on compiled functions count cycles."""
    from tapeflow.jit.codegen import emit as emitting

    class Timed(emitting._Emitter):
        def emit(self) -> None:
            if self.prefix:
                return super().emit()
            self._clocks = Clocks(self.function.graph.name,
                                  [_text(kernel) for kernel in self.plan.kernels])
            ALL.append(self._clocks)
            return super().emit()

        def _count(self, code: Any, kernel: Any, write: Any) -> None:
            self.module.declare("llvm.readcyclecounter", "i64")
            before = code.let("call i64 @llvm.readcyclecounter()")
            write()
            after = code.let("call i64 @llvm.readcyclecounter()")
            at = self._clocks.cycles.ctypes.data + 8 * kernel.position
            address = code.let(f"inttoptr i64 {at} to ptr")
            old = code.let(f"load i64, ptr {address}, align 8")
            took = code.let(f"sub i64 {after}, {before}")
            code.do(f"store i64 {code.let(f'add i64 {old}, {took}')}, ptr {address}, align 8")

        def _loop(self, fused: Any, name: str, code: Any) -> None:
            if self.prefix:
                return super()._loop(fused, name, code)
            return self._count(code, fused, lambda: super(Timed, self)._loop(fused, name, code))

        def _begin(self) -> Any:
            code = super()._begin()
            if not self.prefix and self.function.segments == 1:
                at = self._clocks.cycles.ctypes.data + 8 * len(self._clocks.texts)
                address = code.let(f"inttoptr i64 {at} to ptr")
                old = code.let(f"load i64, ptr {address}, align 8")
                code.do(f"store i64 {code.let(f'add i64 {old}, 1')}, ptr {address}, align 8")
            return code

        def _custom(self, kernel: Any, name: str, code: Any) -> None:
            if self.prefix:
                return super()._custom(kernel, name, code)
            return self._count(code, kernel, lambda: super(Timed, self)._custom(kernel, name, code))

    emitting._Emitter = Timed  # type: ignore[misc]


def _frequency() -> float:
    """Cycles of the counter in a microsecond."""
    import llvmlite.binding as llvm
    module = llvm.parse_assembly("declare i64 @llvm.readcyclecounter()\n"
                                 "define i64 @now() { %t = call i64 @llvm.readcyclecounter() "
                                 "ret i64 %t }")
    engine = llvm.create_mcjit_compiler(
        module, llvm.Target.from_default_triple().create_target_machine())
    engine.finalize_object()
    now = ctypes.CFUNCTYPE(ctypes.c_int64)(engine.get_function_address("now"))
    begin, start = time.perf_counter(), now()
    time.sleep(0.05)
    return (now() - start) / (time.perf_counter() - begin) / 1e6


def report(top: int, least: int) -> None:
    per_microsecond = _frequency()
    for one in ALL:
        runs = int(one.cycles[-1])
        if runs < least:
            continue
        took = one.cycles[:-1] / per_microsecond / runs
        print(f"{one.name}: {runs} runs, {took.sum() / 1000:.3f} ms, {len(took)} kernels")
        alike: dict[str, list[float]] = {}
        for text, microseconds in zip(one.texts, took, strict=True):
            alike.setdefault(text, []).append(microseconds)
        for text, each in sorted(alike.items(), key=lambda item: -sum(item[1]))[:top]:
            print(f"  {sum(each) / took.sum():6.1%} {sum(each):9.1f} = {len(each):3} x "
                  f"{sum(each) / len(each):9.1f} {text[:160]}")


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--top", type=int, default=25)
    parser.add_argument("--least", type=int, default=20)
    parser.add_argument("program", nargs=argparse.REMAINDER)
    options = parser.parse_args()
    os.environ["TAPEFLOW_CACHE"] = ""
    install()
    from tapeflow.cli import run
    try:
        return run(options.program)
    finally:
        report(options.top, options.least)


if __name__ == "__main__":
    sys.exit(main())
