"""Kernels whose units (rows, matrices of a stack) are computed each by itself, in tasks."""

from __future__ import annotations

from typing import Any

from tapeflow.jit.choices import Choice
from tapeflow.jit.codegen.addressing import pointer_at
from tapeflow.jit.codegen.llvm_text import Code
from tapeflow.jit.kernels.gemm.gemm_cost import MIN_TASK_CYCLES

MOST_TASKS = 32


def task_count(choice: Choice, cycles: float, units: int) -> int:
    """Into how many tasks the units are parted: by their cost, not by the number of threads."""
    may = units > 1
    if not choice(may and cycles > 2 * MIN_TASK_CYCLES, (False, may)):
        return 1
    return int(min(max(cycles // MIN_TASK_CYCLES, 2), MOST_TASKS, units))


def call_tasks(program: Any, code: Code, task: str, tasks: int) -> None:
    """Call `task(slots, index)` for each task, on the threads of the pool."""
    if tasks == 1:
        code.do(f"call void {task}(ptr %slots, i64 0)")
        return
    program.module.declare("tf_parallel", "void", "ptr", "ptr", "ptr", "i64")
    code.do(f"call void @tf_parallel(ptr {pointer_at(code, 1, 0)}, ptr {task}, ptr %slots, "
            f"i64 {tasks})")
