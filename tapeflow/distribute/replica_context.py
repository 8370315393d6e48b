"""Running a function once for each replica, and the context in which it runs.

One replica runs in the caller's thread. Several run in threads of their own, one at a time: each
goes on until it ends or calls `merge_call`, where the last to arrive lets the function of that
call run once for all.
"""

from __future__ import annotations

import sys
import threading
import weakref
from collections.abc import Callable
from typing import Any

import numpy as np

from tapeflow.base import nest
from tapeflow.base.exports import export
from tapeflow.core import scopes
from tapeflow.core.autodiff.custom_gradient import custom_gradient
from tapeflow.core.state import acting_thread, set_stack, state
from tapeflow.core.values.convert import convert
from tapeflow.core.values.indexed_slices import IndexedSlices
from tapeflow.core.values.tensor import Tensor, wrap
from tapeflow.distribute import strategy_scope
from tapeflow.distribute.replica_values import NUMBERS, Mirrored, regrouped, selected
from tapeflow.distribute.strategy_scope import Frame, entered
from tapeflow.graph.control_flow.custom_gradient_node import MeetsOthers
from tapeflow.graph.functions.function import Function
from tapeflow.ops.array import shaping


@export("distribute.ReplicaContext")
class ReplicaContext:
    """What code of one replica knows of the others."""

    def __init__(self, strategy: Any, index: int):
        self._strategy, self._index = strategy, index
        self._run: Any = None

    @property
    def strategy(self) -> Any:
        return self._strategy

    @property
    def num_replicas_in_sync(self) -> int:
        return self._strategy.num_replicas_in_sync

    @property
    def replica_id_in_sync_group(self) -> Any:
        return wrap(np.int32(self._replica_id))

    @property
    def _replica_id(self) -> int:
        return self._strategy._first_replica + self._index

    @property
    def devices(self) -> tuple:
        return (self._strategy.extended.worker_devices[self._index],)

    def __enter__(self) -> None:
        self._entry = entered(Frame(self._strategy, self))
        self._entry.__enter__()

    def __exit__(self, *failure: Any) -> None:
        self._entry.__exit__(*failure)

    def merge_call(self, merge_fn: Callable, args: tuple = (), kwargs: dict | None = None) -> Any:
        """Call `merge_fn(strategy, …)` once for all replicas, with the arguments of each."""
        if self._run is not None:
            return self._run.merge(self._index, merge_fn, args, kwargs or {})
        with entered(Frame(self._strategy, None)):
            return merge_fn(self._strategy, *args, **(kwargs or {}))

    def all_reduce(self, reduce_op: Any, value: Any, options: Any = None) -> Any:
        """The sum or mean of a structure over all replicas, on each of them."""
        wanted = strategy_scope.reduce_op(reduce_op)
        if self._run is None and self._strategy._group is None:
            return nest.map_structure(_plain, value)
        flat = nest.flatten(value)
        if self._run is None:
            return nest.pack_sequence_as(value, self._strategy._reduced_all(wanted, flat, options))

        def reduced(strategy: Any, *parts: Any) -> tuple:
            return tuple([_copies(strategy, one)
                          for one in strategy._reduced_all(wanted, parts, options)])

        @custom_gradient
        def everywhere(*parts: Any) -> tuple:
            return tuple(self.merge_call(reduced, args=parts)), lambda *upstream: self.all_reduce(
                reduce_op, list(upstream))

        if any(isinstance(one, IndexedSlices) for one in flat):
            return nest.pack_sequence_as(value, list(self.merge_call(reduced, args=tuple(flat))))
        return nest.pack_sequence_as(value, list(everywhere(*flat)))

    def all_gather(self, value: Any, axis: int, options: Any = None) -> Any:
        """The values of all replicas joined along an axis, on each of them."""
        def gathered(strategy: Any, one: Any) -> Any:
            return _copies(strategy, strategy._gathered(one, axis))

        if self._run is None:
            alone = self._strategy._group is None
            return nest.map_structure(
                lambda one: _plain(one) if alone else self._strategy._gathered(one, axis), value)
        return nest.map_structure(lambda one: self.merge_call(gathered, args=(one,)), value)


def _copies(strategy: Any, value: Any) -> Mirrored:
    """A value for each replica, each a tensor of its own."""
    more = range(1, strategy._local_count)
    return Mirrored([value, *[nest.map_structure(shaping.identity, value) for _ in more]])


def _plain(value: Any) -> Any:
    from tapeflow.core.record.families import operand
    return value if isinstance(value, (Tensor, IndexedSlices)) else operand(value)


ReplicaContext.__module__ = "tensorflow.python.distribute.distribute_lib"


class DefaultReplicaContext(ReplicaContext):
    """The only replica of the default strategy."""

    @property
    def replica_id_in_sync_group(self) -> Any:
        return 0

    @property
    def devices(self) -> tuple:
        return ("",)


class MirroredReplicaContext(ReplicaContext):
    """A replica of a strategy with mirrored variables."""


DefaultReplicaContext.__name__ = DefaultReplicaContext.__qualname__ = "_DefaultReplicaContext"
DefaultReplicaContext.__module__ = "tensorflow.python.distribute.distribute_lib"
MirroredReplicaContext.__name__ = MirroredReplicaContext.__qualname__ = "_MirroredReplicaContext"
MirroredReplicaContext.__module__ = "tensorflow.python.distribute.mirrored_run"


# -- running ---------------------------------------------------------------------------------------
def run_replicas(strategy: Any, fn: Callable, args: tuple, kwargs: dict) -> Any:
    """Call `fn` for each replica, and put their results together."""
    count = strategy._local_count
    if count == 1:
        context = strategy._context(0)
        with entered(Frame(strategy, context)):
            return fn(*selected(0, args), **selected(0, kwargs))
    return _Run(strategy, lambda i: fn(*selected(i, args), **selected(i, kwargs)), count).results()


def _as_result(value: Any) -> Any:
    """What a tf.function returns of a value: numbers are tensors."""
    return convert(value) if isinstance(value, NUMBERS) else value


def of_all_replicas(strategy: Any, fn: Function) -> Function:
    """One function that runs `fn` on every replica: they may meet while they are traced."""
    known = strategy.__dict__.setdefault("_functions", weakref.WeakKeyDictionary())
    if fn not in known:
        options, inner = fn._options, weakref.ref(fn)

        def all_replicas(args: tuple, kwargs: dict) -> Any:
            python: Any = inner()
            while isinstance(python, Function):
                python = python._callable()
            if options.autograph:
                from tapeflow.graph.autograph import conversion
                python = conversion.convert(python)
            return run_replicas(strategy, lambda *xs, **named: nest.map_structure(
                _as_result, python(*xs, **named)), args, kwargs)

        known[fn] = Function(all_replicas, options.name, None, False, options.reduce_retracing,
                             options.jit_compile)
    return known[fn]


_WRITERS = "tapeflow.summary.writers"


def _summary_defaults() -> dict[str, Any]:
    """The writer, step and condition of summaries in this thread, if tf.summary is in use."""
    writers = sys.modules.get(_WRITERS)
    return {} if writers is None else {
        name: getattr(writers.current, name) for name in ("writer", "step", "recording")}


class _Stopped(BaseException):
    """Ends a replica because another one failed."""


class _Baton:
    """Lets one of several threads run at a time: the caller resumes one and waits for it."""

    def __init__(self, count: int):
        self._resumed = [threading.Event() for _ in range(count)]
        self._returned = threading.Event()

    def resume(self, i: int) -> None:
        """Called outside: let thread `i` run until it gives the baton back."""
        self._returned.clear()
        self._resumed[i].set()
        self._returned.wait()

    def give_back(self) -> None:
        """Called in a thread that ends or is about to wait."""
        self._returned.set()

    def wait(self, i: int) -> None:
        """Called in thread `i`: wait until it is resumed."""
        self._resumed[i].wait()
        self._resumed[i].clear()

    def release(self, i: int) -> None:
        """Let thread `i` go on without waiting for it."""
        self._resumed[i].set()


class _Surroundings:
    """What a thread is in the middle of: trace, tapes, name scope, creators, summaries."""

    def __init__(self) -> None:
        self.trace, self._stack, self._scope = state.trace, state.stack, scopes.names.current
        self._thread, self._creators = acting_thread(), state.variable_creators
        self._summaries = _summary_defaults()

    def enter(self, i: int) -> None:
        """Make them those of this thread, which runs replica `i`."""
        state.acting_for, state.variable_creators = self._thread, self._creators
        state.trace = self.trace
        set_stack(self._stack)
        scopes.names.current = self._scope + (f"replica_{i}/" if i else "")
        for name, value in self._summaries.items():
            setattr(sys.modules[_WRITERS].current, name, value)


class _Run:
    """One call of a function on several replicas; `call(i)` is that of replica `i`."""

    def __init__(self, strategy: Any, call: Callable[[int], Any], count: int):
        self._strategy, self._call = strategy, call
        self._baton = _Baton(count)
        self._waiting: list[Any] = [None] * count  # what each replica asks to merge
        self._done = [False] * count
        self._results: list[Any] = [None] * count
        self._error: BaseException | None = None
        self._stop = False
        self.made: list[Any] = []  # variables, by the order of making
        self.made_by = [0] * count
        self._surroundings = _Surroundings()
        self._threads = [threading.Thread(target=self._replica, args=(i,), daemon=True)
                         for i in range(count)]

    def results(self) -> Any:
        """Run each replica up to its next merge, again and again, until all have ended."""
        for thread in self._threads:
            thread.start()
        try:
            while not all(self._done):
                for i in range(len(self._threads)):
                    if not self._done[i]:
                        self._baton.resume(i)
                if self._error is not None:
                    raise self._error
                self._merge_waiting()
        finally:
            self._stop = True
            for i, thread in enumerate(self._threads):
                self._baton.release(i)
                thread.join()
        return regrouped(self._results)

    def _replica(self, i: int) -> None:
        self._baton.wait(i)
        try:
            if self._stop:
                return
            self._surroundings.enter(i)
            context = self._strategy._context(i)
            context._run = self
            with entered(Frame(self._strategy, context)):
                self._results[i] = self._call(i)
        except _Stopped:
            pass
        except BaseException as error:
            self._error = error
        finally:
            self._done[i] = True
            self._baton.give_back()

    def merge(self, i: int, merge_fn: Callable, args: tuple, kwargs: dict) -> Any:
        """Called in a replica: wait until all ask for the same, and take the result for it."""
        if state.trace is not self._surroundings.trace:
            raise MeetsOthers
        self._waiting[i] = (merge_fn, args, kwargs)
        self._baton.give_back()
        self._baton.wait(i)
        if self._stop:
            raise _Stopped
        return self._waiting[i]

    def _merge_waiting(self) -> None:
        if all(self._done):
            return
        if any(self._done):
            raise RuntimeError("Some replicas called merge_call and others ended without: all "
                               "replicas must make the same calls, in the same order.")
        merge_fn = self._waiting[0][0]
        args = regrouped([one[1] for one in self._waiting])
        kwargs = regrouped([one[2] for one in self._waiting])
        with entered(Frame(self._strategy, None)):
            result = merge_fn(self._strategy, *args, **kwargs)
        self._waiting = [selected(i, result) for i in range(len(self._waiting))]
