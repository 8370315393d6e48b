"""The functions of an op on images: base of the text of all kernels.

    NAME          tables of offsets, the kernel's own preparation, then the tasks
    NAME.task     for each of its blocks of images: pad them, call the part
    NAME.part     the kernel itself, on one block of images or on a share of its positions
"""

from __future__ import annotations

from collections.abc import Iterator
from math import prod
from typing import Any

from tapeflow.core.record.lowering_forms import contiguous_strides
from tapeflow.jit.choices import Choice
from tapeflow.jit.codegen.builder import Builder, Val
from tapeflow.jit.codegen.index_arithmetic import minimum, task_range
from tapeflow.jit.codegen.llvm_text import Code, Module
from tapeflow.jit.codegen.memory_copy import copy_lines, fill, grid
from tapeflow.jit.codegen.partial_vectors import column_pieces, power_of_two_parts
from tapeflow.jit.codegen.row_sums import sums_of
from tapeflow.jit.kernels.conv.conv_geometry import Tap
from tapeflow.jit.kernels.gemm.gemm_result import EmitEpilogue

OUTER_PARAMS = [("ptr", "%pool"), ("ptr", "%a"), ("ptr", "%b"), ("ptr", "%c"), ("ptr", "%ctx"),
                ("ptr", "%work")]
# Images `first` to `first` + `count`, of which `image` is the first, and of their positions the
# `share`-th of `shares`; `other` is the second operand.
PART_PARAMS = [("ptr", "%image"), ("ptr", "%other"), ("ptr", "%c"), ("ptr", "%ctx"),
               ("ptr", "%work"), ("i64", "%first"), ("i64", "%count"), ("i64", "%task"),
               ("i64", "%share"), ("i64", "%shares")]
COLUMNS = Choice("conv.columns", ("vector", "loop", "remainder", "loop and remainder",
                                  "vector and remainder"))


class ImageWriter:
    """Writes the functions of a plan. A subclass writes `_part`, with the parameters PART_PARAMS.
    """

    def __init__(self, plan: Any, module: Module, name: str, epilogue: EmitEpilogue | None):
        self.plan, self.module, self.name, self.epilogue = plan, module, name, epilogue
        self.geometry, self.window = plan.geometry, plan.window
        self.dtype, self.kind, self.lanes = plan.element.dtype, plan.element.kind, \
            plan.element.lanes
        self.stored_dtype, self.stored_kind = plan.stored.dtype, plan.stored.kind

    # -- what a kernel adds ----------------------------------------------------------------------
    def _part(self, name: str) -> Code:
        raise NotImplementedError

    def _before(self, code: Code, image: str, other: str) -> str:
        """Text at the start of a call; gives what the parts get as `other`."""
        return other

    def _after(self, code: Code) -> None:
        """Text at the end of a call."""

    # -- the call --------------------------------------------------------------------------------
    def write(self) -> None:
        module, name, tasks = self.module, self.name, self.plan.tasks
        part = module.add(self._part(f"{name}.part"))
        code = Code(module, name, OUTER_PARAMS, attributes=module.target.attributes)
        code.do("%block = alloca [8 x i64], align 64")
        image, other = ("%b", "%a") if self.window.role == "input" else ("%a", "%b")
        other = self._before(code, image, other)
        self._write_tables(code)
        if tasks.by_positions and self.plan.copies:
            target = code.at("%work", self.plan.workspace.images, "i8")
            self._fill_border(code, target)
            self._pad(code, image, target, tasks.images)
            image = target
        task = module.add(self._task(f"{name}.task", part))
        for i, label in enumerate([image, other, "%c", "%ctx", "%work"]):
            code.do(f"store ptr {label}, ptr {code.at('%block', i, 'i64')}")
        if tasks.count == 1:
            code.do(f"call void {task}(ptr %block, i64 0)")
        else:
            module.declare("tf_parallel", "void", "ptr", "ptr", "ptr", "i64")
            code.do(f"call void @tf_parallel(ptr %pool, ptr {task}, ptr %block, "
                    f"i64 {tasks.count})")
        self._after(code)
        module.functions[name] = code.text()

    def _task(self, name: str, part: str) -> Code:
        """`task(block, index)`: some blocks of images, or a share of the positions."""
        code = self._function(name, [("ptr", "%block"), ("i64", "%task")])
        for i, label in enumerate(["%image", "%other", "%c", "%ctx", "%work"]):
            code.do(f"{label} = load ptr, ptr {code.at('%block', i, 'i64')}")
        rest = "ptr %other, ptr %c, ptr %ctx, ptr %work"
        tasks, workspace, geometry = self.plan.tasks, self.plan.workspace, self.geometry
        batch = self.window.batch
        if tasks.by_positions:
            code.do(f"call void {part}(ptr %image, {rest}, i64 0, i64 {tasks.images}, i64 %task, "
                    f"i64 %task, i64 {tasks.count})")
            return code
        begin, end = task_range(code, "%task", -(-batch // tasks.images), tasks.count, 1)
        padded = code.at(code.at("%work", workspace.images, "i8"),
                         code.mul("%task", workspace.block_bytes), "i8")
        if self.plan.copies:
            self._fill_border(code, padded)
        with code.loop(begin, end) as block:
            first = code.mul(block.index, tasks.images)
            count = minimum(code, code.let(f"sub nsw i64 {batch}, {first}"), tasks.images)
            if self.plan.copies:
                source = code.at("%image", code.mul(
                    first, prod(geometry.sizes) * geometry.channels), self.stored_kind)
                self._pad(code, source, padded, count)
                image = padded
            else:
                image = code.at("%image", code.mul(first, geometry.image_elements),
                                self.stored_kind)
            code.do(f"call void {part}(ptr {image}, {rest}, i64 {first}, i64 {count}, i64 %task, "
                    "i64 0, i64 1)")
        return code

    def _function(self, name: str, params: list[tuple[str, str]]) -> Code:
        return Code(self.module, name, params, linkage="internal",
                    attributes=self.module.target.attributes)

    # -- padded images ---------------------------------------------------------------------------
    def _fill_border(self, code: Code, target: str) -> None:
        """The border of a block of images: it stays, whatever is copied into their middle."""
        geometry = self.geometry

        def axes(axis: int, at: str) -> None:
            if axis == len(geometry.sizes):
                return
            (before, after), stride = geometry.pads[axis], geometry.strides[axis]
            middle = code.at(at, before * stride, self.kind)
            behind = code.at(middle, geometry.sizes[axis] * stride, self.kind)
            for edge, width in ((at, before), (behind, after)):
                if width:
                    fill(code, self.plan.border_value, edge, width * stride, self.dtype)
            if any(map(any, geometry.pads[axis + 1:])):
                with code.loop(0, geometry.sizes[axis]) as loop:
                    axes(axis + 1, code.at(middle, code.mul(loop.index, stride), self.kind))

        with code.loop(0, self.plan.tasks.images) as image:
            axes(0, code.at(target, code.mul(image.index, geometry.image_elements), self.kind))

    def _pad(self, code: Code, source: str, target: str, images: Any) -> None:
        """Copy images into the middle of padded ones."""
        geometry = self.geometry
        copy_lines(code, source, code.at(target, geometry.border, self.kind),
                   [images, *geometry.sizes[:-1]],
                   [geometry.image_elements, *geometry.strides[:-1]],
                   geometry.sizes[-1] * geometry.channels, (self.stored_dtype, self.dtype))

    def _store_image(self, code: Code, image: str) -> None:
        """From a complete padded image to the result, whose first image is %first."""
        geometry, channels, sizes = self.geometry, self.window.channels, self.window.sizes
        base = code.mul("%first", prod(sizes))
        if self.epilogue is None:
            target = code.at("%c", code.mul(base, channels), self.stored_kind)
            copy_lines(code, target, code.at(image, geometry.border, self.kind), list(sizes[:-1]),
                       geometry.strides[:-1], sizes[-1] * channels,
                       (self.stored_dtype, self.dtype), back=True)
            return
        row_strides = contiguous_strides(sizes)

        def axes(axis: int, row: str, offset: str) -> None:
            if axis == len(sizes):
                for column, lanes in self._channel_vectors(code, 2 * self.lanes):
                    pixel = code.at(image, offset, self.kind)
                    self._finish(code, code.at(pixel, column, self.kind), row, column, lanes)
                return
            with code.loop(0, sizes[axis]) as loop:
                axes(axis + 1, code.add(row, code.mul(loop.index, row_strides[axis])),
                     code.add(offset, code.mul(loop.index, geometry.strides[axis])))

        axes(0, base, str(geometry.border))

    # -- tables ----------------------------------------------------------------------------------
    def _write_tables(self, code: Code) -> None:
        """Where each position's window begins, and its row in the result: phase by phase, in each
        the images of a block, in each its positions."""
        geometry = self.geometry
        offsets, rows = self._offsets(code), code.at("%work", self.plan.workspace.rows, "i8")
        row_strides = contiguous_strides(geometry.output_sizes)
        first = 0
        for phase in geometry.phases:
            counts = [self.plan.tasks.images, *phase.counts]
            grid(code, code.at(offsets, first, "i64"), 0, counts,
                 [geometry.image_elements, *geometry.position_strides])
            if not geometry.in_order:
                begin = sum(axis.first * stride for axis, stride in zip(phase.results, row_strides))
                strides = [axis.stride * stride for axis, stride in zip(phase.results, row_strides)]
                grid(code, code.at(rows, first, "i64"), begin, counts,
                     [prod(geometry.output_sizes), *strides])
            first += prod(counts)

    def _offsets(self, code: Code) -> str:
        """The table of window offsets."""
        return code.at("%work", self.plan.workspace.offsets, "i8")

    def _tap_offsets(self, taps: list[Tap]) -> str:
        """A constant with the offsets of some taps."""
        return self.module.constant(i64_table([tap.offset for tap in taps]))

    def _shared(self, code: Code, positions: str, unit: int) -> tuple[str, str]:
        """The share of some positions, cut at multiples of a unit."""
        if not self.plan.tasks.by_positions:
            return "0", positions
        sums = sums_of(self.epilogue)
        unit = sums.block if sums else unit
        units = code.pure(f"udiv i64 {code.add(positions, unit - 1)}, {unit}")

        def edge(share: str) -> str:
            first = code.pure(f"udiv i64 {code.mul(share, units)}, %shares")
            return minimum(code, code.mul(first, unit), positions)

        return edge("%share"), edge(code.add("%share", 1))

    # -- results ---------------------------------------------------------------------------------
    def _finish(self, code: Code, sums: str, row: str, column: str, width: int) -> None:
        """What becomes of a piece of a row of the result: the epilogue's, or stored in %c."""
        at = 0
        for first, lanes in column_pieces(code, column, width, 2 * self.lanes):
            builder = Builder(code, lanes)
            value = builder.load(code.at(sums, at, self.kind), self.dtype)
            self._hand_over(builder, row, first, value)
            at += lanes

    def _hand_over(self, b: Builder, row: str, column: str, value: Val) -> None:
        """Neighbouring elements of a row of the result: the epilogue's, or stored in %c."""
        code, value = b.code, b.cast(value, self.stored_dtype)
        if self.epilogue:
            self.epilogue(b, code, row, column, value, b.lanes)
        else:
            offset = code.add(code.mul(row, self.plan.result_columns), column)
            b.store(value, code.at("%c", offset, self.stored_kind))

    def _channel_vectors(self, code: Code, most: int) -> Iterator[tuple[str, int]]:
        """(first channel, how many): a loop over whole vectors, then the remainder."""
        channels = self.window.channels
        whole = channels // most * most
        vectors = "" if not whole else "vector" if whole == most else "loop"
        COLUMNS(" and ".join(filter(None, (vectors, "remainder" if channels > whole else ""))))
        if whole == most:
            yield "0", most
        elif whole:
            with code.loop(0, whole, most) as loop:
                yield loop.index, most
        at = whole
        for part in power_of_two_parts(channels - whole, most):
            yield str(at), part
            at += part


def panels(code: Code, width: int, most: int) -> Iterator[tuple[Any, int]]:
    """(first column, width) of the panels of a matrix: a loop over equal ones, then the rest."""
    full = width // most * most
    if full:
        with code.loop(0, full, most) as column:
            yield column.index, most
    if width > full:
        yield str(full), width - full


def i64_table(values: list[int]) -> str:
    return f"[{len(values)} x i64] [{', '.join(f'i64 {v}' for v in values)}]"
