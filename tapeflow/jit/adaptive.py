"""Which executor serves a graph: NumPy's at once, native code when it is there and faster.

A graph that is run often enough is compiled in the background, while the NumPy executor serves;
then both are compared on the user's own runs, and the faster one stays. `jit_compile=True` compiles
at the first call and says what prevents it. `MODE` is "auto", "off", or "now": at the first call,
whether or not it pays (tests use it).
"""

from __future__ import annotations

import os
import threading
import time
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np

from tapeflow.base import errors
from tapeflow.graph import ir
from tapeflow.graph.execute import Program
from tapeflow.jit.target import Unknown

MODE = [os.environ.get("TAPEFLOW_JIT", "auto")]
CALLS, SPENT = 24, 0.05  # runs, or seconds, after which a graph is worth compiling
TRIALS = 12  # runs on which native code is compared
ENTRY = 6e-6  # seconds that the direct way into native code saves at most
TINY = 1000  # nanoseconds of native code below which it is quicker than NumPy by that way
_clock = time.perf_counter

_compiling = threading.Lock()
_threads: list[threading.Thread] = []
_told: list[bool] = []


class Adaptive:
    """A program that runs on NumPy or natively. `run` is, in the end, that of the one that stays.

    native  the compiled program, if there is one
    reason  why there is none
    """

    def __init__(self, graph: ir.Graph, insist: bool = False):
        self.graph = graph
        self.native: Any = None
        self.reason: str | None = None
        self._calls, self._spent, self._best = 0, 0.0, float("inf")
        self._trial: list[float] = []
        self._checked = False  # whether native code was compared with NumPy
        self.direct = False  # whether calls by the user go into native code
        self._numpy: Program | None = None
        by_mode = {"off": Adaptive._plain, "now": Adaptive._now}
        self._stage = Adaptive._insisted if insist else by_mode.get(MODE[0], Adaptive._counted)

    def run(self, arrays: Any, variables: Any) -> tuple:
        return self._stage(self, arrays, variables)

    def caller(self, variables: list, packed: Any) -> Any:
        """The direct way into native code, if it is to serve; see `Native.caller`."""
        return self.native.caller(variables, packed) if self.settled or self.direct else None

    @property
    def settled(self) -> bool:
        """Whether native code stays."""
        return self.native is not None and self.__dict__.get("run") == self.native.run

    def _stays(self, program: Any) -> None:
        """From now on this executor serves, without a detour."""
        self.run = program.run  # type: ignore[method-assign]

    def _plain(self, arrays: Any, variables: Any) -> tuple:
        if self._numpy is None:
            self._numpy = Program(self.graph)
        self._stays(self._numpy)
        return self._numpy.run(arrays, variables)

    def _counted(self, arrays: Any, variables: Any) -> tuple:
        """Run on NumPy and see whether the graph is worth compiling."""
        if self._numpy is None:
            self._numpy = Program(self.graph)
        begin = _clock()
        results = self._numpy.run(arrays, variables)
        took = _clock() - begin
        self._best = min(self._best, took)
        self._calls += 1
        self._spent += took
        worth = self._calls >= CALLS or (self._spent > SPENT and self._calls > 2)
        if worth and "run" not in vars(self):  # else another thread has begun
            self._stays(self._numpy)
            in_background(self._in_background)
        return results

    def _in_background(self) -> None:
        self.compile()
        if self.native is not None:
            self._stage = Adaptive._tried
            vars(self).pop("run", None)

    def compile(self) -> None:
        """Make native code, or know why there is none."""
        from tapeflow.jit.program import Native, Refused
        try:
            self.native = Native(self.graph)
        except Refused as error:
            self.reason = str(error)
        except (ImportError, Unknown) as error:
            self.reason = str(error)
            _tell(f"tapeflow runs tf.function on NumPy, without native code: {error}")
        except Exception as error:  # a fault of the compiler must not be the user's
            self.reason = f"the compiler failed: {type(error).__name__}: {error}"
            if MODE[0] == "now":
                raise
            _tell(f"tapeflow could not compile {self.graph.name!r} ({self.reason}); it runs on "
                  "NumPy.")

    def _tried(self, arrays: Any, variables: Any) -> tuple:
        """The first native runs, against the best that NumPy did."""
        if not self._checked:
            self._checked = True
            return self._compared(arrays, variables)
        begin = _clock()
        results = self.native.run(arrays, variables)
        self._trial.append(_clock() - begin)
        if len(self._trial) >= TRIALS:
            quick = min(self._trial) <= self._best
            # Calls by the user have a way in that these runs do not take.
            self.direct = (min(self._trial) <= self._best + ENTRY
                           or self.native.nanoseconds < TINY)
            assert self._numpy is not None
            if not quick and not self.direct:
                self.reason = (f"slower than NumPy: {1e6 * min(self._trial):.0f} µs, "
                               f"not {1e6 * self._best:.0f}")
            self._stays(self.native if quick else self._numpy)
        return results

    def _compared(self, arrays: Any, variables: Any) -> tuple:
        """The first native run: it must give what NumPy gives, or NumPy stays."""
        assert self._numpy is not None
        if any(node.op.stateful and node.op.kind == "random" for node in self.graph.nodes):
            return self.native.run(arrays, variables)
        before = [variable._snapshot for variable in variables]
        want = self._numpy.run(arrays, variables)
        after = [variable._snapshot for variable in variables]
        _hold(variables, before)
        try:
            got = self.native.run(arrays, variables)
            same = all(map(agree, got, want)) and all(
                agree(variable._snapshot._value, snapshot._value)
                for variable, snapshot in zip(variables, after, strict=True))
        except Exception:  # NumPy has not failed
            same = False
        if same:
            return got
        self.reason = "its first results were not NumPy's"
        _hold(variables, after)
        self._stays(self._numpy)
        return want

    def _now(self, arrays: Any, variables: Any) -> tuple:
        self.compile()
        if self.native is None:
            return self._plain(arrays, variables)
        self._stays(self.native)
        return self.native.run(arrays, variables)

    def _insisted(self, arrays: Any, variables: Any) -> tuple:
        """Native code at the first call. What XLA would not compile either is refused; another op
        without native code runs on NumPy between native parts, as programs written for XLA need.
        """
        beyond = sorted({node.op.name for node in self.graph.nodes if _beyond_compilers(node)})
        if beyond:
            raise errors.InvalidArgumentError(
                None, None, f"jit_compile=True: {self.graph.name!r} has ops that cannot be "
                f"compiled: {', '.join(beyond)}")
        return self._now(arrays, variables)


def _beyond_compilers(node: ir.Node) -> bool:
    """Whether no compiler of tensors takes a node: strings, and calls of Python."""
    values = (*node.inputs, *node.outputs)
    return any(value.dtype.kind == "O" for value in values) or node.op.name in (
        "py_function", "numpy_function")


def in_background(compile: Callable) -> None:
    """Compile something, one thing after another, while the program goes on."""
    def work() -> None:
        with _compiling:
            compile()

    thread = threading.Thread(target=work, name="tapeflow-compiler")
    _threads[:] = [one for one in _threads if one.is_alive()]
    _threads.append(thread)
    thread.start()


def _hold(variables: Any, snapshots: list) -> None:
    for variable, snapshot in zip(variables, snapshots, strict=True):
        variable._snapshot = snapshot


def agree(got: Any, want: Any) -> bool:
    """Whether two results are the same but for rounding."""
    got, want = np.asarray(got), np.asarray(want)
    if got.shape != want.shape or got.dtype != want.dtype:
        return False
    if want.dtype.kind not in "fVc":
        return bool(np.array_equal(got, want))
    if want.dtype.kind != "c" and want.dtype.itemsize < 4:
        got, want, slack = got.astype(np.float32), want.astype(np.float32), 3e-2
    else:
        slack = 1e-3 if want.dtype in (np.float32, np.complex64) else 1e-6
    with np.errstate(all="ignore"):
        finite = np.abs(want[np.isfinite(want)])
        far = slack * float(finite.max(initial=0.0))
        return bool(np.allclose(got, want, rtol=slack, atol=far, equal_nan=True))


def _tell(text: str) -> None:
    """One notice, not one for each graph."""
    if not _told:
        _told.append(True)
        warnings.warn(text, RuntimeWarning, stacklevel=3)


def wait() -> None:
    """Wait until nothing is being compiled."""
    for thread in list(_threads):
        thread.join()


def _after_fork() -> None:
    global _compiling
    _compiling = threading.Lock()
    _threads.clear()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_after_fork)
