"""Iterators over datasets, for Python and inside graphs.

An iterator is a value that graphs can hold: functions take it as an argument or capture it, and
`next` inside them is a node.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from itertools import chain
from typing import Any

import numpy as np

from tapeflow.base import errors
from tapeflow.base.exports import export
from tapeflow.base.process.locks import new_lock
from tapeflow.core import state as states
from tapeflow.core.record.primitive_ops import cast
from tapeflow.core.state import state
from tapeflow.core.values.composite import Composite
from tapeflow.core.values.convert import convert
from tapeflow.core.values.tensor import Tensor, wrap
from tapeflow.core.values.tracking import Trackable
from tapeflow.data.class_names import concrete, named
from tapeflow.data.elements.handles import ONE_BOOL, ONE_HANDLE, HandleSpec, graph_op, handle, held
from tapeflow.data.elements.structure import Structure, graph_specs, normalise
from tapeflow.data.iterators.iteration import Run
from tapeflow.data.iterators.optionals import _OptionalImpl

_NOTHING = object()
MOST_TRACED = 10_000  # elements that one trace may take from an iterator


class IteratorResource:
    """A run of a dataset: what all iterator objects over it share. Any thread may ask."""

    __slots__ = ("_count", "_elements", "_lock", "_run", "dataset", "pending")

    def __init__(self, dataset: Any):
        self.dataset = dataset
        self.pending: Any = None
        self._lock, self._count, self._run = new_lock(), 0, Run()
        self._elements: Iterator = dataset._start(self._run)

    def next_element(self) -> Any:
        """The next flat element; StopIteration at the end."""
        with self._lock:
            self._count += 1
            if state.recorder is None:
                return next(self._elements)
            with states.only(()):  # what functions do on the way is no business of tapes
                return next(self._elements)

    def put_back(self, element: Any) -> None:
        """Let an element that was taken be the next one again."""
        with self._lock:
            self._count -= 1
            self._elements = chain([element], self._elements)

    @property
    def taken(self) -> int:
        """How many elements were taken."""
        return self._count

    def position(self) -> bytes:
        """How far it is, for a checkpoint: elements taken, and seeds of shuffles."""
        with self._lock:
            return json.dumps({"elements": self._count, "seeds": self._run.drawn}).encode()

    def go_to(self, position: bytes) -> None:
        """Go on where an iterator over a dataset like this one was: by taking as many elements."""
        found = json.loads(position)
        with self._lock, states.only(()):
            self._run, self._count = Run(found["seeds"]), found["elements"]
            self._elements = self.dataset._start(self._run)
            for _ in range(self._count):
                if next(self._elements, None) is None:
                    break

    def next_or(self, other: Any) -> Any:
        try:
            return self.next_element()
        except StopIteration:
            return other


def end_of_sequence() -> errors.OutOfRangeError:
    return errors.OutOfRangeError(None, None, "End of sequence [Op:IteratorGetNext]")


# -- nodes -----------------------------------------------------------------------------------------
def _next_kernel(iterator: Any, structure: Structure) -> tuple:
    found = held(iterator).next_or(_NOTHING)
    if found is _NOTHING:
        raise end_of_sequence()
    return tuple(found)


def _advance_kernel(iterator: Any) -> tuple:
    running = held(iterator)
    running.pending = running.next_or(_NOTHING)
    return (np.bool_(running.pending is not _NOTHING),)


def _current_kernel(iterator: Any, structure: Structure) -> tuple:
    running = held(iterator)
    found, running.pending = running.pending, None
    return tuple(found)


def _optional_next_kernel(iterator: Any) -> tuple:
    found = held(iterator).next_or(_NOTHING)
    return (handle(None if found is _NOTHING else tuple(found)),)


_make_iterator = graph_op("make_iterator", lambda x: (handle(IteratorResource(held(x))),),
                          lambda: ONE_HANDLE, "MakeIterator")
_get_next = graph_op("iterator_get_next", _next_kernel, graph_specs, "IteratorGetNext")
_advance = graph_op("iterator_advance", _advance_kernel, lambda: ONE_BOOL, "IteratorGetNext")
_current = graph_op("iterator_current", _current_kernel, graph_specs, "IteratorGetNext")
_get_optional = graph_op("iterator_get_next_as_optional", _optional_next_kernel,
                         lambda: ONE_HANDLE, "IteratorGetNextAsOptional")


# -- iterators -------------------------------------------------------------------------------------
@export("data.Iterator")
class IteratorBase(Composite, Trackable):
    """What `iter(dataset)` returns."""

    def __new__(cls, *args: Any, **kwargs: Any) -> Any:
        return concrete(cls, IteratorBase)

    @property
    def element_spec(self) -> Any:
        raise NotImplementedError("Iterator.element_spec")

    def get_next(self) -> Any:
        raise NotImplementedError("Iterator.get_next")

    def get_next_as_optional(self) -> Any:
        raise NotImplementedError("Iterator.get_next_as_optional")


@named("ops.iterator_ops")
class OwnedIterator(IteratorBase):
    """An iterator over a dataset.

    >>> it = iter(tf.data.Dataset.range(2))
    >>> int(next(it)), int(it.get_next()), bool(it.get_next_as_optional().has_value())
    (0, 1, False)
    """

    __slots__ = ("_handle", "_running", "_structure", "_traced")

    def __init__(self, dataset: Any = None, components: Any = None, element_spec: Any = None):
        self._traced = 0
        if dataset is None:
            if components is None or element_spec is None:
                raise ValueError("When `dataset` is not provided, both `components` and "
                                 "`element_spec` must be specified.")
            self._structure, self._handle = Structure(element_spec), components
        else:
            self._structure = dataset._structure
            self._handle = None
            if state.trace is not None:
                self._handle = _make_iterator(dataset._variant_tensor)[0]
        if self._handle is None:
            if dataset._in_graph():
                raise TypeError(f"{dataset!r} is out of scope and cannot be used here: it was made "
                                "inside a tf.function. Return it from the function.")
            self._running: Any = IteratorResource(dataset)
        else:
            self._running = held(self._handle) if type(self._handle) is Tensor else None

    @property
    def element_spec(self) -> Any:
        return self._structure.spec

    @property
    def _type_spec(self) -> IteratorSpec:
        return IteratorSpec(self.element_spec)

    @property
    def _iterator_resource(self) -> Tensor:
        return wrap(handle(self._running)) if self._handle is None else self._handle

    def __iter__(self) -> OwnedIterator:
        return self

    def __next__(self) -> Any:
        if state.trace is not None:
            return self._node_next()
        return self._structure.pack(self._running.next_element())

    def next(self) -> Any:
        return self.__next__()

    def get_next(self) -> Any:
        """The next element; OutOfRangeError at the end."""
        if state.trace is not None:
            return self._node_next()
        found = self._running.next_or(_NOTHING)
        if found is _NOTHING:
            raise end_of_sequence()
        return self._structure.pack(found)

    def _node_next(self) -> Any:
        self._traced += 1
        if self._traced > MOST_TRACED:
            raise RuntimeError("Python iterates over a tf.data.Dataset while a tf.function is "
                               "traced, without end. Let AutoGraph convert the loop, or use "
                               "Dataset.reduce.")
        return self._structure.pack_tensors(list(_get_next(
            self._iterator_resource, structure=self._structure)))

    def get_next_as_optional(self) -> Any:
        """The next element as a tf.experimental.Optional, empty at the end."""
        if state.trace is not None:
            return _OptionalImpl(_get_optional(self._iterator_resource)[0], self.element_spec)
        found = self._running.next_or(_NOTHING)
        return _OptionalImpl(wrap(handle(None if found is _NOTHING else tuple(found))),
                             self.element_spec)

    def _serialize_to_tensors(self) -> dict[str, Tensor]:
        """For checkpoints; the format is tapeflow's own."""
        return {"ITERATOR_STATE": wrap(handle(self._running.position()))}

    def _restore_from_tensors(self, tensors: dict[str, Tensor]) -> None:
        self._running.go_to(held(tensors["ITERATOR_STATE"]))

    def __tf_builtin__(self, function: Any, args: tuple, kwargs: dict) -> Any:
        """`next(iterator, default)` in a function that AutoGraph converts."""
        if function is not next or len(args) != 2 or state.trace is None:
            return NotImplemented
        found, default = self.get_next_as_optional(), normalise(args[1])
        index = cast(found.has_value(), dtype=np.dtype("int32"))
        return state.trace.cond(index, (lambda: default, found.get_value))

    def __tf_iterate__(self, extra_test: Callable | None, body: Callable, get: Callable,
                       put: Callable, names: tuple, live: tuple,
                       options: Callable | None) -> None:
        """`for x in iterator` in a function that AutoGraph converts: one loop of the graph."""
        from tapeflow.graph.autograph.statements import Loop, if_exp, symbolic
        resource = self._iterator_resource

        def more() -> Tensor:
            return _advance(resource)[0]

        def test() -> Any:
            go_on = True if extra_test is None else extra_test()
            if symbolic(go_on):
                return if_exp(go_on, more, lambda: convert(False))
            return more() if go_on else convert(False)

        def iteration() -> None:
            body(self._structure.pack_tensors(list(_current(
                resource, structure=self._structure))))

        Loop(test, iteration, get, put, names, live, options).run("for loop")


IteratorBase.__module__ = "tensorflow.python.data.ops.iterator_ops"


@export("data.IteratorSpec")
@named("ops.iterator_ops")
class IteratorSpec(HandleSpec):
    """The description of an iterator by its element spec."""

    __slots__ = ()
    value_type = OwnedIterator

    def _to_components(self, value: Any) -> Any:
        return [value._iterator_resource]

    def _from_components(self, components: Any) -> Any:
        return OwnedIterator(None, components[0], self._element_spec)
