"""Datasets that carry something from element to element: scan, unique, assert_cardinality."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from tapeflow.base import errors, nest
from tapeflow.base.exception_origin import unsignalled
from tapeflow.core.values.indexed_slices import IndexedSlices
from tapeflow.data.class_names import named
from tapeflow.data.dataset import INFINITE, DatasetV2, method
from tapeflow.data.elements.parameters import integer
from tapeflow.data.elements.structure import Structure, common_spec, describe, normalise
from tapeflow.data.functions.user_function import UserFunction
from tapeflow.data.iterators.iteration import ElementIterator, Run


def state_function(function: Callable, initial: Any, element_spec: Any,
                   where: str) -> tuple[UserFunction, list, Structure]:
    """A function of (state, element) whose state may change its shape: traced until it fits."""
    first = normalise(initial)
    if not nest.flatten(first):
        raise errors.invalid(where, "Length for attr 'Tstate' of 0 must be at least minimum 1")
    spec = describe(first)
    while True:
        made = UserFunction(function, (spec, element_spec), where)
        result = made.structure.spec
        new = result[0] if where == "Dataset.scan()" and type(result) is tuple else result
        if where == "Dataset.scan()" and not (type(result) is tuple and len(result) == 2):
            raise TypeError(f"The `scan_func` must return a pair of new state and output, but its "
                            f"return type is {result}.")
        _check_state(spec, new, where)
        merged = common_spec(spec, new)
        if merged is None:
            raise TypeError(f"{where}: the state is {spec} at first and {new} after one element.")
        if merged == spec:
            return made, Structure(describe(first)).unpack_tensors(first), Structure(spec)
        spec = merged


def _check_state(before: Any, after: Any, where: str) -> None:
    word = "scan_func" if "scan" in where else "reduce_func"
    try:
        nest.assert_same_structure(before, after)
    except unsignalled(TypeError, ValueError) as error:
        raise TypeError(f"Invalid `{word}`. The element structure of the state must not change: "
                        f"{before} before, {after} after. {error}") from None
    for a, b in zip(nest.flatten(before), nest.flatten(after), strict=True):
        if getattr(a, "dtype", None) != getattr(b, "dtype", None):
            raise TypeError(f"Invalid `{word}`. The element types for the new state must match "
                            f"the initial state. Expected {a}; got {b}.")


@named("ops.scan_op")
class _ScanDataset(DatasetV2):
    """A function that carries a state from element to element."""

    def __init__(self, dataset: DatasetV2, initial: Any, function: Callable):
        self._function, first, self._state = state_function(
            function, initial, dataset.element_spec, "Dataset.scan()")
        self._set(self._function.structure.spec[1], (dataset,),
                  (*first, *self._function.captured))

    def _start(self, run: Run) -> Iterator[Any]:
        width = len(self._state.tensors)
        return _Scanned(self._input._start(run),
                        self._function.instance(self._tensors[width:], run),
                        [x._value for x in self._tensors[:width]])

    def _cardinality(self) -> int:
        return self._input._cardinality()


class _Scanned(ElementIterator):
    __slots__ = ("_call", "_input", "_state")

    def __init__(self, elements: Iterator, call: Callable, state: list):
        self._input, self._call, self._state = elements, call, state

    def __next__(self) -> Any:
        width = len(self._state)
        found = self._call([*self._state, *next(self._input)])
        self._state = list(found[:width])
        return found[width:]


@method
def scan(self: DatasetV2, initial_state: Any, scan_func: Callable,
         name: str | None = None) -> DatasetV2:
    """Outputs of `scan_func(state, element)`, which returns the next state and an output."""
    if any(isinstance(one, IndexedSlices) for one in nest.flatten(initial_state)):
        raise NotImplementedError("Dataset.scan: `initial_state` must not hold IndexedSlices.")
    return _ScanDataset(self, initial_state, scan_func)


@named("ops.unique_op")
class _UniqueDataset(DatasetV2):
    """Elements that did not come before."""

    def __init__(self, dataset: DatasetV2):
        for spec in dataset._structure.leaves:
            if getattr(spec, "dtype", None) is None or spec.dtype.name not in (  # type: ignore
                    "int32", "int64", "string"):
                raise TypeError(f"Invalid type of elements: `tf.data.Dataset.unique` supports "
                                f"`tf.int32`, `tf.int64` and `tf.string`, not {spec!r}.")
        self._set(dataset._structure, (dataset,))

    def _start(self, run: Run) -> Iterator[Any]:
        return _Unique(self._input._start(run))


class _Unique(ElementIterator):
    __slots__ = ("_input", "_seen")

    def __init__(self, elements: Iterator):
        self._input = elements
        self._seen: set = set()

    def __next__(self) -> Any:
        for values in self._input:
            key = tuple([x.item() if not x.ndim else (x.shape, tuple(x.ravel().tolist()))
                         for x in values])
            if key not in self._seen:
                self._seen.add(key)
                return values
        raise StopIteration


@method
def unique(self: DatasetV2, name: str | None = None) -> DatasetV2:
    """Each element the first time that it comes."""
    return _UniqueDataset(self)


@named("experimental.ops.cardinality")
class _AssertCardinalityDataset(DatasetV2):
    """A dataset that is said to have so many elements."""

    def __init__(self, dataset: DatasetV2, expected: Any):
        self._set(dataset._structure, (dataset,), (integer(expected, "expected_cardinality"),))

    def _start(self, run: Run) -> Iterator[Any]:
        return _Counted(self._input._start(run), self._parameter(0))

    def _cardinality(self) -> int:
        return self._parameter(0)


class _Counted(ElementIterator):
    __slots__ = ("_expected", "_input", "_seen")

    def __init__(self, elements: Iterator, expected: int):
        self._input, self._expected, self._seen = elements, expected, 0

    def __next__(self) -> Any:
        wanted = "an infinite number of elements" if self._expected == INFINITE else (
            f"{self._expected} element{'s' if self._expected != 1 else ''}")
        for values in self._input:
            self._seen += 1
            if self._expected != INFINITE and self._seen > self._expected:
                raise errors.FailedPreconditionError(
                    None, None, f"Input dataset was expected to contain {wanted} but contained at "
                                f"least {self._seen} elements. [Op:IteratorGetNext]")
            return values
        if self._seen != self._expected:
            raise errors.FailedPreconditionError(
                None, None, f"Input dataset was expected to contain {wanted} but contained only "
                            f"{self._seen} element{'s' if self._seen != 1 else ''}. "
                            "[Op:IteratorGetNext]")
        raise StopIteration
