"""Small triangular systems by substitution, vectors along the rows of the right-hand sides.

Row i of the solution is (row i of b - sum over the rows p that are known of a[i, p] * x[p]) divided
by a[i, i]: the elements of `a` are read one by one, so it may lie in memory in any way.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tapeflow.jit.choices import Choice
from tapeflow.jit.codegen.builder import Builder, Val
from tapeflow.jit.codegen.llvm_text import Code
from tapeflow.jit.codegen.partial_vectors import VectorSlot, load_partial, store_partial
from tapeflow.jit.kernels.gemm.gemm_pack import Matrix
from tapeflow.jit.kernels.small_matrix.matrix_rows import (
    column_slabs,
    lanes_for,
    sums_of_products,
)

ORDER = Choice("matrix.substitution", ("forward", "backward"))

# (builder, slot, first column, row) -> the right-hand side there
Start = Callable[[Builder, VectorSlot, Any, str], Val]


def substitute(code: Code, a: Matrix, n: int, start: Start, x: Matrix, columns: int, *,
               lower: bool, unit: bool = False) -> None:
    """Fill x with the solution; unit: the diagonal of `a` counts as ones."""
    ORDER("forward" if lower else "backward")
    lanes, dtype = lanes_for(code.module, a.dtype, columns), a.dtype

    def write(first: Any, slots: list[VectorSlot]) -> None:
        with code.loop(0, n) as loop:
            i = loop.index if lower else code.let(f"sub nsw i64 {n - 1}, {loop.index}")
            known = (0, i) if lower else (code.add(i, 1), n)
            sums = sums_of_products(code, slots, known, lambda p: a.address(code, i, p),
                                    lambda p: x.address(code, p, first), dtype)
            for slot, total in zip(slots, sums, strict=True):
                b = Builder(code, slot.lanes)
                value = b.sub(start(b, slot, first, i), total)
                if not unit:
                    diagonal = Builder(code).load(a.address(code, i, i), dtype)
                    value = b.div(value, b.splat(diagonal.text, dtype))
                store_partial(b, value, x.address(code, i, code.add(first, slot.offset)),
                              slot.used)

    column_slabs(code, columns, lanes, write)


def rows_of(code: Code, b: Matrix) -> Start:
    """The right-hand sides are the rows of a matrix."""
    def start(builder: Builder, slot: VectorSlot, first: Any, i: str) -> Val:
        return load_partial(builder, b.address(code, i, code.add(first, slot.offset)), b.dtype,
                            slot.used)

    return start


class TriangularSolve:
    """x with a·x = b (or aᵀ·x = b) where only one triangle of `a` is read."""

    risky = False
    operands = ("matrix", "rows")

    def __init__(self, n: int, columns: int, dtype: str, lower: bool, adjoint: bool):
        self.n, self.columns, self.dtype = n, columns, dtype
        self.lower, self.adjoint = lower, adjoint
        self.text = f"triangular system of {n}x{n} for {columns} columns"
        self.cycles = n * 30.0 * -(-columns // 32) + n * n * columns / 12

    def work(self, target: Any) -> int:
        return 0

    def write(self, code: Code, operands: list[Matrix], results: list[str], work: str) -> None:
        a, b = operands
        if self.adjoint:
            a = Matrix(a.pointer, a.column_stride, a.row_stride, a.dtype)
        x = Matrix(results[0], self.columns, 1, self.dtype)
        substitute(code, a, self.n, rows_of(code, b), x, self.columns,
                   lower=self.lower != self.adjoint)


def describe(shapes: list[tuple], dtype: str, attrs: dict) -> TriangularSolve:
    return TriangularSolve(shapes[0][-1], shapes[1][-1], dtype, attrs.get("lower", True),
                           attrs.get("adjoint", False))
