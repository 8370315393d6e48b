"""The gradient of a convolution in its images where a filter is NaN or infinite.

The fast way (`conv_direct.py`) slides filters over gradients with a border of zeros. A zero times a
filter that is not finite is NaN, and would spread to elements that no window is over with that
tap. Then the sum is taken term by term over the windows that there are, as TensorFlow does it for
images: slowly, for who has such filters has other worries.
"""

from __future__ import annotations

from collections.abc import Callable
from math import prod
from typing import Any

from tapeflow.core.record.lowering_forms import contiguous_strides
from tapeflow.jit.codegen.builder import LLVM
from tapeflow.jit.codegen.llvm_text import Code, Module
from tapeflow.jit.kernels.conv.conv_base import OUTER, columns_of, finish
from tapeflow.jit.kernels.conv.conv_geometry import Window
from tapeflow.jit.kernels.gemm.gemm_tile import Epilogue


def guarded(module: Module, name: str, window: Window, epilogue: Epilogue | None, lanes: int,
            write: Callable[[str], None]) -> None:
    """The function `name`: what `write` writes if all filters are finite, else term by term."""
    fast = f"{name}.bordered"
    write(fast)
    terms = module.add(_terms(module, f"{name}.terms", window, epilogue, lanes))
    code = Code(module, name, OUTER, attributes=module.target.attributes)
    count = prod(window.window) * window.inner * window.outer
    good = _finite(code, "%a", count, window.dtype, lanes)
    with code.when(good):
        code.do(f"call void @{fast}(ptr %pool, ptr %a, ptr %b, ptr %c, ptr %ctx, ptr %work)")
    with code.when(code.let(f"xor i1 {good}, true")):
        code.do(f"call void {terms}(ptr %a, ptr %b, ptr %c, ptr %ctx)")
    module.functions[name] = code.text()


def _finite(code: Code, numbers: str, count: int, dtype: str, lanes: int) -> str:
    """Whether some numbers are all finite: each times zero is zero."""
    kind = LLVM[dtype]
    vector = f"<{lanes} x {kind}>"
    whole = count // lanes * lanes
    total = "0.0"
    if whole:
        with code.loop(0, whole, lanes, [(vector, "zeroinitializer")]) as loop:
            some = code.let(f"load {vector}, ptr {code.at(numbers, loop.index, kind)}, align 4")
            zero = code.let(f"fmul {vector} {some}, zeroinitializer")
            loop.after = [code.let(f"fadd {vector} {loop.carry[0]}, {zero}")]
        for i in range(lanes):
            one = code.let(f"extractelement {vector} {loop.results[0]}, i64 {i}")
            total = code.let(f"fadd {kind} {total}, {one}")
    for i in range(whole, count):
        one = code.let(f"load {kind}, ptr {code.at(numbers, i, kind)}")
        zero = code.let(f"fmul {kind} {one}, 0.0")
        total = code.let(f"fadd {kind} {total}, {zero}")
    return code.let(f"fcmp oeq {kind} {total}, 0.0")


def _terms(module: Module, name: str, window: Window, epilogue: Epilogue | None,
           lanes: int) -> Code:
    """`terms(filters, gradients, c, ctx)`: for each element a loop over taps and filters."""
    params = [("ptr", label) for label in ("%filters", "%g", "%c", "%ctx")]
    code = Code(module, name, params, linkage="internal", attributes=module.target.attributes)
    kind = LLVM[window.dtype]
    line = code.let(f"alloca [{2 * lanes} x {kind}], align 64")
    inner = contiguous_strides(window.sizes)

    def pixels(axis: int, image: str, row: str, at: list[str]) -> None:
        if axis < len(window.sizes):
            with code.loop(0, window.sizes[axis]) as loop:
                pixels(axis + 1, image, code.add(row, code.mul(loop.index, inner[axis])),
                       [*at, loop.index])
            return
        for column, width in columns_of(code, window.channels, 2 * lanes):
            with code.loop(0, width) as lane:
                goal = code.at(line, lane.index, kind)
                code.do(f"store {kind} 0.0, ptr {goal}")
                _element(code, window, image, at, code.add(column, lane.index), goal)
            finish(code, line, row, column, width, lanes, window.dtype, window.channels, epilogue)

    with code.loop(0, window.batch) as image:
        pixels(0, image.index, code.mul(image.index, prod(window.sizes)), [])
    return code


def _element(code: Code, window: Window, image: str, at: list[str], channel: str,
             goal: str) -> None:
    """Add to one element, at some pixel, what each window that is over it gives."""
    kind, filters = LLVM[window.dtype], window.outer // window.groups
    group = code.pure(f"udiv i64 {channel}, {window.inner}")
    within = code.pure(f"urem i64 {channel}, {window.inner}")
    first = code.mul(group, filters)

    def taps(axis: int, position: str, tap: str) -> None:
        if axis < len(at):
            with code.loop(0, window.window[axis]) as loop:
                step, before = window.strides[axis], window.pads[axis][0]
                back = code.mul(loop.index, window.dilations[axis])
                moved = code.let(f"sub i64 {code.add(at[axis], before)}, {back}")
                # What lies before the first window is a huge number without its sign.
                found = code.let(f"udiv i64 {moved}, {step}")
                rest = code.let(f"urem i64 {moved}, {step}")
                over = code.let(f"icmp ult i64 {found}, {window.out[axis]}")
                meets = code.let(f"icmp eq i64 {rest}, 0")
                with code.when(code.let(f"and i1 {over}, {meets}")):
                    taps(axis + 1, code.add(code.mul(position, window.out[axis]), found),
                         code.add(code.mul(tap, window.window[axis]), loop.index))
            return
        gradients = code.add(code.mul(position, window.outer), first)
        weights = code.add(code.mul(code.add(code.mul(tap, window.inner), within), window.outer),
                           first)
        with code.loop(0, filters) as loop:
            values: list[Any] = []
            for pointer, start in (("%g", gradients), ("%filters", weights)):
                address = code.at(pointer, code.add(start, loop.index), kind)
                values.append(code.let(f"load {kind}, ptr {address}"))
            term = code.let(f"fmul {kind} {values[0]}, {values[1]}")
            total = code.let(f"load {kind}, ptr {goal}")
            code.do(f"store {kind} {code.let(f'fadd {kind} {total}, {term}')}, ptr {goal}")

    taps(0, image, "0")
