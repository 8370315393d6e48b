"""Arithmetic on indices while a function is written: ranges of tasks, indices along axes."""

from __future__ import annotations

from typing import Any

from tapeflow.jit.codegen.llvm_text import Code


def minimum(code: Code, x: Any, y: Any) -> str:
    """The smaller of two i64."""
    less = code.pure(f"icmp slt i64 {x}, {y}")
    return code.pure(f"select i1 {less}, i64 {x}, i64 {y}")


def maximum(code: Code, x: Any, y: Any) -> str:
    """The larger of two i64."""
    more = code.pure(f"icmp sgt i64 {x}, {y}")
    return code.pure(f"select i1 {more}, i64 {x}, i64 {y}")


def task_range(code: Code, task: str, total: int, tasks: int, unit: int) -> tuple[str, str]:
    """Where a task's part of a range begins and ends; cut at multiples of the unit."""
    if tasks == 1:
        return "0", str(total)
    units = -(-total // unit)

    def edge(index: str) -> str:
        first = code.pure(f"udiv i64 {code.mul(index, units)}, {tasks}")
        return minimum(code, code.mul(first, unit), total)

    return edge(task), edge(code.add(task, 1))


def unravel_index(code: Code, index: Any, sizes: list[int]) -> list[str]:
    """The indices along axes of these sizes, of an element whose flat index is known."""
    found: list[str] = []
    rest = str(index)
    for size in reversed(sizes[1:]):
        quotient = code.pure(f"udiv i64 {rest}, {size}") if size > 1 else rest
        found.append(code.pure(f"sub nsw i64 {rest}, {code.mul(quotient, size)}")
                     if size > 1 else "0")
        rest = quotient
    return [rest, *reversed(found)] if sizes else []
