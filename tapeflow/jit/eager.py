"""Windows over eager images by native code, where the same sizes come again and again.

`choose(describe, kernel, xs, attrs)` computes an op of `ops.conv`. Sizes that have cost enough time
are compiled in the background (`windows`), tried on the user's own calls, and stay with whichever
is quicker. `api` hands this to `ops.conv`; llvmlite is imported when something is compiled.
"""

from __future__ import annotations

import ctypes
import time
from collections.abc import Callable
from typing import Any

import numpy as np

from tapeflow.jit import adaptive

CALLS, SPENT = 4, 0.03  # calls, and seconds in them, after which sizes are worth compiling
TRIALS = 5
MOST = 256  # sizes that are looked after
KEPT = 256 << 20  # bytes of working memory that are kept for the next call

_choices: dict[Any, _Choice] = {}
_spare: list[np.ndarray] = []
_clock = time.perf_counter


def choose(describe: Callable, kernel: Callable, xs: tuple, attrs: dict) -> Any:
    """The op's result, by its kernel or by native code."""
    try:
        key = (describe, xs[0].dtype, tuple([x.shape for x in xs]), tuple(attrs.items()))
        choice = _choices.get(key)
        if choice is None:
            if len(_choices) >= MOST or adaptive.MODE[0] == "off":
                return kernel(*xs, **attrs)
            choice = _choices[key] = _Choice(describe, kernel)
    except TypeError:  # an attribute that is no plain number
        return kernel(*xs, **attrs)
    return choice.run(xs, attrs)


class _Choice:
    """How one op with given sizes and attributes is computed. `run` is replaced as it goes on."""

    def __init__(self, describe: Callable, kernel: Callable):
        self.describe, self.kernel = describe, kernel
        self.calls, self.spent, self.best = 0, 0.0, float("inf")
        self.trials: list[float] = []
        self._native: Any = None
        self.run: Any = self._counted

    def _plain(self, xs: tuple, attrs: dict) -> Any:
        return self.kernel(*xs, **attrs)

    def _counted(self, xs: tuple, attrs: dict) -> Any:
        begin = _clock()
        result = self.kernel(*xs, **attrs)
        took = _clock() - begin
        self.calls, self.spent, self.best = self.calls + 1, self.spent + took, min(self.best, took)
        if self.calls >= CALLS and self.spent > SPENT or adaptive.MODE[0] == "now":
            self.run = self._plain
            self.shape = result.shape
            if adaptive.MODE[0] == "now":
                self._compile(xs, attrs)
            else:
                adaptive.in_background(lambda: self._compile(xs, attrs))
        return result

    def _compile(self, xs: tuple, attrs: dict) -> None:
        try:
            self._native = native(self.describe, [x.shape for x in xs], xs[0].dtype, attrs,
                                  self.shape)
        except ImportError:  # no compiler here
            return
        if self._native is not None:
            self.run = self._tried

    def _tried(self, xs: tuple, attrs: dict) -> Any:
        begin = _clock()
        result = self._native(xs, attrs)
        self.trials.append(_clock() - begin)
        if len(self.trials) >= TRIALS:
            quick = min(self.trials) <= self.best
            self.run = self._native if quick else self._plain
        return result


def native(describe: Callable, shapes: list, dtype: np.dtype, attrs: dict,
           shape: tuple) -> Callable | None:
    """The compiled function of a window op, called like `_Choice.run`; None if there is none."""
    from tapeflow.jit import machine, threads
    from tapeflow.jit.code import Module
    from tapeflow.jit.target import host
    from tapeflow.jit.windows import Window, supported, write_window
    fields = describe(shapes, **attrs)
    if fields is None:
        return None
    window = Window(dtype=dtype.name, **fields)
    if not supported(window):
        return None
    module = Module(host())
    plan = write_window(module, "window", window, threads=threads.count())
    code = machine.load(module.text(), threads.symbols())
    function = ctypes.CFUNCTYPE(None, *[ctypes.c_void_p] * 6)(code.address("window"))
    pool = threads.pool()

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
    except IndexError:
        memory = np.empty(0, "u1")
    if memory.size < size + 64:
        memory = np.empty(size + 64, "u1")
    address = memory.ctypes.data
    return address + -address % 64, memory


def _give(memory: np.ndarray) -> None:
    if len(_spare) < 4 and memory.size <= KEPT // 4:
        _spare.append(memory)
