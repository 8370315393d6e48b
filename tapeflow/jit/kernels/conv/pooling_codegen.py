"""Maxima and averages of windows, and their gradients: vectors of channels, tap by tap.

A gradient is spread over an image of its own for each task, border and all, and taken from there
when the image is complete. NaN makes the border of maxima: it is never larger and never equal.
"""

from __future__ import annotations

from math import prod
from typing import Any

import numpy as np

from tapeflow.core.record.lowering_forms import contiguous_strides
from tapeflow.jit.choices import Choice
from tapeflow.jit.codegen.builder import Builder, Val
from tapeflow.jit.codegen.llvm_text import Code, Module
from tapeflow.jit.codegen.memory_copy import fill
from tapeflow.jit.codegen.partial_vectors import power_of_two_parts
from tapeflow.jit.kernels.conv.conv_base import PART, Swept, columns_of, numbers
from tapeflow.jit.kernels.conv.conv_geometry import GIGAHERTZ, Plan, Window, round_up
from tapeflow.jit.kernels.gemm.gemm_result import Epilogue

UNROLLED = 16  # taps up to which there is no loop over them

TAPS = Choice("pooling.taps", ("unrolled", "loop"))
COUNTED = Choice("pooling.counted", (False, True))  # windows that reach beyond the image
DIVIDED = Choice("pooling.divided", ("multiplied", "divided"))
APART = Choice("pooling.apart", (False, True))  # windows of which no two meet
COVERED = Choice("pooling.covered", (False, True))  # windows that are the image
TIES = Choice("pooling.ties", ("first", "all"))


def plan(target: Any, window: Window, epilogue: bool, threads: int) -> Plan:
    kind = PoolGradient if window.role.endswith("gradient") else Pool
    chosen = kind(target, window, threads)
    return Plan(chosen.describe(), chosen.work, chosen.cycles / GIGAHERTZ, chosen.write)


class Pool(Swept):
    """A maximum or an average."""

    def __init__(self, target: Any, window: Window, threads: int):
        super().__init__(target, window, threads)
        self.maximum = window.role.startswith("max")
        if self.maximum and self.dtype.startswith("float"):
            self.outside = float("nan")
        elif self.maximum:
            self.outside = np.iinfo(self.dtype).min
        self.taps = [place for place, _ in self.sweep.taps]
        self.counted = COUNTED(not self.maximum and self.sweep.bordered)
        turns = len(power_of_two_parts(window.channels, 2 * self.lanes))
        positions = window.batch * prod(window.out)
        self.cycles = positions * (5 + turns * (2 + 1.5 * len(self.taps))) * (
            2 if window.role.endswith("gradient") else 1) + 200
        self._arrange()

    def _arrange(self) -> None:
        self._tasks()
        counts = round_up(self.bunch * self.sweep.rows * self.size) if self.counted else 0
        self._tables(counts)

    def describe(self) -> str:
        return ", ".join([f"{self.window.role} of {self.dtype}", *self._words()])

    # -- text ------------------------------------------------------------------------------------
    def write(self, module: Module, name: str, epilogue: Epilogue | None) -> None:
        self.tap_table = module.constant(numbers(self.taps))
        if self.counted:
            window = self.window
            self.counts = [module.constant(numbers([
                sum(0 <= o * s + i * d - before < n for i in range(k)) for o in range(out)]))
                for n, out, k, s, d, (before, _) in zip(
                    window.sizes, window.out, window.window, window.strides, window.dilations,
                    window.pads)]
        super().write(module, name, epilogue)

    def _before(self, code: Code, image: str, other: str) -> str:
        """How many elements each window has, if some reach beyond the image."""
        if self.counted:
            self._count_all(code)
        return other

    def _count_all(self, code: Code) -> None:
        sizes = (self.bunch, *self.window.out)

        def axes(axis: int, total: str, number: str) -> None:
            if axis == len(sizes):
                value = code.let(f"uitofp i64 {total} to {self.kind}")
                code.do(f"store {self.kind} {value}, ptr {code.at('%work', number, self.kind)}")
                return
            with code.loop(0, sizes[axis]) as loop:
                if axis:
                    table = code.at(self.counts[axis - 1], loop.index, "i64")
                    total = code.mul(total, code.let(f"load i64, ptr {table}"))
                axes(axis + 1, total, code.add(number, code.mul(loop.index, steps[axis])))

        steps = contiguous_strides(sizes)
        axes(0, "1", "0")

    def _count(self, code: Code, row: str) -> str:
        """The number of elements of a window, as a float."""
        if not self.counted:
            return Builder(code).const(len(self.taps), self.dtype).text
        where = code.at("%work", row, self.kind)
        return code.let(f"load {self.kind}, ptr {where}")

    def _divided(self, b: Builder, value: Val, count: str) -> Val:
        exact = count[0] != "%" and not len(self.taps) & (len(self.taps) - 1)
        if DIVIDED("multiplied" if exact else "divided",
                   ("multiplied" if exact else "divided", "divided")) == "multiplied":
            return b.mul(value, b.const(1 / len(self.taps), self.dtype))
        return b.div(value, b.splat(count, self.dtype))

    def _part(self, name: str, epilogue: Epilogue | None) -> Code:
        self.code = code = self._function(name, PART)
        channels = self.window.channels
        base = code.mul("%first", self.sweep.rows)
        places = code.at("%work", self.at_places, "i8")
        begin, end = self._rows_of(code, code.mul("%count", self.sweep.rows), 1)
        with code.loop(begin, end) as row:
            at = code.let(f"load i64, ptr {code.at(places, row.index, 'i64')}")
            image = code.at("%image", at, self.kind)
            goal = code.add(base, row.index)
            count = "" if self.maximum else self._count(code, row.index)
            for column, lanes in columns_of(code, channels, 2 * self.lanes):
                b = Builder(code, lanes)
                value = self._joined(b, code.at(image, column, self.kind))
                if not self.maximum:
                    value = self._divided(b, value, count)
                if epilogue:
                    epilogue(b, code, goal, column, value, lanes)
                else:
                    place = code.add(code.mul(goal, channels), column)
                    b.store(value, code.at("%c", place, self.kind))
        return code

    def _unrolled(self) -> bool:
        short = "unrolled" if len(self.taps) <= UNROLLED else "loop"
        return bool(TAPS(short, (short, "loop")) == "unrolled")

    def _start(self, b: Builder) -> Val:
        if not self.maximum:
            return b.const(0, self.dtype)
        if self.window.role == "max_gradient":
            return b.const(float("-inf"), self.dtype)
        kind = np.finfo if self.dtype.startswith("float") else np.iinfo
        return b.const(kind(self.dtype).min, self.dtype)  # type: ignore[operator]

    def _joined(self, b: Builder, image: str) -> Val:
        """The maximum or the sum of a window's elements."""
        code = b.code

        def one(total: Val, place: Any) -> Val:
            x = b.load(code.at(image, place, self.kind), self.dtype)
            return b.select(b.gt(x, total), x, total) if self.maximum else b.add(total, x)

        total = self._start(b)
        if self._unrolled():
            for place in self.taps:
                total = one(total, place)
            return total
        with code.loop(0, len(self.taps), 1, [(b.type(self.dtype), total.text)]) as tap:
            at = code.let(f"load i64, ptr {code.at(self.tap_table, tap.index, 'i64')}")
            tap.after = [one(Val(tap.carry[0], self.dtype), at).text]
        return Val(tap.results[0], self.dtype)


class PoolGradient(Pool):
    """The gradient of a maximum or of an average."""

    def _arrange(self) -> None:
        window = self.window
        if not self.maximum:
            self.copies = False
        self._whole_images()
        counts = round_up(self.sweep.rows * self.size) if self.counted else 0
        self.spread = round_up(self.sweep.image * self.size)
        self.at_spread = counts
        self._tables(counts + self.spread * self.tasks)
        extents = [(k - 1) * d + 1 for k, d in zip(window.window, window.dilations)]
        apart = all(s >= e for s, e in zip(window.strides, extents))
        self.apart = APART(apart, (False, apart))
        covered = self.apart and not self.sweep.bordered and all(
            n == out * k and k == s and d == 1 for n, out, k, s, d in zip(
                window.sizes, window.out, window.window, window.strides, window.dilations))
        self.covered = COVERED(covered, (False, covered))

    def _before(self, code: Code, image: str, other: str) -> str:
        super()._before(code, image, other)
        return other if self.maximum else image

    def _part(self, name: str, epilogue: Epilogue | None) -> Code:
        self.code = code = self._function(name, PART)
        sweep, channels = self.sweep, self.window.channels
        spread = code.at(code.at("%work", self.at_spread, "i8"), code.mul("%task", self.spread),
                         "i8")
        if not self.covered:
            fill(code, 0, spread, sweep.image, self.dtype)
        places = code.at("%work", self.at_places, "i8")
        g = code.at("%other", code.mul("%first", sweep.rows * channels), self.kind)
        with code.loop(0, sweep.rows) as row:
            at = code.let(f"load i64, ptr {code.at(places, row.index, 'i64')}")
            line = code.at(g, code.mul(row.index, channels), self.kind)
            count = "" if self.maximum else self._count(code, row.index)
            for column, lanes in columns_of(code, channels, self.lanes):
                b = Builder(code, lanes)
                value = b.load(code.at(line, column, self.kind), self.dtype)
                place = code.add(at, column)
                target = code.at(spread, place, self.kind)
                if self.maximum:
                    self._pick(b, code.at("%image", place, self.kind), target, value)
                else:
                    self._give(b, target, self._divided(b, value, count))
        self._take(code, spread, epilogue)
        return code

    def _put(self, b: Builder, target: str, value: Val) -> None:
        if not self.apart:
            value = b.add(b.load(target, self.dtype), value)
        b.store(value, target)

    def _give(self, b: Builder, target: str, value: Val) -> None:
        """The same to all elements of a window."""
        code = b.code
        if self._unrolled():
            for place in self.taps:
                self._put(b, code.at(target, place, self.kind), value)
            return
        with code.loop(0, len(self.taps)) as tap:
            at = code.let(f"load i64, ptr {code.at(self.tap_table, tap.index, 'i64')}")
            self._put(b, code.at(target, at, self.kind), value)

    def _pick(self, b: Builder, image: str, target: str, value: Val) -> None:
        """The value to the largest elements of a window, 0 to the others."""
        code = b.code
        most = self._joined(b, image)
        zero = b.const(0, self.dtype)
        first = TIES(self.window.ties) == "first"

        def one(place: Any, left: Val) -> Val:
            """`left`: what has not been given away yet."""
            x = b.load(code.at(image, place, self.kind), self.dtype)
            hit = b.eq(x, most)
            self._put(b, code.at(target, place, self.kind), b.select(hit, left, zero))
            return b.select(hit, zero, left) if first else left

        if self._unrolled():
            for place in self.taps:
                value = one(place, value)
            return
        with code.loop(0, len(self.taps), 1, [(b.type(self.dtype), value.text)]) as tap:
            at = code.let(f"load i64, ptr {code.at(self.tap_table, tap.index, 'i64')}")
            tap.after = [one(at, Val(tap.carry[0], self.dtype)).text]
