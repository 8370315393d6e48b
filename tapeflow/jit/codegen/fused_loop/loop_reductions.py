"""Reductions of a fused loop: where their partial results are while the loop runs.

A reduction over a row is a carried value of the innermost loop; over a row of several loops it has
a variable on the stack. Others are complete when the fused loop is: they have an accumulator in
memory, of each task its own, and short columns of sums are held in registers meanwhile.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from math import prod
from typing import Any, NamedTuple

from tapeflow.graph import ir
from tapeflow.jit.choices import Choice
from tapeflow.jit.codegen.addressing import (
    IDENTITY,
    accumulator_dtype,
    combine,
    element_of,
    pointer_at,
)
from tapeflow.jit.codegen.builder import HALF, Builder, Val, itemsize, name_of
from tapeflow.jit.codegen.fused_loop.loop_values import LoopValues
from tapeflow.jit.codegen.fused_loop.vector_pieces import pieces_of, unrolled
from tapeflow.jit.lowering.plan import Instruction, strides_of
from tapeflow.jit.runtime.arena import aligned_size

COLUMNS = 128  # elements of a row at most whose sums are held in registers

REDUCTION = Choice("loop.reduction", ("row", "row of loops", "gathered"))
GATHERED = Choice("loop.gathered", ("registers", "scalar", "vector", "apart"))
HOLD = Choice("loop.hold", (False, True))  # sums of columns in registers


class Column(NamedTuple):
    """A vector of an accumulator that is held in a register."""

    builder: Builder
    address: str
    dtype: str


Columns = dict[tuple[ir.Value, str], Column]  # by reduction, and the index of the first element


class LoopReductions:
    """The partial results of a loop's reductions.

    slots         of accumulators in memory
    accumulators  their addresses
    variables     on the stack, of rows of several loops
    held          sums of columns that are in registers now
    """

    def __init__(self, values: LoopValues, slots: dict[ir.Value, tuple[int, int]]):
        self.values, self.slots = values, slots
        self.schedule, self.code, self.one = values.schedule, values.code, values.one
        self.accumulators: dict[ir.Value, str] = {}
        self.variables: dict[ir.Value, str] = {}
        self.held: dict[tuple[ir.Value, str], Val] = {}

    # -- accumulators in memory --------------------------------------------------------------------
    def clear(self, instr: Instruction) -> None:
        """Begin a reduction that is complete only when the fused loop is."""
        pointer, count = self._accumulator(instr), prod(instr.out.shape or ())
        dtype = accumulator_dtype(instr)
        zero = IDENTITY[instr.combine or ""](dtype)
        lanes = self.code.module.target.lanes(itemsize(dtype))
        b, element = Builder(self.code, lanes), element_of(dtype)
        full = count // lanes * lanes
        if full:
            with self.code.loop(0, full, lanes) as loop:
                b.store(b.const(zero, dtype), self.code.at(pointer, loop.index, element))
        for i in range(full, count):
            self.one.store(self.one.const(zero, dtype), self.code.at(pointer, i, element))

    def _accumulator(self, instr: Instruction) -> str:
        """The address of an accumulator."""
        if instr.out not in self.accumulators:
            base = pointer_at(self.code, *self.slots[instr.out])
            size = aligned_size(prod(instr.out.shape or ()) * itemsize(accumulator_dtype(instr)))
            self.accumulators[instr.out] = self.code.at(base, self.code.mul("%task", size), "i8")
        return self.accumulators[instr.out]

    def _strides(self, instr: Instruction) -> dict[int, int]:
        return strides_of(instr.out, self.values.fused.axes[instr.out])

    def accumulate(self, b: Builder, instr: Instruction, x: Val, index: str | None = None) -> None:
        """Combine into a reduction that is complete when the fused loop is."""
        held = self.held.get((instr.out, index or ""))
        if held is not None:
            GATHERED("registers")
            self.held[instr.out, index or ""] = combine(b, instr.combine or "", held, x)
            return
        pointer, strides = self._accumulator(instr), self._strides(instr)
        address = self.values.address_in(pointer, strides, x.dtype, index)
        stride = self.schedule.innermost_stride(strides) if self.schedule.depth else 0
        how = GATHERED("scalar" if b.lanes == 1 else "vector" if stride == 1 else "apart")
        if how != "apart":
            b.store(combine(b, instr.combine or "", b.load(address, x.dtype), x), address)
            return
        for lane in range(b.lanes):
            one = Val(b.extract(x, lane), x.dtype)
            self._combine_at(self.code.at(address, lane * stride, element_of(x.dtype)), instr, one)

    def _combine_at(self, address: str, instr: Instruction, x: Val) -> None:
        before = self.one.load(address, x.dtype)
        self.one.store(combine(self.one, instr.combine or "", before, x), address)

    # -- columns in registers ----------------------------------------------------------------------
    def columns(self, members: list[Instruction]) -> Columns:
        """Sums of short columns, which need not go through memory in each iteration around the
        innermost loop."""
        schedule, code = self.schedule, self.code
        pieces = unrolled(pieces_of(*schedule.bounds(schedule.depth - 1), schedule.lanes(
            code.module.target), code)) if schedule.sizes[-1] <= COLUMNS else []
        if not pieces or not all(one.exact for one in pieces):
            return {}
        found: Columns = {}
        self.values.index.append("")
        for instr in members:
            if not self._is_column(instr):
                continue
            dtype, strides = accumulator_dtype(instr), self._strides(instr)
            for one in pieces:
                address = self.values.address_in(self._accumulator(instr), strides, dtype,
                                                 one.begin)
                found[instr.out, one.begin] = Column(Builder(code, one.lanes), address, dtype)
        self.values.index.pop()
        target = code.module.target
        needed = sum(-(-one.builder.lanes * itemsize(one.dtype) // target.vector)
                     for one in found.values())
        fits = bool(found) and needed <= target.registers // 2
        return found if HOLD(fits, (False, fits)) else {}

    def _is_column(self, instr: Instruction) -> bool:
        """Whether a reduction is along the loop around the innermost one."""
        schedule = self.schedule
        if instr.combine is None or schedule.level[instr.out] < schedule.depth or (
                schedule.reduces_rows(instr) or schedule.runs_along(instr)):
            return False
        strides = self._strides(instr)
        return not strides.get(schedule.groups[-2][-1], 0) and (
            schedule.innermost_stride(strides) == 1)

    @contextmanager
    def holding(self, columns: Columns, begin: Any, end: Any) -> Iterator[Any]:
        """A loop that holds columns in registers."""
        first = [(one.builder.type(one.dtype), one.builder.load(one.address, one.dtype).text)
                 for one in columns.values()]
        with self.code.loop(begin, end, carry=first, some=True) as loop:
            self.held = {key: Val(text, one.dtype) for (key, one), text in zip(
                columns.items(), loop.carry, strict=True)}
            yield loop
            loop.after = [value.text for value in self.held.values()]
            self.held = {}
        for one, text in zip(columns.values(), loop.results, strict=True):
            one.builder.store(Val(text, one.dtype), one.address)

    # -- rows --------------------------------------------------------------------------------------
    def _of_rows(self, phase: int) -> list[Instruction]:
        return [instr for instr in self.schedule.members(phase)
                if instr.combine is not None and self.schedule.reduces_rows(instr)]

    def begin_row(self, phase: int) -> None:
        """Variables of the reductions of a row of several loops."""
        if self.schedule.row_depth > 1:
            for instr in self._of_rows(phase):
                dtype = accumulator_dtype(instr)
                room = self.variables[instr.out] = self.code.room(element_of(dtype))
                zero = IDENTITY[instr.combine or ""](dtype)
                self.one.store(self.one.const(zero, dtype), room)

    def end_of_innermost(self, instr: Instruction, total: Val) -> None:
        """The innermost loop's part of a reduction: the row's, or one of many."""
        schedule = self.schedule
        how = REDUCTION("gathered" if not schedule.reduces_rows(instr) else
                        "row of loops" if schedule.row_depth > 1 else "row")
        if how == "gathered":
            self.accumulate(self.one, instr, total)
        elif how == "row of loops":
            self._combine_at(self.variables[instr.out], instr, total)
        else:
            self.values.scalars[instr.out] = total

    def end_row(self, phase: int) -> None:
        """Reductions that are complete now become scalars of the row."""
        scalars = self.values.scalars
        for instr in self._of_rows(phase):
            if self.schedule.row_depth > 1:
                scalars[instr.out] = self.one.load(self.variables[instr.out],
                                                   accumulator_dtype(instr))
            value, dtype = scalars[instr.out], name_of(instr.out.dtype)
            if dtype in HALF:
                value = scalars[instr.out] = self.one.narrow(value, dtype)
            self.values.store(self.one, instr, value)
