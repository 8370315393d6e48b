"""Scopes: name_scope, device, init_scope, control_dependencies on one CPU."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Iterator
from typing import Any, cast

from tapeflow.base.exports import export
from tapeflow.core.state import only, state


class _Names(threading.local):
    current = ""


names = _Names()


@export("name_scope")
class name_scope:
    """Prefix for the names of variables made inside."""

    def __init__(self, name: str):
        if not isinstance(name, str):
            raise ValueError("name for name_scope must be a string.")
        self._name = name

    @property
    def name(self) -> str:
        return self._name

    def __enter__(self) -> str:
        self._before = names.current
        if not self._name:
            names.current = ""
        elif self._name.endswith("/"):
            names.current = self._name
        else:
            names.current = f"{names.current}{self._name}/" if state.trace is None else (
                state.trace.new_scope(names.current + self._name))
        return names.current

    def __exit__(self, *exc: Any) -> None:
        names.current = self._before


def enter(prefix: str) -> str:
    """Let names begin with `prefix`, whatever scopes are open; how they began before."""
    before, names.current = names.current, prefix
    return before


@contextlib.contextmanager
def names_of(graph: Any) -> Iterator[None]:
    """Let names begin as in a graph that is entered: with the scopes that are open in it."""
    outer = cast(Any, state.trace)
    if outer is graph:
        yield
        return
    before = enter(graph.open_prefix)
    if outer is not None:
        outer.open_prefix = before  # if it is entered from inside
    try:
        yield
    finally:
        enter(before)
        if outer is not None:
            outer.open_prefix = ""


def current_prefix() -> str:
    """How names begin here."""
    return names.current


def scoped_name(name: str) -> str:
    """A name with the scopes it stands in."""
    if not isinstance(name, str):
        raise ValueError(f"name for name_scope must be a string, got {name!r}.")
    return names.current + name


@export("device")
class device:
    """Accepts a device name; on a CPU everything runs in one place."""

    def __init__(self, device_name: Any):
        if device_name is not None and not callable(device_name):
            _check_device(str(device_name))


    def __enter__(self) -> device:
        return self

    def __exit__(self, *exc: Any) -> None:
        return None


def _check_device(name: str) -> None:
    import re
    pattern = r"/?((job|replica|task|device):[\w:*]+/?|(cpu|gpu|tpu|CPU|GPU|TPU)(:[\w:*]+)?/?)*$"
    if not re.match(pattern, name.lstrip("/") if name else ""):
        raise ValueError(f"Unknown attribute in device specification: {name!r}")


@export("init_scope")
@contextlib.contextmanager
def init_scope() -> Iterator[None]:
    """Leaves a trace and pauses every tape; in a tf.Graph, leaves what is traced inside it."""
    trace = state.trace
    graph = None if trace is None else trace.home_graph()
    if graph is not None:
        prefix = current_prefix()
        with graph.as_default():
            before = enter(prefix)
            try:
                yield
            finally:
                enter(before)
        return
    state.trace = None
    try:
        with only(()):
            yield
    finally:
        state.trace = trace


def open_graph() -> Any:
    """The tf.Graph that ops are put into; None if they run, or belong to a tf.function."""
    trace: Any = state.trace
    return trace if trace is not None and trace.home_graph() is trace else None


@export("control_dependencies")
@contextlib.contextmanager
def control_dependencies(control_inputs: Any) -> Iterator[None]:
    """Eager ops run in program order already, and so do those of a tf.function."""
    graph = open_graph()
    if graph is not None:
        with graph.control_dependencies(control_inputs):
            yield
        return
    for one in control_inputs or ():
        if callable(one):
            one()
    yield


@export("executing_eagerly")
def executing_eagerly() -> bool:
    """Whether ops run at once, not into a graph."""
    return state.trace is None


@export("inside_function")
def inside_function() -> bool:
    """Whether a tf.function is being traced."""
    return getattr(state.trace, "building_function", False)
