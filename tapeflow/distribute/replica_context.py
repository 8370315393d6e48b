"""Running a function once for each replica, and the context in which it runs.

One replica runs in the caller's thread. Several run in threads of their own, one at a time, in
turn: each goes on until it ends or calls `merge_call`, where the last to arrive lets the function
of that call run once for all.
"""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable
from typing import Any

import numpy as np

from tapeflow.base import nest
from tapeflow.base.exports import export
from tapeflow.core import scopes
from tapeflow.core.state import acting_thread, set_stack, state
from tapeflow.core.values.tensor import Tensor, wrap
from tapeflow.distribute import strategy_scope
from tapeflow.distribute.replica_values import Mirrored, regrouped, selected
from tapeflow.distribute.strategy_scope import Frame, entered
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
        return wrap(np.int32(self._index))

    @property
    def _replica_id(self) -> int:
        return self._index

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
        if self._run is None:
            return nest.map_structure(_plain, value)
        flat = nest.flatten(value)

        def reduced(strategy: Any, *parts: Any) -> tuple:
            return tuple([_copies(strategy, strategy._reduced(wanted, one)) for one in parts])

        return nest.pack_sequence_as(value, list(self.merge_call(reduced, args=tuple(flat))))

    def all_gather(self, value: Any, axis: int, options: Any = None) -> Any:
        """The values of all replicas joined along an axis, on each of them."""
        def gathered(strategy: Any, one: Any) -> Any:
            return _copies(strategy, strategy._gathered(one, axis))

        return nest.map_structure(
            lambda one: _plain(one) if self._run is None else
            self.merge_call(gathered, args=(one,)), value)


def _copies(strategy: Any, value: Any) -> Mirrored:
    """A value for each replica, each a tensor of its own."""
    more = range(1, strategy.num_replicas_in_sync)
    return Mirrored([value, *[nest.map_structure(shaping.identity, value) for _ in more]])


def _plain(value: Any) -> Any:
    from tapeflow.core.record.families import operand
    from tapeflow.core.values.indexed_slices import IndexedSlices
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
    count = strategy.num_replicas_in_sync
    if count == 1:
        context = strategy._context(0)
        with entered(Frame(strategy, context)):
            return fn(*selected(0, args), **selected(0, kwargs))
    return _Run(strategy, fn, args, kwargs, count).results()


_WRITERS = "tapeflow.summary.writers"


def _summary_defaults() -> dict[str, Any]:
    """The writer, step and condition of summaries in this thread, if tf.summary is in use."""
    writers = sys.modules.get(_WRITERS)
    return {} if writers is None else {
        name: getattr(writers.current, name) for name in ("writer", "step", "recording")}


class _Stopped(BaseException):
    """Ends a replica because another one failed."""


class _Run:
    """One call of a function on several replicas."""

    def __init__(self, strategy: Any, fn: Callable, args: tuple, kwargs: dict, count: int):
        self._strategy, self._fn, self._args, self._kwargs = strategy, fn, args, kwargs
        self._turns = [threading.Event() for _ in range(count)]
        self._back = threading.Event()
        self._waiting: list[Any] = [None] * count  # what each replica asks to merge
        self._done = [False] * count
        self._results: list[Any] = [None] * count
        self._error: BaseException | None = None
        self._stop = False
        self.made: list[Any] = []  # variables, by the order of making
        self.made_by = [0] * count
        self._surroundings = (state.trace, state.stack, scopes._names.current)
        self._thread = acting_thread()
        self._summaries = _summary_defaults()
        self._threads = [threading.Thread(target=self._replica, args=(i,), daemon=True)
                         for i in range(count)]

    def results(self) -> Any:
        """Give each replica its turn until all have ended."""
        for thread in self._threads:
            thread.start()
        try:
            while not all(self._done):
                for i in range(len(self._threads)):
                    if not self._done[i]:
                        self._give_turn(i)
                if self._error is not None:
                    raise self._error
                self._merge_waiting()
        finally:
            self._stop = True
            for i, thread in enumerate(self._threads):
                self._turns[i].set()
                thread.join()
        return regrouped(self._results)

    def _give_turn(self, i: int) -> None:
        self._back.clear()
        self._turns[i].set()
        self._back.wait()

    def _replica(self, i: int) -> None:
        self._await_turn(i)
        try:
            if self._stop:
                return
            state.acting_for = self._thread
            state.trace = self._surroundings[0]
            set_stack(self._surroundings[1])
            scopes._names.current = self._surroundings[2] + (f"replica_{i}/" if i else "")
            for name, value in self._summaries.items():
                setattr(sys.modules[_WRITERS].current, name, value)
            context = self._strategy._context(i)
            context._run = self
            with entered(Frame(self._strategy, context)):
                self._results[i] = self._fn(*selected(i, self._args), **selected(i, self._kwargs))
        except _Stopped:
            pass
        except BaseException as error:
            self._error = error
        finally:
            self._done[i] = True
            self._back.set()

    def _await_turn(self, i: int) -> None:
        self._turns[i].wait()
        self._turns[i].clear()

    def merge(self, i: int, merge_fn: Callable, args: tuple, kwargs: dict) -> Any:
        """Called in a replica: wait until all ask for the same, and take the result for it."""
        self._waiting[i] = (merge_fn, args, kwargs)
        self._back.set()
        self._await_turn(i)
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
