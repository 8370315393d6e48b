"""C structs by name, and the LLVM text that reads and writes their fields.

A struct is declared once, as a `ctypes.Structure`: ctypes knows where a C compiler puts each field.
Python fills it in by attribute; native code names the same fields:

    class Point(Struct):
        _fields_ = (("x", i32), ("y", i64))

    Point.at("%point").load("y")      %y.at = getelementptr i8, ptr %point, i64 8
                                      %y = load i64, ptr %y.at

A value is named after its field unless `into` says otherwise. The texts stand at the place of one
instruction in a block that is indented by two blanks.
"""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from typing import Any

i8, i32, i64, u32 = ctypes.c_int8, ctypes.c_int32, ctypes.c_int64, ctypes.c_uint32
pointer = ctypes.c_void_p
Fields = Sequence[tuple[str, Any]]  # names and C types
CACHE_LINE = 64  # bytes

NEXT = "\n  "  # between two instructions


def cache_line(*fields: tuple[str, Any]) -> Fields:
    """Fields that share cache lines with each other only: what another thread writes is apart.

    To be used for all fields before one that must begin a line.
    """
    class Line(ctypes.Structure):
        _fields_ = fields

    last = getattr(Line, fields[-1][0])
    rest = -(last.offset + last.size) % CACHE_LINE
    return (*fields, (f"_after_{fields[-1][0]}", i8 * rest)) if rest else fields


class Struct(ctypes.Structure):
    """A C struct whose fields LLVM text can name."""

    @classmethod
    def at(cls, name: str) -> Pointer:
        """The struct that a pointer of this name points to."""
        return Pointer(cls, name)

    @classmethod
    def element(cls, first: str, index: str, into: str) -> str:
        """The address of one struct of an array of them."""
        return f"{into} = getelementptr [{ctypes.sizeof(cls)} x i8], ptr {first}, i64 {index}"


def field_offset(struct: type[Struct], field: str) -> int:
    """Bytes of a struct before a field."""
    return getattr(struct, field).offset


def field_type(struct: type[Struct], field: str) -> str:
    """The LLVM type of a field of a simple C type."""
    declared = {name: kind for base in reversed(struct.__mro__)
                for name, kind in getattr(base, "_fields_", ())}
    kind = declared[field]
    return "ptr" if kind is pointer else f"i{8 * ctypes.sizeof(kind)}"


class Pointer:
    """A pointer to a struct in LLVM text: instructions on its fields."""

    def __init__(self, struct: type[Struct], name: str):
        self.struct, self.name = struct, name

    def _beyond(self, offset: int, into: str) -> str:
        return f"{into} = getelementptr i8, ptr {self.name}, i64 {offset}"

    def address(self, field: str, into: str = "") -> str:
        return self._beyond(field_offset(self.struct, field), into or f"%{field}")

    def end(self, into: str) -> str:
        """The address after the struct, where an array may follow."""
        return self._beyond(ctypes.sizeof(self.struct), into)

    def _addressed(self, field: str, name: str) -> tuple[str, str]:
        """What computes a field's address, and the address; of the first field it is our own."""
        if not field_offset(self.struct, field):
            return "", self.name
        return self.address(field, f"{name}.at") + NEXT, f"{name}.at"

    def load(self, field: str, into: str = "", how: str = "") -> str:
        into = into or f"%{field}"
        before, address = self._addressed(field, into)
        return f"{before}{into} = load{how} {field_type(self.struct, field)}, ptr {address}"

    def store(self, field: str, value: str, how: str = "") -> str:
        before, address = self._addressed(field, f"%set_{field}")
        return f"{before}store{how} {field_type(self.struct, field)} {value}, ptr {address}"

    # -- words that several threads use: every change is seen by all, in one order -----------------
    def atomic_load(self, field: str, into: str = "") -> str:
        return f"{self.load(field, into, ' atomic')} {self._order(field)}"

    def atomic_store(self, field: str, value: str) -> str:
        return f"{self.store(field, value, ' atomic')} {self._order(field)}"

    def atomic_update(self, operation: str, field: str, value: str, into: str) -> str:
        """operation: add, sub, xchg. `into`: what the field was."""
        before, address = self._addressed(field, into)
        kind = field_type(self.struct, field)
        return (f"{before}{into} = atomicrmw {operation} ptr {address}, {kind} {value} "
                f"{self._order(field)}")

    def compare_exchange(self, field: str, expected: str, new: str, into: str) -> str:
        """Change a field if it is as expected. `into`: whether it was."""
        before, address = self._addressed(field, into)
        kind = field_type(self.struct, field)
        return (f"{before}{into}.pair = cmpxchg ptr {address}, {kind} {expected}, {kind} {new} "
                f"seq_cst {self._order(field)}{NEXT}"
                f"{into} = extractvalue {{ {kind}, i1 }} {into}.pair, 1")

    def _order(self, field: str) -> str:
        return f"seq_cst, align {getattr(self.struct, field).size}"


def loop_head(label: str, index: str, count: str, *, before: str, latch: str, body: str,
              done: str) -> str:
    """The block that a loop over 0 … count - 1 begins with, tested before each iteration.

    before, latch: the blocks that it is reached from; the latch has `index_step`.
    """
    return f"""{label}:
  {index} = phi i64 [ 0, %{before} ], [ {index}.next, %{latch} ]
  {index}.more = icmp slt i64 {index}, {count}
  br i1 {index}.more, label %{body}, label %{done}"""


def index_step(index: str) -> str:
    return f"{index}.next = add i64 {index}, 1"
