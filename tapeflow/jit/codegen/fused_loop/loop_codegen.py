"""A fused loop as code: loops over its domain, vectors along the innermost one.

The function of a fused loop is `void name(ptr slots, i64 lo, i64 hi, i64 task)`: it does the
iterations lo … hi of the outermost loop. Values that do not depend on an inner loop are computed
outside of it. Rows that go on with their own reductions run in phases: the inner loops of one phase
make the reductions that the next one needs, and vectors that a later phase needs wait in a scratch
row.
"""

from __future__ import annotations

from typing import Any

from tapeflow.graph import ir
from tapeflow.jit.choices import Choice
from tapeflow.jit.codegen.addressing import (
    IDENTITY,
    AddressMap,
    accumulator_dtype,
    across,
    combine,
)
from tapeflow.jit.codegen.builder import Builder, Val
from tapeflow.jit.codegen.fused_loop.loop_reductions import LoopReductions
from tapeflow.jit.codegen.fused_loop.loop_schedule import LoopSchedule
from tapeflow.jit.codegen.fused_loop.loop_values import LoopValues
from tapeflow.jit.codegen.fused_loop.vector_pieces import Piece, pieces_of, unrolled
from tapeflow.jit.codegen.llvm_text import Code, Module
from tapeflow.jit.lowering.plan import Instruction

BLOCK = 64  # vectors that are summed up one after the other

SUMS = Choice("loop.sums", ("plain", "blocks"))


def write_loop(schedule: LoopSchedule, addresses: AddressMap, module: Module, name: str,
               accumulators: dict[ir.Value, tuple[int, int]], scratch: tuple[int, int] | None,
               streamed: frozenset[ir.Value] = frozenset()) -> Code:
    """The function of a fused loop.

    accumulators  slots of reductions that are complete when the loop is
    scratch       the slot of vectors that wait for a later phase
    streamed      results that are written past the caches
    """
    code = Code(module, name, [("ptr", "%slots"), ("i64", "%lo"), ("i64", "%hi"),
                               ("i64", "%task")], attributes=module.target.attributes)
    values = LoopValues(schedule, addresses, code, scratch, streamed)
    _LoopEmitter(values, LoopReductions(values, accumulators)).write()
    return code


class _LoopEmitter:
    """Writes the loops, and in each what belongs there."""

    def __init__(self, values: LoopValues, reductions: LoopReductions):
        self.values, self.reductions = values, reductions
        self.schedule, self.code, self.one = values.schedule, values.code, values.one
        self.instructions = values.fused.instructions

    def write(self) -> None:
        for instr in self.instructions:
            if instr.combine is not None and not self.schedule.reduces_rows(instr):
                self.reductions.clear(instr)
        self._outer(0)

    # -- loops around a row ------------------------------------------------------------------------
    def _outer(self, level: int) -> None:
        """Everything within the first `level` loops."""
        schedule, reductions = self.schedule, self.reductions
        self._scalars(level, 0)
        if schedule.depth == 0:
            return
        if level < schedule.outer:
            last = level == schedule.depth - 2
            columns = reductions.columns(self.instructions) if last else {}
            with reductions.holding(columns, *schedule.bounds(level)) as loop:
                self.values.index.append(loop.index)
                self._outer(level + 1)
                self.values.index.pop()
            return
        for phase in range(1 + max(schedule.after.values(), default=0)):
            if phase:
                self._scalars(schedule.outer, phase)
            reductions.begin_row(phase)
            self._inner(phase, schedule.outer)
            reductions.end_row(phase)

    def _scalars(self, level: int, phase: int) -> None:
        """Instructions that need the first `level` loops only, and loads of that level.

        What is stored may take the place of what was loaded: stores come last.
        """
        schedule, values = self.schedule, self.values
        made: list[Instruction] = []
        for instr in self.instructions:
            if schedule.level[instr.out] == level < max(schedule.depth, 1) and (
                    schedule.phase[instr.out] == phase):
                self._scalar(instr, made)
            elif phase == 0:
                values.hoist(instr, level)
        for instr in made:
            values.store(self.one, instr, values.scalars[instr.out])

    def _scalar(self, instr: Instruction, made: list[Instruction]) -> None:
        """An instruction outside of the innermost loop."""
        values = self.values
        if instr.combine is not None:
            x = values.reduced_operand(self.one, instr)
            self.reductions.accumulate(self.one, instr, x)
        else:
            values.scalars[instr.out] = values.evaluate(self.one, instr)
            made.append(instr)

    # -- loops of a row ----------------------------------------------------------------------------
    def _inner(self, phase: int, loop: int) -> None:
        """The loops of a row from this one on."""
        schedule = self.schedule
        members = schedule.members(phase)
        if not members:
            return
        if loop < schedule.depth - 1:
            last = loop == schedule.depth - 2
            columns = self.reductions.columns(members) if last else {}
            with self.reductions.holding(columns, *schedule.bounds(loop)) as written:
                self.values.index.append(written.index)
                self._between(phase, loop, members)
        else:
            self._innermost([s for s in members if schedule.level[s.out] == schedule.depth])

    def _between(self, phase: int, loop: int, members: list[Instruction]) -> None:
        """An iteration of a loop of a row that is not the innermost one."""
        values = self.values
        before, values.uniform = values.uniform, dict(values.uniform)
        made: list[Instruction] = []
        for instr in members:
            if self.schedule.level[instr.out] == loop + 1:
                self._scalar(instr, made)
            else:
                values.hoist(instr, loop + 1, again=True)
        for instr in made:
            values.to_scratch(self.one, instr.out, values.scalars[instr.out], None)
            values.store(self.one, instr, values.scalars[instr.out])
        self._inner(phase, loop + 1)
        values.index.pop()
        values.uniform = before
        for instr in made:
            del values.scalars[instr.out]  # of one iteration of this loop

    # -- the innermost loop ------------------------------------------------------------------------
    def _innermost(self, members: list[Instruction]) -> None:
        """The innermost loop of a phase, piece by piece."""
        code, schedule, reductions = self.code, self.schedule, self.reductions
        lanes = schedule.lanes(code.module.target)
        carried = [s for s in members if s.combine is not None and schedule.runs_along(s)]
        self.values.index.append("")  # the innermost index goes with the vector
        totals: dict[ir.Value, Val] = {}
        pieces = pieces_of(*schedule.bounds(schedule.depth - 1), lanes, code)
        for piece in unrolled(pieces) if reductions.held else pieces:
            b = Builder(code, piece.lanes)
            for s, end in zip(carried, self._piece(b, piece, members, carried), strict=True):
                scalar = across(b, s.combine or "", end)
                before = totals.get(s.out)
                totals[s.out] = scalar if before is None else combine(
                    self.one, s.combine or "", before, scalar)
        self.values.index.pop()
        for s in carried:
            reductions.end_of_innermost(s, totals[s.out])

    def _piece(self, b: Builder, piece: Piece, members: list[Instruction],
               carried: list[Instruction]) -> list[Val]:
        """One vector, or a loop of vectors; gives what is carried, in the end."""
        dtypes = [accumulator_dtype(s) for s in carried]
        first = [b.const(IDENTITY[s.combine or ""](dtype), dtype)
                 for s, dtype in zip(carried, dtypes, strict=True)]
        if piece.exact:
            return self._vector(b, piece.begin, members, carried, [
                Val(x.text, dtype) for x, dtype in zip(first, dtypes, strict=True)])
        ends = self._vectors(b, piece, members, carried, [
            (b.type(dtype), x.text) for x, dtype in zip(first, dtypes, strict=True)])
        return [Val(text, dtype) for text, dtype in zip(ends, dtypes, strict=True)]

    def _vectors(self, b: Builder, piece: Piece, members: list[Instruction],
                 carried: list[Instruction], first: list[tuple[str, str]]) -> list[str]:
        """Vector by vector; long sums in blocks, or they would lose digits."""
        code, block = self.code, BLOCK * b.lanes
        low, high = piece.begin, piece.end
        sums = any(s.combine == "sum" and "float" in accumulator_dtype(s) for s in carried)
        long = not (str(low).isdigit() and str(high).isdigit() and int(high) - int(low) <= block)

        def along(begin: Any, end: Any, some: bool | None) -> list[str]:
            with code.loop(begin, end, b.lanes, first, some=some) as loop:
                found = self._vector(b, loop.index, members, carried, [
                    Val(name, accumulator_dtype(s))
                    for name, s in zip(loop.carry, carried, strict=True)])
                loop.after = [v.text for v in found]
            return loop.results

        if SUMS("blocks" if sums and long and b.lanes > 1 else "plain") == "plain":
            return along(low, high, None)
        exact = [s.combine == "sum" and accumulator_dtype(s) == "float32" for s in carried]
        begins = [(b.type("float64"), b.const(0, "float64").text) if more else kind
                  for kind, more in zip(first, exact, strict=True)]
        with code.loop(low, high, block, begins) as outer:
            last = code.add(outer.index, block)
            inside = code.let(f"icmp slt i64 {last}, {high}")
            end = code.let(f"select i1 {inside}, i64 {last}, i64 {high}")
            parts = along(outer.index, end, True)
            outer.after = []
            for s, total, part, more in zip(carried, outer.carry, parts, exact, strict=True):
                dtype = "float64" if more else accumulator_dtype(s)
                x = b.cast(Val(part, accumulator_dtype(s)), dtype)
                outer.after.append(combine(b, s.combine or "", Val(total, dtype), x).text)
        return [b.cast(Val(text, "float64"), "float32").text if more else text
                for text, more in zip(outer.results, exact, strict=True)]

    def _vector(self, b: Builder, index: str, members: list[Instruction],
                carried: list[Instruction], sums: list[Val]) -> list[Val]:
        """All instructions on one vector; gives what is carried, after it."""
        values = self.values
        values.vectors, values.loaded = {}, {}
        after = list(sums)
        for instr in members:
            if instr.combine is None:
                value = values.vectors[instr.out] = values.evaluate(b, instr, index)
                values.to_scratch(b, instr.out, value, index)
                continue
            x = values.reduced_operand(b, instr, index)
            if self.schedule.runs_along(instr):
                i = next(i for i, s in enumerate(carried) if s is instr)
                after[i] = combine(b, instr.combine, after[i], x)
            else:
                self.reductions.accumulate(b, instr, x, index)
        for instr in members:
            if instr.combine is None:
                values.store(b, instr, values.vectors[instr.out], index)
        values.vectors, values.loaded = {}, {}
        return after
