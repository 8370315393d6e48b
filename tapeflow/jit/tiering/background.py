"""Compiling while the program goes on: one thing after another, in a thread of its own.

Whoever needs the result of a `Task` before its turn has come does the work itself, so nobody waits
for what others want. What has not begun when the program ends is dropped.
"""

from __future__ import annotations

import os
import threading
from collections import deque
from collections.abc import Callable

from tapeflow.base.exception_origin import from_handler, start_thread
from tapeflow.base.process.locks import new_lock, new_rlock
from tapeflow.base.process.weak_tables import WeakSet
from tapeflow.core.values.variable_locks import never_writing
from tapeflow.jit.runtime.fork_gate import planning

_queue: deque[Task] = deque()
_lock = new_lock()
_worker: list[threading.Thread] = []
_unfinished: WeakSet[Task] = WeakSet()


class Task:
    """Work that is done once: in the background, or by the first who waits for it."""

    def __init__(self, work: Callable[[], None]):
        self._work: Callable[[], None] | None = work
        self._guard = new_rlock()
        self._submitted = False
        _unfinished.add(self)

    def submit(self) -> None:
        """Let it be done in the background. Only the first call has an effect."""
        with _lock:
            if self._submitted:
                return
            self._submitted = True
            _queue.append(self)
            if _worker and _worker[0].is_alive():
                return
            thread = threading.Thread(target=_serve, name="tapeflow-compiler")
            try:
                start_thread(thread)
            except RuntimeError as error:  # no more threads, or Python is ending
                _queue.remove(self)  # whoever waits does it
                if from_handler(error):
                    raise
                return
            _worker[:] = [thread]

    @property
    def done(self) -> bool:
        return self._work is None

    def wait(self) -> None:
        """Return when it is done."""
        with self._guard:
            work = self._work
            if work is not None:
                with planning():
                    work()
                self._work = None
                _unfinished.discard(self)


def _serve() -> None:
    with never_writing():
        while True:
            with _lock:
                if not _queue:
                    _worker.clear()
                    return
                task = _queue.popleft()
            task.wait()


def wait() -> None:
    """Wait until nothing is being compiled."""
    while True:
        with _lock:
            threads = list(_worker)
        if not threads:
            return
        threads[0].join()


def _drop() -> None:
    _queue.clear()


def _after_fork() -> None:
    """The thread stayed with the parent; so did the work that waited for it."""
    _worker.clear()
    _queue.clear()
    for task in list(_unfinished):
        task._submitted = False


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_after_fork)
if hasattr(threading, "_register_atexit"):  # runs before Python waits for threads
    threading._register_atexit(_drop)
