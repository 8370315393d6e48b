"""The gradient of a convolution in images of few channels: products that are spread out.

The other way (`correlation`) gathers for each element of an image the gradients of all windows over
it, border and all; with few channels it leaves most of a vector empty. Here the gradients at each
position are multiplied by all taps of the filters, side by side, and added to the elements that the
window there is over. Each task has an image of its own for it.
"""

from __future__ import annotations

from typing import Any

from tapeflow.jit.choices import Choice
from tapeflow.jit.codegen.builder import Builder, Val
from tapeflow.jit.codegen.index_arithmetic import minimum
from tapeflow.jit.codegen.llvm_text import Code
from tapeflow.jit.codegen.memory_copy import fill
from tapeflow.jit.codegen.partial_vectors import (
    load_partial,
    padded_width,
    store_partial,
    vector_slots,
)
from tapeflow.jit.kernels.conv.conv_base import PART, Swept, numbers
from tapeflow.jit.kernels.conv.conv_geometry import GIGAHERTZ, Plan, Window, round_up
from tapeflow.jit.kernels.gemm.gemm_pack import Matrix, pack_columns
from tapeflow.jit.kernels.gemm.gemm_result import Epilogue
from tapeflow.jit.kernels.gemm.gemm_tile import MicroKernel, Panel, PointerRows, zero_sums

MOST_ROWS = 8  # each has pointers in registers
IMAGES = 4  # fewer would not keep threads busy; how many there are is not asked: it changes bits


def tile_shapes(target: Any) -> list[tuple[int, int]]:
    """(rows, vectors) of tiles of positions that registers hold."""
    registers = target.registers - (1 if target.fma else 2)
    return [(high, vecs) for vecs in range(1, 5) for high in range(2, MOST_ROWS + 1)
            if (high + 1) * vecs + 1 <= registers]


TILE = Choice("conv_scatter.tile", tile_shapes)
PANELS = Choice("conv_scatter.panels", ("loop", "one", "rest", "loop and rest", "one and rest"))


def plan(target: Any, window: Window, threads: int) -> Plan | None:
    """None where this way is not meant for."""
    if window.groups > 1 or window.batch < IMAGES:
        return None
    chosen = Spread(target, window, threads)
    return Plan(chosen.describe(), chosen.work, chosen.cycles / GIGAHERTZ, chosen.write)


class Spread(Swept):
    """Choices for one gradient, and its text."""

    def __init__(self, target: Any, window: Window, threads: int):
        fields = {name: value for name, value in vars(window).items() if name != "plans"}
        forward = Window(**{**fields, "role": "forward"})
        super().__init__(target, forward, threads)
        self.copies = False
        self.depth = window.outer
        # Elements of an image that lie side by side under a window.
        self.line = self.sweep.run * window.channels
        self._tile_shape()
        self._whole_images()
        # Filters, for each line: for each of g's numbers all elements.
        self.lines = len(self.sweep.taps) // self.sweep.run
        self.packed = round_up(self.lines * self.depth * self.width * self.size)
        self.image_bytes = round_up(self.sweep.image * self.size)
        self._tables(self.packed + self.image_bytes * self.tasks)

    def _tile_shape(self) -> None:
        """A tile is some positions and one panel of a line."""
        shapes = tile_shapes(self.target)
        self.rows, self.vecs = TILE(min(shapes, key=lambda shape: self._tile_cycles(*shape)),
                                    shapes)
        cycles = self._tile_cycles(self.rows, self.vecs)
        self.panel = self.vecs * self.lanes
        full = self.line // self.panel * self.panel
        self.width = full + padded_width(self.line - full, self.lanes)
        lines = len(self.sweep.taps) // self.sweep.run
        self.cycles = cycles * lines + self.window.batch * self.sweep.image / 2 + 500

    def _tile_cycles(self, high: int, vecs: int) -> float:
        wide = vecs * self.lanes
        cycles = 0.0
        for columns, panels in ((wide, self.line // wide), (self.line % wide, 1)):
            count = len(vector_slots(columns, self.lanes))
            if count and panels:
                turn = max(high * count / 2, (high + count) / 2, 4.0)
                cycles += panels * (turn * self.depth + 10 + high * (2 + 2 * count))
        return cycles * self.window.batch * -(-self.sweep.rows // high)

    def describe(self) -> str:
        return ", ".join([f"{self.rows}x{self.panel} tiles of {self.dtype}, spread out",
                          *self._words()])

    # -- text ------------------------------------------------------------------------------------
    def _before(self, code: Code, image: str, other: str) -> str:
        """The operands are filters and gradients: `image` and `other` here."""
        outer = self.window.outer
        pack = self._function(f"{self.name}.pack", [("ptr", "%filters"), ("ptr", "%packed")])
        with pack.loop(0, self.lines) as line:
            source = pack.at("%filters", pack.mul(line.index, self.line * outer), self.kind)
            target = pack.at("%packed", pack.mul(line.index, self.depth * self.width), self.kind)
            for column, width in self._panels(pack):
                panel = Matrix(pack.at(source, pack.mul(column, outer), self.kind), 1, outer,
                               self.dtype)
                pack_columns(pack, panel, pack.at(target, pack.mul(column, self.depth), self.kind),
                             vector_slots(width, self.lanes), self.depth)
        name = self.module.add(pack)
        code.do(f"call void {name}(ptr {image}, ptr %work)")
        return other

    def _panels(self, code: Code) -> Any:
        """(first element, how many) of the panels of a line, in a loop if many are equal."""
        full = self.line // self.panel * self.panel
        whole = "" if not full else "loop" if full > self.panel else "one"
        PANELS(" and ".join(filter(None, (whole, "rest" if self.line > full else ""))))
        if full > self.panel:
            with code.loop(0, full, self.panel) as loop:
                yield loop.index, self.panel
        elif full:
            yield 0, self.panel
        if self.line > full:
            yield full, self.line - full

    def _part(self, name: str, epilogue: Epilogue | None) -> Code:
        kernel = self.module.add(self._kernel(f"{self.name}.kernel"))
        code = self._function(name, PART)
        sweep = self.sweep
        images = code.at("%work", self.packed, "i8")
        spread = code.at(images, code.mul("%task", self.image_bytes), "i8")
        fill(code, 0, spread, sweep.image, self.dtype)
        g = code.at("%other", code.mul("%first", sweep.rows * self.depth), self.kind)
        places = code.at("%work", self.at_places, "i8")
        code.do(f"call void {kernel}(ptr {g}, ptr %work, ptr {spread}, ptr {places})")
        self._take(code, spread, epilogue)
        return code

    def _kernel(self, name: str) -> Code:
        """`kernel(g, packed, spread, places)`: all positions of one image."""
        self.code = code = self._function(name, [
            ("ptr", "%g"), ("ptr", "%packed"), ("ptr", "%spread"), ("ptr", "%places")])
        # Rows of a tile are far from each other, so that none waits for what another has stored.
        apart = -(-self.sweep.rows // self.rows)
        self.line_table = code.module.constant(numbers(
            [place for place, _ in self.sweep.taps[::self.sweep.run]]))
        with code.loop(0, self.lines) as line:
            at = code.let(f"load i64, ptr {code.at(self.line_table, line.index, 'i64')}")
            goal = code.at("%spread", at, self.kind)
            weights = code.at("%packed", code.mul(line.index, self.depth * self.width), self.kind)
            for column, width in self._panels(code):
                self._rows(goal, weights, column, width, apart)
        return code

    def _rows(self, goal: str, weights: str, column: Any, width: int, apart: int) -> None:
        code, rows = self.code, self.rows
        cover = vector_slots(width, self.lanes)
        wide = padded_width(width, self.lanes)
        b = Panel(code.at(weights, code.mul(column, self.depth), self.kind), wide, self.dtype)
        last = self.sweep.rows - 1
        with code.loop(0, apart) as turn:
            numbers_ = [minimum(code, code.add(turn.index, i * apart), last) if i else turn.index
                        for i in range(rows)]
            pointers = [code.at("%g", code.mul(n, self.depth), self.kind) for n in numbers_]
            a = PointerRows(pointers, 0, self.dtype)
            with code.loop(0, self.depth, 1, zero_sums(cover, rows, self.dtype)) as k:
                k.after = MicroKernel(code, rows, cover, a, b).step(k.index, k.carry)
            for i in range(rows):
                if not i:
                    self._add(goal, numbers_[i], column, cover, k.results[:len(cover)])
                    continue
                # The last rows may not exist; what was computed for them is not used.
                there = code.let(f"icmp slt i64 {code.add(turn.index, i * apart)}, {last + 1}")
                with code.when(there):
                    self._add(goal, numbers_[i], column, cover,
                              k.results[i * len(cover):(i + 1) * len(cover)])

    def _add(self, goal: str, number: str, column: Any, cover: list, sums: list[str]) -> None:
        code = self.code
        place = code.let(f"load i64, ptr {code.at('%places', number, 'i64')}")
        line = code.at(code.at(goal, place, self.kind), column, self.kind)
        for (at, lanes, count), total in zip(cover, sums):
            builder = Builder(code, lanes)
            where = code.at(line, at, self.kind)
            old = load_partial(builder, where, self.dtype, count)
            store_partial(builder, builder.add(old, Val(total, self.dtype)), where, count)
