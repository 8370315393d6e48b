"""The tiled kernel of one product: blocks of k, blocks of rows, panels of columns, tiles.

    for each block of k             kc deep
      for each block of rows        mc high; packed, if that pays
        for each panel of columns   packed, if that pays
          for each tile             the micro-kernel, then its sums are stored or handed over
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from tapeflow.jit.codegen.builder import LLVM
from tapeflow.jit.codegen.index_arithmetic import minimum
from tapeflow.jit.codegen.llvm_text import Code
from tapeflow.jit.codegen.partial_vectors import padded_width, vector_slots
from tapeflow.jit.kernels.gemm.gemm_pack import Matrix, pack_columns, pack_rows
from tapeflow.jit.kernels.gemm.gemm_plan import GemmPlan
from tapeflow.jit.kernels.gemm.gemm_result import (
    Accumulators,
    EmitEpilogue,
    KBlock,
    ResultTile,
    RowEpilogue,
)
from tapeflow.jit.kernels.gemm.gemm_shared_panels import SharedPanels
from tapeflow.jit.kernels.gemm.gemm_tile import MicroKernel, Panel, StridedRows


@dataclass(frozen=True)
class PanelColumns:
    """The columns of a panel, from `begin` on; those before `first` are computed elsewhere too."""

    first: Any
    begin: Any
    width: int


class TileKernel:
    """Writes rows m0..m1 and columns n0..n1 of one product, into a function with these bounds."""

    def __init__(self, plan: GemmPlan, epilogue: EmitEpilogue | None, code: Code):
        self.plan, self.product, self.blocking = plan, plan.product, plan.blocking
        self.code = code
        self.sums = Accumulators(plan, code)
        self.epilogue = epilogue and RowEpilogue(plan, code, epilogue, 2 * plan.lanes)
        self.rows = ("%m0", "%m1")  # of the block of rows
        if self.blocking.pack_b and not plan.packed_before:
            width = padded_width(min(self.blocking.columns, self.product.n), plan.lanes)
            self.packed_panel = code.let(f"alloca [{width * self.blocking.kc} x "
                                         f"{LLVM[self.product.sum_dtype]}], align 64")

    def write(self) -> None:
        """All blocks of k."""
        code, k, kc = self.code, self.product.k, self.blocking.kc
        if self.plan.whole_k:
            self._row_blocks(KBlock(0, k))
            return
        blocks = -(-k // kc)
        with code.loop(0, blocks) as loop:
            begin = code.mul(loop.index, kc)
            end = minimum(code, code.add(begin, kc), k)
            first = code.pure(f"icmp eq i64 {loop.index}, 0")
            last = code.pure(f"icmp eq i64 {loop.index}, {blocks - 1}")
            depth = code.let(f"sub nsw i64 {end}, {begin}")
            self._row_blocks(KBlock(begin, depth, first, last))

    def _row_blocks(self, block: KBlock) -> None:
        code, mc = self.code, self.blocking.mc
        if mc >= self.product.m:
            self._panels(block)
            return
        with code.loop("%m0", "%m1", mc) as loop:
            self.rows = (loop.index, minimum(code, code.add(loop.index, mc), "%m1"))
            self._panels(block)

    def _panels(self, block: KBlock) -> None:
        code, n, width = self.code, self.product.n, self.blocking.columns
        if self.blocking.pack_a:
            self._pack_rows(block)
        full = n // width * width
        if full and self.blocking.overlap:
            with code.loop("%n0", "%n1", width) as panel:
                begin = panel.index if full == n else minimum(code, panel.index, n - width)
                self._panel(PanelColumns(panel.index, begin, width), block)
            return
        if full:
            end = minimum(code, "%n1", full)
            with code.loop("%n0", end, width) as panel:
                self._panel(PanelColumns(panel.index, panel.index, width), block)
        if n > full:
            with code.when(code.let(f"icmp eq i64 %n1, {n}")):
                self._panel(PanelColumns(full, full, n - full), block)

    # -- operands --------------------------------------------------------------------------------
    def _pack_rows(self, block: KBlock) -> None:
        """A block of A, tile by tile."""
        code, a, height = self.code, self.product.a, self.blocking.rows
        dtype, kind = self.product.a_dtype, LLVM[self.product.sum_dtype]

        def tile_at(row: str, k: Any, depth: Any) -> None:
            offset = code.add(code.mul(row, a.row), code.mul(code.add(block.begin, k), a.column))
            source = Matrix(code.at("%a", offset, LLVM[dtype]), *a, dtype)
            target = code.at(self._packed_rows(row), code.mul(k, height), kind)
            self._by_height(row, lambda rows: pack_rows(code, source, target, rows, depth, height))

        if a.row == 1:  # along the rows as they lie in memory
            with code.loop(0, block.depth) as k, code.loop(*self.rows, height) as row:
                tile_at(row.index, k.index, 1)
        else:
            with code.loop(*self.rows, height) as row:
                tile_at(row.index, 0, block.depth)

    def _packed_rows(self, row: str) -> str:
        """Where the packed rows of a tile begin."""
        code = self.code
        index = code.let(f"sub nsw i64 {row}, {self.rows[0]}")
        return code.at("%own", code.mul(index, self.blocking.kc), LLVM[self.product.sum_dtype])

    def _operand_a(self, row: str, block: KBlock) -> StridedRows:
        product, code = self.product, self.code
        if self.blocking.pack_a:
            return StridedRows(self._packed_rows(row), 1, self.blocking.rows, product.sum_dtype)
        offset = code.add(code.mul(row, product.a.row), code.mul(block.begin, product.a.column))
        return StridedRows(code.at("%a", offset, LLVM[product.a_dtype]), *product.a,
                           product.a_dtype, self.plan.fetching.a)

    def _operand_b(self, columns: PanelColumns, block: KBlock) -> Panel:
        product, code, b = self.product, self.code, self.product.b
        offset = code.add(code.mul(columns.begin, b.column), code.mul(block.begin, b.row))
        pointer = code.at("%b", offset, LLVM[product.b_dtype])
        if not self.blocking.pack_b:
            return Panel(pointer, b.row, product.b_dtype, self.plan.fetching.b)
        lanes = self.plan.lanes
        if self.plan.packed_before:
            panel = SharedPanels(self.plan, code).address(columns.first, columns.width,
                                                          block.begin)
            return Panel(panel, padded_width(columns.width, lanes), product.sum_dtype)
        pack_columns(code, Matrix(pointer, *b, product.b_dtype), self.packed_panel,
                     vector_slots(columns.width, lanes), block.depth)
        return Panel(self.packed_panel, padded_width(columns.width, lanes), product.sum_dtype)

    # -- tiles -----------------------------------------------------------------------------------
    def _panel(self, columns: PanelColumns, block: KBlock) -> None:
        """All tiles of a panel."""
        code, m, height = self.code, self.product.m, self.blocking.rows
        slots = vector_slots(columns.width, self.plan.lanes)
        b = self._operand_b(columns, block)

        def tile(row: str, rows: int) -> None:
            self._tile(ResultTile(row, columns.begin, rows, slots), b, block)

        with code.loop(*self.rows, height) as row:
            top = row.index
            if self.blocking.overlap and not self.blocking.pack_a and m > height:
                if m % height:
                    top = minimum(code, row.index, m - height)
                tile(top, height)
            else:
                self._by_height(row.index, lambda rows: tile(row.index, rows))
            self._hand_over(row.index, top, columns, block)

    def _tile(self, tile: ResultTile, b: Panel, block: KBlock) -> None:
        a = self._operand_a(tile.row, block)
        self._fetch_result(tile, block)
        start = self.sums.start(tile, block)
        micro_kernel = MicroKernel(self.code, tile.rows, tile.slots, a, b)
        sums = micro_kernel.sums((0, block.depth), start, exact=not self.blocking.pack_b)
        self.sums.store(sums, tile, block)

    def _fetch_result(self, tile: ResultTile, block: KBlock) -> None:
        """Places that an epilogue reads or that are written, of this tile or of the next below."""
        which = self.plan.fetching.result
        if which == "nothing":
            return

        def write() -> None:
            row = self.code.add(tile.row, tile.rows) if which == "next" else tile.row
            with self.code.loop(row, self.code.add(row, tile.rows), some=True) as loop:
                self.sums.fetch_row(loop.index, tile, self.epilogue)

        if block.last is None:
            write()
        else:
            with self.code.when(block.last):
                write()

    def _by_height(self, row: str, write: Callable[[int], None]) -> None:
        """Text for a whole tile and for the last one, which may be lower."""
        code, m, height = self.code, self.product.m, self.blocking.rows
        rest = m % height
        if not rest or m < height:
            write(rest or height)
            return
        whole = code.let(f"icmp sle i64 {code.add(row, height)}, {self.rows[1]}")
        code.if_else(whole, lambda: write(height), lambda: write(rest))

    def _hand_over(self, row: str, top: str, columns: PanelColumns, block: KBlock) -> None:
        """The epilogue for a tile that begins at `top`, if its sums are complete; but not for what
        is above `row` or before the panel's first column."""
        if self.epilogue is None:
            return
        if block.last is None:
            self._hand_over_columns(row, top, columns)
        else:
            with self.code.when(block.last):
                self._hand_over_columns(row, top, columns)

    def _hand_over_columns(self, row: str, top: str, columns: PanelColumns) -> None:
        code, width = self.code, columns.width
        if columns.begin == columns.first:
            self._hand_over_rows(row, top, columns, width)
            return
        whole = code.let(f"icmp eq i64 {columns.first}, {columns.begin}")
        code.if_else(whole, lambda: self._hand_over_rows(row, top, columns, width),
                     lambda: self._hand_over_rows(row, top, columns, self.product.n % width))

    def _hand_over_rows(self, row: str, top: str, columns: PanelColumns, count: int) -> None:
        code = self.code
        assert self.epilogue is not None
        left = code.let(f"sub nsw i64 {self.rows[1]}, {top}")
        begin = "0" if top == row else code.let(f"sub nsw i64 {row}, {top}")
        end = minimum(code, left, self.blocking.rows)
        with self.epilogue.rows(begin, end, row, columns.first, count) as loop:
            offset = code.mul(loop.index, self.sums.width)
            if columns.begin != columns.first:
                offset = code.add(offset, code.let(
                    f"sub nsw i64 {columns.first}, {columns.begin}"))
            sums = code.at(self.sums.buffer, offset, LLVM[self.product.sum_dtype])
            self.epilogue.write(sums, code.add(top, loop.index), columns.first, count)
