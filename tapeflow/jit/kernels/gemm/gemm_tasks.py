"""The function of a product, and its tasks: a part of the batch each, or a part of C."""

from __future__ import annotations

from typing import Any

from tapeflow.jit.codegen.builder import LLVM
from tapeflow.jit.codegen.index_arithmetic import task_range, unravel_index
from tapeflow.jit.codegen.llvm_text import Code, Module
from tapeflow.jit.kernels.gemm.gemm_plan import GemmPlan
from tapeflow.jit.kernels.gemm.gemm_shared_panels import SharedPanels
from tapeflow.jit.kernels.gemm.gemm_widened import WidenedRows

# own: the task's part of the working memory; part: partial sums between blocks of k, and behind
# them the panels of B that are packed before
KERNEL_PARAMS = [("ptr", "%a"), ("ptr", "%b"), ("ptr", "%c"), ("ptr", "%ctx"), ("ptr", "%part"),
                 ("ptr", "%own"), ("i64", "%batch"), ("i64", "%m0"), ("i64", "%m1"),
                 ("i64", "%n0"), ("i64", "%n1")]


class GemmCall:
    """Writes the functions that share a product among tasks and call its kernel.

    rows: the tasks' rows begin at multiples of so many.
    """

    def __init__(self, plan: GemmPlan, module: Module, kernel: str, rows: int):
        self.plan, self.product, self.module, self.kernel = plan, plan.product, module, kernel
        self.rows = rows
        self.whole = (("0", str(self.product.m)), ("0", str(self.product.n)))

    def write(self, name: str) -> None:
        """The function that a program calls."""
        plan, module = self.plan, self.module
        operands = ["%b", "%a"] if plan.transposed else ["%a", "%b"]
        labels = ["%pool", *operands, "%c", "%ctx", "%work"]
        code = Code(module, name, [("ptr", label) for label in labels],
                    attributes=module.target.attributes)
        grid, task = plan.grid, ""
        if grid.shared != "one" or plan.widened is not None:
            code.do("%block = alloca [8 x i64], align 64")
        if grid.shared != "one":
            task = module.add(self._write_task(f"{name}.task"))
        pack = module.add(self._write_packing(f"{name}.pack")) if plan.packed_before else ""
        if plan.widened is not None:
            self._widen(code, plan.widened, f"{name}.widen")
        if grid.batch > 1:
            self._run_tasks(code, task, 0, grid.batch)
        else:
            with code.loop(0, self.product.count) as loop:
                if plan.packed_before:
                    self._run_tasks(code, pack, loop.index, SharedPanels(plan, code).tasks)
                if grid.rows * grid.columns > 1:
                    self._run_tasks(code, task, loop.index, grid.rows * grid.columns)
                else:
                    self._call_kernel(code, loop.index, "%work", "0", self.whole)
        module.functions[name] = code.text()

    def _run_tasks(self, code: Code, task: str, batch: Any, tasks: int) -> None:
        """Hand the tasks to the pool, with the arguments in a block of memory."""
        code.module.declare("tf_parallel", "void", "ptr", "ptr", "ptr", "i64")
        for i, (kind, label) in enumerate([*code.params[1:], ("i64", str(batch))]):
            code.do(f"store {kind} {label}, ptr {code.at('%block', i, 'i64')}")
        code.do(f"call void @tf_parallel(ptr %pool, ptr {task}, ptr %block, i64 {tasks})")

    def _write_task(self, name: str) -> Code:
        """`task(block, index)`: some products of the batch, or a part of C."""
        plan, product, grid = self.plan, self.product, self.plan.grid
        code = self._begin_task(name, self.module.target.task_attributes)
        if grid.batch > 1:
            first, last = task_range(code, "%task", product.count, grid.batch, 1)
            each = plan.partial_sum_bytes + plan.packed_bytes
            work = code.at("%work", code.mul("%task", each), "i8")
            with code.loop(first, last) as loop:
                self._call_kernel(code, loop.index, work, "0", self.whole)
            return code
        across = grid.columns
        row = code.pure(f"udiv i64 %task, {across}") if across > 1 else "%task"
        column = code.pure(f"urem i64 %task, {across}") if across > 1 else "0"
        rows = task_range(code, row, product.m, grid.rows, self.rows)
        columns = task_range(code, column, product.n, across, plan.blocking.columns)
        self._call_kernel(code, "%batch", "%work", "%task", (rows, columns))
        return code

    def _write_packing(self, name: str) -> Code:
        """`task(block, index)`: a part of what is packed for all tasks of one product."""
        code = self._begin_task(name, self.module.target.attributes)
        offset = self._offsets(code, "%batch")[1]
        b = code.at("%b", offset, LLVM[self.product.b_dtype])
        SharedPanels(self.plan, code, "%work").write(b, "%task")
        return code

    def _widened(self, code: Code, work: str) -> str:
        """Where A is in float32."""
        return code.at(work, self.plan.partial_sum_bytes + self.plan.panel_bytes, "i8")

    def _widen(self, code: Code, rows: WidenedRows, name: str) -> None:
        """Widen A, by tasks of its own if it is large."""
        if rows.tasks == 1:
            rows.write(code, "%a", self._widened(code, "%work"), "0")
            return
        task = self._begin_task(name, self.module.target.attributes)
        rows.write(task, "%a", self._widened(task, "%work"), "%task")
        self._run_tasks(code, self.module.add(task), 0, rows.tasks)

    def _begin_task(self, name: str, attributes: str) -> Code:
        """A task's function, with its arguments taken from the block."""
        code = Code(self.module, name, [("ptr", "%block"), ("i64", "%task")], linkage="internal",
                    attributes=attributes)
        operands = ["%b", "%a"] if self.plan.transposed else ["%a", "%b"]
        for i, label in enumerate([*operands, "%c", "%ctx", "%work"]):
            code.do(f"{label} = load ptr, ptr {code.at('%block', i, 'i64')}")
        code.do(f"%batch = load i64, ptr {code.at('%block', 5, 'i64')}")
        return code

    def _offsets(self, code: Code, batch: Any) -> list[str]:
        """Elements from the first product's operands and result to those of another."""
        axes = self.product.batch
        offsets = ["0"] * 3
        for index, axis in zip(unravel_index(code, batch, [axis.size for axis in axes]), axes):
            offsets = [code.add(at, code.mul(index, stride))
                       for at, stride in zip(offsets, (axis.a, axis.b, axis.c))]
        return offsets

    def _call_kernel(self, code: Code, batch: Any, work: str, task: str,
                     ranges: tuple[tuple[str, str], tuple[str, str]]) -> None:
        """ranges: of rows and columns; task: which of the tasks' parts of the working memory."""
        plan, product = self.plan, self.product
        dtypes = (product.a_dtype, product.b_dtype, product.dtype)
        a, b, c = [code.at(label, at, LLVM[dtype]) for label, at, dtype in zip(
            ("%a", "%b", "%c"), self._offsets(code, batch), dtypes)]
        if plan.widened is not None:
            a = self._widened(code, work)
        own = code.at(work, code.add(code.mul(task, plan.packed_bytes), plan.shared_bytes), "i8")
        (m0, m1), (n0, n1) = ranges
        code.do(f"call void {self.kernel}(ptr {a}, ptr {b}, ptr {c}, ptr %ctx, ptr {work}, "
                f"ptr {own}, i64 {batch}, i64 {m0}, i64 {m1}, i64 {n0}, i64 {n1})")
