"""tf.train.Coordinator: several threads that stop together."""

from __future__ import annotations

import contextlib
import logging
import sys
import threading
import time
from collections.abc import Iterator
from typing import Any

from tapeflow.base import errors
from tapeflow.base.exports import export
from tapeflow.base.process.locks import new_lock


@export("train.Coordinator", "compat.v1.train.Coordinator")
class Coordinator:
    """Asks threads to stop, waits for them, and passes on what one of them raised."""

    def __init__(self, clean_stop_exception_types: Any = None):
        self._clean = tuple(clean_stop_exception_types or (errors.OutOfRangeError,))
        self._lock = new_lock()
        self._stop = threading.Event()
        self._error: Any = None
        self._threads: set[Any] = set()
        self.joined = False

    def request_stop(self, ex: Any = None) -> None:
        """Ask all threads to stop; an exception is raised again by `join`."""
        with self._lock:
            info = ex if isinstance(ex, tuple) else sys.exc_info() if ex is None else (
                type(ex), ex, ex.__traceback__)
            if self.joined and info[1] is not None and not isinstance(info[1], self._clean):
                raise info[1]
            if not self._stop.is_set():
                if info[1] is not None and not isinstance(info[1], self._clean):
                    self._error = info[1]
                self._stop.set()

    def clear_stop(self) -> None:
        """Forget that a stop was asked for."""
        with self._lock:
            self.joined, self._error = False, None
            self._stop.clear()

    def should_stop(self) -> bool:
        """Whether a stop was asked for."""
        return self._stop.is_set()

    def wait_for_stop(self, timeout: float | None = None) -> bool:
        """Wait until a stop is asked for; whether it was."""
        return self._stop.wait(timeout)

    @contextlib.contextmanager
    def stop_on_exception(self) -> Iterator[None]:
        """`with coordinator.stop_on_exception():` an exception asks all threads to stop."""
        try:
            yield
        except Exception as error:
            self.request_stop(error)

    def register_thread(self, thread: Any) -> None:
        """Let `join` wait for a thread."""
        with self._lock:
            self._threads.add(thread)

    def join(self, threads: Any = None, stop_grace_period_secs: float = 120,
             ignore_live_threads: bool = False) -> None:
        """Wait for threads to end, and raise what one of them raised."""
        with self._lock:
            waiting = list(self._threads.union(threads or ()))
        while any(one.is_alive() for one in waiting) and not self.wait_for_stop(0.05):
            pass
        end = time.monotonic() + stop_grace_period_secs
        while any(one.is_alive() for one in waiting) and time.monotonic() < end:
            for one in waiting:
                one.join(0.05)
        late = [one.name for one in waiting if one.is_alive()]
        with self._lock:
            self.joined = True
            self._threads = set()
            if self._error is not None:
                error, self._error = self._error, None
                raise error
        if late:
            message = f"Coordinator stopped with threads still running: {' '.join(late)}"
            if not ignore_live_threads:
                raise RuntimeError(message)
            logging.getLogger("tensorflow").info(message)

    def raise_requested_exception(self) -> None:
        """Raise what was passed to `request_stop`, if anything."""
        with self._lock:
            if self._error is not None:
                raise self._error


Coordinator.__module__ = "tensorflow.python.training.coordinator"
