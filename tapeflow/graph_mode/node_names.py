"""The names of a graph's nodes: what the user gave as `name=`, or the op's, each only once."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Iterable, Iterator
from typing import Any

from tapeflow.core import scopes
from tapeflow.graph import ir
from tapeflow.graph.tracing.graph_builder import plain_name

_DEEPEST = 5  # frames of this library, from the user's call inwards, in which a `name` is its own


class NodeNames:
    """Gives names, and knows which are taken."""

    def __init__(self) -> None:
        self._taken: dict[str, int] = {}
        self._names: dict[ir.Node, str] = {}
        self._call: tuple[Any, ir.Node] | None = None  # the last call with a name, and its node
        self._floor: Any = None  # a frame: calls around it have named something else
        self._by_op = False  # nodes have the names of their ops, whatever the call is named

    def name(self, node: ir.Node) -> str:
        """The name of a node; of one that is being made, its op's."""
        return self._names.get(node) or plain_name(node.op)

    def give(self, node: ir.Node, name: str) -> None:
        """Let a node have a name, its results too."""
        self._names[node] = name
        for value in node.outputs:
            value.name = name

    def rename(self, node: ir.Node, name: str) -> None:
        """Let a node have a name that was reserved; its results keep theirs."""
        self._names[node] = name

    def is_taken(self, name: str) -> bool:
        return name.lower() in self._taken

    def release(self, names: Iterable[str]) -> None:
        """Let names be given to others."""
        for name in names:
            self._taken.pop(name.lower(), None)

    def unique(self, name: str, mark: bool = True) -> str:
        """The name, with a number where it is taken."""
        key = name.lower()
        count = self._taken.get(key, 0)
        if mark:
            self._taken[key] = count + 1
        if not count:
            return name
        found = name
        while found.lower() in self._taken:
            found = f"{name}_{count}"
            count += 1
        if mark:
            self._taken[found.lower()] = 1
        return found

    def of_call(self, node: ir.Node) -> str:
        """The name of a new node: that of the call which makes it, or its op's.

        A call may make several nodes: the last one, its result, has the name.
        """
        word = plain_name(node.op)
        frame, given = (None, None) if self._by_op else _named_call(self._floor)
        if given is None:
            return self.unique(scopes.scoped_name(word))
        if self._call is not None and self._call[0] is frame:
            before = self._call[1]
            name = self._names[before]
            self.give(before, self.unique(f"{name}/{plain_name(before.op)}"))
        else:
            name = given[:-1] if given.endswith("/") else self.unique(scopes.scoped_name(given))
        self._call = (frame, node)
        return name

    @contextlib.contextmanager
    def by_op(self) -> Iterator[None]:
        """Name nodes by their ops: the name that the call was given is another's."""
        before, self._by_op = self._by_op, True
        try:
            yield
        finally:
            self._by_op = before

    @contextlib.contextmanager
    def apart(self) -> Iterator[None]:
        """Let nodes have no name that was given to a call around this one."""
        before, self._floor = self._floor, sys._getframe(2)
        try:
            yield
        finally:
            self._floor = before

    def forget_call(self) -> None:
        """Keep nothing of the user's frames alive."""
        self._call = None


def _named_call(floor: Any) -> tuple[Any, str | None]:
    """The call of this library that the user has made, and the `name` it was given."""
    frame: Any = sys._getframe(3)
    frames: list[Any] = []
    while frame is not None and frame is not floor and frame.f_globals.get(
            "__name__", "").startswith("tapeflow."):
        frames.append(frame)
        frame = frame.f_back
    for one in frames[:-_DEEPEST - 1:-1]:
        held = one.f_locals
        found = held.get("name")
        for rest in ("kwargs", "options", "given", "named"):
            if found is None and isinstance(held.get(rest), dict):
                found = held[rest].get("name")
        if isinstance(found, str) and found:
            return one, found
    return None, None
