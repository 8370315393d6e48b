"""Text that copies and fills memory, and pads images. Used by `kernels.conv`."""

from __future__ import annotations

from typing import Any

from tapeflow.jit.codegen.builder import LLVM, Builder, itemsize
from tapeflow.jit.codegen.llvm_text import Code, Module


def write_copy(module: Module, dtype: str, target_dtype: str = "") -> str:
    """`copy(source, target, count)`, from a dtype to another one or the same."""
    goal = target_dtype or dtype

    def write() -> Code:
        code = Code(module, name, [("ptr", "%source"), ("ptr", "%target"), ("i64", "%count")],
                    attributes=module.target.attributes)
        lanes = module.target.lanes(max(itemsize(dtype), itemsize(goal)))
        whole = code.let(f"and i64 %count, {-lanes}")
        for begin, end, each in ((0, whole, lanes), (whole, "%count", 1)):
            builder = Builder(code, each)
            with code.loop(begin, end, each) as loop:
                value = builder.load(code.at("%source", loop.index, LLVM[dtype]), dtype)
                builder.store(builder.cast(value, goal),
                              code.at("%target", loop.index, LLVM[goal]))
        return code

    name = f"tf.copy.{dtype}" if goal == dtype else f"tf.copy.{dtype}.{goal}"
    return module.once(name, write)


def write_fill(module: Module, dtype: str) -> str:
    """`fill(value, target, count)`."""
    def write() -> Code:
        code = Code(module, name, [(LLVM[dtype], "%value"), ("ptr", "%target"), ("i64", "%count")],
                    attributes=module.target.attributes)
        lanes = module.target.lanes(itemsize(dtype))
        whole = code.let(f"and i64 %count, {-lanes}")
        for begin, end, each in ((0, whole, lanes), (whole, "%count", 1)):
            builder = Builder(code, each)
            value = builder.splat("%value", dtype)
            with code.loop(begin, end, each) as loop:
                builder.store(value, code.at("%target", loop.index, LLVM[dtype]))
        return code

    name = f"tf.fill.{dtype}"
    return module.once(name, write)


def fill(code: Code, value: Any, target: str, count: Any, dtype: str) -> None:
    one = Builder(code).const(value, dtype).text
    name = write_fill(code.module, dtype)
    code.do(f"call void {name}({LLVM[dtype]} {one}, ptr {target}, i64 {count})")


LEVELS = 5  # of a loop nest: images, and the spatial axes of one


def _levels(values: Any, filling: int) -> str:
    """Arguments for all levels of a nest; the outer ones that are missing are `filling`."""
    every = [filling] * (LEVELS - len(values)) + list(values)
    return ", ".join(f"i64 {value}" for value in every)


def _level_params() -> list[tuple[str, str]]:
    """Counts n0, n1 … and strides s0, s1 … of the levels."""
    return [("i64", f"%{letter}{i}") for letter in "ns" for i in range(LEVELS)]


def grid(code: Code, target: str, begin: Any, counts: list, strides: list) -> None:
    """A table of offsets: begin + Σ i·stride for all i below the counts, the last axis fastest."""
    module = code.module
    if len(counts) > LEVELS:
        raise ValueError(f"a nest of {len(counts)} levels")

    def write() -> Code:
        inner = Code(module, "tf.grid", [("ptr", "%target"), ("i64", "%begin"), *_level_params()],
                     attributes=module.target.attributes)

        def level(i: int, offset: str, entry: str) -> str:
            if i == LEVELS:
                inner.do(f"store i64 {offset}, ptr {inner.at('%target', entry, 'i64')}")
                return inner.add(entry, 1)
            with inner.loop(0, f"%n{i}", 1, [("i64", entry), ("i64", offset)]) as loop:
                loop.after = [level(i + 1, loop.carry[1], loop.carry[0]),
                              inner.add(loop.carry[1], f"%s{i}")]
            return loop.results[0]

        level(0, "%begin", "0")
        return inner

    name = module.once("tf.grid", write)
    code.do(f"call void {name}(ptr {target}, i64 {begin}, {_levels(counts, 1)}, "
            f"{_levels(strides, 0)})")


def copy_lines(code: Code, contiguous: str, padded: str, counts: list, strides: list, line: Any,
               dtypes: tuple[str, str], back: bool = False) -> None:
    """Copy lines of elements that are contiguous to where they lie in padded images, or back.

    dtypes: of the contiguous elements and of the padded images.
    """
    module = code.module
    dtype, padded_dtype = dtypes

    def write() -> Code:
        inner = Code(module, label, [("ptr", "%contiguous"), ("ptr", "%padded"), ("i64", "%line"),
                                     *_level_params()], attributes=module.target.attributes)
        copy = write_copy(module, *(reversed(dtypes) if back else dtypes))

        def level(i: int, line_at: str, padded_at: str) -> str:
            if i == LEVELS:
                source, target = (padded_at, line_at) if back else (line_at, padded_at)
                inner.do(f"call void {copy}(ptr {source}, ptr {target}, i64 %line)")
                return inner.at(line_at, "%line", LLVM[dtype])
            with inner.loop(0, f"%n{i}", 1, [("ptr", line_at), ("ptr", padded_at)]) as loop:
                loop.after = [level(i + 1, *loop.carry),
                              inner.at(loop.carry[1], f"%s{i}", LLVM[padded_dtype])]
            return loop.results[0]

        level(0, "%contiguous", "%padded")
        return inner

    label = f"tf.lines.{'.'.join(dict.fromkeys(dtypes))}{'.back' if back else ''}"
    name = module.once(label, write)
    code.do(f"call void {name}(ptr {contiguous}, ptr {padded}, i64 {line}, {_levels(counts, 1)}, "
            f"{_levels(strides, 0)})")
