"""Functions that wait for a worker: handed out, counted, and given up after an error."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable
from typing import Any

from tapeflow.base import errors
from tapeflow.distribute.parameter_servers.remote_values import RemoteValue

MOST_WAITING = 256 * 1024


class Closure:
    """A call that any worker may make, and the value that it promises."""

    def __init__(self, call: Callable[[Any], Any]):
        self._call, self.output = call, RemoteValue(call)

    def run(self, worker: Any) -> None:
        """Make the call on a worker; the promised value gets what comes of it."""
        self.output._rebuild_on(worker)

    def cancel(self) -> None:
        """Give up: whoever waits for the value learns it."""
        self.output._set_error(errors.CancelledError(
            None, None, "The corresponding function is cancelled. Please reschedule the function."))


class ClosureQueue:
    """What is to be done, by any worker or by a certain one, and the first error of it."""

    def __init__(self, workers: int):
        self._changed = threading.Condition()
        self._waiting: deque[Closure] = deque()
        self._own: list[deque[Closure]] = [deque() for _ in range(workers)]
        self._running, self._stopped = 0, False
        self._error: BaseException | None = None

    def put(self, closure: Closure, worker: int | None = None) -> None:
        """Add a call: for any worker, or for the one of this number, before all others."""
        with self._changed:
            self._changed.wait_for(lambda: len(self._waiting) < MOST_WAITING or self._stopped)
            if worker is None:
                self._raise_error()
                self._waiting.append(closure)
            else:
                self._own[worker].append(closure)
            self._changed.notify_all()

    def get(self, worker: int) -> Closure | None:
        """The next call of a worker; None when there will be no more."""
        own = self._own[worker]
        with self._changed:
            self._changed.wait_for(lambda: own or self._stopped or (
                self._waiting and self._error is None))
            if self._stopped:
                return None
            self._running += 1
            found = own.popleft() if own else self._waiting.popleft()
            self._changed.notify_all()
            return found

    def finished(self, error: BaseException | None) -> None:
        """A call is over; its error, if it is the first, gives up all calls that wait."""
        with self._changed:
            self._running -= 1
            if error is not None and self._error is None:
                self._error = error
                self._give_up()
            self._changed.notify_all()

    def _give_up(self) -> None:
        for closure in self._waiting:
            closure.cancel()
        self._waiting.clear()

    def _raise_error(self) -> None:
        if self._error is not None:
            self._changed.wait_for(lambda: not self._running)
            error, self._error = self._error, None
            self._changed.notify_all()
            raise error

    def _idle(self) -> bool:
        return not self._running and not self._waiting and not any(self._own)

    def wait(self) -> None:
        """Wait until all calls are over; raises the first error."""
        with self._changed:
            self._changed.wait_for(lambda: self._idle() or self._error is not None)
            self._raise_error()

    def done(self) -> bool:
        """Whether all calls are over; raises the first error."""
        with self._changed:
            self._raise_error()
            return self._idle()

    def stop(self) -> None:
        """Let the workers end after what they do just now."""
        with self._changed:
            self._stopped = True
            self._give_up()
            self._changed.notify_all()
