"""Work in the background: prefetch, parallel map, parallel interleave.

Threads belong to one iterator. They hold what they read from, never the iterator itself, so that an
iterator that is dropped halfway stops its threads. Errors travel to the consumer in their place in
the order.
"""

from __future__ import annotations

import time
import weakref
from collections import deque
from collections.abc import Callable, Iterator
from queue import SimpleQueue
from threading import Thread
from typing import Any

from tapeflow.base import errors
from tapeflow.base.exception_origin import start_thread, unsignalled
from tapeflow.data.iterators.iteration import ElementIterator, failed

WORTHWHILE = 100e-6  # seconds: a shorter call costs less than handing it to another thread
TRIALS = 4  # slow calls before threads are started for a function or dataset
_END = object()


class _Failure:
    """An error on its way to the consumer."""

    __slots__ = ("error",)

    def __init__(self, error: BaseException):
        self.error = error


# -- prefetch --------------------------------------------------------------------------------------


def _produce(elements: Iterator, ready: SimpleQueue, permits: SimpleQueue, owner: Any) -> None:
    """Fill `ready` as long as there are `permits`; the owner among them means that nobody waits."""
    while permits.get() is not owner:
        try:
            found = next(elements)
        except StopIteration:
            ready.put(_END)
            return
        except BaseException as error:
            ready.put(_Failure(error))
            del error
            continue
        ready.put(found)
        del found


class PrefetchIterator(ElementIterator):
    """An iterator that a thread runs ahead of; it begins with the first element asked for."""

    __slots__ = ("__weakref__", "_ended", "_input", "_permits", "_ready", "_size")

    def __init__(self, elements: Iterator, size: int):
        self._input: Iterator | None = elements
        self._size, self._ended = size, False
        self._ready: SimpleQueue = SimpleQueue()
        self._permits: SimpleQueue = SimpleQueue()

    def begin(self) -> None:
        """Start the thread."""
        permits: SimpleQueue = SimpleQueue()
        # No Python code runs when the owner dies: a handler's exception would be lost there.
        owner = weakref.ref(self, permits.put)
        thread = Thread(target=_produce, args=(self._input, self._ready, permits, owner),
                        name="tf_data_prefetch", daemon=True)
        try:
            start_thread(thread)
        except BaseException:  # of a handler: the next call begins once more
            permits.put(owner)
            raise
        self._input, self._permits = None, permits
        for _ in range(self._size):
            permits.put(1)

    def __next__(self) -> Any:
        if self._ended:
            raise StopIteration
        if self._input is not None:
            self.begin()
        found = self._ready.get()
        if found is _END:
            self._ended = True
            raise StopIteration
        self._permits.put(1)
        if type(found) is _Failure:
            try:
                raise found.error
            finally:
                del found
        return found


# -- map -------------------------------------------------------------------------------------------


def _work(tasks: SimpleQueue, call: Callable, owner: Any) -> None:
    """Run calls until the owner comes, which is gone then."""
    while True:
        task = tasks.get()
        if task is owner:
            tasks.put(owner)  # for the other workers
            return
        values, where = task
        try:
            found = call(values)
        except BaseException as error:
            found = _Failure(_not_the_end(error))
            del error
        where.put(found)
        del task, values, where, found


def _not_the_end(error: BaseException) -> BaseException:
    if isinstance(error, (errors.OutOfRangeError, StopIteration)):
        return failed(f"Function invocation produced OutOfRangeError: {error}")
    return error


class ParallelMapIterator(ElementIterator):
    """Calls in threads. Short ones stay in this one, unless they are Python functions that wait."""

    __slots__ = ("__weakref__", "_call", "_ended", "_input", "_ordered", "_tasks", "_trial",
                 "_waiting", "_width")

    def __init__(self, elements: Iterator, call: Callable, width: int, ordered: bool,
                 foreign: bool):
        self._input, self._call, self._width, self._ordered = elements, call, width, ordered
        self._tasks: SimpleQueue | None = None
        self._waiting: deque = deque()
        self._trial = 0 if foreign else TRIALS
        self._ended = False

    def __next__(self) -> Any:
        if self._tasks is None:
            if self._trial:
                return self._alone()
            self._begin()
        self._hand_out()
        if not self._waiting:
            raise StopIteration
        result = self._waiting.popleft()
        if type(result) is _Failure:  # of the input
            raise result.error
        found = result.get()
        if type(found) is _Failure:
            try:
                raise found.error
            finally:
                del found
        return found

    def _alone(self) -> Any:
        """Try a few calls here: if they take time, others shall help."""
        values = next(self._input)
        start = time.perf_counter()
        try:
            return self._call(values)
        except unsignalled(Exception) as error:
            raise _not_the_end(error) from None
        finally:
            slow = time.perf_counter() - start > WORTHWHILE
            self._trial = self._trial - 1 if slow else TRIALS

    def _begin(self) -> None:
        tasks: SimpleQueue = SimpleQueue()
        owner = weakref.ref(self, tasks.put)
        for _ in range(self._width):
            start_thread(Thread(target=_work, args=(tasks, self._call, owner), name="tf_data_map",
                                daemon=True))
        self._tasks = tasks

    def _hand_out(self) -> None:
        assert self._tasks is not None
        shared: SimpleQueue | None = None
        if not self._ordered:
            shared = next((one for one in self._waiting if type(one) is not _Failure), None)
        while not self._ended and len(self._waiting) < self._width:
            try:
                values = next(self._input)
            except StopIteration:
                self._ended = True
                return
            except unsignalled(Exception) as error:
                self._waiting.append(_Failure(error))
                return
            result = shared or SimpleQueue()
            if not self._ordered:
                shared = result
            self._tasks.put((values, result))
            self._waiting.append(result)


class PrefetchIfSlow(ElementIterator):
    """An iterator that gets a thread if its elements turn out to take time."""

    __slots__ = ("_left", "_now", "_size")

    def __init__(self, elements: Iterator, size: int):
        self._now, self._size, self._left = elements, size, TRIALS

    def __next__(self) -> Any:
        if not self._left:
            return next(self._now)
        start = time.perf_counter()
        found = next(self._now)
        if time.perf_counter() - start > WORTHWHILE:
            self._left -= 1
            if not self._left:
                self._now = PrefetchIterator(self._now, self._size)
        return found
