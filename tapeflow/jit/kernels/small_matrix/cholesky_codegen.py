"""The Cholesky factor of a small matrix, row by row of its transpose.

a = l·lᵀ with u = lᵀ: row k of u is (row k of a - sum over p < k of u[p, k] * u[p]) / u[k, k], in
vectors along the row. Only the lower triangle of `a` is read.
"""

from __future__ import annotations

from typing import Any

from tapeflow.jit.codegen.builder import LLVM, Builder, itemsize
from tapeflow.jit.codegen.llvm_text import Code
from tapeflow.jit.codegen.partial_vectors import VectorSlot
from tapeflow.jit.kernels.gemm.gemm_pack import Matrix
from tapeflow.jit.kernels.small_matrix.matrix_rows import (
    as_int32,
    copy_matrix,
    lane_numbers,
    lanes_for,
    padded,
    sums_of_products,
)

GROUP = 8  # vectors of a row whose sums are made together


class Cholesky:
    """l of one matrix: NaN in its triangle if the matrix is not positive definite."""

    risky = False
    operands = ("matrix",)

    def __init__(self, n: int, dtype: str):
        self.n, self.dtype = n, dtype
        self.text = f"Cholesky factor of {n}x{n}"
        self.cycles = 40.0 * n + n ** 3 / 20

    def work(self, target: Any) -> int:
        """Bytes of working memory: the padded rows of u."""
        return self.n * (self.n + int(target.lanes(itemsize(self.dtype)))) * itemsize(self.dtype)

    def write(self, code: Code, operands: list[Matrix], results: list[str], work: str) -> None:
        n, dtype = self.n, self.dtype
        lanes = lanes_for(code.module, dtype, n)
        a = operands[0]
        u = Matrix(work, padded(n, lanes), 1, dtype)
        copy_matrix(code, Matrix(a.pointer, a.column_stride, a.row_stride, dtype), u, n, n, lanes)
        failed = code.room("i8")
        one = Builder(code)
        one.store(one.const(False, "bool"), failed)
        for first in range(0, n, lanes):  # rows whose diagonal lies in the same vector
            with code.loop(first, min(first + lanes, n)) as loop:
                self._row(code, u, loop.index, first, lanes, failed)
        result = Matrix(results[0], n, 1, dtype)
        copy_matrix(code, Matrix(work, 1, u.row_stride, dtype), result, n, n, lanes)
        with code.when(one.load(failed, "bool").text):
            nan = one.const(float("nan"), dtype)
            with code.loop(0, n) as row, code.loop(0, code.add(row.index, 1), some=True) as column:
                one.store(nan, result.address(code, row.index, column.index))

    def _row(self, code: Code, u: Matrix, k: str, first: int, lanes: int, failed: str) -> None:
        """Row k, whose diagonal is in the vector that begins at column `first`."""
        dtype, kind = self.dtype, LLVM[self.dtype]
        b, one = Builder(code, lanes), Builder(code)
        row = u.address(code, k)
        values = []
        offsets = range(first, u.row_stride, lanes)
        for start in range(0, len(offsets), GROUP):
            slots = [VectorSlot(at, lanes, lanes) for at in offsets[start:start + GROUP]]
            sums = sums_of_products(code, slots, (0, k), lambda p: u.address(code, p, k),
                                    lambda p: u.address(code, p), dtype)
            values += [(slot.offset, b.sub(b.load(code.at(row, slot.offset, kind), dtype), total))
                       for slot, total in zip(slots, sums, strict=True)]
        b.store(values[0][1], code.at(row, first, kind))
        diagonal = code.at(row, k, kind)
        d = one.load(diagonal, dtype)
        # NaN is no failure, as in LAPACK: it goes on to what depends on it.
        one.store(one.either(one.load(failed, "bool"), one.le(d, one.const(0, d))), failed)
        root = one.sqrt(d)
        whole = b.splat(root.text, dtype)
        for offset, value in values:
            value = b.div(value, whole)
            if offset == first:
                mine = b.ge(lane_numbers(b, first), b.splat(as_int32(code, k), "int32"))
                value = b.select(mine, value, b.const(0, dtype))
            b.store(value, code.at(row, offset, kind))
        one.store(root, diagonal)
        for offset in range(0, first, lanes):
            b.store(b.const(0, dtype), code.at(row, offset, kind))


def describe(shapes: list[tuple], dtype: str, attrs: dict) -> Cholesky:
    return Cholesky(shapes[0][-1], dtype)
