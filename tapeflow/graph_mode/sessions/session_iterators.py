"""Iterators of a tf.Graph: each session that runs their elements' nodes has a run of its own.

`make_one_shot_iterator` starts at the first element that a session takes, and
`make_initializable_iterator` where its `initializer` is run, with what is fed then.
"""

from __future__ import annotations

import weakref
from typing import Any

import numpy as np

from tapeflow.base import errors, nest
from tapeflow.base.exports import export
from tapeflow.base.specs import TensorSpec
from tapeflow.core.scopes import open_graph
from tapeflow.core.values.tensor import TensorBase, wrap
from tapeflow.data import load_all as _whole  # noqa: F401  # all methods of datasets
from tapeflow.data.dataset import DatasetV2
from tapeflow.data.elements.handles import ONE_BOOL, graph_op, handle, held
from tapeflow.data.elements.structure import Structure, graph_specs
from tapeflow.data.iterators.owned_iterator import IteratorResource, end_of_sequence
from tapeflow.graph_mode.session import running_session

_NOTHING = object()


class SessionRuns:
    """The runs of one iterator of a graph, by session."""

    def __init__(self) -> None:
        self._runs: weakref.WeakKeyDictionary[Any, IteratorResource] = weakref.WeakKeyDictionary()

    def start(self, dataset: Any) -> None:
        """Begin again, in the session that runs now."""
        self._runs[running_session()] = IteratorResource(dataset)

    def next_element(self, dataset: Any) -> Any:
        """The next flat element in this session; where there is no run, one of the dataset."""
        session = running_session()
        if session not in self._runs:
            if dataset is None:
                raise errors.FailedPreconditionError(None, None, (
                    "GetNext() failed because the iterator has not been initialized. Ensure that "
                    "you have run the initializer operation for this iterator before getting the "
                    "next element. [Op:IteratorGetNext]"))
            self.start(dataset)
        return self._runs[session].next_or(_NOTHING)


def _start_kernel(runs: Any, dataset: Any) -> tuple:
    held(runs).start(held(dataset))
    return (np.bool_(True),)


def _next_kernel(runs: Any, *dataset: Any, structure: Structure) -> tuple:
    found = held(runs).next_element(held(dataset[0]) if dataset else None)
    if found is _NOTHING:
        raise end_of_sequence()
    return tuple(found)


_start = graph_op("session_iterator_start", _start_kernel, lambda: ONE_BOOL, "MakeIterator")
_next = graph_op("session_iterator_next", _next_kernel, graph_specs, "IteratorGetNext")


@export("compat.v1.data.Iterator")
class Iterator:
    """An iterator of a tf.Graph; `get_next()` is nodes that take an element when they are run."""

    def __init__(self, dataset: DatasetV2, one_shot: bool):
        self._structure = dataset._structure
        self._runs = wrap(handle(SessionRuns()))
        self._dataset = (dataset._variant_tensor,) if one_shot else ()
        self._initializer = None if one_shot else _start(self._runs, dataset._variant_tensor)[0].op

    @property
    def initializer(self) -> Any:
        """The operation that begins, or begins again."""
        if self._initializer is None:
            raise ValueError("The iterator does not have an initializer. This means it was likely "
                             "created using `tf.data.Dataset.make_one_shot_iterator()`. For an "
                             "initializable iterator, use "
                             "`tf.data.Dataset.make_initializable_iterator()` instead.")
        return self._initializer

    def get_next(self, name: str | None = None) -> Any:
        """An element: another one each time that a session runs it."""
        return self._structure.pack_tensors(list(_next(
            self._runs, *self._dataset, structure=self._structure)))

    @property
    def element_spec(self) -> Any:
        return self._structure.spec

    @property
    def output_types(self) -> Any:
        return nest.map_structure(lambda spec: spec.dtype, self.element_spec)

    @property
    def output_shapes(self) -> Any:
        return nest.map_structure(lambda spec: spec.shape, self.element_spec)

    @property
    def output_classes(self) -> Any:
        return nest.map_structure(
            lambda spec: TensorBase if isinstance(spec, TensorSpec) else spec.value_type,
            self.element_spec)


@export("compat.v1.data.make_one_shot_iterator")
def make_one_shot_iterator(dataset: DatasetV2) -> Any:
    """An iterator over a dataset that needs no start; in a tf.Graph, one that sessions run."""
    return iter(dataset) if open_graph() is None else Iterator(dataset, True)


@export("compat.v1.data.make_initializable_iterator")
def make_initializable_iterator(dataset: DatasetV2, shared_name: str | None = None) -> Iterator:
    """An iterator of a tf.Graph that begins where its `initializer` is run."""
    if open_graph() is None:
        raise RuntimeError("`make_initializable_iterator()` is not supported in eager mode. Use "
                           "Python-style iteration instead.")
    return Iterator(dataset, False)
