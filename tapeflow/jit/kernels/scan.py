"""Running sums and products along an axis, in order: what NumPy's accumulate gives.

A vector holds neighbours that are scanned side by side: along the last axis, or, if that is the one
that is scanned, of several rows, whose elements are transposed in registers. Half precision is
added in float32 and rounded at each step, as TensorFlow and NumPy do it.
"""

from __future__ import annotations

from math import prod
from typing import Any

from tapeflow.core.record import lowering_forms as forms
from tapeflow.graph import ir
from tapeflow.jit.choices import Choice
from tapeflow.jit.codegen.addressing import combine, read_lanes, write_lanes
from tapeflow.jit.codegen.builder import HALF, LLVM, Builder, Val, itemsize
from tapeflow.jit.codegen.index_arithmetic import minimum, task_range
from tapeflow.jit.codegen.llvm_text import Code
from tapeflow.jit.codegen.partial_vectors import load_widened, rounded, sum_dtype
from tapeflow.jit.kernels.gemm.gemm_pack import transposed
from tapeflow.jit.kernels.independent_units import call_tasks, task_count
from tapeflow.jit.lowering.plan import CustomKernel
from tapeflow.jit.lowering.views import View, contiguous
from tapeflow.jit.runtime.target import Target

IDENTITY = {"sum": 0, "prod": 1}
VECTORS = Choice("scan.vectors", (False, True))  # whether a vector of neighbours is scanned
ROWS = Choice("scan.rows", ("one", "a register", "two registers"))  # that are scanned at once
TASKS = Choice("scan.tasks", (False, True))
ELEMENT, ALONE = (1.0, 2.0), (4.0, 14.0)  # cycles, also of half precision; if nothing is beside it


class ScanImpl:
    """A scan along one axis."""

    epilogue = False

    def __init__(self, view: View, axis: int, how: str, exclusive: bool, reverse: bool):
        self.view, self.axis, self.how = view, axis, how
        self.exclusive, self.reverse = exclusive, reverse
        self.nanoseconds = 1.0 * prod(view.shape)
        self.text = f"running {how} of {view.shape[axis]} along axis {axis} of {view.shape}"

    def work(self, kernel: CustomKernel, target: Target, threads: int) -> int:
        return 0

    def write(self, program: Any, kernel: CustomKernel, name: str, work: tuple[int, int],
              code: Code) -> None:
        module, view, dtype = program.module, self.view, str(kernel.result.dtype)
        task = Code(module, f"{name}.task", [("ptr", "%slots"), ("i64", "%task")],
                    attributes=module.target.attributes)
        source = task.at(program.addresses.pointer(task, view.buffer), view.offset, LLVM[dtype])
        goal = program.addresses.pointer(task, kernel.result)
        tasks = _ScanWriter(self, task, dtype).write(source, goal)
        call_tasks(program, code, module.add(task), tasks)


class _ScanWriter:
    """Writes the loops of a scan.

    axes   of the outer loops
    rows   scanned at once along the last axis
    lanes  of a vector: of so many rows, or of neighbours along the last axis
    """

    def __init__(self, scan: ScanImpl, code: Code, dtype: str):
        self.scan, self.view, self.code, self.dtype = scan, scan.view, code, dtype
        self.kind, self.wide = LLVM[dtype], sum_dtype(dtype)
        self.across = contiguous(scan.view.shape)
        register, shape, last = code.module.target.lanes(max(itemsize(dtype), 4)), (
            scan.view.shape), len(scan.view.shape) - 1
        may = scan.axis != last and scan.view.strides[last] == 1 and shape[last] >= register
        beside = VECTORS(may, (False, may))
        self.rows = self._rows_at_once(register)
        self.lanes = max(self.rows, register if beside else 1)
        inside = {scan.axis, last if beside else last - 1 if self.rows > 1 else scan.axis}
        self.axes = [a for a in range(last + 1) if a not in inside]
        # Vectors of half precision are moved as whole numbers.
        self.moved = f"uint{8 * itemsize(dtype)}" if dtype in HALF else dtype

    def _rows_at_once(self, register: int) -> int:
        shape, strides = self.view.shape, self.view.strides
        if self.scan.axis != len(shape) - 1 or len(shape) == 1 or strides[-1] != 1 or (
                min(shape[-2:]) < register):
            return 1
        counts = {"one": 1, "a register": register, "two registers": 2 * register}
        possible = [name for name, count in counts.items() if count <= min(shape[-2:])]
        # To round takes longer than to add: two vectors of sums wait for each other.
        return counts[ROWS(possible[-1 if self.dtype in HALF else 1], possible)]

    # -- loops -----------------------------------------------------------------------------------
    def write(self, source: str, goal: str) -> int:
        """All loops; tasks share the outermost one. How many tasks there are."""
        total, unit = self._outermost(self.axes)
        cycles = (ELEMENT if self.lanes > 1 else ALONE)[self.dtype in HALF] * prod(self.view.shape)
        tasks = task_count(TASKS, cycles, -(-total // unit))
        self._outer(self.axes, source, goal, task_range(self.code, "%task", total, tasks, unit))
        return tasks

    def _outermost(self, axes: list[int]) -> tuple[int, int]:
        """(iterations, those that stay together) of the outermost loop, which has these axes."""
        if axes:
            return self.view.shape[axes[0]], 1
        if self.lanes == 1:
            return 1, 1
        return self.view.shape[-2 if self.rows > 1 else -1], self.lanes

    def _outer(self, axes: list[int], source: str, goal: str, bounds: tuple[Any, Any]) -> None:
        """The loops over these axes and what is in them; bounds: of the first loop."""
        code = self.code
        if not axes:
            (self._rows if self.rows > 1 else self._columns)(source, goal, bounds)
            return
        with code.loop(*bounds) as loop:
            begin = code.mul(loop.index, self.view.strides[axes[0]])
            end = code.mul(loop.index, self.across[axes[0]])
            self._outer(axes[1:], code.at(source, begin, self.kind), code.at(goal, end, self.kind),
                        (0, self._outermost(axes[1:])[0]))

    def _columns(self, source: str, goal: str, bounds: tuple[Any, Any]) -> None:
        """Neighbours along the last axis in vectors, then one by one."""
        code, (first, last) = self.code, bounds
        count = self._outermost([])[0]
        middle: Any = last
        if count % self.lanes:
            middle = minimum(code, last, count // self.lanes * self.lanes)
        for begin, end, lanes in ((first, middle, self.lanes), (middle, last, 1)):
            if begin != end:
                with code.loop(begin, end, lanes) as loop:
                    self._along(Builder(code, lanes), code.at(source, loop.index, self.kind),
                                code.at(goal, loop.index, self.kind))

    def _along(self, b: Builder, source: str, goal: str) -> None:
        """A vector of neighbours, or one element, along the axis that is scanned."""
        code, axis = self.code, self.scan.axis
        start = b.const(IDENTITY[self.scan.how], self.wide).text
        with code.loop(0, self.view.shape[axis], carry=[(b.type(self.wide), start)]) as loop:
            index = self._index(loop.index, 1)
            x = load_widened(b, code.at(source, code.mul(index, self.view.strides[axis]),
                                        self.kind), self.dtype)
            loop.after[0], shown = self._step(b, loop.carry[0], x)
            b.store(shown, code.at(goal, code.mul(index, self.across[axis]), self.kind))

    def _index(self, index: str, count: int) -> str:
        """Where `count` elements begin that are scanned from an index on."""
        if not self.scan.reverse:
            return index
        return self.code.let(f"sub nsw i64 {self.view.shape[self.scan.axis] - count}, {index}")

    def _step(self, b: Builder, carry: str, x: Val) -> tuple[str, Val]:
        """(what is carried on, the result) at one more element."""
        dtype = self.dtype
        before = Val(carry, self.wide, fits=dtype if dtype in HALF else None)
        total = rounded(b, combine(b, self.scan.how, before, x), dtype)
        return b.cast(total, self.wide).text, (
            b.cast(before, dtype) if self.scan.exclusive else total)

    # -- several rows at once --------------------------------------------------------------------
    def _rows(self, source: str, goal: str, bounds: tuple[Any, Any]) -> None:
        """All rows of a matrix; the last ones may be done twice, so that each time are as many."""
        code, count, rows = self.code, self.view.shape[-2], self.rows
        with code.loop(*bounds, rows) as loop:
            row = minimum(code, loop.index, count - rows) if count % rows else loop.index
            self._block(code.at(source, code.mul(row, self.view.strides[-2]), self.kind),
                        code.at(goal, code.mul(row, self.across[-2]), self.kind))

    def _block(self, source: str, goal: str) -> None:
        """Some rows: squares of as many columns, then column by column."""
        code, b = self.code, Builder(self.code, self.rows)
        size = self.view.shape[-1]
        full = size // self.rows * self.rows
        start = (b.type(self.wide), b.const(IDENTITY[self.scan.how], self.wide).text)
        with code.loop(0, full, self.rows, [start]) as loop:
            first = self._index(loop.index, self.rows)
            loop.after[0] = self._square(b, code.at(source, first, self.kind),
                                         code.at(goal, first, self.kind), loop.carry[0])
        if full == size:
            return
        with code.loop(full, size, 1, [(start[0], loop.results[0])]) as rest:
            index = self._index(rest.index, 1)
            x = read_lanes(b, code.at(source, index, self.kind), self.view.strides[-2], self.dtype)
            rest.after[0], shown = self._step(b, rest.carry[0], b.cast(x, self.wide))
            write_lanes(b, shown, code.at(goal, index, self.kind), self.across[-2])

    def _square(self, b: Builder, source: str, goal: str, carry: str) -> str:
        """As many columns as there are rows; gives what is carried on."""
        code, moved = self.code, LLVM[self.moved]
        columns = transposed(code, [
            b.load(code.at(source, i * self.view.strides[-2], self.kind), self.moved).text
            for i in range(self.rows)], moved)
        for i in reversed(range(self.rows)) if self.scan.reverse else range(self.rows):
            x = self._as(b, self.dtype, Val(columns[i], self.moved))
            carry, shown = self._step(b, carry, b.cast(x, self.wide))
            columns[i] = self._as(b, self.moved, shown).text
        for i, row in enumerate(transposed(code, columns, moved)):
            b.store(Val(row, self.moved), code.at(goal, i * self.across[-2], self.kind))
        return carry

    @staticmethod
    def _as(b: Builder, dtype: str, x: Val) -> Val:
        """The same bits as another dtype."""
        return Val(x.text, dtype) if LLVM[dtype] == LLVM[x.dtype] else b.bitcast(x, dtype)


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
