"""Sums over the rows of a kernel's result that its epilogue makes, block of rows by block.

A kernel hands its result over row by row. Each row is added to the sums of its block, one after the
other: in registers while rows of one block follow each other in a tile, else in memory. So no sum
depends on how rows are grouped into tiles, nor on which task makes them.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from math import prod
from typing import Any

from tapeflow.graph import ir
from tapeflow.jit.choices import Choice
from tapeflow.jit.codegen.addressing import AddressMap, element_of
from tapeflow.jit.codegen.builder import HALF, Builder, Val, itemsize, name_of
from tapeflow.jit.codegen.llvm_text import Code, Loop
from tapeflow.jit.codegen.memory_copy import fill
from tapeflow.jit.lowering.plan import CustomKernel

HOLD = Choice("epilogue.hold", (False, True))  # sums of a tile's columns in registers


class RowSums:
    """The sums of an epilogue.

    block   so many rows, one after the other, are added up; no two tasks make rows of one block
    values  what the sums are: for each block of rows a row
    held    sums that are in registers now, by value and first column of a vector
    present the block in which rows are now, if a kernel says so; else the rows' own numbers tell it
    """

    def __init__(self, kernel: CustomKernel, addresses: AddressMap, block: int):
        self.addresses, self.block = addresses, block
        found = kernel.epilogue.instructions if kernel.epilogue else []
        self.values = [instr.out for instr in found if instr.combine is not None]
        self.columns = (kernel.result.shape or (1,))[-1]
        self.held: dict[tuple[ir.Value, str], Val] = {}
        self.present = ""

    def clear(self, code: Code) -> None:
        """Begin all sums, before the kernel is called."""
        for value in self.values:
            fill(code, 0, self.addresses.pointer(code, value), prod(value.shape or ()),
                 name_of(value.dtype))

    def add(self, b: Builder, value: ir.Value, x: Val, row: str, column: str) -> None:
        """Add neighbouring elements of a row of the result."""
        x = b.widen(x) if x.dtype in HALF else x
        if self.held:
            self.held[value, column] = b.add(self.held[value, column], x)
            return
        block = self.present or b.code.pure(f"udiv i64 {row}, {self.block}")
        where = self._address(b.code, value, block, column)
        b.store(b.add(b.load(where, x.dtype), x), where)

    def _address(self, code: Code, value: ir.Value, block: str, column: str) -> str:
        offset = code.add(code.mul(block, self.columns), column)
        return code.at(self.addresses.pointer(code, value), offset,
                       element_of(name_of(value.dtype)))

    @contextmanager
    def rows(self, code: Code, begin: Any, end: Any, block: str,
             pieces: list[tuple[str, int]]) -> Iterator[Loop]:
        """A loop over rows of one block, of which the epilogue gets the same columns.

        pieces: the first column and the lanes of each vector.
        """
        code.table = "%ctx"
        target = code.module.target
        needed = sum(-(-lanes * itemsize(name_of(value.dtype)) // target.vector)
                     for value in self.values for _, lanes in pieces)
        if not HOLD(needed <= target.registers // 2, (False, True)):
            with code.loop(begin, end, some=True) as loop:
                self.present = block
                yield loop
                self.present = ""
            return
        held = []
        for value in self.values:
            for column, lanes in pieces:
                b, where = Builder(code, lanes), self._address(code, value, block, column)
                held.append(((value, column), b, where, b.load(where, name_of(value.dtype))))
        carry = [(b.type(x.dtype), x.text) for _, b, _, x in held]
        with code.loop(begin, end, carry=carry, some=True) as loop:
            self.held = {key: Val(text, x.dtype)
                         for (key, _, _, x), text in zip(held, loop.carry, strict=True)}
            yield loop
            loop.after = [x.text for x in self.held.values()]
            self.held = {}
        for (_, b, where, x), text in zip(held, loop.results, strict=True):
            b.store(Val(text, x.dtype), where)


def sums_of(epilogue: Any) -> RowSums | None:
    """The sums that an epilogue makes, if it makes some."""
    sums = getattr(epilogue, "sums", None)
    return sums if sums is not None and sums.values else None
