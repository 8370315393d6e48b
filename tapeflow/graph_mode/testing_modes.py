"""Sessions in tests, and tests that run twice: into a graph, and eagerly."""

from __future__ import annotations

import contextlib
import functools
from collections.abc import Callable, Iterator
from typing import Any

from tapeflow.base import nest
from tapeflow.core.values.tensor import Tensor
from tapeflow.core.values.variable import Variable
from tapeflow.graph_mode.graph import Graph, current_graph
from tapeflow.graph_mode.session import Session, get_default_session


class EagerSession:
    """What a test runs tensors with that have their values already."""

    graph = None

    def run(self, fetches: Any, *args: Any, **kwargs: Any) -> Any:
        """The values, in their structure."""
        return nest.map_structure(
            lambda one: one.numpy() if isinstance(one, (Tensor, Variable)) else one, fetches)


@contextlib.contextmanager
def session_for(graph: Any = None) -> Iterator[Any]:
    """A session of the default graph, or of `graph`; where ops run at once, an EagerSession."""
    found = graph or current_graph()
    if found is None:
        yield EagerSession()
        return
    with found.as_default(), Session(graph=found) as session:
        yield session


_kept: dict[Graph, Session] = {}  # of the test that runs: its variables live until its end


@contextlib.contextmanager
def kept_session(graph: Any = None) -> Iterator[Any]:
    """The default session if it fits; else one that a test keeps for the graph until its end."""
    found = graph or current_graph()
    held = get_default_session()
    if found is None:
        yield EagerSession()
    elif held is not None and held.graph is found:
        with found.as_default():
            yield held
    else:
        if found not in _kept:
            _kept[found] = Session(graph=found)
        with found.as_default(), _kept[found].as_default():
            yield _kept[found]


def forget_sessions() -> None:
    """Close the sessions that a test kept."""
    while _kept:
        _kept.popitem()[1].close()


def evaluated(tensors: Any) -> Any:
    """What the default session gives, in a graph; if there is none, the test's own."""
    session = get_default_session()
    if session is None or session.graph is not current_graph():
        with kept_session() as own:
            return own.run(tensors)
    return session.run(tensors)


def run_in_graph_and_eager_modes(func: Callable | None = None, config: Any = None,
                                 use_gpu: bool = True, assert_no_eager_garbage: bool = False
                                 ) -> Callable:
    """A decorator of a test method, which then runs into a graph and eagerly."""
    def decorate(method: Callable) -> Callable:
        if isinstance(method, type):
            raise ValueError("`run_in_graph_and_eager_modes` only supports test methods. Did you "
                             "mean to use `run_all_in_graph_and_eager_modes`?")

        @functools.wraps(method)
        def both(self: Any, *args: Any, **kwargs: Any) -> None:
            with Graph().as_default(), session_for():
                method(self, *args, **kwargs)
            self.tearDown()
            self.setUp()
            method(self, *args, **kwargs)

        return both

    return decorate if func is None else decorate(func)


def run_all_in_graph_and_eager_modes(cls: type) -> type:
    """The same for every test of a class."""
    for name, value in list(vars(cls).items()):
        if name.startswith("test") and callable(value) and not name.startswith(
                ("testSkipEager", "test_skip_eager")) and name != "test_session":
            setattr(cls, name, run_in_graph_and_eager_modes(value))
    return cls


def run_in_graph_mode(method: Callable) -> Callable:
    """A test method that runs into a graph alone."""
    @functools.wraps(method)
    def into_graph(self: Any, *args: Any, **kwargs: Any) -> None:
        with Graph().as_default(), session_for():
            method(self, *args, **kwargs)

    return into_graph


def unchanged(method: Callable) -> Callable:
    """The method itself: what it is to be run with is so always."""
    return method
