"""The datasets that a function makes of elements, as one: flat_map, interleave."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from tapeflow.base import errors
from tapeflow.base.exception_origin import unsignalled
from tapeflow.base.process.cores import usable_cores
from tapeflow.data.class_names import named
from tapeflow.data.dataset import DatasetSpec, DatasetV2, method
from tapeflow.data.elements.handles import held
from tapeflow.data.elements.parameters import integer, known
from tapeflow.data.functions.user_function import UserFunction
from tapeflow.data.iterators.iteration import ElementIterator, Run
from tapeflow.data.iterators.threads import PrefetchIfSlow, PrefetchIterator
from tapeflow.data.options import AUTOTUNE


def dataset_function(function: Callable, spec: Any, where: str) -> UserFunction:
    """A function that returns a dataset."""
    made = UserFunction(function, spec, where)
    if not isinstance(made.structure.spec, DatasetSpec):
        raise TypeError(f"The `map_func` argument must return a `Dataset` object. Got "
                        f"{made.structure.spec!r}.")
    return made


# -- flat_map and interleave -----------------------------------------------------------------------
@named("ops.flat_map_op")
class _FlatMapDataset(DatasetV2):
    """The datasets that a function makes of elements, one after another."""

    def __init__(self, dataset: DatasetV2, function: Callable, where: str = "Dataset.flat_map()"):
        self._function = dataset_function(function, dataset.element_spec, where)
        self._set(self._function.structure.spec._element_spec, (dataset,),
                  tuple(self._function.captured))

    def _start(self, run: Run) -> Iterator[Any]:
        return _Flat(self._input._start(run), self._function.instance(self._tensors, run), run)


class _Flat(ElementIterator):
    __slots__ = ("_call", "_input", "_now", "_run")

    def __init__(self, elements: Iterator, call: Callable, run: Run):
        self._input, self._call, self._run = elements, call, run
        self._now: Iterator = iter(())

    def __next__(self) -> Any:
        while True:
            for values in self._now:
                return values
            self._now = iter(())
            self._now = held(self._call(next(self._input))[0])._start(self._run)


@method
def flat_map(self: DatasetV2, map_func: Callable, name: str | None = None) -> DatasetV2:
    """The elements of the datasets that `map_func` returns, one dataset after another."""
    return _FlatMapDataset(self, map_func)


@named("ops.interleave_op")
class _InterleaveDataset(DatasetV2):
    """The datasets that a function makes of elements, several at a time, in turn."""

    _parallel = False

    def __init__(self, dataset: DatasetV2, function: Callable, cycle_length: Any,
                 block_length: Any):
        self._function = dataset_function(function, dataset.element_spec, "Dataset.interleave()")
        parameters = (integer(cycle_length, "cycle_length"), integer(block_length, "block_length"))
        for parameter, word in zip(parameters, ("cycle_length", "block_length"), strict=True):
            if known(parameter) is not None and int(parameter._value) < 1 and not (
                    word == "cycle_length" and int(parameter._value) == AUTOTUNE):
                raise errors.invalid("InterleaveDataset", f"{word} must be greater than zero.")
        self._set(self._function.structure.spec._element_spec, (dataset,),
                  (*parameters, *self._function.captured))

    def _opener(self, run: Run) -> Callable:
        """From an element to the iterator of its dataset."""
        datasets = self._maker(run)
        return lambda values: datasets(values)._start(run)

    def _maker(self, run: Run) -> Callable:
        """From an element to its dataset."""
        call = self._function.instance(self._tensors[2:], run)
        return lambda values: held(call(values)[0])

    def _cycle(self) -> int:
        cycle = self._parameter(0)
        return usable_cores() if cycle == AUTOTUNE else cycle

    def _start(self, run: Run) -> Iterator[Any]:
        return _Interleaved(self._input._start(run), self._opener(run), self._cycle(),
                            self._parameter(1), self._parallel)


class _Interleaved(ElementIterator):
    """Takes blocks of the open iterators in turn.

    An iterator that has ended is followed by another when its turn comes again. With `eager` all
    are opened at once, and followed at once, so that threads can begin; the order is the same.
    """

    __slots__ = ("_at", "_block", "_eager", "_given", "_input", "_open", "_opener", "_running")

    def __init__(self, elements: Iterator, opener: Callable, cycle: int, block: int,
                 eager: bool = False):
        self._input: Iterator | None = elements
        self._opener, self._block, self._eager = opener, block, eager
        try:
            self._running: list[Iterator | None] = [None] * cycle
        except unsignalled(MemoryError):
            raise errors.exhausted("Interleave", f"cycle_length {cycle}") from None
        self._at, self._given, self._open = 0, 0, 0

    def __next__(self) -> Any:
        if self._eager and not self._open:
            for slot in range(len(self._running)):
                self._fill(slot)
        while self._input is not None or self._open:
            now = self._running[self._at]
            if now is not None:
                for values in now:
                    self._given += 1
                    if self._given == self._block:
                        self._advance()
                    return values
                self._running[self._at] = None
                self._open -= 1
                if self._eager:
                    self._fill(self._at)
                self._advance()
            elif self._input is not None:
                self._fill(self._at)
            else:
                self._advance()
        raise StopIteration

    def _fill(self, slot: int) -> None:
        """Open the next iterator, if there is one."""
        if self._input is None or self._running[slot] is not None:
            return
        for element in self._input:
            self._running[slot] = self._opener(element)
            self._open += 1
            return
        self._input = None

    def _advance(self) -> None:
        self._given = 0
        self._at = (self._at + 1) % len(self._running)


@named("ops.interleave_op")
class _ParallelInterleaveDataset(_InterleaveDataset):
    """Interleaved datasets that threads read ahead of."""

    _parallel = True

    def __init__(self, dataset: DatasetV2, function: Callable, cycle_length: Any,
                 block_length: Any, calls: Any):
        width = known(integer(calls, "num_parallel_calls"))
        if width is not None and width < 1 and width != AUTOTUNE:
            raise errors.invalid("ParallelInterleaveDatasetV4",
                                 "num_parallel_calls must be greater than zero.")
        cycle = known(integer(cycle_length, "cycle_length"))
        if cycle is not None and width is not None and AUTOTUNE != cycle < width:
            raise errors.invalid("ParallelInterleaveDatasetV4", (
                f"If `cycle_length` is set to a fixed value, `num_parallel_calls` must be either "
                f"AUTOTUNE or at most `cycle_length`, but it is {width} > {cycle}."))
        super().__init__(dataset, function, cycle_length, block_length)

    def _opener(self, run: Run) -> Callable:
        maker, block = self._maker(run), self._parameter(1)

        def ahead(values: list) -> Iterator:
            dataset = maker(values)
            made = dataset._start(run)
            if dataset._is_random():
                return made
            size = min(2 * block, 16)
            if dataset._is_slow():
                reader = PrefetchIterator(made, size)
                reader.begin()
                return reader
            return PrefetchIfSlow(made, size)

        return ahead


@method
def interleave(self: DatasetV2, map_func: Callable, cycle_length: Any = None,
               block_length: Any = None, num_parallel_calls: Any = None,
               deterministic: bool | None = None, name: str | None = None) -> DatasetV2:
    """Elements of the datasets that `map_func` returns: `block_length` of each in turn.

    `cycle_length` datasets are open at a time; with `num_parallel_calls` they are read ahead.

    >>> ds = tf.data.Dataset.range(1, 4).interleave(
    ...     lambda x: tf.data.Dataset.from_tensors(x).repeat(3), cycle_length=2, block_length=2)
    >>> [int(x) for x in ds]
    [1, 1, 2, 2, 1, 2, 3, 3, 3]
    """
    block_length = 1 if block_length is None else block_length
    cycle_length = AUTOTUNE if cycle_length is None else cycle_length
    if num_parallel_calls is None:
        return _InterleaveDataset(self, map_func, cycle_length, block_length)
    return _ParallelInterleaveDataset(self, map_func, cycle_length, block_length,
                                      num_parallel_calls)


