"""The gradient of a convolution in its filters: products of images and gradients over positions.

Rows of the result are the numbers of a tap, columns the filters; k are the positions, whose places
in the images a table names (`sweeping`). Positions are taken in blocks whose gradients are packed
side by side; sums of a block are added to those so far. Each task has sums of its own, which are
added up at the end.
"""

from __future__ import annotations

from math import prod
from typing import Any

from tapeflow.jit.choices import Choice
from tapeflow.jit.codegen.builder import Builder, Val
from tapeflow.jit.codegen.index_arithmetic import minimum
from tapeflow.jit.codegen.llvm_text import Code, Module
from tapeflow.jit.codegen.memory_copy import fill
from tapeflow.jit.codegen.partial_vectors import (
    load_partial,
    multiply_add,
    padded_width,
    store_partial,
    vector_slots,
)
from tapeflow.jit.kernels.conv.conv_base import PART, Swept, finish, numbers
from tapeflow.jit.kernels.conv.conv_geometry import GIGAHERTZ, Plan, Window, round_up
from tapeflow.jit.kernels.gemm.gemm_pack import Matrix, pack_columns
from tapeflow.jit.kernels.gemm.gemm_result import Epilogue
from tapeflow.jit.kernels.gemm.gemm_tile import MicroKernel, Panel, zero_sums

BLOCK = 256  # positions
MOST = 64 << 20  # bytes that the sums of all tasks may take
TASKS = 8
SUMS = 3  # cycles of a task for each byte of its sums: less, and adding them up would show


def tile_shapes(target: Any) -> list[tuple[int, int]]:
    """(rows, vectors) of tiles that registers hold."""
    registers = target.registers - (1 if target.fma else 2)
    return [(high, vecs) for vecs in range(1, 5) for high in range(1, 15)
            if (high + 1) * vecs + 1 <= registers]


TILE = Choice("conv_filter_gradient.tile", tile_shapes)
DEEP = Choice("conv_filter_gradient.channels", ("each", "all"))  # that a filter sees
PAIRS = Choice("conv_filter_gradient.pairs", (False, True))  # two sums of each
REST = Choice("conv_filter_gradient.rows", ("tiles", "tiles and rest"))


def plan(target: Any, window: Window, epilogue: bool, threads: int) -> Plan:
    chosen = FilterGradient(target, window, threads)
    return Plan(chosen.describe(), chosen.work, chosen.cycles / GIGAHERTZ, chosen.write)


class Places:
    """Numbers of A side by side, at a place that depends on k through a table."""

    def __init__(self, pointer: str, table: str, dtype: str):
        self.pointer, self.table, self.dtype = pointer, table, dtype
        self.line: tuple[Any, str] = (None, "")

    def address(self, code: Code, row: int, k: Any) -> str:
        from tapeflow.jit.codegen.builder import LLVM
        if self.line[0] != k:
            at = code.let(f"load i64, ptr {code.at(self.table, k, 'i64')}")
            self.line = k, code.at(self.pointer, at, LLVM[self.dtype])
        return code.at(self.line[1], row, LLVM[self.dtype])


class FilterGradient(Swept):
    """Choices for one gradient, and its text."""

    def __init__(self, target: Any, window: Window, threads: int):
        # Tasks have sums of their own, so their number is not for the number of threads to decide.
        super().__init__(target, window, TASKS // 2)
        sweep = self.sweep
        self.deep = window.depthwise
        self.width = window.outer if self.deep else sweep.width
        self.groups = 1 if self.deep else window.groups
        # Numbers that lie side by side; for channels of their own, the taps of the last axis.
        self.line = window.window[-1] if self.deep else sweep.run * sweep.depth
        self._tile_shape()
        self.total = prod(window.window) * window.inner * window.outer  # numbers of the result
        self.sums = round_up(self.total * self.size)
        self._tasks(BLOCK)
        worth = int(self.cycles // (SUMS * self.sums))
        self.tasks = max(1, min(self.tasks, TASKS, worth, MOST // self.sums))
        if self.tasks == 1:
            self.by_rows = False
        self._tables(self.sums * self.tasks)

    def _tile_shape(self) -> None:
        positions = self.sweep.rows * self.window.batch
        shapes = [shape for shape in tile_shapes(self.target) if shape[0] <= self.line]
        registers = self.target.registers - (1 if self.target.fma else 2)
        usual = [(high, vecs) for high, vecs in shapes if not self.deep or high == min(
            self.line, registers // vecs - 2)]
        self.rows, self.vecs = TILE(min(usual, key=lambda shape: self._tile_cycles(*shape)),
                                    shapes)
        cycles = self._tile_cycles(self.rows, self.vecs)
        self.panel = self.vecs * self.lanes
        lines = len(self.sweep.taps) // (self.line if self.deep else self.sweep.run)
        border = self.window.batch * self.sweep.image / 4 if self.sweep.bordered else 0
        self.cycles = cycles * positions * lines * self.groups + border + 500

    def _tile_cycles(self, high: int, vecs: int) -> float:
        """Cycles for each position and line."""
        cycles = 0.0
        wide = vecs * self.lanes
        for columns, panels in ((wide, self.width // wide), (self.width % wide, 1)):
            count = len(vector_slots(columns, self.lanes))
            for rows, tiles in ((high, self.line // high), (self.line % high, 1)):
                if not count or not panels or not rows or not tiles:
                    continue
                loads = (rows + 1) * count if self.deep else rows + count
                wait = 2.0 if rows * count < 8 and not self.deep else 4.0  # by pairs
                turn = max(rows * count / 2, loads / 2, wait) + 0.5
                cycles += panels * tiles * turn
        return cycles + 0.1 * cycles * (self.line % high > 0)  # one more piece of text

    def describe(self) -> str:
        kind = "channels" if self.deep else "tiles"
        return ", ".join([f"{self.rows}x{self.panel} {kind} of {self.dtype}", *self._words()])

    # -- text ------------------------------------------------------------------------------------
    def write(self, module: Module, name: str, epilogue: Epilogue | None) -> None:
        each = self.line if self.deep else self.sweep.run
        taps = self.sweep.taps[::each]
        self.lines = len(taps)
        self.line_table = module.constant(numbers([place for place, _ in taps]))
        super().write(module, name, epilogue)

    def _after(self, code: Code, epilogue: Epilogue | None) -> None:
        """Add up the tasks' sums, and what becomes of them."""
        outer = self.window.outer
        buffer = code.at("%work", 0, "i8")
        rows = self.total // outer
        with code.loop(0, rows) as row:
            line = code.at(buffer, code.mul(row.index, outer), self.kind)
            whole = outer // (2 * self.lanes) * 2 * self.lanes
            for begin, end, unit in ((0, whole, 2 * self.lanes), (whole, outer, outer - whole)):
                if begin == end:
                    continue
                with code.loop(begin, end, unit) as column:
                    place = code.at(line, column.index, self.kind)
                    self._add_up(code, place, unit)
                    finish(code, place, row.index, column.index, unit, self.lanes, self.dtype,
                           outer, epilogue)

    def _add_up(self, code: Code, place: str, width: int) -> None:
        if self.tasks == 1:
            return
        cover = vector_slots(width, self.lanes)
        for at, lanes, count in cover:
            builder = Builder(code, lanes)
            first = code.at(place, at, self.kind)
            total = load_partial(builder, first, self.dtype, count)
            for task in range(1, self.tasks):
                where = code.at(first, task * self.sums // self.size, self.kind)
                more = load_partial(builder, where, self.dtype, count)
                total = builder.add(total, more)
            store_partial(builder, total, first, count)

    def _part(self, name: str, epilogue: Epilogue | None) -> Code:
        """Add the products of some positions to the task's sums."""
        kernel = self.module.add(self._kernel(f"{self.name}.kernel"))
        code = self._function(name, PART)
        sweep, outer = self.sweep, self.window.outer
        rows = code.mul("%count", sweep.rows)
        r0, r1 = self._rows_of(code, rows, 64)
        places = code.at("%work", self.at_places, "i8")
        sums = code.at("%work", code.mul("%task", self.sums), "i8")
        start = code.mul("%first", sweep.rows * outer)
        # The first bunch of a task finds its sums undefined.
        bunches = -(-self.window.batch // self.bunch)
        number = code.pure(f"udiv i64 %first, {self.bunch}")
        begins = code.pure(f"udiv i64 {code.mul('%task', bunches)}, {self.tasks}")
        fresh = "true" if self.by_rows else code.pure(f"icmp eq i64 {number}, {begins}")
        with code.when(fresh):
            fill(code, 0, sums, self.total, self.dtype)
        with code.loop(r0, r1, BLOCK) as block, code.loop(0, self.groups) as group:
            end = minimum(code, code.add(block.index, BLOCK), r1)
            count = code.let(f"sub nsw i64 {end}, {block.index}")
            image = code.at("%image", code.mul(group.index, sweep.depth), self.kind)
            columns = code.mul(group.index, self.width)
            g = code.at("%other", code.add(code.add(start, code.mul(block.index, outer)), columns),
                        self.kind)
            code.do(f"call void {kernel}(ptr {image}, ptr {g}, ptr "
                    f"{code.at(sums, columns, self.kind)}, "
                    f"ptr {code.at(places, block.index, 'i64')}, i64 {count})")
        return code

    def _kernel(self, name: str) -> Code:
        """`kernel(image, g, sums, places, count)`: one block of positions of one group."""
        self.code = code = self._function(name, [
            ("ptr", "%image"), ("ptr", "%g"), ("ptr", "%sums"), ("ptr", "%places"),
            ("i64", "%count")])
        if not self.deep:
            room = BLOCK * padded_width(self.panel, self.lanes)
            self.packed = code.let(f"alloca [{room} x {self.kind}], align 64")
        full = self.width // self.panel * self.panel
        if full:
            with code.loop(0, full, self.panel) as column:
                self._panel(column.index, self.panel)
        if self.width > full:
            self._panel(str(full), self.width - full)
        return code

    def _panel(self, column: str, width: int) -> None:
        code = self.code
        cover = vector_slots(width, self.lanes)
        g = code.at("%g", column, self.kind)
        if not self.deep:
            pack_columns(code, Matrix(g, self.window.outer, 1, self.dtype), self.packed, cover,
                         "%count")
        whole = self.line // self.rows * self.rows
        REST("tiles and rest" if self.line > whole else "tiles")
        with code.loop(0, self.lines) as line:
            at = code.let(f"load i64, ptr {code.at(self.line_table, line.index, 'i64')}")
            source = code.at("%image", at, self.kind)
            first = code.mul(line.index, self.line)
            with code.loop(0, whole, self.rows) as row:
                self._tile(source, row.index, code.add(first, row.index), column, self.rows,
                           cover, g)
            if self.line > whole:
                self._tile(source, str(whole), code.add(first, whole), column, self.line - whole,
                           cover, g)

    def _tile(self, source: str, row: str, number: str, column: str, rows: int, cover: list,
              g: str) -> None:
        """`rows` rows of the result, from the `number`-th; in the images from `row` on."""
        code, outer = self.code, self.window.outer
        corner = code.at("%sums", code.add(code.mul(number, outer), column), self.kind)
        places = [(code.at(corner, i * outer + at, self.kind), Builder(code, lanes), count)
                  for i in range(rows) for at, lanes, count in cover]
        # From zero, and added afterwards: that rounds less than one long sum.
        zeros = zero_sums(cover, rows, self.dtype)

        def one(number: Any, sums: list[str]) -> list[str]:
            if DEEP("each" if self.deep else "all") == "each":
                return self._channels(source, row, column, rows, cover, g, number, sums)
            a = Places(code.at(source, row, self.kind), "%places", self.dtype)
            b = Panel(self.packed, sum(lanes for _, lanes, _ in cover), self.dtype)
            return MicroKernel(code, rows, cover, a, b).step(number, sums)

        if PAIRS(rows * len(cover) < 8 and not self.deep, (False, not self.deep)):
            totals = self._by_pairs(one, zeros)
        else:
            with code.loop(0, "%count", 1, zeros, some=True) as k:
                k.after = one(k.index, k.carry)
            totals = k.results
        for (where, builder, count), total in zip(places, totals):
            before = load_partial(builder, where, self.dtype, count)
            store_partial(builder, builder.add(before, Val(total, self.dtype)), where, count)

    def _by_pairs(self, one: Any, zeros: list[tuple[str, str]]) -> list[str]:
        """Two sums of each, or there would be too few to keep the machine busy."""
        code = self.code
        even = code.pure("and i64 %count, -2")
        with code.loop(0, even, 2, zeros + zeros) as pair:
            half = len(zeros)
            pair.after = [*one(pair.index, pair.carry[:half]),
                          *one(code.add(pair.index, 1), pair.carry[half:])]
        first, second = pair.results[:half], pair.results[half:]
        last = [(kind, value) for (kind, _), value in zip(zeros, first)]
        with code.loop(even, "%count", 1, last) as rest:
            rest.after = one(rest.index, rest.carry)
        return [code.let(f"fadd {kind} {x}, {y}")
                for (kind, _), x, y in zip(zeros, rest.results, second)]

    def _channels(self, source: str, row: str, column: str, rows: int, cover: list, g: str,
                  k: Any, sums: list[str]) -> list[str]:
        """One position of filters that see one channel each; rows are neighbouring taps."""
        code, outer = self.code, self.window.outer
        apart = self.window.dilations[-1] * self.window.channels
        at = code.let(f"load i64, ptr {code.at('%places', k, 'i64')}")
        image = code.at(code.at(source, code.mul(row, apart), self.kind), at, self.kind)
        image = code.at(image, column, self.kind)
        line = code.at(g, code.mul(k, outer), self.kind)
        gs = [load_partial(Builder(code, lanes), code.at(line, place, self.kind), self.dtype,
                           count) for place, lanes, count in cover]
        result = []
        for i in range(rows):
            for j, (place, lanes, count) in enumerate(cover):
                builder = Builder(code, lanes)
                x = load_partial(builder, code.at(image, i * apart + place, self.kind), self.dtype,
                              count)
                total = Val(sums[i * len(cover) + j], self.dtype)
                result.append(multiply_add(builder, x, gs[j], total).text)
        return result
