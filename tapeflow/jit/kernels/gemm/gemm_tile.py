"""The micro-kernel: a tile of sums that stays in registers while a loop goes over k.

A tile is some rows × a few vectors of columns. Each iteration loads the vectors of one row of B
once, and multiplies them by one element of A for each row. Used by `gemm_kernel` and by the
convolutions, whose operands lie otherwise.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Protocol

from tapeflow.jit.choices import Choice
from tapeflow.jit.codegen.builder import LLVM, SHORT, Builder, Val, itemsize
from tapeflow.jit.codegen.llvm_text import Code
from tapeflow.jit.codegen.partial_vectors import (
    VectorSlot,
    load_partial,
    load_widened,
    multiply_add,
    sum_dtype,
    vector_types,
)
from tapeflow.jit.kernels.gemm.gemm_fetch import LINE_BYTES, fetch_row

LAST_ROW = Choice("gemm_tile.last_row", ("full", "exact"))  # exact: that of B, peeled


class RowOperand(Protocol):
    """A: where a tile finds the element of a row at k."""

    dtype: str

    def address(self, code: Code, row: int, k: Any) -> str: ...


@dataclass
class StridedRows:
    """Rows at equal distances; those that lie side by side are fetched `ahead` k before."""

    pointer: str
    row_stride: int
    k_stride: int
    dtype: str
    ahead: int = 0

    def address(self, code: Code, row: int, k: Any) -> str:
        column = code.at(self.pointer, code.mul(k, self.k_stride), LLVM[self.dtype])
        return code.at(column, row * self.row_stride, LLVM[self.dtype])


@dataclass
class PointerRows:
    """Contiguous rows, each with a pointer of its own; all are read from `offset` on."""

    pointers: list[str]
    offset: Any
    dtype: str

    def address(self, code: Code, row: int, k: Any) -> str:
        return code.at(self.pointers[row], code.add(self.offset, k), LLVM[self.dtype])


@dataclass
class Panel:
    """B: rows of neighbouring columns, `stride` elements from one k to the next, which are
    fetched `ahead` rows before they are read."""

    pointer: str
    stride: int
    dtype: str
    ahead: int = 0


@dataclass
class MicroKernel:
    """A tile of `rows` rows and the columns of `slots`, and its operands."""

    code: Code
    rows: int
    slots: list[VectorSlot]
    a: RowOperand
    b: Panel

    def sums(self, k: tuple[Any, Any], start: list[str], exact: bool) -> list[str]:
        """The accumulators after k in range(*k), row by row; before, they are `start`.

        exact: no element beyond the last column of the last row of B may be touched; in earlier
        rows that is just the next row.
        """
        code = self.code
        types = vector_types(self.slots, sum_dtype(self.a.dtype)) * self.rows
        begin, end = k
        peel = exact and any(slot.lanes != slot.used for slot in self.slots) and begin != end
        LAST_ROW("exact" if peel else "full")
        last = code.add(end, -1) if peel else end
        some = isinstance(begin, int) and isinstance(end, int) and begin < end - peel
        with code.loop(begin, last, 1, list(zip(types, start)), some=some or None) as loop:
            loop.after = self.step(loop.index, loop.carry)
        return self.step(last, loop.results, True) if peel else loop.results

    def step(self, k: Any, sums: list[str], exact: bool = False) -> list[str]:
        """The accumulators after one more k."""
        code, kind = self.code, LLVM[self.b.dtype]
        row_b = code.at(self.b.pointer, code.mul(k, self.b.stride), kind)
        self._fetch(k, row_b)
        ys = []
        for slot in self.slots:
            builder = Builder(code, slot.lanes)
            ys.append((builder, load_partial(builder, code.at(row_b, slot.offset, kind),
                                             self.b.dtype, slot.used if exact else slot.lanes)))
        one = Builder(code, 1)
        result = []
        for i in range(self.rows):
            scalar = load_widened(one, self.a.address(code, i, k), self.a.dtype)
            for j, (builder, y) in enumerate(ys):
                x = builder.splat(scalar.text, scalar.dtype)
                total = Val(sums[i * len(ys) + j], y.dtype)
                result.append(multiply_add(builder, x, y, total).text)
        return result

    def _fetch(self, k: Any, row_b: str) -> None:
        """What iterations later on will read."""
        a, b = self.a, self.b
        if isinstance(a, StridedRows) and a.ahead:
            row_a = a.address(self.code, 0, k)
            _fetch_ahead(self.code, row_a, a.ahead * a.k_stride, self.rows, a.dtype)
        if b.ahead:
            width = self.slots[-1].offset + self.slots[-1].used
            _fetch_ahead(self.code, row_b, b.ahead * b.stride, width, b.dtype)


def _fetch_ahead(code: Code, pointer: str, distance: int, count: int, dtype: str) -> None:
    """Neighbours that lie so many elements behind a pointer."""
    size = itemsize(dtype)
    aligned = distance * size % LINE_BYTES == count * size % LINE_BYTES == 0
    fetch_row(code, pointer, distance * size, count * size, aligned)


def zero_sums(slots: list[VectorSlot], rows: int, dtype: str) -> list[tuple[str, str]]:
    """(type, zero) of a tile's accumulators."""
    scalar = "0.0" if dtype in SHORT else "0"
    return [(kind, "zeroinitializer" if kind[0] == "<" else scalar)
            for kind in vector_types(slots, dtype)] * rows
