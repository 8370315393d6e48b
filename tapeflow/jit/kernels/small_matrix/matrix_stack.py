"""A routine run for each matrix of a stack; tasks take parts of the stack.

A routine (`Cholesky`, `TriangularSolve` …) describes itself and writes the code for one matrix:

    operands    for each, how it must lie: "matrix" in any way, "rows" with contiguous rows
    work        bytes of working memory for one matrix
    cycles      about how many it takes, for one matrix
    risky       whether it sets the status word: NumPy's kernel then tells
    write       the code, given pointers and strides of operands, pointers of results and memory
"""

from __future__ import annotations

from collections.abc import Callable
from math import prod
from typing import Any, NamedTuple

import numpy as np

from tapeflow.core.record import lowering_forms as forms
from tapeflow.graph import ir
from tapeflow.jit.choices import Choice
from tapeflow.jit.codegen.addressing import element_of, pointer_at
from tapeflow.jit.codegen.builder import LLVM, name_of
from tapeflow.jit.codegen.index_arithmetic import task_range, unravel_index
from tapeflow.jit.codegen.llvm_text import Code
from tapeflow.jit.kernels.gemm.gemm_cost import GIGAHERTZ
from tapeflow.jit.kernels.gemm.gemm_pack import Matrix
from tapeflow.jit.kernels.independent_units import call_tasks, task_count
from tapeflow.jit.kernels.small_matrix import (
    cholesky_codegen,
    lu_codegen,
    qr_codegen,
    triangular_codegen,
)
from tapeflow.jit.lowering.plan import CustomKernel
from tapeflow.jit.lowering.views import View
from tapeflow.jit.runtime.arena import aligned_size
from tapeflow.jit.runtime.target import Target

SIDE_MAX = 64  # larger matrices go to LAPACK

TASKS = Choice("matrix.tasks", (False, True))

ROUTINES: dict[str, Callable] = {
    "cholesky": cholesky_codegen.describe,
    "triangular_solve": triangular_codegen.describe,
    "solve": lu_codegen.describe_solve,
    "inverse": lu_codegen.describe_inverse,
    "lu": lu_codegen.describe_factors,
    "determinant": lu_codegen.describe_determinant,
    "log_determinant": lu_codegen.describe_log_determinant,
    "qr": qr_codegen.describe,
}


class Operand(NamedTuple):
    """How an operand lies: strides along the axes of the stack, of rows and of columns."""

    stack: tuple[int, ...]
    row: int
    column: int


class StackImpl:
    """A routine for each matrix of a stack of these sizes."""

    epilogue = False

    def __init__(self, node: ir.Node, routine: Any, stack: tuple, operands: list[Operand]):
        self.node, self.routine, self.stack, self.operands = node, routine, stack, operands
        self.risky = routine.risky
        self.count = prod(stack)
        times = f", {self.count} times" if self.count > 1 else ""
        self.cycles = self.count * routine.cycles
        self.nanoseconds = self.cycles / GIGAHERTZ
        self.text = routine.text + times
        self.tasks = task_count(TASKS, self.cycles, self.count)

    def work(self, kernel: CustomKernel, target: Target, threads: int) -> int:
        return self.tasks * aligned_size(self.routine.work(target))

    def write(self, program: Any, kernel: CustomKernel, name: str, work: tuple[int, int],
              code: Code) -> None:
        call_tasks(program, code, self._task(program, name, work), self.tasks)

    def _task(self, program: Any, name: str, work: tuple[int, int]) -> str:
        """`task(slots, index)`: a part of the stack."""
        module, addresses = program.module, program.addresses
        one = module.add(self._one(module, f"{name}.one"))
        code = Code(module, f"{name}.task", [("ptr", "%slots"), ("i64", "%task")],
                    attributes=module.target.attributes)
        views = [program.plan.view_of(x) for x in self.node.inputs]
        sources = [code.at(addresses.pointer(code, view.buffer), view.offset,
                           LLVM[name_of(view.buffer.dtype)]) for view in views]
        goals = [(addresses.pointer(code, y), element_of(name_of(y.dtype)),
                  prod((y.shape or ())[len(self.stack):])) for y in self.node.outputs]
        each = aligned_size(self.routine.work(module.target))
        memory = code.at(pointer_at(code, *work), code.mul("%task", each), "i8")
        first, last = task_range(code, "%task", self.count, self.tasks, 1)
        with code.loop(first, last) as loop:
            indices = unravel_index(code, loop.index, list(self.stack))
            pointers = []
            for source, view, operand in zip(sources, views, self.operands, strict=True):
                offset = "0"
                for index, stride in zip(indices, operand.stack, strict=True):
                    offset = code.add(offset, code.mul(index, stride))
                pointers.append(code.at(source, offset, LLVM[name_of(view.buffer.dtype)]))
            pointers += [code.at(goal, code.mul(loop.index, size), kind)
                         for goal, kind, size in goals]
            given = ", ".join(f"ptr {pointer}" for pointer in (*pointers, memory))
            code.do(f"call void {one}(ptr %slots, {given})")
        return module.add(code)

    def _one(self, module: Any, name: str) -> Code:
        """`one(slots, operands …, results …, work)`: the routine for one matrix."""
        labels = [f"%x{i}" for i in range(len(self.operands))]
        results = [f"%y{i}" for i in range(len(self.node.outputs))]
        params = [("ptr", label) for label in ("%slots", *labels, *results, "%work")]
        code = Code(module, name, params, attributes=module.target.attributes)
        matrices = [Matrix(label, one.row, one.column, name_of(x.dtype))
                    for label, one, x in zip(labels, self.operands, self.node.inputs, strict=True)]
        self.routine.write(code, matrices, results, "%work")
        return code


def matrix_routine(lowering: Any, node: ir.Node, form: forms.MatrixRoutine) -> StackImpl | str:
    dtype = name_of(node.inputs[0].dtype)
    if dtype not in ("float32", "float64"):
        return f"no native code for matrices of {dtype}"
    shapes: list[Any] = [x.shape for x in node.inputs]
    side = max(shapes[0][-2:])
    if side > SIDE_MAX:
        return f"matrices of {side}x{side} are LAPACK's"
    routine = ROUTINES[form.routine](shapes, dtype, node.attrs)
    if isinstance(routine, str):
        return routine
    views = [lowering.plan.view_of(x) for x in node.inputs]
    stack = np.broadcast_shapes(*[shape[:-2] for shape in shapes])
    operands = []
    for view, how in zip(views, routine.operands, strict=True):
        if ir.literal_of(view.buffer) is not None:
            return "an operand is one constant"
        row, column = view.strides[-2:]
        if how == "rows" and view.shape[-1] > 1 and column != 1:
            return "rows are not contiguous"
        operands.append(Operand(_along(view, stack), row, 1 if how == "rows" else column))
    return StackImpl(node, routine, stack, operands)


def _along(view: View, stack: tuple) -> tuple[int, ...]:
    """The strides along the axes of the stack; 0 where the operand is broadcast."""
    have = view.shape[:-2]
    own = [0 if n == 1 else stride for n, stride in zip(have, view.strides[:-2], strict=True)]
    return (0,) * (len(stack) - len(have)) + tuple(own)
