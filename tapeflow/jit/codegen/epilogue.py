"""Epilogues: instructions that a custom kernel does on each element before it is stored."""

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
from tapeflow.jit.codegen.llvm_text import Code
from tapeflow.jit.codegen.row_sums import RowSums
from tapeflow.jit.lowering.plan import CustomKernel, Instruction, Plan, strides_of

ROW_INDEX = Choice("epilogue.row_index", ("flat", "unraveled"))  # how addresses are made of it


class FlatIndex(NamedTuple):
    """A flat index over neighbouring dims, of these sizes, from `first_dim` on."""

    value: str
    first_dim: int
    sizes: list[int]


class Epilogue:
    """The instructions that follow a kernel, done where an element of its result is known.

    index   of the element along each dim
    vector  the dim along which lanes lie
    rows    the flat index of some dims, which spares unravelling it where they are contiguous in
            memory
    sums    what is added up over all rows: the flat index is that of a row then
    """

    def __init__(self, kernel: CustomKernel, plan: Plan, addresses: AddressMap, code: Code,
                 index: list[str], vector: int | None,
                 rows: FlatIndex = FlatIndex("0", 0, []), sums: RowSums | None = None):
        assert kernel.epilogue is not None
        self.fused, self.plan, self.addresses, self.code = kernel.epilogue, plan, addresses, code
        self.kernel, self.index, self.vector, self.row_index = kernel, index, vector, rows
        self.sums = sums
        self.vals: dict[ir.Value, Val] = {}  # of the element, by buffer

    def run(self, b: Builder, value: Val) -> None:
        """All instructions on one vector of the result, and what is to be stored."""
        result = self.kernel.result
        if value.dtype != name_of(result.dtype):
            value = b.cast(value, name_of(result.dtype))
        self.vals = {result: value}
        added: list[tuple[ir.Value, Val]] = []
        for instr in self.fused.instructions:
            xs = [self._operand(b, instr, i) for i in range(len(instr.inputs))]
            if instr.combine is not None:
                added.append((instr.out, xs[0]))
                continue
            self.vals[instr.out] = apply(
                b, instr, xs, self._index_of(b, instr) if instr.indexed else None)
        # What is stored may take the place of what was loaded: stores come last.
        if result in self.fused.makes:
            axes = self.fused.axes[result]
            self._store(b, value, Access(result, 0, strides_of(result, axes)))
        for instr in self.fused.instructions:
            if instr.target is not None or instr.out in self.fused.makes:
                if instr.combine is None:
                    self._store(b, self.vals[instr.out], result_access(self.fused, instr))
        for out, x in added:
            assert self.sums is not None
            self.sums.add(b, out, x, self.row_index.value, self.index[-1])

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
        first = self._address(access)
        stride = access.strides.get(self.vector, 0) if self.vector is not None else 0
        return read_lanes(b, first, stride, dtype)

    def _address(self, access: Access) -> str:
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

    def _store(self, b: Builder, value: Val, access: Access) -> None:
        first = self._address(access)
        stride = access.strides.get(self.vector, 0) if self.vector is not None else 0
        write_lanes(b, value, first, stride)


def last_dim(shape: tuple) -> int | None:
    """The dim along which vectors lie."""
    return len([n for n in shape if n > 1]) - 1 if shape[-1] > 1 else None
