"""Matrix products as dot products: sums of vectors along k, for operands that lie along k.

For C of a few rows or columns, where tiles (`tiles`) would have to turn an operand around for too
little use of it. Called by `gemm`.
"""

from __future__ import annotations

from typing import Any

from tapeflow.jit.choices import Choice
from tapeflow.jit.codegen.builder import LLVM, Builder, Val
from tapeflow.jit.codegen.llvm_text import Code
from tapeflow.jit.kernels.gemm.gemm_tile import (
    Epilogue,
    filled,
    finish_row,
    lanes_of,
    load_wide,
    multiply_add,
    pieces,
    wide,
)

COLUMN = Choice("gemm_dot.column", ("side by side", "apart"))
REST = Choice("gemm_dot.k", ("vectors", "rest", "both", "nothing"))


def sums_of(code: Code, vectors: list[str], lanes: int, dtype: str) -> Val:
    """The sums over the lanes of each of some vectors (a power of two), in one vector."""
    group = lanes
    kind = LLVM[dtype]
    width = lanes
    while group > 1:
        half = group // 2
        pairs = (list(zip(vectors[::2], vectors[1::2])) if len(vectors) > 1 else
                 [(vectors[0], vectors[0])])
        both = len(vectors) > 1
        found = []
        for x, y in pairs:
            starts = [base + at for base in ((0, width) if both else (0,))
                      for at in range(0, width, group)]
            parts = []
            count = len(starts) * half
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


class Dots:
    """The body of a kernel: see `gemm._Kernel`, whose place it takes."""

    def __init__(self, gemm: Any, epilogue: Epilogue | None):
        self.gemm, self.epilogue = gemm, epilogue

    def write(self, code: Code) -> None:
        gemm = self.gemm
        self.code = code
        self.high, self.across = gemm.dots
        if self.epilogue:
            self.buffer = code.let(f"alloca [{self.high * max(self.across, 2)} x "
                                   f"{LLVM[wide(gemm.dtype)]}], align 64")
        with code.loop("%m0", "%m1", self.high) as row:
            self._cut(gemm.m, self.high, row.index, "%m1",
                      lambda rows: self._row(row.index, rows))

    def _cut(self, total: int, unit: int, at: str, end: str, one: Any) -> None:
        """Text for a whole unit and for the last one, which may be smaller."""
        from tapeflow.jit.kernels.gemm.gemm import either
        code = self.code
        if total % unit == 0 or total < unit:
            one(min(unit, total))
            return
        whole = code.let(f"icmp sle i64 {code.add(at, unit)}, {end}")
        either(code, whole, lambda: one(unit), lambda: one(total % unit))

    def _row(self, row: str, rows: int) -> None:
        with self.code.loop("%n0", "%n1", self.across) as column:
            self._cut(self.gemm.n, self.across, column.index, "%n1",
                      lambda columns: self._block(row, column.index, rows, columns))

    def _block(self, row: str, column: str, rows: int, columns: int) -> None:
        gemm, code = self.gemm, self.code
        dtype, lanes = wide(gemm.dtype), gemm.lanes
        kind = f"<{lanes} x {LLVM[dtype]}>"
        a = code.at("%a", code.mul(row, gemm.a[0]), LLVM[gemm.dtype])
        if gemm.pack_b:
            b, step, type_b = code.at("%own", code.mul(column, gemm.k), LLVM[dtype]), gemm.k, \
                dtype
        else:
            b, step, type_b = code.at("%b", code.mul(column, gemm.b[1]), LLVM[gemm.dtype]), \
                gemm.b[1], gemm.dtype
        whole = gemm.k // lanes * lanes

        def multiply(k: Any, totals: list[str], get: Any) -> list[str]:
            builder = Builder(code, lanes)
            xs = [get(code.at(code.at(a, i * gemm.a[0], LLVM[gemm.dtype]), k, LLVM[gemm.dtype]),
                      gemm.dtype) for i in range(rows)]
            ys = [get(code.at(code.at(b, j * step, LLVM[type_b]), k, LLVM[type_b]), type_b)
                  for j in range(columns)]
            return [multiply_add(builder, x, y, Val(totals[i * columns + j], dtype)).text
                    for i, x in enumerate(xs) for j, y in enumerate(ys)]

        REST({(True, False): "vectors", (False, True): "rest", (True, True): "both",
              (False, False): "nothing"}[whole > 0, gemm.k > whole])
        totals = ["zeroinitializer"] * (rows * columns)
        if whole:
            with code.loop(0, whole, lanes, [(kind, one) for one in totals]) as loop:
                loop.after = multiply(loop.index, loop.carry,
                                      lambda at, t: load_wide(Builder(code, lanes), at, t))
            totals = loop.results
        rest = gemm.k - whole
        if rest:
            totals = multiply(whole, totals, lambda at, t: filled(code, at, lanes, rest, t))
        self._finish(row, column, rows, columns, totals)

    def _finish(self, row: str, column: str, rows: int, columns: int, totals: list[str]) -> None:
        """Sums of the vectors, and what becomes of them."""
        gemm, code = self.gemm, self.code
        dtype = wide(gemm.dtype)
        by_rows = columns == 1
        lines = [totals] if by_rows else [totals[i * columns:][:columns] for i in range(rows)]
        for i, line in enumerate(lines):
            at = 0
            for piece in pieces(len(line), gemm.lanes):
                value = sums_of(code, line[at:at + piece], gemm.lanes, dtype)
                builder = Builder(code, piece)
                if self.epilogue:
                    place = at if by_rows else i * columns + at
                    builder.store(value, code.at(self.buffer, place, LLVM[dtype]))
                elif by_rows:
                    self._scatter(value, code.add(row, at), column, piece)
                else:
                    self._store(builder, value, code.add(row, i), code.add(column, at))
                at += piece
        if self.epilogue:
            self._epilogue(row, column, rows, columns)

    def _store(self, builder: Builder, value: Val, row: str, column: str) -> None:
        gemm, code = self.gemm, self.code
        where = code.at("%c", code.add(code.mul(row, gemm.c), column), LLVM[gemm.dtype])
        if gemm.accumulate:
            value = builder.add(value, load_wide(builder, where, gemm.dtype))
        builder.store(builder.cast(value, gemm.dtype), where)

    def _scatter(self, value: Val, row: str, column: str, count: int) -> None:
        """A column of C."""
        near = self.gemm.c == 1 and self.gemm.n == 1
        if COLUMN("side by side" if near else "apart") == "side by side":
            self._store(Builder(self.code, count), value, row, column)
            return
        for i in range(count):
            one = lanes_of(self.code, value, count, i, 1)
            self._store(Builder(self.code), one, self.code.add(row, i), column)

    def _epilogue(self, row: str, column: str, rows: int, columns: int) -> None:
        gemm, code = self.gemm, self.code
        with code.loop(0, rows) as loop:
            line = code.at(self.buffer, code.mul(loop.index, columns), LLVM[wide(gemm.dtype)])
            finish_row(gemm, code, self.epilogue, line, code.add(row, loop.index), column,
                       columns, gemm.lanes)


def write_turned(code: Code, gemm: Any) -> None:
    """Copy the columns of B to %own, one after the other, along k."""
    goal = LLVM[wide(gemm.dtype)]
    one = Builder(code)
    with code.loop(0, gemm.n) as column, code.loop(0, gemm.k) as k:
        source = code.at("%b", code.add(code.mul(k.index, gemm.b[0]),
                                        code.mul(column.index, gemm.b[1])), LLVM[gemm.dtype])
        to = code.at("%own", code.add(code.mul(column.index, gemm.k), k.index), goal)
        one.store(load_wide(one, source, gemm.dtype), to)
