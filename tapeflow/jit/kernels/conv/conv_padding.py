"""Images copied to where they get a border, or are widened: whole ones, or the rows under a band.

What a prologue computes is not copied: each element is computed where its copy would be stored.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from math import prod
from typing import Any

from tapeflow.jit.choices import Choice
from tapeflow.jit.codegen.builder import Builder, Val
from tapeflow.jit.codegen.index_arithmetic import maximum, minimum
from tapeflow.jit.codegen.llvm_text import Code, Module
from tapeflow.jit.codegen.memory_copy import copy_lines, fill
from tapeflow.jit.codegen.partial_vectors import power_of_two_parts

# (builder, code, pixel, channel) -> that many neighbouring elements of the images
EmitPrologue = Callable[[Builder, Code, str, str], Val]

COLUMNS = Choice("conv.columns", ("vector", "loop", "remainder", "loop and remainder",
                                  "vector and remainder"))


class Padding:
    """Writes the copies of a plan's images."""

    def __init__(self, plan: Any, module: Module, name: str, prologue: EmitPrologue | None):
        self.plan, self.module, self.name, self.prologue = plan, module, name, prologue
        self.geometry = plan.geometry
        self.element, self.stored = plan.element, plan.stored
        self.line = ""  # the function that computes neighbouring pixels

    # -- the border ------------------------------------------------------------------------------
    def fill_border(self, code: Code, target: str) -> None:
        """The border of a block of images: it stays, whatever is copied into their middle. Of a
        band, that on its sides; what is above and below the image changes from band to band."""
        geometry, kind = self.geometry, self.element.kind

        def axes(axis: int, at: str) -> None:
            if axis == len(geometry.sizes):
                return
            (before, after), stride = geometry.pads[axis], geometry.strides[axis]
            middle = code.at(at, before * stride, kind)
            behind = code.at(middle, geometry.sizes[axis] * stride, kind)
            for edge, width in ((at, before), (behind, after)):
                if width:
                    self._fill(code, edge, width * stride)
            inner(axis, middle, geometry.sizes[axis])

        def inner(axis: int, first: str, rows: int) -> None:
            if any(map(any, geometry.pads[axis + 1:])):
                with code.loop(0, rows) as loop:
                    axes(axis + 1, code.at(first, code.mul(loop.index, geometry.strides[axis]),
                                           kind))

        if self.plan.tasks.rows:
            inner(0, target, geometry.rows_under(self.plan.tasks.rows))
            return
        with code.loop(0, self.plan.tasks.images) as image:
            axes(0, code.at(target, code.mul(image.index, geometry.image_elements), kind))

    def _fill(self, code: Code, target: str, count: Any) -> None:
        fill(code, self.plan.border_value, target, count, self.element.dtype)

    # -- the middle ------------------------------------------------------------------------------
    def copy_images(self, code: Code, source: str, first: str, target: str, images: Any) -> None:
        """Copy images, from the `first` on, into the middle of padded ones."""
        geometry = self.geometry
        self._copy(code, source, code.mul(first, prod(geometry.sizes)),
                   code.at(target, geometry.border, self.element.kind),
                   [images, *geometry.sizes[:-1]],
                   [geometry.image_elements, *geometry.strides[:-1]], geometry.sizes[-1])

    def copy_band(self, code: Code, source: str, image: str, target: str, top: str) -> None:
        """Copy the rows of an image that are under a band, whose first row of positions is `top`;
        rows above and below the image are filled."""
        geometry, kind = self.geometry, self.element.kind
        rows, (size, *sizes) = geometry.rows_under(self.plan.tasks.rows), geometry.sizes
        stride = geometry.strides[0]
        begin = code.add(code.mul(top, geometry.row_stride), -geometry.pads[0][0])
        first = maximum(code, begin, 0)
        last = maximum(code, first, minimum(code, code.add(begin, rows), size))
        above = minimum(code, code.let(f"sub nsw i64 {first}, {begin}"), rows)
        inside = code.let(f"sub nsw i64 {last}, {first}")
        below = code.let(f"sub nsw i64 {rows}, {code.add(above, inside)}")
        middle = code.at(target, code.mul(above, stride), kind)
        self._fill(code, target, code.mul(above, stride))
        self._fill(code, code.at(middle, code.mul(inside, stride), kind), code.mul(below, stride))
        pixel = code.mul(code.add(code.mul(image, size), first), prod(sizes))
        within = sum(pad[0] * s for pad, s in zip(geometry.pads[1:], geometry.strides[1:]))
        counts, line = ([inside, *sizes[:-1]], sizes[-1]) if sizes else ([], inside)
        self._copy(code, source, pixel, code.at(middle, within, kind), counts,
                   geometry.strides[:len(counts)], line)

    def _copy(self, code: Code, source: str, pixel: str, target: str, counts: list,
              strides: list[int], line: Any) -> None:
        """Lines of pixels, which are neighbours in the source."""
        channels = self.geometry.channels
        if self.prologue is None:
            copy_lines(code, code.at(source, code.mul(pixel, channels), self.stored.kind), target,
                       counts, strides, code.mul(line, channels),
                       (self.stored.dtype, self.element.dtype))
            return
        if not self.line:
            self.line = self.module.add(self._computed_line(f"{self.name}.line"))

        def level(counts: list, strides: list[int], pixel: str, target: str) -> str:
            """Gives the pixel behind the last one."""
            if not counts:
                code.do(f"call void {self.line}(ptr %ctx, i64 {pixel}, ptr {target}, i64 {line})")
                return code.add(pixel, line)
            with code.loop(0, counts[0], 1, [("i64", pixel), ("ptr", target)]) as loop:
                following = level(counts[1:], strides[1:], *loop.carry)
                loop.after = [following, code.at(loop.carry[1], strides[0], self.element.kind)]
            return str(loop.results[0])

        level(counts, strides, pixel, target)

    def _computed_line(self, name: str) -> Code:
        """`line(ctx, pixel, target, count)`: neighbouring pixels from one on."""
        params = [("ptr", "%ctx"), ("i64", "%pixel"), ("ptr", "%target"), ("i64", "%count")]
        code = Code(self.module, name, params, linkage="internal",
                    attributes=self.module.target.attributes)
        assert self.prologue is not None
        channels = self.geometry.channels
        with code.loop(0, "%count") as loop:
            pixel = code.add("%pixel", loop.index)
            target = code.at("%target", code.mul(loop.index, channels), self.element.kind)
            for channel, lanes in channel_vectors(code, channels, self.element.lanes):
                b = Builder(code, lanes)
                value = self.prologue(b, code, pixel, channel)
                b.store(b.cast(value, self.element.dtype),
                        code.at(target, channel, self.element.kind))
        return code


def channel_vectors(code: Code, channels: int, most: int) -> Iterator[tuple[str, int]]:
    """(first channel, how many): a loop over whole vectors, then the remainder."""
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
