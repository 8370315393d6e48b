"""Sums over the rows of a kernel's result that its epilogue makes, block of rows by block.

A kernel hands its result over row by row. Rows in a row (of a tile) that belong to one block are
added up in registers, else in memory: in both cases one after the other, so that a sum does not
depend on how rows are grouped into tiles.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from math import prod
from typing import Any

from tapeflow.graph import ir
from tapeflow.jit.choices import Choice
from tapeflow.jit.codegen.addressing import AddressMap, element_of
from tapeflow.jit.codegen.builder import HALF, Builder, Val, name_of
from tapeflow.jit.codegen.llvm_text import Code, Loop
from tapeflow.jit.codegen.memory_copy import fill
from tapeflow.jit.lowering.plan import CustomKernel

HELD = Choice("epilogue.sums", ("registers", "memory"))


class RowSums:
    """The sums of an epilogue.

    block  so many rows, one after the other, are added up; no two tasks make rows of one block
    held   sums that are in registers now: by value, and the first column of a vector
    """

    def __init__(self, kernel: CustomKernel, addresses: AddressMap, block: int):
        self.addresses, self.block = addresses, block
        found = kernel.epilogue.instructions if kernel.epilogue else []
        self.values = [instr.out for instr in found if instr.combine is not None]
        self.columns = (kernel.result.shape or (1,))[-1]
        self.held: dict[tuple[ir.Value, str], Val] = {}

    def clear(self, code: Code) -> None:
        """Begin all sums, before the kernel is called."""
        for value in self.values:
            fill(code, 0, self.addresses.pointer(code, value), prod(value.shape or ()),
                 name_of(value.dtype))

    def add(self, b: Builder, value: ir.Value, x: Val, row: str, column: str) -> None:
        """Add neighbouring elements of a row of the result."""
        x = b.widen(x) if x.dtype in HALF else x
        held = self.held.get((value, column))
        if HELD("memory" if held is None else "registers") == "registers":
            assert held is not None
            self.held[value, column] = b.add(held, x)
            return
        where = self._address(b.code, value, b.code.pure(f"udiv i64 {row}, {self.block}"), column)
        b.store(b.add(b.load(where, x.dtype), x), where)

    def _address(self, code: Code, value: ir.Value, block: str, column: str) -> str:
        offset = code.add(code.mul(block, self.columns), column)
        return code.at(self.addresses.pointer(code, value), offset,
                       element_of(name_of(value.dtype)))

    @contextmanager
    def holding(self, code: Code, begin: Any, end: Any, block: str,
                pieces: list[tuple[str, int]]) -> Iterator[Loop]:
        """A loop over rows of a block, with the sums of vectors of columns in registers.

        pieces: (first column, lanes) of the vectors.
        """
        code.table = "%ctx"
        sums = {}
        for value in self.values:
            dtype = name_of(value.dtype)
            for column, lanes in pieces:
                b, where = Builder(code, lanes), self._address(code, value, block, column)
                sums[value, column] = b, where, b.load(where, dtype)
        carry = [(b.type(x.dtype), x.text) for b, _, x in sums.values()]
        with code.loop(begin, end, carry=carry, some=True) as loop:
            self.held = {key: Val(text, x.dtype) for (key, (_, _, x)), text in zip(
                sums.items(), loop.carry, strict=True)}
            yield loop
            loop.after = [x.text for x in self.held.values()]
            self.held = {}
        for (b, where, x), text in zip(sums.values(), loop.results, strict=True):
            b.store(Val(text, x.dtype), where)


class SummingEpilogue:
    """An epilogue for kernels, with the sums that it makes."""

    def __init__(self, emit: Callable[[Builder, Code, str, str, Val, int], None], sums: RowSums):
        self._emit, self.sums = emit, sums

    def __call__(self, b: Builder, code: Code, row: str, column: str, value: Val,
                 lanes: int) -> None:
        self._emit(b, code, row, column, value, lanes)


def sums_of(epilogue: Any) -> RowSums | None:
    """The sums that an epilogue makes, if it makes some."""
    sums = getattr(epilogue, "sums", None)
    return sums if sums is not None and sums.values else None
