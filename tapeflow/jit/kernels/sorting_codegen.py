"""Rows sorted: values, indices, or the first few of both, equal elements in their order, NaN last.

Elements become whole numbers in the order that is asked for (keys). Runs of keys are sorted by
counting for each how many come before it, and merged pass by pass; of a few first elements only as
many are kept. What comes out is where the elements lie: values are read from the operand again.
"""

from __future__ import annotations

from math import prod
from typing import Any

from tapeflow.core.record import lowering_forms as forms
from tapeflow.graph import ir
from tapeflow.jit.choices import Choice
from tapeflow.jit.codegen.addressing import element_of, pointer_at, read_lanes
from tapeflow.jit.codegen.builder import HALF, LLVM, Builder, Val, itemsize, name_of
from tapeflow.jit.codegen.index_arithmetic import minimum, task_range, unravel_index
from tapeflow.jit.codegen.llvm_text import Code
from tapeflow.jit.kernels.gemm.gemm_cost import GIGAHERTZ
from tapeflow.jit.kernels.independent_units import call_tasks, task_count
from tapeflow.jit.lowering.plan import CustomKernel
from tapeflow.jit.lowering.views import View, contiguous
from tapeflow.jit.runtime.arena import aligned_size
from tapeflow.jit.runtime.target import Target

RUN = 32  # keys that are sorted by counting
KEPT_MAX = 16  # first elements that are kept while the others are looked at
ROW_MAX = 1 << 16  # longer rows are NumPy's

TASKS = Choice("sorting.tasks", (False, True))
METHOD = Choice("sorting.method", ("kept", "merged"))


class SortImpl:
    """The first `count` of each row in order; `parts`: what the results are."""

    epilogue = False

    def __init__(self, node: ir.Node, view: View, spec: forms.SortSpec):
        self.node, self.view, self.spec = node, view, spec
        self.size, self.count = view.shape[spec.axis], spec.wanted
        self.others = [n for axis, n in enumerate(view.shape) if axis != spec.axis]
        self.rows = prod(self.others)
        dtype = name_of(view.buffer.dtype)
        self.dtype, self.key = dtype, "int64" if itemsize(dtype) == 8 else "int32"
        may = self.count <= KEPT_MAX
        best = "kept" if may and 4 * self.count <= self.size else "merged"
        self.method = METHOD(best, ("merged", "kept" if may else "merged"))
        passes = max((self.padded // RUN - 1).bit_length(), 0) if self.method == "merged" else 0
        self.cycles = self.rows * self.size * (
            3.0 if self.method == "kept" else 20.0 + 8 * passes)
        self.nanoseconds = self.cycles / GIGAHERTZ
        self.text = f"sort of {self.rows} rows of {self.size}, the first {self.count}"
        self.tasks = task_count(TASKS, self.cycles, self.rows)

    @property
    def padded(self) -> int:
        """Keys of whole runs."""
        return -(-self.size // RUN) * RUN

    @property
    def _sizes(self) -> tuple[int, int]:
        """Bytes of keys and of indices, with one more that may be read."""
        count = self.padded + 1
        return aligned_size(count * itemsize(self.key)), aligned_size(count * 4)

    def work(self, kernel: CustomKernel, target: Target, threads: int) -> int:
        return self.tasks * 2 * sum(self._sizes)

    def write(self, program: Any, kernel: CustomKernel, name: str, work: tuple[int, int],
              code: Code) -> None:
        call_tasks(program, code, self._task(program, name, work), self.tasks)

    def _task(self, program: Any, name: str, work: tuple[int, int]) -> str:
        """`task(slots, index)`: some of the rows."""
        module, view, axis = program.module, self.view, self.spec.axis
        code = Code(module, f"{name}.task", [("ptr", "%slots"), ("i64", "%task")],
                    attributes=module.target.attributes)
        source = code.at(program.addresses.pointer(code, view.buffer), view.offset,
                         element_of(self.dtype))
        goals = [program.addresses.pointer(code, y) for y in self.node.outputs]
        memory = code.at(pointer_at(code, *work), code.mul("%task", 2 * sum(self._sizes)), "i8")
        first, last = task_range(code, "%task", self.rows, self.tasks, 1)
        across = contiguous(self.node.outputs[0].shape or ())
        others = [a for a in range(len(view.shape)) if a != axis]
        with code.loop(first, last) as loop:
            at = to = "0"
            for index, a in zip(unravel_index(code, loop.index, self.others), others, strict=True):
                at = code.add(at, code.mul(index, view.strides[a]))
                to = code.add(to, code.mul(index, across[a]))
            row = code.at(source, at, element_of(self.dtype))
            order = self._order(code, row, memory)
            self._results(code, row, order, goals, to, across[axis])
        return module.add(code)

    # -- keys --------------------------------------------------------------------------------------
    def _keys(self, code: Code, row: str, keys: str) -> None:
        """The keys of a row, and those of the padding, which come last."""
        stride, size = self.view.strides[self.spec.axis], self.size
        lanes = code.module.target.lanes(itemsize(self.key))
        full = size // lanes * lanes
        for begin, end, width in ((0, full, lanes), (full, size, 1)):
            if begin < end:
                with code.loop(begin, end, width) as loop:
                    b = Builder(code, width)
                    x = read_lanes(b, code.at(row, code.mul(loop.index, stride),
                                              element_of(self.dtype)), stride, self.dtype)
                    b.store(self._key(b, x), code.at(keys, loop.index, LLVM[self.key]))
        one = Builder(code)
        with code.loop(size, self.padded + 1) as loop:
            one.store(one.const(self._last, self.key), code.at(keys, loop.index, LLVM[self.key]))

    @property
    def _last(self) -> int:
        return (1 << (8 * itemsize(self.key) - 1)) - 1

    def _key(self, b: Builder, x: Val) -> Val:
        bits = 8 * itemsize(self.key)
        if "float" not in self.dtype:
            key = b.cast(x, self.key) if itemsize(self.dtype) < itemsize(self.key) else Val(
                x.text, self.key)
            if self.dtype[0] == "u" and itemsize(self.dtype) == itemsize(self.key):
                key = b.differ(key, b.const(-1 << (bits - 1), key))
            return b.invert(key) if self.spec.descending else key
        if self.dtype in HALF:
            x = b.widen(x)
        raw = b.bitcast(b.add(x, b.const(0.0, x)), self.key)  # -0 becomes 0
        sign = b.bits("ashr", raw, b.const(bits - 1, raw))
        key = b.differ(raw, b.both(sign, b.const(self._last, raw)))
        key = b.invert(key) if self.spec.descending else key
        return b.select(b.isnan(x), b.const(self._last, key), key)

    # -- order -------------------------------------------------------------------------------------
    def _order(self, code: Code, row: str, memory: str) -> str:
        """Indices (i32) of the elements in order; gives where they are."""
        keys, indices = self._sizes
        spots = [code.at(memory, at, "i8") for at in (0, keys, 2 * keys, 2 * keys + indices)]
        self._keys(code, row, spots[0])
        if self.method == "kept":
            self._keep(code, spots[0], spots[1], spots[2])
            return spots[2]
        halves = [(spots[0], spots[2]), (spots[1], spots[3])]
        with code.loop(0, self.padded, RUN) as loop:
            self._count(code, halves[0][0], halves[1], loop.index)
        width, here = RUN, 1
        while width < self.padded:
            with code.loop(0, self.padded, 2 * width) as loop:
                self._merge(code, halves[here], halves[1 - here], loop.index, width)
            width, here = 2 * width, 1 - here
        return halves[here][1]

    def _count(self, code: Code, keys: str, target: tuple[str, str], start: str) -> None:
        """Sort a run: each key goes where as many lie before it as are smaller, or equal and
        further to the left."""
        kind, one = LLVM[self.key], Builder(code)
        lanes = min(code.module.target.lanes(itemsize(self.key)), RUN)
        b = Builder(code, lanes)
        run = code.at(keys, start, kind)
        pieces = [b.load(code.at(run, at, kind), self.key) for at in range(0, RUN, lanes)]
        mask = f"i{lanes}"
        count = code.module.declare("llvm.ctpop.i64", "i64", "i64")
        with code.loop(0, RUN) as loop:
            mine = one.load(code.at(run, loop.index, kind), self.key)
            whole, me = b.splat(mine.text, self.key), b.splat(loop.index, "int64")
            words = "0"
            for i, piece in enumerate(pieces):
                left = Val("<" + ", ".join(f"i64 {i * lanes + lane}" for lane in range(lanes))
                           + ">", "int64")
                before = b.either(b.lt(piece, whole),
                                  b.both(b.eq(piece, whole), b.lt(left, me)))
                bits = code.pure(f"bitcast <{lanes} x i1> {before.text} to {mask}")
                word = code.pure(f"zext {mask} {bits} to i64")
                moved = code.pure(f"shl i64 {word}, {i * lanes}")
                words = moved if words == "0" else code.pure(f"or i64 {words}, {moved}")
            rank = code.pure(f"call i64 {count}(i64 {words})")
            to = code.add(start, rank)
            one.store(mine, code.at(target[0], to, kind))
            number = one.cast(Val(code.add(start, loop.index), "int64"), "int32")
            one.store(number, code.at(target[1], to, "i32"))

    def _merge(self, code: Code, source: tuple[str, str], target: tuple[str, str], start: str,
               width: int) -> None:
        """Two runs, one behind the other, as one; of equal keys the left one comes first."""
        one, kind = Builder(code), LLVM[self.key]
        middle = minimum(code, code.add(start, width), self.padded)
        end = minimum(code, code.add(start, 2 * width), self.padded)
        with code.loop(start, end, carry=[("i64", start), ("i64", middle)], some=True) as loop:
            i, j = loop.carry
            left, right = [one.load(code.at(source[0], at, kind), self.key) for at in (i, j)]
            first = code.pure(f"icmp slt i64 {i}, {middle}")
            over = code.pure(f"icmp sge i64 {j}, {end}")
            ordered = code.pure(f"or i1 {over}, {one.le(left, right).text}")
            takes = code.pure(f"and i1 {first}, {ordered}")
            from_ = code.pure(f"select i1 {takes}, i64 {i}, i64 {j}")
            one.store(one.select(Val(takes, "bool"), left, right),
                      code.at(target[0], loop.index, kind))
            one.store(one.load(code.at(source[1], from_, "i32"), "int32"),
                      code.at(target[1], loop.index, "i32"))
            step = code.pure(f"zext i1 {takes} to i64")
            loop.after[:] = [code.add(i, step), code.pure(
                f"sub nsw i64 {code.add(j, 1)}, {step}")]

    def _keep(self, code: Code, keys: str, best: str, order: str) -> None:
        """The first `count` keys: each that comes before the last of those kept is put in."""
        one, kind, count = Builder(code), LLVM[self.key], self.count
        with code.loop(0, self.size) as loop:
            mine = one.load(code.at(keys, loop.index, kind), self.key)
            held = minimum(code, loop.index, count)
            last = one.load(code.at(best, count - 1, kind), self.key)
            filling = code.pure(f"icmp slt i64 {loop.index}, {count}")
            with code.when(code.pure(f"or i1 {filling}, {one.lt(mine, last).text}")):
                at = self._shift(code, mine, held, best, order)
                one.store(mine, code.at(best, at, kind))
                one.store(one.cast(Val(loop.index, "int64"), "int32"), code.at(order, at, "i32"))

    def _shift(self, code: Code, mine: Val, held: str, best: str, order: str) -> str:
        """Move those kept that come behind a new key by one; gives where there is room."""
        one, kind = Builder(code), LLVM[self.key]
        end = minimum(code, held, self.count - 1)
        top, move, done = code.label("top"), code.label("move"), code.label("room")
        before = code.block
        code.do(f"br label %{top}")
        code.start(top)
        at, less = code.name_for("at"), code.name_for("less")
        code.do(f"{at} = phi i64 [ {end}, %{before} ], [ {less}, %{move} ]")
        code.do(f"{less} = sub nsw i64 {at}, 1")
        some = code.let(f"icmp sgt i64 {at}, 0")
        spot = code.let(f"select i1 {some}, i64 {less}, i64 0")
        key = one.load(code.let(f"getelementptr inbounds {kind}, ptr {best}, i64 {spot}"), self.key)
        behind = code.let(f"icmp slt {kind} {mine.text}, {key.text}")
        code.do(f"br i1 {code.let(f'and i1 {some}, {behind}')}, label %{move}, label %{done}")
        code.start(move)
        for base, element, dtype in ((best, kind, self.key), (order, "i32", "int32")):
            places = [code.let(f"getelementptr inbounds {element}, ptr {base}, i64 {index}")
                      for index in (less, at)]
            one.store(one.load(places[0], dtype), places[1])
        code.do(f"br label %{top}")
        code.start(done)
        return at

    # -- results -----------------------------------------------------------------------------------
    def _results(self, code: Code, row: str, order: str, goals: list[str], to: str,
                 apart: int) -> None:
        one, element = Builder(code), element_of(self.dtype)
        with code.loop(0, self.count) as loop:
            index = one.cast(one.load(code.at(order, loop.index, "i32"), "int32"), "int64")
            place = code.add(to, code.mul(loop.index, apart))
            for part, goal, y in zip(self.spec.parts, goals, self.node.outputs, strict=True):
                if part == "values":
                    at = code.mul(index.text, self.view.strides[self.spec.axis])
                    code.do(f"store {element} "
                            f"{code.let(f'load {element}, ptr {code.at(row, at, element)}')}, "
                            f"ptr {code.at(goal, place, element)}")
                else:
                    dtype = name_of(y.dtype)
                    one.store(one.cast(index, dtype), code.at(goal, place, LLVM[dtype]))


def sort(lowering: Any, node: ir.Node, form: forms.Sort) -> SortImpl | str:
    x = node.inputs[0]
    spec = form.describe(x.shape, **node.attrs)
    dtype = name_of(x.dtype)
    if spec is None or not spec.wanted:
        return "not for these attributes"
    if dtype not in HALF and dtype[0] not in "fiu":
        return f"no native order of {dtype}"
    view = lowering.plan.view_of(x)
    if ir.literal_of(view.buffer) is not None:
        return "a constant"
    if view.shape[spec.axis] > ROW_MAX:
        return f"rows of more than {ROW_MAX} are NumPy's"
    return SortImpl(node, view, spec)
