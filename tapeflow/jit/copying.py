"""Text that copies and fills memory, and gives images a border. Used by `windows` and its kin."""

from __future__ import annotations

from typing import Any

from tapeflow.jit.builder import LLVM, Builder, itemsize
from tapeflow.jit.code import Code, Module


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


def write_border(module: Module, name: str, sizes: tuple, channels: int, steps: list[int],
                 first: int, image: int, dtype: str, back: bool = False) -> str:
    """`border(plain, bordered, images)`: images into the middle of larger ones; the border stays.

    steps: of the larger images' spatial axes; first: the place of an image's first element in
    them; image: their size. back: from the larger images to the plain ones.
    """
    code = Code(module, name, [("ptr", "%plain"), ("ptr", "%bordered"), ("i64", "%images")],
                linkage="internal", attributes=module.target.attributes)
    line = sizes[-1] * channels
    copy = write_copy(module, dtype)
    whole = line
    for n in sizes[:-1]:
        whole *= n

    def lines(axis: int, plain: str, bordered: str) -> None:
        if axis == len(sizes) - 1:
            ends = (bordered, plain) if back else (plain, bordered)
            code.do(f"call void {copy}(ptr {ends[0]}, ptr {ends[1]}, i64 {line})")
            return
        inner = line
        for n in sizes[axis + 1:-1]:
            inner *= n
        with code.loop(0, sizes[axis]) as loop:
            lines(axis + 1, code.at(plain, code.mul(loop.index, inner), LLVM[dtype]),
                  code.at(bordered, code.mul(loop.index, steps[axis]), LLVM[dtype]))

    with code.loop(0, "%images") as number:
        plain = code.at("%plain", code.mul(number.index, whole), LLVM[dtype])
        bordered = code.at(code.at("%bordered", code.mul(number.index, image), LLVM[dtype]), first,
                           LLVM[dtype])
        lines(0, plain, bordered)
    return module.add(code)
