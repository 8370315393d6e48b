"""Gathers in a fused loop: elements of one operand, at indices that another one has."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np

from tapeflow.graph import ir
from tapeflow.jit.choices import Choice
from tapeflow.jit.codegen.addressing import Access, constant, element_of, set_error_status
from tapeflow.jit.codegen.builder import LLVM, Builder, Val
from tapeflow.jit.lowering.plan import GatherSpec, Instruction, strides_by_dim

if TYPE_CHECKING:
    from tapeflow.jit.codegen.fused_loop.loop_values import LoopValues

PICK = Choice("loop.pick", ("one index", "lanes"))
OUTSIDE = Choice("loop.outside", ("error", "zero", "nowhere"))


def gather(values: LoopValues, b: Builder, instr: Instruction, spec: GatherSpec,
           vector: str | None) -> Val:
    """An element of operand 0 at the index that operand 1 has."""
    return _Gather(values, b, instr, spec, vector).value()


class _Gather:
    """One gather being written.

    access          of operand 0 at index 0 of the axis that is picked from
    size, stride    of that axis
    outside         what an index out of range gives; "nowhere": there is none
    """

    def __init__(self, values: LoopValues, b: Builder, instr: Instruction, spec: GatherSpec,
                 vector: str | None):
        self.values, self.b, self.instr, self.vector = values, b, instr, vector
        self.code, self.one = values.code, values.one
        view = values.plan.view_of(instr.inputs[0])
        axes = values.fused.axes[instr.out]
        index_axes = len(instr.inputs[1].shape or ()) - spec.batch_dims
        dims = (*axes[:spec.axis], None, *axes[spec.axis + index_axes:])
        self.access = Access(view.buffer, view.offset,
                             strides_by_dim(view.shape, view.strides, dims))
        self.size, self.stride = view.shape[spec.axis], view.strides[spec.axis]
        self.index = values.operand(b, instr, 1, vector)
        inside = _are_inside(values.plan.view_of(instr.inputs[1]).buffer, self.size)
        self.outside = "nowhere" if inside else spec.outside
        OUTSIDE(self.outside)

    def value(self) -> Val:
        b = self.b
        same = b.lanes == 1 or self.index.text.startswith("splat") or self._index_is_uniform()
        if PICK("one index" if same else "lanes") == "one index":
            return self._at_one_index()
        return self._at_each_index()

    def _index_is_uniform(self) -> bool:
        """Whether the indices are the same in all lanes."""
        values, instr = self.values, self.instr
        buffer = values.plan.view_of(instr.inputs[1]).buffer
        if ir.literal_of(buffer) is not None:
            return True
        if values.fused.within(instr, 1, buffer):
            return buffer in values.scalars
        return values.schedule.level_of(values.access(instr, 1).strides) < values.schedule.depth

    def _at_one_index(self) -> Val:
        """Neighbouring elements at an index, or one element for all lanes."""
        b, code, access, schedule = self.b, self.code, self.access, self.values.schedule
        index = b.extract(self.index, 0)
        at, good = self._checked(Val(index, self.index.dtype))
        first = code.at(self.values.address(access, self.vector), code.mul(at, self.stride),
                        element_of(access.dtype))
        uniform = schedule.level_of(access.strides) < schedule.depth or self.vector is None
        stride = schedule.innermost_stride(access.strides) if schedule.depth else 0
        if uniform or b.lanes == 1:
            loaded = b.splat(self.one.load(first, access.dtype).text, access.dtype)
        elif stride == 1:
            loaded = b.load(first, access.dtype)
        else:
            loaded = self._lane_by_lane(
                lambda lane: code.at(first, lane * stride, element_of(access.dtype)))
        if self.outside == "zero":
            return b.select(b.splat(good, "bool"), loaded, constant(b, 0, access.dtype))
        return loaded

    def _at_each_index(self) -> Val:
        """An element for each lane, at the lane's own index."""
        b, code, access = self.b, self.code, self.access
        inner = self.values.schedule.innermost_stride(access.strides)
        base = self.values.address(access, self.vector)
        goods: list[str] = []

        def address(lane: int) -> str:
            at, good = self._checked(Val(b.extract(self.index, lane), self.index.dtype))
            goods.append(good)
            offset = code.add(code.mul(at, self.stride), lane * inner)
            return code.at(base, offset, element_of(access.dtype))

        loaded = self._lane_by_lane(address)
        if self.outside != "zero":
            return loaded
        mask = "poison"
        for lane, good in enumerate(goods):
            mask = code.let(f"insertelement {b.type('bool')} {mask}, i1 {good}, i64 {lane}")
        return b.select(Val(mask, "bool"), loaded, constant(b, 0, access.dtype))

    def _lane_by_lane(self, address: Callable[[int], str]) -> Val:
        """A vector of elements from any addresses."""
        b, dtype = self.b, self.access.dtype
        text, kind = "poison", b.type(dtype)
        for lane in range(b.lanes):
            one = self.one.load(address(lane), dtype)
            text = self.code.let(f"insertelement {kind} {text}, {LLVM[dtype]} {one.text}, "
                                 f"i64 {lane}")
        return Val(text, dtype)

    def _checked(self, index: Val) -> tuple[str, str]:
        """An index as i64 that is safe to use, and whether it was good."""
        one = self.one
        at = one.cast(index, "int64")
        if self.outside == "nowhere":
            return at.text, "true"
        good = one.lt(Val(at.text, "uint64"), one.const(self.size, "uint64"))
        if self.outside == "error":
            set_error_status(self.code, good.text)
        return one.select(good, at, one.const(0, at)).text, good.text


def _are_inside(buffer: ir.Value, size: int) -> bool:
    """Whether indices are constants in range."""
    indices = buffer.const
    return isinstance(indices, np.ndarray) and indices.size > 0 and bool(
        indices.min() >= 0 and indices.max() < size)
