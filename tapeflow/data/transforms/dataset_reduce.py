"""A dataset as one value: reduce, get_single_element; groups reduced by key."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from tapeflow.base import dtypes, errors
from tapeflow.base.exports import export
from tapeflow.base.specs import TensorSpec
from tapeflow.core import state as states
from tapeflow.core.state import state
from tapeflow.core.values.convert import convert
from tapeflow.core.values.tensor import wrap
from tapeflow.data.class_names import named
from tapeflow.data.dataset import DatasetV2, method
from tapeflow.data.elements.handles import graph_op, held
from tapeflow.data.elements.structure import Structure, graph_specs
from tapeflow.data.functions.user_function import UserFunction, converted
from tapeflow.data.iterators.iteration import ElementIterator, Run
from tapeflow.data.transforms.scan_unique import state_function


def _reduced(dataset: DatasetV2, function: UserFunction, carried: list, captured: tuple) -> list:
    run = Run()
    with states.only(()):
        call = function.instance(captured, run)
        for values in dataset._start(run):
            carried = list(call([*carried, *values]))
    return carried


def _reduce_kernel(variant: Any, *values: Any, function: UserFunction,
                   structure: Structure) -> tuple:
    width = len(structure.tensors)
    return tuple(_reduced(held(variant), function, list(values[:width]),
                          tuple([wrap(x) for x in values[width:]])))


_reduce = graph_op("dataset_reduce", _reduce_kernel,
                   lambda function, structure: graph_specs(structure), "ReduceDataset")


@method
def reduce(self: DatasetV2, initial_state: Any, reduce_func: Callable,
           name: str | None = None) -> Any:
    """The last state: `reduce_func(state, element)` gives the next one.

    >>> int(tf.data.Dataset.range(5).reduce(np.int64(0), lambda total, x: total + x))
    10
    """
    function, first, structure = state_function(
        reduce_func, initial_state, self.element_spec, "Dataset.reduce()")
    if state.trace is not None:
        found = _reduce(self._variant_tensor, *first, *function.captured, function=function,
                        structure=structure)
        return structure.pack_tensors(list(found))
    return structure.pack(_reduced(self, function, [x._value for x in first], ()))


def _single(dataset: DatasetV2) -> tuple:
    with states.only(()):
        elements = dataset._start(Run())
        for found in elements:
            for _ in elements:
                raise errors.invalid("DatasetToSingleElement",
                                     "Dataset had more than one element.")
            return tuple(found)
    raise errors.invalid("DatasetToSingleElement", "Dataset was empty.")


_single_op = graph_op("dataset_to_single_element",
                      lambda variant, structure: _single(held(variant)),
                      graph_specs, "DatasetToSingleElement")


@method
def get_single_element(self: DatasetV2, name: str | None = None) -> Any:
    """The only element; InvalidArgumentError if there is not exactly one."""
    if state.trace is not None:
        return self._structure.pack_tensors(list(_single_op(
            self._variant_tensor, structure=self._structure)))
    return self._structure.pack(_single(self))


@export("data.experimental.get_single_element")
def single_element(dataset: DatasetV2) -> Any:
    """Dataset.get_single_element."""
    return dataset.get_single_element()


# -- by key ----------------------------------------------------------------------------------------
@export("data.experimental.Reducer")
class Reducer:
    """How the elements of a group become one: `init_func(key)`, `reduce_func(state, element)`,
    `finalize_func(state)`."""

    def __init__(self, init_func: Callable, reduce_func: Callable, finalize_func: Callable):
        self._init_func, self._reduce_func = init_func, reduce_func
        self._finalize_func = finalize_func

    init_func = property(lambda self: self._init_func)
    reduce_func = property(lambda self: self._reduce_func)
    finalize_func = property(lambda self: self._finalize_func)


@export("data.experimental.group_by_reducer")
def group_by_reducer(key_func: Callable, reducer: Reducer) -> Callable:
    """For Dataset.apply: one element for each key, made by a Reducer."""
    return lambda dataset: _GroupByReducerDataset(dataset, key_func, reducer)


@named("experimental.ops.grouping")
class _GroupByReducerDataset(DatasetV2):
    """Groups of elements reduced to one each."""

    def __init__(self, dataset: DatasetV2, key_func: Callable, reducer: Reducer):
        where = "tf.data.experimental.group_by_reducer()"
        key = UserFunction(lambda *args: convert(converted(key_func)(*args), dtypes.int64),
                           dataset.element_spec, where)
        begin = UserFunction(reducer.init_func, TensorSpec((), dtypes.int64), where)
        spec = begin.structure.spec
        step = UserFunction(reducer.reduce_func, (spec, dataset.element_spec), where)
        if step.structure.spec != spec:
            raise TypeError(f"{where}: the state is {spec} at first and {step.structure.spec} "
                            "after one element.")
        end = UserFunction(reducer.finalize_func, spec, where)
        self._functions = key, begin, step, end
        self._ends = np.cumsum([0, *[len(one.captured) for one in self._functions]]).tolist()
        self._set(end.structure, (dataset,),
                  tuple([x for one in self._functions for x in one.captured]))

    def _start(self, run: Run) -> Iterator[Any]:
        calls = [one.instance(self._tensors[a:b], run) for one, a, b in zip(
            self._functions, self._ends[:-1], self._ends[1:], strict=True)]
        return _ByKey(self._input._start(run), *calls)


class _ByKey(ElementIterator):
    __slots__ = ("_begin", "_end", "_found", "_input", "_key", "_step")

    def __init__(self, elements: Iterator, key: Callable, begin: Callable, step: Callable,
                 end: Callable):
        self._input, self._key, self._begin, self._step = elements, key, begin, step
        self._end = end
        self._found: Iterator | None = None

    def __next__(self) -> Any:
        if self._found is None:
            states_by_key: dict[int, Any] = {}
            for values in self._input:
                key = int(self._key(values)[0])
                if key not in states_by_key:
                    states_by_key[key] = self._begin([np.int64(key)])
                states_by_key[key] = self._step([*states_by_key[key], *values])
            self._found = iter([states_by_key[key] for key in sorted(states_by_key)])
        return self._end(list(next(self._found)))
