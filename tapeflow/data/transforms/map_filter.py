"""A function of each element: map, filter, take_while; and ignore_errors."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from tapeflow.base import errors
from tapeflow.base.attributes import attributes, flag
from tapeflow.base.process.cores import usable_cores
from tapeflow.data.class_names import named
from tapeflow.data.dataset import DatasetV2, method
from tapeflow.data.elements.columnar import MapReader, elements_of
from tapeflow.data.elements.parameters import integer, known
from tapeflow.data.functions.user_function import UserFunction, predicate
from tapeflow.data.iterators.iteration import ElementIterator, Run, failed
from tapeflow.data.iterators.threads import ParallelMapIterator
from tapeflow.data.options import AUTOTUNE
from tapeflow.ops.random.streams.seeds import DrawOrder


# -- map and filter --------------------------------------------------------------------------------
@named("ops.map_op")
class _MapDataset(DatasetV2):
    """A function of each element."""

    def __init__(self, dataset: DatasetV2, function: Callable, where: str = "Dataset.map()"):
        self._function = UserFunction(function, dataset.element_spec, where)
        if not self._function.structure.tensors:
            raise errors.invalid("MapDataset", "Length for attr 'output_types' of 0 must be at "
                                               "least minimum 1: the function returns no tensor.")
        self._set(self._function.structure, (dataset,), tuple(self._function.captured))

    def _call(self, run: Run) -> Callable:
        return self._function.instance(self._tensors, run)

    def _is_slow(self) -> bool:
        return self._function.traits.calls_python or self._input._is_slow()

    def _has_reader(self) -> bool:
        return self._function.vectorizable and self._input._has_reader()

    def _reader(self, run: Run) -> Any:
        return MapReader(self._input._reader(run), self._function.vectorized, self._tensors,
                         self._call(run))

    def _start(self, run: Run) -> Iterator[Any]:
        if self._has_reader():
            return elements_of(self._reader(run))
        return Mapped(self._input._start(run), self._call(run))

    def _cardinality(self) -> int:
        return self._input._cardinality()


class Mapped(ElementIterator):
    __slots__ = ("_call", "_input")

    def __init__(self, elements: Iterator, call: Callable):
        self._input, self._call = elements, call

    def __next__(self) -> Any:
        values = next(self._input)
        try:
            return self._call(values)
        except (errors.OutOfRangeError, StopIteration) as error:
            raise failed(f"Function invocation produced OutOfRangeError: {error}") from error


@named("ops.map_op")
class _ParallelMapDataset(_MapDataset):
    """A function of several elements at a time."""

    def __init__(self, dataset: DatasetV2, function: Callable, calls: Any,
                 deterministic: bool | None):
        self._calls = integer(calls, "num_parallel_calls")
        width = known(self._calls)
        if width is not None and width < 1 and width != AUTOTUNE:
            raise errors.invalid("ParallelMapDatasetV2",
                                 "num_parallel_calls must be greater than zero.")
        self._deterministic = deterministic
        super().__init__(dataset, function)
        self._function.graph.fixed = True  # which call an element is depends on the threads

    def _width(self) -> int:
        width = known(self._calls)
        return usable_cores() if width is None or width == AUTOTUNE else width

    def _ordered(self) -> bool:
        if self._deterministic is not None:
            return self._deterministic
        return self.options().deterministic is not False

    def _start(self, run: Run) -> Iterator[Any]:
        elements = super()._start(run)
        if not isinstance(elements, Mapped) or self._width() < 2 or self._function.traits.writes:
            return elements  # one after another: nothing to win, or updates of variables
        inputs, call, function = elements._input, elements._call, self._function
        if self._ordered() and (
                function.eager or function.traits.draws or function.traits.calls_python):
            inputs, call = enumerate(inputs), _in_order(call, DrawOrder(function.streams(run)))
        return ParallelMapIterator(inputs, call, self._width(), self._ordered(),
                         function.traits.calls_python)


def _in_order(call: Callable, order: DrawOrder) -> Callable:
    """The call, with numbers drawn in the order of the elements."""
    return lambda element: order.run(element[0], call, element[1])


@method
@attributes(synchronous=flag)
def map(self: DatasetV2, map_func: Callable, num_parallel_calls: Any = None,
        deterministic: bool | None = None, synchronous: bool | None = None,
        use_unbounded_threadpool: bool = False, name: str | None = None) -> DatasetV2:
    """`map_func` of each element; with `num_parallel_calls` several elements at a time.

    >>> [int(x) for x in tf.data.Dataset.range(3).map(lambda x: x + 1)]
    [1, 2, 3]
    """
    if num_parallel_calls is None:
        if deterministic is not None:
            import warnings
            warnings.warn("The `deterministic` argument has no effect unless the "
                          "`num_parallel_calls` argument is specified.", stacklevel=2)
        return _MapDataset(self, map_func)
    return _ParallelMapDataset(self, map_func, num_parallel_calls, deterministic)


@named("ops.filter_op")
class _FilterDataset(DatasetV2):
    """The elements that a predicate accepts."""

    def __init__(self, dataset: DatasetV2, function: Callable):
        self._function = predicate(function, dataset.element_spec, "Dataset.filter()")
        self._set(dataset._structure, (dataset,), tuple(self._function.captured))

    def _start(self, run: Run) -> Iterator[Any]:
        return _Filtered(self._input._start(run), self._function.instance(self._tensors, run))


class _Filtered(ElementIterator):
    __slots__ = ("_call", "_input")

    def __init__(self, elements: Iterator, call: Callable):
        self._input, self._call = elements, call

    def __next__(self) -> Any:
        call = self._call
        for values in self._input:
            if call(values)[0]:
                return values
        raise StopIteration


@method
def filter(self: DatasetV2, predicate: Callable, name: str | None = None) -> DatasetV2:
    """The elements for which `predicate` is true."""
    return _FilterDataset(self, predicate)


@named("ops.take_while_op")
class _TakeWhileDataset(DatasetV2):
    """Elements up to the first that a predicate refuses."""

    def __init__(self, dataset: DatasetV2, function: Callable):
        self._function = predicate(function, dataset.element_spec, "Dataset.take_while()")
        self._set(dataset._structure, (dataset,), tuple(self._function.captured))

    def _start(self, run: Run) -> Iterator[Any]:
        return _Taken(self._input._start(run), self._function.instance(self._tensors, run))


class _Taken(ElementIterator):
    __slots__ = ("_call", "_input")

    def __init__(self, elements: Iterator, call: Callable):
        self._input: Iterator | None = elements
        self._call = call

    def __next__(self) -> Any:
        if self._input is None:
            raise StopIteration
        values = next(self._input)
        if not self._call(values)[0]:
            self._input = None
            raise StopIteration
        return values


@method
def take_while(self: DatasetV2, predicate: Callable, name: str | None = None) -> DatasetV2:
    """Elements until `predicate` is false for one, which is left out."""
    return _TakeWhileDataset(self, predicate)



# -- errors ----------------------------------------------------------------------------------------
@named("ops.ignore_errors_op")
class _IgnoreErrorsDataset(DatasetV2):
    """Leaves out what fails."""

    def __init__(self, dataset: DatasetV2, log_warning: bool):
        self._log = log_warning
        self._set(dataset._structure, (dataset,))

    def _start(self, run: Run) -> Iterator[Any]:
        return _Forgiving(self._input._start(run), self._log)


class _Forgiving(ElementIterator):
    __slots__ = ("_input", "_log")

    def __init__(self, elements: Iterator, log: bool):
        self._input, self._log = elements, log

    def __next__(self) -> Any:
        while True:
            try:
                return next(self._input)
            except errors.OpError as error:
                if self._log:
                    import logging
                    logging.getLogger("tensorflow").warning("Error raised with error message %s",
                                                            error)


@method
@attributes(log_warning=flag)
def ignore_errors(self: DatasetV2, log_warning: bool = False,
                  name: str | None = None) -> DatasetV2:
    """Leaves out the elements that fail."""
    return _IgnoreErrorsDataset(self, log_warning)
