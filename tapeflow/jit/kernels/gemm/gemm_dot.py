"""The dot-product kernel: sums of vectors along k, for operands that lie along k.

For C of a few rows or columns, where tiles (`gemm_kernel`) would have to transpose an operand for
too little use of it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from tapeflow.jit.choices import Choice
from tapeflow.jit.codegen.builder import LLVM, Builder, Val
from tapeflow.jit.codegen.llvm_text import Code
from tapeflow.jit.codegen.partial_vectors import (
    extract_lanes,
    load_widened,
    load_zero_filled,
    multiply_add,
    power_of_two_parts,
)
from tapeflow.jit.kernels.gemm.gemm_pack import Matrix, pack_transposed
from tapeflow.jit.kernels.gemm.gemm_plan import GemmPlan
from tapeflow.jit.kernels.gemm.gemm_result import EmitEpilogue, RowEpilogue

COLUMN = Choice("gemm_dot.column", ("contiguous", "strided"))  # where a column of C is stored
DEPTH = Choice("gemm_dot.k", ("vectors", "remainder", "both", "nothing"))


def lane_sums(code: Code, vectors: list[str], lanes: int, dtype: str) -> Val:
    """The sums over the lanes of each of some vectors (a power of two), in one vector."""
    group = width = lanes
    kind = LLVM[dtype]
    while group > 1:
        half = group // 2
        both = len(vectors) > 1
        pairs = list(zip(vectors[::2], vectors[1::2])) if both else [(vectors[0], vectors[0])]
        starts = [base + at for base in ((0, width) if both else (0,))
                  for at in range(0, width, group)]
        count = len(starts) * half
        found = []
        for x, y in pairs:
            parts = []
            for shift in (0, half):
                if count == 1:
                    parts.append(code.let(f"extractelement <{width} x {kind}> {x}, i64 {shift}"))
                    continue
                mask = ", ".join(f"i32 {at + shift + i}" for at in starts for i in range(half))
                parts.append(code.let(f"shufflevector <{width} x {kind}> {x}, <{width} x {kind}> "
                                      f"{y}, <{count} x i32> <{mask}>"))
            found.append(Builder(code, count).add(Val(parts[0], dtype), Val(parts[1], dtype)).text)
        vectors, width, group = found, count, half
    return Val(vectors[0], dtype)


@dataclass
class Lines:
    """Rows of A or columns of B, contiguous along k, `stride` elements apart."""

    pointer: str
    stride: int
    dtype: str

    def load(self, b: Builder, line: int, k: Any, count: int) -> Val:
        """`count` elements from k on, in a vector; zeros behind them."""
        code, kind = b.code, LLVM[self.dtype]
        where = code.at(code.at(self.pointer, line * self.stride, kind), k, kind)
        return load_zero_filled(b, where, self.dtype, count)


class DotKernel:
    """Writes rows m0..m1 and columns n0..n1 of one product, into a function with these bounds."""

    def __init__(self, plan: GemmPlan, epilogue: EmitEpilogue | None, code: Code):
        self.plan, self.product, self.code = plan, plan.product, code
        self.lanes = plan.lanes
        self.rows, self.columns = plan.blocking.rows, plan.blocking.columns  # of a block
        self.epilogue = epilogue and RowEpilogue(plan, code, epilogue, plan.lanes)
        self.buffer = ""

    def write(self) -> None:
        product, code = self.product, self.code
        if self.plan.blocking.pack_b:
            pack_transposed(code, Matrix("%b", *product.b, product.b_dtype), "%own", product.k,
                            product.n)
        if self.epilogue:
            self.buffer = code.let(f"alloca [{self.rows * max(self.columns, 2)} x "
                                   f"{LLVM[product.sum_dtype]}], align 64")
        with code.loop("%m0", "%m1", self.rows) as row:
            self._by_size(product.m, self.rows, (row.index, "%m1"),
                          lambda rows: self._row(row.index, rows))

    def _by_size(self, total: int, unit: int, bounds: tuple[str, str],
                 write: Callable[[int], None]) -> None:
        """Text for a whole unit and for the last one, which may be smaller."""
        code, (begin, end) = self.code, bounds
        if total % unit == 0 or total < unit:
            write(min(unit, total))
            return
        whole = code.let(f"icmp sle i64 {code.add(begin, unit)}, {end}")
        code.if_else(whole, lambda: write(unit), lambda: write(total % unit))

    def _row(self, row: str, rows: int) -> None:
        with self.code.loop("%n0", "%n1", self.columns) as column:
            self._by_size(self.product.n, self.columns, (column.index, "%n1"),
                          lambda columns: self._block(row, column.index, rows, columns))

    # -- sums ------------------------------------------------------------------------------------
    def _block(self, row: str, column: str, rows: int, columns: int) -> None:
        """All of k in vectors, then the remainder with zeros behind it."""
        code, lanes, sum_dtype = self.code, self.lanes, self.product.sum_dtype
        a = self._rows_of_a(row)
        b = self._columns_of_b(column)
        builder = Builder(code, lanes)

        def multiply(k: Any, count: int, sums: list[str]) -> list[str]:
            # The fewer lines stay in registers, of the others one at a time: all do not fit.
            found = list(sums)
            few, many, apart = (a, b, (columns, 1)) if rows < columns else (b, a, (1, columns))
            kept = [few.load(builder, i, k, count) for i in range(min(rows, columns))]
            for j in range(max(rows, columns)):
                y = many.load(builder, j, k, count)
                for i, x in enumerate(kept):
                    at = i * apart[0] + j * apart[1]
                    found[at] = multiply_add(builder, x, y, Val(sums[at], sum_dtype)).text
            return found

        whole = self.product.k // lanes * lanes
        rest = self.product.k - whole
        DEPTH({(True, False): "vectors", (False, True): "remainder", (True, True): "both",
               (False, False): "nothing"}[whole > 0, rest > 0])
        sums = ["zeroinitializer"] * (rows * columns)
        if whole:
            kind = f"<{lanes} x {LLVM[sum_dtype]}>"
            with code.loop(0, whole, lanes, [(kind, zero) for zero in sums]) as loop:
                loop.after = multiply(loop.index, lanes, loop.carry)
            sums = loop.results
        if rest:
            sums = multiply(whole, rest, sums)
        self._finish(row, column, (rows, columns), sums)

    def _rows_of_a(self, row: str) -> Lines:
        product, code = self.product, self.code
        pointer = code.at("%a", code.mul(row, product.a.row), LLVM[product.a_dtype])
        return Lines(pointer, product.a.row, product.a_dtype)

    def _columns_of_b(self, column: str) -> Lines:
        product, code = self.product, self.code
        if self.plan.blocking.pack_b:
            pointer = code.at("%own", code.mul(column, product.k), LLVM[product.sum_dtype])
            return Lines(pointer, product.k, product.sum_dtype)
        pointer = code.at("%b", code.mul(column, product.b.column), LLVM[product.b_dtype])
        return Lines(pointer, product.b.column, product.b_dtype)

    # -- results ---------------------------------------------------------------------------------
    def _finish(self, row: str, column: str, sizes: tuple[int, int], sums: list[str]) -> None:
        """The lanes of each vector are added up; then it is an element of C."""
        code, dtype = self.code, self.product.sum_dtype
        rows, columns = sizes
        by_rows = columns == 1
        lines = [sums] if by_rows else [sums[i * columns:][:columns] for i in range(rows)]
        for i, line in enumerate(lines):
            at = 0
            for part in power_of_two_parts(len(line), self.lanes):
                value = lane_sums(code, line[at:at + part], self.lanes, dtype)
                builder = Builder(code, part)
                if self.epilogue:
                    index = at if by_rows else i * columns + at
                    builder.store(value, code.at(self.buffer, index, LLVM[dtype]))
                elif by_rows:
                    self._store_column(builder, value, code.add(row, at), column)
                else:
                    self._store(builder, value, code.add(row, i), code.add(column, at))
                at += part
        if self.epilogue:
            with self.epilogue.rows(0, rows, row, column, columns) as loop:
                pointer = code.at(self.buffer, code.mul(loop.index, columns), LLVM[dtype])
                self.epilogue.write(pointer, code.add(row, loop.index), column, columns)

    def _store(self, builder: Builder, value: Val, row: str, column: str) -> None:
        product, code = self.product, self.code
        offset = code.add(code.mul(row, product.c_row_stride), column)
        where = code.at("%c", offset, LLVM[product.dtype])
        if product.accumulate:
            value = builder.add(value, load_widened(builder, where, product.dtype))
        builder.store(builder.cast(value, product.dtype), where)

    def _store_column(self, builder: Builder, value: Val, row: str, column: str) -> None:
        """Neighbours in a column of C."""
        contiguous = self.product.c_row_stride == 1 and self.product.n == 1
        if COLUMN("contiguous" if contiguous else "strided") == "contiguous":
            self._store(builder, value, row, column)
            return
        for i in range(builder.lanes):
            element = extract_lanes(builder, value, i, 1)
            self._store(Builder(self.code), element, self.code.add(row, i), column)
