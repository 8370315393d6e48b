"""Running sums and products along an axis, in order: what NumPy's accumulate gives.

A vector holds neighbours that are scanned side by side: along the last axis, or, if that is the one
that is scanned, of several rows, whose elements are transposed in registers. Half precision is
added in float32 and rounded at each step, as TensorFlow and NumPy do it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tapeflow.core.record import lowering_forms as forms
from tapeflow.graph import ir
from tapeflow.jit.choices import Choice
from tapeflow.jit.codegen.addressing import combine, read_lanes, write_lanes
from tapeflow.jit.codegen.builder import HALF, LLVM, Builder, Val, itemsize
from tapeflow.jit.codegen.index_arithmetic import minimum
from tapeflow.jit.codegen.llvm_text import Code
from tapeflow.jit.codegen.partial_vectors import load_widened, rounded, sum_dtype
from tapeflow.jit.kernels.gemm.gemm_pack import transposed
from tapeflow.jit.lowering.plan import CustomKernel
from tapeflow.jit.lowering.views import View, contiguous
from tapeflow.jit.runtime.target import Target

IDENTITY = {"sum": 0, "prod": 1}
VECTORS = Choice("scan.vectors", (False, True))  # whether a vector of neighbours is scanned
ROWS = Choice("scan.rows", ("one", "a register", "two registers"))  # that are scanned at once


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
        rows = self._rows_at_once(lanes, dtype)
        if rows > 1:
            scan_rows = _RowScan(self, inner, dtype, rows)
            self._outer(inner, others[:-1], source, goal, dtype, 1, scan_rows.write)
        else:
            self._outer(inner, others, source, goal, dtype, lanes if wide else 1)
        code.do(f"call void {module.add(inner)}(ptr %slots)")

    def _rows_at_once(self, lanes: int, dtype: str) -> int:
        """How many rows are scanned side by side along the last axis."""
        shape, strides = self.view.shape, self.view.strides
        if self.axis != len(shape) - 1 or len(shape) == 1 or strides[-1] != 1 or (
                min(shape[-2:]) < lanes):
            return 1
        counts = {"one": 1, "a register": lanes, "two registers": 2 * lanes}
        possible = [name for name, count in counts.items() if count <= min(shape[-2:])]
        # To round takes longer than to add: two sums at once wait for each other.
        return counts[ROWS(possible[-1 if dtype in HALF else 1], possible)]

    def _outer(self, code: Code, axes: list[int], source: str, goal: str, dtype: str,
               lanes: int, scan_rows: Callable[[str, str], None] | None = None) -> None:
        """Loops over the axes that are not scanned; `scan_rows` does all rows of the last two."""
        if axes:
            axis, kind = axes[0], LLVM[dtype]
            with code.loop(0, self.view.shape[axis]) as loop:
                self._outer(code, axes[1:],
                            self._at(code, source, loop.index, self.view.strides[axis], kind),
                            self._at(code, goal, loop.index,
                                        contiguous(self.view.shape)[axis], kind), dtype, lanes,
                            scan_rows)
            return
        if scan_rows is not None:
            scan_rows(source, goal)
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
            loop.after[0], shown = self.step(b, Val(loop.carry[0], wide), x, dtype)
            b.store(shown, self._at(code, goal, index, contiguous(self.view.shape)[axis], kind))

    def step(self, b: Builder, before: Val, x: Val, dtype: str) -> tuple[str, Val]:
        """(what is carried on, the result) at one more element."""
        total = rounded(b, combine(b, self.how, before, x), dtype)
        before = Val(before.text, before.dtype, fits=dtype if dtype in HALF else None)
        return b.cast(total, sum_dtype(dtype)).text, (
            b.cast(before, dtype) if self.exclusive else total)


class _RowScan:
    """Scans rows of the last axis, as many at once as a vector has lanes."""

    def __init__(self, scan: ScanImpl, code: Code, dtype: str, lanes: int):
        self.scan, self.code, self.dtype, self.lanes = scan, code, dtype, lanes
        self.b = Builder(code, lanes)
        # Vectors of half precision are moved as whole numbers.
        self.moved = f"uint{8 * itemsize(dtype)}" if dtype in HALF else dtype

    def write(self, source: str, goal: str) -> None:
        """All rows of a matrix; the last ones may be done twice, so that each time are as many."""
        code, view, lanes, kind = self.code, self.scan.view, self.lanes, LLVM[self.dtype]
        rows, size = view.shape[-2:]
        with code.loop(0, rows, lanes) as loop:
            row = minimum(code, loop.index, rows - lanes) if rows % lanes else loop.index
            self._block(code.at(source, code.mul(row, view.strides[-2]), kind),
                        code.at(goal, code.mul(row, size), kind))

    def _block(self, source: str, goal: str) -> None:
        code, b, scan, lanes = self.code, self.b, self.scan, self.lanes
        size, wide = scan.view.shape[-1], sum_dtype(self.dtype)
        full = size // lanes * lanes
        carried = (b.type(wide), b.const(IDENTITY[scan.how], wide).text)
        with code.loop(0, full, lanes, [carried]) as loop:
            first = code.let(f"sub nsw i64 {size - lanes}, {loop.index}") if scan.reverse else (
                loop.index)
            loop.after[0] = self._square(source, goal, first, loop.carry[0])
        if full == size:
            return
        kind, apart = LLVM[self.dtype], scan.view.strides[-2]
        with code.loop(full, size, 1, [(carried[0], loop.results[0])]) as rest:
            index = code.let(f"sub nsw i64 {size - 1}, {rest.index}") if scan.reverse else (
                rest.index)
            x = b.cast(read_lanes(b, code.at(source, index, kind), apart, self.dtype), wide)
            rest.after[0], shown = scan.step(b, Val(rest.carry[0], wide), x, self.dtype)
            write_lanes(b, shown, code.at(goal, index, kind), size)

    def _square(self, source: str, goal: str, first: str, carry: str) -> str:
        """As many columns as there are rows, from `first` on; gives what is carried on."""
        code, b, scan, lanes = self.code, self.b, self.scan, self.lanes
        kind, moved, wide = LLVM[self.dtype], LLVM[self.moved], sum_dtype(self.dtype)
        begin, end = code.at(source, first, kind), code.at(goal, first, kind)
        rows = [b.load(code.at(begin, i * scan.view.strides[-2], kind), self.moved).text
                for i in range(lanes)]
        columns = transposed(code, rows, moved)
        for i in reversed(range(lanes)) if scan.reverse else range(lanes):
            x = b.cast(self._as(self.dtype, columns[i], self.moved), wide)
            carry, shown = scan.step(b, Val(carry, wide), x, self.dtype)
            columns[i] = self._as(self.moved, shown.text, self.dtype).text
        for i, row in enumerate(transposed(code, columns, moved)):
            b.store(Val(row, self.moved), code.at(end, i * scan.view.shape[-1], kind))
        return carry

    def _as(self, dtype: str, text: str, now: str) -> Val:
        """The same bits as another dtype."""
        return Val(text, dtype) if LLVM[dtype] == LLVM[now] else self.b.bitcast(
            Val(text, now), dtype)


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
