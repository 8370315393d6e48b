"""A fused loop as code: loops over its domain, vectors along the innermost one.

The function of a fused loop is `void name(ptr slots, i64 lo, i64 hi, i64 task)`: it does the
iterations lo … hi of the outermost loop. Values that do not depend on an inner loop are computed
outside of it. Rows that go on with their own reductions run in phases: the inner loops of one phase
make the reductions that the next one needs, and vectors that a later phase needs wait in a scratch
row.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np

from tapeflow.graph import ir
from tapeflow.jit.choices import Choice
from tapeflow.jit.codegen.addressing import (
    IDENTITY,
    Access,
    AddressMap,
    ElementEmitter,
    accumulator_dtype,
    across,
    combine,
    constant,
    element_of,
    pointer_at,
    read_lanes,
    set_error_status,
    write_lanes,
)
from tapeflow.jit.codegen.builder import HALF, LLVM, Builder, Val, itemsize, name_of
from tapeflow.jit.codegen.llvm_text import Code, Module
from tapeflow.jit.codegen.loop_schedule import LoopSchedule
from tapeflow.jit.lowering.plan import (
    FusedLoop,
    Instruction,
    Plan,
    strides_by_dim,
    strides_of,
)
from tapeflow.jit.runtime.arena import aligned_size

BLOCK = 64  # vectors that are summed up one after the other
COLUMNS = 128  # elements of a row at most whose sums are held in registers

REDUCTION = Choice("loop.reduction", ("row", "row of loops", "gathered"))
GATHERED = Choice("loop.gathered", ("registers", "number", "vector", "apart"))
SUMS = Choice("loop.sums", ("plain", "blocks"))
HOLD = Choice("loop.hold", (False, True))  # sums of columns in registers
TAIL = Choice("loop.remainder", ("none", "vectors", "numbers", "unknown"))
PICK = Choice("loop.pick", ("one place", "lanes"))
OUTSIDE = Choice("loop.outside", ("error", "zero", "nowhere"))
LEVEL = Choice("loop.level", ("outside", "between", "within"))  # where an instruction is


class LoopEmitter(ElementEmitter):
    """Writes the function of a fused loop."""

    def __init__(self, fused: FusedLoop, plan: Plan, addresses: AddressMap, module: Module,
                 name: str, partial: dict[ir.Value, tuple[int, int]],
                 scratch: tuple[int, int] | None, loops: LoopSchedule):
        code = Code(module, name, [("ptr", "%slots"), ("i64", "%lo"), ("i64", "%hi"),
                                   ("i64", "%task")], attributes=module.target.attributes)
        super().__init__(fused, plan, addresses, code)
        self.partial, self.scratch = partial, scratch
        self.one = Builder(code)
        self.loops = loops
        self.position = self.loops.position
        self.m, self.k = len(self.loops.sizes), self.loops.k
        self.index: list[str] = []
        self.phase, self.after = loops.phase, loops.after
        self.level = self._levels()
        self.rooms: dict[ir.Value, str] = {}
        self.accumulators: dict[ir.Value, str] = {}
        self.held: dict[tuple[ir.Value, str], Val] = {}  # sums of columns that are in registers now

    # -- what happens where ------------------------------------------------------------------------
    def _level(self, dims: Any) -> int:
        return 1 + max([self.position[d] for d in dims if d is not None], default=-1)

    def _row(self, instr: Instruction) -> bool:
        """Whether a reduction is complete at the end of each row."""
        return self.loops.row(self.fused.reduced[instr.out])

    def _levels(self) -> dict[ir.Value, int]:
        """The number of loops that each instruction is in."""
        level: dict[ir.Value, int] = {}
        for instr in self.fused.instructions:
            late = self.phase[instr.out] > 0
            dims = self.fused.axes[instr.out] if instr.combine is None else self.domain(instr)
            found = level[instr.out] = max(self._level(dims), self.k if late else 0)
            LEVEL("within" if found == self.m else "between" if found else "outside")
        return level

    # -- writing ----------------------------------------------------------------------------------
    def write(self) -> Code:
        for instr in self.fused.instructions:
            if instr.combine is not None and not self._row(instr):
                self._clear(instr)
        self._outer(0)
        return self.code

    def _clear(self, instr: Instruction) -> None:
        """Begin a reduction that is complete only when the fused loop is."""
        pointer, count = self._accumulator(instr)
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

    def _accumulator(self, instr: Instruction) -> tuple[str, int]:
        count = 1
        for n in instr.out.shape or ():
            count *= n
        if instr.out not in self.accumulators:
            slot, offset = self.partial[instr.out]
            base = pointer_at(self.code, slot, offset)
            size = aligned_size(count * itemsize(accumulator_dtype(instr)))
            self.accumulators[instr.out] = self.code.at(base, self.code.mul("%task", size), "i8")
        return self.accumulators[instr.out], count

    def _turn(self, loop: int) -> tuple[Any, Any]:
        return ("%lo", "%hi") if loop == 0 and self.loops.parallel else (
            0, self.loops.sizes[loop])

    def _outer(self, level: int) -> None:
        self._scalars(level, 0)
        if self.m == 0:
            return
        if level < self.k:
            places = self._columns(self.fused.instructions) if level == self.m - 2 else {}
            with self._carrying(places, *self._turn(level)) as loop:
                self.index.append(loop.index)
                self._outer(level + 1)
                self.index.pop()
            return
        for phase in range(1 + max(self.after.values(), default=0)):
            if phase:
                self._scalars(self.k, phase)
            self._open(phase)
            self._inner(phase, self.k)
            self._close(phase)

    def _scalars(self, level: int, phase: int) -> None:
        """Steps that need the first `level` loops only, and loads of that level.

        What is stored may take the place of what was loaded: stores come last.
        """
        made: list[Instruction] = []
        for instr in self.fused.instructions:
            key = instr.out
            here = self.level[key] == level < max(self.m, 1) and self.phase[key] == phase
            if here and instr.combine is not None:
                self._gather_up(self.one, instr, self._widened(instr), None)
            elif here:
                self.rows[key] = self._evaluate(self.one, instr)
                made.append(instr)
            elif phase == 0:
                for position, x in enumerate(instr.inputs):
                    self._hoist(instr, position, x, level)
        for instr in made:
            self._store(instr, self.rows[instr.out], self.one)

    def _widened(self, instr: Instruction) -> Val:
        """What a reduction takes in, where it is one number."""
        x = self.operand(self.one, instr, 0)
        return self.one.widen(x) if x.dtype in HALF else x

    def _hoist(self, instr: Instruction, position: int, x: ir.Value, level: int) -> None:
        """Load a number that does not change in the loops within."""
        buffer = self.plan.view_of(x).buffer
        if ir.literal_of(buffer) is not None or self.fused.within(instr, position, buffer) or (
                instr.picks_from(position)):
            return
        access = self.access(instr, x, position)
        if self._level(access.strides) == level < self.m and access.key not in self.uniform:
            self.uniform[access.key] = self.one.load(self.address(access), access.dtype)

    def address(self, access: Access, vector: str | None = None) -> str:
        """The address of an element at the present indices; `vector`: the innermost index."""
        pointer = self.addresses.pointer(self.code, access.buffer)
        element = element_of(access.dtype)
        total: str = str(access.offset)
        indices = [*self.index] if vector is None else [*self.index[:self.m - 1], vector]
        for loop, index in enumerate(indices):
            stride = access.strides.get(self.loops.groups[loop][-1], 0)
            if stride:
                total = self.code.add(total, self.code.mul(index, stride))
        return self.code.at(pointer, total, element)

    # -- values -----------------------------------------------------------------------------------
    def _evaluate(self, b: Builder, instr: Instruction, vector: str | None = None) -> Val:
        if instr.gather is not None:
            return self._gathered(b, instr, vector)
        xs = [self.operand(b, instr, position, vector) for position in range(len(instr.inputs))]
        return self.apply(b, instr, xs, self._places(b, instr, vector) if instr.indexed else None)

    def _places(self, b: Builder, instr: Instruction, vector: str | None) -> list:
        found = []
        for dim in self.fused.axes[instr.out]:
            if dim is None:
                found.append(b.const(0, "int64"))
                continue
            loop = self.position[dim]
            if vector is not None and loop == self.m - 1:
                first = b.splat(vector, "int64")
                if b.lanes > 1:
                    lanes = ", ".join(f"i64 {i}" for i in range(b.lanes))
                    first = b.add(first, Val(f"<{lanes}>", "int64"))
                found.append(first)
            else:
                found.append(b.splat(self.index[loop], "int64"))
        return found

    def operand(self, b: Builder, instr: Instruction, position: int,
                vector: str | None = None) -> Val:
        x = instr.inputs[position]
        buffer = self.plan.view_of(x).buffer
        number = ir.literal_of(buffer)
        dtype = name_of(buffer.dtype)
        if number is not None:
            return constant(b, number, dtype)
        key = buffer
        if self.fused.within(instr, position, buffer):
            if key in self.rows:
                return b.splat(self.rows[key].text, dtype)
            if key in self.vals:
                return self.vals[key]
            return self._again(b, buffer, vector)
        access = self.access(instr, x, position)
        if access.key in self.uniform:
            return b.splat(self.uniform[access.key].text, dtype)
        found = self.loaded.get(access.key) if vector is not None else None
        if found is None:
            found = self._load(b, access, vector)
            if vector is not None:
                self.loaded[access.key] = found
        return found

    def _load(self, b: Builder, access: Access, vector: str | None) -> Val:
        if vector is None:
            return self.one.load(self.address(access, vector), access.dtype)
        stride = access.strides.get(self.loops.groups[self.m - 1][-1], 0)
        return read_lanes(b, self.address(access, vector), stride, access.dtype)

    def _again(self, b: Builder, buffer: ir.Value, vector: str | None) -> Val:
        """A vector of an earlier phase, or one number for all lanes, from where it was kept."""
        dtype = name_of(buffer.dtype)
        place = self._kept_at(buffer, vector)
        if self.level[buffer] < self.m:
            return b.splat(self.one.load(place, dtype).text, dtype)
        return b.load(place, dtype)

    def _keep(self, b: Builder, buffer: ir.Value, value: Val, vector: str | None) -> None:
        b.store(value, self._kept_at(buffer, vector))

    def _kept_at(self, buffer: ir.Value, vector: str | None) -> str:
        """The address of a value that waits for a later phase."""
        assert self.scratch is not None
        slot, offset = self.scratch
        base = self.code.at(pointer_at(self.code, slot, offset),
                            self.code.mul("%task", self.loops.scratch), "i8")
        return self.code.at(self.code.at(base, self.loops.kept[buffer], "i8"),
                            self._inner_index(vector, self.level[buffer]),
                            element_of(name_of(buffer.dtype)))

    def _inner_index(self, vector: str | None, level: int) -> str:
        """The place in the row of what is in `level` loops: the inner ones' indices as one."""
        total = "0"
        for loop in range(self.k, level):
            index = vector if loop == self.m - 1 else self.index[loop]
            total = self.code.add(self.code.mul(total, self.loops.sizes[loop]), index or "0")
        return total

    def _gathered(self, b: Builder, instr: Instruction, vector: str | None) -> Val:
        """An element of operand 0 at the place that operand 1 names."""
        axis, batch, outside = instr.gather or (0, 0, "error")
        view = self.plan.view_of(instr.inputs[0])
        axes = self.fused.axes[instr.out]
        spread = len(instr.inputs[1].shape or ()) - batch
        mine = [*axes[:axis], None, *axes[axis + spread:]]
        steps = strides_by_dim(view.shape, view.strides, tuple(mine))
        access = Access(view.buffer, view.offset, steps)
        size, stride = view.shape[axis], view.strides[axis]
        index = self.operand(b, instr, 1, vector)
        if _lies_within(self.plan.view_of(instr.inputs[1]).buffer, size):
            outside = "nowhere"
        OUTSIDE(outside)
        flat = self._level(steps) < self.m or vector is None
        uniform = b.lanes == 1 or index.text.startswith("splat") or self._is_row(instr)
        if PICK("one place" if uniform else "lanes") == "one place":
            one = self.code.pure(f"extractelement {b.type(index.dtype)} {index.text}, i64 0"
                                 ) if b.lanes > 1 else index.text
            at, good = self._checked(Val(one, index.dtype), size, outside)
            first = self.code.at(self.address(access, vector), self.code.mul(at, stride),
                                 element_of(access.dtype))
            if flat or b.lanes == 1:
                loaded = b.splat(self.one.load(first, access.dtype).text, access.dtype)
            else:
                step_ = access.strides.get(self.loops.groups[self.m - 1][-1], 0)
                loaded = b.load(first, access.dtype) if step_ == 1 else self._lanes(
                    b, access.dtype, lambda lane: self.code.at(
                        first, lane * step_, element_of(access.dtype)))
            if outside == "zero":
                zero = constant(b, 0, access.dtype)
                return b.select(b.splat(good, "bool"), loaded, zero)
            return loaded
        inner = access.strides.get(self.loops.groups[self.m - 1][-1], 0)
        base = self.address(access, vector)
        goods: list[str] = []

        def place(lane: int) -> str:
            one = self.code.pure(f"extractelement {b.type(index.dtype)} {index.text}, i64 {lane}")
            at, good = self._checked(Val(one, index.dtype), size, outside)
            goods.append(good)
            far = self.code.add(self.code.mul(at, stride), lane * inner)
            return self.code.at(base, far, element_of(access.dtype))

        loaded = self._lanes(b, access.dtype, place)
        if outside == "zero":
            mask = "poison"
            for lane, good in enumerate(goods):
                mask = self.code.let(f"insertelement {b.type('bool')} {mask}, i1 {good}, "
                                     f"i64 {lane}")
            return b.select(Val(mask, "bool"), loaded, constant(b, 0, access.dtype))
        return loaded

    def _is_row(self, instr: Instruction) -> bool:
        """Whether the indices of a gather are the same in all lanes."""
        buffer = self.plan.view_of(instr.inputs[1]).buffer
        if ir.literal_of(buffer) is not None:
            return True
        if self.fused.within(instr, 1, buffer):
            return buffer in self.rows
        access = self.access(instr, instr.inputs[1], 1)
        return self._level(access.strides) < self.m

    def _lanes(self, b: Builder, dtype: str, place: Callable[[int], str]) -> Val:
        text, kind = "poison", b.type(dtype)
        for lane in range(b.lanes):
            one = self.one.load(place(lane), dtype)
            text = self.code.let(f"insertelement {kind} {text}, {LLVM[dtype]} {one.text}, "
                                 f"i64 {lane}")
        return Val(text, dtype)

    def _checked(self, index: Val, size: int, outside: str) -> tuple[str, str]:
        """An index as i64 that is safe to use, and whether it was good."""
        one = self.one
        at = one.cast(index, "int64")
        if outside == "nowhere":
            return at.text, "true"
        unsigned = Val(at.text, "uint64")
        good = one.lt(unsigned, one.const(size, "uint64"))
        if outside == "error":
            set_error_status(self.code, good.text)
        return one.select(good, at, one.const(0, at)).text, good.text

    # -- inner loops ------------------------------------------------------------------------------
    def _members(self, phase: int) -> list[Instruction]:
        """The instructions of the inner loops of a phase."""
        return [s for s in self.fused.instructions if self.phase[s.out] == phase and (
            self.level[s.out] > self.k or (self.level[s.out] == self.m))]

    def _open(self, phase: int) -> None:
        if self.m - self.k > 1:
            for instr in self._members(phase):
                if instr.combine is not None and self._row(instr):
                    dtype = accumulator_dtype(instr)
                    room = self.rooms[instr.out] = self.code.room(element_of(dtype))
                    self.one.store(self.one.const(IDENTITY[instr.combine](dtype), dtype), room)

    def _close(self, phase: int) -> None:
        """Reductions that are complete now."""
        for instr in self._members(phase):
            if instr.combine is None or not self._row(instr):
                continue
            if self.m - self.k > 1:
                self.rows[instr.out] = self.one.load(self.rooms[instr.out],
                                                        accumulator_dtype(instr))
            value = self.rows[instr.out]
            if name_of(instr.out.dtype) in HALF:
                value = self.rows[instr.out] = self.one.narrow(value, name_of(instr.out.dtype))
            self._store(instr, value, self.one)

    def _inner(self, phase: int, loop: int) -> None:
        members = self._members(phase)
        if not members:
            return
        if loop < self.m - 1:
            places = self._columns(members) if loop == self.m - 2 else {}
            with self._carrying(places, *self._turn(loop)) as turn:
                self.index.append(turn.index)
                outside, self.uniform = self.uniform, dict(self.uniform)
                made: list[Instruction] = []
                for instr in members:
                    key = instr.out
                    if self.level[key] == loop + 1 and instr.combine is not None:
                        self._gather_up(self.one, instr, self._widened(instr), None)
                    elif self.level[key] == loop + 1:
                        self.rows[key] = self._evaluate(self.one, instr)
                        made.append(instr)
                    else:
                        for position, x in enumerate(instr.inputs):
                            self._hoist_inner(instr, position, x, loop + 1)
                for instr in made:
                    if instr.out in self.loops.kept:
                        self._keep(self.one, instr.out, self.rows[instr.out], None)
                    self._store(instr, self.rows[instr.out], self.one)
                self._inner(phase, loop + 1)
                self.index.pop()
                self.uniform = outside
                for instr in made:
                    del self.rows[instr.out]  # of one iteration of this loop
            return
        self._vectors(phase, [s for s in members if self.level[s.out] == self.m])

    def _columns(self, members: list[Instruction]) -> dict[tuple[ir.Value, str],
                                                           tuple[Builder, str, str]]:
        """Sums of short columns, which need not go through memory in each iteration around
        the innermost loop: vectors, addresses and dtypes, by sum and first element."""
        size, found = self.loops.sizes[-1], {}
        lanes = self.loops.lanes(self.code.module.target)
        pieces = _apart(_pieces(*self._turn(self.m - 1), lanes, self.code)) if (
            size <= COLUMNS) else []
        if not pieces or not all(exact for _, _, _, exact in pieces):
            return {}
        before, within = self.loops.groups[self.m - 2][-1], self.loops.groups[-1][-1]
        self.index.append("")
        for instr in members:
            if instr.combine is None or self.level[instr.out] < self.m or self._row(instr) or (
                    self._carried(instr)):
                continue
            steps = strides_of(instr.out, self.fused.axes[instr.out])
            if steps.get(before, 0) or steps.get(within, 0) != 1:
                continue
            dtype = accumulator_dtype(instr)
            for width, low, _, _ in pieces:
                place = self._at(self._accumulator(instr)[0], steps, dtype, low)
                found[instr.out, low] = (Builder(self.code, width), place, dtype)
        self.index.pop()
        target = self.code.module.target
        needed = sum(-(-b.lanes * itemsize(dtype) // target.vector) for b, _, dtype in
                     found.values())
        fits = bool(found) and needed <= target.registers // 2
        return found if HOLD(fits, (False, fits)) else {}

    @contextmanager
    def _carrying(self, places: dict, begin: Any, end: Any) -> Iterator[Any]:
        """A loop that holds what lies at some places in registers."""
        first = [(b.type(dtype), b.load(place, dtype).text) for b, place, dtype in places.values()]
        with self.code.loop(begin, end, carry=first, some=True) as turn:
            self.held = {key: Val(text, dtype) for (key, (_, _, dtype)), text in zip(
                places.items(), turn.carry, strict=True)}
            yield turn
            turn.after = [value.text for value in self.held.values()]
            self.held = {}
        for (b, place, dtype), text in zip(places.values(), turn.results, strict=True):
            b.store(Val(text, dtype), place)

    def _hoist_inner(self, instr: Instruction, position: int, x: ir.Value, level: int) -> None:
        buffer = self.plan.view_of(x).buffer
        if ir.literal_of(buffer) is None and not self.fused.within(
                instr, position, buffer) and not (instr.picks_from(position)):
            access = self.access(instr, x, position)
            if self._level(access.strides) == level < self.m:
                self.uniform[access.key] = self.one.load(self.address(access), access.dtype)

    def _vectors(self, phase: int, members: list[Instruction]) -> None:
        """The innermost loop of a phase."""
        code, last = self.code, self.m - 1
        lanes = self.loops.lanes(code.module.target)
        carried = [s for s in members if s.combine is not None
                   and self._carried(s)]
        self.index.append("")  # the innermost index goes with the vector
        totals: dict[ir.Value, Val] = {}
        begin, end = self._turn(last)
        pieces = _pieces(begin, end, lanes, code)
        for width, low, high, exact in _apart(pieces) if self.held else pieces:
            b = Builder(code, width)
            dtypes = [accumulator_dtype(s) for s in carried]
            kinds = [(b.type(dtype), b.const(IDENTITY[s.combine or ""](dtype), dtype).text)
                     for s, dtype in zip(carried, dtypes, strict=True)]
            if exact:
                found = self._chunk(b, low, members, carried, [
                    Val(first, accumulator_dtype(s)) for (_, first), s in zip(kinds, carried,
                                                                       strict=True)])
                ends = [v.text for v in found]
            else:
                ends = self._run_along(b, low, high, members, carried, kinds)
            for s, text in zip(carried, ends, strict=True):
                number = across(b, s.combine or "", Val(text, accumulator_dtype(s)))
                before = totals.get(s.out)
                totals[s.out] = number if before is None else combine(
                    self.one, s.combine or "", before, number)
        self.index.pop()
        for s in carried:
            self._finish(s, totals[s.out])

    def _run_along(self, b: Builder, low: Any, high: Any, members: list[Instruction],
                   carried: list[Instruction], kinds: list) -> list[str]:
        """Iteration by iteration; long sums in blocks, or they would lose digits."""
        code, block = self.code, BLOCK * b.lanes
        sums = any(s.combine == "sum" and "float" in accumulator_dtype(s) for s in carried)
        far = not (str(low).isdigit() and str(high).isdigit() and int(high) - int(low) <= block)

        def along(begin: Any, end: Any, some: bool | None) -> list[str]:
            with code.loop(begin, end, b.lanes, kinds, some=some) as loop:
                found = self._chunk(b, loop.index, members, carried, [
                    Val(name, accumulator_dtype(s))
                    for name, s in zip(loop.carry, carried, strict=True)])
                loop.after = [v.text for v in found]
            return loop.results

        blocks = sums and far and b.lanes > 1
        if SUMS("blocks" if blocks else "plain") == "plain":
            return along(low, high, None)
        exact = [s.combine == "sum" and accumulator_dtype(s) == "float32" for s in carried]
        begins = [(b.type("float64"), b.const(0, "float64").text) if more else kind
                  for kind, more in zip(kinds, exact, strict=True)]
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

    def _carried(self, instr: Instruction) -> bool:
        """Whether a reduction runs along the innermost loop."""
        done = self.fused.reduced[instr.out]
        return any(self.position[d] == self.m - 1 for d in done)

    def _chunk(self, b: Builder, index: str, members: list[Instruction], carried: list[Instruction],
               sums: list[Val]) -> list[Val]:
        self.vals, self.loaded = {}, {}
        after = list(sums)
        for instr in members:
            if instr.combine is None:
                value = self.vals[instr.out] = self._evaluate(b, instr, index)
                if instr.out in self.loops.kept:
                    self._keep(b, instr.out, value, index)
                continue
            x = self.operand(b, instr, 0, index)
            x = b.widen(x) if x.dtype in HALF else x
            if self._carried(instr):
                i = next(i for i, s in enumerate(carried) if s is instr)
                after[i] = combine(b, instr.combine, after[i], x)
            else:
                self._gather_up(b, instr, x, index)
        for instr in members:
            if instr.combine is None:
                self._store(instr, self.vals[instr.out], b, index)
        self.vals, self.loaded = {}, {}
        return after

    def _gather_up(self, b: Builder, instr: Instruction, x: Val, index: str | None) -> None:
        """Combine into the memory of a reduction that is complete when the fused loop is."""
        held = self.held.get((instr.out, index or ""))
        if held is not None:
            GATHERED("registers")
            self.held[instr.out, index or ""] = combine(b, instr.combine or "", held, x)
            return
        pointer, _ = self._accumulator(instr)
        steps = strides_of(instr.out, self.fused.axes[instr.out])
        place = self._at(pointer, steps, x.dtype, index)
        stride = steps.get(self.loops.groups[-1][-1], 0)
        how = GATHERED("number" if b.lanes == 1 else "vector" if stride == 1 else "apart")
        if how != "apart":
            b.store(combine(b, instr.combine or "", b.load(place, x.dtype), x), place)
            return
        for lane in range(b.lanes):
            addresses = self.code.at(place, lane * stride, element_of(x.dtype))
            one = Val(b.extract(x, lane), x.dtype)
            self.one.store(combine(self.one, instr.combine or "", self.one.load(addresses, x.dtype),
                                   one), addresses)

    def _at(self, pointer: str, steps: dict[int, int], dtype: str, vector: str | None) -> str:
        total = "0"
        indices = [*self.index] if vector is None else [*self.index[:self.m - 1], vector]
        for loop, index in enumerate(indices):
            stride = steps.get(self.loops.groups[loop][-1], 0)
            if stride and index:
                total = self.code.add(total, self.code.mul(index, stride))
        return self.code.at(pointer, total, element_of(dtype))

    def _finish(self, instr: Instruction, total: Val) -> None:
        """The innermost loop's part of a reduction: the row's, or one of many."""
        key = instr.out
        how = REDUCTION("gathered" if not self._row(instr) else
                        "row of loops" if self.m - self.k > 1 else "row")
        if how == "gathered":
            self._gather_up(self.one, instr, total, None)
        elif how == "row of loops":
            room = self.rooms[key]
            self.one.store(combine(self.one, instr.combine or "", self.one.load(room, total.dtype),
                                   total), room)
        else:
            self.rows[key] = total

    # -- storing ----------------------------------------------------------------------------------
    def _store(self, instr: Instruction, value: Val, b: Builder, vector: str | None = None) -> None:
        """Put a value that others need into memory."""
        buffer = instr.out
        axes = self.fused.axes[buffer]
        if instr.target is not None:
            view = instr.target
            strides = strides_by_dim(view.shape, view.strides, axes)
            access = Access(view.buffer, view.offset, strides)
            self._put(b, value, access, vector)
        elif buffer in self.fused.makes:
            access = Access(buffer, 0, strides_of(buffer, axes))
            self._put(b, value, access, vector)

    def _put(self, b: Builder, value: Val, access: Access, vector: str | None) -> None:
        stride = access.strides.get(self.loops.groups[self.m - 1][-1], 0) if b.lanes > 1 else 0
        write_lanes(b, value, self.address(access, vector), stride)


def _apart(pieces: list[tuple[int, Any, Any, bool]]) -> list[tuple[int, Any, Any, bool]]:
    """The same pieces, each vector one of its own."""
    found: list[tuple[int, Any, Any, bool]] = []
    for width, low, high, exact in pieces:
        if exact or width == 1 or not (str(low).isdigit() and str(high).isdigit()):
            found.append((width, low, high, exact))
        else:
            found += [(width, str(i), str(i + width), True)
                      for i in range(int(low), int(high), width)]
    return found


def _lies_within(buffer: ir.Value, size: int) -> bool:
    """Whether indices are constants in range."""
    places = buffer.const
    return isinstance(places, np.ndarray) and places.size > 0 and bool(
        places.min() >= 0 and places.max() < size)


def _pieces(begin: Any, end: Any, lanes: int, code: Code) -> list[tuple[int, Any, Any, bool]]:
    """(lanes, first, end, whether it is exactly one vector) of the parts of the innermost loop."""
    if not isinstance(begin, int):
        TAIL("unknown")
        size = code.let(f"sub i64 {end}, {begin}")
        body = code.let(f"and i64 {size}, {-lanes}")
        middle = code.add(begin, body)
        return [(lanes, begin, middle, False), (1, middle, end, False)]
    pieces: list[tuple[int, Any, Any, bool]] = []
    full = end // lanes * lanes
    if full:
        pieces.append((lanes, "0", str(full), full == lanes))
    rest = end - full
    few = "vectors" if rest else "none"
    if TAIL("numbers" if bin(rest).count("1") > 2 else few,
            (few, "numbers" if rest else "none")) == "numbers":
        pieces.append((1, str(full), str(end), False))
        return pieces
    width = lanes // 2
    while rest:
        if rest >= width:
            pieces.append((width, str(full), str(full + width), True))
            full, rest = full + width, rest - width
        width //= 2
    return pieces
