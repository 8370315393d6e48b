"""Images with a border, taken in bunches by tasks: what the kernels of windows have in common.

A `Swept` op calls a part of itself for bunches of images. Windows' places are read from a table
that is made at the start of a call: for each position where its window begins in the (bordered)
images of a bunch, and which row of the result it makes. Images are taken in bunches so that there
are enough positions for whole tiles; if there are few images, tasks share their positions instead.
"""

from __future__ import annotations

from math import prod
from typing import Any

from tapeflow.core.record.lowering_forms import contiguous_strides
from tapeflow.jit.choices import Choice
from tapeflow.jit.codegen.builder import LLVM, Builder
from tapeflow.jit.codegen.index_arithmetic import minimum, task_range
from tapeflow.jit.codegen.llvm_text import Code, Module
from tapeflow.jit.codegen.memory_copy import copy_lines, fill, grid
from tapeflow.jit.codegen.partial_vectors import power_of_two_parts
from tapeflow.jit.kernels.conv.conv_geometry import TASK_CYCLES, Sweep, Window, bytes_of, round_up
from tapeflow.jit.kernels.gemm.gemm_result import Epilogue

MOST = 64 << 20  # bytes that tasks may take for images of their own
OUTER = [("ptr", "%pool"), ("ptr", "%a"), ("ptr", "%b"), ("ptr", "%c"), ("ptr", "%ctx"),
         ("ptr", "%work")]
TASKS = Choice("conv.tasks", ("one", "images", "positions"))
BORDER = Choice("conv.border", (False, True))
JOINED = Choice("conv.joined", (False, True))  # taps that lie one after the other
ORDERED = Choice("conv.ordered", (False, True))  # results in the order of memory
LAST = Choice("conv.columns", ("vector", "loop", "pieces", "loop and pieces",
                                   "vector and pieces"))
PART = [("ptr", "%image"), ("ptr", "%other"), ("ptr", "%c"), ("ptr", "%ctx"), ("ptr", "%work"),
        ("i64", "%first"), ("i64", "%count"), ("i64", "%task"), ("i64", "%share"),
        ("i64", "%shares")]


class Swept:
    """Choices and text that are the same for all of them.

    A subclass sets `cycles`, calls `_tasks` and `_tables`, and writes `_part`, a function with the
    parameters PART: images `first` to `first` + `count`, of which `image` is the first, and of
    their positions the `share`-th of `shares`. `other` is the second operand.
    """

    cycles: float
    outside: Any = 0  # what the border is made of

    def __init__(self, target: Any, window: Window, threads: int):
        self.target, self.window, self.threads = target, window, threads
        self.sweep = Sweep(window)
        self.dtype, self.size = window.dtype, bytes_of(window.dtype)
        self.kind = LLVM[self.dtype]
        self.lanes = target.lanes(self.size)
        self.copies = self.sweep.bordered  # whether images are copied to get a border

    def _tasks(self, enough: int = 64) -> None:
        """Images in a bunch; parts of the batch, or of the positions if there are few images."""
        batch, rows = self.window.batch, self.sweep.rows
        self.bunch = min(batch, -(-enough // max(rows, 1)))
        bunches = -(-batch // self.bunch)
        wanted = int(min(4 * self.threads, self.cycles // TASK_CYCLES))
        self.tasks, self.by_rows = 1, False
        shared = "positions" if bunches < 2 * self.threads else "images"
        better = shared if self.threads > 1 and wanted > 1 else "one"
        taken = TASKS(better, ("one", "positions", "images" if bunches > 1 else "one"))
        if taken != "one":
            self.by_rows, wanted = taken == "positions", max(wanted, 2)
            own = self.bunch * self.sweep.image * self.size
            self.tasks = wanted if self.by_rows else min(wanted, bunches, max(
                self.threads, MOST // own))
            if self.by_rows:
                self.bunch = batch

    def _tables(self, start: int) -> None:
        """Places in the working memory, from `start`: the table, and images with a border."""
        sweep = self.sweep
        BORDER(self.copies)
        JOINED(sweep.run > 1)
        ORDERED(sweep.ordered)
        entries = self.bunch * sweep.rows
        self.at_places = round_up(start)
        self.at_goals = self.at_places + round_up(8 * entries)
        self.at_images = self.at_goals + (0 if sweep.ordered else round_up(8 * entries))
        bunch = round_up(self.bunch * sweep.image * self.size + 64) if self.copies else 0
        self.own = bunch  # of each task, unless tasks share all images
        self.work = self.at_images + bunch * (1 if self.by_rows else self.tasks)

    def _words(self) -> list[str]:
        words = [f"{len(self.sweep.taps)} taps"]
        if self.sweep.run > 1:
            words.append(f"{self.sweep.run} joined")
        if len(self.sweep.phases) > 1:
            words.append(f"{len(self.sweep.phases)} phases")
        if self.copies:
            words.append("border")
        if self.tasks > 1:
            words.append(f"{self.tasks} tasks over {'positions' if self.by_rows else 'images'}")
        return words

    # -- text ------------------------------------------------------------------------------------
    def _function(self, name: str, params: list[tuple[str, str]]) -> Code:
        return Code(self.module, name, params, linkage="internal",
                    attributes=self.module.target.attributes)

    def _part(self, name: str, epilogue: Epilogue | None) -> Code:
        raise NotImplementedError

    def _before(self, code: Code, image: str, other: str) -> str:
        """Text at the start of a call; gives what the parts get as `other`."""
        return other

    def _after(self, code: Code, epilogue: Epilogue | None) -> None:
        """Text at the end of a call."""

    def write(self, module: Module, name: str, epilogue: Epilogue | None) -> None:
        self.module, self.name = module, name
        sweep = self.sweep
        part = module.add(self._part(f"{name}.part", epilogue))
        code = Code(module, name, OUTER, attributes=module.target.attributes)
        code.do("%block = alloca [8 x i64], align 64")
        image, other = ("%b", "%a") if self.window.role == "input" else ("%a", "%b")
        other = self._before(code, image, other)
        self._table(code, code.at("%work", self.at_places, "i8"),
                    code.at("%work", self.at_goals, "i8"))
        if self.by_rows and self.copies:
            target = code.at("%work", self.at_images, "i8")
            fill(code, self.outside, target, self.bunch * sweep.image, self.dtype)
            self._border(code, image, target, self.bunch)
            image = target
        task = module.add(self._task(f"{name}.task", part))
        for i, label in enumerate([image, other, "%c", "%ctx", "%work"]):
            code.do(f"store ptr {label}, ptr {code.at('%block', i, 'i64')}")
        if self.tasks == 1:
            code.do(f"call void {task}(ptr %block, i64 0)")
        else:
            module.declare("tf_parallel", "void", "ptr", "ptr", "ptr", "i64")
            code.do(f"call void @tf_parallel(ptr %pool, ptr {task}, ptr %block, i64 {self.tasks})")
        self._after(code, epilogue)
        module.functions[name] = code.text()

    def _border(self, code: Code, source: str, target: str, images: Any) -> None:
        """Copy images into the middle of bordered ones."""
        sweep = self.sweep
        first = sum(pad[0] * step for pad, step in zip(sweep.pads, sweep.steps))
        copy_lines(code, source, code.at(target, first, self.kind), [images, *sweep.sizes[:-1]],
                   [sweep.image, *sweep.steps[:-1]], sweep.sizes[-1] * sweep.channels, self.dtype)

    def _table(self, code: Code, places: str, goals: str) -> None:
        """Where each position's window begins, and its row in the result: phase by phase, in each
        the images of a bunch, in each its positions."""
        sweep = self.sweep
        goal_steps = contiguous_strides(sweep.goal)
        first = 0
        for phase in sweep.phases:
            counts = [self.bunch, *phase.counts]
            grid(code, code.at(places, first, "i64"), 0, counts, [sweep.image, *sweep.a_steps])
            if not sweep.ordered:
                begin = sum(at * step for (at, _), step in zip(phase.at, goal_steps))
                steps = [pace * step for (_, pace), step in zip(phase.at, goal_steps)]
                grid(code, code.at(goals, first, "i64"), begin, counts, [prod(sweep.goal), *steps])
            first += prod(counts)

    def _task(self, name: str, part: str) -> Code:
        """`task(block, number)`: some bunches of images, or a share of the positions."""
        code = self._function(name, [("ptr", "%block"), ("i64", "%task")])
        for i, label in enumerate(["%image", "%other", "%c", "%ctx", "%work"]):
            code.do(f"{label} = load ptr, ptr {code.at('%block', i, 'i64')}")
        ends = "ptr %other, ptr %c, ptr %ctx, ptr %work"
        batch, sweep = self.window.batch, self.sweep
        if self.by_rows:
            code.do(f"call void {part}(ptr %image, {ends}, i64 0, i64 {self.bunch}, i64 %task, "
                    f"i64 %task, i64 {self.tasks})")
            return code
        begin, end = task_range(code, "%task", -(-batch // self.bunch), self.tasks, 1)
        own = code.at(code.at("%work", self.at_images, "i8"), code.mul("%task", self.own), "i8")
        if self.copies:
            fill(code, self.outside, own, self.bunch * sweep.image, self.dtype)
        with code.loop(begin, end) as loop:
            first = code.mul(loop.index, self.bunch)
            count = minimum(code, code.let(f"sub nsw i64 {batch}, {first}"), self.bunch)
            if self.copies:
                source = code.at("%image", code.mul(first, prod(sweep.sizes) * sweep.channels),
                                 self.kind)
                self._border(code, source, own, count)
                image = own
            else:
                image = code.at("%image", code.mul(first, sweep.image), self.kind)
            code.do(f"call void {part}(ptr {image}, {ends}, i64 {first}, i64 {count}, i64 %task, "
                    "i64 0, i64 1)")
        return code

    def _whole_images(self) -> None:
        """Tasks take whole images, one after the other: positions of one may meet in elements."""
        self._tasks(1)
        if self.by_rows:
            self.by_rows = False
            self.bunch, self.tasks = 1, min(self.tasks, self.window.batch)

    def _take(self, code: Code, spread: str, epilogue: Epilogue | None) -> None:
        """From a complete bordered image to the result, whose first image is %first."""
        sweep, channels, sizes = self.sweep, self.window.channels, self.window.sizes
        first = sum(pad[0] * step for pad, step in zip(sweep.pads, sweep.steps))
        base = code.mul("%first", prod(sizes))
        if epilogue is None:
            target = code.at("%c", code.mul(base, channels), self.kind)
            copy_lines(code, target, code.at(spread, first, self.kind), list(sizes[:-1]),
                       sweep.steps[:-1], sizes[-1] * channels, self.dtype, back=True)
            return
        inner = contiguous_strides(sizes)

        def axes(axis: int, row: str, place: str) -> None:
            if axis == len(sizes):
                for column, lanes in columns_of(code, channels, 2 * self.lanes):
                    finish(code, code.at(code.at(spread, place, self.kind), column, self.kind),
                           row, column, lanes, self.lanes, self.dtype, channels, epilogue)
                return
            with code.loop(0, sizes[axis]) as loop:
                axes(axis + 1, code.add(row, code.mul(loop.index, inner[axis])),
                     code.add(place, code.mul(loop.index, sweep.steps[axis])))

        axes(0, base, str(first))

    def _rows_of(self, code: Code, rows: str, unit: int) -> tuple[str, str]:
        """The share of some rows, cut at multiples of a unit."""
        if not self.by_rows:
            return "0", rows
        units = code.pure(f"udiv i64 {code.add(rows, unit - 1)}, {unit}")

        def edge(number: str) -> str:
            place = code.pure(f"udiv i64 {code.mul(number, units)}, %shares")
            return minimum(code, code.mul(place, unit), rows)

        return edge("%share"), edge(code.add("%share", 1))


def finish(code: Code, line: str, row: str, column: str, width: int, lanes: int, dtype: str,
           columns: int, epilogue: Epilogue | None) -> None:
    """What becomes of a piece of a row of the result: the epilogue's, or it is stored in %c."""
    kind = LLVM[dtype]
    at = 0
    for piece in power_of_two_parts(width, 2 * lanes):
        builder = Builder(code, piece)
        value = builder.load(code.at(line, at, kind), dtype)
        place = code.add(column, at)
        if epilogue:
            epilogue(builder, code, row, place, value, piece)
        else:
            builder.store(value, code.at("%c", code.add(code.mul(row, columns), place), kind))
        at += piece


def columns_of(code: Code, channels: int, most: int) -> Any:
    """(first channel, how many): a loop over whole vectors, then the rest."""
    whole = channels // most * most
    rest = "pieces" if channels > whole else ""
    vectors = "" if not whole else "vector" if whole == most else "loop"
    LAST(" and ".join(filter(None, (vectors, rest))))
    if whole == most:
        yield "0", most
    elif whole:
        with code.loop(0, whole, most) as loop:
            yield loop.index, most
    at = whole
    for piece in power_of_two_parts(channels - whole, most):
        yield str(at), piece
        at += piece


def numbers(values: list[int]) -> str:
    return f"[{len(values)} x i64] [{', '.join(f'i64 {v}' for v in values)}]"
