"""Exchanges that go on while the program computes: a thread that does them one after another.

MPI makes progress while somebody waits for it; native code leaves Python's lock, so the thread can.
A synchronous call waits until nothing is left here: all ranks keep one order of calls.
"""

from __future__ import annotations

import itertools
import queue
import threading
from typing import Any

import numpy as np

from tapeflow.base.settings import settings
from tapeflow.core.record.op import NONDIFF, Spec, define
from tapeflow.core.record.traits import EarlyStart, set_traits
from tapeflow.distribute.mpi.collectives import NUMBERS, all_reduce_op
from tapeflow.distribute.mpi.engine import engine
from tapeflow.distribute.mpi.exchange import Reduction

PORTION = 1 << 20  # bytes of gradients that are exchanged together
_TALKS = "it talks to other processes"
_INSIDE = NONDIFF("it stands in graphs that are executed, not differentiated")


class _Work:
    """A reduction that has been packed."""

    def __init__(self, reduction: Reduction, group: Any):
        self.reduction, self.group = reduction, group
        self.done = threading.Event()
        self.results: Any = None
        self.error: BaseException | None = None

    def run(self) -> None:
        try:
            with self.group.lock.own:
                self.reduction.start()
                self.results = self.reduction.finish()
        except BaseException as error:
            self.error = error
        self.done.set()


class Background:
    """The thread, and what it has been given."""

    def __init__(self) -> None:
        self._queue: queue.SimpleQueue[_Work] = queue.SimpleQueue()
        self._open: dict[int, _Work] = {}
        self._numbers = itertools.count()
        self._last: _Work | None = None
        self._thread = threading.Thread(target=self._serve, name="tapeflow-exchange", daemon=True)
        self._thread.start()

    def _serve(self) -> None:
        while True:
            self._queue.get().run()

    def submit(self, reduction: Reduction, group: Any) -> int:
        """Exchange what has been packed; a number to ask for the results by."""
        number, work = next(self._numbers), _Work(reduction, group)
        self._open[number] = self._last = work
        self._queue.put(work)
        return number

    def results(self, number: int) -> list[np.ndarray]:
        """Wait for a reduction."""
        work = self._open.pop(number)
        work.done.wait()
        if work.error is not None:
            raise work.error
        return work.results

    def drain(self) -> None:
        """Wait until everything is done."""
        if self._last is not None and threading.current_thread() is not self._thread:
            self._last.done.wait()


def _start_kernel(*values: Any, reduction: str, group: Any, where: str, before: float,
                  after: float, most: int) -> Any:
    joined = engine()
    assert joined is not None
    if joined.background is None:
        joined.background = Background()
    work = Reduction(group, [np.asarray(x) for x in values], reduction, where, before, after, most)
    work.pack()
    return np.int64(joined.background.submit(work, group))


def _finish_kernel(token: Any) -> tuple:
    joined = engine()
    assert joined is not None
    return tuple(joined.background.results(int(token)))


start_op = define("all_reduce_start", kernel=_start_kernel, args=("*values",), vjp=_INSIDE,
                  shape=lambda *specs, **attrs: Spec((), np.dtype(np.int64)), stateful=True,
                  dtypes=NUMBERS, internal=True, unsavable=_TALKS)
finish_op = define("all_reduce_finish", kernel=_finish_kernel, args=("token",), multi=True,
                   vjp=_INSIDE, shape=lambda token: (), stateful=True, internal=True,
                   unsavable=_TALKS)


def _applies() -> bool:
    joined = engine()
    if joined is None or settings.collective_overlap == "off":
        return False
    return settings.collective_overlap == "on" or joined.has_spare_cores


set_traits(all_reduce_op, early_start=EarlyStart(start_op, finish_op, _applies, PORTION))
