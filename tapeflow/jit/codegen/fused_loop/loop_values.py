"""Values of a fused loop at the present indices: operands, loads, the scratch row, stores."""

from __future__ import annotations

from tapeflow.graph import ir
from tapeflow.jit.codegen.addressing import (
    STREAM_ALIGNMENT,
    Access,
    AddressMap,
    apply,
    constant,
    element_of,
    lane_indices,
    operand_access,
    pointer_at,
    read_lanes,
    result_access,
    write_lanes,
)
from tapeflow.jit.codegen.builder import HALF, Builder, Val, itemsize, name_of
from tapeflow.jit.codegen.fused_loop.loop_gathers import gather
from tapeflow.jit.codegen.fused_loop.loop_schedule import LoopSchedule
from tapeflow.jit.codegen.llvm_text import Code
from tapeflow.jit.lowering.plan import Instruction


class LoopValues:
    """Computes instructions of a fused loop, one element or one vector at a time.

    index    of the loops that are open; of the innermost one it is "", and goes with the vector
    vectors  values of this iteration of the innermost loop, by buffer
    scalars  values of this iteration of the loops around it, by buffer
    uniform  loads that do not change in the loops within
    loaded   loads of this iteration of the innermost loop
    streamed results that are written past the caches, by values computed
    """

    def __init__(self, schedule: LoopSchedule, addresses: AddressMap, code: Code,
                 scratch: tuple[int, int] | None, streamed: frozenset[ir.Value] = frozenset()):
        self.schedule, self.addresses, self.code = schedule, addresses, code
        self.fused, self.plan = schedule.fused, schedule.plan
        self.scratch, self.streamed = scratch, streamed
        self.one = Builder(code)
        self.index: list[str] = []
        self.vectors: dict[ir.Value, Val] = {}
        self.scalars: dict[ir.Value, Val] = {}
        self.uniform: dict[tuple, Val] = {}
        self.loaded: dict[tuple, Val] = {}

    # -- addresses ---------------------------------------------------------------------------------
    def address(self, access: Access, vector: str | None = None) -> str:
        """The address of an element at the present indices; `vector`: the innermost index."""
        pointer = self.addresses.pointer(self.code, access.buffer)
        return self.address_in(pointer, access.strides, access.dtype, vector, access.offset)

    def address_in(self, pointer: str, strides: dict[int, int], dtype: str, vector: str | None,
                   offset: int = 0) -> str:
        """The address of an element of an array that begins at a pointer."""
        total = str(offset)
        last = self.schedule.depth - 1
        indices = self.index if vector is None else [*self.index[:last], vector]
        for loop, index in enumerate(indices):
            stride = strides.get(self.schedule.groups[loop][-1], 0)
            if stride and index:
                total = self.code.add(total, self.code.mul(index, stride))
        return self.code.at(pointer, total, element_of(dtype))

    # -- values ------------------------------------------------------------------------------------
    def evaluate(self, b: Builder, instr: Instruction, vector: str | None = None) -> Val:
        """The value of an instruction that is no reduction."""
        if instr.gather is not None:
            return gather(self, b, instr, instr.gather, vector)
        xs = [self.operand(b, instr, position, vector) for position in range(len(instr.inputs))]
        return apply(b, instr, xs, self._index_of(b, instr, vector) if instr.indexed else None)

    def _index_of(self, b: Builder, instr: Instruction, vector: str | None) -> list[Val]:
        """The index of the element along each axis of a value."""
        found = []
        for dim in self.fused.axes[instr.out]:
            if dim is None:
                found.append(b.const(0, "int64"))
                continue
            loop = self.schedule.position[dim]
            if vector is not None and loop == self.schedule.depth - 1:
                found.append(lane_indices(b, vector))
            else:
                found.append(b.splat(self.index[loop], "int64"))
        return found

    def operand(self, b: Builder, instr: Instruction, position: int,
                vector: str | None = None) -> Val:
        """An operand: a constant, a value of this loop, or an element from memory."""
        buffer = self.plan.view_of(instr.inputs[position]).buffer
        scalar, dtype = ir.literal_of(buffer), name_of(buffer.dtype)
        if scalar is not None:
            return constant(b, scalar, dtype)
        if self.fused.within(instr, position, buffer):
            if buffer in self.scalars:
                return b.splat(self.scalars[buffer].text, dtype)
            if buffer in self.vectors:
                return self.vectors[buffer]
            return self._from_scratch(b, buffer, vector)
        access = self.access(instr, position)
        if access.key in self.uniform:
            return b.splat(self.uniform[access.key].text, dtype)
        found = self.loaded.get(access.key) if vector is not None else None
        if found is None:
            found = self._load(b, access, vector)
            if vector is not None:
                self.loaded[access.key] = found
        return found

    def reduced_operand(self, b: Builder, instr: Instruction, vector: str | None = None) -> Val:
        """What a reduction takes in."""
        x = self.operand(b, instr, 0, vector)
        return b.widen(x) if x.dtype in HALF else x

    def access(self, instr: Instruction, position: int) -> Access:
        return operand_access(self.plan, self.fused, instr, position)

    def _load(self, b: Builder, access: Access, vector: str | None) -> Val:
        if vector is None:
            return self.one.load(self.address(access), access.dtype)
        stride = self.schedule.innermost_stride(access.strides)
        return read_lanes(b, self.address(access, vector), stride, access.dtype)

    # -- what does not change in the loops within --------------------------------------------------
    def hoist(self, instr: Instruction, level: int, again: bool = False) -> None:
        """Load operands that need the first `level` loops only.

        again: also those that are loaded already, of another iteration.
        """
        for position, x in enumerate(instr.inputs):
            buffer = self.plan.view_of(x).buffer
            if ir.literal_of(buffer) is not None or instr.picks_from(position) or (
                    self.fused.within(instr, position, buffer)):
                continue
            access = self.access(instr, position)
            if self.schedule.level_of(access.strides) == level < self.schedule.depth and (
                    again or access.key not in self.uniform):
                self.uniform[access.key] = self.one.load(self.address(access), access.dtype)

    # -- the scratch row: values that wait for a later phase ---------------------------------------
    def _from_scratch(self, b: Builder, buffer: ir.Value, vector: str | None) -> Val:
        """A vector of an earlier phase, or one scalar for all lanes."""
        dtype = name_of(buffer.dtype)
        address = self._scratch_address(buffer, vector)
        if self.schedule.level[buffer] < self.schedule.depth:
            return b.splat(self.one.load(address, dtype).text, dtype)
        return b.load(address, dtype)

    def to_scratch(self, b: Builder, buffer: ir.Value, value: Val, vector: str | None) -> None:
        """Keep a value if a later phase needs it."""
        if buffer in self.schedule.kept:
            b.store(value, self._scratch_address(buffer, vector))

    def _scratch_address(self, buffer: ir.Value, vector: str | None) -> str:
        assert self.scratch is not None
        code, schedule = self.code, self.schedule
        base = code.at(pointer_at(code, *self.scratch), code.mul("%task", schedule.scratch), "i8")
        return code.at(code.at(base, schedule.kept[buffer], "i8"),
                       self._index_in_row(vector, schedule.level[buffer]),
                       element_of(name_of(buffer.dtype)))

    def _index_in_row(self, vector: str | None, level: int) -> str:
        """The indices of a row's loops, as far as `level`, as one."""
        total, schedule = "0", self.schedule
        for loop in range(schedule.outer, level):
            index = vector if loop == schedule.depth - 1 else self.index[loop]
            total = self.code.add(self.code.mul(total, schedule.sizes[loop]), index or "0")
        return total

    # -- stores ------------------------------------------------------------------------------------
    def store(self, b: Builder, instr: Instruction, value: Val, vector: str | None = None) -> None:
        """Put a value that others need into memory."""
        if instr.target is None and instr.out not in self.fused.makes:
            return
        access = result_access(self.fused, instr)
        if instr.out in self.streamed and (
                b.lanes * itemsize(value.dtype) % STREAM_ALIGNMENT == 0):
            b.store(value, self.address(access, vector), streamed=STREAM_ALIGNMENT)
            return
        stride = self.schedule.innermost_stride(access.strides) if b.lanes > 1 else 0
        write_lanes(b, value, self.address(access, vector), stride)
