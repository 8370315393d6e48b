"""Panels of B that are packed once, before the tasks that compute rows of C.

Each of these tasks would otherwise pack all the panels that it reads. They lie in the working
memory behind the partial sums, one behind the other, each over all of k. Packing has tasks of its
own: some rows of B each where these are contiguous, so that they go along memory; else some panels.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from tapeflow.jit.codegen.builder import LLVM
from tapeflow.jit.codegen.index_arithmetic import minimum, task_range
from tapeflow.jit.codegen.llvm_text import Code
from tapeflow.jit.codegen.partial_vectors import padded_width, vector_slots
from tapeflow.jit.kernels.gemm.gemm_pack import Matrix, pack_columns
from tapeflow.jit.kernels.gemm.gemm_plan import GemmPlan

TASK_ELEMENTS = 16 << 10  # that a task packs at least
MOST_TASKS = 16


@dataclass
class SharedPanels:
    """Writes into a function where the panels of a plan lie, and how they get there.

    memory: a pointer to the working memory.
    """

    plan: GemmPlan
    code: Code
    memory: str = "%part"

    @property
    def tasks(self) -> int:
        """Of packing."""
        product = self.plan.product
        return min(-(-product.k * product.n // TASK_ELEMENTS), MOST_TASKS)

    def address(self, column: Any, width: int, k: Any) -> str:
        """The panel whose columns begin at `column`, from k on."""
        code, plan = self.code, self.plan
        panels = code.at(self.memory, plan.partial_sum_bytes, "i8")
        offset = code.add(code.mul(column, plan.product.k),
                          code.mul(k, padded_width(width, plan.lanes)))
        return code.at(panels, offset, LLVM[plan.product.sum_dtype])

    def write(self, b: str, task: str) -> None:
        """What the task of this index packs of the operand at `b`."""
        code, product = self.code, self.plan.product
        if product.b.column == 1:
            begin, end = task_range(code, task, product.k, self.tasks, 1)
            with code.loop(begin, end) as loop:
                self._pack(b, ("0", str(product.n)), loop.index, 1)
        else:
            columns = task_range(code, task, product.n, self.tasks, self.plan.blocking.columns)
            self._pack(b, columns, 0, product.k)

    def _pack(self, b: str, columns: tuple[str, str], k: Any, depth: int) -> None:
        """Rows k.. of the panels of some columns; the last panel may be narrower, or begin
        earlier."""
        code, n, width = self.code, self.plan.product.n, self.plan.blocking.columns
        begin, end = columns
        whole = n // width * width
        if whole:
            with code.loop(begin, minimum(code, end, whole), width) as loop:
                self._pack_panel(b, loop.index, loop.index, width, k, depth)
        if whole < n:
            overlap = whole and self.plan.blocking.overlap
            first, used = (n - width, width) if overlap else (whole, n - whole)
            with code.when(code.let(f"icmp eq i64 {end}, {n}")):
                self._pack_panel(b, whole, first, used, k, depth)

    def _pack_panel(self, b: str, column: Any, first: Any, width: int, k: Any,
                    depth: int) -> None:
        """The panel that lies where `column` says, with `width` columns from `first` on."""
        code, product = self.code, self.plan.product
        offset = code.add(code.mul(first, product.b.column), code.mul(k, product.b.row))
        source = Matrix(code.at(b, offset, LLVM[product.b_dtype]), *product.b, product.b_dtype)
        pack_columns(code, source, self.address(column, width, k),
                     vector_slots(width, self.plan.lanes), depth)
