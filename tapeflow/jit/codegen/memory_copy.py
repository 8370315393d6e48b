"""Text that copies and fills memory, and gives images a border. Used by `windows` and its kin."""

from __future__ import annotations

from typing import Any

from tapeflow.jit.codegen.builder import LLVM, Builder, itemsize
from tapeflow.jit.codegen.llvm_text import Code, Module


def write_copy(module: Module, dtype: str) -> str:
    """`copy(source, target, count)`."""
    def write() -> Code:
        code = Code(module, name, [("ptr", "%source"), ("ptr", "%target"), ("i64", "%count")],
                    attributes=module.target.attributes)
        lanes = module.target.lanes(itemsize(dtype))
        whole = code.let(f"and i64 %count, {-lanes}")
        for begin, end, each in ((0, whole, lanes), (whole, "%count", 1)):
            builder = Builder(code, each)
            with code.loop(begin, end, each) as loop:
                value = builder.load(code.at("%source", loop.index, LLVM[dtype]), dtype)
                builder.store(value, code.at("%target", loop.index, LLVM[dtype]))
        return code

    name = f"tf.copy.{dtype}"
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


LEVELS = 5  # images, and axes of one


def _levels(values: Any, filling: int) -> str:
    """Numbers for the levels of a nest, the outer ones filled up."""
    every = [filling] * (LEVELS - len(values)) + list(values)
    return ", ".join(f"i64 {one}" for one in every)


def _level_params() -> list[tuple[str, str]]:
    return [("i64", f"%{letter}{i}") for letter in "ns" for i in range(LEVELS)]


def grid(code: Code, target: str, begin: Any, counts: list, steps: list) -> None:
    """Write the numbers begin + Σ i·step, for all i below the counts, one after the other."""
    module = code.module
    if len(counts) > LEVELS:
        raise ValueError(f"a nest of {len(counts)} levels")

    def write() -> Code:
        inner = Code(module, "tf.grid", [("ptr", "%target"), ("i64", "%begin"), *_level_params()],
                     attributes=module.target.attributes)

        def level(i: int, at: str, number: str) -> str:
            if i == LEVELS:
                inner.do(f"store i64 {at}, ptr {inner.at('%target', number, 'i64')}")
                return inner.add(number, 1)
            with inner.loop(0, f"%n{i}", 1, [("i64", number), ("i64", at)]) as loop:
                loop.after = [level(i + 1, loop.carry[1], loop.carry[0]),
                              inner.add(loop.carry[1], f"%s{i}")]
            return loop.results[0]

        level(0, "%begin", "0")
        return inner

    name = module.once("tf.grid", write)
    code.do(f"call void {name}(ptr {target}, i64 {begin}, {_levels(counts, 1)}, "
            f"{_levels(steps, 0)})")


def copy_lines(code: Code, plain: str, spread: str, counts: list, steps: list, line: int,
               dtype: str, back: bool = False) -> None:
    """Copy lines that lie one after the other in `plain` to places that are steps apart in
    `spread`, or back."""
    module = code.module

    def write() -> Code:
        inner = Code(module, label, [("ptr", "%plain"), ("ptr", "%spread"), ("i64", "%line"),
                                     *_level_params()], attributes=module.target.attributes)
        copy = write_copy(module, dtype)

        def level(i: int, near: str, far: str) -> str:
            if i == LEVELS:
                ends = (far, near) if back else (near, far)
                inner.do(f"call void {copy}(ptr {ends[0]}, ptr {ends[1]}, i64 %line)")
                return inner.at(near, "%line", LLVM[dtype])
            with inner.loop(0, f"%n{i}", 1, [("ptr", near), ("ptr", far)]) as loop:
                loop.after = [level(i + 1, *loop.carry),
                              inner.at(loop.carry[1], f"%s{i}", LLVM[dtype])]
            return loop.results[0]

        level(0, "%plain", "%spread")
        return inner

    label = f"tf.lines.{dtype}{'.back' if back else ''}"
    name = module.once(label, write)
    code.do(f"call void {name}(ptr {plain}, ptr {spread}, i64 {line}, {_levels(counts, 1)}, "
            f"{_levels(steps, 0)})")
