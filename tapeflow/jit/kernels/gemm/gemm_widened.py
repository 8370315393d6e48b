"""A of half precision, widened to float32 once, before the tasks that compute columns of C.

Each of these tasks would otherwise pack all of A. It lies in the working memory, behind the panels
of B, in the order in which it was: along its rows or along its columns.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from tapeflow.jit.codegen.builder import LLVM, Builder, itemsize
from tapeflow.jit.codegen.index_arithmetic import task_range
from tapeflow.jit.codegen.llvm_text import Code, Module
from tapeflow.jit.codegen.partial_vectors import load_widened, sum_dtype
from tapeflow.jit.kernels.gemm.gemm_product import Product, Strides

TASK_ELEMENTS = 32 << 10  # that a task widens at least
MOST_TASKS = 8


@dataclass(frozen=True)
class WidenedRows:
    """Where A lies as it is given: lines of neighbouring elements, `apart` from each other."""

    lines: int
    length: int
    apart: int
    dtype: str

    @classmethod
    def of(cls, product: Product) -> WidenedRows | None:
        """Of a product's A; None if no elements are neighbours."""
        a, (m, k) = product.a, (product.m, product.k)
        if a.column == 1:
            return cls(m, k, a.row, product.a_dtype)
        return cls(k, m, a.column, product.a_dtype) if a.row == 1 else None

    @property
    def strides(self) -> tuple[int, int]:
        """From line to line, and in a line, of what is widened."""
        return self.length, 1

    @property
    def tasks(self) -> int:
        return max(1, min(self.lines * self.length // TASK_ELEMENTS, MOST_TASKS, self.lines))

    @property
    def size(self) -> int:
        """Bytes of what is widened."""
        return self.lines * self.length * itemsize(sum_dtype(self.dtype))

    def write(self, code: Code, source: str, target: str, task: str) -> None:
        """The lines of the task of this index."""
        wide = LLVM[sum_dtype(self.dtype)]
        widen = _write_widening(code.module, self.dtype)
        with code.loop(*task_range(code, task, self.lines, self.tasks, 1)) as line:
            code.do(f"call void {widen}("
                    f"ptr {code.at(source, code.mul(line.index, self.apart), LLVM[self.dtype])}, "
                    f"ptr {code.at(target, code.mul(line.index, self.length), wide)}, "
                    f"i64 {self.length})")


def widened(product: Product) -> Product:
    """The product of A as it lies in the working memory."""
    rows = WidenedRows.of(product)
    assert rows is not None
    along = Strides(*rows.strides) if product.a.column == 1 else Strides(*reversed(rows.strides))
    return replace(product, a=along, a_dtype=product.sum_dtype)


def _write_widening(module: Module, dtype: str) -> str:
    """`widen(source, target, count)`: elements that lie side by side."""
    def write() -> Code:
        code = Code(module, name, [("ptr", "%source"), ("ptr", "%target"), ("i64", "%count")],
                    attributes=module.target.attributes)
        goal = sum_dtype(dtype)
        lanes: Any = module.target.lanes(itemsize(goal))
        whole = code.let(f"and i64 %count, {-lanes}")
        for begin, end, each in ((0, whole, lanes), (whole, "%count", 1)):
            builder = Builder(code, each)
            with code.loop(begin, end, each) as loop:
                x = load_widened(builder, code.at("%source", loop.index, LLVM[dtype]), dtype)
                builder.store(x, code.at("%target", loop.index, LLVM[goal]))
        return code

    name = f"tf.widen.{dtype}"
    return module.once(name, write)
