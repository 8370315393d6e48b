"""Elements of values: where they lie, how they are read, computed, combined and written.

What fused loops and the epilogues of kernels share.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from tapeflow.graph import ir
from tapeflow.jit.choices import Choice
from tapeflow.jit.codegen.builder import HALF, LLVM, Builder, Val, itemsize, name_of
from tapeflow.jit.codegen.llvm_text import Code
from tapeflow.jit.lowering.plan import (
    FusedLoop,
    Instruction,
    Plan,
    strides_by_dim,
    strides_of,
)

IDENTITY: dict[str, Callable[[str], Any]] = {
    "sum": lambda dtype: 0, "prod": lambda dtype: 1,
    "max": lambda dtype: _lowest(dtype), "min": lambda dtype: _highest(dtype),
    "any": lambda dtype: False, "all": lambda dtype: True}
CALL_WEIGHT = 12  # of an instruction that calls a function
STREAM_ALIGNMENT = 16  # bytes that a streaming store is aligned to
READ = Choice("element.read", ("scalar", "vector", "same", "apart"))
WRITE = Choice("element.write", ("scalar", "vector", "apart"))


def _lowest(dtype: str) -> Any:
    if "float" in dtype:
        return float("-inf")
    return 0 if dtype[0] == "u" or dtype == "bool" else -(1 << (8 * itemsize(dtype) - 1))


def _highest(dtype: str) -> Any:
    if "float" in dtype:
        return float("inf")
    if dtype == "bool":
        return True
    return (1 << (8 * itemsize(dtype) - (dtype[0] != "u"))) - 1


def combine(b: Builder, how: str, x: Val, y: Val) -> Val:
    """Two partial results of a reduction."""
    if how == "sum":
        return b.add(x, y)
    if how == "prod":
        return b.mul(x, y)
    if how == "max":
        return b.maximum(x, y)
    if how == "min":
        return b.minimum(x, y)
    return b.either(x, y) if how == "any" else b.both(x, y)


def across(b: Builder, how: str, x: Val) -> Val:
    """All lanes combined into one scalar."""
    code, lanes = b.code, b.lanes
    while lanes > 1:
        half = Builder(code, lanes // 2)
        kind = Builder(code, lanes).type(x.dtype)
        parts = []
        for first in (0, lanes // 2):
            mask = ", ".join(f"i32 {first + i}" for i in range(lanes // 2))
            if lanes == 2:
                parts.append(Val(code.pure(f"extractelement {kind} {x.text}, i64 {first}"),
                                 x.dtype))
            else:
                parts.append(Val(code.pure(f"shufflevector {kind} {x.text}, {kind} poison, "
                                           f"<{lanes // 2} x i32> <{mask}>"), x.dtype))
        x = combine(half, how, parts[0], parts[1])
        lanes //= 2
    return x


class Access:
    """Elements of a buffer: where the first is, and how far it is to the next along each dim."""

    __slots__ = ("dtype", "key", "offset", "buffer", "strides")

    def __init__(self, buffer: ir.Value, offset: int, strides: dict[int, int]):
        self.buffer, self.offset, self.strides = buffer, offset, strides
        self.dtype = name_of(buffer.dtype)
        self.key = (buffer, offset, tuple(sorted(strides.items())))


class AddressMap:
    """Addresses of buffers, as a kernel finds them: a slot of the pointer table and an offset."""

    def __init__(self, slot: dict[ir.Value, tuple[int, int]]):
        self.slot = slot

    def pointer(self, code: Code, buffer: ir.Value) -> str:
        slot, offset = self.slot[buffer]
        return pointer_at(code, slot, offset)


def pointer_at(code: Code, slot: int, offset: int) -> str:
    """The address in a slot, plus bytes; loaded once, at the function's start."""
    known = code.known_at_entry
    key = f"slot {slot}"
    if key not in known:
        entry, base = code.name_for("s"), code.name_for("b")
        code.heads.append(f"  {entry} = getelementptr inbounds ptr, ptr {code.table}, i64 {slot}")
        code.heads.append(f"  {base} = load ptr, ptr {entry}, align 8")
        known[key] = base
    if not offset:
        return known[key]
    full = f"slot {slot} {offset}"
    if full not in known:
        name = code.name_for("b")
        code.heads.append(f"  {name} = getelementptr inbounds i8, ptr {known[key]}, i64 {offset}")
        known[full] = name
    return known[full]


def set_error_status(code: Code, good: str) -> None:
    """Set the status word unless an i1 is true.

    Tasks that do this at once must not undo each other, so the word is never read and written
    again: what is good goes to the word behind it.
    """
    word = code.let(f"select i1 {good}, i64 1, i64 0")
    code.do(f"store i64 1, ptr {code.at(pointer_at(code, 2, 0), word, 'i64')}, align 8")


def accepted(b: Builder, index: Val, size: int, outside: str) -> Val:
    """Whether an int64 index is no error: it is in range, or it is negative and those are skipped.
    """
    if outside == "negative":
        return b.lt(index, b.const(size, "int64"))
    return b.lt(Val(index.text, "uint64"), b.const(size, "uint64"))


def element_of(dtype: str) -> str:
    """LLVM's type of an element in memory."""
    return "i8" if dtype == "bool" else LLVM[dtype]


def read_lanes(b: Builder, first: str, stride: int, dtype: str) -> Val:
    """Elements that lie `stride` apart, from an address on; 0: one for all lanes."""
    how = READ("scalar" if b.lanes == 1 else {1: "vector", 0: "same"}.get(stride, "apart"))
    if how in ("scalar", "vector"):
        return b.load(first, dtype)
    one, code = Builder(b.code), b.code
    if how == "same":
        return b.splat(one.load(first, dtype).text, dtype)
    text, kind = "poison", b.type(dtype)
    for lane in range(b.lanes):
        x = one.load(code.at(first, lane * stride, element_of(dtype)), dtype)
        text = code.let(f"insertelement {kind} {text}, {LLVM[dtype]} {x.text}, i64 {lane}")
    return Val(text, dtype)


def write_lanes(b: Builder, value: Val, first: str, stride: int) -> None:
    """Store lanes `stride` elements apart."""
    if WRITE("scalar" if b.lanes == 1 else "vector" if stride == 1 else "apart") != "apart":
        b.store(value, first)
        return
    for lane in range(b.lanes):
        address = b.code.at(first, lane * stride, element_of(value.dtype))
        Builder(b.code).store(Val(b.extract(value, lane), value.dtype), address)


def operand_access(plan: Plan, fused: FusedLoop, instr: Instruction, position: int) -> Access:
    """How an operand from outside of a fused loop is read."""
    view = plan.view_of(instr.inputs[position])
    axes = fused.domain_axes(instr)
    dims = tuple([axes[a] for a, _ in instr.aligned(position, view.shape)])
    return Access(view.buffer, view.offset, strides_by_dim(view.shape, view.strides, dims))


def result_access(fused: FusedLoop, instr: Instruction) -> Access:
    """Where a value goes that has memory: into its buffer, or into the part that is its target."""
    axes = fused.axes[instr.out]
    if instr.target is None:
        return Access(instr.out, 0, strides_of(instr.out, axes))
    view = instr.target
    return Access(view.buffer, view.offset, strides_by_dim(view.shape, view.strides, axes))


def lane_indices(b: Builder, first: str) -> Val:
    """The index of each lane, when that of the first is known."""
    index = b.splat(first, "int64")
    if b.lanes == 1:
        return index
    lanes = ", ".join(f"i64 {i}" for i in range(b.lanes))
    return b.add(index, Val(f"<{lanes}>", "int64"))


def apply(b: Builder, instr: Instruction, xs: list[Val], index: list | None = None) -> Val:
    """The instruction's own arithmetic; half precision is cast to float32 and rounded."""
    assert instr.write is not None
    wide = [b.widen(x) if x.dtype in HALF else x for x in xs]
    result = instr.write(b, *wide, index=index) if instr.indexed else instr.write(b, *wide)
    dtype = name_of(instr.out.dtype)
    if dtype in HALF and result.dtype == "float32":
        # Arithmetic makes no digits of a NaN; who knows what a function does.
        short = instr.weight < CALL_WEIGHT and all(x.dtype in ("bfloat16", "bool") for x in xs)
        result = b.narrow(result, dtype, short)
    assert result.dtype == dtype, (instr.out, result)
    return result


def accumulator_dtype(instr: Instruction) -> str:
    """The dtype that a reduction is gathered in."""
    dtype = name_of(instr.out.dtype)
    return "float32" if dtype in HALF else dtype


def constant(b: Builder, scalar: Any, dtype: str) -> Val:
    """A scalar in all lanes."""
    if dtype not in HALF:
        return b.const(scalar, dtype)
    rounded = np.array(scalar, "float32").astype(dtype)
    wide = b.const(float(rounded), "float32")
    return Val(b.const(rounded, dtype).text, dtype, wide=Val(wide.text, "float32", fits=dtype))
