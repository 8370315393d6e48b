"""Words of a Philox4x32-10 stream, many blocks at once: what random numbers are made of."""

from __future__ import annotations

from typing import Any

from tapeflow.core.record import lowering_forms as forms
from tapeflow.graph import ir
from tapeflow.jit.choices import Choice
from tapeflow.jit.codegen.builder import LLVM, Builder, Val
from tapeflow.jit.codegen.index_arithmetic import minimum, task_range
from tapeflow.jit.codegen.llvm_text import Code
from tapeflow.jit.kernels.gemm.gemm_cost import GIGAHERTZ
from tapeflow.jit.kernels.independent_units import call_tasks, task_count
from tapeflow.jit.lowering.plan import CustomKernel
from tapeflow.jit.runtime.target import Target

LOW = 0xFFFFFFFF
MULTIPLIERS = (0xD2511F53, 0xCD9E8D57)
INCREMENTS = (0x9E3779B9, 0xBB67AE85)
ROUNDS = 10
WORD = "uint64"  # words of 32 bits are held in 64, where products need no second half
BLOCK_CYCLES = 4.5

TASKS = Choice("random.tasks", (False, True))


class DrawImpl:
    """Blocks of four words, block i being the cipher of counter + stride * i."""

    epilogue = False

    def __init__(self, node: ir.Node, scramble: int):
        self.node, self.scramble = node, scramble
        self.blocks = (node.outputs[0].shape or (0,))[0]
        self.stride = node.attrs.get("stride", 1)
        self.nanoseconds = BLOCK_CYCLES / GIGAHERTZ * self.blocks
        self.text = f"{self.blocks} blocks of random words"

    def work(self, kernel: CustomKernel, target: Target, threads: int) -> int:
        return 0

    def write(self, program: Any, kernel: CustomKernel, name: str, work: tuple[int, int],
              code: Code) -> None:
        lanes = 2 * program.module.target.lanes(8)
        tasks = task_count(TASKS, BLOCK_CYCLES * self.blocks, -(-self.blocks // lanes))
        call_tasks(program, code, self._task(program, kernel, name, tasks, lanes), tasks)

    def _task(self, program: Any, kernel: CustomKernel, name: str, tasks: int, lanes: int) -> str:
        """`task(slots, index)`: some of the blocks, many at once but for the last few."""
        module = program.module
        code = Code(module, name, [("ptr", "%slots"), ("i64", "%task")],
                    attributes=module.target.attributes)
        one = Builder(code)
        key, low, high = self._stream(program, one)
        goal = program.addresses.pointer(code, kernel.result)
        first, last = task_range(code, "%task", self.blocks, tasks, lanes)
        full = self.blocks // lanes * lanes
        for begin, end, width in ((first, minimum(code, last, full), lanes), (full, last, 1)):
            with code.loop(begin, end, width) as loop:
                self._blocks(Builder(code, width), loop.index, key, low, high, goal)
        return module.add(code)

    def _stream(self, program: Any, b: Builder) -> tuple[Val, Val, Val]:
        """Key and counter: a state has them, a seed is scrambled by one block of the cipher."""
        source = self.node.inputs[0]
        view = program.plan.view_of(source)
        buffer, kind = program.addresses.pointer(b.code, view.buffer), str(source.dtype)
        given = [Val(b.cast(b.load(b.code.at(buffer, view.offset + i * view.strides[0], LLVM[kind]),
                                   kind), "int64").text, WORD)
                 for i in range((source.shape or ())[0])]
        if len(given) == 3:
            return given[2], given[0], given[1]
        words = [half for one in given for half in _halves(b, one)]
        x = cipher(b, words, _halves(b, b.const(self.scramble, WORD)))
        return _joined(b, x[0], x[1]), b.const(0, WORD), _joined(b, x[2], x[3])

    def _blocks(self, b: Builder, index: str, key: Val, low: Val, high: Val, goal: str) -> None:
        code, many = b.code, b.lanes > 1
        block = b.splat(index, WORD)
        if many:
            steps = ", ".join(f"i64 {i}" for i in range(b.lanes))
            block = b.add(block, Val(f"<{steps}>", WORD))
        if self.stride != 1:
            block = b.mul(block, b.const(self.stride, WORD))
        lows, highs = b.splat(low.text, WORD), b.splat(high.text, WORD)
        counter = b.add(block, lows)
        carried = b.add(highs, b.cast(b.lt(counter, lows), WORD))
        words = [*_halves(b, counter), *_halves(b, carried)]
        one = Builder(code)
        keys = [b.splat(half.text, WORD) for half in _halves(one, key)]
        x = cipher(b, words, keys)
        first, second = _joined(b, x[0], x[1]), _joined(b, x[2], x[3])
        at = code.at(goal, code.mul(index, 4), "i32")
        kind = b.type(WORD)
        if many:
            order = ", ".join(f"i32 {i}, i32 {i + b.lanes}" for i in range(b.lanes))
            both = code.pure(f"shufflevector {kind} {first.text}, {kind} {second.text}, "
                             f"<{2 * b.lanes} x i32> <{order}>")
            code.do(f"store <{2 * b.lanes} x i64> {both}, ptr {at}, align 4")
            return
        code.do(f"store i64 {first.text}, ptr {at}, align 4")
        code.do(f"store i64 {second.text}, ptr {code.at(at, 2, 'i32')}, align 4")


def _halves(b: Builder, x: Val) -> list[Val]:
    return [b.both(x, b.const(LOW, WORD)), b.bits("lshr", x, b.const(32, WORD))]


def _joined(b: Builder, low: Val, high: Val) -> Val:
    return b.either(low, b.bits("shl", high, b.const(32, WORD)))


def cipher(b: Builder, counter: list[Val], key: list[Val]) -> list[Val]:
    """Ten rounds of Philox on words held in 64 bits. Those of single blocks, of which there are
    few, are a loop: written out they would take LLVM longer than all the rest."""
    if b.lanes > 1:
        for _ in range(ROUNDS):
            counter, key = _round(b, counter, key)
        return counter
    kind = b.type(WORD)
    with b.code.loop(0, ROUNDS, carry=[(kind, x.text) for x in (*counter, *key)]) as loop:
        words = [Val(text, WORD) for text in loop.carry]
        counter, key = _round(b, words[:4], words[4:])
        loop.after = [x.text for x in (*counter, *key)]
    return [Val(text, WORD) for text in loop.results[:4]]


def _round(b: Builder, counter: list[Val], key: list[Val]) -> tuple[list[Val], list[Val]]:
    """One round, and the key of the next."""
    (c0, c1, c2, c3), (k0, k1) = counter, key
    low, shift = b.const(LOW, WORD), b.const(32, WORD)
    p0, p1 = [b.mul(c, b.const(m, WORD)) for c, m in zip((c0, c2), MULTIPLIERS, strict=True)]
    return ([b.differ(b.differ(b.bits("lshr", p1, shift), c1), k0), b.both(p1, low),
             b.differ(b.differ(b.bits("lshr", p0, shift), c3), k1), b.both(p0, low)],
            [b.both(b.add(k, b.const(n, WORD)), low)
             for k, n in zip(key, INCREMENTS, strict=True)])


def draw(lowering: Any, node: ir.Node, form: forms.Draw) -> DrawImpl | str:
    view = lowering.plan.view_of(node.inputs[0])
    if ir.literal_of(view.buffer) is not None or len(view.shape) != 1:
        return "no stream"
    return DrawImpl(node, form.scramble)
