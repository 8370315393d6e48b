"""The gradient of a convolution in its filters: products of images and gradients over positions.

Rows of the result are the elements of a tap, columns the filters; k are the positions, whose
offsets in the images a table has (`conv_tasks`). Positions are taken in blocks whose gradients are
packed side by side; sums of a block are added to those so far. Each task has sums of its own,
which are added up at the end.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from math import prod
from typing import Any

from tapeflow.jit.choices import Choice
from tapeflow.jit.codegen.builder import LLVM, Builder, Val
from tapeflow.jit.codegen.index_arithmetic import minimum
from tapeflow.jit.codegen.llvm_text import Code
from tapeflow.jit.codegen.memory_copy import fill
from tapeflow.jit.codegen.partial_vectors import (
    VectorSlot,
    load_partial,
    multiply_add,
    padded_width,
    store_partial,
    vector_slots,
)
from tapeflow.jit.kernels.conv.conv_geometry import Window
from tapeflow.jit.kernels.conv.conv_tasks import (
    ImagePlan,
    Tasks,
    Tile,
    free_registers,
    lay_out,
    padding_cycles,
    register_tiles,
    round_up,
    share_images,
)
from tapeflow.jit.kernels.conv.conv_writer import PART_PARAMS, ImageWriter, panels
from tapeflow.jit.kernels.gemm.gemm_pack import Matrix, pack_columns
from tapeflow.jit.kernels.gemm.gemm_tile import MicroKernel, Panel, zero_sums

KERNEL_PARAMS = [("ptr", "%image"), ("ptr", "%g"), ("ptr", "%sums"), ("ptr", "%offsets"),
                 ("i64", "%count")]
BLOCK_POSITIONS = 256
SUM_BYTES_MAX = 64 << 20  # that the sums of all tasks may take
TASKS_MAX = 8
CYCLES_PER_SUM_BYTE = 3  # of a task: less, and adding up the tasks' sums would show


def tile_shapes(target: Any) -> list[tuple[int, int]]:
    """(rows, vectors) of tiles that registers hold."""
    return register_tiles(target, range(1, 15))


TILE = Choice("conv_filter_gradient.tile", tile_shapes)
FILTER_CHANNELS = Choice("conv_filter_gradient.channels", ("each", "all"))  # that a filter sees
PAIRS = Choice("conv_filter_gradient.pairs", (False, True))  # two sums of each
ROWS = Choice("conv_filter_gradient.rows", ("tiles", "tiles and remainder"))


class FilterGradientPlan(ImagePlan):
    """Choices for one gradient."""

    divides = True

    def __init__(self, target: Any, window: Window):
        super().__init__(target, window)
        self.writer = FilterGradientWriter
        self.depthwise = window.depthwise
        self.groups = 1 if self.depthwise else window.groups
        self.width = window.outer if self.depthwise else self.geometry.width
        self.tile = self._choose_tile(target)
        self.cycles = (self._tile_cycles(self.tile.rows, self.tile.vectors)
                       * (self.geometry.positions * window.batch) * self.lines * self.groups
                       + padding_cycles(self) + 500)
        self.tasks = self._choose_tasks()
        self.workspace = lay_out(self, self.sum_bytes * self.tasks.count)

    @property
    def result_columns(self) -> int:
        return self.window.outer

    @property
    def line_taps(self) -> int:
        """Taps of a line: contiguous ones; depthwise, those along the last axis."""
        return self.window.window[-1] if self.depthwise else self.geometry.run

    @property
    def line(self) -> int:
        """Rows of the result that a line of a window makes."""
        return self.line_taps * (1 if self.depthwise else self.geometry.depth)

    @property
    def lines(self) -> int:
        return len(self.geometry.taps) // self.line_taps

    @property
    def result_elements(self) -> int:
        return prod(self.window.window) * self.window.inner * self.window.outer

    @property
    def sum_bytes(self) -> int:
        """Of the sums of one task."""
        return round_up(self.result_elements * self.element.size)

    def _choose_tasks(self) -> Tasks:
        """Tasks have sums of their own, so their number is not for the threads to decide."""
        tasks = share_images(self, TASKS_MAX // 2, BLOCK_POSITIONS)
        worth = int(self.cycles // (CYCLES_PER_SUM_BYTE * self.sum_bytes))
        count = max(1, min(tasks.count, TASKS_MAX, worth, SUM_BYTES_MAX // self.sum_bytes))
        return replace(tasks, count=count, by_positions=tasks.by_positions and count > 1)

    def _choose_tile(self, target: Any) -> Tile:
        shapes = [shape for shape in tile_shapes(target) if shape[0] <= self.line]
        registers = free_registers(target)
        usual = [(rows, vectors) for rows, vectors in shapes if not self.depthwise
                 or rows == min(self.line, registers // vectors - 2)]
        rows, vectors = TILE(min(usual, key=lambda shape: self._tile_cycles(*shape)), shapes)
        return Tile(rows, vectors, vectors * self.element.lanes)

    def _tile_cycles(self, high: int, vectors: int) -> float:
        """Cycles for each position and line."""
        cycles, lanes = 0.0, self.element.lanes
        width = vectors * lanes
        for columns, count in ((width, self.width // width), (self.width % width, 1)):
            across = len(vector_slots(columns, lanes))
            for rows, tiles in ((high, self.line // high), (self.line % high, 1)):
                if not across or not count or not rows or not tiles:
                    continue
                loads = (rows + 1) * across if self.depthwise else rows + across
                wait = 2.0 if rows * across < 8 and not self.depthwise else 4.0  # by pairs
                cycles += count * tiles * (max(rows * across / 2, loads / 2, wait) + 0.5)
        return cycles + 0.1 * cycles * (self.line % high > 0)  # one more piece of text

    def describe(self) -> str:
        kind = "channels" if self.depthwise else "tiles"
        return ", ".join([f"{self.tile.rows}x{self.tile.columns} {kind} of {self.element.dtype}",
                          *self._traits()])


@dataclass
class TableRows:
    """A, for the micro-kernel: contiguous rows, at an offset that a table has for each k."""

    pointer: str
    table: str
    dtype: str
    line: tuple[Any, str] = (None, "")  # the address for the last k

    def address(self, code: Code, row: int, k: Any) -> str:
        if self.line[0] != k:
            at = code.let(f"load i64, ptr {code.at(self.table, k, 'i64')}")
            self.line = k, code.at(self.pointer, at, LLVM[self.dtype])
        return code.at(self.line[1], row, LLVM[self.dtype])


@dataclass(frozen=True)
class LineTile:
    """A tile: rows of a line of the window, from `row` on; columns from `column` on.

    source: where the line begins in the first window; g: the gradients of the columns; result: the
    first row's index in the result.
    """

    source: str
    g: str
    row: str
    result: str
    rows: int
    column: str
    slots: list[VectorSlot]


class FilterGradientWriter(ImageWriter):
    """Its text."""

    plan: FilterGradientPlan
    code: Code  # of the kernel
    packed = ""  # gradients of a block of positions

    def write(self) -> None:
        self.line_table = self._tap_offsets(self.geometry.taps[::self.plan.line_taps])
        super().write()

    # -- adding up the tasks' sums ---------------------------------------------------------------
    def _after(self, code: Code) -> None:
        outer = self.window.outer
        sums = code.at("%work", 0, "i8")
        with code.loop(0, self.plan.result_elements // outer) as row:
            line = code.at(sums, code.mul(row.index, outer), self.kind)
            whole = outer // (2 * self.lanes) * 2 * self.lanes
            for begin, end, unit in ((0, whole, 2 * self.lanes), (whole, outer, outer - whole)):
                if begin == end:
                    continue
                with code.loop(begin, end, unit) as column:
                    first = code.at(line, column.index, self.kind)
                    self._add_up(code, first, unit)
                    self._finish(code, first, row.index, column.index, unit)

    def _add_up(self, code: Code, sums: str, width: int) -> None:
        """Some sums of the first task become those of all."""
        if self.plan.tasks.count == 1:
            return
        for slot in vector_slots(width, self.lanes):
            builder = Builder(code, slot.lanes)
            first = code.at(sums, slot.offset, self.kind)
            total = load_partial(builder, first, self.dtype, slot.used)
            for task in range(1, self.plan.tasks.count):
                offset = task * self.plan.sum_bytes // self.plan.element.size
                where = code.at(first, offset, self.kind)
                total = builder.add(total, load_partial(builder, where, self.dtype, slot.used))
            store_partial(builder, total, first, slot.used)

    # -- the kernel ------------------------------------------------------------------------------
    def _part(self, name: str) -> Code:
        """Add the products of some positions to the task's sums."""
        kernel = self.module.add(self._kernel(f"{self.name}.kernel"))
        code = self._function(name, PART_PARAMS)
        geometry, plan, outer = self.geometry, self.plan, self.window.outer
        r0, r1 = self._shared(code, self._positions(code, geometry.phases[0]), 64)
        offsets = self._offsets(code)
        sums = code.at("%work", code.mul("%task", plan.sum_bytes), "i8")
        start = code.mul(self._first_result(code), outer)
        with code.loop(r0, r1, BLOCK_POSITIONS) as block, code.loop(0, plan.groups) as group:
            end = minimum(code, code.add(block.index, BLOCK_POSITIONS), r1)
            count = code.let(f"sub nsw i64 {end}, {block.index}")
            image = code.at("%image", code.mul(group.index, geometry.depth), self.kind)
            column = code.mul(group.index, plan.width)
            g = code.at("%other", code.add(code.add(start, code.mul(block.index, outer)), column),
                        self.stored_kind)
            code.do(f"call void {kernel}(ptr {image}, ptr {g}, ptr "
                    f"{code.at(sums, column, self.kind)}, "
                    f"ptr {code.at(offsets, block.index, 'i64')}, i64 {count})")
        return code

    def _begin_task(self, code: Code) -> None:
        sums = code.at("%work", code.mul("%task", self.plan.sum_bytes), "i8")
        fill(code, 0, sums, self.plan.result_elements, self.dtype)

    def _kernel(self, name: str) -> Code:
        """One block of positions of one group."""
        self.code = code = self._function(name, KERNEL_PARAMS)
        tile = self.plan.tile
        if not self.plan.depthwise:
            room = BLOCK_POSITIONS * padded_width(tile.columns, self.lanes)
            self.packed = code.let(f"alloca [{room} x {self.kind}], align 64")
        for column, width in panels(code, self.plan.width, tile.columns):
            self._panel(column, width)
        return code

    def _panel(self, column: str, width: int) -> None:
        code, rows, length = self.code, self.plan.tile.rows, self.plan.line
        slots = vector_slots(width, self.lanes)
        g = code.at("%g", column, self.stored_kind)
        if not self.plan.depthwise:
            matrix = Matrix(g, self.window.outer, 1, self.stored_dtype)
            pack_columns(code, matrix, self.packed, slots, "%count")
        whole = length // rows * rows
        ROWS("tiles and remainder" if length > whole else "tiles")
        with code.loop(0, self.plan.lines) as line:
            at = code.let(f"load i64, ptr {code.at(self.line_table, line.index, 'i64')}")
            source = code.at("%image", at, self.kind)
            first = code.mul(line.index, length)
            with code.loop(0, whole, rows) as row:
                self._tile(LineTile(source, g, row.index, code.add(first, row.index), rows,
                                    column, slots))
            if length > whole:
                self._tile(LineTile(source, g, str(whole), code.add(first, whole), length - whole,
                                    column, slots))

    # -- sums ------------------------------------------------------------------------------------
    def _tile(self, tile: LineTile) -> None:
        """The sums of a tile over a block of positions, added to those so far."""
        code, outer = self.code, self.window.outer
        offset = code.add(code.mul(tile.result, outer), tile.column)
        corner = code.at("%sums", offset, self.kind)
        addresses = [code.at(corner, i * outer + slot.offset, self.kind)
                     for i in range(tile.rows) for slot in tile.slots]
        # From zero, and added afterwards: that rounds less than one long sum.
        zeros = zero_sums(tile.slots, tile.rows, self.dtype)

        def step(k: Any, sums: list[str]) -> list[str]:
            if FILTER_CHANNELS("each" if self.plan.depthwise else "all") == "each":
                return self._depthwise_step(tile, k, sums)
            a = TableRows(code.at(tile.source, tile.row, self.kind), "%offsets", self.dtype)
            b = Panel(self.packed, sum(slot.lanes for slot in tile.slots), self.dtype)
            return MicroKernel(code, tile.rows, tile.slots, a, b).step(k, sums)

        if PAIRS(len(zeros) < 8 and not self.plan.depthwise, (False, not self.plan.depthwise)):
            sums = self._by_pairs(step, zeros)
        else:
            with code.loop(0, "%count", 1, zeros, some=True) as k:
                k.after = step(k.index, k.carry)
            sums = k.results
        for where, slot, total in zip(addresses, tile.slots * tile.rows, sums):
            builder = Builder(code, slot.lanes)
            before = load_partial(builder, where, self.dtype, slot.used)
            store_partial(builder, builder.add(before, Val(total, self.dtype)), where, slot.used)

    def _by_pairs(self, step: Callable[[Any, list[str]], list[str]],
                  zeros: list[tuple[str, str]]) -> list[str]:
        """Two sums of each, or there would be too few to keep the machine busy."""
        code, half = self.code, len(zeros)
        even = code.pure("and i64 %count, -2")
        with code.loop(0, even, 2, zeros + zeros) as pair:
            pair.after = [*step(pair.index, pair.carry[:half]),
                          *step(code.add(pair.index, 1), pair.carry[half:])]
        first, second = pair.results[:half], pair.results[half:]
        last = [(kind, value) for (kind, _), value in zip(zeros, first)]
        with code.loop(even, "%count", 1, last) as rest:
            rest.after = step(rest.index, rest.carry)
        return [code.let(f"fadd {kind} {x}, {y}")
                for (kind, _), x, y in zip(zeros, rest.results, second)]

    def _depthwise_step(self, tile: LineTile, k: Any, sums: list[str]) -> list[str]:
        """One position of filters that see one channel each; rows are neighbouring taps."""
        code, slots = self.code, tile.slots
        tap_stride = self.window.dilations[-1] * self.window.channels
        at = code.let(f"load i64, ptr {code.at('%offsets', k, 'i64')}")
        line = code.at(tile.source, code.mul(tile.row, tap_stride), self.kind)
        image = code.at(code.at(line, at, self.kind), tile.column, self.kind)
        gradient = code.at(tile.g, code.mul(k, self.window.outer), self.stored_kind)
        gs = [load_partial(Builder(code, slot.lanes),
                           code.at(gradient, slot.offset, self.stored_kind), self.stored_dtype,
                           slot.used) for slot in slots]
        result = []
        for i in range(tile.rows):
            for j, slot in enumerate(slots):
                builder = Builder(code, slot.lanes)
                where = code.at(image, i * tap_stride + slot.offset, self.kind)
                x = load_partial(builder, where, self.dtype, slot.used)
                total = Val(sums[i * len(slots) + j], self.dtype)
                result.append(multiply_add(builder, x, gs[j], total).text)
        return result
