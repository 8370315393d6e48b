"""Packing: copies of operands in the order in which a tile reads them.

A panel of B is some neighbouring columns, one row of them below the other; a block of A is packed
tile by tile, for each k the elements of the tile's rows side by side. Where an operand lies across
that order, squares of vectors are transposed in registers.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from tapeflow.jit.choices import Choice
from tapeflow.jit.codegen.builder import LLVM, Builder, Val, itemsize
from tapeflow.jit.codegen.llvm_text import Code, Module
from tapeflow.jit.codegen.partial_vectors import (
    VectorSlot,
    load_widened,
    load_zero_filled,
    power_of_two_parts,
    sum_dtype,
)

COLUMNS = Choice("gemm_pack.columns", ("contiguous", "squares", "scalars"))
ROWS = Choice("gemm_pack.rows", ("squares", "contiguous", "scalars"))
SQUARES_MIN = 1024  # elements of a panel: fewer are copied one by one
HALF_SQUARES_MIN = 64  # to widen one by one takes longer than to copy


@dataclass
class Matrix:
    """What is packed: a pointer to its first element, strides in elements, dtype."""

    pointer: str
    row_stride: int
    column_stride: int
    dtype: str

    def address(self, code: Code, row: Any, column: Any = 0) -> str:
        start = code.at(self.pointer, code.mul(row, self.row_stride), LLVM[self.dtype])
        return code.at(start, code.mul(column, self.column_stride), LLVM[self.dtype])


def pack_columns(code: Code, source: Matrix, target: str, slots: list[VectorSlot], k: Any) -> None:
    """A panel of B: k rows of the columns that `slots` cover, row below row; padding is 0."""
    width = sum(slot.lanes for slot in slots)
    may = source.row_stride == 1
    least = SQUARES_MIN if sum_dtype(source.dtype) == source.dtype else HALF_SQUARES_MIN
    squares = may and (not isinstance(k, int) or k * width > least)
    if source.column_stride == 1:
        COLUMNS("contiguous")
        _pack_contiguous(code, source, target, slots, k)
        return
    how = COLUMNS("squares" if squares else "scalars",
                  ("scalars", "squares" if may else "scalars"))
    first = _pack_squares(code, source, target, slots, k) if how == "squares" else 0
    if first == k:
        return
    kind = LLVM[sum_dtype(source.dtype)]
    with code.loop(first, k) as loop:
        row = code.at(target, code.mul(loop.index, width), kind)
        start = source.address(code, loop.index)
        for slot in slots:
            with code.loop(0, slot.used) as column:
                index = code.add(column.index, slot.offset)
                element = code.at(start, code.mul(index, source.column_stride), LLVM[source.dtype])
                _copy_scalar(code, element, code.at(row, index, kind), source.dtype)
            one = Builder(code, 1)
            for lane in range(slot.used, slot.lanes):
                one.store(one.const(0, sum_dtype(source.dtype)),
                          code.at(row, slot.offset + lane, kind))


def pack_rows(code: Code, source: Matrix, target: str, rows: int, k: Any, height: int) -> None:
    """`rows` rows of A for a tile of `height` rows: for each k their elements side by side.

    The target needs room for the lanes of one vector more.
    """
    dtype, kind = source.dtype, LLVM[sum_dtype(source.dtype)]
    lanes = _lanes(code.module, dtype)
    first: Any = 0
    squares = source.column_stride == 1 and height <= lanes
    otherwise = "contiguous" if source.row_stride == 1 else "scalars"
    if ROWS("squares" if squares else otherwise,
            (otherwise, "squares" if squares else otherwise)) == "squares":
        first = _multiple(code, k, lanes)
        transpose = write_transpose(code.module, dtype, rows, lanes)
        with code.loop(0, first, lanes) as loop:
            code.do(f"call void {transpose}(ptr {source.address(code, 0, loop.index)}, "
                    f"i64 {source.row_stride}, "
                    f"ptr {code.at(target, code.mul(loop.index, height), kind)}, i64 {height})")
    if first == k:
        return
    with code.loop(first, k) as loop:
        column = source.address(code, 0, loop.index)
        to = code.at(target, code.mul(loop.index, height), kind)
        at = 0
        for part in power_of_two_parts(rows, lanes) if source.row_stride == 1 else [1] * rows:
            builder = Builder(code, part)
            builder.store(load_widened(builder, code.at(column, at * source.row_stride,
                                                        LLVM[dtype]), dtype),
                          code.at(to, at, kind))
            at += part


def pack_transposed(code: Code, source: Matrix, target: str, rows: int, columns: int) -> None:
    """The columns of a matrix one after the other, element by element."""
    kind = LLVM[sum_dtype(source.dtype)]
    with code.loop(0, columns) as column, code.loop(0, rows) as row:
        offset = code.add(code.mul(row.index, source.row_stride),
                          code.mul(column.index, source.column_stride))
        element = code.at(source.pointer, offset, LLVM[source.dtype])
        to = code.at(target, code.add(code.mul(column.index, rows), row.index), kind)
        _copy_scalar(code, element, to, source.dtype)


# -- squares ---------------------------------------------------------------------------------------
def _pack_contiguous(code: Code, source: Matrix, target: str, slots: list[VectorSlot],
                     k: Any) -> None:
    """A panel whose rows are contiguous."""
    kind, width = LLVM[sum_dtype(source.dtype)], sum(slot.lanes for slot in slots)
    with code.loop(0, k) as loop:
        row = source.address(code, loop.index)
        to = code.at(target, code.mul(loop.index, width), kind)
        for slot in slots:
            builder = Builder(code, slot.lanes)
            where = code.at(row, slot.offset, LLVM[source.dtype])
            builder.store(load_zero_filled(builder, where, source.dtype, slot.used),
                          code.at(to, slot.offset, kind))


def _pack_squares(code: Code, source: Matrix, target: str, slots: list[VectorSlot],
                  k: Any) -> Any:
    """A panel whose columns are contiguous, by squares; gives the k reached."""
    dtype, kind = source.dtype, LLVM[sum_dtype(source.dtype)]
    lanes, width = _lanes(code.module, dtype), sum(slot.lanes for slot in slots)
    apart = source.column_stride
    whole = _multiple(code, k, lanes)
    with code.loop(0, whole, lanes) as loop:
        to = code.at(target, code.mul(loop.index, width), kind)
        row = source.address(code, loop.index)
        for slot in slots:
            where = code.at(row, slot.offset * apart, LLVM[dtype])
            square = code.at(to, slot.offset, kind)
            if slot.lanes == lanes:
                transpose = write_transpose(code.module, dtype, slot.used, lanes)
                code.do(f"call void {transpose}(ptr {where}, i64 {apart}, ptr {square}, "
                        f"i64 {width})")
                continue
            with code.loop(0, lanes) as down, code.loop(0, slot.used) as column:
                offset = code.add(code.mul(column.index, apart), down.index)
                _copy_scalar(
                    code, code.at(where, offset, LLVM[dtype]),
                    code.at(square, code.add(code.mul(down.index, width), column.index), kind),
                    dtype)
    return whole


def write_transpose(module: Module, dtype: str, rows: int, lanes: int) -> str:
    """`transpose(source, row stride, target, column stride)`: `rows` rows of `lanes` elements are
    written as `lanes` vectors of `lanes` elements, one below the other; beyond `rows` they are 0.
    """
    def write() -> Code:
        code = Code(module, name, [("ptr", "%source"), ("i64", "%row_stride"), ("ptr", "%target"),
                                   ("i64", "%column_stride")],
                    attributes=module.target.attributes)
        dtype_out = sum_dtype(dtype)
        kind = LLVM[dtype_out]
        builder = Builder(code, lanes)
        found = []
        for i in range(lanes):
            if i < rows:
                where = code.at("%source", code.mul(i, "%row_stride"), LLVM[dtype])
                found.append(load_widened(builder, where, dtype).text)
            else:
                found.append("zeroinitializer")
        for i, column in enumerate(transposed(code, found, kind)):
            builder.store(Val(column, dtype_out),
                          code.at("%target", code.mul(i, "%column_stride"), kind))
        return code

    name = f"tf.transpose.{dtype}.{rows}.{lanes}"
    return module.once(name, write)


def transposed(code: Code, rows: list[str], kind: str) -> list[str]:
    """The columns of a square of elements given by its rows, as vectors."""
    n = len(rows)
    vector = f"<{n} x {kind}>"
    step = n // 2
    while step:
        for i in range(n):
            if i & step:
                continue
            x, y = rows[i], rows[i + step]
            for base, to in ((0, i), (step, i + step)):
                mask = ", ".join(f"i32 {(j | base) if not j & step else n + ((j & ~step) | base)}"
                                 for j in range(n))
                rows[to] = code.let(f"shufflevector {vector} {x}, {vector} {y}, "
                                    f"<{n} x i32> <{mask}>")
        step //= 2
    return rows


def _multiple(code: Code, k: Any, lanes: int) -> Any:
    """The largest multiple of the lanes that is not above k."""
    return k // lanes * lanes if isinstance(k, int) else code.pure(f"and i64 {k}, {-lanes}")


def _copy_scalar(code: Code, source: str, target: str, dtype: str) -> None:
    one = Builder(code, 1)
    one.store(load_widened(one, source, dtype), target)


def _lanes(module: Module, dtype: str) -> int:
    return int(module.target.lanes(itemsize(sum_dtype(dtype))))
