"""Instructions that a custom kernel does on elements in its hands: epilogues and prologues."""

from __future__ import annotations

from typing import NamedTuple

from tapeflow.graph import ir
from tapeflow.jit.choices import Choice
from tapeflow.jit.codegen.addressing import (
    Access,
    AddressMap,
    apply,
    constant,
    element_of,
    lane_indices,
    operand_access,
    read_lanes,
    result_access,
    write_lanes,
)
from tapeflow.jit.codegen.builder import Builder, Val, name_of
from tapeflow.jit.codegen.epilogues.row_sums import RowSums
from tapeflow.jit.codegen.llvm_text import Code
from tapeflow.jit.lowering.plan import FusedLoop, Instruction, Plan, strides_of

ROW_INDEX = Choice("epilogue.row_index", ("flat", "unraveled"))  # how addresses are made of it


class FlatIndex(NamedTuple):
    """A flat index over neighbouring dims, of these sizes, from `first_dim` on."""

    value: str
    first_dim: int
    sizes: list[int]


class Elementwise:
    """The instructions of a fused loop on some neighbouring elements of its domain.

    index   of the element along each dim
    vector  the dim along which lanes lie
    rows    the flat index of some dims, which spares unravelling it where they are contiguous in
            memory
    """

    def __init__(self, fused: FusedLoop, plan: Plan, addresses: AddressMap, code: Code,
                 index: list[str], vector: int | None,
                 rows: FlatIndex = FlatIndex("0", 0, [])):
        self.fused, self.plan, self.addresses, self.code = fused, plan, addresses, code
        self.index, self.vector, self.row_index = index, vector, rows
        self.vals: dict[ir.Value, Val] = {}  # of the element, by buffer

    def compute(self, b: Builder) -> Val | None:
        """All instructions; the value of the last."""
        value = None
        for instr in self.fused.instructions:
            xs = [self._operand(b, instr, i) for i in range(len(instr.inputs))]
            if instr.combine is not None:  # a sum over rows: its operand is to be added
                self.vals[instr.out] = xs[0]
                continue
            value = self.vals[instr.out] = apply(
                b, instr, xs, self._index_of(b, instr) if instr.indexed else None)
        return value

    def _index_of(self, b: Builder, instr: Instruction) -> list[Val]:
        """The index of the element along each axis of a value."""
        found = []
        for dim in self.fused.axes[instr.out]:
            if dim is None:
                found.append(b.const(0, "int64"))
            elif dim == self.vector:
                found.append(lane_indices(b, self.index[dim]))
            else:
                found.append(b.splat(self.index[dim], "int64"))
        return found

    def _operand(self, b: Builder, instr: Instruction, position: int) -> Val:
        buffer = self.plan.view_of(instr.inputs[position]).buffer
        scalar, dtype = ir.literal_of(buffer), name_of(buffer.dtype)
        if scalar is not None:
            return constant(b, scalar, dtype)
        if self.fused.within(instr, position, buffer):
            return self.vals[buffer]
        access = operand_access(self.plan, self.fused, instr, position)
        first = self.address(access)
        stride = access.strides.get(self.vector, 0) if self.vector is not None else 0
        return read_lanes(b, first, stride, dtype)

    def address(self, access: Access) -> str:
        """Of the first element."""
        offset = str(access.offset)
        strides = dict(access.strides)
        index, first, sizes = self.row_index
        rows = [strides.get(first + i, 0) for i in range(len(sizes))]
        contiguous = len(sizes) > 1 and all(
            outer == inner * n for outer, inner, n in zip(rows, rows[1:], sizes[1:]))
        better = "flat" if contiguous else "unraveled"
        if ROW_INDEX(better, ("unraveled", better)) == "flat":
            offset = self.code.add(offset, self.code.mul(index, rows[-1]))
            for i in range(len(sizes)):
                strides.pop(first + i, None)
        for dim, stride in strides.items():
            offset = self.code.add(offset, self.code.mul(self.index[dim], stride))
        return self.code.at(self.addresses.pointer(self.code, access.buffer), offset,
                            element_of(access.dtype))


class Prologue(Elementwise):
    """An operand, computed where a kernel copies it."""

    def run(self, b: Builder) -> Val:
        value = self.compute(b)
        assert value is not None
        return value


class Epilogue(Elementwise):
    """What follows a kernel, done where an element of its result is known.

    sums    what is added up over all rows: the flat index is that of a row then
    """

    sums: RowSums | None = None

    def run(self, b: Builder, value: Val) -> None:
        """All instructions on one vector of the result, and what is to be stored."""
        assert self.fused.head is not None
        result = self.fused.head.result
        if value.dtype != name_of(result.dtype):
            value = b.cast(value, name_of(result.dtype))
        self.vals = {result: value}
        self.compute(b)
        # What is stored may take the place of what was loaded: stores come last.
        if result in self.fused.makes:
            axes = self.fused.axes[result]
            self._store(b, value, Access(result, 0, strides_of(result, axes)))
        for instr in self.fused.instructions:
            if instr.combine is not None:
                assert self.sums is not None
                self.sums.add(b, instr.out, self.vals[instr.out], self.row_index.value,
                              self.index[-1])
            elif instr.target is not None or instr.out in self.fused.makes:
                self._store(b, self.vals[instr.out], result_access(self.fused, instr))

    def _store(self, b: Builder, value: Val, access: Access) -> None:
        first = self.address(access)
        stride = access.strides.get(self.vector, 0) if self.vector is not None else 0
        write_lanes(b, value, first, stride)


def last_dim(shape: tuple) -> int | None:
    """The dim along which vectors lie."""
    return len([n for n in shape if n > 1]) - 1 if shape[-1] > 1 else None
