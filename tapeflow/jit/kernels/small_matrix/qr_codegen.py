"""q and r of a small matrix by Householder reflections, as LAPACK's geqrf and orgqr do it.

Reflection k is I - tau·v·vᵀ with v[k] = 1 and v[:k] = 0; it makes column k zero below the diagonal.
It is applied to whole rows, in vectors along them: w = tau·(vᵀ·a), then a[p] -= v[p]·w.

The sign of a row of r hangs on the sign of the element where column k meets the diagonal, and on
whether all below it is zero. Where rounding may decide either, or where squares leave the range of
the dtype, the status word is set: NumPy's kernel then decides, so that signs are the same.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from tapeflow.jit.codegen.addressing import set_error_status
from tapeflow.jit.codegen.builder import LLVM, Builder, Val, itemsize
from tapeflow.jit.codegen.llvm_text import Code
from tapeflow.jit.codegen.partial_vectors import VectorSlot, multiply_add
from tapeflow.jit.kernels.gemm.gemm_pack import Matrix
from tapeflow.jit.kernels.small_matrix.matrix_rows import (
    as_int32,
    copy_matrix,
    lane_numbers,
    lanes_for,
    padded,
    sums_of_products,
)

DOUBT = 32  # units in the last place of a column's largest element: what rounding may leave
GROUP = 8  # vectors of a row whose sums are made together


class QR:
    """q and r of one matrix; of a full one q has as many columns as rows."""

    risky = True
    operands = ("matrix",)

    def __init__(self, m: int, n: int, dtype: str, full: bool):
        self.m, self.n, self.dtype = m, n, dtype
        self.count = min(m, n)  # of reflections
        self.columns = m if full else self.count  # of q, and rows of r
        self.text = f"q and r of {m}x{n}"
        self.cycles = 100.0 * self.count + self.count * m * (n + self.columns) / 8

    def work(self, target: Any) -> int:
        """Bytes of working memory: padded rows of r, of q and of the reflections' vectors."""
        more = int(target.lanes(itemsize(self.dtype)))
        rows = self.m * (self.n + self.columns + 2 * more) + self.count * self.m
        return (rows + self.n + self.count) * itemsize(self.dtype)

    def write(self, code: Code, operands: list[Matrix], results: list[str], work: str) -> None:
        m, n, dtype, columns = self.m, self.n, self.dtype, self.columns
        across, along = lanes_for(code.module, dtype, n), lanes_for(code.module, dtype, columns)
        pieces = [m * padded(n, across), m * padded(columns, along), self.count * m, self.count]
        starts = [code.at(work, sum(pieces[:i]), LLVM[dtype]) for i in range(5)]
        r = Matrix(starts[0], padded(n, across), 1, dtype)
        q = Matrix(starts[1], padded(columns, along), 1, dtype)
        v = Matrix(starts[2], m, 1, dtype)
        taus, scales = starts[3:]
        copy_matrix(code, operands[0], r, m, n, across)
        self._largest(code, r, scales)
        moved = code.room("i8")  # whether a reflection has changed the matrix
        one = Builder(code)
        one.store(one.const(False, "bool"), moved)
        for first in range(0, self.count, across):  # columns in the same vector
            with code.loop(first, min(first + across, self.count)) as loop:
                k = loop.index
                tau, beta = self._reflection(code, r, k, v, scales, moved)
                one.store(tau, code.at(taus, k, LLVM[dtype]))
                self._apply(code, r, k, v, tau, first, across)
                one.store(beta, r.address(code, k, k))
                with code.loop(code.add(k, 1), m, some=False) as below:
                    one.store(one.const(0, dtype), r.address(code, below.index, k))
        copy_matrix(code, r, Matrix(results[1], n, 1, dtype), columns, n, across)
        self._identity(code, q, along)
        for first in reversed(range(0, self.count, along)):
            last = min(first + along, self.count)
            with code.loop(0, last - first) as loop:
                k = code.let(f"sub nsw i64 {last - 1}, {loop.index}")
                tau = one.load(code.at(taus, k, LLVM[dtype]), dtype)
                self._apply(code, q, k, v, tau, first, along)
        copy_matrix(code, q, Matrix(results[0], columns, 1, dtype), m, columns, along)

    def _largest(self, code: Code, a: Matrix, scales: str) -> None:
        """The absolutely largest element of each column."""
        one, dtype = Builder(code), self.dtype
        with code.loop(0, self.n) as column:
            carry = [(LLVM[dtype], one.const(0, dtype).text)]
            with code.loop(0, self.m, carry=carry) as row:
                x = one.abs(one.load(a.address(code, row.index, column.index), dtype))
                best = Val(row.carry[0], dtype)
                row.after[0] = one.select(one.gt(x, best), x, best).text
            one.store(Val(row.results[0], dtype), code.at(scales, column.index, LLVM[dtype]))

    def _reflection(self, code: Code, a: Matrix, k: str, v: Matrix, scales: str,
                    moved: str) -> tuple[Val, Val]:
        """Put vector k into v; its factor, and the element that it leaves on the diagonal."""
        one, dtype = Builder(code), self.dtype
        alpha = one.load(a.address(code, k, k), dtype)
        carry = [("double", one.const(0, "float64").text), (LLVM[dtype], one.const(0, dtype).text)]
        with code.loop(code.add(k, 1), self.m, some=False, carry=carry) as loop:
            x = one.load(a.address(code, loop.index, k), dtype)
            wide = one.cast(x, "float64")
            loop.after[0] = one.add(Val(loop.carry[0], "float64"), one.mul(wide, wide)).text
            size, best = one.abs(x), Val(loop.carry[1], dtype)
            loop.after[1] = one.select(one.gt(size, best), size, best).text
        squares, largest = Val(loop.results[0], "float64"), Val(loop.results[1], dtype)
        self._doubt(code, k, alpha, squares, largest, scales, moved)
        wide = one.cast(alpha, "float64")
        norm = one.cast(one.sqrt(one.add(one.mul(wide, wide), squares)), dtype)
        none = one.eq(largest, one.const(0, dtype))
        minus = one.lt(one.bitcast(alpha, _BITS[dtype]), one.const(0, _BITS[dtype]))
        beta = one.select(none, alpha, one.select(minus, norm, one.neg(norm)))
        divisor = one.select(none, one.const(1, dtype), beta)
        tau = one.div(one.sub(beta, alpha), divisor)
        scale = one.div(one.const(1, dtype),
                        one.select(none, one.const(1, dtype), one.sub(alpha, beta)))
        one.store(one.const(1, dtype), v.address(code, k, k))
        with code.loop(code.add(k, 1), self.m, some=False) as loop:
            x = one.load(a.address(code, loop.index, k), dtype)
            one.store(one.mul(x, scale), v.address(code, k, loop.index))
        one.store(one.either(one.load(moved, "bool"), one.invert(none)), moved)
        return tau, beta

    def _doubt(self, code: Code, k: str, alpha: Val, squares: Val, largest: Val, scales: str,
               moved: str) -> None:
        """Set the status word where rounding decides a sign, or a norm is not to be trusted."""
        one, dtype = Builder(code), self.dtype
        scale = one.load(code.at(scales, k, LLVM[dtype]), dtype)
        least = one.mul(scale, one.const(DOUBT * float(np.finfo(dtype).eps), dtype))
        clear = one.both(one.gt(one.abs(alpha), least), one.gt(largest, least))
        exact = one.either(one.invert(one.load(moved, "bool")), one.eq(scale, one.const(0, scale)))
        last = Val(code.pure(f"icmp eq i64 {k}, {self.m - 1}"), "bool")  # nothing lies below
        sure = one.either(one.either(clear, exact), last)
        wide = one.cast(alpha, "float64")
        total = one.add(squares, one.mul(wide, wide))
        low, high = _RANGE[dtype]
        inside = one.both(one.gt(total, one.const(low, total)),
                          one.lt(total, one.const(high, total)))
        zero = one.both(one.eq(alpha, one.const(0, alpha)), one.eq(largest, one.const(0, largest)))
        set_error_status(code, one.both(sure, one.either(inside, zero)).text)

    def _apply(self, code: Code, a: Matrix, k: str, v: Matrix, tau: Val, first: int,
               lanes: int) -> None:
        """Reflect rows k and below, in the columns from the vector at column `first` on.

        Columns up to k are done, or zero in these rows: they stay.
        """
        dtype, kind = self.dtype, LLVM[self.dtype]
        b, one = Builder(code, lanes), Builder(code)
        offsets = range(first, a.row_stride, lanes)
        whole = b.splat(tau.text, dtype)
        for start in range(0, len(offsets), GROUP):
            slots = [VectorSlot(at, lanes, lanes) for at in offsets[start:start + GROUP]]
            sums = sums_of_products(code, slots, (k, self.m), lambda p: v.address(code, k, p),
                                    lambda p: a.address(code, p), dtype)
            w = [b.mul(whole, total) for total in sums]
            if not start:
                mine = b.ge(lane_numbers(b, first), b.splat(as_int32(code, k), "int32"))
                w[0] = b.select(mine, w[0], b.const(0, dtype))
            with code.loop(k, self.m) as loop:
                factor = one.load(v.address(code, k, loop.index), dtype)
                minus = b.splat(one.neg(factor).text, dtype)
                row = a.address(code, loop.index)
                for slot, x in zip(slots, w, strict=True):
                    at = code.at(row, slot.offset, kind)
                    b.store(multiply_add(b, minus, x, b.load(at, dtype)), at)

    def _identity(self, code: Code, q: Matrix, lanes: int) -> None:
        b = Builder(code, lanes)
        with code.loop(0, self.m) as row:
            for offset in range(0, q.row_stride, lanes):
                mine = b.eq(lane_numbers(b, offset), b.splat(as_int32(code, row.index), "int32"))
                b.store(b.select(mine, b.const(1, self.dtype), b.const(0, self.dtype)),
                        q.address(code, row.index, offset))


_BITS = {"float32": "int32", "float64": "int64"}
# Sums of squares outside of this range may have lost digits.
_RANGE = {"float32": (1e-60, 1e76), "float64": (1e-280, 1e300)}


def describe(shapes: list[tuple], dtype: str, attrs: dict) -> QR | str:
    m, n = shapes[0][-2:]
    if not m or not n:
        return "nothing to do"
    return QR(m, n, dtype, attrs.get("full_matrices", False))
