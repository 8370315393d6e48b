"""The gradient of a convolution in its images where a filter is NaN or infinite.

The fast way (`conv_direct`) slides filters over gradients with a border of zeros. A zero times a
filter that is not finite is NaN, and would reach elements that no window is over with that tap.
Then the sum is taken term by term over the windows that there are, as TensorFlow does it for
images: slowly, for who has such filters has other worries.
"""

from __future__ import annotations

from math import prod
from typing import Any

from tapeflow.core.record.lowering_forms import contiguous_strides
from tapeflow.jit.codegen.builder import Builder
from tapeflow.jit.codegen.llvm_text import Code
from tapeflow.jit.codegen.partial_vectors import load_widened
from tapeflow.jit.kernels.conv.conv_writer import OUTER_PARAMS, ImageWriter


class NonfiniteGuard(ImageWriter):
    """The function NAME: a call of NAME.padded if all filters are finite, else term by term."""

    def write(self) -> None:
        module, name = self.module, self.name
        terms = module.add(self._terms(f"{name}.terms"))
        code = Code(module, name, OUTER_PARAMS, attributes=module.target.attributes)
        finite = self._finite(code, "%a")
        with code.when(finite):
            code.do(f"call void @{name}.padded(ptr %pool, ptr %a, ptr %b, ptr %c, ptr %ctx, "
                    "ptr %work)")
        with code.when(code.let(f"xor i1 {finite}, true")):
            code.do(f"call void {terms}(ptr %a, ptr %b, ptr %c, ptr %ctx)")
        module.functions[name] = code.text()

    def _finite(self, code: Code, filters: str) -> str:
        """Whether all filters are finite: each times zero is zero."""
        window, kind, lanes = self.window, self.kind, self.lanes
        count = prod(window.window) * window.inner * window.outer
        vector = f"<{lanes} x {kind}>"

        def load(first: Any, count: int) -> str:
            where = code.at(filters, first, self.stored_kind)
            return load_widened(Builder(code, count), where, self.stored_dtype).text

        whole = count // lanes * lanes
        total = "0.0"
        if whole:
            with code.loop(0, whole, lanes, [(vector, "zeroinitializer")]) as loop:
                zero = code.let(f"fmul {vector} {load(loop.index, lanes)}, zeroinitializer")
                loop.after = [code.let(f"fadd {vector} {loop.carry[0]}, {zero}")]
            for i in range(lanes):
                zero = code.let(f"extractelement {vector} {loop.results[0]}, i64 {i}")
                total = code.let(f"fadd {kind} {total}, {zero}")
        for i in range(whole, count):
            zero = code.let(f"fmul {kind} {load(i, 1)}, 0.0")
            total = code.let(f"fadd {kind} {total}, {zero}")
        return code.let(f"fcmp oeq {kind} {total}, 0.0")

    # -- term by term ----------------------------------------------------------------------------
    def _terms(self, name: str) -> Code:
        """`terms(filters, gradients, c, ctx)`: for each element a loop over taps and filters."""
        code = self._function(name, [("ptr", label) for label in
                                     ("%filters", "%g", "%c", "%ctx")])
        sizes, kind = self.window.sizes, self.kind
        sums = code.let(f"alloca [{2 * self.lanes} x {kind}], align 64")
        row_strides = contiguous_strides(sizes)

        def pixels(axis: int, image: str, row: str, pixel: list[str]) -> None:
            if axis < len(sizes):
                with code.loop(0, sizes[axis]) as loop:
                    pixels(axis + 1, image, code.add(row, code.mul(loop.index, row_strides[axis])),
                           [*pixel, loop.index])
                return
            for column, width in self._channel_vectors(code, 2 * self.lanes):
                with code.loop(0, width) as lane:
                    total = code.at(sums, lane.index, kind)
                    code.do(f"store {kind} 0.0, ptr {total}")
                    self._element(code, [image, *pixel], code.add(column, lane.index), total)
                self._finish(code, sums, row, column, width)

        with code.loop(0, self.window.batch) as image:
            pixels(0, image.index, code.mul(image.index, prod(sizes)), [])
        return code

    def _element(self, code: Code, index: list[str], channel: str, total: str) -> None:
        """Add to one element, at (image, pixel), what each window that is over it gives."""
        window = self.window
        image, *pixel = index
        filters = window.outer // window.groups
        group = code.pure(f"udiv i64 {channel}, {window.inner}")
        within = code.pure(f"urem i64 {channel}, {window.inner}")
        first = code.mul(group, filters)

        def taps(axis: int, position: str, tap: str) -> None:
            if axis < len(pixel):
                with code.loop(0, window.window[axis]) as loop:
                    found, meets = self._window_over(code, axis, pixel[axis], loop.index)
                    with code.when(meets):
                        taps(axis + 1, code.add(code.mul(position, window.out[axis]), found),
                             code.add(code.mul(tap, window.window[axis]), loop.index))
                return
            gradients = code.add(code.mul(position, window.outer), first)
            weights = code.add(code.mul(code.add(code.mul(tap, window.inner), within),
                                        window.outer), first)
            self._add_products(code, gradients, weights, total)

        taps(0, image, "0")

    def _window_over(self, code: Code, axis: int, pixel: str, tap: str) -> tuple[str, str]:
        """The window that has a pixel under a tap, along an axis, and whether there is one."""
        window = self.window
        stride, before = window.strides[axis], window.pads[axis][0]
        back = code.mul(tap, window.dilations[axis])
        first = code.let(f"sub i64 {code.add(pixel, before)}, {back}")
        # What lies before the first window is a huge number without its sign.
        found = code.let(f"udiv i64 {first}, {stride}")
        rest = code.let(f"urem i64 {first}, {stride}")
        exists = code.let(f"icmp ult i64 {found}, {window.out[axis]}")
        divides = code.let(f"icmp eq i64 {rest}, 0")
        return found, code.let(f"and i1 {exists}, {divides}")

    def _add_products(self, code: Code, gradients: str, weights: str, total: str) -> None:
        """All filters of a group, at one position and tap."""
        kind = self.kind
        with code.loop(0, self.window.outer // self.window.groups) as loop:
            g, w = [load_widened(Builder(code), code.at(
                        pointer, code.add(start, loop.index), self.stored_kind), self.stored_dtype)
                    for pointer, start in (("%g", gradients), ("%filters", weights))]
            product = code.let(f"fmul {kind} {g.text}, {w.text}")
            before = code.let(f"load {kind}, ptr {total}")
            code.do(f"store {kind} {code.let(f'fadd {kind} {before}, {product}')}, ptr {total}")
