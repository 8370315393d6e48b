"""Vectors of which some lanes count: rows whose width is no multiple of the lanes.

A width is covered by full vectors and a last one of fewer lanes that count. Half precision is
widened as it is loaded: sums are made in float32. Used by the kernels of products and windows.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from tapeflow.jit.codegen.builder import HALF, LLVM, ROUNDED_AS, SHORT, Builder, Val
from tapeflow.jit.codegen.llvm_text import Code


class VectorSlot(NamedTuple):
    """One of the vectors that cover a width: its first element, its lanes, those that count."""

    offset: int
    lanes: int
    used: int


def vector_slots(width: int, lanes: int) -> list[VectorSlot]:
    """The vectors that cover a width."""
    found = [VectorSlot(at, lanes, lanes) for at in range(0, width - lanes + 1, lanes)]
    rest = width % lanes
    if rest:
        found.append(VectorSlot(width - rest, 1 << (rest - 1).bit_length(), rest))
    return found


def padded_width(width: int, lanes: int) -> int:
    """The lanes of all vectors that cover a width."""
    return sum(slot.lanes for slot in vector_slots(width, lanes))


def power_of_two_parts(width: int, most: int) -> list[int]:
    """A width as powers of two, the largest first."""
    found = []
    while width:
        part = min(most, 1 << (width.bit_length() - 1))
        found.append(part)
        width -= part
    return found


def column_pieces(code: Code, first: Any, width: int, most: int) -> list[tuple[str, int]]:
    """(first column, lanes) of the vectors of so many neighbouring columns."""
    found, at = [], 0
    for lanes in power_of_two_parts(width, most):
        found.append((code.add(first, at), lanes))
        at += lanes
    return found


def sum_dtype(dtype: str) -> str:
    """The dtype that sums are made in."""
    return "float32" if dtype in HALF or dtype in ROUNDED_AS else dtype


def vector_types(slots: list[VectorSlot], dtype: str) -> list[str]:
    """LLVM's types of the vectors."""
    return [f"<{slot.lanes} x {LLVM[dtype]}>" if slot.lanes > 1 else LLVM[dtype] for slot in slots]


def rounded(b: Builder, value: Val, dtype: str) -> Val:
    """A sum, difference or product of numbers of a dtype in that dtype again."""
    if dtype != "bfloat16":
        return b.cast(value, dtype)
    return b.narrow(value, dtype, short=True)  # arithmetic makes no digits of a NaN


def multiply_add(b: Builder, x: Val, y: Val, z: Val) -> Val:
    return b.fma(x, y, z) if x.dtype in SHORT else b.add(b.mul(x, y), z)


# -- loads and stores ------------------------------------------------------------------------------
def load_widened(b: Builder, pointer: str, dtype: str) -> Val:
    """The builder's lanes, in the dtype of sums."""
    if dtype in ROUNDED_AS:
        return b.widen(b.narrow(b.load(pointer, "float32"), ROUNDED_AS[dtype]))
    x = b.load(pointer, dtype)
    return b.widen(x) if dtype in HALF else x


def load_partial(b: Builder, pointer: str, dtype: str, count: int) -> Val:
    """`count` elements in a vector of the builder's lanes; the others are undefined."""
    if count == b.lanes:
        return load_widened(b, pointer, dtype)
    code, lanes = b.code, b.lanes
    loaded = load_widened(Builder(code, count), pointer, dtype)
    kind = LLVM[loaded.dtype]
    if count == 1:
        return Val(code.pure(f"insertelement <{lanes} x {kind}> poison, {kind} {loaded.text}, "
                             "i64 0"), loaded.dtype)
    mask = ", ".join(f"i32 {i}" if i < count else "i32 poison" for i in range(lanes))
    return Val(code.pure(f"shufflevector <{count} x {kind}> {loaded.text}, <{count} x {kind}> "
                         f"poison, <{lanes} x i32> <{mask}>"), loaded.dtype)


def load_zero_filled(b: Builder, pointer: str, dtype: str, count: int) -> Val:
    """`count` elements in a vector of the builder's lanes; the others are 0."""
    if count == b.lanes:
        return load_widened(b, pointer, dtype)
    value, lanes = load_partial(b, pointer, dtype, count), b.lanes
    kind = LLVM[value.dtype]
    mask = ", ".join(f"i32 {i if i < count else lanes + i}" for i in range(lanes))
    return Val(b.code.pure(f"shufflevector <{lanes} x {kind}> {value.text}, <{lanes} x {kind}> "
                           f"zeroinitializer, <{lanes} x i32> <{mask}>"), value.dtype)


def store_partial(b: Builder, value: Val, pointer: str, count: int) -> None:
    """Store the first `count` lanes."""
    if count == b.lanes:
        b.store(value, pointer)
        return
    at = 0
    for part in power_of_two_parts(count, b.lanes):
        lanes = extract_lanes(b, value, at, part)
        Builder(b.code, part).store(lanes, b.code.at(pointer, at, LLVM[value.dtype]))
        at += part


def extract_lanes(b: Builder, x: Val, first: int, count: int) -> Val:
    """Some neighbouring lanes of a vector."""
    kind, lanes = LLVM[x.dtype], b.lanes
    if lanes == count:
        return x
    if count == 1:
        return Val(b.code.pure(f"extractelement <{lanes} x {kind}> {x.text}, i64 {first}"), x.dtype)
    mask = ", ".join(f"i32 {first + i}" for i in range(count))
    return Val(b.code.pure(f"shufflevector <{lanes} x {kind}> {x.text}, <{lanes} x {kind}> "
                           f"poison, <{count} x i32> <{mask}>"), x.dtype)
