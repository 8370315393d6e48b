"""Running sums and products along an axis, in order: what NumPy's accumulate gives.

Half precision is added in float32 and rounded at each step, as TensorFlow and NumPy do it.
"""

from __future__ import annotations

from typing import Any

from tapeflow.core.record import lowering_forms as forms
from tapeflow.graph import ir
from tapeflow.jit.choices import Choice
from tapeflow.jit.codegen.addressing import combine
from tapeflow.jit.codegen.builder import LLVM, Builder, Val, itemsize
from tapeflow.jit.codegen.llvm_text import Code
from tapeflow.jit.codegen.partial_vectors import load_widened, sum_dtype
from tapeflow.jit.lowering.plan import CustomKernel
from tapeflow.jit.lowering.views import View, contiguous
from tapeflow.jit.runtime.target import Target

IDENTITY = {"sum": 0, "prod": 1}
VECTORS = Choice("scan.vectors", (False, True))  # whether a vector of neighbours is scanned


class ScanImpl:
    """A scan along one axis; neighbours along the last axis, if that is another, go together."""

    epilogue = False

    def __init__(self, view: View, axis: int, how: str, exclusive: bool, reverse: bool):
        self.view, self.axis, self.how = view, axis, how
        self.exclusive, self.reverse = exclusive, reverse
        count = 1
        for n in view.shape:
            count *= n
        self.nanoseconds = 1.0 * count
        self.text = f"running {how} of {view.shape[axis]} along axis {axis} of {view.shape}"

    def work(self, kernel: CustomKernel, target: Target, threads: int) -> int:
        return 0

    def write(self, program: Any, kernel: CustomKernel, name: str, work: tuple[int, int],
              code: Code) -> None:
        module, view = program.module, self.view
        inner = Code(module, name, [("ptr", "%slots")], attributes=module.target.attributes)
        dtype = str(kernel.result.dtype)
        source = inner.at(program.addresses.pointer(inner, view.buffer), view.offset, LLVM[dtype])
        goal = program.addresses.pointer(inner, kernel.result)
        lanes = module.target.lanes(max(itemsize(dtype), 4))
        last = len(view.shape) - 1
        may = self.axis != last and view.strides[last] == 1 and view.shape[last] >= lanes
        wide = VECTORS(may, (False, may))
        others = [a for a in range(last + 1) if a != self.axis and not (wide and a == last)]
        self._outer(inner, others, source, goal, dtype, lanes if wide else 1)
        code.do(f"call void {module.add(inner)}(ptr %slots)")

    def _outer(self, code: Code, axes: list[int], source: str, goal: str, dtype: str,
               lanes: int) -> None:
        """Loops over the axes that are not scanned."""
        if axes:
            axis, kind = axes[0], LLVM[dtype]
            with code.loop(0, self.view.shape[axis]) as loop:
                self._outer(code, axes[1:],
                            self._at(code, source, loop.index, self.view.strides[axis], kind),
                            self._at(code, goal, loop.index,
                                        contiguous(self.view.shape)[axis], kind), dtype, lanes)
            return
        count = self.view.shape[-1] if lanes > 1 else 1
        full = count // lanes * lanes
        for begin, end, width in ((0, full, lanes), (full, count, 1)):
            if begin < end:
                with code.loop(begin, end, width) as loop:
                    self._scan(Builder(code, width), self._at(code, source, loop.index, 1,
                                                                 LLVM[dtype]),
                               self._at(code, goal, loop.index, 1, LLVM[dtype]), dtype)

    @staticmethod
    def _at(code: Code, pointer: str, index: str, stride: int, kind: str) -> str:
        return code.at(pointer, code.mul(index, stride), kind)

    def _scan(self, b: Builder, source: str, goal: str, dtype: str) -> None:
        code, axis, kind = b.code, self.axis, LLVM[dtype]
        size = self.view.shape[axis]
        wide = sum_dtype(dtype)
        start = b.const(IDENTITY[self.how], wide)
        with code.loop(0, size, carry=[(b.type(wide), start.text)]) as loop:
            index = loop.index
            if self.reverse:
                index = code.let(f"sub nsw i64 {size - 1}, {index}")
            x = load_widened(b, self._at(code, source, index, self.view.strides[axis], kind),
                             dtype)
            before = Val(loop.carry[0], wide)
            total = b.cast(combine(b, self.how, before, x), dtype)
            b.store(b.cast(before, dtype) if self.exclusive else total,
                    self._at(code, goal, index, contiguous(self.view.shape)[axis], kind))
            loop.after[0] = b.cast(total, wide).text


def scan(lowering: Any, node: ir.Node, form: forms.Scan) -> ScanImpl | str:
    dtype = str(node.outputs[0].dtype)
    if dtype == "bool":
        return f"no native scan of {dtype}"
    view = lowering.plan.view_of(node.inputs[0])
    if ir.literal_of(view.buffer) is not None:
        return "a constant"
    if 0 in view.shape:
        return "nothing to do"
    return ScanImpl(view, node.attrs.get("axis", 0), form.combine,
                    node.attrs.get("exclusive", False), node.attrs.get("reverse", False))
