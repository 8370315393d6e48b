"""CRC-32C in machine code, for programs that read and write much. Imported by `crc32c.py` alone.

Eight bytes at a time: each is looked up in a table for its distance from the end of the eight.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from typing import Any

import numpy as np

from tapeflow.base.exception_origin import from_library
from tapeflow.base.settings import settings


def _step(name: str, word: str, first: int) -> list[str]:
    """Four look-ups of the bytes of a 32-bit word, the lowest in table `first`."""
    lines = []
    for i in range(4):
        lines += [
            f"  %{name}s{i} = lshr i32 %{word}, {8 * i}",
            f"  %{name}b{i} = and i32 %{name}s{i}, 255",
            f"  %{name}i{i} = add i32 %{name}b{i}, {256 * (first - i)}",
            f"  %{name}z{i} = zext i32 %{name}i{i} to i64",
            f"  %{name}p{i} = getelementptr i32, ptr %table, i64 %{name}z{i}",
            f"  %{name}v{i} = load i32, ptr %{name}p{i}",
        ]
    return lines


def text() -> str:
    """LLVM text of `crc(table, data, size, state)`."""
    eight = [
        "  %pe = getelementptr i8, ptr %data, i64 %i",
        "  %x = load i64, ptr %pe, align 1",
        "  %low = trunc i64 %x to i32",
        "  %up = lshr i64 %x, 32",
        "  %high = trunc i64 %up to i32",
        "  %mixed = xor i32 %low, %state8",
        *_step("a", "mixed", 7), *_step("b", "high", 3),
    ]
    values = [f"%{name}v{i}" for name in "ab" for i in range(4)]
    last = values[0]
    for n, value in enumerate(values[1:]):
        eight.append(f"  %r{n} = xor i32 {last}, {value}")
        last = f"%r{n}"
    return "\n".join([
        "define i32 @crc(ptr %table, ptr %data, i64 %size, i32 %state) {",
        "entry:",
        "  %whole = and i64 %size, -8",
        "  %any = icmp ne i64 %whole, 0",
        "  br i1 %any, label %eights, label %rest",
        "eights:",
        "  %i = phi i64 [0, %entry], [%inext, %eights]",
        f"  %state8 = phi i32 [%state, %entry], [{last}, %eights]",
        *eight,
        "  %inext = add i64 %i, 8",
        "  %more = icmp ult i64 %inext, %whole",
        "  br i1 %more, label %eights, label %rest",
        "rest:",
        f"  %begun = phi i32 [%state, %entry], [{last}, %eights]",
        "  br label %check",
        "check:",
        "  %j = phi i64 [%whole, %rest], [%jnext, %byte]",
        "  %now = phi i32 [%begun, %rest], [%after, %byte]",
        "  %left = icmp ult i64 %j, %size",
        "  br i1 %left, label %byte, label %done",
        "byte:",
        "  %pj = getelementptr i8, ptr %data, i64 %j",
        "  %c = load i8, ptr %pj",
        "  %wide = zext i8 %c to i32",
        "  %both = xor i32 %wide, %now",
        "  %index = and i32 %both, 255",
        "  %zindex = zext i32 %index to i64",
        "  %pt = getelementptr i32, ptr %table, i64 %zindex",
        "  %found = load i32, ptr %pt",
        "  %shifted = lshr i32 %now, 8",
        "  %after = xor i32 %found, %shifted",
        "  %jnext = add i64 %j, 1",
        "  br label %check",
        "done:",
        "  ret i32 %now",
        "}",
    ]) + "\n"


def compiled(tables: np.ndarray) -> Callable[[bytes, int, int], int] | None:
    """`update(data, size, state)`, or None where nothing can be compiled.

    `tables[k]` has the remainders of each byte that k zero bytes follow.
    """
    try:
        import sys

        from tapeflow.jit.runtime import llvm_backend
        if settings.jit == "off" or sys.byteorder != "little":
            return None
        loaded = llvm_backend.load(text())
    except Exception as error:  # no llvmlite, or a processor that it does not know
        if not from_library(error):
            raise
        return None
    held: Any = np.ascontiguousarray(tables, np.uint32)
    function = ctypes.PYFUNCTYPE(ctypes.c_uint32, ctypes.c_void_p, ctypes.c_char_p,
                                 ctypes.c_int64, ctypes.c_uint32)(loaded.address("crc"))
    address = held.ctypes.data

    def update(data: bytes, size: int, state: int) -> int:
        return function(address, data, size, state)

    update.held = (held, loaded)  # type: ignore[attr-defined]
    return update
