"""Convolutions and their gradients in the images: filters slid over images with a border.

Positions of a window are rows of a matrix product whose numbers lie at places that a table names:
tiles (`tiles`) of some positions and some filters, summed over the taps. The filters are packed for
it at the start of a call. A filter for each channel (depthwise) multiplies vectors of channels.
"""

from __future__ import annotations

from math import prod
from typing import Any

from tapeflow.jit.choices import Choice
from tapeflow.jit.codegen.builder import Builder, Val
from tapeflow.jit.codegen.index_arithmetic import minimum
from tapeflow.jit.codegen.llvm_text import Code, Module
from tapeflow.jit.codegen.partial_vectors import (
    load_partial,
    multiply_add,
    padded_width,
    vector_slots,
)
from tapeflow.jit.kernels.conv.conv_base import PART, Swept, finish, numbers
from tapeflow.jit.kernels.conv.conv_geometry import GIGAHERTZ, Plan, Window
from tapeflow.jit.kernels.gemm.gemm_pack import Matrix, pack_columns
from tapeflow.jit.kernels.gemm.gemm_result import Epilogue
from tapeflow.jit.kernels.gemm.gemm_tile import MicroKernel, Panel, PointerRows, zero_sums

KERNEL = [("ptr", "%image"), ("ptr", "%filters"), ("ptr", "%c"), ("ptr", "%ctx"),
          ("ptr", "%places"), ("ptr", "%goals"), ("i64", "%base"), ("i64", "%column"),
          ("i64", "%r0"), ("i64", "%r1"), ("i64", "%t0"), ("i64", "%t1")]
MOST_ROWS = 8  # each has a pointer in a register
CHUNK = 128 << 10  # bytes of images that some positions may see
UNROLLED = 3  # numbers of a run up to which there is no loop over them


def tile_shapes(target: Any) -> list[tuple[int, int]]:
    """(rows, vectors) of tiles of positions that registers hold."""
    registers = target.registers - (1 if target.fma else 2)
    return [(high, vecs) for vecs in range(1, 5) for high in range(1, MOST_ROWS + 1)
            if (high + 1) * vecs + 1 <= registers]


TILE = Choice("conv_direct.tile", tile_shapes)
DEEP = Choice("conv_direct.channels", ("each", "all"))  # that a filter sees
RUN = Choice("conv_direct.run", ("unrolled", "loop"))


def plan(target: Any, window: Window, epilogue: bool, threads: int) -> Plan:
    chosen = Correlation(target, window, threads)
    return Plan(chosen.describe(), chosen.work, chosen.cycles / GIGAHERTZ, chosen.write)


class Correlation(Swept):
    """Choices for one convolution, and its text."""

    def __init__(self, target: Any, window: Window, threads: int):
        super().__init__(target, window, threads)
        sweep = self.sweep
        self.deep = window.depthwise
        self.width = sweep.columns if self.deep else sweep.width  # columns of one kernel call
        self.groups = 1 if self.deep else window.groups
        self.run = sweep.run * (1 if self.deep else sweep.depth)
        self._tile_shape()
        self._tasks()
        self._memory()

    # -- choices ---------------------------------------------------------------------------------
    def _tile_shape(self) -> None:
        shapes = tile_shapes(self.target)
        self.rows, self.vecs = TILE(min(shapes, key=lambda shape: self._tile_cycles(*shape)),
                                    shapes)
        cycles = self._tile_cycles(self.rows, self.vecs)
        self.panel = self.vecs * self.lanes
        self.chunk = max(8, CHUNK // (self.rows * self.sweep.channels * self.size)) * self.rows
        border = self.window.batch * self.sweep.image / 4 if self.sweep.bordered else 0
        self.cycles = cycles * self.groups + border + 500

    def _tile_cycles(self, high: int, vecs: int) -> float:
        taps = len(self.sweep.taps) / len(self.sweep.phases) * (1 if self.deep else
                                                                self.sweep.depth)
        tiles = -(-self.sweep.rows * self.window.batch // high)
        cycles = 0.0
        wide = vecs * self.lanes
        for columns, panels in ((wide, self.width // wide), (self.width % wide, 1)):
            count = len(vector_slots(columns, self.lanes))
            if not count or not panels:
                continue
            loads = (high + 1) * count if self.deep else high + count
            turn = max(high * count / 2, loads / 2, 4.0) + count / 10
            cycles += panels * tiles * (turn * taps + 15 + high * (4 + count))
        return cycles

    def _memory(self) -> None:
        full = self.width // self.panel * self.panel
        columns = full + padded_width(self.width - full, self.lanes)
        self.weights = 0 if self.deep else len(self.sweep.taps) * self.sweep.depth * columns
        self._tables(self.weights * self.groups * self.size)

    def describe(self) -> str:
        kind = "channels" if self.deep else "tiles"
        return ", ".join([f"{self.rows}x{self.panel} {kind} of {self.dtype}", *self._words()])

    # -- text ------------------------------------------------------------------------------------
    def write(self, module: Module, name: str, epilogue: Epilogue | None) -> None:
        sweep = self.sweep
        runs = [place for phase in sweep.phases for place, _ in phase.taps[::sweep.run]]
        self.run_table = module.constant(numbers(runs))
        step_of = self.window.inner * self.window.outer
        self.tap_table = module.constant(numbers([number * step_of for _, number in sweep.taps]))
        if self.window.role == "input" and sweep.bordered:
            from tapeflow.jit.kernels.conv.conv_nonfinite import guarded
            guarded(module, name, self.window, epilogue, self.lanes,
                    lambda fast: Swept.write(self, module, fast, epilogue))
        else:
            super().write(module, name, epilogue)

    def _before(self, code: Code, image: str, other: str) -> str:
        if self.deep:
            return other
        pack = self.module.add(self._pack(f"{self.name}.pack"))
        code.do(f"call void {pack}(ptr {other}, ptr %work)")
        return "%work"

    def _pack(self, name: str) -> Code:
        """`pack(filters, packed)`: for each group and panel, all taps one below the other."""
        code = self._function(name, [("ptr", "%filters"), ("ptr", "%packed")])
        sweep = self.sweep
        outer = self.window.outer
        steps = (1, outer) if self.window.role == "input" else (outer, 1)
        taps = len(sweep.taps)
        full = self.width // self.panel * self.panel

        def panel(group: Any, column: Any, width: int) -> None:
            cover = vector_slots(width, self.lanes)
            source = code.at("%filters", code.add(
                code.mul(group, self.window.outer // self.window.groups),
                code.mul(column, steps[1])), self.kind)
            start = code.add(code.mul(group, self.weights), code.mul(column, taps * sweep.depth))
            with code.loop(0, taps) as tap:
                at = code.let(f"load i64, ptr {code.at(self.tap_table, tap.index, 'i64')}")
                rows = code.mul(tap.index, sweep.depth * padded_width(width, self.lanes))
                target = code.at("%packed", code.add(start, rows), self.kind)
                pack_columns(code, Matrix(code.at(source, at, self.kind), *steps, self.dtype),
                             target, cover, sweep.depth)

        with code.loop(0, self.groups) as group:
            if full:
                with code.loop(0, full, self.panel) as column:
                    panel(group.index, column.index, self.panel)
            if self.width > full:
                panel(group.index, full, self.width - full)
        return code

    def _part(self, name: str, epilogue: Epilogue | None) -> Code:
        """All groups and phases."""
        kernel = self.module.add(self._kernel(f"{self.name}.kernel", epilogue))
        code = self._function(name, PART)
        sweep = self.sweep
        base = code.mul("%first", prod(sweep.goal))
        with code.loop(0, self.groups) as group:
            image = code.at("%image", code.mul(group.index, sweep.depth), self.kind)
            filters = code.at("%other", code.mul(group.index, self.weights), self.kind)
            column = code.mul(group.index, self.width)
            entry, tap = 0, 0
            for phase in sweep.phases:
                rows = code.mul("%count", prod(phase.counts))
                taps = len(phase.taps) // sweep.run
                r0, r1 = self._rows_of(code, rows, self.rows)
                places = code.at(code.at("%work", self.at_places, "i8"), entry, "i64")
                goals = code.at(code.at("%work", self.at_goals, "i8"), entry, "i64")
                # So many positions that what they see stays in the cache for all filters.
                with code.loop(r0, r1, self.chunk) as chunk:
                    end = minimum(code, code.add(chunk.index, self.chunk), r1)
                    code.do(f"call void {kernel}(ptr {image}, ptr {filters}, ptr %c, ptr %ctx, "
                            f"ptr {places}, ptr {goals}, i64 {base}, i64 {column}, "
                            f"i64 {chunk.index}, i64 {end}, i64 {tap}, i64 {tap + taps})")
                entry += self.bunch * prod(phase.counts)
                tap += taps
        return code

    # -- the kernel ------------------------------------------------------------------------------
    def _kernel(self, name: str, epilogue: Epilogue | None) -> Code:
        """Rows r0..r1 of the table, and the taps (in runs) t0..t1, of one group."""
        self.code = code = self._function(name, KERNEL)
        room = self.rows * padded_width(self.panel, self.lanes)
        self.buffer = code.let(f"alloca [{room} x {self.kind}], align 64")
        full = self.width // self.panel * self.panel
        if full:
            with code.loop(0, full, self.panel) as column:
                self._panel(column.index, self.panel, epilogue)
        if self.width > full:
            self._panel(str(full), self.width - full, epilogue)
        return code

    def _panel(self, column: str, width: int, epilogue: Epilogue | None) -> None:
        code = self.code
        cover = vector_slots(width, self.lanes)
        last = code.add("%r1", -1)
        with code.loop("%r0", "%r1", self.rows) as row:
            pointers = []
            for i in range(self.rows):
                number = minimum(code, code.add(row.index, i), last)
                place = code.let(f"load i64, ptr {code.at('%places', number, 'i64')}")
                pointers.append(code.at("%image", place, self.kind))
            sums = self._tile(pointers, column, cover, padded_width(width, self.lanes))
            for i in range(self.rows):
                for j, (at, lanes, _) in enumerate(cover):
                    where = code.at(self.buffer, i * self.panel + at, self.kind)
                    Builder(code, lanes).store(Val(sums[i * len(cover) + j], self.dtype), where)
            left = code.let(f"sub nsw i64 %r1, {row.index}")
            with code.loop(0, minimum(code, left, self.rows), some=True) as loop:
                number = code.add(row.index, loop.index)
                if not self.sweep.ordered:
                    number = code.let(f"load i64, ptr {code.at('%goals', number, 'i64')}")
                goal = code.add("%base", number)
                line = code.at(self.buffer, code.mul(loop.index, self.panel), self.kind)
                finish(code, line, goal, code.add("%column", column), width, self.lanes,
                       self.dtype, self.sweep.columns, epilogue)

    def _tile(self, pointers: list[str], column: str, cover: list, width: int) -> list[str]:
        """The sums of a tile over the taps."""
        code, sweep = self.code, self.sweep
        carry = zero_sums(cover, self.rows, self.dtype)
        start = code.mul(column, len(sweep.taps) * sweep.depth)
        panel = code.at("%filters", column if self.deep else start, self.kind)
        some = all(phase.taps for phase in sweep.phases) or None
        with code.loop("%t0", "%t1", 1, carry, some=some) as tap:
            shift = code.let(f"load i64, ptr {code.at(self.run_table, tap.index, 'i64')}")
            if DEEP("each" if self.deep else "all") == "each":
                at = code.let(f"load i64, ptr {code.at(self.tap_table, tap.index, 'i64')}")
                tap.after = self._channels(code.at(panel, at, self.kind), pointers,
                                           code.add(shift, column), cover, tap.carry)
            else:
                run = code.at(panel, code.mul(tap.index, self.run * width), self.kind)
                a = PointerRows(pointers, shift, self.dtype)
                b = Panel(run, width, self.dtype)
                tile = MicroKernel(code, self.rows, cover, a, b)
                short = "unrolled" if self.run <= UNROLLED else "loop"
                if RUN(short, ("unrolled" if self.run <= 32 else "loop", "loop")) == "unrolled":
                    sums = tap.carry
                    for i in range(self.run):
                        sums = tile.step(i, sums)
                    tap.after = sums
                else:
                    again = [(kind, one) for (kind, _), one in zip(carry, tap.carry)]
                    with code.loop(0, self.run, 1, again) as k:
                        k.after = tile.step(k.index, k.carry)
                    tap.after = k.results
        return tap.results

    def _channels(self, weights: str, pointers: list[str], shift: str, cover: list,
                  sums: list[str]) -> list[str]:
        """One tap of filters that see one channel each."""
        code = self.code
        result = []
        ws = []
        for at, lanes, count in cover:
            builder = Builder(code, lanes)
            ws.append(load_partial(builder, code.at(weights, at, self.kind), self.dtype, count))
        for i, pointer in enumerate(pointers):
            line = code.at(pointer, shift, self.kind)
            for j, (at, lanes, count) in enumerate(cover):
                builder = Builder(code, lanes)
                x = load_partial(builder, code.at(line, at, self.kind), self.dtype, count)
                total = Val(sums[i * len(cover) + j], self.dtype)
                result.append(multiply_add(builder, x, ws[j], total).text)
        return result
