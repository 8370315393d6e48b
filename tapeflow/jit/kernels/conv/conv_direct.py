"""Convolutions and their gradients in the images: filters slid over padded images.

Positions of a window are rows of a matrix product whose elements lie at offsets that a table has:
tiles (`gemm_tile`) of some positions and some filters, summed over the taps. The filters are packed
for it at the start of a call. Depthwise filters, one for each channel, multiply vectors of
channels.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from math import prod
from typing import Any

from tapeflow.jit.choices import Choice
from tapeflow.jit.codegen.builder import Builder, Val
from tapeflow.jit.codegen.index_arithmetic import maximum, minimum
from tapeflow.jit.codegen.llvm_text import Code, Loop, Module
from tapeflow.jit.codegen.partial_vectors import (
    VectorSlot,
    column_pieces,
    load_partial,
    multiply_add,
    padded_width,
    vector_slots,
)
from tapeflow.jit.codegen.row_sums import sums_of
from tapeflow.jit.kernels.conv.conv_geometry import Window
from tapeflow.jit.kernels.conv.conv_nonfinite import NonfiniteGuard
from tapeflow.jit.kernels.conv.conv_tasks import (
    ImagePlan,
    Tile,
    lay_out,
    padding_cycles,
    register_tiles,
    share_images,
)
from tapeflow.jit.kernels.conv.conv_writer import PART_PARAMS, ImageWriter, i64_table, panels
from tapeflow.jit.kernels.gemm.gemm_pack import Matrix, pack_columns
from tapeflow.jit.kernels.gemm.gemm_result import EmitEpilogue
from tapeflow.jit.kernels.gemm.gemm_tile import MicroKernel, Panel, PointerRows, zero_sums

KERNEL_PARAMS = [("ptr", "%image"), ("ptr", "%filters"), ("ptr", "%c"), ("ptr", "%ctx"),
                 ("ptr", "%offsets"), ("ptr", "%rows"), ("i64", "%base"), ("i64", "%block"),
                 ("i64", "%column"),
                 ("i64", "%r0"), ("i64", "%r1"), ("i64", "%t0"), ("i64", "%t1")]
CHUNK_BYTES = 128 << 10  # of images that some positions may see
UNROLL_MAX = 3  # elements of a run up to which there is no loop over them


def tile_shapes(target: Any) -> list[tuple[int, int]]:
    """(rows, vectors) of tiles of positions; each row has a pointer in a register."""
    return register_tiles(target, range(1, 9))


TILE = Choice("conv_direct.tile", tile_shapes)
FILTER_CHANNELS = Choice("conv_direct.channels", ("each", "all"))  # that a filter sees
RUN = Choice("conv_direct.run", ("unrolled", "loop"))


class DirectPlan(ImagePlan):
    """Choices for one convolution."""

    def __init__(self, target: Any, window: Window, threads: int):
        super().__init__(target, window)
        self.writer = DirectWriter
        self.depthwise = window.depthwise
        self.groups = 1 if self.depthwise else window.groups
        self.width = self.geometry.columns if self.depthwise else self.geometry.width
        shapes = tile_shapes(target)
        rows, vectors = TILE(min(shapes, key=lambda shape: self._tile_cycles(*shape)), shapes)
        self.tile = Tile(rows, vectors, vectors * self.element.lanes)
        self.cycles = (self._tile_cycles(rows, vectors) * self.groups
                       + padding_cycles(self) + 500)
        self.tasks = share_images(self, threads)
        self.workspace = lay_out(self, self.filter_elements * self.groups * self.element.size)

    @property
    def run_depth(self) -> int:
        """Elements of a run of taps."""
        return self.geometry.run * (1 if self.depthwise else self.geometry.depth)

    @property
    def chunk(self) -> int:
        """So many positions that what they see stays in the cache for all filters."""
        each = self.tile.rows * self.geometry.channels * self.element.size
        return max(8, CHUNK_BYTES // each) * self.tile.rows

    @property
    def filter_elements(self) -> int:
        """Of the packed filters of a group."""
        if self.depthwise:
            return 0
        full = self.width // self.tile.columns * self.tile.columns
        columns = full + padded_width(self.width - full, self.element.lanes)
        return len(self.geometry.taps) * self.geometry.depth * columns

    def _tile_cycles(self, rows: int, vectors: int) -> float:
        geometry, lanes = self.geometry, self.element.lanes
        taps = len(geometry.taps) / len(geometry.phases) * (1 if self.depthwise else geometry.depth)
        tiles = -(-geometry.positions * self.window.batch // rows)
        cycles = 0.0
        width = vectors * lanes
        for columns, count in ((width, self.width // width), (self.width % width, 1)):
            across = len(vector_slots(columns, lanes))
            if not across or not count:
                continue
            loads = (rows + 1) * across if self.depthwise else rows + across
            iteration = max(rows * across / 2, loads / 2, 4.0) + across / 10
            cycles += count * tiles * (iteration * taps + 15 + rows * (4 + across))
        return cycles

    def describe(self) -> str:
        kind = "channels" if self.depthwise else "tiles"
        return ", ".join([f"{self.tile.rows}x{self.tile.columns} {kind} of {self.element.dtype}",
                          *self._traits()])

    def write(self, module: Module, name: str, epilogue: EmitEpilogue | None) -> None:
        """A border of zeros times a filter that is not finite would be NaN."""
        if self.window.role != "input" or not self.geometry.padded:
            super().write(module, name, epilogue)
            return
        super().write(module, f"{name}.padded", epilogue)
        NonfiniteGuard(self, module, name, epilogue).write()


class DirectWriter(ImageWriter):
    """Its text."""

    plan: DirectPlan
    code: Code  # of the kernel

    def write(self) -> None:
        taps = self.geometry.taps
        self.run_table = self._tap_offsets(
            [tap for phase in self.geometry.phases for tap in phase.taps[::self.geometry.run]])
        filter_size = self.window.inner * self.window.outer
        self.filter_table = self.module.constant(i64_table(
            [tap.element * filter_size for tap in taps]))
        super().write()

    # -- packed filters --------------------------------------------------------------------------
    def _before(self, code: Code, image: str, other: str) -> str:
        if self.plan.depthwise:
            return other
        pack = self.module.add(self._pack(f"{self.name}.pack"))
        code.do(f"call void {pack}(ptr {other}, ptr %work)")
        return "%work"

    def _pack(self, name: str) -> Code:
        """`pack(filters, packed)`: for each group and panel, all taps one below the other."""
        code = self._function(name, [("ptr", "%filters"), ("ptr", "%packed")])
        with code.loop(0, self.plan.groups) as group:
            for column, width in panels(code, self.plan.width, self.plan.tile.columns):
                self._pack_panel(code, group.index, column, width)
        return code

    def _pack_panel(self, code: Code, group: str, column: Any, width: int) -> None:
        depth, outer, taps = self.geometry.depth, self.window.outer, len(self.geometry.taps)
        strides: tuple[int, int] = (1, outer) if self.window.role == "input" else (outer, 1)
        source = code.at("%filters", code.add(code.mul(group, outer // self.window.groups),
                                              code.mul(column, strides[1])), self.stored_kind)
        start = code.add(code.mul(group, self.plan.filter_elements),
                         code.mul(column, taps * depth))
        with code.loop(0, taps) as tap:
            at = code.let(f"load i64, ptr {code.at(self.filter_table, tap.index, 'i64')}")
            rows = code.mul(tap.index, depth * padded_width(width, self.lanes))
            target = code.at("%packed", code.add(start, rows), self.kind)
            matrix = Matrix(code.at(source, at, self.stored_kind), *strides, self.stored_dtype)
            pack_columns(code, matrix, target, vector_slots(width, self.lanes), depth)

    # -- the kernel ------------------------------------------------------------------------------
    def _part(self, name: str) -> Code:
        """All groups and phases."""
        kernel = self.module.add(self._kernel(f"{self.name}.kernel"))
        code = self._function(name, PART_PARAMS)
        geometry, plan, sums = self.geometry, self.plan, sums_of(self.epilogue)
        base = code.mul("%first", prod(geometry.output_sizes))
        with code.loop(0, plan.groups) as group:
            image = code.at("%image", code.mul(group.index, geometry.depth), self.kind)
            filters = code.at("%other", code.mul(group.index, plan.filter_elements), self.kind)
            column = code.mul(group.index, plan.width)
            entry, tap, block = 0, 0, 0  # block: of the rows that an epilogue adds up
            for phase in geometry.phases:
                positions = code.mul("%count", prod(phase.counts))
                taps = len(phase.taps) // geometry.run
                r0, r1 = self._shared(code, positions, plan.tile.rows)
                offsets = code.at(self._offsets(code), entry, "i64")
                rows = code.at(code.at("%work", plan.workspace.rows, "i8"), entry, "i64")
                blocks = prod(phase.counts) // sums.block if sums else 0
                first = code.add(code.mul("%first", blocks), block)
                with code.loop(r0, r1, plan.chunk) as chunk:
                    end = minimum(code, code.add(chunk.index, plan.chunk), r1)
                    code.do(f"call void {kernel}(ptr {image}, ptr {filters}, ptr %c, ptr %ctx, "
                            f"ptr {offsets}, ptr {rows}, i64 {base}, i64 {first}, "
                            f"i64 {column}, i64 {chunk.index}, i64 {end}, i64 {tap}, "
                            f"i64 {tap + taps})")
                entry += plan.tasks.images * prod(phase.counts)
                tap += taps
                block += blocks * self.window.batch
        return code

    def _kernel(self, name: str) -> Code:
        """Positions r0..r1 of the table, and the runs of taps t0..t1, of one group."""
        self.code = code = self._function(name, KERNEL_PARAMS)
        tile = self.plan.tile
        room = tile.rows * padded_width(tile.columns, self.lanes)
        self.buffer = code.let(f"alloca [{room} x {self.kind}], align 64")
        for column, width in panels(code, self.plan.width, tile.columns):
            self._panel(column, width)
        return code

    def _panel(self, column: str, width: int) -> None:
        code, tile = self.code, self.plan.tile
        slots = vector_slots(width, self.lanes)
        last = code.add("%r1", -1)
        with code.loop("%r0", "%r1", tile.rows) as row:
            pointers = []
            for i in range(tile.rows):
                position = minimum(code, code.add(row.index, i), last)
                offset = code.let(f"load i64, ptr {code.at('%offsets', position, 'i64')}")
                pointers.append(code.at("%image", offset, self.kind))
            sums = self._tile(pointers, column, slots)
            for i in range(tile.rows):
                for j, slot in enumerate(slots):
                    where = code.at(self.buffer, i * tile.columns + slot.offset, self.kind)
                    Builder(code, slot.lanes).store(
                        Val(sums[i * len(slots) + j], self.dtype), where)
            self._finish_tile(row.index, column, width)

    def _finish_tile(self, row: str, column: str, width: int) -> None:
        """Sums in the buffer, row by row; the last positions may not exist."""
        code, tile = self.code, self.plan.tile
        left = code.let(f"sub nsw i64 %r1, {row}")
        with self._rows(row, minimum(code, left, tile.rows), column, width) as loop:
            position = code.add(row, loop.index)
            if not self.geometry.in_order:
                position = code.let(f"load i64, ptr {code.at('%rows', position, 'i64')}")
            result = code.add("%base", position)
            sums = code.at(self.buffer, code.mul(loop.index, tile.columns), self.kind)
            self._finish(code, sums, result, code.add("%column", column), width)

    @contextmanager
    def _rows(self, row: str, count: str, column: str, width: int) -> Iterator[Loop]:
        """A loop over the rows of a tile, in each block of rows that an epilogue adds up."""
        code, sums = self.code, sums_of(self.epilogue)
        if sums is None:
            with code.loop(0, count, some=True) as loop:
                yield loop
            return
        pieces = column_pieces(code, code.add("%column", column), width, 2 * self.lanes)
        first = code.pure(f"udiv i64 {row}, {sums.block}")
        last = code.pure(f"udiv i64 {code.add(code.add(row, count), -1)}, {sums.block}")
        with code.loop(first, code.add(last, 1), some=True) as block:
            begin = code.let(f"sub nsw i64 {code.mul(block.index, sums.block)}, {row}")
            end = minimum(code, code.add(begin, sums.block), count)
            begin = maximum(code, begin, 0)
            index = code.add("%block", block.index)
            with sums.rows(code, begin, end, index, pieces) as loop:
                yield loop

    # -- sums ------------------------------------------------------------------------------------
    def _tile(self, pointers: list[str], column: str, slots: list[VectorSlot]) -> list[str]:
        """The sums of a tile over the taps."""
        code, plan, taps = self.code, self.plan, self.geometry.taps
        zeros = zero_sums(slots, plan.tile.rows, self.dtype)
        start = code.mul(column, len(taps) * self.geometry.depth)
        panel = code.at("%filters", column, self.stored_kind) if plan.depthwise else code.at(
            "%filters", start, self.kind)
        some = all(phase.taps for phase in self.geometry.phases) or None
        with code.loop("%t0", "%t1", 1, zeros, some=some) as tap:
            offset = code.let(f"load i64, ptr {code.at(self.run_table, tap.index, 'i64')}")
            if FILTER_CHANNELS("each" if plan.depthwise else "all") == "each":
                at = code.let(f"load i64, ptr {code.at(self.filter_table, tap.index, 'i64')}")
                filters = code.at(panel, at, self.stored_kind)
                lines = PointerRows(pointers, code.add(offset, column), self.dtype)
                tap.after = self._depthwise_step(filters, lines, slots, tap.carry)
            else:
                width = sum(slot.lanes for slot in slots)
                run = code.at(panel, code.mul(tap.index, plan.run_depth * width), self.kind)
                tile = MicroKernel(code, plan.tile.rows, slots,
                                   PointerRows(pointers, offset, self.dtype),
                                   Panel(run, width, self.dtype))
                tap.after = self._run(tile, [kind for kind, _ in zeros], tap.carry)
        return tap.results

    def _run(self, tile: MicroKernel, types: list[str], sums: list[str]) -> list[str]:
        """The sums after a run of taps."""
        depth = self.plan.run_depth
        better = "unrolled" if depth <= UNROLL_MAX else "loop"
        if RUN(better, ("unrolled" if depth <= 32 else "loop", "loop")) == "unrolled":
            for i in range(depth):
                sums = tile.step(i, sums)
            return sums
        with self.code.loop(0, depth, 1, list(zip(types, sums))) as k:
            k.after = tile.step(k.index, k.carry)
        return k.results

    def _depthwise_step(self, filters: str, lines: PointerRows, slots: list[VectorSlot],
                        sums: list[str]) -> list[str]:
        """The sums after one tap of filters that see one channel each."""
        code = self.code
        weights = [load_partial(Builder(code, slot.lanes),
                                code.at(filters, slot.offset, self.stored_kind),
                                self.stored_dtype, slot.used)
                   for slot in slots]
        result = []
        for i in range(len(lines.pointers)):
            line = lines.address(code, i, 0)
            for j, slot in enumerate(slots):
                builder = Builder(code, slot.lanes)
                x = load_partial(builder, code.at(line, slot.offset, self.kind), self.dtype,
                                 slot.used)
                total = Val(sums[i * len(slots) + j], self.dtype)
                result.append(multiply_add(builder, x, weights[j], total).text)
        return result
