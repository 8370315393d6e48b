"""Maxima and averages of windows, and their gradients: vectors of channels, tap by tap.

A gradient is scattered into a padded image of its own for each task, and stored from there when the
image is complete. NaN makes the border of maxima: it is never larger and never equal.
"""

from __future__ import annotations

from math import prod
from typing import Any

import numpy as np

from tapeflow.core.record.lowering_forms import contiguous_strides
from tapeflow.jit.choices import Choice
from tapeflow.jit.codegen.builder import Builder, Val
from tapeflow.jit.codegen.llvm_text import Code
from tapeflow.jit.codegen.memory_copy import fill
from tapeflow.jit.codegen.partial_vectors import load_widened, power_of_two_parts
from tapeflow.jit.kernels.conv.conv_geometry import Window
from tapeflow.jit.kernels.conv.conv_tasks import (
    ImagePlan,
    lay_out,
    round_up,
    share_images,
    share_whole_images,
)
from tapeflow.jit.kernels.conv.conv_writer import PART_PARAMS, ImageWriter, i64_table

UNROLL_MAX = 16  # taps up to which there is no loop over them

TAPS = Choice("pooling.taps", ("unrolled", "loop"))
CLIPPED = Choice("pooling.clipped", (False, True))  # windows that reach beyond the image
AVERAGE = Choice("pooling.average", ("reciprocal", "division"))
DISJOINT = Choice("pooling.disjoint", (False, True))  # windows of which no two meet
PARTITION = Choice("pooling.partition", (False, True))  # windows that are the image
TIES = Choice("pooling.ties", ("first", "all"))


def _lowest(dtype: str) -> Any:
    """The lowest finite number."""
    if dtype == "bfloat16":
        import ml_dtypes
        return float(ml_dtypes.finfo(ml_dtypes.bfloat16).min)
    return np.finfo(dtype).min if dtype.startswith("float") else np.iinfo(dtype).min


def plan_pool(target: Any, window: Window, threads: int) -> ImagePlan:
    kind = PoolGradientPlan if window.role.endswith("gradient") else PoolPlan
    return kind(target, window, threads)


class PoolPlan(ImagePlan):
    """Choices for a maximum or an average."""

    def __init__(self, target: Any, window: Window, threads: int):
        super().__init__(target, window)
        self.writer = PoolWriter
        self.maximum = window.role.startswith("max")
        self.copies = self.geometry.padded  # most elements are read once, and widened then
        if self.maximum:
            floating = self.element.dtype.startswith("float")
            self.border_value = float("nan") if floating else np.iinfo(window.dtype).min
        self.clipped = CLIPPED(not self.maximum and self.geometry.padded)
        vectors = len(power_of_two_parts(window.channels, 2 * self.element.lanes))
        positions = window.batch * prod(window.out)
        self.cycles = positions * (5 + vectors * (2 + 1.5 * len(self.geometry.taps))) * (
            2 if window.role.endswith("gradient") else 1) + 200
        self._arrange(threads)

    def _arrange(self, threads: int) -> None:
        """Tasks and memory."""
        self.tasks = share_images(self, threads)
        self.workspace = lay_out(self, self._count_bytes(self.tasks.images))

    def _count_bytes(self, images: int) -> int:
        """A table with the elements of each window, if they are not all the same."""
        positions = images * self.geometry.positions
        return round_up(positions * self.element.size) if self.clipped else 0

    def describe(self) -> str:
        return ", ".join([f"{self.window.role} of {self.element.dtype}", *self._traits()])


class PoolGradientPlan(PoolPlan):
    """Choices for the gradient of a maximum or of an average."""

    def _arrange(self, threads: int) -> None:
        window = self.window
        self.writer = PoolGradientWriter
        if not self.maximum:
            self.copies = False
        self.tasks = share_whole_images(self, threads)
        self.workspace = lay_out(self, self.counts + self.image_bytes * self.tasks.count)
        extents = [(k - 1) * d + 1 for k, d in zip(window.window, window.dilations)]
        disjoint = all(s >= e for s, e in zip(window.strides, extents))
        self.disjoint = DISJOINT(disjoint, (False, disjoint))
        partition = self.disjoint and not self.geometry.padded and all(
            n == out * k and k == s and d == 1 for n, out, k, s, d in zip(
                window.sizes, window.out, window.window, window.strides, window.dilations))
        self.partition = PARTITION(partition, (False, partition))

    @property
    def counts(self) -> int:
        """Bytes of the table of counts, behind which the tasks' images lie."""
        return self._count_bytes(1)

    @property
    def image_bytes(self) -> int:
        return round_up(self.geometry.image_elements * self.element.size)


class PoolWriter(ImageWriter):
    """The text of a maximum or an average."""

    plan: PoolPlan

    def write(self) -> None:
        taps = self.geometry.taps
        element = self.plan.element if self.plan.copies else self.plan.stored
        self.image_dtype, self.image_kind = element.dtype, element.kind
        self.offsets = [tap.offset for tap in taps]
        self.tap_table = self._tap_offsets(taps)
        if self.plan.clipped:
            window = self.window
            self.counts = [self.module.constant(i64_table([
                sum(0 <= o * s + i * d - before < n for i in range(k)) for o in range(out)]))
                for n, out, k, s, d, (before, _) in zip(
                    window.sizes, window.out, window.window, window.strides, window.dilations,
                    window.pads)]
        super().write()

    # -- how many elements a window has ----------------------------------------------------------
    def _before(self, code: Code, image: str, other: str) -> str:
        """How many elements each window has, if some reach beyond the image."""
        if self.plan.clipped:
            self._count_all(code)
        return other

    def _count_all(self, code: Code) -> None:
        sizes = (self.plan.tasks.images, *self.window.out)

        def axes(axis: int, total: str, position: str) -> None:
            if axis == len(sizes):
                value = code.let(f"uitofp i64 {total} to {self.kind}")
                code.do(f"store {self.kind} {value}, ptr {code.at('%work', position, self.kind)}")
                return
            with code.loop(0, sizes[axis]) as loop:
                if axis:
                    table = code.at(self.counts[axis - 1], loop.index, "i64")
                    total = code.mul(total, code.let(f"load i64, ptr {table}"))
                axes(axis + 1, total, code.add(position, code.mul(loop.index, strides[axis])))

        strides = contiguous_strides(sizes)
        axes(0, "1", "0")

    def _count(self, code: Code, position: str) -> str:
        """The number of elements of a window, as a float."""
        if not self.plan.clipped:
            return Builder(code).const(len(self.offsets), self.dtype).text
        where = code.at("%work", position, self.kind)
        return code.let(f"load {self.kind}, ptr {where}")

    def _average(self, b: Builder, value: Val, count: str) -> Val:
        """A sum divided by the elements of its window; by multiplication where that is exact."""
        taps = len(self.offsets)
        better = "reciprocal" if count[0] != "%" and not taps & (taps - 1) else "division"
        if AVERAGE(better, (better, "division")) == "reciprocal":
            return b.mul(value, b.const(1 / taps, self.dtype))
        return b.div(value, b.splat(count, self.dtype))

    # -- the kernel ------------------------------------------------------------------------------
    def _part(self, name: str) -> Code:
        code = self._function(name, PART_PARAMS)
        maximum, positions = self.plan.maximum, self.geometry.positions
        base = code.mul("%first", positions)
        offsets = self._offsets(code)
        begin, end = self._shared(code, code.mul("%count", positions), 1)
        with code.loop(begin, end) as position:
            at = code.let(f"load i64, ptr {code.at(offsets, position.index, 'i64')}")
            image = code.at("%image", at, self.image_kind)
            row = code.add(base, position.index)
            count = "" if maximum else self._count(code, position.index)
            for column, lanes in self._channel_vectors(code, 2 * self.lanes):
                b = Builder(code, lanes)
                value = self._reduced(b, code.at(image, column, self.image_kind))
                if not maximum:
                    value = self._average(b, value, count)
                self._hand_over(b, row, column, value)
        return code

    def _unrolled(self) -> bool:
        better = "unrolled" if len(self.offsets) <= UNROLL_MAX else "loop"
        return bool(TAPS(better, (better, "loop")) == "unrolled")

    def _start(self, b: Builder) -> Val:
        if not self.plan.maximum:
            return b.const(0, self.dtype)
        if self.window.role == "max_gradient":
            return b.const(float("-inf"), self.dtype)
        return b.const(_lowest(self.stored_dtype), self.dtype)

    def _reduced(self, b: Builder, image: str) -> Val:
        """The maximum or the sum of a window's elements."""
        code = b.code

        def one(total: Val, offset: Any) -> Val:
            x = load_widened(b, code.at(image, offset, self.image_kind), self.image_dtype)
            return b.select(b.gt(x, total), x, total) if self.plan.maximum else b.add(total, x)

        total = self._start(b)
        if self._unrolled():
            for offset in self.offsets:
                total = one(total, offset)
            return total
        with code.loop(0, len(self.offsets), 1, [(b.type(self.dtype), total.text)]) as tap:
            at = code.let(f"load i64, ptr {code.at(self.tap_table, tap.index, 'i64')}")
            tap.after = [one(Val(tap.carry[0], self.dtype), at).text]
        return Val(tap.results[0], self.dtype)


class PoolGradientWriter(PoolWriter):
    """The text of the gradient of a maximum or of an average."""

    plan: PoolGradientPlan

    def _before(self, code: Code, image: str, other: str) -> str:
        super()._before(code, image, other)
        return other if self.plan.maximum else image

    def _part(self, name: str) -> Code:
        code = self._function(name, PART_PARAMS)
        plan, geometry, channels = self.plan, self.geometry, self.window.channels
        image = code.at(code.at("%work", plan.counts, "i8"),
                        code.mul("%task", plan.image_bytes), "i8")
        if not plan.partition:
            fill(code, 0, image, geometry.image_elements, self.dtype)
        offsets = self._offsets(code)
        g = code.at("%other", code.mul("%first", geometry.positions * channels),
                    self.stored_kind)
        with code.loop(0, geometry.positions) as position:
            at = code.let(f"load i64, ptr {code.at(offsets, position.index, 'i64')}")
            line = code.at(g, code.mul(position.index, channels), self.stored_kind)
            count = "" if plan.maximum else self._count(code, position.index)
            for column, lanes in self._channel_vectors(code, self.lanes):
                b = Builder(code, lanes)
                value = load_widened(b, code.at(line, column, self.stored_kind),
                                     self.stored_dtype)
                offset = code.add(at, column)
                target = code.at(image, offset, self.kind)
                if plan.maximum:
                    source = code.at("%image", offset, self.image_kind)
                    self._scatter_to_largest(b, source, target, value)
                else:
                    self._scatter_to_all(b, target, self._average(b, value, count))
        self._store_image(code, image)
        return code

    def _add(self, b: Builder, target: str, value: Val) -> None:
        if not self.plan.disjoint:
            value = b.add(b.load(target, self.dtype), value)
        b.store(value, target)

    def _scatter_to_all(self, b: Builder, target: str, value: Val) -> None:
        """The same to all elements of a window."""
        code = b.code
        if self._unrolled():
            for offset in self.offsets:
                self._add(b, code.at(target, offset, self.kind), value)
            return
        with code.loop(0, len(self.offsets)) as tap:
            at = code.let(f"load i64, ptr {code.at(self.tap_table, tap.index, 'i64')}")
            self._add(b, code.at(target, at, self.kind), value)

    def _scatter_to_largest(self, b: Builder, image: str, target: str, value: Val) -> None:
        """The value to the largest elements of a window, 0 to the others."""
        code = b.code
        largest = self._reduced(b, image)
        zero = b.const(0, self.dtype)
        first = TIES(self.window.ties) == "first"

        def one(offset: Any, left: Val) -> Val:
            """`left`: what has not been given away yet."""
            x = load_widened(b, code.at(image, offset, self.image_kind), self.image_dtype)
            hit = b.eq(x, largest)
            self._add(b, code.at(target, offset, self.kind), b.select(hit, left, zero))
            return b.select(hit, zero, left) if first else left

        if self._unrolled():
            for offset in self.offsets:
                value = one(offset, value)
            return
        with code.loop(0, len(self.offsets), 1, [(b.type(self.dtype), value.text)]) as tap:
            at = code.let(f"load i64, ptr {code.at(self.tap_table, tap.index, 'i64')}")
            tap.after = [one(at, Val(tap.carry[0], self.dtype)).text]
