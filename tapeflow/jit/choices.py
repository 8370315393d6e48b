"""Where the compiler chooses: each choice point has a name and says which alternatives there are.

A module declares its choice points (`TILE = Choice("gemm.tile", …)`) and asks them for what it
finds best (`TILE(best, possible)`). So the code itself knows all that it can do: tests watch which
alternatives are taken, and force those that are possible where another one is best (`forcing`). A
choice that is a fact of the graph has none that are possible beside it. `make choices` prints what
no test takes.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from contextlib import AbstractContextManager, contextmanager
from typing import Any

CHOICES: dict[str, Choice] = {}
_watching: list[set[tuple[str, Any]]] = []
_offered: list[set[tuple[str, Any]]] = []
_forced: dict[str, Any] = {}


class Choice:
    """A choice point: its name and its alternatives, or a function that lists them for a target."""

    __slots__ = ("_alternatives", "name")

    def __init__(self, name: str, alternatives: Collection | Callable[[Any], Collection]):
        self.name, self._alternatives = name, alternatives
        CHOICES[name] = self

    def alternatives(self, target: Any) -> list:
        """All that the compiler may take here for a machine."""
        found = self._alternatives
        return list(found(target) if callable(found) else found)

    def __call__(self, best: Any, possible: Collection = ()) -> Any:
        """The alternative that is taken: the best, or a possible one that is forced."""
        if _forced:
            wanted = _forced.get(self.name, best)
            best = wanted if wanted in possible else best
        if _watching:
            for taken in _watching:
                taken.add((self.name, best))
        if _offered:
            for others in _offered:
                others.update([(self.name, one) for one in possible if one != best])
        return best


@contextmanager
def forcing(alternatives: dict[str, Any]) -> Iterator[None]:
    """Take these alternatives, by the names of choice points, where they are possible."""
    before = dict(_forced)
    _forced.update(alternatives)
    try:
        yield
    finally:
        _forced.clear()
        _forced.update(before)


def watching() -> AbstractContextManager[set[tuple[str, Any]]]:
    """The set of (choice point, alternative) that are taken meanwhile."""
    return _collecting(_watching)


def offered() -> AbstractContextManager[set[tuple[str, Any]]]:
    """The set of (choice point, alternative) that are possible meanwhile where another is taken."""
    return _collecting(_offered)


@contextmanager
def _collecting(listeners: list[set]) -> Iterator[set]:
    found: set = set()
    listeners.append(found)
    try:
        yield found
    finally:
        listeners[:] = [one for one in listeners if one is not found]
