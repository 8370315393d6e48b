"""Tables of what others keep alive, without Python code in the callbacks of weak references.

Python drops an exception that the handler of a signal raises while such a callback runs, and those
of the standard library's weak tables are Python functions. Here the callback is the `pop` of a
dictionary whose keys are the references themselves.
"""

from __future__ import annotations

import weakref
from collections.abc import Iterator
from typing import Any, Generic, TypeVar

K = TypeVar("K")
V = TypeVar("V")


class WeakTable(Generic[K, V]):
    """Values by keys that it does not keep alive."""

    __slots__ = ("_values",)

    def __init__(self) -> None:
        self._values: dict[weakref.ref, V] = {}

    def get(self, key: K) -> V | None:
        return self._values.get(weakref.ref(key))

    def setdefault(self, key: K, value: V) -> V:
        """The value of a key, which is `value` if there is none."""
        return self._values.setdefault(weakref.ref(key, self._values.pop), value)

    def pop(self, key: K) -> V | None:
        return self._values.pop(weakref.ref(key), None)

    def keys(self) -> list[K]:
        return [key for key in (reference() for reference in list(self._values))
                if key is not None]


class WeakSet(Generic[K]):
    """Things that it does not keep alive."""

    __slots__ = ("_table",)

    def __init__(self) -> None:
        self._table: WeakTable[K, Any] = WeakTable()

    def add(self, one: K) -> None:
        self._table.setdefault(one, None)

    def discard(self, one: K) -> None:
        self._table.pop(one)

    def __iter__(self) -> Iterator[K]:
        return iter(self._table.keys())
