"""Native code for large eager ops, where the same sizes come again and again.

`choose(kernel, compile, key, xs, attrs)` computes an op. Sizes that come again and again are
compiled in the background, and served natively from a call on whose number depends on the sizes
alone: so results repeat from run to run (`adaptive` does the same for graphs). There are two kinds
of native code here: `choose_window` is for the windows of `ops.conv`, which are one function
(`windows`), and `choose_op` for any other op that has a native form: a graph with the op as its
only node. `api` hands both to the ops; llvmlite is imported when something is compiled.
"""

from __future__ import annotations

import ctypes
import math
from collections.abc import Callable, Collection
from typing import Any

import numpy as np

from tapeflow.base.exception_origin import from_library, unsignalled
from tapeflow.base.settings import settings
from tapeflow.core.record.op import Op
from tapeflow.core.state import state
from tapeflow.graph import ir
from tapeflow.jit.tiering import graph_tiering
from tapeflow.jit.tiering.background import Task
from tapeflow.jit.verification.native_comparison import Comparison, agree
from tapeflow.jit.verification.reference_run import Noise

WORTH = 0.03  # seconds in calls after which sizes are worth compiling
FEWEST, MOST_CALLS = 4, 256  # calls before that
COMPILE = 0.04  # seconds that the compiler takes
ELEMENT = 4e-9  # seconds that an element takes on NumPy, of an op that has native code
MOST = 512  # sizes that are looked after
KEPT = 256 << 20  # bytes of working memory that are kept for the next call

_choices: dict[Any, _Choice] = {}
_spare: list[np.ndarray] = []


def choose(kernel: Callable, compile: Callable, key: Any, xs: tuple, attrs: dict) -> Any:
    """The op's result, by its kernel or by native code: compile(xs, attrs, result) gives that.

    What native code is compared with is computed by kernels alone, and not counted: how often that
    runs depends on the clock.
    """
    if state.numpy_alone:
        return kernel(*xs, **attrs)
    try:
        choice = _choices.get(key)
    except unsignalled(TypeError):  # an attribute that is no plain number
        return kernel(*xs, **attrs)
    if choice is None:
        if settings.jit == "off" or settings.determinism:
            return kernel(*xs, **attrs)
        if len(_choices) >= MOST:
            _forget()
        choice = _choices[key] = _Choice(kernel, compile)
    return choice.run(xs, attrs)


def _forget() -> None:
    """Make room: the older half of the sizes that have no native code goes, or of all."""
    for idle in (True, False):
        found = [key for key, choice in list(_choices.items())
                 if not idle or not choice.served_natively]
        for key in found[:-(-len(found) // 2)]:
            _choices.pop(key, None)
        if len(_choices) < MOST:
            return


class _Choice:
    """How one op with given sizes and attributes is computed. `run` is replaced as it goes on."""

    def __init__(self, kernel: Callable, compile: Callable):
        self.kernel, self._compiler = kernel, compile
        self.calls = self.begins = self.takes_over = 0
        self.native: Any = None
        self._task: Task | None = None
        self.run: Any = self._counted

    @property
    def served_natively(self) -> bool:
        return self.native is not None and self.run is self.native

    def _plain(self, xs: tuple, attrs: dict) -> Any:
        return self.kernel(*xs, **attrs)

    def _counted(self, xs: tuple, attrs: dict) -> Any:
        self.calls += 1
        if self._task is not None:
            if self.calls < self.takes_over:
                return self.kernel(*xs, **attrs)
            self._take_over()
            return self.run(xs, attrs)
        result = self.kernel(*xs, **attrs)
        if self.calls == 1:
            self._schedule(xs, result)
        if self.calls >= self.begins or settings.jit == "now":
            # Copies: an executor's buffers hold other values by the time these are looked at.
            given, made = tuple([np.array(x)[()] for x in xs]), np.array(result)[()]
            self._task = Task(lambda: self._compile(given, attrs, made))
            if settings.jit == "now":
                self._take_over()
            else:
                self._task.submit()
        return result

    def _take_over(self) -> None:
        assert self._task is not None
        self._task.wait()
        self.run = self._plain if self.native is None else self.native

    def _schedule(self, xs: tuple, result: Any) -> None:
        """After which calls it is compiled, and served natively."""
        took = ELEMENT * max([x.size for x in xs] + [result.size])
        self.begins = min(MOST_CALLS, max(FEWEST, math.ceil(WORTH / took)))
        self.takes_over = self.begins + min(MOST_CALLS, math.ceil(COMPILE / took))

    def _compile(self, xs: tuple, attrs: dict, result: Any) -> None:
        try:
            self.native = self._compiler(xs, attrs, result)
        except ImportError:  # no compiler here
            return
        except Exception as error:  # a fault of the compiler must not be the user's
            if settings.jit == "now" or not from_library(error):
                raise


# -- any op ----------------------------------------------------------------------------------------
def choose_op(op: Op, kernel: Callable, xs: tuple, attrs: dict) -> Any:
    """An op on large operands; `kernel` is how it is computed without native code."""
    shape = None
    by_itself = op.kind == "elementwise" and not getattr(op.lower, "places", True)
    if by_itself and xs[0].ndim > 1 and all(
            x.shape == xs[0].shape and x.flags.c_contiguous for x in xs):
        shape = xs[0].shape  # no matter which: all that have so many elements are one
        xs = tuple([x.reshape(-1) for x in xs])
    kinds = [(x.dtype, x.item()) if _is_known(x) else (x.dtype, x.shape) for x in xs]
    key = (op, tuple(kinds), tuple(attrs.items()))
    result = choose(kernel, lambda *given: native_op(op, *given), key, xs, attrs)
    return result if shape is None else result.reshape(shape)


def _is_known(x: Any) -> bool:
    """Whether an operand is part of the code: a bound of random numbers, say."""
    return not x.shape and x.dtype.kind in "iu"


def native_op(op: Op, xs: tuple, attrs: dict, result: Any) -> Callable | None:
    """The compiled function of one op, which gives what it gave; None if there is none."""
    from tapeflow.jit.pipeline import Refused, compile
    from tapeflow.jit.runtime.target import UnsupportedMachine
    graph = ir.Graph(op.name)
    operands = [ir.constant(x) if _is_known(x) else ir.Value(x.shape, x.dtype) for x in xs]
    graph.inputs = [value for value in operands if value.const is None]
    node = ir.Node(op, tuple(operands), attrs)
    node.outputs = (ir.Value(result.shape, result.dtype, node),)
    graph.nodes, graph.outputs = [node], [node.outputs[0]]
    try:
        program = compile(graph, reuse=False)
    except (Refused, UnsupportedMachine):
        return None

    def run(xs: tuple, attrs: dict) -> Any:
        return program.run([x for x in xs if not _is_known(x)], [])[0]

    if program.calls:
        return None
    comparison = Comparison(graph, [x for x in xs if not _is_known(x)], [])
    outcome = comparison.judge(program, [])
    if outcome.same is False:
        graph_tiering.warn_of(graph, comparison, outcome)
        return None
    return run


# -- windows ---------------------------------------------------------------------------------------
def choose_window(describe: Callable, kernel: Callable, xs: tuple, attrs: dict) -> Any:
    """An op of `ops.conv`; `describe` tells which window over which sizes it is."""
    key = (describe, xs[0].dtype, tuple([x.shape for x in xs]), tuple(attrs.items()))
    return choose(kernel, lambda *given: _checked_window(describe, kernel, *given), key, xs, attrs)


def _checked_window(describe: Callable, kernel: Callable, xs: tuple, attrs: dict,
                    result: Any) -> Callable | None:
    """The compiled function of a window op, if it gives what its kernel gave."""
    native = native_window(describe, xs, attrs, result)
    if native is None:
        return None
    terms = max(x.size for x in xs) ** 0.5

    def perturbed(noise: Noise, wanted: Collection[int]) -> list[np.ndarray]:
        return [kernel(*[noise.on(x, terms) for x in xs], **attrs)]

    if agree([native(xs, attrs)], [result], perturbed):
        return native
    graph_tiering.warn(f"Native code of the window {describe([x.shape for x in xs], **attrs)} of "
                  f"{xs[0].dtype} gave other results than NumPy, which serves from now on. Please "
                  "report it.", graph_tiering.MiscompileWarning)
    return None


def native_window(describe: Callable, xs: tuple, attrs: dict, result: Any) -> Callable | None:
    """The compiled function of a window op; None if there is none."""
    from tapeflow.jit.codegen.llvm_text import Module
    from tapeflow.jit.kernels.conv.conv_geometry import Window
    from tapeflow.jit.kernels.conv.conv_plan import supported, write_window
    from tapeflow.jit.runtime import llvm_backend, thread_pool
    from tapeflow.jit.runtime.target import host
    dtype, shape = xs[0].dtype, result.shape
    fields = describe([x.shape for x in xs], **attrs)
    if fields is None:
        return None
    window = Window(dtype=dtype.name, **fields)
    if not supported(window):
        return None
    module = Module(host())
    plan = write_window(module, "window", window, threads=thread_pool.count())
    code = llvm_backend.load(module.text(), thread_pool.symbols())
    function = ctypes.CFUNCTYPE(None, *[ctypes.c_void_p] * 6)(code.address("window"))
    pool = thread_pool.pool()

    def run(xs: tuple, attrs: dict) -> np.ndarray:
        operands = [np.ascontiguousarray(x) for x in xs]
        result = np.empty(shape, dtype)
        work, memory = _take(plan.work)
        second = operands[1].ctypes.data if len(operands) > 1 else None
        function(pool, operands[0].ctypes.data, second, result.ctypes.data, None, work)
        _give(memory)
        return result

    run.code = code  # type: ignore[attr-defined]
    return run


def _take(size: int) -> tuple[int, np.ndarray]:
    """An address at a multiple of 64, of memory that nobody else uses."""
    try:
        memory = _spare.pop()
    except unsignalled(IndexError):
        memory = np.empty(0, "u1")
    if memory.size < size + 64:
        memory = np.empty(size + 64, "u1")
    address = memory.ctypes.data
    return address + -address % 64, memory


def _give(memory: np.ndarray) -> None:
    if len(_spare) < 4 and memory.size <= KEPT // 4:
        _spare.append(memory)
