"""The gradient of a convolution in images of few channels: products that are scattered.

The other way (`conv_direct`) gathers for each element of an image the gradients of all windows over
it, border and all; with few channels it leaves most of a vector empty. Here the gradients at each
position are multiplied by all taps of the filters, side by side, and added to the elements that the
window there is over. Each task has a padded image of its own for it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from tapeflow.jit.choices import Choice
from tapeflow.jit.codegen.builder import Builder, Val
from tapeflow.jit.codegen.index_arithmetic import minimum
from tapeflow.jit.codegen.llvm_text import Code
from tapeflow.jit.codegen.memory_copy import fill, write_copy
from tapeflow.jit.codegen.partial_vectors import (
    VectorSlot,
    load_partial,
    padded_width,
    store_partial,
    vector_slots,
)
from tapeflow.jit.kernels.conv.conv_geometry import Window
from tapeflow.jit.kernels.conv.conv_tasks import (
    ImagePlan,
    Tile,
    lay_out,
    register_tiles,
    round_up,
    share_whole_images,
)
from tapeflow.jit.kernels.conv.conv_writer import PART_PARAMS, ImageWriter
from tapeflow.jit.kernels.gemm.gemm_pack import Matrix, pack_columns
from tapeflow.jit.kernels.gemm.gemm_tile import MicroKernel, Panel, PointerRows, zero_sums

KERNEL_PARAMS = [("ptr", "%g"), ("ptr", "%packed"), ("ptr", "%padded"), ("ptr", "%offsets")]
# Fewer would not keep threads busy; how many threads there are is not asked: it changes bits.
IMAGES_MIN = 4


def tile_shapes(target: Any) -> list[tuple[int, int]]:
    """(rows, vectors) of tiles of positions; each row has pointers in registers."""
    return register_tiles(target, range(2, 9))


TILE = Choice("conv_scatter.tile", tile_shapes)
PANELS = Choice("conv_scatter.panels", ("loop", "one", "remainder", "loop and remainder",
                                        "one and remainder"))


def suits(window: Window) -> bool:
    """Whether this way is meant for a gradient."""
    return window.role == "input" and window.groups == 1 and window.batch >= IMAGES_MIN


class ScatterPlan(ImagePlan):
    """Choices for one gradient. The geometry is that of the convolution itself."""

    def __init__(self, target: Any, window: Window, threads: int):
        super().__init__(target, replace(window, role="forward"))
        self.writer = ScatterWriter
        self.copies = False
        shapes = tile_shapes(target)
        rows, vectors = TILE(min(shapes, key=lambda shape: self._tile_cycles(*shape)), shapes)
        self.tile = Tile(rows, vectors, vectors * self.element.lanes)
        self.cycles = (self._tile_cycles(rows, vectors) * self.lines
                       + window.batch * self.geometry.image_elements / 2 + 500)
        self.tasks = share_whole_images(self, threads)
        self.workspace = lay_out(self, self.filter_bytes + self.task_bytes * self.tasks.count)

    @property
    def result_columns(self) -> int:
        return self.window.channels

    @property
    def depth(self) -> int:
        """Elements of a position's gradient."""
        return self.window.outer

    @property
    def line(self) -> int:
        """Elements of an image that are contiguous under a window."""
        return self.geometry.run * self.window.channels

    @property
    def lines(self) -> int:
        return len(self.geometry.taps) // self.geometry.run

    @property
    def line_filter_elements(self) -> int:
        """Of the packed filters of a line: for each element of the gradient the whole line."""
        full = self.line // self.tile.columns * self.tile.columns
        return self.depth * (full + padded_width(self.line - full, self.element.lanes))

    @property
    def filter_bytes(self) -> int:
        return round_up(self.lines * self.line_filter_elements * self.element.size)

    @property
    def image_bytes(self) -> int:
        return round_up(self.geometry.image_elements * self.element.size)

    @property
    def gradient_elements(self) -> int:
        """Of the gradients of an image."""
        return self.geometry.positions * self.depth

    @property
    def task_bytes(self) -> int:
        """A task's image, and behind it the gradients, if they must be widened."""
        widened = self.gradient_elements * self.element.size if self.widens else 0
        return self.image_bytes + round_up(widened)

    def _tile_cycles(self, rows: int, vectors: int) -> float:
        """All tiles of one line: some positions and one panel each."""
        lanes = self.element.lanes
        width = vectors * lanes
        cycles = 0.0
        for columns, count in ((width, self.line // width), (self.line % width, 1)):
            across = len(vector_slots(columns, lanes))
            if across and count:
                iteration = max(rows * across / 2, (rows + across) / 2, 4.0)
                cycles += count * (iteration * self.depth + 10 + rows * (2 + 2 * across))
        return cycles * self.window.batch * -(-self.geometry.positions // rows)

    def describe(self) -> str:
        tile = self.tile
        return ", ".join([f"{tile.rows}x{tile.columns} tiles of {self.element.dtype}, scattered",
                          *self._traits()])


class ScatterWriter(ImageWriter):
    """Its text."""

    plan: ScatterPlan
    code: Code  # of the kernel

    def _before(self, code: Code, image: str, other: str) -> str:
        """The operands are filters and gradients: `image` and `other` here."""
        plan, outer = self.plan, self.window.outer
        pack = self._function(f"{self.name}.pack", [("ptr", "%filters"), ("ptr", "%packed")])
        with pack.loop(0, plan.lines) as line:
            source = pack.at("%filters", pack.mul(line.index, plan.line * outer),
                             self.stored_kind)
            target = pack.at("%packed", pack.mul(line.index, plan.line_filter_elements), self.kind)
            for column, width in self._panels(pack):
                first = pack.at(source, pack.mul(column, outer), self.stored_kind)
                matrix = Matrix(first, 1, outer, self.stored_dtype)
                pack_columns(pack, matrix, pack.at(target, pack.mul(column, plan.depth), self.kind),
                             vector_slots(width, self.lanes), plan.depth)
        name = self.module.add(pack)
        code.do(f"call void {name}(ptr {image}, ptr %work)")
        return other

    def _panels(self, code: Code) -> Iterator[tuple[Any, int]]:
        """(first element, how many) of the panels of a line, in a loop if many are equal."""
        line, width = self.plan.line, self.plan.tile.columns
        full = line // width * width
        whole = "" if not full else "loop" if full > width else "one"
        PANELS(" and ".join(filter(None, (whole, "remainder" if line > full else ""))))
        if full > width:
            with code.loop(0, full, width) as loop:
                yield loop.index, width
        elif full:
            yield 0, width
        if line > full:
            yield full, line - full

    # -- the kernel ------------------------------------------------------------------------------
    def _part(self, name: str) -> Code:
        plan, geometry = self.plan, self.geometry
        kernel = self.module.add(self._kernel(f"{self.name}.kernel"))
        code = self._function(name, PART_PARAMS)
        images = code.at("%work", plan.filter_bytes, "i8")
        image = code.at(images, code.mul("%task", plan.task_bytes), "i8")
        fill(code, 0, image, geometry.image_elements, self.dtype)
        g = code.at("%other", code.mul("%first", plan.gradient_elements), self.stored_kind)
        if plan.widens:
            widened = code.at(image, plan.image_bytes, "i8")
            copy = write_copy(self.module, self.stored_dtype, self.dtype)
            code.do(f"call void {copy}(ptr {g}, ptr {widened}, i64 {plan.gradient_elements})")
            g = widened
        code.do(f"call void {kernel}(ptr {g}, ptr %work, ptr {image}, ptr {self._offsets(code)})")
        self._store_image(code, image)
        return code

    def _kernel(self, name: str) -> Code:
        """All positions of one image."""
        self.code = code = self._function(name, KERNEL_PARAMS)
        plan = self.plan
        line_table = self._tap_offsets(self.geometry.taps[::self.geometry.run])
        with code.loop(0, plan.lines) as line:
            at = code.let(f"load i64, ptr {code.at(line_table, line.index, 'i64')}")
            image = code.at("%padded", at, self.kind)
            filters = code.at("%packed", code.mul(line.index, plan.line_filter_elements), self.kind)
            for column, width in self._panels(code):
                first = code.at(filters, code.mul(column, plan.depth), self.kind)
                panel = Panel(first, padded_width(width, self.lanes), self.dtype)
                self._tiles(image, panel, column, vector_slots(width, self.lanes))
        return code

    def _tiles(self, image: str, panel: Panel, column: Any, slots: list[VectorSlot]) -> None:
        """All positions; `image` is where the line begins in the first window."""
        code, rows, depth = self.code, self.plan.tile.rows, self.plan.depth
        positions = self.geometry.positions
        # Rows of a tile are far from each other, so that none waits for what another has stored.
        apart = -(-positions // rows)
        with code.loop(0, apart) as tile:
            indices = [minimum(code, code.add(tile.index, i * apart), positions - 1) if i
                       else tile.index for i in range(rows)]
            pointers = [code.at("%g", code.mul(index, depth), self.kind) for index in indices]
            micro_kernel = MicroKernel(code, rows, slots, PointerRows(pointers, 0, self.dtype),
                                       panel)
            with code.loop(0, depth, 1, zero_sums(slots, rows, self.dtype)) as k:
                k.after = micro_kernel.step(k.index, k.carry)
            for i, index in enumerate(indices):
                sums = k.results[i * len(slots):(i + 1) * len(slots)]
                if not i:
                    self._add(image, index, column, slots, sums)
                    continue
                # The last rows may not exist; what was computed for them is not used.
                there = code.let(f"icmp slt i64 {code.add(tile.index, i * apart)}, {positions}")
                with code.when(there):
                    self._add(image, index, column, slots, sums)

    def _add(self, image: str, position: str, column: Any, slots: list[VectorSlot],
             sums: list[str]) -> None:
        """Sums of a position to the elements of the image under its window."""
        code = self.code
        offset = code.let(f"load i64, ptr {code.at('%offsets', position, 'i64')}")
        line = code.at(code.at(image, offset, self.kind), column, self.kind)
        for slot, total in zip(slots, sums):
            builder = Builder(code, slot.lanes)
            where = code.at(line, slot.offset, self.kind)
            old = load_partial(builder, where, self.dtype, slot.used)
            store_partial(builder, builder.add(old, Val(total, self.dtype)), where, slot.used)
