"""Rows of small matrices: copies with padded rows, and sums of products of rows.

A matrix is worked on in rows of whole vectors: its columns are padded, so that no vector has lanes
beyond a row's end but those of the padding, whose values nobody reads.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tapeflow.jit.choices import Choice
from tapeflow.jit.codegen.builder import LLVM, Builder, Val, itemsize
from tapeflow.jit.codegen.llvm_text import Code, Module
from tapeflow.jit.codegen.partial_vectors import (
    VectorSlot,
    load_partial,
    load_zero_filled,
    multiply_add,
    store_partial,
    vector_slots,
)
from tapeflow.jit.kernels.gemm.gemm_pack import Matrix, write_transpose

COPY = Choice("matrix.copy", ("rows", "squares", "scalars"))
CHAINS = Choice("matrix.chains", (1, 2, 4))  # sums of one element that are made side by side
SLAB = 4  # vectors of columns whose sums are made together

Address = Callable[[str], str]


def lanes_for(module: Module, dtype: str, width: int) -> int:
    """The lanes of a vector for rows of this width: no more than cover it."""
    return min(int(module.target.lanes(itemsize(dtype))), 1 << (width - 1).bit_length())


def padded(width: int, lanes: int) -> int:
    return -(-width // lanes) * lanes


# -- copies ----------------------------------------------------------------------------------------
def copy_matrix(code: Code, source: Matrix, target: Matrix, rows: int, columns: int,
                lanes: int) -> None:
    """Copy a matrix to rows that are contiguous; lanes beyond the columns are written only if the
    target's rows have room for them, and are 0 then.
    """
    assert target.column_stride == 1
    kind = LLVM[source.dtype]
    squares = source.row_stride == 1 and lanes > 1 and rows >= lanes and columns >= lanes
    if source.column_stride == 1:
        COPY("rows")
        _copy_rows(code, source, target, rows, columns, lanes)
        return
    taken = COPY("squares" if squares else "scalars",
                 ("scalars", "squares" if squares else "scalars"))
    down = rows // lanes * lanes if taken == "squares" else 0
    across = columns // lanes * lanes if down else 0
    if down:
        transpose = write_transpose(code.module, source.dtype, lanes, lanes)
        with code.loop(0, down, lanes) as row, code.loop(0, across, lanes) as column:
            code.do(f"call void {transpose}(ptr {source.address(code, row.index, column.index)}, "
                    f"i64 {source.column_stride}, ptr "
                    f"{target.address(code, row.index, column.index)}, i64 {target.row_stride})")
    one = Builder(code)
    for first, last, begin in ((0, down, across), (down, rows, 0)):
        if first < last and begin < columns:
            with code.loop(first, last) as row, code.loop(begin, columns) as column:
                one.store(one.load(source.address(code, row.index, column.index), source.dtype),
                          target.address(code, row.index, column.index))
    if padded(columns, lanes) <= target.row_stride and columns % lanes:
        with code.loop(0, rows) as row, code.loop(columns, padded(columns, lanes)) as column:
            code.do(f"store {kind} {one.const(0, source.dtype).text}, ptr "
                    f"{target.address(code, row.index, column.index)}")


def _copy_rows(code: Code, source: Matrix, target: Matrix, rows: int, columns: int,
               lanes: int) -> None:
    wide = padded(columns, lanes) <= target.row_stride
    with code.loop(0, rows) as row:
        for slot in vector_slots(columns, lanes):
            size = lanes if wide else slot.lanes
            b = Builder(code, size)
            x = load_zero_filled(b, source.address(code, row.index, slot.offset), source.dtype,
                                 slot.used)
            store_partial(b, x, target.address(code, row.index, slot.offset),
                          size if wide else slot.used)


# -- sums ------------------------------------------------------------------------------------------
def sums_of_products(code: Code, slots: list[VectorSlot], terms: tuple[Any, Any], factor: Address,
                     row: Address, dtype: str) -> list[Val]:
    """For each slot the sum over p in a range of factor(p) * row(p); both give addresses.

    A sum that is added to again waits for the last addition: if there are few slots, several sums
    are made side by side.
    """
    begin, end = terms
    best = 4 if len(slots) == 1 else 2 if len(slots) < 4 else 1
    chains = CHAINS(best, (1, 2, 4) if len(slots) < 3 else (1, 2))
    builders = [Builder(code, slot.lanes) for slot in slots]
    zeros = [b.const(0, dtype) for b in builders] * chains
    count = code.pure(f"sub nsw i64 {end}, {begin}")
    middle = code.add(begin, code.pure(f"and i64 {count}, {-chains}")) if chains > 1 else str(end)

    def add(index: str, sums: list[str]) -> list[str]:
        one, at = Builder(code), row(index)
        number = one.load(factor(index), dtype)
        found = []
        for b, slot, total in zip(builders, slots, sums, strict=True):
            x = load_partial(b, code.at(at, slot.offset, LLVM[dtype]), dtype, slot.used)
            found.append(multiply_add(b, b.splat(number.text, dtype), x, Val(total, dtype)).text)
        return found

    kinds = [b.type(dtype) for b in builders]
    width = len(slots)
    with code.loop(begin, middle, chains, some=False,
                   carry=[(kind, zero.text) for kind, zero in zip(kinds * chains, zeros)]) as loop:
        for i in range(chains):
            part = slice(i * width, (i + 1) * width)
            loop.after[part] = add(code.add(loop.index, i), loop.carry[part])
    sums = loop.results
    if chains > 1:
        with code.loop(middle, end, some=False,
                       carry=list(zip(kinds, sums[:width]))) as rest:
            rest.after[:] = add(rest.index, rest.carry)
        sums = rest.results + sums[width:]
    found = [Val(text, dtype) for text in sums]
    while len(found) > width:  # first half with second, as a tree
        half = len(found) // 2
        found = [builders[i % width].add(found[i], found[half + i]) for i in range(half)]
    return found


def column_slabs(code: Code, columns: int, lanes: int,
                 write: Callable[[Any, list[VectorSlot]], None]) -> None:
    """Call `write(first column, slots)` for groups of neighbouring columns."""
    wide = SLAB * lanes
    full = columns // wide * wide
    if full:
        with code.loop(0, full, wide) as loop:
            write(loop.index, vector_slots(wide, lanes))
    if columns > full:
        write(full, vector_slots(columns - full, lanes))


def lane_numbers(b: Builder, first: Any) -> Val:
    """The number of each lane (int32), when that of the first is known."""
    number = Builder(b.code).cast(Val(str(first), "int64"), "int32") if not str(
        first).isdigit() else Val(str(first), "int32")
    text = b.splat(number.text, "int32")
    if b.lanes == 1:
        return text
    steps = ", ".join(f"i32 {i}" for i in range(b.lanes))
    return b.add(text, Val(f"<{steps}>", "int32"))


def as_int32(code: Code, index: str) -> str:
    """An i64 as an i32."""
    return Builder(code).cast(Val(index, "int64"), "int32").text if not index.isdigit() else index
