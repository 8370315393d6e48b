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
from tapeflow.data.dataset import DatasetV2, Run, failed, method, named
from tapeflow.data.elements.structure import integer, known
from tapeflow.data.options import AUTOTUNE
from tapeflow.data.transforms.interleave import _InterleaveDataset, cores
from tapeflow.data.transforms.per_element import Engine, Mapped, _MapDataset
from tapeflow.ops.random.streams.seeds import DrawOrder

AUTO_BUFFER = 4  # elements that prefetch(AUTOTUNE) keeps ready
WORTHWHILE = 100e-6  # seconds: a shorter call costs less than handing it to another thread
TRIALS = 4  # slow calls before threads are started for a function or dataset
_END = object()


class _Failure:
    """An error on its way to the consumer."""

    __slots__ = ("error",)

    def __init__(self, error: BaseException):
        self.error = error


# -- prefetch --------------------------------------------------------------------------------------
@named("ops.prefetch_op")
class _PrefetchDataset(DatasetV2):
    """Elements that are made before they are asked for."""

    def __init__(self, dataset: DatasetV2, buffer_size: Any):
        size = integer(AUTOTUNE if buffer_size is None else buffer_size, "buffer_size")
        if known(size) is not None:
            _check_size(int(size._value))
        self._set(dataset._structure, (dataset,), (size,))

    def _start(self, run: Run) -> Iterator[Any]:
        size = self._number(0)
        _check_size(size)
        elements = self._input._start(run)
        if size == 0:
            return elements
        return Ahead(elements, AUTO_BUFFER if size == AUTOTUNE else min(size, _MOST_AHEAD))

    def _count(self) -> int:
        return self._input._count()


_MOST_AHEAD = 1 << 20  # elements: nobody waits for more


def _check_size(size: int) -> None:
    if size < AUTOTUNE:
        raise errors.invalid("PrefetchDataset", f"buffer_size must be >= 0 or set buffer_size to "
                                                f"be {AUTOTUNE} for auto-tuning, got {size}")


def _produce(elements: Iterator, ready: SimpleQueue, places: SimpleQueue, owner: Any) -> None:
    """Fill `ready` as long as there are `places`; the owner among them means that nobody waits."""
    while places.get() is not owner:
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


class Ahead(Engine):
    """An iterator that a thread runs ahead of; it begins with the first element asked for."""

    __slots__ = ("__weakref__", "_ended", "_input", "_places", "_ready", "_size")

    def __init__(self, elements: Iterator, size: int):
        self._input: Iterator | None = elements
        self._size, self._ended = size, False
        self._ready: SimpleQueue = SimpleQueue()
        self._places: SimpleQueue = SimpleQueue()

    def begin(self) -> None:
        """Start the thread."""
        places: SimpleQueue = SimpleQueue()
        # No Python code runs when the owner dies: a handler's exception would be lost there.
        owner = weakref.ref(self, places.put)
        thread = Thread(target=_produce, args=(self._input, self._ready, places, owner),
                        name="tf_data_prefetch", daemon=True)
        try:
            start_thread(thread)
        except BaseException:  # of a handler: the next call begins once more
            places.put(owner)
            raise
        self._input, self._places = None, places
        for _ in range(self._size):
            places.put(1)

    def __next__(self) -> Any:
        if self._ended:
            raise StopIteration
        if self._input is not None:
            self.begin()
        found = self._ready.get()
        if found is _END:
            self._ended = True
            raise StopIteration
        self._places.put(1)
        if type(found) is _Failure:
            try:
                raise found.error
            finally:
                del found
        return found


@method
def prefetch(self: DatasetV2, buffer_size: Any, name: str | None = None) -> DatasetV2:
    """Makes up to `buffer_size` elements in the background, before they are asked for."""
    return _PrefetchDataset(self, buffer_size)


# -- map -------------------------------------------------------------------------------------------
@named("ops.map_op")
class _ParallelMapDataset(_MapDataset):
    """A function of several elements at a time."""

    def __init__(self, dataset: DatasetV2, function: Callable, calls: Any,
                 deterministic: bool | None):
        self._calls = integer(calls, "num_parallel_calls")
        number = known(self._calls)
        if number is not None and number < 1 and number != AUTOTUNE:
            raise errors.invalid("ParallelMapDatasetV2",
                                 "num_parallel_calls must be greater than zero.")
        self._deterministic = deterministic
        super().__init__(dataset, function)
        self._function.graph.fixed = True  # which call an element is depends on the threads

    def _width(self) -> int:
        number = known(self._calls)
        return cores() if number is None or number == AUTOTUNE else number

    def _ordered(self) -> bool:
        if self._deterministic is not None:
            return self._deterministic
        return self.options().deterministic is not False

    def _start(self, run: Run) -> Iterator[Any]:
        elements = super()._start(run)
        if not isinstance(elements, Mapped) or self._width() < 2 or self._function.writes:
            return elements  # one after another: nothing to win, or updates of variables
        inputs, call, function = elements._input, elements._call, self._function
        if self._ordered() and (
                function.eager or function.draws or function.foreign):
            inputs, call = enumerate(inputs), _in_order(call, DrawOrder(function.streams(run)))
        return _Parallel(inputs, call, self._width(), self._ordered(), function.foreign)


def _in_order(call: Callable, order: DrawOrder) -> Callable:
    """The call, with numbers drawn in the order of the elements."""
    return lambda element: order.run(element[0], call, element[1])


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


class _Parallel(Engine):
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
        place = self._waiting.popleft()
        if type(place) is _Failure:  # of the input
            raise place.error
        found = place.get()
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
            place = shared or SimpleQueue()
            if not self._ordered:
                shared = place
            self._tasks.put((values, place))
            self._waiting.append(place)


# -- interleave ------------------------------------------------------------------------------------
@named("ops.interleave_op")
class _ParallelInterleaveDataset(_InterleaveDataset):
    """Interleaved datasets that threads read ahead of."""

    _parallel = True

    def __init__(self, dataset: DatasetV2, function: Callable, cycle_length: Any,
                 block_length: Any, calls: Any):
        number = known(integer(calls, "num_parallel_calls"))
        if number is not None and number < 1 and number != AUTOTUNE:
            raise errors.invalid("ParallelInterleaveDatasetV4",
                                 "num_parallel_calls must be greater than zero.")
        cycle = known(integer(cycle_length, "cycle_length"))
        if cycle is not None and number is not None and AUTOTUNE != cycle < number:
            raise errors.invalid("ParallelInterleaveDatasetV4", (
                f"If `cycle_length` is set to a fixed value, `num_parallel_calls` must be either "
                f"AUTOTUNE or at most `cycle_length`, but it is {number} > {cycle}."))
        super().__init__(dataset, function, cycle_length, block_length)

    def _opener(self, run: Run) -> Callable:
        maker, block = self._maker(run), self._number(1)

        def ahead(values: list) -> Iterator:
            dataset = maker(values)
            made = dataset._start(run)
            if dataset._draws():
                return made
            size = min(2 * block, 16)
            if dataset._waits():
                reader = Ahead(made, size)
                reader.begin()
                return reader
            return _Trial(made, size)

        return ahead


class _Trial(Engine):
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
                self._now = Ahead(self._now, self._size)
        return found
