"""Which executor serves a graph: NumPy's first, native code from a fixed call on.

A graph that is called again and again is compiled in the background while NumPy serves. At a call
whose number depends on nothing but the graph (`cost`) native code takes over; if it is not there
yet, that call waits for it. So a seeded program gives the same bits in every run: no clock has a
say. `jit_compile=True`, and every function after `enable_op_determinism()`, is compiled at the
first call.

The first native run is compared with NumPy's, then one run in a thousand (`verification`); native
code that is wrong does not stay, and says so. With `settings.jit` "now" (tests use it) native code
serves from the first call on, whether or not it pays, and without comparison; with "off" never.

Who calls a function directly is told when native code takes over (`subscribe`), and when it is
withdrawn.
"""

from __future__ import annotations

import ctypes
import math
import sys
import warnings
from typing import Any

from tapeflow.base import errors
from tapeflow.base.exception_origin import from_library
from tapeflow.base.process.weak_tables import WeakSet
from tapeflow.base.settings import settings
from tapeflow.graph import ir
from tapeflow.graph.executor.interface import DirectCall, NativeListener
from tapeflow.graph.executor.numpy_executor import Program
from tapeflow.graph.variable_ops import write
from tapeflow.jit.tiering import cost
from tapeflow.jit.tiering.background import Task
from tapeflow.jit.verification.native_comparison import SECONDS, Comparison, Outcome

WORTH = 0.05  # seconds on NumPy after which a graph is worth compiling
FEWEST, MOST = 1, 24  # calls after which compiling begins
LONGEST = 2000  # calls that NumPy serves at most while the compiler works
IMPATIENCE = 0.5  # of the compiler's time that NumPy serves a graph that will be called often
AT_ONCE = 32  # calls: what NumPy would serve for so few waits for the compiler at its first call
STEP = 1e-3  # seconds on NumPy from which a graph that changes variables is a training step
EXPENSIVE = 3e-4  # seconds on NumPy from which a graph with a fixed executor is compiled
SHARE = 100  # native runs for each that a comparison takes as long as: it costs 1 % at most
COMPARABLE = 0.5  # seconds on NumPy from which not the first run is compared, but a later one
AHEAD = 5e-3  # seconds on NumPy from which it runs for the comparison while the compiler works,
AHEAD_NODE = 1e-5  # and of a node on the average: small ones would only keep the compiler waiting
PATIENCE = 60.0  # seconds that the comparison of such a run may take
NEVER = 1 << 62  # runs before the next comparison
SHORT = "the way into native code takes longer"
WRONG = "its results were not NumPy's"

_told: list[bool] = []


class MiscompileWarning(UserWarning):
    """Native code gave other results than NumPy, which serves from now on."""


def begins_at(graph: ir.Graph) -> int:
    """The call of a graph after which it is being compiled."""
    if will_be_called_often(graph):
        return FEWEST
    return min(MOST, max(FEWEST, math.ceil(WORTH / max(cost.on_numpy(graph), 1e-9))))


def takes_over_at(graph: ir.Graph) -> int:
    """The first call of a graph that native code serves: about when the compiler is done.

    What will be called often rather waits for a while, and at the first call if NumPy could serve
    a few calls only: each of those would take as long as many of native code's.
    """
    while_compiling = cost.to_compile(graph) / max(cost.on_numpy(graph), 1e-9)
    if will_be_called_often(graph):
        while_compiling *= IMPATIENCE
        if while_compiling <= AT_ONCE:
            return 1
    return begins_at(graph) + min(LONGEST, max(1, math.ceil(while_compiling)))


def will_be_called_often(graph: ir.Graph) -> bool:
    """Whether native code was asked for, or the graph is a training step, as by its cost."""
    return graph.asked or (sum(node.op is write for node in graph.nodes) > 1
                           and cost.on_numpy(graph) > STEP)


class Adaptive:
    """A program that runs on NumPy or natively. `run` is, in the end, that of the one that stays.

    native   the compiled program, if there is one
    reason   why NumPy serves, once that is settled
    checked  how the last comparison of native code with NumPy ended; None before the first
    """

    def __init__(self, graph: ir.Graph, require_native: bool = False, fixed: bool = False):
        """require_native: from the first call on; fixed: one executor from the first call on."""
        self.graph, self._fixed = graph, fixed
        self.native: Any = None
        self.reason: str | None = None
        self.checked: Outcome | None = None
        self._calls = self._begins = self._takes_over = 0
        self._task = Task(self.compile)
        self._listeners: WeakSet[NativeListener] = WeakSet()
        self._left = ctypes.c_longlong(0)  # native runs before the next comparison
        self._numpy: Program | None = None
        self._comparison: Comparison | None = None  # that has begun before native code was there
        by_mode = {"off": Adaptive._plain, "now": Adaptive._now}
        self._stage = Adaptive._required if require_native else by_mode.get(
            settings.jit, Adaptive._counted)

    def run(self, arrays: Any, variables: Any) -> tuple:
        return self._stage(self, arrays, variables)

    @property
    def settled(self) -> bool:
        """Whether native code serves."""
        return self._stage is Adaptive._natively

    # -- direct calls ------------------------------------------------------------------------------
    def subscribe(self, listener: NativeListener) -> None:
        """Tell `listener` when native code takes over or is withdrawn; see `Executor`."""
        self._listeners.add(listener)
        if self.settled or self.reason is SHORT:
            listener.native_changed()

    def direct_call(self, variables: list, pack: Any) -> DirectCall | None:
        """The direct way into native code, if it is to serve; see `Executable.caller`."""
        if not self.settled and self.reason is not SHORT:
            return None
        found = self.native.caller(variables, pack, self._left)
        if found is not None:  # whichever way a call takes, it gives the same bits
            self._serve_natively()
        return found

    def _tell(self) -> None:
        for listener in self._listeners:
            listener.native_changed()

    # -- NumPy serves ------------------------------------------------------------------------------
    def _stays_on_numpy(self, reason: str | None) -> Program:
        self.reason, self._stage, self._comparison = reason, Adaptive._plain, None
        self._hold_bodies(False)
        if self._numpy is None:
            self._numpy = Program(self.graph)
        self.run = self._numpy.run  # type: ignore[method-assign]
        return self._numpy

    def _hold_bodies(self, held: bool) -> None:
        for body in cost.all_bodies(self.graph):
            body.hold(held)

    def _plain(self, arrays: Any, variables: Any) -> tuple:
        return self._stays_on_numpy(self.reason).run(arrays, variables)

    def _counted(self, arrays: Any, variables: Any) -> tuple:
        """Run on NumPy until it is native code's turn."""
        if self._numpy is None:
            if settings.determinism or self._fixed and cost.on_numpy(self.graph) > EXPENSIVE:
                return self._take_over(arrays, variables)
            self._begins, self._takes_over = begins_at(self.graph), takes_over_at(self.graph)
            if self._takes_over == 1 and not self._fixed:
                return self._take_over(arrays, variables)
            self._numpy = Program(self.graph)
            if self._fixed:
                return self._plain(arrays, variables)
            if cost.is_short(self.graph):
                self._hold_bodies(True)  # they are compiled with the whole
        self._calls += 1
        if self._calls >= self._takes_over or settings.determinism:
            return self._take_over(arrays, variables)
        if self._calls == self._begins:
            self._task.submit()
        assert self._numpy is not None
        return self._numpy.run(arrays, variables)

    def _take_over(self, arrays: Any, variables: Any) -> tuple:
        self._wait(arrays, variables)
        if self.native is None:
            self._stays_on_numpy(self.reason)
        elif not cost.pays(self.native, self.graph):
            self._stays_on_numpy(SHORT)
        else:
            self._serve_natively()
        self._tell()  # a direct call may pay where the general way does not
        return self.run(arrays, variables)

    def _wait(self, arrays: Any, variables: Any) -> None:
        """Wait for the compiler; NumPy computes meanwhile what native code is compared with."""
        compared = self.checked is None and settings.checks and settings.jit != "now"
        least = max(AHEAD, AHEAD_NODE * len(self.graph.nodes))
        if compared and not self._task.done and least < cost.on_numpy(self.graph) <= COMPARABLE:
            self._task.submit()
            comparison = self._compare(arrays, variables)
            comparison.run_ahead(lambda: not self._task.done)
            self._comparison = comparison
        self._task.wait()

    # -- native code serves ------------------------------------------------------------------------
    def _serve_natively(self) -> None:
        self.reason, self._stage = None, Adaptive._natively
        vars(self).pop("run", None)
        if self.checked is None and (settings.jit == "now" or not settings.checks):
            self._left.value = NEVER

    def _natively(self, arrays: Any, variables: Any) -> tuple:
        left = self._left.value
        if left <= 0:
            self._left.value = NEVER  # for other threads, meanwhile
            if not self._is_right(arrays, variables):
                return self._withdraw().run(arrays, variables)
        else:
            self._left.value = left - 1
        return self.native.run(arrays, variables)

    def _withdraw(self) -> Program:
        """Native code was wrong: no way leads to it any more."""
        numpy = self._stays_on_numpy(WRONG)
        self._left.value = 0  # direct calls that are under way elsewhere miss
        self._tell()
        return numpy

    def _is_right(self, arrays: Any, variables: Any) -> bool:
        """Compare a native run, on copies of the variables, with NumPy's."""
        heavy = cost.on_numpy(self.graph) > COMPARABLE
        if heavy and self.checked is None and settings.checks > 1:
            self.checked = Outcome(None, why=f"NumPy takes long; run {settings.checks:,} will be")
            self._left.value = settings.checks - 2
            return True
        comparison, self._comparison = self._comparison, None
        comparison = comparison or self._compare(arrays, variables)
        outcome = self.checked = comparison.judge(self.native, variables,
                                                  PATIENCE if heavy else SECONDS)
        if outcome.same is False:
            warn_of(self.graph, comparison, outcome)
            return False
        if settings.checks:
            self._left.value = max(settings.checks - 1, round(SHARE * outcome.ratio))
        return True

    def _compare(self, arrays: Any, variables: Any) -> Comparison:
        return Comparison(self.graph, arrays, [one._snapshot._value for one in variables])

    # -- native code at the first call -------------------------------------------------------------
    def _now(self, arrays: Any, variables: Any) -> tuple:
        self._wait(arrays, variables)
        if self.native is None:
            return self._plain(arrays, variables)
        self._serve_natively()
        self._tell()
        return self.run(arrays, variables)

    def _required(self, arrays: Any, variables: Any) -> tuple:
        """Native code at the first call. What XLA would not compile either is refused; another op
        without native code runs on NumPy between native parts, as programs written for XLA need.
        """
        refuse_beyond_compilers(self.graph)
        return self._now(arrays, variables)

    def compile(self) -> None:
        """Make native code, or know why there is none."""
        from tapeflow.jit.pipeline import Refused, compile
        from tapeflow.jit.runtime.target import UnsupportedMachine
        try:
            self.native = compile(self.graph)
        except Refused as error:
            self.reason = str(error)
        except (ImportError, UnsupportedMachine) as error:
            self.reason = str(error)
            _notify_once(f"tapeflow runs tf.function on NumPy, without native code: {error}")
        except Exception as error:  # a fault of the compiler must not be the user's
            if not from_library(error):
                raise
            self.reason = f"the compiler failed: {type(error).__name__}: {error}"
            if settings.jit == "now":
                raise
            _notify_once(f"tapeflow could not compile {self.graph.name!r} ({self.reason}); it runs "
                         "on NumPy.")


def refuse_beyond_compilers(graph: ir.Graph) -> None:
    """Raise InvalidArgumentError for ops that jit_compile=True cannot have."""
    beyond = sorted({node.op.name for node in graph.nodes if _beyond_compilers(node)})
    if beyond:
        raise errors.InvalidArgumentError(
            None, None, f"jit_compile=True: {graph.name!r} has ops that cannot be compiled: "
            f"{', '.join(beyond)}")


def _beyond_compilers(node: ir.Node) -> bool:
    """Whether no compiler of tensors takes a node: strings, and calls of Python; but an assertion,
    which XLA leaves out, stands between native parts."""
    if node.op.traits.only_checks:
        return False
    values = (*node.inputs, *node.outputs)
    return any(value.dtype.kind == "O" for value in values) or node.op.traits.calls_python


def warn_of(graph: ir.Graph, comparison: Comparison, outcome: Outcome) -> None:
    """Native code is wrong: say so, and leave a file that shows it."""
    from tapeflow.jit.verification.reproduction import write
    try:
        where = f"{write(graph, comparison, outcome)} shows it; please report it"
    except Exception as error:  # the program goes on in any case
        if not from_library(error):
            raise
        where = f"no file could be written that shows it ({type(error).__name__}: {error})"
    warn(f"Native code of {graph.name!r} gave other results than NumPy, which serves from now "
          f"on: {where}.", MiscompileWarning)


def _notify_once(text: str) -> None:
    """One notice, not one for each graph."""
    if not _told:
        _told.append(True)
        warn(text, RuntimeWarning)


def warn(text: str, category: type[Warning]) -> None:
    """Warn at the user's line: RuntimeWarnings of tapeflow's own lines are NumPy's, and ignored."""
    level, frame = 1, sys._getframe(0)
    while frame is not None and frame.f_globals.get("__name__", "").startswith("tapeflow"):
        level, frame = level + 1, frame.f_back  # type: ignore[assignment]
    warnings.warn(text, category, stacklevel=level)
