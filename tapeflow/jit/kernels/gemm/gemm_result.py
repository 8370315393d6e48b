"""What becomes of the sums of a tile: stored in C, kept until the next block of k, or handed over.

An epilogue takes C row by row: a tile's sums are written to a buffer on the stack, from where
`RowEpilogue` reads them in vectors as wide as they come.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Any

from tapeflow.jit.choices import Choice
from tapeflow.jit.codegen.builder import LLVM, Builder, Val, itemsize
from tapeflow.jit.codegen.epilogues.row_sums import sums_of
from tapeflow.jit.codegen.epilogues.rows_epilogue import RowsEpilogue
from tapeflow.jit.codegen.llvm_text import Code, Loop
from tapeflow.jit.codegen.partial_vectors import (
    VectorSlot,
    column_pieces,
    load_partial,
    padded_width,
    store_partial,
    vector_types,
)
from tapeflow.jit.kernels.gemm.gemm_fetch import LINE_BYTES, fetch_row
from tapeflow.jit.kernels.gemm.gemm_plan import GemmPlan

# (builder, code, row, column, value, lanes): what follows on some neighbouring elements of C
EmitEpilogue = Callable[[Builder, Code, str, str, Val, int], None]

ROW_EPILOGUE = Choice("gemm_tile.epilogue", ("row", "column"))


@dataclass(frozen=True)
class KBlock:
    """A block of k: where it begins, its depth; i1 values that tell whether it is the first and
    the last one, None if it is all of k."""

    begin: Any
    depth: Any
    first: str | None = None
    last: str | None = None


@dataclass(frozen=True)
class ResultTile:
    """A tile of C: its corner, its height, the vectors of its columns."""

    row: str
    column: Any
    rows: int
    slots: list[VectorSlot]

    def vectors(self) -> Iterator[tuple[int, int, VectorSlot]]:
        """(index, row in the tile, slot) of its accumulators."""
        for i in range(self.rows):
            for j, slot in enumerate(self.slots):
                yield i * len(self.slots) + j, i, slot


@dataclass
class RowEpilogue:
    """Hands rows of sums to the epilogue. most: lanes of the widest vector."""

    plan: GemmPlan
    code: Code
    epilogue: EmitEpilogue
    most: int

    def places(self, row: str, column: Any) -> list[tuple[str, bool]]:
        """What it reads and writes along a row, as far as it tells: see `RowsEpilogue.places`."""
        if self.plan.transposed or not isinstance(self.epilogue, RowsEpilogue):
            return []
        return self.epilogue.places(self.code, row, column)

    def rows(self, begin: Any, end: Any, row: str, column: Any,
             count: int) -> AbstractContextManager[Loop]:
        """A loop over rows that follow row `row`, for all of which `write` gets these columns."""
        sums = sums_of(self.epilogue)
        if sums is None:
            return self.code.loop(begin, end, some=True)
        block = self.code.pure(f"udiv i64 {row}, {sums.block}")
        pieces = column_pieces(self.code, column, count, self.most)
        return sums.rows(self.code, begin, end, block, pieces)

    def write(self, sums: str, row: str, column: Any, count: int) -> None:
        """`count` sums of a row of C, which lie at the pointer `sums`, from `column` on.

        A product that is computed transposed has its rows where the epilogue knows a column.
        """
        code, dtype = self.code, self.plan.product.dtype
        sum_dtype = self.plan.product.sum_dtype
        if ROW_EPILOGUE("column" if self.plan.transposed else "row") == "column":
            one = Builder(code)
            with code.loop(0, count) as loop:
                value = one.load(code.at(sums, loop.index, LLVM[sum_dtype]), sum_dtype)
                self.epilogue(one, code, code.add(column, loop.index), row, one.cast(value, dtype),
                              1)
            return
        at = 0
        for first, lanes in column_pieces(code, column, count, self.most):
            builder = Builder(code, lanes)
            value = builder.load(code.at(sums, at, LLVM[sum_dtype]), sum_dtype)
            self.epilogue(builder, code, row, first, builder.cast(value, dtype), lanes)
            at += lanes


class Accumulators:
    """Where the sums of a tile come from before a block of k, and where they go after it."""

    def __init__(self, plan: GemmPlan, code: Code):
        self.plan, self.code = plan, code
        product = plan.product
        self.width = padded_width(plan.blocking.columns, plan.lanes)  # of a row of the buffer
        self.buffer = ""
        if plan.epilogue:
            self.buffer = code.let(f"alloca [{plan.blocking.rows * self.width} x "
                                   f"{LLVM[product.sum_dtype]}], align 64")

    def start(self, tile: ResultTile, block: KBlock) -> list[str]:
        """Zeros, or the sums so far."""
        plan = self.plan
        dtype = plan.product.sum_dtype
        types = vector_types(tile.slots, dtype) * tile.rows
        zeros = ["zeroinitializer" if kind[0] == "<" else Builder(self.code).const(0, dtype).text
                 for kind in types]
        if block.first is None:
            return zeros
        if plan.product.accumulate and not plan.epilogue and not plan.partial_sum_bytes:
            return self._load(tile, dtype)
        return self.code.values_unless(block.first, list(zip(types, zeros)),
                                       lambda: self._load(tile, dtype))

    def store(self, sums: list[str], tile: ResultTile, block: KBlock) -> None:
        finish = self._store_in_buffer if self.plan.epilogue else self._store_result
        if block.last is None or not self.plan.partial_sum_bytes:
            finish(sums, tile)
        else:
            self.code.if_else(block.last, lambda: finish(sums, tile),
                              lambda: self._store_partial_sums(sums, tile))

    def fetch_row(self, row: str, tile: ResultTile, epilogue: RowEpilogue | None) -> None:
        """A row of a tile's result: ask for its lines."""
        plan, code = self.plan, self.code
        product, size = plan.product, itemsize(plan.product.dtype)
        width = tile.slots[-1].offset + tile.slots[-1].used
        offset = code.add(code.mul(row, product.c_row_stride), tile.column)
        places = [(code.at("%c", offset, LLVM[product.dtype]), True)]
        if epilogue is not None:
            places = epilogue.places(row, tile.column)
        for pointer, written in places:
            if plan.fetching.written or not written:
                fetch_row(code, pointer, 0, width * size, width * size % LINE_BYTES == 0, written)

    # -- partial sums: between blocks of k -------------------------------------------------------
    def _partial_sums(self, tile: ResultTile) -> Iterator[tuple[int, str, Builder, int]]:
        """(index, address, builder, lanes that count) of each accumulator."""
        product, code = self.plan.product, self.code
        kind = LLVM[product.sum_dtype]
        apart = bool(self.plan.partial_sum_bytes)
        base, stride = ("%part", product.n) if apart else ("%c", product.c_row_stride)
        corner = code.at(base, code.add(code.mul(tile.row, stride), tile.column), kind)
        for index, row, slot in tile.vectors():
            where = code.at(corner, row * stride + slot.offset, kind)
            yield index, where, Builder(code, slot.lanes), slot.used

    def _load(self, tile: ResultTile, dtype: str) -> list[str]:
        return [load_partial(builder, where, dtype, used).text
                for _, where, builder, used in self._partial_sums(tile)]

    def _store_partial_sums(self, sums: list[str], tile: ResultTile) -> None:
        for index, where, builder, used in self._partial_sums(tile):
            store_partial(builder, Val(sums[index], self.plan.product.sum_dtype), where, used)

    # -- finished sums ---------------------------------------------------------------------------
    def _store_result(self, sums: list[str], tile: ResultTile) -> None:
        product, code = self.plan.product, self.code
        kind, stride = LLVM[product.dtype], product.c_row_stride
        corner = code.at("%c", code.add(code.mul(tile.row, stride), tile.column), kind)
        for index, row, slot in tile.vectors():
            where = code.at(corner, row * stride + slot.offset, kind)
            value, builder = Val(sums[index], product.sum_dtype), Builder(code, slot.lanes)
            if product.accumulate and (self.plan.whole_k or self.plan.partial_sum_bytes):
                old = load_partial(builder, where, product.dtype, slot.used)
                value = builder.add(value, Val(old.text, value.dtype))
            store_partial(builder, builder.cast(value, product.dtype), where, slot.used)

    def _store_in_buffer(self, sums: list[str], tile: ResultTile) -> None:
        """From where the epilogue takes them row by row."""
        product, code = self.plan.product, self.code
        for index, row, slot in tile.vectors():
            where = code.at(self.buffer, row * self.width + slot.offset, LLVM[product.sum_dtype])
            kind = Builder(code, slot.lanes).type(product.sum_dtype)
            code.do(f"store {kind} {sums[index]}, ptr {where}, align {product.sum_size}")
